"""Parts that a program registers itself: used like ours, also by its worker processes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import undercroft as uc
from support.plugins import forget_packages, install_example, on_the_path
from undercroft.analysis.measures.table import Measure
from undercroft.bulk.measure.measure_recipe import Measuring
from undercroft.core.draft import Draft
from undercroft.draw.styles.table import Style
from undercroft.errors import BadInput
from undercroft.formats.table import Format
from undercroft.steps import STEPS


@dataclass(frozen=True, kw_only=True)
class Hollow:
    """Make everything floor but for the rim."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: uc.Rng, run: uc.Run) -> None:
        draft.tiles[1:-1, 1:-1] = draft.palette.role("floor")


ROWS = Measure("rows", "rows of the map", lambda facts: facts.given.height, "count")
TALL = Format("tall", (".tall",), "the number of rows", lambda level: b"%d" % level.height, None)
HOLLOW = '[[step]]\nuse = "hollow"\n'


@pytest.fixture(autouse=True)
def nothing_registered() -> Iterator[None]:
    forget_packages()
    yield
    forget_packages()


def hollow() -> uc.Recipe:
    return uc.Recipe.parse(HOLLOW, "hollow.toml")


def test_a_registered_part_is_used_like_ours(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="unknown step 'hollow'"):
        hollow()
    assert uc.register(Hollow) is Hollow
    uc.register(ROWS)
    uc.register(TALL)
    level = hollow().generate(seed=1, size=(5, 4), until="rows == 4").level
    assert str(level) == "#####\n#...#\n#...#\n#####"
    assert uc.measure(level, "rows") == {"rows": 4}
    assert uc.measure(level)["rows"] == 4
    level.save(tmp_path / "a.tall")
    assert (tmp_path / "a.tall").read_bytes() == b"4"
    assert level.provenance["packages"] == {"hollow": Hollow.__module__}
    uc.unregister(Hollow)
    with pytest.raises(BadInput, match="unknown step 'hollow'"):
        hollow()
    with pytest.raises(BadInput, match="this step is not registered"):
        uc.unregister(Hollow)


def test_registering_again_replaces_what_comes_from_the_same_place() -> None:
    uc.register(ROWS)
    uc.register(ROWS)
    uc.register(ROWS._replace(of=lambda facts: 7))
    assert uc.measure(uc.Level.parse("#"), "rows") == {"rows": 7}


def test_a_name_that_is_taken_is_refused_with_both_who_have_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        uc.register(ROWS._replace(name="loops"))
    assert caught.value.problem == f"the measure 'loops' is given by Undercroft itself and by the module {__name__}"
    uc.register(ROWS)

    def other(facts: Any) -> int:
        return 1

    other.__module__ = "somewhere.else"
    with pytest.raises(
        BadInput, match=f"the measure 'rows' is given by the module {__name__} and by the module somewhere"
    ):
        uc.register(ROWS._replace(of=other))
    install_example(tmp_path)
    with on_the_path(tmp_path), pytest.raises(BadInput) as caught:
        uc.register(ROWS._replace(name="symmetry", kind="share"))
    assert caught.value.problem.startswith(
        "the measure 'symmetry' is given by the package undercroft-mirror 0.1.0 and by the module "
    )


def test_a_package_may_register_what_it_names_by_an_entry_point(tmp_path: Path) -> None:
    install_example(tmp_path)
    with on_the_path(tmp_path):
        mirror = STEPS["mirror"]
        assert uc.register(mirror) is mirror


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        (3, "a step, a measure, a format or a style can be registered, not int"),
        ("hollow", "a step, a measure, a format or a style can be registered, not str"),
        (int, "this step cannot be registered: a step is a class, a frozen dataclass"),
        (ROWS._replace(name="and"), "cannot be registered: 'and' is a word of requirements"),
        (ROWS._replace(name="Rows"), "'Rows' has not the form of our names"),
        (ROWS._replace(name="rows per door"), "has not the form of our names"),
        (ROWS._replace(about=""), "about of rows is a text on one line, not ''"),
        (ROWS._replace(of=None), "of of rows is a function, not None"),  # type: ignore[arg-type]
        (ROWS._replace(kind="many"), "the kind of rows is one of count, flag, share"),  # type: ignore[arg-type]
        (TALL._replace(suffixes=(".png",)), "takes the suffix .png, which is that of our format 'png'"),
        (TALL._replace(name="tall:"), "'tall:' has not the form of our names"),
        (Style("odd", "odd", ()), "odd has no render_scene"),
    ],
)
def test_what_is_not_as_it_should_be_is_refused(part: Any, problem: str) -> None:
    with pytest.raises(BadInput) as caught:
        uc.register(part)
    assert problem in caught.value.problem
    assert caught.value.fix


