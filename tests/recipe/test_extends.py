"""Recipes that build on another: what they take over, what they change, and their mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request

FLOODED = """\
extends = "bsp"
about = "Halls under water"
size = [48, 14]

[param.fill]
default = 0.9

[param.wet]
default = 0.3

[change.hallways]
way = "path"

[[step]]
use = "lakes"
share = "$wet"
before = "ends"

[require]
rooms = ">= 3"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(**texts: str) -> None:
    for name, text in texts.items():
        path = Path(f"{name.replace('__', '/')}.toml")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


@pytest.mark.parametrize("name", names())
def test_a_recipe_that_changes_nothing_makes_the_same(name: str) -> None:
    own, base = Recipe.parse(f'extends = "{name}"\n', "own.toml"), Recipe.load(name)
    assert [plan.id for plan in own.plans] == [plan.id for plan in base.plans]
    assert (own.about, own.tags, own.size, own.require) == (base.about, base.tags, base.size, base.require)
    assert dict(own.params) == dict(base.params)
    assert own.editions == base.editions
    level, other = own.generate(seed=7).level, base.generate(seed=7).level
    assert level.provenance == {
        **other.provenance,
        "recipe": "own",
        "extends": {f"{name}.toml": level.provenance["extends"][f"{name}.toml"]},
    }
    assert (level.tiles == other.tiles).all()
    assert level.things == other.things


def test_what_it_has_of_its_own() -> None:
    own, base = Recipe.parse(FLOODED, "flooded.toml"), Recipe.load("bsp")
    assert own.base is base
    assert (own.about, own.size, own.tags) == ("Halls under water", (48, 14), base.tags)
    assert [plan.id for plan in own.plans] == [
        "fill",
        "split",
        "chambers",
        "siblings",
        "hallways",
        "lakes",
        "ends",
        "number",
    ]
    assert own.params["fill"] == base.params["fill"]._replace(default=0.9)
    assert own.params["wet"].default == 0.3
    assert "way" in base.params
    assert "way" not in own.params, "no step takes it any more"
    assert [requirement.text for requirement in own.require] == ["components == 1", "rooms >= 3"]
    assert own.find_own_place("param", "wet", "default") == ("flooded.toml", 9, 1, "default = 0.3")
    assert own.find_own_place("param", "margin", "default") is None
    level = own.generate(seed=3).level
    assert level.size == (48, 14)
    assert "~" in str(level)


def test_steps_before_others_draw_as_they_would_anywhere() -> None:
    text = 'extends = "walk"\n[[step]]\nuse = "noise"\n{}[[step]]\nuse = "noise"\n'
    ids = [[plan.id for plan in Recipe.parse(text.format(line), "a.toml").plans] for line in ("", 'before = "walk"\n')]
    base = [plan.id for plan in Recipe.load("walk").plans]
    assert ids[0] == [*base, "noise", "noise#2"]
    assert sorted(ids[1]) == sorted(ids[0])
    assert ids[1].index("noise") == ids[1].index("walk") - 1


def test_own_steps_never_take_the_id_of_a_step_of_the_base() -> None:
    base = '[[step]]\nuse = "noise"\nid = "fill"\n[[step]]\nuse = "automaton"\n[[step]]\nuse = "automaton"\n'
    Recipe.parse(base, "base.toml")
    own = 'extends = "base.toml"\n[[step]]\nuse = "automaton"\nbefore = "automaton"\n'
    assert build_chain(base, own) == ["fill", "automaton#3", "automaton", "automaton#2"]


def build_chain(*texts: str) -> list[str]:
    """The ids of the steps of the last of some recipes, where each extends the one before."""
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        for name, text in zip(("base", "own"), texts, strict=True):
            Path(place, f"{name}.toml").write_text(text)
        return [plan.id for plan in Recipe.load(Path(place, "own.toml")).plans]


