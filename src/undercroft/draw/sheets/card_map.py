"""The map on a card: ground tinted by the distance from the start, its edge, the path, and its ends. All cards of a
sheet share one scale.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.scene.colour import RAMP_STEPS, blend, colour_ramp, rgb
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Pixels, Scene, circle, rectangle
from undercroft.draw.sheets.contact_sheet import PANEL
from undercroft.draw.view.ground_colours import assign_ground_colours
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.tint import compute_tint, spread_colours

EDGE, WAY, START, END = "#dfe4f2", "#e8ecff", "#3cf0a6", "#ff5470"
WATER, PIT, LOST = "#2a5a85", "#0a090d", "#3a3f4c"
"""The colours of water, pits, and unreachable ground."""
MARGIN_CELLS = 1.0
"""Cells around the map."""
MIN_EDGE_PIXELS = 2.0
"""Pixels a cell below which edges are not drawn: the ground alone is clear enough."""
CORRIDOR_DIMMING = 0.16
"""How much darker corridors are."""


def render_card_map(level: Level, room: tuple[int, int], farthest: int) -> Image.Image:
    """The level as large as fits into `room` pixels. The lightest ground is `farthest` steps from the start; a level
    with colours of its own has those instead.
    """
    across, down = level.width + 2 * MARGIN_CELLS, level.height + 2 * MARGIN_CELLS
    cell = min(room[0] / across, room[1] / down)
    wide, high = max(1, round(across * cell)), max(1, round(down * cell))
    plan = LevelView(level)
    page = Scene(wide, high, PANEL)
    ground = _render_ground(plan, farthest, (wide, high))
    page.add_effect(lambda _pixels, _cell: ground)

    def scale_points(points: np.ndarray) -> np.ndarray:
        scaled: np.ndarray = (points + MARGIN_CELLS) * (wide / across, high / down)
        return scaled

    if cell >= MIN_EDGE_PIXELS:
        walls = [scale_points(line) for line in plan.wall_outlines]
        page.fill_area([rectangle(0, 0, wide, high), *walls], PANEL)
        page.stroke(walls, EDGE, max(1.0, 0.2 * cell), opacity=0.75, closed=True)
    if len(level.path) > 1:
        way = [scale_points(plan.smooth_path)]
        page.stroke(way, WAY, max(3.0, 1.0 * cell), opacity=0.28)
        page.stroke(way, WAY, max(1.4, 0.42 * cell))
    dot = max(3.2, 0.85 * cell)
    for point, colour in ((level.end, END), (level.start, START)):
        if point is not None:
            (x, y), *_ = scale_points(np.array([point], float) + 0.5).tolist()
            page.fill_area([circle(x, y, dot + 1.1)], PANEL)
            page.fill_area([circle(x, y, dot)], colour)
    return raster(page, 1)


def _render_ground(plan: LevelView, farthest: int, size: tuple[int, int]) -> Pixels:
    """The colours of all cells at that size in pixels. They spread a little into the rock, where a smooth edge can show
    them.
    """
    level = plan.level
    shade = compute_tint(level, farthest)
    corridor = level.palette.role_mask("corridor")[level.tiles]
    numbers = np.where(shade < 0, 0, 1 + np.rint(np.maximum(shade, 0) * (RAMP_STEPS - 1))).astype(np.int32)
    numbers[corridor & (shade >= 0)] += RAMP_STEPS
    colours = np.concatenate(
        [
            [rgb(LOST)],
            colour_ramp(),
            blend(colour_ramp(), rgb(PANEL), CORRIDOR_DIMMING),
            [rgb(WATER)],
            [rgb(PIT)],
            [rgb(PANEL)],
        ]
    ).astype(np.uint8)
    for number, hollow in ((len(colours) - 3, plan.water), (len(colours) - 2, plan.pits)):
        numbers[hollow] = number
    if plan.coloured_tiles:
        codes, own = assign_ground_colours(level, frozenset({"secrets"}))
        numbers = codes.astype(np.int32) + 1
        colours = np.concatenate([[rgb(LOST)], own, [rgb(PANEL)]]).astype(np.uint8)
    known = plan.open_cells & (numbers > 0)
    spread_colours(numbers, known)
    numbers = np.pad(numbers, int(MARGIN_CELLS), constant_values=len(colours) - 1)
    open_cells = np.pad(plan.open_cells, int(MARGIN_CELLS))
    if size[0] < numbers.shape[1] * MIN_EDGE_PIXELS:  # without edges, rock keeps its own colour
        numbers[~open_cells] = len(colours) - 1
    enlarged = size[0] >= numbers.shape[1]
    return np.array(
        Image.fromarray(colours[numbers]).resize(size, Image.Resampling.NEAREST if enlarged else Image.Resampling.BOX)
    )
