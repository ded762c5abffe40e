# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Place rooms at the doors of other rooms: choose a room for a door, test whether it fits, and link unused doors.

Rooms include their walls. One grid says what occupies each cell, so testing a room against all others costs as much as
its own cells.

The tables, made once for a set of room types by `templates/prefabs/tables.py`; a *shape* is a type in one orientation:

    cells    one row a cell of a shape: x, y, code of its tile, WALL or BODY, with GROUND if it belongs to the room's
             region
    shapes   type, width, height, first and last cell, first and last socket, left, top, right, bottom and number of
             its ground cells
    sockets  x, y, side, width, class, tile when joined, whether that tile is ground
    offers   for each class, from `starts` on: a type with a socket of the opposite class, its first and last pair
    pairs    shape, socket
    types    weight, at least, at most, number of sockets

The lists, filled while rooms are placed:

    rooms    shape, x, y, and left, top, right, bottom, number of the ground cells; shape -1 is a corridor
    doors    x, y, socket, room, whether it is used: all sockets but those by which rooms were attached
    waiting  the doors at which no room was tried yet
    joins    door, the two regions that it joins
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import below, draw
else:
    from undercroft.kernels._primitives import below, draw


FREE = cython.declare(cython.int, 0)
WALL = cython.declare(cython.int, 1)
BODY = cython.declare(cython.int, 2)
GROUND = cython.declare(cython.int, 4)

# `state`, for all functions here
ROOMS = cython.declare(cython.int, 0)
DOORS = cython.declare(cython.int, 1)
DOORS_WAITING = cython.declare(cython.int, 2)
JOINS = cython.declare(cython.int, 3)
CELLS_COVERED = cython.declare(cython.int, 4)
"""Cells that rooms stand on, walls too."""
ROOMS_OWED = cython.declare(cython.int, 5)
"""How many rooms are still missing to meet the minimum of every type."""
LISTS_FULL = cython.declare(cython.int, 6)
"""1 if the lists have no place for another room: the caller lengthens them and calls again."""
DOORS_TRIED = cython.declare(cython.int, 7)
"""Doors tried."""
NEXT_PAIR = cython.declare(cython.int, 8)
"""The index at which to continue a list."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def probe_fit(
    taken: cython.uchar[::1],
    cells: cython.const[cython.int][:, ::1],
    offsets: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    corner: cython.Py_ssize_t,
    axis: cython.int,
    line: cython.int,
    shared: cython.bint,
) -> cython.Py_ssize_t:
    """The number of cells tested, negative if one of them is taken.

    A wall may stand on a wall in the line of the door, which is a column (axis 0) or a row (axis 1) of the shape; if
    walls are shared, anywhere.
    """
    i: cython.Py_ssize_t
    there: cython.uchar
    for i in range(first, last):
        there = taken[corner + offsets[i]]
        if there == FREE:
            continue
        if there == WALL and cells[i, 3] == WALL and (shared or (axis < 2 and cells[i, axis] == line)):
            continue
        return first - i - 1
    return last - first


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def may_draw_type(
    types: cython.const[cython.int][:, ::1],
    counts: cython.int[::1],
    kind: cython.int,
    turn: cython.int,
    last: cython.bint,
) -> cython.bint:
    """Whether a type may be drawn in this turn: in turn 0 only types below their minimum; at the last waiting door,
    dead ends only in turn 2.
    """
    if counts[kind] >= types[kind, 2] or (turn == 0 and counts[kind] >= types[kind, 1]):
        return False
    return turn == 2 or not last or types[kind, 3] > 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def add_ground_cell(rooms: cython.int[:, ::1], row: cython.Py_ssize_t, x: cython.int, y: cython.int) -> cython.int:
    """Add a cell to a room's ground."""
    if x < rooms[row, 3]:
        rooms[row, 3] = x
    if y < rooms[row, 4]:
        rooms[row, 4] = y
    if x > rooms[row, 5]:
        rooms[row, 5] = x
    if y > rooms[row, 6]:
        rooms[row, 6] = y
    rooms[row, 7] += 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def place_room(
    state: cython.longlong[::1],
    taken: cython.uchar[::1],
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    cells: cython.const[cython.int][:, ::1],
    offsets: cython.const[cython.int][::1],
    shapes: cython.const[cython.int][:, ::1],
    types: cython.const[cython.int][:, ::1],
    counts: cython.int[::1],
    rooms: cython.int[:, ::1],
    doors: cython.int[:, ::1],
    waiting: cython.int[::1],
    sockets: cython.const[cython.int][:, ::1],
    shape: cython.int,
    x: cython.int,
    y: cython.int,
    width: cython.Py_ssize_t,
    before: cython.int,
    used: cython.int,
) -> cython.int:
    """Draw a room, and add its doors to `waiting`, except the socket by which it is attached (-1: none). Returns the
    room's label.
    """
    i: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    corner: cython.Py_ssize_t = y * width + x
    row: cython.Py_ssize_t = state[ROOMS]
    label: cython.int = before + row + 1
    kind: cython.int = shapes[shape, 0]
    socket: cython.int
    for i in range(shapes[shape, 3], shapes[shape, 4]):
        cell = corner + offsets[i]
        if taken[cell] == FREE:
            state[CELLS_COVERED] += 1
        taken[cell] = cells[i, 3] & 3
        tiles[cell] = cells[i, 2]
        if cells[i, 3] & GROUND:
            labels[cell] = label
    rooms[row, 0] = shape
    rooms[row, 1] = x
    rooms[row, 2] = y
    rooms[row, 3] = x + shapes[shape, 7]
    rooms[row, 4] = y + shapes[shape, 8]
    rooms[row, 5] = x + shapes[shape, 9]
    rooms[row, 6] = y + shapes[shape, 10]
    rooms[row, 7] = shapes[shape, 11]
    state[ROOMS] += 1
    if counts[kind] < types[kind, 1]:
        state[ROOMS_OWED] -= 1
    counts[kind] += 1
    for socket in range(shapes[shape, 5], shapes[shape, 6]):
        if socket == used:
            continue
        row = state[DOORS]
        doors[row, 0] = x + sockets[socket, 0]
        doors[row, 1] = y + sockets[socket, 1]
        doors[row, 2] = socket
        doors[row, 3] = label
        doors[row, 4] = 0
        waiting[state[DOORS_WAITING]] = row
        state[DOORS] += 1
        state[DOORS_WAITING] += 1
    return label


