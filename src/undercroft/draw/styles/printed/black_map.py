"""A map in pure black, for any printer: no tints, shadows as dots, rock as strokes. Nothing is clipped, so that it can
be cut into pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.pen import contour, hatching, noise, sketch
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.pen.free_space import cut_lines
from undercroft.draw.pen.wobble import drift, wobbled
from undercroft.draw.scene.lettering import text_width
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.blueprint.ground import split_runs
from undercroft.draw.styles.ink import marks
from undercroft.draw.styles.printed.dots import cell_borders, corner_crosses, pit_strokes, scatter_dots
from undercroft.draw.styles.printed.patterns import PATTERN_PEN, fill_cells
from undercroft.draw.view import graph_lines
from undercroft.draw.view.coloured_tiles import ROCK_ROLES, HollowBody
from undercroft.draw.view.label_outlines import draw_lead_lines, list_text_boxes, outline_names, outline_numbers
from undercroft.draw.view.level_view import LevelView, RoomLabel
from undercroft.draw.view.room_names import NameLabel, place_names
from undercroft.draw.view.symbols import Inks, draw_signs, pillar_sign, place_door_sign, place_stair_sign

BLACK, WHITE = "#000000", "#ffffff"
INKS = Inks(BLACK, WHITE, WHITE)
HATCH_REACH, CAVE_HATCH_REACH = 2.5, 3.0
"""The reach of hatching from walls, and in caves, in group sizes."""
SHADOW_REACH = 0.2
"""The length of the shadow of walls, right and down."""
MIN_DOT_GAP = 0.095
"""The minimum distance between the dots of a shadow, in group sizes of hatching."""
WATER_LINES = ((0.14, 0.022), (0.28, 0.02), (0.46, 0.018), (0.70, 0.016), (1.0, 0.015), (1.35, 0.014), (1.8, 0.014))
"""Lines in water: their distance from the shore, and their thickness."""
CUT_CLEARANCE = 0.05
"""The minimum distance of numbers from the cuts between pages, in squares."""
MAX_CELLS_WITH_DETAIL, MAX_CELLS_WITH_MARKS = 90_000, 1_200_000
"""Cells up to which everything is drawn, and up to which all but the finest details are drawn."""


@dataclass(frozen=True)
class BlackMap:
    """The map to draw. `size` is the distance between groups of hatching: on small squares groups are larger, and pens
    thicker.
    """

    plan: LevelView
    shown: frozenset[str]
    size: float = 0.27
    cuts: tuple[range, range] = (range(0), range(0))
    """The columns and rows at which it is cut into pages: no number lies across them."""

    @property
    def pen_scale(self) -> float:
        """How much thicker pens are than on squares of an inch."""
        return self.size / 0.27

    @cached_property
    def seed(self) -> int:
        return noise.picture_seed(self.plan.level)

    @property
    def is_fine(self) -> bool:
        return self.plan.level.tiles.size <= MAX_CELLS_WITH_DETAIL

    @property
    def is_coarse(self) -> bool:
        return self.plan.level.tiles.size > MAX_CELLS_WITH_MARKS

    @cached_property
    def walls(self) -> list[Points]:
        if self.is_coarse:
            return self.plan.wall_outlines
        hand = ((0.02 * self.pen_scale, 0.8), (0.007 * self.pen_scale, 4.0))
        return wobbled(
            self.plan.wall_outlines,
            self.seed,
            self.plan.natural_share,
            hand=hand,
            nature=((0.16, 0.8), (0.04, 2.7)),
            piece=0.2 if self.is_fine else 1.0,
        )

    @cached_property
    def field(self) -> SignedDistanceField:
        return self._build_field(self.walls)

    def _build_field(self, lines: list[Points]) -> SignedDistanceField:
        return SignedDistanceField.of(
            lines,
            self.plan.level.width,
            self.plan.level.height,
            per_cell=12 if self.plan.level.tiles.size < 10_000 else 8,
        )

    def draw(self, page: Scene) -> None:
        """Draw the map, from the paper up."""
        if self.is_fine:
            self._draw_rock(page)
            self._draw_rock_patterns(page)
        page.fill_area(self.walls, WHITE)
        if self.is_fine:
            self._draw_shadows(page)
            self._draw_ground(page)
            self._draw_ground_patterns(page)
        self._draw_water(page)
        if "grid" in self.shown and self.is_fine:
            self._draw_grid(page)
        self._draw_pits(page)
        page.stroke(self.walls, BLACK, 0.075 * self.pen_scale, closed=True)
        if self.is_fine:
            page.stroke(self._second_outline, BLACK, 0.055 * self.pen_scale, closed=True)
            self._draw_rubble(page)
        if not self.is_coarse:
            self._draw_marks(page)

    def _draw_rock(self, page: Scene) -> None:
        ground = self.plan.open_cells
        reach = (
            CAVE_HATCH_REACH
            if np.count_nonzero(self.plan.natural_cells & ground) > np.count_nonzero(ground) / 2
            else HATCH_REACH
        ) * self.size
        for strokes, width in zip(
            hatching.build_hatching(self.field, self.seed + 50, reach, self.size), (0.022, 0.018, 0.015), strict=True
        ):
            page.stroke(hatching.strokes_to_lines(strokes), BLACK, width * self.pen_scale)

    def _draw_shadows(self, page: Scene) -> None:
        """Draw dots in the shadow of walls: on floor that has rock to its upper left."""
        rock = np.pad(~self.plan.open_cells, ((1, 0), (1, 0)), constant_values=True)
        ys, xs = np.nonzero(self.plan.open_cells & (rock[:-1, 1:] | rock[1:, :-1] | rock[:-1, :-1]))
        if not len(xs):
            return
        reach = SHADOW_REACH * min(1.6, self.pen_scale)
        dots = scatter_dots(MIN_DOT_GAP * self.size / 0.5)
        points = (np.stack([xs, ys], axis=1)[:, None] + dots).reshape(-1, 2)
        shaded = (self.field.sample(points) < -0.02) & (self.field.sample(points - reach) > -0.05)
        page.stroke(list(points[shaded][:, None]), BLACK, 0.019 * self.pen_scale)

    def _draw_ground(self, page: Scene) -> None:
        """Draw a few joints and cracks, so that the floor is not bare."""
        floor = self.plan.level.palette.role_mask("floor")[self.plan.level.tiles] & ~self.plan.natural_cells
        page.stroke(sketch.flagstone_joints(floor, self.seed + 410, 0.12), BLACK, 0.009 * self.pen_scale)
        page.stroke(sketch.cracks(floor, self.seed + 400, 0.05), BLACK, 0.012 * self.pen_scale)

    def _draw_rock_patterns(self, page: Scene) -> None:
        """Draw walls that have a colour of their own with their pattern instead of hatching."""
        for number, (tile, cells) in enumerate(self.plan.coloured_tiles):
            if tile.role in ROCK_ROLES:
                page.fill_area([loop.points for loop in contour.trace_outlines(cells)], WHITE)
                lines = fill_cells(number, cells, lambda points: self.field.sample(points) > 0.0)
                page.stroke(lines, BLACK, PATTERN_PEN * self.pen_scale)

    def _draw_ground_patterns(self, page: Scene) -> None:
        """Draw the patterns of ground that has a colour of its own."""
        hollow = self.plan.water | self.plan.pits
        for number, (tile, cells) in enumerate(self.plan.coloured_tiles):
            if tile.role not in ROCK_ROLES:
                lines = fill_cells(number, cells & ~hollow, lambda points: self.field.sample(points) < -0.03)
                page.stroke(lines, BLACK, PATTERN_PEN * self.pen_scale)

    def _draw_hollow_pattern(self, page: Scene, body: HollowBody, field: SignedDistanceField) -> None:
        """Draw the pattern of water or a pit that has a colour of its own."""
        numbers = [
            number
            for number, (tile, cells) in enumerate(self.plan.coloured_tiles)
            if tile.colour == body.colour and (cells & body.cells).any()
        ]
        lines = fill_cells(numbers[0], body.cells, lambda points: field.sample(points) < -0.03)
        page.stroke(lines, BLACK, PATTERN_PEN * self.pen_scale)

    def _draw_water(self, page: Scene) -> None:
        for body in self.plan.water_bodies:
            if not self.is_fine:
                page.stroke(body.outlines, BLACK, 0.04 * self.pen_scale, closed=True)
                continue
            shores = wobbled(body.outlines, self.seed + 70, 1.0, nature=((0.12, 0.8), (0.04, 2.7)))
            page.fill_area(shores, WHITE)
            field = self._build_field(shores)
            if body.colour:
                self._draw_hollow_pattern(page, body, field)
            depth = field.blurred(0.18)
            for number, (far, width) in enumerate(WATER_LINES[:1] if body.colour else WATER_LINES):
                on, off = (0.8 - 0.06 * number, 2.4 - 0.2 * number), (0.1 + 0.08 * number, 0.4 + 0.22 * number)
                strokes = sketch.break_lines(depth.lines_at(-far), self.seed + 100 * number, on, off, 0.08)
                page.stroke(self._clip_to_floor(strokes), BLACK, width * self.pen_scale)
            page.stroke(
                self._clip_to_floor([np.concatenate([line, line[:1]]) for line in shores]), BLACK, 0.04 * self.pen_scale
            )

    def _clip_to_floor(self, lines: list[Points]) -> list[Points]:
        """The pieces of lines that are not in the rock."""
        return [piece for line in lines for piece in split_runs(line, self.field.sample(line) < 0.02)]

    def _draw_grid(self, page: Scene) -> None:
        """Draw squares to count and to move on, in water too: fine dots from corner to corner, and crosses at the
        corners.
        """
        cells = self.plan.open_cells & ~self.plan.pits
        lines = cell_borders(cells)
        page.stroke(list(lines), BLACK, 0.011 * self.pen_scale, dash=(0.02, 0.06), cap="butt")
        if self.size < 0.4:
            page.stroke(list(corner_crosses(cells, 0.07)), BLACK, 0.014, cap="butt")

    def _draw_pits(self, page: Scene) -> None:
        for body in self.plan.pit_bodies:
            if not self.is_fine:
                page.fill_area(body.outlines, BLACK)
                continue
            brinks = wobbled(
                body.outlines,
                self.seed + 90,
                self.plan.natural_share,
                hand=((0.03, 0.8),),
                nature=((0.12, 0.8), (0.04, 2.7)),
            )
            page.fill_area(brinks, WHITE)
            field = self._build_field(brinks)
            if body.colour:
                self._draw_hollow_pattern(page, body, field)
            else:
                page.fill_area([sketch.thinned(line, 0.05) for line in field.blurred(0.1).lines_at(-0.28)], BLACK)
            page.stroke(pit_strokes(brinks, self.seed), BLACK, 0.016 * self.pen_scale)
            page.stroke(brinks, BLACK, 0.05 * self.pen_scale, closed=True)

    @property
    def _second_outline(self) -> list[Points]:
        """The second stroke of the walls, as by hand."""
        if not self.walls:
            return []
        points = np.concatenate(self.walls)
        moved = points + drift(points, self.seed + 61, ((0.016 * self.pen_scale, 1.7),))
        return np.split(moved, np.cumsum([len(line) for line in self.walls])[:-1])

    def _draw_rubble(self, page: Scene) -> None:
        plan = self.plan
        floor = plan.level.palette.role_mask("floor", "corridor")[plan.level.tiles]
        soft = plan.natural_cells & plan.open_cells
        stones = sketch.pebbles(
            self.field, self.seed + 300, floor & ~marks.narrow_passages(plan.open_cells, plan.natural_cells), soft
        )
        page.fill_area(stones, WHITE, stroke=BLACK, width=0.016 * self.pen_scale)

    def _draw_marks(self, page: Scene) -> None:
        """Draw everything that stands on the floor, and its labels."""
        plan, heavier, seed = self.plan, 0.62 * self.pen_scale**0.7, self.seed
        if "things" in self.shown:
            draw_signs(page, plan.list_thing_signs(flat=True), INKS, seed, heavier=heavier)
        draw_signs(page, [pillar_sign(x, y) for x, y in plan.pillar_centres.tolist()], INKS, seed, heavier=heavier)
        draw_signs(page, [place_door_sign(each) for each in plan.doors], INKS, seed, heavier=heavier)
        draw_signs(page, [place_stair_sign(each) for each in plan.stairs], INKS, seed, heavier=heavier)
        if "things" in self.shown:
            draw_signs(page, plan.list_thing_signs(flat=False), INKS, seed, heavier=heavier)
        if "path" in self.shown and len(plan.smooth_path) > 1:
            page.stroke([plan.smooth_path], WHITE, 0.12 * self.pen_scale)
            page.stroke([plan.smooth_path], BLACK, 0.05 * self.pen_scale, dash=(0.3, 0.2))
        if "graph" in self.shown:
            self._draw_graph(page)
        self._draw_lock_labels(page)
        self._draw_labels(page)

    def _draw_graph(self, page: Scene) -> None:
        """Draw lines from room to room, with rings around the numbers of rooms, or small rings where there is no
        number.
        """
        level = self.plan.level
        graph, at = level.graph, graph_lines.node_points(level)
        spots = (
            [(label.label, label.x, label.y, label.size) for label in self._labels]
            if {"numbers", "names"} & self.shown
            else []
        )
        for label, x, y, _ in spots:
            at[label] = x, y
        lines = [graph_lines.link_line(graph, link, at) for link in graph.links if link.a and link.b]
        lines = cut_lines(lines, list_text_boxes(self.plan, self._names, "italic"))
        page.stroke(lines, WHITE, 0.12 * self.pen_scale)
        page.stroke(lines, BLACK, 0.045 * self.pen_scale)
        rings = dict.fromkeys(graph.nodes, 0.2) | {label: 0.72 * size for label, _, _, size in spots}
        page.fill_area(
            [circle(float(at[label, 0]), float(at[label, 1]), radius, 24) for label, radius in rings.items()],
            WHITE,
            stroke=BLACK,
            width=0.045 * self.pen_scale,
        )

    def _draw_labels(self, page: Scene) -> None:
        """Draw names if they are shown and fit, else numbers: small on large squares, where miniatures stand."""
        if not {"numbers", "names"} & self.shown:
            return
        most, names = self._max_number_height, self._names
        done = {name.label.label for name in names}
        rest = [label for label in self._labels if label.label not in done]
        draw_lead_lines(page, rest, BLACK, WHITE, min(0.05, 0.1 * most))
        texts = outline_names(page, names, "italic") + outline_numbers(page, rest)
        page.stroke(texts, WHITE, 0.22 * most, closed=True)
        page.fill_area(texts, BLACK)

    def _draw_lock_labels(self, page: Scene) -> None:
        """Draw the names of locks beside doors and keys, off all cuts."""
        size = 0.8 * self._max_number_height
        written: list[Points] = []
        for tie in self.plan.lock_labels:
            box = tie.box(size)
            x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
            off = (
                move_off_cuts(x, (box.right - box.left) / 2, self.cuts[0]) - x,
                move_off_cuts(y, (box.bottom - box.top) / 2, self.cuts[1]) - y,
            )
            written += page.mark_text("lock", tie.word, [line + off for line in tie.lines(size)])
        page.stroke(written, WHITE, 0.22 * self._max_number_height, closed=True)
        page.fill_area(written, BLACK)

    @property
    def _max_number_height(self) -> float:
        """The maximum height of numbers."""
        return min(1.12 * self.plan.label_scale, 0.42 * float(self.pen_scale**1.6))

    @cached_property
    def _names(self) -> list[NameLabel]:
        most = self._max_number_height
        return place_names(self.plan, "italic", min(0.85, most), min(0.5, most)) if "names" in self.shown else []

    @cached_property
    def _labels(self) -> list[RoomLabel]:
        """The numbers of rooms off all cuts, as large as they are drawn."""
        found = []
        for label in self.plan.labels:
            size = min(label.size, self._max_number_height)
            half = (
                (0.72 * size, 0.72 * size)
                if "graph" in self.shown
                else (text_width(str(label.number), size, "figures") / 2, 0.4 * size)
            )
            x, y = (move_off_cuts((label.x, label.y)[side], half[side], self.cuts[side]) for side in (0, 1))
            found.append(label._replace(x=x, y=y, size=size))
        return found


def move_off_cuts(middle: float, half: float, cuts: range) -> float:
    """The middle of an object of that half-width, moved as little as possible off a cut.

    >>> [move_off_cuts(middle, 0.3, range(0, 21, 7)) for middle in (7.1, 6.9, 6.0)]
    [7.35, 6.65, 6.0]
    """
    for cut in cuts:
        if abs(middle - cut) < half + CUT_CLEARANCE:
            return round(cut + (half + CUT_CLEARANCE) * (1 if middle >= cut else -1), 6)
    return middle
