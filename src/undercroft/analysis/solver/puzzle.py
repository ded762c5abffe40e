"""The few cells of a level that matter to locks and keys, and the effect of each.

Things describe the puzzle, so every format that stores things stores it, and maps from other programs can state it:

    lock     {"key": "red"}      only a player with that key can pass its cell. A tile with the role "locked" and no
                                 such thing needs a key without a name
    key      {"opens": "red"}    a player who steps on it takes it; with "consumed": true it breaks in the first lock,
                                 which stays open
    switch   {"opens": "red"}    opens all locks of that name for good, once a player steps on it
    one-way  {"to": "E"}         its cell can be entered and left in that direction only: N, E, S or W
"""

from __future__ import annotations

from typing import Literal, NamedTuple, Protocol, get_args

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.one_way import ONE_WAY, side_of
from undercroft.core.arguments import require_level
from undercroft.core.level import Point
from undercroft.core.palette import look_up_tiles
from undercroft.core.passable import LOCK, Mask, TilesWithThings, lock_name, open_cells
from undercroft.core.region import Thing
from undercroft.errors import OutOfBudget
from undercroft.inputs.arguments import require_name

KEY, SWITCH = "key", "switch"
"""Kinds of things, beside `LOCK`."""

Keys = Literal["kept", "consumed"]


class Playable(TilesWithThings, Protocol):
    """A level or a draft, with its start and end."""

    @property
    def start(self) -> Point | None: ...
    @property
    def end(self) -> Point | None: ...


class PuzzleSpot(NamedTuple):
    """A cell at which something happens."""

    x: int
    y: int
    to: int = -1
    """The only direction in which it can be passed; -1 for any."""
    takes: tuple[tuple[str, str], ...] = ()
    """The kinds and names of the keys and switches on it."""
    locks: tuple[str, ...] = ()
    """The names of its locks."""


class Puzzle(NamedTuple):
    """The input of the kernel, which documents the arrays. Spot 0 is the start."""

    plain: Mask
    """Walkable cells at which nothing happens."""
    spots: tuple[PuzzleSpot, ...]
    begin: int
    """The bits of the first state."""
    takes: NDArray[np.int64]
    first: NDArray[np.int32]
    locks: NDArray[np.int64]
    start: Point
    end: Point | None
    past: int = 0
    """The spot that stands for having left an end that is a one-way door, which may be impossible to enter again; 0 if
    the end is not such a door.
    """

    @property
    def has_one_way_doors(self) -> bool:
        """Whether there are one-way doors."""
        return any(spot.to >= 0 for spot in self.spots)

    def enter(self, spot: int, bits: int, *, spends: bool) -> int:
        """The bits after stepping on a spot, or -1 if it is locked. This is the kernel's rule, for single calls."""
        for kept, own, keys, used in self.locks[self.first[spot] : self.first[spot + 1]].tolist():
            if bits & (kept | own):
                continue
            if not spends or (bits & keys).bit_count() <= (bits & used).bit_count():
                return -1
            bits |= own
        return bits | int(self.takes[spot])


class PuzzleDistances(Protocol):
    """The distances between the spots of a puzzle, from wherever they come."""

    @property
    def puzzle(self) -> Puzzle: ...
    @property
    def steps(self) -> NDArray[np.int32]: ...
    @property
    def to_end(self) -> NDArray[np.int32]: ...


class _LockName:
    """The locks, keys and switches of one name."""

    def __init__(self) -> None:
        self.locked: list[Point] = []
        self.kept: list[Point] = []
        self.breaking: list[Point] = []
        self.bit = 0
        """The bit of what opens all of them for good."""
        self.lock_bits: list[int] = []
        self.key_bits: list[int] = []

    def assign_bits(self, bit: int) -> int:
        """Assign bits from `bit` on; return the next free one. A single lock needs no bit of its own, whether or not
        its key breaks.
        """
        if len(self.locked) == 1:
            self.kept += self.breaking
            self.breaking = []
        if self.kept:
            self.bit, bit = 1 << bit, bit + 1
        if self.breaking:
            self.key_bits = [1 << bit + number for number in range(len(self.breaking))]
            bit += len(self.breaking)
            self.lock_bits = [1 << bit + number for number in range(len(self.locked))]
            bit += len(self.locked)
        return bit


