"""Files out and in again: equal levels, readers we did not write, and files from strangers."""

from __future__ import annotations

import io
import json
import math
import struct
import subprocess
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from PIL import Image

import undercroft.formats as formats
from support.levels import DTYPES, assert_same, crypt, levels
from support.maps import HEAVY
from support.paths import TESTS
from undercroft import limits
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import (
    DOOR_DTYPE,
    LINK_DTYPE,
    REGION_DTYPE,
    view_doors,
    view_links,
)
from undercroft.errors import BadInput, FileTrouble, TooBig, UndercroftError
from undercroft.formats import FORMATS, dump, loads, resolve_suffix
from undercroft.formats.native import runs
from undercroft.formats.native.native import digest

GOLDEN = TESTS / "golden" / "formats"
PICTURES = TESTS / "cases" / "pictures"


GOLDEN_NAMES = {
    "text": "crypt.txt",
    "text:cave": "crypt.cave.txt",
    "text:rooms": "crypt.rooms.txt",
    "text:grid": "crypt.grid.txt",
    "text:tinykeep": "crypt.tinykeep.txt",
    "text:box": "crypt.box.txt",
    "json": "crypt.json",
    "npz": "crypt.npz",
    "png": "crypt.png",
    "graphml": "crypt.graphml",
    "dot": "crypt.dot",
}

# --- random levels ---


