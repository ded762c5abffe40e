"""Maps for Tiled: drawn by Tiled itself and read by pytmx and pytiled_parser, cell by cell and object by object.

The golden files are written anew with
    PYTHONPATH=tests python tests/formats/tiled/test_tiled.py
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import pytiled_parser
import pytmx
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from support.levels import crypt
from support.maps import soup
from support.paths import ROOT
from undercroft.analysis.survey import surveyed
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.region import LINK_DTYPE, Regions, Thing, view_links
from undercroft.draw.tileset.picture import lay_pieces, thing_piece_number, tileset
from undercroft.errors import BadInput
from undercroft.formats import dump, dump_files, resolve_format

GOLDEN = ROOT / "tests" / "golden" / "formats"
RECIPES = ("rooms-and-mazes", "cave", "bsp", "tinykeep", "isaac", "cozy", "maze", "dungeoning")
LAYERS = ("terrain", "doors", "decor")
OBJECTS = ("rooms", "doorways", "links", "path", "spawns", "things")
SIZE = 16


def keep() -> Level:
    """Something of everything: all roles, doors of all states, a room that is no rectangle, things with odd data, names
    with odd signs.
    """
    drawn = surveyed(
        Level.parse("""
            #############X
            #<...#.....###
            #....+..o..L.#
            #..~.#..:..#.#
            ###S##..::.'.#
              #..#.....#.#
              #..,,,,,,,>#
              ############
        """)
    )
    regions = drawn.regions
    names = {1: 'the "Great" Hall & more', 2: "Él 漢 🗝 <b>", 3: "two\nlines\tand a tab"}
    tagged: dict[int, tuple[str, ...]] = {1: ("start", "lit"), 2: ("a, b", " c ")}
    return Level(
        drawn.tiles,
        regions=Regions(
            regions.labels,
            regions.table,
            tagged,
            {2: "hall"},
            {label: name for label, name in names.items() if label <= len(regions)},
        ),
        doors=drawn.doors,
        links=drawn.links,
        things=[
            Thing(
                "chest", 2, 1, {"gold": 40, "locked": True, "weight": 2.5, "about": "of oak", "name": "Old Tom's chest"}
            ),
            Thing(
                "bed",
                6,
                1,
                {
                    "width": 2,
                    "height": 1,
                    "seed": 2**60,
                    "a key with: signs": "x",
                    "": "no name",
                    "data": "x",
                    "class": 3,
                },
            ),
            Thing("gizmo", 12, 3),
            Thing("letter", 3, 5, {"text": 'Say "friend"\nand enter.', "group": "note"}),
        ],
        start=drawn.start,
        end=drawn.end,
        path=np.array([(1, 1), (2, 1), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)], np.int32),
        provenance={"recipe": "by hand", "seed": "18446744073709551615"},
        title="The Keep of Trials",
    )


def saved(level: Level, folder: Path, name: str = "map.tmx", **options: Any) -> Path:
    level.save(folder / name, **options)
    return folder / name


def odd_levels() -> list[Level]:
    pictures = ["#", ".", "X", "<", "+" * 40, "\n".join("#.~:oLS'+,<>" * 3), "#.#\n#~#\n#>#"]
    return [Level.parse(picture) for picture in pictures] + [
        surveyed(soup(number, "##..,+LS~:o'", 9).level()) for number in range(6)
    ]


# --- Tiled itself draws what we lay ---


def as_tiled_draws(level: Level) -> NDArray[np.uint32]:
    """The layers of `lay_pieces` pasted as Tiled does: with colours multiplied by their opacity beforehand, and
    everything rounded to bytes.
    """

    def share(value: NDArray[np.uint32]) -> NDArray[np.uint32]:
        return ((value + (value >> 8) + 128) >> 8).astype(np.uint32)

    pieces = tileset().pixels.astype(np.uint32)
    ready = np.concatenate([share(pieces[..., :3] * pieces[..., 3:]), pieces[..., 3:]], axis=-1)
    picture = np.zeros((*level.tiles.shape, SIZE, SIZE, 4), np.uint32)
    for layer in lay_pieces(level).values():
        ys, xs = np.nonzero(layer >= 0)
        over = ready[layer[ys, xs]]
        picture[ys, xs] = over + share(picture[ys, xs] * (255 - over[..., 3:]))
    return picture.swapaxes(1, 2).reshape(level.height * SIZE, level.width * SIZE, 4)


def rasterized(path: Path, *options: str) -> NDArray[np.uint8]:
    """What Tiled makes of the file; nothing at all if it says that it cannot."""
    if not shutil.which("tmxrasterizer"):
        pytest.skip("tmxrasterizer is not there: install the package 'tiled'")
    out = path.with_name("out.png")
    out.unlink(missing_ok=True)
    command = ["tmxrasterizer", "--no-smoothing", *options, str(path), str(out)]
    settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(path.parent)}
    subprocess.run(command, env=settings, capture_output=True, timeout=120, check=False)
    if not out.exists():
        return np.zeros((0, 0, 4), np.uint8)
    with Image.open(out) as image:
        return np.array(image.convert("RGBA"))


TILES_ONLY = ("--hide-layer", "things", "--hide-layer", "spawns")


@pytest.mark.parametrize(
    ("name", "options"),
    [("map.tmx", {}), ("map.tmx", {"encoding": "zlib"}), ("map.tmj", {}), ("map.tmj", {"encoding": "zlib"})],
)
def test_tiled_draws_what_we_laid(name: str, options: dict[str, str], tmp_path: Path) -> None:
    level = keep()
    picture = rasterized(saved(level, tmp_path, name, **options), *TILES_ONLY)
    assert np.array_equal(picture, as_tiled_draws(level))


@pytest.mark.parametrize("recipe", RECIPES)
def test_tiled_draws_levels_of_recipes(recipe: str, tmp_path: Path) -> None:
    level = uc.generate(recipe, seed=5, size=(49, 33))
    assert np.array_equal(rasterized(saved(level, tmp_path), *TILES_ONLY), as_tiled_draws(level))


def test_tiled_draws_odd_levels(tmp_path: Path) -> None:
    for level in odd_levels():
        assert np.array_equal(rasterized(saved(level, tmp_path), *TILES_ONLY), as_tiled_draws(level)), str(level)


def test_tiled_draws_things_on_their_cells(tmp_path: Path) -> None:
    level = Level(
        Level.parse("....\n....\n....").tiles, things=[Thing("chest", 1, 2), Thing("bed", 2, 0, {"width": 2})]
    )
    with_things, without = rasterized(saved(level, tmp_path)), as_tiled_draws(level)
    changed = (with_things != without).any(axis=2).reshape(3, SIZE, 4, SIZE).any(axis=(1, 3))
    assert changed.tolist() == [[False, False, True, True], [False] * 4, [False, True, False, False]]


def test_damage_is_seen_in_the_picture(tmp_path: Path) -> None:
    """What Tiled itself would pass over: it says nothing of a wrong tile, an unknown one, or a tileset that is not
    there.
    """
    level = keep()
    path = saved(level, tmp_path)
    right, text = as_tiled_draws(level), path.read_text(encoding="utf-8")
    first = text.index("csv") + 6
    number = re.compile(r"\d+").search(text, first)
    assert number
    for damaged in (
        f"{text[: number.start()]}{int(number[0]) + 100}{text[number.end() :]}",
        f"{text[: number.start()]}99999{text[number.end() :]}",
        text.replace('source="undercroft.tsx"', 'source="nowhere.tsx"'),
        text.replace('firstgid="1"', 'firstgid="2"'),
        text[: number.start()] + text[number.end() + 1 :],
        text[: len(text) // 2],
    ):
        assert damaged != text
        path.write_text(damaged, encoding="utf-8")
        assert not np.array_equal(rasterized(path, *TILES_ONLY), right)


# --- pytmx ---


def gids(level: Level) -> dict[str, NDArray[np.int64]]:
    """The numbers that belong on each layer: worked out from `lay_pieces` and the level alone."""
    cells = {name: layer.astype(np.int64) + 1 for name, layer in lay_pieces(level).items()}
    return {**cells, "collision": np.where(level.walkable, 0, 1 + tileset().solid.index(True))}


def points_of(level: Level) -> list[tuple[float, float]]:
    return [(x * SIZE + SIZE / 2, y * SIZE + SIZE / 2) for x, y in level.path.tolist()]


@pytest.mark.parametrize("options", [{}, {"encoding": "zlib"}])
def test_pytmx_reads_every_cell(options: dict[str, str], tmp_path: Path) -> None:
    for level in (keep(), crypt(), *odd_levels(), uc.generate("dungeoning", seed=2)):
        found = pytmx.TiledMap(str(saved(level, tmp_path, **options)))
        assert (found.width, found.height, found.tilewidth, found.tileheight) == (*level.size, SIZE, SIZE)
        for name, cells in gids(level).items():
            layer = found.get_layer_by_name(name)
            back = np.vectorize(lambda number: found.tiledgidmap.get(number, 0), otypes=[np.int64])(  # noqa: B023
                np.array(layer.data)
            )
            assert np.array_equal(back, cells), name
            assert layer.visible == (name != "collision")


def test_pytmx_knows_what_stops_a_body(tmp_path: Path) -> None:
    level = keep()
    found = pytmx.TiledMap(str(saved(level, tmp_path)))
    layer = found.get_layer_by_name("collision")
    solid = {(x, y) for x, y, gid in layer.iter_data() if gid}
    assert solid == {(x, y) for y, x in np.argwhere(~level.walkable).tolist()}
    shown = {
        (x, y)
        for name in LAYERS
        for x, y, gid in found.get_layer_by_name(name).iter_data()
        if gid and found.tile_properties[gid]["solid"]
    }
    hidden = {(door.x, door.y) for door in level.doors if door.state == "secret"}
    assert shown - hidden == solid, "the pictures say the same, but for secret doors"
    colliders = {found.tiledgidmap[gid] for gid, _ in found.get_tile_colliders()}
    assert colliders == {gid for gid in found.tiledgidmap.values() if gid and tileset().solid[gid - 1]}


def test_pytmx_reads_every_object(tmp_path: Path) -> None:
    for level in (keep(), uc.generate("dungeoning", seed=2), uc.generate("cozy", seed=4)):
        found = pytmx.TiledMap(str(saved(level, tmp_path)))
        rooms = {room.label: room for room in found.get_layer_by_name("rooms")}
        assert sorted(rooms) == [region.label for region in level.regions]
        for region in level.regions:
            room = rooms[region.label]
            assert (room.x, room.y, room.width, room.height) == tuple(side * SIZE for side in region[2:6]) or hasattr(
                room, "points"
            )
            assert (room.type, room.name or "", room.area) == (region.kind, region.name, region.area)
            assert room.properties.get("template_name", "") == region.template
            assert room.id == region.label
        assert len(level.doors) == len(found.get_layer_by_name("doorways"))
        for door, object_ in zip(level.doors, found.get_layer_by_name("doorways"), strict=True):
            assert (object_.x / SIZE, object_.y / SIZE, object_.a, object_.b, object_.state) == door
        for link, object_ in zip(level.links, found.get_layer_by_name("links"), strict=True):
            assert (object_.a, object_.b, object_.type, object_.carved) == (link.a, link.b, link.kind, link.carved)
            door = found.objects_by_id.get(object_.door)
            assert (door is None) == (link.door < 0)
            if door is not None:
                where = level.doors[link.door]
                assert (door.x, door.y) == (where.x * SIZE, where.y * SIZE)
                assert (where.x * SIZE + 8, where.y * SIZE + 8) in [tuple(point) for point in object_.points]
        for thing, object_ in zip(level.things, found.get_layer_by_name("things"), strict=True):
            assert (object_.x / SIZE, object_.y / SIZE, object_.type) == (thing.x, thing.y, thing.kind)
            assert found.tiledgidmap[object_.gid] == 1 + thing_piece_number(thing.kind, thing.data)
            told = {
                **object_.properties,
                **json.loads(object_.properties.get("data", "{}")),
                **({"name": object_.name} if object_.name else {}),
            }
            if "contents" in told:
                told["contents"] = json.loads(told["contents"])
            assert {name: told[name] for name in thing.data} == thaw(thing.data)
        [path] = found.get_layer_by_name("path")
        assert [tuple(point) for point in path.points] == points_of(level)
        ends = {spawn.name: (int(spawn.x // SIZE), int(spawn.y // SIZE)) for spawn in found.get_layer_by_name("spawns")}
        assert ends == {"start": level.start, "end": level.end}
        assert json.loads(found.properties["undercroft"]) == json.loads(json.dumps(dict(level.provenance)))
        assert found.properties["palette"] == "standard"
        assert found.properties.get("title", "") == level.title


# --- pytiled_parser ---


@pytest.mark.parametrize("name", ["map.tmx", "map.tmj"])
@pytest.mark.parametrize("encoding", ["csv", "zlib"])
def test_pytiled_parser_reads_every_cell_and_object(name: str, encoding: str, tmp_path: Path) -> None:
    for level in (keep(), crypt(), uc.generate("dungeoning", seed=2)):
        found = pytiled_parser.parse_map(saved(level, tmp_path, name, encoding=encoding))
        layers: dict[str, Any] = {layer.name: layer for layer in found.layers}
        assert tuple(layers) == (*LAYERS, "collision", *OBJECTS, "undercroft")
        for layer, cells in gids(level).items():
            assert np.array_equal(layers[layer].data, cells), layer
        sheets: list[Any] = list(found.tilesets.values())
        [sheet] = sheets
        tiles = tileset()
        assert (sheet.tile_count, sheet.columns) == (-(-len(tiles) // tiles.columns) * tiles.columns, tiles.columns)
        assert [tile.properties["role"] for tile in sheet.tiles.values()] == list(tiles.roles)
        assert [tile.properties["solid"] for tile in sheet.tiles.values()] == list(tiles.solid)
        rows = layers["doorways"].tiled_objects
        assert [
            (row.coordinates.x / SIZE, row.coordinates.y / SIZE, *(row.properties[key] for key in ("a", "b", "state")))
            for row in rows
        ] == list(level.doors)
        rows = layers["links"].tiled_objects
        assert [(row.properties["a"], row.properties["b"], row.class_, row.properties["carved"]) for row in rows] == [
            (link.a, link.b, link.kind, link.carved) for link in level.links
        ]
        assert {
            (row.properties["label"], row.class_, row.properties["area"]) for row in layers["rooms"].tiled_objects
        } == {(region.label, region.kind, region.area) for region in level.regions}
        rows = layers["things"].tiled_objects
        assert [
            (row.class_, row.coordinates.x / SIZE, (row.coordinates.y - row.size.height) / SIZE, row.gid)
            for row in rows
        ] == [(thing.kind, thing.x, thing.y, 1 + thing_piece_number(thing.kind, thing.data)) for thing in level.things]
        [path] = layers["path"].tiled_objects
        assert [(path.coordinates.x + x, path.coordinates.y + y) for x, y in path.points] == points_of(level)


def test_the_parsers_see_damage(tmp_path: Path) -> None:
    level = keep()
    path = saved(level, tmp_path)
    text = path.read_text(encoding="utf-8")
    wrong = (
        text.replace("\n", "\n1,", 1)
        if "<data" not in text
        else re.sub(r'(<data encoding="csv">\n)(\d+)', r"\g<1>77", text, count=1)
    )
    path.write_text(wrong, encoding="utf-8")
    terrain: Any = pytiled_parser.parse_map(path).layers[0]
    assert not np.array_equal(terrain.data, gids(level)["terrain"])
    (tmp_path / "undercroft.tsx").unlink()
    with pytest.raises(Exception, match=r"undercroft\.tsx"):
        pytmx.TiledMap(str(path))


# --- the files ---


def test_the_files_beside_are_the_same_for_every_level() -> None:
    for name, wanted in (("tmx", {"undercroft.png", "undercroft.tsx"}), ("tmj", {"undercroft.png"})):
        one, other = (
            {path.name: data for path, data in dump_files(level, f"x/{stem}.{name}", resolve_format(name)).items()}
            for level, stem in ((keep(), "a"), (crypt(), "b"))
        )
        assert one.keys() == {*wanted, f"a.{name}"}
        assert all(one[file] == other[file] for file in wanted)
        with Image.open(io.BytesIO(one["undercroft.png"])) as picture:
            assert np.array_equal(np.array(picture), np.array(tileset().image))
        assert list(one)[-1] == f"a.{name}", "the map is written when all it needs is there"


def test_types_are_called_types() -> None:
    for data in (dump(keep(), "tmx"), dump_files(keep(), "a.tmx", resolve_format("tmx"))[Path("undercroft.tsx")]):
        assert not [node.tag for node in ET.fromstring(data).iter() if "class" in node.attrib]
        assert [node.tag for node in ET.fromstring(data).iter() if "type" in node.attrib]
    assert b'"class"' not in dump(Level.parse("."), "tmj")


def test_ids_are_unique_and_the_next_ones_are_free() -> None:
    for level in (keep(), uc.generate("dungeoning", seed=2), Level.parse(".")):
        root = ET.fromstring(dump(level, "tmx"))
        for kinds, following in ((("layer", "objectgroup"), "nextlayerid"), (("object",), "nextobjectid")):
            ids = [int(node.attrib["id"]) for node in root.iter() if node.tag in kinds]
            assert len({*ids}) == len(ids)
            assert max(ids, default=0) < int(root.attrib[following])
        known = json.loads(dump(level, "tmj"))
        assert {layer["id"] for layer in known["layers"]} == {
            int(node.attrib["id"]) for node in root if node.tag in ("layer", "objectgroup")
        }
        assert (str(known["nextlayerid"]), str(known["nextobjectid"])) == (
            root.attrib["nextlayerid"],
            root.attrib["nextobjectid"],
        )


def test_tmj_says_what_tmx_says() -> None:
    kinds: dict[str, Any] = {
        "int": int,
        "object": int,
        "float": float,
        "bool": {"true": True, "false": False}.__getitem__,
        "string": str,
    }
    for level in (keep(), uc.generate("dungeoning", seed=2)):
        root, known = ET.fromstring(dump(level, "tmx")), json.loads(dump(level, "tmj"))
        groups = [node for node in root if node.tag in ("layer", "objectgroup")]
        for group, other in zip(groups, known["layers"], strict=True):
            assert (group.get("name"), group.get("id"), group.get("visible") != "0") == (
                other["name"],
                str(other["id"]),
                other["visible"],
            )
            for node, same in zip(group.findall("object"), other.get("objects", []), strict=True):
                for key in ("id", "x", "y", "name", "type", "gid", "width", "height"):
                    assert node.get(key, "") == str(same.get(key, "")) or not same[key], key
                rows = {
                    row.attrib["name"]: kinds[row.get("type", "string")](row.get("value"))
                    for row in node.iter("property")
                }
                assert rows == {row["name"]: row["value"] for row in same.get("properties", [])}
                for shape in ("polygon", "polyline"):
                    line = node.find(shape)
                    points = " ".join(f"{point['x']},{point['y']}" for point in same.get(shape, []))
                    assert points == ("" if line is None else line.get("points"))


def test_tile_layers_have_what_phaser_asks_for() -> None:
    known = json.loads(dump(keep(), "tmj"))
    assert known["orientation"] == "orthogonal"
    assert "source" not in known["tilesets"][0], "Phaser does not open tilesets in files of their own"
    assert known["tilesets"][0]["image"] == "undercroft.png"
    for layer in known["layers"]:
        assert {"id", "name", "type", "x", "y", "opacity", "visible"} <= layer.keys()
        if layer["type"] == "tilelayer":
            assert {"width", "height", "data"} <= layer.keys()
            assert type(layer["data"]) is list


def test_zlib_holds_the_numbers_as_four_bytes() -> None:
    level = keep()
    root = ET.fromstring(dump(level, "tmx", encoding="zlib"))
    data = root.find("layer/data")
    assert data is not None
    assert data.attrib == {"encoding": "base64", "compression": "zlib"}
    cells = np.frombuffer(zlib.decompress(base64.b64decode(str(data.text))), "<u4").reshape(level.tiles.shape)
    assert np.array_equal(cells, gids(level)["terrain"])


def golden(name: str) -> bytes:
    """The chapel; of the tileset, which TMJ holds, no more than that it is there."""
    data = dump(uc.load(ROOT / "examples" / "chapel.json"), name.partition(".")[2])
    return re.sub(rb'"tilesets":\[\{"firstgid":1,"name":"undercroft",.*\}\],\n', b'"tilesets":[],\n', data)


@pytest.mark.parametrize("name", ["chapel.tmx", "chapel.tmj"])
def test_golden_files(name: str) -> None:
    assert golden(name) == (GOLDEN / name).read_bytes()


def test_mistakes_in_writing() -> None:
    for name in ("tmx", "tmj"):
        with pytest.raises(BadInput, match="unknown encoding 'cvs'") as caught:
            dump(keep(), name, encoding="cvs")
        assert "did you mean 'csv'?" in str(caught.value)
    for kind, sentence in (
        ("\x00", "the sign '\\x00', which XML cannot hold"),
        ("\ud800", "the sign '\\ud800', which"),
        ("a\ufffe", "'\\ufffe'"),
    ):
        with pytest.raises(BadInput) as caught:
            dump(Level.parse(".").replace(title=kind), "tmx")
        assert sentence in str(caught.value)
    with pytest.raises(BadInput, match="half a character"):
        dump(Level.parse(".").replace(title="\ud800"), "tmj")


def test_links_without_rooms_are_drawn_all_the_same(tmp_path: Path) -> None:
    drawn = surveyed(Level.parse("..+.."))
    rows = np.array([(0, 0, 0, -1, True), (0, 1, 1, 0, True), (2, 0, 4, -1, False), (0, 0, 1, 0, True)], LINK_DTYPE)
    level = Level(drawn.tiles, regions=drawn.regions, doors=drawn.doors, links=view_links(rows))
    found = pytmx.TiledMap(str(saved(level, tmp_path)))
    lines = [[tuple(point) for point in line.points] for line in found.get_layer_by_name("links")]
    assert lines == [[(0, 0), (0, 0)], [(40, 8), (40, 8), (16, 8)], [(64, 8), (64, 8)], [(40, 8), (40, 8), (40, 8)]]


if __name__ == "__main__":
    for file in ("chapel.tmx", "chapel.tmj"):
        (GOLDEN / file).write_bytes(golden(file))
