"""Overlays of the scene: the path, numbers and names of rooms, a grid, distances, and a title."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.pen.free_space import CellRect
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp, rgb
from undercroft.draw.styles.pixels.pixel_letters import LETTER_HEIGHT, LETTER_WIDTH, render_words, wrap_words
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, Mask, cells_to_pixels, dilated
from undercroft.draw.styles.pixels.sprite_badges import find_shared_sprites
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.view.canvas_marks import smoothed
from undercroft.draw.view.headings import format_title
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_names import LEADING, place_names
from undercroft.draw.view.tint import compute_tint
from undercroft.wording import shorten

INK, PALE, GOLD, WAY = rgb("#0c0a12"), rgb("#fff3d6"), rgb("#f0c55c"), rgb("#8ff0e6")
DOT_SPACING = 7
"""Pixels between the dots of the path."""
PIXELS_PER_TITLE_SCALE = 800
"""The width of a picture, in pixels, for which the title's letters are twice the usual size; they grow with wider
pictures.
"""
MIN_FIGURES = 0.66
"""The size of letters, in cells, that pixel letters take the space of."""
SPARE = 0.84
"""The share of the space of letters of twice the size that figures need."""
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
    view = LevelView(level, "secrets" in shown, shown, min_figures=MIN_FIGURES)
    if "legend" in shown and "things" in shown:
        _draw_badges(image, view, size)
    for text, kind, box in place_texts(view, shown):
        mask, large = render_words(text), _enlargement(box)
        middle, top = (box.left + box.right) / 2 * size, (box.top + box.bottom) / 2 * size
        draw_mask(
            image,
            mask.repeat(large, axis=0).repeat(large, axis=1),
            round(middle),
            round(top - large * LETTER_HEIGHT / 2),
            GOLD if kind == "number" else PALE,
        )
    for label in view.labels if "numbers" in shown else ():
        if label.lead is not None:
            _draw_lead(image, label.lead, size)


def place_texts(view: LevelView, shown: frozenset[str]) -> list[tuple[str, str, CellRect]]:
    """The texts on a scene: each with its kind (lock, name, number) and the box that its letters take, in cells."""
    found = []
    for tie in view.lock_labels:
        box = tie.widest_box()
        most = max(1, int(((box.right - box.left) * TILE_PIXELS + 1) / (LETTER_WIDTH + 1)))
        text = tie.word[: min(most, MAX_LOCK_LETTERS)]
        wide = render_words(text).shape[1] / TILE_PIXELS
        middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        found.append((text, "lock", CellRect.centred_on(*middle, wide, LETTER_HEIGHT / TILE_PIXELS)))
    large = max(1, round(view.label_scale))
    names = place_names(view, "", MIN_FIGURES, MIN_FIGURES, measure_words) if "names" in shown else []
    for name in names:
        step = name.size * LEADING
        for number, line in enumerate(name.lines):
            y = name.y + (number - (len(name.lines) - 1) / 2) * step
            wide, high = measure_words(line, name.size, ""), large * LETTER_HEIGHT / TILE_PIXELS
            found.append((line, "name", CellRect.centred_on(name.x, y, wide, high)))
    done = {name.label.label for name in names}
    for label in view.labels if {"numbers", "names"} & shown else ():
        if label.label not in done:
            times = max(1, int(label.size / MIN_FIGURES / SPARE))
            wide, high = render_words(str(label.number)).shape[1], LETTER_HEIGHT
            box = CellRect.centred_on(label.x, label.y, times * wide / TILE_PIXELS, times * high / TILE_PIXELS)
            found.append((str(label.number), "number", box))
    return found


def measure_words(line: str, size: float, _face: str) -> float:
    """The width of a line in pixel letters, in cells."""
    return float(round(size / MIN_FIGURES) * render_words(line).shape[1] / TILE_PIXELS)


def _enlargement(box: CellRect) -> int:
    return max(1, round((box.bottom - box.top) * TILE_PIXELS / LETTER_HEIGHT))


def _draw_badges(image: Bytes, view: LevelView, size: int) -> None:
    """Draw a letter at things that look like others."""
    badges = find_shared_sprites(view.things)
    for thing in view.things:
        if letter := badges.get(thing.kind):
            right, bottom = (thing.x + 1) * size, (thing.y + 1) * size
            draw_mask(image, render_words(letter), right - 4, bottom - LETTER_HEIGHT - 1, PALE)


def _draw_lead(image: Bytes, lead: tuple[tuple[float, float], tuple[float, float]], size: int) -> None:
    """Draw a line from a number into its room, with a dark edge."""
    (x0, y0), (x1, y1) = lead
    steps = 2 + int(max(abs(x1 - x0), abs(y1 - y0)) * size)
    mask = np.zeros(image.shape[:2], bool)
    xs, ys = (np.linspace(a, b, steps) * size for a, b in ((x0, x1), (y0, y1)))
    height, width = image.shape[:2]
    mask[np.clip(ys.astype(np.intp), 0, height - 1), np.clip(xs.astype(np.intp), 0, width - 1)] = True
    image[dilated(mask) & ~mask] = INK
    image[mask] = GOLD


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


def draw_mask(image: Bytes, mask: Mask, middle: int, top: int, colour: tuple[int, int, int]) -> None:
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
        draw_mask(band, render_words(words).repeat(scale, axis=0).repeat(scale, axis=1), image.width // 2, top, colour)
        top += LETTER_HEIGHT * scale + gap
    whole = Image.new("RGB", (image.width, image.height + len(band)))
    whole.paste(Image.fromarray(band), (0, 0))
    whole.paste(image, (0, len(band)))
    return whole
