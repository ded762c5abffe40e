"""The style `parchment`: sepia ink and washes on old paper, hachures around the rock, a ribbon with the title.

Levels of more than FINE cells are drawn without hachures, stipple and grid, which nobody would see there.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from undercroft.analysis.room_grids import is_grid
from undercroft.core.level import Level
from undercroft.draw.pen import noise, sketch
from undercroft.draw.pen.distance_field import Field
from undercroft.draw.pen.hatching import scattered
from undercroft.draw.pen.wobble import cut_up, wobbled
from undercroft.draw.scene.lettering import outlines
from undercroft.draw.scene.scene import Points, Scene, square
from undercroft.draw.styles.ink import marks
from undercroft.draw.styles.parchment.frame import Sheet
from undercroft.draw.styles.parchment.old_paper import aged, washed
from undercroft.draw.view import washes
from undercroft.draw.view.grid_rooms import shrunk
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.room_names import named
from undercroft.draw.view.symbols import Inks, door, paint, pillar, stair
from undercroft.draw.view.thing_symbols import lies_flat, thing

INK, PALE, PAPER, FLOOR, RED = "#3a2312", "#6b431f", "#dfc48c", "#f6eacb", "#a5321c"
OCHRE, WATER, SHORE, PIT = "#d9a95c", "#7fa9a6", "#27484c", "#2a190d"
INKS = Inks(INK, FLOOR, "#d9bf8a")
FINE = 90_000
"""Cells up to which everything is drawn."""
RINGS = ((0.24, 0.05), (0.5, 0.042), (0.85, 0.035), (1.35, 0.03))
"""Lines in the water: how far from the shore, and how thick."""


def scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level as a drawing."""
    if is_grid(level):
        return shrunk(partial(scene, shown=shown, margin=margin), level)
    plan = Plan(level, "secrets" in shown, shown)
    seed = noise.seed_of(level)
    fine = level.tiles.size <= FINE
    walls = wobbled(plan.walls, seed, plan.softness, piece=0.25 if fine else 1.0)
    field = Field.of(walls, level.width, level.height) if fine else None
    sheet = Sheet(plan, shown, margin, field)
    page = sheet.scene(PAPER)
    page.clip("floor", walls)
    page.clip("rock", [square(-page.left, -page.top, page.width, page.height), *walls])
    page.effect(partial(aged, seed=seed, edge=margin is None))
    if field is not None:
        page.effect(partial(washed, field=field, left=page.left, top=page.top, seed=seed))
    else:
        page.stroke(walls, PALE, 1.6, opacity=0.25, closed=True)
    if sheet.rose is not None:
        page.stroke(sheet.rhumbs(), PALE, 0.025, opacity=0.35, clip="rock")
    if field is not None:
        _rock(page, walls, field, seed)
    page.area(walls, FLOOR, opacity=0.62)
    _floor(page, plan, walls, shown, seed, field)
    _hollows(page, plan, seed, fine)
    page.stroke(walls, INK, 0.14, closed=True)
    if field is not None:
        page.stroke(sketch.pens(field.lines(-0.17), seed + 500, (1.5, 4.0), (0.4, 1.4), 0.12), INK, 0.03, opacity=0.75)
    _marks(page, plan, shown, seed)
    sheet.draw(page)
    return page


def _rock(page: Scene, walls: list[Points], field: Field, seed: int) -> None:
    """Hachures that stand on the walls, and dots beyond them."""
    page.stroke(hachures(walls, field, seed), INK, 0.035, opacity=0.85)
    points, keys = scattered(field, seed + 600, 0.2, 0.5, 1.4)
    if len(points):
        chosen = noise.hashed(keys, 3, seed) > 0.25 + 0.6 * (field.at(points) - 0.5)
        sizes = 0.018 + 0.02 * noise.hashed(keys, 4, seed)
        turn = np.arange(5) * (2 * np.pi / 5)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        page.area(list(points[chosen][:, None] + ring * sizes[chosen][:, None, None]), INK, opacity=0.8)


def hachures(walls: list[Points], field: Field, seed: int) -> list[Points]:
    """Strokes from the walls into the rock, longer and shorter, that stop before another wall."""
    found = []
    for line in cut_up(walls, 0.15, closed=True):
        step = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
        length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)
        outwards = np.stack([step[:, 1], -step[:, 0]], axis=1) / length[:, None]
        place = np.round(line * 100).astype(np.int64)
        lean = 0.25 * (noise.hashed(place[:, 0], place[:, 1], seed + 11) - 0.5)
        outwards = outwards + lean[:, None] * np.stack([-outwards[:, 1], outwards[:, 0]], axis=1)
        wanted = 0.28 + 0.6 * noise.at(line, 0.9, seed + 12) * (
            0.5 + 0.5 * noise.hashed(place[:, 0], place[:, 1], seed + 13)
        )
        reach = np.zeros(len(line))
        free = np.ones(len(line), bool)
        for far in np.arange(0.1, 0.95, 0.1).tolist():
            free &= field.at(line + outwards * far) > 0.72 * far - 0.03
            reach[free] = far
        far = np.minimum(wanted, reach)
        drawn = far > 0.08
        found.append(np.stack([line[drawn], (line + outwards * far[:, None])[drawn]], axis=1))
    return list(np.concatenate(found)) if found else []


