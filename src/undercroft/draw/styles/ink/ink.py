"""The style ink: a map drawn with a pen on paper, the rock around it hatched.

Levels of more than FINE cells are drawn without hatching, grid and pebbles, and those of more than COARSE cells with
walls and floor alone: from so far away nobody would see a difference, and files would grow without bound.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.room_grids import is_grid
from undercroft.core.level import Level
from undercroft.draw.pen import hatching, noise, sketch
from undercroft.draw.pen.distance_field import Field
from undercroft.draw.pen.wobble import drift, wobbled
from undercroft.draw.scene.scene import Pixels, Points, Scene, square
from undercroft.draw.styles.ink import marks as ink_marks
from undercroft.draw.view import washes
from undercroft.draw.view.grid_rooms import shrunk
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.page import Looks, page
from undercroft.draw.view.symbols import Inks, door, paint, pillar, stair
from undercroft.draw.view.thing_symbols import lies_flat, thing

INK, PAPER, FLOOR, TONE, GRID, WATER = "#1d1916", "#f6f1e4", "#fffdf7", "#ded6c3", "#a79f8f", "#e3eaea"
DEEP = "#4a433b"
INKS = Inks(INK, FLOOR, TONE)
LOOKS = Looks(Inks(INK, PAPER, TONE), pale="#3b342d")
REACH, WILD = 1.2, 1.5
"""Cells that hatching reaches from walls, and in caves."""
SIDE = 1.8
"""Cells around the map, if there is rock at its border."""
SHADOW = 0.27
"""How far walls throw their shadow, right and down."""
FINE, COARSE = 90_000, 1_200_000
"""Cells up to which everything is drawn, and all but the finest."""
RINGS = ((0.26, 0.05), (0.52, 0.042), (0.86, 0.036), (1.3, 0.03), (1.9, 0.026))
"""Lines in the water: how far from the shore, and how thick."""


def scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level as a drawing. The rooms of a room grid are drawn as rooms, one to a cell."""
    if is_grid(level):
        rooms = int(np.count_nonzero(~level.palette.having("void", "wall")[level.tiles]))
        return shrunk(
            partial(_scene, shown=shown - {"scale"}, margin=margin, extent=f"{rooms} room{'s' if rooms != 1 else ''}"),
            level,
        )
    return _scene(level, shown, margin)


def _scene(level: Level, shown: frozenset[str], margin: float | None, extent: str = "") -> Scene:
    plan = Plan(level, "secrets" in shown, shown)
    sheet = page(plan, shown, LOOKS, margin, max(SIDE, SIDE + 0.9 - _rim(plan.open)), extent)
    drawing = sheet.scene(PAPER)
    drawing.effect(partial(paper, seed=noise.seed_of(level)))
    Drawing(plan, shown, drawing).draw()
    sheet.draw(drawing)
    return drawing


def _rim(cells: NDArray[np.bool_]) -> int:
    """How many rows or columns at the border have none of the cells, at most 2."""
    for ring in (0, 1):
        inner = cells[ring : cells.shape[0] - ring, ring : cells.shape[1] - ring]
        if not inner.size or inner[[0, -1]].any() or inner[:, [0, -1]].any():
            return ring
    return 2


