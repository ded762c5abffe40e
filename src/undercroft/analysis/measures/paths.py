"""Measures of doors, and of the path from start to end."""

from __future__ import annotations

import numpy as np

from undercroft.analysis.measures.facts import Facts, Number
from undercroft.analysis.measures.ground import rounded_share
from undercroft.core.palette import look_up_tiles
from undercroft.kernels import buffer


def doors(facts: Facts) -> Number:
    return len(facts.level.doors)


def door_spacing(facts: Facts) -> Number:
    """The distance of the nearest pair, by a sweep from the top that skips pairs whose rows alone are too far apart."""
    table = facts.level.doors.table
    if len(table) < 2:
        return None
    from undercroft.kernels import measures  # loaded when the first of its measures is computed

    order = np.lexsort((table["x"], table["y"]))
    points = np.stack([table["x"][order], table["y"][order]], axis=1)
    facts.run.spend(len(points))
    return int(
        measures.measure_least_distance(
            buffer(np.ascontiguousarray(points, np.int32)), facts.level.width + facts.level.height
        )
    )


def locks(facts: Facts) -> Number:
    """The number of locked doors and of other cells with a lock. Two locks on one cell count once; a lock on a wall
    does not count.
    """
    level = facts.given
    locked = look_up_tiles(level.palette.role_mask("locked"), level.tiles)
    others = {(thing.x, thing.y) for thing in level.things if thing.kind == "lock" and not locked[thing.y, thing.x]}
    return int(np.count_nonzero(locked)) + sum(bool(facts.walkable[y, x]) for x, y in others)


def path_length(facts: Facts) -> Number:
    return facts.steps_to_end


def poi_length(facts: Facts) -> Number:
    from undercroft.analysis.interest import find_longest_path, place_graph  # few levels are measured so

    return find_longest_path(place_graph(facts.given.tiles, facts.given.palette, run=facts.run), facts.run)[0]


def solution_length(facts: Facts) -> Number:
    return facts.solution.length if facts.has_puzzle else facts.steps_to_end


def backtrack(facts: Facts) -> Number:
    if facts.has_puzzle:
        return facts.solution.backtrack
    return None if facts.steps_to_end is None else 0


def unlosable(facts: Facts) -> Number:
    """Whether the end stays reachable after any moves."""
    if solution_length(facts) is None:
        return None
    return int(not facts.has_puzzle or facts.solution.unlosable)


def secret_need(facts: Facts) -> Number:
    """Whether the end is reachable only through secret doors."""
    if solution_length(facts) is None:
        return None
    if not facts.secrets.any():
        return 0
    from undercroft.analysis.solver.solve import prove

    return int(not prove(facts.given, secrets=False, run=facts.run).solvable)


def secret_share(facts: Facts) -> Number:
    """The cells of secret doors themselves do not count."""
    if facts.from_start is None or not facts.from_start.reached:
        return None
    if not facts.secrets.any():
        return 0.0
    from undercroft.analysis.solver.solve import find_reachable_cells

    ever = find_reachable_cells(facts.given, run=facts.run) & ~facts.secrets
    openly = find_reachable_cells(facts.given, secrets=False, run=facts.run)
    return rounded_share(int(np.count_nonzero(ever & ~openly)), max(1, int(np.count_nonzero(ever))))
