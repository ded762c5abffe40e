"""What went wrong in the first programs for templates, and in the article about them, does not go wrong here. Each test
is named after its defect.
"""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

import undercroft as uc
from support.maps import components
from undercroft.core.level import Level
from undercroft.core.palette import Palette, Tile
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, NotMet
from undercroft.recipe.document import Recipe
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.model.program import ALL_POSITIONS, QUARTER_TURNS, Node, Program
from undercroft.rewrite.model.symmetry import list_variants
from undercroft.rewrite.templates import Match, blit, build_template, match, moved, pad_to_square, parse_rows, slices
from undercroft.rewrite.themes import theme

OLD = Palette(
    [Tile(sign, "floor", sign, sign, "#000000", walkable=sign in ".+>*", opaque=False) for sign in "X#.*>+_"],
    "templates",
)

ROOM = ["#######", "#.....#", "#.....*", "#.....#", "#.....#", "#....>#", "#######"]
PILLAR = ["??#??", "?...?", "#...?", "?...?", "?????"]

START = parse_rows("""
    XXXXXXXXXX
    XXXXXXXXXX
    XXXXX#+#XX
    XXXXX+.+XX
    XXXXX#+#XX
    XXXXXXXXXX
    XXXXXXXXXX
    XXXXXXXXXX
    XXXXXXXXXX
    XXXXXXXXXX
    XXXXXXXXXX
""")
FOUR_ROOMS = parse_rows("""
    XXXXXXXXXX
    XXXXXXXXXX
    XXX#+#+#XX
    XXX+.+.+XX
    XXX#+#+#XX
    XXX+.+.+XX
    XXX#+#+#XX
    XXXXX+.+XX
    XXXXX#+#XX
    XXXXXXXXXX
    XXXXXXXXXX
""")
CLEAN = parse_rows("""
    XXXXXXXXXX
    XXXXXXXXXX
    XXX#####XX
    XXX#.+.#XX
    XXX#+#+#XX
    XXX#.+.#XX
    XXX###+#XX
    XXXXX#.#XX
    XXXXX###XX
    XXXXXXXXXX
    XXXXXXXXXX
""")
PADDED, PADDED_ROOM = ["?#+#?", "?XXX?", "?XXX?", "?????", "?????"], ["?#+#?", "?+.+?", "?#+#?", "?????", "?????"]
NATIVE, NATIVE_ROOM = ["#+#", "XXX", "XXX"], ["#+#", "+.+", "#+#"]
SNUG = ["#+#", "?X?", "?X?"]
BLIND, CLOSED = ["?X?", "?+?", "???"], ["???", "?#?", "???"]

Picture = tuple[str, ...]


def after_one(maps: set[Picture], reference: list[str], result: list[str]) -> set[Picture]:
    """Every map that one more room can make of these."""
    return {
        tuple(blit(list(page), x, y, moved(result, position)))
        for page in maps
        for x, y, position in match(page, reference, positions=QUARTER_TURNS)
    }


def reachable(reference: list[str], result: list[str], rooms: int) -> list[set[Picture]]:
    """Every map after one room, two rooms and so on."""
    found = [after_one({tuple(START)}, reference, result)]
    while len(found) < rooms:
        found.append(after_one(found[-1], reference, result))
    return found


# --- the article ------------------------------------------------------------------------------------------------------


def test_b01_slices_are_computed_and_not_copied() -> None:
    """Three of the nine slices were printed with a cell or a row that the room does not have there."""
    found = [[token[start : start + 5] for start in range(0, 25, 5)] for token in slices(ROOM, 5, 5)]
    assert found[3][-1] == "#....", "not '#...>': the stairs stand further to the right"
    assert found[5][1] == "....*", "not '....#': the door is in this row"
    assert found[8][:2] == ["....*", "....#"], "not the other way round"
    assert [number for number, rows in enumerate(found, 1) if match(rows, PILLAR, positions=QUARTER_TURNS)] == [1, 7]


