"""Place decor on a level: pillars, torches on walls, emblems of special rooms, and random litter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.level import Level
from undercroft.core.rng import MASK32
from undercroft.draw.tileset.decor_tiles import EARTH_LITTER, FACE_DECOR, FLAGSTONE_LITTER
from undercroft.draw.tileset.emblems import TAG_MARKS
from undercroft.draw.tileset.terrain import NO_PIECE, Cells, Layer, Terrain, cells_having, dilated_by, shifted
from undercroft.draw.tileset.tile_sheet import tileset

TORCH_GAP = 7
"""Cells between torches along a built wall."""
CAVE_TORCH_BLOCK = (11, 7)
"""Caves have one torch in each block of this size, across and down."""
DARK_DISTANCE, CANDLE_BLOCK = 6, (11, 6)
"""Built floor at least this far from all torches is dark. Its walls have candles, one in each block of this size,
across and down.
"""
MIN_TORCH_ROOM_CELLS = 6
"""Rooms with at least this many cells get a torch if they have a wall for it."""
LITTER_CHANCE, FACE_DECOR_CHANCE, COBWEB_CHANCE, GLOWCAP_CHANCE = (round(65536 / one_of) for one_of in (26, 11, 5, 34))
"""How many of 65536 squares of floor, faces, corners, and squares along the rock of caves have decor."""


def scatter_litter(lie: Terrain) -> Layer:
    """The random small piece on each cell, if any."""
    number = tileset().number
    found = np.full(lie.tiles.shape, NO_PIECE, np.int16)
    chance = (lie.throws >> np.uint32(16)).astype(np.uint16)
    floor = lie.having("floor", "corridor")
    for lots, cells, share in (
        (FLAGSTONE_LITTER, floor & ~lie.natural, LITTER_CHANCE),
        (EARTH_LITTER, floor & lie.natural, LITTER_CHANCE),
        (FACE_DECOR, lie.face, FACE_DECOR_CHANCE),
    ):
        some = cells & (chance < np.uint16(share))
        found[some] = np.array([number(name) for name in lots], np.int16)[chance[some] % len(lots)]
    rock = np.pad(lie.rock, 1, constant_values=True)
    north, west, east = shifted(rock, 0, -1), shifted(rock, -1, 0), shifted(rock, 1, 0)
    found[
        floor & lie.natural & (chance > np.uint16(65535 - GLOWCAP_CHANCE)) & (north | west | east | shifted(rock, 0, 1))
    ] = number("glowcaps")
    corner = floor & ~lie.natural & north & (west != east) & (chance > np.uint16(65535 - COBWEB_CHANCE))
    found[corner & west], found[corner & east] = number("cobweb.nw"), number("cobweb.ne")
    return found


def place_decor(level: Level, lie: Terrain, found: Layer) -> None:
    """Add decor with fixed places: emblems of special rooms, torches, pillars. Litter under things is removed."""
    number = tileset().number
    burning = torch_cells(lie)
    found[burning] = number("torch")
    found[_candle_cells(lie, burning)] = number("candles")
    _place_emblems(level, found)
    for thing in level.things:
        found[thing.y, thing.x] = NO_PIECE
    plain = cells_having(level, "floor", "corridor")
    for name, point in (("start", level.start), ("end", level.end)):
        if point is not None and plain[point[1], point[0]]:  # stairs that are tiles are drawn already
            found[point[1], point[0]] = number(name)
    pillars = lie.having("pillar")
    found[:-1][pillars[1:]] = number("pillar.head")
    found[pillars] = number("pillar")


def _place_emblems(level: Level, found: Layer) -> None:
    """Mark the centre of special rooms: on nine squares where a room has them, else on one."""
    number, floor = tileset().number, cells_having(level, "floor", "corridor")
    for (x, y), mark in find_special_rooms(level).items():
        around = floor[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
        if around.sum() >= 8 and around.size == 9:
            parts = np.arange(9, dtype=np.int16).reshape(3, 3) + np.int16(number(f"emblem.{mark}.0"))
            np.copyto(found[y - 1 : y + 2, x - 1 : x + 2], parts, where=around)
        elif floor[y, x]:
            found[y, x] = number(f"emblem.{mark}")


def find_special_rooms(level: Level) -> dict[tuple[int, int], str]:
    """The centre cells of special rooms, and the emblem of each."""
    places = {}
    for label, tags in level.regions.tags.items():
        tag = next((TAG_MARKS[tag] for tag in tags if tag in TAG_MARKS), "")
        if tag:
            region = level.regions[label - 1]
            places[region.x + region.width // 2, region.y + region.height // 2] = tag
    return places


def torch_cells(lie: Terrain) -> Cells:
    """The cells of torches: on faces above firm ground. They are evenly spaced along built walls and scattered in
    caves; every room gets one.
    """
    firm = lie.having("floor", "corridor", "entry", "exit")
    wall = np.zeros_like(firm)
    wall[:-1] = lie.face[:-1] & firm[1:]
    below = np.zeros_like(firm)
    below[:-1] = lie.natural[1:]
    found = _spread_along_rows(wall & ~below) | _one_per_block(wall & below, lie.throws, CAVE_TORCH_BLOCK, 2)
    labels, count = reach.label_components((lie.ground & ~lie.having("door", "locked")).view(np.uint8))
    ys, xs = np.nonzero(wall)
    room = labels[ys + 1, xs]
    dark = np.bincount(labels.reshape(-1), minlength=count + 1) >= MIN_TORCH_ROOM_CELLS
    dark[room[found[ys, xs]]] = False
    left = dark[room]
    ys, xs = ys[left], xs[left]
    first = _lowest_throws(room[left], lie.throws[ys, xs])
    found[ys[first], xs[first]] = True
    return found


def _candle_cells(lie: Terrain, burning: Cells) -> Cells:
    """The cells of candles: along the walls of rooms that no torch lights."""
    dark = lie.having("floor") & ~lie.natural
    if not dark.any():
        return dark
    dark &= ~dilated_by(burning, DARK_DISTANCE)
    rock = np.pad(lie.rock, 1, constant_values=True)
    dark &= shifted(rock, -1, 0) | shifted(rock, 1, 0) | shifted(rock, 0, 1)
    return _one_per_block(dark, lie.throws, CANDLE_BLOCK, 1)


def _spread_along_rows(wall: Cells) -> Cells:
    """Cells spread evenly over each row of these: one in the middle of three to thirteen, two from fourteen on, and so
    on.
    """
    found = np.zeros_like(wall)
    framed = np.pad(wall, ((0, 0), (1, 1)))
    ys, starts = np.nonzero(framed[:, 1:-1] & ~framed[:, :-2])
    ends = np.nonzero(framed[:, 1:-1] & ~framed[:, 2:])[1]
    lengths = ends - starts + 1
    counts = np.maximum(lengths // TORCH_GAP, lengths >= 3)
    row = np.repeat(np.arange(len(starts)), counts)
    place = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    found[ys[row], starts[row] + lengths[row] * (2 * place + 1) // (2 * counts[row])] = True
    return found


def _one_per_block(cells: Cells, throws: NDArray[np.uint32], block: tuple[int, int], edge: int) -> Cells:
    """One of these cells in every block of the map; none at the edge of a block, so that two are never neighbours."""
    found = np.zeros_like(cells)
    inner = [
        np.minimum(place := np.arange(side) % part, part - 1 - place) >= edge
        for side, part in zip(cells.shape[::-1], block, strict=True)
    ]
    ys, xs = np.nonzero(cells & inner[0] & inner[1][:, None])
    first = _lowest_throws(ys // block[1] * (cells.shape[1] // block[0] + 1) + xs // block[0], throws[ys, xs])
    found[ys[first], xs[first]] = True
    return found


def _lowest_throws(groups: NDArray[np.integer], throws: NDArray[np.uint32]) -> NDArray[np.intp]:
    """The indexes of the lowest random number of each group."""
    least = np.full(int(groups.max(initial=0)) + 1, MASK32, np.uint32)
    np.minimum.at(least, groups, throws)
    return np.flatnonzero(throws == least[groups])
