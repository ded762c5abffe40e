"""LDtk projects: read by LDtkPy and by ourselves, drawn from their tiles alone, and files from strangers.

The golden file is written anew with
    python -c "import undercroft as uc; uc.load('examples/chapel.json').save('tests/golden/formats/chapel.ldtk')"
    rm tests/golden/formats/undercroft.png
"""

from __future__ import annotations

import copy
import io
import json
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ldtkpy import api
from PIL import Image

import undercroft as uc
from support.levels import crypt, levels
from support.maps import HEAVY
from support.paths import ROOT
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.draw.tileset.picture import compose_image
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.formats import FORMATS, dump, loads
from undercroft.formats.ldtk.number_text import CHUNK_RECORDS, format_records
from undercroft.formats.ldtk.value_names import (
    ROLE_WORDS,
    IntGridDefinition,
    IntGridValue,
    build_palette,
    find_value_role,
)

GOLDEN = ROOT / "tests" / "golden" / "formats" / "chapel.ldtk"
ROW = FORMATS["ldtk"]
RECIPES = ("rooms-and-mazes", "cave", "bsp", "tinykeep", "isaac", "cozy", "maze", "dungeoning")


def chapel() -> Level:
    return uc.load(ROOT / "examples" / "chapel.json")


def without_layers(level: Level) -> Level:
    """What a project can hold: all but further layers."""
    parts = {
        name: getattr(level, name)
        for name in ("regions", "doors", "links", "things", "start", "end", "path", "title", "provenance")
    }
    return Level(level.tiles, level.palette, **parts)


def read(data: Any) -> Level:
    return loads(data if isinstance(data, bytes) else json.dumps(data).encode(), "ldtk", "map.ldtk")


# --- others read what we write ---


def theirs(level: Level) -> Any:
    """The project as LDtkPy has it."""
    return api.ldtk_json_from_dict(json.loads(dump(level, "ldtk")))


def by_name(project: Any) -> dict[str, Any]:
    return {layer.identifier: layer for layer in project.levels[0].layer_instances}


@pytest.mark.parametrize("make", [chapel, crypt, *(lambda name=name: uc.generate(name, seed=3) for name in RECIPES)])
def test_ldtkpy_reads_every_cell_and_every_entity(make: Callable[[], Level]) -> None:
    level = make()
    project = theirs(level)
    layers = by_name(project)
    terrain, regions = (
        np.array(layers[name].int_grid_csv).reshape(level.tiles.shape) for name in ("Terrain", "Regions")
    )
    values = {
        row.value: row.identifier
        for row in next(layer for layer in project.defs.layers if layer.identifier == "Terrain").int_grid_values
    }
    names = [re.sub("[^A-Za-z0-9]+", "_", tile.name) for tile in level.palette.tiles]
    assert [[values.get(value, names[level.palette.role("void")]) for value in row] for row in terrain.tolist()] == [
        [names[code] for code in row] for row in level.tiles.tolist()
    ]
    assert (regions == level.regions.labels).all()
    found = [
        (one.identifier, *one.grid, {field.identifier: field.value for field in one.field_instances})
        for one in layers["Entities"].entity_instances
    ]
    wanted: list[Any] = [(name, *point, {}) for name, point in (("Start", level.start), ("End", level.end)) if point]
    wanted += [
        ("Door", door.x, door.y, {"state": door.state, "a": door.a, "b": door.b, "number": n})
        for n, door in enumerate(level.doors)
    ]
    rest = len(wanted)
    assert found[:rest] == wanted
    assert [
        (x, y, {k: json.loads(v) if k == "contents" else v for k, v in fields.items() if v is not None})
        for _, x, y, fields in found[rest:]
    ] == [(t.x, t.y, thaw(t.data)) for t in level.things]
    rooms = [one for one in layers["Rooms"].entity_instances if one.identifier == "Room"]
    assert [(*one.px, one.width, one.height) for one in rooms] == [
        tuple(16 * side for side in (r.x, r.y, r.width, r.height)) for r in level.regions
    ]
    links = [
        {field.identifier: field.value for field in one.field_instances}
        for one in layers["Rooms"].entity_instances
        if one.identifier == "Link"
    ]
    assert [(one["a"], one["b"], one["kind"].replace("_", "-"), one["door"], one["carved"]) for one in links] == [
        tuple(link) for link in level.links
    ]
    path = [one for one in layers["Rooms"].entity_instances if one.identifier == "Path"]
    assert [[point["cx"], point["cy"]] for one in path for point in one.field_instances[0].value] == level.path.tolist()


