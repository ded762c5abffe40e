"""Draw text on pixels with our own letter tables: the same on every machine, and with all characters of the tables."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor
from typing import Literal, NamedTuple

import numpy as np
from PIL import Image

from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.lettering import load_typeface, place_letters, text_width
from undercroft.draw.scene.painter import Mask, fill_mask

At = Literal["left", "middle", "right"]
ANCHORS = {"left": 0.0, "middle": 0.5, "right": 1.0}
SUBPIXELS = 4
"""Fractions of a pixel at which letters can be placed."""


class TextMask(NamedTuple):
    """The coverage of each pixel, from 0 to 255; and the position of the first pixel from the left end of the
    baseline.
    """

    mask: Mask
    left: int
    top: int


def draw_text(
    image: Image.Image,
    x: float,
    line: float,
    words: str,
    size: int,
    colour: str,
    face: str = "sans",
    *,
    at: At = "left",
    turned: bool = False,
) -> None:
    """Draw text of `size` pixels on a baseline, with its left end, middle or right end at x.

    Turned text reads upwards: then x is its baseline, and `line` its left end, middle or right end. Text beyond the
    picture is cut off.
    """
    if not words:
        return
    mask, left, top = render_text_mask(words, size, face)
    before = ANCHORS[at] * text_width(words, size, face)
    if turned:
        corner = round(x) + top, round(line + before) - left - mask.shape[1]
        mask = np.ascontiguousarray(np.rot90(mask))
    else:
        corner = round(x - before) + left, round(line) + top
    image.paste(rgb(colour), corner, Image.fromarray(mask))


@lru_cache(maxsize=1024)
def render_text_mask(words: str, size: int, face: str = "sans") -> TextMask:
    """The coverage of a text. Do not change the array."""
    found: list[tuple[TextMask, int]] = []
    for at, sign, _ in place_letters(words, face):
        whole, share = divmod(round(at * size * SUBPIXELS), SUBPIXELS)
        found.append((_render_letter(sign, size, face, share), whole))
    found = [(each, whole) for each, whole in found if each.mask.size] or [
        (TextMask(np.zeros((1, 1), np.uint8), 0, 0), 0)
    ]
    left, top = min(each.left + whole for each, whole in found), min(each.top for each, _ in found)
    right, bottom = (
        max(each.left + whole + each.mask.shape[1] for each, whole in found),
        max(each.top + each.mask.shape[0] for each, _ in found),
    )
    mask = np.zeros((bottom - top, right - left), np.uint8)
    for each, whole in found:
        high, wide = each.mask.shape
        part = mask[each.top - top :, each.left + whole - left :][:high, :wide]
        np.maximum(part, each.mask, out=part)  # letters hardly ever overlap
    mask.setflags(write=False)
    return TextMask(mask, left, top)


@lru_cache(maxsize=4096)
def _render_letter(sign: str, size: int, face: str, share: int) -> TextMask:
    """One letter, moved to the right by a fraction of a pixel."""
    lines = load_typeface(face).letters[sign].lines
    if not lines:
        return TextMask(np.zeros((0, 0), np.uint8), 0, 0)
    points = np.concatenate(lines) * size + (share / SUBPIXELS, 0)
    left, top = (floor(least) for least in points.min(axis=0))
    right, bottom = (ceil(most) for most in points.max(axis=0))
    mask = np.zeros((max(1, bottom - top), max(1, right - left)), np.uint8)
    fill_mask(mask, points - (left, top), np.cumsum([len(line) for line in lines], dtype=np.int64), 0, len(mask))
    return TextMask(mask, left, top)
