"""Grammar rules: how their tiles turn, in which positions they stand, and what they do to a map."""

from __future__ import annotations

from collections import Counter

import pytest

from support.grammars import FOUR_WAY, format_cells, letters, target, tiles
from support.maps import HEAVY
from undercroft.core.rng import Rng
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.grammar.folder import build_program, parse_base, parse_rule
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import (
    ALL_POSITIONS,
    AS_DRAWN,
    BOTH_MIRRORS,
    LEFT_RIGHT,
    QUARTER_TURNS,
    UP_DOWN,
    Replacement,
    Rule,
)
from undercroft.rewrite.model.symmetry import list_variants, transform_rule
from undercroft.rewrite.model.symmetry_flags import POSITIONS_BY_FLAGS

# -- tiles

TURNING = [
    # letter, printed, after a quarter turn clockwise, after V (top and bottom), after H (left and right)
    ("c", "═", "C", "c", "c"),
    ("C", "║", "c", "C", "C"),
    ("7", "╔", "9", "1", "9"),
    ("9", "╗", "3", "3", "7"),
    ("3", "╝", "1", "9", "1"),
    ("1", "╚", "7", "7", "3"),
    ("8", "╦", "6", "2", "8"),
    ("6", "╣", "2", "6", "4"),
    ("2", "╩", "4", "8", "2"),
    ("4", "╠", "8", "4", "6"),
    ("5", "╬", "5", "5", "5"),
    ("r", "█", "r", "r", "r"),
    ("R", "█", "R", "R", "R"),
    ("~", "~", "~", "~", "~"),
    (".", ".", ".", ".", "."),
    ("?", "?", "?", "?", "?"),
]


@pytest.mark.parametrize(("letter", "face", "turned", "up_down", "left_right"), TURNING)
def test_a_tile_turns_with_its_rule(letter: str, face: str, turned: str, up_down: str, left_right: str) -> None:
    code = GRAMMAR_PALETTE[letter]
    assert GRAMMAR_PALETTE.faces[code] == face
    assert GRAMMAR_PALETTE.turn[code] == GRAMMAR_PALETTE[turned]
    assert GRAMMAR_PALETTE.mirror[code] == GRAMMAR_PALETTE[left_right]
    assert GRAMMAR_PALETTE.turn[GRAMMAR_PALETTE.turn[GRAMMAR_PALETTE.mirror[code]]] == GRAMMAR_PALETTE[up_down]
    made = Rule("x", 1, 1, (1 << code,), (Replacement((code,)),))
    for position, other in ((1, turned), (6, up_down), (4, left_right)):
        _, _, pattern, (result,) = transform_rule(made, position, GRAMMAR_PALETTE)
        assert (pattern, result.cells) == ((1 << GRAMMAR_PALETTE[other],), (GRAMMAR_PALETTE[other],))


def test_all_tiles_are_in_the_table_and_it_follows_from_their_ports() -> None:
    assert sorted(row[0] for row in TURNING) == sorted(tile.glyph for tile in GRAMMAR_PALETTE.tiles)
    assert all(tile.turned == tile.mirrored == "" for tile in GRAMMAR_PALETTE.tiles), "nobody wrote it down"


OPEN = {
    "c": "EW",
    "C": "NS",
    "7": "SE",
    "9": "SW",
    "3": "NW",
    "1": "NE",
    "8": "ESW",
    "6": "NSW",
    "2": "NEW",
    "4": "NES",
    "5": "NESW",
}


def test_the_ends_of_a_corridor_turn_with_it() -> None:
    clockwise, left_right = dict(zip("NESW", "ESWN", strict=True)), dict(zip("NESW", "NWSE", strict=True))
    for letter, ends in OPEN.items():
        turned = GRAMMAR_PALETTE.tiles[GRAMMAR_PALETTE.turn[GRAMMAR_PALETTE[letter]]].glyph
        mirrored = GRAMMAR_PALETTE.tiles[GRAMMAR_PALETTE.mirror[GRAMMAR_PALETTE[letter]]].glyph
        assert set(OPEN[turned]) == {clockwise[end] for end in ends}
        assert set(OPEN[mirrored]) == {left_right[end] for end in ends}


