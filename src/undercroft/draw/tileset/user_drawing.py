"""Draw a level with a tileset of a user's own: which of its cells stands for each tile.

Ground and rock lie on the layer `terrain`, doors and stairs on `doors`, pillars on `decor`, with floor below both. What
the tileset has no cell for is drawn with our own pieces, scaled to its size; void is left empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.custom_tiles import rock_behind_secrets
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDING_ROLES, Palette
from undercroft.draw.autotile.autotile import find_neighbour_masks
from undercroft.draw.autotile.pieces import build_tables
from undercroft.draw.tileset.custom_pieces import custom_pieces
from undercroft.draw.tileset.picture import LAYERS, lay_pieces, thing_piece_number
from undercroft.draw.tileset.piece_sheets import (
    LevelDrawing,
    Numbers,
    PieceFacts,
    PieceSheet,
    custom_sheet,
    draw_level,
    standard_sheet,
)
from undercroft.draw.tileset.terrain import classify_terrain
from undercroft.draw.tileset.thing_sprites import SPRITE_VARIANTS, load_thing_drawings
from undercroft.draw.tileset.tile_sheet import tileset as our_tileset
from undercroft.draw.tileset.tileset_cells import AutotileCells
from undercroft.draw.tileset.user_tileset import UserTileset, resolve_tileset

Cells = NDArray[np.bool_]
ROLE_SUBSTITUTES = {"corridor": ("floor",), "locked": ("door",), "secret": ("wall",)}
"""The roles whose cells stand for a role that the tileset lacks."""
STAIR_PIECES = {"entry": "stairs.up", "exit": "stairs.down"}
"""Our pieces for stairs."""
MARKER_NAMES = ("start", "end")
"""Kinds of things under which a tileset may have markers of start and end."""


def draw_level_with(level: Level, tileset: Any = None, *, secrets: bool = True) -> LevelDrawing:
    """The level in a tileset of a user's own, or in ours if there is none. Without `secrets`, secret doors look like
    wall even if the tileset has cells for them.
    """
    if tileset is None:
        return draw_level(level)
    user = resolve_tileset(tileset)
    user.check_names(level.palette)
    user.check_kinds(_list_kinds(level))
    return _UserDrawing(level, user, secrets).draw()


def _list_kinds(level: Level) -> frozenset[str]:
    """The kinds of things that are known: those on the level, and those that we draw."""
    ours = {*load_thing_drawings(), *SPRITE_VARIANTS, *MARKER_NAMES}
    return frozenset(ours | {thing.kind for thing in level.things})


def find_entry(user: UserTileset, palette: Palette, code: int) -> tuple[int, ...] | AutotileCells | None:
    """The cells for a tile: by its name, else by its role, else by a role that can stand for it."""
    tile = palette.tiles[code]
    for name in (tile.name, tile.role, *ROLE_SUBSTITUTES.get(tile.role, ())):
        if name in user.autotiles:
            return user.autotiles[name]
        if name in user.tiles:
            return user.tiles[name]
    return None


def list_unmapped(level: Level, user: UserTileset) -> list[str]:
    """The names of tiles on the map that the tileset has no cells for; void and openings need none."""
    there = np.bincount(level.tiles.reshape(-1), minlength=len(level.palette))
    return [
        tile.name
        for code, tile in enumerate(level.palette.tiles)
        if there[code] and tile.role not in ("void", "opening") and find_entry(user, level.palette, code) is None
    ]


@lru_cache(maxsize=2)
def user_sheet(user: UserTileset, palette: Palette) -> PieceSheet:
    """The sheet of the user's cells. Levels with the same palette share it, and with it what formats make of it."""
    step = user.size + user.spacing
    return PieceSheet(
        user.name,
        user.size,
        user.columns,
        user.rows,
        _list_pieces(user, palette),
        lambda: user.png,
        2 * user.margin + user.columns * step - user.spacing,
        2 * user.margin + user.rows * step - user.spacing,
        user.margin,
        user.spacing,
    )


def _list_pieces(user: UserTileset, palette: Palette) -> dict[int, PieceFacts]:
    """What each of the user's cells shows: the first tile of the palette that has it, or a thing."""
    found: dict[int, PieceFacts] = {}
    for code, tile in enumerate(palette.tiles):
        entry = find_entry(user, palette, code)
        if entry is not None:
            cells = entry.cells if isinstance(entry, AutotileCells) else entry
            for index, cell in enumerate(cells):
                facts = PieceFacts(f"{tile.name}.{index}", tile.role, not tile.walkable, tile.name, tile.colour)
                found.setdefault(cell, facts)
    for kind, cells in user.things.items():
        for cell in cells:
            found.setdefault(cell, PieceFacts(f"thing.{kind}", "floor", False))
    return dict(sorted(found.items()))


