"""Place rooms on a map, door to door, with the kernels of `kernels/attach.py`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE, REGION_KINDS
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.kernels import attach, buffer, carve, flat_buffer
from undercroft.templates.prefabs.tables import NO_LIMIT, Ints, PrefabTables

ROOMS, DOORS, DOORS_WAITING, JOINS, CELLS_COVERED, ROOMS_OWED, LISTS_FULL, DOORS_TRIED, NEXT_PAIR = range(9)
"""Indices in the kernels' state."""
INITIAL_ROOMS = 256
"""The initial capacity of the lists of rooms."""


class PlacementGoal(NamedTuple):
    """When to stop placing rooms."""

    max_rooms: int = 0
    """The most rooms; 0: as many as fit."""
    enough: int = NO_LIMIT
    """Stop when this many cells are covered."""
    shared_walls: bool = False
    favour: int = 0
    """The chance, out of 2^32, that required types which are still missing come first."""


class RoomPlacement:
    """The rooms of one map. `place_first` places the first, `place_others` all others, and `join_loops` joins unused
    doors; then the `..._rows` methods return the result.
    """

    def __init__(
        self,
        tiles: NDArray[np.uint8],
        free: NDArray[np.bool_],
        labels: NDArray[np.int32],
        before: int,
        tables: PrefabTables,
        rng: Rng,
    ) -> None:
        self.tables, self.rng, self.before = tables, rng, before
        self.height, self.width = tiles.shape
        self.taken = np.where(free, np.uint8(0), np.uint8(2))
        self.state = np.zeros(9, np.int64)
        self.counts = np.zeros(len(tables.types), np.int32)
        self.state[ROOMS_OWED] = tables.types[:, 1].sum()
        self.rooms, self.joins = np.empty((INITIAL_ROOMS, 8), np.int32), np.empty((INITIAL_ROOMS, 3), np.int32)
        self.doors, self.waiting = (
            np.empty((INITIAL_ROOMS * max(4, tables.most_sockets), columns), np.int32) for columns in (5, 1)
        )
        cells = tables.cells
        self._offsets = cells[:, 1] * np.int32(self.width) + cells[:, 0]
        self.labels = labels
        self._map = flat_buffer(self.taken), flat_buffer(tiles), flat_buffer(labels)
        self._shapes = (
            buffer(cells),
            buffer(self._offsets),
            buffer(tables.shapes),
            buffer(tables.sockets),
            buffer(tables.types),
        )

    @property
    def owed(self) -> int:
        """The number of required rooms that are missing."""
        return int(self.state[ROOMS_OWED])

    @property
    def count(self) -> int:
        """The number of rooms, and of corridors between them."""
        return int(self.state[ROOMS])

    @property
    def covered(self) -> int:
        """The number of cells they cover, walls included."""
        return int(self.state[CELLS_COVERED])

    def place_first(self, shape: int, x: int, y: int) -> bool:
        """Place the first room there. Returns False if something is in its way or it leaves the map."""
        _, width, height = self.tables.shapes[shape, :3].tolist()
        if not (0 <= x <= self.width - width and 0 <= y <= self.height - height):
            return False
        lists = buffer(self.counts), buffer(self.rooms), buffer(self.doors), buffer(self.waiting.reshape(-1))
        return bool(
            attach.place_first_room(
                buffer(self.state), *self._map, *self._shapes, *lists, shape, x, y, self.width, self.before
            )
        )

    def place_others(self, run: Run, wish: PlacementGoal) -> None:
        """Place rooms behind doors until no door is left to try, or the goal is met."""
        tables = self.tables
        offered = buffer(tables.starts), buffer(tables.offers), buffer(tables.pairs), buffer(self.counts)
        tried, left = np.zeros(len(tables.types), np.int64), np.empty(max(1, tables.most_pairs), np.int32)
        numbers = self.width, self.height, self.before, tables.most_sockets
        wanted = wish.max_rooms or NO_LIMIT, wish.enough, wish.shared_walls, wish.favour

        def grow_chunk(fuel: int) -> int:
            used = 0
            while True:
                lists = buffer(self.rooms), buffer(self.doors), buffer(self.waiting.reshape(-1)), buffer(self.joins)
                given = *self._map, *self._shapes, *offered, buffer(tried), buffer(left), *lists, *numbers, *wanted
                used += int(attach.grow_rooms(buffer(self.state), self.rng.state, *given, fuel - used))
                if not self.state[LISTS_FULL]:
                    return used
                self._extend_lists(2)

        run.drive(grow_chunk)

    def _extend_lists(self, times: int, more: int = 0) -> None:
        """Enlarge the lists of rooms."""
        for name in ("rooms", "joins", "doors", "waiting"):
            old = getattr(self, name)
            new = np.empty((len(old) * times + more, old.shape[1]), np.int32)
            new[: len(old)] = old
            setattr(self, name, new)

    def join_loops(self, run: Run, chance: int, reach: int, palette: Palette) -> None:
        """Join unused doors that face each other, each pair with a chance out of 2^32; up to `reach` cells of rock may
        lie between them.
        """
        state, sockets, doors = buffer(self.state), buffer(self.tables.sockets), buffer(self.doors)
        taken, tiles, labels = self._map
        found = np.empty((int(self.state[DOORS]), 3), np.int32)
        count = attach.find_facing_doors(
            state,
            taken,
            labels,
            sockets,
            buffer(self.tables.opposite),
            doors,
            buffer(found),
            self.width,
            self.height,
            reach,
        )
        run.spend(int(self.state[DOORS]) * (reach + 2))
        found = found[:count]
        carve.shuffle_rows(buffer(found), self.rng.state, 0, count)
        self._extend_lists(1, 2 * count)
        self.state[NEXT_PAIR] = 0
        lists = buffer(self.rooms), buffer(self.doors), buffer(self.joins), buffer(found)
        codes = palette.role("wall"), palette.role("floor"), palette.role("corridor")
        run.drive(
            lambda fuel: int(
                attach.link_doors(
                    state,
                    self.rng.state,
                    taken,
                    tiles,
                    labels,
                    sockets,
                    *lists,
                    self.width,
                    self.before,
                    chance,
                    *codes,
                    fuel,
                )
            )
        )
        attach.clear_door_labels(state, labels, buffer(self.doors), self.width)

    def region_rows(self) -> NDArray[Any]:
        """The table of regions: rooms in the order of placement, then corridors."""
        rooms = self._rooms
        table = np.zeros(len(rooms), REGION_DTYPE)
        table["kind"] = np.where(
            self.tables.is_corridor[rooms[:, 0]], REGION_KINDS.index("corridor"), REGION_KINDS.index("room")
        )
        table["x"], table["y"], table["area"] = rooms[:, 3], rooms[:, 4], rooms[:, 7]
        table["width"], table["height"] = rooms[:, 5] - rooms[:, 3] + 1, rooms[:, 6] - rooms[:, 4] + 1
        return table

    @property
    def _rooms(self) -> Ints:
        return self.rooms[: self.count]

    def list_shapes(self) -> list[int]:
        """For each region the number of its shape; -1 for a corridor."""
        shapes: list[int] = self._rooms[:, 0].tolist()
        return shapes

    def door_rows(self, palette: Palette, first: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The rows of doors and openings, and a link for each doorway. Doors are numbered from `first` on."""
        joins = self.joins[: self.state[JOINS]]
        doors = self.doors[joins[:, 0]]
        sockets = self.tables.sockets[doors[:, 2]]
        states = np.zeros(256, np.uint8)
        for code, role in enumerate(palette.roles):
            states[code] = DOOR_ROLES.index(role) if role in DOOR_ROLES else 0
        widths = np.where(sockets[:, 6] == 0, sockets[:, 3], 0)
        starts = np.cumsum(widths) - widths
        which = np.repeat(np.arange(len(joins)), widths)
        along = np.arange(len(which)) - starts[which]
        down = sockets[which, 2] & 1
        rows = np.zeros(len(which), DOOR_DTYPE)
        rows["x"], rows["y"] = doors[which, 0] + along * (1 - down), doors[which, 1] + along * down
        rows["a"], rows["b"], rows["state"] = joins[which, 1], joins[which, 2], states[sockets[which, 5]]
        links = np.zeros(len(joins), LINK_DTYPE)
        links["a"], links["b"], links["kind"], links["carved"] = joins[:, 1], joins[:, 2], states[sockets[:, 5]], True
        links["door"] = np.where(widths > 0, first + starts, -1)
        return rows, links

    def list_slots(self) -> list[tuple[str, int, int]]:
        """The slots of all rooms: kind, x, y."""
        own = [template.slots for template in self.tables.templates]
        return [
            (slot.kind, x + slot.x, y + slot.y)
            for shape, x, y in self._rooms[:, :3].tolist()
            if shape >= 0
            for slot in own[shape]
        ]
