"""Floors: the same work in plain C, compiled with the flags of our kernels and called in this process on the same
arrays.

Every function here makes its own result and scratch arrays, as our kernels do; the C below it only computes. Only the
lists of `rewriting`, whose length nobody knows before, grow in C.
"""

import ctypes
import functools
import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rock = NDArray[np.uint8]
Cells = NDArray[np.int32]

FLAGS = ("-O3", "-g0", "-ffp-contract=off", "-fno-strict-aliasing")
"""The flags of `setup.py`; nothing for this machine alone, since a wheel has none either."""

SOURCES = Path(__file__).parent
LIBRARY = SOURCES.parent / "build" / "floors.so"


def build() -> Path:
    """Compile the floors if a source is newer than the library, and return the library's path."""
    sources = sorted(SOURCES.glob("*.c"))
    newest = max(path.stat().st_mtime for path in [*sources, *SOURCES.glob("*.h")])
    if not LIBRARY.exists() or LIBRARY.stat().st_mtime < newest:
        LIBRARY.parent.mkdir(exist_ok=True)
        fresh = LIBRARY.with_suffix(f".{os.getpid()}")
        compiler = shlex.split(os.environ.get("CC", "cc"))
        if not shutil.which(compiler[0]):
            raise SystemExit(
                f"the floors need a C compiler, and {compiler[0]} is not on the PATH; fix: install one, or name yours "
                "in CC"
            )
        subprocess.run([*compiler, "-std=c11", *FLAGS, "-fPIC", "-shared", "-o", fresh, *sources], check=True)
        fresh.replace(LIBRARY)
    return LIBRARY


@functools.cache
def library() -> ctypes.CDLL:
    """Load the compiled floors, once."""
    loaded = ctypes.CDLL(str(build()))
    for named in (loaded.floor_largest, loaded.floor_rewriting, loaded.floor_matches):
        named.restype = ctypes.c_int64
    return loaded


def stream(seed: int = 42, sequence: int = 54) -> NDArray[np.uint64]:
    """A PCG32 stream as its two words, seeded as its author does."""
    multiplier, words = 6364136223846793005, 1 << 64
    increment = (sequence << 1 | 1) % words
    state = ((increment + seed) * multiplier + increment) % words
    return np.array([state, increment], np.uint64)


