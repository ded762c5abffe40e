"""Rules of the editor on real maps: the map at a step of a level is that of the recipe, others are as the library has
them, and a rule that is never used says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.studio_pages import Page, Server, source
from undercroft.core.timeline import Timeline
from undercroft.recipe.document import Recipe
from undercroft.rewrite.rules import Rules

PILLARS = """\
one  pillars, up to 6 times
    ... -> .o.

all  moss, in rooms, chance 30%
    . -> %
"""
RECIPE = f"""\
size = [40, 24]

[[step]]
use = "fill"

[[step]]
use = "rooms"

[[step]]
use = "survey"

[[step]]
use = "rewrite"
id = "decor"
turns = 40
rules = '''
palette standard
tile moss = %, floor
{PILLARS}'''

[[step]]
use = "rewrite"
rules = "one  crumbs, up to 5 times\\n    . -> ~"
"""
TEXT = f"palette standard\ntile moss = %, floor\n{PILLARS}"
AT = {"text": RECIPE, "file": "decor.toml"}


def run_on(page: Page, on: dict[str, Any], text: str = TEXT, rule: str = "moss", **more: Any) -> tuple[Any, Any]:
    """The run of a text on a map, and its parts as grids."""
    ask = {"rule": rule, "seed": "3", "size": (9, 5), "on": on, **more}
    head, parts = page.answer("rules", text=text, file="x.rules", run=ask)
    assert head["kind"] == "done", head
    width, height = head["run"]["size"]
    return head["run"], {name: part.reshape(height, width) for name, part in parts.items()}


def names(run: Any, grid: Any) -> Any:
    """A grid of tile names."""
    return np.array([tile["name"] for tile in run["tiles"]])[grid]


@pytest.mark.parametrize(("seed", "until"), [("3", []), ("5", ["rooms >= 20"])])
def test_rules_at_their_step_do_what_the_recipe_does(page: Page, seed: str, until: list[str]) -> None:
    timeline = Timeline()
    result = Recipe.parse(RECIPE, "decor.toml").generate(seed=seed, until=until, watcher=timeline)
    who = list(timeline.sources)
    first = next(turn for turn, name in enumerate(who) if name.startswith("decor"))
    last = max(turn for turn, name in enumerate(who) if name.startswith("decor"))
    assert not until or result.attempt > 0
    level = source(recipe=AT, seed=seed, until=until)
    run, parts = run_on(page, {"level": level, "step": "decor"}, seed="99")
    for part, turn in (("begin", first - 1), ("tiles", last)):
        palette = timeline.palette(turn) or result.level.palette
        expected = np.array([tile.name for tile in palette.tiles])[timeline.at(turn)]
        assert np.array_equal(names(run, parts[part]), expected), part
    assert run["fired"] == sum(name == "decor: moss" for name in who) > 0


def test_kept_cells_are_kept_at_a_step_too(page: Page) -> None:
    old = source(recipe=AT, seed="8")
    level = source(recipe=AT, seed="3", keep={"of": old, "cells": [[0, 400]]})
    text = "one  flood, up to 2000 times\n    ? -> ~\n"
    run, parts = run_on(page, {"level": level, "step": "rewrite#2"}, text, "flood")
    flat = names(run, parts["tiles"]).reshape(-1)
    assert (flat[:400] != "water").any()
    assert np.array_equal(flat[:400], names(run, parts["begin"]).reshape(-1)[:400])
    assert (flat[400:] == "water").all()


def test_a_whole_level_is_rewritten_as_by_the_library(page: Page) -> None:
    level = Recipe.parse(RECIPE, "decor.toml").generate(seed="3").level
    expected = Rules.parse(TEXT, "x.rules").apply(level, "4")
    run, parts = run_on(page, {"level": source(recipe=AT, seed="3")}, seed="4")
    assert np.array_equal(
        names(run, parts["tiles"]), np.array([t.name for t in expected.palette.tiles])[expected.tiles]
    )
    assert np.array_equal(names(run, parts["begin"]), np.array([t.name for t in level.palette.tiles])[level.tiles])


def test_a_step_whose_rules_never_end_or_leave_no_level_shows_the_map_before_it(page: Page) -> None:
    text = RECIPE + '\n[[step]]\nuse = "rewrite"\nid = "war"\nrules = "one  war\\n    # -> .\\n    . -> #"\n'
    level = source(recipe={"text": text, "file": "x.toml"}, tries=1, until=["rooms > 900"])
    run, _ = run_on(page, {"level": level, "step": "decor"})
    assert run["fired"] > 0


def test_a_map_of_the_project_an_import_a_fill_and_a_drawing(server: Server, page: Page) -> None:
    (server.project / "hall.txt").write_text("#####\n#...#\n#####\n")
    text = "one  pillar, once\n    ... -> .o.\n"
    level = {**source(), "recipe": {"path": "hall.txt"}}
    run, parts = run_on(page, {"level": level}, text, "pillar")
    assert names(run, parts["tiles"])[1].tolist() == ["wall", "floor", "pillar", "floor", "wall"]
    assert (run["fired"], run["left"], run["why"]) == (1, 0, None)
    status, imported = server.post("/api/import", {"name": "hall.txt", "data": "IyMjIyMKIy4uLiMKIyMjIyMK"})
    assert status == 200, imported
    run, _ = run_on(page, {"level": {**source(), "recipe": imported["source"]}}, text, "pillar")
    assert run["size"] == [5, 3]
    run, parts = run_on(page, {"fill": "floor"}, text, "pillar")
    assert set(names(run, parts["begin"]).reshape(-1)) == {"floor"}
    drawn = [(9, "floor"), (10, "floor"), (11, "floor"), (12, "moss")]
    run, parts = run_on(page, {"edits": drawn}, text, "pillar")
    assert names(run, parts["begin"])[1].tolist() == ["floor"] * 3 + ["void"] * 6, "a tile of other rules is left out"
    assert names(run, parts["tiles"])[1].tolist() == ["floor", "pillar", "floor"] + ["void"] * 6


def test_uses_are_counted_on_that_map(page: Page) -> None:
    ask = {"rule": "moss", "seed": "3", "size": (9, 5), "on": {"level": source(recipe=AT, seed="3"), "step": "decor"}}
    head, _ = page.answer("rules", text=TEXT, file="x.rules", run=ask, seeds=4)
    assert [row["runs"] for row in head["coverage"]["rules"]] == [4, 4]
    ask["on"] = {}
    head, _ = page.answer("rules", text=TEXT, file="x.rules", run=ask, seeds=4)
    assert [row["runs"] for row in head["coverage"]["rules"]] == [0, 0]


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("one  r\n    + -> #", "missing", "which does not stand on the map"),
        ("one  r\n    X~ -> ##\n\none  s, once\n    . -> ~", "missing", "s can write it"),
        ("one  r, in rooms tagged crypt\n    X -> #", "elsewhere", "crypt"),
        ("one  r, chance 0%\n    X -> #", "off", "its chance is 0"),
        ("one  r, keep count(#) <= 0\n    X -> #", "refused", "of 45 matches"),
        (f"one  r\n    {'X' * 10} -> {'#' * 10}", "larger", "larger than the map"),
        (
            "one  both, up to 2 times\n    rule  r\n        X -> ~\n    rule  s, weight 1000000\n        X -> #",
            "late",
            "2 times",
        ),
        ("one  war\n    X -> #\n    # -> X\n\none  r\n    X -> ~", "late", "stopped before its turn came"),
        ("markov\n    one  s\n        X -> #\n    one  r\n        XX -> ~~", "consumed", "s matches too"),
    ],
)
def test_a_rule_that_is_never_used_says_why(page: Page, text: str, kind: str, words: str) -> None:
    run, _ = run_on(page, {}, text, "r")
    found = {one["kind"]: one["text"] for one in run["why"]["findings"]}
    assert run["fired"] == 0
    assert words in found[kind], found


def test_the_nearest_miss_is_that_of_the_library(page: Page) -> None:
    text = "one  r\n    #+# -> ###"
    run, _ = run_on(page, {"edits": [(0, "wall"), (1, "floor"), (2, "wall")]}, text, "r")
    near = Rules.parse(text, "x.rules").explain(uc.Level.parse("#.#")).rules[0].nearest[0]
    [first, *_] = run["why"]["nearest"]
    assert (first["at"], first["sentence"]) == ([0, 0], str(near))
    assert first["wrong"] == [{"at": [1, 0], "cell": [1, 0], "wanted": "+", "found": "."}]


@pytest.mark.parametrize(
    ("on", "problem"),
    [
        ({"level": source(recipe=AT), "step": "nothing"}, "step"),
        ({"level": {**source(), "recipe": {"path": "../outside.txt"}}}, "outside"),
        ({"level": {**source(), "recipe": {"path": "hall2.txt"}}, "step": "x"}, "has no steps"),
        ({"fill": "nothing"}, "nothing"),
        ({"edits": [(45, "wall")]}, "there is no cell 45"),
        ({"edits": [(-1, "wall")]}, "there is no cell -1"),
        ({"level": 5}, "invalid request"),
    ],
)
def test_maps_that_are_not_there_are_refused_in_a_sentence(
    server: Server, page: Page, on: dict[str, Any], problem: str
) -> None:
    (server.project / "hall2.txt").write_text("#.#\n")
    ask = {"rule": "moss", "seed": "3", "size": (9, 5), "on": on}
    [(head, _)] = page.answers("rules", text=TEXT, file="x.rules", run=ask)
    assert head["kind"] == "problem"
    assert problem in head["problem"]
    assert head["fix"]
