"""What players may see of a level."""

from __future__ import annotations

import numpy as np
import pytest

import undercroft as uc
from support.maps import soup
from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Regions, Thing
from undercroft.formats import dump


def lodge() -> Level:
    """Rooms with names behind doors of every kind."""
    level = uc.survey(
        Level.parse("""
            ###########
            #<.S..+..>#
            ###########
            #....L....#
            ###########
        """)
    )
    things = [
        Thing("bed", 1, 1, {"group": "prop", "facing": "N", "holds": "a key", "about": "made", "width": 2}),
        Thing("rat", 4, 1, {"group": "monster"}),
        Thing("chest", 5, 1, {"group": "loot"}),
        Thing("key", 7, 1, {"opens": "red"}),
        Thing("letter", 8, 1, {"group": "note", "text": "Run."}),
    ]
    return Level(
        level.tiles,
        regions=Regions(level.regions.labels, level.regions.table, {1: ("boss",)}, {1: "hall"}, {1: "Hall of Doom"}),
        doors=level.doors,
        links=level.links,
        things=things,
        start=(1, 1),
        end=(9, 1),
        path=np.array([(1, 1), (2, 1)], np.int32),
        layers={"light": np.zeros((5, 11), np.uint8)},
        provenance={"seed": "7"},
        title="Doom",
    )


def test_doors() -> None:
    seen = for_players(lodge())
    assert str(seen).splitlines()[1] == "#<.#..+..>#"
    assert str(seen).splitlines()[3] == "#....+....#"
    assert [(door.x, door.y, door.state) for door in seen.doors] == [(6, 1, "closed"), (5, 3, "closed")]
    links = [(link.kind, seen.doors[link.door].x) for link in seen.links]
    assert links == [("door", 6), ("door", 5)]


def test_things_are_furniture_without_what_is_in_it() -> None:
    assert for_players(lodge()).things == (Thing("bed", 1, 1, {"group": "prop", "facing": "N", "width": 2}),)


def test_nothing_else_is_told() -> None:
    seen = for_players(lodge())
    assert (seen.title, dict(seen.provenance), dict(seen.layers), seen.start, seen.end, len(seen.path)) == (
        "",
        {},
        {},
        None,
        None,
        0,
    )
    assert {(region.name, region.tags, region.template) for region in seen.regions} == {("", (), "")}
    told = dump(seen, "json").decode()
    assert not any(word in told for word in ("Doom", "boss", "rat", "Run", "secret", "locked", '"7"', "key"))


def test_a_row_can_make_a_door_secret() -> None:
    level = uc.survey(Level.parse("#.+.#"))
    table = level.doors.table.copy()
    table["state"] = 3
    assert str(for_players(Level(level.tiles, doors=type(level.doors)(table, level.doors._view)))) == "#.#.#"


def test_a_palette_without_walls_keeps_its_tiles() -> None:
    palette = Palette([tile for tile in STANDARD.tiles if tile.role in ("floor", "secret", "locked")], "bare")
    level = Level.parse(".SL", palette)
    assert str(for_players(level)) == ".SL"


@pytest.mark.parametrize("glyphs", ["##..,+", "##.+LS'~:o<>"])
def test_twice_is_once(glyphs: str) -> None:
    for number in range(100):
        level = uc.survey(soup(number, glyphs).level({"seed": "1"}))
        seen = for_players(level)
        assert for_players(seen) == seen
        assert not {"secret", "locked"} & {STANDARD.roles[code] for code in np.unique(seen.tiles)}
        same = ~level.palette.role_mask("secret", "locked")[level.tiles]
        assert np.array_equal(seen.tiles[same], level.tiles[same])
