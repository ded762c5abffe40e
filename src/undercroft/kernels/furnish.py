# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Put things into rooms by rules of place, without blocking a way.

The map lies inside a rim, so that every cell has neighbours; `stride` is its width with the rim. A cell is a sum of
flags:

    OPEN    walkable: ground that is no door and holds nothing that blocks
    WALL    rock, or outside the map
    FREE    a thing may stand here
    KEPT    nothing that blocks may stand here
    GROUND  walkable before anything was placed

A thing that blocks may stand where all open cells beside it are connected along the frame of cells around it: every
path through its cells then has a detour around it. No door is ever beside it. So what was connected stays connected,
and loops stay loops. One open cell beside it then stays free.

Sides and facings are 0 up, 1 right, 2 down, 3 left; the back of a thing is opposite to its facing. The tables, made by
`things/tables.py`:

    types    one row a type: the columns are named below
    entries  type and weight, for each kind of room from its first to its last
    always   types that are placed in every room of a kind, if there is a place
    kinds    first and last entry, first and last of always
    rooms    the columns are named below; its cells are `spots` from first to last
    slots    cell, type (or -1 - group: any of that group), kind of room, label

The result is `rows`: type, x, y, width, height, facing, label, whether it blocks.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.undercroft.kernels.primitives import below, draw
else:
    from undercroft.kernels._primitives import below, draw


OPEN = cython.declare(cython.int, 1)
WALL = cython.declare(cython.int, 2)
FREE = cython.declare(cython.int, 4)
KEEP_CLEAR = cython.declare(cython.int, 8)
GROUND = cython.declare(cython.int, 16)

# columns of `types`
GROUP = cython.declare(cython.int, 0)
PLACE = cython.declare(cython.int, 1)
NEAR_TYPE = cython.declare(cython.int, 2)
WIDTH = cython.declare(cython.int, 3)
DEPTH = cython.declare(cython.int, 4)
BLOCKS = cython.declare(cython.int, 5)
RARITY = cython.declare(cython.int, 6)
MAX_PER_ROOM = cython.declare(cython.int, 7)
MAX_TOTAL = cython.declare(cython.int, 8)
MIN_FROM_START = cython.declare(cython.int, 9)
DANGER = cython.declare(cython.int, 10)

# values of GROUP and PLACE
MONSTER = cython.declare(cython.int, 2)
BY_WALL = cython.declare(cython.int, 0)
IN_CORNER = cython.declare(cython.int, 1)
AT_INNER_CORNER = cython.declare(cython.int, 2)
AT_CENTRE = cython.declare(cython.int, 3)
IN_THE_OPEN = cython.declare(cython.int, 4)
ON_SLOTS = cython.declare(cython.int, 6)

# columns of `rooms`
KIND = cython.declare(cython.int, 0)
FIRST_SPOT = cython.declare(cython.int, 1)
LAST_SPOT = cython.declare(cython.int, 2)
PROPS = cython.declare(cython.int, 3)
POINTS = cython.declare(cython.int, 4)
COVER = cython.declare(cython.int, 5)
LEFT = cython.declare(cython.int, 6)
TOP = cython.declare(cython.int, 7)
BOX_WIDTH = cython.declare(cython.int, 8)
BOX_HEIGHT = cython.declare(cython.int, 9)
LABEL = cython.declare(cython.int, 10)
ROOM_MULTIPLE = cython.declare(cython.int, 11)
"""For how many rooms a very large one counts."""
FIRST_SLOT = cython.declare(cython.int, 12)
LAST_SLOT = cython.declare(cython.int, 13)
"""Its rows of `slots`."""

# `state`
ROOM = cython.declare(cython.int, 0)
PHASE = cython.declare(cython.int, 1)
"""0 enter a room, 1 place what always stands there, 2 props, loot and notes, 3 monsters."""
NEXT_ALWAYS = cython.declare(cython.int, 2)
"""Of `always`."""
PROPS_LEFT = cython.declare(cython.int, 3)
POINTS_LEFT = cython.declare(cython.int, 4)
COVER_LEFT = cython.declare(cython.int, 5)
FIRST_ROW = cython.declare(cython.int, 6)
"""Of this room."""
ROWS = cython.declare(cython.int, 7)

COMMON_SHARE = cython.declare(cython.int, 60)
UNCOMMON_SHARE = cython.declare(cython.int, 30)
RARE_SHARE = cython.declare(cython.int, 10)

