"""The pictures of the pages: one for each line of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

import undercroft as uc
from undercroft.draw.animation import animation, kind_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
COLOURS = 256
"""Of a small picture."""


class Picture(NamedTuple):
    """A level to draw: its file name, its recipe (a name, or a file in `examples/`), and what else `generate` needs. Rules are animated."""

    name: str
    recipe: str
    seed: int | str
    cell: int
    size: tuple[int, int] | None = None
    params: dict[str, Any] | None = None
    small: bool = False
    """Whether the file has few colours, so that a page can show many of them."""


PICTURES = (
    Picture("old-keep.png", "examples/old-keep.toml", 16, 16),
    Picture("cave.png", "cave", 7, 14, (80, 40), {"fill_prob": 0.4}),
    Picture("rooms-and-mazes.png", "rooms-and-mazes", 3, 14),
    Picture("old-cave.png", "examples/old-cave.toml", 5, 14),
    Picture("priory.png", "examples/priory.toml", 5, 14),
    Picture("labyrinth.png", "examples/labyrinth.toml", 5, 14),
    Picture("warren.webp", "examples/warren.rules", 4, 10, (65, 37)),
    Picture("dungeoning.png", "dungeoning", 3, 8, small=True),
    Picture("galak-z.png", "galak-z", 3, 8, small=True),
    Picture("diablo2.png", "diablo2", 3, 8, small=True),
    Picture("diablo3.png", "diablo3", 3, 5, small=True),
    Picture("drowned-keep.png", "examples/drowned-keep.toml", 3, 8, small=True),
    Picture("ossuary.png", "examples/ossuary.toml", 4, 8, small=True),
    Picture("smugglers-cave.png", "examples/smugglers-cave.toml", 1, 8, small=True),
    Picture("garrison.png", "examples/garrison.toml", 1, 8, small=True),
    Picture("catacombs.png", "examples/catacombs.toml", 3, 8, small=True),
    Picture("comet.png", "examples/comet.toml", 3, 8, small=True),
    Picture("hedge-maze.png", "examples/hedge-maze.toml", 4, 8, small=True),
    Picture("glades.png", "examples/glades.toml", 4, 8, small=True),
)
"""The first one opens the README."""


def draw() -> list[Path]:
    """Draw them all; the files written."""
    FOLDER.mkdir(exist_ok=True)
    return [_drawn(picture) for picture in PICTURES]


def _drawn(picture: Picture) -> Path:
    path = FOLDER / picture.name
    if picture.recipe.endswith(".rules"):
        path.write_bytes(_animated(picture))
        return path
    recipe = ROOT / picture.recipe if picture.recipe.endswith(".toml") else picture.recipe
    level = uc.generate(recipe, seed=picture.seed, size=picture.size, params=picture.params)
    level.save(path, cell=picture.cell)
    if picture.small:
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    return path


def _animated(picture: Picture) -> bytes:
    """How rules fill an empty map."""
    rules, timeline = uc.Rules.load(ROOT / picture.recipe), uc.Timeline()
    width, height = picture.size or (60, 30)
    level = rules.apply(uc.Level(np.zeros((height, width), np.uint8), rules.program.palette), picture.seed, watcher=timeline)
    return animation(timeline, level.palette, kind_of(picture.name), cell=picture.cell).data
