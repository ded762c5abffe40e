"""Maps of Watabou's One Page Dungeon. The file of the test was written by hand, in the structure of the exported
ones.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.paths import TESTS
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.errors import BadInput
from undercroft.formats import dump, load, loads
from undercroft.formats.native.native import digest

FILE = TESTS / "cases" / "imports" / "ash.json"
ASH = json.loads(FILE.read_text(encoding="utf-8"))


def ash(change: Callable[[Any], object] = lambda _: None) -> Level:
    """The level of the file, after a change."""
    document = copy.deepcopy(ASH)
    change(document)
    return loads(json.dumps(document).encode(), "watabou", "ash.json")


def test_the_map() -> None:
    level = load(FILE)
    assert (
        str(level)
        == """\
#######################
###########<###########
##########...##########
#####...#.....#...#~~##
#####...'.....S...L..##
#####...#.....#...#####
######'###...##########
#...#...###+#####....##
#...+...###,#####.o..##
#...###'###,,,,,L....>#
######...##,#####.o..##
######...########....##
#######################"""
    )
    assert (level.title, level.start, level.end) == ("Crypt of Ash", (11, 1), (21, 9))
    assert level.provenance == {
        "program": "One Page Dungeon",
        "version": "1.2.7",
        "story": "Nobody who went down came up again.",
    }


def test_rooms_doors_and_what_stands_there() -> None:
    level = load(FILE)
    states = {(door.x, door.y): door.state for door in level.doors}
    assert states == {
        (8, 4): "open",
        (14, 4): "secret",
        (18, 4): "locked",
        (6, 6): "open",
        (11, 7): "closed",
        (4, 8): "closed",
        (7, 9): "open",
        (16, 9): "locked",
    }
    assert sum(region.kind == "room" for region in level.regions) == 8
    assert {region.tags for region in level.regions if region.tags} == {("rotunda",), ("ending",)}
    assert level.things == (
        Thing("portcullis", 18, 4),
        Thing("stairs", 7, 9),
        Thing("note", 11, 4, {"text": "A chest under a loose slab.", "ref": "1"}),
        Thing("note", 19, 9, {"text": "A bell without a clapper.", "ref": "2"}),
    )
    assert uc.measure(level, "components") == {"components": 1}


def test_water_is_waded_through() -> None:
    level = load(FILE)
    assert np.argwhere(level.layers["water"]).tolist() == [[3, 19], [3, 20]], "none on walls or in corridors"
    assert level.walkable[3, 19]
    assert level.palette.roles[level.tiles[3, 19]] == "water"
    assert ash(lambda document: document.pop("water")).palette is STANDARD


def test_surveyed_anew_it_is_the_same() -> None:
    level = load(FILE)
    again = surveyed(level)
    assert np.array_equal(again.regions.labels, level.regions.labels)
    assert again.doors == level.doors
    assert again.links == level.links


def test_it_goes_through_our_own_format() -> None:
    level = load(FILE)
    assert loads(dump(level, "json"), "json") == level
    assert digest(load(FILE)) == digest(level)


def test_where_the_way_ends_without_a_way_out() -> None:
    level = ash(lambda document: document["doors"].__delitem__(6))
    assert level.end == (19, 9), "the middle of the last room"
    assert ash(lambda document: (document["doors"].__delitem__(6), document["rects"][7].pop("ending"))).end is None


def test_one_room_is_enough_and_other_keys_do_not_matter() -> None:
    level = loads(b'{"rects": [{"x": 5, "y": -5, "w": 2, "h": 1, "more": 1}], "doors": [], "colour": "red"}', "watabou")
    assert str(level) == "####\n#,,#\n####"


@pytest.mark.parametrize("size", range(2, 12))
def test_rotundas_are_round(size: int) -> None:
    level = loads(
        json.dumps({"rects": [{"x": 0, "y": 0, "w": size, "h": size, "rotunda": True}], "doors": []}).encode(),
        "watabou",
    )
    ground = level.walkable[1:-1, 1:-1]
    wanted = [[(2 * x + 1 - size) ** 2 + (2 * y + 1 - size) ** 2 <= size**2 for x in range(size)] for y in range(size)]
    assert ground.tolist() == wanted
    assert len(level.regions) == 1


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
    ("ash.json: at rects: there is no room", set_value("rects", to=[])),
    ("at rects: a list belongs here, not null", set_value("rects", to=...)),
    ("at rects[1]: an object belongs here, not 5", set_value("rects", 1, to=5)),
    ("at rects[1].w: 0 is out of range", set_value("rects", 1, "w", to=0)),
    ("at rects[1].x: a whole number belongs here, not 1.5", set_value("rects", 1, "x", to=1.5)),
    ("at rects[1].x: 99999999999 is out of range", set_value("rects", 1, "x", to=99999999999)),
    ("at rects[1].rotunda: true or false belongs here", set_value("rects", 1, "rotunda", to="yes")),
    ("the number of cells of", set_value("rects", 1, "w", to=1 << 20)),
    ("the number of cells of", set_value("doors", 1, "x", to=-1_000_000)),
    (
        "the cells of all round rooms is",
        set_value("rects", to=[{"x": 0, "y": 0, "w": 1000, "h": 1000, "rotunda": True}] * 2000),
    ),
    ("at doors: a list belongs here, not an object", set_value("doors", to={})),
    ("at doors[1].type: 10 is out of range", set_value("doors", 1, "type", to=10)),
    ("at doors[2].dir: an object belongs here", set_value("doors", 2, "dir", to=3)),
    ("at doors[2].dir.x: 7 is out of range", set_value("doors", 2, "dir", "x", to=7)),
    ("at notes[0].pos: an object belongs here, not null", set_value("notes", 0, "pos", to=...)),
    ("at notes[0].pos: this lies outside the map", set_value("notes", 0, "pos", "x", to=900.5)),
    ("at notes[0].pos.x: a number from", set_value("notes", 0, "pos", "x", to=1e300)),
    ("at notes[0].text: a text belongs here", set_value("notes", 0, "text", to=["x"])),
    ("holds half a character", set_value("notes", 0, "text", to="\ud800")),
    ("at title: a text belongs here", set_value("title", to=5)),
    ("at water[0].x: a number from", set_value("water", 0, "x", to="left")),
    ("at columns[0]: an object belongs here", set_value("columns", 0, to=None)),
]


@pytest.mark.parametrize(("sentence", "change"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused_in_one_sentence(sentence: str, change: Callable[[Any], object]) -> None:
    with pytest.raises(BadInput) as caught:
        ash(change)
    assert sentence in str(caught.value)
    assert "ash.json" in str(caught.value)


@pytest.mark.parametrize(
    ("sentence", "data"),
    [
        ("this is not JSON", b'{"rects": ['),
        ("an object belongs here", b"[]"),
        ("nesting", b"[" * 100_000),
        ("its size in bytes is", b" " * (9 << 20)),
    ],
)
def test_what_is_no_map_at_all(sentence: str, data: bytes) -> None:
    with pytest.raises(BadInput, match=sentence):
        loads(data, "watabou", "ash.json")


def test_rooms_may_lie_upon_each_other() -> None:
    rects = ",".join(['{"x":0,"y":0,"w":900,"h":900}'] * 20_000)
    level = loads(f'{{"rects":[{rects}],"doors":[]}}'.encode(), "watabou")
    assert level.size == (902, 902)
    assert int(level.walkable.sum()) == 900 * 900
