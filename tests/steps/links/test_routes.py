"""Hallways along the cheapest paths: against a slow search, and whatever the shapes of the rooms."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import label

from support.maps import HEAVY, after, border, components, draft_of, facts, picture, soup
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.region import LINK_DTYPE, REGION_KINDS, Regions, view_links
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import OutOfBudget
from undercroft.recipe.document import Recipe
from undercroft.steps.facts.survey import Survey
from undercroft.steps.links import kept_ways, routes
from undercroft.steps.links.hallways import Hallways
from undercroft.steps.links.triangulate import Triangulate
from undercroft.steps.rectangles import CELL, place_boxes
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Siblings, Split

WALL, FLOOR, CORRIDOR, DOOR = (STANDARD[name] for name in ("wall", "floor", "corridor", "door"))
COSTS = routes.RouteCosts()
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
BEST = 16
"""The place of the kernel's state that holds the cost of the last route."""


def regions(draft: Draft) -> Regions:
    assert draft.regions is not None
    return draft.regions


def walkable(draft: Draft) -> NDArray[np.bool_]:
    return draft.palette.walkable[draft.tiles]


def linked(draft: Draft | str, pairs: Iterable[tuple[int, int]], sockets: str = "") -> Draft:
    """The drawing with these links planned, and sockets drawn beside it: = for a wall that stays closed, + for a
    socket.
    """
    draft = draft_of(draft) if isinstance(draft, str) else draft
    table = np.zeros(len(rows := list(pairs)), LINK_DTYPE)
    table["door"] = -1
    for at, (a, b) in enumerate(rows):
        table["a"][at], table["b"][at] = a, b
    draft.links = view_links(table)
    if sockets:
        signs = np.array([list(row) for row in picture(sockets).split("\n")])
        draft.layers["sockets"] = (signs == "=").astype(np.uint8) + 2 * (signs == "+").astype(np.uint8)
    return draft


def dig_routes(
    draft: Draft | str,
    pairs: Iterable[tuple[int, int]] = ((1, 2),),
    sockets: str = "",
    *,
    seed: int = 0,
    run: Run | None = None,
    **knobs: Any,
) -> Draft:
    return after(Hallways(way="path", **knobs), linked(draft, pairs, sockets), seed=seed, run=run)


def pictures(draft: str, pairs: Iterable[tuple[int, int]] = ((1, 2),), sockets: str = "", seeds: int = 40) -> set[str]:
    return {str(dig_routes(draft, pairs, sockets, seed=seed)) for seed in range(seeds)}


# --- drawn ------------------------------------------------------------------------------------------------------------


def test_rooms_that_face_each_other_are_joined_straight_and_not_at_their_corners() -> None:
    rooms = """
        ############
        #111####222#
        #111####222#
        #111####222#
        #111########
        ############
    """
    assert pictures(rooms) == {
        picture("""
            ############
            #...####...#
            #...,,,,...#
            #...####...#
            #...########
            ############
        """)
    }


def test_of_ways_as_good_as_each_other_any_may_be_dug() -> None:
    wide = """
        ##################
        #1111########2222#
        #1111########2222#
        #1111########2222#
        #1111########2222#
        #1111########2222#
        #1111########2222#
        ##################
    """
    rows = [int(np.argwhere(dig_routes(wide, seed=seed).tiles == CORRIDOR)[0, 0]) for seed in range(200)]
    assert set(rows) == {2, 3, 4, 5}, "not at the edges"
    assert all(20 < rows.count(row) < 90 for row in range(2, 6))
    apart = """
        ###########
        #111#######
        #111#######
        #111#######
        ###########
        #######222#
        #######222#
        #######222#
        ###########
    """
    corners = [bool((dig_routes(apart, seed=seed).tiles[1:4, 4:] == CORRIDOR).any()) for seed in range(100)]
    assert 25 < sum(corners) < 75, "either way round"


def test_a_room_in_the_way_is_gone_round_and_not_along() -> None:
    rooms = """
        ###################
        ###################
        ###################
        #111###22222###333#
        #111###22222###333#
        #111###22222###333#
        ###################
        ###################
        ###################
    """
    for seed in range(30):
        draft = dig_routes(rooms, [(1, 3)], seed=seed)
        assert int((draft.tiles == CORRIDOR).sum()) in (15, 16, 17)
        assert not (draft.tiles[2:7, 6:13] == CORRIDOR).any()


