# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The left-right planarity test: whether a graph can be drawn without crossings, and in which order its edges then lie
round each node.

A depth-first search directs every edge: tree edges away from the root, all others back to an ancestor. A tree edge
passes the returning edges below it on its left or on its right. Two returning edges that would cross on the same side
must lie on different ones; the stack of pairs holds which still can. If some edges can lie on neither side, the graph
is not planar. The sides, once known, give the order. After U. Brandes, The left-right planarity test (2009).

Edges are numbers; edge e has two halves, 2 e at its first end and 2 e + 1 at its second. All tables are whole numbers,
-1 for none.
"""

from __future__ import annotations

import cython

LOW = cython.declare(cython.int, 0)  # the height of the lowest node that is reached through the edge
LOW2 = cython.declare(cython.int, 1)  # the second lowest
NEST = cython.declare(cython.int, 2)  # the order of edges at a node: from inside to outside
REF = cython.declare(cython.int, 3)  # the edge to whose side this one's is relative
SIDE = cython.declare(cython.int, 4)  # 1 right, -1 left
LOW_EDGE = cython.declare(cython.int, 5)  # the returning edge that reaches the lowest node
BOTTOM = cython.declare(cython.int, 6)  # how many pairs were on the stack before the edge
TAIL = cython.declare(cython.int, 7)
HEAD = cython.declare(cython.int, 8)
BEGUN = cython.declare(cython.int, 9)  # whether the search has gone down this edge
EDGE_ROWS = 10

HEIGHT = cython.declare(cython.int, 0)  # steps from the root
PARENT = cython.declare(cython.int, 1)  # the tree edge that leads to the node
AT = cython.declare(cython.int, 2)  # the place in the list of its edges
LEFT = cython.declare(cython.int, 3)
RIGHT = cython.declare(cython.int, 4)  # between which halves returning edges are put
NODE_ROWS = 5

LEFT_LOW = cython.declare(cython.int, 0)
LEFT_HIGH = cython.declare(cython.int, 1)
RIGHT_LOW = cython.declare(cython.int, 2)
RIGHT_HIGH = cython.declare(cython.int, 3)
PAIR_ROWS = 4


def find_planar_order(
    ends: cython.const[cython.int][:, ::1],
    first: cython.const[cython.int][::1],
    near: cython.const[cython.int][::1],
    edge: cython.int[:, ::1],
    node: cython.int[:, ::1],
    pair: cython.int[:, ::1],
    lists: cython.int[:, ::1],
    counts: cython.int[::1],
    order: cython.int[:, ::1],
    heads: cython.int[::1],
) -> cython.int:
    """1 if the graph is planar, else 0. `ends` are the two nodes of each edge, no two edges alike and none a loop;
    `near[first[v]]` to `near[first[v + 1] - 1]` are the edges at node v.

    If it is planar, `order[0, h]` is the half edge that follows half h clockwise round its node, `order[1, h]` the one
    before, and `heads[v]` a half at node v, or -1. `lists` has two rows of as many columns as there are edges or nodes,
    and one more; `counts` has 4 nodes + 8. Everything else is scratch.

    Cost: linear in nodes and edges.
    """
    nodes: cython.Py_ssize_t = first.shape[0] - 1
    edges: cython.Py_ssize_t = near.shape[0] // 2
    k: cython.Py_ssize_t
    for k in range(edges):
        edge[REF, k] = -1
        edge[SIDE, k] = 1
        edge[LOW_EDGE, k] = -1
        edge[BOTTOM, k] = 0
        edge[TAIL, k] = -1
        edge[BEGUN, k] = 0
    for k in range(nodes):
        node[HEIGHT, k] = -1
        node[PARENT, k] = -1
        heads[k] = -1
    direct_edges(nodes, ends, first, near, edge, node, lists)
    sort_edges(nodes, edges, edge, lists, counts)
    if test_sides(nodes, edge, node, pair, lists, counts) == 0:
        return 0
    resolve_sides(edges, edge, pair)
    sort_edges(nodes, edges, edge, lists, counts)
    put_in_order(nodes, ends, edge, node, pair, lists, counts, order, heads)
    return 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def direct_edges(
    nodes: cython.Py_ssize_t,
    ends: cython.const[cython.int][:, ::1],
    first: cython.const[cython.int][::1],
    near: cython.const[cython.int][::1],
    edge: cython.int[:, ::1],
    node: cython.int[:, ::1],
    lists: cython.int[:, ::1],
) -> cython.int:
    """Direct every edge by a depth-first search, and find how low it reaches. `lists[0]` is the stack of nodes."""
    root: cython.Py_ssize_t
    top: cython.Py_ssize_t
    v: cython.int
    w: cython.int
    x: cython.int
    up: cython.int
    for root in range(nodes):
        node[AT, root] = first[root]
    for root in range(nodes):
        if node[HEIGHT, root] >= 0:
            continue
        node[HEIGHT, root] = 0
        lists[0, 0] = root
        top = 0
        while top >= 0:
            v = lists[0, top]
            up = node[PARENT, v]
            if node[AT, v] == first[v + 1]:
                top -= 1
                continue
            x = near[node[AT, v]]
            if edge[TAIL, x] < 0:
                w = ends[0, x] + ends[1, x] - v
                edge[TAIL, x] = v
                edge[HEAD, x] = w
                edge[LOW, x] = node[HEIGHT, v]
                edge[LOW2, x] = node[HEIGHT, v]
                if node[HEIGHT, w] < 0:
                    node[PARENT, w] = x
                    node[HEIGHT, w] = node[HEIGHT, v] + 1
                    top += 1
                    lists[0, top] = w
                    continue  # the edge is finished when the search is back
                edge[LOW, x] = node[HEIGHT, w]
            elif edge[TAIL, x] != v:
                node[AT, v] += 1
                continue
            edge[NEST, x] = 2 * edge[LOW, x]
            if edge[LOW2, x] < node[HEIGHT, v]:
                edge[NEST, x] += 1  # it has to go round another returning edge
            if up >= 0:
                if edge[LOW, x] < edge[LOW, up]:
                    edge[LOW2, up] = min(edge[LOW, up], edge[LOW2, x])
                    edge[LOW, up] = edge[LOW, x]
                elif edge[LOW, x] > edge[LOW, up]:
                    edge[LOW2, up] = min(edge[LOW2, up], edge[LOW, x])
                else:
                    edge[LOW2, up] = min(edge[LOW2, up], edge[LOW2, x])
            node[AT, v] += 1
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def sort_edges(
    nodes: cython.Py_ssize_t,
    edges: cython.Py_ssize_t,
    edge: cython.int[:, ::1],
    lists: cython.int[:, ::1],
    counts: cython.int[::1],
) -> cython.int:
    """Put the edges that leave each node into `lists[1]`, by their nesting. `counts[v]` becomes where those of node v
    begin.
    """
    k: cython.Py_ssize_t
    x: cython.int
    span: cython.Py_ssize_t = 4 * nodes + 7
    middle: cython.int = 2 * nodes + 2
    total: cython.int = 0
    here: cython.int
    for k in range(span + 1):
        counts[k] = 0
    for k in range(edges):
        counts[edge[NEST, k] + middle] += 1
    for k in range(span + 1):
        here = counts[k]
        counts[k] = total
        total += here
    for k in range(edges):
        here = edge[NEST, k] + middle
        lists[0, counts[here]] = k
        counts[here] += 1
    for k in range(nodes + 1):
        counts[k] = 0
    for k in range(edges):
        counts[edge[TAIL, k]] += 1
    total = 0
    for k in range(nodes + 1):
        here = counts[k]
        counts[k] = total
        total += here
    for k in range(edges):
        x = lists[0, k]
        lists[1, counts[edge[TAIL, x]]] = x
        counts[edge[TAIL, x]] += 1
    for k in range(nodes, 0, -1):
        counts[k] = counts[k - 1]
    counts[0] = 0
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def test_sides(
    nodes: cython.Py_ssize_t,
    edge: cython.int[:, ::1],
    node: cython.int[:, ::1],
    pair: cython.int[:, ::1],
    lists: cython.int[:, ::1],
    counts: cython.int[::1],
) -> cython.int:
    """Whether every returning edge finds a side. `lists[0]` is the stack of nodes, `pair` that of pairs."""
    root: cython.Py_ssize_t
    top: cython.Py_ssize_t
    pairs: cython.int = 0
    v: cython.int
    w: cython.int
    x: cython.int
    up: cython.int
    is_down: cython.bint
    for root in range(nodes):
        node[AT, root] = counts[root]
    for root in range(nodes):
        if node[HEIGHT, root] != 0:
            continue
        lists[0, 0] = root
        top = 0
        pairs = 0
        while top >= 0:
            v = lists[0, top]
            up = node[PARENT, v]
            is_down = False
            while node[AT, v] < counts[v + 1]:
                x = lists[1, node[AT, v]]
                w = edge[HEAD, x]
                if edge[BEGUN, x] == 0:
                    edge[BEGUN, x] = 1
                    edge[BOTTOM, x] = pairs
                    if node[PARENT, w] == x:
                        top += 1
                        lists[0, top] = w
                        is_down = True
                        break
                    edge[LOW_EDGE, x] = x
                    pair[LEFT_LOW, pairs] = -1
                    pair[LEFT_HIGH, pairs] = -1
                    pair[RIGHT_LOW, pairs] = x
                    pair[RIGHT_HIGH, pairs] = x
                    pairs += 1
                if edge[LOW, x] < node[HEIGHT, v]:
                    if node[AT, v] == counts[v]:
                        edge[LOW_EDGE, up] = edge[LOW_EDGE, x]
                    else:
                        pairs = add_constraints(x, up, pairs, edge, pair)
                        if pairs < 0:
                            return 0
                node[AT, v] += 1
            if is_down:
                continue
            if up >= 0:
                pairs = drop_returned_edges(up, pairs, edge, node, pair)
            top -= 1
    return 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def add_constraints(
    x: cython.int, up: cython.int, pairs: cython.int, edge: cython.int[:, ::1], pair: cython.int[:, ::1]
) -> cython.int:
    """Put the returning edges of x on one side, and those of edges before it that they would cross on the other.
    Returns the number of pairs then, or -1 if there is no such side.
    """
    left_low: cython.int = -1
    left_high: cython.int = -1
    right_low: cython.int = -1
    right_high: cython.int = -1
    while True:  # all returning edges of x go to the right of the new pair
        pairs -= 1
        if pair[LEFT_LOW, pairs] >= 0:
            swap_sides(pairs, pair)
        if pair[LEFT_LOW, pairs] >= 0:
            return -1
        if edge[LOW, pair[RIGHT_LOW, pairs]] > edge[LOW, up]:
            if right_low < 0:
                right_high = pair[RIGHT_HIGH, pairs]
            else:
                edge[REF, right_low] = pair[RIGHT_HIGH, pairs]
            right_low = pair[RIGHT_LOW, pairs]
        else:  # it ends where the lowest edge of the parent ends, and lies beside it
            edge[REF, pair[RIGHT_LOW, pairs]] = edge[LOW_EDGE, up]
        if pairs == edge[BOTTOM, x]:
            break
    while pairs > 0 and (
        is_conflicting(pair[LEFT_HIGH, pairs - 1], x, edge) or is_conflicting(pair[RIGHT_HIGH, pairs - 1], x, edge)
    ):
        pairs -= 1
        if is_conflicting(pair[RIGHT_HIGH, pairs], x, edge):
            swap_sides(pairs, pair)
        if is_conflicting(pair[RIGHT_HIGH, pairs], x, edge):
            return -1
        if right_low >= 0:
            edge[REF, right_low] = pair[RIGHT_HIGH, pairs]
        if pair[RIGHT_LOW, pairs] >= 0:
            right_low = pair[RIGHT_LOW, pairs]
            if right_high < 0:
                right_high = pair[RIGHT_HIGH, pairs]
        if left_low < 0:
            left_high = pair[LEFT_HIGH, pairs]
        else:
            edge[REF, left_low] = pair[LEFT_HIGH, pairs]
        left_low = pair[LEFT_LOW, pairs]
    if left_low >= 0 or right_low >= 0:
        pair[LEFT_LOW, pairs] = left_low
        pair[LEFT_HIGH, pairs] = left_high
        pair[RIGHT_LOW, pairs] = right_low
        pair[RIGHT_HIGH, pairs] = right_high
        pairs += 1
    return pairs


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_conflicting(high: cython.int, x: cython.int, edge: cython.int[:, ::1]) -> cython.bint:
    """Whether edges up to `high` would cross those of x on the same side."""
    return high >= 0 and edge[LOW, high] > edge[LOW, x]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def swap_sides(at: cython.int, pair: cython.int[:, ::1]) -> cython.int:
    """Exchange left and right of a pair."""
    row: cython.int
    held: cython.int
    for row in range(2):
        held = pair[row, at]
        pair[row, at] = pair[row + 2, at]
        pair[row + 2, at] = held
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def lowest_of(at: cython.int, edge: cython.int[:, ::1], pair: cython.int[:, ::1]) -> cython.int:
    """The lowest height that the edges of a pair reach."""
    if pair[LEFT_LOW, at] < 0:
        return edge[LOW, pair[RIGHT_LOW, at]]
    if pair[RIGHT_LOW, at] < 0:
        return edge[LOW, pair[LEFT_LOW, at]]
    return min(edge[LOW, pair[LEFT_LOW, at]], edge[LOW, pair[RIGHT_LOW, at]])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def drop_returned_edges(
    up: cython.int,
    pairs: cython.int,
    edge: cython.int[:, ::1],
    node: cython.int[:, ::1],
    pair: cython.int[:, ::1],
) -> cython.int:
    """Take the edges off the stack that return to the node from which the tree edge `up` comes. Returns the number of
    pairs then.
    """
    u: cython.int = edge[TAIL, up]
    last: cython.int
    low: cython.int
    high: cython.int
    side: cython.int
    while pairs > 0 and lowest_of(pairs - 1, edge, pair) == node[HEIGHT, u]:
        pairs -= 1
        if pair[LEFT_LOW, pairs] >= 0:
            edge[SIDE, pair[LEFT_LOW, pairs]] = -1
    if pairs > 0:
        last = pairs - 1
        for side in range(0, 4, 2):  # left, then right
            high = pair[side + 1, last]
            while high >= 0 and edge[HEAD, high] == u:
                high = edge[REF, high]
            pair[side + 1, last] = high
            low = pair[side, last]
            if high < 0 and low >= 0:
                edge[REF, low] = pair[2 - side, last]
                edge[SIDE, low] = -1
                pair[side, last] = -1
    if edge[LOW, up] < node[HEIGHT, u]:  # its side is that of its highest returning edge
        last = pairs - 1
        low = pair[LEFT_HIGH, last]
        high = pair[RIGHT_HIGH, last]
        if low >= 0 and (high < 0 or edge[LOW, low] > edge[LOW, high]):
            edge[REF, up] = low
        else:
            edge[REF, up] = high
    return pairs


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def resolve_sides(edges: cython.Py_ssize_t, edge: cython.int[:, ::1], pair: cython.int[:, ::1]) -> cython.int:
    """Turn sides that are relative to other edges into left and right, and the nesting with them. `pair[0]` is a
    stack.
    """
    k: cython.Py_ssize_t
    top: cython.Py_ssize_t
    x: cython.int
    other: cython.int
    for k in range(edges):
        pair[0, 0] = k
        top = 0
        while top >= 0:
            x = pair[0, top]
            other = edge[REF, x]
            if other >= 0 and edge[REF, other] >= 0:
                top += 1
                pair[0, top] = other
                continue
            if other >= 0:
                edge[SIDE, x] *= edge[SIDE, other]
                edge[REF, x] = -1
            top -= 1
    for k in range(edges):
        edge[NEST, k] *= edge[SIDE, k]
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def put_after(half: cython.int, other: cython.int, order: cython.int[:, ::1]) -> cython.int:
    """Put a half edge after another, clockwise."""
    following: cython.int = order[0, other]
    order[0, other] = half
    order[1, half] = other
    order[0, half] = following
    order[1, following] = half
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def put_before(
    v: cython.int, half: cython.int, other: cython.int, order: cython.int[:, ::1], heads: cython.int[::1]
) -> cython.int:
    """Put a half edge before another at node v; before its first, it is the first."""
    put_after(half, order[1, other], order)
    if heads[v] == other:
        heads[v] = half
    return 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def put_in_order(
    nodes: cython.Py_ssize_t,
    ends: cython.const[cython.int][:, ::1],
    edge: cython.int[:, ::1],
    node: cython.int[:, ::1],
    pair: cython.int[:, ::1],
    lists: cython.int[:, ::1],
    counts: cython.int[::1],
    order: cython.int[:, ::1],
    heads: cython.int[::1],
) -> cython.int:
    """Put the halves of all edges in their order: first those that leave a node, then those that arrive."""
    root: cython.Py_ssize_t
    top: cython.Py_ssize_t
    k: cython.int
    v: cython.int
    w: cython.int
    x: cython.int
    half: cython.int
    before: cython.int
    is_down: cython.bint
    for root in range(nodes):
        before = -1
        for k in range(counts[root], counts[root + 1]):
            x = lists[1, k]
            half = 2 * x + (ends[1, x] == root)
            if before < 0:
                order[0, half] = half
                order[1, half] = half
                heads[root] = half
            else:
                put_after(half, before, order)
            before = half
        node[AT, root] = counts[root]
    for root in range(nodes):
        if node[HEIGHT, root] != 0:
            continue
        pair[0, 0] = root
        top = 0
        while top >= 0:
            v = pair[0, top]
            is_down = False
            while node[AT, v] < counts[v + 1]:
                x = lists[1, node[AT, v]]
                node[AT, v] += 1
                w = edge[HEAD, x]
                half = 2 * x + (ends[1, x] == w)
                if node[PARENT, w] == x:
                    if heads[w] < 0:
                        order[0, half] = half
                        order[1, half] = half
                        heads[w] = half
                    else:
                        put_before(w, half, heads[w], order, heads)
                    node[LEFT, v] = 4 * x + 1 - half
                    node[RIGHT, v] = 4 * x + 1 - half
                    top += 1
                    pair[0, top] = w
                    is_down = True
                    break
                if edge[SIDE, x] == 1:
                    put_after(half, node[RIGHT, w], order)
                else:
                    put_before(w, half, node[LEFT, w], order, heads)
                    node[LEFT, w] = half
            if not is_down:
                top -= 1
    return 0
