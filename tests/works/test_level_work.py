"""Works are read with every value checked, and written the same whoever writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.works import FORMAT, load_vectors, work_data, work_of
from undercroft import limits
from undercroft.analysis.edits import ThingSpot
from undercroft.core.region import Thing
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.works.level_work import format_work, read_work

MAP: dict[str, Any] = {"format": "undercroft-level/1", "size": [3, 1], "tiles": ["#.#"]}
MISTAKES: list[tuple[dict[str, Any], str, str]] = [
    ({"format": "undercroft-work/9"}, "format", "this program reads version 1"),
    ({"format": "undercroft-level/1"}, "", "does not say that it is undercroft-work/1"),
    ({"format": None}, "", "does not say that it is undercroft-work/1"),
    ({"recipe": None}, "", "either a recipe or a map, and this has neither"),
    ({"map": MAP}, "", "either a recipe or a map, and this has both"),
    ({"recipe": 7}, "recipe", "'recipe' is a text, not 7"),
    *(
        ({"recipe": name}, "recipe", "neither the name of a recipe nor a path in a project")
        for name in ("/etc/passwd", "../up.toml", "a/../../b.toml", "a\\b.toml", "a\nb", "./a.toml", "a//b.toml", "")
    ),
    ({"text": ["a"]}, "text", "'text' is a text, not"),
    ({"seed": 7}, "seed", "'seed' is a text, not 7"),
    ({"seed": "-3"}, "seed", "a seed is"),
    ({"size": [4]}, "size", "the list has 1 values where 2 belong"),
    ({"size": [4, 0]}, "size.1", "is 0, which is out of range"),
    ({"size": [4, 2**40]}, "size.1", "out of range"),
    ({"params": []}, "params", "'params' is an object, not []"),
    ({"params": {"a": None}}, "params.a", "a text, a number or a truth value"),
    ({"params": {"a": [[1]]}}, "params.a.0", "a text, a number or a truth value"),
    ({"params": {"a": 2**53}}, "params.a", "they go to 9,007,199,254,740,991"),
    ({"until": "loops"}, "until", "'until' is a list"),
    ({"until": [3]}, "until.0", "is a text, not 3"),
    ({"tries": 0}, "tries", "'tries' is 0, which is out of range"),
    ({"tries": 10**9}, "tries", "out of range"),
    ({"attempt": -1}, "attempt", "out of range"),
    ({"keep": {"cells": [[1, 1]]}}, "keep", "the key 'map' is missing"),
    ({"keep": {"map": MAP}}, "keep", "the key 'cells' is missing"),
    ({"keep": {"cells": [[1]], "map": MAP}}, "keep.cells.0", "1 values where 2 belong"),
    ({"keep": {"cells": [[-1, 1]], "map": MAP}}, "keep.cells.0.0", "is -1, which is out of range"),
    ({"keep": {"cells": [[0, 10**6]] * 2, "map": MAP}}, "", "the number of cells in 'cells' is 2,000,000"),
    ({"keep": {"cells": [[0, 1]], "map": {**MAP, "size": [4, 1]}}}, "keep.map.tiles.0", "the row has 3 glyphs"),
    ({"keep": {"cells": [[0, 1]], "map": {**MAP, "size": [2**19, 2**19]}}}, "", "the number of cells of 524288x524288"),
    ({"keep": {"cells": [[0, 1]], "map": {**MAP, "tiles": ["#!#"]}}}, "keep.map.tiles.0", "unknown glyph"),
    ({"keep": 3}, "keep", "'keep' is an object, not 3"),
    ({"marked": [[0, 0]]}, "marked.0.1", "is 0, which is out of range"),
    ({"edits": [[0, "wall"]]}, "edits.0", "2 values where 3 belong"),
    ({"edits": [[0, 1, 5]]}, "edits.0.2", "is a text, not 5"),
    ({"edits": [[0, 10**7, "wall"]]}, "", "the number of painted cells is 10,000,000"),
    ({"placed": {}}, "placed", "'placed' is a list"),
    ({"placed": [{"kind": "key", "x": 1}]}, "placed.0", "the key 'y' is missing"),
    ({"placed": [{"kind": "key", "x": 1, "y": -1}]}, "placed.0.y", "out of range"),
    ({"placed": [{"kind": "ä" * 70_000, "x": 1, "y": 1}]}, "placed.0", "70,000 letters"),
    ({"placed": [{"kind": "key", "x": 1, "y": 1, "data": {"a": {"b": {}}}}]}, "placed.0.data.a.b", "belongs here"),
    ({"removed": [{"kind": 1, "x": 1, "y": 1}]}, "removed.0.kind", "'kind' is a text, not 1"),
    ({"view": "ink"}, "view", "'view' is an object"),
    ({"editions": {"noise": 0}}, "editions.noise", "out of range"),
    ({"floors": [2**60]}, "floors.0", "the number is too large"),
]


@pytest.mark.parametrize(("change", "path", "words"), MISTAKES)
def test_a_mistake_is_named_with_its_place(change: dict[str, Any], path: str, words: str) -> None:
    data = {key: value for key, value in work_data(**change).items() if value is not None}
    text = json.dumps(data, indent=2)
    with pytest.raises(UndercroftError) as error:
        read_work(text, "a.work.json")
    assert words in error.value.problem
    assert error.value.fix
    if path:
        assert error.value.place is not None
        line = text.split("\n")[error.value.place.line - 1][error.value.place.column - 1 :]
        value: Any = data
        for key in path.split("."):
            value = value[int(key) if isinstance(value, list) else key]
        assert line.startswith(json.dumps(value)[:1])


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "7", '"undercroft-work/1"', "{", '{"format": "undercroft-work/1"', "[" * 10**5, '{"a":' * 10**4],
)
def test_what_is_no_work_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        read_work(text, "a.work.json")


def test_a_number_beyond_all_bounds_is_refused_at_its_place() -> None:
    with pytest.raises(BadInput, match=r"a\.work\.json:1:60: the number is too large"):
        read_work(f'{{"format": "{FORMAT}", "recipe": "cave", "x": [0, 1e999]}}', "a.work.json")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(BadInput, match="half a character"):
        read_work(f'{{"format": "{FORMAT}", "recipe": "cave", "notes": "\\ud800"}}', "a.work.json")


def test_a_text_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(TooBig, match="its size in bytes"):
        read_work("[" * (limits.WORK_BYTES.value + 1), "a.work.json")


def test_all_that_it_says_is_there() -> None:
    work = work_of(
        text="[[step]]", size=[40, 20], params={"a": 0.5}, until=["loops >= 1"], tries=3, attempt=2, marked=[[4, 2]],
        edits=[[3, 2, "wall"], [1, 1, "door"]], placed=[{"kind": "key", "x": 1, "y": 2, "data": {"opens": "red"}}],
        removed=[{"kind": "orb", "x": 0, "y": 0}], keep={"cells": [[1, 1]], "map": MAP}, editions={"noise": 2},
    )  # fmt: skip
    assert (work.recipe, work.text, work.seed, work.size) == ("cave", "[[step]]", "7", (40, 20))
    assert (work.params, work.until, work.tries, work.attempt) == ({"a": 0.5}, ("loops >= 1",), 3, 2)
    assert work.by_hand.tiles == ((3, "wall"), (4, "wall"), (1, "door"))
    assert work.by_hand.placed == (Thing("key", 1, 2, {"opens": "red"}),)
    assert work.by_hand.removed == (ThingSpot("orb", 0, 0),)
    assert work.keep is not None
    assert str(work.keep.map) == "#.#"
    assert (work.keep.cells, work.marked, work.editions) == (((1, 1),), ((4, 2),), {"noise": 2})


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(-1e15, 1e15) | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KNOWN_KEYS = {
    "format",
    "recipe",
    "map",
    "text",
    "seed",
    "size",
    "params",
    "until",
    "tries",
    "attempt",
    "keep",
    "marked",
}
KNOWN_KEYS |= {"edits", "placed", "removed", "view", "editions", "file"}


@given(st.dictionaries(st.text(max_size=6).filter(lambda key: key not in KNOWN_KEYS), JSON_VALUES, max_size=4))
def test_keys_that_are_not_known_stay(more: dict[str, Any]) -> None:
    thing = {"kind": "key", "x": 1, "y": 2, "data": {"opens": "red"}}
    data = work_data(view={**more, "style": "ink"}, placed=[{**more, **thing}], **more)
    text = format_work(data)
    again = read_work(text, "a.work.json").data
    assert again == data
    assert format_work(again) == text


@pytest.mark.parametrize("name", load_vectors())
def test_texts_are_the_shared_ones(name: str) -> None:
    row = load_vectors()[name]
    assert format_work(row["data"]) == row["text"]
    assert read_work(row["text"], "a.work.json").data == row["data"]
