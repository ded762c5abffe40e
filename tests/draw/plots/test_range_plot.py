"""The picture of an expressive range: it is where the numbers are, and the same every time."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from undercroft.analysis.expressive_range import build_bin_grid, build_spread
from undercroft.core.level import Level
from undercroft.draw.plots.histogram_plot import (
    BOX,
    GROUND,
    PANEL,
    HistogramPlot,
    MeasureAxis,
    bin_colour,
    bin_darkness,
)
from undercroft.draw.plots.plot_page import OVERSAMPLING, PlotPage, choose_ticks, format_number
from undercroft.draw.plots.range_plot import PAIR_LAYOUT, SINGLE_LAYOUT, CornerLevel, Series, render_range_plot
from undercroft.draw.plots.thumbnail import FLOOR, ROCK, START, WAY, fit_size, render_thumbnail
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.pixel_text import At
from undercroft.draw.scene.png_file import encode_png_file
from undercroft.errors import TooBig
from undercroft.limits import PICTURE_PIXELS, PICTURE_SIDE

LEVEL = uc.generate("cave", seed=1, size=(30, 20))
AXES = MeasureAxis("loops", "ways round", "count", True), MeasureAxis("density", "floor", "share", False)
Pixels = NDArray[np.uint8]


def some(count: int = 400, seed: int = 1) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 25, count).astype(float), rng.normal(0.4, 0.03, count).round(3)


def render_plot(
    *clouds: tuple[NDArray[np.float64], NDArray[np.float64]],
    axes: tuple[MeasureAxis, MeasureAxis] = AXES,
    level: Level = LEVEL,
) -> Image.Image:
    around = build_bin_grid([x for x, _ in clouds], [y for _, y in clouds], whole=(axes[0].whole, axes[1].whole))
    series = []
    for number, (x, y) in enumerate(clouds):
        one = build_spread(x, y, around)
        series.append(
            Series(
                f"recipe {number}",
                "some levels",
                one,
                [CornerLevel(corner.place, level) for corner in one.corners],
                ["a remark"],
            )
        )
    return render_range_plot(series, around, axes, "made so")


def is_colour(image: Image.Image, colour: str) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (np.asarray(image) == rgb(colour)).all(axis=2)
    return found


def test_a_picture_is_the_same_every_time() -> None:
    first, second = (encode_png_file(render_plot(some())) for _ in range(2))
    assert first == second
    with Image.open(io.BytesIO(first)) as image:
        assert image.format == "PNG"
        assert image.size == (SINGLE_LAYOUT.width, SINGLE_LAYOUT.height)
    assert first != encode_png_file(render_plot(some(seed=2)))


def middle(heat: HistogramPlot, row: int, column: int) -> tuple[int, int]:
    """The pixel in the middle of a bin."""
    return (heat.y.ends[row] + heat.y.ends[row + 1]) // 2, (heat.x.ends[column] + heat.x.ends[column + 1]) // 2


def test_each_bin_is_as_dark_as_it_is_full() -> None:
    """Without medians and rings, which lie over bins."""
    x, y = some()
    around = build_bin_grid([x], [y], whole=(True, False))
    one = build_spread(x, y, around)
    most = int(one.counts.max())
    page = PlotPage(500, 400, GROUND)
    heat = HistogramPlot(page, around, (100, 120, 300, 200), AXES, 60)
    heat.draw_ground()
    before = np.asarray(page.render()).copy()
    heat.draw(one, most)
    image = np.asarray(page.render())
    medians = {round(heat.x.to_pixel(one.medians[0])), round(heat.y.to_pixel(one.medians[1]))}
    seen = set()
    for row, column in np.ndindex(one.counts.shape):
        at = middle(heat, row, column)
        if any(abs(at[0] - line) < 3 or abs(at[1] - line) < 3 for line in medians):
            continue
        count = int(one.counts[row, column])
        assert tuple(image[at]) == (bin_colour(bin_darkness(count, most)) if count else tuple(before[at])), (
            row,
            column,
        )
        seen.add(count)
    assert {0, 1} < seen
    assert bin_darkness(1, most) == 0.0
    assert bin_darkness(most, most) == 1.0


def test_more_levels_are_darker() -> None:
    lightness = [sum(bin_colour(bin_darkness(count, 20))) for count in range(1, 21)]
    assert lightness == sorted(lightness, reverse=True)
    assert len(set(lightness)) == 20


def test_bars_beside_the_histogram_are_its_sums() -> None:
    x, y = np.array([1.0, 1.0, 1.0, 2.0]), np.array([0.3, 0.5, 0.5, 0.5])
    around = build_bin_grid([x], [y], whole=(True, False))
    page = PlotPage(500, 400, GROUND)
    heat = HistogramPlot(page, around, (100, 120, 300, 200), AXES, 60)
    heat.draw(build_spread(x, y, around), 2)
    image = np.asarray(page.render())
    columns = [(heat.x.ends[place] + heat.x.ends[place + 1]) // 2 + 8 for place in (0, 1)]  # beside the median's line
    heights = [int((image[50:110, at] != rgb(GROUND)).any(axis=1).sum()) for at in columns]
    assert heights == [60, 20]
    rows = [(heat.y.ends[place] + heat.y.ends[place + 1]) // 2 + 5 for place in (0, len(around.y) - 2)]
    widths = [int((image[at, 410:470] != rgb(GROUND)).any(axis=1).sum()) for at in rows]
    assert widths == [20, 60]


def test_the_levels_at_the_corners_are_drawn() -> None:
    image = render_plot(some())
    rock, start = is_colour(image, ROCK), is_colour(image, START)
    left, right, upper, lower = slice(0, 330), slice(SINGLE_LAYOUT.width - 330, None), slice(200, 560), slice(560, 960)
    for rows in (upper, lower):
        for columns in (left, right):
            assert rock[rows, columns].sum() > 5000
            assert start[rows, columns].any()


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.ones(7), np.full(7, 0.4)),
        (np.ones(7), np.linspace(0.2, 0.5, 7)),
        (np.arange(7.0), np.full(7, 1.0)),
        (np.array([3.0]), np.array([0.0])),
        (np.array([0.0, 1e9]), np.array([1e-9, 1.0])),
    ],
    ids=["a point", "upright", "level", "one level", "far apart"],
)
def test_measures_that_hardly_change(x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
    around = build_bin_grid([x], [y], whole=(True, False))
    counts = build_spread(x, y, around).counts
    full = bin_colour(bin_darkness(int(counts.max()), int(counts.max())))
    for image in (render_plot((x, y)), render_plot((x, y), (x, y))):
        colours = {colour for _, colour in image.getcolors(1 << 20) or []}
        assert full in colours, "a bin is drawn"
        assert rgb(ROCK) in colours, "a level is drawn"
        assert rgb(PANEL) in colours or rgb(BOX) in colours


def test_numbers_that_cannot_be_have_no_room() -> None:
    page = PlotPage(500, 400, GROUND)
    around = build_bin_grid([np.ones(3)], [np.ones(3)], whole=(True, False))
    heat = HistogramPlot(page, around, (100, 120, 300, 200), AXES, 60)
    assert heat.x.low >= -0.5, "no negative counts"
    assert heat.y.high < 1.02, "no shares above 1"
    wild = HistogramPlot(page, around, (100, 120, 300, 200), (MeasureAxis("danger", "", "number", True), AXES[1]), 60)
    assert wild.x.low < -0.5


def test_two_recipes_stand_side_by_side() -> None:
    x, y = some(300)
    image = np.asarray(render_plot((x, y), (x + 30, y)))
    assert image.shape[:2] == (PAIR_LAYOUT.height, PAIR_LAYOUT.width)
    inked = image.max(axis=2).astype(int) - image.min(axis=2) > 60  # neither paper nor letters
    halves = [
        inked[PAIR_LAYOUT.top : PAIR_LAYOUT.top + PAIR_LAYOUT.plot[1], left : left + PAIR_LAYOUT.plot[0]]
        for left in PAIR_LAYOUT.lefts
    ]
    middles = [np.nonzero(half)[1].mean() / PAIR_LAYOUT.plot[0] for half in halves]
    assert middles[0] < 0.45, "the first lies on the left of the box that both share"
    assert middles[1] > 0.55


@pytest.mark.parametrize("sides", [(1, 1), (1, 40), (300, 1), (30, 20), (5, 90), (2000, 1500)])
def test_levels_of_any_shape_fit(sides: tuple[int, int]) -> None:
    width, height = sides
    tiles = np.zeros((height, width), np.uint8)
    tiles[height // 4 : height // 2 + 1, width // 4 : width // 2 + 1] = uc.STANDARD.role("floor")
    level = Level(tiles, uc.STANDARD)
    wide, high = fit_size(width, height, 270, 210)
    assert (wide, high) <= (270, 210)
    image = render_thumbnail(level, (wide, high))
    assert image.size == (wide, high)
    assert is_colour(image, FLOOR).any()
    assert render_plot(some(20), level=level).size == (SINGLE_LAYOUT.width, SINGLE_LAYOUT.height)


def test_a_stamp_shows_rock_floor_and_the_way() -> None:
    image = render_thumbnail(LEVEL, (600, 400))
    for x, y in ((0, 0), (29, 19)):
        assert image.getpixel((x * 20 + 10, y * 20 + 10)) == rgb(ROCK)
    assert is_colour(image, FLOOR).sum() > 0.2 * 600 * 400
    assert LEVEL.start is not None
    assert image.getpixel((LEVEL.start[0] * 20 + 10, LEVEL.start[1] * 20 + 10)) == rgb(START)
    way = is_colour(image, WAY)
    assert all(way[y * 20 : y * 20 + 20, x * 20 : x * 20 + 20].any() for x, y in LEVEL.path[2:].tolist())
    assert not way[: 20 * int(LEVEL.path[:, 1].min()) - 20].any()


def test_pages_keep_to_the_limits() -> None:
    for look in (SINGLE_LAYOUT, PAIR_LAYOUT):
        assert look.width * look.height * OVERSAMPLING * OVERSAMPLING <= PICTURE_PIXELS.value
        assert max(look.width, look.height) * OVERSAMPLING <= PICTURE_SIDE.value
    with pytest.raises(TooBig):
        PlotPage(3000, 3000, GROUND)


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0.08, 0.32), (-7.5, 30.5), (2.5, 3.5), (0.5, 40000.5), (0.499, 0.501)]
)
@pytest.mark.parametrize("whole", [True, False])
def test_ticks_are_few_even_and_inside(low: float, high: float, whole: bool) -> None:
    found = choose_ticks(low, high, 9, whole=whole)
    assert len(found) <= 9
    assert all(low - 1e-6 <= tick <= high + 1e-6 for tick in found)
    if len(found) > 1:
        assert np.allclose(np.diff(found), found[1] - found[0])
    if whole:
        assert all(tick == round(tick) for tick in found)
    elif high - low >= 1e-3:
        assert len(found) >= 3
    assert len({format_number(tick, "number", 6) for tick in found}) == len(found)


def test_words_stand_where_they_are_asked_for() -> None:
    places: list[tuple[At, int, int]] = [("left", 200, 290), ("middle", 160, 240), ("right", 110, 200)]
    for at, left, right in places:
        page = PlotPage(400, 100, "#ffffff")
        page.write(200, 50, "density", 20, "#000000", at=at)
        columns = np.nonzero((np.asarray(page.render()) < 128).any(axis=(0, 2)))[0]
        assert left - 2 <= columns.min() < columns.max() <= right + 2
    page = PlotPage(200, 400, "#ffffff")
    page.write(100, 200, "density", 20, "#000000", at="middle", turned=True)
    rows, columns = np.nonzero((np.asarray(page.render()) < 128).any(axis=2))
    assert abs((rows.min() + rows.max()) / 2 - 200) < 4
    assert 80 <= columns.min() < columns.max() <= 106
    assert rows.max() - rows.min() > 2 * (columns.max() - columns.min()), "it reads upwards"


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("path_length", "count", ("short path", "long path")),
        ("loops", "count", ("few loops", "many loops")),
        ("density", "share", ("low density", "high density")),
        ("diameter", "count", ("low diameter", "high diameter")),
    ],
)
def test_corners_are_named(name: str, kind: str, words: tuple[str, str]) -> None:
    axis = MeasureAxis(name, "", kind, kind == "count")
    assert (axis.describe_amount(-1), axis.describe_amount(1)) == words
