"""Pictures and terminal text, read back with programs that we did not write: Pillow for pixels, pyte for a terminal."""

from __future__ import annotations

import io
import re

import numpy as np
import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from PIL import Image

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.pen import box_drawing, contour
from undercroft.draw.scene.colour import colour_ramp, rgb
from undercroft.draw.styles.dark import dark
from undercroft.draw.styles.table import render_picture
from undercroft.draw.terminal import render_coloured, render_monochrome
from undercroft.draw.view import canvas_marks
from undercroft.draw.view.canvas import Canvas, fit_cell_pixels
from undercroft.draw.view.room_numbers import place_numbers
from undercroft.draw.view.tint import compute_tint
from undercroft.errors import BadInput
from undercroft.formats import dump

MASKS = arrays.arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9)))

HALL = """
    #############
    #1111#222222#
    #1111+222222#
    #1111#222222#
    #1111#222222#
    #############
"""


def walked(picture: str, start: tuple[int, int], end: tuple[int, int]) -> Level:
    """A drawn level with a start, an end and a shortest way between them."""
    draft = Draft.of(Level.parse(picture))
    draft.start, draft.end = start, end
    draft.path = reach.DistanceField(draft.palette.walkable[draft.tiles], [start]).path_to(*end)
    return draft.level()


def same(colour: tuple[int, ...] | NDArray[np.uint8], wanted: str, slack: int = 60) -> bool:
    return sum(abs(int(one) - other) for one, other in zip(colour, rgb(wanted), strict=True)) <= slack


class Pixels:
    """A level's PNG as Pillow reads it, asked by cells."""

    def __init__(self, level: Level, cell: int = 16) -> None:
        self.cell = cell
        with Image.open(io.BytesIO(dump(level, "png", cell=cell, hide=["title", "legend", "measures"]))) as image:
            self.format = image.format
            self.grid = np.array(image.convert("RGB"))
        self.margin = (self.grid.shape[1] - level.width * cell) // 2

    def at(self, x: float, y: float) -> NDArray[np.uint8]:
        """The pixel at a point in cells."""
        colour: NDArray[np.uint8] = self.grid[int(self.margin + y * self.cell), int(self.margin + x * self.cell)]
        return colour

    def around(self, x: int, y: int, wanted: str) -> int:
        """How many pixels of a cell and its surroundings have about that colour."""
        top, left = self.margin + (y - 1) * self.cell, self.margin + (x - 1) * self.cell
        part = self.grid[top : top + 3 * self.cell, left : left + 3 * self.cell].astype(int)
        return int((np.abs(part - rgb(wanted)).sum(axis=2) < 60).sum())


def test_a_png_shows_wall_floor_door_path_and_ends_apart() -> None:
    pixels = Pixels(walked(HALL, (2, 2), (10, 2)))
    assert pixels.format == "PNG"
    assert same(pixels.at(-1, -1), dark.PAGE), "rock far from rooms is the ground's colour"
    assert same(pixels.at(5.5, 4.5), dark.WALL, 120)
    assert not same(pixels.at(1.5, 4.5), dark.WALL, 120)
    assert same(pixels.at(5.5, 2.2), dark.DOOR_COLOURS["closed"]), (
        "the bar of the door stands upright across the passage"
    )
    assert not same(pixels.at(5.1, 2.2), dark.DOOR_COLOURS["closed"]), "and it is narrower than its cell"
    assert same(pixels.at(4.5, 2.5), dark.WAY), "the path runs through the middle of cells"
    assert pixels.around(2, 2, dark.START) > 20
    assert pixels.around(10, 2, dark.END) > 20
    assert pixels.around(2, 2, dark.END) == 0
    assert pixels.around(10, 2, dark.START) == 0


def test_ground_grows_lighter_with_the_steps_from_the_start() -> None:
    level = walked("#" * 40 + "\n#" + "." * 38 + "#\n" + "#" * 40, (1, 1), (1, 1))
    pixels = Pixels(level)
    light = [int(pixels.at(x + 0.2, 1.8).astype(int).sum()) for x in (6, 16, 26, 36)]
    assert light == sorted(set(light))


def test_the_ramp_grows_evenly_lighter() -> None:
    grey = colour_ramp() @ np.array([0.2126, 0.7152, 0.0722])
    assert (np.diff(grey) > -0.75).all()
    assert grey[-1] - grey[0] > 120


