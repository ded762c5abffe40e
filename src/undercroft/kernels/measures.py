# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Loops of the measures: parts of a graph, first cells of parts of a map, the nearest pair, and the diameter."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import join_roots, root
else:
    from undercroft.kernels._primitives import join_roots, root


def count_joins(
    a: cython.const[cython.int][::1], b: cython.const[cython.int][::1], parent: cython.int[::1]
) -> cython.longlong:
    """How many of the edges from a to b join two parts of a graph that were apart before. `parent` begins as 0, 1, 2,
    ...
    """
    edge: cython.Py_ssize_t
    one: cython.int
    other: cython.int
    found: cython.longlong = 0
    for edge in range(a.shape[0]):
        one = root(parent, a[edge])
        other = root(parent, b[edge])
        if one != other:
            join_roots(parent, one, other)
            found += 1
    return found


def find_first_cells(
    labels: cython.const[cython.int][::1],
    found: cython.longlong[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Look at cells `first` to `last` of a labelled map for the first cell of each label. [0] of `found` is how many
    labels are known; it begins as 0.

    Labels count up in the order of their first cells: a label higher than all before is new.
    """
    cell: cython.Py_ssize_t
    seen: cython.longlong = found[0]
    for cell in range(first, last):
        if labels[cell] > seen:
            seen += 1
            found[seen] = cell
    found[0] = seen
    return last - first


def measure_least_distance(points: cython.const[cython.int][:, ::1], least: cython.longlong) -> cython.longlong:
    """The least distance of two points, along rows and columns; `least` if none is less. The points are rows x, y,
    sorted by y, then x.
    """
    one: cython.Py_ssize_t
    other: cython.Py_ssize_t
    across: cython.longlong
    down: cython.longlong
    for one in range(points.shape[0]):
        for other in range(one + 1, points.shape[0]):
            down = points[other, 1] - points[one, 1]
            if down >= least:
                break
            across = points[other, 0] - points[one, 0]
            if across < 0:
                across = -across
            if across + down < least:
                least = across + down
    return least


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_halfway_cell(
    field: cython.const[cython.uchar][::1], cell: cython.Py_ssize_t, far: cython.longlong, stride: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The middle cell of the path back over the marks of the second search of `estimate_diameter`."""
    half: cython.longlong = far // 2
    want: cython.int
    while far > half:
        far -= 1
        want = 64 | ((far & 3) << 4)
        if (field[cell - stride] & 112) == want:
            cell -= stride
        elif (field[cell - 1] & 112) == want:
            cell -= 1
        elif (field[cell + 1] & 112) == want:
            cell += 1
        else:
            cell += stride
    return cell


def estimate_diameter(
    state: cython.longlong[::1],
    field: cython.uchar[::1],
    queue: cython.int[::1],
    parts: cython.const[cython.longlong][:, ::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """A lower bound of the longest shortest path on a map, from four searches in each part.

    From the first cell of a part to the farthest, from there to the farthest; from the middle of that path to the
    farthest, and again to the farthest (Crescenzi, Grossi, Habib, Lanzi and Marino 2013). `parts` are rows: first cell,
    and an upper bound of the length of its paths; greatest first.

    The field has a rim. An open cell is 79: four bits for searches that have not seen it, two for its distance in the
    second, and one more. `state` is [next of the queue, end of the queue, end of those at the present distance, present
    distance, part, search, cell to begin at, longest way, whether a search is under way, whether the queue is full].
    The queue is short, as in `reach.spread`.
    """
    head: cython.Py_ssize_t = state[0]
    tail: cython.Py_ssize_t = state[1]
    end: cython.Py_ssize_t = state[2]
    far: cython.longlong = state[3]
    part: cython.Py_ssize_t = state[4]
    search: cython.int = state[5]
    begin: cython.Py_ssize_t = state[6]
    best: cython.longlong = state[7]
    under_way: cython.bint = state[8] != 0
    size: cython.Py_ssize_t = queue.shape[0]
    used: cython.longlong = 0
    many: cython.Py_ssize_t
    k: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    clear: cython.int
    mark: cython.int
    up: cython.int
    left: cython.int
    right: cython.int
    down: cython.int
    state[9] = 0
    while used < fuel:
        if not under_way:
            if part == parts.shape[0] or parts[part, 1] <= best:
                break
            if search == 0:
                begin = parts[part, 0]
            field[begin] &= 255 - (1 << search)
            queue[0] = begin
            head = 0
            tail = 1
            end = 1
            far = 0
            under_way = True
        clear = 255 - (1 << search)
        while head < tail and used < fuel:
            if head == end:
                end = tail
                far += 1
            many = min(end - head, (size - tail) >> 2, fuel - used)
            if many == 0:
                if 2 * head < size:
                    state[9] = 1
                    break
                for k in range(head, tail):
                    queue[k - head] = queue[k]
                end -= head
                tail -= head
                head = 0
                continue
            used += many
            many += head
            mark = (far & 3) << 4 if search == 1 else 0
            while head < many:
                cell = queue[head]
                head += 1
                up = field[cell - stride]
                left = field[cell - 1]
                right = field[cell + 1]
                down = field[cell + stride]
                field[cell] |= mark
                field[cell - stride] = up & clear
                field[cell - 1] = left & clear
                field[cell + 1] = right & clear
                field[cell + stride] = down & clear
                up = (up >> search) & 1
                left = ((left >> search) & 1) + up
                right = ((right >> search) & 1) + left
                down = ((down >> search) & 1) + right
                queue[tail] = cell - stride
                queue[tail + up] = cell - 1
                queue[tail + left] = cell + 1
                queue[tail + right] = cell + stride
                tail += down
        if head < tail:
            break
        under_way = False
        begin = queue[tail - 1]
        if far > best:
            best = far
        if search == 1:
            begin = find_halfway_cell(field, begin, far, stride)
            used += far // 2
        search += 1
        if search == 4:
            search = 0
            part += 1
    state[0] = head
    state[1] = tail
    state[2] = end
    state[3] = far
    state[4] = part
    state[5] = search
    state[6] = begin
    state[7] = best
    state[8] = 1 if under_way else 0
    return used
