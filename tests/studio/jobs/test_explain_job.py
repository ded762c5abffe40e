"""What Understand is told about rules beside their matches: how they are used, why they do nothing, and which turns a
thinned log tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.studio_pages import Page, source
from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.timeline import Timeline
from undercroft.recipe.document import Recipe
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.studio.jobs.timeline import build_timeline_data

TEXT = '''size = [20, 12]

[[step]]
use = "fill"

[[step]]
use = "rewrite"
id = "dig"
rules = """
set  s = . or ,

one  first, once
    # -> .

markov
    one  on, turned, up to 9 times
        s# -> ?.
    one  late, turned
        s# -> ?,
    all  nowhere
        s~ -> ?.
"""
'''


def test_rules_are_told_with_their_words_reasons_and_letters(page: Page) -> None:
    given = source(recipe={"text": TEXT, "file": "dig.toml"})
    head, _ = page.answer("explain", step="dig", turn=5, **given)
    rules = {rule["name"]: rule for rule in head["rules"]}
    words = {name: rule["words"] for name, rule in rules.items()}
    assert words == {
        "first": ["one", "once"],
        "on": ["one", "9 times", "turned"],
        "late": ["markov", "turned"],
        "nowhere": ["markov"],
    }
    timeline = Timeline()
    recipe = Recipe.parse(TEXT, "dig.toml")
    level = recipe.generate(seed=given["seed"], watcher=timeline).level
    step: Any = next(step for step in recipe.prepare({}, *recipe.size)[1] if isinstance(step, Rewrite))
    expected = step.parsed_rules.explain(type(level)(timeline.at(5), level.palette))
    for rule in expected.rules:
        seen = rules[rule.name]
        assert seen["findings"] == [{"kind": finding.kind, "text": finding.text} for finding in rule.findings]
        assert seen["why"] == [finding.text for finding in rule.findings]
        assert [(first["variant"], first["cell"], first["places"]) for first in seen["firsts"]] == [
            (first.position, [first.column, first.row], first.places) for first in rule.firsts[:3]
        ]
        assert seen["letters"] == rule.sets
        assert all(
            sign in seen["letters"] or sign in "?#.,~"
            for near in seen["nearest"]
            for row in near["pattern"]
            for sign in row
        )
    assert [finding["kind"] for finding in rules["nowhere"]["findings"]] == ["missing"]
    assert rules["on"]["letters"]


def test_a_thinned_log_says_which_turns_it_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    timeline = Timeline()
    for count in range(100):
        timeline("count", np.array([[count, count + 1]], np.uint8))
    assert "numbers" not in build_timeline_data(timeline, Level.parse(".."))[1]
    monkeypatch.setattr(limits, "STUDIO_CHANGES", limits.STUDIO_CHANGES._replace(value=40))
    head, parts = build_timeline_data(timeline, Level.parse(".."))
    whole: Any = parts
    assert head["thinned"]
    assert 10 < len(whole["numbers"]) == head["turns"] < 40
    tiles = whole["first"].copy()
    for turn in range(1, head["turns"]):
        part = slice(whole["ends"][turn - 1], whole["ends"][turn])
        tiles.reshape(-1)[whole["cells"][part]] = whole["new"][part]
        assert np.array_equal(tiles, timeline.at(int(whole["numbers"][turn])))


def test_where_a_rule_acts_is_among_its_words(page: Page) -> None:
    text = """about = "Chests"
size = [30, 20]

[[step]]
use = "fill"
role = "floor"

[[step]]
use = "survey"

[[step]]
use = "rewrite"
rules = '''
one  chest, once, each room
    . -> o
one  hall, once, in rooms tagged hall
    . -> ,
'''
"""
    head, _ = page.answer("explain", step="rewrite", turn=0, **source(recipe={"text": text, "file": "chests.toml"}))
    words = {rule["name"]: rule["words"] for rule in head["rules"]}
    assert words == {"chest": ["one", "once", "each room"], "hall": ["one", "once", "in rooms tagged hall"]}
