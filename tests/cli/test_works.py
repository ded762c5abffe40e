"""`generate --from WORK` and `generate --link LINK`."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say
from support.works import work_data
from undercroft.works.level_work import format_work
from undercroft.works.link import write_link

ROCK = {"format": "undercroft-level/1", "size": [9, 9], "tiles": ["#" * 9] * 9}
RULES_OUTSIDE = '[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nfile = "../../secret.rules"\n'


def save(**more: object) -> None:
    Path("a.work.json").write_text(format_work(work_data(**more)), encoding="utf-8")


def test_options_change_what_the_work_says(say: Say) -> None:
    save(size=[40, 20], params={"nrepeats": 3}, edits=[[0, 1, "water"]])
    assert say("generate", "--from", "a.work.json", "-o", "a.json").code == 0
    level = uc.generate("cave", seed="7", size=(40, 20), nrepeats=3)
    assert (uc.load("a.json").tiles != level.tiles).sum() == 1
    other = say("generate", "--from", "a.work.json", "--seed", "8", "--set", "nrepeats=5", "-o", "b.json")
    assert "what was painted and placed by hand is left out" in other.err
    assert uc.load("b.json") == uc.generate("cave", seed="8", size=(40, 20), nrepeats=5)


def test_tries_and_requirements_are_those_of_the_work(say: Say) -> None:
    save(until=["loops >= 3"], tries=40)
    assert say("generate", "--from", "a.work.json", "-o", "a.json").code == 0
    assert uc.load("a.json") == uc.Recipe.load("cave").generate(seed="7", until="loops >= 3", tries=40).level
    save(until=["loops >= 400"], tries=2)
    assert say("generate", "--from", "a.work.json").code == 1


def test_the_attempt_is_made_whatever_it_meets(say: Say) -> None:
    save(until=["loops >= 400"], tries=2, attempt=1)
    done = say("generate", "--from", "a.work.json", "-o", "a.json")
    assert done.code == 0
    assert uc.load("a.json") == uc.Recipe.load("cave").generate(seed="7", attempt=1).level
    assert say("generate", "--from", "a.work.json", "--until", "loops >= 400").code == 1


def test_another_edition_is_noted(say: Say) -> None:
    save(editions={"automaton": 77})
    assert "made by another edition of automaton" in say("generate", "--from", "a.work.json").err


@pytest.mark.parametrize(
    ("more", "arguments", "words"),
    [
        ({}, ["cave"], "has a recipe of its own"),
        ({}, ["--link", write_link(work_data())], "--from and --link both say what to make"),
        ({"recipe": "cavve"}, [], "unknown recipe 'cavve'"),
        ({"recipe": "none.toml"}, [], "none.toml: no such file"),
        ({"recipe": "up.toml", "text": RULES_OUTSIDE}, [], "outside the folder"),
        ({"recipe": "up.toml", "text": 'extends = "../../a.toml"'}, [], "outside the folder"),
        ({"recipe": "bsp", "params": {"layouts": ["/etc/hosts.layout"]}}, [], "outside the folder"),
        ({"text": "[[step]]\nuse = 3"}, [], "cave.toml:1:3"),
        ({"params": {"no": 1}}, [], "unknown parameter of cave 'no'"),
        ({"edits": [[10**6, 1, "wall"]]}, [], "there is no cell 1000000"),
        ({"edits": [[0, 1, "lava"]]}, [], "unknown tile 'lava'"),
        ({"placed": [{"kind": "key", "x": 900, "y": 0}]}, [], "lies outside the level"),
        ({"keep": {"cells": [[0, 1]], "map": ROCK}},
         ["--size", "20x20"], "keeps cells of a map of 9x9"),
        ({"keep": {"cells": [[80, 2]], "map": ROCK}},
         [], "cells 80 to 81 cannot be kept"),
    ],
)  # fmt: skip
def test_mistakes_are_told(say: Say, more: dict[str, object], arguments: list[str], words: str) -> None:
    save(**more)
    done = say("generate", *arguments, "--from", "a.work.json")
    assert done.code == 2
    assert words in done.err
    assert "fix: " in done.err


def test_a_link_that_is_cut_off_is_refused(say: Say) -> None:
    link = write_link(work_data())
    assert say("generate", "--link", link, "--quiet").code == 0
    done = say("generate", "--link", link[:-9])
    assert (done.code, "the link is cut off or damaged" in done.err) == (2, True)


@pytest.mark.parametrize("command", [["generate"], ["convert"], ["measure"], ["solve"]])
def test_other_commands_name_the_way(say: Say, command: list[str]) -> None:
    save()
    done = say(*command, "a.work.json", *(["b.txt"] if command == ["convert"] else []))
    assert done.code == 2
    assert "generate --from a.work.json" in done.err


def test_the_keys_may_stand_in_any_order(say: Say) -> None:
    Path("a.json").write_text('{\n  "seed": "7",\n  "recipe": "cave",\n  "format": "undercroft-work/1"\n}\n')
    assert say("generate", "--from", "a.json", "-o", "b.json").code == 0
    assert uc.load("b.json") == uc.generate("cave", seed="7")
