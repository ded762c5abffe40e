"""Every call into undercroft that this part measures. What a recipe does in some of its steps is done here by the same
steps, with the same streams.
"""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.works import Size

if TYPE_CHECKING:
    from undercroft import Draft, Level
    from undercroft.steps import Step

RECIPES = (
    "neighbours",
    "isaac",
    "drunkard",
    "bsp",
    "tinykeep",
    "dungeoning",
    "diablo2",
    "diablo3",
    "galak-z",
    "walk",
    "maze",
)
Method = Literal["growing", "eller", "division", "kruskal", "wilson"]
METHODS: tuple[Method, ...] = ("growing", "eller", "division", "kruskal", "wilson")
"""The mazes of the recipe `maze`; the first is its own choice."""

MANY = 10_000
"""Cells that are pushed apart, points that are triangulated, rooms that are put door to door."""

SQUARE = (800, 800)
"""The map on which so many cells are pushed apart: there is room for all."""


def recipe(name: str, width: int, height: int, seed: int, **params: Any) -> "Level":
    """A whole level, as a user asks for it."""
    import undercroft

    return undercroft.generate(name, seed=seed, size=(width, height), **params)


def bsp_tiles(width: int, height: int, seed: int) -> "Draft":
    """The recipe `bsp` up to its hallways: no start and end, no level, no requirement."""
    from undercroft.steps.links.hallways import Hallways
    from undercroft.steps.rooms.chambers import Chambers
    from undercroft.steps.rooms.split import Siblings, Split
    from undercroft.steps.start.fill import Fill

    return _after(
        width,
        height,
        seed,
        Fill(),
        Split(),
        Chambers(min_width=8, min_height=4, least=2),
        Siblings(extra=0.05),
        Hallways(),
    )