def test_or_gone_through_if_that_is_much_shorter() -> None:
    wall = "\n".join(["#" * 13, *["#11###2###33#"] * 21, "#" * 13])
    for seed in range(10):
        draft = dig_routes(wall, [(1, 3)], seed=seed)
        assert int((draft.tiles == CORRIDOR).sum()) == 6
        assert components(walkable(draft)) == 1


def test_hallways_merge() -> None:
    rooms = """
        ########################
        #1111################22#
        #1111################22#
        #1111################22#
        ########################
        #####################33#
        #####################33#
        #####################33#
        ########################
        ########################
    """
    for seed in range(20):
        one = int((dig_routes(rooms, [(1, 2)], seed=seed).tiles == CORRIDOR).sum())
        both = int((dig_routes(rooms, [(1, 2), (1, 3)], seed=seed).tiles == CORRIDOR).sum())
        assert both <= one + 7


def test_a_hallway_meets_rooms_straight_on() -> None:
    """Where there is room to: no turn in a doorway, so that a door can hang there."""
    for seed in range(60):
        draft = after(Triangulate(extra=0.2), odd_rooms(seed, 60, 40, gap=5), seed=seed)
        rooms = len(regions(draft))
        after(Hallways(way="path"), draft, seed=seed)
        labels, ways = regions(draft).labels, draft.tiles == CORRIDOR
        is_room = (labels > 0) & (labels <= rooms)
        for y, x in np.argwhere(ways).tolist():
            sides = [is_room[y + dy, x + dx] for dx, dy in STEPS]
            if sum(sides) == 1:
                dx, dy = STEPS[sides.index(True)]
                assert walkable(draft)[y - dy, x - dx]
            assert sum(sides) < 2, "no hallway runs along a room"


def test_neither_the_border_nor_what_is_frozen_is_dug() -> None:
    rooms = """
        #########
        ###1#2###
        #########
        #########
    """
    draft = draft_of(rooms)
    draft.frozen = np.zeros(draft.tiles.shape, bool)
    draft.frozen[1, 4] = True
    assert str(dig_routes(draft)) == picture("""
        #########
        ###.#.###
        ###,,,###
        #########
    """)
    draft = draft_of(rooms)
    draft.frozen = np.zeros(draft.tiles.shape, bool)
    draft.frozen[1:3, 4] = True
    run = Run()
    assert str(dig_routes(draft, run=run)) == picture("""
        #########
        ###.,.###
        #########
        #########
    """), "else round a corner, and whoever froze it puts it back"
    assert run.notes == ["1 of 1 hallways go round a corner through whatever is there: there is no other way"]


def test_open_cells_of_the_border_may_be_passed() -> None:
    assert str(dig_routes("1,,,,,2\n#######\n#######")) == ".,,,,,.\n#######\n#######"


@pytest.mark.parametrize(
    ("before", "then"),
    [
        ("1#2", ".,."),
        ("1\n#\n2", ".\n,\n."),
        ("12", ".."),
        ("1#\n#2", None),
        ("#####\n#1#2#\n#####", "#####\n#.,.#\n#####"),
        ("1##\n###\n##2", None),
    ],
)
def test_tiny_maps(before: str, then: str | None) -> None:
    for seed in range(10):
        draft = dig_routes(before, seed=seed)
        assert components(walkable(draft)) == 1
        assert then is None or str(draft) == then
        assert [link.carved for link in draft.links] == [True]


def test_a_region_without_cells_stays_unjoined_and_unmentioned() -> None:
    draft = linked("#1#2#", [(1, 2)])
    draft.regions = Regions(np.array([[0, 1, 0, 0, 0]], np.int32), regions(draft).table)
    after(Hallways(way="path"), draft, run=(run := Run()))
    assert str(draft) == "#.#.#"
    assert [link.carved for link in draft.links] == [False]
    assert run.notes == []


def test_a_region_that_holds_its_own_walls() -> None:
    draft = draft_of("""
        ###########
        ##1##222###
        #111#222###
        ##1#####3##
        ###########
    """)
    labels = regions(draft).labels.copy()
    labels[labels == 3] = 0
    for y, x in ((1, 1), (1, 3), (0, 2), (2, 4), (3, 1), (3, 3), (4, 2), (2, 0)):
        labels[y, x] = labels[y, x] or 1
    table = regions(draft).table.copy()
    table["x"][0], table["y"][0], table["width"][0], table["height"][0] = 0, 0, 5, 5
    draft.regions = Regions(labels, table)
    after(Hallways(way="path"), linked(draft, [(1, 2)]), run=(run := Run()))
    assert draft.tiles[2, 4] == FLOOR
    assert run.notes == []


