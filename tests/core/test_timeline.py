from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from undercroft.core.timeline import KEYFRAME_EVERY, Timeline, Written

Grid = NDArray[np.uint8]


def history(number: int, turns: int, resize: bool) -> list[tuple[str, Grid]]:
    """States one after the other: a few cells change, sometimes none, sometimes the size."""
    chance = np.random.default_rng(number)
    tiles = chance.integers(0, 3, chance.integers(1, 5, 2)).astype(np.uint8)
    states = [("begin", tiles)]
    for turn in range(turns):
        if resize and chance.random() < 0.05:
            tiles = chance.integers(0, 3, chance.integers(1, 5, 2)).astype(np.uint8)
        else:
            tiles = tiles.copy()
            for _ in range(chance.integers(0, 3)):
                tiles[chance.integers(tiles.shape[0]), chance.integers(tiles.shape[1])] = chance.integers(0, 3)
        states.append((f"step {turn % 3}", tiles))
    return states


def told(states: list[tuple[str, Grid]]) -> tuple[Timeline, list[tuple[str, Grid]]]:
    """The timeline of a history, and the states that are turns: those that differ from the one before."""
    timeline = Timeline()
    kept: list[tuple[str, Grid]] = []
    for source, tiles in states:
        timeline(source, tiles)
        if not kept or kept[-1][1].shape != tiles.shape or (kept[-1][1] != tiles).any():
            kept.append((source, tiles))
    return timeline, kept


def same(a: Grid, b: Grid) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype and bool((a == b).all())


histories = st.builds(history, st.integers(0, 10_000), st.integers(0, 180), st.booleans())


@given(histories)
def test_every_turn_can_be_seen_again(states: list[tuple[str, Grid]]) -> None:
    timeline, kept = told(states)
    assert timeline.turns == len(kept)
    assert timeline.sources == [source for source, _ in kept]
    for turn, (_, tiles) in enumerate(kept):
        assert same(timeline.at(turn), tiles)


@given(histories)
def test_forward_and_back(states: list[tuple[str, Grid]]) -> None:
    timeline, kept = told(states)
    for turn in range(1, len(kept)):
        before, now = kept[turn - 1][1], kept[turn][1]
        if before.shape != now.shape:
            continue
        tiles = before.copy()
        timeline.step(tiles, turn)
        assert same(tiles, now)
        timeline.back(tiles, turn)
        assert same(tiles, before)
        change = timeline.change(turn)
        assert change.cells.tolist() == np.flatnonzero(before != now).tolist()


@settings(max_examples=60)
@given(histories, st.data())
def test_who_wrote_a_cell(states: list[tuple[str, Grid]], data: st.DataObject) -> None:
    timeline, kept = told(states)
    last = data.draw(st.integers(0, len(kept) - 1))
    height, width = kept[last][1].shape
    for y in range(height):
        for x in range(width):
            expected = None
            for turn in range(last, 0, -1):
                before, now = kept[turn - 1][1], kept[turn][1]
                if before.shape != now.shape:
                    break
                if before[y, x] != now[y, x]:
                    expected = Written(turn, kept[turn][0], int(before[y, x]), int(now[y, x]))
                    break
            assert timeline.writer(x, y, last) == expected


def test_more_turns_than_one_keyframe_holds() -> None:
    timeline = Timeline()
    for turn in range(3 * KEYFRAME_EVERY + 2):
        timeline("count", np.array([[turn, 0]], np.uint8))
    for turn in range(timeline.turns):
        assert timeline.at(turn).tolist() == [[turn, 0]]
    assert timeline.writer(0, 0) == Written(193, "count", 192, 193)
    assert timeline.writer(0, 0, 64) == Written(64, "count", 63, 64)
    assert timeline.writer(1, 0) is None


def test_a_turn_is_never_far_from_a_keyframe(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = Timeline()
    for turn in range(200):
        timeline("count", np.array([[turn]], np.uint8))
    redone: list[int] = []
    monkeypatch.setattr(Timeline, "step", lambda self, tiles, turn: redone.append(turn))
    for turn in range(200):
        redone.clear()
        timeline.at(turn)
        assert len(redone) < KEYFRAME_EVERY


def test_what_a_timeline_gives_is_a_copy_and_what_it_got_may_change() -> None:
    timeline = Timeline()
    tiles = np.zeros((1, 2), np.uint8)
    timeline("a", tiles)
    tiles[0, 0] = 1
    timeline("b", tiles)
    tiles[0, 1] = 1
    timeline.at(0)[:] = 9
    timeline.at(1)[:] = 9
    assert (timeline.at(0).tolist(), timeline.at(1).tolist()) == ([[0, 0]], [[1, 0]])


@pytest.mark.parametrize("turn", [-1, 2])
def test_no_such_turn(turn: int) -> None:
    timeline, _ = told([("a", np.zeros((1, 1), np.uint8)), ("b", np.ones((1, 1), np.uint8))])
    with pytest.raises(IndexError, match=f"turn {turn} of 2"):
        timeline.at(turn)


@pytest.mark.parametrize(("x", "y"), [(2, 0), (0, 1), (-1, 0), (0, -1)])
def test_no_such_cell(x: int, y: int) -> None:
    timeline, _ = told([("a", np.zeros((1, 2), np.uint8))])
    with pytest.raises(IndexError, match="outside 2x1"):
        timeline.writer(x, y)


def test_nothing_was_seen() -> None:
    assert Timeline().turns == 0
    with pytest.raises(IndexError):
        Timeline().at(0)
