"""Scenes as SVG and as pictures: the same shapes, at the same places, in the same order."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from undercroft.draw.scene.raster import raster
from undercroft.draw.scene.scene import Points, Scene, circle, rectangle
from undercroft.draw.scene.svg import MAX_MISS_UNITS, format_path, simplified, svg


def pixels(scene: Scene, cell: int) -> NDArray[np.uint8]:
    return np.asarray(raster(scene, cell))


def points_of(data: str) -> list[list[tuple[int, int]]]:
    """The lines of a path's data, read by the rules of SVG: M and m begin, l goes on, z goes back."""
    import re

    lines: list[list[tuple[int, int]]] = []
    here = (0, 0)
    for letter, numbers in re.findall(r"([Mmlz])([^Mmlz]*)", data):
        values = [int(number) for number in re.findall(r"-?\d+", numbers)]
        for at in range(0, len(values), 2):
            step = (values[at], values[at + 1])
            here = step if letter == "M" else (here[0] + step[0], here[1] + step[1])
            if letter in "Mm" and at == 0:
                lines.append([here])
            else:
                lines[-1].append(here)
        if letter == "z":
            here = lines[-1][0]
    return lines


def test_areas_cover_their_cells_and_nothing_else() -> None:
    scene = Scene(6, 4, "#ffffff", left=1, top=1)
    scene.fill_area([rectangle(0, 0, 2, 1), rectangle(3, 1, 4, 2)], "#102030")
    found = pixels(scene, 8)
    expected = np.full((32, 48, 3), 255, np.uint8)
    expected[8:16, 8:24] = expected[16:24, 32:40] = (0x10, 0x20, 0x30)
    assert np.array_equal(found, expected)


def test_what_is_enclosed_twice_is_open() -> None:
    scene = Scene(5, 5, "#ffffff")
    scene.fill_area([rectangle(0, 0, 5, 5), rectangle(1, 1, 4, 4)], "#000000")
    dark = pixels(scene, 4)[:, :, 0] < 128
    assert dark.sum() == 16 * (25 - 9)
    assert not dark[10, 10]


def test_later_shapes_lie_over_earlier_ones_and_effects_between_them() -> None:
    scene = Scene(2, 1, "#ffffff")
    scene.fill_area([rectangle(0, 0, 2, 1)], "#ff0000")
    scene.add_effect(lambda below, _: 255 - below)
    scene.fill_area([rectangle(1, 0, 2, 1)], "#0000ff")
    found = pixels(scene, 4)
    assert found[0, 0].tolist() == [0, 255, 255]
    assert found[0, 7].tolist() == [0, 0, 255]
    assert b"ff0000" in svg(scene, 4)


def test_clips_keep_shapes_in() -> None:
    scene = Scene(4, 4, "#ffffff")
    scene.define_clip("floor", [rectangle(1, 1, 3, 3)])
    scene.fill_area([rectangle(0, 0, 4, 4)], "#000000", clip="floor")
    scene.stroke([np.array([[0, 2], [4, 2.0]])], "#ff0000", 0.5, clip="floor", cap="butt")
    found = pixels(scene, 8)
    assert found[4, 4].tolist() == [255, 255, 255]
    assert found[10, 10].tolist() == [0, 0, 0]
    assert found[16, 16].tolist() == [255, 0, 0]
    assert found[16, 2].tolist() == [255, 255, 255]


def test_strokes_have_their_width_dashes_and_share() -> None:
    scene = Scene(8, 2, "#ffffff")
    scene.stroke([np.array([[0, 1], [8, 1.0]])], "#000000", 0.5, dash=(2, 2), cap="butt")
    found = pixels(scene, 8)[:, :, 0]
    assert (found[6:10, 0:16] == 0).all()
    assert (found[6:10, 17:31] == 255).all()
    half = Scene(1, 1, "#ffffff")
    half.fill_area([rectangle(0, 0, 1, 1)], "#000000", opacity=0.5)
    assert abs(int(pixels(half, 4)[0, 0, 0]) - 128) <= 1


def test_files_are_xml_and_keep_notes() -> None:
    scene = Scene(2, 2, "#ffffff")
    scene.notes = {"title": 'The "Well" & <more>', "undercroft": '{"seed":"7"}'}
    scene.fill_area([circle(1, 1, 0.5)], "#000000")
    root = ElementTree.fromstring(svg(scene, 10))
    space = "{http://www.w3.org/2000/svg}"
    assert (root.get("width"), root.get("viewBox")) == ("20", "0 0 200 200")
    assert root.findtext(f"{space}title") == 'The "Well" & <more>'
    assert root.findtext(f"{space}metadata") == '{"seed":"7"}'


def test_nothing_to_draw_is_no_shape() -> None:
    scene = Scene(2, 2, "#ffffff")
    scene.fill_area([], "#000000")
    scene.stroke([np.zeros((0, 2))], "#000000", 1)
    assert not scene.items
    assert (pixels(scene, 3) == 255).all()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=30), min_size=1, max_size=4
    ),
    st.booleans(),
)
def test_paths_say_where_lines_go(lines: list[list[tuple[float, float]]], closed: bool) -> None:
    arrays = [np.array(line, float) for line in lines]
    told = points_of(format_path(arrays, 10, Scene(1, 1, "#ffffff", left=3, top=2), closed=closed))
    expected = [simplified(array * 10 + (30, 20), closed).tolist() for array in arrays]
    read = [[list(point) for point in line] for line in told]
    assert [line[: len(other)] for line, other in zip(read, expected, strict=True)] == expected


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.floats(-300, 300), st.floats(-300, 300)), min_size=2, max_size=60), st.booleans())
def test_simpler_lines_stay_near(line: list[tuple[float, float]], closed: bool) -> None:
    whole: Points = np.array(line, float)
    simple = simplified(whole, closed).astype(float)
    assert len(simple) <= len(whole)
    starts, ends = simple[:-1], simple[1:]
    for point in whole if len(simple) > 1 else ():
        chord = ends - starts
        length = np.maximum((chord**2).sum(axis=1), 1e-9)
        along = np.clip(((point - starts) * chord).sum(axis=1) / length, 0, 1)[:, None]
        assert np.hypot(*(starts + along * chord - point).T).min() <= 4 * MAX_MISS_UNITS + 1


def test_a_straight_line_is_two_points() -> None:
    line = np.stack([np.linspace(0, 10, 33), np.zeros(33)], axis=1)
    assert len(simplified(line * 100, closed=False)) <= 5


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1)])
def test_pages_of_any_size(size: tuple[int, int]) -> None:
    scene = Scene(*size, "#123456")
    assert raster(scene, 3).size == (3 * size[0], 3 * size[1])
