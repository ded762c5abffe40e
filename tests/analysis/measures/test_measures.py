from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.maps import after, components, draft_of, holes, soup
from support.paths import ROOT, TESTS
from undercroft import limits
from undercroft.analysis.measures.table import MEASURES, Facts, measure
from undercroft.analysis.survey import surveyed
from undercroft.core.level import Level
from undercroft.core.region import LINK_DTYPE, REGION_DTYPE, REGION_KINDS, Regions, Thing, view_links
from undercroft.core.run import Run
from undercroft.errors import BadInput, OutOfBudget
from undercroft.steps.furnish.furnish import Furnish

PICTURES = TESTS / "cases" / "pictures"


def of(picture: str, *names: str) -> list[object]:
    return list(measure(surveyed(Level.parse(picture)), *names).values())


def test_all_measures_of_a_small_house() -> None:
    house = surveyed(
        Level.parse("""
        ##########
        #<..+,,,.#
        #...#,##,#
        #...+,,,>#
        ##########
        """)
    )
    assert measure(house) == {
        "components": 1,
        "connectivity": 1.0,
        "density": 0.42,
        "corridor_ratio": 0.428571,
        "loops": 2,
        "dead_ends": 0,
        "dead_end_ratio": 0.0,
        "choke_points": 0,
        "choke_area_max": 0,
        "longest_path": 9,
        "diameter": 9,
        "rooms": 2,
        "corridors": 1,
        "room_area_mean": 5.0,
        "room_area_min": 1,
        "room_area_max": 9,
        "room_area_stdev": 4.0,
        "room_area_gini": 0.4,
        "compactness": 0.338868,
        "graph_loops": 1,
        "loop_ratio": 0.333333,
        "leaf_rooms": 0.5,
        "branching": 1.5,
        "linearity": 1.0,
        "danger": 0.0,
        "flow_differences": None,
        "doors": 2,
        "door_spacing": 2,
        "locks": 0,
        "path_length": 9,
        "poi_length": 9,
        "solution_length": 9,
        "backtrack": 0,
        "unlosable": 1,
        "secret_need": 0,
        "secret_share": 0.0,
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
        (".+,\n.+,", "graph_loops", 0),
        (".+,\n.#,\n.+,", "graph_loops", 1),
        (".#.", "graph_loops", 0),
        ("###", "graph_loops", 0),
        (",,,,", "dead_ends", 2),
        (".,,,", "dead_ends", 1),
        (",", "dead_ends", 0),
        ("....", "dead_ends", 0),
        ("#+.", "dead_ends", 1),
        (".+.", "dead_ends", 0),
        (",,,,", "dead_end_ratio", 0.5),
        (".,,,", "dead_end_ratio", 0.333333),
        ("....", "dead_end_ratio", 0.0),
        ("####", "dead_end_ratio", 0.0),
        (".#..#...", "room_area_stdev", 0.816497),
        ("..#..", "room_area_stdev", 0.0),
        (",,", "room_area_stdev", None),
        ("<..>", "unlosable", 1),
        ("<#.>", "unlosable", None),
        ("....", "unlosable", None),
        ("<...>", "path_length", 4),
        ("<.#.>", "path_length", None),
        ("<...", "path_length", None),
        ("<..\n##.\n>..", "path_length", 6),
        ("###", "poi_length", 0),
        ("#...#", "poi_length", 2),
        ("..+,,", "poi_length", 4),
        ("#.#.#", "connectivity", 0.5),
        ("..#.#", "connectivity", 0.666667),
        ("...", "connectivity", 1.0),
        ("###", "connectivity", 1.0),
        (".+,,", "corridor_ratio", 0.5),
        ("....", "corridor_ratio", 0.0),
        (",,,,", "corridor_ratio", 1.0),
        ("###", "corridor_ratio", 0.0),
        ("...", "choke_points", 1),
        ("....", "choke_points", 2),
        ("..\n..", "choke_points", 0),
        ("...\n.#.\n...", "choke_points", 0),
        ("..#..\n.....\n..#..", "choke_points", 3),
        ("###", "choke_points", 0),
        ("...", "choke_area_max", 1),
        (".....", "choke_area_max", 2),
        ("..#...\n......\n..#...", "choke_area_max", 7),
        (".#...", "choke_area_max", 1),
        ("###", "choke_area_max", 0),
        (".", "longest_path", 0),
        ("....", "longest_path", 3),
        (".#....", "longest_path", 3),
        ("...\n...", "longest_path", 3),
        (".....\n.###.\n.###.\n.....", "longest_path", 7),
        ("###", "longest_path", None),
        (".", "diameter", 0),
        ("..#....\n..#####", "diameter", 3),
        ("###.\n....\n.###", "diameter", 5),
        ("###", "diameter", None),
        ("..#.", "room_area_mean", 1.5),
        (",,,", "room_area_mean", None),
        ("..#.", "room_area_min", 1),
        ("..#.", "room_area_max", 2),
        ("###", "room_area_min", None),
        ("###", "room_area_max", None),
        ("..#..", "room_area_gini", 0.0),
        ("...#.", "room_area_gini", 0.25),
        (".", "room_area_gini", 0.0),
        ("###", "room_area_gini", None),
        (".", "compactness", 0.95493),
        ("..", "compactness", 0.763944),
        ("..\n..", "compactness", 0.95493),
        ("....", "compactness", 0.449379),
        ("..#..", "compactness", 0.238732),
        (",,", "compactness", None),
        (".+.\n+#+\n.+.", "loop_ratio", 0.25),
        (".+.+.", "loop_ratio", 0.0),
        (".", "loop_ratio", 0.0),
        (".+.+.", "leaf_rooms", 0.666667),
        (".", "leaf_rooms", 0.0),
        ("###", "leaf_rooms", None),
        (".+.+.", "branching", 1.333333),
        (".+,+.", "branching", 1.0),
        (".", "branching", 0.0),
        (",", "branching", None),
        ("<+.+>", "linearity", 1.0),
        ("<+>+.", "linearity", 0.666667),
        ("<,+>\n+###\n.###", "linearity", 0.5),
        ("<#>", "linearity", None),
        ("..+.", "linearity", None),
        (",<,>,", "linearity", None),
        (".+.+.", "door_spacing", 2),
        (".+#\n#.+", "door_spacing", 2),
        (".++.", "door_spacing", 1),
        (".+.", "door_spacing", None),
        ("<.+.>", "locks", 0),
        ("#.L.+.LS#", "locks", 2),
        ("<..>", "solution_length", 3),
        ("<.L>", "solution_length", None),
        ("<.L>", "path_length", 3),
        ("<#>", "solution_length", None),
        ("<..>", "backtrack", 0),
        ("<..", "backtrack", None),
        ("<#>", "backtrack", None),
        ("<.>", "secret_need", 0),
        ("<S>", "secret_need", 1),
        ("<S>\n...", "secret_need", 0),
        ("<#>", "secret_need", None),
        ("..S", "secret_need", None),
        ("<..", "secret_share", 0.0),
        ("<.S.", "secret_share", 0.333333),
        ("<S.\n...", "secret_share", 0.0),
        ("<.S.#.", "secret_share", 0.333333),
        ("..S.", "secret_share", None),
        ("<", "secret_share", 0.0),
    ],
)
def test_drawn(picture: str, name: str, value: object) -> None:
    assert of(picture, name) == [value]


