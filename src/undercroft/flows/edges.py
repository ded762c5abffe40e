"""Flows in edge lists: the number of rooms, then two numbers a line."""

from __future__ import annotations

from undercroft import limits
from undercroft.core.flow import Flow, FlowLink, FlowRoom
from undercroft.errors import Place
from undercroft.flows.source import FlowSource
from undercroft.inputs.lines import LinePart, decode_utf8, split_lines

EDGE_FIX = "write the number of rooms in the first line, then two rooms in each"


def read_edges(data: bytes, file: str) -> FlowSource:
    """The flow of an edge list. Rooms are called by their numbers, from 0; from 1, if the last one is the count.

    >>> flow = read_edges(b"3\\n0 1\\n1 2\\n", "a.txt").flow
    >>> [room.name for room in flow.rooms], len(flow.links)
    (['0', '1', '2'], 2)
    """
    text = decode_utf8(data, file, "save it as UTF-8")
    lines = [line.cut() for line in split_lines(text, file, limits.FLOW_BYTES) if line.text.strip(" ")]
    if not lines:
        raise LinePart(file, 1, "", 0, "").error("the number of rooms is missing", EDGE_FIX)
    limit = limits.FLOW_ROOMS
    count = lines[0].parse_number("the number of rooms", 0, 10 * limit.value, EDGE_FIX)
    limit.check(count, "the number of rooms", lines[0].place())
    limits.FLOW_LINKS.check(len(lines) - 1, "the number of links", lines[0].place())
    pairs: list[tuple[int, int]] = []
    places: list[Place | None] = []
    for line in lines[1:]:
        words = line.split_words()
        if len(words) != 2:
            raise line.error("two rooms stand in a line", EDGE_FIX)
        a, b = (word.parse_number("the number of a room", 0, count, EDGE_FIX) for word in words)
        if a == b:
            raise line.error(f"a link from {a} to itself", "leave it out")
        pairs.append((a, b))
        places.append(line.place())
    numbers = {number for pair in pairs for number in pair}
    first = 1 if count in numbers else 0
    if first and 0 in numbers:
        raise lines[0].error(
            f"rooms are numbered from 0 to {count}, which are {count + 1}", f"write {count + 1} in the first line"
        )
    flow = Flow(
        rooms=tuple(FlowRoom(str(number)) for number in range(first, count + first)),
        links=tuple(FlowLink(str(a), str(b)) for a, b in pairs),
    )
    return FlowSource(flow, file, {room.name: lines[0].place() for room in flow.rooms}, links=tuple(places))
