# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The graph of rooms, doors, branching points and corridor runs, and the longest of its shortest paths."""

from __future__ import annotations

import cython

ROOM = cython.declare(cython.int, 1)
RUN = cython.declare(cython.int, 2)
BRANCH = cython.declare(cython.int, 3)  # and 4
DOOR = cython.declare(cython.int, 5)  # and 6
LOW_WORD = cython.declare(cython.ulonglong, 0xFFFFFFFF)
LOW_PLACE = cython.declare(cython.longlong, 0xFFFFFFFF)
INFINITE_DISTANCE = cython.declare(cython.longlong, 1 << 60)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def count_open(
    roles: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    up: cython.Py_ssize_t,
    down: cython.Py_ssize_t,
    left: cython.Py_ssize_t,
    right: cython.Py_ssize_t,
) -> cython.uchar:
    """The open neighbours of a cell; a step of 0 leads over the border."""
    near: cython.uchar = 0
    if up and roles[i - up]:
        near += 1
    if left and roles[i - left]:
        near += 1
    if right and roles[i + right]:
        near += 1
    if down and roles[i + down]:
        near += 1
    return near


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def kind_of_cell(role: cython.uchar, near: cython.uchar, odd: cython.uchar) -> cython.uchar:
    """The kind of a cell from its role, its open neighbours, and the colour of its field on a chessboard."""
    door: cython.uchar = role == 3
    branch: cython.uchar = (role == 2) & (near >= 3)
    return role + door * 2 + branch + (door | branch) * odd