MAX_EXHAUSTIVE_POSITIONS = cython.declare(cython.int, 256)
"""If there are at most so many positions, all are tried and one that fits is drawn; else some are drawn and tried
first.
"""
MAX_PROBES = cython.declare(cython.int, 64)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def pick_rarity(
    rng: cython.ulonglong[::1], common: cython.longlong, uncommon: cython.longlong, rare: cython.longlong
) -> cython.int:
    """The rarity of the next one, of those available: 0, 1 or 2; -1 if none is."""
    sum: cython.longlong = (
        (COMMON_SHARE if common else 0) + (UNCOMMON_SHARE if uncommon else 0) + (RARE_SHARE if rare else 0)
    )
    ticket: cython.longlong
    if sum == 0:
        return -1
    ticket = below(rng, sum)
    if common:
        if ticket < COMMON_SHARE:
            return 0
        ticket -= COMMON_SHARE
    return 1 if uncommon and ticket < UNCOMMON_SHARE else 2


def pick_room_kinds(
    found: cython.int[::1],
    fits: cython.const[cython.uchar][:, ::1],
    rarity: cython.const[cython.int][::1],
    most: cython.const[cython.int][::1],
    counts: cython.int[::1],
    rng: cython.ulonglong[::1],
    chance: cython.ulonglong,
    rest: cython.int,
) -> cython.longlong:
    """Draw kinds for rooms: first whether a room has one, then its rarity, of those that fit and are still available,
    then which. Where none fits, it is `rest`.

    Kinds count from 0. A room has -1 if nothing stands there.
    """
    room: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    common: cython.longlong
    uncommon: cython.longlong
    rare: cython.longlong
    drawn: cython.int
    ticket: cython.longlong
    for room in range(found.shape[0]):
        found[room] = -1
        if draw(rng) >= chance:
            continue
        common = uncommon = rare = 0
        for kind in range(rarity.shape[0]):
            if fits[room, kind] and counts[kind] < most[kind]:
                common += rarity[kind] == 0
                uncommon += rarity[kind] == 1
                rare += rarity[kind] == 2
        drawn = pick_rarity(rng, common, uncommon, rare)
        found[room] = rest
        if drawn < 0:
            continue
        ticket = below(rng, common if drawn == 0 else uncommon if drawn == 1 else rare)
        for kind in range(rarity.shape[0]):
            if fits[room, kind] and counts[kind] < most[kind] and rarity[kind] == drawn:
                if ticket == 0:
                    found[room] = kind
                    counts[kind] += 1
                    break
                ticket -= 1
    return found.shape[0] * rarity.shape[0]


