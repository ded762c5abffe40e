"""Walls and the path as lines of box-drawing characters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
LIGHT_LINES = np.array(list("▪││└││┌├─┘─┴┐┤┬┼"))
"""The line with arms to these sides. A line that ends is drawn across the whole cell, so that it meets the door or wall
beside it.
"""
LIGHT_LINES[EAST] = "─"
HEAVY_LINES = np.array(list("●┃━┗┃┃┏┣━┛━┻┓┫┳╋"))
"""The same for a path that must stand out."""


def render_characters(level: Level) -> NDArray[np.str_]:
    """One character a cell: walls as lines along open space, rock behind them blank, other cells as the palette's
    faces.

    >>> room = Level.parse('''
    ...     #####
    ...     #...#
    ...     ##.##
    ... ''')
    >>> print("\\n".join("".join(row) for row in render_characters(room).tolist()))
    ┌───┐
    │···│
    └─·─┘
    """
    faces = np.array([tile.face for tile in level.palette.tiles] + ["?"] * (256 - len(level.palette)))
    rock = level.palette.role_mask("wall", "void")[level.tiles]
    wall = level.palette.role_mask("wall")[level.tiles]
    shown = wall & dilated(~rock)
    page = faces[level.tiles]
    page[rock] = " "
    arms = wall_arms(shown, ~rock, level.palette.role_mask(*DOOR_ROLES)[level.tiles])
    page[shown] = LIGHT_LINES[arms[shown]]
    return page


def dilated(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells and all their neighbours, corners included."""
    rows = cells.copy()
    rows[:, 1:] |= cells[:, :-1]
    rows[:, :-1] |= cells[:, 1:]
    both = rows.copy()
    both[1:] |= rows[:-1]
    both[:-1] |= rows[1:]
    return both


def wall_arms(shown: NDArray[np.bool_], space: NDArray[np.bool_], doors: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The arms of each shown wall: to a door, and to the next shown wall if open space lies along the link. So thick
    walls become two lines, not a grid.
    """
    arms = np.zeros(shown.shape, np.uint8)
    for turn, (back, forth) in enumerate(((WEST, EAST), (NORTH, SOUTH))):
        walls, free, leaf, out = (grid.T if turn else grid for grid in (shown, space, doors, arms))
        pair = free[:, 1:] | free[:, :-1]
        along = np.zeros_like(pair)
        along[1:] |= pair[:-1]
        along[:-1] |= pair[1:]
        link = walls[:, 1:] & walls[:, :-1] & along
        out[:, 1:] |= np.where(link | (walls[:, 1:] & leaf[:, :-1]), back, 0).astype(np.uint8)
        out[:, :-1] |= np.where(link | (walls[:, :-1] & leaf[:, 1:]), forth, 0).astype(np.uint8)
    return arms


def path_arms(level: Level) -> NDArray[np.uint8]:
    """The arms of each cell on the level's path, to the cells before and after it."""
    arms = np.zeros(level.tiles.shape, np.uint8)
    here, there = level.path[:-1], level.path[1:]
    for (dx, dy), out, back in (
        ((0, -1), NORTH, SOUTH),
        ((1, 0), EAST, WEST),
        ((0, 1), SOUTH, NORTH),
        ((-1, 0), WEST, EAST),
    ):
        steps = ((there - here) == (dx, dy)).all(axis=1)
        arms[here[steps, 1], here[steps, 0]] |= out
        arms[there[steps, 1], there[steps, 0]] |= back
    return arms
