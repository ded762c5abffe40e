"""The works that are measured: for each, a function that lists its entries for given sizes."""

import functools
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks import floors, ours
from benchmarks.contest import Entry, timed
from benchmarks.peers import MissingError, arrays, libtcod, rotjs

Size = tuple[int, int]
Rock = NDArray[np.uint8]
Map = TypeVar("Map")

OURS = "undercroft"
PLAIN = "C"
BITS = "C, 64 cells a word"
SLICES = "NumPy slices"
CONNECT_5 = "rot.js Cellular x5 + connect"
CONNECT_10 = "rot.js Cellular x10 + connect"
DIGGER = "rot.js Digger"
UNIFORM = "rot.js Uniform"
BSP_ROOMS = "tcod BSP rooms"
TILES_ONLY = "undercroft, without rooms, doors and links"
IMPORT_NUMPY = 'python -c "import numpy"'

RULE = (5, 2, 10)
"""The cave document's sample: wall if R1 >= 5 or R2 <= 2, ten rounds."""

WALL = 0.4
"""The cave document's share of rock before smoothing."""

NOWHERE = (0, 0)
"""The size of a work that has none."""


@functools.cache
def rough(size: Size) -> Rock:
    """Noise, the input of the automaton."""
    return floors.noise(*size, WALL, floors.stream())


@functools.cache
def smooth(size: Size) -> Rock:
    """Smoothed noise with many regions, the input of the labelling."""
    return floors.automaton_bytes(rough(size), *RULE)


@functools.cache
def hall(size: Size) -> tuple[Rock, int]:
    """A wide cave and a cell of its largest region, which is most of it: the input of the searches."""
    rock = floors.automaton_bytes(floors.noise(*size, 0.36, floors.stream()), *RULE)
    return rock, floors.largest(*floors.labels(rock))


