"""The works of the classic methods. They have sizes of their own; of these, a quick run takes those that are no larger
than its own largest.
"""

import functools
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks import floors, ours
from benchmarks.classic import methods
from benchmarks.classic.methods import MANY, METHODS
from benchmarks.contest import Entry, timed
from benchmarks.peers import MissingError, libtcod, naive_methods
from benchmarks.works import (
    NOWHERE,
    OURS,
    PLAIN,
    TILES_ONLY,
    UNIFORM,
    Rock,
    Size,
    beyond,
    by_rotjs,
    odd,
    own,
    seeded,
    too_slow,
)

FloorWalk = Callable[[int, int, int, NDArray[np.uint64]], Rock]

PYTHON = "plain Python"
TO_HALLWAYS = "undercroft, split to hallways only"
SCATTER_TO_HALLWAYS = "undercroft, scatter to hallways only"
WALK_ALONE = "undercroft, the walk alone"
ALONE = {method: f"undercroft, {method} alone" for method in METHODS}
MARKED = "C, border marked"
TCOD = "tcod BSP, rooms carved"
DIGGER, STOPPED = "rot.js Digger", "rot.js Digger, stopped by its clock"
MAZES = {"rot.js EllerMaze": "eller", "rot.js IceyMaze": "icey", "rot.js DividedMaze": "divided"}
SCIPY = "SciPy Delaunay"

SMALL, MIDDLE, LARGE, HUGE = (80, 50), (512, 512), (2048, 2048), (4096, 4096)
ORDERS = {9: MIDDLE, 12: HUGE}
"""Hilbert curves, each with the square it fills."""


