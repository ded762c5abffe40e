"""Guards, areas and things: what they say, and what comes of it."""

from __future__ import annotations

import random
from collections import deque

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import components
from support.texts import again, only, same
from undercroft.core import drawing
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.errors import BadInput
from undercroft.rewrite.model.guards_slow import refuses
from undercroft.rewrite.model.program import ANY, Area, Guard, Rule, ThingTile, tile_set
from undercroft.rewrite.text.expectations import find_problems
from undercroft.rewrite.text.parse import parse
from undercroft.rewrite.text.write_rules import dump_program

FLOOR, CORRIDOR, DOOR, WALL, OPENING = (
    1 << STANDARD[name] for name in ("floor", "corridor", "door", "wall", "opening")
)


def list_guards(rule: Rule) -> list[Guard]:
    return [guard._replace(place=None) for guard in rule.guards]


GUARDS = [
    ("keep connected(floor, door)", Guard("connected", FLOOR | DOOR)),
    ("connected(., +)", Guard("connected", FLOOR | DOOR)),
    ("keep  connected ( . or + )", Guard("connected", FLOOR | DOOR)),
    ("keep connected(way)", Guard("connected", FLOOR | CORRIDOR)),
    ("keep connected(not # or X)", Guard("connected", ANY ^ (WALL | 1))),
    ('keep connected(., ",")', Guard("connected", FLOOR | CORRIDOR)),
    ('keep connected(",",.)', Guard("connected", FLOOR | CORRIDOR)),
    ("keep count(door) <= 12", Guard("count", DOOR, most=12)),
    ("count(door)<=12", Guard("count", DOOR, most=12)),
    ("keep count(door, ') <= 0", Guard("count", DOOR | OPENING, most=0)),
    ("keep count(floor) >= 40", Guard("count", FLOOR, least=40)),
    ("keep count(floor) >= 0", Guard("count", FLOOR)),
    ("keep 3 <= count(way, door) <= 9", Guard("count", FLOOR | CORRIDOR | DOOR, least=3, most=9)),
    ("3<=count(door)<=3", Guard("count", DOOR, least=3, most=3)),
    ("keep 3 <= count(door)", Guard("count", DOOR, least=3)),
    (
        "keep count(stairs up, stairs down) <= 1000000000",
        Guard("count", tile_set((STANDARD["<"], STANDARD[">"])), most=10**9),
    ),
    ("keep count(<, >) <= 2", Guard("count", tile_set((STANDARD["<"], STANDARD[">"])), most=2)),
    ("keep distance(door, door) >= 5", Guard("distance", DOOR, DOOR, least=5)),
    ("distance(+ or ', way) >= 1", Guard("distance", DOOR | OPENING, FLOOR | CORRIDOR, least=1)),
    ("keep 10000 <= distance(<,>)", Guard("distance", 1 << STANDARD["<"], 1 << STANDARD[">"], least=10_000)),
]
PLACES = [
    "one  . -> #, {}",
    "one  a, {}\n    . -> #",
    "one  {}\n    . -> #",
    "one, {}\n    . -> #",
    "one\n    . -> #, {}",
    "one\n    rule  r, {}\n        .      #\n        .  ->  #",
    "one\n    rule  {}\n        . -> #",
    "markov\n    all  once, {}, turned\n        . -> #",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("words", "guard"), GUARDS)
def test_guards(words: str, guard: Guard, place: str) -> None:
    source = "set way = . or ,\n" + place.format(words)
    assert list_guards(only(source)) == [guard]
    program = parse(source, "x.rules").program
    assert same(again(program), program)


def test_guards_of_a_node_hold_for_all_its_rules_and_come_first() -> None:
    source = """
    one  a, keep count(+) <= 5, up to 3 times, keep connected(., +)
        . -> +, keep distance(+, +) >= 4, keep count(+) <= 5
        . -> #
        rule  loose, keep count(#) <= 9
            . -> #, chance 0.5, keep connected(#)
    """
    one, two, three = (list_guards(rule) for rule in parse(source, "x.rules").program.root.rules)
    node = [Guard("count", DOOR, most=5), Guard("connected", FLOOR | DOOR)]
    assert one == [*node, Guard("distance", DOOR, DOOR, least=4)], "said by both, it holds once"
    assert two == node
    assert three == [*node, Guard("count", WALL, most=9), Guard("connected", WALL)]


