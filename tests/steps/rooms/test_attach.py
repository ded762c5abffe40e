"""Rooms attached at their doors: what every map promises, and what is said when there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import undercroft as uc
from support.maps import HEAVY, after, border, components, draft_of, facts, picture
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.core.region import Thing
from undercroft.core.run import Run
from undercroft.core.timeline import Timeline
from undercroft.errors import BadInput, FileTrouble, NotMet, OutOfBudget, UndercroftError
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.steps.rooms.attach import Attach
from undercroft.templates.prefabs.default_rooms import parse_default_rooms
from undercroft.templates.prefabs.prefab import RoomTypes, parse
from undercroft.templates.template import Template

SEEDS = 1000 if HEAVY else 20
WALL, FLOOR, DOOR = STANDARD["wall"], STANDARD["floor"], STANDARD["door"]
IS_DOOR = STANDARD.role_mask(*DOOR_ROLES)
RECIPES = ("dungeoning", "diablo2", "diablo3")


def shipped(name: str) -> RoomTypes:
    return parse((SHIPPED_FOLDER / "prefabs" / f"{name}.txt").read_text(encoding="utf-8"), name)


TYPES = {name: shipped(name) for name in RECIPES}

CELL = """
room  cell, turned
    ##+##
    #...#
    #...#
    #####
"""
HALL = """
room  hall, turned
    ###+###
    #.....#
    +.....+
    #.....#
    ###+###
"""


# --- the promises -----------------------------------------------------------------------------------------------------


def shapes_of(room: uc.Region, cells: NDArray[np.bool_], types: RoomTypes) -> list[tuple[Template, int, int]]:
    """The shapes that may stand there, found from the cells of the region alone: their ground is all there, and what is
    more are cells of their sockets.
    """
    kind = types.types[types.index(room.template)]
    found = []
    for shape in kind.list_shapes():
        ground = shape.palette.walkable[shape.tiles]
        ys, xs = np.nonzero(ground)
        more = {cell for socket in shape.sockets for cell in socket_cells(socket, 0, 0)}
        for left in (0, 1):
            for top in (0, 1):
                x, y = room.x + left - int(xs.min()), room.y + top - int(ys.min())
                if x < 0 or y < 0 or y + shape.height > cells.shape[0] or x + shape.width > cells.shape[1]:
                    continue
                here = cells[y : y + shape.height, x : x + shape.width]
                rest = {(int(dx), int(dy)) for dy, dx in np.argwhere(here & ~ground)}
                if here[ground].all() and rest <= more and int(here.sum()) == room.area:
                    found.append((shape, x, y))
    return found


def sockets_are_whole(level: Level, shape: Template, x: int, y: int, cells: NDArray[np.bool_]) -> bool:
    """Each socket is one doorway, or ground of its own room, or of the room behind it, or else wall."""
    for socket in shape.sockets:
        states = set()
        for column, row in socket_cells(socket, x, y):
            tile, label = level.tiles[row, column], level.regions.labels[row, column]
            states.add(
                "wall" if tile == WALL else "door" if IS_DOOR[tile] else "own" if cells[row, column] else f"of {label}"
            )
        if len(states) > 1:
            return False
    return True


def socket_cells(socket: Any, x: int, y: int) -> list[tuple[int, int]]:
    return [
        (x + socket.x + step * (socket.side in "NS"), y + socket.y + step * (socket.side in "EW"))
        for step in range(socket.width)
    ]


def is_put_together(level: Level, types: RoomTypes, *, tree: bool) -> None:
    """Connected, closed, nothing overlaps, what is no doorway is wall, doors and links are true, types stand as often
    as they may.
    """
    labels, tiles = level.regions.labels, level.tiles
    assert components(level.walkable) == 1
    assert (border(tiles) == WALL).all()
    assert ((labels > 0) == (level.walkable & ~IS_DOOR[tiles])).all()
    assert (
        np.bincount(labels.reshape(-1), minlength=len(level.regions) + 1)[1:].tolist()
        == level.regions.table["area"].tolist()
    )
    doorways = {(door.x, door.y) for door in level.doors}
    assert doorways == {(int(x), int(y)) for y, x in np.argwhere(IS_DOOR[tiles])}
    rooms = [region for region in level.regions if region.template]
    for room in rooms:
        cells = labels == room.label
        ys, xs = np.nonzero(cells)
        assert (room.x, room.y, room.width, room.height) == (
            int(xs.min()),
            int(ys.min()),
            int(np.ptp(xs)) + 1,
            int(np.ptp(ys)) + 1,
        )
        shapes = shapes_of(room, cells, types)
        assert shapes, f"{room} stands nowhere as it is drawn"
        assert any(sockets_are_whole(level, *shape, cells) for shape in shapes), f"{room} has half a doorway"
        assert room.tags == shapes[0][0].tags
    each_link_is_true(level)
    drawn_rooms = len(rooms)
    corridors = len(level.regions) - drawn_rooms
    if tree:
        assert corridors == 0
        assert len(level.links) == drawn_rooms - 1
    counts = {kind.template.name: sum(room.template == kind.template.name for room in rooms) for kind in types.types}
    for kind in types.types:
        assert kind.least <= counts[kind.template.name] <= (len(rooms) if kind.most is None else kind.most)


def each_link_is_true(level: Level) -> None:
    """A link's door touches both its regions; an open link's regions touch each other; together they join all
    regions.
    """
    labels = level.regions.labels
    part = list(range(len(level.regions) + 1))
    for door in level.doors:
        around = [int(labels[door.y + dy, door.x + dx]) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        assert {door.a, door.b} == set(around) - {0}, door
    touching = {
        tuple(sorted(pair)) for pair in (*pairs(labels[:, :-1], labels[:, 1:]), *pairs(labels[:-1], labels[1:]))
    }
    for link in level.links:
        assert link.carved
        assert link.a != link.b
        if link.door >= 0:
            assert {link.a, link.b} == {level.doors[link.door].a, level.doors[link.door].b}
        else:
            assert tuple(sorted((link.a, link.b))) in touching
        old, new = part[link.a], part[link.b]
        part = [new if one == old else one for one in part]
    assert len(set(part[1:])) == 1
    assert touching <= {tuple(sorted((link.a, link.b))) for link in level.links if link.door < 0}


def pairs(one: NDArray[np.int32], other: NDArray[np.int32]) -> set[tuple[int, int]]:
    apart = (one != other) & (one > 0) & (other > 0)
    return {(int(a), int(b)) for a, b in zip(one[apart], other[apart], strict=True)}


@pytest.mark.parametrize("name", RECIPES)
@pytest.mark.parametrize("params", [{"loops": 0.0}, {"loops": 1.0}])
def test_the_promises_over_many_seeds(name: str, params: dict[str, Any]) -> None:
    """4.35 to 4.37: no overlap, all connected, sealed doors are wall, the border is closed; without loops a tree."""
    for seed in range(SEEDS):
        size = (80, 50) if seed % 10 == 0 else (41 + seed % 7, 33 - seed % 5)
        is_put_together(
            uc.generate(name, seed=seed, size=size, params=params), TYPES[name], tree=params["loops"] == 0.0
        )


@pytest.mark.parametrize("shared", [False, True])
def test_the_promises_of_bounded_types(shared: bool) -> None:
    """4.37: 'exactly one boss room', over many seeds."""
    text = f"""
