"""The picture of a profile: lines are where the numbers are, and it is the same every time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from undercroft.draw.plots.histogram_plot import INK, PANEL
from undercroft.draw.plots.profile_plot import (
    BOTTOM,
    HEIGHT,
    HUES,
    LEFT,
    MAX_STEP_LINES,
    RIGHT,
    TOP,
    WIDTH,
    Growth,
    GrowthLine,
    format_duration,
    render_profile_plot,
)
from undercroft.draw.scene.colour import rgb

SIZES = [(10, 10), (20, 20), (40, 40), (80, 80)]


def growth(*steps: tuple[float, ...], at: int = 1, sizes: list[tuple[int, int]] = SIZES) -> Growth:
    lines = [GrowthLine(f"step {number}", seconds, 1.0) for number, seconds in enumerate(steps)]
    overhead = GrowthLine("overhead", tuple(1e-5 for _ in sizes), 0.0)
    whole = GrowthLine("all", tuple(sum(seconds) + 1e-5 for seconds in zip(*steps, strict=True)), 1.0)
    return Growth(sizes, at, lines, overhead, whole)


def render_plot(*steps: tuple[float, ...], at: int = 1, sizes: list[tuple[int, int]] = SIZES) -> Image.Image:
    return render_profile_plot("Where “x” spends its time", "about", growth(*steps, at=at, sizes=sizes), "made so")


def inside(image: Image.Image, colour: str) -> NDArray[np.bool_]:
    """Where the plot has that colour."""
    found: NDArray[np.bool_] = (np.asarray(image)[TOP:BOTTOM, LEFT:RIGHT] == rgb(colour)).all(axis=2)
    return found


EVEN, SQUARE = (1e-4, 4e-4, 16e-4, 64e-4), (1e-5, 16e-5, 256e-5, 4096e-5)


def test_a_picture_is_the_same_every_time() -> None:
    first, second, other = render_plot(EVEN, SQUARE), render_plot(EVEN, SQUARE), render_plot(EVEN, EVEN)
    assert first.size == (WIDTH, HEIGHT)
    assert first.tobytes() == second.tobytes() != other.tobytes()


def slope(image: Image.Image, colour: str) -> float:
    """By how many pixels a line of that colour rises for one to the right, between the quarters of the plot."""
    found = inside(image, colour)
    quarter = (RIGHT - LEFT) // 4
    heights = [float(np.flatnonzero(found[:, column]).mean()) for column in (quarter, 3 * quarter)]
    return (heights[0] - heights[1]) / (2 * quarter)


def test_time_that_grows_with_the_square_is_twice_as_steep() -> None:
    image = render_plot(EVEN, SQUARE)
    assert slope(image, HUES[1]) / slope(image, HUES[0]) == pytest.approx(2, rel=0.02)
    assert slope(image, HUES[0]) > 0


def test_steps_have_colours_of_their_own_and_all_lies_above_them() -> None:
    image = render_plot(EVEN, tuple(3 * second for second in EVEN))
    middle = (RIGHT - LEFT) // 2
    tops = [int(np.flatnonzero(inside(image, colour)[:, middle])[0]) for colour in (INK, HUES[1], HUES[0])]
    assert tops == sorted(tops)
    assert len(set(tops)) == 3
    assert not inside(image, HUES[2]).any()


def test_those_that_take_least_share_a_line() -> None:
    many = [tuple(second * (number + 1) for second in EVEN) for number in range(MAX_STEP_LINES + 4)]
    image = render_plot(*many)
    assert all(inside(image, hue).any() for hue in HUES)
    assert image.tobytes() != render_plot(*many[:-1]).tobytes()


@pytest.mark.parametrize(
    ("steps", "sizes"),
    [
        ([(1e-4,)], [(60, 30)]),
        ([(0.0, 0.0), (-1e-9, 1e-3)], [(60, 30), (30, 60)]),
        ([(1e-9, 3e3)], [(1, 1), (4096, 4096)]),
        ([tuple(1e-4 for _ in range(12))], [(10 + number, 10) for number in range(12)]),
    ],
)
def test_odd_numbers(steps: list[tuple[float, ...]], sizes: list[tuple[int, int]]) -> None:
    image = render_plot(*steps, at=0, sizes=sizes)
    assert inside(image, PANEL).mean() > 0.5
    assert inside(image, INK).any()


def test_durations() -> None:
    assert [format_duration(seconds) for seconds in (1e-9, 9.996e-7, 1e-6, 2e-4, 9.9996e-4, 0.5, 1234.0, -1.0)] == [
        *("1 ns", "1 µs", "1 µs", "200 µs", "1 ms", "500 ms", "1,234 s", "0")
    ]
