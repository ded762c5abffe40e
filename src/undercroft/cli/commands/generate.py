"""`undercroft generate`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal

import click

from undercroft import kernels
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options.animation import (
    ANIMATE_OPTION,
    FRAMES_OPTION,
    animation_timeline,
    check_animation_size,
    render_animations,
)
from undercroft.cli.options.origin import resolve_request
from undercroft.cli.options.output_files import (
    FileContents,
    describe_losses,
    describe_page_counts,
    encode_outputs,
    picture_options,
    resolve_outputs,
    write_outputs,
)
from undercroft.cli.options.points import point_option
from undercroft.cli.options.reading import ReadOptions, reading_options
from undercroft.cli.options.storyboard import render_storyboard, storyboard_timeline
from undercroft.cli.output.progress import StepProgressBar
from undercroft.cli.stdio import is_terminal, wants_colour, write_stdout
from undercroft.core.level import Level
from undercroft.errors import BadInput, NotMet
from undercroft.recipe.attempts import InterruptedAttempts
from undercroft.recipe.catalogue import names
from undercroft.recipe.request import DEFAULT_TRIES
from undercroft.recipe.run import run_request
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.core.timeline import Timeline


@click.command("generate")
@click.argument("recipe", required=False)
@click.option(
    "--seed",
    metavar="N|TEXT",
    help="A whole number from 0 to 2^64-1, or any text; by default, drawn at random and printed.",
)
@click.option("--size", metavar="WxH", help="Width and height in cells.")
@click.option(
    "--set", "settings", metavar="NAME=VALUE", multiple=True, help="Set a parameter of the recipe; repeatable."
)
@click.option(
    "--until",
    metavar="EXPR",
    multiple=True,
    help="Try again until the level meets this requirement, such as 'loops >= 2'; repeatable.",
)
@click.option("--tries", type=int, default=DEFAULT_TRIES, show_default=True, help="The greatest number of attempts.")
@click.option(
    "--pick",
    type=click.Choice(["first", "best"]),
    default="first",
    help="If no attempt meets the requirements: give up, or take the nearest one.",
)
@click.option("--attempt", type=int, metavar="K", help="Make only attempt K, without checking requirements.")
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
    help="The format, if the suffix does not determine it ('undercroft list formats').",
)
@click.option(
    "--colour",
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours of a printed level: only on a terminal, always, never.",
)
@picture_options
@ANIMATE_OPTION
@FRAMES_OPTION
@click.option(
    "--storyboard", metavar="FILE", help="Write a page of pictures that shows how the level is made: FILE ends in .png."
)
@click.option("--watch", is_flag=True, help="Show in the terminal how the level is made.")
@click.option(
    "--from",
    "origin",
    metavar="FILE",
    help="Make the level in FILE again: its recipe, seed, size and parameters, unless others are given. FILE may be a "
    "level of a batch, such as caves#7, or a work that the studio saved.",
)
@click.option(
    "--link",
    metavar="LINK",
    help="Make the level of a link, as the studio copies it ('undercroft:1:...').",
)
@click.option(
    "--then",
    metavar="RECIPE",
    multiple=True,
    help="A recipe that follows: it begins with the level so far, such as inhabited; repeatable.",
)
@click.option("--floor", metavar="ID", help="Of a dungeon recipe, make this floor only, such as 3 or crypt-1.")
@click.option("--floors", metavar="IDS", help="Of a dungeon recipe, make these floors only, such as 1..3 or 2,crypt-1.")
@click.option("--workers", type=int, default=1, help="Processes that make the floors of a dungeon; 1 by default.")
@click.option("--on", "on", metavar="MAP", help="The map to begin with, if the recipe needs one; - is standard input.")
@reading_options("MAP", ends=False)
@point_option("start", "The cell where the level starts, counted from 0; by default the recipe chooses it.")
@point_option("end", "The cell where the level ends.")
@click.option(
    "--reach",
    type=click.Choice(["exact", "near", "dig"]),
    help="If nobody can walk on --start or --end: try again, take the nearest cell, or dig a corridor there.",
)
@click.option("--max-cells", type=int, help="Raise the limit of cells.")
@click.option("--max-steps", type=int, help="Raise the budget of one attempt.")
@click.option("--quiet", is_flag=True, help="Print only the requested output.")
def command(**options: Any) -> int:
    """Make a level from RECIPE, a name ('undercroft list recipes') or a file.

    Without -o the level is printed; in a pipe it is plain text.
    """
    try:
        run_generate(**options)
    except NotMet as error:
        print_message(str(error))
        if error.best is not None and not options["quiet"]:
            _show_nearest(error.best, seed_given=options["seed"] is not None)
        return error.exit_code
    except InterruptedAttempts as error:
        print_message(str(error))
        if error.best is not None and not options["quiet"]:
            _show_nearest(error.best, seed_given=options["seed"] is not None)
        return 130
    return 0


def _show_nearest(level: Level, *, seed_given: bool) -> None:
    """Draw the nearest level below an error, with its seed if that was drawn at random."""
    from undercroft.cli.output.nearest_level import show_nearest  # only needed for errors

    show_nearest(level)
    if not seed_given and "seed" in level.provenance:
        print_message(f"seed {level.provenance['seed']}")


def run_generate(
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
    link: str | None,
    on: str | None,
    read_as: str | None,
    palette: str | None,
    read_cell: int | None,
    start: str | None,
    end: str | None,
    reach: str | None,
    max_cells: int | None,
    max_steps: int | None,
    quiet: bool,
    floor: str | None,
    floors: str | None,
    workers: int,
    then: tuple[str, ...],
) -> None:
    """Run the command with typed options."""
    with_colour = wants_colour() if colour == "auto" else colour == "always"
    if recipe not in names() or origin is not None or floor is not None or floors is not None:
        from undercroft.cli.commands.generate_dungeon import find_dungeon_origin, run_generate_dungeon

        if (dungeon := find_dungeon_origin(recipe, origin, seed)) is not None:
            run_generate_dungeon(
                dungeon,
                size=size,
                settings=settings,
                tries=None if tries == DEFAULT_TRIES else tries,
                attempt=attempt,
                until=until,
                floor=floor,
                floors=floors,
                workers=workers,
                outputs=outputs,
                format_name=format_name,
                print_level=lambda level: print_level(level, with_colour),
                max_cells=max_cells,
                max_steps=max_steps,
                quiet=quiet,
                picture={"style": style, "show": show, "hide": hide, "cell": cell, "paper": paper, "options": options},
                others={
                    "animate": animate,
                    "frames": frames,
                    "storyboard": storyboard,
                    "watch": watch,
                    "on": on,
                    "start": start,
                    "end": end,
                    "reach": reach,
                    "then": then,
                    "link": link,
                },
            )
            return
        if floor is not None or floors is not None:
            raise BadInput(
                f"{recipe or origin} makes single levels, which have no floors",
                fix="leave --floor out, or name a dungeon recipe: undercroft list recipes",
            )
    output_targets = resolve_outputs(
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
    work = None
    if origin is not None or link is not None:
        from undercroft.cli.options.works import build_map, read_named_work  # few levels are made from a work

        work = read_named_work(origin, link)
    if work is not None and work.map is not None:
        how = {"RECIPE": recipe, "--seed": seed, "--size": size, "--set": settings, "--until": until, "--on": on}
        views = {"--animate": animate, "--storyboard": storyboard, "--watch": watch}
        level = build_map(work, {**how, **views})
        write_outputs(encode_outputs(level, output_targets))
        if not output_targets:
            print_level(level, with_colour)
        return
    watchers = (
        animation_timeline(animate, frames, outputs),
        _start_watching() if watch else None,
        storyboard_timeline(storyboard, [*outputs, *animate]),
    )
    timeline = next((one for one in watchers if one is not None), None)
    request, by_hand = resolve_request(
        recipe,
        seed,
        origin,
        work,
        size=size,
        settings=settings,
        until=until,
        attempt=attempt,
        on=on,
        reading=ReadOptions(read_as, palette, read_cell, start, end),
        reach=reach,
        then=then,
        tries=tries,
        pick=pick,
        max_cells=max_cells,
        max_steps=max_steps,
    )
    check_animation_size(timeline if animate else None, request.size, frames)
    with StepProgressBar(not quiet, [plan.id for plan in request.recipe.plans]) as bar:
        result = run_request(
            request,
            watcher=timeline,
            progress=bar.show_attempts,
            tick=bar.show_step if bar.wanted else None,
        ).unwrap()
    level = by_hand.apply(result.level)
    ready = encode_outputs(level, output_targets)
    if timeline is not None:
        ready += render_animations(timeline, level, animate, frames, quiet=quiet)
    if timeline is not None and storyboard is not None:
        ready.append(FileContents(storyboard, render_storyboard(timeline, level, request.recipe, style)))
    if timeline is not None and watch:
        from undercroft.cli.output.watch import play_on_terminal

        play_on_terminal(timeline, level)
    write_outputs(ready)
    if not output_targets:
        print_level(level, with_colour)
    if not quiet:
        if kernels.is_slow():
            print_message("note: the kernels are not compiled, so this is slow; 'undercroft doctor' says more")
        for note in (
            *result.notes,
            *describe_losses(level, output_targets),
            *describe_page_counts(ready, output_targets),
        ):
            print_message(f"note: {note}")
        print_message(_describe_level(level, result.attempt, [path for path, _ in ready if path != "-"]))
    elif request.seed is None:
        print_message(f"seed {level.provenance['seed']}")


def _start_watching() -> Timeline:
    from undercroft.cli.output.watch import watch_timeline

    return watch_timeline()


def print_level(level: Level, colour: bool) -> None:
    """Print a level: in colour and cut to the width of the terminal, or plain."""
    if colour:
        from shutil import get_terminal_size

        from undercroft.draw import terminal

        print_output(
            terminal.render_coloured(level, width=get_terminal_size().columns if is_terminal(sys.stdout) else None),
            coloured=True,
        )
    else:
        write_stdout(f"{level}\n".encode())


def _describe_level(level: Level, attempt: int, paths: list[str]) -> str:
    provenance = level.provenance
    seed = provenance["seed"] + (f" ({provenance['seed_text']!r})" if "seed_text" in provenance else "")
    parts = [f"{provenance['recipe']} {level.width}x{level.height}, seed {seed}"]
    if attempt:
        parts.append(f"attempt {attempt}")
    rooms = len(level.rooms)
    if len(level.regions) > 1:
        parts.append(plural(rooms, "room"))
    if len(level.doors):
        parts.append(plural(len(level.doors), "door"))
    if len(level.path) > 1:
        parts.append(f"a path of {plural(len(level.path) - 1, 'step')}")
    if paths:
        parts.append(f"written to {', '.join(paths)}")
    return ", ".join(parts)
