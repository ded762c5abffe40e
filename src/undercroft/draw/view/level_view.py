"""The geometry of a level for all styles: outlines, doors and their directions, stairs, pillars, pools, labels, the
path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.one_way import ONE_WAY, is_one_way_door, side_of
from undercroft.analysis.regions import infer_regions
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import Regions, Thing
from undercroft.core.stairs import STAIRS
from undercroft.draw.pen import contour
from undercroft.draw.pen.free_space import PARTS_PER_CELL
from undercroft.draw.pen.rounding import Arc, corner_cells, find_arcs
from undercroft.draw.scene.scene import Points
from undercroft.draw.tileset.terrain import dilated_by, find_natural_cells
from undercroft.draw.view.coloured_tiles import (
    ColouredTile,
    HollowBody,
    drops_ground_colours,
    find_coloured_tiles,
    split_hollows,
    spread_ground,
    trace_ground,
)
from undercroft.draw.view.graph_lines import node_points
from undercroft.draw.view.label_space import MAX_CELLS, LabelSpace
from undercroft.draw.view.lock_labels import LockLabel, lock_name, opened_lock_name, place_lock_labels, touched_cells
from undercroft.draw.view.number_places import FULL_SIZE, NumberPlace, label_scale, place_room_numbers
from undercroft.draw.view.room_numbers import occupied_cells, place_numbers
from undercroft.draw.view.smooth_path import find_smooth_path
from undercroft.draw.view.stairs import Stair, list_stairs
from undercroft.draw.view.symbols import Sign
from undercroft.draw.view.thing_symbols import drawn_kind, find_badges, fit_sign, lies_flat, place_thing_sign

Cells = NDArray[np.bool_]
ROOM_SIGNS = {"boss": "boss", "treasure": "chest", "shop": "coins", "secret": "clue"}
"""Signs of special rooms, by their tags."""
NODE_REACH = 0.7
"""The radius of the discs of the graph, in cells."""
ROOM_SIGN_SPACE = 0.95
"""The free cells around a number that leave space for a sign beside it."""


class Doorway(NamedTuple):
    """A door to draw: its cell, whether its passage runs from west to east, and its state."""

    x: int
    y: int
    east_west: bool
    """Whether the passage runs from west to east; else from north to south."""
    state: str
    """open, closed, locked, secret."""
    to: str = ""
    """N, E, S or W if it can be passed only in that direction."""


class RoomLabel(NamedTuple):
    """A room's number and name, and the point, in cells, that the number is centred on."""

    number: int
    name: str
    x: float
    y: float
    label: int
    """The region's label."""
    tags: tuple[str, ...] = ()
    clear: float = 0.5
    """The distance from the point to the nearest wall, door or thing."""
    size: float = FULL_SIZE
    """The largest size of figures that fits there, in cells."""
    lead: tuple[tuple[float, float], tuple[float, float]] | None = None
    """The line to the room, if the number is beside it."""
    room_sign: str = ""
    """The sign of a special room, if there is space for it beside the number."""