class Drawing:
    """The layers of the map, from the ground up."""

    def __init__(self, plan: Plan, shown: frozenset[str], drawing: Scene) -> None:
        self.plan, self.shown, self.scene = plan, shown, drawing
        self.level = plan.level
        self.seed = noise.seed_of(plan.level)
        self.cells = plan.level.tiles.size
        self.fine, self.coarse = self.cells <= FINE, self.cells > COARSE
        self.walls = (
            plan.walls
            if self.coarse
            else wobbled(plan.walls, self.seed, plan.softness, piece=0.4 if self.fine else 1.0)
        )

    def draw(self) -> None:
        """Paint everything."""
        plan, scene = self.plan, self.scene
        field = Field.of(self.walls, self.level.width, self.level.height) if self.fine else None
        self.rock(field)
        scene.area(self.walls, FLOOR)
        scene.clip("floor", self.walls)
        washes.paint(scene, plan, self.shown, "floor")
        if not self.coarse:
            self.shadow()
        if self.fine:
            self.ground()
        self.water()
        self.pits()
        self.outline()
        if field is not None:
            self.rubble(field)
        if not self.coarse:
            self.marks()

    def rock(self, field: Field | None) -> None:
        """Tone around the walls, and hatching on it."""
        grounds = self.plan.open
        reach = WILD if np.count_nonzero(self.plan.soft & grounds) * 2 > np.count_nonzero(grounds) else REACH
        if field is None:
            if not self.coarse:
                self.scene.stroke(self.walls, TONE, 1.96 * reach, closed=True)
            return
        flowing = field.blurred(0.2)
        for far, opacity in ((0.98, 0.55), (0.55, 0.6)):
            self.scene.area([sketch.thinned(line, 0.35) for line in flowing.lines(far * reach)], TONE, opacity=opacity)
        for strokes, width in zip(hatching.hatched(field, self.seed + 50, reach), (0.052, 0.043, 0.034), strict=True):
            self.scene.stroke(hatching.lines(strokes), INK, width)

    def shadow(self) -> None:
        """The shadow of the walls on the floor: all that is not floor, moved, where there is floor."""
        width, height = self.level.size
        around = square(-9, -9, width + 9, height + 9)
        self.scene.area([around, *(line + SHADOW for line in self.walls)], INK, opacity=0.2, clip="floor")

    def ground(self) -> None:
        """The squares, and stones among them."""
        plan = self.plan
        dry = plan.open & ~plan.water & ~plan.pits
        if "grid" in self.shown:
            self.scene.stroke(sketch.grid(dry, self.seed), GRID, 0.03, dash=(0.03, 0.1), clip="floor")
        built = dry & ~plan.soft & self.level.palette.having("floor")[self.level.tiles]
        self.scene.stroke(sketch.flagstones(built, self.seed + 410), GRID, 0.028, opacity=0.8, clip="floor")

    def water(self) -> None:
        """Pools: a wash, lines along the shore, and the shore."""
        plan = self.plan
        if not plan.water.any():
            return
        if self.coarse:
            self.scene.area(plan.shores, WATER)
            return
        shores = wobbled(plan.shores, self.seed + 70, 1.0, nature=((0.14, 0.8), (0.04, 2.7)))
        self.scene.area(shores, WATER, clip="floor")
        if self.fine:
            field = Field.of(shores, self.level.width, self.level.height).blurred(0.2)
            for number, (far, width) in enumerate(RINGS):
                on, off = (1.2 - 0.12 * number, 3.2 - 0.4 * number), (0.25 + 0.15 * number, 0.7 + 0.5 * number)
                self.scene.stroke(
                    sketch.pens(field.lines(-far), self.seed + 100 * number, on, off), INK, width, clip="floor"
                )
        self.scene.stroke(shores, INK, 0.085, closed=True, clip="floor")

    def pits(self) -> None:
        """Holes: darker inwards, with pale strokes down from the brink."""
        plan = self.plan
        if not plan.pits.any():
            return
        if self.coarse:
            self.scene.area(plan.brinks, INK)
            return
        brinks = wobbled(
            plan.brinks,
            self.seed + 90,
            plan.softness,
            hand=((0.05, 0.8), (0.012, 4.0)),
            nature=((0.12, 0.8), (0.04, 2.7)),
        )
        self.scene.area(brinks, DEEP, clip="floor")
        if self.fine:
            field = Field.of(brinks, self.level.width, self.level.height).blurred(0.12)
            for far, opacity in ((0.22, 0.75), (0.45, 1.0)):
                self.scene.area(
                    [sketch.thinned(line, 0.1) for line in field.lines(-far)], INK, opacity=opacity, clip="floor"
                )
            self.scene.stroke(ink_marks.hachures(brinks, self.seed), FLOOR, 0.035, opacity=0.9, clip="floor")
        self.scene.stroke(brinks, INK, 0.075, closed=True, clip="floor")

    def outline(self) -> None:
        """The walls, drawn over twice, as a pen does that is alive."""
        self.scene.stroke(self.walls, INK, 0.125, closed=True)
        if not self.coarse:
            self.scene.stroke(_again(self.walls, self.seed), INK, 0.095, closed=True)

    def rubble(self, field: Field) -> None:
        """Ledges and pebbles in caves, pebbles along walls, cracks in floors."""
        plan = self.plan
        floor = self.level.palette.having("floor", "corridor")[self.level.tiles]
        soft = plan.soft & plan.open
        if soft.any():
            ledges = sketch.pens(field.blurred(0.15).lines(-0.30), self.seed + 500, (0.5, 2.0), (0.8, 3.2), 0.15)
            self.scene.stroke([line for line in ledges if _within(line, soft)], INK, 0.032)
        stones = sketch.pebbles(field, self.seed + 300, floor & ~ink_marks.narrow(plan.open, plan.soft), soft)
        self.scene.area(stones, FLOOR, stroke=INK, width=0.03)
        self.scene.stroke(sketch.cracks(floor & ~soft, self.seed + 400), INK, 0.028, clip="floor")

    def marks(self) -> None:
        """Everything that stands on the floor, and what is written on it."""
        plan, scene, seed = self.plan, self.scene, self.seed
        if "things" in self.shown:
            paint(scene, [thing(each) for each in plan.things if lies_flat(each)], INKS, seed, opacity=0.9)
        if len(plan.pillars):
            scene.area(
                [line + 0.12 for part in (pillar(x, y)[0] for x, y in plan.pillars.tolist()) for line in part.lines],
                INK,
                opacity=0.22,
                clip="floor",
            )
            paint(scene, [pillar(x, y) for x, y in plan.pillars.tolist()], INKS, seed)
        paint(scene, [door(each) for each in plan.doors], INKS, seed)
        paint(scene, [stair(each) for each in plan.stairs], INKS, seed)
        if "things" in self.shown:
            paint(scene, [thing(each) for each in plan.things if not lies_flat(each)], INKS, seed)
        ink_marks.overlays(scene, plan, self.shown)
        written = [line for tie in plan.ties for line in tie.lines()]
        scene.stroke(written, FLOOR, 0.2, closed=True)
        scene.area(written, INK)
        ink_marks.labels(scene, plan, self.shown)


