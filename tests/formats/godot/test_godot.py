"""Scenes for Godot: read by a strict reader of their text and by godot_parser, compared cell by cell.
`test_godot_engine.py` does it in Godot itself.

The golden file is written anew with
    python -c "import undercroft as uc; uc.load('examples/chapel.json').save('tests/golden/formats/chapel.tscn')"
    rm tests/golden/formats/undercroft.png
"""

from __future__ import annotations

import base64
import io
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import undercroft as uc
from support.godot_scenes import Reader, Scene
from support.levels import crypt, levels
from support.maps import HEAVY
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.tileset.picture import LAYERS, compose_image, lay_pieces, tileset
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.formats import FORMATS, dump, dump_files, read_origin
from undercroft.formats.godot.scene_text import format_value, quote, unquote

GOLDEN = ROOT / "tests" / "golden" / "formats" / "chapel.tscn"
RECIPES = ("rooms-and-mazes", "cave", "bsp", "tinykeep", "isaac", "cozy", "maze", "dungeoning")


def chapel() -> Level:
    return uc.load(ROOT / "examples" / "chapel.json")


def scene(level: Level) -> Scene:
    return Scene(dump(level, "godot", stem="the old keep"))


def wanted_cells(level: Level, name: str) -> dict[tuple[int, int], tuple[int, int, int]]:
    """The atlas of each cell, and its place there: our pieces are on the first, those of custom tiles on the second."""
    pieces = lay_pieces(level)[name]
    found = {}
    for y, x in np.argwhere(pieces >= 0).tolist():
        custom = int(pieces[y, x]) >= len(tileset())
        number = int(pieces[y, x]) - custom * len(tileset())
        found[x, y] = int(custom), number % 32, number // 32
    return found


def assert_told(level: Level) -> None:
    """Everything that the format keeps is in the scene."""
    told = scene(level)
    assert told.head == {"format": 4}
    assert told.name == "TheOldKeep"
    for name in LAYERS:
        assert told.sourced_cells(name.capitalize()) == wanted_cells(level, name)
    root = told.meta(".")
    assert root["size"] == ("Vector2i", *level.size)
    assert root["title"] == level.title.replace("\0", "\ufffd")
    assert root["path"] == ("PackedVector2Array", *level.path.reshape(-1).tolist())
    assert root["links"] == [[*link] for link in level.links]
    assert [told.meta(path) for path in told.places("doors")] == [
        {"cell": ("Vector2i", door.x, door.y), "state": door.state, "a": door.a, "b": door.b} for door in level.doors
    ]
    regions = told.places("regions")
    assert len(regions) == len(level.regions)
    for region, path in zip(level.regions, regions, strict=True):
        meta = told.meta(path)
        assert (meta["label"], meta["kind"], meta["area"]) == (region.label, region.kind, region.area)
        assert meta["box"] == ("Rect2i", region.x, region.y, region.width, region.height)
        assert [tag.replace("\0", "\ufffd") for tag in region.tags] == meta["tags"]
        assert (meta["template"], meta["title"]) == (region.template.replace("\0", "\ufffd"), region.name)
        kind, held, groups = told.nodes[path]
        middle = (region.x * 16 + region.width * 8, region.y * 16 + region.height * 8)
        assert held["position"] == ("Vector2", *middle)
        assert (
            ("rooms" in groups)
            == (kind == "Area2D")
            == (region.kind != "corridor" and region.width > 0 < region.height)
        )
        if kind == "Area2D":
            shape = told.nodes[f"{path}/Box"][1]["shape"]
            assert told.resources[shape[1]] == (
                "RectangleShape2D",
                {"size": ("Vector2", region.width * 16, region.height * 16)},
            )
    things = told.places("things")
    assert len(things) == len(level.things)
    for thing, path in zip(level.things, things, strict=True):
        meta = told.meta(path)
        assert (meta["kind"], meta["cell"]) == (thing.kind.replace("\0", "\ufffd"), ("Vector2i", thing.x, thing.y))
        assert told.nodes[path][1]["position"] == ("Vector2", thing.x * 16 + 8, thing.y * 16 + 8)
        assert told.nodes[f"{path}/Picture"][0] == "Sprite2D"
    for name, point in (("Start", level.start), ("End", level.end)):
        assert (name in told.nodes) == (point is not None)
        if point is not None:
            assert told.nodes[name][1]["position"] == ("Vector2", point[0] * 16 + 8, point[1] * 16 + 8)


@pytest.mark.parametrize("make", [chapel, crypt])
def test_a_scene_tells_everything(make: Callable[[], Level]) -> None:
    assert_told(make())


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_recipes_make_is_told(recipe: str) -> None:
    assert_told(uc.generate(recipe, seed=1))


