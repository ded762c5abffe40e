"""Maps that are nothing but tiles: what a person sees in them is what is drawn."""

from __future__ import annotations

import numpy as np

from undercroft.analysis.regions import infer_regions
from undercroft.core.level import Level
from undercroft.draw.styles.table import render_vector
from undercroft.draw.view.level_view import LevelView

KEEP = """
    ####################################
    #......#####......##################
    #......+...+......####...###########
    #.o.o..#####..~~..###.......########
    #......#####..~~..##.........#######
    #......#####......##.........#######
    ###+############+###.........#####.#
    ###.############.##..........#...###
    ###+#######.<....+......::.....#####
    #......####......##.....::......####
    #..::..####......###............####
    #..::..####......####........#######
    #......############........###.#####
    #.>....#############......##########
    ####################################
"""


def kinds(level: Level) -> list[tuple[str, int]]:
    return [(region.kind, region.area) for region in infer_regions.find_regions(level) if region.kind != "corridor"]


def test_rooms_caves_and_passages_are_told_apart() -> None:
    level = Level.parse(KEEP)
    found = infer_regions.find_regions(level)
    assert [region.kind for region in found if region.kind != "corridor"] == ["room", "room", "cave", "room", "room"]
    assert [label.number for label in LevelView(infer_regions.add_regions(level)).labels] == [1, 2, 3, 4, 5]
    passages = {(x, y) for y, x in np.argwhere(np.isin(found.labels, found.table["kind"].nonzero()[0] + 1)).tolist()}
    assert {(8, 2), (3, 7), (16, 7)} <= passages


def test_water_and_pits_cut_no_room_in_two() -> None:
    level = Level.parse("""
        ##########
        #..~~#...#
        #..~~+...#
        #~~..#...#
        ##########
    """)
    assert kinds(level) == [("room", 12), ("room", 9)]


def test_pits_of_rooms_keep_their_corners_beside_a_cave() -> None:
    plan = LevelView(infer_regions.add_regions(Level.parse(KEEP)))
    assert plan.natural_cells[8, 24]
    assert not plan.natural_cells[10, 3]


def test_a_way_is_found_if_there_are_both_ends() -> None:
    tiles = Level.parse("#<..#\n#.#>#")
    level = Level(tiles.tiles, tiles.palette, start=(1, 0), end=(3, 1))
    assert infer_regions.add_regions(level).path.tolist() == [[1, 0], [2, 0], [3, 0], [3, 1]]
    walled = Level.parse("#<#>#")
    assert not len(infer_regions.add_regions(Level(walled.tiles, walled.palette, start=(1, 0), end=(3, 0))).path)


def test_built_ground_without_doors_is_no_cave() -> None:
    rooms = (
        "#" * 19
        + "\n"
        + ("#" + "." * 7 + "###" + "." * 7 + "#\n") * 3
        + "#"
        + "." * 17
        + "#\n"
        + ("#" + "." * 7 + "###" + "." * 7 + "#\n") * 3
        + "#" * 19
    )
    assert kinds(Level.parse(rooms)) == [("room", 49), ("room", 49)]
    maze = "#########\n#.......#\n#.#####.#\n#.#...#.#\n#.#.#.#.#\n#...#...#\n#########"
    assert kinds(Level.parse(maze)) == []


def test_a_level_with_regions_stays_as_it_is() -> None:
    level = Level.parse("#11.22#")
    assert infer_regions.add_regions(level) is level


def test_no_ground_at_all() -> None:
    level = Level.parse("###\n###")
    assert len(infer_regions.add_regions(level).regions) == 0
    assert render_vector(level, "ink").width > 0


def test_a_round_room_is_drawn_round() -> None:
    level = Level.parse("""
        #############
        #####...#####
        ###.......###
        ##.........##
        ##.........##
        #...........#
        #...........#
        #...........#
        ##.........##
        ##.........##
        ###.......###
        #####...#####
        #############
    """)
    found = infer_regions.add_regions(level)
    assert [region.kind for region in found.regions] == ["room"]
    assert len(LevelView(found).arcs) == 4