def bsp_tiles_only(width: int, height: int, seed: int) -> NDArray[np.uint8]:
    """The same tiles by the kernels of these steps alone: no table of rooms, doors and links, no checks."""
    import undercroft
    from undercroft.core.rng import threshold
    from undercroft.kernels import plan
    from undercroft.steps.rooms.split import FIXED_POINT_ONE

    palette, rng, fuel = undercroft.STANDARD, undercroft.Rng.root(seed), 1 << 60
    wall, floor, corridor = (palette.role(role) for role in ("wall", "floor", "corridor"))
    depth = max(1, (width * height // 100).bit_length() - 1)
    labels, lines = np.zeros(width * height, np.int32), np.zeros(width * height, np.uint8)
    stack, leaves = np.zeros((depth + 2, 5), np.int32), np.empty((1 << depth, 4), np.int32)
    stack[0, :4] = 1, 1, width - 2, height - 2
    state = np.array([1, 0], np.int64)
    cuts = depth, 3, 3, 3 * FIXED_POINT_ONE, threshold(0.382)
    plan.split_boxes(state, stack, leaves, lines, labels, rng.stream("split").state, width, *cuts, fuel)
    rooms = np.zeros((int(state[1]), 4), np.int32)
    plan.place_chambers(leaves, rooms, rng.stream("chambers").state, 8, 4, 0, threshold(0.6), 0, len(rooms))
    rooms = rooms[rooms[:, 2] > 0]
    tiles = np.full((height, width), wall, np.uint8)
    labels[:] = 0
    plan.paint_boxes(np.zeros(1, np.int64), rooms, 1, tiles.reshape(-1), labels, floor, True, width, fuel)
    tree, pairs = np.zeros((depth + 3, 7), np.int32), np.zeros((2 * len(rooms), 2), np.int32)
    tree[0] = 1, 1, width - 2, height - 2, 0, 0, len(rooms)
    state = np.array([1, 0], np.int64)
    siblings = (
        state,
        tree,
        lines,
        rooms,
        np.arange(len(rooms), dtype=np.int32),
        pairs,
        rng.stream("siblings").state,
        width,
    )
    plan.link_siblings(*siblings, threshold(0.05), fuel)
    pairs = np.sort(pairs[: int(state[1])] + 1, axis=1)
    ends, touched, dug = np.empty_like(pairs), np.zeros(len(rooms) + 1, np.uint8), np.zeros(width * height, np.uint8)
    places = tiles.reshape(-1), palette.walkable.view(np.uint8), labels, rooms, np.zeros(len(rooms) + 1, np.uint8)
    marks = pairs, ends, touched, dug, rng.stream("hallways").state
    plan.dig_hallways(np.zeros(1, np.int64), *places, *marks, width, True, floor, corridor, fuel)
    return tiles


def tinykeep_tiles_only(width: int, height: int, seed: int) -> NDArray[np.uint8]:
    """The tiles of the recipe `tinykeep` by its kernels alone: no table of rooms, doors and links, no checks, no start
    and end.
    """
    import undercroft
    from undercroft.core.rng import threshold
    from undercroft.kernels import plan
    from undercroft.steps.links.triangulate import delaunay_pairs
    from undercroft.steps.rooms.scatter import FIXED_POINT_ONE, BoxIndex

    palette, rng, fuel = undercroft.STANDARD, undercroft.Rng.root(seed), 1 << 60
    wall, floor, corridor = (palette.role(role) for role in ("wall", "floor", "corridor"))
    sides = tuple(int(side * FIXED_POINT_ONE) for side in (4.5, 4.0, 2.0))
    cell = (sides[0] + FIXED_POINT_ONE) * (sides[1] + FIXED_POINT_ONE)
    count = 4 * FIXED_POINT_ONE * FIXED_POINT_ONE * (width - 1) * (height - 1) // (7 * cell)
    boxes, stream = np.empty((count, 4), np.int32), rng.stream("scatter").state
    plan.scatter_boxes(boxes, stream, width, height, min(width, height) // 4, *sides, False, True, 0, count)

    index, places, marked = BoxIndex.of(count, width, height), np.empty((count, 2), np.int64), np.ones(count, np.uint8)
    sorting = np.empty(count, np.int64), np.empty(count, np.int32), np.empty(count, np.int32)
    crowd, middle, stream = np.empty((2, count), np.int32), np.empty(2, np.int32), rng.stream("separate").state
    plan.spread_boxes(boxes, marked, places, index.sums, *sorting, stream, width, height)
    boxes = boxes[marked.view(bool)]
    plan.order_inwards(boxes, places, index.sums, *sorting, crowd, middle)
    marked[:] = 1
    state = np.array([0, 0, len(boxes), 0, 0], np.int64)
    plan.separate_boxes(state, boxes, crowd, marked, *index, stream, middle, 4, 1000, fuel)
    plan.find_inner_boxes(boxes, marked, width, height)
    boxes = boxes[marked[: len(boxes)].view(bool)]

    rooms = np.zeros(boxes.shape, np.int32)
    plan.place_chambers(boxes, rooms, rng.stream("chambers").state, 6, 5, 0, threshold(1.0), 0, len(rooms))
    is_room = rooms[:, 2] > 0
    cells, rooms = boxes[~is_room], rooms[is_room]
    boxes = np.concatenate([cells, rooms])
    tiles, labels = np.full((height, width), wall, np.uint8), np.zeros(width * height, np.int32)
    for some, first, draws in ((cells, 1, False), (rooms, len(cells) + 1, True)):
        plan.paint_boxes(np.zeros(1, np.int64), some, first, tiles.reshape(-1), labels, floor, draws, width, fuel)

    points = np.empty((len(rooms), 2), np.int64)
    plan.locate_centres(rooms, points)
    edges = delaunay_pairs(points)
    squares, ranks = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64)
    plan.measure_edges(edges, points, squares, ranks)
    edges, parent = edges[np.lexsort((ranks, squares))], np.arange(len(rooms), dtype=np.int32)
    stays, stream = np.zeros(len(edges), np.uint8), rng.stream("triangulate").state
    plan.select_spanning_edges(edges, parent, stays, stream, threshold(0.15), 0, len(edges))
    pairs = np.sort(edges[stays.view(bool)] + len(cells) + 1, axis=1).astype(np.int32)

    is_cell, touched = np.zeros(len(boxes) + 1, np.uint8), np.zeros(len(boxes) + 1, np.uint8)
    is_cell[1 : len(cells) + 1] = 1
    ends, dug = np.empty_like(pairs), np.zeros(width * height, np.uint8)
    ground = tiles.reshape(-1), palette.walkable.view(np.uint8), labels, boxes, is_cell
    marks = pairs, ends, touched, dug, rng.stream("hallways").state
    plan.dig_hallways(np.zeros(1, np.int64), *ground, *marks, width, False, floor, corridor, fuel)
    plan.paint_regions(labels, touched, tiles.reshape(-1), floor, dug, False)
    return tiles


def walk_tiles(width: int, height: int, seed: int) -> "Draft":
    """The recipe `walk` up to its walk."""
    from undercroft.steps.start.fill import Fill
    from undercroft.steps.start.walk import Walk

    return _after(width, height, seed, Fill(), Walk())


def maze_tiles(width: int, height: int, seed: int, method: Method = "growing") -> "Draft":
    """The recipe `maze` up to its maze."""
    from undercroft.steps.mazes.labyrinth import Labyrinth

    return _after(width, height, seed, Labyrinth(method=method))


def walk_stream(seed: int) -> NDArray[np.uint64]:
    """The stream of that walk, for whoever wants to take the same steps."""
    import undercroft

    return np.array(undercroft.Rng.root(seed).stream("walk").state, np.uint64)


def scatter_cells() -> "Draft":
    """Many cells on a heap, as the recipe `tinykeep` throws them."""
    from undercroft.steps.rooms.scatter import Scatter

    return _after(*SQUARE, 1, Scatter(cells=MANY, mean_width=4.5))


def separate(heap: "Draft") -> None:
    """Push the cells of a heap apart."""
    import undercroft
    from undercroft.steps.rooms.scatter import Separate

    Separate().apply(heap, undercroft.Rng.root(1).stream("separate"), undercroft.Run())


def triangulated(points: NDArray[np.int64]) -> NDArray[np.int32]:
    """The edges of the Delaunay triangulation, exact, as pairs of points."""
    from undercroft.steps.links.triangulate import delaunay_pairs

    return delaunay_pairs(points)


def many_rooms(seed: int) -> "Level":
    """The recipe `dungeoning`, whole, with many rooms."""
    return recipe("dungeoning", 4096, 4096, seed, max_rooms=MANY)


def hilbert(order: int) -> NDArray[np.int32]:
    """The points of a Hilbert curve."""
    import undercroft

    return undercroft.hilbert(order)


def walls(made: "Level | Draft") -> NDArray[np.uint8]:
    """1 where nobody can walk, 0 elsewhere."""
    return np.ascontiguousarray(~made.palette.walkable[made.tiles], np.uint8)


def floor_cells(size: Size) -> int:
    """The 40 % of a map that a walk digs."""
    return round(0.4 * size[0] * size[1])


def _after(width: int, height: int, seed: int, *steps: "Step") -> "Draft":
    import undercroft
    from undercroft.steps.step import describe_step

    draft, run, rng = undercroft.Draft(width, height), undercroft.Run(), undercroft.Rng.root(seed)
    for step in steps:
        step.apply(draft, rng.stream(describe_step(type(step)).name), run)
    return draft
