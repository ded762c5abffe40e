# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Rasterise shapes: how much of each pixel a shape covers, from 0 to 255, and blending colours by that.

A mask is a grid of bytes, one a pixel; coordinates are pixels, and a pixel's middle is half a pixel from its corner.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import floor, sqrt
else:
    from math import floor, sqrt

SCANLINES_PER_ROW = cython.declare(cython.int, 4)  # lines through each row of pixels at which a shape is sampled


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def clamp_index(value: cython.double, most: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The value as a whole number, limited to 0 to `most`."""
    if not value > 0.0:
        return 0
    if value >= most:
        return most
    return cython.cast(cython.Py_ssize_t, value)


def count_crossings(
    points: cython.const[cython.double][:, ::1], ends: cython.const[cython.longlong][::1], counts: cython.int[::1]
) -> cython.longlong:
    """How often closed lines cross each of the lines through the rows of pixels; `counts` begins as 0. Returns the
    total.
    """
    lines: cython.Py_ssize_t = counts.shape[0]
    line: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    here: cython.Py_ssize_t
    before: cython.Py_ssize_t
    row: cython.Py_ssize_t
    last: cython.Py_ssize_t
    y0: cython.double
    y1: cython.double
    found: cython.longlong = 0
    for line in range(ends.shape[0]):
        before = ends[line] - 1
        for here in range(first, ends[line]):
            y0 = points[before, 1]
            y1 = points[here, 1]
            before = here
            if y0 > y1:
                y0, y1 = y1, y0
            row = clamp_index(floor(y0 * SCANLINES_PER_ROW + 0.5), lines)
            last = clamp_index(floor(y1 * SCANLINES_PER_ROW + 0.5), lines)
            found += last - row
            while row < last:
                counts[row] += 1
                row += 1
        first = ends[line]
    return found


def find_crossings(
    points: cython.const[cython.double][:, ::1],
    ends: cython.const[cython.longlong][::1],
    places: cython.longlong[::1],
    crossings: cython.double[::1],
) -> None:
    """Write where closed lines cross these lines. `places` is where the crossings of each line begin, and afterwards
    where they end.
    """
    lines: cython.Py_ssize_t = places.shape[0]
    line: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    here: cython.Py_ssize_t
    before: cython.Py_ssize_t
    row: cython.Py_ssize_t
    last: cython.Py_ssize_t
    x0: cython.double
    y0: cython.double
    x1: cython.double
    y1: cython.double
    slope: cython.double
    for line in range(ends.shape[0]):
        before = ends[line] - 1
        for here in range(first, ends[line]):
            x0 = points[before, 0]
            y0 = points[before, 1]
            x1 = points[here, 0]
            y1 = points[here, 1]
            before = here
            if y0 > y1:
                x0, x1 = x1, x0
                y0, y1 = y1, y0
            row = clamp_index(floor(y0 * SCANLINES_PER_ROW + 0.5), lines)
            last = clamp_index(floor(y1 * SCANLINES_PER_ROW + 0.5), lines)
            if row >= last:
                continue
            slope = (x1 - x0) / (y1 - y0)
            while row < last:
                crossings[places[row]] = x0 + ((row + 0.5) / SCANLINES_PER_ROW - y0) * slope
                places[row] += 1
                row += 1
        first = ends[line]


@cython.cfunc
@cython.exceptval(check=False)
def sort_numbers(numbers: cython.double[::1], first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
    """Put some numbers in order (Shell 1959, with Ciura's gaps)."""
    gap: cython.Py_ssize_t = 1
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    number: cython.double
    while gap < (last - first) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(first + gap, last):
            number = numbers[i]
            k = i
            while k >= first + gap and numbers[k - gap] > number:
                numbers[k] = numbers[k - gap]
                k -= gap
            numbers[k] = number
        gap = gap // 3


def fill_spans(
    crossings: cython.double[::1],
    places: cython.const[cython.longlong][::1],
    sums: cython.double[:, ::1],
    mask: cython.uchar[:, ::1],
    top: cython.Py_ssize_t,
) -> None:
    """Cover the pixels between the first and the second crossing of each line, the third and the fourth, and so on.

    The lines' crossings end at `places`. The first of them are in the row `top` of the mask. `sums` is work space for
    two rows that are longer by 2, and begins as 0.
    """
    width: cython.Py_ssize_t = mask.shape[1]
    line: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    low: cython.Py_ssize_t = width
    high: cython.Py_ssize_t = 0
    x0: cython.double
    x1: cython.double
    level: cython.double
    covered: cython.double
    whole: cython.int
    for line in range(places.shape[0]):
        sort_numbers(crossings, first, places[line])
        i = first
        while i + 1 < places[line]:
            x0 = crossings[i]
            x1 = crossings[i + 1]
            i += 2
            if x0 < 0.0:
                x0 = 0.0
            if x1 > width:
                x1 = width
            if x0 >= x1:
                continue
            a = cython.cast(cython.Py_ssize_t, x0)
            b = cython.cast(cython.Py_ssize_t, x1)
            if a < low:
                low = a
            if b + 1 > high:
                high = b + 1
            if a == b:
                sums[1, a] += x1 - x0
            else:
                sums[1, a] += a + 1 - x0
                sums[1, b] += x1 - b
                sums[0, a + 1] += 1.0
                sums[0, b] -= 1.0
        first = places[line]
        if (line + 1) % SCANLINES_PER_ROW == 0 and low < high:
            level = 0.0
            for i in range(low, high if high < width else width):
                level += sums[0, i]
                covered = (level + sums[1, i]) * (255.0 / SCANLINES_PER_ROW) + 0.5
                sums[0, i] = 0.0
                sums[1, i] = 0.0
                whole = cython.cast(cython.int, covered)
                mask[top + line // SCANLINES_PER_ROW, i] = 255 if whole > 255 else whole
            for i in range(width, width + 2):
                sums[0, i] = 0.0
                sums[1, i] = 0.0
            low = width
            high = 0


@cython.cfunc
@cython.exceptval(check=False)
def cover_segment(
    mask: cython.uchar[:, ::1],
    x0: cython.double,
    y0: cython.double,
    x1: cython.double,
    y1: cython.double,
    radius: cython.double,
    round_start: cython.bint,
    round_end: cython.bint,
) -> cython.void:
    """Cover a straight stroke, with round or flat ends. Covered pixels stay covered."""
    height: cython.Py_ssize_t = mask.shape[0]
    width: cython.Py_ssize_t = mask.shape[1]
    across: cython.double = x1 - x0
    down: cython.double = y1 - y0
    length: cython.double = sqrt(across * across + down * down)
    reach: cython.double = radius + 0.75
    low: cython.double
    high: cython.double
    slant: cython.double
    middle: cython.double
    along: cython.double
    off: cython.double
    covered: cython.double
    left: cython.double
    right: cython.double
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    last: cython.Py_ssize_t
    x: cython.double
    y: cython.double
    value: cython.int
    if length > 1e-9:
        across /= length
        down /= length
    else:
        across = 1.0
        down = 0.0
        length = 0.0
        if not round_start and not round_end:
            return
    low = (x0 if x0 < x1 else x1) - reach
    high = (x0 if x0 > x1 else x1) + reach
    slant = reach / (down if down > 0.0 else -down) if down > 1e-6 or down < -1e-6 else 1e12
    row = clamp_index((y0 if y0 < y1 else y1) - reach, height)
    last = clamp_index((y0 if y0 > y1 else y1) + reach + 1.0, height)
    while row < last:
        y = row + 0.5 - y0
        left = low
        right = high
        if slant < 1e11:
            middle = x0 + y * across / down
            if middle - slant > left:
                left = middle - slant
            if middle + slant < right:
                right = middle + slant
        for column in range(clamp_index(left, width), clamp_index(right + 1.0, width)):
            x = column + 0.5 - x0
            along = x * across + y * down
            off = x * down - y * across
            if off < 0.0:
                off = -off
            if along < 0.0 and round_start:
                off = sqrt(off * off + along * along)
            elif along > length and round_end:
                off = sqrt(off * off + (along - length) * (along - length))
            covered = (radius if radius < off + 0.5 else off + 0.5) - (-radius if -radius > off - 0.5 else off - 0.5)
            if covered <= 0.0:
                continue
            if not round_start and along < 0.5:
                covered *= along + 0.5
            if not round_end and along > length - 0.5:
                covered *= length - along + 0.5
            if covered <= 0.0:
                continue
            value = 255 if covered >= 1.0 else cython.cast(cython.int, covered * 255.0 + 0.5)
            if value > mask[row, column]:
                mask[row, column] = value
        row += 1


def stroke(
    points: cython.const[cython.double][:, ::1],
    ends: cython.const[cython.longlong][::1],
    dash: cython.const[cython.double][::1],
    mask: cython.uchar[:, ::1],
    radius: cython.double,
    closed: cython.bint,
    is_round: cython.bint,
) -> None:
    """Cover strokes along lines: round where they bend, dashed if `dash` has lengths of dashes and gaps in turn."""
    line: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    here: cython.Py_ssize_t
    last: cython.Py_ssize_t
    after: cython.Py_ssize_t
    part: cython.Py_ssize_t
    parts: cython.Py_ssize_t = dash.shape[0]
    left: cython.double
    at: cython.double
    step: cython.double
    length: cython.double
    x: cython.double
    y: cython.double
    across: cython.double
    down: cython.double
    begun: cython.bint
    for line in range(ends.shape[0]):
        last = ends[line] if closed else ends[line] - 1
        if ends[line] == first + 1:
            if is_round:
                cover_segment(
                    mask, points[first, 0], points[first, 1], points[first, 0], points[first, 1], radius, True, True
                )
            first = ends[line]
            continue
        part = 0
        left = dash[0] if parts else 0.0
        begun = False
        for here in range(first, last):
            after = here + 1 if here + 1 < ends[line] else first
            x = points[here, 0]
            y = points[here, 1]
            across = points[after, 0] - x
            down = points[after, 1] - y
            if parts == 0:
                cover_segment(
                    mask,
                    x,
                    y,
                    x + across,
                    y + down,
                    radius,
                    is_round or closed or here > first,
                    is_round or closed or here + 1 < last,
                )
                continue
            length = sqrt(across * across + down * down)
            if length <= 0.0:
                continue
            at = 0.0
            while at < length:
                step = length - at if length - at < left else left
                if part % 2 == 0:
                    cover_segment(
                        mask,
                        x + across * (at / length),
                        y + down * (at / length),
                        x + across * ((at + step) / length),
                        y + down * ((at + step) / length),
                        radius,
                        is_round or begun,
                        is_round or step < left,
                    )
                    begun = step < left
                at += step
                left -= step
                if left <= 1e-9:
                    part = part + 1 if part + 1 < parts else 0
                    left = dash[part]
                    begun = False
        first = ends[line]


def blend_colour(
    pixels: cython.uchar[:, :, ::1],
    mask: cython.uchar[:, ::1],
    clip: cython.const[cython.uchar][:, ::1],
    box: cython.const[cython.longlong][::1],
    red: cython.int,
    green: cython.int,
    blue: cython.int,
    share: cython.int,
    crisp: cython.bint,
) -> None:
    """Blend a colour by the mask, by the clip if that has any rows, and by a share of 255; then clear the mask. `box`
    is left, top, right, bottom.
    """
    y: cython.Py_ssize_t
    x: cython.Py_ssize_t
    cover: cython.int
    clipped: cython.bint = clip.shape[0] > 0
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            cover = mask[y, x]
            if cover == 0:
                continue
            mask[y, x] = 0
            if crisp:
                cover = 255 if cover >= 128 else 0
            if clipped:
                cover = (cover * clip[y, x] + 127) // 255
            if share != 255:
                cover = (cover * share + 127) // 255
            if cover == 255:
                pixels[y, x, 0] = red
                pixels[y, x, 1] = green
                pixels[y, x, 2] = blue
            elif cover > 0:
                pixels[y, x, 0] = (pixels[y, x, 0] * (255 - cover) + red * cover + 127) // 255
                pixels[y, x, 1] = (pixels[y, x, 1] * (255 - cover) + green * cover + 127) // 255
                pixels[y, x, 2] = (pixels[y, x, 2] * (255 - cover) + blue * cover + 127) // 255
