"""Voxels: read by a small reader of our own, written after the published description of the format, and by npm's
vox-reader if it is there.

The golden file is written anew with
    python -c "import undercroft as uc; uc.load('examples/chapel.json').save('tests/golden/formats/chapel.vox')"
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import ndimage

import undercroft as uc
import undercroft.formats as formats
from support.levels import crypt
from support.maps import soup
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput
from undercroft.formats import dump

GOLDEN = ROOT / "tests" / "golden" / "formats"


class Voxels(NamedTuple):
    """What a program that opens the file has: models with their places, and colours."""

    models: list[tuple[tuple[int, ...], NDArray[np.uint8]]]
    places: list[tuple[int, int, int]]
    colours: NDArray[np.uint8]
    words: dict[str, str]


class Reader:
    """Reads numbers and texts one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        assert self.at + count <= len(self.data), "the chunk is too short"
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self) -> int:
        found: int = struct.unpack("<i", self.take(4))[0]
        return found

    def words(self) -> dict[str, str]:
        return {self.take(self.number()).decode(): self.take(self.number()).decode() for _ in range(self.number())}


def chunks(data: bytes) -> list[tuple[str, bytes]]:
    assert data[:8] == b"VOX " + struct.pack("<I", 150)
    name, own, inner = struct.unpack_from("<4sII", data, 8)
    assert (name, own, inner) == (b"MAIN", 0, len(data) - 20)
    found, reader = [], Reader(data[20:])
    while reader.at < len(reader.data):
        name = reader.take(4).decode()
        own, inner = reader.number(), reader.number()
        assert inner == 0
        found.append((name, reader.take(own)))
    return found


