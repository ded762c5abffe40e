# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Mazes on a grid of plots: growing tree, Kruskal, Wilson, Eller, recursive division; loops; and drawing them.

Every maze is made in `plots`, a byte a plot with a rim of plots all round (stride columns + 2): bit 1 means open to the
east, bit 2 open to the south, bit 4 that the plot is part of the maze, and 8 that it is rim.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import (
        MASK32,
        advanced,
        below,
        draw,
        join_roots,
        must_redraw,
        output,
        root,
    )
else:
    from undercroft.kernels._primitives import MASK32, advanced, below, draw, join_roots, must_redraw, output, root


EAST = cython.declare(cython.uchar, 1)
SOUTH = cython.declare(cython.uchar, 2)
IN_MAZE = cython.declare(cython.uchar, 4)
RIM = cython.declare(cython.uchar, 8)
STRUCK_OUT = cython.declare(cython.uint, 0xFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def neighbour_offset(go: cython.int, stride: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """From a plot to the next: 0 up, 1 right, 2 down, 3 left."""
    return -stride if go == 0 else 1 if go == 1 else stride if go == 2 else -1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def open_side(
    plots: cython.uchar[::1], plot: cython.Py_ssize_t, go: cython.int, stride: cython.Py_ssize_t
) -> cython.int:
    """Open the wall of a plot in a direction."""
    if go == 0:
        plots[plot - stride] |= SOUTH
    elif go == 1:
        plots[plot] |= EAST
    elif go == 2:
        plots[plot] |= SOUTH
    else:
        plots[plot - 1] |= EAST
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def pick_direction(
    rng: cython.ulonglong[::1], up: cython.int, right: cython.int, down: cython.int, left: cython.int
) -> cython.int:
    """One of the directions that are 1, each equally likely; at least one is."""
    pick: cython.int = up + right + down + left
    pick = below(rng, pick) if pick > 1 else 0
    if pick < up:
        return 0
    pick -= up
    if pick < right:
        return 1
    pick -= right
    return 2 if pick < down else 3


def grow_tree(
    state: cython.longlong[::1],
    plots: cython.uchar[::1],
    active: cython.uint[::1],
    rng: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    newest: cython.uint,
    random: cython.uint,
    oldest: cython.uint,
    winding: cython.ulonglong,
    fuel: cython.longlong,
) -> cython.longlong:
    """Growing tree: from one of the active plots, chosen by the weights of the three policies, to a neighbour outside
    the maze.

    `active` holds plot * 4 + the direction it was entered by, oldest first, one place for every plot. A plot without
    such a neighbour is marked as done; when half of the list is done it is compacted, so that a draw finds a live plot
    soon. `state` is [first of the list, end of it, live ones in it].
    """
    used: cython.longlong = 0
    head: cython.Py_ssize_t = state[0]
    tail: cython.Py_ssize_t = state[1]
    live: cython.Py_ssize_t = state[2]
    total: cython.uint = newest + random + oldest
    ticket: cython.uint = 0
    k: cython.Py_ssize_t
    to: cython.Py_ssize_t
    plot: cython.Py_ssize_t
    entry: cython.uint
    last: cython.int
    up: cython.int
    right: cython.int
    down: cython.int
    left: cython.int
    go: cython.int
    alone: cython.int = 0 if newest == total else 1 if random == total else 2 if oldest == total else -1
    while live > 0 and used < fuel:
        used += 1
        if alone >= 0:
            go = alone
        else:
            ticket = below(rng, total)
            go = 0 if ticket < newest else 1 if ticket < newest + random else 2
        if go == 0:
            while active[tail - 1] == STRUCK_OUT:
                tail -= 1
            k = tail - 1
        elif go == 2:
            while active[head] == STRUCK_OUT:
                head += 1
            k = head
        else:
            if live * 2 < tail - head:
                to = 0
                for k in range(head, tail):
                    if active[k] != STRUCK_OUT:
                        active[to] = active[k]
                        to += 1
                used += (tail - head) >> 3
                head = 0
                tail = to
            k = head + below(rng, tail - head)
            while active[k] == STRUCK_OUT:
                k = head + below(rng, tail - head)
        entry = active[k]
        plot = entry >> 2
        last = entry & 3
        up = plots[plot - stride] < IN_MAZE
        right = plots[plot + 1] < IN_MAZE
        down = plots[plot + stride] < IN_MAZE
        left = plots[plot - 1] < IN_MAZE
        if up + right + down + left == 0:
            active[k] = STRUCK_OUT
            live -= 1
            continue
        if (
            winding <= MASK32
            and (up if last == 0 else right if last == 1 else down if last == 2 else left)
            and draw(rng) >= winding
        ):
            go = last
        else:
            go = pick_direction(rng, up, right, down, left)
        open_side(plots, plot, go, stride)
        plot += neighbour_offset(go, stride)
        plots[plot] |= IN_MAZE
        active[tail] = plot * 4 + go
        tail += 1
        live += 1
    state[0] = head
    state[1] = tail
    state[2] = live
    return used


def backtrack(
    state: cython.longlong[::1],
    plots: cython.uchar[::1],
    way: cython.uint[::1],
    rng: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """The growing tree that always continues from the newest plot, and winds: the same maze as `grow_tree`, in less
    time.

    `way` holds the plots from the first to the newest, and `state` how many they are. The next direction is computed
    without branches, since the processor would mispredict half of them: each direction is a number, 1 if it or one
    before it was drawn.
    """
    used: cython.longlong = 0
    tail: cython.Py_ssize_t = state[0]
    plot: cython.Py_ssize_t
    step: cython.Py_ssize_t
    up: cython.Py_ssize_t
    right: cython.Py_ssize_t
    down: cython.Py_ssize_t
    many: cython.ulonglong
    product: cython.ulonglong
    pick: cython.Py_ssize_t
    old: cython.ulonglong = rng[0]
    odd: cython.ulonglong = rng[1]
    while tail > 0 and used < fuel:
        plot = way[tail - 1]
        while used < fuel:
            used += 1
            up = plots[plot - stride] < IN_MAZE
            right = up + (plots[plot + 1] < IN_MAZE)
            down = right + (plots[plot + stride] < IN_MAZE)
            many = down + (plots[plot - 1] < IN_MAZE)
            if many == 0:
                tail -= 1
                break
            product = output(old) * many
            if must_redraw(product, many):  # rare, and never if there is only one
                rng[0] = old
                pick = below(rng, many)
                old = rng[0]
            else:
                pick = product >> 32
                old = advanced(old, odd) if many > 1 else old
            up = pick < up
            right = pick < right
            down = pick < down
            # left, and what turns it into down, right, up
            step = (-down & (stride + 1)) + (-right & (1 - stride)) + (-up & (-1 - stride)) - 1
            plots[plot + (step if step < 0 else 0)] |= 1 + ((up + right + down) & 1)
            plot += step
            plots[plot] |= IN_MAZE
            way[tail] = plot
            tail += 1
    rng[0] = old
    state[0] = tail
    return used


def list_walls(rows_of: cython.int[::1], columns: cython.Py_ssize_t, rows: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """All inner walls, as plot * 2, and + 1 for the wall to the south. Returns how many."""
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    plot: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for y in range(rows):
        for x in range(columns):
            plot = (y + 1) * (columns + 2) + x + 1
            if x + 1 < columns:
                rows_of[count] = plot * 2
                count += 1
            if y + 1 < rows:
                rows_of[count] = plot * 2 + 1
                count += 1
    return count


def kruskal(
    state: cython.longlong[::1],
    plots: cython.uchar[::1],
    sides: cython.int[::1],
    parent: cython.int[::1],
    rng: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Take the walls in random order, and open each that stands between parts still apart. `state` is [next wall,
    openings still to make].
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t = state[0]
    missing: cython.longlong = state[1]
    total: cython.Py_ssize_t = sides.shape[0]
    other: cython.Py_ssize_t
    side: cython.int
    a: cython.int
    b: cython.int
    plot: cython.int
    while missing > 0 and used < fuel:
        used += 1
        other = k + below(rng, total - k)
        side = sides[other]
        sides[other] = sides[k]
        k += 1
        plot = side >> 1
        a = root(parent, plot)
        b = root(parent, plot + (cython.cast(cython.int, stride) if side & 1 else 1))
        if a == b:
            continue
        join_roots(parent, a, b)
        plots[plot] |= SOUTH if side & 1 else EAST
        missing -= 1
    state[0] = k
    state[1] = missing
    return used


def wilson(
    state: cython.longlong[::1],
    plots: cython.uchar[::1],
    way: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """From each plot outside the maze, walk at random until the walk meets the maze; then add the walk without its
    loops.

    `way` holds the direction in which each plot was left last, so that following these directions skips every loop.
    Every maze is equally likely (Wilson 1996). `state` is [plot to begin at, plot where the walker is, phase: 0 look
    for a beginning, 1 walk, 2 join, bits, directions left in them].
    """
    used: cython.longlong = 0
    begin: cython.Py_ssize_t = state[0]
    plot: cython.Py_ssize_t = state[1]
    phase: cython.longlong = state[2]
    bits: cython.uint = state[3]
    left: cython.int = state[4]
    next: cython.Py_ssize_t
    end: cython.Py_ssize_t = plots.shape[0] - stride
    go: cython.int
    old: cython.ulonglong = rng[0]
    odd: cython.ulonglong = rng[1]
    while begin < end and used < fuel:
        used += 1
        if phase == 1:
            if left == 0:
                bits = output(old)
                old = advanced(old, odd)
                left = 16
            go = bits & 3
            bits >>= 2
            left -= 1
            next = plot + neighbour_offset(go, stride)
            if plots[next] < RIM:
                way[plot] = go
                plot = next
                if plots[plot] >= IN_MAZE:
                    plot = begin
                    phase = 2
        elif phase == 2:
            plots[plot] |= IN_MAZE
            open_side(plots, plot, way[plot], stride)
            plot += neighbour_offset(way[plot], stride)
            if plots[plot] >= IN_MAZE:
                phase = 0
        elif plots[begin] < IN_MAZE:
            plot = begin
            phase = 1
        else:
            begin += 1
    rng[0] = old
    state[0] = begin
    state[1] = plot
    state[2] = phase
    state[3] = bits
    state[4] = left
    return used


def eller(
    state: cython.longlong[::1],
    plots: cython.uchar[::1],
    before: cython.int[::1],
    after: cython.int[::1],
    rng: cython.ulonglong[::1],
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Row by row, remembering one row: which of its plots are joined already.

    Plots that are joined form a ring, in the order of the row: `before` and `after` name the next ones in it, one place
    a plot and one more. Sets of a row never cross, so that a plot and the next one are joined if and only if they are
    neighbours in a ring. `state` is [next row].
    """
    used: cython.longlong = 0
    y: cython.Py_ssize_t = state[0]
    x: cython.int
    plot: cython.Py_ssize_t
    bits: cython.uint = 0
    left: cython.int = 0
    bottom: cython.bint
    while y < rows and used < fuel:
        bottom = y + 1 == rows
        left = 0
        for x in range(columns):
            plot = (y + 1) * (columns + 2) + x + 1
            if left == 0:
                bits = draw(rng)
                left = 16
            plots[plot] |= IN_MAZE
            if x + 1 < columns and before[x + 1] != x and (bits & 1 or (bottom and before[x] == x)):
                plots[plot] |= EAST
                after[before[x + 1]] = after[x]
                before[after[x]] = before[x + 1]
                after[x] = x + 1
                before[x + 1] = x
            if not bottom and (before[x] == x or bits & 2):
                plots[plot] |= SOUTH
            else:  # the plot below begins alone
                after[before[x]] = after[x]
                before[after[x]] = before[x]
                after[x] = x
                before[x] = x
            bits >>= 2
            left -= 1
        y += 1
        used += columns
    state[0] = y
    return used


def divide(
    state: cython.longlong[::1],
    plots: cython.uchar[::1],
    chambers: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Split chambers by a wall with one gap across the longer side, until all are one plot wide. All plots begin open.

    `chambers` is a stack of rows x, y, width, height; the smaller half is split first, so that it stays short. `state`
    is [height of the stack].
    """
    used: cython.longlong = 0
    depth: cython.Py_ssize_t = state[0]
    x: cython.int
    y: cython.int
    w: cython.int
    h: cython.int
    at: cython.int
    gap: cython.int
    k: cython.int
    base: cython.Py_ssize_t
    upright: cython.bint
    while depth > 0 and used < fuel:
        depth -= 1
        used += 1
        x = chambers[depth, 0]
        y = chambers[depth, 1]
        w = chambers[depth, 2]
        h = chambers[depth, 3]
        if w < 2 or h < 2:
            continue
        upright = w > h or (w == h and below(rng, 2) == 1)
        if upright:
            at = 1 + cython.cast(cython.int, below(rng, w - 1))
            gap = below(rng, h)
            base = (y + 1) * stride + x + at
            for k in range(h):
                if k != gap:
                    plots[base + k * stride] &= 255 - EAST
            used += h
            chambers[depth, 2] = at
            chambers[depth + 1, 0] = x + at
            chambers[depth + 1, 1] = y
            chambers[depth + 1, 2] = w - at
            chambers[depth + 1, 3] = h
            if at * 2 < w:
                chambers[depth, 0] = x + at
                chambers[depth, 2] = w - at
                chambers[depth + 1, 0] = x
                chambers[depth + 1, 2] = at
        else:
            at = 1 + cython.cast(cython.int, below(rng, h - 1))
            gap = below(rng, w)
            base = (y + at) * stride + x + 1
            for k in range(w):
                if k != gap:
                    plots[base + k] &= 255 - SOUTH
            used += w
            chambers[depth, 3] = at
            chambers[depth + 1, 0] = x
            chambers[depth + 1, 1] = y + at
            chambers[depth + 1, 2] = w
            chambers[depth + 1, 3] = h - at
            if at * 2 < h:
                chambers[depth, 1] = y + at
                chambers[depth, 3] = h - at
                chambers[depth + 1, 1] = y
                chambers[depth + 1, 3] = at
        depth += 2
    state[0] = depth
    return used


def braid(
    plots: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    columns: cython.Py_ssize_t,
    chance: cython.ulonglong,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """By chance, open a second side of a dead end in some rows."""
    stride: cython.Py_ssize_t = columns + 2
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    plot: cython.Py_ssize_t
    up: cython.int
    right: cython.int
    down: cython.int
    left: cython.int
    for y in range(first, last):
        for x in range(columns):
            plot = (y + 1) * stride + x + 1
            up = (plots[plot - stride] & SOUTH) >> 1
            right = plots[plot] & EAST
            down = (plots[plot] & SOUTH) >> 1
            left = plots[plot - 1] & EAST
            if up + right + down + left > 1 or draw(rng) >= chance:
                continue
            up = up == 0 and plots[plot - stride] < RIM
            right = right == 0 and plots[plot + 1] < RIM
            down = down == 0 and plots[plot + stride] < RIM
            left = left == 0 and plots[plot - 1] < RIM
            if up + right + down + left:
                open_side(plots, plot, pick_direction(rng, up, right, down, left), stride)
    return (last - first) * columns


def paint_tiles(
    plots: cython.const[cython.uchar][::1],
    tiles: cython.uchar[::1],
    width: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    passage: cython.Py_ssize_t,
    wall: cython.uchar,
    floor: cython.uchar,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Draw some rows of plots, as passages so many tiles wide with walls of one tile between."""
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    plot: cython.Py_ssize_t
    change: cython.uchar = wall ^ floor
    here: cython.uchar
    for y in range(first, last):
        plot = (y + 1) * (columns + 2) + 1
        for row in range(passage + 1):
            i = (top + y * (passage + 1) + row) * width + left
            if passage == 1:  # no branch that could be mispredicted
                if row == 0:
                    for x in range(columns):
                        tiles[i + 2 * x] = wall ^ (change * ((plots[plot + x] >> 2) & 1))
                        tiles[i + 2 * x + 1] = wall ^ (change * (plots[plot + x] & 1))
                else:
                    for x in range(columns):
                        tiles[i + 2 * x] = wall ^ (change * ((plots[plot + x] >> 1) & 1))
                        tiles[i + 2 * x + 1] = wall
            else:
                for x in range(columns):
                    here = floor if plots[plot + x] & (IN_MAZE if row < passage else SOUTH) else wall
                    for k in range(passage):
                        tiles[i + k] = here
                    tiles[i + passage] = floor if row < passage and plots[plot + x] & EAST else wall
                    i += passage + 1
    return (last - first) * columns * (passage + 1)
