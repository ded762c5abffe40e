"""Overlays of the scene: the path, numbers and names of rooms, a grid, distances, and a title."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp, rgb
from undercroft.draw.styles.pixels.pixel_letters import LETTER_HEIGHT, render_words, wrap_words
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, Mask, cells_to_pixels, dilated
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.view.canvas_marks import smoothed
from undercroft.draw.view.headings import format_title
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_numbers import place_numbers
from undercroft.draw.view.tint import compute_tint
from undercroft.wording import shorten

INK, PALE, GOLD, WAY = rgb("#0c0a12"), rgb("#fff3d6"), rgb("#f0c55c"), rgb("#8ff0e6")
DOT_SPACING = 7
"""Pixels between the dots of the path."""
PIXELS_PER_TITLE_SCALE = 800
"""The width of a picture, in pixels, for which the title's letters are twice the usual size; they grow with wider
pictures.
"""
MAX_LOCK_LETTERS = 12
"""The maximum number of letters in the name of a lock."""
TINT_SHARE = 0.42
"""The share of the tint (distance or region) in a cell's colour."""


def tint_ground(image: Bytes, level: Level, shown: frozenset[str], ground: Mask, size: int = TILE_PIXELS) -> None:
    """Tint the ground by the steps from the start, or by its region; and draw the grid lines. A cell has `size`
    pixels.
    """
    if "heat" in shown:
        shade = compute_tint(level)
        _mix_colours(
            image,
            colour_ramp()[np.rint(np.maximum(shade, 0) * (RAMP_STEPS - 1)).astype(np.intp)],
            cells_to_pixels(shade >= 0, size) & ground,
            size,
        )
    elif "regions" in shown and len(level.regions):
        labels = level.regions.labels
        colours = colour_ramp()[(np.arange(len(level.regions) + 1) * 97) % RAMP_STEPS]
        _mix_colours(image, colours[labels], cells_to_pixels(labels > 0, size) & ground, size)
    if "grid" in shown:
        lines = np.zeros_like(ground)
        lines[::size] = lines[:, ::size] = True
        lines &= ground
        image[lines] = image[lines] // 8 * 5


def _mix_colours(image: Bytes, colours: Bytes, where: Mask, size: int) -> None:
    """Mix one colour for each cell into some pixels, which keep their light and shade."""
    over = colours.repeat(size, axis=0).repeat(size, axis=1)[where].astype(np.float32)
    under = image[where].astype(np.float32)
    light = under.mean(axis=1, keepdims=True) / np.float32(150)
    image[where] = np.clip(
        under * (1 - TINT_SHARE) + over * light * TINT_SHARE + over * np.float32(0.12), 0, 255
    ).astype(np.uint8)


def draw_labels(image: Bytes, level: Level, shown: frozenset[str], size: int = TILE_PIXELS) -> None:
    """Draw the path, the names of locks beside doors and keys, and the numbers and names of rooms. A cell has `size`
    pixels.
    """
    if "path" in shown and len(level.path) > 1:
        _draw_way(image, level.path, size)
    for tie in LevelView(level, "secrets" in shown, shown).lock_labels:
        mask = render_words(tie.word[:MAX_LOCK_LETTERS])
        _draw_mask(
            image,
            mask,
            round(tie.x * size + (0.5 - tie.anchor) * mask.shape[1]),
            round(tie.y * size) - LETTER_HEIGHT // 2,
            PALE,
        )
    if {"numbers", "names"} & shown:
        names = dict(enumerate(level.rooms, 1))
        for spot in place_numbers(level):
            lines = [str(spot.number)] if "numbers" in shown else []
            region = names.get(spot.number)
            if "names" in shown and region is not None and region.name:
                lines += wrap_words(region.name, max(3, region.width) * size - 6)
            top = round(spot.y * size) - (LETTER_HEIGHT + 3) * len(lines) // 2 + 1
            for line, words in enumerate(lines):
                _draw_mask(
                    image,
                    render_words(words),
                    round(spot.x * size),
                    top + line * (LETTER_HEIGHT + 3),
                    PALE if line or "numbers" not in shown else GOLD,
                )


def _draw_way(image: Bytes, path: NDArray[np.int32], size: int) -> None:
    """Draw a row of dots along the path."""
    points: NDArray[np.float64] = smoothed(path + 0.5) * size
    lengths = np.concatenate([[0], np.cumsum(np.abs(np.diff(points, axis=0)).max(axis=1))])
    at = np.arange(DOT_SPACING // 2, lengths[-1], DOT_SPACING)
    xs, ys = (np.interp(at, lengths, points[:, axis]).astype(np.intp) for axis in (0, 1))
    mask = np.zeros(image.shape[:2], bool)
    for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
        mask[ys - down, xs - right] = True
    image[dilated(mask) & ~mask] = INK
    image[mask] = WAY


def _draw_mask(image: Bytes, mask: Mask, middle: int, top: int, colour: tuple[int, int, int]) -> None:
    """Draw a mask in a colour, with a dark edge around it; parts outside the picture are cut off."""
    body = np.pad(mask, 1)
    wide = dilated(body)
    wide |= dilated(wide) & np.pad(mask[:-1], ((2, 1), (1, 1)))  # a shadow below
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


def add_title(image: Image.Image, level: Level) -> Image.Image:
    """The picture below a band with the level's title, or its recipe, and its seed."""
    large = max(1, image.width // PIXELS_PER_TITLE_SCALE)
    lines = [(line, 2 * large, GOLD) for line in wrap_words(format_title(level), (image.width - 4) // (2 * large))]
    if "seed" in level.provenance:
        lines += [
            (line, large, PALE)
            for line in wrap_words(f"seed {shorten(str(level.provenance['seed']))}", (image.width - 4) // large)
        ]
    if not lines:
        return image
    gap = 3 * large
    band = np.full((sum(LETTER_HEIGHT * scale + gap for _, scale, _ in lines) + 3 * gap, image.width, 3), INK, np.uint8)
    top = 2 * gap
    for words, scale, colour in lines:
        _draw_mask(band, render_words(words).repeat(scale, axis=0).repeat(scale, axis=1), image.width // 2, top, colour)
        top += LETTER_HEIGHT * scale + gap
    whole = Image.new("RGB", (image.width, image.height + len(band)))
    whole.paste(Image.fromarray(band), (0, 0))
    whole.paste(image, (0, len(band)))
    return whole