def render_tiles(level: Level) -> Image.Image:
    """The picture that the tiles of the file make, with the tileset beside it, as any program would draw it."""
    layers = by_name(theirs(level))
    assert ROW.beside is not None
    sheet = Image.open(io.BytesIO(ROW.beside(level, "map")["undercroft.png"]))
    picture = Image.new("RGBA", (level.width * 16, level.height * 16), (0, 0, 0, 255))
    for name in ("Terrain_tiles", "Doors", "Decor"):  # the last of the file is the lowest
        for tile in layers[name].grid_tiles:
            assert tile.src == [tile.t % 32 * 16, tile.t // 32 * 16]
            assert tile.d == [tile.px[1] // 16 * level.width + tile.px[0] // 16]
            piece = sheet.crop((*tile.src, tile.src[0] + 16, tile.src[1] + 16))
            picture.alpha_composite(piece, (tile.px[0], tile.px[1]))
    return picture.convert("RGB")


@pytest.mark.parametrize("make", [chapel, crypt, lambda: uc.generate("cave", seed=1, size=(40, 30))])
def test_the_tiles_make_the_picture(make: Callable[[], Level]) -> None:
    level = make()
    ours, others = np.asarray(compose_image(level)).astype(int), np.asarray(render_tiles(level)).astype(int)
    assert abs(ours - others).max() <= 1  # a rounding apart where pieces are half transparent
    order = [layer["__identifier"] for layer in json.loads(dump(level, "ldtk"))["levels"][0]["layerInstances"]]
    assert order == ["Entities", "Rooms", "Decor", "Doors", "Terrain_tiles", "Terrain", "Regions"]


def test_names_and_numbers_are_unlike_each_other_and_stay_the_same() -> None:
    data = dump(crypt(), "ldtk")
    assert data == dump(crypt(), "ldtk")
    whole = json.loads(data)
    iids = re.findall(rb'"iid":"([^"]+)"|"dummyWorldIid":"([^"]+)"', data)
    flat = [one or other for one, other in iids]
    assert len({*flat}) == len(flat) >= 20
    assert all(
        re.fullmatch(rb"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", iid) for iid in flat
    )
    uids = [int(uid) for uid in re.findall(rb'"uid":(\d+)', data)]
    assert len({*uids}) == len(uids)
    assert whole["nextUid"] == max(uids) + 1
    other = Level.parse("#.")
    assert not {*flat} & {iid.encode() for iid in re.findall(r'"iid":"([^"]+)"', dump(other, "ldtk").decode())}


def test_the_golden_file() -> None:
    assert dump(chapel(), "ldtk") == GOLDEN.read_bytes()


# --- we read what we wrote ---


@given(levels())
@settings(max_examples=400 if HEAVY else 40)
def test_a_project_of_ours_comes_back_whole(level: Level) -> None:
    back = read(dump(level, "ldtk"))
    assert back == without_layers(level)
    assert back.provenance == level.provenance


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_recipes_make_comes_back_whole(recipe: str) -> None:
    for seed in range(3 if HEAVY else 1):
        level = uc.generate(recipe, seed=seed)
        back = read(dump(level, "ldtk"))
        assert back == without_layers(level)
        assert back.provenance == level.provenance


def test_large_numbers_in_the_data_of_things_are_kept_exactly() -> None:
    level = Level(
        Level.parse("...").tiles, things=[Thing("vault", 0, 0, {"code": 2**63}), Thing("vault", 1, 0, {"code": 5})]
    )
    assert read(dump(level, "ldtk")).things == level.things


def test_somebody_may_change_a_project_of_ours() -> None:
    level = chapel()
    whole = json.loads(dump(level, "ldtk"))
    layers = {layer["__identifier"]: layer for layer in whole["levels"][0]["layerInstances"]}
    rooms = layers["Rooms"]["entityInstances"]
    del rooms[1]  # the corridor
    layers["Entities"]["entityInstances"] = [
        one for one in layers["Entities"]["entityInstances"] if one["__identifier"] != "Door"
    ]
    terrain = next(layer for layer in whole["defs"]["layers"] if layer["identifier"] == "Terrain")
    terrain["intGridValues"].append(
        {"value": 40, "identifier": "Deep_lake", "color": "#0000FF", "tile": None, "groupUid": 0}
    )
    layers["Terrain"]["intGridCsv"][0] = 40
    back = read(whole)
    assert STANDARD.tiles[back.tiles[0, 0]].name == "water"
    assert [(room.label, room.area) for room in back.regions] == [(1, 8), (2, 9)]
    assert np.unique(back.regions.labels).tolist() == [0, 1, 2]
    assert (back.regions.labels == 2).sum() == 9
    assert not len(back.doors)
    assert [(link.a, link.b, link.door) for link in back.links] == [(1, 0, -1), (0, 2, -1)]


@pytest.mark.parametrize(("label", "place"), [(77, 3), (1, 1)])
def test_a_copied_room_has_no_cells(label: int, place: int) -> None:
    """Whether somebody gives the copy a label of its own, or not."""
    level = chapel()
    whole = json.loads(dump(level, "ldtk"))
    (rooms,) = [layer for layer in whole["levels"][0]["layerInstances"] if layer["__identifier"] == "Rooms"]
    copied = copy.deepcopy(rooms["entityInstances"][0])
    next(row for row in copied["fieldInstances"] if row["__identifier"] == "label")["__value"] = label
    rooms["entityInstances"].append(copied)
    back = read(whole)
    regions = list(back.regions)
    added = regions.pop(place)
    assert [region[1:] for region in regions] == [region[1:] for region in level.regions]
    assert (added.x, added.y, added.width, added.height, added.area) == (*level.regions[0][2:4], 0, 0, 0)
    assert np.array_equal(back.regions.labels > 0, level.regions.labels > 0)
    assert read(dump(back, "ldtk")) == back
    for name, row in FORMATS.items():
        if row.dump is not None and name not in ("json:rooms", "godot:rooms"):  # these take other levels
            assert dump(back, name)


def doors_and_links(level: Level) -> list[tuple[Any, ...]]:
    """Each link with the place of its door, or None."""
    doors = [(door.x, door.y) for door in level.doors]
    return [(link.a, link.b, link.kind, doors[link.door] if link.door >= 0 else None) for link in level.links]


def door_entities(whole: Any) -> tuple[list[Any], list[int]]:
    """The entities of the layer that holds the doors, and where these are among them."""
    entities = whole["levels"][0]["layerInstances"][0]["entityInstances"]
    return entities, [index for index, one in enumerate(entities) if one["__identifier"] == "Door"]


def test_links_keep_their_doors_when_one_is_taken_out() -> None:
    level = uc.generate("rooms-and-mazes", seed=3, size=(41, 21))
    before = doors_and_links(level)
    for gone in (0, len(level.doors) // 2, len(level.doors) - 1):
        whole = json.loads(dump(level, "ldtk"))
        entities, places = door_entities(whole)
        x, y = entities.pop(places[gone])["__grid"]
        wanted = [(*row[:3], None if row[3] == (x, y) else row[3]) for row in before]
        back = read(whole)
        assert doors_and_links(back) == wanted != before
        assert doors_and_links(read(dump(back, "ldtk"))) == wanted
    assert not any(link.door >= 0 for link in read(without_doors(level)).links)


def without_doors(level: Level) -> Any:
    whole = json.loads(dump(level, "ldtk"))
    entities, places = door_entities(whole)
    del entities[places[0] : places[-1] + 1]
    return whole


def test_new_doors_and_copies_take_no_links() -> None:
    """LDtk gives a new door no number, and a copy that of the first."""
    level = chapel()
    for number in (None, 0):
        whole = json.loads(dump(level, "ldtk"))
        entities, places = door_entities(whole)
        new = json.loads(json.dumps(entities[places[0]]))
        new |= {"__grid": [1, 1], "px": [16, 16]}
        new["fieldInstances"][-1]["__value"] = number
        entities.insert(places[0] + (number == 0), new)
        back = read(whole)
        assert len(back.doors) == len(level.doors) + 1
        assert doors_and_links(back) == doors_and_links(level)


def test_doors_of_older_files_are_known_by_their_places() -> None:
    level = chapel()
    whole = json.loads(dump(level, "ldtk"))
    entities, places = door_entities(whole)
    for place in places:
        entities[place]["fieldInstances"] = [
            row for row in entities[place]["fieldInstances"] if row["__identifier"] != "number"
        ]
    assert read(whole) == without_layers(level)
    assert any(link.door >= 0 for link in level.links)


def test_a_layer_that_somebody_put_into_a_project_of_ours() -> None:
    whole = json.loads(dump(chapel(), "ldtk"))
    layers = whole["levels"][0]["layerInstances"]
    terrain = next(layer for layer in layers if layer["__identifier"] == "Terrain")
    cells = [0] * len(terrain["intGridCsv"])
    cells[0], cells[16] = 2, 1  # a corner, and the cell (3, 1)
    layers.insert(0, terrain | {"__identifier": "Flood", "layerDefUid": 900, "intGridCsv": cells})
    values = [
        {"value": 1, "identifier": "Lake", "color": "#0000FF"},
        {"value": 2, "identifier": "zork", "color": "#0000FF"},
    ]
    whole["defs"]["layers"].append({"uid": 900, "identifier": "Flood", "intGridValues": values})
    back = read(whole)
    wanted = chapel().tiles.copy()
    wanted[1, 3] = STANDARD["water"]
    assert (back.tiles == wanted).all()
    assert back.regions == chapel().regions
    assert back.provenance == chapel().provenance
    layers[0]["__gridSize"] = 8
    assert read(whole).provenance == dict(chapel().provenance) | {
        "ldtk": {"layers not read": {"Flood": "its cells are 8 pixels wide, not 16"}}
    }
    assert read(whole) == without_layers(chapel())


# --- we read what others wrote ---


def stranger(values: Any = None, cells: Any = None, **more: Any) -> Any:
    """A project with the least that is read, three cells by two."""
    values = [{"value": 1, "identifier": "Walls", "color": "#FFFFFF", "groupUid": 0}] if values is None else values
    grid = {
        "__identifier": "Collisions",
        "__type": "IntGrid",
        "__cWid": 3,
        "__cHei": 2,
        "__gridSize": 8,
        "layerDefUid": 5,
        "entityInstances": [],
    }
    grid |= {"intGridCsv": [1, 0, 1, 1, 0, 0] if cells is None else cells, "gridTiles": []}
    layer = {
        "uid": 5,
        "identifier": "Collisions",
        "intGridValues": values,
        "intGridValuesGroups": [{"uid": 9, "identifier": "liquids"}],
    }
    level = {
        "identifier": "Entrance",
        "fieldInstances": [],
        "layerInstances": [{"__identifier": "Npcs", "__type": "Entities", "entityInstances": []}, grid],
    }
    return {"jsonVersion": "1.5.3", "defs": {"layers": [layer], "entities": []}, "levels": [level], **more}


def entity(called: str, x: int, y: int, pivot: tuple[float, float] = (0, 0), **fields: Any) -> Any:
    rows = [{"__identifier": key, "__value": value, "defUid": 3} for key, value in fields.items()]
    return {
        "__identifier": called,
        "px": [x, y],
        "__pivot": [*pivot],
        "width": 8,
        "height": 8,
        "defUid": 2,
        "fieldInstances": rows,
    }


def test_a_layer_of_collisions() -> None:
    """What is not painted there is ground."""
    whole = stranger()
    others = [{"identifier": "Cellar"}, {"identifier": "Tower"}]
    whole["levels"] += others
    whole["levels"][0]["layerInstances"][0]["entityInstances"] = [
        entity("PlayerStart", 8, 0),
        entity("Exit", 12, 16, (0.5, 1)),
        entity("Red_slime", 16, 8, hp=3, loot=["gold"], asleep=True, name="Bob"),
        entity("Bird", 80, 0),
    ]
    level = read(whole)
    assert str(level) == "#.#\n#.."
    assert level.palette == STANDARD
    assert (level.start, level.end, level.title) == ((1, 0), (1, 1), "Entrance")
    assert level.things == (Thing("red slime", 2, 1, {"hp": 3, "loot": ["gold"], "asleep": True, "name": "Bob"}),)
    assert level.provenance == {
        "ldtk": {"level": "Entrance", "not read": ("Cellar", "Tower"), "entities outside of the level": 1}
    }
    assert len(uc.survey(level).regions) == 1


def test_values_by_their_names_their_groups_and_their_layer() -> None:
    values = [
        {"value": 1, "identifier": "stone_wall", "color": "#FFFFFF", "groupUid": 0},
        {"value": 2, "identifier": "Grass", "color": "#00FF00", "groupUid": 0},
        {"value": 7, "identifier": "swamp", "color": "#004400", "groupUid": 9},
        {"value": 300, "identifier": None, "color": None},
    ]
    level = read(stranger(values, [1, 2, 7, 300, 0, 0]))
    assert [level.palette.tiles[code].role for code in level.tiles.reshape(-1).tolist()] == [
        "wall",
        "floor",
        "water",
        "wall",
        "void",
        "void",
    ]
    whole = stranger(values, [1, 2, 7, 300, 0, 0])
    whole["defs"]["layers"][0]["identifier"] = "Zork"
    level = read(whole)
    assert [(tile.name, tile.role, tile.colour) for tile in level.palette.tiles[len(STANDARD) :]] == [
        ("value 300", "floor", "#888888")
    ]
    assert level.tiles[1, 0] == len(STANDARD)


@pytest.mark.parametrize(
    ("role", "word"), [(role, word) for role, words in ROLE_WORDS.items() for word in words.split()]
)
def test_every_word_stands_for_its_role(role: str, word: str) -> None:
    for name in (word, word.upper(), word.capitalize(), f"{word}s", f"old_{word}", f"Old{word.capitalize()}"):
        assert find_value_role(name) == role, name


def test_every_tile_of_the_standard_palette_is_known_by_its_name() -> None:
    for tile in STANDARD.tiles:
        assert find_value_role(tile.name.replace(" ", "_")) == tile.role


def test_more_strange_values_than_signs() -> None:
    values = [IntGridValue(number, f"zork{'x' * number}", "", "#123456") for number in range(1, 300)]
    palette, [(codes, nameless)], empty = build_palette([IntGridDefinition("zork", values)])
    assert len(palette) <= 255
    assert {*codes} == nameless == {*range(1, 300)}
    assert palette.tiles[codes[299]].role == palette.tiles[codes[1]].role == "floor"
    assert palette.tiles[empty].role == "void"
    alike = IntGridDefinition("", [IntGridValue(1, "a b", "", "#000000"), IntGridValue(2, "a_b", "", "#000000")])
    assert build_palette([alike])[1][0].codes == {1: len(STANDARD), 2: STANDARD["floor"]}
    assert build_palette([alike._replace(values=alike.values[:1])] * 2)[1][1].codes == {1: len(STANDARD)}, (
        "layers share a tile"
    )


def test_levels_in_worlds() -> None:
    whole = stranger()
    whole["worlds"] = [{"levels": whole["levels"]}]
    whole["levels"] = []
    assert str(read(whole)) == "#.#\n#.."


# --- several layers ---


def layered(*layers: tuple[str, str, list[str]], **more: Any) -> Any:
    """A project whose IntGrid layers, from the top, have a name, the names of their values, and rows of digits; `more`
    is for the first.
    """
    whole = stranger()
    held, defs = whole["levels"][0]["layerInstances"], whole["defs"]["layers"]
    held.pop()
    for number, (name, values, rows) in enumerate(layers, 20):
        size = {
            "__cWid": len(rows[0]),
            "__cHei": len(rows),
            "__gridSize": 8,
            "__pxTotalOffsetX": 0,
            "__pxTotalOffsetY": 0,
        }
        held.append(
            {
                "__identifier": name,
                "__type": "IntGrid",
                "layerDefUid": number,
                **size,
                "intGridCsv": [int(cell) for row in rows for cell in row],
            }
        )
        named = [
            {"value": value, "identifier": word, "color": "#112233"} for value, word in enumerate(values.split(), 1)
        ]
        defs.append({"uid": number, "identifier": name, "intGridValues": named})
    held[1] |= more
    return whole


def test_walls_of_every_layer_are_walls() -> None:
    """They were lost, but for those of the first layer."""
    hut, ground = ("Huts", "Wall", ["0100", "0000", "0001"]), ("Ground", "Grass Sea", ["1112", "1112", "1110"])
    level = read(layered(hut, ground))
    assert str(level) == ".#.~\n...~\n...#"
    assert level.provenance == {"ldtk": {"level": "Entrance"}}
    assert str(read(layered(ground, hut))) == "...~\n...~\n...#", "the first layer is on top"
    assert str(read(layered(hut, ("Rocks", "Rock", ["1000"] * 3)))) == "##..\n#...\n#..#", (
        "nothing but walls: the rest is ground"
    )


@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=4))
@settings(max_examples=60)
def test_layers_are_laid_upon_each_other_from_below(cells: list[list[int]]) -> None:
    level = read(
        layered(
            *(
                (f"Layer_{'abcd'[n]}", "Wall Grass Sea", ["".join(map(str, row[:3])), "".join(map(str, row[3:]))])
                for n, row in enumerate(cells)
            )
        )
    )
    signs = [" #.~"[next((row[place] for row in cells if row[place]), 0)] for place in range(6)]
    assert str(level) == "".join(signs[:3]) + "\n" + "".join(signs[3:])


def test_layers_for_collisions_count_below_others_and_leave_doors_alone() -> None:
    ground, walls, doors = (
        ("Ground", "Grass", ["1111"]),
        ("Collisions", "Wall Water Grass", ["1203"]),
        ("Gates", "Door", ["1000"]),
    )
    for layers in ((doors, walls, ground), (doors, ground, walls), (walls, doors, ground), (walls, ground, doors)):
        covered = layers.index(ground) < layers.index(doors)
        assert str(read(layered(*layers))) == ("#~.." if covered else "+~.."), layers


def test_layers_may_have_the_same_definition() -> None:
    whole = layered(("Upper", "Wall zork", ["100", "000"]), ("Lower", "Grass", ["222", "212"]))
    _, upper, lower = whole["levels"][0]["layerInstances"]
    lower["layerDefUid"] = upper["layerDefUid"]
    level = read(whole)
    names = [[level.palette.tiles[code].name for code in row] for row in level.tiles.tolist()]
    assert names == [["wall", "zork", "zork"], ["zork", "wall", "zork"]]


@pytest.mark.parametrize("uid", [None, [20], {}, "20", 20.5])
def test_a_uid_that_no_definition_has(uid: Any) -> None:
    whole = layered(("Upper", "Wall", ["100"]), ("Lower", "Grass", ["111"]))
    whole["levels"][0]["layerInstances"][1]["layerDefUid"] = uid
    with pytest.raises(BadInput, match="no layer is defined that has the uid"):
        read(whole)


def test_values_that_say_nothing_cover_nothing() -> None:
    walls, marks = ("Solids", "Wall", ["1010"]), ("Areas", "zork quux", ["1200"])
    for layers in ((marks, walls), (walls, marks)):
        level = read(layered(*layers))
        assert [level.palette.tiles[code].name for code in level.tiles[0].tolist()] == ["wall", "quux", "wall", "floor"]


@pytest.mark.parametrize(
    ("x", "y", "drawn", "lost"),
    [
        (8, 0, ".##\n..#", 1),
        (-16, 0, "#..\n...", 3),
        (0, 8, "...\n###", 1),
        (-24, 0, "...\n...", 4),
        (-8, -8, "#..\n...", 3),
    ],
)
def test_a_layer_is_moved_by_whole_cells(x: int, y: int, drawn: str, lost: int) -> None:
    walls, ground = ("Walls", "Wall", ["111", "010"]), ("Ground", "Grass", ["111", "111"])
    level = read(layered(walls, ground, __pxTotalOffsetX=x, __pxTotalOffsetY=y))
    assert str(level) == drawn
    assert level.provenance["ldtk"].get("cells outside of the level", 0) == lost


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"__pxTotalOffsetX": 4}, "it is moved by a part of a cell"),
        ({"__pxTotalOffsetY": -1}, "it is moved by a part of a cell"),
        ({"__gridSize": 16}, "its cells are 16 pixels wide, not 8"),
        ({"__cWid": 2, "__cHei": 3}, "it has 2x3 cells, not 3x2"),
    ],
)
def test_layers_that_do_not_fit_are_told(change: Any, why: str) -> None:
    walls, ground = ("Walls", "Wall", ["111", "010"]), ("Terrain", "Grass", ["111", "111"])
    level = read(layered(walls, ground, **change))
    assert str(level) == "...\n..."
    assert level.provenance == {"ldtk": {"level": "Entrance", "layers not read": {"Walls": why}}}


