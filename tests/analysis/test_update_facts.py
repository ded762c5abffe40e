"""Facts after tiles changed: what was not touched stays, the rest is what a survey finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undercroft as uc
from undercroft.analysis.survey import SurveyResult, add_doors_and_links, classify_cells, survey_tiles
from undercroft.analysis.update_facts import KnownFacts, has_same_ground, restore_facts, update_facts
from undercroft.core.draft import TILE_FACTS, Draft
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.core.run import Run
from undercroft.recipe.catalogue import names

CLOSED = ("wall", "water", "pillar", "void")
OPEN = ("floor", "corridor", "door", "locked door", "secret door", "opening")


def change(level: Level, cells: dict[int, str]) -> tuple[Draft, KnownFacts, Run]:
    draft, run = Draft.of(level), Run()
    before = KnownFacts.of(draft)
    for cell, name in cells.items():
        draft.tiles.reshape(-1)[cell] = draft.palette.code(name)
    update_facts(draft, before, run)
    return draft, before, run


def labels_by_cells(labels: np.ndarray) -> set[frozenset[int]]:
    flat = labels.reshape(-1)
    return {frozenset(np.flatnonzero(flat == label).tolist()) for label in np.unique(flat[flat > 0])}


def link_ends(known: Draft | SurveyResult) -> list[tuple[object, ...]]:
    return sorted(
        (*sorted((link.a, link.b)), link.kind, *(known.doors[link.door][:2] if link.door >= 0 else ()))
        for link in known.links
    )


@pytest.mark.parametrize("name", names())
def test_facts_that_were_forgotten_are_restored_exactly_on_the_same_map(name: str) -> None:
    for seed in range(3):
        level = uc.generate(name, seed=seed)
        draft = Draft.of(level)
        before = KnownFacts.of(draft)
        layers = {key: draft.layers[key] for key in TILE_FACTS if key in draft.layers}
        draft.forget(TILE_FACTS)
        restore_facts(draft, before, Run())
        draft.layers.update(layers)
        assert draft.level(level.provenance) == level


@st.composite
def drawn_maps(draw: st.DrawFn) -> Level:
    width, height = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    codes = [STANDARD.code(name) for name in ("wall", "wall", "floor", "floor", "corridor", "door", "secret door")]
    cells = draw(st.lists(st.sampled_from(codes), min_size=width * height, max_size=width * height))
    return uc.survey(Level(np.array(cells, np.uint8).reshape(height, width)))


@given(level=drawn_maps(), data=st.data())
def test_after_cells_were_closed_the_facts_are_those_of_a_new_survey(level: Level, data: st.DataObject) -> None:
    cells = data.draw(st.dictionaries(st.integers(0, level.tiles.size - 1), st.sampled_from(CLOSED), max_size=20))
    draft, _, _ = change(level, cells)
    found = survey_tiles(draft.tiles, draft.palette)
    if not len(level.regions):
        assert draft.regions is None
        return
    assert draft.regions is not None
    assert labels_by_cells(draft.regions.labels) == labels_by_cells(found.regions.labels)
    assert sorted((door.x, door.y, door.state) for door in draft.doors) == sorted(
        (door.x, door.y, door.state) for door in found.doors
    )
    assert link_ends(draft) == link_ends(add_doors_and_links(draft.regions, classify_cells(draft.tiles, draft.palette)))


@given(level=drawn_maps(), data=st.data())
def test_after_any_change_the_facts_are_those_of_a_survey_with_the_kept_rooms(
    level: Level, data: st.DataObject
) -> None:
    cells = data.draw(
        st.dictionaries(st.integers(0, level.tiles.size - 1), st.sampled_from((*CLOSED, *OPEN)), max_size=20)
    )
    draft, before, _ = change(level, cells)
    if draft.regions is None:
        assert not len(level.regions)
        return
    kinds = classify_cells(draft.tiles, draft.palette)
    labels = draft.regions.labels
    assert np.array_equal(labels > 0, (kinds == 1) | (kinds == 2)), "all ground, and nothing else, is in a region"
    whole = survey_tiles(draft.tiles, draft.palette).regions.labels
    for cells_of_one in labels_by_cells(labels):
        there = sorted(cells_of_one)
        assert len(set(whole.reshape(-1)[there].tolist())) == 1, "a region lies in one region of a survey"
        assert len({before.regions.labels.reshape(-1)[cell] for cell in there} - {0}) <= 1  # type: ignore[union-attr]
    found = add_doors_and_links(draft.regions, kinds)
    assert found.regions == draft.regions
    assert sorted(map(tuple, draft.doors)) == sorted(map(tuple, found.doors))

    assert link_ends(draft) == link_ends(found)
    table = draft.regions.table
    assert np.array_equal(np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:], table["area"])


def test_tiles_that_a_walker_takes_for_the_same_spoil_nothing() -> None:
    level = uc.generate("cozy", seed=3)
    wall, water = (level.palette.code(name) for name in ("wall", "water"))
    draft = Draft.of(level)
    before = KnownFacts.of(draft)
    draft.tiles[draft.tiles == wall] = water
    assert has_same_ground(draft, before)
    update_facts(draft, before, Run())
    assert draft.level() == level.replace(tiles=draft.tiles)


def test_links_over_corridors_stay_until_nothing_leads_there() -> None:
    level = uc.generate("tinykeep", seed=4)
    corridors = np.flatnonzero(level.palette.role_mask("corridor")[level.tiles].reshape(-1))
    draft, _, _ = change(level, {int(corridors[0]): "wall"})
    kept = {(link.a, link.b) for link in draft.links}
    assert sum((link.a, link.b) in kept for link in level.links) >= len(level.links) - 2
    draft, _, _ = change(level, dict.fromkeys(corridors.tolist(), "wall"))
    assert draft.regions is not None
    whole = survey_tiles(draft.tiles, draft.palette).regions.labels
    for link in draft.links:
        parts = [set(whole[draft.regions.labels == label].tolist()) for label in (link.a, link.b)]
        assert parts[0] == parts[1], "a link that is left leads over ground"


def test_a_name_that_is_lost_and_an_end_that_is_gone_are_said() -> None:
    level = uc.survey(Level.parse("#######\n#<.#.>#\n#######"))
    draft = Draft.of(level)
    draft.regions.names[2] = "Crypt"  # type: ignore[union-attr]
    named = draft.level()
    draft, _, run = change(named, {11: "wall", 12: "wall"})
    assert (draft.start, draft.end) == ((1, 1), None)
    assert run.notes == [
        "1 room with a name is no longer there: Crypt",
        "the end at (5, 1) was written over, so there is none",
    ]


@pytest.mark.parametrize(
    ("picture", "cells", "start", "end"),
    [
        ("#...#", {1: "stairs up", 3: "stairs down"}, (1, 0), (3, 0)),
        ("#<..#", {1: "floor", 3: "stairs up"}, (3, 0), None),
        ("#<..#", {1: "floor"}, None, None),
        ("#<..#", {3: "stairs up"}, (1, 0), None),
        ("#...#", {1: "stairs up", 3: "stairs up"}, None, None),
        ("#..>#", {3: "wall"}, None, None),
        ("#<.>#", {2: "corridor"}, (1, 0), (3, 0)),
    ],
)
def test_stairs_that_are_written_are_the_ends(picture: str, cells: dict[int, str], start: object, end: object) -> None:
    draft, _, _ = change(Level.parse(picture), cells)
    assert (draft.start, draft.end) == (start, end)


def test_stairs_that_are_taken_away_are_said() -> None:
    draft, _, run = change(Level.parse("#<..#"), {1: "floor"})
    assert draft.start is None
    assert run.notes == ["the stairs of the start at (1, 0) were written over, so there is none"]


def test_a_path_ends_where_the_stairs_are() -> None:
    level = uc.generate("cave", seed=2, size=(40, 24))
    assert level.start is not None
    free = next(tuple(cell) for cell in level.path[5:].tolist())
    before = level.start[1] * level.width + level.start[0]
    draft, _, _ = change(level, {before: "floor", free[1] * level.width + free[0]: "stairs up"})
    assert draft.start == free
    assert draft.path is not None
    assert (tuple(draft.path[0]), tuple(draft.path[-1])) == (free, level.end)


def test_a_one_way_door_that_is_taken_away_is_a_door() -> None:
    level = Level.parse("#######\n#..+..#\n#######")
    level = uc.survey(level.replace(things=[Thing("one-way", 3, 1, {"to": "E"})]))
    assert [link.kind for link in level.links] == ["one-way"]
    draft = Draft.of(level)
    before = KnownFacts.of(draft)
    draft.things = []
    update_facts(draft, before, Run())
    assert [link.kind for link in draft.links] == ["door"]
