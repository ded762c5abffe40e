"""The style `blueprint`: white lines on blue, as an architect or a surveyor draws them, with lengths, areas and a title
block.

Levels of more than `blueprint_ground.FINE` cells are drawn without the bands of walls and without words in rooms:
nobody could see them.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from undercroft.analysis.room_grids import is_grid
from undercroft.core.level import Level
from undercroft.draw.pen import contour
from undercroft.draw.pen.free_space import PARTS, Box, Places
from undercroft.draw.scene.lettering import fitted
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.blueprint import doors as blueprint_doors
from undercroft.draw.styles.blueprint import ground as blueprint_ground
from undercroft.draw.styles.blueprint.frame import Sheet
from undercroft.draw.styles.blueprint.ground import Ground
from undercroft.draw.styles.blueprint.inks import FLOOR, LETTERS, LINE, PALE, SIGNS, TINT, box_of, words
from undercroft.draw.styles.blueprint.pixel_effects import Paper
from undercroft.draw.styles.blueprint.room_labels import written
from undercroft.draw.styles.blueprint.signs import paint_pillars, paint_pits, paint_stairs
from undercroft.draw.view.grid_rooms import shrunk
from undercroft.draw.view.ground_colours import grounds
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.lock_labels import LONGEST
from undercroft.draw.view.symbols import paint
from undercroft.draw.view.thing_symbols import lies_flat, thing

TIE = 0.52
"""The size of letters in names of locks."""


def scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level as a blueprint."""
    if is_grid(level):
        return shrunk(partial(_drawn, shown=shown, margin=margin, edge=0.5), level)
    return _drawn(level, shown, margin)


def _drawn(level: Level, shown: frozenset[str], margin: float | None, edge: float = 0.0) -> Scene:
    plan = Plan(level, "secrets" in shown, shown)
    ground = Ground(plan)
    sheet = Sheet(plan, shown, margin, edge)
    page = sheet.page()
    paper = Paper(ground.seed)
    page.effect(paper.laid)
    blueprint_ground.paint(page, ground, grid="grid" in shown)
    sheet.draw_axes(page)
    if shown & {"regions", "heat"}:
        _tints(page, level, shown)
    blueprint_ground.paint_water(page, ground)
    page.stroke(ground.outer, PALE, 0.035, closed=True)
    page.stroke(ground.walls, LINE, 0.10, closed=True)
    _contents(page, ground, shown)
    sheet.draw(page)
    page.effect(paper.printed)
    return page


def _contents(page: Scene, ground: Ground, shown: frozenset[str]) -> None:
    """What is in the rooms: first what has its place, then words where there is space left."""
    plan = ground.plan
    if not ground.is_fine:
        cells = [circle(door.x + 0.5, door.y + 0.5, 0.4, 8) for door in plan.doors]
        page.area(cells, LINE)
        return
    places = _places(ground)
    paint_pits(page, ground, places)
    paint_pillars(page, plan, places)
    if "things" in shown:
        _things(page, plan, places)
    blueprint_doors.paint(page, plan, places, ground.seed)
    paint_stairs(page, plan, places)
    if "path" in shown and len(plan.way) > 1:
        page.stroke([plan.way], LINE, 0.11, dash=(0.42, 0.26))
        places.take_lines([plan.way], 0.3)
    _ties(page, plan, places)
    writing = written(ground, places, shown)
    blueprint_ground.paint_heights(page, ground, places)
    if "graph" in shown:
        _graph(page, plan, writing.spots)
    writing.paint(page)


def _things(page: Scene, plan: Plan, places: Places) -> None:
    """What stands about, rugs first; locks are marked by their doors."""
    doors = {(door.x, door.y) for door in plan.doors}
    standing = [found for found in plan.things if (found.x, found.y) not in doors]
    for found in standing:
        wide, high = (size if type(size := found.data.get(side, 1)) is int else 1 for side in ("width", "height"))
        places.take(Box(found.x, found.y, found.x + wide, found.y + high))
    paint(page, [thing(found) for found in sorted(standing, key=lambda found: not lies_flat(found))], SIGNS)


def _ties(page: Scene, plan: Plan, places: Places) -> None:
    """The names of locks, each in the nearest space beside its door or key; where all is taken, over that."""
    names: list[Points] = []
    for tie in plan.ties:
        text = fitted(tie.word, LONGEST, TIE, LETTERS)
        box = tie.box(TIE, LETTERS)
        wished = (box.left + box.right) / 2, (box.top + box.bottom) / 2
        size = box_of(text, 0, 0, TIE, 0.04)
        within = Box.about(*wished, size.right - size.left + 2.0, size.bottom - size.top + 2.0)
        at = places.best(size.right - size.left, size.bottom - size.top, wished, within) or wished
        places.take(box_of(text, *at, TIE, 0.04))
        names += words(text, *at, TIE)
    page.stroke(names, FLOOR, 0.14, closed=True)
    page.area(names, LINE, stroke=LINE, width=0.018)


def _places(ground: Ground) -> Places:
    """The open ground as space to write on; the rest is taken, and water too."""
    level, field = ground.plan.level, ground.field
    places = Places(level.width, level.height, int(field.margin))
    more = PARTS // field.per_cell
    places.taken |= np.repeat(np.repeat(field.distances > -0.05, more, axis=0), more, axis=1)
    places.take_cells(ground.plan.water)
    return places


def _tints(page: Scene, level: Level, shown: frozenset[str]) -> None:
    """Regions or distances in colours, under everything else."""
    numbers, colours = grounds(level, shown)
    hard = np.zeros(level.tiles.shape, bool)
    page.clip("floor", Plan(level, "secrets" in shown).walls)
    for number in np.unique(numbers[numbers >= len(level.palette)]).tolist():
        colour = "#{:02x}{:02x}{:02x}".format(*colours[number].tolist())
        page.area(
            [loop.points for loop in contour.outlines(numbers == number, hard)],
            colour,
            opacity=TINT,
            clip="floor",
            crisp=True,
        )


def _graph(page: Scene, plan: Plan, spots: dict[int, tuple[float, float]]) -> None:
    """A line for each link, from room to room; a dot where no number stands."""
    links = [link for link in plan.level.links if link.a and link.b]
    linked = {label for link in links for label in (link.a, link.b)}
    middles = {
        region.label: (region.x + region.width / 2, region.y + region.height / 2)
        for region in plan.regions
        if region.label in linked
    } | spots
    page.stroke(
        [np.array([middles[link.a], middles[link.b]]) for link in links], LINE, 0.07, opacity=0.75, dash=(0.3, 0.15)
    )
    page.area([circle(*middles[label], 0.18, 14) for label in sorted(linked - spots.keys())], LINE)
