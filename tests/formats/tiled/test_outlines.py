"""The outlines of rooms and the texts of cells: against slow ways to the same."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy import ndimage

import undercroft as uc
from undercroft.core.region import Regions
from undercroft.formats.tiled import cells as tiled_cells
from undercroft.formats.tiled import outlines as tiled_outlines
from undercroft.formats.tiled.outlines import trace_outlines
from undercroft.inputs.values import in_file

PLUS = ndimage.generate_binary_structure(2, 1)
FULL = ndimage.generate_binary_structure(2, 2)
"""What lies around cells that touch by their sides touches by its corners too."""


def inside(corners: NDArray[np.int64], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The cells whose middles lie in a polygon: those from which a ray to the right meets its sides an odd number of
    times.
    """
    found = np.zeros(shape, bool)
    ring = [*corners.tolist(), corners[0].tolist()]
    for (x, top), (other, bottom) in pairwise(ring):
        if x == other:
            found[min(top, bottom) : max(top, bottom), :x] ^= True
    return found


def assert_right(labels: NDArray[np.int32]) -> int:
    """Each polygon is the outline of its region with all holes filled, and every region that could have one has one;
    how many do.
    """
    regions = Regions.of(labels)
    polygons = trace_outlines(regions)
    ends = np.cumsum(polygons.counts)
    drawn = {}
    for label, corners in (
        zip(polygons.labels.tolist(), np.split(polygons.points, ends[:-1]), strict=True) if len(ends) else ()
    ):
        ring = [*corners.tolist(), *corners[:2].tolist()]
        steps = [(after[0] != before[0], after[1] != before[1]) for before, after in pairwise(ring)]
        assert all(one != other and sum(one) == 1 for one, other in pairwise(steps)), "corners only, and straight sides"
        drawn[label] = inside(corners, labels.shape)
    for region in regions:
        cells = labels == region.label
        whole = ndimage.binary_fill_holes(cells, FULL)
        pieces = int(ndimage.label(cells, PLUS)[1])
        if region.label in drawn:
            first = ndimage.label(cells, PLUS)[0] == 1
            assert np.array_equal(drawn[region.label], ndimage.binary_fill_holes(first, FULL))
        elif pieces == 1:
            assert int(whole.sum()) == region.width * region.height, "a rectangle, but for holes"
    return len(drawn)


@settings(max_examples=300, deadline=None)
@given(
    st.tuples(st.integers(1, 9), st.integers(1, 9)).flatmap(
        lambda shape: arrays.arrays(np.int32, shape, elements=st.integers(0, 3))
    )
)
def test_outlines_hold_their_cells(labels: NDArray[np.int32]) -> None:
    assert_right(labels)


@pytest.mark.parametrize("recipe", ["rooms-and-mazes", "dungeoning", "cave", "bsp", "cozy"])
def test_outlines_of_levels(recipe: str) -> None:
    level = uc.generate(recipe, seed=1, size=(61, 41))
    assert assert_right(level.regions.labels) > 0 or recipe == "bsp"


def test_a_long_outline_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = np.zeros((3, 12), np.int32)
    labels[1, :11] = labels[0, 0] = 1
    sides = 2 * (11 + 2)
    for longest, count in ((sides, 1), (sides - 1, 0)):
        monkeypatch.setattr(tiled_outlines, "MAX_SIDES", longest)
        assert len(trace_outlines(Regions.of(labels)).labels) == count


def test_a_box_that_is_not_that_of_the_cells_is_left_alone() -> None:
    regions = Regions.of(np.array([[1, 0], [1, 1]], np.int32))
    assert len(trace_outlines(regions).labels) == 1
    regions.table["x"] = 1
    assert len(trace_outlines(regions).labels) == 0


GRIDS = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: arrays.arrays(np.int32, shape, elements=st.integers(0, 12_000))
)


@given(GRIDS)
def test_cells_read_back(cells: NDArray[np.int32]) -> None:
    text = tiled_cells.format_csv(cells)
    assert text.decode() == ",\n".join(",".join(map(str, row)) for row in cells.tolist())
    height, width = cells.shape
    for spot, encoding, compression in (
        (in_file(text.decode(), "data", "a"), "csv", ""),
        (in_file(tiled_cells.pack_base64(cells).decode(), "data", "a"), "base64", "zlib"),
        (in_file(cells.reshape(-1).tolist(), "data", "a"), "csv", ""),
    ):
        assert np.array_equal(tiled_cells.read_cells(spot, encoding, compression, width, height), cells)


def test_cells_of_many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = np.arange(40 * 30, dtype=np.int16).reshape(40, 30) % 1100
    whole = tiled_cells.format_csv(cells)
    monkeypatch.setattr(tiled_cells, "CHUNK_CELLS", 64)
    assert tiled_cells.format_csv(cells) == whole
