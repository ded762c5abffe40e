"""Generate until it is as required: which attempt is taken, what is counted, and what is refused before anything is
made.
"""

from __future__ import annotations

from typing import Any

import pytest

import undercroft as uc
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, NotMet
from undercroft.recipe.attempts import InterruptedAttempts
from undercroft.recipe.document import Recipe
from undercroft.recipe.plans import StepPlan
from undercroft.steps import Step

CAVE = Recipe.load("cave")
SIZE = (30, 20)
HARD = ["loops >= 50", "density < 0.2"]


def attempts(count: int, seed: int = 1) -> list[uc.Level]:
    return [CAVE.generate(seed=seed, size=SIZE, attempt=number).level for number in range(count)]


def distance(level: uc.Level, until: list[str]) -> float:
    return sum(
        one.value_distance(uc.measure(level, one.measure)[one.measure]) for one in CAVE.combine_requirements(until)
    )


def test_the_best_of_all_tries_is_the_nearest() -> None:
    levels = attempts(12)
    distances = [distance(level, HARD) for level in levels]
    best = distances.index(min(distances))
    assert best > 0, "else this shows nothing"
    result = CAVE.generate(seed=1, size=SIZE, until=HARD, tries=12, pick="best")
    assert (result.level, result.attempt) == (levels[best], best)
    assert result.distance == pytest.approx(distances[best])
    loops, density = (uc.measure(result.level)[name] for name in ("loops", "density"))
    assert result.notes == (
        f"not as required (loops >= 50): loops is {loops}",
        f"not as required (density < 0.2): density is {density:g}",
    )
    assert result.rejected == {"loops >= 50": 12, "density < 0.2": 12}
    with pytest.raises(NotMet) as caught:
        CAVE.generate(seed=1, size=SIZE, until=HARD, tries=12)
    assert (caught.value.best, caught.value.distance, caught.value.rejected) == (
        levels[best],
        result.distance,
        result.rejected,
    )
    assert (
        f"nearest attempt ({best}), off by {result.distance:.2g}: components 1, loops {loops}, density {density}"
        in str(caught.value)
    )


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
    assert [seen.at(turn).tolist() for turn in range(seen.turns)] == [
        alone.at(turn).tolist() for turn in range(alone.turns)
    ]
    assert result.attempt < 11, "else this shows nothing"


def test_an_attempt_is_made_alone_with_the_same_bytes() -> None:
    for seed in range(6):
        result = CAVE.generate(seed=seed, size=SIZE, until="loops >= 9", tries=1000)
        again = CAVE.generate(seed=seed, size=SIZE, attempt=result.attempt)
        assert (again.level, again.attempt, again.rejected, again.distance) == (result.level, result.attempt, {}, 0.0)
        assert again.level.provenance == result.level.provenance
        assert (
            CAVE.generate(seed=seed, size=SIZE, attempt=result.attempt, until="loops >= 9", pick="best").level
            == result.level
        )


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
    assert (taken.attempt, taken.distance, taken.notes) == (
        0,
        1.0,
        ("not as required (path_length >= 3): there is no path_length",),
    )


IMPOSSIBLE: list[tuple[str, dict[str, Any]]] = [
    ("no level can be both: 'components == 1' of the recipe and 'components >= 2'", {"until": ["components >= 2"]}),
    ("no level can be both: 'loops >= 5' and 'loops <= 2'", {"until": ["loops >= 5", "loops <= 2"]}),
    (
        (
            "no level can be both: 'room_area_min > 9' and 'room_area_max <= 9', for room_area_min is never more than "
            "room_area_max"
        ),
        {"until": ["room_area_min > 9", "room_area_max <= 9"]},
    ),
    (
        "no level can be both: 'path_length >= 30' and 'diameter < 30', for path_length is never more than diameter",
        {"until": ["diameter < 30", "path_length >= 30"]},
    ),
    ("no level can be so: components is a whole number from 0", {"until": "components == 0.5"}),
    ("no level can be so: density is a number from 0 to 1", {"until": "density > 1"}),
    ("unknown pick 'bst'", {"pick": "bst"}),
    ("an attempt is a whole number from 0 to 18,446,744,073,709,551,614, not -1", {"attempt": -1}),
    (
        "an attempt is a whole number from 0 to 18,446,744,073,709,551,614, not 99999999999999999999",
        {"attempt": 99999999999999999999},
    ),
    ("an attempt is a whole number from 0 to 18,446,744,073,709,551,614, not '1'", {"attempt": "1"}),
    (
        "the first attempt is a whole number from 0 to 18,446,744,073,709,551,605, not 1.0",
        {"first_attempt": 1.0, "tries": 10},
    ),
    ("tries is a whole number from 1, not 1.5", {"tries": 1.5}),
    ("tries is a whole number from 1, not 0", {"tries": 0}),
    ("a requirement is a text, or several of them in a list, not None", {"until": None}),
    ("a requirement is a text, or several of them in a list, not [7]", {"until": [7]}),
    ("no level can be so: secret_need is 0 or 1", {"until": "secret_need == 2"}),
]


