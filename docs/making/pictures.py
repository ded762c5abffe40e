"""The pictures of the pages: one for each line of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import undercroft as uc

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"


class Picture(NamedTuple):
    """A level to draw: its file name, its recipe (a name, or a file in `examples/`), and what else `generate` needs."""

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
)
"""The first one opens the README."""


def draw() -> list[Path]:
    """Draw them all; the files written."""
    FOLDER.mkdir(exist_ok=True)
    return [_drawn(picture) for picture in PICTURES]


def _drawn(picture: Picture) -> Path:
    recipe = ROOT / picture.recipe if picture.recipe.endswith(".toml") else picture.recipe
    level = uc.generate(recipe, seed=picture.seed, size=picture.size, params=picture.params)
    path = FOLDER / picture.name
    level.save(path, cell=picture.cell)
    return path
