# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The cave automaton, 64 cells a word.

A map is rows of words with one word of rim at each side and two rows of rim above and below. The cells around a cell
are counted column by column: a column of height 1, 3 or 5 is a number of one to three bits, held as bit planes, and the
columns at -2 ... +2 are added with full adders. So a neighbourhood is five column heights: (0, 3, 3, 3, 0) is the 3x3
square, (3, 5, 5, 5, 3) the 5x5 square without its corners.
"""

from __future__ import annotations

import cython

ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def shift_left(word: cython.ulonglong, count: cython.int) -> cython.ulonglong:
    """Shift left and drop the bits beyond the word. Compiled code needs no mask for that."""
    return word << count if cython.compiled else (word << count) & ALL_BITS


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def invert(word: cython.ulonglong) -> cython.ulonglong:
    return ~word if cython.compiled else word ^ ALL_BITS


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def close_row(
    new: cython.ulonglong[::1],
    row: cython.Py_ssize_t,
    words: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    end: cython.bint,
    outside: cython.ulonglong,
    ring: cython.bint,
) -> cython.int:
    """Make the border cells of a new row wall if the map has a ring of wall, and set the bits beyond its last cell to
    the value outside.
    """
    i: cython.Py_ssize_t
    spare: cython.int = width & 63
    one: cython.ulonglong = 1
    tail: cython.ulonglong = ALL_BITS if spare == 0 else (one << spare) - 1
    if ring:
        if end:
            for i in range(1, words + 1):
                new[row + i] = ALL_BITS
        new[row + 1] |= 1
        new[row + words] |= one << ((width - 1) & 63)
    new[row + words] = (new[row + words] & tail) | (outside & (tail ^ ALL_BITS))
    return 0


def smooth(
    old: cython.const[cython.ulonglong][::1],
    new: cython.ulonglong[::1],
    shape: cython.const[cython.int][::1],
    cutoffs: cython.const[cython.ulonglong][::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    outside: cython.ulonglong,
    ring: cython.bint,
    first_row: cython.Py_ssize_t,
    last_row: cython.Py_ssize_t,
) -> cython.longlong:
    """One round over some rows, for any neighbourhood: a cell is wall if the near count reaches its cutoff or the far
    count is below its own.

    `shape` says which planes to add up: those of the near side and near middle column (two bits each), of the far
    outer, inner and middle one (three bits each). Planes 0 is the column of height 1, 1 and 2 that of height 3, 3 to 5
    that of height 5, and 6 is zero. `cutoffs` holds the bits of both cutoffs as whole words: 4 of the near one, 5 of
    the far one (which is 1 more than the rule's "at most").
    """
    full: cython.ulonglong = ALL_BITS
    words: cython.Py_ssize_t = (width + 63) // 64
    stride: cython.Py_ssize_t = words + 2
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    word: cython.Py_ssize_t
    count: cython.Py_ssize_t
    r0: cython.Py_ssize_t
    r1: cython.Py_ssize_t
    r2: cython.Py_ssize_t
    r3: cython.Py_ssize_t
    r4: cython.Py_ssize_t
    out: cython.Py_ssize_t
    a: cython.ulonglong
    b: cython.ulonglong
    c: cython.ulonglong
    d: cython.ulonglong
    e: cython.ulonglong
    s: cython.ulonglong
    t: cython.ulonglong
    u: cython.ulonglong
    k1: cython.ulonglong
    k2: cython.ulonglong
    k3: cython.ulonglong
    k4: cython.ulonglong
    k5: cython.ulonglong
    k6: cython.ulonglong
    n0: cython.ulonglong
    n1: cython.ulonglong
    n2: cython.ulonglong
    n3: cython.ulonglong
    q: cython.ulonglong
    f0: cython.ulonglong
    f1: cython.ulonglong
    f2: cython.ulonglong
    f3: cython.ulonglong
    f4: cython.ulonglong
    near: cython.ulonglong
    far: cython.ulonglong
    # A row of planes, 64 words at a time. In a local array the compiler knows that nothing else points into it,
    # and uses vectors.
    planes = cython.declare(cython.ulonglong[462])
    if not cython.compiled:
        planes = [0] * 462
    for i in range(462):
        planes[i] = 0
    # where the bits of each column are: near side, near middle, far outer, far inner, far middle
    ns0: cython.Py_ssize_t = shape[0] * 66
    ns1: cython.Py_ssize_t = shape[1] * 66
    nm0: cython.Py_ssize_t = shape[2] * 66
    nm1: cython.Py_ssize_t = shape[3] * 66
    fo0: cython.Py_ssize_t = shape[4] * 66
    fo1: cython.Py_ssize_t = shape[5] * 66
    fo2: cython.Py_ssize_t = shape[6] * 66
    fi0: cython.Py_ssize_t = shape[7] * 66
    fi1: cython.Py_ssize_t = shape[8] * 66
    fi2: cython.Py_ssize_t = shape[9] * 66
    fm0: cython.Py_ssize_t = shape[10] * 66
    fm1: cython.Py_ssize_t = shape[11] * 66
    fm2: cython.Py_ssize_t = shape[12] * 66
    c0: cython.ulonglong = cutoffs[0] ^ full  # the complement: a comparison is a subtraction that does not borrow
    c1: cython.ulonglong = cutoffs[1] ^ full
    c2: cython.ulonglong = cutoffs[2] ^ full
    c3: cython.ulonglong = cutoffs[3] ^ full
    d0: cython.ulonglong = cutoffs[4] ^ full
    d1: cython.ulonglong = cutoffs[5] ^ full
    d2: cython.ulonglong = cutoffs[6] ^ full
    d3: cython.ulonglong = cutoffs[7] ^ full
    d4: cython.ulonglong = cutoffs[8] ^ full
    for y in range(first_row, last_row):
        out = (y + 2) * stride
        word = 0
        while word < words:
            count = words - word
            if count > 64:
                count = 64
            r0 = y * stride + word
            r1 = r0 + stride
            r2 = r1 + stride
            r3 = r2 + stride
            r4 = r3 + stride
            for i in range(count + 2):
                a = old[r1 + i]
                b = old[r2 + i]
                c = old[r3 + i]
                t = a ^ b
                s = t ^ c
                k1 = (a & b) | (t & c)
                planes[i] = b
                planes[66 + i] = s
                planes[132 + i] = k1
                d = old[r0 + i]
                e = old[r4 + i]
                t = s ^ d
                k2 = (s & d) | (t & e)
                planes[198 + i] = t ^ e
                planes[264 + i] = k1 ^ k2
                planes[330 + i] = k1 & k2
            for i in range(count):
                # the near count, three columns of two bits: n3 n2 n1 n0
                a = shift_left(planes[ns0 + i + 1], 1) | (planes[ns0 + i] >> 63)
                b = planes[nm0 + i + 1]
                c = (planes[ns0 + i + 1] >> 1) | shift_left(planes[ns0 + i + 2], 63)
                t = a ^ b
                n0 = t ^ c
                k1 = (a & b) | (t & c)
                a = shift_left(planes[ns1 + i + 1], 1) | (planes[ns1 + i] >> 63)
                b = planes[nm1 + i + 1]
                c = (planes[ns1 + i + 1] >> 1) | shift_left(planes[ns1 + i + 2], 63)
                t = a ^ b
                s = t ^ c
                k2 = (a & b) | (t & c)
                n1 = s ^ k1
                k3 = s & k1
                n2 = k2 ^ k3
                n3 = k2 & k3
                # the far count, five columns of three bits: ones
                a = shift_left(planes[fo0 + i + 1], 2) | (planes[fo0 + i] >> 62)
                b = shift_left(planes[fi0 + i + 1], 1) | (planes[fi0 + i] >> 63)
                c = planes[fm0 + i + 1]
                d = (planes[fi0 + i + 1] >> 1) | shift_left(planes[fi0 + i + 2], 63)
                e = (planes[fo0 + i + 1] >> 2) | shift_left(planes[fo0 + i + 2], 62)
                t = a ^ b
                s = t ^ c
                k1 = (a & b) | (t & c)
                t = s ^ d
                f0 = t ^ e
                k2 = (s & d) | (t & e)
                # twos, with the two carries
                a = shift_left(planes[fo1 + i + 1], 2) | (planes[fo1 + i] >> 62)
                b = shift_left(planes[fi1 + i + 1], 1) | (planes[fi1 + i] >> 63)
                c = planes[fm1 + i + 1]
                d = (planes[fi1 + i + 1] >> 1) | shift_left(planes[fi1 + i + 2], 63)
                e = (planes[fo1 + i + 1] >> 2) | shift_left(planes[fo1 + i + 2], 62)
                t = a ^ b
                s = t ^ c
                k3 = (a & b) | (t & c)
                t = d ^ e
                u = t ^ k1
                k4 = (d & e) | (t & k1)
                t = s ^ u
                f1 = t ^ k2
                k5 = (s & u) | (t & k2)
                # fours, with the three carries
                a = shift_left(planes[fo2 + i + 1], 2) | (planes[fo2 + i] >> 62)
                b = shift_left(planes[fi2 + i + 1], 1) | (planes[fi2 + i] >> 63)
                c = planes[fm2 + i + 1]
                d = (planes[fi2 + i + 1] >> 1) | shift_left(planes[fi2 + i + 2], 63)
                e = (planes[fo2 + i + 1] >> 2) | shift_left(planes[fo2 + i + 2], 62)
                t = a ^ b
                s = t ^ c
                k1 = (a & b) | (t & c)
                t = d ^ e
                u = t ^ k3
                k2 = (d & e) | (t & k3)
                t = s ^ u
                q = t ^ k4
                k3 = (s & u) | (t & k4)
                f2 = q ^ k5
                k6 = q & k5
                # eights and sixteens
                t = k1 ^ k2
                s = t ^ k3
                k4 = (k1 & k2) | (t & k3)
                f3 = s ^ k6
                f4 = k4 ^ (s & k6)
                # near >= cutoff: no borrow; far < cutoff: a borrow
                near = n0 | c0
                near = (n1 & c1) | (near & (n1 | c1))
                near = (n2 & c2) | (near & (n2 | c2))
                near = (n3 & c3) | (near & (n3 | c3))
                far = f0 | d0
                far = (f1 & d1) | (far & (f1 | d1))
                far = (f2 & d2) | (far & (f2 | d2))
                far = (f3 & d3) | (far & (f3 | d3))
                far = (f4 & d4) | (far & (f4 | d4))
                new[out + word + i + 1] = near | invert(far)
            word += count
        close_row(new, out, words, width, y == 0 or y == height - 1, outside, ring)
    return (last_row - first_row) * words


def smooth_rounded(
    old: cython.const[cython.ulonglong][::1],
    new: cython.ulonglong[::1],
    cutoffs: cython.const[cython.ulonglong][::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    outside: cython.ulonglong,
    ring: cython.bint,
    first_row: cython.Py_ssize_t,
    last_row: cython.Py_ssize_t,
) -> cython.longlong:
    """The same as `smooth` for 3x3 and 5x5 without its corners, in half the time: the far count is the near one and
    four sides of three cells.
    """
    full: cython.ulonglong = ALL_BITS
    words: cython.Py_ssize_t = (width + 63) // 64
    stride: cython.Py_ssize_t = words + 2
    y: cython.Py_ssize_t
    i: cython.Py_ssize_t
    word: cython.Py_ssize_t
    count: cython.Py_ssize_t
    r0: cython.Py_ssize_t
    r1: cython.Py_ssize_t
    r2: cython.Py_ssize_t
    r3: cython.Py_ssize_t
    r4: cython.Py_ssize_t
    out: cython.Py_ssize_t
    a: cython.ulonglong
    b: cython.ulonglong
    c: cython.ulonglong
    d: cython.ulonglong
    e: cython.ulonglong
    f0: cython.ulonglong
    f1: cython.ulonglong
    f2: cython.ulonglong
    f3: cython.ulonglong
    f4: cython.ulonglong
    far: cython.ulonglong
    k: cython.ulonglong
    n0: cython.ulonglong
    n1: cython.ulonglong
    n2: cython.ulonglong
    n3: cython.ulonglong
    near: cython.ulonglong
    s: cython.ulonglong
    s0: cython.ulonglong
    s1: cython.ulonglong
    s2: cython.ulonglong
    t: cython.ulonglong
    t0: cython.ulonglong
    t1: cython.ulonglong
    t2: cython.ulonglong
    u0: cython.ulonglong
    u1: cython.ulonglong
    u2: cython.ulonglong
    u3: cython.ulonglong
    p0 = cython.declare(cython.ulonglong[66])  # columns of three
    p1 = cython.declare(cython.ulonglong[66])
    q0 = cython.declare(cython.ulonglong[66])  # the two cells above and below them
    q1 = cython.declare(cython.ulonglong[66])
    if not cython.compiled:
        p0, p1, q0, q1 = [0] * 66, [0] * 66, [0] * 66, [0] * 66
    c0: cython.ulonglong = cutoffs[0] ^ full
    c1: cython.ulonglong = cutoffs[1] ^ full
    c2: cython.ulonglong = cutoffs[2] ^ full
    c3: cython.ulonglong = cutoffs[3] ^ full
    d0: cython.ulonglong = cutoffs[4] ^ full
    d1: cython.ulonglong = cutoffs[5] ^ full
    d2: cython.ulonglong = cutoffs[6] ^ full
    d3: cython.ulonglong = cutoffs[7] ^ full
    d4: cython.ulonglong = cutoffs[8] ^ full
    for y in range(first_row, last_row):
        out = (y + 2) * stride
        word = 0
        while word < words:
            count = words - word
            if count > 64:
                count = 64
            r0 = y * stride + word
            r1 = r0 + stride
            r2 = r1 + stride
            r3 = r2 + stride
            r4 = r3 + stride
            for i in range(count + 2):
                a = old[r1 + i]
                b = old[r2 + i]
                c = old[r3 + i]
                d = old[r0 + i]
                e = old[r4 + i]
                t = a ^ b
                p0[i] = t ^ c
                p1[i] = (a & b) | (t & c)
                q0[i] = d ^ e
                q1[i] = d & e
            for i in range(count):
                # the near count: three columns of three
                b = p0[i + 1]
                a = shift_left(b, 1) | (p0[i] >> 63)
                c = (b >> 1) | shift_left(p0[i + 2], 63)
                s0 = shift_left(b, 2) | (p0[i] >> 62)
                t0 = (b >> 2) | shift_left(p0[i + 2], 62)
                t = a ^ b
                n0 = t ^ c
                k = (a & b) | (t & c)
                b = p1[i + 1]
                a = shift_left(b, 1) | (p1[i] >> 63)
                c = (b >> 1) | shift_left(p1[i + 2], 63)
                d = shift_left(b, 2) | (p1[i] >> 62)
                e = (b >> 2) | shift_left(p1[i + 2], 62)
                t = a ^ b
                s = t ^ c
                t = (a & b) | (t & c)
                n1 = s ^ k
                k = s & k
                n2 = t ^ k
                n3 = t & k
                # the outer columns, of three each
                k = s0 & t0
                s0 = s0 ^ t0
                t = d ^ e
                s1 = t ^ k
                s2 = (d & e) | (t & k)
                # the outer rows, of three each
                b = q0[i + 1]
                a = shift_left(b, 1) | (q0[i] >> 63)
                c = (b >> 1) | shift_left(q0[i + 2], 63)
                t = a ^ b
                t0 = t ^ c
                k = (a & b) | (t & c)
                b = q1[i + 1]
                a = shift_left(b, 1) | (q1[i] >> 63)
                c = (b >> 1) | shift_left(q1[i + 2], 63)
                t = a ^ b
                s = t ^ c
                t1 = s ^ k
                t2 = (s & k) ^ ((a & b) | (t & c))
                u0 = s0 ^ t0
                k = s0 & t0
                t = s1 ^ t1
                u1 = t ^ k
                k = (s1 & t1) | (t & k)
                t = s2 ^ t2
                u2 = t ^ k
                u3 = (s2 & t2) | (t & k)
                f0 = n0 ^ u0
                k = n0 & u0
                t = n1 ^ u1
                f1 = t ^ k
                k = (n1 & u1) | (t & k)
                t = n2 ^ u2
                f2 = t ^ k
                k = (n2 & u2) | (t & k)
                t = n3 ^ u3
                f3 = t ^ k
                f4 = (n3 & u3) | (t & k)
                near = n0 | c0
                near = (n1 & near) | ((n1 | near) & c1)
                near = (n2 & near) | ((n2 | near) & c2)
                near = (n3 & near) | ((n3 | near) & c3)
                far = f0 | d0
                far = (f1 & far) | ((f1 | far) & d1)
                far = (f2 & far) | ((f2 | far) & d2)
                far = (f3 & far) | ((f3 | far) & d3)
                far = (f4 & far) | ((f4 | far) & d4)
                new[out + word + i + 1] = near | invert(far)
            word += count
        close_row(new, out, words, width, y == 0 or y == height - 1, outside, ring)
    return (last_row - first_row) * words
