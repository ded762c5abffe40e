"""Convert room types to arrays for `kernels/attach.py`, which documents the columns."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.core.ports import SIDES
from undercroft.templates.prefabs.prefab import RoomType, RoomTypes
from undercroft.templates.template import OUTSIDE, Template

WALL, BODY, GROUND = 1, 2, 4
NO_LIMIT = (1 << 31) - 1
_MAX_WEIGHT = 1 << 22
"""The greatest weight in the tables, so that the sum over all types fits a 32-bit draw."""

Ints = NDArray[np.int32]


class PrefabTables(NamedTuple):
    """The data about the types that does not depend on the map."""

    palette: Palette
    templates: tuple[Template, ...]
    """One for each shape."""
    cells: Ints
    shapes: Ints
    sockets: Ints
    types: Ints
    starts: Ints
    offers: Ints
    pairs: Ints
    opposite: Ints
    """For each class of sockets the class that fits; -1 if no shape has such a socket."""
    shapes_of: tuple[tuple[int, ...], ...]
    """The shapes of each type."""
    is_corridor: NDArray[np.bool_]
    """Whether a shape has only corridor cells as ground; the last entry, -1, stands for corridors that are not drawn.
    """
    most_sockets: int
    most_pairs: int


@functools.lru_cache(maxsize=64)
def build_tables(types: RoomTypes, kinds: tuple[RoomType, ...], palette: Palette, by_area: bool) -> PrefabTables:
    """The tables of some of the types, for maps with a palette; missing tiles are added to it."""
    merged, codes = (
        (palette, np.arange(256, dtype=np.uint8)) if palette == types.palette else palette.merged(types.palette)
    )
    codes[OUTSIDE] = OUTSIDE
    templates: list[Template] = []
    shapes_of: list[tuple[int, ...]] = []
    for kind in kinds:
        own = kind.list_shapes()
        shapes_of.append(tuple(range(len(templates), len(templates) + len(own))))
        templates += own
    kind_of = [kind for kind, own in enumerate(shapes_of) for _ in own]
    cells, shapes, sockets, classes = _build_shapes(templates, kind_of, merged, codes)
    starts, offers, pairs, opposite = _build_offers(shapes, sockets, classes)
    weights = _scale_weights([kind.weight for kind in kinds], [kind.template.area if by_area else 1 for kind in kinds])
    rows = [
        (weight, kind.least, NO_LIMIT if kind.most is None else kind.most, len(kind.template.sockets))
        for weight, kind in zip(weights, kinds, strict=True)
    ]
    return PrefabTables(
        palette=merged,
        templates=tuple(templates),
        cells=cells,
        shapes=shapes,
        sockets=sockets,
        types=_int_table(rows, 4),
        starts=starts,
        offers=offers,
        pairs=pairs,
        opposite=opposite,
        shapes_of=tuple(shapes_of),
        is_corridor=np.array([*(_ground_roles(template) == {"corridor"} for template in templates), True]),
        most_sockets=int((shapes[:, 6] - shapes[:, 5]).max(initial=0)),
        most_pairs=int((offers[:, 2] - offers[:, 1]).max(initial=0)),
    )


SocketClass = tuple[int, int, str]
"""Side, width and kind of a socket."""


def _build_shapes(
    templates: list[Template], kind_of: list[int], palette: Palette, codes: NDArray[np.uint8]
) -> tuple[Ints, Ints, Ints, list[SocketClass]]:
    """Cells, shapes and sockets, and the classes of the sockets."""
    is_ground = palette.walkable & ~palette.role_mask(*DOOR_ROLES)
    cells: list[Ints] = [np.zeros((0, 4), np.int32)]
    shapes: list[tuple[int, ...]] = []
    sockets: list[tuple[int, ...]] = []
    classes: dict[SocketClass, int] = {}
    begin = 0
    for kind, template in zip(kind_of, templates, strict=True):
        ys, xs = np.nonzero(template.tiles != OUTSIDE)
        tiles = codes[template.tiles[ys, xs]]
        ground = is_ground[tiles]
        rows = np.stack([xs, ys, tiles, np.where(palette.rock[tiles], WALL, BODY) + GROUND * ground], axis=1).astype(
            np.int32
        )
        rows = rows[_spread_order(len(rows))]
        own = [_build_socket(socket, classes, codes, is_ground) for socket in template.sockets]
        box = (
            int(xs[ground].min()),
            int(ys[ground].min()),
            int(xs[ground].max()),
            int(ys[ground].max()),
            int(ground.sum()),
        )
        shapes.append(
            (
                kind,
                template.width,
                template.height,
                begin,
                begin + len(rows),
                len(sockets),
                len(sockets) + len(own),
                *box,
            )
        )
        begin += len(rows)
        cells.append(rows)
        sockets += own
    return np.concatenate(cells), _int_table(shapes, 12), _int_table(sockets, 7), list(classes)


def _build_socket(
    socket: tuple[int, int, str, int, str, int],
    classes: dict[SocketClass, int],
    codes: NDArray[np.uint8],
    is_ground: NDArray[np.bool_],
) -> tuple[int, ...]:
    x, y, side, width, kind, tile = socket
    number = classes.setdefault((SIDES.index(side), width, kind), len(classes))
    return x, y, SIDES.index(side), width, number, int(codes[tile]), int(is_ground[codes[tile]])


def _build_offers(shapes: Ints, sockets: Ints, classes: list[SocketClass]) -> tuple[Ints, Ints, Ints, Ints]:
    """For each class the types with a socket of the opposite class, with those shapes and sockets."""
    number = {each: index for index, each in enumerate(classes)}
    opposite = [number.get(((side + 2) % 4, width, kind), -1) for side, width, kind in classes]
    having: list[dict[int, list[tuple[int, int]]]] = [{} for _ in classes]
    for shape, row in enumerate(shapes.tolist()):
        for socket in range(row[5], row[6]):
            having[int(sockets[socket, 4])].setdefault(row[0], []).append((shape, socket))
    starts, offers = [0], []
    pairs: list[tuple[int, int]] = []
    for fits in opposite:
        for kind, own in having[fits].items() if fits >= 0 else ():
            offers.append((kind, len(pairs), len(pairs) + len(own)))
            pairs += own
        starts.append(len(offers))
    return np.array(starts, np.int32), _int_table(offers, 3), _int_table(pairs, 2), np.array(opposite, np.int32)


def _scale_weights(weights: list[int], cells: list[int]) -> list[int]:
    """Whole numbers proportional to weight per cell; the greatest is `_MAX_WEIGHT`, none is 0."""
    most, per = max(zip(weights, cells, strict=True), key=lambda share: (share[0] << 32) // share[1])
    return [max(1, weight * per * _MAX_WEIGHT // (most * count)) for weight, count in zip(weights, cells, strict=True)]


def _spread_order(count: int) -> NDArray[np.intp]:
    """An order in which distant cells come first, so that an obstacle is found soon."""
    step = max(1, count * 382 // 1000)
    while np.gcd(step, count) != 1:
        step += 1
    return np.arange(count) * step % count


def _ground_roles(template: Template) -> set[str]:
    """The roles of its walkable cells."""
    palette = template.palette
    return {
        palette.roles[code] for code in np.unique(template.tiles).tolist() if code != OUTSIDE and palette.walkable[code]
    }


def _int_table(rows: Sequence[tuple[int, ...]], columns: int) -> Ints:
    return np.array(rows, np.int32).reshape(len(rows), columns)
