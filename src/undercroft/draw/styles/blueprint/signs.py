"""Stairs, pits and pillars of a blueprint, with the words that belong to them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.draw.pen import contour
from undercroft.draw.pen.free_space import Box, Places
from undercroft.draw.pen.parallel_lines import placed, slants
from undercroft.draw.scene.lettering import width
from undercroft.draw.scene.scene import Points, Scene, circle, square
from undercroft.draw.styles.blueprint.ground import Ground
from undercroft.draw.styles.blueprint.inks import BAND, DEEP, LETTERS, LINE, PALE, box_of, words
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.stairs import Stair
from undercroft.draw.view.symbols import TURNS

SMALL = 0.46
"""The size of words beside signs."""
BELOW = (("OPEN BELOW",), ("OPEN", "BELOW"), ("PIT",))
"""What is written in a pit, if it fits; else the next."""
MOST = 300
"""Pits that are written in."""


def paint_pillars(page: Scene, plan: Plan, places: Places) -> None:
    """Pillars, with the lines they were set out by."""
    middles = plan.pillars.tolist()
    for x, y in middles:
        places.take(Box.about(x, y, 1, 1))
    page.area([circle(x, y, 0.27, 24) for x, y in middles], BAND, stroke=LINE, width=0.06)
    cross = [
        np.array(ends) for x, y in middles for ends in ([[x - 0.42, y], [x + 0.42, y]], [[x, y - 0.42], [x, y + 0.42]])
    ]
    page.stroke(cross, PALE, 0.028, dash=(0.16, 0.06, 0.04, 0.06), cap="butt")


def paint_stairs(page: Scene, plan: Plan, places: Places) -> None:
    """Stairs: treads, narrower and narrower into the dark if they lead down, an arrow on to them, and UP or DN where
    there is space for it.
    """
    for stair in plan.stairs:
        places.take(Box.about(*stair.middle, stair.size, stair.size))
    treads, rails, shafts, heads, letters = [], [], [], [], []
    for stair in plan.stairs:
        treads += [_set(stair, line) for line in treads_of(up=stair.up)]
        rails += [_set(stair, line) for line in rails_of(up=stair.up)]
        tail = _set(stair, [(-0.2, -0.95), (0.2, -0.5)])
        before = Box(*tail.min(axis=0).tolist(), *tail.max(axis=0).tolist())
        start = -0.9 if places.is_free(before) else -0.44
        if start < -0.5:
            places.take(before)
        shafts.append(_set(stair, [(0, start), (0, 0.1)]))
        heads.append(_set(stair, [(0, 0.36), (0.14, 0.06), (-0.14, 0.06)]))
        letters += _beside(stair, start, places)
    page.area(
        [
            _set(stair, [(-0.42, -0.44), (0.42, -0.44), (0.2, 0.5), (-0.2, 0.5)])
            for stair in plan.stairs
            if not stair.up
        ],
        DEEP,
    )
    page.stroke(treads, LINE, 0.035, cap="butt")
    page.stroke(rails, LINE, 0.05, cap="butt")
    page.stroke(shafts, LINE, 0.045, cap="butt")
    page.area(heads, LINE)
    page.area(letters, LINE)


def treads_of(*, up: bool) -> list[list[tuple[float, float]]]:
    """The treads of a stair about (0, 0), its front down."""
    along = np.linspace(-0.44, 0.44, 9).tolist()
    half = [0.42 if up else 0.42 - 0.22 * (at + 0.5) for at in along]
    return [[(-wide, at), (wide, at)] for at, wide in zip(along, half, strict=True)]


def rails_of(*, up: bool) -> list[list[tuple[float, float]]]:
    """The lines on both sides of the treads."""
    return [[(side * 0.42, -0.5), (side * (0.42 if up else 0.2), 0.5)] for side in (-1, 1)]


def _beside(stair: Stair, start: float, places: Places) -> list[Points]:
    """UP or DN: before the stair, beside it, or near it."""
    text = "UP" if stair.up else "DN"
    size = box_of(text, 0, 0, SMALL, 0.06)
    spots = _set(stair, ((0.0, start - 0.3), (-0.9, -0.2), (0.9, -0.2), (0.62, start), (-0.62, start))).tolist()
    spot = next(((x, y) for x, y in spots if places.is_free(box_of(text, x, y, SMALL, 0.06))), None)
    if spot is None:
        x, y = stair.middle
        spot = places.best(
            size.right - size.left, size.bottom - size.top, (x, y), Box.about(x, y, stair.size + 3, stair.size + 3)
        )
    if spot is None:
        return []
    x, y = spot
    places.take(box_of(text, x, y, SMALL, 0.06))
    return words(text, x, y, SMALL)


def _set(stair: Stair, points: Iterable[tuple[float, float]]) -> Points:
    """Points about (0, 0), the stair's front down, where they belong; beyond the stair, lengths do not grow with it."""
    (right_x, right_y), (front_x, front_y) = TURNS[stair.side]
    local = np.array(list(points), float)
    beyond = np.sign(local) * np.maximum(np.abs(local) - 0.5, 0)
    local = (local - beyond) * stair.size + beyond
    moved: Points = local @ np.array([[right_x, right_y], [front_x, front_y]], float) + stair.middle
    return moved