@cython.cclass
class Furnisher:
    """The state of furnishing. `fill_slots` puts things on slots first; `run` then does a part at each call."""

    state: cython.longlong[::1]
    cells: cython.uchar[::1]
    steps: cython.const[cython.int][::1]  # from the start
    types: cython.const[cython.int][:, ::1]
    entries: cython.const[cython.int][:, ::1]
    always: cython.const[cython.int][::1]
    kinds: cython.const[cython.int][:, ::1]
    rooms: cython.const[cython.int][:, ::1]
    spots: cython.const[cython.int][::1]
    rows: cython.int[:, ::1]
    counts: cython.int[::1]  # of each type, in this room
    spent: cython.uchar[::1]  # whether a type has no place left in this room
    totals: cython.int[::1]  # of each type, in all rooms
    failed: cython.int[::1]  # in how many rooms a type had no place
    rng: cython.ulonglong[::1]
    scratch: cython.longlong[::1]
    stride: cython.Py_ssize_t
    used: cython.longlong
    found: cython.Py_ssize_t
    facing: cython.int

    def __init__(
        self,
        state,
        cells,
        steps,
        types,
        entries,
        always,
        kinds,
        rooms,
        spots,
        rows,
        counts,
        spent,
        totals,
        failed,
        rng,
        scratch,
        stride,
    ):
        self.state = state
        self.cells = cells
        self.steps = steps
        self.types = types
        self.entries = entries
        self.always = always
        self.kinds = kinds
        self.rooms = rooms
        self.spots = spots
        self.rows = rows
        self.counts = counts
        self.spent = spent
        self.totals = totals
        self.failed = failed
        self.rng = rng
        self.scratch = scratch
        self.stride = stride
        self.used = 0
        self.found = 0
        self.facing = 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def count_beside(
        self, cell: cython.Py_ssize_t, wide: cython.int, high: cython.int, side: cython.int, flag: cython.int
    ) -> cython.int:
        """How many cells along one side of a footprint have a flag."""
        count: cython.int = 0
        k: cython.int
        if side == 0 or side == 2:
            cell = cell - self.stride if side == 0 else cell + high * self.stride
            for k in range(wide):
                count += (self.cells[cell + k] & flag) != 0
        else:
            cell = cell + wide if side == 1 else cell - 1
            for k in range(high):
                count += (self.cells[cell + k * self.stride] & flag) != 0
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def count_open_parts(self, cell: cython.Py_ssize_t, wide: cython.int, high: cython.int) -> cython.int:
        """The number of parts of the open cells beside a footprint that are connected along the frame around it."""
        stride: cython.Py_ssize_t = self.stride
        at: cython.Py_ssize_t = cell - stride - 1  # follow the frame clockwise from its upper left corner
        step: cython.Py_ssize_t = 1
        leg: cython.int
        k: cython.int
        length: cython.int
        parts: cython.int = 0
        inside: cython.bint = False  # a run of open cells
        touches: cython.bint = False  # and it has a cell that is not a corner
        is_first: cython.bint = True  # and it began with the first cell
        first_touches: cython.bint = False
        begins_open: cython.bint = (self.cells[at] & OPEN) != 0
        for leg in range(4):
            step = 1 if leg == 0 else stride if leg == 1 else -1 if leg == 2 else -stride
            length = (wide if leg == 0 or leg == 2 else high) + 1
            for k in range(length):
                if self.cells[at] & OPEN:
                    if not inside:
                        inside = True
                        touches = False
                    if k:
                        touches = True
                else:
                    if inside:
                        if is_first and begins_open:
                            first_touches = touches
                        else:
                            parts += touches
                    inside = False
                    is_first = False
                at += step
        if inside and (is_first or begins_open):  # the last run goes on in the first
            return parts + (touches or first_touches)
        if inside:
            parts += touches
        return parts + first_touches

    @cython.cfunc
    @cython.exceptval(check=False)
    def fits(self, kind: cython.Py_ssize_t, cell: cython.Py_ssize_t, facing: cython.int) -> cython.bint:
        """Whether a thing may stand with its upper left corner on a cell."""
        along: cython.bint = (facing & 1) == 0
        wide: cython.int = self.types[kind, WIDTH if along else DEPTH]
        high: cython.int = self.types[kind, DEPTH if along else WIDTH]
        place: cython.int = self.types[kind, PLACE]
        blocks: cython.bint = self.types[kind, BLOCKS] != 0
        far: cython.int = self.types[kind, MIN_FROM_START]
        at: cython.Py_ssize_t = cell
        x: cython.int
        y: cython.int
        for y in range(high):
            for x in range(wide):
                if (
                    (self.cells[at + x] & FREE) == 0
                    or (blocks and (self.cells[at + x] & KEEP_CLEAR) != 0)
                    or self.steps[at + x] < far
                ):
                    return False
            at += self.stride
        if place == BY_WALL or place == IN_CORNER:
            if self.count_beside(cell, wide, high, (facing + 2) & 3, WALL) < (wide if along else high):
                return False
            if blocks and self.count_beside(cell, wide, high, facing, OPEN) == 0:
                return False
            if place == IN_CORNER:
                x = high if along else wide
                if (
                    self.count_beside(cell, wide, high, (facing + 1) & 3, WALL) < x
                    and self.count_beside(cell, wide, high, (facing + 3) & 3, WALL) < x
                ):
                    return False
        elif place == IN_THE_OPEN:
            for x in range(4):
                if self.count_beside(cell, wide, high, x, WALL):
                    return False
        elif place == AT_INNER_CORNER and not self.is_at_inner_corner(cell, wide, high):
            return False
        return not blocks or self.count_open_parts(cell, wide, high) == 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def is_at_inner_corner(self, cell: cython.Py_ssize_t, wide: cython.int, high: cython.int) -> cython.bint:
        """Whether a corner of rock points at a footprint: a wall at its corner, with ground on both sides of that."""
        k: cython.int
        at: cython.Py_ssize_t
        across: cython.Py_ssize_t
        down: cython.Py_ssize_t
        for k in range(4):
            across = 1 if k & 1 else -1
            down = self.stride if k & 2 else -self.stride
            at = cell + (wide if k & 1 else -1) + (high * self.stride if k & 2 else -self.stride)
            if (
                (self.cells[at] & WALL) != 0
                and (self.cells[at - across] & GROUND) != 0
                and (self.cells[at - down] & GROUND) != 0
            ):
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def occupy(
        self, cell: cython.Py_ssize_t, wide: cython.int, high: cython.int, facing: cython.int, blocks: cython.bint
    ) -> cython.void:
        """Place a thing there. One that blocks reserves an open cell beside it: in front of it if there is one,
        starting at the middle.
        """
        stride: cython.Py_ssize_t = self.stride
        at: cython.Py_ssize_t = cell
        x: cython.int
        y: cython.int
        k: cython.int
        side: cython.int
        length: cython.int
        for y in range(high):
            for x in range(wide):
                self.cells[at + x] = self.cells[at + x] & (255 - FREE - OPEN if blocks else 255 - FREE) | KEEP_CLEAR
            at += stride
        if not blocks:
            return
        for k in range(4):
            side = (facing + k) & 3
            length = wide if side == 0 or side == 2 else high
            for x in range(length):
                # the middle, one before it, one after it ...
                y = length // 2 + (x + 1) // 2 * (1 if x & 1 == 0 else -1)
                if side == 0:
                    at = cell - stride + y
                elif side == 2:
                    at = cell + high * stride + y
                else:
                    at = cell + y * stride + (wide if side == 1 else -1)
                if self.cells[at] & OPEN:
                    self.cells[at] = self.cells[at] | KEEP_CLEAR
                    return

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_at_spot(self, kind: cython.Py_ssize_t) -> cython.void:
        """Put a thing at the place found for it."""
        along: cython.bint = (self.facing & 1) == 0
        wide: cython.int = self.types[kind, WIDTH if along else DEPTH]
        high: cython.int = self.types[kind, DEPTH if along else WIDTH]
        row: cython.Py_ssize_t = self.state[ROWS]
        self.occupy(self.found, wide, high, self.facing, self.types[kind, BLOCKS] != 0)
        self.rows[row, 0] = kind
        self.rows[row, 1] = self.found % self.stride - 1
        self.rows[row, 2] = self.found // self.stride - 1
        self.rows[row, 3] = wide
        self.rows[row, 4] = high
        self.rows[row, 5] = self.facing
        self.rows[row, 6] = self.rooms[self.state[ROOM], LABEL]
        self.rows[row, 7] = self.types[kind, BLOCKS]
        self.state[ROWS] += 1
        self.state[COVER_LEFT] -= wide * high
        self.counts[kind] += 1
        self.totals[kind] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_spot(self, kind: cython.Py_ssize_t) -> cython.bint:
        """Find a place in the room: one of all that fit, each equally likely; in a large room a random one, else the
        next one that fits.
        """
        room: cython.Py_ssize_t = self.state[ROOM]
        first: cython.Py_ssize_t = self.rooms[room, FIRST_SPOT]
        number: cython.Py_ssize_t = self.rooms[room, LAST_SPOT] - first
        place: cython.int = self.types[kind, PLACE]
        turns: cython.int = (
            4 if place == BY_WALL or place == IN_CORNER or self.types[kind, WIDTH] != self.types[kind, DEPTH] else 1
        )
        facing: cython.int = below(self.rng, 4)
        count: cython.Py_ssize_t = 0
        offset: cython.Py_ssize_t
        k: cython.Py_ssize_t
        turn: cython.int
        if number == 0 or place == ON_SLOTS:
            return False
        if place == AT_CENTRE:
            return self.find_centre_spot(kind, facing, turns)
        if number * turns <= MAX_EXHAUSTIVE_POSITIONS:
            self.used += number
            for k in range(number):
                for turn in range(turns):
                    if self.fits(kind, self.spots[first + k], (facing + turn) & 3):
                        self.scratch[count] = self.spots[first + k] * 4 + ((facing + turn) & 3)
                        count += 1
            return self.pick_spot(count)
        for k in range(MAX_PROBES):
            self.used += 1
            self.found = self.spots[first + cython.cast(cython.Py_ssize_t, below(self.rng, number))]
            self.facing = (facing + cython.cast(cython.int, below(self.rng, turns))) & 3
            if self.fits(kind, self.found, self.facing):
                return True
        offset = below(self.rng, number)
        for k in range(number):
            self.used += 1
            self.found = self.spots[first + (k + offset) % number]
            for turn in range(turns):
                self.facing = (facing + turn) & 3
                if self.fits(kind, self.found, self.facing):
                    return True
        return False

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def pick_spot(self, count: cython.Py_ssize_t) -> cython.bint:
        """One of the listed places."""
        chosen: cython.longlong
        if count == 0:
            return False
        chosen = self.scratch[below(self.rng, count)]
        self.found = chosen >> 2
        self.facing = chosen & 3
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_centre_spot(self, kind: cython.Py_ssize_t, facing: cython.int, turns: cython.int) -> cython.bint:
        """Find the place nearest to the middle of the room, no further from it than a quarter of its sides."""
        room: cython.Py_ssize_t = self.state[ROOM]
        k: cython.Py_ssize_t
        turn: cython.int
        cell: cython.Py_ssize_t
        best: cython.longlong = -1
        count: cython.Py_ssize_t = 0
        away: cython.longlong
        across: cython.longlong
        down: cython.longlong
        along: cython.bint
        most_across: cython.longlong = self.rooms[room, BOX_WIDTH] // 2
        most_down: cython.longlong = self.rooms[room, BOX_HEIGHT] // 2
        if most_across < 1:
            most_across = 1
        if most_down < 1:
            most_down = 1
        self.used += self.rooms[room, LAST_SPOT] - self.rooms[room, FIRST_SPOT]
        for k in range(self.rooms[room, FIRST_SPOT], self.rooms[room, LAST_SPOT]):
            cell = self.spots[k]
            for turn in range(turns):
                along = ((facing + turn) & 1) == 0
                across = (
                    2 * (cell % self.stride - self.rooms[room, LEFT])
                    + self.types[kind, WIDTH if along else DEPTH]
                    - self.rooms[room, BOX_WIDTH]
                )
                down = (
                    2 * (cell // self.stride - self.rooms[room, TOP])
                    + self.types[kind, DEPTH if along else WIDTH]
                    - self.rooms[room, BOX_HEIGHT]
                )
                away = across * across + down * down
                if (
                    across > most_across
                    or -across > most_across
                    or down > most_down
                    or -down > most_down
                    or (best >= 0 and away > best)
                ):
                    continue
                if self.fits(kind, cell, (facing + turn) & 3):
                    if away != best:
                        best = away
                        count = 0
                    self.scratch[count] = cell * 4 + ((facing + turn) & 3)
                    count += 1
        return self.pick_spot(count)

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_spot_near(self, kind: cython.Py_ssize_t) -> cython.bint:
        """Find a place in this room beside a thing of the type that this one must be near. It faces that thing, unless
        its rule of place sets its facing.
        """
        near: cython.int = self.types[kind, NEAR_TYPE]
        stands: cython.bint = self.types[kind, PLACE] <= AT_INNER_CORNER
        room: cython.Py_ssize_t = self.state[ROOM]
        slots: cython.Py_ssize_t = self.rooms[room, LAST_SLOT] - self.rooms[room, FIRST_SLOT]
        number: cython.Py_ssize_t = slots + self.state[ROWS] - self.state[FIRST_ROW]
        offset: cython.Py_ssize_t
        k: cython.Py_ssize_t
        row: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        side: cython.int
        facing: cython.int
        wide: cython.int
        high: cython.int
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        slid: cython.int
        if number == 0:
            return False
        offset = below(self.rng, number)
        for k in range(number):
            row = (k + offset) % number
            row = self.rooms[room, FIRST_SLOT] + row if row < slots else self.state[FIRST_ROW] + row - slots
            self.used += 1
            if self.rows[row, 0] != near:
                continue
            for side in range(4):
                for facing in range(4):
                    if not stands and facing != (side + 2) & 3:
                        continue
                    wide = self.types[kind, DEPTH if facing & 1 else WIDTH]
                    high = self.types[kind, WIDTH if facing & 1 else DEPTH]
                    for slid in range(
                        wide + self.rows[row, 3] - 1 if side == 0 or side == 2 else high + self.rows[row, 4] - 1
                    ):
                        x = self.rows[row, 1] + 1
                        y = self.rows[row, 2] + 1
                        if side == 0 or side == 2:
                            x += slid - wide + 1
                            y += self.rows[row, 4] if side == 2 else -high
                        else:
                            x += self.rows[row, 3] if side == 1 else -wide
                            y += slid - high + 1
                        if x >= 1 and y >= 1 and self.fits(kind, y * self.stride + x, facing):
                            self.scratch[count] = (y * self.stride + x) * 4 + facing
                            count += 1
            if count:
                return self.pick_spot(count)
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def may_add(self, kind: cython.Py_ssize_t) -> cython.bint:
        """Whether one more of a type may stand in this room."""
        most: cython.longlong = self.types[kind, MAX_PER_ROOM]
        if self.state[PHASE]:
            most *= self.rooms[self.state[ROOM], ROOM_MULTIPLE]
        return not self.spent[kind] and self.counts[kind] < most and self.totals[kind] < self.types[kind, MAX_TOTAL]

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_thing(self, kind: cython.Py_ssize_t) -> cython.int:
        """Put a thing somewhere in the room. If it must be near another type and there is none, place that one first.
        Returns how many things were placed.
        """
        made: cython.int = 0
        near: cython.int = self.types[kind, NEAR_TYPE]
        if not self.may_add(kind):
            return 0
        if near < 0:
            if self.find_spot(kind):
                self.place_at_spot(kind)
                return 1
        elif self.find_spot_near(kind):
            self.place_at_spot(kind)
            return 1
        else:
            made = self.place_thing(near)
            if made and self.find_spot_near(kind):
                self.place_at_spot(kind)
                return made + 1
        self.spent[kind] = 1
        self.failed[kind] += 1
        return made

    @cython.cfunc
    @cython.exceptval(check=False)
    def may_pick(self, kind: cython.Py_ssize_t, groups: cython.int, on_slot: cython.bint) -> cython.bint:
        """Whether a type may be drawn now; `groups` has a bit for each group that may be drawn."""
        if (groups >> self.types[kind, GROUP]) & 1 == 0 or not self.may_add(kind):
            return False
        if on_slot:
            return True
        if (
            self.types[kind, PLACE] == ON_SLOTS
            or self.types[kind, WIDTH] * self.types[kind, DEPTH] > self.state[COVER_LEFT]
        ):
            return False
        return self.types[kind, GROUP] != MONSTER or self.types[kind, DANGER] <= self.state[POINTS_LEFT]

    @cython.cfunc
    @cython.exceptval(check=False)
    def pick_type(self, room_kind: cython.int, groups: cython.int, on_slot: cython.bint) -> cython.int:
        """A type of a kind of room: first its rarity, of those available, then one by its weight; -1 if none is
        available.
        """
        first: cython.Py_ssize_t = self.kinds[room_kind, 0]
        last: cython.Py_ssize_t = self.kinds[room_kind, 1]
        common: cython.longlong = 0
        uncommon: cython.longlong = 0
        rare: cython.longlong = 0
        k: cython.Py_ssize_t
        rarity: cython.int
        ticket: cython.longlong
        for k in range(first, last):
            if self.may_pick(self.entries[k, 0], groups, on_slot):
                rarity = self.types[self.entries[k, 0], RARITY]
                if rarity == 0:
                    common += self.entries[k, 1]
                elif rarity == 1:
                    uncommon += self.entries[k, 1]
                else:
                    rare += self.entries[k, 1]
        rarity = pick_rarity(self.rng, common, uncommon, rare)
        if rarity < 0:
            return -1
        ticket = below(self.rng, common if rarity == 0 else uncommon if rarity == 1 else rare)
        for k in range(first, last):
            if self.types[self.entries[k, 0], RARITY] == rarity and self.may_pick(self.entries[k, 0], groups, on_slot):
                ticket -= self.entries[k, 1]
                if ticket < 0:
                    return self.entries[k, 0]
        return -1

    def fill_slots(self, slots: cython.const[cython.int][:, ::1]) -> cython.longlong:
        """Choose for each slot a thing, its facing and whether it blocks; it blocks only where that blocks no way. One
        row for each slot.
        """
        k: cython.Py_ssize_t
        cell: cython.Py_ssize_t
        kind: cython.int
        facing: cython.int
        score: cython.int
        best: cython.int
        blocks: cython.bint
        for k in range(slots.shape[0]):
            cell = slots[k, 0]
            kind = slots[k, 1]
            if kind < 0:
                kind = self.pick_type(slots[k, 2], 1 << (-1 - slots[k, 1]), True)
                if kind < 0:
                    kind = self.pick_type(0, 1 << (-1 - slots[k, 1]), True)
            self.facing = 2
            best = 0
            for facing in range(4):  # with its back to a wall and something in front of it, if possible
                score = 2 * self.count_beside(cell, 1, 1, facing, OPEN) + self.count_beside(
                    cell, 1, 1, (facing + 2) & 3, WALL
                )
                if score > best:
                    best = score
                    self.facing = facing
            blocks = (
                kind >= 0
                and self.types[kind, BLOCKS] != 0
                and (self.cells[cell] & (FREE | KEEP_CLEAR)) == FREE
                and self.count_open_parts(cell, 1, 1) == 1
            )
            self.occupy(cell, 1, 1, self.facing, blocks)
            self.rows[k, 0] = kind
            self.rows[k, 1] = cell % self.stride - 1
            self.rows[k, 2] = cell // self.stride - 1
            self.rows[k, 3] = 1
            self.rows[k, 4] = 1
            self.rows[k, 5] = self.facing
            self.rows[k, 6] = slots[k, 3]
            self.rows[k, 7] = blocks
            if kind >= 0:
                self.totals[kind] += 1
        self.state[ROWS] = slots.shape[0]
        return slots.shape[0]

    @cython.cfunc
    @cython.exceptval(check=False)
    def enter_room(self) -> cython.void:
        """Start with a room."""
        room: cython.Py_ssize_t = self.state[ROOM]
        k: cython.Py_ssize_t
        for k in range(self.counts.shape[0]):
            self.counts[k] = 0
            self.spent[k] = 0
        for k in range(self.rooms[room, FIRST_SLOT], self.rooms[room, LAST_SLOT]):
            if self.rows[k, 0] >= 0:
                self.counts[self.rows[k, 0]] += 1
        self.state[PHASE] = 1
        self.state[NEXT_ALWAYS] = self.kinds[self.rooms[room, KIND], 2]
        self.state[PROPS_LEFT] = self.rooms[room, PROPS]
        self.state[POINTS_LEFT] = self.rooms[room, POINTS]
        self.state[COVER_LEFT] = self.rooms[room, COVER]
        self.state[FIRST_ROW] = self.state[ROWS]

    @cython.cfunc
    @cython.exceptval(check=False)
    def place_next(self, kind: cython.int) -> cython.void:
        """Place one more thing in the room, or go to the next phase."""
        chosen: cython.int
        if self.state[PHASE] == 1:
            if self.state[NEXT_ALWAYS] == self.kinds[kind, 3]:
                self.state[PHASE] = 2
                return
            chosen = self.always[self.state[NEXT_ALWAYS]]
            if self.counts[chosen] == 0:
                self.state[PROPS_LEFT] -= self.place_thing(chosen)
            self.state[NEXT_ALWAYS] += 1
        elif self.state[PHASE] == 2:
            chosen = self.pick_type(kind, 15 - (1 << MONSTER), False) if self.state[PROPS_LEFT] > 0 else -1
            if chosen >= 0:
                self.state[PROPS_LEFT] -= self.place_thing(chosen)
                return
            self.state[PHASE] = 3
            self.state[COVER_LEFT] = self.rooms[self.state[ROOM], COVER]
        else:
            chosen = self.pick_type(kind, 1 << MONSTER, False) if self.state[POINTS_LEFT] > 0 else -1
            if chosen >= 0:
                self.state[POINTS_LEFT] += self.types[chosen, DANGER] * self.counts[chosen]
                self.place_thing(chosen)
                self.state[POINTS_LEFT] -= self.types[chosen, DANGER] * self.counts[chosen]
                return
            self.state[PHASE] = 0
            self.state[ROOM] += 1

    def run(self, fuel: cython.longlong) -> cython.longlong:
        """Furnish rooms until there are no more, or the fuel is used up. Returns what was used."""
        self.used = 0
        while self.state[ROOM] < self.rooms.shape[0] and self.used < fuel:
            self.used += 1
            if self.state[PHASE] == 0:
                self.enter_room()
            else:
                self.place_next(self.rooms[self.state[ROOM], KIND])
        return self.used
