"""Palettes as people name them on a command line."""

from __future__ import annotations

from undercroft.core.palette import Palette
from undercroft.rewrite.text import header, parse


def named(words: str) -> Palette:
    """The palette that a `palette` line with these words names."""
    return parse.parse(f"palette {words}\none  ? -> ?", "--palette", header.beside(".")).program.palette
