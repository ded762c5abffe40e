"""The step that smooths caves with a cellular automaton."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import MASK64, Rng
from undercroft.core.run import Run
from undercroft.kernels import automata, buffer
from undercroft.steps.step import ALL_BUT_TILES

Rounds = Annotated[int, Meta(ge=0, le=10_000)]
Cutoff = Annotated[int, Meta(ge=-1, le=26)]

_BIT_PLANES = {0: (6, 6, 6), 1: (0, 6, 6), 3: (1, 2, 6), 5: (3, 4, 5)}
"""The bit planes of a column's count, by the height of the column; plane 6 is zero."""

COLUMN_HEIGHTS = {
    "rounded": ((3, 3), (3, 5, 5)),
    "square": ((3, 3), (5, 5, 5)),
    "diamond": ((1, 3), (1, 3, 5)),
}
"""Heights of the columns, from the side to the middle: near (1 step), far (2 steps)."""


@dataclass(frozen=True, kw_only=True)
class Automaton:
    """Smooth rock: a cell is wall if enough walls are near, or too few are farther away. All cells change at once."""

    rounds: Rounds = 10
    """How many rounds."""
    r1_cutoff: Cutoff = 5
    """A cell becomes wall if at least this many walls are within one step, the cell itself included."""
    r2_cutoff: Cutoff = 2
    """A cell becomes wall if at most this many walls are within two steps; -1 switches this off."""
    stages: tuple[tuple[Cutoff, Cutoff, Rounds], ...] = ()
    """A list of [r1_cutoff, r2_cutoff, rounds] to run in order, instead of the three parameters above."""
    shape: Literal["rounded", "square", "diamond"] = "rounded"
    """Which cells count. rounded: 3x3, and 5x5 without its corners; square: 3x3 and 5x5; diamond: steps up, down, left
    and right only (5 and 13 cells).
    """
    border: Literal["ignore", "wall"] = "ignore"
    """Whether cells outside the map count as wall."""
    ring: bool = True
    """Keep the outer ring wall."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        rock = PackedWalls(draft, self.shape, MASK64 if self.border == "wall" else 0, self.ring)
        before = None if run.watcher is None else draft.tiles.copy()
        for r1, r2, rounds in self.stages or ((self.r1_cutoff, self.r2_cutoff, self.rounds),):
            smooth = rock.smoother(r1, r2)
            for _ in range(rounds):
                run.spend(smooth())
                if before is not None:  # show the tiles as if this round were the last
                    rock.write_back()
                    run.show()
                    draft.tiles[:] = before
        rock.write_back()


class PackedWalls:
    """The walls of a draft as bits, 64 cells per word, with a rim; packed once, written back at the end."""

    def __init__(self, draft: Draft, shape: str, outside: int, ring: bool) -> None:
        self.draft, self.shape, self.outside, self.ring = draft, shape, outside, ring
        height, width = draft.tiles.shape
        self.row_bytes = (width + 7) // 8
        self.stride = (width + 63) // 64 + 2
        self.bits = np.empty((height + 4) * self.stride, np.uint64)
        self.bits.fill(outside)
        self.next = self.bits.copy()
        self.columns = _column_planes(shape)
        self.wall, self.floor = draft.palette.role("wall"), draft.palette.role("floor")
        self.before = look_up_tiles(draft.palette.rock, draft.tiles).view(np.uint8)
        packed = np.packbits(self.before, axis=1, bitorder="little")
        if outside and width % 8:
            packed[:, -1] |= 0xFF << width % 8 & 0xFF
        self._map_bytes()[:] = packed

    def _map_bytes(self) -> NDArray[np.uint8]:
        return self.bits.view(np.uint8).reshape(-1, 8 * self.stride)[2:-2, 8 : 8 + self.row_bytes]

    def smoother(self, r1_cutoff: int, r2_cutoff: int) -> Callable[[], int]:
        """A function that runs one round and returns the words of work."""
        height, width = self.draft.tiles.shape
        rest = buffer(_cutoff_words(r1_cutoff, r2_cutoff)), width, height, self.outside, self.ring, 0, height
        kernel, more = (
            (automata.smooth_rounded, rest)
            if self.shape == "rounded"
            else (automata.smooth, (buffer(self.columns), *rest))
        )

        def smooth() -> int:
            used = kernel(buffer(self.bits), buffer(self.next), *more)
            self.bits, self.next = self.next, self.bits
            return int(used)

        return smooth

    def write_back(self) -> None:
        """Write the walls back: cells that became wall or stopped being wall change, all others keep their tiles."""
        tiles = self.draft.tiles
        walls = np.unpackbits(self._map_bytes(), axis=1, count=tiles.shape[1], bitorder="little")
        changed = walls ^ self.before
        walls *= np.uint8(self.wall ^ self.floor)
        walls ^= np.uint8(self.floor)  # the tiles as if the map held only wall and floor
        walls ^= tiles
        walls *= changed
        tiles ^= walls


@functools.cache
def _column_planes(shape: str) -> NDArray[np.int32]:
    """The bit planes that the kernel adds up."""
    (side, middle), (outer, inner, centre) = COLUMN_HEIGHTS[shape]
    return np.array(
        [
            *_BIT_PLANES[side][:2],
            *_BIT_PLANES[middle][:2],
            *_BIT_PLANES[outer],
            *_BIT_PLANES[inner],
            *_BIT_PLANES[centre],
        ],
        np.int32,
    )


@functools.lru_cache(maxsize=64)
def _cutoff_words(r1_cutoff: int, r2_cutoff: int) -> NDArray[np.uint64]:
    """The bits of both cutoffs, each bit as a whole word."""
    numbers = (max(0, min(r1_cutoff, 15)), 4), (r2_cutoff + 1, 5)
    return np.array([MASK64 * (number >> bit & 1) for number, bits in numbers for bit in range(bits)], np.uint64)