def test_a_guard_knows_its_place() -> None:
    [guard] = only("one\n    . -> #, once, keep connected(.)").guards
    assert str(guard.place) == "x.rules:2:19"


def test_a_guard_can_name_tiles_with_odd_names() -> None:
    source = r"""
    tile "a, b); c" = é, floor
    tile "or" = e, floor
    one  é -> e, keep count("a, b); c", "or") <= 3
    all
        é -> e, keep count("a, b)\u{3B} c") <= 3
        e -> é
    """
    program = parse(source, "x.rules").program
    assert [list_guards(rule)[0].tiles.bit_count() for rule in program.rules() if rule.guards] == [2, 1]
    assert same(again(program), program)


AREAS = [
    ("in rooms", Area("room")),
    ("in corridors", Area("corridor")),
    ("in caves", Area("cave")),
    ("in cells", Area("cell")),
    ("in vaults", Area("vault")),
    ("in regions", Area("")),
    ("in rooms tagged library", Area("room", "library")),
    ("rooms  tagged  library", Area("room", "library")),
    ("caves tagged dead-end", Area("cave", "dead-end")),
    ('in regions tagged "great hall, (east)"', Area("", "great hall, (east)")),
    ("in rooms tagged 7", Area("room", "7")),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("words", "area"), AREAS)
def test_where_rules_act(words: str, area: Area, place: str) -> None:
    source = place.format(words)
    assert only(source).area == area
    program = parse(source, "x.rules").program
    assert same(again(program), program)


@pytest.mark.parametrize("place", [place for place in PLACES if not place.startswith("one\n")])
@pytest.mark.parametrize(
    ("words", "area"),
    [
        ("each room", Area("room")),
        ("each corridor", Area("corridor")),
        ("each cave", Area("cave")),
        ("each cell", Area("cell")),
        ("each vault", Area("vault")),
        ("each region", Area("")),
        ("each room tagged library", Area("room", "library")),
        ('each region tagged "x, y"', Area("", "x, y")),
    ],
)
def test_each(words: str, area: Area, place: str) -> None:
    program = parse(place.format(words), "x.rules").program
    [leaf] = program.root.leaves()
    assert (leaf.each, leaf.rules[0].area) == (area, None)
    assert same(again(program), program)


def test_a_rule_may_act_elsewhere_than_its_node_says() -> None:
    source = "one  a, in rooms\n    . -> #\n    . -> ~, in caves\n    rule  b, rooms tagged library\n        . -> :"
    assert [rule.area for rule in parse(source, "x.rules").program.rules()] == [
        Area("room"),
        Area("cave"),
        Area("room", "library"),
    ]


BARE_NAMES = ["room (2)", "room (big, dark)", "keeper", "keep", "each", "in", "inner rooms", "count of rooms", "tagged"]


@pytest.mark.parametrize("name", BARE_NAMES)
def test_a_name_that_is_no_guard_and_no_area(name: str) -> None:
    program = parse(f"one  {name}, once\n    . -> #", "x.rules").program
    assert (program.root.name, program.root.limit, program.root.rules[0].area) == (name, 1, None)
    assert same(again(program), program)


# --- things -----------------------------------------------------------------------------------------------------------


def test_things() -> None:
    source = """
    tile moss = "%", floor, not walkable, opaque
    thing goblin = g, on .
    thing "old man" = "\\"", on moss, face M, colour #c0ffee
    thing rat = r, on ","
    tile altar = a, pillar
    set guests = goblin or old man
    one  .{guests} -> g{rat}, keep count(guests, r) <= 4, outside rat
    """
    found = parse(source, "x.rules")
    program = found.program
    assert program.things == (ThingTile("goblin", 14, 2), ThingTile("old man", 15, 13), ThingTile("rat", 16, 3))
    assert [program.palette.tiles[thing.tile] for thing in program.things] == [
        Tile("goblin", "floor", "g", "g", "#888888", walkable=True, opaque=False),
        Tile("old man", "floor", '"', "M", "#c0ffee", walkable=False, opaque=True),
        Tile("rat", "corridor", "r", "r", "#888888", walkable=True, opaque=False),
    ]
    assert found.sets["guests"] == tile_set((14, 15))
    [rule] = program.rules()
    assert (rule.pattern, rule.results[0].cells, list_guards(rule)) == (
        (FLOOR, tile_set((14, 15))),
        (14, 16),
        [Guard("count", tile_set((14, 15, 16)), most=4)],
    )
    assert program.root.outside == 16
    assert same(again(program), program)


