"""Before the classic methods are timed: contenders must do the same work, and a part of a recipe must be that part."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from benchmarks import floors
from benchmarks.checks import Checks, compared, perfect
from benchmarks.classic import methods, works
from benchmarks.classic.methods import MANY, METHODS
from benchmarks.peers import libtcod, naive_methods, rotjs
from benchmarks.works import TILES_ONLY, Size
from undercroft.core.stairs import clear_stairs

if TYPE_CHECKING:
    from undercroft import Draft, Level

SIZES = ((80, 50), (81, 51), (300, 200))
SEEDS = (1, 2, 3)
MAZE = (81, 51)


def _bsp() -> Iterator[str]:
    whole = [(methods.recipe("bsp", *size, seed), methods.bsp_tiles(*size, seed)) for size in SIZES for seed in SEEDS]
    yield compared(works.TO_HALLWAYS, "the tiles of the whole recipe", lambda: all(_same(a, b) for a, b in whole))
    cases = [(size, seed) for size in SIZES for seed in SEEDS]
    alone = [methods.bsp_tiles_only(*size, seed) for size, seed in cases]
    yield compared(
        TILES_ONLY,
        "the tiles of the whole recipe",
        lambda: all(np.array_equal(_ground(level), tiles) for (level, _), tiles in zip(whole, alone, strict=True)),
    )
    yield compared(
        works.TCOD,
        "about as many rooms, in one piece",
        lambda: all(_like_ours(size, seed) for size in SIZES for seed in SEEDS),
    )


def _ground(level: "Level") -> NDArray[np.uint8]:
    """The tiles without the stairs that the recipe puts on its ends: the parts that are compared end before that."""
    return clear_stairs(level.tiles, level.palette, level.regions)


def _tinykeep() -> Iterator[str]:
    cases = [(size, seed) for size in SIZES for seed in SEEDS]
    yield compared(
        TILES_ONLY,
        "the tiles of the whole recipe",
        lambda: all(
            np.array_equal(_ground(methods.recipe("tinykeep", *size, seed)), methods.tinykeep_tiles_only(*size, seed))
            for size, seed in cases
        ),
    )


def _like_ours(size: Size, seed: int) -> bool:
    """Whether tcod's map is one piece, and neither has more than twice the rooms of the other."""
    mine = sum(region.kind == "room" for region in methods.recipe("bsp", *size, seed).regions)
    theirs = len(libtcod.bsp_leaves(*size, seed))
    return _pieces(libtcod.bsp_rooms(*size, seed)) == 1 and max(mine, theirs) <= 2 * min(mine, theirs)


def _separation() -> Iterator[str]:
    yield compared("undercroft", f"{MANY:,} cells of which none touches another", _apart)


def _apart() -> bool:
    heap = methods.scatter_cells()
    methods.separate(heap)
    if heap.regions is None or len(heap.regions) != MANY:
        return False
    labels = heap.regions.labels
    pairs = (
        (labels[:, 1:], labels[:, :-1]),
        (labels[1:], labels[:-1]),
        (labels[1:, 1:], labels[:-1, :-1]),
        (labels[1:, :-1], labels[:-1, 1:]),
    )
    return len(np.unique(labels)) == MANY + 1 and not any(((a != b) & (a > 0) & (b > 0)).any() for a, b in pairs)


def _triangulation() -> Iterator[str]:
    yield compared("undercroft", "the triangulation of SciPy, but for four points on a circle", _same_edges)


def _same_edges() -> bool:
    places = works.points()
    triangles = works.scipy_triangles(places)
    theirs = {tuple(sorted(side)) for a, b, c in triangles.tolist() for side in ((a, b), (b, c), (c, a))}
    mine = {tuple(sorted(pair)) for pair in methods.triangulated(places).tolist()}
    return len(mine) == len(theirs) and len(mine ^ theirs) <= 8


def _many_rooms() -> Iterator[str]:
    yield compared("undercroft", f"{MANY:,} rooms and corridors in one piece", _all_placed)


