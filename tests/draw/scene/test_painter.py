"""Shapes on pixels: against samples taken one by one, against resvg, and compiled as interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import HEAVY, each, interpreted
from undercroft.draw.scene import painter as painter_module
from undercroft.draw.scene.painter import Painter
from undercroft.draw.scene.raster import paint_shapes, paint_with_resvg, raster
from undercroft.draw.scene.scene import Pixels, Points, Scene, Shape, circle, rectangle
from undercroft.kernels import is_compiled, painting

SEEDS = 200 if HEAVY else 16


def covered(scene: Scene, cell: int) -> NDArray[np.float64]:
    """How much black there is in each pixel of a white page."""
    page = np.full((round(scene.height * cell), round(scene.width * cell), 3), 255, np.uint8)
    painter = Painter(scene, page, cell)
    for item in scene.items:
        assert isinstance(item, Shape)
        painter.paint(item)
    share: NDArray[np.float64] = 1 - page[:, :, 0] / 255
    return share


def shapes(number: int) -> list[Points]:
    chance = np.random.default_rng(number)
    return [chance.uniform(-1, 7, (int(chance.integers(1, 8)), 2)) for _ in range(int(chance.integers(1, 4)))]


def samples(fine: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points spread evenly over six cells each way, so many to a cell."""
    ys, xs = (np.mgrid[0 : 6 * fine, 0 : 6 * fine] + 0.5) / fine
    return xs, ys


@each("number", SEEDS)
def test_areas_cover_what_samples_say(number: int) -> None:
    lines = shapes(number)
    scene = Scene(6, 6, "#ffffff")
    scene.fill_area(lines, "#000000")
    xs, ys = samples(16)
    odd = np.zeros(xs.shape, bool)
    for line in lines:
        before = np.roll(line, 1, axis=0)
        for (x0, y0), (x1, y1) in zip(before.tolist(), line.tolist(), strict=True):
            if y0 != y1:
                odd ^= (min(y0, y1) <= ys) & (ys < max(y0, y1)) & (x0 + (ys - y0) * (x1 - x0) / (y1 - y0) <= xs)
    expected = odd.reshape(6, 16, 6, 16).mean(axis=(1, 3))
    assert np.abs(covered(scene, 1) - expected).max() < 0.2
    assert np.abs(covered(scene, 1) - expected).mean() < 0.03


@each("number", SEEDS)
def test_strokes_cover_what_is_near_their_lines(number: int) -> None:
    lines = shapes(number)
    scene = Scene(6, 6, "#ffffff")
    closed = number % 2 == 0
    scene.stroke(lines, "#000000", 0.8, closed=closed)
    xs, ys = samples(32)
    near = np.full(xs.shape, np.inf)
    for line in lines:
        ends = np.roll(line, -1, axis=0) if closed and len(line) > 1 else np.concatenate([line[1:], line[-1:]])
        for a, b in zip(line, ends, strict=True):
            chord = b - a
            along = np.clip(((xs - a[0]) * chord[0] + (ys - a[1]) * chord[1]) / max(float(chord @ chord), 1e-12), 0, 1)
            near = np.minimum(near, np.hypot(xs - a[0] - along * chord[0], ys - a[1] - along * chord[1]))
    expected = (near <= 0.4).reshape(48, 4, 48, 4).mean(axis=(1, 3))
    off = np.abs(covered(scene, 8) - expected)
    assert off.mean() < 0.015
    assert (off > 0.3).mean() < 0.01, "where two strokes share a pixel, the larger counts"


def test_thin_strokes_are_faint_not_broken() -> None:
    scene = Scene(20, 3, "#ffffff")
    scene.stroke([np.array([[2, 1.5], [18, 1.5]])], "#000000", 0.2)
    found = covered(scene, 1)[1, 3:17]
    assert found == pytest.approx(np.full(14, 0.2), abs=0.01)


def test_flat_ends_end_where_the_line_does() -> None:
    scene = Scene(10, 5, "#ffffff")
    scene.stroke([np.array([[2, 2.5], [8, 2.5]])], "#000000", 3, cap="butt")
    expected = np.zeros((5, 10))
    expected[1:4, 2:8] = 1
    assert covered(scene, 1) == pytest.approx(expected, abs=0.01)


def test_dashes_and_gaps_go_round_corners() -> None:
    scene = Scene(12, 12, "#ffffff")
    scene.stroke([np.array([[1, 1.5], [10.5, 1.5], [10.5, 11]])], "#000000", 1, dash=(3, 2), cap="butt")
    found = covered(scene, 1) > 0.5
    assert np.flatnonzero(found[1]).tolist() == [1, 2, 3, 6, 7, 8]
    assert np.flatnonzero(found[:, 10]).tolist() == [2, 3, 4, 7, 8, 9]


