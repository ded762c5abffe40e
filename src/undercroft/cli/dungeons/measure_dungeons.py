"""`undercroft measure` of dungeons: one, several files and folders, or those of many seeds."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from shutil import get_terminal_size
from statistics import fmean, median
from typing import Any

from undercroft.analysis.measures.dungeon_measures import DungeonFacts, split_floor
from undercroft.analysis.measures.table import (
    DUNGEON_MEASURES,
    MEASURES,
    Number,
    check_measures,
    measure_all,
    measure_editions,
    measure_one,
)
from undercroft.bulk.dungeon_batch import is_dungeon_batch, list_dungeons
from undercroft.bulk.dungeon_rows import DungeonRow, make_rows, resolve_measures
from undercroft.bulk.study_record import RECORD_KEY, build_study_record, digest_editions
from undercroft.cli.dungeons.input_dungeon import load_or_make_dungeon, names_dungeon, refuse_options
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.options.output_files import write_outputs
from undercroft.cli.output.number_lines import format_measures
from undercroft.cli.output.progress import ProgressBar
from undercroft.cli.stdio import is_terminal
from undercroft.errors import BadInput, OutOfBudget, UndercroftError, unknown_name_error
from undercroft.inputs.json import format_json_indented
from undercroft.recipe.dungeon.document import DungeonRecipe, is_dungeon_recipe
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.version import VERSION
from undercroft.wording import plural

LEVEL_OPTIONS = {
    **{name: f"--{name}" for name in ("plot", "x", "y", "bins", "compare", "vary", "add")},
    "x_range": "--x-range",
    "y_range": "--y-range",
    "compare_settings": "--compare-set",
}
"""Options of the command that are about single levels."""


def measure_dungeons(words: Sequence[str], options: Mapping[str, Any]) -> int:
    """Measure what the words name; returns the exit code."""
    subjects, named = _sort_words(words)
    refuse_options(subjects[0], {word: options[name] for name, word in LEVEL_OPTIONS.items()})
    wanted = check_measures([*named, *values.parse_measures(options["measures"])], DUNGEON_MEASURES)
    if options["json_file"] == options["csv_file"] == "-":
        raise BadInput("standard output takes one of them, --json or --csv", fix="name a file for the other")
    if options["seeds"] is not None:
        return _measure_seeds(subjects, wanted, options)
    if len(subjects) == 1 and not options["csv_file"]:
        return _measure_one(subjects[0], wanted, options)
    rows = {what: _measure(what, resolve_measures(wanted), options) for what in subjects}
    _write_rows("file", rows, options)
    return 0


def _sort_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Dungeons, and measures."""
    subjects, named = _open(words[0]), []
    for word in words[1:]:
        if word in DUNGEON_MEASURES or word == "all":
            named.append(word)
        elif names_dungeon(word):
            subjects += _open(word)
        else:
            raise unknown_name_error("measure", word, DUNGEON_MEASURES)
    return subjects, named


def _open(word: str) -> list[str]:
    """A dungeon; or those of a batch."""
    if not is_dungeon_batch(word):
        return [word]
    found = list_dungeons(word)
    if not found:
        raise BadInput(f"no dungeon of the batch {word} is there yet", fix="let undercroft batch make some")
    return found


def _load(what: str, options: Mapping[str, Any]) -> DungeonFacts:
    name, own = values.split_recipe(what) if is_dungeon_recipe(values.split_recipe(what)[0]) else (what, ())
    settings = (*own, *options["settings"])
    return DungeonFacts(load_or_make_dungeon(name, seed=options["seed"], size=options["size"], settings=settings))


def _measure(what: str, names: Sequence[str], options: Mapping[str, Any]) -> dict[str, Number]:
    facts = _load(what, options)
    found: dict[str, Number] = {}
    for name in names:
        try:
            found[name] = measure_one(name, facts)
        except OutOfBudget:
            found[name] = None
        except BadInput as error:
            error.problem = f"{what}: {error.problem}"
            raise
    return found


def _measure_one(what: str, wanted: tuple[str, ...], options: Mapping[str, Any]) -> int:
    """Measure one dungeon, and print the numbers with their meanings."""
    if wanted:
        numbers = _measure(what, wanted, options)
        left_out: dict[str, UndercroftError] = {}
    else:
        numbers, left_out = measure_all(_load(what, options))
    if options["json_file"]:
        write_outputs([(options["json_file"], format_json_indented({**numbers, **_describe_study(numbers)}).encode())])
        if options["json_file"] != "-" and not options["quiet"]:
            print_message(f"written to {options['json_file']}")
        return 0
    columns = get_terminal_size().columns if is_terminal(sys.stdout) else None
    wrong = [name for name, error in left_out.items() if isinstance(error, BadInput)]
    for line in format_measures(numbers, wanted, columns, wrong, DUNGEON_MEASURES):
        print_output(line)
    for text in dict.fromkeys(f"{what}: {left_out[name]}" for name in wrong):
        print_message(f"note: {text}")
    return 0


