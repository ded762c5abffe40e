"""Read and write layouts as the JSON of Cozy Caves. Missing keys have defaults; its programs ignore our additions."""

from __future__ import annotations

import json
import re
from typing import Any

from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import json as guarded_json
from undercroft.inputs.json import JsonValue
from undercroft.limits import LAYOUT_BYTES
from undercroft.templates.declarations import SOCKET_ROLES
from undercroft.templates.layouts.layout import BASE, MAX_AMOUNT, OVERLAY, Axis, Layout, Partition
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.tile_array import Patch

LAYOUT_KEYS = ("name", "tags", "allowFlipX", "allowFlipY", "excludedTiles", "unscaledTiles", "scalePartitions")
AXIS_KEYS = (
    ("lockX", "splitScalingOnX", "incrementAmtX", "xDir"),
    ("lockY", "splitScalingOnY", "incrementAmtY", "yDir"),
)
PARTITION_KEYS = ("name", "color", "icon", "lockRatio", *AXIS_KEYS[0], *AXIS_KEYS[1], "tiles")
TILE_KEYS = ("tileType", "position", "partitionNum", "slot", "socket", "becomes")
IGNORED_TILE_KEYS = ("tileID", "tileSpacialType", "offset", "scale", "rotation", "depth")
"""Keys of a tile that was saved from a finished room. They describe its look there, not the layout, and are ignored.
"""

_POSITION = re.compile(r"\s*(-?[0-9]{1,7})\s*,\s*(-?[0-9]{1,7})\s*")


def parse(text: str, file: str, palette: Palette = STANDARD) -> Layout:
    """Parse the layout in a JSON text; `file` names it in errors.

    >>> tile = '{"tileType": "floor", "position": "3,2", "partitionNum": -1}'
    >>> text = f'{{"excludedTiles": [], "unscaledTiles": [{tile}], "scalePartitions": []}}'
    >>> parse(text, "dot.json").base
    <Patch of 1 at (3, 2)>
    """
    whole = guarded_json.parse_json(text, file, LAYOUT_BYTES)
    table = whole.expect_object("a layout", LAYOUT_KEYS)
    for key in LAYOUT_KEYS[4:]:
        if key not in table:
            raise whole.error(f"a layout has a list {key!r}", f'add "{key}": []')
    return _CozyReader(palette).read_layout(whole, table)


