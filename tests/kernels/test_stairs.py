"""The kernels that look for places of stairs, beside plain searches: compiled as interpreted."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from undercroft import kernels
from undercroft.core.rng import Rng
from undercroft.kernels import load_plain, stairs

SHAPES = [(1, 1), (2, 5), (3, 3), (5, 2), (7, 9), (13, 10)]
UNREACHED = 1 << 29


def both() -> list[ModuleType]:
    return [stairs, load_plain("stairs")]


def flat(array: np.ndarray[Any, Any]) -> Any:
    return kernels.flat_buffer(array)


@pytest.mark.parametrize("kernel", both(), ids=["built", "plain"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("distance", [0, 1, 3])
def test_near_cells_are_a_square_around_each(kernel: ModuleType, shape: tuple[int, int], distance: int) -> None:
    for seed in range(6):
        mask = np.random.default_rng(seed).random(shape) < 0.1 * seed
        near, rows = np.full(shape, 7, np.uint8), np.full(mask.size, 7, np.uint8)
        kernel.mark_near_cells(flat(mask.view(np.uint8)), shape[1], distance, rows, flat(near))
        wanted = [
            [mask[max(0, y - distance) : y + distance + 1, max(0, x - distance) : x + distance + 1].any() for x in xs]
            for y, xs in ((y, range(shape[1])) for y in range(shape[0]))
        ]
        assert near.tolist() == np.array(wanted, np.uint8).tolist()


@pytest.mark.parametrize("kernel", both(), ids=["built", "plain"])
@pytest.mark.parametrize("shape", SHAPES)
def test_alcoves_are_enclosed_but_for_their_mouth(kernel: ModuleType, shape: tuple[int, int]) -> None:
    height, width = shape
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        rock = rng.random(shape) < 0.85
        ground = ~rock & (rng.random(shape) < 0.9)
        cells, mouths = np.full(shape, 7, np.uint8), np.full(shape, -7, np.int32)
        kernel.find_alcoves(flat(rock.view(np.uint8)), flat(ground.view(np.uint8)), width, flat(cells), flat(mouths))
        for y in range(height):
            for x in range(width):
                mouth = -1
                for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
                    inside = 0 < x < width - 1 and 0 < y < height - 1
                    others = [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1) if i * dx + j * dy <= 0]
                    if inside and ground[y + dy, x + dx] and all(rock[y + j, x + i] for i, j in others):
                        mouth = (y + dy) * width + x + dx
                assert cells[y, x] == (mouth >= 0)
                assert mouths[y, x] == (mouth if mouth >= 0 else y * width + x)
                found += mouth >= 0
    assert found or min(shape) < 3


@pytest.mark.parametrize("kernel", both(), ids=["built", "plain"])
def test_the_nearest_cell_is_the_first_of_equals(kernel: ModuleType) -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        height, width = SHAPES[seed % len(SHAPES)]
        part = rng.random((height, width)) < 0.05 * (seed % 8)
        x, y = int(rng.integers(width + 3)), int(rng.integers(height + 3))
        ways = [((i % width - x) ** 2 + (i // width - y) ** 2, i) for i in np.flatnonzero(part).tolist()]
        assert kernel.find_nearest_cell(flat(part.view(np.uint8)), width, x, y) == min(ways, default=(0, -1))[1]


@pytest.mark.parametrize("kernel", both(), ids=["built", "plain"])
def test_far_points_are_those_of_the_stream(kernel: ModuleType) -> None:
    hits = 0
    for seed in range(40):
        others = np.random.default_rng(seed).integers(0, 20, (seed % 5, 2)).astype(np.int32)
        mine, theirs = Rng.root(seed).stream("a"), Rng.root(seed).stream("a")
        point, least = np.zeros(2, np.int32), 4 + seed % 30
        found = kernel.draw_far_point(mine.state, others, 20, 15, least, 5, point)
        for _ in range(5):
            drawn = theirs.below(20), theirs.below(15)
            is_far = all(abs(drawn[0] - x) + abs(drawn[1] - y) >= least for x, y in others.tolist())
            if is_far:
                break
        assert (tuple(point.tolist()), bool(found), mine.state) == (drawn, is_far, theirs.state)
        hits += is_far
    assert 0 < hits < 40


def steps_and_part(seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.random.Generator]:
    rng = np.random.default_rng(seed)
    shape = SHAPES[seed % len(SHAPES)]
    steps = rng.integers(0, 12, (1 + seed % 3, *shape)).astype(np.int32)
    steps[rng.random(steps.shape) < 0.1] = UNREACHED
    return steps, rng.random(shape) < 0.7, rng


@pytest.mark.parametrize("kernel", both(), ids=["built", "plain"])
@pytest.mark.parametrize(("margin", "least"), [(3, -1), (-1, 6), (-1, -1)])
def test_fitting_cells_are_on_the_side_of_their_link(kernel: ModuleType, margin: int, least: int) -> None:
    for seed in range(30):
        steps, part, rng = steps_and_part(seed)
        sides = np.empty(part.shape, np.int32)
        rows = steps.reshape(len(steps), -1)
        kernel.find_sides(flat(part.view(np.uint8)), rows, flat(sides))
        assert sides.tolist() == np.where(part, np.argmin(steps, axis=0), -1).tolist()
        index = int(rng.integers(len(steps)))
        mouths = rng.permutation(part.size).astype(np.int32)
        cells, closed = (rng.random(part.shape) < 0.5 for _ in range(2))
        alcoves, fitting, apart = (np.full(part.shape, 7, np.uint8) for _ in range(3))
        kernel.fit_cells(
            *(flat(part.view(np.uint8)), flat(cells.view(np.uint8)), mouths, flat(closed.view(np.uint8))),
            *(rows, index, margin, least, 4, flat(alcoves), flat(fitting), flat(apart)),
        )
        others = np.delete(steps, index, axis=0).min(axis=0, initial=2**31 - 1)
        fits = part & (others >= least)
        if margin >= 0:
            fits &= others.astype(np.int64) - steps[index] >= margin
        assert fitting.tolist() == (fits & ~closed).tolist()
        assert alcoves.tolist() == (cells & ~closed & fits.reshape(-1)[mouths].reshape(part.shape)).tolist()
        assert apart.reshape(-1).tolist() == (others >= 4).reshape(-1)[mouths].tolist()


@pytest.mark.parametrize("kernel", both(), ids=["built", "plain"])
def test_scores_are_those_of_labels_dead_ends_and_steps(kernel: ModuleType) -> None:
    for seed in range(30):
        steps, part, rng = steps_and_part(seed)
        width = part.shape[1]
        index = int(rng.integers(len(steps)))
        mouths = rng.permutation(part.size).astype(np.int32)
        labels = rng.integers(0, 5, part.shape).astype(np.int32)
        of_label = np.array([0, 10, -40, 3], np.int64)
        scores = np.empty(part.shape, np.int64)
        alcoves, fitting = (rng.random(part.shape) < 0.5 for _ in range(2))
        kernel.score_cells(
            *(flat(part.view(np.uint8)), mouths, flat(labels), of_label, 12, steps.reshape(len(steps), -1), index),
            *(1 << 20, width, flat(alcoves.view(np.uint8)), flat(fitting.view(np.uint8)), flat(scores)),
        )
        rim = np.pad(part, 1).astype(int)
        ends = part & (rim[:-2, 1:-1] + rim[2:, 1:-1] + rim[1:-1, :-2] + rim[1:-1, 2:] == 1)
        worth = np.append(of_label, 0)[labels] + 12 * ends
        worth += np.minimum(np.delete(steps, index, axis=0), 1 << 20).sum(axis=0, dtype=np.int64)
        at_mouth = worth.reshape(-1)[mouths].reshape(part.shape)
        assert scores.tolist() == np.where(alcoves | fitting, at_mouth, 0).tolist()