def test_b11_a_tile_in_the_wrong_case_is_told() -> None:
    """One `x` stood among the `X` of the start map; nothing could ever be built on that cell, and nobody was told."""
    with pytest.raises(BadInput, match="unknown glyph 'x'") as caught:
        Level.parse("\n".join(START).replace("XX\nXXXXX+", "Xx\nXXXXX+", 1), OLD)
    assert str(caught.value.place).endswith(":3:10")
    with pytest.raises(BadInput) as caught:
        build_template(["#"], ["x"], palette=OLD)
    assert caught.value.fix == "did you mean 'X'?"


def test_b12_a_map_keeps_its_size() -> None:
    """The pictures of one and the same map were 9x10, then 10x11, then 9x10 again."""
    for begin in (["X" * 9] * 10, START):
        size = len(begin[0]), len(begin)
        page = theme(begin, ["XXXXX"] * 5, ["?????", "?#+#?", "?+.+?", "?#+#?", "?????"])
        page = theme(page, NATIVE, NATIVE_ROOM, times=4)
        page = theme(page, BLIND, CLOSED, how="all")
        assert (len(page[0]), len(page)) == size


def test_b13_the_printed_layout_wants_a_looser_footprint() -> None:
    """Four rooms were printed in a square. The template demands void where two of them share a wall, so it can never
    build them.
    """
    strict = reachable(PADDED, PADDED_ROOM, 5)
    assert [len(maps) for maps in strict] == [2, 4, 5, 2, 0], "it ends by itself"
    assert not any(tuple(FOUR_ROOMS) in maps for maps in strict)
    native = reachable(NATIVE, NATIVE_ROOM, 4)
    assert len(native[3]) == 121
    assert tuple(FOUR_ROOMS) not in native[3]
    snug = reachable(SNUG, NATIVE_ROOM, 4)
    assert len(snug[3]) == 149
    assert tuple(FOUR_ROOMS) in snug[3], "with ? where a wall may stand already"


def test_b15_paddings_are_one_pattern_in_every_place() -> None:
    """Four paddings of a 2x4 pattern were drawn: three of them the same pattern moved aside, one a mirror image in the
    middle only.
    """
    tall = ["##", ">#", ".#", ".#"]
    found = pad_to_square(tall)
    assert found == [
        ["##??", ">#??", ".#??", ".#??"],
        ["?##?", "?>#?", "?.#?", "?.#?"],
        ["??##", "??>#", "??.#", "??.#"],
    ]
    mirrored = pad_to_square(moved(tall, 4))
    assert len(mirrored) == 3
    assert not any(drawing in found for drawing in mirrored)


def test_b18_what_is_promised_is_measured() -> None:
    """The dungeon was called fully connected. A door that meets a neighbour's blank wall is neither cleaned up nor
    open.
    """
    blind = Level.parse("XXXXXXXX\nX######X\nX#.+#.#X\nX######X\nXXXXXXXX")
    assert match(blind, BLIND, positions=QUARTER_TURNS) == [], "the clean-up does not see it"
    assert uc.measure(blind, "components") == {"components": 2}
    clean_up = '[[step]]\nuse = "rewrite"\nrules = "all  X/+ -> X/#, turned, outside X"\n'
    recipe = Recipe.parse(f'begins = ["tiles"]\n{clean_up}[require]\ncomponents = "== 1"\n', "clean.toml")
    with pytest.raises(NotMet, match="components == 1: failed"):
        recipe.generate(seed=1, begin=blind, tries=1)
    assert recipe.generate(seed=1, begin=Level.parse("\n".join(FOUR_ROOMS)), tries=1).level == Level.parse(
        "\n".join(CLEAN)
    )


# --- the program ------------------------------------------------------------------------------------------------------


def test_b02_any_shape_can_be_turned() -> None:
    """The helper took width for height: two wide and three high it lost cells, three wide and two high nobody knew the
    new width.
    """
    assert moved(["abc", "def", "ghi"], 1) == ["gda", "heb", "ifc"]
    assert moved(["ab", "cd", "ef"], 1) == ["eca", "fdb"]
    assert moved(["abc", "def"], 1) == ["da", "eb", "fc"]
    for width, height in itertools.product(range(1, 7), range(1, 7)):
        drawing = ["".join(chr(65 + y * width + x) for x in range(width)) for y in range(height)]
        cells = np.array([list(row) for row in drawing])
        for position in ALL_POSITIONS:
            twin = np.rot90(np.fliplr(cells) if position & 4 else cells, -(position & 3))
            assert moved(drawing, position) == ["".join(row) for row in twin.tolist()]