def paint_pits(page: Scene, ground: Ground, places: Places) -> None:
    """Pits: those with four corners are crossed out, others hatched; in both it is written what they are."""
    plan = ground.plan
    if not plan.pits.any():
        return
    labels, many = reach.labels(plan.pits.astype(np.uint8))
    boxes, odd = [], np.zeros_like(plan.pits)
    texts: list[tuple[tuple[str, ...], float, float]] = []
    kinds = plan.pits.astype(np.uint8)
    for number, (left, top, right, bottom, *_) in enumerate(reach.boxes(labels, kinds, many).tolist(), 1):
        rows, columns = slice(top, bottom + 1), slice(left, right + 1)
        cells = labels[rows, columns] == number
        box = Box(columns.start, rows.start, columns.stop, rows.stop)
        if cells.all() and not plan.soft[rows, columns].any():
            boxes.append(box)
        else:
            odd[rows, columns] |= cells
        if number <= MOST and ground.is_fine:
            for lines in BELOW:
                wide, high = max(width(line, SMALL * 0.92, LETTERS) for line in lines) + 0.3, 0.5 * len(lines) + 0.1
                middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
                if place := places.best(wide, high, middle, box, cells):
                    texts.append((lines, *place))
                    break
    _crossed(page, boxes)
    _hatched(page, ground, odd)
    sizes = [
        (max(width(line, SMALL * 0.92, LETTERS) for line in lines) + 0.16, 0.5 * len(lines) + 0.06)
        for lines, _, _ in texts
    ]
    page.area([_square(Box.about(x, y, *size)) for (_, x, y), size in zip(texts, sizes, strict=True)], DEEP)
    letters = [
        outline
        for lines, x, y in texts
        for row, line in enumerate(lines)
        for outline in words(line, x, y + 0.5 * (row - (len(lines) - 1) / 2), SMALL * 0.92)
    ]
    page.area(letters, LINE)
    places.take_cells(plan.pits)


def _crossed(page: Scene, boxes: list[Box]) -> None:
    inner = [Box(left + 0.12, top + 0.12, right - 0.12, bottom - 0.12) for left, top, right, bottom in boxes]
    page.area([_square(box) for box in inner], DEEP, opacity=0.85)
    crosses = [
        np.array(ends)
        for left, top, right, bottom in inner
        for ends in ([[left, top], [right, bottom]], [[right, top], [left, bottom]])
    ]
    page.stroke(crosses, PALE, 0.035, dash=(0.2, 0.13), cap="butt")
    page.stroke([_square(box) for box in inner], LINE, 0.055, closed=True)


def _hatched(page: Scene, ground: Ground, cells: NDArray[np.bool_]) -> None:
    if not cells.any():
        return
    lines = ground.rough([loop.points for loop in contour.outlines(cells, ground.plan.soft)])
    page.area(lines, DEEP, opacity=0.9)
    if ground.is_fine:
        field = ground.field_of(lines)
        page.stroke(
            placed(slants(-field.distances, field.per_cell // 2, falling=True), field),
            PALE,
            0.026,
            opacity=0.55,
            cap="butt",
        )
    page.stroke(lines, LINE, 0.06, closed=True, dash=(0.5, 0.16), cap="butt")


def _square(box: Box) -> Points:
    return square(*box)
