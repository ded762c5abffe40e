"""A flow: the drawn graph of a level, as plain data. It says which rooms there are, which ways join them, and what lies
in which room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from undercroft import limits
from undercroft.core.region import LINK_KINDS
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs.arguments import require_list, require_name, require_text, require_type, require_whole_number
from undercroft.inputs.points import as_point
from undercroft.wording import format_value_briefly, shorten

if TYPE_CHECKING:
    from undercroft.core.level import Level

Point = tuple[int, int]
Row = TypeVar("Row", bound=tuple[Any, ...])

ENDS = ("start", "end")
"""What a room may be of the way through."""
FLOW_SIDES = ("N", "E", "S", "W")
"""Where the second room of a link may lie, seen from the first."""
WAY_KINDS = ("lock", "one-way", "stairs")
"""Things that tell of links, and so are no things of a flow."""
NAMED_KINDS = ("key", "switch")
"""Things that open the links of a name."""
RESERVED_WORDS = ("tagged",)
"""Words of the language that would be read as such where a room's name may stand."""
_WORD = re.compile(rf"\w[\w.'-]{{0,{limits.FLOW_WORD_LENGTH.value - 1}}}")
WORD_FIX = "use letters, digits and the signs _ - ' . and no blanks; it begins with a letter, a digit or _"


class FlowRoom(NamedTuple):
    """A room of a flow. On a level it is a region.

    >>> FlowRoom("crypt", tags=("dark",), size=((5, 5), (9, 7))).name
    'crypt'
    """

    name: str
    """Its name, a word that no other room of the flow has."""
    tags: tuple[str, ...] = ()
    """Words about it."""
    ends: str = ""
    """start, end, or empty."""
    size: tuple[Point, Point] | None = None
    """The least and the greatest width and height in tiles, without walls; None: any."""
    uses: tuple[str, ...] = ()
    """The names of the room types or layouts that it may be made from; empty: any."""
    uses_tagged: tuple[str, ...] = ()
    """Words that these must have."""
    floor: int = 0
    """The floor that it is on."""

    @property
    def is_plain(self) -> bool:
        """Whether nothing is said of it but its name."""
        return self == FlowRoom(self.name)


class FlowLink(NamedTuple):
    """A way between two rooms of a flow.

    >>> FlowLink("hall", "throne", "locked", "red").key
    'red'
    """

    a: str
    b: str
    """The names of the rooms; a one-way link leads from `a` to `b`."""
    kind: str = "open"
    """open, door, locked, secret or one-way."""
    key: str = ""
    """The name of the lock, of a locked link."""
    length: tuple[int, int] | None = None
    """The least and the greatest number of hallway tiles; None: any."""
    side: str = ""
    """N, E, S or W: where `b` shall lie, seen from `a`; empty: anywhere."""


class FlowThing(NamedTuple):
    """A thing in a room of a flow: a key or switch with the name of its lock, or any other kind.

    >>> FlowThing("key", "crypt", "red").room
    'crypt'
    """

    kind: str
    """key, switch, or any other kind."""
    room: str
    """The name of the room."""
    name: str = ""
    """The name of the locks that a key or switch opens."""
    consumed: bool = False
    """Whether a key breaks in the first lock."""


class FlowApart(NamedTuple):
    """Two rooms that shall be far from each other, or a room and all that have a tag.

    >>> FlowApart("gate", "boss", 12, tagged=True).by
    12
    """

    a: str
    """The name of a room."""
    b: str
    """The name of the other room, or a tag."""
    by: int
    """The least number of steps between their nearest cells."""
    tagged: bool = False
    """Whether `b` is a tag."""


class FlowGrowth(NamedTuple):
    """One use of a graph rule: where it was used, and what it added."""

    pattern: str
    """The name of the rule."""
    at: tuple[str, ...]
    """The rooms that it matched."""
    new: tuple[str, ...]
    """The names that it made."""