def test_dead_ends_of_a_cave_count() -> None:
    """Ground that is a room has no dead ends, but a cave has."""
    cave = Level.parse("#..#\n#.##")
    assert measure(surveyed(cave, kind="cave"), "dead_ends") == {"dead_ends": 2}
    assert measure(surveyed(cave), "dead_ends") == {"dead_ends": 0}


def test_loops_are_holes() -> None:
    for number in range(500):
        draft = soup(number, ("##...", "#....", "####..")[number % 3], 16)
        level = draft.level()
        assert measure(level, "loops", "components") == {
            "loops": holes(level.walkable),
            "components": components(level.walkable),
        }


def test_loops_of_the_graph_against_a_search() -> None:
    for number in range(300):
        chance = np.random.default_rng(number)
        nodes, edges = int(chance.integers(1, 9)), int(chance.integers(0, 14))
        table = np.zeros(edges, LINK_DTYPE)
        table["a"], table["b"] = chance.integers(1, nodes + 1, edges), chance.integers(1, nodes + 1, edges)
        regions = np.zeros(nodes, REGION_DTYPE)
        regions["kind"] = REGION_KINDS.index("room")
        level = Level(
            np.ones((1, 1), np.uint8), regions=Regions(np.zeros((1, 1), np.int32), regions), links=view_links(table)
        )
        near = np.eye(nodes, dtype=bool)
        near[table["a"] - 1, table["b"] - 1] = near[table["b"] - 1, table["a"] - 1] = True
        for _ in range(nodes):
            near = near @ near
        parts = len({row.tobytes() for row in near})
        assert measure(level, "graph_loops") == {"graph_loops": edges - nodes + parts}


def test_locks_are_cells_that_a_lock_is_on_whatever_stands_there() -> None:
    draft = draft_of("#<.L.+.>#")
    cells = {"the door that is locked anyway": 3, "twice on one": 5, "and again": 5, "on the floor": 6, "a wall": 0}
    draft.things = [Thing("lock", x, 0, {"key": name}) for name, x in cells.items()] + [
        Thing("key", 2, 0),
        Thing("chest", 4, 0),
    ]
    assert measure(draft.level(), "locks") == {"locks": 3}
    keep = uc.generate(str(ROOT / "examples" / "locked-keep.toml"), seed=5, size=(60, 20), locks=3)
    assert measure(keep, "locks") == {"locks": sum(door.state == "locked" for door in keep.doors)} == {"locks": 3}


