# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Plans of rooms: cut a map into cells, push the cells of a disc apart, place rooms in cells, choose links, and dig
hallways.

A box is a row x, y, width, height. Every decision is made with whole numbers.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import MASK32, below, draw, join_roots, root
else:
    from undercroft.kernels._primitives import MASK32, below, draw, join_roots, root

BELL_MEAN = cython.declare(cython.longlong, 6 * 65535)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def larger(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    return a if a > b else b


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def smaller(a: cython.longlong, b: cython.longlong) -> cython.longlong:
    return a if a < b else b


# --- a map cut in cells -----------------------------------------------------------------------------------------------


def split_boxes(
    state: cython.longlong[::1],
    stack: cython.int[:, ::1],
    leaves: cython.int[:, ::1],
    lines: cython.uchar[::1],
    labels: cython.int[::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    depth: cython.int,
    min_width: cython.int,
    min_height: cython.int,
    ratio: cython.longlong,
    margin: cython.longlong,
    fuel: cython.longlong,
) -> cython.longlong:
    """Cut boxes in two until they are small or deep enough. A cut takes a line of cells, on which `lines` gets the
    number of cuts down to this one.

    A box is cut across its width with a chance of width / (width + height). `ratio` is in 65536ths, `margin` in 2^32ths
    of a side. No part is narrower than its least size, nor than its length by the ratio. `state` is [boxes on the
    stack, leaves]; a row of the stack is a box and its depth.
    """
    used: cython.longlong = 0
    count: cython.Py_ssize_t = state[0]
    found: cython.Py_ssize_t = state[1]
    x: cython.int
    y: cython.int
    w: cython.int
    h: cython.int
    level: cython.int
    least_w: cython.longlong
    least_h: cython.longlong
    across: cython.bint
    down: cython.bint
    side: cython.int
    least: cython.int
    low: cython.int
    high: cython.int
    at: cython.int
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    while count > 0 and used < fuel:
        count -= 1
        x = stack[count, 0]
        y = stack[count, 1]
        w = stack[count, 2]
        h = stack[count, 3]
        level = stack[count, 4]
        used += 4
        least_w = larger(min_width, (cython.cast(cython.longlong, h) * 65536 + ratio - 1) // ratio)
        least_h = larger(min_height, (cython.cast(cython.longlong, w) * 65536 + ratio - 1) // ratio)
        across = level < depth and 2 * least_w + 1 <= w and cython.cast(cython.longlong, h) * 65536 <= ratio * w
        down = level < depth and 2 * least_h + 1 <= h and cython.cast(cython.longlong, w) * 65536 <= ratio * h
        if not across and not down:
            leaves[found, 0] = x
            leaves[found, 1] = y
            leaves[found, 2] = w
            leaves[found, 3] = h
            found += 1
            for row in range(y, y + h):
                for i in range(row * width + x, row * width + x + w):
                    labels[i] = found
            used += cython.cast(cython.longlong, w) * h
            continue
        if across and down:
            across = below(rng, w + h) < w
        side = w if across else h
        least = cython.cast(cython.int, least_w if across else least_h)
        low = (cython.cast(cython.longlong, side) * margin) >> 32
        low = cython.cast(cython.int, larger(least, smaller(low, (side - 1) // 2)))
        high = side - 1 - low
        at = low + below(rng, high - low + 1)
        stack[count, 4] = level + 1
        stack[count + 1, 4] = level + 1
        if across:
            for row in range(y, y + h):
                lines[row * width + x + at] = level + 1
            stack[count, 0] = x + at + 1
            stack[count, 2] = w - at - 1
            stack[count + 1, 0] = x
            stack[count + 1, 1] = y
            stack[count + 1, 2] = at
            stack[count + 1, 3] = h
        else:
            for i in range((y + at) * width + x, (y + at) * width + x + w):
                lines[i] = level + 1
            stack[count, 1] = y + at + 1
            stack[count, 3] = h - at - 1
            stack[count + 1, 0] = x
            stack[count + 1, 1] = y
            stack[count + 1, 2] = w
            stack[count + 1, 3] = at
        used += side
        count += 2
    state[0] = count
    state[1] = found
    return used


# --- rooms in cells ---------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def pick_room_side(
    rng: cython.ulonglong[::1], side: cython.int, least: cython.int, fill: cython.ulonglong
) -> cython.int:
    """Draw the length of a room's side: from the least, or from that share of the cell's side if that is more, up to
    all of it.
    """
    low: cython.int = (cython.cast(cython.ulonglong, side) * fill + MASK32) >> 32
    low = cython.cast(cython.int, larger(low, least))
    return low + below(rng, side - low + 1)


def place_chambers(
    cells: cython.const[cython.int][:, ::1],
    rooms: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    min_width: cython.int,
    min_height: cython.int,
    margin: cython.int,
    fill: cython.ulonglong,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Place a room in each of some cells that are large enough; the others get one of no width. `fill` is in 2^32ths of
    a side.
    """
    k: cython.Py_ssize_t
    w: cython.int
    h: cython.int
    for k in range(first, last):
        w = cells[k, 2] - 2 * margin
        h = cells[k, 3] - 2 * margin
        rooms[k, 2] = 0
        if w < min_width or h < min_height:
            continue
        rooms[k, 2] = pick_room_side(rng, w, min_width, fill)
        rooms[k, 3] = pick_room_side(rng, h, min_height, fill)
        rooms[k, 0] = cells[k, 0] + margin + below(rng, w - rooms[k, 2] + 1)
        rooms[k, 1] = cells[k, 1] + margin + below(rng, h - rooms[k, 3] + 1)
    return 8 * (last - first)


def paint_boxes(
    state: cython.longlong[::1],
    boxes: cython.const[cython.int][:, ::1],
    first: cython.int,
    tiles: cython.uchar[::1],
    labels: cython.int[::1],
    tile: cython.uchar,
    draws: cython.bint,
    width: cython.Py_ssize_t,
    fuel: cython.longlong,
) -> cython.longlong:
    """Give the cells of each box its label, from `first` on, and a tile if it draws. `state` is [next box]."""
    used: cython.longlong = 0
    k: cython.Py_ssize_t = state[0]
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    while k < boxes.shape[0] and used < fuel:
        for row in range(boxes[k, 1], boxes[k, 1] + boxes[k, 3]):
            for i in range(row * width + boxes[k, 0], row * width + boxes[k, 0] + boxes[k, 2]):
                labels[i] = first + cython.cast(cython.int, k)
            if draws:
                for i in range(row * width + boxes[k, 0], row * width + boxes[k, 0] + boxes[k, 2]):
                    tiles[i] = tile
        used += 1 + cython.cast(cython.longlong, boxes[k, 2]) * boxes[k, 3]
        k += 1
    state[0] = k
    return used


def clip_boxes(boxes: cython.int[:, ::1], width: cython.int, height: cython.int) -> None:
    """Cut off what reaches over the border of a map, or lies on it."""
    k: cython.Py_ssize_t
    right: cython.longlong
    bottom: cython.longlong
    for k in range(boxes.shape[0]):
        right = smaller(boxes[k, 0] + boxes[k, 2], width - 1)
        bottom = smaller(boxes[k, 1] + boxes[k, 3], height - 1)
        boxes[k, 0] = larger(boxes[k, 0], 1)
        boxes[k, 1] = larger(boxes[k, 1], 1)
        boxes[k, 2] = larger(right - boxes[k, 0], 0)
        boxes[k, 3] = larger(bottom - boxes[k, 1], 0)


# --- links: the two parts of every cut --------------------------------------------------------------------------------


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def span_gap(
    a: cython.longlong, a_size: cython.longlong, b: cython.longlong, b_size: cython.longlong
) -> cython.longlong:
    """Cells between two spans, 0 if they touch or overlap."""
    return larger(0, larger(a - b - b_size, b - a - a_size))


@cython.cfunc
@cython.exceptval(check=False)
def find_nearest_box(
    boxes: cython.const[cython.int][:, ::1],
    order: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    x: cython.int,
    y: cython.int,
    w: cython.int,
    h: cython.int,
) -> cython.int:
    """The box that is the fewest steps away from the given one; a corner of the path counts as ten."""
    best: cython.int = order[first]
    least: cython.longlong = -1
    far: cython.longlong
    across: cython.longlong
    down: cython.longlong
    k: cython.Py_ssize_t
    at: cython.int
    for k in range(first, last):
        at = order[k]
        across = span_gap(x, w, boxes[at, 0], boxes[at, 2])
        down = span_gap(y, h, boxes[at, 1], boxes[at, 3])
        far = across + down + (10 if across > 0 and down > 0 else 0)
        if least < 0 or far < least:
            least = far
            best = at
    return best


def link_siblings(
    state: cython.longlong[::1],
    stack: cython.int[:, ::1],
    lines: cython.const[cython.uchar][::1],
    boxes: cython.const[cython.int][:, ::1],
    order: cython.int[::1],
    links: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    extra: cython.ulonglong,
    fuel: cython.longlong,
) -> cython.longlong:
    """Link the two parts of every cut: the box nearest to some cell of the line, and the one across the line nearest to
    that.

    Boxes that no cut separates are linked one after another. `order` holds the numbers of the boxes and is sorted by
    parts. A row of the stack is a box of the map, its depth, and its first and last place in the order. `state` is
    [rows of the stack, links].
    """
    used: cython.longlong = 0
    count: cython.Py_ssize_t = state[0]
    found: cython.Py_ssize_t = state[1]
    x: cython.int
    y: cython.int
    w: cython.int
    h: cython.int
    level: cython.int
    first: cython.int
    last: cython.int
    middle: cython.int
    at: cython.int
    k: cython.int
    kept: cython.int
    across: cython.bint
    down: cython.bint
    side: cython.int
    turn: cython.int
    a: cython.int
    b: cython.int
    while count > 0 and used < fuel:
        count -= 1
        x = stack[count, 0]
        y = stack[count, 1]
        w = stack[count, 2]
        h = stack[count, 3]
        level = stack[count, 4]
        first = stack[count, 5]
        last = stack[count, 6]
        used += 2
        if last - first < 2:
            continue
        across = False
        down = False
        at = 0
        if w > 0 and h > 0:
            while at < w and lines[y * width + x + at] != level + 1:
                at += 1
            across = at < w
            if not across:
                at = 0
                while at < h and lines[(y + at) * width + x] != level + 1:
                    at += 1
                down = at < h
        used += 2 * (last - first) + at
        if not across and not down:
            for k in range(first + 1, last):
                links[found, 0] = order[k - 1]
                links[found, 1] = order[k]
                found += 1
            continue
        middle = first
        for k in range(first, last):
            if boxes[order[k], 0 if across else 1] < (x if across else y) + at:
                kept = order[k]
                order[k] = order[middle]
                order[middle] = kept
                middle += 1
        if first < middle < last:
            for turn in range(2):
                if turn == 1 and draw(rng) >= extra:
                    break
                side = below(rng, h if across else w)
                a = find_nearest_box(
                    boxes, order, first, middle, x + at if across else x + side, y + side if across else y + at, 1, 1
                )
                b = find_nearest_box(boxes, order, middle, last, boxes[a, 0], boxes[a, 1], boxes[a, 2], boxes[a, 3])
                if turn == 1 and links[found - 1, 0] == a and links[found - 1, 1] == b:
                    break
                links[found, 0] = a
                links[found, 1] = b
                found += 1
        for k in range(2):  # the far part below the near one, which is next
            stack[count, 0] = x
            stack[count, 1] = y
            stack[count, 2] = w
            stack[count, 3] = h
            stack[count, 4] = level + 1
            if k == 0:
                stack[count, 0 if across else 1] += at + 1
                stack[count, 2 if across else 3] -= at + 1
                stack[count, 5] = middle
                stack[count, 6] = last
            else:
                stack[count, 2 if across else 3] = at
                stack[count, 5] = first
                stack[count, 6] = middle
            count += 1
    state[0] = count
    state[1] = found
    return used


# --- a stable order ---------------------------------------------------------------------------------------------------


@cython.ccall
def sort_by_key(keys: cython.const[cython.longlong][::1], order: cython.int[::1], spare: cython.int[::1]) -> None:
    """Number rows by rising keys, equal ones in their order: a merge sort. `spare` is as long as `order`, or longer."""
    count: cython.Py_ssize_t = order.shape[0]
    length: cython.Py_ssize_t = 1
    first: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    last: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(count):
        order[k] = k
    while length < count:
        first = 0
        while first < count:
            middle = smaller(first + length, count)
            last = smaller(middle + length, count)
            i = first
            j = middle
            for k in range(first, last):
                if i < middle and (j == last or keys[order[i]] <= keys[order[j]]):
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
            first = last
        for k in range(count):
            order[k] = spare[k]
        length *= 2


# --- cells in a disc, and apart ---------------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def draw_normal(rng: cython.ulonglong[::1]) -> cython.longlong:
    """A normally distributed number in 65536ths of a deviation: the sum of twelve uniform draws of 16 bits, less its
    mean. Never beyond six deviations.
    """
    total: cython.longlong = -BELL_MEAN
    k: cython.int
    both: cython.ulonglong
    for k in range(6):
        both = draw(rng)
        total += both & 0xFFFF
        total += both >> 16
    return total


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def halved(value: cython.longlong) -> cython.longlong:
    """Half of a number, towards zero."""
    return value >> 1 if value >= 0 else -((-value) >> 1)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def rounded(value: cython.longlong) -> cython.int:
    """65536ths to the nearest whole number, halves away from zero."""
    return (value + 32768) >> 16 if value >= 0 else -((32768 - value) >> 16)


@cython.cfunc
@cython.exceptval(check=False)
def pick_cell_side(
    rng: cython.ulonglong[::1], mean: cython.longlong, spread: cython.longlong, normal: cython.bint
) -> cython.int:
    """The side of a cell, at least 1; mean and spread are in 65536ths."""
    span: cython.longlong
    if normal:
        span = draw_normal(rng) * spread
        span = span >> 16 if span >= 0 else -((-span) >> 16)
        return cython.cast(cython.int, larger(1, rounded(mean + span)))
    span = rounded(2 * spread)
    return cython.cast(cython.int, larger(1, rounded(mean - spread) + below(rng, span + 1)))


def scatter_boxes(
    boxes: cython.int[:, ::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
    radius: cython.longlong,
    mean_width: cython.longlong,
    mean_height: cython.longlong,
    deviation: cython.longlong,
    normal_place: cython.bint,
    normal_size: cython.bint,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Cells whose middles lie in a disc in the middle of a map, cut and moved where they would reach over its border.

    Uniform places are drawn in the square around the disc until one lies in it; normal ones have a deviation of half
    the radius. No place lies where the disc reaches over the border.
    """
    k: cython.Py_ssize_t
    turn: cython.int
    dx: cython.longlong
    dy: cython.longlong
    most_x: cython.longlong = smaller(radius, (width - 1) // 2)
    most_y: cython.longlong = smaller(radius, (height - 1) // 2)
    for k in range(first, last):
        dx = 0
        dy = 0
        for turn in range(64):  # each draw lies in it with a chance of nearly one in two or better
            if normal_place:
                dx = rounded(halved(draw_normal(rng) * radius))
                dy = rounded(halved(draw_normal(rng) * radius))
            else:
                dx = below(rng, 2 * most_x + 1) - most_x
                dy = below(rng, 2 * most_y + 1) - most_y
            if dx * dx + dy * dy <= radius * radius and -most_x <= dx <= most_x and -most_y <= dy <= most_y:
                break
            dx = 0
            dy = 0
        boxes[k, 2] = cython.cast(
            cython.int, smaller(width - 2, pick_cell_side(rng, mean_width, deviation, normal_size))
        )
        boxes[k, 3] = cython.cast(
            cython.int, smaller(height - 2, pick_cell_side(rng, mean_height, deviation, normal_size))
        )
        boxes[k, 0] = cython.cast(
            cython.int, larger(1, smaller(width // 2 + dx - boxes[k, 2] // 2, width - 1 - boxes[k, 2]))
        )
        boxes[k, 1] = cython.cast(
            cython.int, larger(1, smaller(height // 2 + dy - boxes[k, 3] // 2, height - 1 - boxes[k, 3]))
        )
    return 16 * (last - first)


def count_within(boxes: cython.const[cython.int][:, ::1], most: cython.longlong) -> cython.Py_ssize_t:
    """How many boxes, in their order, have that area together, with the rock to their right and below; all of them if
    they have less.
    """
    k: cython.Py_ssize_t
    area: cython.longlong = 0
    for k in range(boxes.shape[0]):
        area += cython.cast(cython.longlong, boxes[k, 2] + 1) * (boxes[k, 3] + 1)
        if area >= most:
            return k + 1
    return boxes.shape[0]


@cython.ccall
def sum_up_boxes(boxes: cython.const[cython.int][:, ::1], out: cython.longlong[::1]) -> None:
    """What all boxes together are like: [least x, least y, greatest right end, greatest bottom end, greatest width,
    greatest height, least x and y of the middles, greatest x and y of the middles, sums of their x and y, sum of the
    widths, sum of the heights, sum of the areas with the rock to the right and below]. Middles are in half cells.
    """
    k: cython.Py_ssize_t
    axis: cython.int
    at: cython.longlong
    side: cython.longlong
    for k in range(15):
        out[k] = 0
    for k in range(boxes.shape[0]):
        for axis in range(2):
            at = boxes[k, axis]
            side = boxes[k, axis + 2]
            if k == 0:
                out[axis] = at
                out[2 + axis] = at + side
                out[6 + axis] = 2 * at + side
                out[8 + axis] = 2 * at + side
            out[axis] = smaller(out[axis], at)
            out[2 + axis] = larger(out[2 + axis], at + side)
            out[4 + axis] = larger(out[4 + axis], side)
            out[6 + axis] = smaller(out[6 + axis], 2 * at + side)
            out[8 + axis] = larger(out[8 + axis], 2 * at + side)
            out[10 + axis] += 2 * at + side
            out[12 + axis] += side
        out[14] += cython.cast(cython.longlong, boxes[k, 2] + 1) * (boxes[k, 3] + 1)


@cython.ccall
def locate_middles(
    boxes: cython.const[cython.int][:, ::1],
    places: cython.longlong[:, ::1],
    x: cython.longlong,
    y: cython.longlong,
    parts: cython.longlong,
    shift_x: cython.longlong,
    shift_y: cython.longlong,
) -> None:
    """Where the middles of boxes lie, seen from (x, y), in such parts of half a cell, and moved back by a shift."""
    k: cython.Py_ssize_t
    for k in range(boxes.shape[0]):
        places[k, 0] = (2 * cython.cast(cython.longlong, boxes[k, 0]) + boxes[k, 2] - x) * parts - shift_x
        places[k, 1] = (2 * cython.cast(cython.longlong, boxes[k, 1]) + boxes[k, 3] - y) * parts - shift_y


@cython.ccall
def square_distances(places: cython.const[cython.longlong][:, ::1], squares: cython.longlong[::1]) -> None:
    """The squares of the distances of places."""
    k: cython.Py_ssize_t
    for k in range(places.shape[0]):
        squares[k] = places[k, 0] * places[k, 0] + places[k, 1] * places[k, 1]


def find_inner_boxes(
    boxes: cython.const[cython.int][:, ::1], inside: cython.uchar[::1], width: cython.int, height: cython.int
) -> cython.Py_ssize_t:
    """Find the boxes that do not touch the border of a map. Returns how many there are."""
    k: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    for k in range(boxes.shape[0]):
        inside[k] = (
            boxes[k, 0] >= 1
            and boxes[k, 1] >= 1
            and boxes[k, 0] + boxes[k, 2] < width
            and boxes[k, 1] + boxes[k, 3] < height
        )
        count += inside[k]
    return count


@cython.ccall
def move_boxes_inside(
    boxes: cython.int[:, ::1],
    order: cython.const[cython.int][::1],
    stays: cython.uchar[::1],
    width: cython.int,
    height: cython.int,
) -> None:
    """Move the listed boxes that lie on a map off its border. `stays` becomes 1 for them."""
    k: cython.Py_ssize_t
    i: cython.int
    for k in range(order.shape[0]):
        i = order[k]
        if (
            boxes[i, 0] < width
            and boxes[i, 1] < height
            and boxes[i, 0] + boxes[i, 2] > 0
            and boxes[i, 1] + boxes[i, 3] > 0
        ):
            stays[i] = 1
            boxes[i, 0] = cython.cast(cython.int, smaller(larger(boxes[i, 0], 1), width - 1 - boxes[i, 2]))
            boxes[i, 1] = cython.cast(cython.int, smaller(larger(boxes[i, 1], 1), height - 1 - boxes[i, 3]))


@cython.cfunc
@cython.exceptval(check=False)
def integer_sqrt(value: cython.longlong) -> cython.longlong:
    """The greatest whole number whose square is at most the value, which is below 2^62."""
    result: cython.longlong = 0
    bits: cython.int = 0
    bit: cython.int
    more: cython.longlong
    while value >> (2 * bits) > 0:
        bits += 1
    for bit in range(bits - 1, -1, -1):
        more = result + (cython.cast(cython.longlong, 1) << bit)
        if more * more <= value:
            result = more
    return result


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def scaled(value: cython.longlong, times: cython.longlong, over: cython.longlong) -> cython.longlong:
    """value * times / over, towards zero; only the value may be negative."""
    return value * times // over if value >= 0 else -(-value * times // over)


@cython.ccall
def jitter_places(
    places: cython.longlong[:, ::1], rng: cython.ulonglong[::1], radius: cython.longlong
) -> cython.longlong:
    """Move each place a little, to anywhere in a disc around it. The radius is below 2^30."""
    k: cython.Py_ssize_t
    dx: cython.longlong
    dy: cython.longlong
    for k in range(places.shape[0]):
        while True:
            dx = below(rng, 2 * radius + 1) - radius
            dy = below(rng, 2 * radius + 1) - radius
            if dx * dx + dy * dy <= radius * radius:
                break
        places[k, 0] += dx
        places[k, 1] += dy
    return 4 * places.shape[0]


@cython.ccall
def push_outwards(
    boxes: cython.int[:, ::1],
    order: cython.const[cython.int][::1],
    places: cython.const[cython.longlong][:, ::1],
    parts: cython.longlong,
    x: cython.longlong,
    y: cython.longlong,
    stretch: cython.longlong,
) -> cython.longlong:
    """Move boxes away from (x, y), in half cells, nearest first: each at least so far that the boxes before it have
    room within its ellipse.

    They have room if the square of its radius is twice their area, as if it were a circle: they fill two thirds of it
    then. `stretch` is how much wider than that circle it is, and how much less high, in 65536ths. `places` says where
    boxes lie, seen from (x, y), in such parts of half a cell.
    """
    k: cython.Py_ssize_t
    i: cython.int
    dx: cython.longlong
    dy: cython.longlong
    far: cython.longlong
    radius: cython.longlong
    across: cython.longlong
    down: cython.longlong
    area: cython.longlong = 0
    for k in range(order.shape[0]):
        i = order[k]
        radius = integer_sqrt(2 * area)
        across = larger(1, radius * stretch >> 16)
        down = larger(1, (radius << 16) // stretch)
        area += cython.cast(cython.longlong, boxes[i, 2] + 1) * (boxes[i, 3] + 1)
        dx = smaller(1024, larger(places[i, 0], -places[i, 0]) * 1024 // (across * parts))
        dy = smaller(1024, larger(places[i, 1], -places[i, 1]) * 1024 // (down * parts))
        if radius == 0 or dx * dx + dy * dy >= 1024 * 1024:  # it is that far away
            continue
        far = larger(1, integer_sqrt(places[i, 0] * places[i, 0] + places[i, 1] * places[i, 1]))
        dx = x + scaled(places[i, 0], across, far)
        dy = y + scaled(places[i, 1], down, far)
        boxes[i, 0] = cython.cast(cython.int, (dx - boxes[i, 2]) >> 1)
        boxes[i, 1] = cython.cast(cython.int, (dy - boxes[i, 3]) >> 1)
    return 32 * order.shape[0]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def floored(value: cython.longlong, by: cython.longlong) -> cython.longlong:
    """The quotient, rounded down."""
    return value // by if value >= 0 else -((by - 1 - value) // by)


@cython.cfunc
@cython.exceptval(check=False)
def stretch_of_map(across: cython.longlong, down: cython.longlong, square: cython.longlong) -> cython.longlong:
    """The factor, in 65536ths, by which an ellipse for boxes is wider than a circle, on a map with so much room across
    and down; 65536 if a circle with that square of the radius fits on it.
    """
    short: cython.longlong = smaller(across, down)
    stretch: cython.longlong = integer_sqrt(
        (smaller(larger(square, short * short), across * down) << 32) // (short * short)
    )
    return stretch if across >= down else (cython.cast(cython.longlong, 1) << 32) // stretch


def spread_boxes(
    boxes: cython.int[:, ::1],
    stays: cython.uchar[::1],
    places: cython.longlong[:, ::1],
    sums: cython.longlong[::1],
    keys: cython.longlong[::1],
    order: cython.int[::1],
    spare: cython.int[::1],
    rng: cython.ulonglong[::1],
    width: cython.int,
    height: cython.int,
) -> cython.longlong:
    """Move boxes outwards, each as far as those nearer to the middle of all need room, and those on the border of the
    map inside. `stays` becomes 1 for the boxes that lie on the map then.
    """
    count: cython.Py_ssize_t = boxes.shape[0]
    placed: cython.Py_ssize_t = 0
    size: cython.longlong = cython.cast(cython.longlong, width) * height
    area: cython.longlong = 0
    x: cython.longlong
    y: cython.longlong
    far: cython.longlong
    parts: cython.longlong
    used: cython.longlong
    k: cython.Py_ssize_t
    sum_up_boxes(boxes, sums)
    x = floored(sums[10], count)
    y = floored(sums[11], count)
    far = larger(larger(sums[8] - x, x - sums[6]), larger(sums[9] - y, y - sums[7]))
    parts = (1 << 28) // (far + 3)
    locate_middles(
        boxes, places, x, y, parts, (sums[10] - x * count) * parts // count, (sums[11] - y * count) * parts // count
    )
    used = jitter_places(places, rng, 2 * parts)  # by at most one cell: many may share few places
    square_distances(places, keys)
    sort_by_key(keys, order, spare)
    while placed < count:  # as many as fit on the map four times over
        area += cython.cast(cython.longlong, boxes[order[placed], 2] + 1) * (boxes[order[placed], 3] + 1)
        if area >= 4 * size:
            break
        placed += 1
    used += push_outwards(
        boxes,
        order[:placed],
        places,
        parts,
        x,
        y,
        stretch_of_map(
            larger(1, width - 2 - sums[12] // count), larger(1, height - 2 - sums[13] // count), 2 * sums[14]
        ),
    )
    for k in range(count):
        stays[k] = 0
    move_boxes_inside(boxes, order[:placed], stays, width, height)
    return used


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def bucket_index(at: cython.int, first: cython.int, bits: cython.int, count: cython.int) -> cython.int:
    """The column or row of the index that a coordinate falls in; a coordinate outside falls in the outermost."""
    if at <= first:
        return 0
    at = (at - first) >> bits
    return count - 1 if at >= count else at


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_too_near(boxes: cython.const[cython.int][:, ::1], i: cython.int, j: cython.int) -> cython.bint:
    """Whether two boxes overlap or touch, at a corner too."""
    return (
        boxes[i, 0] <= boxes[j, 0] + boxes[j, 2]
        and boxes[j, 0] <= boxes[i, 0] + boxes[i, 2]
        and boxes[i, 1] <= boxes[j, 1] + boxes[j, 3]
        and boxes[j, 1] <= boxes[i, 1] + boxes[i, 3]
    )


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def add_to_bucket(
    heads: cython.int[::1], after: cython.int[::1], before: cython.int[::1], b: cython.int, i: cython.int
) -> cython.int:
    """Put a box into a bucket of the index."""
    after[i] = heads[b]
    before[i] = -1
    if heads[b] >= 0:
        before[heads[b]] = i
    heads[b] = i
    return b


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def bucket_of_box(
    boxes: cython.const[cython.int][:, ::1], i: cython.int, grid: cython.const[cython.int][::1]
) -> cython.int:
    """The bucket of the index that a box belongs to: that of its middle. `grid` is [columns, rows, bits of a bucket's
    side, x, y, and how far to look across and down beside half of a box].
    """
    column: cython.int = bucket_index(boxes[i, 0] + boxes[i, 2] // 2, grid[3], grid[2], grid[0])
    return bucket_index(boxes[i, 1] + boxes[i, 3] // 2, grid[4], grid[2], grid[1]) * grid[0] + column


@cython.ccall
def lay_out_index(
    boxes: cython.const[cython.int][:, ::1], sums: cython.longlong[::1], heads: cython.int[::1], grid: cython.int[::1]
) -> None:
    """Lay out an empty index: about one bucket for each box, no more than there are heads."""
    bits: cython.int = 0
    side: cython.longlong
    across: cython.longlong
    down: cython.longlong
    k: cython.Py_ssize_t
    sum_up_boxes(boxes, sums)
    across = sums[2] - sums[0]
    down = sums[3] - sums[1]
    side = integer_sqrt(across * down // larger(1, boxes.shape[0]))
    while side >> bits:
        bits += 1
    while ((across >> bits) + 1) * ((down >> bits) + 1) > heads.shape[0]:
        bits += 1
    grid[0] = (across >> bits) + 1
    grid[1] = (down >> bits) + 1
    grid[2] = bits
    grid[3] = sums[0]
    grid[4] = sums[1]
    grid[5] = (sums[4] + 1) // 2 + 1
    grid[6] = (sums[5] + 1) // 2 + 1
    for k in range(cython.cast(cython.Py_ssize_t, grid[0]) * grid[1]):
        heads[k] = -1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_too_near(
    boxes: cython.const[cython.int][:, ::1],
    i: cython.int,
    heads: cython.const[cython.int][::1],
    after: cython.const[cython.int][::1],
    grid: cython.const[cython.int][::1],
    most: cython.int,
    found: cython.int[::1],
) -> cython.longlong:
    """Find boxes of the index that are too near to one, at most so many. `found` gets their count, then their numbers.
    Returns the cost.
    """
    used: cython.longlong = 1
    count: cython.int = 0
    j: cython.int
    u: cython.int
    v: cython.int
    columns: cython.int = grid[0]  # in variables of its own: a compiler cannot know that `found` does not overlap these
    left: cython.int = boxes[i, 0]
    top: cython.int = boxes[i, 1]
    right: cython.int = left + boxes[i, 2]
    bottom: cython.int = top + boxes[i, 3]
    x: cython.int = left + boxes[i, 2] // 2
    y: cython.int = top + boxes[i, 3] // 2
    dx: cython.int = boxes[i, 2] // 2 + grid[5]
    dy: cython.int = boxes[i, 3] // 2 + grid[6]
    first: cython.int = bucket_index(x - dx, grid[3], grid[2], columns)
    last: cython.int = bucket_index(x + dx, grid[3], grid[2], columns)
    lowest: cython.int = bucket_index(y + dy, grid[4], grid[2], grid[1])
    for v in range(bucket_index(y - dy, grid[4], grid[2], grid[1]), lowest + 1):
        for u in range(first, last + 1):
            j = heads[v * columns + u]
            used += 1
            while j >= 0 and count < most:
                used += 1
                # `is_too_near` as one condition: a processor cannot guess its four parts
                if (
                    (j != i)
                    & (boxes[j, 0] <= right)
                    & (left <= boxes[j, 0] + boxes[j, 2])
                    & (boxes[j, 1] <= bottom)
                    & (top <= boxes[j, 1] + boxes[j, 3])
                ):
                    count += 1
                    found[count] = j
                j = after[j]
    found[0] = count
    return used


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def move_box(
    boxes: cython.int[:, ::1],
    heads: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    grid: cython.const[cython.int][::1],
    i: cython.int,
    axis: cython.int,
    by: cython.int,
) -> cython.int:
    """Move a box along an axis, and to another bucket of the index if need be."""
    old: cython.int = bucket_of_box(boxes, i, grid)
    new: cython.int
    boxes[i, axis] += by
    new = bucket_of_box(boxes, i, grid)
    if new != old:
        if before[i] >= 0:
            after[before[i]] = after[i]
        else:
            heads[old] = after[i]
        if after[i] >= 0:
            before[after[i]] = before[i]
        add_to_bucket(heads, after, before, new, i)
    return new


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def doubled_centre(boxes: cython.const[cython.int][:, ::1], i: cython.int, axis: cython.int) -> cython.int:
    """The middle of a box along an axis, in half cells."""
    return 2 * boxes[i, axis] + boxes[i, axis + 2]


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def push_distance(
    boxes: cython.const[cython.int][:, ::1], i: cython.int, j: cython.int, axis: cython.int
) -> cython.int:
    """How far two boxes must move apart along an axis until there is one cell between them."""
    away: cython.int = doubled_centre(boxes, i, axis) - doubled_centre(boxes, j, axis)
    return (boxes[i, axis + 2] + boxes[j, axis + 2] + 2 - (away if away > 0 else -away)) // 2


def order_inwards(
    boxes: cython.const[cython.int][:, ::1],
    places: cython.longlong[:, ::1],
    sums: cython.longlong[::1],
    keys: cython.longlong[::1],
    order: cython.int[::1],
    spare: cython.int[::1],
    crowd: cython.int[:, ::1],
    middle: cython.int[::1],
) -> None:
    """Number boxes from the farthest from the middle of all to the nearest, in the first row of `crowd`; `middle`
    becomes that middle, in half cells.
    """
    k: cython.Py_ssize_t
    sum_up_boxes(boxes, sums)
    middle[0] = floored(sums[10], boxes.shape[0])
    middle[1] = floored(sums[11], boxes.shape[0])
    locate_middles(boxes, places, middle[0], middle[1], -1, 0, 0)
    square_distances(places, keys)
    for k in range(boxes.shape[0]):
        keys[k] = -keys[k]
    sort_by_key(keys, order[: boxes.shape[0]], spare)
    for k in range(boxes.shape[0]):
        crowd[0, k] = order[k]


def separate_boxes(
    state: cython.longlong[::1],
    boxes: cython.int[:, ::1],
    crowd: cython.int[:, ::1],
    marked: cython.uchar[::1],
    found: cython.int[::1],
    heads: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    grid: cython.int[::1],
    sums: cython.longlong[::1],
    rng: cython.ulonglong[::1],
    middle: cython.const[cython.int][::1],
    step: cython.int,
    rounds: cython.longlong,
    fuel: cython.longlong,
) -> cython.longlong:
    """Move boxes apart: two that overlap or touch push each other away along the shorter axis, each by half of the
    overlap but no more than a step.

    If the distance is odd, the one farther from the middle of all (in half cells) moves the one cell more: so two that
    have no room between two others do not oscillate endlessly. A round is over the boxes that were too near to another
    in the round before: of any two that are too near to each other, one at least is always among them. Ends when no box
    is left, or after so many rounds.

    `crowd` holds the boxes of this round and, in its other row, those of the next; `marked` says which await their
    turn. The index is `heads`, the first boxes of the buckets, and `after` and `before`, which chain the others;
    `sums` is room for its layout.
    `state` is [rounds done, next of the round, boxes in it, boxes in the next round, 1 once the index is made].
    """
    used: cython.longlong = 0
    now: cython.int
    k: cython.int
    i: cython.int
    j: cython.int
    axis: cython.int
    turn: cython.int
    way: cython.int
    mine: cython.int
    if state[4] == 0:
        state[4] = 1
        lay_out_index(boxes, sums, heads, grid)
        for i in range(boxes.shape[0]):
            add_to_bucket(heads, after, before, bucket_of_box(boxes, i, grid), i)
    while state[0] < rounds and state[2] > 0 and used < fuel:
        now = state[0] & 1
        i = crowd[now, state[1]]
        marked[i] = 0
        used += find_too_near(boxes, i, heads, after, grid, boxes.shape[0], found)
        for k in range(1, found[0] + 1):
            j = found[k]
            if not is_too_near(boxes, i, j):  # no longer too near: another has pushed it away
                continue
            if marked[i] == 0:
                marked[i] = 1
                crowd[1 - now, state[3]] = i
                state[3] += 1
            if marked[j] == 0:
                marked[j] = 1
                crowd[1 - now, state[3]] = j
                state[3] += 1
            axis = 0 if push_distance(boxes, i, j, 0) + ((i + j) & 1) <= push_distance(boxes, i, j, 1) else 1
            way = push_distance(boxes, i, j, axis)
            turn = doubled_centre(boxes, i, axis) - doubled_centre(boxes, j, axis)
            if turn == 0:
                turn = 1 - 2 * below(rng, 2)
            turn = 1 if turn > 0 else -1
            mine = way // 2
            if (
                way & 1
                and turn * (doubled_centre(boxes, i, axis) + doubled_centre(boxes, j, axis) - 2 * middle[axis]) >= 0
            ):
                mine += 1
            move_box(boxes, heads, after, before, grid, i, axis, turn * cython.cast(cython.int, smaller(step, mine)))
            move_box(
                boxes, heads, after, before, grid, j, axis, -turn * cython.cast(cython.int, smaller(step, way - mine))
            )
        state[1] += 1
        if state[1] == state[2]:
            state[0] += 1
            state[1] = 0
            state[2] = state[3]
            state[3] = 0
    return used


def find_crowded(
    boxes: cython.const[cython.int][:, ::1],
    found: cython.int[::1],
    heads: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    grid: cython.int[::1],
    sums: cython.longlong[::1],
) -> cython.longlong:
    """Look for two boxes that are too near to each other: `found` begins with 1 if there are some, else with 0."""
    used: cython.longlong = 0
    i: cython.int = 0
    lay_out_index(boxes, sums, heads, grid)
    found[0] = 0
    while i < boxes.shape[0] and found[0] == 0:
        used += find_too_near(boxes, i, heads, after, grid, 1, found)
        add_to_bucket(heads, after, before, bucket_of_box(boxes, i, grid), i)
        i += 1
    return used


@cython.ccall
def drop_crowded(
    boxes: cython.const[cython.int][:, ::1],
    order: cython.const[cython.int][::1],
    found: cython.int[::1],
    heads: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    grid: cython.int[::1],
    sums: cython.longlong[::1],
    stays: cython.uchar[::1],
) -> cython.longlong:
    """Of boxes that are too near to each other, keep the first in order: `stays` becomes 1 for these, 0 for the
    others.
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t
    i: cython.int
    lay_out_index(boxes, sums, heads, grid)
    for k in range(order.shape[0]):
        i = order[k]
        used += find_too_near(boxes, i, heads, after, grid, 1, found)
        stays[i] = found[0] == 0
        if stays[i]:
            add_to_bucket(heads, after, before, bucket_of_box(boxes, i, grid), i)
    return used


def drop_smaller(
    boxes: cython.const[cython.int][:, ::1],
    keys: cython.longlong[::1],
    order: cython.int[::1],
    spare: cython.int[::1],
    found: cython.int[::1],
    heads: cython.int[::1],
    after: cython.int[::1],
    before: cython.int[::1],
    grid: cython.int[::1],
    sums: cython.longlong[::1],
    stays: cython.uchar[::1],
) -> cython.longlong:
    """Of boxes that are too near to each other, keep the largest; of equal ones, the first."""
    k: cython.Py_ssize_t
    for k in range(boxes.shape[0]):
        keys[k] = -cython.cast(cython.longlong, boxes[k, 2]) * boxes[k, 3]
    sort_by_key(keys, order[: boxes.shape[0]], spare)
    return drop_crowded(boxes, order[: boxes.shape[0]], found, heads, after, before, grid, sums, stays)


# --- links: neighbours in a triangulation -----------------------------------------------------------------------------


def locate_centres(boxes: cython.const[cython.int][:, ::1], points: cython.longlong[:, ::1]) -> None:
    """The cells in the middle of boxes."""
    k: cython.Py_ssize_t
    for k in range(boxes.shape[0]):
        points[k, 0] = boxes[k, 0] + boxes[k, 2] // 2
        points[k, 1] = boxes[k, 1] + boxes[k, 3] // 2


def bound_points(points: cython.const[cython.longlong][:, ::1], bounds: cython.longlong[::1]) -> None:
    """The least x and y and the greatest x and y of points, of which there is at least one."""
    k: cython.Py_ssize_t
    axis: cython.int
    for axis in range(2):
        bounds[axis] = points[0, axis]
        bounds[axis + 2] = points[0, axis]
        for k in range(1, points.shape[0]):
            bounds[axis] = smaller(bounds[axis], points[k, axis])
            bounds[axis + 2] = larger(bounds[axis + 2], points[k, axis])


def sort_points(
    points: cython.const[cython.longlong][:, ::1],
    left: cython.longlong,
    top: cython.longlong,
    halvings: cython.int,
    turned: cython.bint,
    short: cython.longlong,
    ranks: cython.longlong[::1],
    order: cython.int[::1],
    spare: cython.int[::1],
    xs: cython.longlong[::1],
    ys: cython.longlong[::1],
    numbers: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Sort points by x, then y, seen from the top left and halved so many times; x and y change places if their box is
    turned, so that x runs along its longer side. `short` is the other side. Returns how many places they have.
    """
    places: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    x: cython.longlong
    y: cython.longlong
    for k in range(points.shape[0]):
        x = (points[k, 0] - left) >> halvings
        y = (points[k, 1] - top) >> halvings
        ranks[k] = y * short + x if turned else x * short + y
    sort_by_key(ranks, order, spare)
    for k in range(points.shape[0]):
        numbers[k] = order[k]
        xs[k] = ranks[order[k]] // short
        ys[k] = ranks[order[k]] % short
        if k == 0 or ranks[order[k]] != ranks[order[k - 1]]:
            places += 1
    return places


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def signed_area(
    xs: cython.const[cython.longlong][::1],
    ys: cython.const[cython.longlong][::1],
    a: cython.int,
    b: cython.int,
    c: cython.int,
) -> cython.longlong:
    """Twice the area of a triangle, positive if its corners turn as x turns to y; 0 if they lie on a line."""
    return (xs[b] - xs[a]) * (ys[c] - ys[a]) - (ys[b] - ys[a]) * (xs[c] - xs[a])


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def is_in_circle(
    xs: cython.const[cython.longlong][::1],
    ys: cython.const[cython.longlong][::1],
    a: cython.int,
    b: cython.int,
    c: cython.int,
    d: cython.int,
) -> cython.bint:
    """Whether d lies inside the circle through a, b and c, whose turn is positive.

    In a box of w x h each area below is at most w * h, and each square of a distance at most w * w + h * h. So every
    number here is at most 3 * w * h * (w * w + h * h), and exact in 64 bits if that is below 2^63; the callers ensure
    that.
    """
    ax: cython.longlong = xs[a] - xs[d]
    ay: cython.longlong = ys[a] - ys[d]
    bx: cython.longlong = xs[b] - xs[d]
    by: cython.longlong = ys[b] - ys[d]
    cx: cython.longlong = xs[c] - xs[d]
    cy: cython.longlong = ys[c] - ys[d]
    return (ax * ax + ay * ay) * (bx * cy - cx * by) - (bx * bx + by * by) * (ax * cy - cx * ay) + (
        cx * cx + cy * cy
    ) * (ax * by - bx * ay) > 0


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def next_edge(edge: cython.int) -> cython.int:
    """The next edge of the same triangle."""
    return edge - 2 if edge % 3 == 2 else edge + 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def pair_edges(twins: cython.int[::1], a: cython.int, b: cython.int) -> cython.int:
    """Make two edges the two sides of one; either may be the outside, -1."""
    if a >= 0:
        twins[a] = b
    if b >= 0:
        twins[b] = a
    return b


@cython.cfunc
@cython.exceptval(check=False)
def legalise(
    xs: cython.const[cython.longlong][::1],
    ys: cython.const[cython.longlong][::1],
    corners: cython.int[::1],
    twins: cython.int[::1],
    hull: cython.int[:, ::1],
    stack: cython.int[::1],
    count: cython.Py_ssize_t,
) -> cython.longlong:
    """Flip the edges on the stack, and those behind them, until no circle through a triangle holds the corner beyond
    (Lawson 1977).
    """
    used: cython.longlong = 0
    a: cython.int
    a1: cython.int
    a2: cython.int
    b: cython.int
    b1: cython.int
    b2: cython.int
    p: cython.int
    q: cython.int
    beyond: cython.int
    behind: cython.int
    while count > 0:
        count -= 1
        used += 1
        a = stack[count]
        b = twins[a]
        if b < 0:
            continue
        a1 = next_edge(a)
        a2 = next_edge(a1)
        b1 = next_edge(b)
        b2 = next_edge(b1)
        p = corners[a2]
        q = corners[b2]
        if not is_in_circle(xs, ys, corners[a], corners[a1], p, q):
            continue
        #     p              p          u = corners[a], v = corners[a1]
        #    /|\            / \
        #   u | v    ->    u---v  turned by a quarter: the edge u-v becomes the edge p-q
        beyond = twins[b2]
        behind = twins[a2]
        corners[a] = q
        corners[b] = p
        pair_edges(twins, a, beyond)
        pair_edges(twins, b, behind)
        pair_edges(twins, a2, b2)
        if beyond < 0:
            hull[q, 2] = a
        if behind < 0:
            hull[p, 2] = b
        stack[count] = a
        stack[count + 1] = b1
        count += 2
    return used


@cython.cfunc
@cython.exceptval(check=False)
def build_fan(
    xs: cython.const[cython.longlong][::1],
    ys: cython.const[cython.longlong][::1],
    corners: cython.int[::1],
    twins: cython.int[::1],
    hull: cython.int[:, ::1],
    apex: cython.int,
) -> cython.int:
    """Join the points before the apex, which lie on a line, to it; returns the number of triangles."""
    k: cython.int
    ahead: cython.bint = signed_area(xs, ys, 0, 1, apex) > 0
    u: cython.int
    v: cython.int
    e: cython.int
    for k in range(apex - 1):
        u = k if ahead else k + 1
        v = k + 1 if ahead else k
        e = 3 * k
        corners[e] = u
        corners[e + 1] = v
        corners[e + 2] = apex
        twins[e] = -1
        twins[e + 1] = -1
        twins[e + 2] = -1
        if k > 0:
            pair_edges(twins, e + 2 if ahead else e + 1, e - 2 if ahead else e - 1)
        hull[u, 1] = v
        hull[v, 0] = u
        hull[u, 2] = e
    u = apex - 1 if ahead else 0  # the end of the line, from which the border goes to the apex and on to the other end
    v = 0 if ahead else apex - 1
    hull[u, 1] = apex
    hull[u, 2] = 3 * (apex - 2) + 1 if ahead else 1
    hull[apex, 0] = u
    hull[apex, 1] = v
    hull[apex, 2] = 2 if ahead else 3 * (apex - 2) + 2
    hull[v, 0] = apex
    return apex - 1


def triangulate(
    state: cython.longlong[::1],
    xs: cython.const[cython.longlong][::1],
    ys: cython.const[cython.longlong][::1],
    corners: cython.int[::1],
    twins: cython.int[::1],
    hull: cython.int[:, ::1],
    stack: cython.int[::1],
    fuel: cython.longlong,
) -> cython.longlong:
    """The Delaunay triangulation of points that are sorted by x, then y, no two alike; none if all lie on a line.

    Each point is joined to the part of the border that it sees, then edges are flipped. A point comes after all others
    in the order, so it lies outside, and sees an edge beside the point before it. Edge e goes from `corners[e]` to that
    of the next edge of its triangle (three edges in a row), and `twins[e]` is the same edge of the neighbour, or -1. A
    row of `hull` is the point before, the point after, and the edge to that. `state` is [points done, triangles].
    """
    used: cython.longlong = 0
    n: cython.int = xs.shape[0]
    p: cython.int = state[0]
    count: cython.int = state[1]
    u: cython.int
    v: cython.int
    first: cython.int
    last: cython.int
    e: cython.int
    waiting: cython.Py_ssize_t
    while p < n and used < fuel:
        used += 4
        if count == 0:
            if p >= 2 and signed_area(xs, ys, 0, 1, p) != 0:
                count = build_fan(xs, ys, corners, twins, hull, p)
                used += 4 * count
            p += 1
            continue
        first = p - 1
        while signed_area(xs, ys, hull[first, 0], first, p) < 0:
            first = hull[first, 0]
        last = p - 1
        while signed_area(xs, ys, last, hull[last, 1], p) < 0:
            last = hull[last, 1]
        waiting = 0
        u = first
        while u != last:
            v = hull[u, 1]
            e = 3 * count
            count += 1
            corners[e] = v
            corners[e + 1] = u
            corners[e + 2] = p
            pair_edges(twins, e, hull[u, 2])
            pair_edges(twins, e + 1, -1 if u == first else e - 1)
            twins[e + 2] = -1
            if u == first:
                hull[p, 0] = u
            stack[waiting] = e
            waiting += 1
            used += 4
            u = v
        hull[first, 1] = p
        hull[first, 2] = 3 * (count - cython.cast(cython.int, waiting)) + 1
        hull[p, 1] = last
        hull[p, 2] = 3 * count - 1
        hull[last, 0] = p
        used += 4 * legalise(xs, ys, corners, twins, hull, stack, waiting)
        p += 1
    state[0] = p
    state[1] = count
    return used


def list_triangle_edges(
    corners: cython.const[cython.int][::1],
    twins: cython.const[cython.int][::1],
    numbers: cython.const[cython.longlong][::1],
    triangles: cython.Py_ssize_t,
    pairs: cython.int[:, ::1],
) -> cython.Py_ssize_t:
    """The edges of a triangulation, each once, as pairs of the points' own numbers, the smaller first. Returns how many
    there are.
    """
    edge: cython.int
    count: cython.Py_ssize_t = 0
    a: cython.longlong
    b: cython.longlong
    for edge in range(3 * triangles):
        if twins[edge] < edge:
            a = numbers[corners[edge]]
            b = numbers[corners[next_edge(edge)]]
            pairs[count, 0] = cython.cast(cython.int, smaller(a, b))
            pairs[count, 1] = cython.cast(cython.int, larger(a, b))
            count += 1
    return count


def measure_edges(
    edges: cython.const[cython.int][:, ::1],
    points: cython.const[cython.longlong][:, ::1],
    squares: cython.longlong[::1],
    ranks: cython.longlong[::1],
) -> None:
    """The squared length of each edge between two points, and its rank by its smaller, then its larger point."""
    k: cython.Py_ssize_t
    dx: cython.longlong
    dy: cython.longlong
    for k in range(edges.shape[0]):
        dx = points[edges[k, 0], 0] - points[edges[k, 1], 0]
        dy = points[edges[k, 0], 1] - points[edges[k, 1], 1]
        squares[k] = dx * dx + dy * dy
        ranks[k] = edges[k, 0] * cython.cast(cython.longlong, points.shape[0]) + edges[k, 1]


def select_spanning_edges(
    edges: cython.const[cython.int][:, ::1],
    parent: cython.int[::1],
    stays: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    extra: cython.ulonglong,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> cython.longlong:
    """Keep each edge, shortest first, that joins separate parts (Kruskal 1956), and each other edge with a chance."""
    k: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    for k in range(first, last):
        a = root(parent, edges[k, 0])
        b = root(parent, edges[k, 1])
        if a != b:
            join_roots(parent, a, b)
            stays[k] = 1
        else:
            stays[k] = draw(rng) < extra
    return 4 * (last - first)


# --- hallways ---------------------------------------------------------------------------------------------------------


@cython.cfunc
@cython.exceptval(check=False)
def find_middle_cell(
    labels: cython.const[cython.int][::1],
    boxes: cython.const[cython.int][:, ::1],
    label: cython.int,
    width: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The cell in the middle of a region's box, or the cell of the region nearest to that; -1 if it has none."""
    x: cython.int = boxes[label - 1, 0]
    y: cython.int = boxes[label - 1, 1]
    w: cython.int = boxes[label - 1, 2]
    h: cython.int = boxes[label - 1, 3]
    best: cython.Py_ssize_t = -1
    least: cython.longlong = 0
    far: cython.longlong
    at: cython.Py_ssize_t
    i: cython.int
    j: cython.int
    at = cython.cast(cython.Py_ssize_t, y + h // 2) * width + x + w // 2
    if w > 0 and h > 0 and labels[at] == label:
        return at
    for j in range(h):
        for i in range(w):
            at = cython.cast(cython.Py_ssize_t, y + j) * width + x + i
            if labels[at] == label:
                far = cython.cast(cython.longlong, i - w // 2) * (i - w // 2) + cython.cast(
                    cython.longlong, j - h // 2
                ) * (j - h // 2)
                if best < 0 or far < least:
                    best = at
                    least = far
    return best


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def middle_search_cost(
    boxes: cython.const[cython.int][:, ::1], label: cython.int, found: cython.Py_ssize_t, width: cython.Py_ssize_t
) -> cython.longlong:
    """How many cells it took to find the middle of a region."""
    y: cython.Py_ssize_t = boxes[label - 1, 1] + boxes[label - 1, 3] // 2
    return (
        0
        if found == y * width + boxes[label - 1, 0] + boxes[label - 1, 2] // 2
        else cython.cast(cython.longlong, boxes[label - 1, 2]) * boxes[label - 1, 3]
    )


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def find_facing_cell(
    labels: cython.const[cython.int][::1],
    boxes: cython.const[cython.int][:, ::1],
    label: cython.int,
    line: cython.int,
    upright: cython.bint,
    far: cython.bint,
    width: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The first cell of a region on a column (upright) or row of its box, from the far or the near end; -1 if there is
    none.
    """
    start: cython.Py_ssize_t = boxes[label - 1, 1 if upright else 0]
    size: cython.Py_ssize_t = boxes[label - 1, 3 if upright else 2]
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for k in range(size):
        i = start + (size - 1 - k if far else k)
        i = i * width + line if upright else line * width + i
        if labels[i] == label:
            return i
    return -1


def dig_hallways(
    state: cython.longlong[::1],
    tiles: cython.uchar[::1],
    open_codes: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    boxes: cython.const[cython.int][:, ::1],
    is_cell: cython.const[cython.uchar][::1],
    links: cython.const[cython.int][:, ::1],
    ends: cython.int[:, ::1],
    touched: cython.uchar[::1],
    dug: cython.uchar[::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    straight: cython.bint,
    floor: cython.uchar,
    corridor: cython.uchar,
    fuel: cython.longlong,
) -> cython.longlong:
    """Dig a hallway for each link, up to where it meets its goal: straight where two regions face each other, else
    around a random corner.

    What it digs is marked; cells (in the sense of regions) that it passes are touched, not dug. `ends` gets the first
    and last place outside of the two regions, or -1, or -2 if one of them has no cell. `state` is [next link].
    """
    used: cython.longlong = 0
    k: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    low: cython.int
    high: cython.int
    line: cython.int
    axis: cython.int
    here: cython.Py_ssize_t
    goal: cython.Py_ssize_t
    first: cython.Py_ssize_t
    second: cython.Py_ssize_t
    before: cython.Py_ssize_t
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    goal_x: cython.Py_ssize_t
    goal_y: cython.Py_ssize_t
    flat_first: cython.bint
    turn: cython.int
    while state[0] < links.shape[0] and used < fuel:
        k = state[0]
        state[0] += 1
        used += 4
        a = links[k, 0]
        b = links[k, 1]
        ends[k, 0] = -2
        ends[k, 1] = -2
        here = -1
        goal = -1
        for axis in range(2 if straight else 0):  # 0: they share columns, 1: they share rows
            low = cython.cast(cython.int, larger(boxes[a - 1, axis], boxes[b - 1, axis]))
            high = cython.cast(
                cython.int,
                smaller(boxes[a - 1, axis] + boxes[a - 1, axis + 2], boxes[b - 1, axis] + boxes[b - 1, axis + 2]),
            )
            if low < high and here < 0:
                line = low + below(rng, high - low)
                first = find_facing_cell(
                    labels, boxes, a, line, axis == 0, boxes[a - 1, 1 - axis] < boxes[b - 1, 1 - axis], width
                )
                second = find_facing_cell(
                    labels, boxes, b, line, axis == 0, boxes[a - 1, 1 - axis] > boxes[b - 1, 1 - axis], width
                )
                if first >= 0 and second >= 0:
                    here = first
                    goal = second
        if here < 0:
            here = find_middle_cell(labels, boxes, a, width)
            goal = find_middle_cell(labels, boxes, b, width)
            used += 1 + middle_search_cost(boxes, a, here, width) + middle_search_cost(boxes, b, goal, width)
            if here < 0 or goal < 0:
                continue
        goal_x = goal % width
        goal_y = goal // width
        flat_first = below(rng, 2) == 0
        ends[k, 0] = -1
        ends[k, 1] = -1
        for turn in range(2):  # first without digging: a path may leave a region that is no box and enter it again
            x = here % width
            y = here // width
            before = here
            while labels[here] != b:
                used += 1
                if turn == 0:
                    if labels[here] == a:
                        before = here
                elif labels[here] > 0 and is_cell[labels[here]]:
                    touched[labels[here]] = 1
                elif open_codes[tiles[here]] == 0:
                    tiles[here] = corridor if labels[here] == 0 else floor
                    dug[here] = labels[here] == 0
                if turn == 1 and labels[here] != a:
                    ends[k, 1] = here
                    if ends[k, 0] < 0:
                        ends[k, 0] = here
                if x != goal_x and (flat_first or y == goal_y):
                    x += 1 if x < goal_x else -1
                else:
                    y += 1 if y < goal_y else -1
                here = y * width + x
            here = before
    return used


def find_doorways(
    dug: cython.const[cython.uchar][::1],
    open_cells: cython.const[cython.uchar][::1],
    labels: cython.const[cython.int][::1],
    is_room: cython.const[cython.uchar][::1],
    found: cython.int[:, ::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Dug cells between two walls, open before and behind, one of these a room: as rows cell, cell on one side, cell on
    the other.

    Returns how many there are; only those that fit are written.
    """
    count: cython.Py_ssize_t = 0
    x: cython.Py_ssize_t
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    way: cython.Py_ssize_t
    wall: cython.Py_ssize_t
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            i = y * width + x
            if dug[i] == 0:
                continue
            way = 1 if open_cells[i - 1] else width
            wall = width + 1 - way
            if open_cells[i - way] == 0 or open_cells[i + way] == 0 or open_cells[i - wall] or open_cells[i + wall]:
                continue
            if is_room[labels[i - way]] == 0 and is_room[labels[i + way]] == 0:
                continue
            if count < found.shape[0]:
                found[count, 0] = i
                found[count, 1] = i - way
                found[count, 2] = i + way
            count += 1
    return count


def paint_regions(
    labels: cython.const[cython.int][::1],
    is_painted: cython.const[cython.uchar][::1],
    tiles: cython.uchar[::1],
    tile: cython.uchar,
    dug: cython.uchar[::1],
    digs: cython.bint,
) -> None:
    """Draw the cells of regions, by their labels; `dug` becomes 1 for them if they are dug."""
    i: cython.Py_ssize_t
    for i in range(labels.shape[0]):
        if is_painted[labels[i]]:
            tiles[i] = tile
            dug[i] |= digs


def hang_doors(
    rows: cython.int[:, ::1],
    tiles: cython.uchar[::1],
    is_door: cython.const[cython.uchar][::1],
    rng: cython.ulonglong[::1],
    width: cython.Py_ssize_t,
    chance: cython.ulonglong,
    door: cython.uchar,
) -> cython.Py_ssize_t:
    """Hang a door in each doorway with a chance, unless it would touch another door. Rows with a door move to the
    front; returns how many there are.
    """
    count: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    side: cython.int
    near: cython.bint
    for k in range(rows.shape[0]):
        i = rows[k, 0]
        near = False
        for side in range(3):
            near = (
                near
                or is_door[tiles[i - width + side - 1]]
                or is_door[tiles[i + side - 1]]
                or is_door[tiles[i + width + side - 1]]
            )
        if draw(rng) < chance and not near:
            tiles[i] = door
            for side in range(3):
                rows[count, side] = rows[k, side]
            count += 1
    return count


def label_corridors(
    state: cython.longlong[::1],
    dug: cython.const[cython.uchar][::1],
    labels: cython.int[::1],
    stack: cython.int[::1],
    found: cython.int[:, ::1],
    width: cython.int,
    height: cython.int,
    first: cython.int,
    fuel: cython.longlong,
) -> cython.longlong:
    """Label the connected parts of the dug cells, from `first` on. None of these cells has a label before.

    A row of `found` is x, y, width, height and area. `state` is [next cell, parts].
    """
    used: cython.longlong = 0
    at: cython.Py_ssize_t = state[0]
    part: cython.Py_ssize_t = state[1]
    count: cython.Py_ssize_t
    i: cython.int
    near: cython.int
    side: cython.int
    x: cython.int
    y: cython.int
    while at < dug.shape[0] and used < fuel:
        i = at
        at += 1
        if dug[i] == 0:
            continue
        used += 1
        if labels[i]:
            continue
        labels[i] = first + cython.cast(cython.int, part)
        stack[0] = i
        count = 1
        found[part, 0] = i % width
        found[part, 1] = i // width
        found[part, 2] = found[part, 0]
        found[part, 3] = found[part, 1]
        found[part, 4] = 0
        while count > 0:
            count -= 1
            i = stack[count]
            used += 1
            x = i % width
            y = i // width
            found[part, 0] = cython.cast(cython.int, smaller(found[part, 0], x))
            found[part, 1] = cython.cast(cython.int, smaller(found[part, 1], y))
            found[part, 2] = cython.cast(cython.int, larger(found[part, 2], x))
            found[part, 3] = cython.cast(cython.int, larger(found[part, 3], y))
            found[part, 4] += 1
            for side in range(4):
                if x == 0 if side == 0 else x + 1 == width if side == 1 else y == 0 if side == 2 else y + 1 == height:
                    continue
                near = i - 1 if side == 0 else i + 1 if side == 1 else i - width if side == 2 else i + width
                if dug[near] and labels[near] == 0:
                    labels[near] = first + cython.cast(cython.int, part)
                    stack[count] = near
                    count += 1
        found[part, 2] += 1 - found[part, 0]
        found[part, 3] += 1 - found[part, 1]
        part += 1
    state[0] = at
    state[1] = part
    return used
