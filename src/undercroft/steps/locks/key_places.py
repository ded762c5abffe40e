"""The order in which locks are opened, and the places of their keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.reach import Point
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.locks.gates import MIN_CELLS_BEHIND, Gate, LockableMap, Mask
from undercroft.steps.neighbourhood import adjacent_cells

MAX_GATE_SWAPS = 64
"""The most times that one gate replaces another until every key has a place."""

MAX_CACHED_CELLS = 1 << 23
"""The most cells of distances in the cache."""


class LockRequest(NamedTuple):
    """The requested locks and keys."""

    names: tuple[tuple[str, bool], ...]
    """The names of the locks, in the order in which they are opened, and whether a switch opens each. One key opens all
    locks of a name, unless keys break.
    """
    consumed: bool
    unlosable: bool
    guard_end: bool
    depth: int
    """The depth of the deepest lock; 0: any."""
    apart: int
    """The fewest steps from a key to its lock."""


class KeyedGate(NamedTuple):
    """A gate, the name of its lock, and the place of its key or switch; None if an earlier gate's key opens it."""

    gate: Gate
    name: str
    pulled: bool
    """Whether a switch opens it."""
    key: Point | None
    depth: int
    """The number of locks that must be opened one after the other, this one included."""


class _MapPart(NamedTuple):
    """A part of the map between gates, and what you need to reach it."""

    label: int
    depth: int
    behind: Gate | None = None
    """The gate through which it was reached."""
    needs: frozenset[Gate] = frozenset()


class _PartedMap(NamedTuple):
    """The map with all gates shut."""

    labels: NDArray[np.int32]
    sizes: NDArray[np.intp]
    beside: Mask
    """Cells beside a gate."""
    sides: dict[Gate, list[set[int]]]
    """For each cell of a gate, the parts it touches."""


class KeyPlanner:
    """Orders gates, and places keys in the parts that are open by then."""

    def __init__(self, draft: Draft, on: LockableMap, rng: Rng, run: Run) -> None:
        self.on, self.rng, self.run = on, rng, run
        self._floors = _key_floors(draft, on)
        self._steps = reach.distances(on.open, [on.start], run)
        self._fields: dict[Gate, NDArray[np.int32]] = {}

    def plan(self, gates: Sequence[Gate], wish: LockRequest) -> list[KeyedGate]:
        """As many of the gates as fit, at most one per name, in the order in which they are opened.

        Gates that no secret door leads around come before others.
        """
        waiting, chosen = sorted(gates, key=lambda gate: not gate.firm), list[Gate]()
        for look in range(MAX_GATE_SWAPS + len(wish.names)):
            if look < MAX_GATE_SWAPS:
                self._choose_gates(chosen, waiting, wish)
            found = self._order_gates(chosen, wish)
            if not isinstance(found, Gate):
                return found
            chosen.remove(found)
        return []

    def _choose_gates(self, chosen: list[Gate], waiting: list[Gate], wish: LockRequest) -> None:
        """Choose more gates, none of which touches another. The first guards the end; with a `depth`, it is the one
        farthest from the start, so that not all others lie behind it.
        """
        while waiting and len(chosen) < len(wish.names):
            guards = (
                [gate for gate in waiting if gate.guards]
                if wish.guard_end and not any(gate.guards for gate in chosen)
                else []
            )
            gate = (
                (max(guards, key=lambda gate: (gate.firm, self._steps_from_start(gate))) if wish.depth else guards[0])
                if guards
                else waiting[0]
            )
            waiting.remove(gate)
            if not any(_gates_touch(gate, other) for other in chosen):
                chosen.append(gate)

    def _steps_from_start(self, gate: Gate) -> int:
        return max(int(self._steps[y, x]) for x, y in gate.cells)

    def _order_gates(self, gates: list[Gate], wish: LockRequest) -> list[KeyedGate] | Gate:
        """Open the gates one by one, each with a key that is reachable by then. Returns the gate without a place for
        its key if there is one.
        """
        parted = self._part_map(gates)
        start = int(parted.labels[self.on.start[1], self.on.start[0]])
        pieces, found, left = [_MapPart(start, 0)], list[KeyedGate](), list(gates)
        keys: dict[str, tuple[Point, _MapPart]] = {}
        while left:
            depths = {piece.label: piece for piece in reversed(pieces)}
            near_by = [
                (gate, [depths[side] for sides in parted.sides[gate] for side in sides if side in depths])
                for gate in left
            ]
            doors = [(gate, min(sides, key=lambda piece: piece.depth)) for gate, sides in near_by if sides]
            if not doors:
                return left[0]
            gate, before = self.rng.choose(_without_last_guard(doors, left))
            if before.depth >= (wish.depth or before.depth + 1):
                return _gate_to_drop(gate, before.behind, gates)
            placed = self._place_key(gate, pieces, found, keys, parted, wish)
            if placed is None:
                return gate
            cell, piece, is_new = placed
            (name, pulled), depth = wish.names[len(found)], 1 + max(before.depth, piece.depth)
            keys.setdefault(name, (cell, piece))
            found.append(KeyedGate(gate, name, pulled, cell if is_new else None, depth))
            left.remove(gate)
            beyond = _newly_open_parts({keyed.gate for keyed in found}, set(depths), parted)
            if sum(int(parted.sizes[label]) for label in beyond) < MIN_CELLS_BEHIND:
                return gate
            pieces += [_MapPart(label, depth, gate, before.needs | piece.needs | {gate}) for label in beyond]
        return found

    def _place_key(
        self,
        gate: Gate,
        pieces: list[_MapPart],
        found: list[KeyedGate],
        keys: dict[str, tuple[Point, _MapPart]],
        parted: _PartedMap,
        wish: LockRequest,
    ) -> tuple[Point, _MapPart, bool] | None:
        """The cell of a gate's key, its part of the map, and whether the key is new; None if there is no place."""
        name, _ = wish.names[len(found)]
        if name in keys and not wish.consumed:
            cell, piece = keys[name]
            fits = self._steps_from_gate(gate)[cell[1], cell[0]] >= wish.apart and piece.depth < (
                wish.depth or piece.depth + 1
            )
            return (cell, piece, False) if fits else None
        alike = {keyed.gate for keyed in found if keyed.name == name} if wish.unlosable else set()
        may = [piece for piece in pieces if piece.depth < (wish.depth or piece.depth + 1) and not piece.needs & alike]
        self.rng.shuffle(may)
        if max(piece.depth for piece in pieces) < wish.depth:
            may.sort(key=lambda piece: -piece.depth)
        elif self.rng.below(2):  # every other time, prefer a part that nothing else gives a reason to open
            empty = {piece.label for piece in pieces[1:]} - {piece.label for _, piece in keys.values()}
            may.sort(key=lambda piece: piece.label not in empty)
        taken = [keyed.key for keyed in found if keyed.key]
        for piece in may:
            for floor in self._floors:
                cells = (
                    floor
                    & (parted.labels == piece.label)
                    & ~parted.beside
                    & (self._steps_from_gate(gate) >= wish.apart)
                )
                for x, y in taken:
                    cells[y, x] = False
                self.run.spend(cells.size)
                if cells.any():
                    return self._pick_cell(cells, self._steps_from_gate(gate)), piece, True
        return None

    def _pick_cell(self, cells: Mask, far: NDArray[np.int32]) -> Point:
        """One of the cells: of two drawn at random, the one that is farther from the lock and from the start."""
        places = np.flatnonzero(cells)
        place = max(
            (int(places[self.rng.below(len(places))]) for _ in range(2)),
            key=lambda place: min(far.flat[place], self._steps.flat[place]),
        )
        return place % cells.shape[1], place // cells.shape[1]

    def _steps_from_gate(self, gate: Gate) -> NDArray[np.int32]:
        """Steps from a gate to each cell, with all gates open."""
        if gate not in self._fields:
            if len(self._fields) * self.on.open.size > MAX_CACHED_CELLS:
                self._fields.clear()
            self._fields[gate] = reach.distances(self.on.open, gate.cells, self.run)
        return self._fields[gate]

    def _part_map(self, gates: list[Gate]) -> _PartedMap:
        shut = np.zeros_like(self.on.open)
        for gate in gates:
            for x, y in gate.cells:
                shut[y, x] = True
        labels, count = reach.label_components((self.on.open & ~shut).view(np.uint8), run=self.run)
        rimmed = np.pad(labels, 1)
        sides = {
            gate: [
                {int(rimmed[y + down, x + right]) for right, down in ((1, 0), (0, 1), (2, 1), (1, 2))} - {0}
                for x, y in gate.cells
            ]
            for gate in gates
        }
        return _PartedMap(labels, np.bincount(labels.reshape(-1), minlength=count + 1), adjacent_cells(shut), sides)