LARGE = ["?????##+##?????", *["?XXXXXXXXXXXXX?"] * 12, "???????????????"]
LARGE_ROOM = [
    "?" * 15,
    "?######+######?",
    *["?#...........#?"] * 5,
    "?+...........+?",
    *["?#...........#?"] * 5,
    "?######+######?",
    "?" * 15,
]
LARGE_START = [row.replace("?", "X") for row in LARGE_ROOM]


def test_b03_a_template_with_a_row_missing() -> None:
    """The first of its fifteen rows was lost. It still fitted, one row too high, so that new rooms had double walls;
    turned, it never fitted.
    """
    assert len(LARGE) == 14
    with pytest.raises(BadInput, match="the reference is 15x14, result 1 is 15x15"):
        build_template(LARGE, LARGE_ROOM, palette=OLD)
    mended = ["?" * 15, *LARGE]
    page = [["X"] * 60 for _ in range(60)]
    for y, row in enumerate(LARGE_START):
        page[20 + y][20:35] = row
    begin = ["".join(row) for row in page]
    assert [found.position for found in match(begin, mended, positions=QUARTER_TURNS)] == [0, 1, 2, 3], (
        "it fits on all four sides"
    )
    for x, y, position in match(begin, mended, positions=QUARTER_TURNS):
        grown = blit(begin, x, y, moved(LARGE_ROOM, position))
        walls = np.array([list(row) for row in grown]) != "X"
        assert int(walls.sum()) == 2 * 13 * 13 - 13, "the rooms share one wall"


def test_b04_sides_of_different_length_are_refused() -> None:
    """Cells were compared in pairs up to the end of the shorter side, so that a pattern of the wrong length fitted
    silently.
    """
    for reference, result in ((["..."], ["...."]), (["....", "...."], ["...."]), (["..", ".."], ["...."])):
        with pytest.raises(BadInput, match=r"the reference is .*x., result 1 is"):
            build_template(reference, result, palette=OLD)
    with pytest.raises(BadInput, match="row 2 of the drawing has 1 cells, the first has 2"):
        match(ROOM, ["..", "."])
    assert match(["...."], ["....."]) == []


def test_b05_a_match_knows_its_position() -> None:
    """Only what the place looked like was returned: nobody knew which turned result to write, and a look that two turns
    fit was listed twice.
    """
    found = match(ROOM, PILLAR, positions=QUARTER_TURNS)
    assert found == [Match(0, 0, 0), Match(0, 2, 3)]
    assert [moved(PILLAR, place.position)[2] for place in found] == ["#...?", "#...?"]
    assert len(match(ROOM, ["...", "...", "..."], positions=ALL_POSITIONS)) == 8, "the same from all sides: listed once"
    rule = build_template(["...", "...", "..."], ["???", "?#?", "???"], palette=OLD, positions=ALL_POSITIONS)
    assert [variant.copies for variant in list_variants([rule], OLD)] == [8]


PICKS = {"match": 1 / 3, "rule": 1 / 3, "token": 1 / 2}


@pytest.mark.parametrize(("pick", "share"), PICKS.items())
def test_b06_a_place_is_picked_as_was_asked_for(pick: str, share: float) -> None:
    """To draw a look first and then one of its places is not to draw a place: in `...#`, the piece `.?` fits three
    times, but looks only two ways.
    """
    rule = build_template([".?"], ["*?"], palette=OLD, positions=(0,))
    ends: Counter[str] = Counter()
    for seed in range(1500):
        tiles = Level.parse("...#", OLD).tiles.copy()
        apply(Program("pick", OLD, Node("one", rules=(rule,), limit=1, pick=pick)), tiles, Rng.root(seed))
        ends[str(Level(tiles, OLD))] += 1
    assert set(ends) == {"*..#", ".*.#", "..*#"}
    assert ends["..*#"] / 1500 == pytest.approx(share, abs=0.04)


