"""Distances in steps over a level, for games: how far each cell is from the player, the stairs or a region."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.arguments import require_level, require_mask
from undercroft.core.level import Level
from undercroft.core.region import Region
from undercroft.inputs.arguments import require_type
from undercroft.inputs.points import Point, check_point

UNREACHABLE = -1
_MASK_FIX = "for example level.walkable"


def distances(
    level: Level,
    cells: Point | Iterable[Point] | Region | NDArray[Any],
    *,
    over: NDArray[np.bool_] | None = None,
) -> NDArray[np.int32]:
    """Steps from the nearest of some cells to every cell, as [y, x]; -1 where nothing leads. Steps go up, down, left
    and right over `level.passable`, or over the cells of the mask `over`, such as `level.passable_with(["red"])`.

    `cells` are one point (x, y), several, a region, rows (x, y) as of `level.cells`, or a mask [y, x]. Those that
    cannot be walked over do not count. One-way doors are passed both ways.

    >>> level = Level.parse("..#.L.")
    >>> distances(level, (0, 0)).tolist(), distances(level, [(1, 0), (3, 0)], over=level.walkable).tolist()
    ([[0, 1, -1, -1, -1, -1]], [[1, 0, -1, 0, 1, 2]])

    Cost: one visit to each cell that is reached.
    """
    require_level("level", level)
    mask = level.passable if over is None else require_mask("over", over, *level.size, _MASK_FIX)
    field = reach.distances(mask, _list_points(cells, level))
    return np.maximum(field, UNREACHABLE)


def _list_points(cells: Any, level: Level) -> Iterable[Point]:
    """The points, whatever form they are given in."""
    if isinstance(cells, np.ndarray) and cells.dtype == bool:
        ys, xs = np.nonzero(require_mask("cells", cells, *level.size, _MASK_FIX))
        return zip(xs.tolist(), ys.tolist(), strict=True)
    if isinstance(cells, Region):
        cells = level.cells(cells)
    if isinstance(cells, np.ndarray):
        if cells.ndim == 2 and cells.shape[1] == 2 and cells.dtype.kind in "iu" and _lie_inside(cells, level):
            return zip(cells[:, 0].tolist(), cells[:, 1].tolist(), strict=True)
        cells = cells.tolist()
    require_type("cells", cells, Iterable, "a point (x, y), a list of them or a mask", "for example level.start")
    given = list(cells) if not isinstance(cells, (str, bytes)) else [cells]
    if len(given) == 2 and not any(isinstance(part, (Iterable, str)) for part in given):
        given = [tuple(given)]
    return [check_point(point, level.width, level.height) for point in given]


def _lie_inside(rows: NDArray[Any], level: Level) -> bool:
    """Whether all points of an array are on the level: the others are named one by one."""
    return bool((rows >= 0).all() and (rows < level.size).all())
