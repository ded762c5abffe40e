"""What furnished things hold: data, and a sentence made from it."""

from __future__ import annotations

from typing import Any

import pytest

import undercroft as uc
from undercroft.core.thing_data import format_contents
from undercroft.errors import BadInput
from undercroft.formats import dump, loads
from undercroft.things.read_things import parse_things


def test_what_furnished_things_hold_is_data() -> None:
    holding = 0
    for seed in range(4):
        level = uc.generate("cozy", seed=seed)
        for data in (thing.data for thing in level.things):
            assert ("contents" in data) == ("holds" in data)
            contents: tuple[Any, ...] = data.get("contents", ())
            assert data.get("holds", "") == format_contents(contents)
            assert len({entry["item"] for entry in contents}) == len(contents)
            assert all({*entry} == {"item", "count"} and entry["count"] >= 1 for entry in contents)
            holding += bool(contents)
        for name in ("json", "npz", "tmx", "tmj", "ldtk"):
            assert loads(dump(level, name), name, "a").things == level.things
        assert level.replace(title="x").things == level.things
    assert holding > 80


def test_a_thing_holds_no_more_different_items_than_its_data_may() -> None:
    items = "".join(f"[item.i{number}]\nsort = 'all'\n" for number in range(70))
    whole = items + "[thing.box]\nholds = ['all']\ncount = [0, {most}]\n[any]\nthings = {{ box = 1 }}\n"
    assert parse_things(whole.format(most=64), "boxes.toml").types["box"].held == (0, 64)
    with pytest.raises(BadInput) as caught:
        parse_things(whole.format(most=65), "boxes.toml")
    assert str(caught.value).startswith("boxes.toml:142:9: 'box' may hold 65 different items; the limit is 64")
    assert caught.value.fix == "lower its count, or name fewer items"
    few = whole.replace("holds = ['all']", "holds = ['i1']").format(most=100)
    assert parse_things(few, "boxes.toml").types["box"].held == (0, 100)
