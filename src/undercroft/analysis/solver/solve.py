"""Solve any level: the shortest path to its end through locks, and a proof that it can be solved and cannot be lost."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.reach import Cells
from undercroft.analysis.solver import puzzle as puzzles
from undercroft.analysis.solver.distances import SpotDistances
from undercroft.analysis.solver.proof import Proof, find_lock_depths, list_events, prove_puzzle
from undercroft.analysis.solver.puzzle import Keys, Playable
from undercroft.analysis.solver.solution import Event, Solution
from undercroft.analysis.solver.spare_doors import drop_spare_doors
from undercroft.analysis.solver.states import explore_states
from undercroft.core.arguments import use_run
from undercroft.core.flow import Flow
from undercroft.core.palette import look_up_tiles
from undercroft.core.passable import LOCK, lock_name, open_cells
from undercroft.core.run import Run
from undercroft.core.stairs import describe_missing_end
from undercroft.wording import one_line

if TYPE_CHECKING:
    from undercroft.analysis.solver.solve_flow import FlowSolution

__all__ = ["Event", "Proof", "Solution", "find_reachable_cells", "prove", "solve"]

MAX_NAMED_DOORS = 3
"""The maximum number of doors that a message names."""


@overload
def solve(level: Flow, *, keys: Keys | None = None, secrets: bool = True, run: Run | None = None) -> FlowSolution: ...
@overload
def solve(level: Playable, *, keys: Keys | None = None, secrets: bool = True, run: Run | None = None) -> Solution: ...
def solve(
    level: Playable | Flow, *, keys: Keys | None = None, secrets: bool = True, run: Run | None = None
) -> Solution | FlowSolution:
    """The shortest solution of a level or a flow, and whether it can be lost.

    Steps go up, down, left and right; in a flow a move leads from a room to the next. `keys` overrides the data of all
    keys: all are kept, or all are consumed. Without `secrets`, secret doors and links are walls. Raises `OutOfBudget`
    if there are too many states.

    >>> from undercroft.core.draft import Draft
    >>> from undercroft.core.level import Level
    >>> from undercroft.core.region import Thing
    >>> draft = Draft.of(Level.parse('''
    ...     #########
    ...     #...<.L>#
    ...     #########'''))
    >>> draft.things = [Thing("key", 1, 1, {"opens": "red"}), Thing("lock", 6, 1, {"key": "red"})]
    >>> print(solve(draft))
    solved in 9 steps, 3 of them over cells walked before
      3  take the red key at (1, 1)
      8  open the red door at (6, 1)
      9  reach the end at (7, 1)
    it cannot be lost

    Cost: one search over the map for each lock, key, switch and one-way door; and one visit to each state of keys held
    and doors opened. One-way doors that can be walked around add no states.
    """
    run = use_run(run)
    if isinstance(level, Flow):
        from undercroft.analysis.solver.solve_flow import solve_flow

        return solve_flow(level, keys=keys, secrets=secrets, run=run)
    puzzle = puzzles.read_puzzle(level, keys=keys, secrets=secrets)
    if puzzle is None or puzzle.end is None:
        missing = "start" if puzzle is None else "end"
        return Solution(False, False, describe_missing_end(level.tiles, level.palette, missing), counterexample=())
    small = drop_spare_doors(puzzle, run)
    ways = SpotDistances(small.puzzle, run)
    proof, deep = prove_puzzle(ways, run), find_lock_depths(ways)
    if not proof.solvable:
        return Solution(
            False,
            False,
            _explain_unsolvable(level, small.add_dropped_doors(ways.reachable_cells(proof.ever)), secrets, run),
            counterexample=(),
            depths=deep,
        )
    if small.dropped:  # the dropped doors can shorten the path
        ways, proof = SpotDistances(puzzle, run), proof._replace(states=None)
    found = proof.states or explore_states(ways, run, whole=False)
    chain = found.chain(found.last)
    spots = found.spots(chain)
    return Solution(
        True,
        proof.unlosable,
        cells=_path_cells(ways, spots),
        events=tuple(list_events(puzzle, spots, found.far[chain].tolist())),
        counterexample=proof.counterexample,
        needs_secrets=secrets and _has_secrets(level) and not prove(level, keys=keys, secrets=False, run=run).solvable,
        depths=deep,
    )


def prove(level: Playable, *, keys: Keys | None = None, secrets: bool = True, run: Run | None = None) -> Proof:
    """Whether a level can be solved, and whether it can be lost: the answers of `solve`, without the path. It is much
    faster for levels with many keys.
    """
    run = use_run(run)
    puzzle = puzzles.read_puzzle(level, keys=keys, secrets=secrets)
    return (
        Proof(False)
        if puzzle is None or puzzle.end is None
        else prove_puzzle(SpotDistances(drop_spare_doors(puzzle, run).puzzle, run), run)
    )


def find_reachable_cells(
    level: Playable, *, keys: Keys | None = None, secrets: bool = True, run: Run | None = None
) -> NDArray[np.bool_]:
    """The cells that are reachable from the start in some order of play, as [y, x]; none without a start.

    >>> from undercroft.core.level import Level
    >>> find_reachable_cells(Level.parse("<.L.S>")).astype(int).tolist()
    [[1, 1, 0, 0, 0, 0]]
    """
    run = use_run(run)
    puzzle = puzzles.read_puzzle(level, keys=keys, secrets=secrets)
    if puzzle is None:
        return np.zeros(level.tiles.shape, bool)
    small = drop_spare_doors(puzzle, run)
    ways = SpotDistances(small.puzzle, run)
    return small.add_dropped_doors(ways.reachable_cells(prove_puzzle(ways, run).ever))


def _path_cells(ways: SpotDistances, spots: list[int]) -> Cells:
    """The path from spot to spot, and to the end."""
    legs = [
        np.array([ways.puzzle.start], np.int32),
        *(ways.path_between(a, b) for a, b in pairwise(spots)),
        ways.path_between(spots[-1], None),
    ]
    return np.concatenate(legs)


def _has_secrets(level: Playable) -> bool:
    return bool(look_up_tiles(level.palette.role_mask("secret"), level.tiles).any())


def _explain_unsolvable(level: Playable, within: NDArray[np.bool_], secrets: bool, run: Run) -> str:
    """Why the end is unreachable: no path at all, or closed doors at the edge of the reachable cells."""
    assert level.start is not None
    assert level.end is not None
    if reach.DistanceField(open_cells(level, secrets=secrets), [level.start], run).steps_to(*level.end) < 0:
        return "no way leads to the end"
    locked = look_up_tiles(level.palette.role_mask("locked"), level.tiles).copy()
    names = {(thing.x, thing.y): lock_name(thing) for thing in level.things if thing.kind == LOCK}
    for x, y in names:
        locked[y, x] = True
    around = np.pad(within, 1)
    shut = locked & ~within & (around[:-2, 1:-1] | around[2:, 1:-1] | around[1:-1, :-2] | around[1:-1, 2:])
    doors = [
        f"the {one_line(name)} door at ({x}, {y})" if (name := names.get((x, y))) else f"the door at ({x}, {y})"
        for y, x in np.argwhere(shut)[:MAX_NAMED_DOORS].tolist()
    ]
    more = f" and {count} more" if (count := int(np.count_nonzero(shut)) - MAX_NAMED_DOORS) > 0 else ""
    return f"nothing that can be had opens {', '.join(doors)}{more}" if doors else "no order of play leads to the end"
