"""The style `ink`: a map drawn with a pen on paper, with hatched rock around it.

Levels of more than MAX_CELLS_WITH_DETAIL cells are drawn without hatching, grid and pebbles, and those of more than
MAX_CELLS_WITH_MARKS cells with walls and floor only: the details would be too small to see, and files would grow
without bound.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.level import Level
from undercroft.core.palette import Tile
from undercroft.draw.pen import hatching, noise, sketch
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.pen.wobble import drift, wobbled
from undercroft.draw.scene.colour import mix_colours
from undercroft.draw.scene.scene import Pixels, Points, Scene, rectangle
from undercroft.draw.styles.ink import marks
from undercroft.draw.view import washes
from undercroft.draw.view.coloured_tiles import draw_rock_washes
from undercroft.draw.view.grid_rooms import render_shrunk
from undercroft.draw.view.label_outlines import outline_lock_labels
from undercroft.draw.view.legend import colour_swatch
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.page import PageStyle, build_page
from undercroft.draw.view.symbols import Inks, Sign, draw_signs, pillar_sign, place_door_sign, place_stair_sign
from undercroft.wording import plural

INK, PAPER, FLOOR, TONE, GRID, WATER = "#1d1916", "#f6f1e4", "#fffdf7", "#ded6c3", "#a79f8f", "#e3eaea"
DEEP = "#4a433b"
TILE_OPACITY, WATER_OPACITY = 0.46, 0.5
"""The opacity of tiles with a colour of their own: of ground and rock, and of water."""


def _tile_swatch(tile: Tile) -> Sign:
    """The colour of a tile as the map shows it."""
    return colour_swatch(tile.colour if tile.role == "pit" else mix_colours(FLOOR, tile.colour, TILE_OPACITY))


LOOKS = PageStyle(Inks(INK, PAPER, TONE), pale="#3b342d", swatch=_tile_swatch)
INKS = Inks(INK, FLOOR, TONE)
HATCH_REACH, CAVE_HATCH_REACH = 1.2, 1.5
"""The reach of hatching from walls, and in caves, in cells."""
SIDE_MARGIN = 1.8
"""Cells around the map, if there is rock at its border."""
SHADOW_REACH = 0.27
"""The length of the shadow of walls, right and down."""
MAX_CELLS_WITH_DETAIL, MAX_CELLS_WITH_MARKS = 90_000, 1_200_000
"""Cells up to which everything is drawn, and up to which all but the finest details are drawn."""
WATER_LINES = ((0.26, 0.05), (0.52, 0.042), (0.86, 0.036), (1.3, 0.03), (1.9, 0.026))
"""Lines in the water: their distance from the shore, and their thickness."""


def render_scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The level as a drawing. The rooms of a room grid are drawn as rooms, one to a cell."""
    if is_room_grid(level):
        rooms = int(np.count_nonzero(~level.palette.role_mask("void", "wall")[level.tiles]))
        return render_shrunk(
            partial(_render_level, shown=shown - {"scale"}, margin=margin, extent=plural(rooms, "room")),
            level,
        )
    return _render_level(level, shown, margin)


def _render_level(level: Level, shown: frozenset[str], margin: float | None, extent: str = "") -> Scene:
    plan = LevelView(level, "secrets" in shown, shown)
    sheet = build_page(
        plan, shown, LOOKS, margin, max(SIDE_MARGIN, SIDE_MARGIN + 0.9 - _count_empty_rings(plan.open_cells)), extent
    )
    drawing = sheet.scene(PAPER)
    drawing.add_effect(partial(add_paper_texture, seed=noise.picture_seed(level)))
    InkDrawing(plan, shown, drawing).draw()
    sheet.draw(drawing)
    return drawing


def _count_empty_rings(cells: NDArray[np.bool_]) -> int:
    """The number of rows or columns at the border without any of the cells, at most 2."""
    for ring in (0, 1):
        inner = cells[ring : cells.shape[0] - ring, ring : cells.shape[1] - ring]
        if not inner.size or inner[[0, -1]].any() or inner[:, [0, -1]].any():
            return ring
    return 2


