"""Room grids that cannot be: refused before any is tried, and only those. An oracle goes through all grids of a small
size.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

from support.maps import after
from undercroft.core.draft import Draft
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet
from undercroft.steps.grids.feasible_grid import max_rooms_without_loops
from undercroft.steps.grids.room_grid import RoomGrid

METHODS: tuple[Any, ...] = ("isaac", "neighbours", "drunkard")
CLAUSES: tuple[Any, ...] = ("count", "connected", "distinct", "apart", "dead end")
GRIDS = [(width, height) for width in range(1, 6) for height in range(1, 6) if width * height <= 12]
Cell = tuple[int, int]
Rooms = frozenset[Cell]


def around(cell: Cell) -> list[Cell]:
    return [(cell[0], cell[1] - 1), (cell[0] - 1, cell[1]), (cell[0] + 1, cell[1]), (cell[0], cell[1] + 1)]


@functools.cache
def connected(size: Cell) -> list[Rooms]:
    """All rooms that hang together on a grid of that size."""
    cells = {(x, y) for x in range(size[0]) for y in range(size[1])}
    found = last = {frozenset([cell]) for cell in cells}
    while last:
        last = {rooms | {near} for rooms in last for room in rooms for near in around(room) if near in cells - rooms}
        found = found | last
    return sorted(found, key=sorted)


def steps(rooms: Rooms, start: Cell) -> dict[Cell, int]:
    found = {start: 0}
    queue = [start]
    for room in queue:
        for near in around(room):
            if near in rooms and near not in found:
                found[near] = found[room] + 1
                queue.append(near)
    return found


@functools.cache
def outcomes(method: str, size: Cell) -> set[tuple[int, frozenset[str]]]:
    """The numbers of rooms and the clauses that hold, of all grids that a method may give by chance."""
    found = set()
    middle = (size[0] - 1) // 2, (size[1] - 1) // 2
    for rooms in connected(size):
        links = sum(near in rooms for room in rooms for near in around(room)) // 2
        if method == "isaac" and links >= len(rooms):
            continue
        for start in rooms if method == "drunkard" else rooms & {middle}:
            far = steps(rooms, start)
            ends = [room for room in rooms if far[room] == max(far.values())]
            dead = any(sum(near in rooms for near in around(room)) == 1 for room in ends)
            holds = (
                {"count", "connected"}
                | ({"distinct"} if len(rooms) > 1 else set())
                | ({"apart"} if max(far.values()) > 1 else set())
            )
            found.add((len(rooms), frozenset(holds | ({"dead end"} if dead else set()))))
    return found


def refused(**params: Any) -> bool:
    try:
        RoomGrid(**params).check(9, 9)
    except BadInput as error:
        return bool(error.fix)
    return False


def subsets() -> Iterator[tuple[Any, ...]]:
    return chain.from_iterable(combinations(CLAUSES, count) for count in range(len(CLAUSES) + 1))


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_is_refused_and_nothing_else(method: Any) -> None:
    """Every small grid, number of rooms and set of clauses."""
    right = 0
    for size in GRIDS:
        known = outcomes(method, size)
        for count in range(1, size[0] * size[1] + 2):
            for valid in subsets():
                possible = any(number == count and {*valid} <= holds for number, holds in known)
                if "count" not in valid:  # an attempt that dies out has fewer rooms
                    possible = (
                        any(number <= count and {*valid} <= holds for number, holds in known)
                        and count <= size[0] * size[1]
                    )
                assert refused(method=method, grid=size, rooms=count, valid=valid) == (not possible), (
                    size,
                    count,
                    valid,
                )
                right += not possible
    assert right > 500


def test_the_bound_without_loops() -> None:
    """On small grids it is exact. On larger ones no tree has more rooms, and some have nearly as many."""
    for size in GRIDS:
        assert max_rooms_without_loops(*size) == max(count for count, _ in outcomes("isaac", size))
    assert max_rooms_without_loops(8, 8) == 47
    assert len(grow_grid(1, rooms=45, grid=(8, 8)).links) == 44
    assert refused(rooms=48, grid=(8, 8))
    assert not refused(rooms=47, grid=(8, 8))
    assert refused(method="neighbours", crowded=(1.0, 1.0, 1.0), rooms=48)
    assert not refused(method="neighbours", crowded=(1.0, 1.0, 0.9), rooms=48)


def grow_grid(seed: int, **params: Any) -> Draft:
    return after(RoomGrid(**params), Draft(80, 50), seed=seed)


@pytest.mark.parametrize("crowded", [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0)])
@pytest.mark.parametrize("method", METHODS[:2])
def test_where_nothing_is_left_to_chance_the_check_knows_all(method: Any, crowded: Any) -> None:
    """With a refuse of 0 every seed gives the same grid: it is tried once, and refused before anything is made if it is
    not valid.
    """
    good = bad = 0
    for size in [(1, 7), (2, 2), (3, 3), (4, 3), (5, 5), (9, 8)]:
        for count in range(1, size[0] * size[1] + 1):
            params = {"method": method, "grid": size, "rooms": count, "refuse": 0.0, "crowded": crowded}
            if refused(**params):
                bad += 1
                run = Run()
                with pytest.raises(BadInput):
                    after(RoomGrid(**params), Draft(9, 9), run=run)
                assert run.used < 1000, "one try at the most"
            else:
                good += 1
                assert grow_grid(1, **params).tiles.tolist() == grow_grid(2, **params).tiles.tolist()
    assert good > 5
    assert bad > 40


def test_the_only_grid_that_there_can_be_is_told_with_its_faults() -> None:
    with pytest.raises(BadInput) as caught:
        RoomGrid(refuse=0.0, rooms=40).check(9, 9)
    assert (
        caught.value.problem == "nothing is left to chance, and the only grid of 40 rooms is not valid: 'count' fails"
    )
    assert (
        caught.value.fix
        == "ask for fewer rooms or a larger grid, choose a refuse between 0 and 1, or take 'count' out of valid"
    )
    with pytest.raises(BadInput, match="the only grid of 6 rooms is not valid: 'dead end' fails"):
        RoomGrid(
            refuse=0.0,
            base=6,
            level=1,
            per_level=0.0,
            jitter=1,
            grid=(3, 3),
            valid=("dead end",),
            method="neighbours",
            crowded=(0.0, 0.0, 0.0),
        ).check(9, 9)


@pytest.mark.parametrize("method", METHODS[:2])
@pytest.mark.parametrize("crowded", [(0.5, 0.5, 0.5), (0.2, 1.0, 0.3)])
@pytest.mark.parametrize("size", [(9, 8), (2, 7), (1, 7), (3, 3)])
def test_the_first_rooms_touch_the_start_if_none_is_refused(method: Any, crowded: Any, size: Cell) -> None:
    """`rooms = 4` and `apart`, without a refusal: the start builds on all its sides first."""
    beside = sum(0 <= x < size[0] and 0 <= y < size[1] for x, y in around(((size[0] - 1) // 2, (size[1] - 1) // 2)))
    for count in range(3, beside + 2):
        params = {"method": method, "grid": size, "rooms": count, "refuse": 0.0, "crowded": crowded}
        with pytest.raises(
            BadInput, match=f"the first {beside + 1} rooms are the start and those that touch it"
        ) as caught:
            RoomGrid(**params).check(9, 9)
        assert caught.value.fix == f"ask for {beside + 2} rooms or more, raise refuse, or take 'apart' out of valid"
        for seed in range(20):
            draft = grow_grid(seed, **params, valid=("count",))
            assert draft.start is not None
            assert draft.end in around(draft.start)


NEVER: list[tuple[str, str, dict[str, Any]]] = [
    (
        "with a refuse of 1 no room is ever built beside the first",
        "lower refuse, or take 'count' out of valid",
        {"refuse": 1.0, "valid": ("count",)},
    ),
    (
        "with a refuse of 1 no room is ever",
        "take 'count', 'distinct', 'apart' and 'dead end' out of valid",
        {"refuse": 1.0},
    ),
    (
        "with a refuse of 1 no room is ever",
        "take 'count', 'distinct', 'apart' and 'dead end' out of valid",
        {"refuse": 1.0, "method": "neighbours"},
    ),
    (
        "60 rooms are asked for, and without a loop a grid of 8x8 holds at most 47",
        "fewer, for a larger grid, or take 'count' out of valid",
        {"rooms": 60},
    ),
    (
        "level 15 asks for up to 55 rooms, and without a loop a grid of 8x8 holds at most 47",
        "a lower level, for a larger grid, or crowded below 1, or take 'count' out of valid",
        {"level": 15, "method": "neighbours", "crowded": (1.0, 1.0, 1.0)},
    ),
    (
        "64 rooms are asked for, and where all cells of a grid are rooms none is a dead end",
        "or take 'dead end' out",
        {"rooms": 64, "method": "drunkard"},
    ),
    (
        "on a grid of 3x1 all rooms touch the start",
        "a larger grid, or take 'apart' out of valid",
        {"rooms": 3, "grid": (3, 1)},
    ),
]


@pytest.mark.parametrize(("problem", "fix", "params"), NEVER)
def test_what_can_never_be_is_refused_at_once(problem: str, fix: str, params: dict[str, Any]) -> None:
    run = Run()
    for act in (lambda: RoomGrid(**params).check(9, 9), lambda: after(RoomGrid(**params), Draft(9, 9), run=run)):
        with pytest.raises(BadInput) as caught:
            act()
        assert problem in caught.value.problem
        assert fix in caught.value.fix
    assert run.used == 0


def test_a_refuse_of_1_is_fine_for_a_single_room() -> None:
    for method in METHODS:
        assert (
            np.count_nonzero(grow_grid(1, method=method, refuse=1.0, rooms=1, valid=("count", "connected")).tiles) == 1
        )
        assert np.count_nonzero(grow_grid(1, method=method, refuse=1.0, rooms=9, valid=("connected",)).tiles) == (
            9 if method == "drunkard" else 1
        )


SLOW: list[dict[str, Any]] = [
    {"method": "drunkard", "grid": (500, 1), "rooms": 500},
    {"method": "drunkard", "grid": (2, 300), "rooms": 599},
    {"method": "neighbours", "refuse": 1 - 2**-32},
    {"method": "neighbours", "crowded": (1 - 2**-32,) * 3, "rooms": 60, "valid": ("count",)},
    {"method": "isaac", "refuse": 1 - 2**-32, "reseed": 0, "rooms": 20},
]


@pytest.mark.parametrize("params", SLOW)
def test_hopeless_work_ends_soon(params: dict[str, Any]) -> None:
    """It is not impossible, so that only trying tells. Without a bound it went on for the whole budget, a minute or
    so.
    """
    run = Run()
    with pytest.raises(
        NotMet, match=r"no room grid of [\d,]+ (try|tries) is valid, and they took long\n    count: failed"
    ) as caught:
        after(RoomGrid(**params), Draft(9, 9), run=run)
    assert run.used < 1 << 27
    assert "more tries" not in caught.value.fix
    assert "take 'count' out of valid" in caught.value.fix