@pytest.mark.parametrize(
    ("palette", "ground", "lines"),
    [
        ("standard", "door", ["palette standard", "thing x = é, on door"]),
        ("letters BW", "W", ["palette letters BW", "thing x = é, on W"]),
        ("grammar", "r", ["palette grammar", "thing x = é, on room"]),
        ("none\ntile a = a, pit", "a", ["palette none", "tile a = a, pit", "thing x = é, on a"]),
    ],
)
def test_things_on_any_palette(palette: str, ground: str, lines: list[str]) -> None:
    program = parse(f"palette {palette}\nthing x = é, on {ground}\none  é -> {{{ground}}}", "p.rules").program
    assert dump_program(program).split("\n")[1 : len(lines) + 1] == lines
    assert same(again(program), program)


def test_a_thing_may_be_in_a_set_that_stays_connected() -> None:
    assert list_guards(only("thing rat = r, on .\none  . -> #, keep connected(., rat)")) == [
        Guard("connected", FLOOR | 1 << 13)
    ]


def test_ports() -> None:
    source = (
        "palette none\ntile bend = L, corridor, ports EN\ntile other = J, corridor, ports NW\n"
        "tile end = e, corridor, ports none\none  L -> J"
    )
    program = parse(source, "x.rules").program
    assert [tile.ports for tile in program.palette.tiles] == ["NE", "NW", ""]
    assert program.palette.mirror[:3].tolist() == [1, 0, 2]
    assert same(again(program), program)


def test_a_name_with_an_equals_sign() -> None:
    program = parse('tile "a = b" = é, floor\nthing "c = d" = g, on "a = b"\none  é -> g', "x.rules").program
    assert [tile.name for tile in program.palette.tiles[-2:]] == ["a = b", "c = d"]
    assert same(again(program), program)


# --- what is refused --------------------------------------------------------------------------------------------------

REFUSED = [
    ("keep connected(.)", "...", "#.. | ..#", "the middle would part them"),
    ("keep connected(.)", ".", "#", "none is not more parts than one"),
    ("keep connected(#)", "...", "#.. | .#. | ..#", "the first part appears"),
    ("keep connected(#)", "#..", "##.", "a second part is refused"),
    ("keep connected(#)", "#.#", "###", "joining is allowed"),
    ("keep count(#) <= 2", "#.. ", "##. | #.#", ""),
    ("keep count(#) <= 2", "##.", "", ""),
    ("keep count(#) >= 3", "#..", "##. | #.#", "one more is still too few, but nearer"),
    ("keep count(#) >= 3", "##.", "###", ""),
    ("keep 1 <= count(.) <= 2", "...", "#.. | .#. | ..#", ""),
    ("keep 1 <= count(.) <= 2", ".", "", ""),
    ("keep count(~) <= 0", "~..", "~#. | ~.#", "the number is too great, but does not change"),
    ("keep distance(#, #) >= 3", "#...", "#..#", ""),
    ("keep distance(#, #) >= 3", "#.X.", "#.X#", "nobody walks over void"),
    ("keep distance(#, ~) >= 2", "~..", "~.#", ""),
    ("keep distance(#, .) >= 2", "...", "", ""),
    ("keep connected(., +)", ".+.", "#+. | .+#", ""),
    ("in rooms", ",.", ",#", ""),
    ("in corridors", ",.", "", ""),
    ("in regions", ",.", ",#", ""),
    ("in caves tagged deep", ",.", ",#", ""),
]


@pytest.mark.parametrize(("words", "before", "outcomes", "why"), REFUSED)
def test_an_expectation_leaves_out_what_is_refused(words: str, before: str, outcomes: str, why: str) -> None:
    assert [
        str(problem)
        for problem in find_problems(
            parse(f"one  a, {words}\n    . -> #\nexpect a\n    {before.strip()} -> {outcomes}", "x.rules")
        )
    ] == [], why


def test_rules_write_in_one_region() -> None:
    for words in ("each room", "in rooms", "in regions"):
        source = (
            f"one  a, {words}\n    .?. -> ~?~\nexpect a\n    .... ->  ~.~. | .~.~\nexpect a\n    .#.# ->\nexpect a\n"
            "    .,.. ->"
        )
        found = find_problems(parse(source, "x.rules"))
        assert [problem.place.line for problem in found] == [], words
    assert find_problems(parse("one  a, in rooms\n    .# -> ~#\nexpect a\n    .# ->", "x.rules")) == [], (
        "the wall is written, though it stands there already"
    )
    assert find_problems(parse("one  a, in rooms\n    .# -> ~?\nexpect a\n    .# -> ~#", "x.rules")) == [], (
        "the wall is only looked at"
    )