def test_what_the_tiles_are_for() -> None:
    walkable = {tile.glyph for tile in GRAMMAR_PALETTE.tiles if tile.walkable}
    assert walkable == set("cC123456789rR")
    assert [
        GRAMMAR_PALETTE.tiles[GRAMMAR_PALETTE.role(role)].glyph for role in ("void", "corridor", "floor", "water")
    ] == [
        ".",
        "c",
        "r",
        "~",
    ]
    assert GRAMMAR_PALETTE["╬"] == GRAMMAR_PALETTE["5"], "a printed map can be read, but for the two rooms"
    assert GRAMMAR_PALETTE.faces[GRAMMAR_PALETTE["r"]] == GRAMMAR_PALETTE.faces[GRAMMAR_PALETTE["R"]] == "█"
    assert GRAMMAR_PALETTE["r"] != GRAMMAR_PALETTE["R"]


@pytest.mark.parametrize("position", ALL_POSITIONS)
def test_the_number_pad_looks_the_same_from_all_sides(position: int) -> None:
    made, _ = parse_rule("3,3\n=\n789\n456\n123\n=\n789\n456\n123\n", "pad.txt")
    assert transform_rule(made, position, GRAMMAR_PALETTE) == (3, 3, made.pattern, made.results)


# -- positions

SIZES = [
    ("", 1, 1),
    ("R", 4, 4),
    ("H", 2, 2),
    ("V", 2, 2),
    ("H,V", 4, 4),
    ("R,H", 8, 8),
    ("R,V", 8, 8),
    ("R,H,V", 16, 8),
]


@pytest.mark.parametrize(("flags", "count", "different"), SIZES)
def test_how_many_positions(flags: str, count: int, different: int) -> None:
    made, _ = parse_rule(f"2,3\n{flags}\n=\nc?.\n??r\n=\nC??\n???\n", "x.txt")
    assert len(made.positions) == count
    assert len(list_variants([made], GRAMMAR_PALETTE, merge=False)) == count
    assert len(list_variants([made], GRAMMAR_PALETTE)) == different
    assert {(variant.width, variant.height) for variant in list_variants([made], GRAMMAR_PALETTE)} == (
        {(3, 2), (2, 3)} if "R" in flags else {(3, 2)}
    )


def test_flags_add_up_in_their_order() -> None:
    """Each list is what the flags do one after another to the rule's drawing, with the tiles of the table."""
    drawing = ["7c.", "~4r", "?9C", "..2"]
    swap = {flag: {row[0]: row[column] for row in TURNING} for flag, column in (("R", 2), ("V", 3), ("H", 4))}

    def turned(rows: list[str]) -> list[str]:
        return ["".join(swap["R"][rows[y][x]] for y in range(len(rows) - 1, -1, -1)) for x in range(len(rows[0]))]

    def mirrored(rows: list[str]) -> list[str]:
        return ["".join(swap["H"][letter] for letter in reversed(row)) for row in rows]

    def flipped(rows: list[str]) -> list[str]:
        return ["".join(swap["V"][letter] for letter in row) for row in reversed(rows)]

    for flags in POSITIONS_BY_FLAGS:
        wanted = [drawing]
        if "R" in flags:
            wanted += [turned(drawing), turned(turned(drawing)), turned(turned(turned(drawing)))]
        if "H" in flags:
            wanted += [mirrored(rows) for rows in wanted]
        if "V" in flags:
            wanted += [flipped(rows) for rows in wanted]
        body = "\n".join(drawing)
        made, _ = parse_rule(f"4,3\n{flags}\n=\n{body}\n=\n{body}\n", "x.txt")
        found = list_variants([made], GRAMMAR_PALETTE, merge=False)
        assert [target(variant.pattern, variant.width) for variant in found] == ["/".join(rows) for rows in wanted]
        assert [format_cells(variant.results[0].cells, variant.width) for variant in found] == [
            "/".join(rows) for rows in wanted
        ]


