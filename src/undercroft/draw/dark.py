"""The style `dark`."""

from __future__ import annotations

from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.picture import picture as drawn


def picture(level: Level, cell: int, shown: frozenset[str], margin: float | None) -> Image.Image:
    """The level, tinted by the way from the start."""
    return drawn(level, cell=cell)