def _without_last_guard(doors: list[tuple[Gate, _MapPart]], left: list[Gate]) -> list[tuple[Gate, _MapPart]]:
    """The doors without the last one that guards the end, if there are others: locks opened after it would be
    pointless.
    """
    guards = [gate for gate in left if gate.guards]
    return [door for door in doors if [door[0]] != guards] or doors


def _gate_to_drop(gate: Gate, before: Gate | None, gates: list[Gate]) -> Gate:
    """The gate to remove if one is too deep behind another: the first, since more gates may lie behind it, unless it
    alone guards the end.
    """
    others = any(other.guards for other in gates if other != before)
    return gate if before is None or (before.guards and not others) else before


def _newly_open_parts(opened: set[Gate], known: set[int], parted: _PartedMap) -> list[int]:
    """The parts that become open."""
    found: list[int] = []
    while True:
        news = {
            side for gate in opened for sides in parted.sides[gate] if not sides.isdisjoint(known) for side in sides
        } - known
        if not news:
            return sorted(found)
        known = known | news
        found += news


def _gates_touch(gate: Gate, other: Gate) -> bool:
    return any(abs(x - a) + abs(y - b) <= 1 for x, y in gate.cells for a, b in other.cells)


def _key_floors(draft: Draft, on: LockableMap) -> tuple[Mask, Mask]:
    """Masks of the cells where keys may lie: the floor of rooms, and passages for when rooms have no place. Neither
    holds doorways, cells beside them, start, end, or cells with things.
    """
    palette, tiles = draft.palette, draft.tiles
    doors = look_up_tiles(palette.role_mask(*DOOR_ROLES), tiles)
    free = on.open & ~doors & ~adjacent_cells(doors)
    for x, y in (on.start, on.end, *((thing.x, thing.y) for thing in draft.things)):
        free[y, x] = False
    if draft.frozen is not None:
        free &= ~draft.frozen
    return free & look_up_tiles(palette.role_mask("floor"), tiles), free & look_up_tiles(
        palette.role_mask("corridor"), tiles
    )