# --- sockets ----------------------------------------------------------------------------------------------------------

ROOMS = """
    ##############
    ##111#########
    ##111####222##
    ##111####222##
    #########222##
    ##############
    ##############
"""


def test_a_room_is_entered_at_its_sockets_only() -> None:
    sockets = """
        .=====........
        .=...+..=====.
        .=...=..=...=.
        .=...=..=...=.
        .=====..=...=.
        ........==+==.
        ..............
        ..............
    """
    for seed in range(20):
        draft = dig_routes(picture(ROOMS) + "\n##############", sockets=sockets, seed=seed, run=(run := Run()))
        assert run.notes == []
        assert draft.tiles[1, 5] == CORRIDOR
        assert draft.tiles[5, 10] == CORRIDOR
        shut = np.array([[sign == "=" for sign in row] for row in picture(sockets).split("\n")])
        assert not (draft.tiles[: len(shut)][shut] == CORRIDOR).any()
        assert components(walkable(draft)) == 1


def test_without_a_socket_that_can_be_reached_they_are_ignored() -> None:
    closed = """
        .=====........
        .=...=........
        .=...=........
        .=...=........
        .=====........
        ..............
        ..............
    """
    run = Run()
    draft = dig_routes(ROOMS, sockets=closed, run=run)
    assert components(walkable(draft)) == 1
    assert run.notes == ["1 of 1 hallways break through walls beside sockets: there is no other way"]


def test_walls_that_are_open_already_may_be_passed() -> None:
    draft = linked("#########\n#1#,,##2#\n#########", [(1, 2)])
    draft.tiles[1, 2] = CORRIDOR
    draft.layers["sockets"] = np.zeros(draft.tiles.shape, np.uint8)
    draft.layers["sockets"][:, 2] = 1
    after(Hallways(way="path"), draft, run=(run := Run()))
    assert str(draft) == "#########\n#.,,,,,.#\n#########"
    assert run.notes == []


def test_sockets_of_another_map_say_nothing() -> None:
    draft = linked("#####\n#1#2#\n#####", [(1, 2)])
    draft.layers["sockets"] = np.ones((2, 2), np.uint8)
    assert str(after(Hallways(way="path"), draft)) == "#####\n#.,.#\n#####"


# --- a slow search ----------------------------------------------------------------------------------------------------


def whim(place: int, salt: int) -> int:
    mixed = (place ^ salt) * 0x9E3779B1 & 0xFFFFFFFF
    return ((mixed ^ mixed >> 15) * 0x9E3779B1 & 0xFFFFFFFF) >> 29


