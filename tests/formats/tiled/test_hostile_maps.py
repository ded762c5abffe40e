"""Maps of Tiled that were made to do harm, or by mistake: refused in a sentence, at once, and without taking much
memory.
"""

from __future__ import annotations

import base64
import gzip
import json
import time
import tracemalloc
import zlib
from typing import Any

import numpy as np
import pytest

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.formats import loads
from undercroft.formats.tiled import checked_map
from undercroft.formats.tiled import objects as tiled_objects
from undercroft.inputs.json import parse_json

SHEET = '<tileset firstgid="1" name="x" tilecount="9"/>'
HEAD = 'version="1.10" orientation="orthogonal" tilewidth="16" tileheight="16"'

GROUND = {"type": "tilelayer", "name": "a", "data": [1, 1, 1, 1]}


def xml(inner: str = "", *, size: str = 'width="2" height="2"', sheet: str = SHEET, before: str = "") -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{before}<map {HEAD} {size}>{sheet}{inner}</map>'.encode()


def layer(data: str = "1,1,1,1", how: str = 'encoding="csv"', more: str = "", name: str = "a") -> str:
    return f'<layer id="1" name="{name}" {more}><data {how}>{data}</data></layer>'


def packed(data: bytes, how: str = "zlib") -> str:
    return layer(base64.b64encode(data).decode(), f'encoding="base64" compression="{how}"')


def spelt(**changes: Any) -> bytes:
    """A small TMJ map with changes; `...` leaves a key out."""
    one = {"type": "tilelayer", "name": "a", "width": 2, "height": 2, "data": [1, 1, 1, 1]}
    sheet = {"firstgid": 1, "name": "x", "tilecount": 9}
    whole = {
        "width": 2,
        "height": 2,
        "tilewidth": 16,
        "tileheight": 16,
        "tilesets": [sheet],
        "layers": [one],
        **changes,
    }
    return json.dumps({key: value for key, value in whole.items() if value is not ...}).encode()


def spelt_layer(**changes: Any) -> bytes:
    return spelt(layers=[{"type": "tilelayer", "name": "a", "width": 2, "height": 2, "data": [1, 1, 1, 1], **changes}])


def objects(**one: Any) -> bytes:
    return spelt(layers=[GROUND, {"type": "objectgroup", "name": "o", "objects": [{"id": 1, "x": 0, "y": 0, **one}]}])


LAUGHS = (
    "<!DOCTYPE map [" + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(12)) + "]>\n"
)
BOMB = zlib.compress(bytes(200_000_000), 9)
LARGE = zlib.compress(bytes(4 * 4096 * 4096), 9)
ENDLESS = 'width="1" height="1" infinite="1"'
FAR = (
    '<data encoding="csv"><chunk x="0" y="0" width="1" height="1">1</chunk><chunk x="{}" y="{}" width="1" '
    'height="1">1</chunk></data>'
)