def test_with_pick_by_first_the_first_that_is_not_refused_happens() -> None:
    assert (
        find_problems(
            parse("one  a, pick by first, keep connected(.)\n    .. -> #.\nexpect a\n    +.+#... -> +.+##..", "x.rules")
        )
        == []
    )
    assert (
        find_problems(
            parse(
                "one  a, pick by first, keep count(+) >= 1\n    . -> #\n    + -> #\nexpect a\n    +. -> +#", "x.rules"
            )
        )
        == []
    )


def test_a_thing_is_its_ground_when_parts_are_counted() -> None:
    source = "thing rat = r, on .\none  a, keep connected(.)\n    . -> r\nexpect a\n    ... -> r.. | .r. | ..r"
    assert find_problems(parse(source, "x.rules")) == []
    assert (
        find_problems(
            parse(source.replace("on .", "on +").replace("... -> r.. | .r. | ..r", "... -> r.. | ..r"), "x.rules")
        )
        == []
    )


def test_guards_that_take_too_long_are_not_tested() -> None:
    rows = "\n".join("    " + "." * 64 + ("  ->" if index == 0 else "") for index in range(64))
    [problem] = find_problems(parse(f"one  a, keep distance(., .) >= 9999\n    . -> #\nexpect a\n{rows}", "x.rules"))
    assert "too long" in problem.problem


def ways(tiles: NDArray[np.uint8], palette: Palette, start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Steps from a cell to all others that can be reached, those at the end of a way of any kind."""
    found, todo = {start: 0}, deque([start])
    while todo:
        x, y = todo.popleft()
        if (x, y) != start and not palette.walkable[tiles[y, x]]:
            continue
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if 0 <= cell[0] < tiles.shape[1] and 0 <= cell[1] < tiles.shape[0] and cell not in found:
                found[cell] = found[x, y] + 1
                todo.append(cell)
    return found


def test_refusals_against_plain_counting() -> None:
    """On maps that were fine before, a distance is refused exactly if two cells are too near after; parts and counts as
    they are counted.
    """
    refused = 0
    for number in range(500):
        source = random.Random(number)
        tiles = np.array(
            [[source.choice([1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 5, 8]) for _ in range(6)] for _ in range(5)], np.uint8
        )
        after = tiles.copy()
        for _ in range(source.randint(1, 3)):
            after[source.randrange(5), source.randrange(6)] = source.choice([1, 2, 4, 8])
        one, other = source.choice([(DOOR, DOOR), (DOOR, OPENING), (1 << 8, DOOR)])
        least = source.randint(1, 5)

        def near(grid: NDArray[np.uint8], one: int = one, other: int = other, least: int = least) -> bool:
            cells = [(x, y) for y in range(5) for x in range(6)]
            return any(
                steps < least and there != here and other >> int(grid[there[1], there[0]]) & 1
                for here in cells
                if one >> int(grid[here[1], here[0]]) & 1
                for there, steps in ways(grid, STANDARD, here).items()
            )

        if not near(tiles):
            refused += near(after)
            assert refuses(Guard("distance", one, other, least), tiles, after, STANDARD) == near(after), (
                drawing.format_tiles(after, STANDARD)
            )
        parts = [components(np.isin(grid, (2, 4))) for grid in (tiles, after)]
        apart = refuses(Guard("connected", FLOOR | DOOR), tiles, after, STANDARD)
        assert apart if parts[1] > max(1, parts[0]) else not apart or parts[1] > 1
        counts = [int((grid == 2).sum()) for grid in (tiles, after)]
        assert refuses(Guard("count", FLOOR, least=12, most=14), tiles, after, STANDARD) == (
            counts[1] > max(14, counts[0]) or counts[1] < min(12, counts[0])
        )
    assert refused > 20


def test_contradictions_are_told_where_they_arise() -> None:
    with pytest.raises(BadInput, match="at least 5 and at most 3") as caught:
        parse("one  a, keep count(., +) <= 3\n    rule  b, keep count(+ or .) >= 5\n        . -> #", "x.rules")
    assert str(caught.value.place) == "x.rules:2:14"
    assert len(only("one  . -> #, keep count(.) <= 3, keep count(+) >= 5").guards) == 2
