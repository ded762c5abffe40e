"""Put stairs on a bare floor: tiles, things, corridors that were dug, and the ends of the way through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.dungeon_stairs import OPPOSITE_WAYS, STAIRS_TILES, stairs_data
from undercroft.core.level import Level, Point
from undercroft.core.palette import STANDARD, Palette, look_up_tiles
from undercroft.core.passable import open_cells
from undercroft.core.region import Regions, Thing
from undercroft.core.run import Run
from undercroft.core.stairs import STAIRS, STAIRS_ROLES, clear_stairs, find_stairs
from undercroft.recipe.dungeon.meeting import Meeting, StairsEnd
from undercroft.recipe.dungeon.plan import LinkPlan

Mask = NDArray[np.bool_]


class FloorStairs(NamedTuple):
    """One end of a link, on the floor that is dressed."""

    link: LinkPlan
    here: StairsEnd
    there: StairsEnd

    @classmethod
    def of(cls, link: LinkPlan, meeting: Meeting, floor: str) -> FloorStairs:
        upper, lower = meeting.upper, meeting.lower
        return cls(link, upper, lower) if floor == link.upper else cls(link, lower, upper)


class Shaft(NamedTuple):
    """A hole in the upper of two floors."""

    upper: str
    lower: str
    number: int
    cell: Point

    @property
    def name(self) -> str:
        return f"{self.upper}-{self.lower}#shaft{self.number + 1}"


class Dressed(NamedTuple):
    """A floor with its stairs."""

    level: Level
    frozen: Mask
    """The cells and mouths of all stairs: no finish may change them."""
    stairs: tuple[Point, ...]
    """The cells of the stairs, of the ends, and below shafts: no finish may part them."""


def dress_floor(
    bare: Level,
    floor: str,
    stairs: Sequence[FloorStairs],
    shafts: Sequence[Shaft],
    ends: tuple[Point | None, Point | None],
    exits: tuple[str, str],
    landings: Sequence[Point],
    run: Run,
) -> Dressed:
    """The bare level with its stairs, its start and its end. `ends` are the cells of the main stairs by which one comes
    and goes on; None for one that no stairs decide: the farthest cell from the other. `exits` are the ways (up, down)
    that the tiles of such ends tell, empty for a plain cell. `landings` are cells below shafts that one must be able
    to leave.
    """
    palette, tiles = _add_stairs_tiles(bare.palette), bare.tiles.copy()
    regions = _join_cells(bare.regions, [one.here for one in stairs])
    ground = palette.role("corridor" if "corridor" in palette.roles else "floor")
    for one in stairs:
        for x, y in one.here.dug:
            tiles[y, x] = ground
        way = _way(one.link, floor)
        tiles[one.here.cell[1], one.here.cell[0]] = _stairs_tile(palette, way)
    things = [
        *bare.things,
        *(
            Thing(
                STAIRS,
                *one.here.cell,
                stairs_data(_way(one.link, floor), "stairs", one.link.other(floor), one.there.cell, one.link.name),
            )
            for one in stairs
        ),
        *(
            Thing(STAIRS, *shaft.cell, stairs_data("down", "shaft", shaft.lower, shaft.cell, shaft.name))
            for shaft in shafts
            if shaft.upper == floor
        ),
    ]
    level = bare.replace(tiles=tiles, palette=palette, things=things, regions=regions, start=None, end=None, path=None)
    start, end = _find_ends(level, ends, run)
    places = [
        (cell, way)
        for cell, given, way in ((start, ends[0], exits[0]), (end, ends[1], exits[1]))
        if given is None and way and cell is not None and _is_plain(level, cell)
    ]
    for (x, y), way in places:
        tiles[y, x] = _stairs_tile(palette, way)
    level = _set_way(level.replace(tiles=tiles) if places else level, start, end, run)
    cells = [one.here.cell for one in stairs]
    cells += [point for point in (start, end, *landings) if point is not None and point not in cells]
    frozen = np.zeros(tiles.shape, bool)
    for x, y in [*cells, *(one.here.mouth for one in stairs), *(shaft.cell for shaft in shafts)]:
        frozen[y, x] = True
    for one in stairs:
        for x, y in one.here.dug:
            frozen[y, x] = True
    return Dressed(level, frozen, tuple(cells))


def clear_bare_stairs(level: Level) -> Level:
    """A bare level without the stairs that its recipe wrote: those of the dungeon lie elsewhere."""
    tiles = clear_stairs(level.tiles, level.palette, level.regions)
    return level if tiles is level.tiles else level.replace(tiles=tiles)


def drop_new_stairs(level: Level, dressed: Level) -> Level:
    """A finished level without the stairs that a finish wrote on ends of its own: the tiles of the dressed level are
    there again.
    """
    cleared = clear_stairs(level.tiles, level.palette, level.regions)
    if cleared is level.tiles:
        return level
    known = np.zeros(level.tiles.shape, bool)
    for role in STAIRS_ROLES.values():
        known.reshape(-1)[find_stairs(dressed.tiles, dressed.palette, role)] = True
    return level.replace(tiles=np.where(known, level.tiles, cleared))


def finish_way(level: Level, dressed: Dressed, run: Run) -> Level | None:
    """A finished level with start and end of the dressed one, and the shortest path between them; None if its stairs
    cannot all be reached from each other.
    """
    start, end = dressed.level.start, dressed.level.end
    source = start or next(iter(dressed.stairs), None)
    path = None
    if source is not None:
        field = reach.DistanceField(open_cells(level), [source], run)
        if len(dressed.stairs) > 1 and any(field.steps_to(*cell) < 0 for cell in dressed.stairs):
            return None
        if start is not None and end is not None:
            path = field.path_to(*end)
            path.setflags(write=False)
    return level.replace(start=start, end=end, path=path)


def _set_way(level: Level, start: Point | None, end: Point | None, run: Run) -> Level:
    """The level with start, end, and the shortest path between them."""
    path = None
    if start is not None and end is not None:
        path = reach.DistanceField(open_cells(level), [start], run).path_to(*end)
        path.setflags(write=False)
    return level.replace(start=start, end=end, path=path)


def _way(link: LinkPlan, floor: str) -> str:
    return link.way if floor == link.upper else OPPOSITE_WAYS[link.way]


def _add_stairs_tiles(palette: Palette) -> Palette:
    """The palette with the tiles `<` and `>`, unless it has such roles or uses these signs for something else."""
    missing = [
        STANDARD.tiles[STANDARD.role(role)]
        for role in STAIRS_TILES.values()
        if role not in palette.roles and STANDARD.tiles[STANDARD.role(role)].glyph not in palette
    ]
    return palette.merged(Palette(missing))[0] if missing else palette


def _stairs_tile(palette: Palette, way: str) -> int:
    """The code of the tile of stairs that lead that way; floor if the palette has none."""
    role = STAIRS_TILES.get(way, "floor")
    return palette.role(role if role in palette.roles else "floor")


def _is_plain(level: Level, cell: Point) -> bool:
    """Whether stairs may replace the tile of a cell: ground without a thing that blocks."""
    role = level.palette.tiles[int(level.tiles[cell[1], cell[0]])].role
    return role in ("floor", "corridor") and bool(open_cells(level)[cell[1], cell[0]])


def _find_ends(level: Level, ends: tuple[Point | None, Point | None], run: Run) -> tuple[Point | None, Point | None]:
    """Both ends of the way through: one that is not given is the farthest cell without a thing from the other; if none
    is given, both are far apart.
    """
    start, end = ends
    if start is not None and end is not None:
        return start, end
    cells = open_cells(level)
    if start is None and end is None:
        found, _ = reach.find_far_ends(level.tiles, level.palette.walkable, run)
        return (found.last, found.across[0]) if found.across is not None else (None, None)
    given = start or end
    assert given is not None
    steps = reach.DistanceField(cells, [given], run).steps.copy()
    for thing in level.things:
        steps[thing.y, thing.x] = -1
    plain = look_up_tiles(
        level.palette.role_mask("floor", *(("corridor",) if "corridor" in level.palette.roles else ())), level.tiles
    )
    on_ground = np.where(plain, steps, -1)
    best = on_ground if on_ground.max() > 0 else steps
    y, x = divmod(int(best.argmax()), level.width)
    other = (x, y) if best.max() > 0 else given
    return (given, other) if start is not None else (other, given)


def _join_cells(regions: Regions, ends: Sequence[StairsEnd]) -> Regions:
    """The regions, with alcoves and dug cells added to those that they open to."""
    added = [end for end in ends if end.is_alcove]
    if not added or not len(regions):
        return regions
    labels, table = regions.labels.copy(), regions.table.copy()
    for end in added:
        cells = (*end.dug, end.cell)
        label = _label_beside(labels, cells[0])
        if not 0 < label <= len(table):
            continue
        row = table[label - 1]
        for x, y in cells:
            labels[y, x] = label
            left, top = min(int(row["x"]), x), min(int(row["y"]), y)
            right = max(int(row["x"] + row["width"]), x + 1)
            bottom = max(int(row["y"] + row["height"]), y + 1)
            row["x"], row["y"], row["width"], row["height"] = left, top, right - left, bottom - top
            row["area"] += 1
    return Regions(labels, table, dict(regions.tags), dict(regions.templates), dict(regions.names))


def _label_beside(labels: NDArray[np.int32], cell: Point) -> int:
    """The label of the one neighbour of a new cell that has one; 0 if none has."""
    x, y = cell
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        if 0 <= y + dy < labels.shape[0] and 0 <= x + dx < labels.shape[1] and labels[y + dy, x + dx]:
            return int(labels[y + dy, x + dx])
    return 0
