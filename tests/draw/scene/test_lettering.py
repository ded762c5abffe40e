"""Letters as outlines."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.draw.scene.lettering import (
    MISSING_SIGN,
    TYPEFACES,
    load_typeface,
    shorten_to_fit,
    text_outlines,
    text_width,
)
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Scene


@pytest.mark.parametrize("name", TYPEFACES)
def test_faces_have_the_letters_that_titles_need(name: str) -> None:
    known = load_typeface(name)
    needed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;!?'\"()-&/éèüößçñ"
    assert not [sign for sign in needed if sign not in known.letters]
    assert all(letter.lines for sign, letter in known.letters.items() if not sign.isspace() and sign != "\xad")
    assert all(0 < known.letters[sign].advance < 1.5 for sign in needed)


@pytest.mark.parametrize("name", TYPEFACES)
@pytest.mark.parametrize("word", ["Łódź", "Đakovo", "Ħamrun", "Győr", "Rīga", "Żarnów"])
def test_no_letter_of_europe_is_a_box(name: str, word: str) -> None:
    assert not [sign for sign in word if sign not in load_typeface(name).letters]


@pytest.mark.parametrize("name", [name for name in TYPEFACES if name != "title"])
def test_figures_are_lining_and_stand_on_the_line(name: str) -> None:
    """Old-style figures hang below the line and read as letters (those of titles do); the others have the same height
    and none hangs.
    """
    known = load_typeface(name)
    heights = []
    for figure in "0123456789":
        points = np.concatenate(known.letters[figure].lines)
        assert points[:, 1].max() <= 0.04
        heights.append(-points[:, 1].min())
    assert max(heights) - min(heights) <= 0.06


def test_text_is_as_wide_as_it_says() -> None:
    for text in ("The Hall of Echoes", "AVAVA", "1,204 ft"):
        lines = text_outlines(text, 3, 5, 2, "text")
        points = np.concatenate(lines)
        assert points[:, 0].min() >= 3 - 0.2
        assert points[:, 0].max() <= 3 + text_width(text, 2, "text") + 0.2
        middle = np.concatenate(text_outlines(text, 3, 5, 2, "text", anchor=0.5))
        assert np.allclose(middle, points - (text_width(text, 2, "text") / 2, 0))
    assert text_width("", 1) == 0
    assert not text_outlines("", 0, 0, 1)


def test_pairs_stand_closer() -> None:
    apart = text_width("A", 1, "text") + text_width("V", 1, "text")
    assert text_width("AV", 1, "text") < apart


def test_letters_look_like_letters() -> None:
    scene = Scene(4, 2, "#ffffff")
    scene.fill_area(text_outlines("o", 1, 1.5, 2, "sans"), "#000000")
    dark = np.asarray(raster(scene, 20))[:, :, 0] < 128
    ys, xs = np.nonzero(dark)
    assert not dark[(ys.min() + ys.max()) // 2, (xs.min() + xs.max()) // 2]


def test_accents_fall_off_where_there_are_none_and_boxes_stand_for_the_rest() -> None:
    assert len(text_outlines("ệ", 0, 0, 1)) == len(text_outlines("e", 0, 0, 1))
    assert len(text_outlines("龍", 0, 0, 1)) == len(load_typeface("text").letters[MISSING_SIGN].lines)


@given(st.text(max_size=40), st.floats(0.1, 20))
def test_what_is_fitted_fits(text: str, room: float) -> None:
    short = shorten_to_fit(text, room, 1)
    assert not short or text_width(short, 1) <= room
    assert short == text or short == "" or short.endswith("…")
