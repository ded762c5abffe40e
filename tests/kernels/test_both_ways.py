"""Every step: compiled as interpreted, and in bites of any size, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from drawn import HEAVY, Bites, after, facts, interpreted, soup
from undercroft import kernels
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.kernels import carve
from undercroft.steps import STEPS, Step
from undercroft.steps.automaton import Automaton
from undercroft.steps.connect import Connect
from undercroft.steps.fill import Fill, Noise
from undercroft.steps.join import Join
from undercroft.steps.maze import Maze, Prune
from undercroft.steps.rewrite import Rewrite
from undercroft.steps.rooms import Rooms
from undercroft.steps.step import name_of
from undercroft.steps.survey import Ends, Interest, Survey

MAPS = 3000 if HEAVY else 200


def open_soup(number: int) -> Draft:
    return soup(number, "##..,+")


def pockets(number: int) -> Draft:
    return soup(number, "####..")


def mazes(number: int) -> Draft:
    """Rooms and mazes on an odd map, doors between them."""
    draft = rock(number)
    for step in (Rooms(tries=number % 12), Maze(), Connect()):
        after(step, draft, seed=number)
    return draft


def rock(number: int) -> Draft:
    return Draft(5 + 2 * (number % 8), 5 + 2 * (number % 5))


CASES: list[tuple[Step, Callable[[int], Draft]]] = [
    (Fill(role="floor"), open_soup),
    (Noise(wall=0.3), open_soup),
    (Automaton(rounds=2), pockets),
    (Automaton(rounds=2, shape="diamond", border="wall", ring=False), open_soup),
    (Automaton(stages=((5, 2, 1), (4, -1, 2)), shape="square"), open_soup),
    (Join(), pockets),
    (Join(connect="nearest"), pockets),
    (Join(connect="nearest", min_size=2), pockets),
    (Join(connect="discard"), pockets),
    (Rooms(tries=20, extra_size=1), rock),
    (Maze(winding=0.5), rock),
    (Maze(winding=0.0), rock),
    (Connect(extra=0.3, doors=0.7), pockets),
    (Connect(extra=0.3, doors=0.7), mazes),
    (Rewrite(rules="one  wear, up to 9 times, turned\n    #. -> .."), open_soup),
    (Rewrite(rules="markov\n    all  ., -> ,., turned, chance 0.5\n    one  #, -> o,\n    parallel  o. -> .o", turns=9), mazes),
    (Prune(), open_soup),
    (Prune(dead_ends=0.5), mazes),
    (Survey(), open_soup),
    (Survey(kind="cave"), mazes),
    (Ends(), open_soup),
    (Interest(), open_soup),
    (Interest(room=3, run=2, branch=5, door=4), mazes),
]


def test_every_step_is_here() -> None:
    assert {name_of(type(step)) for step, _ in CASES} == STEPS.keys()


@pytest.mark.parametrize(("step", "maps"), CASES, ids=[f"{step}" for step, _ in CASES])
def test_compiled_as_interpreted(step: Step, maps: Callable[[int], Draft]) -> None:
    quick = [facts(after(step, maps(number), seed=number)) for number in range(MAPS)]
    starts = [maps(number) for number in range(MAPS)]
    with interpreted():
        slow = [facts(after(step, start, seed=number)) for number, start in enumerate(starts)]
    assert quick == slow


@pytest.mark.parametrize("fuel", [1, 2, 7, 1 << 40])
@pytest.mark.parametrize(("step", "maps"), CASES, ids=[f"{step}" for step, _ in CASES])
def test_bites_of_any_size(step: Step, maps: Callable[[int], Draft], fuel: int) -> None:
    for number in range(MAPS):
        assert facts(after(step, maps(number), seed=number, run=Bites(fuel))) == facts(after(step, maps(number), seed=number))


def test_the_interpreted_kernels_are_in_use_and_leave_no_trace() -> None:
    if not all(kernels.compiled().values()):
        pytest.skip("the kernels are not compiled here")
    from undercroft.analysis import reach
    from undercroft.steps import maze

    def used() -> list[ModuleType]:
        return [vars(maze)["carve"], vars(reach)["reach"]]

    before = used()
    with interpreted():
        assert not any(map(kernels.is_compiled, used()))
        assert isinstance(kernels.flat(Draft(2, 2).tiles), memoryview)
    assert used() == before
    assert all(map(kernels.is_compiled, used()))


def test_a_kernel_refuses_what_is_not_contiguous() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        kernels.flat(Draft(4, 4).tiles[:, ::2])
    with pytest.raises(ValueError, match="contiguous"):
        carve.draws(Rng(1, 2).state, 0, kernels.buffer(np.zeros(8, np.uint32)[::2]))
