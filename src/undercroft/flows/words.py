"""Turn names from other files into words, as flows need them."""

from __future__ import annotations

import re
from collections.abc import Collection

from undercroft import limits
from undercroft.core.flow import RESERVED_WORDS

_NO_WORD = re.compile(r"[^\w.'-]+")


def to_word(text: str, default: str = "room") -> str:
    """A text as a word: dashes for blanks and other signs, shortened.

    >>> to_word("The Great Hall (old)"), to_word("?!")
    ('The-Great-Hall-old', 'room')
    """
    word = _NO_WORD.sub("-", "".join(sign if sign.isprintable() else " " for sign in text)).strip("-.'")
    word = word[: limits.FLOW_WORD_LENGTH.value].rstrip("-.'")
    return word if word and word not in RESERVED_WORDS else default


def to_new_word(text: str, taken: Collection[str], default: str = "room") -> str:
    """The text as a word that is not taken: with a number at its end if need be.

    >>> to_new_word("hall", {"hall", "hall-2"})
    'hall-3'
    """
    word = to_word(text, default)
    if word not in taken:
        return word
    number = 2
    while (more := f"{word[: limits.FLOW_WORD_LENGTH.value - 6]}-{number}") in taken:
        number += 1
    return more
