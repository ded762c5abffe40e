"""`undercroft convert`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import click

from undercroft.bulk.dungeon_batch import is_dungeon_batch
from undercroft.cli.commands import flows
from undercroft.cli.messages import print_message
from undercroft.cli.options.batch_rows import find_batch
from undercroft.cli.options.input_level import read_input_level
from undercroft.cli.options.output_files import (
    describe_losses,
    describe_page_counts,
    encode_outputs,
    picture_options,
    resolve_outputs,
    write_outputs,
)
from undercroft.cli.options.reading import ReadOptions, reading_options
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.dungeons.files import is_dungeon
from undercroft.formats.table import FORMATS
from undercroft.inputs.files import is_folder

MAX_NAMED_FILES = 5
"""The most unopened files that are named."""


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("targets", metavar="OUT...", nargs=-1, required=True)
@reading_options("IN")
@click.option("--format", "format_name", metavar="NAME", help="The format of OUT, if its suffix does not determine it.")
@picture_options
@click.option("--base", metavar="FILE", help="The start map of grammar rules, written or read beside them.")
@click.option(
    "--floor",
    metavar="ID",
    help="Of a dungeon, convert this floor only, such as 3 or crypt-1; else all of them, into a file for all floors or "
    "into folders.",
)
@click.option(
    "--lenient",
    is_flag=True,
    help="Read a grammar folder as the first program for such folders did, with notes instead of errors.",
)
def command(
    source: str,
    targets: tuple[str, ...],
    read_as: str | None,
    format_name: str | None,
    base: str | None,
    palette: str | None,
    read_cell: int | None,
    start: str | None,
    end: str | None,
    floor: str | None,
    lenient: bool,
    **said: Any,
) -> None:
    """Read a level from IN and write it to OUT, each in the format of its suffix; - is standard input or output.

    With several OUT the level is read once, and nothing is written before all of them are rendered.
    Rules are converted too: a grammar folder or a template (blocks of text) into a .rules file, and a .rules file into
    a grammar folder. And layouts: a .json file of Cozy Caves into drawn text, a .layout file, and back.
    And flows: .flow, .dot and .graphml files, each into the others, and the graph of a level into a .flow file.
    If IN is the folder of a batch, all its levels are written into the folder OUT, in the format that --format names;
    FOLDER#SEED is one level of it. If IN is a dungeon, a file of floors or a folder with dungeon.json, all floors are
    written.
    """
    check_targets_differ(targets)
    if source != "-" and (is_dungeon(source) or is_dungeon_batch(source)):
        from undercroft.cli.dungeons.convert_dungeon import convert_dungeon

        if base or lenient:
            raise BadInput("--base and --lenient are about rules, and these are none", fix="leave them out")
        reading = ReadOptions(read_as, palette, read_cell, start, end)
        convert_dungeon(source, targets, format_name, reading, floor, said)
        return
    if floor is not None:
        raise BadInput(f"{source} is no dungeon, and --floor names a floor of one", fix="leave --floor out")
    if (found := find_batch(source)) is not None and found.row is None:
        from undercroft.cli.many_levels.convert_batch import convert_batch

        convert_batch(found, require_single_target(targets, "all levels of a batch"), format_name, **said)
        return
    if (
        (found is None and is_folder(source))
        or any(name.endswith(".rules") for name in (source, *targets))
        or format_name == "rules"
    ):
        from undercroft.cli.commands import convert_rules

        convert_rules.convert(
            source, require_single_target(targets, "rules"), base=base, palette=palette, lenient=lenient
        )
        return
    if base or lenient:
        raise BadInput("--base and --lenient are about rules, and these are none", fix="leave them out")
    if (
        any(name.casefold().endswith(".layout") for name in (source, *targets))
        or format_name == "layout"
        or _is_layout_name(source)
    ):
        from undercroft.cli.commands import convert_layouts

        convert_layouts.convert(source, require_single_target(targets, "layouts"), format_name)
        return
    reading = ReadOptions(read_as, palette, read_cell, start, end)
    if flows.can_convert(source, targets, read_as, format_name):
        flows.convert(source, targets, format_name, reading)
        return
    asked = resolve_outputs(targets, format_name, **said)
    level = read_input_level(source, reading)
    for note in describe_unopened_files(level, source, read_as):
        print_message(f"note: {note}")
    ready = encode_outputs(level, asked)
    write_outputs(ready)
    for note in (*describe_losses(level, asked), *describe_page_counts(ready, asked)):
        print_message(f"note: {note}")


def check_targets_differ(targets: Sequence[str]) -> None:
    """Raise if a file is named twice, in any spelling, or standard output for two formats."""
    seen: set[str] = set()
    for target in targets:
        file = target if target == "-" else os.path.realpath(target)
        if file in seen:
            what, fix = (
                ("standard output", "write one format there, and the others into files")
                if target == "-"
                else (target, "name each file once")
            )
            raise BadInput(f"{what} is asked for twice", fix=fix)
        seen.add(file)


def require_single_target(targets: Sequence[str], what: str) -> str:
    """The only target. Raises if there are several."""
    if len(targets) > 1:
        raise BadInput(
            f"{what} are converted into one OUT at a time, not {len(targets)}",
            fix=f"name {targets[0]} alone, and call it again for the others",
        )
    return targets[0]


def describe_unopened_files(level: Level, source: str, read_as: str | None) -> list[str]:
    """A note for each file that a Tiled map names and that was not opened."""
    name = read_as or PurePath(source).suffix.casefold().removeprefix(".")
    if name not in FORMATS or not FORMATS[name].reads_siblings:
        return []
    tiled = level.provenance.get("tiled")
    files = tiled.get("files that were not opened") if isinstance(tiled, Mapping) else None
    if not isinstance(files, Mapping):
        return []
    notes = [f"{source} names {file!r}, which was not opened: {why}" for file, why in files.items()]
    return (
        notes
        if len(notes) <= MAX_NAMED_FILES
        else [*notes[: MAX_NAMED_FILES - 1], f"and {len(notes) - MAX_NAMED_FILES + 1} more such files"]
    )


def _is_layout_name(source: str) -> bool:
    """Whether this is the name of a shipped layout."""
    from undercroft.templates.layouts.layout_files import list_layouts

    return "." not in source and source in list_layouts()
