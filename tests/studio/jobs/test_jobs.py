"""What the page gets is what the library gives: the same tiles, numbers and pictures."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from support.paths import ROOT
from support.studio_pages import Page, Server, source
from undercroft import limits
from undercroft.analysis.chokes import choke_points
from undercroft.analysis.measures.table import MEASURES, measure_all
from undercroft.analysis.reach import distances
from undercroft.core.frozen import thaw
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.timeline import Timeline
from undercroft.draw.styles import table
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.rewrite.coverage import CoverageTally, Recorder
from undercroft.rewrite.rules import Rules
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.studio.jobs import level_json
from undercroft.templates.layouts import layout_files

RULES = """\
palette standard
set  s = # or X

one  start, once
    XX      ??
    XX  ->  ?.

one  grow, turned, up to 30 times, results 3:1
    .s -> .. | .~

one  never
    oo -> oo

expect  grow
    .#o  ->  ..o  |  .~o

expect  grow never stops
    .#o  ->  ..o
"""


@pytest.mark.parametrize("name", names())
def test_a_level_is_that_of_the_library(page: Page, name: str) -> None:
    head, parts = page.answer("make", measures="all", **source(name, seed="3"))
    made = Recipe.load(name).generate(seed="3")
    level = made.level
    assert head["size"] == list(level.size)
    assert np.array_equal(parts["tiles"].reshape(level.tiles.shape), level.tiles)
    assert np.array_equal(parts["labels"].reshape(level.tiles.shape), level.regions.labels)
    assert np.array_equal(parts["path"].reshape(-1, 2), level.path)
    assert [tile["name"] for tile in head["palette"]] == [tile.name for tile in level.palette.tiles]
    assert head["measures"] == measure_all(level)[0]
    assert (head["attempt"], head["causes"], head["notes"]) == (made.attempt, made.rejected, list(made.notes))
    assert (head["start"], head["end"]) == tuple(
        None if point is None else list(point) for point in (level.start, level.end)
    )
    assert [(door["at"], door["kind"]) for door in head["doors"]] == [
        ([door.x, door.y], door.state) for door in level.doors
    ]
    assert [(link["a"], link["b"], link["kind"]) for link in head["links"]] == [
        (link.a, link.b, link.kind) for link in level.links
    ]
    assert [(thing["kind"], thing["at"]) for thing in head["things"]] == [
        (thing.kind, [thing.x, thing.y]) for thing in level.things
    ]
    assert [room["number"] for room in head["rooms"] if room["number"]] == list(range(1, len(level.rooms) + 1))
    for room, region in zip(head["rooms"], level.regions, strict=True):
        x, y = room["at"]
        assert (room["id"], room["name"], room["area"]) == (region.label, region.name, region.area)
        assert level.regions.labels[y, x] == region.label or not region.area
    assert all(row["met"] for row in head["requirements"])
    assert [step["id"] for step in head["steps"]] == [plan.id for plan in Recipe.load(name).plans]


def test_all_of_a_source_counts(page: Page) -> None:
    given = source(
        "cave", seed="a word", size=[41, 23], params={"fill_prob": 0.45, "nrepeats": 3}, until=["loops >= 3"], tries=50
    )
    head, parts = page.answer("make", measures=["loops"], **given)
    made = Recipe.load("cave").generate(
        seed="a word", size=(41, 23), params={"fill_prob": 0.45, "nrepeats": 3}, until=["loops >= 3"], tries=50
    )
    assert np.array_equal(parts["tiles"].reshape(23, 41), made.level.tiles)
    assert (head["seed"], head["attempt"], head["rejected"], head["causes"]) == (
        "a word",
        made.attempt,
        made.attempt,
        made.rejected,
    )
    assert head["measures"].keys() == {"loops"}
    asked = {row["text"]: row for row in head["requirements"]}
    assert asked.keys() == {"components == 1", "loops >= 3"}
    assert asked["loops >= 3"]["value"] == head["measures"]["loops"] >= 3
    again, tiles = page.answer("make", measures=[], **{**given, "attempt": made.attempt})
    assert np.array_equal(tiles["tiles"], parts["tiles"])
    assert again["attempt"] == made.attempt


def test_the_nearest_level_is_told_if_none_is_as_required(page: Page) -> None:
    given = source(until=["loops >= 400"], tries=6)
    head, parts = page.answers("make", measures=["loops"], **given)[-1]
    with pytest.raises(uc.NotMet) as error:
        Recipe.load("cave").generate(seed="7", until=["loops >= 400"], tries=6)
    best: Any = error.value.best
    assert head["kind"] == "problem"
    assert head["problem"] == error.value.problem
    assert head["fix"] == error.value.fix
    assert head["rejected"] == error.value.rejected
    assert np.array_equal(parts["tiles"].reshape(best.tiles.shape), best.tiles)
    near = head["nearest"]
    assert (near["attempt"], near["rejected"]) == (best.provenance["attempt"], 6)
    assert [(row["text"], row["met"], row["rejected"]) for row in near["requirements"]] == [
        ("components == 1", True, 0),
        ("loops >= 400", False, 6),
    ]
    assert near["requirements"][1]["why"] == f"loops is {near['measures']['loops']}"
    _, again = page.answer("make", measures=[], **{**given, "attempt": near["attempt"]})
    assert np.array_equal(again["tiles"], parts["tiles"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"recipe": {"name": "cavve"}}, "unknown recipe 'cavve'"),
        ({"recipe": {"name": "../cave"}}, "unknown recipe"),
        ({"recipe": {"name": "/etc/passwd"}}, "unknown recipe"),
        ({"recipe": {"path": "none.toml"}}, "none.toml: no such file"),
        ({"recipe": {"path": "../none.toml"}}, "is no name for a file"),
        ({"recipe": {}}, "one of these"),
        ({"recipe": {"name": "cave", "path": "x.toml"}}, "one of these"),
        ({"recipe": {"imported": "00"}}, "not there any more"),
        ({"recipe": {"imported": "00", "data": "aGVsbG8="}}, "not there any more"),
        ({"recipe": {"text": "nothing = 1", "file": "x.toml"}}, "unknown key 'nothing'"),
        ({"recipe": "cave"}, "invalid request"),
        ({"params": {"fil_prob": 1}}, "unknown parameter of cave 'fil_prob'"),
        ({"params": {"fill_prob": 7}}, "fill_prob is a number from 0 to 1, not 7"),
        ({"params": []}, "invalid request"),
        ({"size": [0, 5]}, "has no cells"),
        ({"size": [1025, 1024]}, f"the limit is {limits.STUDIO_CELLS.value:,}"),
        ({"size": [10**15, 1]}, "the longer side"),
        ({"size": [10**30, 1]}, "invalid request"),
        ({"size": "80x50"}, "invalid request"),
        ({"until": ["loops => 2"]}, "unexpected '=>'"),
        ({"tries": 0}, "tries is a whole number from 1"),
        ({"tries": 10**9}, "the number of tries"),
        ({"attempt": -1}, "an attempt is a whole number"),
        ({"measures": ["looops"]}, "unknown measure 'looops'"),
        ({"measures": "some"}, "measures are a list"),
        ({"edits": [[10**9, "wall"]]}, "there is no cell"),
        ({"edits": [[5, "lava"]]}, "unknown tile 'lava'"),
        ({"keep": {"of": source(), "cells": [[1799, 2]]}}, "cannot be kept"),
        ({"keep": {"of": source(), "cells": [[-5, 2]]}}, "cannot be kept"),
        (
            {"keep": {"of": source(size=[30, 30]), "cells": [[5, 2]]}, "size": [60, 30]},
            "the map to begin with is 30x30",
        ),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(page: Page, change: dict[str, Any], words: str) -> None:
    problem = page.problem("make", **{"measures": [], **source(), **change})
    assert words in problem["problem"]
    assert problem["fix"]


def test_levels_made_from_levels_have_an_end(page: Page) -> None:
    ask = source()
    for _ in range(40):
        ask = source(keep={"of": ask, "cells": [[100, 3]]})
    assert "one from the other" in page.problem("make", measures=[], **ask)["problem"]


@pytest.mark.parametrize("style", table.STYLES)
@pytest.mark.parametrize(("name", "cell"), [("rooms-and-mazes", 11), ("cave", 6)])
def test_a_picture_is_exactly_the_map(page: Page, style: str, name: str, cell: int) -> None:
    given = source(name, size=[31, 21])
    head, parts = page.answer("picture", style=style, cell=cell, show=["grid"], hide=["things"], **given)
    level = uc.generate(name, seed="7", size=(31, 21))
    picture = Image.open(io.BytesIO(parts["png"])).convert("RGB")
    marginal = ["legend", "title", "scale", "measures"]
    expected = table.render_picture(
        level, style, cell=cell, show=["grid"], hide=["things", *marginal], margin=0
    ).convert("RGB")
    assert (head["cell"], head["origin"], head["size"]) == (cell, [0, 0], [31 * cell, 21 * cell])
    assert picture.size == (31 * cell, 21 * cell)
    assert picture.tobytes() == expected.tobytes()


def test_cells_of_a_picture_lie_where_the_head_says(page: Page) -> None:
    """Ground and rock are told apart by the middles of their cells, everywhere on the map."""
    given = source("rooms-and-mazes", size=[41, 31])
    head, parts = page.answer("picture", style="plain", cell=9, show=[], hide=["path", "things"], **given)
    level = uc.generate("rooms-and-mazes", seed="7", size=(41, 31))
    pixels = np.asarray(Image.open(io.BytesIO(parts["png"])).convert("RGB"))
    cell, (left, top) = head["cell"], head["origin"]
    middles = pixels[top + cell // 2 :: cell, left + cell // 2 :: cell].astype(int).sum(axis=2)
    rock, floor = level.palette.rock[level.tiles], level.palette.role_mask("floor")[level.tiles]
    assert middles.shape == level.tiles.shape
    assert middles[rock].max() < middles[floor].min()


def test_a_room_grid_has_pictures_too(page: Page) -> None:
    given = source(recipe={"text": '[[step]]\nuse = "room-grid"\n', "file": "grid.toml"}, size=[9, 7])
    width, height = page.answer("make", measures=[], **given)[0]["size"]
    for style in table.STYLES:
        head, parts = page.answer("picture", style=style, cell=16, show=[], hide=[], **given)
        assert Image.open(io.BytesIO(parts["png"])).size == tuple(head["size"]) == (width * 16, height * 16), style


def test_pictures_have_bounds(page: Page) -> None:
    assert "pixels" in page.problem("picture", style="plain", cell=900, show=[], hide=[], **source())["problem"]
    assert "pixels from 1" in page.problem("picture", style="plain", cell=0, show=[], hide=[], **source())["problem"]
    assert "unknown style" in page.problem("picture", style="oil", cell=8, show=[], hide=[], **source())["problem"]
    assert (
        "unknown part" in page.problem("picture", style="ink", cell=8, show=["magic"], hide=[], **source())["problem"]
    )


@pytest.mark.parametrize("name", ["cave", "isaac", "grammar", "templates", "rooms-and-mazes"])
def test_the_timeline_can_be_played_again(page: Page, name: str) -> None:
    head, parts = page.answer("timeline", **source(name))
    timeline = Timeline()
    level = Recipe.load(name).generate(seed="7", watcher=timeline).level
    assert (head["turns"], head["thinned"], head["size"]) == (timeline.turns, False, list(level.size))
    assert [head["names"][who] for who in parts["who"]] == list(timeline.sources)
    sizes = {entry["from"]: entry["size"] for entry in head["sizes"]}
    width, height = sizes[0]
    tiles = parts["first"].reshape(height, width).copy()
    assert np.array_equal(tiles, timeline.at(0))
    assert parts["ends"][0] == 0
    for turn in range(1, head["turns"]):
        part = slice(parts["ends"][turn - 1], parts["ends"][turn])
        if turn in sizes:
            width, height = sizes[turn]
            tiles = np.zeros((height, width), np.uint8)
        elif len(parts["cells"][part]) == len(set(parts["cells"][part].tolist())):
            assert np.array_equal(tiles.reshape(-1)[parts["cells"][part]], parts["old"][part])
        tiles.reshape(-1)[parts["cells"][part]] = parts["new"][part]
        assert np.array_equal(tiles, timeline.at(turn)), turn
    assert np.array_equal(tiles, level.tiles)
    assert [entry["from"] for entry in head["palettes"]] == [turn for turn, _ in timeline.palettes]


def test_a_timeline_that_is_too_long_is_thinned_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from undercroft.studio.jobs.timeline import build_timeline_data

    timeline = Timeline()
    level = Recipe.load("isaac").generate(seed="7", watcher=timeline).level
    monkeypatch.setattr(limits, "STUDIO_CHANGES", limits.STUDIO_CHANGES._replace(value=2000))
    head, parts = build_timeline_data(timeline, level)
    whole: Any = parts
    assert head["thinned"]
    assert 2 < head["turns"] < timeline.turns
    sizes = {entry["from"]: entry["size"] for entry in head["sizes"]}
    assert list(sizes.values()) == [size for _, size in timeline.sizes()]
    tiles = whole["first"].copy()
    for turn in range(1, head["turns"]):
        part = slice(whole["ends"][turn - 1], whole["ends"][turn])
        if turn in sizes:
            tiles = np.zeros(sizes[turn][::-1], np.uint8)
        tiles.reshape(-1)[whole["cells"][part]] = whole["new"][part]
    assert np.array_equal(tiles, level.tiles)
    assert len(whole["who"]) == head["turns"]


def test_a_wall_has_the_level_of_every_seed(page: Page) -> None:
    seeds = [*map(str, range(30)), "a word", str(2**64 - 1)]
    heard = page.answers("wall", seeds=seeds, measures=["loops", "density"], **source(size=[40, 24]))
    assert heard[-1][0] == {"id": heard[-1][0]["id"], "kind": "done"}
    found = {head["seed"]: (head, parts) for head, parts in heard if head["kind"] == "part"}
    assert sorted(found) == sorted(seeds)
    for seed, (head, parts) in found.items():
        level = uc.generate("cave", seed=seed, size=(40, 24))
        assert np.array_equal(parts["tiles"].reshape(24, 40), level.tiles)
        assert head["measures"] == uc.measure(level, "loops", "density")
        assert np.array_equal(parts["path"].reshape(-1, 2), level.path)


def test_a_thumbnail_goes_without_its_palette_only_if_that_is_the_standard_one(server: Server, page: Page) -> None:
    other = Palette(
        [STANDARD.tiles[0], STANDARD.tiles[1]._replace(colour="#123456"), *STANDARD.tiles[2:]], STANDARD.name
    )
    for name, palette in (("plain", STANDARD), ("dyed", other)):
        uc.Level(uc.Level.parse("#.#").tiles, palette).save(server.project / f"{name}.json")
    told = [
        page.answers("wall", seeds=["1"], measures=[], **source(recipe={"path": f"{name}.json"}))[0][0].get("palette")
        for name in ("plain", "dyed")
    ]
    assert told == [None, level_json.list_tiles(other)]


def test_a_wall_shows_the_nearest_where_none_is_as_required(page: Page) -> None:
    heard = page.answers("wall", seeds=["1", "2"], measures=["loops"], **source(until=["loops >= 500"], tries=2))
    assert [head["kind"] for head, _ in heard] == ["part", "part", "done"]
    assert all("no level of 2 tries" in head["problem"] and len(parts["tiles"]) == 1800 for head, parts in heard[:-1])


def test_a_range_is_that_of_the_measures(page: Page) -> None:
    names_ = ["density", "path_length", "loops"]
    heard = page.answers("range", first="100", count=37, measures=names_, **source(size=[30, 20]))
    values: dict[str, dict[str, Any]] = {}
    for head, _ in heard[:-1]:
        assert head["of"] == 37
        for place, seed in enumerate(head["seeds"]):
            values[seed] = {name: head["values"][name][place] for name in names_}
    assert max(head["done"] for head, _ in heard[:-1]) == 37
    assert values == {
        str(seed): uc.measure(uc.generate("cave", seed=seed, size=(30, 20)), *names_) for seed in range(100, 137)
    }


def test_ranges_and_walls_have_bounds(page: Page) -> None:
    assert "number of seeds" in page.problem("range", first="0", count=10**6, measures=[], **source())["problem"]
    assert "first seed" in page.problem("range", first="x", count=5, measures=[], **source())["problem"]
    assert "number of seeds" in page.problem("wall", seeds=["1"] * 10_001, measures=[], **source())["problem"]
    assert "list" in page.problem("wall", seeds=7, measures=[], **source())["problem"]
    assert page.answers("wall", seeds=[], measures=[], **source())[-1][0]["kind"] == "done"
    last = page.answers("range", first=str(2**64 - 1), count=2, measures=["density"], **source(size=[9, 9]))
    assert sorted(seed for head, _ in last[:-1] for seed in head["seeds"]) == ["0", str(2**64 - 1)]


def test_overlays_are_those_of_the_analysis(page: Page) -> None:
    given = source("dungeoning", seed="5")
    level = uc.generate("dungeoning", seed="5")
    head, parts = page.answer("overlay", what=["choke", "solution", "distance"], **given)
    from undercroft.core.run import Run

    chokes = choke_points(level.walkable, Run())
    assert {(row["at"][0], row["at"][1]): row["cut"] for row in head["choke"]} == {
        (x, y): chokes[y, x] for y, x in np.argwhere(chokes).tolist()
    }
    assert [row["cut"] for row in head["choke"]] == sorted((row["cut"] for row in head["choke"]), reverse=True)
    solved = uc.solve(level)
    assert head["solution"]["cells"] == solved.cells.tolist()
    assert (head["solution"]["length"], head["solution"]["backtrack"]) == (solved.length, solved.backtrack)
    assert [key["at"] for key in head["solution"]["keys"]] == [[event.x, event.y] for event in solved.events]
    assert level.start is not None
    steps = np.maximum(distances(level.walkable, [level.start]), -1)
    assert np.array_equal(parts["distance"].reshape(steps.shape), steps)
    y, x = np.argwhere(level.walkable)[7].tolist()
    head, parts = page.answer("overlay", what=["distance"], **{**given, "from": [x, y]})
    assert head["from"] == [x, y]
    assert parts["distance"][y * level.width + x] == 0
    assert "choke" not in head
    assert "outside the level" in page.problem("overlay", what=["distance"], **{**given, "from": [500, 0]})["problem"]
    assert "unknown overlay" in page.problem("overlay", what=["ghosts"], **given)["problem"]


def test_a_level_without_an_end_says_why_it_has_no_solution(page: Page) -> None:
    head, parts = page.answer(
        "overlay",
        what=["solution", "distance"],
        **source(recipe={"text": '[[step]]\nuse = "fill"\n', "file": "x.toml"}, size=[8, 4]),
    )
    assert head["solution"] == {"refused": "there is no start"}
    assert set(parts["distance"].tolist()) == {-1}


def test_rules_are_explained_on_the_map_of_any_turn(page: Page) -> None:
    timeline = Timeline()
    recipe = Recipe.load("grammar")
    recipe.generate(seed="7", watcher=timeline)
    head, _ = page.answer("explain", step="grow", turn=20, **source("grammar"))
    palette = timeline.palette(20)
    assert palette is not None
    step: Any = next(step for step in recipe.prepare({}, *recipe.size)[1] if isinstance(step, Rewrite))
    level = uc.Level(timeline.at(20), palette)
    expected = step.parsed_rules.explain(level)
    assert [rule["name"] for rule in head["rules"]] == [rule.name for rule in expected.rules]
    assert [rule["matches"] for rule in head["rules"]] == [rule.matches for rule in expected.rules]
    assert [rule["places"] for rule in head["rules"]] == [
        [list(place) for place in rule.matched] for rule in expected.rules
    ]
    assert sum(rule["matches"] for rule in head["rules"]) > 0
    sources = list(timeline.sources)[:21]
    assert [rule["fired"] for rule in head["rules"]] == [sources.count(f"grow: {rule.name}") for rule in expected.rules]
    nearest = head["rules"][0]["nearest"][0]
    assert nearest["sentence"] == str(expected.rules[0].nearest[0])
    wrong = nearest["wrong"][0]
    assert nearest["map"][wrong["cell"][1]][wrong["cell"][0]] == wrong["found"]
    rule = expected.rules[2].name
    one, _ = page.answer("explain", step="grow", turn=20, rule=rule, at=[30, 10], **source("grammar"))
    assert [row["name"] for row in one["rules"]] == [rule]
    around = step.parsed_rules.explain(level, rule, (30, 10)).rules[0].at
    assert [row["sentence"] for row in one["rules"][0]["nearest"]] == [str(placement) for placement in around.best]


def test_explanations_have_bounds(page: Page) -> None:
    assert "there is no turn" in page.problem("explain", step="grow", turn=10**6, **source("grammar"))["problem"]
    assert "unknown rule" in page.problem("explain", step="grow", turn=1, rule="nobody", **source("grammar"))["problem"]
    assert "unknown step with rules" in page.problem("explain", step="shrink", turn=1, **source("grammar"))["problem"]
    assert "no step with rules" in page.problem("explain", step="noise", turn=1, **source("cave"))["problem"]
    assert (
        "outside the level" in page.problem("explain", step="grow", turn=1, at=[900, 1], **source("grammar"))["problem"]
    )


def test_coverage_is_that_of_the_command(page: Page) -> None:
    head, _ = page.answer("coverage", seeds=12, **source("grammar"))
    tally = CoverageTally()
    for seed in range(12):
        recorder = Recorder()
        Recipe.load("grammar").generate(seed=seed, watcher=recorder)
        tally.add(recorder)
    rules = tally.coverage()[0].rules
    assert head["seeds"] == 12
    assert head["rules"] == [
        {
            "name": f"grow: {rule.name}",
            "fired": rule.use.applied,
            "runs": rule.use.runs,
            "refused": rule.use.refused,
            "guards": list(rule.refused_by),
        }
        for rule in rules
    ]
    assert "no step with rules" in page.problem("coverage", seeds=2, **source("cave"))["problem"]


def test_a_rule_file_is_drawn_tested_and_tried(page: Page) -> None:
    head, parts = page.answer(
        "rules", text=RULES, file="crypt.rules", run={"rule": "grow", "seed": "4", "size": [20, 12]}
    )
    assert head["problems"] == []
    start, grow, never = head["rules"]
    assert (start["name"], start["kind"], start["limit"], start["line"], start["last_line"], start["head_line"]) == (
        "start",
        "one",
        1,
        5,
        6,
        4,
    )
    assert start["pattern"] == ["XX", "XX"]
    assert start["results"] == [{"rows": ["??", "?."], "weight": 1}]
    assert (grow["symmetry"], grow["limit"], grow["pattern"]) == ("turned", 30, [".s"])
    assert grow["results"] == [{"rows": [".."], "weight": 3}, {"rows": [".~"], "weight": 1}]
    assert [variant["label"] for variant in grow["variants"]] == [
        "as drawn",
        "quarter turn",
        "half turn",
        "three quarters",
    ]
    assert grow["variants"][1] == {"label": "quarter turn", "pattern": [".", "s"], "result": [".", "."]}
    assert head["sets"] == [{"name": "s", "of": ["void", "wall"]}]
    assert any(note["level"] in ("warning", "error") for note in never["notes"])
    good, bad = head["expectations"]
    assert (good["passed"], good["line"], good["before"], good["after"]) == (True, 14, [".#o"], ["..o"])
    assert (bad["passed"], bad["name"], bad["really"]) == (False, "never stops", [["..o"], [".~o"]])
    assert "not drawn" in bad["found"]
    rules = Rules.parse(RULES, "crypt.rules")
    timeline = Timeline()
    after = rules.apply(uc.Level(np.zeros((12, 20), np.uint8), rules.program.palette), "4", watcher=timeline)
    assert np.array_equal(parts["tiles"].reshape(12, 20), after.tiles)
    assert head["run"]["fired"] == list(timeline.sources).count("crypt: grow") == 30
    assert head["run"]["left"] == rules.explain(after, "grow").rules[0].matches == len(head["run"]["places"])
    assert all(sorted(place[2:]) == [1, 2] for place in head["run"]["places"])


def test_a_broken_rule_file_says_where(page: Page) -> None:
    head, _ = page.answer("rules", text="one  .# -> .\n", file="crypt.rules")
    (problem,) = head["problems"]
    assert problem["place"] == {"file": "crypt.rules", "line": 1, "column": 12}
    assert problem["fix"]
    assert head["rules"] == []


@pytest.mark.parametrize("name", ["halls", "lair", "warren", "cellars"])
def test_rule_files_are_sources_too(server: Server, page: Page, name: str) -> None:
    text = (ROOT / "examples" / f"{name}.rules").read_text()
    (server.project / f"{name}.rules").write_text(text)
    rules = Rules.parse(text, f"{name}.rules")
    level = rules.apply(uc.Level(np.zeros((32, 48), np.uint8), rules.program.palette), "9")
    for recipe in ({"path": f"{name}.rules"}, {"text": text, "file": f"{name}.rules"}):
        head, parts = page.answer("make", measures=[], **source(seed="9", recipe=recipe))
        assert np.array_equal(parts["tiles"].reshape(32, 48), level.tiles)
        assert (head["recipe"], head["steps"]) == (name, [])
    head, _ = page.answer("timeline", **source(seed="9", recipe={"path": f"{name}.rules"}))
    seen, _ = page.answer(
        "explain", step="", turn=head["turns"] - 1, **source(seed="9", recipe={"path": f"{name}.rules"})
    )
    assert sum(rule["fired"] for rule in seen["rules"]) == head["turns"] - 1


@pytest.mark.parametrize("name", layout_files.list_layouts())
def test_a_layout_is_told_and_written_again(server: Server, page: Page, name: str) -> None:
    text, file = layout_files.load_layout_text(name)
    layout = layout_files.parse(text, file)
    head, _ = page.answer("layout", text=text, file=file)
    assert (head["problems"], head["name"], head["size"]) == ([], layout.name, list(layout.smallest))
    assert [(part["name"], part["lock_ratio"]) for part in head["partitions"]] == [
        (one.name, one.lock_ratio) for one in layout.partitions
    ]
    cells = [tuple(cell) for part in head["partitions"] for cell in part["cells"]] + [
        tuple(cell) for cell in head["base"] + head["overlay"]
    ]
    assert len(cells) == len(set(cells)) == len(layout)
    status, answer = server.post("/api/layout", {"data": head["data"]})
    assert status == 200
    assert layout_files.parse(answer["text"], file) == layout
    status, answer = server.post("/api/layout", {"data": head["data"], "file": "x.json"})
    assert layout_files.parse(answer["text"], "x.json") == layout


def test_a_layout_at_every_size(page: Page) -> None:
    text, file = layout_files.load_layout_text("L")
    layout = layout_files.parse(text, file)
    wide, high = layout.smallest
    sizes = [[wide + x, high + y] for y in range(-2, 3) for x in range(-2, 3)]
    heard = page.answers("sizes", text=text, file=file, sizes=sizes, leniency=[0, 0], overgrow=False)
    assert heard[-1][0]["kind"] == "done"
    found = {tuple(head["size"]): (head, parts) for head, parts in heard[:-1]}
    assert sorted(found) == sorted(map(tuple, sizes))
    for size, (head, parts) in found.items():
        fits = layout.fits(size)
        if isinstance(fits, str):
            assert (head["made"], head["refused"]) == (None, fits)
            assert head["works"]
            assert not parts
        else:
            assert (head["made"], head["exact"]) == (list(size), True)
            room = layout.room(size)
            tiles, owner = (parts[name].reshape(room.tiles.shape) for name in ("tiles", "owner"))
            assert np.array_equal(tiles == 255, room.tiles == 255)
            assert np.array_equal(owner == 255, room.tiles == 255)
            assert set(np.unique(owner).tolist()) <= {*range(len(layout.partitions)), 253, 254, 255}
            assert head["parts_of"] == [one.name for one in layout.partitions]
    short = page.answers("sizes", text=text, file=file, sizes=[[wide + 1, high]], leniency=[1, 0], overgrow=False)[0][0]
    assert short["made"] == list(layout.fits((wide + 1, high), leniency=(1, 0)))


def test_a_broken_layout_says_where(server: Server, page: Page) -> None:
    head, _ = page.answer("layout", text="layout x\nscal w = walls\n", file="x.layout")
    (problem,) = head["problems"]
    assert (problem["place"]["line"], problem["change"]["text"]) == (2, "scale")
    assert head["data"] is None
    assert server.post("/api/layout", {"data": {"name": 7}})[0] == 422
    assert server.post("/api/layout", {})[0] == 422
    problem = page.problem("sizes", text="nothing", file="x.layout", sizes=[[5, 5]], leniency=[0, 0], overgrow=False)
    assert "unknown word" in problem["problem"]


def test_hello_tells_what_there_is(server: Server) -> None:
    found = server.hello()
    ours = [card for card in found["recipes"] if card["origin"] == "ours"]
    assert [card["name"] for card in ours] == list(names())
    assert [entry["name"] for entry in found["measures"]] == list(MEASURES)
    assert {style["name"] for style in found["styles"]} == set(table.STYLES)
    assert found["limits"] == {
        "cells": limits.STUDIO_CELLS.value,
        "seconds": limits.STUDIO_SECONDS.value,
        "upload": limits.STUDIO_UPLOAD_BYTES.value,
        "request": limits.STUDIO_REQUEST_BYTES.value,
    }
    for card in ours:
        recipe = Recipe.load(card["name"])
        lines = card["text"].split("\n")
        assert [param["name"] for param in card["params"]] == list(recipe.params)
        for param in card["params"]:
            place = param["place"]
            written = lines[place["line"] - 1][place["column"] - 1 :][: place["length"]]
            from undercroft.inputs import toml

            assert (
                toml.parse_value(written, "default") == param["default"] == thaw(recipe.params[param["name"]].default)
            )
            if param["kind"] in ("whole", "number") and "low" in param:
                assert param["low"] <= param["default"] <= param["high"]
    for row in found["formats"]:
        assert row["suffixes"], row
        assert row["title"]
        assert row["group"] in ("engines", "tabletops", "pictures", "data")
    godot = next(row for row in found["formats"] if row["name"] == "godot")
    assert "Godot" in godot["tested"]
