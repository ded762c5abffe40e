"""What every style draws: outlines, arcs, stairs, labels, the way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY, each, soup
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import Thing
from undercroft.draw.pen import contour
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.pen.rounding import find_arcs
from undercroft.draw.scene import lettering
from undercroft.draw.scene.scene import Points
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_names import place_names, split_name
from undercroft.draw.view.room_numbers import NumberSpot, place_numbers
from undercroft.draw.view.smooth_path import MIN_CLEARANCE

SEEDS = range(60 if HEAVY else 12)
ROTUNDA = """
    ###########
    ####111####
    ###11111###
    ##1111111##
    ##1111111##
    ##1111111+.
    ###11111###
    ####111####
    ###########
"""


def area(line: Points) -> float:
    x, y = line.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def levels() -> Iterator[tuple[str, Level]]:
    for recipe in ("cozy", "rooms-and-mazes", "bsp", "cave", "isaac", "tinykeep", "galak-z"):
        for seed in range(3):
            yield f"{recipe} {seed}", uc.generate(recipe, seed=seed, size=(61, 41))


LEVELS = dict(levels())


@each("number", 200)
def test_outlines_of_what_people_built_enclose_its_cells(number: int) -> None:
    draft = soup(number, "##..,+")
    level = Level(draft.tiles, draft.palette)
    plan = LevelView(level)
    if plan.natural_cells.any():
        assert not level.palette.role_mask("corridor", *DOOR_ROLES)[level.tiles].any()
        return
    assert sum(map(area, plan.wall_outlines)) == pytest.approx(plan.open_cells.sum(), abs=1e-6)


@pytest.mark.parametrize("number", SEEDS)
def test_outlines_of_caves_enclose_nearly_as_much(number: int) -> None:
    level = uc.generate("cave", seed=number, size=(50, 40))
    plan = LevelView(level)
    assert sum(map(area, plan.wall_outlines)) == pytest.approx(int(plan.open_cells.sum()), rel=0.05)


def test_loops_are_found_in_any_case() -> None:
    cells = np.array([[1, 0, 1], [0, 1, 0], [1, 0, 1]], bool)
    assert len(contour.trace_outlines(cells)) == 5, "cells that touch by a corner stay apart"
    ring = np.ones((3, 3), bool)
    ring[1, 1] = False
    assert [loop.hole for loop in contour.trace_outlines(ring)] == [False, True]
    assert contour.trace_outlines(np.zeros((2, 2), bool)) == []


def test_a_round_room_is_round() -> None:
    plan = LevelView(Level.parse(ROTUNDA))
    assert {(arc.x, arc.y, arc.radius) for arc in plan.arcs} == {(5.5, 4.5, 3.5)} or {
        arc.radius for arc in plan.arcs
    } == {3.5}
    [wall] = plan.wall_outlines
    far = np.hypot(wall[:, 0] - 5.5, wall[:, 1] - 4.5)
    away_from_door = wall[:, 0] < 8
    assert far[away_from_door] == pytest.approx(np.full(int(away_from_door.sum()), 3.5), abs=0.3)


@pytest.mark.parametrize(
    "picture",
    [
        "11111\n11111\n11111\n11111\n11111",  # a plain room
        ".111111\n1111111\n1111111\n1111111\n1111111\n1111111\n1111111",  # one corner is broken
        ".11111.\n1111111\n.11111.\n.11111.\n.11111.\n1111111\n.11111.",  # niches
        "...1...\n...1...\n...1...\n1111111\n...1...\n...1...\n...1...",  # a cross
        "1",
        "11\n.1",
    ],
)
def test_what_is_not_round_has_no_arcs(picture: str) -> None:
    assert find_arcs(Level.parse(picture)) == []


@pytest.mark.parametrize("radius", [2.5, 3, 3.5, 4, 5.5, 7, 10])
def test_discs_of_any_size_are_found(radius: float) -> None:
    side = round(2 * radius)
    places = np.arange(side) + 0.5 - radius
    tiles = np.where(np.hypot(places, places[:, None]) <= radius, 2, 1).astype(np.uint8)
    level = Level(tiles, regions=uc.core.region.Regions.of((tiles == 2).astype(np.int32)))
    assert {arc.radius for arc in find_arcs(level)} == {radius}
    assert len(find_arcs(level)) == 4


def test_softness_is_that_of_the_ground_around() -> None:
    labels = np.zeros((5, 12), np.int32)
    labels[1:4, 1:5], labels[1:4, 7:11] = 1, 2
    tiles = np.where(labels > 0, 2, 1).astype(np.uint8)
    tiles[2, 5:7] = 2
    regions = uc.core.region.Regions.of(labels)
    regions.table["kind"][0] = uc.core.region.REGION_KINDS.index("cave")
    plan = LevelView(Level(tiles, regions=regions))
    assert plan.natural_share(np.array([[1.0, 2.0], [11.0, 2.0], [3.0, 1.0]])).tolist() == [1.0, 0.0, 1.0]
    along = plan.natural_share(np.stack([np.linspace(3, 8, 60), np.full(60, 2.2)], axis=1))
    assert (np.diff(along) <= 1e-9).all()
    assert np.abs(np.diff(along)).max() < 0.2


def test_stairs_stand_at_start_and_end_even_without_tiles_for_them() -> None:
    level = Level.parse("#####\n#...#\n#####")
    plan = LevelView(Level(level.tiles, start=(1, 1), end=(3, 1)))
    assert [(stair.x, stair.y, stair.up) for stair in plan.stairs] == [(1, 1, True), (3, 1, False)]
    assert LevelView(Level(level.tiles, start=(2, 1), end=(2, 1))).stairs[0].up
    assert len(LevelView(Level(level.tiles, start=(2, 1), end=(2, 1))).stairs) == 1
    assert LevelView(level).stairs == []


def test_stairs_lead_into_walls() -> None:
    plan = LevelView(Level.parse("#####\n#..<#\n#...+\n#>..#\n#####"))
    assert {(stair.x, stair.side) for stair in plan.stairs} <= {(3, "N"), (3, "E"), (1, "S"), (1, "W")}


@pytest.mark.parametrize("number", SEEDS)
def test_stairs_in_caves_are_large_and_on_dry_ground(number: int) -> None:
    plan = LevelView(uc.generate("cave", seed=number, size=(60, 40)))
    large = 0
    for stair in plan.stairs:
        x, y = stair.middle
        assert np.hypot(x - stair.x - 0.5, y - stair.y - 0.5) <= 1.4
        if stair.size > 1:
            large += 1
            half = stair.size / 2
            corners = [(x + dx * half, y + dy * half) for dx in (-1, 1) for dy in (-1, 1)]
            assert all(plan.is_open(int(a), int(b)) for a, b in corners)
    assert large >= 1


@pytest.mark.parametrize("name", LEVELS)
def test_labels_stand_in_their_rooms_clear_of_everything(name: str) -> None:
    plan = LevelView(LEVELS[name])
    level, labels = plan.level, plan.labels
    walls = SignedDistanceField.of(plan.wall_outlines, *level.size) if labels else None
    for label in labels:
        x, y = label.x, label.y
        assert walls is not None
        if label.lead is not None:
            assert float(walls.sample(np.array([[x, y]]))[0]) > 0.3
            tip = label.lead[1]
            assert level.regions.labels[int(tip[1]), int(tip[0])] == label.label
            continue
        assert level.regions.labels[int(y), int(x)] == label.label
        assert float(walls.sample(np.array([[x, y]]))[0]) < -0.3
        assert all(max(abs(door.x + 0.5 - x), abs(door.y + 0.5 - y)) > 0.6 for door in plan.doors)
        assert np.hypot(*(plan.smooth_path - (x, y)).T).min(initial=9) > 0.3
        assert all(not (thing.x < x < thing.x + 1 and thing.y < y < thing.y + 1) for thing in level.things)
    points = np.array([(label.x, label.y) for label in labels]).reshape(-1, 2)
    for number, point in enumerate(points):
        others = np.delete(points, number, axis=0)
        assert np.hypot(*(others - point).T).min(initial=9) > 0.8


def test_labels_of_even_and_odd_rooms_are_centred() -> None:
    level = Level.parse("""
        ##############
        #1111#222#333#
        #1111#222#333#
        ######222#333#
        #444444###333#
        #444444#######
        ##############
    """)
    assert [(spot.x, spot.y) for spot in place_numbers(level)] == [(3.0, 2.0), (7.5, 2.5), (11.5, 3.0), (4.0, 5.0)]


def test_labels_keep_off_what_is_shown_and_only_that() -> None:
    tiles = Level.parse(
        "#########\n#1111111#\n#1111111#\n#1111111#\n#########\n#2222222#\n#2222222#\n#2222222#\n#########"
    )
    level = Level(tiles.tiles, regions=tiles.regions, things=[Thing("chest", 4, 2)])
    aside = LevelView(level).labels[0]
    assert abs(aside.x - 4.5) + abs(aside.y - 2.5) > 0.6
    centred = LevelView(level, shown=frozenset()).labels[0]
    assert (centred.x, centred.y) == (4.5, 2.5)


def test_maps_without_regions_are_numbered_too() -> None:
    level = Level.parse("""
        ###########
        #....#....#
        #....+....#
        #....#....#
        ###########
    """)
    assert [label.number for label in LevelView(level).labels] == [1, 2]


def test_one_region_needs_no_number() -> None:
    assert place_numbers(Level.parse("#111#\n#111#")) == []
    assert [spot.number for spot in place_numbers(Level.parse("1111\n....\n2222"))] == [1, 2]
    assert isinstance(place_numbers(Level.parse("1111\n....\n2222"))[0], NumberSpot)


@pytest.mark.parametrize("name", [name for name, level in LEVELS.items() if len(level.path) > 2])
def test_the_way_is_walked(name: str) -> None:
    """It begins and ends as the path does, stays on the ground, and passes the same doors."""
    plan = LevelView(LEVELS[name])
    level, way = plan.level, plan.smooth_path
    assert way[[0, -1]].tolist() == (level.path[[0, -1]] + 0.5).tolist()
    steps = np.hypot(*np.diff(way, axis=0).T)
    assert steps.max() < 1.0
    fine = np.concatenate([way[:-1] + np.diff(way, axis=0) * share for share in (0.0, 0.25, 0.5, 0.75)])
    cells = np.floor(fine).astype(int)
    assert level.walkable[cells[:, 1], cells[:, 0]].all()
    is_door = level.palette.role_mask("door", "locked", "secret")[level.tiles]
    passed = {cell for cell in map(tuple, cells.tolist()) if is_door[cell[1], cell[0]]}
    assert passed == {cell for cell in map(tuple, level.path.tolist()) if is_door[cell[1], cell[0]]}


def turning(line: Points) -> float:
    """How far a line turns in all, in degrees."""
    step = np.diff(line, axis=0)
    ways = np.arctan2(step[:, 1], step[:, 0])
    return float(np.degrees(np.abs((np.diff(ways) + np.pi) % (2 * np.pi) - np.pi).sum()))


@pytest.mark.parametrize("number", SEEDS)
def test_the_way_turns_far_less_than_the_path(number: int) -> None:
    level = uc.generate("cave", seed=number, size=(60, 40))
    assert turning(LevelView(level).smooth_path) < turning(level.path.astype(np.float64) + 0.5) / 2
    assert MIN_CLEARANCE < 0.5


def test_no_way_is_no_way() -> None:
    assert LevelView(Level.parse("#.#")).smooth_path.shape == (0, 2)
    level = Level.parse("..")
    assert LevelView(Level(level.tiles, path=np.array([[0, 0], [1, 0]], np.int32))).smooth_path.tolist() == [
        [0.5, 0.5],
        [1.5, 0.5],
    ]


def test_names_fit_in_their_rooms() -> None:
    level = uc.generate("cozy", seed=3, size=(61, 41))
    plan = LevelView(level)
    names = place_names(plan, "italic")
    assert len(names) >= 5
    free: NDArray[np.bool_] = level.walkable & ~plan.busy_cells
    for name in names:
        assert " ".join(name.lines) == name.label.name
        wide = max(lettering.text_width(line, name.size, "italic") for line in name.lines)
        high = name.size * len(name.lines)
        box = np.s_[
            int(name.y - high / 2) : int(name.y + high / 2) + 1, int(name.x - wide / 2) : int(name.x + wide / 2) + 1
        ]
        assert (level.regions.labels[box] == name.label.label).all()
        assert free[box].all()
        baselines = [y for _, y in name.baselines()]
        assert name.y - high / 2 < baselines[0] <= baselines[-1] < name.y + high / 2 + 0.1


def test_a_name_that_finds_no_room_is_left_out() -> None:
    draft = Level.parse("11#222222222\n11#222222222\n11#222222222")
    regions = uc.core.region.Regions(
        draft.regions.labels, draft.regions.table, names={1: "The Hall of the Drowned King", 2: "Den"}
    )
    assert [name.lines for name in place_names(LevelView(Level(draft.tiles, regions=regions)), "italic")] == [("Den",)]


def test_long_names_are_not_tried_in_every_way() -> None:
    assert split_name("a " * 500) == [("a " * 500,)]
    assert all(" ".join(lines) == "one two three four five" for lines in split_name("one two three four five"))


def test_round_rooms_stay_round_where_a_lake_takes_a_bite_of_them() -> None:
    dry = Level.parse(ROTUNDA)
    wet = Level.parse(ROTUNDA.replace("##1111111+.", "##1111~~~+.").replace("###11111###", "###111~~###"))
    cut = Level.parse(ROTUNDA.replace("##1111111##", "##~~~~~~~##", 1).replace("###11111###", "###22222###", 1))
    assert len(find_arcs(dry)) == 4
    assert set(find_arcs(wet)) >= set(find_arcs(dry))
    assert set(find_arcs(cut)) >= set(find_arcs(dry))
