"""One recipe, every format, one command; and each file opened by a program that we did not write."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import undercroft as uc
from undercroft.cli import run
from undercroft.core.region import Thing
from undercroft.formats import FORMATS, read_origin
from undercroft.formats.table import LEVEL_PARTS

SUFFIXES = [row.suffixes[0] for row in FORMATS.values() if row.dump and row.suffixes]
NAMED = [name for name, row in FORMATS.items() if row.dump and not row.suffixes]
SEED, SIZE = "41", (33, 29)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All files of one level, written by one call."""
    target = tmp_path_factory.mktemp("every")
    words = ["generate", "cozy", "--seed", SEED, "--size", "33x29", "--quiet"]
    for suffix in SUFFIXES:
        words += ["-o", str(target / f"keep{suffix}")]
    assert run(words) == 0
    return target


@pytest.fixture(scope="module")
def level() -> uc.Level:
    return uc.generate("cozy", seed=int(SEED), size=SIZE)


def walls(level: uc.Level) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = level.palette.role_mask("wall", "void")[level.tiles]
    return found


def tmx(path: Path, level: uc.Level) -> None:
    pytmx = pytest.importorskip("pytmx")
    map_ = pytmx.TiledMap(str(path))
    assert (map_.width, map_.height) == level.size
    solid = np.zeros(level.tiles.shape, bool)
    for x, y, gid in map_.get_layer_by_name("collision"):
        solid[y, x] = gid != 0
    assert (solid == ~level.walkable).all()


def tmj(path: Path, level: uc.Level) -> None:
    parser = pytest.importorskip("pytiled_parser")
    map_ = parser.parse_map(path)
    assert (map_.map_size.width, map_.map_size.height) == level.size
    layer = next(layer for layer in map_.layers if layer.name == "collision")
    assert (np.array(layer.data) != 0).tolist() == (~level.walkable).tolist()


def ldtk(path: Path, level: uc.Level) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    [grid] = [layer for layer in data["levels"][0]["layerInstances"] if layer["__identifier"] == "Terrain"]
    [told] = [layer for layer in data["defs"]["layers"] if layer["identifier"] == "Terrain"]
    values = {value["value"]: value["identifier"] for value in told["intGridValues"]}
    names = np.array([values.get(code, "") for code in grid["intGridCsv"]]).reshape(level.tiles.shape)
    assert ((names == "wall") == (level.tiles == level.palette["wall"])).all()


def godot(path: Path, level: uc.Level) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("[gd_scene")
    import base64

    packed = re.search(r'name="[Tt]errain".*?tile_map_data = PackedByteArray\("([^"]+)"\)', text, re.S)
    assert packed, "a layer of terrain with its cells"
    cells = base64.b64decode(packed[1])
    assert struct.unpack_from("<H", cells)[0] == 0
    places = {struct.unpack_from("<hh", cells, at) for at in range(2, len(cells), 12)}
    assert {(x, y) for y, x in np.argwhere(level.walkable).tolist()} <= places


def xp(path: Path, level: uc.Level) -> None:
    console = pytest.importorskip("tcod.console")
    [ground, *_] = console.load_xp(path, order="C")
    for code in np.unique(
        level.tiles[level.palette.role_mask("wall", "floor", "corridor", "water", "pit")[level.tiles]]
    ).tolist():
        assert len(np.unique(ground.ch[level.tiles == code])) == 1, "a sign for each tile"
    assert not set(np.unique(ground.ch[walls(level)])) & set(
        np.unique(ground.ch[level.palette.role_mask("floor")[level.tiles]])
    )


def glb(path: Path, level: uc.Level) -> None:
    trimesh = pytest.importorskip("trimesh")
    scene = trimesh.load(path)
    low, high = scene.bounds
    assert high[0] - low[0] <= level.width * 5
    assert len(scene.geometry) >= len(level.rooms)


def vox(path: Path, level: uc.Level) -> None:
    data = path.read_bytes()
    assert data[:8] == b"VOX " + struct.pack("<i", 150)
    at = data.index(b"SIZE")
    assert struct.unpack_from("<iii", data, at + 12)[:2] == level.size
    voxels = np.frombuffer(
        data, np.uint8, 4 * struct.unpack_from("<i", data, data.index(b"XYZI") + 12)[0], data.index(b"XYZI") + 16
    ).reshape(-1, 4)
    high = np.zeros(level.tiles.shape, int)
    np.maximum.at(
        high, (level.height - 1 - voxels[:, 1].astype(int), voxels[:, 0].astype(int)), voxels[:, 2].astype(int) + 1
    )
    floor = level.palette.role_mask("floor", "corridor")[level.tiles]
    touching = walls(level) & (high > 0)
    assert touching.any()
    assert high[touching].min() > high[floor].max(), "rock stands above the floor"


def table(path: Path, level: uc.Level) -> None:
    with path.open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row and all(word.isdigit() for word in row)]
    assert np.array_equal(np.array(rows, int), level.tiles)


