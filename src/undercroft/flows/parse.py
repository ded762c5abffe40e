"""Read the language of flows: a line for each room, chain of links, key, switch, thing and distance."""

from __future__ import annotations

import itertools
from typing import NamedTuple

from undercroft import limits
from undercroft.core.flow import (
    ENDS,
    WAY_KINDS,
    Flow,
    FlowApart,
    FlowLink,
    FlowRoom,
    FlowThing,
    check_title,
)
from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.flows.options import (
    Option,
    check_repetition,
    place_error,
    read_link_option,
    read_room_name,
    read_room_option,
    read_word,
)
from undercroft.flows.source import FlowSource
from undercroft.inputs.lines import LinePart, split_lines

LINE_WORDS = ("flow", "room", "link", "key", "switch", "thing", "apart", "default")


class _WrittenApart(NamedTuple):
    """A line `apart`, before all rooms are known."""

    a: LinePart
    b: LinePart
    by: int
    tagged: bool
    line: LinePart


def parse_flow(text: str, file: str) -> FlowSource:
    """The flow of a text.

    >>> parse_flow("room hall, tagged great; the largest\\nlink gate - hall, door", "keep.flow").flow.rooms[0]
    FlowRoom(name='hall', tags=('great',), ends='', size=None, uses=(), uses_tagged=(), floor=0)

    Cost: one pass over the lines.
    """
    reader = _FlowReader(file)
    for line in split_lines(text, file, limits.FLOW_BYTES):
        if line.text.strip(" "):
            reader.read_line(line.cut())
    return reader.finish()


