"""Small inputs that would cost gigabytes or minutes are refused, or read, within 300 MB and three seconds of a core."""

from __future__ import annotations

import io
import json
import random
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import undercroft as uc
from undercroft import formats
from undercroft.formats.npz import zip_arrays

MAX_MEGABYTES, MAX_SECONDS = 300, 6.0
MEASURED = """
import pathlib, sys, time
from undercroft.cli import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status").read_text().splitlines()
    (most,) = [line.split()[1] for line in status if line.startswith("VmHWM")]
    print(f"MEASURED {time.process_time()} {most}", file=sys.stderr)
"""
"""The program, which reports its processor time and its greatest memory at the end. (getrusage would count what the
process had before the program was loaded.)
"""


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def head(width: int, height: int) -> bytes:
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))


def picture_with_two_heads(path: Path) -> list[str]:
    """The first head tells of 16 cells; Pillow takes the last one, of 400 million."""
    side = 20_000
    pack = zlib.compressobj(9)
    rows = b"".join(pack.compress(bytes(1 + side // 8) * 1000) for _ in range(side // 1000)) + pack.flush()
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head(4, 4) + head(side, side) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    return ["convert", str(path), str(path.with_suffix(".json")), "--read-as", "png:tiles"]


def project_with_one_long_text(path: Path) -> list[str]:
    """NumPy would make every number as long as the text."""
    level = uc.generate("cave", seed=1, size=(300, 300))
    whole = json.loads(formats.dump(level, "ldtk"))
    (layer,) = [one for one in whole["levels"][0]["layerInstances"] if len(one["intGridCsv"]) == 90_000][:1]
    layer["intGridCsv"][7] = "x" * 8_000
    path.write_text(json.dumps(whole))
    return ["convert", str(path), str(path.with_suffix(".json"))]


class Note(NamedTuple):
    """A file with nothing but the provenance: `piece` so many times."""

    before: bytes
    piece: bytes
    times: int
    after: bytes

    def __call__(self, path: Path) -> list[str]:
        path.write_bytes(self.before + self.piece * self.times + self.after)
        return ["generate", "--from", str(path)]


PDF = b"%PDF-1.7\n<< /undercroft "
DOT = b'graph {\n  undercroft="'
SCENE = b'[gd_scene format=3]\nmetadata/undercroft = "'
NOTES = {
    "note without an end": (Note(PDF + b"(", b"\\a", 16_000_000, b""), "a.pdf", "does not record how it was made"),
    "note of pairs": (Note(PDF + b"<", b"7 B\n", 8_000_000, b"> >>"), "a.pdf", "16,777,216"),
    "PDF, escapes": (Note(PDF + b"(", b"\\a", 16_000_000, b") >>"), "a.pdf", "16,777,216"),
    "PDF, escapes within the limit": (Note(PDF + b"(", b"\\a", 8_000_000, b") >>"), "a.pdf", "4,194,304"),
    "DOT, escapes": (Note(DOT, b"\\a", 33_000_000, b'";\n}\n'), "a.dot", "16,777,216"),
    "DOT, escapes within the limit": (Note(DOT, b"\\a", 8_000_000, b'";\n}\n'), "a.dot", "4,194,304"),
    "scene, escapes": (Note(SCENE, b"\\a", 33_000_000, b'"\n'), "a.tscn", "16,777,216"),
    "scene, escapes within the limit": (Note(SCENE, b"\\a", 8_000_000, b'"\n'), "a.tscn", "4,194,304"),
}
"""Notes with the provenance: how they are made, the name of the file, and a part of the message."""


def base_of_one_row(path: Path) -> list[str]:
    path.mkdir()
    (path / "rules").mkdir()
    (path / "base.txt").write_text("1,16777216\n=\n...\n")
    (path / "rules" / "a.txt").write_text("1,1\n=\n.\n=\nc\n")
    return ["rewrite", str(path), "--lenient", "--seed", "1"]


def words_on_one_line(path: Path) -> list[str]:
    """1,900 words on one line, each of which refers to a list that stands below."""
    count = 1900
    path.parent.joinpath("names.toml").write_text(
        'about = "x"\n[word]\nmood = ['
        + ",".join(f'"{{w{one}}}"' for one in range(count))
        + "]\n"
        + "".join(f'w{one} = ["b"]\n' for one in range(count))
        + '[title]\nany = ["{mood}"]\n[room]\nany = ["x"]\n[note]\nany = ["y"]\n'
    )
    path.write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "survey"\n[[step]]\nuse = "names"\nfile = "names.toml"\n')
    return ["lint", str(path)]


def long_names(path: Path) -> list[str]:
    """Two names of 15,000 letters each, which difflib would compare for eleven seconds."""
    letters = "".join([sign for sign in map(chr, range(0x430, 0x600)) if sign.islower()][:105])
    known, unknown = letters * 140, letters[::-1] * 140
    lines = [f'[param."{known}"]', "default = 0.4", "[[step]]", 'use = "noise"', f'wall = "${unknown}"']
    path.write_text("\n".join(lines))
    return ["generate", str(path)]


def title_of_a_book(path: Path) -> list[str]:
    path.write_text(json.dumps(json.loads(formats.dump(uc.Level.parse("#.#"), "json")) | {"title": "Ag " * 330_000}))
    return ["convert", str(path), str(path.with_suffix(".pdf"))]


def many_rules(path: Path) -> list[str]:
    """900 rules on a map of 40x30: why did each of them not fire?"""
    rng = random.Random(5)
    signs = "#.~+o"
    rules = [
        "one  r{}, turned\n    {}{}  ->  {}#\n    {}#      {}#\n".format(number, *rng.choices(signs, k=5))
        for number in range(900)
    ]
    path.write_text("\n".join(rules))
    ground = "\n".join("".join(rng.choices("#.+", k=40)) for _ in range(30))
    path.with_suffix(".txt").write_text(ground)
    return ["explain", str(path), "--on", str(path.with_suffix(".txt"))]


def layers_of_zeros(path: Path) -> list[str]:
    """6 GB, had they been unpacked."""
    width = 400_000
    layer = {"dtype": "int64", "rows": [f"0*{width}"]}
    whole = {"format": "undercroft-level/1", "size": [width, 1], "tiles": ["#" * width]}
    path.write_text(json.dumps(whole | {"layers": dict.fromkeys(map(str, range(2000)), layer)}))
    return ["convert", str(path), str(path.with_suffix(".txt"))]


def arrays_of_zeros(path: Path) -> list[str]:
    grid = np.zeros((1000, 1000), np.int64)
    with zipfile.ZipFile(io.BytesIO(formats.dump(uc.Level(grid.astype(np.uint8)), "npz"))) as level:
        arrays = {name.removesuffix(".npy"): np.load(io.BytesIO(level.read(name))) for name in level.namelist()}
    path.write_bytes(zip_arrays(arrays | {f"layer:{name}": grid for name in "abcdefghijklmnop"}))
    return ["convert", str(path), str(path.with_suffix(".json"))]


def layers_of_one_definition(path: Path) -> list[str]:
    """4,000 layers, each with the same 15,000 values."""
    values = [{"value": value, "identifier": None} for value in range(1, 15_001)]
    size = {"__cWid": 1, "__cHei": 1, "__gridSize": 1}
    layer = {"__type": "IntGrid", "__identifier": "a", "layerDefUid": 1, "intGridCsv": [0]} | size
    defined = [{"uid": 1, "identifier": "a", "intGridValues": values}]
    level = {"identifier": "x", "layerInstances": [layer] * 4000}
    path.write_text(json.dumps({"defs": {"layers": defined}, "levels": [level]}))
    return ["convert", str(path), str(path.with_suffix(".json"))]


def layer_with_a_long_name(path: Path) -> list[str]:
    """None of its 15,000 values has a name, so each would look at that of the layer."""
    values = [{"value": value, "identifier": None} for value in range(1, 15_001)]
    size = {"__cWid": 1, "__cHei": 1, "__gridSize": 1}
    layer = {"__type": "IntGrid", "__identifier": "a", "layerDefUid": 1, "intGridCsv": [0]} | size
    defined = [{"uid": 1, "identifier": "a" * 400_000, "intGridValues": values}]
    path.write_text(
        json.dumps({"defs": {"layers": defined}, "levels": [{"identifier": "x", "layerInstances": [layer]}]})
    )
    return ["convert", str(path), str(path.with_suffix(".json"))]


TILED_HEAD = '<map width="2" height="2" tilewidth="8" tileheight="8">'
TILED_LAYER = '<layer name="f"><data encoding="csv">1,1,1,1</data></layer>'


def list_properties(count: int) -> str:
    return "<properties>" + "".join(f'<property name="{one}" value=""/>' for one in range(count)) + "</properties>"


def template_of_many_properties(path: Path) -> list[str]:
    """2,000 objects that inherit 20,000 properties each."""
    path.with_suffix(".tx").write_text(f'<template><object name="a">{list_properties(20_000)}</object></template>')
    objects = f'<object template="{path.stem}.tx"/>' * 2000
    sheet = '<tileset firstgid="1" name="t" tilecount="3"/>'
    path.write_text(f'{TILED_HEAD}{sheet}{TILED_LAYER}<objectgroup name="a">{objects}</objectgroup></map>')
    return ["convert", str(path), str(path.with_suffix(".json"))]


def template_among_many_tilesets(path: Path) -> list[str]:
    """20,000 objects, whose tileset is none of the 10,000."""
    path.with_suffix(".tx").write_text(
        '<template><tileset firstgid="1" source="none.tsx"/><object gid="1" name="a"/></template>'
    )
    objects = f'<object template="{path.stem}.tx"/>' * 20_000
    sheets = "".join(f'<tileset firstgid="{one + 1}" tilecount="1"/>' for one in range(10_000))
    path.write_text(f'{TILED_HEAD}{sheets}{TILED_LAYER}<objectgroup name="a">{objects}</objectgroup></map>')
    return ["convert", str(path), str(path.with_suffix(".json"))]


def tileset_named_often(path: Path) -> list[str]:
    """A tile of 15,000 properties, in a file that the map names 9,000 times."""
    path.with_suffix(".tsx").write_text(
        f'<tileset tilecount="1"><tile id="0">{list_properties(15_000)}</tile></tileset>'
    )
    sheets = "".join(f'<tileset firstgid="{one + 1}" source="{path.stem}.tsx"/>' for one in range(9000))
    path.write_text(f"{TILED_HEAD}{sheets}{TILED_LAYER}</map>")
    return ["convert", str(path), str(path.with_suffix(".json"))]


def points_between_blanks(path: Path) -> list[str]:
    """Text that nothing uses must not be joined at every point."""
    points = "<object><point/></object>" * 19_500
    path.write_text(f'{TILED_HEAD}{"<a/> " * 100_000}<objectgroup name="a">{points}</objectgroup></map>')
    return ["convert", str(path), str(path.with_suffix(".json"))]


BOMBS: list[tuple[Callable[[Path], list[str]], str, int, str]] = [
    (picture_with_two_heads, "a.png", 2, "the picture"),
    (project_with_one_long_text, "a.ldtk", 2, "a whole number belongs here"),
    (base_of_one_row, "grammar", 2, "the longer side of the map"),
    (words_on_one_line, "words.toml", 0, ""),
    (many_rules, "many.rules", 0, ""),
    (long_names, "names.toml", 2, "…"),
    (title_of_a_book, "title.json", 0, ""),
    (layers_of_zeros, "zeros.json", 2, "the size of all its layers"),
    (arrays_of_zeros, "zeros.npz", 2, "the size of all its layers"),
    (layers_of_one_definition, "many.ldtk", 0, ""),
    (layer_with_a_long_name, "long.ldtk", 0, ""),
    (template_of_many_properties, "a.tmx", 2, "the number of letters that its objects take from templates"),
    (template_among_many_tilesets, "b.tmx", 0, "the map does not"),
    (tileset_named_often, "c.tmx", 0, ""),
    (points_between_blanks, "d.tmx", 2, "all its tile layers are missing"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
@pytest.mark.parametrize(
    ("make", "name", "code", "says"),
    [
        *(pytest.param(*row, id=row[0].__name__) for row in BOMBS),
        *(pytest.param(make, name, 2, says, id=label) for label, (make, name, says) in NOTES.items()),
    ],
)
def test_a_small_input_costs_little(
    make: Callable[[Path], list[str]], name: str, code: int, says: str, tmp_path: Path
) -> None:
    line = make(tmp_path / name)
    done = subprocess.run([sys.executable, "-c", MEASURED, *line], capture_output=True, text=True, check=False)
    told, _, measured = done.stderr.rpartition("MEASURED ")
    seconds, kilobytes = map(float, measured.split())
    assert done.returncode == code, told
    assert says in told
    assert "Traceback" not in told
    assert kilobytes / 1024 <= MAX_MEGABYTES
    assert seconds <= MAX_SECONDS
