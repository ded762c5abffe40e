"""A tileset of a user's own, whose cells show their numbers as colours."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from support.custom_palettes import custom_tile, with_custom
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.tileset.piece_sheets import LevelDrawing
from undercroft.draw.tileset.user_drawing import draw_level_with

COLUMNS, ROWS, SIZE = 16, 6, 8
MEADOW = with_custom(
    custom_tile("grass", "floor", "g", "#6fae4a"),
    custom_tile("lava", "pit", "!", "#e8541e"),
    custom_tile("hedge", "wall", "T", "#2e5d34"),
    name="meadow",
)
LEVEL = Level.parse(
    """
    ##########TTTT
    #<ggg+...#.!.T
    #gggg#.o.S.!.T
    #gg..#..>#...T
    ##########TTTT
    """,
    MEADOW,
).replace(things=[Thing("chest", 2, 1), Thing("gizmo", 6, 2)])
WHOLE = """
size = 8
palette = "meadow.toml"

[tiles]
floor = [[0, 0], [1, 0], [2, 0]]
grass = [3, 0]
lava = [4, 0]
door = [5, 0]
pillar = [6, 0]
entry = [7, 0]
"stairs down" = [8, 0]
hedge = [9, 0]

[autotile.wall]
kind = "blob"
first = [0, 1]

[things]
chest = [10, 0]
"""


def cell_colour(number: int) -> tuple[int, int, int]:
    """The colour of a cell of the test picture."""
    return 40 + number % COLUMNS * 12, 30 + number // COLUMNS * 30, 200 - number % 7 * 20


def picture_bytes(size: int = SIZE, margin: int = 0, spacing: int = 0) -> bytes:
    """A picture whose cells each have a colour of their own."""
    step = size + spacing
    shape = (2 * margin + ROWS * step - spacing, 2 * margin + COLUMNS * step - spacing, 4)
    image = np.zeros(shape, np.uint8)
    for number in range(COLUMNS * ROWS):
        top, left = margin + number // COLUMNS * step, margin + number % COLUMNS * step
        image[top : top + size, left : left + size] = (*cell_colour(number), 255)
    file = io.BytesIO()
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()


MEADOW_TOML = """
[[tile]]
name = "grass"
role = "floor"
glyph = "g"
[[tile]]
name = "lava"
role = "pit"
glyph = "!"
[[tile]]
name = "hedge"
role = "wall"
glyph = "T"
"""


def write(folder: Path, text: str = WHOLE, name: str = "moor", data: bytes | None = None) -> Path:
    (folder / "meadow.toml").write_text(MEADOW_TOML, encoding="utf-8")
    (folder / f"{name}.png").write_bytes(picture_bytes() if data is None else data)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder / f"{name}.toml"


def shown_numbers(image: NDArray[np.uint8], size: int = SIZE) -> NDArray[np.int64]:
    """The cell of the test picture that each cell of a picture shows; -1 for none of them."""
    known = {cell_colour(number): number for number in range(COLUMNS * ROWS)}
    middles = image[size // 2 :: size, size // 2 :: size]
    return np.array([[known.get(tuple(pixel), -1) for pixel in row] for row in middles.tolist()])


def drawing(folder: Path, level: Level = LEVEL, text: str = WHOLE) -> LevelDrawing:
    return draw_level_with(level, write(folder, text))
