"""The text of room types: what it says, what is refused and how, and what no text can do."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from support.maps import HEAVY
from support.paths import ROOT
from undercroft import limits
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.templates.prefabs.default_rooms import DEFAULT_ROOMS_TEXT, parse_default_rooms
from undercroft.templates.prefabs.prefab import RoomTypes, parse
from undercroft.templates.template import Slot, Socket

SETS = sorted((SHIPPED_FOLDER / "prefabs").glob("*.txt"))
DOCS = ROOT / "docs" / "prefabs.md"

CELL = """
    ##+##
    #...#
    #####
"""
HEAD = "room  cell"


def cell(head: str = HEAD, before: str = "") -> str:
    return f"{before}{head}{CELL}"


def room_text(*rows: str, before: str = "") -> str:
    return before + "room  it\n" + "".join(f"    {row}\n" for row in rows)


# --- what it says (4.31, 4.38) ----------------------------------------------------------------------------------------


def test_a_room_type_has_a_size_doors_and_a_description() -> None:
    """4.31: size, number and place of doors, how often, how it may be turned."""
    text = """
        ; a comment
        slot    chest = c
        slot    rat = r, on corridor
        socket  gate = G, opening

        room  great hall, weight 3, at least 1, at most 2, turned, tagged great lit great   ; another
            ###GG####
            #.......#
            +...c...+
            #.r....##
            ####+###
    """
    types = parse("\n".join(line[8:] for line in text.split("\n")), "keep.txt")
    (kind,) = types.types
    assert kind[1:] == (3, 1, 2, (0, 1, 2, 3))
    assert (kind.template.name, kind.template.width, kind.template.height, kind.template.area) == (
        "great hall",
        9,
        5,
        44,
    )
    assert kind.template.tags == ("great", "lit")
    assert kind.template.slots == (Slot("chest", 4, 2), Slot("rat", 2, 3))
    assert kind.template.sockets == (
        Socket(3, 0, "N", 2, "gate", STANDARD["opening"]),
        Socket(0, 2, "W", 1, "door", STANDARD["door"]),
        Socket(8, 2, "E", 1, "door", STANDARD["door"]),
        Socket(4, 4, "S", 1, "door", STANDARD["door"]),
    )
    assert kind.template.tiles[3, 2] == STANDARD["corridor"]
    assert kind.template.tiles[2, 4] == STANDARD["floor"]


@pytest.mark.parametrize(
    ("words", "positions"),
    [
        ("", (0,)),
        (", fixed", (0,)),
        (", turned", (0, 1, 2, 3)),
        (", mirrored", (0, 4)),
        (", turned and mirrored", (0, 1, 2, 3, 4, 5, 6, 7)),
        (", turned, mirrored", (0, 1, 2, 3, 4, 5, 6, 7)),
        (", mirrored, turned", (0, 1, 2, 3, 4, 5, 6, 7)),
    ],
)
def test_rotation_is_allowed_or_not(words: str, positions: tuple[int, ...]) -> None:
    assert parse(cell(HEAD + words), "x.txt").types[0].positions == positions


def test_positions_hold_for_the_rooms_below_unless_they_say_otherwise() -> None:
    """4.38: a tile that is fixed stays as it is drawn."""
    text = (
        cell()
        + cell("positions turned\nroom  b")
        + cell("room  c, fixed")
        + cell("room  d, mirrored")
        + cell("positions fixed\nroom  e")
    )
    assert [kind.positions for kind in parse(text, "x.txt").types] == [(0,), (0, 1, 2, 3), (0,), (0, 4), (0,)]


@pytest.mark.parametrize(
    ("words", "bounds"),
    [
        ("", (0, None)),
        (", at least 2", (2, None)),
        (", at most 3", (0, 3)),
        (", exactly 1", (1, 1)),
        (", at most 0", (0, 0)),
    ],
)
def test_how_often(words: str, bounds: tuple[int, int | None]) -> None:
    kind = parse(cell(HEAD + words), "x.txt").types[0]
    assert (kind.least, kind.most) == bounds


def test_positions_that_look_alike_count_once() -> None:
    square = room_text("##+##", "#...#", "+...+", "#...#", "##+##").replace("room  it", "room  it, turned, mirrored")
    assert [
        len(parse(text, "x.txt").types[0].list_shapes())
        for text in (square, cell(HEAD + ", turned and mirrored"), cell())
    ] == [1, 4, 1]
    slotted = square.replace("#...#\n    +", "#c..#\n    +")
    assert len(parse("slot  chest = c\n" + slotted, "x.txt").types[0].list_shapes()) == 4


def test_blanks_and_void_are_no_part_of_a_room() -> None:
    one, other = (
        parse(room_text(" ###", f"##.#{sign}", "+..#"[:4] + sign, f"####{sign}"), "x.txt").types[0].template
        for sign in (" ", "X")
    )
    assert one.area == other.area == 15
    assert (one.width, other.width) == (4, 5)


def test_a_bom_and_windows_line_ends_are_read_over() -> None:
    assert (
        parse("\ufeff" + cell().replace("\n", "\r\n"), "x.txt").types[0].template.sockets
        == parse(cell(), "x.txt").types[0].template.sockets
    )


def test_wide_sockets_and_doors_in_notches() -> None:
    types = parse(room_text("#####", "+...#", "+...###", "+.....#", "###...'", "  #####"), "x.txt")
    assert [socket[:5] for socket in types.types[0].template.sockets] == [
        (0, 1, "W", 3, "door"),
        (6, 4, "E", 1, "opening"),
    ]
    notch = room_text("#####", "#...#", "#...##+##", "#.......#", "#########")
    assert [socket[:4] for socket in parse(notch, "x.txt").types[0].template.sockets] == [(6, 2, "N", 1)]


def test_a_lattice_lets_wide_sockets_of_all_sizes_meet() -> None:
    """4.41: whole numbers of lattice lengths and one more, sockets in the middle of such lengths, of any width."""
    small = room_text("#===#", "=...=", "=...=", "=...=", "#===#", before="lattice 4\nsocket  way = =, floor\n")
    large = room_text("#===#====", "=.......#", "=.......#", "=.......#", "####=####".replace("=", "#"))
    types = parse(small + large.replace("room  it", "room  large").replace("#===#====", "#===##=##"), "x.txt")
    assert types.lattice == 4
    assert [(socket.x, socket.width) for socket in types.types[1].template.sockets] == [(1, 3), (6, 1), (0, 3)]


# --- what is refused --------------------------------------------------------------------------------------------------

MISTAKES = [
    # lines
    ("there is no room here", "1:1", "room NAME", ""),
    ("there is no room here", "1:1", "room NAME", "; nothing\n\n"),
    ("unknown word 'rom'", "1:1", "did you mean 'room'?", "rom  cell"),
    ("unknown word '###'", "1:1", "rows of a drawing are indented", "###\n"),
    ("unknown word 'monster'", "2:1", "one of room, slot", "positions turned\nmonster = m"),
    ("a row of a drawing, and no room that it belongs to", "1:5", "room NAME", "    ###"),
    ("a row of a drawing, and no room that it belongs to", "6:3", "room NAME", cell() + "slot  rat = r\n  ##"),
    ("a blank line in a drawing", "5:5", "in one piece", "room  it\n    ##+##\n    #...#\n\n    #####"),
    ("a tab", "2:1", "blanks", "room  it\n\t###"),
    ("a sign that cannot be seen (U+00A0)", "2:6", "delete it", "room  it\n    #\u00a0#"),
    ("a sign that cannot be seen (U+0000)", "1:5", "delete it", "room\0"),
    # names
    ("a room has a name", "1:5", "room NAME", "room" + CELL),
    ("a room has a name", "1:7", "room NAME", "room  , turned" + CELL),
    ("a name has at most 60 letters", "1:7", "room NAME", f"room  {'a' * 61}" + CELL),
    ("two rooms are called 'cell'", "5:7", "another name", cell() + cell()),
    ("the room 'cell' is not drawn", "1:7", "lines below", "room  cell"),
    ("the room 'cell' is not drawn", "1:7", "lines below", "room  cell\nroom  other" + CELL),
    # phrases
    ("unknown words 'turnd' about a room", "1:13", "did you mean 'turned'?", cell(HEAD + ", turnd")),
    ("unknown words 'at lest 3' about a room", "1:13", "did you mean 'at least'?", cell(HEAD + ", at lest 3")),
    ("unknown words 'blue' about a room", "1:13", "one of: weight", cell(HEAD + ", blue")),
    ("unknown words '' about a room", "1:12", "one of: weight", cell(HEAD + ",")),
    ("weight is a whole number from 1 to 1,000,000, not '0'", "1:20", "weight 1", cell(HEAD + ", weight 0")),
    ("weight is a whole number from 1 to 1,000,000, not ''", "1:19", "weight 1", cell(HEAD + ", weight")),
    ("weight is a whole number from 1 to 1,000,000, not '-3'", "1:20", "weight 1", cell(HEAD + ", weight -3")),
    (
        "weight is a whole number from 1 to 1,000,000, not '9999999999'",
        "1:20",
        "weight 1",
        cell(HEAD + ", weight 9999999999"),
    ),
    ("at most is a whole number from 0 to 1,000,000, not 'two'", "1:21", "at most 1", cell(HEAD + ", at most two")),
    ("at least 3 and at most 2 cannot both be", "1:33", "smaller", cell(HEAD + ", at least 3, at most 2")),
    ("the number of rooms is given twice", "1:24", "keep one", cell(HEAD + ", exactly 1, at most 2")),
    ("the number of rooms is given twice", "1:25", "keep one", cell(HEAD + ", at least 1, exactly 1")),
    ("the number of rooms is given twice", "1:25", "keep one", cell(HEAD + ", at least 1, at least 2")),
    ("'weight' is given twice", "1:23", "keep one", cell(HEAD + ", weight 1, weight 2")),
    ("no tag after 'tagged'", "1:19", "tagged great lit", cell(HEAD + ", tagged")),
    ("a room that is fixed is neither turned nor mirrored", "1:21", "leave one", cell(HEAD + ", turned, fixed")),
    ("unknown position 'turnd'", "1:11", "did you mean 'turned'?", "positions turnd" + CELL),
    ("unknown position ''", "1:10", "one of: turned", "positions" + CELL),
    # slots and sockets
    ("a slot has a name and a sign", "1:7", "slot chest = c", "slot  chest"),
    ("a slot has a name and a sign", "1:7", "slot chest = c", "slot  = c"),
    ("a slot has a name and a sign", "1:7", "slot chest = c", "slot  chest ="),
    ("a socket has a name and a sign", "1:7", "socket gate = G", "socket"),
    ("a sign is one character, not 'cc'", "1:15", "slot chest = c", "slot  chest = cc"),
    ("'#' is the sign of the tile 'wall'", "1:15", "another sign", "slot  chest = #"),
    ("'L' is the sign of the tile 'locked door'", "1:16", "another sign", "socket  gate = L"),
    ("'c' stands for 'chest' already", "2:15", "another sign", "slot  chest = c\nsocket  gat = c"),
    ("unknown word 'in floor' about a slot", "1:18", "on TILE", "slot  chest = c, in floor"),
    ("unknown tile 'flor'", "1:21", "did you mean 'floor'?", "slot  chest = c, on flor"),
    ("nothing can be put on 'wall'", "1:21", "such as floor", "slot  chest = c, on wall"),
    ("nothing can be put on 'door'", "1:21", "such as floor", "slot  chest = c, on door"),
    ("unknown role of a socket 'dor'", "1:19", "did you mean 'door'?", "socket  gate = G, dor"),
    ("unknown role of a socket 'wall'", "1:19", "", "socket  gate = G, wall"),
    # drawings
    ("unknown sign '?'", "3:7", "the tiles are # wall", room_text("####", "#.?#", "####")),
    ("the room is open here", "2:6", "at its corners too", room_text("#.##", "#..#", "####")),
    (
        "the room is open here",
        "3:7",
        "at its corners too",
        room_text(" ###", "#..#", "####").replace("#..#", "##.#", 1).replace(" ###", "## #"),
    ),
    ("the room is open here", "3:6", "at its corners too", room_text(" ###", "#..#", "####")),
    ("the room is open here", "3:7", "at its corners too", room_text("####", "#~.", "####")),
    (
        "the room is open here",
        "3:6",
        "at its corners too",
        room_text("####", "~.~#", "####").replace("~.", "#~")[:-5] + "## #\n",
    ),
    ("a room without a cell to stand on", "2:5", "draw some floor", room_text("####", "#~~#", "####")),
    ("a room without a cell to stand on", "2:5", "draw some floor", room_text("#")),
    (
        "this part cannot be reached from the rest of the room",
        "3:8",
        "leave a way",
        room_text("#####", "#.#.#", "#####"),
    ),
    ("a door inside a room", "3:7", "stand in the outline", room_text("#####", "#.+.#", "#####")),
    ("this socket leads into no floor", "2:6", "right behind it", room_text("#+##", "##.#", "####")),
    ("this socket leads into no floor", "2:5", "right behind it", room_text("+###", "#..#", "####")),
    ("a socket needs wall at both its ends", "2:6", "put wall", room_text("#+'#", "#..#", "####")),
    ("a socket needs wall at both its ends", "2:7", "put wall", room_text("##+", "#..#", "####")),
    # the lattice
    ("'lattice' stands before all rooms", "5:1", "move it up", cell() + "lattice 4"),
    ("lattice is a whole number from 2 to 254, not '1'", "1:9", "lattice 2", "lattice 1" + CELL),
    ("on a lattice of 4 a room is not 3 cells high", "3:5", "make it 5 cells high", cell(before="lattice 4\n")),
    (
        "on a lattice of 2 a room is not 4 cells wide",
        "3:5",
        "make it 3 or 5 cells wide",
        room_text("#+##", "#..#", "####", before="lattice 2\n"),
    ),
    (
        "this socket is not in the middle of a length of the lattice of 4",
        "3:6",
        "between 0 and 4",
        room_text("#+###", *["#...#"] * 3, "#####", before="lattice 4\n"),
    ),
    (
        "this socket is on no line of the lattice of 4",
        "4:7",
        "outer edge",
        room_text("## ##", "##+##", "#...#", "#...#", "#####", before="lattice 4\n"),
    ),
]


@pytest.mark.parametrize(
    ("problem", "place", "fix", "text"),
    MISTAKES,
    ids=[f"{row} {mistake[0][:40]}" for row, mistake in enumerate(MISTAKES)],
)
def test_a_mistake_is_named_placed_and_mended(problem: str, place: str, fix: str, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse(text, "bad.txt")
    error = caught.value
    assert error.problem.startswith(problem)
    assert fix in error.fix
    assert error.fix
    assert str(error.place) == f"bad.txt:{place}"


def test_a_mistake_is_drawn() -> None:
    with pytest.raises(BadInput) as caught:
        parse("room  hall\n    #####\n    #...\n    #####\n", "keep.txt")
    assert str(caught.value) == (
        "keep.txt:3:8: the room is open here\n        #...\n           ^\n"
        "  fix: draw wall (#) all round it, at its corners too"
    )


def test_each_sentence_of_the_reader_is_in_the_table() -> None:
    said = {mistake[0] for mistake in MISTAKES}
    assert len(MISTAKES) > 60
    templates = (f"templates/{name}" for name in ("prefabs/prefab", "prefabs/phrases", "prefabs/lattice", "outline"))
    for module in (*templates, "inputs/lines"):
        source = (SHIPPED_FOLDER.parent / f"{module}.py").read_text(encoding="utf-8")
        for part in (
            "given twice",
            "is not drawn",
            "leads into no floor",
            "stands before all rooms",
            "not in the middle",
            "cannot both be",
        ):
            assert part not in source or any(part in sentence for sentence in said), part


# --- too much of it ---------------------------------------------------------------------------------------------------


def test_caps() -> None:
    with pytest.raises(TooBig, match="its size in bytes") as caught:
        parse(";" * (limits.PREFAB_BYTES.value + 1), "big.txt")
    assert str(caught.value.place) == "big.txt:1:1"
    wide = limits.PREFAB_SIDE.value + 1
    with pytest.raises(TooBig, match="the longer side of 'it'"):
        parse(room_text("#" * wide, "#" + "." * (wide - 2) + "#", "#" * wide), "wide.txt")
    with pytest.raises(TooBig, match="its number of rooms"):
        parse(
            "".join(f"room  r{number}\n ###\n #.#\n ###\n" for number in range(limits.PREFAB_TYPES.value + 1)),
            "many.txt",
        )


def test_the_largest_texts_are_read_in_no_time() -> None:
    side = limits.PREFAB_SIDE.value
    rows = ["#" + "+#" * (side // 2), *["#" + "." * (side - 2) + "#"] * (side - 2), "#" * side]
    begin = time.process_time()
    parse(room_text(*rows), "large.txt")
    parse("".join(f"room  r{number}\n #+#\n #.#\n ###\n" for number in range(limits.PREFAB_TYPES.value)), "many.txt")
    assert time.process_time() - begin < 5


PIECES = [
    "room  x\n",
    "    ",
    "\n",
    "#",
    ".",
    "+",
    "=",
    ", turned",
    ", at least 2",
    "slot  a = b\n",
    "socket  g = G, floor\n",
    ";",
    ",",
    "\t",
    "lattice 3\n",
    "positions ",
    "1000000",
]


def mutated(source: str, chance: random.Random) -> str:
    """A text with a few things wrong."""
    for _ in range(chance.choice([1, 1, 2, 5, 20])):
        lines = source.split("\n")
        at = chance.randrange(len(source) + 1)
        here, there = chance.randrange(len(lines)), chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind == 0:
            source = source[:at] + source[at + chance.choice([1, 1, 3, 40]) :]
        elif kind == 1:
            source = source[:at] + chance.choice(PIECES) + source[at:]
        elif kind == 2:
            source = source[:at] + chance.choice(source or " ") + source[at + 1 :]
        elif kind == 3:
            lines[here], lines[there] = lines[there], lines[here]
            source = "\n".join(lines)
        elif kind == 4:
            source = "\n".join(lines[:here] + lines[there:])
        elif kind == 5:
            lines.insert(here, lines[there])
            source = "\n".join(lines)
        else:
            source = source[:at] + chr(chance.choice([0, 9, 13, 32, 160, 0x301, 0xFEFF, 0xD7FF, 0x1F5DD])) + source[at:]
    return source


def outcome(text: str) -> RoomTypes | UndercroftError:
    """Rooms, or the sentence that says why there are none; anything else goes through."""
    try:
        return parse(text, "mutated.txt")
    except UndercroftError as error:
        return error


def test_a_thousand_mutated_files_end_in_rooms_or_a_sentence() -> None:
    sources = [DEFAULT_ROOMS_TEXT, *(path.read_text(encoding="utf-8") for path in SETS)] * 10 + [
        mistake[3] for mistake in MISTAKES
    ]
    read = refused = 0
    for number in range(20_000 if HEAVY else 1000):
        chance = random.Random(number)
        text = mutated(chance.choice(sources), chance)
        found = outcome(text)
        if isinstance(found, RoomTypes):
            are_sound(found)
            read += 1
        else:
            assert found.fix, text
            assert found.place is not None, text
            assert 1 <= found.place.line <= text.count("\n") + 1
            refused += 1
    assert read > 10
    assert refused > 300


def are_sound(types: RoomTypes) -> None:
    """What every template promises to those who put it on a map."""
    for kind in types.types:
        assert kind.weight >= 1
        assert kind.most is None or kind.least <= kind.most
        for shape in kind.list_shapes():
            assert shape.palette.walkable[shape.tiles].any()
            for socket in shape.sockets:
                assert 0 <= socket.x < shape.width
                assert 0 <= socket.y < shape.height


# --- what is shipped --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_shipped_sets(path: Path) -> None:
    types = parse(path.read_text(encoding="utf-8"), path.name)
    are_sound(types)
    assert len(types.types) >= 10
    odd = [kind for kind in types.types if kind.template.area < kind.template.tiles.size]
    assert len(odd) >= 3, "not only rectangles"
    assert any(kind.template.slots for kind in types.types)
    assert bool(types.lattice) == path.stem.startswith("diablo")


def test_plain_rooms() -> None:
    are_sound(parse_default_rooms())
    assert parse_default_rooms() is parse_default_rooms()


def test_the_examples_of_the_page() -> None:
    """Every drawn text of the page is read as it stands, and its mistake is the one that is shown."""
    blocks = re.findall(r"```text\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    texts = [block for block in blocks if "\nroom  " in block]
    assert len(texts) == 2
    for text in texts:
        are_sound(parse(text, "page"))
    (shown,) = [block for block in blocks if "fix:" in block]
    with pytest.raises(BadInput) as caught:
        parse("room  hall\n    #########\n    #.o...o.\n    #########\n", "keep.txt")
    assert str(caught.value) == shown.rstrip("\n")
