"""Every step: what it does to a drawn map, what it promises, and what it leaves alone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.ndimage import label

import undercroft as uc
from support.maps import after, border, components, draft_of, facts, holes, picture, soup
from support.paths import TESTS
from undercroft.core.draft import FACTS, Draft
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, NotMet, OutOfBudget, Place
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.steps import STEPS, Step
from undercroft.steps.caves.automaton import Automaton
from undercroft.steps.caves.hilbert import Hilbert
from undercroft.steps.caves.join import Join, _nearest_pairs
from undercroft.steps.facts.areas import Areas
from undercroft.steps.facts.chokes import Chokes
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.interest import Interest
from undercroft.steps.facts.number import Number
from undercroft.steps.facts.survey import Survey
from undercroft.steps.finish.lakes import Lakes, Pits
from undercroft.steps.finish.rewrite import Rewrite
from undercroft.steps.finish.roles import Roles
from undercroft.steps.finish.roughen import Roughen
from undercroft.steps.finish.secrets import Secrets
from undercroft.steps.furnish.furnish import Furnish
from undercroft.steps.furnish.names import Names
from undercroft.steps.grids.expand import Expand
from undercroft.steps.grids.room_grid import RoomGrid
from undercroft.steps.links.connect import Connect
from undercroft.steps.links.hallways import Hallways
from undercroft.steps.links.loops import Loops
from undercroft.steps.links.triangulate import Triangulate
from undercroft.steps.locks.locks import Locks
from undercroft.steps.mazes.labyrinth import Labyrinth
from undercroft.steps.mazes.maze import Maze, Prune
from undercroft.steps.rooms.attach import Attach
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.rooms import Rooms
from undercroft.steps.rooms.scatter import Scatter, Separate
from undercroft.steps.rooms.split import Siblings, Split
from undercroft.steps.start.fill import Fill
from undercroft.steps.start.noise import Noise
from undercroft.steps.start.walk import Walk
from undercroft.steps.step import describe_step

WALL, FLOOR, CORRIDOR, DOOR, OPENING = (STANDARD[name] for name in ("wall", "floor", "corridor", "door", "opening"))
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)


def walkable(draft: Draft) -> NDArray[np.bool_]:
    return draft.palette.walkable[draft.tiles]


# --- fill and noise ---------------------------------------------------------------------------------------------------


def test_fill() -> None:
    assert str(after(Fill(), ".+.\n~~~")) == "###\n###"
    assert str(after(Fill(role="water"), "...")) == "~~~"


def test_fill_with_a_role_nobody_has() -> None:
    with pytest.raises(BadInput, match="no tile with the role 'lava'"):
        after(Fill(role="lava"), "...")  # type: ignore[arg-type]


def test_noise_is_closed_all_round() -> None:
    draft = after(Noise(wall=0.0), Draft(5, 4))
    assert str(draft) == picture("""
        #####
        #...#
        #...#
        #####
    """)
    assert str(after(Noise(wall=0.0, ring=False), Draft(3, 2))) == "...\n..."
    assert (after(Noise(wall=1.0, ring=False), Draft(9, 9)).tiles == WALL).all()


def test_noise_has_its_share() -> None:
    for share in (0.1, 0.4, 0.8):
        tiles = after(Noise(wall=share, ring=False), Draft(200, 200)).tiles
        assert abs((tiles == WALL).mean() - share) < 0.015


# --- automaton --------------------------------------------------------------------------------------------------------


def test_a_pinhole_is_closed() -> None:
    assert str(after(Automaton(rounds=1), "#####\n##.##\n#####")) == picture("""
        #####
        #####
        #####
    """)


def test_a_pillar_in_the_open_goes_and_a_wide_space_gets_one() -> None:
    """The second clause: with at most two walls within two steps, a cell becomes wall."""
    pillar = draft_of("\n".join(["." * 9] * 4 + ["....#...."] + ["." * 9] * 4))
    assert str(after(Automaton(rounds=1, r2_cutoff=-1, ring=False), pillar)) == "\n".join(["." * 9] * 9)
    empty = draft_of("\n".join(["." * 9] * 9))
    assert str(after(Automaton(rounds=1, r2_cutoff=0, ring=False), empty)) == "\n".join(["#" * 9] * 9)


def test_no_rounds_change_nothing() -> None:
    before = soup(5, "#.+,~")
    assert facts(after(Automaton(rounds=0), soup(5, "#.+,~")))["tiles"] == facts(before)["tiles"]


def test_the_automaton_lets_other_tiles_be_unless_rock_grows_over_them() -> None:
    draft = draft_of("""
        ########
        #......#
        #.+..~.#
        #......#
        #......#
        ########
    """)
    assert str(after(Automaton(rounds=1, r2_cutoff=-1), draft)) == picture("""
        ########
        ##....##
        #.+..~.#
        #......#
        ##....##
        ########
    """)
    assert str(after(Automaton(rounds=1), draft_of("####\n#++#\n####"))) == "####\n####\n####"


def test_outside_may_count_as_wall() -> None:
    """Nine cells around a corner: five of them are outside."""
    corner = "...\n...\n..."
    assert str(after(Automaton(rounds=1, r2_cutoff=-1, ring=False), corner)) == "...\n...\n..."
    assert str(after(Automaton(rounds=1, r2_cutoff=-1, ring=False, border="wall"), corner)) == "#.#\n...\n#.#"


# --- join -------------------------------------------------------------------------------------------------------------

POCKETS = """
    ##########
    #....#####
    #....##..#
    #....##..#
    ##########
    #.########
    ##########
