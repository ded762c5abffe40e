"""Mistakes that the page can mend with one button: the change makes a text of it that is better."""

from __future__ import annotations

from typing import Any

import pytest

from support.studio_pages import Page
from undercroft.errors import BadInput, Place
from undercroft.recipe.document import Recipe
from undercroft.studio.protocol.quick_fixes import find_quick_fix

GOOD = """\
about = "a cave"
size = [20, 12]

[param.share]
default = 0.4
range = [0.0, 1.0]

[param.shape]
default = "rounded"
choices = ["rounded", "square"]

[[step]]
use = "noise"
wall = "$share"

[[step]]
use = "automaton"
shape = "$shape"
rounds = 3

[require]
loops = ">= 1"
"""

SLIPS = [
    ('use = "noise"', 'use = "nois"', "unknown step"),
    ("wall =", "walls =", "unknown parameter of noise"),
    ('"$share"', '"$shar"', "unknown parameter"),
    ("about =", "abuot =", "unknown key"),
    ("range =", "rang =", "unknown key"),
    ("[require]", "[requires]", "unknown key"),
    ("loops =", "loop =", "unknown measure"),
    ('">= 1"', '"=> 1"', "unexpected '=>'"),
    ("default = 0.4", "default = 1.4", "share is a number from 0 to 1, not 1.4"),
    ("default = 0.4", "default = .4", "this is not TOML"),
    ('default = "rounded"', 'default = "round"', "unknown value of shape"),
    ('about = "a cave"', "about = a cave", "this is not TOML"),
    ('use = "noise"', "use = noise", "this is not TOML"),
]


def mended(text: str, change: dict[str, Any]) -> str:
    lines = text.split("\n")
    line = lines[change["line"] - 1]
    start = change["column"] - 1
    lines[change["line"] - 1] = line[:start] + change["text"] + line[start + change["length"] :]
    return "\n".join(lines)


def test_the_good_one_is_good(page: Page) -> None:
    head, _ = page.answer("recipe", text=GOOD, file="cave.toml")
    assert head["problems"] == []
    assert head["card"]["about"] == "a cave"
    assert [(step["id"], step["line"]) for step in head["steps"]] == [("noise", 12), ("automaton", 16)]
    assert head["requirements"] == [{"text": "loops >= 1", "line": 22}]
    Recipe.parse(GOOD, "cave.toml")


@pytest.mark.parametrize(("good", "slip", "words"), SLIPS)
def test_a_slip_is_mended_by_its_change(page: Page, good: str, slip: str, words: str) -> None:
    text = GOOD.replace(good, slip, 1)
    assert text != GOOD
    head, _ = page.answer("recipe", text=text, file="cave.toml")
    (problem,) = head["problems"]
    assert words in problem["problem"]
    assert problem["place"]["file"] == "cave.toml"
    assert head["card"] is None
    change = problem["change"]
    assert change["line"] == problem["place"]["line"]
    again, _ = page.answer("recipe", text=mended(text, change), file="cave.toml")
    assert again["problems"] == []
    if good != "default = 0.4" or slip != "default = 1.4":
        assert mended(text, change) == GOOD
    assert change["text"] in change["label"]


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace('use = "noise"', 'use = "zzzzzzzz"'),
        GOOD.replace("[[step]]", "[step]", 1),
        GOOD.replace("rounds = 3", 'rounds = "three"'),
        GOOD.replace('wall = "$share"', ""),
        GOOD.replace("size = [20, 12]", "size = 20"),
        "",
        "=",
    ],
)
def test_what_a_machine_cannot_mend_has_no_change(page: Page, text: str) -> None:
    head, _ = page.answer("recipe", text=text, file="cave.toml")
    (problem,) = head["problems"]
    assert problem["fix"]
    assert problem["change"] is None


def test_a_change_is_made_only_where_the_wrong_words_stand() -> None:
    error = BadInput("unknown step 'nois'", place=Place("x.toml", 1, 1, "use = 1"), fix="did you mean 'noise'?")
    assert find_quick_fix(error) is None
    error.place = Place("x.toml", 1, 7, "use = 'nois'")
    assert find_quick_fix(error) == {"line": 1, "column": 8, "length": 4, "text": "noise", "label": "write noise"}
    error.place = None
    assert find_quick_fix(error) is None


def test_rules_and_layouts_are_mended_too(page: Page) -> None:
    text = "palette standrd\none  . -> ,\n"
    head, _ = page.answer("rules", text=text, file="x.rules")
    assert mended(text, head["problems"][0]["change"]) == "palette standard\none  . -> ,\n"
    text = "one  moss, truned\n    . -> ,\n"
    head, _ = page.answer("rules", text=text, file="x.rules")
    assert head["problems"][0]["place"]["line"] == 1