class Slow:
    """All that a route may cost, as told in words: a plain search over the whole map."""

    def __init__(self, draft: Draft, a: int, b: int, salt: int, *, only: NDArray[np.bool_] | None = None) -> None:
        self.height, self.width = draft.height, draft.width
        self.labels, self.open, self.a, self.b, self.salt = regions(draft).labels, walkable(draft), a, b, salt
        self.kinds: list[str] = ["", *(region.kind for region in regions(draft))]
        walls = draft.layers.get("sockets", np.zeros(draft.tiles.shape))
        edge = np.ones(draft.tiles.shape, bool)
        edge[1:-1, 1:-1] = False
        self.shut = ~self.open & (edge | (walls == 1) | (False if draft.frozen is None else draft.frozen))
        if only is not None:
            self.shut |= ~self.open & ~only

    def inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def kind(self, x: int, y: int) -> str:
        return self.kinds[int(self.labels[y, x])]

    def is_open(self, x: int, y: int) -> bool:
        return self.inside(x, y) and bool(self.open[y, x])

    def is_room(self, x: int, y: int) -> bool:
        return self.inside(x, y) and not bool(self.shut[y, x]) and self.kind(x, y) not in ("", "cell", "corridor")

    def of(self, x: int, y: int, which: int) -> bool:
        return bool(
            self.labels[y, x] == which and (self.open[y, x] or (self.kind(x, y) == "cell" and not self.shut[y, x]))
        )

    def ground(self, x: int, y: int) -> str:
        if self.kind(x, y) == "cell":
            return "cell"
        if self.is_room(x, y):
            return "hall" if self.open[y, x] else "pillar"
        return "way" if self.open[y, x] else "rock"

    def passing(self, x: int, y: int, came: int, goes: int) -> int:
        ground = self.ground(x, y)
        cost = int(getattr(COSTS, ground))
        (before_x, before_y), (next_x, next_y) = STEPS[came], STEPS[goes]
        before, behind = (x - before_x, y - before_y), (x + next_x, y + next_y)
        lots = 0
        if not self.is_room(x, y):
            for cell, direction in ((before, came), (behind, goes)):
                if self.is_room(*cell):
                    lots += 1
                    dx, dy = STEPS[(direction + 1) % 4]
                    if not (self.is_room(cell[0] + dx, cell[1] + dy) and self.is_room(cell[0] - dx, cell[1] - dy)):
                        cost += COSTS.edge
        if came != goes:
            cost += COSTS.crooked if lots else COSTS.turn
            lots += 1
        if ground == "rock":
            cost += COSTS.beside * sum(
                self.is_open(x + dx, y + dy) for dx, dy in STEPS if (x + dx, y + dy) not in (before, behind)
            )
        return cost + lots * whim(y * self.width + x, self.salt)

    def cheapest(self) -> int | None:
        """What the cheapest route costs; None if there is none."""
        heap = []
        for y, x in np.argwhere(self.labels == self.a).tolist():
            if self.of(x, y, self.a):
                heap += [(0, x + dx, y + dy, way) for way, (dx, dy) in enumerate(STEPS)]
        heapq.heapify(heap)
        done = set()
        while heap:
            cost, x, y, came = heapq.heappop(heap)
            if not self.inside(x, y) or (x, y, came) in done or self.shut[y, x] or self.of(x, y, self.a):
                continue
            if self.of(x, y, self.b):
                return cost
            done.add((x, y, came))
            for goes in range(4):
                if goes != (came + 2) % 4:
                    dx, dy = STEPS[goes]
                    heapq.heappush(heap, (cost + self.passing(x, y, came, goes), x + dx, y + dy, goes))
        return None


@contextmanager
def record_costs() -> Iterator[list[int]]:
    """The costs of routes that were dug meanwhile, each as the last of its call."""
    costs: list[int] = []
    kernel = vars(routes)["route"]

    def listening(state: Any, *rest: Any) -> int:
        used = kernel.dig_routes(state, *rest)
        costs.append(int(state[BEST]))
        return int(used)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routes, "route", SimpleNamespace(dig_routes=listening))
        patch.setattr(kept_ways, "has_frozen_cells", lambda draft: False)  # no further hallways
        yield costs


def cost_as_told(before: Draft, a: int, b: int, seed: int) -> tuple[int | None, int | None, bool]:
    """What the slow search finds, what the step says that it paid, and whether what was dug is worth just that."""
    salt = Rng.root(seed).stream("step").next()
    draft = Draft.of(before.level())
    draft.frozen = before.frozen
    slow = Slow(before, a, b, salt).cheapest()
    run = Run()
    with record_costs() as costs:
        after(Hallways(way="path"), linked(draft, [(a, b)]), seed=seed, run=run)
    if run.notes:
        return slow, None, True
    now = draft.tiles != before.tiles
    passed = np.isin(
        regions(before).labels, [region.label for region in regions(before) if region.kind == "cell"]
    ) & walkable(draft)
    return slow, costs[-1], Slow(before, a, b, salt, only=now | passed | walkable(before)).cheapest() == slow


@given(st.integers(0, 100_000))
def test_no_route_costs_less(number: int) -> None:
    """Small maps full of obstacles: open ways, rooms, pillars, frozen cells, sockets."""
    chance = np.random.default_rng(number)
    draft = after(Survey(), soup(number, "######~~..,+" if number % 2 else "##########..,", 20))
    table = np.flatnonzero(regions(draft).table["area"] > 0) + 1
    if len(table) < 2:
        return
    a, b = chance.choice(table, 2, replace=False).tolist()
    if number % 3 == 0:
        draft.frozen = chance.random(draft.tiles.shape) < 0.2
    if number % 5 == 0:
        draft.layers["sockets"] = (chance.random(draft.tiles.shape) < 0.2).astype(np.uint8)
    slow, paid, worth = cost_as_told(draft, a, b, number)
    assert slow == paid
    assert worth


