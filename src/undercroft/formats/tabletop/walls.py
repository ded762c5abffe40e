"""What blocks sight and movement on tabletops: walls as closed lines behind the edge of the ground, doors as lines
across their cells, pillars as small squares.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.regions import infer_regions
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import DOOR_STATES
from undercroft.draw.view.level_view import LevelView
from undercroft.errors import BadInput
from undercroft.formats.tabletop.wall_depth import STEPS_PER_CELL, WallDepth, place_points, widen_ground
from undercroft.formats.tabletop.wall_lines import Outline, trace_corners, trace_smooth

Cells = NDArray[np.bool_]
Places = NDArray[np.float64] | float
"""Places in cells: one for each door, or one for all."""

OPEN, CLOSED, LOCKED, SECRET = range(len(DOOR_STATES))
"""States of doors, by number."""
MAX_BEND = 0.4
"""The greatest distance of a curved wall from its cells."""
PILLAR_HALF_SIDE = 0.3
"""Half the side of a pillar's square."""
LOCK_KIND = "lock"
"""The kind of thing that locks the door it stands on."""
BAR_KINDS = ("portcullis", "bars", "grate", "window")
"""Kinds of things that make a closed door, or an opening, transparent."""


class Doors(NamedTuple):
    """Doors, one row each, in reading order; openings without a door are left out."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]
    level: Cells
    """Whether the way through leads from west to east; else from north to south."""
    state: NDArray[np.uint8]
    barred: Cells
    """Whether it is transparent while closed."""

    def lines(
        self,
        ground: Cells,
        depth: WallDepth,
        soft: Cells | None = None,
        at: tuple[Places, Places] = (0.5, 0.5),
    ) -> NDArray[np.float64]:
        """Rows x, y, x, y: across the door's cell, from the upper or left side to the other, and into the rock beside
        it as far as tokens see. `at` is the x of upright lines and the y of lying ones in their cells.

        A wall that curves around soft cells may start to bend beside a door. There the door extends a little into the
        rock, so that no light passes.
        """
        bend = np.zeros(len(self.x)) if soft is None else np.where(_grow_cells(soft)[self.y, self.x], MAX_BEND, 0.0)
        rock = ~np.pad(ground, 1, constant_values=True)
        west, east, north, south = (
            np.where(rock[self.y + 1 + down, self.x + 1 + right], deep, 0.0) + bend
            for right, down, deep in ((-1, 0, depth.side), (1, 0, depth.side), (0, -1, depth.face), (0, 1, depth.side))
        )
        x, y = self.x + at[0], self.y + at[1]
        upright = np.stack([x, self.y - north, x, self.y + 1.0 + south], axis=1)
        lying = np.stack([self.x - west, y, self.x + 1.0 + east, y], axis=1)
        found = np.where(self.level[:, None], upright, lying)
        rounded: NDArray[np.float64] = np.rint(found * STEPS_PER_CELL) / STEPS_PER_CELL
        return rounded.clip(0, [ground.shape[1], ground.shape[0]] * 2)

    def select(self, which: Cells) -> Doors:
        """The selected doors."""
        return Doors(self.x[which], self.y[which], self.level[which], self.state[which], self.barred[which])


def _grow_cells(cells: Cells) -> Cells:
    """These cells and those that touch one of them, even at a corner."""
    wide = np.pad(cells, 1)
    rows = wide[:-2] | wide[1:-1] | wide[2:]
    return rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]


def find_doors(level: Level) -> Doors:
    """The doors of a level.

    >>> from undercroft.formats.tabletop.wall_depth import NO_DEPTH
    >>> found = find_doors(Level.parse('''
    ...     #####
    ...     #.+.#
    ...     ##L##
    ...     ##.##
    ... '''))
    >>> edges = found.lines(np.ones((4, 5), bool), NO_DEPTH)
    >>> edges.tolist(), [DOOR_STATES[state] for state in found.state]
    ([[2.5, 1.0, 2.5, 2.0], [2.0, 2.5, 3.0, 2.5]], ['closed', 'locked'])
    """
    states, rock = _door_states(level), _solid_cells(level)
    barred = np.zeros(rock.shape, bool)
    for thing in level.things:
        barred[thing.y, thing.x] |= thing.kind in BAR_KINDS and not rock[thing.y, thing.x]
    there = level.palette.role_mask(*DOOR_ROLES[1:])[level.tiles] | barred
    y, x = np.nonzero(there)
    shut = np.pad(rock | there, 1, constant_values=True)
    left, right, up, down = shut[y + 1, x], shut[y + 1, x + 2], shut[y, x + 1], shut[y + 2, x + 1]
    hung, stood = left & right, up & down
    fewer = left.astype(int) + right <= up.astype(int) + down
    return Doors(x, y, np.where(hung == stood, fewer, stood), states[y, x], barred[y, x])


def _door_states(level: Level) -> NDArray[np.uint8]:
    """The state of the door on each cell: from its row, else from its tile; and locked if there is a lock on it."""
    by_role = np.zeros(256, np.uint8)
    for code, role in enumerate(level.palette.roles):
        by_role[code] = DOOR_ROLES.index(role) if role in DOOR_ROLES else OPEN
    states: NDArray[np.uint8] = by_role[level.tiles]
    table = level.doors.table
    states[table["y"], table["x"]] = table["state"]
    for thing in level.things:
        if thing.kind == LOCK_KIND and states[thing.y, thing.x] == CLOSED:
            states[thing.y, thing.x] = LOCKED
    return states


def _solid_cells(level: Level) -> Cells:
    """Cells that block movement and sight."""
    palette = level.palette
    rock = palette.rock | palette.opaque & ~palette.walkable & ~palette.role_mask(*DOOR_ROLES)
    cells: Cells = rock[level.tiles]
    return cells


def find_ground(level: Level, *, secrets: bool) -> Cells:
    """All cells but rock: ground, water, doors. Secret doors count as rock unless `secrets` is set."""
    closed = _solid_cells(level)
    if not secrets:
        found = find_doors(level)
        hidden = found.select(found.state == SECRET)
        closed[hidden.y, hidden.x] = True
    return ~closed


def find_soft_cells(level: Level) -> Cells:
    """Cells that walls curve around: those of natural caves."""
    return LevelView(infer_regions.add_regions(level)).natural_cells


def trace_walls(level: Level, *, secrets: bool, curved: bool, depth: WallDepth) -> Outline:
    """The outline of the ground, as far behind its edge as tokens see into rock; if `curved`, it runs along the edge
    itself, and caves are as smooth as in pictures. The middle of a square, where tokens stand, stays on its side of
    the wall.
    """
    if type(curved) is not bool:
        raise BadInput(
            f"walls are smooth or not: true or false, not {curved!r}", fix="say smooth=true, or leave it out"
        )
    cells = find_ground(level, secrets=secrets)
    if curved:
        return trace_smooth(cells, find_soft_cells(level))
    outline = trace_corners(widen_ground(cells))
    return Outline(place_points(outline.points.astype(np.int64), depth), outline.sizes)


def trace_pillars(level: Level) -> NDArray[np.float64]:
    """For each pillar the five points of a closed square, each x and y."""
    y, x = np.nonzero(level.palette.role_mask("pillar")[level.tiles])
    corners = PILLAR_HALF_SIDE * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
    squares = np.stack([x + 0.5, y + 0.5], axis=1)[:, None] + corners
    found: NDArray[np.float64] = np.rint(squares * 10) / 10
    return found
