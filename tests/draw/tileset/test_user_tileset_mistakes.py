"""What is said of every mistake in a tileset of a user's own."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.user_tilesets import (
    LEVEL,
    WHOLE,
    picture_bytes,
    write,
)
from undercroft import limits
from undercroft.draw.tileset.user_drawing import draw_level_with
from undercroft.draw.tileset.user_tileset import load_tileset
from undercroft.errors import BadInput, FileTrouble, TooBig, UndercroftError


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tileset")


MISTAKES = [
    ("size = 8\n[tiles]\ngras = [3, 0]\n", "3:1", "unknown tile or role 'gras'", "did you mean 'grass'"),
    ("size = 8\n[tiles]\nmoat = [3, 0]\n", "3:1", "unknown tile or role 'moat'", 'palette = "garden.toml"'),
    ("size = 8\npalette = 'no.toml'\n[tiles]\nfloor = [3, 0]\n", "2:11", "cannot read", "check the name"),
    ("size = 8\npalette = ['meadow.toml', '../p.toml']\n[tiles]\nfloor = [3, 0]\n", "2:27", "outside the folder", ""),
    ("size = 8\npalette = 4\n[tiles]\nfloor = [3, 0]\n", "2:11", "'palette' is a text", "quotes"),
    ("size = 8\n[autotile.walls]\nfirst = [0, 1]\n", "2:11", "unknown tile or role 'walls'", "'wall'"),
    ("size = 8\n[tiles]\ngrass = [16, 0]\n", "3:9", "the cell [16, 0] is outside", "columns are 0 to 15"),
    ("size = 8\n[tiles]\ngrass = [[3, 0], [0, -1]]\n", "3:18", "the cell [0, -1] is outside", "rows 0 to 5"),
    ("size = 8\n[tiles]\ngrass = [1.5, 0]\n", "3:9", "'grass' is the column and the row", "[3, 0]"),
    ("size = 8\n[tiles]\ngrass = [true, 0]\n", "3:9", "'grass' is the column and the row", "[3, 0]"),
    ("size = 8\n[tiles]\ngrass = []\n", "3:9", "'grass' is the column and the row", "[3, 0]"),
    ('size = 8\n[tiles]\ngrass = "3, 0"\n', "3:9", "'grass' is the column and the row", "[3, 0]"),
    ("size = 7\n[tiles]\ngrass = [0, 0]\n", "1:8", "no whole cells of 7 pixels", "cut the picture"),
    ("size = 8\nspacing = 1\n[tiles]\nfloor = [0, 0]\n", "1:8", "no whole cells of 8 pixels, 1 apart", "spacing"),
    ("size = 8\nmargin = 300\n[tiles]\nfloor = [0, 0]\n", "2:10", "'margin' is 300", "from 0 to 256"),
    ("size = 0\n[tiles]\nfloor = [0, 0]\n", "1:8", "'size' is 0", "from 1 to 256"),
    ('size = "8"\n[tiles]\nfloor = [0, 0]\n', "1:8", "'size' is a whole number", "from 1 to 256"),
    ("[tiles]\nfloor = [0, 0]\n", "1:1", "the size of the cells is missing", "size = 16"),
    ("size = 8\n", "1:1", "names no cells", "[tiles]"),
    ("size = 8\n[tile]\nfloor = [0, 0]\n", "2:2", "unknown key 'tile'", "did you mean 'tiles'"),
    ("size = 8\ntiles = 3\n", "2:9", "'tiles' is a table", "[tiles]"),
    ('size = 8\nimage = "../moor.png"\n[tiles]\nfloor = [0, 0]\n', "2:9", "lies outside the folder", "beside"),
    ('size = 8\nimage = "/moor.png"\n[tiles]\nfloor = [0, 0]\n', "2:9", "lies outside the folder", "beside"),
    ('size = 8\nimage = "none.png"\n[tiles]\nfloor = [0, 0]\n', "2:9", "no such file", "check the name"),
    ('size = 8\nimage = "moor.gif"\n[tiles]\nfloor = [0, 0]\n', "2:9", "is a .png file", "save it as PNG"),
    ("size = 8\nimage = 7\n[tiles]\nfloor = [0, 0]\n", "2:9", "'image' is a text", "quotes"),
    ('size = 8\n[autotile.wall]\nkind = "blbo"\nfirst = [0, 1]\n', "3:8", "unknown kind of autotiling", "'blob'"),
    ('size = 8\n[autotile.wall]\nkind = "corners"\nfirst = [0, 1]\n', "3:8", "unknown kind of autotiling", "one of"),
    ("size = 8\n[autotile.wall]\nfirst = [0, 5]\n", "3:9", "the 47 pieces of 'blob' do not fit", "further up"),
    ("size = 8\n[autotile.wall]\nfirst = [9, 1]\ncolumns = 8\n", "4:11", "'columns' is 8", "from 1 to 7"),
    ("size = 8\n[autotile.wall]\n[autotile.wall.pieces]\n47 = [0, 0]\n", "4:1", "'47'", "0 to 46"),
    (
        "size = 8\n[autotile.wall]\nkind = 'walls'\n[autotile.wall.pieces]\n'edg n' = [0, 0]\n",
        "5:1",
        "'edg n'",
        "'edge n'",
    ),
    (
        "size = 8\n[autotile.wall]\nkind = 'edges'\n[autotile.wall.pieces]\n0 = [0, 0]\n",
        "2:11",
        "have no cell: 1, 2",
        "rest",
    ),
    ("size = 8\n[tiles]\nwall = [0, 0]\n[autotile.wall]\nfirst = [0, 1]\n", "3:1", "under [tiles], and", "keep one"),
    ("size = 8\n[autotile.wall]\nfrist = [0, 1]\n", "3:1", "unknown key 'frist'", "'first'"),
    ("size = 8\n[things]\nchset = [0, 0]\n", "3:1", "unknown kind of thing 'chset'", "did you mean 'chest'"),
    ("size = 8\n[tiles]\n'' = [0, 0]\n", "3:1", "this name is empty", "write a name"),
    ("size = [8\n", "1:8", "not TOML", "close it"),
]


@pytest.mark.parametrize(("text", "place", "problem", "fix"), MISTAKES)
def test_mistakes_are_shown_where_they_are(text: str, place: str, problem: str, fix: str, tmp_path: Path) -> None:
    path = write(tmp_path, text)
    with pytest.raises(UndercroftError) as caught:
        draw_level_with(LEVEL, path)
    error = caught.value
    assert problem in error.problem
    assert fix in error.fix
    assert error.place is not None
    assert f"{error.place.line}:{error.place.column}" == place
    assert str(error).startswith(f"{path}:{place}: ")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "no PNG picture"),
        (b"nonsense" * 9, "no PNG picture"),
        (picture_bytes()[:200], "the picture is damaged"),
        (picture_bytes().replace(b"IDAT", b"IDOT", 1), "the picture is damaged"),
    ],
)
def test_broken_pictures(data: bytes, problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=problem):
        load_tileset(write(tmp_path, data=data))


def claimed(width: int, height: int) -> bytes:
    """The beginning of a picture that claims a size."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))


