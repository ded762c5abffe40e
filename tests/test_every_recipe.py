"""What every named recipe promises, over many seeds and at any size: `make soak` takes ten thousand seeds each."""

from __future__ import annotations

import contextlib
import os
from itertools import pairwise

import numpy as np
import pytest

import undercroft as uc
from digests import SIZES
from drawn import border, components, spans
from undercroft.core.level import Level
from undercroft.errors import UndercroftError
from undercroft.recipe.document import names

SEEDS = int(os.environ.get("UNDERCROFT_SOAK", "0")) or 100
LARGE = {name: (511, 511) if name == "rooms-and-mazes" else (512, 512) for name in names()}
SMALL = {name: (81, 51) if name == "rooms-and-mazes" else (80, 50) for name in names()}


def holds(level: Level) -> None:
    """One part, nothing walkable on the border, a way from start to end, and regions, doors and links that are true."""
    assert components(level.walkable) == 1
    assert not level.palette.walkable[border(level.tiles)].any()
    if level.start is not None and level.end is not None:
        assert level.walkable[level.start[1], level.start[0]]
        assert level.walkable[level.end[1], level.end[0]]
        path = [tuple(cell) for cell in level.path.tolist()]
        assert not path or (path[0], path[-1]) == (level.start, level.end)
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(path))
        assert level.walkable[level.path[:, 1], level.path[:, 0]].all()
    labels, table = level.regions.labels, level.regions.table
    assert np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:].tolist() == table["area"].tolist()
    for door in level.doors:
        assert level.walkable[door.y, door.x]
        assert max(door.a, door.b) <= len(table)
    for link in level.links:
        assert 1 <= link.a <= len(table)
        assert 1 <= link.b <= len(table)
        assert link.door < len(level.doors)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seeds", spans(SEEDS, quick=20))
def test_promises(name: str, seeds: range) -> None:
    for size in (*SIZES[name], SMALL[name]):
        for seed in seeds:
            holds(uc.generate(name, seed=seed, size=size))


@pytest.mark.parametrize("name", names())
def test_a_large_level(name: str) -> None:
    holds(uc.generate(name, seed=1, size=LARGE[name]))


@pytest.mark.parametrize("name", names())
def test_any_size_gives_a_level_or_a_sentence(name: str) -> None:
    for size in ((1, 1), (1, 9), (9, 1), (2, 2), (3, 3), (5, 5), (7, 40), (64, 4), (33, 17)):
        with contextlib.suppress(UndercroftError):
            level = uc.generate(name, seed=3, size=size, tries=5)
            assert level.size == size
            holds(level)