def _floor(page: Scene, plan: Plan, walls: list[Points], shown: frozenset[str], seed: int, field: Field | None) -> None:
    """Washes, the shadow of the walls, and the squares."""
    washes.paint(page, plan, shown, "floor")
    width, height = plan.level.size
    around = square(-9, -9, width + 9, height + 9)
    for off, share in ((0.34, 0.10), (0.2, 0.12)):
        page.area([around, *(line + off for line in walls)], INK, opacity=share, clip="floor")
    if "grid" in shown and field is not None:
        dry = plan.open & ~plan.water & ~plan.pits
        page.stroke(sketch.grid(dry, seed), PALE, 0.028, opacity=0.45, clip="floor")


def _hollows(page: Scene, plan: Plan, seed: int, fine: bool) -> None:
    """Water with lines along its shore, and pits that darken inwards."""
    level = plan.level
    if plan.water.any():
        shores = wobbled(plan.shores, seed + 70, 1.0, nature=((0.14, 0.8), (0.04, 2.7)))
        page.area(shores, WATER, opacity=0.75, clip="floor")
        if fine:
            field = Field.of(shores, level.width, level.height).blurred(0.2)
            for number, (far, wide) in enumerate(RINGS):
                page.stroke(
                    sketch.pens(field.lines(-far), seed + 100 * number, (1.0, 3.2), (0.3 + 0.2 * number, 0.9)),
                    SHORE,
                    wide,
                    opacity=0.8,
                    clip="floor",
                )
        page.stroke(shores, SHORE, 0.09, closed=True, clip="floor")
    if plan.pits.any():
        brinks = wobbled(
            plan.brinks, seed + 90, plan.softness, hand=((0.05, 0.8), (0.012, 4.0)), nature=((0.12, 0.8), (0.04, 2.7))
        )
        page.area(brinks, PALE, clip="floor")
        if fine:
            field = Field.of(brinks, level.width, level.height).blurred(0.12)
            for far, share in ((0.18, 0.7), (0.38, 1.0)):
                page.area([sketch.thinned(line, 0.1) for line in field.lines(-far)], PIT, opacity=share, clip="floor")
        page.stroke(brinks, INK, 0.08, closed=True, clip="floor")


def _marks(page: Scene, plan: Plan, shown: frozenset[str], seed: int) -> None:
    """What stands on the floor, the way, and names."""
    things = plan.things if "things" in shown else []
    paint(page, [thing(each) for each in things if lies_flat(each)], INKS, seed, opacity=0.9)
    page.area(
        [line + 0.1 for x, y in plan.pillars.tolist() for line in pillar(x, y)[0].lines],
        INK,
        opacity=0.25,
        clip="floor",
    )
    paint(page, [pillar(x, y) for x, y in plan.pillars.tolist()], INKS, seed)
    paint(page, [door(each) for each in plan.doors], Inks(INK, OCHRE, "#c9ad74"), seed)
    paint(page, [stair(each) for each in plan.stairs], INKS, seed)
    paint(page, [thing(each) for each in things if not lies_flat(each)], INKS, seed)
    if "path" in shown and len(plan.way) > 1:
        page.stroke([plan.trail], RED, 0.11, dash=(0.38, 0.30), opacity=0.9)
        x, y = plan.trail[-1]
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
        marks.overlays(page, plan, frozenset({"graph"}))
    written = [line for tie in plan.ties for line in tie.lines(0.74)]
    page.stroke(written, FLOOR, 0.22, closed=True, opacity=0.8)
    page.area(written, INK)
    if shown & {"numbers", "names"}:
        _labels(page, plan, shown)


def _labels(page: Scene, plan: Plan, shown: frozenset[str]) -> None:
    """Names in italics where they fit, numbers elsewhere, each with a pale halo. Rooms of a graph have a number
    already.
    """
    names = named(plan, "italic", 0.95) if "names" in shown else []
    texts = [
        line
        for name in names
        for words, y in name.baselines()
        for line in outlines(words, name.x, y, name.size, "italic", anchor=0.5)
    ]
    done = {name.label.label for name in names}
    for label in plan.labels:
        if label.label not in done and "graph" not in shown:
            size = 1.05 if label.clear > 0.45 else 0.8
            texts += outlines(str(label.number), label.x, label.y + 0.33 * size, size, "figures", anchor=0.5)
    page.stroke(texts, FLOOR, 0.22, closed=True, opacity=0.8)
    page.area(texts, INK)
