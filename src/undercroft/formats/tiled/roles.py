"""Find the role of each cell of a map drawn in Tiled.

The role of a tile comes from the first of these that it has: its property `role`; its type (or class); a property that
is true, such as `wall`, `collides` or `door`, or `walkable`, true or not; a shape in its collision editor, which makes
it a wall. If it has none, its layer decides, by its property `role` or its name. If the layer has neither, a tile of
the lowest layer is floor, and one of a higher layer is decoration. Of several tiles with a role on a cell, the topmost
counts. On layers of decoration only solid tiles count. A collision layer, hidden or not, turns walkable cells except
doors into walls. A cell without a tile is void.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.custom_tiles import list_custom_codes
from undercroft.core.palette import DOOR_ROLES, ROLES, STANDARD, Palette
from undercroft.draw.tileset.picture import tileset as our_tileset
from undercroft.errors import BadInput
from undercroft.formats.shared.role_names import COLLISION_WORDS, DECORATION_WORDS, find_role, split_words
from undercroft.formats.tiled import tiles
from undercroft.formats.tiled.cells import Gids
from undercroft.formats.tiled.checked_map import (
    TiledLayer,
    TiledMap,
    TiledTileset,
    optional_text,
    read_blocks,
    read_items,
    read_properties,
)
from undercroft.inputs.values import CheckedValue, in_file

ROLE_NUMBERS = {role: number for number, role in enumerate(ROLES, 1)}
"""The number of each role on a grid; 0 is none. After them come the custom tiles of the map's palette."""
FIRST_TILE_NUMBER = len(ROLES) + 1
"""The number of the palette's first tile."""
Roles = NDArray[np.uint16]
Blocks = Iterable[tuple[int, int, Gids]]
"""Parts of a layer, with the places of their first cells."""
_Facts = tuple[int, str, bool, str]
Box = tuple[int, int, int, int]
"""The place of a first cell, width and height."""


class TileFacts(NamedTuple):
    """The facts about tiles, by number. The last row stands for all greater numbers."""

    there: NDArray[np.bool_]
    """Whether there is such a tile."""
    roles: Roles
    """The number of its role or of its custom tile, or 0."""
    soft: NDArray[np.bool_]
    """Whether it is marked as not solid."""
    palette: Palette = STANDARD
    """The palette of the custom tiles."""


class LayerReading(NamedTuple):
    """How the tiles of a layer are interpreted."""

    kind: str
    """`ground`, `decoration` or `collision`."""
    role: str
    """The role of tiles without one, or empty."""
    why: str
    """The reason, as a phrase for notes."""


def read_roles(found: TiledMap, known: TileFacts, box: Box, told: dict[str, str]) -> Roles:
    """The role of each cell in the box (x, y, width, height); adds to `told` how each layer is interpreted."""
    readings = interpret_layers(found)
    told.update((layer.name, reading.why) for layer, reading in readings)
    return compose_roles([(reading, read_blocks(found, layer), layer.spot) for layer, reading in readings], known, box)


def compose_roles(layers: Iterable[tuple[LayerReading, Blocks, CheckedValue]], known: TileFacts, box: Box) -> Roles:
    """The roles of cells, layer by layer; collision layers come last."""
    roles = np.zeros((box[3], box[2]), np.uint16)
    seen = 0
    for reading, cells, spot in sorted(layers, key=lambda layer: layer[0].kind == "collision"):
        for x, y, gids in cells:
            seen += gids.size
            limits.TILED_CELLS.check(seen, f"{spot.file}: the number of cells of all its layers")
            _check_gids(gids, known, spot, (x, y))
            here, part = _clip_to_box(box, x, y, gids)
            if part.size:
                _apply_layer(roles[here], part, reading, known)
    return roles


def _clip_to_box(box: Box, x: int, y: int, gids: Gids) -> tuple[tuple[slice, slice], Gids]:
    """The slices of the box that some cells cover, and the part of the cells in it."""
    left, top = max(x - box[0], 0), max(y - box[1], 0)
    right, bottom = min(x - box[0] + gids.shape[1], box[2]), min(y - box[1] + gids.shape[0], box[3])
    part = gids[top + box[1] - y : max(bottom + box[1] - y, 0), left + box[0] - x : max(right + box[0] - x, 0)]
    return (slice(top, top + part.shape[0]), slice(left, left + part.shape[1])), part


