"""`undercroft measure RECIPE --seeds A..B` and `undercroft measure FOLDER`: measure many levels, show their range."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from undercroft import limits
from undercroft.analysis.expressive_range import AxisBins
from undercroft.analysis.measures.table import MEASURES
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.options.output_files import write_outputs
from undercroft.cli.output.progress import ProgressBar
from undercroft.cli.stdio import is_terminal, write_stdout
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files

if TYPE_CHECKING:
    from undercroft.bulk.measure.measured_levels import MeasuredLevels

DEFAULT_AXES = ("linearity", "density")
"""The default axes of the plot."""


class MeasureRequest(NamedTuple):
    """The checked options of the command."""

    recipes: tuple[str, ...]
    """Recipes, each with its settings, such as `cave fill_prob=0.4`."""
    measures: tuple[str, ...] = ()
    seeds: str | None = None
    size: str | None = None
    settings: tuple[str, ...] = ()
    """Further settings of the first recipe."""
    x: str | None = None
    y: str | None = None
    plot: str | None = None
    json: str | None = None
    csv: str | None = None
    compare: tuple[str, ...] = ()
    compare_settings: tuple[str, ...] = ()
    workers: int | None = None
    quiet: bool = False
    folders: tuple[str, ...] = ()
    """Folders of batches."""
    vary: tuple[str, ...] = ()
    x_range: str | None = None
    y_range: str | None = None
    bins: str | None = None

    @property
    def axes(self) -> tuple[str, str]:
        """The two measures of the range."""
        return self.x or DEFAULT_AXES[0], self.y or DEFAULT_AXES[1]

    @property
    def wants_range(self) -> bool:
        """Whether the range by two measures is asked for."""
        return any((self.plot, self.x, self.y, self.x_range, self.y_range, self.bins))

    @property
    def axis_bins(self) -> tuple[AxisBins, AxisBins]:
        """How the two measures are cut into bins."""
        across, along = values.parse_bins(self.bins) if self.bins else (None, None)
        ends = [values.parse_range(text) if text else (None, None) for text in (self.x_range, self.y_range)]
        x, y = (AxisBins(low, high, bins) for (low, high), bins in zip(ends, (across, along), strict=True))
        return x, y

    @property
    def needed_measures(self) -> tuple[str, ...]:
        """All measures to take: the named ones; without names, those of the plot if nothing else is written,
        else all.
        """
        axes = self.axes if self.wants_range else ()
        if self.measures or (axes and not self.json and not self.csv):
            return tuple(dict.fromkeys((*self.measures, *axes)))
        return tuple(MEASURES)

    @property
    def command(self) -> str:
        """The command that makes the picture again."""
        words = ["undercroft", "measure", *self.recipes, *self.folders]
        words += ["--seeds", self.seeds] if self.seeds else []
        words += ["--x", self.axes[0], "--y", self.axes[1]]
        for option, texts in (
            ("--set", self.settings),
            ("--vary", self.vary),
            ("--compare", self.compare),
            ("--compare-set", self.compare_settings),
        ):
            words += [word for text in texts for word in (option, text)]
        once = ("size", "x_range", "y_range", "bins")
        words += [
            word for name in once if (value := getattr(self, name)) for word in (f"--{name.replace('_', '-')}", value)
        ]
        return shlex.join([*words, "--plot", self.plot or "range.png"])


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
            f"{sum(each.total for each in measured):,} {'seeds' if not request.vary else 'levels'}"
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
    if request.plot is not None:
        from undercroft.draw.plots.plot_files import check_plot_name

        check_plot_name(request.plot, "range.png")
    if request.compare and not request.recipes:
        raise BadInput(
            "--compare names a recipe to measure beside another", fix="name another recipe, or the batch alone"
        )
    if request.compare_settings and len(request.compare) != 1:
        raise BadInput(
            "--compare-set sets a parameter of the recipe that --compare names",
            fix="add --compare RECIPE"
            if not request.compare
            else "write the settings with the recipe: --compare 'cave fill_prob=0.4'",
        )
    _ = request.axis_bins
    paths = [path for path in (request.plot, request.json, request.csv) if path and path != "-"]
    for path in paths:
        files.check_target(path)
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise BadInput(
            f"two of --plot, --json and --csv name the same file: {', '.join(paths)}", fix="give each a file of its own"
        )


def _prepare_measuring(request: MeasureRequest) -> list[MeasuredLevels]:
    from undercroft.bulk.batch.measured_batch import MeasuredBatch
    from undercroft.bulk.batch.reader import OpenedBatch
    from undercroft.bulk.measure.measure_recipe import Measuring
    from undercroft.recipe.document import Recipe
    from undercroft.recipe.variation import parse_variations

    size = values.parse_size(request.size) if request.size else None
    measured: list[MeasuredLevels] = []
    for place, text in enumerate((*request.recipes, *request.compare)):
        name, settings = values.split_recipe(text)
        if place == 0:
            settings += request.settings
        elif place == len(request.recipes):
            settings += request.compare_settings
        recipe = Recipe.load(name)
        measured.append(
            Measuring(
                recipe,
                values.parse_seeds(request.seeds or "0"),
                request.needed_measures,
                size=size,
                params=values.parse_settings(settings),
                vary=parse_variations(request.vary, recipe),
                workers=request.workers,
                memory=limits.WORKER_MEMORY.value,
            )
        )
    measured += [
        MeasuredBatch(
            OpenedBatch(folder),
            request.needed_measures,
            label=folder,
            workers=request.workers,
            memory=limits.WORKER_MEMORY.value,
        )
        for folder in request.folders
    ]
    labels = [each.label for each in measured]
    if twice := next((label for label in labels if labels.count(label) > 1), ""):
        raise BadInput(
            f"{'both' if len(measured) == 2 else 'two of these'} are {twice}: their levels are the same",
            fix="name it once"
            if twice in request.folders
            else "set something of one of them, for example with --compare-set, or as in 'cave fill_prob=0.4'",
        )
    return measured


def _measure_all(measured: Sequence[MeasuredLevels], bar: ProgressBar, *, stream: bool) -> None:
    """Measure all levels; as a stream, each is written as soon as it is measured."""
    from undercroft.bulk.measure.measured_files import csv_header, csv_lines, csv_rows, name_parameters

    parameters = name_parameters(measured)
    if stream:
        write_stdout(csv_header(measured))
    for each in measured:
        for _ in each:
            if stream:
                row = len(each.seeds)
                write_stdout(csv_lines(csv_rows(each, parameters, row - 1, row)))
            bar.show(sum(other.tried for other in measured), sum(other.total for other in measured), each.label)


def _print_results(request: MeasureRequest, measured: Sequence[MeasuredLevels], *, interrupted: bool) -> int:
    """Print and write the results; returns the exit code."""
    from undercroft.bulk.measure import expressive_range, measured_files
    from undercroft.cli.output.measure_table import format_measure_table

    found = expressive_range.build_expressive_range(measured, *request.axes, request.axis_bins)
    outputs: list[tuple[str, bytes | Iterator[bytes]]] = []
    if request.plot and found:
        plot = expressive_range.render_range_file(measured, found, request.plot, request.command)
        outputs.append((request.plot, plot))
    if request.json:
        about, recipes = expressive_range.build_range_data(measured, found, interrupted=interrupted)
        outputs.append((request.json, measured_files.json_pieces(about, measured, recipes)))
    if request.csv and request.csv != "-":
        outputs.append((request.csv, measured_files.csv_pieces(measured)))
        outputs.append((f"{request.csv}{measured_files.CSV_METADATA_SUFFIX}", _describe_csv(request.csv, measured)))
    write_outputs(outputs)
    if "-" not in (request.json, request.csv) and not (request.quiet and outputs):
        lines = format_measure_table(measured, found if request.wants_range else None)
        print_output("\n".join(line.rstrip() for line in lines))
    for name, option in zip(request.axes, ("x", "y"), strict=True) if request.plot and found else ():
        if all(each.columns[name].is_constant for each in measured):
            print_message(
                f"note: {name} is the same for all levels; --{option} takes another measure, for example path_length"
            )
    _print_notes(measured, [path for path, _ in outputs if path != "-"], quiet=request.quiet)
    if request.plot and not found:
        which = f"{measured[0].label} has no level" if len(measured) == 1 else "not every recipe has levels"
        within = " within the axes" if request.x_range or request.y_range else ""
        print_message(
            f"{which} with both {' and '.join(request.axes)}{within}: there is no picture\n"
            f"  fix: choose measures with --x and --y{', or wider ranges' if within else ''}"
        )
        return 1
    return 3 if any(each.given_up for each in measured) else 0 if all(len(each.seeds) for each in measured) else 1


def _describe_csv(path: str, measured: Sequence[MeasuredLevels]) -> bytes:
    """The file that describes the CSV file."""
    from undercroft.bulk.measure.expressive_range import RECORD_KEYS, build_range_data
    from undercroft.bulk.measure.measured_files import build_csv_metadata, csv_header
    from undercroft.bulk.study_record import RECORD_KEY

    head, recipes = build_range_data(measured, None)
    keys = ("label", *RECORD_KEYS, "digest")
    record = {**head[RECORD_KEY], "recipes": [{key: one[key] for key in keys} for one in recipes]}
    return build_csv_metadata(path, measured[0].measures, record, csv_header(measured))


def _print_notes(measured: Sequence[MeasuredLevels], paths: list[str], *, quiet: bool) -> None:
    """Print notes beside the numbers."""
    from undercroft.bulk.measure.measure_recipe import Measuring

    if len({each.size for each in measured}) > 1 and all(isinstance(each, Measuring) for each in measured):
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
