"""The legend below a scene: a cut-out or a sprite for every sign, and its word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PIL import Image

from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.styles.pixels.overlays import INK, PALE, draw_mask
from undercroft.draw.styles.pixels.pixel_canvas import blended
from undercroft.draw.styles.pixels.pixel_letters import LETTER_HEIGHT, render_words
from undercroft.draw.styles.pixels.pixel_terrain import Bytes
from undercroft.draw.styles.pixels.sprite_badges import find_shared_sprites
from undercroft.draw.tileset.decor_placement import find_special_rooms
from undercroft.draw.tileset.paint import TILE_PIXELS
from undercroft.draw.tileset.picture import thing_piece_number
from undercroft.draw.tileset.tile_sheet import tileset
from undercroft.draw.view.legend import list_legend_entries
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.thing_symbols import drawn_kind
from undercroft.wording import shorten

PIXELS_PER_SCALE = 700
"""The width of a picture, in pixels, for which letters are twice the usual size."""
GAP = 6
"""Pixels between entries, and around the legend."""
GROUND = (38, 34, 46)
"""The colour under sprites."""
MAX_WORD = 28
"""The maximum number of letters in a word."""
WORD_ROLES = {
    "door": "door",
    "locked door": "locked",
    "secret door": "secret",
    "stairs up": "entry",
    "stairs down": "exit",
    "pillar": "pillar",
    "water": "water",
    "pit": "pit",
}
"""The role of the tile that a word of the legend names."""


class PixelEntry(NamedTuple):
    """A word and its picture, TILE_PIXELS a side."""

    word: str
    pixels: Bytes


def list_pixel_entries(
    level: Level, shown: frozenset[str], image: Image.Image, left: float, cell: int
) -> list[PixelEntry]:
    """The entries of a level whose map begins `left` cells from the left and the top of the image."""
    found = (*_find_entries(level, shown, image, left, cell), *_find_room_entries(level, image, left, cell))
    return [entry._replace(word=shorten(entry.word, MAX_WORD)) for entry in found]


def _find_entries(
    level: Level, shown: frozenset[str], image: Image.Image, left: float, cell: int
) -> Iterator[PixelEntry]:
    view = LevelView(level, "secrets" in shown, shown)
    things = {drawn_kind(thing): thing for thing in reversed(view.things)} if "things" in shown else {}
    badges = find_shared_sprites(list(view.things))
    tiles = {each.tile.name: each.cells for each in view.coloured_tiles}
    for entry in list_legend_entries(view, shown):
        if entry.word in tiles and entry.custom:
            cells = tiles[entry.word]
        elif entry.word in WORD_ROLES and not (entry.word in things and entry.word != "pillar"):
            cells = level.palette.role_mask(WORD_ROLES[entry.word])[level.tiles]
        elif entry.word in things:
            yield PixelEntry(entry.word, _draw_sprite(things[entry.word], badges.get(entry.word, "")))
            continue
        else:
            cells = np.zeros(level.tiles.shape, bool)
            for door in view.doors:
                one_way = entry.word == "one-way door" and door.to
                if one_way or entry.word == f"{door.state} door":
                    cells[door.y, door.x] = True
        points = np.argwhere(cells)
        if not len(points) and entry.word.startswith("stairs"):
            points = np.array([(stair.y, stair.x) for stair in view.stairs if stair.up == (entry.word == "stairs up")])
        if len(points):
            y, x = points[0].tolist()
            left_edge, top, right, bottom = (round((side + left) * cell) for side in (x, y, x + 1, y + 1))
            cut = image.crop((left_edge, top, right, bottom)).resize((TILE_PIXELS, TILE_PIXELS), Image.Resampling.BOX)
            yield PixelEntry(entry.word, np.asarray(cut.convert("RGB")))


def _find_room_entries(level: Level, image: Image.Image, left: float, cell: int) -> Iterator[PixelEntry]:
    """The circles of light in special rooms: the middle of the first of each kind."""
    found: dict[str, tuple[int, int]] = {}
    for point, tag in find_special_rooms(level).items():
        found.setdefault(tag, point)
    for tag, (x, y) in found.items():
        box = tuple(round((side + left) * cell) for side in (x - 1, y - 1, x + 2, y + 2))
        cut = image.crop(box).resize((TILE_PIXELS, TILE_PIXELS), Image.Resampling.BOX)  # type: ignore[arg-type]
        yield PixelEntry(f"{tag} room", np.asarray(cut.convert("RGB")))


def _draw_sprite(thing: Thing, badge: str) -> Bytes:
    """The sprite of a thing on plain ground, with a letter if it has one."""
    ground: Bytes = np.empty((TILE_PIXELS, TILE_PIXELS, 3), np.uint8)
    ground[:] = GROUND
    drawn = blended(tileset().pixels[thing_piece_number(thing.kind, thing.data)], ground)
    if badge:
        draw_mask(drawn, render_words(badge), TILE_PIXELS - 4, TILE_PIXELS - LETTER_HEIGHT - 1, PALE)
    return drawn


def add_legend(image: Image.Image, entries: list[PixelEntry]) -> Image.Image:
    """The image above a band with these entries."""
    if not entries:
        return image
    large = max(1, image.width // PIXELS_PER_SCALE)
    rows: list[list[tuple[int, PixelEntry]]] = []
    room, at = max(1, image.width // large - 2 * GAP), 0
    for entry in entries:
        wide = TILE_PIXELS + 4 + render_words(entry.word).shape[1] + 2 * GAP
        if not rows or at + wide > room:
            rows.append([])
            at = 0
        rows[-1].append((at, entry))
        at += wide
    band: Bytes = np.empty((len(rows) * (TILE_PIXELS + 4) + 2 * GAP, room + 2 * GAP, 3), np.uint8)
    band[:] = INK
    for number, row in enumerate(rows):
        top = GAP + number * (TILE_PIXELS + 4)
        for place, entry in row:
            left = GAP + place
            part = band[top : top + TILE_PIXELS, left : left + TILE_PIXELS]
            part[:] = entry.pixels[: part.shape[0], : part.shape[1]]
            mask = render_words(entry.word)
            middle = left + TILE_PIXELS + 4 + mask.shape[1] // 2
            draw_mask(band, mask, middle, top + (TILE_PIXELS - LETTER_HEIGHT) // 2, PALE)
    lower = Image.fromarray(band).resize((band.shape[1] * large, band.shape[0] * large), Image.Resampling.NEAREST)
    whole = Image.new("RGB", (image.width, image.height + lower.height), INK)
    whole.paste(image, (0, 0))
    whole.paste(lower, (0, image.height))
    return whole
