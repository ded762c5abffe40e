"""Reading LDtk projects: our own come back whole, those of others as far as they can be understood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.errors import BadInput
from undercroft.formats import guard
from undercroft.formats.checked import Spot, shown
from undercroft.formats.ldtk_layers import values as own_values
from undercroft.formats.ldtk_names import Value, palette_of, role_of
from undercroft.formats.ldtk_parts import Entity, foreign, ours
from undercroft.formats.native_reading import read_palette, read_provenance

COLOUR = re.compile("#[0-9a-fA-F]{6}")
OLD = "open it in LDtk 1.5, and save it again"
TILE = {"px", "src", "t"}
"""The keys by which tiles are known. A file may have millions, and nothing is read from them."""
MOST_NAMED = 20
"""So many other levels are named; of further ones only their number is told."""

Codes = dict[int, int]


def read(data: bytes, file: str) -> Level:
    """The first level of a project."""
    whole = Spot(guard.parsed(data, file, lambda table: None if table.keys() >= TILE else table), "", file)
    if type(whole.value) is not dict or "defs" not in whole.value or "levels" not in whole.value:
        raise whole.wrong("this is no LDtk project: it has no 'defs' and 'levels'", "name a file that LDtk saved")
    level, others = _first(whole)
    layers = level.key("layerInstances")
    if layers.value is None:
        raise layers.wrong(
            "the layers of this level are in a file of their own", "take 'Save levels to separate files' out of the project's settings, and save it"
        )
    fields = {_text(field.key("__identifier")): field.key("__value") for field in _objects(level.key("fieldInstances", []))}
    terrain = _terrain(layers, level)
    width, height = _size(terrain)
    name, values = _values(whole, terrain)
    mine = "undercroft" in fields and "palette" in fields
    palette, codes, empty = _own_palette(fields["palette"], values) if mine else palette_of(values, name)
    tiles = _cells(terrain, width, height, codes | {0: empty})
    grid = terrain.key("__gridSize").whole(1, 1 << 16)
    entities = [Entity.of(spot, grid) for layer in _objects(layers) for spot in _objects(layer.key("entityInstances", []))]
    inside = [entity for entity in entities if 0 <= entity.x < width and 0 <= entity.y < height]
    title = _text(level.key("identifier", ""))
    if not mine:
        return Level(tiles, palette, title=title, provenance={"ldtk": {"level": title, **others}}, **foreign(inside))
    labels = next(
        (_labels(layer, width, height) for layer in _objects(layers) if layer.value.get("__identifier") == "Regions"), np.zeros(tiles.shape, np.int64)
    )
    title = _text(fields["title"]) if "title" in fields else ""
    return Level(tiles, palette, title=title, provenance=read_provenance(_json(fields["undercroft"])), **ours(inside, labels, _keys(whole)))


def _first(whole: Spot) -> tuple[Spot, dict[str, Any]]:
    """The first level, and what is to be told of others."""
    found = [*_objects(whole.key("levels"))]
    for world in _objects(whole.key("worlds", [])):
        found += _objects(world.key("levels", []))
    if not found:
        raise whole.key("levels").wrong("the project has no level", "draw one in LDtk")
    names = [_text(other.key("identifier", "")) for other in found[1 : MOST_NAMED + 1]]
    further = len(found) - 1 - len(names)
    return found[0], ({"not read": names} if names else {}) | ({"further levels": further} if further else {})


def _terrain(layers: Spot, level: Spot) -> Spot:
    """The layer that the tiles are read from: the one called Terrain, or else the first with numbers."""
    grids = [layer for layer in _objects(layers) if layer.value.get("__type") == "IntGrid"]
    if not grids:
        raise layers.wrong(f"the level {shown(level.value.get('identifier'))} has no IntGrid layer", "paint its walls on one, or make it the first level")
    return next((layer for layer in grids if layer.value.get("__identifier") == "Terrain"), grids[0])


def _size(layer: Spot) -> tuple[int, int]:
    width, height = (layer.key(side).whole(1, limits.SIDE.value) for side in ("__cWid", "__cHei"))
    limits.CELLS._replace(raise_by="cut the map into parts").check(width * height, f"{layer.file}: at {layer.path}: the number of cells of {width}x{height}")
    return width, height


def _values(whole: Spot, layer: Spot) -> tuple[str, list[Value]]:
    """The name of an IntGrid layer, and its values as they are defined."""
    uid = layer.value.get("layerDefUid")
    for definition in _objects(_object(whole.key("defs")).key("layers", [])):
        if definition.value.get("uid") == uid:
            break
    else:
        raise layer.key("layerDefUid").wrong(f"no layer is defined that has the uid {shown(uid)}", OLD)
    groups = {group.value.get("uid"): _text(group.key("identifier")) for group in _objects(definition.key("intGridValuesGroups", []))}
    found = []
    for row in _objects(definition.key("intGridValues", [])):
        colour = row.value.get("color")
        known = isinstance(colour, str) and COLOUR.fullmatch(colour)
        group = row.value.get("groupUid")
        found.append(
            Value(
                row.key("value").whole(1, (1 << 31) - 1),
                _text(row.key("identifier")),
                groups.get(group, "") if isinstance(group, int) else "",
                colour.lower() if known else "#888888",
            )
        )
    return _text(definition.key("identifier", "")), found


def _own_palette(field: Spot, values: list[Value]) -> tuple[Palette, Codes, int]:
    """The palette that a level of ours tells, with values that somebody put in since by their roles."""
    palette = read_palette(_json(field))
    codes = {value: code for code, value in enumerate(own_values(palette).tolist()) if value}
    for value in values:
        role = role_of(value.name) or role_of(value.group)
        if value.number not in codes and role in palette.roles:
            codes[value.number] = palette.role(role)
    return palette, codes, palette.role("void") if "void" in palette.roles else 0


def _numbers(layer: Spot, width: int, height: int) -> NDArray[np.int64]:
    """The numbers of an IntGrid layer."""
    spot = layer.key("intGridCsv")
    if spot.value is None:
        raise spot.wrong("the layer has no numbers: this project is of an older LDtk", OLD)
    spot.list(width * height)
    try:
        numbers = np.array(spot.value)
    except ValueError:
        numbers = np.array(None)
    if numbers.dtype.kind != "i" or numbers.ndim != 1:
        index = next((index for index, number in enumerate(spot.value) if type(number) is not int), 0)
        raise spot.item(index).wrong(f"a whole number belongs here, not {shown(spot.value[index])}")
    return numbers.astype(np.int64).reshape(height, width)


def _cells(layer: Spot, width: int, height: int, codes: Codes) -> NDArray[np.uint8]:
    """The codes of the tiles."""
    numbers = _numbers(layer, width, height)
    known = np.array(sorted(codes))
    place = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    strange = known[place] != numbers
    if strange.any():
        y, x = divmod(int(strange.argmax()), width)
        listed = ", ".join(map(str, known[:10].tolist())) + (", ..." if len(known) > 10 else "")
        raise layer.wrong(f"the cell ({x}, {y}) has the value {numbers[y, x]}, which is not defined", f"the layer has {listed}")
    return np.array([codes[value] for value in known.tolist()], np.uint8)[place]


def _labels(layer: Spot, width: int, height: int) -> NDArray[np.int64]:
    """The labels of the regions."""
    if _size(layer) != (width, height):
        raise layer.wrong(f"the layer is not of the size of Terrain, {width}x{height}")
    return _numbers(layer, width, height)


def _keys(whole: Spot) -> dict[int, str]:
    """The notes of all kinds of entities and of their fields, by their uids: what things and their data are called."""
    found: dict[int, str] = {}
    for kind in _objects(_object(whole.key("defs")).key("entities", [])):
        for row in (kind, *_objects(kind.key("fieldDefs", []))):
            if type(row.value.get("uid")) is int and isinstance(row.value.get("doc"), str):
                found[row.value["uid"]] = row.key("doc").text()
    return found


def _json(spot: Spot) -> Spot:
    """What a text field of ours holds."""
    try:
        return Spot(guard.parsed(spot.text().encode(), spot.file), spot.path, spot.file)
    except BadInput as error:
        raise spot.wrong(error.problem, error.fix) from None


def _object(spot: Spot) -> Spot:
    spot.object()
    return spot


def _objects(spot: Spot) -> Iterator[Spot]:
    """The objects of a list."""
    for index in range(len(spot.list())):
        yield _object(spot.item(index))


def _text(spot: Spot) -> str:
    """A text; empty for null."""
    return "" if spot.value is None else spot.text()