@dataclass(frozen=True)
class Flow:
    """Rooms, the links between them, and things in rooms. It cannot be changed; `dataclasses.replace` makes another.

    >>> flow = Flow.parse("link gate - hall - throne, door")
    >>> [room.name for room in flow.rooms], [(link.a, link.b) for link in flow.links]
    (['gate', 'hall', 'throne'], [('gate', 'hall'), ('hall', 'throne')])
    """

    name: str = ""
    """What it is called; may be empty."""
    rooms: tuple[FlowRoom, ...] = ()
    """The rooms."""
    links: tuple[FlowLink, ...] = ()
    """The ways between rooms. Several may join the same two rooms."""
    things: tuple[FlowThing, ...] = ()
    """Keys, switches and other things, by room."""
    apart: tuple[FlowApart, ...] = ()
    """Which rooms shall be far from each other."""
    made: tuple[FlowGrowth, ...] = ()
    """How it grew, if graph rules made it."""
    places: tuple[Point, ...] = ()
    """On a level: a floor cell (x, y) of each room."""
    ways: tuple[tuple[Point, ...], ...] = ()
    """On a level: the door cells of each link, that of `a` first."""

    def __post_init__(self) -> None:
        keep = object.__setattr__
        check_title(self.name)
        keep(self, "rooms", _as_rows("rooms", self.rooms, FlowRoom, limits.FLOW_ROOMS))
        keep(self, "links", _as_rows("links", self.links, FlowLink, limits.FLOW_LINKS))
        keep(self, "things", _as_rows("things", self.things, FlowThing, limits.FLOW_THINGS))
        keep(self, "apart", _as_rows("apart", self.apart, FlowApart, limits.FLOW_THINGS))
        keep(self, "made", _as_rows("made", self.made, FlowGrowth, limits.FLOW_LINKS))
        keep(self, "rooms", tuple(map(_check_room, self.rooms)))
        names: dict[str, int] = {}
        for index, room in enumerate(self.rooms):
            if names.setdefault(room.name, index) != index:
                raise BadInput(f"there are two rooms {room.name!r}", fix="give one of them another name")
        for end in ENDS:
            found = [room.name for room in self.rooms if room.ends == end]
            if len(found) > 1:
                raise BadInput(f"{found[0]!r} and {found[1]!r} are both the {end}", fix="a flow has only one")
        keep(self, "links", tuple(_check_link(link, names) for link in self.links))
        keep(self, "things", tuple(_check_thing(thing, names) for thing in self.things))
        tags = {tag for room in self.rooms for tag in room.tags}
        keep(self, "apart", tuple(_check_apart(row, names, tags) for row in self.apart))
        keep(self, "made", tuple(map(_check_growth, self.made)))
        keep(self, "places", _check_cells("places", self.places, len(self.rooms), "room"))
        ways = require_list("ways", self.ways, "a list of door cells for each link")
        if ways and len(ways) != len(self.links):
            raise BadInput(f"ways are {len(ways):,}, and the links {len(self.links):,}", fix="give one for each link")
        keep(self, "ways", tuple(_check_cells("the cells of a way", way, None, "link") for way in ways))

    @classmethod
    def parse(cls, text: str, file: str = "flow") -> Flow:
        """The flow that a text describes, in the language of `.flow` files. `file` names the text in errors.

        >>> Flow.parse("room gate, start\\nlink gate - hal, door\\nkey red in hall")
        Traceback (most recent call last):
        undercroft.errors.BadInput: flow:3:12: unknown room 'hall'
            key red in hall
                       ^
          fix: did you mean 'hal'?
        """
        from undercroft.flows.parse import parse_flow

        require_text("the text of a flow", text)
        require_text("file", file)
        return parse_flow(text, file).flow

    @classmethod
    def load(cls, path: str | Path, read_as: str | None = None) -> Flow:
        """The flow in a file: `.flow`, `.dot`, `.gv` or `.graphml`, or edges with `read_as="edges"`."""
        from undercroft.flows.files import load_flow

        return load_flow(path, read_as).flow

    @classmethod
    def of(cls, level: Level) -> Flow:
        """The flow that a level was made from; else the graph of its regions, where corridors between two rooms are
        links.
        """
        from undercroft.flows.from_level import read_level_flow

        return read_level_flow(level).flow

    def save(self, path: str | Path, format: str | None = None) -> None:  # noqa: A002
        """Write the flow to a file, in the format of its suffix: `.flow`, `.dot`, `.gv` or `.graphml`."""
        from undercroft.flows.files import save_flow

        save_flow(self, path, format)

    def room(self, name: str) -> FlowRoom:
        """The room of that name."""
        require_text("name", name)
        found = next((room for room in self.rooms if room.name == name), None)
        if found is None:
            require_name("room", name, [room.name for room in self.rooms])
            raise unknown_name_error("room", name, ())
        return found

    @property
    def start(self) -> str:
        """The name of the room where the way through begins; empty if none is said."""
        return next((room.name for room in self.rooms if room.ends == "start"), "")

    @property
    def end(self) -> str:
        """The name of the room where it ends; empty if none is said."""
        return next((room.name for room in self.rooms if room.ends == "end"), "")

    def without_history(self) -> Flow:
        """The same flow without how it grew and where it is on a level: what a text holds."""
        return replace(self, made=(), places=(), ways=()) if self.made or self.places or self.ways else self

    def __str__(self) -> str:
        """The flow as text, in the language of `.flow` files."""
        from undercroft.flows.write import write_flow

        return write_flow(self).removesuffix("\n")


