"""Our own maps for Tiled, read again: as we wrote them, as Tiled saved them, and after somebody worked on them
there.
"""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import undercroft as uc
from support.levels import assert_same, crypt, levels
from support.maps import HEAVY, soup
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE, Regions, Thing, view_doors, view_links
from undercroft.draw.tileset.picture import tileset
from undercroft.errors import BadInput
from undercroft.formats import FORMATS, dump, loads, read_origin
from undercroft.formats.tiled.tags import format_tags, parse_tags

RECIPES = (
    "rooms-and-mazes",
    "cave",
    "bsp",
    "tinykeep",
    "isaac",
    "cozy",
    "maze",
    "dungeoning",
    "diablo2",
    "diablo3",
    "grammar",
    "galak-z",
)
SIZES = ((1, 1), (1, 30), (30, 1), (2, 2), (3, 5), (17, 16))
PARTS = ("regions", "doors", "links", "things", "start", "end", "path", "title", "provenance")
NAMES = ("tmx", "tmj")
ROOM_GRID_FORMATS = ("json:rooms", "godot:rooms")
"""Formats that take other levels."""


def without_layers(level: Level) -> Level:
    """What a map holds: all but further layers."""
    return Level(level.tiles, level.palette, **{name: getattr(level, name) for name in PARTS})


def assert_reads_back(level: Level, name: str, **options: str) -> None:
    data = dump(level, name, **options)
    found = loads(data, name, f"map.{name}")
    assert_same(found, without_layers(level))
    assert dump(found, name, **options) == data


# --- as we wrote them ---


@pytest.mark.parametrize("recipe", RECIPES)
def test_levels_of_recipes_read_back(recipe: str) -> None:
    for seed in range(10 if HEAVY else 1):
        level = uc.generate(recipe, seed=seed)
        for name in NAMES:
            assert_reads_back(level, name)
            assert_reads_back(level, name, encoding="zlib")


def test_odd_sizes_read_back() -> None:
    for width, height in SIZES:
        for number in range(3 if HEAVY else 1):
            tiles = np.random.default_rng(number).integers(0, len(STANDARD), (height, width), dtype=np.uint8)
            for name in NAMES:
                assert_reads_back(Level(tiles), name)
                assert_reads_back(surveyed(Level(tiles)), name)


def test_room_grids_read_back() -> None:
    level = uc.generate("isaac", seed=2, size=(73, 33), expand=False)
    assert level.palette != STANDARD or level.width < 20
    for name in NAMES:
        assert_reads_back(level, name)


def test_palettes_whose_tiles_look_alike_read_back() -> None:
    tiles = [
        tile._replace(name=f"{tile.name} {copy}", glyph=chr(0x4E00 + 2 * code + copy), aliases="")
        for code, tile in enumerate(STANDARD.tiles)
        for copy in (0, 1)
    ]
    palette = Palette(
        [
            *tiles,
            *(STANDARD.tiles[1]._replace(name=f"another {code}", glyph=chr(0x5000 + code)) for code in range(200)),
        ],
        "many",
    )
    level = Level(np.arange(len(palette), dtype=np.uint8).reshape(2, -1), palette)
    for name in NAMES:
        assert_reads_back(level, name)


