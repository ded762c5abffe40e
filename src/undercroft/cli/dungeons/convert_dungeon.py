"""`undercroft convert` of a dungeon: one file with all floors into another, or into folders with a file for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from undercroft.cli.dungeons.input_dungeon import read_dungeon, refuse_reading
from undercroft.cli.dungeons.write_dungeon import resolve_dungeon_targets, write_dungeon
from undercroft.cli.messages import print_message
from undercroft.cli.options.output_files import describe_losses, encode_outputs, resolve_outputs, write_outputs
from undercroft.cli.options.reading import ReadOptions


def convert_dungeon(
    source: str,
    targets: tuple[str, ...],
    format_name: str | None,
    reading: ReadOptions,
    floor: str | None,
    picture: Mapping[str, Any],
) -> None:
    """Read a dungeon, and write all of it, or one floor."""
    refuse_reading(source, reading)
    dungeon = read_dungeon(source)
    if floor is not None:
        level = dungeon[floor]
        asked = resolve_outputs(targets, format_name, **picture)
        write_outputs(encode_outputs(level, asked))
        for note in describe_losses(level, asked):
            print_message(f"note: {note}")
        return
    write_dungeon(dungeon, resolve_dungeon_targets(targets, format_name, picture, count=len(dungeon)))
