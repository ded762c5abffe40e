"""Custom tiles in files: names, roles and colours reach every format that can hold them, and come back."""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
import subprocess
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
import pytmx
import trimesh
from hypothesis import HealthCheck, given, settings
from ldtkpy import api
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from support.custom_palettes import custom_palettes, custom_tile, every_role, patchwork, with_custom
from support.godot_scenes import Scene
from support.maps import HEAVY
from undercroft.analysis.survey import surveyed
from undercroft.core.custom_tiles import is_custom
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.draw.tileset.custom_pieces import MAX_CUSTOM_PIECES, custom_pieces
from undercroft.draw.tileset.picture import LAYERS, compose_image, lay_pieces
from undercroft.draw.tileset.piece_sheets import custom_sheet_name
from undercroft.formats import FORMATS, dump, dump_files, list_lost_parts, loads

ROUND_TRIPS = ("json", "npz", "tmx", "tmj", "ldtk")
"""Formats whose files hold the palette, and can be read."""
MEADOW = with_custom(
    custom_tile("grass", "floor", "g", "#6fae4a"),
    custom_tile("bridge", "floor", "=", "#9a6a3a"),
    custom_tile("lava", "pit", "!", "#e8541e"),
    name="meadow",
)
DRAWN = surveyed(
    Level.parse(
        """
        ################
        #<ggggg+.......#
        #gggggg#.!!!!!.#
        #gggggg#.=====.#
        #ggggo.S.!!!!!.#
        #......+......>#
        ################
        """,
        MEADOW,
    )
)
GARDEN = with_custom(
    custom_tile("hedge", "wall", "T", "#2e5d34"),
    custom_tile("swamp", "water", "w", "#5b6b2f"),
    custom_tile("statue", "pillar", "i", "#c8b8e0"),
    custom_tile("gate", "door", "=", "#a5793d"),
    custom_tile("ford", "water", "f", "#7fb3d0", walkable=True),
)
HEDGES = Level.parse(
    """
    TTTTTTTTTTT
    T...=..~~~#
    T.i.S.wwff#
    TTTTTTTTTT#
    """,
    GARDEN,
)


def custom_facts(palette: Palette) -> set[tuple[str, str, str]]:
    return {(tile.name, tile.role, tile.colour) for tile in palette.tiles if is_custom(tile)}


def saved(level: Level, folder: Path, name: str, **options: Any) -> Path:
    level.save(folder / name, **options)
    return folder / name


# --- round trips ---


@pytest.mark.parametrize("name", ROUND_TRIPS)
@pytest.mark.parametrize("level", [DRAWN, HEDGES, patchwork(every_role())[0]], ids=["meadow", "garden", "every role"])
def test_levels_come_back_with_their_palette(name: str, level: Level) -> None:
    found = loads(dump(level, name), name)
    assert found == level
    assert found.palette == level.palette
    assert found.palette.name == level.palette.name


@pytest.mark.parametrize("name", ROUND_TRIPS)
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(palette=custom_palettes())
def test_random_palettes_come_back(name: str, palette: Palette) -> None:
    level, _ = patchwork(palette)
    found = loads(dump(level, name), name)
    assert (found.tiles == level.tiles).all()
    assert found.palette == palette


@pytest.mark.long
@pytest.mark.parametrize("name", ROUND_TRIPS)
@settings(max_examples=50 if HEAVY else 10, suppress_health_check=[HealthCheck.too_slow])
@given(palette=custom_palettes())
def test_many_random_palettes_come_back(name: str, palette: Palette) -> None:
    level, _ = patchwork(palette)
    assert loads(dump(level, name), name).palette == palette


@settings(max_examples=10)
@given(palette=custom_palettes())
def test_what_cannot_be_entered_is_solid_and_nothing_else(palette: Palette) -> None:
    """In pieces, as in the level: whatever a palette says of walking."""
    level, _ = patchwork(palette)
    solid = np.array(custom_pieces(palette).tiles.solid)
    blocked = np.logical_or.reduce([(layer >= 0) & solid[layer] for layer in lay_pieces(level).values()])
    odd = level.palette.role_mask("secret")[level.tiles]
    assert (blocked == ~level.walkable)[~odd].all()


def test_a_palette_with_very_many_custom_tiles_has_a_piece_for_each() -> None:
    palette = with_custom(*(custom_tile(f"w{n}", "wall", chr(0x4E00 + n), f"#{n:02x}40a0") for n in range(200)))
    found = custom_pieces(palette)
    assert len(found.codes) <= MAX_CUSTOM_PIECES + 200
    assert {*found.codes} == {*range(13, 213)}
    level, _ = patchwork(palette, 20)
    assert loads(dump(level, "tmx"), "tmx") == level


