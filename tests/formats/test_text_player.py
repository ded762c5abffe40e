"""The player in drawings of others."""

from __future__ import annotations

import pytest

from undercroft import formats
from undercroft.core.level import Point
from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput


@pytest.mark.parametrize(
    ("picture", "start", "end"),
    [
        ("#####\n#.@>#\n#####\n", (2, 1), (3, 1)),
        ("@..\r\n..>\r\n", (0, 0), (2, 1)),
        ("\ufeff.@\n", (1, 0), None),
        ("<.@", (2, 0), None),
        ("..\n\n1@", (1, 2), None),
    ],
)
def test_a_single_player_is_the_start_on_floor(picture: str, start: Point, end: Point | None) -> None:
    level = formats.loads(picture.encode(), "text")
    assert (level.start, level.end) == (start, end)
    assert level.palette.roles[level.tiles[start[1], start[0]]] == "floor"
    assert level.regions.labels[start[1], start[0]] == 0


def test_two_players_are_none() -> None:
    with pytest.raises(BadInput, match="unknown glyph '@'"):
        formats.loads(b"@.@", "text")


def test_a_palette_may_have_that_tile() -> None:
    palette = Palette([tile._replace(glyph="@") if tile.name == "water" else tile for tile in STANDARD.tiles])
    level = formats.loads(b"<@.", "text", palette=palette)
    assert (level.start, str(level)) == ((0, 0), "<@.")


def test_a_palette_without_floor_has_no_player() -> None:
    palette = Palette([tile for tile in STANDARD.tiles if tile.role in ("void", "wall")])
    with pytest.raises(BadInput, match="unknown glyph '@'"):
        formats.loads(b"#@#", "text", palette=palette)
