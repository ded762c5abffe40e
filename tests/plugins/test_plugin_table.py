"""Parts of other packages: found late, checked as ours are, and reported with their package if something is wrong."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
from support.paths import ROOT
from support.plugins import on_the_path, write_metadata, write_package
from undercroft import formats
from undercroft.analysis.measures.table import MEASURES
from undercroft.draw.styles.table import STYLES, render_picture
from undercroft.errors import BadInput, NotMet, PluginTrouble
from undercroft.formats.table import FORMATS
from undercroft.plugins.entry_points import scan_packages
from undercroft.registration import part_tables
from undercroft.steps import STEPS
from undercroft.steps.step import ALL_BUT_TILES

STEP = '''
from dataclasses import dataclass
from typing import ClassVar
from undercroft import NotMet

@dataclass(frozen=True, kw_only=True)
class {name}:
    """Does something."""

    times: int = 1
    edition: ClassVar[int] = 4
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft, rng, run):
        {body}
'''
MEASURE = """
from undercroft.analysis.measures.table import Measure
ODD = Measure("odd", "something odd", lambda facts: {value}, "{kind}")
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A folder of installed packages."""
    folder = tmp_path / "site"
    folder.mkdir()
    with on_the_path(folder):
        yield folder


def add_step(site: Path, body: str, *, package: str = "oddities", name: str = "Oddity", step: str = "oddity") -> None:
    module = f"{package.replace('-', '_')}_steps"
    write_package(
        site,
        package,
        "2.5",
        {"step": {step: f"{module}:{name}"}},
        {module: STEP.format(name=name, body=body)},
    )
    scan_packages.cache_clear()


def add_measure(site: Path, value: str, kind: str = "number") -> None:
    write_package(
        site,
        "numbers",
        "0.3",
        {"measure": {"odd": "odd_numbers:ODD"}},
        {"odd_numbers": MEASURE.format(value=value, kind=kind)},
    )
    scan_packages.cache_clear()


def recipe(*lines: str) -> uc.Recipe:
    return uc.Recipe.parse("\n".join(('[[step]]\nuse = "oddity"', *lines)), "odd.toml")


# --- when packages are looked at


def test_a_small_generate_looks_at_no_package(tmp_path: Path) -> None:
    """Reading the metadata of packages takes as long as many levels."""
    code = (
        "import sys\nfrom undercroft.cli import run\n"
        "run(['generate', 'cave', '--seed', '1', '--size', '20x10', '-o', 'a.json', '-o', 'a.txt', '--quiet'])\n"
        "run(['generate', 'bsp', '--seed', '1', '--size', '30x20', '--format', 'text', '--until', 'rooms > 1'])\n"
        "assert 'importlib.metadata' not in sys.modules\n"
        "import undercroft as uc\nuc.load('a.json')\n"
        "assert 'importlib.metadata' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_our_own_rows_come_first_and_need_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("undercroft.plugins.entry_points.scan_packages", lambda: pytest.fail("it looks at packages"))
    assert next(iter(STYLES)) == "dark"
    assert "noise" in STEPS
    assert STEPS.provider("noise") is None
    assert MEASURES["loops"].name == "loops"
    assert formats.resolve_suffix("cave.json").name == "json"
    assert formats.resolve_suffix("cave.fvtt.json").name == "foundry"


def test_an_unknown_name_is_looked_up_and_suggested(site: Path) -> None:
    add_step(site, "draft.tiles[:] = 1")
    with pytest.raises(BadInput, match="unknown step 'oddty'") as caught:
        uc.Recipe.parse('[[step]]\nuse = "oddty"', "odd.toml")
    assert caught.value.fix == "did you mean 'oddity'?"
    assert recipe().generate(seed=1, size=(6, 4)).level.provenance["editions"] == {"oddity": 4}


def test_a_recipe_imports_only_what_is_named_by_entry_points(site: Path) -> None:
    (site / "trap.py").write_text("raise SystemExit('imported')")
    write_package(site, "bystander", "1", {"measure": {"other": "trap:X"}}, {})
    scan_packages.cache_clear()
    for use in ("trap", "trap:X", "os", "os.path", "undercroft.steps.start.fill", "bystander", "other"):
        with pytest.raises(BadInput, match="unknown step"):
            uc.Recipe.parse(f'[[step]]\nuse = "{use}"', "odd.toml")
    assert "trap" not in sys.modules


# --- what is wrong is said, and breaks nothing else


def test_a_package_that_cannot_be_imported_is_reported_and_breaks_nothing_else(site: Path) -> None:
    write_package(
        site, "broken", "0.9", {"step": {"oddity": "broken:Oddity"}}, {"broken": "import nowhere_to_be_found"}
    )
    write_package(site, "quits", "1.0", {"step": {"quitter": "quits:Q"}}, {"quits": "import sys; sys.exit(7)"})
    write_package(site, "gone", "1.1", {"step": {"vanished": "gone:Missing"}}, {"gone": ""})
    add_step(site, "pass", package="fine", name="Fine", step="fine")
    for name, reason in (
        ("oddity", r"the step 'oddity' of the package broken 0\.9 cannot be loaded: ModuleNotFoundError: .*nowhere"),
        ("quitter", r"the step 'quitter' of the package quits 1\.0 cannot be loaded: SystemExit: 7"),
        ("vanished", r"the step 'vanished' of the package gone 1\.1 cannot be loaded: AttributeError: .*Missing"),
    ):
        with pytest.raises(PluginTrouble, match=reason):
            uc.Recipe.parse(f'[[step]]\nuse = "{name}"', "odd.toml")
        assert any(f"'{name}'" in problem for problem in STEPS.problems())
    assert list(STEPS)[-1] == "fine"
    assert len(STEPS) == len(STEPS.own) + 1
    assert "oddity" not in [*STEPS]


def test_a_part_that_cannot_be_used_has_its_place_in_the_recipe(site: Path) -> None:
    write_package(site, "broken", "0.9", {"step": {"oddity": "broken:X"}, "measure": {"odd": "even:X"}}, {"broken": ""})
    (site / "even.py").write_text("X = 3")
    scan_packages.cache_clear()
    for _ in range(2):
        with pytest.raises(PluginTrouble) as caught:
            recipe()
        assert str(caught.value.place) == "odd.toml:2:7"
        with pytest.raises(PluginTrouble) as caught:
            uc.Recipe.parse('[[step]]\nuse = "noise"\n[require]\nodd = "> 3"', "odd.toml")
        assert str(caught.value.place) == "odd.toml:4:1"
        assert caught.value.problem == (
            "the measure 'odd' of the package broken 0.9 cannot be used: a measure is a Measure, not int"
        )


def test_two_packages_with_the_same_name(site: Path) -> None:
    add_step(site, "pass", package="first-package")
    add_step(site, "pass", package="second-package")
    with pytest.raises(PluginTrouble) as caught:
        recipe()
    assert caught.value.problem == (
        "the step 'oddity' is given by the package first-package 2.5 and the package second-package 2.5"
    )
    assert caught.value.fix == "uninstall all but one of them"
    assert STEPS.problems() == [caught.value.problem]
    assert "oddity" not in [*STEPS]


def test_a_name_of_ours_stays_ours(site: Path) -> None:
    add_step(site, "1 / 0", name="Noise", step="noise")
    assert uc.generate("cave", seed=1, size=(20, 10)) == uc.generate("cave", seed=1, size=(20, 10))
    assert STEPS.problems() == [
        "the step 'noise' of the package oddities 2.5 is not used: Undercroft has one of that name"
    ]
    assert len(STEPS) == len(STEPS.own)


def test_the_same_package_twice_on_the_path_is_one(site: Path, tmp_path: Path) -> None:
    add_step(site, "pass")
    other = tmp_path / "other"
    other.mkdir()
    write_metadata(other, "Oddities", "1.0", {"undercroft.steps": {"oddity": "nothing:X"}})
    sys.path.append(str(other))
    try:
        scan_packages.cache_clear()
        assert recipe().packages == {"oddity": "oddities 2.5"}
    finally:
        sys.path.remove(str(other))


def test_damaged_metadata_hides_no_other_package(site: Path) -> None:
    add_step(site, "pass")
    write_metadata(site, "ruined", "1", {"undercroft.steps": {}})
    (site / "ruined-1.dist-info" / "entry_points.txt").write_text("[undercroft.steps]\nno sign here\n")
    scan_packages.cache_clear()
    assert recipe().packages == {"oddity": "oddities 2.5"}
    assert len(scan_packages().problems) <= 1


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("frozen=True, ", "", "is not frozen"),
        ('"""Does something."""', "pass", "has no docstring"),
        ("times: int = 1", "times: int", "the parameter times of Oddity has no default"),
        ("times: int = 1", "times: 'Nothing' = 1", "NameError"),
        ("edition: ClassVar[int] = 4", "", "edition of the step Oddity is of the type int"),
        ("edition: ClassVar[int] = 4", "edition: ClassVar[int] = 0", "a whole number from 1, not 0"),
        ('("tiles",)', '("walls",)', "gives of the step Oddity is a tuple of tiles"),
        ("def apply", "def apply_it", "apply of Oddity is a function"),
        ("@dataclass(frozen=True, kw_only=True)", "", "a step is a class, a frozen dataclass"),
        ("class Oddity", "class Other", "cannot be loaded: AttributeError"),
    ],
)
def test_a_step_that_is_not_as_ours_are(site: Path, old: str, new: str, reason: str) -> None:
    source = STEP.format(name="Oddity", body="pass")
    assert old in source
    write_package(site, "oddities", "2.5", {"step": {"oddity": "odd:Oddity"}}, {"odd": source.replace(old, new)})
    scan_packages.cache_clear()
    with pytest.raises(PluginTrouble, match=r"the step 'oddity' of the package oddities 2\.5") as caught:
        recipe()
    assert reason in caught.value.problem


@pytest.mark.parametrize("name", ["Oddity", "odd_ity", "odd ity", "1odd", "odd--ity", "o" * 41, "begin", "ödd"])
def test_the_form_of_names(site: Path, name: str) -> None:
    kind = "".join(part.capitalize() for part in name.split("-"))
    source = STEP.format(name="Oddity", body="pass") + f"\nOddity.__name__ = {kind!r}\n"
    write_package(site, "oddities", "2.5", {"step": {name: "odd:Oddity"}}, {"odd": source})
    scan_packages.cache_clear()
    assert [problem for problem in STEPS.problems() if "cannot be used" in problem]
    assert len(STEPS) == len(STEPS.own)


# --- failures while they run


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("1 / 0", r"failed: ZeroDivisionError: division by zero \(oddities_steps\.py, line 17\)"),
        ("raise KeyError('x' * 999)", r"failed: KeyError: 'x+…"),
        ("draft.tiles[99, 99] = 1", "failed: IndexError"),
        ("draft.tiles = draft.tiles.astype('int64')", "it leaves an array of int64"),
        ("draft.tiles = [[1]]", "it leaves a list for tiles"),
        ("draft.tiles[0, 0] = 200", "it writes the code 200, and the palette has"),
        ("draft.start = (99, 1)", r"no level: the start \(99, 1\) is outside the level"),
        ("draft.regions = 'all'", "no level: regions are Regions, not 'all'"),
        ("draft.doors = [1]", "no level: doors are the rows that a level or a survey has"),
        ("draft.path = [(1, 1)]", "no level: a path is an array"),
        ("draft.path = __import__('numpy').array([(1, 1), (8, 1)], 'int32')", r"the path leaves the level at \(8, 1\)"),
        ("draft.title = 5", "no level: title is a text, not 5"),
        ("draft.things = ['chest']", r"no level: a thing is Thing\(kind, x, y, data\), not 'chest'"),
        ("raise SystemExit(0)", "failed: SystemExit: 0"),
        ("draft.layers['heat'] = draft.tiles[1:]", "for the layer 'heat'"),
    ],
)
def test_a_step_that_fails_is_named_with_its_package(site: Path, body: str, reason: str) -> None:
    add_step(site, body)
    with pytest.raises(PluginTrouble, match=reason) as caught:
        recipe().generate(seed=1, size=(8, 6))
    assert caught.value.problem.startswith("the step 'oddity' of the package oddities 2.5 failed: ")
    assert caught.value.exit_code == 3
    assert isinstance(caught.value.__cause__, (Exception, SystemExit))


def test_facts_that_a_foreign_step_spoils_may_be_left_as_they_are(site: Path) -> None:
    add_step(site, "draft.tiles = draft.tiles[1:]")
    module = site / "oddities_steps.py"
    source = module.read_text()
    module.write_text(source.replace("...]] = ()\n\n    def", f"...]] = {ALL_BUT_TILES}\n\n    def"))
    text = '[[step]]\nuse = "noise"\nwall = 0.2\n[[step]]\nuse = "survey"\n[[step]]\nuse = "oddity"'
    level = uc.Recipe.parse(text, "odd.toml").generate(seed=1, size=(8, 6)).level
    assert level.tiles.shape == (5, 8)


def test_our_own_errors_of_a_foreign_step_stay_what_they_are(site: Path) -> None:
    add_step(site, "raise NotMet('no room', rejected={'no room': 1})")
    with pytest.raises(NotMet, match="no level of 100 tries could be made"):
        recipe().generate(seed=1, size=(8, 6))


def test_tiles_that_are_a_view_are_copied(site: Path) -> None:
    add_step(site, "draft.tiles = draft.tiles[::-1, ::-1]")
    level = recipe('[[step]]\nuse = "survey"').generate(seed=1, size=(8, 6)).level
    assert level.size == (8, 6)
    assert level.tiles.flags.c_contiguous


def test_values_of_a_foreign_step_are_checked_as_ours_are(site: Path) -> None:
    add_step(site, "draft.tiles[:] = self.times")
    with pytest.raises(BadInput, match=r"odd.toml:3:9: times of oddity is a whole number, not \"x\""):
        recipe('times = "x"')
    with pytest.raises(BadInput, match="unknown parameter of oddity 'tims'"):
        recipe("tims = 3")
    assert (recipe("times = 2").generate(seed=1, size=(4, 3)).level.tiles == 2).all()


@pytest.mark.parametrize(
    ("value", "kind", "result"),
    [
        ("facts.given.width", "count", 3),
        ("3.0", "count", 3),
        ("__import__('numpy').float64(1) / 3", "share", 0.333333),
        ("True", "flag", 1),
        ("None", "share", None),
        ("-2.5", "number", -2.5),
    ],
)
def test_numbers_of_a_foreign_measure(site: Path, value: str, kind: str, result: float | None) -> None:
    add_measure(site, value, kind)
    found = uc.measure(uc.Level.parse("#.#"), "odd")["odd"]
    assert (found, type(found)) == (result, type(result))
    assert uc.measure(uc.Level.parse("#.#"))["odd"] == result


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("1.5", "count"),
        ("-1", "count"),
        ("2", "flag"),
        ("1.01", "share"),
        ("-0.1", "amount"),
        ("float('nan')", "number"),
        ("float('inf')", "amount"),
        ("'many'", "number"),
        ("[1]", "number"),
        ("1 / 0", "number"),
        ("2**63", "count"),
    ],
)
def test_a_foreign_measure_that_fails_does_not_break_the_others(site: Path, value: str, kind: str) -> None:
    add_measure(site, value, kind)
    level = uc.Level.parse("#.#")
    with pytest.raises(PluginTrouble, match=r"the measure 'odd' of the package numbers 0\.3 failed: "):
        uc.measure(level, "odd")
    assert uc.measure(level).keys() == MEASURES.own.keys()
    with pytest.raises(PluginTrouble, match="the measure 'odd'"):
        uc.generate("cave", seed=1, size=(20, 10), until="odd >= 0")


def test_requirements_know_the_kind_of_a_foreign_measure(site: Path) -> None:
    add_measure(site, "0.5", "share")
    with pytest.raises(BadInput, match="no level can be so: odd is a number from 0 to 1"):
        uc.generate("cave", seed=1, until="odd > 1")
    assert uc.generate("cave", seed=1, size=(20, 10), until="odd == 0.5").size == (20, 10)


FORMAT = """
from undercroft import Level
from undercroft.formats.table import Format
ODD = Format("odd", {suffixes}, "something odd", {dump}, {load}{more})
"""


def add_format(
    site: Path,
    package: str,
    *,
    suffixes: str = '(".odd",)',
    dump: str = "None",
    load: str = "None",
    more: str = "",
    name: str = "odd",
) -> None:
    module = package.replace("-", "_")
    source = FORMAT.format(suffixes=suffixes, dump=dump, load=load, more=more).replace('"odd"', f'"{name}"')
    write_package(site, package, "1.0", {"format": {name: f"{module}:ODD"}}, {module: source})
    scan_packages.cache_clear()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"suffixes": '(".json",)', "dump": "bytes"}, "takes the suffix .json, which is that of our format 'json'"),
        ({"suffixes": '("odd",)', "dump": "bytes"}, "a suffix is written like .map, not 'odd'"),
        ({"suffixes": '".odd"', "dump": "bytes"}, "suffixes of odd is a tuple of texts"),
        ({}, "odd has neither dump nor load"),
        ({"dump": "3"}, "dump of odd is a function"),
        ({"suffixes": "()", "dump": "bytes"}, "has no suffix"),
        ({"dump": "bytes", "more": ', keeps=("walls",)'}, "keeps of odd has only tiles"),
        ({"dump": "bytes", "more": ", limit=10"}, "limit of odd is a Limit"),
    ],
)
def test_a_format_that_is_not_as_ours_are(site: Path, fields: dict[str, str], reason: str) -> None:
    add_format(site, "odd-files", **fields)
    with pytest.raises(PluginTrouble, match="the format 'odd' of the package odd-files") as caught:
        formats.resolve_format("odd")
    assert reason in caught.value.problem
    assert len(FORMATS) == len(FORMATS.own)


def test_two_formats_with_the_same_suffix(site: Path) -> None:
    add_format(site, "odd-files", dump="lambda level: b'x'")
    add_format(site, "even-files", dump="lambda level: b'y'", name="even")
    with pytest.raises(
        BadInput, match=r"several formats have the suffix \.odd: 'even' of the package even-files 1\.0 and 'odd'"
    ):
        formats.resolve_suffix("a.odd")
    assert formats.dump(uc.Level.parse("#"), "even") == b"y"


def test_a_format_that_fails_is_named_with_its_package(site: Path) -> None:
    add_format(site, "odd-files", dump="lambda level: 'text'", load="lambda data, file: data.nothing")
    level = uc.Level.parse("#")
    with pytest.raises(
        PluginTrouble, match=r"the format 'odd' of the package odd-files 1\.0 failed: .*dump returns str, not bytes"
    ):
        formats.dump(level, "odd")
    with pytest.raises(PluginTrouble, match="failed: AttributeError"):
        formats.loads(b"", "odd")
    with pytest.raises(BadInput, match="unknown option of the format 'odd'"):
        formats.dump(level, "odd", colour=1)
    assert formats.FORMATS["odd"].writer == "odd-files"


def test_a_second_suffix_and_keys_of_a_foreign_format(site: Path) -> None:
    load = "lambda data, file: Level.parse('#..#')"
    add_format(site, "odd-files", suffixes='(".odd.json",)', load=load, more=', keys=("oddity",)')
    (site / "a.odd.json").write_text("{}")
    (site / "b.json").write_text('{"oddity": 1}')
    assert str(uc.load(site / "a.odd.json")) == str(uc.load(site / "b.json")) == "#..#"
    assert formats.resolve_suffix("c.v2.json").name == "json"


STYLE = """
from PIL import Image
from undercroft.draw.styles.table import Style
from undercroft.draw.scene.scene import Scene
ODD = Style("odd", "something odd", {shown}, {more})
"""


def add_style(site: Path, shown: str, more: str) -> None:
    source = STYLE.format(shown=shown, more=more)
    write_package(site, "oddly", "1.0", {"style": {"odd": "oddly:ODD"}}, {"oddly": source})
    scan_packages.cache_clear()


@pytest.mark.parametrize(
    ("shown", "more", "reason"),
    [
        ('("walls",)', "render_scene=print", "shown of odd has only grid"),
        ("()", "", "odd has no render_scene"),
        ("()", "vector=False, render_scene=print", "odd has no render_picture"),
        ('("path",)', 'lacks=("path",), render_scene=print', "odd shows 'path', and lacks it"),
        ("()", "render_scene=3", "a renderer of odd is a function"),
    ],
)
def test_a_style_that_is_not_as_ours_are(site: Path, shown: str, more: str, reason: str) -> None:
    add_style(site, shown, more)
    with pytest.raises(PluginTrouble, match="the style 'odd' of the package oddly") as caught:
        render_picture(uc.Level.parse("#"), "odd")
    assert reason in caught.value.problem


def test_a_style_of_pixels(site: Path) -> None:
    add_style(
        site,
        "()",
        "vector=False, render_picture=lambda level, cell, *_: Image.new('RGB', (cell * level.width, cell), 'red')",
    )
    image = render_picture(uc.Level.parse("#.#"), "odd", cell=4)
    assert image.size == (12, 4)
    assert np.asarray(image)[0, 0].tolist() == [255, 0, 0]
    with pytest.raises(BadInput, match="the style 'odd' is made of pixels and has no vector form"):
        formats.dump(uc.Level.parse("#"), "svg", style="odd")


def test_a_style_that_fails_is_named_with_its_package(site: Path) -> None:
    add_style(site, "()", "render_scene=lambda level, shown, margin: None")
    with pytest.raises(
        PluginTrouble, match=r"the style 'odd' of the package oddly 1\.0 failed: .*returns NoneType, not Scene"
    ):
        render_picture(uc.Level.parse("#"), "odd")


def test_every_kind_has_a_table_and_a_group() -> None:
    assert [table.kind for table in part_tables()] == [*scan_packages().entries]
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    for table in part_tables():
        assert f"`undercroft.{table.kind}s`" in page
