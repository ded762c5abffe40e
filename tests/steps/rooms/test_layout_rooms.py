"""Rooms from layouts in every step that makes rooms: whole, closed, joined, and as their layouts say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.maps import HEAVY, after, border, components
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput, UndercroftError
from undercroft.steps.grids.expand import Expand
from undercroft.steps.rooms import layout_rooms
from undercroft.steps.rooms.chambers import Chambers
from undercroft.steps.rooms.rooms import Rooms
from undercroft.steps.rooms.split import Split
from undercroft.templates.layouts import layout_files

COZY = int(os.environ.get("UNDERCROFT_SOAK", "0")) or (200 if HEAVY else 100)
SHAPED = {
    "bsp": (90, 50),
    "tinykeep": (90, 60),
    "rooms-and-mazes": (91, 61),
    "isaac": (121, 81),
    "neighbours": (129, 97),
    "drunkard": (129, 97),
}
MORE: dict[str, dict[str, Any]] = {
    "tinykeep": {"mean_width": 9.0, "mean_height": 8.0},
    "rooms-and-mazes": {"extra_size": 4},
}


@pytest.mark.parametrize("way", ["corner", "path"])
@pytest.mark.parametrize("name", SHAPED)
def test_levels_of_shaped_rooms_are_whole(name: str, way: str) -> None:
    """Connected, closed; regions that are what their labels say; and rooms that are not rectangles among them."""
    if way == "path" and name not in ("bsp", "tinykeep"):
        return
    params: dict[str, Any] = {"layouts": ["any"], **MORE.get(name, {}), **({"way": way} if way == "path" else {})}
    shaped = 0
    for seed in range(25):
        level = uc.generate(name, seed=seed, size=SHAPED[name], params=params)
        assert components(level.walkable) == 1
        assert not level.palette.walkable[border(level.tiles)].any()
        table, labels = level.regions.table, level.regions.labels
        assert np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:].tolist() == table["area"].tolist()
        for region in level.rooms:
            ys, xs = np.nonzero(labels == region.label)
            assert [region.x, region.y, region.width, region.height] == [
                int(xs.min()),
                int(ys.min()),
                int(np.ptp(xs)) + 1,
                int(np.ptp(ys)) + 1,
            ]
            shaped += region.area < region.width * region.height
    assert shaped > 25


@pytest.mark.parametrize("name", SHAPED)
def test_no_layouts_change_nothing(name: str) -> None:
    assert uc.generate(name, seed=3, size=SHAPED[name]) == uc.generate(
        name, seed=3, size=SHAPED[name], params={"layouts": []}
    )


def test_regions_know_their_layout() -> None:
    draft = after(
        Chambers(layouts=("L", "donut"), fill=1.0), after(Split(depth=3, min_width=9, min_height=9), Draft(80, 40))
    )
    assert draft.regions
    shaped = [region for region in draft.regions if region.template]
    assert {region.template for region in shaped} == {"L", "donut"}
    assert all(
        region.tags == layout_files.load(layout_files.LAYOUTS_FOLDER / f"{region.template}.layout").tags
        for region in shaped
    )


def test_a_room_in_a_box_is_what_the_layout_gives() -> None:
    """The whole room, walls and all, lies where the box and its surroundings were."""
    draft = after(
        Chambers(layouts=("plus",), fill=1.0), after(Split(depth=1, min_width=9, min_height=9), Draft(40, 20))
    )
    assert draft.regions
    for region in draft.regions:
        layout = layout_files.load(layout_files.LAYOUTS_FOLDER / "plus.layout")
        room = layout.room((region.width + 2, region.height + 2))
        around = draft.tiles[region.y - 1 : region.y + region.height + 1, region.x - 1 : region.x + region.width + 1]
        assert np.array_equal(np.where(room.tiles == 255, STANDARD["wall"], room.tiles), around)


def test_sockets_are_marked_and_slots_filled() -> None:
    draft = after(
        Chambers(layouts=("chapel",), fill=0.5, margin=1),
        after(Split(depth=1, min_width=9, min_height=9), Draft(60, 20)),
    )
    layer = draft.layers["sockets"]
    assert np.count_nonzero(layer == layout_rooms.SOCKET) == 2
    assert not STANDARD.walkable[draft.tiles[layer > 0]].any()
    assert [thing.kind for thing in draft.things] == ["altar", "altar"]
    assert all(STANDARD.walkable[draft.tiles[thing.y, thing.x]] for thing in draft.things)


def test_hallways_enter_rooms_with_sockets_there_only() -> None:
    """Walls of such rooms stay closed everywhere else, unless no way leads to a socket, which is told."""
    for seed in range(30):
        rooms = uc.Draft(70, 40)
        after(Split(depth=3, min_width=10, min_height=8), rooms, seed=seed)
        after(Chambers(layouts=("chapel", "vault"), fill=0.8, margin=1), rooms, seed=seed)
        layer, before = rooms.layers["sockets"].copy(), rooms.tiles.copy()
        from undercroft.steps.links.hallways import Hallways
        from undercroft.steps.links.triangulate import Triangulate

        run = Run()
        after(Hallways(way="path"), after(Triangulate(), rooms, seed=seed), seed=seed, run=run)
        opened = (before != rooms.tiles) & (layer == layout_rooms.SHUT)
        assert not opened.any() or any("break through walls beside sockets" in note for note in run.notes)
        assert components(STANDARD.walkable[rooms.tiles]) == 1


def test_layouts_named_twice_are_drawn_twice_as_often() -> None:
    found = {"corner": 0, "zigzag": 0}
    for seed in range(40):
        draft = after(
            Chambers(layouts=("corner", "zigzag", "corner"), fill=1.0),
            after(Split(depth=3, min_width=10, min_height=7), Draft(90, 40), seed=seed),
            seed=seed,
        )
        for region in draft.regions or ():
            if region.template:
                found[region.template] += 1
    assert 1.4 < found["corner"] / found["zigzag"] < 2.8


def test_small_cells_keep_rectangles() -> None:
    run = Run()
    draft = after(Chambers(layouts=("plus",), fill=1.0), after(Split(depth=5), Draft(40, 20)), run=run)
    assert draft.regions
    assert all(region.area == region.width * region.height for region in draft.regions)
    assert any(f"no layout fits any of {len(draft.regions)} rooms" in note for note in run.notes)


def test_rooms_on_odd_places_leave_passages_free() -> None:
    """Beside a rock cell on an odd column and row there is never floor of a room on an even one."""
    for seed in range(20):
        draft = after(Rooms(layouts=("any",), extra_size=5), Draft(81, 61), seed=seed)
        floor = ~STANDARD.rock[draft.tiles]
        beside = floor[:-2, 1:-1] | floor[2:, 1:-1] | floor[1:-1, :-2] | floor[1:-1, 2:]
        assert not (beside & ~floor[1:-1, 1:-1])[::2, ::2].any()


@pytest.mark.parametrize("step", [Chambers, Rooms, Expand])
def test_unknown_layouts_are_told(step: type) -> None:
    with pytest.raises(BadInput, match=r"unknown layout 'donat'\n  fix: did you mean 'donut'"):
        step(layouts=("donat",))


RECIPE = """
[[step]]
use = "fill"
[[step]]
use = "split"
min_width = 9
min_height = 9
[[step]]
use = "chambers"
layouts = ["mine.layout", "L"]
"""


def test_files_beside_a_recipe(tmp_path: Path) -> None:
    """They are read from its folder, told in the provenance by a digest, and mistakes in them have their place."""
    (tmp_path / "r.toml").write_text(f'about = "x"\nsize = [60, 30]\n{RECIPE}')
    mine = tmp_path / "mine.layout"
    mine.write_text((layout_files.LAYOUTS_FOLDER / "donut.layout").read_text().replace("donut", "mine"))
    first = uc.Recipe.load(str(tmp_path / "r.toml")).generate(seed=1).level
    assert "mine" in first.regions.templates.values()
    read = first.provenance["files"]
    mine.write_text(mine.read_text().replace("tagged ring", "tagged hollow"))
    assert uc.Recipe.load(str(tmp_path / "r.toml")).generate(seed=1).level.provenance["files"] != read
    mine.write_text("layout x\nscale w = w, right by 0\n    #  |  w\n")
    with pytest.raises(UndercroftError, match=r"mine.layout:2:23: by is a whole number"):
        uc.Recipe.load(str(tmp_path / "r.toml")).generate(seed=1)


def test_an_expanded_grid_has_doors_that_lead_in() -> None:
    """From every door one steps on to ground on both sides, whatever the shape of the room."""
    for seed in range(20):
        level = uc.generate("isaac", seed=seed, size=(121, 81), params={"layouts": ["any"]})
        for door in level.doors:
            beside = [
                level.walkable[door.y, door.x - 1] and level.walkable[door.y, door.x + 1],
                level.walkable[door.y - 1, door.x] and level.walkable[door.y + 1, door.x],
            ]
            assert any(beside)
        assert level.start
        assert level.walkable[level.start[1], level.start[0]]


@pytest.mark.parametrize("name", sorted(layout_files.list_layouts()))
def test_every_layout_of_ours_makes_whole_levels(name: str) -> None:
    """At the first attempt, by either way of digging: a pit or a pool in a room is no place for a hallway to end."""
    for way in ("corner", "path"):
        for seed in range(6):
            level = (
                uc.Recipe.load("bsp")
                .generate(
                    seed=seed, size=(80, 50), params={"layouts": [name], "way": way, "min_room_width": 5}, tries=1
                )
                .level
            )
            assert components(level.walkable) == 1


@pytest.mark.parametrize("part", range(COZY // 50))
def test_cozy_levels_are_whole_and_nothing_is_in_the_way(part: int) -> None:
    """Connected without all that blocks, and nothing stands in a doorway or on start and end."""
    for seed in range(50 * part, 50 * part + 50):
        level = uc.generate(
            "cozy",
            seed=seed,
            size=((100, 60), (70, 36))[seed % 2],
            tries=1,
            params={"loops": (0.0, 0.5)[seed % 3 == 0]},
        )
        free = level.walkable.copy()
        taken = np.zeros_like(free)
        for thing in level.things:
            wide, high = int(thing.data.get("width", 1)), int(thing.data.get("height", 1))
            cells = slice(thing.y, thing.y + high), slice(thing.x, thing.x + wide)
            assert level.walkable[cells].all()
            taken[cells] = True
            if thing.data.get("blocks"):
                free[cells] = False
        assert components(free) == 1
        assert len(level.things) > 20
        assert level.title
        for door in level.doors:
            assert not taken[door.y, door.x]
        for end in (level.start, level.end):
            assert end
            assert free[end[1], end[0]]


def test_many_rooms_with_sockets() -> None:
    """More than a byte can count."""
    draft = after(
        Chambers(layouts=("vault",), fill=0.0, min_width=5, min_height=4, margin=1),
        after(Split(depth=12, min_width=8, min_height=7), Draft(400, 400)),
    )
    assert np.count_nonzero(draft.layers["sockets"] == layout_rooms.SOCKET) > 300


def test_a_map_that_a_recipe_began_with_stays_as_it_was() -> None:
    grid = uc.generate("isaac", seed=1, size=(121, 81), params={"expand": False})
    tags = dict(grid.regions.tags)
    recipe = uc.Recipe.parse(
        'begins = ["tiles"]\n[[step]]\nuse = "expand"\nlayouts = ["any"]\ncell_size = [16, 12]\n', "grow.toml"
    )
    recipe.generate(seed=1, begin=grid)
    assert grid.regions.tags == tags


def test_other_palettes_are_refused() -> None:
    palette = uc.Palette(
        [
            uc.Tile("rock", "wall", "#", "#", "#888888", False, True),
            uc.Tile("ground", "floor", ".", ".", "#888888", True, False),
        ],
        "mine",
    )
    draft = after(Split(depth=1, min_width=9, min_height=9), Draft(40, 20, palette))
    with pytest.raises(BadInput, match="layouts are drawn with the standard palette"):
        after(Chambers(layouts=("L",)), draft)


def test_files_given_to_our_recipes_are_where_the_user_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.layout").write_text(
        (layout_files.LAYOUTS_FOLDER / "donut.layout").read_text().replace("donut", "mine")
    )
    monkeypatch.chdir(tmp_path)
    level = uc.generate("bsp", seed=1, size=(80, 50), params={"layouts": ["mine.layout"]})
    assert "mine" in level.regions.templates.values()


def test_things_on_frozen_cells_are_left_out() -> None:
    draft = after(Split(depth=1, min_width=9, min_height=9), Draft(60, 20))
    draft.frozen = np.ones(draft.tiles.shape, bool)
    assert after(Chambers(layouts=("chapel",), fill=0.5, margin=1), draft).things == []


def test_sockets_in_the_border_or_in_a_wall_of_another_room_are_none() -> None:
    room = layout_files.load("vault").room((7, 6))
    assert [(socket.x, socket.y) for socket in room.sockets] == [(3, 5)]
    assert not layout_rooms._mark_sockets((6, 7), [(room, 0, 0)]).any(), "its socket is in the border"
    assert layout_rooms._mark_sockets((9, 9), [(room, 1, 1)])[6, 4] == layout_rooms.SOCKET
    shared = layout_rooms._mark_sockets((20, 9), [(room, 1, 1), (room, 1, 6)])
    assert shared[6, 4] != layout_rooms.SOCKET, "it is a wall of the other one too"
    assert shared[11, 4] == layout_rooms.SOCKET


def test_a_room_in_parts_is_not_taken(tmp_path: Path) -> None:
    """Two halls behind a wall: it would not be connected."""
    file = tmp_path / "two.layout"
    file.write_text(
        "layout two\nscale w = walls, down by 1\nscale f = floor, down by 1\n    #######  |  wwwwwww\n"
        "    #..#..#  |  wffwffw\n    #######  |  wwwwwww\n"
    )
    found = layout_rooms.load_layouts((str(file),))
    assert found.pool.room(Rng.root(1), (7, 5)).width == 7
    assert found.pick_room(Rng.root(1), 5, 3) is None


def test_slots_of_rooms_at_odd_places_are_filled() -> None:
    draft = after(Rooms(layouts=("vault",), extra_size=3), Draft(81, 61))
    assert {thing.kind for thing in draft.things} == {"chest"}
    assert all(STANDARD.walkable[draft.tiles[thing.y, thing.x]] for thing in draft.things)