def read_puzzle(level: Playable, *, keys: Keys | None = None, secrets: bool = True) -> Puzzle | None:
    """The puzzle of a level; None if it has no start. `keys` overrides whether keys are kept or consumed; without
    `secrets`, secret doors are walls.
    """
    if not all(hasattr(level, part) for part in ("tiles", "palette", "things", "start", "end")):
        require_level("level", level)
    if keys is not None:
        require_name("way of keys", keys, get_args(Keys))
    if level.start is None:
        return None
    is_open = open_cells(level, secrets=secrets)
    names, shut = _collect_lock_names(level, is_open, keys)
    is_open &= ~shut
    sides = _one_way_sides(level, is_open)
    takes: dict[Point, int] = {}
    rows: dict[Point, list[tuple[int, int, int, int]]] = {}
    spots: dict[Point, PuzzleSpot] = {cell: PuzzleSpot(*cell, side) for cell, side in sides.items()}
    bit = 0
    for name in sorted(names):
        found = names[name]
        bit = found.assign_bits(bit)
        for cell, own in zip(found.locked, found.lock_bits or [0] * len(found.locked), strict=True):
            if not is_open[cell[1], cell[0]]:
                continue
            rows.setdefault(cell, []).append((found.bit, own, sum(found.key_bits), sum(found.lock_bits)))
            spot = spots.get(cell, PuzzleSpot(*cell))
            spots[cell] = spot._replace(locks=(*spot.locks, name))
        for cell, own in (
            *((cell, found.bit) for cell in found.kept),
            *zip(found.breaking, found.key_bits, strict=True),
        ):
            if is_open[cell[1], cell[0]]:
                takes[cell] = takes.get(cell, 0) | own
    for thing in level.things:
        cell = thing.x, thing.y
        if cell in takes and thing.kind in (KEY, SWITCH) and _opened_name(thing) in names:
            spot = spots.get(cell, PuzzleSpot(*cell))
            spots[cell] = spot._replace(takes=(*spot.takes, (thing.kind, _opened_name(thing))))
    order = sorted(spots, key=lambda cell: (cell[1], cell[0]))
    if len(order) > limits.SOLVER_SPOTS.value or bit + len(order).bit_length() > 60:
        raise OutOfBudget(
            f"gave up at {len(order):,} cells with locks, keys and one-way doors", fix=limits.SOLVER_SPOTS.raise_by
        )
    plain = is_open.copy()
    for x, y in order:
        plain[y, x] = False
    flat = [row for cell in order for row in rows.get(cell, ())]
    past = [] if level.end is None or level.end not in sides else [PuzzleSpot(*level.end, sides[level.end])]
    counts = [0, 0, *(len(rows.get(cell, ())) for cell in order), *(0 for _ in past)]
    return Puzzle(
        plain,
        (spots.get(level.start, PuzzleSpot(*level.start))._replace(locks=()), *(spots[cell] for cell in order), *past),
        takes.get(level.start, 0),
        np.array([0, *(takes.get(cell, 0) for cell in order), *(0 for _ in past)], np.int64),
        np.cumsum(counts, dtype=np.int32),
        np.array(flat, np.int64).reshape(-1, 4),
        level.start,
        level.end,
        len(order) + 1 if past else 0,
    )


def _collect_lock_names(level: Playable, is_open: Mask, keys: Keys | None) -> tuple[dict[str, _LockName], Mask]:
    """The names of locks that something opens, and the cells with locks that nothing opens. The start is never
    locked.
    """
    locked = look_up_tiles(level.palette.role_mask("locked"), level.tiles).copy()
    names: dict[str, _LockName] = {}
    for thing in level.things:
        if thing.kind == LOCK:
            locked[thing.y, thing.x] = False
            found = names.setdefault(lock_name(thing), _LockName())
            if is_open[thing.y, thing.x] and (thing.x, thing.y) not in (level.start, *found.locked):
                found.locked.append((thing.x, thing.y))
    assert level.start is not None
    locked[level.start[1], level.start[0]] = False
    locked &= is_open
    for thing in level.things:
        cell, name = (thing.x, thing.y), _opened_name(thing)
        if (
            thing.kind not in (KEY, SWITCH)
            or not is_open[thing.y, thing.x]
            or (name not in names and not (name == "" and locked.any()))
        ):
            continue
        found = names.setdefault(name, _LockName())
        breaks = thing.kind == KEY and (thing.data.get("consumed") is True if keys is None else keys == "consumed")
        (found.breaking if breaks else found.kept).append(cell)
    if "" in names and (names[""].kept or names[""].breaking):
        count = int(np.count_nonzero(locked))
        if count > limits.SOLVER_SPOTS.value:
            raise OutOfBudget(f"gave up at {count:,} locked doors", fix=limits.SOLVER_SPOTS.raise_by)
        names[""].locked += [(int(x), int(y)) for y, x in np.argwhere(locked)]
        locked[:] = False
    for found in names.values():
        if not found.kept and not found.breaking:
            for x, y in found.locked:
                locked[y, x] = True
    return {name: found for name, found in names.items() if found.locked and (found.kept or found.breaking)}, locked


def _opened_name(thing: Thing) -> str:
    return str(thing.data.get("opens", ""))


def _one_way_sides(level: Playable, is_open: Mask) -> dict[Point, int]:
    """The cells with a one-way door, and its direction. A cell with two different directions cannot be passed."""
    found: dict[Point, int] = {}
    for thing in level.things:
        if thing.kind != ONE_WAY or not is_open[thing.y, thing.x]:
            continue
        side = side_of(thing)
        if found.setdefault((thing.x, thing.y), side) != side:
            is_open[thing.y, thing.x] = False
            del found[thing.x, thing.y]
    return found
