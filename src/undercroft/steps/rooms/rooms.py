"""The step that places rooms at random without collisions."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import buffer, carve, flat_buffer
from undercroft.steps import frames
from undercroft.steps.odd_lattice import check_lattice_size
from undercroft.steps.rectangles import Boxes
from undercroft.steps.rooms import layout_rooms
from undercroft.steps.rooms.layout_rooms import PoolWithDigest
from undercroft.steps.step import ALL_BUT_TILES

LEAST_CELLS_FOR_BITS = 1 << 19
"""Maps of so many cells do not fit the cache of a core, so occupied cells are kept as bits."""
MAX_EXTRA_FOR_BITS = 13
"""The rows of such rooms, with a cell on either side, fit into 64 bits."""


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """Place rooms of odd width and height on odd columns and rows, with at least a wall between any two.

    A room's shorter side is 3, 5, ... up to 2 * extra_size + 5; one side may be stretched by up to the other's length.
    On a map of even width or height the last column or row stays rock.
    """

    tries: Annotated[int, Meta(ge=0, le=100_000_000)] = 0
    """How many rooms to try; 0: one for every 12 cells."""
    extra_size: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Larger numbers allow larger rooms."""
    layouts: tuple[str, ...] = ()
    """Layouts to make rooms from: names of shipped layouts ("any" for all), or files; a layout named twice is drawn
    twice as often. Empty: rectangles.
    """

    edition: ClassVar[int] = 1
    reads: ClassVar[tuple[str, ...]] = ("layouts",)
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ALL_BUT_TILES

    def __post_init__(self) -> None:
        if self.layouts:
            self._layout_pool  # noqa: B018 - report a mistake in them now

    @functools.cached_property
    def _layout_pool(self) -> PoolWithDigest:
        return layout_rooms.load_layouts(self.layouts)

    @property
    def digest(self) -> str:
        """The digest of the layouts that were read; empty if there are none."""
        return self._layout_pool.digest if self.layouts else ""

    def check(self, width: int, height: int) -> None:
        """Refuse a map without room for the smallest room and its walls."""
        check_lattice_size(width, height, least=5, what="rooms")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        rock = draft.palette.rock.view(np.uint8)
        state = np.array([self.tries or max(1, draft.tiles.size // 12), 0, 0], np.int64)
        # a room and its walls take 16 cells
        found = np.empty((draft.tiles.size // 16 + 1 if self.layouts else 0, 4), np.int32)
        floor = draft.palette.role("floor")
        rest = buffer(found), rng.state, draft.width, draft.height, self.extra_size, floor
        if draft.tiles.size >= LEAST_CELLS_FOR_BITS and self.extra_size <= MAX_EXTRA_FOR_BITS:
            taken = np.zeros((draft.height, draft.width // 64 + 2), np.uint64)
            map_args = flat_buffer(draft.tiles), buffer(rock), buffer(taken), draft.width
            reach.run_by_rows(
                run, draft.height, draft.width, lambda first, last: int(carve.mark_taken(*map_args, first, last))
            )
            bits_args = buffer(state), flat_buffer(draft.tiles), buffer(taken), *rest
            run.drive(lambda fuel: int(carve.dig_rooms_by_bits(*bits_args, fuel)))
        else:
            args = buffer(state), flat_buffer(draft.tiles), buffer(rock), *rest
            run.drive(lambda fuel: int(carve.dig_rooms(*args, fuel)))
        if not state[1]:
            run.note(f"none of {state[2]} rooms found a place")
        if self.layouts:
            self._shape_rooms(draft, found[: int(state[1])], rng.stream("layouts"), run)

    def _shape_rooms(self, draft: Draft, boxes: Boxes, rng: Rng, run: Run) -> None:
        """Replace rectangles by rooms from layouts, where one fits that leaves no floor beside a passage crossing."""
        layout_rooms.check_standard_palette(draft)
        wall = draft.palette.role("wall")
        run.spend(2 * int((boxes[:, 2] * boxes[:, 3]).sum()))
        shaped = 0
        for number, (x, y, width, height) in enumerate(boxes.tolist()):
            if number % frames.parts_per_turn(len(boxes)) == 0:
                run.show()
            room = self._layout_pool.pick_room(rng, width, height)
            if (
                room is None
                or room.tiles.shape != (height + 2, width + 2)
                or not _is_on_lattice(layout_rooms.body_mask(room))
            ):
                continue
            window = draft.tiles[y : y + height, x : x + width]
            window[:] = np.where(layout_rooms.body_mask(room), layout_rooms.inner_tiles(room), wall)
            layout_rooms.fill_slots(draft, room, x - 1, y - 1)
            shaped += 1
        if len(boxes) and not shaped:
            run.note(f"no layout fits any of {len(boxes)} rooms; they are rectangles")


def _is_on_lattice(body: NDArray[np.bool_]) -> bool:
    """Whether passages through every rock cell on odd columns and rows would touch no floor. The first cell of `body`
    lies on an odd column and row.

    >>> _is_on_lattice(np.array([[1, 1, 1], [1, 1, 1], [1, 1, 1]], bool))
    True
    >>> _is_on_lattice(np.array([[1, 1, 0], [1, 1, 0], [1, 1, 0]], bool))
    False
    """
    crossings = body[::2, ::2]
    beside = body[::2, 1::2] & ~(crossings[:, :-1] & crossings[:, 1:])
    below = body[1::2, ::2] & ~(crossings[:-1] & crossings[1:])
    return not (beside.any() or below.any())
