"""Reading with options, and telling whose file a .json file is."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
import undercroft.formats as formats
from support.maps import soup
from support.paths import TESTS
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput
from undercroft.formats import FORMATS, dump, load, loads
from undercroft.formats.detect import detect_format

CASES = TESTS / "cases" / "imports"


def test_every_format_that_is_told_by_keys_can_be_read() -> None:
    rows = [row for row in FORMATS.values() if row.keys]
    assert {"watabou", "donjon"} <= {row.name for row in rows}
    assert all(row.load for row in rows)
    for row in rows:
        assert detect_format(json.dumps(dict.fromkeys(row.keys)).encode(), "a.json") is row


def test_each_json_file_is_read_as_what_it_is(tmp_path: Path) -> None:
    level = Level.parse("#1>")
    level.save(tmp_path / "ours.json")
    assert load(tmp_path / "ours.json") == level
    (tmp_path / "spaced.json").write_text(json.dumps(json.loads(dump(level, "json")), indent=1, sort_keys=True))
    assert load(tmp_path / "spaced.json") == level
    assert load(CASES / "ash.json").title == "Crypt of Ash"
    assert load(CASES / "halls.json").title == "The Halls of Sighs"
    assert uc.load(CASES / "halls.tsv").size == (8, 7)


@pytest.mark.parametrize(
    ("sentence", "data"),
    [
        ("a.json: this JSON is none of json, ", b'{"rooms": []}'),
        ("or its format (--read-as", b'{"rooms": []}'),
        ("this is 'undercroft-level/9'", b'{"format": "undercroft-level/9"}'),
        ("this does not say that it is undercroft-level/1", b'{"format": 3}'),
        ("a level is an object, not []", b"[]"),
        ("this is not JSON", b"{"),
        ("the file is empty", b""),
        ("stands twice", b'{"rects": 1, "rects": 2}'),
    ],
)
def test_what_is_nobodys(sentence: str, data: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as caught:
        load("a.json")
    assert sentence in str(caught.value)


def test_a_named_format_is_not_told_anew(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not say that it is undercroft-level/1"):
        load(CASES / "ash.json", "json")
    with pytest.raises(BadInput, match="at cell_bit: an object belongs here"):
        load(CASES / "ash.json", "donjon")


def test_a_map_of_another_is_bounded_by_its_own_limit(tmp_path: Path) -> None:
    (tmp_path / "big.json").write_text(json.dumps({"rects": [], "doors": [], "story": "x" * (9 << 20)}))
    with pytest.raises(BadInput, match="its size in bytes is"):
        load(tmp_path / "big.json")


# --- text in any palette ---

GARDEN = Palette(
    [
        STANDARD.tiles[1]._replace(name="hedge", glyph="T"),
        STANDARD.tiles[2]._replace(name="grass", glyph='"'),
        STANDARD.tiles[4]._replace(name="gate", glyph="="),
        STANDARD.tiles[11]._replace(name="way in", glyph="^"),
    ],
    "garden",
)


def test_text_is_read_with_any_palette(tmp_path: Path) -> None:
    (tmp_path / "garden.txt").write_text('TTTTTT\nT^"=1T\nTTTT\n')
    level = uc.load(tmp_path / "garden.txt", palette=GARDEN)
    assert str(level) == 'TTTTTT\nT^"="T\nTTTTTT'
    assert (level.palette, level.start, level.rooms[0].area) == (GARDEN, (1, 1), 1)
    found = uc.survey(level)
    assert [region.area for region in found.regions] == [2, 1]
    assert found.doors[0].state == "closed"
    assert loads(dump(level, "text"), "text", palette=GARDEN).tiles.tolist() == level.tiles.tolist()


@pytest.mark.parametrize("number", range(6))
def test_the_same_map_in_all_formats_that_take_a_palette(number: int) -> None:
    level = soup(number, "##..,+LS~:o'<>").level()
    signs = "abcdefghijklm"
    palette = Palette(
        [tile._replace(glyph=sign, face=sign, aliases="") for tile, sign in zip(STANDARD.tiles, signs, strict=True)],
        "letters",
    )
    other = Level(level.tiles, palette)
    rows = [row for row in FORMATS.values() if "palette" in row.read_options]
    assert {"text", "xp", "csv", "png:tiles"} <= {row.name for row in rows}
    for row in rows:
        assert np.array_equal(loads(dump(other, row.name), row.name, palette=palette).tiles, other.tiles), row.name


def test_mistakes_in_read_options(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("#")
    with pytest.raises(BadInput, match=r"unknown option of reading the format 'text' 'palete'"):
        load(tmp_path / "a.txt", palete=GARDEN)
    with pytest.raises(BadInput, match="there is no option of reading"):
        loads(b"", "json", palette=GARDEN)
    with pytest.raises(BadInput, match="a palette was to be given, not a dict"):
        load(tmp_path / "a.txt", palette={})
    with pytest.raises(BadInput, match="unknown glyph '#'"):
        load(tmp_path / "a.txt", palette=GARDEN)
    with pytest.raises(BadInput, match="can only be read"):
        formats.dump(Level.parse("#"), "watabou")
