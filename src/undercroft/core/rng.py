"""Streams of integers that are the same on every machine.

The generator is PCG32 (XSH-RR, 64 bits of state, 32 bits out; O'Neill 2014). Its state is a buffer of two words that
Python and the kernels advance in the same way, so a step can draw from a stream here and pass the same stream to a
kernel.
"""

from __future__ import annotations

import operator
import unicodedata
from array import array
from collections.abc import MutableSequence, Sequence
from contextlib import suppress
from struct import Struct
from typing import SupportsIndex, TypeVar

from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_type, require_whole_number
from undercroft.wording import format_value_briefly, shorten

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


_KEY_WORDS = Struct("<QQ")
"""The state and the sequence of a stream, from its key."""


def threshold(probability: float) -> int:
    """A probability as an integer number of 2^32 parts: computed once, compared often.

    >>> threshold(0), threshold(0.5), threshold(1)
    (0, 2147483648, 4294967296)
    """
    try:
        if 0 <= probability <= 1:
            return int(probability * PROBABILITY_ONE)
    except (TypeError, ValueError):  # no number
        pass
    raise BadInput(
        f"a probability is a number from 0 to 1, not {format_value_briefly(probability)}", fix="for example 0.5"
    )


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
        self.key = key or _pack_words("the state", state, "the sequence", sequence)
        """The 16 bytes from which streams below this one are derived."""
        self.state = _seed_state(state, sequence)
        """Two 64-bit words that Python and the kernels advance alike."""

    @classmethod
    def root(cls, seed: int, attempt: int = 0) -> Rng:
        """The stream from which all streams of one attempt are derived."""
        words = _pack_words("the seed of a stream", seed, "the attempt", attempt)
        return cls._from_key(blake2b(b"undercroft/1" + words, digest_size=16).digest())

    @classmethod
    def _from_key(cls, key: bytes) -> Rng:
        """The stream of a key, which is hashed already."""
        made = cls.__new__(cls)
        made.key, made.state = key, _seed_state(*_KEY_WORDS.unpack(key))
        return made

    def stream(self, name: str) -> Rng:
        """The stream of that name, derived from this one."""
        try:
            text = name.encode()
        except (AttributeError, UnicodeEncodeError):
            require_type("the name of a stream", name, str, "a text", "for example rng.stream('rooms')")
            raise BadInput("the name of a stream holds half a character", fix="write it in UTF-8") from None
        return self._from_key(blake2b(text, key=self.key, digest_size=16).digest())

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
        try:
            if 0 < bound <= PROBABILITY_ONE:
                product = self.next() * bound
                if product & MASK32 < bound:
                    floor = (PROBABILITY_ONE - bound) % bound
                    while product & MASK32 < floor:
                        product = self.next() * bound
                return product >> 32
        except (TypeError, ValueError):  # no whole number
            pass
        raise BadInput(
            f"the bound of below() is a whole number from 1 to 2^32, not {format_value_briefly(bound)}",
            fix="for example rng.below(6), which gives 0 to 5",
        )

    def between(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        try:
            return low + self.below(high - low + 1)
        except (BadInput, TypeError, ValueError):
            raise BadInput(
                f"between() takes two whole numbers, the smaller first, not {format_value_briefly(low)} and "
                f"{format_value_briefly(high)}",
                fix="for example rng.between(1, 6)",
            ) from None

    def chance(self, probability: float) -> bool:
        """True with that probability. It always takes one draw, so that later draws do not depend on the
        probability.
        """
        return self.next() < threshold(probability)

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle in place; every order is equally likely."""
        try:
            for last in range(len(items) - 1, 0, -1):
                other = self.below(last + 1)
                items[last], items[other] = items[other], items[last]
        except (AttributeError, LookupError, TypeError):
            raise BadInput(
                f"a list that can be changed is shuffled, not {format_value_briefly(items)}",
                fix="for example items = list(items); rng.shuffle(items)",
            ) from None

    def choose(self, items: Sequence[T]) -> T:
        """One of the items, each equally likely."""
        try:
            return items[self.below(len(items))]
        except (BadInput, LookupError, TypeError):
            raise BadInput(
                f"an item is chosen of a list with at least one, not of {format_value_briefly(items)}",
                fix="for example rng.choose(['rat', 'bat'])",
            ) from None

    def weighted_index(self, weights: Sequence[int]) -> int:
        """A random index; its probability is in proportion to its integer weight."""
        try:
            if any(weights) and not any(weight < 0 for weight in weights):
                ticket = self.below(sum(weights))
                index = 0
                while ticket >= weights[index]:
                    ticket -= weights[index]
                    index += 1
                return index
        except (BadInput, LookupError, TypeError, ValueError):
            pass
        raise BadInput(
            f"weights are a list of whole numbers from 0, one of them above 0, not {format_value_briefly(weights)}",
            fix="for example rng.weighted_index([3, 1])",
        )

    weighted = RenamedMember("weighted", "weighted_index")


def _seed_state(state: int, sequence: int) -> array[int]:
    """The two words of a stream before its first draw."""
    increment = (sequence << 1 | 1) & MASK64
    return array("Q", (((increment + state) * MULTIPLIER + increment) & MASK64, increment))


def _pack_words(name: str, one: int, other_name: str, other: int) -> bytes:
    """Two 64-bit words as bytes."""
    try:
        return one.to_bytes(8, "little") + other.to_bytes(8, "little")
    except (AttributeError, OverflowError, TypeError):  # perhaps integers of NumPy
        one, other = require_whole_number(name, one, 0, MASK64), require_whole_number(other_name, other, 0, MASK64)
        return one.to_bytes(8, "little") + other.to_bytes(8, "little")


def seed_number(seed: SupportsIndex | str) -> int:
    """The 64-bit number of a seed: the seed itself if it is an integer below 2^64 (also as text), else a hash of the
    text. A negative number is refused, also as text.

    >>> seed_number(7) == seed_number("7")
    True
    >>> seed_number("Saint Ossory")
    7947276591100509366
    """
    if isinstance(seed, str):
        text = unicodedata.normalize("NFC", seed.strip())
        if not text:
            raise BadInput("a seed cannot be empty", fix="give a whole number or any text")
        if text[0] == "-" and text.isascii() and text[1:].isdigit():
            raise _seed_error(shorten(text, 40))
        if not (text.isascii() and text.isdigit() and len(text) <= 20 and int(text) <= MASK64):
            try:
                return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
            except UnicodeEncodeError:
                raise BadInput(
                    "a seed is text, and this one holds half a character", fix="write the seed in UTF-8"
                ) from None
        seed = int(text)
    if type(seed) not in (int, bool):
        with suppress(TypeError):
            seed = operator.index(seed)  # for example a NumPy integer
    if type(seed) is not int or not 0 <= seed <= MASK64:
        raise _seed_error(format_value_briefly(seed))
    return seed


def _seed_error(shown: str) -> BadInput:
    return BadInput(
        f"a seed is a whole number from 0 to 2^64-1 or any text, not {shown}",
        fix="for example 7, or a name such as 'Saint Ossory'",
    )
