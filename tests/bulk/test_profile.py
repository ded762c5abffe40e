"""Profiles: whose seconds and bytes are counted where, and over which sizes."""

from __future__ import annotations

import itertools
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from undercroft.bulk import profile as profiling
from undercroft.bulk.profile import Profile, SizeTiming
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.recipe.document import Recipe

NOISE = '[[step]]\nuse = "noise"\n'
PICKY = f'{NOISE}[[step]]\nuse = "noise"\n[require]\ncomponents = ">= 12"\n'
NEVER = f"{NOISE}[require]\ncomponents = '> 9000'\n"
BEGINS = f'begins = ["tiles"]\n{NOISE}'


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is a second later whenever somebody looks."""
    seconds = itertools.count()
    monkeypatch.setattr(profiling, "choose_clock", lambda: lambda: float(next(seconds)))


def ran(profile: Profile) -> Profile:
    """The profile, when all is done; what it tells on the way only grows."""
    shares = [share for share, _ in profile.run()]
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    return profile


def timed(size: tuple[int, int], *seconds: float) -> SizeTiming:
    """What levels of a size took, by hand: its one step, and what is beside it."""
    one = SizeTiming(size, ["noise"])
    one.add([("noise", 0.0), ("", seconds[0])], sum(seconds))
    return one


@pytest.mark.usefixtures("ticking")
def test_every_second_is_somebody_s() -> None:
    profile = ran(Profile("cave", size=(20, 10), seeds=range(4), sizes=[]))
    found = profile.timing
    assert found is not None
    assert (found.levels, found.attempts) == (4, 4)
    assert profile.names == ("noise", "automaton", "join", "survey", "ends", "overhead", "all")
    assert found.seconds == (1, 1, 1, 1, 1, 2, 7), (
        "a look when it begins, one for each step, one when the last has ended, one at the end"
    )


@pytest.mark.usefixtures("ticking")
def test_attempts_that_fail_cost_time_too() -> None:
    recipe = Recipe.parse(PICKY, "picky.toml")
    profile = ran(Profile(recipe, size=(16, 12), seeds=range(20), sizes=[]))
    found = profile.timing
    assert found is not None
    tries = [recipe.generate(seed=seed, size=(16, 12)).attempt + 1 for seed in range(20)]
    assert found.attempts == sum(tries) > 20, "else this shows nothing"
    assert profile.names == ("noise", "noise#2", "overhead", "all")
    assert found.seconds == pytest.approx(
        [sum(tries) / 20, sum(tries) / 20, sum(tries) / 20 + 1, 3 * sum(tries) / 20 + 1]
    )


def test_seconds_are_those_of_the_work() -> None:
    profile = ran(Profile("cave", size=(300, 200), seeds=range(2), sizes=[]))
    assert profile.timing is not None
    *steps, overhead, whole = profile.timing.seconds
    assert all(second > 0 for second in steps)
    assert overhead > 0
    assert sum(steps) + overhead == pytest.approx(whole)
    assert profile.timing.seconds[2] < whole < 5


def test_memory_of_each_step() -> None:
    profile = ran(Profile("cave", size=(500, 400), seeds=range(1), sizes=[]))
    cells = 500 * 400
    assert set(profile.peaks) == {plan.id for plan in profile.recipe.plans}
    assert profile.peaks["noise"] < cells / 2, "it writes on the tiles that are there"
    assert 4 * cells < profile.peaks["survey"] < 20 * cells, "a label takes four bytes"
    assert max(profile.peaks.values()) < profile.peak < sum(profile.peaks.values())
    assert not tracemalloc.is_tracing()


def test_who_traces_memory_already_goes_on_to_do_so() -> None:
    tracemalloc.start()
    try:
        ran(Profile("cave", size=(20, 10), seeds=range(1), sizes=[]))
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_memory_is_given_back_if_somebody_interrupts() -> None:
    profile = Profile("cave", size=(20, 10), seeds=range(9), sizes=[])
    work = profile.run()
    next(said for said in work if said.about == "memory")
    assert tracemalloc.is_tracing()
    work.close()
    assert not tracemalloc.is_tracing()
    assert profile.timing is not None
    assert profile.timing.levels == 9


def test_sizes_around_the_one_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiling, "DEFAULT_SECONDS_PER_SIZE", 1e-9)
    profile = ran(Profile("cave", size=(24, 12)))
    assert [each.size for each in profile.growth] == [(12, 6), (24, 12), (48, 24), (96, 48)]
    assert [each.levels for each in profile.growth] == [1, 1, 1, 1], "there was no time for a second one"
    assert profile.left_out == {}


def test_sizes_that_a_recipe_does_not_take_become_near_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiling, "DEFAULT_SECONDS_PER_SIZE", 1e-9)
    plain = ran(Profile("rooms-and-mazes", size=(41, 21)))
    assert {wide % 2 for wide, _ in (each.size for each in plain.growth)} == {0, 1}, "it takes all sizes itself"
    prepare = Recipe.prepare

    def refuse_even_sides(recipe: Recipe, params: Any, width: int, height: int, *ends: Any) -> Any:
        """What a step of a plugin may do."""
        if width % 2 == 0 or height % 2 == 0:
            raise BadInput(f"odd sides only, not {width}x{height}")
        return prepare(recipe, params, width, height, *ends)

    monkeypatch.setattr(Recipe, "prepare", refuse_even_sides)
    profile = ran(Profile("rooms-and-mazes", size=(41, 21)))
    sides = [each.size for each in profile.growth]
    assert all(wide % 2 and high % 2 for wide, high in sides)
    assert sides == [(21, 11), (41, 21), (83, 43), (165, 85)]


def test_sizes_are_left_out_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiling, "DEFAULT_SECONDS_PER_SIZE", 1e-9)
    small = Profile("rooms-and-mazes", size=(5, 5))
    assert list(small.left_out) == [(2, 2)]
    assert small.left_out[2, 2].startswith("rooms need")
    large = Profile(Recipe.parse(NOISE, "x.toml"), size=(2000, 2000))
    assert large.left_out == {(8000, 8000): "more cells than a level may have"}
    monkeypatch.setattr(profiling, "MAX_LEVEL_SECONDS", 0.0)
    slow = ran(Profile("cave", size=(24, 12)))
    assert [each.size for each in slow.growth] == [(24, 12)]
    assert list(slow.left_out) == [(12, 6), (48, 24), (96, 48)]
    assert all(reason.startswith("a level would take about ") for reason in slow.left_out.values())


def test_who_names_the_seeds_gets_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiling, "DEFAULT_SECONDS_PER_SIZE", 1e-9)
    monkeypatch.setattr(profiling, "MAX_LEVEL_SECONDS", 0.0)
    profile = ran(Profile("cave", size=(24, 12), seeds=range(7, 10), sizes=[(24, 12), (30, 12)]))
    assert [(each.size, each.levels) for each in profile.growth] == [((24, 12), 3), ((30, 12), 3)]


def test_seeds_without_a_level_are_counted() -> None:
    profile = ran(Profile(Recipe.parse(NEVER, "x.toml"), size=(8, 8), seeds=range(3), sizes=[(9, 9)]))
    assert profile.timing is None
    assert profile.without == {"could not be made as required": 3}
    assert profile.left_out == {(9, 9): "of 3 seeds none gave a level (could not be made as required)"}


@pytest.mark.parametrize("recipe", ["isaac", "drunkard", "neighbours"])
def test_sizes_that_only_a_step_at_work_refuses_are_left_out(recipe: str) -> None:
    profile = ran(Profile(recipe, seeds=range(2), sizes=[(20, 9)]))
    assert profile.timing is not None
    assert list(profile.left_out) == [(20, 9)]
    assert "needs a level of" in profile.left_out[20, 9]


def test_exponents() -> None:
    profile = Profile(Recipe.parse(NOISE, "x.toml"), size=(10, 10))
    assert profile.growth_exponent(0) is None
    profile.growth = [timed((10, 10), 1, 1)]
    assert profile.growth_exponent(0) is None
    profile.growth = [timed((10, 10), 7, 1), timed((20, 20), 2, 3), timed((40, 40), 8, 3)]
    assert [profile.growth_exponent(place) for place in range(3)] == pytest.approx([1, 0, 0.568], abs=1e-3)
    profile.growth = [timed((10, 10), 0, 1), timed((20, 20), 2, 3)]
    assert profile.growth_exponent(0) is None, "nothing has no logarithm"
    profile.growth = [timed((10, 40), 1, 1), timed((40, 10), 2, 3)]
    assert profile.growth_exponent(0) is None, "as many cells"


MISTAKES: list[tuple[str, type[UndercroftError], Callable[[], Profile]]] = [
    ("needs a map to begin with", BadInput, lambda: Profile(Recipe.parse(BEGINS, "x.toml"))),
    ("there are no seeds", BadInput, lambda: Profile("cave", seeds=range(0))),
    ("unknown recipe 'cav'", BadInput, lambda: Profile("cav")),
    ("unknown parameter of cave 'fil'", BadInput, lambda: Profile("cave", params={"fil": 1})),
    ("at least 3x3", BadInput, lambda: Profile("cave", size=(2, 1))),
    ("at least 3x3", BadInput, lambda: Profile("cave", sizes=[(40, 20), (1, 1)])),
    ("the limit is", TooBig, lambda: Profile("cave", size=(9000, 9000))),
]


@pytest.mark.parametrize(("problem", "kind", "asked"), MISTAKES)
def test_refused_at_once(problem: str, kind: type[UndercroftError], asked: Callable[[], Profile]) -> None:
    with pytest.raises(kind, match=problem) as caught:
        asked()
    assert caught.value.fix
