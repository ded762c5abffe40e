"""Contact sheets: cards side by side, none over another, with what was said about each."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from undercroft.bulk.search import search_sheet
from undercroft.core.level import Level
from undercroft.draw.scene.colour import blend, rgb
from undercroft.draw.scene.png_file import encode_png_file
from undercroft.draw.sheets import layout_parts, layout_sheet
from undercroft.draw.sheets.card_map import END, START, WAY, render_card_map
from undercroft.draw.sheets.contact_sheet import (
    PANEL,
    SHEET_MARGIN,
    Card,
    ColourKey,
    MeasureBar,
    build_bars,
    render_sheet,
)
from undercroft.draw.view.tint import distances_from_start
from undercroft.errors import BadInput, TooBig
from undercroft.templates.layouts import layout_files
from undercroft.templates.layouts.cell_origins import sign_parts
from undercroft.templates.layouts.drawn_text import parse
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.room_faults import RoomFault, SizeTable

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def plain(colour: tuple[int, int, int], width: int = 60, height: int = 40) -> Image.Image:
    return Image.new("RGB", (width, height), colour)


def box(image: Image.Image, colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """Where a colour lies: left, top, right, bottom."""
    ys, xs = np.nonzero((np.asarray(image) == colour).all(axis=2))
    return int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1


def test_pictures_are_shown_whole_and_side_by_side() -> None:
    image = render_sheet(
        [Card(plain(RED), "one"), Card(plain(GREEN, 80, 20), "two"), Card(plain(BLUE, 10, 70), "three")],
        "Three",
        columns=2,
    )
    red, green, blue = (box(image, colour) for colour in (RED, GREEN, BLUE))
    assert [(right - left, bottom - top) for left, top, right, bottom in (red, green, blue)] == [
        (60, 40),
        (80, 20),
        (10, 70),
    ]
    assert all(
        np.count_nonzero((np.asarray(image) == colour).all(axis=2)) == area
        for colour, area in ((RED, 2400), (GREEN, 1600), (BLUE, 700))
    )
    assert red[2] < green[0], "in one row"
    assert max(red[3], green[3]) < blue[1], "in the next row"
    assert (red[0] + red[2]) // 2 == (blue[0] + blue[2]) // 2, "in the same column"


def test_cards_do_not_touch() -> None:
    image = np.asarray(render_sheet([Card(None, str(number)) for number in range(6)], "Six", columns=3))
    row = (image[-SHEET_MARGIN - 4] == rgb(PANEL)).all(axis=1)
    edges = np.flatnonzero(np.diff(row.astype(int)))
    starts, ends = edges[::2], edges[1::2]
    assert len(starts) == 3
    assert all(after - before > 8 for before, after in zip(ends[:-1], starts[1:], strict=True))


def test_a_sheet_is_the_same_every_time() -> None:
    cards = [
        Card(plain(RED), "#1", "9 rooms", (MeasureBar("loops", "4", 0.5),)),
        Card(plain(BLUE), "#2", "7 rooms", (MeasureBar("loops", "1", 0.0),)),
    ]
    first, second = (
        encode_png_file(render_sheet(cards, "Seeds", "of a kind", "made so", keys=[ColourKey("#ff0000", "red")]))
        for _ in range(2)
    )
    assert first == second
    with Image.open(io.BytesIO(first)) as image:
        assert image.format == "PNG"


def test_what_is_said_needs_space_of_its_own() -> None:
    """Longer words make cards wider, further lines make the sheet higher."""
    short = render_sheet([Card(plain(RED), "one")], "T")
    assert (
        render_sheet([Card(plain(RED), "one", "and a note that is rather long, longer than any picture")], "T").width
        > short.width
    )
    assert render_sheet([Card(plain(RED), "one", bars=(MeasureBar("loops", "4", 1.0),))], "T").height > short.height
    assert render_sheet([Card(plain(RED), "one")], "T", "a subtitle").height > short.height
    assert render_sheet([Card(plain(RED), "one")], "T", footer="a footer").height > short.height
    assert render_sheet([Card(plain(RED), "one")], "T", keys=[ColourKey("#00ff00", "green")]).height > short.height
    assert (
        render_sheet([Card(plain(RED), "one")], "A title that is much longer than the only card below it").width
        > short.width
    )


def test_many_bars_stand_in_several_lines() -> None:
    few, many = (tuple(MeasureBar(f"measure {number}", "1000", 0.5) for number in range(count)) for count in (1, 5))
    assert (
        render_sheet([Card(plain(RED), "one", bars=many)], "T").height
        > render_sheet([Card(plain(RED), "one", bars=few)], "T").height
    )


def test_bars_grow_with_their_share_and_stay_inside() -> None:
    def length(share: float) -> int:
        image = np.asarray(render_sheet([Card(None, "", bars=(MeasureBar("", "", share),))], ""))
        warm = (image.max(axis=2).astype(int) - image.min(axis=2) > 60) & (image.max(axis=2) > 80)
        return int(warm.any(axis=0).sum())

    lengths = [length(share) for share in (0.0, 0.3, 0.6, 1.0)]
    assert all(before < after for before, after in pairwise(lengths))
    assert length(7.0) == lengths[-1]
    assert length(-1.0) == lengths[0]


def test_bars_are_measured_against_all() -> None:
    rows = build_bars([{"a": 1, "b": 5}, {"a": 3, "b": 5}, {"a": 2, "b": 5}])
    assert [[bar.share for bar in row] for row in rows] == [[0, 0], [1, 0], [0.5, 0]]
    assert build_bars([]) == []


def test_of_numbers_that_there_are_not_there_is_no_bar() -> None:
    rows = build_bars([{"a": None, "b": None}, {"a": 3, "b": None}, {"a": 2.5, "b": None}], {"a": "{:.1f}"})
    assert [[(bar.value, bar.share) for bar in row] for row in rows] == [
        [("none", 0), ("none", 0)],
        [("3.0", 1), ("none", 0)],
        [("2.5", 0), ("none", 0)],
    ]


def test_rows_are_about_equally_long() -> None:
    """Seven cards of which six would fit into a row stand in rows of four and three; five stand in one."""
    card = Card(plain(RED, 230, 100), "one")
    width, height = (render_sheet([card] * 2, "T", columns=1).size[side] for side in (0, 1))
    seven, six, five = (render_sheet([card] * count, "T").size for count in (7, 6, 5))
    assert seven[0] == five[0] - (width - 2 * SHEET_MARGIN) - 14, "four in a row"
    assert seven[1] == height
    assert six[1] == five[1] < height


def test_long_lines_go_on_in_the_next_and_nothing_is_lost() -> None:
    words = "undercroft search cave --seeds 0..99999 " + "--until 'loops >= 3' " * 12
    short, long = (render_sheet([Card(plain(RED), "one")], "T", footer=footer) for footer in ("a few words", words))
    assert long.width <= 480 + 2 * SHEET_MARGIN, "as wide as lines may be, however long the words are"
    assert long.height > short.height + 2 * 18
    assert render_sheet([Card(plain(RED), "one")], "T", words).height > short.height


def test_marked_cards_stand_out() -> None:
    marked = np.asarray(render_sheet([Card(plain(RED), "one", mark="#12ff34")], "T"))
    assert (marked == (0x12, 0xFF, 0x34)).all(axis=2).sum() > 100


def test_keys_show_their_colours() -> None:
    image = render_sheet([Card(None, "one")], "T", keys=[ColourKey("#12ff34", "this"), ColourKey("#ff1234", "that")])
    first, second = box(image, (0x12, 0xFF, 0x34)), box(image, (0xFF, 0x12, 0x34))
    assert first[1] == second[1]
    assert first[2] < second[0]
    many = render_sheet(
        [Card(None, "one")],
        "T",
        keys=[ColourKey("#12ff34", f"a key with many words, number {number}") for number in range(9)],
    )
    assert many.width < 400, "keys are put in lines below each other"


def test_no_cards_and_too_many() -> None:
    with pytest.raises(BadInput, match="without a card"):
        render_sheet([], "T")
    with pytest.raises(TooBig, match="the sheet"):
        render_sheet([Card(None, "x")] * 20_000, "T")


@pytest.mark.parametrize("words", ["", "ünï — × ✓", "x" * 200])
def test_any_words_can_be_written(words: str) -> None:
    assert (
        render_sheet(
            [Card(None, words, words, (MeasureBar(words, words, 0.5),))],
            words,
            words,
            words,
            keys=[ColourKey("#ffffff", words)],
        ).width
        > 100
    )


# Rooms in the colours of their parts.


HALL = """
layout  hall
scale   w = walls, right by 1, down by 1
scale   f = floor, right by 1, down by 1

    ####  |  wwww
    #..#  |  w^fw
    #..#  |  wffw
    ####  |  wwww
