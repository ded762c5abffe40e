"""Files that a map of Tiled names: tilesets and templates beside it are opened, and nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
import pytiled_parser
import pytmx
from PIL import Image

import undercroft as uc
from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.errors import BadInput, TooBig
from undercroft.formats import loads, read_origin
from undercroft.formats.tiled import external_files

SHEET = """<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="walls" tilewidth="16" tileheight="16" tilecount="4" columns="2">
 <image source="x.png" width="32" height="32"/>
 <tile id="1" type="wall"/>
 <tile id="2"><properties><property name="water" type="bool" value="true"/></properties></tile>
 <tile id="3" type="chest"/>
</tileset>
"""
TOLD = [
    {"id": 1, "type": "wall"},
    {"id": 2, "properties": [{"name": "water", "type": "bool", "value": True}]},
    {"id": 3, "type": "chest"},
]
SPELT = {
    "type": "tileset",
    "name": "walls",
    "tilewidth": 16,
    "tileheight": 16,
    "tilecount": 4,
    "columns": 2,
    "tiles": TOLD,
}
SPELT |= {"image": "x.png", "imagewidth": 32, "imageheight": 32, "margin": 0, "spacing": 0}
HEAD = (
    'version="1.10" orientation="orthogonal" renderorder="right-down" width="4" height="3" tilewidth="16" '
    'tileheight="16" infinite="0"'
)
HEAD += ' tiledversion="1.10.2" nextlayerid="9" nextobjectid="99"'
CELLS = "6,6,6,6,5,7,5,6,6,6,6,6"
ROOM = "####\n.~.#\n####"
PLAIN = "....\n....\n...."
"""What is seen without the tileset."""
CLOSED = "files that were not opened"


def drawing(source: str = "walls.tsx", objects: str = "", first: int = 5) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<map {HEAD}><tileset firstgid="{first}" source="{source}"/>'
        f'<layer id="1" name="a" width="4" height="3"><data encoding="csv">{CELLS}</data></layer>'
        f'<objectgroup id="2" name="o">{objects}</objectgroup></map>'
    )


def spelt(source: str = "walls.tsj") -> str:
    layer = {
        "type": "tilelayer",
        "id": 1,
        "name": "a",
        "width": 4,
        "height": 3,
        "x": 0,
        "y": 0,
        "opacity": 1,
        "visible": True,
        "data": json.loads(f"[{CELLS}]"),
    }
    about = {
        "type": "map",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "infinite": False,
        "tiledversion": "1.10",
        "version": "1.10",
    }
    size = {"width": 4, "height": 3, "tilewidth": 16, "tileheight": 16, "nextlayerid": 9, "nextobjectid": 9}
    return json.dumps({**about, **size, "tilesets": [{"firstgid": 5, "source": source}], "layers": [layer]})


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """These files and a picture, and the first of them."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    Image.new("RGB", (32, 32)).save(folder / "x.png")
    return folder / next(iter(files))


def tiled_notes(level: Level) -> dict[str, Any]:
    return dict(level.provenance["tiled"])


# --- what is beside the map is read ---


def test_a_tileset_beside_the_map_is_opened(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(), "walls.tsx": SHEET})
    level = uc.load(path)
    assert str(level) == ROOM
    assert tiled_notes(level) == {"layers": {"a": "floor, as it is the lowest"}}
    assert read_origin(path) == level.provenance


@pytest.mark.parametrize(
    ("source", "sheet"),
    [("walls.tsj", json.dumps(SPELT)), ("walls.json", json.dumps(SPELT)), ("sets/walls.tsx", SHEET)],
)
@pytest.mark.parametrize("name", ["a.tmx", "a.tmj", "a.json"])
def test_every_way_it_is_written_says_the_same(name: str, source: str, sheet: str, tmp_path: Path) -> None:
    path = write_files(tmp_path, {name: drawing(source) if name == "a.tmx" else spelt(source), source: sheet})
    assert str(uc.load(path)) == ROOM
    assert CLOSED not in tiled_notes(uc.load(path))


