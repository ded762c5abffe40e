"""What the commands lint and convert do with flows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from undercroft.cli.commands.lint import LintReport
from undercroft.cli.messages import print_message
from undercroft.errors import BadInput

if TYPE_CHECKING:
    from undercroft.cli.options.reading import ReadOptions
    from undercroft.flows.room_templates import RoomTemplate

FLOW_SUFFIX = ".flow"
GRAPH_SUFFIXES = (".dot", ".gv", ".graphml")
"""Files that hold a flow, or the graph of a level."""
EDGES = "edges"
"""The format of edge lists, which no suffix tells."""


def is_flow_file(what: str) -> bool:
    """Whether this is the name of a file that a flow is read from."""
    return Path(what).suffix.casefold() in (FLOW_SUFFIX, *GRAPH_SUFFIXES)


def can_lint(what: str) -> bool:
    """Whether this is a flow, or a graph that becomes one."""
    return is_flow_file(what)


def lint_file(what: str) -> LintReport:
    """The remarks on a flow, each with its place."""
    from undercroft.flows.files import load_flow
    from undercroft.flows.lint import CHECKS, lint_flow
    from undercroft.rewrite.lint.finding import Finding
    from undercroft.wording import plural

    source = load_flow(what)
    remarks = lint_flow(source, _list_shipped_templates(), templates_are_all=False)
    rooms, links = len(source.flow.rooms), len(source.flow.links)
    return LintReport(
        what,
        0,
        tuple(Finding(*remark) for remark in remarks),
        True,
        f"{plural(rooms, 'room')}, {plural(links, 'link')}, {len(CHECKS) + 1} checks",
        {"rooms": rooms, "links": links},
    )


def _list_shipped_templates() -> list[RoomTemplate]:
    """The layouts and room types that come along."""
    from undercroft.flows.room_templates import RoomTemplate
    from undercroft.templates.layouts import layout_files
    from undercroft.templates.prefabs.default_rooms import parse_default_rooms

    found = []
    for name in layout_files.list_layouts():
        layout = layout_files.load(name)
        wide, high = layout.smallest
        found.append(RoomTemplate(name, layout.tags, None, (max(1, wide - 2), max(1, high - 2))))
    for kind in parse_default_rooms().types:
        template = kind.template
        size = max(1, template.width - 2), max(1, template.height - 2)
        found.append(RoomTemplate(template.name, template.tags, len(template.sockets), size, size))
    return found


def can_convert(source: str, targets: Sequence[str], read_as: str | None, form: str | None) -> bool:
    """Whether a conversion is about a flow: from one, into one, or from a graph to a graph."""
    to_graphs = all(Path(target).suffix.casefold() in GRAPH_SUFFIXES for target in targets)
    return (
        form == "flow"
        or read_as in (EDGES, "flow")
        or any(Path(name).suffix.casefold() == FLOW_SUFFIX for name in (source, *targets))
        or (Path(source).suffix.casefold() in GRAPH_SUFFIXES and (to_graphs or form in ("dot", "graphml")))
    )


def convert(source: str, targets: Sequence[str], form: str | None, reading: ReadOptions) -> None:
    """Convert a flow, a graph, an edge list or a level to flows and graphs."""
    from undercroft.cli.options.input_level import read_input_level
    from undercroft.cli.options.output_files import write_outputs
    from undercroft.flows.files import (
        FLOW_WRITERS,
        detect_flow_format,
        format_flow_bytes,
        list_lost_flow_parts,
        load_flow,
    )
    from undercroft.flows.from_level import read_level_flow

    names = []
    for target in targets:
        if target == "-" and not form:
            raise BadInput(
                "standard output has no suffix that names a format", fix=f"add --format {' or '.join(FLOW_WRITERS)}"
            )
        if target != "-" and not is_flow_file(target):
            raise BadInput(
                f"a flow becomes {', '.join((FLOW_SUFFIX, *GRAPH_SUFFIXES))}, and {target} is none of these",
                fix="name a file that ends so",
            )
        names.append(detect_flow_format(target, form, FLOW_WRITERS))
    if source != "-" and (is_flow_file(source) or reading.read_as in (EDGES, "flow")):
        for option, value in zip(("--palette", "--read-cell", "--start", "--end"), reading[1:], strict=True):
            if value:
                raise BadInput(f"{source} is a flow, and no level", fix=f"leave {option} out")
        found = load_flow(source, reading.read_as)
    else:
        found = read_level_flow(read_input_level(source, reading), source)
    write_outputs([(target, format_flow_bytes(found.flow, name)) for target, name in zip(targets, names, strict=True)])
    for note in found.notes:
        print_message(f"note: {source}: {note}")
    lost = {part: None for name in names for part in list_lost_flow_parts(found.flow, name) if is_flow_file(source)}
    for part in lost:
        print_message(f"note: left out: {part}")
