"""`undercroft list`."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterator

import click

from undercroft.cli.messages import print_output
from undercroft.errors import unknown_name_error

ListRow = tuple[str, str]


def list_recipes() -> Iterator[ListRow]:
    from undercroft.recipe.catalogue import names
    from undercroft.recipe.document import Recipe

    for name in names():
        recipe = Recipe.load(name)
        yield name, f"{recipe.about} [{', '.join(recipe.tags)}]" if recipe.tags else recipe.about
        for param in recipe.params.values():
            yield f"  {param.name}", f"{param.about} ({param.describe_values()}; {_format_value(param.default)})"


def list_layouts() -> Iterator[ListRow]:
    from undercroft.templates.layouts import layout_files
    from undercroft.templates.layouts.sizes import describe_sizes

    for name in layout_files.list_layouts():
        text, file = layout_files.load_layout_text(name)
        layout = layout_files.parse(text, file)
        about = text.partition("\n")[0].removeprefix("; ") if text.startswith("; ") else ""
        tags = f" [{', '.join(layout.tags)}]" if layout.tags else ""
        yield name, f"{about} ({describe_sizes(layout)}){tags}"


def list_steps() -> Iterator[ListRow]:
    from undercroft.recipe.params import describe_type
    from undercroft.steps import STEPS

    for name, step in STEPS.items():
        yield name, (inspect.getdoc(step) or "").split("\n\n")[0].replace("\n", " ")
        hints = typing.get_type_hints(step, include_extras=True)
        for field in dataclasses.fields(step):  # type: ignore[arg-type]
            yield f"  {field.name}", f"{describe_type(hints[field.name])} ({_format_value(field.default)})"


def list_formats() -> Iterator[ListRow]:
    from undercroft.formats import FORMATS
    from undercroft.formats.table import LEVEL_PARTS

    for name, format_ in FORMATS.items():
        ways = "read and write" if format_.load and format_.dump else "read" if format_.load else "write"
        yield name, f"{format_.about} ({', '.join((*format_.suffixes, ways))})"
        lost = [part for part in LEVEL_PARTS if part not in format_.keeps]
        yield (
            "  keeps",
            (", ".join(format_.keeps) or "nothing beside the picture")
            + (f"; not {', '.join(lost)}" if lost and format_.keeps else ""),
        )


def list_styles() -> Iterator[ListRow]:
    from undercroft.draw.styles.table import STYLES

    for name, style in STYLES.items():
        yield name, f"{style.about} ({'PNG and SVG' if style.vector else 'PNG'}; shows {', '.join(style.shown)})"


def list_parts() -> Iterator[ListRow]:
    from undercroft.draw.styles.table import PICTURE_PARTS

    yield from PICTURE_PARTS.items()


def list_measures() -> Iterator[ListRow]:
    from undercroft.analysis.measures.table import MEASURES

    for name, measure in MEASURES.items():
        yield name, f"{measure.about} (edition {measure.edition})"


def list_limits() -> Iterator[ListRow]:
    from undercroft.limits import LIMITS

    for limit in LIMITS:
        yield limit.name, f"{limit.value:,}: {limit.reason}; if that is too little, {limit.raise_by}"


TABLES: dict[str, Callable[[], Iterator[ListRow]]] = {
    "recipes": list_recipes,
    "layouts": list_layouts,
    "steps": list_steps,
    "formats": list_formats,
    "styles": list_styles,
    "parts": list_parts,
    "measures": list_measures,
    "limits": list_limits,
}


@click.command("list")
@click.argument("what", default="")
def command(what: str) -> None:
    """List recipes, layouts, steps, formats, styles, parts, measures or limits; without WHAT, the names of all."""
    if what and what not in TABLES:
        raise unknown_name_error("list", what, TABLES)
    for name in [what] if what else TABLES:
        rows = list(TABLES[name]())
        if not what:
            print_output(f"{name}: {', '.join(left for left, _ in rows if not left.startswith(' '))}")
            continue
        width = max(len(left) for left, _ in rows)
        for left, right in rows:
            print_output(f"{left:<{width}}  {right}")


def _format_value(value: object) -> str:
    from undercroft.inputs.values import format_value

    return format_value(list(value) if isinstance(value, tuple) else value)
