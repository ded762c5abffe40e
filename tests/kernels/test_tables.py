"""The kernels that read and write tables of regions and links, against NumPy; compiled and interpreted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE
from undercroft.kernels import buffer, load_plain, tables

BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(tables, buffer), (load_plain("tables"), memoryview)]
NUMBERS = st.sampled_from([0, 1, 7, 255, 256, 65535, 65536, 2**24, 2**31 - 1, -1, -2, -300, -(2**31)])
SMALL = st.integers(-3, 12)


@st.composite
def region_tables(draw: st.DrawFn, numbers: st.SearchStrategy[int] = NUMBERS) -> NDArray[Any]:
    rows = draw(st.lists(st.tuples(st.integers(0, 4), *[numbers] * 5), max_size=9))
    return np.array(rows, REGION_DTYPE)


def as_bytes(table: NDArray[Any]) -> NDArray[np.uint8]:
    return table.view(np.uint8)


def test_the_rows_are_as_the_kernels_expect() -> None:
    assert REGION_DTYPE.itemsize == 21
    assert DOOR_DTYPE.itemsize == 17
    assert LINK_DTYPE.itemsize == 14
    row = np.array([(3, 1, 2, 3, 4, 258)], REGION_DTYPE)
    assert row.tobytes() == bytes([3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 2, 1, 0, 0])
    assert sys.byteorder == "big" or row.dtype == REGION_DTYPE.newbyteorder("=")


@given(region_tables() | region_tables(SMALL), st.lists(st.booleans(), min_size=5, max_size=5), SMALL, st.booleans())
def test_boxes_are_listed(table: NDArray[Any], kinds: list[bool], least: int, filled: bool) -> None:
    filled = filled and all(abs(row[3] * row[4]) < 2**31 for row in table.tolist())
    expected = [
        (k, (x, y, width, height))
        for k, (kind, x, y, width, height, area) in enumerate(table.tolist())
        if kinds[kind] and area >= least and (not filled or area == width * height)
    ]
    is_listed = np.array(kinds, np.uint8)
    for kernel, wrap in BOTH:
        boxes, numbers = np.empty((len(table), 4), np.int32), np.empty(len(table), np.int32)
        count = kernel.list_boxes(wrap(as_bytes(table)), wrap(is_listed), least, filled, wrap(boxes), wrap(numbers))
        assert [
            (int(k), tuple(box)) for k, box in zip(numbers[:count], boxes[:count].tolist(), strict=True)
        ] == expected


@given(region_tables(), st.data())
def test_regions_are_selected(table: NDArray[Any], data: st.DataObject) -> None:
    stays = np.array(data.draw(st.lists(st.booleans(), min_size=len(table), max_size=len(table))), bool)
    labels = np.array(data.draw(st.lists(st.integers(0, len(table)), max_size=20)), np.int32)
    names = np.zeros(len(table) + 1, np.int32)
    names[1:][stays] = np.arange(1, stays.sum() + 1)
    for kernel, wrap in BOTH:
        found, out, rows = np.empty_like(names), np.empty_like(labels), np.empty(int(stays.sum()), REGION_DTYPE)
        old = wrap(labels), wrap(as_bytes(table)), wrap(stays.view(np.uint8))
        kernel.select_regions(*old, wrap(found), wrap(out), wrap(as_bytes(rows)))
        assert found.tolist() == names.tolist()
        assert out.tolist() == names[labels].tolist()
        assert rows.tolist() == table[stays].tolist()


@pytest.mark.parametrize("columns", [4, 5])
@given(st.integers(0, 4), st.data())
def test_regions_are_written(columns: int, kind: int, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(*[SMALL] * columns), min_size=1, max_size=9))
    boxes = np.array(rows, np.int32)
    for kernel, wrap in BOTH:
        table = np.zeros(len(boxes) + 1, REGION_DTYPE)
        kernel.write_regions(wrap(as_bytes(table)), 1, wrap(boxes), kind)
        assert table[0].item() == (0, 0, 0, 0, 0, 0)
        assert table[1:].tolist() == [(kind, *row[:4], row[4] if columns == 5 else row[2] * row[3]) for row in rows]


@given(st.lists(NUMBERS, min_size=1, max_size=5), st.data())
def test_planned_links_are_written(names: list[int], data: st.DataObject) -> None:
    at = st.integers(0, len(names) - 1)
    pairs = np.array(data.draw(st.lists(st.tuples(at, at), min_size=1, max_size=9)), np.int32)
    labels = np.array(names, np.int32)
    for kernel, wrap in BOTH:
        table = np.ones(len(pairs), LINK_DTYPE)
        kernel.write_links(wrap(as_bytes(table)), 3, wrap(labels), wrap(pairs))
        assert table.tolist() == [(*sorted((names[a], names[b])), 3, -1, False) for a, b in pairs.tolist()]


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.integers(3, 6), st.integers(0, 1)), max_size=9))
def test_doors_and_their_links_are_written(rows: list[tuple[int, ...]]) -> None:
    doors = np.array(rows, np.int32).reshape(-1, 6)
    for kernel, wrap in BOTH:
        table = np.empty(len(rows), DOOR_DTYPE)
        kernel.write_doors(wrap(as_bytes(table)), wrap(doors), 3)
        assert table.tolist() == [(x, y, a, b, kind - 3) for x, y, a, b, kind, _ in rows]
        through = [(a, b, kind - 3, k, True) for k, (_, _, a, b, kind, _) in enumerate(rows) if b]
        links = np.empty(len(through), LINK_DTYPE)
        kernel.write_door_links(wrap(as_bytes(links)), wrap(as_bytes(table)))
        assert links.tolist() == through


LINKS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), NUMBERS, st.booleans()), max_size=9)


@given(LINKS, st.none() | st.lists(st.integers(0, 3), min_size=4, max_size=4), st.data())
def test_planned_links_are_listed_and_carved(
    rows: list[tuple[int, int, int, int, bool]], renamed: list[int] | None, data: st.DataObject
) -> None:
    before = np.array(rows, LINK_DTYPE)
    names = np.array([] if renamed is None else [0, *renamed], np.int32)
    planned = [k for k, (a, b, _, _, carved) in enumerate(rows) if a and b and not carved]
    ways = data.draw(st.lists(st.integers(-2, 5), min_size=len(planned), max_size=len(planned)))
    ends = np.array([(way, way) for way in ways], np.int32).reshape(-1, 2)
    expected = []
    new = range(5) if renamed is None else names.tolist()
    for k, (a, b, kind, door, carved) in enumerate(rows):
        expected.append((new[a], new[b], kind, door, ways[planned.index(k)] > -2 if k in planned else carved))
    for kernel, wrap in BOTH:
        table, pairs = np.empty(len(rows), LINK_DTYPE), np.empty((len(rows), 2), np.int32)
        numbers = np.empty(len(rows), np.int32)
        room = wrap(as_bytes(table)), wrap(pairs), wrap(numbers)
        count = kernel.list_planned_links(wrap(as_bytes(before)), *room)
        assert table.tolist() == rows
        assert numbers[:count].tolist() == planned
        assert pairs[:count].tolist() == [list(rows[k][:2]) for k in planned]
        joined = kernel.carve_links(wrap(as_bytes(table)), wrap(names), wrap(numbers[:count]), wrap(ends))
        assert table.tolist() == expected
        assert joined == sum(a > 0 and b > 0 for a, b, *_ in expected)
