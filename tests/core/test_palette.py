from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from undercroft.core.palette import ROLES, STANDARD, Palette, Tile
from undercroft.errors import BadInput, FileTrouble, TooBig

ARROWS = """
name = "arrows"
[[tile]]
name = "rock"
role = "wall"
glyph = "#"
aliases = "XM"
[[tile]]
name = "north"
role = "floor"
glyph = "^"
turned = "east"
[[tile]]
name = "east"
role = "floor"
glyph = "}"
turned = "south"
mirrored = "west"
[[tile]]
name = "south"
role = "floor"
glyph = "v"
turned = "west"
[[tile]]
name = "west"
role = "floor"
glyph = "{"
turned = "north"
mirrored = "east"
[[tile]]
name = "glass"
role = "wall"
glyph = "g"
face = "▢"
colour = "#A0b1c2"
opaque = false
"""


def test_the_standard_palette() -> None:
    assert [STANDARD[name] for name in ("void", "wall", "floor", "corridor", "door")] == [0, 1, 2, 3, 4]
    assert STANDARD["X"] == STANDARD[" "] == STANDARD["void"]
    assert {tile.role for tile in STANDARD.tiles} == ROLES.keys()
    for tile in STANDARD.tiles:
        role = ROLES[tile.role]
        assert (tile.walkable, tile.opaque) == (role.walkable, role.opaque)
        assert STANDARD.walkable[STANDARD[tile.name]] == tile.walkable


def test_unused_codes_are_closed() -> None:
    assert not STANDARD.walkable[len(STANDARD) :].any()
    assert not STANDARD.opaque[len(STANDARD) :].any()


def test_a_palette_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "arrows.toml"
    path.write_text(ARROWS, encoding="utf-8")
    palette = Palette.load(str(path))
    assert (palette.name, len(palette)) == ("arrows", 6)
    assert palette.tiles[0] == Tile("rock", "wall", "#", "#", "#888888", False, True, "XM")
    assert palette.tiles[5] == Tile("glass", "wall", "g", "▢", "#A0b1c2", False, False)
    assert palette["M"] == palette["rock"] == 0
    assert pickle.loads(pickle.dumps(palette)) == palette != STANDARD


def test_a_palette_that_is_not_there() -> None:
    with pytest.raises(FileTrouble, match="cannot read"):
        Palette.load("no-such-palette.toml")


def test_turns_and_mirrors_are_rings() -> None:
    palette = Palette.parse(ARROWS, "arrows.toml")
    north, east, south, west = (palette[name] for name in ("north", "east", "south", "west"))
    assert palette.turn[[north, east, south, west]].tolist() == [east, south, west, north]
    assert palette.mirror[[north, east, south, west]].tolist() == [north, west, south, east]
    assert palette.turn[palette["rock"]] == palette["rock"]
    every = np.arange(256)
    assert (palette.turn[palette.turn[palette.turn[palette.turn]]] == every).all()
    assert (palette.mirror[palette.mirror] == every).all()


def test_a_turn_may_be_half_a_ring() -> None:
    text = ARROWS + (
        '[[tile]]\nname = "upright"\nrole = "door"\nglyph = "|"\nturned = "lying"\n[[tile]]\nname = "lying"\n'
        'role = "door"\nglyph = "-"\nturned = "upright"\n'
    )
    palette = Palette.parse(text, "bars.toml")
    assert palette.turn[palette["upright"]] == palette["lying"]


def test_merging_goes_by_names() -> None:
    arrows = Palette.parse(ARROWS.replace('name = "rock"', 'name = "wall"'), "arrows.toml")
    other = Palette(
        [tile._replace(aliases="", glyph={"^": "n"}.get(tile.glyph, tile.glyph)) for tile in arrows.tiles], "other"
    )
    merged, table = STANDARD.merged(other)
    assert merged.tiles[: len(STANDARD)] == STANDARD.tiles
    assert [merged.tiles[table[code]].name for code in range(len(other))] == [tile.name for tile in other.tiles]
    assert table[0] == STANDARD["wall"]
    assert len(merged) == len(STANDARD) + len(other) - 1
    assert len(STANDARD) == 13


