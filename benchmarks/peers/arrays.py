"""Peers from the array world: NumPy slices for the automaton, SciPy for labels and for the order of a breadth-first
search.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Rock = NDArray[np.uint8]


def automaton(rock: Rock, r1: int, r2: int, rounds: int) -> Rock:
    """The cave automaton as sums of slices of a padded array, with every buffer made once: NumPy at its best."""
    height, width = rock.shape
    padded = np.zeros((height + 4, width + 4), np.uint8)
    inside = padded[3:-3, 3:-3]
    padded[2:-2, 2:-2] = rock
    near, far = np.empty((height - 2, width + 4), np.uint8), np.empty((height - 2, width + 4), np.uint8)
    ring1, ring2 = np.empty((height - 2, width - 2), np.uint8), np.empty((height - 2, width - 2), np.uint8)
    enough, few = np.empty(ring1.shape, np.bool_), np.empty(ring1.shape, np.bool_)
    for _ in range(rounds):
        np.add(padded[2:-4], padded[3:-3], out=near)
        near += padded[4:-2]
        np.add(padded[1:-5], padded[5:-1], out=far)
        np.add(near[:, 2:-4], near[:, 3:-3], out=ring1)
        ring1 += near[:, 4:-2]
        np.add(ring1, near[:, 1:-5], out=ring2)
        ring2 += near[:, 5:-1]
        ring2 += far[:, 2:-4]
        ring2 += far[:, 3:-3]
        ring2 += far[:, 4:-2]
        np.greater_equal(ring1, r1, out=enough)
        np.less_equal(ring2, r2, out=few)
        np.logical_or(enough, few, out=inside, casting="unsafe")
    return padded[2:-2, 2:-2].copy()


def labels(rock: Rock) -> tuple[NDArray[Any], int]:
    """Label the 4-connected floor with SciPy."""
    from scipy import ndimage

    labelled, count = ndimage.label(rock == 0)
    return labelled, int(count)


def graph(rock: Rock) -> Any:
    """The floor cells of a map as a sparse graph of SciPy; building it is not part of the search."""
    from scipy import sparse

    cells = np.arange(rock.size, dtype=np.int32).reshape(rock.shape)
    floor = rock == 0
    across, down = floor[:, :-1] & floor[:, 1:], floor[:-1] & floor[1:]
    a = np.concatenate([cells[:, :-1][across], cells[:-1][down]])
    b = np.concatenate([cells[:, 1:][across], cells[1:][down]])
    one = np.ones(2 * a.size, np.float64)
    return sparse.csr_array((one, (np.concatenate([a, b]), np.concatenate([b, a]))), shape=(rock.size, rock.size))


def search_order(linked: Any, start: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """The cells in breadth-first order and where each was reached from; SciPy leaves the distances to the caller."""
    from scipy.sparse import csgraph

    order, before = csgraph.breadth_first_order(linked, start, directed=True, return_predecessors=True)
    return order, before