@pytest.mark.parametrize(
    ("size", "limit"),
    [
        ((1 << 30, 8), limits.TILESET_SIDE),
        ((16_000, 16_000), limits.TILESET_PIXELS),
        ((4096, 4096), limits.TILESET_CELLS),
    ],
)
def test_pictures_that_are_too_large_are_not_unpacked(
    size: tuple[int, int], limit: limits.Limit, tmp_path: Path
) -> None:
    text = WHOLE if limit is not limits.TILESET_CELLS else WHOLE.replace("size = 8", "size = 2")
    with pytest.raises(TooBig, match=f"{limit.value:,}"):
        load_tileset(write(tmp_path, text, data=claimed(*size)))


def test_too_many_variants_and_too_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooBig, match="number of cells"):
        load_tileset(write(tmp_path, f"size = 8\n[tiles]\nfloor = [{'[0, 0], ' * 300}]\n"))
    monkeypatch.setattr(limits, "TILESET_BYTES", limits.TILESET_BYTES._replace(value=100))
    with pytest.raises(TooBig, match="its size in bytes"):
        load_tileset(write(tmp_path))


def test_the_picture_or_its_toml_file_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path)
    assert load_tileset(path).png == load_tileset(path.with_suffix(".png")).png == load_tileset(str(path)).png
    write(tmp_path, WHOLE.replace("size", 'image = "art/moor.png"\nsize'), "other")
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "moor.png").write_bytes(picture_bytes())
    assert load_tileset(tmp_path / "other.toml").name == "moor"
    with pytest.raises(BadInput, match="names another picture"):
        load_tileset(tmp_path / "other.png")


@pytest.mark.parametrize(
    ("name", "kind", "problem"),
    [
        ("none.toml", FileTrouble, "cannot read"),
        ("none.png", FileTrouble, "cannot read"),
        ("moor.jpg", BadInput, "a tileset is a .toml file"),
        ("", BadInput, "a tileset is"),
    ],
)
def test_files_that_are_no_tileset(name: str, kind: type[UndercroftError], problem: str, tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(kind, match=problem):
        draw_level_with(LEVEL, str(tmp_path / name) if name else "")


@pytest.mark.parametrize("value", [7, True, [], {}, 1.5])
def test_values_that_are_no_tileset(value: Any) -> None:
    with pytest.raises(BadInput, match="a tileset is the name of"):
        draw_level_with(LEVEL, value)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.png").write_bytes(picture_bytes())
    (inside / "moor.png").symlink_to(tmp_path / "secret.png")
    (inside / "moor.toml").write_text(WHOLE, encoding="utf-8")
    with pytest.raises(FileTrouble, match="outside the folder"):
        load_tileset(inside / "moor.toml")


def test_our_own_name_is_taken(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="as our own tileset"):
        load_tileset(write(tmp_path, name="Undercroft"))


@settings(max_examples=60)
@given(text=st.text(max_size=200) | st.binary(max_size=80).map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_tileset_or_an_error(text: str, scratch: Path) -> None:
    (scratch / "odd.png").write_bytes(picture_bytes())
    (scratch / "odd.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UndercroftError):
        load_tileset(scratch / "odd.toml")
