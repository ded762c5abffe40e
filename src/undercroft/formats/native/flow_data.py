"""The flow of a level as a JSON object, with every value checked when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.core.flow import (
    ENDS,
    FLOW_SIDES,
    Flow,
    FlowApart,
    FlowGrowth,
    FlowLink,
    FlowRoom,
    FlowThing,
    Point,
)
from undercroft.core.region import LINK_KINDS
from undercroft.errors import BadInput
from undercroft.formats.shared import checked
from undercroft.inputs.json import format_json
from undercroft.inputs.values import CheckedValue

ROW_LIMITS = {
    "rooms": limits.FLOW_ROOMS,
    "links": limits.FLOW_LINKS,
    "things": limits.FLOW_THINGS,
    "apart": limits.FLOW_THINGS,
    "made": limits.FLOW_LINKS,
    "places": limits.FLOW_ROOMS,
    "ways": limits.FLOW_LINKS,
}
"""The lists of a flow, in the order of the file, and how many rows each may have."""


def format_flow(flow: Flow) -> str:
    """The flow as JSON, one row a line. What is empty is left out.

    >>> print(format_flow(Flow.parse("link gate - hall, locked by red")))
    {"rooms":[
    {"name":"gate"},
    {"name":"hall"}],
    "links":[
    {"a":"gate","b":"hall","kind":"locked","key":"red"}]}
    """
    parts = [f'"name":{format_json(flow.name)}'] if flow.name else []
    for name in ROW_LIMITS:
        rows = ",\n".join(format_json(_row_data(row)) for row in getattr(flow, name))
        parts += [f'"{name}":[\n{rows}]'] if rows else []
    return "{" + ",\n".join(parts) + "}"


def _row_data(row: Any) -> Any:
    """A row as plain data: an object without its defaults, or a list of numbers."""
    if not hasattr(row, "_asdict"):
        return row
    defaults: Mapping[str, Any] = row._field_defaults
    return {name: value for name, value in row._asdict().items() if name not in defaults or value != defaults[name]}


def read_flow(spot: CheckedValue, width: int, height: int) -> Flow:
    """The flow in a JSON object, for a level of this size."""
    spot.table(("name", *ROW_LIMITS))
    for name, limit in ROW_LIMITS.items():
        limit.check(len(spot.key(name, []).list()), f"{spot.file}: at flow.{name}: the number of rows")
    try:
        return Flow(
            spot.key("name", "").text(),
            tuple(map(_read_room, spot.key("rooms", []).items())),
            tuple(map(_read_link, spot.key("links", []).items())),
            tuple(map(_read_thing, spot.key("things", []).items())),
            tuple(map(_read_apart, spot.key("apart", []).items())),
            tuple(map(_read_growth, spot.key("made", []).items())),
            tuple(_read_cell(cell, width, height) for cell in spot.key("places", []).items()),
            tuple(
                tuple(_read_cell(cell, width, height) for cell in way.items()) for way in spot.key("ways", []).items()
            ),
        )
    except BadInput as error:
        if error.problem.startswith(spot.file):
            raise
        raise spot.error(error.problem, error.fix) from None


def _read_room(row: CheckedValue) -> FlowRoom:
    row.table(FlowRoom._fields, ("name",))
    return FlowRoom(
        row.key("name").text(),
        row.key("tags", []).words(),
        row.key("ends", "").choice(("", *ENDS)),
        _read_size(row.key("size")) if "size" in row.value else None,
        row.key("uses", []).words(),
        row.key("uses_tagged", []).words(),
        row.key("floor", 0).integer(0, limits.FLOORS.value),
    )


def _read_size(spot: CheckedValue) -> tuple[Point, Point]:
    spot.list(2)
    least, greatest = (
        (size.item(0).integer(1, limits.FLOW_SIDE.value), size.item(1).integer(1, limits.FLOW_SIDE.value))
        for size in spot.items()
        if size.list(2)
    )
    return least, greatest


def _read_link(row: CheckedValue) -> FlowLink:
    row.table(FlowLink._fields, ("a", "b"))
    length = row.key("length")
    return FlowLink(
        row.key("a").text(),
        row.key("b").text(),
        row.key("kind", "open").choice(LINK_KINDS),
        row.key("key", "").text(),
        length.pair(0, limits.FLOW_DISTANCE.value) if "length" in row.value else None,
        row.key("side", "").choice(("", *FLOW_SIDES)),
    )


def _read_thing(row: CheckedValue) -> FlowThing:
    row.table(FlowThing._fields, ("kind", "room"))
    return FlowThing(
        row.key("kind").text(),
        row.key("room").text(),
        row.key("name", "").text(),
        row.key("consumed", False).boolean(),
    )


def _read_apart(row: CheckedValue) -> FlowApart:
    row.table(FlowApart._fields, ("a", "b", "by"))
    return FlowApart(
        row.key("a").text(),
        row.key("b").text(),
        row.key("by").integer(1, limits.FLOW_DISTANCE.value),
        row.key("tagged", False).boolean(),
    )


def _read_growth(row: CheckedValue) -> FlowGrowth:
    row.table(FlowGrowth._fields, ("pattern", "at", "new"))
    return FlowGrowth(row.key("pattern").text(), row.key("at").words(), row.key("new").words())


def _read_cell(spot: CheckedValue, width: int, height: int) -> Point:
    found = checked.read_point(spot, width, height)
    if found is None:
        raise spot.error("a cell [x, y] belongs here, not null")
    return found
