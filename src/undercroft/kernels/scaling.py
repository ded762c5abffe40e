# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Rooms from layouts: how often each partition is scaled, and the resulting tiles.

A layer (base, partition or overlay) is a row of `LAYER_COLUMNS` numbers: where its codes begin; x, y, width and height
of its box; then for X and for Y whether it is locked, whether it doubles instead of growing, by how much it grows, in
which direction, and how many different values it has on that axis; last, whether its ratio is locked.
"""

from __future__ import annotations

import cython

LAYER_COLUMNS = 16
OUTSIDE = cython.declare(cython.uchar, 255)
FITS = cython.declare(cython.int, 0)
STUCK = cython.declare(cython.int, 1)
PASSED = cython.declare(cython.int, 2)
REPAIRED = cython.declare(cython.int, 3)
MAX_DOUBLINGS = cython.declare(cython.int, 24)  # more than this exceeds every allowed map


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def growth_beyond_box(
    layers: cython.const[cython.int][:, ::1],
    row: cython.Py_ssize_t,
    axis: cython.int,
    steps: cython.longlong,
    after: cython.bint,
) -> cython.longlong:
    """How far a layer reaches beyond its own box after so many steps: after it, or before it."""
    first: cython.int = 5 + 5 * axis
    direction: cython.int = layers[row, first + 3]
    count: cython.longlong = layers[row, first + 4]
    more: cython.longlong
    if steps == 0 or direction == (-1 if after else 1):
        return 0
    if layers[row, first + 1] == 0:
        more = steps * layers[row, first + 2]
    elif direction != 0 or count % 2 == 0:
        more = count * ((cython.cast(cython.longlong, 1) << steps) - 1)
    else:  # n, 2n + 1, 4n + 3: each time one more than double
        more = (count + 1) * ((cython.cast(cython.longlong, 1) << steps) - 1)
    return more if direction != 0 else more // 2


@cython.cfunc
@cython.exceptval(check=False)
def total_side(
    layers: cython.const[cython.int][:, ::1],
    steps: cython.const[cython.longlong][:, ::1],
    axis: cython.int,
    box: cython.longlong[::1],
) -> cython.longlong:
    """The width or height of all layers together, each scaled by `steps`; its beginning is written to the box."""
    low: cython.longlong = 0
    high: cython.longlong = -1
    row: cython.Py_ssize_t
    start: cython.longlong
    end: cython.longlong
    count: cython.longlong
    for row in range(layers.shape[0]):
        count = steps[row, 0] + steps[row, 2] if axis == 0 else steps[row, 1]
        start = layers[row, 1 + axis] - growth_beyond_box(layers, row, axis, count, False)
        end = layers[row, 1 + axis] + layers[row, 3 + axis] - 1 + growth_beyond_box(layers, row, axis, count, True)
        if high < low:
            low = start
            high = end
        low = start if start < low else low
        high = end if end > high else high
    box[axis] = low
    return high - low + 1


@cython.cfunc
@cython.exceptval(check=False)
def mend_locked_ratios(
    layers: cython.const[cython.int][:, ::1],
    steps: cython.longlong[:, ::1],
    box: cython.longlong[::1],
    least: cython.const[cython.longlong][::1],
    most: cython.const[cython.longlong][::1],
) -> cython.int:
    """Correct locked ratios. Returns whether the size then fits."""
    axis: cython.int
    row: cython.Py_ssize_t
    count: cython.longlong
    for row in range(layers.shape[0]):
        if layers[row, 15] and layers[row, 5] == 0 and layers[row, 10] == 0:
            if steps[row, 0] < steps[row, 1]:
                steps[row, 2] = steps[row, 1] - steps[row, 0]
            else:
                steps[row, 1] = steps[row, 0]
    for axis in range(2):
        for row in range(layers.shape[0]):
            count = steps[row, 1] if axis else steps[row, 0] + steps[row, 2]
            if layers[row, 6 + 5 * axis] and count > MAX_DOUBLINGS:
                box[2 + axis] = 0
                return 10 * axis + REPAIRED
        box[2 + axis] = total_side(layers, steps, axis, box)
        if box[2 + axis] < least[axis] or box[2 + axis] > most[axis]:
            return 10 * axis + REPAIRED
    return FITS


def settle_steps(
    layers: cython.const[cython.int][:, ::1],
    steps: cython.longlong[:, ::1],
    box: cython.longlong[::1],
    least: cython.const[cython.longlong][::1],
    most: cython.const[cython.longlong][::1],
) -> cython.int:
    """The same as the end of `fit_size`, for given steps along X and Y."""
    return mend_locked_ratios(layers, steps, box, least, most)


def fit_size(
    layers: cython.const[cython.int][:, ::1],
    steps: cython.longlong[:, ::1],
    box: cython.longlong[::1],
    least: cython.const[cython.longlong][::1],
    most: cython.const[cython.longlong][::1],
) -> cython.int:
    """Scale along X until the width fits, then along Y, then correct locked ratios.

    Returns 0 if it fits at last, else one of stuck, passed, repaired, and 10 more if it is about Y.

    `steps` gets for each layer its steps along X, along Y, and along X again to correct the ratio; `box` gets x, y,
    width, height, and the last width or height before the one that is too large, 0 if there was none.
    """
    axis: cython.int
    row: cython.Py_ssize_t
    count: cython.longlong
    side: cython.longlong
    before: cython.longlong
    free: cython.bint
    for row in range(layers.shape[0]):
        for axis in range(3):
            steps[row, axis] = 0
    for axis in range(2):
        count = 0
        before = 0
        free = False
        for row in range(layers.shape[0]):
            if layers[row, 5 + 5 * axis] == 0:
                free = True
        side = total_side(layers, steps, axis, box)
        while side < least[axis]:
            if not free:
                box[2 + axis] = side
                return 10 * axis + STUCK
            count += 1
            before = side
            for row in range(layers.shape[0]):
                if layers[row, 5 + 5 * axis] == 0:
                    steps[row, axis] = count
            side = total_side(layers, steps, axis, box)
        box[2 + axis] = side
        box[4] = before
        if side > most[axis]:
            return 10 * axis + PASSED
    return mend_locked_ratios(layers, steps, box, least, most)


@cython.cfunc
@cython.exceptval(check=False)
def clone_edges(
    cells: cython.uchar[::1],
    source: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    wide: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    axis: cython.int,
    before: cython.Py_ssize_t,
    after: cython.Py_ssize_t,
) -> cython.int:
    """Repeat the first tile of every line the given number of times before it, and the last one after it."""
    lines: cython.Py_ssize_t = wide if axis else high
    length: cython.Py_ssize_t = high if axis else wide
    cell: cython.Py_ssize_t = wide if axis else 1
    line: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    code: cython.uchar
    for line in range(lines):
        first = length
        last = -1
        start = source + line * (1 if axis else wide)
        end = target + line * (1 if axis else wide + before + after)
        for at in range(length):
            if cells[start + at * cell] != OUTSIDE:
                last = at
                if first > at:
                    first = at
        for at in range(length + before + after):
            code = OUTSIDE
            if last >= 0 and first <= at and at <= last + before + after:
                if at < first + before:
                    code = cells[start + first * cell]
                elif at > last + before:
                    code = cells[start + last * cell]
                else:
                    code = cells[start + (at - before) * cell]
            cells[end + at * cell] = code
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def double_values(
    cells: cython.uchar[::1],
    source: cython.Py_ssize_t,
    target: cython.Py_ssize_t,
    wide: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    axis: cython.int,
    more: cython.Py_ssize_t,
    steps: cython.longlong,
    middle: cython.Py_ssize_t,
) -> cython.int:
    """Repeat every value that some line uses 2^steps times, and `middle`, if it is one of them by number, nearly twice
    as often. Gaps stay as they are.
    """
    lines: cython.Py_ssize_t = wide if axis else high
    length: cython.Py_ssize_t = high if axis else wide
    cell: cython.Py_ssize_t = wide if axis else 1
    line: cython.Py_ssize_t
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    out: cython.Py_ssize_t = 0
    seen: cython.Py_ssize_t = 0
    times: cython.Py_ssize_t
    turn: cython.Py_ssize_t
    for at in range(length):
        times = 1
        for line in range(lines):
            if cells[source + line * (1 if axis else wide) + at * cell] != OUTSIDE:
                times = cython.cast(cython.Py_ssize_t, 1) << steps
                if seen == middle:
                    times = 2 * times - 1
                seen += 1
                break
        for line in range(lines):
            start = source + line * (1 if axis else wide) + at * cell
            end = target + line * (1 if axis else wide + more) + out * cell
            for turn in range(times):
                cells[end + turn * cell] = cells[start]
        out += times
    return 0


def paint_layers(
    layers: cython.const[cython.int][:, ::1],
    steps: cython.const[cython.longlong][:, ::1],
    cells: cython.uchar[::1],
    codes: cython.Py_ssize_t,
    canvas: cython.uchar[::1],
    box: cython.const[cython.longlong][::1],
) -> cython.longlong:
    """Paint the layers in order, each scaled by `steps`, later ones over earlier ones. Returns the number of cells
    painted.

    `cells` holds the codes of all layers, and after them twice as much as the canvas to work in.
    """
    used: cython.longlong = 0
    row: cython.Py_ssize_t
    stage: cython.int
    axis: cython.int
    wide: cython.Py_ssize_t
    high: cython.Py_ssize_t
    before: cython.Py_ssize_t
    after: cython.Py_ssize_t
    left: cython.longlong
    top: cython.longlong
    count: cython.longlong
    done: cython.longlong
    source: cython.Py_ssize_t
    target: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    at: cython.Py_ssize_t
    code: cython.uchar
    for row in range(layers.shape[0]):
        source = layers[row, 0]
        target = codes
        left = layers[row, 1]
        top = layers[row, 2]
        wide = layers[row, 3]
        high = layers[row, 4]
        for stage in range(3):  # X, Y, and X again
            axis = 1 if stage == 1 else 0
            count = steps[row, stage]
            if count == 0:
                continue
            done = steps[row, 0] if stage == 2 else 0
            before = growth_beyond_box(layers, row, axis, done + count, False) - growth_beyond_box(
                layers, row, axis, done, False
            )
            after = growth_beyond_box(layers, row, axis, done + count, True) - growth_beyond_box(
                layers, row, axis, done, True
            )
            if layers[row, 6 + 5 * axis]:
                middle = -1
                if layers[row, 8 + 5 * axis] == 0 and layers[row, 9 + 5 * axis] % 2 == 1:
                    middle = (((layers[row, 9 + 5 * axis] + 1) << done) - 1) // 2
                double_values(cells, source, target, wide, high, axis, before + after, count, middle)
            else:
                clone_edges(cells, source, target, wide, high, axis, before, after)
            if axis:
                high += before + after
                top -= before
            else:
                wide += before + after
                left -= before
            used += wide * high
            source = target
            target = codes + canvas.shape[0] if target == codes else codes
        for y in range(high):
            at = (top - box[1] + y) * box[2] + left - box[0]
            for x in range(wide):
                code = cells[source + y * wide + x]
                if code != OUTSIDE:
                    canvas[at + x] = code
        used += wide * high
    return used
