"""Compare a level with its flow: the drawn graph against the one that its tiles have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.flow_rooms import find_flow_rooms
from undercroft.analysis.one_way import mark_one_way_links
from undercroft.analysis.survey import SurveyResult, survey_tiles
from undercroft.core.arguments import require_level, use_run
from undercroft.core.flow import NAMED_KINDS, Flow, FlowLink, Point
from undercroft.core.level import Level
from undercroft.core.passable import LOCK, lock_name
from undercroft.core.region import Link, Thing
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.wording import plural

FAULT_KINDS = ("room", "link", "corridor", "thing", "end")
OPENINGS = ("open", "door")
"""The kinds of links that restrict nobody."""


class FlowFault(NamedTuple):
    """One thing in which a level differs from its flow."""

    kind: str
    """room, link, corridor, thing or end."""
    message: str
    """What differs, in a sentence."""
    x: int = -1
    y: int = -1
    """A cell of it; -1 if it is not on the level."""

    def __str__(self) -> str:
        return f"{self.message} at ({self.x}, {self.y})" if self.x >= 0 else self.message


@dataclass(frozen=True)
class FlowDifference:
    """In what a level differs from its flow. It is empty, and false, if the level is exactly what was drawn."""

    faults: tuple[FlowFault, ...] = ()
    """Everything that differs."""

    @property
    def is_exact(self) -> bool:
        """Whether nothing differs."""
        return not self.faults

    def __len__(self) -> int:
        return len(self.faults)

    def __iter__(self) -> Iterator[FlowFault]:
        return iter(self.faults)

    def __str__(self) -> str:
        if not self.faults:
            return "the level is exactly what was drawn"
        return "\n".join([f"{plural(len(self.faults), 'difference')}:", *(f"  {fault}" for fault in self.faults)])


class _Way(NamedTuple):
    """A way on the level between two rooms, numbered as in the flow; it leads from `a` to `b` if it is one-way."""

    a: int
    b: int
    kind: str
    key: str
    at: Point


class _End(NamedTuple):
    """What a link is like, seen from a region: where it leads, and whether it can be passed in that direction only, or
    in the other only.
    """

    number: int
    to: int
    kind: str
    key: str
    forward: bool
    at: Point


def compare_flow(level: Level, *, run: Run | None = None) -> FlowDifference:
    """In what a level differs from its flow. The tiles are surveyed afresh, and hallways that join two rooms are links.

    It lists rooms that are missing, merged or not drawn, links that are missing, of another kind or not drawn,
    hallways that do not join two rooms, keys, switches and other things that are not in the room where they were drawn,
    and start and end in other rooms.

    >>> flow = Flow.parse("link gate - hall, door")
    >>> from dataclasses import replace
    >>> level = Level.parse('''
    ...     ######
    ...     #.++.#
    ...     ######
    ... ''').replace(flow=replace(flow, places=((1, 1), (4, 1))))
    >>> compare_flow(level).is_exact
    True
    >>> from undercroft.core.draft import Draft
    >>> draft = Draft.of(level)
    >>> draft.tiles[1, 2] = draft.palette["wall"]
    >>> print(compare_flow(draft.level()))
    1 difference:
      the link gate - hall (door) is missing
    """
    require_level("level", level)
    flow = level.flow
    if flow is None:
        raise BadInput("the level has no flow", fix="take a level that was made from one, or level.replace(flow=flow)")
    run = use_run(run)
    found = survey_tiles(level.tiles, level.palette, run=run)
    links = mark_one_way_links(found.links, found.doors, level.things, found.regions.labels)
    places = _locate_rooms(level, flow)
    located = Flow(rooms=flow.rooms, places=tuple(place or (0, 0) for place in places))
    labels = [
        label if place is not None else 0
        for label, place in zip(find_flow_rooms(found.regions, located), places, strict=True)
    ]
    reader = _LevelReader(level, found, list(links))
    faults = list(_compare_rooms(flow, labels, reader))
    rooms = {label: index for index, label in enumerate(labels) if label and labels.count(label) == 1}
    ways, odd = reader.list_ways(rooms)
    faults += odd
    faults += _compare_links(flow, ways)
    faults += _compare_things(flow, level, labels, found.regions.labels)
    for end in ("start", "end"):
        drawn, point = getattr(flow, end), getattr(level, end)
        if drawn and point is not None:
            label = int(found.regions.labels[point[1], point[0]])
            if label not in rooms or flow.rooms[rooms[label]].name != drawn:
                faults.append(FlowFault("end", f"the {end} is not in {drawn}", *point))
    return FlowDifference(tuple(faults))


def _locate_rooms(level: Level, flow: Flow) -> list[Point | None]:
    """A cell of each room: its place, or one of the region that has its name."""
    if flow.places:
        return list(flow.places)
    cells: dict[str, Point] = {}
    for region in level.regions:
        if region.name and region.area and region.kind != "corridor":
            cells.setdefault(region.name, _first_cell(level.regions.labels, region.label))
    return [cells.get(room.name) for room in flow.rooms]


def _first_cell(labels: NDArray[np.int32], label: int) -> Point:
    y, x = divmod(int((labels == label).argmax()), labels.shape[1])
    return x, y


def _compare_rooms(flow: Flow, labels: list[int], reader: _LevelReader) -> Iterator[FlowFault]:
    held: dict[int, list[str]] = {}
    for room, label in zip(flow.rooms, labels, strict=True):
        if label:
            held.setdefault(label, []).append(room.name)
        else:
            yield FlowFault("room", f"the room {room.name} is missing")
    for label, names in held.items():
        if len(names) > 1:
            yield FlowFault("room", f"the rooms {' and '.join(names)} are one", *reader.cell_of(label))
    for region in reader.found.regions:
        if region.kind != "corridor" and region.label not in held:
            yield FlowFault("room", "a room that nobody drew", *reader.cell_of(region.label))


class _LevelReader:
    """The graph of a level: its regions, and its links seen from both ends."""

    def __init__(self, level: Level, found: SurveyResult, links: list[Link]) -> None:
        self.level, self.found = level, found
        locks = {(thing.x, thing.y): lock_name(thing) for thing in level.things if thing.kind == LOCK}
        self.ends: dict[int, list[_End]] = {}
        for number, link in enumerate(links):
            if not link.a or not link.b:
                continue
            door = found.doors[link.door] if link.door >= 0 else None
            at = (door.x, door.y) if door else self.cell_of(link.a)
            key = locks.get(at, "")
            kind = "locked" if at in locks else link.kind
            self.ends.setdefault(link.a, []).append(_End(number, link.b, kind, key, True, at))
            self.ends.setdefault(link.b, []).append(_End(number, link.a, kind, key, False, at))

    def cell_of(self, label: int) -> Point:
        """The first cell of a region."""
        return _first_cell(self.found.regions.labels, label)

    def list_ways(self, rooms: Mapping[int, int]) -> tuple[list[_Way], list[FlowFault]]:
        """The ways between rooms of the flow, whose numbers are given by label, and what is wrong with the others."""
        ways: list[_Way] = []
        regions, faults = self.found.regions, []
        for region in regions:
            count = len(self.ends.get(region.label, ()))
            if region.kind == "corridor" and count != 2:
                faults.append(
                    FlowFault("corridor", f"a hallway with {plural(count, 'end')}", *self.cell_of(region.label))
                )
        faults += [FlowFault("corridor", "a door between more than two regions", *at) for at in self._crowded_doors()]
        seen: set[int] = set()
        for label in rooms:
            for first in self.ends.get(label, ()):
                if first.number in seen:
                    continue
                passed = [first]
                while regions[passed[-1].to - 1].kind == "corridor" and len(self.ends[passed[-1].to]) == 2:
                    one, other = self.ends[passed[-1].to]
                    passed.append(other if one.number == passed[-1].number else one)
                seen.update(end.number for end in passed)
                if passed[-1].to in rooms:
                    ways.append(_join_ends(rooms[label], rooms[passed[-1].to], passed))
                elif regions[passed[-1].to - 1].kind != "corridor":
                    faults.append(FlowFault("link", "a way to a room that nobody drew", *first.at))
        return ways, faults

    def _crowded_doors(self) -> Iterator[Point]:
        """The doors that touch more than two regions."""
        around = np.pad(self.found.regions.labels, 1)
        for door in self.found.doors:
            x, y = door.x + 1, door.y + 1
            near = {int(around[y - 1, x]), int(around[y + 1, x]), int(around[y, x - 1]), int(around[y, x + 1])}
            if len(near - {0}) > 2:
                yield door.x, door.y


def _join_ends(a: int, b: int, passed: list[_End]) -> _Way:
    """The way that leads through these links: as hard to pass as the hardest of them."""
    hard = [end for end in passed if end.kind not in OPENINGS]
    if not hard:
        doors = [end for end in passed if end.kind == "door"]
        return _Way(a, b, "door" if doors else "open", "", (doors or passed)[0].at)
    kinds = {(end.kind, end.key, end.forward or end.kind != "one-way") for end in hard}
    one = hard[0]
    if len(kinds) > 1:
        return _Way(a, b, " and ".join(sorted({end.kind for end in hard})), one.key, one.at)
    return _Way(*((a, b) if one.forward or one.kind != "one-way" else (b, a)), one.kind, one.key, one.at)


def _compare_links(flow: Flow, ways: list[_Way]) -> Iterator[FlowFault]:
    """What differs between the links that were drawn and the ways there are."""
    names = [room.name for room in flow.rooms]
    numbers = {name: number for number, name in enumerate(names)}
    there: dict[tuple[int, int], list[_Way]] = {}
    for way in ways:
        there.setdefault((min(way.a, way.b), max(way.a, way.b)), []).append(way)
    drawn: dict[tuple[int, int], list[FlowLink]] = {}
    for link in flow.links:
        a, b = numbers[link.a], numbers[link.b]
        drawn.setdefault((min(a, b), max(a, b)), []).append(link)
    for pair in sorted({*there, *drawn}):
        missing, more = drawn.get(pair, []), there.get(pair, [])
        unlike = []
        for link in missing:
            twin = next((way for way in more if _is_same(link, way, numbers)), None)
            if twin is None:
                unlike.append(link)
            else:
                more.remove(twin)
        for link, way in zip(unlike, more, strict=False):
            said = _describe_kind(link.kind, link.key)
            found = _describe_kind(way.kind, way.key)
            if found == said:
                found = f"{found} in the other direction"
            yield FlowFault("link", f"the link {link.a} - {link.b} ({said}) is {found}", *way.at)
        for link in unlike[len(more) :]:
            said = _describe_kind(link.kind, link.key)
            yield FlowFault("link", f"the link {link.a} - {link.b} ({said}) is missing")
        for way in more[len(unlike) :]:
            found = _describe_kind(way.kind, way.key)
            yield FlowFault("link", f"a link {names[way.a]} - {names[way.b]} ({found}) that nobody drew", *way.at)


def _is_same(link: FlowLink, way: _Way, numbers: Mapping[str, int]) -> bool:
    if (link.kind, link.key) != (way.kind, way.key):
        return False
    return link.kind != "one-way" or (numbers[link.a], numbers[link.b]) == (way.a, way.b)


def _describe_kind(kind: str, key: str) -> str:
    return f"locked by {key}" if kind == "locked" and key else kind


def _compare_things(flow: Flow, level: Level, labels: list[int], regions: NDArray[np.int32]) -> Iterator[FlowFault]:
    """Things that are not in the room where they were drawn, and keys and switches that nobody drew."""
    numbers = {room.name: label for room, label in zip(flow.rooms, labels, strict=True)}
    there: Counter[tuple[str, str, int]] = Counter()
    cells: dict[tuple[str, str, int], Point] = {}
    for thing in level.things:
        row = thing.kind, _opened_name(thing), int(regions[thing.y, thing.x])
        there[row] += 1
        cells.setdefault(row, (thing.x, thing.y))
    for drawn in flow.things:
        row = drawn.kind, drawn.name, numbers[drawn.room]
        named = f"{drawn.kind} {drawn.name}".strip()
        if row[2] and there[row]:
            there[row] -= 1
        else:
            yield FlowFault("thing", f"the {named} is not in {drawn.room}")
    for row, count in there.items():
        if count and row[0] in NAMED_KINDS:
            named = f"{row[0]} {row[1]}".strip()
            yield FlowFault("thing", f"{plural(count, row[0])} ({named}) that nobody drew there", *cells[row])


def _opened_name(thing: Thing) -> str:
    return str(thing.data.get("opens", "")) if thing.kind in NAMED_KINDS else ""
