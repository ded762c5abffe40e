"""What players may see of a level."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

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
    seen = for_players(lodge(), secret_rooms=True)
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
    changed = Level(level.tiles, doors=type(level.doors)(table, level.doors._view))
    assert str(for_players(changed, secret_rooms=True)) == "#.#.#"
    assert str(for_players(changed)) == "#.###"


def test_a_palette_without_walls_keeps_its_tiles() -> None:
    palette = Palette([tile for tile in STANDARD.tiles if tile.role in ("floor", "secret", "locked")], "bare")
    level = Level.parse(".SL", palette)
    assert str(for_players(level)) == ".SL"


@pytest.mark.parametrize("glyphs", ["##..,+", "##.+LS'~:o<>"])
def test_twice_is_once(glyphs: str) -> None:
    for number in range(100):
        level = uc.survey(soup(number, glyphs).level({"seed": "1"}))
        sealed = for_players(level)
        assert for_players(sealed) == sealed
        seen = for_players(level, secret_rooms=True)
        assert for_players(seen, secret_rooms=True) == seen
        assert not {"secret", "locked"} & {STANDARD.roles[code] for code in np.unique(seen.tiles)}
        same = ~level.palette.role_mask("secret", "locked")[level.tiles]
        assert np.array_equal(seen.tiles[same], level.tiles[same])


Cells = NDArray[np.bool_]


def reachable(level: Level, secret: Cells) -> Cells:
    """The ground that is joined to the start, cell by cell, without secret doors."""
    ground: Cells = ~level.palette.role_mask("wall", "void")[level.tiles] & ~secret
    found, to_do = np.zeros_like(ground), [level.start] if level.start else []
    while to_do:
        x, y = to_do.pop()
        if 0 <= x < level.width and 0 <= y < level.height and ground[y, x] and not found[y, x]:
            found[y, x] = True
            to_do += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return found


@pytest.mark.parametrize("glyphs", ["##..S,+", "##.+LS'~:o<>"])
def test_ground_goes_only_if_a_secret_door_leads_to_it_and_players_do_not_come_in_there(glyphs: str) -> None:
    gone = 0
    for number in range(150):
        level = uc.survey(soup(number, glyphs).level({}))
        if level.start is None:
            ys, xs = np.nonzero(level.walkable & ~level.palette.role_mask("secret")[level.tiles])
            level = level.replace(start=(int(xs[0]), int(ys[0])) if len(xs) else None)
        secret = level.palette.role_mask("secret")[level.tiles]
        ground = ~level.palette.role_mask("wall", "void")[level.tiles] & ~secret
        seen = for_players(level)
        left = ~level.palette.role_mask("wall", "void")[seen.tiles]
        known = reachable(level, secret)
        assert not (known & ~left).any()
        lost = ground & ~left
        assert not (lost & ~_beside(secret | lost)).any()
        assert not (left & ground & ~known & _beside(secret)).any() or level.start is None
        assert not (_beside(lost) & ground & ~lost).any()
        assert {*np.unique(seen.regions.labels).tolist()} <= {*range(len(seen.regions) + 1)}
        for region in seen.regions:
            ys, xs = np.nonzero(seen.regions.labels == region.label)
            assert len(xs)
            assert not lost[ys, xs].any()
        gone += bool(lost.any())
    assert gone > 20


def _beside(cells: Cells) -> Cells:
    framed = np.pad(cells, 1)
    found: Cells = framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]
    return found


def test_regions_doors_and_links_of_sealed_rooms_go_too() -> None:
    level = uc.survey(
        Level.parse("""
            ################
            #<..S...+...#..#
            #...#...#...+..#
            #####+#######..#
            #...#.......#..#
            ################
        """)
    )
    furnished = level.replace(things=[Thing("bed", 5, 1, {"group": "prop"}), Thing("bed", 2, 2, {"group": "prop"})])
    seen = for_players(furnished)
    assert [(region.x, region.y, region.area) for region in seen.regions] == [(1, 1, 6), (1, 4, 3)]
    assert (len(seen.doors), len(seen.links), [thing.x for thing in seen.things]) == (0, 0, [2])
    whole = for_players(furnished, secret_rooms=True)
    assert (len(whole.regions), len(whole.doors), len(whole.things)) == (len(level.regions), 3, 2)


def test_what_has_gone_out_stays_out() -> None:
    level = Level.parse("....").replace(
        things=[
            Thing("torch", 0, 0, {"group": "prop", "about": "burnt out"}),
            Thing("torch", 1, 0, {"group": "prop", "about": "smoking"}),
        ]
    )
    assert [dict(thing.data) for thing in for_players(level).things] == [
        {"group": "prop", "lit": False},
        {"group": "prop"},
    ]
    assert for_players(for_players(level)) == for_players(level)
