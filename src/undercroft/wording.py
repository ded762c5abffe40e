"""Format counts and lists for sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

MAX_HEADING_LENGTH = 200
"""The most characters of a title, a recipe or a seed that pictures show."""
MAX_VALUE_LENGTH = 40
"""The most characters of a text that sentences about a wrong value show."""
MAX_LISTED_VALUES = 4
"""The most values of a list that such sentences show."""
MAX_WRITTEN_BITS = 4096
"""Whole numbers of more bits are described: Python refuses to write those of 4,300 digits, and more take long."""


def plural(count: int, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "level"), plural(2000, "level"), plural(0, "door"), plural(2, "try")
    ('1 level', '2,000 levels', '0 doors', '2 tries')
    """
    if count == 1:
        return f"{count:,} {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("ry") else f"{count:,} {noun}s"


def format_number(value: object) -> str:
    """A value for a sentence. A whole number that is too long to be written is described by its length.

    >>> format_number(-3), format_number("x"), format_number(10**5000)
    ('-3', "'x'", 'a number of about 5,001 digits')
    """
    if type(value) is int and value.bit_length() > MAX_WRITTEN_BITS:
        return f"a number of about {math.floor(value.bit_length() * math.log10(2)) + 1:,} digits"
    return repr(value)


def format_value_briefly(value: object) -> str:
    """A value of any type for a sentence: short values as Python writes them, others by their type.

    >>> format_value_briefly("x" * 100), format_value_briefly((1, "a")), format_value_briefly(10**5000)
    ("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'", "(1, 'a')", 'a number of about 5,001 digits')
    >>> format_value_briefly({"a": 1}), format_value_briefly(plural)
    ('a dict', 'a function')
    """
    if isinstance(value, str):
        return ascii(value[:MAX_VALUE_LENGTH]) if not value.isprintable() else repr(shorten(value, MAX_VALUE_LENGTH))
    if value is None or type(value) in (bool, int, float):
        return format_number(value)
    if type(value) in (tuple, list) and len(value) <= MAX_LISTED_VALUES:  # type: ignore[arg-type]
        parts = [format_value_briefly(part) for part in value]  # type: ignore[attr-defined]
        if sum(map(len, parts)) <= 2 * MAX_VALUE_LENGTH:
            return f"[{', '.join(parts)}]" if type(value) is list else f"({', '.join(parts)}{',' * (len(parts) == 1)})"
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def format_count(count: int) -> str:
    """A count with commas; one that is too long to be written is described by its length.

    >>> format_count(1200), format_count(10**5000)
    ('1,200', 'a number of about 5,001 digits')
    """
    return f"{count:,}" if count.bit_length() <= MAX_WRITTEN_BITS else format_number(count)


def one_line(text: str) -> str:
    """A name from a file within a sentence: blanks instead of line ends.

    >>> one_line("red\\nkey")
    'red key'
    """
    return " ".join(text.split())


def shorten(text: str, most: int = MAX_HEADING_LENGTH) -> str:
    """The text, or its beginning and an ellipsis if it is longer than `most` characters.

    >>> shorten("a castle", 5), shorten("a hut", 5)
    ('a ca…', 'a hut')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """The words as a list in a sentence; an empty string if there are none.

    >>> join_words(["a"]), join_words(["a", "b"]), join_words(["a", "b", "c"], "or")
    ('a', 'a and b', 'a, b or c')
    """
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
