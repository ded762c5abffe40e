"""`undercroft rewrite`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from undercroft.cli.messages import print_message
from undercroft.cli.options import values
from undercroft.cli.options.animation import (
    ANIMATE_OPTION,
    FRAMES_OPTION,
    animation_timeline,
    check_animation_size,
    render_animations,
)
from undercroft.cli.options.output_files import picture_options
from undercroft.cli.options.palettes import RULES_PALETTE_OPTION

if TYPE_CHECKING:
    from undercroft.core.level import Level
    from undercroft.rewrite.rules import Rules


@click.command("rewrite")
@click.argument("rules")
@click.option("--on", "on", metavar="MAP", help="The map to rewrite; - is standard input.")
@click.option("--read-as", metavar="NAME", help="The format of MAP, if its suffix does not determine it.")
@RULES_PALETTE_OPTION
@click.option("--size", metavar="WxH", help="Use a map of this size, filled with the palette's first tile.")
@click.option(
    "--steps",
    type=values.STEP_LIMIT_TYPE,
    default=0,
    help="The greatest number of rewrites of a single node, or of turns of a larger program; 0 for no limit.",
)
@click.option(
    "--seed",
    metavar="N|TEXT",
    help="A whole number from 0 to 2^64-1, or any text; by default, drawn at random and printed.",
)
@click.option(
    "-o",
    "outputs",
    metavar="FILE",
    multiple=True,
    help="Write the level; the suffix names the format; - is standard output.",
)
@click.option("--format", "format_name", metavar="NAME", help="The format, if the suffix does not determine it.")
@picture_options
@ANIMATE_OPTION
@FRAMES_OPTION
@click.option("--max-cells", type=click.IntRange(min=1), help="Raise the limit of cells.")
@click.option("--max-steps", type=click.IntRange(min=1), help="Raise the budget.")
@click.option(
    "--lenient",
    is_flag=True,
    help="Read a grammar folder as the first program for such folders did, with notes instead of errors.",
)
def command(
    rules: str,
    on: str | None,
    read_as: str | None,
    palette: str | None,
    size: str | None,
    steps: int,
    seed: str | None,
    outputs: tuple[str, ...],
    format_name: str | None,
    animate: tuple[str, ...],
    frames: int | None,
    max_cells: int | None,
    max_steps: int | None,
    lenient: bool,
    **said: Any,
) -> None:
    """Apply RULES, a .rules file or a folder of grammar rules, to a map."""
    from undercroft.cli.options.output_files import encode_outputs, resolve_outputs, write_outputs
    from undercroft.cli.options.start_map import load_rules, resolve_start_map
    from undercroft.cli.stdio import write_stdout
    from undercroft.recipe.run import draw_seed

    asked = resolve_outputs(outputs, format_name, **said)
    timeline = animation_timeline(animate, frames, outputs)
    loaded = load_rules(rules, lenient=lenient, palette=palette)
    notes = list(loaded.notes)
    begin = resolve_start_map(loaded, on, read_as, size, max_cells, palette=palette, has_max_cells=True)
    check_animation_size(timeline, begin.size, frames)
    chosen = str(draw_seed()) if seed is None else seed
    level = loaded.apply(begin, chosen, steps=steps, max_steps=max_steps, watcher=timeline, notes=notes)
    ready = encode_outputs(level, asked)
    if timeline is not None:
        ready += render_animations(timeline, level, animate, frames)
    write_outputs(ready)
    if not asked:
        faces = sys.stdout is not None and sys.stdout.isatty()
        write_stdout(f"{level.pretty_text() if faces else level}\n".encode())
    for note in (*notes, *_describe_things(loaded, level, [one.format.name for one in asked] or ["text"])):
        print_message(f"note: {note}")
    if seed is None:
        print_message(f"seed {chosen}")


def _describe_things(rules: Rules, level: Level, formats: list[str]) -> list[str]:
    """Notes on the things of the level: how many there are of those that the rules have, and that text formats do not
    hold them.
    """
    from collections import Counter

    known = {standing.kind for standing in rules.program.things}
    counts = Counter(thing.kind for thing in level.things if thing.kind in known)
    notes = [f"things on the map: {', '.join(f'{count:,} {kind}' for kind, count in counts.items())}"] if counts else []
    if level.things and all(name.startswith("text") for name in formats):
        notes.append("text holds no things; write a .json file (-o FILE.json) to keep them")
    return notes
