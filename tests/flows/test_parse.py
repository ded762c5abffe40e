"""The language of flows: what it says, where its mistakes are, and the one text of each flow."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from support.maps import HEAVY
from undercroft.core.flow import Flow, FlowApart, FlowLink, FlowRoom, FlowThing
from undercroft.errors import BadInput, TooBig
from undercroft.flows.parse import LINE_WORDS, parse_flow
from undercroft.flows.write import write_flow

KEEP = """
flow  The Old Keep
room  gate, start
room  hall, tagged great, size 9x7 to 13x9
room  crypt, uses tagged tomb
room  throne, end, tagged boss
link  gate - hall, door
link  hall - stairs - crypt
link  hall - throne, locked by red, length 1 to 8, north
link  crypt - gate, one-way          ; a drop back to the gate
key   red in crypt
thing chest in throne
apart gate throne, by 12
apart tagged boss gate, by 3
"""


def test_a_whole_flow() -> None:
    flow = Flow.parse(KEEP, "keep.flow")
    assert flow.name == "The Old Keep"
    assert flow.rooms == (
        FlowRoom("gate", ends="start"),
        FlowRoom("hall", ("great",), size=((9, 7), (13, 9))),
        FlowRoom("crypt", uses_tagged=("tomb",)),
        FlowRoom("throne", ("boss",), "end"),
        FlowRoom("stairs"),
    )
    assert flow.links == (
        FlowLink("gate", "hall", "door"),
        FlowLink("hall", "stairs"),
        FlowLink("stairs", "crypt"),
        FlowLink("hall", "throne", "locked", "red", (1, 8), "N"),
        FlowLink("crypt", "gate", "one-way"),
    )
    assert flow.things == (FlowThing("key", "crypt", "red"), FlowThing("chest", "throne"))
    assert flow.apart == (FlowApart("gate", "throne", 12), FlowApart("gate", "boss", 3, tagged=True))


def test_a_flow_of_one_line_is_a_flow() -> None:
    assert [room.name for room in Flow.parse("link a - b").rooms] == ["a", "b"]
    assert Flow.parse("") == Flow()
    assert Flow.parse("\ufeff; only a comment\r\n") == Flow()


def test_the_order_of_lines_does_not_matter_but_for_the_order_of_rooms() -> None:
    lines = ["room a, start", "link a - b, door", "key red in b", "link b - c, locked by red"]
    flows = [Flow.parse("\n".join(order)) for order in (lines, lines[::-1])]
    assert [{*flow.rooms} for flow in flows] == [{*flows[0].rooms}] * 2
    assert [{*flow.links} for flow in flows] == [{*flows[0].links}] * 2


def test_defaults_are_for_lines_below_that_say_nothing_else() -> None:
    flow = Flow.parse(
        "link a - b\ndefault link, door, length 3\nlink b - c\nlink c - d, open\ndefault link\nlink d - e\n"
        "default room, size 5x5\nroom a\nroom f, size 7x7, tagged x\nlink e - g"
    )
    assert [(link.kind, link.length) for link in flow.links] == [
        ("open", None), ("door", (3, 3)), ("open", (3, 3)), ("open", None), ("open", None)
    ]  # fmt: skip
    sizes = {room.name: room.size for room in flow.rooms}
    assert sizes["a"] == sizes["g"] == ((5, 5), (5, 5))
    assert sizes["f"] == ((7, 7), (7, 7))
    assert sizes["b"] is None


def test_places_of_everything_are_known() -> None:
    source = parse_flow(KEEP, "keep.flow")
    assert str(source.room_place("throne")) == "keep.flow:6:7"
    assert str(source.room_place("throne", "tags")) == "keep.flow:6:20"
    assert str(source.room_place("stairs")) == "keep.flow:8:14"
    assert str(source.link_place(2)) == "keep.flow:8:14"
    assert str(source.thing_place(0)) == "keep.flow:11:7"
    assert str(source.apart_place(1)) == "keep.flow:14:1"


MISTAKES: list[tuple[str, str, int, int, str]] = [
    ("unknown word at the beginning of a line 'rom'", "rom a", 1, 1, "did you mean 'room'?"),
    ("unknown option of a room 'strat'", "room a, strat", 1, 9, "did you mean 'start'?"),
    ("unknown option of a link 'lockd'", "link a - b, lockd by red", 1, 13, "did you mean 'locked'?"),
    ("unknown option of a link 'nort'", "link a - b, nort", 1, 13, "did you mean 'north'?"),
    ("an option is missing after the comma", "room a,", 1, 8, "write one of"),
    ("there is a room 'a' already, in line 1", "room a\nlink a - b\nroom a, start", 3, 6, "another name"),
    ("a comma belongs before an option", "room a start", 1, 8, "room a, start"),
    ("a room has a name", "room", 1, 1, "write: room hall"),
    ("the name of a room is a word", "room a/b", 1, 6, "letters, digits"),
    ("'tagged' is a word of the language", "link a - tagged", 1, 10, "otherwise"),
    ("a link from b to itself", "link a - b - b", 1, 14, "leave it out"),
    ("a link from a to itself", "link a - a", 1, 10, "leave it out"),
    ("a link joins at least two rooms", "link a", 1, 1, "link gate - hall"),
    ("a link joins at least two rooms", "link a - ", 1, 1, "link gate - hall"),
    ("rooms of a link stand with ' - ' between them", "link a -> b", 1, 8, "link gate - hall"),
    ("blanks belong around the - of a link", "link gate-hall", 1, 6, "link gate - hall"),
    ("a locked link names its lock", "link a - b, locked", 1, 13, "locked by red"),
    ("a locked link names its lock", "link a - b, locked with red", 1, 13, "locked by red"),
    ("'secret' comes after 'door', which says the same", "link a - b, door, secret", 1, 19, "leave one"),
    ("the length is from 5 to 3", "link a - b, length 5 to 3", 1, 13, "length 3 to 5"),
    ("a length is a number", "link a - b, length 1 - 3", 1, 13, "length 1 to 8"),
    ("a length is a whole number", "link a - b, length x", 1, 20, "such a number"),
    ("'end' is too much here", "room a, start end", 1, 15, "a comma before 'end'"),
    ("'now' is too much here", "link a - b, door now", 1, 18, "write: door"),
    ("the start is in line 1 already", "room a, start\nroom b, start", 2, 9, "leave one of them out"),
    ("the end is in line 1 already", "room a, end\nroom b, end", 2, 9, "leave one of them out"),
    ("this room is both the start and the end", "room a, start, end", 1, 16, "another room"),
    ("no word stands after 'tagged'", "room a, tagged", 1, 9, "name some"),
    ("'x' is said twice", "room a, tagged x x", 1, 18, "say it once"),
    ("a size is width x height", "room a, size 5", 1, 14, "size 5x5 to 9x7"),
    ("a size is width x height", "room a, size 5x5 9x9", 1, 9, "size 5x5 to 9x7"),
    ("a size is width x height, each from 1", "room a, size 0x5", 1, 14, "size 5x5 to 9x7"),
    ("the least size is larger", "room a, size 9x7 to 5x9", 1, 9, "size 5x7 to 9x9"),
    ("a floor is a whole number", "room a, floor -1", 1, 15, "such a number"),
    ("unknown room 'cript'", "link a - crypt\nkey red in cript", 2, 12, "did you mean 'crypt'?"),
    ("a key lies in a room", "room a\nkey red a", 2, 1, "write: key red in crypt"),
    ("a thing lies in a room", "room a\nthing in a", 2, 1, "write: thing chest in crypt"),
    ("'consumd' is no option of a key", "room a\nkey red in a, consumd", 2, 15, "leave it out"),
    ("'consumed' is no option of a switch", "room a\nswitch red in a, consumed", 2, 18, "only keys"),
    ("a key names what it opens", "room a\nthing key in a", 2, 7, "write: key red in a"),
    ("a thing 'lock' is part of a link", "room a\nthing lock in a", 2, 7, "locked by red"),
    ("unknown room 'c'", "link a - b\napart a c, by 3", 2, 9, "one of: a, b"),
    ("unknown tag 'bos'", "room a, tagged boss\nroom b\napart b tagged bos, by 3", 3, 16, "did you mean 'boss'?"),
    ("a cannot be apart from itself", "room a\napart a a, by 3", 2, 9, "another room"),
    ("two rooms, or a room and a tag, are apart", "link a - b\napart a b", 2, 1, "by 12"),
    ("two rooms, or a room and a tag, are apart", "link a - b\napart a b, 3", 2, 1, "by 12"),
    ("the number of steps is a whole number", "link a - b\napart a b, by 0", 2, 15, "such a number"),
    ("the flow is named already, in line 1", "flow a\nflow b", 2, 1, "leave one"),
    ("a flow has a name", "flow", 1, 1, "write: flow keep"),
    ("a default is for rooms or for links", "default key", 1, 1, "default link, door"),
    ("only one room is the start", "default room, start", 1, 15, "the line of that room"),
    ("a tab", "room\ta", 1, 5, "blanks"),
    ("a sign that cannot be seen", "room a\u200b", 1, 7, "delete it"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "text", "line", "column", "fix"), MISTAKES)
def test_a_mistake_has_its_place_and_a_fix(sentence: str, text: str, line: int, column: int, fix: str) -> None:
    with pytest.raises(BadInput) as caught:
        Flow.parse(text, "keep.flow")
    assert sentence in caught.value.problem
    assert str(caught.value.place) == f"keep.flow:{line}:{column}"
    assert fix in caught.value.fix


def test_too_much_is_refused() -> None:
    with pytest.raises(TooBig, match=r"^flow:1001:6: the number of rooms is 1,001"):
        Flow.parse("\n".join(f"room r{number}" for number in range(1001)))
    with pytest.raises(TooBig, match="the number of links is 4,001"):
        Flow.parse("link a - b\n" * 4001)
    with pytest.raises(TooBig, match="the number of things is 4,001"):
        Flow.parse("room a\n" + "thing rat in a\n" * 4001)
    with pytest.raises(TooBig, match="262,144"):
        Flow.parse(";" + "x" * (256 * 1024))


# --- the writer


def random_flow(rng: random.Random) -> Flow:
    """Any flow that a text can hold."""
    words = ["a", "b2", "the-hall", "O'Brien", "x.y", "Küche", "start", "in", "by", "_"]
    names = rng.sample(words, rng.randint(1, len(words)))
    ends = dict(zip(rng.sample(names, min(2, len(names))), rng.choice([("start", "end"), ("end",), ()]), strict=False))

    def some_words(chance: float) -> tuple[str, ...]:
        return tuple(rng.sample(words, rng.randint(1, 3))) if rng.random() < chance else ()

    def size() -> tuple[tuple[int, int], tuple[int, int]] | None:
        least = rng.randint(1, 9), rng.randint(1, 9)
        return (least, (least[0] + rng.randint(0, 3), least[1] + rng.randint(0, 3))) if rng.random() < 0.3 else None

    rooms = tuple(
        FlowRoom(name)
        if rng.random() < 0.5 and name not in ends
        else FlowRoom(
            name, some_words(0.3), ends.get(name, ""), size(), some_words(0.2), some_words(0.2), rng.choice([0, 0, 2])
        )
        for name in names
    )
    links = []
    for _ in range(rng.randint(0, 8) if len(names) > 1 else 0):
        a, b = rng.sample(names, 2)
        kind = rng.choice(["open", "door", "locked", "secret", "one-way"])
        low = rng.randint(0, 5)
        length = (low, low + rng.randint(0, 3)) if rng.random() < 0.3 else None
        links.append(
            FlowLink(a, b, kind, rng.choice(words) if kind == "locked" else "", length, rng.choice(["", "", "N", "W"]))
        )
    things = []
    for _ in range(rng.randint(0, 4)):
        kind = rng.choice(["key", "switch", "chest"])
        room = rng.choice(names)
        things.append(
            FlowThing(kind, room, "" if kind == "chest" else rng.choice(words), kind == "key" and rng.random() < 0.5)
        )
    tags = sorted({tag for room in rooms for tag in room.tags})
    apart = (
        [FlowApart(rng.choice(names), rng.choice(tags), rng.randint(1, 99), tagged=True)]
        if tags and rng.random() < 0.5
        else []
    )
    apart += [FlowApart(names[0], names[1], rng.randint(1, 99))] if len(names) > 1 and rng.random() < 0.5 else []
    return Flow(rng.choice(["", "keep", "The Old Keep, 2"]), rooms, tuple(links), tuple(things), tuple(apart))


def test_what_is_written_is_read_again() -> None:
    for seed in range(20_000 if HEAVY else 400):
        flow = random_flow(random.Random(seed))
        text = write_flow(flow)
        assert Flow.parse(text) == flow, text
        assert write_flow(Flow.parse(text)) == text


def test_the_text_is_short_and_canonical() -> None:
    text = write_flow(Flow.parse(KEEP))
    assert text == (
        "flow  The Old Keep\n"
        "room  gate, start\n"
        "room  hall, tagged great, size 9x7 to 13x9\n"
        "room  crypt, uses tagged tomb\n"
        "room  throne, end, tagged boss\n"
        "link  gate - hall, door\n"
        "link  hall - stairs\n"
        "link  stairs - crypt\n"
        "link  hall - throne, locked by red, length 1 to 8, north\n"
        "link  crypt - gate, one-way\n"
        "key   red in crypt\n"
        "thing chest in throne\n"
        "apart gate throne, by 12\n"
        "apart gate tagged boss, by 3\n"
    )
    assert write_flow(Flow.parse("room b\nlink a - b")) == "room  b\nlink  a - b\n"


def test_no_text_holds_where_a_flow_is_on_a_level() -> None:
    flow = replace(Flow.parse("link a - b"), places=((1, 1), (3, 1)))
    assert Flow.parse(str(flow)) == flow.without_history() != flow


def test_mutated_texts_are_read_or_refused_in_a_sentence() -> None:
    signs = [*"abx-,;:. \t\n0159\0\u200b\ud800", *LINE_WORDS, " - ", "tagged", "locked by", "size 5x5"]
    refused: list[BadInput] = []
    for seed in range(20_000 if HEAVY else 400):
        rng = random.Random(seed)
        text = KEEP
        for _ in range(rng.randint(1, 5)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(signs) + text[at + rng.randint(0, 4) :]
        try:
            flow = Flow.parse(text)
        except BadInput as error:
            refused.append(error)
        else:
            assert Flow.parse(str(flow)) == flow
    assert len(refused) > 20
    assert all(error.problem and error.fix for error in refused)