def uvtt(path: Path, level: uc.Level) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert (data["resolution"]["map_size"]["x"], data["resolution"]["map_size"]["y"]) == level.size
    import base64

    with Image.open(io.BytesIO(base64.b64decode(data["image"]))) as image:
        assert image.size == tuple(side * data["resolution"]["pixels_per_grid"] for side in level.size)


def foundry(path: Path, level: uc.Level) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    assert (data["width"] // data["grid"]["size"], data["height"] // data["grid"]["size"]) == level.size
    with Image.open(path.with_name("keep-player.webp")) as image:
        assert image.width % level.width == 0


def svg(path: Path, level: uc.Level) -> None:
    resvg = pytest.importorskip("resvg_py")
    root = ElementTree.fromstring(path.read_bytes())
    assert root.tag.endswith("svg")
    with Image.open(
        io.BytesIO(bytes(resvg.svg_to_bytes(svg_string=path.read_text(encoding="utf-8"), width=400)))
    ) as image:
        assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) > 20
    assert level.title in path.read_text(encoding="utf-8")


def pdf(path: Path, level: uc.Level) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    document = pdfium.PdfDocument(str(path))
    assert len(document) >= 4
    assert (np.asarray(document[0].render(scale=1).to_pil()) < 128).any()


def graphml(path: Path, level: uc.Level) -> None:
    networkx = pytest.importorskip("networkx")
    assert len(networkx.read_graphml(path)) == len(level.regions)


def dot(path: Path, level: uc.Level) -> None:
    pydot = pytest.importorskip("pydot")
    [graph] = pydot.graph_from_dot_file(str(path))
    assert len(graph.get_edges()) + sum(len(part.get_edges()) for part in graph.get_subgraphs()) == len(level.links)


def png(path: Path, level: uc.Level) -> None:
    with Image.open(path) as image:
        image.load()
        assert json.loads(image.text["undercroft"])["seed"] == SEED  # type: ignore[attr-defined]


def npz(path: Path, level: uc.Level) -> None:
    assert (np.load(path)["tiles"] == level.tiles).all()


def text(path: Path, level: uc.Level) -> None:
    assert path.read_text(encoding="utf-8") == f"{level}\n"


def native(path: Path, level: uc.Level) -> None:
    assert "\n".join(json.loads(path.read_text(encoding="utf-8"))["tiles"]) == str(level)


