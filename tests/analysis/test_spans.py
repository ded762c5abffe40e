"""Components, contacts and connectors from the spans of rows: against labels cell by cell, and against plain loops."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import Bites, after, draft_of, interpreted, soup
from undercroft.analysis import reach
from undercroft.analysis.spans import Components, distinct_pairs, find_components
from undercroft.analysis.survey import find_contacts
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD, look_up_tiles
from undercroft.core.run import Run
from undercroft.steps.links import connect

GRIDS = 300
INTERPRETED_GRIDS = 60


def kinds_grid(number: int) -> NDArray[np.uint8]:
    """Kinds 0 to 4 on a grid of up to 17 x 31 cells, more or less crowded."""
    chance = np.random.default_rng(number)
    shape = ((1, 1), (1, 9), (9, 1), (2, 2), (4, 5), (11, 13), (17, 31))[number % 7]
    return np.where(chance.random(shape) < (0.2, 0.5, 0.7)[number % 3], 0, chance.integers(1, 5, shape)).astype(
        np.uint8
    )


def check(kinds: NDArray[np.uint8], found: Components, unlabelled: int = 256) -> None:
    """Compare with the labels of each cell, their boxes, and the contacts between them."""
    ground = np.where(kinds < unlabelled, kinds, 0).astype(np.uint8)
    labels, count = reach.label_components(ground)
    assert (found.labels(kinds.shape, Run()) == labels).all()
    assert (found.boxes[:, :6] == reach.find_label_boxes(labels, kinds, count)).all()
    assert found.boxes[:, 6].tolist() == [int((labels == label).argmax()) for label in range(1, count + 1)]
    assert found.find_contacts().tolist() == find_contacts(labels).tolist()


@pytest.mark.parametrize("unlabelled", [256, 3, 1])
def test_components_are_those_of_labels_cell_by_cell(unlabelled: int) -> None:
    for number in range(GRIDS):
        kinds = kinds_grid(number)
        check(kinds, find_components(kinds, Run(), unlabelled=unlabelled), unlabelled)


@pytest.mark.parametrize("fuel", [1, 40, 1 << 18])
def test_components_in_bites_interpreted_and_with_lists_that_grow(monkeypatch: pytest.MonkeyPatch, fuel: int) -> None:
    monkeypatch.setattr("undercroft.analysis.spans.MAX_CELLS_FOR_ALL_ROOM", 0)
    for number in range(INTERPRETED_GRIDS):
        kinds = kinds_grid(number)
        for mode in (nullcontext, interpreted):
            with mode():
                found = find_components(kinds, Bites(fuel))
                check(kinds, found)
                last = find_components(kinds, Bites(fuel), keep_spans=False)
                assert (last.boxes == found.boxes).all()
                assert (last.numbers == found.numbers).all()
                assert (last.pairs == found.pairs).all()


def test_a_comb_joins_many_labels_late() -> None:
    comb = np.ones((40, 81), np.uint8)
    comb[:-1, 1::2] = 0
    check(comb, find_components(comb, Run()))
    check(comb[::-1].copy(), find_components(comb[::-1].copy(), Run()))


def test_distinct_pairs() -> None:
    pairs = np.random.default_rng(5).integers(0, 9, (200, 2), np.int32)
    assert distinct_pairs(pairs).tolist() == np.unique(pairs, axis=0).tolist()


def slow_connectors(draft: Draft) -> tuple[list[list[int]], list[list[int]]]:
    """The connectors of a map and the regions on their sides, by a loop over the cells."""
    labels, _ = reach.label_components(draft.palette.walkable[draft.tiles].view(np.uint8))
    rows: list[list[int]] = []
    sides: list[list[int]] = []
    for y in range(1, draft.height - 1):
        for x in range(1, draft.width - 1):
            around = [labels[y - 1, x], labels[y, x + 1], labels[y + 1, x], labels[y, x - 1]]
            near = sorted({int(label) for label in around} - {0})
            if len(near) < 2 or not draft.palette.rock[draft.tiles[y, x]]:
                continue
            rows.append([y * draft.width + x, near[0], near[-1]])
            if len(near) > 2:
                rows[-1][2] = -1 - len(sides)
                sides.append([int(label) for label in around])
    return rows, sides


@pytest.mark.parametrize("fuel", [1, 50, 1 << 18])
def test_connectors(fuel: int) -> None:
    several = 0
    for number in range(INTERPRETED_GRIDS):
        draft = soup(number, "####.~,")
        expected, around = slow_connectors(draft)
        for mode in (nullcontext, interpreted):
            with mode():
                ground = look_up_tiles(draft.palette.walkable, draft.tiles).view(np.uint8)
                rows, sides = connect._find_connectors(draft, find_components(ground, Run()), Bites(fuel))
                assert rows.tolist() == expected
                assert sides[: len(around)].tolist() == around
        several += len(around)
    assert several > 10


def test_a_connector_of_four_rooms_joins_them_all() -> None:
    draft = draft_of("""
        #######
        ##~.~##
        ##.#.##
        ##~.~##
        #######
    """)
    assert slow_connectors(draft)[0] == [[17, 1, -1]]
    after(connect.Connect(extra=0.0), draft, seed=1)
    assert STANDARD.tiles[draft.tiles[2, 3]].role == "door"
    assert reach.label_components(draft.palette.walkable[draft.tiles].view(np.uint8))[1] == 1


def test_a_large_map_is_looked_up_in_parts() -> None:
    tiles = np.random.default_rng(1).integers(0, 12, (300, 301), np.uint8)
    for map_ in (tiles, tiles[:, ::2], tiles.T):
        found = look_up_tiles(STANDARD.walkable, map_)
        assert (found == STANDARD.walkable[map_]).all()
        assert found.dtype == bool
        assert not found.flags.writeable


def test_a_large_map_is_recalled_by_every_tile() -> None:
    tiles = np.zeros((1100, 1000), np.uint8)
    run, opens = Run(), np.arange(256) == 0
    reach.remember_components(tiles, opens, 1, run)
    assert reach.recall_components(tiles, opens, run) == 1
    tiles[-1, -1] = 1
    assert reach.recall_components(tiles, opens, run) is None
