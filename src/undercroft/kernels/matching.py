# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Find a pattern everywhere at once: 64 placements in a word.

A *plane* holds a bit for each cell of the map: whether its tile belongs to one set. Row by row, each row is padded with
two empty words. A placement fits if the bits of all its cells are set: planes, shifted and joined by *and*; a word that
is empty needs no further cell.
"""

from __future__ import annotations

import cython

ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def find_placements(
    planes: cython.const[cython.ulonglong][::1],
    words: cython.Py_ssize_t,
    tests: cython.const[cython.int][::1],
    width: cython.Py_ssize_t,
    height: cython.Py_ssize_t,
    wide: cython.Py_ssize_t,
    high: cython.Py_ssize_t,
    found: cython.ulonglong[::1],
) -> None:
    """Mark in `found`, laid out like a plane, the top left cells of all placements. `tests` are rows of (first word of
    a plane, x, y), one a cell.
    """
    y: cython.Py_ssize_t
    w: cython.Py_ssize_t
    k: cython.Py_ssize_t
    at: cython.Py_ssize_t
    shift: cython.int
    last: cython.Py_ssize_t = width - wide  # the furthest left cell of a placement
    fits: cython.ulonglong
    bits: cython.ulonglong
    for y in range(height - high + 1):
        for w in range(last // 64 + 1):
            fits = ALL_BITS
            if w == last // 64:
                fits = ALL_BITS >> (63 - last % 64)
            for k in range(0, tests.shape[0], 3):
                at = tests[k] + (y + tests[k + 2]) * words + w + (tests[k + 1] >> 6)
                shift = tests[k + 1] & 63
                bits = planes[at] >> shift
                if shift:
                    if cython.compiled:
                        bits |= planes[at + 1] << (64 - shift)
                    else:
                        bits |= (planes[at + 1] << (64 - shift)) & ALL_BITS
                fits &= bits
                if fits == 0:
                    break
            found[y * words + w] = fits
