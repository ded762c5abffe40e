"""What `bsp` and `tinykeep` promise, over many seeds, sizes and parameters; and the pictures they are known by."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import undercroft as uc
from support.maps import HEAVY, border, components, ground_tiles
from support.paths import TESTS
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.core.region import REGION_KINDS, Region, view_links
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, NotMet, UndercroftError
from undercroft.formats import dump, load, loads
from undercroft.recipe.document import Recipe
from undercroft.recipe.params import Param

PICTURES = TESTS / "cases" / "pictures"
SEEDS = 10_000 if HEAVY else 120
WALL, FLOOR, CORRIDOR, DOOR = (STANDARD[name] for name in ("wall", "floor", "corridor", "door"))
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)


def of_kind(level: Level, kind: str) -> list[Region]:
    return [region for region in level.regions if region.kind == kind]


def is_sound(level: Level) -> None:
    """Connected, closed all round, rooms are rectangles of floor with rock or hallways around, and all tables are
    true.
    """
    assert components(level.walkable) == 1
    assert (border(level.tiles) == WALL).all()
    labels = level.regions.labels
    assert np.array_equal(labels > 0, level.walkable & ~IS_DOOR[level.tiles])
    assert (
        np.bincount(labels.reshape(-1), minlength=len(level.regions) + 1)[1:].tolist()
        == level.regions.table["area"].tolist()
    )
    table = level.regions.table
    kinds = np.append(-1, table["kind"].astype(int))[labels]
    tiles = ground_tiles(level)
    assert (tiles[np.isin(kinds, (REGION_KINDS.index("room"), REGION_KINDS.index("cell")))] == FLOOR).all()
    assert (tiles[kinds == REGION_KINDS.index("corridor")] == CORRIDOR).all()
    boxes = table[table["kind"] != REGION_KINDS.index("corridor")]
    assert (boxes["area"] == boxes["width"] * boxes["height"]).all(), "no room is cut by another: none overlap"
    wide = np.pad(np.where(kinds == REGION_KINDS.index("corridor"), 0, labels), 1)
    inside = wide[1:-1, 1:-1]
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        near = wide[1 + dy : wide.shape[0] - 1 + dy, 1 + dx : wide.shape[1] - 1 + dx]
        assert not ((inside > 0) & (near > 0) & (inside != near)).any(), "nor do any two touch"
    rooms = {room.label for room in of_kind(level, "room")}
    assert all(link.carved and {link.a, link.b} <= rooms for link in level.links)
    assert joined(level, rooms)
    assert len(level.doors) == IS_DOOR[level.tiles].sum()
    assert level.start is not None
    assert level.end is not None
    assert tuple(level.path[0]) == level.start
    assert tuple(level.path[-1]) == level.end


def joined(level: Level, rooms: set[int]) -> bool:
    """Whether the links join all rooms."""
    parent = {room: room for room in rooms}

    def root(room: int) -> int:
        while parent[room] != room:
            room = parent[room]
        return room

    for link in level.links:
        parent[root(link.a)] = root(link.b)
    return len({root(room) for room in rooms}) <= 1


# --- bsp --------------------------------------------------------------------------------------------------------------


def is_bsp(level: Level, loops: bool = True) -> None:
    is_sound(level)
    assert not of_kind(level, "cell")
    count = len(of_kind(level, "room"))
    assert len(level.links) >= count - 1
    if not loops:
        assert len(level.links) == count - 1
    lines = level.layers["split"]
    assert lines.shape == level.tiles.shape
    leaves = np.pad(lines == 0, 1)[1:-1, 1:-1] & np.pad(np.ones((level.height - 2, level.width - 2), bool), 1)
    from scipy.ndimage import find_objects, label

    parts, number = label(leaves)
    for where in find_objects(parts):
        assert leaves[where].all(), "leaves are rectangles"
        assert len(set(level.regions.labels[where][ground_tiles(level)[where] == FLOOR].tolist())) <= 1, (
            "with at most one room in each"
        )
    for room in of_kind(level, "room"):
        assert len(set(parts[level.regions.labels == room.label].tolist()) - {0}) == 1, "and every room inside its leaf"
        assert not lines[level.regions.labels == room.label].any()
    assert number >= count


def test_bsp() -> None:
    """4.20 to 4.22."""
    counts = []
    for seed in range(SEEDS):
        level = uc.generate("bsp", seed=seed, size=(60, 40), extra=0.0)
        is_bsp(level, loops=False)
        counts.append(len(of_kind(level, "room")))
    assert min(counts) >= 2


@pytest.mark.parametrize(
    "params",
    [
        {"extra": 1.0, "doors": 1.0},
        {"margin": 0.0, "min_room_width": 3, "min_room_height": 3},
        {"depth": 3, "fill": 1.0},
    ],
)
def test_bsp_of_other_kinds(params: dict[str, Any]) -> None:
    for seed in range(SEEDS // 5):
        is_bsp(uc.generate("bsp", seed=seed, size=(60, 40), params=params))


def test_bsp_is_like_its_picture() -> None:
    """4.20: 18 rooms from 8x4 to 12x6, all joined, one loop; ours have as many rooms or some more, none smaller, and
    few loops.
    """
    sample = uc.survey(load(PICTURES / "bsp.txt", "text:rooms"))
    assert sample.size == (80, 40)
    assert uc.measure(sample, "components", "rooms", "loops") == {"components": 1, "rooms": 18, "loops": 1}
    assert {(room.width, room.height) for room in sample.rooms} <= {(w, h) for w in range(8, 13) for h in range(4, 7)}
    rooms, loops = [], []
    for seed in range(100):
        level = uc.generate("bsp", seed=seed)
        assert level.size == (80, 40)
        assert len(of_kind(level, "room")) <= 32
        assert all(room.width >= 8 and room.height >= 4 for room in of_kind(level, "room"))
        rooms.append(len(of_kind(level, "room")))
        loops.append(int(uc.measure(level, "loops")["loops"] or 0))
    assert min(rooms) <= 18 <= max(rooms)
    assert sum(loops) / 100 < 3


# --- tinykeep ---------------------------------------------------------------------------------------------------------


def is_tinykeep(level: Level, least: tuple[int, int] = (6, 5), exact: bool = True) -> None:
    is_sound(level)
    large = {
        room.label
        for room in level.regions
        if room.kind in ("room", "cell") and room.width >= least[0] and room.height >= least[1]
    }
    rooms = {room.label for room in of_kind(level, "room")}
    assert large <= rooms, "4.25: every cell large enough is a room"
    if exact and len(rooms) > 3:
        assert large == rooms
    assert len(level.links) >= len(rooms) - 1
    for cell in of_kind(level, "cell"):
        beside = level.walkable[cell.y - 1 : cell.y + cell.height + 1, cell.x - 1 : cell.x + cell.width + 1].sum()
        assert beside > cell.area, "4.28: no cell is left that no hallway touches"


def test_tinykeep() -> None:
    """4.23 to 4.28."""
    for seed in range(SEEDS):
        is_tinykeep(uc.generate("tinykeep", seed=seed, size=(60, 40)))


@pytest.mark.parametrize(
    "params",
    [
        {"touched": "corridor", "doors": 1.0},
        {"position": "normal", "sizes": "uniform", "deviation": 3.0},
        {"extra": 0.0},
        {"extra": 1.0, "cells": 30, "radius": 0.0},
        {"reloc_attempts": 0},
    ],
)
def test_tinykeep_of_other_kinds(params: dict[str, Any]) -> None:
    for seed in range(SEEDS // 5):
        level = uc.generate("tinykeep", seed=seed, size=(60, 40), params=params)
        is_tinykeep(level)
        count = len(of_kind(level, "room"))
        if params.get("extra") == 0.0:
            assert len(level.links) == count - 1
        if params.get("touched") == "corridor":
            assert not of_kind(level, "cell")


def test_tinykeep_is_like_its_picture() -> None:
    """4.30: 7 rooms, 10 cells, all connected, 5 loops."""
    sample = load(PICTURES / "tinykeep.txt", "text:tinykeep")
    kinds = Counter(region.kind for region in sample.regions)
    assert (kinds["room"], kinds["cell"]) == (7, 10)
    assert uc.measure(sample, "components", "loops") == {"components": 1, "loops": 5}
    assert all(region.area == region.width * region.height for region in sample.rooms)
    levels = [uc.generate("tinykeep", seed=seed) for seed in range(100)]
    rooms, cells = ([len(of_kind(level, kind)) for level in levels] for kind in ("room", "cell"))
    assert 5 < sum(rooms) / 100 < 12
    assert 5 < sum(cells) / 100 < 15


def test_the_tree_of_tinykeep_is_shortest() -> None:
    """4.26: against all pairs of rooms."""
    from scipy.sparse.csgraph import minimum_spanning_tree

    for seed in range(100):
        level = uc.generate("tinykeep", seed=seed, extra=0.0)
        rooms = of_kind(level, "room")
        middles = np.array([(room.x + room.width // 2, room.y + room.height // 2) for room in rooms], float)
        far = np.sqrt(((middles[:, None] - middles[None]) ** 2).sum(axis=2))
        place = {room.label: at for at, room in enumerate(rooms)}
        ours = sum(far[place[link.a], place[link.b]] for link in level.links)
        assert np.isclose(ours, minimum_spanning_tree(far).sum())


def test_what_happened_to_the_cells_is_told() -> None:
    result = Recipe.load("tinykeep").generate(seed=4)
    assert any("left the map and were removed" in note for note in result.notes)
    result = Recipe.load("tinykeep").generate(seed=4, params={"reloc_attempts": 0})
    assert any("still too near to others after 0 rounds" in note for note in result.notes)


def test_the_checks_themselves_can_fail() -> None:
    bsp = uc.generate("bsp", seed=3, doors=1.0)
    keep = uc.generate("tinykeep", seed=3)
    room, cell = of_kind(bsp, "room")[0], of_kind(keep, "cell")[0]
    door = bsp.doors[0]
    is_bsp(bsp)
    is_tinykeep(keep)
    for level, check, x, y, tile in (
        (bsp, is_bsp, 0, 5, FLOOR),
        (bsp, is_bsp, room.x, room.y, WALL),
        (bsp, is_bsp, door.x, door.y, WALL),
        (keep, is_tinykeep, cell.x, cell.y, CORRIDOR),
    ):
        draft = Draft.of(level)
        draft.tiles[y, x] = tile
        with pytest.raises(AssertionError):
            check(draft.level())
    for kept in (bsp.links.table[1:], bsp.links.table[:-1]):
        draft = Draft.of(bsp)
        draft.links = view_links(kept)
        with pytest.raises(AssertionError):
            is_bsp(draft.level())


# --- any size, any parameters -----------------------------------------------------------------------------------------

CHECKS = {"bsp": is_bsp, "tinykeep": lambda level: is_tinykeep(level, (1000, 1000), exact=False)}


def outcome(name: str, **options: Any) -> Level | UndercroftError:
    try:
        return uc.generate(name, **options)
    except UndercroftError as error:
        return error


@pytest.mark.parametrize("name", CHECKS)
def test_every_small_size_gives_a_level_or_a_sentence(name: str) -> None:
    least = {"bsp": 5, "tinykeep": 3}[name]
    for width in range(1, 25):
        for height in range(1, 25):
            level = outcome(name, seed=width * height, size=(width, height), tries=1)
            if min(width, height) < least:
                assert isinstance(level, BadInput)
                assert f"{max(width, least)}x{max(height, least)}" in level.fix
            else:
                assert isinstance(level, Level), (width, height, level)
                assert level.size == (width, height)
                CHECKS[name](level)


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.parametrize("size", [(5, 400), (400, 5), (7, 2000), (2000, 9), (401, 303)])
def test_long_and_large(name: str, size: tuple[int, int]) -> None:
    CHECKS[name](uc.generate(name, seed=1, size=size))


def values_of(param: Param) -> SearchStrategy[Any]:
    if param.choices:
        return st.sampled_from(param.choices)
    if param.name == "layouts":
        return st.just([])  # rooms of other shapes have tests of their own
    assert param.low is not None
    assert param.high is not None
    if isinstance(param.default, float):
        return st.sampled_from([param.low, param.high]) | st.floats(param.low, min(param.high, 12))
    return st.integers(int(param.low), min(int(param.high), 40)) | st.just(min(int(param.high), 300))


def given_params(name: str) -> SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {}, optional={param.name: values_of(param) for param in Recipe.load(name).params.values()}
    )


@given(st.integers(0, 2**64 - 1), st.integers(5, 60), st.integers(5, 60), given_params("bsp"))
def test_bsp_of_any_parameters(seed: int, width: int, height: int, params: dict[str, Any]) -> None:
    level = outcome("bsp", seed=seed, size=(width, height), tries=1, params=params)
    if isinstance(level, Level):
        is_bsp(level)
        assert len(of_kind(level, "room")) >= min(1, params.get("min_rooms", 2))
    else:
        assert isinstance(level, NotMet)
        assert params.get("min_rooms", 2) == 0, "only those who ask for no room get none"


@given(st.integers(0, 2**64 - 1), st.integers(3, 60), st.integers(3, 60), given_params("tinykeep"))
def test_tinykeep_of_any_parameters(seed: int, width: int, height: int, params: dict[str, Any]) -> None:
    level = outcome("tinykeep", seed=seed, size=(width, height), tries=1, params=params)
    if isinstance(level, Level):
        least = params.get("min_room_width", 6), params.get("min_room_height", 5)
        is_tinykeep(level, least, exact=False)
    else:
        assert isinstance(level, NotMet)
        assert params.get("min_rooms", 3) == 0


@pytest.mark.parametrize("name", CHECKS)
def test_levels_differ_and_come_again(name: str) -> None:
    assert len({str(uc.generate(name, seed=seed)) for seed in range(100)}) == 100
    assert uc.generate(name, seed="keep", doors=0.5) == uc.generate(name, seed="keep", doors=0.5)


@pytest.mark.parametrize("name", CHECKS)
def test_a_watched_recipe_is_the_same(name: str) -> None:
    timeline = Timeline()
    assert uc.generate(name, seed=3, watcher=timeline) == uc.generate(name, seed=3)
    assert timeline.turns > 20


@pytest.mark.parametrize("name", ["json", "npz"])
def test_files_keep_the_tree(name: str) -> None:
    level = uc.generate("bsp", seed=3, doors=1.0)
    again = loads(dump(level, name), name)
    assert again == level
    assert np.array_equal(again.layers["split"], level.layers["split"])


def test_steps_of_one_method_serve_the_other() -> None:
    """Rooms of a split, joined by triangles; and cells apart, joined one after another."""
    mixed = Recipe.parse(
        """
        [[step]]
        use = "fill"
        [[step]]
        use = "split"
        [[step]]
        use = "chambers"
        [[step]]
        use = "triangulate"
        [[step]]
        use = "hallways"
        straight = false
        [[step]]
        use = "survey"
        [[step]]
        use = "ends"
        """,
        "mixed.toml",
    )
    scattered = Recipe.parse(
        "".join(
            f'[[step]]\nuse = "{use}"\n' for use in ("fill", "scatter", "separate", "chambers", "siblings", "hallways")
        ),
        "other.toml",
    )
    for seed in range(50):
        for recipe in (mixed, scattered):
            level = recipe.generate(seed=seed, size=(60, 40)).level
            assert components(level.walkable) == 1
            assert len(of_kind(level, "room")) > 3


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("chambers", "'chambers' needs regions"),
        ("siblings", "'siblings' needs regions"),
        ("triangulate", "needs regions"),
        ("separate", "needs regions"),
    ],
)
def test_a_plan_without_a_ground_is_refused(step: str, problem: str) -> None:
    with pytest.raises(BadInput, match=problem) as caught:
        Recipe.parse(f'[[step]]\nuse = "fill"\n[[step]]\nuse = "{step}"\n', "wrong.toml")
    assert "split" in caught.value.fix


def test_hallways_without_a_plan_are_refused() -> None:
    with pytest.raises(BadInput, match="'hallways' needs links") as caught:
        Recipe.parse('[[step]]\nuse = "fill"\n[[step]]\nuse = "split"\n[[step]]\nuse = "hallways"\n', "wrong.toml")
    assert "siblings" in caught.value.fix
    assert "triangulate" in caught.value.fix


# --- text:tinykeep ----------------------------------------------------------------------------------------------------


def test_the_picture_reads_and_writes_the_same() -> None:
    data = (PICTURES / "tinykeep.txt").read_bytes()
    level = load(PICTURES / "tinykeep.txt", "text:tinykeep")
    assert dump(level, "text:tinykeep") == data
    text = data.decode()
    assert int((level.tiles == CORRIDOR).sum()) == text.count("#")
    assert int((level.tiles == FLOOR).sum()) == text.count("x") + text.count("+")
    assert int((level.tiles == WALL).sum()) == text.count(" ")


def test_a_level_reads_back_from_text() -> None:
    """4.30: all but doors and links, which the legend has no signs for."""
    for seed in range(30):
        level = uc.generate("tinykeep", seed=seed)
        again = loads(dump(level, "text:tinykeep"), "text:tinykeep")
        assert np.array_equal(again.tiles, ground_tiles(level))
        for kind in ("room", "cell"):
            assert {region[2:7] for region in of_kind(again, kind)} == {region[2:7] for region in of_kind(level, kind)}
        with_doors = uc.generate("tinykeep", seed=seed, doors=1.0)
        assert "".join(sorted(set(dump(with_doors, "text:tinykeep").decode()))) in ("\n #+x", "\n #x")


def test_short_lines_end_in_nothing() -> None:
    level = loads("\ufeffx\r\n x+#\n\n".encode(), "text:tinykeep")
    assert str(level) == ".###\n#..,\n####"
    assert dump(level, "text:tinykeep") == b"x   \n x+#\n    \n"


def test_a_cell_and_a_room_side_by_side_are_two_regions() -> None:
    assert [(region.kind, region.area) for region in loads(b"xx++\nxx++", "text:tinykeep").regions] == [
        ("room", 4),
        ("cell", 4),
    ]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"xx\nx.", "keep.txt:2:2: unknown glyph '.'"),
        (b"x1", "keep.txt:1:2: unknown glyph '1'"),
        (b"xx\n\xff", "keep.txt:2:1: unknown glyph"),
        (b"", "at least one cell"),
        (b"\n\n", "at least one cell"),
    ],
)
def test_other_signs_are_refused(data: bytes, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        loads(data, "text:tinykeep", "keep.txt")
    assert sentence in str(caught.value)
    assert caught.value.fix
