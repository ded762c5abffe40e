"""The reference page of the Python names: all of `undercroft.__all__`, read from their source."""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import undercroft
from making.blocks import Block, Session
from making.markdown import fenced, head, table
from making.python_examples import EXAMPLES
from making.python_sessions import qualify_sessions
from making.python_source import Field, attributes, constructor, methods, signature

GROUPS = {
    "Make a level": ("generate", "Recipe", "Result", "load", "__version__"),
    "A level and its parts": ("Level", "Region", "Door", "Link", "Thing", "Graph", "survey"),
    "Dungeons": ("Dungeon", "Floor", "Stairs", "DungeonRecipe", "descend"),
    "Flows": ("Flow", "FlowRoom", "FlowLink", "FlowThing", "FlowApart", "compare_flow"),
    "Tiles and palettes": ("Palette", "Tile", "STANDARD"),
    "Measures and proofs": ("measure", "compare", "distances", "solve", "prove", "Solution"),
    "Many levels": ("search", "batch", "open_batch"),
    "Rewriting": ("Rules", "slices", "match", "blit", "theme"),
    "Rooms that scale": ("Layout", "Partition", "Axis", "Pool"),
    "Curves, room grids and tilesets": ("hilbert", "to_pixels", "autotile"),
    "Watch the work": ("Timeline",),
    "Write a step": ("Draft", "Rng", "Run"),
    "Extend": ("register", "unregister"),
    "Errors": (
        *("UndercroftError", "BadInput", "TooBig", "FileTrouble", "NotMet", "OutOfBudget", "Cancelled"),
        *("PluginTrouble", "NoLayoutFits", "Place"),
    ),
}
"""Every public name, by subject."""
VALUES = {
    "__version__": "The version of the package, a text.",
    "STANDARD": "The palette of the shipped recipes and of the format `text`.",
}
"""Names that are neither classes nor functions."""


def python() -> Iterator[str]:
    """The page."""
    yield from head(
        "The Python names",
        "All that `import undercroft as uc` gives, from the docstrings of the source. "
        "Every example runs alone after that line. "
        "Positions are `(x, y)` from the top left, and grids are indexed `[y, x]`.",
    )
    for title, names in GROUPS.items():
        yield f"- {title}: {', '.join(f'[`{name}`](#{name.lower()})' for name in names)}"
    yield ""
    for title, names in GROUPS.items():
        yield from (f"## {title}", "")
        for name in names:
            yield from describe_name(name, getattr(undercroft, name))


def describe_name(name: str, value: Any) -> Iterator[str]:
    """The section of a public name."""
    yield from (f"### {name}", "")
    if name in VALUES:
        yield from (VALUES[name], "", *_example(name))
        return
    is_class = inspect.isclass(value)
    yield from _code(constructor(value) if is_class else signature(value, name))
    yield from (*fenced(docstring(value)), "")
    if is_class and issubclass(value, undercroft.UndercroftError):
        yield from (f"The command line exits with {value.exit_code}.", "")
    yield from _example(name)
    if is_class:
        yield from table(("attribute", "what it is"), attribute_rows(attributes(value)))
        for method in methods(value):
            kind = "Class method. " if method.of_class else ""
            yield from (f"#### {name}.{method.name}", "", *_code(method.signature))
            yield from (*fenced(qualify_sessions(f"{kind}{method.about}".split("\n"), value.__module__)), "")


def docstring(value: Any) -> list[str]:
    """The lines of a docstring; sessions in it that are not run are left out."""
    lines = (inspect.getdoc(value) or "").split("\n")
    lines = "\n".join(line for line in lines if "+SKIP" not in line).rstrip("\n").split("\n")
    return qualify_sessions(lines, value.__module__)


def attribute_rows(found: list[Field]) -> Iterator[tuple[str, str]]:
    """A row for each attribute. Those of one type that share a text share a row, as x and y do."""
    waiting: list[Field] = []
    for field in found:
        if waiting and waiting[-1].type != field.type:
            yield ", ".join(f"`{one.declaration}`" for one in waiting), ""
            waiting = []
        waiting.append(field)
        if field.about or field is found[-1]:
            yield ", ".join(f"`{one.declaration}`" for one in waiting), field.about
            waiting = []


def run_example(source: str) -> tuple[str, ...]:
    """Lines of Python as a session, with what they print."""
    with tempfile.TemporaryDirectory() as folder:
        session = Session(Path(folder))
        session.names["uc"] = undercroft
        return session.run_block(Block("python", 1, tuple(source.strip("\n").split("\n"))))


def _example(name: str) -> Iterator[str]:
    if name in EXAMPLES:
        yield from _code("\n".join(run_example(EXAMPLES[name])))


def _code(text: str) -> Iterator[str]:
    yield from ("```python", text, "```", "")
