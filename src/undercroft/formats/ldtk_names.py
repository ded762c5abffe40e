"""Which tile a value of somebody's IntGrid layer is, by what it is called."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from undercroft.core.palette import ROLES, STANDARD, Palette, Tile

WORDS: Mapping[str, str] = {
    "void": "void empty nothing none outside out blank",
    "wall": "wall rock stone brick solid collision collider block blocked cliff obstacle hard tree mountain",
    "floor": "floor ground room earth dirt grass sand path tile walkable background bg bridge carpet wood snow",
    "corridor": "corridor hall hallway passage tunnel road",
    "door": "door gate",
    "opening": "opening doorway arch",
    "locked": "locked",
    "secret": "secret hidden",
    "water": "water sea river lake pool liquid lava acid",
    "pit": "pit hole chasm abyss gap",
    "pillar": "pillar column statue",
    "entry": "entry entrance start upstairs",
    "exit": "exit end goal downstairs",
}
"""The words that stand for each role."""
ROLE_OF = {word: role for role, words in WORDS.items() for word in words.split()}
TOLD_FIRST = ("locked", "secret", "opening")
"""Roles that win over others: a secret door is secret, a locked one locked."""
GLYPHS = [sign for sign in string.ascii_lowercase + string.ascii_uppercase if sign not in STANDARD]


class Value(NamedTuple):
    """A value of an IntGrid layer, as its definition tells."""

    number: int
    name: str
    group: str
    colour: str


def role_of(name: str) -> str:
    """The role that a name stands for: that of the first word in it that means one; empty if there is none.

    >>> role_of("stone_walls"), role_of("Locked door"), role_of("DeepWater"), role_of("zork")
    ('wall', 'locked', 'water', '')
    """
    exact = name.replace("_", " ").casefold()
    for tile in STANDARD.tiles:
        if exact in (tile.name, tile.role):
            return tile.role
    words = [word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)]
    roles = [ROLE_OF[found] for word in words if (found := word if word in ROLE_OF else word.removesuffix("s")) in ROLE_OF]
    return next((role for role in TOLD_FIRST if role in roles), roles[0] if roles else "")


def palette_of(values: Sequence[Value], layer: str) -> tuple[Palette, dict[int, int], int]:
    """The standard palette with what it lacks, the code of each value, and the code of an empty cell.

    A value is the tile of the role that its own name stands for, or its group's, or the layer's. A name that stands for nothing is ground of its own.
    An empty cell is void if some value is ground, and else the ground itself, as in layers that hold nothing but collisions.
    """
    codes: dict[int, int] = {}
    tiles = list(STANDARD.tiles)
    glyphs = iter(GLYPHS)
    for value in values:
        role = role_of(value.name) or role_of(value.group) or role_of(layer)
        if role:
            codes[value.number] = STANDARD.role(role)
            continue
        name = value.name.replace("_", " ").strip() or f"value {value.number}"
        glyph = next(glyphs, "")
        if not glyph or any(name == tile.name for tile in tiles) or not name.isprintable() or len(name) == 1:
            codes[value.number] = STANDARD.role("floor")
            continue
        codes[value.number] = len(tiles)
        tiles.append(Tile(name, "floor", glyph, glyph, value.colour, ROLES["floor"].walkable, ROLES["floor"].opaque))
    palette = STANDARD if len(tiles) == len(STANDARD) else Palette(tiles, "ldtk")
    ground = any(palette.tiles[code].walkable for code in codes.values())
    return palette, codes, STANDARD.role("void" if ground else "floor")
