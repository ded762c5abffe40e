"""The example package, installed: on the command line, in batches, searches, workers and the studio."""

from __future__ import annotations

import doctest
import importlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
from support.command_lines import CommandResult, Say
from support.paths import ROOT
from support.plugins import EXAMPLE, RECIPE, install_example, on_the_path
from undercroft.cli import run
from undercroft.plugins.entry_points import scan_packages

PACKAGE = "undercroft-mirror 0.1.0"


@pytest.fixture
def say(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> CommandResult:
        capfdbinary.readouterr()
        code = run(list(args))
        out, err = capfdbinary.readouterr()
        return CommandResult(code, out.decode(), err.decode())

    return call


@pytest.fixture
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    site = tmp_path_factory.mktemp("site")
    install_example(site)
    with on_the_path(site):
        yield site


@pytest.mark.usefixtures("installed")
def test_lists_show_it(say: Say) -> None:
    assert say("list", "plugins").out.splitlines() == [
        f"{PACKAGE}  the step mirror",
        f"{PACKAGE}  the measure symmetry",
        f"{PACKAGE}  the format pbm",
        f"{PACKAGE}  the style chalk",
    ]
    for what, name in (("steps", "mirror"), ("measures", "symmetry"), ("formats", "pbm"), ("styles", "chalk")):
        assert re.search(rf"^{name} .*\[{re.escape(PACKAGE)}\]$", say("list", what).out, re.MULTILINE)
        assert re.search(rf"^{what}: .*\b{name}$", say("list").out, re.MULTILINE)
    assert f"  {PACKAGE:<32} the step mirror\n" in say("doctor").out


def test_without_it_there_is_none(say: Say) -> None:
    assert say("list", "plugins").out == "no installed package adds steps, measures, formats or styles\n"
    said = say("generate", str(RECIPE))
    assert said.code == 2
    assert "mirrored-cave.toml:17:7: unknown step 'mirror'" in said.err


@pytest.mark.usefixtures("installed")
def test_a_level_as_files_and_pictures(say: Say) -> None:
    said = say(
        "generate", str(RECIPE), "--seed", "3", "--style", "chalk",
        "-o", "a.json", "-o", "a.pbm", "-o", "a.png", "-o", "a.svg", "--until", "symmetry == 1",
    )  # fmt: skip
    assert said.code == 0, said.err
    level = uc.load("a.json")
    assert np.array_equal(level.walkable, level.walkable[:, ::-1])
    assert np.array_equal(uc.load("a.pbm").walkable, level.walkable)
    assert level.provenance["packages"] == {"mirror": PACKAGE}
    assert level.provenance["editions"]["mirror"] == 1
    assert "#20302a" in Path("a.svg").read_text()
    measured = json.loads(say("measure", "a.json", "symmetry", "--json").out)
    assert (measured["symmetry"], measured["undercroft"]["measures"]) == (1.0, {"symmetry": 1})
    whole = say("measure", "a.json").out
    assert re.search(r"of other packages\n  symmetry +1 ", whole)
    assert say("convert", "a.pbm", "b.txt").code == 0
    assert say("convert", "a.json", "b.pbm").code == 0
    assert Path("b.pbm").read_bytes() == Path("a.pbm").read_bytes()
    assert "a.png: " not in say("lint", str(RECIPE)).err


@pytest.mark.processes
@pytest.mark.usefixtures("installed")
def test_the_page_shows_what_is_printed(say: Say) -> None:
    shutil.copytree(EXAMPLE, "examples/plugin")
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    shown = ""
    for command in re.findall(r"^\$ undercroft (.*)$", block, re.MULTILINE):
        said = say(*shlex.split(command))
        assert said.code == 0, said.err
        shown += f"$ undercroft {command}\n{said.out}"
    assert block == shown


@pytest.mark.usefixtures("installed")
def test_the_page_and_the_package_name_the_same_entry_points() -> None:
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert block in (EXAMPLE / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("module", ["steps", "measures", "formats", "styles"])
def test_its_docstrings_are_true(module: str) -> None:
    result = doctest.testmod(importlib.import_module(f"undercroft_mirror.{module}"))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.usefixtures("installed")
def test_mistakes_in_recipes_have_their_place(say: Say) -> None:
    text = RECIPE.read_text()
    for old, new, problem in (
        ('axis = "$axis"', 'axis = "z"', "wrong.toml:13:8: unknown axis of mirror 'z'"),
        ('axis = "$axis"', "axes = 3", "wrong.toml:13:1: unknown parameter of mirror 'axes'"),
        ('symmetry = ">= 0.9"', 'symmetry = ">= 2"', "no level can be so: symmetry is a number from 0 to 1"),
        ('use = "mirror"', 'use = "miror"', "did you mean 'mirror'?"),
    ):
        kept = text if "$axis" not in old else text[: text.index("[param.axis]")] + text[text.index("[[step]]") :]
        Path("wrong.toml").write_text(kept.replace(old, new))
        said = say("generate", "wrong.toml", "--seed", "1")
        assert said.code == 2
        assert problem in said.err


@pytest.mark.processes
@pytest.mark.usefixtures("installed")
def test_a_batch_by_workers_is_that_of_one_process(say: Say) -> None:
    ask = (
        "batch",
        str(RECIPE),
        "--count",
        "12",
        "--chunk",
        "3",
        "--measures",
        "symmetry",
        "--as",
        "npz",
        "--no-report",
    )
    assert say(*ask, "--workers", "2", "--out", "two").code == 0
    uc.batch(RECIPE, 12, "one", chunk=3, measures=["symmetry"], as_="npz", workers=1, memory=None)
    names = sorted(path.name for path in Path("one").iterdir())
    assert names == sorted(path.name for path in Path("two").iterdir())
    assert all(Path("one", name).read_bytes() == Path("two", name).read_bytes() for name in names)
    order = json.loads(Path("two/order.json").read_text())
    assert order["packages"] == {"mirror": PACKAGE, "symmetry": PACKAGE}
    assert say("batch", str(RECIPE), "--count", "4", "--as", "pbm", "--out", "bitmaps", "--workers", "2").code == 0
    assert json.loads(Path("bitmaps/order.json").read_text())["written_by"] == PACKAGE
    assert uc.load("bitmaps/2.pbm").size == (60, 32)


@pytest.mark.processes
@pytest.mark.usefixtures("installed")
def test_a_search_and_measures_by_workers(say: Say) -> None:
    ask = ("search", str(RECIPE), "--seeds", "0..400", "--sort", "symmetry", "--take", "3", "--vary", "axis=x,y")
    one, two = say(*ask, "--workers", "1"), say(*ask, "--workers", "2")
    assert (one.code, one.out) == (two.code, two.out)
    assert one.out.splitlines()[0].split() == ["seed", "axis", "symmetry"]
    assert "1.0" in one.out
    numbers = [say("measure", str(RECIPE), "symmetry", "--seeds", "0..300", "--workers", many) for many in "12"]
    assert numbers[0].out == numbers[1].out
    assert "symmetry" in numbers[0].out


def test_a_level_made_again_without_the_package_names_it(say: Say, installed: Path) -> None:
    assert say("generate", str(RECIPE), "--seed", "3", "-o", "a.json").code == 0
    uc.batch(RECIPE, 2, "some", as_="npz", workers=1, memory=None)
    again = say("generate", str(RECIPE), "--from", "a.json", "-o", "b.json")
    assert (again.code, uc.load("b.json")) == (0, uc.load("a.json"))
    metadata = installed / "undercroft_mirror-0.1.0.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("0.1.0", "0.2.0"))
    for table in ("steps", "measures", "formats", "styles"):
        say("list", table)
    with on_the_path(installed):
        newer = say("generate", str(RECIPE), "--from", "a.json", "-o", "b.json")
        assert newer.code == 0
        assert (
            f"note: a.json was made with 'mirror' of {PACKAGE}, and here it is of undercroft-mirror 0.2.0" in newer.err
        )
    shutil.rmtree(installed / "undercroft_mirror-0.1.0.dist-info")
    with on_the_path(installed):
        for said in (say("generate", str(RECIPE), "--from", "a.json"), say("generate", "--from", "a.json")):
            assert said.code == 2
        said = say("generate", str(RECIPE), "--from", "a.json")
        assert f"a.json was made with 'mirror' of the package {PACKAGE}, which is not installed" in said.err
        assert "fix: if you trust that package: pip install undercroft-mirror==0.1.0" in said.err
        with pytest.raises(
            uc.BadInput, match="the batch in some was made with 'mirror' of the package undercroft-mirror"
        ):
            uc.open_batch("some")


@pytest.mark.parametrize(
    "packages",
    ['{"mirror": "evil; rm -rf / 1.0"}', '{"mirror": 3}', '["mirror"]', '{"mirror": "x\\u001b[31m 1"}', '"mirror"'],
)
def test_what_a_file_says_about_packages_is_not_trusted(say: Say, packages: str, installed: Path) -> None:
    assert say("generate", str(RECIPE), "--seed", "3", "-o", "a.json").code == 0
    text = Path("a.json").read_text()
    before = json.dumps({"mirror": PACKAGE}, separators=(",", ":"))
    assert before in text
    Path("a.json").write_text(text.replace(before, packages))
    shutil.rmtree(installed / "undercroft_mirror-0.1.0.dist-info")
    with on_the_path(installed):
        said = say("generate", str(RECIPE), "--from", "a.json")
    assert said.code == 2
    assert "pip install" not in said.err
    assert "\x1b" not in said.err


def test_the_studio_has_it_in_its_catalogue(installed: Path, tmp_path: Path) -> None:
    from undercroft.studio.jobs.catalogue import build_catalogue
    from undercroft.studio.jobs.levels import LevelSources
    from undercroft.studio.protocol.file_kinds import known_suffixes
    from undercroft.studio.protocol.project import Project

    shutil.copy(RECIPE, tmp_path)
    found = build_catalogue(LevelSources(Project(tmp_path)))
    for kind, name in (("steps", "mirror"), ("measures", "symmetry"), ("formats", "pbm"), ("styles", "chalk")):
        assert found[kind][-1]["name"] == name
    (card,) = (card for card in found["recipes"] if card["origin"] == "mine")
    assert "problem" not in card
    assert card["name"] == "mirrored-cave"
    assert known_suffixes()


def test_a_step_that_fails_ends_one_seed_of_a_batch(say: Say, installed: Path) -> None:
    module = installed / "undercroft_mirror" / "steps.py"
    source = module.read_text()
    module.write_text(source.replace("half = len", "half = 1 // rng.below(3) + len"))
    with on_the_path(installed):
        said = say("batch", str(RECIPE), "--count", "30", "--as", "npz", "--out", "some", "--json", "--no-report")
        data = json.loads(said.out)
        (problem,) = data["without_a_level"]
        assert problem.startswith(f"the step 'mirror' of the package {PACKAGE} failed: ZeroDivisionError: ")
        assert re.search(r"\(steps\.py, line \d+\)$", problem)
        assert 0 < data["without_a_level"][problem] < 30
        said = say("search", str(RECIPE), "--take", "99", "--workers", "1", "--seeds", "0..30")
        assert said.code == 3
        assert re.search(
            rf"undercroft: seed \d+: the step 'mirror' of the package {re.escape(PACKAGE)} failed: ", said.err
        )
        assert "  fix: tell its authors" in said.err


def test_a_measure_that_fails_ends_one_seed_of_a_batch(say: Say, installed: Path) -> None:
    module = installed / "undercroft_mirror" / "measures.py"
    source = module.read_text()
    module.write_text(
        source.replace("walkable = facts.walkable", "walkable = facts.walkable\n    1 // int(walkable[3, 9])")
    )
    with on_the_path(installed):
        arguments = ("--count", "30", "--measures", "symmetry,loops", "--size", "20x10", "--json", "--no-report")
        data = json.loads(say("batch", "cave", *arguments, "--out", "some").out)
        (problem,) = data["without_a_level"]
        assert problem.startswith(f"the measure 'symmetry' of the package {PACKAGE} failed: ")
        assert 0 < data["without_a_level"][problem] < 30


@pytest.mark.long
@pytest.mark.processes
def test_pip_installs_it(tmp_path: Path) -> None:
    """As a user would, but without a network."""
    shutil.copytree(EXAMPLE, tmp_path / "plugin")
    site = tmp_path / "site"
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--target", str(site))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, str(tmp_path / "plugin")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with on_the_path(site):
        assert [*scan_packages().entries["step"]] == ["mirror"]
        assert uc.generate(RECIPE, seed=3).provenance["packages"] == {"mirror": PACKAGE}
