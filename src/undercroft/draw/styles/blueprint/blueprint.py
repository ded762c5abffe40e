"""The style `blueprint`: white lines on blue, as in drawings of architects and surveyors, with lengths, areas and a
title block.

Levels of more than `ground.MAX_CELLS_WITH_DETAIL` cells are drawn without the bands of walls and without text in rooms,
which would be too small to see.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.draw.pen import contour
from undercroft.draw.pen.free_space import PARTS_PER_CELL, CellRect, FreeSpace, cut_lines
from undercroft.draw.scene.lettering import shorten_to_fit
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.blueprint import doors as blueprint_doors
from undercroft.draw.styles.blueprint import ground as blueprint_ground
from undercroft.draw.styles.blueprint.frame import BlueprintSheet
from undercroft.draw.styles.blueprint.ground import BlueprintGround
from undercroft.draw.styles.blueprint.inks import (
    FLOOR,
    LETTER_FACE,
    LINE,
    PALE,
    SIGN_INKS,
    TILE_OPACITY,
    TINT_OPACITY,
    measure_text_box,
    outline_words,
)
from undercroft.draw.styles.blueprint.pixel_effects import BlueprintPaper
from undercroft.draw.styles.blueprint.room_labels import place_labels
from undercroft.draw.styles.blueprint.signs import draw_pillars, draw_pits, draw_stairs
from undercroft.draw.view.coloured_tiles import draw_rock_washes
from undercroft.draw.view.grid_rooms import render_shrunk
from undercroft.draw.view.ground_colours import assign_ground_colours
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.lock_labels import MAX_NAME_CELLS
from undercroft.draw.view.symbols import draw_signs
from undercroft.draw.view.thing_symbols import lies_flat

LOCK_LABEL_SIZE = 0.52
"""The letter size of lock names."""


def render_scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level as a blueprint."""
    if is_room_grid(level):
        return render_shrunk(partial(_render_level, shown=shown, margin=margin, edge=0.5), level)
    return _render_level(level, shown, margin)


def _render_level(level: Level, shown: frozenset[str], margin: float | None, edge: float = 0.0) -> Scene:
    plan = LevelView(level, "secrets" in shown, shown)
    ground = BlueprintGround(plan)
    sheet = BlueprintSheet(plan, shown, margin, edge)
    page = sheet.blank_scene()
    paper = BlueprintPaper(ground.seed)
    page.add_effect(paper.render_paper)
    draw_rock_washes(page, plan.coloured_tiles, TILE_OPACITY)
    blueprint_ground.draw_ground(page, ground, grid="grid" in shown)
    blueprint_ground.draw_tile_washes(page, ground)
    sheet.draw_axes(page)
    if shown & {"regions", "heat"}:
        _draw_tints(page, level, shown)
    blueprint_ground.draw_water(page, ground)
    page.stroke(ground.outer_walls, PALE, 0.035, closed=True)
    page.stroke(ground.walls, LINE, 0.10, closed=True)
    _draw_contents(page, ground, shown)
    sheet.draw(page)
    page.add_effect(paper.add_glow_and_wear)
    return page


def _draw_contents(page: Scene, ground: BlueprintGround, shown: frozenset[str]) -> None:
    """Draw the contents of the rooms: first objects with fixed places, then text in the remaining space."""
    plan = ground.plan
    if not ground.is_fine:
        cells = [circle(door.x + 0.5, door.y + 0.5, 0.4, 8) for door in plan.doors]
        page.fill_area(cells, LINE)
        return
    places = _find_free_space(ground)
    draw_pits(page, ground, places)
    draw_pillars(page, plan, places)
    if "things" in shown:
        _draw_things(page, plan, places)
    blueprint_doors.draw_doors(page, plan, places, ground.seed)
    draw_stairs(page, plan, places)
    if "path" in shown and len(plan.smooth_path) > 1:
        page.stroke([plan.smooth_path], LINE, 0.11, dash=(0.42, 0.26))
        places.take_lines([plan.smooth_path], 0.3)
    locks = _draw_lock_labels(page, plan, places)
    writing = place_labels(ground, places, shown)
    blueprint_ground.draw_height_lines(page, ground, places)
    if "graph" in shown:
        _draw_graph(page, plan, writing.spots, [*writing.boxes, *locks])
    writing.draw(page)


