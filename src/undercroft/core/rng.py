"""Streams of integers that are the same on every machine.

The generator is PCG32 (XSH-RR, 64 bits of state, 32 bits out; O'Neill 2014). Its state is a buffer of two words that
Python and the kernels advance in the same way, so a step can draw from a stream here and pass the same stream to a
kernel.
"""

from __future__ import annotations

import unicodedata
from array import array
from collections.abc import MutableSequence, Sequence
from typing import SupportsIndex, TypeVar

from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput
from undercroft.wording import format_number

try:
    # the same as hashlib.blake2b, without OpenSSL: loading that takes longer than generating a small level
    from _blake2 import blake2b
except ImportError:  # pragma: no cover - another Python than CPython
    from hashlib import blake2b

T = TypeVar("T")

MULTIPLIER = 6364136223846793005
MASK64 = (1 << 64) - 1
MASK32 = (1 << 32) - 1
PROBABILITY_ONE = 1 << 32
"""A probability of 1 as a threshold: every 32-bit draw is below it."""


def threshold(probability: float) -> int:
    """A probability as an integer number of 2^32 parts: computed once, compared often.

    >>> threshold(0), threshold(0.5), threshold(1)
    (0, 2147483648, 4294967296)
    """
    if not 0 <= probability <= 1:
        raise BadInput(f"a probability is a number from 0 to 1, not {probability}")
    return int(probability * PROBABILITY_ONE)


class Rng:
    """One stream of random numbers. `key` names it. `stream(id)` derives another that neither advances this one nor
    depends on its draws.

    >>> rng = Rng.root(7)
    >>> rng.stream("rooms").below(100) == rng.stream("rooms").below(100)
    True
    """

    __slots__ = ("key", "state")

    def __init__(self, state: int, sequence: int, key: bytes = b"") -> None:
        """Seed the stream as the published generator does: `Rng(42, 54)` gives its test vector."""
        self.key = key or state.to_bytes(8, "little") + sequence.to_bytes(8, "little")
        """The 16 bytes from which streams below this one are derived."""
        increment = (sequence << 1 | 1) & MASK64
        self.state = array("Q", [((increment + state) * MULTIPLIER + increment) & MASK64, increment])
        """Two 64-bit words that Python and the kernels advance alike."""

    @classmethod
    def root(cls, seed: int, attempt: int = 0) -> Rng:
        """The stream from which all streams of one attempt are derived."""
        return cls._from_key(
            blake2b(
                b"undercroft/1" + seed.to_bytes(8, "little") + attempt.to_bytes(8, "little"), digest_size=16
            ).digest()
        )

    @classmethod
    def _from_key(cls, key: bytes) -> Rng:
        return cls(int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little"), key)

    def stream(self, name: str) -> Rng:
        """The stream of that name, derived from this one."""
        return self._from_key(blake2b(name.encode(), key=self.key, digest_size=16).digest())

    def next(self) -> int:
        """The next 32 bits."""
        old, increment = self.state
        self.state[0] = (old * MULTIPLIER + increment) & MASK64
        mixed = ((old >> 18 ^ old) >> 27) & MASK32
        turn = old >> 59
        return (mixed >> turn | mixed << (-turn & 31)) & MASK32

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely (Lemire's method: one multiplication, rarely a second
        draw).
        """
        if not 0 < bound <= PROBABILITY_ONE:
            raise ValueError(f"below() needs a bound from 1 to 2^32, not {bound}")
        product = self.next() * bound
        if product & MASK32 < bound:
            floor = (PROBABILITY_ONE - bound) % bound
            while product & MASK32 < floor:
                product = self.next() * bound
        return product >> 32

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        """True with that probability. It always takes one draw, so that later draws do not depend on the
        probability.
        """
        return self.next() < threshold(probability)

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place; every order is equally likely."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def choose(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def weighted_index(self, weights: Sequence[int]) -> int:
        """A random index; its probability is in proportion to its integer weight."""
        if any(weight < 0 for weight in weights) or not any(weights):
            raise ValueError("weights are whole numbers from 0, and one of them is above 0")
        ticket = self.below(sum(weights))
        index = 0
        while ticket >= weights[index]:
            ticket -= weights[index]
            index += 1
        return index

    weighted = RenamedMember("weighted", "weighted_index")


def seed_number(seed: SupportsIndex | str) -> int:
    """The 64-bit number of a seed: the seed itself if it is an integer below 2^64 (also as text), else a hash of the
    text.

    >>> seed_number(7) == seed_number("7")
    True
    >>> seed_number("Saint Ossory")
    7947276591100509366
    """
    if isinstance(seed, str):
        text = unicodedata.normalize("NFC", seed.strip())
        if not text:
            raise BadInput("a seed cannot be empty", fix="give a whole number or any text")
        if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= MASK64):
            try:
                return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
            except UnicodeEncodeError:
                raise BadInput(
                    "a seed is text, and this one holds half a character", fix="write the seed in UTF-8"
                ) from None
        seed = int(text)
    if not isinstance(seed, bool) and hasattr(seed, "__index__"):
        seed = seed.__index__()  # for example a NumPy integer
    if type(seed) is not int or not 0 <= seed <= MASK64:
        raise BadInput(
            f"a seed is a whole number from 0 to 2^64-1 or any text, not {format_number(seed)}", fix="for example 7"
        )
    return seed
