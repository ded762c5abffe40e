"""Lists and tables in the data of things: every format that holds things gives them back, and what it cannot give back
is not saved.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytiled_parser
import pytmx
from hypothesis import given, settings
from hypothesis import strategies as st
from ldtkpy import api

import undercroft as uc
from support.godot_scenes import Scene
from support.levels import DATA, JSON, PLAIN, WORDS
from support.maps import HEAVY
from support.thing_data import DATA_MISTAKES
from undercroft.analysis.measures.table import MEASURES, measure
from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.draw.styles.table import STYLES
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats import FORMATS, dump, loads
from undercroft.formats.shared.checked import to_plain_data
from undercroft.formats.tiled.xml_text import INVALID_SIGN_PATTERN

LOOT = {
    "contents": [{"item": "healing draught", "count": 2, "value": 50}, {"item": "rope"}],
    "loot": ["a", "b"],
    "paces": [3, 1, 2],
    "odds": [0.5, 0.25],
    "lit": [True, False],
    "mixed": ["a", 1, True, {"b": 2.5}],
    "stats": {"hp": 3, "name": "Él"},
    "none": [],
    "nothing": {},
    "said": '["a"]',
    "width": [2],
    "name": {"first": "Bo"},
    "a b!": ["<&>\"'"],
}
"""Data with everything that data may hold."""
ROUND = [name for name, row in FORMATS.items() if row.dump and row.load and "things" in row.keeps]
SIZE = (9, 5)


def chest(data: dict[str, Any], *more: Thing) -> Level:
    tiles = Level.parse("\n".join(["." * SIZE[0]] * SIZE[1])).tiles
    return Level(tiles, things=[Thing("chest", 5, 2, data), *more])


def again(level: Level, name: str) -> Level:
    return loads(dump(level, name), name, "a")


def list_texts(value: Any) -> Iterable[str]:
    """All texts in some data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for held in (*value, *(value.values() if isinstance(value, dict) else ())):
            yield from list_texts(held)


def sorted_repr(things: Iterable[Thing]) -> list[str]:
    """Data by name, as text, in which 1, 1.0 and True differ."""
    return [repr(to_plain_data(thing.data)) for thing in things]


def test_the_formats_that_promise_things() -> None:
    assert ROUND == ["json", "npz", "tmx", "tmj", "ldtk"]


@pytest.mark.parametrize("name", ROUND)
def test_everything_comes_back(name: str) -> None:
    level = chest(LOOT, Thing("chest", 1, 1), Thing("chest", 2, 1, {"loot": "text", "stats": ["x"]}))
    assert again(level, name).things == level.things
    assert again(again(level, name), name) == again(level, name)


@pytest.mark.parametrize("name", ROUND)
@settings(max_examples=300 if HEAVY else 25)
@given(st.lists(DATA, max_size=3))
def test_any_data_comes_back(name: str, data: list[dict[str, Any]]) -> None:
    """Things of one kind, so that LDtk has to find fields that hold all of them."""
    level = chest({}, *(Thing("chest", 1, 1, one) for one in data))
    if name == "tmx" and INVALID_SIGN_PATTERN.search("".join(list_texts(data))):
        return  # XML cannot hold it, and says so
    saved = dump(level, name)
    found = loads(saved, name, "a").things
    assert found == level.things
    assert sorted_repr(found) == sorted_repr(level.things)


@given(st.dictionaries(WORDS, JSON | st.floats() | st.binary(max_size=2) | st.sets(PLAIN, max_size=2), max_size=3))
def test_what_can_be_saved_can_be_loaded(data: dict[str, Any]) -> None:
    try:
        level = chest(data)
    except BadInput:
        return
    for name in ("json", "npz", "tmj", "ldtk"):
        assert again(level, name) == level


def test_equal_data_gives_equal_bytes() -> None:
    one = chest({"b": [{"x": 1, "y": 2}], "a": {"p": 1, "q": 2}})
    other = chest({"a": {"q": 2, "p": 1}, "b": [{"y": 2, "x": 1}]})
    assert one == other
    for name in ("json", "npz", "tmx", "tmj"):
        assert dump(one, name) == dump(other, name)


# --- the version ---


def version(level: Level, name: str) -> str:
    saved = dump(level, name)
    if name == "npz":
        saved = np.load(io.BytesIO(saved))["meta"].tobytes()
    if name in ("json", "npz"):
        return str(json.loads(saved)["format"])
    return saved.partition(b"undercroft-tiled/")[2][:1].decode()


