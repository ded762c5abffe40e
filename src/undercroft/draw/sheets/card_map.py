"""A level as the picture on a card: ground tinted by the way from the start, its edge, the way, and its ends. All cards
of a sheet have one scale.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from undercroft.core.level import Level
from undercroft.draw.scene.colour import STEPS, blend, ramp, rgb
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Pixels, Scene, circle, square
from undercroft.draw.sheets.contact_sheet import PANEL
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.tint import flow, tint

EDGE, WAY, START, END = "#dfe4f2", "#e8ecff", "#3cf0a6", "#ff5470"
WATER, PIT, LOST = "#2a5a85", "#0a090d", "#3a3f4c"
"""Water, pits, and ground that cannot be reached."""
AIR = 1.0
"""Cells around the map."""
FINE = 2.0
"""Pixels a cell below which edges are not drawn: ground alone is a picture then."""
DIM = 0.16
"""How much darker corridors are."""


def card_map(level: Level, room: tuple[int, int], farthest: int) -> Image.Image:
    """The level, as large as fits into so many pixels. The lightest ground is so many steps from the start."""
    across, down = level.width + 2 * AIR, level.height + 2 * AIR
    cell = min(room[0] / across, room[1] / down)
    wide, high = max(1, round(across * cell)), max(1, round(down * cell))
    plan = Plan(level)
    page = Scene(wide, high, PANEL)
    ground = _ground(plan, farthest, (wide, high))
    page.effect(lambda _pixels, _cell: ground)

    def pixels(points: np.ndarray) -> np.ndarray:
        scaled: np.ndarray = (points + AIR) * (wide / across, high / down)
        return scaled

    if cell >= FINE:
        walls = [pixels(line) for line in plan.walls]
        page.area([square(0, 0, wide, high), *walls], PANEL)
        page.stroke(walls, EDGE, max(1.0, 0.2 * cell), opacity=0.75, closed=True)
    if len(level.path) > 1:
        way = [pixels(plan.way)]
        page.stroke(way, WAY, max(3.0, 1.0 * cell), opacity=0.28)
        page.stroke(way, WAY, max(1.4, 0.42 * cell))
    dot = max(3.2, 0.85 * cell)
    for point, colour in ((level.end, END), (level.start, START)):
        if point is not None:
            (x, y), *_ = pixels(np.array([point], float) + 0.5).tolist()
            page.area([circle(x, y, dot + 1.1)], PANEL)
            page.area([circle(x, y, dot)], colour)
    return raster(page, 1)


def _ground(plan: Plan, farthest: int, size: tuple[int, int]) -> Pixels:
    """The colours of all cells, as so many pixels. They flow a little into the rock, where a smooth edge may show
    them.
    """
    level = plan.level
    shade = tint(level, farthest)
    corridor = level.palette.having("corridor")[level.tiles]
    numbers = np.where(shade < 0, 0, 1 + np.rint(np.maximum(shade, 0) * (STEPS - 1))).astype(np.int32)
    numbers[corridor & (shade >= 0)] += STEPS
    colours = np.concatenate(
        [[rgb(LOST)], ramp(), blend(ramp(), rgb(PANEL), DIM), [rgb(WATER)], [rgb(PIT)], [rgb(PANEL)]]
    ).astype(np.uint8)
    for number, hollow in ((len(colours) - 3, plan.water), (len(colours) - 2, plan.pits)):
        numbers[hollow] = number
    known = plan.open & (numbers > 0)
    flow(numbers, known)
    numbers = np.pad(numbers, int(AIR), constant_values=len(colours) - 1)
    open_cells = np.pad(plan.open, int(AIR))
    if size[0] < numbers.shape[1] * FINE:  # no edges: rock is rock
        numbers[~open_cells] = len(colours) - 1
    enlarged = size[0] >= numbers.shape[1]
    return np.array(
        Image.fromarray(colours[numbers]).resize(size, Image.Resampling.NEAREST if enlarged else Image.Resampling.BOX)
    )