def _draw_things(page: Scene, plan: LevelView, places: FreeSpace) -> None:
    """Draw the things, rugs first; locks are marked at their doors."""
    doors = {(door.x, door.y) for door in plan.doors}
    pairs = zip(plan.things, plan.thing_signs, strict=True)
    standing = [(found, sign) for found, sign in pairs if (found.x, found.y) not in doors]
    for found, _ in standing:
        wide, high = (size if type(size := found.data.get(side, 1)) is int else 1 for side in ("width", "height"))
        places.take(CellRect(found.x, found.y, found.x + wide, found.y + high))
    standing.sort(key=lambda pair: not lies_flat(pair[0]))
    draw_signs(page, [sign for _, sign in standing], SIGN_INKS)


def _draw_lock_labels(page: Scene, plan: LevelView, places: FreeSpace) -> list[CellRect]:
    """Draw the names of locks, each in the nearest free space beside its door or key; where all is taken, over other
    marks. Returns their boxes.
    """
    boxes: list[CellRect] = []
    names: list[Points] = []
    for tie in plan.lock_labels:
        text = shorten_to_fit(tie.word, MAX_NAME_CELLS, LOCK_LABEL_SIZE, LETTER_FACE)
        box = tie.box(LOCK_LABEL_SIZE, LETTER_FACE)
        wished = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        size = measure_text_box(text, 0, 0, LOCK_LABEL_SIZE, 0.04)
        within = CellRect.centred_on(*wished, size.right - size.left + 2.0, size.bottom - size.top + 2.0)
        at = places.find_place(size.right - size.left, size.bottom - size.top, wished, within) or wished
        boxes.append(measure_text_box(text, *at, LOCK_LABEL_SIZE, 0.04))
        places.take(boxes[-1])
        names += page.mark_text("lock", text, outline_words(text, *at, LOCK_LABEL_SIZE))
    page.stroke(names, FLOOR, 0.14, closed=True)
    page.fill_area(names, LINE, stroke=LINE, width=0.018)
    return boxes


def _find_free_space(ground: BlueprintGround) -> FreeSpace:
    """The open ground as free space for text; everything else is taken, and water too."""
    level, field = ground.plan.level, ground.field
    places = FreeSpace(level.width, level.height, int(field.margin))
    more = PARTS_PER_CELL // field.per_cell
    places.taken |= np.repeat(np.repeat(field.distances > -0.05, more, axis=0), more, axis=1)
    places.take_cells(ground.plan.water)
    return places


def _draw_tints(page: Scene, level: Level, shown: frozenset[str]) -> None:
    """Draw the colours of regions or distances, under everything else."""
    numbers, colours = assign_ground_colours(level, shown)
    hard = np.zeros(level.tiles.shape, bool)
    page.define_clip("floor", LevelView(level, "secrets" in shown).wall_outlines)
    for number in np.unique(numbers[numbers >= len(level.palette)]).tolist():
        colour = "#{:02x}{:02x}{:02x}".format(*colours[number].tolist())
        page.fill_area(
            [loop.points for loop in contour.trace_outlines(numbers == number, hard)],
            colour,
            opacity=TINT_OPACITY,
            clip="floor",
            crisp=True,
        )


def _draw_graph(page: Scene, plan: LevelView, spots: dict[int, tuple[float, float]], boxes: Sequence[CellRect]) -> None:
    """Draw a line for each link, from room to room, and a dot where there is no number."""
    links = [link for link in plan.level.links if link.a and link.b]
    linked = {label for link in links for label in (link.a, link.b)}
    middles = {
        region.label: (region.x + region.width / 2, region.y + region.height / 2)
        for region in plan.regions
        if region.label in linked
    } | spots
    lines = cut_lines([np.array([middles[link.a], middles[link.b]]) for link in links], boxes)
    page.stroke(lines, LINE, 0.07, opacity=0.75, dash=(0.3, 0.15))
    page.fill_area([circle(*middles[label], 0.18, 14) for label in sorted(linked - spots.keys())], LINE)
