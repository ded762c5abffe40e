"""Works: the level that the studio shows is the level that the command line makes of the saved work."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import undercroft as uc
from support.works import FORMAT
from undercroft import formats
from undercroft.cli import run
from undercroft.recipe.catalogue import names
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import JobContext, run_job
from undercroft.studio.protocol.file_kinds import detect_kind
from undercroft.studio.protocol.project import Project
from undercroft.studio.protocol.requests import LevelSource, read_request
from undercroft.works.kept_cells import list_runs
from undercroft.works.level_work import format_work
from undercroft.works.link import write_link
from undercroft.works.load_work import join_edits

Ask = Callable[..., dict[str, Any]]


class Signal:
    """The signal of a task that nobody stops."""

    def __call__(self) -> bool:
        return False

    def send_part(self, message: object) -> None:
        """Progress is of no interest here."""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LevelSources:
    """The levels of an empty project, which is the current folder too."""
    monkeypatch.chdir(tmp_path)
    return LevelSources(Project(tmp_path))


@pytest.fixture
def ask(sources: LevelSources) -> Ask:
    """The answer to a request, as the page hears it."""

    def call(do: str, **more: Any) -> dict[str, Any]:
        plain = msgspec.json.decode(msgspec.json.encode({"do": do, **more}))
        answer = run_job(sources, plain, JobContext(1, Signal(), 60.0))
        return {"kind": answer.kind, **msgspec.json.decode(msgspec.json.encode(answer.head))}

    return call


def make(sources: LevelSources, source: dict[str, Any]) -> uc.Level:
    return sources.make_cached(read_request(source, LevelSource), Signal()).level


def make_by_command(data: dict[str, Any], *, link: bool = False) -> bytes:
    """The bytes of the level that the command line makes of a work."""
    Path("a.work.json").write_text(format_work(data), encoding="utf-8")
    origin = ["--link", write_link(data)] if link else ["--from", "a.work.json"]
    assert run(["generate", *origin, "-o", "out.json", "--quiet"]) == 0
    return Path("out.json").read_bytes()


def source_of(recipe: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"recipe": recipe, "seed": "7", "size": None, "params": {}, "until": [], "tries": 100, **more}


def work_of(source: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A work as the page writes it for a source without kept cells."""
    same = {key: source[key] for key in ("seed", "size", "params", "until", "placed", "removed") if source.get(key)}
    return {"format": FORMAT, "tries": source["tries"], **same, "edits": join_edits(source.get("edits", [])), **more}


ALL_RECIPES = [name for name in names() if not uc.Recipe.load(name).begins]
PLACED = [{"kind": "chest", "x": 2, "y": 3, "data": {"gold": 7, "contents": [{"item": "rope", "count": 2}]}}]


@pytest.mark.parametrize("name", ["cave", "cozy", pytest.param("grammar", marks=pytest.mark.long)])
def test_painted_and_placed(sources: LevelSources, name: str) -> None:
    made = make(sources, source_of({"name": name}))
    removed = [{"kind": thing.kind, "x": thing.x, "y": thing.y} for thing in made.things[:2]]
    edits = [[cell, made.palette.tiles[0].name] for cell in (*range(100, 140), 7)]
    source = source_of({"name": name}, edits=edits, placed=PLACED, removed=removed)
    level = make(sources, source)
    assert len(level.things) == len(made.things) - len(removed) + 1
    assert level.things[-1].data["gold"] == 7
    data = work_of(source, recipe=name)
    assert make_by_command(data) == make_by_command(data, link=True) == formats.dump(level, "json")


@pytest.mark.parametrize("name", ["cave", "bsp", "cozy", "rooms-and-mazes", "tinykeep"])
def test_kept_cells_stand_in_the_work_itself(sources: LevelSources, ask: Ask, name: str) -> None:
    first = source_of({"name": name}, seed="1")
    old = make(sources, first)
    room = max(old.rooms, key=lambda one: one.area)
    cells = list_runs(old.regions.labels == room.label)
    second = source_of({"name": name}, seed="2", keep={"of": first, "cells": cells})
    third = source_of({"name": name}, seed="3", keep={"of": second, "cells": cells}, edits=[[0, "pillar"]])
    for source in (second, third):
        level = make(sources, source)
        kept = ask("base_maps", **source)["kept"]
        data = work_of(source, recipe=name, keep=kept)
        assert make_by_command(data) == formats.dump(level, "json")
        opened = {**source, "keep": kept}
        assert formats.dump(make(sources, opened), "json") == formats.dump(level, "json")
        assert ask("base_maps", **opened)["kept"] == kept  # saved again, it is the same
    assert ask("base_maps", **first) == {"kind": "done", "kept": None, "map": None}


