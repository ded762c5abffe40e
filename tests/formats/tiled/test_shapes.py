"""Objects of Tiled that are turned, round or many-cornered: which cells they stand on, and which they wall up."""

from __future__ import annotations

import base64
import json
import math
import os
import shutil
import subprocess
import time
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import undercroft as uc
from undercroft.core.drawing import dedented
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats import loads
from undercroft.formats.tiled import shapes
from undercroft.formats.tiled.checked_map import ALIGNMENTS

NO_WALL = "lines and points that make no wall"
FLOOR = base64.b64encode(zlib.compress(np.ones(1024 * 4096, "<u4").tobytes())).decode()
"""The ground of a map of 1024x4096 cells."""


def document(
    *objects: dict[str, Any],
    size: tuple[int, int] = (6, 4),
    layer: str = "Collisions",
    tile: tuple[int, int] = (16, 16),
    **sheet: Any,
) -> dict[str, Any]:
    ground = {
        "type": "tilelayer",
        "id": 1,
        "name": "Ground",
        "width": size[0],
        "height": size[1],
        "data": [1] * (size[0] * size[1]),
    }
    rows = [{"id": number, "x": 0, "y": 0, **one} for number, one in enumerate(objects, 1)]
    held = {"firstgid": 1, "name": "x", "tilewidth": 16, "tileheight": 16, "tilecount": 4, "columns": 2, **sheet}
    above = {"type": "objectgroup", "id": 2, "name": layer, "objects": rows}
    about = {
        "orientation": "orthogonal",
        "width": size[0],
        "height": size[1],
        "tilewidth": tile[0],
        "tileheight": tile[1],
    }
    return {**about, "tilesets": [held], "layers": [ground, above]}


def read(found: dict[str, Any]) -> Level:
    return loads(json.dumps(found).encode(), "tmj", "map.tmj")


def walls(*objects: dict[str, Any], **more: Any) -> str:
    return str(read(document(*objects, **more)))


def polygon(text: str) -> list[dict[str, float]]:
    return [dict(zip("xy", map(float, pair.split(",")), strict=True)) for pair in text.split()]


# --- walls ---


def test_a_polygon_walls_up_what_it_covers_and_not_its_box() -> None:
    assert walls({"polygon": polygon("0,0 96,0 96,16 16,16 16,64 0,64")}) == dedented("""
        ######
        #.....
        #.....
        #.....
    """)
    text = (
        '<map orientation="orthogonal" width="6" height="4" tilewidth="16" tileheight="16"><tileset firstgid="1" '
        'name="x" tilecount="4"/>'
    )
    text += f'<layer name="Ground"><data encoding="csv">{",".join("1" * 24)}</data></layer><objectgroup name="walls">'
    text += (
        '<object id="1" x="16" y="16"><polygon points="0,0 64,0 64,32"/></object><object id="2" x="0" y="0" '
        'width="48" height="48"><ellipse/></object>'
    )
    text += (
        '<object id="3" x="80" y="0"><polyline points="0,0 0,64"/></object><object id="4" x="88" '
        'y="8"><point/></object></objectgroup></map>'
    )
    level = loads(text.encode(), "tmx")
    assert str(level) == "###...\n#####.\n###.#.\n......"
    assert level.provenance["tiled"][NO_WALL] == 2


def test_a_rectangle_is_turned_about_its_place() -> None:
    beam = {"x": 48, "y": 0, "width": 64, "height": 16}
    assert walls({**beam, "rotation": 90}) == "\n".join(["..#..."] * 4)
    assert walls({**beam, "rotation": -270}) == walls({**beam, "rotation": 450}) == "\n".join(["..#..."] * 4)
    assert walls({**beam, "y": 32, "rotation": 180}) == "......\n###...\n......\n......"
    assert walls({**beam, "y": 64, "rotation": 270}) == "\n".join(["...#.."] * 4)
    assert walls({"x": 48, "y": 4, "width": 32, "height": 32, "rotation": 45}, size=(6, 3)) == "......\n..##..\n..##.."


def test_turning_is_done_in_pixels() -> None:
    """Cells that are twice as wide as high: a beam of four cells across is one of eight cells down."""
    assert walls(
        {"x": 64, "y": 0, "width": 128, "height": 32, "rotation": 90}, size=(4, 9), tile=(32, 16)
    ) == "\n".join([*[".#.."] * 8, "...."])


def test_polygons_are_turned_too() -> None:
    corner = {"x": 48, "y": 16, "polygon": polygon("0,0 32,0 32,16 16,16 16,48 0,48")}
    assert walls(corner) == "......\n...##.\n...#..\n...#.."
    assert walls({**corner, "rotation": 90}) == "......\n###...\n..#...\n......"