def _check_gids(gids: Gids, known: TileFacts, spot: CheckedValue, first: tuple[int, int]) -> None:
    """Raise unless all numbers are those of tiles."""
    strange = (gids > 0) & ~np.take(known.there, gids, mode="clip")
    if strange.any():
        y, x = divmod(int(strange.argmax()), gids.shape[1])
        where = f"({x + first[0]}, {y + first[1]})"
        raise spot.error(
            f"the cell {where} has the tile number {gids[y, x]:,}, and no tileset has it",
            "add the tileset, or paint the cell again",
        )


def _apply_layer(roles: Roles, gids: Gids, reading: LayerReading, known: TileFacts) -> None:
    """Apply the tiles of a layer to the roles so far, in place."""
    said = np.take(known.roles, gids, mode="clip")
    if reading.role:
        said[(said == 0) & (gids > 0)] = ROLE_NUMBERS[reading.role]
    own = known.palette.tiles
    if reading.kind == "decoration":
        hard = np.array([False, *(not role.walkable for role in ROLES.values()), *(not tile.walkable for tile in own)])
        said[~hard[said] | np.take(known.soft, gids, mode="clip")] = 0
    if reading.kind == "collision":
        entered = np.array(
            [
                False,
                *(role.walkable and name not in DOOR_ROLES for name, role in ROLES.items()),
                *(tile.walkable and tile.role not in DOOR_ROLES for tile in own),
            ]
        )
        said[~(entered[roles] | (roles == 0)) | (gids == 0)] = 0
    np.copyto(roles, said, where=said > 0)


def roles_to_tiles(roles: Roles, palette: Palette, spot: CheckedValue) -> NDArray[np.uint8]:
    """The tiles with these roles: the custom tile, or the first of the role in the palette."""
    table = np.zeros(FIRST_TILE_NUMBER + 256, np.uint8)
    table[FIRST_TILE_NUMBER:] = np.arange(256)
    for number in np.flatnonzero(np.bincount(roles.reshape(-1))[:FIRST_TILE_NUMBER]).tolist():
        try:
            table[number] = palette.role(list(ROLES)[number - 1] if number else "void")
        except BadInput as error:
            raise spot.error(
                f"a cell is painted as something that its palette does not have: {error.problem}", error.fix
            ) from None
    return table[roles]


def interpret_layers(found: TiledMap, always: tuple[str, ...] = ()) -> list[tuple[TiledLayer, LayerReading]]:
    """The relevant layers with their interpretations, from the bottom up: visible layers, collision layers, and those
    with the given names.
    """
    readings: list[tuple[TiledLayer, LayerReading]] = []
    lowest = True
    for layer in found.layers:
        if layer.kind != "tilelayer":
            continue
        reading = _interpret_layer(layer, lowest)
        if reading.kind == "collision" or layer.shown or layer.name in always:
            readings.append((layer, reading))
            lowest = lowest and reading.kind != "ground"
    return readings


def _interpret_layer(layer: TiledLayer, lowest: bool) -> LayerReading:
    said = {*split_words(layer.name)}
    if said & COLLISION_WORDS or any(layer.properties.get(name) is True for name in COLLISION_WORDS):
        return LayerReading("collision", "wall", "walls, where one could walk otherwise")
    role = layer.properties.get("role")
    if isinstance(role, str) and role in ROLES:
        return LayerReading("ground", role, f"{role}, as its property says")
    if said & DECORATION_WORDS:
        return LayerReading("decoration", "", "decoration, by its name")
    guess = find_role(layer.name)
    if guess:
        return LayerReading("ground", guess, f"{guess}, by its name")
    return (
        LayerReading("ground", "floor", "floor, as it is the lowest")
        if lowest
        else LayerReading("ground", "", "decoration, as its name says nothing")
    )


