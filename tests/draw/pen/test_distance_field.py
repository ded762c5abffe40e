"""Distances to lines."""

from __future__ import annotations

import numpy as np
import pytest

from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.scene.scene import Points, circle, rectangle


def area(line: Points) -> float:
    x, y = line.T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


@pytest.mark.parametrize("per_cell", [4, 8, 16])
def test_distances_to_a_disc(per_cell: int) -> None:
    field = SignedDistanceField.of([circle(6, 5, 3, 200)], 12, 10, per_cell)
    points = np.random.default_rng(per_cell).uniform((-2, -2), (14, 12), (500, 2))
    true = np.hypot(*(points - (6, 5)).T) - 3
    assert field.sample(points) == pytest.approx(true, abs=1.1 / per_cell)
    assert field.sample_nearest(points) == pytest.approx(true, abs=1.8 / per_cell)


@pytest.mark.parametrize("distance", [-2.0, -1.0, 0.0, 1.0, 2.0])
def test_lines_at_a_distance(distance: float) -> None:
    field = SignedDistanceField.of([circle(6, 6, 3, 200)], 12, 12)
    [line] = field.lines_at(distance)
    assert np.hypot(*(line - 6).T) == pytest.approx(np.full(len(line), 3 + distance), abs=0.15)
    assert area(line) == pytest.approx(np.pi * (3 + distance) ** 2, rel=0.12)
    assert np.array_equal(line[0], line[-1])


def test_holes_are_outside() -> None:
    field = SignedDistanceField.of([rectangle(0, 0, 9, 9), rectangle(3, 3, 6, 6)], 9, 9)
    assert field.sample(np.array([[4.5, 4.5], [1.5, 4.5]])) == pytest.approx([1.5, -1.5], abs=0.13)
    assert len(field.lines_at(-0.5)) == 2


def test_without_lines_everything_is_far() -> None:
    field = SignedDistanceField.of([], 5, 4)
    assert field.lines_at(0.0) == []
    assert (field.sample(np.array([[2.0, 2.0]])) > 3).all()
    assert SignedDistanceField.of([np.empty((0, 2))], 1, 1).lines_at(0.5) == []


def test_points_beyond_the_margin_have_the_distance_at_its_end() -> None:
    field = SignedDistanceField.of([rectangle(0, 0, 2, 2)], 2, 2)
    assert field.sample(np.array([[-99.0, 1.0]])) == pytest.approx([3.0], abs=0.2)


def test_blurring_rounds_corners_and_keeps_the_middle() -> None:
    sharp = SignedDistanceField.of([rectangle(2, 2, 10, 10)], 12, 12)
    soft = sharp.blurred(0.4)
    corner, middle = np.array([[2.0, 2.0]]), np.array([[2.0, 6.0]])
    assert soft.sample(middle) == pytest.approx(sharp.sample(middle), abs=0.05)
    assert float(soft.sample(corner)[0]) > float(sharp.sample(corner)[0]) + 0.05
