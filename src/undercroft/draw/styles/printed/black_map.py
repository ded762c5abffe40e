"""A map in pure black, for any printer: no tints, shadows as dots, rock as strokes. Nothing is clipped, so that it can
be cut into pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from undercroft.draw.pen import hatching, noise, sketch
from undercroft.draw.pen.distance_field import Field
from undercroft.draw.pen.wobble import drift, wobbled
from undercroft.draw.scene.lettering import outlines
from undercroft.draw.scene.lettering import width as wide
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.styles.blueprint.ground import runs
from undercroft.draw.styles.ink import marks
from undercroft.draw.styles.printed.dots import crosses, scattered, sides, teeth
from undercroft.draw.view import graph_lines
from undercroft.draw.view.level_view import Label, Plan
from undercroft.draw.view.room_names import named
from undercroft.draw.view.symbols import Inks, door, paint, pillar, stair
from undercroft.draw.view.thing_symbols import lies_flat, thing

BLACK, WHITE = "#000000", "#ffffff"
INKS = Inks(BLACK, WHITE, WHITE)
REACH, WILD = 2.5, 3.0
"""How far hatching reaches from walls, and in caves, in sizes of its groups."""
SHADOW = 0.2
"""How far walls throw their shadow, right and down."""
DOTS = 0.095
"""How far the dots of a shadow are apart at least, in sizes of hatching."""
RINGS = ((0.14, 0.022), (0.28, 0.02), (0.46, 0.018), (0.70, 0.016), (1.0, 0.015), (1.35, 0.014), (1.8, 0.014))
"""Lines in water: how far from the shore, and how thick."""
CLEAR = 0.05
"""How far numbers stay away from where pages are cut, in squares."""
FINE, COARSE = 90_000, 1_200_000
"""Cells up to which everything is drawn, and all but the finest."""


@dataclass(frozen=True)
class Map:
    """What is drawn. `size` is how far groups of hatching are apart: on small squares they are larger, and pens
    thicker.
    """

    plan: Plan
    shown: frozenset[str]
    size: float = 0.27
    cuts: tuple[range, range] = (range(0), range(0))
    """Columns and rows at which it is cut into pages: no number lies across them."""

    @property
    def pen(self) -> float:
        """How much thicker pens are than on squares of an inch."""
        return self.size / 0.27

    @cached_property
    def seed(self) -> int:
        return noise.seed_of(self.plan.level)

    @property
    def is_fine(self) -> bool:
        return self.plan.level.tiles.size <= FINE

    @property
    def is_coarse(self) -> bool:
        return self.plan.level.tiles.size > COARSE

    @cached_property
    def walls(self) -> list[Points]:
        if self.is_coarse:
            return self.plan.walls
        hand = ((0.02 * self.pen, 0.8), (0.007 * self.pen, 4.0))
        return wobbled(
            self.plan.walls,
            self.seed,
            self.plan.softness,
            hand=hand,
            nature=((0.16, 0.8), (0.04, 2.7)),
            piece=0.2 if self.is_fine else 1.0,
        )

    @cached_property
    def field(self) -> Field:
        return self._field(self.walls)

    def _field(self, lines: list[Points]) -> Field:
        return Field.of(
            lines,
            self.plan.level.width,
            self.plan.level.height,
            per_cell=12 if self.plan.level.tiles.size < 10_000 else 8,
        )

    def draw(self, page: Scene) -> None:
        """All of it, from the paper up."""
        if self.is_fine:
            self._rock(page)
        page.area(self.walls, WHITE)
        if self.is_fine:
            self._shade(page)
            self._ground(page)
        self._water(page)
        if "grid" in self.shown and self.is_fine:
            self._grid(page)
        self._pits(page)
        page.stroke(self.walls, BLACK, 0.075 * self.pen, closed=True)
        if self.is_fine:
            page.stroke(self._again, BLACK, 0.055 * self.pen, closed=True)
            self._rubble(page)
        if not self.is_coarse:
            self._marks(page)

    def _rock(self, page: Scene) -> None:
        ground = self.plan.open
        reach = (
            WILD if np.count_nonzero(self.plan.soft & ground) > np.count_nonzero(ground) / 2 else REACH
        ) * self.size
        for strokes, width in zip(
            hatching.hatched(self.field, self.seed + 50, reach, self.size), (0.022, 0.018, 0.015), strict=True
        ):
            page.stroke(hatching.lines(strokes), BLACK, width * self.pen)

    def _shade(self, page: Scene) -> None:
        """Dots where walls throw a shadow: on floor that has rock to its upper left."""
        rock = np.pad(~self.plan.open, ((1, 0), (1, 0)), constant_values=True)
        ys, xs = np.nonzero(self.plan.open & (rock[:-1, 1:] | rock[1:, :-1] | rock[:-1, :-1]))
        if not len(xs):
            return
        reach = SHADOW * min(1.6, self.pen)
        dots = scattered(DOTS * self.size / 0.5)
        points = (np.stack([xs, ys], axis=1)[:, None] + dots).reshape(-1, 2)
        shaded = (self.field.at(points) < -0.02) & (self.field.at(points - reach) > -0.05)
        page.stroke(list(points[shaded][:, None]), BLACK, 0.019 * self.pen)

    def _ground(self, page: Scene) -> None:
        """A few joints and cracks in the floor, so that it is not bare."""
        floor = self.plan.level.palette.having("floor")[self.plan.level.tiles] & ~self.plan.soft
        page.stroke(sketch.flagstones(floor, self.seed + 410, 0.12), BLACK, 0.009 * self.pen)
        page.stroke(sketch.cracks(floor, self.seed + 400, 0.05), BLACK, 0.012 * self.pen)

    def _water(self, page: Scene) -> None:
        plan = self.plan
        if not plan.water.any():
            return
        if not self.is_fine:
            page.stroke(plan.shores, BLACK, 0.04 * self.pen, closed=True)
            return
        shores = wobbled(plan.shores, self.seed + 70, 1.0, nature=((0.12, 0.8), (0.04, 2.7)))
        page.area(shores, WHITE)
        depth = self._field(shores).blurred(0.18)
        for number, (far, width) in enumerate(RINGS):
            on, off = (0.8 - 0.06 * number, 2.4 - 0.2 * number), (0.1 + 0.08 * number, 0.4 + 0.22 * number)
            strokes = sketch.pens(depth.lines(-far), self.seed + 100 * number, on, off, 0.08)
            page.stroke(self._inside(strokes), BLACK, width * self.pen)
        page.stroke(self._inside([np.concatenate([line, line[:1]]) for line in shores]), BLACK, 0.04 * self.pen)

    def _inside(self, lines: list[Points]) -> list[Points]:
        """The pieces of lines that are not in the rock."""
        return [piece for line in lines for piece in runs(line, self.field.at(line) < 0.02)]

    def _grid(self, page: Scene) -> None:
        """Squares to count and to move on, in water too: fine dots from corner to corner, and crosses at the
        corners.
        """
        cells = self.plan.open & ~self.plan.pits
        lines = sides(cells)
        page.stroke(list(lines), BLACK, 0.011 * self.pen, dash=(0.02, 0.06), cap="butt")
        if self.size < 0.4:
            page.stroke(list(crosses(cells, 0.07)), BLACK, 0.014, cap="butt")

    def _pits(self, page: Scene) -> None:
        plan = self.plan
        if not plan.pits.any():
            return
        if not self.is_fine:
            page.area(plan.brinks, BLACK)
            return
        brinks = wobbled(
            plan.brinks, self.seed + 90, plan.softness, hand=((0.03, 0.8),), nature=((0.12, 0.8), (0.04, 2.7))
        )
        page.area(brinks, WHITE)
        page.area([sketch.thinned(line, 0.05) for line in self._field(brinks).blurred(0.1).lines(-0.28)], BLACK)
        page.stroke(teeth(brinks, self.seed), BLACK, 0.016 * self.pen)
        page.stroke(brinks, BLACK, 0.05 * self.pen, closed=True)

    @property
    def _again(self) -> list[Points]:
        """The walls a second time, as a pen draws them."""
        if not self.walls:
            return []
        points = np.concatenate(self.walls)
        moved = points + drift(points, self.seed + 61, ((0.016 * self.pen, 1.7),))
        return np.split(moved, np.cumsum([len(line) for line in self.walls])[:-1])

    def _rubble(self, page: Scene) -> None:
        plan = self.plan
        floor = plan.level.palette.having("floor", "corridor")[plan.level.tiles]
        soft = plan.soft & plan.open
        stones = sketch.pebbles(self.field, self.seed + 300, floor & ~marks.narrow(plan.open, plan.soft), soft)
        page.area(stones, WHITE, stroke=BLACK, width=0.016 * self.pen)

    def _marks(self, page: Scene) -> None:
        """Everything that stands on the floor, and what is written on it."""
        plan, heavier, seed = self.plan, 0.62 * self.pen**0.7, self.seed
        if "things" in self.shown:
            paint(page, [thing(each) for each in plan.things if lies_flat(each)], INKS, seed, heavier=heavier)
        paint(page, [pillar(x, y) for x, y in plan.pillars.tolist()], INKS, seed, heavier=heavier)
        paint(page, [door(each) for each in plan.doors], INKS, seed, heavier=heavier)
        paint(page, [stair(each) for each in plan.stairs], INKS, seed, heavier=heavier)
        if "things" in self.shown:
            paint(page, [thing(each) for each in plan.things if not lies_flat(each)], INKS, seed, heavier=heavier)
        if "path" in self.shown and len(plan.way) > 1:
            page.stroke([plan.way], WHITE, 0.12 * self.pen)
            page.stroke([plan.way], BLACK, 0.05 * self.pen, dash=(0.3, 0.2))
        if "graph" in self.shown:
            self._graph(page)
        self._ties(page)
        self._labels(page)

    def _graph(self, page: Scene) -> None:
        """Lines from room to room; rings round the numbers of rooms, or small ones where none stands."""
        level = self.plan.level
        graph, at = level.graph, graph_lines.places(level)
        spots = (
            [(label.label, *self._spot(label)) for label in self.plan.labels]
            if {"numbers", "names"} & self.shown
            else []
        )
        for label, x, y, _ in spots:
            at[label] = x, y
        lines = [graph_lines.line(graph, link, at) for link in graph.links if link.a and link.b]
        page.stroke(lines, WHITE, 0.12 * self.pen)
        page.stroke(lines, BLACK, 0.045 * self.pen)
        rings = dict.fromkeys(graph.nodes, 0.2) | {label: 0.72 * size for label, _, _, size in spots}
        page.area(
            [circle(float(at[label, 0]), float(at[label, 1]), radius, 24) for label, radius in rings.items()],
            WHITE,
            stroke=BLACK,
            width=0.045 * self.pen,
        )

    def _labels(self, page: Scene) -> None:
        """Names where they are wanted and fit, else numbers: small on large squares, where miniatures stand."""
        if not {"numbers", "names"} & self.shown:
            return
        most = self._most
        names = named(self.plan, "italic", min(0.85, most), min(0.5, most)) if "names" in self.shown else []
        texts = [
            line
            for name in names
            for words, y in name.baselines()
            for line in outlines(words, name.x, y, name.size, "italic", anchor=0.5)
        ]
        done = {name.label.label for name in names}
        for label in self.plan.labels:
            if label.label not in done:
                x, y, size = self._spot(label)
                texts += outlines(str(label.number), x, y + 0.35 * size, size, "figures", anchor=0.5)
        page.stroke(texts, WHITE, 0.22 * most, closed=True)
        page.area(texts, BLACK)

    def _ties(self, page: Scene) -> None:
        """The names of locks beside doors and keys, off all cuts."""
        size = 0.8 * self._most
        written: list[Points] = []
        for tie in self.plan.ties:
            box = tie.box(size)
            x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
            off = (
                beside(x, (box.right - box.left) / 2, self.cuts[0]) - x,
                beside(y, (box.bottom - box.top) / 2, self.cuts[1]) - y,
            )
            written += [line + off for line in tie.lines(size)]
        page.stroke(written, WHITE, 0.22 * self._most, closed=True)
        page.area(written, BLACK)

    @property
    def _most(self) -> float:
        """How high numbers are at the most."""
        return min(1.12, 0.42 * float(self.pen**1.6))

    def _spot(self, label: Label) -> tuple[float, float, float]:
        """Where the number of a room stands, off all cuts, and how high it is."""
        size = self._most if label.clear > 0.45 else min(self._most, 0.8)
        half = (
            (0.72 * size, 0.72 * size)
            if "graph" in self.shown
            else (wide(str(label.number), size, "figures") / 2, 0.4 * size)
        )
        return beside(label.x, half[0], self.cuts[0]), beside(label.y, half[1], self.cuts[1]), size


def beside(middle: float, half: float, cuts: range) -> float:
    """The middle of something so wide, moved as little as keeps it off a cut.

    >>> beside(7.1, 0.3, range(0, 21, 7)), beside(6.9, 0.3, range(0, 21, 7)), beside(6.0, 0.3, range(0, 21, 7))
    (7.35, 6.65, 6.0)
    """
    for cut in cuts:
        if abs(middle - cut) < half + CLEAR:
            return round(cut + (half + CLEAR) * (1 if middle >= cut else -1), 6)
    return middle
