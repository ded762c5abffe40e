"""A level compared with its flow: each difference is found, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

import undercroft as uc
from undercroft.analysis.flow_rooms import find_flow_rooms
from undercroft.analysis.flows import compare_flow
from undercroft.core.draft import Draft
from undercroft.core.flow import Flow
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget
from undercroft.steps.facts.survey import Survey


def place(text: str, picture: str, *cells: tuple[int, int], **parts: object) -> Level:
    """A level with a flow whose rooms are at these cells."""
    level = Level.parse(picture)
    return level.replace(flow=replace(Flow.parse(text), places=cells), **parts)  # type: ignore[arg-type]


ROW = """
    ##############
    #.+,,,'..S.+.#
    ##############
    """


def row(text: str = "link a - b, door\nlink b - c, secret\nlink c - d, door", picture: str = ROW) -> Level:
    """Four rooms in a row: a hallway with a door, a secret door, a door."""
    return place(text, picture, (1, 1), (7, 1), (10, 1), (12, 1))


def list_faults(level: Level) -> list[str]:
    return [str(fault) for fault in compare_flow(level)]


def test_a_level_as_it_was_drawn_has_no_differences() -> None:
    found = compare_flow(row())
    assert found.is_exact
    assert not found
    assert str(found) == "the level is exactly what was drawn"
    assert uc.measure(row(), "flow_differences") == {"flow_differences": 0}


def test_order_and_direction_of_two_way_links_do_not_matter() -> None:
    text = "room a\nroom b\nroom c\nlink d - c, door\nlink c - b, secret\nlink b - a, door"
    assert list_faults(row(text)) == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("link a - b\nlink b - c, secret\nlink c - d, door", ["the link a - b (open) is door at (2, 1)"]),
        ("link a - b, door\nlink b - c, door\nlink c - d, door", ["the link b - c (door) is secret at (9, 1)"]),
        ("link a - b, one-way\nlink b - c, secret\nlink c - d, door", ["the link a - b (one-way) is door at (2, 1)"]),
        ("link a - b - c - d - a, door", [
            "the link d - a (door) is missing",
            "the link b - c (door) is secret at (9, 1)",
        ]),
        ("room a\nroom b\nroom c\nlink c - d, door\nlink a - b, door", [
            "a link b - c (secret) that nobody drew at (9, 1)",
        ]),
        ("link a - b, door\nlink a - b, door\nlink b - c, secret\nlink c - d, door", [
            "the link a - b (door) is missing",
        ]),
    ],
)  # fmt: skip
def test_links_that_differ_are_told(text: str, faults: list[str]) -> None:
    assert list_faults(row(text)) == faults


def test_rooms_that_are_missing_merged_or_not_drawn() -> None:
    level = row()
    assert level.flow is not None
    assert list_faults(level.replace(flow=replace(level.flow, places=((1, 1), (7, 1), (10, 1), (0, 0)))))[:2] == [
        "the room d is missing",
        "a room that nobody drew at (12, 1)",
    ]
    merged = list_faults(level.replace(flow=replace(level.flow, places=((1, 1), (7, 1), (8, 1), (12, 1)))))
    assert "the rooms b and c are one at (7, 1)" in merged
    assert "a room that nobody drew at (10, 1)" in merged


def test_a_place_in_a_hallway_is_no_room() -> None:
    level = row()
    assert level.flow is not None
    assert "the room a is missing" in list_faults(
        level.replace(flow=replace(level.flow, places=((4, 1), (7, 1), (10, 1), (12, 1))))
    )


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        ("#########\n#.+,,+.##\n###,#####\n#########", None),
        ("#########\n#.+,,#.##\n#########\n#########", "a hallway with 1 end at (3, 1)"),
        ("#########\n#.+,,+.##\n###+#####\n###,#####", "a hallway with 3 ends at (3, 1)"),
        ("#########\n#.#,,#.##\n#########\n#########", "a hallway with 0 ends at (3, 1)"),
        ("#########\n#..+...##\n###,#####\n#########", "a door between more than two regions at (3, 1)"),
    ],
)
def test_hallways_join_two_rooms(picture: str, fault: str | None) -> None:
    found = list_faults(place("link a - b, door", picture, (1, 1), (6, 1)))
    assert found == [] if fault is None else fault in found


def test_a_hallway_that_returns_is_a_link_that_nobody_drew() -> None:
    level = place("room a\nlink a - b, door", "#######\n#.+.###\n#..####\n#+#####\n#,,,###\n#######", (1, 1), (3, 1))
    assert list_faults(level) == ["a hallway with 1 end at (1, 4)"]
    level = place(
        "room a\nlink a - b, door",
        "#######\n#.+.###\n#..####\n#+#+###\n#,,,###\n#######".replace("#..####", "#...###"),
        (1, 1),
        (3, 1),
    )
    assert "the rooms a and b are one at (1, 1)" in list_faults(level)
    ring = place("room a\nlink a - b, door", "########\n#....+.#\n#+##+###\n#,,,,###\n########", (1, 1), (6, 1))
    assert list_faults(ring) == ["a link a - a (door) that nobody drew at (1, 2)"]


def test_one_way_links_have_a_direction() -> None:
    picture = "#######\n#.+,'.#\n#######"
    there = place("link a - b, one-way", picture, (1, 1), (5, 1), things=[Thing("one-way", 2, 1, {"to": "E"})])
    back = place("link a - b, one-way", picture, (1, 1), (5, 1), things=[Thing("one-way", 2, 1, {"to": "W"})])
    assert list_faults(there) == []
    assert list_faults(back) == ["the link a - b (one-way) is one-way in the other direction at (2, 1)"]
    assert (
        list_faults(back.replace(flow=replace(Flow.parse("room a\nlink b - a, one-way"), places=((1, 1), (5, 1)))))
        == []
    )


def test_locks_have_names_and_keys_lie_where_they_were_drawn() -> None:
    picture = "#######\n#..L..#\n#######"
    text = "link a - b, locked by red\nkey red in a\nthing chest in b"
    things = [Thing("lock", 3, 1, {"key": "red"}), Thing("key", 1, 1, {"opens": "red"}), Thing("chest", 5, 1)]
    level = place(text, picture, (1, 1), (5, 1), things=things)
    assert list_faults(level) == []
    assert list_faults(level.replace(things=[Thing("lock", 3, 1, {"key": "blue"}), *things[1:]])) == [
        "the link a - b (locked by red) is locked by blue at (3, 1)"
    ]
    moved = [things[0], Thing("key", 5, 1, {"opens": "red"}), Thing("chest", 1, 1), Thing("rat", 1, 1)]
    assert list_faults(level.replace(things=moved)) == [
        "the key red is not in a",
        "the chest is not in b",
        "1 key (key red) that nobody drew there at (5, 1)",
    ]


def test_start_and_end_are_in_their_rooms() -> None:
    level = place("room a, start\nroom b, end\nlink a - b, door", "#######\n#..+..#\n#######", (1, 1), (5, 1))
    assert list_faults(level.replace(start=(2, 1), end=(4, 1))) == []
    assert list_faults(level.replace(start=(4, 1), end=(4, 1))) == ["the start is not in a at (4, 1)"]
    assert list_faults(level) == []


def test_without_places_rooms_are_known_by_their_names() -> None:
    level = row()
    assert level.flow is not None
    named = uc.survey(level)
    assert [region.name for region in named.rooms] == ["a", "b", "c", "d"]
    assert list_faults(named.replace(flow=level.flow.without_history())) == []
    assert len(compare_flow(level.replace(flow=level.flow.without_history()))) > 4


def test_it_looks_at_the_tiles_and_at_nothing_else() -> None:
    """Regions, doors and links that a level claims to have are found anew."""
    surveyed = uc.survey(row())
    draft = Draft.of(surveyed)
    draft.tiles[1, 11] = draft.palette["wall"]
    assert list_faults(draft.level()) == ["the link c - d (door) is missing"]


def test_a_level_without_a_flow_is_refused_and_has_no_number() -> None:
    level = Level.parse("#.#")
    with pytest.raises(BadInput, match="the level has no flow"):
        compare_flow(level)
    assert uc.measure(level, "flow_differences") == {"flow_differences": None}


def test_it_keeps_to_its_budget() -> None:
    with pytest.raises(OutOfBudget):
        compare_flow(row(), run=Run(budget=3))


# --- survey


def test_survey_gives_rooms_their_names_and_tags_back() -> None:
    level = row("room a, tagged dark\nlink a - b, door\nlink b - c, secret\nlink c - d, door")
    found = uc.survey(level)
    assert [(region.name, region.tags) for region in found.rooms] == [("a", ("dark",)), ("b", ()), ("c", ()), ("d", ())]
    assert found.flow == level.flow
    assert found.flow is not None
    assert find_flow_rooms(found.regions, found.flow) == [region.label for region in found.rooms]


def test_the_step_survey_notes_rooms_that_are_gone_or_one() -> None:
    level = row()
    assert level.flow is not None
    draft = Draft.of(level.replace(flow=replace(level.flow, places=((1, 1), (7, 1), (8, 1), (0, 0)))))
    run = Run()
    Survey().apply(draft, Rng.root(1).stream("survey"), run)
    assert draft.regions is not None
    assert sorted(draft.regions.names.values()) == ["a"]
    assert run.notes == [
        "the room d of the flow is gone: no room is at (0, 0)",
        "the rooms b and c of the flow are one region",
    ]
