"""Maps of donjon's dungeon generator, as JSON and as a table. The files of the tests were written by hand, in the
structure of the offered ones.
"""

from __future__ import annotations

import copy
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.paths import TESTS
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput
from undercroft.formats import dump, load, loads

CASES = TESTS / "cases" / "imports"
HALLS = json.loads((CASES / "halls.json").read_text(encoding="utf-8"))
BITS = HALLS["cell_bit"]


def halls(change: Callable[[Any], object] = lambda _: None) -> Level:
    document = copy.deepcopy(HALLS)
    change(document)
    return loads(json.dumps(document).encode(), "donjon", "halls.json")


def test_the_map() -> None:
    level = load(CASES / "halls.json")
    assert (
        str(level)
        == """\
###############
###############
###############
###...#...#####
###...+...',,##
###...#...#####
####'####S#####
####,##,,,,>###
####L###+#L####
###...#,,,,####
###...L,,,<####
###...#########
###############
###############
###############"""
    )
    assert (level.title, level.start, level.end) == ("The Halls of Sighs", (10, 10), (11, 7))
    assert level.provenance["seed"] == "910156620"
    assert level.provenance["details"] == {"floor": "Flagstone", "illumination": "Dark"}
    assert level.provenance["wandering_monsters"] == {"1": "A lost bat"}


def test_rooms_doors_and_notes() -> None:
    level = load(CASES / "halls.json")
    assert [(region.name, region.area) for region in level.regions if region.name] == [
        ("Room 1", 9),
        ("Room 2", 9),
        ("Room 3", 9),
    ]
    assert {(door.x, door.y): door.state for door in level.doors} == {
        (6, 4): "closed",
        (10, 4): "open",
        (4, 6): "open",
        (9, 6): "secret",
        (4, 8): "locked",
        (8, 8): "closed",
        (10, 8): "locked",
        (6, 10): "locked",
    }
    assert level.things == (
        Thing("portcullis", 4, 8),
        Thing("portcullis", 6, 10),
        Thing("trap", 8, 8),
        Thing(
            "note",
            4,
            4,
            {
                "text": "Two rats",
                "monster": "2 x Rat\nTreasure: 5 cp",
                "room_features": "The walls are damp",
                "ref": "1",
            },
        ),
        Thing("note", 4, 10, {"text": "A hidden hoard", "ref": "3"}),
        Thing("note", 8, 7, {"text": "A draught from below.", "ref": "a"}),
    ), "the rim of two cells is counted in"
    assert uc.measure(level, "components") == {"components": 1}
    assert loads(dump(level, "json"), "json") == level
    assert surveyed(level).doors == level.doors


def told_of_doors(document: Any) -> None:
    """Rooms 1 and 2 both list the door between them; that of room 3 leads to a passage."""
    trapped = {"col": 4, "row": 2, "type": "trapped", "desc": "Locked Iron Door (DC 20)", "trap": "Poison needle"}
    secret = {"col": 4, "row": 8, "type": "secret", "desc": "Secret door", "secret": "Behind a tapestry", "trap": None}
    arch = {"col": 2, "row": 4, "type": "arch", "desc": "Archway"}
    document["rooms"][1]["doors"] = {"east": [{**trapped, "out_id": 2}], "south": [arch]}
    document["rooms"][2]["doors"] = {"west": [{**trapped, "out_id": 1}]}
    document["rooms"][3]["doors"] = {"east": [secret], "north": []}


def test_what_is_told_of_doors_is_a_note_at_each() -> None:
    level = halls(told_of_doors)
    assert [thing for thing in level.things if thing not in halls().things] == [
        Thing("note", 6, 4, {"text": "Locked Iron Door (DC 20)", "trap": "Poison needle"}),
        Thing("note", 6, 10, {"text": "Secret door", "secret": "Behind a tapestry"}),
    ]
    assert {(6, 4), (6, 10)} <= {(door.x, door.y) for door in level.doors}


def test_two_rooms_may_tell_different_things_of_a_door() -> None:
    def apart(document: Any) -> None:
        told_of_doors(document)
        del document["rooms"][1]["doors"]["east"][0]["trap"]
        document["rooms"][2]["doors"]["west"][0]["desc"] = "Iron door"

    assert Thing("note", 6, 4, {"text": "Locked Iron Door (DC 20)", "trap": "Poison needle"}) in halls(apart).things


def test_without_stairs_one_comes_by_the_first_passage_that_leaves_the_map() -> None:
    def no_stairs(document: Any) -> None:
        for row in document["cells"]:
            row[:] = [cell & ~(BITS["stair_up"] | BITS["stair_down"]) for cell in row]

    level = halls(no_stairs)
    assert (level.start, level.end) == ((12, 4), None)


def test_the_legend_is_believed_not_the_usual_numbers() -> None:
    def swap(document: Any) -> None:
        bits = document["cell_bit"]
        moved = {"door": 1 << 20, "secret": 1 << 17}
        for row in document["cells"]:
            row[:] = [
                cell & ~(bits["door"] | bits["secret"])
                | moved["door"] * bool(cell & bits["door"])
                | moved["secret"] * bool(cell & bits["secret"])
                for cell in row
            ]
        bits.update(moved)

    assert np.array_equal(halls(swap).tiles, halls().tiles)
    few = loads(json.dumps({"cell_bit": {"room": 2}, "cells": [[0, 2], [2, 2]]}).encode(), "donjon")
    assert str(few) == "#.\n.."


def set_value(*path: str | int, to: Any) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for step in path[:-1]:
            document = document[step]
        if to is ...:
            del document[path[-1]]
        else:
            document[path[-1]] = to

    return change


