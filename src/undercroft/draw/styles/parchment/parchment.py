"""The style `parchment`: sepia ink and washes on old paper, hachures around the rock, a ribbon with the title.

Levels of more than MAX_CELLS_WITH_DETAIL cells are drawn without hachures, stipple and grid, which would be too small
to see.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.draw.pen import noise, sketch
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.pen.hatching import scatter_points
from undercroft.draw.pen.wobble import subdivide_lines, wobbled
from undercroft.draw.scene.colour import mix_colours
from undercroft.draw.scene.scene import Points, Scene, Shape, rectangle
from undercroft.draw.styles.ink import marks
from undercroft.draw.styles.parchment.frame import ParchmentSheet
from undercroft.draw.styles.parchment.old_paper import add_wall_wash, render_old_paper
from undercroft.draw.view import washes
from undercroft.draw.view.coloured_tiles import ROCK_ROLES, draw_rock_washes
from undercroft.draw.view.grid_rooms import render_shrunk
from undercroft.draw.view.label_outlines import draw_lead_lines, outline_lock_labels, outline_names, outline_numbers
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.room_names import place_names
from undercroft.draw.view.symbols import Inks, draw_signs, pillar_sign, place_door_sign, place_stair_sign

INK, PALE, PAPER, FLOOR, RED = "#3a2312", "#6b431f", "#dfc48c", "#f6eacb", "#a5321c"
OCHRE, WATER, SHORE, PIT = "#d9a95c", "#7fa9a6", "#27484c", "#2a190d"
INKS = Inks(INK, FLOOR, "#d9bf8a")
TILE_OPACITY = 0.5
"""The opacity of tiles with a colour of their own."""
MAX_CELLS_WITH_DETAIL = 90_000
"""Cells up to which everything is drawn."""
WASH, WASH_BANDS = "#7a4b22", ((1.6, 0.12), (1.2, 0.12), (0.8, 0.13), (0.45, 0.14))
"""The colour of the wash in vector files; the reach of its bands in cells, and their opacity."""
WATER_LINES = ((0.24, 0.05), (0.5, 0.042), (0.85, 0.035), (1.35, 0.03))
"""Lines in the water: their distance from the shore, and their thickness."""


def render_scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level as a drawing."""
    if is_room_grid(level):
        return render_shrunk(partial(render_scene, shown=shown, margin=margin), level)
    plan = LevelView(level, "secrets" in shown, shown)
    seed = noise.picture_seed(level)
    fine = level.tiles.size <= MAX_CELLS_WITH_DETAIL
    walls = wobbled(plan.wall_outlines, seed, plan.natural_share, piece=0.25 if fine else 1.0)
    field = SignedDistanceField.of(walls, level.width, level.height) if fine else None
    sheet = ParchmentSheet(plan, shown, margin, field)
    page = sheet.blank_scene(PAPER)
    page.define_clip("floor", walls)
    page.define_clip("rock", [sheet.inner_frame(page), *walls])
    page.add_effect(
        partial(render_old_paper, seed=seed, edge=margin is None), sheet.worn_edges(page) if margin is None else ()
    )
    if field is not None:
        wash = partial(add_wall_wash, field=field, left=page.left, top=page.top, seed=seed)
        page.add_effect(wash, _wash_shapes(walls, field))
    else:
        page.stroke(walls, PALE, 1.6, opacity=0.25, closed=True)
    if sheet.rose is not None:
        page.stroke(sheet.rhumb_lines(), PALE, 0.025, opacity=0.35, clip="rock")
    draw_rock_washes(page, plan.coloured_tiles, TILE_OPACITY, plan.open_cells)
    if field is not None:
        _draw_rock(page, walls, field, seed)
    if any(each.tile.role in ROCK_ROLES for each in plan.coloured_tiles):
        page.fill_area(walls, PAPER)  # the floor is translucent, and must not show the colour of walls
    page.fill_area(walls, FLOOR, opacity=0.62)
    _draw_floor(page, plan, walls, shown, seed, field)
    _draw_water_and_pits(page, plan, seed, fine)
    page.stroke(walls, INK, 0.14, closed=True)
    if field is not None:
        page.stroke(
            sketch.break_lines(field.lines_at(-0.17), seed + 500, (1.5, 4.0), (0.4, 1.4), 0.12), INK, 0.03, opacity=0.75
        )
    _draw_marks(page, plan, shown, seed)
    sheet.draw(page)
    return page


