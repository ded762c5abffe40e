"""Pictures for game master and players: exactly the map, and nothing on the players' that they would have to find
out.
"""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

import undercroft as uc
from undercroft.core.level import Level
from undercroft.core.region import Regions, Thing
from undercroft.draw.styles.table import STYLES
from undercroft.errors import BadInput, UndercroftError
from undercroft.formats import dump, resolve_format
from undercroft.formats.tabletop.picture import render_map

BARE = """
    ################
    #<....#........#
    #.....+..~~....#
    #.....##########
    #.o...#........#
    #.....#........#
    #.....+........#
    ################
"""


def level_of(picture: str, things: tuple[Thing, ...] = (), **more: Any) -> Level:
    found = uc.survey(Level.parse(picture))
    regions = Regions(found.regions.labels, found.regions.table, {}, {}, more.pop("names", {}))
    return Level(
        found.tiles, regions=regions, doors=found.doors, links=found.links, things=things, start=found.start, **more
    )


def pixels(level: Level, name: str, **options: Any) -> np.ndarray[Any, Any]:
    with Image.open(io.BytesIO(dump(level, name, **{"cell": 20} | options))) as image:
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("cell", [10, 35])
def test_exactly_the_map(style: str, cell: int) -> None:
    level = level_of(BARE)
    assert (
        pixels(level, "png:gm", style=style, cell=cell).shape
        == pixels(level, "png:player", style=style, cell=cell).shape
        == (8 * cell, 16 * cell, 3)
    )


@pytest.mark.parametrize("style", STYLES)
def test_players_see_no_secrets(style: str) -> None:
    """The players' picture is that of a level in which there are none."""
    bare = level_of(BARE)
    bed = Thing("bed", 8, 1, {"group": "prop"})
    rich = level_of(
        BARE,
        (
            bed._replace(data={"group": "prop", "holds": "gold"}),
            Thing("rat", 2, 2, {"group": "monster"}),
            Thing("chest", 9, 5),
            Thing("key", 10, 5, {"opens": "red"}),
        ),
        names={1: "The Lair", 2: "The Trap"},
        title="Doom",
        path=np.array([(1, 1), (2, 1), (3, 1)], np.int32),
        end=(12, 5),
        provenance={"recipe": "x", "seed": "1"},
    )
    furnished = level_of(BARE, (bed,), end=(12, 5))
    assert np.array_equal(pixels(rich, "png:player", style=style), pixels(furnished, "png:player", style=style))
    assert not np.array_equal(pixels(rich, "png:gm", style=style), pixels(rich, "png:player", style=style))
    assert not np.array_equal(pixels(furnished, "png:player", style=style), pixels(bare, "png:player", style=style))


@pytest.mark.parametrize("style", STYLES)
def test_secret_doors_are_wall_and_locked_ones_are_doors(style: str) -> None:
    """Around the cell, the picture is that of a wall, or of a door."""
    row = "    #.....+..~~....#\n"
    shown, whole = {}, {}
    for glyph in "#+SL":
        level = level_of(BARE.replace(row, row.replace("+", glyph)))
        bare = Level(level.tiles, regions=Regions.empty(8, 16), start=level.start)
        shown[glyph] = pixels(bare, "png:player", style=style)
        drawn = render_map(bare, players=True, cell=20, style=style, secret_rooms=True)
        whole[glyph] = np.asarray(drawn.convert("RGB"))
    assert np.array_equal(whole["#"], whole["S"])
    assert np.array_equal(whole["+"], whole["L"])
    assert not np.array_equal(whole["#"], whole["+"])
    assert all(np.array_equal(shown[glyph], whole[glyph]) == (glyph != "S") for glyph in "#+SL")


