"""Locks and keys: what the step promises, over many levels of many recipes, proved by the solver."""

from __future__ import annotations

import functools
import os
from collections import Counter
from typing import Any

import networkx
import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY, after, components, draft_of, facts, picture, soup
from support.paths import ROOT
from support.promises import holds
from undercroft.analysis import reach
from undercroft.analysis.solver.solve import prove, solve
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.core.region import Regions, Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet
from undercroft.recipe.document import Recipe
from undercroft.steps.door_links import update_links
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.survey import Survey
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.locks import lock_doors
from undercroft.steps.locks.gates import MAX_ROOM_DOORS, Gate, build_lockable_map, find_room_gates, find_single_gates
from undercroft.steps.locks.key_places import KeyedGate, KeyPlanner, LockRequest
from undercroft.steps.locks.locks import COLOURS, Locks

SEEDS = int(os.environ.get("UNDERCROFT_SOAK", "0")) or (400 if HEAVY else 20)
RECIPES: dict[str, dict[str, Any]] = {
    "bsp": {"doors": 1.0},
    "rooms-and-mazes": {},
    "tinykeep": {},
    "isaac": {},
    "dungeoning": {},
}
"""With doors, with narrow places only, with loops, with secret rooms."""


@functools.lru_cache(maxsize=None if SEEDS < 1000 else 1)
def locked_level(name: str, seed: int) -> Level:
    return uc.generate(name, seed=seed, **RECIPES[name])


def locked(begin: Level | Draft, step: Locks, seed: int = 0) -> tuple[Level, list[str]]:
    """The level with locks, and what was said."""
    draft, run = begin if isinstance(begin, Draft) else Draft.of(begin), Run()
    after(step, draft, seed=seed, run=run)
    return draft.level(), run.notes


def cells(level: Level, kind: str) -> list[tuple[int, int]]:
    return [(thing.x, thing.y) for thing in level.things if thing.kind == kind]


def names(level: Level) -> Counter[str]:
    """Of the locks."""
    return Counter(str(thing.data["key"]) for thing in level.things if thing.kind == "lock")


def shut(level: Level) -> NDArray[np.bool_]:
    """Where one can walk while all locks are shut and no secret door is found."""
    return level.walkable & ~level.palette.role_mask("locked", "secret")[level.tiles]


def keeps(before: Level, level: Level, step: Locks) -> None:
    """All that is promised of every level: proved, keys in their places, nothing else changed."""
    holds(level)
    solution = solve(level)
    assert solution.solvable
    assert solution.unlosable or not step.unlosable
    assert not solution.needs_secrets
    at_locks = level.tiles != before.tiles
    assert set(cells(level, "lock")) == {(int(x), int(y)) for y, x in np.argwhere(at_locks)}
    assert (level.palette.role_mask("locked")[level.tiles] == at_locks).all()
    assert (level.start, level.end) == (before.start, before.end)
    assert level.things[: len(before.things)] == before.things
    is_door = level.palette.role_mask(*DOOR_ROLES)[level.tiles]
    openers = [thing for thing in level.things if thing.kind in ("key", "switch")]
    assert len({(thing.x, thing.y) for thing in openers}) == len(openers)
    for thing in openers:
        assert level.palette.role_mask("floor", "corridor")[level.tiles[thing.y, thing.x]]
        assert not is_door[thing.y - 1 : thing.y + 2, thing.x].any()
        assert not is_door[thing.y, thing.x - 1 : thing.x + 2].any()
        assert (thing.x, thing.y) not in (level.start, level.end)
        doors = [
            (lock.x, lock.y) for lock in level.things if lock.kind == "lock" and lock.data["key"] == thing.data["opens"]
        ]
        assert doors
        if step.keys == "kept" or len(names(level)) == sum(names(level).values()):
            assert all(
                reach.DistanceField(level.walkable, [door]).steps_to(thing.x, thing.y) >= step.apart for door in doors
            )


