"""`undercroft solve` of a dungeon: floor by floor, from the stairs by which one comes to those by which one goes on."""

from __future__ import annotations

from undercroft.analysis.solver.solve import Solution, solve
from undercroft.cli.dungeons.input_dungeon import load_or_make_dungeon
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.output.solution_data import build_solution_data
from undercroft.core.dungeon import Dungeon
from undercroft.core.run import Run
from undercroft.errors import UndercroftError
from undercroft.wording import join_words, plural


def solve_dungeon(
    what: str,
    *,
    seed: str | None,
    size: str | None,
    settings: tuple[str, ...],
    unlosable: bool,
    max_steps: int | None,
    as_json: bool,
) -> int:
    """Solve each floor, and print the results; returns the exit code."""
    dungeon = load_or_make_dungeon(what, seed=seed, size=size, settings=settings)
    solutions = _solve_floors(what, dungeon, max_steps)
    failed = [id_ for id_, found in solutions.items() if not found.solvable]
    losable = [id_ for id_, found in solutions.items() if found.solvable and not found.unlosable]
    if as_json:
        floors = [{"floor": id_, **build_solution_data(found)} for id_, found in solutions.items()]
        print_json({"solvable": not failed, "unlosable": not failed and not losable, "floors": floors})
    else:
        for id_, found in solutions.items():
            print_output(f"floor {id_}")
            print_output("\n".join(f"  {line}" for line in str(found).splitlines()))
        if failed:
            print_output(f"not solved: {join_words(failed)}")
        elif losable:
            print_output(f"all {plural(len(dungeon), 'floor')} solved; these can be lost: {join_words(losable)}")
        else:
            print_output(f"all {plural(len(dungeon), 'floor')} solved, and none can be lost")
        print_message("note: each floor is solved by itself, with the keys that lie on it")
    return 0 if not failed and not (losable and unlosable) else 1


def _solve_floors(what: str, dungeon: Dungeon, max_steps: int | None) -> dict[str, Solution]:
    found = {}
    for floor in dungeon:
        try:
            found[floor.id] = solve(floor.level, run=Run(budget=max_steps))
        except UndercroftError as error:
            error.problem = f"{what}, floor {floor.id}: {error.problem}"
            raise
    return found
