"""PDF files, as pdfium reads them: the same pixels as from SVG, pages of exact sizes, an inch that is an inch, and
notes that come back.
"""

from __future__ import annotations

import re
import zlib

import numpy as np
import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import undercroft as uc
from undercroft.core.level import Level
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.paper import PAPERS, POINTS_PER_INCH, Paper, PaperSheet, fit_scene
from undercroft.draw.scene.pdf import pdf
from undercroft.draw.scene.raster import paint_with_resvg
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle
from undercroft.draw.styles.printed.printed import pages, render_one_page
from undercroft.draw.styles.table import STYLES, render_vector, resolve_parts

Picture = NDArray[np.int64]
LARGER = 3
"""How many times too large pictures are that are compared."""


def as_sheet(scene: Scene, cell: float) -> PaperSheet:
    """A sheet that is exactly the scene, `cell` inches a cell."""
    return PaperSheet(scene, Paper("", scene.width * cell, scene.height * cell), cell)


def render_page(data: bytes, page: int, dots: float) -> Picture:
    """A page as pdfium shows it, with so many dots an inch."""
    return np.asarray(
        pdfium.PdfDocument(data)[page].render(scale=dots / POINTS_PER_INCH).to_pil().convert("RGB")
    ).astype(np.int64)


def from_svg(scene: Scene, cell: int) -> Picture:
    """The shapes of a scene as resvg shows them."""
    empty = np.empty((round(scene.height * cell), round(scene.width * cell), 3), np.uint8)
    empty[:] = rgb(scene.ground)
    return paint_with_resvg(empty, scene, scene.list_vector_shapes(), cell).astype(np.int64)


