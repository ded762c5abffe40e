"""`undercroft coverage`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from undercroft import limits
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.options.palettes import RULES_PALETTE_OPTION
from undercroft.inputs.files import is_file, is_folder
from undercroft.inputs.json import format_json_indented

if TYPE_CHECKING:
    from undercroft.rewrite.coverage import CoverageTally, Recorder

PROGRESS_SECONDS = 0.1
"""Seconds between two updates of the progress bar."""


@click.command("coverage")
@click.argument("what", metavar="RULES|RECIPE")
@click.option("--seeds", metavar="A..B", required=True, help="The seeds to run with, B included.")
@click.option("--on", metavar="MAP", help="The start map; - is standard input.")
@click.option("--read-as", metavar="NAME", help="The format of MAP, if its suffix does not determine it.")
@RULES_PALETTE_OPTION
@click.option(
    "--size",
    metavar="WxH",
    help="Use an empty map of this size; with a recipe, the size of the level.",
)
@click.option(
    "--steps",
    type=values.STEP_LIMIT_TYPE,
    default=0,
    help="The greatest number of rewrites of a single node, or of turns of a larger program; 0 for no limit.",
)
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of a recipe; repeatable.")
@click.option(
    "--fail-under",
    metavar="SHARE",
    help="Exit with 1 if a smaller share of the results was used, such as 0.9 or 90%.",
)
@click.option(
    "--json", "json_file", metavar="FILE", help="Write all counts as JSON; - is standard output, without the table."
)
@click.option("--max-steps", type=click.IntRange(min=1), help="Raise the budget of one run.")
@click.option(
    "--lenient",
    is_flag=True,
    help="Read a grammar folder as the first program for such folders did, with notes instead of errors.",
)
def command(what: str, seeds: str, fail_under: str | None, json_file: str | None, **options: Any) -> int:
    """Run rules, or the recipe that holds them, once for each seed, and count which rules, positions and results are
    used.

    RULES is a .rules file or a folder of grammar rules. In a recipe, each step with rules is counted separately.
    """
    from undercroft.inputs import files
    from undercroft.rewrite.explain.coverage_report import format_percent, used_share

    numbers = values.parse_seeds(seeds)
    least = values.parse_share(fail_under) if fail_under else 0.0
    tally = _count_coverage(what, numbers, **options)
    programs = tally.coverage()
    reached = used_share(programs)
    used, results = sum(program.used_count for program in programs), sum(program.result_count for program in programs)
    data = {"of": what, "seeds": [numbers[0], numbers[-1]], "share": reached, "used": used, "results": results}
    text = format_json_indented({**data, "programs": [program.data() for program in programs]})
    if json_file == "-":
        print_output(text, newline=False)
    else:
        if json_file:
            files.write_file(json_file, text.encode())
        for program in programs:
            print_output(f"{program}\n")
        print_output(f"{used} of {results} results used at least once: {format_percent(used, results)}")
    if reached < least:
        print_message(
            f"{used} of {results} results were used, {format_percent(used, results)}; --fail-under asks for "
            f"{100 * least:g}%\n  fix: correct the rules, or try more seeds"
        )
        return 1
    return 0


def _count_coverage(what: str, seeds: range, *, lenient: bool, max_steps: int | None, **options: Any) -> CoverageTally:
    """Count coverage over the seeds, with a progress bar."""
    from undercroft.cli.output.progress import StepProgressBar
    from undercroft.errors import OutOfBudget, unknown_name_error
    from undercroft.recipe.catalogue import names
    from undercroft.rewrite.coverage import count_coverage

    budget = limits.COVERAGE_STEPS.value if max_steps is None else max_steps
    is_recipe = what in names() or what.endswith(".toml")
    if is_recipe:
        work = _build_recipe_run(what, budget, **options)
    elif not what.endswith(".rules") and not is_file(what) and not is_folder(what):
        raise unknown_name_error("rules or recipe", what, names())
    else:
        work = _build_rules_run(what, budget, lenient=lenient, **options)
    seed, shown = 0, 0.0
    with StepProgressBar(True, [f"seed {seed}" for seed in seeds]) as bar:

        def show_seed(current: int) -> None:
            nonlocal seed, shown
            seed = current
            if bar.wanted and time.monotonic() - shown > PROGRESS_SECONDS:
                shown = time.monotonic()
                bar.show_step(f"seed {seed}")

        try:
            tally = count_coverage(work, seeds, show_seed)
        except OutOfBudget as error:
            error.problem = f"seed {seed}: {error.problem}"
            if not is_recipe:
                error.fix = f"limit the run with --steps N; or {error.fix}"
            raise
    if tally.unmet:
        print_message(
            f"note: with {tally.unmet} of {len(seeds)} seeds no level was as required; the last try of each is counted"
        )
    return tally


CoverageRun = Callable[[int, "Recorder"], object]


def _build_rules_run(
    what: str,
    budget: int,
    *,
    on: str | None,
    read_as: str | None,
    palette: str | None,
    size: str | None,
    steps: int,
    settings: tuple[str, ...],
    lenient: bool,
) -> CoverageRun:
    from undercroft.cli.options.start_map import load_rules, resolve_start_map
    from undercroft.errors import BadInput

    if settings:
        raise BadInput(f"{what} is no recipe: there is nothing to set", fix="leave --set out")
    rules = load_rules(what, lenient=lenient, palette=palette)
    for note in rules.notes:
        print_message(f"note: {note}")
    level = resolve_start_map(rules, on, read_as, size, palette=palette)
    return lambda seed, recorder: rules.apply(level, seed, steps=steps, max_steps=budget, watcher=recorder)


def _build_recipe_run(
    what: str,
    budget: int,
    *,
    on: str | None,
    read_as: str | None,
    palette: str | None,
    size: str | None,
    steps: int,
    settings: tuple[str, ...],
) -> CoverageRun:
    from undercroft.cli.options.input_level import read_input_level
    from undercroft.cli.options.reading import ReadOptions
    from undercroft.errors import BadInput
    from undercroft.recipe.document import Recipe
    from undercroft.recipe.request import Request
    from undercroft.recipe.run import run_request

    if steps:
        raise BadInput(
            "a recipe sets the number of turns of its rules itself",
            fix="leave --steps out, or --set a parameter of the recipe",
        )
    if palette and not on:
        raise BadInput("a recipe has its own palette, and there is no map to read", fix="leave --palette out")
    recipe = Recipe.load(what)
    if not any(plan.use == "rewrite" for plan in recipe.plans):
        raise BadInput(
            f"{what} has no step 'rewrite', so there are no rules to count",
            fix="name a recipe with rules, a .rules file or a folder",
        )
    request = Request(
        recipe,
        size=values.parse_size(size) if size else None,
        params=values.parse_settings(settings),
        begin=read_input_level(on, ReadOptions(read_as, palette)) if on else None,
        max_steps=budget,
    )
    return lambda seed, recorder: run_request(request.for_seed(seed), watcher=recorder).unwrap()
