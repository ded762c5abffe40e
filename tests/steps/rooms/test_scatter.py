"""Cells thrown into a disc, and pushed apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from support.maps import Bites, after, draft_of, facts
from undercroft.core.draft import Draft
from undercroft.core.region import Regions
from undercroft.core.run import Run
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, OutOfBudget
from undercroft.steps.facts.survey import Survey
from undercroft.steps.rectangles import CELL, boxes_of, place_boxes
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Split

seeds = st.integers(0, 10_000)


def regions(draft: Draft) -> Regions:
    assert draft.regions is not None
    return draft.regions


def boxes(draft: Draft) -> NDArray[np.int32]:
    return boxes_of(regions(draft).table)


def with_cells(width: int, height: int, *rows: tuple[int, int, int, int]) -> Draft:
    draft = Draft(width, height)
    draft.regions = place_boxes(draft, np.array(rows, np.int32).reshape(-1, 4), CELL, Run())
    return draft


def scatter_rooms(width: int, height: int, seed: int, **options: Any) -> Draft:
    return after(Scatter(**options), Draft(width, height), seed=seed)


def covers(rows: NDArray[np.int32]) -> int:
    """The area of cells, each with the rock on two of its sides."""
    return int(((rows[:, 2] + 1) * (rows[:, 3] + 1)).sum())


def is_apart(draft: Draft) -> None:
    """4.24: no two cells overlap or touch, none reaches over the border, and the label grid shows all of each."""
    labels = regions(draft).labels
    assert not labels[[0, -1]].any()
    assert not labels[:, [0, -1]].any()
    assert (
        np.bincount(labels.reshape(-1), minlength=len(regions(draft)) + 1)[1:].tolist()
        == regions(draft).table["area"].tolist()
    )
    wide = np.pad(labels, 1)
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        near = wide[1 + dy : wide.shape[0] - 1 + dy, 1 + dx : wide.shape[1] - 1 + dx]
        assert not ((labels > 0) & (near > 0) & (labels != near)).any()


# --- scatter ----------------------------------------------------------------------------------------------------------


@given(
    st.integers(3, 60),
    st.integers(3, 60),
    st.integers(1, 50),
    st.floats(0, 1),
    seeds,
    st.sampled_from(["uniform", "normal"]),
    st.floats(1, 90),
)
def test_cells_lie_on_the_map(
    width: int, height: int, count: int, radius: float, seed: int, law: Any, mean: float
) -> None:
    draft = scatter_rooms(width, height, seed, cells=count, radius=radius, position=law, size=law, mean_width=mean)
    rows = boxes(draft)
    assert len(rows) == count or covers(rows) >= 16 * width * height > covers(rows[:-1]), (
        "all, unless fewer cover the map sixteen times"
    )
    assert (rows[:, :2] >= 1).all()
    assert (rows[:, 2:] >= 1).all()
    assert (rows[:, :2] + rows[:, 2:] <= (width - 1, height - 1)).all()
    assert {region.kind for region in regions(draft)} == {"cell"}
    labels = np.zeros((height, width), np.int32)
    for label, (x, y, w, h) in enumerate(rows.tolist(), 1):
        labels[y : y + h, x : x + w] = label
    assert np.array_equal(regions(draft).labels, labels), "where cells overlap, the last is on top"


def test_cells_lie_in_the_disc() -> None:
    """4.23: a quarter of the shorter side, in the middle."""
    rows = boxes(scatter_rooms(200, 100, 1, cells=3000)).astype(np.int64)
    away = rows[:, :2] + rows[:, 2:] // 2 - (100, 50)
    far = (away**2).sum(axis=1)
    assert far.max() == 25**2
    assert np.abs(away.mean(axis=0)).max() < 1


@pytest.mark.parametrize("law", ["uniform", "normal"])
def test_no_cells_crowd_where_the_disc_reaches_over_the_border(law: Any) -> None:
    """A disc of twice the map's size: places off the map are drawn again, not moved to the border."""
    rows = boxes(
        scatter_rooms(60, 60, 1, cells=8000, radius=1.0, position=law, mean_width=1.0, mean_height=1.0, deviation=0.0)
    )
    assert len(rows) == 8000
    for at in rows[:, :2].T:
        counts = np.bincount(at)[1:]
        assert len(counts) == 58, "it reaches over all sides"
        assert counts.max() < 2.5 * counts.mean()


