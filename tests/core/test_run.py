from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.run import FUEL_PER_CALL, Run, describe_watcher
from undercroft.errors import BadInput, Cancelled, OutOfBudget


def eater(total: int) -> tuple[Callable[[int], int], list[int]]:
    """A kernel with so much to do, and the list of what it was given."""
    left, given = [total], list[int]()

    def bite(fuel: int) -> int:
        given.append(fuel)
        used = min(fuel, left[0])
        left[0] -= used
        return used

    return bite, given


@pytest.mark.parametrize(("budget", "enough"), [(99, False), (100, True), (101, True)])
def test_the_budget_at_its_edge(budget: int, enough: bool) -> None:
    run = Run(budget=budget)
    bite, _ = eater(100)
    run.source = "maze"
    if enough:
        run.drive(bite)
        assert run.used == 100
    else:
        with pytest.raises(OutOfBudget, match="gave up after 100 steps in maze; the budget was 99") as caught:
            run.drive(bite)
        assert "--max-steps" in caught.value.fix
        assert caught.value.exit_code == 3


def test_no_budget_means_the_limit() -> None:
    assert Run().budget == limits.STEPS.value
    assert Run(budget=0).budget == 0
    with pytest.raises(OutOfBudget):
        Run(budget=0).spend(1)
    Run(budget=0).spend(0)


def test_a_budget_adds_up_over_all_work() -> None:
    run = Run(budget=10)
    run.spend(6)
    run.spend(4)
    with pytest.raises(OutOfBudget):
        run.spend(1)


@pytest.mark.parametrize("total", [0, 1, FUEL_PER_CALL - 1, FUEL_PER_CALL, FUEL_PER_CALL + 1, 5 * FUEL_PER_CALL])
def test_drive_goes_on_until_the_kernel_has_fuel_left(total: int) -> None:
    bite, given = eater(total)
    run = Run()
    run.drive(bite)
    assert run.used == total
    assert given == [FUEL_PER_CALL] * (total // FUEL_PER_CALL + 1)


def test_cancel_is_seen_between_bites() -> None:
    calls = [0]

    def cancelled() -> bool:
        calls[0] += 1
        return calls[0] == 3

    run = Run(cancelled=cancelled)
    bite, given = eater(100 * FUEL_PER_CALL)
    run.source = "noise"
    with pytest.raises(Cancelled, match="cancelled in noise") as caught:
        run.drive(bite)
    assert len(given) == 3
    assert caught.value.exit_code == 130


def test_a_watched_run_takes_small_bites_and_shows_each() -> None:
    seen: list[str] = []
    run = Run(watcher=lambda source, tiles: seen.append(source))
    run.tiles, run.source = np.zeros((64, 64), np.uint8), "maze"
    bite, given = eater(64 * 64)
    run.drive(bite)
    assert set(given) == {32}
    assert seen == ["maze"] * len(given)
    assert len(given) == 129


def test_a_watcher_gets_read_only_copies() -> None:
    shown: list[NDArray[np.uint8]] = []
    run = Run(watcher=lambda source, tiles: shown.append(tiles))
    run.show()
    assert shown == []
    run.tiles = np.zeros((2, 2), np.uint8)
    run.show()
    run.tiles[:] = 1
    run.show()
    assert [int(tiles.sum()) for tiles in shown] == [0, 4]
    with pytest.raises(ValueError, match="read-only"):
        shown[0][0, 0] = 5
    assert not np.shares_memory(shown[1], run.tiles)


def test_nobody_watches() -> None:
    run = Run()
    run.tiles = np.zeros((2, 2), np.uint8)
    run.show()
    run.note("none of 4 rooms found a place")
    assert run.notes == ["none of 4 rooms found a place"]


class Counter:
    """A watcher with some of the optional methods."""

    def __init__(self) -> None:
        self.palettes: list[Palette] = []

    def __call__(self, source: str, tiles: NDArray[np.uint8]) -> None: ...

    def codes_mean(self, palette: Palette) -> None:
        self.palettes.append(palette)


def test_the_optional_methods_of_a_watcher_are_read_once() -> None:
    counter = Counter()
    assert describe_watcher(counter) == (counter.codes_mean, None, None, None)
    assert describe_watcher(None) == (None, None, None, None)
    run = Run(watcher=counter)
    run.tiles, run.palette = np.zeros((2, 2), np.uint8), STANDARD
    run.show()
    run.watcher = None
    run.show()
    assert counter.palettes == [STANDARD]


def test_a_hook_that_is_no_method_is_refused() -> None:
    counter = Counter()
    counter.log_later = 7  # type: ignore[attr-defined]
    with pytest.raises(BadInput, match="log_later of the watcher Counter is a method, not 7"):
        Run(watcher=counter)