class _FlowReader:
    """What the lines so far say."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.name = ""
        self.named: LinePart | None = None
        self.rooms: dict[str, FlowRoom] = {}
        """In the order in which they are first mentioned."""
        self.room_parts: dict[str, LinePart] = {}
        self.room_lines: dict[str, LinePart] = {}
        """The names in lines `room`."""
        self.option_places: dict[tuple[str, str], Place] = {}
        self.ends: dict[str, LinePart] = {}
        self.links: list[FlowLink] = []
        self.link_places: list[Place] = []
        self.things: list[tuple[FlowThing, LinePart, LinePart]] = []
        self.apart: list[_WrittenApart] = []
        self.defaults: dict[str, list[Option]] = {"room": [], "link": []}

    def read_line(self, line: LinePart) -> None:
        word = line.split_words()[0]
        if word.text not in LINE_WORDS:
            raise place_error(unknown_name_error("word at the beginning of a line", word.text, LINE_WORDS), word)
        pieces = line.cut(len(word.text)).split(",")
        if word.text == "flow":
            self._read_name(line, line.cut(len(word.text)))
        elif word.text == "room":
            self._read_room(line, pieces)
        elif word.text == "link":
            self._read_links(line, pieces)
        elif word.text == "apart":
            self._read_apart(line, pieces)
        elif word.text == "default":
            self._read_default(line, pieces)
        else:
            self._read_thing(line, word.text, pieces)

    def _read_name(self, line: LinePart, rest: LinePart) -> None:
        if self.named is not None:
            raise line.error(f"the flow is named already, in line {self.named.number}", "leave one of the names out")
        name = " ".join(rest.text.split())
        if not name or len(name) > limits.FLOW_TITLE_LENGTH.value:
            raise line.error(
                f"a flow has a name of at most {limits.FLOW_TITLE_LENGTH.value} characters", "write: flow keep"
            )
        check_title(name)
        self.name, self.named = name, line

    def _mention_room(self, part: LinePart) -> str:
        """The name of a room, which is new if nothing named it so far."""
        name = read_room_name(part)
        if name not in self.rooms:
            limits.FLOW_ROOMS.check(len(self.rooms) + 1, "the number of rooms", part.place())
            values = {option.field: option.value for option in self.defaults["room"]}
            self.rooms[name] = FlowRoom(name, **values)
            self.room_parts[name] = part
        return name

    def _read_room(self, line: LinePart, pieces: list[LinePart]) -> None:
        words = pieces[0].split_words()
        if not words:
            raise line.error("a room has a name", "write: room hall")
        if len(words) > 1:
            rest = " ".join(word.text for word in words[1:])
            raise words[1].error("a comma belongs before an option", f"write: room {words[0].text}, {rest}")
        name = read_room_name(words[0])
        if name in self.room_lines:
            raise words[0].error(
                f"there is a room {name!r} already, in line {self.room_lines[name].number}",
                "give one of them another name, or put all options into one line",
            )
        self._mention_room(words[0])
        self.room_lines[name] = self.room_parts[name] = words[0]
        found: list[Option] = []
        for piece in pieces[1:]:
            option = read_room_option(piece)
            check_repetition(found, option)
            found.append(option)
            self.option_places[name, option.field] = option.part.place()
            if option.field == "ends":
                self._take_end(option)
        values = {option.field: option.value for option in (*self.defaults["room"], *found)}
        self.rooms[name] = FlowRoom(name, **values)

    def _take_end(self, option: Option) -> None:
        old = self.ends.setdefault(option.value, option.part)
        if old is not option.part:
            raise option.part.error(
                f"the {option.value} is in line {old.number} already, and here again", "leave one of them out"
            )

    def _read_links(self, line: LinePart, pieces: list[LinePart]) -> None:
        words = pieces[0].split_words()
        names = words[::2]
        dashes = words[1::2]
        wrong = next((word for word in dashes if word.text != "-"), None)
        if wrong is not None or len(words) < 3 or len(words) % 2 == 0:
            raise _build_chain_error(line, words, wrong)
        found: list[Option] = []
        for piece in pieces[1:]:
            option = read_link_option(piece)
            check_repetition(found, option)
            found.append(option)
        values = {option.field: option.value for option in (*self.defaults["link"], *found)}
        kind, key = values.pop("kind", ("open", ""))
        limits.FLOW_LINKS.check(len(self.links) + len(dashes), "the number of links", line.place())
        for a, b in itertools.pairwise(names):
            one, other = self._mention_room(a), self._mention_room(b)
            if one == other:
                raise b.error(f"a link from {one} to itself", "leave it out, or name another room")
            self.links.append(FlowLink(one, other, kind, key, **values))
            self.link_places.append(a.place())

    def _read_default(self, line: LinePart, pieces: list[LinePart]) -> None:
        what = pieces[0].text
        if what not in self.defaults:
            raise line.error("a default is for rooms or for links", "write: default link, door")
        found: list[Option] = []
        for piece in pieces[1:]:
            option = read_room_option(piece) if what == "room" else read_link_option(piece)
            if option.field == "ends":
                raise option.part.error(f"only one room is the {option.value}", "say it in the line of that room")
            check_repetition(found, option)
            found.append(option)
        self.defaults[what] = found

    def _read_thing(self, line: LinePart, word: str, pieces: list[LinePart]) -> None:
        words = pieces[0].split_words()
        example = f"{word} {'chest' if word == 'thing' else 'red'} in crypt"
        if len(words) != 3 or words[1].text != "in":
            raise line.error(f"a {word} lies in a room", f"write: {example}")
        limits.FLOW_THINGS.check(len(self.things) + 1, "the number of things", line.place())
        name = read_word(words[0], f"the name of a {word}" if word != "thing" else "the kind of a thing")
        consumed = False
        for piece in pieces[1:]:
            if word != "key" or piece.text != "consumed" or consumed:
                fix = "leave it out" if word == "key" else "leave it out: only keys have an option, consumed"
                raise piece.error(f"{piece.text!r} is no option of a {word}, or said twice", fix)
            consumed = True
        room = read_room_name(words[2])
        if word != "thing":
            thing = FlowThing(word, room, name, consumed)
        elif name in ("key", "switch"):
            raise words[0].error(f"a {name} names what it opens", f"write: {name} red in {room}")
        elif name in WAY_KINDS:
            raise words[0].error(f"a thing {name!r} is part of a link", "say it of the link: locked by red, or one-way")
        else:
            thing = FlowThing(name, room)
        self.things.append((thing, words[0], words[2]))

    def _read_apart(self, line: LinePart, pieces: list[LinePart]) -> None:
        words = pieces[0].split_words()
        by = pieces[1].split_words() if len(pieces) == 2 else []
        tags = [index for index, word in enumerate(words) if word.text == "tagged"]
        if len(by) != 2 or by[0].text != "by" or len(words) != 2 + len(tags) or tags not in ([], [0], [1]):
            raise line.error(
                "two rooms, or a room and a tag, are apart by a number of steps",
                "write: apart gate throne, by 12; or: apart gate tagged boss, by 12",
            )
        limits.FLOW_THINGS.check(len(self.apart) + 1, "the number of lines apart", line.place())
        names = [word for word in words if word.text != "tagged"]
        a, b = names[::-1] if tags == [0] else names
        steps = by[1].parse_number("the number of steps", 1, limits.FLOW_DISTANCE.value)
        self.apart.append(_WrittenApart(a, b, steps, bool(tags), line))

    def finish(self) -> FlowSource:
        """The flow of all lines, once the names in them are known to stand for something."""
        for _, _, room in self.things:
            self._require_room(room)
        tags = {tag for room in self.rooms.values() for tag in room.tags}
        apart = []
        for row in self.apart:
            self._require_room(row.a)
            if row.tagged and row.b.text not in tags:
                raise place_error(unknown_name_error("tag", row.b.text, sorted(tags)), row.b)
            if not row.tagged:
                self._require_room(row.b)
                if row.a.text == row.b.text:
                    raise row.b.error(f"{row.a.text} cannot be apart from itself", "name another room")
            apart.append(FlowApart(row.a.text, row.b.text, row.by, row.tagged))
        return FlowSource(
            Flow(
                self.name,
                tuple(self.rooms.values()),
                tuple(self.links),
                tuple(thing for thing, _, _ in self.things),
                tuple(apart),
            ),
            self.file,
            {name: part.place() for name, part in self.room_parts.items()},
            {**self.option_places, **{("", end): part.place() for end, part in self.ends.items() if end in ENDS}},
            tuple(self.link_places),
            tuple(part.place() for _, part, _ in self.things),
            tuple(row.line.place() for row in self.apart),
        )

    def _require_room(self, part: LinePart) -> None:
        if part.text not in self.rooms:
            raise place_error(unknown_name_error("room", part.text, self.rooms), part)


def _build_chain_error(line: LinePart, words: list[LinePart], wrong: LinePart | None) -> BadInput:
    """The error that these words are no chain of rooms."""
    if len(words) == 1 and "-" in words[0].text.strip("-"):
        ends = " - ".join(filter(None, words[0].text.split("-")))
        return words[0].error("blanks belong around the - of a link", f"write: link {ends}")
    if wrong is not None:
        return wrong.error("rooms of a link stand with ' - ' between them", "write: link gate - hall - crypt, door")
    return line.error("a link joins at least two rooms", "write: link gate - hall")
