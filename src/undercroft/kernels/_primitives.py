"""Functions that several kernels share, as plain Python: the generator PCG32, and union-find.

Compiled kernels take the same functions from `primitives.pxd`. Their bodies are equal, and a test compares them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

MULTIPLIER = 6364136223846793005
MASK64 = 0xFFFFFFFFFFFFFFFF
MASK32 = 0xFFFFFFFF


def advanced(old: cython.ulonglong, increment: cython.ulonglong) -> cython.ulonglong:
    """The state after this one. The mask is for plain Python; a compiler drops it."""
    return (old * MULTIPLIER + increment) & MASK64


def output(old: cython.ulonglong) -> cython.uint:
    """The 32 bits that a state gives: mixed, and rotated by its highest bits."""
    mixed: cython.uint = (((old >> 18) ^ old) >> 27) & MASK32
    turn: cython.uint = old >> 59
    return ((mixed >> turn) | (mixed << ((32 - turn) & 31))) & MASK32


def draw(rng: cython.ulonglong[::1]) -> cython.ulonglong:
    """The next 32 bits of a stream: its state and its increment, as in `core/rng.py`."""
    old: cython.ulonglong = rng[0]
    rng[0] = advanced(old, rng[1])
    return output(old)


def must_redraw(product: cython.ulonglong, bound: cython.ulonglong) -> cython.bint:
    """Whether a draw times a bound is one of the few that would make some numbers below the bound more likely (Lemire
    2019).
    """
    return (product & MASK32) < bound and (product & MASK32) < (MASK32 - bound + 1) % bound


def below(rng: cython.ulonglong[::1], bound: cython.ulonglong) -> cython.longlong:
    """A number from 0 to bound - 1, each equally likely; the bound is from 1 to 2^32."""
    product: cython.ulonglong = draw(rng) * bound
    while must_redraw(product, bound):
        product = draw(rng) * bound
    return product >> 32


def root(parent: cython.int[::1], label: cython.int) -> cython.int:
    """The label that stands for all that are joined to this one. Halves the path for the next time."""
    while parent[label] != label:
        parent[label] = parent[parent[label]]
        label = parent[label]
    return label


def join_roots(parent: cython.int[::1], a: cython.int, b: cython.int) -> cython.int:
    """Join what two roots stand for. Returns the smaller root, which stands for both."""
    if a < b:
        parent[b] = a
        return a
    parent[a] = b
    return b


def join(parent: cython.int[::1], a: cython.int, b: cython.int) -> cython.int:
    """Join two labels. Returns the root that stands for both."""
    a = root(parent, a)
    b = root(parent, b)
    return join_roots(parent, a, b)
