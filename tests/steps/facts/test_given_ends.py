"""A given start or end: the cell itself, the nearest one, or a corridor dug to it."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import after, draft_of, ground_tiles, spans
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput, NotMet
from undercroft.recipe.request import Request
from undercroft.steps.facts.ends import Ends
from undercroft.steps.facts.interest import Interest
from undercroft.steps.neighbourhood import adjacent_cells

Point = tuple[int, int]
RECIPES = ("cave", "bsp", "maze", "tinykeep", "rooms-and-mazes")
WEIGHS_ROOMS = ("rooms-and-mazes",)
"""Recipes with the path of interest, where rooms weigh otherwise than their cells."""


def count_steps(cells: NDArray[np.bool_], source: Point) -> dict[Point, int]:
    """Steps from a cell to each that can be reached: a plain breadth-first search."""
    steps, queue = {source: 0}, deque([source])
    while queue:
        x, y = queue.popleft()
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= near[0] < cells.shape[1] and 0 <= near[1] < cells.shape[0]
            if near not in steps and inside and cells[near[1], near[0]]:
                steps[near] = steps[x, y] + 1
                queue.append(near)
    return steps


def check_path(level: uc.Level, *, shortest: bool = True) -> None:
    """The path leads from start to end, a step at a time, over open ground, and none is shorter."""
    path = [(int(x), int(y)) for x, y in level.path]
    assert (path[0], path[-1]) == (level.start, level.end)
    assert all(abs(x - to_x) + abs(y - to_y) == 1 for (x, y), (to_x, to_y) in pairwise(path))
    assert all(level.walkable[y, x] for x, y in path)
    assert not shortest or len(path) - 1 == count_steps(level.walkable, path[0])[path[-1]]


def pick_cell(mask: NDArray[np.bool_], seed: int) -> Point:
    """One of the cells of a mask, by the seed."""
    ys, xs = np.nonzero(mask)
    at = Rng.root(seed).below(len(xs))
    return int(xs[at]), int(ys[at])


@pytest.mark.parametrize("seeds", spans(60, quick=10, block=10))
@pytest.mark.parametrize("recipe", RECIPES)
def test_the_other_end_is_the_farthest_cell(recipe: str, seeds: range) -> None:
    for seed in seeds:
        plain = uc.generate(recipe, seed=seed, size=(41, 25))
        cell = pick_cell(plain.walkable, seed)
        far = max(count_steps(plain.walkable, cell).values())
        for name, other in (("start", "end"), ("end", "start")):
            level = uc.generate(recipe, seed=seed, size=(41, 25), ends={name: cell})
            assert ground_tiles(level).tolist() == ground_tiles(plain).tolist()
            assert getattr(level, name) == cell
            assert recipe in WEIGHS_ROOMS or count_steps(level.walkable, cell)[getattr(level, other)] == far
            check_path(level, shortest=recipe not in WEIGHS_ROOMS)
        both = uc.generate(recipe, seed=seed, size=(41, 25), ends={"start": cell, "end": plain.end})
        assert (both.start, both.end) == (cell, plain.end)
        check_path(both, shortest=recipe not in WEIGHS_ROOMS)


@pytest.mark.parametrize("seeds", spans(60, quick=10, block=10))
@pytest.mark.parametrize("recipe", RECIPES)
def test_the_nearest_cell_is_taken(recipe: str, seeds: range) -> None:
    for seed in seeds:
        plain = uc.generate(recipe, seed=seed, size=(41, 25))
        x, y = pick_cell(~plain.walkable, seed)
        level = uc.generate(recipe, seed=seed, size=(41, 25), ends={"start": (x, y), "reach": "near"})
        assert ground_tiles(level).tolist() == ground_tiles(plain).tolist()
        ys, xs = np.nonzero(plain.walkable)
        assert level.start is not None
        assert abs(level.start[0] - x) + abs(level.start[1] - y) == int((abs(xs - x) + abs(ys - y)).min())
        check_path(level, shortest=recipe not in WEIGHS_ROOMS)


@pytest.mark.parametrize("seeds", spans(60, quick=10, block=10))
@pytest.mark.parametrize("recipe", RECIPES)
def test_a_corridor_is_dug(recipe: str, seeds: range) -> None:
    for seed in seeds:
        plain = uc.generate(recipe, seed=seed, size=(41, 25))
        inside = ~plain.walkable
        inside[[0, -1]] = inside[:, [0, -1]] = False
        cell = pick_cell(inside, seed)
        level = uc.generate(recipe, seed=seed, size=(41, 25), ends={"start": cell, "reach": "dig"})
        assert level.start == cell
        dug = ground_tiles(level) != ground_tiles(plain)
        assert not (dug & plain.walkable).any()
        assert not dug[[0, -1]].any()
        assert not dug[:, [0, -1]].any()
        doors = plain.palette.role_mask(*DOOR_ROLES)[plain.tiles]
        rock = plain.palette.rock[plain.tiles]
        rock[[0, -1]] = rock[:, [0, -1]] = False
        rock &= ~adjacent_cells(doors)
        rock[cell[1], cell[0]] = True
        steps = count_steps(rock | (plain.walkable & ~doors), cell)
        assert int(dug.sum()) == min(number for (x, y), number in steps.items() if plain.walkable[y, x])
        if len(plain.regions):  # what was dug is a part of the rooms, doors and links that are known
            assert level.regions.labels[cell[1], cell[0]]
            assert {region.name for region in plain.regions} <= {region.name for region in level.regions}
        assert uc.measure(level)["components"] == uc.measure(plain)["components"] == 1
        check_path(level, shortest=recipe not in WEIGHS_ROOMS)


def test_frozen_cells_and_doors_are_not_dug_into() -> None:
    draft = draft_of("""
        ###########
        #.#.......#
        #+#########
        #.........#
        ###########
        ###########
    """)
    draft.frozen = np.zeros((6, 11), bool)
    draft.frozen[2, 3:] = True  # the short way up from below
    Ends(start=(5, 4), reach="dig", stairs=False).apply(draft, Rng.root(0), Run())
    assert draft.start == (5, 4)
    assert (draft.tiles == draft.palette["corridor"]).sum() == 1
    with pytest.raises(NotMet, match=r"the end \(5, 2\) is wall, where no corridor can be dug"):
        Ends(start=(5, 4), end=(5, 2), reach="dig").apply(draft, Rng.root(0), Run())


def test_a_door_is_not_where_a_corridor_ends() -> None:
    draft = draft_of("""
        #######
        #..+..#
        #######
        #######
        #######
    """)
    Ends(start=(3, 3), reach="dig", stairs=False).apply(draft, Rng.root(0), Run())
    assert draft.tiles[2, 3] == draft.palette["wall"]
    assert (draft.tiles == draft.palette["corridor"]).sum() == 3


@pytest.mark.parametrize("step", [Ends, Interest])
def test_a_cell_that_nobody_can_walk_on_is_named(step: Any) -> None:
    drawn = """
        #######
        #..~..#
        #######
        #..####
        #######
    """
    for parameters, words in (
        ({"start": (3, 1)}, r"^the start \(3, 1\) is water, which nobody can walk on\n.*for example \(2, 1\)"),
        ({"end": (0, 0)}, r"^the end \(0, 0\) is wall, which nobody can walk on"),
        ({"end": (3, 1), "reach": "dig"}, r"^the end \(3, 1\) is water, where no corridor can be dug"),
        ({"start": (0, 2), "reach": "dig"}, r"^the start \(0, 2\) is wall, where no corridor can be dug"),
        ({"start": (1, 1), "end": (4, 1)}, r"^no way leads from the start \(1, 1\) to the end \(4, 1\)"),
    ):
        draft = draft_of(drawn)
        with pytest.raises(NotMet, match=words):
            step(**parameters).apply(draft, Rng.root(0), Run())
    draft = draft_of(drawn)
    draft.things.append(Thing("statue", 1, 1, {"blocks": True}))
    with pytest.raises(NotMet, match=r"^the start \(1, 1\) is the place of a thing: statue, which"):
        step(start=(1, 1)).apply(draft, Rng.root(0), Run())


def test_a_map_without_ground_has_no_ends() -> None:
    for how in ("exact", "near", "dig"):
        with pytest.raises(NotMet, match="leads nowhere, since no cell can be walked on"):
            Ends(start=(1, 1), reach=how).apply(draft_of("####\n####\n####"), Rng.root(0), Run())


def test_the_chosen_end_has_no_thing() -> None:
    draft = draft_of("........")
    draft.things.append(Thing("chest", 7, 0))
    Ends(start=(0, 0)).apply(draft, Rng.root(0), Run())
    assert (draft.start, draft.end) == ((0, 0), (6, 0))
    assert after(Ends(end=(1, 0)), "...").start == (0, 0)
    draft = draft_of("..")
    draft.things += [Thing("chest", 0, 0), Thing("chest", 1, 0)]
    Ends(start=(0, 0)).apply(draft, Rng.root(0), Run())
    assert draft.end == (1, 0)


@pytest.mark.parametrize("step", ["ends", "interest"])
def test_a_recipe_names_its_start(step: str) -> None:
    text = f'[[step]]\nuse = "fill"\nrole = "floor"\n[[step]]\nuse = "{step}"\nstart = [3, 2]\n'
    level = uc.Recipe.parse(text, "a.toml").generate(seed=1, size=(9, 9)).level
    assert level.start == (3, 2)
    with pytest.raises(BadInput, match=r"the start \(3, 2\) is outside the level, which is 3x9"):
        uc.Recipe.parse(text, "a.toml").generate(seed=1, size=(3, 9))
    for wrong in ("[3]", "[1, 2, 3]", "[-1, 2]", '"3,2"', "3", "[0.5, 1]", "[true, 1]"):
        with pytest.raises(BadInput, match=r"start") as caught:
            uc.Recipe.parse(text.replace("[3, 2]", wrong), "a.toml")
        assert caught.value.place is not None
        assert caught.value.place.line == 6


ENDS_MISTAKES: list[tuple[Any, str, str]] = [
    ({"start": (99, 3)}, "cave", r"the start \(99, 3\) is outside the level"),
    ({"start": "x"}, "cave", "the start is a point"),
    ({"reach": "near"}, "cave", "none is given"),
    ({"start": (1, 1), "reach": "swim"}, "cave", "swim"),
    ({"begin": (1, 1)}, "cave", "begin"),
    ({"start": (1, 1)}, "isaac", "no step of isaac takes a start or an end"),
    ([(1, 1)], "cave", "ends are a table"),
]


@pytest.mark.parametrize(("ends", "recipe", "words"), ENDS_MISTAKES)
def test_mistakes_in_what_is_asked(ends: Any, recipe: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        uc.generate(recipe, seed=1, ends=ends)
    assert caught.value.fix


def test_a_level_tells_its_given_ends_and_can_be_made_again(tmp_path: Any) -> None:
    level = uc.generate("cave", seed=5, ends={"start": (2, 1), "reach": "dig"})
    assert level.provenance["ends"] == {"start": (2, 1), "reach": "dig"}
    assert "ends" not in uc.generate("cave", seed=5).provenance
    for name in ("a.json", "a.tmx", "a.npz"):
        level.save(tmp_path / name)
        stored = uc.load(tmp_path / name).provenance
        again = uc.generate(stored["recipe"], seed=int(stored["seed"]), ends=stored["ends"])
        assert (again, again.start) == (level, (2, 1))
    request = Request(uc.Recipe.load("cave"), seed=5, ends={"end": [4, 4]})
    sent = Request.of(request.for_seed(6, {"fill_prob": 0.3}).data())
    assert (sent.ends, sent.seed, sent.steps) == ({"end": (4, 4)}, 6, request.for_seed(6, {"fill_prob": 0.3}).steps)
    assert "ends" not in Request(uc.Recipe.load("cave"), seed=5).data()


def test_an_attempt_that_has_rock_there_is_not_taken() -> None:
    result = uc.Recipe.load("cave").generate(seed=5, ends={"start": (2, 1)}, tries=200)
    assert result.attempt > 0
    assert result.level.walkable[1, 2]
    with pytest.raises(NotMet, match=r"ends: the start \(0, 0\) is wall, which nobody can walk on: gave up 100 of 100"):
        uc.generate("cave", seed=5, ends={"start": (0, 0)})


def test_given_ends_of_a_draft_without_regions() -> None:
    draft = Draft(5, 3)
    draft.tiles[1, 1] = draft.palette["floor"]
    Ends(start=(3, 1), reach="dig").apply(draft, Rng.root(0), Run())
    assert (draft.start, draft.end) == ((3, 1), (1, 1))
