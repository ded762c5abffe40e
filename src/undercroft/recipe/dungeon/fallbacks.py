"""The second round of stairs: what gives way, one after the other, where a link found no cell on its own sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.errors import NotMet
from undercroft.recipe.dungeon.ground import (
    DIRECTIONS,
    UNREACHED,
    Ground,
    Mask,
    Point,
    Steps,
    count_neighbours,
    inner_cells,
    near_cells,
)
from undercroft.recipe.dungeon.meeting import APART_CELLS, Fits, Meeting, MeetingPoints, StairsEnd, Where, choose_cell
from undercroft.recipe.dungeon.plan import LinkPlan
from undercroft.steps.neighbourhood import adjacent_cells
from undercroft.wording import plural

T = TypeVar("T", bound=np.generic)
APART_STEPS = 20
"""The steps from stairs that are known already."""


class Fallbacks:
    """Looks for the cells of one link. `known` are the ends of other links on each of its floors."""

    def __init__(self, points: MeetingPoints, link: LinkPlan, known: Mapping[str, Sequence[StairsEnd]]) -> None:
        self.points, self.link, self.known = points, link, known
        self.rules = points.rules
        self.floors = [Diggable(points.ground(floor), known[floor]) for floor in link.pair]

    def find(self) -> Meeting:
        """The cells, with a note of what gave way. Raises `NotMet` if nothing helps."""
        # stairs beside the first ones of two floors need not be far from the others
        where: Where = "anywhere" if self.link.kind == "extra" else "apart"
        meeting = self._find_free(where) or self._find_dug(where) or self._find_dug("anywhere") or self._find_near()
        if meeting is not None:
            return meeting
        upper, lower = self.link.pair
        width, height = self.points.common_size(self.link)
        shared = self.floors[0].ground.part[:height, :width] & self.floors[1].ground.part[:height, :width]
        dug = f", even with {plural(self.rules.dig, 'cell')} dug" if self.rules.dig else ""
        if not shared.any() and not self.rules.dig:
            raise NotMet(
                f"floors {upper} and {lower} share no cell",
                fix="give both one size",
                rejected={f"floors {upper} and {lower} share no cell": 1},
            )
        raise NotMet(
            f"no place for stairs between {upper} and {lower}{dug}",
            fix="raise 'dig' in [stairs], allow 'near', or ask for another size",
            rejected={f"no place for stairs between {upper} and {lower}": 1},
        )

    def _fits(self, floor: int, where: Where) -> Fits:
        """The cells of a floor that are far from the stairs that are known, whatever side they are on."""
        sides, diggable = self.points.sides(self.link.pair[floor]), self.floors[floor]
        fits = sides.fits(self.link, where, keep_off=diggable.near_known)
        far = sides.ground.at_mouth(diggable.known_steps >= APART_STEPS)
        return Fits(fits.alcoves & far, lambda: fits.floor & far, fits.apart, fits.scores)

    def _find_free(self, where: Where) -> Meeting | None:
        note = f"stairs between {self.link.upper} and {self.link.lower} lie on no side of their own"
        return self.points.choose(self.link, self._fits(0, where), self._fits(1, where), note)

    def _find_dug(self, where: Where) -> Meeting | None:
        """Dig a corridor to an alcove, on either floor or on both; the least digging first."""
        if not self.rules.dig:
            return None
        width, height = self.points.common_size(self.link)
        both = [self._fits(index, where) for index in (0, 1)]
        grids = []
        for fits, diggable in zip(both, self.floors, strict=True):
            costs = diggable.costs(self.rules.dig)
            costs[fits.alcoves | fits.floor] = 0
            grids.append(costs[:height, :width])
        total = grids[0] + grids[1]
        order = np.argsort(total, axis=None, kind="stable")
        ranked = [int(at) for at in order[: np.count_nonzero(total < UNREACHED)]]
        for at in ranked:
            y, x = divmod(at, width)
            ends = [self._dig_end(index, both[index], (x, y)) for index in (0, 1)]
            if ends[0] is not None and ends[1] is not None:
                dug = sum(len(end.dug) for end in ends if end)
                note = f"{plural(dug, 'cell')} of corridor dug for the stairs between {' and '.join(self.link.pair)}"
                return Meeting(ends[0], ends[1], note)
        return None

    def _dig_end(self, index: int, fits: Fits, cell: Point) -> StairsEnd | None:
        """The end at a cell, dug if it has to be; None if that spoils another one."""
        x, y = cell
        diggable = self.floors[index]
        if fits.alcoves[y, x]:
            return StairsEnd(cell, diggable.ground.mouth_of(cell))
        if fits.floor[y, x]:
            return StairsEnd(cell, cell)
        return diggable.dig(cell, self.rules.dig)

    def _find_near(self) -> Meeting | None:
        """Ends that do not lie above each other, as near as they can be."""
        fits = [self._fits(index, "anywhere") for index in (0, 1)]
        masks = [one.alcoves | one.floor for one in fits]
        height, width = (max(mask.shape[side] for mask in masks) for side in (0, 1))
        upper, lower = (_padded(mask, width, height) for mask in masks)
        scores = [_padded(one.scores, width, height) for one in fits]
        for dx, dy in _offsets(self.rules.near):
            shifted = _shifted(lower, dx, dy)
            both = upper & shifted
            if both.any():
                total = scores[0] + _shifted(scores[1], dx, dy)
                x, y = choose_cell(both, total, self.points.rng.stream(f"stairs/{self.link.name}"))
                cells = ((x, y), (x + dx, y + dy))
                ends = [
                    StairsEnd(cell, floor.ground.mouth_of(cell) if one.alcoves[cell[1], cell[0]] else cell)
                    for cell, one, floor in zip(cells, fits, self.floors, strict=True)
                ]
                return Meeting(
                    ends[0],
                    ends[1],
                    f"stairs between {self.link.upper} and {self.link.lower} are {max(abs(dx), abs(dy))} cells apart",
                )
        return None


class Diggable:
    """A floor with the stairs that are known so far, and the rock in which a corridor may be dug."""

    def __init__(self, ground: Ground, known: Sequence[StairsEnd]) -> None:
        self.ground = ground
        taken = np.zeros(ground.part.shape, bool)
        self.open = ground.part.copy()
        for end in known:
            for x, y in (end.cell, end.mouth, *end.dug):
                taken[y, x] = True
            for x, y in end.dug:
                self.open[y, x] = True
        self.near_known: Mask = near_cells(taken, APART_CELLS) if known else taken
        """The cells too near to stairs that are known."""
        mouths = [end.mouth for end in known]
        field = reach.DistanceField(self.open, mouths, ground.run).steps if mouths else None
        self.known_steps: Steps = (
            np.full(ground.part.shape, UNREACHED, np.int32)
            if field is None
            else np.where(field < 0, np.int32(UNREACHED), field)
        )
        """Steps from the nearest of them."""
        doors = ground.doors
        rock = ground.rock & inner_cells(ground.height, ground.width) & ~self.near_known & ~adjacent_cells(doors)
        # a cell between two open ones would be a short cut
        self._rock: Mask = rock & ~self.open & (count_neighbours(self.open) < 2)
        self._ground: Mask = self.open & ~doors
        ys, xs = np.nonzero(self._ground)
        sources = list(zip(xs.tolist(), ys.tolist(), strict=True))
        self._field = reach.DistanceField(self._rock | self._ground, sources, ground.run)

    def costs(self, most: int) -> Steps:
        """For each cell of rock the cells to dig to an alcove there; `UNREACHED` where none can be."""
        steps = self._field.steps
        return np.where(self._rock & (steps >= 2) & (steps <= most + 1), steps - 1, UNREACHED).astype(np.int32)

    def dig(self, cell: Point, most: int) -> StairsEnd | None:
        """An alcove at a cell of rock, with the shortest corridor to it; None if one cannot be."""
        if not self.costs(most)[cell[1], cell[0]] < UNREACHED:
            return None
        way = [(int(x), int(y)) for x, y in self._field.path_to(*cell)]
        mouth, end = way[-2], way[0]
        if self.known_steps[end[1], end[0]] + len(way) - 1 < APART_STEPS:
            return None
        solid = self.ground.rock & ~self.open
        facing = mouth[0] - cell[0], mouth[1] - cell[1]
        for dx, dy in _around():
            x, y = cell[0] + dx, cell[1] + dy
            if dx * facing[0] + dy * facing[1] <= 0 and not solid[y, x]:
                return None
        if any((cell[0] + dx, cell[1] + dy) in way[:-2] for dx, dy in DIRECTIONS):
            return None
        return StairsEnd(cell, mouth, tuple(way[1:-1]))


def _around() -> Iterator[Point]:
    return ((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)


def _offsets(most: int) -> list[Point]:
    """The shifts of up to so many rows and columns, the smallest first."""
    span = range(-most, most + 1)
    found = [(dx, dy) for dy in span for dx in span if dx or dy]
    return sorted(found, key=lambda shift: (max(map(abs, shift)), sum(map(abs, shift)), shift[1], shift[0]))


def _padded(grid: NDArray[T], width: int, height: int) -> NDArray[T]:
    whole = np.zeros((height, width), grid.dtype)
    whole[: grid.shape[0], : grid.shape[1]] = grid
    return whole


def _shifted(grid: NDArray[T], dx: int, dy: int) -> NDArray[T]:
    """For each cell, the value at (x + dx, y + dy); 0 outside."""
    height, width = grid.shape
    found = np.zeros_like(grid)
    ys, xs = slice(max(0, -dy), height - max(0, dy)), slice(max(0, -dx), width - max(0, dx))
    found[ys, xs] = grid[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)]
    return found