@pytest.mark.usefixtures("folder")
def test_a_chain_of_files() -> None:
    write(
        one='extends = "walk"\n[param.floor]\ndefault = 0.5\n',
        two='extends = "one.toml"\n[[step]]\nuse = "lakes"\nbefore = "ends"\n[change.ends]\nid_ = 1\n',
    )
    with pytest.raises(BadInput, match="unknown parameter of ends 'id_'"):
        Recipe.load("two.toml")
    write(
        two='extends = "one.toml"\n[[step]]\nuse = "lakes"\n',
        three='extends = "two.toml"\n[change.lakes]\nshare = 0.4\n',
    )
    recipe = Recipe.load("three.toml")
    assert recipe.plans[-1].values["share"] == 0.4
    assert recipe.params["floor"].default == 0.5
    assert list(recipe.generate(seed=1).level.provenance["extends"]) == ["two.toml", "one.toml", "walk.toml"]


@pytest.mark.usefixtures("folder")
def test_bases_with_the_same_name_are_told_apart() -> None:
    for folder in ("sub/x", "sub"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    Path("sub/x/keep.toml").write_text('extends = "bsp"\n')
    Path("sub/keep.toml").write_text('extends = "x/keep.toml"\n[change.split]\ndepth = 1\n')
    Path("keep.toml").write_text('extends = "sub/keep.toml"\nsize = [40, 14]\n')
    before = Recipe.load("keep.toml").generate(seed=1).level.provenance["extends"]
    assert list(before) == ["sub/keep.toml", "sub/x/keep.toml", "bsp.toml"]
    Path("sub/keep.toml").write_text('extends = "x/keep.toml"\n[change.split]\ndepth = 3\n')
    assert Recipe.load("keep.toml").generate(seed=1).level.provenance["extends"] != before


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("value", ['"x"', "true", "[1]", "2.5"])
def test_a_default_of_another_type_is_refused_where_it_stands(value: str) -> None:
    write(own=f'extends = "bsp"\n[param.depth]\ndefault = {value}\n')
    with pytest.raises(BadInput, match="depth is a whole number, not ") as caught:
        Recipe.load("own.toml")
    assert (str(caught.value.place), "in bsp it is 0" in caught.value.fix) == ("own.toml:3:11", True)
    write(own='extends = "bsp"\n[param.layouts]\ndefault = [5]\n')
    with pytest.raises(BadInput, match="layouts is "):
        Recipe.load("own.toml")
    write(own='extends = "bsp"\n[param.fill]\ndefault = 1\n[param.layouts]\ndefault = []\n')
    assert Recipe.load("own.toml").generate(seed=1).level.size == (80, 40)


@pytest.mark.usefixtures("folder")
def test_files_lie_beside_the_recipe_that_names_them() -> None:
    write(
        stone__base='[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nid = "first"\nfile = "a.rules"\n'
        '[[step]]\nuse = "rewrite"\nid = "second"\nfile = "a.rules"\n',
        own='extends = "stone/base.toml"\n[change.second]\nfile = "a.rules"\n',
    )
    Path("stone/a.rules").write_text("one  # -> +, once\n")
    Path("a.rules").write_text("one  # -> ~, once\n")
    level = uc.generate("own.toml", seed=1, size=(5, 5))
    assert sorted(str(level).replace("#", "").split()) == ["+", "~"]
    assert Recipe.load("own.toml").named_files() == ["stone/base.toml", "a.rules"]


@pytest.mark.usefixtures("folder")
def test_a_request_reaches_a_worker_and_notices_a_changed_base() -> None:
    write(base='[[step]]\nuse = "noise"\n', own='extends = "base.toml"\n')
    request = Request(Recipe.load("own.toml"), seed=1, size=(9, 9))
    data = request.data()
    assert Request.of(data).recipe.source[:2] == request.recipe.source[:2]
    write(base='[[step]]\nuse = "noise"\nwall = 0.7\n')
    with pytest.raises(BadInput, match="a file that own reads was changed"):
        Request.of(data)


@pytest.mark.usefixtures("folder")
def test_a_batch_can_be_opened_again() -> None:
    write(flooded=FLOODED)
    uc.batch("flooded.toml", 2, "out", as_="npz", workers=1)
    level = uc.generate("flooded.toml", seed=1)
    assert uc.open_batch("out").level(1) == level
    assert list(uc.open_batch("out"))[1].provenance == level.provenance


@pytest.mark.usefixtures("folder")
def test_a_text_without_a_folder_extends_named_recipes_only() -> None:
    write(base='[[step]]\nuse = "noise"\n')
    assert Recipe.parse('extends = "cave"\n', "x.toml").base
    with pytest.raises(BadInput, match=r"'base\.toml' cannot be read: this recipe is no file") as caught:
        Recipe.parse('extends = "base.toml"\n', "x.toml")
    assert caught.value.place == ("x.toml", 1, 11, 'extends = "base.toml"')


MISTAKES: list[tuple[str, tuple[int, int], str, str]] = [
    ("unknown recipe 'bps'", (1, 11), "did you mean 'bsp'?", 'extends = "bps"'),
    ("these recipes go round in a circle: own.toml extends own.toml", (1, 11), "none", 'extends = "own.toml"'),
    ("cannot read nope.toml: no such file", (1, 11), "check the name", 'extends = "nope.toml"'),
    ("'../x.toml' lies outside the folder", (1, 11), "beside the one", 'extends = "../x.toml"'),
    ("'extends' is a text, not 3", (1, 11), "quotes", "extends = 3"),
    ("unknown step of bsp 'splitt'", (2, 9), "did you mean 'split'?", 'extends = "bsp"\n[change.splitt]\ndepth = 3'),
    ("unknown parameter of split 'dept'", (3, 1), "'depth'", 'extends = "bsp"\n[change.split]\ndept = 3'),
    ("a change cannot give 'split' another step", (3, 1), "show bsp", 'extends = "bsp"\n[change.split]\nuse = "noise"'),
    ("a change cannot give 'split' another id", (3, 1), "show bsp", 'extends = "bsp"\n[change.split]\nid = "cut"'),
    ("depth of split is a whole number", (3, 9), "list steps", 'extends = "bsp"\n[change.split]\ndepth = "x"'),
    ("unknown parameter 'wet'", (3, 9), "one of", 'extends = "bsp"\n[change.split]\ndepth = "$wet"'),
    ("'split' is a table, not 3", (2, 16), "[change.split]", 'extends = "bsp"\nchange.split = 3'),
    ("'change' is a table, not 3", (2, 10), "[change]", 'extends = "bsp"\nchange = 3'),
    ("[change] changes steps of another recipe", (1, 2), "extends", '[change.fill]\n[[step]]\nuse = "fill"'),
    ("fill is a number from 0.7 to 1, not 0.6", (2, 8), "default", 'extends = "bsp"\n[param.fill]\nrange = [0.7, 1.0]'),
    ("unknown key 'rang'", (3, 1), "'range'", 'extends = "bsp"\n[param.fill]\nrang = [0.7, 1.0]'),
    ("range is [least, greatest]", (3, 9), "for example", 'extends = "bsp"\n[param.fill]\nrange = [0.7, 0.1]'),
    ("about is a text, not 5", (3, 9), "quotes", 'extends = "bsp"\n[param.fill]\nabout = 5'),
    ("no step uses the parameter 'nix'", (2, 8), '"$nix"', 'extends = "bsp"\n[param.nix]\ndefault = 1'),
    ("steps are written as [[step]] tables", (2, 1), "[[step]]", 'extends = "bsp"\nstep = 3'),
    ("param is a table, not 3", (2, 1), "[param]", 'extends = "bsp"\nparam = 3'),
    (
        "bsp has a step called 'ends' already",
        (4, 6),
        "[change.ends]",
        'extends = "bsp"\n[[step]]\nuse = "lakes"\nid = "ends"',
    ),
    ("unknown step of bsp 'end'", (4, 10), "'ends'", 'extends = "bsp"\n[[step]]\nuse = "lakes"\nbefore = "end"'),
    ("'before' is a text, not 3", (4, 10), "quotes", 'extends = "bsp"\n[[step]]\nuse = "lakes"\nbefore = 3'),
    ("'before' is for a recipe that extends", (3, 1), "order", '[[step]]\nuse = "fill"\nbefore = "end"'),
    ("'extends' is a key of the whole recipe", (3, 1), "above", '[[step]]\nuse = "fill"\nextends = "bsp"'),
    ("'size' is a key of the whole recipe", (3, 1), "above", '[[step]]\nuse = "fill"\nsize = [9, 9]'),
    ("'bsp' is a recipe, and no step", (2, 7), 'extends = "bsp"', '[[step]]\nuse = "bsp"'),
    ("'own.toml' is a recipe, and no step", (2, 7), 'extends = "own.toml"', '[[step]]\nuse = "own.toml"'),
    ("unknown key 'chnage'", (2, 2), "did you mean 'change'?", 'extends = "bsp"\n[chnage.split]\ndepth = 3'),
]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("problem", "place", "fix", "text"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes(problem: str, place: tuple[int, int], fix: str, text: str) -> None:
    write(own=text)
    with pytest.raises(UndercroftError) as caught:
        Recipe.load("own.toml")
    assert problem in caught.value.problem
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place[1:3]) == ("own.toml", place)
    assert fix in caught.value.fix


@pytest.mark.usefixtures("folder")
def test_a_circle_and_a_long_chain() -> None:
    write(a='extends = "b.toml"', b='extends = "c.toml"', c='extends = "a.toml"')
    with pytest.raises(BadInput, match=r"circle: a\.toml extends b\.toml extends c\.toml extends a\.toml"):
        Recipe.load("a.toml")
    write(c0='extends = "walk"', **{f"c{number}": f'extends = "c{number - 1}.toml"' for number in range(1, 10)})
    assert Recipe.load("c8.toml").plans == Recipe.load("walk").plans
    with pytest.raises(TooBig, match="the number of recipes that build on each other is 9; the limit is 8"):
        Recipe.load("c9.toml")


@pytest.mark.usefixtures("folder")
def test_a_mistake_in_the_base_is_shown_there() -> None:
    write(stone__base='\n[[step]]\nuse = "nois"', stone__own='extends = "base.toml"')
    with pytest.raises(BadInput, match="unknown step 'nois'") as caught:
        Recipe.load("stone/own.toml")
    assert caught.value.place is not None
    assert str(caught.value.place) == "stone/base.toml:3:7"


@pytest.mark.usefixtures("folder")
def test_mistakes_in_rules_have_their_place() -> None:
    rules = '[[step]]\nuse = "rewrite"\nrules = """\none  # -> .\nnone  # -> .\n"""\n'
    write(own=f'extends = "cave"\n{rules}')
    with pytest.raises(BadInput) as caught:
        Recipe.load("own.toml")
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.text) == ("own.toml", "none  # -> .")


