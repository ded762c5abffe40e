"""What `undercroft measure` prints for one level."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import undercroft as uc
from support.paths import ROOT
from undercroft import limits
from undercroft.analysis.measures.table import GROUPS, MEASURES
from undercroft.cli import undercroft
from undercroft.cli.output.number_lines import format_measures

CHAPEL = str(ROOT / "examples" / "chapel.json")


def run_measure(*words: str) -> str:
    done = CliRunner().invoke(undercroft, ["measure", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_all_measures_are_in_groups_and_aligned() -> None:
    lines = run_measure(CHAPEL).splitlines()
    assert [line for line in lines if line and not line.startswith(" ")] == list(GROUPS)
    rows = [line for line in lines if line.startswith(" ")]
    assert [row.split()[0] for row in rows] == list(MEASURES)
    about = {row.index(MEASURES[row.split()[0]].about) for row in rows}
    assert len(about) == 1, "all explanations begin in the same column"
    assert "  linearity" in run_measure(CHAPEL)
    assert [line.split()[1] for line in rows if line.split()[0] in ("doors", "loops", "room_area_mean")] == [
        "1",
        "8.5",
        "2",
    ]


def test_those_asked_for_are_in_the_order_asked_for() -> None:
    lines = run_measure(CHAPEL, "rooms", "loops").splitlines()
    assert [line.split()[:2] for line in lines] == [["rooms", "2"], ["loops", "1"]]


def test_what_is_not_there_and_what_was_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIAMETER_VISITS", limits.DIAMETER_VISITS._replace(value=1))
    lines = {
        line.split()[0]: line
        for line in run_measure("cave", "--seed", "1", "--size", "40x20").splitlines()
        if line.startswith(" ")
    }
    assert " given up  " in lines["diameter"]
    assert " none  " in lines["door_spacing"]
    numbers = json.loads(run_measure("cave", "--seed", "1", "--size", "40x20", "--json"))
    assert "diameter" not in numbers
    assert numbers["door_spacing"] is None
    asked = CliRunner().invoke(undercroft, ["measure", "cave", "--seed", "1", "diameter"])
    assert asked.exit_code != 0


def test_explanations_fit_the_terminal() -> None:
    numbers = uc.measure(uc.load(CHAPEL))
    for columns in (60, 80, 200):
        lines = list(format_measures(numbers, (), columns))
        assert max(map(len, lines)) <= columns
        text = " ".join(" ".join(lines).split())
        assert all(" ".join(measure.about.split()) in text for measure in MEASURES.values())
    assert list(format_measures(numbers, (), 20)) == list(format_measures(numbers, ())), (
        "too narrow to break anything well"
    )


def test_large_numbers_are_readable() -> None:
    assert next(format_measures({"loops": 1234567}, ("loops",))).split()[1] == "1,234,567"
