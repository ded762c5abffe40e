"""3D models: opened by trimesh, measured, and compared with the map cell by cell. Khronos' own validator is asked if it
is there (npm: gltf-validator).

The golden file is written anew with
    python -c "import undercroft as uc; uc.load('examples/chapel.json').save('tests/golden/formats/chapel.glb')"
"""

from __future__ import annotations

import io
import json
import os
import shutil
import struct
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from numpy.typing import NDArray
from scipy import ndimage

import undercroft as uc
import undercroft.formats as formats
from support.levels import crypt
from support.maps import each, soup
from support.paths import ROOT
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Regions, Thing
from undercroft.errors import BadInput, TooBig
from undercroft.formats import dump
from undercroft.formats.models.meshes import Mesh, build_box, build_column, build_solid
from undercroft.formats.models.meshing import build_slabs, trace_outline, triangulate

GOLDEN = ROOT / "tests" / "golden" / "formats"
NEAR = np.ones((3, 3), bool)


def keep() -> Level:
    """Something of everything that can be built."""
    level = surveyed(
        Level.parse("""
            #################
            #....#....#,,,,~#
            #.<..+.o..L,~~~~#
            #....#....#,~~~~#
            ###S##.::.#,,,,,#
            #...##.::.'....>#
            #...##....#.o.o.#
            #################
        """)
    )
    regions = Regions(
        level.regions.labels,
        level.regions.table,
        {1: ("lit",)},
        {2: "hall"},
        {1: "Hall of Bells", 2: "Él 漢", 3: "twin", 4: "twin"},
    )
    return Level(
        level.tiles,
        regions=regions,
        doors=level.doors,
        links=level.links,
        things=[Thing("chest", 1, 1, {"gold": 40, "about": "old"}), Thing("rat", 0, 0)],
        start=level.start,
        end=level.end,
        path=np.array([(2, 2), (3, 2)], np.int32),
        provenance={"recipe": "by hand", "seed": "18446744073709551615"},
        title="The Keep",
    )


def opened(data: bytes) -> Any:
    """The scene as trimesh sees it, its corners as they are in the file."""
    return trimesh.load(io.BytesIO(data), file_type="glb", process=False)


def document(data: bytes) -> dict[str, Any]:
    length = struct.unpack_from("<I", data, 12)[0]
    found: dict[str, Any] = json.loads(data[20 : 20 + length])
    return found


def welded(mesh: Any) -> Any:
    """The mesh with corners at one place made one."""
    points, place = np.unique(np.round(np.asarray(mesh.vertices), 4), axis=0, return_inverse=True)
    return trimesh.Trimesh(points, place.reshape(-1)[np.asarray(mesh.faces)], process=False)


def closed(mesh: Any) -> bool:
    """Whether every edge is walked as often in one direction as in the other: no hole, no crack, no face the wrong way
    round.

    trimesh asks for exactly two faces at an edge; where two bodies touch in a line, there are four.
    """
    faces = np.asarray(welded(mesh).faces)
    edges = Counter(map(tuple, np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).tolist()))
    return all(edges[b, a] == count for (a, b), count in edges.items())


def rock(level: Level) -> NDArray[np.bool_]:
    return level.palette.role_mask("wall", "void")[level.tiles]


def built(level: Level) -> NDArray[np.bool_]:
    """The cells of rock that touch open ground, by SciPy."""
    found: NDArray[np.bool_] = rock(level) & ndimage.binary_dilation(~rock(level), NEAR)
    return found