@pytest.mark.parametrize(("name", "versions"), [
    ("json", ("undercroft-level/1", "undercroft-level/2")),
    ("npz", ("undercroft-npz/1", "undercroft-npz/2")),
    ("tmx", ("1", "2")),
    ("tmj", ("1", "2")),
])  # fmt: skip
def test_a_file_says_that_it_holds_lists(name: str, versions: tuple[str, str]) -> None:
    plain = chest({"gold": 7, "said": "[1]", "x": 0.5, "open": True})
    assert version(plain, name) == versions[0]
    assert version(Level.parse("..."), name) == versions[0]
    values: list[Any] = [[], {}, ["a"], [{}], {"a": 1}]
    for value in values:
        level = chest({"gold": 7}, Thing("rat", 1, 1, {"held": value}))
        assert version(level, name) == versions[1]
        assert again(level, name) == level
    assert again(plain, name) == plain


def test_a_reader_takes_both_versions_whatever_they_hold() -> None:
    for level in (chest(LOOT), chest({"gold": 7})):
        saved = dump(level, "json")
        for number in (b"1", b"2"):
            edited = saved.replace(b"undercroft-level/1", b"undercroft-level/" + number)
            edited = edited.replace(b"undercroft-level/2", b"undercroft-level/" + number)
            assert loads(edited, "json", "a.json") == level
    with pytest.raises(BadInput, match="this is 'undercroft-level/3'; this program reads version 1 and 2"):
        loads(saved.replace(b"undercroft-level/1", b"undercroft-level/3"), "json", "a.json")


# --- the same words when a file is read ---


def list_refused() -> list[tuple[str, str]]:
    """The mistakes that JSON can hold, as its text, each with its place."""
    found = []
    for value, where, *_ in DATA_MISTAKES:
        try:
            text = json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            continue
        if json.loads(text) == value and "\\u" not in text:
            found.append((text, where))
    return found


@pytest.mark.parametrize(("text", "where"), list_refused(), ids=itertools.count())
@pytest.mark.parametrize("name", ["json", "npz", "tmj", "ldtk"])
def test_a_file_is_refused_in_the_words_of_the_thing(text: str, where: str, name: str) -> None:
    with pytest.raises(BadInput) as made:
        Thing("chest", 5, 2, {"loot": json.loads(text)})
    problem = made.value.problem.partition(f"{where}: ")[2]
    saved = dump(chest({"loot": ["MARK"]}), name)
    if name == "npz":
        held = dict(np.load(io.BytesIO(saved)))
        meta = held["meta"].tobytes().replace(b'["MARK"]', text.encode())
        file = io.BytesIO()
        np.savez(file, **(held | {"meta": np.frombuffer(meta, np.uint8)}))
        saved = file.getvalue()
    elif name == "json":
        saved = saved.replace(b'["MARK"]', text.encode())
    elif text[0] not in "[{":
        return  # a plain value is a plain property there
    elif name == "tmj":
        saved = saved.replace(json.dumps('["MARK"]').encode(), json.dumps(text).encode())
    else:
        saved = dump(chest({"loot": ["MARK", 1]}), name)
        saved = saved.replace(json.dumps('["MARK",1]').encode(), json.dumps(text).encode())
    with pytest.raises(BadInput) as caught:
        loads(saved, name, "a.file")
    assert caught.value.problem.endswith(f"{where}: {problem}")
    assert caught.value.problem.startswith("a.file")
    assert caught.value.fix == made.value.fix


# --- other programs ---


def test_pytmx_and_pytiled_parser_read_the_json_text(tmp_path: Path) -> None:
    level = chest(LOOT)
    for name in ("tmx", "tmj"):
        level.save(tmp_path / f"map.{name}")
    (thing,) = pytmx.TiledMap(str(tmp_path / "map.tmx")).get_layer_by_name("things")
    assert json.loads(thing.properties["contents"]) == LOOT["contents"]
    assert thing.properties["loot"] == '["a","b"]'
    assert json.loads(thing.properties["data"])["width"] == [2]
    for name in ("tmx", "tmj"):
        found = pytiled_parser.parse_map(tmp_path / f"map.{name}")
        layer = next(layer for layer in found.layers if layer.name == "things")
        assert isinstance(layer, pytiled_parser.ObjectLayer)
        properties = layer.tiled_objects[0].properties
        assert properties is not None
        assert json.loads(str(properties["contents"])) == LOOT["contents"]
    assert b'<property name="loot" propertytype="json" value="' in (tmp_path / "map.tmx").read_bytes()
    assert b'{"name":"loot","propertytype":"json","type":"string","value":' in (tmp_path / "map.tmj").read_bytes()


