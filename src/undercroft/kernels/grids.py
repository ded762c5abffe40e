# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Room grids, one cell per room: growth, random walk, and drawing on to a map of tiles.

A cell is 0 while it is empty. The generator is the one of `core/rng.py`, on the same two words.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import draw
else:
    from undercroft.kernels._primitives import draw

PROBABILITY_ONE = cython.declare(cython.ulonglong, 0x100000000)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def count_neighbours(
    tiles: cython.const[cython.uchar][::1], x: cython.int, y: cython.int, width: cython.int, height: cython.int
) -> cython.int:
    """How many of the four cells around this one are rooms."""
    i: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, y) * width + x
    count: cython.int = 0
    if y > 0 and tiles[i - width]:
        count += 1
    if x > 0 and tiles[i - 1]:
        count += 1
    if x + 1 < width and tiles[i + 1]:
        count += 1
    if y + 1 < height and tiles[i + width]:
        count += 1
    return count


def grow_rooms(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    rooms: cython.int[::1],
    crowded: cython.const[cython.ulonglong][::1],
    hope: cython.const[cython.ulonglong][::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
    target: cython.longlong,
    refuse: cython.ulonglong,
    eager: cython.bint,
    again: cython.bint,
    fuel: cython.longlong,
) -> cython.longlong:
    """Visit room after room; each may build on the empty cells around it, up, left, right, down, until there are as
    many as wanted.

    A cell with `c` rooms around it besides the one that builds is refused with the chance `crowded[c]`, and then with
    the chance `refuse`. When `eager`, a round visits the rooms that it built as well; else they wait for the next.
    Without `again` there is one round only. `rooms` lists those that may still build: a room that cannot is dropped.
    `hope[c]` is the least chance of refusal with `c` or more rooms around. `state` is [rooms built, next to visit, kept
    of those visited, end of the round, end of the list, whether this round had a chance to build].
    """
    count: cython.longlong = state[0]
    at: cython.Py_ssize_t = state[1]
    kept: cython.Py_ssize_t = state[2]
    end: cython.Py_ssize_t = state[3]
    tail: cython.Py_ssize_t = state[4]
    chance: cython.bint = state[5] != 0
    used: cython.longlong = 0
    k: cython.Py_ssize_t
    room: cython.int
    side: cython.int
    x: cython.int
    y: cython.int
    around: cython.int
    stays: cython.bint
    while count < target and used < fuel:
        if at == end and eager:
            end = tail
        if at == end:
            if not again or not chance or kept + tail - end == 0:
                break
            for k in range(end, tail):  # those that were built follow those that were kept
                rooms[kept + k - end] = rooms[k]
            tail = kept + tail - end
            end = tail
            at = 0
            kept = 0
            chance = False
        room = rooms[at]
        at += 1
        used += 1
        stays = False
        for side in range(4):
            x = room % width
            y = room // width
            if side == 0:
                y -= 1
            elif side == 1:
                x -= 1
            elif side == 2:
                x += 1
            else:
                y += 1
            if x < 0 or y < 0 or x == width or y == height or tiles[cython.cast(cython.Py_ssize_t, y) * width + x]:
                continue
            around = count_neighbours(tiles, x, y, width, height) - 1
            if hope[around] < PROBABILITY_ONE:
                stays = True
            if crowded[around] >= PROBABILITY_ONE or refuse >= PROBABILITY_ONE:
                continue
            chance = True
            if crowded[around] and draw(rng) < crowded[around]:
                continue
            if draw(rng) < refuse:
                continue
            k = cython.cast(cython.Py_ssize_t, y) * width + x
            tiles[k] = 1
            rooms[tail] = k
            tail += 1
            count += 1
            if count == target:
                break
        if stays:
            rooms[kept] = room
            kept += 1
    state[0] = count
    state[1] = at
    state[2] = kept
    state[3] = end
    state[4] = tail
    state[5] = 1 if chance else 0
    return used


def build_by_walk(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
    target: cython.longlong,
    border: cython.int,
    fuel: cython.longlong,
) -> cython.longlong:
    """Walk at random and build where nothing is, until there are as many rooms as wanted or no steps are left.

    A step over the border leads back to the start (`border` 0), is not made and another is drawn (1), or ends at the
    border (2). `state` is [rooms built, x, y, x of the start, y of the start, steps left].
    """
    count: cython.longlong = state[0]
    x: cython.int = state[1]
    y: cython.int = state[2]
    left: cython.longlong = state[5]
    used: cython.longlong = 0
    way: cython.uint
    nx: cython.int
    ny: cython.int
    i: cython.Py_ssize_t
    while count < target and left > 0 and used < fuel:
        used += 1
        way = draw(rng) >> 30
        nx = x + (1 if way == 2 else -1 if way == 1 else 0)
        ny = y + (1 if way == 3 else -1 if way == 0 else 0)
        if nx < 0 or ny < 0 or nx == width or ny == height:
            if border == 1:
                continue
            nx = x if border == 2 else state[3]
            ny = y if border == 2 else state[4]
        left -= 1
        x = nx
        y = ny
        i = cython.cast(cython.Py_ssize_t, y) * width + x
        if tiles[i] == 0:
            tiles[i] = 1
            count += 1
    state[0] = count
    state[1] = x
    state[2] = y
    state[5] = left
    return used


def stamp_rooms(
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    corners: cython.const[cython.int][:, ::1],
    shape: cython.const[cython.uchar][:, ::1],
    ground: cython.const[cython.uchar][:, ::1],
    width: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Draw the shape of a room at the corners (x, y) of some rooms, and label its ground with the number of the room,
    from 1.
    """
    k: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for k in range(first, last):
        for y in range(shape.shape[0]):
            i = (corners[k, 1] + y) * width + corners[k, 0]
            for x in range(shape.shape[1]):
                tiles[i + x] = shape[y, x]
                if ground[y, x]:
                    labels[i + x] = k + 1
    return (last - first) * shape.shape[0] * shape.shape[1]
