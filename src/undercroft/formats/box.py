"""Write maps as text with walls as Unicode lines."""

from __future__ import annotations

from undercroft.core.level import Level
from undercroft.draw.terminal import render_monochrome


def dump(level: Level) -> bytes:
    """The level as lines of box-drawing characters.

    >>> print(dump(Level.parse("###/#.#/###".replace("/", chr(10)))).decode(), end="")
    ┌─┐
    │·│
    └─┘
    """
    return f"{render_monochrome(level)}\n".encode()
