"""The recipe `templates`: what it promises, for a thousand seeds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput
from undercroft.rewrite.model.program import QUARTER_TURNS

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


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in (1, 2, 3))])
def test_a_thousand_seeds(part: int) -> None:
    counts = [is_as_promised(uc.generate("templates", seed=seed, tries=1)) for seed in range(part, 1000, 4)]
    assert max(counts) > 15
    assert len(set(counts)) > 3


def states(**options: Any) -> dict[str, str]:
    """What the map looked like after each step."""
    found: dict[str, str] = {}

    def watch(source: str, tiles: NDArray[np.uint8]) -> None:
        found[source] = str(Level(tiles))

    uc.generate("templates", watcher=watch, **options)
    return found


def test_the_first_room() -> None:
    """Thirteen by thirteen in a square of fifteen, a door in the middle of each wall, anywhere on the map."""
    wall, side, door = "######+######", "#...........#", "+...........+"
    room = [wall, *[side] * 5, door, *[side] * 5, wall]
    places = set()
    for seed in range(30):
        page = states(seed=seed, size=(40, 30))["start"].split("\n")
        [(x, y, _)] = uc.match([row.replace(" ", "X") for row in page], room)
        assert 1 <= x <= 40 - 14
        assert 1 <= y <= 30 - 14
        assert sum(row.count(" ") for row in page) == 40 * 30 - 13 * 13
        places.add((x, y))
    assert len(places) > 20


def test_twenty_attempts_some_of_which_fail() -> None:
    recipe = uc.Recipe.load("templates")
    assert recipe.params["attempts"].default == 20
    assert recipe.size == (80, 80)
    counts = [is_as_promised(uc.generate("templates", seed=seed, tries=1)) for seed in range(60)]
    assert min(counts) < 21


CORNERS = {
    "a pillar": [".....", ".##..", ".##..", ".....", "....."],
    "a block": ["####.", "####.", "####.", "####.", "....."],
    "a nook": [".....", "..##.", ".###.", ".###.", "....."],
    "a pit": [".....", ".:::.", ".:::.", "....."],
}
MIDDLES = {
    "a pillar": [".....", ".###.", ".###.", ".###.", "....."],
    "a pit": [".....", ".:::.", ".:::.", ".:::.", "....."],
}


def test_every_theme_is_there() -> None:
    """Four for corners, two for middles, in all turns; more of them if more are asked for."""
    drawings: dict[tuple[str, str], tuple[list[str], tuple[int, ...]]] = {}
    drawings |= {
        ("corner", name): (["?######", *(f"?#{row}" for row in rows)], QUARTER_TURNS) for name, rows in CORNERS.items()
    }
    drawings |= {("middle", name): (rows, (0,)) for name, rows in MIDDLES.items()}
    found: Counter[tuple[str, str]] = Counter()
    for seed in range(40):
        page = states(seed=seed)["middles"].split("\n")
        for theme, (drawing, positions) in drawings.items():
            found[theme] += len(uc.match(page, drawing, positions=positions))
    assert all(found[theme] > 10 for theme in drawings), found
    few, many = (
        str(uc.generate("templates", seed=4, corners=corners, middles=corners)).count(":") for corners in (1, 60)
    )
    assert few < many


def test_doors_become_wall_or_floor() -> None:
    for seed in range(10):
        after = states(seed=seed)
        before, now = after["middles"], after["clean up"]
        doors = [at for at, sign in enumerate(before) if sign == "+"]
        wide = before.index("\n") + 1
        for at in doors:
            void = any(before[at + step] == " " for step in (1, -1, wide, -wide))
            assert now[at] == ("#" if void else ".")
        assert "+" not in now


def test_rooms_until_nothing_fits() -> None:
    few = is_as_promised(uc.generate("templates", seed=3, attempts=2))
    assert few == 3
    level = uc.generate("templates", seed=3, size=(53, 53), attempts=0)
    assert is_as_promised(level) > 3


def test_too_small_a_map_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput, match="no rule fits into a map of 14x20: 'start' is 15x15"):
        uc.generate("templates", seed=1, size=(14, 20), tries=3)