"""


@pytest.mark.parametrize("connect", ["largest", "nearest"])
def test_pockets_are_joined(connect: Any) -> None:
    for seed in range(30):
        before = draft_of(POCKETS)
        draft = after(Join(connect=connect), POCKETS, seed=seed)
        assert components(walkable(draft)) == 1
        dug = draft.layers["tunnel"]
        assert (draft.tiles[dug] == FLOOR).all()
        assert (before.tiles[dug] == WALL).all()
        assert (draft.tiles[~dug] == before.tiles[~dug]).all()
        assert (border(draft.tiles) == WALL).all()


def test_nearest_digs_the_least() -> None:
    draft = after(Join(connect="nearest"), POCKETS)
    assert int(draft.layers["tunnel"].sum()) == 2 + 1


def test_discard_leaves_the_largest() -> None:
    draft = after(Join(connect="discard"), POCKETS)
    assert str(draft) == picture("""
        ##########
        #....#####
        #....#####
        #....#####
        ##########
        ##########
        ##########
    """)


def test_small_pockets_are_filled_first() -> None:
    draft = after(Join(connect="nearest", min_size=4), POCKETS)
    assert draft.tiles[5, 1] == WALL
    assert components(walkable(draft)) == 1
    assert int(draft.layers["tunnel"].sum()) == 2
    assert str(after(Join(min_size=5), POCKETS)) == str(after(Join(connect="discard"), POCKETS))


def test_the_largest_stays_however_small() -> None:
    assert str(after(Join(min_size=100), "#.#..#")) == "###..#"


def test_of_equals_the_first_is_the_largest() -> None:
    assert str(after(Join(connect="discard"), "#..#..#")) == "#..####"


@pytest.mark.parametrize("connect", ["largest", "nearest", "discard"])
@pytest.mark.parametrize("text", ["####\n####", "#..#\n#.##", "."])
def test_nothing_to_join(connect: Any, text: str) -> None:
    draft = after(Join(connect=connect), text)
    assert str(draft) == text
    assert draft.layers == {}


def test_a_tunnel_goes_straight_where_it_must() -> None:
    for connect in ("largest", "nearest"):
        assert str(after(Join(connect=connect), "#..####.#")) == "#.......#"


def test_a_tunnel_never_turns_back() -> None:
    """Every step of document 004's walk comes closer: so many cells are dug as are between, whatever the way."""
    corners = "\n".join(["." + "#" * 9] + ["#" * 10] * 4 + ["#" * 9 + "."])
    ways = set()
    for seed in range(200):
        draft = after(Join(), corners, seed=seed)
        assert int(draft.layers["tunnel"].sum()) == 9 + 5 - 1
        ways.add(str(draft))
    assert len(ways) > 150


def test_a_tunnel_stops_where_it_enters_the_largest() -> None:
    """A ring round an island, and a pocket outside: whatever cell of the ring the walk is bound for, the island stays
    whole.
    """
    island = """
        #############
        #.......#####
        #.#####.#####
        #.#####.###.#
        #.#####.#####
        #.#####.#####
        #.......#####
        #############
    """
    for seed in range(60):
        draft = after(Join(), island, seed=seed)
        assert components(walkable(draft)) == 1
        assert (draft.tiles[2:6, 2:7] == WALL).all()


def test_a_tunnel_digs_through_water_and_leaves_doors() -> None:
    draft = after(Join(), "#..~##+#.#")
    assert str(draft) == "#.....+..#"
    assert draft.layers["tunnel"][0].tolist() == [sign in "#~" and 2 < x < 8 for x, sign in enumerate("#..~##+#.#")]


def distances_between(open_cells: NDArray[np.bool_]) -> dict[tuple[int, int], int]:
    """The least number of steps between cells of each two regions, rock or not."""
    labels, count = label(open_cells)
    cells = [np.argwhere(labels == number) for number in range(1, count + 1)]
    return {
        (a, b): int(np.abs(cells[a][:, None] - cells[b][None]).sum(2).min()) for a, b in combinations(range(count), 2)
    }


def least_tree(lengths: dict[tuple[int, int], int], nodes: int) -> int:
    """The length of the shortest tree over all nodes, by trying edges from the shortest on."""
    part = list(range(nodes))
    total = 0
    for (a, b), length in sorted(lengths.items(), key=lambda row: row[1]):
        if part[a] != part[b]:
            total += length
            part = [part[a] if one == part[b] else one for one in part]
    assert len(set(part)) <= 1
    return total