"""


def test_each_cell_has_the_colour_of_its_part() -> None:
    layout = parse(HALL, "hall.layout")
    hues = layout_parts.choose_colours(layout)
    image = np.asarray(layout_parts.render_room(layout.room((6, 5)), sign_parts(layout).room((6, 5)), hues, 16))
    middle = 4 + 8  # of the first cell: a quarter of a cell is around the room

    def at(x: int, y: int) -> tuple[int, ...]:
        return tuple(image[middle + 16 * y, middle + 16 * x].tolist())

    assert at(1, 1) == rgb(hues[-2])
    assert at(4, 1) == rgb(hues[1])
    assert at(2, 3) == rgb(hues[1])
    dark = blend(np.array(rgb(hues[0]), np.uint8), rgb(PANEL), layout_parts.ROCK_DARKENING)
    assert at(0, 0) == at(5, 4) == tuple(dark.tolist())


def test_faulty_cells_are_crossed_out() -> None:
    layout = parse(HALL, "hall.layout")
    room, own = layout.room((6, 5)), sign_parts(layout).room((6, 5))
    faulty = np.zeros(room.tiles.shape, bool)
    faulty[1, 1] = True
    before, after = (
        np.asarray(layout_parts.render_room(room, own, layout_parts.choose_colours(layout), 16, cells))
        for cells in (None, faulty)
    )
    ys, xs = np.nonzero((before != after).any(axis=2))
    assert 4 + 16 <= xs.min() <= xs.max() < 4 + 32
    assert 4 + 16 <= ys.min() <= ys.max() < 4 + 32


@pytest.mark.parametrize(
    ("colour", "shown"),
    [
        ("#f00", "#ff0000"),
        ("hsl(120, 100%, 50%)", "#00ff00"),
        ("gold", "#ffd700"),
        ("nonsense", layout_parts.PARTITION_COLOURS[0]),
    ],
)
def test_colours_of_editors_are_used(colour: str, shown: str) -> None:
    layout = parse(f'scale w = walls, right by 1\ncolour w = "{colour}"\n\n    #  |  w\n', "it.layout")
    assert layout_parts.choose_colours(layout)[0] == shown


def test_the_keys_tell_how_parts_scale() -> None:
    told = [key.text for key in layout_parts.list_colour_keys(parse(HALL, "hall.layout"))]
    assert told == ["walls: right by 1, down by 1", "floor: right by 1, down by 1", "overlay"]


def test_a_sheet_over_sizes_marks_faults() -> None:
    good = parse(HALL, "hall.layout")
    bad = parse(HALL.replace("walls, right by 1, down by 1", "walls, down by 1"), "bad.layout")
    marked = [
        (np.asarray(layout_sheet.render_size_sheet(layout)) == rgb(layout_parts.FAULT_COLOUR)).all(axis=2).sum()
        for layout in (good, bad)
    ]
    assert marked[0] == 0
    assert marked[1] > 500


def test_faulty_sizes_are_always_among_those_shown() -> None:
    """Of widths from 3 to 11 five are shown; a sixth if it is the first with a fault."""
    looked = SizeTable((3, 3), np.ones((9, 9), bool), ())
    assert layout_sheet._choose_sides(looked, 0) == [3, 5, 7, 9, 11]
    faulty = looked._replace(faults=(RoomFault("stray", (4, 6), 1, ""), RoomFault("stray", (10, 6), 1, "")))
    assert layout_sheet._choose_sides(faulty, 0) == [3, 4, 5, 7, 9, 11]
    assert layout_sheet._choose_sides(faulty, 1) == [3, 5, 6, 7, 9, 11]
    some = looked._replace(reached=np.outer(np.ones(9, bool), np.arange(9) % 4 == 0))
    assert layout_sheet._choose_sides(some, 0) == [3, 7, 11]


@pytest.mark.parametrize("name", layout_files.list_layouts())
def test_our_own_layouts_can_be_drawn(name: str) -> None:
    layout = Layout.load(layout_files.LAYOUTS_FOLDER / f"{name}.layout")
    assert layout_sheet.render_size_sheet(layout, [(30, 25)]).width > 200


def test_layouts_side_by_side() -> None:
    layouts = [Layout.load(layout_files.LAYOUTS_FOLDER / f"{name}.layout") for name in ("heart", "donut", "turret")]
    assert layout_sheet.render_comparison(layouts).height < layout_sheet.render_comparison(layouts, (20, 20)).height
    assert layout_sheet.render_comparison(layouts[:1], (5, 5)).width > 100, "none fits"


def test_huge_rooms_are_refused_before_they_are_drawn() -> None:
    donut = Layout.load(layout_files.LAYOUTS_FOLDER / "donut.layout")
    with pytest.raises(TooBig, match="of all rooms of the sheet"):
        layout_sheet.render_size_sheet(donut, [(4096, 4096)])
    with pytest.raises(TooBig, match="of all rooms of the sheet"):
        layout_sheet.render_comparison([donut] * 100, (300, 300))
    large = layout_sheet.render_comparison([donut], (300, 200))
    assert large.width > 900


# Levels on cards, and the sheet of a search.


def colour_at(image: Image.Image, level: Level, x: int, y: int) -> tuple[int, ...]:
    """The colour in the middle of a cell."""
    across, down = image.width / (level.width + 2), image.height / (level.height + 2)
    return tuple(np.asarray(image)[int((y + 1.5) * down), int((x + 1.5) * across)].tolist())


def hall(length: int) -> Level:
    """A straight cave with its start at the left end, and no way marked."""
    level = Level.parse(f"{'#' * (length + 2)}\n#{'.' * length}#\n{'#' * (length + 2)}")
    return Level(level.tiles, level.palette, start=(1, 1))


def test_all_cards_have_one_scale() -> None:
    """Cells as far from the start have the same colour, whatever else there is on their level."""
    short, long = hall(10), hall(40)
    farthest = max(int(distances_from_start(level).max()) for level in (short, long))
    assert farthest == 39
    one, other = (render_card_map(level, (800, 800), farthest) for level in (short, long))
    for x in (4, 6, 8, 10):
        assert colour_at(one, short, x, 1) == colour_at(other, long, x, 1)
    ends = [colour_at(one, short, 10, 1), colour_at(other, long, 40, 1)]
    assert sum(ends[0]) < sum(ends[1]), "the farther the lighter"
    alone = render_card_map(short, (800, 800), int(distances_from_start(short).max()))
    assert colour_at(alone, short, 10, 1) == ends[1], "alone on a sheet its own end is the lightest"


def test_a_card_shows_the_way_and_its_ends() -> None:
    level = uc.generate("tinykeep", seed=2)
    image = render_card_map(level, (400, 280), 100)
    pixels = np.asarray(image)
    assert image.width <= 400
    assert image.height <= 280
    assert max(image.width / 400, image.height / 280) > 0.99, "as large as it can be"
    for colour in (START, END, WAY):
        assert (pixels == rgb(colour)).all(axis=2).any(), colour
    assert tuple(pixels[0, 0].tolist()) == rgb(PANEL), "rock is the card itself"
    bare = np.asarray(render_card_map(Level(level.tiles, level.palette), (400, 280), 100))
    assert not (bare == rgb(START)).all(axis=2).any()


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (50, 1), (3, 2), (900, 700)])
@pytest.mark.parametrize("role", ["floor", "wall", "water", "pit"])
def test_any_level_has_a_card(size: tuple[int, int], role: str) -> None:
    tiles = np.full(size[::-1], uc.STANDARD.role(role), np.uint8)
    image = render_card_map(Level(tiles), (240, 168), 1)
    assert 1 <= image.width <= 240
    assert 1 <= image.height <= 168
    middle = tuple(np.asarray(image)[image.height // 2, image.width // 2].tolist())
    assert (middle == rgb(PANEL)) == (role == "wall")


def test_the_sheet_of_a_search_tells_all_it_needs() -> None:
    found = uc.search(
        "cave", range(50), until="loops >= 3", take=5, size=(30, 20), workers=1, measures=("dead_ends", "density")
    )
    list(found)
    told = search_sheet.describe_search(found)
    assert told.startswith("30 × 20 · loops >= 3 · ")
    assert "one scale for all" in told
    assert told.endswith("bars from the least to the greatest on this sheet: loops, dead (dead ends), open (density)")
    assert search_sheet._format_title(found) == "5 seeds of “cave”"
    with (
        Image.open(io.BytesIO(search_sheet.render_search_sheet(found, "undercroft search cave"))) as one,
        Image.open(io.BytesIO(search_sheet.render_search_sheet(found))) as other,
    ):
        assert one.height > other.height, "the command stands below"
        assert (np.asarray(one)[: other.height - SHEET_MARGIN] == np.asarray(other)[:-SHEET_MARGIN]).all()
    again = search_sheet.render_search_sheet(found, "undercroft search cave")
    assert again == search_sheet.render_search_sheet(found, "undercroft search cave")


def test_notes_of_cards() -> None:
    assert search_sheet._describe_level(uc.generate("tinykeep", seed=2), {}) == "21 rooms · path 86 · 17% open"
    assert search_sheet._describe_level(Level.parse("####\n#..#\n####"), {"fill": 0.5}) == "fill 0.5 · 17% open"