def test_keys_are_replaced(folder: Path) -> None:
    base = 'begins = ["tiles"]\ntags = ["a"]\n[[step]]\nuse = "lakes"\n[require]\nrooms = ">= 2"\nloops = ">= 1"\n'
    Path(folder, "base.toml").write_text(base)
    text = 'extends = "base.toml"\ntags = ["b"]\n[require]\nrooms = ">= 0"\nlocks = 0\n'
    own: Any = Recipe.parse(text, "own.toml", folder)
    assert (own.begins, own.tags) == (("tiles",), ("b",))
    assert [requirement.text for requirement in own.require] == ["rooms >= 0", "loops >= 1", "locks == 0"]


@pytest.mark.usefixtures("folder")
def test_a_file_replaces_the_text_of_the_base_and_a_text_its_file() -> None:
    Path("rock.rules").write_text("all  . -> #")
    head = 'size = [4, 3]\n[[step]]\nuse = "fill"\nrole = "floor"\n[[step]]\nuse = "rewrite"\n'
    write(text=f'{head}rules = "all  . -> ~"', file=f'{head}file = "rock.rules"')
    write(own='extends = "text.toml"\n[change.rewrite]\nfile = "rock.rules"')
    write(other='extends = "file.toml"\n[change.rewrite]\nrules = "all  . -> :"')
    write(both='extends = "file.toml"\n[change.rewrite]\nrules = "all  . -> :"\nfile = "rock.rules"')
    assert str(Recipe.load("own.toml").generate(seed=1).level).splitlines() == ["####"] * 3
    assert str(Recipe.load("other.toml").generate(seed=1).level).splitlines() == ["::::"] * 3
    with pytest.raises(BadInput, match="a step has 'rules' or a 'file', not both"):
        Recipe.load("both.toml")
