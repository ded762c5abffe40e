"""Whether a room grid can be as it must be: told before any is tried, as far as that can be known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from undercroft.core.level import checked_size
from undercroft.core.rng import ONE, threshold
from undercroft.errors import BadInput, NotMet, UndercroftError

if TYPE_CHECKING:
    from undercroft.core.level import Level
    from undercroft.steps.grids.room_grid import RoomGrid

NEEDS = {"distinct": 2, "dead end": 2, "apart": 3}
"""How many rooms there are at least if a clause of `valid` holds."""
TOO_FEW = (
    "a room grid has at least one room",
    "a single room would be start and end at once",
    "two rooms always touch: the end cannot lie apart",
)
MENDS = {
    "count": "ask for fewer rooms or a larger grid",
    "connected": "ask for fewer rooms",
    "distinct": "ask for more rooms",
    "apart": "ask for more rooms or a larger grid",
    "dead end": "ask for fewer rooms or a larger grid",
}
"""What makes it more likely that a clause holds."""


def check(step: RoomGrid) -> None:
    """Refuse wishes that no attempt can fulfil with some number of rooms that may be drawn."""
    columns, rows = checked_size(step.grid)
    cells, fewest, most = columns * rows, step.count(0), step.count(step.jitter)
    if most > cells:
        size = f"a grid of {columns}x{rows}"
        problem = (
            f"{most:,} rooms do not fit {size}, which has {cells:,} cells"
            if step.rooms
            else f"{_asked(step, most)}, and {size} has {cells:,} cells"
        )
        raise BadInput(problem, fix=f"ask for {_fewer(step)}, or for a larger grid")
    wanting = [clause for clause in step.valid if fewest < NEEDS.get(clause, 0)]
    if fewest < 1 or wanting:
        raise _too_few(fewest, wanting)
    if step.method != "drunkard":
        _check_growth(step, columns, rows, fewest, most)
    if {"count", "dead end"} <= {*step.valid} and most == cells and min(columns, rows) > 1:
        problem = f"{_asked(step, most)}, and where all cells of a grid are rooms none is a dead end"
        raise BadInput(problem, fix=f"ask for {_fewer(step)}, for a larger grid, or {without(['dead end'])}")


def _check_growth(step: RoomGrid, columns: int, rows: int, fewest: int, most: int) -> None:
    """The same for rooms that build rooms."""
    refuse = threshold(step.refuse)
    broken = [clause for clause in step.valid if clause in NEEDS or (clause == "count" and most > 1)]
    if refuse >= ONE and broken:
        raise BadInput(
            "with a refuse of 1 no room is ever built beside the first", fix=f"lower refuse, or {without(broken)}"
        )
    if loopless(step) and "count" in step.valid and most > (limit := most_without_loops(columns, rows)):
        other = ", or crowded below 1" if step.method == "neighbours" else ""
        problem = f"{_asked(step, most)}, and without a loop a grid of {columns}x{rows} holds at most {limit:,}"
        raise BadInput(problem, fix=f"ask for {_fewer(step)}, for a larger grid{other}, or {without(['count'])}")
    if "apart" not in step.valid:
        return
    if columns // 2 + rows // 2 < 2:
        raise BadInput(
            f"on a grid of {columns}x{rows} all rooms touch the start, which is in its middle",
            fix=f"ask for a larger grid, or {without(['apart'])}",
        )
    beside = 1 + min(columns - 1, 2) + min(rows - 1, 2)
    if refuse == 0 and fewest <= beside:
        problem = (
            f"with a refuse of 0 the first {beside} rooms are the start and those that touch it, and then the end "
            "does not lie apart"
        )
        raise BadInput(problem, fix=f"ask for {beside + 1} rooms or more, raise refuse, or {without(['apart'])}")


def loopless(step: RoomGrid) -> bool:
    """Whether a room is only built where it touches one other."""
    return step.method == "isaac" or (step.method == "neighbours" and min(map(threshold, step.crowded)) >= ONE)


def is_certain(step: RoomGrid) -> bool:
    """Whether chance decides nothing, so that all attempts are alike."""
    if step.method == "drunkard":
        return False
    chances = [threshold(step.refuse), *(() if step.method == "isaac" else map(threshold, step.crowded))]
    return all(chance in (0, ONE) for chance in chances)


def most_without_loops(columns: int, rows: int) -> int:
    """No more rooms than this are on a grid without a loop among them, the middle being one. Not always are there as
    many.

    Between the cells of a grid are (columns - 1) * (rows - 1) loops. A cell that stays empty opens one less than it has
    neighbours, and those with four neighbours are the best.

    >>> [most_without_loops(*grid) for grid in ((5, 1), (2, 2), (3, 3), (8, 8))]
    [5, 3, 7, 47]
    """
    loops, empty = (columns - 1) * (rows - 1), 0
    inner = max(columns - 2, 0) * max(rows - 2, 0)
    # the first room is within, if anything is
    for opened, there in ((3, inner - (inner > 0)), (2, 2 * max(columns - 2, 0) + 2 * max(rows - 2, 0)), (1, 4)):
        some = min(there, -(-loops // opened))
        loops, empty = max(0, loops - some * opened), empty + some
    return columns * rows - empty


def failure(step: RoomGrid, tries: int, failed: dict[str, int], target: int, best: Level) -> UndercroftError:
    """The error for attempts of which none was valid: what failed how often, and what to do about the clause that
    failed most often.
    """
    worst = max(failed, key=lambda clause: failed[clause])
    mend = MENDS[worst]
    if is_certain(step):
        problem = (
            f"nothing is left to chance, and the only grid of {target:,} rooms is not valid: {_quoted(failed)} "
            f"{'fails' if len(failed) == 1 else 'fail'}"
        )
        return BadInput(problem, fix=f"{mend}, choose a refuse between 0 and 1, or {without(failed)}")
    lines = [
        f"no room grid of {tries:,} {'try' if tries == 1 else 'tries'} is valid"
        + (", and they took long" if tries < step.tries else "")
    ]
    lines += [f"    {clause}: failed {number:,} of {tries:,}" for clause, number in failed.items()]
    if worst == "count":
        mend += (
            ", a lower refuse" if step.method != "drunkard" else ", another border" if step.border == "restart" else ""
        )
    error = NotMet(
        "\n".join(lines), fix=f"{mend}, {'more tries, ' if tries == step.tries else ''}or {without([worst])}"
    )
    error.best, error.rejected, error.hopeless = best, failed, True
    return error


def without(clauses: Iterable[str]) -> str:
    """The words for leaving some clauses out."""
    return f"take {_quoted(clauses)} out of valid"


def _quoted(clauses: Iterable[str]) -> str:
    from undercroft.rewrite.lint.finding import listed  # slow to import, and only needed when something is wrong

    return listed([repr(clause) for clause in clauses])


def _too_few(fewest: int, wanting: Sequence[str]) -> BadInput:
    least = max((NEEDS[clause] for clause in wanting), default=1)
    if not fewest:
        why = f": {max(wanting, key=lambda clause: NEEDS[clause])!r} in valid wants as many" if wanting else ""
        return BadInput(TOO_FEW[0], fix=f"ask for {least} {'room' if least == 1 else 'rooms'} or more{why}")
    return BadInput(TOO_FEW[fewest], fix=f"ask for {least} rooms or more, or {without(wanting)}")


def _asked(step: RoomGrid, most: int) -> str:
    """How many rooms are asked for, in words."""
    if step.rooms:
        return f"{most:,} rooms are asked for"
    return f"level {step.level:,} asks for {'up to ' if step.jitter else ''}{most:,} rooms"


def _fewer(step: RoomGrid) -> str:
    return "fewer" if step.rooms else "a lower level"
