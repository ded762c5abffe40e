"""D-9, D-10, D-16, D-20, D-24: floors and links, from the recipe and the seed alone."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercroft.core.rng import Rng
from undercroft.errors import BadInput
from undercroft.recipe.dungeon.anchors import draw_anchors
from undercroft.recipe.dungeon.plan import BranchPlan, DungeonPlan, add_extra_links, plan_dungeon


def plan(floors: int = 6, branches: Any = (), seed: int = 7, way: str = "down", extra: int = 0) -> DungeonPlan:
    found = plan_dungeon([0] * floors, list(branches), way, Rng.root(seed), 1)
    return add_extra_links(found, {link.pair: extra for link in found.links if extra}, {})


def test_a_line() -> None:
    found = plan(3)
    assert [(floor.id, floor.branch, floor.depth) for floor in found.floors.values()] == [
        ("1", "", 1),
        ("2", "", 2),
        ("3", "", 3),
    ]
    assert [(link.name, link.way, link.kind) for link in found.links] == [
        ("1-2", "down", "main"),
        ("2-3", "down", "main"),
    ]


def test_a_branch_begins_one_deeper_and_returns() -> None:
    found = plan(6, [BranchPlan("crypt", (2,), 2, True)])
    assert [(floor.id, floor.depth) for floor in found.floors.values() if floor.branch] == [
        ("crypt-1", 3),
        ("crypt-2", 4),
    ]
    assert [(link.upper, link.lower, link.way, link.kind) for link in found.links if link.kind != "main"] == [
        ("2", "crypt-1", "down", "branch"),
        ("crypt-1", "crypt-2", "down", "branch"),
        ("crypt-2", "5", "down", "return"),
    ]


@pytest.mark.parametrize(("floors", "leaves", "wanted"), [(4, 3, "level"), (4, 4, "up"), (6, 3, "down")])
def test_a_branch_returns_at_the_depth_that_is_there(floors: int, leaves: int, wanted: str) -> None:
    back = plan(floors, [BranchPlan("crypt", (leaves,), 1, True)]).links[-1]
    assert (back.kind, back.way) == ("return", wanted)


def test_a_tower_leads_up() -> None:
    assert {link.way for link in plan(4, way="up").links} == {"up"}


def test_the_seed_decides_where_a_branch_leaves() -> None:
    branch = BranchPlan("crypt", (2, 3, 4), 1, False)
    leaves = [next(link.upper for link in plan(6, [branch], seed).links if link.kind == "branch") for seed in range(60)]
    assert {*leaves} == {"2", "3", "4"}
    one, both = plan(6, [branch]), plan(6, [BranchPlan("mine", (1, 2, 3), 1, False), branch])
    assert [link for link in one.links if "crypt" in link.name] == [link for link in both.links if "crypt" in link.name]


def test_a_floor_joins_at_most_four_others() -> None:
    branches = [BranchPlan(name, (3,), 1, False) for name in ("one", "two", "three")]
    assert len(plan(6, branches[:2]).links_of("3")) == 4
    with pytest.raises(BadInput, match="floor 3 joins 5 others") as caught:
        plan(6, branches)
    assert caught.value.fix == "at most 4: move a branch"


BRANCHES = st.lists(st.tuples(st.integers(1, 8), st.integers(1, 4), st.booleans()), max_size=3).map(
    lambda rows: [BranchPlan(f"b{index}", (leave,), length, back) for index, (leave, length, back) in enumerate(rows)]
)


@given(BRANCHES, st.integers(0, 3))
def test_pairs_that_share_a_floor_have_different_colours(branches: list[BranchPlan], extra: int) -> None:
    try:
        found = plan(8, branches, extra=extra)
    except BadInput:
        return
    colours = found.colours()
    assert colours.keys() == {link.pair for link in found.links}
    for one, other in combinations(colours, 2):
        if {*one} & {*other}:
            assert colours[one] != colours[other]
    assert max(colours.values()) < 2 if not branches else True


@given(BRANCHES, st.integers(0, 2), st.integers(0, 2**64 - 1), st.integers(4, 90), st.integers(4, 90))
def test_anchors_are_apart(branches: list[BranchPlan], extra: int, seed: int, width: int, height: int) -> None:
    try:
        found = plan(8, branches, extra=extra)
    except BadInput:
        return
    sizes = dict.fromkeys(found.floors, (width, height))
    anchors = draw_anchors(found, sizes, Rng.root(seed))
    assert all(0 <= x < width and 0 <= y < height for x, y in anchors.values())
    if not branches and not extra:
        for link in found.links:
            for other in found.neighbours(link):
                (x0, y0), (x1, y1) = anchors[link.name], anchors[other.name]
                assert 5 * (abs(x0 - x1) + abs(y0 - y1)) >= 2 * (width + height)


def test_links_that_come_later_move_no_anchor() -> None:
    short, long, branched = plan(4), plan(9), plan(4, [BranchPlan("crypt", (2,), 2, False)])
    anchors = [draw_anchors(one, dict.fromkeys(one.floors, (80, 50)), Rng.root(3)) for one in (short, long, branched)]
    assert anchors[0].items() <= anchors[1].items()
    assert anchors[0].items() <= anchors[2].items()


def test_anchors_lie_on_what_both_floors_cover() -> None:
    found = plan(3)
    for seed in range(50):
        anchors = draw_anchors(found, {"1": (90, 20), "2": (30, 70), "3": (200, 9)}, Rng.root(seed))
        assert all(x < 30 for x, _ in anchors.values())
        assert anchors["1-2"][1] < 20
        assert anchors["2-3"][1] < 9
