"""The style `dark`: ground tinted by the distance from the start, crisp walls, a glowing path, and measures of the
level beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.analysis.regions import infer_regions
from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.custom_tiles import list_coloured_codes
from undercroft.core.level import Level
from undercroft.draw.pen import contour
from undercroft.draw.pen.box_drawing import dilated
from undercroft.draw.pen.free_space import CellRect, cut_lines
from undercroft.draw.scene import lettering
from undercroft.draw.scene.colour import RAMP_STEPS, blend, brightness, colour_ramp, mix_colours, rgb
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Pixels, Points, Scene, circle, rectangle
from undercroft.draw.styles.dark.panel import build_foot, build_panel
from undercroft.draw.styles.plain import plain
from undercroft.draw.view import graph_lines, symbols
from undercroft.draw.view.coloured_tiles import draw_rock_washes, find_coloured_pillars
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM, render_shrunk
from undercroft.draw.view.ground_colours import REGION_COLOURS, assign_ground_colours
from undercroft.draw.view.label_outlines import (
    draw_lead_lines,
    list_text_boxes,
    outline_lock_labels,
    outline_names,
    outline_numbers,
)
from undercroft.draw.view.level_view import Doorway, LevelView
from undercroft.draw.view.room_names import place_names
from undercroft.draw.view.symbols import Inks
from undercroft.draw.view.thing_symbols import lies_flat
from undercroft.draw.view.tint import compute_tint, spread_colours

PAGE, DOTS, HALO, WALL, EDGE = "#0d0f16", "#1b2030", "#3a4f8f", "#252c40", "#f3f6fd"
WATER, SHORE, PIT, RIM = "#1f4263", "#7fb3d0", "#0a090d", "#2b2430"
WAY, GLOW, START, END, DISC = "#e8feff", "#5df2ff", "#3cf0a6", "#ff5470", "#0b0d14"
LOST = "#3a3f4c"
"""The colour of unreachable ground."""
FLAT = "#6d5a86"
"""The colour of ground if distances are not shown."""
GROUND_DIMMING = 0.18
"""How much darker tiles are than their own colours, so that lines and labels stand out."""
ROCK_OPACITY = 0.7
"""The opacity of walls with a colour of their own."""
MIN_LINE_CELL_PIXELS = 5
"""Pixels a cell below which lines would blur: such pictures have squares."""
MAX_OUTLINE_SIDES = 400_000
"""Sides of an outline beyond which a picture has squares too."""
MIN_LEGIBLE_CELL_PIXELS, REFERENCE_CELL_PIXELS = 10, 13
"""Pixels a cell below which figures are unreadable, and below which lines are thickened."""
DOOR_COLOURS = {"open": "#8c96b3", "closed": "#ffffff", "locked": "#ff5470", "secret": "#c792ff", "one-way": "#ffc857"}
"""The colours of doors by state, and of the arrow on one-way doors."""
INKS = {True: Inks("#10131c", "#f4f6fb", "#c4cbdb"), False: Inks("#f4f6fb", "#1b2030", "#4d5876")}
"""The inks of signs on light ground (True) and on dark ground (False)."""
LINK_COLOURS = {"open": "#8fb3c9", "door": "#ffffff", "locked": "#ff5470", "secret": "#c792ff", "one-way": "#ffc857"}
"""The colours of links by kind."""


def render_picture(level: Level, cell: int, shown: frozenset[str], margin: float | None) -> Image.Image:
    """The level at `cell` pixels a cell; as squares if cells are too small or too many for lines."""
    fine = cell // SQUARES_PER_ROOM if is_room_grid(level) else cell
    if fine < MIN_LINE_CELL_PIXELS or contour.count_sides(LevelView(level).open_cells) > MAX_OUTLINE_SIDES:
        small = shown & plain.SQUARE_PARTS
        own = bool(list_coloured_codes(level.tiles, level.palette))
        return plain.render_picture(level, cell, small if own else small | {"heat"}, 0)
    if fine < MIN_LEGIBLE_CELL_PIXELS:
        shown -= {"numbers", "names"}
    return raster(render_scene(level, shown, margin, weight=max(1.0, REFERENCE_CELL_PIXELS / fine)), cell)


def render_scene(level: Level, shown: frozenset[str], margin: float | None, weight: float = 1.0) -> Scene:
    """The level as shapes. Lines are `weight` times thicker, for pictures with few pixels a cell. Room grids are drawn
    as rooms.
    """
    if is_room_grid(level):
        return render_shrunk(partial(_render_level, shown=shown, margin=margin, weight=weight, told=level), level)
    return _render_level(level, shown, margin, weight, level)


def _render_level(level: Level, shown: frozenset[str], margin: float | None, weight: float, told: Level) -> Scene:
    """The level as shapes, and beside it measures of `told`, the level before a room grid was expanded."""
    plan = LevelView(level, "secrets" in shown, shown)
    side = 1.5 if margin is None else margin
    beside = build_panel(plan, shown, told, DOOR_COLOURS) if margin is None else None
    foot = build_foot(plan, shown, beside.unit, level.width) if beside else None
    page = Scene(
        level.width + 2 * side + (beside.width if beside else 0),
        max(level.height + 2 * side + (foot.height if foot else 0), beside.height if beside else 0),
        PAGE,
        left=side,
        top=side,
    )
    page.add_effect(_add_dots)
    page.define_clip("floor", plan.wall_outlines)
    for width, share in ((2.6, 0.10), (1.7, 0.16), (0.95, 0.22)):
        page.stroke(plan.wall_outlines, HALO, width, opacity=share, closed=True)
    draw_rock_washes(page, plan.coloured_tiles, ROCK_OPACITY, plan.open_cells)
    page.stroke(plan.wall_outlines, WALL, 0.62, closed=True)
    shade = _draw_floors(page, plan, shown)
    if "grid" in shown:
        page.stroke(plain.grid_lines(plan.open_cells), "#000000", 0.05, opacity=0.13, cap="butt", clip="floor")
    _draw_water_and_pits(page, plan)
    around = rectangle(-side, -side, level.width + side, level.height + side)
    for down, share in ((0.30, 0.22), (0.16, 0.24)):
        page.fill_area(
            [around, *(line + np.array([0.06, down]) for line in plan.wall_outlines)],
            "#000000",
            opacity=share,
            clip="floor",
        )
    page.stroke(plan.wall_outlines, EDGE, 0.085 * weight, closed=True)
    for centres, colour in plan.pillar_groups:
        inks = Inks(EDGE, DISC, colour or "#252c40")
        symbols.draw_signs(page, [symbols.pillar_sign(x, y) for x, y in centres], inks)
    _draw_doors(page, plan)
    if "things" in shown:
        _draw_things(page, plan, shade, flat=True)
    if "path" in shown and len(level.path) > 1:
        for width, share in ((1.3, 0.10), (0.85, 0.16), (0.5, 0.30)):
            page.stroke([plan.path_to_stairs], GLOW, width, opacity=share)
        page.stroke([plan.path_to_stairs], WAY, 0.20 * weight)
    if "things" in shown:
        _draw_things(page, plan, shade, flat=False)
    if "graph" in shown:
        page.fill_area([rectangle(-page.left, -page.top, page.width, page.height)], PAGE, opacity=0.62)
    _draw_stairs(page, plan, shade)
    _draw_ends(page, plan, weight)
    if "graph" in shown:
        names = place_names(plan, "strong", 0.82) if "names" in shown else []
        _draw_graph(page, level, weight, list_text_boxes(plan, names, "strong"))
    _draw_lock_labels(page, plan, shade)
    _draw_labels(page, plan, shade, shown)
    if beside:
        beside.draw(page, level.width + side)
    if foot:
        foot.draw(page, 0.0, level.height + 0.6 * side)
    return page


def _add_dots(pixels: Pixels, cell: int) -> Pixels:
    """Add a lattice of faint dots, one a cell."""
    out = pixels.copy()
    out[cell // 2 :: cell, cell // 2 :: cell] = rgb(DOTS)
    return out


def _draw_floors(page: Scene, plan: LevelView, shown: frozenset[str]) -> NDArray[np.float32]:
    """Draw the ground, cell by cell, clipped by the walls. Returns the lightness of each cell, from 0 to 1."""
    level = plan.level
    shade = compute_tint(level)
    if "regions" in shown:
        regions = level.regions if len(level.regions) else infer_regions.find_regions(level)
        numbers = np.where(regions.labels > 0, 1 + (regions.labels - 1) % len(REGION_COLOURS), 0)
        colours = np.array([rgb(LOST), *map(rgb, REGION_COLOURS)], np.uint8)
        lightness = np.where(numbers > 0, 1.0, 0.0).astype(np.float32)
    elif "heat" not in shown and plan.coloured_tiles:
        numbers, colours = assign_ground_colours(level, shown)
        numbers = numbers.astype(np.int32)
        colours = blend(colours, rgb(PAGE), GROUND_DIMMING)
        lightness = (brightness(colours) / 255_000).astype(np.float32)[numbers]
    elif "heat" not in shown:
        numbers, lightness = np.ones(level.tiles.shape, np.int32), np.zeros(level.tiles.shape, np.float32)
        colours = np.array([rgb(LOST), rgb(FLAT)], np.uint8)
    else:
        numbers = np.where(shade < 0, 0, 1 + np.rint(shade * (RAMP_STEPS - 1))).astype(np.int32)
        colours = np.concatenate([[rgb(LOST)], colour_ramp()]).astype(np.uint8)
        lightness = np.maximum(shade, 0)
    spread_colours(numbers, plan.open_cells & ((numbers > 0) | level.walkable) & ~_coloured_hollows(plan))
    passages = level.palette.role_mask("corridor")[level.tiles]
    hard = np.zeros(numbers.shape, bool)
    for number in np.unique(numbers[plan.open_cells | dilated(plan.open_cells)]).tolist():
        for dim in (False, True):
            cells = (numbers == number) & (passages == dim)
            if cells.any():
                colour = blend(colours[number][None], rgb(PAGE), 0.16)[0] if dim else colours[number]
                page.fill_area(
                    [loop.points for loop in contour.trace_outlines(cells, hard)],
                    "#{:02x}{:02x}{:02x}".format(*colour.tolist()),
                    crisp=True,
                    clip="floor",
                )
    return np.where(plan.water | plan.pits, np.float32(0), lightness)


def _coloured_hollows(plan: LevelView) -> NDArray[np.bool_]:
    """Water, pits and coloured pillars of a level with coloured tiles: the ground beside them continues under them."""
    found = find_coloured_pillars(plan.coloured_tiles, plan.level.tiles.shape)
    return found | plan.water | plan.pits if plan.coloured_tiles else found


def _draw_water_and_pits(page: Scene, plan: LevelView) -> None:
    """Draw water with depth lines, and pits with a rim."""
    for number, body in enumerate(plan.water_bodies):
        clip, shore = f"water{number or ''}", mix_colours(body.colour, EDGE, 0.35) if body.colour else SHORE
        page.fill_area(body.outlines, body.colour or WATER, clip="floor")
        page.define_clip(clip, body.outlines)
        for width, share in ((1.9, 0.10), (1.0, 0.14), (0.45, 0.20)):
            page.stroke(body.outlines, shore, width, opacity=share, closed=True, clip=clip)
        page.stroke(body.outlines, shore, 0.06, closed=True, clip="floor")
    for body in plan.pit_bodies:
        page.stroke(body.outlines, "#000000", 0.30, opacity=0.4, closed=True, clip="floor")
        page.fill_area(body.outlines, body.colour or PIT, clip="floor")
        if body.colour:
            page.stroke(body.outlines, "#000000", 0.5, opacity=0.3, closed=True, clip="floor")
        page.stroke(body.outlines, RIM, 0.07, closed=True, clip="floor")


def _draw_doors(page: Scene, plan: LevelView) -> None:
    """Draw bars across the passage, in the colour of their state, with an arrow on one-way doors."""
    for state, colour in DOOR_COLOURS.items():
        page.fill_area([_door_bar(door) for door in plan.doors if door.state == state], colour)
    page.fill_area([jamb for x, y in _list_openings(plan) for jamb in _jambs(plan, x, y)], DOOR_COLOURS["closed"])
    arrows = [
        symbols.place_sign([symbols.polygon((-0.3, 0.05), (0.3, 0.05), (0, 0.48))], door.x + 0.5, door.y + 0.5, door.to)
        for door in plan.doors
        if door.to
    ]
    symbols.draw_signs(page, arrows, Inks(DISC, LINK_COLOURS["one-way"], PAGE))


def _list_openings(plan: LevelView) -> list[tuple[int, int]]:
    ys, xs = np.nonzero(plan.level.palette.role_mask("opening")[plan.level.tiles])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def _jambs(plan: LevelView, x: int, y: int) -> list[Points]:
    """The two ends of an opening without a door."""
    upright = plan.is_open(x - 1, y) or plan.is_open(x + 1, y)
    ends = ((0.0, 0.2), (0.8, 1.0))
    return [
        rectangle(x + 0.37, y + low, x + 0.63, y + high)
        if upright
        else rectangle(x + low, y + 0.37, x + high, y + 0.63)
        for low, high in ends
    ]


def _door_bar(door: Doorway) -> Points:
    return (
        rectangle(door.x + 0.37, door.y, door.x + 0.63, door.y + 1)
        if door.east_west
        else rectangle(door.x, door.y + 0.37, door.x + 1, door.y + 0.63)
    )


def _draw_stairs(page: Scene, plan: LevelView, shade: NDArray[np.float32]) -> None:
    """Draw stairs that are neither start nor end, dark on light ground and light on dark."""
    marked = (plan.level.start, plan.level.end)
    for light, inks in INKS.items():
        signs = [
            symbols.place_stair_sign(stair)
            for stair in plan.stairs
            if (stair.x, stair.y) not in marked and _is_light(shade, *stair.middle) == light
        ]
        symbols.draw_signs(page, signs, inks)


def _draw_ends(page: Scene, plan: LevelView, weight: float) -> None:
    """Draw discs with the letters S and E, large enough to read."""
    for point, letter, colour in ((plan.level.end, "E", END), (plan.level.start, "S", START)):
        if point is not None:
            x, y = plan.marker_point(point)
            for radius, share in ((1.15 * weight, 0.18), (0.95 * weight, 0.22)):
                page.fill_area([circle(x, y, radius)], colour, opacity=share)
            page.fill_area([circle(x, y, 0.78 * weight)], DISC, stroke=colour, width=0.16 * weight)
            page.fill_area(
                lettering.text_outlines(letter, x, y + 0.33 * weight, 0.92 * weight, "strong", anchor=0.5), colour
            )


def _draw_labels(page: Scene, plan: LevelView, shade: NDArray[np.float32], shown: frozenset[str]) -> None:
    """Draw numbers or names, dark on light ground and light on dark. With the graph shown, rooms have a number
    already.
    """
    if not shown & {"numbers", "names"}:
        return
    names = place_names(plan, "strong", 0.82) if "names" in shown else []
    done = {name.label.label for name in names}
    rest = [label for label in plan.labels if label.label not in done and "graph" not in shown]
    for light, ink in ((True, "#1c1420"), (False, "#f3eefc")):
        texts = outline_names(page, [name for name in names if _is_light(shade, name.x, name.y) == light], "strong")
        inside = [label for label in rest if label.lead is None and _is_light(shade, label.x, label.y) == light]
        page.fill_area(texts + outline_numbers(page, inside, "strong", 0.9), ink)
    beside = [label for label in rest if label.lead is not None]
    draw_lead_lines(page, beside, EDGE, PAGE)
    page.fill_area(outline_numbers(page, beside, "strong", 0.9), EDGE)


def _draw_lock_labels(page: Scene, plan: LevelView, shade: NDArray[np.float32]) -> None:
    """Draw the names of locks beside doors and keys, with an outline in the colour of the ground, because they can
    overlap rock.
    """
    for light, ink, edge in ((True, "#1c1420", "#f3eefc"), (False, "#f3eefc", "#1c1420")):
        ties = [tie for tie in plan.lock_labels if _is_light(shade, max(0.0, tie.x), max(0.0, tie.y)) == light]
        words = outline_lock_labels(page, ties, face="strong")
        page.stroke(words, edge, 0.14, closed=True, opacity=0.55)
        page.fill_area(words, ink)


def _is_light(shade: NDArray[np.float32], x: float, y: float) -> bool:
    """Whether the ground at a point is so light that signs on it are dark."""
    return bool(shade[min(int(y), shade.shape[0] - 1), min(int(x), shade.shape[1] - 1)] > 0.52)


def _draw_things(page: Scene, plan: LevelView, shade: NDArray[np.float32], *, flat: bool) -> None:
    """Draw the signs of things, dark on light ground and light on dark."""
    pairs = [pair for pair in zip(plan.things, plan.thing_signs, strict=True) if lies_flat(pair[0]) == flat]
    for light, inks in INKS.items():
        symbols.draw_signs(page, [sign for thing, sign in pairs if _is_light(shade, thing.x, thing.y) == light], inks)


def _draw_graph(page: Scene, level: Level, weight: float, boxes: Sequence[CellRect]) -> None:
    """Draw rooms as discs with their labels, linked corridors as small discs, and links as lines through their
    doors.
    """
    graph, at = level.graph, graph_lines.node_points(level)
    for kind, colour in LINK_COLOURS.items():
        lines = [
            graph_lines.link_line(graph, link, at) for link in graph.links if link.kind == kind and link.a and link.b
        ]
        arrows = [graph_lines.arrow_strokes(line) for line in lines] if kind == "one-way" else []
        if kind == "secret":
            lines = [part for line in lines for part in graph_lines.split_into_dashes(line)]
        lines = cut_lines(lines, boxes)
        page.stroke(lines, "#000000", 0.34 * weight, opacity=0.5)
        page.stroke([*lines, *arrows], colour, 0.16 * weight)
    rooms = [region.label for region in level.rooms]
    passages = [label for label in graph.nodes if label not in set(rooms) and graph.degree(label)]
    for labels, radius in ((passages, 0.3), (rooms, 0.72)):
        page.fill_area(
            [circle(at[label, 0], at[label, 1], radius * weight) for label in labels],
            DISC,
            stroke=EDGE,
            width=0.1 * weight,
        )
    for label in rooms:
        size = weight * (0.85 if label < 100 else 0.62)
        page.fill_area(
            lettering.text_outlines(str(label), at[label, 0], at[label, 1] + 0.36 * size, size, "strong", anchor=0.5),
            EDGE,
        )
