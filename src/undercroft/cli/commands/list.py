"""`undercroft list`."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any

import click

from undercroft.cli.messages import print_message, print_output
from undercroft.errors import unknown_name_error
from undercroft.plugins.table import PluginTable

ListRow = tuple[str, str]


def list_recipes() -> Iterator[ListRow]:
    from undercroft.recipe.catalogue import dungeon_names, finish_names, names
    from undercroft.recipe.document import Recipe
    from undercroft.recipe.dungeon.document import DungeonRecipe

    for name in (*names(), *finish_names(), *dungeon_names()):
        recipe: Recipe | DungeonRecipe = DungeonRecipe.load(name) if name in dungeon_names() else Recipe.load(name)
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
        yield name, (inspect.getdoc(step) or "").split("\n\n")[0].replace("\n", " ") + _format_provider(STEPS, name)
        hints = typing.get_type_hints(step, include_extras=True)
        for field in dataclasses.fields(step):  # type: ignore[arg-type]
            yield f"  {field.name}", f"{describe_type(hints[field.name])} ({_format_value(field.default)})"


def list_formats() -> Iterator[ListRow]:
    from undercroft.formats import FORMATS
    from undercroft.formats.table import LEVEL_PARTS

    for name, format_ in FORMATS.items():
        ways = "read and write" if format_.load and format_.dump else "read" if format_.load else "write"
        yield name, f"{format_.about} ({', '.join((*format_.suffixes, ways))}){_format_provider(FORMATS, name)}"
        lost = [part for part in LEVEL_PARTS if part not in format_.keeps]
        yield (
            "  keeps",
            (", ".join(format_.keeps) or "nothing beside the picture")
            + (f"; not {', '.join(lost)}" if lost and format_.keeps else ""),
        )


def list_styles() -> Iterator[ListRow]:
    from undercroft.draw.styles.table import STYLES

    for name, style in STYLES.items():
        ways = "PNG and SVG" if style.vector else "PNG"
        about = f"{style.about} ({ways}; shows {', '.join(style.shown) or 'the map alone'})"
        yield name, f"{about}{_format_provider(STYLES, name)}"


def list_parts() -> Iterator[ListRow]:
    from undercroft.draw.styles.table import PICTURE_PARTS

    yield from PICTURE_PARTS.items()


def list_measures() -> Iterator[ListRow]:
    from undercroft.analysis.measures.table import MEASURES

    for name, measure in MEASURES.items():
        yield name, f"{measure.about} (edition {measure.edition}){_format_provider(MEASURES, name)}"


def list_limits() -> Iterator[ListRow]:
    from undercroft.limits import LIMITS

    for limit in LIMITS:
        yield limit.name, f"{limit.value:,}: {limit.reason}; if that is too little, {limit.raise_by}"


def list_plugins() -> Iterator[ListRow]:
    """The parts that are not ours, by their packages."""
    from undercroft.registration import part_tables

    for table in part_tables():
        for name, foreign in table.foreign().items():
            yield foreign.provider.label, f"the {table.kind} {name}"


TABLES: dict[str, Callable[[], Iterator[ListRow]]] = {
    "recipes": list_recipes,
    "layouts": list_layouts,
    "steps": list_steps,
    "formats": list_formats,
    "styles": list_styles,
    "parts": list_parts,
    "measures": list_measures,
    "limits": list_limits,
    "plugins": list_plugins,
}
EXTENSIBLE = ("steps", "formats", "styles", "measures", "plugins")
"""The lists that packages can add to."""


@click.command("list")
@click.argument("what", default="")
def command(what: str) -> None:
    """List recipes, layouts, steps, formats, styles, parts, measures, limits or plugins; without WHAT, the names of
    all.
    """
    if what and what not in TABLES:
        raise unknown_name_error("list", what, TABLES)
    for name in [what] if what else TABLES:
        rows = list(TABLES[name]())
        if not what:
            names = dict.fromkeys(left for left, _ in rows if not left.startswith(" "))
            print_output(f"{name}: {', '.join(names) or 'none'}")
            continue
        width = max((len(left) for left, _ in rows), default=0)
        for left, right in rows:
            print_output(f"{left:<{width}}  {right}")
    if what == "plugins" and not rows:
        print_output("no installed package adds steps, measures, formats or styles")
    if not what or what in EXTENSIBLE:
        for problem in find_plugin_problems():
            print_message(f"note: {problem}")


def find_plugin_problems() -> list[str]:
    """What is wrong with the plugins of installed packages."""
    from undercroft.plugins.entry_points import scan_packages
    from undercroft.registration import part_tables

    return [*scan_packages().problems, *(problem for table in part_tables() for problem in table.problems())]


def _format_provider(table: PluginTable[Any], name: str) -> str:
    """The package of a part that is not ours."""
    provider = table.provider(name)
    return "" if provider is None else f" [{provider.label}]"


def _format_value(value: object) -> str:
    from undercroft.inputs.values import format_value

    return format_value(list(value) if isinstance(value, tuple) else value)
