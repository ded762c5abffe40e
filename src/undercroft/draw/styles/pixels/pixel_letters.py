"""Letters of five by seven pixels, and words made of them."""

from __future__ import annotations

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

HIGH, WIDE = 7, 5
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
"""Signs, and their pictures side by side."""


@cache
def _letters() -> dict[str, NDArray[np.bool_]]:
    found = {" ": np.zeros((HIGH, 3), bool)}
    for signs, sheet in _SHEETS:
        rows = [line.split() for line in sheet.strip().splitlines()]
        for place, sign in enumerate(signs):
            found[sign] = np.array([[pixel == "#" for pixel in row[place]] for row in rows])
    return found


def written(words: str) -> NDArray[np.bool_]:
    """The words in capitals, as a mask seven pixels high. Letters that we have no picture of lose their accents, or
    become question marks.

    >>> written("a").shape, written("Mére 12").shape
    ((7, 5), (7, 39))
    """
    letters = _letters()
    parts: list[NDArray[np.bool_]] = []
    for sign in unicodedata.normalize("NFKD", words.upper()):
        if unicodedata.combining(sign):
            continue
        parts += [letters.get(_plain(sign), letters["?"]), np.zeros((HIGH, 1), bool)]
    return np.concatenate(parts[:-1], axis=1) if parts else np.zeros((HIGH, 0), bool)


def _plain(sign: str) -> str:
    """Quotes and dashes in their plain form."""
    return {"\u2019": "'", "\u2018": "'", '"': "'", "\u2013": "-", "\u2014": "-", ";": ","}.get(
        sign, " " if sign.isspace() else sign
    )


def wrapped(words: str, most: int) -> list[str]:
    """The words in lines of at most so many pixels; a word that is longer stands alone.

    >>> wrapped("The Hall of Dust", 50)
    ['The Hall', 'of Dust']
    """
    lines: list[str] = []
    for word in words.split():
        if lines and written(f"{lines[-1]} {word}").shape[1] <= most:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
