from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.maps import components, draft_of, soup
from undercroft.analysis import reach
from undercroft.analysis.regions.number_regions import number_regions
from undercroft.analysis.survey import DOOR, SurveyResult, classify_cells, survey_tiles, surveyed
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.core.region import Door, Link, Thing
from undercroft.core.run import Run


def survey_picture(picture: str, kind: str = "room") -> SurveyResult:
    draft = draft_of(picture)
    return survey_tiles(draft.tiles, draft.palette, kind=kind)


def test_two_rooms_share_a_door() -> None:
    house = survey_picture("""
        #######
        #..#..#
        #..+..#
        #######
    """)
    assert [(room.kind, room.x, room.y, room.width, room.height, room.area) for room in house.regions] == [
        ("room", 1, 1, 2, 2, 4),
        ("room", 4, 1, 2, 2, 4),
    ]
    assert list(house.doors) == [Door(3, 2, 1, 2, "closed")]
    assert list(house.links) == [Link(1, 2, "door", 0)]


def test_doors_in_a_row_are_one_passage() -> None:
    house = survey_picture("#.++'.#")
    assert list(house.doors) == [Door(2, 0, 1, 2, "closed"), Door(3, 0, 1, 2, "closed"), Door(4, 0, 1, 2, "open")]
    assert list(house.links) == [Link(1, 2, "door", 0)]


def test_a_door_at_the_border_leads_nowhere() -> None:
    for picture in ("+.#", "#.+", "#\n.\n+", "+\n.\n#"):
        house = survey_picture(picture)
        assert (house.doors[0].a, house.doors[0].b) == (1, 0)
        assert len(house.links) == 0


def test_a_door_without_any_region() -> None:
    house = survey_picture("#+#")
    assert list(house.doors) == [Door(1, 0, 0, 0, "closed")]
    assert len(house.links) == 0


def test_a_door_within_one_room_is_no_link() -> None:
    house = survey_picture("""
        ...
        .+.
        ...
    """)
    assert list(house.doors) == [Door(1, 1, 1, 0, "closed")]
    assert len(house.links) == 0


def test_a_corridor_touches_a_room_without_a_door() -> None:
    house = survey_picture("""
        ########
        #..,,+.#
        #..#####
        ########
    """)
    assert [(region.kind, region.area) for region in house.regions] == [("room", 4), ("corridor", 2), ("room", 1)]
    assert list(house.links) == [Link(2, 3, "door", 0), Link(1, 2, "open", -1)]


def test_regions_that_touch_often_have_one_open_link() -> None:
    house = survey_picture("""
        ...,,,
        ...,,,
    """)
    assert list(house.links) == [Link(1, 2, "open", -1)]


def test_a_door_where_four_regions_meet_takes_the_first_two() -> None:
    house = survey_picture("""
        ##,##
        #.+.#
        ##,##
    """)
    assert [region.kind for region in house.regions] == ["corridor", "room", "room", "corridor"]
    assert list(house.doors) == [Door(2, 1, 1, 2, "closed")]


def test_states_of_doors() -> None:
    house = survey_picture("#.'.+.L.S.#")
    assert [door.state for door in house.doors] == ["open", "closed", "locked", "secret"]
    assert [link.kind for link in house.links] == ["open", "door", "locked", "secret"]
    assert all(link.carved for link in house.links)


def test_stairs_are_ground() -> None:
    house = survey_picture("#<.>#")
    assert [region.area for region in house.regions] == [3]


def test_stairs_in_a_corridor_are_a_part_of_it() -> None:
    """But not if a room is beside them too."""
    assert [(region.kind, region.area) for region in survey_picture("#,,>#").regions] == [("corridor", 3)]
    assert [(region.kind, region.area) for region in survey_picture("#,<,#").regions] == [("corridor", 3)]
    assert [(region.kind, region.area) for region in survey_picture("#,>.#").regions] == [("corridor", 1), ("room", 2)]
    assert [(region.kind, region.area) for region in survey_picture("#,+>#").regions] == [("corridor", 1), ("room", 1)]


def test_water_and_pits_are_not() -> None:
    assert [region.area for region in survey_picture("#.~.:.o.#").regions] == [1, 1, 1, 1]


@pytest.mark.parametrize("kind", ["room", "cave", "cell", "vault"])
def test_what_ground_is_called(kind: str) -> None:
    assert [region.kind for region in survey_picture("#.+,#", kind).regions] == [kind, "corridor"]


def test_nothing_to_find() -> None:
    house = survey_picture("###\n###")
    assert (len(house.regions), len(house.doors), len(house.links)) == (0, 0, 0)
    assert not house.regions.labels.any()


def test_more_doors_and_contacts_than_the_first_guess() -> None:
    """More than 256 of each."""
    rows = 300
    house = survey_picture("\n".join(["#.+.#,.,#"] * rows))
    assert len(house.doors) == rows
    assert [door.y for door in house.doors] == list(range(rows))
    apart = survey_picture(
        "\n".join(["#.,#.,#"] * 150 + ["#######"])
        + "\n"
        + "\n".join("#.,#" if row % 2 else "####" for row in range(700))
    )
    assert len(apart.links) == 2 + 350


