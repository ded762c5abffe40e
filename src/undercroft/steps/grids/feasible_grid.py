"""Checks before the first attempt whether a room grid is possible, as far as that can be known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from undercroft.core.level import check_level_size
from undercroft.core.rng import PROBABILITY_ONE, threshold
from undercroft.errors import BadInput, NotMet, UndercroftError
from undercroft.wording import join_words, plural

if TYPE_CHECKING:
    from undercroft.core.level import Level
    from undercroft.steps.grids.room_grid import RoomGrid

MIN_ROOMS_BY_CLAUSE = {"distinct": 2, "dead end": 2, "apart": 3}
"""The fewest rooms with which a clause of `valid` can hold."""
TOO_FEW_MESSAGES = (
    "a room grid has at least one room",
    "a single room would be start and end at once",
    "two rooms always touch: the end cannot lie apart",
)
FIXES_BY_CLAUSE = {
    "count": "ask for fewer rooms or a larger grid",
    "connected": "ask for fewer rooms",
    "distinct": "ask for more rooms",
    "apart": "ask for more rooms or a larger grid",
    "dead end": "ask for fewer rooms or a larger grid",
}
"""For each clause, the fix that makes it more likely to hold."""


def check(step: RoomGrid) -> None:
    """Refuse parameters that no attempt can fulfil for some number of rooms that may be drawn."""
    columns, rows = check_level_size(step.grid)
    cells, fewest, most = columns * rows, step.target_rooms(0), step.target_rooms(step.jitter)
    if most > cells:
        size = f"a grid of {columns}x{rows}"
        problem = (
            f"{most:,} rooms do not fit {size}, which has {cells:,} cells"
            if step.rooms
            else f"{_describe_room_count(step, most)}, and {size} has {cells:,} cells"
        )
        raise BadInput(problem, fix=f"ask for {_describe_fewer(step)}, or for a larger grid")
    wanting = [clause for clause in step.valid if fewest < MIN_ROOMS_BY_CLAUSE.get(clause, 0)]
    if fewest < 1 or wanting:
        raise _too_few_error(fewest, wanting)
    if step.method != "drunkard":
        _check_growth(step, columns, rows, fewest, most)
    if {"count", "dead end"} <= {*step.valid} and most == cells and min(columns, rows) > 1:
        problem = f"{_describe_room_count(step, most)}, and where all cells of a grid are rooms none is a dead end"
        raise BadInput(
            problem, fix=f"ask for {_describe_fewer(step)}, for a larger grid, or {describe_removal(['dead end'])}"
        )


def _check_growth(step: RoomGrid, columns: int, rows: int, fewest: int, most: int) -> None:
    """The same checks for grids that grow from room to room."""
    refuse = threshold(step.refuse)
    broken = [clause for clause in step.valid if clause in MIN_ROOMS_BY_CLAUSE or (clause == "count" and most > 1)]
    if refuse >= PROBABILITY_ONE and broken:
        raise BadInput(
            "with a refuse of 1 no room is ever built beside the first",
            fix=f"lower refuse, or {describe_removal(broken)}",
        )
    if is_loopless(step) and "count" in step.valid and most > (limit := max_rooms_without_loops(columns, rows)):
        other = ", or crowded below 1" if step.method == "neighbours" else ""
        problem = (
            f"{_describe_room_count(step, most)}, and without a loop a grid of {columns}x{rows} holds at most {limit:,}"
        )
        raise BadInput(
            problem, fix=f"ask for {_describe_fewer(step)}, for a larger grid{other}, or {describe_removal(['count'])}"
        )
    if "apart" not in step.valid:
        return
    if columns // 2 + rows // 2 < 2:
        raise BadInput(
            f"on a grid of {columns}x{rows} all rooms touch the start, which is in its middle",
            fix=f"ask for a larger grid, or {describe_removal(['apart'])}",
        )
    beside = 1 + min(columns - 1, 2) + min(rows - 1, 2)
    if refuse == 0 and fewest <= beside:
        problem = (
            f"with a refuse of 0 the first {beside} rooms are the start and those that touch it, and then the end "
            "does not lie apart"
        )
        raise BadInput(
            problem, fix=f"ask for {beside + 1} rooms or more, raise refuse, or {describe_removal(['apart'])}"
        )


def is_loopless(step: RoomGrid) -> bool:
    """Whether a room is only built where it touches one other."""
    return step.method == "isaac" or (
        step.method == "neighbours" and min(map(threshold, step.crowded)) >= PROBABILITY_ONE
    )


def is_deterministic(step: RoomGrid) -> bool:
    """Whether no draw affects the result, so that all attempts are alike."""
    if step.method == "drunkard":
        return False
    chances = [threshold(step.refuse), *(() if step.method == "isaac" else map(threshold, step.crowded))]
    return all(chance in (0, PROBABILITY_ONE) for chance in chances)


def max_rooms_without_loops(columns: int, rows: int) -> int:
    """An upper bound of the number of rooms on a grid without a loop, where the middle is a room.

    >>> [max_rooms_without_loops(*grid) for grid in ((5, 1), (2, 2), (3, 3), (8, 8))]
    [5, 3, 7, 47]

    A full grid has (columns - 1) * (rows - 1) loops. An empty cell opens one loop less than it has neighbours, so cells
    with four neighbours open the most.
    """
    loops, empty = (columns - 1) * (rows - 1), 0
    inner = max(columns - 2, 0) * max(rows - 2, 0)
    # the first room is an inner cell, if there are any
    for opened, there in ((3, inner - (inner > 0)), (2, 2 * max(columns - 2, 0) + 2 * max(rows - 2, 0)), (1, 4)):
        some = min(there, -(-loops // opened))
        loops, empty = max(0, loops - some * opened), empty + some
    return columns * rows - empty


def build_failure(step: RoomGrid, tries: int, failed: dict[str, int], target: int, best: Level) -> UndercroftError:
    """The error if no attempt was valid: how often each clause failed, and a fix for the one that failed most often."""
    worst = max(failed, key=lambda clause: failed[clause])
    mend = FIXES_BY_CLAUSE[worst]
    if is_deterministic(step):
        problem = (
            f"nothing is left to chance, and the only grid of {target:,} rooms is not valid: {_quote_clauses(failed)} "
            f"{'fails' if len(failed) == 1 else 'fail'}"
        )
        return BadInput(problem, fix=f"{mend}, choose a refuse between 0 and 1, or {describe_removal(failed)}")
    lines = [
        f"no room grid of {plural(tries, 'try')} is valid" + (", and they took long" if tries < step.tries else "")
    ]
    lines += [f"    {clause}: failed {number:,} of {tries:,}" for clause, number in failed.items()]
    if worst == "count":
        mend += (
            ", a lower refuse" if step.method != "drunkard" else ", another border" if step.border == "restart" else ""
        )
    return NotMet(
        "\n".join(lines),
        fix=f"{mend}, {'more tries, ' if tries == step.tries else ''}or {describe_removal([worst])}",
        best=best,
        rejected=failed,
        hopeless=True,
    )


def describe_removal(clauses: Iterable[str]) -> str:
    """The phrase that suggests removing some clauses."""
    return f"take {_quote_clauses(clauses)} out of valid"


def _quote_clauses(clauses: Iterable[str]) -> str:
    return join_words([repr(clause) for clause in clauses])


def _too_few_error(fewest: int, wanting: Sequence[str]) -> BadInput:
    least = max((MIN_ROOMS_BY_CLAUSE[clause] for clause in wanting), default=1)
    if not fewest:
        why = (
            f": {max(wanting, key=lambda clause: MIN_ROOMS_BY_CLAUSE[clause])!r} in valid wants as many"
            if wanting
            else ""
        )
        return BadInput(TOO_FEW_MESSAGES[0], fix=f"ask for {plural(least, 'room')} or more{why}")
    return BadInput(TOO_FEW_MESSAGES[fewest], fix=f"ask for {least} rooms or more, or {describe_removal(wanting)}")


def _describe_room_count(step: RoomGrid, most: int) -> str:
    """The phrase for how many rooms are requested."""
    if step.rooms:
        return f"{most:,} rooms are asked for"
    return f"level {step.level:,} asks for {'up to ' if step.jitter else ''}{most:,} rooms"


def _describe_fewer(step: RoomGrid) -> str:
    return "fewer" if step.rooms else "a lower level"
