"""Find the part of a layout that each cell of a room comes from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import Palette, Tile
from undercroft.templates.layouts.drawn_text import BASE_SIGN, OVERLAY_SIGN, PARTITION_SIGNS
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.layouts.tile_array import Patch
from undercroft.templates.template import OUTSIDE, Template

PART_PALETTE = Palette(
    [
        Tile(sign, "floor", sign, sign, "#888888", walkable=True, opaque=False)
        for sign in (OVERLAY_SIGN, BASE_SIGN, *PARTITION_SIGNS)
    ],
    "parts of a layout",
)


def sign_parts(layout: Layout) -> Layout:
    """The layout with every tile replaced by the sign of its part: = base, ^ overlay, a b c ... partitions in order.

    >>> from undercroft.templates.layouts.drawn_text import parse
    >>> print(sign_parts(parse('''
    ... scale  w = wall, right by 1
    ... scale  f = floor, right by 1
    ...
    ...     #.#  |  =fw
    ... ''', "row.layout")).room((6, 1)))
    =bbbba
    """
    patches = {
        number: _sign_patch(layout.part(number), number) for number in (BASE, OVERLAY, *range(len(layout.partitions)))
    }
    partitions = tuple(replace(partition, tiles=patches[number]) for number, partition in enumerate(layout.partitions))
    return replace(
        layout, base=patches[BASE], partitions=partitions, overlay=patches[OVERLAY], palette=PART_PALETTE, marks=()
    )


def _sign_patch(patch: Patch, number: int) -> Patch:
    return Patch(np.where(patch.tiles == OUTSIDE, OUTSIDE, number - OVERLAY).astype(np.uint8), patch.x, patch.y)


def read_part_numbers(room: Template) -> NDArray[np.int16]:
    """For each cell of a room, made from a layout of `sign_parts`, the number of its part: -1 base, -2 overlay; OUTSIDE
    where it has no cell.
    """
    codes = room.tiles.astype(np.int16)
    return np.where(codes == OUTSIDE, OUTSIDE, codes + OVERLAY)
