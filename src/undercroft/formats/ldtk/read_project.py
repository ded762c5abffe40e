"""Read LDtk projects: our own completely, others as far as possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.formats.ldtk import grids
from undercroft.formats.ldtk.definitions import JSON_MODE
from undercroft.formats.ldtk.grids import GridFrame, ValueTable, check_object, read_objects, text_or_empty
from undercroft.formats.ldtk.project_layers import build_terrain_values
from undercroft.formats.ldtk.read_entities import (
    Entity,
    FieldKeys,
    parse_json_field,
    read_foreign_entities,
    read_own_entities,
)
from undercroft.formats.ldtk.value_names import IntGridDefinition, ValueMeanings, build_palette
from undercroft.formats.native.read_level import read_palette
from undercroft.formats.shared.origin import read_provenance
from undercroft.inputs.json import parse_json
from undercroft.inputs.values import CheckedValue, in_file

TILE_KEYS = {"px", "src", "t"}
"""The keys that identify tiles, which are skipped: a file may have millions, and nothing is read from them."""
MAX_NAMED_LEVELS = 20
"""The most other levels to name; more are only counted."""


def read_project(data: bytes, file: str) -> Level:
    """The first level of a project."""
    whole = in_file(parse_json(data, file, lambda table: None if table.keys() >= TILE_KEYS else table), "", file)
    if type(whole.value) is not dict or "defs" not in whole.value or "levels" not in whole.value:
        raise whole.error("this is no LDtk project: it has no 'defs' and 'levels'", "name a file that LDtk saved")
    level, notes = _find_first_level(whole)
    layers = level.key("layerInstances")
    if layers.value is None:
        raise layers.error(
            "the layers of this level are in a file of their own",
            "take 'Save levels to separate files' out of the project's settings, and save it",
        )
    fields = {
        text_or_empty(field.key("__identifier")): field.key("__value")
        for field in read_objects(level.key("fieldInstances", []))
    }
    mine = "undercroft" in fields and "palette" in fields
    found = grids.choose_layers(layers, level, mine)
    defined = grids.read_layer_definitions(whole, found.layers)
    definitions = list(defined.values())
    palette, meanings, empty = _read_own_palette(fields["palette"], definitions) if mine else build_palette(definitions)
    values = dict(zip(defined, map(ValueTable.of, definitions, meanings), strict=True))
    laid = [grids.place_layer(layer, found.frame, values[layer.value.get("layerDefUid")]) for layer in found.layers]
    tiles = grids.compose_tiles([layer for layer, _ in laid], palette, empty)
    inside, outside = _read_entities(layers, found.frame)
    notes |= _build_notes(found.left_out, sum(cells for _, cells in laid), outside)
    title = text_or_empty(level.key("identifier", ""))
    if not mine:
        return Level(
            tiles, palette, title=title, provenance={"ldtk": {"level": title, **notes}}, **read_foreign_entities(inside)
        )
    title = text_or_empty(fields["title"]) if "title" in fields else ""
    made = read_provenance(parse_json_field(fields["undercroft"])) | ({"ldtk": notes} if notes else {})
    return Level(
        tiles,
        palette,
        title=title,
        provenance=made,
        **read_own_entities(inside, _read_labels(layers, found.frame), _read_keys(whole)),
    )


def _find_first_level(whole: CheckedValue) -> tuple[CheckedValue, dict[str, Any]]:
    """The first level, and notes about the others."""
    found = [*read_objects(whole.key("levels"))]
    for world in read_objects(whole.key("worlds", [])):
        found += read_objects(world.key("levels", []))
    if not found:
        raise whole.key("levels").error("the project has no level", "draw one in LDtk")
    names = [text_or_empty(other.key("identifier", "")) for other in found[1 : MAX_NAMED_LEVELS + 1]]
    further = len(found) - 1 - len(names)
    return found[0], ({"not read": names} if names else {}) | ({"further levels": further} if further else {})


def _build_notes(layers: dict[str, str], cells: int, entities: int) -> dict[str, Any]:
    """Notes about the parts of a level that are not read."""
    rows = {"layers not read": layers, "cells outside of the level": cells, "entities outside of the level": entities}
    return {name: told for name, told in rows.items() if told}


def _read_entities(layers: CheckedValue, frame: GridFrame) -> tuple[list[Entity], int]:
    """The entities in the level, and the number of those outside."""
    found = []
    for layer in read_objects(layers):
        x, y = grids.read_offset(layer)
        found += [
            Entity.of(spot, frame.grid, (x - frame.x, y - frame.y))
            for spot in read_objects(layer.key("entityInstances", []))
        ]
    inside = [entity for entity in found if 0 <= entity.x < frame.width and 0 <= entity.y < frame.height]
    return inside, len(found) - len(inside)


def _read_own_palette(field: CheckedValue, layers: list[IntGridDefinition]) -> tuple[Palette, list[ValueMeanings], int]:
    """The palette stored in a level of ours. Values and layers that a user added since get their roles from their
    names.
    """
    palette = read_palette(parse_json_field(field))
    own = {value: code for code, value in enumerate(build_terrain_values(palette).tolist()) if value}
    floor = palette.role("floor") if "floor" in palette.roles else 0
    meanings = []
    for layer in layers:
        if layer.name == grids.TERRAIN_LAYER:
            named = layer._replace(name="").find_roles()  # the name of the layer says nothing about new values
            added = {
                value.number: palette.role(role)
                for value, role in zip(layer.values, named, strict=True)
                if role in palette.roles
            }
            meanings.append(ValueMeanings(added | own, frozenset()))
            continue
        roles = dict(zip((value.number for value in layer.values), layer.find_roles(), strict=True))
        nameless = frozenset(number for number, role in roles.items() if role not in palette.roles)
        meanings.append(
            ValueMeanings(
                {number: floor if number in nameless else palette.role(role) for number, role in roles.items()},
                nameless,
            )
        )
    return palette, meanings, palette.role("void") if "void" in palette.roles else 0


def _read_labels(layers: CheckedValue, frame: GridFrame) -> NDArray[np.int64]:
    """The labels of the regions."""
    layer = next(
        (layer for layer in read_objects(layers) if layer.value.get("__identifier") == grids.REGIONS_LAYER), None
    )
    if layer is None:
        return np.zeros((frame.height, frame.width), np.int64)
    if grids.read_layer_size(layer) != (frame.width, frame.height):
        raise layer.error(f"the layer is not of the size of Terrain, {frame.width}x{frame.height}")
    return grids.read_numbers(layer, frame.width, frame.height)


def _read_keys(whole: CheckedValue) -> FieldKeys:
    """The docs of all kinds of entities and of their fields, and which of these are JSON."""
    found: dict[int, str] = {}
    json: set[int] = set()
    for kind in read_objects(check_object(whole.key("defs")).key("entities", [])):
        for row in (kind, *read_objects(kind.key("fieldDefs", []))):
            if type(row.value.get("uid")) is int and isinstance(row.value.get("doc"), str):
                found[row.value["uid"]] = row.key("doc").text()
                if row.value.get("textLanguageMode") == JSON_MODE:
                    json.add(row.value["uid"])
    return FieldKeys(found, frozenset(json))