# --- three locks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RECIPES)
def test_three_locks_on_every_level(name: str) -> None:
    """Those few that have fewer, or none before the end, say so."""
    complete = needed = 0
    for seed in range(SEEDS):
        before = locked_level(name, seed)
        level, notes = locked(before, Locks(), seed)
        keeps(before, level, Locks())
        count = len(names(level))
        assert set(names(level)) == set(COLOURS[:count])
        assert set(names(level)) == {thing.data["opens"] for thing in level.things if thing.kind == "key"}
        assert (count == 3) == (not any(note.startswith(f"{count} of 3 locks") for note in notes))
        unguarded = (
            level.start is not None
            and level.end is not None
            and reach.DistanceField(shut(level), [level.start]).steps_to(*level.end) >= 0
        )
        assert unguarded == any(note.startswith("no lock is before the end") for note in notes)
        assert unguarded or solve(level).order, "nor does a secret door lead around all of them"
        complete += count == 3 and not unguarded
        needed += len(solve(level, secrets=False).order) > 1
    assert complete >= SEEDS * 0.97
    assert needed > SEEDS * 0.3, "some keys lie behind other locks"


DEEP = ("bsp", "rooms-and-mazes", "dungeoning")


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize(("locks", "depth"), [(4, 1), (3, 2), (5, 3), (4, 4), (16, 16)])
def test_depth(name: str, locks: int, depth: int) -> None:
    complete = 0
    for seed in range(max(6, SEEDS // 5)):
        step = Locks(locks=locks, depth=depth)
        level, notes = locked(locked_level(name, seed), step, seed)
        keeps(locked_level(name, seed), level, step)
        assert solve(level, secrets=False).depth <= depth
        complete += not notes
        assert notes or (solve(level, secrets=False).depth, len(names(level))) == (depth, locks)
    assert complete >= max(6, SEEDS // 5) * 0.7


VARIED = [
    Locks(keys="consumed"),
    Locks(locks=5, keys="consumed", colours=("red",)),
    Locks(locks=6, keys="consumed", colours=("red", "blue")),
    Locks(locks=6, keys="consumed", colours=("red", "blue"), unlosable=False, switches=0.3),
    Locks(locks=5, colours=("red", "blue")),
    Locks(locks=4, switches=0.5, one_way=0.5),
    Locks(locks=2, switches=1.0, one_way=1.0, keys="consumed", guard_end=False),
    Locks(locks=16, apart=2),
    Locks(locks=1, apart=20),
    Locks(locks=0, one_way=1.0),
]


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("step", VARIED, ids=str)
def test_all_parameters_keep_the_promise(name: str, step: Locks) -> None:
    for seed in range(max(4, SEEDS // 8)):
        level, _ = locked(locked_level(name, seed), step, seed)
        keeps(locked_level(name, seed), level, step)


def test_few_colours_and_keys_that_break() -> None:
    """As many keys as locks; and only who does not mind gets levels that can be lost."""
    lost = Counter[bool]()
    for seed in range(SEEDS):
        for unlosable in (True, False):
            level, _ = locked(
                locked_level("rooms-and-mazes", seed),
                Locks(locks=4, keys="consumed", colours=("red",), unlosable=unlosable),
                seed,
            )
            assert names(level) == {"red": len(cells(level, "lock"))}
            assert len(cells(level, "key")) >= 1
            assert all(
                thing.data == {"opens": "red", "consumed": True} for thing in level.things if thing.kind == "key"
            )
            lost[unlosable] += not prove(level).unlosable
    assert lost[True] == 0
    assert lost[False] > SEEDS // 20


def test_few_colours_and_keys_that_are_kept() -> None:
    level, notes = locked(locked_level("rooms-and-mazes", 1), Locks(locks=6, colours=("red", "blue")))
    assert names(level) == {"red": 3, "blue": 3}
    assert sorted(str(thing.data["opens"]) for thing in level.things if thing.kind == "key") == ["blue", "red"]
    assert not notes


def test_switches() -> None:
    level, _ = locked(locked_level("dungeoning", 1), Locks(locks=4, switches=0.5, keys="consumed"))
    assert sorted(names(level)) == ["blue", "gate-1", "gate-2", "red"]
    assert {thing.data["opens"] for thing in level.things if thing.kind == "switch"} == {"gate-1", "gate-2"}
    assert all("consumed" not in thing.data for thing in level.things if thing.kind == "switch")


# --- drawn ------------------------------------------------------------------------------------------------------------

HOUSE = """
    ################
    #<...+....#....#
    #....#....+....#
    #....#....#....#
    ##+########....#
    #.........#...>#
    ################
"""


def test_the_end_is_behind_a_lock_if_asked() -> None:
    guarded = Counter[bool]()
    for seed in range(60):
        for guard in (True, False):
            level, _ = locked(draft_of(HOUSE), Locks(locks=1, guard_end=guard), seed)
            assert level.start
            assert level.end
            behind = reach.DistanceField(shut(level), [level.start]).steps_to(*level.end) < 0
            guarded[guard] += behind
    assert guarded[True] == 60
    assert 20 < guarded[False] < 60


def test_a_narrow_place_is_taken_where_there_is_no_door() -> None:
    begin = draft_of("""
        ###############
        #<....####....#
        #.....,,,,....#
        #.....####...>#
        ###############
    """)
    found = {str(locked(Draft.of(begin.level()), Locks(locks=1), seed)[0]) for seed in range(30)}
    assert {str(level).count("L") for level in found} == {1}
    assert {row.index("L") for level in found for row in level.split("\n") if "L" in row} == {6, 9}, "at its mouths"


def test_all_doors_of_a_room_get_the_same_lock_if_there_is_a_way_round() -> None:
    ring = """
        #############
        #<....+.....#
        #.....#.....#
        #.....#+#####
        #.....#.....#
        #.....+....>#
        #############
    """
    level, notes = locked(draft_of(ring), Locks(locks=1))
    assert names(level) == {"red": 2}
    assert not notes
    assert str(level) == picture("""
        #############
        #<....+.....#
        #.....#.....#
        #.....#L#####
        #.....#.....#
        #.....L....>#
        #############
    """)
    on = build_lockable_map(draft_of(ring), (1, 1), (11, 5), Run())
    assert all(2 <= len(gate.cells) <= MAX_ROOM_DOORS for gate in find_room_gates(on, Rng.root(1), Run()))
    links = sorted(link.kind for link in level.links)
    assert links == ["door", "locked", "locked"]


def test_no_lock_before_a_closet() -> None:
    begin = "##########\n#<.....+.#\n#.....>###\n##########"
    level, notes = locked(draft_of(begin), Locks(locks=1))
    assert names(level) == {}
    assert notes == ["0 of 1 locks: all other doors can be walked around or have no place for a key 4 steps off"]


def test_what_is_missing_is_told_or_raised() -> None:
    room = "#######\n#<...>#\n#######"
    _, notes = locked(draft_of(room), Locks(locks=2, one_way=1.0))
    assert notes == [
        "0 of 2 locks: all other doors can be walked around or have no place for a key 4 steps off",
        "no one-way doors: there is no door that one can walk around, or too few of them",
    ]
    with pytest.raises(NotMet, match="0 of 2 locks") as caught:
        locked(draft_of(room), Locks(locks=2, exact=True))
    assert isinstance(caught.value.best, Level)
    assert caught.value.exit_code == 1
    locked(draft_of(HOUSE), Locks(locks=2, exact=True))
    with pytest.raises(NotMet, match="2 of 3 locks must be opened one after the other"):
        locked(draft_of(HOUSE), Locks(locks=3, depth=3, exact=True, apart=9))


def test_maps_without_ends_or_a_way() -> None:
    assert locked(draft_of("#....#"), Locks())[1] == ["no locks: the map has no start and end"]
    assert locked(draft_of("#<#.>#"), Locks())[1] == ["no locks: the end cannot be reached"]
    assert locked(draft_of("#....#"), Locks(locks=0))[1] == []
    trap = draft_of(HOUSE)
    trap.things = [Thing("one-way", 2, 4, {"to": "S"})]
    level, notes = locked(trap, Locks())
    assert notes == ["no locks: the level can be lost as it is"]
    assert names(level) == {}


def test_any_soup() -> None:
    """Odd sizes and shapes: what could be solved can be, and what could not be lost cannot be."""
    found = 0
    for number in range(300):
        draft = after(Ends(), soup(number, ("##..,+", "#,,,+", "..+#")[number % 3], 16))
        before = Draft.of(draft.level())
        level, _ = locked(
            Draft.of(before.level()),
            Locks(locks=1 + number % 4, keys=("kept", "consumed")[number % 2], one_way=0.5),
            number,
        )
        assert prove(level).solvable == prove(before).solvable
        assert prove(level).unlosable == prove(before).unlosable
        found += len(names(level)) + len(cells(level, "one-way"))
    assert found > 90


@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 2), (3, 3)])
def test_tiny_maps(size: tuple[int, int]) -> None:
    for fill in ("floor", "wall", "door"):
        level, _ = locked(after(Ends(), Draft(*size, fill=fill)), Locks(one_way=1.0))
        assert level.size == size
        assert names(level) == {}


# --- one-way doors ----------------------------------------------------------------------------------------------------


def ways(level: uc.Level) -> list[tuple[Any, ...]]:
    """The links by the boxes of the regions that they join, whatever the numbers of these are."""
    boxes = {region.label: region[2:7] for region in level.regions}
    joined = []
    for link in level.links:
        pair = [boxes[link.a], boxes[link.b]]
        door = level.doors[link.door][:2] if link.door >= 0 else None
        joined.append((str(door), link.kind, *(pair if link.kind == "one-way" else sorted(pair))))
    return sorted(joined)


def test_one_way_doors_lead_back_and_catch_nobody() -> None:
    found = 0
    for seed in range(SEEDS):
        before = locked_level("rooms-and-mazes", seed)
        level, _ = locked(before, Locks(one_way=1.0), seed)
        doors = [thing for thing in level.things if thing.kind == "one-way"]
        closed = level.walkable.copy()
        for thing in doors:
            closed[thing.y, thing.x] = False
        assert components(closed) == 1
        assert level.start is not None
        steps = reach.distances(closed, [level.start])
        for thing in doors:
            right, down = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}[str(thing.data["to"])]
            assert steps[thing.y + down, thing.x + right] <= steps[thing.y - down, thing.x - right]
            link = next(
                link for link in level.links if link.door >= 0 and level.doors[link.door][:2] == (thing.x, thing.y)
            )
            sides = (
                level.regions.labels[thing.y - down, thing.x - right],
                level.regions.labels[thing.y + down, thing.x + right],
            )
            assert (link.kind, link.a, link.b) == ("one-way", *sides)
        assert not {(thing.x, thing.y) for thing in doors} & {(int(x), int(y)) for x, y in level.path}
        assert ways(uc.survey(level)) == ways(level), "a later survey sees them too"
        assert ways(after(Survey(), Draft.of(level)).level()) == ways(level)
        found += len(doors)
    assert found > 2 * SEEDS


# --- what else is on the map ------------------------------------------------------------------------------------------


def test_regions_stay_where_only_doors_were_locked() -> None:
    before = locked_level("isaac", 3)
    level, _ = locked(before, Locks())
    assert level.regions == before.regions
    assert Counter(door.state for door in level.doors)["locked"] == 3
    assert Counter(link.kind for link in level.links)["locked"] == 3
    states = {(door.x, door.y): door.state for door in level.doors}
    assert all(states[cell] == "locked" for cell in cells(level, "lock"))


def test_regions_are_found_anew_where_doors_were_put() -> None:
    for seed in range(10):
        before = locked_level("tinykeep", seed)
        level, _ = locked(before, Locks(), seed)
        assert [(door.x, door.y) for door in level.doors if door.state == "locked"] == sorted(
            cells(level, "lock"), key=lambda cell: cell[::-1]
        )
        rooms = {(region.x, region.y, region.width, region.height): region.kind for region in before.rooms}
        again = {(region.x, region.y, region.width, region.height): region.kind for region in level.rooms}
        same = rooms.keys() & again.keys()
        assert len(same) >= len(rooms) - 3
        assert all(again[box] == rooms[box] for box in same)


def test_locks_once_more() -> None:
    """A second pass uses other names, and leaves what the first did."""
    step = Locks(locks=2, colours=("red", "blue"), switches=0.5)
    more = 0
    for seed in range(10):
        once, _ = locked(locked_level("dungeoning", seed), step, seed)
        twice, _ = locked(once, step, seed)
        assert twice.things[: len(once.things)] == once.things
        assert set(names(once)) == {"red", "gate-1"}
        assert set(names(twice)) - set(names(once)) <= {"blue", "gate-2"}
        assert prove(twice).unlosable
        thrice, _ = locked(twice, Locks(locks=1, colours=("red", "blue")), seed)
        assert set(names(thrice)) - set(names(twice)) <= {"blue", "red 2", "blue 2"}
        assert prove(thrice).unlosable
        more += len(names(thrice)) - len(names(once))
    assert more > 10


def test_furniture_comes_after() -> None:
    for seed in range(10):
        level, _ = locked(locked_level("rooms-and-mazes", seed), Locks(), seed)
        full = after(Furnish(share=1.0), Draft.of(level), seed=seed).level()
        assert any(thing.data.get("blocks") for thing in full.things)
        assert solve(full).unlosable


def test_locks_come_after_furniture() -> None:
    for seed in range(10):
        full = after(Furnish(share=1.0), Draft.of(locked_level("rooms-and-mazes", seed)), seed=seed).level()
        level, _ = locked(full, Locks(), seed)
        assert names(level)
        assert solve(level).unlosable
        standing = Counter((thing.x, thing.y) for thing in level.things)
        assert all(standing[cell] == 1 for kind in ("key", "lock") for cell in cells(level, kind))


def test_frozen_cells_are_not_locked() -> None:
    recipe = Recipe.parse('begins = ["tiles", "ends"]\n[[step]]\nuse = "locks"\n', "frozen.toml")
    begin = locked_level("rooms-and-mazes", 2)
    doors = begin.palette.role_mask("door", "opening")[begin.tiles]
    result = recipe.generate(seed=1, begin=begin, frozen=doors)
    assert not any("put back" in note for note in result.notes)
    assert not doors[[y for _, y in cells(result.level, "lock")], [x for x, _ in cells(result.level, "lock")]].any()


def test_a_palette_without_locked_doors_is_refused() -> None:
    palette = uc.Palette([tile for tile in STANDARD.tiles if tile.role != "locked"], "open house")
    draft = draft_of(HOUSE)
    draft.begin_anew(
        np.where(draft.tiles > STANDARD["locked door"], draft.tiles - 1, draft.tiles).astype(np.uint8), palette
    )
    draft.start, draft.end = (1, 1), (14, 5)
    with pytest.raises(BadInput, match="no tile with the role 'locked'"):
        locked(draft, Locks())


def test_more_depth_than_locks_is_told() -> None:
    _, notes = locked(draft_of(HOUSE), Locks(locks=2, depth=9))
    assert notes == ["depth is 2, not 9: there are no more locks"]
    with pytest.raises(NotMet, match="depth is 2, not 9: there are no more locks"):
        locked(draft_of(HOUSE), Locks(locks=2, depth=9, exact=True))


def test_a_mistake_in_colours_is_shown_where_it_stands() -> None:
    with pytest.raises(BadInput, match="colours are different words") as caught:
        Recipe.parse('begins = ["tiles", "ends"]\n[[step]]\nuse = "locks"\nlocks = 2\ncolours = []\n', "locks.toml")
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column, caught.value.place.text) == (5, 11, "colours = []")


