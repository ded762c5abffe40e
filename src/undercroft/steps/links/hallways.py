"""The step that digs hallways for planned links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.region import (
    DOOR_DTYPE,
    DOOR_STATES,
    LINK_DTYPE,
    LINK_KINDS,
    REGION_DTYPE,
    Regions,
    view_doors,
    view_links,
)
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat_buffer, plan, tables
from undercroft.steps import frames
from undercroft.steps.links import kept_ways
from undercroft.steps.links.routes import AGAINST_SOCKETS, NO_ROUTE, dig_routes
from undercroft.steps.rectangles import (
    CELL,
    CORRIDOR,
    boxes_of,
    plan_pairs,
    regions_of,
    rows_as_bytes,
    select_regions,
)
from undercroft.steps.step import Share

_NONE_HUNG = np.zeros((0, 3), np.int32)
_SAME_NAMES = np.zeros(0, np.int32)
"""Stands for a table from old to new labels where all regions keep theirs."""


@dataclass(frozen=True, kw_only=True)
class Hallways:
    """Dig a hallway for every planned link, so that its two regions are connected.

    A hallway goes from the middle of one room to the middle of the other around one corner, on a randomly drawn side.
    It ends where it meets the room. The dug cells become regions of the kind "corridor"; cells that a hallway passes
    are kept, and all other cells are removed.

    >>> from undercroft.core.level import Level
    >>> from undercroft.steps.links.triangulate import Triangulate
    >>> draft = Draft.of(Level.parse('''
    ...     ##################
    ...     #111#####22222####
    ...     #111#####22222####
    ...     #111##############
    ...     ##############333#
    ...     ##############333#
    ...     ##################
    ... '''))
    >>> Triangulate().apply(draft, Rng.root(2), Run())
    >>> Hallways(doors=1.0).apply(draft, Rng.root(2), Run())
    >>> print(draft)
    ##################
    #...+,,,+.....####
    #...#####.....####
    #...#######+######
    ###########,##...#
    ###########,,+...#
    ##################

    With `way="path"` rooms may have any shape. Paths avoid the border and frozen cells if there is another way. The
    layer "sockets" can mark walls of rooms that must stay closed (1), and places in them where a doorway may be (2).

    >>> draft = Draft.of(Level.parse('''
    ...     ##################
    ...     #111####2222222###
    ...     #11#####2#####2###
    ...     #1######2#333#2###
    ...     ########2#####2###
    ...     ##########22222###
    ...     ##################
    ... '''))
    >>> Triangulate().apply(draft, Rng.root(2), Run())
    >>> Hallways(way="path", doors=1.0).apply(draft, Rng.root(2), Run())
    >>> print(draft)
    ##################
    #...+,,+.......###
    #..#####.##+##.###
    #.######.#...#.###
    ########.#####.###
    ##########.....###
    ##################
    """

    way: Literal["corner", "path"] = "corner"
    """corner: from middle to middle around one corner; path: along a cheapest path, which goes around other rooms,
    merges with other hallways, and enters rooms straight, at their sockets.
    """
    straight: bool = True
    """For corner: rooms that face each other get a straight hallway, somewhere in the span they share; False: always
    from middle to middle.
    """
    doors: Share = 0.0
    """The share of doorways with a door. A doorway lies between two walls, where a hallway meets a room; no two doors
    touch.
    """
    cells: Literal["keep", "corridor"] = "keep"
    """What cells that a hallway passes become. keep: floor, and regions of the kind "cell"; corridor: part of the
    corridor.
    """

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles", "regions", "links")
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links")
    spoils: ClassVar[tuple[str, ...]] = ("ends", "path", "locks", "choke", "sockets", "tunnel")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        regions, links = regions_of(draft), draft.links.table
        table, wanted = np.empty(len(links), LINK_DTYPE), np.empty(len(links), np.int32)
        pairs, rows = np.empty((len(links), 2), np.int32), rows_as_bytes(table)
        count = tables.list_planned_links(buffer(rows_as_bytes(links)), buffer(rows), buffer(pairs), buffer(wanted))
        wanted, pairs = wanted[:count], pairs[:count]
        is_cell = np.zeros(len(regions) + 1, bool)
        np.equal(regions.table["kind"], CELL, out=is_cell[1:])
        touched, dug = np.zeros(len(is_cell), np.uint8), np.zeros(draft.tiles.shape, np.uint8)
        has_kept = kept_ways.has_frozen_cells(draft)
        if self.way == "path" or has_kept:  # nothing else goes around what must stay
            closed = kept_ways.find_kept_walls(draft, regions) if has_kept else None
            ends, how = dig_routes(draft, regions, pairs, touched, dug, rng, run, closed=closed)
            left = np.flatnonzero(how == NO_ROUTE)
            ends[left] = self._dig_round_corners(draft, regions, is_cell, pairs[left], touched, dug, rng, run)
            _note_compromises(how, ends, run)
        else:
            ends = self._dig_round_corners(draft, regions, is_cell, pairs, touched, dug, rng, run)
        if has_kept:
            more = kept_ways.dig_from_unused_ways(draft, regions, dug, rng, run)
            wanted = np.append(wanted, np.arange(len(table), len(table) + len(more.pairs), dtype=np.int32))
            ends = np.concatenate([ends, more.ends])
            table = np.concatenate((table, plan_pairs(more.pairs).table))
            rows = rows_as_bytes(table)
        names = _SAME_NAMES
        if np.count_nonzero(is_cell):
            regions, names = self._settle_cells(draft, regions, is_cell, touched.view(bool), dug, run)
        hung = self._hang_doors(draft, regions, dug, rng, run) if self.doors else _NONE_HUNG
        states = np.full(len(hung), DOOR_STATES.index("closed"), np.uint8)
        if has_kept:
            kept, kept_states = kept_ways.list_frozen_doors(draft)
            hung, states = np.concatenate([hung, kept]), np.append(states, kept_states)
            dug |= kept_ways.find_frozen_corridors(draft, regions)
        draft.regions = _with_corridors(regions, dug, run)
        if len(hung) or len(draft.doors):
            draft.doors = view_doors(_door_table(draft, hung, states, draft.doors.table, names))
        joined = tables.carve_links(buffer(rows), buffer(names), buffer(wanted), buffer(ends))
        _write_doors_into_links(table, wanted, ends, hung[:, 0], len(draft.doors) - len(hung))
        draft.links = view_links(table if joined == len(table) else table[(table["a"] > 0) & (table["b"] > 0)])

    def _dig_round_corners(
        self,
        draft: Draft,
        regions: Regions,
        is_cell: NDArray[np.bool_],
        pairs: NDArray[np.int32],
        touched: NDArray[np.uint8],
        dug: NDArray[np.uint8],
        rng: Rng,
        run: Run,
    ) -> NDArray[np.int32]:
        """Dig a hallway for each pair of regions, straight or around one corner. Returns the cells where each leaves
        the two regions: -1 for nowhere, -2 if there is no hallway.
        """
        ends = np.empty((len(pairs), 2), np.int32)
        open_codes, boxes = draft.palette.walkable.view(np.uint8), boxes_of(regions.table)
        places = (
            flat_buffer(draft.tiles),
            buffer(open_codes),
            flat_buffer(regions.labels),
            buffer(boxes),
            buffer(is_cell.view(np.uint8)),
        )
        marks = buffer(pairs), buffer(ends), buffer(touched), flat_buffer(dug)
        tiles = draft.palette.role("floor"), draft.palette.role("corridor")
        state = np.zeros(1, np.int64)
        args = buffer(state), *places, *marks, rng.state, draft.width, self.straight, *tiles
        run.drive(lambda fuel: int(plan.dig_hallways(*args, fuel)))
        return ends

    def _settle_cells(
        self,
        draft: Draft,
        regions: Regions,
        is_cell: NDArray[np.bool_],
        touched: NDArray[np.bool_],
        dug: NDArray[np.uint8],
        run: Run,
    ) -> tuple[Regions, NDArray[np.int32]]:
        """Draw the touched cells and remove the others. Returns the regions and a table from old to new labels."""
        was, digs = frames.copy_tiles_if_watched(run), self.cells == "corridor"
        tile = draft.palette.role("corridor" if digs else "floor")
        grids = flat_buffer(regions.labels), buffer(touched.view(np.uint8)), flat_buffer(draft.tiles)
        plan.paint_regions(*grids, tile, flat_buffer(dug), digs)
        frames.reveal(run, was, regions.labels)
        run.spend(2 * dug.size)
        if digs:
            touched[:] = False
        return select_regions(regions, (touched | ~is_cell)[1:])

    def _hang_doors(
        self, draft: Draft, regions: Regions, dug: NDArray[np.uint8], rng: Rng, run: Run
    ) -> NDArray[np.int32]:
        """Hang doors. Returns rows of a door's cell and the cells on both sides of it."""
        height, width = dug.shape
        is_room = np.append(False, ~np.isin(regions.table["kind"], (CELL, CORRIDOR))).view(np.uint8)
        open_cells = look_up_tiles(draft.palette.walkable, draft.tiles).view(np.uint8)
        grids = flat_buffer(dug), flat_buffer(open_cells), flat_buffer(regions.labels), buffer(is_room)
        rows = reach.collect_rows(3, lambda room: int(plan.find_doorways(*grids, buffer(room), width, height)))
        run.spend(dug.size)
        is_door = draft.palette.role_mask(*DOOR_ROLES).view(np.uint8)
        was = frames.copy_tiles_if_watched(run)
        count = int(
            plan.hang_doors(
                buffer(rows),
                flat_buffer(draft.tiles),
                buffer(is_door),
                rng.state,
                width,
                threshold(self.doors),
                draft.palette.role("door"),
            )
        )
        frames.reveal(run, was)
        hung = rows[:count]
        dug.reshape(-1)[hung[:, 0]] = 0
        return hung


