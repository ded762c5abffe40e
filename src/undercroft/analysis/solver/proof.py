"""Prove whether a puzzle can be solved, and whether it can be lost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from undercroft.analysis.solver.puzzle import SWITCH, Puzzle, PuzzleDistances
from undercroft.analysis.solver.solution import Event
from undercroft.analysis.solver.states import ExploredStates, explore_spending, explore_states, find_winning_states
from undercroft.core.level import Point
from undercroft.core.run import Run


class Proof(NamedTuple):
    """Whether a level can be solved, and whether it can be lost."""

    solvable: bool
    counterexample: tuple[Event, ...] | None = ()
    """The moves that lose; None if it cannot be lost, empty if it is lost from the beginning."""
    ever: tuple[int, ...] = ()
    """The spots that can be reached."""
    states: ExploredStates | None = None
    """All states, if the proof had to explore them."""

    @property
    def unlosable(self) -> bool:
        return self.counterexample is None


def prove_puzzle(ways: PuzzleDistances, run: Run) -> Proof:
    """Explore all outcomes of a puzzle.

    Without one-way doors every move can be reversed. Then taking an item never hurts, and states differ only by the
    keys that break.
    """
    return _prove_by_states(ways, run) if ways.puzzle.has_one_way_doors else _prove_by_spending(ways, run)


def _prove_by_spending(ways: PuzzleDistances, run: Run) -> Proof:
    found = explore_spending(ways, run)
    lost = np.flatnonzero(~found.wins)
    play = _gather_spots(ways, found.chain(int(lost[0]))) if len(lost) else []
    return Proof(bool(found.wins[0]), tuple(list_events(ways.puzzle, play)) if len(lost) else None, tuple(found.ever))


def _prove_by_states(ways: PuzzleDistances, run: Run) -> Proof:
    found = explore_states(ways, run, whole=True)
    won = find_winning_states(found, run)
    lost = np.flatnonzero(~won)
    ever = tuple(np.unique(found.keys % len(ways.puzzle.spots)).tolist())
    if not len(lost):
        return Proof(True, None, ever, found)
    chain = found.chain(int(lost[np.argmin(found.far[lost])]))
    return Proof(
        bool(won[0]), tuple(list_events(ways.puzzle, found.spots(chain), found.far[chain].tolist())), ever, found
    )


def _gather_spots(ways: PuzzleDistances, opened: list[int]) -> list[int]:
    """The spots that are reachable by taking every item, and spending keys on the given spots only, in that order."""
    puzzle, steps = ways.puzzle, ways.steps
    bits, play = puzzle.begin, [0]
    for goal in (*opened, None):
        news = True
        while news:
            near = [spot for spot in np.flatnonzero((steps[play] >= 0).any(axis=0)).tolist() if spot not in play]
            free = [spot for spot in near if puzzle.enter(spot, bits, spends=False) >= 0]
            news = bool(free)
            for spot in free:
                bits = puzzle.enter(spot, bits, spends=False)
            play += free
        if goal is not None:
            bits = puzzle.enter(goal, bits, spends=True)
            play.append(goal)
    return play


def list_events(puzzle: Puzzle, play: Iterable[int], steps: Iterable[int | None] | None = None) -> list[Event]:
    """The events of a play that visits these spots in order; `steps` are the steps to each."""
    found: list[Event] = []
    seen: set[Point] = set()
    play = list(play)
    for number, (at, step) in enumerate(zip(play, [None] * len(play) if steps is None else steps, strict=True)):
        spot = puzzle.spots[at]
        if (spot.x, spot.y) not in seen:
            found += [Event("open", spot.x, spot.y, name, step) for name in spot.locks]
            found += [
                Event("pull" if kind == SWITCH else "take", spot.x, spot.y, name, step) for kind, name in spot.takes
            ]
            seen.add((spot.x, spot.y))
        if spot.to >= 0 and number and (at != puzzle.past or number == 1):
            found.append(Event("pass", spot.x, spot.y, "", step))
    return found


def find_lock_depths(ways: PuzzleDistances) -> dict[Point, int]:
    """For each lock, how many locks must be opened one after the other. Only locks that can be opened are included, and
    keys never break.

    A lock that the opener of an earlier lock of the same name opens for good adds no depth.
    """
    puzzle, leads = ways.puzzle, ways.steps >= 0
    kept = {
        name
        for spot, rows in enumerate(np.split(puzzle.locks, puzzle.first[1:-1]))
        for name in puzzle.spots[spot].locks
        if not rows[:, 2].any()
    }
    found: dict[int, int] = {}
    reached, opened, names = {0}, set[str](), {name for _, name in puzzle.spots[0].takes}
    for depth in range(1, len(puzzle.spots) + 1):
        while True:
            near = set(np.flatnonzero(leads[sorted(reached)].any(axis=0)).tolist()) - reached
            free = {spot for spot in near if set(puzzle.spots[spot].locks) <= kept & opened}
            if not free:
                break
            reached |= free
            found |= {spot: depth - 1 for spot in free if puzzle.spots[spot].locks}
        names |= {name for spot in reached for _, name in puzzle.spots[spot].takes}
        news = [spot for spot in sorted(near) if set(puzzle.spots[spot].locks) <= names]
        if not news:
            break
        found |= dict.fromkeys(news, depth)
        reached.update(news)
        opened.update(name for spot in news for name in puzzle.spots[spot].locks)
    return {(puzzle.spots[spot].x, puzzle.spots[spot].y): depth for spot, depth in sorted(found.items())}