def test_ways_to_and_fro_that_stay_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path, {"walls.tsx": SHEET})
    for source in ("./walls.tsx", "sets/../walls.tsx", "sets\\..\\walls.tsx"):
        assert str(uc.load(write_files(tmp_path, {"a.tmx": drawing(source)}))) == ROOM
    monkeypatch.chdir(tmp_path)
    assert str(uc.load("a.tmx")) == ROOM
    assert str(uc.load(Path("a.tmx"), read_as="tmx")) == ROOM


def test_other_readers_find_the_same_tiles(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(), "walls.tsx": SHEET})
    level = uc.load(path)
    types = {"wall": "#", "": ".", None: "."}
    seen = pytmx.TiledMap(str(path))
    for y in range(3):
        for x in range(4):
            of_tile = seen.get_tile_properties(x, y, 0) or {}
            assert str(level).splitlines()[y][x] == ("~" if of_tile.get("water") else types[of_tile.get("type")])
    sheet = pytiled_parser.parse_map(path).tilesets[5]
    assert sheet.tiles is not None
    assert {number: tile.class_ for number, tile in sheet.tiles.items() if tile.class_} == {1: "wall", 3: "chest"}


def test_tiled_puts_the_tileset_into_the_map_and_nothing_changes(tmp_path: Path) -> None:
    """Tiled itself opens the files: the map that it makes of them names none."""
    if not shutil.which("tiled"):
        pytest.skip("tiled is not there: install the package 'tiled'")
    files = {"a.tmx": drawing(objects=CHESTS), "walls.tsx": SHEET, "templates/chest.tx": CHEST, "zone.tx": ZONE}
    path, out = write_files(tmp_path, files), tmp_path / "out.tmx"
    command = ["tiled", "--embed-tilesets", "--detach-templates", "--export-map", "tmx", str(path), str(out)]
    subprocess.run(
        command,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert "walls.tsx" not in out.read_text()
    assert "template" not in out.read_text()
    assert uc.load(out) == uc.load(path)
    assert len(uc.load(path).things) == 4


def test_a_tileset_that_has_changed_since(tmp_path: Path) -> None:
    more = drawing().replace("<layer", '<tileset firstgid="7" source="more.tsx"/><layer')
    path = write_files(
        tmp_path,
        {"a.tmx": more, "walls.tsx": SHEET, "more.tsx": SHEET.replace('id="1" type="wall"', 'id="0" type="pit"')},
    )
    assert str(uc.load(path)) == "####\n.:.#\n####", (
        "the number 7 is the first of the second tileset, though the first has grown"
    )
    write_files(
        tmp_path,
        {"walls.tsx": SHEET.replace('tilecount="4"', 'tilecount="1"'), "more.tsx": '<tileset name="x" tilecount="0"/>'},
    )
    assert str(uc.load(path)) == "####\n...#\n####"


def test_our_own_tileset_is_not_looked_for(tmp_path: Path) -> None:
    level = uc.generate("cave", seed=2, size=(20, 12))
    level.save(tmp_path / "cave.tmx")
    (tmp_path / "undercroft.tsx").write_text("<!DOCTYPE x []>")
    assert uc.load(tmp_path / "cave.tmx") == level
    (tmp_path / "undercroft.tsx").unlink()
    assert uc.load(tmp_path / "cave.tmx") == level


def test_a_tileset_added_to_a_map_of_ours(tmp_path: Path) -> None:
    level = uc.generate("cave", seed=2, size=(20, 12))
    level.save(tmp_path / "cave.tmx")
    text = (
        (tmp_path / "cave.tmx")
        .read_text()
        .replace(' <layer id="1"', ' <tileset firstgid="5000" source="walls.tsx"/>\n <layer id="1"')
    )
    path = write_files(tmp_path, {"cave.tmx": text})
    assert tiled_notes(uc.load(path)) == {CLOSED: {"walls.tsx": "no such file or directory"}}
    write_files(tmp_path, {"walls.tsx": SHEET})
    assert uc.load(path) == level


# --- what is not there is said, and the map is read ---


def test_a_tileset_that_is_not_there_is_said(tmp_path: Path) -> None:
    level = uc.load(write_files(tmp_path, {"a.tmx": drawing()}))
    assert str(level) == PLAIN
    assert tiled_notes(level)[CLOSED] == {"walls.tsx": "no such file or directory"}
    assert uc.load(write_files(tmp_path, {"a.tmj": spelt()})).provenance["tiled"][CLOSED] == {
        "walls.tsj": "no such file or directory"
    }


def test_a_map_without_a_folder_opens_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(), "walls.tsx": SHEET})
    monkeypatch.chdir(tmp_path)
    level = loads(path.read_bytes(), "tmx", str(path))
    assert str(level) == PLAIN
    assert tiled_notes(level)[CLOSED] == {"walls.tsx": "the map did not come from a file, so it has no folder"}
    with pytest.raises(BadInput, match="unknown option of reading the format 'tmx' 'folder'"):
        uc.load(path, folder="/")


