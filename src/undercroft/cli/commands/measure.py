"""`undercroft measure`."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, NamedTuple

import click

from undercroft.analysis.measures.table import ALL_MEASURES, MEASURES, check_measures, measure, measure_all
from undercroft.cli.dungeons.input_dungeon import names_dungeon, refuse_reading
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.options.batch_rows import find_batch
from undercroft.cli.options.input_level import (
    build_file_option_error,
    is_recipe,
    list_missing_ends,
    load_or_generate_level,
)
from undercroft.cli.options.reading import ReadOptions, reading_options
from undercroft.cli.output.number_lines import format_measures
from undercroft.cli.stdio import is_terminal, write_stdout
from undercroft.core.level import Level
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files
from undercroft.inputs.json import format_json_indented

FILE_SUFFIXES = {"--json": ".json", "--csv": ".csv"}
"""Options whose file may be left out: then they write to standard output."""
MANY_LEVELS_OPTIONS = (
    "plot",
    "x",
    "y",
    "x_range",
    "y_range",
    "bins",
    "compare",
    "compare_settings",
    "vary",
    "workers",
)
"""Options that only make sense for many levels."""
OPTION_WORDS = {
    "settings": "--set",
    "compare_settings": "--compare-set",
    "x_range": "--x-range",
    "y_range": "--y-range",
    "json_file": "--json",
    "csv_file": "--csv",
}
"""The words of options whose variables have other names."""


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
@click.argument("what", metavar="FILE|FOLDER|RECIPE")
@click.argument("words", metavar="[FILE|FOLDER|RECIPE|MEASURE]...", nargs=-1)
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
    "--vary",
    metavar="NAME=VALUES",
    multiple=True,
    help="With --seeds, vary a parameter: 0.35..0.5 draws a value for each seed, 0.35..0.5:4 or 1,2,3 measure each "
    "seed with each value; repeatable. The values are columns.",
)
@click.option(
    "--measures", metavar="NAME,NAME", multiple=True, help="Measures, or all, beside those that are named; repeatable."
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
@click.option(
    "--plot",
    metavar="FILE",
    help="Plot the levels over two measures, and draw those at the corners, as a .png, .svg or .pdf file.",
)
@click.option("--x", metavar="MEASURE", help="The measure on the x axis of the plot; linearity by default.")
@click.option("--y", metavar="MEASURE", help="The measure on the y axis of the plot; density by default.")
@click.option("--x-range", metavar="A..B", help="The ends of the x axis; by default, those of the numbers.")
@click.option("--y-range", metavar="A..B", help="The ends of the y axis; by default, those of the numbers.")
@click.option(
    "--bins", metavar="N|NxM", help="The number of bins along both axes; by default, it depends on the numbers."
)
@click.option(
    "--compare",
    metavar="RECIPE",
    multiple=True,
    help="Measure another recipe with the same seeds, and draw it beside the first; repeatable. 'cave fill_prob=0.4' "
    "sets a parameter of it.",
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
@click.option("--add", is_flag=True, help="Write the measures into the files of a batch, as further columns.")
@click.option("--quiet", is_flag=True, help="Print only the requested output.")
def command(
    what: str,
    words: tuple[str, ...],
    read_as: str | None,
    palette: str | None,
    read_cell: int | None,
    start: str | None,
    end: str | None,
    **options: Any,
) -> int:
    """Print numbers about the level in FILE (- is standard input), or about those that RECIPE makes or that a batch
    holds in FOLDER. 'undercroft list measures' explains them. FOLDER#SEED is one level of a batch. FILE, FOLDER and
    RECIPE may also be dungeons: then rooms[3] is a number of floor 3, and rooms the sum of all floors.

    Several files are measured one by one. With --seeds, or of a FOLDER, many levels are measured: the least, median,
    mean and greatest of each measure are printed, of several recipes or folders one after the other.
    After Ctrl-C the command prints, writes and draws the results so far. The exit code is 1 if a recipe gives no
    level, 3 if seeds had to be given up, and 130 if the command was interrupted.
    """
    reading = ReadOptions(read_as, palette, read_cell, start, end)
    if not reading.read_as and names_dungeon(values.split_recipe(what)[0]):
        from undercroft.cli.dungeons.measure_dungeons import measure_dungeons

        refuse_reading(what, reading)
        return measure_dungeons((what, *words), options)
    subjects = _sort_words(what, words, reading)
    wanted = check_measures([*subjects.measures, *values.parse_measures(options.pop("measures"))])
    if (start is not None or end is not None) and (options["add"] or options["seeds"] is not None or subjects.folders):
        raise BadInput("--start and --end are cells of one level, and these are many", fix="leave them out")
    if options.pop("add"):
        return _add_measures(subjects, wanted, options)
    if options["seeds"] is None and not subjects.folders:
        _refuse_many_levels_options(subjects, reading, options)
        if len(subjects.files) > 1:
            return _measure_files(subjects, wanted, reading, options)
        if subjects.files or not subjects.recipes[1:]:
            return _measure_one_subject(subjects, wanted, reading, options)
        raise BadInput("several recipes are measured by their seeds", fix="add --seeds, for example --seeds 0..999")
    if subjects.files:
        raise build_file_option_error(subjects.files[0], reading)
    return _measure_many(subjects, wanted, **options)


class MeasuredSubjects(NamedTuple):
    """The words of a command line, by what they are."""

    measures: list[str]
    recipes: list[str]
    folders: list[str]
    """Folders of batches."""
    files: list[str]
    """Files and levels of batches."""


def _sort_words(what: str, words: tuple[str, ...], reading: ReadOptions) -> MeasuredSubjects:
    found = MeasuredSubjects([], [], [], [])
    for place, word in enumerate((what, *words)):
        if place and (word in MEASURES or word == ALL_MEASURES):
            found.measures.append(word)
        elif is_recipe(values.split_recipe(word)[0], reading):
            found.recipes.append(word)
        elif (batch := find_batch(word)) is not None:
            (found.folders if batch.row is None else found.files).append(word)
        elif not place or _is_file_word(word):
            found.files.append(word)
        else:
            raise _build_unknown_error(word)
    if found.files and (found.recipes or found.folders):
        raise BadInput(
            f"{found.files[0]} is one level, and {(found.recipes + found.folders)[0]} gives many",
            fix="measure files by themselves",
        )
    return found


def _is_file_word(word: str) -> bool:
    """Whether a word after the first names a file: one that exists."""
    return word == "-" or (word not in click.get_current_context().meta and files.is_file(Path(word)))


def _refuse_many_levels_options(subjects: MeasuredSubjects, reading: ReadOptions, options: dict[str, Any]) -> None:
    """Raise for options that are about many levels, or about recipes."""
    if subjects.files and any(options[name] for name in ("seed", "seeds", "size", "settings")):
        raise build_file_option_error(subjects.files[0], reading)
    needless = MANY_LEVELS_OPTIONS if len(subjects.files) > 1 else ("csv_file", *MANY_LEVELS_OPTIONS)
    for name in needless:
        if options[name]:
            word = OPTION_WORDS.get(name, f"--{name}")
            raise BadInput(
                f"{word} is for many levels" + (f", and {subjects.files[0]} is one" if subjects.files else ""),
                fix="leave it out" if subjects.files else "add --seeds, for example --seeds 0..999",
            )


def _add_measures(subjects: MeasuredSubjects, wanted: tuple[str, ...], options: dict[str, Any]) -> int:
    from undercroft.cli.many_levels.add_measures import add_measures_to_batch

    if len(subjects.folders) != 1 or subjects.recipes or subjects.files:
        raise BadInput("--add writes into the files of one batch", fix="name its folder alone, and some measures")
    if not wanted:
        raise BadInput("--add needs some measures", fix="name them, or say all")
    given = [name for name, value in options.items() if value and name not in ("workers", "quiet")]
    if given:
        word = OPTION_WORDS.get(given[0], f"--{given[0]}")
        raise BadInput(f"{word} does not go with --add", fix="leave one of them out")
    return add_measures_to_batch(subjects.folders[0], wanted, workers=options["workers"], quiet=options["quiet"])


def _measure_many(subjects: MeasuredSubjects, wanted: tuple[str, ...], **options: Any) -> int:
    from undercroft.cli.many_levels.measure_seeds import MeasureRequest, measure_seeds

    if options.pop("seed") is not None:
        raise BadInput("--seed is one level, and --seeds are many", fix="leave one of them out")
    if options["seeds"] is None and subjects.recipes:
        raise BadInput(
            f"{subjects.recipes[0]} is a recipe, and no seeds are named", fix="add --seeds, for example --seeds 0..999"
        )
    if subjects.folders and not subjects.recipes:
        for name in ("seeds", "size", "settings", "vary"):
            if options[name]:
                word = OPTION_WORDS.get(name, f"--{name}")
                raise BadInput(f"{word} is about recipes, and {subjects.folders[0]} is a batch", fix="leave it out")
    return measure_seeds(
        MeasureRequest(
            recipes=tuple(subjects.recipes),
            folders=tuple(subjects.folders),
            measures=wanted,
            json=options.pop("json_file"),
            csv=options.pop("csv_file"),
            **options,
        )
    )


def _measure_files(
    subjects: MeasuredSubjects, wanted: tuple[str, ...], reading: ReadOptions, options: dict[str, Any]
) -> int:
    from undercroft.cli.many_levels.measure_files import FileOutputs, measure_files

    outputs = FileOutputs(options["json_file"], options["csv_file"], options["quiet"])
    return measure_files(subjects.files, wanted, reading, outputs)


def _measure_one_subject(
    subjects: MeasuredSubjects, wanted: tuple[str, ...], reading: ReadOptions, options: dict[str, Any]
) -> int:
    what = (subjects.files + subjects.recipes)[0]
    name, own = values.split_recipe(what) if subjects.recipes else (what, ())
    level = load_or_generate_level(
        name, reading, seed=options["seed"], size=options["size"], settings=(*own, *options["settings"])
    )
    _measure_one(what, level, wanted, options["json_file"], quiet=options["quiet"])
    return 0


def _measure_one(what: str, level: Level, wanted: tuple[str, ...], json_file: str | None, *, quiet: bool) -> None:
    """Measure one level, and print the numbers."""
    try:
        numbers, left_out = (measure(level, *wanted), {}) if wanted else measure_all(level)
    except BadInput as error:
        error.problem = f"{what}: {error.problem}"
        raise
    wrong = {name: error for name, error in left_out.items() if isinstance(error, BadInput)}
    if json_file:
        from undercroft.bulk.study_record import RECORD_KEY, build_study_record

        record = build_study_record(numbers, size=list(level.size))
        data = format_json_indented({**numbers, RECORD_KEY: record}).encode()
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
    elif "." in name or "/" in name:
        error.fix = "what follows the first word are measures, recipes, and files that are there"
    return error