class _UserDrawing:
    """The layers of a level, in numbers of the user's cells, and after them of our pieces."""

    def __init__(self, level: Level, user: UserTileset, secrets: bool) -> None:
        self.level, self.user, self.secrets = level, user, secrets
        self.palette = level.palette
        self.entries = [find_entry(user, self.palette, code) for code in range(len(self.palette))]
        self.throws = classify_terrain(level).throws
        self.first_ours = user.columns * user.rows
        self.ours = {name: layer.astype(np.int32) for name, layer in lay_pieces(level).items()}
        self.walls = rock_behind_secrets(level.tiles, self.palette)
        """The map with its secret doors as the wall around them."""
        self._masks: dict[int, NDArray[np.uint8]] = {}

    def draw(self) -> LevelDrawing:
        """The drawing, with those of our sheets that it needs."""
        layers = {"terrain": self._lay_terrain(), "doors": self._lay_doors(), "decor": self._lay_decor()}
        things = [self._thing_number(thing.kind, thing.data) for thing in self.level.things]
        sheet = user_sheet(self.user, self.palette)
        standard, own = standard_sheet(self.user.size), custom_sheet(self.palette, self.user.size)
        last = max([*(int(layer.max(initial=-1)) for layer in layers.values()), *things], default=-1)
        count = custom_pieces(self.palette).first
        sheets = [sheet]
        if last >= self.first_ours or not any(facts.solid for facts in sheet.pieces.values()):
            sheets.append(standard)
        if own is not None and last >= self.first_ours + count:
            sheets.append(own)
            for layer in layers.values():
                layer[layer >= self.first_ours + count] += len(standard) - count
        return LevelDrawing(tuple(sheets), {name: layers[name] for name in LAYERS}, self._thing_number)

    def _lay_terrain(self) -> Numbers:
        standing = self.palette.role_mask(*STANDING_ROLES)[self.level.tiles]
        floor = next((code for code, role in enumerate(self.palette.roles) if role == "floor"), None)
        ground = self.level.tiles.copy()
        if floor is not None:
            ground[standing] = floor
        void = self.palette.role_mask("void")[self.level.tiles]
        found = np.where(void, -1, self.ours["terrain"] + self.first_ours).astype(np.int32)
        for code in np.unique(ground).tolist():
            if floor is not None or self.palette.roles[code] not in STANDING_ROLES:
                self._place(found, ground == code, code)
        return found

    def _lay_doors(self) -> Numbers:
        found = np.where(self.ours["doors"] >= 0, self.ours["doors"] + self.first_ours, -1).astype(np.int32)
        for code, tile in enumerate(self.palette.tiles):
            cells = self.level.tiles == code
            if tile.role not in DOOR_ROLES or not cells.any():
                continue
            named = any(
                name in cells for name in (tile.name, "secret") for cells in (self.user.tiles, self.user.autotiles)
            )
            if tile.role == "opening" and self.entries[code] is None:
                found[cells] = -1
            elif tile.role != "secret" or (named and self.secrets):
                self._place(found, cells, code)
            else:
                for wall in np.unique(self.walls[cells]).tolist():
                    self._place(found, cells & (self.walls == wall), wall)
        for code, role in enumerate(self.palette.roles):
            if role in STAIR_PIECES:
                cells = self.level.tiles == code
                found[cells] = self._our_number(code, STAIR_PIECES[role])
                self._place(found, cells, code)
        return found

    def _our_number(self, code: int, name: str) -> int:
        """The number of our piece of that name, for a tile."""
        number = our_tileset().number(name)
        own = custom_pieces(self.palette).tables.get(code)
        return self.first_ours + (number if own is None else int(own[number]))

    def _lay_decor(self) -> Numbers:
        """Pillars, and markers of start and end; a tileset of the user's own needs no litter."""
        found = np.full(self.level.tiles.shape, -1, np.int32)
        for code in np.flatnonzero(np.array(self.palette.roles) == "pillar").tolist():
            cells = self.level.tiles == code
            if self.entries[code] is not None:
                self._place(found, cells, code)
                continue
            above = np.zeros_like(cells)
            above[:-1] = cells[1:]
            found[above & (found < 0)] = self._our_number(code, "pillar.head")
            found[cells] = self._our_number(code, "pillar")
        stairs_cells = self.palette.role_mask("entry", "exit")[self.level.tiles]
        for name, point in zip(MARKER_NAMES, (self.level.start, self.level.end), strict=True):
            if point is not None and not stairs_cells[point[1], point[0]]:
                marker = self.user.things.get(name)
                found[point[1], point[0]] = marker[0] if marker else self.first_ours + our_tileset().number(name)
        return found

    def _place(self, layer: Numbers, cells: Cells, code: int) -> None:
        """Put the cells for a tile onto a layer; without any, what is there stays."""
        entry = self.entries[code]
        if entry is None:
            return
        if isinstance(entry, AutotileCells):
            if id(entry) not in self._masks:
                self._masks[id(entry)] = self._find_joining_masks(entry)
            index = build_tables(entry.kind).table[self._masks[id(entry)]]
            layer[cells] = np.array(entry.cells, np.int32)[index[cells]]
        else:
            layer[cells] = np.array(entry, np.int32)[self.throws[cells] % np.uint32(len(entry))]

    def _find_joining_masks(self, entry: AutotileCells) -> NDArray[np.uint8]:
        """Which neighbours of each cell are drawn with the same pieces. Secret doors count as the wall around them, and
        beyond the map there is rock.
        """
        codes = [code for code, other in enumerate(self.entries) if other is entry]
        member = np.isin(self.walls, codes).view(np.uint8)
        beyond = any(self.palette.roles[code] in ("wall", "void") for code in codes)
        return find_neighbour_masks(member, int(beyond))

    def _thing_number(self, kind: str, data: Mapping[str, Any]) -> int:
        cells = self.user.things.get(kind)
        return cells[0] if cells else self.first_ours + thing_piece_number(kind, data)
