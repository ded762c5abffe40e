"""The style `plain`: flat squares in the colours of the palette, for thumbnails, tools, and levels of any size."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.custom_tiles import has_own_colour
from undercroft.core.level import Level
from undercroft.draw.pen import contour
from undercroft.draw.pen.box_drawing import path_arms
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle
from undercroft.draw.styles.plain.squares import (
    DOOR,
    DOWN,
    END,
    LOCKED,
    MARK_COLOURS,
    MIN_SHAPE_CELL_PIXELS,
    OPENING,
    PILLAR,
    SECRET,
    START,
    THING,
    UP,
    render_square,
)
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, render_shrunk
from undercroft.draw.view.ground_colours import assign_ground_colours
from undercroft.draw.view.label_outlines import draw_lead_lines, outline_lock_labels, outline_names, outline_numbers
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_names import place_names
from undercroft.draw.view.symbols import Inks, draw_signs

PAGE, INK, LEAD = "#0d0f16", "#1b1e27", "#f2f5fb"
SQUARE_PARTS = frozenset({"grid", "path", "regions", "heat", "things", "secrets"})
"""The parts that squares can show."""
MIN_LEGIBLE_CELL_PIXELS = 12
"""Pixels a cell from which lock names are readable."""
MAX_SIGN_CELLS = 20_000
"""The largest level whose things have signs, in cells."""
THING_INKS = Inks("#3d2a08", "#fff3d6", "#d8b878")
MAX_ROOM_GRID_CELLS = 20_000
"""The largest room grid that is drawn as rooms, in cells."""
ROLE_MARKS = {
    "door": DOOR,
    "locked": LOCKED,
    "secret": SECRET,
    "opening": OPENING,
    "pillar": PILLAR,
    "entry": UP,
    "exit": DOWN,
}


def render_picture(level: Level, cell: int, shown: frozenset[str], margin: float | None) -> Image.Image:
    """The level as squares. Each look is drawn once and copied, so that millions of cells take seconds."""
    if (
        shown & {"numbers", "names"}
        or margin
        or (_is_drawn_as_rooms(level) and cell >= SQUARES_PER_ROOM)
        or (cell >= MIN_LEGIBLE_CELL_PIXELS and _shows_things(level, shown))
    ):
        from undercroft.draw.scene.raster import raster

        return raster(render_scene(level, shown, margin), cell)
    numbers, colours = assign_ground_colours(level, shown)
    keys: NDArray[np.uint32] = numbers.astype(np.uint32) << np.uint32(5) | _find_marks(level, shown, cell)
    return _arrange_squares(keys, colours, cell, grid="grid" in shown)


def _is_drawn_as_rooms(level: Level) -> bool:
    return is_room_grid(level) and level.tiles.size <= MAX_ROOM_GRID_CELLS


def _shows_things(level: Level, shown: frozenset[str]) -> bool:
    """Whether things are drawn with the sign of their kind; on larger maps they are one mark each."""
    return "things" in shown and level.tiles.size <= MAX_SIGN_CELLS and bool(level.things)


def _find_marks(level: Level, shown: frozenset[str], cell: int) -> NDArray[np.uint32]:
    """The mark of each cell."""
    table = np.zeros(256, np.uint32)
    for number, tile in enumerate(level.palette.tiles):
        hidden = tile.role == "secret" and "secrets" not in shown
        small = cell < MIN_SHAPE_CELL_PIXELS and has_own_colour(tile)  # a mark would fill the cell
        table[number] = 0 if hidden or small else ROLE_MARKS.get(tile.role, 0)
    marks = table[level.tiles]
    if cell >= MIN_SHAPE_CELL_PIXELS:  # turn a door whose passage runs from north to south
        rock = np.pad(level.palette.role_mask("wall", "void")[level.tiles], 1, constant_values=True)
        beside = rock[1:-1, :-2] & rock[1:-1, 2:]
        marks[beside & (marks >= DOOR) & (marks < PILLAR)] += 1
    if "path" in shown:
        arms = path_arms(level)
        np.copyto(marks, arms, where=(marks == 0) & (arms > 0))
    if "things" in shown:
        doors = level.palette.role_mask("locked", "secret")[level.tiles]
        for thing in level.things:
            if thing.kind != "lock" or not doors[thing.y, thing.x]:
                marks[thing.y, thing.x] = THING
    for point, mark in ((level.start, START), (level.end, END)):
        if point is not None and not UP <= marks[point[1], point[0]] <= DOWN:
            marks[point[1], point[0]] = mark
    return marks


def _arrange_squares(keys: NDArray[np.uint32], colours: NDArray[np.uint8], cell: int, *, grid: bool) -> Image.Image:
    """A picture of squares; with a colour table if there are few enough colours, because that is small and fast to
    write.
    """
    height, width = keys.shape
    there = np.flatnonzero(np.bincount(keys.reshape(-1)))
    place = np.zeros(int(there[-1]) + 1, np.uint16)
    place[there] = np.arange(len(there))
    squares = np.stack([render_square(key & 31, colours[key >> 5], cell, grid=grid) for key in there.tolist()])
    table, index = np.unique(squares.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32), return_inverse=True)
    if len(table) > 256:
        pixels = np.ascontiguousarray(squares[place[keys]].transpose(0, 2, 1, 3, 4)).reshape(
            height * cell, width * cell, 3
        )
        return Image.fromarray(pixels)
    indexes = index.reshape(squares.shape[:-1]).astype(np.uint8)[place[keys]].transpose(0, 2, 1, 3)
    image = Image.frombytes("P", (width * cell, height * cell), indexes.tobytes())
    image.putpalette(np.stack([table >> 16, table >> 8 & 255, table & 255], axis=1).astype(np.uint8).tobytes())
    return image


def render_scene(level: Level, shown: frozenset[str], margin: float | None) -> Scene:
    """The level as areas of one colour, with signs on them. Room grids are drawn as rooms."""
    return (
        render_shrunk(partial(_render_level, shown=shown, margin=margin), level)
        if _is_drawn_as_rooms(level)
        else _render_level(level, shown, margin)
    )


def _render_level(level: Level, shown: frozenset[str], margin: float | None) -> Scene:
    edge = margin or 0.0
    page = Scene(level.width + 2 * edge, level.height + 2 * edge, PAGE, left=edge, top=edge)
    numbers, colours = assign_ground_colours(level, shown)
    hard = np.zeros(level.tiles.shape, bool)
    for number in np.unique(numbers).tolist():
        colour = "#{:02x}{:02x}{:02x}".format(*colours[number].tolist())
        if colour != PAGE:
            page.fill_area(
                [loop.points for loop in contour.trace_outlines(numbers == number, hard)], colour, crisp=True
            )
    plan = LevelView(level, "secrets" in shown, shown)
    if "grid" in shown:
        page.stroke(grid_lines(plan.open_cells), "#000000", 0.04, opacity=0.15, cap="butt")
    if "path" in shown and len(level.path) > 1:
        page.stroke([plan.smooth_path], "#ffffff", 0.26)
    for state, mark in (("closed", DOOR), ("open", OPENING), ("locked", LOCKED), ("secret", SECRET)):
        bars = [_door_bar(door.x, door.y, level_=door.east_west) for door in plan.doors if door.state == state]
        page.fill_area(bars, _hex_colour(mark))
    page.fill_area([circle(x, y, 0.32) for x, y in plan.pillar_centres.tolist()], _hex_colour(PILLAR))
    for stair in plan.stairs:
        page.fill_area(
            [
                rectangle(stair.x + 0.12, stair.y + 0.12 + 0.2 * step, stair.x + 0.88, stair.y + 0.24 + 0.2 * step)
                for step in range(4)
            ],
            _hex_colour(UP if stair.up else DOWN),
        )
    if "things" in shown:
        for flat in (True, False):
            draw_signs(page, plan.list_thing_signs(flat=flat), THING_INKS)
    for point, mark in ((level.start, START), (level.end, END)):
        if point is not None and not any((stair.x, stair.y) == point for stair in plan.stairs):
            page.stroke([circle(point[0] + 0.5, point[1] + 0.5, 0.3)], _hex_colour(mark), 0.16, closed=True)
    names = outline_lock_labels(page, plan.lock_labels, face="strong")
    page.stroke(names, "#ffffff", 0.16, closed=True, opacity=0.7)
    page.fill_area(names, INK)
    if shown & {"numbers", "names"}:
        _draw_labels(page, plan, shown)
    return page


def _draw_labels(page: Scene, plan: LevelView, shown: frozenset[str]) -> None:
    """Draw names where they fit, else numbers."""
    names = place_names(plan, "strong", 0.82) if "names" in shown else []
    done = {name.label.label for name in names}
    rest = [label for label in plan.labels if label.label not in done]
    beside = [label for label in rest if label.lead is not None]
    inside = [label for label in rest if label.lead is None]
    page.fill_area(outline_names(page, names, "strong") + outline_numbers(page, inside, "strong", 0.8), INK)
    draw_lead_lines(page, beside, LEAD, PAGE)
    page.fill_area(outline_numbers(page, beside, "strong", 0.8), LEAD)


def _hex_colour(mark: int) -> str:
    return "#{:02x}{:02x}{:02x}".format(*MARK_COLOURS[mark])


def _door_bar(x: int, y: int, *, level_: bool) -> Points:
    return rectangle(x + 0.34, y, x + 0.66, y + 1) if level_ else rectangle(x, y + 0.34, x + 1, y + 0.66)


def grid_lines(cells: NDArray[np.bool_]) -> list[Points]:
    """A line between each two neighbouring open cells; collinear ones are joined."""
    lines: list[Points] = []
    for turned in (False, True):
        grid = cells.T if turned else cells
        between = np.pad(grid[:, 1:] & grid[:, :-1], ((1, 1), (0, 0))).astype(np.int8)
        columns, starts = np.nonzero(np.diff(between, axis=0).T == 1)
        _, ends = np.nonzero(np.diff(between, axis=0).T == -1)
        for column, start, end in zip(columns.tolist(), starts.tolist(), ends.tolist(), strict=True):
            line = np.array([[column + 1, start], [column + 1, end]], float)
            lines.append(line[:, ::-1] if turned else line)
    return lines
