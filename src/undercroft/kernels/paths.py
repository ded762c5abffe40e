# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The graph of rooms, doors, branching points and corridor runs, and the longest of its shortest paths."""

from __future__ import annotations

import cython

ROOM = cython.declare(cython.int, 1)
RUN = cython.declare(cython.int, 2)
BRANCH = cython.declare(cython.int, 3)  # and 4
DOOR = cython.declare(cython.int, 5)  # and 6
LOW_WORD = cython.declare(cython.ulonglong, 0xFFFFFFFF)
FAR = cython.declare(cython.longlong, 1 << 60)


def kinds(
    roles: cython.const[cython.uchar][::1], out: cython.uchar[::1], width: cython.Py_ssize_t, height: cython.Py_ssize_t
) -> cython.longlong:
    """From roles (0 closed, 1 room, 2 corridor, 3 door) to kinds that make one node per connected set.

    Branching points and doors are nodes of one cell each, so neighbours of the same sort get different kinds, as on a chessboard.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    role: cython.int
    near: cython.int
    for y in range(height):
        for x in range(width):
            i = y * width + x
            role = roles[i]
            if role == 3:
                out[i] = DOOR + ((x + y) & 1)
            elif role == 2:
                near = 0
                if y > 0 and roles[i - width]:
                    near += 1
                if x > 0 and roles[i - 1]:
                    near += 1
                if x + 1 < width and roles[i + 1]:
                    near += 1
                if y + 1 < height and roles[i + width]:
                    near += 1
                out[i] = BRANCH + ((x + y) & 1) if near >= 3 else RUN
            else:
                out[i] = role
    return width * height


def edges(labels: cython.const[cython.int][::1], starts: cython.int[::1], targets: cython.int[::1], width: cython.Py_ssize_t, height: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Who touches whom, as rows of `targets` between `starts[node]` and `starts[node + 1]`. Called first with no targets, to count: returns how many it needs."""
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    mine: cython.int
    other: cython.int
    total: cython.Py_ssize_t = 0
    counting: cython.bint = targets.shape[0] == 0
    if counting:
        for i in range(starts.shape[0]):
            starts[i] = 0
    for y in range(height):
        for x in range(width):
            i = y * width + x
            mine = labels[i]
            if mine == 0:
                continue
            for side in range(2):
                other = 0
                if side == 0 and x + 1 < width:
                    other = labels[i + 1]
                elif side == 1 and y + 1 < height:
                    other = labels[i + width]
                if other == 0 or other == mine:
                    continue
                if counting:
                    starts[mine] += 1
                    starts[other] += 1
                else:
                    starts[mine] -= 1
                    targets[starts[mine]] = other
                    starts[other] -= 1
                    targets[starts[other]] = mine
                total += 2
    if counting:  # running sums: `starts[node]` is then the end of the node's row, and filling moves it to the beginning
        for i in range(1, starts.shape[0]):
            starts[i] += starts[i - 1]
    return total


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def push(heap: cython.ulonglong[::1], size: cython.Py_ssize_t, item: cython.ulonglong) -> cython.Py_ssize_t:
    up: cython.Py_ssize_t
    while size > 0:
        up = (size - 1) >> 2
        if heap[up] <= item:
            break
        heap[size] = heap[up]
        size = up
    heap[size] = item
    return size


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def pop(heap: cython.ulonglong[::1], size: cython.Py_ssize_t) -> cython.ulonglong:
    """Take the least of `size` items; four children a node, which keeps the heap shallow."""
    top: cython.ulonglong = heap[0]
    item: cython.ulonglong = heap[size - 1]
    at: cython.Py_ssize_t = 0
    child: cython.Py_ssize_t = 1
    least: cython.Py_ssize_t
    end: cython.Py_ssize_t
    size -= 1
    while child < size:
        least = child
        end = child + 4 if child + 4 < size else size
        child += 1
        while child < end:
            if heap[child] < heap[least]:
                least = child
            child += 1
        if heap[least] >= item:
            break
        heap[at] = heap[least]
        at = least
        child = 4 * at + 1
    heap[at] = item
    return top