class _CozyReader:
    """Reads a layout, with the marks found so far and the place of each tile."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.marks: list[LayoutMark] = []
        self.seen: dict[tuple[int, int], int] = {}

    def read_layout(self, whole: JsonValue, table: dict[str, JsonValue]) -> Layout:
        flips = [
            table[key].expect(bool, what=repr(key)) if key in table else False for key in ("allowFlipX", "allowFlipY")
        ]
        tags = [tag.expect(str, what="a tag") for tag in table["tags"].expect_list("'tags'")] if "tags" in table else []
        base, overlay = (
            self._read_tiles(table["unscaledTiles"], BASE),
            self._read_tiles(table["excludedTiles"], OVERLAY),
        )
        partitions = [
            self._read_partition(one, number)
            for number, one in enumerate(table["scalePartitions"].expect_list("'scalePartitions'"))
        ]
        name = table["name"].expect(str, what="a name") if "name" in table else ""
        try:
            return Layout(
                name,
                tuple(dict.fromkeys(tags)),
                base,
                tuple(partitions),
                overlay,
                flips[0],
                flips[1],
                self.palette,
                tuple(self.marks),
            )
        except BadInput as error:
            error.place = error.place or whole.place()
            raise

    def _read_partition(self, value: JsonValue, number: int) -> Partition:
        table = value.expect_object("a partition", PARTITION_KEYS)
        if "tiles" not in table:
            raise value.error("a partition has a list 'tiles'", 'add "tiles": []')
        texts = {key: table[key].expect(str, what=repr(key)) for key in ("name", "color", "icon") if key in table}
        x, y = (self._read_axis(table, keys) for keys in AXIS_KEYS)
        ratio = table["lockRatio"].expect(bool, what="'lockRatio'") if "lockRatio" in table else True
        tiles = self._read_tiles(table["tiles"], number)
        try:
            return Partition(tiles, x, y, ratio, texts.get("name", ""), texts.get("color", ""), texts.get("icon", ""))
        except BadInput as error:
            error.place = (_find_culprit(table, x, y) or value).place()
            raise

    def _read_axis(self, table: dict[str, JsonValue], keys: tuple[str, str, str, str]) -> Axis:
        lock, split, amount, direction = keys
        locked, doubles = (table[key].expect(bool, what=repr(key)) if key in table else False for key in (lock, split))
        by = table[amount].expect(int, what=repr(amount)) if amount in table else 1
        way = table[direction].expect(int, what=repr(direction)) if direction in table else 1
        if not 1 <= by <= MAX_AMOUNT:
            raise table[amount].error(
                f"{amount!r} is a whole number from 1 to {MAX_AMOUNT:,}, not {by}",
                f"set {lock!r} if nothing shall grow",
            )
        if way not in (-1, 0, 1):
            raise table[direction].error(
                f"{direction!r} is 1, -1 or 0, not {way}", "1 grows right or down, -1 left or up, 0 both ways"
            )
        return Axis(locked, "multiples" if doubles else "amount", by, way)  # type: ignore[arg-type]

    def _read_tiles(self, value: JsonValue, number: int) -> Patch:
        """Read the tiles of a list."""
        try:
            return Patch.of([self._read_tile(tile, number) for tile in value.expect_list("a list of tiles")])
        except BadInput as error:
            error.place = error.place or value.place()
            raise

    def _read_tile(self, value: JsonValue, number: int) -> tuple[int, int, int]:
        table = value.expect_object("a tile", (*TILE_KEYS, *IGNORED_TILE_KEYS))
        for key in TILE_KEYS[:2]:
            if key not in table:
                raise value.error(f"a tile has a {key!r}", f'add "{key}"')
        position = table["position"].expect(str, what="a position")
        found = _POSITION.fullmatch(position)
        if not found:
            raise table["position"].error(
                f"a position is two whole numbers in a text, not {table['position'].describe()}", 'for example "3,2"'
            )
        x, y = int(found[1]), int(found[2])
        if "partitionNum" in table and table["partitionNum"].expect(int, what="'partitionNum'") != number:
            raise table["partitionNum"].error(
                f"this tile stands in the list of {_format_part(number)}, and says that it is of "
                f"{table['partitionNum'].describe()}",
                f"write {number}",
            )
        if (x, y) in self.seen:
            raise table["position"].error(
                f"two tiles are at ({x}, {y}): of {_format_part(self.seen[x, y])} and of {_format_part(number)}",
                "keep one of them",
            )
        self.seen[x, y] = number
        return x, y, self._resolve_code(table)

    def _resolve_code(self, table: dict[str, JsonValue]) -> int:
        """The code of a tile, a slot or a socket."""
        name = table["tileType"].expect(str, what="a tileType")
        if name not in self.palette:
            raise unknown_name_error(
                "tileType", name[:40], [tile.name for tile in self.palette.tiles], place=table["tileType"].place()
            )
        mark = None
        if "slot" in table and "socket" in table:
            raise table["socket"].error("a tile is a slot or a socket, not both", "keep one of them")
        if "slot" in table:
            mark = LayoutMark("slot", table["slot"].expect(str, what="a slot"), self.palette[name])
        elif "socket" in table:
            role = table["becomes"].expect(str, what="what a socket becomes") if "becomes" in table else "door"
            if role not in SOCKET_ROLES:
                raise unknown_name_error("role of a socket", role[:40], SOCKET_ROLES, place=table["becomes"].place())
            mark = LayoutMark("socket", table["socket"].expect(str, what="a socket"), self.palette.role(role))
        if mark is None:
            return self.palette[name]
        if mark not in self.marks:
            self.marks.append(mark)
        if len(self.palette) + len(self.marks) > 255:
            raise table["tileType"].error("more kinds of slots and sockets than a layout can have", "use fewer names")
        return len(self.palette) + self.marks.index(mark)


def _format_part(number: int) -> str:
    return {BASE: "'unscaledTiles'", OVERLAY: "'excludedTiles'"}.get(number, f"partition {number}")


def _find_culprit(table: dict[str, JsonValue], x: Axis, y: Axis) -> JsonValue | None:
    """The value that contradicts another: an odd amount from the centre, or a locked axis with a locked ratio."""
    for axis, (lock, _, amount, _) in zip((x, y), AXIS_KEYS, strict=True):
        if axis.type == "amount" and axis.direction == 0 and axis.amount % 2:
            return table.get(amount)
        if axis.locked and x.locked != y.locked:
            return table.get(lock)
    return None


def format_layout(layout: Layout) -> str:
    """The JSON of a layout; `parse` reads back the same layout."""
    data: dict[str, Any] = {"name": layout.name} if layout.name else {}
    data |= {"tags": list(layout.tags), "allowFlipX": layout.flip_x, "allowFlipY": layout.flip_y}
    data |= {"excludedTiles": _build_tiles(layout, OVERLAY), "unscaledTiles": _build_tiles(layout, BASE)}
    data["scalePartitions"] = [_build_partition(layout, number) for number in range(len(layout.partitions))]
    return json.dumps(data, ensure_ascii=False) + "\n"


def _build_partition(layout: Layout, number: int) -> dict[str, Any]:
    partition = layout.partitions[number]
    data: dict[str, Any] = {
        "name": partition.name,
        "color": partition.colour,
        "icon": partition.icon,
        "lockRatio": partition.lock_ratio,
    }
    for axis, (lock, split, amount, direction) in zip((partition.x, partition.y), AXIS_KEYS, strict=True):
        data |= {lock: axis.locked, split: axis.type == "multiples", amount: axis.amount, direction: axis.direction}
    return data | {"tiles": _build_tiles(layout, number)}


def _build_tiles(layout: Layout, number: int) -> list[dict[str, Any]]:
    """The tiles of a part in reading order."""
    tiles = []
    for x, y, code in layout.part(number):
        place = {"position": f"{x},{y}", "partitionNum": number}
        if code < len(layout.palette):
            tiles.append({"tileType": layout.palette.tiles[code].name} | place)
            continue
        mark = layout.marks[code - len(layout.palette)]
        under = layout.palette.tiles[mark.tile].name if mark.what == "slot" else "wall"
        further = {"becomes": layout.palette.roles[mark.tile]} if mark.what == "socket" else {}
        tiles.append({"tileType": under} | place | {mark.what: mark.kind} | further)
    return tiles
