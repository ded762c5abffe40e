# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Trace the corners of the outlines of sets of cells, one closed line after the other."""

from __future__ import annotations

import cython

EAST = cython.declare(cython.int, 0)
SOUTH = cython.declare(cython.int, 1)
WEST = cython.declare(cython.int, 2)
NORTH = cython.declare(cython.int, 3)


def trace_corners(
    cells: cython.const[cython.uchar][::1],
    stride: cython.Py_ssize_t,
    starts: cython.const[cython.longlong][::1],
    seen: cython.uchar[::1],
    points: cython.longlong[::1],
    sizes: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """The corners of each line around the cells that are not 0, each line from its first corner in reading order.
    Returns how many lines there are.

    The grid has a rim of zeros and `stride` cells in a row. A corner has the index of the cell to its lower right. The
    trace keeps the cells to its right:

    ::

        . > > .    straight on while the cell ahead to the right is one of them and the one to the left is not;
        ^ a a v    to the left if both are; to the right if the right one is not, so that cells that touch by a
        . < < .    corner stay apart

    `starts` are all corners, in reading order, at which a line may have its first: those that the trace reaches
    northwards and leaves to the east, and those that it reaches westwards and leaves to the south. `seen` has a zero
    for each cell.
    """
    line: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    before: cython.Py_ssize_t
    first: cython.Py_ssize_t
    corner: cython.Py_ssize_t
    start: cython.Py_ssize_t
    right: cython.Py_ssize_t
    left: cython.Py_ssize_t
    way: cython.int
    turned: cython.int
    leaving: cython.int
    for start in range(starts.shape[0]):
        first = starts[start]
        if seen[first]:
            continue
        leaving = EAST if cells[first] else SOUTH
        way = leaving
        corner = first
        before = count
        points[count] = first
        count += 1
        seen[first] = 1
        while True:
            if way == EAST:
                corner += 1
                right = corner
                left = corner - stride
            elif way == SOUTH:
                corner += stride
                right = corner - 1
                left = corner
            elif way == WEST:
                corner -= 1
                right = corner - stride - 1
                left = corner - 1
            else:
                corner -= stride
                right = corner - stride
                left = corner - stride - 1
            if not cells[right]:
                turned = (way + 1) & 3
            elif cells[left]:
                turned = (way + 3) & 3
            else:
                continue
            if corner == first and turned == leaving:
                break
            if (way == NORTH and turned == EAST) or (way == WEST and turned == SOUTH):
                seen[corner] = 1
            way = turned
            points[count] = corner
            count += 1
        sizes[line] = count - before
        line += 1
    return line
