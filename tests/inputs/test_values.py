"""Values out of TOML and JSON: what they may be, and where errors say they stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.inputs.json import parse_json_document
from undercroft.inputs.toml import parse_toml
from undercroft.inputs.values import CheckedValue, format_path, format_value, in_file, quote_name

TOML = parse_toml('most = 9\nsize = [1, 5]\ntags = ["a", "a"]\nkind = "rom"\n[hall]\nlit = 1\n', "a.toml").root()
JSON = parse_json_document(
    '{"most": 9,\n "size": [1, 5],\n "tags": ["a", "a"],\n "kind": "rom",\n "hall":\n {"lit": 1}}',
    "a.json",
    limits.LAYOUT_BYTES,
).root()
FILE = in_file(JSON.value, "", "a.tmj")

CHECKS: dict[str, tuple[Callable[[CheckedValue], Any], str, str, str, str]] = {
    "a number out of range": (
        lambda root: root.key("most").integer(0, 7),
        "a.toml:1:8: 'most' is 9, which is out of range",
        "a.json:1:10: 'most' is 9, which is out of range",
        "a.tmj: at most: 9 is out of range",
        "use a whole number from 0 to 7",
    ),
    "no number": (
        lambda root: root.key("kind").integer(0, 7),
        "a.toml:4:8: 'kind' is a whole number, not \"rom\"",
        "a.json:4:10: 'kind' is a whole number, not \"rom\"",
        "a.tmj: at kind: a whole number belongs here, not 'rom'",
        "",
    ),
    "no truth": (
        lambda root: root.key("hall").key("lit").boolean(),
        "a.toml:6:7: 'lit' is true or false, not 1",
        "a.json:6:10: 'lit' is true or false, not 1",
        "a.tmj: at hall.lit: true or false belongs here, not 1",
        "",
    ),
    "no text": (
        lambda root: root.key("size").item(1).text("a tag"),
        "a.toml:2:12: a tag is a text, not 5",
        "a.json:2:14: a tag is a text, not 5",
        "a.tmj: at size[1]: a tag is a text, not 5",
        "",
    ),
    "no list": (
        lambda root: list(root.key("hall").items()),
        "a.toml:5:2: 'hall' is a list, not a table",
        "a.json:6:2: 'hall' is a list, not an object",
        "a.tmj: at hall: a list belongs here, not an object",
        "",
    ),
    "a short list": (
        lambda root: root.key("size").list(3),
        "a.toml:2:8: the list has 2 values where 3 belong",
        "a.json:2:10: the list has 2 values where 3 belong",
        "a.tmj: at size: the list has 2 values where 3 belong",
        "",
    ),
    "no table": (
        lambda root: root.subtable("size"),
        "a.toml:2:8: 'size' is a table, not [1, 5]",
        "a.json:2:10: 'size' is an object, not [1, 5]",
        "a.tmj: at size: an object belongs here, not [1, 5]",
        "",
    ),
    "an unknown key": (
        lambda root: root.key("hall").table(("lid", "dark")),
        "a.toml:6:1: unknown key 'lit'",
        "a.json:6:3: unknown key 'lit'",
        "a.tmj: at hall: unknown key 'lit'",
        "did you mean 'lid'?",
    ),
    "a missing key": (
        lambda root: root.key("hall").table(("lit", "dark"), needed=("dark",)),
        "a.toml:5:2: the key 'dark' is missing",
        "a.json:6:2: the key 'dark' is missing",
        "a.tmj: at hall: the key 'dark' is missing",
        "add it; the keys are lit, dark",
    ),
    "an unknown word": (
        lambda root: root.key("kind").choice(("room", "cave")),
        "a.toml:4:8: unknown kind 'rom'",
        "a.json:4:10: unknown kind 'rom'",
        "a.tmj: at kind: unknown kind 'rom'",
        "did you mean 'room'?",
    ),
    "no pair": (
        lambda root: root.key("size").pair(0, 4),
        "a.toml:2:8: 'size' is two whole numbers from 0 to 4, not [1, 5]",
        "a.json:2:10: 'size' is two whole numbers from 0 to 4, not [1, 5]",
        "a.tmj: at size: two whole numbers from 0 to 4 belongs here, not [1, 5]",
        "for example size = [0, 1]",
    ),
    "a word twice": (
        lambda root: root.key("tags").words(),
        "a.toml:3:14: 'a' is listed twice",
        "a.json:3:16: 'a' is listed twice",
        "a.tmj: at tags[1]: 'a' is listed twice",
        "take one of them out",
    ),
    "a word that is not there": (
        lambda root: root.key("tags").words(("b",)),
        "a.toml:3:9: unknown word in 'tags': 'a'",
        "a.json:3:11: unknown word in 'tags': 'a'",
        "a.tmj: at tags[0]: unknown word in 'tags': 'a'",
        "one of: b",
    ),
}


@pytest.mark.parametrize("name", CHECKS)
def test_each_source_says_where_a_wrong_value_stands(name: str) -> None:
    check, *said, fix = CHECKS[name]
    for root, sentence in zip((TOML, JSON, FILE), said, strict=True):
        with pytest.raises(BadInput) as caught:
            check(root)
        assert str(caught.value).split("\n")[0] == sentence
        assert caught.value.fix.startswith(fix)
        assert caught.value.fix


def test_what_is_right_passes() -> None:
    for root in (TOML, JSON, FILE):
        assert root.key("most").integer(0, 9) == 9
        assert root.key("size").pair(0, 5) == (1, 5)
        assert root.key("kind").choice(("rom", "room")) == "rom"
        assert root.key("about", "none").text() == "none"
        assert root.subtable("nothing").value == {}
        assert [item.value for item in root.key("size").items()] == [1, 5]


def test_half_a_character_is_refused_in_files() -> None:
    with pytest.raises(BadInput, match=r"the text 'a\\ud800' holds half a character"):
        in_file("a\ud800", "title", "a.json").text()


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        (True, "true"),
        (0.5, "0.5"),
        ('a"b', '"a"b"'),
        ("é\x1b\n", r'"é\x1b\n"'),
        ([], "[]"),
        ((1, [2, "x"], {"a": 1}), '[1, [2, "x"], a table]'),
        ("x" * 80, '"' + "x" * 56 + "..."),
        ("x" * 58, '"' + "x" * 58 + '"'),
    ],
)
def test_values_are_shown_as_they_are_written(value: object, shown: str) -> None:
    assert format_value(value) == shown


def test_large_values_are_not_walked_through() -> None:
    deep: list[Any] = []
    for _ in range(50):
        deep = [deep] * 1000
    assert len(format_value(deep)) == 60
    assert len(format_value([0] * 1_000_000)) == 60


def test_names_stand_in_single_quotes() -> None:
    assert [quote_name(value) for value in ("a", 3, {"b": 1})] == ["'a'", "3", "an object"]


def test_another_value_keeps_the_path() -> None:
    noted = in_file({}, "layers[2]", "a").replaced({"x": 1}, ": object 7").key("x")
    assert (format_path(noted.path), noted.value, str(noted.place())) == ("layers[2]: object 7.x", 1, "a:1:1")
