from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import undercroft as uc
from drawn import components, drawn, holes, soup
from undercroft.analysis.measures import MEASURES, measure
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import KINDS, LINK_ROW, REGION_ROW, Regions, links
from undercroft.errors import BadInput

PICTURES = Path(__file__).parents[1] / "cases" / "pictures"


def of(picture: str, *names: str) -> list[object]:
    return list(measure(surveyed(Level.drawn(picture)), *names).values())


def test_all_measures_of_a_small_house() -> None:
    house = surveyed(
        Level.drawn("""
        ##########
        #<..+,,,.#
        #...#,##,#
        #...+,,,>#
        ##########
        """)
    )
    assert measure(house) == {
        "components": 1,
        "density": 0.42,
        "rooms": 2,
        "corridors": 1,
        "doors": 2,
        "loops": 2,
        "graph_loops": 1,
        "dead_ends": 0,
        "path_length": 9,
        "poi_length": 9,
    }
    assert (house.start, house.end) == ((1, 1), (8, 3))


@pytest.mark.parametrize(
    ("picture", "name", "value"),
    [
        ("#.#.#", "components", 2),
        (".#\n#.", "components", 2),
        ("###", "components", 0),
        (".+'LS,<>", "components", 1),
        ("#~:o ", "components", 0),
        (".###", "density", 0.25),
        ("..#", "density", 0.666667),
        ("###", "density", 0.0),
        ("#.#.+,#", "rooms", 2),
        ("#.#.+,#", "corridors", 1),
        ("#.+,'.LS#", "doors", 4),
        ("...\n.#.\n...", "loops", 1),
        ("...\n...\n...", "loops", 0),
        (".....\n.#.#.\n.....", "loops", 2),
        (".....\n.##..\n..#..\n.....", "loops", 1),
        ("......\n.#....\n..#...\n......", "loops", 1),
        ("...\n.~.\n...", "loops", 1),
        ("###", "loops", 0),
        ("#.#\n###", "loops", 0),
        (".+.\n+#+\n.+.", "graph_loops", 1),
        (".+.+.", "graph_loops", 0),
        (".+,\n.+,", "graph_loops", 1),
        (".#.", "graph_loops", 0),
        ("###", "graph_loops", 0),
        (",,,,", "dead_ends", 2),
        (".,,,", "dead_ends", 1),
        (",", "dead_ends", 0),
        ("....", "dead_ends", 0),
        ("#+.", "dead_ends", 1),
        (".+.", "dead_ends", 0),
        ("<...>", "path_length", 4),
        ("<.#.>", "path_length", None),
        ("<...", "path_length", None),
        ("<..\n##.\n>..", "path_length", 6),
        ("###", "poi_length", 0),
        ("#...#", "poi_length", 2),
        ("..+,,", "poi_length", 4),
    ],
)
def test_drawn(picture: str, name: str, value: object) -> None:
    assert of(picture, name) == [value]


def test_dead_ends_of_a_cave_count() -> None:
    """Ground that is a room has no dead ends, but a cave has."""
    cave = Level.drawn("#..#\n#.##")
    assert measure(surveyed(cave, kind="cave"), "dead_ends") == {"dead_ends": 2}
    assert measure(surveyed(cave), "dead_ends") == {"dead_ends": 0}


def test_loops_are_holes() -> None:
    for number in range(500):
        draft = soup(number, ("##...", "#....", "####..")[number % 3], 16)
        level = draft.level()
        assert measure(level, "loops", "components") == {"loops": holes(level.walkable), "components": components(level.walkable)}


def test_loops_of_the_graph_against_a_search() -> None:
    for number in range(300):
        chance = np.random.default_rng(number)
        nodes, edges = int(chance.integers(1, 9)), int(chance.integers(0, 14))
        table = np.zeros(edges, LINK_ROW)
        table["a"], table["b"] = chance.integers(1, nodes + 1, edges), chance.integers(1, nodes + 1, edges)
        regions = np.zeros(nodes, REGION_ROW)
        regions["kind"] = KINDS.index("room")
        level = Level(np.ones((1, 1), np.uint8), regions=Regions(np.zeros((1, 1), np.int32), regions), links=links(table))
        near = np.eye(nodes, dtype=bool)
        near[table["a"] - 1, table["b"] - 1] = near[table["b"] - 1, table["a"] - 1] = True
        for _ in range(nodes):
            near = near @ near
        parts = len({row.tobytes() for row in near})
        assert measure(level, "graph_loops") == {"graph_loops": edges - nodes + parts}


def test_what_is_asked_for_in_the_order_asked_for() -> None:
    level = drawn("#.#").level()
    assert list(measure(level)) == list(MEASURES)
    assert list(measure(level, "rooms", "components")) == ["rooms", "components"]


def test_an_unknown_measure() -> None:
    with pytest.raises(BadInput, match="unknown measure 'loop'") as caught:
        measure(drawn("#.#").level(), "rooms", "loop")
    assert caught.value.fix == "did you mean 'loops'?"


def test_every_measure_says_what_it_is() -> None:
    assert all(entry.name == name and entry.about for name, entry in MEASURES.items())


# --- the pictures of document 004 -----------------------------------------------------------------------------------------------------


def test_the_cave_of_the_document() -> None:
    cave = uc.load(PICTURES / "cave.txt", read_as="text:cave")
    assert cave.size == (60, 30)
    assert int(cave.walkable.sum()) == 783
    assert measure(cave, "components", "loops", "density") == {"components": 1, "loops": 23, "density": 0.435}
    assert not cave.walkable[[0, -1]].any()
    assert not cave.walkable[:, [0, -1]].any()


def test_the_rooms_of_the_document() -> None:
    keep = uc.survey(uc.load(PICTURES / "rooms.txt", read_as="text:rooms"))
    assert keep.size == (81, 31)
    names = ("components", "loops", "dead_ends", "rooms", "doors")
    assert measure(keep, *names) == {"components": 1, "loops": 3, "dead_ends": 0, "rooms": 33, "doors": 36}
    for room in keep.rooms:
        assert (room.x % 2, room.y % 2, room.width % 2, room.height % 2) == (1, 1, 1, 1)
        assert room.area == room.width * room.height
    rooms = {room.label for room in keep.rooms}
    assert sum(door.a in rooms and door.b in rooms for door in keep.doors) == 6
    assert sum(keep.graph.degree(label) == 1 for label in rooms) == 25