def measured(level: Level, data: bytes, scale: float, height: float) -> list[str]:
    """What is wrong with walls and floors, if anything."""
    scene, wrong = opened(data), []
    cells = int(built(level).sum())
    if not cells:
        return ["walls of nothing"] if "walls" in scene.geometry else []
    walls = scene.geometry["walls"]
    if not closed(walls):
        wrong.append("the walls are not closed")
    if not np.isclose(walls.volume, cells * scale**2 * height, rtol=1e-4):
        wrong.append(f"the walls hold {walls.volume}, not {cells} cells")
    ys, xs = np.nonzero(built(level))
    wanted = [[xs.min() * scale, 0, ys.min() * scale], [(xs.max() + 1) * scale, height, (ys.max() + 1) * scale]]
    if not np.allclose(walls.bounds, wanted, atol=1e-3):
        wrong.append(f"the walls reach from {walls.bounds.tolist()}")
    names = {
        node["name"]
        for node in document(data)["nodes"]
        if "kind" in node.get("extras", {}) and "area" in node["extras"]
    } | {"elsewhere"}
    floors = [mesh for node, mesh in meshes_by_node(scene, data) if node in names]
    flat = ~rock(level) & ~level.palette.role_mask("water", "pit", "exit")[level.tiles]
    area = sum(float(mesh.area) for mesh in floors)
    if not np.isclose(area, flat.sum() * scale**2, rtol=1e-4):
        wrong.append(f"the floors are {area}, not {flat.sum()} cells")
    seen = np.zeros(flat.shape, bool)
    for mesh in floors:  # the middle of every cell lies in a triangle of exactly one floor
        seen |= _covered(mesh, flat.shape, scale)
        if not np.allclose(mesh.face_normals, [0, 1, 0], atol=1e-4):
            wrong.append("a floor does not face up")
    if not np.array_equal(seen, flat):
        wrong.append("the floors are elsewhere")
    return wrong


def meshes_by_node(scene: Any, data: bytes) -> list[tuple[str, Any]]:
    """The meshes of each node, by the node's name in the file."""
    nodes = document(data)
    found = []
    for node in nodes["nodes"]:
        if "mesh" in node:
            mesh = nodes["meshes"][node["mesh"]]
            for number in range(len(mesh["primitives"])):
                name = mesh["name"] if not number else f"{mesh['name']}_{number}"
                found.append((node["name"], scene.geometry[name]))
    return found


def _covered(mesh: Any, shape: tuple[int, ...], scale: float) -> NDArray[np.bool_]:
    """The cells whose middles lie below a flat mesh."""
    corners = np.asarray(mesh.triangles)[:, :, [0, 2]] / scale
    covered = np.zeros(shape, bool)
    for triangle in corners:
        (left, top), (right, bottom) = (
            np.floor(triangle.min(axis=0) + 1e-4).astype(int),
            np.ceil(triangle.max(axis=0) - 1e-4).astype(int),
        )
        ys, xs = np.mgrid[top:bottom, left:right] + 0.5
        ways = [
            (triangle[(i + 1) % 3, 0] - triangle[i, 0]) * (ys - triangle[i, 1])
            - (triangle[(i + 1) % 3, 1] - triangle[i, 1]) * (xs - triangle[i, 0])
            for i in range(3)
        ]
        inside = np.logical_and.reduce([way >= -1e-6 for way in ways]) | np.logical_and.reduce(
            [way <= 1e-6 for way in ways]
        )
        covered[top:bottom, left:right] |= inside
    return covered


# --- areas ---


@each("number", 60)
def test_triangles_cover_an_area_exactly_and_its_outline_closes_it(number: int) -> None:
    chance = np.random.default_rng(number)
    grid = (chance.random(chance.integers(1, 12, 2)) < chance.choice([0.2, 0.5, 0.9])).astype(np.int32)
    found = build_slabs(grid)
    points = found.xy()
    corners = points[triangulate(found)[1]]
    one, other = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    sizes = (one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]) / 2
    assert (sizes < 0).all(), "counter-clockwise from above, where y goes down"
    assert -sizes.sum() == grid.sum()
    first, second = trace_outline(found)
    steps = np.abs(points[second] - points[first]).sum()
    padded = np.pad(grid, 1)
    assert steps == sum(np.abs(np.diff(padded, axis=axis)).sum() for axis in (0, 1))
    if not grid.any():
        return
    mesh = build_solid(found, 1.0, 0.0, 2.0)
    body = trimesh.Trimesh(mesh.positions, mesh.triangles, process=False)
    assert closed(body)
    assert np.isclose(body.volume, grid.sum() * 2)
    assert np.allclose(body.face_normals, mesh.normals[mesh.triangles[:, 0]])


def test_areas_are_few_triangles() -> None:
    hall = np.ones((200, 300), np.int32)
    assert len(triangulate(build_slabs(hall))[1]) == 2
    hall[50:60, 70:90] = 0
    assert len(triangulate(build_slabs(hall))[1]) == 4 + 4 + 4


