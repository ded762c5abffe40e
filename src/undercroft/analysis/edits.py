"""Apply tiles painted by hand to a level. Facts near the painted cells are updated; everything else stays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach, survey
from undercroft.core.draft import Draft
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import DOOR_DTYPE, LINK_DTYPE, REGION_DTYPE, REGION_KINDS, Regions, view_doors, view_links
from undercroft.errors import BadInput

EDITS_KEY = "edits"
"""The key of `Level.provenance` that lists the painted tiles."""


def apply_edits(level: Level, edits: Sequence[tuple[int, str]]) -> Level:
    """The level with tiles, given by name, placed on cells (y * width + x) in this order.

    Rooms keep their numbers, names and tags. New ground joins the region that it touches most, or becomes a new room.
    Doors, their links and the path are found again; start and end stay if their cells are still walkable. The
    provenance of the level lists the painted tiles.

    >>> level = Level.parse('''
    ...     ########
    ...     #11#22.#
    ...     ########
    ... ''')
    >>> after = apply_edits(level, [(11, "door"), (14, "wall")])
    >>> print(after)
    ########
    #..+..##
    ########
    >>> after.doors, after.links[0].kind, [room.area for room in after.rooms]
    ([Door(x=3, y=1, a=1, b=2, state='closed')], 'door', [2, 2])
    """
    palette, tiles = _extend_palette(level.palette, [name for _, name in edits]), level.tiles.copy()
    flat = tiles.reshape(-1)
    for cell, name in edits:
        if not 0 <= cell < flat.size:
            raise BadInput(
                f"there is no cell {cell} on a level of {level.width}x{level.height}", fix="paint cells of the level"
            )
        flat[cell] = palette.code(name)
    draft = Draft.of(level)
    draft.tiles, draft.palette = tiles, palette
    if (level.tiles != tiles).any():
        if len(level.regions):
            _mend_regions(draft, level)
        _mend_ways(draft)
    return draft.level({**level.provenance, EDITS_KEY: [[cell, name] for cell, name in edits]})


def _extend_palette(palette: Palette, wanted: Sequence[str]) -> Palette:
    """The palette with the missing tiles of the standard palette that are painted; unchanged if their glyphs mean
    something else in it.
    """
    missing = [tile for tile in STANDARD.tiles if tile.name in wanted and tile.name not in palette]
    try:
        return palette.merged(Palette(missing))[0] if missing else palette
    except BadInput:
        return palette


def _mend_regions(draft: Draft, level: Level) -> None:
    """Update regions, doors and links around the changed cells."""
    assert draft.regions is not None
    before, now = survey.classify_cells(level.tiles, level.palette), survey.classify_cells(draft.tiles, draft.palette)
    ground = (now == survey.ROOM) | (now == survey.CORRIDOR)
    changed = level.tiles != draft.tiles
    labels = np.where(changed & ~ground, 0, level.regions.labels).astype(np.int32)
    table = _label_new_ground(labels, now, changed & ground & (labels == 0), level.regions.table)
    boxes = reach.find_label_boxes(labels, (labels > 0).astype(np.uint8), len(table))
    there = boxes[:, 4] > 0
    table["area"] = boxes[:, 4]
    table["x"], table["y"] = np.where(there, boxes[:, 0], table["x"]), np.where(there, boxes[:, 1], table["y"])
    table["width"], table["height"] = (np.where(there, boxes[:, side + 2] - boxes[:, side] + 1, 0) for side in (0, 1))
    old = level.regions
    draft.regions = Regions(labels, table, old.tags, old.templates, old.names)
    _mend_doors(draft, level, changed & ((before >= survey.DOOR) | (now >= survey.DOOR)), now)


def _label_new_ground(
    labels: NDArray[np.int32], kinds: NDArray[np.uint8], fresh: NDArray[np.bool_], table: NDArray[Any]
) -> NDArray[Any]:
    """Label new ground in place: each piece joins the region that it touches most, or gets a new label. Returns the
    table of regions with the new ones.
    """
    pieces, count = reach.label_components(np.where(fresh, kinds, 0).astype(np.uint8))
    around = np.pad(labels, 1)
    more: list[tuple[int, ...]] = []
    for piece in range(1, count + 1):
        ys, xs = np.nonzero(pieces == piece)
        beside = np.concatenate(
            [around[ys + 1 + down, xs + 1 + right] for right, down in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        )
        counts = np.bincount(beside[beside > 0], minlength=1)
        if counts.any():
            labels[ys, xs] = int(counts.argmax())
        else:
            kind = "corridor" if kinds[ys[0], xs[0]] == survey.CORRIDOR else "room"
            more.append((REGION_KINDS.index(kind), 0, 0, 0, 0, 0))
            labels[ys, xs] = len(table) + len(more)
    return np.concatenate([table, np.array(more, REGION_DTYPE)]) if more else table.copy()


def _mend_doors(draft: Draft, level: Level, changed: NDArray[np.bool_], kinds: NDArray[np.uint8]) -> None:
    """Drop doors that no longer exist, with their links, and add new ones."""
    assert draft.regions is not None
    kept = ~changed[level.doors.table["y"], level.doors.table["x"]]
    place = np.cumsum(kept) - 1
    around = np.pad(draft.regions.labels, 1)
    rows: list[tuple[int, ...]] = []
    for y, x in np.argwhere(changed & (kinds >= survey.DOOR)).tolist():
        beside = [int(around[y + 1 + down, x + 1 + right]) for right, down in ((0, -1), (1, 0), (0, 1), (-1, 0))]
        ends = [*sorted({label for label in beside if label}), 0, 0]
        rows.append((x, y, ends[0], ends[1], int(kinds[y, x]) - survey.DOOR))
    draft.doors = view_doors(np.concatenate([level.doors.table[kept], np.array(rows, DOOR_DTYPE)]))
    old = level.links.table
    stays = (old["door"] < 0) | (kept[old["door"]] if len(kept) else True)
    carried = old[stays].copy()
    carried["door"] = np.where(carried["door"] < 0, -1, place[carried["door"]] if len(place) else -1)
    first = int(kept.sum())
    new = [(a, b, state, first + number, True) for number, (_, _, a, b, state) in enumerate(rows) if b]
    draft.links = view_links(np.concatenate([carried, np.array(new, LINK_DTYPE)]))


def _mend_ways(draft: Draft) -> None:
    """Update start, end and path; drop those that are no longer valid."""
    walkable = draft.palette.walkable[draft.tiles]
    draft.start, draft.end = (
        point if point is not None and walkable[point[1], point[0]] else None for point in (draft.start, draft.end)
    )
    draft.path = None
    if draft.start is not None and draft.end is not None:
        draft.path = reach.DistanceField(walkable, [draft.start]).path_to(*draft.end)
