"""The Hilbert curve, and the step that lays rooms along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.region import LINK_DTYPE, LINK_KINDS, REGION_DTYPE, REGION_KINDS, Regions, view_links
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_whole_number
from undercroft.kernels import buffer, curves, flat_buffer
from undercroft.steps import frames
from undercroft.steps.caves.automaton import Automaton, Rounds
from undercroft.steps.end_stairs import write_end_stairs
from undercroft.steps.step import Share, all_facts_but
from undercroft.wording import format_count

Cells = NDArray[np.int32]
Bytes = NDArray[np.uint8]
GROUND, LINE = 2, 3
"""Values of the plan: ground, and the line from cell to cell that stays open. 0 is a permanent wall, 1 is rock.
"""


def hilbert(order: int) -> Cells:
    """The points of the Hilbert curve of an order, one after the other, as rows (x, y).

    >>> hilbert(1).tolist()
    [[0, 0], [1, 0], [1, 1], [0, 1]]
    >>> hilbert(2)[:4].tolist()
    [[0, 0], [0, 1], [1, 1], [1, 0]]

    The curve begins at (0, 0), ends at (0, 2^order - 1) and visits each of the 4^order points once. Cost: a few
    operations a point.
    """
    size = None if isinstance(order, bool) else order
    number = require_whole_number("the order of a curve", size, 0, fix="for example hilbert(5)")
    limits.KERNEL_CELLS.check(4 ** min(number, 40), f"the number of points of order {format_count(number)}")
    points = np.empty((4**number, 2), np.int32)
    curves.trace_hilbert(buffer(points), number)
    return points


@dataclass(frozen=True, kw_only=True)
class Hilbert:
    """Make rooms along a window of the Hilbert curve: the path leads through them in the order of the curve.

    >>> draft = Draft(33, 17)
    >>> Hilbert(cell_size=8, roughness=0.0, rounds=0, end_share=1.0).apply(draft, Rng.root(1).stream("hilbert"), Run())
    >>> print(draft)
    #################################
    #################......##########
    #...............#......##########
    #...............#......##########
    #......................##########
    #......................##########
    #...............#......##########
    #...............#......##########
    ####..###########......##########
    ####..###..............###......#
    ####..###..............###......#
    ##....###..............###......#
    ##..>.###...................<...#
    ##....###.......................#
    ##....###..............###......#
    #################################
    #################################

    The map is a window of cells somewhere on a larger curve. The curve enters and leaves the window; a bridge along
    the window's border replaces each part outside. Consecutive cells of the path form rooms, dead ends branch off into
    cells that the path leaves free, and the automaton roughens everything. Rooms that are not linked never touch, and
    nothing is cut off.
    """

    order: Annotated[int, Meta(ge=0, le=15)] = 0
    """The order of the curve; 0: the window is at most half as wide as the curve. The window is never larger than the
    curve.
    """
    cell_size: Annotated[int, Meta(ge=2, le=200)] = 9
    """Tiles from one cell to the next, the wall between them included."""
    start_share: Share = 0.1
    """Where on the curve inside the window the path begins."""
    end_share: Share = 0.7
    """Where on the curve inside the window the path ends."""
    room_cells: Annotated[int, Meta(ge=1, le=1000)] = 3
    """The most cells of a room; each is 1 to this many consecutive cells of the path."""
    branches: Share = 0.4
    """The chance of a dead end at each cell of the path."""
    branch_cells: Annotated[int, Meta(ge=0, le=1000)] = 2
    """The most cells of a dead end; 0: no dead ends."""
    way_width: Annotated[int, Meta(ge=1, le=100)] = 2
    """The width of a passage from room to room."""
    roughness: Share = 0.7
    """How much noise the automaton starts with; 0: none, it only rounds straight walls."""
    rounds: Rounds = 3
    """Rounds of the automaton; 0: rooms stay as drawn, with the noise."""

    stairs: bool = True
    """Whether the tiles of start and end become `<` and `>`."""

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles", "regions", "links", "ends", "path")
    spoils: ClassVar[tuple[str, ...]] = all_facts_but(*gives)

    def check(self, width: int, height: int) -> None:
        """Refuse a map without room for one cell, and a path that ends before it begins."""
        if min(width, height) < 3:
            raise BadInput(
                f"rooms on a curve need a map of at least 3x3, not {width}x{height}",
                fix=f"ask for {max(width, 3)}x{max(height, 3)}",
            )
        if self.start_share > self.end_share:
            raise BadInput(
                f"the way cannot begin at {self.start_share:g} of the curve and end at {self.end_share:g}",
                fix="set end_share above start_share",
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        self.check(draft.width, draft.height)
        grid = self._window(draft.width, draft.height)
        walk = self._walk(grid, rng, run)
        layout = self._layout(grid, walk, rng, run)
        plan, labels = self._plan(draft, grid, layout, rng, run)
        self._dig(draft, plan, labels, rng, run)
        draft.path = _line_tiles(grid.middles(walk[:, 0]), grid.pitch)
        draft.start, draft.end = ((int(x), int(y)) for x, y in draft.path[[0, -1]])
        self._fill_pockets(draft, run)
        self._record_regions(draft, labels, grid, layout, run)
        if self.stairs:
            write_end_stairs(draft, (None, None), run)

    def _window(self, width: int, height: int) -> CurveWindow:
        """The window: as many cells as fit, but no more than the curve is wide."""
        pitch = min(self.cell_size, width - 1, height - 1)
        columns, rows = (width - 1) // pitch, (height - 1) // pitch
        order = self.order or (2 * max(columns, rows) - 1).bit_length()
        columns, rows = min(columns, 1 << order), min(rows, 1 << order)
        left, top = (width - columns * pitch - 1) // 2, (height - rows * pitch - 1) // 2
        across = min(self.way_width, pitch - 1)
        return CurveWindow(
            order, pitch, columns, rows, left, top, pitch // 2, pitch // 2 - (across - 1) // 2, pitch // 2 + across // 2
        )

    def _walk(self, grid: CurveWindow, rng: Rng, run: Run) -> Cells:
        """The cells of the path, bridges included, as rows (cell, run or 0)."""
        x, y = rng.below((1 << grid.order) - grid.columns + 1), rng.below((1 << grid.order) - grid.rows + 1)
        place = np.empty(grid.cell_count, np.int64)
        reach.run_by_rows(
            run,
            grid.rows,
            grid.columns,
            lambda first, last: int(
                curves.find_curve_positions(buffer(place), x, y, grid.columns, grid.order, first, last)
            ),
        )
        begin, end = (
            threshold(share) * grid.cell_count + (1 << 31) >> 32 for share in (self.start_share, self.end_share)
        )
        begin = min(begin, grid.cell_count - 1)
        along = np.argsort(place)[begin : max(end, begin + 1)].astype(np.int32)
        run.spend(grid.cell_count)
        return np.ascontiguousarray(
            reach.collect_rows(
                2,
                lambda room: int(
                    curves.build_walk(buffer(along), buffer(place), buffer(room), grid.columns, grid.rows)
                ),
                len(along) + 64,
            )
        )

    def _layout(self, grid: CurveWindow, walk: Cells, rng: Rng, run: Run) -> CurveLayout:
        """The rooms that cells belong to, and the open sides between cells."""
        room, ways = np.zeros(grid.cell_count, np.int32), np.zeros(grid.cell_count, np.uint8)
        state = np.zeros(4, np.int64)
        shared = buffer(walk), buffer(room), buffer(ways), rng.state, grid.columns
        run.drive(lambda fuel: int(curves.number_rooms(buffer(state), *shared, self.room_cells, fuel)))
        golden = halls = int(state[2])
        if self.branch_cells:
            state = np.array([0, golden, 0], np.int64)
            run.drive(
                lambda fuel: int(
                    curves.grow_branches(
                        buffer(state), *shared, grid.rows, threshold(self.branches), self.branch_cells, fuel
                    )
                )
            )
            halls = int(state[1])
        return CurveLayout(room, ways, golden, halls, int(curves.number_bridges(buffer(walk), buffer(room), halls)))

    def _plan(self, draft: Draft, grid: CurveWindow, layout: CurveLayout, rng: Rng, run: Run) -> tuple[Bytes, Cells]:
        """The planned value of each tile, and the room it belongs to."""
        inset = np.zeros((layout.halls + 1, 4), np.uint8)
        most = min(grid.low - 1, grid.pitch - 1 - grid.high, max(1, grid.pitch // 4))
        if most > 0:
            curves.fill_insets(flat_buffer(inset), rng.state, 1 if self.rounds else 0, most)
        box = np.empty((grid.cell_count, 8), np.uint8)
        size = grid.columns, grid.rows, grid.pitch, grid.middle
        curves.build_cell_sides(
            buffer(layout.room), buffer(layout.ways), flat_buffer(inset), buffer(box), *size, layout.halls
        )
        run.spend(2 * grid.cell_count)
        plan, labels = np.empty(draft.tiles.shape, np.uint8), np.empty(draft.tiles.shape, np.int32)
        args = (
            buffer(layout.room),
            buffer(box),
            flat_buffer(plan),
            flat_buffer(labels),
            draft.width,
            grid.left,
            grid.top,
            *size,
            grid.low,
            grid.high,
        )
        reach.run_by_rows(
            run, draft.height, draft.width, lambda first, last: int(curves.plan_tiles(*args, first, last))
        )
        return plan, labels

    def _dig(self, draft: Draft, plan: Bytes, labels: Cells, rng: Rng, run: Run) -> None:
        """Draw the plan with noise, smooth it, and restore the tiles that the automaton must not change."""
        wall, floor = draft.palette.role("wall"), draft.palette.role("floor")
        noise, was = threshold(self.roughness / 2), frames.copy_tiles_if_watched(run)
        args = flat_buffer(draft.tiles), flat_buffer(plan), rng.state, noise, wall, floor
        reach.run_by_rows(
            run,
            draft.height,
            draft.width,
            lambda first, last: int(curves.paint_plan(*args, first * draft.width, last * draft.width)),
        )
        frames.reveal(run, was, labels)
        if self.rounds:
            Automaton(rounds=self.rounds, r2_cutoff=-1).apply(draft, rng, run)
        draft.tiles[plan == 0] = wall
        draft.tiles[plan == LINE] = floor
        run.spend(draft.tiles.size)

    def _fill_pockets(self, draft: Draft, run: Run) -> None:
        """Turn open cells that cannot be reached from the start into wall."""
        assert draft.start is not None
        walkable = look_up_tiles(draft.palette.walkable, draft.tiles)
        draft.tiles[walkable & (reach.DistanceField(walkable, [draft.start], run).steps < 0)] = draft.palette.role(
            "wall"
        )

    def _record_regions(self, draft: Draft, labels: Cells, grid: CurveWindow, layout: CurveLayout, run: Run) -> None:
        """Record regions and links. Rooms of the path come first, in its order, then dead ends, then bridges."""
        labels *= look_up_tiles(draft.palette.walkable, draft.tiles)
        boxes = reach.find_label_boxes(labels, np.ones(labels.shape, np.uint8), layout.last, run)
        table = np.zeros(layout.last, REGION_DTYPE)
        table["kind"] = REGION_KINDS.index("cave" if self.rounds else "room")
        table["kind"][layout.halls :] = REGION_KINDS.index("corridor")
        table["x"], table["y"], table["area"] = boxes[:, 0], boxes[:, 1], boxes[:, 4]
        table["width"], table["height"] = (boxes[:, 2:4] - boxes[:, :2] + 1).T
        draft.regions = Regions(labels, table, dict.fromkeys(range(1, layout.golden + 1), ("way",)))
        draft.links = view_links(_build_links(layout, grid))


class CurveWindow(NamedTuple):
    """The window of cells, and where it lies on the map."""

    order: int
    pitch: int
    columns: int
    rows: int
    left: int
    top: int
    middle: int
    """The centre line of passages, counted from the wall of a cell; they reach from `low` to `high`."""
    low: int
    high: int

    @property
    def cell_count(self) -> int:
        return self.columns * self.rows

    def middles(self, cells: Cells) -> Cells:
        """The tiles in the middle of cells, as rows (x, y)."""
        return (
            np.stack([self.left + cells % self.columns * self.pitch, self.top + cells // self.columns * self.pitch], 1)
            + self.middle
        )


class CurveLayout(NamedTuple):
    """For each cell its room's number and its open sides. Rooms up to `golden` lie on the path, those up to `halls` are
    dead ends, those up to `last` bridges.
    """

    room: Cells
    ways: Bytes
    golden: int
    halls: int
    last: int


def _line_tiles(corners: Cells, pitch: int) -> Cells:
    """The tiles of a line through corners that lie `pitch` tiles apart."""
    moves = np.diff(corners, axis=0) // pitch
    steps = np.arange(pitch)[:, None] * moves[:, None, :]
    return np.concatenate([(corners[:-1, None, :] + steps).reshape(-1, 2), corners[-1:]]).astype(np.int32)


def _build_links(layout: CurveLayout, grid: CurveWindow) -> NDArray[Any]:
    """A row for every two rooms that a passage joins."""
    room, ways = layout.room.reshape(grid.rows, grid.columns), layout.ways.reshape(grid.rows, grid.columns)
    east, south = (ways[:, :-1] & 1).astype(bool), (ways[:-1] & 2).astype(bool)
    pairs = np.concatenate(
        [np.stack([room[:, :-1][east], room[:, 1:][east]], 1), np.stack([room[:-1][south], room[1:][south]], 1)]
    )
    pairs = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    table = np.zeros(len(pairs), LINK_DTYPE)
    table["a"], table["b"], table["kind"], table["door"], table["carved"] = (
        pairs[:, 0],
        pairs[:, 1],
        LINK_KINDS.index("open"),
        -1,
        True,
    )
    return table
