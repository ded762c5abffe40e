"""`undercroft search`."""

from __future__ import annotations

import json
import shlex
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from undercroft.cli import complain, words
from undercroft.cli.nearest import show_nearest
from undercroft.cli.streams import on_terminal
from undercroft.errors import BadInput

if TYPE_CHECKING:
    from undercroft.batch.search import Found, Search

MEMORY = 2048
"""Megabytes that one worker may have."""


@click.command("search")
@click.argument("recipe")
@click.option("--seeds", metavar="A..B", default="0..99999", show_default=True, help="The seeds to look at, B included.")
@click.option("--until", metavar="EXPR", multiple=True, help="What the level must be, such as 'loops >= 2'; may be given again.")
@click.option("--take", type=int, default=5, show_default=True, help="Stop when so many are found.")
@click.option("--sort", metavar="MEASURE", default="", help="Look at all seeds, and take those with the largest number; -MEASURE for the smallest.")
@click.option("--vary", metavar="NAME=A..B", multiple=True, help="Draw a parameter for each seed; A..B:N tries N values with each, X,Y,Z these.")
@click.option("--measures", metavar="NAME,NAME", default="", help="Further measures to show ('undercroft list measures').")
@click.option("--size", metavar="WxH", help="Width and height in cells.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe.")
@click.option("--workers", type=int, help="Processes that do the work; one a core if not said. The answer is the same.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--sheet", metavar="FILE.png", help="Also draw what was found on one picture.")
@click.option("--max-cells", type=int, help="Raise the limit of cells.")
@click.option("--max-steps", type=int, help="Raise the budget of one attempt.")
@click.option("--max-memory", type=click.IntRange(256), default=MEMORY, show_default=True, metavar="MB", help="Memory that one worker may have.")
@click.option("--quiet", is_flag=True, help="Say nothing but what was found.")
def command(**options: Any) -> int:
    """Look for seeds of RECIPE whose levels are as required, in order, and stop when there are enough.

    Interrupted with Ctrl-C it shows what it found so far.
    """
    return search(**options)


def search(
    recipe: str,
    seeds: str,
    vary: tuple[str, ...],
    measures: str,
    size: str | None,
    settings: tuple[str, ...],
    as_json: bool,
    sheet: str | None,
    max_memory: int,
    quiet: bool,
    **options: Any,
) -> int:
    """The command itself."""
    from undercroft.batch.search import Search
    from undercroft.batch.vary import parse
    from undercroft.recipe import Recipe

    if sheet and not sheet.lower().endswith(".png"):
        raise BadInput(f"a sheet is a PNG picture, not {sheet!r}", fix="for example --sheet found.png")
    loaded = Recipe.load(recipe)
    with Progress(not quiet) as bar:
        looking = Search(
            loaded,
            words.seeds(seeds, limited=False),
            vary=parse(vary, loaded),
            measures=[name.strip() for name in measures.split(",") if name.strip()],
            size=words.size(size) if size else None,
            params=words.settings(settings),
            memory=max_memory << 20,
            progress=bar.move if bar.wanted else None,
            **options,
        )
        interrupted = False
        try:
            for _ in looking:
                pass
        except KeyboardInterrupt:
            interrupted = True
            looking.close()
    return _told(looking, _asked(recipe, size, settings), as_json=as_json, sheet=sheet, quiet=quiet, interrupted=interrupted)


def _told(looking: Search, again: list[str], *, as_json: bool, sheet: str | None, quiet: bool, interrupted: bool) -> int:
    """Say what was found; the exit code."""
    found = looking.kept
    if as_json:
        click.echo(json.dumps(_data(looking, interrupted), indent=2))
    elif found:
        for line in table(found, looking):
            click.echo(line)
    if found and sheet:
        from undercroft import files
        from undercroft.batch.search_sheet import drawn

        files.write(sheet, drawn(looking))
    for task, cause in looking.poisoned:
        complain(f"note: seeds {task[0][0]} to {task[-1][0]} were given up: each time their worker ended ({cause})")
    for cause, count in looking.nothing.items():
        complain(f"note: {count:,} of {looking.tried:,} levels {cause}")
    if interrupted:
        complain(f"interrupted after {looking.tried:,} levels; {len(found)} found")
        return 130
    if not found and not looking.poisoned:
        _sorry(looking, quiet=quiet)
        return 1
    if found and not quiet:
        first = found[0]
        command = [*again, "--seed", str(first.seed), *(word for name, value in first.params.items() for word in ("--set", f"{name}={_said(value)}"))]
        complain(f"{len(found)} found in {looking.tried:,} levels{f', written to {sheet}' if sheet else ''}; to see the first: {shlex.join(command)}")
    return 3 if looking.poisoned else 0


