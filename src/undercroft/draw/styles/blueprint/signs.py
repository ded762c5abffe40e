"""Stairs, pits and pillars of a blueprint, with their labels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.draw.pen import contour
from undercroft.draw.pen.free_space import CellRect, FreeSpace
from undercroft.draw.pen.parallel_lines import slanted_lines, to_cell_lines
from undercroft.draw.scene.colour import mix_colours
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle
from undercroft.draw.styles.blueprint.ground import BlueprintGround
from undercroft.draw.styles.blueprint.inks import (
    BAND,
    DEEP,
    LETTER_FACE,
    LINE,
    PALE,
    TILE_OPACITY,
    measure_text_box,
    outline_words,
)
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.stairs import Stair
from undercroft.draw.view.symbols import FACING_AXES
from undercroft.wording import shorten

WORD_SIZE = 0.46
"""The size of words beside signs."""
PIT_WORDS = (("OPEN BELOW",), ("OPEN", "BELOW"), ("PIT",))
"""The labels of a pit; the first that fits is used."""
MAX_PIT_NAME = 20
"""The maximum number of letters of a tile's name on a pit."""
MAX_LABELLED_PITS = 300
"""The maximum number of pits with a label."""


def draw_pillars(page: Scene, plan: LevelView, places: FreeSpace) -> None:
    """Draw pillars with their axes."""
    middles = plan.pillar_centres.tolist()
    for x, y in middles:
        places.take(CellRect.centred_on(x, y, 1, 1))
    for centres, colour in plan.pillar_groups:
        fill = mix_colours(BAND, colour, TILE_OPACITY) if colour else BAND
        page.fill_area([circle(x, y, 0.27, 24) for x, y in centres], fill, stroke=LINE, width=0.06)
    cross = [
        np.array(ends) for x, y in middles for ends in ([[x - 0.42, y], [x + 0.42, y]], [[x, y - 0.42], [x, y + 0.42]])
    ]
    page.stroke(cross, PALE, 0.028, dash=(0.16, 0.06, 0.04, 0.06), cap="butt")


def draw_stairs(page: Scene, plan: LevelView, places: FreeSpace) -> None:
    """Draw stairs: treads, which narrow if they lead down, an arrow onto them, and UP or DN where there is space."""
    for stair in plan.stairs:
        places.take(CellRect.centred_on(*stair.middle, stair.size, stair.size))
    treads, rails, shafts, heads, letters = [], [], [], [], []
    for stair in plan.stairs:
        treads += [_to_map(stair, line) for line in stair_treads(up=stair.up)]
        rails += [_to_map(stair, line) for line in stair_rails(up=stair.up)]
        tail = _to_map(stair, [(-0.2, -0.95), (0.2, -0.5)])
        before = CellRect(*tail.min(axis=0).tolist(), *tail.max(axis=0).tolist())
        start = -0.9 if places.is_free(before) else -0.44
        if start < -0.5:
            places.take(before)
        shafts.append(_to_map(stair, [(0, start), (0, 0.1)]))
        heads.append(_to_map(stair, [(0, 0.36), (0.14, 0.06), (-0.14, 0.06)]))
        letters += _place_stair_word(stair, start, places)
    page.fill_area(
        [
            _to_map(stair, [(-0.42, -0.44), (0.42, -0.44), (0.2, 0.5), (-0.2, 0.5)])
            for stair in plan.stairs
            if not stair.up
        ],
        DEEP,
    )
    page.stroke(treads, LINE, 0.035, cap="butt")
    page.stroke(rails, LINE, 0.05, cap="butt")
    page.stroke(shafts, LINE, 0.045, cap="butt")
    page.fill_area(heads, LINE)
    page.fill_area(letters, LINE)


def stair_treads(*, up: bool) -> list[list[tuple[float, float]]]:
    """The treads of a stair around (0, 0), its front down."""
    along = np.linspace(-0.44, 0.44, 9).tolist()
    half = [0.42 if up else 0.42 - 0.22 * (at + 0.5) for at in along]
    return [[(-wide, at), (wide, at)] for at, wide in zip(along, half, strict=True)]


def stair_rails(*, up: bool) -> list[list[tuple[float, float]]]:
    """The lines on both sides of the treads."""
    return [[(side * 0.42, -0.5), (side * (0.42 if up else 0.2), 0.5)] for side in (-1, 1)]


def _place_stair_word(stair: Stair, start: float, places: FreeSpace) -> list[Points]:
    """Place UP or DN: before the stair, beside it, or near it."""
    text = "UP" if stair.up else "DN"
    size = measure_text_box(text, 0, 0, WORD_SIZE, 0.06)
    spots = _to_map(stair, ((0.0, start - 0.3), (-0.9, -0.2), (0.9, -0.2), (0.62, start), (-0.62, start))).tolist()
    spot = next(((x, y) for x, y in spots if places.is_free(measure_text_box(text, x, y, WORD_SIZE, 0.06))), None)
    if spot is None:
        x, y = stair.middle
        spot = places.find_place(
            size.right - size.left,
            size.bottom - size.top,
            (x, y),
            CellRect.centred_on(x, y, stair.size + 3, stair.size + 3),
        )
    if spot is None:
        return []
    x, y = spot
    places.take(measure_text_box(text, x, y, WORD_SIZE, 0.06))
    return outline_words(text, x, y, WORD_SIZE)


