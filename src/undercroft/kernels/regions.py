# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find the steps from a cell to each region, and divide regions at their narrow places.

Grids have a rim: a row above and below and a column to the left, so that each cell has four neighbours.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import join_roots, root
else:
    from undercroft.kernels._primitives import join_roots, root


def lay_out_fields(
    tiles: cython.const[cython.uchar][::1],
    is_open: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    cells: cython.uchar[::1],
    field: cython.int[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> None:
    """Write two fields with a rim: which cells are open, and the label of each cell of the map."""
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t = 0
    to: cython.Py_ssize_t
    for to in range(width + 1):
        cells[to] = 0
        cells[(height + 1) * (width + 1) + to] = 0
    for y in range(height):
        to = (y + 1) * (width + 1)
        cells[to] = 0
        to += 1
        for x in range(width):
            cells[to + x] = is_open[tiles[i + x]]
        for x in range(width):
            field[to + x] = labels[i + x]
        i += width


def find_region_steps(
    state: cython.longlong[::1],
    cells: cython.uchar[::1],
    field: cython.const[cython.int][::1],
    queue: cython.int[::1],
    first: cython.longlong[::1],
    found: cython.int[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Search the fields of `lay_out_fields` breadth first. For each label `first` becomes steps * cells of the field +
    the cell, for the nearest of its cells, the first one in reading order; it stays -1 where none is reached. That of
    label 0 is none of them: it is 0, and stays.

    The queue begins with the sources, which `cells` shows as closed. `state` is [head, tail, end of the cells with the
    same distance, steps, labels found], at first [0, sources, sources, 0, 0]. The queue has a place for each cell of
    the field. Visited cells become closed. `found` lists the labels in the order in which they are reached.

    No branch tests for an open cell, since it would be mispredicted too often: each neighbour is written, and only an
    open one moves the end of the queue.
    """
    used: cython.longlong = 0
    head: cython.Py_ssize_t = state[0]
    tail: cython.Py_ssize_t = state[1]
    end: cython.Py_ssize_t = state[2]
    steps: cython.longlong = state[3]
    count: cython.Py_ssize_t = state[4]
    size: cython.longlong = field.shape[0]
    step: cython.int = cython.cast(cython.int, stride)
    cell: cython.int
    label: cython.int
    key: cython.longlong
    while head < tail and used < fuel:
        if head == end:
            end = tail
            steps += 1
        cell = queue[head]
        head += 1
        used += 1
        label = field[cell]
        key = steps * size + cell
        if first[label] < 0:
            first[label] = key
            found[count] = label
            count += 1
        elif key < first[label]:
            first[label] = key
        queue[tail] = cell - step
        tail += cells[cell - step]
        cells[cell - step] = 0
        queue[tail] = cell - 1
        tail += cells[cell - 1]
        cells[cell - 1] = 0
        queue[tail] = cell + 1
        tail += cells[cell + 1]
        cells[cell + 1] = 0
        queue[tail] = cell + step
        tail += cells[cell + step]
        cells[cell + step] = 0
    state[0] = head
    state[1] = tail
    state[2] = end
    state[3] = steps
    state[4] = count
    return used


def name_regions(
    found: cython.int[::1],
    first: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.uchar][::1],
    kind_bytes: cython.Py_ssize_t,
    last_kind: cython.uchar,
    names: cython.int[::1],
) -> cython.bint:
    """Number all labels from 1 in the order of `first`, those of the last kind behind the others. `found` lists them
    nearly in that order, as the search leaves it, and is sorted. The kind of a label is in every `kind_bytes`-th byte.
    Returns whether each label keeps its number.
    """
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    label: cython.int
    number: cython.int = 0
    turn: cython.int
    same: cython.bint = True
    for k in range(1, found.shape[0]):
        label = found[k]
        at = k
        while at > 0 and first[found[at - 1]] > first[label]:
            found[at] = found[at - 1]
            at -= 1
        found[at] = label
    names[0] = 0
    for turn in range(2):
        for k in range(found.shape[0]):
            label = found[k]
            if (kinds[kind_bytes * (label - 1)] == last_kind) == (turn == 1):
                number += 1
                names[label] = number
                same = same and number == label
    return same


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def least_clearance(
    labels: cython.const[cython.int][::1],
    clearance: cython.const[cython.int][::1],
    near: cython.Py_ssize_t,
    label: cython.int,
    step: cython.int,
    least: cython.int,
) -> cython.int:
    """The least of a clearance and that over a neighbour; one of another region is a wall."""
    over: cython.int = step
    if labels[near] == label:
        over += clearance[near]
    return over if over < least else least


def measure_clearance(
    labels: cython.const[cython.int][::1],
    clearance: cython.int[::1],
    stride: cython.Py_ssize_t,
    first_row: cython.Py_ssize_t,
    last_row: cython.Py_ssize_t,
    is_back: cython.bint,
) -> cython.longlong:
    """Measure how far each cell is from the nearest cell of another label: 3 for each step along a row or a column, 4
    for one across a corner (Borgefors 1986). Label 0 has clearance 0.

    Call it for rows in order, then with `is_back` for rows in reverse order: both passes give the result.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    way: cython.Py_ssize_t = -1 if is_back else 1
    label: cython.int
    least: cython.int
    for at in range(last_row - first_row):
        row = last_row - 1 - at if is_back else first_row + at
        for k in range(1, stride):
            i = row * stride + (stride - k if is_back else k)
            label = labels[i]
            if label == 0:
                clearance[i] = 0
                continue
            least = clearance[i] if is_back else 1 << 30
            least = least_clearance(labels, clearance, i - way, label, 3, least)
            least = least_clearance(labels, clearance, i - way * stride, label, 3, least)
            least = least_clearance(labels, clearance, i - way * stride - 1, label, 4, least)
            least = least_clearance(labels, clearance, i - way * stride + 1, label, 4, least)
            clearance[i] = least
    return (last_row - first_row) * stride


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def claim_cell(
    labels: cython.const[cython.int][::1],
    clearance: cython.const[cython.int][::1],
    parts: cython.int[::1],
    parent: cython.int[::1],
    peaks: cython.int[::1],
    cell: cython.Py_ssize_t,
    part: cython.int,
    stride: cython.Py_ssize_t,
    narrow: cython.int,
    wide: cython.int,
) -> None:
    """Give a cell to a part. Parts that meet there become one, unless the place is narrow beside both: its clearance
    times `wide` is at most that of either peak times `narrow`.
    """
    side: cython.int
    near: cython.Py_ssize_t = 0
    mine: cython.int = root(parent, part)
    other: cython.int
    lower: cython.int
    high: cython.int
    parts[cell] = mine
    for side in range(4):
        if side == 0:
            near = cell - stride
        elif side == 1:
            near = cell - 1
        elif side == 2:
            near = cell + 1
        else:
            near = cell + stride
        if parts[near] == 0 or labels[near] != labels[cell]:
            continue
        other = root(parent, parts[near])
        if other == mine:
            continue
        lower = peaks[mine] if peaks[mine] < peaks[other] else peaks[other]
        if clearance[cell] * wide > lower * narrow:
            high = peaks[mine] if peaks[mine] > peaks[other] else peaks[other]
            mine = join_roots(parent, mine, other)
            peaks[mine] = high


def grow_parts(
    state: cython.longlong[::1],
    labels: cython.const[cython.int][::1],
    clearance: cython.const[cython.int][::1],
    order: cython.const[cython.int][::1],
    parts: cython.int[::1],
    parent: cython.int[::1],
    peaks: cython.int[::1],
    queue: cython.int[::1],
    stride: cython.Py_ssize_t,
    narrow: cython.int,
    wide: cython.int,
    fuel: cython.longlong,
) -> cython.longlong:
    """Divide the cells of equal label into parts that grow downhill from the peaks of the clearance (Vincent and
    Soille 1991). `order` lists the cells, greatest clearance first. `parts` becomes the part of each cell, as a
    provisional number: `parent` joins those that became one.

    `state` is [first cell of the level in `order`, its end, next cell, stage, queue's head, queue's tail, parts], all
    0 to begin. Stage 0 finds the end of the level, stage 1 gives cells beside higher parts to these, stage 2 grows
    them over the level, and begins new ones where cells are left.
    """
    used: cython.longlong = 0
    begin: cython.Py_ssize_t = state[0]
    end: cython.Py_ssize_t = state[1]
    at: cython.Py_ssize_t = state[2]
    stage: cython.int = cython.cast(cython.int, state[3])
    head: cython.Py_ssize_t = state[4]
    tail: cython.Py_ssize_t = state[5]
    count: cython.int = cython.cast(cython.int, state[6])
    total: cython.Py_ssize_t = order.shape[0]
    step: cython.int = cython.cast(cython.int, stride)
    cell: cython.int
    near: cython.int = 0
    side: cython.int
    best: cython.int
    other: cython.int
    while begin < total and used < fuel:
        used += 1
        if stage == 0:
            if end < total and clearance[order[end]] == clearance[order[begin]]:
                end += 1
                continue
            at = begin
            head = 0
            tail = 0
            stage = 1
        elif stage == 1:
            if at == end:
                at = begin
                stage = 2
                continue
            cell = order[at]
            at += 1
            best = 0
            for side in range(4):
                near = cell + (-step if side == 0 else -1 if side == 1 else 1 if side == 2 else step)
                if labels[near] == labels[cell] and clearance[near] > clearance[cell]:
                    other = root(parent, parts[near])
                    if best == 0 or peaks[other] > peaks[best]:
                        best = other
            if best:
                claim_cell(labels, clearance, parts, parent, peaks, cell, best, stride, narrow, wide)
                queue[tail] = cell
                tail += 1
        elif head < tail:
            cell = queue[head]
            head += 1
            for side in range(4):
                near = cell + (-step if side == 0 else -1 if side == 1 else 1 if side == 2 else step)
                if parts[near] == 0 and labels[near] == labels[cell] and clearance[near] == clearance[cell]:
                    claim_cell(labels, clearance, parts, parent, peaks, near, parts[cell], stride, narrow, wide)
                    queue[tail] = near
                    tail += 1
        elif at == end:
            begin = end
            stage = 0
        else:
            cell = order[at]
            at += 1
            if parts[cell] == 0:
                count += 1
                parent[count] = count
                peaks[count] = clearance[cell]
                claim_cell(labels, clearance, parts, parent, peaks, cell, count, stride, narrow, wide)
                queue[tail] = cell
                tail += 1
    state[0] = begin
    state[1] = end
    state[2] = at
    state[3] = stage
    state[4] = head
    state[5] = tail
    state[6] = count
    return used