def test_a_door_in_a_wall_below_lies_flat() -> None:
    pixels = Pixels(Level.parse("#####\n#...#\n##+##\n#...#\n#####"))
    assert same(pixels.at(2.2, 2.5), dark.DOOR_COLOURS["closed"])
    assert not same(pixels.at(2.5, 2.1), dark.DOOR_COLOURS["closed"])


def test_locked_secret_and_open_doors_differ() -> None:
    level = Level.parse("#########\n#.L.S.'.#\n#########")
    pixels = Pixels(level, 24)
    locked, secret, opening = pixels.at(2.5, 1.2), pixels.at(4.5, 1.2), pixels.at(6.5, 1.5)
    assert same(locked, dark.DOOR_COLOURS["locked"])
    assert same(secret, dark.DOOR_COLOURS["secret"])
    assert not same(opening, dark.DOOR_COLOURS["closed"])
    assert same(pixels.at(6.5, 1.1), dark.DOOR_COLOURS["closed"])


def test_water_pits_pillars_and_things_are_seen() -> None:
    draft = Draft.of(
        Level.parse("###########\n#.........#\n#.~~~.:::.#\n#.~~~.:::.#\n#.~~~.:::.#\n#....o....#\n###########")
    )
    draft.things = [Thing("chest", 8, 5)]
    pixels = Pixels(draft.level(), 24)
    assert same(pixels.at(3.5, 3.5), dark.WATER, 90)
    assert same(pixels.at(7.5, 3.5), dark.PIT)
    assert same(pixels.at(5.35, 5.35), dark.WALL, 90)
    without = Pixels(Draft.of(Level(draft.level().tiles)).level(), 24)
    assert (pixels.grid != without.grid).any(axis=2).sum() > 30
    ys, xs = np.nonzero((pixels.grid != without.grid).any(axis=2))
    assert (xs.min() // 24, ys.min() // 24) == ((36 + 8 * 24) // 24, (36 + 5 * 24) // 24), "the chest, and nothing else"


@pytest.mark.parametrize("picture_of", [".", "#", "X", "....", ".\n.\n.", "#.#\n###", "+", "~", "<>"])
@pytest.mark.parametrize("cell", [None, 1, 4, 5, 30])
def test_tiny_levels_can_be_drawn(picture_of: str, cell: int | None) -> None:
    level = Level.parse(picture_of)
    used = fit_cell_pixels(level.width, level.height, cell)
    assert render_picture(level, cell=cell, margin=0).size == (level.width * used, level.height * used)
    whole = render_picture(level, cell=cell)
    assert whole.width >= level.width * used
    assert whole.height >= level.height * used


def test_a_single_open_cell_is_seen_and_so_is_a_single_rock() -> None:
    assert not same(Pixels(Level.parse(".")).at(0.5, 0.5), dark.PAGE, 90)
    around = Level.parse(
        "\n".join(["#" * 9, *["#" + "." * 7 + "#"] * 3, "#...#...#", *["#" + "." * 7 + "#"] * 3, "#" * 9])
    )
    pixels = Pixels(around)
    assert same(pixels.at(4.5, 4.5), dark.WALL, 90)
    assert not same(pixels.at(3.5, 4.5), dark.WALL, 90)


def test_a_long_thin_level_and_a_large_one_stay_within_bounds() -> None:
    assert max(render_picture(Level(np.full((3, 200), 2, np.uint8)), hide=["title", "legend", "measures"]).size) <= 1600
    assert max(render_picture(Level(np.full((700, 700), 2, np.uint8))).size) <= 16_384
    assert fit_cell_pixels(4096, 4096, None) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"style": "drak"}, "did you mean 'dark'"),
        ({"style": "oils"}, "unknown style 'oils'"),
        ({"cell": 0}, "whole number of pixels"),
        ({"cell": -3}, "whole number of pixels"),
        ({"cell": 2.5}, "whole number of pixels"),
        ({"cell": 9000}, "16,384"),
    ],
)
def test_mistakes_in_the_options(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        dump(Level.parse("..\n.."), "png", **options)
    assert sentence in str(caught.value)


def test_a_level_too_long_for_any_picture_is_refused_before_it_is_drawn() -> None:
    with pytest.raises(BadInput, match="16,384"):
        render_picture(Level(np.full((1, 20_000), 2, np.uint8)))


def test_pictures_are_the_same_every_time() -> None:
    assert dump(walked(HALL, (2, 2), (10, 2)), "png") == dump(walked(HALL, (2, 2), (10, 2)), "png")


def test_a_png_carries_where_it_came_from() -> None:
    level = Level(np.full((2, 2), 2, np.uint8), provenance={"seed": "7"})
    with Image.open(io.BytesIO(dump(level, "png"))) as image:
        assert image.info["undercroft"] == '{"seed":"7"}'


@given(MASKS)
def test_outlines_enclose_exactly_the_cells(mask: NDArray[np.bool_]) -> None:
    loops = contour.trace_outlines(mask)
    area = 0.0
    for loop in loops:
        x, y = loop.points[:, 0], loop.points[:, 1]
        signed = float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
        assert loop.hole == (signed < 0)
        area += signed
    assert area == mask.sum()
    rock, holes = reach.label_components(
        np.ascontiguousarray(np.pad(~mask, 1, constant_values=True)).astype(np.uint8), eight=True
    )
    assert rock[0, 0] == 1
    assert sum(loop.hole for loop in loops) == holes - 1, "one hole for each rock that the border does not touch"
    assert sum(not loop.hole for loop in loops) == reach.label_components(mask.astype(np.uint8))[1]


@given(MASKS, st.data())
def test_rounding_never_loses_the_middle_of_a_cell(mask: NDArray[np.bool_], data: st.DataObject) -> None:
    soft = data.draw(arrays.arrays(bool, mask.shape))
    for kind in (None, soft, np.ones_like(mask)):
        canvas = Canvas(mask.shape[1], mask.shape[0], 12, "#000000")
        filled = np.array(canvas.area_mask(contour.trace_outlines(mask, kind)))
        middles = filled[canvas.margin + 6 :: 12, canvas.margin + 6 :: 12][: mask.shape[0], : mask.shape[1]] > 127
        assert np.array_equal(middles, mask)


@given(st.lists(st.sampled_from([(0, 1), (1, 0), (0, -1), (-1, 0)]), min_size=1, max_size=40))
def test_the_drawn_way_stays_in_its_cells(steps: list[tuple[int, int]]) -> None:
    cells = np.cumsum([(50, 50), *steps], axis=0)
    line = canvas_marks.smoothed(cells + 0.5)
    assert np.array_equal(line[[0, -1]], cells[[0, -1]] + 0.5)
    walked_on = set(map(tuple, cells.tolist()))
    assert {(int(x), int(y)) for x, y in line.tolist()} <= walked_on


def test_numbers_stand_in_their_rooms_and_off_the_path() -> None:
    level = walked("#########\n#111#222#\n#111+222#\n#111#222#\n#########", (1, 2), (7, 2))
    found = place_numbers(level)
    assert [spot.number for spot in found] == [1, 2]
    on_path = set(map(tuple, level.path.tolist()))
    for spot in found:
        cell = int(spot.x), int(spot.y)
        assert level.regions.labels[cell[1], cell[0]] == spot.number
        assert cell not in on_path


def test_a_room_has_one_tint_and_what_cannot_be_reached_has_none() -> None:
    shade = compute_tint(walked(HALL + "    #.#\n", (2, 2), (10, 2)))
    assert len(np.unique(shade[1:5, 1:5])) == 1
    assert shade[1, 1] < shade[1, 7]
    assert shade[6, 1] == -1
    assert shade[0, 0] == -1


def test_without_a_start_every_part_has_a_tint() -> None:
    level = Level.parse("#..#..#")
    assert np.array_equal(compute_tint(level) >= 0, level.walkable)


BOXES = [
    ("####\n#..#\n####", "┌──┐\n│··│\n└──┘"),
    ("######\n#.##.#\n######", "┌─┐┌─┐\n│·││·│\n└─┘└─┘"),  # a thick wall is two lines
    ("#####\n#.#.#\n#####", "┌─┬─┐\n│·│·│\n└─┴─┘"),  # a thin one is one
    ("#####\n#.+.#\n#####", "┌─┬─┐\n│·+·│\n└─┴─┘"),
    ("###\n###\n###", "   \n   \n   "),  # rock that touches nothing is blank
    (".....\n..#..\n.....", "·····\n··▪··\n·····"),
    ("...\n.#.\n###\n.#.", "···\n·│·\n─┼─\n·│·"),
    ("<.>", "S·E"),
    ("X.X", " · "),
]


@pytest.mark.parametrize(("drawn", "boxed"), BOXES)
def test_walls_as_lines(drawn: str, boxed: str) -> None:
    tiles = Level.parse(drawn)
    assert render_monochrome(tiles) == boxed
    assert dump(tiles, "text:box").decode() == boxed + "\n"


@given(MASKS)
def test_lines_meet_lines(mask: NDArray[np.bool_]) -> None:
    """An arm to a wall is answered by that wall's arm; a blank wall touches nothing open."""
    level = Level(np.where(mask, 2, 1).astype(np.uint8))
    shown = ~mask & box_drawing.dilated(mask)
    arms = box_drawing.wall_arms(shown, mask, np.zeros_like(mask))
    assert np.array_equal((arms[:, :-1] & box_drawing.EAST) > 0, (arms[:, 1:] & box_drawing.WEST) > 0)
    assert np.array_equal((arms[:-1] & box_drawing.SOUTH) > 0, (arms[1:] & box_drawing.NORTH) > 0)
    assert np.array_equal(box_drawing.render_characters(level) == " ", ~mask & ~shown)


def screen(level: Level, text: str) -> pyte.Screen:
    shown = pyte.Screen(max(level.width, 1) + 2, level.height)
    pyte.Stream(shown).feed(text.replace("\n", "\r\n"))
    return shown


def test_a_terminal_shows_the_level_in_colour() -> None:
    level = walked(HALL, (2, 2), (10, 2))
    shown = screen(level, render_coloured(level))
    cells = shown.buffer
    assert (cells[2][2].data, cells[2][2].bg) == ("S", "3cf0a6")
    assert (cells[2][10].data, cells[2][10].bg) == ("E", "ff5470")
    assert "".join(cells[2][x].data for x in range(13)) == "│·S━━+━━━━E·│"
    assert {cells[2][x].fg for x in (3, 4, 6, 9)} == {"ffffff"}
    assert cells[0][0].bg == "0d0f16"
    assert cells[1][1].bg == cells[4][4].bg != cells[1][7].bg
    assert cells[0][13].bg == "default", "colours end with the line"


def test_wide_levels_are_cut_to_the_terminal() -> None:
    level = Level.parse("." * 100 + "\n" + "#" * 100)
    assert [len(line) for line in render_monochrome(level, width=30).split("\n")] == [30, 30]
    assert render_monochrome(level, width=30).startswith("·" * 29 + "…")
    shown = screen(level, render_coloured(level, width=30))
    assert shown.display[0].rstrip() == "·" * 29 + "…"
    assert render_monochrome(level, width=100).count("…") == 0


def test_terminal_text_without_colour_has_no_codes() -> None:
    assert "\x1b" not in render_monochrome(walked(HALL, (2, 2), (10, 2)))


def test_terminals_show_things_and_stairs() -> None:
    things = [
        Thing("rat", 1, 1, {"group": "monster"}),
        Thing("chest", 2, 1),
        Thing("stairs", 3, 1, {"way": "level"}),
        Thing("lock", 4, 1),
    ]
    level = Level(Level.parse("######\n#...+.\n#<.>>#\n######").tiles, things=things)
    drawn = render_monochrome(level)
    assert drawn.splitlines()[1] == "│Rc=+·"
    assert drawn.splitlines()[2].count(">") == 2
    plain = re.sub("\x1b\\[[0-9;]*m", "", render_coloured(level))
    assert plain.splitlines()[1] == "│Rc=+·"


def test_plain_pictures_show_kinds() -> None:
    drawn = Level.parse("#####\n#...#\n#####")

    def picture(kind: str, cell: int) -> bytes:
        level = Level(drawn.tiles, things=[Thing(kind, 2, 1)])
        return render_picture(level, "plain", cell=cell).tobytes()

    assert picture("chest", 16) != picture("barrel", 16)
    assert picture("chest", 6) == picture("barrel", 6)
