"""SVG files: well-formed, complete in themselves, and true about where they came from."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import undercroft as uc
from support.paths import ROOT, TESTS
from undercroft import formats
from undercroft.core.level import Level
from undercroft.draw.styles.table import STYLES
from undercroft.errors import BadInput
from undercroft.formats.svg import dump, read_origin

SPACE = "{http://www.w3.org/2000/svg}"
VECTORS = [name for name, style in STYLES.items() if style.vector]


@pytest.fixture(scope="module")
def level() -> Level:
    return uc.generate("cozy", seed=5, size=(41, 31))


def test_a_file_stands_alone(level: Level) -> None:
    """No fonts, scripts, pictures or links to elsewhere: only shapes, with outlines of letters among them."""
    data = dump(level)
    root = ElementTree.fromstring(data)
    tags = {element.tag.removeprefix(SPACE) for element in root.iter()}
    assert tags <= {"svg", "title", "metadata", "rect", "defs", "path", "use", "clipPath", "g"}
    assert {"path", "title", "metadata"} <= tags
    assert not re.findall(rb'(?:href|src)="(?!#)', data)
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', data.decode())) == ids, (
        "all that is named is there, and nothing else"
    )
    assert root.findtext(f"{SPACE}title") == level.title


def test_sizes_are_as_asked(level: Level) -> None:
    for cell in (1, 24, 70):
        root = ElementTree.fromstring(dump(level, cell=cell, margin=0))
        assert (root.get("width"), root.get("height")) == (str(41 * cell), str(31 * cell))
        assert root.get("viewBox") == "0 0 4100 3100"


@pytest.mark.parametrize("style", VECTORS)
def test_every_style_that_is_made_of_shapes(level: Level, style: str) -> None:
    data = dump(level, style=style)
    assert len(ElementTree.fromstring(data)) > 3
    assert read_origin(data, "a.svg") == formats.loads(formats.dump(level, "json"), "json").provenance


def test_options_reach_the_drawing(level: Level) -> None:
    assert dump(level) == dump(level, style="ink")
    assert len(dump(level, hide=["things", "legend"])) < len(dump(level))
    assert b"#a5321c" in dump(level, show=["path"])
    assert b"#a5321c" not in dump(level)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"style": "pixels"}, "made of pixels"),
        ({"style": "inkk"}, "ink"),
        ({"cell": 0}, "whole number of pixels"),
        ({"cell": 2.5}, "whole number of pixels"),
        ({"cell": True}, "whole number of pixels"),
        ({"cell": 10**9}, "whole number of pixels"),
        ({"show": ["gird"]}, "grid"),
    ],
)
def test_mistakes_are_told(level: Level, options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        dump(level, **options)


def test_a_level_can_be_made_again_from_its_drawing(level: Level, tmp_path: Path) -> None:
    file = tmp_path / "keep.svg"
    level.save(file)
    told = formats.read_origin(file)
    again = uc.generate(told["recipe"], seed=int(told["seed"]), size=tuple(told["size"]))
    assert again == level
    assert again.provenance == level.provenance


def test_a_drawing_without_an_origin_says_so(tmp_path: Path) -> None:
    file = tmp_path / "drawn.svg"
    Level.parse("#.#").save(file)
    with pytest.raises(BadInput, match="does not record how it was made"):
        formats.read_origin(file)
    with pytest.raises(BadInput, match="can only be written"):
        formats.load(file)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=30))
def test_any_title_gives_a_file_that_can_be_read(title: str) -> None:
    plain = Level.parse("#.#")
    level = Level(plain.tiles, title=title, provenance={"recipe": title, "seed": 7})
    data = dump(level)
    ElementTree.fromstring(data)
    assert read_origin(data, "a.svg")["seed"] == 7


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
    b"<svg><metadata>&b;</metadata></svg>"
)
OUTSIDE = b'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg><metadata>&x;</metadata></svg>'
HOSTILE = {
    "entities": (BOMB, "a document type stands here"),
    "an entity from outside": (OUTSIDE, "a document type stands here"),
    "an entity without a document type": (b"<svg><metadata>&x;</metadata></svg>", "not XML: undefined entity"),
    "nothing": (b"", "not XML"),
    "something else": (b"<html><body/></html>", "not a drawing"),
    "cut off": (b'<svg><metadata>{"recipe"', "not XML"),
    "no metadata": (b"<svg><g/></svg>", "does not record how it was made"),
    "metadata of others": (b"<svg><metadata><rdf>Inkscape</rdf></metadata></svg>", "not JSON"),
    "a list": (b"<svg><metadata>[1, 2]</metadata></svg>", "an object belongs here"),
    "a key twice": (b'<svg><metadata>{"a": 1, "a": 2}</metadata></svg>', "twice"),
    "depth": (b"<svg>" + b"<g>" * 100_000, "elements in each other"),
    "depth of JSON": (b"<svg><metadata>" + b"[" * 100_000 + b"</metadata></svg>", "nesting"),
    "bytes": (b"\xff\xfe\x00\x00<svg>", "not XML"),
    "an encoding": (b'<?xml version="1.0" encoding="klingon"?><svg/>', "encoding"),
    "no number": (b'<svg><metadata>{"seed": NaN}</metadata></svg>', "NaN"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_files_of_strangers_are_refused_with_a_sentence(what: str) -> None:
    data, said = HOSTILE[what]
    began = time.process_time()
    with pytest.raises(BadInput, match=re.escape(said)) as caught:
        read_origin(data, "strange.svg")
    assert "strange.svg" in str(caught.value)
    assert caught.value.fix
    assert time.process_time() - began < 3


def test_only_the_metadata_are_read() -> None:
    """What comes after them may be anything, so that reading a large drawing takes no time."""
    assert read_origin(b'<svg><title>x</title><metadata id="m">{"seed": "7"}</metadata><g><broken', "a.svg") == {
        "seed": "7"
    }
    assert read_origin(
        b'<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:metadata>{"seed": "7"}</s:metadata></s:svg>', "a.svg"
    ) == {"seed": "7"}


def test_a_drawing_is_as_we_left_it() -> None:
    """To write the file anew: .venv/bin/undercroft convert examples/chapel.json tests/golden/formats/chapel.svg"""
    chapel = formats.load(ROOT / "examples" / "chapel.json")
    assert dump(chapel) == (TESTS / "golden" / "formats" / "chapel.svg").read_bytes()
