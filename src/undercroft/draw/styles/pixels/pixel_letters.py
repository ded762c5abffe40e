"""Letters of five by seven pixels, and text made of them."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.lettering import LAST_LATIN, place_letters
from undercroft.draw.scene.painter import fill_mask

LETTER_HEIGHT, LETTER_WIDTH = 7, 5
CAPITAL_HEIGHT, MIN_COVERAGE = 0.73, 95
"""The height of capitals in letter sizes, and how much of a pixel, of 255, a letter must cover to set it."""
_SHEETS = (
    (
        "ABCDEFGHIJKLM",
        """
        .###. ####. .#### ####. ##### ##### .#### #...# .###. ..### #...# #.... #...#
        #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #..#. #.... ##.##
        #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.#
        ##### ####. #.... #...# ####. ####. #..## ##### ..#.. ...#. ##... #.... #.#.#
        #...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...#
        #...# #...# #.... #...# #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...#
        #...# ####. .#### ####. ##### #.... .#### #...# .###. .##.. #...# ##### #...#
        """,
    ),
    (
        "NOPQRSTUVWXYZ",
        """
        #...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
        ##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#
        #.#.# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
        #..## #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
        #...# #...# #.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#...
        #...# #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....
        #...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####
        """,
    ),
    (
        "0123456789",
        """
        .###. ..#.. .###. ####. ...#. ##### .###. ##### .###. .###.
        #...# .##.. #...# ....# ..##. #.... #.... ....# #...# #...#
        #..## ..#.. ....# ....# .#.#. ####. #.... ...#. #...# #...#
        #.#.# ..#.. ...#. .###. #..#. ....# ####. ..#.. .###. .####
        ##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
        #...# ..#.. .#... ....# ...#. #...# #...# .#... #...# ....#
        .###. .###. ##### ####. ...#. .###. .###. .#... .###. .###.
        """,
    ),
    (
        ".,'-!?:()&/",
        """
        ..... ..... ..#.. ..... ..#.. .###. ..... ...#. .#... .##.. ....#
        ..... ..... ..#.. ..... ..#.. #...# .##.. ..#.. ..#.. #..#. ....#
        ..... ..... .#... ..... ..#.. ....# .##.. .#... ...#. #.#.. ...#.
        ..... ..... ..... .###. ..#.. ..##. ..... .#... ...#. .#... ..#..
        ..... .##.. ..... ..... ..#.. ..#.. .##.. .#... ...#. #.#.# .#...
        .##.. .##.. ..... ..... ..... ..... .##.. ..#.. ..#.. #..#. #....
        .##.. .#... ..... ..... ..#.. ..#.. ..... ...#. .#... .##.# #....
        """,
    ),
)
"""Characters, and their pictures side by side."""


@cache
def _build_letters() -> dict[str, NDArray[np.bool_]]:
    found = {" ": np.zeros((LETTER_HEIGHT, 3), bool)}
    for signs, sheet in _SHEETS:
        rows = [line.split() for line in sheet.strip().splitlines()]
        for place, sign in enumerate(signs):
            found[sign] = np.array([[pixel == "#" for pixel in row[place]] for row in rows])
    return found


def render_words(words: str) -> NDArray[np.bool_]:
    """The text in capitals, as a mask seven pixels high. Letters without a picture lose their accents, or become
    question marks.

    >>> render_words("a").shape, render_words("Mére 12").shape
    ((7, 5), (7, 39))
    """
    letters = _build_letters()
    parts: list[NDArray[np.bool_]] = []
    for sign in unicodedata.normalize("NFKD", words.upper()):
        if unicodedata.combining(sign):
            continue
        plain = _simplify_sign(sign)
        mask = letters[plain] if plain in letters else _trace_letter(plain)
        parts += [letters["?"] if mask is None else mask, np.zeros((LETTER_HEIGHT, 1), bool)]
    return np.concatenate(parts[:-1], axis=1) if parts else np.zeros((LETTER_HEIGHT, 0), bool)


@cache
def _trace_letter(sign: str) -> NDArray[np.bool_] | None:
    """A Greek or Cyrillic capital in pixels, from its outlines; None if there is none."""
    _, drawn, letter = next(iter(place_letters(sign, "strong")))
    if drawn != sign or sign < LAST_LATIN or not letter.lines:
        return None
    points = np.concatenate(letter.lines) * (LETTER_HEIGHT / CAPITAL_HEIGHT)
    points = np.ascontiguousarray(points + np.array([-points[:, 0].min(), LETTER_HEIGHT]))
    mask = np.zeros((LETTER_HEIGHT, int(np.ceil(points[:, 0].max()))), np.uint8)
    fill_mask(mask, points, np.cumsum([len(line) for line in letter.lines], dtype=np.int64), 0, LETTER_HEIGHT)
    return mask > MIN_COVERAGE


def _simplify_sign(sign: str) -> str:
    """The plain form of quotes and dashes."""
    return {"\u2019": "'", "\u2018": "'", '"': "'", "\u2013": "-", "\u2014": "-", ";": ","}.get(
        sign, " " if sign.isspace() else sign
    )


def wrap_words(words: str, most: int) -> list[str]:
    """The text in lines of at most `most` pixels; a longer word has its own line.

    >>> wrap_words("The Hall of Dust", 50)
    ['The Hall', 'of Dust']
    """
    lines: list[str] = []
    for word in words.split():
        if lines and render_words(f"{lines[-1]} {word}").shape[1] <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
