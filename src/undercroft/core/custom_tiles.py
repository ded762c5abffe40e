"""Custom tiles: tiles that differ from all standard tiles in their name, role, colour, or what they block."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import ROLES, STANDARD, UNSET_COLOUR, Palette, Tile, look_up_tiles

GRAMMAR_VOID = "#20222c"
"""The colour of blank cells in the palette of dungeon grammars."""
USUAL_COLOURS: Mapping[str, frozenset[str]] = {
    role: frozenset(
        {UNSET_COLOUR, *(tile.colour for tile in STANDARD.tiles if tile.role == role)}
        | ({GRAMMAR_VOID} if role == "void" else set())
    )
    for role in ROLES
}
"""For each role the colours that the program's own palettes use. Styles draw tiles in them by their role alone."""
NO_CODE = 255
"""A code that no tile has."""
_STANDARD_FACTS = {(tile.name, tile.role, tile.walkable, tile.opaque) for tile in STANDARD.tiles}


def has_own_colour(tile: Tile) -> bool:
    """Whether pictures show the tile in its own colour.

    >>> grass = Tile("grass", "floor", "g", "g", "#6fae4a", walkable=True, opaque=False)
    >>> has_own_colour(grass), has_own_colour(STANDARD.tiles[2])
    (True, False)
    """
    return tile.colour.casefold() not in USUAL_COLOURS[tile.role]


def is_custom(tile: Tile) -> bool:
    """Whether the tile differs from all standard tiles in its name, its role, its colour, or what it blocks.

    >>> is_custom(STANDARD.tiles[2]), is_custom(STANDARD.tiles[2]._replace(name="lawn"))
    (False, True)
    """
    return has_own_colour(tile) or (tile.name, tile.role, tile.walkable, tile.opaque) not in _STANDARD_FACTS


def list_custom_codes(palette: Palette) -> list[int]:
    """The codes of the custom tiles of a palette."""
    return [code for code, tile in enumerate(palette.tiles) if is_custom(tile)]


def list_coloured_codes(tiles: NDArray[np.uint8], palette: Palette) -> list[int]:
    """The codes on a map of tiles with a colour of their own.

    >>> list_coloured_codes(np.array([[1, 2, 2]], np.uint8), STANDARD)
    []
    """
    codes = [code for code, tile in enumerate(palette.tiles) if has_own_colour(tile)]
    if not codes:
        return []
    there = np.bincount(tiles.reshape(-1), minlength=len(palette))
    return [code for code in codes if there[code]]


def rock_behind_secrets(
    tiles: NDArray[np.uint8], palette: Palette, secret: NDArray[np.bool_] | None = None
) -> NDArray[np.uint8]:
    """The map with its secret doors (or the given cells) as the wall around them: the most frequent wall tile of the
    eight neighbours, or the palette's first one. Without walls it is void; without both, nothing changes.

    >>> print(rock_behind_secrets(np.array([[1, 7, 1]], np.uint8), STANDARD))
    [[1 1 1]]
    """
    secret = look_up_tiles(palette.role_mask("secret"), tiles) if secret is None else secret
    walls = [code for code, role in enumerate(palette.roles) if role == "wall"]
    rock = walls or [code for code, role in enumerate(palette.roles) if role == "void"]
    if not rock or not secret.any():
        return tiles
    found = tiles.copy()
    found[secret] = rock[0]
    if len(walls) > 1:
        ys, xs = np.nonzero(secret)
        framed = np.pad(tiles, 1, constant_values=NO_CODE)
        around = np.stack([framed[ys + down, xs + right] for down in range(3) for right in range(3)])
        most = np.zeros(len(ys), np.uint8)
        for code in np.intersect1d(around, np.array(walls, np.uint8)).tolist():
            count = (around == code).sum(axis=0, dtype=np.uint8)
            better = count > most
            found[ys[better], xs[better]] = code
            most = np.maximum(most, count)
    return found