@pytest.mark.parametrize(
    ("mesh", "volume"), [(build_box((0, 2), (0, 3), (-1, 1)), 12), (build_column(1, 4), 4 * 0.8284)]
)
def test_solids_are_closed_and_face_outward(mesh: Mesh, volume: float) -> None:
    body = welded(trimesh.Trimesh(mesh.positions, mesh.triangles, process=False))
    assert body.is_watertight
    assert body.is_winding_consistent
    assert np.isclose(body.volume, volume, rtol=1e-3)
    assert np.allclose(
        trimesh.Trimesh(mesh.positions, mesh.triangles, process=False).face_normals,
        mesh.normals[mesh.triangles[:, 0]],
        atol=1e-3,
    )


# --- whole models ---

LEVELS = [
    keep(),
    crypt(),
    uc.load(ROOT / "examples" / "chapel.json"),
    *(surveyed(soup(number, "####..,+LS~:o'<>", 12).level()) for number in range(12)),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("scale", "height"), [(1.5, 3.0), (2, 0.5)])
def test_walls_and_floors_measure_what_the_map_has(level: Level, scale: float, height: float) -> None:
    assert measured(level, dump(level, "glb", scale=scale, height=height), scale, height) == []


@pytest.mark.parametrize("recipe", ["rooms-and-mazes", "cave", "bsp", "tinykeep", "isaac", "maze"])
def test_recipes(recipe: str) -> None:
    level = uc.generate(recipe, seed=8)
    data = dump(level, "glb")
    assert measured(level, data, 1.5, 3.0) == []
    names = [node["name"] for node in document(data)["nodes"]]
    assert len(set(names)) == len(names)


def test_each_body_of_wall_is_a_solid_of_its_own() -> None:
    level = Level.parse("""
        .......
        .##..#.
        .##..#.
        .......
    """)
    walls = welded(opened(dump(level, "glb", scale=1, height=2)).geometry["walls"])
    assert walls.is_watertight
    bodies = walls.split()
    assert sorted(round(body.volume, 3) for body in bodies) == [4, 8]
    assert all(body.is_watertight for body in bodies)
    assert len(walls.faces) == 2 * 12, "no face between the cells of a wall"


def test_only_rock_at_open_ground_is_built() -> None:
    tiles = np.ones((21, 21), np.uint8)
    tiles[10, 10] = STANDARD["floor"]
    walls = opened(dump(Level(tiles), "glb", scale=1, height=1)).geometry["walls"]
    assert np.isclose(walls.volume, 8)
    assert np.allclose(walls.bounds, [[9, 0, 9], [12, 1, 12]])


def test_damage_is_seen() -> None:
    level = keep()
    data = dump(level, "glb")
    length = struct.unpack_from("<I", data, 12)[0]
    views = document(data)["bufferViews"]
    start = 20 + length + 8
    moved = bytearray(data)
    struct.pack_into("<f", moved, start, 7.25)  # a corner of the walls
    assert measured(level, bytes(moved), 1.5, 3.0) != []
    turned = bytearray(data)
    indices = start + views[2]["byteOffset"]
    turned[indices : indices + 2], turned[indices + 2 : indices + 4] = (
        turned[indices + 2 : indices + 4],
        turned[indices : indices + 2],
    )
    assert "the walls are not closed" in measured(level, bytes(turned), 1.5, 3.0)
    other = Level(
        np.where(np.arange(level.tiles.size).reshape(level.tiles.shape) == 20, 1, level.tiles).astype(np.uint8)
    )
    assert measured(other, data, 1.5, 3.0) != []


