"""`undercroft rewrite`."""

from __future__ import annotations

import sys

import click

from undercroft.cli import complain, words
from undercroft.cli.animate import ANIMATE, FRAMES, animated, camera, check_size


@click.command("rewrite")
@click.argument("rules")
@click.option("--on", "on", metavar="MAP", help="The map to rewrite; - is standard input.")
@click.option("--read-as", metavar="NAME", help="The format of MAP, if its suffix does not say it.")
@click.option("--size", metavar="WxH", help="Instead of a map: so many cells of the palette's first tile.")
@click.option("--steps", type=click.IntRange(min=0), default=0, help="At most so many rewrites of a single node, or turns of a larger program.")
@click.option("--seed", metavar="N|TEXT", help="A whole number from 0 to 2^64-1, or any text; drawn and printed if missing.")
@click.option("-o", "output", metavar="FILE", help="Write the level; the suffix names the format; - is standard output.")
@click.option("--format", "format_name", metavar="NAME", help="The format, if the suffix does not say it.")
@ANIMATE
@FRAMES
@click.option("--max-steps", type=int, help="Raise the budget.")
@click.option("--lenient", is_flag=True, help="Read a grammar folder as the first program for them did, with notes instead of errors.")
def command(
    rules: str,
    on: str | None,
    read_as: str | None,
    size: str | None,
    steps: int,
    seed: str | None,
    output: str | None,
    format_name: str | None,
    animate: str | None,
    frames: int | None,
    max_steps: int | None,
    lenient: bool,
) -> None:
    """Apply RULES, a .rules file or a folder of grammar rules, to a map."""
    import numpy as np

    from undercroft import files, formats, limits
    from undercroft.cli.streams import format_of, level_from, put
    from undercroft.core.level import Level, checked_size
    from undercroft.errors import BadInput
    from undercroft.recipe import drawn_seed
    from undercroft.rewrite.rules import Rules

    format_ = format_of(output, format_name) if output else None
    timeline = camera(animate, frames, [output] if output else [])
    loaded = Rules.load(rules, strict=not lenient)
    for note in loaded.notes:
        complain(f"note: {note}")
    palette = loaded.program.palette
    if on and size:
        raise BadInput("a map has its own size", fix="give --on or --size, not both")
    if on:
        ours = on != "-" and (formats.named(read_as) if read_as else formats.by_suffix(on)).name == "text"
        begin = loaded.drawn(files.text(on, limits.TEXT_BYTES), on) if ours else level_from(on, read_as)
    elif size:
        width, height = checked_size(words.size(size))
        begin = Level(np.zeros((height, width), np.uint8), palette)
    elif (brought := loaded.level()) is not None:
        begin = brought
    else:
        raise BadInput("there is no map to rewrite", fix="name one with --on MAP, or give --size WxH")
    check_size(timeline, begin.size, frames)
    chosen = str(drawn_seed()) if seed is None else seed
    level = loaded.apply(begin, chosen, steps=steps, max_steps=max_steps, watcher=timeline)
    data = formats.dump(level, format_.name) if format_ else b""
    if timeline is not None and animate is not None:  # all is made before anything is written
        files.write(animate, animated(timeline, level.palette, animate, frames))
    if output == "-":
        put(data)
    elif output:
        files.write(output, data)
    elif format_name:
        put(formats.dump(level, formats.named(format_name).name))
    else:
        faces = sys.stdout is not None and sys.stdout.isatty()
        put(f"{level.shown() if faces else level}\n".encode())
    if seed is None:
        complain(f"seed {chosen}")
