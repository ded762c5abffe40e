"""Sets of things in TOML: what is read, what is refused, and with which words."""

from __future__ import annotations

import random

import pytest

from support.maps import HEAVY
from undercroft import limits
from undercroft.core.rng import Rng
from undercroft.core.thing_data import format_contents
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs import files
from undercroft.things import shipped
from undercroft.things.contents import NOTHING, pick_contents
from undercroft.things.read_things import parse_things
from undercroft.things.thing_set import Item, ThingSet, ThingType

ANY = "[any]\nthings = { it = 1 }\n"
"""What a set needs beside its things."""

MISTAKES = [
    (
        "",
        "1:1",
        "there is nothing to put into rooms here",
        "write [thing.NAME] tables, and [kind.NAME] or [any] with things = { ... }",
    ),
    (
        "[thing.it]\n",
        "1:1",
        "there is nothing to put into rooms here",
        "write [thing.NAME] tables, and [kind.NAME] or [any] with things = { ... }",
    ),
    ("[thin.it]\n" + ANY, "1:2", "unknown key 'thin'", "did you mean 'thing'?"),
    ("thing = 3\n" + ANY, "1:9", "'thing' is a table, not 3", "write [thing] on a line of its own"),
    ("[thing]\nit = 3\n" + ANY, "2:6", "'it' is a table, not 3", "write [thing.it] on a line of its own"),
    ("[thing.it]\nplac = 'wall'\n" + ANY, "2:1", "unknown key 'plac'", "did you mean 'place'?"),
    ("[thing.it]\nplace = 'walls'\n" + ANY, "2:9", "unknown place 'walls'", "did you mean 'wall'?"),
    ("[thing.it]\nplace = 7\n" + ANY, "2:9", "'place' is a text, not 7", 'put it in quotes: "..."'),
    ("[thing.it]\ngroup = 'enemy'\n" + ANY, "2:9", "unknown group 'enemy'", "one of: prop, loot, monster, note"),
    ("[thing.it]\nrarity = 'comon'\n" + ANY, "2:10", "unknown rarity 'comon'", "did you mean 'common'?"),
    ("[thing.it]\nblocks = 'yes'\n" + ANY, "2:10", "'blocks' is true or false, not \"yes\"", "write true or false"),
    ("[thing.it]\nblocks = 1\n" + ANY, "2:10", "'blocks' is true or false, not 1", "write true or false"),
    (
        "[thing.it]\nsize = 2\n" + ANY,
        "2:8",
        "'size' is two whole numbers from 1 to 8, not 2",
        "for example size = [1, 2]",
    ),
    (
        "[thing.it]\nsize = [2, 0]\n" + ANY,
        "2:8",
        "'size' is two whole numbers from 1 to 8, not [2, 0]",
        "for example size = [1, 2]",
    ),
    (
        "[thing.it]\nsize = [9, 1]\n" + ANY,
        "2:8",
        "'size' is two whole numbers from 1 to 8, not [9, 1]",
        "for example size = [1, 2]",
    ),
    (
        "[thing.it]\nsize = [1.5, 1]\n" + ANY,
        "2:8",
        "'size' is two whole numbers from 1 to 8, not [1.5, 1]",
        "for example size = [1, 2]",
    ),
    (
        "[thing.it]\nmost = 0\n" + ANY,
        "2:8",
        "'most' is 0, which is out of range",
        "use a whole number from 1 to 1,000,000",
    ),
    (
        "[thing.it]\nmost = true\n" + ANY,
        "2:8",
        "'most' is a whole number, not true",
        "use a whole number from 1 to 1,000,000",
    ),
    (
        "[thing.it]\ntotal = -1\n" + ANY,
        "2:9",
        "'total' is -1, which is out of range",
        "use a whole number from 0 to 1,000,000",
    ),
    (
        "[thing.it]\nfrom_start = 1.5\n" + ANY,
        "2:14",
        "'from_start' is a whole number, not 1.5",
        "use a whole number from 0 to 1,000,000",
    ),
    (
        "[thing.it]\ndanger = 2\n" + ANY,
        "2:1",
        "only a monster has 'danger', and 'it' is of the group 'prop'",
        'take it out, or write group = "monster"',
    ),
    (
        "[thing.it]\ngroup = 'monster'\ndanger = 1001\n" + ANY,
        "3:10",
        "'danger' is 1,001, which is out of range",
        "use a whole number from 0 to 1,000",
    ),
    ("[thing.it]\nabout = ['x']\n" + ANY, "2:9", "'about' is a text, not [\"x\"]", 'put it in quotes: "..."'),
    ("[thing.it]\nnear = 'tabel'\n[thing.table]\n" + ANY, "2:8", "unknown thing 'tabel'", "did you mean 'table'?"),
    (
        "[thing.it]\nnear = 'it'\n" + ANY,
        "2:8",
        "each waits for the next, and none can be first: 'it' near 'it'",
        "take one 'near' out",
    ),
    (
        "[thing.it]\nnear = 'b'\n[thing.b]\nnear = 'c'\n[thing.c]\nnear = 'b'\n" + ANY,
        "2:8",
        "each waits for the next, and none can be first: 'b' near 'c' near 'b'",
        "take one 'near' out",
    ),
    (
        "".join(f"[thing.t{k}]\nnear = 't{k + 1}'\n" for k in range(9)) + "[thing.t9]\n[any]\nthings = { t0 = 1 }",
        "2:8",
        "10 things in a row stand near each other, from 't0' on",
        "let 8 be the most",
    ),
    (
        "[thing.it]\nnear = 'b'\nplace = 'centre'\n[thing.b]\n" + ANY,
        "3:9",
        "'it' stands near 'b', and its place is 'centre'",
        "write one of wall, corner, inner corner, open, anywhere, or leave one of the two out",
    ),
    (
        "[thing.it]\nnear = 'b'\n[thing.b]\nplace = 'slot'\n" + ANY,
        "2:8",
        "'it' stands near 'b', which stands on slots only",
        "name another, or give that another place",
    ),
    ("[thing.it]\nholds = ['gold']\n" + ANY, "2:10", "unknown item 'gold'", "there is no item to name here"),
    ("[item.gold]\n[thing.it]\nholds = ['rope', 'gold']\n" + ANY, "3:10", "unknown item 'rope'", "one of: gold"),
    (
        "[item.rope]\nsort = 'tools'\n[thing.it]\nholds = ['tool']\n" + ANY,
        "4:10",
        "unknown item 'tool'",
        "did you mean 'tools'?",
    ),
    (
        "[thing.it]\nholds = 'gold'\n" + ANY,
        "2:9",
        "'holds' is a list of texts, not \"gold\"",
        'write holds = ["...", "..."]',
    ),
    (
        "[item.gold]\n[thing.it]\nholds = ['gold', 'gold']\n" + ANY,
        "3:18",
        "'gold' is listed twice",
        "take one of them out",
    ),
    (
        "[thing.it]\ncount = [1, 2]\n" + ANY,
        "2:1",
        "'it' has a count, and holds nothing",
        'add holds = ["..."], or take the count out',
    ),
    (
        "[item.gold]\n[thing.it]\nholds = ['gold']\ncount = [3, 2]\n" + ANY,
        "4:9",
        "'count' is the least and the greatest number, not [3, 2]",
        "put the smaller one first",
    ),
    (
        "[item.gold]\nrarity = 'epic'\n[thing.it]\n" + ANY,
        "2:10",
        "unknown rarity 'epic'",
        "one of: common, uncommon, rare, very rare, legendary",
    ),
    ("[item.gold]\nvalue = 3\n[thing.it]\n" + ANY, "2:1", "unknown key 'value'", "one of: sort, rarity, about"),
    (
        "[item.gold]\nsort = 'gold'\n[thing.it]\n" + ANY,
        "1:7",
        "'gold' is an item, and a sort of items too",
        "give one of them another name",
    ),
    ("[thing.it]\n[any]\nthings = { its = 1 }\n", "3:12", "unknown thing 'its'", "did you mean 'it'?"),
    (
        "[thing.it]\n[any]\nthings = { it = 0 }\n",
        "3:17",
        "'it' is 0, which is out of range",
        "use a whole number from 1 to 1,000",
    ),
    (
        "[thing.it]\n[any]\nthings = ['it']\n",
        "3:10",
        "'things' is a table, not [\"it\"]",
        "write [any.things] on a line of its own",
    ),
    ("[thing.it]\n[any]\n", "2:2", "nothing stands in a room of the kind 'any'", "add things = { ... }"),
    ("[thing.it]\n[any]\nmost = 3\n", "3:1", "unknown key 'most'", "one of: always, things"),
    (
        "[thing.it]\n[kind.any]\nthings = { it = 1 }\n",
        "2:7",
        "'any' is what rooms of no kind get",
        "write [any] instead of [kind.any]",
    ),
    ("[thing.it]\n[kind.hall]\nalways = ['that']\n", "3:11", "unknown thing 'that'", "one of: it"),
    (
        "[thing.it]\nplace = 'slot'\n[kind.hall]\nalways = ['it']\n",
        "4:11",
        "'it' stands on slots only",
        "take it out, or give it another place",
    ),
    (
        "[thing.it]\nsize = [4, 4]\n[kind.cell]\nmax_area = 12\nthings = { it = 1 }\n",
        "5:12",
        "'it' of 4x4 cells does not fit into a room of at most 12",
        "make it smaller, or max_area larger",
    ),
    (
        "[thing.it]\n[kind.cell]\nmin_area = 9\nmax_area = 5\nthings = { it = 1 }\n",
        "3:12",
        "min_area is 9, and max_area 5: no room is of this kind",
        "make one of them fit",
    ),
    (
        "[thing.it]\n[kind.cell]\nleast = 3\nmost = 2\nthings = { it = 1 }\n",
        "3:9",
        "there are at least 3 and at most 2 rooms of this kind",
        "make one of them fit",
    ),
    (
        "[thing.it]\n[kind.cell]\nwhere = 'leafs'\nthings = { it = 1 }\n",
        "3:9",
        "unknown where 'leafs'",
        "did you mean 'leaf'?",
    ),
    (
        "[thing.it]\n[kind.cell]\nregions = ['corridor']\nthings = { it = 1 }\n",
        "3:12",
        "unknown word in 'regions': 'corridor'",
        "one of: room, cave, cell, vault",
    ),
    ("[thing.it]\n[kind.cell]\n", "2:7", "nothing stands in a room of the kind 'cell'", "add things = { ... }"),
    (
        "[thing.it]\n[kind.a]\ntags = ['x']\nthings = { it = 1 }\n[kind.b]\ntags = ['x']\nthings = { it = 1 }\n",
        "6:9",
        "the tag 'x' means the kind 'a' already",
        "take it out of one of them",
    ),
    (
        "[thing.it]\n[kind.a]\ntags = ['b']\nthings = { it = 1 }\n[kind.b]\nthings = { it = 1 }\n",
        "3:9",
        "the tag 'b' means the kind 'b' already",
        "take it out of one of them",
    ),
    ("[thing.' ']\n" + ANY, "1:8", "' ' is no name", "a name has 1 to 40 letters, and no blanks around it"),
    (
        f"[thing.{'x' * 41}]\n" + ANY,
        "1:8",
        f"{'x' * 41!r} is no name",
        "a name has 1 to 40 letters, and no blanks around it",
    ),
    ("extends = 'dungoen'\n", "1:11", "unknown set of things 'dungoen'", "did you mean 'dungeon'?"),
    ("extends = 3\n", "1:11", "'extends' is a text, not 3", 'put it in quotes: "..."'),
    (
        "[thing.it\n" + ANY,
        "1:10",
        "this is not TOML: Expected ']' at the end of a table declaration",
        "write [name], and put a name that has blanks or signs in quotes",
    ),
    (
        "extends = 'dungeon'\n[thing.bookshelf]\nnear = 'desk chair'\n[thing.desk]\nnear = 'bookshelf'\n",
        "3:8",
        "each waits for the next, and none can be first: 'bookshelf' near 'desk chair' near 'desk' near 'bookshelf'",
        "take one 'near' out",
    ),
    (
        "extends = 'dungeon'\n[thing.table]\nplace = 'slot'\n",
        "2:2",
        "'chair' stands near 'table', which stands on slots only",
        "name another, or give that another place",
    ),
]


