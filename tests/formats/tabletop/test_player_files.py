"""Files for players hold nothing of what is hidden: no words and no pixels of it."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.draw.styles.table import STYLES
from undercroft.formats import FORMATS, dump, dump_files, resolve_format

HIDING = """
    ####################
    #<....#......#.....#
    #.....L......S.....#
    #.....#......#.....#
    #.....########+#####
    #......~~~~#.......#
    #......~~~~#.......#
    #..........#########
    ####################
"""
KNOWN = """
    ####################
    #<....#......#######
    #.....+......#######
    #.....#......#######
    #.....##############
    #......~~~~#########
    #......~~~~#########
    #..........#########
    ####################
"""
TABLETOP = HIDING.replace("L", "+").replace("S", "#")
"""What a tabletop shows: the rooms behind the secret door too."""
WORDS = (
    "zanzibar", "quillon", "vermilion", "ormolu", "halberdier", "marzipan", "cinnabar", "bezoar", "deadfall",
    "trapdoor", "987654321", "hyssop", "gallimaufry", "secret", "locked", "portcullis",
)  # fmt: skip
BED, SHELF = Thing("bed", 8, 1, {"group": "prop"}), Thing("bookshelf", 1, 5, {"group": "prop", "facing": "E"})
NAMES = [name for name in FORMATS if FORMATS[name].dump is not None]


def hiding() -> Level:
    """A level that hides all that a level can hide."""
    found = uc.survey(Level.parse(HIDING))
    count = len(found.regions)
    things = [
        BED._replace(data={**BED.data, "holds": "marzipan", "about": "of cinnabar", "contents": ["bezoar"]}),
        SHELF._replace(data={**SHELF.data, "text": "hyssop"}),
        Thing("lock", 6, 2, {"key": "vermilion"}),
        Thing("key", 2, 2, {"opens": "vermilion"}),
        Thing("switch", 3, 3, {"opens": "ormolu"}),
        Thing("halberdier", 4, 2, {"group": "monster", "about": "zanzibar"}),
        Thing("deadfall", 9, 2, {"group": "trap"}),
        Thing("trapdoor", 9, 3),
        Thing("chest", 10, 1, {"group": "loot", "holds": "bezoar"}),
        Thing("letter", 11, 1, {"group": "note", "text": "gallimaufry"}),
        Thing("one-way", 6, 2, {"to": "E"}),
        Thing("bed", 16, 1, {"group": "prop"}),
        Thing("portcullis", 14, 4),
    ]
    return found.replace(
        regions=Regions(
            found.regions.labels,
            found.regions.table,
            dict.fromkeys(range(1, count + 1), ("quillon",)),
            dict.fromkeys(range(1, count + 1), "ormolu"),
            dict.fromkeys(range(1, count + 1), "Hall of Zanzibar"),
        ),
        things=things,
        title="The Quillon",
        path=np.array([(1, 1), (2, 1), (3, 1)], np.int32),
        provenance={"recipe": "gallimaufry", "seed": "987654321"},
    )


def open_level(drawing: str, things: tuple[Thing, ...]) -> Level:
    found = uc.survey(Level.parse(drawing))
    return Level(found.tiles, regions=found.regions, doors=found.doors, links=found.links, things=things, start=(1, 1))


def unpack(data: bytes) -> Iterator[bytes]:
    """The bytes of a file, and of what is packed in it."""
    yield data
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    if data[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
    for packed in re.finditer(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            yield zlib.decompress(packed[1])
        except zlib.error:
            continue
    if data[:8] == b"\x89PNG\r\n\x1a\n" or data[:4] == b"RIFF":
        with Image.open(io.BytesIO(data)) as image:
            yield repr(image.info).encode()
    for coded in re.findall(rb'"image":"([A-Za-z0-9+/=]{100,})"', data):
        yield from unpack(base64.b64decode(coded))


def find_words(data: bytes) -> set[str]:
    """The hidden words in a file, in UTF-8 or UTF-16."""
    whole = b"\n".join(unpack(data)).lower()
    return {word for word in WORDS if word.encode() in whole or word.encode("utf-16-be") in whole}


def player_files(level: Level, style: str) -> dict[str, bytes]:
    """Every file for players, or part of one, in one style."""
    uvtt = json.loads(dump(level, "uvtt", style=style, cell=16))
    scene = dump_files(level, "map.fvtt.json", resolve_format("foundry"), style=style, cell=16)
    found = {
        "png:player": dump(level, "png:player", style=style, cell=16),
        "uvtt": base64.b64decode(uvtt["image"]),
        "foundry": next(data for path, data in scene.items() if path.name == "map-player.webp"),
    }
    if STYLES[style].vector:
        found["pdf:player"] = dump(level, "pdf:player", style=style)
    return found


def test_every_format_for_players_is_looked_at() -> None:
    assert {name for name in FORMATS if "player" in name} == {"png:player", "pdf:player"}


@pytest.mark.parametrize("style", STYLES)
def test_players_files_are_those_of_a_level_without_what_is_hidden(style: str) -> None:
    made = player_files(hiding(), style)
    known = player_files(open_level(KNOWN, (BED, SHELF)), style)
    shown = player_files(open_level(TABLETOP, (BED, SHELF, Thing("bed", 16, 1, {"group": "prop"}))), style)
    for name, data in made.items():
        assert find_words(data) == set(), name
        assert data == (shown if name in ("uvtt", "foundry") else known)[name], name


@pytest.mark.parametrize("name", NAMES)
def test_the_players_view_in_any_format_holds_no_hidden_word(name: str) -> None:
    level = hiding()
    row = FORMATS[name]
    options = {"style": "plain"} if "style" in row.options and not name.startswith("pdf") else {}
    if name in ("godot:rooms", "json:rooms"):
        level = uc.generate("isaac", seed=987654321, params={"expand": False})
    words = set.union(*(find_words(data) for data in dump_files(for_players(level), "map", row, **options).values()))
    assert not words - NAMED_BY_THE_FORMAT.get(name, set())


NAMED_BY_THE_FORMAT = {
    name: {"secret", "locked"}
    for name in ("json", "npz", "tmx", "tmj", "ldtk", "godot", "csv", "xp", "glb", "graphml", "dot", "text")
}
"""Formats that list the kinds of tiles and doors there can be."""


@pytest.mark.parametrize("word", WORDS[:-4])
def test_the_search_finds_each_word_where_nothing_is_hidden(word: str) -> None:
    assert word in find_words(dump(hiding(), "json"))


def test_the_search_looks_into_what_is_packed() -> None:
    level = hiding()
    assert "987654321" in find_words(dump(level, "png", style="plain", cell=8))
    assert "987654321" in find_words(dump(level, "npz"))
    assert "987654321" in find_words(dump(level, "pdf:page"))
    assert "987654321" in find_words(dump(level, "uvtt", view="gm", style="plain", cell=8))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["png", "png:gm"])
def test_things_and_furniture_are_hidden_separately(style: str, name: str) -> None:
    found = uc.survey(Level.parse(KNOWN))
    rat = Thing("rat", 9, 3, {"group": "monster"})

    def picture(things: tuple[Thing, ...], *hide: str) -> bytes:
        level = found.replace(things=things, start=(1, 1))
        with Image.open(io.BytesIO(dump(level, name, style=style, cell=16, hide=hide))) as image:
            return image.convert("RGB").tobytes()

    both = (BED, rat)
    assert picture(both, "things") == picture((BED,)) != picture(both)
    assert picture(both, "furniture") == picture((rat,)) != picture(both)
    assert picture(both, "furniture", "things") not in (picture((rat,)), picture((BED,)), picture(both))


def test_furniture_is_hidden_from_players_on_request() -> None:
    level = open_level(KNOWN, (BED, SHELF))
    for name, style in (("png:player", "ink"), ("pdf:player", "print"), ("pdf:player", "ink")):
        hidden = dump(level, name, style=style, hide=["furniture"])
        assert hidden == dump(open_level(KNOWN, ()), name, style=style) != dump(level, name, style=style)