@settings(max_examples=500 if HEAVY else 60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(levels())
def test_json_and_npz_read_back_to_an_equal_level(level: Level) -> None:
    for name in ("json", "npz"):
        data = dump(level, name)
        found = loads(data, name)
        assert_same(found, level)
        assert dump(found, name) == data
        assert digest(found) == digest(level)


@given(levels(palette=st.just(STANDARD)))
def test_text_reads_back_to_the_same_tiles(level: Level) -> None:
    found = loads(dump(level, "text"), "text")
    assert np.array_equal(found.tiles, level.tiles)
    assert loads(dump(found, "text"), "text") == found
    for name in ("text:cave", "text:rooms"):
        once = loads(dump(level, name), name)
        assert loads(dump(once, name), name) == once
        assert np.array_equal(once.walkable, level.walkable)


@pytest.mark.parametrize(
    "level", [Level(np.zeros((1, 1), np.uint8)), crypt(), Level.parse("#" * 300), Level.parse("\n".join("." * 300))]
)
def test_every_format_that_does_both_is_stable_after_one_round(level: Level) -> None:
    for row in FORMATS.values():
        if row.dump is None or row.name in ("godot:rooms", "json:rooms"):  # these are for room grids alone
            continue
        data = dump(level, row.name)
        assert data == dump(level, row.name), "the same bytes every time"
        if row.load is not None:
            assert dump(loads(data, row.name), row.name) == data


# --- readers we did not write ---


def test_json_as_the_json_module_reads_it() -> None:
    level = crypt()
    data = dump(level, "json")
    assert data.endswith(b"}\n")
    found = json.loads(data)
    assert list(found) == [
        "format",
        "size",
        "palette",
        "tiles",
        "regions",
        "doors",
        "links",
        "things",
        "start",
        "end",
        "path",
        "layers",
        "provenance",
    ]
    assert found["size"] == [12, 7]
    assert "\n".join(found["tiles"]) == str(level)
    assert found["doors"] == [{"x": 4, "y": 2, "a": 1, "b": 2, "state": "closed"}]
    assert found["regions"]["table"][1]["tags"] == ["library", "lit"]
    assert found["provenance"]["seed"] == "18446744073709551615"
    lines = data.decode().splitlines()
    assert all(lines.count(f'"{row}",') >= 1 for row in str(level).splitlines()[:-1]), "a line for each row of tiles"
    expanded = [
        [int(part.split("*")[0]) for part in row.split(" ") for _ in range(int((part + "*1").split("*")[1]))]
        for row in found["regions"]["labels"]
    ]
    assert expanded == level.regions.labels.tolist()


def test_npz_as_numpy_reads_it() -> None:
    level = crypt()
    data = dump(level, "npz")
    with np.load(io.BytesIO(data), allow_pickle=False) as found:
        assert np.array_equal(found["tiles"], level.tiles)
        assert np.array_equal(found["labels"], level.regions.labels)
        assert np.array_equal(found["walkable"], level.walkable)
        assert np.array_equal(found["opaque"], level.opaque)
        assert np.array_equal(found["path"], level.path)
        assert np.array_equal(found["doors"], level.doors.table)
        assert np.array_equal(found["layer:height"], level.layers["height"])
        meta = json.loads(found["meta"].tobytes())
        assert meta["start"] == [1, 1]
        assert meta["provenance"] == thaw(level.provenance)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize(("name", "size", "kinds"), [("cave", (60, 30), "#."), ("rooms", (81, 31), "# +.x")])
def test_pictures_from_elsewhere_read_and_write_the_same(name: str, size: tuple[int, int], kinds: str) -> None:
    data = (PICTURES / f"{name}.txt").read_bytes()
    level = formats.load(PICTURES / f"{name}.txt", f"text:{name}")
    assert level.size == size
    assert dump(level, f"text:{name}") == data
    text = data.decode().replace("\n", "")
    assert set(text) == set(kinds)
    assert int(level.walkable.sum()) == len(text) - text.count("#")
    if name == "rooms":
        assert int(level.layers["path"].sum()) == text.count(".")
        assert int((level.tiles == STANDARD["door"]).sum()) == text.count("x")
        assert len(level.path) == 0
        assert_same(loads(dump(level, "json"), "json"), level)


def test_rooms_text_marks_corridors_on_the_path_and_pads_with_rock() -> None:
    level = Level(Level.parse("#,,.").tiles, path=np.array([(1, 0), (3, 0)], np.int32))
    assert dump(level, "text:rooms") == b"#. +\n"
    assert dump(loads(b"#+\n# x+\n#", "text:rooms"), "text:rooms") == b"#+##\n# x+\n####\n"
    assert dump(loads(b"#.\n#.. ".replace(b" ", b""), "text:cave"), "text:cave") == b"#.#\n#..\n"


def test_text_takes_stairs_as_ends_and_short_lines_as_void() -> None:
    level = loads(b"#<>\r\n#\r\n", "text")
    assert (level.start, level.end) == ((1, 0), (2, 0))
    assert str(level) == "#<>\n#  "
    assert loads(b"\xef\xbb\xbf<<>", "text").start is None, "two ways in are no start"


# --- golden files ---


@pytest.mark.parametrize("name", list(GOLDEN_NAMES))
def test_golden_files(name: str) -> None:
    """Run this file as a program to write them anew, after a change that is meant."""
    data = (GOLDEN / GOLDEN_NAMES[name]).read_bytes()
    made = dump(crypt(), name, **({"cell": 8} if name == "png" else {}))
    if name == "npz":  # compressors change: equal after unpacking
        assert _unpacked(made) == _unpacked(data)
    elif name == "png":  # and so do drawing libraries, a little
        with Image.open(io.BytesIO(data)) as kept, Image.open(io.BytesIO(made)) as image:
            difference = np.abs(np.array(kept.convert("RGB"), int) - np.array(image.convert("RGB"), int))
        assert difference.mean() < 1.5
    else:
        assert made == data
    if name in ("json", "npz"):
        assert_same(loads(data, name), crypt())


def _unpacked(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist()]


def test_the_digest_sees_everything_but_provenance_and_looks() -> None:
    level = crypt()
    assert digest(level) == "23b03ff702182441f0808c92dcc00342"

    def with_(**parts: Any) -> Level:
        own = {
            name: getattr(level, name)
            for name in ("regions", "doors", "links", "things", "start", "end", "path", "layers", "provenance")
        }
        return Level(parts.pop("tiles", level.tiles), parts.pop("palette", level.palette), **(own | parts))

    recoloured = Palette([tile._replace(colour="#123456") for tile in STANDARD.tiles])
    assert digest(with_(provenance={})) == digest(with_(palette=recoloured)) == digest(level)
    tiles = level.tiles.copy()
    tiles[3, 3] = 1
    other = [
        with_(tiles=tiles),
        with_(palette=Palette([tile._replace(name=f"{tile.name}!") for tile in STANDARD.tiles])),
        with_(regions=None),
        with_(doors=view_doors()),
        with_(links=view_links()),
        with_(things=level.things[:1]),
        with_(start=None),
        with_(end=(2, 2)),
        with_(path=level.path[:-1]),
        with_(layers={}),
        with_(layers=dict(level.layers) | {"height": level.layers["height"].astype(np.int32)}),
    ]
    assert len({digest(level), *map(digest, other)}) == len(other) + 1


# --- names, files and options ---


def test_files_are_saved_and_loaded_by_suffix(tmp_path: Path) -> None:
    level = crypt()
    for name in ("a.json", "a.NPZ", "a.txt", "a.png"):
        level.save(tmp_path / name)
    assert_same(formats.load(tmp_path / "a.json"), level)
    assert_same(formats.load(tmp_path / "a.NPZ"), level)
    assert np.array_equal(formats.load(tmp_path / "a.txt").tiles, level.tiles)
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    formats.save(level, tmp_path / "odd.map", "json")
    assert_same(formats.load(tmp_path / "odd.map", "json"), level)
    assert resolve_suffix("x/y.TXT").name == "text"


def _saved(action: Callable[[], object]) -> str:
    with pytest.raises(UndercroftError) as caught:
        action()
    return str(caught.value)


NAMES = [
    ("unknown format 'jsn'", "did you mean 'json'?", lambda: dump(crypt(), "jsn")),
    ("unknown format 'zork2000'", "one of: text, text:cave", lambda: loads(b"", "zork2000")),
    ("a.jsn: unknown suffix '.jsn'", "did you mean '.json'?", lambda: resolve_suffix("a.jsn")),
    ("a.zip2: unknown suffix", ".txt, .json, .npz, .png", lambda: resolve_suffix("a.zip2")),
    ("a: no suffix", ".txt, .json", lambda: resolve_suffix("a")),
    ("can only be written", "read one of text,", lambda: loads(b"", "png", "a.png")),
    ("can only be written", "read one of text,", lambda: formats.load("nowhere.png")),
    ("unknown option of the format 'png' 'cel'", "did you mean 'cell'?", lambda: dump(crypt(), "png", cel=3)),
    ("unknown option of the format 'json' 'cell'", "there is no option", lambda: dump(crypt(), "json", cell=3)),
    ("cannot read nowhere.json", "check the name", lambda: formats.load("nowhere.json")),
]


@pytest.mark.parametrize(("sentence", "fix", "action"), NAMES, ids=[row[0] for row in NAMES])
def test_mistakes_in_names(sentence: str, fix: str, action: Callable[[], object]) -> None:
    said = _saved(action)
    assert sentence in said
    assert fix in said


def test_an_unwritable_target_leaves_the_old_file(tmp_path: Path) -> None:
    with pytest.raises(FileTrouble):
        formats.save(crypt(), tmp_path / "no" / "a.json")
    target = tmp_path / "a.json"
    target.write_text("old")
    with pytest.raises(BadInput):
        formats.save(Level(np.zeros((1, 1), np.uint8), layers={"a": np.array([[1j]])}), target)
    assert target.read_text() == "old"


def test_importing_the_formats_is_light() -> None:
    program = (
        "import sys, undercroft.formats as f; print({'PIL', 'zipfile', 'undercroft.formats.native.native', "
        "'undercroft.draw'} & {*sys.modules}, len(f.FORMATS) > 30)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set() True\n"


# --- what cannot be written ---

UNWRITABLE = [
    ("not finite", Level(np.zeros((1, 1), np.uint8), layers={"a": np.array([[np.nan]])}), ("json",)),
    ("JSON cannot hold", Level(np.zeros((1, 1), np.uint8), provenance={"a": [1, float("inf")]}), ("json", "npz")),
    ("provenance.a[1] is a set", Level(np.zeros((1, 1), np.uint8), provenance={"a": [1, {2}]}), ("json", "npz")),
    ("keys in JSON are texts", Level(np.zeros((1, 1), np.uint8), provenance={"a": {3: 4}}), ("json", "npz")),
    ("complex128", Level(np.zeros((1, 1), np.uint8), layers={"a": np.array([[1j]])}), ("json", "npz")),
    ("of the shape (1, 2)", Level(np.zeros((1, 1), np.uint8), layers={"a": np.zeros((1, 2))}), ("json", "npz")),
    ("half a character", Level(np.zeros((1, 1), np.uint8), title="\ud800"), ("json",)),
]


@pytest.mark.parametrize(("sentence", "level", "names"), UNWRITABLE, ids=[row[0] for row in UNWRITABLE])
def test_what_no_file_can_hold_is_said_before_anything_is_written(
    sentence: str, level: Level, names: tuple[str, ...]
) -> None:
    for name in names:
        assert sentence in _saved(partial(dump, level, name))


# --- files from strangers ---


def changed(*path: str | int, to: Any) -> bytes:
    """The crypt's JSON with one value replaced; `...` takes it away."""
    document = json.loads(dump(crypt(), "json"))
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    if to is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return json.dumps(document).encode()


TILE = {"name": "rock", "role": "wall", "glyph": "#"}


@pytest.mark.parametrize(
    ("row", "more", "start", "end"),
    [
        ("<.>", "", (0, 0), (2, 0)),
        ("<.<", "", None, None),
        ("<.>", ', "start": null', None, (2, 0)),
        ("<.>", ', "start": [1, 0], "end": null', (1, 0), None),
    ],
)
def test_ends_that_a_json_file_does_not_tell_are_at_the_only_stairs(
    row: str, more: str, start: object, end: object
) -> None:
    data = f'{{"format": "undercroft-level/1", "size": [3, 1], "tiles": ["{row}"]{more}}}'.encode()
    level = formats.loads(data, "json")
    assert (level.start, level.end) == (start, end)


SMALL = b'{"format": "undercroft-level/1", "size": [1, 1], "tiles": ["#"], %s}'

MISTAKES: list[tuple[str, str, list[bytes]]] = [
    ("json", "the file is empty", [b"", b" \n"]),
    ("json", "a.json:1:1: this is not JSON", [b"x", b"hello"]),
    ("json", "a.json:2:3: this is not JSON", [b'{"format":\n  x}']),
    ("json", "a.json:1:2: this byte is not UTF-8", [b"{\xff}"]),
    ("json", "a level is an object", [b"[]", b"3", b'"x"', b"null"]),
    (
        "json",
        "does not say that it is undercroft-level/1",
        [b"{}", changed("format", to="tiled"), changed("format", to=1)],
    ),
    (
        "json",
        "at format: this is 'undercroft-level/3'; this program reads version 1 and 2",
        [changed("format", to="undercroft-level/3")],
    ),
    ("json", "the key 'size' stands twice", [b'{"size": [1, 1], "size": [2, 2]}']),
    (
        "json",
        "is not a number that JSON knows",
        [SMALL % b'"provenance": {"a": NaN}', SMALL % b'"provenance": {"a": -Infinity}'],
    ),
    (
        "json",
        "at provenance.a: the number is too large",
        [SMALL % b'"provenance": {"a": 1e400}', SMALL % b'"provenance": {"a": -1e999}'],
    ),
    ("json", "a number in it has more than 4,300 digits", [SMALL % (b'"provenance": {"a": 1' + b"0" * 5000 + b"}")]),
    (
        "json",
        "its nesting is",
        [b"[" * 100_000, b'{"a":' * 100_000, SMALL % (b'"provenance": {"a": ' + b"[" * 70 + b"]" * 70 + b"}")],
    ),
    (
        "json",
        "half a character",
        [
            SMALL % b'"provenance": {"a": "\\ud800"}',
            SMALL % b'"provenance": {"\\udfff": 1}',
            changed("things", 0, "kind", to="\ud800"),
        ],
    ),
    ("json", "the key 'size' is missing", [changed("size", to=...)]),
    ("json", "unknown key 'dors'\n  fix: did you mean 'doors'?", [changed("dors", to=[])]),
    (
        "json",
        "at size",
        [
            changed("size", to=[3]),
            changed("size", to="3x4"),
            changed("size", to=[0, 3]),
            changed("size", to=[-1, 3]),
            changed("size", to=[2.5, 3]),
            changed("size", to=[True, 3]),
        ],
    ),
    ("json", "at size: the number of cells", [changed("size", to=[1_000_000, 1_000_000])]),
    ("json", "at size[0]: 10000000 is out of range", [changed("size", to=[10_000_000, 1])]),
    ("json", "at tiles: there are 1 rows, the level is 7 high", [changed("tiles", to=["#"])]),
    ("json", "at tiles: a list belongs here, not 'abc'", [changed("tiles", to="abc")]),
    ("json", "at tiles[2]: the row has 1 glyphs, the level is 12 wide", [changed("tiles", 2, to="#")]),
    ("json", "at tiles[2]: a text belongs here, not 5", [changed("tiles", 2, to=5)]),
    ("json", "at tiles[1]: unknown glyph 'Q' in column 3", [changed("tiles", 1, to="##Q#########")]),
    ("json", "at tiles[1]: unknown glyph '\\x1b' in column 1", [changed("tiles", 1, to="\x1b###########")]),
    ("json", "at palette: unknown palette 'mine'", [changed("palette", to="mine")]),
    (
        "json",
        "at palette",
        [
            changed("palette", to=5),
            changed("palette", to={}),
            changed("palette", to={"name": "a", "tiles": []}),
            changed("palette", to={"name": "a", "tiles": 5}),
        ],
    ),
    (
        "json",
        "at palette.tiles[0].role: unknown role 'wal'\n  fix: did you mean 'wall'?",
        [changed("palette", to={"name": "a", "tiles": [TILE | {"role": "wal"}]})],
    ),
    (
        "json",
        "at palette.tiles[0].glyph",
        [changed("palette", to={"name": "a", "tiles": [TILE | {"glyph": glyph}]}) for glyph in ("", "##", "\n", 5)],
    ),
    (
        "json",
        "at palette.tiles[0].colour",
        [
            changed("palette", to={"name": "a", "tiles": [TILE | {"colour": colour}]})
            for colour in ("red", "#12345", "#12345g")
        ],
    ),
    (
        "json",
        "at palette.tiles[0].walkable: true or false",
        [changed("palette", to={"name": "a", "tiles": [TILE | {"walkable": 1}]})],
    ),
    ("json", "stands for both", [changed("palette", to={"name": "a", "tiles": [TILE, TILE | {"name": "floor"}]})]),
    (
        "json",
        "at palette: unknown tile 'nope'",
        [changed("palette", to={"name": "a", "tiles": [TILE | {"turned": "nope"}]})],
    ),
    ("json", "the limit is 255", [changed("palette", to={"name": "a", "tiles": [TILE] * 300})]),
    (
        "json",
        "at regions.labels[3]: a row is numbers",
        [
            changed("regions", "labels", 3, to=row)
            for row in ("", "a", "1,2", "0*12 ", "0  0", "--1", "1*", "*3", "0*123456789", "9" * 21, "0*12\n")
        ],
    ),
    (
        "json",
        "at regions.labels[3]: the row has 5 cells, the level is 12 wide",
        [changed("regions", "labels", 3, to="0*5")],
    ),
    ("json", "at regions.labels[3]: a run has at least one cell", [changed("regions", "labels", 3, to="0*12 1*0")]),
    ("json", "at regions.labels[3]: the row has 99,999,999 cells", [changed("regions", "labels", 3, to="0*99999999")]),
    (
        "json",
        "at regions.labels[3]: the cell (5, 3) has the label 3, and the table has 2 regions",
        [changed("regions", "labels", 3, to="0*5 3 0*6")],
    ),
    ("json", "at regions.labels[3]: the cell (0, 3) has the label -1", [changed("regions", "labels", 3, to="-1 0*11")]),
    ("json", "at regions.labels[3]: 4294967296 is not from", [changed("regions", "labels", 3, to="4294967296*12")]),
    (
        "json",
        "at regions.labels[3]: a number is too large",
        [changed("regions", "labels", 3, to="99999999999999999999*12")],
    ),
    ("json", "at regions.labels[0]: a text belongs here", [changed("regions", "labels", 0, to=[0, 12])]),
    (
        "json",
        "at regions.table[1].kind: unknown kind 'romo'\n  fix: did you mean 'room'?",
        [changed("regions", "table", 1, "kind", to="romo")],
    ),
    (
        "json",
        "at regions.table[1].label: 5 stands where label 2 belongs",
        [changed("regions", "table", 1, "label", to=5)],
    ),
    (
        "json",
        "at regions.table[1].tags",
        [changed("regions", "table", 1, "tags", to="x"), changed("regions", "table", 1, "tags", to=[5])],
    ),
    (
        "json",
        "at regions.table[1].x",
        [changed("regions", "table", 1, "x", to=value) for value in (-1, 12, "3", 1.0, True, None, 10**30)],
    ),
    ("json", "at regions.table[1]: the key 'area' is missing", [changed("regions", "table", 1, "area", to=...)]),
    (
        "json",
        "at doors[0].x: 12 is out of range\n  fix: use a whole number from 0 to 11",
        [changed("doors", 0, "x", to=12)],
    ),
    ("json", "at doors[0].b: 3 is out of range", [changed("doors", 0, "b", to=3)]),
    ("json", "at doors[0].state: unknown state 'ajar'", [changed("doors", 0, "state", to="ajar")]),
    (
        "json",
        "at doors[0]",
        [changed("doors", 0, to=5), changed("doors", 0, to=None), changed("doors", 0, "colour", to="red")],
    ),
    ("json", "at doors: a list belongs here", [changed("doors", to={}), changed("doors", to=None)]),
    ("json", "at links[1].kind: unknown kind '[]'", [changed("links", 1, "kind", to="[]")]),
    ("json", "at links[1].kind: a text belongs here, not []", [changed("links", 1, "kind", to=[])]),
    ("json", "at links[1].door: 1 is out of range", [changed("links", 1, "door", to=1)]),
    ("json", "at links[0].carved: true or false", [changed("links", 0, "carved", to=1)]),
    ("json", "at things[0].y: 7 is out of range", [changed("things", 0, "y", to=7)]),
    (
        "json",
        "at things[0].data.gold: a text, a number, a truth value, a list or a table belongs here, not null",
        [changed("things", 0, "data", "gold", to=None)],
    ),
    (
        "json",
        "at things[0].data.gold[1]: a text, a number, a truth value or a flat table belongs here, not a list",
        [changed("things", 0, "data", "gold", to=[1, []])],
    ),
    (
        "json",
        "at things[0].data.gold[0].of: a text, a number or a truth value belongs here, not a list",
        [changed("things", 0, "data", "gold", to=[{"of": [1]}])],
    ),
    (
        "json",
        "at things[0].data.gold.of: a text, a number or a truth value belongs here, not a table",
        [changed("things", 0, "data", "gold", to={"of": {}})],
    ),
    (
        "json",
        "at things[0].data.gold: the list has 65 entries; the limit is 64",
        [changed("things", 0, "data", "gold", to=[1] * 65)],
    ),
    (
        "json",
        "at things[0].data.gold: the number has more than 39 digits",
        [changed("things", 0, "data", "gold", to=10**39)],
    ),
    ("json", "at things[0].data: a table belongs here, not a list", [changed("things", 0, "data", to=[])]),
    (
        "json",
        "at start",
        [changed("start", to=value) for value in ([1], [12, 0], [0, 7], [0, -1], [0, None])]
        + [changed("start", to="x"), changed("start", to={})],
    ),
    (
        "json",
        "at path[2]",
        [changed("path", 2, to=value) for value in ([1], 5, None, [12, 0], [0, 7], [0.5, 1], [True, 1])],
    ),
    ("json", "at layers.height.dtype: unknown type 'object'", [changed("layers", "height", "dtype", to="object")]),
    (
        "json",
        "at layers.height.rows[0]: 300 is not from -128 to 127",
        [changed("layers", "height", to={"dtype": "int8", "rows": ["300*12"] * 7})],
    ),
    (
        "json",
        "at layers.height.rows[0]: 2 is not from 0 to 1",
        [changed("layers", "height", to={"dtype": "bool", "rows": ["2*12"] * 7})],
    ),
    (
        "json",
        "at layers.warmth.rows[1][0]: a finite number",
        [changed("layers", "warmth", "rows", 1, 0, to=value) for value in ("x", None, True)],
    ),
    (
        "json",
        "at layers.warmth.rows[1][0]: a finite number",
        [changed("layers", "warmth", "rows", 1, 0, to=123456).replace(b"123456", b"1e400")],
    ),
    ("json", "too large for float32", [changed("layers", "warmth", "rows", 1, 0, to=1e300)]),
    ("json", "a finite number belongs here", [changed("layers", "warmth", "rows", 1, 0, to=10**400)]),
    ("json", "at layers.warmth.rows[1]: the list has 1 values", [changed("layers", "warmth", "rows", 1, to=[1])]),
    ("json", "at layers: an object belongs here", [changed("layers", to=[])]),
    ("json", "at provenance: an object belongs here", [changed("provenance", to=[])]),
    ("text", "a.json:2:3: unknown glyph '%'", [b"###\n##%\n", b"###\n#.%"]),
    ("text", "# wall", [b"%"]),
    ("text", "unknown glyph '@'", [b"@.@"]),
    ("text", "at least one cell", [b"", b"\n", b"\n\n\n"]),
    ("text", "a.json:2:2: this byte is not UTF-8", [b"##\n#\xff"]),
    ("text", "unknown glyph '\\x00'", [b"\x00", b"\x00\x00\n\x00"]),
    ("text:cave", "a.json:1:2: unknown glyph ' '", [b"# #", b"#  ", b"# "]),
    ("text:cave", "at least one cell", [b"", b"\n"]),
    ("text:rooms", "a.json:2:1: unknown glyph ','", [b"###\n,##\n"]),
    ("text:rooms", "'x' door", [b"D"]),
    (
        "npz",
        "not a whole npz file",
        [b"", b"PK", b"hello" * 100, dump(crypt(), "npz")[:-30], dump(crypt(), "npz")[:200]],
    ),
]


@pytest.mark.parametrize(
    ("name", "sentence", "data"), [(name, sentence, one) for name, sentence, many in MISTAKES for one in many]
)
def test_every_mistake_is_said(name: str, sentence: str, data: bytes) -> None:
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        loads(data, name, "a.json")
    assert time.process_time() - began < 3
    said = str(caught.value)
    assert sentence in said
    assert said.startswith("a.json")
    assert "fix: " in said


def test_text_over_the_cap_is_refused_before_it_is_laid_out() -> None:
    data = b"#" * 60_000 + b"\n" * 60_000 + b"#"
    for name in ("text", "text:cave", "text:rooms"):
        with pytest.raises(TooBig, match="16,777,216"):
            loads(data, name)


@pytest.mark.parametrize(
    ("name", "piece", "count", "sentence"),
    [
        ("text", b"#\n", 1_048_577, "its number of rows is 1,048,577; the limit is 1,048,576"),
        ("text:cave", b"#\n", 1_048_577, "its number of rows is 1,048,577; the limit is 1,048,576"),
        ("donjon:tsv", b"F\n", 1_048_577, "the number of cells of the table is 1,048,577; the limit is 1,048,576"),
        ("donjon:tsv", b"\t", 1_048_577, "the number of cells of the table is 1,048,577; the limit is 1,048,576"),
        ("tmx", b"1,", 3_000_000, "there are 3,000,001 cells where 2x2 belong"),
    ],
)
def test_cells_are_counted_before_they_are_taken_apart(name: str, piece: bytes, count: int, sentence: str) -> None:
    data = piece * count
    if name == "tmx":
        data = (
            b"""<map orientation="orthogonal" width="2" height="2" tilewidth="16" tileheight="16">
            <layer name="ground" width="2" height="2"><data encoding="csv">%s1</data></layer></map>"""
            % data
        )
    tracemalloc.start()
    try:
        with pytest.raises(BadInput) as caught:
            loads(data, name, "a")
        assert tracemalloc.get_traced_memory()[1] < 64_000_000
    finally:
        tracemalloc.stop()
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("name", "cap"), [("json", "JSON_BYTES"), ("npz", "NPZ_BYTES"), ("text", "TEXT_BYTES")])
def test_files_over_the_cap_are_refused(name: str, cap: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = dump(crypt(), name)
    small = getattr(limits, cap)._replace(value=len(data) - 1)
    monkeypatch.setitem(FORMATS.own, name, FORMATS[name]._replace(limit=small))
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(TooBig):
        loads(data, name)
    with pytest.raises(TooBig):
        formats.load(tmp_path / "a", name)


def repacked(**changes: Any) -> bytes:
    """The crypt's npz with members replaced by arrays or bytes, or with `...` left out."""
    members = dict(_unpacked(dump(crypt(), "npz")))
    for name, value in changes.items():
        if value is ...:
            del members[f"{name}.npy"]
        elif isinstance(value, bytes):
            members[f"{name}.npy"] = value
        else:
            file = io.BytesIO()
            np.lib.format.write_array(file, value, allow_pickle=True)
            members[f"{name}.npy"] = file.getvalue()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def header(shape: str, descr: str = "'|u1'") -> bytes:
    text = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def meta(**changes: Any) -> Any:
    members = dict(_unpacked(dump(crypt(), "npz")))
    with np.load(io.BytesIO(dump(crypt(), "npz"))) as found:
        document = json.loads(found["meta"].tobytes()) | changes
    assert "meta.npy" in members
    return np.frombuffer(json.dumps(document).encode(), np.uint8)


DOORS = crypt().doors.table
BAD_NPZ: list[tuple[str, dict[str, Any]]] = [
    ("the array 'tiles' is missing", {"tiles": ...}),
    ("the array 'meta' is missing", {"meta": ...}),
    ("'evil.npy' is no array of a level", {"evil": np.zeros(1)}),
    ("at tiles: the array's type is 'int64', not uint8", {"tiles": np.zeros((7, 12), np.int64)}),
    ("at tiles: the array's type is 'object'", {"tiles": np.full((7, 12), None)}),
    ("at tiles: the array's shape is (84,)", {"tiles": np.zeros(84, np.uint8)}),
    ("at least one cell", {"tiles": np.zeros((0, 3), np.uint8)}),
    ("at tiles: the cell (0, 0) holds the code 77", {"tiles": np.full((7, 12), 77, np.uint8)}),
    ("at labels: the array's shape is (7, 11), not (7, 12)", {"labels": np.zeros((7, 11), np.int32)}),
    ("at labels[0]: the cell (0, 0) has the label 9", {"labels": np.full((7, 12), 9, np.int32)}),
    ("at path[0]: the cell is outside the map", {"path": np.array([[12, 0]], np.int32)}),
    ("at path: the array's shape", {"path": np.zeros((2, 3), np.int32)}),
    ("at doors[0].x: 99 is out of range", {"doors": np.array([(99, 0, 0, 0, 0)], DOOR_DTYPE)}),
    ("at doors[0].state: 9 is out of range", {"doors": np.array([(0, 0, 0, 0, 9)], DOOR_DTYPE)}),
    ("at links[0].door: 1 is out of range", {"links": np.array([(0, 0, 0, 1, True)], LINK_DTYPE)}),
    ("at regions[0].kind: 200 is out of range", {"regions": np.array([(200, 0, 0, 0, 0, 0)] * 2, REGION_DTYPE)}),
    ("at doors: the array's type", {"doors": np.zeros(3, np.int32)}),
    ("at tiles: the array's header is broken", {"tiles": b"hello"}),
    ("at tiles: the array's header is broken", {"tiles": b""}),
    ("at tiles: the array's header is broken", {"tiles": header("(" * 90)}),
    ("at tiles: the array has 0 bytes where 1,000,000,000,000 belong", {"tiles": header("(1000000, 1000000)")}),
    ("at tiles: the array has 83 bytes where 84 belong", {"tiles": header("(7, 12)") + b"\1" * 83}),
    ("at layer:height: the array's type is 'complex128'", {"layer:height": np.zeros((7, 12), complex)}),
    ("meta:1:1: this is not JSON", {"meta": np.frombuffer(b"x", np.uint8)}),
    ("meta: at format: this is 'undercroft-npz/9'", {"meta": meta(format="undercroft-npz/9")}),
    ("meta: at tags: there is no region '7'", {"meta": meta(tags={"7": ["a"]})}),
    ("meta: at tags.1[0]: a text belongs here", {"meta": meta(tags={"1": [3]})}),
    ("meta: at start[0]: 12 is out of range", {"meta": meta(start=[12, 0])}),
    ("meta: unknown key 'strat'", {"meta": meta(strat=[1, 1])}),
]


@pytest.mark.parametrize(("sentence", "changes"), BAD_NPZ, ids=[row[0] for row in BAD_NPZ])
def test_every_mistake_in_an_npz_is_said(sentence: str, changes: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as caught:
        loads(repacked(**changes), "npz", "a.npz")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith("a.npz: ")


def test_npz_arrays_of_other_layouts_are_read() -> None:
    level = crypt()
    data = repacked(tiles=np.asfortranarray(level.tiles), labels=level.regions.labels.astype(">i4"), walkable=...)
    assert_same(loads(data, "npz"), level)


def test_truth_values_are_0_or_1_whatever_the_file_holds() -> None:
    level = loads(repacked(**{"layer:path": header("(7, 12)", "'|b1'") + b"\2" * 84}), "npz")
    assert level.layers["path"].tobytes() == b"\1" * 84


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    data = bytearray(dump(crypt(), "npz"))
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 4_000_000_000)
    began = time.process_time()
    with pytest.raises(TooBig, match="unpacked"):
        loads(bytes(data), "npz")
    assert time.process_time() - began < 3
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 100)
    with pytest.raises(BadInput):
        loads(bytes(data), "npz")


@pytest.mark.parametrize(
    ("sentence", "member", "shape"),
    [
        (
            "at tiles: the number of values of 20000x20000 is 400,000,000; the limit is 16,777,216",
            "tiles",
            "(20000, 20000)",
        ),
        ("at labels: the array's shape", "labels", "(10000, 10000)"),
        ("at path: the number of values of 20000000x2 is 40,000,000; the limit is 65,536", "path", "(20000000, 2)"),
        ("at layer:path: the array's shape", "layer:path", "(20000, 20000)"),
    ],
)
def test_an_array_is_not_unpacked_before_its_size_is_known_to_be_right(sentence: str, member: str, shape: str) -> None:
    kind = {"labels": "'<i4'", "path": "'<i4'"}.get(member, "'|u1'")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in _unpacked(dump(crypt(), "npz")):
            if name != f"{member}.npy":
                archive.writestr(name, data)
        with archive.open(f"{member}.npy", "w") as entry:
            entry.write(header(shape, kind))
            size = math.prod(json.loads(shape.replace("(", "[").replace(")", "]"))) * int(kind[-2])
            for _ in range(size // 1_000_000):
                entry.write(bytes(1_000_000))
    data = packed.getvalue()
    tracemalloc.start()
    try:
        with pytest.raises(BadInput) as caught:
            loads(data, "npz", "a.npz")
        assert tracemalloc.get_traced_memory()[1] < 16_000_000
    finally:
        tracemalloc.stop()
    assert sentence in str(caught.value)


def test_an_array_that_is_there_twice_is_refused() -> None:
    packed = io.BytesIO(dump(crypt(), "npz"))
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("tiles.npy", b"")
    with pytest.raises(BadInput, match="there twice"):
        loads(packed.getvalue(), "npz")


@settings(max_examples=4000 if HEAVY else 200, deadline=None)
@given(
    st.sampled_from(["json", "npz", "text", "text:rooms"]),
    st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=4)), min_size=1, max_size=3),
    st.booleans(),
)
def test_damaged_files_load_or_are_refused_in_a_sentence(name: str, damage: list[tuple[int, bytes]], cut: bool) -> None:
    data = bytearray(dump(crypt(), name))
    for at, what in damage:
        spot = at % len(data)
        data[spot : spot + len(what)] = what
    if cut:
        del data[damage[0][0] % len(data) :]
    try:
        found = loads(bytes(data), name)
    except BadInput:
        return
    if name.startswith("text"):  # digits that label rooms are written as floor
        found = found.replace(regions=None)
    assert loads(dump(found, name), name) == found


