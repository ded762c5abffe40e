"""Drawings for REXPaint: read by python-tcod and by pyrexpaint, cell by cell, and read back.

The golden file is written anew with
    python -c "import undercroft as uc; uc.load('examples/chapel.json').save('tests/golden/formats/chapel.xp')"
"""

from __future__ import annotations

import gzip
import struct
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tcod.console
import tcod.tileset
from hypothesis import HealthCheck, given, settings

import undercroft as uc
from support.levels import crypt, levels
from support.maps import soup
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.errors import BadInput
from undercroft.formats import dump, loads
from undercroft.formats.rexpaint.cp437 import CODES, SIGNS, encode_sign

GOLDEN = ROOT / "tests" / "golden" / "formats"
CHAPEL = ROOT / "examples" / "chapel.json"
CLEAR = [255, 0, 255]


def consoles(data: bytes, folder: Path) -> tuple[Any, ...]:
    """The layers as tcod reads them; arrays are [y, x]."""
    (folder / "map.xp").write_bytes(data)
    return tcod.console.load_xp(folder / "map.xp", order="C")


def test_code_page_437_is_the_one_of_tcod() -> None:
    known = [chr(point) if point else " " for point in tcod.tileset.CHARMAP_CP437]
    assert [*SIGNS] == known
    assert all(SIGNS[CODES[sign]] == sign for sign in SIGNS)
    assert encode_sign(" ") == 32


def differs(level: Level, found: tuple[Any, ...]) -> list[str]:
    """What tcod shows otherwise than the level is, if anything."""
    ground, doors, things = found
    wrong = []
    is_door = level.palette.role_mask(*DOOR_ROLES)[level.tiles]
    for y in range(level.height):
        for x in range(level.width):
            tile = level.palette.tiles[level.tiles[y, x]]
            layer = doors if is_door[y, x] else ground
            sign, ink = (
                chr(tcod.tileset.CHARMAP_CP437[layer.ch[y, x]]),
                "#{:02x}{:02x}{:02x}".format(*layer.rgb["fg"][y, x]),
            )
            if sign != tile.face or ink != tile.colour:
                wrong.append(f"({x}, {y}) is {sign} {ink}, not {tile.face} {tile.colour}")
            if not is_door[y, x] and layer is ground and doors.rgb["bg"][y, x].tolist() != CLEAR:
                wrong.append(f"({x}, {y}) is hidden below the doors")
            if is_door[y, x]:
                wanted = "█" if tile.role == "secret" else "·"
                if chr(tcod.tileset.CHARMAP_CP437[ground.ch[y, x]]) != wanted:
                    wrong.append(f"below the door at ({x}, {y}) is no {wanted}")
    standing = {(x, y): chr(things.ch[y, x]) for y, x in np.argwhere((things.rgb["bg"] != CLEAR).any(axis=2)).tolist()}
    if standing != {(thing.x, thing.y): thing.kind[0] for thing in level.things}:
        wrong.append(f"things are {standing}")
    return wrong


@pytest.mark.parametrize(
    "level", [uc.load(CHAPEL), crypt(), *(soup(number, "##..,+LS~:o'<>", 12).level() for number in range(5))]
)
def test_tcod_shows_every_cell_as_it_is(level: Level, tmp_path: Path) -> None:
    found = consoles(dump(level, "xp"), tmp_path)
    assert [console.rgb.shape for console in found] == [level.tiles.shape] * 3
    assert differs(level, found) == []


def test_one_wrong_cell_is_seen(tmp_path: Path) -> None:
    level = crypt()
    plain = bytearray(gzip.decompress(dump(level, "xp")))
    plain[16 + 10 * (level.height * 3 + 2)] ^= 1  # the sign of the cell (3, 2)
    assert len(differs(level, consoles(gzip.compress(bytes(plain)), tmp_path))) == 1


@pytest.mark.parametrize("recipe", ["rooms-and-mazes", "cave", "isaac", "tinykeep"])
def test_levels_of_recipes_read_back(recipe: str) -> None:
    level = uc.generate(recipe, seed=5)
    found = loads(dump(level, "xp"), "xp", palette=level.palette)
    assert np.array_equal(found.tiles, level.tiles)
    assert len(uc.survey(found).regions) == len(uc.survey(level).regions)