def test_what_is_asked_for_in_the_order_asked_for() -> None:
    level = draft_of("#.#").level()
    assert list(measure(level)) == list(MEASURES)
    assert list(measure(level, "rooms", "components")) == ["rooms", "components"]


def test_an_unknown_measure() -> None:
    with pytest.raises(BadInput, match="unknown measure 'loop'") as caught:
        measure(draft_of("#.#").level(), "rooms", "loop")
    assert caught.value.fix == "did you mean 'loops'?"


def test_every_measure_says_what_it_is() -> None:
    assert all(entry.name == name and entry.about for name, entry in MEASURES.items())


def test_every_measure_is_drawn_on_its_page() -> None:
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    sections = {part.partition("\n")[0]: part for part in page.split("\n### ")[1:]}
    assert list(sections) == list(MEASURES)
    for name, section in sections.items():
        assert "```python\n>>> " in section
        assert f'"{name}"' in section


def test_a_measure_that_gives_up_is_left_out_of_all_and_raised_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing there and given up are different answers."""
    monkeypatch.setattr(limits, "DIAMETER_VISITS", limits.DIAMETER_VISITS._replace(value=100))
    level = uc.generate("cave", seed=1, size=(40, 30))
    found = measure(level)
    assert [name for name in MEASURES if name not in found] == ["diameter"]
    with pytest.raises(OutOfBudget, match="gave up on the diameter after 0 searches") as caught:
        measure(level, "loops", "diameter")
    assert "longest_path" in caught.value.fix
    assert measure(Level.parse("....\n...."), "diameter") == {"diameter": 4}, "a full rectangle needs no search"


def test_each_measure_has_the_whole_budget() -> None:
    """Whether a number can be had does not depend on what was measured before it."""
    level = uc.generate("cave", seed=1, size=(40, 30))
    facts = Facts(level)
    most = 0
    for name in MEASURES:
        measure(facts, name)
        most = max(most, facts.run.used)
    assert measure(Facts(level, Run(budget=most))) == measure(level)


def test_three_measures_do_not_cost_thirty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shared is found once, and what nobody asked for is not found."""
    level = uc.generate("rooms-and-mazes", seed=1, size=(41, 31))
    asked: Counter[str] = Counter()

    def count_calls(name: str) -> Any:
        fact = vars(Facts)[name]

        def compute_and_count(self: Facts) -> Any:
            asked[name] += 1
            return fact.func(self)

        counting = cached_property(compute_and_count)
        counting.__set_name__(Facts, name)
        return counting

    names = [name for name, fact in vars(Facts).items() if isinstance(fact, cached_property)]
    for name in names:
        monkeypatch.setattr(Facts, name, count_calls(name))
    measure(level, "rooms", "doors", "branching")
    assert asked.keys() == {"level", "is_room", "links", "degrees"}
    asked.clear()
    measure(level)
    assert asked == Counter(set(names) - {"_solution_or_error"})


def test_the_cost_of_a_measure_counts_against_the_budget() -> None:
    for name in (
        "components",
        "loops",
        "choke_points",
        "longest_path",
        "path_length",
        "poi_length",
        "diameter",
        "secret_share",
    ):
        run = Run()
        MEASURES[name].of(Facts(Level.parse("<...S..>\n..#..#.."), run))
        assert run.used > 0, name
        with pytest.raises(OutOfBudget):
            MEASURES[name].of(Facts(Level.parse("<...S..>\n..#..#.."), Run(budget=1)))


# --- locks, keys and monsters ---


def level_with_things(picture: str, *things: Thing) -> Level:
    draft = draft_of(picture)
    draft.things = list(things)
    return draft.level()


def test_a_solution_goes_back_for_the_key() -> None:
    level = level_with_things(
        "#########\n#...<.L>#\n#########", Thing("key", 1, 1, {"opens": "red"}), Thing("lock", 6, 1, {"key": "red"})
    )
    names = ("path_length", "solution_length", "backtrack")
    assert measure(level, *names) == {"path_length": 3, "solution_length": 9, "backtrack": 3}
    assert measure(level_with_things("<.L>", Thing("key", 3, 0)), *names) == {
        "path_length": 3,
        "solution_length": None,
        "backtrack": None,
    }


