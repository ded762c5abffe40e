"""Tiles that open to sides: how they turn and mirror follows from that."""

from __future__ import annotations

import itertools
import json
import pickle

import numpy as np
import pytest

from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.errors import BadInput
from undercroft.formats import dump, loads
from undercroft.rewrite.model.symmetry import list_variants
from undercroft.rewrite.templates import build_template


def tile(name: str, sides: str = "", role: str = "corridor", **more: str) -> Tile:
    return Tile(name, role, name, name, "#888888", walkable=True, opaque=False, ports=sides, **more)


ALL = ["".join(sides) for count in range(5) for sides in itertools.combinations("NESW", count)]
EVERY_PIPE = Palette([tile(chr(ord("a") + number), sides) for number, sides in enumerate(ALL)], "pipes")


def test_every_set_of_sides_turns_and_mirrors() -> None:
    """Drawn as arms on a three by three grid, which is then turned by NumPy."""

    def pack_sides(sides: str) -> bytes:
        page = np.zeros((3, 3), bool)
        for side in sides:
            page[{"N": (0, 1), "E": (1, 2), "S": (2, 1), "W": (1, 0)}[side]] = True
        return page.tobytes()

    grids = {
        code: np.frombuffer(pack_sides(pipe.ports), bool).reshape(3, 3) for code, pipe in enumerate(EVERY_PIPE.tiles)
    }
    for code, grid in grids.items():
        assert np.array_equal(grids[int(EVERY_PIPE.turn[code])], np.rot90(grid, -1))
        assert np.array_equal(grids[int(EVERY_PIPE.mirror[code])], np.fliplr(grid))


def test_only_tiles_of_the_same_role_stand_in() -> None:
    palette = Palette([tile("a", "EW"), tile("b", "NS"), tile("c", "NS", role="door"), tile("d", "EW", role="opening")])
    assert palette.turn[:4].tolist() == [1, 0, 2, 3]


def test_two_that_could_be_meant_are_none_unless_named() -> None:
    plain = [tile("a", "EW"), tile("b", "EW"), tile("c", "NS"), tile("d", "NS")]
    assert Palette(plain).turn[:4].tolist() == [0, 1, 2, 3]
    named = [own._replace(turned=other) for own, other in zip(plain, "dcba", strict=True)]
    assert Palette(named).turn[:4].tolist() == [3, 2, 1, 0]


MISTAKES = [
    ("ports are sides, not 'NX'", [tile("a", "NX")]),
    ("ports are sides, not 'NN'", [tile("a", "NN")]),
    ("ports are sides, not 'n'", [tile("a", "n")]),
    ("'a' turned is 'b', which opens to EW, not to NS", [tile("a", "EW", turned="b"), tile("b", "EW", turned="a")]),
    ("'a' turned is 'b', which opens to no side, not to NS", [tile("a", "EW", turned="b"), tile("b", turned="a")]),
    ("'a' turned is 'b', which opens to EW, not to no side", [tile("a", turned="b"), tile("b", "EW", turned="a")]),
    (
        "'a' mirrored is 'b', which opens to NE, not to NW",
        [tile("a", "NE", mirrored="b"), tile("b", "NE", mirrored="a")],
    ),
]


@pytest.mark.parametrize(("problem", "tiles"), MISTAKES, ids=[row[0] for row in MISTAKES])
def test_ports_that_cannot_be(problem: str, tiles: list[Tile]) -> None:
    with pytest.raises(BadInput) as caught:
        Palette(tiles, "x")
    assert problem in caught.value.problem
    assert caught.value.fix


PIPES = """
name = "pipes"
[[tile]]
name = "lying"
role = "corridor"
glyph = "="
ports = "WE"
[[tile]]
name = "standing"
role = "corridor"
glyph = "I"
ports = "NS"
"""


def test_ports_in_a_palette_file() -> None:
    palette = Palette.parse(PIPES, "pipes.toml")
    assert [pipe.ports for pipe in palette.tiles] == ["EW", "NS"], "in the order of the sides"
    assert palette.turn[:2].tolist() == [1, 0]
    assert pickle.loads(pickle.dumps(palette)) == palette
    for wrong, place in (('ports = "WX"', "pipes.toml:7:9"), ("ports = 3", "pipes.toml:7:9")):
        with pytest.raises(BadInput) as caught:
            Palette.parse(PIPES.replace('ports = "WE"', wrong), "pipes.toml")
        assert str(caught.value.place) == place


def test_two_palettes_in_one_keep_their_turns() -> None:
    """Both have tiles that lie and stand; together, ports alone would not say which is meant."""
    first = Palette([tile("a", "EW"), tile("b", "NS")], "first")
    second = Palette([tile("c", "EW"), tile("d", "NS")], "second")
    merged, table = first.merged(second)
    assert [pipe.name for pipe in merged.tiles] == ["a", "b", "c", "d"]
    assert merged.turn[:4].tolist() == [1, 0, 3, 2]
    assert table[:2].tolist() == [2, 3]
    assert first.merged(first)[0] == first
    assert first.merged(STANDARD)[0].tiles[:2] == first.tiles


def test_half_a_ring_does_not_turn() -> None:
    palette = Palette([tile("a", "N"), tile("b", "E"), tile("c", "EW"), tile("d", "EW"), tile("e", "NS")])
    assert palette.turn[:5].tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("format_name", ["json", "npz"])
def test_files_hold_ports(format_name: str) -> None:
    palette = Palette.parse(PIPES, "pipes.toml")
    level = Level.parse("=I=", palette)
    read = loads(dump(level, format_name), format_name, "x")
    assert read == level
    assert read.palette.tiles == palette.tiles
    assert read.palette.turn[0] == 1


def test_files_without_ports_are_as_they_were() -> None:
    palette = Palette([tile("a"), tile("b")], "plain")
    text = dump(Level.parse("ab", palette), "json").decode()
    assert "ports" not in text
    assert list(json.loads(text)["palette"]["tiles"][0]) == [
        "name",
        "role",
        "glyph",
        "face",
        "colour",
        "walkable",
        "opaque",
        "aliases",
        "turned",
        "mirrored",
    ]


def test_rules_turn_with_the_ports_of_their_tiles() -> None:
    palette = Palette.parse(PIPES, "pipes.toml")
    bend = build_template(["=="], ["=I"], palette=palette)
    assert [(variant.pattern, variant.results[0].cells) for variant in list_variants([bend], palette)][:2] == [
        ((1, 1), (0, 1)),
        ((2, 2), (1, 0)),
    ]