# --- what the planner and the proof do for each other -----------------------------------------------------------------


def keyed(gate: tuple[int, int], key: tuple[int, int], name: str = "red") -> KeyedGate:
    return KeyedGate(Gate((gate,), guards=True), name, False, key, 1)


@pytest.mark.parametrize(
    ("map_", "plan", "step", "holds"),
    [
        (HOUSE, [keyed((10, 2), (6, 3))], Locks(), True),
        (HOUSE, [keyed((10, 2), (12, 4))], Locks(), False),  # behind its own lock
        (HOUSE, [keyed((10, 2), (6, 3)), keyed((2, 4), (7, 1))], Locks(keys="consumed"), True),
        # who opens the wrong door first has lost
        (HOUSE, [keyed((10, 2), (6, 3)), keyed((2, 4), (12, 4))], Locks(keys="consumed"), False),
        (HOUSE, [keyed((10, 2), (6, 3)), keyed((2, 4), (12, 4))], Locks(keys="consumed", unlosable=False), True),
    ],
)
def test_what_does_not_hold_is_not_taken(map_: str, plan: list[KeyedGate], step: Locks, holds: bool) -> None:
    assert lock_doors._is_proved(step, draft_of(map_), plan, False, Run()) is holds


def test_a_key_behind_a_secret_door_does_not_hold() -> None:
    draft = draft_of("""
        ###########
        #<...S....#
        #....#....#
        #....######
        #....+...>#
        ###########
    """)
    plan = [keyed((5, 4), (8, 1))]
    assert not lock_doors._is_proved(Locks(), draft, plan, False, Run())
    assert lock_doors._is_proved(Locks(), draft, plan, True, Run()), "unless the map needs secret doors anyway"


