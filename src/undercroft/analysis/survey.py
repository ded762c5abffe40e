"""Regions, doors and links of any map, found from the roles of its tiles."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.analysis.one_way import directed
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES, Palette, through
from undercroft.core.region import DOOR_ROW, KINDS, LINK_ROW, REGION_ROW, Door, Link, Regions, Rows, doors, links
from undercroft.core.run import Run
from undercroft.kernels import buffer, flat
from undercroft.kernels import reach as kernel

ROOM, CORRIDOR, DOOR = 1, 2, 3
"""What a cell is to the survey; the door roles are 3, 4, 5 and 6."""
STAIRS = 7
"""Stairs, until it is known what they stand in."""

_GROUND = np.zeros(256, np.uint8)
_GROUND[[ROOM, CORRIDOR]] = ROOM, CORRIDOR


class Surveyed(NamedTuple):
    regions: Regions
    doors: Rows[Door]
    links: Rows[Link]


@functools.lru_cache(maxsize=16)
def classes(palette: Palette) -> NDArray[np.uint8]:
    """The table code -> 0 closed, 1 ground of a room, 2 corridor, 3 to 6 a door, 7 stairs."""
    table = np.zeros(256, np.uint8)
    for code, tile in enumerate(palette.tiles):
        if tile.role in DOOR_ROLES:
            table[code] = DOOR + DOOR_ROLES.index(tile.role)
        elif tile.role in ("entry", "exit"):
            table[code] = STAIRS
        elif tile.role == "corridor":
            table[code] = CORRIDOR
        elif tile.walkable:
            table[code] = ROOM
    table.setflags(write=False)
    return table


def survey(tiles: NDArray[np.uint8], palette: Palette, *, kind: str = "room", run: Run | None = None) -> Surveyed:
    """Connected ground is a region of that kind, connected corridor cells are a corridor, door cells join what they
    touch.

    >>> level = Level.drawn('''
    ...     #######
    ...     #..+,,#
    ...     #######
    ... ''')
    >>> found = survey(level.tiles, level.palette)
    >>> [(region.kind, region.area) for region in found.regions], found.links[0].kind
    ([('room', 2), ('corridor', 2)], 'door')

    Cost: four passes over the cells, or one search if all of them are one region.
    """
    run = run or Run()
    kinds, most = _ground(tiles, palette)
    if piece := _one_piece(kinds, most, tiles, palette, run):
        labelled, (x, y, right, bottom, area) = piece
        run.spend(2 * tiles.size)
        only = np.array([(_kinds(kind).item(most), x, y, right - x + 1, bottom - y + 1, area)], REGION_ROW)
        return Surveyed(Regions(labelled, only), doors(), links())
    has_doors = most >= DOOR
    floors = through(_GROUND, kinds) if has_doors else kinds
    labelled, count = reach.labels(floors, run=run)
    boxes = reach.boxes(labelled, floors, count, run)
    table = np.empty(count, REGION_ROW)
    table["kind"] = _kinds(kind)[boxes[:, 5]]
    table["x"], table["y"], table["area"] = boxes[:, 0], boxes[:, 1], boxes[:, 4]
    table["width"], table["height"] = (boxes[:, 2:4] - boxes[:, 0:2] + 1).T
    run.spend(2 * tiles.size)
    return joined(Regions(labelled, table), kinds)


def joined(regions: Regions, kinds: NDArray[np.uint8]) -> Surveyed:
    """Regions with the doors and links between them; `kinds` says what each cell is, as `ground` does."""
    labelled = regions.labels
    height, width = labelled.shape
    found = _doors(kinds, labelled) if kinds.max() >= DOOR else np.zeros(0, DOOR_ROW)
    touching = _contacts(labelled, width, height) if len(regions) > 1 else np.zeros((0, 2), np.int32)
    return Surveyed(regions, doors(found), links(_links(found, touching)))


def ground(tiles: NDArray[np.uint8], palette: Palette) -> NDArray[np.uint8]:
    """What each cell is: 0 closed, 1 ground of a room, 2 corridor, 3 and more a door. Stairs in a corridor are a part
    of it.
    """
    return _ground(tiles, palette)[0]


def _ground(tiles: NDArray[np.uint8], palette: Palette) -> tuple[NDArray[np.uint8], int]:
    """The same, and the greatest of these numbers."""
    kinds = through(classes(palette), tiles)
    most = int(np.maximum.reduce(kinds, axis=None))
    if most == STAIRS:
        kinds = kinds.copy()
        stairs = kinds == STAIRS
        kinds[stairs] = ROOM
        beside = {kind: np.zeros(tiles.shape, bool) for kind in (ROOM, CORRIDOR)}
        for kind, near in beside.items():
            of_kind = (kinds == kind) & ~stairs
            near[1:] |= of_kind[:-1]
            near[:-1] |= of_kind[1:]
            near[:, 1:] |= of_kind[:, :-1]
            near[:, :-1] |= of_kind[:, 1:]
        kinds[stairs & beside[CORRIDOR] & ~beside[ROOM]] = CORRIDOR
        most = int(kinds.max())
    return kinds, most


def _one_piece(
    kinds: NDArray[np.uint8], most: int, tiles: NDArray[np.uint8], palette: Palette, run: Run
) -> tuple[NDArray[np.int32], tuple[int, int, int, int, int]] | None:
    """Labels, box and area of a map that is one region, as caves and mazes are; None if it is not. It takes one search,
    which others will ask for too.
    """
    if not 0 < most < DOOR or not _all_walkable(palette):
        return None
    if most == ROOM:
        cells = kinds.view(bool)
    else:
        cells = kinds == most
        if np.count_nonzero(cells) < np.count_nonzero(kinds):
            return None
    cells.setflags(write=False)
    found = reach.swept(tiles, palette.walkable, run, cells)
    if not found.whole:
        return None
    return cells.astype(np.int32), (*reach.box(cells), found.open)


@functools.lru_cache(maxsize=16)
def _all_walkable(palette: Palette) -> bool:
    """Whether the cells of regions and doors are those one can walk on: so it is, unless a palette has doors or
    corridors that are closed to all.
    """
    return np.array_equal(classes(palette) > 0, palette.walkable)


@functools.cache
def _kinds(kind: str) -> NDArray[np.uint8]:
    """From what a cell is to the survey to the kind of its region."""
    return np.array([0, KINDS.index(kind), KINDS.index("corridor")], np.uint8)


def _doors(kinds: NDArray[np.uint8], labelled: NDArray[np.int32]) -> NDArray[Any]:
    height, width = kinds.shape
    rows = reach.found_rows(
        5, lambda room: int(kernel.doors(flat(kinds), flat(labelled), buffer(room), width, height, DOOR))
    )
    found = np.zeros(len(rows), DOOR_ROW)
    for column, name in enumerate(("x", "y", "a", "b")):
        found[name] = rows[:, column]
    found["state"] = rows[:, 4] - DOOR
    return found


def _contacts(labelled: NDArray[np.int32], width: int, height: int) -> NDArray[np.int32]:
    """Pairs of regions that touch without a door, each once."""
    pairs = reach.found_rows(2, lambda room: int(kernel.contacts(flat(labelled), buffer(room), width, height)))
    return np.unique(pairs, axis=0) if len(pairs) else pairs


def _links(found: NDArray[Any], touching: NDArray[np.int32]) -> NDArray[Any]:
    """A link for every door between two regions, and for every two regions that touch."""
    through = np.flatnonzero(found["b"])
    table = np.zeros(len(through) + len(touching), LINK_ROW)
    table["carved"] = True
    table["door"] = -1
    doors_part, open_part = table[: len(through)], table[len(through) :]
    doors_part["a"], doors_part["b"], doors_part["kind"], doors_part["door"] = (
        found["a"][through],
        found["b"][through],
        found["state"][through],
        through,
    )
    open_part["a"], open_part["b"] = touching[:, 0], touching[:, 1]
    return table


def surveyed(level: Level, *, kind: str = "room") -> Level:
    """The level with its regions, doors and links found anew."""
    from undercroft.core.draft import Draft

    draft = Draft.of(level)
    draft.regions, draft.doors, found = survey(draft.tiles, draft.palette, kind=kind)
    draft.links = directed(found, draft.doors, draft.things, draft.regions.labels)
    return draft.level(level.provenance)
