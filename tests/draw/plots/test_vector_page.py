"""Plots as shapes: they look like the pixels, whatever is drawn."""

from __future__ import annotations

import io
from itertools import product

import numpy as np
import pypdfium2
import pytest
import resvg_py
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from undercroft.analysis.expressive_range import AxisBins, build_bin_grid, build_spread
from undercroft.draw.plots.histogram_plot import GROUND, MeasureAxis
from undercroft.draw.plots.plot_files import check_plot_name, encode_plot
from undercroft.draw.plots.plot_page import Page, PlotPage
from undercroft.draw.plots.range_plot import CornerLevel, Series, choose_columns, draw_range_plot
from undercroft.draw.plots.vector_page import PIXELS_PER_INCH, VectorPage
from undercroft.errors import BadInput, TooBig

AXES = MeasureAxis("loops", "ways round", "count", True), MeasureAxis("density", "floor", "share", False)
LEVEL = uc.generate("cave", seed=1, size=(30, 20))


def draw_plot(page_type: type[Page], count: int) -> Page:
    rng = np.random.default_rng(3)
    clouds = [
        (rng.integers(0, 25, 200).astype(float), rng.normal(0.3 + 0.1 * place, 0.03, 200).round(3))
        for place in range(count)
    ]
    around = build_bin_grid([x for x, _ in clouds], [y for _, y in clouds], whole=(True, False))
    series = []
    for place, (x, y) in enumerate(clouds):
        one = build_spread(x, y, around)
        stamps = [CornerLevel(corner.place, LEVEL) for corner in one.corners]
        series.append(Series(f"recipe {place}", "some levels", one, stamps, ["a remark"]))
    return draw_range_plot(page_type, series, around, AXES, "made so")


def pixels_of(data: bytes, kind: str) -> NDArray[np.float64]:
    if kind == "svg":
        data = bytes(resvg_py.svg_to_bytes(svg_string=data.decode()))
    elif kind == "pdf":
        document = pypdfium2.PdfDocument(data)
        image = document[0].render(scale=PIXELS_PER_INCH / 72).to_pil().convert("RGB")
        document.close()
        return np.asarray(image, float)
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"), float)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_shapes_look_like_pixels(count: int) -> None:
    drawn = {
        kind: pixels_of(encode_plot(lambda page: draw_plot(page, count), f"a.{kind}", {"title": "x"}), kind)
        for kind in ("png", "svg", "pdf")
    }
    for kind in ("svg", "pdf"):
        assert drawn[kind].shape == drawn["png"].shape
        far = np.abs(drawn[kind] - drawn["png"]).max(axis=2)
        assert far.mean() < 4, kind
        assert (far > 128).mean() < 0.02, f"{kind}: letters and edges may differ, areas may not"


def test_each_mark_alone_looks_alike() -> None:
    def draw(page: Page) -> None:
        page.box(10, 10, 60, 40, "#336699")
        page.box(70, 10, 70, 40, "#ff0000")
        page.line([(10, 60), (100, 90), (180, 60)], "#aa0000", 4)
        page.dashes((10, 110), (180, 110), "#00aa00", 3)
        page.dashes((10, 110), (10, 110), "#00aa00", 3)
        page.curve((10, 130), (180, 180), "#0000aa", 3)
        page.disc(150, 30, 15, "#ffffff", "#000000")
        page.write(100, 150, "Rooms", 24, "#000000", "strong", at="middle")
        page.write(30, 180, "up", 24, "#000000", turned=True)
        page.draw_level(LEVEL, 60, 160, 60, 40)

    pixels, shapes = PlotPage(200, 210, GROUND), VectorPage(200, 210, GROUND)
    for page in (pixels, shapes):
        draw(page)
    found = pixels_of(shapes.encode_svg({}), "svg")
    far = np.abs(found - np.asarray(pixels.render(), float)).max(axis=2)
    assert far.mean() < 6
    assert (far > 128).mean() < 0.02


def test_the_names_of_files() -> None:
    for good in ("a.png", "A.PDF", "b/c.Svg"):
        check_plot_name(good, "range.png")
    for bad in ("a", "a.gif", "a.png.gz", ".png"):
        with pytest.raises(BadInput, match=r"does not end in \.png, \.svg or \.pdf"):
            check_plot_name(bad, "range.png")


def test_a_page_has_a_limit() -> None:
    with pytest.raises(TooBig):
        VectorPage(1 << 20, 10, GROUND)


@pytest.mark.parametrize("count", range(3, 40))
def test_panels_fill_rows(count: int) -> None:
    columns = choose_columns(count)
    rows = -(-count // columns)
    assert columns * rows >= count > columns * (rows - 1)
    assert columns >= rows


WAYS = [AxisBins(), AxisBins(0, 10), AxisBins(bins=7), AxisBins(2, 8, 3), AxisBins(low=3), AxisBins(high=4, bins=5)]


@pytest.mark.parametrize(("axis", "whole"), list(product(WAYS, (False, True))))
def test_bins_that_are_set_are_kept(axis: AxisBins, whole: bool) -> None:
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 13, 300).astype(float) if whole else rng.random(300) * 12
    box = build_bin_grid([numbers], [numbers], whole=(whole, whole), axes=(axis, AxisBins()))
    half = 0.5 if whole else 0.0
    if axis.low is not None:
        assert box.x[0] == axis.low - half
    if axis.high is not None and (axis.bins is not None or not whole):
        assert box.x[-1] == pytest.approx(axis.high + half)
    if axis.bins is not None:
        assert len(box.x) == axis.bins + 1
    inside = box.is_inside(numbers, numbers)
    counts = box.count_points(numbers, numbers)
    wanted, _, _ = np.histogram2d(numbers, numbers, [box.x, box.y])
    assert np.array_equal(counts, wanted.T)
    assert counts.sum() == inside.sum()
    if axis == AxisBins():
        assert inside.all()


def test_axes_beyond_all_numbers() -> None:
    numbers = np.array([5.0, 6.0])
    for axis in (AxisBins(low=9), AxisBins(high=1), AxisBins(low=5, high=5), AxisBins(0, 1, 2)):
        box = build_bin_grid([numbers], [numbers], axes=(axis, AxisBins()))
        assert (np.diff(box.x) > 0).all()
