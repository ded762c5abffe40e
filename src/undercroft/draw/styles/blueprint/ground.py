"""The ground of a blueprint: squared paper, walls as hatched bands, floors, water and the contour lines of caves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.draw.pen import noise
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.pen.free_space import FreeSpace
from undercroft.draw.pen.parallel_lines import dash_lines, slanted_lines, to_cell_lines
from undercroft.draw.pen.wobble import wobbled
from undercroft.draw.scene.scene import Points, Scene
from undercroft.draw.styles.blueprint.inks import BAND, FAINT, FLOOR, LINE, PALE, TILE_OPACITY
from undercroft.draw.view.level_view import LevelView

WALL_THICKNESS = 0.40
"""The thickness of walls, in cells."""
FILLED = np.float32(WALL_THICKNESS - 0.02)
"""The distance from walls that is taken for the inside of a thin wall, in cells."""
MIN_ROCK_DEPTH = 0.85
"""The greatest distance from walls, in cells, of what still is a wall: in walls of one cell, and where they cross."""
HEIGHT_LINES = (1.2, 2.4, 3.6, 4.8)
"""The distances from the wall of the contour lines in caves, as in surveys."""
DEPTH_LINES = (0.5, 1.2, 2.2)
"""The same in water."""
ROUGHNESS = ((0.09, 0.8), (0.03, 2.7))
"""The roughness of rock: less than in hand drawings, because it was measured."""
MAX_CELLS_WITH_DETAIL = 400_000
"""The largest level that is drawn in full, in cells. Larger ones have walls without bands and no text, which would be
too small to see.
"""


@dataclass(frozen=True)
class BlueprintGround:
    """The geometry that lines follow."""

    plan: LevelView

    @cached_property
    def seed(self) -> int:
        return noise.picture_seed(self.plan.level)

    @cached_property
    def is_fine(self) -> bool:
        """Whether the level is small enough for details."""
        return self.plan.level.tiles.size <= MAX_CELLS_WITH_DETAIL

    @cached_property
    def walls(self) -> list[Points]:
        return self.roughen(self.plan.wall_outlines)

    @cached_property
    def shores(self) -> list[Points]:
        return self.roughen(self.plan.water_outlines)

    @cached_property
    def brinks(self) -> list[Points]:
        return self.roughen(self.plan.pit_outlines)

    @cached_property
    def field(self) -> SignedDistanceField:
        """The distance of every point from the walls."""
        return self.build_field(self.walls)

    def build_field(self, lines: list[Points]) -> SignedDistanceField:
        level = self.plan.level
        return SignedDistanceField.of(
            lines, level.width, level.height, per_cell=8 if level.tiles.size <= MAX_CELLS_WITH_DETAIL // 8 else 4
        )

    @cached_property
    def outer_walls(self) -> list[Points]:
        """The far sides of the walls."""
        if not self.is_fine:
            return []
        field = self.field.blurred(0.07)
        return replace(field, distances=fill_pockets(field.distances)).lines_at(WALL_THICKNESS)

    def roughen(self, lines: list[Points]) -> list[Points]:
        """The lines, roughened along natural rock."""
        if not self.is_fine or not (self.plan.natural_cells & self.plan.open_cells).any():
            return lines
        return wobbled(lines, self.seed, self.plan.natural_share, hand=(), nature=ROUGHNESS, piece=0.3)


def fill_pockets(distances: NDArray[np.float32]) -> NDArray[np.float32]:
    """The distances with those inside walls of one cell, which are no rock, reduced to the thickness of a wall."""
    beyond = distances > WALL_THICKNESS
    labels, many = reach.label_components(beyond.astype(np.uint8))
    deepest = np.zeros(many + 1, np.float32)
    np.maximum.at(deepest, labels.reshape(-1), distances.reshape(-1))
    thin = deepest < MIN_ROCK_DEPTH
    thin[0] = False
    return np.where(thin[labels], FILLED, distances)


def draw_ground(page: Scene, ground: BlueprintGround, *, grid: bool) -> None:
    """Draw the ground, from the floors up, without the outlines of walls. Nothing is clipped, because clips are slow to
    render.
    """
    level = ground.plan.level
    page.fill_area(ground.walls, FLOOR, opacity=0.55)
    page.fill_area(ground.shores, FLOOR, opacity=0.7)
    if grid:
        page.stroke(
            squared_paper_lines(-1, -1, level.width + 1, level.height + 1), FAINT, 0.022, opacity=0.42, cap="butt"
        )
    if ground.is_fine:
        far = fill_pockets(ground.field.distances)
        depths = np.minimum(far, np.where(far == FILLED, FILLED, WALL_THICKNESS - far))
        page.fill_area([*ground.outer_walls, *ground.walls], BAND, opacity=0.55)
        page.stroke(
            to_cell_lines(slanted_lines(depths, ground.field.per_cell // 4), ground.field),
            LINE,
            0.028,
            opacity=0.75,
            cap="butt",
        )


def draw_tile_washes(page: Scene, ground: BlueprintGround) -> None:
    """Draw the ground and water of tiles that have a colour of their own."""
    plan = ground.plan
    washes = plan.ground_washes + [(body.outlines, body.colour) for body in plan.water_bodies if body.colour]
    if washes:
        page.define_clip("walls", ground.walls)
    for lines, colour in washes:
        page.fill_area(ground.roughen(lines), colour, opacity=TILE_OPACITY, clip="walls")


def draw_water(page: Scene, ground: BlueprintGround) -> None:
    """Draw water as staggered dashes, with depth lines."""
    if not ground.plan.water.any() or not ground.is_fine:
        return
    field = ground.build_field(ground.shores)
    part = field.per_cell
    depths = np.minimum(-field.distances, -ground.field.distances) - np.float32(0.06)
    rows = np.arange(0, len(depths), round(0.32 * part))
    page.stroke(
        to_cell_lines(dash_lines(depths, rows, round(0.75 * part), round(0.45 * part)), field),
        PALE,
        0.035,
        cap="butt",
        opacity=0.9,
    )
    deeper = field.blurred(0.2)
    page.stroke(
        [line for depth in DEPTH_LINES for line in deeper.lines_at(-depth)],
        PALE,
        0.03,
        dash=(0.28, 0.12, 0.06, 0.12),
        cap="butt",
    )
    closed = [np.concatenate([line, line[:1]]) for line in ground.shores]
    page.stroke([piece for line in closed for piece in split_runs(line, ground.field.sample(line) < 0.05)], LINE, 0.06)


def draw_height_lines(page: Scene, ground: BlueprintGround, places: FreeSpace) -> None:
    """Draw contour lines in caves, as in a survey. They leave out water and pits, which have their own, and anything
    that stands there.
    """
    plan = ground.plan
    cave = plan.natural_cells & plan.open_cells
    if not cave.any():
        return
    field = ground.field.blurred(0.35)
    other = FreeSpace(plan.level.width, plan.level.height, places.margin)
    other.taken |= places.taken
    other.take_cells(~cave)
    for number, height in enumerate(HEIGHT_LINES):
        lines = [piece for line in field.lines_at(-height) for piece in split_runs(line, ~other.taken_at(line))]
        page.stroke(
            lines, PALE, 0.03, opacity=0.75 - 0.12 * number, dash=(0.45, 0.16) if number % 2 else (), cap="butt"
        )


def split_runs(line: Points, there: NDArray[np.bool_]) -> Iterator[Points]:
    """The runs of consecutive points of a line that are `there`, if they have more than two points."""
    ends = np.flatnonzero(np.diff(there, prepend=False, append=False))
    for start, end in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True):
        if end - start > 2:
            yield line[start:end]


def squared_paper_lines(left: int, top: int, right: int, bottom: int, step: int = 1) -> list[Points]:
    """The lines of squared paper."""
    across = [np.array([[x, top], [x, bottom]], float) for x in range(left, right + 1, step)]
    return across + [np.array([[left, y], [right, y]], float) for y in range(top, bottom + 1, step)]
