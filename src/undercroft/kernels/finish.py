# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Finishing steps that keep a level connected: lakes, rough edges, loops by detour, doorways apart, secret doors, choke
points.

A cell's ring is the byte of its eight neighbours that are open, clockwise from the one above: it mostly decides whether
opening or closing the cell changes what is connected.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import below, draw, join_roots, root
else:
    from undercroft.kernels._primitives import below, draw, join_roots, root


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def neighbour_ring(
    tiles: cython.const[cython.uchar][::1],
    open_codes: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
) -> cython.int:
    """Which neighbours of an inner cell are open."""
    return (
        open_codes[tiles[i - width]]
        | open_codes[tiles[i - width + 1]] << 1
        | open_codes[tiles[i + 1]] << 2
        | open_codes[tiles[i + width + 1]] << 3
        | open_codes[tiles[i + width]] << 4
        | open_codes[tiles[i + width - 1]] << 5
        | open_codes[tiles[i - 1]] << 6
        | open_codes[tiles[i - width - 1]] << 7
    )


def shuffle(rows: cython.int[::1], rng: cython.ulonglong[::1]) -> cython.longlong:
    """Put numbers in random order."""
    k: cython.Py_ssize_t
    other: cython.Py_ssize_t
    kept: cython.int
    for k in range(rows.shape[0] - 1):
        other = k + below(rng, rows.shape[0] - k)
        kept = rows[other]
        rows[other] = rows[k]
        rows[k] = kept
    return rows.shape[0]


