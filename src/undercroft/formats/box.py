"""Maps for people to read: walls as Unicode lines."""

from __future__ import annotations

from undercroft.core.level import Level
from undercroft.draw.terminal import monochrome


def dump(level: Level) -> bytes:
    """The level as lines of box-drawing signs.

    >>> print(dump(Level.drawn("###/#.#/###".replace("/", chr(10)))).decode(), end="")
    ┌─┐
    │·│
    └─┘
    """
    return f"{monochrome(level)}\n".encode()