def classify_cells(
    roles: cython.const[cython.uchar][::1], out: cython.uchar[::1], width: cython.Py_ssize_t, height: cython.Py_ssize_t
) -> cython.longlong:
    """From roles (0 closed, 1 room, 2 corridor, 3 door) to kinds that make one node per connected set.

    Branching points and doors are nodes of one cell each, so neighbours of the same sort get different kinds, as on a
    chessboard.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    up: cython.Py_ssize_t
    down: cython.Py_ssize_t
    for y in range(height):
        # the border is done cell by cell, the rest without a branch, which a compiler makes many cells at once of
        i = y * width
        up = width if y > 0 else 0
        down = width if y + 1 < height else 0
        out[i] = kind_of_cell(roles[i], count_open(roles, i, up, down, 0, 1 if width > 1 else 0), y & 1)
        if width > 1:
            i += width - 1
            out[i] = kind_of_cell(roles[i], count_open(roles, i, up, down, 1, 0), (y + width - 1) & 1)
        i = y * width
        if up == 0 or down == 0:
            for x in range(1, width - 1):
                out[i + x] = kind_of_cell(roles[i + x], count_open(roles, i + x, up, down, 1, 1), (x + y) & 1)
        else:
            for x in range(1, width - 1):
                out[i + x] = kind_of_cell(
                    roles[i + x],
                    (roles[i + x - width] != 0)
                    + (roles[i + x - 1] != 0)
                    + (roles[i + x + 1] != 0)
                    + (roles[i + x + width] != 0),
                    (x + y) & 1,
                )
    return width * height


def weigh_nodes(
    boxes: cython.const[cython.int][:, ::1], fixed: cython.const[cython.int][::1], weights: cython.int[::1]
) -> cython.longlong:
    """The weight of each node from its box and kind, and the sum of all:

    `fixed` for rooms, runs, branching points and doors; where it is 0, half the sides of a room, the cells of a run.
    """
    k: cython.Py_ssize_t
    total: cython.longlong = 1
    kind: cython.int
    weights[0] = 1
    for k in range(boxes.shape[0]):
        kind = boxes[k, 5]
        if kind >= BRANCH:
            weights[k + 1] = fixed[2 if kind < DOOR else 3]
        elif kind == RUN:
            weights[k + 1] = fixed[1] if fixed[1] else boxes[k, 4]
        else:
            weights[k + 1] = fixed[0] if fixed[0] else (boxes[k, 2] - boxes[k, 0] + boxes[k, 3] - boxes[k, 1] + 2) // 2
        total += weights[k + 1]
    return total


def mark_nodes(
    kinds: cython.const[cython.uchar][::1],
    firsts: cython.const[cython.int][::1],
    cells: cython.uchar[::1],
    waiting: cython.int[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.longlong:
    """Mark the cells of some nodes: for each, those of equal kind that are connected with one of its cells.

    `waiting` has room for the cells of the largest node. Returns how many cells were marked.
    """
    k: cython.Py_ssize_t
    size: cython.Py_ssize_t
    used: cython.longlong = 0
    i: cython.Py_ssize_t
    x: cython.Py_ssize_t
    near: cython.Py_ssize_t
    side: cython.int
    for k in range(firsts.shape[0]):
        if cells[firsts[k]]:
            continue
        cells[firsts[k]] = 1
        waiting[0] = firsts[k]
        size = 1
        while size > 0:
            size -= 1
            i = waiting[size]
            x = i % width
            used += 1
            for side in range(4):
                near = i - width if side == 0 else i - 1 if side == 1 else i + 1 if side == 2 else i + width
                if (
                    near >= 0
                    and near < width * height
                    and (side != 1 or x > 0)
                    and (side != 2 or x + 1 < width)
                    and cells[near] == 0
                    and kinds[near] == kinds[i]
                ):
                    cells[near] = 1
                    waiting[size] = cython.cast(cython.int, near)
                    size += 1
    return used


def index_edges(
    pairs: cython.const[cython.int][:, ::1],
    numbers: cython.const[cython.int][::1],
    starts: cython.int[::1],
    targets: cython.int[::1],
) -> None:
    """The neighbours of each node, as rows of `targets` between `starts[node]` and `starts[node + 1]`. `numbers` are
    the nodes of the labels in `pairs`.
    """
    k: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    for k in range(starts.shape[0]):
        starts[k] = 0
    for k in range(pairs.shape[0]):
        starts[numbers[pairs[k, 0]]] += 1
        starts[numbers[pairs[k, 1]]] += 1
    # running sums: `starts[node]` is then the end of the node's row, and filling moves it to the beginning
    for k in range(1, starts.shape[0]):
        starts[k] += starts[k - 1]
    for k in range(pairs.shape[0]):
        a = numbers[pairs[k, 0]]
        b = numbers[pairs[k, 1]]
        starts[a] -= 1
        targets[starts[a]] = b
        starts[b] -= 1
        targets[starts[b]] = a


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


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def put(
    ring: cython.int[::1],
    waiting: cython.int[::1],
    after: cython.int[::1],
    entry: cython.int,
    place: cython.int,
    far: cython.longlong,
) -> cython.void:
    """Put a place into the bucket of its distance: `ring` has the first entry of each, `after` the one behind each.

    The ring is longer than the longest edge, so that a bucket never holds two distances.
    """
    bucket: cython.Py_ssize_t = far & (ring.shape[0] - 1)
    waiting[entry] = place
    after[entry] = ring[bucket]
    ring[bucket] = entry


def strip_trees(
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    degree: cython.int[::1],
    height: cython.longlong[::1],
    parent: cython.int[::1],
    order: cython.int[::1],
) -> cython.longlong:
    """Remove leaves until none is left: the trees that hang on the rest. Returns the length, doubled, of the longest
    path inside such a tree.

    `height` becomes the longest path down from a node, doubled, the weight of its far end included once; `parent` the
    node it hangs on (0: it hangs on none); `order` the removed nodes, first to last, ended by 0; `degree` the number of
    a node's remaining edges, -1 if it was removed.
    """
    nodes: cython.Py_ssize_t = weights.shape[0] - 1
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    head: cython.Py_ssize_t = 0
    tail: cython.Py_ssize_t = 0
    node: cython.int
    near: cython.int
    length: cython.longlong
    best: cython.longlong = 0
    for k in range(1, nodes + 1):
        degree[k] = starts[k + 1] - starts[k]
        height[k] = weights[k]
        parent[k] = 0
        if 2 * height[k] > best:
            best = 2 * height[k]
        if degree[k] == 1:
            order[tail] = k
            tail += 1
    while head < tail:
        node = order[head]
        head += 1
        if degree[node] == 0:  # the last of a tree that hangs on nothing: it stays as a root
            continue
        for e in range(starts[node], starts[node + 1]):
            near = targets[e]
            if degree[near] > 0 and parent[near] == 0:
                length = weights[node] + weights[near] + height[node]
                if height[near] + length > best:
                    best = height[near] + length
                if length > height[near]:
                    height[near] = length
                parent[node] = near
                degree[node] = -1
                degree[near] -= 1
                if degree[near] == 1:
                    order[tail] = near
                    tail += 1
                break
    order[tail] = 0
    return best


def count_kept(degree: cython.const[cython.int][::1], sizes: cython.longlong[::1]) -> None:
    """How many nodes `strip_trees` kept, and how many edges between them."""
    k: cython.Py_ssize_t
    kept: cython.longlong = 0
    ends: cython.longlong = 0
    for k in range(1, degree.shape[0]):
        if degree[k] >= 0:
            kept += 1
            ends += degree[k]
    sizes[0] = kept
    sizes[1] = ends // 2


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def follow_chain(
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    degree: cython.const[cython.int][::1],
    slot: cython.int[::1],
    inner: cython.int[::1],
    along: cython.longlong[::1],
    ends: cython.longlong[:, ::1],
    chain: cython.Py_ssize_t,
    filled: cython.Py_ssize_t,
    begin: cython.int,
    node: cython.int,
) -> cython.Py_ssize_t:
    """Follow a chain from a fork to the next, and note its inner nodes with their distances. Returns how many inner
    nodes there are so far.
    """
    last: cython.int = begin
    other: cython.int
    near: cython.int
    e: cython.Py_ssize_t
    length: cython.longlong = weights[begin] + weights[node]
    while slot[node] == 0:
        inner[filled] = node
        along[filled] = length
        filled += 1
        slot[node] = -filled
        other = last  # back along the same edge, if both edges lead there
        for e in range(starts[node], starts[node + 1]):
            near = targets[e]
            if degree[near] > 0 and near != last:
                other = near
                break
        length += weights[node] + weights[other]
        last = node
        node = other
    ends[chain, 0] = slot[begin] - 1
    ends[chain, 1] = slot[node] - 1
    ends[chain, 2] = length
    ends[chain, 3] = filled
    return filled


def split_into_chains(
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    degree: cython.const[cython.int][::1],
    slot: cython.int[::1],
    forks: cython.int[::1],
    inner: cython.int[::1],
    along: cython.longlong[::1],
    ends: cython.longlong[:, ::1],
    sizes: cython.longlong[::1],
) -> None:
    """Split what is left without the trees into forks, and chains of nodes with two edges between them. A ring without
    a fork gets its first node as one.

    `slot` becomes fork number + 1, or -(inner number + 1), or 0 for a removed node. `ends` rows are: fork at the
    beginning, fork at the end, length, end of its inner nodes. `sizes` becomes [forks, inner nodes, chains].
    """
    nodes: cython.Py_ssize_t = weights.shape[0] - 1
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    near: cython.int
    fork: cython.Py_ssize_t = 0
    filled: cython.Py_ssize_t = 0
    chain: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t
    for k in range(1, nodes + 1):
        slot[k] = 0
        if degree[k] == 0 or degree[k] > 2:
            forks[fork] = k
            fork += 1
            slot[k] = fork
    count = fork
    for fork in range(count):
        k = forks[fork]
        for e in range(starts[k], starts[k + 1]):
            near = targets[e]
            if degree[near] > 0 and (slot[near] == 0 or (slot[near] > 0 and k < near)):
                filled = follow_chain(
                    starts, targets, weights, degree, slot, inner, along, ends, chain, filled, k, near
                )
                chain += 1
    for k in range(1, nodes + 1):
        if slot[k] == 0 and degree[k] == 2:
            forks[count] = k
            count += 1
            slot[k] = count
            for e in range(starts[k], starts[k + 1]):
                near = targets[e]
                if degree[near] > 0 and slot[near] == 0:
                    filled = follow_chain(
                        starts, targets, weights, degree, slot, inner, along, ends, chain, filled, k, near
                    )
                    chain += 1
    sizes[0] = count
    sizes[1] = filled
    sizes[2] = chain


def index_chains(
    ends: cython.const[cython.longlong][:, ::1],
    first: cython.int[::1],
    across: cython.int[::1],
    lengths: cython.longlong[::1],
    chain_of: cython.int[::1],
) -> None:
    """The chains at each fork: the forks at their other ends, `across[first[fork]:first[fork + 1]]`, and their lengths;
    and the chain of each inner node.
    """
    k: cython.Py_ssize_t
    fork: cython.Py_ssize_t
    for k in range(first.shape[0]):
        first[k] = 0
    for k in range(ends.shape[0]):
        first[ends[k, 0]] += 1
        first[ends[k, 1]] += 1
    for k in range(1, first.shape[0]):
        first[k] += first[k - 1]
    for k in range(ends.shape[0]):
        fork = ends[k, 0]
        first[fork] -= 1
        across[first[fork]] = ends[k, 1]
        lengths[first[fork]] = ends[k, 2]
        fork = ends[k, 1]
        first[fork] -= 1
        across[first[fork]] = ends[k, 0]
        lengths[first[fork]] = ends[k, 2]
        for fork in range(ends[k - 1, 3] if k > 0 else 0, ends[k, 3]):
            chain_of[fork] = k


def list_places(
    height: cython.const[cython.longlong][::1],
    nodes: cython.const[cython.int][::1],
    inner: cython.const[cython.int][::1],
    tall: cython.longlong[::1],
    open_places: cython.int[::1],
    forks: cython.Py_ssize_t,
) -> None:
    """The height of the tree on each place, and the numbers of all places. Places are the forks, whose nodes are
    `nodes`, then the inner nodes of chains.
    """
    k: cython.Py_ssize_t
    for k in range(tall.shape[0]):
        tall[k] = height[nodes[k]] if k < forks else height[inner[k - forks]]
        open_places[k] = cython.cast(cython.int, k)


def list_deepest(
    open_places: cython.const[cython.int][::1],
    forks: cython.const[cython.int][::1],
    inner: cython.const[cython.int][::1],
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    height: cython.const[cython.longlong][::1],
    waiting: cython.int[::1],
    found: cython.longlong[::1],
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The deepest nodes of the trees on some places, as node << 32 | place. Returns how many there are; `found` and
    `waiting` have room for all nodes.
    """
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    size: cython.Py_ssize_t
    total: cython.Py_ssize_t = 0
    place: cython.int
    node: cython.int
    near: cython.int
    for k in range(count):
        place = open_places[k]
        waiting[0] = forks[place] if place < forks.shape[0] else inner[place - forks.shape[0]]
        size = 1
        while size > 0:
            size -= 1
            node = waiting[size]
            if height[node] == weights[node]:
                found[total] = (cython.cast(cython.longlong, node) << 32) | place
                total += 1
                continue
            for e in range(starts[node], starts[node + 1]):
                near = targets[e]
                if parent[near] == node and weights[near] + weights[node] + height[near] == height[node]:
                    waiting[size] = near
                    size += 1
    return total


