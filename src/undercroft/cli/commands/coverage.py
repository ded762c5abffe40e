"""`undercroft coverage`."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from undercroft.cli.messages import complain
from undercroft.cli.options import values

if TYPE_CHECKING:
    from undercroft.rewrite.coverage import Recorder, Tally

EVERY = 0.1
"""Seconds between two movements of the progress bar."""


@click.command("coverage")
@click.argument("what", metavar="RULES|RECIPE")
@click.option("--seeds", metavar="A..B", required=True, help="The seeds to run with, B included.")
@click.option("--on", metavar="MAP", help="The map to begin with; - is standard input.")
@click.option("--read-as", metavar="NAME", help="The format of MAP, if its suffix does not say it.")
@click.option(
    "--size",
    metavar="WxH",
    help="Instead of a map: an empty one of this size; the size of the level, if a recipe is run.",
)
@click.option(
    "--steps",
    type=values.STEPS,
    default=0,
    help="At most so many rewrites of a single node, or turns of a larger program; 0 for no limit.",
)
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter, if a recipe is run.")
@click.option(
    "--fail-under",
    metavar="SHARE",
    help="Exit with 1 if a smaller share of the results was used at least once, such as 0.9 or 90%.",
)
@click.option(
    "--json", "json_file", metavar="FILE", help="Write all counts as JSON; - is standard output, without the table."
)
@click.option("--max-steps", type=click.IntRange(min=1), help="Raise the budget of one run.")
@click.option(
    "--lenient",
    is_flag=True,
    help="Read a grammar folder as the first program for them did, with notes instead of errors.",
)
def command(what: str, seeds: str, fail_under: str | None, json_file: str | None, **options: Any) -> int:
    """Run rules, or the recipe that holds them, once for each seed, and count which rules, positions and results are
    used.

    RULES is a .rules file or a folder of grammar rules. Of a recipe every step with rules is counted for itself.
    """
    from undercroft.inputs import files
    from undercroft.rewrite.explain.coverage_report import percent, share

    numbers = values.seeds(seeds)
    least = values.share(fail_under) if fail_under else 0.0
    tally = _counted(what, numbers, **options)
    programs = tally.coverage()
    reached = share(programs)
    used, results = sum(program.used for program in programs), sum(program.results for program in programs)
    data = {"of": what, "seeds": [numbers[0], numbers[-1]], "share": reached, "used": used, "results": results}
    text = (
        json.dumps({**data, "programs": [program.data() for program in programs]}, indent=2, ensure_ascii=False) + "\n"
    )
    if json_file == "-":
        click.echo(text, nl=False)
    else:
        if json_file:
            files.write(json_file, text.encode())
        for program in programs:
            click.echo(f"{program}\n")
        click.echo(f"{used} of {results} results used at least once: {percent(used, results)}")
    if reached < least:
        complain(
            f"{used} of {results} results were used, {percent(used, results)}; --fail-under asks for "
            f"{100 * least:g}%\n  fix: mend the rules, or try more seeds"
        )
        return 1
    return 0


def _counted(what: str, seeds: range, *, lenient: bool, max_steps: int | None, **options: Any) -> Tally:
    """Run with each seed."""
    from undercroft.cli.output.progress import Steps
    from undercroft.errors import NotMet, OutOfBudget, unknown
    from undercroft.recipe.document import names
    from undercroft.rewrite.coverage import MOST_STEPS, Recorder, Tally

    budget = MOST_STEPS if max_steps is None else max_steps
    is_recipe = what in names() or what.endswith(".toml")
    if is_recipe:
        work = _recipe_work(what, budget, **options)
    elif not what.endswith(".rules") and not Path(what).exists():
        raise unknown("rules or recipe", what, names())
    else:
        work = _rules_work(what, budget, lenient=lenient, **options)
    tally = Tally()
    missed = 0
    shown = 0.0
    with Steps(True, [f"seed {seed}" for seed in seeds]) as bar:
        for seed in seeds:
            if bar.wanted and time.monotonic() - shown > EVERY:
                shown = time.monotonic()
                bar.tick(f"seed {seed}")
            recorder = Recorder()
            try:
                work(seed, recorder)
            except NotMet:
                missed += 1
            except OutOfBudget as error:
                error.problem = f"seed {seed}: {error.problem}"
                if not is_recipe:
                    error.fix = f"limit the run with --steps N; or {error.fix}"
                raise
            tally.add(recorder)
    if missed:
        complain(f"note: with {missed} of {len(seeds)} seeds no level was as required; the last try of each is counted")
    return tally


Work = Callable[[int, "Recorder"], object]


def _rules_work(
    what: str,
    budget: int,
    *,
    on: str | None,
    read_as: str | None,
    size: str | None,
    steps: int,
    settings: tuple[str, ...],
    lenient: bool,
) -> Work:
    from undercroft.cli.options.start_map import first_map
    from undercroft.errors import BadInput
    from undercroft.rewrite.rules import Rules

    if settings:
        raise BadInput(f"{what} is no recipe: there is nothing to set", fix="leave --set out")
    rules = Rules.load(what, strict=not lenient)
    for note in rules.notes:
        complain(f"note: {note}")
    level = first_map(rules, on, read_as, size)
    return lambda seed, recorder: rules.apply(level, seed, steps=steps, max_steps=budget, watcher=recorder)


def _recipe_work(
    what: str,
    budget: int,
    *,
    on: str | None,
    read_as: str | None,
    size: str | None,
    steps: int,
    settings: tuple[str, ...],
) -> Work:
    from undercroft.cli.stdio import level_from
    from undercroft.errors import BadInput
    from undercroft.recipe.document import Recipe

    if steps:
        raise BadInput(
            "a recipe says itself how many turns its rules take",
            fix="leave --steps out, or --set a parameter of the recipe",
        )
    recipe = Recipe.load(what)
    if not any(plan.use == "rewrite" for plan in recipe.plans):
        raise BadInput(
            f"{what} has no step 'rewrite', so there are no rules to count",
            fix="name a recipe with rules, a .rules file or a folder",
        )
    begin = level_from(on, read_as) if on else None
    wanted = values.size(size) if size else None
    params = values.settings(settings)
    return lambda seed, recorder: recipe.generate(
        seed=seed, size=wanted, params=params, begin=begin, max_steps=budget, watcher=recorder
    )
