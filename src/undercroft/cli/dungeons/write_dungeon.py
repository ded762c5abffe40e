"""Write dungeons: into files that hold all floors, or into folders with a file for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from undercroft import formats
from undercroft.cli.options.output_files import resolve_outputs, write_outputs
from undercroft.core.dungeon import Dungeon
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.dungeons.files import (
    DungeonFormat,
    dump_dungeon,
    find_dungeon_format,
    names_folder,
    one_floor_error,
)
from undercroft.formats.dungeons.folder import dump_folder
from undercroft.inputs import files
from undercroft.wording import plural


class DungeonTarget(NamedTuple):
    """An output of several floors: a folder in a format for levels, or a file in one for dungeons."""

    path: str
    format: formats.Format | None
    whole: DungeonFormat | None
    options: dict[str, Any]


def resolve_dungeon_targets(
    outputs: tuple[str, ...], format_name: str | None, picture: Mapping[str, Any], *, count: int
) -> list[DungeonTarget]:
    """The outputs of so many floors, checked before any work is done."""
    found: list[DungeonTarget] = []
    for path in outputs:
        files.refuse_address(path)
        whole = find_dungeon_format(path, format_name)
        if path == "-" or not names_folder(path):
            if whole is None:
                name = format_name or (formats.resolve_suffix(path).name if path != "-" else "text")
                raise one_floor_error("" if path == "-" else path, name, count)
            picked = {name: value for name, value in picture.items() if name in whole.options and value is not None}
            _refuse_options(picture, whole)
            found.append(DungeonTarget(path, None, whole, picked))
            continue
        if whole is not None and whole.name not in formats.FORMATS:
            raise BadInput(f"the format {whole.name!r} is one file for all floors", fix=f"-o NAME{whole.suffix}")
        if files.is_folder(path) and next(Path(path).iterdir(), None) is not None:
            raise BadInput(f"cannot write to {path}: it holds files already", fix="name a new folder")
        row = formats.resolve_format(format_name or "json")
        file = f"x{row.suffixes[0]}" if row.suffixes else "x"
        found.append(DungeonTarget(path, row, None, resolve_outputs((file,), row.name, **picture)[0].options))
    return found


def _refuse_options(picture: Mapping[str, Any], row: DungeonFormat) -> None:
    """Raise for picture options that a format for dungeons does not have."""
    for name, value in picture.items():
        if value and name not in row.options:
            word = "--option" if name == "options" else f"--{name}"
            raise BadInput(f"{word} is not for the format {row.name!r}", fix="leave it out, or write a folder")


def write_dungeon(dungeon: Dungeon, targets: Sequence[DungeonTarget]) -> None:
    """Write the outputs."""
    ready: list[tuple[str, bytes]] = []
    folders: list[tuple[str, dict[str, bytes]]] = []
    for target in targets:
        if target.format is not None:
            folders.append((target.path, dump_folder(dungeon, target.format, **target.options)))
        elif target.whole is not None:
            ready.append((target.path, dump_dungeon(dungeon, target.whole, **target.options)))
    for path, contents in folders:
        files.write_folder(path, contents)
    write_outputs(ready)


def describe_floor(id_: str, level: Level) -> str:
    """A heading: the id of a floor, its name, and what made it."""
    name = f" {level.title}," if level.title else ""
    return f"floor {id_}:{name} {level.provenance.get('recipe', 'drawn')} {describe_level(level)}"


def describe_level(level: Level) -> str:
    """Its size and its rooms."""
    parts = [f"{level.width}x{level.height}", plural(len(level.rooms), "room")]
    return ", ".join(parts)
