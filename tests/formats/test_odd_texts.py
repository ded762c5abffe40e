"""Texts of a level that a file cannot hold, or need not hold."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from undercroft import formats
from undercroft.core.region import Thing
from undercroft.errors import BadInput

LEVEL = uc.survey(uc.Level.parse("#####\n#...#\n#####"))


@pytest.mark.parametrize("name", ["json", "npz", "tmx", "tmj", "ldtk", "glb", "godot"])
def test_half_a_character_gives_a_sentence(name: str) -> None:
    regions = LEVEL.regions.copy()
    regions.names[1] = "Hall \ud800"
    with pytest.raises(BadInput, match="the level holds the text"):
        formats.dump(LEVEL.replace(title="Hall \ud800", regions=regions), name)


@pytest.mark.parametrize("name", ["json", "npz"])
def test_names_of_regions_that_the_level_does_not_have_are_left_out(name: str, tmp_path: Path) -> None:
    regions = LEVEL.regions.copy()
    regions.names.update({1: "Hall", 9: "Nowhere"})
    regions.tags[9], regions.templates[9] = ("wet",), "library"
    LEVEL.replace(regions=regions).save(tmp_path / f"a.{name}")
    found = uc.load(tmp_path / f"a.{name}").regions
    assert (dict(found.names), dict(found.tags), dict(found.templates)) == ({1: "Hall"}, {}, {})


@pytest.mark.parametrize("style", ["ink", "blueprint", "parchment", "pixels", "dark", "plain", "print"])
def test_a_thing_without_a_kind_can_be_drawn(style: str) -> None:
    assert formats.dump(LEVEL.replace(things=[Thing("", 1, 1), Thing(" ", 2, 1)]), "png", style=style)