OUTSIDE = (
    "../walls.tsx",
    "../../etc/passwd.tsx",
    "sets/../../walls.tsx",
    "{above}/walls.tsx",
    "..\\walls.tsx",
    "//etc/walls.tsx",
    "linked/walls.tsx",
    "link.tsx",
)


@pytest.mark.parametrize("source", OUTSIDE)
def test_nothing_outside_of_the_folder_is_opened(source: str, tmp_path: Path) -> None:
    write_files(tmp_path, {"walls.tsx": SHEET})
    folder = tmp_path / "maps"
    source = source.replace("{above}", tmp_path.as_posix())
    path = write_files(folder, {"a.tmx": drawing(source)})
    (folder / "linked").symlink_to(tmp_path)
    (folder / "link.tsx").symlink_to(tmp_path / "walls.tsx")
    level = uc.load(path)
    assert str(level) == PLAIN
    [(name, why)] = tiled_notes(level)[CLOSED].items()
    assert name == external_files.normalise_path(source)
    assert "lies outside the folder" in why


@pytest.mark.parametrize(
    "source", ["../../../../../../etc/passwd", "/etc/passwd", "notes.txt", "http://example.org/walls", "."]
)
def test_only_files_with_the_names_of_tilesets_are_opened(source: str, tmp_path: Path) -> None:
    level = uc.load(write_files(tmp_path, {"a.tmx": drawing(source), "notes.txt": SHEET}))
    assert str(level) == PLAIN
    [why] = tiled_notes(level)[CLOSED].values()
    assert why == "its name does not end in one of .tsx, .tsj, .json, .xml"


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing("folder.tsx")})
    (tmp_path / "folder.tsx").mkdir()
    assert tiled_notes(uc.load(path))[CLOSED] == {"folder.tsx": "is a directory"}
    os.mkfifo(tmp_path / "pipe.tsx")
    assert tiled_notes(uc.load(write_files(tmp_path, {"a.tmx": drawing("pipe.tsx")})))[CLOSED] == {
        "pipe.tsx": "it is not a regular file"
    }
    (tmp_path / "round.tsx").symlink_to("round.tsx")
    assert "round.tsx" in tiled_notes(uc.load(write_files(tmp_path, {"a.tmx": drawing("round.tsx")})))[CLOSED]
    long = "x" * 5000 + ".tsx"
    assert list(tiled_notes(uc.load(write_files(tmp_path, {"a.tmx": drawing(long)})))[CLOSED]) == [long[:100]]
    level = uc.load(write_files(tmp_path, {"a.tmj": spelt("a\0b.tsj")}))
    assert "lies outside the folder" in tiled_notes(level)[CLOSED]["a\0b.tsj"]


# --- what is there is checked as maps are ---