def test_merging_what_clashes_is_refused() -> None:
    with pytest.raises(BadInput, match="stands for both"):
        STANDARD.merged(Palette([Tile("lava", "pit", "#", "#", "#ff0000", False, False)], "lava"))


def test_roles_are_looked_up() -> None:
    palette = Palette.parse(ARROWS, "arrows.toml")
    assert palette.role("floor") == palette["north"]
    assert palette.role_mask("wall").nonzero()[0].tolist() == [0, 5]
    with pytest.raises(BadInput, match="no tile with the role 'door'") as caught:
        palette.role("door")
    assert caught.value.fix == "its roles are wall, floor"


def test_an_unknown_tile_gets_a_suggestion() -> None:
    with pytest.raises(BadInput, match="unknown tile 'flor'") as caught:
        STANDARD.code("flor")
    assert caught.value.fix == "did you mean 'floor'?"


def test_the_number_of_tiles_is_bounded() -> None:
    def many(count: int) -> Palette:
        return Palette(
            [
                Tile(f"tile {number}", "floor", chr(0x4E00 + number), "x", "#000000", True, False)
                for number in range(count)
            ]
        )

    assert len(many(254)) == 254
    assert len(many(255)) == 255
    with pytest.raises(TooBig, match="the limit is 255"):
        many(256)


def test_nobody_can_write_to_a_palette() -> None:
    for table in (STANDARD.walkable, STANDARD.opaque, STANDARD.turn, STANDARD.mirror):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


def tile(**values: object) -> str:
    """A palette of one tile, with some values changed or (None) left out."""
    lines = {"name": '"rock"', "role": '"wall"', "glyph": '"#"'} | {
        key: value for key, value in values.items() if value is not None
    }
    return "[[tile]]\n" + "".join(
        f"{key} = {value}\n" for key, value in lines.items() if values.get(key, "") is not None
    )


def thing(value: str, glyph: str = "k") -> str:
    """A palette file with one thing, and no tiles."""
    return f"[things]\n{glyph} = {value}\n"


