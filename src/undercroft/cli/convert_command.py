"""`undercroft convert`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

import click

from undercroft.cli import complain, warn_of_editions
from undercroft.cli.writing import looks, losses, made, wanted, write
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.errors import BadInput
from undercroft.formats import NAMING

TOLD = 5
"""So many files are named that were not opened."""


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--read-as", metavar="NAME", help="The format of IN, if its suffix does not say it.")
@click.option("--format", "format_name", metavar="NAME", help="The format of OUT, if its suffix does not say it.")
@looks
@click.option("--base", metavar="FILE", help="The map that grammar rules begin with, written or read beside them.")
@click.option(
    "--palette",
    metavar="FILE|WORDS",
    help="The tiles of a map, as a TOML file lists them; or those of a template, as a 'palette' line of rules names them, such as 'letters #.+X'.",
)
@click.option("--read-cell", type=click.IntRange(min=1), metavar="N", help="Pixels a cell of a picture that is read as png:tiles; 1 if missing.")
@click.option("--lenient", is_flag=True, help="Read a grammar folder as the first program for them did, with notes instead of errors.")
def command(
    source: str,
    target: str,
    read_as: str | None,
    format_name: str | None,
    base: str | None,
    palette: str | None,
    read_cell: int | None,
    lenient: bool,
    **said: Any,
) -> None:
    """Read a level from IN and write it to OUT, each in the format of its suffix; - is standard input or output.

    Rules are converted too: a grammar folder or a template (blocks of text) into a .rules file, and a .rules file into a grammar folder.
    And layouts: a .json file of Cozy Caves into drawn text, a .layout file, and back.
    """
    if is_folder(source) or source.endswith(".rules") or target.endswith(".rules") or format_name == "rules":
        from undercroft.cli import rule_conversion

        rule_conversion.convert(source, target, base=base, palette=palette, lenient=lenient)
        return
    if base or lenient:
        raise BadInput("--base and --lenient are about rules, and these are none", fix="leave them out")
    if any(name.casefold().endswith(".layout") for name in (source, target)) or format_name == "layout" or _is_layout(source):
        from undercroft.cli import layout_conversion

        layout_conversion.convert(source, target, format_name)
        return
    from undercroft.cli.streams import level_from

    asked = wanted([target], format_name, **said)
    reading: dict[str, Any] = {"palette": _palette(palette)} if palette else {}
    if read_cell:
        reading["cell"] = read_cell
    level = level_from(source, read_as, **reading)
    warn_of_editions(level)
    for note in unopened(level, source, read_as):
        complain(f"note: {note}")
    write(made(level, asked))
    for note in losses(level, asked):
        complain(f"note: {note}")


def unopened(level: Level, source: str, read_as: str | None) -> list[str]:
    """A sentence for each file that a map of Tiled names and that was left alone."""
    if (read_as or PurePath(source).suffix.casefold().removeprefix(".")) not in NAMING:
        return []
    told = level.provenance.get("tiled", {})
    left = told.get("files that were not opened", {}) if isinstance(told, Mapping) else {}
    notes = [f"{source} names {file!r}, which was not opened: {_printable(why)}" for file, why in left.items()]
    return notes if len(notes) <= TOLD else [*notes[: TOLD - 1], f"and {len(notes) - TOLD + 1} more such files"]


def _printable(words: str) -> str:
    """Words that may hold a stranger's, without signs that a terminal would obey."""
    return "".join(sign if sign.isprintable() else "?" for sign in words)


def _palette(words: str) -> Palette:
    """The palette in a TOML file, or the one that a `palette` line with these words names."""
    if words.casefold().endswith(".toml"):
        return Palette.load(words)
    from undercroft.cli.rule_conversion import named

    return named(words)


def _is_layout(source: str) -> bool:
    """Whether this is the name of one of our own layouts."""
    from undercroft.templates.layout_files import names

    return "." not in source and source in names()


def is_folder(path: str) -> bool:
    """Whether there is a folder of that name; a name that no system takes is none."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