LAUGHS = (
    "<!DOCTYPE tileset [" + "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(12)) + "]>\n"
)
BAD: list[tuple[str, str, str]] = [
    (
        "walls.tsx:1:19: a document type stands here, and tilesets have none",
        "walls.tsx",
        f'{LAUGHS}<tileset name="&e11;"/>',
    ),
    (
        "a document type stands here",
        "walls.tsx",
        '<!DOCTYPE tileset [<!ENTITY x SYSTEM "file:///etc/passwd">]><tileset name="&x;"/>',
    ),
    ("walls.tsx:1:1: this is not XML: undefined entity", "walls.tsx", '<tileset name="&x;"/>'),
    ("more than 64 elements in each other", "walls.tsx", "<tileset>" + "<a>" * 100_000),
    ("this is not XML: ", "walls.tsx", SHEET[:-20]),
    ("this is not XML: no element found", "walls.tsx", ""),
    ("this is 'map', not a tileset", "walls.tsx", drawing()),
    ("walls.tsx: at tiles[0].id: 4000000000 is out of range", "walls.tsx", SHEET.replace('"1"', '"4000000000"')),
    ("walls.tsx: its highest tile number is", "walls.tsx", SHEET.replace('"1"', '"1048576"')),
    ("walls.tsx: at tiles[0].id: a whole number is missing here", "walls.tsx", "<tileset><tile/></tileset>"),
    ("walls.tsx: at tilewidth: a number belongs here, not 'x'", "walls.tsx", '<tileset tilewidth="x"/>'),
    ("walls.tsj: this is no tileset of Tiled", "walls.tsj", "[]"),
    ("walls.tsj: this is no tileset of Tiled", "walls.tsj", '{"passwords": []}'),
    ("walls.tsj: this is no tileset of Tiled", "walls.tsj", spelt()),
    ("walls.tsj: at tiles: a list belongs here, not 5", "walls.tsj", '{"tiles": 5}'),
    ("walls.tsj: its nesting is", "walls.tsj", '{"tiles":' + "[" * 100_000),
    ("walls.tsj:1:1: this is not JSON", "walls.tsj", SHEET),
]


@pytest.mark.parametrize(("sentence", "source", "text"), BAD, ids=[row[0] for row in BAD])
def test_a_hostile_tileset_is_refused_at_once(sentence: str, source: str, text: str, tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(source), source: text})
    began = time.process_time()
    with pytest.raises(BadInput) as caught:
        uc.load(path)
    assert time.process_time() - began < 3
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / source))
    assert "fix: " in str(caught.value)


def test_a_huge_tileset_is_refused_unread(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing()})
    with (tmp_path / "walls.tsx").open("wb") as file:
        file.truncate(10 << 40)
    began = time.process_time()
    with pytest.raises(BadInput, match=r"walls\.tsx: its size in bytes is 10,995,116,277,760"):
        uc.load(path)
    assert time.process_time() - began < 3


def test_many_files_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f'<tileset firstgid="{10 * number + 10}" source="{number}.tsx"/>' for number in range(9))
    path = write_files(
        tmp_path,
        {"a.tmx": drawing().replace("<layer", f"{rows}<layer"), **{f"{number}.tsx": SHEET for number in range(9)}},
    )
    assert uc.load(path).size == (4, 3)
    with monkeypatch.context() as patch:
        patch.setattr(limits, "TILED_FILES_BYTES", limits.TILED_FILES_BYTES._replace(value=5 * len(SHEET)))
        with pytest.raises(BadInput, match=r"5\.tsx: its size in bytes"):
            uc.load(path)
    with monkeypatch.context() as patch:
        patch.setattr(limits, "TILED_FILES", limits.TILED_FILES._replace(value=9))
        with pytest.raises(BadInput, match=r"a\.tmx: the number of files that it names is 10; the limit is 9"):
            uc.load(path)


