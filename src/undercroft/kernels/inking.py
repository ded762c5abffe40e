# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Geometry for hand-drawn styles: filled polygons, exact distances, points with a least distance, hatching, chains of
segments, and cheapest paths.

Floats are only added, multiplied, divided and rooted here, in the order of the source, so that the results are the same
compiled and uncompiled.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import floor, sqrt
else:
    from math import floor, sqrt

MASK32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)
HASH_SEED = cython.declare(cython.ulonglong, 0x9E3779B9)
FIRST_MULTIPLIER = cython.declare(cython.ulonglong, 0x85EBCA6B)
SECOND_MULTIPLIER = cython.declare(cython.ulonglong, 0xC2B2AE35)
HASH_SCALE = cython.declare(cython.double, 1.0 / 4294967296.0)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def mix_hash(hashed: cython.ulonglong, value: cython.longlong) -> cython.ulonglong:
    """Mix one more whole number into a hash of 32 bits, by the mixing constants of MurmurHash3 (Appleby)."""
    hashed = ((hashed ^ (value & MASK32)) * FIRST_MULTIPLIER) & MASK32
    hashed = hashed ^ (hashed >> 13)
    hashed = (hashed * SECOND_MULTIPLIER) & MASK32
    return hashed ^ (hashed >> 16)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def hash_to_unit(seed: cython.ulonglong, x: cython.longlong, y: cython.longlong) -> cython.double:
    """A number from 0 to below 1 that belongs to a place."""
    hashed: cython.ulonglong = mix_hash(mix_hash(mix_hash(HASH_SEED, seed), x), y)
    return hashed * HASH_SCALE


def sample_noise(
    points: cython.const[cython.double][:, ::1],
    frequency: cython.double,
    seed: cython.ulonglong,
    out: cython.double[::1],
) -> None:
    """Smooth noise from 0 to below 1 at points: a number at each corner of a lattice of `frequency` lines a cell,
    blended between them.
    """
    i: cython.Py_ssize_t
    x: cython.double
    y: cython.double
    left: cython.double
    top: cython.double
    column: cython.longlong
    row: cython.longlong
    a: cython.double
    b: cython.double
    c: cython.double
    d: cython.double
    for i in range(points.shape[0]):
        x = points[i, 0] * frequency
        y = points[i, 1] * frequency
        left = floor(x)
        top = floor(y)
        column = cython.cast(cython.longlong, left)
        row = cython.cast(cython.longlong, top)
        x = x - left
        y = y - top
        x = x * x * (3.0 - 2.0 * x)
        y = y * y * (3.0 - 2.0 * y)
        a = hash_to_unit(seed, column, row)
        b = hash_to_unit(seed, column + 1, row)
        c = hash_to_unit(seed, column, row + 1)
        d = hash_to_unit(seed, column + 1, row + 1)
        a = a + (b - a) * x
        c = c + (d - c) * x
        out[i] = a + (c - a) * y


def fill_polygons(
    points: cython.const[cython.double][:, ::1],
    ends: cython.const[cython.longlong][::1],
    out: cython.uchar[::1],
    width: cython.Py_ssize_t,
) -> None:
    """Which pixels have their middle within closed lines (even-odd). The lines' points are one after the other, in
    pixels; `ends` are where each ends.

    Every crossing of a line with the middle of a row inverts the rest of that row.
    """
    height: cython.Py_ssize_t = out.shape[0] // width
    line: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    here: cython.Py_ssize_t
    before: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    last: cython.Py_ssize_t
    x0: cython.double
    y0: cython.double
    x1: cython.double
    y1: cython.double
    slope: cython.double
    at: cython.double
    inside: cython.uchar
    for line in range(ends.shape[0]):
        before = ends[line] - 1
        for here in range(first, ends[line]):
            x0 = points[before, 0]
            y0 = points[before, 1]
            x1 = points[here, 0]
            y1 = points[here, 1]
            before = here
            if y0 == y1:
                continue
            if y0 > y1:
                x0, x1 = x1, x0
                y0, y1 = y1, y0
            slope = (x1 - x0) / (y1 - y0)
            at = floor(y0 + 0.5)
            row = 0 if at < 0.0 else (height if at > height else cython.cast(cython.Py_ssize_t, at))
            at = floor(y1 + 0.5)
            last = 0 if at < 0.0 else (height if at > height else cython.cast(cython.Py_ssize_t, at))
            while row < last:
                at = floor(x0 + (row + 0.5 - y0) * slope + 0.5)
                if at < width:
                    column = 0 if at < 0.0 else cython.cast(cython.Py_ssize_t, at)
                    out[row * width + column] ^= 1
                row += 1
        first = ends[line]
    for row in range(height):
        inside = 0
        for column in range(row * width, (row + 1) * width):
            inside ^= out[column]
            out[column] = inside


