# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Paths over the grid: the Hilbert curve, the rooms along a window of it, and the random walk."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import advanced, below, draw, output
else:
    from undercroft.kernels._primitives import advanced, below, draw, output


def trace_hilbert(points: cython.int[:, ::1], order: cython.int) -> None:
    """The points of the curve in order, as rows x, y. The curve of an order is four of the order below: one turned, two
    moved, one turned the other way.

    ::

        3 2    the first quarter has x and y swapped, the second and third are as they are,
        0 1    the last is mirrored at the other diagonal (y grows downwards on a map, upwards here)
    """
    level: cython.int
    side: cython.int = 1
    size: cython.Py_ssize_t = 1
    k: cython.Py_ssize_t
    x: cython.int
    y: cython.int
    points[0, 0] = 0
    points[0, 1] = 0
    for level in range(order):
        for k in range(size):  # one quarter after the other: in the order of memory
            points[size + k, 0] = points[k, 0] + side
            points[size + k, 1] = points[k, 1]
        for k in range(size):
            points[2 * size + k, 0] = points[k, 0] + side
            points[2 * size + k, 1] = points[k, 1] + side
        for k in range(size):
            x = points[k, 0]
            y = points[k, 1]
            points[3 * size + k, 0] = side - 1 - y
            points[3 * size + k, 1] = 2 * side - 1 - x
            points[k, 0] = y
            points[k, 1] = x
        side *= 2
        size *= 4


