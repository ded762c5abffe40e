"""What lint says of layouts: every kind of fault on a drawn case and on one that is none, and nothing about our own."""

from __future__ import annotations

import random

import numpy as np
import pytest

from support.layouts import random_layout
from support.maps import each
from undercroft.templates.layouts import layout_files, lint_layout, lint_subject, room_faults, sizes
from undercroft.templates.layouts.cell_origins import read_part_numbers, sign_parts
from undercroft.templates.layouts.drawn_text import parse
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.lint_layout import CHECKS
from undercroft.templates.layouts.lint_subject import LayoutRemark, LayoutSubject
from undercroft.templates.layouts.places import find_places
from undercroft.templates.layouts.room_faults import FAULTS
from undercroft.templates.template import OUTSIDE

BOTH = "right by 1, down by 1"
HUT = f"""
scale  w = walls, {BOTH}
scale  f = floor, {BOTH}

    ###  |  www
    #.#  |  wfw
    ###  |  www
"""

NOTCH = f"""
scale  w = walls, {BOTH}
scale  f = floor, {BOTH}

    #####   |  wwwww
    #...##  |  wfffw=
    #...##  |  wfffww
    #....#  |  wffffw
    #....#  |  wffffw
    ######  |  wwwwww
"""
"""An L whose base has a wall in the notch, which nothing covers as long as the room is as narrow as it is drawn."""


def look(text: str) -> list[LayoutRemark]:
    return lint_layout.find_layout_remarks(LayoutSubject(parse(text, "it.layout")))


def kinds(text: str, *, notes: bool = True) -> list[str]:
    """The kinds of the remarks, without that about the sizes."""
    return [remark.kind for remark in look(text) if remark.kind != "sizes" and (notes or remark.severity != "note")]


def only(text: str, kind: str) -> LayoutRemark:
    [found] = [remark for remark in look(text) if remark.kind == kind]
    return found


def test_a_good_layout_has_no_faults() -> None:
    assert kinds(HUT) == []
    assert only(HUT, "sizes").problem == "width any from 3 on, height any from 3 on"
    assert only(HUT, "sizes").picture == ""


def test_the_wall_that_an_l_leaves_in_its_notch_is_told() -> None:
    found = only(NOTCH, "stray")
    assert found.severity == "warning"
    assert found.problem == "a wall bounds no floor, at 9 of 81 sizes, first at 6x6"
    assert found.picture.replace("    ", "", 1).split("\n    ") == [
        "#####",
        "#...#X",
        "#...##",
        "#....#",
        "#....#",
        "######",
    ]
    assert found.fix
    table = only(NOTCH, "sizes").picture.split("\n")
    assert table[1].split() == ["height", "6", "?", *"........"]
    assert kinds(NOTCH) == ["stray"]


def test_our_own_l_is_clean_at_its_smallest() -> None:
    ours = Layout.load(layout_files.LAYOUTS_FOLDER / "L.layout")
    assert list(room_faults.find_faults(ours.room(ours.smallest), ours)) == []
    assert ours.fits((6, 6)) == "it is never narrower than 8"