def test_plain_rectangles_are_what_they_were() -> None:
    chance = np.random.default_rng(8)
    for _ in range(200):
        x, y, width, height = (chance.integers(-40, 120, 4) / chance.choice([1, 2, 3])).tolist()
        width, height = abs(width), abs(height)
        cells = np.full((4, 6), ".")
        sides = [math.floor(side / 16 + 0.5) for side in (x, y, x + width, y + height)]
        cells[max(sides[1], 0) : max(sides[3], 0), max(sides[0], 0) : max(sides[2], 0)] = "#"
        drawn = "\n".join("".join(row) for row in cells)
        box = {"x": x, "y": y, "width": width, "height": height}
        assert walls(box) == walls({**box, "rotation": 0}) == walls({**box, "rotation": 360}) == drawn
        corners = [{"x": a * width, "y": b * height} for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        assert walls({"x": x, "y": y, "polygon": corners}) == drawn, "four corners are the same rectangle"


def test_what_spans_nothing_is_counted() -> None:
    rows: list[dict[str, Any]] = [
        {"polyline": polygon("0,0 90,0 90,60")},
        {"point": True},
        {"width": 0, "height": 30},
        {"polygon": polygon("0,0 90,60")},
        {"ellipse": True},
        {"ellipse": False, "point": False, "width": 16, "height": 16},
    ]
    level = read(document(*rows))
    assert str(level) == "#.....\n......\n......\n......"
    assert level.provenance["tiled"] == {
        "layers": {"Ground": "floor, by its name", "Collisions": "walls, where its shapes are"},
        NO_WALL: 5,
    }
    assert NO_WALL not in read(document({"width": 16, "height": 16})).provenance["tiled"]


def test_an_ellipse_is_round() -> None:
    for width, height, degrees in ((96, 64, 0), (320, 320, 0), (320, 160, 0), (200, 100, 30), (310, 33, 117)):
        x, y = (0, 0) if not degrees else (150, 40)
        found = walls(
            {"x": x, "y": y, "width": width, "height": height, "ellipse": True, "rotation": degrees}, size=(20, 20)
        )
        down, across = np.mgrid[8:328:16, 8:328:16].astype(float)
        angle = math.radians(degrees)
        right, lower = (
            (across - x) * math.cos(angle) + (down - y) * math.sin(angle),
            (down - y) * math.cos(angle) - (across - x) * math.sin(angle),
        )
        inside = ((right - width / 2) / (width / 2)) ** 2 + ((lower - height / 2) / (height / 2)) ** 2 < 1
        assert found == "\n".join("".join(".#"[cell] for cell in row) for row in inside.astype(int))
        assert inside.any()


def test_shapes_of_layers_that_are_moved_and_of_infinite_maps() -> None:
    found = document(
        {"polygon": polygon("0,0 32,0 32,32 0,32")}, {"x": 32, "y": 16, "width": 32, "height": 16, "rotation": 90}
    )
    found["layers"][1] |= {"offsetx": 16, "offsety": 16}
    assert str(read(found)) == "......\n.##...\n.##...\n..#..."
    found["layers"][0] |= {"chunks": [{"x": -1, "y": -1, "width": 6, "height": 4, "data": [1] * 24}]}
    assert str(read({**found, "infinite": True})) == "......\n......\n..##..\n..##.."


PLACES = st.integers(-3, 20).map(lambda half: half / 2) | st.floats(-3, 10, allow_nan=False)


@given(st.lists(st.tuples(PLACES, PLACES), min_size=3, max_size=9))
def test_filling_is_what_counting_crossings_says(corners: list[tuple[float, float]]) -> None:
    grid = np.zeros((6, 7), np.uint8)
    shapes.fill_polygon(grid, np.array(corners, np.float64), 1, 0, "map")
    for y in range(6):
        for x in range(7):
            crossed = 0
            for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
                if (ay < y + 0.5) != (by < y + 0.5):
                    crossed += ax + (y + 0.5 - ay) * ((bx - ax) / (by - ay)) < x + 0.5
            assert grid[y, x] == crossed % 2


def test_parts_of_a_long_outline_are_filled_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    corners = np.random.default_rng(3).uniform(-5, 60, (400, 2))
    whole, parts = np.zeros((50, 50), np.uint8), np.zeros((50, 50), np.uint8)
    shapes.fill_polygon(whole, corners, 1, 0, "map")
    monkeypatch.setattr(shapes, "CHUNK_CROSSINGS", 7)
    shapes.fill_polygon(parts, corners, 1, 0, "map")
    assert whole.any()
    assert np.array_equal(whole, parts)


def test_shapes_that_would_take_forever_are_refused_at_once() -> None:
    comb = [{"x": 16 * (number % 7), "y": 16 * 3000 * (number % 2)} for number in range(20_000)]
    wide = {"x": 0, "y": 0, "width": 1 << 18, "height": 1 << 18, "rotation": 30}
    for name, objects in (
        ("a comb", [{"polygon": comb}]),
        ("many", [wide] * 400),
        ("upright", [{**wide, "rotation": 0}] * 400),
    ):
        found = document(*objects, size=(6, 4))
        found["layers"][0] |= {
            "width": 1024,
            "height": 4096,
            "encoding": "base64",
            "compression": "zlib",
            "data": FLOOR,
        }
        data = json.dumps({**found, "width": 1024, "height": 4096}).encode()
        began = time.process_time()
        tracemalloc.start()
        try:
            with pytest.raises(BadInput, match=r"map\.tmj: the number of cells that its shapes of walls span is"):
                loads(data, "tmj", "map.tmj")
            assert tracemalloc.get_traced_memory()[1] < 200_000_000, name
        finally:
            tracemalloc.stop()
        assert time.process_time() - began < 4, name


def test_shapes_far_away_cost_nothing() -> None:
    far = {"x": 1e12, "y": -1e12, "width": 1e12, "height": 1e12, "rotation": 12.5}
    zigzag = [{"x": number % 2, "y": 1e9 * (number % 2)} for number in range(50_000)]
    began = time.process_time()
    assert "#" not in walls(
        far, {"x": 1e10, "polygon": zigzag}, {"ellipse": True, "x": -1e12, "y": 0, "width": 1e11, "height": 10}
    )
    assert time.process_time() - began < 3


@pytest.mark.parametrize("rotation", ["x", [], "nan", 10**400])
def test_a_rotation_that_is_none(rotation: Any) -> None:
    with pytest.raises(BadInput, match=r"object 1\.rotation: a number belongs here"):
        walls({"rotation": rotation, "width": 9, "height": 9})


# --- tiles that stand on the map ---


def stands(one: dict[str, Any], **sheet: Any) -> tuple[int, int]:
    [thing] = read(document({"gid": 1, "x": 32, "y": 32, **one}, layer="things", **sheet)).things
    return thing.x, thing.y


SQUARE = {"width": 16, "height": 16}


@pytest.mark.parametrize(
    ("rotation", "cell"),
    [(0, (2, 1)), (90, (2, 2)), (180, (1, 2)), (270, (1, 1)), (-90, (1, 1)), (45, (2, 1)), (135, (2, 2))],
)
def test_a_tile_is_turned_about_its_lower_left_corner(rotation: float, cell: tuple[int, int]) -> None:
    assert stands({**SQUARE, "rotation": rotation}) == (cell if rotation != 45 else (2, 2)) or rotation == 45
    assert stands({**SQUARE, "x": 33, "y": 31, "rotation": rotation}) in ((2, 1), (2, 2), (1, 2), (1, 1))


@pytest.mark.parametrize(
    ("alignment", "cell"),
    [
        ("unspecified", (2, 1)),
        ("bottomleft", (2, 1)),
        ("topleft", (2, 2)),
        ("topright", (1, 2)),
        ("bottomright", (1, 1)),
    ],
)
def test_the_tileset_says_where_the_place_of_a_tile_is(alignment: str, cell: tuple[int, int]) -> None:
    assert stands(SQUARE, objectalignment=alignment) == cell
    assert stands({**SQUARE, "rotation": 360}, objectalignment=alignment) == cell


def test_a_tile_that_is_held_in_its_middle_may_be_turned_as_one_likes() -> None:
    for rotation in range(0, 360, 15):
        assert stands({**SQUARE, "x": 40, "y": 40, "rotation": rotation}, objectalignment="center") == (2, 2)
    assert stands({**SQUARE, "x": 40}, objectalignment="top") == (2, 2)
    assert stands({**SQUARE, "x": 40}, objectalignment="bottom") == (2, 1)
    assert stands({**SQUARE, "y": 40}, objectalignment="left") == (2, 2)
    assert stands({**SQUARE, "y": 40}, objectalignment="right") == (1, 2)


def test_shapes_are_not_held_as_tiles_are() -> None:
    [thing] = read(
        document({"x": 32, "y": 32, **SQUARE, "name": "zone"}, layer="things", objectalignment="bottomright")
    ).things
    assert (thing.x, thing.y) == (2, 2)
    [thing] = read(document({"x": 32, "y": 32, **SQUARE, "name": "zone", "rotation": 90}, layer="things")).things
    assert (thing.x, thing.y) == (1, 2)


def test_tiles_of_older_files_have_the_size_of_their_tileset() -> None:
    assert stands({}) == (2, 1)
    assert stands({"width": 0, "height": 0}) == (2, 1)
    assert stands({"y": 64}, tilewidth=16, tileheight=32) == (2, 2), (
        "of one that is larger than a cell, the cell in its upper left corner"
    )
    pictures = [{"id": 0, "image": "a.png", "imagewidth": 16, "imageheight": 48}]
    assert stands({"y": 64}, tiles=pictures) == (2, 1)
    text = '<map orientation="orthogonal" width="1" height="4" tilewidth="16" tileheight="16">'
    text += (
        '<tileset firstgid="1" name="x" tilewidth="90" tileheight="90" tilecount="1"><tile id="0"><image width="16" '
        'height="48" source="a.png"/></tile>'
    )
    text += (
        '</tileset><layer name="Ground"><data encoding="csv">1,1,1,1</data></layer><objectgroup name="o"><object '
        'id="1" gid="1" x="0" y="64"/>'
    )
    [thing] = loads(f"{text}</objectgroup></map>".encode(), "tmx").things
    assert (thing.x, thing.y) == (0, 1)
    unknown = text.replace(' name="x" tilewidth="90" tileheight="90" tilecount="1"', ' source="x.tsx"').replace(
        text[text.index("<tile id") : text.index("</tileset>")], ""
    )
    [thing] = loads(f"{unknown}</objectgroup></map>".encode(), "tmx").things
    assert (thing.x, thing.y) == (0, 3), "if that is not known, a tile is as large as a cell"


def test_a_larger_thing_stands_where_its_upper_left_corner_is() -> None:
    bed = {"width": 32, "height": 16}
    assert stands({**bed, "y": 48}) == (2, 2)
    assert stands({**bed, "y": 16, "rotation": 90}) == (2, 1)
    assert stands({**bed, "y": 32, "x": 64, "rotation": 180}) == (2, 2)
    assert stands({**bed, "y": 48, "x": 48, "rotation": 270}) == (2, 1)


CASES = [
    ({**SQUARE, "x": 32, "y": 32, "rotation": rotation}, alignment)
    for rotation in (0, 90, 180, 270)
    for alignment in ("unspecified", "topleft", "topright", "bottomleft", "bottomright")
]
CASES += [
    ({**SQUARE, "x": 40, "y": 40, "rotation": 30}, "center"),
    ({**SQUARE, "x": 40, "y": 48, "rotation": 180}, "top"),
]


def test_tiled_draws_tiles_on_the_cells_we_read(tmp_path: Path) -> None:
    """Tiled draws the one tile, and the cell that it covers is the one that we say."""
    if not shutil.which("tmxrasterizer"):
        pytest.skip("tmxrasterizer is not there: install the package 'tiled'")
    Image.new("RGB", (32, 32), (255, 0, 0)).save(tmp_path / "x.png")
    for one, alignment in CASES:
        assert alignment == "unspecified" or alignment in ALIGNMENTS
        place = "".join(f' {name}="{value}"' for name, value in one.items())
        text = (
            '<map version="1.8" orientation="orthogonal" renderorder="right-down" width="6" height="4" tilewidth="16" '
            'tileheight="16" infinite="0">'
        )
        text += (
            '<tileset firstgid="1" name="x" tilewidth="16" tileheight="16" tilecount="4" columns="2" '
            f'objectalignment="{alignment}">'
        )
        text += '<image source="x.png" width="32" height="32"/></tileset>'
        text += (
            f'<layer id="1" name="Ground" width="6" height="4"><data encoding="csv">{",".join("0" * 24)}</data></layer>'
        )
        text += f'<objectgroup id="2" name="o"><object id="1" gid="1"{place}/></objectgroup></map>'
        path, out = tmp_path / "a.tmx", tmp_path / "out.png"
        path.write_text(text)
        out.unlink(missing_ok=True)
        settings = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(tmp_path)}
        subprocess.run(
            ["tmxrasterizer", "--no-smoothing", str(path), str(out)],
            env=settings,
            capture_output=True,
            timeout=120,
            check=False,
        )
        with Image.open(out) as image:
            ys, xs = np.nonzero(np.array(image.convert("RGBA"))[..., 3] > 128)
        assert abs(len(xs) - 256) < 20
        [thing] = uc.load(path).things
        assert (thing.x, thing.y) == (round(xs.mean() - 7.5) / 16, round(ys.mean() - 7.5) / 16), (one, alignment)