# --- Tiled ---


@pytest.mark.parametrize("level", [DRAWN, HEDGES, patchwork(every_role())[0]], ids=["meadow", "garden", "every role"])
def test_pytmx_reads_names_roles_and_colours(level: Level, tmp_path: Path) -> None:
    """Every custom tile has entries of its own, and its cells show them."""
    found = pytmx.TiledMap(str(saved(level, tmp_path, "map.tmx")))
    told = [facts for facts in found.tile_properties.values() if "colour" in facts]
    assert {(facts["name"], facts["role"], facts["colour"]) for facts in told} >= custom_facts(level.palette)
    for y, x in np.argwhere(level.palette.role_mask("floor", "corridor", "water", "pit")[level.tiles]).tolist():
        tile = level.palette.tiles[level.tiles[y, x]]
        facts = found.tile_properties[found.get_layer_by_name("terrain").data[y][x]]
        assert facts["role"] == tile.role or not is_custom(tile)
        assert facts.get("name", tile.name) == tile.name
        assert ("name" in facts) == is_custom(tile)


@pytest.mark.parametrize("name", ["map.tmx", "map.tmj"])
def test_pytiled_parser_reads_them_too(name: str, tmp_path: Path) -> None:
    found = pytiled_parser.parse_map(saved(DRAWN, tmp_path, name))
    ours, own = found.tilesets.values()
    assert ours.name == "undercroft"
    assert own.name == custom_sheet_name(MEADOW)
    assert own.tiles
    grass = next(tile for tile in own.tiles.values() if (tile.properties or {}).get("name") == "grass")
    assert grass.properties is not None
    assert tuple(grass.properties["colour"])[:3] == (0x6F, 0xAE, 0x4A)  # type: ignore[arg-type]
    assert (grass.properties["role"], grass.properties["solid"], grass.class_) == ("floor", False, "floor")


@pytest.mark.parametrize("name", ["map.tmx", "map.tmj"])
@pytest.mark.parametrize("level", [DRAWN, HEDGES], ids=["meadow", "garden"])
def test_tiled_draws_the_colours(name: str, level: Level, tmp_path: Path) -> None:
    picture = rasterized(saved(level, tmp_path, name))
    ours = np.asarray(compose_image(level)).astype(int)
    assert picture.shape[:2] == ours.shape[:2]
    assert abs(picture[..., :3].astype(int) - ours).max() <= 1


def rasterized(path: Path) -> NDArray[np.uint8]:
    """What Tiled itself draws, without things."""
    if not shutil.which("tmxrasterizer"):
        pytest.skip("tmxrasterizer is not there: install the package 'tiled'")
    out = path.with_name("out.png")
    command = [
        "tmxrasterizer",
        "--no-smoothing",
        "--hide-layer",
        "things",
        "--hide-layer",
        "spawns",
        str(path),
        str(out),
    ]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(path.parent)}
    subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
    with Image.open(out) as image:
        return np.array(image.convert("RGBA"))


def test_levels_of_one_palette_share_a_tileset(tmp_path: Path) -> None:
    saved(DRAWN, tmp_path, "one.tmx")
    saved(Level.parse("#gg#", MEADOW), tmp_path, "two.tmx")
    saved(Level.parse("#..#"), tmp_path, "three.tmx")
    name = custom_sheet_name(MEADOW)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["one.tmx", "two.tmx", "three.tmx", "undercroft.tsx", "undercroft.png", f"{name}.tsx", f"{name}.png"]
    )
    assert name.startswith("undercroft-meadow-")
    assert name != custom_sheet_name(Palette([*STANDARD.tiles, MEADOW.tiles[-1]._replace(colour="#000000")], "meadow"))


def test_palettes_with_the_same_tiles_and_other_names_have_files_of_their_own() -> None:
    for name in ("first", "second", "first"):
        level = Level(DRAWN.tiles, Palette(MEADOW.tiles, name))
        assert f"undercroft-{name}-".encode() in dump(level, "tmx")
        assert loads(dump(level, "tmx"), "tmx").palette.name == name


def piece_gid(document: dict[str, Any], name: str) -> int:
    """The number of the first tile entry of that name."""
    return next(
        int(tiles["firstgid"]) + int(tile["id"])
        for tiles in document["tilesets"]
        for tile in tiles["tiles"]
        if {"name": "name", "type": "string", "value": name} in tile["properties"]
    )


