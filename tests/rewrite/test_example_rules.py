"""The rule files among the examples keep what they say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

import undercroft as uc
from support.maps import components
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.rewrite.text import expectations, parse

EXAMPLES = ROOT / "examples"
VOID, WALL, FLOOR, DOOR = (STANDARD[name] for name in ("void", "wall", "floor", "door"))


def apply_example(name: str, size: tuple[int, int], seed: int) -> Level:
    begin = Level(np.full(size[::-1], VOID, np.uint8))
    return uc.Rules.load(EXAMPLES / name).apply(begin, seed=seed)


@pytest.mark.parametrize("name", ["cellars.rules", "halls.rules", "lair.rules"])
def test_their_expectations_hold(name: str) -> None:
    parsed = parse.load(EXAMPLES / name)
    assert parsed.expects
    assert expectations.find_problems(parsed) == []


def test_halls_are_one_closed_space() -> None:
    maps = set()
    for seed in range(40):
        level = apply_example("halls.rules", (50, 20), seed)
        floor = level.tiles == FLOOR
        assert components(floor) == 1
        assert not (binary_dilation(floor, np.ones((3, 3), bool)) & (level.tiles == VOID)).any(), "walls all round"
        assert int(floor.sum()) == 9 + 120 * 3, "the first hall, and three cells each time"
        maps.add(str(level))
    assert len(maps) == 40


def test_cellars_fit_snugly_and_no_door_leads_to_nothing() -> None:
    clusters = 0
    for seed in range(40):
        level = apply_example("cellars.rules", (30, 16), seed)
        beside_void = binary_dilation(np.pad(level.tiles == VOID, 1, constant_values=True))[1:-1, 1:-1]
        assert not ((level.tiles == DOOR) & beside_void).any()
        assert components(level.walkable) == 1
        rooms = np.argwhere(level.tiles == FLOOR)
        first = rooms[0]
        cells = level.tiles[first[0] % 2 :: 2, first[1] % 2 :: 2] == FLOOR
        clusters += bool((cells[:-1, :-1] & cells[1:, :-1] & cells[:-1, 1:] & cells[1:, 1:]).any())
    assert clusters > 30, "four in a square, which only a snug footprint allows"


def test_somebody_lives_in_the_lair() -> None:
    recipe = uc.Recipe.load(EXAMPLES / "lair.toml")
    for seed in range(20):
        level = recipe.generate(seed=seed).level
        kinds = [thing.kind for thing in level.things]
        assert kinds.count("chest") == len(level.rooms), "one in each room"
        assert kinds.count("guard") <= 6
        assert kinds.count("rat") <= 8
        assert {"chest", "guard", "rat"} == set(kinds)
        for thing in level.things:
            assert level.palette.tiles[level.tiles[thing.y, thing.x]].name == (
                "corridor" if thing.kind == "rat" else "floor"
            )
        assert set(np.unique(level.tiles).tolist()) <= set(range(len(STANDARD))), (
            "no thing is left on the map as a tile"
        )
        assert list(level.provenance["files"]) == ["lair"]