HOSTILE = [
    ("at cells: there is no cell", set_value("cells", to=[])),
    ("at cells: there is no cell", set_value("cells", to=[[], []])),
    ("at cells[3]: the list has 1 values where 15 belong", set_value("cells", 3, to=[1])),
    ("at cells[3]: a list belongs here, not 'x'", set_value("cells", 3, to="x")),
    ("at cells[3][2]: a whole number belongs here, not null", set_value("cells", 3, 2, to=None)),
    ("at cells[3][2]: a whole number belongs here, not true", set_value("cells", 3, 2, to=True)),
    ("at cells[3][2]: -1 is out of range", set_value("cells", 3, 2, to=-1)),
    ("at cells[3][2]: 1208925819614629174706176 is out of range", set_value("cells", 3, 2, to=1 << 80)),
    ("the number of cells of 1300x1000", set_value("cells", to=[[0] * 1300] * 1000)),
    ("its number of traps and portcullises is", set_value("cells", to=[[524292] * 400] * 400)),
    ("at cell_bit: an object belongs here", set_value("cell_bit", to=[])),
    ("at cell_bit.door: a whole number belongs here", set_value("cell_bit", "door", to="131072")),
    ("at settings: an object belongs here", set_value("settings", to=7)),
    ("at settings.bleed: -2 is out of range", set_value("settings", "bleed", to=-2)),
    ("at settings.name: a text belongs here", set_value("settings", "name", to=None)),
    ("at rooms[1]: an object belongs here", set_value("rooms", 1, to=3)),
    ("at rooms[1].id: a whole number belongs here", set_value("rooms", 1, "id", to="1")),
    (
        "at rooms[1].contents.detail.monster[0]: a text belongs here",
        set_value("rooms", 1, "contents", "detail", "monster", 0, to={}),
    ),
    ("at rooms[1].doors: an object belongs here", set_value("rooms", 1, "doors", to=[])),
    ("at rooms[1].doors.east: a list belongs here", set_value("rooms", 1, "doors", "east", to={})),
    ("at rooms[1].doors.east[0]: an object belongs here", set_value("rooms", 1, "doors", "east", 0, to=4)),
    ("at rooms[1].doors.east[0].col: 99 is out of range", set_value("rooms", 1, "doors", "east", 0, "col", to=99)),
    (
        "at rooms[1].doors.east[0].trap: a text belongs here",
        set_value("rooms", 1, "doors", "east", 0, "trap", to=["pit"]),
    ),
    (
        "at corridor_features.a.marks[0].col: 99 is out of range",
        set_value("corridor_features", "a", "marks", 0, "col", to=99),
    ),
    ("at details.floor: a text belongs here", set_value("details", "floor", to=[])),
    ("holds half a character", set_value("rooms", 1, "contents", "summary", to="\udfff")),
    ("the number is too large", set_value("settings", "seed", to=float("1e999"))),
]


@pytest.mark.parametrize(("sentence", "change"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused_in_one_sentence(sentence: str, change: Callable[[Any], object]) -> None:
    document = copy.deepcopy(HALLS)
    change(document)
    data = json.dumps(document).replace("Infinity", "1e999").encode()
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        loads(data, "donjon", "halls.json")
    assert time.process_time() - began < 10
    assert sentence in str(caught.value)
    assert "halls.json" in str(caught.value)


# --- the table ---


def test_the_table() -> None:
    level = load(CASES / "halls.tsv")
    assert str(level) == "########\n#...#,<#\n#..+..##\n#..##S##\n#L##...#\n#..+..,#\n######>#"
    assert (level.start, level.end) == ((6, 1), (6, 6))
    assert {(door.x, door.y): door.state for door in level.doors} == {
        (3, 2): "closed",
        (5, 3): "secret",
        (1, 4): "locked",
        (3, 5): "closed",
    }
    assert level.things == (Thing("portcullis", 1, 4),)
    assert [link.kind for link in level.links if link.kind != "open"] == ["door", "secret", "locked", "door"]


@pytest.mark.parametrize(
    ("code", "glyph"),
    [
        *((f"D{side}", "+") for side in "LRTB"),
        *((f"DP{side}", "L") for side in "LRTB"),
        *((f"DS{side}", "S") for side in "LRTB"),
    ],
)
def test_doors_on_every_side(code: str, glyph: str) -> None:
    assert str(loads(f"F\t{code}\tF\r\n".encode(), "donjon:tsv")) == f".{glyph}."


def test_stairs_are_one_tile_however_long() -> None:
    assert str(loads(b"F\tSU\tSUU\nF\nF\tSD\tSDD", "donjon:tsv")) == ".,<\n.##\n.,>"
    assert str(loads(b"F\tSU\t\nF\tSDD", "donjon:tsv")) == ".<#\n.>#"


@pytest.mark.parametrize(
    ("sentence", "data"),
    [
        ("a.tsv:1:1: there is no ground in this table", b""),
        ("a.tsv:1:1: there is no ground in this table", b"\t\t\n\t\t"),
        ("a.tsv:2:3: unknown code 'Q'", b"F\tF\nF\tQ"),
        ("a.tsv:1:1: unknown code 'DPX'", b"DPX"),
        ("a.tsv:1:1: unknown code 'FFFFFFFFFFFFFFFFFFFF'", b"F" * 5000),
        ("a.tsv:1:3: this byte is not UTF-8 text", b"F\t\xff"),
        ("the number of cells of", b"\t" * 3_000_000),
        ("the number of cells of 1000001x1001", b"F" + b"\t" * 1_000_000 + b"\nF" * 1000),
        ("its size in bytes is", b"\t" * (9 << 20)),
    ],
)
def test_hostile_tables(sentence: str, data: bytes) -> None:
    with pytest.raises(BadInput) as caught:
        loads(data, "donjon:tsv", "a.tsv")
    assert sentence in str(caught.value)