SEALED = """
    ##################
    #<....#....#....##
    #.....S....+....##
    #.....#....#....##
    #.....########.###
    #.....S.........##
    #.....##########.#
    #......~~........#
    ##################
"""
BEHIND_ONE_DOOR = """
    ##################
    #<....############
    #.....############
    #.....############
    #.....############
    #.....############
    #.....##########.#
    #......~~........#
    ##################
"""


@pytest.mark.parametrize("style", STYLES)
def test_rooms_and_stubs_behind_secret_doors_are_not_there(style: str) -> None:
    """The picture is that of a level in which they were never dug, also if a passage joins them to each other."""
    level, dug = level_of(SEALED), level_of(BEHIND_ONE_DOOR)
    assert np.array_equal(pixels(level, "png:player", style=style), pixels(dug, "png:player", style=style))
    assert not np.array_equal(pixels(level, "png:player", style=style), pixels(level, "png:gm", style=style))


def test_only_the_game_master_s_tells_how_it_was_made() -> None:
    level = level_of(BARE, provenance={"recipe": "x", "seed": "12345"})
    row = resolve_format("png:gm")
    assert row.origin is not None
    assert row.origin(dump(level, "png:gm", cell=8), "a.png") == {"recipe": "x", "seed": "12345"}
    assert b"12345" not in dump(level, "png:player", cell=8)
    with pytest.raises(UndercroftError, match="does not record"):
        row.origin(dump(level, "png:player", cell=8), "a.png")


def test_options() -> None:
    level = level_of(BARE)
    assert not np.array_equal(pixels(level, "png:gm", hide=["numbers"]), pixels(level, "png:gm"))
    assert not np.array_equal(
        pixels(level, "png:player", style="dark", hide=["grid"]), pixels(level, "png:player", style="dark")
    )
    with pytest.raises(BadInput, match="unknown option"):
        dump(level, "png:player", show=["numbers"])


def test_70_pixels_unless_asked_for_others() -> None:
    with Image.open(io.BytesIO(dump(Level.parse("..\n.."), "png:gm"))) as image:
        assert image.size == (140, 140)


def test_players_see_neither_distances_nor_what_they_cannot_reach() -> None:
    """Rooms behind secret doors look as all others do, near the start and far from it."""
    level = Level.parse("###########\n#<..#.....#\n#...S.....#\n#...#....>#\n###########")
    seen, known = (
        np.asarray(render_map(level, players=players, cell=20, style="dark", secret_rooms=True).convert("RGB"))
        for players in (True, False)
    )
    places = [(2, 3), (6, 1), (8, 1)]
    assert len({tuple(seen[y * 20 + 14, x * 20 + 14].tolist()) for x, y in places}) == 1
    assert len({tuple(known[y * 20 + 14, x * 20 + 14].tolist()) for x, y in places}) > 1


@pytest.mark.parametrize("style", STYLES)
def test_players_see_stairs_at_both_ends_and_no_other_marks(style: str) -> None:
    plain, stairs = (Level.parse(f"########\n#{up}.....#\n#.....{down}#\n########") for up, down in ("..", "<>"))
    marked = Level(plain.tiles, start=(1, 1), end=(6, 2), path=np.array([(1, 1), (2, 1)], np.int32))
    assert np.array_equal(
        pixels(marked, "png:player", style=style, cell=20),
        pixels(Level(stairs.tiles), "png:player", style=style, cell=20),
    )
    assert not np.array_equal(
        pixels(Level(plain.tiles), "png:player", style=style, cell=20),
        pixels(marked, "png:player", style=style, cell=20),
    )


def test_pictures_are_lit_for_players_and_numbered_for_the_game_master() -> None:
    level = level_of(BARE)
    assert np.array_equal(pixels(level, "png:player"), pixels(level, "png:player", style="pixels"))
    assert np.array_equal(pixels(level, "png:gm"), pixels(level, "png:gm", style="dark"))
    for view, lit in (("player", True), ("gm", False)):
        assert json.loads(dump(level, "uvtt", view=view, cell=8))["environment"]["baked_lighting"] is lit
