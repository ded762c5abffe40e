"""Tables: read by the csv module and by NumPy, and read back.

The golden files are written anew with
    python -c "import undercroft as uc; uc.load('examples/chapel.json').save('tests/golden/formats/chapel.codes.csv')"
    python -c "import undercroft as uc; chapel = uc.load('examples/chapel.json'); \\
        chapel.save('tests/golden/formats/chapel.names.csv', names=True)"
"""

from __future__ import annotations

import csv
import io
import time

import numpy as np
import pytest
from hypothesis import given, settings

import undercroft as uc
from support.levels import crypt, levels
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput
from undercroft.formats import dump, loads

GOLDEN = ROOT / "tests" / "golden" / "formats"


@settings(max_examples=80, deadline=None)
@given(levels())
def test_numpy_and_the_csv_module_read_what_was_written(level: Level) -> None:
    codes = np.loadtxt(io.BytesIO(dump(level, "csv")), delimiter=",", dtype=int, ndmin=2)
    assert np.array_equal(codes, level.tiles)
    rows = list(csv.reader(io.StringIO(dump(level, "csv", names=True).decode(), newline="")))
    assert rows == [[level.palette.tiles[code].name for code in row] for row in level.tiles.tolist()]
    for names in (False, True):
        assert np.array_equal(loads(dump(level, "csv", names=names), "csv", palette=level.palette).tiles, level.tiles)


@pytest.mark.parametrize("name", ["a,b", 'say "a"', "two\nlines", " blank ", "é漢", "1", "007", "#"])
def test_odd_names_of_tiles(name: str) -> None:
    palette = Palette([STANDARD.tiles[1]._replace(name=name, glyph="w"), STANDARD.tiles[2]], "odd")
    level = Level(np.array([[0, 1], [1, 0], [0, 0]], np.uint8), palette)
    data = dump(level, "csv", names=True)
    assert list(csv.reader(io.StringIO(data.decode(), newline=""))) == [[name, "floor"], ["floor", name], [name, name]]
    assert np.array_equal(loads(data, "csv", palette=palette).tiles, level.tiles)


@pytest.mark.parametrize(
    "level",
    [
        crypt(),
        Level.parse("#"),
        Level.parse("." * 3000),
        Level.parse("\n".join("." * 3000)),
        uc.generate("cave", seed=1, size=(1100, 1100)),
    ],
)
def test_sizes(level: Level) -> None:
    data = dump(level, "csv")
    found = loads(data, "csv")
    assert np.array_equal(found.tiles, level.tiles)
    assert data.count(b"\n") == level.height
    assert len(uc.survey(found).regions) == len(uc.survey(level).regions)


def test_tables_of_others_are_read() -> None:
    assert str(loads(b"\xef\xbb\xbf1, 2 ,1\r\n1,11,12\r\n\r\n", "csv")) == "#.#\n#<>"
    assert loads(b"1, 2 ,1\r\n1,11,12", "csv").start == (1, 1)
    assert str(loads(b'"wall",floor,X\n~,+,12', "csv")) == "#. \n~+>", "names, glyphs, aliases and codes"


MISTAKES = [
    ("a.csv:1:1: a table has at least one cell", b""),
    ("a.csv:1:1: a table has at least one cell", b"\n\n"),
    ("a.csv:2:1: this row has 1 cells, the first has 2", b"1,2\n3"),
    ("a.csv:2:1: this row has 2 cells, the first has 1", b"wall\nfloor,door"),
    ("a.csv:1:3: '13' is no code", b"1,13"),
    ("a.csv:2:3: '' is no code", b"1,2\n1,"),
    ("a.csv:1:1: '99999999999999999999' is no code", b"9" * 100),
    ("unknown tile 'flor' in column 2", b"wall,flor"),
    ("did you mean 'floor'?", b"wall,flor"),
    ("a.csv:3:1: unknown tile 'x'", b"wall\nwall\nx"),
    ("a.csv:1:1: this is no table with commas", b'"wall'),
    ("a.csv:2:1: this is no table with commas", b"wall\n" + b"w" * 200_000),
    ("a.csv:2:2: this byte is not UTF-8 text", b"wall\nw\xff"),
    ("its number of cells is", b"1," * 17_000_000),
    ("its size in bytes is", b"1" * (65 << 20)),
]


@pytest.mark.parametrize(("sentence", "data"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_and_hostile_tables(sentence: str, data: bytes) -> None:
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        loads(data, "csv", "a.csv")
    assert sentence in str(caught.value)
    assert time.process_time() - began < 10


def test_options() -> None:
    with pytest.raises(BadInput, match="names is true or false"):
        dump(crypt(), "csv", names="yes")
    with pytest.raises(BadInput, match="that no table can hold"):
        dump(Level(np.zeros((1, 1), np.uint8), Palette([STANDARD.tiles[0]._replace(name="a\0b")])), "csv", names=True)


@pytest.mark.parametrize("kind", ["codes", "names"])
def test_golden_tables(kind: str) -> None:
    level = uc.load(ROOT / "examples" / "chapel.json")
    kept = (GOLDEN / f"chapel.{kind}.csv").read_bytes()
    assert dump(level, "csv", names=kind == "names") == kept
    assert np.array_equal(loads(kept, "csv").tiles, level.tiles)
