"""Text as outlines, from small tables of letters: files need no fonts and look the same everywhere.

The tables in `letters/` are made from open fonts; LICENCES.md there names them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from undercroft import limits
from undercroft.draw.scene.scene import Points, rectangle
from undercroft.inputs import files

TYPEFACES = ("title", "text", "italic", "figures", "mono", "sans", "strong")
"""Typefaces: for a book's title, its text and italics, bold figures, a typewriter, sans serif, and bold sans serif."""
FALLBACK_FACES = {"title": "text"}
"""Typefaces that lack some European letters, and those that have them."""
MORE_FACES = dict.fromkeys(("title", "text", "italic", "figures"), "more-serif") | dict.fromkeys(
    ("mono", "sans", "strong"), "more-sans"
)
"""The typefaces with Greek and Cyrillic letters, by those that lack them."""
MISSING_SIGN = "\N{REPLACEMENT CHARACTER}"


LAST_LATIN = "\u0370"
"""The first character that can be in the tables of further letters."""


class Letter(NamedTuple):
    """The advance to the next letter, and the outlines; both for letters of size 1."""

    advance: float
    lines: tuple[Points, ...]


own_letters: ContextVar[Mapping[str, Letter]] = ContextVar("own_letters", default=MappingProxyType({}))
"""Letters of a font file of the user, while a picture is drawn."""


class Typeface(NamedTuple):
    """All letters of a typeface, and its kerning pairs."""

    letters: dict[str, Letter]
    pairs: dict[str, float]


@cache
def load_typeface(name: str) -> Typeface:
    """The typeface of that name."""
    letters: dict[str, Letter] = {
        MISSING_SIGN: Letter(0.6, (rectangle(0.08, -0.7, 0.52, 0), rectangle(0.13, -0.65, 0.47, -0.05)))
    }
    pairs: dict[str, float] = {}
    for row in files.read_text(Path(__file__).parent / f"letters/{name}.txt", limits.LAYOUT_BYTES).splitlines():
        sign, advance, *outlines = row.split("\t")
        if not outlines:
            pairs[sign] = int(advance) / 1000
            continue
        lines = [
            np.array(line.split(), float).reshape(-1, 2).cumsum(axis=0) / 1000
            for line in outlines[0].split(";")
            if line
        ]
        letters[sign] = Letter(int(advance) / 1000, tuple(lines))
    if name in FALLBACK_FACES:
        letters = load_typeface(FALLBACK_FACES[name]).letters | letters
    return Typeface(letters, pairs)


def text_width(text: str, size: float, name: str = "text", spacing: float = 0.0) -> float:
    """The width of a text in cells, if its letters are `size` cells large (about the line height) and `spacing` times
    that apart.

    >>> round(text_width("Hall", 1), 2)
    1.69
    """
    *_, end = 0.0, *(at + letter.advance for at, _, letter in place_letters(text, name, spacing))
    return size * end


def text_outlines(
    text: str, x: float, y: float, size: float, name: str = "text", *, anchor: float = 0.0, spacing: float = 0.0
) -> list[Points]:
    """The outlines of a text on the baseline `y`, to be filled. x is its left end, its middle (anchor 0.5) or its right
    end (anchor 1).
    """
    left = x - anchor * text_width(text, size, name, spacing)
    return [
        line * size + (left + at * size, y)
        for at, _, letter in place_letters(text, name, spacing)
        for line in letter.lines
    ]


def place_letters(text: str, name: str = "text", spacing: float = 0.0) -> Iterator[tuple[float, str, Letter]]:
    """The position of each letter of a text, its character and its outlines, for letters of size 1."""
    known = load_typeface(name)
    at, before = 0.0, ""
    for sign in _available_signs(text, name, known):
        at += known.pairs.get(before + sign, 0.0)
        letter = _find_letter(sign, name, known)
        yield at, sign, letter
        at += letter.advance + spacing
        before = sign


def shorten_to_fit(text: str, room: float, size: float, name: str = "text") -> str:
    """The text, shortened with an ellipsis if it is wider than `room` cells.

    >>> shorten_to_fit("The Hall of the Drowned King", 8, 1)
    'The Hall of the Dr…'
    """
    if text_width(text, size, name) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + "…", size, name) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""


def list_missing_signs(text: str, name: str = "text") -> list[str]:
    """The characters of a text that no table has, and that are drawn as empty boxes, in order.

    >>> list_missing_signs("Ναός Храм 鍵の間")
    ['鍵', 'の', '間']
    """
    known = load_typeface(name)
    missing = [
        sign
        for sign in unicodedata.normalize("NFC", text)
        if not any(_has_letter(part, name, known) for part in unicodedata.normalize("NFKD", sign))
    ]
    return list(dict.fromkeys(missing))


def _available_signs(text: str, name: str, known: Typeface) -> list[str]:
    """The characters to draw: those that the tables lack lose their accents, or become an empty box."""
    signs = []
    for sign in unicodedata.normalize("NFC", text):
        if _has_letter(sign, name, known):
            signs.append(sign)
            continue
        plain = [part for part in unicodedata.normalize("NFKD", sign) if _has_letter(part, name, known)]
        signs += plain or [MISSING_SIGN]
    return signs


def _has_letter(sign: str, name: str, known: Typeface) -> bool:
    return (
        sign in known.letters
        or sign in own_letters.get()
        or (sign > LAST_LATIN and sign in load_typeface(MORE_FACES[name]).letters)
    )


def _find_letter(sign: str, name: str, known: Typeface) -> Letter:
    if sign in known.letters:
        return known.letters[sign]
    own = own_letters.get()
    return own[sign] if sign in own else load_typeface(MORE_FACES[name]).letters[sign]