def bsp(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe whole, and the part of it that the peer does too: split, rooms, hallways; by its steps, and by their
    kernels without the tables of rooms, doors and links, which the peer does not give.
    """
    for entry in _recipe("bsp", sizes):
        yield entry
        other = partial(Entry, work="bsp", size=entry.size)
        yield other(contender=TO_HALLWAYS, run=seeded(methods.bsp_tiles, entry.size), skip=too_slow(entry.size))
        yield other(contender=TILES_ONLY, run=seeded(methods.bsp_tiles_only, entry.size), skip=too_slow(entry.size))
        yield other(contender=TCOD, run=timed(partial(libtcod.bsp_rooms, *entry.size)))


def tinykeep(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe whole, and the part of it that the peer does too, as for `bsp`; for rot.js the dungeon in which rooms
    come first and ways between them after.
    """
    for entry in _recipe("tinykeep", sizes):
        yield entry
        other = partial(Entry, work="tinykeep", size=entry.size)
        to_hallways = partial(ours.first_steps, "tinykeep", "ends")
        yield other(contender=SCATTER_TO_HALLWAYS, run=seeded(to_hallways, entry.size), skip=too_slow(entry.size))
        tiles_only = seeded(methods.tinykeep_tiles_only, entry.size)
        yield other(contender=TILES_ONLY, run=tiles_only, skip=too_slow(entry.size))
        skip = beyond(entry.size, 100, "its own clock stops it after 1 s, and it gives nothing")
        yield other(contender=UNIFORM, run=by_rotjs("uniform", entry.size), skip=skip)


def dungeoning(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe whole; for rot.js the dungeon that is put together door to door as well."""
    for entry in _recipe("dungeoning", sizes):
        yield entry
        skip = beyond(entry.size, 512, "its own clock stops it after 1 s, hardly begun")
        name = DIGGER if entry.size == SMALL else STOPPED
        yield Entry(work="dungeoning", size=entry.size, contender=name, run=by_rotjs("digger", entry.size), skip=skip)


def walk(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe whole, and its walk alone: to 40 % of floor."""
    for size in own((SMALL, MIDDLE, LARGE, HUGE), sizes):
        entry, cells = partial(Entry, work="walk", size=size), methods.floor_cells(size)
        yield entry(contender=OURS, run=seeded(partial(methods.recipe, "walk"), size), skip=too_slow(size))
        yield entry(contender=WALK_ALONE, run=timed(partial(methods.walk_tiles, *size, 1)), skip=too_slow(size))
        yield entry(contender=PLAIN, run=_same_walk(floors.walk, size))
        yield entry(contender=MARKED, run=_same_walk(floors.walk_marked, size))
        naive = seeded(partial(naive_methods.walk, floor=cells), size)
        yield entry(contender=PYTHON, run=naive, skip=beyond(size, 512, "many seconds a map"))


def mazes(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe `maze` whole, and its maze alone by each method."""
    for size in odd(own((SMALL, MIDDLE, LARGE, HUGE), sizes)):
        entry = partial(Entry, work="mazes", size=size)
        yield entry(contender=OURS, run=seeded(partial(methods.recipe, "maze"), size), skip=too_slow(size))
        for method in METHODS if max(size) <= 2048 else METHODS[:1]:
            yield entry(
                contender=ALONE[method],
                run=seeded(partial(methods.maze_tiles, method=method), size),
                skip=too_slow(size),
            )
        yield entry(contender=PLAIN, run=timed(partial(floors.maze, *size, floors.stream())))
        for name, job in MAZES.items() if max(size) <= 512 else ():
            yield entry(contender=name, run=by_rotjs(job, size))
        yield entry(
            contender=PYTHON, run=seeded(naive_methods.maze, size), skip=beyond(size, 512, "many seconds a map")
        )


def many_rooms(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """The recipe `dungeoning`, whole, with 10,000 rooms."""
    seeds = iter(range(1, 1 << 30))
    run = timed(lambda: methods.many_rooms(next(seeds)))
    yield Entry(
        work="dungeoning-10000",
        size=HUGE,
        contender=OURS,
        run=run,
        skip=too_slow(HUGE),
        facts=lambda: {"rooms and corridors": MANY},
    )


def separation(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """10,000 cells on a heap, pushed apart until none touches another; throwing them is not on the clock."""

    def run(times: int) -> float:
        spent = 0.0
        for _ in range(times):
            heap = methods.scatter_cells()
            begun = time.perf_counter()
            methods.separate(heap)
            spent += time.perf_counter() - begun
        return spent / times

    yield Entry(
        work="separation", size=NOWHERE, contender=OURS, run=run, skip=too_slow(LARGE), facts=lambda: {"cells": MANY}
    )


def triangulation(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """The Delaunay triangulation of 10,000 points."""
    entry = partial(Entry, work="triangulation", size=NOWHERE, facts=lambda: {"points": MANY})
    yield entry(contender=OURS, run=timed(lambda: methods.triangulated(points())), skip=too_slow(LARGE))
    yield entry(contender=SCIPY, run=timed(lambda: scipy_triangles(points())))


def hilbert(sizes: Sequence[Size]) -> Iterator[Entry]:
    """The points of a Hilbert curve, in order: 16.7 million for order 12."""
    for order, size in ORDERS.items():
        if size in own(tuple(ORDERS.values()), sizes):
            entry = partial(Entry, work="hilbert", size=size)
            yield entry(contender=OURS, run=timed(partial(methods.hilbert, order)), skip=too_slow(size))
            yield entry(
                contender=PYTHON,
                run=timed(partial(naive_methods.hilbert, order)),
                skip=beyond(size, 512, "many seconds a curve"),
            )


@functools.cache
def points() -> NDArray[np.int64]:
    """Points all over a square that is so wide that hardly ever four lie on a circle: they have one triangulation
    only.
    """
    return np.unique(floors.draws(2 * MANY, floors.stream()).astype(np.int64).reshape(-1, 2) >> 18, axis=0)


def scipy_triangles(places: NDArray[np.int64]) -> NDArray[np.int32]:
    """The triangles that SciPy finds, as triples of points."""
    try:
        from scipy.spatial import Delaunay
    except ImportError as error:
        raise MissingError("SciPy is not installed: pip install scipy") from error
    found: NDArray[np.int32] = Delaunay(places).simplices
    return found


def _same_walk(floor: FloorWalk, size: Size) -> Callable[[int], float]:
    """Time a floor that takes the very steps of our walk."""
    return timed(lambda: floor(*size, methods.floor_cells(size), methods.walk_stream(1)))


def _recipe(name: str, sizes: Sequence[Size]) -> Iterator[Entry]:
    """A recipe, whole, as a user asks for it."""
    for size in own((SMALL, MIDDLE, LARGE), sizes):
        yield Entry(
            work=name, size=size, contender=OURS, run=seeded(partial(methods.recipe, name), size), skip=too_slow(size)
        )


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {
    **{name: partial(_recipe, name) for name in ("neighbours", "isaac", "drunkard")},
    "bsp": bsp,
    "tinykeep": tinykeep,
    "separation": separation,
    "triangulation": triangulation,
    "dungeoning": dungeoning,
    "dungeoning-10000": many_rooms,
    **{name: partial(_recipe, name) for name in ("diablo2", "diablo3", "galak-z")},
    "hilbert": hilbert,
    "walk": walk,
    "mazes": mazes,
}
