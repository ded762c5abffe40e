"""The finishing steps: loops, lakes and pits, rough edges, roles, choke points, secret doors. None of them may cut
anything off.
"""

from __future__ import annotations

import functools
from collections import deque
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import label

import undercroft as uc
from support.maps import HEAVY, after, border, components, draft_of, holes, picture, soup
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps import neighbourhood
from undercroft.steps.facts.chokes import Chokes
from undercroft.steps.facts.ends import Ends
from undercroft.steps.finish.lakes import Lakes, Pits
from undercroft.steps.finish.roles import Roles
from undercroft.steps.finish.roughen import Roughen
from undercroft.steps.finish.secrets import Secrets
from undercroft.steps.links.loops import Loops
from undercroft.steps.mazes.maze import Prune

MAPS = 2000 if HEAVY else 60
WALL, FLOOR, CORRIDOR, DOOR, OPENING, SECRET = (
    STANDARD[name] for name in ("wall", "floor", "corridor", "door", "opening", "secret door")
)
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)
Mask = NDArray[np.bool_]
Point = tuple[int, int]


def walkable(draft: Draft) -> Mask:
    return STANDARD.walkable[draft.tiles]


def level(number: int) -> Draft:
    """A cave, a keep, a walk, a maze or a soup, with start, end and the way between them."""
    return Draft.of(example_level(number))


@functools.cache
def example_level(number: int) -> Level:
    if number % 5 == 4:
        return after(Ends(), soup(number, "##...,+", 24)).level()
    name, size = (("cave", (30, 20)), ("rooms-and-mazes", (31, 21)), ("walk", (30, 20)), ("maze", (31, 21)))[number % 5]
    return uc.generate(name, seed=number, size=size)


def whole(before: Draft, now: Draft) -> None:
    """Each part is one part still; the way is open, and the border as it was."""
    labels, count = label(walkable(before))
    left = walkable(now)
    assert not (left & ~walkable(before)).any() or components(left) <= count
    for part in range(1, count + 1):
        here = left & (labels == part)
        assert here.any()
        assert len(set(label(left)[0][here].tolist())) == 1
    assert (
        border(STANDARD.walkable[now.tiles].view(np.uint8)) == border(STANDARD.walkable[before.tiles].view(np.uint8))
    ).all()
    if now.path is not None:
        assert left[now.path[:, 1], now.path[:, 0]].all()


# --- what surrounds a cell --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ring", range(256))
def test_rings(ring: int) -> None:
    """By brute force on the nine cells."""
    square = np.zeros((3, 3), bool)
    for bit, (x, y) in enumerate(((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0))):
        square[y, x] = ring >> bit & 1
    parts = label(square)[0]
    assert neighbourhood.ring_part_counts()[ring] == len(
        {parts[y, x] for x, y in ((1, 0), (2, 1), (1, 2), (0, 1)) if parts[y, x]}
    )
    filled = square.copy()
    filled[1, 1] = True
    framed = [np.pad(cells, 2, constant_values=False) for cells in (square, filled)]
    beside = {parts[y, x] for x, y in ((1, 0), (2, 1), (1, 2), (0, 1)) if parts[y, x]}
    same = len(beside) == 1 and holes(framed[0]) == holes(framed[1])
    assert neighbourhood.simple_point_table()[ring] == same


def test_masks() -> None:
    mask = np.zeros((3, 4), bool)
    mask[1, 1] = True
    assert neighbourhood.adjacent_cells(mask).astype(int).tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0]]
    assert neighbourhood.dilated(mask).astype(int).tolist() == [[1, 1, 1, 0]] * 3
    assert neighbourhood.clear_border(np.ones((3, 4), bool)).astype(int).tolist() == [
        [0, 0, 0, 0],
        [0, 1, 1, 0],
        [0, 0, 0, 0],
    ]


# --- every one of them ------------------------------------------------------------------------------------------------

