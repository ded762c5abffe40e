"""Layouts as the JSON of Cozy Caves. What its files lack, it takes for granted; what we add, its programs pass over."""

from __future__ import annotations

import json
import re
from typing import Any

from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput, unknown
from undercroft.inputs import json as guarded_json
from undercroft.inputs.json import Value
from undercroft.limits import LAYOUT_BYTES
from undercroft.templates.declarations import BECOMES
from undercroft.templates.layouts.layout import BASE, MOST, OVERLAY, Axis, Layout, Partition
from undercroft.templates.layouts.marks import Mark
from undercroft.templates.layouts.tile_array import Patch

KEYS = ("name", "tags", "allowFlipX", "allowFlipY", "excludedTiles", "unscaledTiles", "scalePartitions")
AXES = (("lockX", "splitScalingOnX", "incrementAmtX", "xDir"), ("lockY", "splitScalingOnY", "incrementAmtY", "yDir"))
PARTITION_KEYS = ("name", "color", "icon", "lockRatio", *AXES[0], *AXES[1], "tiles")
TILE_KEYS = ("tileType", "position", "partitionNum", "slot", "socket", "becomes")
LATER_KEYS = ("tileID", "tileSpacialType", "offset", "scale", "rotation", "depth")
"""What a tile has when it was saved from a finished room: how it looked there. It says nothing about the layout, and is
passed over.
"""

_POSITION = re.compile(r"\s*(-?[0-9]{1,7})\s*,\s*(-?[0-9]{1,7})\s*")


def parse(text: str, file: str, palette: Palette = STANDARD) -> Layout:
    """The layout of a JSON text; `file` names it in errors.

    >>> tile = '{"tileType": "floor", "position": "3,2", "partitionNum": -1}'
    >>> text = f'{{"excludedTiles": [], "unscaledTiles": [{tile}], "scalePartitions": []}}'
    >>> parse(text, "dot.json").base
    <Patch of 1 at (3, 2)>
    """
    whole = guarded_json.read(text, file, LAYOUT_BYTES)
    table = whole.object("a layout", KEYS)
    for key in KEYS[4:]:
        if key not in table:
            raise whole.bad(f"a layout has a list {key!r}", f'add "{key}": []')
    return _Reader(palette).layout(whole, table)