@pytest.mark.parametrize("picture", ["#", "<", "#" * 1000, "\n".join("." * 1000), "+L\nS'"])
def test_odd_sizes_read_back(picture: str) -> None:
    level = Level.parse(picture)
    found = loads(dump(level, "xp"), "xp")
    assert (found.start, found.end) == (level.start, level.end)
    assert np.array_equal(found.tiles, level.tiles)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(levels())
def test_any_palette_is_written_and_read_without_harm(level: Level) -> None:
    data = dump(level, "xp")
    found = loads(data, "xp", palette=level.palette)
    looks = [(encode_sign(tile.face, tile.glyph), tile.colour) for tile in level.palette.tiles]
    same = [looks.index(look) for look in looks]  # tiles that look alike are read as the first of them
    roles = np.array([*(role in DOOR_ROLES for role in level.palette.roles)])[level.tiles]
    assert np.array_equal(found.tiles[~roles], np.array(same)[level.tiles][~roles])
    assert len(found.things) == len({(thing.x, thing.y) for thing in level.things})


def test_pyrexpaint_reads_the_same_cells(tmp_path: Path) -> None:
    pyrexpaint = pytest.importorskip("pyrexpaint", reason="the package pyrexpaint is not installed")
    level = crypt()
    (tmp_path / "map.xp").write_bytes(dump(level, "xp"))
    layers = pyrexpaint.load(str(tmp_path / "map.xp"))
    assert [(layer.width, layer.height) for layer in layers] == [level.size] * 3
    signs = [int.from_bytes(tile.ascii_code, "little") for tile in layers[0].tiles]
    below = np.array(signs).reshape(level.width, level.height).T
    open_cells = ~level.palette.role_mask(*DOOR_ROLES)[level.tiles]
    wanted = np.array([CODES[tile.face] for tile in level.palette.tiles])[level.tiles]
    assert np.array_equal(below[open_cells], wanted[open_cells])


def test_things_are_marks_with_their_letter_and_colour() -> None:
    level = Level(
        Level.parse("...").tiles,
        things=[Thing("rat", 0, 0), Thing("gem", 2, 0, {"glyph": "♦", "colour": "#00ff7f"}), Thing("mug", 2, 0)],
    )
    found = loads(dump(level, "xp"), "xp")
    assert found.things == (
        Thing("mark", 0, 0, {"glyph": "r", "colour": "#ffd75f"}),
        Thing("mark", 2, 0, {"glyph": "♦", "colour": "#00ff7f"}),
    )
    assert dump(found, "xp") == dump(level, "xp")


# --- drawings by others ---


def drawing(*layers: list[str], ink: tuple[int, int, int] = (255, 255, 255)) -> bytes:
    """A drawing as REXPaint saves it: rows of signs, `_` is clear."""
    parts = [struct.pack("<iI", -1, len(layers))]
    for rows in layers:
        parts.append(struct.pack("<II", len(rows[0]), len(rows)))
        for column in zip(*rows, strict=True):
            parts += [
                struct.pack("<I6B", CODES[sign], *ink, *((255, 0, 255) if sign == "_" else (0, 0, 0)))
                for sign in column
            ]
    return gzip.compress(b"".join(parts))


def test_a_drawing_with_glyphs_of_the_standard_palette_is_read() -> None:
    found = loads(drawing(["####", "#.<#", "_###"], ["____", "__~_", "____"], ["____", "_@__", "____"]), "xp")
    assert str(found) == "####\n#.~#\n ###"
    assert found.things == (Thing("mark", 1, 1, {"glyph": "@", "colour": "#ffffff"}),)


def test_a_drawing_in_another_palette_is_read() -> None:
    tiles = [tile._replace(glyph="▓", face="▓") if tile.role == "wall" else tile for tile in STANDARD.tiles]
    found = loads(drawing(["▓·▓"]), "xp", palette=Palette(tiles, "mine"))
    assert found.palette.name == "mine"
    assert found.tiles.tolist() == [[1, 2, 1]]


