"""`undercroft measure RECIPE --seeds A..B`: measure many levels, and show the range that they fill."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from undercroft import limits
from undercroft.analysis.measures.table import MEASURES
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.options.output_files import write_outputs
from undercroft.cli.output.progress import ProgressBar
from undercroft.cli.stdio import is_terminal, write_stdout
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files

if TYPE_CHECKING:
    from undercroft.bulk.measure.measure_recipe import Measuring

DEFAULT_AXES = ("linearity", "density")
"""The default axes of the plot."""


class MeasureRequest(NamedTuple):
    """The checked options of the command."""

    recipe: str
    measures: tuple[str, ...]
    seeds: str
    size: str | None
    settings: tuple[str, ...]
    x: str | None
    y: str | None
    plot: str | None
    json: str | None
    csv: str | None
    compare: str | None
    compare_settings: tuple[str, ...]
    workers: int | None
    quiet: bool

    @property
    def axes(self) -> tuple[str, str]:
        """The two measures of the range."""
        return self.x or DEFAULT_AXES[0], self.y or DEFAULT_AXES[1]

    @property
    def needed_measures(self) -> tuple[str, ...]:
        """All measures to take: the named ones; without names, those of the plot if nothing else is written,
        else all.
        """
        axes = self.axes if self.plot or self.x or self.y else ()
        if self.measures or (axes and not self.json and not self.csv):
            return tuple(dict.fromkeys((*self.measures, *axes)))
        return tuple(MEASURES)

    @property
    def command(self) -> str:
        """The command that makes the picture again."""
        words = ["undercroft", "measure", self.recipe, "--seeds", self.seeds, "--x", self.axes[0], "--y", self.axes[1]]
        words += [word for text in self.settings for word in ("--set", text)] + (
            ["--size", self.size] if self.size else []
        )
        words += ["--compare", self.compare] if self.compare else []
        return shlex.join(
            [
                *words,
                *(word for text in self.compare_settings for word in ("--compare-set", text)),
                "--plot",
                self.plot or "range.png",
            ]
        )


def measure_seeds(request: MeasureRequest) -> int:
    """Measure, print and write; returns the exit code."""
    _check_request(request)
    measured = _prepare_measuring(request)
    interrupted = False
    with ExitStack() as stack:
        bar = stack.enter_context(
            ProgressBar(not request.quiet and not (request.csv == "-" and is_terminal(sys.stdout)), left=True)
        )
        for each in measured:
            stack.callback(each.close)
        try:
            _measure_all(measured, bar, stream=request.csv == "-")
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        print_message(
            f"interrupted after {sum(each.tried for each in measured):,} of "
            f"{sum(len(each.range) for each in measured):,} seeds"
        )
        for each in measured:
            if not each.tried:
                print_message(f"note: {each.label} was not begun")
        measured = [each for each in measured if len(each.seeds)]
    code = _print_results(request, measured, interrupted=interrupted) if measured else 0
    return 130 if interrupted else code


def _check_request(request: MeasureRequest) -> None:
    """Raise for impossible requests before hours are spent on them."""
    for name in (*request.measures, *request.axes):
        if name not in MEASURES:
            raise unknown_name_error("measure", name, MEASURES)
    if request.axes[0] == request.axes[1]:
        raise BadInput(f"a range has two measures, and both are {request.axes[0]}", fix="give another --x or --y")
    if request.json == request.csv == "-":
        raise BadInput("standard output takes one of them, --json or --csv", fix="name a file for the other")
    if request.plot is not None and not request.plot.casefold().endswith(".png"):
        raise BadInput(
            f"a plot is a picture, and {request.plot} does not end in .png", fix="name a file such as range.png"
        )
    if request.compare_settings and not request.compare:
        raise BadInput("--compare-set sets a parameter of the recipe that --compare names", fix="add --compare RECIPE")
    paths = [path for path in (request.plot, request.json, request.csv) if path and path != "-"]
    for path in paths:
        files.check_target(path)
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise BadInput(
            f"two of --plot, --json and --csv name the same file: {', '.join(paths)}", fix="give each a file of its own"
        )


def _prepare_measuring(request: MeasureRequest) -> list[Measuring]:
    from undercroft.bulk.measure.measure_recipe import Measuring

    recipes = [(request.recipe, request.settings)] + (
        [(request.compare, request.compare_settings)] if request.compare else []
    )
    size, seeds = values.parse_size(request.size) if request.size else None, values.parse_seeds(request.seeds)
    measured = [
        Measuring(
            recipe,
            seeds,
            request.needed_measures,
            size=size,
            params=values.parse_settings(settings),
            workers=request.workers,
            memory=limits.WORKER_MEMORY.value,
        )
        for recipe, settings in recipes
    ]
    if len({each.label for each in measured}) < len(measured):
        raise BadInput(
            f"both recipes are {measured[0].label}: their levels are the same",
            fix="set something of one of them, for example with --compare-set",
        )
    return measured


def _measure_all(measured: Sequence[Measuring], bar: ProgressBar, *, stream: bool) -> None:
    """Measure all levels; as a stream, each is written as soon as it is measured."""
    from undercroft.bulk.measure.measured_files import csv_header, csv_lines, csv_row

    if stream:
        write_stdout(csv_header(measured[0].measures))
    for each in measured:
        for seed, numbers in each:
            if stream:
                write_stdout(csv_lines([csv_row(each.label, seed, numbers)]))
            bar.show(sum(other.tried for other in measured), sum(len(other.range) for other in measured), each.label)


def _print_results(request: MeasureRequest, measured: Sequence[Measuring], *, interrupted: bool) -> int:
    """Print and write the results; returns the exit code."""
    from undercroft.bulk.measure import expressive_range, measured_files
    from undercroft.cli.output.measure_table import format_measure_table

    found = expressive_range.build_expressive_range(measured, *request.axes)
    outputs: list[tuple[str, bytes | Iterator[bytes]]] = []
    if request.plot and found:
        outputs.append((request.plot, expressive_range.render_range_png(measured, found, request.command)))
    if request.json:
        about, recipes = expressive_range.build_range_data(measured, found, interrupted=interrupted)
        outputs.append((request.json, measured_files.json_pieces(about, measured, recipes)))
    if request.csv and request.csv != "-":
        outputs.append((request.csv, measured_files.csv_pieces(measured)))
    write_outputs(outputs)
    if "-" not in (request.json, request.csv) and not (request.quiet and outputs):
        lines = format_measure_table(measured, found if request.plot or request.x or request.y else None)
        print_output("\n".join(line.rstrip() for line in lines))
    for name, option in zip(request.axes, ("x", "y"), strict=True) if request.plot and found else ():
        if all(each.columns[name].is_constant for each in measured):
            print_message(
                f"note: {name} is the same for all levels; --{option} takes another measure, for example path_length"
            )
    _print_notes(measured, [path for path, _ in outputs if path != "-"], quiet=request.quiet)
    if request.plot and not found:
        which = f"{measured[0].label} has no level" if len(measured) == 1 else "not every recipe has levels"
        print_message(
            f"{which} with both {' and '.join(request.axes)}: there is no picture\n"
            "  fix: choose measures with --x and --y"
        )
        return 1
    return 3 if any(each.given_up for each in measured) else 0 if all(len(each.seeds) for each in measured) else 1


def _print_notes(measured: Sequence[Measuring], paths: list[str], *, quiet: bool) -> None:
    """Print notes beside the numbers."""
    if len({each.size for each in measured}) > 1:
        print_message(
            f"note: {' and '.join(f'{each.label} is {each.size[0]}x{each.size[1]}' for each in measured)}; --size "
            "sets both"
        )
    for each in measured:
        for reason, count in each.nothing.items():
            print_message(f"note: {each.label}: {count:,} of {each.tried:,} levels {reason}")
        for name, count in each.slow.items():
            print_message(f"note: {each.label}: {name} took too long for {count:,} of {len(each.seeds):,} levels")
    if paths and not quiet:
        print_message(f"written to {', '.join(paths)}")
