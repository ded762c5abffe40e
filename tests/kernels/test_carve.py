"""What digs by chance, against slow twins that draw the same numbers, and against what it promises."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.maps import HEAVY, PLAIN, after, components, draft_of, soup
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng, threshold
from undercroft.kernels import buffer, carve
from undercroft.steps.links.connect import Connect
from undercroft.steps.mazes.maze import Maze, Prune
from undercroft.steps.rooms.rooms import Rooms
from undercroft.steps.start.noise import Noise

WALL, FLOOR, CORRIDOR, DOOR = (STANDARD[name] for name in ("wall", "floor", "corridor", "door"))
BOTH: list[tuple[Any, Callable[[Any], Any]]] = [(carve, buffer), (PLAIN["carve"], memoryview)]
MAPS = 5000 if HEAVY else 120
SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def stream(seed: int) -> Rng:
    """The stream that `after` gives a step."""
    return Rng.root(seed).stream("step")


# --- noise ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.25, 0.4, 0.999, 1.0])
def test_noise_is_one_chance_a_cell(share: float) -> None:
    for seed in range(20):
        got = after(Noise(wall=share, ring=False), Draft(37, 11), seed=seed).tiles
        rng = stream(seed)
        assert got.reshape(-1).tolist() == [WALL if rng.chance(share) else FLOOR for _ in range(37 * 11)]


def test_noise_at_its_edge() -> None:
    """A draw that is equal to the threshold is not below it."""
    for module, wrap in BOTH:
        for above in (0, 1):
            tiles = np.zeros(1, np.uint8)
            module.fill_noise(wrap(tiles), stream(3).state, stream(3).next() + above, 200, 7, 0, 1)
            assert tiles.tolist() == [200 if above else 7]


def test_noise_in_pieces_and_interpreted() -> None:
    for module, wrap in BOTH:
        for cuts in ([0, 50], [0, 1, 1, 7, 50]):
            tiles, rng = np.zeros(50, np.uint8), stream(3)
            for first, last in pairwise(cuts):
                assert module.fill_noise(wrap(tiles), rng.state, threshold(0.4), 200, 7, first, last) == last - first
            twin = stream(3)
            assert tiles.tolist() == [200 if twin.chance(0.4) else 7 for _ in range(50)]
            assert rng.state == twin.state


# --- rooms ------------------------------------------------------------------------------------------------------------


def slow_rooms(rock: NDArray[np.bool_], rng: Rng, tries: int, extra: int) -> list[tuple[int, int, int, int]]:
    """Place rooms one try at a time, looking at every cell of a room and around it."""
    height, width = rock.shape
    placed = []
    for _ in range(tries):
        w = h = rng.below(2 + extra) * 2 + 3
        stretch = rng.below(1 + w // 2) * 2
        if rng.below(2):
            w += stretch
        else:
            h += stretch
        if w + 2 > width or h + 2 > height:
            continue
        x, y = rng.below((width - w) // 2) * 2 + 1, rng.below((height - h) // 2) * 2 + 1
        if rock[y - 1 : y + h + 1, x - 1 : x + w + 1].all():
            rock[y : y + h, x : x + w] = False
            placed.append((x, y, w, h))
    return placed


@pytest.mark.parametrize("extra", [0, 1, 3])
def test_rooms_stand_where_the_slow_twin_puts_them(extra: int) -> None:
    some = 0
    for seed in range(MAPS // 3):
        width, height = 5 + 2 * (seed % 17), 5 + 2 * (seed % 9)
        rock = np.ones((height, width), bool)
        placed = slow_rooms(rock, stream(seed), 60, extra)
        got = after(Rooms(tries=60, extra_size=extra), Draft(width, height), seed=seed).tiles
        assert (got == np.where(rock, WALL, FLOOR)).all()
        some += len(placed) > 1
    assert some > MAPS // 10


def test_rooms_keep_off_what_is_there() -> None:
    for seed in range(100):
        draft = Draft(31, 21)
        draft.tiles[9:12, 9:20] = CORRIDOR
        got = after(Rooms(tries=200), draft, seed=seed).tiles
        assert (got[9:12, 9:20] == CORRIDOR).all()
        ring = np.ones((5, 13), bool)
        ring[1:-1, 1:-1] = False
        assert (got[8:13, 8:21][ring] == WALL).all()


def around(cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The cells themselves and all beside them, at corners too."""
    height, width = cells.shape
    wide, near = np.pad(cells, 1), np.zeros_like(cells)
    for y in range(3):
        for x in range(3):
            near |= wide[y : y + height, x : x + width]
    return near