def test_positions_have_the_names_of_the_program() -> None:
    assert (
        POSITIONS_BY_FLAGS[""],
        POSITIONS_BY_FLAGS["R"],
        POSITIONS_BY_FLAGS["H"],
        POSITIONS_BY_FLAGS["V"],
        POSITIONS_BY_FLAGS["H,V"],
    ) == (
        AS_DRAWN,
        QUARTER_TURNS,
        LEFT_RIGHT,
        UP_DOWN,
        BOTH_MIRRORS,
    )
    assert sorted(POSITIONS_BY_FLAGS["R,H"]) == sorted(POSITIONS_BY_FLAGS["R,V"]) == list(ALL_POSITIONS)
    assert sorted(POSITIONS_BY_FLAGS["R,H,V"]) == sorted(ALL_POSITIONS * 2)


def test_a_corner_in_four_positions() -> None:
    made, _ = parse_rule("3,3\nR\n=\n???\ncC?\n?C?\n=\n???\nc9?\n?C?\n", "cornermerge.txt")
    assert [
        (target(variant.pattern, 3), format_cells(variant.results[0].cells, 3))
        for variant in list_variants([made], GRAMMAR_PALETTE, merge=False)
    ] == [
        ("???/cC?/?C?", "???/c9?/?C?"),
        ("?C?/cc?/???", "?C?/c3?/???"),
        ("?C?/?Cc/???", "?C?/?1c/???"),
        ("???/?cc/?C?", "???/?7c/?C?"),
    ]


# -- at work


def outcomes(texts: list[str], start: list[str], runs: int, turns: int = 1) -> dict[str, float]:
    """How often each map comes out."""
    made = build_program(parse_rule(text, f"{number}.txt")[0] for number, text in enumerate(texts))
    found: Counter[str] = Counter()
    for seed in range(runs):
        grid = tiles(*start)
        apply(made, grid, Rng.root(seed), turns=turns)
        found[letters(grid)] += 1
    return {outcome: count / runs for outcome, count in found.items()}


@pytest.mark.parametrize("start", [["...", "ccc", "..."], [".C.", ".C.", ".C."]])
def test_the_four_way_rule(start: list[str]) -> None:
    assert outcomes([FOUR_WAY], start, 50) == {".C./c5c/.C.": 1}
    made, _ = parse_rule(FOUR_WAY, "x.txt")
    assert (len(list_variants([made], GRAMMAR_PALETTE, merge=False)), len(list_variants([made], GRAMMAR_PALETTE))) == (
        4,
        2,
    )


def test_the_four_way_rule_is_printed_with_box_signs() -> None:
    grid = tiles("...", "ccc", "...")
    apply(build_program([parse_rule(FOUR_WAY, "x.txt")[0]]), grid, Rng.root(1))
    assert ["".join(GRAMMAR_PALETTE.faces[code] for code in row) for row in grid.tolist()] == [".║.", "═╬═", ".║."]


def test_the_headers_of_the_article() -> None:
    """Turned; five times as likely, with a blank that the first program stumbled over; turned and mirrored."""
    grids = "...\n...\n=\nrrr\nrrr\n"
    square = "...\n...\n...\n=\nrrr\nrrr\nrrr\n"
    found = [
        parse_rule(text, "x.txt") for text in (f"3,3\nR\n=\n{square}", f"2,3\n=5 \n{grids}", f"2,3\nR,V\n=\n{grids}")
    ]
    assert [(made.height, made.width, made.weight, len(made.positions)) for made, _ in found] == [
        (3, 3, 1, 4),
        (2, 3, 5, 1),
        (2, 3, 1, 8),
    ]
    assert all(notes == [] for _, notes in found)


LAWS = [
    ("results 1 and 3", ["1,1\n=\n.\n=1\nr\n=3\nR\n"], {"r": 1 / 4, "R": 3 / 4}),
    ("rules 1 and 5", ["1,1\n=\n.\n=\nr\n", "1,1\n=5\n.\n=\nR\n"], {"r": 1 / 6, "R": 5 / 6}),
    ("rules 1 and 5 with a blank after it", ["1,1\n=\n.\n=\nr\n", "1,1\n=5 \n.\n=\nR\n"], {"r": 1 / 6, "R": 5 / 6}),
    ("four equal positions count four times", ["1,1\nR\n=\n.\n=\nr\n", "1,1\n=5\n.\n=\nR\n"], {"r": 4 / 9, "R": 5 / 9}),
    ("sixteen count sixteen times", ["1,1\nR,H,V\n=\n.\n=\nr\n", "1,1\n=4\n.\n=\nR\n"], {"r": 16 / 20, "R": 4 / 20}),
    ("a weight of 0 is never drawn", ["1,1\n=0\n.\n=\nr\n", "1,1\n=\n.\n=\nR\n=0\n~\n"], {"R": 1}),
    (
        "a rule that fits nowhere leaves its share to the others",
        ["1,1\n=50\nc\n=\nr\n", "1,1\n=\n.\n=\nr\n", "1,1\n=3\n.\n=\nR\n"],
        {"r": 1 / 4, "R": 3 / 4},
    ),
]