slot  boss = B
socket  gate = G, opening
positions turned, mirrored
{HALL.replace(", turned", ", at least 3")}
{CELL.replace(", turned", ", at most 4, tagged small")}
room  lair, exactly 1
    #########
    #.......#
    #...B...#
    #.......#
    ####G####

room  antechamber, exactly 2, weight 3
    ###+###
    #.....#
    ###G###
"""
    types = parse(text, "bounded")
    for seed in range(SEEDS):
        draft = after(Attach(rooms=text, shared_walls=shared, loops=seed % 2), Draft(48, 30), seed=seed)
        is_put_together(draft.level(), types, tree=seed % 2 == 0)
        assert [thing.kind for thing in draft.things] == ["boss"]


def test_on_every_small_map_rooms_or_a_sentence() -> None:
    made = refused = 0
    for name in RECIPES:
        for width in range(1, 30, 3):
            for height in range(1, 30, 4):
                try:
                    level = uc.generate(name, seed=width, size=(width, height))
                except UndercroftError as error:
                    refused += bool(error.fix)
                else:
                    is_put_together(level, TYPES[name], tree=False)
                    made += 1
    assert made > 50
    assert refused > 50


def test_the_checks_can_fail() -> None:
    """A door walled up, a wall opened, another door, a room with a cell less."""
    level = uc.generate("dungeoning", seed=3, loops=0.0)
    door, room = level.doors[5], next(region for region in level.regions if region.kind == "room")
    ys, xs = np.nonzero(level.regions.labels == room.label)
    for x, y, tile in (
        (door.x, door.y, WALL),
        (0, 5, FLOOR),
        (int(xs[0]), int(ys[0]) - 1, DOOR),
        (int(xs[0]), int(ys[0]), WALL),
    ):
        tiles = level.tiles.copy()
        tiles[y, x] = tile
        changed = Level(tiles, regions=level.regions, doors=level.doors, links=level.links)
        with pytest.raises(AssertionError):
            is_put_together(changed, TYPES["dungeoning"], tree=True)


# --- how it is done ---------------------------------------------------------------------------------------------------


def test_the_root_and_its_place() -> None:
    """4.32: a type that is named; in the middle unless said otherwise."""
    for position, place in (
        ("centre", (7, 4)),
        ("left", (0, 4)),
        ("right", (14, 4)),
        ("top", (7, 0)),
        ("bottom", (7, 8)),
    ):
        draft = after(Attach(rooms=HALL + CELL, root="hall", max_rooms=1, position=position), Draft(21, 13))  # type: ignore[arg-type]
        assert draft.regions is not None
        assert (draft.regions[0].template, draft.regions[0].x - 1, draft.regions[0].y - 1) == ("hall", *place)
    places = {
        facts(after(Attach(rooms=HALL, max_rooms=1, position="anywhere"), Draft(21, 13), seed=seed))["tiles"]
        for seed in range(100)
    }
    assert len(places) > 40
    names = {
        str(after(Attach(rooms=HALL + CELL, max_rooms=1), Draft(21, 13), seed=seed)).count(".") for seed in range(30)
    }
    assert names == {6, 15}, "any type, if none is named"


def test_two_rooms_share_the_wall_with_the_door_and_no_other() -> None:
    """4.35, drawn: doors line up; walls coincide on the door line only, unless they are shared."""
    rooms = """
