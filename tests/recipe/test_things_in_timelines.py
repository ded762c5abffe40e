"""Things are placed in turns of the timeline, and names are given in one."""

from __future__ import annotations

import numpy as np

import undercroft as uc
from undercroft.core.timeline import Timeline
from undercroft.studio.jobs.timeline import build_timeline_data


def test_furnishing_and_naming_take_turns_that_films_do_not_show() -> None:
    timeline = Timeline()
    level = uc.generate("cozy", seed=1, watcher=timeline)
    assert level == uc.generate("cozy", seed=1)
    sources = list(timeline.sources)
    turns = [turn for turn, _ in timeline.things]
    assert {sources[turn] for turn in turns} == {"chambers", "furnish", "names"}
    assert sources.count("furnish") > 5, "room by room"
    assert sources[-1] == "names"
    counts = [len(things) for turn, things in timeline.things if sources[turn] == "furnish"]
    assert counts == sorted(set(counts)), "each turn adds some"
    assert timeline.things[-1][1] == tuple(level.things)
    assert np.array_equal(timeline.at(timeline.turns - 1), level.tiles)
    assert not set(turns) & set(timeline.frame_turns().tolist())


def test_a_recipe_that_failed_first_keeps_the_things_of_its_last_attempt_only() -> None:
    timeline = Timeline()
    level = uc.generate("cozy", seed=3, until=["loops >= 3"], tries=1000, watcher=timeline)
    assert timeline.things[-1][1] == tuple(level.things)
    assert timeline.things[0][0] < timeline.turns


def test_the_studio_knows_the_turn_that_placed_each_thing() -> None:
    timeline = Timeline()
    level = uc.generate("cozy", seed=1, watcher=timeline)
    placed = np.asarray(build_timeline_data(timeline, level)[1]["things"]).tolist()
    assert len(placed) == len(level.things)
    for thing, turn in zip(level.things, placed, strict=True):
        standing = [{(one.kind, one.x, one.y) for one in things} for first, things in timeline.things if first >= turn]
        assert all((thing.kind, thing.x, thing.y) in each for each in standing)
        assert timeline.sources[turn] in ("chambers", "furnish")
