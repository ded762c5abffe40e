# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Locks and keys: what can be reached with which keys, the shortest path, and whether the end stays reachable.

Spot 0 is the start; the other spots are the cells with a key, a switch, a lock or a one-way door. The tables:

    steps    [from, to] the steps from one spot to another over plain cells only; negative if there is no such path
    to_end   the steps from a spot to the end over plain cells only; negative if there is no such path
    takes    the bits that standing on a spot sets
    first    the first lock of a spot; one more than there are spots
    locks    KEPT the bit of what opens it for good, OWN the bit of the lock itself, KEYS the keys that break in it,
             USED all locks that such keys open

A state is a spot and bits: a number, bits * spots + spot. Bits are never lost, so no state has a successor with a
smaller sum of bits. Tables of states are open-addressed, twice as long as there is room for states, and hold -1 where
they are free.
"""

from __future__ import annotations

import cython

MULTIPLIER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MASK64 = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
STATE_NUMBER_MASK = cython.declare(cython.longlong, 0xFFFFFF)
"""The part of a heap entry that numbers a state; the rest is its distance."""

# columns of `locks`
OPENER_BIT = cython.declare(cython.int, 0)
OWN_BIT = cython.declare(cython.int, 1)
BREAKING_KEYS = cython.declare(cython.int, 2)
OPENED_LOCKS = cython.declare(cython.int, 3)

# `state`
STATE_COUNT = cython.declare(cython.int, 0)
"""The number of states found."""
PENDING = cython.declare(cython.int, 1)
"""Entries of the heap; or the next state to look at."""
BEST = cython.declare(cython.int, 2)
"""Steps to the end; or successors found."""
LAST_STATE = cython.declare(cython.int, 3)
"""The state from which it is reached."""
IS_FULL = cython.declare(cython.int, 4)
"""Whether there was no room for more."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def count_bits(mask: cython.longlong) -> cython.int:
    """How many bits are set."""
    count: cython.int = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def bits_after_entering(
    spot: cython.Py_ssize_t,
    bits: cython.longlong,
    takes: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    locks: cython.const[cython.longlong][:, ::1],
    spends: cython.bint,
) -> cython.longlong:
    """The bits after a step on to a spot, or -1 if it is locked. Uses up keys only if it `spends`."""
    k: cython.Py_ssize_t
    for k in range(first[spot], first[spot + 1]):
        if (bits & locks[k, OPENER_BIT]) != 0 or (bits & locks[k, OWN_BIT]) != 0:
            continue
        if not spends or count_bits(bits & locks[k, BREAKING_KEYS]) <= count_bits(bits & locks[k, OPENED_LOCKS]):
            return -1
        bits |= locks[k, OWN_BIT]
    return bits | takes[spot]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_slot(
    table: cython.const[cython.int][::1], keys: cython.const[cython.longlong][::1], key: cython.longlong
) -> cython.Py_ssize_t:
    """The slot of a state in the table, or the free slot for it."""
    mixed: cython.ulonglong = (
        cython.cast(cython.ulonglong, key) * MULTIPLIER if cython.compiled else (key * MULTIPLIER) & MASK64
    )
    last: cython.ulonglong = table.shape[0] - 1
    place: cython.Py_ssize_t = (mixed >> 32) & last
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + 1) & last
    return place


def rehash(keys: cython.const[cython.longlong][::1], table: cython.int[::1], count: cython.Py_ssize_t) -> None:
    """Put all states into an empty table."""
    k: cython.Py_ssize_t
    for k in range(count):
        table[find_slot(table, keys, keys[k])] = k


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def push(heap: cython.longlong[::1], size: cython.Py_ssize_t, entry: cython.longlong) -> cython.void:
    """Add an entry to a heap of that size."""
    up: cython.Py_ssize_t
    while size > 0:
        up = (size - 1) >> 1
        if heap[up] <= entry:
            break
        heap[size] = heap[up]
        size = up
    heap[size] = entry


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def pop(heap: cython.longlong[::1], size: cython.Py_ssize_t) -> cython.longlong:
    """Take the least entry from a heap of that size."""
    least: cython.longlong = heap[0]
    size -= 1
    entry: cython.longlong = heap[size]
    at: cython.Py_ssize_t = 0
    down: cython.Py_ssize_t = 1
    while down < size:
        if down + 1 < size and heap[down + 1] < heap[down]:
            down += 1
        if entry <= heap[down]:
            break
        heap[at] = heap[down]
        at = down
        down = 2 * at + 1
    heap[at] = entry
    return least


