"""The palette of dungeon grammars: corridors with open sides, rooms, water, and blanks."""

from __future__ import annotations

from undercroft.core.palette import ROLES, Palette, Tile

_ROCK, _STONE, _FLOOR = "#20222c", "#b3a385", "#d8c9a8"


def _build_tile(glyph: str, face: str, name: str, role: str, colour: str, ports: str = "") -> Tile:
    """A tile that drawings write by its letter and displays show by its face."""
    aliases = face if face not in {glyph, "█"} else ""
    return Tile(name, role, glyph, face, colour, ROLES[role].walkable, ROLES[role].opaque, aliases, ports=ports)


GRAMMAR_PALETTE = Palette(
    [
        _build_tile(".", ".", "blank", "void", _ROCK),
        _build_tile("c", "═", "corridor east-west", "corridor", _STONE, "EW"),
        _build_tile("C", "║", "corridor north-south", "corridor", _STONE, "NS"),
        _build_tile("7", "╔", "corner south-east", "corridor", _STONE, "ES"),
        _build_tile("9", "╗", "corner south-west", "corridor", _STONE, "SW"),
        _build_tile("3", "╝", "corner north-west", "corridor", _STONE, "NW"),
        _build_tile("1", "╚", "corner north-east", "corridor", _STONE, "NE"),
        _build_tile("8", "╦", "three-way closed north", "corridor", _STONE, "ESW"),
        _build_tile("6", "╣", "three-way closed east", "corridor", _STONE, "NSW"),
        _build_tile("2", "╩", "three-way closed south", "corridor", _STONE, "NEW"),
        _build_tile("4", "╠", "three-way closed west", "corridor", _STONE, "NES"),
        _build_tile("5", "╬", "four-way", "corridor", _STONE, "NESW"),
        _build_tile("r", "█", "room", "floor", _FLOOR),
        _build_tile("R", "█", "second room", "floor", _FLOOR),
        _build_tile("~", "~", "water", "water", "#4a86b8"),
        _build_tile("?", "?", "unknown", "void", "#0d0f16"),
    ],
    "grammar",
)
"""The palette of grammar folders. How corridors turn and mirror follows from the sides they open to. The second room
looks like the first, but rules distinguish them. The digits are arranged as on a number pad:

    789      ╔╦╗
    456  is  ╠╬╣
    123      ╚╩╝
"""
