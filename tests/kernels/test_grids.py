"""Room grids, against slow twins that draw the same numbers: compiled and interpreted, in bites of any size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.maps import HEAVY, PLAIN
from undercroft.core.rng import PROBABILITY_ONE, Rng, threshold
from undercroft.kernels import buffer, grids

BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(grids, buffer), (PLAIN["grids"], memoryview)]
CASES = 4000 if HEAVY else 160
SIDES = [(0, -1), (-1, 0), (1, 0), (0, 1)]
Cell = tuple[int, int]
Crowded = tuple[float, float, float]


def stream(seed: int) -> Rng:
    return Rng.root(seed).stream("grids")


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in SIDES]


def in_bites(work: Callable[[int], int], fuel: int) -> None:
    while work(fuel) == fuel:
        pass


# --- grow -------------------------------------------------------------------------------------------------------------


def grow_grid(
    module: Any,
    wrap: Any,
    seed: int,
    size: Cell,
    target: int,
    crowded: Crowded,
    refuse: float,
    eager: bool,
    again: bool,
    fuel: int,
) -> Any:
    """The grid by the kernel, and the generator afterwards."""
    width, height = size
    tiles, rng = np.zeros(width * height, np.uint8), stream(seed)
    chances = np.array([0, *map(threshold, crowded)], np.uint64)
    hope = np.ascontiguousarray(np.minimum.accumulate(chances[::-1])[::-1])
    rooms = np.full(width * height, -1, np.int32)
    rooms[0] = (height - 1) // 2 * width + (width - 1) // 2
    tiles[rooms[0]] = 1
    state = np.array([1, 0, 0, 1, 1, 0], np.int64)
    args = (
        *map(wrap, (state, tiles, rooms, chances, hope)),
        rng.state,
        width,
        height,
        target,
        threshold(refuse),
        eager,
        again,
    )
    in_bites(lambda fuel: module.grow_rooms(*args, fuel), fuel)
    assert state[0] == tiles.sum()
    return tiles.reshape(height, width).tolist(), list(rng.state)


def grown_slowly(seed: int, size: Cell, target: int, crowded: Crowded, refuse: float, eager: bool, again: bool) -> Any:
    """The same, round by round over all rooms there are, none of them ever dropped."""
    width, height = size
    rng = stream(seed)
    rooms = [((width - 1) // 2, (height - 1) // 2)]
    while True:
        chance = False
        round_ = rooms if eager else list(rooms)
        for room in round_:  # a list that grows meanwhile is visited to its new end
            for cell in around(room):
                if len(rooms) == target or cell in rooms or not (0 <= cell[0] < width and 0 <= cell[1] < height):
                    continue
                others = sum(near in rooms for near in around(cell)) - 1
                crowd = threshold(crowded[others - 1]) if others else 0
                if crowd == PROBABILITY_ONE or refuse == 1:
                    continue
                chance = True
                if (crowd and rng.next() < crowd) or rng.next() < threshold(refuse):
                    continue
                rooms.append(cell)
        if len(rooms) == target or not again or not chance:
            break
    return [[int((x, y) in rooms) for x in range(width)] for y in range(height)], list(rng.state)


def growth(number: int) -> dict[str, Any]:
    """Some way to grow; now and then one that stalls, or one that only crowded cells allow."""
    chance = np.random.default_rng(number)
    size = tuple(chance.integers(1, 9, 2).tolist())
    chances = [0.0, 0.0, 0.3, 0.5, 1.0, 1.0]
    return {
        "seed": number,
        "size": size,
        "target": int(chance.integers(1, size[0] * size[1] + 1)),
        "crowded": tuple(chance.choice(chances, 3).tolist()),
        "refuse": float(chance.choice([0.0, 0.3, 0.5, 0.9, 1.0], p=[0.2, 0.3, 0.3, 0.15, 0.05])),
        "eager": bool(chance.integers(2)),
        "again": bool(chance.integers(4)),
    }


def test_growth_as_the_slow_twin() -> None:
    full = stalled = 0
    for number in range(CASES):
        case = growth(number)
        want = grown_slowly(**case)
        for module, wrap in BOTH:
            for fuel in (1, 3, 1 << 40):
                assert grow_grid(module, wrap, **case, fuel=fuel) == want, case
        rooms = sum(map(sum, want[0]))
        full += rooms == case["target"]
        stalled += rooms < case["target"]
    assert full > CASES // 4
    assert stalled > CASES // 10


def test_growth_into_what_is_crowded_only_later() -> None:
    """One further room at the cell forbids it, two allow it: no room may be given up for lost too early."""
    for seed in range(20):
        grid, _ = grow_grid(*BOTH[0], seed, (5, 5), 25, (1.0, 0.0, 0.0), 0.5, False, True, 1 << 40)
        assert sum(map(sum, grid)) > 9
        assert (grid, _) == grown_slowly(seed, (5, 5), 25, (1.0, 0.0, 0.0), 0.5, False, True)


# --- walk -------------------------------------------------------------------------------------------------------------


def walked(module: Any, wrap: Any, seed: int, size: Cell, target: int, border: int, steps: int, fuel: int) -> Any:
    width, height = size
    tiles, rng = np.zeros(width * height, np.uint8), stream(seed)
    x, y = rng.below(width), rng.below(height)
    tiles[y * width + x] = 1
    state = np.array([1, x, y, x, y, steps], np.int64)
    args = wrap(state), wrap(tiles), rng.state, width, height, target, border
    in_bites(lambda fuel: module.build_by_walk(*args, fuel), fuel)
    assert state[0] == tiles.sum()
    return tiles.reshape(height, width).tolist(), list(rng.state)


def walked_slowly(seed: int, size: Cell, target: int, border: int, steps: int) -> Any:
    width, height = size
    rng = stream(seed)
    start = here = rng.below(width), rng.below(height)
    rooms = {start}
    while len(rooms) < target and steps:
        there = around(here)[rng.below(4)]
        if not (0 <= there[0] < width and 0 <= there[1] < height):
            if border == 1:
                continue
            there = start if border == 0 else here
        steps -= 1
        here = there
        rooms.add(here)
    return [[int((x, y) in rooms) for x in range(width)] for y in range(height)], list(rng.state)


@pytest.mark.parametrize("border", [0, 1, 2])
def test_a_walk_as_the_slow_twin(border: int) -> None:
    for number in range(CASES):
        chance = np.random.default_rng(number)
        width, height = chance.integers(1, 9, 2).tolist()
        if width * height == 1:
            continue
        case = (
            number,
            (width, height),
            int(chance.integers(1, width * height + 1)),
            border,
            int(chance.integers(1, 400)),
        )
        want = walked_slowly(*case)
        for module, wrap in BOTH:
            for fuel in (1, 3, 1 << 40):
                assert walked(module, wrap, *case, fuel) == want, case


# --- stamp ------------------------------------------------------------------------------------------------------------


def test_rooms_are_drawn_and_labelled() -> None:
    chance = np.random.default_rng(5)
    for _ in range(50):
        height, width = chance.integers(1, 5, 2)
        shape = chance.integers(0, 9, (height, width), np.uint8)
        ground = (shape % 2).astype(np.uint8)
        corners = np.array([[0, 0], [7, 3], [12, 0]], np.int32)
        want, labels = np.full((8, 20), 99, np.uint8), np.zeros((8, 20), np.int32)
        for label, (x, y) in enumerate(corners, 1):
            want[y : y + height, x : x + width] = shape
            labels[y : y + height, x : x + width][ground > 0] = label
        for module, wrap in BOTH:
            tiles, numbers = np.full(160, 99, np.uint8), np.zeros(160, np.int32)
            for first, last in ((0, 1), (1, 1), (1, 3)):
                used = module.stamp_rooms(
                    wrap(tiles), wrap(numbers), wrap(corners), wrap(shape), wrap(ground), 20, first, last
                )
                assert used == (last - first) * height * width
            assert tiles.tolist() == want.reshape(-1).tolist()
            assert numbers.tolist() == labels.reshape(-1).tolist()
