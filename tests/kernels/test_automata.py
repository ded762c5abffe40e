"""The automaton against the rule as document 004 says it, cell by cell."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import PLAIN, after, each, random_grid
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.kernels import automata, buffer
from undercroft.steps.caves.automaton import Automaton, PackedWalls

Walls = NDArray[np.bool_]
WALL, FLOOR = STANDARD["wall"], STANDARD["floor"]
ALL = [(x, y) for y in range(-2, 3) for x in range(-2, 3)]
NEAR = {
    "rounded": [(x, y) for x, y in ALL if max(abs(x), abs(y)) <= 1],
    "square": [(x, y) for x, y in ALL if max(abs(x), abs(y)) <= 1],
    "diamond": [(x, y) for x, y in ALL if abs(x) + abs(y) <= 1],
}
FAR = {
    "rounded": [(x, y) for x, y in ALL if abs(x) + abs(y) < 4],
    "square": ALL,
    "diamond": [(x, y) for x, y in ALL if abs(x) + abs(y) <= 2],
}
WIDTHS = [1, 2, 3, 5, 7, 8, 9, 62, 63, 64, 65, 66, 126, 127, 128, 129, 130]


def naive(walls: Walls, shape: str, r1: int, r2: int, border: str, ring: bool) -> Walls:
    """One round: count the walls around every cell."""
    height, width = walls.shape
    wide = np.pad(walls, 2, constant_values=border == "wall").astype(int)

    def count(offsets: list[tuple[int, int]]) -> NDArray[np.int64]:
        total = np.zeros(walls.shape, np.int64)
        for x, y in offsets:
            total += wide[2 + y : 2 + y + height, 2 + x : 2 + x + width]
        return total

    new = (count(NEAR[shape]) >= r1) | (count(FAR[shape]) <= r2)
    if ring:
        new[0], new[-1], new[:, 0], new[:, -1] = True, True, True, True
    return new


def draft_of(walls: Walls) -> Draft:
    draft = Draft(walls.shape[1], walls.shape[0])
    draft.tiles[:] = np.where(walls, WALL, FLOOR)
    return draft


def test_the_neighbourhoods_are_those_of_the_document() -> None:
    assert [len(NEAR[shape]) for shape in NEAR] == [9, 9, 5]
    assert [len(FAR[shape]) for shape in FAR] == [21, 25, 13]


@pytest.mark.parametrize("border", ["ignore", "wall"])
@pytest.mark.parametrize("shape", list(NEAR))
def test_a_round_is_what_the_rule_says(shape: str, border: str) -> None:
    chance = np.random.default_rng(len(shape) + len(border))
    for number in range(170):
        width, height = WIDTHS[number % len(WIDTHS)], int(chance.integers(1, 9))
        r1, r2, rounds, ring = (
            int(chance.integers(-1, 12)),
            int(chance.integers(-1, 27)),
            int(chance.integers(1, 4)),
            bool(chance.integers(2)),
        )
        walls = random_grid(number, width, height, float(chance.choice([0.1, 0.4, 0.5, 0.9]))).astype(bool)
        step = Automaton(rounds=rounds, r1_cutoff=r1, r2_cutoff=r2, shape=shape, border=border, ring=ring)  # type: ignore[arg-type]
        got = after(step, draft_of(walls)).tiles
        for _ in range(rounds):
            walls = naive(walls, shape, r1, r2, border, ring)
        assert (got == np.where(walls, WALL, FLOOR)).all(), (width, height, r1, r2, rounds, ring)


@pytest.mark.parametrize("width", [4095, 4096, 4097, 8193])
@pytest.mark.parametrize("shape", list(NEAR))
def test_rows_longer_than_a_bite_of_words(shape: str, width: int) -> None:
    walls = random_grid(width, width, 5, 0.45).astype(bool)
    got = after(Automaton(rounds=1, shape=shape), draft_of(walls)).tiles  # type: ignore[arg-type]
    assert (got == np.where(naive(walls, shape, 5, 2, "ignore", True), WALL, FLOOR)).all()


@pytest.mark.parametrize("r1", range(-1, 12))
def test_every_cutoff(r1: int) -> None:
    walls = random_grid(r1 + 1, 70, 20, 0.5).astype(bool)
    for r2 in range(-1, 27):
        for shape in NEAR:
            got = after(Automaton(rounds=1, r1_cutoff=r1, r2_cutoff=r2, shape=shape, ring=False), draft_of(walls)).tiles  # type: ignore[arg-type]
            assert (got == np.where(naive(walls, shape, r1, r2, "ignore", False), WALL, FLOOR)).all(), (r2, shape)


def test_a_list_of_stages_is_done_in_order() -> None:
    walls = random_grid(3, 60, 30, 0.45).astype(bool)
    got = after(Automaton(stages=((5, 2, 4), (5, -1, 3))), draft_of(walls)).tiles
    for _ in range(4):
        walls = naive(walls, "rounded", 5, 2, "ignore", True)
    for _ in range(3):
        walls = naive(walls, "rounded", 5, -1, "ignore", True)
    assert (got == np.where(walls, WALL, FLOOR)).all()


# --- the kernels themselves -------------------------------------------------------------------------------------------

ROUNDED = np.array([1, 2, 1, 2, 1, 2, 6, 3, 4, 5, 3, 4, 5], np.int32)
"""Planes of the columns of heights 3, 3 and 3, 5, 5."""


def test_the_columns_of_the_step_are_these() -> None:
    assert PackedWalls(Draft(3, 3), "rounded", 0, True).columns.tolist() == ROUNDED.tolist()


def packed(walls: Walls, outside: int) -> NDArray[np.uint64]:
    """Rows of words, a bit a cell, with the rim."""
    height, width = walls.shape
    words = -(-width // 64)
    rows = [[outside] * (words + 2) for _ in range(height + 4)]
    for y in range(height):
        for x in range(words * 64):
            bit = int(walls[y, x]) if x < width else outside & 1
            word = 1 + x // 64
            rows[y + 2][word] = rows[y + 2][word] & ~(1 << x % 64) | bit << x % 64
    return np.array(rows, np.uint64)


def bits(number: int, count: int) -> list[int]:
    return [(2**64 - 1) * (number >> bit & 1) for bit in range(count)]


def smoothed(
    module: ModuleType,
    wrap: Any,
    kernel: str,
    walls: Walls,
    r1: int,
    r2: int,
    outside: int,
    ring: bool,
    cuts: list[int],
) -> NDArray[np.uint64]:
    """One round by a kernel, some rows at a time."""
    height, width = walls.shape
    old = packed(walls, outside)
    new = np.full_like(old, outside)
    cutoffs = np.array(bits(r1, 4) + bits(r2 + 1, 5), np.uint64)
    shape = (wrap(ROUNDED),) if kernel == "smooth" else ()
    used = 0
    for first, last in zip([0, *cuts], [*cuts, height], strict=True):
        used += getattr(module, kernel)(
            wrap(old.reshape(-1)),
            wrap(new.reshape(-1)),
            *shape,
            wrap(cutoffs),
            width,
            height,
            outside,
            ring,
            first,
            last,
        )
    assert used == height * -(-width // 64)
    return new


@each("number", 100)
def test_both_kernels_agree_compiled_and_interpreted(number: int) -> None:
    chance = np.random.default_rng(number)
    width, height = WIDTHS[number % len(WIDTHS)], int(chance.integers(1, 7))
    walls = random_grid(number, width, height, 0.45).astype(bool)
    r1, r2, outside, ring = (
        int(chance.integers(0, 10)),
        int(chance.integers(-1, 22)),
        (0, 2**64 - 1)[number % 2],
        bool(chance.integers(2)),
    )
    cuts = sorted(chance.integers(0, height + 1, 2).tolist())
    grids = [
        smoothed(module, wrap, kernel, walls, r1, r2, outside, ring, rows)
        for module, wrap in ((automata, buffer), (PLAIN["automata"], memoryview))
        for kernel in ("smooth", "smooth_rounded")
        for rows in ([], cuts)
    ]
    expected = packed(naive(walls, "rounded", r1, r2, "wall" if outside else "ignore", ring), outside)
    assert len(grids) == 8
    for grid in grids:
        assert (grid == expected).all()