@pytest.mark.parametrize("step", [Rooms(tries=200), Maze()])
def test_nothing_is_dug_beside_single_cells_wherever_they_are(step: Rooms | Maze) -> None:
    """On even rows and columns too, where no room of ours would ever have a corner."""
    for seed in range(150):
        draft = Draft(21, 17)
        there = np.random.default_rng(seed).random(draft.tiles.shape) < 0.02
        draft.tiles[there] = STANDARD["stairs up"]
        dug = (after(step, draft, seed=seed).tiles != WALL) & ~there
        assert not (around(there) & dug).any()


def test_the_table_of_rooms_is_written_as_far_as_it_goes() -> None:
    for module, wrap in BOTH:
        state, tiles, rock = np.array([80, 0, 0], np.int64), np.full(41 * 31, WALL, np.uint8), np.zeros(256, np.uint8)
        rock[WALL] = 1
        found = np.full((3, 4), -1, np.int32)
        while (
            module.dig_rooms(
                wrap(state), wrap(tiles), wrap(rock), wrap(found), stream(1).state, 41, 31, 0, FLOOR, 1 << 20
            )
            >= 1 << 20
        ):
            pass
        placed = slow_rooms(np.ones((31, 41), bool), stream(1), 80, 0)
        assert state.tolist() == [0, len(placed), 80]
        assert [tuple(row) for row in found.tolist()] == placed[:3]


