"""Values of a type that nobody expects, in files that are right otherwise, give a sentence or a level."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import pytest

import undercroft as uc
from undercroft import formats
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.recipe.document import list_changed_steps

LEVEL = uc.generate("rooms-and-mazes", seed=3, size=(21, 15))
DIGITS = "9" * 5000


def changed(name: str, change: Callable[[Any], object]) -> bytes:
    """A JSON file of ours, changed."""
    data = json.loads(formats.dump(LEVEL, name))
    change(data)
    return json.dumps(data).encode()


def objects(data: Any) -> list[Any]:
    return [one for layer in data["layers"] for one in layer.get("objects", [])]


def set_all(items: list[Any], **values: Any) -> None:
    for item in items:
        item.update(values)


def doors_of(data: Any) -> list[Any]:
    return [one for thing in objects(data) for one in thing.get("properties", []) if one["name"] in ("door", "a", "b")]


def _forget_own(data: Any) -> Any:
    """The map as another program would write it."""
    data["properties"] = []
    return data


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def packed_by_lzma() -> bytes:
    """An npz file whose members are packed as NumPy does not, and damaged."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(formats.dump(LEVEL, "npz"))) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name))
    data = bytearray(file.getvalue())
    data[60:90] = bytes(30)
    return bytes(data)


def picture_with_empty_profile() -> bytes:
    data = formats.dump(LEVEL, "png:tiles")
    end = data.index(b"IEND") - 4
    return data[:end] + chunk(b"iCCP", b"") + data[end:]


def tmx(pattern: str, replacement: str) -> bytes:
    text = formats.dump(LEVEL, "tmx").decode()
    assert re.search(pattern, text)
    return re.sub(pattern, replacement, text, count=1).encode()


TILESET = """<tileset version="1.10" name="t" tilewidth="8" tileheight="8" tilecount="2" columns="2">
<properties rows=""><property name="a" value="b"/></properties>
<tile id="1"><properties rows=""><property name="wall" type="bool" value="true"/></properties></tile></tileset>"""
TEMPLATE = """<template><object name="chest" type="chest" width="8" height="8">
<properties rows=""><property name="gold" type="int" value="7"/></properties></object></template>"""
MAP = """<map version="1.10" orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
<tileset firstgid="1" source="t.tsx"/>
<layer id="1" name="walls" width="2" height="1"><data encoding="csv">1,2</data></layer>
<objectgroup id="2" name="things"><object id="1" template="c.tx" x="0" y="0"/></objectgroup></map>"""


def test_properties_of_tilesets_and_templates_have_no_attributes(tmp_path: Any) -> None:
    for name, text in (("map.tmx", MAP), ("t.tsx", TILESET), ("c.tx", TEMPLATE)):
        (tmp_path / name).write_text(text)
    level = formats.load(tmp_path / "map.tmx")
    assert level.size == (2, 1)
    assert [thing.data["gold"] for thing in level.things] == [7]


ODD_FILES: list[tuple[str, bytes]] = [
    ("tmx", tmx("<properties>", '<properties rows="">')),
    ("tmx", tmx(r'name="door" type="object" value="\d+"', f'name="door" type="object" value="{DIGITS}"')),
    ("tmj", changed("tmj", lambda data: data["layers"][0].update(type=[]))),
    ("tmj", changed("tmj", lambda data: data.update(type=[]))),
    ("tmj", changed("tmj", lambda data: _forget_own(data)["tilesets"][0].update(tiles={"1": {}}, tileproperties=[1]))),
    ("tmj", changed("tmj", lambda data: set_all(objects(data), type=[]))),
    ("tmj", changed("tmj", lambda data: set_all(data["properties"], type=[]))),
    ("tmj", changed("tmj", lambda data: set_all(doors_of(data), type="string", value=DIGITS))),
    ("tmj", changed("tmj", lambda data: set_all(doors_of(data), value=DIGITS))),
    (
        "ldtk",
        changed("ldtk", lambda data: set_all(data["defs"]["layers"], intGridValuesGroups=[{"uid": [], "color": None}])),
    ),
    ("npz", packed_by_lzma()),
    ("png:tiles", picture_with_empty_profile()),
    ("json", changed("json", lambda data: data["provenance"].update(editions=5))),
    ("json", changed("json", lambda data: data["provenance"].update(editions=[1], recipe=7, seed=[], size=9))),
]


@pytest.mark.parametrize(("name", "data"), ODD_FILES)
def test_a_file_with_an_odd_value(name: str, data: bytes) -> None:
    try:
        level = formats.loads(data, name, "odd")
    except BadInput as error:
        assert "odd" in str(error)  # noqa: PT017
        assert error.fix  # noqa: PT017
        return
    list_changed_steps(level)
    for row in formats.FORMATS.values():  # what is read can be written
        if row.dump is not None:
            with contextlib.suppress(BadInput):
                formats.dump(level, row.name)


@pytest.mark.parametrize(("name", "data"), ODD_FILES)
def test_a_command_on_such_a_file(name: str, data: bytes, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """An exit code of 70 would be a fault of the program."""
    file = tmp_path / f"odd.{name.partition(':')[0]}"
    file.write_bytes(data)
    assert run(["convert", str(file), str(tmp_path / "out.json"), "--read-as", name]) in (0, 2)
    assert run(["generate", "--from", str(file)]) in (0, 2)
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert "unknown suffix" not in said


def moved(**values: Any) -> Callable[[Any], object]:
    return lambda data: data["regions"]["table"][0].update(values)


ODD_REGIONS: list[tuple[str, Callable[[Any], object]]] = [
    ("lies partly outside the map", moved(x=20, width=2)),
    ("lies partly outside the map", moved(y=14, height=2)),
    ("its area is 7 ", moved(area=7)),
    ("has 0 cells with its label", lambda data: data["regions"]["table"].append(_next_row(data))),
    ("the table has 0 regions", lambda data: data["regions"].update(table=[])),
]


def _next_row(data: Any) -> Any:
    table = data["regions"]["table"]
    return copy.deepcopy(table[0]) | {"label": len(table) + 1}


@pytest.mark.parametrize(("problem", "change"), ODD_REGIONS)
def test_regions_that_are_not_on_the_map_are_refused(problem: str, change: Callable[[Any], object]) -> None:
    """Writers rely on them: a box beyond the edge, or a region without cells, would fail there."""
    with pytest.raises(BadInput, match=problem):
        formats.loads(changed("json", change), "json", "odd")


@pytest.mark.parametrize("value", [10**400, -(10**400), float("inf"), float("nan"), 10**5000], ids=lambda _: "")
def test_a_number_beyond_all_floats(value: Any) -> None:
    with pytest.raises(BadInput, match="fill_prob is a number from 0 to 1"):
        uc.generate("cave", seed=1, fill_prob=value)


def test_the_level_of_this_test_has_all_parts() -> None:
    assert LEVEL.regions.table.size
    assert LEVEL.doors.table.size
    assert isinstance(formats.loads(formats.dump(LEVEL, "tmj"), "tmj"), Level)
