"""Rooms are numbered by steps from the start, and all that names them follows."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import undercroft as uc
from support.maps import after, draft_of, ground_tiles, soup, spans
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.passable import open_cells
from undercroft.core.region import Region, Regions, Thing
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.number import Number
from undercroft.steps.facts.survey import Survey

Key = tuple[bool, bool, int, int, int]


def slow_keys(level: Level) -> list[Key]:
    """For each region: corridors last, those out of reach after others, then steps, row and column of the nearest cell;
    by a plain flood.
    """
    cells, steps = open_cells(level), {}
    if level.start is not None:
        steps[level.start] = 0
        queue = deque([level.start])
        while queue:
            x, y = queue.popleft()
            for near in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
                inside = 0 <= near[0] < level.width and 0 <= near[1] < level.height
                if inside and near not in steps and cells[near[1], near[0]]:
                    steps[near] = steps[x, y] + 1
                    queue.append(near)
    keys = []
    for region in level.regions:
        own = [(int(x), int(y)) for y, x in np.argwhere(level.regions.labels == region.label)]
        reached = [(steps[cell], cell[1], cell[0]) for cell in own if cell in steps]
        first = min(reached) if reached else (0, own[0][1], own[0][0])
        keys.append((region.kind == "corridor", not reached, *first))
    return keys


@pytest.mark.parametrize("seeds", spans(30, quick=3, block=3))
@pytest.mark.parametrize("recipe", sorted(names()))
def test_every_recipe_numbers_its_rooms_from_the_start(recipe: str, seeds: range) -> None:
    sizes = (None, (41, 33), (40, 50))
    room_grid = "room grid" in Recipe.load(recipe).tags
    for seed in seeds:
        level = uc.generate(recipe, seed=seed, size=None if room_grid else sizes[seed % 3])
        keys = slow_keys(level)
        assert keys == sorted(keys)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("recipe", ["bsp", "cave", "galak-z", "maze"])
def test_so_does_what_follows_any_recipe(recipe: str, seed: int) -> None:
    level = uc.generate(recipe, seed=seed, then="inhabited")
    keys = slow_keys(level)
    assert keys == sorted(keys)


def test_floors_of_a_dungeon_are_numbered_from_their_arrival() -> None:
    dungeon = uc.Dungeon.generate("barrow", seed=4)
    for floor in dungeon.floors:
        keys = slow_keys(floor.level)
        assert keys == sorted(keys)


def described(level: Level) -> list[object]:
    """What is known of rooms, doors and links, by the boxes of rooms instead of their numbers."""

    def box(label: int) -> object:
        return tuple(level.regions[label - 1])[1:] if label else 0

    doors = [(door.x, door.y, door.state, *sorted(map(str, (box(door.a), box(door.b))))) for door in level.doors]
    links = []
    for link in level.links:
        pair = [str(box(link.a)), str(box(link.b))]
        links.append((link.kind, link.door, link.carved, *(pair if link.kind == "one-way" else sorted(pair))))
    cells = {
        str(box(region.label)): np.flatnonzero(level.regions.labels == region.label).tolist()
        for region in level.regions
    }
    return [doors, links, cells]


def tagged(draft: Draft) -> Draft:
    """The draft with tags, templates and names of its regions."""
    assert draft.regions is not None
    count = len(draft.regions)
    draft.regions = Regions(
        draft.regions.labels,
        draft.regions.table,
        {label: (f"tag {label}",) for label in range(1, count + 1, 2)},
        {label: f"room {label}" for label in range(1, count + 1, 3)},
        {label: f"Name {label}" for label in range(2, count + 1, 2)},
    )
    return draft


def test_all_that_names_rooms_follows() -> None:
    moved = 0
    for seed in range(100):
        draft = after(Ends(), after(Survey(), soup(seed, "#####...,+", 16)))
        if not len(draft.regions or ()):
            continue
        before = tagged(draft).level()
        now = after(Number(), Draft.of(before)).level()
        assert described(now) == described(before)
        assert slow_keys(now) == sorted(slow_keys(before))
        assert sorted(map(cells_first, now.regions)) == sorted(map(cells_first, before.regions))
        moved += now.regions != before.regions
        for link in now.links:
            assert link.kind == "one-way" or link.a <= link.b
        again = after(Number(), Draft.of(now)).level()
        assert again == now
    assert moved > 30


def cells_first(region: Region) -> tuple[object, ...]:
    return tuple(region)[1:]


def test_one_way_links_keep_their_direction() -> None:
    draft = after(Survey(), "...+...")
    draft.things = [Thing("one-way", 3, 0, {"to": "W"})]
    draft.start = (6, 0)
    draft = after(Survey(), draft)
    assert [(link.a, link.b, link.kind) for link in draft.links] == [(2, 1, "one-way")]
    draft = after(Number(), draft)
    assert [(link.a, link.b, link.kind) for link in draft.links] == [(1, 2, "one-way")]


def test_things_that_block_are_walked_around() -> None:
    drawn = """
        ########
        #1.,,22#
        ##,####.
        #33#####
        ########
    """
    draft = draft_of(drawn)
    draft.start = (1, 1)
    numbered = after(Number(), Draft.of(draft.level()))
    assert [room.y for room in numbered.regions or ()] == [1, 3, 1]
    draft = draft_of(drawn)
    draft.start, draft.things = (1, 1), [Thing("statue", 2, 2, {"blocks": True})]
    numbered = after(Number(), Draft.of(draft.level()))
    assert [room.y for room in numbered.regions or ()] == [1, 1, 3]


def test_without_a_start_in_reading_order() -> None:
    draft = after(Number(), "#22#11#\n#######\n#..333#")
    assert [(room.x, room.y) for room in draft.regions or ()] == [(1, 0), (4, 0), (3, 2)]


def test_maps_without_rooms_stay() -> None:
    draft = after(Number(), "####")
    assert draft.regions is None or not len(draft.regions)
    level = uc.generate("cave", seed=1)
    assert after(Number(), Draft.of(level)).level() == level
    assert ground_tiles(level).shape == level.tiles.shape


def test_a_bare_room_grid_is_numbered_along_its_links() -> None:
    for seed in range(20):
        level = uc.generate("isaac", seed=seed, expand=False)
        assert level.start is not None
        near = level.graph.neighbours
        steps = {int(level.regions.labels[level.start[1], level.start[0]]): 0}
        queue = deque(steps)
        while queue:
            label = queue.popleft()
            for other in near(label):
                if other not in steps:
                    steps[other] = steps[label] + 1
                    queue.append(other)
        order = [(steps[room.label], room.y, room.x) for room in level.regions]
        assert order == sorted(order)