EVERY = [
    *(Loops(), Loops(detour=4, thickness=5), Loops(detour=10, role="floor", share=0.5)),
    *(Lakes(), Lakes(share=1.0, size=1000), Lakes(share=0.4, size=3), Pits(), Pits(share=0.5, size=100)),
    *(Roughen(), Roughen(wear=1.0, rubble=1.0, rounds=5), Roughen(wear=0.0, rubble=1.0), Roughen(rounds=0)),
    *(Roles(), Roles(width=2, least=3), Roles(doors=0.5)),
    *(Secrets(), Secrets(share=1.0), Secrets(share=1.0, keep="all"), Secrets(share=1.0, keep="none")),
    *(Chokes(), Prune()),
]


@pytest.mark.parametrize("step", EVERY, ids=str)
def test_nothing_is_cut_off_and_the_border_stays(step: Any) -> None:
    for number in range(MAPS):
        if isinstance(step, Prune):  # dead ends are there to go; what is left is one part
            draft = after(step, level(number), seed=number)
            assert components(walkable(draft)) <= components(walkable(level(number)))
        else:
            whole(level(number), after(step, level(number), seed=number))


@pytest.mark.parametrize("step", EVERY, ids=str)
@pytest.mark.parametrize("size", [(1, 1), (1, 9), (9, 1), (2, 2), (2, 9), (3, 3)])
def test_tiny_maps(step: Any, size: Point) -> None:
    for role in ("floor", "wall", "corridor", "door"):
        draft = after(step, Draft(*size, fill=role))
        assert components(walkable(draft)) <= 1
        assert (border(draft.tiles) == border(Draft(*size, fill=role).tiles)).all() or isinstance(
            step, Roles | Secrets | Prune
        )


# --- loops ------------------------------------------------------------------------------------------------------------


def steps_between(open_cells: Mask, a: Point, b: Point) -> int:
    """By a plain search."""
    far = {a: 0}
    queue = deque([a])
    while queue:
        x, y = queue.popleft()
        for nx, ny in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= nx < open_cells.shape[1] and 0 <= ny < open_cells.shape[0]
            if inside and open_cells[ny, nx] and (nx, ny) not in far:
                far[nx, ny] = far[x, y] + 1
                queue.append((nx, ny))
    return far.get(b, -1)


def thin_walls(draft: Draft, thickness: int) -> list[tuple[list[Point], Point, Point]]:
    """The cells of each wall between two ways, and what lies before and behind, in reading order of what lies
    before.
    """
    tiles, (height, width) = draft.tiles, draft.tiles.shape
    is_open, rock = walkable(draft), STANDARD.rock[tiles]
    labels = label(is_open)[0]
    found = []
    for y, x, (dx, dy) in product(range(height), range(width), ((1, 0), (0, 1))):
        if not is_open[y, x]:
            continue
        cells: list[Point] = []
        nx, ny = x + dx, y + dy
        while (
            0 < nx < width - 1
            and 0 < ny < height - 1
            and rock[ny, nx]
            and not is_open[ny + dx, nx + dy]
            and not is_open[ny - dx, nx - dy]
        ):
            cells.append((nx, ny))
            nx, ny = nx + dx, ny + dy
        if (
            0 < len(cells) <= thickness
            and nx < width
            and ny < height
            and is_open[ny, nx]
            and labels[ny, nx] == labels[y, x]
        ):
            found.append((cells, (x, y), (nx, ny)))
    return found


def opened(step: Loops, draft: Draft, seed: int) -> Draft:
    """The step by plain Python: the same order, every distance by a search from one end."""
    walls = thin_walls(draft, step.thickness)
    rng = Rng.root(seed).stream("step")
    for k in range(len(walls) - 1):
        other = k + rng.below(len(walls) - k)
        walls[k], walls[other] = walls[other], walls[k]
    made = 0
    for cells, a, b in walls[: int(step.share * len(walls) + 0.5)]:
        is_open = walkable(draft)
        (x, y), upright = cells[0], a[0] == b[0]
        if step.most and made == step.most:
            break
        if step.role in DOOR_ROLES and IS_DOOR[draft.tiles[y - 1 : y + 2, x - 1 : x + 2]].any():
            continue
        if any(
            is_open[cy, cx] or (is_open[cy, cx - 1 : cx + 2] if upright else is_open[cy - 1 : cy + 2, cx]).any()
            for cx, cy in cells
        ):
            continue
        if 0 <= steps_between(is_open, a, b) < step.detour:
            continue
        for cx, cy in cells:
            draft.tiles[cy, cx] = FLOOR if step.role == "floor" else CORRIDOR
        draft.tiles[y, x] = STANDARD[step.role]
        made += 1
    return draft


