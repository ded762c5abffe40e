"""D-14, D-24: measures of dungeons."""

from __future__ import annotations

import networkx
import pytest

import undercroft as uc
from support.dungeons import CELLARS, build, cellars
from undercroft.analysis.measures.dungeon_measures import GREATEST, LEAST, split_floor
from undercroft.analysis.measures.table import DUNGEON_MEASURES, MEASURES, check_measures
from undercroft.analysis.requirements import parse, parse_requirements
from undercroft.core.dungeon import Dungeon
from undercroft.core.level import Level

LOOP = Level.parse("#####\n#...#\n#.#.#\n#...#\n#####")
ROOM = Level.parse("#####\n#...#\n#####")
THREE = Dungeon.of(
    {"1": LOOP, "2": LOOP, "crypt-1": ROOM},
    [("1", (1, 1), "2", (1, 1)), ("2", (3, 1), "1", (3, 1)), ("1", (2, 1), "crypt-1", (2, 1))],
)


def test_the_whole_is_counted() -> None:
    assert uc.measure(THREE, "floors", "links", "shafts", "floor_loops") == {
        "floors": 3,
        "links": 3,
        "shafts": 0,
        "floor_loops": 1,
    }


def test_floors_are_taken_together() -> None:
    assert uc.measure(THREE, "loops", "loops[1]", "loops[crypt-1]") == {"loops": 2, "loops[1]": 1, "loops[crypt-1]": 0}
    density = [uc.measure(level, "density")["density"] for level in THREE.levels]
    assert uc.measure(THREE, "density")["density"] == pytest.approx(sum(map(float, filter(None, density))) / 3)
    longest = [uc.measure(level, "longest_path")["longest_path"] or 0 for level in THREE.levels]
    assert uc.measure(THREE, "longest_path")["longest_path"] == max(longest)


def test_every_measure_of_levels_is_one_of_dungeons() -> None:
    found = uc.measure(THREE)
    assert {*found} >= {*MEASURES} - {"diameter"}
    assert list(found)[:4] == ["floors", "links", "shafts", "floor_loops"]
    assert len(DUNGEON_MEASURES) == len(MEASURES) + 4
    for name in (*LEAST, *GREATEST):
        assert name in MEASURES


def test_a_sum_needs_all_floors_and_a_mean_does_not() -> None:
    none = uc.measure(THREE, "path_length", "door_spacing", "compactness")
    assert none["path_length"] is None
    assert none["door_spacing"] is None


@pytest.mark.parametrize("seed", range(3))
def test_floor_loops_are_those_of_the_graph(seed: int, tmp_path: object) -> None:
    from pathlib import Path

    dungeon = build(cellars(Path(str(tmp_path)), CELLARS), seed)
    graph = networkx.MultiGraph()
    graph.add_nodes_from(dungeon.ids)
    seen = {}
    for one in dungeon.stairs:
        if one.form != "shaft":
            seen[one.link] = (one.floor, one.to)
    graph.add_edges_from(seen.values())
    measured = uc.measure(dungeon, "floors", "links", "floor_loops")
    assert measured["links"] == graph.number_of_edges()
    assert measured["floor_loops"] == graph.number_of_edges() - graph.number_of_nodes() + 1
    assert networkx.is_connected(graph)


def test_some_floors_of_a_dungeon_have_no_loops_below_zero(tmp_path: object) -> None:
    parts = Dungeon([THREE.floors[1], THREE.floors[2]])
    assert uc.measure(parts, "links", "floor_loops") == {"links": 0, "floor_loops": 0}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("romos", "unknown measure 'romos'"),
        ("rooms[9]", "no floor '9'"),
        ("floors[1]", "unknown measure 'floors[1]'"),
        ("rooms[]", "unknown measure 'rooms[]'"),
        ("rooms[1", "unknown measure 'rooms[1'"),
        (3, "a measure is a name"),
    ],
)
def test_a_wrong_name_is_told(name: object, problem: str) -> None:
    with pytest.raises(uc.BadInput) as caught:
        uc.measure(THREE, name)  # type: ignore[arg-type]
    assert caught.value.problem.startswith(problem)


def test_a_level_has_no_floors() -> None:
    with pytest.raises(uc.BadInput, match=r"unknown measure 'rooms\[1\]'"):
        uc.measure(ROOM, "rooms[1]")
    with pytest.raises(uc.BadInput, match="unknown measure 'floors'"):
        uc.measure(ROOM, "floors")
    assert check_measures(["rooms[1]", "links"], DUNGEON_MEASURES) == ("rooms[1]", "links")
    assert split_floor("rooms[crypt-1]") == ("rooms", "crypt-1")


def test_requirements_name_floors_and_wholes() -> None:
    from undercroft.analysis.measures.dungeon_measures import DungeonFacts

    facts = DungeonFacts(THREE)
    for text, met in (
        ("floor_loops >= 1", True),
        ("loops[1] >= 1", True),
        ("loops[crypt-1] >= 1", False),
        ("2 <= loops <= 2", True),
        ("loops between 3 and 4", False),
    ):
        requirement = parse(text, known=DUNGEON_MEASURES)
        assert requirement.is_met(facts) is met, text
        assert (requirement.distance(facts) == 0) is met, text
    assert parse_requirements(["links >= 2"], DUNGEON_MEASURES)[0].measure == "links"
    with pytest.raises(uc.BadInput, match="no dungeon can be so: links is a whole number from 0"):
        parse("links < 0", known=DUNGEON_MEASURES)
    with pytest.raises(uc.BadInput, match=r"unknown measure 'loops\[1\]'"):
        parse("loops[1] >= 1")


def test_a_dungeon_is_no_level() -> None:
    with pytest.raises(uc.BadInput, match="level is a Level, not a Dungeon") as caught:
        uc.solve(THREE)  # type: ignore[call-overload]
    assert caught.value.fix == 'take the level of a floor, for example dungeon["1"]'
