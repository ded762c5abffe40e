"""Pieces of maps, drawings that fit, drawings that are written: the seven by seven room, worked through."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import undercroft as uc
from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.palette import Palette, Tile
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, OutOfBudget
from undercroft.rewrite.engine.engine import apply
from undercroft.rewrite.model.program import ALL_POSITIONS, AS_DRAWN, QUARTER_TURNS, Node, Program
from undercroft.rewrite.model.symmetry import list_variants, turned
from undercroft.rewrite.templates import Match, blit, build_template, match, moved, pad_to_square, slices
from undercroft.rewrite.themes import theme

ROOM = ["#######", "#.....#", "#.....*", "#.....#", "#.....#", "#....>#", "#######"]
NINE = [
    "##### #.... #.... #.... #....",
    "##### ..... ..... ..... .....",
    "##### ....# ....* ....# ....#",
    "#.... #.... #.... #.... #....",
    "..... ..... ..... ..... ....>",
    "....# ....* ....# ....# ...>#",
    "#.... #.... #.... #.... #####",
    "..... ..... ..... ....> #####",
    "....* ....# ....# ...># #####",
]
PILLAR = ["??#??", "?...?", "#...?", "?...?", "?????"]
PILLAR_RESULT = ["??#??", "?...?", "#.#.?", "?...?", "?????"]
OLD = Palette(
    [Tile(sign, "floor", sign, sign, "#000000", walkable=True, opaque=False) for sign in "#.*>X+_"], "templates"
)


def room() -> Level:
    return Level.parse("\n".join(ROOM), OLD)


def test_nine_pieces_of_five_by_five() -> None:
    for where in (ROOM, "\n".join(ROOM), room()):
        found = uc.slices(where, 5, 5)
        assert list(found) == [rows.replace(" ", "") for rows in NINE], (
            "nine tokens, row by row; computed, not copied from the article's print"
        )
        assert list(found.values()) == [[(x, y)] for y, x in itertools.product(range(3), range(3))]


def test_thirteen_tokens_of_three_by_three() -> None:
    found = slices(ROOM, 3, 3)
    assert len(found) == 13
    assert sum(map(len, found.values())) == 25
    assert found["." * 9] == [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3)]
    assert found["###......"] == [(1, 0), (2, 0), (3, 0)]
    assert found["#..#..#.."] == [(0, 1), (0, 2), (0, 3)]
    assert found["......###"] == [(1, 4), (2, 4)]
    ones = {
        "####..#..": (0, 0),
        "###..#..*": (4, 0),
        "..#..*..#": (4, 1),
        "..*..#..#": (4, 2),
        "........>": (3, 3),
        "..#..#.>#": (4, 3),
    }
    ones |= {"#..#..###": (0, 4), ".....>###": (3, 4), "..#.>####": (4, 4)}
    assert {token: points[0] for token, points in found.items() if len(points) == 1} == ones


def test_bounds_steps_and_corners() -> None:
    everything = slices(ROOM, 2, 3)
    assert all(len(token) == 6 for token in everything)
    assert slices(ROOM, 7, 7) == {"".join(ROOM): [(0, 0)]}, "a piece as large as the map is one piece"
    assert slices(ROOM, 8, 7) == {}
    points = sorted(
        point for found in slices(ROOM, 2, 2, min_x=1, max_x=6, step_x=2, min_y=2, step_y=3).values() for point in found
    )
    assert points == [(1, 2), (1, 5), (3, 2), (3, 5), (5, 2), (5, 5)], "steps are counted from the least"
    far = sorted(point for found in slices(ROOM, 2, 2, max_x=99, max_y=99).values() for point in found)
    assert far[-1] == (5, 5), "a bound beyond the map reads nothing beyond it"
    for corner, shift in (
        ("top left", (0, 0)),
        ("top right", (4, 0)),
        ("bottom left", (0, 4)),
        ("bottom right", (4, 4)),
    ):
        moved = slices(ROOM, 5, 5, corner=corner)
        assert [points[0] for points in moved.values()] == [
            (x + shift[0], y + shift[1]) for y in range(3) for x in range(3)
        ]
    for wrong in ({"step_x": 0}, {"corner": "middle"}, {"min_x": -1}):
        with pytest.raises(BadInput):
            slices(ROOM, 2, 2, **wrong)


def test_slices_agree_with_a_slow_twin() -> None:
    source = np.random.default_rng(5)
    for _ in range(60):
        high, wide = source.integers(1, 9, 2)
        rows = ["".join(source.choice(list("ab#"), wide)) for _ in range(high)]
        w, h = source.integers(1, 5, 2)
        slow: dict[str, list[tuple[int, int]]] = {}
        for y in range(high - h + 1):
            for x in range(wide - w + 1):
                slow.setdefault("".join(row[x : x + w] for row in rows[y : y + h]), []).append((x, y))
        assert slices(rows, int(w), int(h)) == slow


def test_the_pillar_fits_in_two_corners_only() -> None:
    for where in (ROOM, room()):
        assert match(where, PILLAR, positions=QUARTER_TURNS) == [Match(0, 0, 0), Match(0, 2, 3)]
        assert match(where, PILLAR) == [Match(0, 0)]


def test_one_pillar_or_all() -> None:
    rule = build_template(PILLAR, PILLAR_RESULT, palette=OLD)
    outcomes = set()
    for seed in range(20):
        tiles = room().tiles.copy()
        apply(Program("one", OLD, Node("one", rules=(rule,), limit=1, pick="token")), tiles, Rng.root(seed))
        outcomes.add(str(Level(tiles, OLD)))
    first, second = ("\n".join(blit(blit(ROOM, 2, 2, "#"), 2, 2, "?")), "\n".join(blit(ROOM, 2, 4, "#")))
    assert outcomes == {first, second}
    tiles = room().tiles.copy()
    apply(Program("all", OLD, Node("parallel", rules=(rule,), limit=1)), tiles, Rng.root(1))
    assert str(Level(tiles, OLD)) == "\n".join(blit(blit(ROOM, 2, 2, "#"), 2, 4, "#"))


def test_any_shape_turns() -> None:
    assert "".join(turned("abcdefghi", 3)) == "gdahebifc"
    assert "".join(turned("abcdef", 2)) == "ecafdb", "two wide and three high loses no cell"
    for width, height in itertools.product(range(1, 5), range(1, 5)):
        cells = tuple(range(width * height))
        now, wide = cells, width
        for _ in range(4):
            now, wide = turned(now, wide), len(now) // wide
        assert (now, wide) == (cells, width)
    tall = build_template(["##", ">#", ".#"], ["??", "??", "??"], palette=OLD)
    assert [(variant.width, variant.height) for variant in list_variants([tall], OLD)] == [
        (2, 3),
        (3, 2),
        (2, 3),
        (3, 2),
    ]
    assert len(list_variants([tall._replace(positions=ALL_POSITIONS)], OLD)) == 8
    assert [len(rows) for rows in pad_to_square(["##", ">#", ".#"])] == [3, 3]


def test_tokens_that_fit_lead_to_their_places() -> None:
    """By the pieces of the map: those whose token fits one of the turned references, and their points, are the places
    that `match` finds.
    """
    for reference in (PILLAR, ["???", "?..", "?.."], ["##", "?."], ["...."]):
        by_tokens = set()
        for position in QUARTER_TURNS:
            rows = moved(reference, position)
            pattern = re.compile("".join("." if sign == "?" else re.escape(sign) for row in rows for sign in row))
            for token, points in slices(ROOM, len(rows[0]), len(rows)).items():
                by_tokens |= {(*point, tuple(rows)) for point in points if pattern.fullmatch(token)}
        assert {
            (x, y, tuple(moved(reference, position)))
            for x, y, position in match(ROOM, reference, positions=QUARTER_TURNS)
        } == by_tokens
        assert by_tokens


def test_padding_is_automatic_and_what_is_under_it_does_not_matter() -> None:
    tall = ["##", ">#", ".#"]
    assert pad_to_square(tall) == [["##?", ">#?", ".#?"], ["?##", "?>#", "?.#"]], "both column offsets"
    assert len(pad_to_square(["##", ">#"], 4)) == 9
    source = np.random.default_rng(3)
    for _ in range(40):
        page = ["".join(source.choice(list("#.>"), 9)) for _ in range(9)]
        native = {(x, y) for x, y, _ in match(page, tall)}
        by_padding = {(x + at, y) for at, drawing in enumerate(pad_to_square(tall)) for x, y, _ in match(page, drawing)}
        assert by_padding == native, "together the paddings find what the pattern itself finds"
    corner = ["X##", "X>#", "X.#"]
    assert (
        match(corner, pad_to_square(tall)[1])
        == match([row.replace("X", "+") for row in corner], pad_to_square(tall)[1])
        == [Match(0, 0)]
    )
    with pytest.raises(BadInput, match="does not fit into 2x2"):
        pad_to_square(tall, 2)


def test_several_results() -> None:
    three = build_template(["."], ["#"], ["*"], ["+"], palette=OLD, weights=[2, 1, 0])
    assert [result.weight for result in three.results] == [2, 1, 0]
    seen = {theme(["."], ["."], ["#"], ["*"], ["+"], weights=[2, 1, 0], seed=seed)[0] for seed in range(60)}
    assert seen == {"#", "*"}
    with pytest.raises(BadInput, match="there are 2 results and 1 weights"):
        build_template(["."], ["#"], ["*"], palette=OLD, weights=[1])
    with pytest.raises(BadInput, match="at least one result"):
        build_template(["."], palette=OLD)


def test_themes_on_levels_and_on_text() -> None:
    level = room()
    themed = theme(level, PILLAR, PILLAR_RESULT, how="all", seed=1)
    assert str(themed).split("\n") == theme(ROOM, PILLAR, PILLAR_RESULT, how="all", seed=1)
    assert str(level) == "\n".join(ROOM), "the map given is as it was"
    outcomes = {"\n".join(theme(ROOM, PILLAR, PILLAR_RESULT, seed=seed)) for seed in range(20)}
    assert outcomes == {"\n".join(blit(ROOM, 2, y, "#")) for y in (2, 4)}
    full = theme(ROOM, PILLAR, PILLAR_RESULT, times=0)
    assert match(ROOM, PILLAR, positions=QUARTER_TURNS)
    assert match(full, PILLAR, positions=QUARTER_TURNS) == [], "until nothing fits"
    for wrong, problem in (
        ({"how": "some"}, "unknown way to apply a theme"),
        ({"times": -1}, "times is a whole number from 0"),
    ):
        with pytest.raises(BadInput, match=problem):
            theme(ROOM, PILLAR, PILLAR_RESULT, **wrong)


def test_things_come_by_the_same_means() -> None:
    """A reference and a result; the result holds a sign that stands for a thing."""
    rules = uc.Rules.parse("thing bat = b, on .\none  roost, turned\n    ##      ??\n    #.  ->  ?b\n", "roost.rules")
    begin = Level.parse("#####\n#...#\n#####")
    level = rules.apply(begin, seed=1)
    assert [(thing.kind, thing.x, thing.y) for thing in level.things] == [("bat", 1, 1), ("bat", 3, 1)]
    assert str(level) == str(begin)


def test_mirrors_that_look_the_same_count_once() -> None:
    ring = build_template(["###", "#.#", "###"], ["???", "?*?", "???"], palette=OLD, positions=ALL_POSITIONS)
    assert len(list_variants([ring], OLD)) == 1
    assert len(list_variants([ring], OLD, merge=False)) == 8


def test_sizes_must_agree() -> None:
    with pytest.raises(BadInput, match="the reference is 3x2, result 1 is 3x3"):
        build_template(["???", "?.?"], ["???", "?#?", "???"], palette=OLD)
    with pytest.raises(BadInput, match="row 2 of the drawing has 2 cells"):
        build_template(["???", "??"], ["???", "??"], palette=OLD)
    with pytest.raises(BadInput, match="unknown tile 'x'"):
        build_template(["x"], ["#"], palette=OLD)


def test_writing_stays_on_the_map() -> None:
    level = Level.parse("....\n....")
    assert str(uc.blit(level, 1, 0, ["#?", "?+"])) == ".#..\n..+."
    assert str(level) == "....\n....", "the level given is as it was"
    for x, y in ((3, 0), (0, 1), (-1, 0), (0, -1), (4, 4)):
        with pytest.raises(BadInput, match="reaches out of a map of 4x2"):
            uc.blit(level, x, y, ["##", "##"])
    assert [found[:2] for found in uc.match(Level.parse("X.X"), "X.")] == [(0, 0)], "an alias is its tile"


def test_matches_agree_with_the_engine() -> None:
    source = np.random.default_rng(9)
    for seed in range(40):
        tiles = source.integers(0, 3, (7, 9)).astype(np.uint8)
        high, wide = source.integers(1, 4, 2)
        rows = ["".join(source.choice(list("#.*?"), wide, p=[0.25, 0.25, 0.25, 0.25])) for _ in range(high)]
        level = Level(tiles, OLD)
        slow = {
            (x, y)
            for y in range(7 - high + 1)
            for x in range(9 - wide + 1)
            if all(rows[j][i] in ("?", str(level).split("\n")[y + j][x + i]) for j in range(high) for i in range(wide))
        }
        assert {(found.x, found.y) for found in match(level, rows, positions=AS_DRAWN)} == slow, seed


def test_sets_without_signs_and_positions_that_are_none() -> None:
    with pytest.raises(BadInput, match="the set 's' has no sign in it"):
        uc.match(["#."], ["s"], sets={"s": ""})
    for position in (-1, 8, 1.5):
        with pytest.raises(BadInput, match="a position is a whole number from 0 to 7"):
            uc.match(["#."], ["#"], positions=[position])  # type: ignore[list-item]
        with pytest.raises(BadInput, match="a position is a whole number from 0 to 7"):
            uc.theme(["#."], ["#"], ["."], positions=(position,))  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["one", "all", "careless"])
def test_a_theme_that_changes_nothing_more_is_done(how: str) -> None:
    assert uc.theme(["#..#"], ["#."], ["#."], how=how, times=0) == ["#..#"]
    assert uc.theme(["#..#"], ["??"], ["??"], how=how, times=0) == ["#..#"]
    assert uc.theme(["#..#"], ["s"], ["#"], how=how, times=0, sets={"s": "#."}) == ["####"]


def test_a_theme_without_end_names_what_limits_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "THEME_TURNS", limits.THEME_TURNS._replace(value=10))
    with pytest.raises(OutOfBudget) as caught:
        uc.theme(["#..#" * 20] * 20, ["?"], ["#"], ["."], how="all", times=0, seed=1)
    assert caught.value.fix == "give a number of turns: times=N"
