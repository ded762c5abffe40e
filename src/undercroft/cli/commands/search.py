"""`undercroft search`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from undercroft import limits
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.options import values as words
from undercroft.cli.output.nearest_level import show_nearest
from undercroft.cli.output.progress import ProgressBar
from undercroft.cli.output.search_commands import (
    format_generate_command,
    format_resume_command,
    format_search_command,
    format_value,
    list_seeds_left,
)
from undercroft.errors import BadInput
from undercroft.inputs import files
from undercroft.recipe.dungeon.document import is_dungeon_recipe
from undercroft.recipe.request import DEFAULT_SEARCH_TRIES
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.bulk.search.search import Search, SearchHit

DEFAULT_MEMORY_MB = limits.WORKER_MEMORY.value >> 20
"""The default memory of one worker, in megabytes."""


@click.command("search")
@click.argument("recipe")
@click.option("--seeds", metavar="A..B", default="0..99999", show_default=True, help="The seeds to try, B included.")
@click.option(
    "--until", metavar="EXPR", multiple=True, help="A requirement on the level, such as 'loops >= 2'; repeatable."
)
@click.option("--take", type=int, default=5, show_default=True, help="Stop when this many are found.")
@click.option(
    "--sort",
    metavar="MEASURE",
    default="",
    help="Try all seeds, and take those with the largest number; -MEASURE for the smallest.",
)
@click.option(
    "--vary",
    metavar="NAME=A..B",
    multiple=True,
    help="Draw a parameter at random for each seed; A..B:N tries N values with each, X,Y,Z tries these. Repeatable.",
)
@click.option(
    "--measures",
    metavar="NAME,NAME",
    multiple=True,
    help="Further measures to print ('undercroft list measures'), or all; repeatable.",
)
@click.option("--size", metavar="WxH", help="Width and height in cells.")
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe; repeatable."
)
@click.option(
    "--tries",
    type=int,
    default=DEFAULT_SEARCH_TRIES,
    show_default=True,
    help="The most attempts for a seed (with each combination of values) to meet the requirements of the recipe.",
)
@click.option(
    "--workers",
    type=int,
    help="The number of worker processes; one a core by default. The result does not depend on it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--sheet", metavar="FILE.png", help="Also draw the levels that were found on one picture.")
@click.option("--max-cells", type=int, help="Raise the limit of cells.")
@click.option("--max-steps", type=int, help="Raise the budget of one attempt.")
@click.option(
    "--max-memory",
    type=click.IntRange(256, limits.WORKER_MEMORY_SETTING.value >> 20),
    default=DEFAULT_MEMORY_MB,
    show_default=True,
    metavar="MB",
    help="The memory limit of one worker. If levels are so large that it matters, only workers do the work, even a "
    "single one.",
)
@click.option("--quiet", is_flag=True, help="Print only the seeds that were found.")
def command(**options: Any) -> int:
    """Find seeds of RECIPE whose levels meet the requirements, in order, and stop when there are enough. Of a dungeon
    recipe, whole dungeons are searched: --until 'rooms[3] >= 9' asks it of floor 3.

    After Ctrl-C the command prints what it found so far, and how to go on. The exit code is 1 if nothing was found, 3
    if seeds had to be given up, and 130 if the command was interrupted.
    """
    if is_dungeon_recipe(options["recipe"]):
        from undercroft.cli.dungeons.search_dungeons import search_dungeons

        return search_dungeons(options)
    return run_search(options, **options)


def run_search(
    given: Mapping[str, Any],
    recipe: str,
    seeds: str,
    take: int,
    vary: tuple[str, ...],
    measures: tuple[str, ...],
    size: str | None,
    settings: tuple[str, ...],
    sheet: str | None,
    max_memory: int,
    quiet: bool,
    as_json: bool,  # noqa: ARG001 - the results are printed as `given` says
    **options: Any,
) -> int:
    """Run the command with typed options. `given` are all options, for the commands that are named at the end."""
    from undercroft.bulk.search.search import Search
    from undercroft.recipe.document import Recipe
    from undercroft.recipe.variation import parse_variations

    _check_options(take, sheet)
    loaded = Recipe.load(recipe)
    with ProgressBar(not quiet, left=True) as bar:
        search = Search(
            loaded,
            words.parse_seeds(seeds, limited=False),
            take=take,
            vary=parse_variations(vary, loaded),
            measures=words.parse_measures(measures),
            size=words.parse_size(size) if size else None,
            params=words.parse_settings(settings),
            memory=max_memory << 20,
            progress=(lambda current: _show_progress(bar, current)) if bar.wanted else None,
            **options,
        )
        interrupted = False
        try:
            for _ in search:
                pass
        except KeyboardInterrupt:
            interrupted = True
            search.close()
    return _print_results(search, given, interrupted=interrupted)


def _check_options(take: int, sheet: str | None) -> None:
    """Raise for impossible options before hours are spent on the search."""
    if take < 1:
        raise BadInput(
            f"--take is a whole number from 1, not {take}",
            fix="to take all of them, give the number of seeds",
        )
    if sheet is None:
        return
    if not sheet.lower().endswith(".png"):
        raise BadInput(f"a sheet is a PNG picture, not {sheet!r}", fix="for example --sheet found.png")
    files.check_target(sheet)


def _show_progress(bar: ProgressBar, search: Search) -> None:
    """Update the progress bar."""
    bar.show(
        search.tried, search.total, f"{len(search.kept):,} found", f"{search.tried / max(bar.seconds, 1e-6):,.0f}/s"
    )


def _print_results(search: Search, options: Mapping[str, Any], *, interrupted: bool) -> int:
    """Print the hits; returns the exit code. `options` are those of the command."""
    from undercroft.bulk.search.search_work import NOT_MADE

    sheet, quiet = options["sheet"], options["quiet"]
    found = search.kept
    if options["as_json"]:
        print_json(_build_data(search, interrupted))
    elif found:
        for line in format_hits(found, search):
            print_output(line)
    written = f", written to {sheet}" if found and sheet and _write_sheet(search, options) else ""
    for cause, seeds in _group_given_up(search).items():
        many = (
            f"seeds {', '.join(map(str, seeds[:9]))}{', ...' if len(seeds) > 9 else ''} were"
            if len(seeds) > 1
            else f"seed {seeds[0]} was"
        )
        print_message(f"note: {many} given up: each time the worker ended ({cause})")
    for cause, count in search.nothing.items():
        within = f" within {plural(search.request.tries, 'try')}" if cause == NOT_MADE else ""
        print_message(f"note: {count:,} of {plural(search.tried, 'level')} {cause}{within}")
    if search.unsorted:
        print_message(f"note: {plural(search.unsorted, 'level')} left out: there is no number to sort by")
    if interrupted:
        resume = format_resume_command(options, search)
        go_on = f"; to go on: {resume}" if resume else ""
        print_message(f"interrupted after {plural(search.tried, 'level')}; {len(found):,} found{written}{go_on}")
        if not found and search.tried:
            _print_nothing_found(search, quiet=quiet)
        return 130
    if not found and not search.poisoned:
        _print_nothing_found(search, quiet=quiet)
        return 1
    if found and not quiet:
        print_message(
            f"{len(found):,} found in {plural(search.tried, 'level')}{written}; to see the first: "
            f"{format_generate_command(options, found[0])}"
        )
    return 3 if search.poisoned else 0


def _write_sheet(search: Search, options: Mapping[str, Any]) -> bool:
    """Write the sheet, and print a note if not all hits are on it."""
    from undercroft.bulk.search.fitting_sheet import render_fitting_sheet

    data, count = render_fitting_sheet(search, format_search_command(options))
    files.write_file(options["sheet"], data)
    if count < len(search.kept):
        print_message(
            f"note: the first {count:,} of {len(search.kept):,} are on the sheet, and no more fit: --take fewer to "
            "see all"
        )
    return True


def _group_given_up(search: Search) -> dict[str, list[int]]:
    """The seeds that were given up, by cause."""
    found: dict[str, list[int]] = {}
    for task, cause in search.poisoned:
        found.setdefault(cause, []).extend(seed for seed, _ in task)
    return found


def format_hits(found: list[SearchHit], search: Search) -> list[str]:
    """The hits as a table, one on each line."""
    rows = [["seed", *search.vary.names, *search.measures]]
    rows += [
        [
            str(one.seed),
            *(format_value(one.params[name]) for name in search.vary.names),
            *map(format_value, one.measures.values()),
        ]
        for one in found
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{word:>{width}}" for word, width in zip(row, widths, strict=True)) for row in rows]


def _build_data(search: Search, interrupted: bool) -> dict[str, Any]:
    from undercroft.bulk.study_record import RECORD_KEY, build_study_record

    nearest = search.nearest if not search.kept else None
    left = list_seeds_left(search)
    return {
        RECORD_KEY: build_study_record(search.measures, [search.request], vary=search.vary.format_texts()),
        "recipe": search.recipe.name,
        "size": list(search.size),
        "tried": search.tried,
        "found": [_build_hit_data(one) for one in search.kept],
        "rejected": search.rejected,
        "nearest": nearest and {**_build_hit_data(nearest), "distance": round(search.distance, 6)},
        "without_a_level": search.nothing,
        "given_up": [
            {"seeds": list(map(str, seeds)), "cause": cause} for cause, seeds in _group_given_up(search).items()
        ],
        "interrupted": interrupted,
        "next_seed": str(left[0]) if interrupted and left else None,
    }


def _build_hit_data(found: SearchHit) -> dict[str, Any]:
    """A hit as plain data. Seeds are strings: many JSON readers have no integers that large."""
    return {"seed": str(found.seed), "attempt": found.attempt, "params": found.params, "measures": found.measures}


def _print_nothing_found(search: Search, *, quiet: bool) -> None:
    """Print why nothing was found: how often each requirement failed, and the nearest level."""
    lines = [f"no level of {search.tried:,} is as required", *(f"    {line}" for line in search.tally.lines())]
    nearest = search.nearest
    if nearest is not None:
        values = {**nearest.params, **nearest.measures}
        lines.append(
            f"    nearest: seed {nearest.seed}, off by {search.distance:.2g}: "
            f"{', '.join(f'{name} {format_value(value)}' for name, value in values.items())}"
        )
    print_message("\n".join([*lines, "  fix: ask for less, set or --vary the parameters, or look at more --seeds"]))
    if nearest is not None and not quiet:
        show_nearest(nearest.level)