def test_cells_painted_with_a_custom_tile_become_that_tile() -> None:
    document = json.loads(dump(DRAWN, "tmj"))
    terrain = document["layers"][0]
    assert terrain["name"] == "terrain"
    for x, name in ((9, "grass"), (10, "lava"), (11, "bridge")):
        terrain["data"][1 * DRAWN.width + x] = piece_gid(document, name)
    found = loads(json.dumps(document).encode(), "tmj")
    changed = np.argwhere(found.tiles != DRAWN.tiles).tolist()
    assert changed == [[1, 9], [1, 10], [1, 11]]
    assert [MEADOW.tiles[found.tiles[1, x]].name for x in (9, 10, 11)] == ["grass", "lava", "bridge"]


def test_a_map_without_our_notes_is_read_by_the_names_of_its_tiles() -> None:
    """As after a resize in Tiled: then only what is drawn counts."""
    document = json.loads(dump(DRAWN, "tmj"))
    document["layers"] = [layer for layer in document["layers"] if layer["name"] != "undercroft"]
    found = loads(json.dumps(document).encode(), "tmj")
    own = np.isin(DRAWN.tiles, [MEADOW[name] for name in ("grass", "bridge", "lava")])
    assert found.palette == MEADOW
    assert (found.tiles[own] == DRAWN.tiles[own]).all()


def test_a_map_is_read_with_and_without_its_tileset(tmp_path: Path) -> None:
    path = saved(DRAWN, tmp_path, "map.tmx")
    assert uc.load(path) == DRAWN
    path.with_name(f"{custom_sheet_name(MEADOW)}.tsx").unlink()
    found = uc.load(path)
    assert found == DRAWN
    assert "tiled" not in found.provenance


# --- Godot ---


def test_scenes_hold_names_roles_and_colours() -> None:
    told = Scene(dump(DRAWN, "godot", stem="level"))
    assert list(told.pictures.values()) == ["undercroft.png", f"{custom_sheet_name(MEADOW)}.png"]
    _, tiles = told.resources["tiles"]
    assert [tiles[f"custom_data_layer_{number}/name"] for number in range(4)] == ["role", "piece", "name", "colour"]
    assert [tiles[f"custom_data_layer_{number}/type"] for number in range(4)] == [4, 4, 4, 20]
    sources = [told.resources[tiles[f"sources/{number}"][1]][1] for number in (0, 1)]
    for (x, y), (source, right, down) in told.sourced_cells("Terrain").items():
        tile = MEADOW.tiles[DRAWN.tiles[y, x]]
        if tile.role in ("floor", "pit"):
            here = f"{right}:{down}/0"
            assert sources[source][f"{here}/custom_data_0"] == tile.role
            assert sources[source][f"{here}/custom_data_2"] == tile.name
            assert source == is_custom(tile)
            colour = sources[source].get(f"{here}/custom_data_3")
            assert (colour is not None) == is_custom(tile)
            if colour is not None:
                assert [round(part * 255) for part in colour[1:4]] == [*bytes.fromhex(tile.colour[1:])]
    palette = told.meta(".")["palette"]
    assert (palette["name"], palette["tiles"][-1]["name"]) == ("meadow", "lava")


def test_scenes_without_custom_tiles_have_no_further_data() -> None:
    text = dump(Level.parse("#..#"), "godot", stem="level")
    assert b"custom_data_2" not in text
    assert b"metadata/palette" not in text


def test_the_cells_of_a_scene_make_the_picture() -> None:
    """Pasted from the pictures beside it."""
    for level in (DRAWN, HEDGES):
        files = dump_files(level, "level.tscn", FORMATS["godot"])
        told = Scene(files[Path("level.tscn")])
        sheets = [Image.open(io.BytesIO(files[Path(name)])) for name in told.pictures.values()]
        picture = Image.new("RGBA", (level.width * 16, level.height * 16), (0, 0, 0, 255))
        for name in LAYERS:
            for (x, y), (source, right, down) in told.sourced_cells(name.capitalize()).items():
                piece = sheets[source].crop((right * 16, down * 16, right * 16 + 16, down * 16 + 16))
                picture.alpha_composite(piece, (x * 16, y * 16))
        ours = np.asarray(compose_image(level)).astype(int)
        assert abs(np.asarray(picture.convert("RGB")).astype(int) - ours).max() <= 1


def test_godot_parser_reads_a_scene_with_custom_tiles(tmp_path: Path) -> None:
    parser: Any = pytest.importorskip("godot_parser", reason="the package godot-parser is not installed")
    with warnings.catch_warnings(action="ignore"):
        level = DRAWN.replace(path=np.array([[1, 1], [2, 1]], np.int32))  # it cannot read an empty array
        scene = parser.load(str(saved(level, tmp_path, "level.tscn")))
    assert len(scene.get_ext_resources()) == 2