def measure_squared_distances(
    cells: cython.const[cython.uchar][::1], out: cython.int[::1], room: cython.int[:, ::1]
) -> None:
    """The square of the distance of each cell to the nearest that is 0, exactly (Meijster, Roerdink and Hesselink
    2000).

    `room` is work space: three rows as wide as the grid. Without any 0, every distance is the sum of the grid's sides.
    """
    width: cython.int = room.shape[1]
    height: cython.int = out.shape[0] // width
    none: cython.int = height + width
    x: cython.int
    y: cython.int
    i: cython.Py_ssize_t
    up: cython.int
    top: cython.int
    place: cython.longlong
    bound: cython.longlong
    here: cython.longlong
    there: cython.longlong
    for i in range(width):
        out[i] = 0 if cells[i] == 0 else none
    for i in range(width, height * width):
        up = out[i - width] + 1
        out[i] = 0 if cells[i] == 0 else (up if up < none else none)
    for i in range((height - 1) * width - 1, -1, -1):
        up = out[i + width] + 1
        if up < out[i]:
            out[i] = up
    # In each row: which place is nearest (room[1]) from which cell on (room[2]).
    for y in range(height):
        i = y * width
        top = -1
        for x in range(width):
            room[0, x] = out[i + x]
            here = room[0, x]
            while top >= 0:
                place = room[1, top]
                bound = room[2, top]
                there = room[0, place]
                if (bound - place) * (bound - place) + there * there <= (bound - x) * (bound - x) + here * here:
                    break
                top -= 1
            if top < 0:
                bound = 0
            else:
                place = room[1, top]
                there = room[0, place]
                bound = (cython.cast(cython.longlong, x) * x - place * place + here * here - there * there) // (
                    2 * (x - place)
                ) + 1
            if bound < width:
                top += 1
                room[1, top] = x
                room[2, top] = cython.cast(cython.int, bound)
        for x in range(width - 1, -1, -1):
            place = room[1, top]
            here = room[0, place]
            here = (x - place) * (x - place) + here * here
            there = cython.cast(cython.longlong, none) * none
            out[i + x] = cython.cast(cython.int, here if here < there else there)
            if x == room[2, top]:
                top -= 1


def blur(
    grid: cython.const[cython.float][:, ::1],
    half: cython.float[:, ::1],
    out: cython.float[:, ::1],
    totals: cython.double[::1],
    size: cython.Py_ssize_t,
) -> None:
    """Each value as the mean of those around it, up to `size` each way; the values at the edges repeat outside. `half`
    is work space, and so is `totals` for a row.
    """
    height: cython.Py_ssize_t = grid.shape[0]
    width: cython.Py_ssize_t = grid.shape[1]
    wide: cython.double = 2 * size + 1
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    k: cython.Py_ssize_t
    near: cython.Py_ssize_t
    far: cython.Py_ssize_t
    total: cython.double
    for y in range(height):
        total = 0.0
        for k in range(-size, size + 1):
            total += grid[y, 0 if k < 0 else (k if k < width else width - 1)]
        for x in range(width):
            half[y, x] = total / wide
            near = x - size if x > size else 0
            far = x + size + 1 if x + size + 1 < width else width - 1
            total += grid[y, far]
            total -= grid[y, near]
    for x in range(width):
        totals[x] = 0.0
    for k in range(-size, size + 1):
        y = 0 if k < 0 else (k if k < height else height - 1)
        for x in range(width):
            totals[x] += half[y, x]
    for y in range(height):
        near = y - size if y > size else 0
        far = y + size + 1 if y + size + 1 < height else height - 1
        for x in range(width):
            out[y, x] = totals[x] / wide
            totals[x] += half[far, x]
            totals[x] -= half[near, x]


