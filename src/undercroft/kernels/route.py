# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Hallways by the cheapest route: straight, merged where they meet, and through walls of rooms only where that is
allowed.

A search works on a window of the map, with a ring of one cell round it. It computes the values of a cell when it comes
near: its ground, which sets the cost of passing it, and marks. A state is a cell and the direction in which it was
entered: 0 right, 1 down, 2 left, 3 up.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import MASK32, draw
else:
    from undercroft.kernels._primitives import MASK32, draw

HASH_MULTIPLIER = cython.declare(cython.ulonglong, 0x9E3779B1)
INFINITE_COST = cython.declare(cython.longlong, 1 << 60)
MAX_WINDOW_CELLS = cython.declare(cython.longlong, 1 << 27)  # cells of a window: costs and states fit 31 bits
FIRST_MARGIN = cython.declare(cython.longlong, 6)

# ground: places of `costs`
SHUT = cython.declare(cython.int, 1)  # 0 is a cell that is not known
ON_RING = cython.declare(cython.int, 2)  # on the ring
ROCK = cython.declare(cython.int, 3)
PASSAGE = cython.declare(cython.int, 4)  # open, and no room
OTHER_ROOM = cython.declare(cython.int, 5)  # the floor of another room
PILLAR = cython.declare(cython.int, 6)  # closed, in a room
CELL = cython.declare(cython.int, 7)  # of a region of the kind "cell", which is closed until a route passes
# further places of `costs`
TURN_COST = cython.declare(cython.int, 8)
CROOKED_COST = cython.declare(cython.int, 9)
BESIDE_COST = cython.declare(cython.int, 10)
EDGE_COST = cython.declare(cython.int, 11)
# marks
OPEN = cython.declare(cython.int, 8)
ROOM = cython.declare(cython.int, 16)
START = cython.declare(cython.int, 32)
GOAL = cython.declare(cython.int, 64)
SURROUNDINGS_KNOWN = cython.declare(cython.int, 128)  # the eight cells round it are known
PLAIN_ROCK = cython.declare(cython.int, 256)  # rock with nothing but closed cells on its four sides