def _note_compromises(how: NDArray[np.uint8], ends: NDArray[np.int32], run: Run) -> None:
    """Note how many hallways are not as requested."""
    dug = how[ends[:, 0] > -2]
    for answer, text in (
        (AGAINST_SOCKETS, "break through walls beside sockets"),
        (NO_ROUTE, "go round a corner through whatever is there"),
    ):
        count = np.count_nonzero(dug == answer)
        if count:
            run.note(f"{count} of {len(how)} hallways {text}: there is no other way")


def _with_corridors(regions: Regions, dug: NDArray[np.uint8], run: Run) -> Regions:
    """The regions, and one more for every connected part of the dug cells."""
    height, width = dug.shape
    cells, labels = int(np.count_nonzero(dug.view(bool))), regions.labels.copy()
    found, stack, state = np.empty((cells, 5), np.int32), np.empty(cells, np.int32), np.zeros(2, np.int64)
    args = (
        buffer(state),
        flat_buffer(dug),
        flat_buffer(labels),
        buffer(stack),
        buffer(found),
        width,
        height,
        len(regions) + 1,
    )
    run.spend(labels.size)
    run.drive(lambda fuel: int(plan.label_corridors(*args, fuel)))
    parts = int(state[1])
    table = np.empty(len(regions) + parts, REGION_DTYPE)
    rows, before = rows_as_bytes(table), rows_as_bytes(regions.table)
    rows[: len(before)] = before
    tables.write_regions(buffer(rows), len(regions), buffer(found[:parts]), CORRIDOR)
    return Regions(labels, table, regions.tags, regions.templates, regions.names)


