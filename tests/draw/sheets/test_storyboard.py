"""Storyboards: which turns are shown, and what their pictures say."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.draw.scene.colour import rgb
from undercroft.draw.sheets.storyboard import (
    FILLED,
    OPEN,
    OPENED,
    PICTURE_WIDTH,
    ROCK,
    _choose_frames,
    _render_changes,
    storyboard,
)
from undercroft.errors import BadInput


def record_level(recipe: str) -> tuple[Timeline, Level]:
    timeline = Timeline()
    return timeline, uc.Recipe.load(recipe).generate(seed=3, watcher=timeline).level


def test_an_all_is_one_turn_of_a_storyboard() -> None:
    timeline = Timeline()
    start = Level.parse("\n".join(["." * 9] * 4 + ["....#...."] + ["." * 9] * 4))
    level = uc.Rules.parse("all  grow, up to 5 times, turned\n    #. -> ##", "x.rules").apply(
        start, 1, watcher=timeline
    )
    frames = _choose_frames(timeline, 3)
    assert {frame.turn for frame in frames} <= set(timeline.frame_turns().tolist())
    assert [frame.far for frame in frames][-1] == "after turn 5 of 5"
    assert (timeline.at(frames[-1].turn) == level.tiles).all()


@pytest.mark.parametrize("recipe", ["cave", "rooms-and-mazes", "tinykeep", "isaac", "grammar", "templates"])
@pytest.mark.parametrize("most", [1, 2, 5, 11])
def test_the_last_state_is_shown_and_no_more_than_asked(recipe: str, most: int) -> None:
    timeline, level = record_level(recipe)
    frames = _choose_frames(timeline, most)
    turns = [frame.turn for frame in frames]
    assert 1 <= len(turns) <= most
    assert turns == sorted(set(turns))
    assert all(timeline.sources[frame.turn].partition(":")[0] == frame.step != "begin" for frame in frames)
    steps = dict.fromkeys(source.partition(":")[0] for source in timeline.sources[1:])
    if most >= 11:
        assert {frame.step for frame in frames} == set(steps), "every step that changed something is there"
        assert np.array_equal(timeline.at(turns[-1]), level.tiles)


def test_what_changed_is_tinted() -> None:
    palette = uc.STANDARD
    rock, floor = palette.role("wall"), palette.role("floor")
    before = np.array([[rock, rock, floor, floor]], np.uint8)
    after = np.array([[rock, floor, rock, floor]], np.uint8)
    shown = np.asarray(_render_changes(before, after, palette))[0, :: PICTURE_WIDTH // 4]
    assert [tuple(pixel) for pixel in shown.tolist()] == [rgb(ROCK), rgb(OPENED), rgb(FILLED), rgb(OPEN)]


def test_the_page_is_the_same_each_time_and_holds_all_pictures() -> None:
    timeline, level = record_level("cave")
    page = storyboard(timeline, level, about={"automaton": "smooths"})
    assert page.tobytes() == storyboard(timeline, level, about={"automaton": "smooths"}).tobytes()
    assert page.tobytes() != storyboard(timeline, level).tobytes()
    few = storyboard(timeline, level, frames=2)
    assert few.height < page.height
    green = (np.asarray(page) == rgb(OPENED)).all(axis=2).sum()
    assert green > 1000


def test_mistakes() -> None:
    timeline, level = record_level("cave")
    with pytest.raises(BadInput, match="at least 2"):
        storyboard(timeline, level, frames=1)
    with pytest.raises(BadInput, match="seen no map"):
        storyboard(Timeline(), level)


def test_one_turn_is_enough() -> None:
    timeline = Timeline()
    timeline("begin", np.full((3, 4), 1, np.uint8))
    assert storyboard(timeline, Level(np.full((3, 4), 1, np.uint8))).width > 100
