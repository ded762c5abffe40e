"""Maps that others drew in Tiled: which cell becomes what, in whatever way the file is written."""

from __future__ import annotations

import base64
import gzip
import json
import os
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from undercroft.core.drawing import dedented
from undercroft.core.level import Level
from undercroft.core.palette import ROLES
from undercroft.core.region import Thing
from undercroft.draw.tileset.picture import tileset
from undercroft.errors import BadInput
from undercroft.formats import loads
from undercroft.formats.shared.role_names import find_role

TILES = ".abcdefgh"
"""Signs of drawings; their places are the numbers of tiles, and a dot is none."""


def cells(picture: str) -> np.ndarray[Any, Any]:
    return np.array([[TILES.index(sign) for sign in row] for row in dedented(picture).split("\n")], np.uint32)


def layer(name: str, picture: str, **more: Any) -> dict[str, Any]:
    grid = cells(picture)
    return {
        "type": "tilelayer",
        "name": name,
        "width": grid.shape[1],
        "height": grid.shape[0],
        "data": grid.reshape(-1).tolist(),
        **more,
    }


def tiles(**told: Any) -> list[dict[str, Any]]:
    """Tiles of a tileset by their signs: a text is a type, a dict are properties, and True is a shape in the collision
    editor.
    """
    rows = []
    for sign, what in told.items():
        row: dict[str, Any] = {"id": TILES.index(sign) - 1}
        if isinstance(what, str):
            row["type"] = what
        elif isinstance(what, dict):
            row["properties"] = [
                {"name": name, "type": {bool: "bool", str: "string", int: "int"}[type(value)], "value": value}
                for name, value in what.items()
            ]
        else:
            row["objectgroup"] = {
                "type": "objectgroup",
                "objects": [{"id": 1, "x": 0, "y": 0, "width": 16, "height": 16}],
            }
        rows.append(row)
    return rows