MISTAKES = [
    ("this is not TOML", "1:6", "", "[[til"),
    ("a palette lists its tiles", "1:1", "[[tile]]", ""),
    ("a palette lists its tiles", "1:1", "[[tile]]", "tile = 3"),
    ("a palette lists its tiles", "1:1", "[[tile]]", "tile = [1]"),
    ("palette 'custom' has no tiles", "1:1", "at least one", "tile = []"),
    ("unknown key 'colours'", "1:1", "", 'colours = "x"\n' + tile()),
    ("unknown key 'nam'", "1:1", "did you mean 'name'?", 'nam = "x"\n' + tile()),
    ("unknown key 'color'", "5:1", "did you mean 'colour'?", tile(color='"#000000"')),
    ("'name' is a text, not 3", "2:8", "", tile(name=3)),
    ("'walkable' is true or false, not 1", "5:12", "", tile(walkable=1)),
    ("'opaque' is true or false, not \"yes\"", "5:10", "", tile(opaque='"yes"')),
    ("a tile needs a 'name'", "1:3", 'name = "..."', tile(name=None)),
    ("a tile needs a 'role'", "1:3", 'role = "..."', tile(role=None)),
    ("a tile needs a 'glyph'", "1:3", 'glyph = "..."', tile(glyph=None)),
    ("a tile needs a 'glyph'", "1:3", 'glyph = "..."', tile(glyph='""')),
    ("unknown role 'wal'", "3:8", "did you mean 'wall'?", tile(role='"wal"')),
    ("'glyph' is one character that can be seen, not \"##\"", "4:9", "exactly one", tile(glyph='"##"')),
    ("'face' is one character that can be seen, not \"\"", "5:8", "exactly one", tile(face='""')),
    ("a colour looks like", "5:10", "six hex digits", tile(colour='"red"')),
    ("a colour looks like", "5:10", "six hex digits", tile(colour='"#12345g"')),
    ("a colour looks like", "5:10", "six hex digits", tile(colour='"#1234567"')),
    ("unknown tile 'rok'", "1:3", "did you mean 'rock'?", tile(turned='"rok"')),
    ("'#' stands for both 'rock' and 'stone'", "1:3", "its own", tile() + tile(name='"stone"')),
    ("'rock' stands for both 'rock' and 'rock'", "1:3", "its own", tile() + tile(glyph='"r"')),
    (
        "'#' stands for both 'rock' and 'stone'",
        "1:3",
        "its own",
        tile() + tile(name='"stone"', glyph='"s"', aliases='"#"'),
    ),
    (
        "'rock' turned 4 times is not itself",
        "1:3",
        "closed ring",
        tile(turned='"stone"') + tile(name='"stone"', glyph='"s"'),
    ),
    (
        "'rock' mirrored 2 times is not itself",
        "1:3",
        "closed ring",
        tile(mirrored='"stone"') + tile(name='"stone"', glyph='"s"'),
    ),
    ("'glyph' is one character", "4:9", "exactly one", tile(glyph='"\\n"')),
    ("unknown tile 'flor'", "2:26", "did you mean 'floor'?", thing('{thing = "key", on = "flor"}')),
    ("'#' stands for a tile and for the thing 'key'", "2:1", "its own", thing('"key"', '"#"')),
    ("'kk' of the thing 'key' is not one visible", "2:1", "can be seen", thing('"key"', "kk")),
    ("' ' of the thing 'key' is not one visible", "2:1", "can be seen", thing('"key"', '" "')),
    ("'k' stands for a thing, not for 3", "2:5", 'k = "key"', thing("3")),
    ("unknown key 'onn'", "2:21", "did you mean 'on'?", thing('{thing = "key", onn = "floor"}')),
    ("the key 'thing' is missing", "2:5", "thing, on, data", thing('{on = "floor"}')),
    ("'thing' is empty", "2:1", "name it", thing('""')),
    ("'on' is empty", "2:26", "name it", thing('{thing = "key", on = ""}')),
    ("'data' is a table, not 3", "2:28", "[things.k.data]", thing('{thing = "key", data = 3}')),
    ("'x' is a text, a number, true or false", "2:33", "", thing('{thing = "key", data = {x = 1979-05-27}}')),
    ("'things' is a table, not 3", "1:10", "[things]", "things = 3"),
    ("a palette lists its tiles as [[tile]]", "1:1", "[[tile]]", "[things]"),
    ("stands on no tile, and none has the role floor", "1:3", "on =", tile() + thing('"key"')),
]


@pytest.mark.parametrize(
    ("problem", "place", "fix", "text"), MISTAKES, ids=[f"{row}: {mistake[0]}" for row, mistake in enumerate(MISTAKES)]
)
def test_a_mistake_is_named(problem: str, place: str, fix: str, text: str) -> None:
    with pytest.raises(BadInput) as caught:
        Palette.parse(text, "bad.toml")
    assert problem in caught.value.problem
    assert str(caught.value.place) == f"bad.toml:{place}"
    assert fix in caught.value.fix
    assert caught.value.fix or not fix


def test_the_texts_that_mistakes_are_made_from_are_right() -> None:
    assert Palette.parse(tile(), "good.toml").tiles == (Tile("rock", "wall", "#", "#", "#888888", False, True),)


@pytest.mark.parametrize("name", ["", "\ud800", "a\udfffb"])
def test_a_tile_has_a_name_that_files_can_hold(name: str) -> None:
    with pytest.raises(BadInput, match=r"has no name|half a character"):
        Palette([STANDARD.tiles[0]._replace(name=name)])
    with pytest.raises(BadInput, match="the name of a palette"):
        Palette(STANDARD.tiles, "\ud800")
