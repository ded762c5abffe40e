"""Distances to lines."""

from __future__ import annotations

import numpy as np
import pytest

from undercroft.draw.pen.distance_field import Field
from undercroft.draw.scene.scene import Points, circle, square


def area(line: Points) -> float:
    x, y = line.T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


@pytest.mark.parametrize("per_cell", [4, 8, 16])
def test_distances_to_a_disc(per_cell: int) -> None:
    field = Field.of([circle(6, 5, 3, 200)], 12, 10, per_cell)
    points = np.random.default_rng(per_cell).uniform((-2, -2), (14, 12), (500, 2))
    true = np.hypot(*(points - (6, 5)).T) - 3
    assert field.at(points) == pytest.approx(true, abs=1.1 / per_cell)
    assert field.near(points) == pytest.approx(true, abs=1.8 / per_cell)


@pytest.mark.parametrize("distance", [-2.0, -1.0, 0.0, 1.0, 2.0])
def test_lines_at_a_distance(distance: float) -> None:
    field = Field.of([circle(6, 6, 3, 200)], 12, 12)
    [line] = field.lines(distance)
    assert np.hypot(*(line - 6).T) == pytest.approx(np.full(len(line), 3 + distance), abs=0.15)
    assert area(line) == pytest.approx(np.pi * (3 + distance) ** 2, rel=0.12)
    assert np.array_equal(line[0], line[-1])


def test_holes_are_outside() -> None:
    field = Field.of([square(0, 0, 9, 9), square(3, 3, 6, 6)], 9, 9)
    assert field.at(np.array([[4.5, 4.5], [1.5, 4.5]])) == pytest.approx([1.5, -1.5], abs=0.13)
    assert len(field.lines(-0.5)) == 2


def test_without_lines_everything_is_far() -> None:
    field = Field.of([], 5, 4)
    assert field.lines(0.0) == []
    assert (field.at(np.array([[2.0, 2.0]])) > 3).all()
    assert Field.of([np.empty((0, 2))], 1, 1).lines(0.5) == []


def test_points_beyond_the_margin_have_the_distance_at_its_end() -> None:
    field = Field.of([square(0, 0, 2, 2)], 2, 2)
    assert field.at(np.array([[-99.0, 1.0]])) == pytest.approx([3.0], abs=0.2)


def test_blurring_rounds_corners_and_keeps_the_middle() -> None:
    sharp = Field.of([square(2, 2, 10, 10)], 12, 12)
    soft = sharp.blurred(0.4)
    corner, middle = np.array([[2.0, 2.0]]), np.array([[2.0, 6.0]])
    assert soft.at(middle) == pytest.approx(sharp.at(middle), abs=0.05)
    assert float(soft.at(corner)[0]) > float(sharp.at(corner)[0]) + 0.05