def test_a_tileset_that_is_named_often_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same = "".join(f'<tileset firstgid="{10 * number + 10}" source="walls.tsx"/>' for number in range(9))
    path = write_files(tmp_path, {"a.tmx": drawing().replace("<layer", f"{same}<layer"), "walls.tsx": SHEET})
    monkeypatch.setattr(limits, "TILED_TILES", limits.TILED_TILES._replace(value=100))
    assert uc.load(path).size == (4, 3)
    again = SHEET.replace("</tileset>", '<tile id="0"/>' * 20 + "</tileset>")
    with pytest.raises(BadInput, match=r"a\.tmx: the number of tiles in all its tilesets is 115; the limit is 100"):
        uc.load(write_files(tmp_path, {"a.tmx": path.read_text(), "walls.tsx": again}))


# --- templates of objects ---

CHEST = """<?xml version="1.0" encoding="UTF-8"?>
<template><tileset firstgid="1" source="../walls.tsx"/>
 <object id="77" x="900" name="Old chest" type="box" gid="4" width="16" height="16">
  <properties><property name="gold" type="int" value="7"/><property name="lid" value="shut"/></properties>
 </object>
</template>
"""
ZONE = '<template><object type="zone" width="16" height="16"><ellipse/></object></template>'
CHESTS = """
<object id="1" template="templates/chest.tx" x="16" y="32">
 <properties><property name="lid" value="open"/></properties>
</object>
<object id="2" template="templates/chest.tx" type="mimic" name="Bob" x="32" y="32"/>
<object id="3" template="zone.tx" x="32" y="16"/>
<object id="4" gid="8" x="0" y="32" width="16" height="16"/>
"""


def test_templates_say_what_an_object_does_not(tmp_path: Path) -> None:
    path = write_files(
        tmp_path, {"a.tmx": drawing(objects=CHESTS), "walls.tsx": SHEET, "templates/chest.tx": CHEST, "zone.tx": ZONE}
    )
    level = uc.load(path)
    assert level.things == (
        Thing("box", 1, 1, {"name": "Old chest", "gold": 7, "lid": "open"}),
        Thing("mimic", 2, 1, {"name": "Bob", "gold": 7, "lid": "shut"}),
        Thing("zone", 2, 1),
        Thing("chest", 0, 1),
    )
    assert CLOSED not in tiled_notes(level)
    write_files(tmp_path, {"templates/chest.tx": CHEST.replace(' type="box"', "")})
    assert uc.load(path).things[0].kind == "chest", "the tile says it, whose number the map has another one for"


def test_pytiled_parser_finds_the_same_in_templates(tmp_path: Path) -> None:
    objects = CHESTS.replace('<object id="3" template="zone.tx" x="32" y="16"/>', "")
    path = write_files(tmp_path, {"a.tmx": drawing(objects=objects), "walls.tsx": SHEET, "templates/chest.tx": CHEST})
    [layer] = [
        layer for layer in pytiled_parser.parse_map(path).layers if isinstance(layer, pytiled_parser.ObjectLayer)
    ]
    for one, thing in zip(layer.tiled_objects[:2], uc.load(path).things[:2], strict=True):
        assert (one.class_, one.name) == (thing.kind, thing.data["name"])
        assert (one.coordinates.x // 16, one.coordinates.y // 16 - 1) == (thing.x, thing.y)


def test_templates_in_json(tmp_path: Path) -> None:
    rows = [{"name": "gold", "type": "int", "value": 7}]
    template = {
        "type": "template",
        "object": {
            "id": 1,
            "name": "",
            "type": "box",
            "width": 16,
            "height": 16,
            "rotation": 0,
            "visible": True,
            "properties": rows,
        },
    }
    path = write_files(
        tmp_path,
        {"a.tmx": drawing(objects='<object id="1" template="box.tj" x="16" y="16"/>'), "box.tj": json.dumps(template)},
    )
    assert uc.load(path).things == (Thing("box", 1, 1, {"gold": 7}),)
    template["object"] |= {"visible": False}  # type: ignore[operator]
    write_files(tmp_path, {"box.tj": json.dumps(template)})
    assert uc.load(path).things == ()


def test_templates_that_were_not_opened_are_said(tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(objects=CHESTS), "walls.tsx": SHEET})
    level = uc.load(path)
    assert [thing.kind for thing in level.things] == ["thing", "mimic", "thing", "chest"]
    assert tiled_notes(level)[CLOSED] == {
        "templates/chest.tx": "no such file or directory",
        "zone.tx": "no such file or directory",
    }
    write_files(tmp_path, {"templates/chest.tx": CHEST.replace("../walls.tsx", "props.tsx"), "zone.tx": ZONE})
    level = uc.load(path)
    assert [(thing.kind, thing.x, thing.y) for thing in level.things][:2] == [("box", 1, 1), ("mimic", 2, 1)]
    assert tiled_notes(level)[CLOSED] == {
        "templates/props.tsx": "the template 'templates/chest.tx' names it, the map does not"
    }
    write_files(tmp_path, {"a.tmx": drawing(objects='<object id="1" template="../../etc/passwd" x="0" y="0"/>')})
    assert tiled_notes(uc.load(path))[CLOSED] == {
        "../../etc/passwd": "its name does not end in one of .tx, .tj, .json, .xml"
    }


