"""Generate until it is as required: which attempt is taken, what is counted, and what is refused before anything is made."""

from __future__ import annotations

from typing import Any

import pytest

import undercroft as uc
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, NotMet
from undercroft.recipe import Plan, Recipe
from undercroft.steps import Step

CAVE = Recipe.load("cave")
SIZE = (30, 20)
HARD = ["loops >= 50", "density < 0.2"]


def attempts(count: int, seed: int = 1) -> list[uc.Level]:
    return [CAVE.generate(seed=seed, size=SIZE, attempt=number).level for number in range(count)]


def distance(level: uc.Level, until: list[str]) -> float:
    return sum(one.off(uc.measure(level, one.measure)[one.measure]) for one in CAVE.wanted(until))


def test_the_best_of_all_tries_is_the_nearest() -> None:
    levels = attempts(12)
    distances = [distance(level, HARD) for level in levels]
    best = distances.index(min(distances))
    assert best > 0, "else this shows nothing"
    result = CAVE.generate(seed=1, size=SIZE, until=HARD, tries=12, pick="best")
    assert (result.level, result.attempt) == (levels[best], best)
    assert result.distance == pytest.approx(distances[best])
    loops, density = (uc.measure(result.level)[name] for name in ("loops", "density"))
    assert result.notes == (f"not as required (loops >= 50): loops is {loops}", f"not as required (density < 0.2): density is {density:g}")
    assert result.rejected == {"loops >= 50": 12, "density < 0.2": 12}
    with pytest.raises(NotMet) as caught:
        CAVE.generate(seed=1, size=SIZE, until=HARD, tries=12)
    assert (caught.value.best, caught.value.distance, caught.value.rejected) == (levels[best], result.distance, result.rejected)
    assert f"nearest attempt ({best}), off by {result.distance:.2g}: components 1, loops {loops}, density {density}" in str(caught.value)


@pytest.mark.parametrize("seed", range(8))
def test_the_best_is_the_first_if_one_is_as_required(seed: int) -> None:
    first = CAVE.generate(seed=seed, size=SIZE, until=["loops >= 9"], tries=1000)
    best = CAVE.generate(seed=seed, size=SIZE, until=["loops >= 9"], tries=1000, pick="best")
    assert first == best
    assert best.distance == 0
    assert not any("not as required" in note for note in best.notes)


def test_what_is_seen_of_the_best_is_the_best() -> None:
    """A film of the one that is taken, not of those tried after it."""
    seen, alone = Timeline(), Timeline()
    result = CAVE.generate(seed=1, size=SIZE, until=HARD, tries=12, pick="best", watcher=seen)
    again = CAVE.generate(seed=1, size=SIZE, attempt=result.attempt, watcher=alone)
    assert again.level == result.level
    assert [seen.at(turn).tolist() for turn in range(seen.turns)] == [alone.at(turn).tolist() for turn in range(alone.turns)]
    assert result.attempt < 11, "else this shows nothing"


def test_an_attempt_is_made_alone_with_the_same_bytes() -> None:
    for seed in range(6):
        result = CAVE.generate(seed=seed, size=SIZE, until="loops >= 9", tries=1000)
        again = CAVE.generate(seed=seed, size=SIZE, attempt=result.attempt)
        assert (again.level, again.attempt, again.rejected, again.distance) == (result.level, result.attempt, {}, 0.0)
        assert again.level.provenance == result.level.provenance
        assert CAVE.generate(seed=seed, size=SIZE, attempt=result.attempt, until="loops >= 9", pick="best").level == result.level


def test_an_attempt_that_was_rejected_is_made_too_and_says_so() -> None:
    result = CAVE.generate(seed=1, size=SIZE, attempt=4, until="loops >= 900")
    assert result.level == CAVE.generate(seed=1, size=SIZE, first_attempt=4, tries=1).level
    assert result.notes[-1].startswith("not as required (loops >= 900): loops is ")
    assert result.distance > 0


def test_a_number_that_does_not_exist_is_named() -> None:
    noise = Recipe.parse('[[step]]\nuse = "noise"\nwall = 0.5', "noise.toml")
    with pytest.raises(NotMet) as caught:
        noise.generate(seed=1, size=(9, 9), until=["path_length >= 3"], tries=4)
    assert "path_length >= 3: failed 4 of 4, 4 without a path_length" in str(caught.value)
    assert "off by 1: path_length none" in str(caught.value)
    taken = noise.generate(seed=1, size=(9, 9), until=["path_length >= 3"], tries=4, pick="best")
    assert (taken.attempt, taken.distance, taken.notes) == (0, 1.0, ("not as required (path_length >= 3): there is no path_length",))


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("no level can be both: 'components == 1' of the recipe and 'components >= 2'", {"until": ["components >= 2"]}),
    ("no level can be both: 'loops >= 5' and 'loops <= 2'", {"until": ["loops >= 5", "loops <= 2"]}),
    ("no level can be so: components is a whole number from 0", {"until": "components == 0.5"}),
    ("no level can be so: density is a number from 0 to 1", {"until": "density > 1"}),
    ("unknown pick 'bst'", {"pick": "bst"}),
    ("an attempt is a whole number from 0, not -1", {"attempt": -1}),
]


@pytest.mark.parametrize(("problem", "options"), IMPOSSIBLE)
def test_what_cannot_be_is_said_before_anything_is_made(problem: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recipe, "_apply", None)
    with pytest.raises(BadInput) as caught:
        CAVE.generate(seed=1, size=SIZE, **options)
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [("components = 0.5", 14, "no level can be so: components is"), ('density = "> 1"', 11, "no level can be so: density is a number from 0 to 1")],
)
def test_a_recipe_that_asks_for_what_cannot_be_is_refused_when_it_is_read(line: str, column: int, problem: str) -> None:
    with pytest.raises(BadInput) as caught:
        Recipe.parse(f'[[step]]\nuse = "noise"\n[require]\n{line}\n', "noise.toml")
    assert problem in caught.value.problem
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (4, column)
    assert caught.value.fix.startswith("ask for what")


def test_only_the_steps_whose_values_changed_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[param.wall]\ndefault = 0.5\n[[step]]\nuse = "noise"\nwall = "$wall"\n[[step]]\nuse = "automaton"\n'
    recipe = Recipe.parse(text, "two.toml")
    fresh = Recipe.parse(text, "two.toml")
    read: list[str] = []
    step = Recipe._step

    def noted(self: Recipe, index: int, plan: Plan, params: dict[str, Any]) -> Step:
        read.append(plan.id)
        return step(self, index, plan, params)

    monkeypatch.setattr(Recipe, "_step", noted)
    levels = [recipe.generate(seed=1, size=SIZE, params={"wall": wall}).level for wall in (0.5, 0.3, 0.3, 0.4)]
    assert read == ["noise", "noise"]
    assert levels[-1] == fresh.generate(seed=1, size=SIZE, params={"wall": 0.4}).level
    assert levels[0] != levels[1]