room  pair, at most 1
    ###########
    #.........#
    ##+####+###

room  below
    ##+##
    #...#
    #####
"""
    apart = after(Attach(rooms=rooms, root="pair", position="top"), Draft(13, 8))
    assert str(apart) == picture("""
        #############
        ##.........##
        ###+####+####
        ##...##...###
        #############
        #############
        #############
        #############
    """)
    close = rooms.replace("##+####+###", "##+###+####")
    seen = {
        str(after(Attach(rooms=close, root="pair", position="top"), Draft(13, 8), seed=seed)).split("\n")[2].count("+")
        for seed in range(20)
    }
    assert seen == {1}, "a wall between two doors that are four cells apart would stand on another"
    draft = after(Attach(rooms=close, root="pair", position="top", shared_walls=True), Draft(13, 8))
    assert str(draft).split("\n")[2:4] == ["###+###+#####", "##...#...####"]


def test_width_and_kind_of_doors_must_match() -> None:
    """4.34: an opening fits no door, a wide one no narrow one, and a door only one on the opposite side."""
    hall = "room  hall, at most 1\n    #++#'#\n    #....+\n    ######\n"
    for other in ("###\n#.#\n#+#", "####\n#..#\n#''#", "###\n+.#\n###", "#'#\n#.#\n###", "###\n#.+\n###"):
        text = hall + "room  other, weight 9\n" + "\n".join(f"    {row}" for row in other.split("\n")) + "\n"
        draft = after(Attach(rooms=text, root="hall", max_rooms=2), Draft(21, 13))
        fits = other.startswith("###\n+")
        assert len(draft.links) == fits, other


def test_a_door_is_sealed_after_all_types_failed() -> None:
    """4.37, drawn: where nothing fits there is wall, and the work ends by itself."""
    draft = after(Attach(rooms=HALL, root="hall"), Draft(7, 5))
    assert str(draft) == "#######\n#.....#\n#.....#\n#.....#\n#######"
    assert draft.regions is not None
    assert (len(draft.regions), len(draft.doors), len(draft.links)) == (1, 0, 0)


def test_both_used_doors_leave_the_list() -> None:
    """4.36: through a chain of rooms with two doors each, every room but the two at the ends has used both."""
    tube = "room  tube\n    #####\n    +...+\n    #####\n"
    draft = after(Attach(rooms=tube), Draft(37, 3))
    assert str(draft) == "#" * 37 + "\n" + "#" + "...+" * 8 + "...#" + "\n" + "#" * 37
    assert len(draft.links) == 8


def test_max_rooms_is_kept() -> None:
    for count in (1, 2, 7, 20):
        for seed in range(10):
            draft = after(Attach(max_rooms=count), Draft(60, 60), seed=seed)
            assert draft.regions is not None
            assert len(draft.regions) == count


def test_the_last_door_is_not_closed_by_choice() -> None:
    """A dead end that is nine times as likely does not end the map after two rooms."""
    tubes = "room  tube\n    #####\n    +...+\n    #####\nroom  bend\n    ####\n    +..#\n    ##.#\n     #+#\n"
    text = "positions turned\nroom  end, weight 99\n    ###\n    #.#\n    #+#\n" + tubes
    counts = [
        len(after(Attach(rooms=text, root="tube", max_rooms=12), Draft(60, 60), seed=seed).links) for seed in range(40)
    ]
    assert sum(count == 11 for count in counts) > 20


def test_regions_say_what_they_are() -> None:
    text = HALL.replace(", turned", ", tagged great lit") + "\nroom  way, turned\n    #####\n    +,,,+\n    #####\n"
    draft = after(Attach(rooms=text, root="hall"), Draft(31, 21), seed=2)
    assert draft.regions is not None
    assert draft.regions[0].template == "hall"
    kinds = {(region.template, region.kind, region.tags) for region in draft.regions}
    assert kinds == {("hall", "room", ("great", "lit")), ("way", "corridor", ())}


def test_doorways_become_what_their_kind_says() -> None:
    text = (
        "socket  arch = A, floor\nsocket  wicket = W, secret\nroom  a, turned\n    #AA##\n    #...W\n    #AA##\n"
        "room  b, turned\n    #W##\n    #..#\n    #AA#\n"
    )
    kinds = set()
    for seed in range(20):
        draft = after(Attach(rooms=text), Draft(41, 31), seed=seed)
        is_put_together(draft.level(), parse(text, "x"), tree=True)
        kinds |= {(link.kind, link.door >= 0) for link in draft.links}
        assert {door.state for door in draft.doors} <= {"secret"}
    assert kinds == {("open", False), ("secret", True)}


def test_things_from_slots() -> None:
    """4.38: a tile is fixed, and may contain other elements, which are filled in later or not."""
    text = (
        "slot  monster = m\nslot  chest = c, on corridor\nroom  den, turned\n    ##+##\n    #m.c#\n    #...#\n"
        "    ##+##\n"
    )
    all_of_them = after(Attach(rooms=text, max_rooms=8), Draft(60, 60), seed=1)
    assert all_of_them.regions is not None
    rooms = len(all_of_them.regions)
    assert sorted(thing.kind for thing in all_of_them.things) == ["chest"] * rooms + ["monster"] * rooms
    for thing in all_of_them.things:
        assert all_of_them.regions.at(thing.x, thing.y) is not None
        assert all_of_them.tiles[thing.y, thing.x] == STANDARD["corridor" if thing.kind == "chest" else "floor"]
    none = after(Attach(rooms=text, max_rooms=8, things=0.0), Draft(60, 60), seed=1)
    assert none.things == []
    assert (none.tiles == all_of_them.tiles).all()
    half = [len(after(Attach(rooms=text, things=0.5), Draft(60, 60), seed=seed).things) for seed in range(20)]
    full = [len(after(Attach(rooms=text, things=1.0), Draft(60, 60), seed=seed).things) for seed in range(20)]
    assert 0.45 < sum(half) / sum(full) < 0.55


# --- loops ------------------------------------------------------------------------------------------------------------


def test_doors_left_over_that_face_each_other_are_joined() -> None:
    """Through one wall, back to back (the room behind reaches up to the door), or by a corridor: each happens, and all
    stays true.
    """
    text = HALL + CELL + "room  tube, turned\n    ######\n    +....+\n    ######\n"
    types = parse(text, "x")
    ways = set()
    for seed in range(SEEDS):
        step = Attach(rooms=text, loops=1.0, shared_walls=bool(seed % 2))
        level = after(step, Draft(50, 40), seed=seed).level()
        is_put_together(level, types, tree=False)
        tree = after(Attach(rooms=text, shared_walls=bool(seed % 2)), Draft(50, 40), seed=seed).level()
        is_put_together(tree, types, tree=True)
        rooms = len(tree.regions)
        assert [room.template for room in level.regions][:rooms] == [room.template for room in tree.regions], (
            "the loops come last"
        )
        longer = (level.regions.table["area"][:rooms] != tree.regions.table["area"]).any()
        corridors = len(level.regions) > rooms
        extra = len(level.links) - len(level.regions) + 1
        ways |= {
            way
            for way, true in (
                ("corridor", corridors),
                ("back to back", longer),
                ("wall", extra and not corridors and not longer),
            )
            if true
        }
        assert all(region.kind == "corridor" for region in level.regions[rooms:])
    assert ways == {"corridor", "back to back", "wall"}


def test_a_loop_drawn() -> None:
    """Two rooms with two pairs of doors: the second pair faces each other in the same wall."""
    text = (
        "room  one, at most 1\n    #######\n    #.....#\n    #+###+#\nroom  two, weight 2\n    #+###+#\n    #.....#\n"
        "    #######\n"
    )
    joined, tree = (
        after(Attach(rooms=text, root="one", position="top", loops=loops), Draft(7, 5)) for loops in (1.0, 0.0)
    )
    assert str(joined) == "#######\n#.....#\n#+###+#\n#.....#\n#######"
    assert str(tree).count("+") == 1
    assert (len(joined.doors), len(joined.links), len(tree.links)) == (2, 2, 1)


def test_the_chance_of_loops() -> None:
    def extra(share: float) -> int:
        return sum(
            len(level.links) - len(level.regions) + 1
            for level in (uc.generate("diablo2", seed=seed, size=(60, 40), loops=share) for seed in range(30))
        )

    none, half, all_of_them = extra(0.0), extra(0.5), extra(1.0)
    assert none == 0
    assert 0.4 < half / all_of_them < 0.6
    assert all_of_them > 60


def test_reach_is_how_far_a_corridor_goes() -> None:
    def longest(reach: int) -> int:
        found = 0
        for seed in range(60):
            level = uc.generate("dungeoning", seed=seed, loops=1.0, reach=reach)
            found = max([found, *(max(region.width, region.height) for region in level.regions if not region.template)])
        return found

    assert longest(0) == 0
    assert 1 <= longest(3) <= 3
    assert 3 < longest(12) <= 12


# --- how much of the map (4.40) ---------------------------------------------------------------------------------------


def floors(name: str, count: int = 200, **options: Any) -> NDArray[np.int64]:
    return np.array([int(uc.generate(name, seed=seed, **options).walkable.sum()) for seed in range(count)])


def test_diablo_2_is_always_about_as_large() -> None:
    """4.40: small tiles of one size, a map that is filled about equally."""
    area = floors("diablo2")
    assert area.max() / area.min() < 1.25
    assert area.std() / area.mean() < 0.05
    sizes = {max(kind.template.tiles.shape) for kind in TYPES["diablo2"].types}
    assert sizes == {9}


def test_diablo_3_has_a_wide_range() -> None:
    """4.40: overall sizes at least four times apart; tiles too."""
    area = floors("diablo3")
    assert area.max() / area.min() >= 4
    assert np.percentile(area, 90) / np.percentile(area, 10) >= 3
    tiles = [kind.template.area for kind in TYPES["diablo3"].types]
    assert max(tiles) / min(tiles) >= 8


@pytest.mark.parametrize("total", [0.2, 0.5])
def test_a_total_that_is_fixed(total: float) -> None:
    for seed in range(30):
        level = uc.generate("diablo2", seed=seed, total=[total, total])
        tiles = len(level.regions) * 81
        assert total * 4000 <= tiles * 1.01
        assert int(level.walkable.sum()) < (total + 0.03) * 4000


def test_a_total_that_cannot_be_is_told_and_the_best_is_kept() -> None:
    run = Run()
    draft = after(Attach(rooms=HALL, total=(0.99, 0.99), tries=5), Draft(23, 13), run=run)
    assert any("% of the map, not 98 %" in note for note in run.notes)
    is_put_together(draft.level(), parse(HALL, "x"), tree=True)
    text = HALL + "room  end, weight 9, turned\n    ###\n    #.#\n    #+#\n"

    def rooms(tries: int, seed: int) -> int:
        return int(
            np.count_nonzero(
                after(Attach(rooms=text, total=(0.9, 0.9), tries=tries), Draft(40, 30), seed=seed).tiles != WALL
            )
        )

    once, best = ([rooms(tries, seed) for seed in range(12)] for tries in (1, 8))
    assert sum(best) > 1.2 * sum(once)


def test_a_map_that_died_out_is_begun_anew() -> None:
    """Of 60x18 a fifth of the maps would stay nearly empty."""
    taken, better = (sorted(floors("dungeoning", 40, size=(60, 18), fill=fill).tolist()) for fill in (0.0, 0.6))
    assert better[0] > 1.3 * taken[0]
    assert len(uc.generate("dungeoning", seed=1, max_rooms=3, fill=0.9).links) == 2, (
        "a limit that was asked for is no failure"
    )


def test_tile_size_chooses_among_the_types() -> None:
    level = uc.generate("diablo3", seed=1, total=[0.7, 0.7], tile_size=[9, 9])
    assert {region.template for region in level.regions} == {"clearing", "narrows", "dell"}
    with pytest.raises(BadInput, match="no room type is 3 to 4 cells long") as caught:
        uc.generate("diablo3", seed=1, tile_size=[3, 4])
    assert "9, 17" in caught.value.fix


def test_tiles_of_all_sizes_meet_on_the_lattice() -> None:
    """4.41: whatever their sizes, corners of tiles are a whole number of lattice lengths apart."""
    large = 0
    for seed in range(SEEDS // 4):
        level = uc.generate("diablo3", seed=seed, total=[0.7, 0.7])
        corners = []
        for room in level.regions:
            if room.template:
                shape, x, y = shapes_of(room, level.regions.labels == room.label, TYPES["diablo3"])[0]
                corners.append((x % 8, y % 8))
                large += shape.width >= 25
        assert len(set(corners)) == 1
    assert large > 5


def test_weights_by_area_make_large_tiles_rarer() -> None:
    """4.41: with weights by area a kind of tile covers as much as another of the same weight, so there are fewer of the
    large ones.
    """

    def large(weights: str) -> float:
        names = [
            region.template
            for seed in range(40)
            for region in uc.generate("diablo3", seed=seed, total=[0.5, 0.5], weights=weights).regions
        ]
        return sum(name in ("highland", "barrows", "lost valley") for name in names) / len(names)

    assert large("area") < 0.6 * large("count")


# --- bounds that cannot be kept, and other bad input ------------------------------------------------------------------

IMPOSSIBLE = [
    ({"rooms": CELL, "file": "x"}, "'rooms' or a 'file', not both"),
    ({"total": (0.5, 0.2)}, "total is a least and a greatest number, not [0.5, 0.2]"),
    ({"tile_size": (9, 3)}, "tile_size is a least and a greatest number, not [9, 3]"),
    ({"rooms": CELL, "root": "cel"}, "unknown room type 'cel'"),
    ({"rooms": CELL, "tile_size": (90, 99)}, "no room type is 90 to 99 cells long"),
    (
        {"rooms": CELL + HALL, "root": "hall", "tile_size": (1, 6)},
        "the first room 'hall' is 7 cells long, which tile_size does not allow",
    ),
    ({"rooms": CELL.replace("turned", "at most 0")}, "any room may not stand at all"),
    ({"rooms": HALL + CELL.replace("turned", "at most 0"), "root": "cell"}, "'cell' may not stand at all"),
    (
        {"rooms": CELL.replace("turned", "at least 5") + HALL.replace("turned", "exactly 4"), "max_rooms": 8},
        "at least 9 rooms must stand, and max_rooms is 8",
    ),
    (
        {"rooms": HALL + CELL.replace("turned", "exactly 1").replace("+", "'"), "root": "hall"},
        "'cell' must stand once, and no room can lead to it",
    ),
    ({"rooms": CELL.replace("turned", "at least 2")}, "'cell' must stand 2 times, and no room can lead to it"),
    (
        {"rooms": "room  box, at least 2\n    ###\n    #.#\n    ###\n" + HALL},
        "'box' must stand 2 times, and no room can lead to it",
    ),
    (
        {"rooms": CELL + HALL.replace("turned", "exactly 2"), "tile_size": (1, 6)},
        "'hall' must stand 2 times, and is 7 cells long, which tile_size [1, 6]",
    ),
    (
        {"rooms": CELL.replace("turned", "at least 1") + HALL, "tile_size": (6, 9)},
        "'cell' must stand once, and is 5 cells long, which tile_size [6, 9]",
    ),
    ({"rooms": CELL + "room  x\n    #.#\n"}, "the room is open here"),
    ({"file": "no/such/file.txt"}, "cannot read"),
]


@pytest.mark.parametrize(("params", "problem"), IMPOSSIBLE, ids=[problem[:40] for _, problem in IMPOSSIBLE])
def test_wishes_that_no_map_can_fulfil(params: dict[str, Any], problem: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        Attach(**params)
    assert problem in caught.value.problem
    assert caught.value.fix


def test_a_type_that_must_stand_is_not_left_out_by_its_size(tmp_path: Path) -> None:
    """Told with its place, when the recipe is read and when a value is set; what need not stand is left out without a
    word.
    """
    (tmp_path / "keep.txt").write_text(CELL + HALL.replace("turned", "turned, at least 1"), encoding="utf-8")
    recipe = tmp_path / "keep.toml"
    head = (
        '[param.tile_size]\ndefault = [1, 9]\n[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\n'
        'tile_size = "$tile_size"\n'
    )
    recipe.write_text(head + 'file = "keep.txt"\n', encoding="utf-8")
    kept = Recipe.load(recipe)
    assert "hall" in {region.template for region in kept.generate(seed=1, size=(30, 20)).level.regions}
    with pytest.raises(BadInput) as caught:
        kept.generate(seed=1, size=(30, 20), params={"tile_size": [1, 6]})
    assert str(caught.value.place).endswith("keep.txt:8:7")
    assert caught.value.problem == "'hall' must stand once, and is 7 cells long, which tile_size [1, 6] does not allow"
    assert caught.value.fix == "change tile_size to [1, 7], or take the 'at least' or 'exactly' of 'hall' out"
    recipe.write_text(head.replace("[1, 9]", "[8, 9]") + 'file = "keep.txt"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="no room type is 8 to 9"):
        Recipe.load(recipe)
    inline = head.replace("[1, 9]", "[1, 6]") + f'rooms = """{CELL}{HALL.replace("turned", "exactly 1")}"""\n'
    with pytest.raises(BadInput, match=r"the rooms of 'attach': 'hall' must stand once.*allow\n") as caught:
        Recipe.parse(inline, "mine.toml")
    assert str(caught.value.place) == "mine.toml:15:7"
    names = {
        region.template
        for region in Recipe.parse(inline.replace("exactly 1", "turned"), "x.toml")
        .generate(seed=1, size=(30, 20))
        .level.regions
    }
    assert names == {"cell"}


def test_impossible_types_have_a_place() -> None:
    text = HALL + CELL.replace("turned", "exactly 1").replace("+", "'")
    with pytest.raises(BadInput, match="no room can lead to it") as caught:
        Attach(rooms=text, root="hall")
    assert str(caught.value.place) == "rooms:9:7"
    with pytest.raises(BadInput, match="'cell' must stand, and is 5x4") as caught:
        Attach(rooms=CELL.replace("turned", "exactly 1")).check(4, 9)
    assert str(caught.value.place) == "rooms:2:7"


def test_a_map_of_a_thousand_rooms_is_kept_however_little_it_covers() -> None:
    """Another try would cover no more, and takes long; with fewer rooms it is worth it."""

    def used(side: int, tries: int) -> tuple[int, int]:
        run = Run()
        draft = after(Attach(rooms=HALL, fill=1.0, tries=tries), Draft(side, side), seed=2, run=run)
        assert draft.regions is not None
        assert any("% of the map, not 100 %" in note for note in run.notes)
        return len(draft.regions), run.used

    assert used(400, 1) == used(400, 5)
    assert used(400, 1)[0] >= 1000
    assert used(60, 1)[1] * 2 < used(60, 5)[1]
    assert used(60, 1)[0] < 1000


def test_rooms_larger_than_the_map() -> None:
    big = (
        "room  big, turned\n"
        + "\n".join(["    " + "#" * 20, "    #" + "." * 18 + "#", "    " + "#" * 9 + "+" + "#" * 10])
        + "\n"
    )
    with pytest.raises(BadInput, match="no room fits on a map of 19x19") as caught:
        Attach(rooms=big).check(19, 19)
    assert caught.value.fix == "ask for 20x19 or more"
    Attach(rooms=big).check(3, 20)
    Attach(rooms=big).check(20, 3)
    with pytest.raises(BadInput, match="'big' must stand, and is 20x3; the map is 19x19"):
        Attach(rooms=big + CELL, root="big").check(19, 19)
    with pytest.raises(BadInput, match="'big' must stand, and is 20x3"):
        Attach(rooms=big.replace("turned", "turned, at least 1") + CELL).check(12, 12)
    Attach(rooms=big + CELL).check(12, 12)
    run = Run()
    draft = after(Attach(rooms=big), Draft(9, 9), run=run)
    assert run.notes == ["no place for the first room"]
    assert (draft.tiles == WALL).all()
    assert (draft.regions, len(draft.doors)) == (uc.Draft(9, 9).regions or draft.regions, 0)


def test_no_place_at_all() -> None:
    run = Run()
    draft = after(Attach(loops=1.0), Draft(20, 20, fill="floor"), run=run)
    assert run.notes == ["no place for the first room"]
    assert draft.regions is not None
    assert (len(draft.regions), len(draft.links)) == (0, 0)
    with pytest.raises(NotMet, match="hall: missing in 3 of 3"):
        after(Attach(rooms=HALL.replace("turned", "turned, at least 1"), tries=3), Draft(20, 20, fill="floor"))


def test_no_sockets_that_fit_is_one_room() -> None:
    for text in ("room  box\n    ###\n    #.#\n    ###\n", CELL.replace(", turned", "")):
        draft = after(Attach(rooms=text), Draft(30, 30))
        assert draft.regions is not None
        assert len(draft.regions) == 1
        is_put_together(draft.level(), parse(text, "x"), tree=True)


def test_bounds_are_retried_and_then_given_up_with_counts() -> None:
    """4.37: retry is bounded; the error counts what was missing."""
    text = (
        HALL
        + "\nroom  lair, exactly 1, fixed\n"
        + "\n".join(["    " + "#" * 15, *["    #" + "." * 13 + "#"] * 8, "    " + "#" * 7 + "+" + "#" * 7])
        + "\n"
    )
    run = Run()
    with pytest.raises(NotMet) as caught:
        after(Attach(rooms=text, root="hall", tries=7), Draft(21, 13), run=run)
    assert caught.value.problem == "no try of 7 put every room as often as it must stand\n    lair: missing in 7 of 7"
    assert caught.value.rejected == {"lair": 7}
    assert isinstance(caught.value.best, Level)
    assert caught.value.exit_code == 1
    run = Run()
    draft = after(Attach(rooms=text, root="hall"), Draft(41, 33), seed=6, run=run)
    assert "lair" in draft.regions.templates.values()  # type: ignore[union-attr]


def test_rare_rooms_are_found_by_trying_again() -> None:
    """With one in a thousand a room hardly ever stands by itself; if it must, each try favours it more."""
    rare = "\nroom  rare, turned\n    ##+##\n    #...#\n    #.~.#\n    #####\n"
    common = HALL.replace("turned", "turned, weight 1000")
    alone = sum(
        "~" in str(after(Attach(rooms=common + rare, root="hall", max_rooms=4), Draft(40, 40), seed=seed))
        for seed in range(20)
    )
    notes = []
    for seed in range(20):
        run = Run()
        draft = after(
            Attach(rooms=common + rare.replace("turned", "turned, at least 1"), root="hall", max_rooms=4),
            Draft(40, 40),
            seed=seed,
            run=run,
        )
        assert str(draft).count("~") == 1
        notes += run.notes
    assert alone < 3
    many = [
        len(
            after(
                Attach(rooms=common + rare.replace("turned", "exactly 1"), root="hall"), Draft(40, 40), seed=seed
            ).links
        )
        for seed in range(10)
    ]
    assert min(many) >= 3, "a room that must stand does not end the work"


def test_what_was_not_placed_is_told() -> None:
    run = Run()
    after(Attach(rooms=HALL + CELL, root="hall", max_rooms=1), Draft(21, 13), run=run)
    assert run.notes == ["1 piece; not placed: cell"]
    run = Run()
    after(Attach(rooms=HALL, root="hall"), Draft(21, 13), run=run)
    assert run.notes == []
    many = "".join(CELL.replace("cell", f"cell {number}") for number in range(15))
    after(Attach(rooms=many, root="cell 14", max_rooms=1), Draft(21, 13), run=run)
    assert run.notes == [f"1 piece; not placed: {', '.join(f'cell {number}' for number in range(10))} and 4 more"]


# --- with other steps, files and recipes ------------------------------------------------------------------------------


def test_rooms_stand_in_rock_only_and_what_was_there_stays() -> None:
    text = """
        ####################
        #......#############
        #......#############
        #......#############
        ####################
        ####################
        ####################
        ####################
        ####################
        ####################
    """
    before = draft_of(text)
    from undercroft.steps.facts.survey import Survey

    after(Survey(), before)
    before.things = [Thing("chest", 2, 2)]
    was = before.tiles.copy()
    draft = after(Attach(), before, seed=3)
    assert (draft.tiles[was == FLOOR] == FLOOR).all()
    assert draft.regions is not None
    assert (draft.regions[0].template, draft.regions[0].area) == ("", 18)
    assert len(draft.regions) > 1
    assert draft.regions[1].template
    assert all(min(door.a, door.b) >= 2 for door in draft.doors)
    assert draft.things == [Thing("chest", 2, 2)]


def test_frozen_cells_are_not_built_on() -> None:
    draft = Draft(40, 30)
    draft.frozen = np.zeros((30, 40), bool)
    draft.frozen[:, 20:23] = True
    after(Attach(), draft)
    assert (draft.tiles[:, 20:23] == WALL).all()


def test_a_palette_without_some_of_the_tiles_learns_them() -> None:
    small = Palette([STANDARD.tiles[STANDARD[name]] for name in ("floor", "wall", "corridor")], "small")
    text = HALL.replace("+.....+", "+.~.o.+")
    draft = after(Attach(rooms=text), Draft(31, 21, small))
    usual = after(Attach(rooms=text), Draft(31, 21))
    assert str(draft) == str(usual)
    assert {tile.name for tile in draft.palette.tiles} >= {"floor", "wall", "door", "water", "pillar"}


def test_on_void_rooms_and_corridors_bring_their_walls() -> None:
    corner = "positions turned\nroom  corner\n    #####\n    #...+\n    #...#\n    ##+##\n"
    for seed in range(40):
        level = after(Attach(rooms=corner, loops=1.0), Draft(30, 30, fill="void"), seed=seed).level()
        near = np.pad(level.tiles, 1)
        for y, x in np.argwhere(level.walkable):
            assert (near[y : y + 3, x : x + 3] != STANDARD["void"]).all()


def test_a_file_beside_the_recipe(tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text(HALL + CELL, encoding="utf-8")
    recipe = tmp_path / "keep.toml"
    recipe.write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\nfile = "keep.txt"\n', encoding="utf-8")
    level = uc.generate(Recipe.load(recipe), seed=1, size=(30, 20))
    inline = Recipe.parse(f'[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\nrooms = """{HALL + CELL}"""\n', "x.toml")
    assert level == inline.generate(seed=1, size=(30, 20)).level
    assert len(level.provenance["files"]["attach"]) == 32
    recipe.write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\nfile = "../keep.txt"\n', encoding="utf-8")
    with pytest.raises(FileTrouble, match="outside the folder"):
        Recipe.load(recipe)


def test_a_mistake_in_a_file_is_placed_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text("room  hall\n    ###\n    #.\n    ###\n", encoding="utf-8")
    recipe = tmp_path / "keep.toml"
    recipe.write_text('[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\nfile = "keep.txt"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="the room is open here") as caught:
        Recipe.load(recipe)
    assert str(caught.value.place).endswith("keep.txt:3:6")


def test_a_mistake_in_a_text_of_the_recipe_is_placed_in_the_recipe() -> None:
    text = '[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\nrooms = """\nroom  hall\n    ###\n    #.\n    ###\n"""\n'
    with pytest.raises(BadInput, match=r"the rooms of 'attach': the room is open here\n") as caught:
        Recipe.parse(text, "mine.toml")
    assert str(caught.value.place) == "mine.toml:8:6"
    with pytest.raises(BadInput, match="total is a least and a greatest number") as caught:
        Recipe.parse('[[step]]\nuse = "fill"\n[[step]]\nuse = "attach"\ntotal = [0.5, 0.2]\n', "mine.toml")
    assert str(caught.value.place) == "mine.toml:5:9"


def test_a_long_run_is_seen_and_can_be_stopped() -> None:
    timeline = Timeline()
    after(Attach(), Draft(120, 90), watcher=timeline)
    assert timeline.turns > 8
    with pytest.raises(OutOfBudget):
        after(Attach(), Draft(120, 90), run=Run(budget=20_000))


def test_ten_thousand_rooms() -> None:
    """On 2048x2048, all of it true: collision tests do not look at every room that stands."""
    draft = after(Attach(max_rooms=10_000), Draft(2048, 2048))
    assert draft.regions is not None
    assert (len(draft.regions), len(draft.links)) == (10_000, 9_999)
    assert components(draft.palette.walkable[draft.tiles]) == 1
    assert np.bincount(draft.regions.labels.reshape(-1))[1:].tolist() == draft.regions.table["area"].tolist()


def test_seeds_differ_and_the_plain_set_serves() -> None:
    maps = {str(after(Attach(), Draft(40, 30), seed=seed)) for seed in range(100)}
    assert len(maps) == 100
    for seed in range(SEEDS):
        is_put_together(
            after(Attach(loops=0.5), Draft(20 + seed % 30, 30), seed=seed).level(), parse_default_rooms(), tree=False
        )