def test_nodes_tell_of_rooms_doors_things_and_ends() -> None:
    level = keep()
    found = document(dump(level, "glb", scale=2))
    nodes = {node["name"]: node for node in found["nodes"]}
    root = found["nodes"][0]
    assert root["name"] == "The Keep"
    assert json.loads(root["extras"]["undercroft"]) == level.provenance
    assert (root["extras"]["size"], root["extras"]["metres"], root["extras"]["path"]) == (
        [17, 8],
        2.0,
        [[2, 2], [3, 2]],
    )
    assert len(root["extras"]["links"]) == len(level.links)
    assert {"Hall of Bells", "Él 漢", "twin 3", "twin 4", "walls", "water", "pit", "pillars"} <= nodes.keys()
    told = {
        "label": 1,
        "kind": "room",
        "x": 1,
        "y": 1,
        "width": 4,
        "height": 3,
        "area": 12,
        "tags": ["lit"],
        "name": "Hall of Bells",
    }
    assert nodes["Hall of Bells"]["extras"] == told
    assert nodes["chest 1"] == {
        "name": "chest 1",
        "extras": {"kind": "chest", "x": 1, "y": 1, "data": {"about": "old", "gold": 40}},
        "translation": [3, 0, 3],
    }
    assert nodes["start"]["translation"] == [5, 0, 5]
    assert nodes["end"]["extras"] == {"x": 15, "y": 5}
    inside = [found["nodes"][number]["name"] for number in nodes["Hall of Bells"]["children"]]
    assert set(inside) == {"door 1", "secret door 3", "stairs up 1", "chest 1"}
    assert nodes["door 1"]["extras"] == {"x": 5, "y": 2, "state": "closed", "a": 1, "b": 2}
    assert nodes["locked door 2"]["extras"]["state"] == "locked"
    assert nodes["secret door 3"]["extras"]["state"] == "secret"
    assert "opening" not in " ".join(nodes)


def test_doors_fill_their_passages_and_stairs_and_pits_lie_where_they_should() -> None:
    level = keep()
    scene = opened(dump(level, "glb", scale=1, height=2))

    def bounds(name: str) -> list[list[float]]:
        place, mesh = scene.graph[name]
        corners = trimesh.transform_points(scene.geometry[mesh].vertices, place)
        return [[round(float(part), 3) for part in row] for row in (corners.min(axis=0), corners.max(axis=0))]

    assert bounds("door 1") == [[5.44, 0, 2], [5.56, 1.8, 3]], "across the passage from left to right"
    assert bounds("secret door 3") == [[3, 0, 4], [4, 2, 5]], "as thick as a wall"
    assert bounds("stairs up 1") == [[2, 0, 2], [3, 0.8, 3]]
    low, high = bounds("stairs down 2")
    assert (low[0], low[2], high) == (15, 5, [16, 0, 6])
    assert low[1] < -0.7
    assert bounds("pit") == [[7, -1, 4], [9, 0, 6]]
    assert bounds("pillars") == [[7.2, 0, 2.2], [14.8, 2, 6.8]]
    assert {
        mesh.visual.material.name for mesh in scene.geometry.values() if "surface" in mesh.visual.material.name
    } == {"water surface"}
    colour = scene.geometry["secret door"].visual.material.name
    assert colour == scene.geometry["walls"].visual.material.name == "wall", "a secret door is not seen"


@pytest.mark.parametrize(
    ("picture", "turned"),
    [
        ("######/#....#/##++##/#....#/######", [False, False]),  # a double door in one wall
        ("#####/#.#.#/#.+.#/#.+.#/#.#.#/#####", [True, True]),
        ("######/#....#/##+L##/#....#/######", [False, False]),
        ("#####/#+++#/#####", [True, True, True]),  # one behind the other in a passage
        ("###/#+#/###", [False]),
    ],
)
def test_doors_beside_doors_stand_in_one_wall(picture: str, turned: list[bool]) -> None:
    level = Level.parse(picture.replace("/", "\n"))
    doors = [node for node in document(dump(level, "glb"))["nodes"] if "state" in node.get("extras", {})]
    assert ["rotation" in door for door in doors] == turned


def test_materials_have_the_colours_of_the_palette() -> None:
    found = document(dump(keep(), "glb"))
    for material in found["materials"]:
        shade = material["pbrMetallicRoughness"]["baseColorFactor"][:3]
        shown_as = [
            round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)) for part in shade
        ]
        tile = STANDARD.tiles[STANDARD[material["name"].removesuffix(" surface")]]
        assert np.abs(np.array(shown_as) - [*bytes.fromhex(tile.colour[1:])]).max() <= 1


@pytest.mark.parametrize(
    "picture", ["#", ".", "X", "<", ">", ":", "~", "o", "+", "." * 300, "\n".join("." * 300), "#.#"]
)
def test_odd_maps_open(picture: str) -> None:
    level = Level.parse(picture)
    data = dump(level, "glb")
    assert data == dump(level, "glb")
    assert measured(level, data, 1.5, 3.0) == []
    found = document(data)
    assert all(found[key] for key in found if isinstance(found[key], list)), "glTF has no empty lists"