@dataclass(frozen=True)
class LevelView:
    """The geometry of a level for drawing. Everything is computed on first use, and cached."""

    level: Level
    secrets: bool = True
    """Whether secret doors are drawn; else they are rock."""
    shown: frozenset[str] | None = None
    """The parts of the picture that are shown, or None if unknown: labels avoid the path and things only if these are
    shown.
    """
    text_scale: float = 0.0
    """How much larger numbers and names are than usual; 0 for what suits the size of the map."""
    min_figures: float = 0.0
    """The smallest figures of numbers, in cells."""

    @cached_property
    def label_scale(self) -> float:
        """How much larger numbers and names are than usual."""
        return self.text_scale or label_scale(self.level.size)

    @cached_property
    def open_cells(self) -> Cells:
        """All cells except rock."""
        rock = self.level.palette.role_mask("wall", "void")[self.level.tiles]
        if not self.secrets:
            rock = rock | self.level.palette.role_mask("secret")[self.level.tiles]
        return ~rock

    @cached_property
    def natural_cells(self) -> Cells:
        """Natural cells: those of caves, or all cells if the level has no door and no corridor."""
        level = self.level
        if len(level.regions):
            caves = np.concatenate([[False], [region.kind == "cave" for region in level.regions]])
            return caves[level.regions.labels] | (self.water | self.pits) & find_natural_cells(level)
        built = level.palette.role_mask("corridor", *DOOR_ROLES)[level.tiles].any()
        return np.full(level.tiles.shape, not built)

    @cached_property
    def arcs(self) -> list[Arc]:
        """The round corners of rooms."""
        return find_arcs(self.level)

    @cached_property
    def wall_outlines(self) -> list[Points]:
        """The outline of the open ground: closed lines, holes included, smooth along natural ground, and round along
        round rooms.
        """
        return [
            loop.points
            for loop in contour.trace_outlines(
                self.open_cells, self.natural_cells | corner_cells(self.open_cells, self.arcs), self.arcs
            )
        ]

    def natural_share(self, points: Points) -> NDArray[np.float64]:
        """The share of natural ground around each point, from 0 to 1; it changes gradually."""
        height, width = self.open_cells.shape
        whole = np.pad(self.open_cells, 2).astype(np.float64)
        soft = np.pad(self.open_cells & self.natural_cells, 2).astype(np.float64)
        places = np.clip(points + 1.5, 0, (width + 2, height + 2))
        column, row = (places[:, side].astype(np.int64) for side in (0, 1))
        across, down = places[:, 0] - column, places[:, 1] - row
        found = []
        for grid in (soft, whole):
            top = grid[row, column] * (1 - across) + grid[row, column + 1] * across
            bottom = grid[row + 1, column] * (1 - across) + grid[row + 1, column + 1] * across
            found.append(top * (1 - down) + bottom * down)
        share: NDArray[np.float64] = found[0] / np.maximum(found[1], 1e-9)
        return share

    @cached_property
    def water(self) -> Cells:
        return self.level.palette.role_mask("water")[self.level.tiles]

    @cached_property
    def pits(self) -> Cells:
        return self.level.palette.role_mask("pit")[self.level.tiles]

    @cached_property
    def water_outlines(self) -> list[Points]:
        """The outline of the water, smooth."""
        return [loop.points for loop in contour.trace_outlines(self.water, np.ones_like(self.water))]

    @cached_property
    def pit_outlines(self) -> list[Points]:
        """The outline of the pits: smooth in caves, angular elsewhere."""
        return [loop.points for loop in contour.trace_outlines(self.pits, self.natural_cells)]

    @cached_property
    def coloured_tiles(self) -> list[ColouredTile]:
        """The tiles with a colour of their own that are visible, with their cells. Of rock, only the cells beside open
        ground are.
        """
        found = find_coloured_tiles(self.level, secrets=self.secrets)
        near = dilated_by(self.open_cells, 1) if found else self.open_cells
        return [
            ColouredTile(tile, cells & near)
            for tile, cells in found
            if not drops_ground_colours(tile, self.shown or frozenset()) and (cells & near).any()
        ]

    @cached_property
    def water_bodies(self) -> list[HollowBody]:
        """The water, by colour; the outlines are smooth."""
        return split_hollows(
            self.water,
            self.coloured_tiles,
            lambda cells: [loop.points for loop in contour.trace_outlines(cells, np.ones_like(cells))],
        )

    @cached_property
    def pit_bodies(self) -> list[HollowBody]:
        """The pits, by colour; the outlines are smooth in caves, angular elsewhere."""
        return split_hollows(
            self.pits,
            self.coloured_tiles,
            lambda cells: [loop.points for loop in contour.trace_outlines(cells, self.natural_cells)],
        )

    @cached_property
    def ground_washes(self) -> list[tuple[list[Points], str]]:
        """The outlines and colours of ground with a colour of its own. Walls, water and pits cover a strip of it."""
        return [
            (trace_ground(cells, self.open_cells, self.natural_cells), colour)
            for cells, colour in spread_ground(self.coloured_tiles, self.water | self.pits, self.open_cells)
        ]

    @cached_property
    def pillar_groups(self) -> list[tuple[list[tuple[float, float]], str]]:
        """The centres of the pillars by colour; an empty colour is that of the style."""
        own = [(each.tile.colour, each.cells) for each in self.coloured_tiles if each.tile.role == "pillar"]
        rest = [(x, y) for x, y in self.pillar_centres.tolist() if not any(cells[int(y), int(x)] for _, cells in own)]
        groups = [([(x + 0.5, y + 0.5) for y, x in np.argwhere(cells).tolist()], colour) for colour, cells in own]
        return [*([(rest, "")] if rest else []), *groups]

    @cached_property
    def pillar_centres(self) -> Points:
        """The centres of the pillars."""
        ys, xs = np.nonzero(self.level.palette.role_mask("pillar")[self.level.tiles])
        return np.stack([xs + 0.5, ys + 0.5], axis=1)

    @cached_property
    def doors(self) -> list[Doorway]:
        """All doors in reading order; openings without a door are left out."""
        level = self.level
        roles = {"door": "closed", "locked": "locked", "secret": "secret"}
        states = {(door.x, door.y): door.state for door in level.doors}
        ways = {(thing.x, thing.y): "NESW"[side_of(thing)] for thing in level.things if is_one_way_door(thing)}
        ys, xs = np.nonzero(level.palette.role_mask(*roles)[level.tiles])
        found = []
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            state = states.get((x, y), roles[level.palette.roles[level.tiles[y, x]]])
            if state == "secret" and not self.secrets:
                continue
            found.append(Doorway(x, y, self._runs_east_west(x, y), state, ways.get((x, y), "")))
        return found

    @cached_property
    def stairs(self) -> list[Stair]:
        """The entries and exits; start and end without stairs are included as if they had some."""
        return list_stairs(self.level, self.open_cells, self.natural_cells, self.open_cells & ~self.water & ~self.pits)

    @cached_property
    def busy_cells(self) -> Cells:
        """Cells where text would cover something."""
        busy = self._drawn_cells.copy()
        for tie in self.lock_labels:
            busy[touched_cells(tie.box())] = True
        return busy

    @cached_property
    def lock_labels(self) -> list[LockLabel]:
        """The names of locks, beside their doors and beside their keys and switches; none if things are not shown."""
        if self.shown is not None and "things" not in self.shown:
            return []
        named = [
            thing
            for thing in self.level.things
            if opened_lock_name(thing) or (lock_name(thing) and self.is_open(thing.x, thing.y))
        ]
        return place_lock_labels(named, self.open_cells, self._drawn_cells, self.label_space) if named else []

    @cached_property
    def _drawn_cells(self) -> Cells:
        """Cells with doors and stairs, and with the path and things if these are shown."""
        shown = frozenset({"path", "things"}) if self.shown is None else self.shown
        busy = occupied_cells(
            self.level, self.smooth_path if "path" in shown else np.empty((0, 2)), things="things" in shown
        )
        if "graph" in shown and len(self.level.regions):
            for x, y in np.maximum(node_points(self.level)[1:], NODE_REACH).tolist():
                rows, columns = (slice(int(side - NODE_REACH), int(side + NODE_REACH) + 1) for side in (y, x))
                busy[rows, columns] = True
        return busy

    @cached_property
    def regions(self) -> Regions:
        """The regions of the level; if it has none, those of a survey."""
        return self.level.regions if len(self.level.regions) else infer_regions.find_regions(self.level)

    @cached_property
    def labels(self) -> list[RoomLabel]:
        """The labels of rooms: numbers or names, with their positions."""
        level = self.level if len(self.level.regions) else self.level.replace(regions=self.regions)
        rooms = level.rooms
        if level.tiles.size > MAX_CELLS:
            places = [
                NumberPlace(rooms[spot.number - 1].label, spot.number, spot.x, spot.y, FULL_SIZE, spot.clear)
                for spot in place_numbers(level, self.busy_cells)
            ]
        else:
            ground, rock = self.label_space.find_ground(self.busy_cells), self.label_space.find_rock()
            for tie in self.lock_labels:
                rock.take(tie.widest_box())
            sizes = self.label_scale, self.min_figures
            places = place_room_numbers(level, self.busy_cells, self.label_space, ground, rock, *sizes)
        return [
            RoomLabel(
                place.number,
                rooms[place.number - 1].name,
                place.x,
                place.y,
                place.label,
                rooms[place.number - 1].tags,
                place.clear,
                place.size,
                place.lead,
                _choose_room_sign(rooms[place.number - 1].tags) if place.clear > ROOM_SIGN_SPACE else "",
            )
            for place in places
        ]

    @cached_property
    def writable_cells(self) -> Cells:
        """Cells of ground on which nothing stands, and that no drawn wall touches."""
        free = self.level.walkable & ~self.busy_cells
        if self.level.tiles.size > MAX_CELLS:
            return free
        height, width = free.shape
        parts = self.label_space.inside.reshape(height, PARTS_PER_CELL, width, PARTS_PER_CELL)
        found: Cells = free & parts.all(axis=(1, 3))
        return found

    @cached_property
    def label_space(self) -> LabelSpace:
        """Where labels and things can be drawn."""
        return LabelSpace.of(self.wall_outlines, self.natural_cells & self.open_cells, self.open_cells)

    @cached_property
    def smooth_path(self) -> Points:
        """The path from start to end, smoothed."""
        return find_smooth_path(self.level)

    @cached_property
    def path_to_stairs(self) -> Points:
        """The smooth path, extended to the drawn stairs at its ends."""
        if not len(self.smooth_path):
            return self.smooth_path
        ends = [np.array([self.marker_point(point)]) for point in self.level.path[[0, -1]].tolist()]
        line: Points = np.concatenate([ends[0], self.smooth_path, ends[1]])
        moved = np.concatenate([[True], (np.abs(np.diff(line, axis=0)) > 1e-9).any(axis=1)])
        found: Points = line[moved]
        return found

    def marker_point(self, cell: Sequence[int]) -> tuple[float, float]:
        """The point for a marker of a cell: the centre of its stair, which may have been moved off the rock, else the
        centre of the cell.
        """
        x, y = cell
        return next((stair.middle for stair in self.stairs if (stair.x, stair.y) == (x, y)), (x + 0.5, y + 0.5))

    @cached_property
    def things(self) -> Sequence[Thing]:
        """The things except one-way doors, the locks of locked and secret doors, and stairs on tiles with stairs: those
        have a sign already.
        """
        stairs = self.level.palette.role_mask("entry", "exit")[self.level.tiles]
        barred = self.level.palette.role_mask("secret")[self.level.tiles]
        for door in self.doors:
            barred[door.y, door.x] = door.state in ("locked", "secret")
        return [
            thing
            for thing in self.level.things
            if thing.kind != ONE_WAY
            and not (thing.kind == "lock" and barred[thing.y, thing.x])
            and not (thing.kind == STAIRS and stairs[thing.y, thing.x])
        ]

    @cached_property
    def thing_signs(self) -> list[Sign]:
        """The sign of each of the things, moved off round and rough walls that would cut it."""
        badges = self.badges
        return [
            fit_sign(place_thing_sign(thing, badges.get(drawn_kind(thing), "")), self.label_space)
            for thing in self.things
        ]

    @cached_property
    def badges(self) -> dict[str, str]:
        """A letter for each kind of thing that would look like another."""
        return find_badges(self.things)

    def list_thing_signs(self, *, flat: bool) -> list[Sign]:
        """The signs of things that lie flat, or of those that stand."""
        pairs = zip(self.things, self.thing_signs, strict=True)
        return [sign for thing, sign in pairs if lies_flat(thing) == flat]

    def is_open(self, x: int, y: int) -> bool:
        return 0 <= x < self.level.width and 0 <= y < self.level.height and bool(self.open_cells[y, x])

    def _runs_east_west(self, x: int, y: int) -> bool:
        level = self.is_open(x - 1, y) + self.is_open(x + 1, y)
        upright = self.is_open(x, y - 1) + self.is_open(x, y + 1)
        return level >= upright


def _choose_room_sign(tags: Sequence[str]) -> str:
    return next((ROOM_SIGNS[tag] for tag in tags if tag in ROOM_SIGNS), "")
