"""Checks before the timing: floors, peers and our code must give the same answers."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import floors, ours
from benchmarks.peers import MissingError, arrays, libtcod

Rock = NDArray[np.uint8]
Checks = tuple[tuple[Collection[str], Callable[[], Iterator[str]]], ...]
"""The works that a check is for, and the check: it returns sentences about what agreed or could not be run."""

PUBLISHED = (0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E)
"""The first numbers of PCG32 with seed 42 and sequence 54, from its author's demo."""

SIZES = ((3, 3), (5, 4), (63, 20), (64, 21), (65, 22), (130, 77), (257, 200))
CUTOFFS = ((5, 2), (5, -1), (4, 3), (0, 0), (9, 21), (10, -1), (6, 9))


class DisagreementError(Exception):
    """Two contenders gave different answers, so their times mean nothing."""


def _generator() -> Iterator[str]:
    demand(
        tuple(int(n) for n in floors.draws(6, floors.stream())) == PUBLISHED,
        "the floors' PCG32 does not give its published numbers",
    )
    yield "the floors' PCG32 gives its published numbers"


def _automata() -> Iterator[str]:
    askable = {
        "C, 64 cells a word": floors.automaton_bits,
        "NumPy slices": arrays.automaton,
        "undercroft": ours.automaton,
    }
    for name, smoothed in askable.items():
        yield compared(name, "the automaton of plain C", partial(_same_caves, smoothed))


def _same_caves(smoothed: Callable[[Rock, int, int, int], Rock]) -> bool:
    return all(
        np.array_equal(floors.automaton_bytes(rock, r1, r2, rounds), smoothed(rock.copy(), r1, r2, rounds))
        for rock in _rocks()
        for r1, r2 in CUTOFFS
        for rounds in (1, 4)
    )


def _labels() -> Iterator[str]:
    for name, labelled in {"SciPy": arrays.labels, "undercroft": ours.labels}.items():
        yield compared(name, "the labels of plain C", partial(_same_regions, labelled))


def _same_regions(labelled: Callable[[Rock], tuple[NDArray[Any], int]]) -> bool:
    """Whether the same cells share a label, regardless of the numbers: there are as many pairs of labels as labels."""
    for rock in _rocks():
        (a, a_count), (b, b_count) = floors.labels(rock), labelled(rock.copy())
        pairs = set(zip(a[rock == 0].tolist(), np.asarray(b)[rock == 0].tolist(), strict=True))
        if not a_count == b_count == len(pairs):
            return False
    return True


def _distances() -> Iterator[str]:
    for name, measured in {"SciPy": _by_scipy, "tcod": libtcod.distances, "undercroft": ours.distances}.items():
        yield compared(name, "the distances of plain C", partial(_same_distances, measured))


def _same_distances(measured: Callable[[Rock, int], NDArray[Any]]) -> bool:
    """Whether all reached cells have the same distance; contenders mark unreached cells differently."""
    for rock in _rocks():
        start = floors.largest(*floors.labels(rock))
        if start >= 0:
            found = floors.distances(rock, start)
            reached = found >= 0
            if not np.array_equal(found[reached], np.asarray(measured(rock.copy(), start))[reached]):
                return False
    return True


def _by_scipy(rock: Rock, start: int) -> NDArray[np.int32]:
    """Distances read off SciPy's breadth-first order: a cell is one further than the one it was reached from."""
    order, before = arrays.search_order(arrays.graph(rock), start)
    found = np.full(rock.size, -1, np.int32)
    found[start] = 0
    for cell in order[1:]:
        found[cell] = found[before[cell]] + 1
    return found.reshape(rock.shape)


def _mazes() -> Iterator[str]:
    yield compared("C", "a perfect maze", lambda: perfect(floors.maze(81, 51, floors.stream())))
    yield compared("undercroft", "a perfect maze", lambda: perfect(np.asarray(ours.maze(81, 51, 1)) != 0))


def perfect(walls: NDArray[np.generic]) -> bool:
    """One region without loops: as many passages as cells, less one."""
    tiles = np.ascontiguousarray(walls, np.uint8)
    cells = tiles[1::2, 1::2]
    _, regions = floors.labels(tiles)
    return regions == 1 and not cells.any() and int((tiles == 0).sum()) == 2 * cells.size - 1


def _rocks() -> Iterator[Rock]:
    for number, (width, height) in enumerate(SIZES):
        for wall in (0.3, 0.45, 0.7):
            yield floors.noise(width, height, wall, floors.stream(number))


def compared(name: str, what: str, agrees: Callable[[], bool]) -> str:
    """A sentence that a contender gives the same answer, or why it was not run. Raises if the answer differs."""
    try:
        demand(agrees(), f"{name} does not give {what}")
    except (MissingError, NotImplementedError, ImportError) as reason:
        return f"{name} was not asked for {what}: {reason}"
    return f"{name} gives {what}"


def demand(holds: bool, otherwise: str) -> None:
    """Raise if something does not hold."""
    if not holds:
        raise DisagreementError(otherwise)


CHECKS: Checks = (
    ({"noise", "maze", "cave", "rooms-and-mazes"}, _generator),
    ({"automaton", "cave"}, _automata),
    ({"labels", "cave", "rooms-and-mazes"}, _labels),
    ({"distances", "cave", "rooms-and-mazes"}, _distances),
    ({"maze", "rooms-and-mazes"}, _mazes),
)
