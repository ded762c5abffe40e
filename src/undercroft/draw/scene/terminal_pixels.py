"""Render a small picture as lines of a terminal: as large as fits, with square pixels, although a character is twice as
high as wide.
"""

from __future__ import annotations

import numpy as np

from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.scene import Pixels

GROUND = "#0d0f16"
RESET = "\x1b[0m"


def render_lines(pixels: Pixels, columns: int, rows: int) -> list[str]:
    """`rows` lines of `columns` characters, with the picture centred.

    A pixel is two characters wide if there is room, or a multiple of that; else half a character (▀, with a colour for
    each half). A larger picture is scaled down.

    >>> render_lines(np.array([[[255, 0, 0]], [[0, 0, 255]]], np.uint8), 1, 1)
    ['\\x1b[38;2;255;0;0;48;2;0;0;255m▀\\x1b[0m']
    """
    height, width = pixels.shape[:2]
    if 2 * width <= columns and height <= rows:
        times = min(columns // (2 * width), rows // height)
        page = _centred(pixels.repeat(times, axis=0).repeat(2 * times, axis=1), columns, rows)
        return [_format_row(row, row) for row in page]
    page = _centred(shrunk(pixels, columns, 2 * rows), columns, 2 * rows)
    return [_format_row(upper, lower) for upper, lower in zip(page[::2], page[1::2], strict=True)]


def shrunk(pixels: Pixels, columns: int, rows: int) -> Pixels:
    """The picture scaled down to fit; each pixel is the mean of a square of pixels.

    >>> shrunk(np.full((10, 30, 3), 7, np.uint8), 12, 40).shape
    (4, 10, 3)
    """
    height, width = pixels.shape[:2]
    times = max(1, -(-width // max(1, columns)), -(-height // max(1, rows)))
    if times == 1:
        return pixels
    sums = np.add.reduceat(
        np.add.reduceat(pixels.astype(np.uint32), range(0, height, times), axis=0), range(0, width, times), axis=1
    )
    high, wide = (np.minimum(times, side - np.arange(0, side, times)) for side in (height, width))
    mean: Pixels = (sums // (high[:, None] * wide)[:, :, None]).astype(np.uint8)
    return mean


def _centred(pixels: Pixels, columns: int, rows: int) -> Pixels:
    page: Pixels = np.empty((rows, columns, 3), np.uint8)
    page[:] = rgb(GROUND)
    top, left = (rows - pixels.shape[0]) // 2, (columns - pixels.shape[1]) // 2
    page[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    return page


def _format_row(upper: Pixels, lower: Pixels) -> str:
    """A line, with a code at every change of colour. A space is used where both halves have the same colour."""
    both = np.concatenate([upper, lower], axis=1)
    starts = [0, *(np.flatnonzero((both[1:] != both[:-1]).any(axis=1)) + 1).tolist()]
    parts, ink, ground = [], "", ""
    for start, end in zip(starts, [*starts[1:], len(both)], strict=True):
        over, under = (";".join(map(str, half)) for half in (upper[start].tolist(), lower[start].tolist()))
        codes = [f"38;2;{over}"] if over not in (under, ink) else []
        codes += [f"48;2;{under}"] if under != ground else []
        parts.append((f"\x1b[{';'.join(codes)}m" if codes else "") + (" " if over == under else "▀") * (end - start))
        ink, ground = ink if over == under else over, under
    return "".join(parts) + RESET
