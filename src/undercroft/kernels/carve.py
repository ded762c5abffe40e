# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Dig at random: noise, rooms, mazes, doors, dead ends, tunnels.

The generator is the one of `core/rng.py`, on the same two words, so that Python and kernels draw from one stream.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import advanced, below, draw, join, join_roots, output, root
else:
    from undercroft.kernels._primitives import advanced, below, draw, join, join_roots, output, root


def fill_draws(rng: cython.ulonglong[::1], bound: cython.ulonglong, out: cython.uint[::1]) -> None:
    """Fill `out` with draws below `bound` (0: all 32 bits). Tests compare them with Python's."""
    i: cython.Py_ssize_t
    for i in range(out.shape[0]):
        out[i] = below(rng, bound) if bound else draw(rng)


def fill_noise(
    tiles: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    threshold: cython.ulonglong,
    hit: cython.uchar,
    miss: cython.uchar,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Each cell is `hit` if its draw is below the threshold, else `miss`."""
    i: cython.Py_ssize_t
    old: cython.ulonglong = rng[0]  # the state in a register: a store and a load a cell would cost half of the time
    odd: cython.ulonglong = rng[1]
    change: cython.uchar = hit ^ miss
    low: cython.uchar
    for i in range(first, last):
        low = output(old) < threshold  # no branch that could be mispredicted
        tiles[i] = miss ^ (change * low)
        old = advanced(old, odd)
    rng[0] = old
    return last - first


def dig_rooms(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    rock: cython.const[cython.uchar][::1],
    found: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
    extra: cython.int,
    floor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Try rooms of odd size at odd places; a room is dug if it and the cells around it are rock.

    `state` is [tries left, rooms, tries done]; `found` rows are x, y, width, height.
    """
    used: cython.longlong = 0
    w: cython.int
    h: cython.int
    stretch: cython.int
    x0: cython.int
    y0: cython.int
    x: cython.int
    y: cython.int
    count: cython.longlong = state[1]
    free: cython.bint
    while state[0] > 0 and used < fuel:
        state[0] -= 1
        state[2] += 1
        used += 8
        w = cython.cast(cython.int, below(rng, 2 + extra)) * 2 + 3
        stretch = cython.cast(cython.int, below(rng, 1 + w // 2)) * 2
        h = w
        if below(rng, 2):
            w += stretch
        else:
            h += stretch
        if w + 2 > width or h + 2 > height:
            continue
        x0 = cython.cast(cython.int, below(rng, (width - w - 2) // 2 + 1)) * 2 + 1
        y0 = cython.cast(cython.int, below(rng, (height - h - 2) // 2 + 1)) * 2 + 1
        free = (
            rock[tiles[y0 * width + x0]]
            and rock[tiles[(y0 + h - 1) * width + x0 + w - 1]]
            and rock[tiles[y0 * width + x0 + w - 1]]
            and rock[tiles[(y0 + h - 1) * width + x0]]
        )
        y = y0 - 1
        while free and y <= y0 + h:
            for x in range(x0 - 1, x0 + w + 1):
                if rock[tiles[y * width + x]] == 0:
                    free = False
                    break
            y += 1
            used += w
        if not free:
            continue
        for y in range(y0, y0 + h):
            for x in range(x0, x0 + w):
                tiles[y * width + x] = floor
        used += w * h
        if count < found.shape[0]:
            found[count, 0] = x0
            found[count, 1] = y0
            found[count, 2] = w
            found[count, 3] = h
        count += 1
    state[1] = count
    return used


MASK64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
ONE = cython.declare(cython.ulonglong, 1)


def mark_taken(
    tiles: cython.const[cython.uchar][::1],
    rock: cython.const[cython.uchar][::1],
    taken: cython.ulonglong[:, ::1],
    width: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Rows of a map with one bit a cell, set where there is no rock. `taken` begins as 0."""
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    for y in range(first, last):
        for x in range(width):
            if rock[tiles[y * width + x]] == 0:
                taken[y, x >> 6] |= ONE << (x & 63)
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def has_taken(
    taken: cython.ulonglong[:, ::1], y: cython.Py_ssize_t, x: cython.Py_ssize_t, mask: cython.ulonglong
) -> cython.bint:
    """Whether one of the cells from (x, y) to the right is taken; `mask` has a bit for each."""
    bits: cython.ulonglong = taken[y, x >> 6] >> (x & 63)
    if x & 63:
        bits |= (taken[y, (x >> 6) + 1] << (64 - (x & 63))) & MASK64
    return (bits & mask) != 0


def dig_rooms_by_bits(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    taken: cython.ulonglong[:, ::1],
    found: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
    extra: cython.int,
    floor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """The same as `dig_rooms` for a map that is larger than the cache: most tries fail, and the bits of `mark_taken`
    say so. A room with the cells around it must be at most 63 wide: `extra` is at most 13.
    """
    used: cython.longlong = 0
    w: cython.int
    h: cython.int
    stretch: cython.int
    x0: cython.int
    y0: cython.int
    x: cython.int
    y: cython.int
    count: cython.longlong = state[1]
    inside: cython.ulonglong
    around: cython.ulonglong
    corners: cython.ulonglong
    while state[0] > 0 and used < fuel:
        state[0] -= 1
        state[2] += 1
        used += 8
        w = cython.cast(cython.int, below(rng, 2 + extra)) * 2 + 3
        stretch = cython.cast(cython.int, below(rng, 1 + w // 2)) * 2
        h = w
        if below(rng, 2):
            w += stretch
        else:
            h += stretch
        if w + 2 > width or h + 2 > height:
            continue
        x0 = cython.cast(cython.int, below(rng, (width - w - 2) // 2 + 1)) * 2 + 1
        y0 = cython.cast(cython.int, below(rng, (height - h - 2) // 2 + 1)) * 2 + 1
        inside = (ONE << w) - 1
        around = (ONE << (w + 2)) - 1
        corners = ONE | (ONE << (w - 1))
        if has_taken(taken, y0, x0, corners) or has_taken(taken, y0 + h - 1, x0, corners):
            continue
        y = y0 - 1
        while y <= y0 + h and not has_taken(taken, y, x0 - 1, around):
            y += 1
            used += w
        if y <= y0 + h:
            used += w
            continue
        for y in range(y0, y0 + h):
            taken[y, x0 >> 6] |= (inside << (x0 & 63)) & MASK64
            if x0 & 63:
                taken[y, (x0 >> 6) + 1] |= inside >> (64 - (x0 & 63))
            for x in range(x0, x0 + w):
                tiles[y * width + x] = floor
        used += w * h
        if count < found.shape[0]:
            found[count, 0] = x0
            found[count, 1] = y0
            found[count, 2] = w
            found[count, 3] = h
        count += 1
    state[1] = count
    return used


def find_free_plots(
    tiles: cython.const[cython.uchar][::1],
    rock: cython.const[cython.uchar][::1],
    free: cython.uchar[::1],
    width: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Rows of the half-size grid of odd cells: 1 where the 3x3 cells around are all rock, so that a passage there
    touches nothing.
    """
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for y in range(first, last):
        for x in range(columns):
            i = (2 * y + 1) * width + 2 * x + 1
            free[(y + 1) * (columns + 2) + x + 1] = (
                rock[tiles[i]]
                & rock[tiles[i - 1]]
                & rock[tiles[i + 1]]
                & rock[tiles[i - width]]
                & rock[tiles[i + width]]
                & rock[tiles[i - width - 1]]
                & rock[tiles[i - width + 1]]
                & rock[tiles[i + width - 1]]
                & rock[tiles[i + width + 1]]
            )
    return (last - first) * columns * 4


def dig_mazes(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    free: cython.uchar[::1],
    stack: cython.uint[::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    winding: cython.ulonglong,
    floor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Grow trees of passages over the free plots, newest cell first, until none is left.

    `free` has a rim of zeros. A stack entry is plot * 4 + the direction it was entered by. `state` is [next plot to
    begin at, height of the stack, mazes].
    """
    used: cython.longlong = 0
    stride: cython.Py_ssize_t = columns + 2
    start: cython.Py_ssize_t = state[0]
    depth: cython.Py_ssize_t = state[1]
    end: cython.Py_ssize_t = stride * (rows + 1)
    entry: cython.uint
    plot: cython.Py_ssize_t
    tile: cython.Py_ssize_t
    last: cython.int
    options: cython.int
    pick: cython.int
    go: cython.int
    up: cython.int
    right: cython.int
    down: cython.int
    left: cython.int
    while used < fuel:
        if depth == 0:
            while start < end and free[start] == 0:
                start += 1
            if start >= end:
                break
            free[start] = 0
            tiles[(2 * (start // stride) - 1) * width + 2 * (start % stride) - 1] = floor
            stack[0] = start * 4 + cython.cast(cython.int, below(rng, 4))
            depth = 1
            state[2] += 1
        entry = stack[depth - 1]
        plot = entry >> 2
        last = entry & 3
        up = free[plot - stride]
        right = free[plot + 1]
        down = free[plot + stride]
        left = free[plot - 1]
        options = up + right + down + left
        used += 1
        if options == 0:
            depth -= 1
            continue
        go = last
        if options == 1:
            go = 0 if up else 1 if right else 2 if down else 3
        elif not (up if last == 0 else right if last == 1 else down if last == 2 else left) or draw(rng) < winding:
            pick = below(rng, options)
            if up:
                if pick == 0:
                    go = 0
                pick -= 1
            if right:
                if pick == 0:
                    go = 1
                pick -= 1
            if down:
                if pick == 0:
                    go = 2
                pick -= 1
            if left and pick == 0:
                go = 3
        tile = (2 * (plot // stride) - 1) * width + 2 * (plot % stride) - 1
        if go == 0:
            plot -= stride
            tiles[tile - width] = floor
            tiles[tile - 2 * width] = floor
        elif go == 1:
            plot += 1
            tiles[tile + 1] = floor
            tiles[tile + 2] = floor
        elif go == 2:
            plot += stride
            tiles[tile + width] = floor
            tiles[tile + 2 * width] = floor
        else:
            plot -= 1
            tiles[tile - 1] = floor
            tiles[tile - 2] = floor
        free[plot] = 0
        stack[depth] = plot * 4 + go
        depth += 1
    state[0] = start
    state[1] = depth
    return used


BEYOND_ALL = cython.declare(cython.int, 0x7FFFFFFF)


@cython.cfunc
@cython.exceptval(check=False)
def mark_meetings(
    labels: cython.const[cython.int][::1],
    lows: cython.int[::1],
    highs: cython.int[::1],
    marks: cython.uchar[::1],
    up: cython.Py_ssize_t,
    here: cython.Py_ssize_t,
    down: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
) -> cython.void:
    """Mark the cells of a row, but for its ends, by the labels on their four sides: 1 for two, 2 for more. `lows`
    and `highs` become the least and the greatest of these labels; `up`, `here` and `down` are where the rows begin.

    Without a branch, so that a compiler makes several cells at once.
    """
    x: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    c: cython.int
    d: cython.int
    most: cython.int
    least: cython.int
    beyond: cython.int = BEYOND_ALL  # a local variable: a compiler must know that the loop does not change it
    for x in range(1, width - 1):
        a = labels[up + x]
        b = labels[here + x + 1]
        c = labels[down + x]
        d = labels[here + x - 1]
        most = a if a > b else b
        most = c if c > most else most
        highs[x] = d if d > most else most
        a = a if a else beyond
        b = b if b else beyond
        c = c if c else beyond
        d = d if d else beyond
        least = a if a < b else b
        least = c if c < least else least
        lows[x] = d if d < least else least
    for x in range(1, width - 1):  # a loop of its own: a compiler gives up if too many arrays might overlap
        a = labels[up + x]
        b = labels[here + x + 1]
        c = labels[down + x]
        d = labels[here + x - 1]
        least = lows[x]
        most = highs[x]
        marks[x] = (least < most) + (
            ((a > least) & (a < most))
            | ((b > least) & (b < most))
            | ((c > least) & (c < most))
            | ((d > least) & (d < most))
        )


def find_connectors(
    state: cython.longlong[::1],
    tiles: cython.const[cython.uchar][::1],
    rock: cython.const[cython.uchar][::1],
    spans: cython.const[cython.int][:, ::1],
    numbers: cython.const[cython.int][::1],
    labels: cython.int[::1],
    lows: cython.int[::1],
    highs: cython.int[::1],
    marks: cython.uchar[::1],
    cells: cython.int[::1],
    found: cython.int[:, ::1],
    sides: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Rock cells inside the border that touch two or more components, as rows: cell, least, greatest. Where there are
    more than two, the greatest is -1 - k, and row k of `sides` has the components above, right, below and left.

    `labels` has room for three rows of the map, `lows`, `highs`, `marks` and `cells` for one. `state` is [next row,
    next span, found, sides], all 0 to begin. If it returns with fuel left and rows to do, `found` or `sides` has no
    room for another row: call again with longer ones.
    """
    used: cython.longlong = 0
    y: cython.Py_ssize_t = state[0]
    span: cython.Py_ssize_t = state[1]
    count: cython.Py_ssize_t = state[2]
    several: cython.Py_ssize_t = state[3]
    row: cython.Py_ssize_t
    up: cython.Py_ssize_t
    here: cython.Py_ssize_t
    base: cython.Py_ssize_t
    k: cython.Py_ssize_t
    x: cython.Py_ssize_t
    many: cython.Py_ssize_t
    label: cython.int
    while y < height and used < fuel:
        if count + width > found.shape[0] or several + width > sides.shape[0]:
            break
        # the labels of this row; then the row above has those of both its neighbours
        row = y % 3 * width
        base = y * width
        for x in range(width):
            labels[row + x] = 0
        while span < spans.shape[0] and spans[span, 0] < base + width:
            label = numbers[spans[span, 2]]
            for x in range(spans[span, 0] - base, spans[span, 1] - base):
                labels[row + x] = label
            span += 1
        y += 1
        used += width
        if y < 3:
            continue
        up = y % 3 * width
        here = (y + 1) % 3 * width
        mark_meetings(labels, lows, highs, marks, up, here, row, width)
        many = 0
        for x in range(1, width - 1):
            cells[many] = cython.cast(cython.int, x)
            many += marks[x] != 0
        base -= width
        for k in range(many):
            x = cells[k]
            if rock[tiles[base + x]] == 0:
                continue
            found[count, 0] = cython.cast(cython.int, base + x)
            found[count, 1] = lows[x]
            found[count, 2] = highs[x]
            if marks[x] > 1:
                found[count, 2] = cython.cast(cython.int, -1 - several)
                sides[several, 0] = labels[up + x]
                sides[several, 1] = labels[here + x + 1]
                sides[several, 2] = labels[row + x]
                sides[several, 3] = labels[here + x - 1]
                several += 1
            count += 1
    state[0] = y
    state[1] = span
    state[2] = count
    state[3] = several
    return used


def assign_piles(
    piles: cython.uchar[::1],
    counts: cython.longlong[::1],
    rng: cython.ulonglong[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Choose one of 256 piles for each of some rows, and count them."""
    k: cython.Py_ssize_t
    for k in range(first, last):
        piles[k] = draw(rng) >> 24
        counts[piles[k]] += 1
    return last - first


def sort_into_piles(
    rows: cython.const[cython.int][:, ::1],
    piles: cython.const[cython.uchar][::1],
    ends: cython.longlong[::1],
    out: cython.int[:, ::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Move rows to their piles; `ends` is where the next row of each pile goes."""
    k: cython.Py_ssize_t
    to: cython.Py_ssize_t
    for k in range(first, last):
        to = ends[piles[k]]
        ends[piles[k]] += 1
        out[to, 0] = rows[k, 0]
        out[to, 1] = rows[k, 1]
        out[to, 2] = rows[k, 2]
    return last - first


def shuffle_rows(
    rows: cython.int[:, ::1], rng: cython.ulonglong[::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.longlong:
    """Put some rows in random order."""
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.int
    kept: cython.int
    for k in range(first, last - 1):
        i = k + below(rng, last - k)
        for j in range(3):
            kept = rows[i, j]
            rows[i, j] = rows[k, j]
            rows[k, j] = kept
    return last - first


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def are_apart(
    parent: cython.int[::1], sides: cython.const[cython.int][:, ::1], least: cython.int, most: cython.int
) -> cython.bint:
    """Whether some of the regions around a connector are not joined yet."""
    mine: cython.int = root(parent, least)
    other: cython.int
    side: cython.int
    if most >= 0:
        return root(parent, most) != mine
    for side in range(4):
        other = sides[-1 - most, side]
        if other and root(parent, other) != mine:
            return True
    return False


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def join_sides(
    parent: cython.int[::1], sides: cython.const[cython.int][:, ::1], least: cython.int, most: cython.int
) -> cython.void:
    """Join all regions around a connector."""
    side: cython.int
    if most >= 0:
        join(parent, least, most)
        return
    for side in range(4):
        if sides[-1 - most, side]:
            join(parent, least, sides[-1 - most, side])


def open_connectors(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    door: cython.const[cython.uchar][::1],
    sides: cython.const[cython.int][:, ::1],
    parent: cython.int[::1],
    rows: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    extra: cython.ulonglong,
    doors: cython.ulonglong,
    closed: cython.uchar,
    opening: cython.uchar,
    passage: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Open connectors in the order of the rows: all that join regions still apart, and some of the others, but none
    beside another door. For `rows` and `sides` see `find_connectors`.

    A region that can only be reached beside a door gets a plain passage there, so that all regions are joined at the
    end. `state` is [phase, next row, rows passed over (they are kept at the front), doors, passages].
    """
    used: cython.longlong = 0
    total: cython.Py_ssize_t = rows.shape[0]
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t = state[1]
    spare: cython.Py_ssize_t = state[2]
    joins: cython.bint
    if state[0] == 0:
        while k < total and used < fuel:
            joins = are_apart(parent, sides, rows[k, 1], rows[k, 2])
            k += 1
            used += 1
            if not joins and not draw(rng) < extra:
                continue
            i = rows[k - 1, 0]
            if (
                door[tiles[i - width - 1]]
                | door[tiles[i - width]]
                | door[tiles[i - width + 1]]
                | door[tiles[i - 1]]
                | door[tiles[i + 1]]
                | door[tiles[i + width - 1]]
                | door[tiles[i + width]]
                | door[tiles[i + width + 1]]
            ):
                if joins:
                    rows[spare, 0] = i
                    rows[spare, 1] = rows[k - 1, 1]
                    rows[spare, 2] = rows[k - 1, 2]
                    spare += 1
                continue
            join_sides(parent, sides, rows[k - 1, 1], rows[k - 1, 2])
            tiles[i] = closed if draw(rng) < doors else opening
            state[3] += 1
        if k >= total:
            state[0] = 1
            k = 0
    if state[0] == 1:
        while k < spare and used < fuel:
            i = rows[k, 0]
            if are_apart(parent, sides, rows[k, 1], rows[k, 2]):
                join_sides(parent, sides, rows[k, 1], rows[k, 2])
                tiles[i] = passage
                state[4] += 1
            k += 1
            used += 1
    state[1] = k
    state[2] = spare
    return used


@cython.cfunc
@cython.exceptval(check=False)
def count_exits_of_row(
    flags: cython.const[cython.uchar][::1],
    degree: cython.uchar[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    up: cython.Py_ssize_t,
    down: cython.Py_ssize_t,
    left: cython.Py_ssize_t,
    right: cython.Py_ssize_t,
) -> cython.void:
    """The exits of some cells of a row, and 255 for those that must not be filled. A step of 0 leads over the border:
    there the cell itself is counted, and taken off again.
    """
    i: cython.Py_ssize_t
    over: cython.uchar = (up == 0) + (down == 0) + (left == 0) + (right == 0)
    near: cython.uchar
    for i in range(first, last):
        near = (flags[i - up] & 1) + (flags[i - left] & 1) + (flags[i + right] & 1) + (flags[i + down] & 1)
        near -= over * (flags[i] & 1)
        degree[i] = near if flags[i] & 2 else 255


def find_dead_ends(
    flags: cython.const[cython.uchar][::1],
    degree: cython.uchar[::1],
    tips: cython.int[::1],
    rng: cython.ulonglong[::1],
    kept: cython.ulonglong,
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Count the exits of every cell, and list the dead ends to fill. A dead end that is kept counts as having one exit
    more. `flags` are 1 for an open cell, and 2 more for one that may be filled.
    """
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    base: cython.Py_ssize_t
    up: cython.Py_ssize_t
    down: cython.Py_ssize_t
    begun: cython.Py_ssize_t
    end: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for y in range(height):
        base = y * width
        up = width if y > 0 else 0
        down = width if y + 1 < height else 0
        count_exits_of_row(flags, degree, base, base + 1, up, down, 0, 1 if width > 1 else 0)
        count_exits_of_row(flags, degree, base + 1, base + width - 1, up, down, 1, 1)
        if width > 1:
            count_exits_of_row(flags, degree, base + width - 1, base + width, up, down, 1, 0)
        begun = count
        end = count
        for i in range(base, base + width):  # no branch that could be mispredicted
            tips[end] = cython.cast(cython.int, i)
            end += degree[i] <= 1
        for k in range(begun, end):
            i = tips[k]
            if kept and draw(rng) < kept:
                degree[i] = 4
            else:
                tips[count] = cython.cast(cython.int, i)
                count += 1
    return count


def fill_dead_ends(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    degree: cython.uchar[::1],
    tips: cython.int[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    wall: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Fill the listed dead ends, and those that this creates. `state` is [tips left, cells filled]."""
    count: cython.Py_ssize_t = state[0]
    filled: cython.longlong = state[1]
    used: cython.longlong = 0
    i: cython.Py_ssize_t
    near: cython.Py_ssize_t
    side: cython.int
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    while count > 0 and used < fuel:
        count -= 1
        i = tips[count]
        used += 1
        tiles[i] = wall
        degree[i] = 255
        filled += 1
        x = i % width
        y = i // width
        for side in range(4):
            if side == 0:
                if y == 0:
                    continue
                near = i - width
            elif side == 1:
                if x == 0:
                    continue
                near = i - 1
            elif side == 2:
                if x + 1 == width:
                    continue
                near = i + 1
            else:
                if y + 1 == height:
                    continue
                near = i + width
            if degree[near] != 255 and degree[near] > 0:
                degree[near] -= 1
                if degree[near] == 1:
                    tips[count] = near
                    count += 1
    state[0] = count
    state[1] = filled
    return used


@cython.cfunc
@cython.exceptval(check=False)
def pick_cell(
    labels: cython.const[cython.int][::1],
    table: cython.const[cython.int][:, ::1],
    label: cython.int,
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """A cell of a region, each equally likely: by random tries in its box, and by counting if those take long."""
    x0: cython.int = table[label - 1, 0]
    y0: cython.int = table[label - 1, 1]
    w: cython.int = table[label - 1, 2] - x0 + 1
    h: cython.int = table[label - 1, 3] - y0 + 1
    trial: cython.int
    i: cython.Py_ssize_t
    left: cython.longlong
    x: cython.int
    y: cython.int
    for trial in range(32):
        y = y0 + cython.cast(cython.int, below(rng, h))  # one draw per line: C may evaluate two in either order
        x = x0 + cython.cast(cython.int, below(rng, w))
        i = cython.cast(cython.Py_ssize_t, y) * width + x
        if labels[i] == label:
            return i
    left = below(rng, table[label - 1, 4])
    for y in range(y0, y0 + h):
        for x in range(x0, x0 + w):
            i = cython.cast(cython.Py_ssize_t, y) * width + x
            if labels[i] == label:
                if left == 0:
                    return i
                left -= 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def dig_tunnel(
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    dug: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    begin: cython.Py_ssize_t,
    goal: cython.Py_ssize_t,
    target: cython.int,
    floor: cython.uchar,
) -> cython.longlong:
    """Walk from one cell to another by steps that come closer, each such step equally likely, and dig; stop in the
    target region.
    """
    x: cython.Py_ssize_t = begin % width
    y: cython.Py_ssize_t = begin // width
    gx: cython.Py_ssize_t = goal % width
    gy: cython.Py_ssize_t = goal // width
    i: cython.Py_ssize_t
    steps: cython.longlong = 0
    while x != gx or y != gy:
        if x != gx and (y == gy or below(rng, 2)):
            x += 1 if x < gx else -1
        else:
            y += 1 if y < gy else -1
        steps += 1
        i = y * width + x
        if labels[i] == target:
            break
        if open_codes[tiles[i]] == 0:
            tiles[i] = floor
            dug[i] = 1
    return steps


def tunnel_to_region(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    table: cython.const[cython.int][:, ::1],
    dug: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    target: cython.int,
    floor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Tunnel from every region with an area to the target, in order. `state` is [next region]."""
    used: cython.longlong = 0
    label: cython.int
    begin: cython.Py_ssize_t
    goal: cython.Py_ssize_t
    while state[0] < table.shape[0] and used < fuel:
        state[0] += 1
        label = state[0]
        used += 1
        if label == target or table[label - 1, 4] == 0:
            continue
        begin = pick_cell(labels, table, label, rng, width)
        goal = pick_cell(labels, table, target, rng, width)
        used += dig_tunnel(tiles, open_codes, labels, dug, rng, width, begin, goal, target, floor)
    return used


def tunnel_pairs(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    pairs: cython.const[cython.int][:, ::1],
    parent: cython.int[::1],
    dug: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    floor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Tunnel between the two cells of each pair, in order, whose regions are still apart (Kruskal). `state` is [next
    pair, tunnels].
    """
    used: cython.longlong = 0
    a: cython.int
    b: cython.int
    while state[0] < pairs.shape[0] and used < fuel:
        a = root(parent, labels[pairs[state[0], 0]])
        b = root(parent, labels[pairs[state[0], 1]])
        used += 1
        if a != b:
            join_roots(parent, a, b)
            used += dig_tunnel(
                tiles, open_codes, labels, dug, rng, width, pairs[state[0], 0], pairs[state[0], 1], -1, floor
            )
            state[1] += 1
        state[0] += 1
    return used


def find_borders(
    source: cython.const[cython.int][::1],
    field: cython.const[cython.int][::1],
    labels: cython.const[cython.int][::1],
    found: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Neighbouring cells whose nearest regions differ, as rows (length of the way, cell, cell) with the nearest cells
    of both regions.

    `source` and `field` have a rim (stride width + 1): the nearest region cell and the distance to it. Returns how many
    there are; only those that fit are written.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    near: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    count: cython.Py_ssize_t = 0
    stride: cython.Py_ssize_t = width + 1
    for y in range(height):
        for x in range(width):
            i = (y + 1) * stride + x + 1
            for side in range(2):
                if side == 0:
                    if x + 1 == width:
                        continue
                    near = i + 1
                else:
                    if y + 1 == height:
                        continue
                    near = i + stride
                a = source[i]
                b = source[near]
                if a < 0 or b < 0 or labels[a] == labels[b]:
                    continue
                if count < found.shape[0]:
                    found[count, 0] = field[i] + field[near] + 1
                    found[count, 1] = a
                    found[count, 2] = b
                count += 1
    return count


def find_nearest_sources(
    state: cython.longlong[::1],
    field: cython.int[::1],
    source: cython.int[::1],
    queue: cython.int[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Breadth-first from all sources at once: each open cell (-1 in the field) gets its distance and its nearest
    source.

    `state` is [next, end of the queue].
    """
    head: cython.longlong = state[0]
    tail: cython.longlong = state[1]
    first: cython.longlong = head
    stop: cython.longlong = head + fuel
    cell: cython.int
    near: cython.int
    side: cython.int
    step: cython.int = stride
    while head < tail and head < stop:
        cell = queue[head]
        head += 1
        for side in range(4):
            near = cell - step if side == 0 else cell - 1 if side == 1 else cell + 1 if side == 2 else cell + step
            if field[near] == -1:
                field[near] = field[cell] + 1
                source[near] = source[cell]
                queue[tail] = near
                tail += 1
    state[0] = head
    state[1] = tail
    return head - first