def apart(one: Picture, other: Picture) -> tuple[float, float]:
    """By how much two pictures differ on average, and the share of dots that are quite different.

    Both are reduced first: pdfium draws lines that are finer than a dot as wide as a dot.
    """
    assert abs(one.shape[0] - other.shape[0]) <= 1
    assert abs(one.shape[1] - other.shape[1]) <= 1
    height, width = (min(one.shape[side], other.shape[side]) // LARGER * LARGER for side in (0, 1))
    off = np.abs(_reduced(one[:height, :width]) - _reduced(other[:height, :width])).max(axis=2)
    return float(off.mean()), float((off > 64).mean())


def _reduced(picture: Picture) -> NDArray[np.float64]:
    height, width = picture.shape[0] // LARGER, picture.shape[1] // LARGER
    return np.asarray(picture.reshape(height, LARGER, width, LARGER, 3).mean(axis=(1, 3)))


def toy() -> Scene:
    """A scene with everything that shapes can be."""
    scene = Scene(12, 9, "#e8ecff", left=1, top=1)
    scene.define_clip("ring", [rectangle(0, 0, 3, 3), rectangle(1, 1, 2, 2)])
    scene.fill_area([rectangle(-1, -1, 9, 7)], "#ff0000", clip="ring", opacity=0.5)
    scene.stroke([np.array([[-1, 1.5], [9, 1.5]])], "#004400", 0.4, clip="ring", cap="butt")
    scene.stroke([np.array([[0, 4], [8, 4.0]])], "#000000", 0.3, dash=(1, 0.5), cap="butt")
    scene.stroke(
        [np.array([[0, 5], [0, 5.0]]), np.array([[1, 5.0]]), np.array([[2, 5], [3, 6], [4, 5.0]])], "#00aa00", 0.4
    )
    scene.fill_area([circle(6, 2, 1.5)], "#0000ff", stroke="#ff0000", width=0.6, opacity=0.5)
    scene.fill_area([rectangle(5, 5, 7, 6.5), rectangle(5.5, 5.3, 6.5, 6)], "#ffffff", stroke="#000000", width=0.1)
    scene.stroke([rectangle(8, 0, 10, 2)], "#777777", 0.2, closed=True)
    scene.fill_area([rectangle(8, 4, 10, 7)], "#123456", crisp=True)
    return scene


def test_every_kind_of_shape_looks_as_in_svg() -> None:
    scene = toy()
    found, expected = render_page(pdf([as_sheet(scene, 0.5)]), 0, 40 * LARGER), from_svg(scene, 20 * LARGER)
    mean, far = apart(found, expected)
    assert mean < 1
    assert far < 0.003


@pytest.mark.parametrize("number", range(len(toy().items)))
def test_a_missing_shape_is_seen(number: int) -> None:
    """The comparison above finds whatever shape is left out."""
    scene, expected = toy(), from_svg(toy(), 20 * LARGER)
    del scene.items[number]
    mean, far = apart(render_page(pdf([as_sheet(scene, 0.5)]), 0, 40 * LARGER), expected)
    assert mean > 1 or far > 0.003


@pytest.mark.parametrize("style", [name for name, row in STYLES.items() if row.vector])
def test_styles_look_as_in_svg(style: str) -> None:
    scene = render_vector(uc.generate("cozy", seed=4, size=(31, 25)), style)
    sheet = as_sheet(scene, 0.2)
    found, expected = render_page(pdf([sheet]), 0, 12 * LARGER / 0.2), from_svg(scene, 12 * LARGER)
    mean, far = apart(found, expected)
    assert mean < 5
    assert far < 0.01
    turned = apart(found[:, ::-1], expected)
    assert turned[0] > 2 * mean


def test_pages_look_as_in_svg() -> None:
    level = uc.generate("cozy", seed=4, size=(31, 25))
    stack = pages(level, resolve_parts("print"), "a4", "upright")
    data = pdf([as_sheet(page, 1.0) for page in stack])
    for number in (0, 2):
        found = render_page(data, number, 60 * LARGER)
        mean, far = apart(found, from_svg(stack[number], 60 * LARGER))
        assert mean < 3
        assert far < 0.003
        other = apart(found, from_svg(stack[number - 1], 60 * LARGER))
        assert other[0] > 3 * mean


@pytest.mark.parametrize(
    ("name", "points"),
    [("a4", (595.276, 841.890)), ("letter", (612, 792)), ("a3", (841.890, 1190.551)), ("tabloid", (792, 1224))],
)
def test_pages_have_the_exact_size_of_paper(name: str, points: tuple[float, float]) -> None:
    level = uc.generate("cozy", seed=1, size=(30, 20))
    stack = pages(level, resolve_parts("print"), name, "upright")
    document = pdfium.PdfDocument(pdf([as_sheet(page, 1.0) for page in stack]))
    assert len(document) == len(stack)
    for page in document:
        assert page.get_size() == pytest.approx(points, abs=0.001)
    sheet = fit_scene(Scene(10, 2, "#ffffff"), PAPERS[name])
    assert pdfium.PdfDocument(pdf([sheet]))[0].get_size() == pytest.approx(points[::-1], abs=0.001)


def test_an_inch_is_an_inch() -> None:
    """Walls two squares apart are two inches apart on paper, to a hundredth."""
    room = Level.parse("\n".join(["#" * 8, *["#111111#"] * 4, "#" * 8]))
    [_, page] = pages(room, resolve_parts("print", hide=["numbers"]), "a4", "upright")
    found = render_page(pdf([as_sheet(page, 1.0)]), 0, 300)[:, :, 0]
    middle = (found[round((page.top + 1.5) * 300) : round((page.top + 4.5) * 300)] < 128).mean(axis=0)
    walls = np.flatnonzero(middle > 0.6)
    half = round((page.left + 4) * 300)
    left, right = walls[walls < half].mean() / 300, walls[walls > half].mean() / 300
    assert right - left == pytest.approx(6, abs=0.03)
    assert left == pytest.approx(page.left + 1, abs=0.02)
    bar_y = round((page.height - 0.46 - 0.1) * 300)
    line = found[bar_y] < 128
    runs = np.flatnonzero(np.diff(line.astype(int), prepend=0, append=0))
    lengths = [(end - start) / 300 for start, end in zip(runs[::2].tolist(), runs[1::2].tolist(), strict=True)]
    assert any(abs(length - 2) < 0.02 for length in lengths), lengths


@pytest.mark.parametrize("title", ["The Well", "The (Old) Well \\ and )", "Höhle der Königin", "洞窟", "a\nb"])
def test_notes_come_back(title: str) -> None:
    told = '{"recipe":"h\u00f6hle (1)","seed":"7"}'
    document = pdfium.PdfDocument(pdf([as_sheet(toy(), 0.3)], {"title": title, "undercroft": told}))
    assert document.get_metadata_value("Title") == title
    assert document.get_metadata_value("undercroft") == told
    assert document.get_metadata_value("Producer") == "Undercroft"
    assert document.get_metadata_value("CreationDate") == ""


def test_pages_are_labelled() -> None:
    sheets = [as_sheet(toy(), 0.3)._replace(label=label) for label in ("map", "A1", "B1", "")]
    document = pdfium.PdfDocument(pdf(sheets))
    assert [document.get_page_label(number) for number in range(4)] == ["map", "A1", "B1", "4"]


def test_files_are_the_same_each_time_and_ask_not_to_be_scaled() -> None:
    level = uc.generate("cozy", seed=1, size=(30, 20))
    one, other = (
        pdf([render_one_page(level, resolve_parts("print"))._replace(cell=1.0)], {"title": "x"}) for _ in range(2)
    )
    assert one == other
    assert b"/PrintScaling /None" in one
    assert b"Date" not in one
    assert b"/Font" not in one


def test_the_table_says_where_objects_begin() -> None:
    data = pdf([as_sheet(toy(), 0.3)] * 3, {"title": "x"})
    start = int(data.split(b"startxref\n")[1].split()[0])
    assert data[start : start + 4] == b"xref"
    rows = data[start:].split(b"trailer")[0].splitlines()[2:]
    assert rows[0] == b"0000000000 65535 f "
    for number, row in enumerate(rows[1:], 1):
        place = int(row.split()[0])
        assert data[place:].startswith(b"%d 0 obj\n" % number)
    assert b"/Size %d" % len(rows) in data
    for length, body in re.findall(
        rb"/Length (\d+) /Filter /FlateDecode >>\nstream\n(.*?)\nendstream", data, re.DOTALL
    ):
        assert len(body) == int(length)
        assert zlib.decompress(body)


def test_black_is_black_ink() -> None:
    data = pdf([as_sheet(render_vector(Level.parse("#..#"), "print", margin=0), 0.5)])
    content = b"".join(zlib.decompress(body) for body in re.findall(rb"stream\n(.*?)\nendstream", data, re.DOTALL))
    assert b" rg" not in content
    assert b" RG" not in content
    assert b"0 G" in content


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.tuples(st.floats(-3, 13), st.floats(-3, 9)), min_size=1, max_size=7), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["round", "butt"]),
    st.sampled_from([1.0, 0.4]),
    st.sampled_from([(), (0.5, 0.3)]),
)
def test_any_shape_looks_as_in_svg(
    lines: list[list[tuple[float, float]]],
    filled: bool,
    closed: bool,
    cap: str,
    opacity: float,
    dash: tuple[float, ...],
) -> None:
    drawn: list[Points] = [np.array(line, float) for line in lines]
    scene = Scene(10, 6, "#ffffff")
    if filled:
        scene.fill_area(drawn, "#2040a0", opacity=opacity)
    scene.stroke(drawn, "#a02040", 0.4, cap=cap, closed=closed, opacity=opacity, dash=dash)
    mean, far = apart(render_page(pdf([as_sheet(scene, 0.5)]), 0, 30 * LARGER), from_svg(scene, 15 * LARGER))
    assert mean < 4
    assert far < 0.03