def _to_map(stair: Stair, points: Iterable[tuple[float, float]]) -> Points:
    """Map points around (0, 0), with the stair's front down, to the map; beyond the stair, lengths do not scale with
    it.
    """
    (right_x, right_y), (front_x, front_y) = FACING_AXES[stair.side]
    local = np.array(list(points), float)
    beyond = np.sign(local) * np.maximum(np.abs(local) - 0.5, 0)
    local = (local - beyond) * stair.size + beyond
    moved: Points = local @ np.array([[right_x, right_y], [front_x, front_y]], float) + stair.middle
    return moved


def draw_pits(page: Scene, ground: BlueprintGround, places: FreeSpace) -> None:
    """Draw pits: those with four corners are crossed out, others hatched; both are labelled."""
    plan = ground.plan
    if not plan.pits.any():
        return
    kinds, names = _number_pits(plan)
    labels, many = reach.label_components(kinds)
    boxes, odd = [], np.zeros_like(plan.pits)
    texts: list[tuple[tuple[str, ...], float, float]] = []
    for number, (left, top, right, bottom, *_) in enumerate(reach.find_label_boxes(labels, kinds, many).tolist(), 1):
        rows, columns = slice(top, bottom + 1), slice(left, right + 1)
        cells = labels[rows, columns] == number
        box = CellRect(columns.start, rows.start, columns.stop, rows.stop)
        if cells.all() and not plan.natural_cells[rows, columns].any():
            boxes.append(box)
        else:
            odd[rows, columns] |= cells
        if number <= MAX_LABELLED_PITS and ground.is_fine:
            name = names[kinds[rows, columns][cells][0]]
            for lines in ((name,),) if name else PIT_WORDS:
                wide, high = (
                    max(text_width(line, WORD_SIZE * 0.92, LETTER_FACE) for line in lines) + 0.3,
                    0.5 * len(lines) + 0.1,
                )
                middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
                if place := places.find_place(wide, high, middle, box, cells):
                    texts.append((lines, *place))
                    break
    _draw_crossed_pits(page, boxes)
    _draw_hatched_pits(page, ground, odd)
    for body in plan.pit_bodies:
        if body.colour:
            page.fill_area(ground.roughen(body.outlines), body.colour, opacity=TILE_OPACITY)
    sizes = [
        (max(text_width(line, WORD_SIZE * 0.92, LETTER_FACE) for line in lines) + 0.16, 0.5 * len(lines) + 0.06)
        for lines, _, _ in texts
    ]
    page.fill_area(
        [_box_outline(CellRect.centred_on(x, y, *size)) for (_, x, y), size in zip(texts, sizes, strict=True)], DEEP
    )
    letters = [
        outline
        for lines, x, y in texts
        for row, line in enumerate(lines)
        for outline in outline_words(line, x, y + 0.5 * (row - (len(lines) - 1) / 2), WORD_SIZE * 0.92)
    ]
    page.fill_area(letters, LINE)
    places.take_cells(plan.pits)


def _number_pits(plan: LevelView) -> tuple[NDArray[np.uint8], list[str]]:
    """A number for each cell with a pit, from 1, one for each colour, and the names of tiles with a colour of their
    own by these numbers.
    """
    kinds, names = plan.pits.astype(np.uint8), ["", ""]
    for tile, cells in plan.coloured_tiles:
        if tile.role == "pit":
            kinds[cells] = len(names)
            names.append(shorten(tile.name, MAX_PIT_NAME).upper())
    return kinds, names


def _draw_crossed_pits(page: Scene, boxes: list[CellRect]) -> None:
    inner = [CellRect(left + 0.12, top + 0.12, right - 0.12, bottom - 0.12) for left, top, right, bottom in boxes]
    page.fill_area([_box_outline(box) for box in inner], DEEP, opacity=0.85)
    crosses = [
        np.array(ends)
        for left, top, right, bottom in inner
        for ends in ([[left, top], [right, bottom]], [[right, top], [left, bottom]])
    ]
    page.stroke(crosses, PALE, 0.035, dash=(0.2, 0.13), cap="butt")
    page.stroke([_box_outline(box) for box in inner], LINE, 0.055, closed=True)


def _draw_hatched_pits(page: Scene, ground: BlueprintGround, cells: NDArray[np.bool_]) -> None:
    if not cells.any():
        return
    lines = ground.roughen([loop.points for loop in contour.trace_outlines(cells, ground.plan.natural_cells)])
    page.fill_area(lines, DEEP, opacity=0.9)
    if ground.is_fine:
        field = ground.build_field(lines)
        page.stroke(
            to_cell_lines(slanted_lines(-field.distances, field.per_cell // 2, falling=True), field),
            PALE,
            0.026,
            opacity=0.55,
            cap="butt",
        )
    page.stroke(lines, LINE, 0.06, closed=True, dash=(0.5, 0.16), cap="butt")


def _box_outline(box: CellRect) -> Points:
    return rectangle(*box)
