"""A pool of layouts to draw from."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import count
from pathlib import Path
from typing import Any

from undercroft.core.rng import Rng
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_list, require_type
from undercroft.limits import LAYOUT_WEIGHT
from undercroft.templates.layouts.arguments import Size, check_stream, size_bounds
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.no_layout_fits import NoLayoutFits
from undercroft.templates.template import Template
from undercroft.wording import format_value_briefly

_FIX = "for example Pool([(undercroft.Layout.load('L'), 3)])"


class Pool:
    """Layouts with whole-number weights. `room` draws one; if it gives no such room, another is drawn.

    >>> from undercroft.templates.layouts.partition import Axis, Partition
    >>> from undercroft.templates.layouts.tile_array import Patch
    >>> tile = Patch.of([(0, 0, 2)])
    >>> even = Layout("even", partitions=(Partition(tile, Axis(amount=2), Axis(amount=2), lock_ratio=False),))
    >>> free = Layout("free", partitions=(Partition(tile, lock_ratio=False),))
    >>> pool = Pool([(even, 9), (free, 1)])
    >>> pool.room(Rng.root(1), (4, 2)).name
    'free'
    >>> Pool([(even, 1)]).room(Rng.root(1), (4, 2))
    Traceback (most recent call last):
    undercroft.templates.layouts.no_layout_fits.NoLayoutFits: no room of 4x2: even: it goes from 3 to 5 wide in one step
      fix: ask for another size, or allow more leniency
    """

    def __init__(self, layouts: Iterable[tuple[Layout, int]], fallback: Layout | None = None) -> None:
        self.layouts = _check_layouts(layouts)
        """The layouts, each with its weight."""
        self.fallback = fallback
        """The layout to try if no other gives a room, with the least leniency that suffices."""
        if not self.layouts:
            raise BadInput("a pool without a layout", fix="put at least one in")
        if fallback is not None:
            require_type("fallback", fallback, Layout, "a Layout", "leave it out, or give undercroft.Layout.load(file)")
        for layout, weight in self.layouts:
            if type(weight) is not int or not 1 <= weight <= LAYOUT_WEIGHT.value:
                raise BadInput(
                    f"the weight of {layout.name!r} is a whole number from 1 to {LAYOUT_WEIGHT.value:,}, "
                    f"not {format_value_briefly(weight)}",
                    fix="leave it out if it shall never be drawn",
                )

        self._smallest = tuple(layout.smallest for layout, _ in self.layouts)

    @classmethod
    def load(cls, path: str | Path) -> Pool:
        """Load the pool of a folder of layouts, or of a file that lists layouts with weights; "any" is the pool of the
        shipped layouts.
        """
        from undercroft.templates.layouts import pool_files

        return pool_files.load(path)

    def room(self, rng: Rng, size: Size, *, leniency: int | Size = 0, overgrow: bool = False) -> Template:
        """A room of that size from some layout, randomly flipped where its layout allows. If none gives one,
        `NoLayoutFits` holds the reason for each.
        """
        room = self.try_room(rng, size, leniency=leniency, overgrow=overgrow)
        if room is not None:
            return room
        reasons: dict[str, str] = {}
        for layout, _ in self.layouts:
            reasons[_unique_name(layout.name or "a layout", reasons)] = str(
                layout.fits(size, leniency=leniency, overgrow=overgrow)
            )
        if self.fallback is not None:
            found: Size | str = ""
            for near in range(max(size)):
                found = self.fallback.fits(size, leniency=near)
                if not isinstance(found, str):
                    return self.fallback.room(size, leniency=near, flip=_choose_flips(self.fallback, rng))
            reasons[self.fallback.name or "the fallback"] = str(found)
        raise NoLayoutFits(reasons, size)

    def try_room(self, rng: Rng, size: Size, *, leniency: int | Size = 0, overgrow: bool = False) -> Template | None:
        """Like `room`, but None if no layout gives such a room; without the fallback and without reasons."""
        check_stream(rng)
        wide, high = size_bounds(size, leniency, overgrow)[1]
        left = [
            entry
            for entry, smallest in zip(self.layouts, self._smallest, strict=True)
            if smallest[0] <= wide and smallest[1] <= high
        ]
        while left:
            layout, _ = left.pop(rng.weighted_index([weight for _, weight in left]))
            room = layout.try_room(size, leniency=leniency, overgrow=overgrow, flip=_choose_flips(layout, rng))
            if room is not None:
                return room
        return None


def _check_layouts(layouts: Any) -> tuple[tuple[Layout, int], ...]:
    """The layouts with their weights. Raises if they are none."""
    rows = require_list("layouts", layouts, _FIX)
    for row in rows:
        if not isinstance(row, tuple | list) or len(row) != 2 or not isinstance(row[0], Layout):
            raise BadInput(f"a pool is made of layouts with weights, not of {format_value_briefly(row)}", fix=_FIX)
    return tuple(rows)


def _unique_name(name: str, names: Container[str]) -> str:
    """The name, with a number if it is taken."""
    return name if name not in names else next(one for number in count(2) if (one := f"{name} ({number})") not in names)


def _choose_flips(layout: Layout, rng: Rng) -> tuple[bool, bool]:
    """Whether to flip along X and Y. Always makes two draws, so that later draws do not depend on the layout."""
    x, y = rng.below(2), rng.below(2)
    return bool(layout.flip_x and x), bool(layout.flip_y and y)
