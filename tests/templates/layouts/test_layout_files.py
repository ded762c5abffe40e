"""Layouts in files: both forms keep everything, and every mistake is told with its place."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from support.layouts import random_layout
from support.maps import each
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, UndercroftError
from undercroft.templates.layouts import cozy_json, drawn_text, layout_files, write_text
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.partition import Partition
from undercroft.templates.layouts.tile_array import Patch

HALL = """
layout  great hall, tagged great "very old", at 3 -2, flips up and down
slot    altar = a
socket  gate = G, opening
scale   w = walls, right by 1, down by 1
scale   f = "floor, inner", ratio, left and right by 2, up doubling
scale   n = none
colour  f = hsl(20, 5%, 3%)
icon    f = star

    #+#G##  |  w^wwww     ; a comment
    #.a.##  |  wf=fww
    ###  #  |  www  w
"""


def standard(layout: Layout) -> Layout:
    """A random layout with tiles of the usual palette, and some marks."""
    marks = (
        LayoutMark("slot", "chest", STANDARD["floor"]),
        LayoutMark("socket", "gate", STANDARD["opening"]),
        LayoutMark("slot", "altar", STANDARD["corridor"]),
    )
    codes = [*range(12), *range(len(STANDARD), len(STANDARD) + 3)]

    def moved(patch: Patch) -> Patch:
        return Patch.of((x, y, codes[(code + x) % len(codes)]) for x, y, code in patch)

    parts = tuple(
        replace(one, tiles=moved(one.tiles), name=name, colour=colour, icon=icon)
        for one, name, colour, icon in zip(
            layout.partitions,
            ("walls", "a, b;", '"odd" = '),
            ("#aabbcc", "hsl(1, 2%, 3%)", ""),
            ("", "x;y", "star"),
            strict=False,
        )
    )
    return replace(
        layout,
        base=moved(layout.base),
        overlay=moved(layout.overlay),
        partitions=parts,
        palette=STANDARD,
        marks=marks,
        tags=("a", "b c", 'd"', "e;"),
    )


@each("seed", 150)
def test_both_forms_keep_everything(seed: int) -> None:
    layout = standard(random_layout(random.Random(seed)))
    layout = replace(
        layout, flip_x=seed % 2 == 0, flip_y=seed % 3 == 0, name=("", "any", "odd, name", "tagged")[seed % 4]
    )
    drawn, data = write_text.format_layout(layout), cozy_json.format_layout(layout)
    assert drawn_text.parse(drawn, "a.layout") == layout
    assert cozy_json.parse(data, "a.json") == layout
    assert (
        write_text.format_layout(cozy_json.parse(cozy_json.format_layout(drawn_text.parse(drawn, "a")), "a")) == drawn
    )


def test_the_drawn_form_says_what_it_means() -> None:
    hall = drawn_text.parse(HALL, "hall.layout")
    assert hall.name == "great hall"
    assert hall.tags == ("great", "very old")
    assert (hall.flip_x, hall.flip_y) == (False, True)
    assert [partition.name for partition in hall.partitions] == ["walls", "floor, inner", "none"]
    walls, floor, none = hall.partitions
    assert (walls.x, walls.y, walls.lock_ratio) == ((False, "amount", 1, 1), (False, "amount", 1, 1), False)
    assert (floor.x, floor.y, floor.lock_ratio) == ((False, "amount", 2, 0), (False, "multiples", 1, -1), True)
    assert (none.x.locked, none.y.locked, len(none.tiles)) == (True, True, 0)
    assert (floor.colour, floor.icon) == ("hsl(20, 5%, 3%)", "star")
    assert hall.tile(3, -2) == (STANDARD["wall"], 0)
    assert hall.tile(4, -2) == (STANDARD["door"], -2)
    assert hall.tile(6, 0) is None
    room = hall.scaled(0, 0)
    assert [(socket.x, socket.y, socket.side, socket.kind) for socket in room.sockets] == [
        (1, 0, "N", ""),
        (3, 0, "N", "gate"),
    ]
    assert [(slot.kind, slot.x, slot.y) for slot in room.slots] == [("altar", 2, 1)]
    assert room.tiles[0, 1] == STANDARD["wall"]
    assert room.tiles[1, 2] == STANDARD["floor"]


def test_a_layout_without_partitions_needs_no_right_side() -> None:
    heart = drawn_text.parse("layout heart\n    # #\n    ###\n     #\n", "heart.layout")
    assert heart.base.tiles.tolist() == [[1, 255, 1], [1, 1, 1], [255, 1, 255]]
    assert heart.fits((3, 3)) == (3, 3)


COZY = {
    "excludedTiles": [
        {
            "tileType": "wall",
            "position": "4,2",
            "partitionNum": -2,
            "tileID": "x",
            "rotation": 90,
            "offset": {"x": 0},
            "depth": 1,
        }
    ],
    "unscaledTiles": [],
    "scalePartitions": [
        {
            "name": "Partition 1",
            "color": "hsl(20, 70%, 50%)",
            "icon": "star",
            "lockRatio": False,
            "lockX": False,
            "lockY": True,
            "splitScalingOnX": True,
            "splitScalingOnY": False,
            "incrementAmtX": 2,
            "incrementAmtY": 3,
            "xDir": 0,
            "yDir": -1,
            "tiles": [{"tileType": "floor", "position": " 3, 2", "partitionNum": 0}],
        }
    ],
}


def test_the_forms_of_the_old_json() -> None:
    """Missing tags and flips mean none; positions are texts and begin anywhere; what a finished room adds to a tile is
    passed over.
    """
    layout = cozy_json.parse(json.dumps(COZY), "dot.json")
    assert (layout.tags, layout.flip_x, layout.flip_y) == ((), False, False)
    part = layout.partitions[0]
    assert part.x == (False, "multiples", 2, 0)
    assert part.y == (True, "amount", 3, -1)
    assert part.colour == "hsl(20, 70%, 50%)"
    assert layout.tile(3, 2) == (STANDARD["floor"], 0)
    assert layout.overlay.at(4, 2) == STANDARD["wall"]
    again = cozy_json.parse(cozy_json.format_layout(layout), "dot.json")
    assert again == layout
    bare = cozy_json.parse(
        '{"excludedTiles": [], "unscaledTiles": [], "scalePartitions": [{"tiles": [{"tileType": "wall", "position": '
        '"0,0"}]}]}',
        "b.json",
    )
    assert bare.partitions[0] == Partition(Patch.of([(0, 0, 1)]))


def test_files_by_their_names(tmp_path: Path) -> None:
    hall = drawn_text.parse(HALL, "hall.layout")
    for name in ("hall.json", "hall.layout"):
        hall.save(tmp_path / name)
        assert Layout.load(tmp_path / name) == hall
    (tmp_path / "dot.json").write_text(json.dumps(COZY))
    assert Layout.load(tmp_path / "dot.json").name == "dot"
    assert json.loads((tmp_path / "hall.json").read_text())["scalePartitions"][1]["splitScalingOnY"] is True
    with pytest.raises(UndercroftError, match="cannot read"):
        layout_files.load(tmp_path / "missing.layout")


HEAD = "scale w = walls, right by 1\n"
MISTAKES = {
    "": "1:1: there is no layout here",
    "layout a\nlayout b\n    #\n": "2:1: a second layout",
    "layuot a\n    #\n": "1:1: unknown word 'layuot'",
    "layout a, tagged b, flips\n    #\n": "1:21: unknown words 'flips' about a layout",
    'layout "a\n    #\n': "1:8: a comma with nothing on one side",
    "scale = walls\n    #\n": "1:7: 'scale' needs the sign",
    "scale ww = walls\n    #\n": "1:7: a partition's sign is one letter",
    f"{HEAD}scale w = other\n    #  |  w\n": "2:7: two partitions have the sign 'w'",
    "scale w = walls, right\n    #  |  w\n": "1:18: 'right' by how much",
    "scale w = walls, rihgt by 1\n    #  |  w\n": "1:18: unknown words 'rihgt by 1' about scaling",
    "scale w = walls, right by 0\n    #  |  w\n": "1:27: by is a whole number from 1",
    "scale w = walls, right by 1, left by 2\n    #  |  w\n": "1:30: X is spoken of twice",
    "scale w = walls, left and right by 3\n    #  |  w\n": "1:18: the amount along X is 3",
    "scale w = walls, ratio, right by 2\n    #  |  w\n": "1:18: the ratio is locked, and Y",
    "colour w = red\n    #\n": "1:8: no partition has the sign 'w'",
    f"{HEAD}\n    #  |  w\nicon w = x\n": "4:1: 'icon' stands above the drawing",
    f"{HEAD}\n    ##  |  wv\n": "3:13: no partition has the sign 'v'",
    f"{HEAD}\n    ##  |  w\n": "3:6: a tile here, and no partition",
    f"{HEAD}\n    #   |  ww\n": "3:13: a partition here, and no tile",
    f"{HEAD}\n    #Z  |  ww\n": "3:6: unknown sign 'Z'",
    f"{HEAD}\n    ##  |  ww\n    ## |  ww\n": "4:5: a bar | stands between",
    f"{HEAD}\n    ##\n": "3:5: a bar | stands between",
    f"{HEAD}\n        |  ww\n": "3:9: one side of the drawing is empty",
    f"{HEAD}\n    ##  |  ww\n\n    ##  |  ww\n": "5:5: a second drawing",
    "slot chest = #\n    #\n": "1:14: '#' is the sign of the tile 'wall'",
    "slot chest = c, over floor\n    #\n": "1:17: unknown word 'over floor' about a slot",
    "socket gate = G, gold\n    #\n": "1:18: unknown role of a socket 'gold'",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_in_the_drawn_form(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        drawn_text.parse(text, "it.layout")
    assert str(caught.value).startswith(f"it.layout:{MISTAKES[text]}"), str(caught.value)
    assert caught.value.fix


def cozy(old: str, new: str) -> str:
    text = json.dumps(COZY)
    assert text.count(old) == 1
    return text.replace(old, new)


JSON_MISTAKES = {
    "": "the text ends before the value does",
    "[]": "a layout is an object, not []",
    "{}": "a layout has a list 'excludedTiles'",
    json.dumps(COZY) + "x": "something stands after the end",
    cozy('"unscaledTiles": []', '"unscaledTiles": 3'): "a list of tiles is a list, not 3",
    cozy('"unscaledTiles"', '"unscaldTiles"'): "unknown key 'unscaldTiles'",
    cozy('"tileType": "floor"', '"tileType": "flor"'): "unknown tileType 'flor'",
    cozy('" 3, 2"', '"3;2"'): 'a position is two whole numbers in a text, not "3;2"',
    cozy('" 3, 2"', '"4,2"'): "two tiles are at (4, 2): of 'excludedTiles' and of partition 0",
    cozy('"partitionNum": 0', '"partitionNum": 7'): "this tile stands in the list of partition 0",
    cozy('"incrementAmtX": 2', '"incrementAmtX": 0'): "'incrementAmtX' is a whole number from 1",
    cozy('"incrementAmtX": 2', '"incrementAmtX": 2.5'): "'incrementAmtX' is a whole number, not 2.5",
    cozy('"xDir": 0', '"xDir": 2'): "'xDir' is 1, -1 or 0, not 2",
    cozy('"lockRatio": false', '"lockRatio": true'): "the ratio is locked, and Y is locked as well",
    cozy('"lockY": true', '"lockY": 1'): "'lockY' is true or false, not 1",
    cozy(
        '"splitScalingOnX": true, "splitScalingOnY": false, "incrementAmtX": 2', '"incrementAmtX": 3'
    ): "the amount along X is 3",
    cozy('"icon": "star"', '"name": "b"'): "the key 'name' stands here twice",
    cozy('"tileType": "floor", ', ""): "a tile has a 'tileType'",
    json.dumps(COZY | {"excludedTiles": [], "scalePartitions": []}): "a layout without a tile",
    "[" * 100: "more than 64 brackets",
    '{"a": "\\ud800"}': "a text that holds half a character",
}


@pytest.mark.parametrize("text", JSON_MISTAKES)
def test_mistakes_in_the_json(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        cozy_json.parse(text, "it.json")
    assert JSON_MISTAKES[text] in str(caught.value), str(caught.value)
    assert caught.value.place
    assert caught.value.place.file == "it.json"
    assert caught.value.fix


def test_the_caret_stands_under_the_value() -> None:
    text = cozy('"xDir": 0', '"xDir": 2')
    with pytest.raises(BadInput) as caught:
        cozy_json.parse(text, "it.json")
    assert caught.value.place
    assert text[caught.value.place.column - 1 :].startswith("2,")


@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("form", ["text", "json"])
def test_mutants_give_sentences(form: str, part: int) -> None:
    """300 files a part, each with some signs changed, cut or doubled: a layout or an error, never a traceback."""
    good = HALL if form == "text" else cozy_json.format_layout(drawn_text.parse(HALL, "hall"))
    chance = random.Random(f"{form} {part}")
    errors: list[UndercroftError] = []
    for _ in range(300):
        text = good
        for _ in range(chance.randint(1, 4)):
            at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
            to = min(to, at + 12)
            piece = chance.choice(
                ["", text[at:to] * 2, chance.choice('"{}[],:|=#.wf0123456789-\n ;\x00\ud7ff'), text[at:to][::-1]]
            )
            text = text[:at] + piece + text[to:]
        try:
            layout = drawn_text.parse(text, "m.layout") if form == "text" else cozy_json.parse(text, "m.json")
            layout.fits((12, 9), leniency=2)
        except UndercroftError as error:
            errors.append(error)
    assert len(errors) > 100
    assert all(str(error) and error.fix for error in errors)


def test_far_tiles_are_refused_before_memory_is_taken() -> None:
    far = {
        "excludedTiles": [],
        "scalePartitions": [],
        "unscaledTiles": [{"tileType": "wall", "position": place} for place in ("0,0", "900000,900000")],
    }
    with pytest.raises(UndercroftError, match=r"it.json:1:\d+: the longer side of a layout as it is drawn is 900,001"):
        cozy_json.parse(json.dumps(far), "it.json")


@pytest.mark.parametrize("name", ["at 1 2", "tagged x", "flips left and right", 'a "b"', "x;y"])
def test_names_that_look_like_something_else_are_kept(name: str) -> None:
    layout = replace(drawn_text.parse(HALL, "hall"), name=name)
    assert drawn_text.parse(write_text.format_layout(layout), "hall") == layout


@pytest.mark.parametrize("kind", ["", "a;b", "a,b", "x\ny", "a = b", "x" * 61])
def test_odd_kinds_of_slots_are_refused(kind: str) -> None:
    with pytest.raises(BadInput, match="cannot be called"):
        Layout(base=Patch.of([(0, 0, len(STANDARD))]), marks=(LayoutMark("slot", kind, STANDARD["floor"]),))


def test_codes_that_are_none_are_refused() -> None:
    for code in (-1, 255, 257):
        with pytest.raises(BadInput, match="from 0 to 254"):
            Patch.of([(0, 0, code)])