def longest(
    state: cython.longlong[::1],
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    dist: cython.longlong[::1],
    low: cython.longlong[::1],
    high: cython.longlong[::1],
    order: cython.int[::1],
    heap: cython.ulonglong[::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """The longest of all shortest paths, lengths being sums of node weights, both ends included. Exact.

    A search from every node would do, but each search bounds the reach of all other nodes from above and below (Takes and Kosters 2011), and a node
    whose upper bound is no better than the best path known need not be searched. Lengths are doubled inside: an edge then costs the weights of its
    two ends, a path its edges and the weights of both ends.

    `state`: [phase 0 pick / 1 search / 2 done, node searched from, size of the heap, best length doubled, mode 0 length / 1 first start / 2 last search,
    searches, next start to look at, start, end, nodes settled]. `dist` begins as -1, `low` as 0, `high` as a large number.
    """
    nodes: cython.Py_ssize_t = weights.shape[0] - 1
    used: cython.longlong = 0
    source: cython.int
    node: cython.int
    near: cython.int
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    size: cython.Py_ssize_t
    settled: cython.Py_ssize_t
    item: cython.ulonglong
    far: cython.longlong
    reach: cython.longlong
    bound: cython.longlong
    best: cython.longlong
    value: cython.longlong
    while state[0] != 2 and used < fuel:
        if state[0] == 0:
            best = state[3]
            source = 0
            if state[4] == 0:  # which search teaches most: by turns the node that may reach farthest, and the most central one
                value = -1
                for k in range(1, nodes + 1):
                    if high[k] > best:
                        if state[5] & 1:
                            if value == -1 or low[k] < value:
                                value = low[k]
                                source = k
                        elif high[k] > value:
                            value = high[k]
                            source = k
                used += nodes
                if source == 0:
                    state[4] = 1
            if state[4] == 1:  # the first node whose reach is the best length
                k = state[6]
                while k <= nodes and high[k] < best:
                    k += 1
                state[6] = k
                source = k
                if low[k] >= best:
                    state[7] = k
                    state[4] = 2
            state[1] = source
            state[5] += 1
            state[9] = 0
            state[2] = 1
            heap[0] = source
            dist[source] = 0
            state[0] = 1
        source = state[1]
        size = state[2]
        settled = state[9]
        while size > 0 and used < fuel:
            item = pop(heap, size)
            size -= 1
            node = cython.cast(cython.int, item & LOW_WORD)
            far = cython.cast(cython.longlong, item >> 32)
            used += 1
            if far != dist[node]:
                continue
            order[settled] = node
            settled += 1
            for e in range(starts[node], starts[node + 1]):
                near = targets[e]
                bound = far + weights[node] + weights[near]
                if dist[near] < 0 or bound < dist[near]:
                    dist[near] = bound
                    push(heap, size, (cython.cast(cython.ulonglong, bound) << 32) | cython.cast(cython.ulonglong, near))
                    size += 1
        state[2] = size
        state[9] = settled
        if size > 0:
            break
        reach = 0
        for k in range(settled):
            node = order[k]
            value = dist[node] + weights[node] + weights[source]
            if value > reach:
                reach = value
        used += settled
        if state[4] == 2:  # the last search: the first node at the best length is the end; distances stay for the way back
            state[8] = nodes + 1
            for k in range(settled):
                node = order[k]
                if dist[node] + weights[node] + weights[source] == reach and node < state[8]:
                    state[8] = node
            state[0] = 2
            break
        if reach > state[3]:
            state[3] = reach
        for k in range(settled):
            node = order[k]
            far = dist[node] - weights[node] + weights[source]
            bound = dist[node] + weights[node] - weights[source] + reach
            if bound < high[node]:
                high[node] = bound
            bound = reach - far
            value = dist[node] + weights[node] + weights[source]
            if value > bound:
                bound = value
            if bound > low[node]:
                low[node] = bound
            dist[node] = -1
        used += settled
        low[source] = reach
        high[source] = reach
        state[0] = 0
    return used


def way_back(starts: cython.const[cython.int][::1], targets: cython.const[cython.int][::1], weights: cython.const[cython.int][::1], dist: cython.const[cython.longlong][::1], way: cython.int[::1], end: cython.int) -> cython.Py_ssize_t:
    """The nodes from `end` to the node at distance 0, each time through the smallest number. Returns how many."""
    node: cython.int = end
    pick: cython.int
    near: cython.int
    e: cython.Py_ssize_t
    count: cython.Py_ssize_t = 1
    way[0] = end
    while dist[node] > 0:
        pick = 0
        for e in range(starts[node], starts[node + 1]):
            near = targets[e]
            if dist[near] >= 0 and dist[near] + weights[near] + weights[node] == dist[node] and (pick == 0 or near < pick):
                pick = near
        node = pick
        way[count] = node
        count += 1
    return count