def test_how_many_cells_there_are() -> None:
    """As many as fill four sevenths of the map, be they large or small."""
    assert len(regions(scatter_rooms(80, 50, 1))) == 79 * 49 * 4 // (7 * 25)
    assert len(regions(scatter_rooms(80, 50, 1, mean_width=9.0, mean_height=6.0))) == 79 * 49 * 4 // (7 * 70)
    assert len(regions(scatter_rooms(3, 3, 1))) == 1
    assert len(regions(scatter_rooms(80, 50, 1, mean_width=300.0))) == 1
    assert len(regions(scatter_rooms(80, 50, 1, cells=7))) == 7


def test_no_more_cells_are_thrown_than_cover_the_map_many_times() -> None:
    run = Run()
    draft = after(Scatter(cells=100_000), Draft(80, 50), seed=1, run=run)
    rows = boxes(draft)
    assert covers(rows) >= 16 * 80 * 50 > covers(rows[:-1])
    assert run.notes == [f"only {len(rows)} of 100000 cells were thrown: they cover the map 16 times over"]
    few = Run()
    assert (boxes(after(Scatter(cells=len(rows)), Draft(80, 50), seed=1, run=few)) == rows).all(), "the first that many"
    assert few.notes == []


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 9), (9, 2), (1, 500)])
def test_a_map_without_an_inside(width: int, height: int) -> None:
    with pytest.raises(BadInput, match="at least 3x3") as caught:
        Scatter().check(width, height)
    assert caught.value.fix
    assert len(regions(scatter_rooms(width, height, 1))) == 0


# --- separate ---------------------------------------------------------------------------------------------------------


@given(
    st.integers(3, 70),
    st.integers(3, 70),
    st.integers(1, 80),
    st.floats(0, 0.6),
    st.integers(1, 9),
    seeds,
    st.sampled_from(["uniform", "normal"]),
)
def test_cells_come_apart(width: int, height: int, count: int, radius: float, step: int, seed: int, law: Any) -> None:
    draft = after(
        Separate(step=step), scatter_rooms(width, height, seed, cells=count, radius=radius, position=law), seed=seed
    )
    is_apart(draft)
    assert len(regions(draft)) >= 1, "even if the map is hardly larger than a cell"


@given(seeds, st.integers(0, 3))
def test_cells_that_find_no_place_are_removed(seed: int, rounds: int) -> None:
    """4.24: a budget that is too small leaves fewer cells, and says so; the larger ones stay."""
    run = Run()
    before = scatter_rooms(40, 40, seed, cells=60, radius=0.1)
    sizes = sorted((boxes(before)[:, 2] * boxes(before)[:, 3]).tolist())
    where = {tuple(row) for row in boxes(before).tolist()}
    draft = after(Separate(reloc_attempts=rounds), before, seed=seed, run=run)
    is_apart(draft)
    told = sum(int(note.split()[0]) for note in run.notes)
    assert told == 60 - len(regions(draft)) > 0
    if not rounds:
        assert any("after 0 rounds" in note for note in run.notes)
        areas = boxes(draft)[:, 2] * boxes(draft)[:, 3]
        assert areas.max() == sizes[-1]
        assert {tuple(row) for row in boxes(draft).tolist()} <= where, "nothing moved"


def test_all_cells_stay_if_there_is_room() -> None:
    for seed in range(40):
        run = Run()
        draft = after(
            Separate(), scatter_rooms(200, 200, seed, cells=150, radius=0.1, position="normal"), seed=seed, run=run
        )
        assert len(regions(draft)) == 150
        assert run.notes == []
        is_apart(draft)


def test_cells_that_leave_the_map_are_removed() -> None:
    """4.24."""
    run = Run()
    draft = after(Separate(), scatter_rooms(40, 40, 1, cells=200), run=run)
    is_apart(draft)
    assert run.notes == [f"{200 - len(regions(draft))} of 200 cells left the map and were removed"]


def test_ten_thousand_cells() -> None:
    """They all find a place, in few rounds; the figure is in the benchmarks."""
    run = Run()
    draft = after(Separate(), scatter_rooms(800, 800, 1, cells=10_000), run=run)
    assert len(regions(draft)) == 10_000
    is_apart(draft)
    assert run.used < 10_000_000


