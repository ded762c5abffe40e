"""The data of things: what may stand in it, what is refused and in which words, and what things hold."""

from __future__ import annotations

import copy
import enum
import math
import pickle
from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.levels import DATA, JSON, PLAIN, WORDS
from support.thing_data import DATA_MISTAKES, ENTRIES, LETTERS
from undercroft.core.frozen import ReadOnlyDict, thaw
from undercroft.core.region import Thing
from undercroft.core.thing_data import NO_DATA, ThingData, describe_contents, format_contents, list_contents
from undercroft.errors import BadInput


class Colour(enum.StrEnum):
    RED = "red"


class Size(enum.IntEnum):
    LARGE = 3


@pytest.mark.parametrize(("value", "where", "problem", "fix"), DATA_MISTAKES, ids=count())
def test_what_no_file_can_hold_is_refused(value: Any, where: str, problem: str, fix: str) -> None:
    makers: list[Callable[[], object]] = [
        lambda: Thing("chest", 5, 2, {"gold": 7, "loot": value}),
        lambda: Thing("chest", 5, 2)._replace(data={"loot": value}),
        lambda: Thing._make(["chest", 5, 2, {"loot": value}]),
        lambda: Thing("chest", 5, 2, ReadOnlyDict(loot=value)),
    ]
    for make in makers:
        with pytest.raises(BadInput) as caught:
            make()
        assert caught.value.problem.startswith(f"the data of the chest at (5, 2), at {where}: ")
        assert problem in caught.value.problem
        assert caught.value.fix.startswith(fix)


@pytest.mark.parametrize("data", [None, [], "a", 3, [("a", 1)], np.zeros(3)])
def test_data_is_a_table(data: Any) -> None:
    with pytest.raises(BadInput, match=r"the data of the chest at \(5, 2\): a table belongs here, not"):
        Thing("chest", 5, 2, data)


@pytest.mark.parametrize("key", [3, None, b"a", ("a",), "\ud800", "k" * (LETTERS + 1)])
def test_names_in_data_are_texts(key: Any) -> None:
    with pytest.raises(BadInput):
        Thing("chest", 5, 2, {key: 1})


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (3, "is a text, not 3"),
        (None, "is a text, not null"),
        (["chest"], 'is a text, not ["chest"]'),
        ("rat \ud800", "holds half a character"),
        ("é" * (LETTERS + 1), "the text has 65,537 letters"),
    ],
)
def test_a_kind_is_a_text(kind: Any, problem: str) -> None:
    with pytest.raises(BadInput) as caught:
        Thing(kind, 5, 2)
    assert caught.value.problem.startswith("the kind of the thing at (5, 2)")
    assert problem in caught.value.problem
    assert type(Thing(np.str_("rät"), 5, 2).kind) is type(Thing(Colour.RED, 5, 2).kind) is str


def test_a_long_kind_is_cut_in_the_error() -> None:
    with pytest.raises(BadInput) as caught:
        Thing("k" * 10_000, 0, 0, {"loot" * 1000: None})
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "value",
    [
        *([0] * ENTRIES, "x" * LETTERS, 10**39 - 1, -(10**39) + 1, 5e-324, -0.0, "", [], {}, [{}], "\x00"),
        *({str(k): k for k in range(ENTRIES)}, [{str(k): k for k in range(ENTRIES)}] * ENTRIES),
    ],
)
def test_the_limits_themselves_are_allowed(value: Any) -> None:
    assert thaw(Thing("chest", 5, 2, {"loot": value}).data) == {"loot": value}


def test_values_become_those_of_plain_python() -> None:
    given = [np.int64(3), np.float32(0.5), np.bool_(True), np.str_("a"), Colour.RED, Size.LARGE, True]
    (found,) = Thing("chest", 5, 2, {"loot": given}).data.values()
    assert found == (3, 0.5, True, "a", "red", 3, True)
    assert [type(value) for value in found] == [int, float, bool, str, str, int, bool]


def test_data_is_frozen_and_shared_with_nobody() -> None:
    entry = {"item": "rope", "count": 1}
    given = {"contents": [entry]}
    thing = Thing("chest", 5, 2, given)
    entry["count"] = 9
    given["contents"].append({})
    assert thing.data == {"contents": ({"item": "rope", "count": 1},)}
    with pytest.raises(TypeError, match="cannot be changed"):
        thing.data["a"] = 1  # type: ignore[index]
    with pytest.raises(TypeError, match="cannot be changed"):
        thing.data["contents"][0]["count"] = 2


@given(DATA)
def test_data_stays_what_it_is(data: dict[str, Any]) -> None:
    thing = Thing("chest", 5, 2, data)
    assert type(thing.data) is ThingData
    assert thaw(thing.data) == data
    assert thing == Thing("chest", 5, 2, thing.data) == thing._replace(x=5) == Thing._make(thing)
    assert Thing("chest", 5, 2, thing.data).data is thing.data
    for again in (pickle.loads(pickle.dumps(thing)), copy.copy(thing), copy.deepcopy(thing)):
        assert again == thing
        assert type(again.data) is ThingData
    assert repr(thing) == f"Thing(kind='chest', x=5, y=2, data={thing.data!r})"
    assert Thing("chest", 5, 2).data is Thing("chest", 5, 2, {}).data is NO_DATA


def is_plain(value: object) -> bool:
    return isinstance(value, (str, bool, int, float)) and value == value and value not in (math.inf, -math.inf)


def is_flat(value: object) -> bool:
    return isinstance(value, dict) and all(map(is_plain, value.values()))


def may_stand(value: object) -> bool:
    """The law of data, as the documentation says it."""
    if isinstance(value, list):
        return all(is_plain(entry) or is_flat(entry) for entry in value)
    return is_plain(value) or is_flat(value)


@given(st.dictionaries(WORDS, JSON | st.floats() | st.lists(PLAIN | JSON, max_size=4), max_size=3))
def test_the_law_against_a_plain_reading_of_it(data: dict[str, Any]) -> None:
    if all(map(may_stand, data.values())):
        assert thaw(Thing("chest", 5, 2, data).data) == data
    else:
        with pytest.raises(BadInput, match="the data of the chest"):
            Thing("chest", 5, 2, data)


# --- what things hold ---


@pytest.mark.parametrize(
    ("data", "held"),
    [
        ({}, []),
        ({"contents": []}, []),
        ({"contents": [{"item": "rope", "count": 1}, {"item": "torch", "count": 2}]}, ["rope", "torch x2"]),
        ({"contents": [{"item": "rope"}, "a map", {"item": "oil, black"}]}, ["rope", "a map", "oil, black"]),
        ({"contents": [{"item": 3}, {}, 7, True, {"item": "rope", "count": "two"}]}, ["rope"]),
        ({"contents": ["rope"], "holds": "sand"}, ["rope"]),
        ({"contents": {"item": "rope"}, "holds": "sand, salt"}, ["sand", "salt"]),
        ({"holds": ["sand"]}, []),
        ({"holds": " sand ,, "}, ["sand"]),
    ],
)
def test_what_a_thing_holds(data: dict[str, Any], held: list[str]) -> None:
    found = Thing("chest", 0, 0, data).data
    assert list_contents(found) == held
    assert describe_contents(found) == ", ".join(held)
    if isinstance(data.get("contents"), list):
        assert format_contents(data["contents"]) == ", ".join(held)
