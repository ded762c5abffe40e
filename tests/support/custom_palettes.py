"""Palettes with custom tiles, and maps that show a patch of each."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from undercroft.core.level import Level
from undercroft.core.palette import ROLES, STANDARD, Palette, Tile

VIVID = ("#e8541e", "#2fae3a", "#2a6fe0", "#c832b4", "#e6c81e", "#18b4b4", "#8a2be2", "#b01030")
"""Colours that no style uses for the roles of tiles."""
BLOCK = 7
"""The side of the block of a map that shows one tile: floor, with a wall around it."""
FLOOR, WALL = STANDARD.role("floor"), STANDARD.role("wall")
GLYPHS = [chr(code) for code in range(0x4E00, 0x4E00 + 300)]
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cn", "Co")), min_size=2, max_size=12)


def custom_tile(name: str, role: str, glyph: str, colour: str, *, walkable: bool | None = None) -> Tile:
    usual = ROLES[role]
    return Tile(name, role, glyph, glyph, colour, usual.walkable if walkable is None else walkable, usual.opaque)


def with_custom(*tiles: Tile, name: str = "patches") -> Palette:
    """The standard palette, and after it these tiles."""
    return Palette([*STANDARD.tiles, *tiles], name)


def every_role() -> Palette:
    """A custom tile of every role, each in a colour of its own."""
    return with_custom(
        *(
            custom_tile(f"my {role}", role, GLYPHS[number], VIVID[number % len(VIVID)])
            for number, role in enumerate(ROLES)
        )
    )


def uncoloured(palette: Palette) -> Palette:
    """The same palette, with the standard colours of the roles."""
    usual = {tile.role: tile.colour for tile in reversed(STANDARD.tiles)}
    return Palette([tile._replace(colour=usual[tile.role]) for tile in palette.tiles], palette.name)


@st.composite
def custom_palettes(draw: st.DrawFn, *, most: int = 30, vivid: bool = False) -> Palette:
    """The standard palette with 1 to `most` custom tiles of any roles, names and colours."""
    count = draw(st.integers(1, most))
    taken = {word for tile in STANDARD.tiles for word in (tile.name, tile.glyph, *tile.aliases)} | set(GLYPHS)
    names = draw(st.lists(NAMES.filter(lambda name: name not in taken), min_size=count, max_size=count, unique=True))
    roles = draw(st.lists(st.sampled_from(list(ROLES)), min_size=count, max_size=count))
    colour = st.sampled_from(VIVID) if vivid else st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")
    colours = draw(st.lists(colour, min_size=count, max_size=count))
    return with_custom(
        *(
            custom_tile(each, role, GLYPHS[number], tint, walkable=None if vivid else draw(st.none() | st.booleans()))
            for number, (each, role, tint) in enumerate(zip(names, roles, colours, strict=True))
        )
    )


def patchwork(palette: Palette, columns: int = 6) -> tuple[Level, dict[int, np.ndarray]]:
    """A map with a block for each custom tile, and the mask of the cells of each, by its code."""
    codes = range(len(STANDARD), len(palette))
    rows = -(-len(codes) // columns)
    tiles = np.full((rows * BLOCK, columns * BLOCK), WALL, np.uint8)
    for place, code in enumerate(codes):
        top, left = place // columns * BLOCK, place % columns * BLOCK
        tiles[top + 1 : top + BLOCK - 1, left + 1 : left + BLOCK - 1] = FLOOR
        wide = palette.roles[code] in ("floor", "corridor", "water", "pit", "wall", "void")
        inner = slice(2, BLOCK - 2) if wide else slice(BLOCK // 2, BLOCK // 2 + 1)
        tiles[top : top + BLOCK, left : left + BLOCK][inner, inner] = code
    return Level(tiles, palette), {code: tiles == code for code in codes}
