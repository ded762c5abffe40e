"""Words on pictures of pixels: where they stand, what they cover, and that nothing is lost."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from undercroft.draw.plots import histogram_plot, plot_page, range_plot
from undercroft.draw.scene import pixel_text
from undercroft.draw.scene.lettering import MISSING_SIGN, load_typeface, text_outlines, text_width
from undercroft.draw.scene.pixel_text import At, draw_text, render_text_mask
from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Scene
from undercroft.draw.sheets import contact_sheet

PAPER, INK = "#ffffff", "#000000"


def dark(image: Image.Image) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.asarray(image)[:, :, 0] < 128
    return found


def paper(across: int = 300, down: int = 100) -> Image.Image:
    return Image.new("RGB", (across, down), PAPER)


@pytest.mark.parametrize("sign", list("×é·…“”−≥→ß%#"))
@pytest.mark.parametrize("name", ["sans", "strong"])
def test_signs_that_sheets_need_are_there(sign: str, name: str) -> None:
    assert sign in load_typeface(name).letters
    assert render_text_mask(sign, 20, name).mask.any()
    assert not np.array_equal(render_text_mask(sign, 20, name).mask, render_text_mask(MISSING_SIGN, 20, name).mask)


@pytest.mark.parametrize("at", ["left", "middle", "right"])
@pytest.mark.parametrize("turned", [False, True])
def test_words_stand_where_they_are_asked_for(at: At, turned: bool) -> None:
    image = paper(300, 300)
    draw_text(image, 150, 150, "Hodihod", 24, INK, at=at, turned=turned)
    rows, columns = np.nonzero(dark(image))
    along, across = (-rows, columns) if turned else (columns, rows)
    start = (-150 if turned else 150) - {"left": 0.0, "middle": 0.5, "right": 1.0}[at] * text_width(
        "Hodihod", 24, "sans"
    )
    assert start - 1 <= along.min() <= start + 5
    assert start + text_width("Hodihod", 24, "sans") - 6 <= along.max() <= start + text_width("Hodihod", 24, "sans") + 1
    assert 148 <= across.max() <= 151, "none of these letters hangs below the line"
    assert 126 <= across.min() <= 136


def test_turned_words_are_the_same_words() -> None:
    level, upright = paper(200, 200), paper(200, 200)
    draw_text(level, 40, 100, "Ågesund, 1×", 18, INK)
    draw_text(upright, 100, 160, "Ågesund, 1×", 18, INK, turned=True)
    assert (np.asarray(level.transpose(Image.Transpose.ROTATE_90)) == np.asarray(upright)).all()


@pytest.mark.parametrize("name", ["sans", "strong", "text"])
@pytest.mark.parametrize("size", [9, 12, 34])
def test_they_look_as_in_a_scene(name: str, size: int) -> None:
    """The same letters painted as shapes: no pixel is far off, and as much is covered."""
    scene = Scene(260, 50, PAPER)
    scene.fill_area(text_outlines("Keep 12 × 8, “é”", 4, 38, size, name), INK)
    image = paper(260, 50)
    draw_text(image, 4, 38, "Keep 12 × 8, “é”", size, INK, name)
    one, other = (np.asarray(picture).astype(int)[:, :, 0] for picture in (raster(scene, 1), image))
    assert abs(one.sum() - other.sum()) < 0.03 * (255 - one).sum()
    assert np.abs(one - other).mean() < 0.1 * (255 - one).mean() + 1


def test_the_colour_is_the_one_asked_for() -> None:
    image = paper()
    draw_text(image, 10, 60, "III", 40, "#12ff34", "strong")
    assert (np.asarray(image) == (0x12, 0xFF, 0x34)).all(axis=2).sum() > 50


@given(st.text(max_size=30), st.integers(1, 40), st.sampled_from(["sans", "strong", "mono"]))
def test_any_text_can_be_written_anywhere(words: str, size: int, name: str) -> None:
    image = paper(40, 20)
    for x, y in ((5, 15), (-100, 5), (39, -3), (3, 500)):
        draw_text(image, x, y, words, size, INK, name)
    draw_text(image, 5, 15, words, size, INK, name, turned=True)
    mask = render_text_mask(words, size, name).mask
    assert mask.ndim == 2
    assert not mask.flags.writeable


def test_nothing_is_cut_from_letters() -> None:
    """A mask is as large as what it covers: its outermost pixels are used, and the sum is that of the outlines'
    area.
    """
    for words in ("g", "Å", "Jäger", "W"):
        mask, _, _ = render_text_mask(words, 60, "sans")
        rows, columns = np.nonzero(mask)
        assert (rows.min(), columns.min()) == (0, 0)
        assert (rows.max(), columns.max()) == (mask.shape[0] - 1, mask.shape[1] - 1)


def test_words_and_letters_are_made_once() -> None:
    pixel_text._render_letter.cache_clear()
    render_text_mask.cache_clear()
    image = paper()
    for _ in range(50):
        draw_text(image, 10, 50, "aaaa", 20, INK)
    assert render_text_mask.cache_info().misses == 1
    assert pixel_text._render_letter.cache_info().misses <= pixel_text.SUBPIXELS


def test_no_words() -> None:
    image = paper()
    draw_text(image, 10, 50, "", 20, INK)
    draw_text(image, 10, 50, "   ", 20, INK)
    assert not dark(image).any()


def test_letters_do_not_need_fonts_of_pillow() -> None:
    """Sheets and plots have our own letters."""
    for module in (contact_sheet, plot_page, histogram_plot, range_plot, pixel_text):
        assert "ImageFont" not in inspect.getsource(module)
