"""`undercroft generate`."""

from __future__ import annotations

import sys
from typing import Any

import click

from undercroft import files, kernels
from undercroft.cli import complain, words
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.recipe import TRIES, Recipe


@click.command("generate")
@click.argument("recipe")
@click.option("--seed", metavar="N|TEXT", help="A whole number from 0 to 2^64-1, or any text; drawn and printed if missing.")
@click.option("--size", metavar="WxH", help="Width and height in cells.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe.")
@click.option("--until", metavar="EXPR", multiple=True, help="Try again until this holds, such as 'loops >= 2'.")
@click.option("--tries", type=int, default=TRIES, show_default=True, help="How many attempts at the most.")
@click.option("-o", "outputs", metavar="FILE", multiple=True, help="Write the level; the suffix names the format; - is standard output.")
@click.option("--format", "format_name", metavar="NAME", help="The format, if the suffix does not say it ('undercroft list formats').")
@click.option(
    "--colour",
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours of a level that is shown: on a terminal only, always, never.",
)
@click.option("--max-cells", type=int, help="Raise the limit of cells.")
@click.option("--max-steps", type=int, help="Raise the budget of one attempt.")
@click.option("--quiet", is_flag=True, help="Say nothing but what was asked for.")
def command(**options: Any) -> None:
    """Make a level from RECIPE, a name ('undercroft list recipes') or a file.

    Without -o the level is shown; in a pipe it is plain text.
    """
    generate(**options)


def generate(
    recipe: str,
    seed: str | None,
    size: str | None,
    settings: tuple[str, ...],
    until: tuple[str, ...],
    tries: int,
    outputs: tuple[str, ...],
    format_name: str | None,
    colour: str,
    max_cells: int | None,
    max_steps: int | None,
    quiet: bool,
) -> None:
    """The command itself, typed."""
    from undercroft import formats

    wanted = [(path, formats.named(format_name) if format_name else formats.by_suffix(path)) for path in outputs if path != "-" or format_name]
    if "-" in outputs and not format_name:
        raise BadInput("standard output has no suffix that names a format", fix="add --format, for example --format text")
    loaded = Recipe.load(recipe)
    with Bar(not quiet and tries > 1) as bar:
        result = loaded.generate(
            seed=seed,
            size=words.size(size) if size else None,
            params=words.settings(settings),
            until=until,
            tries=tries,
            progress=bar.move,
            max_cells=max_cells,
            max_steps=max_steps,
        )
    level = result.level
    for path, format_ in wanted:
        data = formats.dump(level, format_.name)
        if path == "-":
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        else:
            files.write(path, data)
    if not outputs and format_name:
        sys.stdout.buffer.write(formats.dump(level, formats.named(format_name).name))
    elif not outputs:
        show(level, sys.stdout.isatty() if colour == "auto" else colour == "always")
    if not quiet:
        if kernels.slow():
            complain("note: the kernels are not compiled, so this is slow; 'undercroft doctor' says more")
        for note in result.notes:
            complain(f"note: {note}")
        complain(_story(level, result.attempt, [path for path in outputs if path != "-"]))
    elif seed is None:
        complain(f"seed {level.provenance['seed']}")


def show(level: Level, colour: bool) -> None:
    """The level for a person: in colour, or plain."""
    if colour:
        from undercroft.draw import terminal

        click.echo(terminal.coloured(level), color=True)
    else:
        click.echo(str(level))


def _story(level: Level, attempt: int, paths: list[str]) -> str:
    made = level.provenance
    seed = made["seed"] + (f" ({made['seed_text']!r})" if "seed_text" in made else "")
    parts = [f"{made['recipe']} {level.width}x{level.height}, seed {seed}"]
    if attempt:
        parts.append(f"attempt {attempt}")
    if level.rooms and len(level.regions) > 1:
        parts.append(f"{len(level.rooms)} rooms")
    if len(level.doors):
        parts.append(f"{len(level.doors)} doors")
    if len(level.path):
        parts.append(f"a path of {len(level.path) - 1} steps")
    if paths:
        parts.append(f"written to {', '.join(paths)}")
    return ", ".join(parts)


class Bar:
    """A progress bar on a terminal, and nothing in a pipe. It appears only when there is something to wait for."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted and sys.stderr.isatty()
        self._bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def move(self, done: int, total: int) -> None:
        """So many of all tries have failed."""
        if not self.wanted:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(TextColumn("trying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task("trying", total=total)
        self._bar.update(self._task, completed=done)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