@cython.cfunc
@cython.exceptval(check=False)
def open_door(
    state: cython.longlong[::1],
    taken: cython.uchar[::1],
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    rooms: cython.int[:, ::1],
    doors: cython.int[:, ::1],
    joins: cython.int[:, ::1],
    sockets: cython.const[cython.int][:, ::1],
    door: cython.int,
    other: cython.int,
    width: cython.Py_ssize_t,
    before: cython.int,
) -> cython.int:
    """Open a door between its room and another region. A doorway that is plain ground belongs to the door's room."""
    i: cython.int
    socket: cython.int = doors[door, 2]
    x: cython.int = doors[door, 0]
    y: cython.int = doors[door, 1]
    row: cython.Py_ssize_t = state[JOINS]
    for i in range(sockets[socket, 3]):
        taken[y * width + x] = BODY
        tiles[y * width + x] = sockets[socket, 5]
        if sockets[socket, 6]:
            labels[y * width + x] = doors[door, 3]
            add_ground_cell(rooms, doors[door, 3] - before - 1, x, y)
        else:
            labels[y * width + x] = 0
        if sockets[socket, 2] & 1:
            y += 1
        else:
            x += 1
    doors[door, 4] = 1
    joins[row, 0] = door
    joins[row, 1] = doors[door, 3]
    joins[row, 2] = other
    state[JOINS] += 1
    return 0


def place_first_room(
    state: cython.longlong[::1],
    taken: cython.uchar[::1],
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    cells: cython.const[cython.int][:, ::1],
    offsets: cython.const[cython.int][::1],
    shapes: cython.const[cython.int][:, ::1],
    sockets: cython.const[cython.int][:, ::1],
    types: cython.const[cython.int][:, ::1],
    counts: cython.int[::1],
    rooms: cython.int[:, ::1],
    doors: cython.int[:, ::1],
    waiting: cython.int[::1],
    shape: cython.int,
    x: cython.int,
    y: cython.int,
    width: cython.int,
    before: cython.int,
) -> cython.bint:
    """Place the first room within the map; False if something is in its way."""
    if (
        probe_fit(
            taken,
            cells,
            offsets,
            shapes[shape, 3],
            shapes[shape, 4],
            cython.cast(cython.Py_ssize_t, y) * width + x,
            2,
            0,
            False,
        )
        < 0
    ):
        return False
    place_room(
        state,
        taken,
        tiles,
        labels,
        cells,
        offsets,
        shapes,
        types,
        counts,
        rooms,
        doors,
        waiting,
        sockets,
        shape,
        x,
        y,
        width,
        before,
        -1,
    )
    return True


