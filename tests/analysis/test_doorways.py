"""Doorways: adjacent door cells between the same two regions are one link, however wide or deep they are."""

from __future__ import annotations

from collections.abc import Iterator

import networkx
import numpy as np
import pytest

import undercroft as uc
from support.maps import draft_of, soup
from undercroft.analysis.edits import apply_edits
from undercroft.analysis.survey import SurveyResult, survey_tiles, surveyed
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.region import DOOR_STATES, LINK_KINDS, Link, Thing

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
TWO_HALLS = """
    #######
    #.....#
    ##{}##
    #.....#
    #######
"""


def survey_picture(picture: str) -> SurveyResult:
    draft = draft_of(picture)
    return survey_tiles(draft.tiles, draft.palette)


@pytest.mark.parametrize(
    ("gate", "kind", "door"),
    [
        ("+++", "door", 0),
        ("'''", "open", 0),
        ("LLL", "locked", 0),
        ("SSS", "secret", 0),
        ("++#", "door", 0),
        ("+L+", "door", 0),
        ("L+L", "door", 1),
        ("SL'", "open", 2),
    ],
)
def test_a_wide_door_is_one_link_as_easy_as_its_easiest_cell(gate: str, kind: str, door: int) -> None:
    level = surveyed(uc.Level.parse(TWO_HALLS.format(gate)))
    assert len(level.doors) == 3 - gate.count("#")
    assert list(level.links) == [Link(1, 2, kind, door)]
    assert uc.measure(level, "graph_loops", "leaf_rooms", "branching", "doors") == {
        "graph_loops": 0,
        "leaf_rooms": 1.0,
        "branching": 1.0,
        "doors": len(level.doors),
    }


def test_doors_that_are_apart_are_two_links() -> None:
    house = survey_picture(TWO_HALLS.format("+#+"))
    assert list(house.links) == [Link(1, 2, "door", 0), Link(1, 2, "door", 1)]


@pytest.mark.parametrize(
    ("row", "kind"), [("++", "door"), ("+'", "door"), ("'+", "door"), ("'L", "locked"), ("S'", "secret")]
)
def test_a_deep_door_is_one_link_as_hard_as_its_hardest_cell(row: str, kind: str) -> None:
    (link,) = survey_picture(f"#.{row}.#").links
    assert link.kind == kind


def test_doors_of_other_regions_are_links_of_their_own() -> None:
    house = survey_picture("""
        #########
        #...#...#
        ###+++###
        #.......#
        #########
    """)
    assert [(link.a, link.b) for link in house.links] == [(1, 3), (2, 3)]


def slow_links(house: SurveyResult) -> Iterator[tuple[int, int, str, tuple[int, int]]]:
    """The two regions, the kind and the first cell of every doorway, by networkx."""
    cells = {(door.x, door.y): door for door in house.doors if door.b}
    graph = networkx.Graph()
    graph.add_nodes_from(cells)
    for (x, y), door in cells.items():
        for right, down in SIDES:
            other = cells.get((x + right, y + down))
            if other is not None and (other.a, other.b) == (door.a, door.b):
                graph.add_edge((x, y), (x + right, y + down))
    for doorway in networkx.connected_components(graph):
        any_door = cells[next(iter(doorway))]
        kind = max(DOOR_STATES.index(cells[cell].state) for cell in doorway)
        for state in range(len(DOOR_STATES)):
            open_cells = [cell for cell in doorway if DOOR_STATES.index(cells[cell].state) <= state]
            parts = networkx.connected_components(graph.subgraph(open_cells))
            if any({any_door.a, any_door.b} <= labels_beside(house, part) for part in parts):
                kind = state
                break
        first = min((y, x) for x, y in doorway if DOOR_STATES.index(cells[x, y].state) == kind)
        yield any_door.a, any_door.b, LINK_KINDS[kind], (first[1], first[0])


def labels_beside(house: SurveyResult, cells: set[tuple[int, int]]) -> set[int]:
    around = np.pad(house.regions.labels, 1)
    return {int(around[y + 1 + down, x + 1 + right]) for x, y in cells for right, down in SIDES}


def test_soups_of_doors_against_networkx() -> None:
    wide = mixed = 0
    for number in range(400):
        house = survey_tiles(soup(number, "#..,++'LS", 9).tiles, STANDARD)
        found = [
            (link.a, link.b, link.kind, (house.doors[link.door].x, house.doors[link.door].y))
            for link in house.links
            if link.door >= 0
        ]
        assert sorted(found) == sorted(slow_links(house))
        wide += len(found) < sum(door.b > 0 for door in house.doors)
        mixed += len({link.kind for link in house.links if link.door >= 0}) > 1
    assert wide > 100
    assert mixed > 100


def with_one_way(picture: str, sides: dict[tuple[int, int], str]) -> list[Link]:
    draft = Draft.of(uc.Level.parse(picture))
    draft.things = [Thing("one-way", x, y, {"to": to}) for (x, y), to in sides.items()]
    return list(surveyed(draft.level()).links)


def test_a_wide_door_is_one_way_if_all_of_it_is() -> None:
    gate = TWO_HALLS.format("+++")
    assert with_one_way(gate, {(x, 2): "N" for x in (2, 3, 4)}) == [Link(2, 1, "one-way", 0)]
    assert with_one_way(gate, {(3, 2): "S"}) == [Link(1, 2, "door", 0), Link(1, 2, "one-way", 1), Link(1, 2, "door", 2)]
    assert with_one_way(gate, {(2, 2): "S"}) == [Link(1, 2, "one-way", 0), Link(1, 2, "door", 1)]
    both = with_one_way(gate, {(2, 2): "S", (3, 2): "N", (4, 2): "N"})
    assert both == [Link(1, 2, "one-way", 0), Link(2, 1, "one-way", 1)]


def test_a_wide_door_that_loses_a_cell_keeps_its_link() -> None:
    level = surveyed(uc.Level.parse(TWO_HALLS.format("+++")))
    cells = [2 * level.width + x for x in (2, 3, 4)]
    for lost, left in (([0], 2), ([0, 1], 1), ([1], 2), ([0, 1, 2], 0)):
        after = apply_edits(level, [(cells[place], "wall") for place in lost])
        assert len(after.doors) == left
        assert list(after.links) == list(surveyed(after).links), lost
    walled = apply_edits(level, [(cell, "wall") for cell in cells])
    again = apply_edits(walled, [(cell, "door") for cell in cells])
    assert list(again.links) == [Link(1, 2, "door", 0)]


def test_a_million_cells_of_doors_take_few_passes() -> None:
    """Two halls with a snake of doors between them: the doorway is as long as the map allows."""
    side = 512
    tiles = np.full((side, side), STANDARD.role("wall"), np.uint8)
    tiles[0], tiles[-1] = STANDARD.role("floor"), STANDARD.role("floor")
    tiles[1:-1, ::2] = STANDARD.role("door")
    tiles[side // 2] = STANDARD.role("door")
    house = survey_tiles(tiles, STANDARD)
    assert len(house.doors) > side * side // 3
    assert len(house.links) <= side
