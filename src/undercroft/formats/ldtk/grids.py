"""Read the tiles of an LDtk level from all its IntGrid layers.

Layers are stacked in the order of the list, the first on top. An empty cell shows the layers below, and so does a
value whose name has no meaning if something is painted below it. Walls of a collision layer count wherever it lies in
the stack, but never replace doors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.formats.ldtk.value_names import IntGridDefinition, IntGridValue, ValueMeanings
from undercroft.formats.shared.role_names import COLLISION_WORDS, split_words
from undercroft.inputs.values import CheckedValue, format_path, quote_name

COLOUR_PATTERN = re.compile("#[0-9a-fA-F]{6}")
UPGRADE_FIX = "open it in LDtk 1.5, and save it again"
TERRAIN_LAYER, REGIONS_LAYER = "Terrain", "Regions"

Uid = int | float | str | None
"""The uid of a definition: LDtk writes numbers."""
Numbers = NDArray[np.int64]
Tiles = NDArray[np.uint8]


class GridFrame(NamedTuple):
    """The cells of a level: their number, the pixels of each, and where in the level the first begins."""

    width: int
    height: int
    grid: int
    x: int
    y: int


class ValueTable(NamedTuple):
    """The values of a layer in ascending order, with 0, and what each of them means."""

    known: Numbers
    codes: Tiles
    nameless: NDArray[np.bool_]
    collides: bool
    """Whether it is a collision layer."""

    @classmethod
    def of(cls, definition: IntGridDefinition, meaning: ValueMeanings) -> ValueTable:
        known = sorted({0, *meaning.codes})
        return cls(
            np.array(known),
            np.array([meaning.codes.get(value, 0) for value in known], np.uint8),
            np.array([value in meaning.nameless for value in known]),
            bool({*split_words(definition.name)} & COLLISION_WORDS),
        )


class PlacedLayer(NamedTuple):
    """A layer as it lies in the level."""

    there: NDArray[np.bool_]
    """A mask of the painted cells."""
    codes: Tiles
    nameless: NDArray[np.bool_]
    """A mask of the cells whose values have no meaning."""
    collides: bool
    """Whether it is a collision layer."""


class IntGridLayers(NamedTuple):
    """The IntGrid layers that make the tiles, the lowest first."""

    frame: GridFrame
    layers: list[CheckedValue]
    left_out: dict[str, str]
    """The other layers by name, with the reason why they are not read."""


def choose_layers(layers: CheckedValue, level: CheckedValue, mine: bool) -> IntGridLayers:
    """The layers with the same cells as the one called Terrain, or else as the first. In our own projects the layer of
    regions is left out.
    """
    grids = [
        layer
        for layer in read_objects(layers)
        if layer.value.get("__type") == "IntGrid" and not (mine and layer.value.get("__identifier") == REGIONS_LAYER)
    ]
    if not grids:
        raise layers.error(
            f"the level {quote_name(level.value.get('identifier'))} has no IntGrid layer",
            "paint its walls on one, or make it the first level",
        )
    frame = _find_frame(grids)
    why = [_describe_mismatch(layer, frame) for layer in grids]
    left_out = {
        text_or_empty(layer.key("__identifier", "")): reason for layer, reason in zip(grids, why, strict=True) if reason
    }
    return IntGridLayers(frame, [layer for layer, reason in zip(grids, why, strict=True) if not reason][::-1], left_out)


def _find_frame(grids: Sequence[CheckedValue]) -> GridFrame:
    """The frame of the layer called Terrain, or else of the first. A layer with an offset of part of a cell counts only
    if all have one.
    """
    first = next((layer for layer in grids if layer.value.get("__identifier") == TERRAIN_LAYER), grids[0])
    grid = first.key("__gridSize").integer(1, 1 << 16)
    alike = [first, *(layer for layer in grids if layer.value.get("__gridSize") == grid)]
    layer = next((layer for layer in alike if not any(offset % grid for offset in read_offset(layer))), first)
    x, y = (offset % grid for offset in read_offset(layer))
    return GridFrame(*read_layer_size(layer), grid, x, y)


def _describe_mismatch(layer: CheckedValue, frame: GridFrame) -> str:
    """The reason why a layer cannot be stacked with the others; empty if it can."""
    grid = layer.value.get("__gridSize")
    if type(grid) is not int or grid != frame.grid:
        return f"its cells are {quote_name(grid)} pixels wide, not {frame.grid}"
    if read_layer_size(layer) != (frame.width, frame.height):
        return f"it has {'x'.join(map(str, read_layer_size(layer)))} cells, not {frame.width}x{frame.height}"
    x, y = read_offset(layer)
    return "it is moved by a part of a cell" if (x - frame.x) % grid or (y - frame.y) % grid else ""


def read_layer_size(layer: CheckedValue) -> tuple[int, int]:
    """The size of a layer in cells."""
    width, height = (layer.key(side).integer(1, limits.SIDE.value) for side in ("__cWid", "__cHei"))
    limits.CELLS._replace(raise_by="cut the map into parts").check(
        width * height, f"{layer.file}: at {format_path(layer.path)}: the number of cells of {width}x{height}"
    )
    return width, height


def read_offset(layer: CheckedValue) -> tuple[int, int]:
    """The offset of a layer in pixels."""
    return layer.key("__pxTotalOffsetX", 0).integer(-limits.LDTK_NUMBER.value, limits.LDTK_NUMBER.value), layer.key(
        "__pxTotalOffsetY", 0
    ).integer(-limits.LDTK_NUMBER.value, limits.LDTK_NUMBER.value)


def read_layer_definitions(whole: CheckedValue, layers: Sequence[CheckedValue]) -> dict[Uid, IntGridDefinition]:
    """The definitions that some IntGrid layers have, each built once, by uid and in the order of the layers."""
    defined: dict[Any, CheckedValue] = {}
    for definition in read_objects(check_object(whole.key("defs")).key("layers", [])):
        uid = definition.value.get("uid")
        if isinstance(uid, Uid):
            defined.setdefault(uid, definition)
    found: dict[Uid, IntGridDefinition] = {}
    for layer in layers:
        uid = layer.value.get("layerDefUid")
        if not isinstance(uid, Uid) or uid not in defined:
            raise layer.key("layerDefUid").error(f"no layer is defined that has the uid {quote_name(uid)}", UPGRADE_FIX)
        if uid not in found:
            found[uid] = _read_layer_definition(defined[uid])
    return found


def _read_layer_definition(definition: CheckedValue) -> IntGridDefinition:
    """The name of an IntGrid layer, and the definitions of its values."""
    groups = {
        group.value["uid"]: text_or_empty(group.key("identifier"))
        for group in read_objects(definition.key("intGridValuesGroups", []))
        if type(group.value.get("uid")) is int
    }
    found = []
    for row in read_objects(definition.key("intGridValues", [])):
        colour = row.value.get("color")
        known = isinstance(colour, str) and COLOUR_PATTERN.fullmatch(colour)
        group = row.value.get("groupUid")
        found.append(
            IntGridValue(
                row.key("value").integer(1, (1 << 31) - 1),
                text_or_empty(row.key("identifier")),
                groups.get(group, "") if isinstance(group, int) else "",
                colour.lower() if known else "#888888",
            )
        )
    return IntGridDefinition(text_or_empty(definition.key("identifier", "")), found)


def read_numbers(layer: CheckedValue, width: int, height: int) -> Numbers:
    """The numbers of an IntGrid layer."""
    spot = layer.key("intGridCsv")
    if spot.value is None:
        raise spot.error("the layer has no numbers: this project is of an older LDtk", UPGRADE_FIX)
    numbers = spot.list(width * height)
    if {*map(type, numbers)} != {int}:  # before NumPy sees them: one long text would make every cell as long
        index = next(index for index, number in enumerate(numbers) if type(number) is not int)
        raise spot.item(index).error(f"a whole number belongs here, not {quote_name(numbers[index])}")
    try:
        return np.array(numbers, np.int64).reshape(height, width)
    except OverflowError:
        index = next(index for index, number in enumerate(numbers) if not -(1 << 63) <= number < 1 << 63)
        raise spot.item(index).error(f"{quote_name(numbers[index])} is out of range") from None


def compose_tiles(layers: Sequence[PlacedLayer], palette: Palette, empty: int) -> Tiles:
    """The codes of the tiles, from the layers in order, the lowest first."""
    tiles = np.full(layers[0].codes.shape, empty, np.uint8)
    painted = np.zeros(tiles.shape, bool)
    door = np.array([role in DOOR_ROLES for role in palette.roles])
    hard = np.array([not tile.walkable and tile.role != "void" for tile in palette.tiles])
    for layer in layers:
        over = layer.there & ~(layer.nameless & painted)
        if layer.collides:
            over &= ~(hard[layer.codes] & door[tiles] & painted)
        np.copyto(tiles, layer.codes, where=over)
        painted |= layer.there
    for layer in layers:
        if layer.collides:
            np.copyto(tiles, layer.codes, where=layer.there & hard[layer.codes] & ~hard[tiles] & ~door[tiles])
    return tiles


def place_layer(layer: CheckedValue, frame: GridFrame, values: ValueTable) -> tuple[PlacedLayer, int]:
    """A layer as it lies in the level, and the number of its painted cells that lie outside."""
    found = read_numbers(layer, frame.width, frame.height)
    known = values.known
    place = np.minimum(np.searchsorted(known, found), len(known) - 1)
    strange = known[place] != found
    if strange.any():
        y, x = divmod(int(strange.argmax()), frame.width)
        listed = ", ".join(map(str, known[:10].tolist())) + (", ..." if len(known) > 10 else "")
        raise layer.error(
            f"the cell ({x}, {y}) has the value {found[y, x]}, which is not defined", f"the layer has {listed}"
        )
    x, y = read_offset(layer)
    inside = _moved(place, (x - frame.x) // frame.grid, (y - frame.y) // frame.grid)
    outside = int(np.count_nonzero(place)) - int(np.count_nonzero(inside))
    return PlacedLayer(inside > 0, values.codes[inside], values.nameless[inside], values.collides), outside


def _moved(cells: Numbers, x: int, y: int) -> Numbers:
    """The cells moved to the right and down; cells that leave the level are lost, and new ones are 0."""
    made = np.zeros_like(cells)
    height, width = cells.shape
    if abs(x) < width and abs(y) < height:
        made[max(y, 0) : height + min(y, 0), max(x, 0) : width + min(x, 0)] = cells[
            max(-y, 0) : height - max(y, 0), max(-x, 0) : width - max(x, 0)
        ]
    return made


def check_object(spot: CheckedValue) -> CheckedValue:
    spot.table()
    return spot


def read_objects(spot: CheckedValue) -> Iterator[CheckedValue]:
    """The objects of a list."""
    for index in range(len(spot.list())):
        yield check_object(spot.item(index))


def text_or_empty(spot: CheckedValue) -> str:
    """A text; empty for null."""
    return "" if spot.value is None else spot.text()
