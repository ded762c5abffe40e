"""A dungeon as a folder: a file for each floor, and `dungeon.json`, which names them.

`dungeon.json` is an object like that of `undercroft-dungeon`, but its floors have a `file` instead of a level:
{"format": "undercroft-floors/1", "title", "floors": [{"id", "branch", "depth", "file"}], "start", "end", "provenance"}.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft import formats, limits
from undercroft.core.dungeon import Dungeon
from undercroft.core.level import Level
from undercroft.core.stairs import STAIRS
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats.dungeons.dungeon_json import (
    build_dungeon,
    floor_file_names,
    format_ends,
    read_floors,
)
from undercroft.formats.native.read_level import check_version
from undercroft.formats.shared.origin import format_provenance
from undercroft.formats.table import Format
from undercroft.formats.tabletop.journal_places import FLOOR_NAME
from undercroft.inputs import files
from undercroft.inputs.json import format_json, parse_json
from undercroft.inputs.values import CheckedValue, in_file, quote_name

INDEX = "dungeon.json"
VERSION = "undercroft-floors/1"
NAMING_FORMATS = ("foundry",)
"""The formats whose texts name the floors that stairs lead to."""
KEYS = ("format", "title", "floors", "start", "end", "provenance")


def is_dungeon_folder(path: str | Path) -> bool:
    """Whether this is a folder with a dungeon in it."""
    return files.is_folder(path) and files.is_file(Path(path, INDEX))


def dump_folder(dungeon: Dungeon, row: Format, **options: Any) -> dict[str, bytes]:
    """The files of the folder by name: a level in each, with what belongs beside it, and the index last."""
    suffix = row.suffixes[0] if row.suffixes else ".txt"
    found: dict[str, bytes] = {}
    names: dict[str, str] = {}
    for id_, stem in floor_file_names(dungeon).items():
        names[id_] = f"{stem}{suffix}"
        level = name_destinations(dungeon, id_) if row.name in NAMING_FORMATS else dungeon[id_]
        for path, data in formats.dump_files(level, names[id_], row, **options).items():
            found[str(path)] = data
    found[INDEX] = dump_index(dungeon, names)
    return found


def name_destinations(dungeon: Dungeon, id_: str) -> Level:
    """The level of a floor, with the names of the floors that its stairs lead to."""
    titles = {floor.id: floor.level.title for floor in dungeon}
    level = dungeon[id_]
    return level.replace(
        things=[
            thing._replace(data={**thing.data, FLOOR_NAME: title})
            if thing.kind == STAIRS and (title := titles.get(str(thing.data.get("to"))))
            else thing
            for thing in level.things
        ]
    )


def dump_index(dungeon: Dungeon, names: dict[str, str]) -> bytes:
    """The index of a folder; `names` are the files of the floors by id."""
    rows = ",\n".join(
        format_json({"id": floor.id, "branch": floor.branch, "depth": floor.depth, "file": names[floor.id]})
        for floor in dungeon
    )
    parts = [
        f'"format":"{VERSION}"',
        *([f'"title":{format_json(dungeon.title)}'] if dungeon.title else []),
        f'"floors":[\n{rows}]',
        *format_ends(dungeon),
        f'"provenance":{format_provenance(dungeon.provenance, "the dungeon")}',
    ]
    return ("{" + ",\n".join(parts) + "}\n").encode()


def load_folder(folder: str | Path) -> Dungeon:
    """The dungeon in a folder. Its floors are files in that folder, in formats that can be read."""
    whole = _read_index(Path(folder))

    def read(value: CheckedValue) -> Level:
        return _read_level(Path(folder), value.key("file"), formats.load)

    return build_dungeon(whole, read_floors(whole, read, "file"))


def read_index_provenance(folder: str | Path) -> Any:
    """What the index of a folder records of how the dungeon was made."""
    from undercroft.formats.shared.origin import read_provenance

    return read_provenance(_read_index(Path(folder)).key("provenance", {}))


def _read_index(folder: Path) -> CheckedValue:
    path = folder / INDEX
    data = files.read_bytes(path, limits.JSON_BYTES)
    whole = in_file(parse_json(data, str(path)), "", str(path))
    if type(whole.value) is not dict:
        raise whole.error(f"an index is an object, not {quote_name(whole.value)}", "name a folder that holds a dungeon")
    check_version(whole, VERSION)
    whole.table(KEYS, ("format", "floors"))
    return whole


def _read_level(folder: Path, name: CheckedValue, load: Callable[[Path], Level]) -> Level:
    file = name.text()
    try:
        path = files.safe_join(folder, file)
    except UndercroftError as error:
        raise name.error(error.problem, error.fix) from None
    if formats.resolve_suffix(path).load is None:
        raise BadInput(
            f"{folder}: floors in the format {formats.resolve_suffix(path).name!r} can only be written",
            fix="write the dungeon with --format json, and read that",
        )
    return load(path)