class InkDrawing:
    """The layers of the map, from the ground up."""

    def __init__(self, plan: LevelView, shown: frozenset[str], drawing: Scene) -> None:
        self.plan, self.shown, self.scene = plan, shown, drawing
        self.level = plan.level
        self.seed = noise.picture_seed(plan.level)
        self.cells = plan.level.tiles.size
        self.fine, self.coarse = self.cells <= MAX_CELLS_WITH_DETAIL, self.cells > MAX_CELLS_WITH_MARKS
        self.walls = (
            plan.wall_outlines
            if self.coarse
            else wobbled(plan.wall_outlines, self.seed, plan.natural_share, piece=0.4 if self.fine else 1.0)
        )

    def draw(self) -> None:
        """Draw all layers."""
        plan, scene = self.plan, self.scene
        field = SignedDistanceField.of(self.walls, self.level.width, self.level.height) if self.fine else None
        self.draw_rock(field)
        scene.fill_area(self.walls, FLOOR)
        scene.define_clip("floor", self.walls)
        washes.draw_washes(scene, plan, self.shown, "floor")
        self.draw_tile_washes()
        if not self.coarse:
            self.draw_shadow()
        if self.fine:
            self.draw_ground()
        self.draw_water()
        self.draw_pits()
        self.draw_outline()
        if field is not None:
            self.draw_rubble(field)
        if not self.coarse:
            self.draw_marks()

    def draw_rock(self, field: SignedDistanceField | None) -> None:
        """Draw a tone around the walls, and hatching on it."""
        grounds = self.plan.open_cells
        reach = (
            CAVE_HATCH_REACH
            if np.count_nonzero(self.plan.natural_cells & grounds) * 2 > np.count_nonzero(grounds)
            else HATCH_REACH
        )
        if field is None:
            if not self.coarse:
                self.scene.stroke(self.walls, TONE, 1.96 * reach, closed=True)
            draw_rock_washes(self.scene, self.plan.coloured_tiles, TILE_OPACITY, self.plan.open_cells)
            return
        flowing = field.blurred(0.2)
        for far, opacity in ((0.98, 0.55), (0.55, 0.6)):
            self.scene.fill_area(
                [sketch.thinned(line, 0.35) for line in flowing.lines_at(far * reach)], TONE, opacity=opacity
            )
        draw_rock_washes(self.scene, self.plan.coloured_tiles, TILE_OPACITY, self.plan.open_cells)
        for strokes, width in zip(
            hatching.build_hatching(field, self.seed + 50, reach), (0.052, 0.043, 0.034), strict=True
        ):
            self.scene.stroke(hatching.strokes_to_lines(strokes), INK, width)

    def draw_tile_washes(self) -> None:
        """Draw the ground of tiles that have a colour of their own: a wash, with a fine line around it."""
        for lines, colour in self.plan.ground_washes:
            drawn = lines if self.coarse else wobbled(lines, self.seed + 80, self.plan.natural_share)
            self.scene.fill_area(drawn, colour, opacity=TILE_OPACITY, clip="floor")
            if self.fine:
                self.scene.stroke(drawn, mix_colours(colour, INK, 0.45), 0.045, opacity=0.7, closed=True, clip="floor")

    def draw_shadow(self) -> None:
        """Draw the shadow of the walls on the floor: everything that is not floor, shifted, where there is floor."""
        width, height = self.level.size
        around = rectangle(-9, -9, width + 9, height + 9)
        self.scene.fill_area([around, *(line + SHADOW_REACH for line in self.walls)], INK, opacity=0.2, clip="floor")

    def draw_ground(self) -> None:
        """Draw the squares, and stones among them."""
        plan = self.plan
        dry = plan.open_cells & ~plan.water & ~plan.pits
        if "grid" in self.shown:
            self.scene.stroke(sketch.grid_dashes(dry, self.seed), GRID, 0.03, dash=(0.03, 0.1), clip="floor")
        built = dry & ~plan.natural_cells & self.level.palette.role_mask("floor")[self.level.tiles]
        self.scene.stroke(sketch.flagstone_joints(built, self.seed + 410), GRID, 0.028, opacity=0.8, clip="floor")

    def draw_water(self) -> None:
        """Draw pools: a wash, lines along the shore, and the shore."""
        for body in self.plan.water_bodies:
            fill = mix_colours(FLOOR, body.colour, WATER_OPACITY) if body.colour else WATER
            if self.coarse:
                self.scene.fill_area(body.outlines, fill)
                continue
            shores = wobbled(body.outlines, self.seed + 70, 1.0, nature=((0.14, 0.8), (0.04, 2.7)))
            self.scene.fill_area(shores, fill, clip="floor")
            if self.fine:
                field = SignedDistanceField.of(shores, self.level.width, self.level.height).blurred(0.2)
                for number, (far, width) in enumerate(WATER_LINES):
                    on, off = (1.2 - 0.12 * number, 3.2 - 0.4 * number), (0.25 + 0.15 * number, 0.7 + 0.5 * number)
                    self.scene.stroke(
                        sketch.break_lines(field.lines_at(-far), self.seed + 100 * number, on, off),
                        INK,
                        width,
                        clip="floor",
                    )
            self.scene.stroke(shores, INK, 0.085, closed=True, clip="floor")

    def draw_pits(self) -> None:
        """Draw pits: darker inwards, with pale strokes down from the edge."""
        plan = self.plan
        for body in plan.pit_bodies:
            if self.coarse:
                self.scene.fill_area(body.outlines, body.colour or INK)
                continue
            brinks = wobbled(
                body.outlines,
                self.seed + 90,
                plan.natural_share,
                hand=((0.05, 0.8), (0.012, 4.0)),
                nature=((0.12, 0.8), (0.04, 2.7)),
            )
            rim, deep = (mix_colours(body.colour, INK, 0.5), body.colour) if body.colour else (DEEP, INK)
            self.scene.fill_area(brinks, rim, clip="floor")
            if self.fine:
                field = SignedDistanceField.of(brinks, self.level.width, self.level.height).blurred(0.12)
                for far, opacity in ((0.22, 0.75), (0.45, 1.0)):
                    self.scene.fill_area(
                        [sketch.thinned(line, 0.1) for line in field.lines_at(-far)],
                        deep,
                        opacity=opacity,
                        clip="floor",
                    )
                self.scene.stroke(marks.pit_hachures(brinks, self.seed), FLOOR, 0.035, opacity=0.9, clip="floor")
            self.scene.stroke(brinks, INK, 0.075, closed=True, clip="floor")

    def draw_outline(self) -> None:
        """Draw the walls twice, slightly different, as by hand."""
        self.scene.stroke(self.walls, INK, 0.125, closed=True)
        if not self.coarse:
            self.scene.stroke(_retrace(self.walls, self.seed), INK, 0.095, closed=True)

    def draw_rubble(self, field: SignedDistanceField) -> None:
        """Draw ledges and pebbles in caves, pebbles along walls, cracks in floors."""
        plan = self.plan
        floor = self.level.palette.role_mask("floor", "corridor")[self.level.tiles]
        soft = plan.natural_cells & plan.open_cells
        if soft.any():
            ledges = sketch.break_lines(
                field.blurred(0.15).lines_at(-0.30), self.seed + 500, (0.5, 2.0), (0.8, 3.2), 0.15
            )
            self.scene.stroke([line for line in ledges if _lies_on(line, soft)], INK, 0.032)
        stones = sketch.pebbles(
            field, self.seed + 300, floor & ~marks.narrow_passages(plan.open_cells, plan.natural_cells), soft
        )
        self.scene.fill_area(stones, FLOOR, stroke=INK, width=0.03)
        self.scene.stroke(sketch.cracks(floor & ~soft, self.seed + 400), INK, 0.028, clip="floor")

    def draw_marks(self) -> None:
        """Draw everything that stands on the floor, and its labels."""
        plan, scene, seed = self.plan, self.scene, self.seed
        if "things" in self.shown:
            draw_signs(scene, plan.list_thing_signs(flat=True), INKS, seed, opacity=0.9)
        if len(plan.pillar_centres):
            scene.fill_area(
                [
                    line + 0.12
                    for part in (pillar_sign(x, y)[0] for x, y in plan.pillar_centres.tolist())
                    for line in part.lines
                ],
                INK,
                opacity=0.22,
                clip="floor",
            )
            for centres, colour in plan.pillar_groups:
                inks = INKS._replace(tone=mix_colours(FLOOR, colour, 0.8)) if colour else INKS
                draw_signs(scene, [pillar_sign(x, y) for x, y in centres], inks, seed)
        draw_signs(scene, [place_door_sign(each) for each in plan.doors], INKS, seed)
        draw_signs(scene, [place_stair_sign(each) for each in plan.stairs], INKS, seed)
        if "things" in self.shown:
            draw_signs(scene, plan.list_thing_signs(flat=False), INKS, seed)
        marks.draw_overlays(scene, plan, self.shown)
        written = outline_lock_labels(scene, plan.lock_labels)
        scene.stroke(written, FLOOR, 0.2, closed=True)
        scene.fill_area(written, INK)
        marks.draw_labels(scene, plan, self.shown)