def _wash_shapes(walls: list[Points], field: SignedDistanceField) -> list[Shape]:
    """The wash along the walls as bands of colour, for vector files."""
    smooth = field.blurred(0.3)
    bands = [[sketch.thinned(line, 0.2) for line in smooth.lines_at(far)] for far, _ in WASH_BANDS]
    found = [
        Shape([*lines, *walls], fill=WASH, opacity=share, closed=True)
        for lines, (_, share) in zip(bands, WASH_BANDS, strict=True)
    ]
    return [*found, Shape(bands[0], stroke=WASH, width=0.1, opacity=0.28, closed=True)]


def _draw_rock(page: Scene, walls: list[Points], field: SignedDistanceField, seed: int) -> None:
    """Draw hachures on the walls, and dots beyond them."""
    page.stroke(wall_hachures(walls, field, seed), INK, 0.035, opacity=0.85)
    points, keys = scatter_points(field, seed + 600, 0.2, 0.5, 1.4)
    if len(points):
        chosen = noise.hash_noise(keys, 3, seed) > 0.25 + 0.6 * (field.sample(points) - 0.5)
        sizes = 0.018 + 0.02 * noise.hash_noise(keys, 4, seed)
        turn = np.arange(5) * (2 * np.pi / 5)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        page.fill_area(list(points[chosen][:, None] + ring * sizes[chosen][:, None, None]), INK, opacity=0.8)


def wall_hachures(walls: list[Points], field: SignedDistanceField, seed: int) -> list[Points]:
    """Strokes of varying length from the walls into the rock that stop before another wall."""
    found = []
    for line in subdivide_lines(walls, 0.15, closed=True):
        step = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
        length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)
        outwards = np.stack([step[:, 1], -step[:, 0]], axis=1) / length[:, None]
        place = np.round(line * 100).astype(np.int64)
        lean = 0.25 * (noise.hash_noise(place[:, 0], place[:, 1], seed + 11) - 0.5)
        outwards = outwards + lean[:, None] * np.stack([-outwards[:, 1], outwards[:, 0]], axis=1)
        wanted = 0.28 + 0.6 * noise.point_noise(line, 0.9, seed + 12) * (
            0.5 + 0.5 * noise.hash_noise(place[:, 0], place[:, 1], seed + 13)
        )
        reach = np.zeros(len(line))
        free = np.ones(len(line), bool)
        for far in np.arange(0.1, 0.95, 0.1).tolist():
            free &= field.sample(line + outwards * far) > 0.72 * far - 0.03
            reach[free] = far
        far = np.minimum(wanted, reach)
        drawn = far > 0.08
        found.append(np.stack([line[drawn], (line + outwards * far[:, None])[drawn]], axis=1))
    return list(np.concatenate(found)) if found else []


def _draw_floor(
    page: Scene,
    plan: LevelView,
    walls: list[Points],
    shown: frozenset[str],
    seed: int,
    field: SignedDistanceField | None,
) -> None:
    """Draw washes, the shadow of the walls, and the squares."""
    washes.draw_washes(page, plan, shown, "floor")
    for lines, colour in plan.ground_washes:
        drawn = wobbled(lines, seed + 80, plan.natural_share)
        page.fill_area(drawn, colour, opacity=TILE_OPACITY, clip="floor")
        if field is not None:
            page.stroke(drawn, mix_colours(colour, INK, 0.5), 0.05, opacity=0.6, closed=True, clip="floor")
    width, height = plan.level.size
    around = rectangle(-9, -9, width + 9, height + 9)
    for off, share in ((0.34, 0.10), (0.2, 0.12)):
        page.fill_area([around, *(line + off for line in walls)], INK, opacity=share, clip="floor")
    if "grid" in shown and field is not None:
        dry = plan.open_cells & ~plan.water & ~plan.pits
        page.stroke(sketch.grid_dashes(dry, seed), PALE, 0.028, opacity=0.45, clip="floor")