def measure_inside_trees(
    order: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    height: cython.const[cython.longlong][::1],
    first: cython.longlong[::1],
    second: cython.longlong[::1],
    above: cython.longlong[::1],
    own: cython.longlong[::1],
) -> None:
    """The longest path inside its own tree that begins at each node, doubled.

    `first` and `second` become the two longest paths down through different children, `above` the longest path that
    begins upwards.
    """
    nodes: cython.Py_ssize_t = weights.shape[0] - 1
    k: cython.Py_ssize_t
    node: cython.int
    up: cython.int
    length: cython.longlong
    beside: cython.longlong
    for k in range(1, nodes + 1):
        first[k] = 0
        second[k] = 0
        above[k] = 0
    k = 0
    while order[k]:
        node = order[k]
        up = parent[node]
        if up:
            length = height[node] + weights[node] + weights[up]
            if length > first[up]:
                second[up] = first[up]
                first[up] = length
            elif length > second[up]:
                second[up] = length
        k += 1
    while k > 0:  # from the roots down
        k -= 1
        node = order[k]
        up = parent[node]
        if up:
            beside = second[up] if height[node] + weights[node] + weights[up] == first[up] else first[up]
            if weights[up] > beside:
                beside = weights[up]
            if above[up] > beside:
                beside = above[up]
            above[node] = beside + weights[node] + weights[up]
    for k in range(1, nodes + 1):
        own[k] = weights[k] + (height[k] if height[k] > above[k] else above[k])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def distance_to(
    place: cython.Py_ssize_t,
    source: cython.Py_ssize_t,
    ends: cython.const[cython.longlong][:, ::1],
    along: cython.const[cython.longlong][::1],
    chain_of: cython.const[cython.int][::1],
    dist: cython.const[cython.longlong][::1],
) -> cython.longlong:
    """The distance of a place once the forks have theirs; -1 if it was not reached."""
    forks: cython.Py_ssize_t = dist.shape[0]
    inner: cython.Py_ssize_t = place - forks
    chain: cython.Py_ssize_t
    away: cython.longlong
    back: cython.longlong
    if inner < 0:
        return dist[place]
    chain = chain_of[inner]
    if dist[ends[chain, 0]] < 0:
        return -1
    away = dist[ends[chain, 0]] + along[inner]
    back = dist[ends[chain, 1]] + ends[chain, 2] - along[inner]
    if back < away:
        away = back
    if source >= forks and chain_of[source - forks] == chain:
        back = along[inner] - along[source - forks]
        if back < 0:
            back = -back
        if back < away:
            away = back
    return away


