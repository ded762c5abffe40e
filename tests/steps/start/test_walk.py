"""The drunkard's walk on tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import undercroft as uc
from support.maps import HEAVY, after, border, components, draft_of, ground_tiles
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.steps.start.walk import MAX_STEPS_PER_CELL, Walk

SEEDS = 10_000 if HEAVY else 120
WALL, FLOOR = STANDARD["wall"], STANDARD["floor"]


def stumble(step: Walk, width: int, height: int, seed: int) -> list[str]:
    """The walk by plain Python: a list of rows, and one draw for sixteen steps."""
    rng = Rng.root(seed).stream("step")
    rows = [["#"] * width for _ in range(height)]
    x, y = (
        (width // 2, height // 2) if step.start == "middle" else (rng.between(1, width - 2), rng.between(1, height - 2))
    )
    home, goal, left = (
        (x, y),
        min(int(step.floor * width * height + 0.5), (width - 2) * (height - 2)),
        MAX_STEPS_PER_CELL * width * height,
    )
    if goal:
        rows[y][x] = "."
    bits: list[int] = []
    go = lived = 0
    while sum(row.count(".") for row in rows) < goal and left:
        left -= 1
        if not bits:
            number = rng.next()
            bits = [number >> 2 * place & 3 for place in range(16)]
        way = bits.pop(0)
        if step.straight:
            go = go if rng.next() < threshold(step.straight) and go >= 0 else way
        else:
            go = way
        nx, ny = (x + 1, y) if go == 0 else (x - 1, y) if go == 1 else (x, y + 1) if go == 2 else (x, y - 1)
        if not (0 < nx < width - 1 and 0 < ny < height - 1):
            go = -1
            continue
        x, y = nx, ny
        rows[y][x] = "."
        lived += 1
        if lived == step.life:
            lived = 0
            x, y = home
    return ["".join(row) for row in rows]


@pytest.mark.parametrize(
    "step",
    [
        Walk(),
        Walk(floor=0.25, straight=0.6),
        Walk(life=7),
        Walk(start="anywhere", floor=0.3),
        Walk(straight=0.95, floor=0.3),
        Walk(floor=0.0),
    ],
)
def test_a_walk_as_one_would_write_it(step: Walk) -> None:
    for seed in range(40):
        width, height = (int(side) for side in np.random.default_rng(seed).integers(3, 14, 2))
        assert str(after(step, Draft(width, height), seed=seed)).split("\n") == stumble(step, width, height, seed)


@pytest.mark.parametrize("params", [{}, {"straight": 0.7}, {"life": 200}, {"start": "anywhere", "floor": 0.2}])
def test_walks_are_connected_closed_and_of_the_share_asked_for(params: dict[str, object]) -> None:
    for seed in range(SEEDS):
        level = uc.generate("walk", seed=seed, size=(40, 25), params=params)
        assert components(level.walkable) == 1
        assert (border(level.tiles) == WALL).all()
        assert int(level.walkable.sum()) == round(1000 * float(params.get("floor", 0.4)))  # type: ignore[arg-type]
        assert set(np.unique(ground_tiles(level)).tolist()) == {WALL, FLOOR}
        assert [region.kind for region in level.regions] == ["cave"]


def test_every_small_size_gives_a_level_or_a_sentence() -> None:
    for width in range(1, 20):
        for height in range(1, 20):
            if min(width, height) < 3:
                with pytest.raises(BadInput, match=f"at least 3x3, not {width}x{height}") as caught:
                    uc.generate("walk", seed=1, size=(width, height))
                assert caught.value.fix == f"ask for {max(width, 3)}x{max(height, 3)}"
            else:
                level = uc.generate("walk", seed=1, size=(width, height))
                assert components(level.walkable) == 1
                assert (border(level.tiles) == WALL).all()


@given(
    st.integers(0, 2**64 - 1),
    st.integers(3, 40),
    st.integers(3, 40),
    st.floats(0, 1),
    st.floats(0, 1),
    st.integers(0, 400),
    st.booleans(),
)
def test_a_walk_of_any_parameters(
    seed: int, width: int, height: int, floor: float, straight: float, life: int, anywhere: bool
) -> None:
    """All the floor that was asked for, or a word about what is missing."""
    run = Run()
    draft = after(
        Walk(floor=floor, straight=straight, life=life, start="anywhere" if anywhere else "middle"),
        Draft(width, height),
        seed=seed,
        run=run,
    )
    open_cells = draft.tiles == FLOOR
    assert components(open_cells) <= 1
    assert (border(draft.tiles) == WALL).all()
    asked = threshold(floor) * width * height + 2**31 >> 32
    assert int(open_cells.sum()) == asked or run.notes
    assert int(open_cells.sum()) <= asked


def test_more_floor_than_there_is_room_for() -> None:
    run = Run()
    draft = after(Walk(floor=1.0), Draft(9, 7), run=run)
    assert (draft.tiles[1:-1, 1:-1] == FLOOR).all()
    assert (border(draft.tiles) == WALL).all()
    assert run.notes == ["63 cells of floor are more than there are inside the border: all 35 shall do"]


def test_a_walk_that_cannot_reach_its_share_says_so() -> None:
    """Three steps from home and back again: there are 25 cells that near."""
    run = Run()
    draft = after(Walk(life=3, floor=0.5), Draft(21, 21), run=run)
    dug = int((draft.tiles == FLOOR).sum())
    assert dug == 1 + 4 + 8 + 12
    assert run.notes == ["the walk ended after 44,100 steps: 196 cells of floor are missing"]


def test_no_floor_asked_for() -> None:
    assert (after(Walk(floor=0.0), Draft(9, 9)).tiles == WALL).all()
    with pytest.raises(BadInput, match=r"0\.01"):
        uc.generate("walk", seed=1, size=(9, 9), floor=0.0)


def test_what_is_there_counts_and_stays() -> None:
    before = draft_of("""
        ###########
        #..+~~#...#
        #..#~~#...#
        ###########
        #,,,,,,,,,#
        ###########
    """)
    draft = after(Walk(floor=0.5), before)
    kept = draft_of(str(before)).tiles
    assert (draft.tiles[STANDARD.walkable[kept]] == kept[STANDARD.walkable[kept]]).all()
    assert int(STANDARD.walkable[draft.tiles].sum()) == 33
    assert str(after(Walk(floor=0.1), before)) == str(before), "there is enough already"


def test_a_digger_that_hardly_turns_turns_at_the_border() -> None:
    for seed in range(10):
        level = after(Walk(straight=0.95, floor=0.4), Draft(60, 16), seed=seed)
        assert int((level.tiles == FLOOR).sum()) == 384


def test_going_straight_on_makes_longer_galleries() -> None:
    def reach(straight: float) -> float:
        boxes = [
            np.ptp(
                np.argwhere(after(Walk(floor=0.02, straight=straight), Draft(101, 101), seed=seed).tiles == FLOOR),
                axis=0,
            ).sum()
            for seed in range(20)
        ]
        return float(np.mean(boxes))

    assert reach(0.8) > 1.3 * reach(0.0)