def draws(count: int, rng: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The next numbers of a stream, for the check against the published vector."""
    numbers = np.empty(count, np.uint32)
    library().floor_draws(_at(numbers), count, _at(rng))
    return numbers


def noise(width: int, height: int, wall: float, rng: NDArray[np.uint64]) -> Rock:
    """Random rock: each cell inside the ring is wall with the given chance."""
    rock = np.empty((height, width), np.uint8)
    library().floor_noise(_at(rock), width, height, ctypes.c_uint32(int(wall * 2**32)), _at(rng))
    return rock


def automaton_bytes(rock: Rock, r1: int, r2: int, rounds: int) -> Rock:
    """The cave automaton on bytes: the plain floor."""
    height, width = rock.shape
    result = np.empty_like(rock)
    grids = np.empty((2, height + 4, width + 4), np.int8)
    sums = np.empty((2, width + 4), np.int8)
    library().floor_automaton_bytes(
        _at(rock), _at(result), _at(grids[0]), _at(grids[1]), _at(sums), width, height, r1, r2, rounds
    )
    return result


def automaton_bits(rock: Rock, r1: int, r2: int, rounds: int) -> Rock:
    """The cave automaton on 64 cells at once, packing and unpacking included: the low floor."""
    height, width = rock.shape
    words = (width + 63) // 64 + 2
    result = np.empty_like(rock)
    grids = np.empty((2, height + 4, words), np.uint64)
    planes = np.empty((20, words), np.uint64)
    library().floor_automaton_bits(
        _at(rock), _at(result), _at(grids[0]), _at(grids[1]), _at(planes), width, height, r1, r2, rounds
    )
    return result


def labels(rock: Rock) -> tuple[Cells, int]:
    """Labels of the 4-connected floor regions, and their number."""
    height, width = rock.shape
    labelled = np.empty((height, width), np.int32)
    parent = np.empty(rock.size // 2 + 2, np.int32)
    count: int = library().floor_labels(_at(rock), _at(labelled), _at(parent), width, height)
    return labelled, count


def largest(labelled: Cells, count: int) -> int:
    """The first cell of the largest region, as an index into the flat map, or -1."""
    areas = np.empty(count + 1, np.int32)
    cell: int = library().floor_largest(_at(labelled), _at(areas), count, ctypes.c_int64(labelled.size))
    return cell


def distances(rock: Rock, start: int) -> Cells:
    """Breadth-first distances from one cell of a map with a ring of wall; -1 is out of reach, -2 is wall."""
    height, width = rock.shape
    found = np.empty((height, width), np.int32)
    queue = np.empty(rock.size, np.int32)
    library().floor_distances(_at(rock), _at(found), _at(queue), width, height, start)
    return found


def maze(width: int, height: int, rng: NDArray[np.uint64]) -> Rock:
    """A growing-tree maze, newest cell first, on the odd cells."""
    tiles = np.empty((height, width), np.uint8)
    stack = np.empty((width // 2) * (height // 2), np.uint32)
    library().floor_maze(_at(tiles), _at(stack), width, height, _at(rng))
    return tiles


def walk(width: int, height: int, floor: int, rng: NDArray[np.uint64]) -> Rock:
    """A drunkard's walk from the middle until so many cells are floor."""
    tiles = np.empty((height, width), np.uint8)
    library().floor_walk(_at(tiles), width, height, ctypes.c_int64(floor), _at(rng))
    return tiles


def walk_marked(width: int, height: int, floor: int, rng: NDArray[np.uint64]) -> Rock:
    """The same walk on a map whose border is marked: the low floor."""
    tiles = np.empty((height, width), np.uint8)
    library().floor_walk_marked(_at(tiles), width, height, ctypes.c_int64(floor), _at(rng))
    return tiles


def rewriting(
    tiles: Rock, rules: Sequence[tuple[Sequence[int], Sequence[int]]], rng: NDArray[np.uint64]
) -> tuple[Rock, int]:
    """Apply rules that are rows of at most four cells, in four directions, the first that fits first, until none does;
    and how often that was.
    """
    height, width = tiles.shape
    result = tiles.copy()
    text = bytes(byte for wanted, written in rules for byte in (len(wanted), *wanted, *written))
    count: int = library().floor_rewriting(_at(result), width, height, text, len(rules), _at(rng))
    return result, count


def matches(tiles: Rock, drawing: Rock) -> list[Cells]:
    """Where a drawing fits, 255 in it being any tile, as indices into the flat map: for each quarter turn clockwise."""
    height, width = tiles.shape
    fits, places = np.empty(width, np.uint8), np.empty(tiles.size, np.int32)
    found = []
    for turn in range(4):
        wanted = np.ascontiguousarray(np.rot90(drawing, -turn))
        high, wide = wanted.shape
        count = library().floor_matches(_at(tiles), width, height, _at(wanted), wide, high, _at(fits), _at(places))
        found.append(places[:count].copy())
    return found


def cave(width: int, height: int, rng: NDArray[np.uint64], wall: float = 0.4) -> Cells:
    """What a whole cave costs at least: noise, ten rounds, labels, and two searches in place of the joining."""
    rock = automaton_bytes(noise(width, height, wall, rng), 5, 2, 10)
    labelled, count = labels(rock)
    start = largest(labelled, count)
    if start >= 0:
        distances(rock, start)
        distances(rock, start)
    return labelled


def rooms_and_mazes(width: int, height: int, rng: NDArray[np.uint64]) -> Cells:
    """What rooms and mazes cost at least: one maze over the whole map, labels, and one search."""
    tiles = maze(width, height, rng)
    labelled, count = labels(tiles)
    return distances(tiles, largest(labelled, count))


def _at(array: NDArray[Any]) -> ctypes.c_void_p:
    """The place of an array's first element; the arrays are all contiguous."""
    return ctypes.c_void_p(array.__array_interface__["data"][0])