def test_a_key_that_breaks_never_lies_behind_a_lock_of_its_name() -> None:
    """Else whoever uses up the keys elsewhere would never come to it."""
    together = 0
    for seed in range(SEEDS):
        for name in ("rooms-and-mazes", "dungeoning"):
            begin = locked_level(name, seed)
            draft, rng, run = Draft.of(begin), Rng.root(seed).stream("locks"), Run()
            assert begin.start is not None
            assert begin.end is not None
            on = build_lockable_map(draft, begin.start, begin.end, run)
            wish = LockRequest(
                (("red", False), ("blue", False)) * 3, consumed=True, unlosable=True, guard_end=True, depth=0, apart=4
            )
            plan = KeyPlanner(draft, on, rng, run).plan(find_single_gates(on, 6, rng, run), wish)
            for colour in ("red", "blue"):
                shut_off = on.open.copy()
                for x, y in (cell for one in plan if one.name == colour for cell in one.gate.cells):
                    shut_off[y, x] = False
                field = reach.DistanceField(shut_off, [begin.start])
                assert all(field.steps_to(*one.key) >= 0 for one in plan if one.name == colour and one.key is not None)
            together += len(plan) > 3
    assert together > SEEDS // 2


def test_only_regions_that_are_as_they_were_keep_their_names() -> None:
    """A lock in the middle of a region makes two of it, and neither is what it was."""
    draft = after(
        Survey(),
        draft_of("""
        ##################
        #<....###....+...#
        #............#...#
        #.....###....#..>#
        ##################
    """),
    )
    assert draft.regions is not None
    assert len(draft.regions) == 2
    draft.regions = Regions(
        draft.regions.labels,
        draft.regions.table,
        {1: ("old",), 2: ("far",)},
        {1: "hall", 2: "cell"},
        {1: "The Hall", 2: "The Cell"},
    )
    draft.tiles[2, 7] = draft.palette.role("locked")
    update_links(draft, [(7, 2)], Run())
    assert len(draft.regions) == 3
    assert [(region.name, region.tags, region.template) for region in draft.regions] == [
        ("", (), ""),
        ("", (), ""),
        ("The Cell", ("far",), "cell"),
    ]
    assert sorted(link.kind for link in draft.links) == ["door", "locked"]


