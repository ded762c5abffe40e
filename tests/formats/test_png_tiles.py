"""Pictures of a pixel a cell: looked at with Pillow, painted with Pillow, and read back.

The golden file is written anew with
    python -c "import undercroft as uc; chapel = uc.load('examples/chapel.json'); \\
        chapel.save('tests/golden/formats/chapel.tiles.png', 'png:tiles')"
"""

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

import undercroft as uc
from support.levels import crypt, levels
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput
from undercroft.formats import FORMATS, dump, loads

GOLDEN = ROOT / "tests" / "golden" / "formats"
COLOURS = np.array([[*bytes.fromhex(tile.colour[1:])] for tile in STANDARD.tiles], np.uint8)


def pixels(data: bytes) -> Any:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB"))


def picture(image: Image.Image, **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", **options)
    return file.getvalue()


@settings(max_examples=80, deadline=None)
@given(levels())
def test_every_pixel_has_its_tiles_colour_and_reads_back(level: Level) -> None:
    data = dump(level, "png:tiles")
    colours = np.array([[*bytes.fromhex(tile.colour[1:])] for tile in level.palette.tiles], np.uint8)
    assert np.array_equal(pixels(data), colours[level.tiles])
    found = loads(data, "png:tiles", palette=level.palette)
    assert np.array_equal(found.tiles, level.tiles)
    assert found.provenance == level.provenance


@pytest.mark.parametrize(
    "level", [crypt(), Level.parse("<" + "." * 2000 + ">"), uc.generate("rooms-and-mazes", seed=4, size=(301, 201))]
)
@pytest.mark.parametrize("cell", [1, 2, 3, 7])
def test_larger_cells(level: Level, cell: int) -> None:
    data = dump(level, "png:tiles", cell=cell)
    assert np.array_equal(pixels(data), COLOURS[level.tiles].repeat(cell, axis=0).repeat(cell, axis=1))
    found = loads(data, "png:tiles", cell=cell)
    assert np.array_equal(found.tiles, level.tiles)
    assert len(uc.survey(found).regions) == len(uc.survey(level).regions)


def test_a_map_painted_by_hand_in_any_mode() -> None:
    image = Image.new("RGB", (9, 5), STANDARD.tiles[STANDARD["wall"]].colour)
    pen = ImageDraw.Draw(image)
    pen.rectangle((1, 1, 3, 3), STANDARD.tiles[STANDARD["floor"]].colour)
    pen.rectangle((5, 1, 7, 3), STANDARD.tiles[STANDARD["floor"]].colour)
    pen.point((4, 2), STANDARD.tiles[STANDARD["door"]].colour)
    pen.point((1, 1), STANDARD.tiles[STANDARD["stairs up"]].colour)
    wanted = "#########\n#<..#...#\n#...+...#\n#...#...#\n#########"
    for way in (image, image.convert("RGBA"), image.quantize(8)):
        level = loads(picture(way), "png:tiles")
        assert str(level) == wanted
        assert (level.start, level.end) == ((1, 1), None)
        assert [region.area for region in uc.survey(level).regions] == [9, 9]
    clear = image.convert("RGBA")
    clear.putpixel((0, 0), (1, 2, 3, 0))
    assert str(loads(picture(clear), "png:tiles")).startswith(" ########")
    black = Palette([STANDARD.tiles[1]._replace(colour="#000000"), STANDARD.tiles[2]._replace(colour="#ffffff")], "ink")
    assert str(loads(picture(Image.new("1", (3, 1), 1)), "png:tiles", palette=black)) == "..."
    assert str(loads(picture(Image.new("L", (3, 1), 0)), "png:tiles", palette=black)) == "###"


def test_only_the_middle_of_a_cell_counts() -> None:
    level = Level.parse("#.#\n###")
    with Image.open(io.BytesIO(dump(level, "png:tiles", cell=5))) as image:
        drawn = image.convert("RGB")
    for at in range(0, 15, 5):
        ImageDraw.Draw(drawn).line((at, 0, at, 9), "#ff00ff")
    assert np.array_equal(loads(picture(drawn), "png:tiles", cell=5).tiles, level.tiles)


def test_what_cannot_be_told_apart_is_not_written() -> None:
    palette = Palette([STANDARD.tiles[1], STANDARD.tiles[2]._replace(colour="#3B4252")], "grey")
    with pytest.raises(BadInput, match="'wall' and 'floor' have the same colour"):
        dump(Level(np.array([[0, 1]], np.uint8), palette), "png:tiles")
    assert loads(
        dump(Level(np.array([[1, 1]], np.uint8), palette), "png:tiles"), "png:tiles", palette=palette
    ).tiles.tolist() == [[0, 0]]


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, body: bytes, *more: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + b"".join(more) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def noted(text: str) -> bytes:
    notes = PngInfo()
    notes.add_itxt("undercroft", text)
    return picture(Image.new("RGB", (1, 1), STANDARD.tiles[1].colour), pnginfo=notes)


WALL = bytes.fromhex(STANDARD.tiles[1].colour[1:])
BOMB = zlib.compress(bytes(100 << 20), 9)
HOSTILE = [
    ("this is no PNG picture", b""),
    ("this is no PNG picture", b"GIF89a" + bytes(40)),
    ("this is no PNG picture", picture(Image.new("RGB", (1, 1)))[:20]),
    ("the picture is damaged", picture(Image.new("RGB", (50, 50)))[:60]),
    ("the picture is damaged", png(2, 2, b"no zlib")),
    ("its number of pixels is 225,000,000; the limit is", png(15_000, 15_000, BOMB)),
    ("its longer side is 4,294,967,295; the limit is", png(4_294_967_295, 1, b"")),
    ("the picture is damaged", png(1, 1, zlib.compress(b"\0" + WALL), chunk(b"iTXt", b"undercroft\0\1\0\0\0" + BOMB))),
    ("the picture is damaged", png(0, 3, zlib.compress(b""))),
    (
        "the pixel (1, 0) has the colour #0a0b0c, which no tile of the palette 'standard' has",
        picture(Image.frombytes("RGB", (2, 1), WALL + b"\x0a\x0b\x0c")),
    ),
    ("the nearest is #0d0f16, void", picture(Image.frombytes("RGB", (2, 1), WALL + b"\x0a\x0b\x0c"))),
    ("this is not JSON", noted("{")),
    ("an object belongs here", noted("[1]")),
]


@pytest.mark.parametrize(("sentence", "data"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_pictures_are_refused_quickly_in_one_sentence(sentence: str, data: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        loads(data, "png:tiles", "evil.png")
    assert time.process_time() - began < 5
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()
    assert str(caught.value).startswith("evil.png:")
    assert sentence in str(caught.value)


def test_cells_are_counted_before_the_pixels_are_unpacked() -> None:
    data = png(6000, 6000, zlib.compress(bytes(6000 * (1 + 3 * 6000)), 1))
    tracemalloc.start()
    try:
        with pytest.raises(BadInput, match=r"its number of cells is 36,000,000; the limit is 16,777,216"):
            loads(data, "png:tiles", "evil.png")
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", ["png", "png:graph", "png:gm"])
def test_a_picture_of_any_size_is_asked_how_it_was_made(name: str) -> None:
    """Only its head is read, and nothing is printed about its size."""
    origin = FORMATS[name].origin
    assert origin is not None
    note = chunk(b"iTXt", b'undercroft\0\0\0\0\0{"recipe":"cave"}')
    for side in (2, 12_000, 2**31 - 1):
        assert origin(png(side, side, b"", note), "a.png") == {"recipe": "cave"}
    with pytest.raises(BadInput, match="does not record how it was made"):
        origin(png(2**31 - 1, 2**31 - 1, zlib.compress(bytes(100))), "a.png")
    late = png(1, 1, zlib.compress(bytes(4))).replace(chunk(b"IEND", b""), note + chunk(b"IEND", b""))
    assert origin(late, "a.png") == {"recipe": "cave"}, "other programs may put the note at the end"
    for broken in (b"", b"\x89PNG\r\n\x1a\n", png(2, 2, b"")[:30], png(0, 0, b"")):
        with pytest.raises(BadInput, match=r"a\.png: "):
            origin(broken, "a.png")


def test_mistakes_in_options() -> None:
    with pytest.raises(BadInput, match="no whole cells of 2x2"):
        loads(dump(Level.parse("#.#"), "png:tiles"), "png:tiles", cell=2)
    for cell in (0, -3, 1.5, "2", 5000, True):
        for action in (
            lambda cell=cell: loads(b"", "png:tiles", cell=cell),
            lambda cell=cell: dump(crypt(), "png:tiles", cell=cell),
        ):
            with pytest.raises(BadInput, match="a cell is 1 to 1024 pixels wide"):
                action()
    with pytest.raises(BadInput, match="a palette was to be given, not a str"):
        loads(b"", "png:tiles", palette="standard")
    with pytest.raises(BadInput, match="the picture's number of pixels"):
        dump(Level(np.ones((1000, 1000), np.uint8)), "png:tiles", cell=16)


def test_the_golden_picture() -> None:
    level = uc.load(ROOT / "examples" / "chapel.json")
    kept = (GOLDEN / "chapel.tiles.png").read_bytes()
    assert np.array_equal(pixels(kept), pixels(dump(level, "png:tiles")))
    found = loads(kept, "png:tiles")
    assert np.array_equal(found.tiles, level.tiles)
    assert found.provenance == level.provenance
