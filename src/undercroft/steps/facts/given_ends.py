"""A start or an end that was asked for: the cell itself, the nearest one, or a corridor dug to it."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.passable import open_cells
from undercroft.core.run import Run
from undercroft.core.stairs import STAIRS
from undercroft.errors import NotMet
from undercroft.inputs.points import as_point, check_point
from undercroft.steps.neighbourhood import adjacent_cells, clear_border

Point = tuple[int, int]
Cell = tuple[Annotated[int, Meta(ge=0, le=1_000_000)], ...]
"""A cell [x, y], or nothing: one that the step chooses."""
Reach = Literal["exact", "near", "dig"]
"""What to do if a given cell cannot be walked on."""


class GivenEnds(NamedTuple):
    """The ends that a step is given; empty for one that it chooses."""

    start: Cell
    end: Cell
    reach: Reach

    def check_points(self) -> None:
        """Raise if one is no point."""
        for name, cell in (("start", self.start), ("end", self.end)):
            if cell:
                as_point(cell, name)

    def check(self, width: int, height: int) -> None:
        """Raise if one is outside a level of that size."""
        for name, cell in (("start", self.start), ("end", self.end)):
            if cell:
                check_point(cell, width, height, f"the {name}")

    def __bool__(self) -> bool:
        return bool(self.start or self.end)

    def resolve(self, draft: Draft, run: Run) -> tuple[Point | None, Point | None]:
        """The cells to walk on that start and end become; None for one that is not given. With "dig", corridors are dug
        to them now.

        Raises `NotMet` if that is impossible on this map.
        """
        self.check(draft.width, draft.height)
        start, end = (
            _resolve_end(name, (cell[0], cell[1]), self.reach, draft, run) if cell else None
            for name, cell in (("start", self.start), ("end", self.end))
        )
        return start, end


def place_given_ends(given: GivenEnds, draft: Draft, run: Run) -> None:
    """Set start, end and path: the given ends, and for one that is not given the cell that is farthest from the other
    and has no thing, the first one in reading order.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse("#......#"))
    >>> place_given_ends(GivenEnds((3, 0), (), "exact"), draft, Run())
    >>> draft.start, draft.end, len(draft.path)
    ((3, 0), (6, 0), 4)
    """
    start, end = given.resolve(draft, run)
    first, other = (start, end) if start else (end, None)
    assert first is not None
    field = reach.DistanceField(open_cells(draft), [first], run)
    path = field.path_to(*(other or find_farthest_free(field, draft)))
    if not len(path):
        raise build_no_way_error(start, end)
    set_ends(draft, path if start else path[::-1])


def set_ends(draft: Draft, path: NDArray[np.int32]) -> None:
    """Set the path, and its first and last cells as start and end."""
    draft.forget(("ends", "path"))
    draft.path = np.ascontiguousarray(path)
    draft.start, draft.end = (int(path[0, 0]), int(path[0, 1])), (int(path[-1, 0]), int(path[-1, 1]))


def build_no_way_error(start: Point | None, end: Point | None) -> NotMet:
    """The error if two given ends lie in parts of the map that nothing joins."""
    return NotMet(
        f"no way leads from the start {start} to the end {end}",
        fix="leave one of them out, join the parts of the map with the step 'join', or try other seeds",
        rejected={f"no way leads from the start {start} to the end {end}": 1},
    )


def find_farthest_free(field: reach.DistanceField, draft: Draft) -> Point:
    """The farthest reachable cell without a thing other than stairs; if all have things, the farthest one."""
    steps = field.steps
    free = steps.copy()
    for x, y in list_places_of_things(draft):
        free[y, x] = -1
    if free.max() < 0:
        free = steps
    y, x = divmod(int(free.argmax()), draft.width)
    return x, y


def list_places_of_things(draft: Draft) -> set[Point]:
    """The cells with things other than stairs: an end that the step chooses avoids them."""
    return {(thing.x, thing.y) for thing in draft.things if thing.kind != STAIRS}


def _resolve_end(name: str, point: Point, how: Reach, draft: Draft, run: Run) -> Point:
    """The cell to walk on that an end becomes."""
    x, y = point
    cells = open_cells(draft)
    if cells[y, x]:
        return point
    near = _find_nearest(cells, point)
    if near is None:
        raise _build_error(f"the {name} {point} leads nowhere, since no cell can be walked on", "")
    if how == "near":
        run.note(f"the {name} is at {near}, the nearest cell to {point} that can be walked on")
        return near
    tile = draft.palette.tiles[int(draft.tiles[y, x])].name
    blocked = next((thing.kind for thing in draft.things if (thing.x, thing.y) == point), "")
    what = f"the {name} {point} is {f'the place of a thing: {blocked}' if blocked else tile}"
    if how == "exact":
        raise _build_error(
            f"{what}, which nobody can walk on",
            f'give another cell, for example {near}; or reach = "near" for the nearest cell, reach = "dig" for a '
            "corridor to this one (--reach on the command line)",
        )
    return _dig(name, point, what, cells, draft, run)


def _dig(name: str, point: Point, what: str, cells: NDArray[np.bool_], draft: Draft, run: Run) -> Point:
    """Dig the shortest corridor through rock from a cell to the nearest ground. It passes no door."""
    from undercroft.analysis.update_facts import KnownFacts, update_facts  # only needed to dig

    doors = look_up_tiles(draft.palette.role_mask(*DOOR_ROLES), draft.tiles)
    rock = clear_border(look_up_tiles(draft.palette.rock, draft.tiles).copy())
    if draft.frozen is not None:
        rock &= ~draft.frozen
    for thing in draft.things:
        rock[thing.y, thing.x] = False
    x, y = point
    if not rock[y, x]:
        raise _build_error(
            f"{what}, where no corridor can be dug",
            'give a cell of rock inside the border that is not frozen, or reach = "near"',
        )
    ground = cells & ~doors
    beside_door = adjacent_cells(doors)
    beside_door[y, x] = False
    field = reach.DistanceField(rock & ~beside_door | ground, [point], run)
    steps = np.where(ground & (field.steps >= 0), field.steps, draft.tiles.size)
    nearest = int(steps.argmin())
    if steps.flat[nearest] == draft.tiles.size:
        raise _build_error(f"{what}, and no corridor through rock leads there", 'give another cell, or reach = "near"')
    to_y, to_x = divmod(nearest, draft.width)
    dug = field.path_to(to_x, to_y)[:-1]
    before = KnownFacts.of(draft)
    draft.tiles[dug[:, 1], dug[:, 0]] = draft.palette.role("corridor" if "corridor" in draft.palette.roles else "floor")
    update_facts(draft, before, run)
    run.note(f"a corridor of {len(dug)} cells was dug to the {name} {point}")
    return point


def _find_nearest(cells: NDArray[np.bool_], point: Point) -> Point | None:
    """The cell that is the fewest rows and columns away, the first in reading order; None if there is none."""
    ys, xs = np.nonzero(cells)
    if not len(xs):
        return None
    at = int((np.abs(xs - point[0]) + np.abs(ys - point[1])).argmin())
    return int(xs[at]), int(ys[at])


def _build_error(problem: str, fix: str) -> NotMet:
    return NotMet(problem, fix=fix, rejected={problem: 1})
