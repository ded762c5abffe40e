"""The tiles of dungeon grammars: corridors that know their ends, rooms, water, and nothing."""

from __future__ import annotations

from undercroft.core.palette import ROLES, Palette, Tile

_ROCK, _STONE, _FLOOR = "#20222c", "#b3a385", "#d8c9a8"


def _tile(glyph: str, face: str, name: str, role: str, colour: str, turned: str = "", mirrored: str = "") -> Tile:
    """Turned a quarter clockwise and mirrored left to right it becomes the tiles with these glyphs; none: itself."""
    aliases = face if face not in {glyph, "█"} else ""
    return Tile(name, role, glyph, face, colour, ROLES[role].walkable, ROLES[role].opaque, aliases, turned, mirrored)


GRAMMAR = Palette(
    [
        _tile(".", ".", "blank", "wall", _ROCK),
        _tile("c", "═", "corridor east-west", "corridor", _STONE, "C"),
        _tile("C", "║", "corridor north-south", "corridor", _STONE, "c"),
        _tile("7", "╔", "corner south-east", "corridor", _STONE, "9", "9"),
        _tile("9", "╗", "corner south-west", "corridor", _STONE, "3", "7"),
        _tile("3", "╝", "corner north-west", "corridor", _STONE, "1", "1"),
        _tile("1", "╚", "corner north-east", "corridor", _STONE, "7", "3"),
        _tile("8", "╦", "three-way closed north", "corridor", _STONE, "6"),
        _tile("6", "╣", "three-way closed east", "corridor", _STONE, "2", "4"),
        _tile("2", "╩", "three-way closed south", "corridor", _STONE, "4"),
        _tile("4", "╠", "three-way closed west", "corridor", _STONE, "8", "6"),
        _tile("5", "╬", "four-way", "corridor", _STONE),
        _tile("r", "█", "room", "floor", _FLOOR),
        _tile("R", "█", "second room", "floor", _FLOOR),
        _tile("~", "~", "water", "water", "#4a86b8"),
        _tile("?", "?", "unknown", "void", "#0d0f16"),
    ],
    "grammar",
)
"""The palette of grammar folders. The second room looks like the first, and rules tell them apart. The digits stand as on a number pad:

    789      ╔╦╗
    456  is  ╠╬╣
    123      ╚╩╝
"""
