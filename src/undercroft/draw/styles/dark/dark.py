"""The style `dark`: ground tinted by the way from the start, crisp walls, a glowing path, and numbers about the level
beside it.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.analysis import infer_regions
from undercroft.analysis.room_grids import is_grid
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.pen import contour
from undercroft.draw.pen.box_drawing import near
from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import STEPS, blend, ramp, rgb
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Pixels, Points, Scene, circle, square
from undercroft.draw.styles.dark.panel import panel
from undercroft.draw.styles.plain import plain
from undercroft.draw.view import graph_lines, symbols, thing_symbols
from undercroft.draw.view.grid_rooms import PITCH, shrunk
from undercroft.draw.view.ground_colours import HUES
from undercroft.draw.view.level_view import Doorway, Plan
from undercroft.draw.view.room_names import named
from undercroft.draw.view.symbols import Inks
from undercroft.draw.view.tint import flow, tint

PAGE, DOTS, HALO, WALL, EDGE = "#0d0f16", "#1b2030", "#3a4f8f", "#252c40", "#f3f6fd"
WATER, SHORE, PIT, RIM = "#1f4263", "#7fb3d0", "#0a090d", "#2b2430"
WAY, GLOW, START, END, DISC = "#e8feff", "#5df2ff", "#3cf0a6", "#ff5470", "#0b0d14"
LOST = "#3a3f4c"
"""Ground that cannot be reached."""
FLAT = "#6d5a86"
"""Ground if nobody is to see how far it is from the start."""
FINE = 5
"""Pixels a cell below which lines would only blur: such pictures have squares."""
SIDES = 400_000
"""Sides of an outline beyond which a picture has squares too."""
READABLE, USUAL = 10, 13
"""Pixels a cell below which figures cannot be read, and below which lines are made thicker."""
DOORS = {"open": "#8c96b3", "closed": "#ffffff", "locked": "#ff5470", "secret": "#c792ff", "one-way": "#ffc857"}
"""Colours of doors by their states, and of the arrow on those that are passed one way."""
INKS = {True: Inks("#10131c", "#f4f6fb", "#c4cbdb"), False: Inks("#f4f6fb", "#1b2030", "#4d5876")}
"""How signs are drawn on light ground and on dark."""
LINKS = {"open": "#8fb3c9", "door": "#ffffff", "locked": "#ff5470", "secret": "#c792ff", "one-way": "#ffc857"}
"""Colours of links, by their kinds."""


def picture(level: Level, cell: int, shown: frozenset[str], margin: float | None) -> Image.Image:
    """The level with `cell` pixels a cell; as squares, if cells are too small or too many for lines."""
    fine = cell // PITCH if is_grid(level) else cell
    if fine < FINE or contour.sides(Plan(level).open) > SIDES:
        return plain.picture(level, cell, shown & plain.QUICK | {"heat"}, 0)
    if fine < READABLE:
        shown -= {"numbers", "names"}
    return raster(scene(level, shown, margin, weight=max(1.0, USUAL / fine)), cell)


def scene(level: Level, shown: frozenset[str], margin: float | None, weight: float = 1.0) -> Scene:
    """The level as shapes; with a weight, lines are so many times thicker, for pictures with few pixels a cell. Room
    grids are drawn as rooms.
    """
    if is_grid(level):
        return shrunk(partial(_scene, shown=shown, margin=margin, weight=weight, told=level), level)
    return _scene(level, shown, margin, weight, level)


def _scene(level: Level, shown: frozenset[str], margin: float | None, weight: float, told: Level) -> Scene:
    """The level as shapes, and beside it numbers about `told`, which is the same level as its maker sees it."""
    plan = Plan(level, "secrets" in shown, shown)
    side = 1.5 if margin is None else margin
    beside = panel(plan, shown, told, DOORS) if margin is None else None
    page = Scene(
        level.width + 2 * side + (beside.width if beside else 0),
        max(level.height + 2 * side, beside.height if beside else 0),
        PAGE,
        left=side,
        top=side,
    )
    page.effect(_dots)
    page.clip("floor", plan.walls)
    for width, share in ((2.6, 0.10), (1.7, 0.16), (0.95, 0.22)):
        page.stroke(plan.walls, HALO, width, opacity=share, closed=True)
    page.stroke(plan.walls, WALL, 0.62, closed=True)
    shade = _floors(page, plan, shown)
    if "grid" in shown:
        page.stroke(plain.grid_lines(plan.open), "#000000", 0.05, opacity=0.13, cap="butt", clip="floor")
    _hollows(page, plan)
    around = square(-side, -side, level.width + side, level.height + side)
    for down, share in ((0.30, 0.22), (0.16, 0.24)):
        page.area(
            [around, *(line + np.array([0.06, down]) for line in plan.walls)], "#000000", opacity=share, clip="floor"
        )
    page.stroke(plan.walls, EDGE, 0.085 * weight, closed=True)
    symbols.paint(page, [symbols.pillar(x, y) for x, y in plan.pillars.tolist()], Inks(EDGE, DISC, "#252c40"))
    _doors(page, plan)
    things = list(plan.things) if "things" in shown else []
    _things(page, [thing for thing in things if thing_symbols.lies_flat(thing)], shade)
    if "path" in shown and len(level.path) > 1:
        for width, share in ((1.3, 0.10), (0.85, 0.16), (0.5, 0.30)):
            page.stroke([plan.trail], GLOW, width, opacity=share)
        page.stroke([plan.trail], WAY, 0.20 * weight)
    _things(page, [thing for thing in things if not thing_symbols.lies_flat(thing)], shade)
    if "graph" in shown:
        page.area([square(-page.left, -page.top, page.width, page.height)], PAGE, opacity=0.62)
    _stairs(page, plan, shade)
    _ends(page, plan, weight)
    if "graph" in shown:
        _graph(page, level, weight)
    else:
        _ties(page, plan, shade)
    _labels(page, plan, shade, shown)
    if beside:
        beside.draw(page, level.width + side)
    return page


def _dots(pixels: Pixels, cell: int) -> Pixels:
    """A lattice of faint dots, one a cell."""
    out = pixels.copy()
    out[cell // 2 :: cell, cell // 2 :: cell] = rgb(DOTS)
    return out


def _floors(page: Scene, plan: Plan, shown: frozenset[str]) -> NDArray[np.float32]:
    """Paint the ground, cell by cell but clipped by the walls; how light each cell is, from 0 to 1."""
    level = plan.level
    shade = tint(level)
    if "regions" in shown:
        regions = level.regions if len(level.regions) else infer_regions.regions(level)
        numbers = np.where(regions.labels > 0, 1 + (regions.labels - 1) % len(HUES), 0)
        colours = np.array([rgb(LOST), *map(rgb, HUES)], np.uint8)
        lightness = np.where(numbers > 0, 1.0, 0.0).astype(np.float32)
    elif "heat" not in shown:
        numbers, lightness = np.ones(level.tiles.shape, np.int32), np.zeros(level.tiles.shape, np.float32)
        colours = np.array([rgb(LOST), rgb(FLAT)], np.uint8)
    else:
        numbers = np.where(shade < 0, 0, 1 + np.rint(shade * (STEPS - 1))).astype(np.int32)
        colours = np.concatenate([[rgb(LOST)], ramp()]).astype(np.uint8)
        lightness = np.maximum(shade, 0)
    flow(numbers, plan.open & ((numbers > 0) | level.walkable))
    passages = level.palette.having("corridor")[level.tiles]
    hard = np.zeros(numbers.shape, bool)
    for number in np.unique(numbers[plan.open | near(plan.open)]).tolist():
        for dim in (False, True):
            cells = (numbers == number) & (passages == dim)
            if cells.any():
                colour = blend(colours[number][None], rgb(PAGE), 0.16)[0] if dim else colours[number]
                page.area(
                    [loop.points for loop in contour.outlines(cells, hard)],
                    "#{:02x}{:02x}{:02x}".format(*colour.tolist()),
                    crisp=True,
                    clip="floor",
                )
    return np.where(plan.water | plan.pits, np.float32(0), lightness)


def _hollows(page: Scene, plan: Plan) -> None:
    """Water with lines of depth, and pits with a rim."""
    if plan.water.any():
        page.area(plan.shores, WATER, clip="floor")
        page.clip("water", plan.shores)
        for width, share in ((1.9, 0.10), (1.0, 0.14), (0.45, 0.20)):
            page.stroke(plan.shores, SHORE, width, opacity=share, closed=True, clip="water")
        page.stroke(plan.shores, SHORE, 0.06, closed=True, clip="floor")
    if plan.pits.any():
        page.stroke(plan.brinks, "#000000", 0.30, opacity=0.4, closed=True, clip="floor")
        page.area(plan.brinks, PIT, clip="floor")
        page.stroke(plan.brinks, RIM, 0.07, closed=True, clip="floor")


def _doors(page: Scene, plan: Plan) -> None:
    """Bars across the way, in the colour of their state; an arrow where one passes that way only."""
    for state, colour in DOORS.items():
        page.area([_bar(door) for door in plan.doors if door.state == state], colour)
    page.area([jamb for x, y in _openings(plan) for jamb in _jambs(plan, x, y)], DOORS["closed"])
    arrows = [
        symbols.placed([symbols.shape((-0.3, 0.05), (0.3, 0.05), (0, 0.48))], door.x + 0.5, door.y + 0.5, door.to)
        for door in plan.doors
        if door.to
    ]
    symbols.paint(page, arrows, Inks(DISC, LINKS["one-way"], PAGE))


def _openings(plan: Plan) -> list[tuple[int, int]]:
    ys, xs = np.nonzero(plan.level.palette.having("opening")[plan.level.tiles])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def _jambs(plan: Plan, x: int, y: int) -> list[Points]:
    """The two ends of a door that is none."""
    upright = plan.is_open(x - 1, y) or plan.is_open(x + 1, y)
    ends = ((0.0, 0.2), (0.8, 1.0))
    return [
        square(x + 0.37, y + low, x + 0.63, y + high) if upright else square(x + low, y + 0.37, x + high, y + 0.63)
        for low, high in ends
    ]


def _bar(door: Doorway) -> Points:
    return (
        square(door.x + 0.37, door.y, door.x + 0.63, door.y + 1)
        if door.level
        else square(door.x, door.y + 0.37, door.x + 1, door.y + 0.63)
    )


def _stairs(page: Scene, plan: Plan, shade: NDArray[np.float32]) -> None:
    """Stairs that are neither start nor end, dark on light ground and light on dark."""
    marked = (plan.level.start, plan.level.end)
    for light, inks in INKS.items():
        signs = [
            symbols.stair(stair)
            for stair in plan.stairs
            if (stair.x, stair.y) not in marked and _is_light(shade, *stair.middle) == light
        ]
        symbols.paint(page, signs, inks)


def _ends(page: Scene, plan: Plan, weight: float) -> None:
    """Discs with the letters S and E, as large as can be read."""
    for point, letter, colour in ((plan.level.end, "E", END), (plan.level.start, "S", START)):
        if point is not None:
            x, y = plan.drawn_at(point)
            for radius, share in ((1.15 * weight, 0.18), (0.95 * weight, 0.22)):
                page.area([circle(x, y, radius)], colour, opacity=share)
            page.area([circle(x, y, 0.78 * weight)], DISC, stroke=colour, width=0.16 * weight)
            page.area(lettering.outlines(letter, x, y + 0.33 * weight, 0.92 * weight, "strong", anchor=0.5), colour)


def _labels(page: Scene, plan: Plan, shade: NDArray[np.float32], shown: frozenset[str]) -> None:
    """Numbers or names, dark on light ground and light on dark. Rooms of a graph have a number already."""
    if not shown & {"numbers", "names"}:
        return
    groups: dict[bool, list[Points]] = {True: [], False: []}
    names = named(plan, "strong", 0.82) if "names" in shown else []
    for name in names:
        for line, y in name.baselines():
            groups[_is_light(shade, name.x, name.y)] += lettering.outlines(
                line, name.x, y, name.size, "strong", anchor=0.5
            )
    done = {name.label.label for name in names}
    for label in plan.labels:
        if label.label not in done and "graph" not in shown:
            groups[_is_light(shade, label.x, label.y)] += lettering.outlines(
                str(label.number), label.x, label.y + 0.36, 1.0, "strong", anchor=0.5
            )
    page.area(groups[True], "#1c1420")
    page.area(groups[False], "#f3eefc")


def _ties(page: Scene, plan: Plan, shade: NDArray[np.float32]) -> None:
    """The names of locks beside doors and keys, with an edge in the colour of the ground, as they may lie half on
    rock.
    """
    for light, ink, edge in ((True, "#1c1420", "#f3eefc"), (False, "#f3eefc", "#1c1420")):
        ties = [tie for tie in plan.ties if _is_light(shade, max(0.0, tie.x), max(0.0, tie.y)) == light]
        words = [line for tie in ties for line in tie.lines(0.66, "strong")]
        page.stroke(words, edge, 0.14, closed=True, opacity=0.55)
        page.area(words, ink)


def _is_light(shade: NDArray[np.float32], x: float, y: float) -> bool:
    """Whether the ground at a point is so light that signs on it are dark."""
    return bool(shade[min(int(y), shade.shape[0] - 1), min(int(x), shade.shape[1] - 1)] > 0.52)


def _things(page: Scene, things: list[Thing], shade: NDArray[np.float32]) -> None:
    """Their signs, dark on light ground and light on dark."""
    for light, inks in INKS.items():
        symbols.paint(
            page, [thing_symbols.thing(thing) for thing in things if _is_light(shade, thing.x, thing.y) == light], inks
        )


def _graph(page: Scene, level: Level, weight: float) -> None:
    """Rooms as discs with their labels, corridors that a link names as small ones, links as lines through their
    doors.
    """
    graph, at = level.graph, graph_lines.places(level)
    for kind, colour in LINKS.items():
        lines = [graph_lines.line(graph, link, at) for link in graph.links if link.kind == kind and link.a and link.b]
        arrows = [graph_lines.arrow(line) for line in lines] if kind == "one-way" else []
        if kind == "secret":
            lines = [part for line in lines for part in graph_lines.dashes(line)]
        page.stroke(lines, "#000000", 0.34 * weight, opacity=0.5)
        page.stroke([*lines, *arrows], colour, 0.16 * weight)
    rooms = [region.label for region in level.rooms]
    passages = [label for label in graph.nodes if label not in set(rooms) and graph.degree(label)]
    for labels, radius in ((passages, 0.3), (rooms, 0.72)):
        page.area(
            [circle(at[label, 0], at[label, 1], radius * weight) for label in labels],
            DISC,
            stroke=EDGE,
            width=0.1 * weight,
        )
    for label in rooms:
        size = weight * (0.85 if label < 100 else 0.62)
        page.area(
            lettering.outlines(str(label), at[label, 0], at[label, 1] + 0.36 * size, size, "strong", anchor=0.5), EDGE
        )
