"""The tiles of a level that have a colour of their own, and the cells that show it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import list_coloured_codes, rock_behind_secrets
from undercroft.core.level import Level
from undercroft.core.palette import STANDING_ROLES, Tile
from undercroft.draw.pen import contour
from undercroft.draw.scene.scene import Points, Scene
from undercroft.draw.view.tint import spread_colours

Cells = NDArray[np.bool_]
ROCK_ROLES, HOLLOW_ROLES = ("wall", "void"), ("water", "pit")
GROUND_OVERLAYS = frozenset({"heat", "regions"})
"""Parts of a picture that colour the ground; where they are shown, tiles of the ground lose their colour."""


class ColouredTile(NamedTuple):
    """A tile with a colour of its own, and its cells on the map."""

    tile: Tile
    cells: Cells


class HollowBody(NamedTuple):
    """Water or pits of one colour, with their outlines; an empty colour is that of the style."""

    cells: Cells
    outlines: list[Points]
    colour: str


def find_coloured_tiles(level: Level, *, secrets: bool) -> list[ColouredTile]:
    """The tiles on the map with a colour of their own, in the order of the palette, as `find_shown_tiles` has them."""
    tiles = level.tiles if secrets else _hide_secrets(level)
    codes = list_coloured_codes(tiles, level.palette)
    shown = find_shown_tiles(level, secrets=secrets) if codes else tiles
    return [ColouredTile(level.palette.tiles[code], shown == code) for code in codes]


def find_shown_tiles(level: Level, *, secrets: bool) -> NDArray[np.uint8]:
    """The tile whose colour each cell shows. Pillars, doors and stairs without a colour of their own stand on the
    coloured tile around them, if there is one. Hidden secret doors show the wall around them.
    """
    palette = level.palette
    tiles = level.tiles if secrets else _hide_secrets(level)
    codes = list_coloured_codes(tiles, palette)
    if not codes:
        return tiles
    shown = tiles.copy()
    standing = palette.role_mask(*STANDING_ROLES)[tiles] & ~np.isin(tiles, codes)
    for code in codes:
        if palette.roles[code] in ("floor", "corridor"):
            framed = np.pad(tiles == code, 1).astype(np.uint8)
            around = framed[:-2, 1:-1] + framed[2:, 1:-1] + framed[1:-1, :-2] + framed[1:-1, 2:]
            shown[standing & (around >= 2)] = code
    return shown


def _hide_secrets(level: Level) -> NDArray[np.uint8]:
    """The map with its secret doors as the wall around them, or as the first tile if there is no rock."""
    found = rock_behind_secrets(level.tiles, level.palette)
    secret = level.palette.role_mask("secret")[found]
    return np.where(secret, np.uint8(0), found) if secret.any() else found


def drops_ground_colours(tile: Tile, shown: frozenset[str]) -> bool:
    """Whether distances or regions cover the colour of the tile."""
    return bool(shown & GROUND_OVERLAYS) and tile.role not in (*ROCK_ROLES, *HOLLOW_ROLES)


def split_hollows(
    cells: Cells, tiles: list[ColouredTile], outline: Callable[[Cells], list[Points]]
) -> list[HollowBody]:
    """Water or pits, with those of each colour apart; those without one come first."""
    rest = cells.copy()
    bodies = []
    for tile, its_cells in tiles:
        here = its_cells & cells
        if here.any():
            rest &= ~here
            bodies.append(HollowBody(here, outline(here), tile.colour))
    return [*([HollowBody(rest, outline(rest), "")] if rest.any() else []), *bodies]


def spread_ground(tiles: list[ColouredTile], hollow: Cells, open_cells: Cells) -> list[tuple[Cells, str]]:
    """The cells and colours of ground tiles, continued under the water and pits beside them, whose outlines may be
    smooth, and under pillars.
    """
    numbers = np.zeros(hollow.shape, np.int32)
    ground = [each for each in tiles if each.tile.role not in (*ROCK_ROLES, *HOLLOW_ROLES, "pillar")]
    for number, (_, cells) in enumerate(ground, 1):
        numbers[cells] = number
    covered = hollow | find_coloured_pillars(tiles, hollow.shape)
    if ground and covered.any():
        spread_colours(numbers, open_cells & ~covered)
        numbers[~open_cells] = 0
    return [(numbers == number, tile.colour) for number, (tile, _) in enumerate(ground, 1)]


def find_coloured_pillars(tiles: list[ColouredTile], shape: tuple[int, ...]) -> Cells:
    """The cells of pillars that have a colour of their own."""
    found = np.zeros(shape, bool)
    for tile, cells in tiles:
        if tile.role == "pillar":
            found |= cells
    return found


def trace_ground(cells: Cells, open_cells: Cells, soft: Cells | None) -> list[Points]:
    """The outline of ground cells with a strip of the rock around them, so that no gap is left along wavy walls."""
    grown = cells.copy()
    rock = ~open_cells
    for here, there in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:])):
        grown[here] |= cells[there] & rock[here]
        grown[:, here] |= cells[:, there] & rock[:, here]
    return [loop.points for loop in contour.trace_outlines(grown, soft)]


def draw_rock_washes(scene: Scene, tiles: list[ColouredTile], opacity: float, covered: Cells | None = None) -> None:
    """Draw walls and voids in their own colours. They extend a little into the cells that are `covered` later."""
    for tile, cells in tiles:
        if tile.role in ROCK_ROLES:
            rest = np.ones_like(cells) if covered is None else ~covered
            scene.fill_area(trace_ground(cells, rest, None), tile.colour, opacity=opacity)