def test_objects_of_a_template_share_its_properties(tmp_path: Path) -> None:
    rows = '<object id="1" template="pot.tx" x="16" y="16"/>' * 2 + '<object id="2" template="./x/../pot.tx" y="16"/>'
    pot = '<template><object type="pot"><properties><property name="of" value="clay"/></properties></object></template>'
    files = {"a.tmx": drawing(objects=rows), "walls.tsx": SHEET, "pot.tx": pot}
    first, second, third = uc.load(write_files(tmp_path, files)).things
    assert first.data is second.data is third.data
    assert first.data == {"of": "clay"}


def test_a_template_with_a_number_beyond_all_floats(tmp_path: Path) -> None:
    zone = '{"type": "template", "object": {"type": "zone", "width": 1e999}}'
    objects = '<object id="1" template="zone.tj" x="16" y="16"/>'
    path = write_files(tmp_path, {"a.tmx": drawing(objects=objects), "walls.tsx": SHEET, "zone.tj": zone})
    with pytest.raises(BadInput, match=r"zone\.tj: at object\.width: the number is too large"):
        uc.load(path)


def test_what_objects_take_from_templates_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(objects=CHESTS), "walls.tsx": SHEET, "templates/chest.tx": CHEST})
    monkeypatch.setattr(limits, "TILED_INHERITED_LETTERS", limits.TILED_INHERITED_LETTERS._replace(value=250))
    assert len(uc.load(path).things) == 4
    path = write_files(tmp_path, {"a.tmx": drawing(objects=CHESTS * 2)})
    with pytest.raises(TooBig, match=r"a\.tmx: the number of letters that its objects take from templates is \d+; the"):
        uc.load(path)


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (
            "zone.tx:1:20: a document type stands here, and templates have none",
            '<!DOCTYPE template []><template><object type="x"/></template>',
        ),
        ("zone.tx: at object: an object belongs here, not null", "<template/>"),
        ("zone.tx:1:1: this is 'tileset', not a template", SHEET.partition("\n")[2]),
        ("object '3', with 'zone.tx'.width: a number belongs here, not 'wide'", ZONE.replace("16", "wide", 1)),
        ("zone.tx: at object.gid: -4 is out of range", ZONE.replace("width", 'gid="-4" width')),
        ("'object' stands here twice", ZONE.replace("</template>", "<object/></template>")),
    ],
)
def test_hostile_templates_are_refused(sentence: str, text: str, tmp_path: Path) -> None:
    path = write_files(tmp_path, {"a.tmx": drawing(objects=CHESTS), "walls.tsx": SHEET, "zone.tx": text})
    with pytest.raises(BadInput) as caught:
        uc.load(path)
    assert sentence in str(caught.value)
    assert "fix: " in str(caught.value)