def _measure_seeds(subjects: Sequence[str], wanted: tuple[str, ...], options: Mapping[str, Any]) -> int:
    """Measure the dungeons of many seeds of one recipe."""
    if len(subjects) > 1 or not is_dungeon_recipe(values.split_recipe(subjects[0])[0]):
        raise BadInput("--seeds are those of one dungeon recipe", fix="name the recipe alone")
    if options["seed"] is not None:
        raise BadInput("--seed is one dungeon, and --seeds are many", fix="leave one of them out")
    name, own = values.split_recipe(subjects[0])
    request = DungeonRequest(
        DungeonRecipe.load(name),
        seed=0,
        size=values.parse_size(options["size"]) if options["size"] else None,
        params=values.parse_settings((*own, *options["settings"])),
    )
    seeds = values.parse_seeds(options["seeds"])
    rows: list[DungeonRow] = []
    with ProgressBar(not options["quiet"], left=True) as bar:
        for row in make_rows(request, seeds, resolve_measures(wanted), workers=options["workers"]):
            rows.append(row)
            bar.show(len(rows), len(seeds), "measuring")
    found = {str(row.seed): row.numbers for row in rows if not row.reason}
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        count = sum(row.reason == reason for row in rows)
        print_message(f"note: {plural(count, 'seed')} of {len(rows):,} without a dungeon: {reason}")
    if not found:
        return 1
    _write_rows("seed", found, options)
    return 0


def _write_rows(kind: str, rows: Mapping[str, Mapping[str, Number]], options: Mapping[str, Any]) -> None:
    """Write the rows, or print them: of files a line for each, of seeds the least, median, mean and greatest."""
    from undercroft.bulk.measure.measured_files import csv_lines, simplify_number

    names = list(next(iter(rows.values())))
    ready = []
    if options["json_file"]:
        listed = [{kind: name, "measures": dict(numbers)} for name, numbers in rows.items()]
        data = {**_describe_study(names), f"{kind}s": listed}
        ready.append((options["json_file"], format_json_indented(data).encode()))
    if options["csv_file"]:
        end = VERSION, digest_editions({}, measure_editions(_list_level_measures(names)))
        lines = [(name, *map(simplify_number, numbers.values()), *end) for name, numbers in rows.items()]
        ready.append((options["csv_file"], csv_lines([(kind, *names, "version", "editions"), *lines])))
    write_outputs(ready)
    if not ready:
        for line in _summarise(rows, names) if kind == "seed" else _format_table(rows, names):
            print_output(line)
    elif not options["quiet"] and (written := [path for path, _ in ready if path != "-"]):
        print_message(f"written to {', '.join(written)}")


def _summarise(rows: Mapping[str, Mapping[str, Number]], names: Sequence[str]) -> list[str]:
    lines = [[plural(len(rows), "dungeon"), "least", "median", "mean", "greatest"]]
    for name in names:
        numbers = [value for row in rows.values() if (value := row[name]) is not None]
        found = [min(numbers), median(numbers), fmean(numbers), max(numbers)] if numbers else ["none"] * 4
        lines.append([name, *(value if isinstance(value, str) else f"{value:.6g}" for value in found)])
    return _align(lines)


def _format_table(rows: Mapping[str, Mapping[str, Number]], names: Sequence[str]) -> list[str]:
    lines = [["file", *names]]
    lines += [[name, *("none" if one is None else str(one) for one in row.values())] for name, row in rows.items()]
    return _align(lines)


def _align(lines: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return [
        "  ".join([f"{first:<{widths[0]}}", *(f"{word:>{wide}}" for word, wide in zip(rest, widths[1:], strict=True))])
        for first, *rest in lines
    ]


def _describe_study(names: Iterable[str]) -> dict[str, Any]:
    return {RECORD_KEY: build_study_record(_list_level_measures(names))}


def _list_level_measures(names: Iterable[str]) -> list[str]:
    """The measures of levels that some measures of dungeons are made of: only they have editions."""
    return list(dict.fromkeys(plain for name in names if (plain := split_floor(name)[0]) in MEASURES))
