"""Kept rooms stay as they are, with walls, doorways and what stands in them, while the rest is made again."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

from undercroft.analysis.survey import survey_tiles
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import Region
from undercroft.studio.jobs.levels import LevelRecord, LevelSources
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.requests import KeptCells, LevelSource, RecipeRef
from undercroft.works.kept_cells import build_start_map, list_runs

SEEDS = [1, 2, 3, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 51))]
ALL_AROUND = np.ones((3, 3), bool)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> LevelSources:
    return LevelSources(Project(tmp_path_factory.mktemp("project")))


def make(sources: LevelSources, recipe: str, seed: int, keep: KeptCells | None = None) -> LevelRecord:
    return sources.make_or_nearest(LevelSource(RecipeRef(name=recipe), seed=str(seed), keep=keep), lambda: False)


def cells_of(level: Level, label: int) -> NDArray[np.bool_]:
    """The cells that the page keeps when a room is clicked: its ground and its doors."""
    mask: NDArray[np.bool_] = level.regions.labels == label
    for door in level.doors:
        mask[door.y, door.x] |= label in (door.a, door.b)
    return mask


def keep_room(sources: LevelSources, recipe: str, seed: int, label: int, to: int) -> LevelRecord:
    """The level of another seed around a kept room."""
    old = make(sources, recipe, seed)
    mask = cells_of(old.level, label)
    of = LevelSource(RecipeRef(name=recipe), seed=str(seed))
    return make(sources, recipe, to, KeptCells([(first, length) for first, length in list_runs(mask)], of))


def rooms_of(level: Level) -> list[Region]:
    return [region for region in level.regions if region.kind == "room"]


def has_walls(old: Level, label: int, now: Level) -> bool:
    """Whether the room has the same cells, and is closed where it was closed."""
    ground = old.regions.labels == label
    shell = ndimage.binary_dilation(ground, ALL_AROUND) & ~ground
    return bool((old.walkable == now.walkable)[ground].all() and not (now.walkable & ~old.walkable)[shell].any())


def list_door_cells(level: Level) -> set[tuple[int, int]]:
    """The door tiles with ground on two opposite sides."""
    open_cells = np.pad(level.walkable, 1)
    through = (open_cells[:-2, 1:-1] & open_cells[2:, 1:-1]) | (open_cells[1:-1, :-2] & open_cells[1:-1, 2:])
    ys, xs = np.nonzero(level.palette.role_mask(*DOOR_ROLES)[level.tiles] & through)
    return set(zip(xs.tolist(), ys.tolist(), strict=True))


def test_the_top_room_in_the_middle_of_seed_1_keeps_its_walls(sources: LevelSources) -> None:
    old = make(sources, "cozy", 1).level
    top = min(rooms_of(old), key=lambda room: (abs(room.x + room.width / 2 - old.width / 2) > 15, room.y))
    now = keep_room(sources, "cozy", 1, top.label, 2757)
    assert now.unmet is None
    assert has_walls(old, top.label, now.level)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_room_of_cozy_keeps_its_walls_and_is_reached(sources: LevelSources, seed: int) -> None:
    old = make(sources, "cozy", seed).level
    for room in rooms_of(old):
        record = keep_room(sources, "cozy", seed, room.label, seed + 2756)
        now = record.level
        assert record.unmet is None, f"room {room.label}: {record.unmet}"
        assert record.moved == []
        assert has_walls(old, room.label, now), f"room {room.label}:\n{old}\n{now}"
        assert len(survey_tiles(now.tiles, now.palette).regions) == len(now.regions)
        assert {(door.x, door.y) for door in now.doors} == list_door_cells(now), f"room {room.label}:\n{now}"
        doors = now.palette.role_mask(*DOOR_ROLES)[now.tiles]
        assert doors.sum() == len(now.doors), f"room {room.label} has a door into rock:\n{now}"
        assert np.array_equal(now.regions.labels > 0, now.walkable & ~now.palette.role_mask(*DOOR_ROLES)[now.tiles]), (
            f"room {room.label}:\n{now}"
        )
        areas = np.bincount(now.regions.labels.reshape(-1), minlength=len(now.regions) + 1)[1:]
        assert areas.tolist() == [region.area for region in now.regions]


@pytest.mark.parametrize("recipe", ["bsp", "tinykeep"])
def test_other_recipes_of_chambers_go_around_kept_rooms_too(sources: LevelSources, recipe: str) -> None:
    for seed in (1, 2, 3):
        old = make(sources, recipe, seed).level
        for room in rooms_of(old):
            record = keep_room(sources, recipe, seed, room.label, seed + 50)
            assert record.unmet is None
            assert has_walls(old, room.label, record.level), f"{seed}, room {room.label}:\n{old}\n{record.level}"


def test_what_is_enclosed_by_a_room_is_kept_with_it() -> None:
    old = Level.parse("""
        #########
        #111#222#
        #1~1,2o2#
        #111#222#
        ####+####
        ####,####
        #########
    """)
    begin, _ = build_start_map(old, list_runs(old.regions.labels == 1))
    assert str(begin) == "\n".join(
        ["#########", "#...#####", "#.~.,####", "#...#####", "#########", "#########", "#########"]
    )


def test_a_part_of_a_room_is_kept_alone() -> None:
    begin, _ = build_start_map(Level.parse("#111,#"), [(1, 2)])
    assert str(begin) == "#..###"
