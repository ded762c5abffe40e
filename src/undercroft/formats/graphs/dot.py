"""Write the graph of a level in DOT, the language of Graphviz. `neato` draws its regions at their places on the map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from undercroft.analysis.survey import surveyed
from undercroft.core.graph import Attributes
from undercroft.core.level import Level
from undercroft.formats.graphs.graphml import format_printable_origin
from undercroft.formats.shared.origin import ORIGIN_KEY, check_note, parse_origin, strip_backslashes

CELL_INCHES = 0.25
"""The width of a cell in a drawing, in inches."""
RENAMED_ATTRIBUTES = {"name": "title"}
"""Attributes under another name: some readers of DOT reserve the word `name`."""
LINK_STYLES = {"open": "solid", "door": "bold", "locked": "bold", "secret": "dotted", "one-way": "bold"}
LINK_COLOURS = {"locked": "firebrick", "secret": "gray40", "one-way": "navy"}
ORIGIN_PATTERN = re.compile(
    rb'^[ \t]*(?:graph[ \t]*\[\s*)?%b[ \t]*=[ \t]*"([^"\\]*+(?:\\.[^"\\]*+)*+)"' % ORIGIN_KEY.encode(),
    re.MULTILINE | re.DOTALL,
)
"""The line with the provenance, as we write it, and as Graphviz and pydot do. Our texts never cross the end of a
line.
"""


def dump(level: Level) -> bytes:
    """The graph of the level; a level without regions is surveyed first.

    >>> print(dump(Level.parse("#.+.#")).decode(), end="")
    graph "level" {
      graph [columns=5, rows=1, overlap=true, splines=line];
      node [shape=box, fixedsize=true];
      1 [label="1", kind="room", box="1,0,1,1", area=1, pos="0.375,-0.125!", width=0.25, height=0.25];
      2 [label="2", kind="room", box="3,0,1,1", area=1, pos="0.875,-0.125!", width=0.25, height=0.25];
      1 -- 2 [kind="door", carved=true, x=2, y=0, state="closed", style="bold"];
    }
    """
    return "".join(f"{line}\n" for line in _format_lines(level if len(level.regions) else surveyed(level))).encode()


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a graph that undercroft wrote."""
    found = ORIGIN_PATTERN.search(data)
    note = check_note(found[1], file) if found else b""
    return parse_origin(strip_backslashes(note.decode("utf-8", "replace")), file, "graph")


def _format_lines(level: Level) -> Iterator[str]:
    yield f"graph {_quote(level.title or 'level')} {{"
    yield f"  graph [columns={level.width}, rows={level.height}, overlap=true, splines=line];"
    if level.provenance:
        yield f"  {ORIGIN_KEY}={_quote(format_printable_origin(level))};"
    yield "  node [shape=box, fixedsize=true];"
    graph = level.graph
    for label, told in graph.about_nodes():
        yield f"  {label} [{_format_attributes(_node_attributes(label, told))}];"
    for link, told in graph.about_links():
        style: Attributes = {"style": LINK_STYLES[link.kind]}
        style |= {"color": LINK_COLOURS[link.kind]} if link.kind in LINK_COLOURS else {}
        style |= {"dir": "forward"} if link.kind == "one-way" else {}
        yield f"  {link.a} -- {link.b} [{_format_attributes(told | style)}];"
    yield "}"


def _node_attributes(label: int, told: Attributes) -> dict[str, str | int | float | bool]:
    """The attributes of a region, with its place and size for Graphviz, whose `width` and `height` are inches and whose
    y axis points up. Corridors are dots.
    """
    x, y, width, height = (int(told[name]) for name in ("x", "y", "width", "height"))
    rest = {
        RENAMED_ATTRIBUTES.get(name, name): value
        for name, value in told.items()
        if name not in ("kind", "x", "y", "width", "height")
    }
    drawn = (
        {"shape": "point"}
        if told["kind"] == "corridor"
        else {"width": width * CELL_INCHES, "height": height * CELL_INCHES}
    )
    return {
        "label": f"{label} {told.get('name', '')}".strip(),
        "kind": told["kind"],
        "box": f"{x},{y},{width},{height}",
        **rest,
        "pos": f"{(x + width / 2) * CELL_INCHES},{-(y + height / 2) * CELL_INCHES}!",
        **drawn,
    }


def _format_attributes(told: dict[str, str | int | float | bool] | Attributes) -> str:
    return ", ".join(f"{name}={_format_value(value)}" for name, value in told.items())


def _format_value(value: str | int | float | bool) -> str:
    if isinstance(value, str):
        return _quote(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quote(words: str) -> str:
    """A text in quotes; unprintable characters become blanks.

    >>> print(_quote('the "Hall"'))
    "the \\"Hall\\""
    """
    shown = "".join(sign if sign.isprintable() else " " for sign in words)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'
