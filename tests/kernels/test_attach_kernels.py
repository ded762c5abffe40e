"""Rooms put door to door, against a slow twin that knows no grid: it looks at every cell of every room that stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.maps import HEAVY, Bites, interpreted, spans
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.rng import PROBABILITY_ONE, Rng
from undercroft.core.run import Run
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.templates.prefabs.default_rooms import parse_default_rooms
from undercroft.templates.prefabs.placement import JOINS, PlacementGoal, RoomPlacement
from undercroft.templates.prefabs.prefab import RoomTypes, parse
from undercroft.templates.prefabs.tables import PrefabTables, build_tables
from undercroft.templates.template import OUTSIDE, Socket, Template

ROUNDS = 400 if HEAVY else 16
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
WALL = STANDARD["wall"]


def shipped(name: str) -> RoomTypes:
    return parse((SHIPPED_FOLDER / "prefabs" / f"{name}.txt").read_text(encoding="utf-8"), name)


SETS = {"plain": parse_default_rooms(), **{name: shipped(name) for name in ("dungeoning", "diablo2", "diablo3")}}
SETS["bound"] = parse(
    """
socket  gate = G, opening
positions turned

room  hub, at most 3
    #+#GG##
    #.....#
    +.....G
    #.....G
    ###+###

room  vault, exactly 2, weight 5, fixed
    ####
    #..#
    #..#
    #GG#

room  tube, at least 1, weight 2
    #######
    +,,,,,+
    #######

room  end, at least 3
    ###
    #.#
    #+#