HOSTILE: list[tuple[str, str, bytes]] = [
    # XML
    ("a laughing bomb", "map.x:2:15: a document type stands here", xml(layer("&e11;"), before=LAUGHS)),
    (
        "a document type in UTF-16",
        "a document type stands here",
        xml(layer(), before="<!DOCTYPE map []>").decode().replace("UTF-8", "UTF-16").encode("utf-16"),
    ),
    (
        "a file from elsewhere",
        "a document type stands here",
        xml(layer("&x;"), before='<!DOCTYPE map [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    ),
    ("an entity nobody made", "this is not XML: undefined entity", xml(layer("&x;"))),
    ("elements in each other", "more than 64 elements in each other", xml("<group>" * 100_000 + "</group>" * 100_000)),
    ("groups in each other, deep in the file", "more than 64 elements in each other", xml("<group>" * 64)),
    ("half a file", "this is not XML: ", xml(layer())[:-20]),
    ("nothing", "this is not XML: no element found", b""),
    ("no XML", "map.x:1:2: this is not XML: not well-formed", b"#####\n#...#\n"),
    ("a tileset", "this is 'tileset', not a map", b'<tileset name="x"/>'),
    ("a map without anything", "this is no map of Tiled", b"<map/>"),
    (
        "an alphabet nobody knows",
        "an encoding that is not read here",
        b'<?xml version="1.0" encoding="klingon"?><map/>',
    ),
    ("the same attribute twice", "this is not XML: duplicate attribute", xml(layer(more='name="b"'))),
    (
        "two data",
        "'data' stands here twice",
        xml('<layer name="a"><data encoding="csv">1,1,1,1</data><data encoding="csv">1,1,1,1</data></layer>'),
    ),
    ("two lists of properties", "'properties' stands here twice", xml("<properties/><properties/>")),
    (
        "a property twice",
        "'k' stands here twice",
        xml('<properties><property name="k" value="1"/><property name="k" value="2"/></properties>'),
    ),
    (
        "a number that is none",
        "'x' is no value of the type 'int'",
        xml('<properties><property name="k" type="int" value="x"/></properties>'),
    ),
    (
        "a number without end",
        "is no value of the type 'int'",
        xml(f'<properties><property name="k" type="int" value="{"9" * 90_000}"/></properties>'),
    ),
    (
        "a truth that is none",
        "'yes' is no value of the type 'bool'",
        xml('<properties><property name="k" type="bool" value="yes"/></properties>'),
    ),
    (
        "a property that is no number",
        "too large",
        xml('<properties><property name="k" type="float" value="nan"/></properties>'),
    ),
    (
        "a property without end",
        "too large",
        xml('<properties><property name="k" type="float" value="1e999"/></properties>'),
    ),
    # the map
    ("isometric", "the map is 'isometric'; only orthogonal maps are read", xml().replace(b"orthogonal", b"isometric")),
    ("hexagonal", "the map is 'hexagonal'; only orthogonal maps are read", spelt(orientation="hexagonal")),
    ("a negative size", "at width: -5 is out of range", xml(layer(), size='width="-5" height="2"')),
    ("no size", "at height: 0 is out of range", xml(layer(), size='width="5" height="0"')),
    (
        "a size that is no number",
        "at width: a whole number belongs here, not 'two'",
        xml(layer(), size='width="two" height="2"'),
    ),
    ("half a cell", "at width: a whole number belongs here, not 2.5", spelt(width=2.5)),
    ("a size of nothing", "this is no map of Tiled", spelt(width=...)),
    ("a huge map", "the number of cells of 1,000,000x1,000,000", xml(layer(), size='width="1000000" height="1000000"')),
    (
        "a large map without cells",
        "there are 4 cells where 4,096x4,096 belong",
        xml(layer(), size='width="4096" height="4096"'),
    ),
    ("tiles of no size", "at tilewidth: 0 is out of range", spelt(tilewidth=0)),
    ("tiles of a huge size", "at tileheight: 1000000 is out of range", spelt(tileheight=1_000_000)),
    ("layers that are none", "at layers: a list belongs here, not 'x'", spelt(layers="x")),
    ("a layer that is none", "at layers[0]: an object belongs here, not 5", spelt(layers=[5])),
    ("no layers", "all its tile layers are missing", spelt(layers=...)),
    # cells
    ("too few cells", "at layer 'a'.data: there are 3 cells where 2x2 belong", xml(layer("1,1,1"))),
    ("too many cells", "there are 5 cells where 2x2 belong", xml(layer("1,1,1,1,1"))),
    ("too many elements", "there are 5 cells where 2x2 belong", xml(layer('<tile gid="1"/>' * 5, ""))),
    (
        "a layer of another size",
        "at layer 'a': its width is 3, that of the map is 2",
        xml(layer(more='width="3" height="2"')),
    ),
    ("cells that are words", "the cells are not numbers with commas between", xml(layer("1,1,x,1"))),
    ("cells that are negative", "the cells are not numbers with commas between", xml(layer("1,1,-1,1"))),
    ("cells that are missing", "the cells are not numbers with commas between", xml(layer("1,,1,1"))),
    ("cells that are too large", "9999999999 is no tile number", xml(layer("1,1,9999999999,1"))),
    ("an element that is no cell", "a tile has a number that is none", xml(layer('<tile gid="x"/>' * 4, ""))),
    ("an element that is negative", "-1 is no tile number", xml(layer('<tile gid="-1"/>' * 4, ""))),
    ("a list of texts", "'1' is no tile number", spelt_layer(data=["1", 1, 1, 1])),
    ("a list of lists", "[1, 1] is no tile number", spelt_layer(data=[[1, 1], [1, 1]])),
    ("a long text among numbers", "is no tile number", spelt_layer(data=[1, 1, 1, "x" * 1_000_000])),
    ("a number of a hundred digits", "is no tile number", spelt_layer(data=[10**100, 1, 1, 1])),
    ("truths", "true is no tile number", spelt_layer(data=[True, 1, 1, 1])),
    ("half a cell in a list", "1.5 is no tile number", spelt_layer(data=[1.5, 1, 1, 1])),
    ("data that is an object", "at layer 'a'.data: a text belongs here, not an object", spelt_layer(data={})),
    ("an encoding nobody knows", "unknown encoding 'rot13'", xml(layer("1,1,1,1", 'encoding="rot13"'))),
    ("base64 that is none", "the cells are not base64", xml(layer("!!!!", 'encoding="base64"'))),
    ("base64 cut off", "the cells are not base64", xml(layer("AQAAA", 'encoding="base64"'))),
    (
        "bytes that are no numbers",
        "the cells have 3 bytes, which is no multiple of 4",
        xml(layer("AQAA", 'encoding="base64"')),
    ),
    ("zstd", "the cells are compressed by zstd, which is not read here", xml(packed(b"x", "zstd"))),
    ("a compression nobody knows", "unknown compression 'brotli'", xml(packed(b"x", "brotli"))),
    ("broken zlib", "the compressed cells are broken", xml(packed(b"hello"))),
    (
        "zlib cut off",
        "the compressed cells end too early",
        xml(packed(zlib.compress(np.ones(4, "<u4").tobytes())[:-6])),
    ),
    (
        "gzip cut off",
        "the compressed cells end too early",
        xml(packed(gzip.compress(np.ones(4, "<u4").tobytes())[:-3], "gzip")),
    ),
    ("a zlib bomb", "there are more cells than the 4 that belong there", xml(packed(BOMB))),
    (
        "a gzip bomb",
        "there are more cells than the 4 that belong there",
        xml(packed(gzip.compress(bytes(100_000_000)), "gzip")),
    ),
    ("an unknown tile", "the cell (0, 1) has the tile number 10, and no tileset has it", xml(layer("1,1,10,1"))),
    (
        "an unknown tile, turned",
        "the cell (0, 1) has the tile number 10, and no tileset has it",
        xml(layer(f"1,1,{10 | 0xA0000000},1")),
    ),
    (
        "no tilesets",
        "the cell (0, 0) has the tile number 1, and no tileset has it",
        xml(layer(), sheet="<tileset/>").replace(b"<tileset/>", b""),
    ),
    (
        "many layers of the largest size",
        "the number of cells of all its layers is",
        xml(packed(LARGE) * 9, size='width="4096" height="4096"'),
    ),
    # infinite maps
    (
        "chunks too far apart",
        "the longer side of what is drawn is",
        xml(f'<layer name="a">{FAR.format(10**9, 0)}</layer>', size=ENDLESS),
    ),
    (
        "chunks too far apart both ways",
        "the number of cells of",
        xml(f'<layer name="a">{FAR.format(9000, 9000)}</layer>', size=ENDLESS),
    ),
    (
        "chunks beyond the world",
        "is out of range",
        xml(f'<layer name="a">{FAR.format(10**30, 0)}</layer>', size=ENDLESS),
    ),
    (
        "a chunk of no size",
        "width: 0 is out of range",
        xml(f'<layer name="a">{FAR}</layer>'.replace('width="1"', 'width="0"'), size=ENDLESS),
    ),
    (
        "a huge chunk",
        "the number of cells of",
        xml(f'<layer name="a">{FAR}</layer>'.replace('"1"', '"99999"'), size=ENDLESS),
    ),
    # tilesets
    (
        "tilesets that overlap",
        "the tilesets 'x' and 'y' share the number 5",
        xml(layer(), sheet=SHEET + '<tileset firstgid="5" name="y" tilecount="9"/>'),
    ),
    ("the same tileset twice", "share the number 1", xml(layer(), sheet=SHEET + SHEET)),
    (
        "two files with one number",
        "share the number 1",
        xml(layer(), sheet='<tileset firstgid="1" source="a.tsx"/><tileset firstgid="1" source="b.tsx"/>'),
    ),
    ("a tileset without a number", "a whole number is missing here", xml(layer(), sheet='<tileset source="a.tsx"/>')),
    ("a tileset of number 0", "firstgid: 0 is out of range", spelt(tilesets=[{"firstgid": 0, "tilecount": 3}])),
    (
        "a tileset of a huge number",
        "firstgid: 4000000000 is out of range",
        spelt(tilesets=[{"firstgid": 4_000_000_000, "tilecount": 3}]),
    ),
    (
        "a tileset of a huge size",
        "tilecount: 4000000000 is out of range",
        spelt(tilesets=[{"firstgid": 1, "tilecount": 4_000_000_000}]),
    ),
    (
        "tilesets that are too many together",
        "its highest tile number is",
        spelt(tilesets=[{"firstgid": 1_000_000, "tilecount": 1_000_000}]),
    ),
    (
        "a tile of a huge number",
        "id: 4000000000 is out of range",
        spelt(tilesets=[{"firstgid": 1, "tilecount": 3, "tiles": [{"id": 4_000_000_000}]}]),
    ),
    (
        "a tile without a number",
        "a whole number is missing here",
        spelt(tilesets=[{"firstgid": 1, "tilecount": 3, "tiles": [{}]}]),
    ),
    # JSON
    ("JSON in each other", "its nesting is", b'{"layers":' + b"[" * 100_000),
    ("no number", "NaN is not a number", spelt(width=2, x=1).replace(b'"x": 1', b'"x": NaN')),
    ("a key twice", "'width' stands twice", spelt().replace(b'"height"', b'"width": 2, "height"', 1)),
    ("half a character", "holds half a character", spelt_layer(name="\ud800")),
    (
        "half a character in a property",
        "holds half a character",
        spelt(properties=[{"name": "title", "type": "string", "value": "\udfff"}]),
    ),
    ("a property without a name", "a property has a name and a value", spelt(properties=[{"value": 3}])),
    ("a property that is none", "a property has a name and a value, and is not 5", spelt(properties=[5])),
    (
        "a property twice in JSON",
        "the property 'k' stands there twice",
        spelt(properties=[{"name": "k", "value": 1}, {"name": "k", "value": 2}]),
    ),
    ("properties that are none", "a list belongs here, not 'x'", spelt(properties="x")),
    ("a name that is none", "a text belongs here, not 5", spelt_layer(name=5)),
    ("a truth that is none in JSON", "true or false belongs here, not 'maybe'", spelt_layer(visible="maybe")),
    ("an offset that is none", "a number belongs here, not 'x'", spelt_layer(offsetx="x")),
    (
        "an offset without end",
        "a number belongs here, not inf",
        spelt_layer(offsetx=1).replace(b'"offsetx": 1', b'"offsetx": 1e999'),
    ),
    # objects
    (
        "an object that is none",
        "objects[0]: an object belongs here, not 5",
        spelt(layers=[GROUND, {"type": "objectgroup", "objects": [5]}]),
    ),
    ("an object at no place", "a number belongs here, not nan", objects(x="nan")),
    ("an object far away", "is too far away", objects(x=1e30)),
    ("an object of no number", "a whole number belongs here, not 'x'", objects(id="x")),
    ("a tile that is none", "gid: -1 is out of range", objects(gid=-1)),
]


def refused(data: bytes) -> tuple[str, float]:
    """What is said of a file, and how long that took."""
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        loads(data, "tmj" if data.startswith(b"{") else "tmx", "map.x")
    return str(caught.value), time.process_time() - began


@pytest.mark.parametrize(("sentence", "data"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_what_is_hostile_is_refused_at_once(sentence: str, data: bytes) -> None:
    said, took = refused(data)
    assert sentence in said
    assert said.startswith("map.x")
    assert "fix: " in said
    assert took < 1


CORNERS = ([{"x": 1}], [{"x": "a", "y": 2}], "1,2 3", "nan,1", "1e999,1", [5], 5, {"x": 1})


@pytest.mark.parametrize("corners", CORNERS, ids=str)
def test_corners_that_are_none(corners: Any) -> None:
    found = checked_map.read_tiled_map(parse_json(objects(polygon=corners), "map.x"), "map.x")
    [one] = tiled_objects.read_objects(found, found.layers[1])
    with pytest.raises(
        BadInput, match=r"map\.x: at layer 'o': object 1\.polygon: .*(not pairs of numbers|too far away)"
    ):
        assert len(one.points)


def test_bombs_take_no_memory() -> None:
    tracemalloc.start()
    try:
        for name, _, data in HOSTILE:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            refused(data)
            assert tracemalloc.get_traced_memory()[1] - before < 64_000_000, name
    finally:
        tracemalloc.stop()


def test_a_thousand_layers_of_a_large_map_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TILED_CELLS", limits.TILED_CELLS._replace(value=15))
    assert loads(xml(layer() * 3), "tmx").size == (2, 2)
    with pytest.raises(BadInput, match="the number of cells of all its layers is 16; the limit is 15"):
        loads(xml(layer() * 4), "tmx", "map.tmx")
    chunked = '<data encoding="csv"><chunk x="0" y="0" width="2" height="2">1,1,1,1</chunk></data>'
    with pytest.raises(BadInput, match="the number of cells of all its layers"):
        loads(xml(f'<layer name="a">{chunked}</layer>' * 4, size=ENDLESS), "tmx")


def test_text_counts_only_where_it_is_used() -> None:
    label = '<object id="1" x="1" y="1"> a <text wrap="1">Be <b>ware</b></text> c </object>'
    point = '<object id="2" x="9" y="9"> d <point/> e </object>'
    note = '<object id="3"><properties> f <property name="g">h\ni</property> j </properties></object>'
    things = loads(xml(layer() + f'<objectgroup name="o"> k {label} l {point}{note}</objectgroup>'), "tmx").things
    assert [dict(thing.data) for thing in things] == [{"text": "Be ware"}, {}, {"g": "h\ni"}]


def test_files_over_the_cap_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TILED_BYTES", limits.TILED_BYTES._replace(value=100))
    with pytest.raises(BadInput, match="its size in bytes"):
        loads(xml(layer()), "tmx", "map.tmx")


def test_deep_groups_that_are_allowed() -> None:
    for depth in (1, 20, 60):
        assert str(loads(xml("<group>" * depth + layer() + "</group>" * depth), "tmx")) == "..\n.."
