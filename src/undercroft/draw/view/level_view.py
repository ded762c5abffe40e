"""What there is to draw of a level, whatever the style: outlines, doors and how they stand, stairs, pillars, pools,
labels, the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import infer_regions
from undercroft.analysis.one_way import ONE_WAY, leads, side_of
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import Regions, Thing
from undercroft.draw.pen import contour
from undercroft.draw.pen.rounding import Arc, arcs, rounded
from undercroft.draw.scene.scene import Points
from undercroft.draw.tileset.terrain import natural
from undercroft.draw.view.lock_labels import Tie, cells, lock_of, opened_by, tied
from undercroft.draw.view.room_numbers import spots, taken
from undercroft.draw.view.smooth_path import walked
from undercroft.draw.view.stairs import Stair, stairs

Cells = NDArray[np.bool_]


class Doorway(NamedTuple):
    """A door to draw: its cell, whether its passage runs from west to east, and what kind it is."""

    x: int
    y: int
    level: bool
    """Whether one walks through from west to east; else from north to south."""
    state: str
    """open, closed, locked, secret."""
    to: str = ""
    """N, E, S or W if it is passed that way only."""


class Label(NamedTuple):
    """A room's number and name, the point, in cells, they are centred on, and how wide the free space there is."""

    number: int
    name: str
    x: float
    y: float
    room: float
    label: int
    """The region's label."""
    tags: tuple[str, ...] = ()
    clear: float = 0.5
    """How far the point is from the nearest wall, door or thing."""