@pytest.mark.parametrize(("count", "deviation"), [(10_000, 0.0), (10_000, 2.0)])
def test_ten_thousand_cells_in_one_place(count: int, deviation: float) -> None:
    """A disc of radius zero: they go to all sides alike, though cells of odd and even sides have their middles half a
    cell apart.
    """
    run = Run()
    draft = after(Separate(), scatter_rooms(900, 900, 1, cells=count, radius=0.0, deviation=deviation), run=run)
    assert len(regions(draft)) == count
    is_apart(draft)
    assert run.used < 10_000_000
    rows = boxes(draft)
    right, below = (2 * rows[:, :2] + rows[:, 2:] > 900).T
    for quarter in (right & below, right & ~below, ~right & below, ~right & ~below):
        assert abs(np.count_nonzero(quarter) / count - 0.25) < 0.03


@pytest.mark.parametrize(
    "options",
    [{}, {"radius": 0.0}, {"radius": 1.0}, {"cells": 40_000}, {"cells": 40_000, "radius": 1.0, "position": "normal"}],
)
def test_work_grows_with_the_map_and_no_faster(options: dict[str, Any]) -> None:
    """Sixteen times the map, sixteen times the cells: were the pushes to travel from the middle to the rim, this would
    be four times the work per cell.
    """
    work = []
    for side in (200, 800):
        run = Run()
        count = options.get("cells", 0) * side * side // (800 * 800)
        after(Separate(), scatter_rooms(side, side, 1, **options | {"cells": count}), run=run)
        work.append(run.used / side**2)
    assert work[1] < 1.6 * work[0]


def test_more_cells_than_a_map_can_hold() -> None:
    draft = after(Separate(), scatter_rooms(30, 30, 1, cells=5000))
    is_apart(draft)
    assert 10 < len(regions(draft)) < 60


def test_a_hundred_thousand_cells_on_a_small_map() -> None:
    """Those without room are dropped at once, and the work is that of the few."""
    thrown_run, run = Run(), Run()
    draft = after(Scatter(cells=100_000), Draft(80, 50), seed=1, run=thrown_run)
    count = len(regions(draft))
    after(Separate(), draft, run=run)
    is_apart(draft)
    assert 50 < len(regions(draft)) < 120
    assert run.notes == [f"{count - len(regions(draft))} of {count} cells left the map and were removed"]
    assert thrown_run.used + run.used < 4_000_000


@pytest.mark.parametrize(("width", "height"), [(80, 50), (50, 80), (41, 47), (200, 200), (400, 40), (24, 240)])
def test_most_cells_stay_on_the_map(width: int, height: int) -> None:
    """As many as are thrown unless told; on long maps too, where a disc would not fit."""
    kept = [len(regions(after(Separate(), scatter_rooms(width, height, seed), seed=seed))) for seed in range(20)]
    assert sum(kept) / 20 > 0.8 * len(regions(scatter_rooms(width, height, 1)))


@pytest.mark.parametrize(("width", "height"), [(120, 40), (40, 120)])
def test_cells_fill_an_ellipse_only_if_a_disc_does_not_fit(width: int, height: int) -> None:
    """20 cells have room in a disc, 70 in an ellipse only."""
    few, many = (
        np.concatenate(
            [
                boxes(after(Separate(), scatter_rooms(width, height, seed, cells=count, deviation=0.0), seed=seed))
                for seed in range(30)
            ]
        )
        for count in (20, 70)
    )
    assert 0.85 < few[:, 0].std() / few[:, 1].std() < 1.18
    ratio = many[:, 0].std() / many[:, 1].std()
    assert 2 < (ratio if width > height else 1 / ratio) < 4


def test_cells_that_are_apart_stay_where_they_are() -> None:
    """However close: the cells of a split have one line between them."""
    before = after(Split(depth=9), Draft(60, 40), seed=3)
    rows = boxes(before)
    draft = after(Separate(), before)
    assert boxes(draft).tolist() == rows.tolist()
    touching = with_cells(20, 9, (2, 2, 3, 3), (5, 2, 3, 3))
    assert boxes(after(Separate(), touching)).tolist() != [[2, 2, 3, 3], [5, 2, 3, 3]], "but touching counts as overlap"
    corners = with_cells(20, 20, (5, 5, 3, 3), (8, 8, 3, 3))
    assert boxes(after(Separate(), corners)).tolist() != [[5, 5, 3, 3], [8, 8, 3, 3]], "and so does a corner"


