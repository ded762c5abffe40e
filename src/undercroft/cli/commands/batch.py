"""`undercroft batch`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from undercroft import limits
from undercroft.cli.messages import print_json, print_message, print_output
from undercroft.cli.options import values
from undercroft.cli.output.batch_report import write_closing_report
from undercroft.cli.output.progress import ProgressBar, format_progress
from undercroft.errors import BadInput
from undercroft.formats.table import FILE_OPTIONS
from undercroft.recipe.dungeon.document import is_dungeon_recipe
from undercroft.recipe.dungeon.request import DUNGEON_TRIES
from undercroft.recipe.request import DEFAULT_TRIES
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.bulk.batch.batch import Batch
    from undercroft.bulk.report.report import Report

DEFAULT_MEMORY_MB = limits.WORKER_MEMORY.value >> 20
"""The default memory of one worker, in megabytes."""
LOG_SECONDS = 60.0
"""Seconds between two lines of the log, where there is no bar."""


@click.command("batch")
@click.argument("recipe")
@click.option("--count", type=int, required=True, metavar="N", help="The number of seeds; each gives a level.")
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    help="The folder to write. If a run ended early, the same command resumes it.",
)
@click.option("--first", default="0", show_default=True, metavar="SEED", help="The first seed; the others follow it.")
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="The number of worker processes; one a core by default. The files do not depend on it.",
)
@click.option(
    "--dask",
    metavar="ADDRESS",
    help="Use a Dask cluster: the address of its scheduler, such as tcp://10.0.0.1:8786.",
)
@click.option(
    "--results",
    type=click.Choice(["sent", "written"]),
    help="With --dask: workers send the files here (the default), or write them into DIR, which they share.",
)
@click.option(
    "--until",
    metavar="EXPR",
    multiple=True,
    help="Try each seed again until its level meets this requirement, such as 'loops >= 2'; repeatable.",
)
@click.option(
    "--tries", type=int, default=DEFAULT_TRIES, show_default=True, help="The greatest number of attempts for a seed."
)
@click.option(
    "--pick",
    type=click.Choice(["first", "best"]),
    default="first",
    help="If no attempt meets the requirements: no level, or the nearest one.",
)
@click.option(
    "--measures",
    metavar="NAME,NAME",
    multiple=True,
    help="Measures to write beside the levels ('undercroft list measures'), or all; repeatable. If a batch lacks some, "
    "they are added to it.",
)
@click.option(
    "--vary",
    metavar="NAME=VALUES",
    multiple=True,
    help="Vary a parameter: 0.35..0.5 draws a value for each seed, 0.35..0.5:4 or 1,2,3 make each seed with each "
    "value; repeatable. The values are columns.",
)
@click.option(
    "--as",
    "as_",
    metavar="FORM",
    default="parquet",
    show_default=True,
    help="parquet, npz, or a format, which writes one file a level.",
)
@click.option(
    "--option",
    "told",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set an option of the format, such as style=ink or cell=8; repeatable.",
)
@click.option(
    "--chunk", type=int, metavar="K", help="The number of levels in a chunk; by default, it depends on their size."
)
@click.option("--size", metavar="WxH", help="Width and height in cells.")
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe; repeatable."
)
@click.option("--max-cells", type=int, help="Raise the limit of cells.")
@click.option("--max-steps", type=int, help="Raise the budget of one attempt.")
@click.option(
    "--max-memory",
    type=click.IntRange(256, limits.WORKER_MEMORY_SETTING.value >> 20),
    default=DEFAULT_MEMORY_MB,
    show_default=True,
    metavar="MB",
    help="The memory limit of one worker.",
)
@click.option(
    "--chunk-time",
    type=float,
    metavar="SECONDS",
    help="Give up a chunk that takes longer in three tries; no limit by default.",
)
@click.option("--no-report", is_flag=True, help="Write no report.html, and print only the number of levels at the end.")
@click.option("--json", "as_json", is_flag=True, help="Print the closing summary as JSON.")
@click.option("--quiet", is_flag=True, help="Print only errors.")
def command(**options: Any) -> int:
    """Make many levels of RECIPE, one for each seed, and write them into the folder DIR. Of a dungeon recipe, a file
    for each seed holds a whole dungeon (--as json or npz), and measures.csv their measures.

    After an interruption, the same command resumes the batch, and the folder is the same to the last byte, except for
    report.html, which contains times. The exit code is 1 if no seed gave a level, 3 if chunks had to be given up, and
    130 if the command was interrupted.
    """
    if options["dask"] and _was_given("max_memory"):
        raise BadInput(
            "the memory of a cluster's workers is its own business", fix="leave --max-memory out, or leave out --dask"
        )
    if is_dungeon_recipe(options["recipe"]):
        from undercroft.cli.dungeons.batch_dungeons import batch_dungeons

        form = options["as_"] if _was_given("as_") else None
        tries = options["tries"] if _was_given("tries") else DUNGEON_TRIES
        return batch_dungeons({**options, "tries": tries}, form=form)
    return run_batch(**options)


def _was_given(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def run_batch(
    recipe: str,
    count: int,
    out: str,
    measures: tuple[str, ...],
    vary: tuple[str, ...],
    told: tuple[str, ...],
    size: str | None,
    settings: tuple[str, ...],
    max_memory: int,
    chunk_time: float | None,
    workers: int | None,
    dask: str | None,
    results: str | None,
    as_json: bool,
    quiet: bool,
    no_report: bool = False,
    **options: Any,
) -> int:
    """Run the command with typed options."""
    from undercroft.bulk.batch.batch import Batch
    from undercroft.bulk.batch.request import BatchRequest
    from undercroft.recipe.document import Recipe
    from undercroft.recipe.variation import parse_variations

    if results and not dask:
        raise BadInput("--results is about a cluster, and none is named", fix="add --dask ADDRESS, or leave it out")
    if dask and (workers is not None or chunk_time is not None):
        raise BadInput(
            "the workers of a cluster are its own business",
            fix="leave --workers and --chunk-time out, or leave out --dask",
        )
    loaded = Recipe.load(recipe)
    order = BatchRequest(
        loaded,
        count,
        measures=values.parse_measures(measures),
        vary=parse_variations(vary, loaded),
        options=values.parse_settings(told, "--option", FILE_OPTIONS),
        size=values.parse_size(size) if size else None,
        params=values.parse_settings(settings),
        **options,
    )
    batch = Batch(
        order, out, workers=workers, memory=max_memory << 20, seconds=chunk_time, dask=dask, shared=results == "written"
    )
    interrupted = False
    with ProgressBar(not quiet, left=True) as bar, ProgressLog(batch, not quiet and not bar.wanted):
        try:
            for _ in batch:
                bar.show(
                    batch.done,
                    batch.total,
                    "measuring" if batch.extended else "making" if batch.made_count else "looking at what is there",
                    f"{format_rate(batch.rate)}/s" if batch.made_count else "",
                )
        except KeyboardInterrupt:
            interrupted = True
            batch.close()
    return _print_results(
        batch,
        as_json=as_json,
        quiet=quiet,
        interrupted=interrupted,
        report=None if no_report or interrupted else write_closing_report(batch),
    )


class ProgressLog:
    """Logs the progress, one line a minute. It has a thread of its own, since a chunk may take longer."""

    def __init__(self, batch: Batch, wanted: bool) -> None:
        self._making = batch
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._log, daemon=True) if wanted else None

    def __enter__(self) -> ProgressLog:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _log(self) -> None:
        while not self._over.wait(LOG_SECONDS):
            print_message(format_progress_line(self._making))


def format_progress_line(batch: Batch) -> str:
    """The progress of a batch on one line."""
    left = (batch.total - batch.done) / batch.rate if batch.made_count else 0.0
    so_fast = f", {format_rate(batch.rate)} a second, {format_duration(left)} left" if batch.made_count else ""
    return f"{format_progress(batch.done, batch.total)} ({batch.done / batch.total:.1%}){so_fast}"


def format_rate(rate: float) -> str:
    """A rate in few characters.

    >>> format_rate(4012.7), format_rate(12.2), format_rate(0.1612)
    ('4,013', '12', '0.16')
    """
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def format_duration(seconds: float) -> str:
    """A duration, with its units.

    >>> format_duration(7.4), format_duration(754), format_duration(7504), format_duration(200_000)
    ('7 s', '12 min 34 s', '2 h 5 min', '2 d 7 h')
    """
    whole = round(seconds)
    for unit, name, smaller, rest in ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= unit:
            return f"{whole // unit} {name} {whole % unit // smaller} {rest}"
    return f"{whole} s"


def _print_results(batch: Batch, *, as_json: bool, quiet: bool, interrupted: bool, report: Report | None) -> int:
    """Print the results; returns the exit code."""
    from undercroft.bulk.report.wording import (
        MAX_DAMAGED_NAMED,
        MAX_GIVEN_UP_NAMED,
        count_unnamed_seeds,
        describe_seeds,
    )

    if as_json:
        print_json(_build_data(batch, interrupted) | (report.data() if report else {}))
    made_again = set() if interrupted else set(batch.made_again)
    for name in batch.damaged[:MAX_DAMAGED_NAMED]:
        print_message(f"note: {name} was damaged{', and was made again' if name in made_again else ''}")
    if len(batch.damaged) > MAX_DAMAGED_NAMED:
        print_message(f"note: and so were {len(batch.damaged) - MAX_DAMAGED_NAMED:,} more")
    for one in batch.poisoned[:MAX_GIVEN_UP_NAMED]:
        print_message(
            f"note: the {describe_seeds(one.first, one.last)} given up: each time the worker ended ({one.cause})"
        )
    if beside := count_unnamed_seeds(batch.poisoned):
        print_message(
            f"note: and so were {plural(beside, 'seed')} more{'' if interrupted else '; manifest.json names them all'}"
        )
    for problem, number in sorted(batch.problems.items(), key=lambda pair: -pair[1])[
        : 0 if report and not quiet and not as_json else 9
    ]:
        print_message(f"note: {plural(number, 'seed')} of {batch.done:,} without a level: {problem}")
    if interrupted:
        print_message(
            f"interrupted with {plural(batch.levels, 'level')} in {batch.folder.path}; the same command goes "
            "on from there"
        )
        return 130
    if not quiet and not as_json:
        _print_totals(batch, report)
    if batch.poisoned:
        return 3
    return 0 if batch.levels else 1


def _print_totals(batch: Batch, report: Report | None) -> None:
    if report:
        print_output(report.text())
        done = f"written to {batch.folder.path}"
        if batch.extended:
            done = f"measures were added to {plural(batch.extended, 'level')} in {batch.folder.path}"
        if batch.found == batch.total:  # then the rate above is that of an earlier run
            done = (
                f"nothing was left to do: {'all ' if batch.total > 1 else ''}{plural(batch.order.count, 'seed')} "
                f"stood in {batch.folder.path} already"
            )
        print_output(f"\n{done}{f', with a page to look at: {report.saved}' if report.saved else ''}")
        return
    earlier = f", {batch.found:,} of them were there already" if batch.found else ""
    print_output(f"{plural(batch.levels, 'level')} in {batch.folder.path}{earlier}")
    if batch.made_count:
        print_output(
            f"{plural(batch.made_count, 'seed')} in {format_duration(batch.elapsed)}, "
            f"{format_rate(batch.rate)} a second"
        )
    for requirement, number in batch.rejected.items():
        if number:
            print_output(f"{number:,} attempts were not as required: {requirement}")


def _build_data(batch: Batch, interrupted: bool) -> dict[str, Any]:
    return {
        "recipe": batch.order.request.recipe.name,
        "folder": str(batch.folder.path),
        "seeds": [str(batch.order.first), str(batch.order.last)],
        "done": batch.done,
        "found": batch.found,
        "levels": batch.levels,
        "without_a_level": batch.problems,
        "rejected": batch.rejected,
        "gave_up": batch.gave_up,
        "given_up": [{"seeds": [str(one.first), str(one.last)], "cause": one.cause} for one in batch.poisoned],
        "damaged": batch.damaged,
        "seconds": round(batch.elapsed, 3),
        "per_second": round(batch.rate, 1),
        "seconds_by_step": {step: round(took, 3) for step, took in batch.seconds.items()},
        "interrupted": interrupted,
    }
