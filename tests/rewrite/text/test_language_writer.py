"""Programs as `.rules` text: nothing is lost on the way there and back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.maps import HEAVY
from support.paths import ROOT
from support.programs import random_program
from support.texts import CASES, PROGRAMS, again, same
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.core.region import REGION_KINDS
from undercroft.errors import BadInput
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    ANY,
    AS_DRAWN,
    BOTH_MIRRORS,
    KEEP,
    LEFT_RIGHT,
    PICKS,
    QUARTER_TURNS,
    UP_DOWN,
    Area,
    Guard,
    Node,
    Program,
    Replacement,
    Rule,
    ThingTile,
    tile_set,
)
from undercroft.rewrite.text.alphabet import build_letter_palette
from undercroft.rewrite.text.parse import load, parse
from undercroft.rewrite.text.write_rules import dump_program


@pytest.mark.parametrize(
    "path", [*PROGRAMS, *sorted(CASES.glob("*/rules.rules"))], ids=lambda path: path.relative_to(CASES).as_posix()
)
def test_an_example_comes_back_from_text(path: Path) -> None:
    program = load(path).program
    assert same(again(program), program)
    assert dump_program(again(program)) == dump_program(program)


@pytest.mark.parametrize(
    "folder",
    sorted(path.parent for path in (ROOT / "src" / "undercroft" / "shipped").glob("*/base.txt")),
    ids=lambda folder: folder.name,
)
def test_a_grammar_folder_becomes_a_rules_file(folder: Path) -> None:
    program = grammar.load_folder(folder).program
    assert same(again(program), program)


ODD = (
    "?",
    "|",
    ";",
    ",",
    "-",
    ">",
    '"',
    " ",
    "/",
    "{",
    "}",
    "=",
    "r",
    "u",
    "l",
    "e",
    "o",
    "n",
    "s",
    "t",
    "a",
    "\\",
    "é",
    "#",
    "0",
    "9",
)
ODD_NAMES = (
    "room",
    "",
    "a, b",
    'say "no"',
    "once",
    "turned",
    "up to 3 times",
    "-> x",
    " lead",
    "two  blanks",
    "x; y",
    "\\",
    "tab\t",
    "weight 2",
    "é",
    "rule",
    "not",
    "or",
    "a -> b",
    "keep tidy",
    "room (2)",
    "count(x)",
    "in the dark",
    "sad :(",
    "rooms tagged",
)
TAGS = ("", "", "library", "great hall", 'a "b"; (c, d)', "dead-end", "é", "7")


def odd_palette(source: random.Random) -> Palette:
    """Any palette: signs with a meaning of their own, names that want quotes, tiles that turn."""
    kind = source.randrange(5)
    if kind == 0:
        return STANDARD
    if kind == 1:
        return GRAMMAR_PALETTE
    if kind == 2:
        return build_letter_palette("".join(source.sample("BWARGUrule", source.randint(1, 10))))
    signs = source.sample(ODD, source.randint(2, len(ODD)))
    names = [
        source.choice(["tile %d", "a or %d", "not %d", "x, %d", "none%d", "= %d", 'q"%d']) % index
        for index in range(len(signs))
    ]
    tiles = [
        Tile(name, "floor", sign, sign, "#123456", walkable=True, opaque=source.random() < 0.5)
        for name, sign in zip(names, signs, strict=True)
    ]
    tiles[0], tiles[1] = (
        tiles[0]._replace(turned=names[1], role="wall"),
        tiles[1]._replace(turned=names[0], mirrored=names[1], face="ß", aliases="ÄÖ"),
    )
    for at, tile in enumerate(tiles[2:], 2):
        tiles[at] = tile._replace(ports=source.choice(["", "NS", "EW", "NESW"]))
    return Palette(
        [*STANDARD.tiles[: source.choice([0, 0, len(STANDARD)])], *tiles]
        if not set(signs) & {"#", " ", ",", ">", "o"}
        else tiles
    )


def odd_program(number: int) -> Program:
    """A random program with everything in it that a program can hold."""
    source = random.Random(number)
    palette, things = odd_things(source, odd_palette(source))
    names = {""}
    root = odd_node(source, palette, names, 0)
    return Program(source.choice(ODD_NAMES) or "x", palette, root, things)


def odd_things(source: random.Random, palette: Palette) -> tuple[Palette, tuple[ThingTile, ...]]:
    """The palette with up to two tiles that stand for things on others."""
    things, tiles = [], list(palette.tiles)
    for kind, sign in source.sample(
        [("goblin", "ǵ"), ("a, b (c)", "ǻ"), ("none", "ꝏ"), ("x; y", "ǰ")], source.choice([0, 0, 1, 2])
    ):
        ground = source.randrange(len(palette))
        below = palette.tiles[ground]
        things.append(ThingTile(kind, len(tiles), ground))
        tiles.append(
            Tile(
                kind,
                below.role,
                sign,
                source.choice([sign, "ß"]),
                source.choice(["#888888", "#00ff00"]),
                below.walkable,
                below.opaque,
            )
        )
    return (Palette(tiles, palette.name) if things else palette), tuple(things)


def odd_name(source: random.Random, taken: set[str]) -> str:
    name = source.choice(ODD_NAMES)
    if name and name in taken:
        name = f"{name}{len(taken)}"
    taken.add(name)
    return name


def odd_node(source: random.Random, palette: Palette, names: set[str], depth: int) -> Node:
    if depth < 4 and source.random() < 0.6 - 0.15 * depth:
        children = tuple(odd_node(source, palette, names, depth + 1) for _ in range(source.randint(1, 3)))
        kind = source.choice(["sequence", "sequence", "markov", "repeat"])
        return Node(
            kind, odd_name(source, names), children=children, limit=source.choice([0, 1, 7]) if kind == "repeat" else 0
        )
    mine: set[str] = set()
    rules = tuple(odd_rule(source, palette, mine) for _ in range(source.choice([1, 1, 2, 4])))
    if len(rules) == 1 and source.random() < 0.5:
        rules = (rules[0]._replace(name=""),)
    outside = source.choice([-1, -1, source.randrange(len(palette))])
    kind = source.choice(["one", "all", "parallel"])
    each = odd_area(source) if source.random() < 0.3 else None
    shared = source.choice([(), (), odd_guards(source, palette)])
    counted = {guard.tiles for guard in shared if guard.kind == "count"}
    rules = tuple(
        rule._replace(
            area=None if each else rule.area,
            guards=tuple(
                dict.fromkeys(
                    (*shared, *(guard for guard in rule.guards if guard.kind != "count" or guard.tiles not in counted))
                )
            ),
        )
        for rule in rules
    )
    if source.random() < 0.3 and not each:
        area = odd_area(source)
        rules = tuple(rule._replace(area=area) for rule in rules)
    return Node(
        kind,
        odd_name(source, names),
        rules,
        (),
        source.choice([0, 0, 1, 20]),
        source.choice(PICKS),
        outside,
        source.random() < 0.7,
        each,
    )


def odd_rule(source: random.Random, palette: Palette, taken: set[str]) -> Rule:
    width, height = source.choice([(1, 1), (3, 1), (1, 3), (2, 2), (5, 4), (4, 1)])
    cells = width * height
    pattern = tuple(odd_set(source, palette) for _ in range(cells))
    results = tuple(
        Replacement(
            tuple(source.choice([KEEP, source.randrange(len(palette))]) for _ in range(cells)),
            source.choice([1, 1, 0, 9]),
        )
        for _ in range(source.randint(1, 3))
    )
    positions = source.choice([AS_DRAWN, QUARTER_TURNS, LEFT_RIGHT, UP_DOWN, BOTH_MIRRORS, ALL_POSITIONS, (3,), (5, 1)])
    weight, chance, limit = (
        source.choice([1, 1, 0, 5]),
        source.choice([1.0, 1.0, 0.0, 0.3, 1e-7, source.random()]),
        source.choice([0, 0, 1, 12]),
    )
    guards = odd_guards(source, palette) if source.random() < 0.4 else ()
    area = odd_area(source) if source.random() < 0.2 else None
    return Rule(
        odd_name(source, taken), width, height, pattern, results, weight, chance, limit, positions, guards, area
    )


def odd_area(source: random.Random) -> Area:
    return Area(source.choice(["", *REGION_KINDS]), source.choice(TAGS))


def odd_guards(source: random.Random, palette: Palette) -> tuple[Guard, ...]:
    """A few guards that can all hold."""
    found: list[Guard] = []
    for _ in range(source.choice([1, 1, 2])):
        tiles, others = (odd_set(source, palette) or 1 for _ in range(2))
        least, most = source.choice([(0, -1), (0, 0), (0, 12), (5, -1), (3, 9), (7, 7), (0, 10**9)])
        count = Guard("count", tiles, least=least, most=most)
        if any(each.kind == "count" and each.tiles == tiles for each in found):
            continue
        found.append(
            source.choice(
                [
                    Guard("connected", tiles | 1),
                    count,
                    Guard("distance", tiles, others, least=source.choice([1, 5, 10_000])),
                ]
            )
        )
    return tuple(dict.fromkeys(found))


def odd_set(source: random.Random, palette: Palette) -> int:
    codes = source.sample(range(len(palette)), source.randint(0, min(3, len(palette))))
    return source.choice(
        [
            ANY,
            1 << source.randrange(len(palette)),
            1 << source.randrange(len(palette)),
            tile_set(codes),
            ANY ^ tile_set(codes),
        ]
    )


def test_any_program_comes_back_from_text() -> None:
    for number in range(4000 if HEAVY else 240):
        program = odd_program(number)
        written = dump_program(program)
        assert same(parse(written, "x.rules").program, program), written


def test_the_random_programs_of_the_engine_come_back_from_text() -> None:
    for number in range(200):
        program = random_program(random.Random(number))
        root = number_rules(program.root)
        program = program._replace(root=root)
        assert same(again(program), program), dump_program(program)


def number_rules(node: Node) -> Node:
    rules = tuple(rule._replace(name=f"{rule.name} {index}") for index, rule in enumerate(node.rules))
    return node._replace(rules=rules, children=tuple(number_rules(child) for child in node.children))


def test_a_row_that_looks_like_a_word_of_the_language() -> None:
    palette = build_letter_palette("oneruls")
    for word in ("one", "rule", "rules"):
        cells = tuple(palette[sign] for sign in word) * 2
        drawn = Rule("", len(word), 2, tuple(1 << code for code in cells), (Replacement(cells[::-1]),))
        program = Program("p", palette, Node("one", rules=(drawn, drawn._replace(height=1, width=2 * len(word)))))
        assert same(again(program), program), dump_program(program)


def test_names_that_stand_twice_get_a_number() -> None:
    rule = Rule("r", 1, 1, (4,), (Replacement((1,)),))
    leaf = Node("one", "n", (rule, rule))
    found = again(Program("p", STANDARD, Node("markov", children=(leaf, leaf))))
    assert [(leaf.name, [rule.name for rule in leaf.rules]) for leaf in found.root.leaves()] == [
        ("n", ["r", "r 2"]),
        ("n 2", ["r", "r 2"]),
    ]


ONE = Rule("", 1, 1, (1,), (Replacement((1,)),))
UNWRITABLE = [
    (Node("one"), "has no rules"),
    (Node("markov"), "has nothing in it"),
    (
        Node("markov", children=(Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((1,)),)),)),), limit=3),
        "only leaves",
    ),
    (Node("one", rules=(Rule("", 1, 1, (1,), ()),)), "has no result"),
    (Node("one", rules=(Rule("", 2, 1, (1, 1), (Replacement((1,)),)),)), "sides of different size"),
    (Node("one", rules=(Rule("", 1, 1, (1 << 200,), (Replacement((1,)),)),)), "beyond its palette"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((1,), -2),)),)), "a weight is"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((1,)),), chance=2.0),)), "a chance is"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((1,)),), positions=()),)), "positions are"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((1,)),)),), limit=-1), "a limit is"),
    (Node("one", rules=(Rule("", 1, 1, (1,), (Replacement((1,)),)),), outside=99), "beyond the palette"),
    (Node("one", rules=(Rule("", 65, 1, (1,) * 65, (Replacement((1,) * 65),)),)), "the limit is 64"),
    (Node("one", rules=(ONE._replace(guards=(Guard("tidy", 1),)),)), "a guard is one of"),
    (Node("one", rules=(ONE._replace(guards=(Guard("connected", 0),)),)), "names tiles"),
    (Node("one", rules=(ONE._replace(guards=(Guard("distance", 1, 0, 5),)),)), "names tiles"),
    (Node("one", rules=(ONE._replace(guards=(Guard("distance", 1, 1, 0),)),)), "the bounds 0 and -1"),
    (Node("one", rules=(ONE._replace(guards=(Guard("distance", 1, 1, 3, 5),)),)), "the bounds 3 and 5"),
    (Node("one", rules=(ONE._replace(guards=(Guard("connected", 1, 0, 3),)),)), "the bounds 3 and -1"),
    (Node("one", rules=(ONE._replace(guards=(Guard("count", 1, 2, 3),)),)), "as many sets|names tiles"),
    (Node("one", rules=(ONE._replace(guards=(Guard("count", 1, 0, 9, 3),)),)), "at least 9 and at most 3"),
    (
        Node("one", rules=(ONE._replace(guards=(Guard("count", 1, 0, 0, 3), Guard("count", 1, 0, 9))),)),
        "at least 9 and at most 3",
    ),
    (
        Node("one", rules=(ONE._replace(guards=tuple(Guard("count", 1, 0, 0, most) for most in range(17))),)),
        "more than 16 guards",
    ),
    (Node("one", rules=(ONE._replace(guards=(Guard("connected", 1 << 200),)),)), "beyond its palette"),
    (Node("one", rules=(ONE._replace(area=Area("hall")),)), "unknown kind of region 'hall'"),
    (Node("one", rules=(ONE,), each=Area("hall")), "unknown kind of region 'hall'"),
    (Node("one", rules=(ONE._replace(area=Area("room")),), each=Area("room")), "region by region"),
    (Node("markov", children=(Node("one", rules=(ONE,)),), each=Area("room")), "only leaves"),
]


@pytest.mark.parametrize(("root", "problem"), UNWRITABLE)
def test_what_the_language_cannot_say_is_refused(root: Node, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        dump_program(Program("p", STANDARD, root))


RAT = Tile("rat", "floor", "r", "r", "#888888", walkable=True, opaque=False)
UNLIKE_THINGS = [
    ((ThingTile("rat", 13, 2), ThingTile("mouse", 13, 2)), "the same tile"),
    ((ThingTile("wall", 1, 0),), "not its own"),
    ((ThingTile("rat", 99, 2),), "not its own"),
    ((ThingTile("rat", 13, 13),), "stands on no tile before its own"),
    ((ThingTile("rat", 13, 14),), "stands on no tile before its own"),
    ((ThingTile("rat", 13, 2), ThingTile("cat", 14, 13)), "stands on no tile before its own"),
    ((ThingTile("mouse", 13, 2),), "is not like its ground"),
    ((ThingTile("rat", 13, 1),), "is not like its ground"),
]


@pytest.mark.parametrize(("things", "problem"), UNLIKE_THINGS)
def test_things_that_the_language_cannot_say_are_refused(things: tuple[ThingTile, ...], problem: str) -> None:
    palette = Palette([*STANDARD.tiles, RAT, RAT._replace(name="cat", glyph="c", face="c")])
    assert again(Program("p", palette, Node("one", rules=(ONE,)), (ThingTile("rat", 13, 2),))).things == (
        ThingTile("rat", 13, 2),
    )
    with pytest.raises(BadInput, match=problem):
        dump_program(Program("p", palette, Node("one", rules=(ONE,)), things))


def test_what_all_rules_keep_is_said_once() -> None:
    kept, more, where = Guard("connected", 0b100), Guard("count", 0b1000, least=2, most=9), Area("room", "great hall")
    rules = (
        ONE._replace(guards=(kept, more), area=where),
        ONE._replace(guards=(kept,), area=where),
        ONE._replace(guards=(kept, kept), area=where),
    )
    written = dump_program(
        Program(
            "p", STANDARD, Node("one", "n", tuple(rule._replace(name=f"n {at}") for at, rule in enumerate(rules, 1)))
        )
    )
    assert written.split("\n", 3)[3] == (
        'one  n, in rooms tagged "great hall", keep connected(floor)\n    X -> #, keep 2 <= count(corridor) <= 9\n'
        "    X -> #\n    X -> #\n"
    )
