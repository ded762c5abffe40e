"""Format counts and lists for sentences."""

from __future__ import annotations

from collections.abc import Sequence


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "level"), plural(2000, "level"), plural(0, "door"), plural(2, "try")
    ('1 level', '2,000 levels', '0 doors', '2 tries')
    """
    if count == 1:
        return f"{count:,} {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("ry") else f"{count:,} {noun}s"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """The words as a list in a sentence; an empty string if there are none.

    >>> join_words(["a"]), join_words(["a", "b"]), join_words(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
