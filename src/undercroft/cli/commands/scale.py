"""`undercroft scale`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from undercroft.cli.messages import print_message
from undercroft.cli.options import values
from undercroft.cli.options.points import parse_point

if TYPE_CHECKING:
    from undercroft.cli.options.layouts import LayoutChoice
    from undercroft.core.rng import Rng
    from undercroft.templates.layouts.arguments import Size
    from undercroft.templates.template import Template


class RoomRequest(NamedTuple):
    """The requested size of a room."""

    size: Size | None
    leniency: int | Size
    overgrow: bool
    steps: tuple[int, int] | None


@click.command("scale")
@click.argument("layout")
@click.option(
    "--size", metavar="WxH", help="The room's width and height, walls included; by default, those of the drawing."
)
@click.option(
    "--leniency",
    metavar="N|X,Y",
    help="How many cells smaller the room may be; the first possible size is used, from small to large.",
)
@click.option("--overgrow", is_flag=True, help="The room may also be that many cells larger.")
@click.option("--steps", metavar="X,Y", help="Use numbers of scaling steps along X and along Y instead of a size.")
@click.option(
    "--seed",
    metavar="N|TEXT",
    help="Selects a layout from a pool, and whether it is flipped; by default, drawn at random and printed if needed.",
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
    help="The format, if the suffix does not determine it ('undercroft list formats').",
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
    help="Colours of a printed room: only on a terminal, always, never.",
)
@click.option("--quiet", is_flag=True, help="Print only the requested output.")
def command(size: str | None, leniency: str | None, overgrow: bool, steps: str | None, **options: Any) -> None:
    """Make a room from LAYOUT: a file, or a name ('undercroft list layouts').

    LAYOUT may also be a pool to draw from: a folder of layouts, a list of them with weights, or 'any' for the
    shipped ones. Without -o the room is printed. If there is no such room, the command lists near sizes, and exits
    with 1.
    """
    from undercroft.cli.options import layouts
    from undercroft.errors import BadInput

    if steps and (size or leniency or overgrow):
        raise BadInput(
            "--steps says how often a layout is scaled, and --size, --leniency and --overgrow say until when",
            fix="leave one or the other out",
        )
    near = layouts.parse_leniency(leniency) if leniency else 0
    run_scale(
        wish=RoomRequest(
            values.parse_size(size) if size else None, near, overgrow, parse_point(steps, "--steps") if steps else None
        ),
        **options,
    )


def run_scale(
    layout: str,
    wish: RoomRequest,
    seed: str | None,
    outputs: tuple[str, ...],
    format_name: str | None,
    sheet: str | None,
    colour: str,
    quiet: bool,
) -> None:
    """Run the command with typed options."""
    from undercroft import formats
    from undercroft.cli.options.layouts import resolve_layouts
    from undercroft.cli.options.output_files import write_outputs
    from undercroft.cli.stdio import resolve_format
    from undercroft.errors import BadInput
    from undercroft.templates.template_level import build_level

    if sheet is not None and not sheet.casefold().endswith(".png"):
        raise BadInput(f"a sheet is a picture, and {sheet} does not end in .png", fix="name a file such as sheet.png")
    targets = [(path, resolve_format(path, format_name, alone="-" not in outputs)) for path in outputs]
    found = resolve_layouts(layout)
    if found.pool is not None and not wish.size and not (sheet and not outputs):
        raise BadInput("a pool gives a room of a size that is asked for", fix="ask, for example --size 14x10")
    room = None if sheet and not outputs else _make_room(found, wish, _choose_rng(found, seed))
    contents = [(path, formats.dump(build_level(room), format_.name)) for path, format_ in targets if room is not None]
    if sheet:
        contents.append((sheet, _render_sheet(found, wish, f"undercroft scale {layout}")))
    write_outputs(contents)  # all files are encoded before anything is written
    if room is not None and not outputs:
        _print_room(room, colour, format_name)
    if not quiet:
        print_message(_describe_result(found, room, [path for path, _ in contents if path != "-"]))


def _choose_rng(found: LayoutChoice, seed: str | None) -> Rng | None:
    """The random stream; None if nothing is drawn: a single layout is flipped only with a seed."""
    from undercroft.core.rng import Rng, seed_number
    from undercroft.recipe.run import draw_seed

    if seed is None and found.pool is None:
        return None
    number = draw_seed() if seed is None else seed_number(seed)
    if seed is None:
        print_message(f"seed {number}")
    return Rng.root(number).stream("scale")


def _make_room(found: LayoutChoice, request: RoomRequest, rng: Rng | None) -> Template:
    """The requested room. Raises `NoLayoutFits`, with the sizes near it, if there is none."""
    from undercroft.templates.layouts.no_layout_fits import NoLayoutFits
    from undercroft.templates.layouts.pool import Pool

    single = found.layouts[0]
    if request.steps:
        return single.scaled(*request.steps)
    size = request.size or single.smallest
    try:
        if rng is None:
            return single.room(size, leniency=request.leniency, overgrow=request.overgrow)
        return (found.pool or Pool([(single, 1)])).room(rng, size, leniency=request.leniency, overgrow=request.overgrow)
    except NoLayoutFits as error:
        raise NoLayoutFits(error.reasons, size, fix=_suggest_size(found, size)) from None


def _suggest_size(found: LayoutChoice, size: Size) -> str:
    """A suggestion: a size near the requested one, or more leniency."""
    from undercroft.templates.layouts.sizes import find_nearest_sizes, format_size

    near = find_nearest_sizes(found.layouts, size)
    width, height = next((other for other in near if other[0] <= size[0] and other[1] <= size[1]), near[0])
    lenient = (
        f"--leniency {max(abs(width - size[0]), abs(height - size[1]))}"
        f"{' --overgrow' if width > size[0] or height > size[1] else ''}"
    )
    return f"ask for {' or '.join(map(format_size, near))}, or allow it with {lenient}"


def _render_sheet(found: LayoutChoice, request: RoomRequest, footer: str) -> bytes:
    from undercroft.draw.scene.png_file import encode_png_file
    from undercroft.draw.sheets import layout_sheet

    if found.pool is None:
        return encode_png_file(
            layout_sheet.render_size_sheet(found.layouts[0], [request.size] if request.size else [], footer)
        )
    return encode_png_file(
        layout_sheet.render_comparison(
            found.layouts, request.size, leniency=request.leniency, overgrow=request.overgrow, footer=footer
        )
    )


def _print_room(room: Template, colour: str, format_name: str | None) -> None:
    """Print a room: in colour as levels are, or plain with its slots as letters."""
    from undercroft import formats
    from undercroft.cli.commands.generate import print_level
    from undercroft.cli.stdio import wants_colour, write_stdout
    from undercroft.templates.template_level import build_level

    if format_name:
        write_stdout(formats.dump(build_level(room), formats.resolve_format(format_name).name))
    elif colour == "always" or (colour == "auto" and wants_colour()):
        print_level(build_level(room), colour=True)
    else:
        write_stdout(f"{room}\n".encode())


def _describe_result(found: LayoutChoice, room: Template | None, paths: list[str]) -> str:
    """The room or the layouts, the possible sizes, and the written files, on one line."""
    from undercroft.templates.layouts.sizes import describe_sizes, format_size

    title = (
        f"{room.name} {format_size((room.width, room.height))}"
        if room
        else found.layouts[0].name
        if found.pool is None
        else f"{len(found.layouts)} layouts"
    )
    parts = [title] if found.pool else [title, f"sizes: {describe_sizes(found.layouts[0])}"]
    return "; ".join([*parts, *([f"written to {', '.join(paths)}"] if paths else [])])