def test_large_meshes_have_long_numbers_and_small_ones_short() -> None:
    chance = np.random.default_rng(1)
    level = Level(chance.choice([1, 2], (160, 160)).astype(np.uint8))
    data = dump(level, "glb")
    kinds = {accessor["componentType"] for accessor in document(data)["accessors"]}
    assert kinds == {5126, 5125, 5123}
    assert np.isclose(opened(data).geometry["walls"].volume, built(level).sum() * 1.5**2 * 3)


def test_a_model_that_no_engine_opens_is_refused_before_it_is_made() -> None:
    with pytest.raises(TooBig, match="the number of corners of the model's walls"):
        dump(Level(np.random.default_rng(1).choice([1, 2], (3000, 3000)).astype(np.uint8)), "glb")


def test_any_palette() -> None:
    tiles = [STANDARD.tiles[2]._replace(name="grass", glyph="g"), STANDARD.tiles[1]._replace(name="hedge", glyph="h")]
    level = Level(np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], np.uint8), Palette(tiles, "garden"))
    data = dump(level, "glb", scale=1, height=1)
    assert measured(level, data, 1, 1) == []
    assert {material["name"] for material in document(data)["materials"]} == {"grass", "hedge"}


@pytest.mark.parametrize(
    "options",
    [{"scale": 0}, {"scale": -1}, {"scale": True}, {"height": "3"}, {"height": float("nan")}, {"scale": float("inf")}],
)
def test_sizes_are_metres(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="is a number of metres from"):
        dump(keep(), "glb", **options)


# --- where it came from ---


def test_the_origin_is_read_from_a_model(tmp_path: Path) -> None:
    level = uc.generate("cave", seed=2**64 - 1, size=(20, 12))
    level.save(tmp_path / "cave.glb")
    assert formats.read_origin(tmp_path / "cave.glb") == level.provenance


HOSTILE = [
    ("this is no .glb file", b""),
    ("this is no .glb file", b"glTF" + bytes(20)),
    ("this is no .glb file", struct.pack("<IIIII", 0x46546C67, 2, 30, 0xFFFFFFF0, 0x4E4F534A) + b"{}"),
    ("this is no model", struct.pack("<IIIII", 0x46546C67, 2, 22, 2, 0x4E4F534A) + b"[]"),
    ("nesting", struct.pack("<IIIII", 0x46546C67, 2, 20 + 4000, 4000, 0x4E4F534A) + b"[" * 4000),
    ("does not record how it was made", dump(Level.parse("#"), "glb")),
    ("does not record how it was made", struct.pack("<IIIII", 0x46546C67, 2, 0, 14, 0x4E4F534A) + b'{"nodes":[[]]}'),
]


@pytest.mark.parametrize(("sentence", "data"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_models_are_refused(sentence: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "evil.glb").write_bytes(data)
    with pytest.raises(BadInput, match=sentence):
        formats.read_origin(tmp_path / "evil.glb")


# --- others ---


def test_the_golden_model() -> None:
    data = dump(uc.load(ROOT / "examples" / "chapel.json"), "glb")
    assert data == (GOLDEN / "chapel.glb").read_bytes()


def test_khronos_validator_finds_nothing(tmp_path: Path) -> None:
    """Set NODE_PATH to the folder in which npm put gltf-validator."""
    node = shutil.which("node")
    program = (
        "const validator = require('gltf-validator'), "
        "data = new Uint8Array(require('fs').readFileSync(process.argv[1]));"
        "validator.validateBytes(data).then(found => console.log(JSON.stringify(found.issues)))"
    )
    if (
        not node
        or subprocess.run(
            [node, "-e", "require('gltf-validator')"], capture_output=True, check=False, env=os.environ
        ).returncode
    ):
        pytest.skip("node or the npm package gltf-validator is not installed")
    for number, level in enumerate(
        [*LEVELS, Level.parse("#"), Level.parse("."), uc.generate("rooms-and-mazes", seed=1)]
    ):
        path = tmp_path / f"{number}.glb"
        level.save(path)
        said = subprocess.run([node, "-e", program, str(path)], capture_output=True, text=True, check=True).stdout
        issues = json.loads(said)
        assert [issues[kind] for kind in ("numErrors", "numWarnings", "numInfos", "numHints")] == [0, 0, 0, 0], said