def test_a_kept_map_keeps_its_tiles_and_things(sources: LevelSources, ask: Ask) -> None:
    first = source_of({"name": "grammar"}, seed="1", placed=[{"kind": "orb", "x": 5, "y": 5, "data": {"of": "light"}}])
    old = make(sources, first)
    cells = [[5 * old.width + 4, 3]]
    kept = ask("base_maps", **source_of({"name": "cave"}, keep={"of": first, "cells": cells}))["kept"]["map"]
    begin = formats.loads(json.dumps(kept).encode(), "json")
    assert begin.things == tuple(thing for thing in old.things if thing.y == 5 and 4 <= thing.x <= 6)
    assert begin.things[-1].data["of"] == "light"
    names_of = [[level.palette.tiles[code].name for code in level.tiles[5, 4:7]] for level in (begin, old)]
    assert names_of[0] == names_of[1]


def test_a_recipe_of_the_project_and_a_changed_one_of_ours(sources: LevelSources) -> None:
    text = uc.Recipe.load("cave").source[0]
    Path("rooms").mkdir()
    Path("rooms/deep.toml").write_text(text)
    for recipe, work in (
        ({"path": "rooms/deep.toml"}, {"recipe": "rooms/deep.toml", "text": text}),
        ({"path": "rooms/deep.toml"}, {"recipe": "rooms/deep.toml"}),
        (
            {"text": text.replace("0.4", "0.42"), "file": "cave.toml"},
            {"recipe": "cave", "text": text.replace("0.4", "0.42")},
        ),
    ):
        source = source_of(recipe, size=[50, 30], params={"nrepeats": 3}, until=["loops >= 1"], tries=9)
        assert make_by_command(work_of(source, **work)) == formats.dump(make(sources, source), "json")
    Path("rooms/deep.toml").unlink()  # the text is in the work
    assert make_by_command(work_of(source, recipe="rooms/deep.toml", text=text))


def test_a_changed_recipe_of_ours_reads_our_files(sources: LevelSources) -> None:
    text = uc.Recipe.load("dungeoning").source[0] + "\n# mine\n"
    source = source_of({"text": text, "file": "dungeoning.toml"})
    level = make(sources, source)
    assert make_by_command(work_of(source, recipe="dungeoning", text=text)) == formats.dump(level, "json")


def test_a_map_with_what_was_painted_on_it(sources: LevelSources, ask: Ask) -> None:
    uc.generate("bsp", seed=4).save("keep.tmx")
    source = source_of({"path": "keep.tmx"}, edits=[[0, "door"]], placed=PLACED)
    level = make(sources, source)
    data = {**work_of(source), "map": ask("base_maps", **source)["map"], "file": "keep.tmx"}
    written = formats.loads(make_by_command(data), "json")
    opened = make(sources, {**source, "recipe": {"map": data["map"], "file": "keep.tmx"}})
    assert opened == written == level
    assert opened.provenance == written.provenance == level.provenance
    assert run(["generate", "--from", "a.work.json", "--seed", "3"]) == 2  # there is nothing to turn


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in ALL_RECIPES])
def test_every_recipe(sources: LevelSources, name: str) -> None:
    for seed in ("1", "a word"):
        source = source_of({"name": name}, seed=seed)
        assert make_by_command(work_of(source, recipe=name)) == formats.dump(make(sources, source), "json")


# --- opening