@given(levels())
@settings(max_examples=300 if HEAVY else 30)
def test_any_level_is_told(level: Level) -> None:
    if not any(len({key.replace("\0", "\ufffd") for key in thing.data}) < len(thing.data) for thing in level.things):
        assert_told(level)


def test_the_data_of_things() -> None:
    data: dict[str, str | int | float | bool] = {
        "gold": 40,
        "share": 0.1,
        "locked": True,
        "note": 'a "b"\n\\c\t\x7fé🗝',
        "seed": 2**63,
        "least": -(2**63),
        "big": 1e300,
    }
    level = Level(
        Level.parse("..").tiles, things=[Thing("iron key", 1, 0, data), Thing("iron key", 0, 0), Thing("%", 0, 0)]
    )
    told = scene(level)
    assert told.places("things") == ["Things/IronKey1", "Things/IronKey2", "Things/Thing3"]
    assert told.meta("Things/IronKey1")["data"] == data | {"seed": str(2**63)}
    assert told.meta("Things/IronKey2")["data"] == {}


def test_solid_pieces_are_solid_and_all_tell_what_they_are() -> None:
    told, tiles = scene(chapel()), tileset()
    kind, atlas = told.resources["pieces"]
    assert kind == "TileSetAtlasSource"
    assert told.pictures[atlas["texture"][1]] == "undercroft.png"
    for number, (name, role, solid) in enumerate(zip(tiles.names, tiles.roles, tiles.solid, strict=True)):
        place = f"{number % 32}:{number // 32}/0"
        assert atlas[place] == 0
        assert (atlas[f"{place}/custom_data_0"], atlas[f"{place}/custom_data_1"]) == (role, name)
        points = atlas.get(f"{place}/physics_layer_0/polygon_0/points")
        assert points == (("PackedVector2Array", -8, -8, 8, -8, 8, 8, -8, 8) if solid else None)
    kind, held = told.resources["tiles"]
    assert kind == "TileSet"
    assert (held["sources/0"], held["tile_size"], held["physics_layer_0/collision_layer"]) == (
        ("SubResource", "pieces"),
        ("Vector2i", 16, 16),
        1,
    )
    assert [held[f"custom_data_layer_{number}/{key}"] for number in (0, 1) for key in ("name", "type")] == [
        "role",
        4,
        "piece",
        4,
    ]


@pytest.mark.parametrize("make", [chapel, crypt, *(lambda name=name: uc.generate(name, seed=5) for name in RECIPES)])
def test_what_one_cannot_enter_is_solid(make: Callable[[], Level]) -> None:
    level = make()
    told, tiles = scene(level), tileset()
    solid = {
        (x, y)
        for name in LAYERS
        for (x, y), (right, down) in told.cells(name.capitalize()).items()
        if tiles.solid[down * 32 + right]
    }
    assert solid == {(int(x), int(y)) for y, x in np.argwhere(~level.walkable)}


def test_the_cells_make_the_picture() -> None:
    """Pasted from the picture beside the scene, the cells give the picture that we draw."""
    level = crypt()
    files = dump_files(level, "maps/crypt.tscn", FORMATS["godot"])
    assert [path.as_posix() for path in files] == ["maps/undercroft.png", "maps/crypt.tscn"]
    sheet = Image.open(io.BytesIO(files[Path("maps/undercroft.png")]))
    told = Scene(files[Path("maps/crypt.tscn")])
    assert told.name == "Crypt"
    picture = Image.new("RGBA", (level.width * 16, level.height * 16), (0, 0, 0, 255))
    for name in LAYERS:
        for (x, y), (right, down) in told.cells(name.capitalize()).items():
            picture.alpha_composite(
                sheet.crop((right * 16, down * 16, right * 16 + 16, down * 16 + 16)), (x * 16, y * 16)
            )
    assert abs(np.asarray(picture.convert("RGB")).astype(int) - np.asarray(compose_image(level)).astype(int)).max() <= 1


def test_godot_parser_reads_it(tmp_path: Path) -> None:
    parser: Any = pytest.importorskip("godot_parser", reason="the package godot-parser is not installed")
    crypt().save(tmp_path / "crypt.tscn")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it calls its own parser by old names
        theirs = parser.load(str(tmp_path / "crypt.tscn"))
    ours = Scene((tmp_path / "crypt.tscn").read_bytes())
    names = [node.name for node in theirs.get_nodes()]
    assert names == [path.rpartition("/")[2] if path != "." else ours.name for path in ours.nodes]
    for layer in ("Terrain", "Doors", "Decor"):
        found = next(node for node in theirs.get_nodes() if node.name == layer)
        assert base64.b64decode(found["tile_map_data"].args[0]) == ours.nodes[layer][1]["tile_map_data"]
    chest = next(node for node in theirs.get_nodes() if node.name == "Chest1")
    assert chest["metadata/data"] == {"gold": 7, "open": False, "label": "Él"}