@pytest.mark.parametrize("fuel", [9, 1 << 20])
def test_rooms_dug_by_bits_are_those_dug_by_bytes(fuel: int) -> None:
    rock = np.zeros(256, np.uint8)
    rock[WALL] = 1
    for seed in range(60):
        width, height, extra = 5 + 11 * (seed % 17), 5 + 7 * (seed % 9), (0, 1, 4, 13)[seed % 4]
        begun = np.full(width * height, WALL, np.uint8)
        begun[np.random.default_rng(seed).random(begun.size) < 0.003 * (seed % 3)] = FLOOR
        every = []
        for module, wrap in BOTH:
            for by_bits in (False, True):
                state, tiles, found = np.array([80, 0, 0], np.int64), begun.copy(), np.zeros((90, 4), np.int32)
                taken, rng, spent = np.zeros((height, width // 64 + 2), np.uint64), stream(seed), 0
                module.mark_taken(wrap(tiles), wrap(rock), wrap(taken), width, 0, height)
                dig, field = (module.dig_rooms_by_bits, [wrap(taken)]) if by_bits else (module.dig_rooms, [wrap(rock)])
                used = fuel
                while used >= fuel:
                    used = dig(
                        wrap(state), wrap(tiles), *field, wrap(found), rng.state, width, height, extra, FLOOR, fuel
                    )
                    spent += used
                every.append([state.tolist(), tiles.tolist(), found.tolist(), list(rng.state), spent])
        assert every[0] == every[1] == every[2] == every[3]


def test_large_maps_get_the_same_rooms_either_way(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for least in (1, 1 << 40):
        monkeypatch.setattr("undercroft.steps.rooms.rooms.LEAST_CELLS_FOR_BITS", least)
        made.append([after(Rooms(extra_size=seed), Draft(91, 71), seed=seed).tiles.tolist() for seed in range(16)])
    assert made[0] == made[1]


def test_every_room_size_comes_up() -> None:
    sizes = {room[2:] for seed in range(200) for room in slow_rooms(np.ones((31, 41), bool), stream(seed), 20, 0)}
    assert {(3, 3), (3, 5), (5, 3), (5, 5), (5, 7), (7, 5), (5, 9), (9, 5)} == sizes


# --- mazes ------------------------------------------------------------------------------------------------------------


def rooms_draft(seed: int, width: int, height: int) -> Draft:
    return after(Rooms(tries=seed % 30), Draft(width, height), seed=seed)


@pytest.mark.parametrize("winding", [0.0, 0.5, 1.0])
def test_a_maze_is_perfect_and_touches_nothing(winding: float) -> None:
    for seed in range(MAPS):
        width, height = 5 + 2 * (seed % 14), 5 + 2 * (seed % 8)
        before = rooms_draft(seed, width, height).tiles.copy()
        draft = rooms_draft(seed, width, height)
        dug = after(Maze(winding=winding), draft, seed=seed).tiles == CORRIDOR
        assert ((draft.tiles == before) | dug).all()
        assert (before[dug] == WALL).all()
        assert not dug[0].any()
        assert not dug[-1].any()
        assert not dug[:, 0].any()
        assert not dug[:, -1].any()
        ys, xs = np.nonzero(dug)
        assert (ys % 2 | xs % 2).all()
        # a tree: one cell more than pairs of neighbours, for every part
        pairs = int((dug[:, 1:] & dug[:, :-1]).sum() + (dug[1:] & dug[:-1]).sum())
        assert int(dug.sum()) - pairs == components(dug)
        # beside no room, not even at corners
        touched = around(before != WALL)
        assert not (touched & dug).any()
        # and in every odd cell that it could reach
        free = ~touched[1:-1:2, 1:-1:2]
        assert dug[1:-1:2, 1:-1:2][free].all()


def test_mazes_that_could_be_one_are_one() -> None:
    """On empty rock there is one maze, and it fills all odd cells."""
    for seed in range(20):
        dug = after(Maze(), Draft(31, 21), seed=seed).tiles == CORRIDOR
        assert components(dug) == 1
        assert dug[1::2, 1::2].all()


def test_winding_passages_turn_more_often() -> None:
    def turns(winding: float) -> float:
        total = 0
        for seed in range(10):
            dug = after(Maze(winding=winding), Draft(61, 61), seed=seed).tiles == CORRIDOR
            wide = np.pad(dug, 1)
            up, down, left, right = wide[:-2, 1:-1], wide[2:, 1:-1], wide[1:-1, :-2], wide[1:-1, 2:]
            total += int((dug & (up ^ down) & (left ^ right)).sum())
        return total

    straight, half, winding = turns(0.0), turns(0.5), turns(1.0)
    assert straight * 1.5 < half * 1.2 < winding


# --- dead ends --------------------------------------------------------------------------------------------------------


def slow_prune(tiles: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Fill corridor and door cells with at most one exit, until there is none."""
    tiles = tiles.copy()
    prunable = STANDARD.role_mask("corridor", "door", "opening", "locked", "secret")
    while True:
        wide = np.pad(STANDARD.walkable[tiles], 1).astype(int)
        near = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
        dead = prunable[tiles] & (near <= 1)
        if not dead.any():
            return tiles
        ys, xs = np.nonzero(dead)
        tiles[ys[0], xs[0]] = WALL


def test_pruning_leaves_what_the_slow_twin_leaves() -> None:
    for number in range(MAPS):
        draft = soup(number, "###,,,,,.+'LS~")
        expected = slow_prune(draft.tiles)
        assert (after(Prune(), draft, seed=number).tiles == expected).all(), number


def test_pruning_mazes_between_rooms() -> None:
    for seed in range(60):
        draft = after(Connect(), after(Maze(), rooms_draft(seed + 10, 31, 21), seed=seed), seed=seed)
        expected = slow_prune(draft.tiles)
        assert (after(Prune(), draft).tiles == expected).all()


# --- connectors -------------------------------------------------------------------------------------------------------


def slow_connectors(tiles: NDArray[np.uint8]) -> set[tuple[int, int]]:
    """Rock cells inside the border with two or more different regions around them."""
    from scipy.ndimage import label

    labels = label(STANDARD.walkable[tiles])[0]
    rock = STANDARD.role_mask("wall", "void")[tiles]
    height, width = tiles.shape
    found = set()
    for y in range(1, height - 1):
        for x in range(1, width - 1):
            around = {int(labels[y + dy, x + dx]) for dx, dy in SIDES} - {0}
            if rock[y, x] and len(around) > 1:
                found.add((x, y))
    return found


def test_doors_stand_on_connectors_and_all_of_them_are_used_if_asked_for() -> None:
    seen = 0
    for number in range(MAPS):
        draft = soup(number, "####X..,~")
        before = draft.tiles.copy()
        connectors = slow_connectors(before)
        after(Connect(extra=1.0), draft, seed=number)
        ys, xs = np.nonzero(draft.tiles != before)
        opened = set(zip(xs.tolist(), ys.tolist(), strict=True))
        assert opened <= connectors
        doors = {(x, y) for x, y in opened if draft.tiles[y, x] == DOOR}
        for x, y in connectors - opened:
            assert any((x + dx, y + dy) in doors for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        for x, y in doors:
            assert sum((x + dx, y + dy) in doors for dx in (-1, 0, 1) for dy in (-1, 0, 1)) == 1
        seen += len(doors)
    assert seen > MAPS


def test_no_connector_on_the_border() -> None:
    draft = after(Connect(extra=1.0), "#.#.#\n#.#.#\n#.#.#")
    assert str(draft).split("\n")[0] == "#.#.#"
    assert str(draft).split("\n")[2] == "#.#.#"
    assert str(draft).split("\n")[1] == "#.+.#"
    assert str(after(Connect(), draft_of("#.#.#"))) == "#.#.#"