FAULTY = {
    "open": HUT.replace("    ###  |  www\n    #.#", "    #.#\n    #.#", 1).replace("    #.#\n", "    #.#  |  wfw\n", 1),
    "parts": f"scale w = walls, {BOTH}\n\n    #####  |  wwwww\n    #.#.#  |  w=w=w\n    #####  |  wwwww\n",
    "empty": "    ###\n    ###\n    ###\n",
    "stray": NOTCH,
    "socket": (
        f"scale w = walls, {BOTH}\nscale f = floor, {BOTH}\nscale d = door, down by 1\n\n    ####  |  wwww\n"
        "    #..+  |  wff=\n    ####  |  wwww\n"
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_every_fault_is_found(kind: str) -> None:
    found = only(FAULTY[kind], kind)
    assert found.severity == ("error" if kind in ("open", "parts", "empty") else "warning")
    assert "X" in found.picture
    assert found.fix


def test_a_floor_at_a_corner_of_nothing_is_open() -> None:
    assert "open" in kinds("     ##\n    #.#\n    ###\n")


def test_a_socket_that_is_covered_at_some_sizes_only() -> None:
    found = only(FAULTY["socket"], "socket")
    assert found.problem == "a socket leads nowhere at this size, at 72 of 81 sizes, first at 5x3"


def test_thick_walls_are_not_stray() -> None:
    assert (
        kinds(
            "scale a = all, right doubling, down doubling\n\n    ####  |  aaaa\n    #..#  |  aaaa\n    ####  |  aaaa\n"
        )
        == []
    )
    assert "stray" in kinds("    ####\n    #..#\n    ####\n       #\n       #\n"), "a spur is"


SETTINGS = {
    "floor stays": HUT.replace(f"floor, {BOTH}", "floor, right by 1"),
    "empty partition": HUT.replace("\n\n", "\nscale x = nothing, right by 1\n\n", 1),
    "odd centre": "scale a = all, left and right doubling\n\n    ###  |  aaa\n    #.#  |  aaa\n    ###  |  aaa\n",
    "covered": "scale x = hidden\nscale f = floor, right by 1\nscale w = wall, right by 1\n\n    #.o#  |  wfxw\n",
    "still": f"scale w = walls, {BOTH}\nscale f = floor, {BOTH}\nscale x = pillar\n\n"
    "    ####  |  wwww\n    #o.#  |  wxfw\n    #..#  |  wffw\n    ####  |  wwww\n",
    "unseen growth": (
        "scale w = wall, right by 1\nscale g = under, right by 1\nscale f = floor, right by 1\n\n    #..#  |  wgfw\n"
    ),
    "flips": f"layout hut, flips left and right\n{HUT.strip()}\n",
    "slots": (
        f"slot chest = c\nscale w = walls, {BOTH}\nscale f = floor, {BOTH}\n\n    ###  |  www\n    #c#  |  wfw\n"
        "    ###  |  www\n"
    ),
    "ways round": (
        f"scale w = walls, {BOTH}\nscale f = floor, {BOTH}\n"
        "scale b = blocks, right by 2\nscale g = gap, right by 1\n\n"
        "    #######  |  wwwwwww\n    #.....#  |  wfffffw\n    #.#...#  |  wfbgffw\n"
        "    #.....#  |  wfffffw\n    #######  |  wwwwwww\n"
    ),
}


@pytest.mark.parametrize("kind", SETTINGS)
def test_every_pointless_setting_is_found(kind: str) -> None:
    found = [remark for remark in look(SETTINGS[kind]) if remark.kind == kind]
    assert found, [(remark.kind, remark.problem) for remark in look(SETTINGS[kind])]


def test_all_checks_are_tried_here() -> None:
    told = {remark.kind for text in (*FAULTY.values(), *SETTINGS.values()) for remark in look(text)}
    assert told == {*FAULTS, *SETTINGS, "sizes"}
    assert len(CHECKS) == 10


def test_what_has_an_effect_is_left_alone() -> None:
    """A partition that stays, but under a later one and over an earlier one; growth that shows once; a flip that shows
    at one size only.
    """
    text = "scale f = floor, down by 1\nscale x = pillar\nscale w = wall, left by 1\n\n    .   |  f\n    o#  |  xw\n"
    assert "still" not in kinds(text)
    lopsided = (
        f"layout a, flips left and right\nscale w = walls, {BOTH}\nscale f = floor, {BOTH}\n"
        "scale p = pillar, down by 1\n\n"
    )
    lopsided += "    #####  |  wwwww\n    #...#  |  wfffw\n    #.o.#  |  wfpfw\n    #####  |  wwwww\n"
    assert "flips" not in kinds(lopsided)
    assert "flips" in kinds(lopsided.replace("right by 1", "left and right by 2").replace("flips left and right, ", ""))


def test_there_is_an_end_to_comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lint_subject, "MAX_COMPARED_CELLS", 100)
    assert [remark.problem for remark in look(SETTINGS["unseen growth"]) if remark.kind == "unseen growth"] == [
        "so large a layout is not checked for growth without effect"
    ]


def test_a_remark_about_a_partition_names_it_and_its_place() -> None:
    text = SETTINGS["empty partition"]
    found = only(text, "empty partition")
    assert found.problem == "'nothing' has no tile"
    assert found.part == 2
    assert find_places(text, "it.layout").partitions[2].text == "scale x = nothing, right by 1"
    assert str(find_places(text, "it.layout").whole) == "it.layout:6:5"


def test_errors_come_first() -> None:
    text = f"layout a, flips left and right\nscale w = walls, {BOTH}\nscale x = nothing\n\n    #.#  |  w=w\n"
    severities = [remark.severity for remark in look(text)]
    assert severities == sorted(severities, key=("error", "warning", "note").index)
    assert {"error", "warning", "note"} <= set(severities)


# Our own layouts.


FIXED = {"heart"}


@pytest.mark.parametrize("name", layout_files.list_layouts())
def test_our_own_layouts_are_clean(name: str) -> None:
    """From the smallest to 8 more both ways: no error and no warning; and each gives rooms of three sizes or more, or
    is meant to have one.
    """
    layout = Layout.load(layout_files.LAYOUTS_FOLDER / f"{name}.layout")
    subject = LayoutSubject(layout)
    assert [remark for remark in lint_layout.find_layout_remarks(subject) if remark.severity != "note"] == []
    assert len(subject.existing_sizes) == 1 if name in FIXED else len(sizes.list_sides(layout, 0)) >= 3
    assert layout.tags
    assert name.replace("-", " ") == layout.name


@pytest.mark.parametrize("name", layout_files.list_layouts())
def test_our_own_layouts_stay_clean_when_they_are_large(name: str) -> None:
    layout = Layout.load(layout_files.LAYOUTS_FOLDER / f"{name}.layout")
    for least in ((40, 12), (13, 50), (61, 47)):
        if size := sizes.find_larger(layout, least):
            assert list(room_faults.find_faults(layout.room(size), layout)) == []


def test_our_own_layouts_have_what_was_promised() -> None:
    ours = [Layout.load(layout_files.LAYOUTS_FOLDER / f"{name}.layout") for name in layout_files.list_layouts()]
    assert len(ours) >= 18
    rooms = [layout.room(layout.smallest) for layout in ours]
    assert sum(bool(room.sockets) for room in rooms) >= 3
    assert sum(bool(room.slots) for room in rooms) >= 4
    assert any(partition.lock_ratio for layout in ours for partition in layout.partitions)
    assert any(partition.x.type == "multiples" for layout in ours for partition in layout.partitions)
    assert {"throne", "L", "tee", "plus", "donut", "pillars", "apse", "cave-mouth", "rectangle"} <= set(
        layout_files.list_layouts()
    )


# Against twins.


@each("seed", 60)
def test_random_layouts_are_looked_at_without_trouble(seed: int) -> None:
    layout = random_layout(random.Random(seed))
    subject = LayoutSubject(layout)
    remarks = lint_layout.find_layout_remarks(subject)
    assert remarks
    assert all(remark.problem for remark in remarks)
    wide, high = layout.smallest
    asked = [(wide + x, high + y) for x in range(9) for y in range(9)]
    assert set(subject.existing_sizes) == {size for size in asked if layout.fits(size) == size}


@each("seed", 40)
def test_open_means_that_nothing_is_beside_a_floor(seed: int) -> None:
    """Cell by cell, for rooms with holes and ragged edges."""
    chance = random.Random(seed)
    rows = ["".join(chance.choice("##. ") for _ in range(6)) for _ in range(5)]
    if not "".join(rows).strip():
        return
    layout = parse("\n".join(f"    {row}".rstrip() or "    #" for row in rows) + "\n", "it.layout")
    room = layout.room(layout.smallest)
    cells = {
        (x, y): int(room.tiles[y, x])
        for y in range(room.height)
        for x in range(room.width)
        if room.tiles[y, x] != OUTSIDE
    }
    wall = room.palette.role("wall")
    loose = {
        (x, y)
        for (x, y), code in cells.items()
        if code != wall and any((x + dx, y + dy) not in cells for dx in (-1, 0, 1) for dy in (-1, 0, 1))
    }
    found = dict(room_faults.find_faults(room, layout))
    marked = {(x, y) for y, x in np.argwhere(found["open"]).tolist()} if "open" in found else set()
    assert marked == loose


@each("seed", 40)
def test_signed_rooms_say_where_each_tile_came_from(seed: int) -> None:
    """The part that is named has grown over that cell, and no later one has."""
    chance = random.Random(seed)
    layout = random_layout(chance)
    x, y = chance.randint(0, 2), chance.randint(0, 2)
    room, owner = layout.scaled(x, y), read_part_numbers(sign_parts(layout).scaled(x, y))
    assert room.tiles.shape == owner.shape
    assert ((owner == OUTSIDE) == (room.tiles == OUTSIDE)).all()
    for number in range(-2, len(layout.partitions)):
        if len(layout.part(number)) and (owner == number).any():
            assert set(np.unique(room.tiles[owner == number]).tolist()) <= set(
                np.unique(layout.part(number).tiles).tolist()
            )


# Sizes in words.


@each("seed", 60)
def test_the_first_sizes_are_those_that_fit(seed: int) -> None:
    layout = random_layout(random.Random(seed))
    for axis, found in ((0, sizes.list_sides(layout, 0)), (1, sizes.list_sides(layout, 1))):
        assert found[0] == layout.smallest[axis]
        assert found == sorted(set(found))
        scaled = set()
        for steps in range(24):
            try:
                room = layout.scaled(steps, 0) if axis == 0 else layout.scaled(0, steps)
            except Exception:  # noqa: BLE001 - larger than any map
                break
            scaled.add((room.width, room.height)[axis])
        assert all(
            side in scaled
            for side in found
            if side <= layout.smallest[axis] + 10 and not any(one.lock_ratio for one in layout.partitions)
        )


def test_sizes_that_are_near() -> None:
    hut, turret = parse(HUT, "hut.layout"), Layout.load(layout_files.LAYOUTS_FOLDER / "turret.layout")
    assert sizes.find_nearest_sizes([hut], (2, 7)) == [(3, 7)]
    assert sizes.find_nearest_sizes([hut], (1, 1)) == [(3, 3)]
    assert sizes.find_nearest_sizes([turret], (9, 10)) == [(9, 9), (10, 10)]
    assert sizes.find_nearest_sizes([turret], (90, 20)) == [(90, 90)]
    assert sizes.find_nearest_sizes([turret, hut], (2, 3)) == [(3, 3)]
    heart = Layout.load(layout_files.LAYOUTS_FOLDER / "heart.layout")
    assert sizes.find_nearest_sizes([heart], (4096, 1)) == [(11, 9)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("    #\n", "1x1 and no other size"),
        ("scale f = floor, right by 1\n\n    ..  |  ff\n", "width any from 2 on, height always 1"),
        (
            "scale f = floor, right by 2, up by 3\n\n    ..  |  ff\n",
            "width 2, 4, 6 and so on, height 1, 4, 7 and so on",
        ),
        ("scale f = floor, right doubling\n\n    ...  |  fff\n", "width 3, 6, 12, 24, 48 and so on, height always 1"),
        (
            "scale f = floor, ratio, right by 1, down by 2\n\n    .  |  f\n",
            "width and height grow together: 1x1, 2x3, 3x5, 4x7, 5x9 and so on",
        ),
    ],
)
def test_sizes_in_words(text: str, told: str) -> None:
    assert sizes.describe_sizes(parse(text, "it.layout")) == told
