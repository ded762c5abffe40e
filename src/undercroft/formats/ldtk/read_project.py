"""Reading LDtk projects: our own come back whole, those of others as far as they can be understood."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.errors import BadInput
from undercroft.formats.ldtk import grids
from undercroft.formats.ldtk.grids import Frame, an_object, objects, text
from undercroft.formats.ldtk.project_layers import values as own_values
from undercroft.formats.ldtk.read_entities import Entity, foreign, ours
from undercroft.formats.ldtk.value_names import Meaning, Named, palette_of, role_of
from undercroft.formats.native.read_level import read_palette, read_provenance
from undercroft.formats.shared import guarded_json
from undercroft.formats.shared.checked import Spot

TILE = {"px", "src", "t"}
"""The keys by which tiles are known. A file may have millions, and nothing is read from them."""
MOST_NAMED = 20
"""So many other levels are named; of further ones only their number is told."""


def read(data: bytes, file: str) -> Level:
    """The first level of a project."""
    whole = Spot(guarded_json.parsed(data, file, lambda table: None if table.keys() >= TILE else table), "", file)
    if type(whole.value) is not dict or "defs" not in whole.value or "levels" not in whole.value:
        raise whole.wrong("this is no LDtk project: it has no 'defs' and 'levels'", "name a file that LDtk saved")
    level, notes = _first(whole)
    layers = level.key("layerInstances")
    if layers.value is None:
        raise layers.wrong(
            "the layers of this level are in a file of their own",
            "take 'Save levels to separate files' out of the project's settings, and save it",
        )
    fields = {
        text(field.key("__identifier")): field.key("__value") for field in objects(level.key("fieldInstances", []))
    }
    mine = "undercroft" in fields and "palette" in fields
    found = grids.chosen(layers, level, mine)
    names = [grids.named(whole, layer) for layer in found.layers]
    palette, meanings, empty = _own_palette(fields["palette"], names) if mine else palette_of(names)
    laid = [
        grids.laid(layer, found.frame, name.name, meaning)
        for layer, name, meaning in zip(found.layers, names, meanings, strict=True)
    ]
    tiles = grids.composed([layer for layer, _ in laid], palette, empty)
    inside, outside = _entities(layers, found.frame)
    notes |= _left_out(found.left_out, sum(cells for _, cells in laid), outside)
    title = text(level.key("identifier", ""))
    if not mine:
        return Level(tiles, palette, title=title, provenance={"ldtk": {"level": title, **notes}}, **foreign(inside))
    title = text(fields["title"]) if "title" in fields else ""
    made = read_provenance(_json(fields["undercroft"])) | ({"ldtk": notes} if notes else {})
    return Level(
        tiles, palette, title=title, provenance=made, **ours(inside, _labels(layers, found.frame), _keys(whole))
    )


def _first(whole: Spot) -> tuple[Spot, dict[str, Any]]:
    """The first level, and what is to be told of others."""
    found = [*objects(whole.key("levels"))]
    for world in objects(whole.key("worlds", [])):
        found += objects(world.key("levels", []))
    if not found:
        raise whole.key("levels").wrong("the project has no level", "draw one in LDtk")
    names = [text(other.key("identifier", "")) for other in found[1 : MOST_NAMED + 1]]
    further = len(found) - 1 - len(names)
    return found[0], ({"not read": names} if names else {}) | ({"further levels": further} if further else {})


def _left_out(layers: dict[str, str], cells: int, entities: int) -> dict[str, Any]:
    """What is to be told of the rest of a level that is not read."""
    rows = {"layers not read": layers, "cells outside of the level": cells, "entities outside of the level": entities}
    return {name: told for name, told in rows.items() if told}


def _entities(layers: Spot, frame: Frame) -> tuple[list[Entity], int]:
    """The entities in the level, and how many there are outside of it."""
    found = []
    for layer in objects(layers):
        x, y = grids.offset_of(layer)
        found += [
            Entity.of(spot, frame.grid, (x - frame.x, y - frame.y))
            for spot in objects(layer.key("entityInstances", []))
        ]
    inside = [entity for entity in found if 0 <= entity.x < frame.width and 0 <= entity.y < frame.height]
    return inside, len(found) - len(inside)


def _own_palette(field: Spot, layers: list[Named]) -> tuple[Palette, list[Meaning], int]:
    """The palette that a level of ours tells. Values that somebody put in since, and layers, are known by their
    roles.
    """
    palette = read_palette(_json(field))
    own = {value: code for code, value in enumerate(own_values(palette).tolist()) if value}
    floor = palette.role("floor") if "floor" in palette.roles else 0
    meanings = []
    for layer in layers:
        roles = {value.number: role_of(value.name) or role_of(value.group) for value in layer.values}
        if layer.name == grids.TERRAIN:
            meanings.append(
                Meaning(
                    {number: palette.role(role) for number, role in roles.items() if role in palette.roles} | own,
                    frozenset(),
                )
            )
            continue
        roles = {value.number: layer.role(value) for value in layer.values}
        nameless = frozenset(number for number, role in roles.items() if role not in palette.roles)
        meanings.append(
            Meaning(
                {number: floor if number in nameless else palette.role(role) for number, role in roles.items()},
                nameless,
            )
        )
    return palette, meanings, palette.role("void") if "void" in palette.roles else 0


def _labels(layers: Spot, frame: Frame) -> NDArray[np.int64]:
    """The labels of the regions."""
    layer = next((layer for layer in objects(layers) if layer.value.get("__identifier") == grids.REGIONS), None)
    if layer is None:
        return np.zeros((frame.height, frame.width), np.int64)
    if grids.size(layer) != (frame.width, frame.height):
        raise layer.wrong(f"the layer is not of the size of Terrain, {frame.width}x{frame.height}")
    return grids.numbers(layer, frame.width, frame.height)


def _keys(whole: Spot) -> dict[int, str]:
    """The notes of all kinds of entities and of their fields, by their uids: what things and their data are called."""
    found: dict[int, str] = {}
    for kind in objects(an_object(whole.key("defs")).key("entities", [])):
        for row in (kind, *objects(kind.key("fieldDefs", []))):
            if type(row.value.get("uid")) is int and isinstance(row.value.get("doc"), str):
                found[row.value["uid"]] = row.key("doc").text()
    return found


def _json(spot: Spot) -> Spot:
    """What a text field of ours holds."""
    try:
        return Spot(guarded_json.parsed(spot.text().encode(), spot.file), spot.path, spot.file)
    except BadInput as error:
        raise spot.wrong(error.problem, error.fix) from None
