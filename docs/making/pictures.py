"""The pictures of the pages: one for each line of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import undercroft as uc
from undercroft.draw.animation import animation, kind_of

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"


class Picture(NamedTuple):
    """A level to draw: its file name, its recipe (a name, or a file in `examples/`), and what else `generate` needs. Rules are animated."""

    name: str
    recipe: str
    seed: int | str
    cell: int
    size: tuple[int, int] | None = None
    params: dict[str, Any] | None = None


PICTURES = (
    Picture("old-keep.png", "examples/old-keep.toml", 16, 16),
    Picture("cave.png", "cave", 7, 14, (80, 40), {"fill_prob": 0.4}),
    Picture("rooms-and-mazes.png", "rooms-and-mazes", 3, 14),
    Picture("old-cave.png", "examples/old-cave.toml", 5, 14),
    Picture("priory.png", "examples/priory.toml", 5, 14),
    Picture("labyrinth.png", "examples/labyrinth.toml", 5, 14),
    Picture("warren.webp", "examples/warren.rules", 4, 10, (65, 37)),
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
    return path


def _animated(picture: Picture) -> bytes:
    """How rules fill an empty map."""
    rules, timeline = uc.Rules.load(ROOT / picture.recipe), uc.Timeline()
    width, height = picture.size or (60, 30)
    level = rules.apply(uc.Level(np.zeros((height, width), np.uint8), rules.program.palette), picture.seed, watcher=timeline)
    return animation(timeline, level.palette, kind_of(picture.name), cell=picture.cell).data