def is_word(text: object) -> bool:
    """Whether a text may name a room, a lock or a tag."""
    return isinstance(text, str) and _WORD.fullmatch(text) is not None and text.isprintable()


def check_word(what: str, text: object) -> str:
    """The word itself. Raises if it is none."""
    if not is_word(text) or not isinstance(text, str):
        shown = (
            repr(shorten(text, limits.FLOW_WORD_LENGTH.value)) if isinstance(text, str) else format_value_briefly(text)
        )
        raise BadInput(
            f"{what} is a word of at most {limits.FLOW_WORD_LENGTH.value} letters, not {shown}", fix=WORD_FIX
        )
    return text


def check_title(text: object) -> None:
    """Raise unless a text may be the name of a flow."""
    require_text("the name of a flow", text)
    assert isinstance(text, str)
    if (
        len(text) > limits.FLOW_TITLE_LENGTH.value
        or text != " ".join(text.split())
        or not text.isprintable()
        or ";" in text
    ):
        raise BadInput(
            f"the name of a flow is one line of at most {limits.FLOW_TITLE_LENGTH.value} characters without a "
            f"semicolon, not {format_value_briefly(text)}",
            fix="name it shorter, with single blanks between words",
        )


def check_flow(flow: Any, shape: tuple[int, ...]) -> Flow | None:
    """The flow of a level of this shape; None stays. Raises if it is none, or has places outside."""
    if flow is None:
        return None
    require_type("flow", flow, Flow, "a Flow", "read one with undercroft.Flow.load(file), or leave it out")
    assert isinstance(flow, Flow)
    height, width = shape
    for x, y in (*flow.places, *(cell for way in flow.ways for cell in way)):
        if not (0 <= x < width and 0 <= y < height):
            raise BadInput(
                f"the flow has a cell at ({x}, {y}), and the level is {width}x{height}",
                fix="take flow.without_history(), which knows no cells",
            )
    return flow


def _as_rows(name: str, rows: Iterable[Any], kind: type[Row], limit: limits.Limit) -> tuple[Row, ...]:
    listed = require_list(name, rows, f"a list of {kind.__name__}")
    limit.check(len(listed), f"the number of {name} of a flow")
    for row in listed:
        if not isinstance(row, kind):
            raise BadInput(
                f"{name} are {kind.__name__}s, not {format_value_briefly(row)}", fix=f"make each a {kind.__name__}"
            )
    return tuple(listed)


def _check_words(what: str, words: Any) -> tuple[str, ...]:
    listed = tuple(
        check_word(what, word) for word in require_list(f"the list of {what}s", words, 'for example ("dark",)')
    )
    if len(set(listed)) < len(listed):
        raise BadInput(f"{what} is listed twice: {', '.join(listed)}", fix="list each once")
    return listed


def _check_room(room: FlowRoom) -> FlowRoom:
    check_word("the name of a room", room.name)
    if room.name in RESERVED_WORDS:
        raise BadInput(f"{room.name!r} is a word of the language, and no name of a room", fix="name it otherwise")
    what = f"of room {room.name}"
    if not _is_empty(room.ends):
        require_name(f"end {what}", room.ends, ENDS)
    return FlowRoom(
        room.name,
        _check_words("a tag", room.tags),
        room.ends,
        None if room.size is None else _check_size(room.size, what),
        _check_uses(room.uses),
        _check_words("a tag of room types", room.uses_tagged),
        require_whole_number(f"the floor {what}", room.floor, 0, limits.FLOORS.value),
    )


def _is_empty(text: Any) -> bool:
    return isinstance(text, str) and not text