# --- LDtk, models, and formats that cannot hold a palette ---


def test_projects_draw_the_colours() -> None:
    for level in (DRAWN, HEDGES):
        found = api.ldtk_json_from_dict(json.loads(dump(level, "ldtk")))
        [picture_data] = FORMATS["ldtk"].beside(level, "map").values()  # type: ignore[misc]
        sheet = Image.open(io.BytesIO(picture_data))
        assert found.defs.tilesets[0].rel_path in FORMATS["ldtk"].beside(level, "map")  # type: ignore[misc]
        picture = Image.new("RGBA", (level.width * 16, level.height * 16), (0, 0, 0, 255))
        layers = {layer.identifier: layer for layer in found.levels[0].layer_instances}
        for name in ("Terrain_tiles", "Doors", "Decor"):
            for tile in layers[name].grid_tiles:
                piece = sheet.crop((*tile.src, tile.src[0] + 16, tile.src[1] + 16))
                picture.alpha_composite(piece, (tile.px[0], tile.px[1]))
        ours = np.asarray(compose_image(level)).astype(int)
        assert abs(np.asarray(picture.convert("RGB")).astype(int) - ours).max() <= 1
        told = [row.data for row in found.defs.tilesets[0].custom_data]
        for name, role, colour in custom_facts(level.palette):
            assert any(data.endswith(f"role: {role}\nname: {name}\ncolour: {colour}") for data in told), name


def gltf(level: Level) -> dict[str, Any]:
    data = dump(level, "glb")
    (length,) = struct.unpack_from("<I", data, 12)
    found: dict[str, Any] = json.loads(data[20 : 20 + length])
    return found


def test_models_have_a_material_for_each_custom_tile() -> None:
    for level in (DRAWN, HEDGES):
        document = gltf(level)
        materials = {
            (row["name"], row["extras"]["role"], row["extras"]["colour"])
            for row in document["materials"]
            if "extras" in row
        }
        used = {code for code in np.unique(level.tiles).tolist() if is_custom(level.palette.tiles[code])}
        for code in used:
            tile = level.palette.tiles[code]
            name = f"{tile.name} surface" if tile.role == "water" else tile.name
            assert (name, tile.role, tile.colour) in materials
        assert document["nodes"][0]["extras"]["palette"]["name"] == level.palette.name
        scene: Any = trimesh.load(io.BytesIO(dump(level, "glb")), file_type="glb")
        assert scene.geometry
    names = {node["name"] for node in gltf(HEDGES)["nodes"]}
    assert {"walls", "hedge", "swamp", "ford", "statue"} <= names


def test_a_secret_door_in_a_hedge_is_made_of_hedge() -> None:
    document = gltf(HEDGES)
    door = next(node for node in document["nodes"] if node["name"].startswith("secret door"))
    [part] = document["meshes"][door["mesh"]]["primitives"]
    assert document["materials"][part["material"]]["name"] == "hedge"


def test_voxels_show_what_is_in_a_pit() -> None:
    data = dump(DRAWN, "vox")
    at = data.index(b"XYZI") + 12
    (count,) = struct.unpack_from("<I", data, at)
    cubes = np.frombuffer(data, np.uint8, 4 * count, at + 4).reshape(-1, 4)
    lava = cubes[cubes[:, 3] == MEADOW["lava"] + 1]
    assert len(lava) == int((DRAWN.tiles == MEADOW["lava"]).sum())
    colours = np.frombuffer(data[data.index(b"RGBA") + 12 :], np.uint8, 1024).reshape(-1, 4)
    assert bytes(colours[MEADOW["lava"]][:3]) == bytes.fromhex("e8541e")


def test_what_cannot_hold_a_palette_says_so() -> None:
    """Other files say that they do not hold it; those that can do."""
    holding = {name for name, row in FORMATS.items() if row.dump and "palette" not in list_lost_parts(DRAWN, row)}
    assert holding == {*ROUND_TRIPS, "godot", "glb"}
    for name in ("text", "csv", "xp", "graphml", "dot", "uvtt", "foundry"):
        assert "palette" in list_lost_parts(DRAWN, FORMATS[name])


def test_things_keep_their_pieces_beside_custom_tiles() -> None:
    level = DRAWN.replace(things=[Thing("chest", 3, 3), Thing("gizmo", 9, 1)])
    assert loads(dump(level, "tmj"), "tmj").things == level.things
    told = Scene(dump(level, "godot", stem="level"))
    assert told.nodes["Things/Chest1/Picture"][1]["texture"] == ("ExtResource", "picture")