def document(*layers: dict[str, Any], told: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    sheet = {
        "firstgid": 1,
        "name": "somebody's",
        "tilewidth": 16,
        "tileheight": 16,
        "tilecount": 8,
        "columns": 8,
        "tiles": told or [],
    }
    size = next(
        ({"width": one["width"], "height": one["height"]} for one in layers if "width" in one),
        {"width": 4, "height": 4},
    )
    return {
        "orientation": "orthogonal",
        **size,
        "tilewidth": 16,
        "tileheight": 16,
        "tilesets": [sheet],
        "layers": list(layers),
        **more,
    }


def read(found: dict[str, Any]) -> Level:
    return loads(json.dumps(found).encode(), "tmj", "map.tmj")


def read_as_text(*layers: dict[str, Any], told: list[dict[str, Any]] | None = None, **more: Any) -> str:
    return str(read(document(*layers, told=told, **more)))


def picture(text: str) -> str:
    return str(Level.parse(text))


ROOM = """
    aaaaa
    abbba
    abcba
    aaaaa
"""

# --- what becomes what ---


def test_a_lowest_layer_that_says_nothing_is_floor() -> None:
    assert read_as_text(layer("Tile Layer 1", "aa.\n.bb")) == picture("..X\nX..")


@pytest.mark.parametrize(
    "told",
    [
        tiles(a={"role": "wall"}, b={"role": "floor"}, c={"role": "water"}),
        tiles(a="Wall", b="Ground", c="water"),
        tiles(a={"wall": True}, c={"water": True}),
        tiles(a={"collides": True}, b={"walkable": True}, c={"water": True}),
        tiles(a={"walkable": False}, c="Lake"),
        tiles(a=True, c="river"),
        [{"id": 0, "class": "wall"}, {"id": 2, "class": "water"}],
    ],
)
def test_tiles_say_what_they_are(told: list[dict[str, Any]]) -> None:
    assert read_as_text(layer("Tile Layer 1", ROOM), told=told) == picture("""
        #####
        #...#
        #.~.#
        #####
    """)


def test_the_property_role_comes_first_then_type_then_flags_then_shapes_then_the_layer() -> None:
    one: dict[str, Any] = {
        "id": 0,
        "type": "water",
        "properties": [{"name": "pit", "type": "bool", "value": True}],
        "objectgroup": {"objects": [{"id": 1}]},
    }
    role = {"name": "role", "type": "string", "value": "pillar"}
    door = layer("Doors", "a")
    assert read_as_text(door, told=[{**one, "properties": [*one["properties"], role]}]) == "o"
    assert read_as_text(door, told=[one]) == "~"
    assert read_as_text(door, told=[{**one, "type": ""}]) == ":"
    assert read_as_text(door, told=[{**one, "type": "", "properties": []}]) == "#"
    assert read_as_text(door, told=[{"id": 0}]) == "+"
    assert read_as_text(layer("x", "a"), told=[{"id": 0}]) == "."


def test_a_role_nobody_knows_and_flags_that_are_false_say_nothing() -> None:
    assert (
        read_as_text(
            layer("x", "abc"), told=tiles(a={"role": "shopkeeper"}, b={"wall": False, "solid": False}, c={"wall": 1})
        )
        == "..."
    )


@pytest.mark.parametrize("role", list(ROLES))
def test_every_role_can_be_said(role: str) -> None:
    for told in (tiles(a={"role": role}), tiles(a=role)):
        level = read(document(layer("x", "a"), told=told))
        assert level.palette.tiles[level.tiles[0, 0]].role == role


NAMES = {
    "Walls": "wall",
    "ground_2": "floor",
    "FLOOR": "floor",
    "WaterTiles": "water",
    "secret doors": "secret",
    "Locked Door": "locked",
    "stairsUp": "entry",
    "Stairs (down)": "exit",
    "pits": "pit",
    "Hallways": "corridor",
    "Tile Layer 3": "",
    "Objects": "",
    "wallet": "",
    "stairs": "",
}


@pytest.mark.parametrize(("name", "role"), NAMES.items())
def test_names_that_say_something(name: str, role: str) -> None:
    assert find_role(name) == role


def test_layers_say_what_their_tiles_are_and_the_topmost_counts() -> None:
    ground = layer("Ground", "aaaaa\naaaaa\naaaaa")
    walls = layer("Walls", "aaaaa\na...a\naaaaa")
    doors = layer("doors", ".....\n....b\n.....")
    assert read_as_text(ground, walls, doors) == picture("#####\n#...+\n#####")
    assert read_as_text(walls, doors, ground) == picture(".....\n.....\n.....")
    assert read_as_text(layer("Tile Layer 1", "aaa"), layer("Tile Layer 2", "b.b")) == "...", (
        "what lies upon the lowest layer and says nothing is decoration"
    )


def test_a_layer_can_have_a_role() -> None:
    told = [{"name": "role", "type": "string", "value": "pit"}]
    assert read_as_text(layer("Ground", "aa"), layer("My layer", ".a", properties=told)) == ".:"


def test_decoration_counts_only_where_it_is_solid() -> None:
    told = tiles(a="floor", b="wall", c={"role": "pillar", "solid": False}, d="carpet")
    assert read_as_text(layer("Walls", "aabb"), layer("Decor", "bcd."), told=told) == "#.##"


def test_layers_for_collisions_may_be_hidden_and_leave_doors_and_water_alone() -> None:
    solid = layer("Collision", "aaaaa", visible=False)
    told = tiles(b="door", c="water", d="pillar")
    assert read_as_text(solid, layer("Ground", "abcd."), told=told) == "#+~o#"
    assert (
        read_as_text(
            layer("Ground", "aa"),
            layer("blocks", ".a", properties=[{"name": "collides", "type": "bool", "value": True}]),
        )
        == ".#"
    )


def test_hidden_layers_do_not_count() -> None:
    assert read_as_text(layer("Ground", "aa"), layer("Walls", "aa", visible=False)) == ".."
    group = {"type": "group", "name": "old", "visible": False, "layers": [layer("Walls", "aa")]}
    assert read_as_text(layer("Ground", "aa"), group) == ".."
    with pytest.raises(BadInput, match=r"map\.tmj: all its tile layers are hidden"):
        read_as_text(layer("Ground", "aa", visible=False))
    with pytest.raises(BadInput, match="all its tile layers are missing"):
        read_as_text(width=2, height=2)


def test_groups_and_offsets_move_layers() -> None:
    walls = layer("Walls", "ab.\n...", offsetx=16)
    group = {"type": "group", "name": "group", "offsety": 15, "layers": [walls]}
    assert read_as_text(layer("Ground", "aaa\naaa"), group) == picture("...\n.##")
    assert read_as_text(layer("Ground", "aaa\naaa"), layer("Walls", "abc\nabc", offsetx=-32, offsety=-9)) == picture(
        "#..\n..."
    )
    assert read_as_text(layer("Ground", "aaa\naaa"), layer("Walls", "abc\nabc", offsetx=16000)) == picture("...\n...")


def test_what_was_made_of_each_layer_is_told() -> None:
    told = document(
        layer("Base", "aa"),
        layer("Walls", "aa"),
        layer("Decor", "aa"),
        layer("x", "aa"),
        layer("Collisions", "aa", visible=False),
    )
    level = read(told)
    assert level.provenance == {
        "tiled": {
            "layers": {
                "Base": "floor, as it is the lowest",
                "Walls": "wall, by its name",
                "Decor": "decoration, by its name",
                "x": "decoration, as its name says nothing",
                "Collisions": "walls, where one could walk otherwise",
            }
        }
    }
    assert loads(uc.formats.dump(level, "json"), "json").provenance == level.provenance


def test_nothing_is_found_that_the_file_does_not_hold() -> None:
    level = read(document(layer("Tile Layer 1", ROOM), told=tiles(a="wall", c="door")))
    assert (len(level.regions), len(level.doors), len(level.links), level.start, len(level.path)) == (0, 0, 0, None, 0)
    assert len(uc.survey(level).rooms) == 1


# --- objects ---


def test_objects_become_things() -> None:
    rows = [
        {
            "id": 1,
            "name": "Bob",
            "type": "ogre",
            "x": 17,
            "y": 31,
            "point": True,
            "properties": [{"name": "hp", "type": "int", "value": 7}],
        },
        {"id": 2, "name": "torch", "type": "", "x": 32, "y": 0, "width": 16, "height": 16},
        {"id": 3, "name": "", "class": "chest", "x": 48, "y": 32, "width": 16, "height": 16, "gid": 1 | 0x80000000},
        {"id": 4, "name": "", "x": 0, "y": 16, "width": 16, "height": 16, "gid": 3},
        {"id": 5, "name": "", "x": 1, "y": 1, "width": 90, "height": 19, "text": {"text": "Beware", "wrap": True}},
        {"id": 6, "name": "", "x": 15.5, "y": 15.5, "width": 16, "height": 16, "ellipse": True},
        {"id": 7, "name": "far", "x": -1, "y": 0},
        {"id": 8, "name": "seen", "x": 0, "y": 0, "visible": False},
        {
            "id": 9,
            "name": "zone",
            "x": 16,
            "y": 16,
            "polygon": [{"x": 0, "y": 0}, {"x": 16, "y": 0}, {"x": 0, "y": 16}],
            "properties": {"data": "{x"},
        },
    ]
    things = {"type": "objectgroup", "name": "stuff", "objects": rows}
    hidden = {
        "type": "objectgroup",
        "name": "more",
        "visible": False,
        "objects": [{"id": 9, "name": "ghost", "x": 0, "y": 0}],
    }
    level = read(document(layer("Ground", "aaaa\naaaa\naaaa"), things, hidden, told=tiles(c="barrel")))
    assert level.things == (
        Thing("ogre", 1, 1, {"name": "Bob", "hp": 7}),
        Thing("torch", 2, 0),
        Thing("chest", 3, 1),
        Thing("barrel", 0, 0),
        Thing("note", 0, 0, {"text": "Beware"}),
        Thing("thing", 1, 1),
        Thing("zone", 1, 1, {"data": "{x"}),
    )
    assert level.provenance["tiled"]["objects outside of the map"] == 1


def test_start_and_end_are_known_by_their_names() -> None:
    for start, end in (
        ({"name": "Start"}, {"type": "exit"}),
        ({"name": "hero", "type": "PlayerStart"}, {"name": "goal"}),
        ({"name": "player_spawn"}, {"name": "END"}),
    ):
        rows = [
            {"id": 1, "x": 8, "y": 8, **start},
            {"id": 2, "x": 24, "y": 8, **end},
            {"id": 3, "x": 40, "y": 8, **start},
        ]
        level = read(document(layer("Ground", "aaa"), {"type": "objectgroup", "name": "o", "objects": rows}))
        assert (level.start, level.end) == ((0, 0), (1, 0))
        assert [(thing.x, thing.y) for thing in level.things] == [(2, 0)], "a second start is a thing"


def test_rectangles_on_a_layer_of_walls_become_walls() -> None:
    rows = [
        {"id": 1, "x": 0, "y": 0, "width": 64, "height": 16},
        {"id": 2, "x": 41, "y": 20, "width": 18, "height": 90},
        {"id": 3, "x": -90, "y": -90, "width": 20, "height": 20},
    ]
    level = read(
        document(
            layer("Ground", "aaaa\naaaa\naaaa"),
            {"type": "objectgroup", "name": "Collisions", "objects": rows, "visible": False},
        )
    )
    assert str(level) == picture("####\n...#\n...#")
    assert level.things == ()


# --- in whatever way it is written ---


def xml(layers: str, sheet: str = "", **attributes: Any) -> bytes:
    inner = "".join(
        f' {name}="{value}"'
        for name, value in {"width": 4, "height": 2, "tilewidth": 16, "tileheight": 16, **attributes}.items()
    )
    sheet = sheet or (
        '<tileset firstgid="1" name="x" tilewidth="16" tileheight="16" tilecount="9" columns="9"><tile id="1" '
        'type="wall"/></tileset>'
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><map version="1.10" '
        f'orientation="orthogonal"{inner}>{sheet}{layers}</map>'
    ).encode()


NUMBERS = np.array([[2, 1, 1, 2], [0, 0xF0000002, 0x80000001, 0x10000001]], "<u4")
WAYS = {
    "csv": f'<data encoding="csv">\n{",".join(map(str, NUMBERS[0]))},\n{",".join(map(str, NUMBERS[1]))}\n</data>',
    "csv, a comma too many": f'<data encoding="csv">{",".join(map(str, NUMBERS.reshape(-1)))},</data>',
    "base64": f'<data encoding="base64">\n   {base64.b64encode(NUMBERS.tobytes()).decode()}\n  </data>',
    "gzip": (
        '<data encoding="base64" '
        f'compression="gzip">{base64.b64encode(gzip.compress(NUMBERS.tobytes())).decode()}</data>'
    ),
    "zlib": (
        '<data encoding="base64" '
        f'compression="zlib">{base64.b64encode(zlib.compress(NUMBERS.tobytes())).decode()}</data>'
    ),
    "elements": (
        "<data>"
        + "".join(f'<tile gid="{number}"/>' if number else "<tile/>" for number in NUMBERS.reshape(-1))
        + "</data>"
    ),
}
RESULT = "#..#\n #.."


@pytest.mark.parametrize("way", WAYS)
def test_every_encoding_says_the_same(way: str) -> None:
    assert str(loads(xml(f'<layer id="1" name="a" width="4" height="2">{WAYS[way]}</layer>'), "tmx")) == RESULT


def test_the_parts_of_an_infinite_map() -> None:
    def chunk(x: int, y: int, numbers: str) -> str:
        return f'<chunk x="{x}" y="{y}" width="2" height="2">{numbers}</chunk>'

    data = (
        f'<data encoding="csv">{chunk(-2, -2, "0,0,0,2")}{chunk(0, -2, "0,0,1,1")}'
        f"{chunk(0, 0, '1,2,0,0')}{chunk(16, 16, '0,0,0,0')}</data>"
    )
    start = '<objectgroup id="2" name="o"><object id="1" name="start" x="0" y="-16"><point/></object></objectgroup>'
    level = loads(xml(f'<layer id="1" name="a" width="16" height="16">{data}</layer>{start}', infinite=1), "tmx")
    assert str(level) == picture("#..\nX.#")
    assert level.start == (1, 0)
    packed = base64.b64encode(zlib.compress(np.array([0, 0, 0, 2], "<u4").tobytes())).decode()
    known = document(told=tiles(b="wall"), infinite=True)
    one = {"x": 6, "y": -9, "width": 2, "height": 2, "data": packed}
    known["layers"] = [
        {
            "type": "tilelayer",
            "name": "a",
            "encoding": "base64",
            "compression": "zlib",
            "chunks": [one],
            "startx": 6,
            "starty": -9,
        }
    ]
    assert str(read(known)) == "#"
    with pytest.raises(BadInput, match="the map is empty"):
        loads(
            xml('<layer id="1" name="a" width="16" height="16"><data encoding="csv"></data></layer>', infinite=1), "tmx"
        )


def test_tilesets_in_files_of_their_own_are_known_by_their_names_alone() -> None:
    sheet = (
        '<tileset firstgid="1" source="../../../../etc/dungeon.tsx"/><tileset firstgid="500" '
        'source="C:\\x\\props.tsx"/>'
    )
    for name, result in (("Walls", "####\n ##"), ("Tile Layer 1", "....\n ..")):
        layers = (
            f'<layer id="1" name="{name}" width="4" height="2"><data '
            'encoding="csv">1,2,499,9999,0,500,501,0</data></layer>'
        )
        assert str(loads(xml(layers, sheet), "tmx")) == f"{result} "


def test_our_own_tileset_is_known_without_its_file() -> None:
    wall, water = (1 + tileset().roles.index(role) for role in ("wall", "water"))
    pillar = 1 + tileset().number("pillar")
    layers = (
        '<layer id="1" name="a" width="4" height="1"><data '
        f'encoding="csv">{100 + wall},{100 + water},{100 + pillar},0</data></layer>'
    )
    sheet = '<tileset firstgid="101" source="maps/undercroft.tsx"/>'
    assert str(loads(xml(layers, sheet, height=1), "tmx")) == "#~o "


def test_several_tilesets() -> None:
    first = '<tileset firstgid="1" name="a" tilecount="2"><tile id="1" type="wall"/></tileset>'
    second = (
        '<tileset firstgid="11" name="b" tilecount="2"><tile id="0"><properties><property name="water" type="bool" '
        'value="true"/></properties></tile></tileset>'
    )
    third = (
        '<tileset firstgid="20" name="pictures" tilecount="1" columns="0"><tile id="7" type="pit"><image '
        'source="x.png"/></tile></tileset>'
    )
    layers = '<layer id="1" name="a" width="4" height="1"><data encoding="csv">2,11,27,1</data></layer>'
    assert str(loads(xml(layers, second + third + first, height=1), "tmx")) == "#~:."
    for number in (3, 10, 13, 28, 4000):
        with pytest.raises(BadInput) as caught:
            loads(xml(layers.replace("27", str(number)), first + second + third, height=1), "tmx", "map.tmx")
        assert str(caught.value).startswith(
            f"map.tmx: at layer 'a': the cell (2, 0) has the tile number {number:,}, and no tileset has it"
        )


def test_a_tileset_that_does_not_tell_its_size() -> None:
    sheet = '<tileset firstgid="1" name="old"><tile id="4" type="wall"/></tileset>'
    layers = '<layer name="a" width="4" height="1"><data encoding="csv">5,6,700,0</data></layer>'
    assert str(loads(xml(layers, sheet, height=1), "tmx")) == "#.. "


def test_tmj_as_it_was_before_2018() -> None:
    found = document(layer("x", "abc"))
    found["tilesets"][0] |= {
        "tiles": {"0": {"type": "wall"}, "2": {"objectgroup": {"objects": [{"id": 1}]}}},
        "tileproperties": {"1": {"water": True}},
    }
    found["properties"] = {"title": "Old", "n": 3}
    assert str(read(found)) == "#~#"
    assert read(found).title == "Old"


def test_properties_that_are_no_plain_values_are_passed_over() -> None:
    inner = '<properties><property name="wall" type="bool" value="true"/></properties>'
    outer = f'<properties><property name="k" type="class" propertytype="p">{inner}</property></properties>'
    sheet = f'<tileset firstgid="1" name="x" tilecount="9"><tile id="0">{outer}</tile></tileset>'
    layers = '<layer name="a" width="4" height="1"><data encoding="csv">1,1,0,0</data></layer>'
    assert str(loads(xml(layers, sheet, height=1), "tmx")) == "..  "


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_other_alphabets(encoding: str) -> None:
    text = xml(
        '<layer name="Wände Walls" width="4" height="1"><data encoding="csv">1,1,0,0</data></layer>', height=1
    ).decode()
    assert str(loads(text.replace("UTF-8", encoding).encode(encoding), "tmx")) == "##  "


def test_tiled_writes_the_same_map_another_way(tmp_path: Path) -> None:
    """A map of ours in its plainest form goes through Tiled, and comes out as JSON, with other numbers and other
    words.
    """
    if not shutil.which("tiled"):
        pytest.skip("tiled is not there: install the package 'tiled'")
    sheet = (
        '<tileset firstgid="1" name="x" tilewidth="16" tileheight="16" tilecount="4" columns="2"><image '
        'source="x.png" width="32" height="32"/>'
    )
    sheet += (
        '<tile id="1" type="wall"/><tile id="2"><objectgroup><object id="1" x="0" y="0" width="16" '
        'height="16"/></objectgroup></tile></tileset>'
    )
    layers = '<layer id="1" name="a" width="4" height="2"><data encoding="csv">2,1,1,2147483650,0,3,4,0</data></layer>'
    layers += (
        '<group id="3" name="g" offsetx="16"><layer id="2" name="water" width="4" height="2"><data '
        'encoding="csv">0,1,0,0,0,0,0,0</data></layer></group>'
    )
    layers += (
        '<objectgroup id="4" name="o"><object id="1" name="start" x="20" y="4"><point/></object><object id="2" '
        'type="rat" x="40" y="8"/></objectgroup>'
    )
    (tmp_path / "a.tmx").write_bytes(xml(layers, sheet))
    from PIL import Image

    Image.new("RGB", (32, 32)).save(tmp_path / "x.png")
    wanted = uc.load(tmp_path / "a.tmx")
    assert str(wanted) == picture("#.~#\nX#.X")
    assert (wanted.start, wanted.things) == ((1, 0), (Thing("rat", 2, 0),))
    for kind, name in (("json", "b.tmj"), ("tmx", "b.tmx")):
        settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(tmp_path)}
        subprocess.run(
            ["tiled", "--export-map", kind, str(tmp_path / "a.tmx"), str(tmp_path / name)],
            env=settings,
            capture_output=True,
            check=False,
            timeout=120,
        )
        assert uc.load(tmp_path / name) == wanted
