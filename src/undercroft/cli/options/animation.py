"""`--animate` and `--frames`, for every command that makes a level."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from undercroft.cli.messages import print_message
from undercroft.cli.options.output_files import FileContents
from undercroft.cli.stdio import is_terminal
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.wording import plural

if TYPE_CHECKING:
    from undercroft.core.timeline import Timeline

ANIMATE_OPTION = click.option(
    "--animate",
    metavar="FILE",
    multiple=True,
    help="Write an animation of how the level is made: FILE ends in .gif, .webp, .png or .apng; repeatable.",
)
FRAMES_OPTION = click.option(
    "--frames", type=click.IntRange(min=1), help="The greatest number of frames of the animation; 240 by default."
)


def animation_timeline(paths: Sequence[str], frames: int | None, outputs: Collection[str]) -> Timeline | None:
    """The timeline to record with, if animations are requested. Raises for mistakes before any work is done."""
    if not paths:
        if frames is not None:
            raise BadInput(
                "--frames is about --animate, which is missing", fix="add --animate FILE.gif, or leave --frames out"
            )
        return None
    from undercroft import limits
    from undercroft.draw.film.animation import detect_animation_kind

    for place, path in enumerate(paths):
        detect_animation_kind(path)
        if path in outputs:
            raise BadInput(
                f"{path} is asked for twice: as a level and as an animation", fix="give one of them another name"
            )
        if path in paths[:place]:
            raise BadInput(f"{path} is asked for twice", fix="name it once")
    limits.ANIMATION_FRAMES.check(frames or 0, "the number of frames")
    from undercroft.core.timeline import Timeline  # only needed to record

    return Timeline()


def check_animation_size(timeline: Timeline | None, size: tuple[int, int], frames: int | None) -> None:
    """Raise if a map is too large for its animation."""
    if timeline is not None:
        from undercroft.draw.film.animation import fit_frames

        fit_frames(*size, frames)


def render_animations(
    timeline: Timeline, level: Level, paths: Sequence[str], frames: int | None, *, quiet: bool = False
) -> Iterator[FileContents]:
    """The animations of how a level was made."""
    from undercroft.draw.film.animation import animation, detect_animation_kind

    last_note = ""
    for path in paths:
        with _show_progress(not quiet) as move:
            film = animation(timeline, level, detect_animation_kind(path), frames=frames, progress=move)
        if film.thinned and not quiet:
            note = f"note: {film.turns:,} turns in {plural(film.frames, 'frame')}"
            if note != last_note:
                print_message(note)
            last_note = note
        yield FileContents(path, film.data)


@contextmanager
def _show_progress(wanted: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal; nothing in a pipe."""
    if not (wanted and is_terminal(sys.stderr)):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("drawing", total=None)
        yield lambda done, total: bar.update(
            task, completed=done, total=total, description="drawing" if done < total else "writing"
        )
