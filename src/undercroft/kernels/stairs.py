# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Look for places of stairs on the floors of a dungeon: anchors, alcoves, and the cells on the side of a link."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import below
else:
    from undercroft.kernels._primitives import below


def draw_far_point(
    rng: cython.ulonglong[::1],
    others: cython.const[cython.int][:, ::1],
    width: cython.int,
    height: cython.int,
    least: cython.int,
    draws: cython.int,
    point: cython.int[::1],
) -> cython.bint:
    """Draw points until one is at least so many rows plus columns from each of the others. Returns whether one of the
    draws is; `point` has the last one.
    """
    turn: cython.int
    k: cython.Py_ssize_t
    across: cython.int
    down: cython.int
    far: cython.bint
    for turn in range(draws):
        point[0] = cython.cast(cython.int, below(rng, width))
        point[1] = cython.cast(cython.int, below(rng, height))
        far = True
        for k in range(others.shape[0]):
            across = point[0] - others[k, 0]
            down = point[1] - others[k, 1]
            if (-across if across < 0 else across) + (-down if down < 0 else down) < least:
                far = False
                break
        if far:
            return True
    return False


def find_nearest_cell(
    part: cython.const[cython.uchar][::1], width: cython.Py_ssize_t, x: cython.longlong, y: cython.longlong
) -> cython.Py_ssize_t:
    """The index of the cell that is nearest to a point as the crow flies, the first one in reading order; -1 if there
    is none.
    """
    nearest: cython.Py_ssize_t = -1
    least: cython.longlong = -1
    base: cython.Py_ssize_t
    i: cython.Py_ssize_t
    down: cython.longlong
    across: cython.longlong
    for base in range(0, part.shape[0], width):
        down = base // width - y
        if 0 <= least <= down * down:
            continue
        for i in range(width):
            across = i - x
            if part[base + i] and (least < 0 or across * across + down * down < least):
                least = across * across + down * down
                nearest = base + i
    return nearest


def find_alcoves(
    rock: cython.const[cython.uchar][::1],
    ground: cython.const[cython.uchar][::1],
    width: cython.Py_ssize_t,
    cells: cython.uchar[::1],
    mouths: cython.int[::1],
) -> None:
    """Mark the cells of rock that can become an alcove: one of the four neighbours is ground, and the five cells behind
    and beside it are rock. `mouths` gets the index of that neighbour, and that of the cell itself elsewhere.
    """
    size: cython.Py_ssize_t = rock.shape[0]
    i: cython.Py_ssize_t
    x: cython.Py_ssize_t = 0
    for i in range(size):
        cells[i] = 0
        mouths[i] = cython.cast(cython.int, i)
        x += 1
        if x == width:
            x = 0
        # x is one ahead: the first and the last column are 1 and 0
        if rock[i] == 0 or x < 2 or i < width or i >= size - width:
            continue
        if rock[i - 1] and rock[i + 1]:
            if ground[i - width] and rock[i + width - 1] and rock[i + width] and rock[i + width + 1]:
                cells[i] = 1
                mouths[i] = cython.cast(cython.int, i - width)
            elif ground[i + width] and rock[i - width - 1] and rock[i - width] and rock[i - width + 1]:
                cells[i] = 1
                mouths[i] = cython.cast(cython.int, i + width)
        elif rock[i - width] and rock[i + width]:
            if ground[i + 1] and rock[i - width - 1] and rock[i - 1] and rock[i + width - 1]:
                cells[i] = 1
                mouths[i] = cython.cast(cython.int, i + 1)
            elif ground[i - 1] and rock[i - width + 1] and rock[i + 1] and rock[i + width + 1]:
                cells[i] = 1
                mouths[i] = cython.cast(cython.int, i - 1)


def find_sides(
    part: cython.const[cython.uchar][::1],
    steps: cython.const[cython.int][:, ::1],
    sides: cython.int[::1],
) -> None:
    """Find for each cell of a part the row of the least steps, the first of equals; -1 for other cells."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t
    for i in range(part.shape[0]):
        if part[i] == 0:
            sides[i] = -1
            continue
        best = 0
        for k in range(1, steps.shape[0]):
            if steps[k, i] < steps[best, i]:
                best = k
        sides[i] = cython.cast(cython.int, best)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def steps_to_others(
    steps: cython.const[cython.int][:, ::1], index: cython.Py_ssize_t, cell: cython.Py_ssize_t
) -> cython.int:
    """The least steps to a cell, but for one row of them."""
    k: cython.Py_ssize_t
    least: cython.int = 2147483647
    for k in range(steps.shape[0]):
        if k != index and steps[k, cell] < least:
            least = steps[k, cell]
    return least


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_fitting(
    part: cython.const[cython.uchar][::1],
    steps: cython.const[cython.int][:, ::1],
    index: cython.Py_ssize_t,
    margin: cython.int,
    least_apart: cython.int,
    cell: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a cell is in the part, nearer to its own source by the margin, and so far from others; -1: no matter."""
    others: cython.int
    if part[cell] == 0:
        return False
    others = steps_to_others(steps, index, cell)
    return (margin < 0 or others - steps[index, cell] >= margin) and others >= least_apart


