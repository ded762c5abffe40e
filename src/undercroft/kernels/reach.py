# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Labels, boxes, doors and distances. Long kernels are resumable: they take fuel, return the fuel used, and keep their
position in `state`.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import join, join_roots, root
else:
    from undercroft.kernels._primitives import join, join_roots, root


def label_components(
    state: cython.longlong[::1],
    kinds: cython.const[cython.uchar][::1],
    labels: cython.int[::1],
    parent: cython.int[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    eight: cython.bint,
    fuel: cython.longlong,
) -> cython.longlong:
    """Number the connected sets of cells of equal, non-zero kind: 1, 2, ... in reading order of their first cells.

    `state`: [row of the first pass, provisional labels, row of the second pass, labels, second pass begun], all 0 to
    begin. `parent` has cells + 1 places.
    """
    used: cython.longlong = 0
    y: cython.Py_ssize_t = state[0]
    count: cython.int = state[1]
    x: cython.Py_ssize_t
    i: cython.Py_ssize_t
    kind: cython.uchar
    mine: cython.int
    other: cython.int
    final: cython.int
    before: cython.uchar
    joined: cython.int = 0
    to: cython.int = 0
    while y < height and used < fuel:
        i = y * width
        before = 0  # the cell to the left: its kind and its label
        mine = 0
        for x in range(width):
            kind = kinds[i]
            if kind == 0:
                labels[i] = 0
            else:
                if kind != before:
                    mine = 0
                if y > 0:
                    if kinds[i - width] == kind:
                        other = labels[i - width]
                        if mine == 0:
                            mine = other
                        elif other != mine and (other != joined or mine != to):
                            # along an open side the same two meet again and again
                            joined = other
                            mine = join(parent, mine, other)
                            to = mine
                    if eight:
                        if x > 0 and kinds[i - width - 1] == kind:
                            other = labels[i - width - 1]
                            if mine == 0:
                                mine = other
                            elif other != mine:
                                mine = join(parent, mine, other)
                        if x + 1 < width and kinds[i - width + 1] == kind:
                            other = labels[i - width + 1]
                            if mine == 0:
                                mine = other
                            elif other != mine:
                                mine = join(parent, mine, other)
                if mine == 0:
                    count += 1
                    parent[count] = count
                    mine = count
                labels[i] = mine
            before = kind
            i += 1
        y += 1
        used += width
    state[0] = y
    state[1] = count
    if y < height:
        return used
    y = state[2]
    # provisional labels become final ones, in order: a root is smaller than what it stands for, so it comes first
    if state[4] == 0:
        final = 0
        for mine in range(1, count + 1):
            if parent[mine] == mine:
                final += 1
                parent[mine] = -final
            else:
                parent[mine] = parent[parent[mine]]
        parent[0] = 0
        state[3] = final
        state[4] = 1
    while y < height and used < fuel:
        i = y * width
        for x in range(width):
            labels[i] = -parent[labels[i]]
            i += 1
        y += 1
        used += width
    state[2] = y
    return used


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_bounds(
    kinds: cython.const[cython.uchar][::1], bounds: cython.int[::1], base: cython.Py_ssize_t, width: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The first cell of each stretch of equal kind in a row, ended by the end of the row. Returns how many there are.

    No branch tests for a change, since it would be mispredicted too often: all cells are written, and only a change
    moves the end of the list.
    """
    x: cython.Py_ssize_t
    count: cython.Py_ssize_t = 1
    before: cython.uchar = kinds[base]
    bounds[0] = base
    for x in range(base + 1, base + width):
        bounds[count] = x
        count += kinds[x] != before
        before = kinds[x]
    bounds[count] = base + width
    return count


def join_spans(
    state: cython.longlong[::1],
    kinds: cython.const[cython.uchar][::1],
    bounds: cython.int[::1],
    spans: cython.int[:, ::1],
    parent: cython.int[::1],
    boxes: cython.int[:, ::1],
    pairs: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    unlabelled: cython.int,
    fuel: cython.longlong,
) -> cython.longlong:
    """List the spans of non-zero kind as rows (first cell, end, label), row by row, and join the labels of spans that
    touch and have one kind. Those of kind `unlabelled` and above have label 0 and are not joined.

    `pairs` become the labels of different kind that touch. `boxes` rows, one for each label from 1, become least x,
    least y, greatest x, greatest y, area, kind, first cell. Labels are provisional: see `number_components`. `bounds`
    has width + 1 places. `state` is [next row, spans, first span of the row above, labels, pairs], all 0 to begin.

    If it returns with fuel left and rows to do, one of the lists has no room for another row: call again with longer
    ones.
    """
    used: cython.longlong = 0
    y: cython.Py_ssize_t = state[0]
    filled: cython.Py_ssize_t = state[1]
    above: cython.Py_ssize_t = state[2]
    count: cython.int = cython.cast(cython.int, state[3])
    touching: cython.Py_ssize_t = state[4]
    row: cython.Py_ssize_t
    base: cython.int
    stretches: cython.Py_ssize_t
    k: cython.Py_ssize_t
    near: cython.Py_ssize_t
    begun: cython.Py_ssize_t
    start: cython.int
    end: cython.int
    kind: cython.uchar
    mine: cython.int
    other: cython.int
    last: cython.int
    last_end: cython.int
    while y < height and used < fuel:
        if (
            filled + width > spans.shape[0]
            or count + width >= parent.shape[0]
            or count + width > boxes.shape[0]
            or touching + 3 * width > pairs.shape[0]
        ):
            break
        base = cython.cast(cython.int, y * width)
        row = filled
        last = 0
        last_end = -1
        stretches = find_bounds(kinds, bounds, base, width)
        for k in range(stretches):
            start = bounds[k]
            kind = kinds[start]
            if kind == 0:
                continue
            end = bounds[k + 1]
            mine = 0
            if kind < unlabelled:
                begun = touching
                while above < row and spans[above, 1] + width <= start:
                    above += 1
                near = above
                while near < row and spans[near, 0] + width < end:
                    other = spans[near, 2]
                    if kinds[spans[near, 0]] == kind:
                        if mine == 0:
                            mine = other
                        elif mine != other:
                            mine = join(parent, mine, other)
                    elif other:
                        pairs[touching, 1] = other
                        touching += 1
                    near += 1
                if mine == 0:
                    count += 1
                    mine = count
                    parent[mine] = mine
                    boxes[mine - 1, 0] = start - base
                    boxes[mine - 1, 1] = cython.cast(cython.int, y)
                    boxes[mine - 1, 2] = end - 1 - base
                    boxes[mine - 1, 4] = 0
                    boxes[mine - 1, 5] = kind
                    boxes[mine - 1, 6] = start
                elif start - base < boxes[mine - 1, 0]:
                    boxes[mine - 1, 0] = start - base
                if end - 1 - base > boxes[mine - 1, 2]:
                    boxes[mine - 1, 2] = end - 1 - base
                boxes[mine - 1, 3] = cython.cast(cython.int, y)
                boxes[mine - 1, 4] += end - start
                while begun < touching:
                    pairs[begun, 0] = mine
                    begun += 1
                if last_end == start and last:
                    pairs[touching, 0] = last
                    pairs[touching, 1] = mine
                    touching += 1
            spans[filled, 0] = start
            spans[filled, 1] = end
            spans[filled, 2] = mine
            filled += 1
            last = mine
            last_end = end
        above = row
        y += 1
        used += width
    state[0] = y
    state[1] = filled
    state[2] = above
    state[3] = count
    state[4] = touching
    return used


def number_components(
    parent: cython.int[::1], boxes: cython.int[:, ::1], labels: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Number the components 1, 2, ... in reading order of their first cells, and join the boxes of their labels.

    `parent` becomes the number of each label, and 0 for 0. Returns how many components there are.
    """
    label: cython.Py_ssize_t
    up: cython.int
    to: cython.Py_ssize_t
    column: cython.int
    count: cython.int = 0
    parent[0] = 0
    for label in range(1, labels + 1):
        up = parent[label]
        if up == label:  # the first label of a component stands for it, so it comes before the others
            parent[label] = count + 1
            if count + 1 < label:
                for column in range(7):
                    boxes[count, column] = boxes[label - 1, column]
            count += 1
            continue
        parent[label] = parent[up]
        to = parent[up] - 1
        boxes[to, 0] = min(boxes[to, 0], boxes[label - 1, 0])
        boxes[to, 2] = max(boxes[to, 2], boxes[label - 1, 2])
        boxes[to, 3] = max(boxes[to, 3], boxes[label - 1, 3])
        boxes[to, 4] += boxes[label - 1, 4]
    return count


def paint_labels(
    spans: cython.const[cython.int][:, ::1],
    numbers: cython.const[cython.int][::1],
    labels: cython.int[::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Write the component of some spans into their cells; the others stay as they are."""
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    mine: cython.int
    for k in range(first, last):
        mine = numbers[spans[k, 2]]
        for i in range(spans[k, 0], spans[k, 1]):
            labels[i] = mine
    return 3 * (last - first)


def measure_boxes(
    labels: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    table: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    first_row: cython.Py_ssize_t,
    last_row: cython.Py_ssize_t,
) -> cython.longlong:
    """Add rows of the map to the table [label - 1] = least x, least y, greatest x, greatest y, area, kind. Start with
    (width, height, -1, -1, 0, 0).
    """
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    start: cython.Py_ssize_t
    base: cython.Py_ssize_t
    mine: cython.int
    for y in range(first_row, last_row):
        base = y * width
        x = 0
        while x < width:
            mine = labels[base + x]
            start = x
            x += 1
            while x < width and labels[base + x] == mine:
                x += 1
            if mine:
                mine -= 1
                if start < table[mine, 0]:
                    table[mine, 0] = start
                if y < table[mine, 1]:
                    table[mine, 1] = y
                if x - 1 > table[mine, 2]:
                    table[mine, 2] = x - 1
                if y > table[mine, 3]:
                    table[mine, 3] = y
                table[mine, 4] += x - start
                table[mine, 5] = kinds[base + start]
    return (last_row - first_row) * width


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def label_beyond(
    kinds: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    i: cython.Py_ssize_t,
    step: cython.Py_ssize_t,
    cells: cython.Py_ssize_t,
    door: cython.uchar,
) -> cython.int:
    """The label of the first cell in this direction that is no door: up to eight doors in a row are one passage."""
    if cells > 9:
        cells = 9
    i += step
    while cells > 0 and kinds[i] >= door:
        i += step
        cells -= 1
    return labels[i] if cells > 0 else 0


def list_doors(
    kinds: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    spans: cython.const[cython.int][:, ::1],
    found: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    door: cython.uchar,
) -> cython.Py_ssize_t:
    """Each cell of kind `door` or more as a row x, y, a, b, kind, beside: a and b are the smallest labels it touches,
    beside is 1 if the cell to its left or above it is a door too. `spans` are those of `join_spans`, and doors have
    label 0 in them.

    Returns how many there are; only those that fit are written.
    """
    k: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    near: cython.int = 0
    a: cython.int
    b: cython.int
    count: cython.Py_ssize_t = 0
    for k in range(spans.shape[0]):
        if spans[k, 2] or kinds[spans[k, 0]] < door:
            continue
        y = spans[k, 0] // width
        for i in range(spans[k, 0], spans[k, 1]):
            if count < found.shape[0]:
                x = i - y * width
                a = b = 0
                for side in range(4):
                    if side == 0:
                        near = label_beyond(kinds, labels, i, -width, y, door)
                    elif side == 1:
                        near = label_beyond(kinds, labels, i, 1, width - 1 - x, door)
                    elif side == 2:
                        near = label_beyond(kinds, labels, i, width, height - 1 - y, door)
                    else:
                        near = label_beyond(kinds, labels, i, -1, x, door)
                    if near and near != a and near != b:
                        if a == 0 or near < a:
                            b = a
                            a = near
                        elif b == 0 or near < b:
                            b = near
                found[count, 0] = cython.cast(cython.int, x)
                found[count, 1] = cython.cast(cython.int, y)
                found[count, 2] = a
                found[count, 3] = b
                found[count, 4] = kinds[i]
                found[count, 5] = (x > 0 and kinds[i - 1] >= door) or (y > 0 and kinds[i - width] >= door)
            count += 1
    return count


def list_contacts(
    labels: cython.const[cython.int][::1],
    pairs: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Pairs of different labels on neighbouring cells, smaller first, with repeats. Returns how many there are; only
    those that fit are written.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    mine: cython.int
    other: cython.int
    touching: cython.int
    down: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for y in range(height):
        # most rows have no contact: looking for one without a branch is several times as quick as listing them
        touching = 0
        i = y * width
        for x in range(i, i + width - 1):
            touching |= (labels[x] != 0) & (labels[x + 1] != 0) & (labels[x] != labels[x + 1])
        down = width if y + 1 < height else 0
        for x in range(i, i + width):
            touching |= (labels[x] != 0) & (labels[x + down] != 0) & (labels[x] != labels[x + down])
        if touching == 0:
            continue
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
                if other and other != mine:
                    if count < pairs.shape[0]:
                        pairs[count, 0] = mine if mine < other else other
                        pairs[count, 1] = other if mine < other else mine
                    count += 1
    return count


def count_parts(
    labels: cython.const[cython.int][::1],
    doors: cython.const[cython.int][:, ::1],
    contacts: cython.const[cython.int][:, ::1],
    parent: cython.int[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The number of parts that regions and doors form together. Rows of doors begin with x and y; no two doors are next
    to each other. `parent` has a place for each label and for 0.
    """
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    near: cython.int
    mine: cython.int
    parts: cython.Py_ssize_t = parent.shape[0] - 1
    for k in range(parent.shape[0]):
        parent[k] = k
    for k in range(contacts.shape[0]):
        mine = root(parent, contacts[k, 0])
        near = root(parent, contacts[k, 1])
        if mine != near:
            join_roots(parent, mine, near)
            parts -= 1
    for k in range(doors.shape[0]):
        i = doors[k, 1] * width + doors[k, 0]
        mine = 0
        for side in range(4):
            near = 0
            if side == 0 and doors[k, 1] > 0:
                near = labels[i - width]
            elif side == 1 and doors[k, 0] > 0:
                near = labels[i - 1]
            elif side == 2 and doors[k, 0] + 1 < width:
                near = labels[i + 1]
            elif side == 3 and doors[k, 1] + 1 < height:
                near = labels[i + width]
            if near == 0:
                continue
            near = root(parent, near)
            if mine == 0:
                mine = near
            elif mine != near:
                mine = join_roots(parent, mine, near)
                parts -= 1
        if mine == 0:  # a door that leads nowhere
            parts += 1
    return parts


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def compact_queue(queue: cython.int[::1], head: cython.Py_ssize_t, tail: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Move the waiting entries to the beginning of a queue. Returns how many there are."""
    k: cython.Py_ssize_t
    for k in range(head, tail):
        queue[k - head] = queue[k]
    return tail - head


def spread_distances(
    state: cython.longlong[::1],
    field: cython.int[::1],
    queue: cython.int[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Breadth-first distances over a field with a rim: -1 is open, anything else is known or closed.

    `state` is [next of the queue, end of the queue, end of those at the present distance, present distance, cells
    found]; it begins as [0, sources, sources, 0, sources]. The queue is short, so that it stays in the processor's
    cache: processed cells leave it. If the function returns with fuel left and cells waiting, the queue is more than
    half full: call again with a longer one.

    No branch tests whether a neighbour is open, since it would be mispredicted too often: all four are written to the
    queue, and only open ones move its end.
    """
    head: cython.Py_ssize_t = state[0]
    tail: cython.Py_ssize_t = state[1]
    end: cython.Py_ssize_t = state[2]
    far: cython.int = state[3]
    found: cython.longlong = state[4]
    size: cython.Py_ssize_t = queue.shape[0]
    used: cython.longlong = 0
    many: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    beyond_up: cython.int
    beyond_left: cython.int
    beyond_right: cython.int
    beyond_down: cython.int
    up: cython.int
    left: cython.int
    right: cython.int
    down: cython.int
    while head < tail and used < fuel:
        if head == end:
            end = tail
            far += 1
        many = min(end - head, (size - tail) >> 2, fuel - used)
        if many == 0:
            if 2 * head < size:
                break
            end -= head
            tail = compact_queue(queue, head, tail)
            head = 0
            continue
        used += many
        found -= tail
        many += head
        while head < many:
            cell = queue[head]
            head += 1
            beyond_up = field[cell - stride]
            beyond_left = field[cell - 1]
            beyond_right = field[cell + 1]
            beyond_down = field[cell + stride]
            up = beyond_up == -1
            left = beyond_left == -1
            right = beyond_right == -1
            down = beyond_down == -1
            field[cell - stride] = beyond_up + (-up & (far + 2))  # from -1 to one step farther
            field[cell - 1] = beyond_left + (-left & (far + 2))
            field[cell + 1] = beyond_right + (-right & (far + 2))
            field[cell + stride] = beyond_down + (-down & (far + 2))
            left += up
            right += left
            down += right
            queue[tail] = cell - stride
            queue[tail + up] = cell - 1
            queue[tail + left] = cell + 1
            queue[tail + right] = cell + stride
            tail += down
        found += tail
    state[0] = head
    state[1] = tail
    state[2] = end
    state[3] = far
    state[4] = found
    return used


def flood_distances(
    state: cython.longlong[::1],
    field: cython.uchar[::1],
    queue: cython.int[::1],
    stride: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """The search of `spread_distances` with a byte a cell: 1 is open; a visited cell is 8, 10, 12 or 14, by the last
    two bits of its distance; all others are even.

    The distances of neighbours differ by one, so two bits distinguish nearer neighbours from farther ones: see
    `trace_flooded_path`.
    """
    head: cython.Py_ssize_t = state[0]
    tail: cython.Py_ssize_t = state[1]
    end: cython.Py_ssize_t = state[2]
    far: cython.longlong = state[3]
    found: cython.longlong = state[4]
    size: cython.Py_ssize_t = queue.shape[0]
    used: cython.longlong = 0
    many: cython.Py_ssize_t
    cell: cython.Py_ssize_t
    mark: cython.uchar
    up: cython.Py_ssize_t
    left: cython.Py_ssize_t
    right: cython.Py_ssize_t
    down: cython.Py_ssize_t
    while head < tail and used < fuel:
        if head == end:
            end = tail
            far += 1
        many = min(end - head, (size - tail) >> 2, fuel - used)
        if many == 0:
            if 2 * head < size:
                break
            end -= head
            tail = compact_queue(queue, head, tail)
            head = 0
            continue
        used += many
        found -= tail
        many += head
        mark = 8 | ((far << 1) & 6)
        while head < many:
            cell = queue[head]
            head += 1
            up = field[cell - stride]
            left = field[cell - 1]
            right = field[cell + 1]
            down = field[cell + stride]
            field[cell] = mark
            field[cell - stride] = up & 254
            field[cell - 1] = left & 254
            field[cell + 1] = right & 254
            field[cell + stride] = down & 254
            up &= 1
            left = (left & 1) + up
            right = (right & 1) + left
            down = (down & 1) + right
            queue[tail] = cell - stride
            queue[tail + up] = cell - 1
            queue[tail + left] = cell + 1
            queue[tail + right] = cell + stride
            tail += down
        found += tail
    state[0] = head
    state[1] = tail
    state[2] = end
    state[3] = far
    state[4] = found
    return used


@cython.cfunc
@cython.exceptval(check=False)
def flood_from(
    field: cython.uchar[::1],
    queue: cython.int[::1],
    source: cython.int,
    stride: cython.Py_ssize_t,
    found: cython.longlong[::1],
    at: cython.Py_ssize_t,
) -> cython.void:
    """The search of `flood_distances` to its end, from one cell, with a queue that has room for all cells and 4 more.

    `found[at:]` becomes the number of cells found, the last of them, and its distance.
    """
    head: cython.Py_ssize_t = 0
    tail: cython.Py_ssize_t = 1
    end: cython.Py_ssize_t = 1
    far: cython.longlong = 0
    cell: cython.Py_ssize_t
    mark: cython.uchar
    up: cython.uchar
    left: cython.uchar
    right: cython.uchar
    down: cython.uchar
    field[source] = 0
    queue[0] = source
    while True:
        mark = 8 | ((far << 1) & 6)
        while head < end:
            cell = queue[head]
            head += 1
            up = field[cell - stride]
            left = field[cell - 1]
            right = field[cell + 1]
            down = field[cell + stride]
            field[cell] = mark
            field[cell - stride] = up & 254
            field[cell - 1] = left & 254
            field[cell + 1] = right & 254
            field[cell + stride] = down & 254
            up &= 1
            left = (left & 1) + up
            right = (right & 1) + left
            down = (down & 1) + right
            queue[tail] = cell - stride
            queue[tail + up] = cell - 1
            queue[tail + left] = cell + 1
            queue[tail + right] = cell + stride
            tail += down
        if end == tail:
            break
        end = tail
        far += 1
    found[at] = tail
    found[at + 1] = queue[tail - 1]
    found[at + 2] = far


def flood_both_ways(
    tiles: cython.const[cython.uchar][::1],
    opens: cython.const[cython.uchar][::1],
    cells: cython.uchar[::1],
    field: cython.uchar[::1],
    queue: cython.int[::1],
    found: cython.longlong[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> None:
    """Flood a small map from its first open cell, then from the last cell that this finds; at once, and not in parts.

    `found` becomes [open cells; cells found, the last of them, its distance; and the same of the second flood]. `cells`
    becomes which cells are open, `field` the second flood: see `flood_distances`.
    """
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t = 0
    place: cython.Py_ssize_t
    time: cython.int
    stride: cython.Py_ssize_t = width + 1
    source: cython.int = -1
    count: cython.longlong = 0
    open_cell: cython.uchar
    for x in range(field.shape[0]):
        field[x] = 0
    for y in range(height):
        place = (y + 1) * stride + 1
        for x in range(width):
            open_cell = opens[tiles[i]]
            cells[i] = open_cell
            field[place + x] = open_cell
            count += open_cell
            i += 1
    found[0] = count
    if count == 0:
        return
    i = 0
    while cells[i] == 0:
        i += 1
    source = (i // width + 1) * stride + i % width + 1
    for time in range(2):
        flood_from(field, queue, source, stride, found, 1 + 3 * time)
        if time == 0:
            source = found[2]
            i = 0
            for y in range(height):
                place = (y + 1) * stride + 1
                for x in range(width):
                    field[place + x] = cells[i]
                    i += 1


def trace_flooded_path(
    field: cython.const[cython.uchar][::1],
    way: cython.int[:, ::1],
    x: cython.int,
    y: cython.int,
    stride: cython.Py_ssize_t,
) -> None:
    """The path to (x, y) over a flooded field, as rows x, y: one more than its distance. The trace back prefers up,
    left, right, down, as in `trace_path`.
    """
    k: cython.Py_ssize_t = way.shape[0] - 1
    cell: cython.Py_ssize_t = (y + 1) * stride + x + 1
    want: cython.uchar
    way[k, 0] = x
    way[k, 1] = y
    while k > 0:
        k -= 1
        want = 8 | ((k << 1) & 6)
        if field[cell - stride] == want:
            cell -= stride
            y -= 1
        elif field[cell - 1] == want:
            cell -= 1
            x -= 1
        elif field[cell + 1] == want:
            cell += 1
            x += 1
        else:
            cell += stride
            y += 1
        way[k, 0] = x
        way[k, 1] = y


def trace_path_over_flood(
    field: cython.const[cython.uchar][::1],
    way: cython.int[:, ::1],
    x: cython.int,
    y: cython.int,
    source: cython.Py_ssize_t,
    stride: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The path to any reached cell over a flooded field, in the last rows of `way`. Returns how many rows. It is the
    path of `trace_path`, and ends at the source of the flood, because how far the cell is away is not known.
    """
    k: cython.Py_ssize_t = way.shape[0] - 1
    cell: cython.Py_ssize_t = (y + 1) * stride + x + 1
    mark: cython.int = field[cell]
    want: cython.uchar
    way[k, 0] = x
    way[k, 1] = y
    while cell != source:
        mark = 8 | ((mark - 2) & 6)
        want = mark
        if field[cell - stride] == want:
            cell -= stride
            y -= 1
        elif field[cell - 1] == want:
            cell -= 1
            x -= 1
        elif field[cell + 1] == want:
            cell += 1
            x += 1
        else:
            cell += stride
            y += 1
        k -= 1
        way[k, 0] = x
        way[k, 1] = y
    return way.shape[0] - k


def trace_path(
    field: cython.const[cython.int][::1], way: cython.int[::1], cell: cython.int, stride: cython.int
) -> cython.Py_ssize_t:
    """Trace the cells from `cell` to distance 0, preferring up, left, right, down. Returns their number."""
    count: cython.Py_ssize_t = 0
    want: cython.int = field[cell]
    way[0] = cell
    while want > 0:
        want -= 1
        if field[cell - stride] == want:
            cell -= stride
        elif field[cell - 1] == want:
            cell -= 1
        elif field[cell + 1] == want:
            cell += 1
        else:
            cell += stride
        count += 1
        way[count] = cell
    return count + 1


def count_exits(
    field: cython.const[cython.uchar][::1],
    rooms: cython.const[cython.uchar][::1],
    tally: cython.longlong[::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> None:
    """Count over a map of 0 and 1 with a rim of 0: [cells, pairs of neighbours, full 2x2 squares, cells outside rooms
    with exactly one neighbour].

    No branch tests whether a cell is open, so that several cells are counted at once.
    """
    stride: cython.Py_ssize_t = width + 1
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    cell: cython.int
    left: cython.int
    up: cython.int
    near: cython.int
    cells: cython.int
    pairs: cython.int
    squares: cython.int
    ends: cython.int
    for i in range(4):
        tally[i] = 0
    for y in range(height):
        cells = pairs = squares = ends = 0
        for x in range(width):
            i = (y + 1) * stride + x + 1
            cell = field[i]
            left = field[i - 1]
            up = field[i - stride]
            near = left + up + field[i + 1] + field[i + stride]
            cells += cell
            pairs += cell & left
            pairs += cell & up
            squares += cell & left & up & field[i - stride - 1]
            ends += cell & (near == 1) & (rooms[y * width + x] == 0)
        tally[0] += cells
        tally[1] += pairs
        tally[2] += squares
        tally[3] += ends