def test_tiles_that_share_a_sign_are_told_by_their_colour() -> None:
    tiles = [STANDARD.tiles[1], STANDARD.tiles[2], STANDARD.tiles[1]._replace(name="moss", glyph="m", colour="#10ff20")]
    palette = Palette(tiles, "two walls")
    level = Level(np.array([[0, 1, 2, 0]], np.uint8), palette)
    assert np.array_equal(loads(dump(level, "xp"), "xp", palette=palette).tiles, level.tiles)


def packed(
    version: int = -1, layers: int = 1, width: int = 2, height: int = 1, cells: int = 2, after: bytes = b""
) -> bytes:
    return gzip.compress(
        struct.pack("<iIII", version, layers, width, height) + struct.pack("<I6B", 35, *(1,) * 6) * cells + after
    )


HOSTILE = [
    ("not packed as an .xp file is", b"no gzip at all"),
    ("not packed as an .xp file is", packed()[:-30] + b"\xff" * 30),
    ("not packed as an .xp file is", packed()[:-8] + bytes(8)),
    ("ends before its last cell", b""),
    ("ends before its last cell", packed(cells=1)),
    ("the file is cut off", packed()[:-4]),
    ("there is more after the last layer", packed(after=b"x")),
    ("there is more after the last layer", gzip.compress(gzip.decompress(packed()) + bytes(200 << 20), 1)),
    ("its version is 3", packed(version=3)),
    ("it has no layer", packed(layers=0)),
    ("its number of layers is 4,000,000,000; the limit is 9", packed(layers=4_000_000_000)),
    ("the number of cells of 100000x100000", packed(width=100_000, height=100_000)),
    ("its longer side is 4,294,967,295", packed(width=4_294_967_295, height=1)),
    ("it is 0x1 and has no cell", packed(width=0)),
    ("layer 2 is 1x1, the first is 2x1", packed(layers=2, after=struct.pack("<II", 1, 1))),
    ("at (1, 0) in layer 1: '&' (sign 38) is no tile", drawing(["#&"])),
    ("at (0, 0) in layer 2: 'Z' (sign 90) is no tile", drawing(["#"], ["Z"])),
    ("sign 4294967295 is no tile", gzip.compress(struct.pack("<iIIIIHI", -1, 1, 1, 1, 0xFFFFFFFF, 0, 0))),
    ("its number of marks is", drawing(["." * 400] * 400, ["_" * 400] * 400, ["g" * 400] * 400)),
]


@pytest.mark.parametrize(("sentence", "data"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_refused_quickly_in_one_sentence(sentence: str, data: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        loads(data, "xp", "evil.xp")
    assert time.process_time() - began < 5
    assert tracemalloc.get_traced_memory()[1] < 64 << 20
    tracemalloc.stop()
    assert str(caught.value).startswith("evil.xp: ")
    assert sentence in str(caught.value)


def test_damage_anywhere_is_refused_or_harmless() -> None:
    data = dump(crypt(), "xp")
    chance = np.random.default_rng(4)
    for _ in range(300):
        broken = bytearray(data)
        broken[chance.integers(len(data))] = chance.integers(256)
        try:
            loads(bytes(broken[: chance.integers(1, len(data) + 1)]), "xp")
        except BadInput:
            continue


def test_the_same_bytes_in_every_process_and_the_golden_ones_after_unpacking() -> None:
    level = uc.load(CHAPEL)
    data = dump(level, "xp")
    program = (
        "import sys, undercroft as uc; from undercroft.formats import dump; "
        "sys.stdout.buffer.write(dump(uc.load(sys.argv[1]), 'xp'))"
    )
    assert subprocess.run([sys.executable, "-c", program, str(CHAPEL)], capture_output=True, check=True).stdout == data
    assert data[:10] == b"\x1f\x8b\x08\0\0\0\0\0\0\xff", "no time and no system in it"
    kept = (GOLDEN / "chapel.xp").read_bytes()
    assert gzip.decompress(kept) == gzip.decompress(data)
    assert np.array_equal(loads(kept, "xp").tiles, level.tiles)
