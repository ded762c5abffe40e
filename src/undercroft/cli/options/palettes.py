"""Palettes on a command line."""

from __future__ import annotations

import click

from undercroft.core.palette import Palette

RULES_PALETTE_OPTION = click.option(
    "--palette",
    metavar="FILE|WORDS",
    help="The tiles of MAP, and of rules that name no palette: a TOML file that lists them, or the words of a "
    "'palette' line of rules, such as 'letters #.+X'.",
)
"""The option of commands that apply rules to a map."""


def resolve_palette(text: str) -> Palette:
    """The palette in a TOML file, or the one that a `palette` line with these words names."""
    if text.casefold().endswith(".toml"):
        return Palette.load(text)
    from undercroft.rewrite.text import header, parse

    return parse.parse(f"palette {text}\none  ? -> ?", "--palette", header.build_loader(".")).program.palette
