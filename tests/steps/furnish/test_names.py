"""Titles, names of rooms and what notes say; and that files and steps carry them along."""

from __future__ import annotations

import functools
import json
import pickle
from typing import Any, Literal

import numpy as np
import pytest

import undercroft as uc
from support.maps import HEAVY, after, draft_of
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import DOOR_DTYPE, Regions, Thing, view_doors
from undercroft.core.run import Run
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats import npz
from undercroft.formats.native import native
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.catalogue import RECIPES
from undercroft.recipe.document import Recipe
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.furnish.names import Names
from undercroft.steps.rectangles import select_regions
from undercroft.steps.start.fill import Fill
from undercroft.things import shipped

SEEDS = 100 if HEAVY else 15
ENGLISH = shipped.load_words("english")
ENGLISH_NAMES = ("The Way In", "The Nameless End")


def furnish_and_name(name: str, seed: int, **more: Any) -> Draft:
    draft = Draft.of(uc.generate(name, seed=seed))
    return after(Names(**more), after(Furnish(), draft, seed=seed), seed=seed)


@pytest.mark.parametrize("name", ["bsp", "cave", "dungeoning", "isaac", "rooms-and-mazes"])
def test_names_are_unique_and_notes_speak_of_the_level(name: str) -> None:
    titles = set()
    notes = 0
    for seed in range(SEEDS):
        draft = furnish_and_name(name, seed)
        assert draft.regions is not None
        names = list(draft.regions.names.values())
        assert names
        assert len({*names, draft.title}) == len(names) + 1
        assert all(region.kind != "corridor" for region in draft.regions if region.name)
        assert all(region.name for region in draft.regions if {*region.tags} & {*shipped.load_things("dungeon").kinds})
        for point in (draft.start, draft.end):
            region = None if point is None else draft.regions.at(*point)
            assert region is None or region.kind == "corridor" or region.name
        texts = [str(thing.data["text"]) for thing in draft.things if thing.data.get("group") == "note"]
        assert all(text[0].isupper() and "{" not in text for text in texts)
        notes += len(texts)
        titles.add(draft.title)
    assert len(titles) > SEEDS * 0.8
    assert notes > SEEDS // 3


@pytest.mark.parametrize("rooms", ["none", "notable", "all"])
def test_what_has_a_name_keeps_it(rooms: Literal["none", "notable", "all"]) -> None:
    for seed in range(SEEDS):
        draft = Draft.of(uc.generate("bsp", seed=seed))
        assert draft.regions is not None
        given = {1: "The Old Mill", len(draft.regions): ENGLISH_NAMES[seed % 2]}
        draft.regions = Regions(draft.regions.labels, draft.regions.table, names=given)
        draft.title = "Mine" if seed % 2 else ""
        after(Names(rooms=rooms), draft, seed=seed)
        names = draft.regions.names
        assert {label: names[label] for label in given} == given
        assert (draft.title == "Mine") == bool(seed % 2)
        assert draft.title
        assert len({*names.values()}) == len(names)
        assert rooms != "none" or names == given
        assert rooms == "none" or len(names) > 2
        assert list(names) == sorted(names)


def test_named_again_nothing_changes() -> None:
    once = furnish_and_name("bsp", 1)
    title, names = once.title, dict(once.regions.names)  # type: ignore[union-attr]
    after(Names(), once, seed=9)
    assert (once.title, once.regions.names) == (title, names)  # type: ignore[union-attr]


def room_draft(**tags: str) -> Draft:
    draft = after(Ends(), after(Survey(), "#############\n#...+...+...#\n#...#...#...#\n#############"))
    assert draft.regions is not None
    draft.regions = Regions(
        draft.regions.labels,
        draft.regions.table,
        {int(key[1:]): tuple(words.split(",")) for key, words in tags.items()},
    )
    return draft


def drawn_from(text: str, key: str) -> bool:
    """Whether a name can come from the phrases of a key: by drawing many."""
    return text in many(key)


@functools.cache
def many(key: str) -> set[str]:
    from undercroft.core.rng import Rng
    from undercroft.steps.furnish.names import _compose_name

    rng = Rng.root(1)
    return {_compose_name(ENGLISH, ENGLISH.rooms[key], rng) for _ in range(4000)}


