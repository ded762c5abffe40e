"""Levels painted on by hand: what is known of them stays true, and all else stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import undercroft as uc
from support.maps import HEAVY
from undercroft import formats
from undercroft.analysis.edits import HandEdits, ThingSpot, apply_edits
from undercroft.analysis.survey import classify_cells, survey_tiles
from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette, Tile
from undercroft.core.region import Thing

RECIPES = ("cave", "rooms-and-mazes", "tinykeep", "bsp", "dungeoning", "isaac", "grammar")
LEVELS = {name: uc.generate(name, seed=5) for name in RECIPES}
TILES = (
    "wall",
    "floor",
    "corridor",
    "door",
    "locked door",
    "secret door",
    "opening",
    "water",
    "pillar",
    "void",
    "stairs down",
)


def check(level: uc.Level, before: uc.Level) -> None:
    """All that must be true of a level, whoever painted on it."""
    kinds = classify_cells(level.tiles, level.palette)
    labels, table = level.regions.labels, level.regions.table
    changed = (
        np.array([tile.name for tile in before.palette.tiles])[before.tiles]
        != np.array([tile.name for tile in level.palette.tiles])[level.tiles]
    )
    if len(before.regions):
        assert ((labels > 0) | ~changed | ~np.isin(kinds, (1, 2))).all(), "new ground belongs to some region"
        assert (labels[changed & ~np.isin(kinds, (1, 2))] == 0).all(), "what is no ground any more belongs to none"
        kept = (labels > 0) & (before.regions.labels > 0)
        heirs = check_that_regions_were_kept_or_cut_apart(labels, before, kept | ~changed)
        assert np.array_equal(np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:], table["area"])
        for region in level.regions:
            ys, xs = np.nonzero(labels == region.label)
            if region.area:
                assert (region.x, region.y, region.width, region.height) == (
                    int(xs.min()),
                    int(ys.min()),
                    int(np.ptp(xs)) + 1,
                    int(np.ptp(ys)) + 1,
                )
        for old, new in ((before.regions[a - 1], level.regions[b - 1]) for a, b in heirs.items()):
            assert (old.name, old.tags, old.template) == (new.name, new.tags, new.template)
        roles = np.array(level.palette.roles)[level.tiles]
        there = {(x, y) for y, x in np.argwhere(np.isin(roles, DOOR_ROLES) & changed).tolist()}
        doors = [(door.x, door.y) for door in level.doors]
        assert there <= set(doors)
        assert len(doors) == len(set(doors))
        for door in level.doors:
            if changed[door.y, door.x]:
                assert (
                    roles[door.y, door.x]
                    == dict(zip(("open", "closed", "locked", "secret"), DOOR_ROLES, strict=True))[door.state]
                )
        for link in level.links:
            assert link.door < len(level.doors)
            assert 1 <= link.a <= len(table)
            assert 1 <= link.b <= len(table)
            if link.door >= 0:
                assert {link.a, link.b} == {level.doors[link.door].a, level.doors[link.door].b}
    for point in (level.start, level.end):
        assert point is None or level.walkable[point[1], point[0]]
    if len(level.path):
        assert (tuple(level.path[0]), tuple(level.path[-1])) == (level.start, level.end)
        assert level.walkable[level.path[:, 1], level.path[:, 0]].all()
        assert (np.abs(np.diff(level.path, axis=0)).sum(axis=1) == 1).all()
        assert len(level.path) - 1 == uc.measure(level, "path_length")["path_length"]
    assert level.things == before.things


def check_that_regions_were_kept_or_cut_apart(
    labels: np.ndarray, before: uc.Level, unchanged: np.ndarray
) -> dict[int, int]:
    """Regions that have cells left keep their order; parts that were cut off are smaller and come after them. Returns
    the new label of each old one.
    """
    pairs = np.unique(np.stack((before.regions.labels[unchanged], labels[unchanged]), axis=-1), axis=0)
    assert ((pairs[:, 0] > 0) == (pairs[:, 1] > 0)).all(), "cells that did not change are in a region as before"
    pairs = pairs[pairs[:, 0] > 0]
    assert len(np.unique(pairs[:, 1])) == len(pairs), "no two old regions became one"
    heirs = {int(old): int(pairs[pairs[:, 0] == old][:, 1].min()) for old in np.unique(pairs[:, 0])}
    assert list(heirs.values()) == sorted(heirs.values())
    for old, new in pairs.tolist():
        if heirs[old] != new:
            assert new > max(heirs.values())
            assert (labels == new).sum() <= (labels == heirs[old]).sum()
    return heirs


@pytest.mark.parametrize("name", RECIPES)
@settings(max_examples=200 if HEAVY else 25)
@given(data=st.data())
def test_whatever_is_painted_the_level_stays_true(name: str, data: st.DataObject) -> None:
    level = LEVELS[name]
    cells = st.integers(0, level.tiles.size - 1)
    tiles = TILES if name != "grammar" else [tile.name for tile in level.palette.tiles]
    edits = data.draw(st.lists(st.tuples(cells, st.sampled_from(tiles)), max_size=30))
    after = apply_edits(level, edits)
    last = dict(edits)
    names = np.array([tile.name for tile in after.palette.tiles])[after.tiles].reshape(-1)
    assert {cell: names[cell] for cell in last} == last
    assert after.provenance["edits"] == tuple(edits)
    assert {key: value for key, value in after.provenance.items() if key != "edits"} == dict(level.provenance)
    check(after, level)


@pytest.mark.parametrize("name", RECIPES)
def test_painting_what_stands_there_changes_nothing(name: str) -> None:
    level = LEVELS[name]
    edits = [(cell, level.palette.tiles[level.tiles.reshape(-1)[cell]].name) for cell in range(0, level.tiles.size, 7)]
    assert apply_edits(level, edits) == level
    assert apply_edits(level, []) == level


def test_a_wall_across_the_way_makes_it_longer_or_ends_it() -> None:
    level = uc.survey(
        Level.parse(
            """
            #######
            #<...>#
            #.###.#
            #.....#
            #######
            """
        )
    )
    longer = apply_edits(level, [(2 * 7 - 4, "wall")])
    assert len(longer.path) - 1 == 8
    ended = apply_edits(longer, [(3 * 7 + 3, "wall")])
    assert len(ended.path) == 0
    assert (ended.start, ended.end) == ((1, 1), (5, 1))
    gone = apply_edits(level, [(8, "wall")])
    assert (gone.start, len(gone.path)) == (None, 0)


def test_a_door_that_is_walled_up_takes_its_link_along() -> None:
    level = uc.survey(
        Level.parse(
            """
            #########
            #..+.+..#
            #########
            """
        )
    )
    assert (len(level.doors), len(level.links)) == (2, 2)
    after = apply_edits(level, [(12, "wall")])
    assert [(door.x, door.y) for door in after.doors] == [(5, 1)]
    assert [(link.a, link.b, link.door) for link in after.links] == [(2, 3, 0)]
    again = apply_edits(after, [(12, "secret door")])
    assert {(link.a, link.b, link.kind) for link in again.links} == {(2, 3, "door"), (1, 2, "secret")}


def test_new_ground_belongs_to_the_region_it_touches_most_or_to_none_of_them() -> None:
    level = Level.parse(
        """
        #########
        #11######
        #11######
        ######22#
        #########
        """
    )
    joined = apply_edits(level, [(12, "floor"), (21, "floor"), (13, "floor"), (14, "floor"), (23, "floor")])
    assert [room.area for room in joined.rooms] == [9, 2]
    apart = apply_edits(level, [(15, "floor"), (16, "floor")])
    assert [room.area for room in apart.rooms] == [4, 2, 2]
    assert sum(region.area for region in apart.regions) == sum(
        region.area for region in survey_tiles(apart.tiles, apart.palette).regions
    )
    corridor = apply_edits(level, [(15, "corridor")])
    assert corridor.regions[2].kind == "corridor"


def test_tiles_of_the_standard_palette_can_be_painted_where_their_signs_are_free() -> None:
    level = Level(np.zeros((2, 3), np.uint8), Palette([Tile("moss", "floor", "m", "m", "#00ff00", True, False)]))
    after = apply_edits(level, [(1, "water")])
    assert str(after) == "m~m\nmmm"
    with pytest.raises(uc.BadInput, match="unknown tile 'floor'"):  # its sign is the blank's there
        apply_edits(LEVELS["grammar"], [(3, "floor")])


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ((-1, "wall"), "there is no cell -1"),
        ((10**7, "wall"), "there is no cell"),
        ((0, "lava"), "unknown tile 'lava'"),
    ],
)
def test_what_cannot_be_painted_is_said(edit: tuple[int, str], words: str) -> None:
    with pytest.raises(uc.BadInput, match=words):
        apply_edits(LEVELS["cave"], [edit])


# --- things


def test_things_are_taken_away_and_placed() -> None:
    level = uc.Level.parse("#....#").replace(
        things=[Thing("key", 1, 0, {"opens": "red"}), Thing("key", 1, 0), Thing("orb", 2, 0)],
        provenance={"recipe": "x"},
    )
    chest = Thing("chest", 3, 0, {"contents": [{"item": "rope", "count": 2}]})
    after = apply_edits(level, [], placed=[chest], removed=[ThingSpot("key", 1, 0), ThingSpot("statue", 4, 0)])
    assert after.things == (Thing("key", 1, 0), Thing("orb", 2, 0), chest)
    assert after.replace(things=level.things) == level
    assert thaw(after.provenance) == {
        "recipe": "x",
        "edits": [],
        "placed": [{"kind": "chest", "x": 3, "y": 0, "data": {"contents": [{"count": 2, "item": "rope"}]}}],
        "removed": [{"kind": "key", "x": 1, "y": 0}, {"kind": "statue", "x": 4, "y": 0}],
    }
    loaded = formats.loads(formats.dump(after, "json"), "json")
    assert loaded == after
    assert loaded.provenance == after.provenance


def test_a_one_way_door_that_is_placed_marks_its_link() -> None:
    level = uc.survey(uc.Level.parse("#######\n#..+..#\n#######"))
    assert [link.kind for link in level.links] == ["door"]
    after = apply_edits(level, [], placed=[Thing("one-way", 3, 1, {"to": "E"})])
    assert [link.kind for link in after.links] == ["one-way"]
    assert [link.kind for link in apply_edits(after, [], removed=[ThingSpot("one-way", 3, 1)]).links] == ["door"]


@pytest.mark.parametrize(("x", "y"), [(9, 0), (0, 9)])
def test_a_thing_beyond_the_level_is_refused(x: int, y: int) -> None:
    level = uc.Level.parse("#..#")
    with pytest.raises(uc.BadInput, match=rf"the key at \({x}, {y}\) that is placed lies outside the level of 4x1"):
        apply_edits(level, [], placed=[Thing("key", x, y)])
    with pytest.raises(uc.BadInput, match="that is removed lies outside the level"):
        apply_edits(level, [], removed=[ThingSpot("key", x, y)])


def test_nothing_by_hand_changes_nothing() -> None:
    level = LEVELS["cave"]
    assert HandEdits().apply(level) is level
    assert HandEdits(tiles=((0, "floor"),)).apply(level) == apply_edits(level, [(0, "floor")])
