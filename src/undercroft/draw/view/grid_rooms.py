"""Expand room grids for drawing: each cell becomes a room of squares with doors in its walls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.room_grids import plan_room_grid
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Link, Regions, Rows
from undercroft.draw.scene.scene import Scene, Shape, TextMark

SQUARES_PER_ROOM = 8
"""The squares from one room to the next: seven of floor, and one of wall."""
LINK_ROLES = {"open": "opening", "door": "door", "one-way": "door", "locked": "locked", "secret": "secret"}
"""The role of the tile in the wall, by the kind of the link."""


def expand_rooms(level: Level) -> Level:
    """The same rooms, each with a wall and seven squares.

    >>> from undercroft.formats import loads
    >>> print(expand_rooms(loads(b"23", "text:grid")))
    #################
    #.......#.......#
    #.......#.......#
    #.......#.......#
    #...<...+...>...#
    #.......#.......#
    #.......#.......#
    #.......#.......#
    #################
    """
    rooms = ~level.palette.role_mask("void", "wall")[level.tiles]
    found = plan_room_grid(rooms)
    regions = level.regions if len(level.regions) else found.regions
    labels = _expand_labels(regions.labels)
    table = regions.table.copy()
    for side in ("x", "y"):
        table[side] = table[side] * SQUARES_PER_ROOM + 1
    for side in ("width", "height"):
        table[side] = table[side] * SQUARES_PER_ROOM - 1
    table["area"] = np.bincount(labels.reshape(-1), minlength=len(table) + 1)[1:]
    tiles = np.where(labels > 0, STANDARD.role("floor"), STANDARD.role("wall")).astype(np.uint8)
    links = level.links if len(level.links) else found.links
    _place_doors(tiles, regions, links)
    ends = [
        None
        if point is None
        else (point[0] * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2, point[1] * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2)
        for point in (level.start, level.end)
    ]
    for point, role in zip(ends, ("entry", "exit"), strict=True):
        if point is not None:
            tiles[point[1], point[0]] = STANDARD.role(role)
    return Level(
        tiles,
        regions=Regions(labels, table, regions.tags, regions.templates, regions.names),
        links=links,
        things=[
            thing._replace(
                x=thing.x * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2 + 1,
                y=thing.y * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2 + 1,
            )
            for thing in level.things
        ],
        start=ends[0],
        end=ends[1],
        path=_expand_path(level.path),
        provenance=level.provenance,
        title=level.title,
    )


def render_shrunk(draw: Callable[[Level], Scene], level: Level) -> Scene:
    """The scene of the expanded rooms, scaled so that one room is one cell."""
    scene = draw(expand_rooms(level))
    share = 1 / SQUARES_PER_ROOM
    small = Scene(
        (scene.width - 1) * share,
        (scene.height - 1) * share,
        scene.ground,
        left=(scene.left - 0.5) * share,
        top=(scene.top - 0.5) * share,
    )
    small.notes = scene.notes
    small.texts = [TextMark(text.kind, text.text, *(side * share for side in text[2:])) for text in scene.texts]
    small.clips = {name: [line * share for line in lines] for name, lines in scene.clips.items()}
    for item in scene.items:
        if isinstance(item, Shape):
            small.items.append(_scale_shape(item, share))
        else:
            shapes = tuple(_scale_shape(shape, share) for shape in item.shapes)
            small.items.append(item._replace(change=_scale_effect(item.change), shapes=shapes))
    return small


def _scale_shape(shape: Shape, share: float) -> Shape:
    return shape._replace(
        lines=[line * share for line in shape.lines],
        width=shape.width * share,
        dash=tuple(length * share for length in shape.dash),
    )


def _scale_effect(
    change: Callable[[NDArray[np.uint8], int], NDArray[np.uint8]],
) -> Callable[[NDArray[np.uint8], int], NDArray[np.uint8]]:
    return lambda pixels, cell: change(pixels, max(1, cell // SQUARES_PER_ROOM))


def _expand_labels(labels: NDArray[np.int32]) -> NDArray[np.int32]:
    """The labels of the squares: a cell's label inside it, and between two cells of one room."""
    height, width = labels.shape
    fine = np.zeros((height * SQUARES_PER_ROOM + 1, width * SQUARES_PER_ROOM + 1), np.int32)
    fine[:-1, :-1] = np.repeat(np.repeat(labels, SQUARES_PER_ROOM, axis=0), SQUARES_PER_ROOM, axis=1)
    before = np.zeros_like(fine)
    before[:, 1:] = fine[:, :-1]
    fine[:, ::SQUARES_PER_ROOM][before[:, ::SQUARES_PER_ROOM] != fine[:, ::SQUARES_PER_ROOM]] = 0
    before[:] = 0
    before[1:] = fine[:-1]
    fine[::SQUARES_PER_ROOM][before[::SQUARES_PER_ROOM] != fine[::SQUARES_PER_ROOM]] = 0
    return fine


def _place_doors(tiles: NDArray[np.uint8], regions: Regions, links: Rows[Link]) -> None:
    """Place a door in the wall between linked rooms that are neighbours."""
    labels = regions.labels
    kinds = {frozenset((link.a, link.b)): link.kind for link in links}
    half = SQUARES_PER_ROOM // 2
    for down, right in ((0, 1), (1, 0)):
        here, there = labels[: labels.shape[0] - down, : labels.shape[1] - right], labels[down:, right:]
        for y, x in np.argwhere((here > 0) & (there > 0) & (here != there)).tolist():
            kind = kinds.get(frozenset((int(here[y, x]), int(there[y, x]))))
            if kind is not None:
                tiles[
                    y * SQUARES_PER_ROOM + (SQUARES_PER_ROOM if down else half),
                    x * SQUARES_PER_ROOM + (SQUARES_PER_ROOM if right else half),
                ] = STANDARD.role(LINK_ROLES[kind])


def _expand_path(path: NDArray[np.int32]) -> NDArray[np.int32]:
    """The path through the centres of rooms, square by square."""
    if len(path) < 2:
        return path * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2
    steps = np.repeat(np.diff(path, axis=0), SQUARES_PER_ROOM, axis=0)
    return np.concatenate(
        [
            path[:1] * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2,
            path[:1] * SQUARES_PER_ROOM + SQUARES_PER_ROOM // 2 + np.cumsum(steps, axis=0),
        ]
    ).astype(np.int32)
