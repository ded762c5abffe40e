"""Recipes: what is refused and how, and what comes of a recipe and a seed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from undercroft import limits
from undercroft.analysis import reach
from undercroft.analysis.measures.table import Facts
from undercroft.analysis.requirements import parse
from undercroft.core.frozen import freeze
from undercroft.core.level import Level
from undercroft.core.rng import MASK64
from undercroft.errors import BadInput, Cancelled, FileTrouble, NotMet, OutOfBudget, TooBig, UndercroftError
from undercroft.recipe.catalogue import RECIPES, names
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import describe_type
from undercroft.steps import STEPS
from undercroft.version import VERSION

NOISE = '[[step]]\nuse = "noise"\n'
SURVEY = '[[step]]\nuse = "survey"\n'


def param(**values: str) -> str:
    """A recipe with one parameter called `p`; None leaves a key out."""
    lines = {"default": "0.4"} | values
    return "[param.p]\n" + "".join(f"{key} = {value}\n" for key, value in lines.items()) + NOISE


MISTAKES = [
    # the file
    ("a recipe has at least one step", "1:1", 'use = "noise"', ""),
    ("a recipe has at least one step", "1:1", 'use = "noise"', 'about = "x"'),
    ("this is not TOML", "1:7", "write [[name]]", "[[step]"),
    ("this is not TOML", "2:7", 'put quotes around text: "noise"', "[[step]]\nuse = noise\n"),
    ("the key 'use' is already defined", "3:1", "", '[[step]]\nuse = "noise"\nuse = "fill"\n'),
    ("unknown key 'siz'", "1:1", "did you mean 'size'?", "siz = [3, 3]\n" + NOISE),
    ("unknown key 'steps'", "1:3", "did you mean 'step'?", '[[steps]]\nuse = "noise"\n'),
    (
        "unknown key 'zzz'",
        "3:2",
        "one of: extends, about, tags, size, begins, param, change, step, require",
        NOISE + "[zzz]\n",
    ),
    ("tags are a list of different words", "1:8", 'tags = ["cave", "forest"]', 'tags = "cave"\n' + NOISE),
    ("tags are a list of different words", "1:8", 'tags = ["cave", "forest"]', 'tags = ["a", "a"]\n' + NOISE),
    ("about is a text, not 3", "1:9", "put it in quotes", "about = 3\n" + NOISE),
    # the size
    ("size is [width, height], not 5", "1:8", "size = [80, 50]", "size = 5\n" + NOISE),
    ("size is [width, height], not [5]", "1:8", "size = [80, 50]", "size = [5]\n" + NOISE),
    ("size is [width, height], not [5, 5, 5]", "1:8", "size = [80, 50]", "size = [5, 5, 5]\n" + NOISE),
    ('size is [width, height], not "5x5"', "1:8", "size = [80, 50]", 'size = "5x5"\n' + NOISE),
    ("size is [width, height], not [5.0, 5]", "1:8", "size = [80, 50]", "size = [5.0, 5]\n" + NOISE),
    ("size is [width, height], not [true, 5]", "1:8", "size = [80, 50]", "size = [true, 5]\n" + NOISE),
    ("a level of 0x5 has no cells", "1:8", "at least 1", "size = [0, 5]\n" + NOISE),
    ("a level of 5x-1 has no cells", "1:8", "at least 1", "size = [5, -1]\n" + NOISE),
    (
        "the number of cells of 5000x5000 is 25,000,000; the limit is 16,777,216",
        "1:8",
        "smaller size",
        "size = [5000, 5000]\n" + NOISE,
    ),
    ("the longer side is 2,000,000", "1:8", "smaller size", "size = [2000000, 1]\n" + NOISE),
    # steps
    ("steps are written as [[step]] tables", "1:1", "[[step]]", "step = 3"),
    ("steps are written as [[step]] tables", "1:2", "[[step]]", '[step]\nuse = "noise"'),
    ("steps are written as [[step]] tables", "1:1", "[[step]]", "step = [1]"),
    ("a step says which one it is", "1:3", "one of: fill, noise", "[[step]]\nwall = 0.4\n"),
    ("a step says which one it is", "1:3", "one of: fill, noise", "[[step]]\nuse = 3\n"),
    ("unknown step 'nois'", "2:7", "did you mean 'noise'?", '[[step]]\nuse = "nois"\n'),
    ("unknown step 'Noise'", "2:7", "did you mean 'noise'?", '[[step]]\nuse = "Noise"\n'),
    ("unknown step 'dragons'", "4:7", "one of: fill, noise", NOISE + '[[step]]\nuse = "dragons"\n'),
    ("unknown parameter of noise 'walls'", "3:1", "did you mean 'wall'?", NOISE + "walls = 0.4\n"),
    (
        "unknown parameter of chokes 'wall'",
        "5:1",
        "there is no parameter of chokes to name here",
        NOISE + '[[step]]\nuse = "chokes"\nwall = 1\n',
    ),
    ("unknown parameter of noise 'edition'", "3:1", "one of: wall, ring", NOISE + "edition = 2\n"),
    ("wall of noise is a number from 0 to 1, not 1.5", "3:8", "undercroft list steps", NOISE + "wall = 1.5\n"),
    ("wall of noise is a number from 0 to 1, not -0.1", "3:8", "undercroft list steps", NOISE + "wall = -0.1\n"),
    ('wall of noise is a number from 0 to 1, not "x"', "3:8", "undercroft list steps", NOISE + 'wall = "x"\n'),
    ("wall of noise is a number from 0 to 1, not true", "3:8", "undercroft list steps", NOISE + "wall = true\n"),
    ("ring of noise is true or false, not 1", "3:8", "undercroft list steps", NOISE + "ring = 1\n"),
    (
        "rounds of automaton is a whole number from 0 to 10,000, not -1",
        "5:10",
        "",
        NOISE + '[[step]]\nuse = "automaton"\nrounds = -1\n',
    ),
    (
        "rounds of automaton is a whole number from 0 to 10,000, not 2.5",
        "5:10",
        "",
        NOISE + '[[step]]\nuse = "automaton"\nrounds = 2.5\n',
    ),
    (
        "unknown shape of automaton 'round'",
        "5:9",
        "did you mean 'rounded'?",
        NOISE + '[[step]]\nuse = "automaton"\nshape = "round"\n',
    ),
    (
        "stages of automaton is a list of [a whole number from -1 to 26",
        "5:10",
        "",
        NOISE + '[[step]]\nuse = "automaton"\nstages = [[5, 2]]\n',
    ),
    (
        "stages of automaton is a list of [a whole number from -1 to 26",
        "5:10",
        "",
        NOISE + '[[step]]\nuse = "automaton"\nstages = [[5, 99, 1]]\n',
    ),
    (
        "stages of automaton is a list of [a whole number from -1 to 26",
        "5:10",
        "",
        NOISE + '[[step]]\nuse = "automaton"\nstages = 3\n',
    ),
    ("unknown role of fill 'wal'", "3:8", "did you mean 'wall'?", '[[step]]\nuse = "fill"\nrole = "wal"\n'),
    ("role of fill is one of void, wall, floor", "3:8", "", '[[step]]\nuse = "fill"\nrole = 3\n'),
    (
        "min_size of join is a whole number from 0, not -1",
        "5:12",
        "",
        NOISE + '[[step]]\nuse = "join"\nmin_size = -1\n',
    ),
    ('id is a text on one line, not ""', "3:6", 'id = "noise-2"', NOISE + 'id = ""\n'),
    ("id is a text on one line, not 3", "3:6", 'id = "noise-2"', NOISE + "id = 3\n"),
    ("two steps are called 'noise'", "5:1", "another id", NOISE + '[[step]]\nuse = "fill"\nid = "noise"\n'),
    ("two steps are called 'noise#2'", "7:1", "another id", NOISE + '[[step]]\nuse = "fill"\nid = "noise#2"\n' + NOISE),
    (
        "unknown parameter 'fil'",
        "7:8",
        "did you mean 'fill'?",
        "[param.fill]\ndefault = 0.4\n" + NOISE + "ring = true\n\n" + 'wall = "$fil"\n',
    ),
    ("unknown parameter 'x'", "3:8", "there is no parameter to name here", NOISE + 'wall = "$x"\n'),
    (
        "wall of noise is a number from 0 to 1, not 3.0",
        "5:8",
        "",
        "[param.p]\ndefault = 3.0\n" + NOISE + 'wall = "$p"\n',
    ),
    # the order of steps
    (
        "'automaton' needs tiles, and nothing before it gives them",
        "2:7",
        "put one of these before it: fill, noise",
        '[[step]]\nuse = "automaton"\n',
    ),
    (
        "'survey' needs tiles, and nothing before it gives them",
        "2:7",
        "put one of these before it: fill, noise",
        SURVEY + NOISE,
    ),
    ("begins is a list of tiles, regions", "1:10", 'begins = ["tiles"]', "begins = 3\n" + NOISE),
    ("begins is a list of tiles, regions", "1:10", 'begins = ["tiles"]', 'begins = ["walls"]\n' + NOISE),
    ("begins is a list of tiles, regions", "1:10", 'begins = ["tiles"]', "begins = [[1]]\n" + NOISE),
    ("a step cannot be called 'begin'", "3:1", "another id", NOISE + 'id = "begin"\n'),
    # parameters
    ("param is a table, not 3", "1:1", "[param]", "param = 3\n" + NOISE),
    ("parameter 'p' needs a default", "1:8", "default = ...", "[param.p]\nabout = 'x'\n" + NOISE),
    ("parameter 'p' needs a default", "2:1", "default = ...", "[param]\np = 3\n" + NOISE),
    ("a parameter cannot be called 'seed'", "1:8", "no option of generate", "[param.seed]\ndefault = 3\n" + NOISE),
    ("a parameter cannot be called 'tries'", "1:8", "no option of generate", "[param.tries]\ndefault = 3\n" + NOISE),
    ("a parameter cannot be called 'a b'", "1:8", "one word", '[param."a b"]\ndefault = 3\n' + NOISE),
    ("a parameter cannot be called 'a-b'", "1:8", "one word", "[param.a-b]\ndefault = 3\n" + NOISE),
    ("a parameter cannot be called 'class'", "1:8", "one word", "[param.class]\ndefault = 3\n" + NOISE),
    ("unknown key 'defalt'", "3:1", "did you mean 'default'?", param(defalt="3")),
    ("default of p is a number, a text, true, false or a list", "2:11", "one of these", param(default="{a = 1}")),
    ("default of p is a number, a text, true, false or a list", "2:11", "one of these", param(default="2024-01-01")),
    ("range is [least, greatest] of a number, not 3", "3:9", "range = [0.0, 1.0]", param(range="3")),
    ("range is [least, greatest] of a number, not [1]", "3:9", "range = [0.0, 1.0]", param(range="[1]")),
    ("range is [least, greatest] of a number, not [1, 0]", "3:9", "range = [0.0, 1.0]", param(range="[1, 0]")),
    (
        "range is [least, greatest] of a number, not [0, 1]",
        "3:9",
        "range = [0.0, 1.0]",
        param(default='"x"', range="[0, 1]"),
    ),
    ("p is a number from 0.5 to 1, not 0.4", "2:11", "p=0.5", param(range="[0.5, 1]")),
    ("choices is a list, not 3", "3:11", 'choices = ["a", "b"]', param(choices="3")),
    ("unknown value of p 'red'", "2:11", "did you mean 'reed'?", param(default='"red"', choices='["reed", "blue"]')),
    ("about is a text, not 3", "3:9", "put it in quotes", param(about="3")),
    # requirements
    ("require is a table, not 3", "1:1", "[require]", "require = 3\n" + NOISE),
    ("unknown measure 'loop'", "4:1", "did you mean 'loops'?", NOISE + '[require]\nloop = ">= 2"\n'),
    ("'loops two' is not a requirement", "4:9", 'loops = ">= 2"', NOISE + '[require]\nloops = "two"\n'),
    ("unexpected '=>' in a requirement", "4:9", "write >=", NOISE + '[require]\nloops = "=> 2"\n'),
    ("unexpected '~' in a requirement", "4:9", 'loops = ">= 2"', NOISE + '[require]\nloops = "~ 2"\n'),
    (
        "no number is in that range",
        "4:9",
        "write the smaller number first: loops between 2 and 3",
        NOISE + '[require]\nloops = "between 3 and 2"\n',
    ),
    ('a requirement is a text such as ">= 2", not true', "4:9", 'loops = ">= 2"', NOISE + "[require]\nloops = true\n"),
    (
        'a requirement is a text such as ">= 2", not [1, 2]',
        "4:9",
        'loops = ">= 2"',
        NOISE + "[require]\nloops = [1, 2]\n",
    ),
    # too much of it
    ("the number of steps is 257; the limit is 256", "", "split the recipe", NOISE * 257),
    ("the size of this TOML text in bytes", "1:1", "split the file", "#" * 70_000),
    ("the number of dots in this key", "1:35", "nest tables", ".".join("a" * 5000) + " = 1"),
    ("the nesting of brackets here", "1:40", "nest less", "size = " + "[" * 3000),
    (
        "this whole number does not fit in 64 bits",
        "1:9",
        "smaller number",
        "size = [99999999999999999999, 3]\n" + NOISE,
    ),
    ("this number is not finite", "3:8", "a number with an end", NOISE + "wall = nan\n"),
]


@pytest.mark.parametrize(
    ("problem", "place", "fix", "text"),
    MISTAKES,
    ids=[f"{row} {mistake[0][:40]}" for row, mistake in enumerate(MISTAKES)],
)
def test_a_mistake_is_named_placed_and_mended(problem: str, place: str, fix: str, text: str) -> None:
    begin = time.process_time()
    with pytest.raises(BadInput) as caught:
        Recipe.parse(text, "bad.toml")
    assert time.process_time() - begin < 5
    error = caught.value
    assert error.problem.startswith(problem)
    assert fix in error.fix
    assert error.fix
    assert error.exit_code == 2
    assert str(error.place or "") == (place and f"bad.toml:{place}")
    if error.place:
        assert error.place.text[:150] == (text.split("\n")[error.place.line - 1] if text else "")[:150]


def test_there_are_many_mistakes() -> None:
    assert len(MISTAKES) > 60
    assert len({(problem, text) for problem, _, _, text in MISTAKES}) == len(MISTAKES)


def test_a_mistake_is_drawn() -> None:
    with pytest.raises(BadInput) as caught:
        Recipe.parse(NOISE + "walls = 0.4\n", "cave.toml")
    assert (
        str(caught.value)
        == "cave.toml:3:1: unknown parameter of noise 'walls'\n    walls = 0.4\n    ^\n  fix: did you mean 'wall'?"
    )


# --- loading ----------------------------------------------------------------------------------------------------------


def test_named_recipes() -> None:
    assert names() == (
        "bsp",
        "cave",
        "cozy",
        "diablo2",
        "diablo3",
        "drunkard",
        "dungeoning",
        "galak-z",
        "grammar",
        "isaac",
        "maze",
        "neighbours",
        "rooms-and-mazes",
        "templates",
        "tinykeep",
        "walk",
    )
    assert sorted(path.stem for path in RECIPES.glob("*.toml")) == list(names())
    for name in names():
        recipe = Recipe.load(name)
        assert recipe.name == name
        assert recipe.about
        assert all(param.about for param in recipe.params.values())
        assert repr(recipe).startswith(f"<Recipe {name}: ")


def test_a_recipe_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "half.toml"
    path.write_text('about = "half"\nsize = [8, 4]\n' + NOISE, encoding="utf-8")
    for name in (path, str(path)):
        recipe = Recipe.load(name)
        assert (recipe.name, recipe.about, recipe.size) == ("half", "half", (8, 4))
    other = tmp_path / "half.txt"
    other.write_bytes(path.read_bytes())
    assert Recipe.load(other).size == (8, 4)
    path.write_bytes(b"\xef\xbb\xbf" + NOISE.encode())
    assert Recipe.load(path).plans[0].use == "noise"


def test_the_size_is_80x50_unless_said() -> None:
    assert Recipe.parse(NOISE, "x.toml").size == (80, 50)


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("cavve", "did you mean 'cave'?"),
        ("Cave", "did you mean 'cave'?"),
        ("rooms_and_mazes", "did you mean 'rooms-and-mazes'?"),
        ("hydra", "one of: bsp, cave, "),
        ("", "one of"),
        ("no\0name", "one of"),
    ],
)
def test_an_unknown_recipe(name: str, fix: str) -> None:
    with pytest.raises(BadInput, match="unknown recipe") as caught:
        Recipe.load(name)
    assert fix in caught.value.fix


def test_a_name_too_long_for_a_file() -> None:
    with pytest.raises(UndercroftError):
        Recipe.load("x" * 5000)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(FileTrouble, match="cannot read") as caught:
        Recipe.load("nowhere/x.toml")
    assert caught.value.fix == "check the name"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileTrouble, match="byte 0 is not UTF-8"):
        Recipe.load(path)
    with pytest.raises(UndercroftError):
        Recipe.load(tmp_path)


def test_a_file_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(b"#" * (limits.TOML_BYTES.value + 1))
    with pytest.raises(TooBig, match="the limit is 65,536"):
        Recipe.load(path)
    path.write_bytes(NOISE.encode() + b"#" * (limits.TOML_BYTES.value - len(NOISE)))
    assert len(Recipe.load(path).plans) == 1


def test_so_many_steps_are_allowed() -> None:
    assert len(Recipe.parse(NOISE * 256, "long.toml").plans) == 256
    assert len(Recipe.parse(NOISE * 255, "long.toml").plans) == 255


def test_ids() -> None:
    recipe = Recipe.parse(NOISE + NOISE + '[[step]]\nuse = "noise"\nid = "dust"\n' + NOISE, "x.toml")
    assert [plan.id for plan in recipe.plans] == ["noise", "noise#2", "dust", "noise#4"]


@pytest.mark.parametrize(
    "text",
    ['components = "== 1"', "components = 1", 'density = "between 0.1 and 0.9"', "density = 0.5", 'rooms = ">= 0"'],
)
def test_forms_of_requirements(text: str) -> None:
    recipe = Recipe.parse(NOISE + SURVEY + f"[require]\n{text}\n", "x.toml")
    assert recipe.require[0].measure == text.split(" ", maxsplit=1)[0]


def test_what_the_last_step_spoils_is_found_again() -> None:
    marked = NOISE + SURVEY + '[[step]]\nuse = "ends"\n'
    whole = Recipe.parse(marked, "x.toml").generate(seed=1, size=(20, 20)).level
    spoiled = (
        Recipe.parse(marked + '[[step]]\nuse = "automaton"\nrounds = 0\n', "x.toml")
        .generate(seed=1, size=(20, 20))
        .level
    )
    assert (len(whole.regions) > 0, whole.start is not None, len(whole.path) > 0) == (True, True, True)
    assert spoiled == whole


# --- parameters -------------------------------------------------------------------------------------------------------

TURNED = """
[param.share]
default = 0.4
range = [0.0, 0.8]
[param.count]
default = 3
range = [0, 10]
[param.where]
default = "rounded"
choices = ["rounded", "square"]
[param.ring]
default = true
[param.list]
default = []
[[step]]
use = "noise"
wall = "$share"
ring = "$ring"
[[step]]
use = "automaton"
rounds = "$count"
shape = "$where"
stages = "$list"
ring = "$ring"
"""


@pytest.mark.parametrize(
    "given",
    [
        {"share": 0.7},
        {"count": 0},
        {"where": "square"},
        {"ring": False},
        {"list": [[4, 3, 2]]},
        {"share": 0},
        {"share": 0.8},
    ],
)
def test_parameters_reach_their_steps(given: dict[str, Any]) -> None:
    recipe = Recipe.parse(TURNED, "turned.toml")
    usual = recipe.generate(seed=1, size=(30, 20)).level
    turned = recipe.generate(seed=1, size=(30, 20), params=given).level
    assert turned != usual
    assert turned == uc.generate(recipe, 1, (30, 20), **given)
    assert turned == uc.generate(recipe, 1, (30, 20), params=given)
    assert freeze({**usual.provenance["params"], **given}) == turned.provenance["params"]
    assert recipe.generate(seed=1, size=(30, 20)).level == usual


def test_a_keyword_wins_over_params() -> None:
    recipe = Recipe.parse(TURNED, "turned.toml")
    assert uc.generate(recipe, 1, params={"share": 0.1}, share=0.2).provenance["params"]["share"] == 0.2


@pytest.mark.parametrize(
    ("given", "problem", "fix"),
    [
        ({"shar": 0.5}, "unknown parameter of turned 'shar'", "did you mean 'share'?"),
        ({"share": 0.81}, "share is a number from 0 to 0.8, not 0.81", "for example share=0.4"),
        ({"share": -0.01}, "share is a number from 0 to 0.8, not -0.01", "for example share=0.4"),
        ({"share": "0.5"}, 'share is a number from 0 to 0.8, not "0.5"', "for example share=0.4"),
        ({"share": True}, "share is a number from 0 to 0.8, not true", "for example share=0.4"),
        ({"share": None}, "share is a number from 0 to 0.8, not None", "for example share=0.4"),
        ({"share": float("nan")}, "share is a number from 0 to 0.8, not nan", "for example share=0.4"),
        ({"share": float("inf")}, "share is a number from 0 to 0.8, not inf", "for example share=0.4"),
        ({"count": 11}, "count is a whole number from 0 to 10, not 11", "for example count=3"),
        ({"count": 2.0}, "count is a whole number from 0 to 10, not 2.0", "for example count=3"),
        ({"count": True}, "count is a whole number from 0 to 10, not true", "for example count=3"),
        ({"where": "squar"}, "unknown value of where 'squar'", "did you mean 'square'?"),
        ({"where": 3}, "where is one of rounded, square, not 3", 'for example where="rounded"'),
        ({"ring": 1}, "ring is true or false, not 1", "for example ring=true"),
        ({"list": 3}, "list is a list, not 3", "for example list=[]"),
        ({"list": [3]}, "stages of automaton is a list of", "undercroft list steps"),
        ({"list": [[5, 2, "x"]]}, "stages of automaton is a list of", "undercroft list steps"),
    ],
)
def test_a_wrong_parameter(given: dict[str, Any], problem: str, fix: str) -> None:
    with pytest.raises(BadInput) as caught:
        Recipe.parse(TURNED, "turned.toml").generate(seed=1, size=(9, 9), params=given)
    assert caught.value.problem.startswith(problem)
    assert fix in caught.value.fix
    assert caught.value.place is None


def test_numbers_of_numpy_are_numbers() -> None:
    recipe = Recipe.parse(TURNED, "turned.toml")
    turned = recipe.generate(seed=1, size=(9, 9), params={"share": np.float64(0.5), "count": np.int64(4)}).level
    assert turned == recipe.generate(seed=1, size=(9, 9), params={"share": 0.5, "count": 4}).level


def test_an_unknown_keyword() -> None:
    with pytest.raises(BadInput, match="unknown parameter of cave 'fill_probb'") as caught:
        uc.generate("cave", 1, fill_probb=0.4)
    assert caught.value.fix == "did you mean 'fill_prob'?"
    with pytest.raises(BadInput) as caught:
        uc.generate("cave", 1, trys=3)
    assert caught.value.fix == "did you mean 'tries'?"


def test_types_in_words() -> None:
    import typing

    for step in STEPS.values():
        for name, hint in typing.get_type_hints(step, include_extras=True).items():
            if typing.get_origin(hint) is not typing.ClassVar:
                assert describe_type(hint) != "of another type", (step, name)


# --- seeds, attempts, requirements ------------------------------------------------------------------------------------


def test_a_seed_may_be_text() -> None:
    assert uc.generate("cave", seed="7", size=(20, 20)) == uc.generate("cave", seed=7, size=(20, 20))
    named = uc.generate("cave", seed="Saint Ossory", size=(20, 20))
    assert named.provenance["seed_text"] == "Saint Ossory"
    assert named == uc.generate("cave", seed=named.provenance["seed"], size=(20, 20))
    assert "seed_text" not in uc.generate("cave", seed="7", size=(20, 20)).provenance


def test_a_missing_seed_is_drawn_and_stored() -> None:
    first, second = uc.generate("cave", size=(20, 20)), uc.generate("cave", size=(20, 20))
    assert first.provenance["seed"] != second.provenance["seed"]
    assert uc.generate("cave", seed=first.provenance["seed"], size=(20, 20)) == first


@pytest.mark.parametrize("seed", [-1, MASK64 + 1, "", 1.5])
def test_no_seed(seed: Any) -> None:
    with pytest.raises(BadInput, match="seed"):
        uc.generate("cave", seed=seed)


def test_where_a_level_came_from() -> None:
    level = uc.generate("cave", seed=7, size=(60, 30), fill_prob=0.45)
    defaults = {name: param.default for name, param in Recipe.load("cave").params.items()}
    assert level.provenance == {
        "recipe": "cave",
        "seed": "7",
        "attempt": 0,
        "size": (60, 30),
        "params": {**freeze(defaults), "fill_prob": 0.45},
        "version": VERSION,
        "editions": {plan.id: STEPS[plan.use].edition for plan in Recipe.load("cave").plans},
    }


def test_the_size_of_the_recipe_is_the_size() -> None:
    assert uc.generate("cave", seed=1).size == (60, 30)
    assert uc.generate("rooms-and-mazes", seed=1).size == (81, 31)
    assert uc.generate("cave", seed=1, size=(33, 22)).size == (33, 22)


@pytest.mark.parametrize("size", [(0, 5), (5, -1), (5000, 5000), "8x8", (1.5, 3)])
def test_a_wrong_size(size: Any) -> None:
    with pytest.raises(BadInput) as caught:
        uc.generate("cave", seed=1, size=size)
    assert caught.value.fix


def test_more_cells_if_asked_for() -> None:
    with pytest.raises(TooBig, match="the limit is 99"):
        uc.generate("cave", seed=1, size=(10, 10), max_cells=99)
    recipe = Recipe.parse(NOISE, "x.toml")
    assert recipe.generate(seed=1, size=(10, 10), max_cells=100).level.size == (10, 10)


@pytest.mark.parametrize(
    ("size", "fix"), [((80, 4), "ask for 80x5"), ((4, 31), "ask for 5x31"), ((3, 3), "ask for 5x5")]
)
def test_a_size_without_room_for_a_room(size: tuple[int, int], fix: str) -> None:
    with pytest.raises(BadInput, match="rooms need") as caught:
        uc.generate("rooms-and-mazes", seed=1, size=size)
    assert caught.value.fix == fix


UNTIL = ["loops >= 3", "path_length >= 40"]


def test_an_attempt_can_be_replayed() -> None:
    recipe = Recipe.load("cave")
    late = 0
    for seed in range(10):
        result = recipe.generate(seed=seed, size=(30, 20), until=UNTIL, tries=1000)
        assert all(parse(text).is_met(Facts(result.level)) for text in UNTIL)
        assert result.level.provenance["attempt"] == result.attempt
        again = recipe.generate(seed=seed, size=(30, 20), until=UNTIL, tries=1, first_attempt=result.attempt)
        assert again.level == result.level
        assert (again.attempt, again.rejected) == (result.attempt, {})
        assert max(result.rejected.values(), default=0) <= result.attempt <= sum(result.rejected.values())
        late += result.attempt > 0
        if result.attempt:
            with pytest.raises(NotMet):
                recipe.generate(seed=seed, size=(30, 20), until=UNTIL, tries=result.attempt)
    assert late > 3


def test_attempts_differ() -> None:
    recipe = Recipe.parse(NOISE, "x.toml")
    levels = [str(recipe.generate(seed=1, size=(20, 20), first_attempt=attempt).level) for attempt in range(20)]
    assert len(set(levels)) == 20


def test_rejected_counts_what_failed() -> None:
    recipe = Recipe.load("cave")
    attempts = [recipe.generate(seed=5, size=(30, 20), first_attempt=number, tries=1).level for number in range(200)]
    result = recipe.generate(seed=5, size=(30, 20), until=["loops >= 9", parse("density > 0.42")], tries=200)
    before = [Facts(level) for level in attempts[: result.attempt]]
    assert len(before) > 3
    assert result.rejected.get("loops >= 9", 0) == sum(not parse("loops >= 9").is_met(facts) for facts in before)
    assert result.rejected.get("density > 0.42", 0) == sum(
        not parse("density > 0.42").is_met(facts) for facts in before
    )


def test_requirements_that_nothing_meets() -> None:
    recipe = Recipe.load("cave")
    seen: list[tuple[int, int]] = []
    with pytest.raises(NotMet) as caught:
        recipe.generate(
            seed=1,
            size=(30, 20),
            until=["loops >= 50", "doors == 1", "density > 0"],
            tries=7,
            progress=lambda done, tries: seen.append((done, tries)),
        )
    error = caught.value
    assert error.exit_code == 1
    assert error.rejected == {"loops >= 50": 7, "doors == 1": 7}
    assert seen == [(number, 7) for number in range(1, 8)]
    assert isinstance(error.best, Level)
    loops = [
        uc.measure(recipe.generate(seed=1, size=(30, 20), first_attempt=number).level)["loops"] for number in range(7)
    ]
    assert uc.measure(error.best)["loops"] == max(loops)  # type: ignore[type-var]
    assert error.best == recipe.generate(seed=1, size=(30, 20), first_attempt=loops.index(max(loops))).level  # type: ignore[type-var]
    lines = str(error).split("\n")
    assert lines[0] == "no level of 7 tries is as required"
    assert lines[1:3] == ["    loops >= 50: failed 7 of 7", "    doors == 1: failed 7 of 7"]
    assert lines[3].startswith(
        f"    nearest attempt ({loops.index(max(loops))}), "  # type: ignore[type-var]
        f"off by {error.distance:.2g}: components 1, loops "
    )
    assert [words.split()[0] for words in lines[3].partition(": ")[2].split(", ")] == [
        "components",
        "loops",
        "doors",
        "density",
    ]
    assert lines[4].startswith("  fix: ")


def test_what_is_asked_for_twice_counts_once() -> None:
    with pytest.raises(NotMet) as caught:
        uc.generate("cave", seed=1, size=(3, 3), until=["components == 1", "components  ==  1"], tries=5)
    assert caught.value.rejected == {"components == 1": 5}


def test_an_unknown_requirement() -> None:
    with pytest.raises(BadInput, match="unknown measure 'lops'") as caught:
        uc.generate("cave", seed=1, until=["lops > 1"])
    assert caught.value.fix == "did you mean 'loops'?"


@pytest.mark.parametrize("tries", [0, -3])
def test_no_tries(tries: int) -> None:
    with pytest.raises(BadInput, match=f"tries is a whole number from 1, not {tries}"):
        uc.generate("cave", seed=1, tries=tries)


def test_the_limit_of_tries_at_its_edge() -> None:
    most = limits.TRIES.value
    assert uc.generate("cave", seed=1, size=(20, 20), tries=most - 1) == uc.generate(
        "cave", seed=1, size=(20, 20), tries=most
    )
    with pytest.raises(TooBig, match="the number of tries is 1,000,001; the limit is 1,000,000"):
        uc.generate("cave", seed=1, tries=most + 1)


def test_no_attempt() -> None:
    with pytest.raises(BadInput, match="attempt"):
        uc.generate("cave", seed=1, first_attempt=-1)


# --- budget, cancel, begin, frozen ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_a_tiny_budget(name: str) -> None:
    for budget in (0, 1, 100, 3000):
        with pytest.raises(OutOfBudget, match=f"the budget was {budget:,}") as caught:
            uc.generate(name, seed=1, max_steps=budget)
        assert "max_steps" in caught.value.fix


@pytest.mark.parametrize("name", names())
def test_the_budget_at_its_edge(name: str) -> None:
    """By halving: one step less than is needed is too few, and so many are enough, always the same number."""
    low, high = 0, 10_000_000
    while high - low > 1:
        middle = (low + high) // 2
        try:
            uc.generate(name, seed=1, size=(21, 21), tries=1, max_steps=middle)
            high = middle
        except OutOfBudget:
            low = middle
    assert uc.generate(name, seed=1, size=(21, 21), max_steps=high) == uc.generate(name, seed=1, size=(21, 21))
    assert uc.generate(name, seed=1, size=(21, 21), max_steps=high + 1).size == (21, 21)
    assert high > 21 * 21


@pytest.mark.parametrize("name", names())
def test_cancelled(name: str) -> None:
    for after in (1, 3, 6):
        calls = [0]

        def cancelled(calls: list[int] = calls, after: int = after) -> bool:
            calls[0] += 1
            return calls[0] >= after

        with pytest.raises(Cancelled):
            uc.generate(name, seed=1, cancelled=cancelled)
        assert calls[0] == after


def test_a_watcher_that_fails_is_heard() -> None:
    def broken(source: str, tiles: object) -> None:
        raise RuntimeError("no more film")

    with pytest.raises(RuntimeError, match="no more film"):
        uc.generate("cave", seed=1, watcher=broken)


def test_begin_with_a_map() -> None:
    """A kept room: frozen cells of the map one begins with stay, and what is made joins on to them."""
    begin = Level.parse("\n".join(["#" * 31] + ["#" + "." * 5 + "#" * 25] * 5 + ["#" * 31] * 15))
    frozen = np.zeros((21, 31), bool)
    frozen[1:6, 1:6] = True
    level = uc.generate("cave", seed=3, begin=begin, frozen=frozen, tries=1000)
    assert (level.tiles[frozen] == begin.tiles[frozen]).all()
    assert level.size == begin.size
    assert (level.tiles != begin.tiles).any()
    assert uc.measure(level, "components") == {"components": 1}


def test_a_mask_of_another_shape() -> None:
    with pytest.raises(BadInput, match="frozen"):
        uc.generate("cave", seed=3, size=(30, 20), frozen=np.zeros((5, 5), bool))


def test_a_size_beside_a_map_to_begin_with() -> None:
    """Either the map has that size, or that is a mistake; never a level of one size that says it is of another."""
    begin = Level.parse("\n".join(["#" * 31] * 21))
    assert uc.generate("cave", seed=3, begin=begin, size=(31, 21)).size == (31, 21)
    with pytest.raises(BadInput, match="31x21"):
        uc.generate("cave", seed=3, begin=begin, size=(41, 41))


def test_a_recipe_that_begins_with_a_map() -> None:
    recipe = Recipe.parse('begins = ["tiles"]\n[[step]]\nuse = "automaton"\nrounds = 1\n', "smooth.toml")
    begin = Level.parse("#####\n##.##\n#####")
    assert str(recipe.generate(seed=1, begin=begin).level) == "#####\n#####\n#####"
    with pytest.raises(BadInput, match="smooth needs a map to begin with"):
        recipe.generate(seed=1)


def test_a_mask_of_numbers() -> None:
    with pytest.raises(BadInput, match="frozen is a mask"):
        uc.generate("cave", seed=3, size=(30, 20), frozen=np.zeros((20, 30), np.uint8))


def test_one_requirement_may_be_a_text() -> None:
    recipe = Recipe.load("cave")
    assert (
        recipe.generate(seed=5, size=(30, 20), until="loops >= 9").level
        == recipe.generate(seed=5, size=(30, 20), until=["loops >= 9"]).level
    )


def test_the_steps_tick() -> None:
    heard: list[str] = []
    uc.generate("cave", seed=1, size=(30, 20), tick=heard.append)
    assert list(dict.fromkeys(heard))[:3] == ["noise", "automaton", "join"]


def test_each_step_is_told_of_as_it_begins() -> None:
    recipe = Recipe.load("cave")
    ids = [plan.id for plan in recipe.plans]
    heard: list[str] = []
    level = uc.generate("cave", seed=1, size=(30, 20), on_step=heard.append)
    assert heard == [*ids, ""]
    assert level == uc.generate("cave", seed=1, size=(30, 20))
    heard.clear()
    with pytest.raises(NotMet):
        recipe.generate(seed=1, size=(30, 20), until="loops >= 9000", tries=3, on_step=heard.append)
    assert heard == [*ids, ""] * 3


def test_the_steps_are_told_of_before_they_work() -> None:
    told: list[str] = []
    uc.generate(
        "cave", seed=1, size=(30, 20), tick=lambda source: told.append(f"at work: {source}"), on_step=told.append
    )
    assert told[0] == "noise"
    assert told[-1] == ""
    begun = ""
    for line in told:
        if line.startswith("at work: "):
            assert line == f"at work: {begun}"
        else:
            begun = line


@pytest.mark.parametrize("name", ["cave", "rooms-and-mazes", "bsp", "tinykeep"])
def test_what_was_found_out_gives_the_same_measures(name: str) -> None:
    recipe = Recipe.load(name)
    for seed in range(5):
        result = recipe.generate(seed=seed, until="density > 0")
        assert result.facts is not None
        assert result.facts.given is result.level
        assert uc.measure(result.facts) == uc.measure(result.level)
        assert result.facts == Facts(result.level)
        assert result.facts != Facts(recipe.generate(seed=seed + 1).level)


def test_what_was_found_out_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[int] = []
    search = reach.run_search

    def search_and_count(*args: Any) -> Any:
        searches.append(1)
        return search(*args)

    monkeypatch.setattr(reach, "run_search", search_and_count)
    result = Recipe.load("cave").generate(seed=1, size=(40, 20))
    made = len(searches)
    assert uc.measure(result.facts, "components", "density", "loops", "path_length")["components"] == 1  # type: ignore[arg-type]
    assert len(searches) == made
    assert uc.measure(result.level, "components", "density", "loops")["components"] == 1
    assert len(searches) == made + 1


def test_measuring_is_no_work_on_the_level() -> None:
    recipe = Recipe.load("cave")
    used = 0
    for budget in range(2000, 200_000, 2000):
        try:
            result = recipe.generate(seed=1, size=(40, 20), max_steps=budget)
        except OutOfBudget:
            continue
        used = budget
        break
    assert 4000 < used < 100_000, "else this shows nothing"
    assert result.facts is not None
    assert uc.measure(result.facts, "path_length", "loops") == uc.measure(result.level, "path_length", "loops")


def test_a_recipe_may_work_on_the_map_one_begins_with() -> None:
    recipe = Recipe.parse('[[step]]\nuse = "noise"\n[[step]]\nuse = "automaton"\n', "x.toml")
    begin = Level.parse("...\n...\n...")
    assert recipe.generate(seed=1, begin=begin).level.provenance["size"] == (3, 3)