def explore_states(
    state: cython.longlong[::1],
    steps: cython.const[cython.int][:, ::1],
    to_end: cython.const[cython.int][::1],
    takes: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    locks: cython.const[cython.longlong][:, ::1],
    keys: cython.longlong[::1],
    far: cython.longlong[::1],
    parent: cython.int[::1],
    table: cython.int[::1],
    heap: cython.longlong[::1],
    whole: cython.bint,
    fuel: cython.longlong,
) -> cython.longlong:
    """Find states by their distance from the first one, and the shortest path to the end; if `whole`, all states
    (Dijkstra 1959).

    Start with one state, in `keys`, `table` and the heap, and with -1 as the best. If IS_FULL is set, call again with
    longer buffers.
    """
    count: cython.Py_ssize_t = state[STATE_COUNT]
    size: cython.Py_ssize_t = state[PENDING]
    best: cython.longlong = state[BEST]
    spots: cython.Py_ssize_t = steps.shape[0]
    used: cython.longlong = 0
    entry: cython.longlong
    mine: cython.Py_ssize_t
    spot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    place: cython.Py_ssize_t
    number: cython.Py_ssize_t
    bits: cython.longlong
    after: cython.longlong
    distance: cython.longlong
    state[IS_FULL] = 0
    while size > 0 and used < fuel:
        if count + spots > keys.shape[0] or size + spots > heap.shape[0]:
            state[IS_FULL] = 1
            break
        entry = pop(heap, size)
        size -= 1
        used += 1
        mine = entry & STATE_NUMBER_MASK
        distance = entry >> 24
        if distance > far[mine]:  # a shorter path was found since
            continue
        if best >= 0 and distance >= best and not whole:
            size = 0
            break
        spot = keys[mine] % spots
        bits = keys[mine] // spots
        if to_end[spot] >= 0 and (best < 0 or distance + to_end[spot] < best):
            best = distance + to_end[spot]
            state[LAST_STATE] = mine
        used += spots
        for other in range(1, spots):
            if steps[spot, other] < 0:
                continue
            after = bits_after_entering(other, bits, takes, first, locks, True)
            if after < 0:
                continue
            after = after * spots + other
            place = find_slot(table, keys, after)
            number = table[place]
            if number < 0:
                number = count
                count += 1
                table[place] = number
                keys[number] = after
            elif far[number] <= distance + steps[spot, other]:
                continue
            far[number] = distance + steps[spot, other]
            parent[number] = mine
            push(heap, size, (far[number] << 24) | number)
            size += 1
    state[STATE_COUNT] = count
    state[PENDING] = size
    state[BEST] = best
    return used