def find_longest_path(
    state: cython.longlong[::1],
    ends: cython.const[cython.longlong][:, ::1],
    first: cython.const[cython.int][::1],
    across: cython.const[cython.int][::1],
    lengths: cython.const[cython.longlong][::1],
    along: cython.const[cython.longlong][::1],
    chain_of: cython.const[cython.int][::1],
    tall: cython.const[cython.longlong][::1],
    dist: cython.longlong[::1],
    low: cython.longlong[::1],
    high: cython.longlong[::1],
    open_places: cython.int[::1],
    heap: cython.ulonglong[::1],
    ring: cython.int[::1],
    waiting: cython.int[::1],
    after: cython.int[::1],
    candidates: cython.const[cython.longlong][::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """The longest of all shortest paths between different trees, by bounds instead of a search from every node. Exact.

    A search from one place bounds the reach of all others from above and below (Takes and Kosters 2011). A place whose
    upper bound is less than the best length known is closed: it neither begins nor ends a path that is as long, so
    it is not looked at again, and bounds count paths to open places only. Places are the forks, then the inner nodes of
    chains; `tall` is the height of the tree on each. Only forks go through the heap.

    Forks wait in the heap, or with a `ring` in its buckets (Dial 1969), which search a large graph in two thirds of
    the time: see `put`.

    `state`: [searching, place searched from, size of the heap, best length, mode, searches, next candidate, start, open
    places, distance of the bucket, entries of buckets]. Mode 0 searches once in each part of the graph, mode 1 until
    the best length is known, mode 2 waits. Mode 3 searches from one of the `candidates` after the other (rows of
    `list_deepest`, sorted) until one reaches as far; the start becomes its node, or 0 if none does. Mode 4 is the end.
    `low` begins as 0, `high` as INFINITE_DISTANCE, `open_places` as all places.
    """
    forks: cython.Py_ssize_t = dist.shape[0]
    used: cython.longlong = 0
    source: cython.Py_ssize_t
    place: cython.Py_ssize_t
    farthest: cython.Py_ssize_t
    fork: cython.int
    other: cython.Py_ssize_t
    chain: cython.Py_ssize_t
    k: cython.Py_ssize_t
    e: cython.Py_ssize_t
    size: cython.Py_ssize_t
    still_open: cython.Py_ssize_t
    item: cython.ulonglong
    far: cython.longlong
    away: cython.longlong
    at: cython.longlong
    reach: cython.longlong
    bound: cython.longlong
    best: cython.longlong
    value: cython.longlong
    entry: cython.int
    taken: cython.int
    while state[4] != 2 and state[4] != 4 and used < fuel:
        if state[0] == 0:
            best = state[3]
            source = -1
            if state[4] == 0:
                k = 0
                while k < state[8] and high[open_places[k]] < INFINITE_DISTANCE:
                    k += 1
                used += k
                if k < state[8]:
                    source = open_places[k]
                else:
                    state[4] = 1
            # where to search next: in turns the place that may reach farthest, and the most central one
            if state[4] == 1:
                value = -1
                for k in range(state[8]):
                    place = open_places[k]
                    if high[place] > best:
                        if state[5] & 1:
                            if source < 0 or low[place] < value:
                                value = low[place]
                                source = place
                        elif high[place] > value:
                            value = high[place]
                            source = place
                used += state[8]
                if source < 0:
                    state[4] = 2
                    break
            if state[4] == 3:
                k = state[6]
                while k < candidates.shape[0] and high[candidates[k] & LOW_PLACE] < best:
                    k += 1
                if k < candidates.shape[0] and state[1] != candidates[k] & LOW_PLACE:
                    source = candidates[k] & LOW_PLACE
                    state[6] = k
                else:
                    state[7] = candidates[k] >> 32 if k < candidates.shape[0] else 0
                    state[4] = 4
                    break
            state[0] = 1
            state[1] = source
            state[5] += 1
            state[9] = 0
            state[10] = 0
            for fork in range(forks):
                dist[fork] = -1
            if source < forks:
                dist[source] = 0
                heap[0] = source
                state[2] = 1
                if ring.shape[0]:
                    state[10] = 1
                    put(ring, waiting, after, 1, cython.cast(cython.int, source), 0)
            else:
                chain = chain_of[source - forks]
                at = along[source - forks]
                fork = cython.cast(cython.int, ends[chain, 0])
                dist[fork] = at
                heap[0] = (cython.cast(cython.ulonglong, at) << 32) | cython.cast(cython.ulonglong, fork)
                state[2] = 1
                if ring.shape[0]:
                    state[10] = 1
                    put(ring, waiting, after, 1, fork, at)
                fork = cython.cast(cython.int, ends[chain, 1])
                at = ends[chain, 2] - at
                if dist[fork] < 0 or at < dist[fork]:
                    dist[fork] = at
                    state[2] = 2
                    if ring.shape[0]:
                        state[10] = 2
                        put(ring, waiting, after, 2, fork, at)
                    else:
                        push(heap, 1, (cython.cast(cython.ulonglong, at) << 32) | cython.cast(cython.ulonglong, fork))
        source = state[1]
        size = state[2]
        if ring.shape[0]:
            far = state[9]
            entry = cython.cast(cython.int, state[10])
            while size > 0 and used < fuel:
                taken = ring[far & (ring.shape[0] - 1)]
                if taken == 0:
                    far += 1
                    continue
                ring[far & (ring.shape[0] - 1)] = after[taken]
                fork = waiting[taken]
                size -= 1
                used += 1
                if far != dist[fork]:
                    continue
                for e in range(first[fork], first[fork + 1]):
                    other = across[e]
                    bound = far + lengths[e]
                    if dist[other] < 0 or bound < dist[other]:
                        dist[other] = bound
                        entry += 1
                        size += 1
                        put(ring, waiting, after, entry, cython.cast(cython.int, other), bound)
            state[9] = far
            state[10] = entry
        while size > 0 and used < fuel:
            item = pop(heap, size)
            size -= 1
            fork = cython.cast(cython.int, item & LOW_WORD)
            far = cython.cast(cython.longlong, item >> 32)
            used += 1
            if far != dist[fork]:
                continue
            for e in range(first[fork], first[fork + 1]):
                other = across[e]
                bound = far + lengths[e]
                if dist[other] < 0 or bound < dist[other]:
                    dist[other] = bound
                    push(
                        heap, size, (cython.cast(cython.ulonglong, bound) << 32) | cython.cast(cython.ulonglong, other)
                    )
                    size += 1
        state[2] = size
        if size > 0:
            break
        # twice over all open places reached: first the farthest, then the bounds that follow
        reach = 0
        farthest = -1
        for k in range(state[8]):
            place = open_places[k]
            away = distance_to(place, source, ends, along, chain_of, dist)
            if away >= 0 and place != source and away + tall[place] + tall[source] > reach:
                reach = away + tall[place] + tall[source]
                farthest = place
        if reach > state[3]:
            state[3] = reach
        best = state[3]
        still_open = 0
        for k in range(state[8]):
            place = open_places[k]
            away = distance_to(place, source, ends, along, chain_of, dist)
            if away >= 0:
                value = away + tall[place] + tall[source]
                bound = away + tall[place] - tall[source] + reach
                if place == source:
                    value = bound = reach
                if value > bound:
                    bound = value
                if bound < best:
                    bound = best - 1  # what it reaches among closed places
                if bound < high[place]:
                    high[place] = bound
                bound = reach - away + tall[place] - tall[source]
                if place != farthest and place != source and bound > value:
                    value = bound
                if value > low[place]:
                    low[place] = value
                if high[place] < best:
                    continue
            open_places[still_open] = cython.cast(cython.int, place)
            still_open += 1
        used += 2 * state[8]
        state[8] = still_open
        state[0] = 0
    return used


def trace_path_between_trees(
    state: cython.const[cython.longlong][::1],
    candidates: cython.const[cython.longlong][::1],
    ends: cython.const[cython.longlong][:, ::1],
    along: cython.const[cython.longlong][::1],
    chain_of: cython.const[cython.int][::1],
    tall: cython.const[cython.longlong][::1],
    dist: cython.const[cython.longlong][::1],
    slot: cython.const[cython.int][::1],
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    way: cython.int[::1],
) -> cython.Py_ssize_t:
    """The nodes of the longest path after `find_longest_path`, from the first of its ends back to the start, each time
    through the smallest number. Returns how many.
    """
    forks: cython.Py_ssize_t = dist.shape[0]
    source: cython.Py_ssize_t = state[1]
    place: cython.Py_ssize_t
    k: cython.Py_ssize_t = 0
    e: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    up: cython.Py_ssize_t
    node: cython.int
    near: cython.int
    pick: cython.int
    far: cython.longlong
    away: cython.longlong
    while True:  # there is an end: the best length was found from this start
        place = candidates[k] & LOW_PLACE
        far = distance_to(place, source, ends, along, chain_of, dist)
        if place != source and far >= 0 and far + tall[place] + tall[source] == state[3]:
            break
        k += 1
    node = cython.cast(cython.int, candidates[k] >> 32)
    way[0] = node
    count = 1
    while slot[node] == 0:  # out of its tree
        node = parent[node]
        way[count] = node
        count += 1
    while far > 0:
        pick = 0
        for e in range(starts[node], starts[node + 1]):
            near = targets[e]
            if slot[near] == 0 or (pick and near >= pick):
                continue
            place = slot[near] - 1 if slot[near] > 0 else forks - slot[near] - 1
            away = distance_to(place, source, ends, along, chain_of, dist)
            if away >= 0 and away + weights[near] + weights[node] == far:
                pick = near
        far -= weights[pick] + weights[node]
        node = pick
        way[count] = node
        count += 1
    # into the tree of the start: first how deep, then the nodes
    up = 0
    near = cython.cast(cython.int, state[7])
    while near != node:
        near = parent[near]
        up += 1
    near = cython.cast(cython.int, state[7])
    for k in range(up):
        way[count + up - 1 - k] = near
        near = parent[near]
    return count + up


def measure_distances(
    state: cython.longlong[::1],
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    dist: cython.longlong[::1],
    heap: cython.ulonglong[::1],
    ring: cython.int[::1],
    waiting: cython.int[::1],
    after: cython.int[::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """Shortest paths from one node to all others: Dijkstra, an edge costs the weights of both its ends.

    `dist` begins as -1 and 0 at the start, `heap[0]` is the start, `state` is [size of the heap, distance of the
    bucket, entries of buckets].

    With a `ring`, nodes wait in its buckets instead of the heap, and begin with the start as entry 1: see `put`.
    """
    used: cython.longlong = 0
    size: cython.Py_ssize_t = state[0]
    item: cython.ulonglong
    node: cython.int
    near: cython.int
    far: cython.longlong
    bound: cython.longlong
    e: cython.Py_ssize_t
    entry: cython.int = cython.cast(cython.int, state[2])
    taken: cython.int
    if ring.shape[0]:
        far = state[1]
        while size > 0 and used < fuel:
            taken = ring[far & (ring.shape[0] - 1)]
            if taken == 0:
                far += 1
                continue
            ring[far & (ring.shape[0] - 1)] = after[taken]
            node = waiting[taken]
            size -= 1
            used += 1
            if far != dist[node]:
                continue
            for e in range(starts[node], starts[node + 1]):
                near = targets[e]
                bound = far + weights[node] + weights[near]
                if dist[near] < 0 or bound < dist[near]:
                    dist[near] = bound
                    entry += 1
                    size += 1
                    put(ring, waiting, after, entry, near, bound)
        state[1] = far
        state[2] = entry
    while size > 0 and used < fuel:
        item = pop(heap, size)
        size -= 1
        node = cython.cast(cython.int, item & LOW_WORD)
        far = cython.cast(cython.longlong, item >> 32)
        used += 1
        if far != dist[node]:
            continue
        for e in range(starts[node], starts[node + 1]):
            near = targets[e]
            bound = far + weights[node] + weights[near]
            if dist[near] < 0 or bound < dist[near]:
                dist[near] = bound
                push(heap, size, (cython.cast(cython.ulonglong, bound) << 32) | cython.cast(cython.ulonglong, near))
                size += 1
    state[0] = size
    return used


def find_end(
    dist: cython.const[cython.longlong][::1], weights: cython.const[cython.int][::1], least: cython.longlong
) -> cython.Py_ssize_t:
    """The first node at the end of a path of that length; 0 if there is none."""
    k: cython.Py_ssize_t
    for k in range(dist.shape[0]):
        if dist[k] >= 0 and dist[k] + weights[k] == least:
            return k
    return 0


def trace_path_back(
    starts: cython.const[cython.int][::1],
    targets: cython.const[cython.int][::1],
    weights: cython.const[cython.int][::1],
    dist: cython.const[cython.longlong][::1],
    way: cython.int[::1],
    end: cython.int,
) -> cython.Py_ssize_t:
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
            if (
                dist[near] >= 0
                and dist[near] + weights[near] + weights[node] == dist[node]
                and (pick == 0 or near < pick)
            ):
                pick = near
        node = pick
        way[count] = node
        count += 1
    return count