@pytest.mark.parametrize(
    ("tags", "key"),
    [
        ({"r1": "smithy"}, "smithy"),
        ({"r1": "dead end,smithy"}, "smithy"),
        ({"r1": "start,camp"}, "camp"),
        ({"r1": "camp,boss,end"}, "boss"),
        ({"r1": "secret,smithy"}, "secret"),
        ({"r1": "wet"}, "start"),
        ({}, "start"),
    ],
)
def test_what_a_room_is_called_after(tags: dict[str, str], key: str) -> None:
    hits = 0
    for seed in range(30):
        draft = room_draft(**tags)
        draft.start, draft.end = (1, 1), (11, 1)
        after(Names(), draft, seed=seed)
        assert draft.regions is not None
        hits += drawn_from(draft.regions[0].name, key)
    assert hits > 15


def test_which_rooms_get_names() -> None:
    draft = room_draft()
    draft.start, draft.end = (1, 1), None
    assert draft.regions is not None
    assert [*after(Names(), draft).regions.names] == [1]  # type: ignore[union-attr]
    assert [*after(Names(rooms="all"), room_draft()).regions.names] == [1, 2, 3]  # type: ignore[union-attr]
    none = after(Names(rooms="none"), room_draft())
    assert none.regions is not None
    assert (none.regions.names, bool(none.title)) == ({}, True)
    larger = after(Survey(), "#########\n#..#....#\n#########")
    assert [*after(Names(), larger).regions.names] == [2]  # type: ignore[union-attr]


def test_a_room_behind_secret_doors_is_hidden() -> None:
    draft = room_draft()
    draft.start = draft.end = None
    rows = np.array([(4, 1, 1, 2, 3), (8, 1, 2, 3, 1)], DOOR_DTYPE)
    draft.doors = view_doors(rows)
    names = [after(Names(), Draft.of(draft.level()), seed=seed).regions.names.get(1, "") for seed in range(20)]  # type: ignore[union-attr]
    assert sum(drawn_from(name, "secret") for name in names) > 8


@pytest.mark.parametrize(
    ("tags", "theme", "key"),
    [
        (("space", "cave"), (), "space"),
        (("odd", "crypt"), (), "crypt"),
        ((), (), "any"),
        (("cave",), ("maze",), "maze"),
    ],
)
def test_the_title_follows_the_theme(tags: tuple[str, ...], theme: tuple[str, ...], key: str) -> None:
    from undercroft.core.rng import Rng
    from undercroft.steps.furnish.names import _compose_name

    rng = Rng.root(1)
    pool = {_compose_name(ENGLISH, ENGLISH.titles[key], rng) for _ in range(6000)}
    hits = 0
    for seed in range(20):
        run = Run()
        run.tags = tags
        hits += after(Names(theme=theme), room_draft(), seed=seed, run=run).title in pool
    assert hits > 8


def test_without_tags_the_regions_say_the_theme() -> None:
    words = shipped.load_words("english")
    assert "cave" in words.titles
    titles = {after(Names(), after(Survey(kind="cave"), "...\n..."), seed=seed).title for seed in range(30)}
    from undercroft.core.rng import Rng
    from undercroft.steps.furnish.names import _compose_name

    rng = Rng.root(1)
    pool = {_compose_name(words, words.titles["cave"], rng) for _ in range(6000)}
    assert len(titles & pool) > 10


def test_a_recipe_hands_its_tags_on() -> None:
    steps = '[[step]]\nuse = "noise"\n[[step]]\nuse = "survey"\n[[step]]\nuse = "names"\n'
    plain, tagged = (Recipe.parse(text + steps, "x.toml") for text in ("", 'tags = ["forest"]\n'))
    first, second = (recipe.generate(seed=4, size=(20, 20)).level for recipe in (plain, tagged))
    assert first.title != second.title
    assert first.regions == second.regions


def test_notes_get_a_text_once() -> None:
    draft = room_draft(r1="crypt")
    draft.things = [
        Thing("letter", 1, 1, {"group": "note"}),
        Thing("stone", 2, 1, {"group": "note", "text": "Mine."}),
        Thing("chest", 3, 1),
    ]
    after(Names(), draft)
    first = list(draft.things)
    assert first[0].data["text"]
    assert first[1:] == [Thing("stone", 2, 1, {"group": "note", "text": "Mine."}), Thing("chest", 3, 1)]
    after(Names(), draft, seed=3)
    assert draft.things == first
    quiet = room_draft()
    quiet.things = [Thing("letter", 1, 1, {"group": "note"})]
    assert after(Names(notes=False), quiet).things == [Thing("letter", 1, 1, {"group": "note"})]


