"""Palettes on a command line."""

from __future__ import annotations

from undercroft.core.palette import Palette
from undercroft.rewrite.text import header, parse


def parse_palette(words: str) -> Palette:
    """The palette that a `palette` line with these words names."""
    return parse.parse(f"palette {words}\none  ? -> ?", "--palette", header.build_loader(".")).program.palette
