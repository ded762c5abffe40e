"""A timeline against a plain list of all states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from undercroft.core import timeline as module
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.timeline import KEYFRAME_BATCHES, KEYFRAME_CELLS, CellWrite, Timeline
from undercroft.core.turns import TurnBatch
from undercroft.errors import BadInput, OutOfRange

Grid = NDArray[np.uint8]
RULES = ("grow", "dig", "wear")


class Story(NamedTuple):
    """A timeline, and every turn it was told of: who, and the whole state after it."""

    timeline: Timeline
    turns: list[tuple[str, Grid]]


def show(story: Story, source: str, tiles: Grid) -> None:
    """Let the timeline see a state; one that is like the last is no turn."""
    story.timeline(source, tiles)
    if not story.turns or not same(story.turns[-1][1], tiles):
        story.turns.append((source, tiles.copy()))


def log(story: Story, chance: np.random.Generator, turns: int) -> None:
    """Hand over a batch of random turns, some of which change nothing."""
    tiles = story.turns[-1][1].copy()
    who, ends, cells, old, new = [], [], [], [], []
    for _ in range(turns):
        for cell in chance.permutation(tiles.size)[: chance.integers(0, 4)].tolist():
            before, after = tiles.reshape(-1)[cell], chance.integers(0, 4)
            if before != after:
                tiles.reshape(-1)[cell] = after
                cells.append(cell)
                old.append(before)
                new.append(after)
        who.append(chance.integers(0, len(RULES)))
        ends.append(len(cells))
        story.turns.append((RULES[who[-1]], tiles.copy()))
    batch = TurnBatch(
        RULES,
        np.array(who, np.int32),
        np.array(ends, np.int64),
        np.array(cells, np.int32),
        np.array(old, np.uint8),
        np.array(new, np.uint8),
    )
    if chance.random() < 0.5:
        story.timeline.log(*batch)
    else:
        story.timeline.log_later(turns, lambda: batch)


def story(number: int, events: int, resize: bool) -> Story:
    """States shown and batches logged, one after the other; sometimes the map gets another size."""
    chance = np.random.default_rng(number)
    told = Story(Timeline(), [])
    show(told, "begin", random_map(chance))
    for event in range(events):
        kind = chance.random()
        if resize and kind < 0.1:
            show(told, "resize", random_map(chance))
        elif kind < 0.5:
            log(told, chance, int(chance.integers(0, 20)))
        else:
            tiles = told.turns[-1][1].copy()
            for _ in range(chance.integers(0, 3)):
                tiles[chance.integers(tiles.shape[0]), chance.integers(tiles.shape[1])] = chance.integers(0, 3)
            show(told, f"step {event % 3}", tiles)
    return told


def random_map(chance: np.random.Generator) -> Grid:
    """Small, and often a single row, column or cell."""
    height, width = (1 if chance.random() < 0.4 else int(chance.integers(2, 7)) for _ in range(2))
    return chance.integers(0, 3, (height, width)).astype(np.uint8)


def same(a: Grid, b: Grid) -> bool:
    return a.shape == b.shape and a.dtype == b.dtype and bool((a == b).all())


stories = st.builds(story, st.integers(0, 1 << 30), st.integers(0, 25), st.booleans())


@pytest.fixture(params=[5, KEYFRAME_CELLS], scope="module", autouse=True)
def keyframes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test holds however often whole states are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "KEYFRAME_CELLS", request.param)
        patch.setattr(module, "KEYFRAME_BATCHES", min(KEYFRAME_BATCHES, request.param))
        yield


@given(stories)
def test_every_turn_can_be_seen_again(told: Story) -> None:
    timeline, turns = told
    assert timeline.turns == len(turns)
    assert list(timeline.sources) == [source for source, _ in turns]
    for turn, (_, tiles) in enumerate(turns):
        assert same(timeline.at(turn), tiles)


@given(stories)
def test_all_of_it_can_be_had_at_once(told: Story) -> None:
    timeline, turns = told
    log = timeline.all_turns()
    assert log.turns == len(turns)
    assert [log.source(turn) for turn in range(log.turns)] == [source for source, _ in turns]
    assert len(set(log.names)) == len(log.names)
    tiles = np.zeros((0, 0), np.uint8)
    for turn, (_, expected) in enumerate(turns):
        if tiles.shape != expected.shape:
            tiles = np.zeros(expected.shape, np.uint8)
        log.redo(tiles.reshape(-1), turn, turn + 1)
        assert same(tiles, expected)


@given(stories)
def test_forward_and_back(told: Story) -> None:
    timeline, turns = told
    counts = timeline.counts()
    assert len(counts) == len(turns)
    for turn in range(1, len(turns)):
        before, now = turns[turn - 1][1], turns[turn][1]
        if before.shape != now.shape:
            continue
        tiles = before.copy()
        timeline.step(tiles, turn)
        assert same(tiles, now)
        timeline.step_back(tiles, turn)
        assert same(tiles, before)
        change = timeline.change(turn)
        changed = np.flatnonzero(before != now)
        assert sorted(change.cells.tolist()) == changed.tolist()
        assert dict(zip(change.cells.tolist(), change.old.tolist(), strict=True)) == dict(
            zip(changed.tolist(), before.flat[changed].tolist(), strict=True)
        )
        assert same(now.reshape(-1)[change.cells], change.new)
        assert counts[turn] == len(changed)
        assert change.source == turns[turn][0]


@given(stories, st.data())
def test_from_any_turn_to_any_other_and_back_again(told: Story, data: st.DataObject) -> None:
    timeline, turns = told
    sizes = np.cumsum([0, *(one.shape != other.shape for (_, one), (_, other) in pairwise(turns))])
    here, to = (data.draw(st.integers(0, len(turns) - 1)) for _ in range(2))
    tiles = turns[here][1].copy()
    if sizes[here] != sizes[to]:
        with pytest.raises(BadInput, match=f"take timeline.at\\({to}\\)"):
            timeline.go(tiles, here, to)
        return
    for _ in range(2):
        timeline.go(tiles, here, to)
        assert same(tiles, turns[to][1])
        timeline.go(tiles, to, here)
        assert same(tiles, turns[here][1])


@given(stories, st.data())
def test_who_wrote_a_cell(told: Story, data: st.DataObject) -> None:
    timeline, turns = told
    last = data.draw(st.integers(0, len(turns) - 1))
    height, width = turns[last][1].shape
    for y in range(height):
        for x in range(width):
            expected = None
            for turn in range(last, 0, -1):
                before, now = turns[turn - 1][1], turns[turn][1]
                if before.shape != now.shape:
                    break
                if before[y, x] != now[y, x]:
                    expected = CellWrite(turn, turns[turn][0], int(before[y, x]), int(now[y, x]))
                    break
            assert timeline.writer(x, y, last) == expected
            if last == len(turns) - 1:
                assert timeline.writer(x, y) == expected


@given(stories, st.data())
def test_telling_goes_on_after_looking_back(told: Story, data: st.DataObject) -> None:
    """What was asked in between does not matter."""
    timeline, turns = told
    chance = np.random.default_rng(len(turns))
    for _ in range(3):
        log(told, chance, 5)
        turn = data.draw(st.integers(0, len(turns) - 1))
        assert same(timeline.at(turn), turns[turn][1])
        timeline.at(turn)[:] = 99
        show(told, "step", 1 - np.minimum(turns[-1][1], 1))
    assert all(same(timeline.at(turn), tiles) for turn, (_, tiles) in enumerate(turns))


@given(stories)
def test_sources_read_like_a_list(told: Story) -> None:
    sources, wanted = told.timeline.sources, [source for source, _ in told.turns]
    assert len(sources) == len(wanted)
    assert [sources[turn] for turn in range(-len(wanted), len(wanted))] == wanted + wanted
    assert sources[1:-1:2] == wanted[1:-1:2]
    assert sources[0] == "begin"
    with pytest.raises(IndexError):
        sources[len(wanted)]


@given(stories)
def test_sizes_are_told_where_they_begin(told: Story) -> None:
    shapes = [tiles.shape for _, tiles in told.turns]
    wanted = [turn for turn in range(len(shapes)) if turn == 0 or shapes[turn] != shapes[turn - 1]]
    assert told.timeline.sizes() == [(turn, (shapes[turn][1], shapes[turn][0])) for turn in wanted]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=60), st.integers(0, 30))
def test_the_first_turn_that_is_as_asked(steps: list[int], wanted: int) -> None:
    timeline, total, totals = Timeline(), 0, list[int]()
    for step in steps:
        total += step
        timeline("count", np.array([[total % 256]], np.uint8))
        if not totals or totals[-1] != total:
            totals.append(total)
    expected = next((turn for turn, reached in enumerate(totals) if reached >= wanted), None)
    assert timeline.first_turn(lambda tiles: bool(tiles[0, 0] >= wanted)) == expected


def test_a_new_attempt_forgets_the_one_before() -> None:
    told = story(5, 20, True)
    told.timeline("begin", np.ones((2, 2), np.uint8))
    assert told.timeline.turns == 1
    assert told.timeline.sizes() == [(0, (2, 2))]
    assert told.timeline.at(0).tolist() == [[1, 1], [1, 1]]
    assert list(told.timeline.sources) == ["begin"]


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
    told = Story(Timeline(), [])
    show(told, "a", np.zeros((1, 1), np.uint8))
    show(told, "b", np.ones((1, 1), np.uint8))
    for ask in (told.timeline.at, told.timeline.change, lambda turn: told.timeline.writer(0, 0, turn)):
        with pytest.raises(OutOfRange, match=f"there is no turn {turn}: there are 2 turns"):
            ask(turn)


@pytest.mark.parametrize(("x", "y"), [(2, 0), (0, 1), (-1, 0), (0, -1)])
def test_no_such_cell(x: int, y: int) -> None:
    timeline = Timeline()
    timeline("a", np.zeros((1, 2), np.uint8))
    with pytest.raises(BadInput, match="outside the level, which is 2x1"):
        timeline.writer(x, y)


def test_nothing_was_seen() -> None:
    assert Timeline().turns == 0
    assert len(Timeline().sources) == len(Timeline().counts()) == len(Timeline().sizes()) == 0
    assert Timeline().first_turn(lambda _: True) is None
    with pytest.raises(IndexError):
        Timeline().at(0)


def test_an_empty_batch_is_no_turn() -> None:
    timeline = Timeline()
    timeline("a", np.zeros((1, 2), np.uint8))
    nothing = np.zeros(0, np.int32)
    timeline.log(RULES, nothing, nothing.astype(np.int64), nothing, nothing.astype(np.uint8), nothing.astype(np.uint8))
    assert timeline.turns == 1


def test_what_is_logged_for_later_is_worked_out_once_and_only_if_somebody_asks() -> None:
    asked: list[str] = []

    def work(name: str) -> TurnBatch:
        asked.append(name)
        return TurnBatch((name,), *fitting_log())

    timeline = Timeline()
    with pytest.raises(BadInput, match="show the tiles before"):
        timeline.log_later(2, lambda: work("early"))
    timeline("begin", np.zeros((1, 2), np.uint8))
    timeline.log_later(2, lambda: work("first"))
    timeline.log_later(0, lambda: work("nothing"))
    timeline.log_later(2, lambda: work("second"))
    assert (timeline.turns, len(timeline.sources), asked) == (5, 5, [])
    assert timeline.sources[4] == "second"
    assert asked == ["second"]
    assert timeline.at(2).tolist() == [[1, 1]]
    assert list(timeline.sources)[1:] == ["first", "first", "second", "second"]
    assert asked == ["second", "first"]


def fitting_log() -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32], Grid, Grid]:
    """Two turns of a map of two cells."""
    return (
        np.zeros(2, np.int32),
        np.array([1, 2], np.int64),
        np.array([0, 1], np.int32),
        np.zeros(2, np.uint8),
        np.ones(2, np.uint8),
    )


@pytest.mark.parametrize("index", range(5))
@pytest.mark.parametrize("length", [0, 1, 3])
def test_a_log_whose_arrays_do_not_fit_is_refused(index: int, length: int) -> None:
    timeline = Timeline()
    with pytest.raises(BadInput, match="show the tiles before"):
        timeline.log(RULES, *fitting_log())
    timeline("a", np.zeros((1, 2), np.uint8))
    arrays: list[NDArray[Any]] = [*fitting_log()]
    arrays[index] = np.arange(1, length + 1)
    with pytest.raises(BadInput, match="do not fit"):
        timeline.log(RULES, *arrays)
    assert timeline.turns == 1
    timeline.log(RULES, *fitting_log())
    assert timeline.at(2).tolist() == [[1, 1]]


class Long(NamedTuple):
    """A long log, and the arrays it was made of."""

    timeline: Timeline
    cells: NDArray[np.int32]
    new: Grid


def long(turns: int, batches: int = 1) -> Long:
    """A map of 100x80 on which one random cell changes in every turn."""
    chance = np.random.default_rng(7)
    cells = chance.integers(0, 8000, turns).astype(np.int32)
    new = chance.integers(1, 255, turns).astype(np.uint8)  # where the same comes twice, old is new: nobody minds here
    order = np.lexsort((np.arange(turns), cells))
    old = np.zeros(turns, np.uint8)
    repeated = np.flatnonzero(cells[order][1:] == cells[order][:-1])
    old[order[repeated + 1]] = new[order[repeated]]
    timeline = Timeline()
    timeline("begin", np.zeros((80, 100), np.uint8))
    for part in np.array_split(np.arange(turns), batches):
        timeline.log(
            RULES, np.zeros(len(part), np.int32), np.arange(1, len(part) + 1), cells[part], old[part], new[part]
        )
    return Long(timeline, cells, new)


@pytest.mark.parametrize("batches", [1, 50])
def test_a_turn_is_never_far_from_a_whole_state_and_these_are_a_small_part_of_the_log(
    batches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEYFRAME_CELLS", KEYFRAME_CELLS)
    monkeypatch.setattr(module, "KEYFRAME_BATCHES", KEYFRAME_BATCHES)
    timeline, cells, new = long(200_000, batches)
    redone: list[int] = []
    redo = TurnBatch.redo

    def redo_and_count(self: TurnBatch, flat: Grid, first: int, last: int) -> None:
        redone.append(self.cell_end(last) - self.cell_end(first))
        redo(self, flat, first, last)

    monkeypatch.setattr(TurnBatch, "redo", redo_and_count)
    expected, known = np.zeros(8000, np.uint8), 0
    for turn in range(0, timeline.turns, 9973):
        expected[cells[known:turn]] = new[known:turn]
        known = turn
        timeline.at(turn)
        redone.clear()
        assert same(timeline.at(turn), expected.reshape(80, 100))
        assert sum(redone) <= 8000
    kept = sum(tiles.nbytes for tiles in timeline._keys)
    assert 8000 < kept <= len(cells) + 2 * 8000
    back = timeline.at(timeline.turns - 1)
    timeline.go(back, timeline.turns - 1, 0)
    assert not back.any()
    timeline.go(back, 0, timeline.turns - 1)
    assert same(back, timeline.at(timeline.turns - 1))


def test_a_million_turns_are_kept_without_an_object_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    import tracemalloc

    monkeypatch.setattr(module, "KEYFRAME_CELLS", KEYFRAME_CELLS)
    turns = 1_000_000
    parts = (
        np.zeros(turns, np.int32),
        np.arange(1, turns + 1),
        np.arange(turns, dtype=np.int32) % 8000,
        np.zeros(turns, np.uint8),
        np.ones(turns, np.uint8),
    )
    timeline = Timeline()
    tracemalloc.start()
    try:
        timeline("begin", np.zeros((80, 100), np.uint8))
        timeline.log(RULES, *parts)
        logged = tracemalloc.get_traced_memory()[0]
        assert timeline.turns == turns + 1
        assert timeline.sources[turns] == "grow"
        assert timeline.at(turns).all()
        used = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert logged < 100_000, "logging keeps the arrays it got"
    assert used < 1.5 * turns, "whole states take about a byte a change"


def test_a_large_map_that_changes_little_is_not_kept_whole_for_every_few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEYFRAME_BATCHES", 64)
    timeline, tiles = Timeline(), np.zeros((100, 100), np.uint8)
    timeline("begin", tiles)
    for turn in range(1, 1000):
        tiles[turn // 100, turn % 100] = 1
        timeline("dig", tiles)
    assert 1000 // 64 <= len(timeline._keys) <= 1 + 1000 // 64
    for turn in range(0, 1000, 37):
        assert timeline.at(turn).sum() == turn


def test_what_codes_mean_may_change_on_the_way() -> None:
    letters, other = Palette(STANDARD.tiles[:3], "few"), Palette(STANDARD.tiles[:4], "more")
    timeline = Timeline()
    assert timeline.palettes == []
    timeline("begin", np.zeros((1, 1), np.uint8))
    assert timeline.palette(0) is None
    timeline.codes_mean(letters)
    timeline("begin", np.zeros((1, 1), np.uint8))
    assert timeline.palette(0) == letters, "what was said before an attempt holds for it"
    timeline("dig", np.ones((1, 1), np.uint8))
    timeline.codes_mean(Palette(letters.tiles, "few"))
    timeline.codes_mean(other)
    timeline("dig", np.zeros((1, 1), np.uint8))
    assert [timeline.palette(turn) for turn in range(3)] == [letters, letters, other]
    assert len(timeline.palettes) == 2
    assert timeline.codes() == [0, 1]