""",
    "bound",
)


def placing(types: RoomTypes, size: tuple[int, int], seed: int) -> tuple[RoomPlacement, Draft]:
    draft = Draft(*size)
    made = build_tables(types, types.types, STANDARD, False)
    free = np.ones(draft.tiles.shape, bool)
    return RoomPlacement(
        draft.tiles, free, np.zeros(draft.tiles.shape, np.int32), 0, made, Rng.root(seed).stream("twin")
    ), draft


class Stands:
    """A room of the twin."""

    def __init__(self, shape: Template, x: int, y: int) -> None:
        self.shape, self.x, self.y = shape, x, y
        ys, xs = np.nonzero(shape.tiles != OUTSIDE)
        tiles = shape.tiles[ys, xs].tolist()
        self.cells = {
            (x + dx, y + dy): bool(STANDARD.rock[tile])
            for dx, dy, tile in zip(xs.tolist(), ys.tolist(), tiles, strict=True)
        }
        """Its cells, and whether they are wall."""


class Twin:
    """The same by lists and sets, and the rules as they are told: 4.33 to 4.37."""

    def __init__(
        self, made: PrefabTables, types: RoomTypes, size: tuple[int, int], rng: Rng, wish: PlacementGoal
    ) -> None:
        self.made, self.types, self.size, self.rng, self.wish = made, types, size, rng, wish
        self.shapes = [kind.list_shapes() for kind in types.types]
        self.counts = [0] * len(self.shapes)
        self.rooms: list[Stands] = []
        self.doors: list[tuple[int, int, Socket]] = []
        self.joined: list[tuple[int, int]] = []
        self.waiting: list[tuple[int, int, Socket, int]] = []
        self.opened: set[tuple[int, int]] = set()

    def add_room(self, kind: int, room: Stands, used: Socket | None) -> None:
        self.counts[kind] += 1
        self.rooms.append(room)
        for socket in room.shape.sockets:
            if socket is not used:
                self.waiting.append((room.x + socket.x, room.y + socket.y, socket, len(self.rooms)))

    def fits(self, room: Stands, line: tuple[str, int]) -> bool:
        """Against each cell of each room that stands."""
        width, height = self.size
        for (x, y), wall in room.cells.items():
            if not (0 <= x < width and 0 <= y < height):
                return False
            for other in self.rooms:
                there = other.cells.get((x, y))
                if there is None:
                    continue
                both = there and wall and (x, y) not in self.opened
                if not both or not (self.wish.shared_walls or (x if line[0] == "x" else y) == line[1]):
                    return False
        return True

    def owed(self) -> int:
        return sum(max(0, kind.least - count) for kind, count in zip(self.types.types, self.counts, strict=True))

    def covered(self) -> int:
        return len({cell for room in self.rooms for cell in room.cells})

    def grow(self) -> None:
        most = self.wish.max_rooms or 1 << 31
        while self.waiting and len(self.rooms) < most:
            owed, full = self.owed(), self.covered() >= self.wish.enough
            pressed = owed > 0 and (owed >= most - len(self.rooms) or full)
            if full and not pressed:
                return
            at = self.rng.below(len(self.waiting))
            door = self.waiting[at]
            self.waiting[at] = self.waiting[-1]
            self.waiting.pop()
            first = owed > 0 and (pressed or (self.wish.favour > 0 and self.rng.next() < self.wish.favour))
            self.tried: set[int] = set()
            last = not self.waiting and not pressed and len(self.rooms) + 1 < most
            for turn in (0,) * first + ((1, 2) if not (first and pressed) else ()):
                if self.at(door, turn, last):
                    break

    def at(self, door: tuple[int, int, Socket, int], turn: int, last: bool) -> bool:
        """Whether some type of this turn fits behind the door."""
        x, y, mine, label = door
        while True:
            offers = []
            for kind, (told, shapes) in enumerate(zip(self.types.types, self.shapes, strict=True)):
                pairs = [
                    (shape, socket)
                    for shape in shapes
                    for socket in shape.sockets
                    if (socket.side, socket.width, socket.kind) == (OPPOSITE[mine.side], mine.width, mine.kind)
                ]
                barred = kind in self.tried or (told.most is not None and self.counts[kind] >= told.most)
                barred = (
                    barred
                    or (turn == 0 and self.counts[kind] >= told.least)
                    or (turn < 2 and last and len(told.template.sockets) < 2)
                )
                if pairs and not barred:
                    offers.append((kind, pairs))
            if not offers:
                return False
            kind, pairs = offers[self.rng.weighted_index([int(self.made.types[kind, 0]) for kind, _ in offers])]
            self.tried.add(kind)
            while pairs:
                at = self.rng.below(len(pairs))
                shape, socket = pairs[at]
                pairs[at] = pairs[-1]
                pairs.pop()
                room = Stands(shape, x - socket.x, y - socket.y)
                if self.fits(room, ("x", x) if mine.side in "EW" else ("y", y)):
                    self.add_room(kind, room, socket)
                    self.joined.append((label, len(self.rooms)))
                    self.opened |= {
                        (x + step * (mine.side in "NS"), y + step * (mine.side in "EW")) for step in range(mine.width)
                    }
                    return True


WISHES = [
    PlacementGoal(),
    PlacementGoal(shared_walls=True),
    PlacementGoal(max_rooms=9),
    PlacementGoal(enough=300, favour=PROBABILITY_ONE // 2),
    PlacementGoal(max_rooms=8, favour=PROBABILITY_ONE, shared_walls=True),
]


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("seeds", spans(ROUNDS // 4, quick=3))
def test_as_the_slow_twin(name: str, wish: PlacementGoal, seeds: range) -> None:
    """4.33 to 4.37: the same rooms at the same places, joined by the same doors."""
    types = SETS[name]
    for seed in seeds:
        width, height = 20 + seed % 13 * 3, 17 + seed % 7 * 4
        quick, _ = placing(types, (width, height), seed)
        twin = Twin(quick.tables, types, (width, height), Rng.root(seed).stream("twin"), wish)
        begun = next(
            (kind, shape)
            for kind, shapes in enumerate(quick.tables.shapes_of)
            for shape in shapes
            if quick.tables.shapes[shape, 1] <= width
            and quick.tables.shapes[shape, 2] <= height
            and types.types[kind].most != 0
        )
        x, y = (
            (width - int(quick.tables.shapes[begun[1], 1])) // 2,
            (height - int(quick.tables.shapes[begun[1], 2])) // 2,
        )
        assert quick.place_first(begun[1], x, y)
        twin.add_room(begun[0], Stands(quick.tables.templates[begun[1]], x, y), None)
        quick.place_others(Run(), wish)
        twin.grow()
        rooms = [(quick.tables.templates[shape], x, y) for shape, x, y in quick.rooms[: quick.count, :3].tolist()]
        assert [(shape.name, str(shape), x, y) for shape, x, y in rooms] == [
            (room.shape.name, str(room.shape), room.x, room.y) for room in twin.rooms
        ]
        assert quick.joins[: quick.state[JOINS], 1:].tolist() == [list(pair) for pair in twin.joined]
        assert quick.counts.tolist() == twin.counts
        assert (quick.owed, quick.covered) == (twin.owed(), twin.covered())


def placement_state(placing: RoomPlacement, draft: Draft) -> tuple[Any, ...]:
    count = placing.count
    return (
        draft.tiles.tobytes(),
        placing.labels.tobytes(),
        placing.rooms[:count].tolist(),
        placing.region_rows().tolist(),
        placing.door_rows(STANDARD, 0)[1].tolist(),
    )


@pytest.mark.parametrize("name", SETS)
def test_compiled_as_interpreted_and_in_bites(name: str) -> None:
    def place_rooms(seed: int, run: Run) -> tuple[Any, ...]:
        at, draft = placing(SETS[name], (33 + seed, 41), seed)
        at.place_first(0, 8, 8)
        at.place_others(run, PlacementGoal(shared_walls=bool(seed % 2)))
        at.join_loops(run, PROBABILITY_ONE // 2, 7, STANDARD)
        return placement_state(at, draft)

    for seed in range(ROUNDS // 8):
        quick = place_rooms(seed, Run())
        assert place_rooms(seed, Bites(1)) == place_rooms(seed, Bites(50)) == quick
        with interpreted():
            assert place_rooms(seed, Run()) == quick


def test_the_lists_grow() -> None:
    at, _ = placing(SETS["plain"], (300, 300), 1)
    at.place_first(0, 100, 100)
    at.place_others(Run(), PlacementGoal())
    assert at.count > 1000
    assert len(at.rooms) >= at.count


def test_the_first_room_finds_its_place_or_not() -> None:
    at, draft = placing(SETS["plain"], (20, 20), 1)
    assert not at.place_first(0, -1, 3)
    assert not at.place_first(0, 14, 3)
    at.taken[5, 5] = 2
    assert not at.place_first(0, 3, 3)
    assert (draft.tiles == WALL).all()
    assert at.place_first(0, 6, 6)


# --- the laws of chance -----------------------------------------------------------------------------------------------


def first_choices(text: str, draws: int = 3000) -> dict[tuple[str, int, int], int]:
    """Which room was put where, as the second one."""
    types = parse(text, "chance")
    found: dict[tuple[str, int, int], int] = {}
    for seed in range(draws):
        at, _ = placing(types, (31, 31), seed)
        at.place_first(0, 14, 14)
        at.place_others(Run(), PlacementGoal(max_rooms=2))
        shape, x, y = at.rooms[1, :3].tolist()
        key = at.tables.templates[shape].name, x, y
        found[key] = found.get(key, 0) + 1
    return found


ROOT = """
room  root, at most 1, fixed
    ##+##
    #...#
    +...+
    #...#
    ##+##