PARTS = '''
from dataclasses import dataclass
from typing import ClassVar
from undercroft.analysis.measures.table import Measure
from undercroft.formats.table import Format

@dataclass(frozen=True, kw_only=True)
class Hollow:
    """Make everything floor but for the rim."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft, rng, run):
        draft.tiles[1:-1, 1 : 2 + rng.below(draft.width - 2)] = draft.palette.role("floor")

def count_rows(facts):
    return facts.given.height

def write_rows(level):
    return b"%d" % level.height

ROWS = Measure("rows", "rows of the map", count_rows, "count")
TALL = Format("tall", (".tall",), "the number of rows", write_rows, None)
'''
PROGRAM = """
import sys
import undercroft as uc
{parts}
for part in (Hollow, ROWS, TALL):
    uc.register(part)
recipe = uc.Recipe.parse('size = [9, 5]\\n[[step]]\\nuse = "hollow"\\n', "hollow.toml")
workers = int(sys.argv[1])
memory = {{"memory": None}} if workers == 1 else {{}}
made = uc.batch(recipe, 12, "hollows", measures=["rows", "density"], as_="npz", chunk=3, workers=workers, **memory)
print(made.levels, made.problems)
print(uc.batch(recipe, 3, "talls", as_="tall", workers=workers, **memory).levels)
found = uc.search(recipe, range(3000), until=["rows == 5", "density >= 0.2"], take=5, workers=workers)
print([(hit.seed, hit.measures) for hit in found])
"""


def run_program(folder: Path, parts: str, workers: int) -> subprocess.CompletedProcess[str]:
    (folder / "program.py").write_text(PROGRAM.format(parts=parts))
    return subprocess.run(
        [sys.executable, "program.py", str(workers)], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.processes
@pytest.mark.parametrize("workers", [1, 2])
def test_worker_processes_import_what_the_program_registered(tmp_path: Path, workers: int) -> None:
    (tmp_path / "hollow_parts.py").write_text(PARTS)
    done = run_program(tmp_path, "from hollow_parts import Hollow, ROWS, TALL", workers)
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert (first, second) == ("12 {}", "3")
    assert third.count("'rows': 5") == 5
    assert (tmp_path / "talls" / "0.tall").read_bytes() == b"5"


@pytest.mark.processes
def test_what_only_the_program_itself_has_is_used_in_its_process_or_refused(tmp_path: Path) -> None:
    alone = run_program(tmp_path, PARTS, 1)
    assert alone.returncode == 0, alone.stderr
    assert alone.stdout.startswith("12 {}")
    together = run_program(tmp_path, PARTS, 2)
    assert together.returncode == 1
    assert (
        "BadInput: the step 'hollow' of the module __main__ cannot be imported by worker processes" in together.stderr
    )
    assert "workers=1, memory=None" in together.stderr


def test_a_cluster_has_only_what_is_installed_there(tmp_path: Path) -> None:
    uc.register(Hollow)
    with pytest.raises(BadInput, match="is registered by this program, and the workers of a cluster do not have it"):
        uc.batch(hollow(), 3, tmp_path / "out", as_="npz", dask="tcp://127.0.0.1:1")


def start_batch(folder: Path, **options: Any) -> object:
    return uc.batch("cave", 2, folder, as_="npz", **options)


def start_search(folder: Path, measures: Sequence[str] = (), **options: Any) -> object:
    return list(uc.search("cave", range(3), until=[f"{name} == 1" for name in measures], **options))


def start_measuring(folder: Path, measures: Sequence[str] = ("loops",), **options: Any) -> object:
    return list(Measuring("cave", range(3), measures, **options))


@pytest.mark.processes
@pytest.mark.parametrize("start", [start_batch, start_search, start_measuring])
def test_parts_that_are_not_used_are_not_asked_for(tmp_path: Path, start: Callable[..., object]) -> None:
    """A part that only the program has does not keep other work from workers."""

    def local(facts: Any) -> int:
        return 1

    uc.register(ROWS._replace(name="local", of=local))
    assert start(tmp_path / "first", size=(20, 10), workers=2)
    with pytest.raises(BadInput, match=r"the measure 'local' of the module .* cannot be imported by worker processes"):
        start(tmp_path / "second", measures=["local"], size=(20, 10), workers=2)
    assert start(tmp_path / "third", measures=["local"], size=(20, 10), workers=1, memory=None)