class _Reader:
    """Marks that were met, and where each tile stands."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.marks: list[Mark] = []
        self.seen: dict[tuple[int, int], int] = {}

    def layout(self, whole: Value, table: dict[str, Value]) -> Layout:
        flips = [table[key].a(bool, what=repr(key)) if key in table else False for key in ("allowFlipX", "allowFlipY")]
        tags = [tag.a(str, what="a tag") for tag in table["tags"].list("'tags'")] if "tags" in table else []
        base, overlay = self._tiles(table["unscaledTiles"], BASE), self._tiles(table["excludedTiles"], OVERLAY)
        partitions = [
            self._partition(one, number)
            for number, one in enumerate(table["scalePartitions"].list("'scalePartitions'"))
        ]
        name = table["name"].a(str, what="a name") if "name" in table else ""
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

    def _partition(self, value: Value, number: int) -> Partition:
        table = value.object("a partition", PARTITION_KEYS)
        if "tiles" not in table:
            raise value.bad("a partition has a list 'tiles'", 'add "tiles": []')
        texts = {key: table[key].a(str, what=repr(key)) for key in ("name", "color", "icon") if key in table}
        x, y = (self._axis(table, keys) for keys in AXES)
        ratio = table["lockRatio"].a(bool, what="'lockRatio'") if "lockRatio" in table else True
        tiles = self._tiles(table["tiles"], number)
        try:
            return Partition(tiles, x, y, ratio, texts.get("name", ""), texts.get("color", ""), texts.get("icon", ""))
        except BadInput as error:
            error.place = (_blamed(table, x, y) or value).place()
            raise

    def _axis(self, table: dict[str, Value], keys: tuple[str, str, str, str]) -> Axis:
        lock, split, amount, direction = keys
        locked, doubles = (table[key].a(bool, what=repr(key)) if key in table else False for key in (lock, split))
        by = table[amount].a(int, what=repr(amount)) if amount in table else 1
        way = table[direction].a(int, what=repr(direction)) if direction in table else 1
        if not 1 <= by <= MOST:
            raise table[amount].bad(
                f"{amount!r} is a whole number from 1 to {MOST:,}, not {by}", f"set {lock!r} if nothing shall grow"
            )
        if way not in (-1, 0, 1):
            raise table[direction].bad(
                f"{direction!r} is 1, -1 or 0, not {way}", "1 grows right or down, -1 left or up, 0 both ways"
            )
        return Axis(locked, "multiples" if doubles else "amount", by, way)  # type: ignore[arg-type]

    def _tiles(self, value: Value, number: int) -> Patch:
        """The tiles of a list."""
        try:
            return Patch.of([self._tile(tile, number) for tile in value.list("a list of tiles")])
        except BadInput as error:
            error.place = error.place or value.place()
            raise

    def _tile(self, value: Value, number: int) -> tuple[int, int, int]:
        table = value.object("a tile", (*TILE_KEYS, *LATER_KEYS))
        for key in TILE_KEYS[:2]:
            if key not in table:
                raise value.bad(f"a tile has a {key!r}", f'add "{key}"')
        position = table["position"].a(str, what="a position")
        found = _POSITION.fullmatch(position)
        if not found:
            raise table["position"].bad(
                f"a position is two whole numbers in a text, not {table['position'].shown()}", 'for example "3,2"'
            )
        x, y = int(found[1]), int(found[2])
        if "partitionNum" in table and table["partitionNum"].a(int, what="'partitionNum'") != number:
            raise table["partitionNum"].bad(
                f"this tile stands in the list of {_called(number)}, and says that it is of "
                f"{table['partitionNum'].shown()}",
                f"write {number}",
            )
        if (x, y) in self.seen:
            raise table["position"].bad(
                f"two tiles are at ({x}, {y}): of {_called(self.seen[x, y])} and of {_called(number)}",
                "keep one of them",
            )
        self.seen[x, y] = number
        return x, y, self._code(table)

    def _code(self, table: dict[str, Value]) -> int:
        """The code of a tile, or of the slot or socket that it is."""
        name = table["tileType"].a(str, what="a tileType")
        if name not in self.palette:
            raise unknown(
                "tileType", name[:40], [tile.name for tile in self.palette.tiles], place=table["tileType"].place()
            )
        mark = None
        if "slot" in table and "socket" in table:
            raise table["socket"].bad("a tile is a slot or a socket, not both", "keep one of them")
        if "slot" in table:
            mark = Mark("slot", table["slot"].a(str, what="a slot"), self.palette[name])
        elif "socket" in table:
            role = table["becomes"].a(str, what="what a socket becomes") if "becomes" in table else "door"
            if role not in BECOMES:
                raise unknown("role of a socket", role[:40], BECOMES, place=table["becomes"].place())
            mark = Mark("socket", table["socket"].a(str, what="a socket"), self.palette.role(role))
        if mark is None:
            return self.palette[name]
        if mark not in self.marks:
            self.marks.append(mark)
        if len(self.palette) + len(self.marks) > 255:
            raise table["tileType"].bad("more kinds of slots and sockets than a layout can have", "use fewer names")
        return len(self.palette) + self.marks.index(mark)


def _called(number: int) -> str:
    return {BASE: "'unscaledTiles'", OVERLAY: "'excludedTiles'"}.get(number, f"partition {number}")


def _blamed(table: dict[str, Value], x: Axis, y: Axis) -> Value | None:
    """The value that contradicts another: an odd amount from the centre, or a lock beside a locked ratio."""
    for axis, (lock, _, amount, _) in zip((x, y), AXES, strict=True):
        if axis.type == "amount" and axis.direction == 0 and axis.amount % 2:
            return table.get(amount)
        if axis.locked and x.locked != y.locked:
            return table.get(lock)
    return None


def write(layout: Layout) -> str:
    """The JSON of a layout: `parse` gives the same layout again."""
    data: dict[str, Any] = {"name": layout.name} if layout.name else {}
    data |= {"tags": list(layout.tags), "allowFlipX": layout.flip_x, "allowFlipY": layout.flip_y}
    data |= {"excludedTiles": _listed(layout, OVERLAY), "unscaledTiles": _listed(layout, BASE)}
    data["scalePartitions"] = [_partition_data(layout, number) for number in range(len(layout.partitions))]
    return json.dumps(data, ensure_ascii=False) + "\n"


def _partition_data(layout: Layout, number: int) -> dict[str, Any]:
    partition = layout.partitions[number]
    data: dict[str, Any] = {
        "name": partition.name,
        "color": partition.colour,
        "icon": partition.icon,
        "lockRatio": partition.lock_ratio,
    }
    for axis, (lock, split, amount, direction) in zip((partition.x, partition.y), AXES, strict=True):
        data |= {lock: axis.locked, split: axis.type == "multiples", amount: axis.amount, direction: axis.direction}
    return data | {"tiles": _listed(layout, number)}


def _listed(layout: Layout, number: int) -> list[dict[str, Any]]:
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