def test_nor_when_the_way_leads_far_from_both() -> None:
    """Frozen walls between them, so that the first window is too small, and often the second too."""
    far = 0
    for number in range(60 if HEAVY else 12):
        chance = np.random.default_rng(number)
        draft = after(Survey(), two_rooms(chance, 60, 50))
        left = min(region.x for region in regions(draft))
        draft.frozen = np.zeros(draft.tiles.shape, bool)
        for x in (left + 4, left + 6):
            draft.frozen[:, x] = True
            draft.frozen[chance.integers(1, 49), x] = False
        slow, paid, worth = cost_as_told(draft, 1, 2, number)
        assert slow == paid
        assert worth
        far += paid is not None and paid > COSTS.rock * 60
    assert far > 4


def test_nor_when_a_dear_route_is_near_and_a_cheap_one_far() -> None:
    """A large room between them: through it within the first window, or round it."""
    round_it = 0
    for number in range(40 if HEAVY else 8):
        chance = np.random.default_rng(number)
        draft = Draft(40, 50)
        wide, high = (int(n) for n in chance.integers((4, 24), (16, 36)))
        draft.tiles[24:27, 3:6] = draft.tiles[24:27, 34:37] = FLOOR
        draft.tiles[25 - high // 2 :, 12 : 12 + wide][:high] = FLOOR
        after(Survey(), draft)
        a, b = (region.label for region in regions(draft) if region.width == region.height == 3)
        slow, paid, worth = cost_as_told(draft, a, b, number)
        assert slow == paid
        assert worth
        assert paid is not None
        round_it += paid < COSTS.hall * wide
    assert round_it > 2


def two_rooms(chance: np.random.Generator, width: int, height: int) -> Draft:
    """Two rooms not far from each other in much rock."""
    draft = Draft(width, height)
    x, y = int(chance.integers(4, width - 20)), int(chance.integers(4, height - 20))
    draft.tiles[y : y + 3, x : x + 4] = draft.tiles[y + 8 : y + 11, x + 8 : x + 12] = FLOOR
    return draft


def test_among_cells_too() -> None:
    for number in range(60 if HEAVY else 15):
        draft = Draft(30, 24)
        for step in (
            Scatter(radius=0.5, mean_width=3.0, mean_height=3.0),
            Separate(),
            Chambers(min_width=4, min_height=4, least=2, fill=1.0, small="keep"),
        ):
            after(step, draft, seed=number)
        rooms = [region.label for region in regions(draft) if region.kind == "room"]
        for a, b in pairwise(rooms[:4]):
            slow, paid, worth = cost_as_told(draft, a, b, number)
            assert slow == paid
            assert worth


# --- whatever the rooms -----------------------------------------------------------------------------------------------


def odd_rooms(number: int, width: int, height: int, *, gap: int = 0, sockets: bool = False, tries: int = 30) -> Draft:
    """Rooms of any shape: blocks, an L, rings, crosses, steps, single cells; on the border, side by side and within
    each other unless a gap is asked for.
    """
    chance = np.random.default_rng(number)
    draft = Draft(width, height)
    labels, count = np.zeros((height, width), np.int32), 0
    walls = np.zeros((height, width), np.uint8)
    for _ in range(tries):
        wide, high = (int(n) for n in chance.integers(1, 11, 2))
        shape = np.ones((high, wide), bool)
        sort = chance.integers(6)
        if sort == 1:
            shape[: high // 2, : wide // 2] = False
        elif sort == 2:
            shape[1 + (gap > 0) : high - 1 - (gap > 0), 1 + (gap > 0) : wide - 1 - (gap > 0)] = False
        elif sort == 3:
            shape[0, : wide // 3] = shape[0, wide - wide // 3 :] = False
        elif sort == 4:
            shape[: high // 3, : wide // 3] = shape[: high // 3, wide - wide // 3 :] = shape[
                high - high // 3 :, : wide // 3
            ] = False
        elif sort == 5:
            shape = np.ones((1, 1), bool)
        shape = np.rot90(shape, int(chance.integers(4)))
        high, wide = shape.shape
        if high + 2 * gap > height or wide + 2 * gap > width:
            continue
        x, y = int(chance.integers(gap, width - wide - gap + 1)), int(chance.integers(gap, height - high - gap + 1))
        near = labels[max(0, y - gap) : y + high + gap, max(0, x - gap) : x + wide + gap]
        if (near if gap else labels[y : y + high, x : x + wide][shape]).any() or components(shape) > 1:
            continue
        count += 1
        labels[y : y + high, x : x + wide][shape] = count
        draft.tiles[y : y + high, x : x + wide][shape] = FLOOR
    if sockets:
        inside = np.pad(labels > 0, 1)
        rim = (inside[:-2, 1:-1] | inside[2:, 1:-1] | inside[1:-1, :-2] | inside[1:-1, 2:]) & ~inside[1:-1, 1:-1]
        walls[rim] = np.where(chance.random(int(rim.sum())) < 0.25, 2, 1)
        draft.layers["sockets"] = walls
    table = np.zeros(count, regions_table().dtype)
    for row in range(count):
        ys, xs = np.nonzero(labels == row + 1)
        table[row] = (REGION_KINDS.index("room"), xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1, len(xs))
    draft.regions = Regions(labels, table)
    return draft


def regions_table() -> NDArray[Any]:
    return Regions.empty(1, 1).table


@given(st.integers(0, 100_000), st.booleans(), st.sampled_from([0.0, 0.6]), st.integers(1, 50), st.integers(1, 40))
def test_the_two_regions_of_every_link_are_joined(
    number: int, sockets: bool, doors: float, width: int, height: int
) -> None:
    draft = after(Triangulate(extra=0.3), odd_rooms(number, width, height, sockets=sockets), seed=number)
    was, rooms, planned = walkable(draft).copy(), len(regions(draft)), [(link.a, link.b) for link in draft.links]
    shut = draft.layers.get("sockets", np.zeros_like(draft.tiles)) == 1
    run = Run()
    after(Hallways(way="path", doors=doors), draft, seed=number, run=run)
    now, labels = walkable(draft), regions(draft).labels
    assert [(link.a, link.b, link.carved) for link in draft.links] == [(a, b, True) for a, b in planned]
    parts, _ = label(now)
    for a, b in planned:
        assert len(set(parts[(labels == a) | (labels == b)].tolist())) == 1
    assert now[was].all()
    assert set(np.unique(draft.tiles[now & ~was]).tolist()) <= {CORRIDOR, DOOR}
    if not any("corner" in note for note in run.notes):
        assert not border((now & ~was).astype(np.uint8)).any()
    if sockets and not run.notes:
        assert not (shut & now & ~was).any()
    assert (
        np.bincount(labels.reshape(-1), minlength=len(regions(draft)) + 1)[1:].tolist()
        == regions(draft).table["area"].tolist()
    )
    assert {region.kind for region in regions(draft)} <= {"room", "corridor"}
    assert ((labels > rooms) == (draft.tiles == CORRIDOR)).all()
    for link in draft.links:
        assert (link.kind == "door") == (link.door >= 0)
        if link.door >= 0:
            door = draft.doors[link.door]
            assert {door.a, door.b} & {link.a, link.b}
    for door in draft.doors:
        assert draft.tiles[door.y, door.x] == DOOR


@given(st.integers(0, 10_000), st.sampled_from(["keep", "corridor"]))
def test_cells_on_the_way_are_kept_and_others_forgotten(number: int, cells: Any) -> None:
    chance = np.random.default_rng(number)
    draft = Draft(*chance.integers(5, 60, 2).tolist())
    for step in (
        Scatter(radius=0.4),
        Separate(),
        Chambers(min_width=5, min_height=4, fill=1.0, least=4, small="keep"),
        Triangulate(),
    ):
        after(step, draft, seed=number)
    before = Draft.of(draft.level())
    draft = Draft.of(before.level())
    after(Hallways(way="path", cells=cells), draft, seed=number)
    assert components(walkable(draft)) == 1
    kept = {(region.x, region.y) for region in regions(draft) if region.kind == "cell"}
    for cell in regions(before):
        if cell.kind == "cell":
            here = set(draft.tiles[cell.y : cell.y + cell.height, cell.x : cell.x + cell.width].reshape(-1).tolist())
            assert here == {WALL} or here == {FLOOR if cells == "keep" else CORRIDOR}
            assert ((cell.x, cell.y) in kept) == (here == {FLOOR})


def test_a_link_may_end_at_a_cell() -> None:
    draft = draft_of("############\n#111########\n#111########\n############\n############")
    draft.regions = place_boxes(draft, np.array([(6, 1, 3, 2)], np.int32), CELL, Run(), stays=np.ones(1, bool))
    assert str(dig_routes(draft)).split("\n")[1:3] in (
        ["#...,,...###", "#...##...###"],
        ["#...##...###", "#...,,...###"],
    )
    assert [region.kind for region in regions(draft)] == ["room", "cell", "corridor"]


def test_a_cell_that_somebody_passed_is_open_for_those_who_follow() -> None:
    draft = draft_of("""
        ###################
        #111###########222#
        #111###########222#
        #111###########222#
        ###################
        #33#############44#
        ###################
        ###################
        ###################
    """)
    draft.regions = place_boxes(draft, np.array([(7, 1, 5, 4)], np.int32), CELL, Run(), stays=np.ones(4, bool))
    draft = dig_routes(draft, [(1, 2), (3, 4)])
    assert (draft.tiles[1:5, 7:12] == FLOOR).all()
    assert (draft.tiles[5, 7:12] == WALL).sum() >= 3, "nobody digs along it"


def test_a_link_tells_of_the_door_at_its_first_room() -> None:
    """Also when the search went from the second to the first."""
    for wall in (False, True):
        draft = Draft(40, 40)
        draft.tiles[18:21, 10:13] = draft.tiles[18:21, 20:23] = FLOOR
        after(Survey(), draft)
        draft.frozen = np.zeros(draft.tiles.shape, bool)
        draft.frozen[8:32, 16] = wall
        dig_routes(draft, doors=1.0)
        assert len(draft.doors) == 2
        assert {draft.doors[draft.links[0].door].a, draft.doors[draft.links[0].door].b} == {1, 3}


def test_open_soups_of_rooms_on_the_border() -> None:
    for number in range(600 if HEAVY else 60):
        draft = after(Triangulate(), after(Survey(), soup(number, "##~~..+,", 20)), seed=number)
        after(Hallways(way="path", doors=0.5), draft, seed=number)
        rooms = np.isin(regions(draft).labels, [region.label for region in regions(draft) if region.kind == "room"])
        assert len(set(np.unique(label(walkable(draft))[0][rooms]).tolist())) <= 1


# --- the effort -------------------------------------------------------------------------------------------------------


def test_a_region_that_is_shut_in_is_found_out_soon() -> None:
    for shut_in in (1, 2):
        draft = draft_of("\n".join(["#" * 300] * 300))
        draft.tiles[150, 150:153] = draft.tiles[150, 170:173] = FLOOR
        after(Survey(), draft)
        draft.frozen = np.zeros(draft.tiles.shape, bool)
        x = 150 if shut_in == 1 else 170
        draft.frozen[149:152, x - 1 : x + 4] = True
        run = Run()
        dig_routes(draft, run=run)
        assert len(run.notes) == 1
        assert run.used < 4 * draft.tiles.size, "the whole map was not searched"


def test_the_work_is_counted() -> None:
    draft = after(Siblings(), after(Chambers(), after(Split(), Draft(70, 50))))
    with pytest.raises(OutOfBudget):
        after(Hallways(way="path"), draft, run=Run(budget=4000))


def test_the_same_twice_and_another_with_another_seed() -> None:
    maps = [after(Triangulate(extra=0.3), odd_rooms(3, 50, 40, gap=2)) for _ in range(3)]
    first, second, other = (
        after(Hallways(way="path", doors=0.5), draft, seed=seed) for draft, seed in zip(maps, (5, 5, 6), strict=True)
    )
    assert facts(first) == facts(second)
    assert facts(first) != facts(other)


def test_notes_reach_the_user() -> None:
    text = """
        [[step]]
        use = "fill"
        [[step]]
        use = "split"
        depth = 1
        min_width = 1
        min_height = 1
        [[step]]
        use = "chambers"
        min_width = 1
        min_height = 1
        [[step]]
        use = "siblings"
        [[step]]
        use = "hallways"
        way = "path"
    """
    result = Recipe.parse(text, "halls.toml").generate(seed=1, size=(24, 12), frozen=np.ones((12, 24), bool))
    assert any("frozen cells put back" in note for note in result.notes)
