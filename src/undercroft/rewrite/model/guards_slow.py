"""A slow, simple check whether a guard refuses a rewrite, for the small maps of expectations and for tests of the
engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.reach import label_components
from undercroft.analysis.survey import survey_tiles
from undercroft.core.palette import Palette
from undercroft.core.region import REGION_KINDS
from undercroft.rewrite.model.program import Area, Guard, ThingTile

Cell = tuple[int, int]


def refuses(
    guard: Guard,
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    palette: Palette,
    things: Sequence[ThingTile] = (),
) -> bool:
    """Whether a guard refuses the change from one map to another.

    >>> from undercroft.core.palette import STANDARD
    >>> way, wall = np.array([[2, 2, 2]], np.uint8), np.array([[2, 1, 2]], np.uint8)
    >>> refuses(Guard("connected", 1 << STANDARD["floor"]), way, wall, STANDARD)
    True
    """
    if guard.kind == "connected":
        return _falls_apart(_label_parts(guard, before, things), _label_parts(guard, after, things))
    if guard.kind == "count":
        was, now = (int(build_tile_table(guard.tiles)[tiles].sum()) for tiles in (before, after))
        return 0 <= guard.most < now if now > was else now < min(guard.least, was)
    walkable, rows = palette.walkable.tolist(), after.tolist()
    new = np.zeros(before.shape, bool)
    for group in (palette.walkable, build_tile_table(guard.tiles), build_tile_table(guard.others)):
        new |= group[after] & ~group[before]
    return any(_has_short_path(guard, rows, walkable, (x, y)) for y, x in np.argwhere(new).tolist())


def build_tile_table(tiles: int) -> NDArray[np.bool_]:
    """A set of tiles as a table indexed by code."""
    return np.unpackbits(np.frombuffer(tiles.to_bytes(32, "little"), np.uint8), bitorder="little").astype(bool)


def _falls_apart(before: NDArray[np.int32], after: NDArray[np.int32]) -> bool:
    """Whether a part splits, or a part appears that shares no cell with an earlier one. A single part may move, and a
    first one may appear.
    """
    pairs = np.unique(
        np.stack((before.reshape(-1), after.reshape(-1)))[:, (before > 0).reshape(-1) & (after > 0).reshape(-1)], axis=1
    )
    born = int(after.max(initial=0)) - len(set(pairs[1].tolist()))
    died = int(before.max(initial=0)) - len(set(pairs[0].tolist()))
    return pairs.shape[1] > len(set(pairs[0].tolist())) or born > max(died, not before.any())


def _label_parts(guard: Guard, tiles: NDArray[np.uint8], things: Sequence[ThingTile]) -> NDArray[np.int32]:
    """The connected parts of the guarded cells, as labels. A thing counts as its ground."""
    ground = np.arange(256, dtype=np.uint8)
    for thing in things:
        ground[thing.tile] = thing.ground
    return label_components(build_tile_table(guard.tiles)[ground[tiles]].astype(np.uint8))[0]


def _has_short_path(guard: Guard, rows: list[list[int]], walkable: list[bool], middle: Cell) -> bool:
    """Whether a path through a cell is too short: from a cell with one of the tiles to another cell with one of the
    `others`.
    """
    ends: list[list[tuple[int, Cell]]] = [[], []]
    for steps, (x, y) in _walk_from(rows, walkable, middle, guard.least):
        for end, mask in zip(ends, (guard.tiles, guard.others), strict=True):
            if mask >> rows[y][x] & 1 and len(end) < 2:
                end.append((steps, (x, y)))
        if len(ends[0]) == len(ends[1]) == 2:  # with two of each, some pair has different cells
            break
    walked = walkable[rows[middle[1]][middle[0]]]  # else a path can only begin or end there
    return any(
        one + other < guard.least and here != there and (walked or middle in (here, there))
        for one, here in ends[0]
        for other, there in ends[1]
    )


def _walk_from(rows: list[list[int]], walkable: list[bool], start: Cell, most: int) -> Iterator[tuple[int, Cell]]:
    """The cells within fewer than `most` steps, nearest first. Paths lead over walkable cells; the last cell may be
    any.
    """
    height, width = len(rows), len(rows[0])
    seen, todo = {start}, deque([(0, start)])
    while todo:
        steps, (x, y) = todo.popleft()
        yield steps, (x, y)
        if steps + 1 >= most or (steps and not walkable[rows[y][x]]):
            continue
        for beside in ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)):
            if 0 <= beside[0] < width and 0 <= beside[1] < height and beside not in seen:
                seen.add(beside)
                todo.append((steps + 1, beside))


def label_area(area: Area, tiles: NDArray[np.uint8], palette: Palette) -> NDArray[np.int32]:
    """The regions of an area on a map without regions, as labels: connected ground counts as the requested kind, with
    every tag.
    """
    found = survey_tiles(
        tiles, palette, kind=area.kind if area.kind in REGION_KINDS and area.kind != "corridor" else "room"
    ).regions
    wanted = np.ones(len(found) + 1, bool)
    wanted[1:] = not area.kind or found.table["kind"] == (
        REGION_KINDS.index(area.kind) if area.kind in REGION_KINDS else -1
    )
    return np.where(wanted[found.labels], found.labels, 0)
