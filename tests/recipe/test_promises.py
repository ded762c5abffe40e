"""What each recipe promises, over many seeds, sizes and parameters."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.ndimage import label

import undercroft as uc
from support.maps import HEAVY, border, components, ground_tiles
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.errors import NotMet, UndercroftError
from undercroft.recipe.catalogue import names
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import Param

SEEDS = 100_000 if HEAVY else 300
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)
WALL, FLOOR = STANDARD["wall"], STANDARD["floor"]


def outcome(name: str, **options: Any) -> Level | UndercroftError:
    """A level, or the sentence that says why there is none; anything else goes through."""
    try:
        return uc.generate(name, **options)
    except UndercroftError as error:
        return error


def is_joined_and_closed(level: Level) -> None:
    """One part, rock all round, and a way from start to end that is as long as is measured."""
    assert components(level.walkable) == 1
    assert (border(level.tiles) == WALL).all()
    assert level.start is not None
    assert level.end is not None
    path = [tuple(cell) for cell in level.path.tolist()]
    assert (path[0], path[-1]) == (level.start, level.end)
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(path))
    assert len(set(path)) == len(path)
    assert level.walkable[level.path[:, 1], level.path[:, 0]].all()


def regions_are_true(level: Level) -> None:
    """The table says what the label grid shows, and every walkable cell that is no door has a label."""
    labels = level.regions.labels
    assert ((labels > 0) == (level.walkable & ~IS_DOOR[level.tiles])).all()
    assert (
        np.bincount(labels.reshape(-1), minlength=len(level.regions) + 1)[1:].tolist()
        == level.regions.table["area"].tolist()
    )


# --- cave -------------------------------------------------------------------------------------------------------------


def is_a_cave(level: Level) -> None:
    is_joined_and_closed(level)
    regions_are_true(level)
    assert set(np.unique(ground_tiles(level)).tolist()) == {WALL, FLOOR}
    assert [region.kind for region in level.regions] == ["cave"]
    assert uc.measure(level, "path_length")["path_length"] == len(level.path) - 1


@pytest.mark.parametrize("connect", ["largest", "nearest", "discard"])
def test_caves(connect: str) -> None:
    for seed in range(SEEDS):
        level = uc.generate("cave", seed=seed, size=(40, 25), connect=connect)
        is_a_cave(level)
        if "tunnel" in level.layers:
            assert connect != "discard"
            assert level.walkable[level.layers["tunnel"]].all()


@pytest.mark.parametrize("wall", ["ignore", "wall"])
@pytest.mark.parametrize("shape", ["rounded", "square", "diamond"])
def test_caves_of_other_shapes(shape: str, wall: str) -> None:
    for seed in range(SEEDS // 10):
        for connect in ("largest", "nearest", "discard"):
            is_a_cave(uc.generate("cave", seed=seed, size=(40, 25), connect=connect, shape=shape, border=wall))


def test_caves_differ() -> None:
    assert len({str(uc.generate("cave", seed=seed, size=(40, 25))) for seed in range(300)}) == 300


def test_a_cave_is_as_open_as_the_one_of_the_document() -> None:
    """0.435 there; of 100 seeds, the middle one lies near."""
    density = sorted(
        float(uc.measure(uc.generate("cave", seed=seed), "density")["density"] or 0) for seed in range(100)
    )
    assert 0.35 < density[50] < 0.5


# --- rooms and mazes --------------------------------------------------------------------------------------------------


def is_a_keep(level: Level, dead_ends: bool = False) -> None:
    is_joined_and_closed(level)
    regions_are_true(level)
    for room in level.rooms:
        assert (room.x % 2, room.y % 2, room.width % 2, room.height % 2) == (1, 1, 1, 1)
        assert room.area == room.width * room.height
        assert min(room.width, room.height) >= 3
    is_door = np.pad(IS_DOOR[level.tiles], 1).astype(int)
    labels = level.regions.labels
    assert len(level.doors) == is_door.sum()
    for door in level.doors:
        assert is_door[door.y : door.y + 3, door.x : door.x + 3].sum() == 1
        around = {int(labels[door.y + dy, door.x + dx]) for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))} - {0}
        assert len(around) >= 2, (door, str(level))
        assert {door.a, door.b} <= around
    if not dead_ends:
        assert uc.measure(level, "dead_ends") == {"dead_ends": 0}
    shortest = uc.measure(level, "path_length")["path_length"]
    assert shortest is not None
    assert 0 <= shortest <= len(level.path) - 1


def test_keeps() -> None:
    for seed in range(SEEDS):
        is_a_keep(uc.generate("rooms-and-mazes", seed=seed, size=(41, 31)))


@pytest.mark.parametrize(
    "params", [{"extra": 0.0}, {"extra": 1.0}, {"doors": 0.5}, {"winding": 1.0, "extra_size": 3}, {"room_tries": 3}]
)
def test_keeps_of_other_kinds(params: dict[str, float]) -> None:
    for seed in range(SEEDS // 5):
        is_a_keep(uc.generate("rooms-and-mazes", seed=seed, size=(41, 31), params=params))


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_keeps_with_dead_ends(share: float) -> None:
    for seed in range(SEEDS // 5):
        is_a_keep(uc.generate("rooms-and-mazes", seed=seed, size=(41, 31), dead_ends=share), dead_ends=True)


def test_a_keep_without_extra_doors_has_no_loops() -> None:
    for seed in range(SEEDS // 5):
        level = uc.generate("rooms-and-mazes", seed=seed, size=(41, 31), extra=0.0)
        assert uc.measure(level, "loops", "graph_loops") == {"loops": 0, "graph_loops": 0}


def test_keeps_differ() -> None:
    assert len({str(uc.generate("rooms-and-mazes", seed=seed, size=(41, 31))) for seed in range(300)}) == 300


# --- any size ---------------------------------------------------------------------------------------------------------

PARAMS: dict[str, list[dict[str, Any]]] = {
    "cave": [
        {},
        {"connect": "nearest", "shape": "diamond", "border": "wall"},
        {"fill_prob": 0.0, "nrepeats": 0},
        {"fill_prob": 1.0, "nrepeats": 0},
    ],
    "rooms-and-mazes": [{}, {"extra": 1.0, "dead_ends": 1.0}, {"room_tries": 1}],
}


@pytest.mark.parametrize("name", PARAMS)
def test_every_small_size_gives_a_level_or_a_sentence(name: str) -> None:
    made = refused = 0
    for width in range(1, 25):
        for height in range(1, 25):
            if not HEAVY and (width + height) % 3:
                continue  # a third of all sizes: in both directions, even and odd ones
            for params in PARAMS[name]:
                level = outcome(name, seed=width * height, size=(width, height), tries=3, params=params)
                if isinstance(level, UndercroftError):
                    assert level.fix
                    refused += 1
                    continue
                made += 1
                assert level.size == (width, height)
                if name == "cave":
                    is_a_cave(level)
                else:
                    is_a_keep(level, "dead_ends" in params)
    assert made > 50
    assert refused > 50


@pytest.mark.parametrize("name", PARAMS)
@pytest.mark.parametrize(
    "size", [(1, 200), (200, 1), (2, 200), (200, 2), (3, 201), (201, 3), (5, 201), (201, 5), (1, 1), (2001, 5)]
)
def test_long_and_narrow(name: str, size: tuple[int, int]) -> None:
    level = outcome(name, seed=1, size=size, tries=5)
    if isinstance(level, UndercroftError):
        assert level.fix
        assert min(size) < 5 or (name == "cave" and isinstance(level, NotMet))
    else:
        (is_a_cave if name == "cave" else is_a_keep)(level)


def test_every_size_makes_a_keep() -> None:
    for width in range(5, 27):
        for height in range(5, 27):
            level = uc.generate("rooms-and-mazes", seed=width + height, size=(width, height))
            assert level.size == (width, height)
            is_a_keep(level)
            assert len(level.rooms) >= 1


@pytest.mark.parametrize("name", names())
def test_even_and_odd_sizes_make_levels(name: str) -> None:
    """A size has two parities in each direction: what a recipe makes of one it makes of all."""
    width, height = Recipe.load(name).size
    for size in product((width, width + 1, 40, 41), (height, height + 1, 28, 29)):
        level = uc.generate(name, seed=sum(size), size=size)
        assert level.size == size
        if name not in ("diablo2", "diablo3", "grammar", "templates"):
            assert not level.walkable[[0, -1]].any()
            assert not level.walkable[:, [0, -1]].any()


def test_larger_ones() -> None:
    is_a_cave(uc.generate("cave", seed=1, size=(401, 303)))
    is_a_keep(uc.generate("rooms-and-mazes", seed=1, size=(301, 203)))


# --- any parameters ---------------------------------------------------------------------------------------------------


def values_of(param: Param) -> st.SearchStrategy[Any]:
    """Anything that a parameter allows, its ends above all."""
    if param.choices:
        return st.sampled_from(param.choices)
    if param.name == "layouts":
        return st.just([])  # rooms of other shapes have tests of their own
    if isinstance(param.default, tuple):
        stage = st.tuples(st.integers(-1, 26), st.integers(-1, 26), st.integers(0, 6)).map(list)
        return st.lists(stage, max_size=3)
    assert param.low is not None
    assert param.high is not None
    if isinstance(param.default, float):
        return st.sampled_from([param.low, param.high]) | st.floats(param.low, param.high)
    return st.integers(int(param.low), min(int(param.high), 30)) | st.just(
        int(param.high) if param.high <= 1000 else 200
    )


def given_params(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {}, optional={param.name: values_of(param) for param in Recipe.load(name).params.values()}
    )


sides = st.integers(3, 40)


@given(st.integers(0, 2**64 - 1), sides, sides, given_params("cave"))
def test_a_cave_of_any_parameters(seed: int, width: int, height: int, params: dict[str, Any]) -> None:
    level = outcome("cave", seed=seed, size=(width, height), tries=2, params=params)
    if isinstance(level, Level):
        is_a_cave(level)
    else:
        assert isinstance(level, NotMet)
        assert isinstance(level.best, Level)
        assert uc.measure(level.best, "components") == {"components": 0}


@given(st.integers(0, 2**64 - 1), st.integers(2, 22), st.integers(2, 22), given_params("rooms-and-mazes"))
def test_a_keep_of_any_parameters(seed: int, columns: int, rows: int, params: dict[str, Any]) -> None:
    level = outcome("rooms-and-mazes", seed=seed, size=(2 * columns + 1, 2 * rows + 1), params=params)
    if isinstance(level, Level):
        is_a_keep(level, dead_ends=params.get("dead_ends", 0.0) > 0)
    else:
        assert isinstance(level, NotMet)
        assert isinstance(level.best, Level)
        assert not level.best.rooms  # rooms larger than the map


@settings(max_examples=40)
@given(st.integers(0, 2**64 - 1), st.integers(0, 10_000))
def test_a_cave_around_what_is_frozen(seed: int, number: int) -> None:
    """Floor that must stay is joined like any other, unless frozen rock shuts it in."""
    chance = np.random.default_rng(number)
    begin = Level(np.where(chance.random((20, 30)) < 0.9, WALL, FLOOR).astype(np.uint8))
    frozen = begin.tiles == FLOOR
    frozen[0] = frozen[-1] = frozen[:, 0] = frozen[:, -1] = False
    level = uc.generate("cave", seed=seed, begin=begin, frozen=frozen)
    assert (level.tiles[frozen] == FLOOR).all()
    assert components(level.walkable) == 1


def test_the_checks_themselves_can_fail() -> None:
    level = uc.generate("rooms-and-mazes", seed=1, size=(41, 31))
    broken: list[NDArray[np.uint8]] = []
    door = level.doors[0]
    for y, x, tile in (
        (0, 5, FLOOR),
        (door.y, door.x, WALL),
        (door.y + 1, door.x + 1, STANDARD["door"]),
        (level.path[3][1], level.path[3][0], WALL),
    ):
        tiles = level.tiles.copy()
        tiles[y, x] = tile
        broken.append(tiles)
    for tiles in broken:
        changed = Level(
            tiles,
            regions=level.regions,
            doors=level.doors,
            links=level.links,
            start=level.start,
            end=level.end,
            path=level.path,
        )
        with pytest.raises(AssertionError):
            is_a_keep(changed)
    assert label(level.walkable)[1] == 1