@pytest.mark.parametrize(("kind", "name"), [("tmx", "tmx"), ("json", "tmj")])
def test_tiled_forgets_the_type_and_we_do_not(kind: str, name: str, tmp_path: Path) -> None:
    if not shutil.which("tiled"):
        pytest.skip("tiled is not there: install the package 'tiled'")
    level = chest(LOOT | {"odd": "[draft", "json": '{"a":1}'})
    level.save(tmp_path / f"map.{name}")
    subprocess.run(
        ["tiled", "--export-map", kind, str(tmp_path / f"map.{name}"), str(tmp_path / f"anew.{name}")],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": str(tmp_path)},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert b"propertytype" not in (tmp_path / f"anew.{name}").read_bytes()
    assert uc.load(tmp_path / f"anew.{name}").things == level.things


def test_a_property_that_is_no_json_stays_a_text() -> None:
    saved = dump(chest({"loot": ["MARK"]}), "tmj")
    for text in ("[MARK]", "[draft] look", "{", "{x}", "MARK"):
        edited = saved.replace(json.dumps('["MARK"]').encode(), json.dumps(text).encode())
        assert loads(edited, "tmj", "a.tmj").things[0].data == {"loot": text}


def test_ldtk_has_arrays_of_one_type_and_json_for_the_rest() -> None:
    project = api.ldtk_json_from_dict(json.loads(dump(chest(LOOT), "ldtk")))
    entity = project.levels[0].layer_instances[0].entity_instances[0]
    fields = {field.identifier: (field.type, field.value) for field in entity.field_instances}
    assert fields["loot"] == ("Array<String>", ["a", "b"])
    assert fields["paces"] == ("Array<Int>", [3, 1, 2])
    assert fields["odds"] == ("Array<Float>", [0.5, 0.25])
    assert fields["lit"] == ("Array<Bool>", [True, False])
    assert fields["contents"] == ("String", json.dumps(LOOT["contents"], separators=(",", ":")))
    languages = {row.identifier: row.text_language_mode for kind in project.defs.entities for row in kind.field_defs}
    assert languages["contents"] is not None
    assert languages["contents"].value == "LangJson"
    assert languages["loot"] is None


def test_godot_has_arrays_and_dictionaries() -> None:
    """A scene needs no JSON text: the metadata of a node holds lists and tables as such."""
    assert Scene(dump(chest(LOOT), "godot")).meta("Things/Chest1")["data"] == LOOT


def test_models_hold_the_data_as_extras() -> None:
    saved = dump(chest(LOOT), "glb")
    nodes = json.loads(saved[20 : 20 + int.from_bytes(saved[12:16], "little")])["nodes"]
    (held,) = [node["extras"] for node in nodes if node.get("extras", {}).get("kind") == "chest"]
    assert held["data"] == LOOT


def test_journals_tell_what_things_hold() -> None:
    level = uc.survey(chest({"contents": LOOT["contents"], "group": "loot"}))
    row = FORMATS["foundry"]
    assert row.beside is not None
    pages = b"".join(row.beside(level, "map").values())
    assert b"A chest holds healing draught x2 and rope." in pages


# --- whoever asks for a text or a number ---

KEYS = (
    *("group", "danger", "blocks", "width", "height", "facing", "key", "opens", "to", "text", "about", "holds"),
    *("contents", "name", "colour", "glyph", "consumed", "room", "data", "lit"),
)
KINDS = ("chest", "key", "lock", "rat", "one-way", "switch", "torch", "note", "monster", "trap")
ODD: list[Any] = [["a"], [{"item": "x", "count": 2}], {"a": 1}]


def odd_level(value: Any) -> Level:
    base = uc.generate("rooms-and-mazes", seed=3, size=(21, 15))
    cells = [(int(x), int(y)) for y, x in np.argwhere(base.walkable)]
    pairs = itertools.product(KINDS, KEYS)
    things = [Thing(kind, *cells[k % len(cells)], {key: value}) for k, (kind, key) in enumerate(pairs)]
    return base.replace(things=things)


@pytest.mark.parametrize("value", ODD)
def test_lists_stand_where_other_values_are_expected(value: Any) -> None:
    level = odd_level(value)
    for name, row in FORMATS.items():
        if row.dump:
            with suppress(UndercroftError):
                dump(level, name)
    for name in MEASURES:
        with suppress(UndercroftError):
            measure(level, name)
    for_players(level)
    list(level.graph.about_links())
    for thing in level.things[::7]:
        with suppress(UndercroftError):
            uc.solve(level.replace(things=[thing]))


@pytest.mark.parametrize("style", STYLES)
def test_every_style_draws_things_with_lists(style: str) -> None:
    for value in ODD:
        assert dump(odd_level(value), "png", style=style, cell=8)


# --- the same for the provenance ---


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("name", ROUND)
def test_a_provenance_that_is_saved_is_read(name: str) -> None:
    """Readers refuse JSON of more than 64 brackets in each other: the file is the first, the provenance the second."""
    level = Level.parse("...").replace(provenance={"a": nested(62), "b": 10**50})
    assert again(level, name).provenance == level.provenance
    for value, problem in ((nested(63), "nested too deep"), (nested(900), "nested"), (10**5000, "about 5,001 digits")):
        with pytest.raises(BadInput, match=problem) as caught:
            dump(level.replace(provenance={"a": value}), name)
        assert len(str(caught.value)) < 200
