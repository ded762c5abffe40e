"""Whoever watches sees what each step does, part by part; and the level comes out the same."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.paths import ROOT
from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.core.timeline import Timeline
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request
from undercroft.recipe.run import _apply_steps
from undercroft.steps import frames
from undercroft.templates.prefabs.placement import PlacementGoal, RoomPlacement

EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.toml") if path.name != "ruff.toml")
RECIPES: list[str | Path] = [*sorted(names()), *EXAMPLES]
IDS = [Path(recipe).stem for recipe in RECIPES]
AT_ONCE = ("fill",)
"""Steps that do one thing."""


def watched(recipe: str | Path, seed: int) -> tuple[Recipe, Timeline]:
    loaded, timeline = Recipe.load(recipe), Timeline()
    result, unseen = loaded.generate(seed=seed, watcher=timeline), loaded.generate(seed=seed)
    assert result.level == unseen.level
    assert result.notes == unseen.notes
    assert (timeline.at(timeline.turns - 1) == result.level.tiles).all(), "what is seen last is the level"
    return loaded, timeline


@pytest.mark.parametrize("recipe", RECIPES, ids=IDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_each_step_that_does_several_things_is_seen_doing_them(recipe: str | Path, seed: int) -> None:
    loaded, timeline = watched(recipe, seed)
    sources = [source.partition(":")[0] for source in timeline.sources]
    for plan in loaded.plans:
        turns = [turn for turn, source in enumerate(sources) if source == plan.id]
        if not turns or plan.use in AT_ONCE:
            continue
        was, now = timeline.at(turns[0] - 1), timeline.at(turns[-1])
        changed = (was != now) if was.shape == now.shape else now != now[0, 0]
        _, parts = reach.label_components(np.ascontiguousarray(changed).view(np.uint8))
        assert len(turns) >= min(2, parts), f"{plan.id} changes {parts} parts"
        if plan.use in ("chambers", "expand", "secrets", "locks", "attach"):
            assert len(turns) >= min(parts, 5), f"{plan.id} changes {parts} parts"


@pytest.mark.parametrize(
    ("recipe", "step", "least"),
    [("tinykeep", "scatter", 10), ("tinykeep", "separate", 3), ("bsp", "split", 4), ("cozy", "triangulate", 10)],
)
def test_plans_are_seen_although_no_tile_changes(recipe: str, step: str, least: int) -> None:
    _, timeline = watched(recipe, 3)
    turns = [turn for turn, source in enumerate(timeline.sources) if source == step]
    assert len(turns) >= least
    after = [source for source in timeline.sources[turns[-1] + 1 :] if source != step]
    assert after, "the step after it shows what came of it"
    last = timeline.at(turns[-1])
    assert (last != timeline.at(turns[0] - 1)).any(), "the plan stays to be seen until then"


def test_a_plan_at_the_end_is_wiped_away() -> None:
    recipe = Recipe.parse('[[step]]\nuse = "fill"\n[[step]]\nuse = "scatter"\n', "it.toml")
    timeline = Timeline()
    level = recipe.generate(seed=1, size=(40, 30), watcher=timeline).level
    assert timeline.turns > 3
    assert (timeline.at(timeline.turns - 1) == level.tiles).all()
    assert (timeline.at(timeline.turns - 2) != level.tiles).any()


@pytest.mark.parametrize("recipe", RECIPES, ids=IDS)
def test_watching_costs_the_budget_nothing(recipe: str | Path) -> None:
    loaded = Recipe.load(recipe)
    used = []
    for watcher in (None, Timeline()):
        run = Run(watcher=watcher)
        request = Request(loaded)
        try:
            _apply_steps(Draft(*loaded.size), request, Rng.root(4), run)
        finally:
            used.append(run.used)
    assert used[0] == used[1]


def test_of_tries_only_the_one_that_counts_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catacombs are begun anew while they cover too little of the map."""
    tries: list[bool] = []
    grow = RoomPlacement.place_others

    def grow_and_count(self: RoomPlacement, run: Run, wish: PlacementGoal) -> None:
        tries.append(run.watcher is not None)
        grow(self, run, wish)

    monkeypatch.setattr(RoomPlacement, "place_others", grow_and_count)
    loaded, timeline = Recipe.load(next(path for path in EXAMPLES if path.stem == "catacombs")), Timeline()
    loaded.generate(seed=3, watcher=timeline)
    assert len(tries) > 2
    assert tries == [False] * (len(tries) - 1) + [True]
    floor = [
        int(np.count_nonzero(timeline.at(turn) != 1))
        for turn, source in enumerate(timeline.sources)
        if source == "attach"
    ]
    assert all(after > before // 2 for before, after in pairwise(floor)), "never are all rooms gone again"


def test_nothing_is_done_if_nobody_watches() -> None:
    run, nothing = Run(), cast(Any, None)
    assert frames.copy_tiles_if_watched(run) is None
    frames.reveal(run, None)
    frames.sketch_boxes(nothing, nothing, run)
    frames.sketch_lines(nothing, nothing, nothing, run)
    frames.sketch_cuts(nothing, nothing, run)
    assert not run.sketched


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 40), st.sampled_from([0.02, 0.3, 1.0]), st.booleans())
def test_parts_add_up_to_the_whole_and_are_few(
    seed: int, width: int, height: int, share: float, numbered: bool
) -> None:
    chance = np.random.default_rng(seed)
    timeline = Timeline()
    run = Run(watcher=timeline)
    run.tiles = np.zeros((height, width), np.uint8)
    run.show()
    was = frames.copy_tiles_if_watched(run)
    run.tiles[chance.random(run.tiles.shape) < share] = 7
    now = run.tiles.copy()
    order = chance.integers(0, 1000, run.tiles.shape).astype(np.int32) if numbered else None
    frames.reveal(run, was, order)
    assert (run.tiles == now).all()
    assert (timeline.at(timeline.turns - 1) == now).all()
    assert timeline.turns <= frames.MAX_SHOWN_TURNS + 1
    assert sum(timeline.counts()[1:]) == np.count_nonzero(now), "each cell changes once"
    parts = len(np.unique(order[now > 0])) if order is not None else reach.label_components((now > 0).view(np.uint8))[1]
    assert timeline.turns - 1 == -(-parts // frames.parts_per_turn(parts))


def test_a_large_map_is_shown_in_few_turns() -> None:
    timeline = Timeline()
    Recipe.load("cozy").generate(seed=1, size=(600, 400), watcher=timeline)
    sources = list(timeline.sources)
    # its tiles in turns, and then the things in its rooms
    assert 10 < sources.count("chambers") <= 2 * frames.MAX_SHOWN_TURNS + 4
    assert 10 < sources.count("triangulate") <= frames.MAX_SHOWN_TURNS + 4


def test_a_sketch_is_no_work() -> None:
    seen: list[list[int]] = []
    run = Run(watcher=lambda _, tiles: seen.append(tiles.reshape(-1).tolist()))
    run.tiles = np.zeros((1, 2), np.uint8)
    run.sketch(np.array([[1, 2]], np.uint8))
    run.drive(lambda _: 0)
    assert seen == [[1, 2]], "what goes on below is not shown"
    run.show()
    assert seen == [[1, 2], [0, 0]]
    assert not run.sketched