@pytest.mark.parametrize(
    "step",
    [
        Loops(detour=8),
        Loops(),
        Loops(detour=12, thickness=1, role="door"),
        Loops(detour=6, role="floor", most=3, share=0.5),
    ],
)
def test_loops_as_one_would_write_them(step: Loops) -> None:
    changed = 0
    for number in range(MAPS // 3):
        draft = after(step, level(number), seed=number)
        assert str(draft) == str(opened(step, level(number), number))
        changed += str(draft) != str(level(number))
    assert changed > MAPS // 15


@pytest.mark.parametrize(("detour", "thickness"), [(6, 1), (12, 3), (30, 6)])
def test_no_wall_is_left_that_costs_a_long_way_round(detour: int, thickness: int) -> None:
    for number in range(MAPS // 3):
        before = thin_walls(level(number), thickness)
        draft = after(Loops(detour=detour, thickness=thickness, role="floor"), level(number), seed=number)
        is_open = walkable(draft)
        assert all(
            0 <= steps_between(is_open, a, b) < detour
            for wall, a, b in thin_walls(draft, thickness)
            if (wall, a, b) in before
        )


def test_a_short_cut_through_a_wall() -> None:
    spiral = """
        #########
        #.......#
        #.#####.#
        #.#...#.#
        #.###...#
        #.#######
        #########
    """
    assert str(after(Loops(detour=15, role="door", thickness=1), spiral)) == picture("""
        #########
        #.......#
        #.#####.#
        #.+...#.#
        #.###...#
        #.#######
        #########
    """)
    assert str(after(Loops(detour=17), spiral)) == picture(spiral), "it is sixteen steps"
    assert str(after(Loops(detour=2), "#####\n#.#.#\n#####")) == "#####\n#.#.#\n#####", (
        "nothing leads there: that is work for join"
    )


# --- lakes and pits ---------------------------------------------------------------------------------------------------


def test_the_share_of_water() -> None:
    for share in (0.05, 0.3):
        for seed in range(20):
            draft = Draft(40, 30)
            draft.tiles[1:-1, 1:-1] = FLOOR
            assert int((after(Lakes(share=share), draft, seed=seed).tiles == STANDARD["water"]).sum()) == round(
                share * 38 * 28
            )


def test_water_that_would_cut_something_off_is_not_poured() -> None:
    run = Run()
    draft = after(Lakes(share=1.0, size=1000), "#####\n#...#\n#.#.#\n#...#\n#####", run=run)
    assert components(walkable(draft)) == 1
    assert int(walkable(draft).sum()) == 1
    assert run.notes == ["7 of 8 cells became water; of the others 1 would have cut something off"]


def why_dry(picture: str) -> list[str]:
    run = Run()
    after(Lakes(share=1.0), picture, run=run)
    return run.notes


def test_why_less_water_came_than_was_asked_for() -> None:
    kept = "may not change (not floor, frozen, or at a door, the border, the way or a thing)"
    assert why_dry("######\n#.,.,#\n######") == [
        f"1 of 4 cells became water; of the others 1 would have cut something off and 2 {kept}"
    ]
    assert why_dry("#####\n#,,,#\n#####") == [f"0 of 3 cells became water; of the others 3 {kept}"]
    assert why_dry("....\n....") == [f"0 of 8 cells became water; of the others 8 {kept}"]
    assert why_dry("####\n####") == []


@pytest.mark.parametrize("step", [Lakes(share=1.0, size=1000), Lakes(share=1.0, size=1), Pits(share=0.75, size=5)])
def test_no_place_for_more_is_left_where_less_came_than_was_asked_for(step: Lakes | Pits) -> None:
    """Every cell that may go and did not is one without which something falls apart, or is gone: by SciPy."""
    short = 0
    for number in range(MAPS):
        run = Run()
        before, now = level(number), after(step, level(number), seed=number, run=run)
        may = neighbourhood.clear_border(
            (before.tiles == FLOOR)
            & ~neighbourhood.adjacent_cells(neighbourhood.door_and_stair_cells(before))
            & ~neighbourhood.protected_cells(before)
        )
        is_open = walkable(now)
        asked = int(step.share * walkable(before).sum() + 0.5)
        changed = int((before.tiles != now.tiles).sum())
        assert changed <= asked
        assert len(run.notes) == (changed < asked)
        if changed == asked:
            continue
        short += 1
        for y, x in np.argwhere(may & is_open).tolist():
            less = is_open.copy()
            less[y, x] = False
            assert components(less) != components(is_open)
    assert short > MAPS // 10


def test_a_pool_is_found_however_few_cells_may_hold_one() -> None:
    """One cell of a hundred thousand."""
    draft = Draft(400, 300, fill="floor")
    draft.tiles[1:-1, 1:-1] = CORRIDOR
    draft.tiles[200, 300] = FLOOR
    assert str(after(Pits(share=0.00001, size=1), draft)).count(":") == 1


def test_a_lake_may_part_a_room_but_nothing_else() -> None:
    """The hall is two rooms afterwards, and one can still go round."""
    hall = """
        #########
        #.......#
        #+#####+#
        #,#####,#
        #,,,,,,,#
        #########
    """
    parted = 0
    for seed in range(40):
        draft = after(Lakes(share=0.1, size=2), hall, seed=seed)
        assert components(walkable(draft)) == 1
        parted += components(draft.tiles == FLOOR) == 2
    assert parted > 10


def test_water_spares_doors_stairs_start_end_the_way_and_things() -> None:
    for number in range(MAPS):
        before = level(number)
        before.things = [Thing("chest", int(x), int(y)) for y, x in np.argwhere(walkable(before))[::7]]
        things = list(before.things)
        now = after(Lakes(share=1.0, size=99), before, seed=number)
        kept = level(number)
        gates = neighbourhood.door_and_stair_cells(kept)
        assert (now.tiles[gates] == kept.tiles[gates]).all()
        beside = neighbourhood.adjacent_cells(gates) & walkable(kept)
        assert (now.tiles[beside] == kept.tiles[beside]).all()
        assert all(walkable(now)[thing.y, thing.x] for thing in things)
        assert now.start is None or walkable(now)[now.start[1], now.start[0]]
        assert (now.start, now.end) == (kept.start, kept.end)


def test_pools_are_as_large_as_they_may_be() -> None:
    def areas(size: int) -> list[int]:
        found: list[int] = []
        for seed in range(30):
            draft = Draft(60, 60)
            draft.tiles[1:-1, 1:-1] = FLOOR
            parts, count = label(after(Pits(share=0.002, size=size), draft, seed=seed).tiles == STANDARD["pit"])
            found += np.bincount(parts.reshape(-1))[1:].tolist() if count else []
        return found

    single, several = areas(1), areas(7)
    assert single.count(1) > 0.9 * len(single), "two may lie side by side"
    assert {1, 2, 3, 4, 5, 6, 7} <= set(several)
    assert sum(area > 7 for area in several) < 0.1 * len(several)


def test_nothing_to_flood() -> None:
    run = Run()
    assert str(after(Pits(share=0.5), "###\n#+#\n###", run=run)) == "###\n#+#\n###"
    assert run.notes == [
        (
            "0 of 1 cells became pit; of the others 1 may not change (not floor, frozen, or at a door, the border, "
            "the way or a thing)"
        )
    ]
    assert str(after(Lakes(share=0.0), "####\n#..#\n####")) == "####\n#..#\n####"


# --- rough edges ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "step",
    [
        Roughen(),
        Roughen(wear=1.0, rubble=1.0, rounds=9),
        Roughen(wear=1.0, rubble=0.0, rounds=30),
        Roughen(wear=0.0, rubble=0.5),
    ],
)
def test_rough_edges_join_part_make_and_fill_nothing(step: Roughen) -> None:
    """As many parts and as many ways round as before: by SciPy, not by the table of rings."""
    changed = 0
    for number in range(MAPS):
        before, now = level(number), after(step, level(number), seed=number)
        assert components(walkable(now)) == components(walkable(before))
        assert holes(walkable(now)) == holes(walkable(before))
        others = walkable(before) & (before.tiles != FLOOR)
        assert (now.tiles[others] == before.tiles[others]).all()
        assert ((now.tiles != FLOOR) | ~neighbourhood.dilated(others) | (before.tiles == FLOOR)).all(), (
            "nothing worn away at doors and corridors"
        )
        changed += str(now) != str(before)
    assert changed > MAPS // 3


def test_edges_are_worn() -> None:
    room = Draft(31, 21)
    room.tiles[5:16, 5:26] = FLOOR
    worn = after(Roughen(wear=0.5, rubble=0.0, rounds=1), Draft.of(room.level()))
    grown = worn.tiles == FLOOR
    assert grown[5:16, 5:26].all()
    assert 0.35 < (grown.sum() - 11 * 21) / (2 * 11 + 2 * 21) < 0.65
    filled = after(Roughen(wear=0.0, rubble=0.5, rounds=1), Draft.of(worn.level()))
    assert int((filled.tiles == FLOOR).sum()) < grown.sum()


# --- roles ------------------------------------------------------------------------------------------------------------


def test_corridors_and_doorways() -> None:
    plain = """
        #################
        #...#########...#
        #...............#
        #...####.####...#
        ########.########
        #.#...##.....####
        #.....##......###
        #################
    """
    assert str(after(Roles(), plain)) == picture("""
        #################
        #...#########...#
        #...',,,,,,,'...#
        #...####,####...#
        ########'########
        #,#...##.....####
        #,'...##.....,###
        #################
    """)
    assert str(after(Roles(least=3, doorways=0.0), plain)) == picture("""
        #################
        #...#########...#
        #...,,,,,,,,,...#
        #...####,####...#
        ########,########
        #,#...##.....####
        #,,...##......###
        #################
    """)


@pytest.mark.parametrize(
    "step", [Roles(doorways=0.0), Roles(width=2, doorways=0.0), Roles(width=3, least=4, doorways=0.0)]
)
def test_narrow_is_where_no_square_fits(step: Roles) -> None:
    side = step.width + 1
    for number in range(MAPS // 2):
        before = level(number)
        is_open, (height, width) = walkable(before), before.tiles.shape
        wide = np.zeros_like(is_open)
        for y, x in product(range(height - side + 1), range(width - side + 1)):
            if is_open[y : y + side, x : x + side].all():
                wide[y : y + side, x : x + side] = True
        narrow = (before.tiles == FLOOR) & ~wide
        parts = label(narrow)[0]
        sizes = np.bincount(parts.reshape(-1))
        expected = before.tiles.copy()
        expected[narrow & (sizes >= step.least)[parts]] = CORRIDOR
        assert (after(step, before, seed=number).tiles == expected).all()


@pytest.mark.parametrize("width", [1, 2])
def test_doorways_stand_apart_between_walls(width: int) -> None:
    seen = 0
    for number in range(MAPS):
        before, now = level(number), after(Roles(doors=0.5, width=width), level(number), seed=number)
        is_open = walkable(now)
        fresh = IS_DOOR[now.tiles] & ~IS_DOOR[before.tiles]
        doors = np.pad(IS_DOOR[now.tiles], 1)
        for y, x in np.argwhere(fresh).tolist():
            assert doors[y : y + 3, x : x + 3].sum() == 1
            across = is_open[y, x - 1], is_open[y, x + 1]
            along = is_open[y - 1, x], is_open[y + 1, x]
            assert (all(across) and not any(along)) or (all(along) and not any(across))
            assert now.tiles[y, x] in (DOOR, OPENING)
            seen += 1
        assert (walkable(now) == walkable(before)).all()
    assert seen > 50


def test_doorways_of_wider_corridors() -> None:
    """Where the mouth is one cell, whatever counts as narrow; where it is wider, the step says so."""
    run = Run()
    plain = """
        #####################
        #.....####....###...#
        #................+..#
        #.............#.#...#
        #.....####....#.....#
        #.....####....###...#
        #####################
    """
    draft = after(Roles(width=2), plain, run=run)
    assert str(draft) == picture("""
        #####################
        #.....####....###...#
        #.....,,,,....',,+..#
        #.....,,,,....#,#...#
        #.....####....#,'...#
        #.....####....###...#
        #####################
    """)
    assert run.notes == ["mouths of corridors that are wider than one cell, and got no doorway: 2"]
    for step in (Roles(), Roles(width=2, doorways=0.0)):
        run = Run()
        after(step, plain, run=run)
        assert run.notes == []


def test_mouths_are_counted_as_one_would_count_them() -> None:
    seen = 0
    for number in range(MAPS):
        width = 2 + number % 3
        run = Run()
        before = level(number)
        now = after(Roles(width=width), level(number), seed=number, run=run)
        is_open, side = walkable(before), width + 1
        wide = np.zeros_like(is_open)
        for y, x in product(range(is_open.shape[0] - width), range(is_open.shape[1] - width)):
            if is_open[y : y + side, x : x + side].all():
                wide[y : y + side, x : x + side] = True
        count = 0
        for tiles, grid, far in ((before.tiles, is_open, wide), (before.tiles.T, is_open.T, wide.T)):
            rows = np.pad(tiles == FLOOR, 1) & ~np.pad(far, 1), np.pad(grid, 1), np.pad(far, 1)
            for y, x, length in product(range(1, grid.shape[0] + 1), range(1, grid.shape[1] + 1), range(2, side)):
                cells = slice(x, x + length)
                if (
                    x + length > grid.shape[1] + 1
                    or not rows[0][y, cells].all()
                    or rows[1][y, x - 1]
                    or rows[1][y, x + length]
                ):
                    continue
                count += any(rows[1][y + a, cells].all() and rows[2][y - a, cells].all() for a in (1, -1))
        assert run.notes == (
            [f"mouths of corridors that are wider than one cell, and got no doorway: {count:,}"] if count else []
        )
        assert (walkable(now) == is_open).all()
        seen += count
    assert seen > 20


# --- choke points -----------------------------------------------------------------------------------------------------


def cut_off(open_cells: Mask) -> NDArray[np.int64]:
    """For each cell, what is cut off from the largest part of its surroundings when it is closed."""
    found = np.zeros(open_cells.shape, np.int64)
    labels = label(open_cells)[0]
    for y, x in np.argwhere(open_cells):
        mine = labels == labels[y, x]
        mine[y, x] = False
        sizes = np.bincount(label(mine)[0].reshape(-1))[1:]
        found[y, x] = sizes.sum() - sizes.max(initial=0)
    return found


def test_choke_points_by_brute_force() -> None:
    for number in range(MAPS // 2):
        draft = after(Chokes(), level(number) if number % 2 else soup(number, "#..", 16))
        assert draft.layers["choke"].dtype == np.int32
        assert (draft.layers["choke"] == cut_off(walkable(draft))).all()
        assert str(draft) == str(level(number) if number % 2 else soup(number, "#..", 16))


# --- secret doors -----------------------------------------------------------------------------------------------------


def without_secrets(draft: Draft) -> Mask:
    seen: Mask = walkable(draft) & (draft.tiles != SECRET)
    return seen


def test_the_end_is_reached_without_secret_doors() -> None:
    hidden = cut = 0
    for number in range(MAPS):
        draft = after(
            Secrets(share=0.7),
            Draft.of(uc.generate("rooms-and-mazes", seed=number, size=(41, 31), extra=0.1)),
            seed=number,
        )
        seen = without_secrets(draft)
        assert draft.start is not None
        assert draft.end is not None
        assert steps_between(seen, draft.start, draft.end) >= 0
        hidden += int((draft.tiles == SECRET).sum())
        cut += components(seen) > 1
    assert hidden > 10 * MAPS
    assert cut > MAPS // 2, "rooms are hidden too"


def test_all_is_reached_without_secret_doors() -> None:
    hidden = 0
    for number in range(MAPS):
        draft = after(
            Secrets(share=1.0, keep="all"),
            Draft.of(uc.generate("rooms-and-mazes", seed=number, size=(41, 31), extra=0.2)),
            seed=number,
        )
        assert components(without_secrets(draft)) == 1
        more = draft.tiles == SECRET
        hidden += int(more.sum())
        for y, x in np.argwhere(IS_DOOR[draft.tiles] & ~more).tolist():
            seen = without_secrets(draft)
            seen[y, x] = False
            assert components(seen) > 1, "and none that could be hidden is left"
    assert hidden > 2 * MAPS


def test_without_start_and_end_all_must_be_reached() -> None:
    rooms = "#######\n#.+.+.#\n#.#####\n#...+.#\n#######"
    assert (after(Secrets(share=1.0), rooms).tiles != SECRET).all()
    draft = draft_of(rooms)
    draft.start, draft.end = (1, 1), (1, 3)
    assert int((after(Secrets(share=1.0), draft).tiles == SECRET).sum()) == 3


def test_how_many_become_secret() -> None:
    for share in (0.0, 0.25, 0.5):
        draft = Draft.of(uc.generate("rooms-and-mazes", seed=3, size=(61, 41)))
        doors = int(IS_DOOR[draft.tiles].sum())
        run = Run()
        after(Secrets(share=share), draft, run=run)
        assert int((draft.tiles == SECRET).sum()) == int(share * doors + 0.5)
        assert run.notes == []
    run = Run()
    after(Secrets(share=1.0), draft, run=run)
    assert run.notes[0].endswith("doors became secret: the others are needed, or touch another door")


def test_doors_that_touch_are_left() -> None:
    """Each of two doors in a row could go, both could not."""
    text = "########\n#.++...#\n########"
    assert (after(Secrets(share=1.0, keep="all"), text).tiles != SECRET).all()


def test_locked_doors_are_not_hidden() -> None:
    draft = draft_of("#####\n#.L.#\n#####")
    draft.start = draft.end = (1, 1)
    assert str(after(Secrets(share=1.0), draft)) == "#####\n#.L.#\n#####"


def test_secrets_twice_still_leave_a_way_that_needs_none() -> None:
    ring = """
        ###########
        #<.+...+..#
        #..#####..#
        #..+..>+..#
        ###########
    """
    for seed in range(20):
        draft = Draft.of(Level.parse(ring))
        after(Ends(), draft, seed=seed)
        for share in (0.5, 0.5, 1.0):
            after(Secrets(share=share), draft, seed=seed)
        assert draft.start is not None
        assert draft.end is not None
        openly = draft.palette.walkable[draft.tiles] & ~draft.palette.role_mask("secret")[draft.tiles]
        labels, _ = label(openly)
        assert labels[draft.start[1], draft.start[0]] == labels[draft.end[1], draft.end[0]] > 0
        assert draft.path is not None
        assert openly[draft.path[:, 1], draft.path[:, 0]].all(), "the way shown needs no secret door"


def test_every_door_may_be_secret_if_nobody_minds() -> None:
    needed = 0
    for number in range(30):
        begin = uc.generate("rooms-and-mazes", seed=number, size=(41, 31))
        draft = after(Secrets(share=1.0, keep="none"), Draft.of(begin), seed=number)
        hidden = draft.tiles == SECRET
        doors = IS_DOOR[begin.tiles]
        alone = doors & ~neighbourhood.adjacent_cells(doors)
        for point in (begin.start, begin.end):
            assert point
            alone[point[1], point[0]] = False
        assert (hidden == alone).all()
        assert (walkable(draft) == begin.walkable).all()
        needed += bool(uc.measure(draft.level(), "secret_need")["secret_need"])
        some = after(Secrets(share=0.25, keep="none"), Draft.of(begin), seed=number)
        assert int((some.tiles == SECRET).sum()) == min(int(alone.sum()), (int(doors.sum()) + 2) // 4)
    assert needed > 20
