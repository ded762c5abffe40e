# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The rewriting engine: all nodes of a program, turn after turn, on one padded grid.

The grid holds tile classes 0 to 62; 63 stands in the rim around the map. A *placement* is the index of a pattern's top left cell, a *variant* is a rule in one
of its positions, an *action* a variant with one of its results. Every node keeps the list of its matches. Nothing is ever searched again as a whole: what
changed is in the log, each node remembers how much of it it has seen, and looks only at placements that the unseen changes could have made true.

Two ways to look. *Triggers*: a cell that went from `old` to `new` can only complete patterns that admit `new` there and not `old`. *Pair tables*: after an
action its whole box is known, so for each variant nearby only a few tests are left; a table says which. Matches that became false stay in the list and are
dropped when drawn: the law of the draw is the same.
"""

from __future__ import annotations

import cython

MULTIPLIER = cython.declare(cython.ulonglong, 6364136223846793005)
MASK64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
MASK32 = cython.declare(cython.ulonglong, 0xFFFFFFFF)
ALWAYS = cython.declare(cython.longlong, 1 << 32)
RIM = cython.declare(cython.int, 63)

# kinds of nodes
ONE = cython.declare(cython.int, 0)
ALL = cython.declare(cython.int, 1)
PARALLEL = cython.declare(cython.int, 2)
SEQUENCE = cython.declare(cython.int, 3)
MARKOV = cython.declare(cython.int, 4)
REPEAT = cython.declare(cython.int, 5)

# columns of the table of nodes
KIND = cython.declare(cython.int, 0)
PARENT = cython.declare(cython.int, 1)
FIRST = cython.declare(cython.int, 2)  # first child, or first variant
LAST = cython.declare(cython.int, 3)  # one after the last
AT = cython.declare(cython.int, 4)  # which child is being worked
DONE = cython.declare(cython.int, 5)  # turns that succeeded, or passes
LIMIT = cython.declare(cython.int, 6)
LIST = cython.declare(cython.int, 7)  # where its matches begin
COUNT = cython.declare(cython.int, 8)
ROOM = cython.declare(cython.int, 9)
SEEN = cython.declare(cython.int, 10)
SCANNED = cython.declare(cython.int, 11)
BITS = cython.declare(cython.int, 12)  # where its bits begin
BYTES = cython.declare(cython.int, 13)  # bytes of bits a placement
PAIRS = cython.declare(cython.int, 14)  # where its pair tables begin, or -1
TRIGGERS = cython.declare(cython.int, 15)  # where its trigger tables begin
PICK = cython.declare(cython.int, 16)  # 0 match, 1 rule, 2 token, 3 first
SORTED = cython.declare(cython.int, 17)  # parallel: overlapping writes may differ, so the order matters
OVER = cython.declare(cython.int, 18)  # it is over until its parent begins anew
WORST = cython.declare(cython.int, 19)  # most matches one log entry can add
ACTED = cython.declare(cython.int, 20)  # whether the present pass of a repeat did anything
OUTSIDE = cython.declare(cython.int, 21)  # patterns may reach over the border
ONCE = cython.declare(cython.int, 22)  # a match can come true only once, so no bits are needed to know whether it is listed

# columns of the table of variants
V_RULE = cython.declare(cython.int, 0)
V_WIDTH = cython.declare(cython.int, 1)
V_HEIGHT = cython.declare(cython.int, 2)
V_TESTS = cython.declare(cython.int, 3)
V_TESTS_END = cython.declare(cython.int, 4)
V_ACTIONS = cython.declare(cython.int, 5)
V_ACTIONS_END = cython.declare(cython.int, 6)
V_TOTAL = cython.declare(cython.int, 7)  # sum of the weights of its results
V_WEIGHT = cython.declare(cython.int, 8)
V_ACCEPT = cython.declare(cython.int, 9)  # a draw below this is taken; 2^32 for always
V_CHANCE = cython.declare(cython.int, 10)
V_STAYS = cython.declare(cython.int, 11)  # it may still match after it was applied

# places in the state
NOW = cython.declare(cython.int, 0)  # the branch that works, -1 at the end
TURNS = cython.declare(cython.int, 1)
MOST_TURNS = cython.declare(cython.int, 2)  # 0 for no limit
LOGGED = cython.declare(cython.int, 3)
NEED = cython.declare(cython.int, 4)  # the node that needs a longer list, + 1
REWRITES = cython.declare(cython.int, 5)
EVENTS = cython.declare(cython.int, 6)
LOG_CELLS = cython.declare(cython.int, 7)  # some node looks by triggers
LOG_ACTIONS = cython.declare(cython.int, 8)  # some node looks by pair tables
NEWEST = cython.declare(cython.int, 9)  # place in the log of the newest action
WORST_TURN = cython.declare(cython.int, 10)  # most log entries one action makes
FULL = cython.declare(cython.int, 11)  # the buffer of events is full


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def draw(rng: cython.ulonglong[::1]) -> cython.ulonglong:
    """The next 32 bits, as in `core/rng.py`."""
    old: cython.ulonglong = rng[0]
    mixed: cython.uint = (((old >> 18) ^ old) >> 27) & MASK32
    turn: cython.uint = old >> 59
    rng[0] = old * MULTIPLIER + rng[1] if cython.compiled else (old * MULTIPLIER + rng[1]) & MASK64
    return ((mixed >> turn) | (mixed << ((32 - turn) & 31))) & MASK32


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def below(rng: cython.ulonglong[::1], bound: cython.ulonglong) -> cython.ulonglong:
    """A number from 0 to bound - 1, each equally likely."""
    product: cython.ulonglong = draw(rng) * bound
    least: cython.ulonglong
    if (product & MASK32) < bound:
        least = ((MASK32 - bound) + 1) % bound
        while (product & MASK32) < least:
            product = draw(rng) * bound
    return product >> 32


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def fits(
    grid: cython.uchar[::1],
    variants: cython.const[cython.longlong][:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    variant: cython.Py_ssize_t,
    placement: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a variant matches at a placement."""
    k: cython.Py_ssize_t
    for k in range(variants[variant, V_TESTS], variants[variant, V_TESTS_END]):
        if not (test_set[k] >> grid[placement + test_at[k]]) & 1:
            return False
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def add(
    nodes: cython.longlong[:, ::1], lists: cython.longlong[::1], bits: cython.uchar[::1], node: cython.Py_ssize_t, local: cython.int, placement: cython.longlong
) -> cython.int:
    """Put a match on a node's list, unless it is there."""
    byte: cython.Py_ssize_t
    bit: cython.uchar
    if nodes[node, ONCE] == 0:
        byte = nodes[node, BITS] + placement * nodes[node, BYTES] + (local >> 3)
        bit = 1 << (local & 7)
        if bits[byte] & bit:
            return 0
        bits[byte] |= bit
    lists[nodes[node, LIST] + nodes[node, COUNT]] = (placement << 16) | local
    nodes[node, COUNT] += 1
    return 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def drop(nodes: cython.longlong[:, ::1], lists: cython.longlong[::1], bits: cython.uchar[::1], node: cython.Py_ssize_t, index: cython.longlong) -> cython.int:
    """Take a match off a node's list; the last one takes its place."""
    start: cython.Py_ssize_t = nodes[node, LIST]
    entry: cython.longlong = lists[start + index]
    byte: cython.Py_ssize_t
    if nodes[node, ONCE] == 0:
        byte = nodes[node, BITS] + (entry >> 16) * nodes[node, BYTES] + ((entry & 0xFFFF) >> 3)
        bits[byte] &= 255 - (1 << (entry & 7))
    nodes[node, COUNT] -= 1
    lists[start + index] = lists[start + nodes[node, COUNT]]
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def scan(
    nodes: cython.longlong[:, ::1],
    variants: cython.const[cython.longlong][:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    grid: cython.uchar[::1],
    lists: cython.longlong[::1],
    bits: cython.uchar[::1],
    shape: cython.const[cython.longlong][::1],
    node: cython.Py_ssize_t,
) -> cython.bint:
    """Find all matches of a node, variant by variant, in reading order. False if its list is too short. `shape` is [width, height, stride, first cell]."""
    v: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    row: cython.Py_ssize_t
    k: cython.Py_ssize_t
    stride: cython.Py_ssize_t = shape[2]
    over: cython.Py_ssize_t
    wide: cython.Py_ssize_t
    high: cython.Py_ssize_t
    first: cython.Py_ssize_t = nodes[node, FIRST]
    anchor: cython.Py_ssize_t
    admitted: cython.longlong
    for k in range(nodes[node, COUNT] - 1, -1, -1):
        drop(nodes, lists, bits, node, k)
    for v in range(first, nodes[node, LAST]):
        wide = variants[v, V_WIDTH]
        high = variants[v, V_HEIGHT]
        over = nodes[node, OUTSIDE]
        anchor = 0
        admitted = -1
        k = variants[v, V_TESTS]
        if k < variants[v, V_TESTS_END]:
            anchor = test_at[k]
            admitted = test_set[k]
        for y in range(1 - high if over else 0, shape[1] if over else shape[1] - high + 1):
            row = shape[3] + y * stride
            for x in range(1 - wide if over else 0, shape[0] if over else shape[0] - wide + 1):
                if (admitted >> grid[row + x + anchor]) & 1 and fits(grid, variants, test_at, test_set, v, row + x):
                    if nodes[node, COUNT] >= nodes[node, ROOM]:
                        return False
                    add(nodes, lists, bits, node, v - first, row + x)
    nodes[node, SCANNED] = 1
    return True


@cython.cfunc
@cython.exceptval(check=False)
def look(
    state: cython.longlong[::1],
    nodes: cython.longlong[:, ::1],
    variants: cython.const[cython.longlong][:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    changes: cython.const[cython.int][::1],
    spots: cython.const[cython.int][::1],
    pair_at: cython.const[cython.int][::1],
    pairs: cython.const[cython.longlong][::1],
    grid: cython.uchar[::1],
    log: cython.longlong[::1],
    lists: cython.longlong[::1],
    bits: cython.uchar[::1],
    shape: cython.const[cython.longlong][::1],
    node: cython.Py_ssize_t,
) -> cython.bint:
    """Bring a node's list up to date. False if it is too short.

    `changes[triggers + old * 64 + new]` is where in `spots` the rows for that change begin: their number, then (local variant, offset) each.
    `pair_at[pairs + action]` is where in `pairs` the rows for that action begin: their number, then (local variant, offset, tests, (offset, set) ...) each.
    """
    entry: cython.longlong
    placement: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    old: cython.Py_ssize_t
    new: cython.Py_ssize_t
    k: cython.Py_ssize_t
    n: cython.Py_ssize_t
    tests: cython.Py_ssize_t
    local: cython.int
    first: cython.Py_ssize_t = nodes[node, FIRST]
    by_pairs: cython.bint = nodes[node, PAIRS] >= 0
    good: cython.bint
    byte: cython.Py_ssize_t
    if nodes[node, SCANNED] == 0:
        if not scan(nodes, variants, test_at, test_set, grid, lists, bits, shape, node):
            return False
        nodes[node, SEEN] = state[LOGGED]
        return True
    while nodes[node, SEEN] < state[LOGGED]:
        if nodes[node, COUNT] + nodes[node, WORST] > nodes[node, ROOM]:
            return False
        entry = log[nodes[node, SEEN]]
        if entry & 3 == 0:  # an action: placement and action
            if by_pairs:
                placement = entry >> 22
                k = pair_at[nodes[node, PAIRS] + ((entry >> 2) & 0xFFFFF)]
                n = pairs[k]
                k += 1
                while n > 0:
                    n -= 1
                    local = pairs[k]
                    cell = placement + pairs[k + 1]
                    tests = pairs[k + 2]
                    k += 3
                    good = True
                    while tests > 0:
                        if not (pairs[k + 1] >> grid[placement + pairs[k]]) & 1:
                            good = False
                            k += 2 * tests
                            break
                        tests -= 1
                        k += 2
                    if not good:
                        continue
                    if nodes[node, SEEN] != state[NEWEST] and not fits(grid, variants, test_at, test_set, first + local, cell):
                        continue
                    add(nodes, lists, bits, node, local, cell)
        elif entry & 3 == 1 or not by_pairs:  # a cell: cell and what it was
            cell = entry >> 8
            old = (entry >> 2) & 63
            new = grid[cell]
            if old != new:
                k = changes[nodes[node, TRIGGERS] + old * 64 + new]
                n = spots[k]
                k += 1
                while n > 0:
                    n -= 1
                    local = spots[k]
                    placement = cell - spots[k + 1]
                    k += 2
                    byte = nodes[node, BITS] + placement * nodes[node, BYTES] + (local >> 3)
                    if not (bits[byte] >> (local & 7)) & 1 and fits(grid, variants, test_at, test_set, first + local, placement):
                        add(nodes, lists, bits, node, local, placement)
        nodes[node, SEEN] += 1
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def result(
    variants: cython.const[cython.longlong][:, ::1], actions: cython.const[cython.int][:, ::1], rng: cython.ulonglong[::1], variant: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """One of the variant's results, by weight, as an action."""
    action: cython.Py_ssize_t = variants[variant, V_ACTIONS]
    ticket: cython.longlong
    if variants[variant, V_ACTIONS_END] - action == 1:
        return action
    ticket = below(rng, variants[variant, V_TOTAL])
    while ticket >= actions[action, 2]:
        ticket -= actions[action, 2]
        action += 1
    return action


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def note(state: cython.longlong[::1], events: cython.longlong[:, ::1], action: cython.longlong, placement: cython.longlong) -> cython.int:
    """Remember an action for the timeline, if somebody wants it."""
    if events.shape[0]:
        events[state[EVENTS], 0] = state[TURNS]
        events[state[EVENTS], 1] = action
        events[state[EVENTS], 2] = placement
        state[EVENTS] += 1
    state[REWRITES] += 1
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def choose(
    nodes: cython.longlong[:, ::1],
    variants: cython.const[cython.longlong][:, ::1],
    grid: cython.uchar[::1],
    lists: cython.longlong[::1],
    counts: cython.longlong[::1],
    rng: cython.ulonglong[::1],
    stride: cython.Py_ssize_t,
    node: cython.Py_ssize_t,
) -> cython.longlong:
    """Which of the matches to take, all of them being true: by rule (a variant, then a place), by token (what stands there, then a place), or the first."""
    start: cython.Py_ssize_t = nodes[node, LIST]
    first: cython.Py_ssize_t = nodes[node, FIRST]
    count: cython.longlong = nodes[node, COUNT]
    k: cython.longlong
    v: cython.Py_ssize_t
    ticket: cython.longlong
    total: cython.longlong = 0
    best: cython.longlong = -1
    key: cython.ulonglong
    most: cython.ulonglong = 0
    salt: cython.ulonglong
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    placement: cython.Py_ssize_t
    seen: cython.ulonglong = 0
    entry: cython.longlong
    if nodes[node, PICK] == 1:
        for v in range(first, nodes[node, LAST]):
            counts[v] = 0
        for k in range(count):
            counts[first + (lists[start + k] & 0xFFFF)] += 1
        for v in range(first, nodes[node, LAST]):
            if counts[v]:
                total += variants[v, V_WEIGHT]
        if total == 0:
            return -1
        ticket = below(rng, total)
        v = first
        while True:
            if counts[v]:
                if ticket < variants[v, V_WEIGHT]:
                    break
                ticket -= variants[v, V_WEIGHT]
            v += 1
        ticket = below(rng, counts[v])
        for k in range(count):
            if first + (lists[start + k] & 0xFFFF) == v:
                if ticket == 0:
                    return k
                ticket -= 1
    if nodes[node, PICK] == 2:  # each token gets a random rank, from what it is and a draw: the highest wins, then each of its places is as likely
        salt = draw(rng) << 32  # a draw a line: C may evaluate two in either order
        salt |= draw(rng)
        for k in range(count):
            entry = lists[start + k]
            v = first + (entry & 0xFFFF)
            placement = entry >> 16
            key = (salt ^ (variants[v, V_WIDTH] * 64 + variants[v, V_HEIGHT])) & MASK64
            for y in range(variants[v, V_HEIGHT]):
                for x in range(variants[v, V_WIDTH]):
                    key = ((key ^ (grid[placement + y * stride + x] + 1)) * MULTIPLIER) & MASK64
                    key ^= key >> 29
            if best < 0 or key > most:
                most = key
                best = k
                seen = 1
            elif key == most:
                seen += 1
                if below(rng, seen) == 0:
                    best = k
        return best
    entry = 0
    for k in range(count):  # the first: least placement, then least variant
        if best < 0 or lists[start + k] < entry:
            entry = lists[start + k]
            best = k
    return best


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def sift(lists: cython.longlong[::1], start: cython.Py_ssize_t, at: cython.longlong, count: cython.longlong) -> cython.int:
    """Let an entry sink in a heap ordered by variant, then placement."""
    entry: cython.longlong = lists[start + at]
    child: cython.longlong
    a: cython.longlong
    b: cython.longlong
    while 2 * at + 1 < count:
        child = 2 * at + 1
        if child + 1 < count:
            a = lists[start + child]
            b = lists[start + child + 1]
            if (b & 0xFFFF) > (a & 0xFFFF) or ((b & 0xFFFF) == (a & 0xFFFF) and b > a):
                child += 1
        a = lists[start + child]
        if not ((a & 0xFFFF) > (entry & 0xFFFF) or ((a & 0xFFFF) == (entry & 0xFFFF) and a > entry)):
            break
        lists[start + at] = a
        at = child
    lists[start + at] = entry
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def order(lists: cython.longlong[::1], start: cython.Py_ssize_t, count: cython.longlong) -> cython.int:
    """Sort matches by variant, then placement."""
    k: cython.longlong
    entry: cython.longlong
    for k in range(count // 2 - 1, -1, -1):
        sift(lists, start, k, count)
    for k in range(count - 1, 0, -1):
        entry = lists[start]
        lists[start] = lists[start + k]
        lists[start + k] = entry
        sift(lists, start, 0, k)
    return 0


@cython.cfunc
@cython.exceptval(check=False)
def purge(
    nodes: cython.longlong[:, ::1],
    variants: cython.const[cython.longlong][:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    rules: cython.longlong[:, ::1],
    grid: cython.uchar[::1],
    lists: cython.longlong[::1],
    bits: cython.uchar[::1],
    node: cython.Py_ssize_t,
) -> cython.int:
    """Drop all matches that became false or whose rule has reached its limit."""
    k: cython.longlong
    v: cython.Py_ssize_t
    entry: cython.longlong
    for k in range(nodes[node, COUNT] - 1, -1, -1):
        entry = lists[nodes[node, LIST] + k]
        v = nodes[node, FIRST] + (entry & 0xFFFF)
        if (rules[variants[v, V_RULE], 1] and rules[variants[v, V_RULE], 0] >= rules[variants[v, V_RULE], 1]) or not fits(
            grid, variants, test_at, test_set, v, entry >> 16
        ):
            drop(nodes, lists, bits, node, k)
    return 0


def run(
    state: cython.longlong[::1],
    nodes: cython.longlong[:, ::1],
    children: cython.const[cython.int][::1],
    variants: cython.const[cython.longlong][:, ::1],
    rules: cython.longlong[:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    actions: cython.const[cython.int][:, ::1],
    write_at: cython.const[cython.int][::1],
    write_tile: cython.const[cython.uchar][::1],
    changes: cython.const[cython.int][::1],
    spots: cython.const[cython.int][::1],
    pair_at: cython.const[cython.int][::1],
    pairs: cython.const[cython.longlong][::1],
    grid: cython.uchar[::1],
    used: cython.uchar[::1],
    log: cython.longlong[::1],
    lists: cython.longlong[::1],
    bits: cython.uchar[::1],
    counts: cython.longlong[::1],
    events: cython.longlong[:, ::1],
    shape: cython.const[cython.longlong][::1],
    rng: cython.ulonglong[::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """Turn after turn until the program ends, the fuel is used, or Python has to make room (`NEED`, `FULL`). `rules` rows are [applied, limit]."""
    spent: cython.longlong = 0
    node: cython.Py_ssize_t
    begun: cython.Py_ssize_t
    child: cython.Py_ssize_t
    kind: cython.longlong
    v: cython.Py_ssize_t
    k: cython.longlong
    m: cython.Py_ssize_t
    index: cython.longlong
    entry: cython.longlong
    placement: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    action: cython.Py_ssize_t
    rule: cython.Py_ssize_t
    start: cython.Py_ssize_t
    tile: cython.uchar
    success: cython.bint
    free: cython.bint
    begin_log: cython.longlong
    kept: cython.longlong
    while state[NOW] >= 0 and spent < fuel:
        if state[MOST_TURNS] and state[TURNS] >= state[MOST_TURNS]:
            break
        if events.shape[0] and state[EVENTS] + 1 > events.shape[0]:
            state[FULL] = 1
            break
        if state[LOGGED] + state[WORST_TURN] > log.shape[0]:  # let all catch up, and begin the log anew
            for node in range(nodes.shape[0]):
                if nodes[node, KIND] <= PARALLEL and nodes[node, SCANNED]:
                    if not look(state, nodes, variants, test_at, test_set, changes, spots, pair_at, pairs, grid, log, lists, bits, shape, node):
                        state[NEED] = node + 1
                        return spent
            for node in range(nodes.shape[0]):
                nodes[node, SEEN] = 0
            state[LOGGED] = 0
            state[NEWEST] = -1
        begun = state[NOW]
        node = begun
        success = False
        if nodes[node, KIND] == MARKOV:
            nodes[node, AT] = 0
        spent += 1
        while True:
            if nodes[node, FIRST] + nodes[node, AT] >= nodes[node, LAST] or nodes[node, OVER]:  # no child is left
                if nodes[node, KIND] == REPEAT and nodes[node, OVER] == 0:
                    nodes[node, DONE] += 1
                    if nodes[node, ACTED] == 0 or (nodes[node, LIMIT] and nodes[node, DONE] >= nodes[node, LIMIT]):
                        nodes[node, OVER] = 1
                elif nodes[node, KIND] != REPEAT and nodes[node, LIMIT] and nodes[node, DONE] >= nodes[node, LIMIT]:
                    nodes[node, OVER] = 1
                for m in range(nodes[node, FIRST], nodes[node, LAST]):  # all below begins anew
                    child = children[m]
                    nodes[child, DONE] = 0
                    nodes[child, OVER] = 0
                    if nodes[child, KIND] > PARALLEL:
                        nodes[child, AT] = 0
                    else:
                        for v in range(nodes[child, FIRST], nodes[child, LAST]):
                            if variants[v, V_STAYS]:  # what was used up while it still matched is armed again
                                nodes[child, SCANNED] = 0
                                break
                nodes[node, AT] = 0
                nodes[node, ACTED] = 0
                if nodes[node, KIND] == REPEAT and nodes[node, OVER] == 0:
                    if node == begun:
                        break
                    state[NOW] = node
                    break
                state[NOW] = nodes[node, PARENT]
                if node == begun:
                    break
                node = nodes[node, PARENT]
                nodes[node, AT] += 1
                continue
            child = children[nodes[node, FIRST] + nodes[node, AT]]
            kind = nodes[child, KIND]
            if kind > PARALLEL:
                if nodes[child, OVER]:
                    nodes[node, AT] += 1
                    continue
                state[NOW] = child
                node = child
                if kind == MARKOV:
                    nodes[node, AT] = 0
                continue
            if nodes[child, LIMIT] and nodes[child, DONE] >= nodes[child, LIMIT]:
                nodes[node, AT] += 1
                continue
            if not look(state, nodes, variants, test_at, test_set, changes, spots, pair_at, pairs, grid, log, lists, bits, shape, child):
                state[NEED] = child + 1
                return spent
            start = nodes[child, LIST]
            if kind == ONE:
                if nodes[child, PICK]:
                    purge(nodes, variants, test_at, test_set, rules, grid, lists, bits, child)
                    spent += nodes[child, COUNT]
                while nodes[child, COUNT] > 0:
                    if nodes[child, PICK]:
                        index = choose(nodes, variants, grid, lists, counts, rng, shape[2], child)
                        if index < 0:
                            break
                    else:
                        index = below(rng, nodes[child, COUNT])
                    entry = lists[start + index]
                    placement = entry >> 16
                    v = nodes[child, FIRST] + (entry & 0xFFFF)
                    rule = variants[v, V_RULE]
                    if nodes[child, PICK]:
                        if variants[v, V_CHANCE] < ALWAYS and not cython.cast(cython.longlong, draw(rng)) < variants[v, V_CHANCE]:
                            spent += 1
                            if spent >= fuel:
                                break
                            continue
                    else:
                        if (rules[rule, 1] and rules[rule, 0] >= rules[rule, 1]) or not fits(grid, variants, test_at, test_set, v, placement):
                            drop(nodes, lists, bits, child, index)
                            continue
                        if variants[v, V_ACCEPT] < ALWAYS and not cython.cast(cython.longlong, draw(rng)) < variants[v, V_ACCEPT]:
                            spent += 1
                            if spent >= fuel:
                                break
                            continue
                    if nodes[child, PICK] == 0:  # else it stays, and is dropped in the next turn if it is no longer true
                        drop(nodes, lists, bits, child, index)
                    action = result(variants, actions, rng, v)
                    note(state, events, action, placement)
                    rules[rule, 0] += 1
                    if state[LOG_ACTIONS]:
                        state[NEWEST] = state[LOGGED]
                        log[state[LOGGED]] = (cython.cast(cython.longlong, placement) << 22) | (action << 2)
                        state[LOGGED] += 1
                    for m in range(actions[action, 0], actions[action, 1]):
                        cell = placement + write_at[m]
                        tile = grid[cell]
                        if tile != write_tile[m] and tile != RIM:
                            grid[cell] = write_tile[m]
                            if state[LOG_CELLS]:
                                log[state[LOGGED]] = (cython.cast(cython.longlong, cell) << 8) | (cython.cast(cython.longlong, tile) << 2) | 2
                                state[LOGGED] += 1
                    success = True
                    break
                if not success and spent >= fuel and nodes[child, COUNT] > 0:  # all draws were refused by chance so far: go on in the next bite
                    return spent
            else:
                purge(nodes, variants, test_at, test_set, rules, grid, lists, bits, child)
                spent += nodes[child, COUNT]
                if nodes[child, COUNT] and state[LOGGED] and state[LOGGED] + shape[0] * shape[1] > log.shape[0]:
                    for m in range(nodes.shape[0]):
                        if nodes[m, KIND] <= PARALLEL and nodes[m, SCANNED]:
                            if not look(state, nodes, variants, test_at, test_set, changes, spots, pair_at, pairs, grid, log, lists, bits, shape, m):
                                state[NEED] = m + 1
                                return spent
                    for m in range(nodes.shape[0]):
                        nodes[m, SEEN] = 0
                    state[LOGGED] = 0
                    state[NEWEST] = -1
                if events.shape[0] and nodes[child, COUNT] + state[EVENTS] > events.shape[0]:
                    state[FULL] = nodes[child, COUNT]
                    return spent
                begin_log = state[LOGGED]
                if kind == PARALLEL and nodes[child, SORTED]:
                    order(lists, start, nodes[child, COUNT])
                kept = 0
                k = nodes[child, COUNT]
                index = 0
                while index < k:
                    if kind == ALL:  # draw without replacement: what is drawn moves to the front
                        m = index + below(rng, k - index)
                        entry = lists[start + m]
                        lists[start + m] = lists[start + index]
                        lists[start + index] = entry
                    entry = lists[start + index]
                    placement = entry >> 16
                    v = nodes[child, FIRST] + (entry & 0xFFFF)
                    rule = variants[v, V_RULE]
                    index += 1
                    if variants[v, V_CHANCE] < ALWAYS and not cython.cast(cython.longlong, draw(rng)) < variants[v, V_CHANCE]:
                        continue
                    if rules[rule, 1] and rules[rule, 0] >= rules[rule, 1]:
                        continue
                    action = result(variants, actions, rng, v)
                    free = True
                    if kind == ALL:
                        for m in range(actions[action, 0], actions[action, 1]):
                            if used[placement + write_at[m]] != 255:
                                free = False
                                break
                    if not free:
                        continue
                    rules[rule, 0] += 1
                    kept += 1
                    note(state, events, action, placement)
                    for m in range(actions[action, 0], actions[action, 1]):
                        cell = placement + write_at[m]
                        if grid[cell] == RIM:
                            continue
                        if used[cell] == 255:  # 255: not written in this turn; else what shall stand there
                            log[state[LOGGED]] = (cython.cast(cython.longlong, cell) << 8) | (cython.cast(cython.longlong, grid[cell]) << 2) | 1
                            state[LOGGED] += 1
                        used[cell] = write_tile[m]
                    if kind == ALL and not variants[v, V_STAYS]:
                        lists[start + index - 1] = -1 - entry  # applied: off the list below
                for index in range(begin_log, state[LOGGED]):
                    cell = log[index] >> 8
                    grid[cell] = used[cell]
                    used[cell] = 255
                if kind == ALL:
                    for index in range(k - 1, -1, -1):
                        if lists[start + index] < 0:
                            lists[start + index] = -1 - lists[start + index]
                            drop(nodes, lists, bits, child, index)
                success = kept > 0
                spent += state[LOGGED] - begin_log
            if success:
                nodes[child, DONE] += 1
                m = node
                while m >= 0:
                    nodes[m, ACTED] = 1
                    if nodes[m, KIND] != REPEAT:
                        nodes[m, DONE] += 1
                    m = nodes[m, PARENT]
                break
            nodes[node, AT] += 1
        state[TURNS] += 1
    return spent


def refresh(
    state: cython.longlong[::1],
    nodes: cython.longlong[:, ::1],
    variants: cython.const[cython.longlong][:, ::1],
    rules: cython.longlong[:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    changes: cython.const[cython.int][::1],
    spots: cython.const[cython.int][::1],
    pair_at: cython.const[cython.int][::1],
    pairs: cython.const[cython.longlong][::1],
    grid: cython.uchar[::1],
    log: cython.longlong[::1],
    lists: cython.longlong[::1],
    bits: cython.uchar[::1],
    shape: cython.const[cython.longlong][::1],
    node: cython.Py_ssize_t,
) -> cython.bint:
    """Bring a node's list up to date and drop what is false, as its next turn would. False if the list is too short."""
    if not look(state, nodes, variants, test_at, test_set, changes, spots, pair_at, pairs, grid, log, lists, bits, shape, node):
        return False
    purge(nodes, variants, test_at, test_set, rules, grid, lists, bits, node)
    return True


def replay(
    grid: cython.uchar[::1],
    actions: cython.const[cython.int][:, ::1],
    write_at: cython.const[cython.int][::1],
    write_tile: cython.const[cython.uchar][::1],
    events: cython.const[cython.longlong][:, ::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    writer: cython.longlong[::1],
) -> None:
    """Do some remembered actions again; `writer`, if it has places, learns which event wrote each cell last."""
    k: cython.Py_ssize_t
    m: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    for k in range(first, last):
        for m in range(actions[events[k, 1], 0], actions[events[k, 1], 1]):
            cell = events[k, 2] + write_at[m]
            if grid[cell] != RIM:
                if writer.shape[0] and grid[cell] != write_tile[m]:
                    writer[cell] = k
                grid[cell] = write_tile[m]


def matches(
    grid: cython.const[cython.uchar][::1],
    variants: cython.const[cython.longlong][:, ::1],
    test_at: cython.const[cython.int][::1],
    test_set: cython.const[cython.longlong][::1],
    shape: cython.const[cython.longlong][::1],
    found: cython.longlong[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    over: cython.bint,
) -> cython.Py_ssize_t:
    """All matches of some variants, in reading order, as placement * 65536 + variant. Returns how many there are; only those that fit are written."""
    v: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    good: cython.bint
    for v in range(first, last):
        for y in range(1 - variants[v, V_HEIGHT] if over else 0, shape[1] if over else shape[1] - variants[v, V_HEIGHT] + 1):
            row = shape[3] + y * shape[2]
            for x in range(1 - variants[v, V_WIDTH] if over else 0, shape[0] if over else shape[0] - variants[v, V_WIDTH] + 1):
                good = True
                for k in range(variants[v, V_TESTS], variants[v, V_TESTS_END]):
                    if not (test_set[k] >> grid[row + x + test_at[k]]) & 1:
                        good = False
                        break
                if good:
                    if count < found.shape[0]:
                        found[count] = (cython.cast(cython.longlong, row + x) << 16) | v
                    count += 1
    return count
