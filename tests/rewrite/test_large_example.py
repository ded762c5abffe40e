"""The recipe `templates`: what it promises, for a thousand seeds."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD

VOID, WALL, DOOR = (STANDARD[name] for name in ("void", "wall", "door"))
PITCH = 12


def lattice(level: Level) -> tuple[int, int, NDArray[np.bool_]]:
    """Where the lattice of rooms begins, and which of its places hold one."""
    built = level.tiles != VOID
    y, x = (int(first) for first in np.argwhere(built)[0])
    left, top = x % PITCH, y % PITCH
    centres = built[top + PITCH // 2 :: PITCH, left + PITCH // 2 :: PITCH]
    return left, top, centres


def is_as_promised(level: Level) -> int:
    """Check a level; how many rooms it has."""
    left, top, rooms = lattice(level)
    built = np.zeros(level.tiles.shape, bool)
    for row, column in np.argwhere(rooms).tolist():
        built[top + row * PITCH : top + row * PITCH + 13, left + column * PITCH : left + column * PITCH + 13] = True
    assert np.array_equal(built, level.tiles != VOID), "all rooms are 13x13 on one lattice, and nothing else is built"
    count = int(rooms.sum())
    assert 1 <= count <= 21
    assert not (rooms[:-1, :-1] & rooms[1:, :-1] & rooms[:-1, 1:] & rooms[1:, 1:]).any(), "no cluster of two by two"
    openings = 0
    for row, column in np.argwhere(rooms).tolist():
        x, y = left + column * PITCH, top + row * PITCH
        for beside, (gap_x, gap_y) in (((row, column + 1), (x + 12, y + 6)), ((row + 1, column), (x + 6, y + 12))):
            if beside[0] < rooms.shape[0] and beside[1] < rooms.shape[1] and rooms[beside]:
                openings += bool(level.walkable[gap_y, gap_x])
    assert openings == count - 1, "the rooms are a tree"
    assert not (level.tiles == DOOR).any(), "no door is left over"
    assert uc.measure(level, "components") == {"components": 1}
    return count


@pytest.mark.parametrize("part", range(4))
def test_a_thousand_seeds(part: int) -> None:
    counts = [is_as_promised(uc.generate("templates", seed=seed, tries=1)) for seed in range(part, 1000, 4)]
    assert max(counts) > 15
    assert len(set(counts)) > 3


def test_rooms_until_nothing_fits() -> None:
    few = is_as_promised(uc.generate("templates", seed=3, attempts=2))
    assert few == 3
    level = uc.generate("templates", seed=3, size=(53, 53), attempts=0)
    assert is_as_promised(level) > 3


def test_too_small_a_map_is_refused_in_a_sentence() -> None:
    with pytest.raises(uc.NotMet, match="components == 1: failed"):
        uc.generate("templates", seed=1, size=(14, 20), tries=3)
