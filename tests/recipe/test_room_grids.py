"""The recipes neighbours, isaac and drunkard: what they promise, what their documents claim of them, and files for
others to read.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import shortest_path

import undercroft as uc
from support.maps import HEAVY, border, components, spans
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD
from undercroft.errors import BadInput, NotMet, UndercroftError
from undercroft.formats import dump
from undercroft.recipe.document import Recipe

NAMES = ("neighbours", "isaac", "drunkard")
SEEDS = 10_000 if HEAVY else 300
EXAMPLE = ROOT / "examples" / "room_grid.gd"
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)


def steps(level: Level) -> np.ndarray[Any, Any]:
    """From each room to each other, in rooms; by SciPy."""
    table, count = level.links.table, len(level.regions)
    edges = coo_matrix((np.ones(len(table)), (table["a"] - 1, table["b"] - 1)), (count, count))
    found: np.ndarray[Any, Any] = shortest_path(edges, directed=False, unweighted=True)
    return found


def bare(name: str, seed: int, **params: Any) -> Level:
    """The grid alone, without secret rooms."""
    return uc.generate(name, seed=seed, expand=False, secrets=0, **params)


def is_a_floor(level: Level) -> None:
    """Closed, one part, equal rooms, a way from start to end that needs no secret door."""
    assert (border(level.tiles) == STANDARD["wall"]).all()
    assert components(level.walkable) == 1
    assert ((level.regions.labels > 0) == (level.walkable & ~IS_DOOR[level.tiles])).all()
    assert len({(room.width, room.height) for room in level.regions}) == 1
    assert len(level.doors) == len(level.links) == IS_DOOR[level.tiles].sum()
    assert level.start is not None
    assert level.end is not None
    assert [tuple(cell) for cell in level.path[[0, -1]].tolist()] == [level.start, level.end]
    assert (np.abs(np.diff(level.path, axis=0)).sum(axis=1) == 1).all()
    on_way = level.tiles[level.path[:, 1], level.path[:, 0]]
    assert level.palette.walkable[on_way].all()
    assert not level.palette.role_mask("secret")[on_way].any()
    for point, tag in ((level.start, "start"), (level.end, "end")):
        room = level.regions.at(*point)
        assert room is not None
        assert tag in room.tags


# --- promises ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seeds", spans(SEEDS, quick=100, block=900))
def test_as_many_rooms_as_asked_for(name: str, seeds: range) -> None:
    """3.16, 3.21: exactly, on a thousand seeds; secret rooms come on top."""
    for seed in seeds:
        count = 4 + seed % 21
        level = uc.generate(name, seed=seed, rooms=count)
        assert sum("secret" not in room.tags for room in level.regions) == count
        is_a_floor(level)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_rooms_as_tiles_and_bare(name: str) -> None:
    for seed in range(50):
        grid, level = uc.generate(name, seed=seed, expand=False), uc.generate(name, seed=seed)
        assert grid.size == Recipe.load(name).params["grid"].default
        assert rooms_in_rows(grid) == rooms_in_rows(level)
        assert uc.measure(grid, "components", "rooms") == uc.measure(level, "components", "rooms")


def rooms_in_rows(level: uc.Level) -> tuple[list[tuple[str, ...]], list[tuple[int, int, str]]]:
    """The tags of rooms row by row, and the links between them, whatever their numbers are."""
    rooms = sorted(level.regions, key=lambda room: (room.y, room.x))
    place = {room.label: number for number, room in enumerate(rooms)}
    ends = [sorted((place[link.a], place[link.b])) for link in level.links]
    links = [(a, b, link.kind) for (a, b), link in zip(ends, level.links, strict=True)]
    return [room.tags for room in rooms], sorted(links)


@pytest.mark.parametrize("name", NAMES)
def test_every_size_gives_a_level_or_a_sentence(name: str) -> None:
    columns, rows = Recipe.load(name).params["grid"].default
    for size in [
        (1, 1),
        (1, 200),
        (200, 1),
        (2 * columns, 99),
        (99, 2 * rows),
        (2 * columns + 1, 2 * rows + 1),
        (40, 30),
        (300, 20),
        (512, 512),
    ]:
        if size[0] > 2 * columns and size[1] > 2 * rows:
            for seed in range(5):
                level = uc.generate(name, seed=seed, size=size)
                assert level.size == size
                is_a_floor(level)
        else:
            with pytest.raises(
                BadInput, match=rf"needs a level of {2 * columns + 1}x{2 * rows + 1}, not {size[0]}x{size[1]}"
            ):
                uc.generate(name, seed=1, size=size)


def test_isaac_has_a_boss_dead_ends_and_a_secret_room() -> None:
    """3.17."""
    secrets = 0
    for seed in range(200):
        level = uc.generate("isaac", seed=seed)
        tagged = {tag: [room for room in level.regions if tag in room.tags] for tag in ("boss", "dead end", "secret")}
        assert len(tagged["boss"]) == 1
        assert level.end is not None
        assert level.regions.at(*level.end) == tagged["boss"][0]
        assert tagged["boss"][0] in tagged["dead end"]
        assert len(tagged["dead end"]) >= 2
        assert 7 <= len(level.regions) - len(tagged["secret"]) <= 8
        secrets += len(tagged["secret"])
        assert all(
            (door.state == "secret") == any(room.label in (door.a, door.b) for room in tagged["secret"])
            for door in level.doors
        )
    assert secrets > 195


def test_rules_find_rooms_by_their_tags() -> None:
    rules = uc.Rules.parse("one  throne, once, in rooms tagged boss\n    ... -> .o.", "throne.rules")
    for seed in range(20):
        level = uc.generate("isaac", seed=seed)
        y, x = np.argwhere(rules.apply(level, seed=seed).tiles == STANDARD["pillar"])[0].tolist()
        room = level.regions.at(x, y)
        assert room is not None
        assert "boss" in room.tags


@pytest.mark.parametrize(("name", "least"), [("neighbours", 100), ("isaac", 180), ("drunkard", 195)])
def test_floors_differ(name: str, least: int) -> None:
    """3.18: neighbours are all alike, the fewer they are the more so."""
    assert len({str(uc.generate(name, seed=seed)) for seed in range(200)}) > least
    assert len({str(uc.generate(name, seed=seed, rooms=20)) for seed in range(200)}) > 160


@pytest.mark.parametrize("name", NAMES)
def test_large_floors(name: str) -> None:
    level = uc.generate(name, seed=1, size=(1025, 1025), grid=[512, 512], rooms=30_000)
    assert sum("secret" not in room.tags for room in level.regions) == 30_000
    assert components(level.walkable) == 1


# --- what the document claims: 3.18, 3.22 -----------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 2, 4])
def test_neighbours_are_compact_and_drunkards_stretched(level: int) -> None:
    """Over 300 seeds the mean of the longest way differs by more than 1.5 rooms, and so does the way from the start to
    the farthest room.
    """
    found = {}
    for name in ("neighbours", "drunkard"):
        floors = [bare(name, seed, level=level) for seed in range(300)]
        ways = [steps(floor) for floor in floors]
        assert all(floor.start is not None for floor in floors)
        starts = [int(floor.regions.labels[floor.start[1], floor.start[0]]) - 1 for floor in floors if floor.start]
        found[name] = (
            np.mean([way.max() for way in ways]),
            np.mean([way[start].max() for way, start in zip(ways, starts, strict=True)]),
        )
    assert found["drunkard"][0] - found["neighbours"][0] > 1.5
    assert found["drunkard"][1] - found["neighbours"][1] > 1.5


def test_neighbours_lie_around_the_middle_and_drunkards_anywhere() -> None:
    """3.18: the middle of the rooms is near the middle of the grid."""
    off = {}
    for name in ("neighbours", "drunkard"):
        middles = [np.argwhere(bare(name, seed).tiles > 0).mean(axis=0) - 3.5 for seed in range(300)]
        off[name] = np.mean([np.abs(middle).sum() for middle in middles])
    assert off["neighbours"] < 1.5 < off["drunkard"]


# --- mistakes ---------------------------------------------------------------------------------------------------------


def run_command(*words: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "undercroft", *words], capture_output=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_level_19_is_an_error_in_a_sentence() -> None:
    """3.10."""
    for name in ("neighbours", "drunkard"):
        code, text = run_command("generate", name, "--seed", "1", "--set", "level=19")
        assert code == 2
        assert text == (
            "undercroft: level 19 asks for up to 67 rooms, and a grid of 8x8 has 64 cells\n"
            "  fix: ask for a lower level, or for a larger grid\n"
        )


def test_what_cannot_be_is_told_clause_by_clause() -> None:
    """3.5: a full grid has no dead ends, which is known before; that no room is built in twenty tries is not."""
    code, text = run_command("generate", "drunkard", "--seed", "1", "--set", "rooms=64")
    assert code == 2
    assert (
        "64 rooms are asked for, and where all cells of a grid are rooms none is a dead end\n  fix: ask for fewer"
        in text
    )
    code, text = run_command("generate", "isaac", "--seed", "1", "--set", "refuse=0.9999999", "--set", "max_tries=20")
    assert code == 1
    assert "no room grid of 20 tries is valid\n    count: failed 20 of 20\n    distinct: failed 20 of 20\n" in text
    assert (
        "  fix: ask for fewer rooms or a larger grid, a lower refuse, more tries, or take 'count' out of valid\n"
        in text
    )
    code, text = run_command("generate", "isaac", "--seed", "1", "--set", "refuse=1.0")
    assert (code, text.count("\n")) == (2, 2)
    assert "with a refuse of 1 no room is ever built beside the first" in text
    assert len(bare("drunkard", 1, rooms=64, valid=["count", "connected", "distinct", "apart"]).regions) == 64


MISTAKES: list[tuple[str, dict[str, Any]]] = [
    ("level is a whole number from 0 to 1,000,000, not -1", {"level": -1}),
    ("valid of room-grid is a list of one of count", {"valid": ["counts"]}),
    ("grid of room-grid is ", {"grid": [0, 8]}),
    ("grid of room-grid is ", {"grid": [8]}),
    ("cell_size of expand is ", {"cell_size": [-1, 4]}),
    ("a cell_size of 1 leaves no room", {"cell_size": [1, 4]}),
    ("a room has walls all round", {"template": "#####\n#...\n#####"}),
    ("rooms do not fit a grid of 8x8", {"rooms": 100}),
    ("two rooms always touch", {"rooms": 2}),
]


@pytest.mark.parametrize(("problem", "params"), MISTAKES)
def test_mistakes(problem: str, params: dict[str, Any]) -> None:
    with pytest.raises(UndercroftError, match=problem) as caught:
        uc.generate("neighbours", seed=1, params=params)
    assert caught.value.fix
    assert not isinstance(caught.value, NotMet)


# --- for others to read: 3.1, 3.2, 3.4 --------------------------------------------------------------------------------


def test_rooms_in_pixels() -> None:
    """3.4: the top left corners of rooms of 100x200."""
    assert [uc.to_pixels(cell, (100, 200)) for cell in ((0, 0), (1, 0), (0, 1))] == [(0, 0), (100, 0), (0, 200)]


def test_grids_can_be_seen() -> None:
    """3.2."""
    level = bare("drunkard", 1)
    assert re.fullmatch(r"([0-3]{8}\n){8}", dump(level, "text").decode())
    assert dump(level, "text") == dump(level, "text:grid")
    assert dump(level, "png").startswith(b"\x89PNG")


def test_the_program_for_godot_reads_what_is_there() -> None:
    """3.1: every key that it asks for is in the file; it is indented with tabs alone, and short."""
    text = EXAMPLE.read_text(encoding="utf-8")
    level = json.loads(dump(uc.generate("isaac", seed=3, expand=False), "json"))
    keys = set(re.findall(r'\["(\w+)"\]', text)) | set(re.findall(r'\.get\("(\w+)"', text))
    assert keys == {"regions", "table", "label", "x", "y", "tags", "links", "a", "b", "kind"}
    assert all({"label", "x", "y"} <= region.keys() for region in level["regions"]["table"])
    assert any("tags" in region for region in level["regions"]["table"])
    assert all({"a", "b", "kind"} <= link.keys() for link in level["links"])
    assert {tag for region in level["regions"]["table"] for tag in region.get("tags", [])} == {
        "start",
        "end",
        "boss",
        "dead end",
        "secret",
    }
    assert {link["kind"] for link in level["links"]} == {"door", "secret"}
    code = [line for line in text.split("\n") if line and not line.startswith("#")]
    assert len(code) <= 24
    assert all(re.match(r"\t*\S", line) for line in code)
    command = re.search(r"undercroft (generate .*)$", text, re.MULTILINE)
    assert command is not None
    assert run_command(*command[1].replace("-o floor.json", "-o - --format json --seed 3").split())[1].startswith(
        '{"format":"undercroft-level/1"'
    )