def test_every_lock_and_one_way_door_of_the_keep_is_in_its_graph() -> None:
    """Behind hallways too, which are planned as one link with one door."""
    keep = Recipe.load(ROOT / "examples" / "locked-keep.toml")
    ways = 0
    for seed in range(41):
        level = keep.generate(seed=seed).level
        through = {
            (level.doors[link.door].x, level.doors[link.door].y): link.kind for link in level.links if link.door >= 0
        }
        assert {through[cell] for cell in cells(level, "lock")} <= {"locked"}
        assert {through[cell] for cell in cells(level, "one-way")} <= {"one-way"}
        assert {cell for cell, kind in through.items() if kind == "locked"} == set(cells(level, "lock"))
        assert {cell for cell, kind in through.items() if kind == "one-way"} == set(cells(level, "one-way"))
        ways += len(cells(level, "one-way"))
        graph = level.graph.to_networkx(directed=True)
        assert level.start is not None
        assert level.end is not None
        first, last = (int(level.regions.labels[y, x]) for x, y in (level.start, level.end))
        assert networkx.has_path(graph, first, last)
        graph.remove_edges_from(
            [(a, b, key) for a, b, key, kind in graph.edges(keys=True, data="kind") if kind == "locked"]
        )
        unguarded = reach.DistanceField(shut(level), [level.start]).steps_to(*level.end) >= 0
        assert networkx.has_path(graph, first, last) == unguarded
    assert ways > 10


@pytest.mark.parametrize("colours", [(), ("red", "red"), ("red", " ")])
def test_colours_are_different_words(colours: tuple[str, ...]) -> None:
    with pytest.raises(BadInput, match="colours are different words"):
        Locks(colours=colours)


def test_the_same_again() -> None:
    for name in RECIPES:
        first, second = (
            facts(Draft.of(locked(locked_level(name, 5), Locks(locks=5, one_way=0.5, switches=0.5), 7)[0]))
            for _ in range(2)
        )
        assert first == second
