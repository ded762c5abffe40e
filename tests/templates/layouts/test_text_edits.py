"""A layout that was changed by drawing: its text says so, and keeps what people wrote."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from support.layouts import random_layout
from undercroft.core.palette import STANDARD
from undercroft.templates.layouts import drawn_text, layout_files, write_text
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.partition import Axis, Partition
from undercroft.templates.layouts.text_edits import edit_text
from undercroft.templates.layouts.tile_array import Patch

HALL = """; a hall, drawn on a rainy day
layout  hall, tagged old   ; the name of it

slot    chest = c
socket  gate = G, opening  ; at the back
; walls go first
scale   w = walls, down by 1, right by 1
colour  w = gold
; and then the floor
scale   f = floor, right by 1, down by 1   ; all of it

    ####G#  |  wwwwww   ; the back
    #.c..#  |  wffffw
    #....#  |  wffffw
    ######  |  wwwwww   ; the front
"""


def hall() -> Layout:
    return drawn_text.parse(HALL, "hall.layout")


def changed(layout: Layout) -> list[tuple[str, str]]:
    """The lines that differ: before, and after."""
    text = edit_text(HALL, layout)
    assert drawn_text.parse(text, "hall.layout") == layout
    before, after = HALL.split("\n"), text.split("\n")
    assert len(before) == len(after)
    return [(old, new) for old, new in zip(before, after, strict=True) if old != new]


def test_nothing_changed_and_nothing_is_written() -> None:
    assert edit_text(HALL, hall()) == HALL


def test_a_tile_changes_its_row_and_no_other_line() -> None:
    assert changed(hall().with_tile(3, 2, STANDARD["pillar"], 1)) == [
        ("    #....#  |  wffffw", "    #..o.#  |  wffffw")
    ]


def test_a_comment_behind_a_row_stays_in_its_column() -> None:
    assert changed(hall().with_tile(0, 0, STANDARD["pillar"], -1)) == [
        ("    ####G#  |  wwwwww   ; the back", "    o###G#  |  =wwwww   ; the back")
    ]


def test_scaling_changes_the_line_of_its_partition() -> None:
    walls = replace(hall().partitions[0], x=Axis(amount=4, direction=0))
    old, new = "scale   w = walls, down by 1, right by 1", "scale   w = walls, left and right by 4, down by 1"
    assert changed(hall().with_partition(walls, 0)) == [(old, new)]


def test_a_new_name_keeps_the_sign() -> None:
    floor = replace(hall().partitions[1], name="ground")
    old, new = (
        "scale   f = floor, right by 1, down by 1   ; all of it",
        "scale   f = ground, right by 1, down by 1  ; all of it",
    )
    assert changed(hall().with_partition(floor, 1)) == [(old, new)]


def test_partitions_in_another_order_take_their_comments_and_colours_along() -> None:
    layout = replace(hall(), partitions=hall().partitions[::-1])
    text = edit_text(HALL, layout)
    assert drawn_text.parse(text, "hall.layout") == layout
    lines = text.split("\n")
    at = lines.index("; and then the floor")
    assert lines[at + 1].startswith("scale   f = floor")
    assert lines[at + 2 : at + 5] == [
        "; walls go first",
        "scale   w = walls, down by 1, right by 1",
        "colour  w = gold",
    ]
    assert "    #.c..#  |  wffffw" in lines


def test_a_partition_that_goes_takes_its_lines_along_and_a_new_one_gets_some() -> None:
    floor = hall().partitions[1]
    layout = replace(hall(), base=floor.tiles, partitions=hall().partitions[:1])
    text = edit_text(HALL, layout)
    assert drawn_text.parse(text, "hall.layout") == layout
    assert "floor" not in text
    assert "; walls go first" in text
    more = layout.with_partition(Partition(name="water", colour="blue", lock_ratio=False))
    assert edit_text(text, more).split("\n")[8:11] == [
        "scale   a = water, right by 1, down by 1",
        "colour  a = blue",
        "",
    ]


def test_slots_and_sockets_keep_their_signs() -> None:
    layout = hall()
    renamed = replace(
        layout, marks=tuple(mark._replace(kind="coffin") if mark.kind == "chest" else mark for mark in layout.marks)
    )
    assert changed(renamed) == [("slot    chest = c", "slot    coffin = c")]
    text = edit_text(HALL, layout.with_tile(2, 1, STANDARD["floor"], 1))
    assert "chest" not in text
    further = drawn_text.parse(HALL.replace("#.c", "#kc").replace("slot ", "slot chair = k\nslot ", 1), "hall.layout")
    lines = edit_text(HALL, further).split("\n")
    assert lines[5] == "slot    chair = h"
    assert "    #hc..#  |  wffffw" in lines


def test_the_drawing_grows_and_shrinks() -> None:
    layout = hall().with_tile(0, 4, STANDARD["wall"]).with_tile(6, 0, STANDARD["wall"])
    lines = edit_text(HALL, layout).split("\n")
    assert lines[-3:-1] == ["    ######   |  wwwwww  ; the front", "    #        |  ="]
    small = drawn_text.parse(edit_text(HALL, hall().with_part(0, Patch.of([(0, 0, 1)]))), "hall.layout")
    assert small.smallest == (5, 3)


def test_a_drawing_without_partitions_stays_one_sided_until_it_has_some() -> None:
    plain = "    ###\n    #.#\n"
    layout = drawn_text.parse(plain, "a.layout")
    assert edit_text(plain, layout.with_tile(1, 1, STANDARD["pillar"])) == "    ###\n    #o#\n"
    assert "|" in edit_text(plain, layout.with_tile(1, 1, STANDARD["pillar"], -2))


def test_lines_end_as_they_did() -> None:
    text = HALL.replace("\n", "\r\n")
    found = edit_text(text, hall().with_tags("new"))
    assert found.count("\r\n") == found.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", ["", "scal w = walls", "layout x"])
def test_a_text_that_is_no_layout_is_written_anew(text: str) -> None:
    assert edit_text(text, hall()) == write_text.format_layout(hall())


@pytest.mark.parametrize("name", layout_files.list_layouts())
def test_any_layout_in_the_text_of_any_other(name: str) -> None:
    text, file = layout_files.load_layout_text(name)
    for seed in range(4):
        layout = replace(random_layout(random.Random(seed)), palette=STANDARD, name="any")
        assert drawn_text.parse(edit_text(text, layout), file) == layout
    for other in layout_files.list_layouts()[::5]:
        layout = layout_files.load(other)
        assert drawn_text.parse(edit_text(text, layout), file) == layout


@pytest.mark.parametrize("name", layout_files.list_layouts())
def test_comments_outlive_any_stroke(name: str) -> None:
    text, file = layout_files.load_layout_text(name)
    comments = [line for line in text.split("\n") if line.startswith(";")]
    layout, chance = drawn_text.parse(text, file), random.Random(name)
    for _ in range(12):
        x, y = chance.randrange(-1, 12), chance.randrange(-1, 12)
        layout = layout.with_tile(x, y, chance.randrange(1, 13), chance.randrange(-2, len(layout.partitions)))
        text = edit_text(text, layout)
        assert drawn_text.parse(text, file) == layout
        assert [line for line in text.split("\n") if line.startswith(";")] == comments
