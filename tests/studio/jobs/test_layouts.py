"""What the layout editor asks for: the same as the library says."""

from __future__ import annotations

import json

import numpy as np
import pytest

from support.studio_pages import Page, Server
from undercroft.templates.layouts import cozy_json, drawn_text, layout_files, room_faults, suggestions

HALL = """; a hall with a gate
layout  hall
slot    chest = c
socket  gate = G, opening
scale   w = walls, left by 3, down by 1
scale   f = floor, left by 3, down by 1   ; all of it

    ###G#  |  wwwww
    #c..#  |  wfffw
    #...#  |  wfffw
    #####  |  wwwww
"""


def test_our_own_layouts_can_be_begun_with(page: Page) -> None:
    head, _ = page.answer("layouts")
    assert [one["name"] for one in head["layouts"]] == list(layout_files.list_layouts())
    for one in head["layouts"]:
        layout = layout_files.load(one["name"])
        assert drawn_text.parse(one["text"], "x.layout") == layout
        assert cozy_json.parse(json.dumps(one["data"]), "x.json") == layout
        assert one["about"]


def test_a_room_says_where_it_lies_and_what_is_in_it(page: Page) -> None:
    layout = drawn_text.parse(HALL, "hall.layout")
    head, parts = page.answers("sizes", text=HALL, file="hall.layout", sizes=[[8, 6]], leniency=[0, 0], overgrow=False)[
        0
    ]
    room = layout.room((8, 6))
    assert head["corner"] == [-3, 0] == list(layout.corner((8, 6)) or ())
    assert head["slots"] == [{"at": [slot.x, slot.y], "kind": slot.kind} for slot in room.slots]
    assert head["sockets"] == [
        {"at": [one.x, one.y], "side": one.side, "width": one.width, "kind": one.kind} for one in room.sockets
    ]
    assert [one["kind"] for one in head["sockets"]] == ["gate"]
    assert "wrong" not in parts


def test_a_fault_says_in_which_cells(page: Page) -> None:
    text = HALL.replace("floor, left by 3, down by 1", "floor, left by 3, down by 2")
    layout = drawn_text.parse(text, "hall.layout")
    head, parts = page.answers("sizes", text=text, file="hall.layout", sizes=[[5, 9]], leniency=[0, 0], overgrow=False)[
        0
    ]
    faults = dict(room_faults.find_faults(layout.room((5, 9)), layout))
    assert head["faults"]
    assert np.array_equal(parts["wrong"].reshape(9, 5), np.logical_or.reduce(list(faults.values())))


def test_a_refused_size_says_which_are_near(page: Page) -> None:
    head, _ = page.answers("sizes", text=HALL, file="hall.layout", sizes=[[7, 5]], leniency=[0, 0], overgrow=False)[0]
    assert (head["made"], head["near"], head["works"]) == (None, [[5, 5], [8, 5]], "5x5 or 8x5")
    low = page.answers("sizes", text=HALL, file="hall.layout", sizes=[[8, 3], [7, 3]], leniency=[0, 0], overgrow=False)
    assert [head["near"] for head, _ in low[:2]] == [[[8, 4]], [[8, 4]]]


def test_ways_to_a_size_are_those_of_the_library(page: Page) -> None:
    layout = drawn_text.parse(HALL, "hall.layout")
    head, _ = page.answer("allow", text=HALL, file="hall.layout", size=[7, 5], leniency=[0, 0], overgrow=False)
    ways = suggestions.suggest_changes(layout, (7, 5))
    assert [(way["label"], way["about"], tuple(way["made"])) for way in head["ways"]] == [
        (way.label, way.about, way.made) for way in ways
    ]
    assert len(ways) == 3
    for told, way in zip(head["ways"], ways, strict=True):
        assert (told["data"] is None) == (way.layout == layout)
        assert told["data"] is None or cozy_json.parse(json.dumps(told["data"]), "x.json") == way.layout


def test_a_drawing_changes_only_its_own_lines(server: Server, page: Page) -> None:
    data = page.answer("layout", text=HALL, file="hall.layout")[0]["data"]
    data["scalePartitions"][1]["incrementAmtY"] = 4
    status, answer = server.post("/api/layout", {"data": data, "file": "hall.layout", "text": HALL})
    assert status == 200
    assert answer["text"] == HALL.replace("floor, left by 3, down by 1 ", "floor, left by 3, down by 4 ")


@pytest.mark.parametrize("head", ["", "layout  tagged old\n"])
def test_a_layout_that_is_called_as_its_file_is_need_not_say_so(server: Server, page: Page, head: str) -> None:
    text = f"{head}scale w = walls, right by 1\n\n    ###  |  www\n"
    data = page.answer("layout", text=text, file="hut.layout")[0]["data"]
    assert data["name"] == "hut"
    assert server.post("/api/layout", {"data": data, "file": "hut.layout", "text": text})[1]["text"] == text


@pytest.mark.parametrize(
    "ask", [{"data": [], "text": ""}, {"data": None}, {"data": {}, "text": 7}, {"data": {}, "file": []}]
)
def test_nonsense_is_refused(server: Server, ask: dict[str, object]) -> None:
    assert server.post("/api/layout", ask)[0] == 422
