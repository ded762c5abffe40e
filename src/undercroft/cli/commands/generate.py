"""`undercroft generate`."""

from __future__ import annotations

import sys
from typing import Any, Literal

import click

from undercroft import kernels
from undercroft.cli.messages import complain
from undercroft.cli.options import values
from undercroft.cli.options.animation import ANIMATE, FRAMES, animated, camera, check_size
from undercroft.cli.options.origin import begun
from undercroft.cli.options.output_files import Made, looks, losses, made, stacks, wanted, write
from undercroft.cli.options.storyboard import easel, story
from undercroft.cli.output.nearest_level import show_nearest
from undercroft.cli.output.progress import Steps
from undercroft.cli.output.watch import screened, screening
from undercroft.cli.stdio import colourful, on_terminal, put
from undercroft.core.level import Level
from undercroft.errors import NotMet
from undercroft.recipe.attempts import Interrupted
from undercroft.recipe.document import TRIES


@click.command("generate")
@click.argument("recipe", required=False)
@click.option(
    "--seed", metavar="N|TEXT", help="A whole number from 0 to 2^64-1, or any text; drawn and printed if missing."
)
@click.option("--size", metavar="WxH", help="Width and height in cells.")
@click.option("--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe.")
@click.option("--until", metavar="EXPR", multiple=True, help="Try again until this holds, such as 'loops >= 2'.")
@click.option("--tries", type=int, default=TRIES, show_default=True, help="How many attempts at the most.")
@click.option(
    "--pick",
    type=click.Choice(["first", "best"]),
    default="first",
    help="If no attempt is as required: give up, or take the nearest one.",
)
@click.option("--attempt", type=int, metavar="K", help="Make attempt K alone, whatever it is like.")
@click.option(
    "-o",
    "outputs",
    metavar="FILE",
    multiple=True,
    help="Write the level; the suffix names the format; - is standard output.",
)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="The format, if the suffix does not say it ('undercroft list formats').",
)
@click.option(
    "--colour",
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours of a level that is shown: on a terminal only, always, never.",
)
@looks
@ANIMATE
@FRAMES
@click.option(
    "--storyboard", metavar="FILE", help="Write how the level came to be as a page of pictures: FILE ends in .png."
)
@click.option("--watch", is_flag=True, help="Show in the terminal how the level comes to be.")
@click.option(
    "--from",
    "origin",
    metavar="FILE",
    help="Make the level in FILE again: its recipe, seed, size and parameters, unless others are given.",
)
@click.option("--max-cells", type=int, help="Raise the limit of cells.")
@click.option("--max-steps", type=int, help="Raise the budget of one attempt.")
@click.option("--quiet", is_flag=True, help="Say nothing but what was asked for.")
def command(**options: Any) -> int:
    """Make a level from RECIPE, a name ('undercroft list recipes') or a file.

    Without -o the level is shown; in a pipe it is plain text.
    """
    try:
        generate(**options)
    except NotMet as error:
        complain(str(error))
        if isinstance(error.best, Level) and not options["quiet"]:
            show_nearest(error.best)
            if options["seed"] is None and "seed" in error.best.provenance:
                complain(f"seed {error.best.provenance['seed']}")
        return error.exit_code
    except Interrupted as error:
        complain(str(error))
        if error.best is not None and not options["quiet"]:
            show_nearest(error.best)
            if options["seed"] is None:
                complain(f"seed {error.best.provenance['seed']}")
        return 130
    return 0


def generate(
    recipe: str | None,
    seed: str | None,
    size: str | None,
    settings: tuple[str, ...],
    until: tuple[str, ...],
    tries: int,
    pick: Literal["first", "best"],
    attempt: int | None,
    outputs: tuple[str, ...],
    format_name: str | None,
    colour: str,
    style: str | None,
    show: str | None,
    hide: str | None,
    cell: int | None,
    paper: str | None,
    options: tuple[str, ...],
    animate: tuple[str, ...],
    frames: int | None,
    storyboard: str | None,
    watch: bool,
    origin: str | None,
    max_cells: int | None,
    max_steps: int | None,
    quiet: bool,
) -> None:
    """The command itself, typed."""
    asked = wanted(
        outputs,
        format_name,
        styled=storyboard is not None,
        style=style,
        show=show,
        hide=hide,
        cell=cell,
        paper=paper,
        options=options,
    )
    watchers = camera(animate, frames, outputs), screening() if watch else None, easel(storyboard, [*outputs, *animate])
    timeline = next((one for one in watchers if one is not None), None)
    loaded, chosen, told, params, again = begun(recipe, seed, origin)
    wide = values.size(size) if size else told
    check_size(timeline if animate else None, wide or loaded.size, frames)
    with Steps(not quiet, [plan.id for plan in loaded.plans]) as bar:
        result = loaded.generate(
            seed=chosen,
            size=wide,
            params={**params, **values.settings(settings)},
            until=until,
            tries=tries,
            pick=pick,
            attempt=again if attempt is None and not until else attempt,
            watcher=timeline,
            progress=bar.move,
            tick=bar.tick if bar.wanted else None,
            max_cells=max_cells,
            max_steps=max_steps,
        )
    level = result.level
    ready = made(level, asked)
    if timeline is not None:
        ready += animated(timeline, level, animate, frames, quiet=quiet)
    if timeline is not None and storyboard is not None:
        ready.append(Made(storyboard, story(timeline, level, loaded, style)))
    if timeline is not None and watch:
        screened(timeline, level)
    write(ready)
    if not asked:
        shown(level, colourful() if colour == "auto" else colour == "always")
    if not quiet:
        if kernels.slow():
            complain("note: the kernels are not compiled, so this is slow; 'undercroft doctor' says more")
        for note in (*result.notes, *losses(level, asked), *stacks(ready, asked)):
            complain(f"note: {note}")
        complain(_story(level, result.attempt, [path for path, _ in ready if path != "-"]))
    elif chosen is None:
        complain(f"seed {level.provenance['seed']}")


def shown(level: Level, colour: bool) -> None:
    """The level for a person: in colour and no wider than the terminal, or plain."""
    if colour:
        from shutil import get_terminal_size

        from undercroft.draw import terminal

        click.echo(
            terminal.coloured(level, width=get_terminal_size().columns if on_terminal(sys.stdout) else None), color=True
        )
    else:
        put(f"{level}\n".encode())


def _story(level: Level, attempt: int, paths: list[str]) -> str:
    made = level.provenance
    seed = made["seed"] + (f" ({made['seed_text']!r})" if "seed_text" in made else "")
    parts = [f"{made['recipe']} {level.width}x{level.height}, seed {seed}"]
    if attempt:
        parts.append(f"attempt {attempt}")
    rooms = len(level.rooms)
    if len(level.regions) > 1:
        parts.append(_counted(rooms, "room"))
    if len(level.doors):
        parts.append(_counted(len(level.doors), "door"))
    if len(level.path) > 1:
        parts.append(f"a path of {_counted(len(level.path) - 1, 'step')}")
    if paths:
        parts.append(f"written to {', '.join(paths)}")
    return ", ".join(parts)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