@pytest.mark.parametrize(("texts", "law"), [row[1:] for row in LAWS], ids=[row[0] for row in LAWS])
def test_weights(texts: list[str], law: dict[str, float]) -> None:
    found = outcomes(texts, ["."], 2000 if HEAVY else 800)
    assert found == pytest.approx(law, abs=0.035)


def test_many_places_do_not_make_a_rule_likelier() -> None:
    found = outcomes(["1,1\n=\nc\n=\nr\n", "1,1\n=\nC\n=\nR\n"], ["cccC"], 2000)
    assert found == pytest.approx({"rccC": 1 / 6, "crcC": 1 / 6, "ccrC": 1 / 6, "cccR": 1 / 2}, abs=0.03)


def test_a_rule_larger_than_the_map_in_some_positions() -> None:
    assert outcomes(["1,3\nR\n=\nccc\n=\nrrr\n"], ["ccc"], 20) == {"rrr": 1}
    assert outcomes(["1,4\nR\n=\ncccc\n=\nrrrr\n"], ["ccc"], 20) == {"ccc": 1}


def test_a_cell_nobody_knows_fits_only_a_wildcard() -> None:
    start, _ = parse_base("1,3\n=\nc\n", "base.txt", strict=False)
    assert letters(start) == "c??"
    for text, outcome in (
        ("1,1\n=\n.\n=\nr\n", "c??"),
        ("1,3\n=\nc??\n=\nr?R\n", "r?R"),
        ("1,2\n=\n\\?\\?\n=\nr\\?\n", "cr?"),
    ):
        grid = start.copy()
        apply(build_program([parse_rule(text, "x.txt")[0]]), grid, Rng.root(1), turns=1)
        assert letters(grid) == outcome


def test_a_rule_that_changes_nothing_takes_its_turn_all_the_same() -> None:
    assert outcomes(["1,1\n=3\n.\n=\n.\n", "1,1\n=\n.\n=\nr\n"], ["."], 1500) == pytest.approx(
        {".": 3 / 4, "r": 1 / 4}, abs=0.035
    )


def test_steps_end_the_work() -> None:
    swap = [parse_rule("1,2\nR\n=\nc.\n=\n.c\n", "x.txt")[0], parse_rule("1,2\nR\n=\nC.\n=\n.C\n", "y.txt")[0]]
    for steps in (7, grammar.DEFAULT_STEPS):
        grid = tiles("c...", "....")
        assert apply(build_program(swap, steps=steps), grid, Rng.root(1)).rewrites == steps
    assert build_program(swap).root.limit == 150


def test_equal_positions_may_count_once() -> None:
    rules = [parse_rule("1,1\nR\n=\n.\n=\nr\n", "x.txt")[0], parse_rule("1,1\n=\n.\n=\nR\n", "y.txt")[0]]
    shares = []
    for merge in (False, True):
        found = 0
        for seed in range(1500):
            grid = tiles(".")
            apply(build_program(rules, merge=merge), grid, Rng.root(seed), turns=1)
            found += letters(grid) == "r"
        shares.append(found / 1500)
    assert shares == pytest.approx([4 / 5, 1 / 2], abs=0.03)


def test_the_first_place_in_reading_order() -> None:
    grid = tiles(".cc", "ccc")
    apply(build_program([parse_rule("1,2\n=\ncc\n=\nrr\n", "x.txt")[0]], pick="first"), grid, Rng.root(1), turns=1)
    assert letters(grid) == ".rr/ccc"