def _retrace(lines: list[Points], seed: int) -> list[Points]:
    """The same lines, drawn a second time."""
    points = np.concatenate(lines) if lines else np.empty((0, 2))
    moved = points + drift(points, seed + 61, ((0.028, 1.7),))
    return np.split(moved, np.cumsum([len(line) for line in lines])[:-1]) if lines else []


def _lies_on(line: Points, cells: NDArray[np.bool_]) -> bool:
    """Whether the middle of a line lies on one of the cells."""
    x, y = line[len(line) // 2]
    return 0 <= y < cells.shape[0] and 0 <= x < cells.shape[1] and bool(cells[int(y), int(x)])


def add_paper_texture(pixels: Pixels, _cell: int, seed: int) -> Pixels:
    """Add the texture of paper: clouds, grain, and vertical fibres. Large pictures repeat the grain."""
    height, width = pixels.shape[:2]
    clouds = noise.fbm(height, width, 260, 4, seed)
    fibres = noise.fbm(min(height, 1024), min(width, 1024), 3.5, 2, seed + 9, stretch=2.6)
    fibres += noise.hash_noise(np.arange(fibres.shape[1]), np.arange(fibres.shape[0])[:, None], seed + 5).astype(
        np.float32
    )
    grain = np.tile(fibres, (-(-height // fibres.shape[0]), -(-width // fibres.shape[1])))[:height, :width]
    shade = (clouds - np.float32(0.5)) * np.float32(255 * 0.055) + (grain - np.float32(1.0)) * np.float32(255 * 0.025)
    changed: Pixels = np.clip(pixels + shade[:, :, None], 0, 255).astype(np.uint8)
    return changed