def test_notes_do_not_repeat_themselves() -> None:
    for seed in range(20):
        draft = room_draft()
        draft.things = [Thing("letter", x, 1, {"group": "note"}) for x in (1, 2, 3, 5, 6, 7)]
        texts = [str(thing.data["text"]) for thing in after(Names(rooms="all"), draft, seed=seed).things]
        assert len(set(texts)) == 6


def test_when_the_words_are_used_up(tmp_path: Any) -> None:
    (tmp_path / "few.toml").write_text(
        "[title]\nany = ['The Keep']\n[room]\nany = ['A Room', 'A Hall']\n[note]\nany = ['Hm.']\n", encoding="utf-8"
    )
    run = Run()
    draft = after(Names(file=str(tmp_path / "few.toml"), rooms="all"), room_draft(), run=run)
    assert draft.regions is not None
    assert sorted(draft.regions.names.values()) == ["A Hall", "A Room"]
    assert run.notes == ["1 room without a name: the words are used up"]


def test_nothing_to_name() -> None:
    draft = after(Names(), draft_of("###"))
    assert draft.title
    assert draft.regions is not None
    assert draft.regions.names == {}


@pytest.mark.parametrize(
    ("line", "problem"),
    [('set = "inglish"', "unknown set of words 'inglish'"), ('rooms = "some"', "unknown rooms of names 'some'")],
)
def test_mistakes_in_the_step(line: str, problem: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        Recipe.parse(
            f'[[step]]\nuse = "noise"\n[[step]]\nuse = "survey"\n[[step]]\nuse = "names"\n{line}\n', "mine.toml"
        )
    assert caught.value.problem == problem


# --- carried along ----------------------------------------------------------------------------------------------------


def a_level() -> Level:
    return furnish_and_name("bsp", 3).level()


def test_files_hold_title_and_names() -> None:
    level = a_level()
    assert level.title
    assert level.regions.names
    for form in (native, npz):
        again = form.load(form.dump(level), "x")
        assert again == level
        assert (again.title, again.regions.names) == (level.title, level.regions.names)
        assert [region.name for region in again.regions] == [region.name for region in level.regions]
    assert pickle.loads(pickle.dumps(level)) == level
    assert Draft.of(level).level() == level


def test_equality_and_digests_notice_title_and_names() -> None:
    level = a_level()
    other = Draft.of(level)
    other.title = "Elsewhere"
    renamed = Draft.of(level)
    regions = level.regions
    renamed.regions = Regions(regions.labels, regions.table, regions.tags, regions.templates, {})
    levels = [level, other.level(), renamed.level()]
    assert all(a != b for a in levels for b in levels if a is not b)
    assert len({native.digest(one) for one in levels}) == 3


def test_without_names_files_are_as_they_were_before_there_were_any() -> None:
    level = uc.generate("bsp", seed=3)
    data = json.loads(native.dump(level))
    assert "title" not in data
    assert not any("name" in row for row in data["regions"]["table"])
    assert b'"title"' not in npz.dump(level)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"title": 3}, "at title: a text belongs here, not 3"),
        ({"title": None}, "at title: a text belongs here, not null"),
        (
            {
                "regions": {
                    "labels": ["1"],
                    "table": [{"kind": "room", "x": 0, "y": 0, "width": 1, "height": 1, "area": 1, "name": []}],
                }
            },
            "at regions.table[0].name:",
        ),
    ],
)
def test_broken_names_in_a_file(change: dict[str, Any], problem: str) -> None:
    data = {"format": "undercroft-level/1", "size": [1, 1], "tiles": ["."]} | change
    with pytest.raises(BadInput) as caught:
        native.load(json.dumps(data).encode(), "x.json")
    assert problem in str(caught.value)


def test_regions_that_stay_keep_their_names() -> None:
    level = a_level()
    stays = np.array([region.label % 2 == 0 for region in level.regions])
    some, _ = select_regions(level.regions, stays)
    assert [region.name for region in some] == [region.name for region in level.regions if region.label % 2 == 0]


def test_another_map_is_another_place() -> None:
    draft = after(Fill(), Draft.of(a_level()))
    assert draft.title == ""
    assert draft.regions is None


def test_every_recipe_can_be_furnished_and_named() -> None:
    more = '\n[[step]]\nuse = "furnish"\n\n[[step]]\nuse = "names"\n'
    for name in ("bsp", "cave", "isaac", "tinykeep", "dungeoning"):
        text = (RECIPES / f"{name}.toml").read_text(encoding="utf-8").replace("[require]", more + "\n[require]")
        level = Recipe.parse(text, f"{name}.toml", SHIPPED_FOLDER).generate(seed=2).level
        assert level.title
        assert level.things
        assert level.regions.names