def test_nearest_joins_by_the_shortest_tree() -> None:
    exact = several = 0
    for number in range(300):
        draft = soup(number, "#####.", 12)
        cells = walkable(draft)
        labels, count = label(cells)
        if count < 2:
            continue
        expected = least_tree(distances_between(cells), count)
        pairs = _nearest_pairs(labels.astype(np.int32), Run()).tolist()
        flat = labels.reshape(-1)
        width = draft.width
        offered: dict[tuple[int, int], int] = {}
        for a, b in pairs:
            ends = int(flat[a]) - 1, int(flat[b]) - 1
            length = abs(a % width - b % width) + abs(a // width - b // width)
            key = min(ends), max(ends)
            offered[key] = min(length, offered.get(key, length))
        assert least_tree(offered, count) == expected
        after(Join(connect="nearest"), draft, seed=number)
        assert components(walkable(draft)) == 1
        dug = int(draft.layers["tunnel"].sum())
        assert dug <= expected - (count - 1)  # less where two tunnels share a cell
        exact += dug == expected - (count - 1)
        several += 1
    assert several > 200
    assert exact > several * 0.5


@pytest.mark.parametrize("connect", ["largest", "nearest", "discard"])
def test_any_soup_becomes_one(connect: Any) -> None:
    for number in range(400):
        draft = soup(number, ("##.", "####.", "#.,+~X")[number % 3], 20)
        parts = components(walkable(draft))
        after(Join(connect=connect, min_size=number % 4), draft, seed=number)
        assert components(walkable(draft)) == min(parts, 1)


# --- rooms and mazes --------------------------------------------------------------------------------------------------


def rectangles(tiles: NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
    """The floor as rectangles x, y, width, height; fails if a part is none."""
    labels, count = label(tiles == FLOOR)
    found = []
    for number in range(1, count + 1):
        ys, xs = np.nonzero(labels == number)
        box = int(xs.min()), int(ys.min()), int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1
        assert len(xs) == box[2] * box[3]
        found.append(box)
    return found


@pytest.mark.parametrize("extra", [0, 2, 5])
def test_rooms_are_odd_rectangles_apart(extra: int) -> None:
    for seed in range(60):
        draft = after(Rooms(tries=300, extra_size=extra), Draft(61, 41), seed=seed)
        rooms = rectangles(draft.tiles)
        assert len(rooms) > 3
        assert (border(draft.tiles) == WALL).all()
        for x, y, width, height in rooms:
            assert (x % 2, y % 2, width % 2, height % 2) == (1, 1, 1, 1)
            assert 3 <= min(width, height) <= 2 * extra + 5
            assert max(width, height) < 2 * min(width, height)
        for (ax, ay, aw, ah), (bx, by, bw, bh) in combinations(rooms, 2):
            assert ax + aw < bx or bx + bw < ax or ay + ah < by or by + bh < ay


def test_the_number_of_tries() -> None:
    assert len(rectangles(after(Rooms(tries=1), Draft(61, 41)).tiles)) == 1
    default = after(Rooms(), Draft(61, 41)).tiles
    assert (default == after(Rooms(tries=61 * 41 // 12), Draft(61, 41)).tiles).all()
    assert (default != after(Rooms(tries=61 * 41 // 12 // 2), Draft(61, 41)).tiles).any()


def test_no_room_fits() -> None:
    run = Run()
    draft = after(Rooms(tries=9), Draft(5, 5, fill="floor"), run=run)
    assert run.notes == ["none of 9 rooms found a place"]
    assert str(draft) == "\n".join(["....."] * 5)


@pytest.mark.parametrize("step", [Rooms(), Maze()])
def test_sizes_that_do_not_do(step: Rooms | Maze) -> None:
    what, least = ("rooms", 5) if isinstance(step, Rooms) else ("mazes", 3)
    for width, height, fix in (
        (least - 2, 9, f"ask for {least}x9"),
        (9, least - 1, f"ask for 9x{least}"),
        (1, 1, f"ask for {least}x{least}"),
        (2, 8, f"ask for {least}x8"),
    ):
        with pytest.raises(
            BadInput, match=f"{what} need a map of at least {least}x{least}, not {width}x{height}"
        ) as caught:
            step.check(width, height)
        assert caught.value.fix == fix
    for width, height in ((least, least), (least + 1, least), (10, 9), (9, 10), (10, 10), (99, 31)):
        step.check(width, height)


def test_the_smallest_maze() -> None:
    assert str(after(Maze(), Draft(3, 3))) == "###\n#,#\n###"
    assert str(after(Maze(), Draft(7, 3))) == "#######\n#,,,,,#\n#######"
    assert str(after(Maze(), Draft(8, 4))) == "########\n#,,,,,##\n########\n########"


@pytest.mark.parametrize("size", [(62, 41), (61, 42), (62, 42), (6, 6), (5, 6)])
def test_an_even_side_has_a_rim_of_rock(size: tuple[int, int]) -> None:
    width, height = size
    for seed in range(20):
        rooms = after(Rooms(extra_size=2), Draft(*size), seed=seed)
        found = rectangles(rooms.tiles)
        assert all((x % 2, y % 2, wide % 2, high % 2) == (1, 1, 1, 1) for x, y, wide, high in found)
        tiles = after(Maze(), rooms, seed=seed).tiles
        assert (border(tiles) == WALL).all()
        if width % 2 == 0:
            assert (tiles[:, -2] == WALL).all()
        if height % 2 == 0:
            assert (tiles[-2] == WALL).all()


def test_a_maze_is_the_same_with_a_rim_and_without() -> None:
    for seed in range(10):
        plain = after(Maze(), Draft(31, 21), seed=seed).tiles
        for right, down in ((1, 0), (0, 1), (1, 1)):
            with_rim = after(Maze(), Draft(31 + right, 21 + down), seed=seed).tiles
            assert (with_rim[:21, :31] == plain).all()


# --- connect ----------------------------------------------------------------------------------------------------------


def keep(seed: int, width: int = 41, height: int = 31) -> Draft:
    """Rooms and mazes, not yet connected."""
    return after(Maze(winding=0.5), after(Rooms(), Draft(width, height), seed=seed), seed=seed)


@pytest.mark.parametrize("extra", [0.0, 0.05, 1.0])
def test_connected_by_doors_that_do_not_touch(extra: float) -> None:
    for seed in range(80):
        before = keep(seed)
        labels, count = label(walkable(before))
        draft = after(Connect(extra=extra), keep(seed), seed=seed)
        assert components(walkable(draft)) == 1
        opened = np.argwhere(draft.tiles != before.tiles)
        assert (before.tiles[tuple(opened.T)] == WALL).all()
        for y, x in opened:
            around = {int(labels[y + dy, x + dx]) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))} - {0}
            assert len(around) >= 2
        is_door = np.pad(IS_DOOR[draft.tiles], 1).astype(int)
        for y, x in np.argwhere(IS_DOOR[draft.tiles]):
            assert is_door[y : y + 3, x : x + 3].sum() == 1
        if extra == 0:
            assert len(opened) == count - 1
            assert holes(walkable(draft)) == holes(walkable(before)) == 0
        else:
            assert len(opened) >= count - 1


def test_extra_doors_make_loops() -> None:
    few, many = (
        sum(holes(walkable(after(Connect(extra=extra), keep(seed), seed=seed))) for seed in range(20))
        for extra in (0.02, 0.5)
    )
    assert 0 < few < many / 3


def test_openings_with_and_without_doors() -> None:
    for share, signs in ((0.0, {OPENING}), (1.0, {DOOR}), (0.5, {DOOR, OPENING})):
        draft = after(Connect(doors=share), keep(3), seed=3)
        assert set(draft.tiles[IS_DOOR[draft.tiles]].tolist()) == signs


def test_a_region_beside_a_door_gets_a_passage() -> None:
    """The only two connectors touch at a corner, so one of them can be no door."""
    text = """
        ~~~~~~
        ~~..~~
        ~.#.~~
        ~~~#~~
        ~~~.~~
        ~~~~~~
    """
    seen = set()
    for seed in range(20):
        run = Run()
        draft = after(Connect(extra=0.0), text, seed=seed, run=run)
        assert components(walkable(draft)) == 1
        seen.add((str(draft.palette.tiles[draft.tiles[2, 2]].glyph), str(draft.palette.tiles[draft.tiles[3, 3]].glyph)))
        assert run.notes == ["1 opening without a door, where one would have stood beside another"]
    assert seen == {("+", ","), (",", "+")}


def test_two_rooms_and_one_wall() -> None:
    assert str(after(Connect(extra=0.0), "#####\n#.#.#\n#####")) == "#####\n#.+.#\n#####"
    assert str(after(Connect(), "####\n#..#\n####")) == "####\n#..#\n####"
    assert str(after(Connect(), "###\n###")) == "###\n###"


def test_a_thick_wall_is_no_connector() -> None:
    assert str(after(Connect(extra=1.0), "######\n#.##.#\n######")) == "######\n#.##.#\n######"


def test_every_connector_is_tried_first_some_time() -> None:
    text = "######\n#....#\n######\n#....#\n######"
    assert {str(after(Connect(extra=0.0), text, seed=seed)).split("\n")[2].index("+") for seed in range(60)} == {
        1,
        2,
        3,
        4,
    }


# --- prune ------------------------------------------------------------------------------------------------------------

TREE = """
    #########
    #,,,,,#,#
    #,###,#,#
    #...#,,,#
    #...#####
    #...+,,,#
    #########
"""


def test_all_dead_ends_go() -> None:
    assert str(after(Prune(), TREE)) == picture("""
        #########
        #########
        #########
        #...#####
        #...#####
        #...#####
        #########
    """)


def test_a_ring_stays() -> None:
    ring = """
        ######
        #,,,##
        #,#,,#
        #,,,##
        ######
    """
    assert str(after(Prune(), ring)) == picture("""
        ######
        #,,,##
        #,#,##
        #,,,##
        ######
    """)


def test_rooms_and_caves_have_no_dead_ends_to_fill() -> None:
    assert str(after(Prune(), "#....#\n#.####")) == "#....#\n#.####"


def test_kept_dead_ends_keep_their_passages() -> None:
    assert str(after(Prune(dead_ends=1.0), TREE)) == picture(TREE)
    shares = []
    for seed in range(20):
        whole = keep(seed, 61, 41)
        maze = np.count_nonzero(whole.tiles == CORRIDOR)
        part = np.count_nonzero(after(Prune(dead_ends=0.5), keep(seed, 61, 41), seed=seed).tiles == CORRIDOR)
        shares.append(part / maze)
    assert 0.5 < sum(shares) / 20 < 0.98


def test_the_share_of_kept_dead_ends() -> None:
    """Blind alleys of one cell beside a room: each stays or goes by itself."""
    comb = "\n".join([",#" * 100, ".." * 100])
    kept = [np.count_nonzero(after(Prune(dead_ends=0.3), comb, seed=seed).tiles == CORRIDOR) for seed in range(20)]
    assert 0.25 < sum(kept) / 2000 < 0.35


# --- survey, ends, interest -------------------------------------------------------------------------------------------


def test_survey_changes_no_tile_and_finds_all() -> None:
    draft = after(Survey(), TREE)
    assert str(draft) == picture(TREE)
    assert draft.regions is not None
    assert [region.kind for region in draft.regions] == ["corridor", "room", "corridor"]
    assert [(door.x, door.y) for door in draft.doors] == [(4, 5)]
    assert len(draft.links) == 2


def test_ends_are_far_apart() -> None:
    draft = after(Ends(), TREE)
    assert {draft.start, draft.end} == {(7, 1), (7, 5)}
    assert draft.path is not None
    assert len(draft.path) == 21


def test_ends_of_rock() -> None:
    draft = draft_of("###")
    draft.start = draft.end = (0, 0)
    after(Ends(), draft)
    assert facts(draft)["ends"] == (None, None)
    assert draft.path is None


def test_ends_of_one_cell() -> None:
    draft = after(Ends(), "#.#")
    assert draft.path is not None
    assert (draft.start, draft.end, draft.path.tolist()) == ((1, 0), (1, 0), [[1, 0]])


def test_the_end_is_farthest_from_the_start() -> None:
    from undercroft.analysis.reach import distances

    for number in range(200):
        draft = after(Ends(), soup(number, "#..,+", 16))
        if draft.start is None:
            assert not walkable(draft).any()
            continue
        assert draft.end is not None
        assert draft.path is not None
        steps = distances(walkable(draft), [draft.start])
        assert steps[draft.end[1], draft.end[0]] == steps.max() == len(draft.path) - 1
        assert (tuple(draft.path[0]), tuple(draft.path[-1])) == (draft.start, draft.end)
        assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(draft.path.tolist()))
        assert walkable(draft)[draft.path[:, 1], draft.path[:, 0]].all()


def test_nobody_arrives_where_a_thing_lies() -> None:
    from undercroft.analysis.reach import distances

    moved = 0
    for number in range(300):
        draft = soup(number, "#..,+", 9)
        usual = after(Ends(), soup(number, "#..,+", 9)).start
        cells = np.argwhere(walkable(draft))[:: 1 + number % 4]
        draft.things = [Thing("coffin", int(x), int(y)) for y, x in cells]
        after(Ends(), draft)
        if draft.start is None:
            continue
        assert draft.end is not None
        assert draft.path is not None
        steps = distances(walkable(draft), [draft.start])
        assert len(draft.path) - 1 == steps[draft.end[1], draft.end[0]]
        assert (tuple(draft.path[0]), tuple(draft.path[-1])) == (draft.start, draft.end)
        lies = {(thing.x, thing.y) for thing in draft.things}
        free = [(x, y) for y, x in np.argwhere(steps >= 0).tolist() if (x, y) not in lies]
        if not free:
            assert draft.start == usual, "there is no other place"
            continue
        assert not lies & {draft.start, draft.end}
        assert steps[draft.end[1], draft.end[0]] == max(steps[y, x] for x, y in free)
        assert usual is not None
        away = distances(walkable(draft), [usual])
        assert away[draft.start[1], draft.start[0]] == min(away[y, x] for x, y in free)
        moved += draft.start != usual
    assert moved > 40


def test_interest_gives_start_end_and_path() -> None:
    draft = after(Interest(), TREE)
    assert draft.path is not None
    assert draft.start == tuple(draft.path[0].tolist())
    assert draft.end == tuple(draft.path[-1].tolist())
    rock = draft_of("###")
    rock.start = rock.end = (0, 0)
    after(Interest(), rock)
    assert facts(rock)["ends"] == (None, None)
    assert rock.path is None


# --- rules ------------------------------------------------------------------------------------------------------------

WEAR = "one  wear, up to 9 times, turned\n    #. -> .."


def test_rules_in_a_step() -> None:
    worn = after(Rewrite(rules=WEAR), "#####\n#...#\n#####", seed=4)
    assert str(worn).count(".") == 12
    assert str(after(Rewrite(), "#.#")) == "#.#"
    assert str(after(Rewrite(rules="all  . -> o", turns=1), "#..#")) == "#oo#"
    assert str(after(Rewrite(rules="one  . -> o, up to 2 times", turns=3), "#....#")).count("o") == 2, (
        "the lower limit holds"
    )


def test_a_mistake_in_the_rules_of_a_recipe_is_found_when_it_is_loaded() -> None:
    text = '[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nrules = """\none  #. - ..\n"""\n'
    with pytest.raises(BadInput, match=r"the rules of 'rewrite': this 'one' has no rule\n") as caught:
        Recipe.parse(text, "mine.toml")
    assert caught.value.place == Place("mine.toml", 6, 1, "one  #. - ..")
    assert caught.value.fix


def test_a_mistake_in_rules_is_placed_in_the_parameter_that_holds_them() -> None:
    head = "[param.rules]\nabout = 'what to do'\ndefault = 'one  . -> #'\n"
    text = head + '[[step]]\nuse = "fill"\n[[step]]\nuse = "rewrite"\nrules = "$rules"\n'
    broken = text.replace("one  . -> #", "one  . -> ##")
    with pytest.raises(BadInput, match=r"the rules of 'rewrite': the left side is 1x1") as caught:
        Recipe.parse(broken, "mine.toml")
    assert str(caught.value.place) == "mine.toml:3:22"
    with pytest.raises(BadInput, match=r"the left side is 1x1.* \(line 2, column 10 of them\)"):
        Recipe.parse(text, "mine.toml").generate(seed=1, size=(9, 9), params={"rules": "one\n    . -> ##"})


# --- every step -------------------------------------------------------------------------------------------------------

STREETS = """
    ###############
    #...#.....#...#
    #...#.....#...#
    #...#.....#...#
    #######,#######
    #,,,,,#,,,,,,,#
    #,###,###,#,#,#
    #,#...###,#,#,#
    #+#...+,,,#,###
    #.#...#########
    ###############
"""
"""Odd sides, rooms apart, passages, doors, dead ends: something for every step."""


def test_every_step_says_what_it_needs_gives_and_spoils() -> None:
    assert list(STEPS) == [
        "fill",
        "noise",
        "automaton",
        "join",
        "rooms",
        "maze",
        "connect",
        "prune",
        "split",
        "scatter",
        "separate",
        "chambers",
        "siblings",
        "triangulate",
        "hallways",
        "room-grid",
        "expand",
        "attach",
        "hilbert",
        "walk",
        "labyrinth",
        "loops",
        "lakes",
        "pits",
        "roughen",
        "roles",
        "secrets",
        "locks",
        "rewrite",
        "survey",
        "ends",
        "interest",
        "areas",
        "number",
        "chokes",
        "furnish",
        "names",
    ]
    for name, step in STEPS.items():
        assert name == describe_step(step).name
        assert step.edition >= 1
        for words in (step.needs, step.gives, step.spoils):
            assert set(words) <= set(FACTS)
        assert not set(step.gives) & set(step.spoils)
        assert step.__doc__
        fields = dataclasses.fields(step)  # type: ignore[arg-type]
        assert all(field.kw_only for field in fields)
        with pytest.raises(dataclasses.FrozenInstanceError):
            step().edition = 2  # type: ignore[misc]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_changes_only_what_it_says(name: str) -> None:
    """What it neither gives nor spoils is as before; things are nobody's."""
    step = STEPS[name]()
    draft = after(Interest(), after(Survey(), STREETS))
    draft.things = [Thing("chest", 1, 1)]
    before = facts(draft)
    step.apply(draft, Rng.root(1).stream("x"), Run())
    now = facts(draft)
    allowed = {*step.gives, *step.spoils, "tiles", "layers"} | (
        {"labels"} if "regions" in (*step.gives, *step.spoils) else set()
    )
    allowed |= {"title"} if "things" in step.gives else set()
    allowed |= {"regions", "doors", "links", "labels"} if name == "number" else set()  # the same with other numbers
    assert {fact for fact in now if now[fact] != before[fact]} <= allowed
    if "tiles" not in step.gives and not step.spoils:
        assert now["tiles"] == before["tiles"]


@pytest.mark.parametrize("name", STEPS)
def test_a_step_draws_from_its_stream_only_and_gives_the_same_again(name: str) -> None:
    first, second = (facts(after(STEPS[name](), STREETS, seed=4)) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("name", STEPS)
def test_watched_as_unwatched(name: str) -> None:
    step = STEPS[name]()
    for seed in range(10):
        start = keep(seed, 41, 31) if seed else draft_of(STREETS)
        again = keep(seed, 41, 31) if seed else draft_of(STREETS)
        timeline = Timeline()
        watched = after(step, start, seed=seed, watcher=timeline)
        assert facts(watched) == facts(after(step, again, seed=seed))
        assert (timeline.at(timeline.turns - 1) == watched.tiles).all()


@pytest.mark.parametrize("step", [Noise(), Automaton(), Rooms(), Maze(), Connect(), Prune()])
def test_long_steps_are_seen_in_many_turns(step: Step) -> None:
    timeline = Timeline()
    start = (
        Draft(81, 61)
        if isinstance(step, Noise | Rooms | Maze)
        else keep(1, 81, 61)
        if not isinstance(step, Automaton)
        else after(Noise(), Draft(81, 61))
    )
    after(step, start, watcher=timeline)
    assert timeline.turns > 8


@pytest.mark.parametrize("name", STEPS)
def test_a_watcher_that_meddles_is_refused(name: str) -> None:
    refused = []

    def meddle(source: str, tiles: NDArray[np.uint8]) -> None:
        with pytest.raises(ValueError, match="read-only"):
            tiles[:] = 0
        refused.append(source)

    draft = after(STEPS[name](), STREETS, watcher=meddle)
    assert refused
    assert facts(draft) == facts(after(STEPS[name](), STREETS))


RESCALING = ("room-grid", "expand")
"""Steps that give the level another scale, in which no cell is what it was."""


@pytest.mark.parametrize("name", STEPS)
def test_frozen_cells_survive(name: str) -> None:
    use = f'[[step]]\nuse = "{name}"\n'
    ground = (
        ["noise"] * bool(STEPS[name].needs)
        + ["survey"] * ("regions" in STEPS[name].needs)
        + ["ends"] * ("ends" in STEPS[name].needs)
    )
    recipe = Recipe.parse("".join(f'[[step]]\nuse = "{step}"\n' for step in ground) + use, f"{name}.toml")
    begin = draft_of(STREETS).level()
    if name in RESCALING:
        with pytest.raises(BadInput, match="another scale"):
            recipe.generate(seed=1, begin=begin, frozen=begin.walkable)
        return
    for seed in range(30):
        frozen = np.random.default_rng(seed).random(begin.tiles.shape) < (0.05, 0.3, 1.0)[seed % 3]
        result = recipe.generate(seed=seed, begin=begin, frozen=frozen)
        assert (result.level.tiles[frozen] == begin.tiles[frozen]).all()
        if seed % 3 == 2:
            assert result.level.tiles.tolist() == begin.tiles.tolist()
            assert any("frozen cells put back after" in note for note in result.notes)


def test_nothing_frozen_is_nothing_said() -> None:
    recipe = Recipe.parse('[[step]]\nuse = "noise"\n', "noise.toml")
    frozen = np.zeros((4, 4), bool)
    result = recipe.generate(seed=1, size=(4, 4), frozen=frozen)
    assert result.notes == ()
    assert result.level == recipe.generate(seed=1, size=(4, 4)).level


@pytest.mark.parametrize("name", STEPS)
def test_a_step_stops_when_its_budget_is_gone(name: str) -> None:
    with pytest.raises(OutOfBudget):
        after(Rewrite(rules=WEAR) if name == "rewrite" else STEPS[name](), after(Survey(), keep(1)), run=Run(budget=3))


def other(step: Step) -> Draft:
    return (
        draft_of(STREETS)
        if not isinstance(step, Connect | Rooms | Maze | Noise | Attach)
        else keep(2)
        if isinstance(step, Connect)
        else Draft(41, 31)
    )


THINGS = TESTS / "cases" / "things"
BLIND_DOORS = TESTS / "cases" / "rules" / "blind-doors" / "rules.rules"
NEAR: dict[str, Any] = {"reach": "near"}
KNOBS: list[tuple[Step, dict[str, Any]]] = [
    (Fill(), {"role": "floor"}),
    (Noise(), {"wall": 0.6, "ring": False}),
    (
        Automaton(),
        {
            "rounds": 1,
            "r1_cutoff": 6,
            "r2_cutoff": -1,
            "stages": ((4, 3, 1),),
            "shape": "diamond",
            "border": "wall",
            "ring": False,
        },
    ),
    (Join(), {"connect": "nearest", "min_size": 13}),
    (Rooms(), {"tries": 5, "extra_size": 3, "layouts": {"layouts": ("rotunda", "corner"), "extra_size": 3}}),
    (Maze(), {"winding": 0.1}),
    (Connect(), {"extra": 0.5, "doors": 0.5}),
    (Prune(), {"dead_ends": 0.9}),
    (Split(), {"depth": 1, "min_width": 9, "min_height": 9, "margin": 0.0, "max_ratio": 2.0}),
    (
        Scatter(),
        {
            "cells": 5,
            "radius": 0.5,
            "position": "normal",
            "size": "uniform",
            "mean_width": 7.0,
            "mean_height": 7.0,
            "deviation": 0.5,
        },
    ),
    (Separate(), {"step": 1, "reloc_attempts": 1}),
    (
        Chambers(min_width=8, min_height=6),
        {
            "min_width": 3,
            "min_height": 3,
            "margin": 1,
            "fill": 1.0,
            "share": 0.5,
            "least": 50,
            "small": "keep",
            "layouts": ("pool",),
        },
    ),
    (Siblings(), {"extra": 1.0}),
    (Triangulate(), {"extra": 1.0}),
    (Hallways(), {"way": "path", "straight": False, "doors": 1.0, "cells": "corridor"}),
    (
        RoomGrid(),
        {
            "method": "drunkard",
            "grid": (9, 9),
            "rooms": 5,
            "level": 2,
            "base": 9,
            "per_level": 4.5,
            "jitter": 0,
            "refuse": 0.1,
            "crowded": {"method": "neighbours", "crowded": (0.0, 0.0, 0.0)},
            "reseed": 5,
            "border": {"method": "drunkard", "border": "reject"},
            "secrets": 1,
            "valid": (),
            "tries": {"valid": (), "tries": 1},
        },
    ),
    (
        Expand(),
        {
            "expand": False,
            "cell_size": (4, 4),
            "crop": False,
            "template": "#####\n#...#\n#...#\n#####",
            "layouts": {"layouts": ("pool",), "cell_size": (10, 8)},
            "stairs": False,
        },
    ),
    (
        Attach(),
        {
            "rooms": "room  well, turned\n    ##+##\n    #...#\n    #.~.#\n    #...#\n    ##+##",
            "file": str(SHIPPED_FOLDER / "prefabs" / "dungeoning.txt"),
            "root": "bend",
            "position": "left",
            "max_rooms": 2,
            "total": (0.2, 0.2),
            "fill": 0.9,
            "tile_size": (1, 7),
            "weights": "area",
            "shared_walls": True,
            "loops": 1.0,
            "reach": {"loops": 1.0, "reach": 20},
            "things": {"file": str(SHIPPED_FOLDER / "prefabs" / "diablo2.txt"), "things": 0.0},
            "tries": {"fill": 0.9, "tries": 9},
        },
    ),
    (
        Hilbert(cell_size=5),
        {
            "order": 3,
            "cell_size": 4,
            "start_share": 0.5,
            "end_share": 1.0,
            "room_cells": 9,
            "branches": 0.0,
            "branch_cells": 0,
            "way_width": 3,
            "roughness": 0.0,
            "rounds": 0,
            "stairs": False,
        },
    ),
    (Walk(floor=0.75), {"floor": 0.7, "straight": 0.5, "life": 10, "start": "anywhere"}),
    (
        Labyrinth(),
        {
            "method": "wilson",
            "newest": {"random": 1, "newest": 5},
            "random": 1,
            "oldest": 1,
            "winding": 0.1,
            "loops": 0.5,
            "passage": 2,
        },
    ),
    (Loops(detour=8), {"detour": 30, "thickness": 1, "share": 0.5, "most": 1, "role": "floor"}),
    (Lakes(), {"share": 0.5, "size": 1}),
    (Pits(), {"share": 0.5, "size": 1}),
    (Roughen(), {"wear": 0.0, "rubble": 0.9, "rounds": 1}),
    (Roles(), {"width": 2, "least": 5, "doorways": 0.0, "doors": 1.0}),
    (Secrets(), {"share": 0.9, "keep": {"share": 0.9, "keep": "all"}}),
    (
        Locks(locks=4),
        {
            "locks": 2,
            "depth": 4,
            "keys": "consumed",
            "unlosable": {"keys": "consumed", "colours": ("red",), "unlosable": False},
            "switches": 0.5,
            "one_way": 1.0,
            "apart": 15,
            "colours": ("amber", "rust"),
            "guard_end": {"locks": 1, "guard_end": False},
            "exact": {"locks": 0, "exact": True},
        },
    ),
    (
        Rewrite(rules=WEAR),
        {
            "rules": "all  . -> o",
            "turns": 3,
            "file": {"rules": "", "file": str(BLIND_DOORS)},
            "base": {"rules": "", "file": str(SHIPPED_FOLDER / "grammar"), "base": True},
        },
    ),
    (Survey(), {"kind": "vault"}),
    (
        Ends(),
        {"stairs": False}
        | {end: NEAR | {end: (1, 1)} for end in ("start", "end")}
        | {"reach": NEAR | {"start": (0, 0)}},
    ),
    (
        Interest(),
        {"room": 100, "run": 50, "branch": 90, "door": 90, "stairs": False}
        | {end: NEAR | {end: (1, 1)} for end in ("start", "end")}
        | {"reach": NEAR | {"start": (0, 0)}},
    ),
    (Areas(least_room=12, least_part=3), {"least_room": 1000, "least_part": 100}),
    (Number(), {}),
    (Chokes(), {}),
    (
        Furnish(file=str(THINGS / "den.toml")),
        {
            "set": {"file": "", "set": "dungeon"},
            "file": "",
            "kinds": ("store",),
            "share": 0.1,
            "most": (1, 1),
            "sizes": (1, 2),
            "density": 0.02,
            "danger": (20, 20),
            "ends": {"file": "", "ends": True},
        },
    ),
    (
        Names(file=str(THINGS / "words.toml"), rooms="all"),
        {"set": {"file": "", "set": "english"}, "file": "", "theme": ("cave",), "rooms": "none", "notes": False},
    ),
]


def outcome(step: Step, draft: Any) -> Any:
    """The facts after a step, or why it gives up."""
    try:
        return facts(after(step, draft))
    except NotMet as error:
        return str(error)


def test_every_parameter_turns_something() -> None:
    assert [describe_step(type(step)).name for step, _ in KNOBS] == list(STEPS)
    for step, knobs in KNOBS:
        assert {field.name for field in dataclasses.fields(step)} == knobs.keys()  # type: ignore[arg-type]
        for knob, value in knobs.items():
            changed = dataclasses.replace(step, **(value if isinstance(value, dict) else {knob: value}))  # type: ignore[type-var]
            assert any(outcome(changed, start()) != outcome(step, start()) for start in starts(step)), (
                step,
                knob,
            )


def ground(step: Step) -> Draft:
    """What steps of a plan build on: cells, then rooms, then links; what things and names want: rooms, a start, a
    note.
    """
    if isinstance(step, Furnish | Names):
        draft = after(Interest(), after(Survey(), keep(2)))
        draft.things = [Thing("letter", 1, 1, {"group": "note"})]
        return draft
    draft = (
        after(Separate(), after(Scatter(), Draft(61, 41)))
        if isinstance(step, Hallways)
        else after(Split(), Draft(61, 41))
    )
    if isinstance(step, Separate):
        after(Scatter(), draft)
    if isinstance(step, Siblings | Triangulate | Hallways):
        after(Chambers(min_width=5, small="keep"), draft)
    return after(Triangulate(), draft) if isinstance(step, Hallways) else draft


TWO_HALLS = """
###############
#......#......#
#......#......#
#.............#
#......#......#
#......#......#
###############
"""


def starts(step: Step) -> list[Any]:
    if isinstance(step, Locks):
        return [
            lambda number=number: after(Ends(), after(Loops(detour=20, role="door"), keep(number)))
            for number in range(2, 8)
        ]
    more: dict[type, Callable[[], Draft]] = {
        Expand: lambda: Draft.of(uc.generate("isaac", seed=1, expand=False)),  # it has a start and an end
        Areas: lambda: after(Survey(), draft_of(TWO_HALLS)),
    }
    return [
        *(start for kind, start in more.items() if isinstance(step, kind)),
        lambda: other(step),
        lambda: ground(step),
        lambda: draft_of(STREETS),
        lambda: after(Noise(), Draft(41, 31)),
        lambda: keep(2),
        *(lambda number=number: soup(number, "##,,,.+", 14) for number in range(30)),
    ]


# --- streams ----------------------------------------------------------------------------------------------------------


def after_step(text: str, source: str, seed: int) -> bytes:
    """The tiles as they stood after that step of a recipe."""
    states: dict[str, bytes] = {}

    def watch(source: str, tiles: NDArray[np.uint8]) -> None:
        states[source] = tiles.tobytes()

    Recipe.parse(text, "chain.toml").generate(seed=seed, size=(41, 31), watcher=watch)
    return states[source]


def recipe_text(*steps: str) -> str:
    return "".join(f'[[step]]\nuse = "{step}"\n' if "\n" not in step else f"[[step]]\n{step}\n" for step in steps)


CHAINS = [
    ("noise", "automaton", "join", "survey", "ends"),
    ("fill", "rooms", "maze", "connect", "prune", "survey", "interest"),
]


@pytest.mark.parametrize("chain", CHAINS)
def test_later_steps_do_not_move_earlier_ones(chain: tuple[str, ...]) -> None:
    for seed in range(5):
        for length in range(1, len(chain)):
            whole = after_step(recipe_text(*chain), chain[length - 1], seed)
            part = (
                Recipe.parse(recipe_text(*chain[:length]), "chain.toml")
                .generate(seed=seed, size=(41, 31))
                .level.tiles.tobytes()
            )
            assert part == whole


@pytest.mark.parametrize("chain", CHAINS)
def test_a_step_that_does_nothing_moves_no_other(chain: tuple[str, ...]) -> None:
    for seed in range(5):
        plain = Recipe.parse(recipe_text(*chain), "chain.toml").generate(seed=seed, size=(41, 31)).level
        for place in range(1, len(chain) - 2):
            steps = [*chain[:place], 'use = "automaton"\nid = "idle"\nrounds = 0', *chain[place:]]
            assert Recipe.parse(recipe_text(*steps), "chain.toml").generate(seed=seed, size=(41, 31)).level == plain


def test_the_second_step_of_a_name_has_a_stream_of_its_own() -> None:
    recipe = Recipe.parse(recipe_text("noise", "noise"), "twice.toml")
    assert [plan.id for plan in recipe.plans] == ["noise", "noise#2"]
    once = Recipe.parse(recipe_text("noise"), "once.toml").generate(seed=1, size=(20, 20)).level
    assert recipe.generate(seed=1, size=(20, 20)).level != once
    named = (
        Recipe.parse(recipe_text('use = "noise"\nid = "noise#2"'), "named.toml").generate(seed=1, size=(20, 20)).level
    )
    assert recipe.generate(seed=1, size=(20, 20)).level == named


@pytest.mark.parametrize("name", ["cave", "rooms-and-mazes"])
def test_a_recipe_is_the_same_watched(name: str) -> None:
    for seed in range(20):
        timeline = Timeline()
        watched = uc.generate(name, seed=seed, size=(41, 31), watcher=timeline)
        assert watched == uc.generate(name, seed=seed, size=(41, 31))
        assert (timeline.at(timeline.turns - 1) == watched.tiles).all()
        assert timeline.turns > 20
        assert timeline.sources[0] == "begin"
