# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Read and write tables of regions, doors and links as bytes, in one call each: for the few rows of a small level,
NumPy takes many times as long as the work itself.

The rows are those of `REGION_DTYPE`, `DOOR_DTYPE` and `LINK_DTYPE` in `core/region.py`, with the lowest byte of a
number first.
"""

from __future__ import annotations

import cython

REGION_BYTES = cython.declare(cython.Py_ssize_t, 21)
"""A kind, then x, y, width, height and area with four bytes each."""
DOOR_BYTES = cython.declare(cython.Py_ssize_t, 17)
"""Its x and y and two labels with four bytes each, then a state."""
LINK_BYTES = cython.declare(cython.Py_ssize_t, 14)
"""Two labels with four bytes each, a kind, a door with four bytes, and whether it is carved."""


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def read_number(rows: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.int:
    """The number in four bytes."""
    high: cython.int = rows[at + 3]
    if high > 127:
        high -= 256
    return rows[at] + 256 * rows[at + 1] + 65536 * rows[at + 2] + 16777216 * high


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def write_number(rows: cython.uchar[::1], at: cython.Py_ssize_t, value: cython.int) -> cython.Py_ssize_t:
    """Write a number into four bytes. Returns where the next ones are."""
    rows[at] = value & 255
    rows[at + 1] = (value >> 8) & 255
    rows[at + 2] = (value >> 16) & 255
    rows[at + 3] = (value >> 24) & 255
    return at + 4


def list_boxes(
    rows: cython.const[cython.uchar][::1],
    is_listed: cython.const[cython.uchar][::1],
    least_area: cython.int,
    filled: cython.bint,
    boxes: cython.int[:, ::1],
    numbers: cython.int[::1],
) -> cython.Py_ssize_t:
    """List the boxes of regions, and which rows they are: of the listed kinds, with that area or more, and only those
    that fill their boxes if `filled` says so. Returns how many there are.
    """
    count: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    area: cython.int
    for k in range(rows.shape[0] // REGION_BYTES):
        at = REGION_BYTES * k
        area = read_number(rows, at + 17)
        if is_listed[rows[at]] == 0 or area < least_area:
            continue
        boxes[count, 0] = read_number(rows, at + 1)
        boxes[count, 1] = read_number(rows, at + 5)
        boxes[count, 2] = read_number(rows, at + 9)
        boxes[count, 3] = read_number(rows, at + 13)
        if filled and area != boxes[count, 2] * boxes[count, 3]:
            continue
        numbers[count] = k
        count += 1
    return count


def select_regions(
    labels: cython.const[cython.int][::1],
    rows: cython.const[cython.uchar][::1],
    stays: cython.const[cython.uchar][::1],
    names: cython.int[::1],
    out_labels: cython.int[::1],
    out_rows: cython.uchar[::1],
) -> None:
    """Copy the regions that stay, numbered anew; cells of the others get the label 0. `names` gets the new label of
    each old one, 0 for a region that is gone.
    """
    count: cython.int = 0
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    names[0] = 0
    for k in range(stays.shape[0]):
        names[k + 1] = 0
        if stays[k]:
            for i in range(REGION_BYTES):
                out_rows[REGION_BYTES * count + i] = rows[REGION_BYTES * k + i]
            count += 1
            names[k + 1] = count
    for i in range(labels.shape[0]):
        out_labels[i] = names[labels[i]]


def rename_regions(
    labels: cython.const[cython.int][::1],
    rows: cython.const[cython.uchar][::1],
    doors: cython.const[cython.uchar][::1],
    links: cython.const[cython.uchar][::1],
    names: cython.const[cython.int][::1],
    one_way: cython.uchar,
    out_labels: cython.int[::1],
    out_rows: cython.uchar[::1],
    out_doors: cython.uchar[::1],
    out_links: cython.uchar[::1],
) -> None:
    """Copy regions, doors and links with other labels: `names` has the new label of each, and 0 for 0. Of the two
    labels of a door or a link the smaller comes first, but for links of the kind `one_way` and beside 0.
    """
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    to: cython.Py_ssize_t
    for i in range(labels.shape[0]):
        out_labels[i] = names[labels[i]]
    for k in range(rows.shape[0] // REGION_BYTES):
        to = REGION_BYTES * (names[k + 1] - 1)
        for i in range(REGION_BYTES):
            out_rows[to + i] = rows[REGION_BYTES * k + i]
    for i in range(doors.shape[0]):
        out_doors[i] = doors[i]
    for k in range(doors.shape[0] // DOOR_BYTES):
        rename_pair(out_doors, DOOR_BYTES * k + 8, names, 0)
    for i in range(links.shape[0]):
        out_links[i] = links[i]
    for k in range(links.shape[0] // LINK_BYTES):
        rename_pair(out_links, LINK_BYTES * k, names, links[LINK_BYTES * k + 8] == one_way)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def rename_pair(
    rows: cython.uchar[::1],
    at: cython.Py_ssize_t,
    names: cython.const[cython.int][::1],
    is_ordered: cython.bint,
) -> cython.Py_ssize_t:
    """Give two labels in a row their new names, the smaller first unless they are in an order of their own. Labels
    that are no region's stay.
    """
    a: cython.int = read_number(rows, at)
    b: cython.int = read_number(rows, at + 4)
    swap: cython.int
    if 0 < a < names.shape[0]:
        a = names[a]
    if 0 < b < names.shape[0]:
        b = names[b]
    if a > b and b > 0 and not is_ordered:
        swap = a
        a = b
        b = swap
    return write_number(rows, write_number(rows, at, a), b)


def write_regions(
    rows: cython.uchar[::1], first: cython.Py_ssize_t, boxes: cython.const[cython.int][:, ::1], kind: cython.uchar
) -> None:
    """Write regions of a kind, from that row on. A row of `boxes` is x, y, width, height and, unless they fill their
    boxes, the area.
    """
    k: cython.Py_ssize_t
    column: cython.int
    at: cython.Py_ssize_t
    for k in range(boxes.shape[0]):
        at = REGION_BYTES * (first + k)
        rows[at] = kind
        at += 1
        for column in range(4):
            at = write_number(rows, at, boxes[k, column])
        write_number(rows, at, boxes[k, 4] if boxes.shape[1] > 4 else boxes[k, 2] * boxes[k, 3])


def write_doors(rows: cython.uchar[::1], doors: cython.const[cython.int][:, ::1], least_class: cython.int) -> None:
    """Write doors, given as rows x, y, label, label and class; the least class is the first state."""
    k: cython.Py_ssize_t
    column: cython.int
    at: cython.Py_ssize_t
    for k in range(doors.shape[0]):
        at = DOOR_BYTES * k
        for column in range(4):
            at = write_number(rows, at, doors[k, column])
        rows[at] = doors[k, 4] - least_class


def write_door_links(rows: cython.uchar[::1], doors: cython.const[cython.uchar][::1]) -> None:
    """Write a carved link for each door between two regions; its kind is the state of the door."""
    count: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for k in range(doors.shape[0] // DOOR_BYTES):
        if read_number(doors, DOOR_BYTES * k + 12) == 0:
            continue
        at = LINK_BYTES * count
        for i in range(9):  # both labels and the state
            rows[at + i] = doors[DOOR_BYTES * k + 8 + i]
        at = write_number(rows, at + 9, k)
        rows[at] = 1
        count += 1


def write_links(
    rows: cython.uchar[::1],
    kind: cython.uchar,
    labels: cython.const[cython.int][::1],
    pairs: cython.const[cython.int][:, ::1],
) -> None:
    """Write links of a kind that are not carved and have no door, for pairs of indices into `labels`; the smaller label
    first.
    """
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    for k in range(pairs.shape[0]):
        a = labels[pairs[k, 0]]
        b = labels[pairs[k, 1]]
        at = write_number(rows, LINK_BYTES * k, a if a < b else b)
        at = write_number(rows, at, b if a < b else a)
        rows[at] = kind
        at = write_number(rows, at + 1, -1)
        rows[at] = 0


def list_planned_links(
    rows: cython.const[cython.uchar][::1],
    copy: cython.uchar[::1],
    pairs: cython.int[:, ::1],
    numbers: cython.int[::1],
) -> cython.Py_ssize_t:
    """Copy links, and list the two labels of those that are not carved yet and join two regions, with the rows that
    they are. Returns how many there are.
    """
    count: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for at in range(rows.shape[0]):
        copy[at] = rows[at]
    for k in range(rows.shape[0] // LINK_BYTES):
        at = LINK_BYTES * k
        pairs[count, 0] = read_number(rows, at)
        pairs[count, 1] = read_number(rows, at + 4)
        if rows[at + 13] == 0 and pairs[count, 0] > 0 and pairs[count, 1] > 0:
            numbers[count] = k
            count += 1
    return count


def carve_links(
    rows: cython.uchar[::1],
    names: cython.const[cython.int][::1],
    numbers: cython.const[cython.int][::1],
    ends: cython.const[cython.int][:, ::1],
) -> cython.Py_ssize_t:
    """Mark the listed links as carved unless their hallway has the end -2. `names` has a new label for each label, or
    is empty. Returns how many of all links join two regions.
    """
    count: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    side: cython.int
    label: cython.int
    joined: cython.int
    for k in range(numbers.shape[0]):
        rows[LINK_BYTES * numbers[k] + 13] = ends[k, 0] > -2
    for k in range(rows.shape[0] // LINK_BYTES):
        joined = 0
        for side in range(2):
            at = LINK_BYTES * k + 4 * side
            label = read_number(rows, at)
            if names.shape[0] > 0:
                label = names[label] if label > 0 else 0
                write_number(rows, at, label)
            joined += label > 0
        count += joined == 2
    return count
