"""What people want to see beside the scene itself: the way, numbers and names of rooms, a grid, how far it is, and a
title.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.scene.colour import STEPS, ramp, rgb
from undercroft.draw.styles.pixels.pixel_letters import HIGH, wrapped, written
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, Mask, fine, grown
from undercroft.draw.tileset.paint import SIZE
from undercroft.draw.view.canvas_marks import smoothed
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.room_numbers import spots
from undercroft.draw.view.tint import tint

INK, PALE, GOLD, WAY = rgb("#0c0a12"), rgb("#fff3d6"), rgb("#f0c55c"), rgb("#8ff0e6")
DOT = 7
"""Pixels from a dot of the way to the next."""
WIDE = 800
"""Pixels of a picture for which letters of the title are twice as large as others; in wider ones they grow."""
LONGEST = 12
"""Letters of the longest name of a lock."""
VEIL = 0.42
"""How much of a cell is the colour of its distance or its room."""


def veil(image: Bytes, level: Level, shown: frozenset[str], ground: Mask) -> None:
    """Tint the ground by the steps from the start, or by its region; and draw the lines between cells."""
    if "heat" in shown:
        shade = tint(level)
        _mix(image, ramp()[np.rint(np.maximum(shade, 0) * (STEPS - 1)).astype(np.intp)], fine(shade >= 0) & ground)
    elif "regions" in shown and len(level.regions):
        labels = level.regions.labels
        colours = ramp()[(np.arange(len(level.regions) + 1) * 97) % STEPS]
        _mix(image, colours[labels], fine(labels > 0) & ground)
    if "grid" in shown:
        lines = np.zeros_like(ground)
        lines[::SIZE] = lines[:, ::SIZE] = True
        lines &= ground
        image[lines] = image[lines] // 8 * 5


def _mix(image: Bytes, colours: Bytes, where: Mask) -> None:
    """Mix a colour a cell into some pixels, which keep their light and shade."""
    over = colours.repeat(SIZE, axis=0).repeat(SIZE, axis=1)[where].astype(np.float32)
    under = image[where].astype(np.float32)
    light = under.mean(axis=1, keepdims=True) / np.float32(150)
    image[where] = np.clip(under * (1 - VEIL) + over * light * VEIL + over * np.float32(0.12), 0, 255).astype(np.uint8)


def write(image: Bytes, level: Level, shown: frozenset[str]) -> None:
    """The way, the names of locks beside doors and keys, and the rooms' numbers and names."""
    if "path" in shown and len(level.path) > 1:
        _way(image, level.path)
    for tie in Plan(level, "secrets" in shown, shown).ties:
        mask = written(tie.word[:LONGEST])
        _stamp(
            image, mask, round(tie.x * SIZE + (0.5 - tie.anchor) * mask.shape[1]), round(tie.y * SIZE) - HIGH // 2, PALE
        )
    if {"numbers", "names"} & shown:
        names = dict(enumerate(level.rooms, 1))
        for spot in spots(level):
            lines = [str(spot.number)] if "numbers" in shown else []
            region = names.get(spot.number)
            if "names" in shown and region is not None and region.name:
                lines += wrapped(region.name, max(3, region.width) * SIZE - 6)
            top = round(spot.y * SIZE) - (HIGH + 3) * len(lines) // 2 + 1
            for line, words in enumerate(lines):
                _stamp(
                    image,
                    written(words),
                    round(spot.x * SIZE),
                    top + line * (HIGH + 3),
                    PALE if line or "numbers" not in shown else GOLD,
                )


def _way(image: Bytes, path: NDArray[np.int32]) -> None:
    """A row of dots along the way."""
    points: NDArray[np.float64] = smoothed(path + 0.5) * SIZE
    lengths = np.concatenate([[0], np.cumsum(np.abs(np.diff(points, axis=0)).max(axis=1))])
    at = np.arange(DOT // 2, lengths[-1], DOT)
    xs, ys = (np.interp(at, lengths, points[:, axis]).astype(np.intp) for axis in (0, 1))
    mask = np.zeros(image.shape[:2], bool)
    for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
        mask[ys - down, xs - right] = True
    image[grown(mask) & ~mask] = INK
    image[mask] = WAY


def _stamp(image: Bytes, mask: Mask, middle: int, top: int, colour: tuple[int, int, int]) -> None:
    """A mask in a colour, with a dark edge around it; what would be outside is cut off."""
    body = np.pad(mask, 1)
    wide = grown(body)
    wide |= grown(wide) & np.pad(mask[:-1], ((2, 1), (1, 1)))  # a shadow below
    left, top = middle - body.shape[1] // 2, top - 1
    height, width = image.shape[:2]
    rows, columns = (
        slice(max(0, top), min(height, top + len(body))),
        slice(max(0, left), min(width, left + body.shape[1])),
    )
    if rows.start < rows.stop and columns.start < columns.stop:
        part = np.s_[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        image[rows, columns][wide[part]] = INK
        image[rows, columns][body[part]] = colour


def titled(image: Image.Image, level: Level) -> Image.Image:
    """The picture below a band with the level's title, or its recipe, and its seed."""
    large = max(1, image.width // WIDE)
    recipe = str(level.provenance.get("recipe", "")).replace("-", " ")
    lines = [(line, 2 * large, GOLD) for line in wrapped(level.title or recipe, (image.width - 4) // (2 * large))]
    if "seed" in level.provenance:
        lines += [
            (line, large, PALE) for line in wrapped(f"seed {level.provenance['seed']}", (image.width - 4) // large)
        ]
    if not lines:
        return image
    gap = 3 * large
    band = np.full((sum(HIGH * scale + gap for _, scale, _ in lines) + 3 * gap, image.width, 3), INK, np.uint8)
    top = 2 * gap
    for words, scale, colour in lines:
        _stamp(band, written(words).repeat(scale, axis=0).repeat(scale, axis=1), image.width // 2, top, colour)
        top += HIGH * scale + gap
    whole = Image.new("RGB", (image.width, image.height + len(band)))
    whole.paste(Image.fromarray(band), (0, 0))
    whole.paste(image, (0, len(band)))
    return whole
