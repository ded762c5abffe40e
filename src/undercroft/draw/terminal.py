"""Render levels for a terminal: one character a cell, with or without colours. The caller chooses."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import list_coloured_codes
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.stairs import STAIRS
from undercroft.draw.pen import box_drawing
from undercroft.draw.scene.colour import RAMP_STEPS, brightness, colour_ramp, rgb
from undercroft.draw.view.ground_colours import assign_ground_colours
from undercroft.draw.view.tint import compute_tint

GROUND, WALL, UNREACHABLE = "#0d0f16", "#aab4cc", "#3a3f4c"
DARK, LIGHT = "#0b0d14", "#f2f5fb"
WAY = "#ffffff"
START, END = "#3cf0a6", "#ff5470"
RESET = "\x1b[0m"
STAIRS_SIGNS = {"up": "<", "down": ">", "level": "="}
"""The signs of stairs that are things, by the way they lead."""
MAX_DARK_BRIGHTNESS = 140_000
"""The brightness of ground above which characters on it are dark."""

Kind = TypeVar("Kind", bound=np.generic)


def render_monochrome(level: Level, *, width: int | None = None) -> str:
    """The level as lines of characters: walls are lines, other cells are the palette's faces, start and end are S and
    E, and things are letters.

    >>> print(render_monochrome(Level.parse('''
    ...     #######
    ...     #<.+.>#
    ...     #######
    ... ''')))
    ┌──┬──┐
    │S·+·E│
    └──┴──┘
    """
    page = box_drawing.render_characters(level)
    _mark_things(level, page)
    _mark_ends(level, page)
    return "\n".join("".join(row) for row in _cropped(page, width).tolist())


def render_coloured(level: Level, *, width: int | None = None) -> str:
    """The level with 24-bit colours for a terminal: ground from dark to light by the distance from the start, or in the
    level's own colours if it has some, the path as a heavy line.

    With a width, wider levels are cut there and end in '…'. Every line resets the colours, so that it can be cut or
    piped.
    """
    page = box_drawing.render_characters(level)
    ink, ground = _cell_colours(level)
    arms = box_drawing.path_arms(level)
    doors = level.palette.role_mask("door", "opening", "locked", "secret", "entry", "exit")[level.tiles]
    way = (arms > 0) & ~doors
    page[way] = box_drawing.HEAVY_LINES[arms[way]]
    ink[arms > 0] = rgb(WAY)
    for y, x in _mark_things(level, page):
        light = brightness(ground[y, x][None])[0] > MAX_DARK_BRIGHTNESS
        ink[y, x] = rgb(DARK) if light else rgb(LIGHT)
    _mark_ends(level, page)
    for point, colour in ((level.start, START), (level.end, END)):
        if point is not None:
            ink[point[1], point[0]], ground[point[1], point[0]] = rgb(DARK), rgb(colour)
    page, ink, ground = _cropped(page, width), _cropped(ink, width), _cropped(ground, width)
    styles = np.concatenate([ink, ground], axis=2)
    return "\n".join(_format_row(signs, style) for signs, style in zip(page.tolist(), styles, strict=True))


def _format_row(signs: list[str], styles: NDArray[np.uint8]) -> str:
    """A row, with a colour code at every change of colour."""
    changes = np.flatnonzero((styles[1:] != styles[:-1]).any(axis=1)) + 1
    starts = [0, *changes.tolist()]
    parts = []
    for start, end in zip(starts, [*starts[1:], len(signs)], strict=True):
        r, g, b, under_r, under_g, under_b = styles[start].tolist()
        parts.append(f"\x1b[38;2;{r};{g};{b};48;2;{under_r};{under_g};{under_b}m{''.join(signs[start:end])}")
    return "".join(parts) + RESET


def _cell_colours(level: Level) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The foreground and background colour of each cell."""
    coloured = list_coloured_codes(level.tiles, level.palette)
    shade = compute_tint(level)
    own = np.array(
        [rgb(tile.colour) for tile in level.palette.tiles] + [rgb(UNREACHABLE)] * (256 - len(level.palette)), np.uint8
    )[level.tiles]
    steps = np.rint(np.maximum(shade, 0) * (RAMP_STEPS - 1)).astype(np.intp)
    rock = level.palette.role_mask("wall", "void")[level.tiles]
    ground = np.where((shade >= 0)[..., None], colour_ramp()[steps], np.array(rgb(UNREACHABLE), np.uint8))
    ground[rock] = rgb(GROUND)
    wet = level.palette.role_mask("water", "pit")[level.tiles]
    ground[wet] = own[wet] // 2
    ink = np.where((shade > 0.55)[..., None], np.array(rgb(DARK), np.uint8), np.array(rgb(LIGHT), np.uint8))
    plain = level.palette.role_mask("floor", "corridor")[level.tiles]
    ink[plain] = (ground[plain].astype(np.uint16) * 3 // 4 + np.where(shade[plain, None] > 0.55, 0, 50)).astype(
        np.uint8
    )
    ink[rock] = rgb(WALL)
    ink[wet] = own[wet] // 2 + 100
    if coloured:
        _apply_own_colours(level, coloured, ink, ground)
    return ink, ground