def find_curve_positions(
    out: cython.longlong[::1],
    left: cython.int,
    top: cython.int,
    columns: cython.Py_ssize_t,
    order: cython.int,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Where on the curve the cells of some rows of a window lie: the quarters they are in, from the largest down."""
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    level: cython.int
    side: cython.int
    x: cython.int
    y: cython.int
    kept: cython.int
    place: cython.longlong
    for row in range(first, last):
        for column in range(columns):
            x = left + cython.cast(cython.int, column)
            y = top + cython.cast(cython.int, row)
            place = 0
            for level in range(order):
                side = 1 << (order - 1 - level)
                kept = x
                if y < side:
                    if x < side:
                        x = y
                        y = kept
                        place = place * 4
                    else:
                        x -= side
                        place = place * 4 + 1
                elif x >= side:
                    x -= side
                    y -= side
                    place = place * 4 + 2
                else:
                    x = 2 * side - 1 - y
                    y = side - 1 - kept
                    place = place * 4 + 3
            out[row * columns + column] = place
    return (last - first) * columns * (order + 1)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def ring_number(
    x: cython.Py_ssize_t, y: cython.Py_ssize_t, columns: cython.Py_ssize_t, rows: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The number of a border cell, counted clockwise from the top left corner."""
    if y == 0:
        return x
    if x == columns - 1:
        return columns - 1 + y
    if y == rows - 1:
        return columns - 1 + rows - 1 + columns - 1 - x
    return 2 * (columns - 1) + 2 * (rows - 1) - y


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def ring_cell(number: cython.Py_ssize_t, columns: cython.Py_ssize_t, rows: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The border cell of a number."""
    if number < columns:
        return number
    number -= columns - 1
    if number < rows:
        return number * columns + columns - 1
    number -= rows - 1
    if number < columns:
        return (rows - 1) * columns + columns - 1 - number
    return (rows - 1 - (number - (columns - 1))) * columns


def build_walk(
    along: cython.const[cython.int][::1],
    place: cython.const[cython.longlong][::1],
    found: cython.int[:, ::1],
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The walk through the cells `along` the curve as rows: cell, number of its run. Where the curve was outside, a
    bridge leads along the border: run 0.

    Returns how many rows there are; only those that fit are written.
    """
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    run: cython.int = 1
    here: cython.Py_ssize_t
    goal: cython.Py_ssize_t
    step: cython.Py_ssize_t
    ring: cython.Py_ssize_t = 2 * (columns - 1) + 2 * (rows - 1)
    narrow: cython.bint = columns < 3 or rows < 3  # every cell is on the border
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    for k in range(along.shape[0]):
        b = along[k]
        if k > 0:
            a = along[k - 1]
            if place[b] != place[a] + 1:
                run += 1
                here = ring_number(a % columns, a // columns, columns, rows)
                goal = ring_number(b % columns, b // columns, columns, rows)
                step = 1 if here < goal else -1
                if (goal - here) * step * 2 > ring:  # the opposite direction is shorter
                    step = -step
                while True:
                    if narrow:
                        if a % columns != b % columns:
                            a += 1 if a % columns < b % columns else -1
                        else:
                            a += columns if a < b else -columns
                    else:
                        here += step
                        here = here + ring if here < 0 else here - ring if here >= ring else here
                        a = ring_cell(here, columns, rows)
                    if a == b:
                        break
                    if count < found.shape[0]:
                        found[count, 0] = a
                        found[count, 1] = 0
                    count += 1
        if count < found.shape[0]:
            found[count, 0] = b
            found[count, 1] = run
        count += 1
    return count


EAST = cython.declare(cython.uchar, 1)
SOUTH = cython.declare(cython.uchar, 2)
USED = cython.declare(cython.uchar, 4)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def open_between(
    ways: cython.uchar[::1], a: cython.Py_ssize_t, b: cython.Py_ssize_t, columns: cython.Py_ssize_t
) -> cython.int:
    """Mark the side between two neighbouring cells as open."""
    low: cython.Py_ssize_t = a if a < b else b
    high: cython.Py_ssize_t = b if a < b else a
    ways[low] |= EAST if high - low == 1 and columns > 1 else SOUTH
    return 0


def number_rooms(
    state: cython.longlong[::1],
    walk: cython.const[cython.int][:, ::1],
    room: cython.int[::1],
    ways: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    columns: cython.Py_ssize_t,
    longest: cython.int,
    fuel: cython.longlong,
) -> cython.longlong:
    """Number the rooms along the walk: each takes as many cells of a run as a draw from 1 to `longest`. Bridges open
    passages and have no number.

    `state` is [next row, cells left for the present room, its number, its run].
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t = state[0]
    cell: cython.Py_ssize_t
    while k < walk.shape[0] and used < fuel:
        cell = walk[k, 0]
        ways[cell] |= USED
        if k > 0:
            open_between(ways, walk[k - 1, 0], cell, columns)
        if walk[k, 1]:
            if state[1] == 0 or walk[k, 1] != state[3]:
                state[1] = 1 + cython.cast(cython.longlong, below(rng, longest))
                state[2] += 1
                state[3] = walk[k, 1]
            room[cell] = state[2]
            state[1] -= 1
        k += 1
        used += 1
    state[0] = k
    return used


def grow_branches(
    state: cython.longlong[::1],
    walk: cython.const[cython.int][:, ::1],
    room: cython.int[::1],
    ways: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    chance: cython.ulonglong,
    longest: cython.int,
    fuel: cython.longlong,
) -> cython.longlong:
    """Grow dead ends from random cells of the walk over at most `longest` free cells; each branch is a room.

    `state` is [next row, number of the last room, branches].
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t = state[0]
    cell: cython.Py_ssize_t
    near: cython.Py_ssize_t
    left: cython.longlong
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    up: cython.int
    right: cython.int
    down: cython.int
    west: cython.int
    pick: cython.int
    first: cython.bint
    while k < walk.shape[0] and used < fuel:
        cell = walk[k, 0]
        used += 1
        k += 1
        if walk[k - 1, 1] == 0 or draw(rng) >= chance:
            continue
        left = 1 + cython.cast(cython.longlong, below(rng, longest))
        first = True
        while left > 0:
            x = cell % columns
            y = cell // columns
            up = y > 0 and ways[cell - columns] & USED == 0
            right = x + 1 < columns and ways[cell + 1] & USED == 0
            down = y + 1 < rows and ways[cell + columns] & USED == 0
            west = x > 0 and ways[cell - 1] & USED == 0
            if up + right + down + west == 0:
                break
            pick = below(rng, up + right + down + west)
            near = cell - columns
            if pick >= up:
                pick -= up
                near = cell + 1
                if pick >= right:
                    pick -= right
                    near = cell + columns
                    if pick >= down:
                        near = cell - 1
            if first:
                state[1] += 1
                state[2] += 1
                first = False
            ways[near] |= USED
            room[near] = state[1]
            open_between(ways, cell, near, columns)
            cell = near
            left -= 1
            used += 1
    state[0] = k
    return used


def number_bridges(walk: cython.const[cython.int][:, ::1], room: cython.int[::1], last: cython.int) -> cython.int:
    """Number the cells that only bridges use: one number for each stretch, above `last`. Returns the last number."""
    k: cython.Py_ssize_t
    before: cython.Py_ssize_t = -2
    for k in range(walk.shape[0]):
        if room[walk[k, 0]]:
            continue
        if before != k - 1:
            last += 1
        before = k
        room[walk[k, 0]] = last
    return last


CLOSED = cython.declare(cython.uchar, 0)
ROCK = cython.declare(cython.uchar, 1)
GROUND = cython.declare(cython.uchar, 2)
LINE = cython.declare(cython.uchar, 3)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def meeting_kind(
    room: cython.const[cython.int][::1],
    ways: cython.const[cython.uchar][::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    side: cython.uchar,
    halls: cython.int,
) -> cython.int:
    """How two neighbouring cells meet at that side of the first: 2 as one room, 1 by a passage, 0 not at all."""
    if room[a] and room[a] == room[b] and room[a] <= halls:
        return 2
    return 1 if ways[a] & side else 0


def fill_insets(out: cython.uchar[::1], rng: cython.ulonglong[::1], least: cython.int, most: cython.int) -> None:
    """Draw from `least` to `most` how far each room stays away from its walls."""
    k: cython.Py_ssize_t
    for k in range(out.shape[0]):
        out[k] = least + cython.cast(cython.int, below(rng, most - least + 1))


def build_cell_sides(
    room: cython.const[cython.int][::1],
    ways: cython.const[cython.uchar][::1],
    inset: cython.const[cython.uchar][::1],
    box: cython.uchar[:, ::1],
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    pitch: cython.int,
    middle: cython.int,
    halls: cython.int,
) -> None:
    """For every cell, a row: how it meets the west, north, east and south, then the least x, least y, greatest x and
    greatest y of its ground.

    A room stays `inset` (four numbers a room) away from the walls, and 0 towards its own cells. A bridge has no ground
    but its passage.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    c: cython.Py_ssize_t
    mine: cython.Py_ssize_t
    west: cython.int
    north: cython.int
    east: cython.int
    south: cython.int
    for y in range(rows):
        for x in range(columns):
            c = y * columns + x
            west = meeting_kind(room, ways, c - 1, c, EAST, halls) if x > 0 else 0
            north = meeting_kind(room, ways, c - columns, c, SOUTH, halls) if y > 0 else 0
            east = meeting_kind(room, ways, c, c + 1, EAST, halls) if x + 1 < columns else 0
            south = meeting_kind(room, ways, c, c + columns, SOUTH, halls) if y + 1 < rows else 0
            box[c, 0] = west
            box[c, 1] = north
            box[c, 2] = east
            box[c, 3] = south
            mine = room[c]
            if mine == 0 or mine > halls:
                box[c, 4] = middle
                box[c, 5] = middle
                box[c, 6] = middle
                box[c, 7] = middle
            else:
                box[c, 4] = 1 if west == 2 else 1 + inset[4 * mine]
                box[c, 5] = 1 if north == 2 else 1 + inset[4 * mine + 1]
                box[c, 6] = pitch - 1 if east == 2 else pitch - 1 - inset[4 * mine + 2]
                box[c, 7] = pitch - 1 if south == 2 else pitch - 1 - inset[4 * mine + 3]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_on_ground(
    box: cython.const[cython.uchar][:, ::1], c: cython.Py_ssize_t, x: cython.int, y: cython.int
) -> cython.bint:
    """Whether a tile lies on the ground of a cell."""
    return box[c, 4] <= x and x <= box[c, 6] and box[c, 5] <= y and y <= box[c, 7]


@cython.cfunc
@cython.exceptval(check=False)
def plan_tile(
    room: cython.const[cython.int][::1],
    box: cython.const[cython.uchar][:, ::1],
    column: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    x: cython.int,
    y: cython.int,
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    pitch: cython.int,
    middle: cython.int,
    low: cython.int,
    high: cython.int,
) -> cython.uchar:
    """The planned tile, by its cell and its place in it. Place 0 is the wall to the west or north; passages run from
    `low` to `high` across.
    """
    c: cython.Py_ssize_t = row * columns + column
    mine: cython.int
    if x == 0 or y == 0:
        if (x == 0 and (column == 0 or column == columns)) or (y == 0 and (row == 0 or row == rows)):
            return CLOSED
        if x == 0 and y == 0:
            mine = room[c]
            if (
                mine == 0
                or room[c - 1] != mine
                or room[c - columns] != mine
                or room[c - columns - 1] != mine
                or box[c, 0] != 2
                or box[c, 1] != 2
            ):
                return CLOSED
            return GROUND
        if x == 0:
            if row == rows or box[c, 0] == 0:
                return CLOSED
            if y == middle:
                return LINE
            return (
                GROUND
                if (low <= y and y <= high)
                or (box[c, 0] == 2 and is_on_ground(box, c - 1, pitch - 1, y) and is_on_ground(box, c, 1, y))
                else CLOSED
            )
        if column == columns or box[c, 1] == 0:
            return CLOSED
        if x == middle:
            return LINE
        return (
            GROUND
            if (low <= x and x <= high)
            or (box[c, 1] == 2 and is_on_ground(box, c - columns, x, pitch - 1) and is_on_ground(box, c, x, 1))
            else CLOSED
        )
    if column == columns or row == rows or room[c] == 0:
        return CLOSED
    if y == middle and (x == middle or (x < middle and box[c, 0]) or (x > middle and box[c, 2])):
        return LINE
    if x == middle and ((y < middle and box[c, 1]) or (y > middle and box[c, 3])):
        return LINE
    if is_on_ground(box, c, x, y):
        return GROUND
    if low <= y and y <= high and ((x <= high and box[c, 0]) or (x >= low and box[c, 2])):
        return GROUND
    if low <= x and x <= high and ((y <= high and box[c, 1]) or (y >= low and box[c, 3])):
        return GROUND
    return ROCK


def plan_tiles(
    room: cython.const[cython.int][::1],
    box: cython.const[cython.uchar][:, ::1],
    out: cython.uchar[::1],
    labels: cython.int[::1],
    width: cython.Py_ssize_t,
    left: cython.Py_ssize_t,
    top: cython.Py_ssize_t,
    columns: cython.Py_ssize_t,
    rows: cython.Py_ssize_t,
    pitch: cython.int,
    middle: cython.int,
    low: cython.int,
    high: cython.int,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Plan each tile of some rows, and the room it belongs to: 0 permanent wall, 1 rock of a used cell, 2 ground, 3 the
    line that stays open.
    """
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    ox: cython.int
    oy: cython.int
    c: cython.Py_ssize_t
    for y in range(first, last):
        for i in range(y * width, (y + 1) * width):
            out[i] = CLOSED
            labels[i] = 0
        if y < top or y > top + rows * pitch:
            continue
        row = (y - top) // pitch
        oy = cython.cast(cython.int, (y - top) % pitch)
        column = 0
        ox = 0
        for x in range(left, left + columns * pitch + 1):
            i = y * width + x
            out[i] = plan_tile(room, box, column, row, ox, oy, columns, rows, pitch, middle, low, high)
            if out[i]:
                c = row * columns + column
                if oy == 0:
                    c -= columns
                if ox == 0:
                    c -= 1
                labels[i] = room[c]
            ox += 1
            if ox == pitch:
                ox = 0
                column += 1
    return (last - first) * width


def paint_plan(
    tiles: cython.uchar[::1],
    plan: cython.const[cython.uchar][::1],
    rng: cython.ulonglong[::1],
    chance: cython.ulonglong,
    wall: cython.uchar,
    floor: cython.uchar,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Draw the plan, with noise in the cells that are used: with that chance, a tile is the opposite of its plan."""
    i: cython.Py_ssize_t
    ground: cython.bint
    for i in range(first, last):
        ground = plan[i] >= GROUND
        if chance and (plan[i] == ROCK or plan[i] == GROUND) and draw(rng) < chance:
            ground = not ground
        tiles[i] = floor if ground else wall
    return last - first


def dig_random_walk(
    state: cython.longlong[::1],
    ground: cython.uchar[::1],
    steps: cython.const[cython.longlong][::1],
    rng: cython.ulonglong[::1],
    straight: cython.ulonglong,
    life: cython.longlong,
    fuel: cython.longlong,
) -> cython.longlong:
    """Dig by random steps right, left, down and up, each equally likely; a step on to the border is not taken.

    `ground` holds 0 where it is open, 1 where there is something to dig, and 2 on the border; `steps` are the four
    offsets: a table, since a branch would often be mispredicted. A draw gives sixteen directions of two bits. With the
    chance `straight` the walker goes on as before instead. After `life` steps (0: never) it is back where it began.
    `state` is [cell, cells still to dig, steps left, bits, directions left in them, last direction, cell of the
    beginning, steps of this life].
    """
    used: cython.longlong = 0
    i: cython.Py_ssize_t = state[0]
    to: cython.Py_ssize_t
    missing: cython.longlong = state[1]
    most: cython.longlong = state[2] if state[2] < fuel else fuel
    bits: cython.uint = state[3]
    left: cython.int = state[4]
    last: cython.int = state[5]
    lived: cython.longlong = state[7]
    go: cython.int
    rock: cython.uchar
    old: cython.ulonglong = rng[0]  # the state in a register
    odd: cython.ulonglong = rng[1]
    while missing > 0 and used < most:
        used += 1
        if left == 0:
            bits = output(old)
            old = advanced(old, odd)
            left = 16
        go = bits & 3
        bits >>= 2
        left -= 1
        if straight:
            if output(old) < straight and last >= 0:
                go = last
            old = advanced(old, odd)
            last = go
        to = i + steps[go]
        rock = ground[to]
        if rock == 2:
            last = -1  # do not continue in this direction: it leads against the border
            continue
        i = to
        ground[i] = 0
        missing -= rock
        if life:
            lived += 1
            if lived == life:
                lived = 0
                i = state[6]
    rng[0] = old
    state[0] = i
    state[1] = missing
    state[2] -= used
    state[3] = bits
    state[4] = left
    state[5] = last
    state[7] = lived
    return used
