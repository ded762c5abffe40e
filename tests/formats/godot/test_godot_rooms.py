"""Room grids for Godot: a node a room, and JSON for anybody."""

from __future__ import annotations

import json
from typing import Any

import networkx
import numpy as np
import pytest

import undercroft as uc
from support.godot_scenes import Scene
from support.paths import ROOT
from undercroft.analysis.room_grids import ROOM_GRID_PALETTE
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.region import LINK_KINDS, view_links
from undercroft.errors import BadInput
from undercroft.formats import FORMATS, dump, loads

SIDES = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
RECIPES = ("neighbours", "drunkard", "isaac")


def grids() -> list[Level]:
    made = [uc.generate(name, seed=seed, expand=False, secrets=seed % 3) for name in RECIPES for seed in range(8)]
    return [
        *made,
        loads(b"[[0,2,0],[1,1,1],[0,3,0]]", "text:grid"),
        loads(b"2", "text:grid"),
        loads(b"101", "text:grid"),
    ]


def dump_rooms(level: Level) -> Any:
    return json.loads(dump(level, "json:rooms"))


def test_json_tells_every_room_and_every_door() -> None:
    for level in grids():
        whole = dump_rooms(level)
        assert whole["format"] == "undercroft-rooms/1"
        assert whole["grid"] == [*level.size]
        assert [whole[end] and tuple(whole[end]) for end in ("start", "end")] == [level.start, level.end]
        assert whole["provenance"] == thaw(level.provenance)
        rooms = {(room["x"], room["y"]): room for room in whole["rooms"]}
        assert {*rooms} == {(int(x), int(y)) for y, x in np.argwhere(level.tiles > 0)}
        assert list(rooms) == sorted(rooms, key=lambda place: (place[1], place[0]))
        graph = networkx.Graph()
        graph.add_nodes_from(rooms)
        for (x, y), room in rooms.items():
            assert list(room["doors"]) == [side for side in SIDES if side in room["doors"]]
            around = {side: (x + dx, y + dy) for side, (dx, dy) in SIDES.items() if (x + dx, y + dy) in rooms}
            assert {*room["doors"]} == {*around}
            bits = sum(bit for bit, side in zip((1, 2, 4, 8), "nesw", strict=True) if side in room["doors"])
            assert bits == level.layers["doors"][y, x]
            for side, kind in room["doors"].items():
                other = rooms[around[side]]
                assert other["doors"]["nesw"[("nesw".index(side) + 2) % 4]] == kind
                assert (kind == "secret") == ("secret" in (*room["tags"], *other["tags"]))
                graph.add_edge((x, y), around[side])
        steps = networkx.single_source_shortest_path_length(graph, level.start) if level.start else {}
        assert {place: room["distance"] for place, room in rooms.items()} == {
            place: steps.get(place, -1) for place in rooms
        }
        assert len(rooms) == len(level.regions)
        for region in level.regions:
            place = (region.x, region.y)
            assert rooms[place]["tags"] == list(region.tags)
            kind = (
                "start"
                if place == level.start
                else "end"
                if place == level.end
                else next((k for k in ("secret", "dead end") if k in region.tags), "room")
            )
            assert rooms[place]["kind"] == kind


def test_the_scene_has_a_node_for_each_room_and_a_marker_for_each_door() -> None:
    for level in grids():
        scene = Scene(dump(level, "godot:rooms", stem="floor", room_size=(100, 200)))
        assert (scene.name, scene.head) == ("Floor", {"format": 3})
        rooms = dump_rooms(level)["rooms"]
        assert scene.places("rooms") == [f"Room_{room['x']}_{room['y']}" for room in rooms]
        assert len(scene.places("doors")) == sum(len(room["doors"]) for room in rooms)
        for room in rooms:
            path = f"Room_{room['x']}_{room['y']}"
            assert scene.nodes[path][1]["position"] == ("Vector2", room["x"] * 100, room["y"] * 200)
            meta = scene.meta(path)
            assert {key: meta[key] for key in ("kind", "tags", "doors", "distance")} == {
                key: room[key] for key in ("kind", "tags", "doors", "distance")
            }
            for side, kind in room["doors"].items():
                dx, dy = SIDES[side]
                marker = scene.meta(f"{path}/Door_{side}")
                assert marker == {"side": side, "kind": kind, "leads_to": ("Vector2i", room["x"] + dx, room["y"] + dy)}
                assert scene.nodes[f"{path}/Door_{side}"][1]["position"] == ("Vector2", 50 + 50 * dx, 100 + 100 * dy)


def test_the_corner_of_a_room_is_its_cell_times_its_size() -> None:
    scene = Scene(dump(loads(b"11\n10", "text:grid"), "godot:rooms", room_size="100x200"))
    assert [scene.nodes[path][1]["position"][1:] for path in scene.places("rooms")] == [(0, 0), (100, 0), (0, 200)]
    assert scene.meta(".")["room_size"] == ("Vector2i", 100, 200)
    assert Scene(dump(loads(b"11", "text:grid"), "godot:rooms")).meta(".")["room_size"] == ("Vector2i", 320, 192)


def test_a_door_that_leads_one_way() -> None:
    level = loads(b"211", "text:grid")
    table = level.links.table.copy()
    table["kind"] = [LINK_KINDS.index("one-way"), LINK_KINDS.index("locked")]
    rooms = dump_rooms(Level(level.tiles, level.palette, regions=level.regions, links=view_links(table), start=(2, 0)))[
        "rooms"
    ]
    assert [room["doors"] for room in rooms] == [{"e": "one-way"}, {"e": "locked"}, {"w": "locked"}]
    assert [room["distance"] for room in rooms] == [-1, 1, 0]


def test_a_grid_whose_regions_nobody_has_found() -> None:
    level = loads(b"0213", "text:grid")
    assert (
        dump_rooms(Level(level.tiles, ROOM_GRID_PALETTE, start=level.start, end=level.end))["rooms"]
        == dump_rooms(level)["rooms"]
    )


@pytest.mark.parametrize("name", ["godot:rooms", "json:rooms"])
def test_a_level_of_tiles_is_refused(name: str) -> None:
    for level in (uc.generate("isaac", seed=1), Level.parse("#.#"), uc.generate("cave", seed=1)):
        with pytest.raises(BadInput, match="this level is no room grid") as caught:
            dump(level, name)
        assert "expand=false" in caught.value.fix


@pytest.mark.parametrize("size", ["320", "axb", (0, 5), (3, -1), (1 << 21, 1), 7, None, (1, 2, 3)])
def test_a_room_has_two_sides(size: Any) -> None:
    with pytest.raises(BadInput, match="room_size is the width and height"):
        dump(loads(b"2", "text:grid"), "godot:rooms", room_size=size)


def test_a_json_file_of_something_else() -> None:
    found = FORMATS["json:rooms"].origin
    assert found is not None
    for data in (
        b"{}",
        b'{"format": "undercroft-rooms/2"}',
        b"[]",
        b'{"format": "undercroft-rooms/1", "provenance": 3}',
    ):
        with pytest.raises(BadInput, match=r"rooms\.json"):
            found(data, "rooms.json")
    assert found(b'{"format": "undercroft-rooms/1"}', "rooms.json") == {}


def test_the_example_reads_what_is_written() -> None:
    """The keys that the script takes are those that the file has."""
    script = (ROOT / "examples" / "godot" / "rooms_from_json.gd").read_text(encoding="utf-8")
    room = dump_rooms(loads(b"23", "text:grid"))["rooms"][0]
    for key in room:
        assert f'"{key}"' in script