def test_b07_nothing_reaches_over_the_edge() -> None:
    """A row was read on into the next one, the last row raised an error, and a negative place would have written at the
    end of the map.
    """
    page = ["..#", "#..", "..#"]
    assert match(page, "##", positions=QUARTER_TURNS) == []
    assert "##" not in slices(page, 2, 1)
    assert {point for points in slices(page, 2, 2, max_x=9, max_y=9).values() for point in points} == {
        (0, 0),
        (1, 0),
        (0, 1),
        (1, 1),
    }
    for x, y in ((2, 0), (-1, 0), (0, -1), (0, 3), (3, 3)):
        with pytest.raises(BadInput, match="reaches out of a map of 3x3"):
            blit(page, x, y, ["##"])


def test_b08_a_bound_is_the_first_place_that_is_not_looked_at() -> None:
    """The text said that an upper bound is taken off the width; the code used it as it was."""
    for bound in range(8):
        points = {point for found in slices(ROOM, 3, 3, max_x=bound).values() for point in found}
        assert {x for x, _ in points} == set(range(min(bound, 5)))


def test_b09_a_map_is_shown_whole() -> None:
    """As many rows were printed as the map is wide: a map of 9x10 lost its last row, and one of 80x40 was followed by
    empty lines.
    """
    for width, height in ((9, 10), (80, 40), (1, 5), (5, 1)):
        rows = ["X" * width] * (height - 1) + ["#" * width]
        assert str(Level.parse("\n".join(rows), OLD)).split("\n") == rows
        assert theme(rows, ["*"], ["#"]) == rows


def test_b10_rows_are_whole_numbers() -> None:
    """A row was found by a division that gives a fraction in today's Python, and writing failed below the first row."""
    page = ["....."] * 4
    for x, y in itertools.product(range(4), range(3)):
        naive = [list(row) for row in page]
        naive[y][x] = naive[y + 1][x + 1] = "#"
        assert blit(page, x, y, ["#?", "?#"]) == ["".join(row) for row in naive]


def test_b14_patterns_need_no_padding() -> None:
    """Padded to a square, a room needs two spare rows behind it: from the start map it fits on two sides, though there
    is void on all four.
    """
    assert match(START, PADDED, positions=QUARTER_TURNS) == [Match(4, 4, 0), Match(1, 1, 1)]
    assert len(list_variants([build_template(PADDED, PADDED_ROOM, palette=OLD)], OLD)) == 4
    assert [found.position for found in match(START, NATIVE, positions=QUARTER_TURNS)] == [0, 1, 2, 3]
    assert match(["##+##", "XXXXX", "XXXXX"], NATIVE) == [Match(1, 0)], "up to the very edge"


def test_b16_a_door_on_the_border_is_seen() -> None:
    """The clean-up looks at three by three cells, and there is no such piece around a door in the first row."""
    begin = Level.parse("#+#\n#.#\n###")
    assert match(begin, BLIND, positions=QUARTER_TURNS) == []
    rules = "all  blind doors, turned{}\n    ?X?      ???\n    ?+?  ->  ?#?\n    ???      ???"
    assert uc.Rules.parse(rules.format(""), "inside.rules").apply(begin) == begin
    assert str(uc.Rules.parse(rules.format(", outside X"), "outside.rules").apply(begin)) == "###\n#.#\n###"


def test_b17_who_cares_about_overlap_and_who_does_not() -> None:
    """All matches were listed before the first was written, and written though they fitted no longer. That can be had,
    by its name, and is not the default.
    """
    page = ["....."]
    reference, result = ["..."], ["###"]
    assert theme(page, reference, result, how="careless", positions=(0,)) == ["#####"]
    for seed in range(20):
        assert theme(page, reference, result, how="all", positions=(0,), seed=seed) in (["###.."], [".###."], ["..###"])
        once = theme(page, reference, result, positions=(0,), seed=seed)
        assert once == theme(page, reference, result, positions=(0,), seed=seed, times=0), "it fits nowhere after that"