@pytest.mark.parametrize("dash", [(0.0, 0.0), (0.0,), (2.0,), (0.0, 1.0)])
def test_odd_dashes_end(dash: tuple[float, ...]) -> None:
    scene = Scene(8, 3, "#ffffff")
    scene.stroke([np.array([[1, 1.5], [7, 1.5]])], "#000000", 1, dash=dash)
    assert covered(scene, 1).sum() > 1


def test_nothing_is_painted_outside_a_clip() -> None:
    scene = Scene(6, 6, "#ffffff")
    scene.define_clip("half", [rectangle(0, 0, 3, 6)])
    scene.fill_area([rectangle(1, 1, 5, 5)], "#000000", clip="half", opacity=0.5)
    found = covered(scene, 1)
    assert found[1:5, 1:3] == pytest.approx(np.full((4, 2), 0.5), abs=0.01)
    assert found.sum() == pytest.approx(4, abs=0.1)


def test_a_line_around_a_wash_lets_through_as_much_as_the_wash() -> None:
    scene = Scene(8, 8, "#ffffff")
    scene.fill_area([rectangle(2, 2, 6, 6)], "#000000", stroke="#000000", width=1, opacity=0.5)
    found = covered(scene, 1)
    assert found[4, 4] == pytest.approx(0.5, abs=0.01)
    assert found[2, 4] == pytest.approx(0.5, abs=0.01)


def test_crisp_shapes_have_no_grey() -> None:
    scene = Scene(9, 9, "#ffffff")
    scene.fill_area([circle(4.3, 4.4, 3.3)], "#000000", crisp=True)
    assert set(covered(scene, 1).reshape(-1).tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("number", range(10))
def test_hardly_a_pixel_differs_from_resvg(number: int) -> None:
    scene = _scene(number)
    page = np.full((60, 60, 3), 240, np.uint8)
    items = [item for item in scene.items if isinstance(item, Shape)]
    ours, theirs = (
        paint_shapes(page.copy(), scene, items, 10).astype(int),
        paint_with_resvg(page.copy(), scene, items, 10).astype(int),
    )
    off = np.abs(ours - theirs).max(axis=2)
    assert off.mean() < 3
    assert (off > 70).mean() < 0.004
    wrong = paint_with_resvg(page.copy(), scene, items[:-1], 10).astype(int)
    assert np.abs(ours - wrong).max(axis=2).mean() > 3, "what is left out would be seen"


def _scene(number: int) -> Scene:
    chance = np.random.default_rng(number)
    scene = Scene(6, 6, "#ffffff")
    scene.define_clip("middle", [circle(3, 3, 2.5)])
    lines = shapes(number)
    scene.fill_area(lines, "#c02040")
    scene.stroke(lines, "#102030", float(chance.uniform(0.03, 0.4)), closed=number % 2 == 0, opacity=0.7)
    scene.stroke(lines, "#205030", 0.1, dash=(0.3, 0.2), clip="middle")
    scene.fill_area([rectangle(1, 1, 4, 3)], "#20a0c0", stroke="#000000", width=0.2, opacity=0.6)
    return scene


def test_shapes_far_outside_do_no_harm() -> None:
    scene = Scene(4, 4, "#ffffff")
    scene.fill_area([rectangle(-1e9, -1e9, 1e9, 1e9)], "#000000")
    assert (covered(scene, 5) == 1).all()
    scene = Scene(4, 4, "#ffffff")
    scene.stroke([np.array([[50.0, 50], [60, 60]]), np.array([[-1e12, 2], [1e12, 2]])], "#000000", 1)
    found = covered(scene, 4)
    assert (found[6:10] > 0.9).all()
    assert not found[:5].any()


@pytest.mark.parametrize("number", range(6))
def test_compiled_as_interpreted(number: int) -> None:
    def pixels() -> Pixels:
        scene = _scene(number)
        items = [item for item in scene.items if isinstance(item, Shape)]
        return paint_shapes(np.full((24, 24, 3), 240, np.uint8), scene, items, 4)

    quick = pixels()
    with interpreted():
        assert str(vars(painter_module)["painting"].__file__).endswith(".py")
        assert np.array_equal(pixels(), quick)


def test_without_compiled_loops_resvg_paints(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []

    def by_resvg(pixels: Pixels, *_: Any) -> Pixels:
        called.append(1)
        return pixels

    monkeypatch.setattr("undercroft.draw.scene.raster.paint_with_resvg", by_resvg)
    scene = Scene(3, 3, "#ffffff")
    scene.fill_area([rectangle(0, 0, 1, 1)], "#000000")
    raster(scene, 3)
    assert len(called) == (0 if is_compiled(painting) else 1)
    with interpreted():
        raster(scene, 3)
    assert len(called) == (1 if is_compiled(painting) else 2)