def read(data: bytes) -> Voxels:
    """Follows the scene from its root, as MagicaVoxel does."""
    sizes, cubes = [], []
    nodes: dict[int, tuple[str, Any, str]] = {}
    colours = np.zeros((256, 4), np.uint8)
    words: dict[str, str] = {}
    for name, content in chunks(data):
        reader = Reader(content)
        if name == "SIZE":
            sizes.append(tuple(reader.number() for _ in range(3)))
        elif name == "XYZI":
            cubes.append(np.frombuffer(reader.take(4 * reader.number()), np.uint8).reshape(-1, 4))
        elif name == "RGBA":
            colours[1:] = np.frombuffer(reader.take(1024), np.uint8).reshape(256, 4)[:-1]
        elif name == "nTRN":
            number, attributes = reader.number(), reader.words()
            words = words or attributes
            child, _, _, frames = (reader.number() for _ in range(4))
            assert frames == 1
            nodes[number] = ("place", child, reader.words().get("_t", "0 0 0"))
        elif name == "nGRP":
            number, _ = reader.number(), reader.words()
            nodes[number] = ("group", [reader.number() for _ in range(reader.number())], "")
        elif name == "nSHP":
            number, _ = reader.number(), reader.words()
            assert reader.number() == 1
            nodes[number] = ("shape", reader.number(), "")
        else:
            raise AssertionError(name)
        assert reader.at == len(content) or name == "nSHP"
    places: dict[int, tuple[int, int, int]] = {}

    def walk(number: int, at: NDArray[np.int64]) -> None:
        kind, below, text = nodes[number]
        if kind == "place":
            walk(below, at + np.array([int(part) for part in text.split()], np.int64))
        elif kind == "group":
            for child in below:
                walk(child, at)
        else:
            size = np.array(sizes[below])
            x, y, z = (at - size // 2).tolist()
            places[below] = (x, y, z)

    walk(0, np.zeros(3, np.int64))
    assert sorted(places) == list(range(len(sizes)))
    assert len(sizes) == len(cubes)
    return Voxels(list(zip(sizes, cubes, strict=True)), [places[index] for index in range(len(sizes))], colours, words)


def heights(level: Level, height: int) -> NDArray[np.int64]:
    """How high each cell should be, told cell by cell."""
    rock = level.palette.role_mask("wall", "void")[level.tiles]
    built = rock & ndimage.binary_dilation(~rock, np.ones((3, 3), bool))
    found = np.zeros(rock.shape, np.int64)
    for y in range(level.height):
        for x in range(level.width):
            role = level.palette.roles[level.tiles[y, x]]
            if role in ("wall", "void"):
                found[y, x] = height + 1 if built[y, x] else 0
            else:
                found[y, x] = {
                    "pillar": height + 1,
                    "secret": height + 1,
                    "door": max(2, height),
                    "locked": max(2, height),
                    "pit": 0,
                }.get(role, 1)
    return found


def differs(level: Level, data: bytes, height: int = 3) -> list[str]:
    """What is otherwise in the file than on the map."""
    found = read(data)
    wrong = []
    seen = np.zeros((level.height, level.width), np.int64)
    for (size, cubes), (left, low, bottom) in zip(found.models, found.places, strict=True):
        if max(size) > 256 or (len(cubes) and (cubes[:, :3].max(axis=0) >= size).any()):
            wrong.append(f"a model of {size}")
        xs, ys = cubes[:, 0].astype(np.int64) + left, level.height - 1 - (cubes[:, 1].astype(np.int64) + low)
        if len(cubes) and (min(xs.min(), ys.min()) < 0 or xs.max() >= level.width or ys.max() >= level.height):
            return [*wrong, f"a model lies at ({left}, {low})"]
        if len(cubes) and bottom != 0:
            wrong.append(f"a model begins at the height {bottom}")
        np.add.at(seen, (ys, xs), 1 << cubes[:, 2].astype(np.int64))
        walls = [tile.colour for tile in level.palette.tiles if tile.role == "wall"]
        for x, y, colour in zip(xs.tolist(), ys.tolist(), found.colours[cubes[:, 3]].tolist(), strict=True):
            tile = level.palette.tiles[level.tiles[y, x]]
            if colour != [*bytes.fromhex((walls[0] if tile.role == "secret" and walls else tile.colour)[1:]), 255]:
                wrong.append(f"({x}, {y}) has the colour {colour}")
    if not np.array_equal(seen, (1 << heights(level, height)) - 1):
        wrong.append("the columns are others")
    return wrong


LEVELS = [
    crypt(),
    uc.load(ROOT / "examples" / "chapel.json"),
    *(soup(number, "####..,+LS~:o'<>", 12).level() for number in range(8)),
]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("height", [1, 3, 8])
def test_every_column_has_its_height_and_colour(level: Level, height: int) -> None:
    assert differs(level, dump(level, "vox", height=height), height) == []


def test_one_wrong_cube_is_seen() -> None:
    level = crypt()
    data = bytearray(dump(level, "vox"))
    first = data.index(b"XYZI") + 16
    data[first + 2] += 1
    assert differs(level, bytes(data)) == ["the columns are others"]
    data = bytearray(dump(level, "vox"))
    place = data.index(b"_t") + 2 + 4
    data[place : place + 1] = b"7"
    assert differs(level, bytes(data)) != []


@pytest.mark.parametrize("size", [(257, 3), (3, 600), (260, 258)])
def test_larger_maps_are_several_models_side_by_side(size: tuple[int, int]) -> None:
    chance = np.random.default_rng(1)
    level = Level(chance.choice([1, 1, 1, 2, 4, 8], size[::-1]).astype(np.uint8))
    data = dump(level, "vox")
    assert len(read(data).models) == -(-size[0] // 256) * -(-size[1] // 256)
    assert differs(level, data) == []


def test_parts_without_anything_are_left_out() -> None:
    tiles = np.ones((5, 600), np.uint8)
    tiles[2, 590] = STANDARD["floor"]
    data = dump(Level(tiles), "vox")
    assert len(read(data).models) == 1
    assert differs(Level(tiles), data) == []


@pytest.mark.parametrize("picture", ["#", ".", "X", ":", "o", "." * 300, "\n".join("." * 300)])
def test_odd_maps(picture: str) -> None:
    level = Level.parse(picture)
    assert differs(level, dump(level, "vox")) == []
    assert read(dump(level, "vox")).models, "there is always a model"


@pytest.mark.parametrize("height", [0, -1, 256, 2.5, "3", True])
def test_a_height_is_a_number_of_cubes(height: Any) -> None:
    with pytest.raises(BadInput, match="height is a whole number of cubes"):
        dump(crypt(), "vox", height=height)


def test_the_origin_is_read_back(tmp_path: Path) -> None:
    level = uc.generate("cave", seed=2**64 - 1, size=(20, 12))
    named = Level(level.tiles, title="undercroft", provenance=level.provenance)
    named.save(tmp_path / "cave.vox")
    assert formats.read_origin(tmp_path / "cave.vox") == level.provenance
    assert read((tmp_path / "cave.vox").read_bytes()).words["_name"] == "undercroft"


@pytest.mark.parametrize(
    ("sentence", "data"),
    [
        ("this is no .vox file", b""),
        ("this is no .vox file", b"VOX \x96\0\0\0XXXX"),
        ("does not record how it was made", dump(Level.parse("#"), "vox")),
        ("does not record how it was made", b"VOX \x96\0\0\0MAIN" + bytes(8) + b"SIZE" + b"\xff" * 8),
        ("does not record how it was made", b"VOX \x96\0\0\0MAIN" + bytes(8) + b"nTRN" + b"\xff\xff\xff\x7f" * 20),
    ],
)
def test_hostile_models_are_refused(sentence: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "evil.vox").write_bytes(data)
    with pytest.raises(BadInput, match=sentence):
        formats.read_origin(tmp_path / "evil.vox")


def test_the_golden_model() -> None:
    level = uc.load(ROOT / "examples" / "chapel.json")
    assert dump(level, "vox") == (GOLDEN / "chapel.vox").read_bytes()


def test_vox_reader_reads_the_same_cubes(tmp_path: Path) -> None:
    """Set NODE_PATH to the folder in which npm put vox-reader."""
    node = shutil.which("node")
    program = (
        "const reader = require('vox-reader'), "
        "found = (reader.default || reader)(require('fs').readFileSync(process.argv[1]));"
        "console.log(JSON.stringify([].concat(found.xyzi).map("
        "model => model.values.map(cube => [cube.x, cube.y, cube.z, cube.i]))))"
    )
    if (
        not node
        or subprocess.run(
            [node, "-e", "require('vox-reader')"], capture_output=True, check=False, env=os.environ
        ).returncode
    ):
        pytest.skip("node or the npm package vox-reader is not installed")
    for level in (crypt(), uc.generate("cave", seed=1, size=(300, 60))):
        level.save(tmp_path / "map.vox")
        said = subprocess.run(
            [node, "-e", program, str(tmp_path / "map.vox")], capture_output=True, text=True, check=True
        ).stdout
        ours = [cubes.tolist() for _, cubes in read((tmp_path / "map.vox").read_bytes()).models]
        assert json.loads(said) == ours