def thin_points(
    points: cython.const[cython.double][:, ::1],
    distance: cython.double,
    buckets: cython.int[:, ::1],
    following: cython.int[::1],
    kept: cython.uchar[::1],
) -> cython.longlong:
    """Which points are kept if they come one after the other and none may be nearer than `distance` to one that was
    kept before.

    All coordinates are at least 0. `buckets` is a grid of -1, of squares as large as the distance; `following` has a
    place for each point.
    """
    i: cython.Py_ssize_t
    x: cython.double
    y: cython.double
    column: cython.Py_ssize_t
    row: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    other: cython.int
    free: cython.bint
    found: cython.longlong = 0
    square: cython.double = distance * distance
    for i in range(points.shape[0]):
        x = points[i, 0]
        y = points[i, 1]
        column = cython.cast(cython.Py_ssize_t, x / distance)
        row = cython.cast(cython.Py_ssize_t, y / distance)
        free = True
        for b in range(row - 1 if row > 0 else 0, row + 2 if row + 1 < buckets.shape[0] else buckets.shape[0]):
            for a in range(
                column - 1 if column > 0 else 0, column + 2 if column + 1 < buckets.shape[1] else buckets.shape[1]
            ):
                other = buckets[b, a]
                while other >= 0:
                    if (points[other, 0] - x) * (points[other, 0] - x) + (points[other, 1] - y) * (
                        points[other, 1] - y
                    ) < square:
                        free = False
                        break
                    other = following[other]
                if not free:
                    break
            if not free:
                break
        kept[i] = 1 if free else 0
        if free:
            following[i] = buckets[row, column]
            buckets[row, column] = cython.cast(cython.int, i)
            found += 1
    return found


@cython.cfunc
@cython.exceptval(check=False)
def clip_polygon(
    shape: cython.double[:, ::1],
    old: cython.Py_ssize_t,
    many: cython.Py_ssize_t,
    across: cython.double,
    down: cython.double,
    most: cython.double,
) -> cython.Py_ssize_t:
    """Clip a convex shape to the points where across * x + down * y is at most `most`. The shape is in the rows old and
    old + 1 (0 or 2), the clipped one in the other two.
    """
    new: cython.Py_ssize_t = 2 - old
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    x0: cython.double
    y0: cython.double
    x1: cython.double
    y1: cython.double
    a: cython.double
    b: cython.double
    x0 = shape[old, many - 1]
    y0 = shape[old + 1, many - 1]
    a = across * x0 + down * y0 - most
    for i in range(many):
        x1 = shape[old, i]
        y1 = shape[old + 1, i]
        b = across * x1 + down * y1 - most
        if (a < 0.0 and b > 0.0) or (a > 0.0 and b < 0.0):
            shape[new, count] = x0 + (x1 - x0) * (a / (a - b))
            shape[new + 1, count] = y0 + (y1 - y0) * (a / (a - b))
            count += 1
        if b <= 0.0:
            shape[new, count] = x1
            shape[new + 1, count] = y1
            count += 1
        x0 = x1
        y0 = y1
        a = b
    return count