CHECKS: dict[str, Callable[[Path, uc.Level], None]] = {
    ".txt": text,
    ".json": native,
    ".npz": npz,
    ".png": png,
    ".svg": svg,
    ".pdf": pdf,
    ".graphml": graphml,
    ".dot": dot,
    ".tmx": tmx,
    ".tmj": tmj,
    ".ldtk": ldtk,
    ".tscn": godot,
    ".xp": xp,
    ".glb": glb,
    ".vox": vox,
    ".csv": table,
    ".dd2vtt": uvtt,
    ".fvtt.json": foundry,
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_foreign_program_opens_it(suffix: str, folder: Path, level: uc.Level) -> None:
    CHECKS[suffix](folder / f"keep{suffix}", level)


@pytest.mark.parametrize(
    "suffix", [row.suffixes[0] for row in FORMATS.values() if row.dump and row.suffixes and "origin" in row.keeps]
)
def test_a_file_that_tells_its_origin_makes_the_level_again(
    suffix: str, folder: Path, level: uc.Level, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = folder / f"keep{suffix}"
    assert dict(read_origin(path))["seed"] == SEED
    assert run(["generate", "--from", str(path), "-o", "-", "--format", "json", "--quiet"]) == 0
    assert uc.load(folder / "keep.json") == level
    assert capsysbinary.readouterr().out == (folder / "keep.json").read_bytes()


ENDINGS = {"json:rooms": "json", "godot:rooms": "tscn", "pdf:page": "pdf"}


@pytest.mark.parametrize(
    "name", [name for name, row in FORMATS.items() if row.dump and not row.suffixes and "origin" in row.keeps]
)
def test_a_file_of_a_format_without_a_suffix_makes_the_level_again(name: str, tmp_path: Path) -> None:
    first, file, again = tmp_path / "first.json", tmp_path / f"file.{ENDINGS.get(name, 'png')}", tmp_path / "again.json"
    words = ["generate", "isaac", "--seed", SEED, "--set", "expand=false", "--quiet"]
    assert run([*words, "-o", str(first)]) == 0
    assert run([*words, "-o", str(file), "--format", name]) == 0
    assert run(["generate", "--from", str(file), "-o", str(again), "--quiet"]) == 0
    assert again.read_bytes() == first.read_bytes()


def test_a_map_of_others_does_not_tell_how_it_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crypt.json").write_text(
        '{"rects": [{"x": 0, "y": 0, "w": 3, "h": 3}], "doors": [], "notes": []}', encoding="utf-8"
    )
    assert run(["generate", "--from", str(tmp_path / "crypt.json")]) == 2
    assert "files of the format 'watabou' do not record how they were made" in capsys.readouterr().err


@pytest.mark.parametrize(
    "suffix", [row.suffixes[0] for row in FORMATS.values() if row.dump and row.load and row.suffixes]
)
def test_what_a_format_keeps_comes_back(suffix: str, folder: Path, level: uc.Level) -> None:
    """Of a level that is read again, everything that the table says the format keeps is as it was."""
    row = next(row for row in FORMATS.values() if suffix in row.suffixes)
    read = uc.load(folder / f"keep{suffix}")
    kept: dict[str, Callable[[uc.Level], Any]] = {
        "tiles": lambda one: [[one.palette.roles[code] for code in cells] for cells in one.tiles.tolist()],
        "palette": lambda one: one.palette,
        "regions": lambda one: (one.regions.labels.tolist(), [region._replace(name="") for region in one.regions]),
        "names": lambda one: (one.title, [region.name for region in one.regions]),
        "doors": lambda one: list(one.doors),
        "links": lambda one: list(one.links),
        "things": lambda one: sorted(one.things, key=lambda thing: (thing.y, thing.x, thing.kind)),
        "path": lambda one: one.path.tolist(),
        "layers": lambda one: {name: layer.tolist() for name, layer in one.layers.items()},
        "origin": lambda one: dict(one.provenance),
    }
    for part in row.keeps:
        if part in kept:
            assert kept[part](read) == kept[part](level), part


def test_the_table_knows_its_words() -> None:
    for name, row in FORMATS.items():
        assert set(row.keeps) <= set(LEVEL_PARTS), name
        assert row.dump or row.load
        assert len(set(row.suffixes)) == len(row.suffixes)
        if "origin" in row.keeps:
            assert row.load or row.origin, name
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    assert len(set(suffixes)) == len(suffixes)


@pytest.mark.parametrize("name", NAMED)
def test_formats_without_a_suffix_can_be_written_by_name(name: str, tmp_path: Path) -> None:
    recipe = (
        ["neighbours", "--set", "expand=false"]
        if name in {"godot:rooms", "json:rooms", "text:grid"}
        else ["cave", "--size", "20x16"]
    )
    assert (
        run(["generate", *recipe, "--seed", "3", "-o", str(tmp_path / "level.any"), "--format", name, "--quiet"]) == 0
    )
    assert (tmp_path / "level.any").stat().st_size > 20


def test_the_same_bytes_each_time(folder: Path, level: uc.Level) -> None:
    """Compressed files too: no clock is in them."""
    from undercroft.formats import dump_files

    for suffix in SUFFIXES:
        row = next(row for row in FORMATS.values() if suffix in row.suffixes)
        for path, data in dump_files(level, folder / f"keep{suffix}", row).items():
            assert path.read_bytes() == data, path.name
    assert gzip.decompress((folder / "keep.xp").read_bytes())


def test_what_is_lost_is_told() -> None:
    """Start and end that are no stairs, and a palette of its own, do not get lost without a word."""
    from undercroft.formats import list_lost_parts, resolve_format

    cave = uc.generate("cave", seed=1, size=(20, 16))
    cave = cave.replace(
        tiles=np.where(
            np.isin(cave.tiles, [cave.palette.role("entry"), cave.palette.role("exit")]),
            cave.palette.role("floor"),
            cave.tiles,
        ).astype(np.uint8)
    )
    assert {"ends", "path", "origin"} <= set(list_lost_parts(cave, resolve_format("text")))
    assert "ends" not in list_lost_parts(cave, resolve_format("tmx"))
    stairs = uc.Level.parse("#<.>#")
    assert "ends" not in list_lost_parts(stairs, resolve_format("text"))
    grid = uc.generate("neighbours", seed=1, expand=False)
    assert "palette" in list_lost_parts(grid, resolve_format("csv"))
    assert "palette" not in list_lost_parts(grid, resolve_format("json"))
    wet = uc.Level.parse("#.+L~S:#")
    assert "tiles with other roles than floor" in list_lost_parts(wet, resolve_format("text:cave"))
    assert "tiles with other roles than floor, door and corridor" in list_lost_parts(wet, resolve_format("text:rooms"))
    assert "tiles with other roles than floor and corridor" in list_lost_parts(wet, resolve_format("text:tinykeep"))
    assert "tiles with other roles than floor, entry and exit" in list_lost_parts(wet, resolve_format("text:grid"))
    assert not [
        part for part in list_lost_parts(uc.Level.parse("#.# "), resolve_format("text:cave")) if "tiles" in part
    ]
    assert not [
        part for part in list_lost_parts(uc.Level.parse("#.+,"), resolve_format("text:rooms")) if "tiles" in part
    ]
    assert "that doors are locked or secret" in list_lost_parts(wet, resolve_format("uvtt"))
    one_way = uc.Level(wet.tiles, things=[Thing("one-way", 2, 0, {"to": "E"})])
    assert "that doors are locked or secret or one-way" in list_lost_parts(one_way, resolve_format("uvtt"))
    assert not [part for part in list_lost_parts(uc.Level.parse("#.+."), resolve_format("uvtt")) if "doors are" in part]
    assert not [part for part in list_lost_parts(one_way, resolve_format("foundry")) if "doors are" in part]
