"""Read and write dungeons: a file for all floors, or a folder with a file for each."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from undercroft import formats
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats.dungeons.folder import dump_folder, is_dungeon_folder, load_folder, read_index_provenance
from undercroft.inputs import files
from undercroft.inputs.arguments import require_text
from undercroft.wording import join_words, plural

if TYPE_CHECKING:
    from undercroft.core.dungeon import Dungeon


class DungeonFormat(NamedTuple):
    """A format that holds all floors of a dungeon in one file."""

    name: str
    suffix: str
    about: str
    module: str
    write: str = "dump"
    read: str = ""
    """The function that reads it back; empty if it is only written."""
    options: tuple[str, ...] = ()


DUNGEON_FORMATS: Mapping[str, DungeonFormat] = {
    row.name: row
    for row in (
        DungeonFormat("json", ".json", "all floors", "undercroft.formats.dungeons.dungeon_json", read="load"),
        DungeonFormat(
            "npz", ".npz", "arrays of all floors, 1/tiles ...", "undercroft.formats.dungeons.dungeon_npz", read="load"
        ),
        DungeonFormat(
            "png:side",
            ".png",
            "a picture of all floors from the side, with the stairs between them",
            "undercroft.formats.dungeons.side_view",
            "dump_png",
            options=("cell",),
        ),
        DungeonFormat(
            "svg:side",
            ".svg",
            "the same as a drawing",
            "undercroft.formats.dungeons.side_view",
            "dump_svg",
            options=("cell",),
        ),
    )
}
"""The formats that hold several floors. All others have a file for each floor, in a folder."""
JSON_START = re.compile(rb'[ \t\r\n]*\{[ \t\r\n]*"format"[ \t\r\n]*:[ \t\r\n]*"undercroft-dungeon/')
NPZ_INDEX = b"dungeon.npy"
"""The first member of an npz file with several floors."""


def is_dungeon(path: str | Path) -> bool:
    """Whether a path is a folder or a file with a dungeon; False if it cannot be read."""
    if files.is_folder(path):
        return is_dungeon_folder(path)
    if not files.is_file(Path(path)) or Path(path).suffix.casefold() not in (".json", ".npz"):
        return False
    return is_dungeon_start(files.read_start(path, 200))


def is_dungeon_start(data: bytes) -> bool:
    """Whether the first bytes of a file are those of a dungeon."""
    return bool(JSON_START.match(data)) or (data[:2] == b"PK" and data[30:].startswith(NPZ_INDEX))


def load_dungeon(path: str | Path) -> Dungeon:
    """A dungeon from a file or a folder."""
    files.as_path(path)
    if files.is_folder(path):
        if not is_dungeon_folder(path):
            raise BadInput(
                f"{path} holds no dungeon: there is no dungeon.json in it",
                fix="name a folder that undercroft generate -o DIR/ wrote",
            )
        return load_folder(path)
    row = formats.resolve_suffix(path)
    data = files.read_bytes(path, row.limit)
    if not is_dungeon_start(data[:200]):
        raise BadInput(f"{path} holds no dungeon", fix="for a level, call undercroft.load(file)")
    known = DUNGEON_FORMATS["npz" if data[:2] == b"PK" else "json"]
    loaded: Dungeon = getattr(importlib.import_module(known.module), known.read)(data, str(path))
    return loaded


def read_dungeon_provenance(path: str | Path) -> Mapping[str, Any]:
    """How a dungeon was made, as its file or folder records it."""
    if files.is_folder(path):
        found: Mapping[str, Any] = read_index_provenance(path)
        return found
    return load_dungeon(path).provenance


def find_dungeon_format(path: str | Path, name: str | None) -> DungeonFormat | None:
    """The format for several floors that a name or a suffix means; None if it means one for single levels."""
    if name is not None:
        require_text("the name of a format", name)
        return DUNGEON_FORMATS.get(name)
    return next(
        (row for row in DUNGEON_FORMATS.values() if ":" not in row.name and row.suffix == Path(path).suffix.casefold()),
        None,
    )


def dump_dungeon(dungeon: Dungeon, row: DungeonFormat, **options: Any) -> bytes:
    """All floors as the bytes of one file."""
    for option in options:
        if option not in row.options:
            raise unknown_name_error(f"option of the format {row.name!r}", option, row.options)
    dumped: bytes = getattr(importlib.import_module(row.module), row.write)(dungeon, **options)
    return dumped


def one_floor_error(path: str | Path, format_name: str, floors: int) -> BadInput:
    """The error for a file that holds one floor, where a dungeon has more."""
    return BadInput(
        f"a {Path(path).suffix or format_name} file holds one floor, this dungeon has {floors}",
        fix="name a floor with --floor, or write a folder: -o DIR/ --format NAME",
    )


def names_folder(path: str | Path) -> bool:
    """Whether an output means a folder: it ends in a slash, is a folder, or has no suffix."""
    return str(path).endswith(("/", "\\")) or files.is_folder(path) or not Path(path).suffix


def save_dungeon(dungeon: Dungeon, path: str | Path, format: str | None = None, **options: Any) -> None:  # noqa: A002
    """Write a dungeon into one file, or into a new folder with a file for each floor."""
    files.refuse_address(files.as_path(path))
    if names_folder(path):
        row = formats.resolve_format(format or "json")
        files.write_folder(path, dump_folder(dungeon, row, **options))
        return
    known = find_dungeon_format(path, format)
    if known is None:
        raise one_floor_error(path, format or "", len(dungeon))
    files.write_files([(path, dump_dungeon(dungeon, known, **options))])


def describe_dungeon(dungeon: Dungeon) -> str:
    """The floors and links of a dungeon, in a few words."""
    branches = [branch for branch in dict.fromkeys(floor.branch for floor in dungeon) if branch]
    links = len({one.link for one in dungeon.stairs if one.form != "shaft"})
    shafts = sum(one.form == "shaft" for one in dungeon.stairs)
    parts = [plural(len(dungeon), "floor"), plural(links, "link")]
    if branches:
        parts.append(f"{'a branch' if len(branches) == 1 else 'branches'} ({join_words(branches)})")
    if shafts:
        parts.append(plural(shafts, "shaft"))
    return ", ".join(parts)