@pytest.mark.parametrize("glyphs", ["#..", "#...,", "#,,,", "#.....<", "#,,,,,>", "#.......+", "....~"])
def test_a_map_in_one_piece_is_surveyed_like_any_other(glyphs: str) -> None:
    """A short cut leads to the regions of a map that has but one."""
    one = 0
    for number in range(300):
        tiles = soup(number, glyphs, 9).tiles
        kinds = classify_cells(tiles, STANDARD)
        kinds = np.where(kinds < DOOR, kinds, 0).astype(np.uint8)
        labels, count = reach.label_components(kinds)
        boxes = [
            (int(x), int(y), int(x2 - x + 1), int(y2 - y + 1), int(area))
            for x, y, x2, y2, area, _ in reach.find_label_boxes(labels, kinds, count)
        ]
        run = Run()
        house = survey_tiles(tiles, STANDARD, run=run)
        assert house.regions.labels.dtype == np.int32
        assert (house.regions.labels == labels).all()
        assert [(region.x, region.y, region.width, region.height, region.area) for region in house.regions] == boxes
        assert [region.kind for region in house.regions] == [
            ("room", "corridor")[kinds[labels == label][0] - 1] for label in range(1, count + 1)
        ]
        one += count == 1
        if count == 1 and not len(house.doors):
            assert components(STANDARD.walkable[tiles]) == 1
            used = run.used
            assert reach.count_components(tiles, STANDARD.walkable, run) == 1
            assert run.used == used  # it was asked already
    assert one > 5


def test_a_corridor_that_nobody_can_walk_is_a_region_still() -> None:
    tiles = tuple(tile._replace(walkable=False) if tile.role == "corridor" else tile for tile in STANDARD.tiles)
    palette = Palette(tiles)
    for picture, areas in ((",,#,", [2, 1]), (",,", [2]), (",#.", [1, 1]), ("..#,", [2, 1])):
        assert [region.area for region in survey_tiles(draft_of(picture).tiles, palette).regions] == areas


def slow_doors(
    tiles: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], labels: np.ndarray[tuple[int, ...], np.dtype[np.int32]]
) -> list[tuple[int, int, int, int]]:
    """Every door with the two smallest labels that one comes to by going straight on through doors."""
    height, width = tiles.shape
    is_door = STANDARD.role_mask(*DOOR_ROLES)
    rows = []
    for y in range(height):
        for x in range(width):
            if not is_door[tiles[y, x]]:
                continue
            seen = set()
            for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
                a, b = x + dx, y + dy
                while 0 <= a < width and 0 <= b < height and is_door[tiles[b, a]]:
                    a, b = a + dx, b + dy
                if 0 <= a < width and 0 <= b < height and labels[b, a]:
                    seen.add(int(labels[b, a]))
            first, second = [*sorted(seen), 0, 0][:2]
            rows.append((x, y, first, second))
    return rows


def test_soups_of_doors() -> None:
    count = 0
    for number in range(500):
        tiles = soup(number, "##..,+'LS", 9).tiles
        house = survey_tiles(tiles, STANDARD)
        expected = slow_doors(tiles, house.regions.labels)
        assert [door[:4] for door in house.doors] == expected
        through = {(a, b) for _, _, a, b in expected if b}
        assert {(link.a, link.b) for link in house.links if link.door >= 0} == through
        labels = house.regions.labels
        pairs = {
            tuple(sorted(pair))
            for one, two in ((labels[:, 1:], labels[:, :-1]), (labels[1:], labels[:-1]))
            for pair in zip(one.reshape(-1).tolist(), two.reshape(-1).tolist(), strict=True)
        }
        touching = sorted((a, b) for a, b in pairs if a and a != b)
        assert [(link.a, link.b) for link in house.links if link.door < 0] == touching
        count += len(expected)
    assert count > 1000


def test_a_level_surveyed_anew() -> None:
    level = uc.generate("rooms-and-mazes", seed=3, size=(41, 31))
    bare = Level(
        level.tiles, level.palette, start=level.start, end=level.end, path=level.path, provenance=level.provenance
    )
    again = surveyed(bare)
    draft = Draft.of(again)
    number_regions(draft, Run())  # a survey numbers by row and column, the recipe from the start
    assert bare != level
    assert draft.level() == level
    assert again.provenance == level.provenance
    assert (len(bare.doors), len(again.doors)) == (0, len(level.doors))


@pytest.mark.parametrize("data", [{}, {"to": "up"}, {"to": 7}])
def test_a_one_way_door_that_leads_nowhere_is_a_door(data: Any) -> None:
    """Only who solves the level must know where it leads."""
    draft = Draft.of(Level.parse("#..+..#"))
    plain = surveyed(draft.level())
    draft = Draft.of(plain)
    draft.things = [Thing("one-way", 3, 0, data)]
    level = surveyed(draft.level())
    assert list(level.links) == list(plain.links)
    assert uc.measure(level, "rooms", "doors", "graph_loops") == {"rooms": 2, "doors": 1, "graph_loops": 0}
    with pytest.raises(uc.BadInput, match=r"the one-way door at \(3, 0\)"):
        uc.solve(Level(level.tiles, things=level.things, start=(1, 0), end=(5, 0)))