@pytest.mark.parametrize("place", [(9, 9), (9, 10), (10, 9)])
def test_two_cells_at_the_same_place(place: tuple[int, int]) -> None:
    for seed in range(20):
        draft = after(Separate(), with_cells(21, 21, (9, 9, 3, 3), (*place, 3, 3)), seed=seed)
        assert len(regions(draft)) == 2
        is_apart(draft)


def test_one_cell_and_none() -> None:
    assert boxes(after(Separate(), with_cells(9, 9, (2, 2, 3, 3)))).tolist() == [[2, 2, 3, 3]]
    assert len(regions(after(Separate(), with_cells(9, 9)))) == 0
    assert after(Separate(), Draft(9, 9)).regions is None


def test_few_cells_in_one_place() -> None:
    """One stays where it is, and none of two or three is lost."""
    for count in (1, 2, 3):
        for seed in range(30):
            before = scatter_rooms(40, 40, seed, cells=count, radius=0.0)
            rows = boxes(before)
            draft = after(Separate(), before, seed=seed)
            is_apart(draft)
            assert boxes(draft)[:, 2:].tolist() == rows[:, 2:].tolist(), "in the same order"
            if count == 1:
                assert boxes(draft).tolist() == rows.tolist()


def test_cells_in_a_row() -> None:
    """Middles on one line, close together."""
    for seed in range(20):
        draft = after(Separate(), with_cells(90, 40, *((20 + 4 * k, 18, 3, 3) for k in range(10))), seed=seed)
        is_apart(draft)
        assert len(regions(draft)) == 10


@given(
    st.integers(8, 90),
    st.integers(8, 90),
    st.integers(2, 150),
    st.floats(0, 1),
    st.sampled_from([1, 2, 4, 30]),
    st.floats(0, 9),
    seeds,
)
def test_no_two_cells_swing_to_and_fro(
    width: int, height: int, count: int, radius: float, step: int, deviation: float, seed: int
) -> None:
    """However crowded: all that are on the map have come apart long before the rounds end."""
    run = Run()
    after(
        Separate(step=step, reloc_attempts=400),
        scatter_rooms(width, height, seed, cells=count, radius=radius, deviation=deviation),
        seed=seed,
        run=run,
    )
    assert not any("still too near" in note for note in run.notes)


def test_rooms_are_let_be() -> None:
    draft = after(Survey(), draft_of("#####\n#...#\n#...#\n#####"))
    before = facts(draft)
    assert facts(after(Separate(), draft)) == before
    draft.regions = place_boxes(
        draft, np.array([(1, 1, 2, 1), (2, 1, 2, 2)], np.int32), CELL, Run(), stays=np.ones(1, bool)
    )
    regions(draft).tags.update({1: ("hall",), 3: ("vault",)})
    after(Separate(), draft, seed=2)
    assert regions(draft)[0].kind == "room"
    assert regions(draft)[0].tags == ("hall",)
    assert all(region.kind == "cell" for region in regions(draft)[1:])


def test_watchers_see_cells_drift_apart() -> None:
    timeline = Timeline()
    start = scatter_rooms(80, 50, 1)
    watched = after(Separate(), start, watcher=timeline)
    assert timeline.turns > 6
    assert facts(watched) == facts(after(Separate(), scatter_rooms(80, 50, 1)))
    assert (timeline.at(timeline.turns - 1) == watched.tiles).all()
    shown = [int((timeline.at(turn) == watched.palette.role("corridor")).sum()) for turn in range(timeline.turns)]
    assert max(shown) > 500
    assert shown[0] == shown[-1] == 0


def test_a_budget_ends_it() -> None:
    with pytest.raises(OutOfBudget):
        after(Separate(), scatter_rooms(80, 50, 1), run=Run(budget=5000))


def test_bites() -> None:
    for fuel in (1, 50):
        assert facts(after(Separate(), scatter_rooms(50, 50, 3), run=Bites(fuel))) == facts(
            after(Separate(), scatter_rooms(50, 50, 3))
        )


def test_the_check_itself_can_fail() -> None:
    for rows in (
        [(2, 2, 3, 3), (5, 3, 2, 2)],
        [(2, 2, 3, 3), (5, 5, 2, 2)],
        [(2, 2, 3, 3), (4, 4, 3, 3)],
        [(0, 2, 3, 3)],
    ):
        with pytest.raises(AssertionError):
            is_apart(with_cells(20, 20, *rows))