def test_a_puzzle_that_is_too_hard_is_given_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def hopeless(level: Level, *, run: Run) -> None:
        asked.append(level)
        raise OutOfBudget("gave up")

    monkeypatch.setattr("undercroft.analysis.solver.solve.solve", hopeless)
    found = measure(level_with_things("<.L>", Thing("key", 1, 0)))
    assert [name for name in MEASURES if name not in found] == [
        "solution_length",
        "backtrack",
        "unlosable",
        "secret_need",
    ]
    assert len(asked) == 1


def test_a_solution_walks_around_what_is_in_the_way() -> None:
    level = level_with_things("<..>\n....", Thing("statue", 2, 0, {"blocks": True}))
    assert measure(level, "path_length", "solution_length") == {"path_length": 3, "solution_length": 5}


def test_a_key_behind_a_secret_door_is_a_need() -> None:
    level = level_with_things("..S<.L>", Thing("key", 0, 0))
    assert measure(level, "secret_need", "secret_share") == {"secret_need": 1, "secret_share": 0.666667}


@pytest.mark.parametrize(
    ("things", "danger"),
    [
        ([], 0.0),
        ([{"group": "monster", "danger": 3}, {"group": "monster", "danger": 2}], 2.5),
        ([{"group": "trap", "danger": 1.5}], 0.75),
        ([{"group": "loot", "danger": 9}, {"danger": 9}], 0.0),
        ([{"group": "monster"}, {"group": "monster", "danger": "much"}, {"group": "trap", "danger": True}], 1.5),
        ([{"group": "monster", "danger": 0}], 0.0),
        ([{"group": "monster", "danger": 1e308}, {"group": "trap", "danger": 1e308}], 1e9),
        (
            [
                {"group": "monster", "danger": [7]},
                {"group": "trap", "danger": {"day": 1}},
                {"group": "trap", "danger": 4},
            ],
            3.0,
        ),
    ],
)
def test_danger(things: list[dict[str, Any]], danger: float) -> None:
    """Over the two rooms of the map."""
    level = level_with_things(".+.", *(Thing("thing", 0, 0, data) for data in things))
    assert measure(level, "danger") == {"danger": danger}


def test_danger_of_things_that_are_only_named_and_of_a_level_without_rooms() -> None:
    assert measure(
        level_with_things(".+.", Thing("monster", 0, 0), Thing("trap", 2, 0), Thing("rat", 2, 0)), "danger"
    ) == {"danger": 1.0}
    assert measure(level_with_things(",,", Thing("monster", 0, 0, {"danger": 4})), "danger") == {"danger": 4.0}


def test_danger_of_a_furnished_level_is_what_its_monsters_say() -> None:
    level = uc.generate("bsp", seed=3)
    draft = uc.Draft.of(level)
    after(Furnish(danger=(5, 20)), draft, seed=1)
    monsters = [int(thing.data["danger"]) for thing in draft.things if thing.data.get("group") == "monster"]
    assert monsters
    assert measure(draft.level(), "danger") == {"danger": round(sum(monsters) / len(level.rooms), 6)}


# --- maps that others drew ---


def test_a_cave_that_was_drawn_elsewhere() -> None:
    cave = uc.load(PICTURES / "cave.txt", read_as="text:cave")
    assert cave.size == (60, 30)
    assert int(cave.walkable.sum()) == 783
    assert measure(cave, "components", "loops", "density") == {"components": 1, "loops": 23, "density": 0.435}
    assert not cave.walkable[[0, -1]].any()
    assert not cave.walkable[:, [0, -1]].any()


def test_rooms_that_were_drawn_elsewhere() -> None:
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


@pytest.mark.parametrize(
    ("things", "number"),
    [
        ([], 1),
        ([("one-way", 4, 1, {"to": "W"})], 0),
        ([("lock", 4, 1, {"key": "red"}), ("lock", 8, 1, {"key": "red"}), ("key", 5, 1, {"opens": "red"})], 1),
        (
            [
                ("lock", 4, 1, {"key": "red"}),
                ("lock", 8, 1, {"key": "red"}),
                ("key", 5, 1, {"opens": "red", "consumed": True}),
            ],
            0,
        ),
        ([("lock", 8, 1, {"key": "red"})], None),
    ],
)
def test_unlosable(things: list[tuple[str, int, int, dict[str, str]]], number: int | None) -> None:
    draft = uc.Draft.of(Level.parse("#############\n#...+...+..>#\n#...#.<.#...#\n#############"))
    draft.things = [Thing(*thing) for thing in things]
    level = draft.level()
    assert measure(level, "unlosable") == {"unlosable": number}
    assert uc.solve(level).unlosable == bool(number)


def test_mistakes_in_what_is_asked_for() -> None:
    level = Level.parse("...")
    with pytest.raises(BadInput, match=r"a measure is a name, not \['loops'\]"):
        measure(level, ["loops"])  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="unknown measure 'lops'"):
        measure(level, "lops")
