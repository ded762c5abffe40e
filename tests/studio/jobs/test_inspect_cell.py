"""What the page is told of a cell: its room with the text of the printed key, its door, links and things."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from support.studio_pages import Page, source
from undercroft.analysis.edits import apply_edits
from undercroft.core.frozen import thaw
from undercroft.core.region import Thing
from undercroft.draw.styles.printed.room_key import build_key
from undercroft.draw.view.level_view import LevelView
from undercroft.studio.jobs.inspect_cell import describe_cell
from undercroft.things.shipped import load_things

CELLAR = """
    ###########
    #11111#222#
    #11111+222#
    #1111<#222#
    ###########
"""


def test_the_rooms_of_a_level_have_the_text_of_their_printed_key() -> None:
    level = uc.generate("cozy", seed=3)
    view = LevelView(level)
    key = {entry.number: entry for entry in build_key(view, frozenset({"things"}))}
    told = 0
    for room in view.labels:
        y, x = np.argwhere(level.regions.labels == room.label)[0].tolist()
        found = describe_cell(level, (x, y))["room"]
        assert (found["number"], found["name"], found["key"]) == (
            room.number,
            key[room.number].name,
            key[room.number].told,
        )
        told += len(found["key"])
    assert told > len(view.labels), "else nothing was told"


def test_a_cell_tells_its_things_door_and_links() -> None:
    level = uc.survey(uc.Level.parse(CELLAR))
    chest = Thing("chest", 2, 2, {"gold": 7, "locked": True, "contents": [{"item": "rope", "count": 2}]})
    level = apply_edits(level, [], placed=[chest, Thing("one-way", 6, 2, {"to": "E"}), Thing("rat", 2, 2)])
    found = describe_cell(level, (2, 2))
    assert found["things"] == [
        {
            "kind": "chest",
            "x": 2,
            "y": 2,
            "data": {"contents": [{"count": 2, "item": "rope"}], "gold": 7, "locked": True},
        },
        {"kind": "rat", "x": 2, "y": 2, "data": {}},
    ]
    assert found["links"] == [{"kind": "one-way", "way": "out", "to": "2", "at": (6, 2)}]
    assert found["door"] is None
    assert describe_cell(level, (8, 2))["links"] == [{"kind": "one-way", "way": "in", "to": "1", "at": (6, 2)}]
    door = describe_cell(level, (6, 2))
    assert door["door"] == {"state": "closed", "to": "E", "between": ["1", "2"]}
    assert (door["room"], door["links"]) == (None, [])
    assert [thing["kind"] for thing in door["things"]] == ["one-way"]


def test_the_page_gets_a_cell_and_the_kinds_of_things(page: Page) -> None:
    placed = [{"kind": "old boot", "x": 3, "y": 2, "data": {"size": 43}}]
    given = source("cozy", seed="3", placed=placed)
    head, _ = page.answer("inspect", at=[3, 2], **given)
    assert {"kind": "old boot", "x": 3, "y": 2, "data": {"size": 43}} in head["things"]
    made, _ = page.answer("make", measures=[], **given)
    kinds = {thing["kind"] for thing in made["things"]} | set(load_things("dungeon").types)
    assert head["kinds"] == sorted(kinds)
    without, _ = page.answer("inspect", **given)
    assert without["kinds"] == head["kinds"]
    assert "room" not in without


def test_a_recipe_without_a_set_of_things_offers_the_set_of_ours(page: Page) -> None:
    assert page.answer("inspect", **source("cave"))[0]["kinds"] == sorted(load_things("dungeon").types)


def test_an_edited_thing_is_the_thing_of_the_level(page: Page) -> None:
    """A thing is changed by its removal and its placement anew: what the page was told of it comes back the same."""
    given = source("cozy", seed="3")
    thing = next(thing for thing in uc.generate("cozy", seed=3).things if thing.data.get("contents"))
    told = next(
        one
        for one in page.answer("inspect", at=[thing.x, thing.y], **given)[0]["things"]
        if one["kind"] == thing.kind and one["data"] == thaw(thing.data)
    )
    removed = [{key: told[key] for key in ("kind", "x", "y")}]
    again, _ = page.answer("inspect", at=[thing.x, thing.y], **given, placed=[told], removed=removed)
    assert again["things"][-1] == told


@pytest.mark.parametrize("at", [[60, 0], [0, -1], [1 << 40, 2]])
def test_a_cell_outside_of_the_level_is_refused(page: Page, at: list[int]) -> None:
    refused = page.problem("inspect", at=at, **source("cave", size=[60, 40]))
    assert "outside the level" in refused["problem"]