def test_the_golden_file() -> None:
    assert dump(chapel(), "godot", stem="chapel") == GOLDEN.read_bytes()


# --- damage is noticed ---


def all_cells(data: bytes) -> list[dict[tuple[int, int], tuple[int, int]]]:
    told = Scene(data)
    return [told.cells(layer) for layer in ("Terrain", "Doors", "Decor")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'tile_map_data = PackedByteArray("AAA', b'tile_map_data = PackedByteArray("'),
        (b'tile_map_data = PackedByteArray("AAA', b'tile_map_data = PackedByteArray("BQA'),
        (b'SubResource("tiles")', b'SubResource("tile")'),
        (b'parent="Things"', b'parent="Thing"'),
        (b"Vector2i(13, 5)", b"Vector2i(13)"),
        (b"metadata/a = 1\n", b"metadata/a = \n"),
        (b'"closed"', b'"closed'),
    ],
)
def test_a_scene_that_is_damaged_is_not_read(old: bytes, new: bytes) -> None:
    data = dump(chapel(), "godot")
    assert old in data
    with pytest.raises((AssertionError, ValueError)):
        all_cells(data.replace(old, new, 1))


# --- how it was made ---


@given(levels())
@settings(max_examples=40)
def test_a_scene_tells_how_it_was_made(level: Level) -> None:
    found = FORMATS["godot"].origin
    assert found is not None
    assert found(dump(level, "godot"), "map.tscn") == level.provenance


def test_the_origin_of_a_file(tmp_path: Path) -> None:
    level = uc.generate("drunkard", seed=2**64 - 1, expand=False)
    for name, format_ in (("a.tscn", "godot"), ("b.tscn", "godot:rooms"), ("c.json", "json:rooms")):
        level.save(tmp_path / name, format_)
        told = read_origin(tmp_path / name, format_)
        assert (told["recipe"], told["seed"]) == ("drunkard", str(2**64 - 1))


HOSTILE = [
    (b"", "does not record how it was made"),
    (b"[gd_scene format=4]\n" * 1000, "does not record how it was made"),
    (b'metadata/undercroft = "', "does not record how it was made"),
    (b'metadata/undercroft = "' + b"\\" * 1_000_001, "does not record how it was made"),
    (b'metadata/undercroft = "{"', "this is not JSON"),
    (b'metadata/undercroft = "[]"', "an object belongs here"),
    (b'metadata/undercroft = "' + b"[" * 1000 + b'"', "its nesting is"),
    (b'metadata/undercroft = "\xff"', "this is not JSON"),
]


@pytest.mark.parametrize(("data", "problem"), HOSTILE)
def test_a_strange_scene_does_no_harm(data: bytes, problem: str) -> None:
    begun = time.process_time()
    found = FORMATS["godot"].origin
    assert found is not None
    with pytest.raises(BadInput, match=problem) as caught:
        found(data, "map.tscn")
    assert "map.tscn" in str(caught.value)
    assert time.process_time() - begun < 3


@given(st.binary(max_size=60))
def test_no_bytes_do_harm(data: bytes) -> None:
    for name in ("godot", "godot:rooms", "json:rooms"):
        found = FORMATS[name].origin
        assert found is not None
        with suppress(UndercroftError):
            found(b'metadata/undercroft = "' + data + b'"', "map.tscn")
        with suppress(UndercroftError):
            found(data, "map.tscn")


# --- texts ---


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_texts_are_quoted_and_unquoted(text: str) -> None:
    assert unquote(quote(text)[1:-1]) == text
    assert Reader(quote(text)).value() == text


def test_values() -> None:
    assert format_value(None) == "null"
    assert format_value([1, "a", True, 2.5, {"k": []}]) == '[1, "a", true, 2.5, {"k": []}]'
    assert format_value(2**63 - 1) == str(2**63 - 1)
    assert quote("a\0b") == '"a\ufffdb"'


# --- limits ---


def test_the_longest_level_and_one_that_is_too_long() -> None:
    long = Level(np.ones((1, 1 << 15), np.uint8))
    assert max(scene(long).cells("Terrain")) == (32767, 0)
    with pytest.raises(TooBig, match="longer side of the level is 32,769; the limit is 32,768"):
        dump(Level(np.ones((1, (1 << 15) + 1), np.uint8)), "godot")
    with pytest.raises(TooBig):
        dump(Level(np.ones(((1 << 15) + 1, 1), np.uint8)), "godot")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(BadInput, match="half a character"):
        dump(Level(Level.parse("#").tiles, title="\udc80"), "godot")
