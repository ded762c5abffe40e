"""Find mistakes in a flow before anything is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from undercroft.core.flow import ENDS, NAMED_KINDS, Point
from undercroft.errors import find_similar_word
from undercroft.flows.distances import FarthestDistances
from undercroft.flows.lint_graph import check_planarity, check_solution
from undercroft.flows.remarks import FlowRemark
from undercroft.flows.room_templates import RoomTemplate, check_templates
from undercroft.flows.source import FlowSource
from undercroft.wording import join_words, plural

MAX_LISTED_PARTS = 6
FLOOR_KINDS = ("open", "one-way")
"""The kinds of links that stairs can be."""


def lint_flow(
    source: FlowSource, templates: Sequence[RoomTemplate] | None = None, *, templates_are_all: bool = True
) -> tuple[FlowRemark, ...]:
    """What is wrong with a flow, or may be: errors, warnings and notes, check by check. `templates` are the room types
    and layouts that rooms may use; None: they are not known, and not checked. If they are not all of them, what they
    lack is only a warning.

    >>> from undercroft.flows.parse import parse_flow
    >>> print(lint_flow(parse_flow("link a - b, locked by red", "keep.flow"))[0].problem)
    nothing opens the lock red
    """
    found = [remark for check in CHECKS.values() for remark in check(source)]
    if templates is not None:
        lacking = check_templates(source, templates)
        found += lacking if templates_are_all else [_weaken(remark) for remark in lacking]
    found += [FlowRemark("reading", "note", None, note) for note in source.notes]
    return tuple(found)


def _weaken(remark: FlowRemark) -> FlowRemark:
    """The remark as a warning: a room type may stand in a file that only a recipe names."""
    return remark._replace(severity="warning", fix=f"{remark.fix}; or name your own in the recipe")


def check_ends(source: FlowSource) -> Iterator[FlowRemark]:
    """An end without a start, or a start without an end."""
    flow = source.flow
    for end, other in (ENDS, ENDS[::-1]):
        name = getattr(flow, end)
        if name and not getattr(flow, other):
            yield FlowRemark(
                "ends",
                "error",
                source.room_place(name, "ends"),
                f"there is a room that is the {end}, and none that is the {other}",
                f"add {other!r} to the line of a room",
            )


def check_parts(source: FlowSource) -> Iterator[FlowRemark]:
    """Rooms that no link reaches."""
    parts = find_parts([room.name for room in source.flow.rooms], [link[:2] for link in source.flow.links])
    if len(parts) < 2:
        return
    listed = [part[0] for part in parts[:MAX_LISTED_PARTS]]
    more = [f"{len(parts) - MAX_LISTED_PARTS} more"] if len(parts) > MAX_LISTED_PARTS else []
    yield FlowRemark(
        "parts",
        "error",
        source.room_place(parts[1][0]),
        f"the flow has {plural(len(parts), 'part')} that no link joins: those of {join_words([*listed, *more])}",
        f"link them, for example: link {parts[0][0]} - {parts[1][0]}",
    )


def find_parts(names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """The connected parts of a graph, each in the order of the names.

    >>> find_parts(["a", "b", "c"], [("c", "a")])
    [['a', 'c'], ['b']]
    """
    near: dict[str, list[str]] = {name: [] for name in names}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    part_of: dict[str, int] = {}
    parts: list[list[str]] = []
    for name in names:
        if name in part_of:
            parts[part_of[name]].append(name)
            continue
        part_of[name] = len(parts)
        parts.append([name])
        todo = [name]
        while todo:
            for other in near[todo.pop()]:
                if other not in part_of:
                    part_of[other] = len(parts) - 1
                    todo.append(other)
    return parts


def check_twin_links(source: FlowSource) -> Iterator[FlowRemark]:
    """Two links between the same rooms, of the same kind."""
    seen: dict[tuple[str, ...], int] = {}
    for index, link in enumerate(source.flow.links):
        ends = link[:2] if link.kind == "one-way" else tuple(sorted(link[:2]))
        row = (*ends, link.kind, link.key)
        if row in seen:
            first = source.link_place(seen[row])
            where = f", first in line {first.line}" if first else ""
            yield FlowRemark(
                "twins",
                "note",
                source.link_place(index),
                f"two links join {link.a} and {link.b} alike{where}; each is a way of its own",
            )
        seen.setdefault(row, index)


def check_locks(source: FlowSource) -> Iterator[FlowRemark]:
    """Locks that nothing opens."""
    opened = {thing.name for thing in source.flow.things if thing.kind in NAMED_KINDS}
    told: set[str] = set()
    for index, link in enumerate(source.flow.links):
        if link.kind == "locked" and link.key not in opened | told:
            told.add(link.key)
            guess = find_similar_word(link.key, opened)
            fix = f"did you mean {guess!r}? Else add: " if guess else "add: "
            yield FlowRemark(
                "locks",
                "error",
                source.link_place(index),
                f"nothing opens the lock {link.key}",
                f"{fix}key {link.key} in {link.a}",
            )


def check_keys(source: FlowSource) -> Iterator[FlowRemark]:
    """Keys and switches that open nothing."""
    locks = {link.key for link in source.flow.links if link.kind == "locked"}
    for index, thing in enumerate(source.flow.things):
        if thing.kind in NAMED_KINDS and thing.name not in locks:
            yield FlowRemark(
                "keys",
                "note",
                source.thing_place(index),
                f"the {thing.kind} {thing.name} in {thing.room} opens nothing",
            )


def check_sizes(source: FlowSource) -> Iterator[FlowRemark]:
    """Sizes and lengths that no room and no hallway can have, and rooms too small for their doors."""
    degrees = Counter(end for link in source.flow.links for end in link[:2])
    for room in source.flow.rooms:
        if room.size is None:
            continue
        least, greatest = room.size
        if any(low == high and low % 2 == 0 for low, high in zip(least, greatest, strict=True)):
            near = [tuple(side + step * (side % 2 == 0) for side in least) for step in (-1, 1)]
            yield FlowRemark(
                "sizes",
                "error",
                source.room_place(room.name, "size"),
                f"no room is {_format_size(least)}: the sides of rooms are odd",
                f"write: size {_format_size(near[0])} to {_format_size(near[1])}",
            )
        elif degrees[room.name] > count_door_places(greatest):
            need = greatest
            while degrees[room.name] > count_door_places(need):
                need = (need[0] + 2, need[1]) if need[0] <= need[1] else (need[0], need[1] + 2)
            yield FlowRemark(
                "doors",
                "error",
                source.room_place(room.name, "size"),
                f"{room.name} has {plural(degrees[room.name], 'link')}, and the walls of {_format_size(greatest)} have "
                f"room for {plural(count_door_places(greatest), 'door')}",
                f"let it be {_format_size(need)}, or give it fewer links",
            )
    for index, link in enumerate(source.flow.links):
        if link.length is not None and link.length[0] == link.length[1] and link.length[0] % 2 == 0 and link.length[0]:
            tiles = link.length[0]
            yield FlowRemark(
                "sizes",
                "error",
                source.link_place(index),
                f"no hallway from {link.a} to {link.b} has {tiles} tiles: their number is odd",
                f"write: length {tiles - 1} to {tiles + 1}",
            )


def count_door_places(size: Point) -> int:
    """How many doors the walls of a room have places for: at every second tile.

    >>> count_door_places((1, 1)), count_door_places((5, 3))
    (4, 10)
    """
    return 2 * ((size[0] + 1) // 2 + (size[1] + 1) // 2)


def check_apart(source: FlowSource) -> Iterator[FlowRemark]:
    """Rooms that shall be farther apart than their links allow."""
    flow = source.flow
    if not flow.apart:
        return
    farthest = FarthestDistances(flow)
    for index, row in enumerate(flow.apart):
        others = [room.name for room in flow.rooms if row.b in room.tags] if row.tagged else [row.b]
        for other in others:
            most = None if other == row.a else farthest.between(row.a, other)
            if most is not None and most < row.by:
                link = next((at for at, one in enumerate(flow.links) if {one.a, one.b} == {row.a, other}), -1)
                place = source.link_place(link) if link >= 0 else None
                where = f" (line {place.line})" if place else ""
                yield FlowRemark(
                    "apart",
                    "error",
                    source.apart_place(index),
                    f"{row.a} and {other} cannot be {row.by} steps apart: their links{where} allow {most} at most",
                    "ask for fewer steps, or allow longer links",
                )


def check_floors(source: FlowSource) -> Iterator[FlowRemark]:
    """Floors that do not hang together, and links between floors that no stairs can be."""
    flow = source.flow
    floors: dict[int, list[str]] = {}
    for room in flow.rooms:
        floors.setdefault(room.floor, []).append(room.name)
    if len(floors) < 2:
        return
    floor_of: Mapping[str, int] = {room.name: room.floor for room in flow.rooms}
    for index, link in enumerate(flow.links):
        if floor_of[link.a] != floor_of[link.b] and link.kind not in FLOOR_KINDS:
            yield FlowRemark(
                "floors",
                "error",
                source.link_place(index),
                f"the link {link.a} - {link.b} leads to another floor, and is {link.kind}",
                "make it open or one-way: stairs have no doors",
            )
    pairs = [link[:2] for link in flow.links if floor_of[link.a] == floor_of[link.b]]
    for floor, names in sorted(floors.items()):
        parts = find_parts(names, [pair for pair in pairs if floor_of[pair[0]] == floor])
        if len(parts) > 1:
            yield FlowRemark(
                "floors",
                "error",
                source.room_place(parts[1][0], "floor"),
                f"floor {floor} has {plural(len(parts), 'part')} that no link on it joins: those of "
                f"{join_words([part[0] for part in parts[:MAX_LISTED_PARTS]])}",
                "link them on that floor",
            )


def _format_size(size: Sequence[int]) -> str:
    return f"{size[0]}x{size[1]}"


CHECKS: dict[str, Callable[[FlowSource], Iterator[FlowRemark]]] = {
    "ends": check_ends,
    "parts": check_parts,
    "twins": check_twin_links,
    "locks": check_locks,
    "keys": check_keys,
    "sizes": check_sizes,
    "apart": check_apart,
    "floors": check_floors,
    "planar": check_planarity,
    "solution": check_solution,
}
"""All checks that need no room types, in their order."""
