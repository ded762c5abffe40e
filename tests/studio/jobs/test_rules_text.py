"""What the rule editor asks about a text besides its drawing: signs, runs that stop in between or never end, uses over
seeds, fixes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
from support.studio_pages import Page, Server
from undercroft.core.timeline import Timeline
from undercroft.errors import Cancelled
from undercroft.rewrite.coverage import measure_coverage
from undercroft.rewrite.rules import Rules
from undercroft.studio.jobs.levels import LevelSources
from undercroft.studio.jobs.work import JobContext, run_job
from undercroft.studio.protocol.project import Project

TEXT = """\
tile old chest = $, pillar, aliases %

one  start, once
    X -> .

one  grow, up to 9 times, turned, results 3:1
    .X -> .. | .$

all  close, turned
    .X -> .#

one  again
    rule  grow, turned, weight 2
        #X -> #.
"""
SIZE = (15, 11)


def blank(rules: Rules) -> uc.Level:
    return uc.Level(np.zeros((SIZE[1], SIZE[0]), np.uint8), rules.program.palette)


def test_the_signs_of_every_tile_are_told(page: Page) -> None:
    head, _ = page.answer("rules", text=TEXT, file="x.rules")
    told = dict(zip([tile["name"] for tile in head["tiles"]], head["signs"], strict=True))
    assert (told["void"], told["wall"], told["corridor"], told["old chest"]) == ("X", "#", ",", "$%")


@pytest.mark.parametrize(("line", "number"), [(7, 2), (14, 4)])
def test_a_rule_is_meant_by_its_line_though_another_has_its_name(page: Page, line: int, number: int) -> None:
    rules, timeline = Rules.parse(TEXT, "x.rules"), Timeline()
    after = rules.apply(blank(rules), "3", watcher=timeline)
    head, parts = page.answer(
        "rules", text=TEXT, file="x.rules", run={"rule": "grow", "line": line, "seed": "3", "size": SIZE}
    )
    assert np.array_equal(parts["tiles"].reshape(after.tiles.shape), after.tiles)
    assert head["run"]["left"] == [rule.matches for rule in rules.explain(after).rules][number - 1]
    assert (head["run"]["turn"], head["run"]["turns"], head["run"]["ends"]) == (
        timeline.turns - 1,
        timeline.turns - 1,
        True,
    )


def test_the_map_when_a_rule_was_used_last(page: Page) -> None:
    text = TEXT.partition("one  again")[0]
    rules, timeline = Rules.parse(text, "x.rules"), Timeline()
    rules.apply(blank(rules), "3", watcher=timeline)
    last = max(turn for turn, name in enumerate(timeline.sources) if name == "x: grow")
    head, parts = page.answer(
        "rules", text=text, file="x.rules", run={"rule": "grow", "seed": "3", "size": SIZE, "until": "rule"}
    )
    assert 0 < last == head["run"]["turn"] < head["run"]["turns"]
    assert np.array_equal(parts["tiles"].reshape(SIZE[1], SIZE[0]), timeline.at(last))
    assert (
        head["run"]["left"]
        == rules.explain(uc.Level(timeline.at(last), rules.program.palette), "grow").rules[0].matches
        > 0
    )
    assert head["run"]["fired"] == 9


def test_rules_that_never_end_are_given_up_and_drawn_all_the_same(page: Page) -> None:
    text = "one  war\n    X -> #\n    # -> X\n"
    head, parts = page.answer(
        "rules", text=text, file="x.rules", run={"rule": "war 1", "line": 2, "seed": "3", "size": SIZE}, seeds=5
    )
    assert head["run"]["ends"] is False
    assert head["run"]["turns"] > 1000
    assert len(head["rules"]) == 2
    assert "coverage" not in head
    assert parts["tiles"].size == SIZE[0] * SIZE[1]


def test_uses_over_seeds_are_those_of_the_library(page: Page) -> None:
    rules = Rules.parse(TEXT, "x.rules")
    found = measure_coverage(rules, blank(rules), range(7))
    head, _ = page.answer("rules", text=TEXT, file="x.rules", run={"rule": "start", "seed": "3", "size": SIZE}, seeds=7)
    expected = [
        {
            "fired": rule.use.applied,
            "runs": rule.use.runs,
            "results": [result.use.applied for result in rule.results],
            "refused": rule.use.refused,
            "guards": list(rule.refused_by),
        }
        for rule in found.rules
    ]
    assert head["coverage"] == {"seeds": 7, "rules": expected}
    assert expected[1]["fired"] == 63


def test_refusals_over_seeds_are_counted(page: Page) -> None:
    text = "palette letters BW\none  never, keep count(W) <= 0\n    B -> W"
    head, _ = page.answer(
        "rules", text=text, file="x.rules", run={"rule": "never", "seed": "3", "size": [3, 1]}, seeds=2
    )
    [rule] = head["coverage"]["rules"]
    assert rule == {"fired": 0, "runs": 0, "results": [0], "refused": 6, "guards": ["keep count(W) <= 0"]}


def test_uses_over_too_many_seeds_are_given_up_with_a_sentence_and_can_be_cancelled(tmp_path: Path) -> None:
    ask = {
        "do": "rules",
        "text": "all  dig\n    X -> .\n",
        "file": "x.rules",
        "run": {"rule": "dig", "seed": "3", "size": (4, 4)},
        "seeds": 10_000,
    }
    answer = run_job(LevelSources(Project(tmp_path)), ask, JobContext(1, lambda: False, 0.1))
    assert answer.kind == "problem"
    assert answer.head is not None
    assert answer.head["problem"] == "this took more than 0.1 seconds, and was given up"
    heard = iter([False] * 20)
    with pytest.raises(Cancelled):
        run_job(LevelSources(Project(tmp_path)), ask, JobContext(1, lambda: next(heard, True), 60))


def test_notes_about_the_program_are_not_told_of_its_first_rule(page: Page) -> None:
    head, _ = page.answer("rules", text=TEXT, file="x.rules")
    assert "ends" in [note["kind"] for note in head["notes"]]
    assert not any(note["kind"] in ("ends", "order", "unread") for rule in head["rules"] for note in rule["notes"])


@pytest.mark.parametrize("arrow", ["=>", "→", "="])
def test_another_arrow_is_mended(page: Page, arrow: str) -> None:
    text = f"one  grow\n    .X {arrow} ..\n"
    head, _ = page.answer("rules", text=text, file="x.rules")
    (problem,) = head["problems"]
    assert problem["change"] == {"line": 2, "column": 8, "length": len(arrow), "text": "->", "label": "write ->"}
    mended, _ = page.answer("rules", text=text.replace(arrow, "->"), file="x.rules")
    assert mended["problems"] == []


def test_files_that_are_included_lie_beside_the_rules(server: Server, page: Page) -> None:
    folder = server.project / "deep"
    (folder / "more").mkdir(parents=True, exist_ok=True)
    (folder / "more" / "third.rules").write_text("one  third\n    . -> #\n")
    (folder / "second.rules").write_text("include more/third.rules\n")
    (server.project / "outside.rules").write_text("one  no\n    . -> #\n")
    head, _ = page.answer("rules", text="include second.rules\n", file="deep/first.rules")
    assert (head["problems"], [rule["name"] for rule in head["rules"]]) == ([], ["third"])
    (folder / "first.rules").write_text("include second.rules\n")
    assert (
        page.answer("make", measures=[], recipe={"path": "deep/first.rules"}, seed="1", size=[9, 9])[0]["kind"]
        == "done"
    )
    for name in ("../outside.rules", "/etc/passwd", "link.rules"):
        if name == "link.rules" and not (folder / name).is_symlink():
            (folder / name).symlink_to("/etc/passwd")
        problems = page.answer("rules", text=f"include {name}\n", file="deep/first.rules")[0]["problems"]
        assert "outside" in problems[0]["problem"], problems
        assert "root:" not in str(problems)
