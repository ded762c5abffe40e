"""What a level holds cannot be changed, however deep."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import undercroft as uc
from support.levels import JSON, levels
from undercroft import formats
from undercroft.core.frozen import EMPTY_TABLE, ReadOnlyDict, freeze, thaw
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.thing_data import NO_DATA

CHANGES: list[Callable[[Any], object]] = [
    lambda table: table.__setitem__("a", 2),
    lambda table: table.__delitem__("a"),
    lambda table: table.__ior__({"b": 1}),
    lambda table: table.clear(),
    lambda table: table.pop("a"),
    lambda table: table.popitem(),
    lambda table: table.setdefault("b", 1),
    lambda table: table.update(b=1),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_read_only_table_refuses_every_change(change: Callable[[Any], object]) -> None:
    table = ReadOnlyDict(a=1)
    with pytest.raises(TypeError, match="cannot be changed"):
        change(table)
    assert table == {"a": 1}


def test_every_method_of_a_dict_that_changes_it_is_refused() -> None:
    reading = {"get", "items", "keys", "values", "copy", "fromkeys"}
    changing = {name for name in vars(dict) if not name.startswith("_")} - reading
    assert all(getattr(ReadOnlyDict, name) is ReadOnlyDict.clear for name in changing)


@given(JSON)
def test_frozen_data_is_the_same_data(value: Any) -> None:
    frozen = freeze(value)
    assert json.dumps(frozen) == json.dumps(value)
    assert thaw(frozen) == value
    assert freeze(frozen) == frozen
    assert pickle.loads(pickle.dumps(frozen)) == copy.deepcopy(frozen) == frozen


def test_what_is_given_to_a_read_only_table_is_frozen() -> None:
    inner = [1]
    level = Level(np.zeros((1, 1), np.uint8), things=[Thing("key", 0, 0, ReadOnlyDict(opens=inner))])
    inner.append(2)
    opens: Any = level.things[0].data["opens"]
    assert opens == (1,)


def test_things_share_no_data() -> None:
    """A default that is one dict for all things would show a change in other levels."""
    first, second = uc.generate("cozy", seed=1), uc.generate("cozy", seed=2)
    for level in (first, second):
        with pytest.raises(TypeError, match="cannot be changed"):
            level.things[0].data["looted"] = True  # type: ignore[index]
    assert Thing("skull", 0, 0).data is NO_DATA
    with pytest.raises(TypeError, match="cannot be changed"):
        Thing("skull", 0, 0).data["looted"] = True  # type: ignore[index]


def test_a_level_keeps_no_list_of_its_maker() -> None:
    names = ["red"]
    provenance = {"recipe": "x", "params": {"layouts": names, "deep": [[names]]}}
    level = Level(np.zeros((1, 1), np.uint8), things=[Thing("key", 0, 0, {"opens": names})], provenance=provenance)
    names.append("blue")
    provenance["seed"] = "7"
    opens: Any = level.things[0].data["opens"]
    assert opens == ("red",)
    assert level.provenance == {"recipe": "x", "params": {"layouts": ("red",), "deep": ((("red",),),)}}


@pytest.mark.parametrize("recipe", ["cozy", "tinykeep", "grammar", "isaac"])
def test_nothing_in_a_level_can_be_changed(recipe: str) -> None:
    """Follow every value from a level: each is of a type that cannot change."""
    level = uc.generate(recipe, seed=3)
    with pytest.raises(TypeError):
        level.layers["x"] = level.tiles  # type: ignore[index]
    plain = (int, float, str, bool, type(None), uc.Palette)
    waiting: list[Any] = [
        level.things,
        level.provenance,
        level.regions.tags,
        level.regions.templates,
        level.regions.names,
        level.start,
        level.end,
    ]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ReadOnlyDict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, tuple):
            waiting += value
        else:
            assert isinstance(value, plain), type(value)


@pytest.mark.parametrize("name", ["json", "npz", "tmj", "tmx", "ldtk"])
@pytest.mark.parametrize("recipe", ["cozy", "rooms-and-mazes", "tinykeep"])
def test_saving_and_loading_gives_an_equal_level(name: str, recipe: str) -> None:
    level = uc.generate(recipe, seed=5)
    found = formats.loads(formats.dump(level, name), name)
    assert found.things == level.things
    assert found.provenance == level.provenance
    assert type(found.provenance) is ReadOnlyDict


@given(levels())
def test_any_level_is_equal_after_json(level: Level) -> None:
    found = formats.loads(formats.dump(level, "json"), "json")
    assert found == level
    assert found.provenance == level.provenance


def test_no_attribute_of_a_level_and_its_tables_can_be_set() -> None:
    level = uc.generate("cozy", seed=3)
    for owner, names in (
        (level, ["tiles", "regions", "things", "provenance"]),
        (level.regions, ["labels", "table", "tags", "names", "templates"]),
        (level.doors, ["table"]),
        (level.links, ["table"]),
        (Level.parse("#.#").doors, ["table"]),
        (level.palette, ["tiles", "name", "walkable", "roles"]),
    ):
        for name in names:
            with pytest.raises(AttributeError, match=r"cannot be set|frozen"):
                setattr(owner, name, None)
    with pytest.raises(TypeError):
        EMPTY_TABLE["x"] = 1
    EMPTY_TABLE.__init__(x=1)  # type: ignore[misc]
    assert EMPTY_TABLE == {}


def test_a_draft_has_tables_of_its_own() -> None:
    level = uc.generate("cozy", seed=3)
    before = dict(level.regions.tags)
    draft = uc.Draft.of(level)
    assert draft.regions is not None
    draft.regions.tags[1] = ("mine",)
    draft.regions.names[1] = "Mine"
    assert level.regions.tags == before
    assert draft.level().regions.tags[1] == ("mine",)
