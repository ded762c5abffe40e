"""Sprites of things: one for each kind that we ship, and one for unknown kinds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from undercroft.draw.tileset.paint import Pixels, TilesetPiece
from undercroft.draw.tileset.sprites import load_drawings, render_sprite

UNKNOWN_SPRITE = "unknown"
GROUP_SPRITES = {"monster": "monster", "loot": "chest", "note": "letter"}
"""The sprite for a thing of an unknown kind, by its group."""


class SpriteVariant(NamedTuple):
    """A sprite that is another one in different colours."""

    kind: str
    swap: Mapping[str, str] = {}


STONE_SWAP = {"D": "#6a6173", "W": "#a79db0", "w": "#443d4e", "d": "#443d4e"}
SPRITE_VARIANTS: dict[str, SpriteVariant] = {
    "long table": SpriteVariant("table"),
    "desk chair": SpriteVariant("chair", {"W": "#9a2f32"}),
    "stone bench": SpriteVariant("bench", STONE_SWAP),
    "bunk": SpriteVariant("bed", {"R": "#55613f", "e": "#6d7a50", "r": "#3a442c", "V": "#b9ac8e"}),
    "well bucket": SpriteVariant("bucket"),
    "kobold": SpriteVariant("goblin", {"N": "#7c4a32", "M": "#a96a46", "n": "#4d2c20", "D": "#4a5560", "W": "#6b7884"}),
    "thief": SpriteVariant("cultist", {"P": "#3e4a42", "p": "#262e2a", "e": "#f0e9d2", "G": "#c3bfc8"}),
    "wight": SpriteVariant(
        "cultist", {"P": "#54707c", "p": "#2f434d", "k": "#0b1418", "e": "#a4e0e4", "F": "#d2c8ac", "G": "#8e8a95"}
    ),
    "ghoul": SpriteVariant("zombie", {"N": "#6b5a70", "M": "#9a86a0", "j": "#3c2e2e", "J": "#56403e", "u": "#2c2430"}),
    "troll": SpriteVariant("ogre", {"F": "#5f8a72", "f": "#3c5c4c", "D": "#55331d"}),
}
FLAT_KINDS = {
    "rug",
    "summoning circle",
    "cave painting",
    "scrawl",
    "cobwebs",
    "inscription",
    "rubble",
    "mushrooms",
    "torch",
    "one-way",
    "carcass",
}
"""Kinds that lie on the ground or hang on a wall: they have no outline."""
LITTER_SPRITES = {"torch": "torch", "mushrooms": "glowcaps", "rubble": "rubble.0", "cobwebs": "cobweb"}
"""Things that use the sprites of decor."""
FLAME_SIGNS = "oOYh"
"""The characters of flames in the drawings of things that burn."""
INSIDE_FIRES = ("hearth", "stove", "forge")
"""Kinds that burn inside stone or iron."""
KEY_COLOURS: dict[str, tuple[str, str, str]] = {
    "red": ("#8a2126", "#d8473f", "#ff9d84"),
    "blue": ("#24468a", "#4b82d8", "#a6cbff"),
    "green": ("#2c6a2f", "#57b04e", "#b6f09a"),
    "violet": ("#56307a", "#9a63c9", "#dcb4f5"),
    "yellow": ("#a08a14", "#efd93a", "#fff8b4"),
    "orange": ("#8f4414", "#e5802d", "#ffc58a"),
    "white": ("#8f8d86", "#dcdad0", "#ffffff"),
    "black": ("#19161f", "#47424f", "#8d8797"),
    "silver": ("#6a6b78", "#aeb0be", "#f2f3fa"),
    "brass": ("#6b5a22", "#a8924a", "#ddd08c"),
    "copper": ("#6e3420", "#b5653f", "#eeb08a"),
    "iron": ("#33333c", "#63636e", "#a3a3ae"),
    "ivory": ("#9b8c66", "#e0d3a8", "#fffbe2"),
    "jade": ("#1c5f4c", "#3fae8c", "#a9ecd2"),
    "crimson": ("#570c26", "#a81f46", "#f07f98"),
    "cyan": ("#1f6a72", "#46b7c0", "#bff4f2"),
}
"""Colours of keys and locks besides gold: dark, plain and bright."""
COLOUR_SYNONYMS = {
    "purple": "violet",
    "grey": "iron",
    "gray": "iron",
    "steel": "iron",
    "gold": "",
    "golden": "",
    "bronze": "copper",
    "teal": "cyan",
    "bone": "ivory",
}
"""Synonyms of colours; gold is the plain key."""


@cache
def load_thing_drawings() -> dict[str, str]:
    """The drawing of each kind that has its own."""
    litter = load_drawings("litter")
    return (
        load_drawings("furniture")
        | load_drawings("relics")
        | load_drawings("monsters")
        | {kind: litter[name] for kind, name in LITTER_SPRITES.items()}
    )


def build_pieces() -> Iterator[TilesetPiece]:
    """All thing pieces. None is marked as solid: that depends on the thing, not on its sprite."""
    for kind in (*load_thing_drawings(), *SPRITE_VARIANTS):
        yield _thing_piece(kind, render_thing(kind))
    for kind in ("key", "lock"):
        for name, tones in KEY_COLOURS.items():
            yield _thing_piece(f"{kind}.{name}", render_thing(kind, dict(zip("gGY", tones, strict=True))))
    for turns, side in enumerate("nwse"):
        yield _thing_piece(f"one-way.{side}", np.ascontiguousarray(np.rot90(render_thing("one-way"), turns)))


def _thing_piece(kind: str, pixels: Pixels) -> TilesetPiece:
    return TilesetPiece(f"thing.{kind}", "floor", False, pixels)


def render_thing(kind: str, swap: Mapping[str, str] | None = None) -> Pixels:
    """The sprite of a kind."""
    twin = SPRITE_VARIANTS.get(kind, SpriteVariant(kind))
    flat = twin.kind in FLAT_KINDS
    return render_sprite(
        load_thing_drawings()[twin.kind], {**twin.swap, **(swap or {})}, outline=not flat, shadow=not flat, lit=not flat
    )


def render_cold_thing(kind: str) -> Pixels:
    """The sprite of a kind that burns, gone out: without its flame, or with a dark hole where it burns inside."""
    hole = "z" if kind in INSIDE_FIRES else "."
    rows = load_thing_drawings()[kind].splitlines()
    cold = "\n".join(row.translate(dict.fromkeys(map(ord, FLAME_SIGNS), hole)) for row in rows)
    flat = kind in FLAT_KINDS
    return render_sprite(cold, outline=not flat, shadow=not flat, lit=not flat)


def thing_piece_name(kind: str, data: Mapping[str, Any]) -> str:
    """The name of the piece for a thing.

    >>> thing_piece_name("key", {"opens": "red"}), thing_piece_name("one-way", {"to": "E"})
    ('thing.key.red', 'thing.one-way.e')
    >>> thing_piece_name("grue", {"group": "monster"}), thing_piece_name("gizmo", {})
    ('thing.monster', 'thing.unknown')
    """
    if kind in ("key", "lock"):
        words = str(data.get("opens" if kind == "key" else "key", "")).casefold().split()
        colour = next(
            (COLOUR_SYNONYMS.get(word, word) for word in words if word in KEY_COLOURS or word in COLOUR_SYNONYMS), ""
        )
        return f"thing.{kind}.{colour}" if colour else f"thing.{kind}"
    if kind == "one-way" and str(data.get("to", "")) in tuple("NESW"):
        return f"thing.one-way.{str(data['to']).casefold()}"
    if kind in load_thing_drawings() or kind in SPRITE_VARIANTS:
        return f"thing.{kind}"
    return f"thing.{GROUP_SPRITES.get(str(data.get('group', '')), UNKNOWN_SPRITE)}"
