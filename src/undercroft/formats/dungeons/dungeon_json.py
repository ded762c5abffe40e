"""Write and read `undercroft-dungeon`: all floors of a dungeon as one JSON file.

The file is an object with these keys, in this order; `format` and `floors` are required.

- `format`: "undercroft-dungeon/1"
- `title` if it has one
- `floors`: [{"id", "branch", "depth", "level"}], in their order; a level is an object of `undercroft-level`
- `start`, `end`: [floor id, x, y] or null
- `provenance`: how it was made

Stairs are things of the levels. The bytes are canonical: equal dungeons with equal provenance give equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from undercroft import limits
from undercroft.core.dungeon import Dungeon, Floor, check_floor_cells
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.native import native
from undercroft.formats.native.read_level import check_version, read_level_value
from undercroft.formats.shared.origin import format_provenance, read_provenance
from undercroft.inputs.json import format_json, parse_json
from undercroft.inputs.values import CheckedValue, in_file, quote_name

VERSION = "undercroft-dungeon/1"
KEYS = ("format", "title", "floors", "start", "end", "provenance")
FLOOR_KEYS = ("id", "branch", "depth")
MOST_DEPTH = 10_000


def dump(dungeon: Dungeon) -> bytes:
    """The dungeon as canonical JSON."""
    floors = ",\n".join(
        f'{format_floor(floor)[:-1]},\n"level":{native.dump(floor.level).decode().rstrip()}}}' for floor in dungeon
    )
    return (
        "{"
        + ",\n".join(
            [
                f'"format":"{VERSION}"',
                *([f'"title":{format_json(dungeon.title)}'] if dungeon.title else []),
                f'"floors":[\n{floors}]',
                *format_ends(dungeon),
                f'"provenance":{format_provenance(dungeon.provenance, "the dungeon")}',
            ]
        )
        + "}\n"
    ).encode()


def format_floor(floor: Floor) -> str:
    """The object of a floor, without its level."""
    return format_json({"id": floor.id, "branch": floor.branch, "depth": floor.depth})


def format_ends(dungeon: Dungeon) -> list[str]:
    """The keys `start` and `end`."""
    return [f'"start":{format_json(dungeon.start)}', f'"end":{format_json(dungeon.end)}']


def load(data: bytes, file: str) -> Dungeon:
    """The dungeon in the file, or an error that names the place and the expected value."""
    whole = in_file(parse_json(data, file), "", file)
    if type(whole.value) is not dict:
        raise whole.error(f"a dungeon is an object, not {quote_name(whole.value)}", "name a file that holds a dungeon")
    check_version(whole, VERSION)
    whole.table(KEYS, ("format", "floors"))
    return build_dungeon(whole, read_floors(whole, lambda value: read_level_value(value.key("level")), "level"))


def read_floors(whole: CheckedValue, read: Callable[[CheckedValue], Level], *more_keys: str) -> list[Floor]:
    """The floors of a file. `read` gives the level of each, from its table with `more_keys`."""
    values = list(whole.key("floors").items())
    limits.FLOORS.check(len(values), f"{whole.file}: the number of floors")
    floors: list[Floor] = []
    for value in values:
        value.table((*FLOOR_KEYS, *more_keys), ("id", "depth", *more_keys))
        depth = value.key("depth").integer(1, MOST_DEPTH)
        floors.append(Floor(value.key("id").text(), value.key("branch", "").text(), depth, read(value)))
        check_floor_cells((floor.level.size for floor in floors), f"{whole.file}: ")
    return floors


def build_dungeon(whole: CheckedValue, floors: Sequence[Floor]) -> Dungeon:
    """The dungeon of floors that were read. Errors about how they belong together name the file."""
    try:
        return Dungeon(
            floors,
            title=whole.key("title", "").text(),
            provenance=read_provenance(whole.key("provenance", {})),
            start=_read_end(whole.key("start")),
            end=_read_end(whole.key("end")),
        )
    except BadInput as error:
        if not error.problem.startswith(whole.file):
            error.problem = f"{whole.file}: {error.problem}"
        raise


def _read_end(value: CheckedValue) -> tuple[str, int, int] | None:
    if value.value is None:
        return None
    value.list(3)
    most = limits.SIDE.value
    return value.item(0).text(), value.item(1).integer(0, most), value.item(2).integer(0, most)


def floor_file_names(dungeon: Dungeon) -> dict[str, str]:
    """A file name without suffix for each floor, by its id: 01 for 1, crypt-01 for crypt-1.

    >>> floor_file_names(Dungeon([Floor("crypt-2", "crypt", 4, Level.parse("."))]))
    {'crypt-2': 'crypt-02'}
    """
    found: dict[str, Any] = {}
    for id_ in dungeon.ids:
        branch, dash, number = id_.rpartition("-")
        found[id_] = f"{branch}{dash}{int(number):02}" if number.isascii() and number.isdigit() else id_
    return found if len(set(found.values())) == len(found) else {id_: id_ for id_ in dungeon.ids}
