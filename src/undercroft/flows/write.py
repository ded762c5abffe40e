"""Write a flow in its language: one canonical text, from which the same flow is read."""

from __future__ import annotations

from collections.abc import Iterator

from undercroft.core.flow import NAMED_KINDS, Flow, FlowApart, FlowLink, FlowRoom, FlowThing, Point
from undercroft.flows.options import SIDE_WORDS

_SIDE_NAMES = {side: word for word, side in SIDE_WORDS.items()}


def write_flow(flow: Flow) -> str:
    """The text of a flow. How it grew, and where it is on a level, no text holds.

    >>> print(write_flow(Flow.parse("link gate - hall - crypt; a chain\\nkey red in crypt")), end="")
    link  gate - hall
    link  hall - crypt
    key   red in crypt
    """
    return "".join(f"{line}\n" for line in _format_lines(flow))


def _format_lines(flow: Flow) -> Iterator[str]:
    if flow.name:
        yield f"flow  {flow.name}"
    for room in flow.rooms[: _count_written_rooms(flow)]:
        yield ", ".join([f"room  {room.name}", *format_room_options(room)])
    for link in flow.links:
        yield ", ".join([f"link  {link.a} - {link.b}", *format_link_options(link)])
    yield from map(_format_thing, flow.things)
    yield from map(_format_apart, flow.apart)


def _count_written_rooms(flow: Flow) -> int:
    """How many rooms need a line of their own: the last ones are plain, and links name them first in the same order."""
    plain = len(flow.rooms)
    while plain and flow.rooms[plain - 1].is_plain:
        plain -= 1
    mentioned: dict[str, None] = dict.fromkeys(name for link in flow.links for name in link[:2])
    names = [room.name for room in flow.rooms]
    for count in range(plain, len(names)):
        known = set(names[:count])
        if [name for name in mentioned if name not in known] == names[count:]:
            return count
    return len(names)


def format_room_options(room: FlowRoom) -> Iterator[str]:
    """The options of a room, as they are written."""
    if room.ends:
        yield room.ends
    if room.tags:
        yield f"tagged {' '.join(room.tags)}"
    if room.size is not None:
        least, greatest = room.size
        yield f"size {_format_size(least)}{'' if least == greatest else f' to {_format_size(greatest)}'}"
    if room.uses:
        yield f"uses {' '.join(room.uses)}"
    if room.uses_tagged:
        yield f"uses tagged {' '.join(room.uses_tagged)}"
    if room.floor:
        yield f"floor {room.floor}"


def format_link_options(link: FlowLink) -> Iterator[str]:
    """The options of a link, as they are written."""
    if link.kind != "open":
        yield f"locked by {link.key}" if link.kind == "locked" else link.kind
    if link.length is not None:
        low, high = link.length
        yield f"length {low}{'' if low == high else f' to {high}'}"
    if link.side:
        yield _SIDE_NAMES[link.side]


def _format_thing(thing: FlowThing) -> str:
    if thing.kind not in NAMED_KINDS:
        return f"thing {thing.kind} in {thing.room}"
    return f"{thing.kind:<5} {thing.name} in {thing.room}{', consumed' if thing.consumed else ''}"


def _format_apart(row: FlowApart) -> str:
    return f"apart {row.a} {'tagged ' if row.tagged else ''}{row.b}, by {row.by}"


def _format_size(size: Point) -> str:
    return f"{size[0]}x{size[1]}"