def _again(lines: list[Points], seed: int) -> list[Points]:
    """The same lines, drawn a second time."""
    points = np.concatenate(lines) if lines else np.empty((0, 2))
    moved = points + drift(points, seed + 61, ((0.028, 1.7),))
    return np.split(moved, np.cumsum([len(line) for line in lines])[:-1]) if lines else []


def _within(line: Points, cells: NDArray[np.bool_]) -> bool:
    """Whether the middle of a line lies on one of the cells."""
    x, y = line[len(line) // 2]
    return 0 <= y < cells.shape[0] and 0 <= x < cells.shape[1] and bool(cells[int(y), int(x)])


def paper(pixels: Pixels, _cell: int, seed: int) -> Pixels:
    """The texture of paper: clouds, grain, and fibres that run down. Large pictures repeat the grain."""
    height, width = pixels.shape[:2]
    clouds = noise.fbm(height, width, 260, 4, seed)
    fibres = noise.fbm(min(height, 1024), min(width, 1024), 3.5, 2, seed + 9, stretch=2.6)
    fibres += noise.hashed(np.arange(fibres.shape[1]), np.arange(fibres.shape[0])[:, None], seed + 5).astype(np.float32)
    grain = np.tile(fibres, (-(-height // fibres.shape[0]), -(-width // fibres.shape[1])))[:height, :width]
    shade = (clouds - np.float32(0.5)) * np.float32(255 * 0.055) + (grain - np.float32(1.0)) * np.float32(255 * 0.025)
    changed: Pixels = np.clip(pixels + shade[:, :, None], 0, 255).astype(np.uint8)
    return changed