def _all_placed() -> bool:
    """Whether all were placed; some ways between doors that are left over come on top."""
    level = methods.many_rooms(1)
    return MANY <= len(level.regions) <= 1.1 * MANY and _pieces(methods.walls(level)) == 1


def _hilbert() -> Iterator[str]:
    yield compared("undercroft", "the curve of the recursion", lambda: all(_same_curve(order) for order in range(8)))


def _same_curve(order: int) -> bool:
    return np.array_equal(methods.hilbert(order), np.array(naive_methods.hilbert(order)))


def _walk() -> Iterator[str]:
    ways = [(size, seed) for size in SIZES for seed in SEEDS]
    yield compared(
        works.WALK_ALONE,
        "the tiles of the whole recipe",
        lambda: all(_same(methods.recipe("walk", *s, n), methods.walk_tiles(*s, n)) for s, n in ways),
    )
    for name, walked in {"C": floors.walk, works.MARKED: floors.walk_marked}.items():
        yield compared(
            name,
            "the very tiles of our walk",
            lambda walked=walked: all(_walked_alike(walked, *way) for way in ways),  # type: ignore[misc]
        )
    yield compared(
        "plain Python",
        "as much floor, in one piece",
        lambda: all(_is_one_cave(np.array(naive_methods.walk(*s, n, methods.floor_cells(s))), s) for s, n in ways),
    )
    yield compared(
        "undercroft",
        "40 % of floor, in one piece",
        lambda: all(_is_one_cave(methods.walls(methods.walk_tiles(*s, n)), s) for s, n in ways),
    )


def _walked_alike(walked: works.FloorWalk, size: Size, seed: int) -> bool:
    theirs = walked(*size, methods.floor_cells(size), methods.walk_stream(seed))
    return np.array_equal(theirs, methods.walls(methods.walk_tiles(*size, seed)))


def _is_one_cave(walls: NDArray[np.generic], size: Size) -> bool:
    """Whether so many cells are floor, in one piece, inside a closed border."""
    inside = np.zeros(walls.shape, bool)
    inside[1:-1, 1:-1] = True
    return int((walls == 0).sum()) == methods.floor_cells(size) and bool(walls[~inside].all()) and _pieces(walls) == 1


def _mazes() -> Iterator[str]:
    for method in METHODS:
        yield compared(works.ALONE[method], "a perfect maze", partial(_all_perfect, method))
    yield compared(
        "undercroft",
        "the tiles of the maze alone",
        lambda: all(_same(methods.recipe("maze", *MAZE, n), methods.maze_tiles(*MAZE, n)) for n in SEEDS),
    )
    yield compared("C", "a perfect maze", lambda: perfect(floors.maze(*MAZE, floors.stream())))
    yield compared("plain Python", "a perfect maze", lambda: perfect(np.array(naive_methods.maze(*MAZE, 1))))
    for name, job in works.MAZES.items():
        yield compared(
            name,
            "as much floor as a perfect maze",
            lambda job=job: rotjs.floor(job, *MAZE) == 2 * (MAZE[0] // 2) * (MAZE[1] // 2) - 1,  # type: ignore[misc]
        )


def _all_perfect(method: methods.Method) -> bool:
    return all(perfect(methods.walls(methods.maze_tiles(*MAZE, seed, method))) for seed in SEEDS)


def _same(a: "Level | Draft", b: "Level | Draft") -> bool:
    """Whether the same cells can be walked on; start and end have tiles of their own."""
    return np.array_equal(methods.walls(a), methods.walls(b))


def _pieces(walls: NDArray[np.generic]) -> int:
    return floors.labels(np.ascontiguousarray(walls, np.uint8))[1]


CHECKS: Checks = (
    ({"bsp"}, _bsp),
    ({"tinykeep"}, _tinykeep),
    ({"separation"}, _separation),
    ({"triangulation"}, _triangulation),
    ({"dungeoning-10000"}, _many_rooms),
    ({"hilbert"}, _hilbert),
    ({"walk"}, _walk),
    ({"mazes"}, _mazes),
)