def _door_table(
    draft: Draft, hung: NDArray[np.int32], states: NDArray[np.uint8], before: NDArray[Any], names: NDArray[np.int32]
) -> NDArray[Any]:
    """The old doors and the hung ones, with the regions on both sides."""
    assert draft.regions is not None
    labels = draft.regions.labels.reshape(-1)
    table = np.zeros(len(before) + len(hung), DOOR_DTYPE)
    table[: len(before)] = before
    for end in ("a", "b"):
        table[end][: len(before)] = names[before[end]] if len(names) else before[end]
    more = table[len(before) :]
    more["y"], more["x"] = np.divmod(hung[:, 0], draft.width)
    more["a"], more["b"] = np.sort(labels[hung[:, 1:]], axis=1).T
    more["state"] = states
    return table


def _write_doors_into_links(
    table: NDArray[Any], wanted: NDArray[np.int32], ends: NDArray[np.int32], hung: NDArray[np.int32], first: int
) -> None:
    """Record in each dug link the door at one of its ends, if there is one."""
    if not len(hung):
        return
    order = np.argsort(hung)
    for column in (1, 0):
        at = np.minimum(np.searchsorted(hung, ends[:, column], sorter=order), len(hung) - 1)
        door = order[at]
        has = hung[door] == ends[:, column]
        table["door"][wanted[has]] = door[has] + first
        table["kind"][wanted[has]] = LINK_KINDS.index("door")