@dataclass(frozen=True)
class Plan:
    """A level as those who draw it see it. Everything is found when it is first asked for."""

    level: Level
    secrets: bool = True
    """Whether secret doors are seen; else they are rock."""
    shown: frozenset[str] | None = None
    """Which parts of the picture are shown, if that is known: labels keep off the path and off things only if these
    are.
    """

    @cached_property
    def open(self) -> Cells:
        """Everything but rock."""
        rock = self.level.palette.having("wall", "void")[self.level.tiles]
        if not self.secrets:
            rock = rock | self.level.palette.having("secret")[self.level.tiles]
        return ~rock

    @cached_property
    def soft(self) -> Cells:
        """Cells that nature made: caves; and all, if nobody ever built a door or a corridor here."""
        level = self.level
        if len(level.regions):
            caves = np.concatenate([[False], [region.kind == "cave" for region in level.regions]])
            return caves[level.regions.labels] | (self.water | self.pits) & natural(level)
        built = level.palette.having("corridor", *DOOR_ROLES)[level.tiles].any()
        return np.full(level.tiles.shape, not built)

    @cached_property
    def arcs(self) -> list[Arc]:
        """Round corners of rooms."""
        return arcs(self.level)

    @cached_property
    def walls(self) -> list[Points]:
        """The outline of the open ground: closed lines, holes too, smooth where nature made it, and round where rooms
        are.
        """
        return [
            loop.points for loop in contour.outlines(self.open, self.soft | rounded(self.open, self.arcs), self.arcs)
        ]

    def softness(self, points: Points) -> NDArray[np.float64]:
        """How much of the open ground around each point nature made, from 0 to 1; it changes by and by."""
        height, width = self.open.shape
        whole = np.pad(self.open, 2).astype(np.float64)
        soft = np.pad(self.open & self.soft, 2).astype(np.float64)
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
        return self.level.palette.having("water")[self.level.tiles]

    @cached_property
    def pits(self) -> Cells:
        return self.level.palette.having("pit")[self.level.tiles]

    @cached_property
    def shores(self) -> list[Points]:
        """The outline of the water, smooth."""
        return [loop.points for loop in contour.outlines(self.water, np.ones_like(self.water))]

    @cached_property
    def brinks(self) -> list[Points]:
        """The outline of the pits: smooth in caves, cornered elsewhere."""
        return [loop.points for loop in contour.outlines(self.pits, self.soft)]

    @cached_property
    def pillars(self) -> Points:
        """The middles of the pillars."""
        ys, xs = np.nonzero(self.level.palette.having("pillar")[self.level.tiles])
        return np.stack([xs + 0.5, ys + 0.5], axis=1)

    @cached_property
    def doors(self) -> list[Doorway]:
        """All doors in reading order; openings without a door are none."""
        level = self.level
        roles = {"door": "closed", "locked": "locked", "secret": "secret"}
        states = {(door.x, door.y): door.state for door in level.doors}
        ways = {(thing.x, thing.y): "NESW"[side_of(thing)] for thing in level.things if leads(thing)}
        ys, xs = np.nonzero(level.palette.having(*roles)[level.tiles])
        found = []
        for x, y in zip(xs.tolist(), ys.tolist(), strict=True):
            state = states.get((x, y), roles[level.palette.roles[level.tiles[y, x]]])
            if state == "secret" and not self.secrets:
                continue
            found.append(Doorway(x, y, self._runs_level(x, y), state, ways.get((x, y), "")))
        return found

    @cached_property
    def stairs(self) -> list[Stair]:
        """Entries and exits; and where start and end are without them, as if they were there."""
        return stairs(self.level, self.open, self.soft, self.open & ~self.water & ~self.pits)

    @cached_property
    def busy(self) -> Cells:
        """Cells that words would cover something on."""
        busy = self._drawn_on.copy()
        for tie in self.ties:
            busy[cells(tie.box())] = True
        return busy

    @cached_property
    def ties(self) -> list[Tie]:
        """The names of locks, beside their doors and beside what opens them; none if things are not shown."""
        if self.shown is not None and "things" not in self.shown:
            return []
        named = [
            thing
            for thing in self.level.things
            if opened_by(thing) or (lock_of(thing) and self.is_open(thing.x, thing.y))
        ]
        return tied(named, self.open, self._drawn_on) if named else []

    @cached_property
    def _drawn_on(self) -> Cells:
        """Cells with doors, stairs, and the path and things if these are shown."""
        shown = frozenset({"path", "things"}) if self.shown is None else self.shown
        return taken(self.level, self.way if "path" in shown else np.empty((0, 2)), things="things" in shown)

    @cached_property
    def regions(self) -> Regions:
        """The regions of the level, or those that a survey finds if it has none."""
        return self.level.regions if len(self.level.regions) else infer_regions.regions(self.level)

    @cached_property
    def labels(self) -> list[Label]:
        """Where rooms are numbered or named."""
        level = (
            self.level if len(self.level.regions) else Level(self.level.tiles, self.level.palette, regions=self.regions)
        )
        places = spots(level, self.busy)
        rooms = level.rooms
        return [
            Label(
                spot.number,
                rooms[spot.number - 1].name,
                spot.x,
                spot.y,
                self._free_run(spot.x, spot.y),
                rooms[spot.number - 1].label,
                rooms[spot.number - 1].tags,
                spot.clear,
            )
            for spot in places
        ]

    @cached_property
    def way(self) -> Points:
        """The path from start to end, as somebody would walk it."""
        return walked(self.level)

    @cached_property
    def trail(self) -> Points:
        """The way, and on to where the stairs at its ends are drawn."""
        if not len(self.way):
            return self.way
        ends = [np.array([self.drawn_at(point)]) for point in self.level.path[[0, -1]].tolist()]
        line: Points = np.concatenate([ends[0], self.way, ends[1]])
        moved = np.concatenate([[True], (np.abs(np.diff(line, axis=0)) > 1e-9).any(axis=1)])
        found: Points = line[moved]
        return found

    def drawn_at(self, cell: Sequence[int]) -> tuple[float, float]:
        """Where what marks a cell stands: in the middle of the stair there, which may have been moved off the rock,
        else of the cell.
        """
        x, y = cell
        return next((stair.middle for stair in self.stairs if (stair.x, stair.y) == (x, y)), (x + 0.5, y + 0.5))

    @cached_property
    def things(self) -> Sequence[Thing]:
        """What stands about, but for one-way doors and the locks of locked and of secret doors: these are doors, and
        have a sign already.
        """
        barred = self.level.palette.having("secret")[self.level.tiles]
        for door in self.doors:
            barred[door.y, door.x] = door.state in ("locked", "secret")
        return [
            thing
            for thing in self.level.things
            if thing.kind != ONE_WAY and not (thing.kind == "lock" and barred[thing.y, thing.x])
        ]

    def is_open(self, x: int, y: int) -> bool:
        return 0 <= x < self.level.width and 0 <= y < self.level.height and bool(self.open[y, x])

    def _runs_level(self, x: int, y: int) -> bool:
        level = self.is_open(x - 1, y) + self.is_open(x + 1, y)
        upright = self.is_open(x, y - 1) + self.is_open(x, y + 1)
        return level >= upright

    def _free_run(self, x: float, y: float) -> float:
        """How wide the open ground around a point is, from west to east."""
        row = self.open[min(int(y), self.level.height - 1)]
        column = min(int(x), self.level.width - 1)
        left = column - int(np.argmin(np.append(row[column::-1], False))) + 1
        right = column + int(np.argmin(np.append(row[column:], False)))
        return 2 * float(min(x - left, right - x))
