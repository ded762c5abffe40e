"""`undercroft solve`."""

from __future__ import annotations

from collections.abc import Iterable

import click

from undercroft.analysis.solver.solve import solve
from undercroft.cli.commands import flows
from undercroft.cli.dungeons.input_dungeon import names_dungeon, refuse_reading
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.options.input_level import list_missing_ends, load_or_generate_level
from undercroft.cli.options.reading import ReadOptions, reading_options
from undercroft.cli.output.solution_data import build_flow_solution_data, build_solution_data
from undercroft.core.run import Run
from undercroft.errors import BadInput, UndercroftError

NO_ENDS_FIX = "mark the start with < and the end with > in a text file, or put them with the step 'ends' of a recipe"


@click.command("solve")
@click.argument("what", metavar="FILE|RECIPE")
@reading_options("FILE")
@click.option("--seed", metavar="N|TEXT", help="The seed, for a recipe; by default, drawn at random and printed.")
@click.option("--size", metavar="WxH", help="The size, for a recipe.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter of a recipe; repeatable.",
)
@click.option("--unlosable", is_flag=True, help="Exit with 1 also for a level that can be lost.")
@click.option("--max-steps", type=click.IntRange(min=1), metavar="N", help="Raise the budget of the search.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with every cell of the path.")
def command(
    what: str,
    read_as: str | None,
    palette: str | None,
    read_cell: int | None,
    start: str | None,
    end: str | None,
    seed: str | None,
    size: str | None,
    settings: tuple[str, ...],
    unlosable: bool,
    max_steps: int | None,
    as_json: bool,
) -> int:
    """Prove that the level in FILE (- is standard input), or the one that RECIPE makes, can be solved: past its locks,
    with its keys and switches. A flow (.flow, .dot, .graphml) is solved room by room, before there is a level.

    Prints the shortest path event by event, each with the number of steps so far; then whether the level can be lost,
    and how. The exit code is 0 if it can be solved, 1 if it cannot, and 3 if the search was given up because there are
    too many states. Of a dungeon, each floor is solved by itself: a recipe, a file of floors, or a folder.
    """
    reading = ReadOptions(read_as, palette, read_cell, start, end)
    if flows.is_flow_file(what):
        refuse_level_options(what, (read_as, palette, read_cell, start, end, seed, size, *settings))
        return solve_flow_file(what, unlosable, max_steps, as_json)
    if names_dungeon(what):
        from undercroft.cli.dungeons.solve_floors import solve_dungeon

        refuse_reading(what, reading)
        return solve_dungeon(
            what,
            seed=seed,
            size=size,
            settings=settings,
            unlosable=unlosable,
            max_steps=max_steps,
            as_json=as_json,
        )
    level = load_or_generate_level(what, reading, seed=seed, size=size, settings=settings)
    try:
        solution = solve(level, run=Run(budget=max_steps))
    except UndercroftError as error:
        error.problem = f"{what}: {error.problem}"
        raise
    if as_json:
        print_json(build_solution_data(solution))
    else:
        print_output(str(solution))
    several = list_missing_ends(level)
    for text in several:
        print_message(f"{what}: {text}")
    if (level.start is None or level.end is None) and not several:
        missing = "start" if level.start is None else "end"
        print_message(
            f"{what} has no {missing if level.start or level.end else 'start and no end'}\n  fix: {NO_ENDS_FIX}"
        )
    return 0 if solution.solvable and (solution.unlosable or not unlosable) else 1


def refuse_level_options(what: str, said: Iterable[object]) -> None:
    """Raise if options about levels and recipes were given with a flow."""
    if any(said):
        raise BadInput(
            f"{what} is a flow, and no level or recipe",
            fix="leave out all options but --unlosable, --max-steps and --json",
        )


def solve_flow_file(what: str, unlosable: bool, max_steps: int | None, as_json: bool) -> int:
    """Solve a flow, and print how. Returns the exit code."""
    from undercroft.flows.files import load_flow

    source = load_flow(what)
    try:
        solution = solve(source.flow, run=Run(budget=max_steps))
    except UndercroftError as error:
        error.problem = f"{what}: {error.problem}"
        raise
    if as_json:
        print_json(build_flow_solution_data(solution))
    else:
        print_output(str(solution))
    for note in source.notes:
        print_message(f"note: {what}: {note}")
    return 0 if solution.solvable and (solution.unlosable or not unlosable) else 1