@pytest.mark.parametrize(("problem", "options"), IMPOSSIBLE)
def test_what_cannot_be_is_said_before_anything_is_made(
    problem: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("undercroft.recipe.run._apply_steps", None)
    with pytest.raises(BadInput) as caught:
        CAVE.generate(seed=1, size=SIZE, **options)
    assert problem in caught.value.problem


def test_what_can_just_be_is_not_refused() -> None:
    for until in (
        ["room_area_min >= 9", "room_area_max <= 9"],
        ["path_length > 30", "longest_path < 20"],
        ["solution_length > 30", "path_length < 20"],
    ):
        assert len(CAVE.combine_requirements(until)) == 3


@pytest.mark.parametrize(
    ("line", "column", "problem"),
    [
        ("components = 0.5", 14, "no level can be so: components is"),
        ('density = "> 1"', 11, "no level can be so: density is a number from 0 to 1"),
    ],
)
def test_a_recipe_that_asks_for_what_cannot_be_is_refused_when_it_is_read(line: str, column: int, problem: str) -> None:
    with pytest.raises(BadInput) as caught:
        Recipe.parse(f'[[step]]\nuse = "noise"\n[require]\n{line}\n', "noise.toml")
    assert problem in caught.value.problem
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (4, column)
    assert caught.value.fix.startswith("ask for what")


def test_a_recipe_that_contradicts_itself_is_refused_when_it_is_read() -> None:
    with pytest.raises(BadInput) as caught:
        Recipe.parse('[[step]]\nuse = "noise"\n[require]\nroom_area_min = "> 9"\nroom_area_max = "< 5"\n', "noise.toml")
    assert caught.value.problem.startswith("no level can be both: 'room_area_min > 9' and 'room_area_max < 5', for")
    assert caught.value.place is not None
    assert caught.value.place.line == 3


def test_only_the_steps_whose_values_changed_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[param.wall]\ndefault = 0.5\n[[step]]\nuse = "noise"\nwall = "$wall"\n[[step]]\nuse = "automaton"\n'
    recipe = Recipe.parse(text, "two.toml")
    fresh = Recipe.parse(text, "two.toml")
    read: list[str] = []
    step = Recipe._build_step

    def noted(self: Recipe, index: int, plan: StepPlan, params: dict[str, Any]) -> Step:
        read.append(plan.id)
        return step(self, index, plan, params)

    monkeypatch.setattr(Recipe, "_build_step", noted)
    levels = [recipe.generate(seed=1, size=SIZE, params={"wall": wall}).level for wall in (0.5, 0.3, 0.3, 0.4)]
    assert read == ["noise", "noise"]
    assert levels[-1] == fresh.generate(seed=1, size=SIZE, params={"wall": 0.4}).level
    assert levels[0] != levels[1]


# --- steps that give up -----------------------------------------------------------------------------------------------

EXACT = """
size = [45, 25]
[[step]]
use = "fill"
[[step]]
use = "rooms"
[[step]]
use = "maze"
[[step]]
use = "connect"
extra = 0.3
[[step]]
use = "prune"
[[step]]
use = "ends"
[[step]]
use = "locks"
locks = 5
depth = 4
exact = true
"""


def alone(recipe: Recipe, seed: int, number: int) -> uc.Level | NotMet:
    try:
        return recipe.generate(seed=seed, attempt=number).level
    except NotMet as error:
        return error


def test_a_step_that_gives_up_costs_an_attempt() -> None:
    recipe = Recipe.parse(EXACT, "exact.toml")
    later = 0
    for seed in range(12):
        made = [alone(recipe, seed, number) for number in range(4)]
        first = next((number for number, level in enumerate(made) if isinstance(level, uc.Level)), None)
        if first is None:
            continue
        result = recipe.generate(seed=seed)
        assert (result.level, result.attempt) == (made[first], first)
        assert sum(result.rejected.values()) >= first
        assert all(reason.startswith("locks: ") for reason in result.rejected)
        later += first > 0
    assert later, "else this shows nothing"


def test_an_attempt_in_which_a_step_gives_up_is_told_to_its_end() -> None:
    recipe = Recipe.parse(EXACT, "exact.toml")
    seed = next(seed for seed in range(20) if isinstance(alone(recipe, seed, 0), NotMet))
    heard: list[str] = []
    with pytest.raises(NotMet):
        recipe.generate(seed=seed, attempt=0, on_step=heard.append)
    assert heard == [*(plan.id for plan in recipe.plans), ""], "locks is the last step"


def test_reasons_of_steps_are_counted_beside_requirements() -> None:
    recipe = Recipe.parse(EXACT, "exact.toml")
    seed = next(seed for seed in range(20) if isinstance(alone(recipe, seed, 0), NotMet))
    made = [alone(recipe, seed, number) for number in range(8)]
    failures = [level for level in made if isinstance(level, NotMet)]
    assert 0 < len(failures) < 8
    seen: list[tuple[int, int]] = []
    with pytest.raises(NotMet) as caught:
        recipe.generate(
            seed=seed, until="loops >= 9000", tries=8, progress=lambda done, tries: seen.append((done, tries))
        )
    error = caught.value
    assert seen == [(number, 8) for number in range(1, 9)]
    assert error.rejected.pop("loops >= 9000") == 8 - len(failures)
    assert error.rejected == {
        reason: sum(reason in failure.rejected for failure in failures)
        for failure in failures
        for reason in failure.rejected
    }
    assert str(error).startswith("no level of 8 tries is as required\n")
    assert all(f"    {reason}: gave up {count} of 8\n" in str(error) for reason, count in error.rejected.items())
    levels = [level for level in made if isinstance(level, uc.Level)]
    assert error.best in levels
    best = recipe.generate(seed=seed, until="loops >= 9000", tries=8, pick="best")
    assert best.level == error.best


def test_no_attempt_comes_to_a_level() -> None:
    recipe = Recipe.parse(EXACT.replace("depth = 4", "depth = 5\napart = 1000"), "exact.toml")
    reason = (
        "locks: 0 of 5 locks: all other doors can be walked around, have no place for a key 1000 steps off or are "
        "more than 5 deep"
    )
    with pytest.raises(NotMet) as caught:
        recipe.generate(seed=1, tries=3)
    assert (
        str(caught.value)
        == f"no level of 3 tries could be made\n    {reason}: gave up 3 of 3\n  fix: ask for less, or leave out 'exact'"
    )
    assert caught.value.rejected == {reason: 3}
    assert isinstance(caught.value.best, uc.Level)
    with pytest.raises(NotMet, match="the locks are not as asked for") as single:
        recipe.generate(seed=1, attempt=2)
    assert single.value.rejected == {reason: 1}


def test_attempts_that_a_step_gives_up_do_not_go_on_for_ever() -> None:
    recipe = Recipe.parse(EXACT.replace("depth = 4", "depth = 5\napart = 1000"), "exact.toml")
    one = alone(recipe, 1, 0)
    assert isinstance(one, NotMet)
    with pytest.raises(NotMet, match=r"no level of ([2-6]) tries could be made, and they took long\n"):
        recipe.generate(seed=1, tries=1000, max_steps=3 * one.spent)
    counts: list[int] = []
    with pytest.raises(NotMet, match="no room grid of 1,000 tries is valid"):  # it has tried a thousand times itself
        uc.generate("isaac", seed=1, refuse=0.9999999, progress=lambda done, _: counts.append(done))
    assert counts == []


def test_interrupted_between_attempts_it_says_what_it_saw() -> None:
    def stop(done: int, _: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedAttempts) as caught:
        CAVE.generate(seed=1, size=SIZE, until=HARD, tries=1000, progress=stop)
    lines = str(caught.value).split("\n")
    assert lines[:3] == [
        "interrupted after 5 of 1,000 tries",
        "    loops >= 50: failed 5 of 5",
        "    density < 0.2: failed 5 of 5",
    ]
    with pytest.raises(NotMet) as finished:
        CAVE.generate(seed=1, size=SIZE, until=HARD, tries=5)
    assert caught.value.best == finished.value.best
    assert lines[3] == str(finished.value).split("\n")[3]
    with pytest.raises(KeyboardInterrupt) as early:
        CAVE.generate(seed=1, size=SIZE, tick=lambda _: stop(5, 1))
    assert not isinstance(early.value, InterruptedAttempts)
