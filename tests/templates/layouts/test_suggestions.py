"""Changes that allow a size: each does what it says, and none smaller would."""

from __future__ import annotations

import random

from support.layouts import random_layout
from support.maps import each
from undercroft.templates.layouts import layout_files, room_faults
from undercroft.templates.layouts.drawn_text import parse
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.suggestions import SERIOUS_FAULTS, suggest_changes

HALL = """
scale  a = leg walls, up by 1
scale  b = leg floor, up by 1
scale  c = foot walls, right by 3
scale  d = foot floor, right by 3

    #####      |  aaaaa
    #...#      |  abbba
    #...#      |  abbba
    #...#####  |  =====cccc
    #.o.....#  |  ==^==dddc
    #.......#  |  =====dddc
    #.o.....#  |  ==^==dddc
    #########  |  =====cccc
"""


def hall() -> Layout:
    return parse(HALL, "hall.layout")


def list_suggestions(
    layout: Layout, size: tuple[int, int], leniency: tuple[int, int] = (0, 0), overgrow: bool = False
) -> list[tuple[str, str, tuple[int, int]]]:
    return [(way.label, way.about, way.made) for way in suggest_changes(layout, size, leniency, overgrow)]


def test_a_size_that_is_there_needs_no_change() -> None:
    assert suggest_changes(hall(), (12, 9)) == []
    assert suggest_changes(hall(), (11, 9), (2, 0)) == []


def test_another_amount_more_leniency_or_overgrow() -> None:
    assert list_suggestions(hall(), (11, 11)) == [
        ("Grow by 2", "'foot walls' and 'foot floor' across, not by 3", (11, 11)),
        ("Leniency 2", "up to 2 narrower", (9, 11)),
        ("Overgrow", "with leniency 1, up to 1 wider", (12, 11)),
    ]


def test_leniency_that_is_there_counts() -> None:
    assert [way.leniency for way in suggest_changes(hall(), (11, 11), (1, 1)) if way.kind == "leniency"] == [(2, 1)]
    assert list_suggestions(hall(), (11, 11), (1, 1))[-1] == ("Overgrow", "up to 1 wider, up to 1 lower", (12, 10))


def test_a_room_smaller_than_the_drawing_can_only_overgrow() -> None:
    assert {way.kind for way in suggest_changes(hall(), (8, 8))} == {"overgrow"}


def test_what_doubles_may_grow_by_an_amount() -> None:
    doubling = parse("scale f = floor, right doubling\n\n    ..  |  ff", "a.layout")
    assert list_suggestions(doubling, (5, 1))[0] == ("Grow by 1", "'floor' across, not doubling", (5, 1))


def test_a_locked_axis_is_unlocked_for_as_many_as_it_takes() -> None:
    flat = parse(
        "scale w = walls, right by 1\nscale f = floor, right by 1\n\n    ###  |  www\n    #.#  |  wfw\n    ###  |  www",
        "a.layout",
    )
    way = suggest_changes(flat, (3, 5))[0]
    assert (way.kind, way.label, way.about) == ("unlock", "Unlock down", "'walls' and 'floor' by 1")
    assert str(way.layout.room((3, 5))) == "###\n#.#\n#.#\n#.#\n###"


def test_a_locked_ratio_is_unlocked() -> None:
    square = parse("scale f = floor, ratio, right by 1, down by 1\n\n    .  |  f", "a.layout")
    assert list_suggestions(square, (5, 3))[0] == ("Unlock the ratio", "of 'floor'", (5, 3))


def test_both_sides_at_once() -> None:
    tile = parse("scale f = floor, right by 4, down by 4\n\n    .  |  f", "a.layout")
    label, about, made = list_suggestions(tile, (3, 4))[0]
    assert (label, about, made) == ("Grow by 2, grow by 3", "'floor' across, not by 4; 'floor' down, not by 4", (3, 4))


@each("seed", 60)
def test_every_way_leads_there(seed: int) -> None:
    chance = random.Random(seed)
    layout = random_layout(chance) if seed % 2 else layout_files.load(chance.choice(layout_files.list_layouts()))
    for _ in range(6):
        size = max(1, layout.smallest[0] + chance.randint(-1, 6)), max(1, layout.smallest[1] + chance.randint(-1, 6))
        leniency, overgrow = (chance.randint(0, 2), chance.randint(0, 2)), chance.random() < 0.3
        fits = layout.fits(size, leniency=leniency, overgrow=overgrow)
        found = suggest_changes(layout, size, leniency, overgrow)
        assert isinstance(fits, str) or not found
        for way in found:
            assert way.layout.fits(size, leniency=way.leniency, overgrow=way.overgrow) == way.made
            assert (way.layout == layout) == (way.kind in ("leniency", "overgrow"))
        for way in found:
            if way.kind in ("leniency", "overgrow"):
                least = sum(way.leniency)
                less = [
                    (x, y)
                    for x in range(leniency[0], least + 1)
                    for y in range(leniency[1], least + 1)
                    if x + y < least
                ]
                assert all(isinstance(layout.fits(size, leniency=pair, overgrow=way.overgrow), str) for pair in less)


def test_sound_rooms_come_before_unsound_ones() -> None:
    # Unlocking the walls alone would reach the size, and leave the floor behind.
    layout = parse(
        "scale w = walls, right by 1\nscale f = floor, right by 1, locked down by 2\n\n    ###  |  www\n"
        "    #.#  |  wfw\n    ###  |  www",
        "a.layout",
    )
    way = suggest_changes(layout, (5, 6))[0]
    assert not [
        kind for kind, _ in room_faults.find_faults(way.layout.room(way.made), way.layout) if kind in SERIOUS_FAULTS
    ]