def _asked(recipe: str, size: str | None, settings: tuple[str, ...]) -> list[str]:
    """How one of the levels is made again."""
    return ["undercroft", "generate", recipe, *(["--size", size] if size else []), *(word for text in settings for word in ("--set", text))]


def table(found: list[Found], looking: Search) -> list[str]:
    """What was found, one in a line, columns below their names."""
    rows = [["seed", *looking.vary.names, *looking.measures]]
    rows += [[str(one.seed), *(_said(one.params[name]) for name in looking.vary.names), *map(_said, one.measures.values())] for one in found]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(f"{word:>{width}}" for word, width in zip(row, widths, strict=True)) for row in rows]


def _said(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _data(looking: Search, interrupted: bool) -> dict[str, Any]:
    nearest = looking.nearest if not looking.kept else None
    return {
        "recipe": looking.recipe.name,
        "size": list(looking.size),
        "tried": looking.tried,
        "found": [_one(one) for one in looking.kept],
        "rejected": looking.rejected,
        "nearest": nearest and {**_one(nearest), "distance": round(looking.distance, 6)},
        "without_a_level": looking.nothing,
        "given_up": [{"seeds": [str(task[0][0]), str(task[-1][0])], "cause": cause} for task, cause in looking.poisoned],
        "interrupted": interrupted,
    }


def _one(found: Found) -> dict[str, Any]:
    """Seeds are texts: many readers of JSON have no whole numbers as large."""
    return {"seed": str(found.seed), "attempt": found.attempt, "params": found.params, "measures": found.measures}


def _sorry(looking: Search, *, quiet: bool) -> None:
    """Nothing was found: what failed how often, and the nearest level."""
    lines = [f"no level of {looking.tried:,} is as required", *(f"    {line}" for line in looking.tally.lines())]
    nearest = looking.nearest
    if nearest is not None:
        values = {**nearest.params, **nearest.measures}
        lines.append(
            f"    nearest: seed {nearest.seed}, off by {looking.distance:.2g}: {', '.join(f'{name} {_said(value)}' for name, value in values.items())}"
        )
    complain("\n".join([*lines, "  fix: ask for less, set or --vary the parameters, or look at more --seeds"]))
    if nearest is not None and not quiet:
        show_nearest(nearest.level)


class Progress:
    """A bar on a terminal, and nothing in a pipe."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted and on_terminal(sys.stderr)
        self._begun = time.monotonic()
        self._shown: tuple[Any, Any] | None = None

    def __enter__(self) -> Progress:
        return self

    def move(self, looking: Search) -> None:
        """So far has it come."""
        from undercroft.cli.generate_command import PATIENCE

        if self._shown is None:
            if time.monotonic() - self._begun < PATIENCE:
                return
            self._shown = self._bar(looking.total)
        bar, task = self._shown
        rate = looking.tried / (time.monotonic() - self._begun)
        bar.update(task, completed=looking.tried, description=f"{len(looking.kept)} found", rate=f"{rate:,.0f}/s")

    def _bar(self, total: int | None) -> tuple[Any, Any]:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        said = "" if total is None else f" of {total:,}" if total < 10**12 else f" of {total:.0e}"
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn(f"{{task.completed:,.0f}}{said}"),
            TextColumn("{task.fields[rate]}"),
        )
        bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True)
        bar.start()
        return bar, bar.add_task("0 found", total=total, rate="")

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()