@settings(max_examples=300 if HEAVY else 30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(levels())
def test_any_level_reads_back(level: Level) -> None:
    assume(all(thing.kind for thing in level.things))  # what is nothing becomes a 'thing'
    assert_reads_back(level, "tmj")
    try:
        dump(level, "tmx")
    except BadInput as error:
        assert "XML cannot hold" in str(error)  # noqa: PT017
        return
    assert_reads_back(level, "tmx")


TAGS = st.lists(st.text(max_size=5) | st.sampled_from(["a", "a, b", " c", "[", '["x"]', ","]), max_size=3)


@given(TAGS)
def test_tags_read_back(tags: list[str]) -> None:
    assert parse_tags(format_tags(tags)) == tuple(tags)


def test_a_thing_may_be_called_what_it_is() -> None:
    level = Level(
        Level.parse("...").tiles,
        things=[
            Thing("chest", 0, 0, {"name": "chest"}),
            Thing("rat", 1, 0, {"name": 3}),
            Thing("bat", 2, 0, {"name": ""}),
        ],
    )
    for name in NAMES:
        assert_reads_back(level, name)


def test_the_origin_is_told(tmp_path: Path) -> None:
    level = uc.generate("cave", seed=7, size=(30, 20))
    for name in NAMES:
        level.save(tmp_path / f"cave.{name}")
        assert read_origin(tmp_path / f"cave.{name}") == level.provenance


def test_a_json_file_of_tiled_is_known_by_its_keys(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_bytes(dump(crypt(), "tmj"))
    assert uc.load(tmp_path / "map.json") == without_layers(crypt())


# --- as Tiled saves them ---


@pytest.mark.parametrize(("kind", "name"), [("tmx", "tmx"), ("json", "tmj")])
@pytest.mark.parametrize("options", [[], ["--embed-tilesets"]])
def test_what_tiled_saves_anew_is_the_same_level(kind: str, name: str, options: list[str], tmp_path: Path) -> None:
    if not shutil.which("tiled"):
        pytest.skip("tiled is not there: install the package 'tiled'")
    for source, level in (
        ("map.tmx", uc.generate("dungeoning", seed=3)),
        ("map.tmx", crypt()),
        ("map.tmj", uc.generate("cozy", seed=1)),
    ):
        level.save(tmp_path / source)
        out = tmp_path / f"anew.{name}"
        out.unlink(missing_ok=True)
        command = ["tiled", *options, "--export-map", kind, str(tmp_path / source), str(out)]
        subprocess.run(
            command,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(tmp_path)},
            capture_output=True,
            check=False,
            timeout=120,
        )
        data = out.read_bytes()
        assert data != (tmp_path / source).read_bytes()
        assert_same(uc.load(out), without_layers(level))


# --- after somebody worked on them ---


def changed(level: Level, change: Callable[[dict[str, Any]], object]) -> Level:
    """The level that is read after a change to its TMJ file."""
    document = json.loads(dump(level, "tmj"))
    change(document)
    return loads(json.dumps(document).encode(), "tmj", "map.tmj")


def layer(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(layer for layer in document["layers"] if layer["name"] == name)


def piece(name: str) -> int:
    return 1 + tileset().number(name)


HALL = """
    ##########
    #<..+....#
    #...#..o.#
    ##########
"""


def hall() -> Level:
    drawn = surveyed(Level.parse(HALL))
    things = [Thing("chest", 2, 2, {"gold": 3}), Thing("rat", 7, 1)]
    return Level(
        drawn.tiles, regions=drawn.regions, doors=drawn.doors, links=drawn.links, things=things, start=drawn.start
    )


def paint(cells: dict[tuple[int, int], int], name: str = "terrain") -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        for (x, y), number in cells.items():
            layer(document, name)["data"][y * document["width"] + x] = number

    return change


def test_cells_that_were_painted_over_are_believed() -> None:
    level = hall()
    flags = next(name for name in tileset().names if name.startswith("flags"))
    water = next(name for name, role in zip(tileset().names, tileset().roles, strict=True) if role == "water")
    found = changed(level, paint({(2, 0): piece(flags), (6, 1): piece(water)}))
    assert str(found) == str(
        Level.parse(HALL.replace("##########\n    #<", "##.#######\n    #<", 1).replace("+....", "+.~.."))
    )
    assert (found.regions, found.doors, found.links, found.things, found.start) == (
        level.regions,
        level.doors,
        level.links,
        level.things,
        level.start,
    )


def test_doors_and_pillars_that_were_painted_are_believed() -> None:
    locked = next(name for name, role in zip(tileset().names, tileset().roles, strict=True) if role == "locked")
    found = changed(hall(), paint({(4, 1): piece(locked)}, "doors"))
    assert str(found).splitlines()[1] == "#<..L....#"
    found = changed(hall(), paint({(4, 1): 0}, "doors"))
    assert str(found).splitlines()[1][4] in ",.", "without the door there is ground"
    found = changed(hall(), paint({(7, 2): 0}, "decor"))
    assert str(found).splitlines()[2] == "#...#....#"
    found = changed(hall(), paint({(1, 2): piece("pillar")}, "decor"))
    assert str(found).splitlines()[2] == "#o..#..o.#"


def test_an_erased_cell_is_nothing() -> None:
    assert str(changed(hall(), paint({(0, 0): 0}))).splitlines()[0] == " #########"


def test_a_repainted_layer_may_be_hidden_or_of_flipped_tiles() -> None:
    def change(document: dict[str, Any]) -> None:
        paint({(0, 0): piece("flags.0") | 0xE0000000})(document)
        layer(document, "terrain")["visible"] = False

    assert str(changed(hall(), change)).splitlines()[0] == ".#########"


def test_pictures_of_another_version_are_not_taken_for_changes() -> None:
    level = hall()

    def change(document: dict[str, Any]) -> None:
        notes = layer(document, "undercroft")["properties"]
        next(row for row in notes if row["name"] == "pieces")["value"] = "0123456789abcdef"
        paint({(x, y): 1 for x in range(10) for y in range(4)})(document)

    assert changed(level, change) == level


def test_a_role_that_the_palette_lacks_is_said() -> None:
    palette = Palette([tile for tile in STANDARD.tiles if tile.role in ("void", "wall", "floor")], "bare")
    level = Level(np.ones((2, 2), np.uint8), palette)
    water = next(name for name, role in zip(tileset().names, tileset().roles, strict=True) if role == "water")
    with pytest.raises(
        BadInput, match=r"map\.tmj: a cell is painted as something .* 'bare' has no tile with the role 'water'"
    ):
        changed(level, paint({(1, 1): piece(water)}))


def test_things_can_be_moved_added_and_taken_away() -> None:
    def change(document: dict[str, Any]) -> None:
        chest, rat = layer(document, "things")["objects"]
        chest["x"] += 16
        chest["properties"][0]["value"] = 99
        new = {
            "id": 900,
            "name": "Bob",
            "type": "ogre",
            "x": 130,
            "y": 20,
            "point": True,
            "properties": [{"name": "asleep", "type": "bool", "value": True}],
        }
        sprite = {
            "id": 901,
            "name": "",
            "type": "",
            "gid": 1 + tileset().number("thing.chest"),
            "x": 16,
            "y": 48,
            "width": 16,
            "height": 16,
        }
        layer(document, "things")["objects"] = [chest, new, sprite]
        assert rat

    found = changed(hall(), change)
    assert found.things == (
        Thing("chest", 3, 2, {"gold": 99}),
        Thing("ogre", 8, 1, {"name": "Bob", "asleep": True}),
        Thing("chest", 1, 2),
    )


def test_rooms_and_doors_can_be_taken_away() -> None:
    level = uc.generate("rooms-and-mazes", seed=1, size=(41, 31))
    gone = level.rooms[2].label
    assert len(level.doors) > 3

    def change(document: dict[str, Any]) -> None:
        for name, number in (("rooms", gone), ("doorways", len(level.regions) + 2)):
            rows = layer(document, name)["objects"]
            layer(document, name)["objects"] = [row for row in rows if row["id"] != number]
            assert len(layer(document, name)["objects"]) == len(rows) - 1

    found = changed(level, change)
    renumbered = np.array([label - (label > gone) if label != gone else 0 for label in range(len(level.regions) + 1)])
    assert np.array_equal(found.regions.labels, renumbered[level.regions.labels])
    assert [region[1:] for region in found.regions] == [region[1:] for region in level.regions if region.label != gone]
    assert list(found.doors) == [
        door._replace(a=renumbered[door.a], b=renumbered[door.b])
        for number, door in enumerate(level.doors)
        if number != 1
    ]
    for link, before in zip(found.links, level.links, strict=True):
        assert (link.a, link.b) == (renumbered[before.a], renumbered[before.b])
        assert link.door == (-1 if before.door == 1 else before.door - (before.door > 1))


def test_a_copied_room_has_no_cells() -> None:
    level = hall()

    def change(document: dict[str, Any]) -> None:
        rows = layer(document, "rooms")["objects"]
        copied = copy.deepcopy(rows[0]) | {"id": 900, "name": "Annexe"}
        next(row for row in copied["properties"] if row["name"] == "label")["value"] = 77
        rows.append(copied)

    found = changed(level, change)
    first, *_, last = found.regions
    assert list(found.regions)[:-1] == list(level.regions)
    assert (last.x, last.y, last.width, last.height, last.area, last.name) == (first.x, first.y, 0, 0, 0, "Annexe")
    assert np.array_equal(found.regions.labels, level.regions.labels)
    for name in NAMES:
        assert_reads_back(found, name)
    for name, row in FORMATS.items():
        if row.dump is not None and name not in ROOM_GRID_FORMATS:
            assert dump(found, name)


def test_rooms_can_be_renamed_and_tagged() -> None:
    def change(document: dict[str, Any]) -> None:
        room = layer(document, "rooms")["objects"][0]
        room["name"], room["type"] = "The Hall", "vault"
        room["properties"].append({"name": "tags", "type": "string", "value": "cold, dark "})

    region = changed(hall(), change).regions[0]
    assert (region.name, region.kind, region.tags) == ("The Hall", "vault", ("cold", "dark"))


def test_a_map_made_larger_in_tiled_goes_by_its_pictures() -> None:
    level = hall()

    def change(document: dict[str, Any]) -> None:
        document["height"] += 1
        for one in document["layers"]:
            if one["type"] == "tilelayer":
                one["height"] += 1
                one["data"] += [0] * document["width"]

    found = changed(level, change)
    assert np.array_equal(found.walkable[:-1], level.walkable)
    assert not found.walkable[-1].any()
    assert (found.things, found.start) == (level.things, level.start)
    assert found.provenance["tiled"]["layers"]["decor"] == "decoration, by its name"


MISTAKES: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    (
        "layer 'undercroft': this is 'undercroft-tiled/9'",
        lambda d: layer(d, "undercroft")["properties"][0].update(value="undercroft-tiled/9"),
    ),
    (
        "the note 'tiles':1:1: unknown glyph '@'",
        lambda d: layer(d, "undercroft")["properties"][2].update(value="@" * 10 + "\n##########" * 3),
    ),
    ("the note 'labels': there are 1 rows", lambda d: layer(d, "undercroft")["properties"][3].update(value="0*10")),
    (
        "the note 'labels': row 0: the row has 9 cells",
        lambda d: layer(d, "undercroft")["properties"][3].update(value="0*9" + "\n0*10" * 3),
    ),
    ("has the label 7", lambda d: layer(d, "undercroft")["properties"][3].update(value="7*10" + "\n0*10" * 3)),
    ("two rooms have the label 1", lambda d: layer(d, "rooms")["objects"][1]["properties"][0].update(value=1)),
    (
        "a room has a label, a whole number from 1, not -3",
        lambda d: layer(d, "rooms")["objects"][1]["properties"][0].update(value=-3),
    ),
    (
        "a room has a label, a whole number from 1, not null",
        lambda d: layer(d, "rooms")["objects"][1]["properties"].pop(0),
    ),
    (
        "at rooms[0].kind: unknown kind 'romo'\n  fix: did you mean 'room'?",
        lambda d: layer(d, "rooms")["objects"][0].update(type="romo"),
    ),
    ("at rooms[0].x: -2 is out of range", lambda d: layer(d, "rooms")["objects"][0].update(x=-32)),
    (
        "at doorways[0].state: unknown state 'ajar'",
        lambda d: layer(d, "doorways")["objects"][0]["properties"][0].update(value="ajar"),
    ),
    ("at doorways[0].x: 99 is out of range", lambda d: layer(d, "doorways")["objects"][0].update(x=99 * 16)),
    (
        "at doorways[0].a: a whole number belongs here",
        lambda d: layer(d, "doorways")["objects"][0]["properties"][1].update(value="x", type="string"),
    ),
    (
        "at links[0].kind: unknown kind 'opne'\n  fix: did you mean 'open'?",
        lambda d: layer(d, "links")["objects"][0].update(type="opne"),
    ),
    (
        "at links[0].carved: true or false",
        lambda d: layer(d, "links")["objects"][0]["properties"][3].update(value="x", type="string"),
    ),
    (
        "two doors of the layer 'doorways' have the same id",
        lambda d: layer(d, "doorways")["objects"].append(layer(d, "doorways")["objects"][0]),
    ),
    (
        "object 5: it stands at (50, 2), outside of the map of 10x4",
        lambda d: layer(d, "things")["objects"][0].update(x=800),
    ),
    ("outside of the map", lambda d: layer(d, "spawns")["objects"][0].update(y=-8)),
    ("unknown palette 'strange'", lambda d: d["properties"][0].update(value="strange")),
    ("the property 'undercroft':1:1: this is not JSON", lambda d: d["properties"][1].update(value="x")),
    ("an object belongs here", lambda d: d["properties"][1].update(value="[]")),
]


@pytest.mark.parametrize(("sentence", "change"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_mistakes_made_in_tiled_are_said(sentence: str, change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(BadInput) as caught:
        changed(hall(), change)
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("map.tmj: ")
    assert "fix: " in str(caught.value)


def test_a_path_that_leaves_the_map_is_said() -> None:
    level = Level(hall().tiles, path=np.array([(1, 1), (2, 1)], np.int32))
    with pytest.raises(BadInput, match=r"the path leaves the map at \(-4, 1\)"):
        changed(level, lambda document: layer(document, "path")["objects"][0].update(x=-56))


def test_a_level_without_anything_reads_back() -> None:
    level = Level(np.zeros((2, 3), np.uint8), regions=Regions(np.zeros((2, 3), np.int32), np.zeros(2, REGION_DTYPE)))
    for name in NAMES:
        assert_reads_back(level, name)
    rows = view_doors(np.array([(2, 1, 0, 2, 3)], DOOR_DTYPE)), view_links(np.array([(0, 0, 2, 0, False)], LINK_DTYPE))
    level = Level(level.tiles, regions=level.regions, doors=rows[0], links=rows[1])
    for name in NAMES:
        assert_reads_back(level, name)


def test_soups_read_back() -> None:
    for number in range(25):
        level = surveyed(soup(number, "##..,+LS~:o'", 12).level())
        for name in NAMES:
            assert_reads_back(level, name)


def test_damaged_files_load_or_are_refused_in_a_sentence() -> None:
    chance = np.random.default_rng(5)
    for name in NAMES:
        whole = dump(crypt(), name)
        for _ in range(150):
            data = bytearray(whole)
            for at in chance.integers(0, len(data), 3).tolist():
                data[at : at + 3] = (
                    chance.integers(0, 256, 3, dtype=np.uint8).tobytes()
                    if chance.random() < 0.5
                    else re.sub(b"[0-9]", b"9", bytes(data[at : at + 3]))
                )
            if chance.random() < 0.3:
                del data[int(chance.integers(0, len(data))) :]
            try:
                loads(bytes(data), name, "map")
            except BadInput as error:
                assert str(error).startswith("map")  # noqa: PT017