def test_a_layer_alone_may_be_moved_by_a_part_of_a_cell() -> None:
    """Then entities stand as they do upon it."""
    whole = layered(("Walls", "Wall", ["111", "010"]), __pxTotalOffsetX=4)
    npcs = whole["levels"][0]["layerInstances"][0]
    npcs["entityInstances"] = [entity("Bat", 8, 0), entity("Rat", 2, 0)]
    level = read(whole)
    assert str(level) == "###\n.#."
    assert [(thing.kind, thing.x) for thing in level.things] == [("bat", 0)]
    assert level.provenance["ldtk"] == {"level": "Entrance", "entities outside of the level": 1}
    npcs |= {"__pxTotalOffsetX": 4}
    assert [(thing.kind, thing.x) for thing in read(whole).things] == [("bat", 1), ("rat", 0)]


# --- files that do harm ---


def changed(path: str, value: Any) -> bytes:
    """A project with another value at a place such as levels/0/pxWid; None takes it away."""
    whole: Any = stranger()
    *way, last = path.split("/")
    place = whole
    for key in way:
        place = place[int(key) if key.isdigit() else key]
    if value is None:
        del place[last]
    else:
        place[int(last) if isinstance(place, list) else last] = value
    return json.dumps(whole).encode()


GRID = "levels/0/layerInstances/1"
HOSTILE: list[tuple[str, bytes]] = [
    ("the file is empty", b""),
    ("this is not JSON", b"{"),
    ("this is no LDtk project", b"[]"),
    ("this is no LDtk project", b'{"levels": []}'),
    ("the key 'a' stands twice", b'{"a": 1, "a": 2}'),
    ("its nesting is", b"[" * 1000),
    ("the project has no level", changed("levels", [])),
    ("a list belongs here, not an object", changed("levels", {})),
    ("an object belongs here, not 5", changed("levels", [5])),
    ("the layers of this level are in a file of their own", changed("levels/0/layerInstances", None)),
    ("the level 'Entrance' has no IntGrid layer", changed("levels/0/layerInstances", [])),
    ("has no IntGrid layer", changed(f"{GRID}/__type", "Tiles")),
    ("1,048,577 is out of range".replace(",", ""), changed(f"{GRID}/__cWid", (1 << 20) + 1)),
    (
        "the number of cells of 1048576x1048576",
        changed(f"{GRID}/__cWid", 1 << 20).replace(b'"__cHei": 2', b'"__cHei": 1048576'),
    ),
    ("0 is out of range", changed(f"{GRID}/__cHei", 0)),
    ("a whole number belongs here, not 2.5", changed(f"{GRID}/__cHei", 2.5)),
    ("the list has 6 values where 8 belong", changed(f"{GRID}/__cWid", 4)),
    ("this project is of an older LDtk", changed(f"{GRID}/intGridCsv", None)),
    ("a whole number belongs here, not 1.5", changed(f"{GRID}/intGridCsv/2", 1.5)),
    ("a whole number belongs here, not 'x'", changed(f"{GRID}/intGridCsv/2", "x")),
    (r"a whole number belongs here, not \[1\]", changed(f"{GRID}/intGridCsv/2", [1])),
    ("belongs here", changed(f"{GRID}/intGridCsv", [[1]] * 6)),
    ("is out of range", changed(f"{GRID}/intGridCsv/2", 10**30)),
    (r"the cell \(2, 0\) has the value 7, which is not defined", changed(f"{GRID}/intGridCsv/2", 7)),
    (r"the cell \(2, 0\) has the value -1, which is not defined", changed(f"{GRID}/intGridCsv/2", -1)),
    ("no layer is defined that has the uid 6", changed(f"{GRID}/layerDefUid", 6)),
    ("no layer is defined that has the uid", changed("defs/layers", [])),
    ("an object belongs here, not 1", changed("defs", 1)),
    ("0 is out of range", changed("defs/layers/0/intGridValues/0/value", 0)),
    ("a text belongs here, not 4", changed("defs/layers/0/intGridValues/0/identifier", 4)),
    ("0 is out of range", changed(f"{GRID}/__gridSize", 0)),
    ("a list belongs here, not null", changed("levels/0/layerInstances/0/entityInstances", [{"__identifier": "a"}])),
    (
        "the list has 1 values where 2 belong",
        changed("levels/0/layerInstances/0/entityInstances", [{"__identifier": "a", "px": [1]}]),
    ),
    (
        "a text belongs here, not 7",
        changed("levels/0/layerInstances/0/entityInstances", [{"__identifier": 7, "px": [1, 1]}]),
    ),
    ("holds half a character", changed("levels/0/identifier", "\ud800")),
    ("a whole number belongs here, not 'x'", changed(f"{GRID}/__pxTotalOffsetX", "x")),
    ("is out of range", changed(f"{GRID}/__pxTotalOffsetY", 1 << 40)),
]


