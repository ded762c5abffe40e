"""Rooms from scaled layouts, for every step that makes rooms."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import STANDARD
from undercroft.core.region import Regions, Thing
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.steps import frames

if TYPE_CHECKING:
    from undercroft.templates.layouts.pool import Pool
    from undercroft.templates.template import Template

ANY_LAYOUT = "any"
"""Stands for all shipped layouts, with the weights of their pool."""
SHUT, SOCKET = 1, 2
"""Values of the layer "sockets": a wall of a room with sockets, and a socket."""


class PoolWithDigest(NamedTuple):
    """Layouts to draw from, and a digest of the files they came from."""

    pool: Pool
    digest: str

    def pick_room(self, rng: Rng, width: int, height: int) -> Template | None:
        """A room whose floor has exactly that width and height, or one less; None if no layout gives a good one."""
        for near in (0, 1):
            room = self.pool.try_room(rng, (width + 2, height + 2), leniency=near)
            if room is not None:
                return room if is_connected(room) else None
        return None


def check_standard_palette(draft: Draft) -> None:
    """Refuse a map whose palette is not the standard one, which layouts are drawn with."""
    if draft.palette != STANDARD:
        raise BadInput(
            f"layouts are drawn with the standard palette, and the map has {draft.palette}",
            fix="leave layouts out, or begin with 'fill'",
        )


def load_layouts(layouts: tuple[str, ...]) -> PoolWithDigest:
    """The layouts with these names; a name given several times counts as often."""
    from undercroft.templates.layouts import layout_files, pool_files

    weights: dict[str, int] = {}
    for name in layouts:
        for one, weight in pool_files.load_shipped_weights().items() if name == ANY_LAYOUT else [(name, 1)]:
            weights[one] = weights.get(one, 0) + weight
    return _build_pool(tuple((*layout_files.load_layout_text(name), weight) for name, weight in weights.items()))


@functools.lru_cache(maxsize=64)
def _build_pool(texts: tuple[tuple[str, str, int], ...]) -> PoolWithDigest:
    """The layouts of texts, each given with its file name for errors and its weight."""
    from undercroft.templates.layouts import layout_files
    from undercroft.templates.layouts.pool import Pool

    read = blake2b(digest_size=16)
    for text, file, _ in texts:
        read.update(f"{Path(file).name}\0{text}\0".encode())
    return PoolWithDigest(
        Pool([(layout_files.parse(text, file), weight) for text, file, weight in texts]), read.hexdigest()
    )


def inner_tiles(room: Template) -> NDArray[np.uint8]:
    """The room without its outermost columns and rows, which are wall."""
    return room.tiles[1:-1, 1:-1]


def body_mask(room: Template) -> NDArray[np.bool_]:
    """A mask of the inner cells that are not rock."""
    from undercroft.templates.template import OUTSIDE

    tiles = inner_tiles(room)
    found: NDArray[np.bool_] = (tiles != OUTSIDE) & ~room.palette.rock[tiles]
    return found


def walkable_mask(room: Template) -> NDArray[np.bool_]:
    """A mask of the inner cells that are walkable."""
    return np.ascontiguousarray(body_mask(room) & room.palette.walkable[inner_tiles(room)])


def is_connected(room: Template) -> bool:
    """Whether all its ground is connected once its outermost cells are walls."""
    ground = walkable_mask(room)
    return bool(ground.size) and reach.label_components(ground.view(np.uint8))[1] == 1


def place_rooms(
    draft: Draft,
    regions: Regions,
    labels: Sequence[int],
    boxes: NDArray[np.int32],
    rooms: Sequence[Template | None],
    run: Run,
    *,
    fill: bool = False,
) -> None:
    """Draw rooms into boxes that are already labelled as regions, each in the middle of its box; a box without a room
    becomes floor. With `fill`, the rest of a box becomes wall.

    The region shrinks to the room's ground and gets its tags. Slots get their things, and the layer "sockets" marks the
    sockets.
    """
    check_standard_palette(draft)
    draft.layers.pop("sockets", None)
    floor, wall = draft.palette.role("floor"), draft.palette.role("wall")
    with_sockets: list[tuple[Template, int, int]] = []
    for number, (label, (x, y, wide, high), room) in enumerate(zip(labels, boxes.tolist(), rooms, strict=True)):
        if number % frames.parts_per_turn(len(rooms)) == 0:
            run.show()
        window = slice(y, y + high), slice(x, x + wide)
        if room is None:
            draft.tiles[window] = floor
            continue
        shape, ground = body_mask(room), walkable_mask(room)
        across, down = (wide - shape.shape[1]) // 2, (high - shape.shape[0]) // 2
        part, whole = np.zeros((high, wide), bool), np.zeros((high, wide), bool)
        part[down : down + shape.shape[0], across : across + shape.shape[1]] = ground
        whole[down : down + shape.shape[0], across : across + shape.shape[1]] = shape
        left, top = x + across, y + down
        if fill:
            draft.tiles[window][~whole] = wall
        draft.tiles[top : top + shape.shape[0], left : left + shape.shape[1]][shape] = inner_tiles(room)[shape]
        regions.labels[window][~part] = 0
        ys, xs = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        row = regions.table[label - 1 : label]
        row["x"], row["y"], row["width"], row["height"] = x + xs[0], y + ys[0], np.ptp(xs) + 1, np.ptp(ys) + 1
        row["area"] = np.count_nonzero(part)
        regions.templates[label] = room.name
        if room.tags:
            regions.tags[label] = tuple(dict.fromkeys((*regions.tags.get(label, ()), *room.tags)))
        fill_slots(draft, room, left - 1, top - 1)
        if room.sockets:
            with_sockets.append((room, left - 1, top - 1))
    if with_sockets:
        draft.layers["sockets"] = _mark_sockets(draft.tiles.shape, with_sockets)


def fill_slots(draft: Draft, room: Template, left: int, top: int) -> None:
    """Add a bare thing for each slot of a room placed there, but none on a frozen cell."""
    for slot in room.slots:
        x, y = left + slot.x, top + slot.y
        if draft.frozen is None or not draft.frozen[y, x]:
            draft.things.append(Thing(slot.kind, x, y))


def _mark_sockets(shape: tuple[int, ...], rooms: Sequence[tuple[Template, int, int]]) -> NDArray[np.uint8]:
    """A layer that marks where walls of rooms with sockets must stay closed and where they may be opened: not in the
    border of the map, nor in a wall of another such room.

    A room without a usable socket counts as a room without sockets.
    """
    from undercroft.templates.template import OUTSIDE

    layer, shared = np.zeros(shape, np.uint8), np.zeros(shape, np.int32)
    for room, left, top in rooms:
        walls = (room.tiles != OUTSIDE) & room.palette.rock[room.tiles]
        shared[top : top + room.height, left : left + room.width] += walls
    shared[[0, -1]] = shared[:, [0, -1]] = len(rooms) + 1
    for room, left, top in rooms:
        cells = [
            (left + socket.x + step * (socket.side in "NS"), top + socket.y + step * (socket.side in "EW"))
            for socket in room.sockets
            for step in range(socket.width)
        ]
        usable = [(x, y) for x, y in cells if shared[y, x] == 1]
        if usable:
            walls = (room.tiles != OUTSIDE) & room.palette.rock[room.tiles]
            part = layer[top : top + room.height, left : left + room.width]
            part[walls & (part == 0)] = SHUT
            for x, y in usable:
                layer[y, x] = SOCKET
    return layer
