"""`undercroft lint` of sets of things and of words for names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_lines import Say
from undercroft.cli.commands.check_sets import detect_set
from undercroft.things import lint_things, lint_words, shipped
from undercroft.things.read_things import parse_things
from undercroft.things.read_words import parse_words

THINGS = "[thing.bones]\n{}[any]\nthings = {{ bones = 1 }}\n"
WORDS = '[title]\nany = ["{}"]\n[room]\nany = ["Hole"]\n[note]\nany = ["Beware."]\n{}'
DUNGEON = 'extends = "dungeon"\n'
ENGLISH = 'extends = "english"\n'

REMARKS = [
    ("unused thing", "2:8", "'box' stands in no room", DUNGEON + "[thing.box]"),
    ("unused item", "2:7", "'doll' is in nothing: no thing holds it, or the sort 'toys'",
     DUNGEON + '[item.doll]\nsort = "toys"'),
    ("unused item", "2:7", "'doll' is in nothing: no thing holds it", DUNGEON + "[item.doll]"),
    ("unused kind", "3:1", "only rooms that have the tag", DUNGEON + "[kind.den]\nmost = 0\nthings = { bed = 1 }"),
    ("missing thing", "5:11", "'horse' stands always in rooms of the kind 'den', and a level has at most 2",
     DUNGEON + '[thing.horse]\ntotal = 2\n[kind.den]\nalways = ["horse"]'),
    ("missing thing", "5:11", "'horse' stands always in rooms of no kind",
     DUNGEON + '[thing.horse]\ntotal = 2\n[any]\nalways = ["horse"]'),
    ("replaced part", "2:8", "the thing 'bed' replaces that of 'dungeon'", DUNGEON + "[thing.bed]"),
    ("unused word", "2:1", "'spice' is never said", ENGLISH + 'word.spice = ["anise"]'),
    ("unused word", "10:1", "'a' is never said", WORDS.format("{b}", '[word]\nb = ["x"]\n\na = ["{b}"]')),
    ("replaced part", "2:1", "the phrases of 'beast' in [word] replace those of 'english'",
     ENGLISH + 'word.beast = ["owl"]'),
]  # fmt: skip
"""A check, the place of its remark, the remark, and a text that gets it."""


def test_each_check_has_a_row() -> None:
    assert {row[0] for row in REMARKS} == {*lint_things.CHECKS, *lint_words.CHECKS}


@pytest.mark.parametrize(("kind", "place", "problem", "text"), REMARKS, ids=[row[2] for row in REMARKS])
def test_remarks(say: Say, kind: str, place: str, problem: str, text: str) -> None:
    Path("a.toml").write_text(text)
    said = say("lint", "a.toml", "--json")
    assert said.code == 0
    found = json.loads(said.out)["files"][0]["findings"]
    mine = [each for each in found if each["kind"] == kind]
    assert [(f"{each['line']}:{each['column']}", each["severity"]) for each in mine] == [
        (place.replace("2:1", "2:6") if "word." in text else place, "note" if kind == "replaced part" else "warning")
    ]
    assert problem in mine[0]["problem"]
    assert mine[0]["fix"] or kind == "replaced part"
    assert say("lint", "a.toml", "--strict").code == (kind != "replaced part")


FINE = [
    '[thing.bones]\nplace = "corner"\nnear = "pot"\n[thing.pot]\n[thing.chest]\nplace = "slot"\n'
    "[any]\nthings = { bones = 1 }\n",
    '[item.rope]\n[item.ruby]\nsort = "gems"\n[thing.box]\nholds = ["rope", "gems"]\n[any]\nalways = ["box"]\n',
    '[thing.horse]\ntotal = 1\n[kind.den]\nmost = 1\nalways = ["horse"]\n',
    WORDS.format("The {a Beast}", '[word]\nbeast = ["{size} owl"]\nsize = ["big"]\n'),
]


@pytest.mark.parametrize("text", FINE)
def test_nothing_to_fix(say: Say, text: str) -> None:
    Path("a.toml").write_text(text)
    said = say("lint", "a.toml")
    assert said.code == 0
    assert said.out.startswith("a.toml: ")
    assert said.out.endswith(" checks: nothing to fix\n")


def test_the_shipped_sets_are_fine(say: Say) -> None:
    said = say("lint", *shipped.list_names("things"), *shipped.list_names("names"), "--strict")
    assert (said.code, said.err) == (0, "")
    assert said.out.count(": nothing to fix") == len(said.out.splitlines())


MISTAKES = [
    ("a.toml:2:9: unknown place 'corne'", "did you mean 'corner'?", THINGS.format('place = "corne"\n')),
    ("a.toml:1:2: unknown key 'thin'", "did you mean 'thing'?", "[thin.bones]\n[any]\nthings = { bones = 1 }\n"),
    ("a.toml:3:12: unknown thing 'bone'", "did you mean 'bones'?", "[thing.bones]\n[any]\nthings = { bone = 1 }\n"),
    ("unknown set of things 'dungeo'", "did you mean 'dungeon'?", 'extends = "dungeo"\n[thing.bones]\n'),
    ("a.toml:2:13: unknown word 'beest'", "", WORDS.format("The {beest}", "")),
]


@pytest.mark.parametrize(("problem", "fix", "text"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_have_their_place(say: Say, problem: str, fix: str, text: str) -> None:
    Path("a.toml").write_text(text)
    said = say("lint", "a.toml")
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err


def test_options_about_rules_are_refused(say: Say) -> None:
    Path("a.toml").write_text(THINGS.format(""))
    assert "a.toml holds no rules" in say("lint", "a.toml", "--size", "9x9").err


def test_a_recipe_stays_a_recipe(say: Say) -> None:
    assert detect_set({"extends": "bsp"}) is None
    assert detect_set({"note": {}, "step": []}) is None
    assert "no rules in it" in say("lint", "bsp").out


@pytest.mark.parametrize(
    ("text", "problem"),
    [(DUNGEON + "[item.doll]", "'item' is a key of a set of things"), (ENGLISH + "[word]", "'word' is a key of words")],
)
def test_a_set_is_no_recipe(say: Say, text: str, problem: str) -> None:
    Path("a.toml").write_text(text)
    said = say("generate", "a.toml")
    assert said.code == 2
    assert f"a.toml:2:2: {problem}" in said.err
    assert 'file = "a.toml"' in said.err


def test_remarks_in_python() -> None:
    text = DUNGEON + "[thing.box]"
    things = parse_things(text, "a.toml", shipped.load_things)
    assert [remark.kind for remark in lint_things.find_thing_remarks(things, text, "a.toml")] == ["unused thing"]
    words = parse_words(ENGLISH, "b.toml", shipped.load_words)
    assert lint_words.find_word_remarks(words, ENGLISH, "b.toml") == []