def _draw_water_and_pits(page: Scene, plan: LevelView, seed: int, fine: bool) -> None:
    """Draw water with lines along its shore, and pits that darken inwards."""
    level = plan.level
    for body in plan.water_bodies:
        shores = wobbled(body.outlines, seed + 70, 1.0, nature=((0.14, 0.8), (0.04, 2.7)))
        page.fill_area(shores, body.colour or WATER, opacity=0.75, clip="floor")
        line_ink = mix_colours(body.colour, INK, 0.65) if body.colour else SHORE
        if fine:
            field = SignedDistanceField.of(shores, level.width, level.height).blurred(0.2)
            for number, (far, wide) in enumerate(WATER_LINES):
                page.stroke(
                    sketch.break_lines(
                        field.lines_at(-far), seed + 100 * number, (1.0, 3.2), (0.3 + 0.2 * number, 0.9)
                    ),
                    line_ink,
                    wide,
                    opacity=0.8,
                    clip="floor",
                )
        page.stroke(shores, line_ink, 0.09, closed=True, clip="floor")
    for body in plan.pit_bodies:
        brinks = wobbled(
            body.outlines,
            seed + 90,
            plan.natural_share,
            hand=((0.05, 0.8), (0.012, 4.0)),
            nature=((0.12, 0.8), (0.04, 2.7)),
        )
        page.fill_area(brinks, mix_colours(body.colour, INK, 0.45) if body.colour else PALE, clip="floor")
        if fine:
            field = SignedDistanceField.of(brinks, level.width, level.height).blurred(0.12)
            deep = mix_colours(body.colour, PALE, 0.15) if body.colour else PIT
            for far, share in ((0.18, 0.7), (0.38, 1.0)):
                page.fill_area(
                    [sketch.thinned(line, 0.1) for line in field.lines_at(-far)], deep, opacity=share, clip="floor"
                )
        page.stroke(brinks, INK, 0.08, closed=True, clip="floor")


def _draw_marks(page: Scene, plan: LevelView, shown: frozenset[str], seed: int) -> None:
    """Draw everything on the floor, the path, and names."""
    if "things" in shown:
        draw_signs(page, plan.list_thing_signs(flat=True), INKS, seed, opacity=0.9)
    page.fill_area(
        [line + 0.1 for x, y in plan.pillar_centres.tolist() for line in pillar_sign(x, y)[0].lines],
        INK,
        opacity=0.25,
        clip="floor",
    )
    for centres, colour in plan.pillar_groups:
        inks = INKS._replace(tone=mix_colours(FLOOR, colour, 0.8)) if colour else INKS
        draw_signs(page, [pillar_sign(x, y) for x, y in centres], inks, seed)
    draw_signs(page, [place_door_sign(each) for each in plan.doors], Inks(INK, OCHRE, "#c9ad74"), seed)
    draw_signs(page, [place_stair_sign(each) for each in plan.stairs], INKS, seed)
    if "things" in shown:
        draw_signs(page, plan.list_thing_signs(flat=False), INKS, seed)
    if "path" in shown and len(plan.smooth_path) > 1:
        page.stroke([plan.path_to_stairs], RED, 0.11, dash=(0.38, 0.30), opacity=0.9)
        x, y = plan.path_to_stairs[-1]
        page.stroke(
            [
                np.array([[x - 0.42, y - 0.42], [x + 0.42, y + 0.42]]),
                np.array([[x - 0.42, y + 0.42], [x + 0.42, y - 0.42]]),
            ],
            RED,
            0.17,
            opacity=0.9,
        )
    if "graph" in shown:
        marks.draw_overlays(page, plan, frozenset({"graph"}) | shown & {"names"})
    written = outline_lock_labels(page, plan.lock_labels, 0.74)
    page.stroke(written, FLOOR, 0.22, closed=True, opacity=0.8)
    page.fill_area(written, INK)
    if shown & {"numbers", "names"}:
        _draw_labels(page, plan, shown)


def _draw_labels(page: Scene, plan: LevelView, shown: frozenset[str]) -> None:
    """Draw names in italics where they fit, numbers elsewhere, each with a pale halo. With the graph shown, rooms have
    a number already.
    """
    names = place_names(plan, "italic", 0.95) if "names" in shown else []
    texts = outline_names(page, names, "italic")
    done = {name.label.label for name in names}
    rest = [label for label in plan.labels if label.label not in done and "graph" not in shown]
    draw_lead_lines(page, rest, INK, FLOOR)
    texts += outline_numbers(page, rest, share=0.94)
    page.stroke(texts, FLOOR, 0.22, closed=True, opacity=0.8)
    page.fill_area(texts, INK)