@pytest.mark.parametrize(("problem", "data"), HOSTILE)
def test_a_file_that_is_wrong_is_told_so(problem: str, data: bytes) -> None:
    begun = time.process_time()
    with pytest.raises(BadInput, match=problem) as caught:
        read(data)
    assert time.process_time() - begun < 3
    assert "map.ldtk" in str(caught.value)
    assert caught.value.fix


def own_changed(layer: int, entity_number: int, field: str, value: Any) -> Any:
    whole = json.loads(dump(chapel(), "ldtk"))
    one = whole["levels"][0]["layerInstances"][layer]["entityInstances"][entity_number]
    for row in one["fieldInstances"]:
        if row["__identifier"] == field:
            row["__value"] = value
    if value is None:
        one["fieldInstances"] = [row for row in one["fieldInstances"] if row["__identifier"] != field]
    return whole


@pytest.mark.parametrize(
    ("problem", "where"),
    [
        ("a whole number belongs here, not 'x'", (0, 2, "number", "x")),
        ("-1 is out of range", (0, 2, "number", -1)),
        ("unknown state 'ajar'", (0, 2, "state", "ajar")),
        ("the Door has no field 'a'", (0, 2, "a", None)),
        ("unknown kind 'shed'", (1, 0, "kind", "shed")),
        ("0 is out of range", (1, 0, "label", 0)),
        ("a list belongs here", (1, 0, "tags", "chapel")),
        ("a text belongs here, not 3", (1, 0, "name", 3)),
        ("true or false belongs here", (1, 3, "carved", 1)),
        ("13 is out of range", (1, 5, "cells", [{"cx": 13, "cy": 0}])),
        ("an object belongs here", (1, 5, "cells", [3])),
    ],
)
def test_a_project_of_ours_that_is_wrong_is_told_so(problem: str, where: tuple[int, int, str, Any]) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        read(own_changed(*where))
    assert "map.ldtk: at levels[0].layerInstances[" in str(caught.value)


