from __future__ import annotations

import numpy as np
import pytest

from support.maps import draft_of, picture
from undercroft.analysis import reach
from undercroft.analysis.reach import DistanceField
from undercroft.core.draft import Draft
from undercroft.core.run import Run
from undercroft.errors import Cancelled, OutOfBudget


def open_cells(text: str) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    draft = draft_of(text)
    return draft.palette.walkable[draft.tiles].reshape(draft.height, draft.width)


def format_distances(draft: Draft, field: DistanceField) -> str:
    """The map with the last digit of each distance."""
    rows = str(draft).split("\n")
    return "\n".join(
        "".join(str(field.steps_to(x, y) % 10) if field.steps_to(x, y) >= 0 else sign for x, sign in enumerate(row))
        for y, row in enumerate(rows)
    )


def test_distances_go_round_corners() -> None:
    draft = draft_of("""
        .......
        .####..
        .#..+..
        .#.###.
        .#.....
    """)
    field = DistanceField(draft.palette.walkable[draft.tiles], [(0, 4)])
    assert format_distances(draft, field) == picture("""
        4567890
        3####01
        2#43212
        1#5###3
        0#67654
    """)
    assert (field.steps_to(6, 0), field.steps_to(3, 4), field.reached) == (10, 17, 25)
    assert field.steps_to(1, 1) < 0


def test_several_sources() -> None:
    draft = draft_of(".......\n###.###")
    assert (
        format_distances(draft, DistanceField(open_cells(".......\n###.###"), [(0, 0), (6, 0)])) == "0123210\n###4###"
    )


def test_a_source_in_rock_reaches_nothing() -> None:
    field = DistanceField(open_cells("#.."), [(0, 0)])
    assert (field.reached, field.farthest, field.path_to(1, 0).tolist()) == (0, None, [])


def test_no_sources() -> None:
    assert DistanceField(open_cells("..."), []).reached == 0


def test_a_way_is_shortest_and_begins_at_the_source() -> None:
    field = DistanceField(open_cells("...\n.#.\n..."), [(0, 0)])
    assert field.path_to(2, 2).tolist() == [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]
    assert field.path_to(0, 0).tolist() == [[0, 0]]
    assert field.path_to(1, 1).tolist() == []


def test_distances_do_not_run_round_the_edge_of_the_map() -> None:
    """The last cell of a row is beside the first of the next in memory, and nowhere else."""
    assert reach.distances(open_cells(".#.\n.#."), [(2, 0)]).tolist() == [[-1, -2, 0], [-1, -2, 1]]
    assert reach.label_components(np.array([[1, 0, 1], [1, 0, 1]], np.uint8), eight=True)[1] == 2


@pytest.mark.parametrize("budget", [0, 5])
def test_a_search_spends_its_budget(budget: int) -> None:
    with pytest.raises(OutOfBudget):
        DistanceField(np.ones((10, 10), bool), [(0, 0)], Run(budget=budget))
    with pytest.raises(OutOfBudget):
        reach.label_components(np.ones((10, 10), np.uint8), run=Run(budget=budget))


def test_a_search_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        DistanceField(np.ones((10, 10), bool), [(0, 0)], Run(cancelled=lambda: True))


def test_boxes_of_nothing() -> None:
    assert reach.find_label_boxes(np.zeros((2, 2), np.int32), np.zeros((2, 2), np.uint8), 0).shape == (0, 6)
