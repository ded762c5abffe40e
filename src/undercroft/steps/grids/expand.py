"""The step that turns a grid of rooms into tiles."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.room_grids import plan_room_grid
from undercroft.core.draft import Draft
from undercroft.core.level import Point, check_level_size
from undercroft.core.palette import DOOR_ROLES, STANDARD, look_up_tiles
from undercroft.core.region import DOOR_DTYPE, DOOR_STATES, Door, Link, Regions, Rows, view_doors, view_links
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import buffer, flat_buffer, grids
from undercroft.steps import frames
from undercroft.steps.end_stairs import write_end_stairs
from undercroft.steps.grids import room_shape
from undercroft.steps.grids.room_shape import RoomShape
from undercroft.steps.rooms import layout_rooms
from undercroft.steps.rooms.layout_rooms import PoolWithDigest
from undercroft.steps.step import all_facts_but

if TYPE_CHECKING:
    from undercroft.templates.template import Template

Span = Annotated[int, Meta(ge=0, le=100_000)]
DEFAULT_PITCH = 8, 4
"""Columns and rows from room to room if neither a parameter nor the size of the level decides."""


@dataclass(frozen=True, kw_only=True)
class Expand:
    """Turn a room grid into tiles. All rooms have the same size and shape, neighbours share a wall, and a door is in
    the middle of it.

    The rooms stand in the middle of a level of the requested size, and keep their tags. On a map that is not a room
    grid, every walkable cell counts as a room.

    >>> draft = Draft(2, 2, fill="floor")
    >>> draft.wanted = 17, 9
    >>> Expand().apply(draft, Rng.root(1).stream("expand"), Run())
    >>> print(draft)
    #################
    #.......#.......#
    #.......+.......#
    #.......#.......#
    ####+#######+####
    #.......#.......#
    #.......+.......#
    #.......#.......#
    #################
    """

    expand: bool = True
    """False leaves the room grid as it is."""
    cell_size: tuple[Span, Span] = (0, 0)
    """Columns and rows from one room to the next, one wall included; 0: as many as fit, an even number, so that doors
    are exactly in the middle.
    """
    crop: bool = True
    """Leave out the empty columns and rows around all rooms, which makes rooms larger. False keeps every room at the
    place of its cell in the grid.
    """
    template: str = ""
    """A drawing of a room with its walls, used for all rooms instead of a cell_size."""

    layouts: tuple[str, ...] = ()
    """Layouts to make rooms from, scaled to their size: names of shipped layouts ("any" for all), or files; a layout
    named twice is drawn twice as often.
    """

    stairs: bool = True
    """Whether the tiles of start and end become `<` and `>`."""

    edition: ClassVar[int] = 2
    reads: ClassVar[tuple[str, ...]] = ("layouts",)
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links", "ends", "path")
    spoils: ClassVar[tuple[str, ...]] = all_facts_but("tiles", *gives)
    forgets: ClassVar[bool] = True

    def check(self, width: int, height: int) -> None:  # noqa: ARG002 - how many rooms must fit is not known yet
        """Refuse rooms without a floor, and a template that is not a room."""
        if 1 in self.cell_size:
            raise BadInput(
                "a cell_size of 1 leaves no room between the walls", fix="give 2 or more, or 0 for as much as fits"
            )
        if self.template and any(self.cell_size):
            raise BadInput("rooms have a template or a cell_size, not both", fix="leave one of them out")
        if self.template and self.layouts:
            raise BadInput("rooms have a template or layouts, not both", fix="leave one of them out")
        if self.template:
            room_shape.parse_room_shape(self.template)

    def __post_init__(self) -> None:
        if self.layouts:
            self._layout_pool  # noqa: B018 - report a mistake in them now

    @functools.cached_property
    def _layout_pool(self) -> PoolWithDigest:
        return layout_rooms.load_layouts(self.layouts)

    @property
    def digest(self) -> str:
        """The digest of the layouts that were read; empty if there are none."""
        return self._layout_pool.digest if self.layouts else ""

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        if not self.expand:
            return
        self.check(draft.width, draft.height)
        if draft.frozen is not None and draft.frozen.any():
            raise BadInput(
                "expand gives the level another scale: none of its cells can stay as they are", fix="leave frozen out"
            )
        regions, planned = _rooms_and_links(draft)
        cells = np.stack([regions.table["x"], regions.table["y"]], axis=1)
        grid = count = draft.width, draft.height
        if self.crop and len(cells):
            cells = cells - cells.min(axis=0)
            count = int(cells[:, 0].max()) + 1, int(cells[:, 1].max()) + 1
        pitch = (
            room_shape.parse_room_shape(self.template).pitch
            if self.template
            else self._pitch(draft.wanted, grid, count)
        )
        size = self._level_size(draft.wanted, grid, count, pitch)
        shape = room_shape.parse_room_shape(self.template) if self.template else room_shape.build_box_shape(*pitch)
        spare = np.subtract(size, np.multiply(count, shape.pitch) + 1)
        corners = np.ascontiguousarray(cells * shape.pitch + spare // 2, np.int32)
        start, end = (_middle_of_room(point, regions.labels, corners, shape) for point in (draft.start, draft.end))
        self._draw_rooms(draft, size, regions, corners, shape, run)
        draft.start, draft.end = start, end
        draft.doors, draft.links = _build_doors(planned.table, corners, shape)
        if self.layouts:
            self._shape_rooms(draft, corners, shape, rng, run)
        rows, was = draft.doors.table, frames.copy_tiles_if_watched(run)
        draft.tiles[rows["y"], rows["x"]] = np.array([STANDARD.role(role) for role in DOOR_ROLES], np.uint8)[
            rows["state"]
        ]
        frames.reveal(run, was)
        draft.path = _find_path(draft, run)
        if self.stairs:
            write_end_stairs(draft, (None, None), run)

    def _pitch(self, wanted: Point | None, grid: Point, count: Point) -> Point:
        """Columns and rows from room to room, whether or not that fits. Cropping the grid makes rooms larger, but keeps
        their proportions.
        """
        width, height = (
            DEFAULT_PITCH
            if wanted is None
            else (_largest_even_pitch(wanted[0], grid[0]), _largest_even_pitch(wanted[1], grid[1]))
        )
        if wanted is not None and count != grid:
            wide, high = _largest_even_pitch(wanted[0], count[0]), _largest_even_pitch(wanted[1], count[1])
            # the sides of a cell of the whole grid, times the number of cells
            across, down = (max(1, wanted[0] - 1) * grid[1], max(1, wanted[1] - 1) * grid[0])
            if wide * down <= high * across:
                width, height = wide, max(height, wide * down // across // 2 * 2)
            else:
                width, height = max(width, high * across // down // 2 * 2), high
        return self.cell_size[0] or width, self.cell_size[1] or height

    def _level_size(self, wanted: Point | None, grid: Point, count: Point, pitch: Point) -> Point:
        """The size of the level: as requested, or exactly as large as the rooms need. Whether that fits does not depend
        on the places of the rooms.
        """
        if wanted is None:
            return check_level_size((count[0] * pitch[0] + 1, count[1] * pitch[1] + 1))
        least = pitch if self.template else (self.cell_size[0] or 2, self.cell_size[1] or 2)
        width, height = grid[0] * least[0] + 1, grid[1] * least[1] + 1
        if width > wanted[0] or height > wanted[1]:
            what = (
                f"a grid of {grid[0]}x{grid[1]} rooms, {least[0]}x{least[1]} tiles from one to the next, needs a "
                f"level of {width}x{height}"
            )
            fix = f"ask for {max(width, wanted[0])}x{max(height, wanted[1])}, or for a smaller grid" + (
                ", or for smaller rooms" if least != (2, 2) else ""
            )
            raise BadInput(f"{what}, not {wanted[0]}x{wanted[1]}", fix=fix)
        return wanted

    def _shape_rooms(self, draft: Draft, corners: NDArray[np.int32], shape: RoomShape, rng: Rng, run: Run) -> None:
        """Replace plain rooms by rooms from layouts, each joined to its doors."""
        assert draft.regions is not None
        width, height = shape.pitch[0] - 1, shape.pitch[1] - 1
        run.spend(2 * shape.tiles.size * len(corners))
        rooms = [self._layout_pool.pick_room(rng, width, height) for _ in range(len(corners))]
        rooms = [room if room and _is_enterable(room) else None for room in rooms]
        boxes = np.hstack([corners + 1, np.broadcast_to(np.array([width, height], np.int32), corners.shape)])
        layout_rooms.place_rooms(draft, draft.regions, range(1, len(corners) + 1), boxes, rooms, run, fill=True)
        draft.layers.pop("sockets", None)  # doors stay in the middle of walls
        for door in draft.doors:
            for label in (door.a, door.b):
                _dig_to_ground(draft, draft.regions, door, label, boxes[label - 1].tolist())
        draft.start, draft.end = (_nearest_ground(draft, draft.regions, point) for point in (draft.start, draft.end))
        if rooms and not any(rooms):
            run.note(f"no layout fits rooms of {width}x{height}; they are rectangles")

    @staticmethod
    def _draw_rooms(
        draft: Draft, size: Point, regions: Regions, corners: NDArray[np.int32], shape: RoomShape, run: Run
    ) -> None:
        """Start a level of rock and draw all rooms in it, as regions with their old tags."""
        width, height = size
        draft.begin_anew(np.full((height, width), STANDARD.role("wall"), np.uint8), STANDARD)
        draft.frozen = draft.wanted = None
        run.tiles, run.palette = draft.tiles, draft.palette
        labels = np.zeros((height, width), np.int32)
        run.spend(2 * draft.tiles.size)
        args = (
            flat_buffer(draft.tiles),
            flat_buffer(labels),
            buffer(corners),
            buffer(shape.tiles),
            buffer(shape.ground.view(np.uint8)),
            width,
        )
        if run.watcher is None:
            reach.run_by_rows(
                run, len(corners), shape.tiles.size, lambda first, last: int(grids.stamp_rooms(*args, first, last))
            )
        else:
            together = frames.parts_per_turn(len(corners))
            for first in range(0, len(corners), together):
                run.show()
                run.spend(int(grids.stamp_rooms(*args, first, min(first + together, len(corners)))))
            run.show()
        table = regions.table.copy()
        xs, ys = np.flatnonzero(shape.ground.any(axis=0)), np.flatnonzero(shape.ground.any(axis=1))
        table["x"], table["y"] = corners[:, 0] + xs[0], corners[:, 1] + ys[0]
        table["width"], table["height"], table["area"] = np.ptp(xs) + 1, np.ptp(ys) + 1, np.count_nonzero(shape.ground)
        draft.regions = Regions(labels, table, dict(regions.tags), dict(regions.templates), dict(regions.names))


def _rooms_and_links(draft: Draft) -> tuple[Regions, Rows[Link]]:
    """The rooms and links of a room grid; of any other map, every walkable cell and its neighbours."""
    walkable = look_up_tiles(draft.palette.walkable, draft.tiles)
    regions = draft.regions
    if regions is not None and len(regions) == np.count_nonzero(walkable) and (regions.table["area"] == 1).all():
        return regions, draft.links
    found = plan_room_grid(walkable)
    return found.regions, found.links


def _largest_even_pitch(side: int, number: int) -> int:
    """The largest even number of tiles per room for `number` rooms along a side; at least 2."""
    return max(2, (side - 1) // number // 2 * 2)


def _middle_of_room(
    point: Point | None, labels: NDArray[np.int32], corners: NDArray[np.int32], shape: RoomShape
) -> Point | None:
    """The middle of the room that a cell of the grid has become."""
    label = 0 if point is None else int(labels[point[1], point[0]])
    if not label:
        return None
    x, y = corners[label - 1].tolist()
    return x + shape.middle_ground[0], y + shape.middle_ground[1]


def _build_doors(planned: NDArray[Any], corners: NDArray[np.int32], shape: RoomShape) -> tuple[Rows[Door], Rows[Link]]:
    """A door for every link between neighbours, in the middle of the wall that they share."""
    table = planned.copy()
    a, b = corners[table["a"] - 1], corners[table["b"] - 1]
    beside = (np.abs(a - b) == [(shape.pitch[0], 0)]).all(axis=1)
    below = (np.abs(a - b) == [(0, shape.pitch[1])]).all(axis=1)
    table["carved"] = (beside | below) & (table["a"] > 0) & (table["b"] > 0)
    table["door"] = np.where(table["carved"], np.cumsum(table["carved"]) - 1, -1)
    found = np.zeros(int(table["carved"].sum()), DOOR_DTYPE)
    places = np.minimum(a, b) + np.where(
        beside[:, None], (shape.pitch[0], shape.middle[1]), (shape.middle[0], shape.pitch[1])
    )
    found["x"], found["y"] = places[table["carved"]].T
    carved = table[table["carved"]]
    found["a"], found["b"] = carved["a"], carved["b"]
    found["state"] = np.where(carved["kind"] < len(DOOR_STATES), carved["kind"], 0)  # a one-way link is open
    return view_doors(found), view_links(table)


def _is_enterable(room: Template) -> bool:
    """Whether a straight line from the middle of each side reaches ground."""
    ground = layout_rooms.walkable_mask(room)
    return bool(
        ground[[(ground.shape[0] - 1) // 2, ground.shape[0] // 2]].any(axis=1).all()
        and ground[:, [(ground.shape[1] - 1) // 2, ground.shape[1] // 2]].any(axis=0).all()
    )


def _dig_to_ground(draft: Draft, regions: Regions, door: Door, label: int, box: list[int]) -> None:
    """Dig from a door straight into a room until its ground begins."""
    x, y, width, height = box
    across = (door.x < x) - (door.x >= x + width)
    down = (door.y < y) - (door.y >= y + height)
    at, dug = (door.x + across, door.y + down), 0
    walkable, floor = draft.palette.walkable, draft.palette.role("floor")
    while (
        x <= at[0] < x + width
        and y <= at[1] < y + height
        and not (regions.labels[at[1], at[0]] == label and walkable[draft.tiles[at[1], at[0]]])
    ):
        dug += int(regions.labels[at[1], at[0]] != label)
        draft.tiles[at[1], at[0]], regions.labels[at[1], at[0]] = floor, label
        row = regions.table[label - 1 : label]
        ends = np.maximum(row["x"] + row["width"], at[0] + 1), np.maximum(row["y"] + row["height"], at[1] + 1)
        row["x"], row["y"] = np.minimum(row["x"], at[0]), np.minimum(row["y"], at[1])
        row["width"], row["height"] = ends[0] - row["x"], ends[1] - row["y"]
        at = at[0] + across, at[1] + down
    regions.table["area"][label - 1] += dug


def _nearest_ground(draft: Draft, regions: Regions, point: Point | None) -> Point | None:
    """The walkable cell of a point's room that is nearest to it."""
    if point is None or draft.palette.walkable[draft.tiles[point[1], point[0]]]:
        return point
    table = regions.table
    within = (
        (table["x"] <= point[0] + 1)
        & (point[0] <= table["x"] + table["width"])
        & (table["y"] <= point[1] + 1)
        & (point[1] <= table["y"] + table["height"])
    )
    ys, xs = np.nonzero(np.isin(regions.labels, np.flatnonzero(within) + 1) & draft.palette.walkable[draft.tiles])
    nearest = int(np.argmin((xs - point[0]) ** 2 + (ys - point[1]) ** 2))
    return int(xs[nearest]), int(ys[nearest])


def _find_path(draft: Draft, run: Run) -> NDArray[np.int32] | None:
    """The shortest path from start to end; through secret doors only if there is no other."""
    if draft.start is None or draft.end is None:
        return None
    walkable = look_up_tiles(STANDARD.walkable, draft.tiles)
    way = reach.DistanceField(
        walkable & ~look_up_tiles(STANDARD.role_mask("secret"), draft.tiles), [draft.start], run
    ).path_to(*draft.end)
    return way if len(way) else reach.DistanceField(walkable, [draft.start], run).path_to(*draft.end)