"""
ONE_DOOR = """
room  root, at most 1, fixed
    ##+##
    #...#
    #####
"""


def near(count: int, share: float, draws: int = 3000) -> bool:
    """Within four deviations."""
    return bool(abs(count - share * draws) < 4 * (share * (1 - share) * draws) ** 0.5)


def test_a_door_is_picked_uniformly() -> None:
    """4.33: of four open doors each is as likely."""
    found = first_choices(ROOT + "\nroom  cell, turned\n    ##+##\n    #...#\n    #####\n")
    assert len(found) == 4
    assert all(near(count, 1 / 4) for count in found.values())


def test_types_by_weight_then_pairs_alike() -> None:
    """4.34: three times the weight is three times as likely, however many doors a type has; of its doors each is as
    likely.
    """
    many = "\nroom  many, fixed\n    #########\n    #.......#\n    #+#+#+#+#\n"
    few = "\nroom  few, weight 3, fixed\n    #####\n    #...#\n    ##+##\n"
    sides = "\nroom  sides, fixed, weight 4\n    ###\n    #.+\n    ###\n"
    found = first_choices(ONE_DOOR + many + few + sides)
    shares = {
        name: sum(count for (kind, _, _), count in found.items() if kind == name) for name in ("many", "few", "sides")
    }
    assert shares["sides"] == 0, "no door of it faces the only one that is open"
    assert near(shares["many"], 1 / 4)
    assert near(shares["few"], 3 / 4)
    places = [count for (kind, _, _), count in found.items() if kind == "many"]
    assert len(places) == 4
    assert all(near(count, 1 / 16) for count in places)


def test_weights_for_the_area() -> None:
    """4.41: as much of the map, not as many rooms."""
    types = parse(
        "room  a\n    ##+##\n    #...#\n    ##+##\nroom  b, weight 2\n    ####+####\n"
        + "    #.......#\n" * 4
        + "    ####+####\n",
        "x",
    )
    count, area = (
        build_tables(types, types.types, STANDARD, by_area).types[:, 0].tolist() for by_area in (False, True)
    )
    assert 2 * count[0] == count[1]
    assert abs(area[0] * 15 * 2 - area[1] * 54) < 54


@pytest.mark.parametrize("weights", [(1, 1_000_000), (7, 7), (1, 2)])
def test_any_weights_fit_a_draw(weights: tuple[int, int]) -> None:
    texts = [f"room  r{number}, weight {weights[number % 2]}\n ###\n #.#\n #+#\n" for number in range(500)]
    types = parse("".join(texts), "x")
    numbers = build_tables(types, types.types, STANDARD, True).types[:, 0]
    assert numbers.min() >= 1
    assert int(numbers.astype(np.int64).sum()) < 1 << 32