def test_a_work_of_the_project_is_read(ask: Ask) -> None:
    data = {"format": FORMAT, "recipe": "cave", "seed": "7", "floors": [1, 2], "view": {"style": "ink"}}
    Path("a.work.json").write_text(format_work(data))
    assert detect_kind(Path("a.work.json")) == "work"
    assert ask("work", path="a.work.json")["work"] == data
    assert ask("work", text=format_work(data))["work"] == data


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "one of these"),
        ({"path": "a.json", "text": "{}"}, "one of these"),
        ({"path": "none.work.json"}, "none.work.json: no such file"),
        ({"path": "../up.work.json"}, "is no name for a file"),
        ({"text": "{}"}, "does not say that it is undercroft-work/1"),
        ({"text": '{"format": "undercroft-work/1", "recipe": "cave", "tries": 0}'}, "'tries' is 0"),
    ],
)
def test_what_is_no_work_is_refused(ask: Ask, given: dict[str, Any], words: str) -> None:
    answer = ask("work", **given)
    assert (answer["kind"], words in answer["problem"]) == ("problem", True), answer


HOSTILE: list[tuple[dict[str, Any], str]] = [
    ({"keep": {"cells": [[1, 1]]}}, "an object"),
    ({"keep": {"cells": [[1, 1]], "map": {"format": "undercroft-level/1"}}}, "the key 'size' is missing"),
    (
        {"keep": {"cells": [[10**6, 1]], "map": {"format": "undercroft-level/1", "size": [1, 1], "tiles": ["."]}}},
        "kept",
    ),
    ({"recipe": {"map": {"format": "undercroft-level/1", "size": [10**9, 1], "tiles": []}}}, "out of range"),
    ({"recipe": {"map": {}, "name": "cave"}}, "one of these"),
    ({"placed": [{"kind": "key", "x": 10**6, "y": 1}]}, "outside the level"),
    ({"placed": [{"kind": "key", "x": 1, "y": 1, "data": {"a": None}}]}, "belongs here, not null"),
    ({"placed": [{"x": 1, "y": 1}]}, "invalid request"),
    ({"removed": [{"kind": "key", "x": -1, "y": 1}]}, "outside the level"),
]


@pytest.mark.parametrize(("change", "words"), HOSTILE)
def test_hostile_sources_are_refused(ask: Ask, change: dict[str, Any], words: str) -> None:
    answer = ask("make", measures=[], **(source_of({"name": "cave"}) | change))
    assert (answer["kind"], words in answer["problem"]) == ("problem", True), answer


# --- again


@pytest.mark.parametrize("suffix", ["json", "png", "tmx", "svg"])
def test_an_exported_level_is_made_again_with_all_that_was_done_by_hand(sources: LevelSources, suffix: str) -> None:
    source = source_of({"name": "cave"}, seed="a word", edits=[[7, "water"], [8, "water"]], placed=PLACED)
    level = make(sources, source)
    level.save(f"a.{suffix}")
    assert run(["generate", "--from", f"a.{suffix}", "-o", "b.json", "--quiet"]) == 0
    assert Path("b.json").read_bytes() == formats.dump(level, "json")


def test_an_imported_level_says_how_it_is_made_again(sources: LevelSources, ask: Ask) -> None:
    source = source_of({"name": "cave"}, size=[40, 20], params={"nrepeats": 3}, edits=[[7, "water"]])
    level = make(sources, source)
    level.save("a.json")
    again = ask("again", recipe={"path": "a.json"})["work"]
    assert (again["recipe"], again["seed"], again["size"], again["edits"]) == ("cave", "7", [40, 20], [[7, 1, "water"]])
    assert again["params"]["nrepeats"] == 3
    assert make_by_command(again) == formats.dump(level, "json")
    level.replace(provenance={**level.provenance, "begin": {"digest": "0"}}).save("b.json")
    assert "records only a digest" in ask("again", recipe={"path": "b.json"})["problem"]
    uc.Level.parse("#.#").save("c.json")
    assert "does not record how it was made" in ask("again", recipe={"path": "c.json"})["problem"]
    assert "is no level from a file" in ask("again", recipe={"name": "cave"})["problem"]


def test_another_edition_is_noted(ask: Ask) -> None:
    data = {"format": FORMAT, "recipe": "cave", "seed": "7", "editions": {"automaton": 77}}
    assert ask("work", text=format_work(data))["notes"] == [
        "made by another edition of automaton: the level is another one now"
    ]
    assert ask("work", text=format_work({**data, "editions": {}}))["notes"] == []
    assert ask("work", text=format_work({**data, "text": "[["}))["notes"] == []
