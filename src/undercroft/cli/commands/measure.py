"""`undercroft measure`."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import Any

import click

from undercroft.analysis.measures.table import MEASURES, measure, measure_all
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options.input_level import (
    ReadOptions,
    build_file_option_error,
    is_recipe,
    list_missing_ends,
    load_or_generate_level,
    reading_options,
)
from undercroft.cli.output.number_lines import format_measures
from undercroft.cli.stdio import is_terminal, write_stdout
from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files
from undercroft.inputs.json import format_json_indented

FILE_SUFFIXES = {"--json": ".json", "--csv": ".csv"}
"""Options whose file may be left out: then they write to standard output."""
MANY_LEVELS_OPTIONS = ("csv_file", "plot", "x", "y", "compare", "compare_settings", "workers")
"""Options that only make sense for many levels."""


class OptionalFileCommand(click.Command):
    """`--json loops` is JSON on standard output and the measure loops; `--json all.json` is a file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        filled: list[str] = []
        for place, word in enumerate(args):
            filled.append(word)
            following = args[place + 1] if place + 1 < len(args) else ""
            if word in FILE_SUFFIXES and following != "-" and not following.casefold().endswith(FILE_SUFFIXES[word]):
                filled.append("-")
                ctx.meta[following] = word
        return super().parse_args(ctx, filled)


@click.command("measure", cls=OptionalFileCommand)
@click.argument("what", metavar="FILE|RECIPE")
@click.argument("wanted", metavar="[MEASURE]...", nargs=-1)
@reading_options("FILE")
@click.option("--seed", metavar="N|TEXT", help="The seed, for a recipe; by default, drawn at random and printed.")
@click.option("--seeds", metavar="A..B", help="Measure the levels of these seeds of a recipe, B included.")
@click.option("--size", metavar="WxH", help="The size, for a recipe.")
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter of a recipe; repeatable.",
)
@click.option(
    "--json",
    "json_file",
    metavar="[FILE.json|-]",
    help="Write JSON, with all measures if you name none; without a file, to standard output.",
)
@click.option(
    "--csv",
    "csv_file",
    metavar="[FILE.csv|-]",
    help="Write a line for each level, with all measures if you name none; without a file, to standard output.",
)
@click.option("--plot", metavar="FILE.png", help="Plot the levels over two measures, and draw those at the corners.")
@click.option("--x", metavar="MEASURE", help="The measure on the x axis of the plot; linearity by default.")
@click.option("--y", metavar="MEASURE", help="The measure on the y axis of the plot; density by default.")
@click.option(
    "--compare", metavar="RECIPE", help="Measure another recipe with the same seeds, and draw it beside the first."
)
@click.option(
    "--compare-set",
    "compare_settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter of that other recipe; repeatable.",
)
@click.option(
    "--workers",
    type=int,
    help="The number of worker processes; one a core by default. The result does not depend on it.",
)
@click.option("--quiet", is_flag=True, help="Print only the requested output.")
def command(
    what: str,
    wanted: tuple[str, ...],
    read_as: str | None,
    palette: str | None,
    read_cell: int | None,
    start: str | None,
    end: str | None,
    **options: Any,
) -> int:
    """Print numbers about the level in FILE (- is standard input), or about those that RECIPE makes. 'undercroft list
    measures' explains them.

    With --seeds many levels are measured: the least, median, mean and greatest of each measure are printed.
    After Ctrl-C the command prints, writes and draws the results so far. The exit code is 1 if a recipe gives no
    level, 3 if seeds had to be given up, and 130 if the command was interrupted.
    """
    for name in wanted:
        if name not in MEASURES:
            raise _build_unknown_error(name)
    reading = ReadOptions(read_as, palette, read_cell, start, end)
    if not is_recipe(what, reading) and any(
        options[name] for name in ("seed", "seeds", "size", "settings", *MANY_LEVELS_OPTIONS)
    ):
        raise build_file_option_error(what, reading)
    if options["seeds"] is not None:
        if start is not None or end is not None:
            raise BadInput("--start and --end are cells of one level, and --seeds are many", fix="leave them out")
        return _measure_many(what, wanted, **options)
    for name in MANY_LEVELS_OPTIONS:
        if options[name]:
            word = "--compare-set" if name == "compare_settings" else f"--{name.removesuffix('_file')}"
            raise BadInput(f"{word} is for many levels", fix="add --seeds, for example --seeds 0..999")
    level = load_or_generate_level(
        what, reading, seed=options["seed"], size=options["size"], settings=options["settings"]
    )
    _measure_one(what, level, wanted, options["json_file"], quiet=options["quiet"])
    return 0


def _measure_many(
    what: str, wanted: tuple[str, ...], *, seed: str | None, json_file: str | None, csv_file: str | None, **options: Any
) -> int:
    from undercroft.cli.commands.measure_seeds import MeasureRequest, measure_seeds

    if seed is not None:
        raise BadInput("--seed is one level, and --seeds are many", fix="leave one of them out")
    return measure_seeds(MeasureRequest(recipe=what, measures=wanted, json=json_file, csv=csv_file, **options))


def _measure_one(what: str, level: Level, wanted: tuple[str, ...], json_file: str | None, *, quiet: bool) -> None:
    """Measure one level, and print the numbers."""
    try:
        numbers, left_out = (measure(level, *wanted), {}) if wanted else measure_all(level)
    except BadInput as error:
        error.problem = f"{what}: {error.problem}"
        raise
    wrong = {name: error for name, error in left_out.items() if isinstance(error, BadInput)}
    if json_file:
        data = format_json_indented(numbers).encode()
        if json_file == "-":
            write_stdout(data)
        else:
            files.write_file(json_file, data)
    else:
        for line in format_measures(
            numbers, wanted, get_terminal_size().columns if is_terminal(sys.stdout) else None, wrong
        ):
            print_output(line)
    for text in dict.fromkeys(f"{what}: {error}" for error in wrong.values()):
        print_message(f"note: {text}")
    if any(value is None for value in numbers.values()):
        for text in list_missing_ends(level):
            print_message(f"{what}: {text}")
    given_up = [name for name in left_out if name not in wrong]
    if json_file and given_up:  # the table shows it in its rows
        print_message(
            f"note: {', '.join(given_up)} would take too many steps, and {'is' if len(given_up) == 1 else 'are'} left "
            "out"
        )
    if json_file and json_file != "-" and not quiet:
        print_message(f"written to {json_file}")


def _build_unknown_error(name: str) -> BadInput:
    error = unknown_name_error("measure", name, MEASURES)
    option = click.get_current_context().meta.get(name)
    if option and "." in name:
        error.fix = f"a file after {option} ends in {FILE_SUFFIXES[option]}; for any other name write {option}={name}"
    elif "." in name:
        error.fix = "name one file or recipe only; what follows it are measures"
    return error