def test_b19_the_wishes_of_its_comments() -> None:
    """Sets of tiles, a turn that puts each cell where it belongs, and no height where the rows say it."""
    level = Level.parse("#,.\n#.+\n###")
    found = match(level, ["#f"], sets={"f": ".,"})
    assert [(place.x, place.y) for place in found] == [(0, 0), (0, 1)]
    page = ["#.#", "#,#", "#+#"]
    assert match(page, ["wfw"], sets={"f": ".,", "w": "#"}) == [Match(0, 0), Match(0, 1)]
    assert theme(page, ["f"], ["*"], sets={"f": ".,"}, how="all") == ["#*#", "#*#", "#+#"]
    pipes = Palette(
        [
            Tile(sign, "floor", sign, sign, "#000000", walkable=True, opaque=False, ports=ports)
            for sign, ports in (("-", "EW"), ("I", "NS"), (".", ""))
        ],
        "pipes",
    )
    assert match(Level.parse("-.\n.I", pipes), ["f."], sets={"f": "-"}, positions=QUARTER_TURNS) == [
        Match(0, 0, 0),
        Match(1, 0, 3),
    ], "sets turn too"


# --- the tiny dungeon -------------------------------------------------------------------------------------------------


def test_the_start_may_land_anywhere() -> None:
    empty = ["X" * 9] * 10
    assert len(match(empty, ["XXXXX"] * 5, positions=QUARTER_TURNS)) == 30
    pages = {
        tuple(theme(empty, ["XXXXX"] * 5, ["?????", "?#+#?", "?+.+?", "?#+#?", "?????"], seed=seed))
        for seed in range(400)
    }
    assert len(pages) == 30


def test_rooms_until_nothing_fits() -> None:
    strict = reachable(PADDED, PADDED_ROOM, 4)
    ends = {tuple(page) for maps in strict for page in maps if not match(page, PADDED, positions=QUARTER_TURNS)}
    found = {tuple(theme(START, PADDED, PADDED_ROOM, times=0, seed=seed)) for seed in range(60)}
    assert found == ends, "every end, and nothing else"


@pytest.mark.parametrize("rooms", [1, 2, 3])
def test_so_many_rooms(rooms: int) -> None:
    found = {tuple(theme(START, SNUG, NATIVE_ROOM, times=rooms, seed=seed)) for seed in range(400)}
    assert found <= reachable(SNUG, NATIVE_ROOM, rooms)[-1]
    assert len(found) > rooms * 3
    assert {"".join(page).count(".") for page in found} == {rooms + 1}


def test_the_clean_up_of_the_printed_map() -> None:
    places = match(FOUR_ROOMS, BLIND, positions=QUARTER_TURNS)
    assert len(places) == len({(x, y) for x, y, _ in places}) == 10
    assert theme(FOUR_ROOMS, BLIND, CLOSED, how="careless") == CLEAN, "at once"
    for seed in range(10):
        assert theme(FOUR_ROOMS, BLIND, CLOSED, times=0, seed=seed) == CLEAN, "and one by one, in any order"
        assert theme(FOUR_ROOMS, BLIND, CLOSED, times=10, seed=seed) == CLEAN, "ten doors"
    assert theme(FOUR_ROOMS, BLIND, CLOSED, times=9) != CLEAN
    open_cells = np.array([[sign in ".+" for sign in row] for row in CLEAN])
    assert components(open_cells) == 1


HALL, WIDER = ["?...?", "#####", "XXXXX"], ["?...?", "#...#", "#####"]


def test_halls_grow_from_their_floor() -> None:
    """A template may look for floor instead of doors: the wall beside it moves out, and the room is wider."""
    page = [*["X" * 12] * 3, "XXXX#####XXX", *["XXXX#...#XXX"] * 3, "XXXX#####XXX", *["X" * 12] * 4]
    shapes = set()
    for seed in range(30):
        grown = np.array([list(row) for row in theme(page, HALL, WIDER, times=3, seed=seed)])
        floor = grown == "."
        assert int(floor.sum()) == 9 + 3 * 3
        assert components(floor) == 1
        assert not (binary_dilation(floor, np.ones((3, 3), bool)) & (grown == "X")).any(), "walls stay around it"
        shapes.add(floor.tobytes())
    assert len(shapes) > 5
