"""Features on the ground of a room that is drawn on a canvas: water, pits, pillars, doors, things, and smooth paths."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.draw.pen import contour
from undercroft.draw.view.canvas import Canvas

DOOR_BAR_WIDTH = 0.26
"""Width of a door's bar; it is as long as the cell."""
MAX_PATH_DRIFT = 0.25
"""How far smoothing may move the path from the centres of its cells."""


class RoomColours(NamedTuple):
    """The colours of features in a room."""

    wall: str = "#252c40"
    edge: str = "#f3f6fd"
    water: str = "#1f4263"
    shore: str = "#7fb3d0"
    pit: str = "#0a090d"
    door: str = "#ffffff"


DEFAULT_ROOM_COLOURS = RoomColours()


def draw_water_and_pits(canvas: Canvas, level: Level, look: RoomColours, soft: NDArray[np.bool_]) -> None:
    """Draw water with its shore and two depth lines, and pits with a dark rim."""
    water = level.palette.role_mask("water")[level.tiles]
    if water.any():
        loops = contour.trace_outlines(water, np.ones_like(water))
        area = canvas.area_mask(loops)
        canvas.paint(look.water, area)
        for depth, share in ((0.45, 0.45), (0.95, 0.25)):
            inner = canvas.blurred(area, depth / 2)
            ring = inner.point([255 if abs(value - 205) < 9 else 0 for value in range(256)])
            canvas.paint(look.shore, canvas.intersect(ring, area), share)
        canvas.paint(look.shore, canvas.line_mask([loop.points for loop in loops], 0.06, closed=True, least=1.0))
    pits = level.palette.role_mask("pit")[level.tiles]
    if pits.any():
        loops = contour.trace_outlines(pits, soft)
        canvas.paint("#000000", canvas.line_mask([loop.points for loop in loops], 0.20, closed=True, least=1.0), 0.35)
        canvas.paint(look.pit, canvas.area_mask(loops))


def draw_pillars(canvas: Canvas, level: Level, look: RoomColours) -> None:
    """Draw pillars as discs with a light rim."""
    ys, xs = np.nonzero(level.palette.role_mask("pillar")[level.tiles])
    centres = [(x + 0.5, y + 0.5) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]
    if centres:
        canvas.paint(look.edge, canvas.disc_mask(centres, 0.34))
        canvas.paint(look.wall, canvas.disc_mask(centres, 0.26))


def draw_doors(canvas: Canvas, level: Level, look: RoomColours) -> None:
    """Draw doors as bars across the passage: white for doors, the tile's colour for locked and secret ones, only the
    jambs for openings.
    """
    open_cells = np.pad(level.walkable, 1)
    sideways = open_cells[1:-1, :-2].astype(int) + open_cells[1:-1, 2:]
    upright = open_cells[:-2, 1:-1].astype(int) + open_cells[2:, 1:-1]
    across = sideways >= upright
    for role in DOOR_ROLES:
        ys, xs = np.nonzero(level.palette.role_mask(role)[level.tiles])
        if not len(xs):
            continue
        colour = look.door if role in ("door", "opening") else level.palette.tiles[level.palette.role(role)].colour
        parts = (
            ((0.0, 0.22), (0.78, 1.0))
            if role == "opening"
            else ((0.0, 0.3), (0.38, 0.62), (0.7, 1.0))
            if role == "secret"
            else ((0.0, 1.0),)
        )
        half = max(DOOR_BAR_WIDTH, 3 / canvas.cell) / 2
        boxes = []
        for x, y, turned in zip(xs.tolist(), ys.tolist(), across[ys, xs].tolist(), strict=True):
            for low, high in parts:
                boxes.append(
                    (x + 0.5 - half, y + low, x + 0.5 + half, y + high)
                    if turned
                    else (x + low, y + 0.5 - half, x + high, y + 0.5 + half)
                )
        mask = canvas.box_mask(boxes)
        canvas.paint("#000000", canvas.blurred(mask, 0.14), 0.45)
        canvas.paint(colour, mask)


def smoothed(line: NDArray[np.floating[Any]]) -> NDArray[np.float64]:
    """A path through the centres of cells without its stairs: each point moves towards its neighbours, but stays near
    the centre of its cell.

    >>> smoothed(np.array([[0.5, 0.5], [1.5, 0.5]])).tolist()
    [[0.5, 0.5], [1.5, 0.5]]
    """
    points = line.astype(float)
    for _ in range(3):
        points[1:-1] = points[:-2] * 0.25 + points[1:-1] * 0.5 + points[2:] * 0.25
        points[1:-1] = line[1:-1] + np.clip(points[1:-1] - line[1:-1], -MAX_PATH_DRIFT, MAX_PATH_DRIFT)
    for _ in range(2):
        before = points[1:-1] * 0.75 + points[:-2] * 0.25
        after = points[1:-1] * 0.75 + points[2:] * 0.25
        points = np.concatenate([points[:1], np.stack([before, after], axis=1).reshape(-1, 2), points[-1:]])
    return points


def draw_things(canvas: Canvas, level: Level) -> None:
    """Draw things as small diamonds."""
    boxes = [
        np.array(
            [
                (thing.x + 0.5, thing.y + 0.22),
                (thing.x + 0.78, thing.y + 0.5),
                (thing.x + 0.5, thing.y + 0.78),
                (thing.x + 0.22, thing.y + 0.5),
            ]
        )
        for thing in level.things
    ]
    if boxes:
        loops = [contour.ContourLoop(points, hole=False) for points in boxes]
        canvas.paint("#ffd76a", canvas.area_mask(loops))
        canvas.paint("#0b0d14", canvas.line_mask(boxes, 0.07, closed=True, least=1.0))