def mark_winning_states(
    state: cython.longlong[::1],
    steps: cython.const[cython.int][:, ::1],
    to_end: cython.const[cython.int][::1],
    takes: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    locks: cython.const[cython.longlong][:, ::1],
    keys: cython.const[cython.longlong][::1],
    order: cython.const[cython.int][::1],
    table: cython.const[cython.int][::1],
    wins: cython.uchar[::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """From which states the end can be reached. `order` lists all states, the greatest numbers first; `state` begins as
    0.

    States with the same bits stand together, and all their successors stand before them: so one pass over each group is
    enough, and some more inside it.
    """
    at: cython.Py_ssize_t = state[0]
    count: cython.Py_ssize_t = order.shape[0]
    spots: cython.Py_ssize_t = steps.shape[0]
    used: cython.longlong = 0
    begin: cython.Py_ssize_t
    k: cython.Py_ssize_t
    spot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    bits: cython.longlong
    after: cython.longlong
    news: cython.bint
    while at < count and used < fuel:
        begin = at
        bits = keys[order[at]] // spots
        while at < count and keys[order[at]] // spots == bits:
            at += 1
        news = True
        while news:
            news = False
            for k in range(begin, at):
                if wins[order[k]]:
                    continue
                used += spots
                spot = keys[order[k]] % spots
                if to_end[spot] >= 0:
                    wins[order[k]] = 1
                    news = True
                    continue
                for other in range(1, spots):
                    if steps[spot, other] < 0:
                        continue
                    after = bits_after_entering(other, bits, takes, first, locks, True)
                    if after >= 0 and wins[table[find_slot(table, keys, after * spots + other)]]:
                        wins[order[k]] = 1
                        news = True
                        break
    state[0] = at
    return used


@cython.cfunc
@cython.exceptval(check=False)
def gather_keys(
    bits: cython.longlong,
    steps: cython.const[cython.int][:, ::1],
    takes: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    locks: cython.const[cython.longlong][:, ::1],
    reached: cython.uchar[::1],
) -> cython.longlong:
    """The bits after taking everything from the spots that can be reached without using up a key, and all reached
    spots.
    """
    spots: cython.Py_ssize_t = steps.shape[0]
    spot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    after: cython.longlong
    news: cython.bint = True
    while news:
        news = False
        for other in range(1, spots):
            if reached[other]:
                continue
            for spot in range(spots):
                if reached[spot] and steps[spot, other] >= 0:
                    after = bits_after_entering(other, bits, takes, first, locks, False)
                    if after >= 0:
                        reached[other] = 1
                        bits = after
                        news = True
                    break
    return bits


def explore_spending(
    state: cython.longlong[::1],
    steps: cython.const[cython.int][:, ::1],
    to_end: cython.const[cython.int][::1],
    takes: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    locks: cython.const[cython.longlong][:, ::1],
    keys: cython.longlong[::1],
    parent: cython.int[::1],
    opened: cython.int[::1],
    ends: cython.uchar[::1],
    edges: cython.int[:, ::1],
    table: cython.int[::1],
    reached: cython.uchar[::1],
    thereafter: cython.uchar[::1],
    ever: cython.uchar[::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """All ways to spend keys on a map without one-way doors. There every step can be undone, so states differ only in
    the locks that took a key.

    A state is its bits after all was gathered; `keys[0]` holds the bits to begin with, and the count is 1. `opened` is
    the spot on which a state spent its last key, `ends` whether the end can be reached, `edges` holds pairs of a state
    and one it can become, `ever` the spots that can be reached. `reached` and `thereafter` are work space for spots.
    """
    count: cython.Py_ssize_t = state[STATE_COUNT]
    at: cython.Py_ssize_t = state[PENDING]
    found: cython.Py_ssize_t = state[BEST]
    spots: cython.Py_ssize_t = steps.shape[0]
    used: cython.longlong = 0
    spot: cython.Py_ssize_t
    other: cython.Py_ssize_t
    place: cython.Py_ssize_t
    bits: cython.longlong
    after: cython.longlong
    state[IS_FULL] = 0
    while at < count and used < fuel:
        if count + spots > keys.shape[0] or found + spots > edges.shape[0]:
            state[IS_FULL] = 1
            break
        for spot in range(spots):
            reached[spot] = spot == 0
        bits = gather_keys(keys[at], steps, takes, first, locks, reached)
        if at == 0:
            keys[0] = bits
            table[find_slot(table, keys, bits)] = 0
        used += spots * spots
        for spot in range(spots):
            if reached[spot]:
                ever[spot] = 1
                if to_end[spot] >= 0:
                    ends[at] = 1
        for other in range(1, spots):
            if reached[other]:
                continue
            for spot in range(spots):
                if reached[spot] and steps[spot, other] >= 0:
                    break
            else:
                continue
            after = bits_after_entering(other, bits, takes, first, locks, True)
            if after < 0:
                continue
            for spot in range(spots):
                thereafter[spot] = reached[spot]
            thereafter[other] = 1
            after = gather_keys(after, steps, takes, first, locks, thereafter)
            used += spots * spots
            place = find_slot(table, keys, after)
            if table[place] < 0:
                table[place] = count
                keys[count] = after
                parent[count] = at
                opened[count] = other
                count += 1
            edges[found, 0] = at
            edges[found, 1] = table[place]
            found += 1
        at += 1
    state[STATE_COUNT] = count
    state[PENDING] = at
    state[BEST] = found
    return used