def fit_cells(
    part: cython.const[cython.uchar][::1],
    cells: cython.const[cython.uchar][::1],
    mouths: cython.const[cython.int][::1],
    closed: cython.const[cython.uchar][::1],
    steps: cython.const[cython.int][:, ::1],
    index: cython.Py_ssize_t,
    margin: cython.int,
    least_apart: cython.int,
    wished_apart: cython.int,
    alcoves: cython.uchar[::1],
    fitting: cython.uchar[::1],
    apart: cython.uchar[::1],
) -> None:
    """Mark the alcoves among `cells` and the cells of a part where stairs may be: not closed, nearer by a margin to the
    source of a row of steps than to that of any other, and so many steps from these; -1 leaves either out. An alcove is
    where its mouth is. `apart` marks all cells as far from other sources as is wished.
    """
    i: cython.Py_ssize_t
    for i in range(part.shape[0]):
        apart[i] = steps_to_others(steps, index, mouths[i]) >= wished_apart
        alcoves[i] = 0
        fitting[i] = 0
        if closed[i] == 0:
            fitting[i] = is_fitting(part, steps, index, margin, least_apart, i)
            if cells[i]:
                alcoves[i] = is_fitting(part, steps, index, margin, least_apart, mouths[i])


def mark_near_cells(
    mask: cython.const[cython.uchar][::1],
    width: cython.Py_ssize_t,
    distance: cython.Py_ssize_t,
    rows: cython.uchar[::1],
    near: cython.uchar[::1],
) -> None:
    """Mark the cells that are at most so many rows and columns from one of the mask. `rows` is scratch."""
    size: cython.Py_ssize_t = mask.shape[0]
    base: cython.Py_ssize_t
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    end: cython.Py_ssize_t
    first: cython.Py_ssize_t
    for base in range(0, size, width):
        end = 0  # the cells before it are marked, or not near
        for x in range(width):
            if mask[base + x]:
                first = x - distance
                if first < end:
                    first = end
                for k in range(end, first):
                    rows[base + k] = 0
                end = x + distance + 1
                if end > width:
                    end = width
                for k in range(first, end):
                    rows[base + k] = 1
        for k in range(end, width):
            rows[base + k] = 0
    for i in range(size):
        near[i] = rows[i]
    for k in range(1, distance + 1):
        for i in range(k * width, size):
            near[i] |= rows[i - k * width]
            near[i - k * width] |= rows[i]


def score_cells(
    part: cython.const[cython.uchar][::1],
    mouths: cython.const[cython.int][::1],
    labels: cython.const[cython.int][::1],
    of_label: cython.const[cython.longlong][::1],
    of_dead_end: cython.longlong,
    steps: cython.const[cython.int][:, ::1],
    index: cython.Py_ssize_t,
    most_steps: cython.int,
    width: cython.Py_ssize_t,
    alcoves: cython.const[cython.uchar][::1],
    fitting: cython.const[cython.uchar][::1],
    scores: cython.longlong[::1],
) -> None:
    """Add up what the mouth of each cell is worth that is an alcove or fits: the score of its label, that of a dead
    end, and the steps of all rows but one. Labels without a score are worth nothing.
    """
    size: cython.Py_ssize_t = part.shape[0]
    at: cython.Py_ssize_t
    i: cython.Py_ssize_t
    x: cython.Py_ssize_t
    k: cython.Py_ssize_t
    exits: cython.int
    score: cython.longlong
    for at in range(size):
        scores[at] = 0
        if alcoves[at] == 0 and fitting[at] == 0:
            continue
        i = mouths[at]
        score = of_label[labels[i]] if 0 <= labels[i] < of_label.shape[0] else 0
        if part[i]:
            x = i % width
            exits = part[i - 1] if x > 0 else 0
            exits += part[i + 1] if x + 1 < width else 0
            exits += part[i - width] if i >= width else 0
            exits += part[i + width] if i + width < size else 0
            if exits == 1:
                score += of_dead_end
        for k in range(steps.shape[0]):
            if k != index:
                score += steps[k, i] if steps[k, i] < most_steps else most_steps
        scores[at] = score
