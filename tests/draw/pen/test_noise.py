"""Chance by place, and lines moved by it."""

from __future__ import annotations

import numpy as np
import pytest

from undercroft.core.level import Level
from undercroft.draw.pen import noise
from undercroft.draw.pen.wobble import HAND_SWAY, NATURE_SWAY, drift, subdivide_lines, wobbled
from undercroft.draw.scene.scene import rectangle


def test_hashes_are_spread_evenly_and_differ_by_place_and_seed() -> None:
    xs, ys = np.meshgrid(np.arange(200), np.arange(-100, 100))
    found = noise.hash_noise(xs, ys, 5)
    counts, _ = np.histogram(found, 20, (0, 1))
    assert ((counts - 2000) ** 2 / 2000).sum() < 60, "chi square of 19 degrees"
    assert abs(np.corrcoef(found[:, 1:].ravel(), found[:, :-1].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(found.ravel(), noise.hash_noise(xs, ys, 6).ravel())[0, 1]) < 0.03
    assert len(np.unique(found)) > 39990


def test_a_place_does_not_depend_on_the_others() -> None:
    points = np.random.default_rng(1).uniform(-9, 9, (50, 2))
    together = noise.point_noise(points, 0.7, 3)
    assert [float(noise.point_noise(point[None], 0.7, 3)[0]) for point in points] == together.tolist()
    assert noise.point_noise(np.empty((0, 2)), 1.0, 3).shape == (0,)


def test_textures_are_as_wide_as_asked_and_rougher_with_octaves() -> None:
    smooth, rough = noise.fbm(60, 90, 30, 1, 4), noise.fbm(60, 90, 30, 5, 4)
    assert smooth.shape == rough.shape == (60, 90)
    assert 0 <= rough.min() < rough.max() < 1
    assert np.abs(np.diff(rough, 2, axis=1)).mean() > 3 * np.abs(np.diff(smooth, 2, axis=1)).mean()
    stretched = noise.fbm(200, 200, 4, 1, 4, stretch=5)
    assert np.abs(np.diff(stretched, axis=1)).mean() > 3 * np.abs(np.diff(stretched, axis=0)).mean()
    assert noise.fbm(1, 1, 260, 4, 1).shape == (1, 1)


def test_other_tiles_give_other_seeds() -> None:
    seeds = {noise.picture_seed(Level.parse(picture)) for picture in ("#.#", ".#.", "#.\n#.", "#.#.")}
    assert len(seeds) == 4


def test_what_meets_goes_on_to_meet() -> None:
    walls, door = [rectangle(0, 0, 4, 3)], [np.array([[4.0, 1.0], [4.0, 2.0]])]
    [around], [leaf] = wobbled(walls, 9), wobbled(door, 9, closed=False)
    for end in (leaf[0], leaf[-1]):
        assert np.hypot(*(around - end).T).min() < 1e-9


@pytest.mark.parametrize(("soft", "sway"), [(0.0, HAND_SWAY), (1.0, NATURE_SWAY)])
def test_points_move_no_farther_than_the_hand(soft: float, sway: tuple[tuple[float, float], ...]) -> None:
    lines = [np.random.default_rng(2).uniform(0, 50, (4000, 2))]
    off = np.abs(wobbled(lines, 4, soft, piece=1e9)[0] - lines[0])
    most = sum(reach for reach, _ in sway)
    assert off.max() <= most
    assert off.max() > most / 2


def test_softness_may_differ_from_point_to_point() -> None:
    line = np.stack([np.linspace(0, 40, 4001), np.zeros(4001)], axis=1)
    [moved] = wobbled([line], 4, lambda points: (points[:, 0] > 20).astype(float), closed=False, piece=1e9)
    off = np.abs(moved - line).max(axis=1)
    assert off[:2000].max() < 0.05 < 0.15 < off[2001:].max()


def test_lines_are_cut_where_they_are_and_nowhere_else() -> None:
    [around] = subdivide_lines([rectangle(0, 0, 1, 2)], 0.25, closed=True)
    assert len(around) == 24
    assert (np.isin(around[:, 0], (0, 1)) | np.isin(around[:, 1], (0, 2))).all()
    [open_line] = subdivide_lines([np.array([[0.0, 0], [0, 1]])], 0.3, closed=False)
    assert open_line[[0, -1]].tolist() == [[0, 0], [0, 1]]
    assert subdivide_lines([np.empty((0, 2))], 1.0, closed=True) == []
    assert wobbled([], 3) == []
    assert drift(np.empty((0, 2)), 1).shape == (0, 2)