def noise(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Fill a map with random rock."""
    for size in sizes:
        entry = partial(Entry, work="noise", size=size)
        yield entry(contender=OURS, run=timed(partial(ours.noise, *size, WALL, 1)), skip=too_slow(size))
        yield entry(contender=PLAIN, run=timed(partial(floors.noise, *size, WALL, floors.stream())))


def automaton(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Ten rounds of the cave automaton, from bytes to bytes."""
    for size in sizes:
        entry = partial(Entry, work="automaton", size=size)
        yield entry(contender=OURS, run=on(rough, size, ours.automaton, *RULE), skip=too_slow(size))
        yield entry(contender=PLAIN, run=on(rough, size, floors.automaton_bytes, *RULE))
        yield entry(contender=BITS, run=on(rough, size, floors.automaton_bits, *RULE))
        yield entry(contender=SLICES, run=on(rough, size, arrays.automaton, *RULE))
        yield entry(
            contender="rot.js Cellular x5",
            run=by_rotjs("cellular", size, 5),
            skip=beyond(size, 2048, "about 20 s a map"),
        )
        yield entry(
            contender="rot.js Cellular x10",
            run=by_rotjs("cellular", size, 10),
            skip=beyond(size, 512, "twice the five rounds"),
        )


def labels(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Label the 4-connected regions of a cave."""
    for size in sizes:
        entry = partial(Entry, work="labels", size=size)
        yield entry(contender=OURS, run=on(smooth, size, ours.labels), skip=too_slow(size))
        yield entry(contender=PLAIN, run=on(smooth, size, floors.labels))
        yield entry(contender="SciPy label", run=on(smooth, size, arrays.labels))


def distances(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Breadth-first distances from one cell over a wide cave."""
    for size in sizes:
        entry = partial(Entry, work="distances", size=size)
        yield entry(contender=OURS, run=_from(size, ours.distances), skip=too_slow(size))
        yield entry(contender=PLAIN, run=_from(size, floors.distances))
        yield entry(contender="tcod dijkstra2d", run=_from(size, libtcod.distances))
        yield entry(
            contender="SciPy breadth_first_order",
            run=_scipy_order(size),
            skip=beyond(size, 2048, "its graph takes 0.5 GB"),
        )


def maze(sizes: Sequence[Size]) -> Iterator[Entry]:
    """A growing-tree maze over the whole map; for rot.js, its two perfect mazes."""
    for size in odd(sizes):
        entry = partial(Entry, work="maze", size=size)
        yield entry(contender=OURS, run=timed(partial(ours.maze, *size, 1)), skip=too_slow(size))
        yield entry(contender=PLAIN, run=timed(partial(floors.maze, *size, floors.stream())))
        yield entry(contender="rot.js EllerMaze", run=by_rotjs("eller", size))
        yield entry(
            contender="rot.js IceyMaze", run=by_rotjs("icey", size), skip=beyond(size, 2048, "about 14 s a map")
        )


def cave(sizes: Sequence[Size]) -> Iterator[Entry]:
    """A whole cave: noise, ten rounds, every region joined."""
    for size in sizes:
        entry = partial(Entry, work="cave", size=size)
        yield entry(contender=OURS, run=seeded(ours.cave, size), skip=too_slow(size))
        yield entry(contender=PLAIN, run=timed(partial(floors.cave, *size, floors.stream(), WALL)))
        slow = beyond(size, 512, "its connect grows much faster than the map")
        yield entry(contender=CONNECT_5, run=by_rotjs("cellular-connect", size, 5), skip=slow)
        yield entry(contender=CONNECT_10, run=by_rotjs("cellular-connect", size, 10), skip=slow)


def rooms_and_mazes(sizes: Sequence[Size]) -> Iterator[Entry]:
    """Whole rooms and mazes, with doors and the path of interest; for the peers, their nearest kind of dungeon. The row
    without rooms, doors and links ends before the survey: it has the tiles, as most peers do.
    """
    tiles_only = partial(ours.first_steps, "rooms-and-mazes", "survey")
    for size in lattice_sizes(sizes):
        entry = partial(Entry, work="rooms-and-mazes", size=size)
        yield entry(contender=OURS, run=seeded(ours.rooms_and_mazes, size), skip=too_slow(size))
        yield entry(contender=TILES_ONLY, run=seeded(tiles_only, size), skip=too_slow(size))
        odd_size = size[0] | 1, size[1] | 1
        yield entry(contender=PLAIN, run=timed(partial(floors.rooms_and_mazes, *odd_size, floors.stream())))
        clock = beyond(size, 100, "its own clock stops it after 1 s, unfinished")
        yield entry(contender=DIGGER, run=by_rotjs("digger", size), skip=clock)
        yield entry(contender=UNIFORM, run=by_rotjs("uniform", size), skip=clock)
        yield entry(contender=BSP_ROOMS, run=timed(partial(libtcod.bsp_rooms, *size)))


def start(_sizes: Sequence[Size]) -> Iterator[Entry]:
    """Processes from start to exit: one 80x50 cave as text."""
    entry = partial(Entry, work="start to exit", size=NOWHERE)
    yield entry(contender=OURS, run=_process(ours.command))
    yield entry(contender=IMPORT_NUMPY, run=_process(lambda: [sys.executable, "-c", "import numpy"]))
    yield entry(contender='python -c "pass"', run=_process(lambda: [sys.executable, "-c", "pass"]))
    yield entry(contender="node with rot.js", run=_process(lambda: [rotjs.node(), str(rotjs.HOME / "once.mjs")]))


WORKS: dict[str, Callable[[Sequence[Size]], Iterator[Entry]]] = {
    "noise": noise,
    "automaton": automaton,
    "labels": labels,
    "distances": distances,
    "maze": maze,
    "cave": cave,
    "rooms-and-mazes": rooms_and_mazes,
    "start": start,
}


def odd(sizes: Sequence[Size]) -> list[Size]:
    """The nearest odd sizes: 81x51 for the smallest, one less for the others."""
    return [(81, 51) if size == (80, 50) else (size[0] - 1, size[1] - 1) for size in sizes]


def lattice_sizes(sizes: Sequence[Size]) -> list[Size]:
    """The sizes at which rooms and mazes are measured: 80x50 as it is, if the recipe takes even sides; others are
    odd.
    """
    even = ours.takes_even_sides("rooms-and-mazes")
    return [size if even and size == (80, 50) else odd([size])[0] for size in sizes]


def own(sizes: Sequence[Size], asked: Sequence[Size]) -> list[Size]:
    """A work's own sizes, up to the largest requested one; the first in any case."""
    most = max(max(size) for size in asked)
    return [size for number, size in enumerate(sizes) if not number or max(size) <= most]


def beyond(size: Size, most: int, reason: str) -> str:
    return reason if max(size) > most else ""


def too_slow(size: Size) -> str:
    return "" if ours.compiled() else beyond(size, 100, "the kernels are interpreted here")


def on(source: Callable[[Size], Map], size: Size, work: Callable[..., object], *more: object) -> Callable[[int], float]:
    """Time work on a map that is made on the first call, outside the timing."""

    def run(times: int) -> float:
        given = source(size)
        return timed(lambda: work(given, *more))(times)

    return run


def _from(size: Size, work: Callable[[Rock, int], object]) -> Callable[[int], float]:
    def run(times: int) -> float:
        rock, cell = hall(size)
        return timed(lambda: work(rock, cell))(times)

    return run


def _scipy_order(size: Size) -> Callable[[int], float]:
    def run(times: int) -> float:
        linked = _graph(size)
        _, cell = hall(size)
        return timed(lambda: arrays.search_order(linked, cell))(times)

    return run


@functools.cache
def _graph(size: Size) -> object:
    return arrays.graph(hall(size)[0])


def seeded(
    work: Callable[[int, int, int], object], size: Size, clock: Callable[[], float] = time.perf_counter
) -> Callable[[int], float]:
    """Time a generator over the seeds 1, 2, 3 and so on, so that no single map decides."""
    seeds = iter(range(1, 1 << 30))
    return timed(lambda: work(*size, next(seeds)), clock)


def by_rotjs(work: str, size: Size, rounds: int = 0) -> Callable[[int], float]:
    return lambda times: rotjs.seconds(work, *size, times, rounds)


def _process(command: Callable[[], list[str]]) -> Callable[[int], float]:
    """Time a process from start to exit."""

    def run(_times: int) -> float:
        words = command()
        begun = time.perf_counter()
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        spent = time.perf_counter() - begun
        if done.returncode:
            raise MissingError(
                f"ended with code {done.returncode}: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}"
            )
        return spent

    return run
