"""`undercroft scale`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from undercroft.cli.messages import complain
from undercroft.cli.options import values

if TYPE_CHECKING:
    from undercroft.cli.options.layouts import Named
    from undercroft.core.rng import Rng
    from undercroft.templates.layouts.layout import Size
    from undercroft.templates.template import Template


class Wish(NamedTuple):
    """How large a room is asked for."""

    size: Size | None
    leniency: int | Size
    overgrow: bool
    steps: tuple[int, int] | None


@click.command("scale")
@click.argument("layout")
@click.option("--size", metavar="WxH", help="The room's width and height, walls included; as it is drawn if missing.")
@click.option(
    "--leniency",
    metavar="N|X,Y",
    help="How much smaller the room may be; the first size that fits is taken, from small to large.",
)
@click.option("--overgrow", is_flag=True, help="It may be as much larger, too.")
@click.option("--steps", metavar="X,Y", help="Instead of a size: how often it is scaled along X and along Y.")
@click.option(
    "--seed",
    metavar="N|TEXT",
    help="Draws a layout from a pool, and whether it is flipped; drawn and printed if a pool needs one.",
)
@click.option(
    "-o",
    "outputs",
    metavar="FILE",
    multiple=True,
    help="Write the room as a level; the suffix names the format; - is standard output.",
)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="The format, if the suffix does not say it ('undercroft list formats').",
)
@click.option(
    "--sheet",
    metavar="FILE.png",
    help="Draw a sheet of rooms of many sizes, each part of the layout in its own colour.",
)
@click.option(
    "--colour",
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colours of a room that is shown.",
)
@click.option("--quiet", is_flag=True, help="Say nothing but what was asked for.")
def command(size: str | None, leniency: str | None, overgrow: bool, steps: str | None, **options: Any) -> None:
    """Make a room from LAYOUT: a file, or a name ('undercroft list layouts').

    LAYOUT may also be a pool to draw from: a folder of layouts, a list of them with weights, or 'any' for ours.
    Without -o the room is shown. If there is no such room, it says which sizes are near, and exits with 1.
    """
    from undercroft.cli.options import layouts
    from undercroft.errors import BadInput

    if steps and (size or leniency or overgrow):
        raise BadInput(
            "--steps says how often a layout is scaled, and --size, --leniency and --overgrow say until when",
            fix="leave one or the other out",
        )
    near = layouts.leniency(leniency) if leniency else 0
    scale(
        wish=Wish(values.size(size) if size else None, near, overgrow, values.point(steps) if steps else None),
        **options,
    )


def scale(
    layout: str,
    wish: Wish,
    seed: str | None,
    outputs: tuple[str, ...],
    format_name: str | None,
    sheet: str | None,
    colour: str,
    quiet: bool,
) -> None:
    """The command itself, typed."""
    from undercroft import formats
    from undercroft.cli.options.layouts import named
    from undercroft.cli.stdio import format_of, put
    from undercroft.errors import BadInput
    from undercroft.inputs import files
    from undercroft.templates.template_level import level

    if sheet is not None and not sheet.casefold().endswith(".png"):
        raise BadInput(f"a sheet is a picture, and {sheet} does not end in .png", fix="name a file such as sheet.png")
    wanted = [(path, format_of(path, format_name, alone="-" not in outputs)) for path in outputs]
    found = named(layout)
    if found.pool is not None and not wish.size and not (sheet and not outputs):
        raise BadInput("a pool gives a room of a size that is asked for", fix="ask, for example --size 14x10")
    room = None if sheet and not outputs else _room(found, wish, _rng(found, seed))
    made = [(path, formats.dump(level(room), format_.name)) for path, format_ in wanted if room is not None]
    if sheet:
        made.append((sheet, _sheet(found, wish, f"undercroft scale {layout}")))
    for path, data in made:  # all of it is made before anything is written
        if path == "-":
            put(data)
        else:
            files.write(path, data)
    if room is not None and not outputs:
        _show(room, colour, format_name)
    if not quiet:
        complain(_story(found, room, [path for path, _ in made if path != "-"]))


def _rng(found: Named, seed: str | None) -> Rng | None:
    """Where draws come from; None if nothing is drawn: a single layout is flipped only if there is a seed."""
    from undercroft.core.rng import Rng, seed_number
    from undercroft.recipe.document import drawn_seed

    if seed is None and found.pool is None:
        return None
    number = drawn_seed() if seed is None else seed_number(seed)
    if seed is None:
        complain(f"seed {number}")
    return Rng.root(number).stream("scale")


def _room(found: Named, wish: Wish, rng: Rng | None) -> Template:
    """The room that was asked for, or `NoLayoutFits` with the sizes that are near."""
    from undercroft.templates.layouts.no_layout_fits import NoLayoutFits
    from undercroft.templates.layouts.pool import Pool

    single = found.layouts[0]
    if wish.steps:
        return single.scaled(*wish.steps)
    size = wish.size or single.smallest
    try:
        if rng is None:
            return single.room(size, leniency=wish.leniency, overgrow=wish.overgrow)
        return (found.pool or Pool([(single, 1)])).room(rng, size, leniency=wish.leniency, overgrow=wish.overgrow)
    except NoLayoutFits as error:
        raise NoLayoutFits(error.reasons, size, fix=_fix(found, size)) from None


def _fix(found: Named, size: Size) -> str:
    """What to ask for instead: a size that is near, or more leniency."""
    from undercroft.templates.layouts.sizes import nearest, written

    near = nearest(found.layouts, size)
    width, height = next((other for other in near if other[0] <= size[0] and other[1] <= size[1]), near[0])
    lenient = (
        f"--leniency {max(abs(width - size[0]), abs(height - size[1]))}"
        f"{' --overgrow' if width > size[0] or height > size[1] else ''}"
    )
    return f"ask for {' or '.join(map(written, near))}, or allow it with {lenient}"


def _sheet(found: Named, wish: Wish, footer: str) -> bytes:
    from undercroft.draw.sheets import layout_sheet
    from undercroft.draw.sheets.contact_sheet import png

    if found.pool is None:
        return png(layout_sheet.over_sizes(found.layouts[0], [wish.size] if wish.size else [], footer))
    return png(
        layout_sheet.side_by_side(
            found.layouts, wish.size, leniency=wish.leniency, overgrow=wish.overgrow, footer=footer
        )
    )


def _show(room: Template, colour: str, format_name: str | None) -> None:
    """The room for a person: in colour as levels are, or plain with its slots as letters."""
    from undercroft import formats
    from undercroft.cli.commands.generate import shown
    from undercroft.cli.stdio import colourful, put
    from undercroft.templates.template_level import level

    if format_name:
        put(formats.dump(level(room), formats.named(format_name).name))
    elif colour == "always" or (colour == "auto" and colourful()):
        shown(level(room), colour=True)
    else:
        put(f"{room}\n".encode())


def _story(found: Named, room: Template | None, paths: list[str]) -> str:
    """What came of it, and what else there is."""
    from undercroft.templates.layouts.sizes import in_words, written

    said = (
        f"{room.name} {written((room.width, room.height))}"
        if room
        else found.layouts[0].name
        if found.pool is None
        else f"{len(found.layouts)} layouts"
    )
    parts = [said] if found.pool else [said, f"sizes: {in_words(found.layouts[0])}"]
    return "; ".join([*parts, *([f"written to {', '.join(paths)}"] if paths else [])])