@pytest.mark.parametrize(
    ("text", "place", "problem", "fix"), MISTAKES, ids=[problem[:50] for _, _, problem, _ in MISTAKES]
)
def test_a_mistake_is_a_sentence_with_a_place_and_a_fix(text: str, place: str, problem: str, fix: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_things(text, "set.toml", shipped.load_things)
    assert caught.value.problem == problem
    assert caught.value.fix == fix
    assert str(caught.value.place) == f"set.toml:{place}"


def test_too_many_things() -> None:
    many = "".join(f"[thing.t{k}]\n" for k in range(limits.THING_TYPES.value + 1))
    with pytest.raises(BadInput, match="its number of things is 501; the limit is 500"):
        parse_things(many + "[any]\nthings = { t1 = 1 }", "set.toml")


def test_a_set_cannot_extend_another_where_there_is_none() -> None:
    with pytest.raises(BadInput, match="this set cannot extend another"):
        parse_things("extends = 'dungeon'\n", "set.toml")


def test_what_is_left_out() -> None:
    made = parse_things(
        "[thing.it]\n[thing.rat]\ngroup = 'monster'\nrarity = 'rare'\n[kind.hall]\nthings = { it = 2 }\n", "set.toml"
    )
    assert made.types["it"] == ThingType("it")
    assert (made.types["rat"].blocks, made.types["rat"].most, made.types["rat"].danger) == (False, 1, 1)
    hall = made.kinds["hall"]
    assert (hall.min_area, hall.least, hall.where, hall.regions, hall.rarity, dict(hall.things)) == (
        0,
        0,
        "any",
        ("room", "cell", "vault"),
        "common",
        {"it": 2},
    )
    assert not made.any.things


def test_a_set_on_top_of_another() -> None:
    base = shipped.load_things("dungeon")
    made = parse_things(
        "extends = 'dungeon'\n[thing.bookshelf]\nplace = 'corner'\n[kind.attic]\nalways = ['bookshelf']\n",
        "set.toml",
        shipped.load_things,
    )
    assert made.types["bookshelf"].place == "corner"
    assert made.types["bookshelf"].size == (1, 1), "a table is replaced as a whole"
    assert [*made.kinds] == [*base.kinds, "attic"]
    assert made.any == base.any
    assert base.types["bookshelf"].place == "wall"


def test_what_things_hold() -> None:
    made = parse_things(
        "[item.rope]\nsort = 'tools'\n[item.saw]\nsort = 'tools'\n[item.ring]\n[thing.it]\nholds = ['ring', 'tools']\n"
        + ANY,
        "set.toml",
    )
    assert [item.name for item in made.items_of(made.types["it"])] == ["rope", "saw", "ring"]


def test_items_by_their_rarity() -> None:
    items = [
        Item(f"{rarity} {k}", "", rarity)
        for rarity in ("common", "uncommon", "rare", "very rare", "legendary")
        for k in range(3)
    ]
    held = pick_contents(items, (1, 5), 20_000, Rng.root(1))
    counts: dict[str, int] = {}
    for entry in (entry for contents in held for entry in contents.items):
        rarity = entry["item"].rsplit(" ", 1)[0]
        counts[rarity] = counts.get(rarity, 0) + entry["count"]
    numbers = [sum(entry["count"] for entry in contents.items) for contents in held]
    assert all(len({entry["item"] for entry in contents.items}) == len(contents.items) for contents in held)
    assert all(contents.sentence == format_contents(contents.items) for contents in held)
    assert {*numbers} == {1, 2, 3, 4, 5}
    assert abs(sum(numbers) / len(numbers) - 3) < 0.05
    whole = sum(counts.values())
    for rarity, share in (
        ("common", 0.5),
        ("uncommon", 0.25),
        ("rare", 0.15),
        ("very rare", 0.07),
        ("legendary", 0.03),
    ):
        assert abs(counts[rarity] / whole - share) < 0.01
    assert len({entry["item"] for contents in held for entry in contents.items}) == 15
    assert pick_contents([], (1, 5), 3, Rng.root(1)) == [NOTHING] * 3
    assert pick_contents(items, (0, 0), 2, Rng.root(1)) == [NOTHING] * 2
    rare = pick_contents([item for item in items if item.rarity == "legendary"], (2, 2), 50, Rng.root(1))
    assert all(rare)


# --- broken at random -------------------------------------------------------------------------------------------------

PIECES = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "=",
    ",",
    "\n",
    "thing",
    "[kind.",
    "near = ",
    "-1",
    "1e9",
    "99999999999",
    "true",
    "[any]\n",
    "\x00",
    "é",
    "'''",
    "#",
    ".",
    "size = []\n",
]
SOURCES = [
    *(text for text, _, _, _ in MISTAKES),
    files.read_text(files.SHIPPED_FOLDER / "things" / "dungeon.toml", limits.TOML_BYTES),
]


def mutated(source: str, chance: random.Random) -> str:
    """A text with a few things wrong."""
    for _ in range(chance.choice([1, 1, 2, 4])):
        at, end = chance.randrange(len(source) + 1), chance.choice([0, 1, 1, 3, 20])
        source = source[:at] + chance.choice([*PIECES, "", source[max(0, at - 15) : at]]) + source[at + end :]
    return source


@pytest.mark.long
def test_a_mutant_is_read_or_refused_with_a_place() -> None:
    chance = random.Random(7)
    read, refused = 0, []
    for number in range(20_000 if HEAVY else 1_500):
        text = mutated(SOURCES[-1] if number % 8 == 0 else chance.choice(SOURCES), chance)
        try:
            assert isinstance(parse_things(text, "set.toml", shipped.load_things), ThingSet)
            read += 1
        except UndercroftError as error:
            refused.append(error)
    assert all(error.fix and (error.place is not None or "limit" in error.problem) for error in refused)
    assert read > 10
    assert len(refused) > 500
