"""Mazes over the whole map, by every method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import label

import undercroft as uc
from support.maps import HEAVY, PLAIN, after, border, components, ground_tiles
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat_buffer, labyrinth
from undercroft.steps.mazes.labyrinth import METHODS, Labyrinth

SEEDS = 1000 if HEAVY else 24
WALL, CORRIDOR = STANDARD["wall"], STANDARD["corridor"]
POLICIES: list[dict[str, int]] = [
    {"newest": 1},
    {"newest": 0, "random": 1},
    {"newest": 0, "oldest": 1},
    {"newest": 5, "random": 3, "oldest": 1},
    {"newest": 1, "random": 1},
    {"newest": 0, "random": 9, "oldest": 1},
]
ALL = (
    [Labyrinth(method=method) for method in METHODS if method != "growing"]  # type: ignore[arg-type]
    + [Labyrinth(**policy) for policy in POLICIES]  # type: ignore[arg-type]
    + [Labyrinth(winding=0.2)]
)


def plots(tiles: NDArray[np.uint8], passage: int = 1) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """The cells of the maze, and the openings to the east and to the south, read off the tiles; all else must be
    wall.
    """
    height, width = tiles.shape
    pitch = passage + 1
    columns, rows = (width - 1) // pitch, (height - 1) // pitch
    left, top = (width - columns * pitch - 1) // 2 + 1, (height - rows * pitch - 1) // 2 + 1
    whole = tiles == CORRIDOR
    used = whole[top : top + rows * pitch - 1, left : left + columns * pitch - 1]
    assert whole.sum() == used.sum()
    assert (tiles[~whole] == WALL).all()
    used = np.pad(used, ((0, 1), (0, 1)))
    blocks = used.reshape(rows, pitch, columns, pitch)
    cells, east, south = (
        blocks[:, :passage, :, :passage],
        blocks[:, :passage, :, passage],
        blocks[:, passage, :, :passage],
    )
    assert cells.all()
    assert not blocks[:, passage, :, passage].any()
    assert (east.all(1) == east.any(1)).all()
    assert (south.all(2) == south.any(2)).all()
    return cells[:, 0, :, 0], east[:, 0], south[:, :, 0]


@pytest.mark.parametrize("passage", [1, 2, 5])
@pytest.mark.parametrize("step", ALL)
def test_every_maze_is_perfect(step: Labyrinth, passage: int) -> None:
    """A tree: connected, and with one opening fewer than cells."""
    for seed in range(SEEDS):
        width, height = (int(side) for side in np.random.default_rng(seed).integers(passage + 2, 50, 2))
        tiles = after(
            Labyrinth(**{**vars(step), "passage": passage}), Draft(width, height, fill="floor"), seed=seed
        ).tiles
        cells, east, south = plots(tiles, passage)
        assert components(tiles == CORRIDOR) == 1
        assert east.sum() + south.sum() == cells.size - 1
        assert (border(tiles) == WALL).all()


@pytest.mark.parametrize("step", ALL)
def test_mazes_of_one_cell_and_of_one_row(step: Labyrinth) -> None:
    assert str(after(step, Draft(3, 3))) == "###\n#,#\n###"
    assert str(after(step, Draft(4, 4))) == "####\n#,##\n####\n####"
    assert str(after(step, Draft(9, 3))) == "#########\n#,,,,,,,#\n#########"
    assert str(after(step, Draft(3, 9))) == "\n".join(["###", *["#,#"] * 7, "###"])


def trees_of(step: Labyrinth, count: int) -> Counter[bytes]:
    """How often each of the mazes of 3x2 cells comes out."""
    rng = Rng.root(3).stream("trees")
    seen: Counter[bytes] = Counter()
    for number in range(count):
        draft = Draft(7, 5)
        step.apply(draft, rng.stream(str(number)), uc.Run())
        seen[draft.tiles.tobytes()] += 1
    return seen


def chi_square(seen: Counter[bytes], kinds: int) -> float:
    expected = seen.total() / kinds
    return sum((count - expected) ** 2 for count in seen.values()) / expected + expected * (kinds - len(seen))


FAR = 36.1
"""Of the sums of 14 squares of chance, one in a thousand is larger."""


def test_wilson_makes_every_maze_equally_likely() -> None:
    """The grid of 3x2 cells has 15 spanning trees (Kirchhoff)."""
    seen = trees_of(Labyrinth(method="wilson"), 6000)
    assert len(seen) == 15
    assert chi_square(seen, 15) < FAR


@pytest.mark.parametrize("method", ["growing", "kruskal", "eller", "division"])
def test_the_other_methods_have_favourites(method: Any) -> None:
    """So that the test above can fail. All but division can make any of them."""
    seen = trees_of(Labyrinth(method=method), 6000)
    assert chi_square(seen, 15) > FAR
    assert len(seen) == 15 or method in ("division", "growing")


def test_wilson_walks_everywhere_on_other_shapes() -> None:
    """2x2 cells have 4 trees, 4x2 have 56."""
    for size, kinds, limit in (((5, 5), 4, 16.3), ((9, 5), 56, 93.2)):
        rng = Rng.root(5).stream("trees")
        seen: Counter[bytes] = Counter()
        for number in range(80 * kinds):
            draft = Draft(*size)
            Labyrinth(method="wilson").apply(draft, rng.stream(str(number)), uc.Run())
            seen[draft.tiles.tobytes()] += 1
        assert len(seen) == kinds
        assert chi_square(seen, kinds) < limit


@pytest.mark.parametrize("fuel", [1, 5, 1 << 40])
def test_backtracking_is_the_growing_tree_that_goes_on_from_the_newest(fuel: int) -> None:
    """The same openings and the same draws, in bites of any size, compiled or not. A state of 0 gives a number that may
    have to be drawn again.
    """
    both: list[tuple[Any, Callable[[Any], Any]]] = [(labyrinth, buffer), (PLAIN["labyrinth"], memoryview)]
    for module, wrap in both:
        for seed in range(60):
            rows, columns = (int(side) for side in np.random.default_rng(seed).integers(1, 12, 2))
            place = (1 + seed % rows, 1 + seed // 3 % columns)
            grown = []
            for newest in (True, False):
                maze = np.full((rows + 2, columns + 2), 8, np.uint8)
                maze[1:-1, 1:-1] = 0
                maze[place] = 4
                active = np.zeros(rows * columns, np.uint32)
                active[0] = (place[0] * (columns + 2) + place[1]) * (1 if newest else 4)
                rng = np.array([0 if seed % 4 == 0 else seed * 0x9E3779B97F4A7C15 % 2**64, 2 * seed + 1], np.uint64)
                state = np.array([1] if newest else [0, 1, 1], np.int64)
                args = *map(wrap, (state, maze.reshape(-1), active, rng)), columns + 2
                used, last = 0, fuel
                while last >= fuel:
                    last = module.backtrack(*args, fuel) if newest else module.grow_tree(*args, 1, 0, 0, 1 << 32, fuel)
                    used += last
                grown.append((maze.tobytes(), rng.tolist(), used))
            assert grown[0] == grown[1]
            assert grown[0][2] == 2 * rows * columns - 1


def test_eller_remembers_one_row() -> None:
    """Whatever was done before is wiped out after every row, but for one number a column and its twin: the maze is the
    same.
    """
    for seed in range(SEEDS):
        columns, rows = (int(side) for side in np.random.default_rng(seed).integers(1, 20, 2))

        def grid(columns: int = columns, rows: int = rows) -> NDArray[np.uint8]:
            found = np.full((rows + 2, columns + 2), 8, np.uint8)
            found[1:-1, 1:-1] = 0
            return found

        whole, wiped = grid(), grid()
        kept = []
        rng, again = Rng.root(seed).stream("eller"), Rng.root(seed).stream("eller")
        before, after_ = np.arange(columns + 1, dtype=np.int32), np.arange(columns + 1, dtype=np.int32)
        rings = before.copy(), after_.copy()
        state, place = np.zeros(1, np.int64), np.zeros(1, np.int64)
        labyrinth.eller(
            buffer(state), flat_buffer(whole), buffer(before), buffer(after_), rng.state, columns, rows, 1 << 40
        )
        for row in range(rows):
            labyrinth.eller(buffer(place), flat_buffer(wiped), *map(buffer, rings), again.state, columns, rows, 1)
            kept.append(wiped[row + 1].copy())
            wiped[:] = 0
        assert (np.array(kept)[:, 1:-1] == whole[1:-1, 1:-1]).all()


def dead_ends(tiles: NDArray[np.uint8]) -> int:
    _, east, south = plots(tiles)
    exits = east.astype(int) + south
    exits[:, 1:] += east[:, :-1]
    exits[1:] += south[:-1]
    return int((exits == 1).sum())


@pytest.mark.parametrize("step", ALL)
def test_loops_at_every_dead_end(step: Labyrinth) -> None:
    for seed in range(20):
        width, height = (int(side) for side in np.random.default_rng(seed).integers(5, 40, 2))
        tiles = after(Labyrinth(**{**vars(step), "loops": 1.0}), Draft(width, height), seed=seed).tiles
        assert dead_ends(tiles) == 0
        assert components(tiles == CORRIDOR) == 1


def test_a_share_of_loops() -> None:
    ends = [
        sum(
            dead_ends(after(Labyrinth(method="kruskal", loops=loops), Draft(61, 61), seed=seed).tiles)
            for seed in range(5)
        )
        for loops in (0.0, 0.5, 0.9)
    ]
    assert 0.3 * ends[0] < ends[1] < 0.6 * ends[0]
    assert 0.02 * ends[0] < ends[2] < 0.15 * ends[0]


def test_the_policies_of_a_growing_tree() -> None:
    """The newest cell makes long passages, any cell makes many dead ends; a mix lies between."""
    policies: list[dict[str, Any]] = [{"newest": 1}, {"newest": 1, "random": 1}, {"newest": 0, "random": 1}]
    newest, mixed, anywhere = (
        sum(dead_ends(after(Labyrinth(**policy), Draft(81, 81), seed=seed).tiles) for seed in range(10))
        for policy in policies
    )
    assert newest * 1.3 < mixed * 1.1 < anywhere


def test_the_oldest_first_goes_straight() -> None:
    """From the oldest cell on, the tree is as shallow as a search in breadth."""
    deep, shallow = (
        max(len(uc.generate("maze", seed=seed, size=(41, 41), params=params).path) for seed in range(10))
        for params in ({}, {"newest": 0, "oldest": 1})
    )
    assert shallow < 130 < deep


def test_winding() -> None:
    def straights(winding: float) -> float:
        _, east, south = plots(after(Labyrinth(winding=winding), Draft(81, 81)).tiles)
        return float((east[:, 1:] & east[:, :-1]).sum() + (south[1:] & south[:-1]).sum())

    assert straights(0.1) > 1.5 * straights(1.0)


def test_division_begins_with_a_wall_right_across() -> None:
    for seed in range(40):
        _, east, south = plots(after(Labyrinth(method="division"), Draft(41, 31), seed=seed).tiles)
        assert (east[:, :-1].sum(0) == 1).any() or (south[:-1].sum(1) == 1).any()


weights = st.integers(0, 9) | st.just(1_000_000)


@given(
    *(st.integers(0, 2**64 - 1), st.integers(3, 60), st.integers(3, 60), st.sampled_from(sorted(METHODS))),
    *(weights, weights, weights, st.floats(0, 1), st.floats(0, 1), st.integers(1, 9)),
)
def test_a_maze_of_any_parameters(
    seed: int,
    width: int,
    height: int,
    method: str,
    newest: int,
    random: int,
    oldest: int,
    winding: float,
    loops: float,
    passage: int,
) -> None:
    params = {
        "method": method,
        "newest": newest,
        "random": random,
        "oldest": oldest,
        "winding": winding,
        "loops": loops,
        "passage": passage,
    }
    if min(width, height) < passage + 2 or (method == "growing" and not newest + random + oldest):
        with pytest.raises(BadInput):
            uc.generate("maze", seed=seed, size=(width, height), params=params)
        return
    level = uc.generate("maze", seed=seed, size=(width, height), params=params)
    cells, east, south = plots(ground_tiles(level), passage)
    assert components(level.walkable) == 1
    assert east.sum() + south.sum() >= cells.size - 1
    assert (border(level.tiles) == WALL).all()


@pytest.mark.parametrize("step", ALL)
def test_one_can_watch_a_maze_grow(step: Labyrinth) -> None:
    timeline = Timeline()
    draft = after(step, Draft(61, 41), watcher=timeline)
    assert str(draft) == str(after(step, Draft(61, 41)))
    walls = [int((timeline.at(turn) == WALL).sum()) for turn in range(timeline.turns)]
    assert timeline.turns > 8
    assert len(set(walls)) > 8


def test_mazes_without_a_policy_or_without_room() -> None:
    with pytest.raises(BadInput, match="a growing tree needs a weight above 0") as caught:
        uc.generate("maze", seed=1, newest=0)
    assert caught.value.fix
    with pytest.raises(BadInput, match="passages 3 wide needs a map of at least 5x5, not 30x4") as caught:
        uc.generate("maze", seed=1, size=(30, 4), passage=3)
    assert caught.value.fix == "ask for 30x5"


@pytest.mark.parametrize("method", METHODS)
def test_the_recipe(method: str) -> None:
    for seed in range(SEEDS):
        level = uc.generate("maze", seed=seed, size=(40, 27), method=method)
        assert label(level.walkable)[1] == 1
        assert uc.measure(level, "loops", "rooms", "corridors") == {"loops": 0, "rooms": 0, "corridors": 1}
        assert level.start != level.end
    assert len({str(uc.generate("maze", seed=seed, size=(40, 27), method=method)) for seed in range(50)}) == 50
