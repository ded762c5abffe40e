"""Read and write layouts as the JSON of Cozy Caves. Missing keys have defaults; its programs ignore our additions."""

from __future__ import annotations

import json
import re
from typing import Any

from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput
from undercroft.inputs.json import parse_json_document
from undercroft.inputs.values import CheckedValue
from undercroft.limits import LAYOUT_AMOUNT, LAYOUT_BYTES, PALETTE_TILES
from undercroft.templates.declarations import SOCKET_ROLES
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.partition import Axis, Partition
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
    whole = parse_json_document(text, file, LAYOUT_BYTES).root()
    table = whole.table(LAYOUT_KEYS, what="a layout")
    for key in LAYOUT_KEYS[4:]:
        if key not in table:
            raise whole.error(f"a layout has a list {key!r}", f'add "{key}": []')
    return _CozyReader(palette).read_layout(whole)


class _CozyReader:
    """Reads a layout, with the marks found so far and the place of each tile."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.marks: list[LayoutMark] = []
        self.seen: dict[tuple[int, int], int] = {}

    def read_layout(self, whole: CheckedValue) -> Layout:
        flips = [whole.key(key, False).boolean() for key in ("allowFlipX", "allowFlipY")]
        tags = [tag.text("a tag") for tag in whole.key("tags", []).items()]
        base = self._read_tiles(whole.key("unscaledTiles"), BASE)
        overlay = self._read_tiles(whole.key("excludedTiles"), OVERLAY)
        partitions = [
            self._read_partition(one, number) for number, one in enumerate(whole.key("scalePartitions").items())
        ]
        name = whole.key("name", "").text("a name")
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

    def _read_partition(self, value: CheckedValue, number: int) -> Partition:
        if "tiles" not in value.table(PARTITION_KEYS, what="a partition"):
            raise value.error("a partition has a list 'tiles'", 'add "tiles": []')
        name, colour, icon = (value.key(key, "").text() for key in ("name", "color", "icon"))
        x, y = (self._read_axis(value, keys) for keys in AXIS_KEYS)
        ratio = value.key("lockRatio", True).boolean()
        tiles = self._read_tiles(value.key("tiles"), number)
        try:
            return Partition(tiles, x, y, ratio, name, colour, icon)
        except BadInput as error:
            error.place = value.at(*_find_culprit(value.value, x, y)).place()
            raise

    def _read_axis(self, partition: CheckedValue, keys: tuple[str, str, str, str]) -> Axis:
        lock, split, amount, direction = keys
        locked, doubles = (partition.key(key, False).boolean() for key in (lock, split))
        by: int = partition.key(amount, 1).of_type(int)
        way: int = partition.key(direction, 1).of_type(int)
        if not 1 <= by <= LAYOUT_AMOUNT.value:
            raise partition.key(amount).mismatch(
                f"a whole number from 1 to {LAYOUT_AMOUNT.value:,}", fix=f"set {lock!r} if nothing shall grow"
            )
        if way not in (-1, 0, 1):
            fix = "1 grows right or down, -1 left or up, 0 both ways"
            raise partition.key(direction).mismatch("1, -1 or 0", fix=fix)
        return Axis(locked, "multiples" if doubles else "amount", by, way)  # type: ignore[arg-type]

    def _read_tiles(self, value: CheckedValue, number: int) -> Patch:
        """Read the tiles of a list."""
        try:
            return Patch.of([self._read_tile(tile, number) for tile in value.items("a list of tiles")])
        except BadInput as error:
            error.place = error.place or value.place()
            raise

    def _read_tile(self, value: CheckedValue, number: int) -> tuple[int, int, int]:
        table = value.table((*TILE_KEYS, *IGNORED_TILE_KEYS), what="a tile")
        for key in TILE_KEYS[:2]:
            if key not in table:
                raise value.error(f"a tile has a {key!r}", f'add "{key}"')
        position = value.key("position")
        found = _POSITION.fullmatch(position.text("a position"))
        if not found:
            raise position.mismatch("two whole numbers in a text", "a position", 'for example "3,2"')
        x, y = int(found[1]), int(found[2])
        part = value.key("partitionNum", number)
        if part.of_type(int) != number:
            raise part.error(
                f"this tile stands in the list of {_format_part(number)}, and says that it is of {part.describe()}",
                f"write {number}",
            )
        if (x, y) in self.seen:
            raise position.error(
                f"two tiles are at ({x}, {y}): of {_format_part(self.seen[x, y])} and of {_format_part(number)}",
                "keep one of them",
            )
        self.seen[x, y] = number
        return x, y, self._resolve_code(value)

    def _resolve_code(self, tile: CheckedValue) -> int:
        """The code of a tile, a slot or a socket."""
        kind = tile.key("tileType")
        name = kind.text("a tileType")
        if name not in self.palette:
            raise kind.unknown_name("tileType", [tile.name for tile in self.palette.tiles])
        mark = None
        if "slot" in tile.value and "socket" in tile.value:
            raise tile.key("socket").error("a tile is a slot or a socket, not both", "keep one of them")
        if "slot" in tile.value:
            mark = LayoutMark("slot", tile.key("slot").text("a slot"), self.palette[name])
        elif "socket" in tile.value:
            becomes = tile.key("becomes", "door")
            role = becomes.text("what a socket becomes")
            if role not in SOCKET_ROLES:
                raise becomes.unknown_name("role of a socket", SOCKET_ROLES)
            mark = LayoutMark("socket", tile.key("socket").text("a socket"), self.palette.role(role))
        if mark is None:
            return self.palette[name]
        if mark not in self.marks:
            self.marks.append(mark)
        if len(self.palette) + len(self.marks) > PALETTE_TILES.value:
            raise kind.error("more kinds of slots and sockets than a layout can have", "use fewer names")
        return len(self.palette) + self.marks.index(mark)


def _format_part(number: int) -> str:
    return {BASE: "'unscaledTiles'", OVERLAY: "'excludedTiles'"}.get(number, f"partition {number}")


def _find_culprit(table: dict[str, Any], x: Axis, y: Axis) -> tuple[str, ...]:
    """The key that contradicts another, if it is there: an odd amount from the centre, or a lock beside a locked
    ratio.
    """
    for axis, (lock, _, amount, _) in zip((x, y), AXIS_KEYS, strict=True):
        if axis.type == "amount" and axis.direction == 0 and axis.amount % 2:
            return (amount,) if amount in table else ()
        if axis.locked and x.locked != y.locked:
            return (lock,) if lock in table else ()
    return ()


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
