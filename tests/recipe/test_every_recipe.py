"""What every named recipe promises, over many seeds and at any size: `make soak` takes ten thousand seeds each."""

from __future__ import annotations

import contextlib
import os

import pytest

import undercroft as uc
from support.digests import SIZES
from support.maps import spans
from support.promises import holds
from undercroft.errors import UndercroftError
from undercroft.recipe.catalogue import names

SEEDS = int(os.environ.get("UNDERCROFT_SOAK", "0")) or 100
LARGE = {name: (511, 511) if name == "rooms-and-mazes" else (512, 512) for name in names()}
SMALL = {name: (81, 51) if name == "rooms-and-mazes" else (80, 50) for name in names()}


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
