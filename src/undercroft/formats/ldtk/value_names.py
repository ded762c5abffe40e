"""Choose the tiles for values of foreign IntGrid layers by their names."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from undercroft.core.palette import ROLES, STANDARD, Palette, Tile

ROLE_WORDS: Mapping[str, str] = {
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
ROLE_BY_WORD = {word: role for role, words in ROLE_WORDS.items() for word in words.split()}
OVERRIDING_ROLES = ("locked", "secret", "opening")
"""Roles that take precedence: a secret door is secret, a locked one locked."""
GROUND_ROLES = ("floor", "corridor")
"""Roles of plain ground."""
SPARE_GLYPHS = [sign for sign in string.ascii_lowercase + string.ascii_uppercase if sign not in STANDARD]


class IntGridValue(NamedTuple):
    """A value of an IntGrid layer, from its definition."""

    number: int
    name: str
    group: str
    colour: str


class IntGridDefinition(NamedTuple):
    """An IntGrid layer, from its definition."""

    name: str
    values: Sequence[IntGridValue]

    def find_roles(self) -> list[str]:
        """The role of each value by its own name, its group's, or the layer's; empty if none of them names one.

        Each name is looked at once: a layer may have many values, and a long name.
        """
        names = {self.name, *(value.name for value in self.values), *(value.group for value in self.values)}
        roles = {name: find_value_role(name) for name in names}
        return [roles[value.name] or roles[value.group] or roles[self.name] for value in self.values]


class ValueMeanings(NamedTuple):
    """The tile codes of a layer's values."""

    codes: dict[int, int]
    nameless: frozenset[int]
    """The values without a meaningful name."""


def find_value_role(name: str) -> str:
    """The role that a name stands for: that of its first word with a role; empty if there is none.

    >>> [find_value_role(name) for name in ("stone_walls", "Locked door", "DeepWater", "zork")]
    ['wall', 'locked', 'water', '']
    """
    exact = name.replace("_", " ").casefold()
    for tile in STANDARD.tiles:
        if exact in (tile.name, tile.role):
            return tile.role
    words = [word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)]
    roles = [
        ROLE_BY_WORD[found]
        for word in words
        if (found := word if word in ROLE_BY_WORD else word.removesuffix("s")) in ROLE_BY_WORD
    ]
    return next((role for role in OVERRIDING_ROLES if role in roles), roles[0] if roles else "")


def build_palette(layers: Sequence[IntGridDefinition]) -> tuple[Palette, list[ValueMeanings], int]:
    """The standard palette with additional tiles, the meanings of each layer's values, and the code of an empty cell.

    A value gets the tile of the role that its own name stands for, or its group's, or the layer's. A name without a
    role becomes a new ground tile. An empty cell is void if some value is ground; else it is floor, as in layers that
    hold only collisions.
    """
    tiles = list(STANDARD.tiles)
    glyphs = iter(SPARE_GLYPHS)
    meanings: list[ValueMeanings] = []
    made: dict[str, int] = {}
    for layer in layers:
        codes: dict[int, int] = {}
        nameless: dict[int, str] = {}
        for value, role in zip(layer.values, layer.find_roles(), strict=True):
            if role:
                codes[value.number] = STANDARD.role(role)
                continue
            name = nameless[value.number] = value.name.replace("_", " ").strip() or f"value {value.number}"
            if name in made:  # another layer uses the same name
                codes[value.number] = made[name]
                continue
            glyph = next(glyphs, "")
            if not glyph or any(name == tile.name for tile in tiles) or not name.isprintable() or len(name) == 1:
                codes[value.number] = STANDARD.role("floor")
                continue
            codes[value.number] = len(tiles)
            tiles.append(
                Tile(name, "floor", glyph, glyph, value.colour, ROLES["floor"].walkable, ROLES["floor"].opaque)
            )
        made |= {name: codes[number] for number, name in nameless.items()}
        meanings.append(ValueMeanings(codes, frozenset(nameless)))
    palette = STANDARD if len(tiles) == len(STANDARD) else Palette(tiles, "ldtk")
    return palette, meanings, STANDARD.role("void" if _has_ground(meanings, palette) else "floor")


def _has_ground(meanings: Sequence[ValueMeanings], palette: Palette) -> bool:
    """Whether some value is ground. A value without a meaningful name may be a mark above the ground, if all walls are
    on other layers.
    """
    soft = [tile.walkable or tile.role == "void" for tile in palette.tiles]
    walls = [any(not soft[code] for code in codes.values()) for codes, _ in meanings]
    for (codes, nameless), beside in zip(meanings, walls, strict=True):
        for number, code in codes.items():
            if palette.tiles[code].role in GROUND_ROLES and (number not in nameless or beside or not any(walls)):
                return True
    return False