def hatch(
    points: cython.const[cython.double][:, ::1],
    keys: cython.const[cython.longlong][::1],
    fades: cython.const[cython.double][::1],
    ways: cython.const[cython.double][:, ::1],
    octagon: cython.const[cython.double][:, ::1],
    buckets: cython.int[:, ::1],
    following: cython.int[::1],
    turned: cython.int[::1],
    shape: cython.double[:, ::1],
    size: cython.double,
    spacing: cython.double,
    out: cython.double[:, ::1],
) -> cython.longlong:
    """Parallel strokes in the cell of each point: rows of `out` x, y, x, y, and 0 to 1 for how faint; returns how many.

    A cell is an octagon about its point, cut half way to its neighbours (a Voronoi cell). Of six directions of `ways`
    it takes the one that differs most from those around it. `fades` above 0.62 leave out outer strokes. `size` is the
    least distance of the points; the coordinates are at least 0, and the buckets squares of 2.5 times `size`. `shape`
    is work space for 4 rows of 64 corners.
    """
    reach: cython.double = 2.5 * size
    scale: cython.double = 2.0 * size
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    column: cython.Py_ssize_t
    row: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    other: cython.int
    x: cython.double
    y: cython.double
    across: cython.double
    down: cython.double
    square: cython.double
    length: cython.double
    old: cython.Py_ssize_t
    many: cython.Py_ssize_t
    way: cython.Py_ssize_t
    best: cython.Py_ssize_t
    likeness: cython.double
    least: cython.double
    low: cython.double
    high: cython.double
    lines: cython.Py_ssize_t
    keep: cython.Py_ssize_t
    fade: cython.double
    offset: cython.double
    start: cython.double
    end: cython.double
    x0: cython.double
    y0: cython.double
    x1: cython.double
    y1: cython.double
    found: cython.longlong = 0
    for i in range(points.shape[0]):
        column = cython.cast(cython.Py_ssize_t, points[i, 0] / reach)
        row = cython.cast(cython.Py_ssize_t, points[i, 1] / reach)
        following[i] = buckets[row, column]
        buckets[row, column] = cython.cast(cython.int, i)
        turned[i] = -1
    for i in range(points.shape[0]):
        x = points[i, 0]
        y = points[i, 1]
        column = cython.cast(cython.Py_ssize_t, x / reach)
        row = cython.cast(cython.Py_ssize_t, y / reach)
        # The cell, about its point.
        old = 0
        many = 8
        for k in range(8):
            shape[0, k] = octagon[k, 0]
            shape[1, k] = octagon[k, 1]
        least = -1.0
        best = 0
        for k in range(6):
            way = cython.cast(cython.Py_ssize_t, hash_to_unit(keys[i], k, 31) * ways.shape[0])
            likeness = 1.0
            for b in range(row - 1 if row > 0 else 0, row + 2 if row + 1 < buckets.shape[0] else buckets.shape[0]):
                for a in range(
                    column - 1 if column > 0 else 0, column + 2 if column + 1 < buckets.shape[1] else buckets.shape[1]
                ):
                    other = buckets[b, a]
                    while other >= 0:
                        across = points[other, 0] - x
                        down = points[other, 1] - y
                        square = across * across + down * down
                        if k == 0 and other != i and square < reach * reach and many >= 3:
                            length = sqrt(square)
                            many = clip_polygon(shape, old, many, across, down, square / 2.0 - 0.02 * scale * length)
                            old = 2 - old
                        if turned[other] >= 0 and square < 3.61 * size * size:
                            length = ways[way, 0] * ways[turned[other], 1] - ways[way, 1] * ways[turned[other], 0]
                            if length < 0.0:
                                length = -length
                            if length < likeness:
                                likeness = length
                        other = following[other]
            if likeness > least:
                least = likeness
                best = way
        if many < 3:
            continue
        turned[i] = cython.cast(cython.int, best)
        across = ways[best, 0]
        down = ways[best, 1]
        low = 0.0
        high = 0.0
        for k in range(many):
            offset = shape[old + 1, k] * across - shape[old, k] * down
            if offset < low:
                low = offset
            if offset > high:
                high = offset
        lines = cython.cast(cython.Py_ssize_t, (high - low) / spacing)
        if lines < 1:
            lines = 1
        fade = fades[i]
        keep = lines
        if fade >= 0.62:
            keep = cython.cast(cython.Py_ssize_t, lines * (1.25 - 0.75 * fade) + 0.5)
            if keep < 2:
                keep = 2
            if keep > lines:
                keep = lines
        for k in range((lines - keep) // 2, (lines - keep) // 2 + keep):
            offset = (
                (low + high) / 2.0
                + (k - (lines - 1) / 2.0) * spacing
                + 0.018 * scale * (2.0 * hash_to_unit(keys[i], k, 40) - 1.0)
            )
            # Where the line is within the shape: between its highest entry and its lowest exit.
            start = -2.0 * size
            end = 2.0 * size
            x0 = shape[old, many - 1]
            y0 = shape[old + 1, many - 1]
            for a in range(many):
                x1 = shape[old, a]
                y1 = shape[old + 1, a]
                length = (x1 - x0) * down - (y1 - y0) * across
                square = (x1 - x0) * (across * offset - y0) - (y1 - y0) * (-down * offset - x0)
                if length > 1e-9:
                    if -square / length > start:
                        start = -square / length
                elif length < -1e-9:
                    if -square / length < end:
                        end = -square / length
                elif square < 0.0:
                    end = start
                x0 = x1
                y0 = y1
            if end - start < 0.09 * scale:
                continue
            start = start + scale * (0.10 * hash_to_unit(keys[i], k, 41) - 0.015) * (1.0 + fade)
            end = end - scale * (0.10 * hash_to_unit(keys[i], k, 42) - 0.015) * (1.0 + fade)
            if end - start < 0.12 * scale:
                continue
            out[found, 0] = x - down * offset + across * start
            out[found, 1] = y + across * offset + down * start
            out[found, 2] = x - down * offset + across * end
            out[found, 3] = y + across * offset + down * end
            out[found, 4] = 0.45 * fade - 0.2 * hash_to_unit(keys[i], k, 43) + 0.2
            found += 1
            if found == out.shape[0]:
                return found
    return found


def order_chains(
    following: cython.const[cython.int][::1], marks: cython.uchar[::1], order: cython.int[::1], ends: cython.int[::1]
) -> cython.longlong:
    """Segments in the order in which they follow each other: chains with two ends first, then rings. Returns how many;
    `ends` are where each ends.

    `following` is the next one of each, or -1. `marks` begins as 0.
    """
    many: cython.Py_ssize_t = following.shape[0]
    i: cython.Py_ssize_t
    at: cython.int
    turn: cython.int
    placed: cython.Py_ssize_t = 0
    found: cython.longlong = 0
    for i in range(many):
        if following[i] >= 0:
            marks[following[i]] = 1
    for turn in range(2):
        for i in range(many):
            if marks[i] != turn:
                continue
            at = cython.cast(cython.int, i)
            while at >= 0 and marks[at] != 2:
                marks[at] = 2
                order[placed] = at
                placed += 1
                at = following[at]
            ends[found] = cython.cast(cython.int, placed)
            found += 1
    return found


def find_cheapest_path(
    costs: cython.const[cython.int][::1],
    best: cython.int[::1],
    back: cython.int[::1],
    heap: cython.longlong[::1],
    stride: cython.Py_ssize_t,
    start: cython.int,
    goal: cython.int,
) -> cython.longlong:
    """The cost of the cheapest path over a field with a rim, in eight directions, or -1. From the goal, `back` leads to
    the start.

    A cost of 0 is closed. A straight step costs five times the cost of its cell, a diagonal step seven times; a
    diagonal step needs both cells beside it open. `best` begins as the largest number; the heap has room for eight
    entries a cell.
    """
    size: cython.Py_ssize_t = 0
    hole: cython.Py_ssize_t
    child: cython.Py_ssize_t
    entry: cython.longlong
    last: cython.longlong
    cost: cython.longlong
    at: cython.int
    to: cython.int
    dx: cython.int
    dy: cython.int
    best[start] = 0
    back[start] = start
    heap[0] = start
    size = 1
    while size > 0:
        entry = heap[0]
        size -= 1
        last = heap[size]
        hole = 0
        while 2 * hole + 1 < size:
            child = 2 * hole + 1
            if child + 1 < size and heap[child + 1] < heap[child]:
                child += 1
            if last <= heap[child]:
                break
            heap[hole] = heap[child]
            hole = child
        heap[hole] = last
        cost = entry >> 32
        at = cython.cast(cython.int, entry & MASK32)
        if cost > best[at]:
            continue
        if at == goal:
            return cost
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                to = at + dy * cython.cast(cython.int, stride) + dx
                if to == at or costs[to] == 0:
                    continue
                if dx != 0 and dy != 0 and (costs[at + dx] == 0 or costs[to - dx] == 0):
                    continue
                entry = cost + costs[to] * (7 if dx != 0 and dy != 0 else 5)
                if entry >= best[to]:
                    continue
                best[to] = cython.cast(cython.int, entry)
                back[to] = at
                entry = (entry << 32) | to
                hole = size
                size += 1
                while hole > 0 and entry < heap[(hole - 1) // 2]:
                    heap[hole] = heap[(hole - 1) // 2]
                    hole = (hole - 1) // 2
                heap[hole] = entry
    return -1