def grow_rooms(
    state: cython.longlong[::1],
    rng: cython.ulonglong[::1],
    taken: cython.uchar[::1],
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    cells: cython.const[cython.int][:, ::1],
    offsets: cython.const[cython.int][::1],
    shapes: cython.const[cython.int][:, ::1],
    sockets: cython.const[cython.int][:, ::1],
    types: cython.const[cython.int][:, ::1],
    starts: cython.const[cython.int][::1],
    offers: cython.const[cython.int][:, ::1],
    pairs: cython.const[cython.int][:, ::1],
    counts: cython.int[::1],
    tried: cython.longlong[::1],
    left: cython.int[::1],
    rooms: cython.int[:, ::1],
    doors: cython.int[:, ::1],
    waiting: cython.int[::1],
    joins: cython.int[:, ::1],
    width: cython.int,
    height: cython.int,
    before: cython.int,
    most_sockets: cython.int,
    max_rooms: cython.longlong,
    enough: cython.longlong,
    shared: cython.bint,
    favour: cython.ulonglong,
    fuel: cython.longlong,
) -> cython.longlong:
    """Try rooms at random waiting doors, until no door waits, `max_rooms` are placed or `enough` cells are covered.

    At a door, types are drawn by weight, each once; of a type, its fitting (shape, socket) pairs are equally likely. If
    none fits the door stays wall. Types below their minimum are tried first with a chance of `favour`, and only they
    are tried when they need all remaining places. At the last waiting door, types without a further door are tried
    last, so that chance does not end the growth early.
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t
    first: cython.Py_ssize_t
    last: cython.Py_ssize_t
    spent: cython.Py_ssize_t
    count: cython.int
    j: cython.int
    door: cython.int
    kind: cython.int
    socket: cython.int
    shape: cython.int
    label: cython.int
    x: cython.int
    y: cython.int
    side: cython.int
    turn: cython.int
    pressed: cython.bint
    ends: cython.bint
    found: cython.bint
    total: cython.ulonglong
    ticket: cython.ulonglong
    state[LISTS_FULL] = 0
    while used < fuel:
        pressed = state[ROOMS_OWED] > 0 and (
            state[ROOMS_OWED] >= max_rooms - state[ROOMS] or state[CELLS_COVERED] >= enough
        )
        if state[DOORS_WAITING] == 0 or state[ROOMS] >= max_rooms or (state[CELLS_COVERED] >= enough and not pressed):
            break
        if state[ROOMS] >= rooms.shape[0] or state[DOORS] + most_sockets > doors.shape[0]:
            state[LISTS_FULL] = 1
            break
        j = below(rng, state[DOORS_WAITING])
        door = waiting[j]
        state[DOORS_WAITING] -= 1
        waiting[j] = waiting[state[DOORS_WAITING]]
        state[DOORS_TRIED] += 1
        side = sockets[doors[door, 2], 2]
        first = starts[sockets[doors[door, 2], 4]]
        last = starts[sockets[doors[door, 2], 4] + 1]
        turn = 1
        if state[ROOMS_OWED] > 0 and (pressed or (favour > 0 and draw(rng) < favour)):
            turn = 0
        ends = state[DOORS_WAITING] == 0 and not pressed and state[ROOMS] + 1 < max_rooms
        found = False
        used += 1
        while turn < 3 and not found:
            total = 0
            for k in range(first, last):
                kind = offers[k, 0]
                if tried[kind] != state[DOORS_TRIED] and may_draw_type(types, counts, kind, turn, ends):
                    total += types[kind, 0]
            used += last - first
            if total == 0:
                turn += 3 if pressed else 1
                continue
            ticket = below(rng, total)
            for k in range(first, last):
                kind = offers[k, 0]
                if tried[kind] != state[DOORS_TRIED] and may_draw_type(types, counts, kind, turn, ends):
                    if ticket < cython.cast(cython.ulonglong, types[kind, 0]):
                        break
                    ticket -= types[kind, 0]
            tried[kind] = state[DOORS_TRIED]
            count = offers[k, 2] - offers[k, 1]
            for j in range(count):
                left[j] = offers[k, 1] + j
            used += count
            while count > 0:
                j = below(rng, count)
                shape = pairs[left[j], 0]
                socket = pairs[left[j], 1]
                count -= 1
                left[j] = left[count]
                x = doors[door, 0] - sockets[socket, 0]
                y = doors[door, 1] - sockets[socket, 1]
                used += 1
                if x < 0 or y < 0 or x + shapes[shape, 1] > width or y + shapes[shape, 2] > height:
                    continue
                spent = probe_fit(
                    taken,
                    cells,
                    offsets,
                    shapes[shape, 3],
                    shapes[shape, 4],
                    cython.cast(cython.Py_ssize_t, y) * width + x,
                    1 - (side & 1),
                    sockets[socket, 1 - (side & 1)],
                    shared,
                )
                if spent < 0:
                    used -= spent
                    continue
                used += 2 * spent
                label = place_room(
                    state,
                    taken,
                    tiles,
                    labels,
                    cells,
                    offsets,
                    shapes,
                    types,
                    counts,
                    rooms,
                    doors,
                    waiting,
                    sockets,
                    shape,
                    x,
                    y,
                    width,
                    before,
                    socket,
                )
                open_door(state, taken, tiles, labels, rooms, doors, joins, sockets, door, label, width, before)
                found = True
                break
    return used


def find_facing_doors(
    state: cython.longlong[::1],
    taken: cython.const[cython.uchar][::1],
    labels: cython.int[::1],
    sockets: cython.const[cython.int][:, ::1],
    opposite: cython.const[cython.int][::1],
    doors: cython.const[cython.int][:, ::1],
    found: cython.int[:, ::1],
    width: cython.int,
    height: cython.int,
    reach: cython.int,
) -> cython.Py_ssize_t:
    """Pairs of unused doors that face each other, as rows: door, door, cells between them (-1: both are the same
    cells).

    On the label grid, the first cell of each unused door gets its number below zero. Returns how many pairs there are;
    only those that fit are written.
    """
    count: cython.Py_ssize_t = 0
    door: cython.int
    other: cython.int
    gap: cython.int
    lane: cython.int
    lanes: cython.int
    side: cython.int
    reaches: cython.bint
    cell: cython.Py_ssize_t
    step: cython.Py_ssize_t
    across: cython.Py_ssize_t
    for door in range(state[DOORS]):
        cell = cython.cast(cython.Py_ssize_t, doors[door, 1]) * width + doors[door, 0]
        if doors[door, 4]:
            continue
        if labels[cell] < 0:
            other = -labels[cell] - 1
            if (
                other != door
                and doors[other, 3] != doors[door, 3]
                and opposite[sockets[doors[door, 2], 4]] == sockets[doors[other, 2], 4]
            ):
                if count < found.shape[0]:
                    found[count, 0] = other
                    found[count, 1] = door
                    found[count, 2] = -1
                count += 1
        else:
            labels[cell] = -door - 1
    for door in range(state[DOORS]):
        side = sockets[doors[door, 2], 2]
        if doors[door, 4] or side == 0 or side == 3:
            continue
        cell = cython.cast(cython.Py_ssize_t, doors[door, 1]) * width + doors[door, 0]
        step = 1 if side == 1 else width
        across = width if side == 1 else 1
        lanes = sockets[doors[door, 2], 3]
        for gap in range(reach + 1):
            cell += step
            if (doors[door, 0] if side == 1 else doors[door, 1]) + gap + 1 >= (width if side == 1 else height):
                break
            if taken[cell] == WALL and labels[cell] < 0:
                other = -labels[cell] - 1
                if (
                    doors[other, 3] != doors[door, 3]
                    and opposite[sockets[doors[door, 2], 4]] == sockets[doors[other, 2], 4]
                ):
                    if count < found.shape[0]:
                        found[count, 0] = door
                        found[count, 1] = other
                        found[count, 2] = gap
                    count += 1
                break
            reaches = taken[cell - across] != BODY and taken[cell + lanes * across] != BODY
            for lane in range(lanes):
                if taken[cell + lane * across] != FREE:
                    reaches = False
            if not reaches:
                break
    return count


def link_doors(
    state: cython.longlong[::1],
    rng: cython.ulonglong[::1],
    taken: cython.uchar[::1],
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    sockets: cython.const[cython.int][:, ::1],
    rooms: cython.int[:, ::1],
    doors: cython.int[:, ::1],
    joins: cython.int[:, ::1],
    found: cython.const[cython.int][:, ::1],
    width: cython.Py_ssize_t,
    before: cython.int,
    chance: cython.ulonglong,
    wall: cython.uchar,
    floor: cython.uchar,
    corridor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Join pairs of doors that face each other, each with a chance: through one doorway, or by a straight corridor.
    `state[NEXT_PAIR]` is the next pair.
    """
    used: cython.longlong = 0
    row: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    gap: cython.int
    lanes: cython.int
    lane: cython.int
    i: cython.int
    x: cython.int
    y: cython.int
    down: cython.int
    free: cython.bint
    while state[NEXT_PAIR] < found.shape[0] and used < fuel:
        row = state[NEXT_PAIR]
        state[NEXT_PAIR] += 1
        a = found[row, 0]
        b = found[row, 1]
        gap = found[row, 2]
        used += 1
        if draw(rng) >= chance or doors[a, 4] or doors[b, 4]:
            continue
        lanes = sockets[doors[a, 2], 3]
        down = 1 - (sockets[doors[a, 2], 2] & 1)  # from a to b: downwards, else to the right
        free = True
        for i in range(gap):
            for lane in range(-1, lanes + 1):
                x = doors[a, 0] + (lane if down else i + 1)
                y = doors[a, 1] + (i + 1 if down else lane)
                if taken[y * width + x] == BODY or (taken[y * width + x] and 0 <= lane < lanes):
                    free = False
        used += (gap + 1) * (lanes + 2)
        if not free:
            continue
        if gap < 0:
            open_door(state, taken, tiles, labels, rooms, doors, joins, sockets, a, doors[b, 3], width, before)
            doors[b, 4] = 1
            continue
        if gap == 0:  # both doors are the same cells: the doorway belongs to a's room, and b's room reaches up to it
            open_door(state, taken, tiles, labels, rooms, doors, joins, sockets, a, doors[b, 3], width, before)
            for lane in range(lanes):
                x = doors[b, 0] + (lane if down else 0)
                y = doors[b, 1] + (0 if down else lane)
                taken[y * width + x] = BODY
                tiles[y * width + x] = floor
                labels[y * width + x] = doors[b, 3]
                add_ground_cell(rooms, doors[b, 3] - before - 1, x, y)
            doors[b, 4] = 1
            continue
        row = state[ROOMS]
        state[ROOMS] += 1
        rooms[row, 0] = -1
        rooms[row, 1] = rooms[row, 3] = rooms[row, 5] = doors[a, 0] + (0 if down else 1)
        rooms[row, 2] = rooms[row, 4] = rooms[row, 6] = doors[a, 1] + (1 if down else 0)
        rooms[row, 7] = 0
        for i in range(gap):
            for lane in range(-1, lanes + 1):
                x = doors[a, 0] + (lane if down else i + 1)
                y = doors[a, 1] + (i + 1 if down else lane)
                if lane < 0 or lane == lanes:
                    if taken[y * width + x] == FREE:
                        tiles[y * width + x] = wall
                    taken[y * width + x] = WALL
                    continue
                taken[y * width + x] = BODY
                tiles[y * width + x] = corridor
                labels[y * width + x] = before + cython.cast(cython.int, row) + 1
                add_ground_cell(rooms, row, x, y)
        open_door(
            state,
            taken,
            tiles,
            labels,
            rooms,
            doors,
            joins,
            sockets,
            a,
            before + cython.cast(cython.int, row) + 1,
            width,
            before,
        )
        open_door(
            state,
            taken,
            tiles,
            labels,
            rooms,
            doors,
            joins,
            sockets,
            b,
            before + cython.cast(cython.int, row) + 1,
            width,
            before,
        )
    return used


def clear_door_labels(
    state: cython.longlong[::1], labels: cython.int[::1], doors: cython.const[cython.int][:, ::1], width: cython.int
) -> cython.longlong:
    """Remove the numbers of doors from the label grid."""
    door: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    for door in range(state[DOORS]):
        cell = cython.cast(cython.Py_ssize_t, doors[door, 1]) * width + doors[door, 0]
        if labels[cell] < 0:
            labels[cell] = 0
    return state[DOORS]