def roughen_edges(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    simple: cython.const[cython.uchar][::1],
    cells: cython.const[cython.int][::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    opened: cython.ulonglong,
    closed: cython.ulonglong,
    floor: cython.uchar,
    wall: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Open or close the listed cells by chance, each only if that joins, splits, creates and fills no part. `state` is
    [next cell, changed].
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t = state[0]
    i: cython.Py_ssize_t
    is_open: cython.bint
    while k < cells.shape[0] and used < fuel:
        i = cells[k]
        k += 1
        used += 1
        is_open = open_codes[tiles[i]] != 0
        if draw(rng) < (closed if is_open else opened) and simple[neighbour_ring(tiles, open_codes, i, width)]:
            tiles[i] = wall if is_open else floor
            state[1] += 1
    state[0] = k
    return used


@cython.cfunc
@cython.exceptval(check=False)
def measure_detour(
    tiles: cython.const[cython.uchar][::1],
    open_codes: cython.const[cython.uchar][::1],
    mark: cython.int[::1],
    near: cython.int[::1],
    far: cython.int[::1],
    stamp: cython.int,
    a: cython.int,
    b: cython.int,
    without: cython.Py_ssize_t,
    width: cython.int,
    height: cython.int,
    most: cython.longlong,
    spent: cython.longlong[::1],
) -> cython.longlong:
    """The walking distance from a to b without a cell; -1 if it is `most` or more. Searches from both ends in turns,
    each time one level of the smaller search.

    `mark` gets `stamp` where one search has been and `stamp` + 1 where the other has. A search that fills its queue
    gives up: -1. The cost is added to `spent`.
    """
    near_from: cython.Py_ssize_t = 0
    near_to: cython.Py_ssize_t = 1
    far_from: cython.Py_ssize_t = 0
    far_to: cython.Py_ssize_t = 1
    levels: cython.longlong = 0
    end: cython.Py_ssize_t
    k: cython.Py_ssize_t
    cell: cython.int
    next: cython.int
    side: cython.int
    x: cython.int
    turn: cython.bint
    if a == b:
        return 0
    near[0] = a
    far[0] = b
    mark[a] = stamp
    mark[b] = stamp + 1
    while near_from < near_to and far_from < far_to and levels + 1 < most:
        levels += 1
        turn = near_to - near_from <= far_to - far_from
        k = near_from if turn else far_from
        end = near_to if turn else far_to
        while k < end:
            cell = near[k] if turn else far[k]
            k += 1
            spent[0] += 1
            x = cell % width
            for side in range(4):
                if side == 0:
                    if cell < width:
                        continue
                    next = cell - width
                elif side == 1:
                    if x + 1 == width:
                        continue
                    next = cell + 1
                elif side == 2:
                    if cell >= width * (height - 1):
                        continue
                    next = cell + width
                else:
                    if x == 0:
                        continue
                    next = cell - 1
                if next == without or open_codes[tiles[next]] == 0:
                    continue
                if turn:
                    if mark[next] == stamp + 1:
                        return levels
                    if mark[next] != stamp:
                        if near_to == near.shape[0]:
                            return -1
                        mark[next] = stamp
                        near[near_to] = next
                        near_to += 1
                else:
                    if mark[next] == stamp:
                        return levels
                    if mark[next] != stamp + 1:
                        if far_to == far.shape[0]:
                            return -1
                        mark[next] = stamp + 1
                        far[far_to] = next
                        far_to += 1
        if turn:
            near_from = end
        else:
            far_from = end
    return -1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def measure_wall(
    labels: cython.const[cython.int][::1],
    rock: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    across: cython.Py_ssize_t,
    most: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number of rock cells, without open cells at either side of them, between a cell and the next of its own part;
    0 if none is so near.
    """
    k: cython.Py_ssize_t
    mine: cython.int = labels[i]
    for k in range(most):
        i += step
        if rock[i] == 0 or labels[i - across] or labels[i + across]:
            return k if labels[i] == mine else 0
    i += step
    return most if labels[i] == mine else 0


def find_thin_walls(
    labels: cython.const[cython.int][::1],
    rock: cython.const[cython.uchar][::1],
    found: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    thickness: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Walls up to so many cells thick with open cells of one part on both sides, as rows: first cell * 2, and + 1 if it
    lies above the others; thickness.

    Returns how many there are; only those that fit are written. The border is left alone.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    down: cython.int
    room: cython.Py_ssize_t
    thick: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for y in range(height):
        for x in range(width):
            i = y * width + x
            if labels[i] == 0:
                continue
            for down in range(2):
                if down:
                    if x == 0 or x + 1 == width:
                        continue
                    room = height - 2 - y
                else:
                    if y == 0 or y + 1 == height:
                        continue
                    room = width - 2 - x
                if room < 1:
                    continue
                if room > thickness:
                    room = thickness
                thick = measure_wall(labels, rock, i, width if down else 1, 1 if down else width, room)
                if thick:
                    if count < found.shape[0]:
                        found[count, 0] = (i + (width if down else 1)) * 2 + down
                        found[count, 1] = thick
                    count += 1
    return count


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_wall_intact(
    tiles: cython.const[cython.uchar][::1],
    open_codes: cython.const[cython.uchar][::1],
    door: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    thick: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    is_door: cython.bint,
) -> cython.bint:
    """Whether a wall still has open cells at its two ends only, and no door beside its first cell if that becomes a
    door.
    """
    k: cython.Py_ssize_t
    across: cython.Py_ssize_t = width if step == 1 else 1
    if is_door and (
        door[tiles[i - width - 1]]
        | door[tiles[i - width]]
        | door[tiles[i - width + 1]]
        | door[tiles[i - 1]]
        | door[tiles[i + 1]]
        | door[tiles[i + width - 1]]
        | door[tiles[i + width]]
        | door[tiles[i + width + 1]]
    ):
        return False
    for k in range(thick):
        if open_codes[tiles[i]] | open_codes[tiles[i - across]] | open_codes[tiles[i + across]]:
            return False
        i += step
    return True


def open_shortcuts(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    door: cython.const[cython.uchar][::1],
    walls: cython.const[cython.int][:, ::1],
    mark: cython.int[::1],
    near: cython.int[::1],
    far: cython.int[::1],
    width: cython.int,
    height: cython.int,
    detour: cython.longlong,
    most: cython.longlong,
    opening: cython.uchar,
    passage: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Open the listed walls, in order, where the walk from side to side takes at least `detour` steps: the first cell
    as an opening, the others as passage.

    `state` is [next wall, opened, stamp, work].
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t = state[0]
    i: cython.int
    step: cython.int
    thick: cython.int
    left: cython.int
    while k < walls.shape[0] and state[1] < most and used < fuel:
        i = walls[k, 0] >> 1
        step = width if walls[k, 0] & 1 else 1
        thick = walls[k, 1]
        k += 1
        used += 1
        if not is_wall_intact(tiles, open_codes, door, i, step, thick, width, door[opening] != 0):
            continue
        state[2] += 2
        state[3] = 0
        if (
            measure_detour(
                tiles,
                open_codes,
                mark,
                near,
                far,
                state[2],
                i - step,
                i + thick * step,
                -1,
                width,
                height,
                detour,
                state[3:],
            )
            < 0
        ):
            tiles[i] = opening
            for left in range(1, thick):
                tiles[i + left * step] = passage
            state[1] += 1
        used += state[3]
    state[0] = k
    return used


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def side_neighbour(i: cython.Py_ssize_t, side: cython.int, width: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The neighbour above, right, below or left."""
    return i - width if side == 0 else i + 1 if side == 1 else i + width if side == 2 else i - 1


@cython.cfunc
@cython.exceptval(check=False)
def is_removable(
    state: cython.longlong[::1],
    tiles: cython.const[cython.uchar][::1],
    open_codes: cython.const[cython.uchar][::1],
    groups: cython.const[cython.uchar][::1],
    mark: cython.int[::1],
    near: cython.int[::1],
    far: cython.int[::1],
    i: cython.Py_ssize_t,
    width: cython.int,
    height: cython.int,
) -> cython.bint:
    """Whether all open cells around a cell stay connected without it: by its ring, else by a search. A search that
    takes long gives up: no.
    """
    around: cython.int = neighbour_ring(tiles, open_codes, i, width)
    side: cython.int
    first: cython.Py_ssize_t = -1
    other: cython.Py_ssize_t
    if groups[around] <= 1:
        return groups[around] == 1
    for side in range(4):
        other = side_neighbour(i, side, width)
        if open_codes[tiles[other]] == 0:
            continue
        if first < 0:
            first = other
            continue
        state[4] += 2
        if (
            measure_detour(
                tiles,
                open_codes,
                mark,
                near,
                far,
                state[4],
                first,
                other,
                i,
                width,
                height,
                cython.cast(cython.longlong, 1) << 60,
                state[5:],
            )
            < 0
        ):
            return False
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def swap_places(
    cells: cython.int[::1], place: cython.int[::1], i: cython.Py_ssize_t, to: cython.Py_ssize_t
) -> cython.void:
    """Swap a cell with the one at a place of the list."""
    other: cython.int = cells[to]
    cells[place[i]] = other
    place[other] = place[i]
    cells[to] = i
    place[i] = to


def grow_pools(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    groups: cython.const[cython.uchar][::1],
    may: cython.uchar[::1],
    cells: cython.int[::1],
    place: cython.int[::1],
    edge: cython.int[::1],
    mark: cython.int[::1],
    near: cython.int[::1],
    far: cython.int[::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
    size: cython.longlong,
    liquid: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Pools of up to `size` cells that grow from random cells to random neighbours; a cell that connects others stays.

    `may` is 1 where a cell may be flooded, 2 while it waits in `edge`. `cells` lists all such cells: the candidates
    first, then those that are flooded or were refused; `place` is the index of each in that list. A cell that would
    split others stays refused until one beside it is flooded: then it is a candidate again. `state` is [cells still to
    flood, cells left for this pool, cells waiting, candidates, stamp, work, pools].
    """
    used: cython.longlong = 0
    waiting: cython.Py_ssize_t = state[2]
    hopeful: cython.Py_ssize_t = state[3]
    i: cython.Py_ssize_t
    other: cython.Py_ssize_t
    k: cython.Py_ssize_t
    side: cython.int
    begins: cython.bint
    while state[0] > 0 and hopeful > 0 and used < fuel:
        used += 1
        begins = state[1] == 0 or waiting == 0
        if begins:  # a new pool
            while waiting > 0:
                waiting -= 1
                may[edge[waiting]] = 1
            i = cells[below(rng, hopeful)]
            state[1] = 1 + cython.cast(cython.longlong, below(rng, size))
            edge[0] = i
            waiting = 1
        k = below(rng, waiting)
        i = edge[k]
        waiting -= 1
        edge[k] = edge[waiting]
        hopeful -= 1
        swap_places(cells, place, i, hopeful)
        state[5] = 0
        may[i] = 1
        if is_removable(state, tiles, open_codes, groups, mark, near, far, i, width, height):
            tiles[i] = liquid
            may[i] = 0
            state[0] -= 1
            state[1] -= 1
            state[6] += begins
            for side in range(4):
                other = side_neighbour(i, side, width)
                if may[other] == 1:
                    may[other] = 2
                    edge[waiting] = other
                    waiting += 1
                    if place[other] >= hopeful:
                        swap_places(cells, place, other, hopeful)
                        hopeful += 1
        used += state[5]
    state[2] = waiting
    state[3] = hopeful
    return used


def place_doorways(
    tiles: cython.uchar[::1],
    door: cython.const[cython.uchar][::1],
    cells: cython.const[cython.int][::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    chance: cython.ulonglong,
    doors: cython.ulonglong,
    closed: cython.uchar,
    opening: cython.uchar,
) -> cython.Py_ssize_t:
    """Make the listed cells doorways by chance, with or without a door, except beside another doorway. Returns how
    many.
    """
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for k in range(cells.shape[0]):
        i = cells[k]
        if draw(rng) >= chance:
            continue
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
            continue
        tiles[i] = closed if draw(rng) < doors else opening
        count += 1
    return count


def find_needed_doors(
    labels: cython.const[cython.int][::1],
    parent: cython.int[::1],
    cells: cython.const[cython.int][::1],
    out: cython.uchar[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.longlong:
    """Which of the listed doors, taken one by one, join parts that are still apart: 1 in `out`. Without the other
    doors, everything stays connected.
    """
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    mine: cython.int
    other: cython.int
    for k in range(cells.shape[0]):
        i = cells[k]
        out[k] = 0
        mine = 0
        for side in range(4):
            if (
                (side == 0 and i < width)
                or (side == 1 and (i + 1) % width == 0)
                or (side == 2 and i >= width * (height - 1))
                or (side == 3 and i % width == 0)
            ):
                continue
            other = labels[side_neighbour(i, side, width)]
            if other == 0:
                continue
            other = root(parent, other)
            if mine == 0:
                mine = other
            elif other != mine:
                out[k] = 1
                mine = join_roots(parent, mine, other)
    return cells.shape[0]


def measure_chokes(
    state: cython.longlong[::1],
    is_open: cython.const[cython.uchar][::1],
    order: cython.int[::1],
    low: cython.int[::1],
    turn: cython.uchar[::1],
    beyond: cython.int[::1],
    most: cython.int[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """For each cell, how many cells can be reached from the start of the search only through it: in all (`beyond`), and
    in the largest part of them.

    A depth-first search without a stack (Tarjan 1972; Hopcroft and Tarjan 1973): `turn` holds the direction a cell was
    entered by, and four times the next one to look at. All grids have a rim of closed cells; all begin as 0. `state` is
    [next cell to begin at, cell, cells seen, inside a search].
    """
    used: cython.longlong = 0
    begin: cython.Py_ssize_t = state[0]
    cell: cython.Py_ssize_t = state[1]
    seen: cython.int = state[2]
    searching: cython.bint = state[3] != 0
    cells: cython.Py_ssize_t = is_open.shape[0]
    other: cython.Py_ssize_t
    go: cython.int
    part: cython.int
    while used < fuel:
        used += 1
        if not searching:
            while begin < cells and (is_open[begin] == 0 or order[begin] != 0):
                begin += 1
            if begin == cells:
                used -= 1
                break
            cell = begin
            seen += 1
            order[cell] = seen
            low[cell] = seen
            turn[cell] = 0
            searching = True
        go = turn[cell] >> 2
        if go < 4:
            turn[cell] += 4
            other = side_neighbour(cell, go, stride)
            if is_open[other] == 0:
                continue
            if order[other]:
                if order[other] < low[cell] and (
                    cell == begin or other != side_neighbour(cell, (turn[cell] & 3) ^ 2, stride)
                ):
                    low[cell] = order[other]
                continue
            seen += 1
            order[other] = seen
            low[other] = seen
            turn[other] = go
            cell = other
            continue
        if cell == begin:
            searching = False
            continue
        other = side_neighbour(cell, (turn[cell] & 3) ^ 2, stride)
        if low[cell] < low[other]:
            low[other] = low[cell]
        if low[cell] >= order[other]:
            part = seen - order[cell] + 1
            beyond[other] += part
            if part > most[other]:
                most[other] = part
        cell = other
    state[0] = begin
    state[1] = cell
    state[2] = seen
    state[3] = 1 if searching else 0
    return used