# places of `state`
LINK = cython.declare(cython.int, 0)
PHASE = cython.declare(cython.int, 1)  # 0 begin a link, 1 begin a window, 2 search it
CELLS_NEEDED = cython.declare(cython.int, 2)  # cells of a window for which there is no room yet
SALT = cython.declare(cython.int, 3)
BACKWARDS = cython.declare(cython.int, 4)  # whether the search goes from the second region to the first
LENIENT = cython.declare(cython.int, 5)  # whether sockets are ignored
MARGIN = cython.declare(cython.int, 6)
WINDOW_LEFT = cython.declare(cython.int, 7)  # the window, its ring included
WINDOW_TOP = cython.declare(cython.int, 8)
WINDOW_WIDTH = cython.declare(cython.int, 9)
WINDOW_HEIGHT = cython.declare(cython.int, 10)
CURSOR = cython.declare(cython.int, 11)  # the next cell of the first region's box from which routes begin
QUEUED_STATES = cython.declare(cython.int, 12)  # states in the queue
BUCKETS = cython.declare(cython.int, 13)
CURRENT_COST = cython.declare(cython.int, 14)  # the least cost of the routes that are expanded now
LEAVING_COST = cython.declare(cython.int, 15)  # the least cost of a route that leaves the window
BEST_COST = cython.declare(cython.int, 16)  # the cost of the best route found
# its last state, once it is known to be the cheapest; -1 before, -2 if the window is too small or there is none
FOUND_STATE = cython.declare(cython.int, 17)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def hash_tie_break(place: cython.longlong, salt: cython.longlong) -> cython.int:
    """A pseudo-random number from 0 to 7 for each cell of the map, so that among equally good routes not always the
    same one is dug.
    """
    mixed: cython.ulonglong = cython.cast(cython.ulonglong, place ^ salt)
    mixed = (mixed * HASH_MULTIPLIER) & MASK32
    mixed = ((mixed ^ (mixed >> 15)) * HASH_MULTIPLIER) & MASK32
    return cython.cast(cython.int, mixed >> 29)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def step_ahead(direction: cython.int, stride: cython.int) -> cython.int:
    """From a cell to the next."""
    step: cython.int = stride if direction & 1 else 1
    return -step if direction & 2 else step


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_at_edge(kinds: cython.int[::1], i: cython.int, direction: cython.int, stride: cython.int) -> cython.bint:
    """Whether a room ends to the left or right of one of its cells."""
    side: cython.int = 1 if direction & 1 else stride
    return (kinds[i - side] & kinds[i + side] & 16) == 0  # ROOM; a literal is faster


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def passing_cost(
    kinds: cython.int[::1],
    costs: cython.const[cython.int][::1],
    i: cython.int,
    came: cython.int,
    goes: cython.int,
    stride: cython.int,
    luck: cython.int,
) -> cython.int:
    """The cost of passing a cell, entered and left in these directions. It is the same in the opposite direction."""
    before: cython.int = i - step_ahead(came, stride)
    behind: cython.int = i + step_ahead(goes, stride)
    ground: cython.int = kinds[i] & 7
    cost: cython.int = costs[ground]
    doorways: cython.int = 0
    if kinds[i] & ROOM == 0:
        if kinds[before] & ROOM:
            doorways += 1
            if is_at_edge(kinds, before, came, stride):
                cost += costs[EDGE_COST]
        if kinds[behind] & ROOM:
            doorways += 1
            if is_at_edge(kinds, behind, goes, stride):
                cost += costs[EDGE_COST]
    if came != goes:
        cost += costs[CROOKED_COST] if doorways else costs[TURN_COST]
        doorways += 1
    cost += doorways * luck
    if ground == ROCK:
        if came == goes:
            before = 1 if came & 1 else stride
            behind = i + before
            before = i - before
        else:  # the sides opposite to the entry and to the exit
            before = i + step_ahead(came, stride)
            behind = i - step_ahead(goes, stride)
        if kinds[before] & OPEN:
            cost += costs[BESIDE_COST]
        if kinds[behind] & OPEN:
            cost += costs[BESIDE_COST]
    return cost


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def explore_cell(
    state: cython.longlong[::1],
    kinds: cython.int[::1],
    dist: cython.int[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    sorts: cython.const[cython.uchar][::1],
    touched: cython.uchar[::1],
    shut: cython.const[cython.uchar][::1],
    start: cython.int,
    goal: cython.int,
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    left: cython.int,
    top: cython.int,
) -> cython.int:
    """Compute the values of a cell and those around it. Open cells may always be passed, closed ones only if they are
    not shut. Returns the cell.
    """
    keys: cython.int = 1 if state[LENIENT] else 3
    stride: cython.int = cython.cast(cython.int, state[WINDOW_WIDTH])
    x: cython.int
    y: cython.int
    i: cython.int
    at: cython.Py_ssize_t
    label: cython.int
    kind: cython.int
    is_open: cython.bint
    for y in range(top - 1, top + 2):
        for x in range(left - 1, left + 2):
            i = y * stride + x
            if kinds[i]:
                continue
            dist[4 * i] = -1
            dist[4 * i + 1] = -1
            dist[4 * i + 2] = -1
            dist[4 * i + 3] = -1
            kind = SHUT
            if 0 <= x + state[WINDOW_LEFT] < width and 0 <= y + state[WINDOW_TOP] < height:
                at = (y + state[WINDOW_TOP]) * width + x + state[WINDOW_LEFT]
                label = labels[at]
                is_open = open_codes[tiles[at]] != 0
                if is_open or (shut[at] & keys) == 0:
                    if sorts[label] == 2:
                        kind = PASSAGE | OPEN if touched[label] else CELL
                    elif sorts[label]:
                        kind = OTHER_ROOM | OPEN | ROOM if is_open else PILLAR | ROOM
                    else:
                        kind = PASSAGE | OPEN if is_open else ROCK
                    if x == 0 or y == 0 or x == stride - 1 or y == state[WINDOW_HEIGHT] - 1:
                        kind = (kind & (OPEN | ROOM)) | ON_RING
                    elif label == start and (is_open or sorts[label] == 2):
                        kind = (kind & (OPEN | ROOM)) | START | SHUT
                    elif label == goal and (is_open or sorts[label] == 2):
                        kind = (kind & (OPEN | ROOM)) | GOAL
            kinds[i] = kind
    i = top * stride + left
    kinds[i] |= SURROUNDINGS_KNOWN
    if (kinds[i] & 7) == ROCK and (
        (kinds[i - 1] | kinds[i + 1] | kinds[i - stride] | kinds[i + stride]) & (OPEN | ROOM)
    ) == 0:
        kinds[i] |= PLAIN_ROCK
    return kinds[i]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_inside(
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    label: cython.int,
    at: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a cell has open cells of its region on all sides: no route need begin here."""
    side: cython.int
    near: cython.Py_ssize_t
    for side in range(4):
        near = at + (width if side & 1 else 1) * (-1 if side & 2 else 1)
        if labels[near] != label or open_codes[tiles[near]] == 0:
            return False
    return True


@cython.cfunc
@cython.exceptval(check=False)
def begin_search(
    state: cython.longlong[::1],
    boxes: cython.const[cython.int][:, ::1],
    costs: cython.const[cython.int][::1],
    kinds: cython.int[::1],
    ring: cython.int[::1],
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.longlong:
    """Begin a search: the window is both boxes and a margin, no cell of it is known. There are more buckets than costs
    in the queue can differ.

    Returns the effort, or 0 and `state[CELLS_NEEDED]` if there is no room for so many cells.
    """
    axis: cython.int
    low: cython.longlong
    high: cython.longlong
    most: cython.longlong = 32
    i: cython.Py_ssize_t
    for axis in range(2):
        low = boxes[a - 1, axis] if boxes[a - 1, axis] < boxes[b - 1, axis] else boxes[b - 1, axis]
        high = boxes[a - 1, axis] + boxes[a - 1, axis + 2]
        if boxes[b - 1, axis] + boxes[b - 1, axis + 2] > high:
            high = boxes[b - 1, axis] + boxes[b - 1, axis + 2]
        low -= state[MARGIN]
        high += state[MARGIN]
        if low < 0:
            low = 0
        if high > (height if axis else width):
            high = height if axis else width
        state[WINDOW_LEFT + axis] = low - 1
        state[WINDOW_WIDTH + axis] = high - low + 2
        most += costs[PASSAGE] * state[WINDOW_WIDTH + axis]
    state[CELLS_NEEDED] = state[WINDOW_WIDTH] * state[WINDOW_HEIGHT]
    if state[CELLS_NEEDED] > kinds.shape[0]:
        return 0
    for i in range(state[CELLS_NEEDED]):
        kinds[i] = 0
    for i in range(costs.shape[0]):
        most += 2 * costs[i]
    state[BUCKETS] = 1
    while state[BUCKETS] < most:
        state[BUCKETS] *= 2
    for i in range(state[BUCKETS]):
        ring[i] = -1
    most = 1 + (state[CELLS_NEEDED] >> 3)
    state[CELLS_NEEDED] = 0
    state[CURSOR] = 0
    state[QUEUED_STATES] = 0
    state[CURRENT_COST] = INFINITE_COST
    state[LEAVING_COST] = INFINITE_COST
    state[BEST_COST] = INFINITE_COST
    state[FOUND_STATE] = -1
    return most


@cython.cfunc
@cython.exceptval(check=False)
def run_search(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    boxes: cython.const[cython.int][:, ::1],
    sorts: cython.const[cython.uchar][::1],
    shut: cython.const[cython.uchar][::1],
    touched: cython.uchar[::1],
    costs: cython.const[cython.int][::1],
    kinds: cython.int[::1],
    dist: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    ring: cython.int[::1],
    start: cython.int,
    goal: cython.int,
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Continue the search until it finds the cheapest route, the window holds none, or the fuel is used up."""
    used: cython.longlong = 0
    stride: cython.int = cython.cast(cython.int, state[WINDOW_WIDTH])
    mask: cython.longlong = state[BUCKETS] - 1
    at: cython.longlong = state[CURRENT_COST]
    out: cython.longlong = state[LEAVING_COST]
    best: cython.longlong = state[BEST_COST]
    waiting: cython.longlong = state[QUEUED_STATES]
    cursor: cython.int = cython.cast(cython.int, state[CURSOR])
    begins: cython.int = boxes[start - 1, 2] * boxes[start - 1, 3]
    box_x: cython.int = cython.cast(cython.int, boxes[start - 1, 0] - state[WINDOW_LEFT])
    box_y: cython.int = cython.cast(cython.int, boxes[start - 1, 1] - state[WINDOW_TOP])
    goal_left: cython.int = cython.cast(cython.int, boxes[goal - 1, 0] - state[WINDOW_LEFT])
    goal_top: cython.int = cython.cast(cython.int, boxes[goal - 1, 1] - state[WINDOW_TOP])
    goal_right: cython.int = goal_left + boxes[goal - 1, 2] - 1
    goal_bottom: cython.int = goal_top + boxes[goal - 1, 3] - 1
    rock: cython.int = costs[ROCK]
    way: cython.int = costs[PASSAGE]
    turn: cython.int = costs[TURN_COST]
    i: cython.int
    x: cython.int
    y: cython.int
    near_x: cython.int
    near_y: cython.int
    right: cython.int
    down: cython.int
    on: cython.int
    beside: cython.int
    came: cython.int
    goes: cython.int
    kind: cython.int
    near: cython.int
    place: cython.Py_ssize_t
    luck: cython.int
    s: cython.int
    head: cython.int
    bucket: cython.longlong
    cost: cython.longlong
    bound: cython.longlong
    while used < fuel:
        used += 1
        if cursor < begins:
            x = box_x + cursor % boxes[start - 1, 2]
            y = box_y + cursor // boxes[start - 1, 2]
            cursor += 1
            i = y * stride + x
            place = (y + state[WINDOW_TOP]) * width + x + state[WINDOW_LEFT]
            if labels[place] != start:
                continue
            if (
                1 < x < stride - 2
                and 1 < y < state[WINDOW_HEIGHT] - 2
                and is_inside(tiles, open_codes, labels, start, place, width)
            ):
                continue
            came = 4
            s = 0
        else:
            if waiting == 0:
                state[FOUND_STATE] = -2
                break
            while ring[at & mask] < 0:
                at += 1
            if at > out:
                state[FOUND_STATE] = -2
                break
            s = ring[at & mask]
            head = after[s]
            ring[at & mask] = head
            if head >= 0:
                before[head] = -1
            waiting -= 1
            i = s >> 2
            came = s & 3
            if kinds[i] & 64:  # GOAL
                state[FOUND_STATE] = s
                break
            x = i % stride
            y = i // stride
        kind = kinds[i]
        if (kind & 128) == 0:  # AROUND
            kind = explore_cell(
                state, kinds, dist, tiles, open_codes, labels, sorts, touched, shut, start, goal, width, height, x, y
            )
        if came == 4 and (kind & 32) == 0:  # START
            continue
        luck = hash_tie_break((y + state[WINDOW_TOP]) * width + x + state[WINDOW_LEFT], state[SALT])
        for goes in range(4):
            near = i + step_ahead(goes, stride)
            if goes == came ^ 2 or ((kinds[near] & 7) < 2 and (kinds[near] & 64) == 0):  # SHUT and no GOAL
                continue
            if came == 4:
                cost = 0
            elif kind & 256:  # PLAIN
                cost = dist[s] + rock + (0 if goes == came else turn + luck)
            else:
                cost = dist[s] + passing_cost(kinds, costs, i, came, goes, stride, luck)
            # the least cost of the rest: so many open cells, and turns
            near_x = x if goes & 1 else x + 1 - goes
            near_y = y + 2 - goes if goes & 1 else y
            right = goal_left - near_x if near_x < goal_left else goal_right - near_x if near_x > goal_right else 0
            down = goal_top - near_y if near_y < goal_top else goal_bottom - near_y if near_y > goal_bottom else 0
            on = down if goes & 1 else right
            beside = right if goes & 1 else down
            if goes & 2:
                on = -on
            bound = way * ((right if right > 0 else -right) + (down if down > 0 else -down))
            if on < 0:
                bound += 2 * turn
            elif beside:
                bound += turn
            if cost + bound >= best:
                continue
            if (kinds[near] & 7) == 2:  # BEYOND
                if cost + bound < out:
                    out = cost + bound
                continue
            if kinds[near] & 64:  # GOAL
                best = cost
            near = 4 * near + goes
            if dist[near] >= 0:
                if dist[near] <= cost:
                    continue
                head = after[near]
                if before[near] >= 0:
                    after[before[near]] = head
                else:
                    bucket = (dist[near] + bound) & mask
                    ring[bucket] = head
                if head >= 0:
                    before[head] = before[near]
                waiting -= 1
            bucket = (cost + bound) & mask
            head = ring[bucket]
            dist[near] = cython.cast(cython.int, cost)
            after[near] = head
            before[near] = -1
            if head >= 0:
                before[head] = near
            ring[bucket] = near
            waiting += 1
            if cost + bound < at:
                at = cost + bound
    state[CURRENT_COST] = at
    state[LEAVING_COST] = out
    state[BEST_COST] = best
    state[QUEUED_STATES] = waiting
    state[CURSOR] = cursor
    return used


@cython.cfunc
@cython.exceptval(check=False)
def dig_route(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    sorts: cython.const[cython.uchar][::1],
    ends: cython.int[:, ::1],
    touched: cython.uchar[::1],
    dug: cython.uchar[::1],
    costs: cython.const[cython.int][::1],
    kinds: cython.int[::1],
    dist: cython.int[::1],
    k: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    floor: cython.uchar,
    corridor: cython.uchar,
) -> cython.longlong:
    """Dig the route that was found, from its last state back to its beginning. Returns its length."""
    length: cython.longlong = 0
    stride: cython.int = cython.cast(cython.int, state[WINDOW_WIDTH])
    s: cython.int = cython.cast(cython.int, state[FOUND_STATE])
    goes: cython.int = s & 3
    i: cython.int = (s >> 2) - step_ahead(goes, stride)
    total: cython.int = dist[s]
    place: cython.Py_ssize_t
    came: cython.int
    luck: cython.int
    last: cython.int = 0 if state[BACKWARDS] else 1
    ends[k, 0] = -1
    ends[k, 1] = -1
    while kinds[i] & START == 0:
        place = (state[WINDOW_TOP] + i // stride) * width + state[WINDOW_LEFT] + i % stride
        if sorts[labels[place]] == 2:
            touched[labels[place]] = 1
        elif open_codes[tiles[place]] == 0:
            tiles[place] = corridor if labels[place] == 0 else floor
            dug[place] = labels[place] == 0
        if length == 0:
            ends[k, last] = cython.cast(cython.int, place)
        ends[k, 1 - last] = cython.cast(cython.int, place)
        length += 1
        luck = hash_tie_break(place, state[SALT])
        came = goes  # straight on, if that costs the same
        while (
            came == goes ^ 2
            or dist[4 * i + came] < 0
            or dist[4 * i + came] + passing_cost(kinds, costs, i, came, goes, stride, luck) != total
        ):
            came = (came + 1) & 3
        total = dist[4 * i + came]
        goes = came
        i -= step_ahead(goes, stride)
    return length


def dig_routes(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    boxes: cython.const[cython.int][:, ::1],
    sorts: cython.const[cython.uchar][::1],
    shut: cython.const[cython.uchar][::1],
    links: cython.const[cython.int][:, ::1],
    ends: cython.int[:, ::1],
    how: cython.uchar[::1],
    touched: cython.uchar[::1],
    dug: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    sockets: cython.bint,
    costs: cython.const[cython.int][::1],
    kinds: cython.int[::1],
    dist: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    ring: cython.int[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    floor: cython.uchar,
    corridor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Dig the cheapest route for each link: none over the whole map costs less (A*, Hart, Nilsson and Raphael 1968;
    with buckets, Dial 1969).

    The window grows until that is certain: until all routes that leave it would cost more, by the bound that the search
    uses. Each time it grows, the search starts from the other end, so that an enclosed region is detected soon.

    `sorts` says of each region whether it is a room (1), a cell (2) or neither (0). `shut` has bit 0 where digging is
    forbidden, bit 1 where sockets forbid it. `how` holds for each link: 0 dug, 1 dug without regard to the sockets, 2
    no route. Digging, touching and `ends` are as in `plan.dig_hallways`. If `state[CELLS_NEEDED]` is set, call again
    with buffers for so many cells and four times as many states.
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    end: cython.int
    while state[LINK] < links.shape[0] and used < fuel:
        k = state[LINK]
        a = links[k, 0]
        b = links[k, 1]
        if state[PHASE] == 0:
            state[SALT] = draw(rng)
            state[BACKWARDS] = 0
            state[LENIENT] = 0
            state[MARGIN] = FIRST_MARGIN
            state[PHASE] = 1
            used += 1
        if state[PHASE] == 1:
            used += begin_search(state, boxes, costs, kinds, ring, a, b, width, height)
            if state[CELLS_NEEDED] > 0:
                break
            state[PHASE] = 2
        end = b if state[BACKWARDS] else a
        used += run_search(
            state,
            tiles,
            open_codes,
            labels,
            boxes,
            sorts,
            shut,
            touched,
            costs,
            kinds,
            dist,
            after,
            before,
            ring,
            end,
            a + b - end,
            width,
            height,
            fuel - used,
        )
        if state[FOUND_STATE] >= 0:
            used += dig_route(
                state,
                tiles,
                open_codes,
                labels,
                sorts,
                ends,
                touched,
                dug,
                costs,
                kinds,
                dist,
                k,
                width,
                floor,
                corridor,
            )
            for end in range(2):
                if sorts[links[k, end]] == 2:
                    touched[links[k, end]] = 1
            how[k] = cython.cast(cython.uchar, state[LENIENT])
        elif state[FOUND_STATE] == -1:
            break  # no fuel left
        elif state[LEAVING_COST] < INFINITE_COST and state[WINDOW_WIDTH] * state[WINDOW_HEIGHT] < MAX_WINDOW_CELLS:
            state[MARGIN] = 3 * state[MARGIN]
            state[BACKWARDS] ^= 1
            state[PHASE] = 1
            continue
        elif sockets and state[LENIENT] == 0:
            state[LENIENT] = 1
            state[MARGIN] = FIRST_MARGIN
            state[PHASE] = 1
            continue
        else:
            ends[k, 0] = -2
            ends[k, 1] = -2
            how[k] = 2
        state[LINK] += 1
        state[PHASE] = 0
    return used
