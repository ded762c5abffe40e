"""Which tiles count as custom, and how a secret door hides in walls of several kinds."""

from __future__ import annotations

import numpy as np
import pytest

from support.custom_palettes import custom_tile, with_custom
from undercroft.analysis.player_view import for_players
from undercroft.analysis.room_grids import ROOM_GRID_PALETTE
from undercroft.core.custom_tiles import (
    USUAL_COLOURS,
    has_own_colour,
    is_custom,
    list_coloured_codes,
    list_custom_codes,
    rock_behind_secrets,
)
from undercroft.core.level import Level
from undercroft.core.palette import ROLES, STANDARD, Palette
from undercroft.draw.view.coloured_tiles import find_shown_tiles
from undercroft.formats.foreign.watabou import WADING_PALETTE
from undercroft.formats.tinykeep import PALETTE as TINYKEEP_PALETTE
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE


@pytest.mark.parametrize(
    "palette",
    [STANDARD, ROOM_GRID_PALETTE, WADING_PALETTE, TINYKEEP_PALETTE, GRAMMAR_PALETTE],
    ids=lambda each: each.name,
)
def test_our_own_palettes_have_no_colours_of_their_own(palette: Palette) -> None:
    """So pictures of levels that use them stay as they are."""
    assert not [tile.name for tile in palette.tiles if has_own_colour(tile)]


def test_the_standard_palette_has_no_custom_tile() -> None:
    assert list_custom_codes(STANDARD) == []
    assert set(USUAL_COLOURS) == set(ROLES)


@pytest.mark.parametrize(
    ("change", "custom", "coloured"),
    [
        ({}, False, False),
        ({"name": "lawn"}, True, False),
        ({"walkable": False}, True, False),
        ({"opaque": True}, True, False),
        ({"colour": "#6fae4a"}, True, True),
        ({"colour": "#888888"}, False, False),
        ({"colour": "#D8C9A8"}, False, False),
        ({"role": "corridor"}, True, True),
        ({"glyph": "_", "face": "_"}, False, False),
    ],
)
def test_what_makes_a_tile_custom(change: dict[str, object], custom: bool, coloured: bool) -> None:
    tile = STANDARD.tiles[STANDARD.role("floor")]._replace(**change)  # type: ignore[arg-type]
    assert (is_custom(tile), has_own_colour(tile)) == (custom, coloured)


def test_only_colours_that_are_on_the_map_count() -> None:
    palette = with_custom(custom_tile("grass", "floor", "g", "#6fae4a"), custom_tile("mud", "floor", "m", "#6f4e2a"))
    assert list_coloured_codes(np.array([[1, 2, 14]], np.uint8), palette) == [14]
    assert list_coloured_codes(np.array([[1, 2, 2]], np.uint8), palette) == []


HEDGES = with_custom(custom_tile("hedge", "wall", "T", "#2e5d34"), custom_tile("fence", "wall", "F", "#a5793d"))


def test_a_secret_door_hides_in_the_wall_around_it() -> None:
    """In a hedge it is hedge, though masonry is the palette's first wall."""
    level = Level.parse(
        """
        TTTTT#####FFF
        T...T....#F.F
        T...S....S.SF
        TTTTT#####FFF
        """,
        HEDGES,
    )
    hidden = rock_behind_secrets(level.tiles, HEDGES)
    assert [HEDGES.tiles[hidden[2, x]].name for x in (4, 9, 11)] == ["hedge", "wall", "fence"]
    assert (for_players(level, secret_rooms=True).tiles == hidden).all()
    assert (hidden == level.tiles).sum() == level.tiles.size - 3


def test_a_palette_without_rock_hides_secret_doors_in_pictures_alone() -> None:
    some = Palette([tile for tile in STANDARD.tiles if tile.role in ("floor", "secret")])
    level = Level(np.array([[0, 1]], np.uint8), some)
    assert rock_behind_secrets(level.tiles, some).tolist() == [[0, 1]]
    assert find_shown_tiles(level, secrets=False).tolist() == [[0, 0]]