def _check_uses(words: Any) -> tuple[str, ...]:
    names = _check_words("a room type", words)
    for name in names:
        if name in RESERVED_WORDS:
            raise BadInput(f"{name!r} is a word of the language, and no name of a room type", fix="name it otherwise")
    return names


def _check_size(size: Any, what: str) -> tuple[Point, Point]:
    ends = require_list(f"the size {what}", size, "for example ((5, 5), (9, 7))")
    if len(ends) != 2:
        raise BadInput(f"the size {what} is not from one size to another", fix="for example ((5, 5), (9, 7))")
    least, greatest = (as_point(end, f"the size {what}") for end in ends)
    for low, high in zip(least, greatest, strict=True):
        if not 1 <= low <= high <= limits.FLOW_SIDE.value:
            raise BadInput(
                f"the size {what} is from {least} to {greatest}",
                fix=f"the least size first; sides are from 1 to {limits.FLOW_SIDE.value}",
            )
    return least, greatest


def _check_link(link: FlowLink, names: Mapping[str, int]) -> FlowLink:
    for end in link[:2]:
        require_name("room", end, tuple(names))
    what = f"the link {link.a} - {link.b}"
    if link.a == link.b:
        raise BadInput(f"{what} joins a room to itself", fix="leave it out")
    require_name("kind of link", link.kind, LINK_KINDS)
    if link.kind == "locked":
        check_word(f"the lock of {what}", link.key)
    elif not _is_empty(link.key):
        raise BadInput(f"{what} is {link.kind}, and has a lock", fix="make its kind locked, or leave the key out")
    if not _is_empty(link.side):
        require_name("side", link.side, FLOW_SIDES)
    length = link.length
    if length is not None:
        ends = require_list(f"the length of {what}", length, "for example (1, 8)")
        if len(ends) != 2:
            raise BadInput(f"the length of {what} is not from one number to another", fix="for example (1, 8)")
        low, high = (require_whole_number(f"the length of {what}", end, 0, limits.FLOW_DISTANCE.value) for end in ends)
        if low > high:
            raise BadInput(f"the length of {what} is from {low} to {high}", fix=f"swap them: from {high} to {low}")
        length = low, high
    return link._replace(length=length)


def _check_thing(thing: FlowThing, names: Mapping[str, int]) -> FlowThing:
    check_word("the kind of a thing", thing.kind)
    if thing.kind in WAY_KINDS:
        raise BadInput(f"a thing {thing.kind!r} is part of a link", fix="say it of the link: locked, or one-way")
    require_name("room", thing.room, tuple(names))
    if thing.kind in NAMED_KINDS:
        check_word(f"the name of the {thing.kind} in {thing.room}", thing.name)
    elif not _is_empty(thing.name):
        raise BadInput(f"the {thing.kind} in {thing.room} has a name", fix="only keys and switches have one")
    require_type("consumed", thing.consumed, bool, "true or false", "write True or False")
    if thing.consumed and thing.kind != "key":
        raise BadInput(f"the {thing.kind} in {thing.room} is consumed", fix="only keys are")
    return thing


def _check_apart(row: FlowApart, names: Mapping[str, int], tags: set[str]) -> FlowApart:
    require_name("room", row.a, tuple(names))
    require_type("tagged", row.tagged, bool, "true or false", "write True or False")
    if row.tagged:
        require_name("tag", row.b, sorted(tags))
    else:
        require_name("room", row.b, tuple(names))
        if row.a == row.b:
            raise BadInput(f"{row.a} cannot be apart from itself", fix="name another room")
    require_whole_number(f"how far {row.a} and {row.b} are apart", row.by, 1, limits.FLOW_DISTANCE.value)
    return row


def _check_growth(row: FlowGrowth) -> FlowGrowth:
    require_text("the pattern of a growth", row.pattern)
    return FlowGrowth(
        row.pattern,
        *(tuple(check_word("a name", word) for word in require_list("names", part, "a list")) for part in row[1:]),
    )


def _check_cells(name: str, cells: Any, count: int | None, of: str) -> tuple[Point, ...]:
    listed = tuple(as_point(cell, name) for cell in require_list(name, cells, "a list of cells (x, y)"))
    if count is not None and listed and len(listed) != count:
        raise BadInput(f"{name} are {len(listed):,}, and the {of}s {count:,}", fix=f"give one for each {of}")
    return listed
