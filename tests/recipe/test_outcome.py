"""What comes of a request: a level, the nearest one with what it lacks, or nothing with its reason."""

from __future__ import annotations

from typing import Literal

import pytest

import undercroft as uc
from undercroft import limits
from undercroft.errors import Cancelled, NotMet, OutOfBudget
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import Request
from undercroft.recipe.run import run_request

CAVE = Recipe.load("cave")
GIVES_UP = Recipe.parse(
    """
size = [11, 9]
[[step]]
use = "fill"
[[step]]
use = "rooms"
[[step]]
use = "maze"
[[step]]
use = "connect"
[[step]]
use = "ends"
[[step]]
use = "locks"
locks = 9
exact = true
""",
    "vault.toml",
)


def test_a_level_as_asked_for() -> None:
    outcome = run_request(Request(CAVE, seed=1, size=(30, 20)))
    assert (outcome.error, outcome.reason, outcome.rejected) == (None, "", {})
    assert outcome.level is not None
    assert outcome.unwrap().level is outcome.level
    assert outcome.level == uc.generate("cave", seed=1, size=(30, 20))


def test_the_nearest_level_with_what_it_lacks() -> None:
    asked = Request(CAVE, seed=1, size=(30, 20), until="loops >= 900", tries=3)
    outcome = run_request(asked)
    assert outcome.result is not None
    assert isinstance(outcome.error, NotMet)
    assert outcome.error.best is outcome.level
    assert outcome.result.distance == outcome.error.distance > 0
    assert outcome.rejected == outcome.error.rejected == {"loops >= 900": 3}
    assert (outcome.reason, outcome.is_out_of_budget) == ("no try is as required", False)
    with pytest.raises(NotMet, match="no level of 3 tries is as required"):
        outcome.unwrap()
    best = run_request(Request(CAVE, seed=1, size=(30, 20), until="loops >= 900", tries=3, pick="best"))
    assert best.error is None
    assert best.level == outcome.level


def test_a_step_that_gives_up_leaves_no_level() -> None:
    outcome = run_request(Request(GIVES_UP, seed=1, tries=2))
    assert (outcome.level, outcome.reason) == (None, "a step gave up in every try")
    assert isinstance(outcome.error, NotMet)
    assert outcome.error.best is not None
    assert "attempt" not in outcome.error.best.provenance, "the map as far as it came, no level"
    assert outcome.rejected == outcome.error.rejected
    assert all(reason.startswith("locks: ") for reason in outcome.rejected)
    with pytest.raises(NotMet):
        outcome.unwrap()


def test_a_budget_that_runs_out_leaves_no_level() -> None:
    outcome = run_request(Request(CAVE, seed=1, max_steps=10))
    assert (outcome.level, outcome.reason, outcome.rejected) == (None, "took too many steps", {})
    assert outcome.is_out_of_budget
    with pytest.raises(OutOfBudget):
        outcome.unwrap()


def test_an_attempt_alone_is_taken_whatever_it_lacks() -> None:
    outcome = run_request(Request(CAVE, seed=1, size=(30, 20), until="loops >= 900", attempt=2))
    assert outcome.error is None
    assert outcome.unwrap().attempt == 2
    assert [note for note in outcome.unwrap().notes if note.startswith("not as required (loops >= 900): loops is")]


@pytest.mark.parametrize("pick", ["first", "best"])
def test_what_a_level_lacks_is_measured_with_the_budget_of_the_request(
    pick: Literal["first", "best"], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = Request(CAVE, seed=1, size=(30, 20), until="loops >= 900", tries=2, pick=pick, max_steps=1_000_000)
    monkeypatch.setattr(limits, "STEPS", limits.STEPS._replace(value=10))
    outcome = run_request(asked)
    assert outcome.level is not None
    assert isinstance(outcome.error, NotMet) if pick == "first" else outcome.error is None


def test_cancelling_is_no_outcome() -> None:
    with pytest.raises(Cancelled):
        run_request(Request(CAVE, seed=1), cancelled=lambda: True)