def collect_tile_facts(tilesets: tuple[TiledTileset, ...], ours: bool = True, palette: Palette = STANDARD) -> TileFacts:
    """The facts about all tiles. Our own tilesets are known without their files, if their pieces are those of this
    program. Tiles that have the name and the role of a custom tile of the palette stand for it.
    """
    tilesets = (
        tuple(_fill_in_ours(tileset, palette) for tileset in tilesets)
        if ours
        else tuple(tileset._replace(name="") if _is_ours(tileset) else tileset for tileset in tilesets)
    )
    custom = {(palette.tiles[code].name, palette.roles[code]): code for code in list_custom_codes(palette)}
    size = max((tileset.first + _count_numbers(tileset) for tileset in tilesets), default=0) + 1
    there, roles, soft = np.zeros(size, bool), np.zeros(size, np.uint16), np.zeros(size, bool)
    ends = [*(tileset.first for tileset in tilesets), size][1:]
    listed: dict[str, list[_Facts]] = {}  # by file: a map may name one more than once
    for tileset, end in zip(tilesets, ends, strict=True):
        count = _count_tiles(tileset)
        there[tileset.first : end if count is None else tileset.first + count] = True
        if not tileset.source or tileset.source not in listed:
            listed[tileset.source] = list(_list_facts(tileset))
        for number, role, is_soft, name in listed[tileset.source]:
            if tileset.first + number < end:
                code = custom.get((name, role))
                roles[tileset.first + number] = ROLE_NUMBERS.get(role, 0) if code is None else FIRST_TILE_NUMBER + code
                soft[tileset.first + number] = is_soft
    return TileFacts(there, roles, soft, palette)


def _fill_in_ours(tileset: TiledTileset, palette: Palette) -> TiledTileset:
    """The tileset of the palette's custom tiles with what is known of them, if it is one in a separate file that could
    not be opened.
    """
    if tileset.tiles or tileset.name != f"{tiles.custom_sheet_name(palette)}.tsx":
        return tileset
    sheet = tiles.custom_sheet(palette)
    if sheet is None:
        return tileset
    rows = tuple(in_file(row, "tiles", tileset.name) for row in tiles.build_tileset(sheet)["tiles"])
    return tileset._replace(length=len(sheet), tiles=rows, last=len(rows) - 1)


def _is_ours(tileset: TiledTileset) -> bool:
    """Whether it is our own tileset in a separate file."""
    return tileset.length is None and tileset.name.rpartition(".")[0] == tiles.TILESET_NAME


def _count_tiles(tileset: TiledTileset) -> int | None:
    return len(our_tileset()) if _is_ours(tileset) else tileset.length


def read_tile_types(tilesets: tuple[TiledTileset, ...]) -> dict[int, str]:
    """The types of tiles that have one, by their numbers."""
    found: dict[int, str] = {}
    listed: dict[str, dict[int, str]] = {}  # by file: a map may name one more than once
    for tileset in tilesets:
        if not tileset.source or tileset.source not in listed:
            listed[tileset.source] = _list_types(tileset)
        found |= {tileset.first + number: said for number, said in listed[tileset.source].items()}
    return found


def _list_types(tileset: TiledTileset) -> dict[int, str]:
    """The types of the tiles of a tileset that have one, by their numbers in it."""
    found: dict[int, str] = {}
    if _is_ours(tileset):
        ours = our_tileset()
        found = {number: tiles.piece_type(*row) for number, row in enumerate(zip(ours.names, ours.roles, strict=True))}
    for tile in tileset.tiles:
        found[int(tile.value["id"])] = optional_text(tile, "type", "") or optional_text(tile, "class", "")
    return {number: said for number, said in found.items() if said}


def _count_numbers(tileset: TiledTileset) -> int:
    """The count of tile numbers, from the first on, that may have facts."""
    count = _count_tiles(tileset)
    return tileset.last + 1 if count is None else count


def _list_facts(tileset: TiledTileset) -> Iterator[_Facts]:
    """The number of each tile with facts, its role, whether it is marked as not solid, and the name of its tile."""
    if _is_ours(tileset):
        ours = our_tileset()
        yield from ((number, ours.roles[number], not ours.solid[number], "") for number in range(len(ours)))
    for tile in tileset.tiles:
        told = read_properties(tile)
        name = told.get("name")
        role = _detect_role(tile, told)
        yield int(tile.value["id"]), role, told.get("solid") is False, name if isinstance(name, str) else ""


def _detect_role(tile: CheckedValue, told: Mapping[str, Any]) -> str:
    """The role that a tile's type, properties or shapes give it."""
    given = told.get("role")
    if isinstance(given, str) and given in ROLES:
        return given
    role = find_role(optional_text(tile, "type", "") or optional_text(tile, "class", ""))
    for name, value in told.items():
        if role:
            break
        if split_words(name) in (["walkable"], ["passable"]) and isinstance(value, bool):
            role = "floor" if value else "wall"
        elif value is True:
            role = find_role(name)
    shapes = tile.value.get("objectgroup")
    if not role and isinstance(shapes, dict) and any(True for _ in read_items(tile.replaced(shapes), "objects")):
        role = "wall"
    return role