def _apply_own_colours(level: Level, codes: list[int], ink: NDArray[np.uint8], ground: NDArray[np.uint8]) -> None:
    """Show the colours of the palette instead of distances: walls in them, and ground on them."""
    rock = level.palette.role_mask("wall", "void")[level.tiles]
    numbers, colours = assign_ground_colours(level, frozenset({"secrets"}))
    shown = colours[numbers]
    ground[~rock] = (shown[~rock].astype(np.uint16) * 4 // 5).astype(np.uint8)
    light = (brightness(shown) > MAX_DARK_BRIGHTNESS) & ~rock
    ink[~rock], ink[light] = rgb(LIGHT), rgb(DARK)
    plain = level.palette.role_mask("floor", "corridor", "water", "pit")[level.tiles]
    ink[plain] = (ground[plain].astype(np.uint16) * 3 // 4 + np.where(light[plain, None], 0, 50)).astype(np.uint8)
    own_rock = rock & np.isin(level.tiles, codes)
    ink[own_rock] = shown[own_rock]


def _mark_things(level: Level, page: NDArray[np.str_]) -> list[tuple[int, int]]:
    """Mark the things on open ground with letters. Returns their cells, as y and x."""
    closed = level.palette.role_mask("wall", "void", "door", "locked", "secret", "entry", "exit")[level.tiles]
    found = []
    for thing in level.things:
        if not closed[thing.y, thing.x]:
            page[thing.y, thing.x] = _thing_letter(thing, level)
            found.append((thing.y, thing.x))
    return found


def _thing_letter(thing: Thing, level: Level) -> str:
    """The sign of a thing: the palette's glyph; `<`, `>` or `=` for stairs; else the first letter of its kind, a
    capital for monsters.
    """
    glyph = next((sign for sign, each in level.palette.things.items() if each.kind == thing.kind), "")
    if glyph:
        return glyph
    if thing.kind == STAIRS:
        return STAIRS_SIGNS.get(str(thing.data.get("way", "")), ">")
    letter = next((sign for sign in thing.kind if sign.isascii() and sign.isalnum()), "?")
    return letter.upper() if thing.data.get("group") == "monster" else letter.lower()


def _mark_ends(level: Level, page: NDArray[np.str_]) -> None:
    for point, sign in ((level.start, "S"), (level.end, "E")):
        if point is not None:
            page[point[1], point[0]] = sign


def _cropped(grid: NDArray[Kind], width: int | None) -> NDArray[Kind]:
    """The left part that fits; the last column marks the cut."""
    if width is None or grid.shape[1] <= width:
        return grid
    grid = grid[:, : max(1, width)].copy()
    if grid.dtype.kind == "U":
        grid[:, -1] = "…"
    return grid