@given(
    arrays.array_shapes(min_dims=2, max_dims=2, max_side=30).flatmap(
        lambda shape: st.sampled_from(DTYPES[:9]).flatmap(
            lambda dtype: arrays.arrays(dtype, shape, fill=st.just(dtype == "x"))
        )
    )
)
def test_runs_read_back(grid: np.ndarray[Any, Any]) -> None:
    rows = runs.format_runs(grid)
    slow = []
    for line in grid.tolist():
        parts: list[list[int]] = []
        for cell in line:
            if parts and parts[-1][0] == cell:
                parts[-1][1] += 1
            else:
                parts.append([int(cell), 1])
        slow.append(" ".join(f"{value}*{count}" if count > 1 else str(value) for value, count in parts))
    assert rows == slow
    found = runs.parse_runs(rows, grid.shape[1], grid.dtype, lambda row, what: AssertionError(f"{row}: {what}"))
    assert found.dtype == grid.dtype
    assert np.array_equal(found, grid)


def test_runs_of_many_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CHUNK_SIZE", 64)
    grid = np.arange(40 * 30, dtype=np.int32).reshape(40, 30) // 7
    rows = runs.format_runs(grid)
    assert np.array_equal(runs.parse_runs(rows, 30, grid.dtype, lambda row, what: AssertionError(what)), grid)
    rows[33] = "1*29"
    with pytest.raises(ValueError, match="33: the row has 29"):
        runs.parse_runs(rows, 30, grid.dtype, lambda row, what: ValueError(f"{row}: {what}"))


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for format_name, file_name in GOLDEN_NAMES.items():
        (GOLDEN / file_name).write_bytes(dump(crypt(), format_name, **({"cell": 8} if format_name == "png" else {})))
    sys.stdout.write(f"{digest(crypt())}\n")
