"""Read maps of Tiled as levels: our own, and foreign ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.core.level import Level, Point
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.formats.shared.role_names import COLLISION_WORDS, find_role, split_words
from undercroft.formats.shared.siblings import SiblingFiles
from undercroft.formats.tiled import checked_map, read_ours, shapes
from undercroft.formats.tiled.checked_map import TiledMap
from undercroft.formats.tiled.external_files import ExternalFiles
from undercroft.formats.tiled.layers import NOTES_NAME
from undercroft.formats.tiled.objects import TiledObject, build_thing, detect_end, is_visible, read_objects
from undercroft.formats.tiled.roles import (
    ROLE_NUMBERS,
    Box,
    Roles,
    collect_tile_facts,
    interpret_layers,
    read_roles,
    read_tile_types,
    roles_to_tiles,
)

OUTSIDE_NOTE = "objects outside of the map"
NO_WALL_NOTE = "lines and points that make no wall"


def read_map(document: Any, file: str, folder: SiblingFiles | None = None) -> Level:
    """The level in a map, given as parsed TMJ. Files that it names are opened in the folder, if there is one."""
    found = checked_map.read_tiled_map(document, file, ExternalFiles(folder, file))
    told = read_ours.read_notes(found)
    palette = read_ours.read_map_palette(found) if told or NOTES_NAME in found.properties else STANDARD
    known = collect_tile_facts(found.tilesets, read_ours.has_same_pieces(found, palette), palette)
    if told:
        return read_ours.read_own_level(found, told, known)
    readings = interpret_layers(found)
    if not readings:
        hidden = any(layer.kind == "tilelayer" for layer in found.layers)
        raise found.spot.error(
            f"all its tile layers {'are hidden' if hidden else 'are missing'}",
            "show one" if hidden else "draw the level on a tile layer",
        )
    box = (0, 0, *found.size) if found.size else _find_box(found)
    guessed: dict[str, str] = {}
    roles = read_roles(found, known, box, guessed)
    things, ends, left_out = _read_objects(found, box, roles, guessed)
    made = read_ours.read_map_provenance(found)
    notes = {
        "layers": guessed,
        **{what: count for what, count in left_out.items() if count},
        **read_ours.build_unopened_note(found),
    }
    return Level(
        roles_to_tiles(roles, palette, found.spot),
        palette,
        things=things,
        start=ends.get("start"),
        end=ends.get("end"),
        provenance={**made, "tiled": notes},
        title=str(found.properties.get("title", "")),
    )


def _find_box(found: TiledMap) -> Box:
    """The box of the cells of an infinite map that hold a tile."""
    sides: list[tuple[int, int, int, int]] = []
    seen = 0
    for layer, _ in interpret_layers(found):
        for x, y, gids in checked_map.read_blocks(found, layer):
            seen += gids.size
            limits.TILED_CELLS.check(seen, f"{found.spot.file}: the number of cells of all its layers")
            ys, xs = (np.flatnonzero(gids.any(axis=axis)) for axis in (1, 0))
            if len(xs):
                sides.append((x + int(xs[0]), y + int(ys[0]), x + int(xs[-1]) + 1, y + int(ys[-1]) + 1))
    if not sides:
        raise found.spot.error("the map is empty", "draw something on it")
    left, top, right, bottom = (
        min(side[0] for side in sides),
        min(side[1] for side in sides),
        max(side[2] for side in sides),
        max(side[3] for side in sides),
    )
    limits.SIDE.check(max(right - left, bottom - top), f"{found.spot.file}: the longer side of what is drawn")
    checked_map.check_size((right - left, bottom - top), found.spot)
    return left, top, right - left, bottom - top


def _read_objects(
    found: TiledMap, box: Box, roles: Roles, guessed: dict[str, str]
) -> tuple[list[Thing], dict[str, Point], dict[str, int]]:
    """Things, ends, and the number of objects left out, by reason. Shapes on a layer of walls become walls."""
    things: list[Thing] = []
    ends: dict[str, Point] = {}
    left_out = dict.fromkeys((OUTSIDE_NOTE, NO_WALL_NOTE), 0)
    spent = 0
    kinds = read_tile_types(found.tilesets)
    for name, one, walls in _visible_objects(found):
        if walls:
            guessed[name] = "walls, where its shapes are"
            outline = one.outline
            spent = _fill_walls(one, outline, box, roles, spent)
            left_out[NO_WALL_NOTE] += not len(outline)
            continue
        x, y = one.cell[0] - box[0], one.cell[1] - box[1]
        end = detect_end(one)
        if not (0 <= x < box[2] and 0 <= y < box[3]):
            left_out[OUTSIDE_NOTE] += 1
        elif end and end not in ends:
            ends[end] = (x, y)
        else:
            things.append(build_thing(one, (box[0], box[1]), kinds.get(one.gid, "")))
    return things, ends, left_out


def _visible_objects(found: TiledMap) -> Iterator[tuple[str, TiledObject, bool]]:
    """The visible objects, with the name of their layer, and whether it is a layer of walls."""
    ours = {"rooms", "doorways", "links", "path"} if NOTES_NAME in found.properties else set()
    for layer in found.layers:
        if layer.kind != "objectgroup" or layer.name in ours:
            continue
        walls = bool({*split_words(layer.name)} & COLLISION_WORDS) or find_role(layer.name) == "wall"
        if layer.shown or walls:
            yield from ((layer.name, one, walls) for one in read_objects(found, layer) if is_visible(one))


def _fill_walls(one: TiledObject, outline: shapes.Corners, box: Box, roles: Roles, spent: int) -> int:
    """Turn the cells whose middles a shape covers into walls. Returns the total cost so far."""
    if one.rotation or one.shape != "rectangle":
        return (
            shapes.fill_polygon(roles, outline - (box[0], box[1]), ROLE_NUMBERS["wall"], spent, one.spot.file)
            if len(outline)
            else spent
        )
    x, y, width, height = one.box
    left, top = max(x - box[0], 0), max(y - box[1], 0)
    covered = roles[top : max(y + height - box[1], 0), left : max(x + width - box[0], 0)]
    spent = shapes.add_cell_cost(spent, covered.size, one.spot.file)
    covered[:] = ROLE_NUMBERS["wall"]
    return spent
