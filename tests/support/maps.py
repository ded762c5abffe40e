"""Maps for tests: drawn by hand, or random tiles from a seed."""

from __future__ import annotations

import functools
import importlib
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from undercroft import kernels
from undercroft.core.draft import Draft
from undercroft.core.drawing import dedented
from undercroft.core.level import Level
from undercroft.core.rng import Rng
from undercroft.core.run import Run, Watcher
from undercroft.core.stairs import clear_stairs
from undercroft.steps import Step

HEAVY = os.environ.get("UNDERCROFT_HEAVY") == "1"
"""Whether to test many more seeds."""


def spans(count: int, *, quick: int | None = None, block: int = 100) -> list[Any]:
    """The numbers below `count` in blocks, as parameters of a test; blocks from `quick` on are marked `long`."""
    quick = count if quick is None else min(quick, count)
    edges = [*range(0, quick, block), *range(quick, count, block), count]
    return [
        pytest.param(range(first, end), id=f"{first}..{end - 1}", marks=[pytest.mark.long] * (first >= quick))
        for first, end in pairwise(edges)
    ]


def each(name: str, count: int, *, quick: int | None = None) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with every number below `count` as the argument `name`; one item is a block of them, as in `spans`. A
    failure shows its number. Fixtures are shared within a block.
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*, numbers: range, **others: Any) -> None:
            for number in numbers:
                try:
                    test(**{name: number}, **others)
                except Exception as error:
                    error.add_note(f"{name} is {number}")
                    raise

        given = inspect.signature(test).parameters
        asked = [given[other] for other in given if other != name]
        numbers = inspect.Parameter("numbers", inspect.Parameter.KEYWORD_ONLY)
        assert len(asked) == len(given) - 1, f"{test.__name__} takes no {name}"
        run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [*(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in asked), numbers]
        )
        found: Callable[..., None] = pytest.mark.parametrize("numbers", spans(count, quick=quick))(run)
        return found

    return decorate


def draft_of(picture: str) -> Draft:
    """A draft of the picture."""
    return Draft.of(Level.parse(picture))


def picture(text: str) -> str:
    """A picture as `str()` of a level gives it."""
    return dedented(text)


def after(
    step: Step, draft: Draft | str, *, seed: int = 0, watcher: Watcher | None = None, run: Run | None = None
) -> Draft:
    """The draft after one step, with the stream that a recipe would give it."""
    draft = draft_of(draft) if isinstance(draft, str) else draft
    run = run or Run(watcher=watcher)
    run.tiles, run.source = draft.tiles, "step"
    run.show()
    step.apply(draft, Rng.root(seed).stream("step"), run)
    if not getattr(step, "forgets", False):
        draft.forget(step.spoils)
    run.tiles = draft.tiles
    run.show()
    return draft


def soup(number: int, glyphs: str = "##..,+", most: int = 14) -> Draft:
    """A small map with a random tile on every cell."""
    chance = np.random.default_rng(number)
    height, width = chance.integers(1, most, 2)
    signs = chance.choice(list(glyphs), (height, width))
    return draft_of("\n".join("".join(row) for row in signs.tolist()).replace(" ", "X"))


def random_grid(number: int, width: int, height: int, share: float) -> NDArray[np.uint8]:
    """Ones with that share, else zeros."""
    return (np.random.default_rng(number).random((height, width)) < share).astype(np.uint8)


def ground_tiles(level: Level) -> NDArray[np.uint8]:
    """The tiles of a level with ground in place of stairs."""
    return clear_stairs(level.tiles, level.palette, level.regions)


def components(open_cells: NDArray[np.bool_]) -> int:
    """The number of parts that are connected up, down, left and right, by SciPy instead of our code."""
    from scipy.ndimage import label

    return int(label(open_cells)[1])


def holes(open_cells: NDArray[np.bool_]) -> int:
    """Connected sets of closed cells, corners count as connected, that do not touch the outside."""
    from scipy.ndimage import label

    closed = np.pad(~open_cells, 1, constant_values=True)
    return int(label(closed, np.ones((3, 3)))[1]) - 1


def border(grid: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The cells of the outer ring."""
    return np.concatenate([grid[0], grid[-1], grid[:, 0], grid[:, -1]])


class Bites(Run):
    """A run that gives kernels a fixed amount of fuel at a time."""

    def __init__(self, fuel: int) -> None:
        super().__init__()
        self.fuel = fuel

    def drive(self, bite: Callable[[int], int], *, fine: int = 1) -> None:
        while True:
            used = bite(self.fuel)
            self.spend(used)
            if used < self.fuel:
                return


@contextmanager
def interpreted() -> Iterator[None]:
    """All kernels as plain Python, in every module that imported them."""
    loaded = {
        name: getattr(kernels, name, None) or importlib.import_module(f"undercroft.kernels.{name}")
        for name in kernels.MODULES
    }
    slow = {id(module): PLAIN[name] for name, module in loaded.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "_ALL_COMPILED", False)
        for name, module in list(sys.modules.items()):
            if name.startswith("undercroft."):
                for attribute, value in list(vars(module).items()):
                    if id(value) in slow:
                        patch.setattr(module, attribute, slow[id(value)])
        yield


PLAIN = {name: kernels.load_plain(name) for name in kernels.MODULES}


def facts(draft: Draft) -> dict[str, object]:
    """The contents of a draft, as values that can be compared."""
    regions = draft.regions
    return {
        "tiles": (draft.tiles.shape, draft.tiles.tobytes()),
        "labels": None if regions is None else regions.labels.tobytes(),
        "regions": None if regions is None else list(regions),
        "doors": list(draft.doors),
        "links": list(draft.links),
        "ends": (draft.start, draft.end),
        "path": None if draft.path is None else draft.path.tolist(),
        "layers": {name: (layer.dtype.str, layer.tobytes()) for name, layer in draft.layers.items()},
        "things": list(draft.things),
        "title": draft.title,
    }