@pytest.mark.parametrize(
    ("field", "text"),
    [("undercroft", "{"), ("undercroft", "[]"), ("palette", '"zork"'), ("palette", "{}"), ("palette", "")],
)
def test_what_a_level_tells_of_itself_may_be_wrong(field: str, text: str) -> None:
    whole = json.loads(dump(chapel(), "ldtk"))
    for row in whole["levels"][0]["fieldInstances"]:
        if row["__identifier"] == field:
            row["__value"] = text
    with pytest.raises(BadInput, match=r"map\.ldtk: at levels\[0\]\.fieldInstances"):
        read(whole)


@given(st.binary(max_size=40), st.integers(0, 10**6), st.integers(0, 30))
@settings(max_examples=150)
def test_no_bytes_do_harm(data: bytes, at: int, gone: int) -> None:
    """A project with something put in or cut out anywhere is read or refused."""
    whole = json.dumps(stranger()).encode()
    at %= len(whole)
    with suppress(UndercroftError):
        read(whole[:at] + data + whole[at + gone :])


def test_a_level_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooBig, match="number of cells is 1,049,600"):
        dump(Level(np.zeros((1024, 1025), np.uint8)), "ldtk")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(BadInput, match="half a character"):
        dump(Level(Level.parse("#").tiles, title="\udc80"), "ldtk")


def test_records_are_joined_over_the_ends_of_chunks() -> None:
    numbers = np.concatenate([np.arange(CHUNK_RECORDS + 3), [10**9]])
    assert format_records([b"<", numbers, b">"]) == "".join(f"<{number}>" for number in numbers.tolist()).encode()
    assert format_records([b"<", numbers[:0], b">"]) == b""
