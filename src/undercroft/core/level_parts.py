"""Check and freeze what a level is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from undercroft.core.flow import Flow
from undercroft.core.frozen import freeze
from undercroft.core.palette import Palette
from undercroft.core.region import Door, FrozenRegions, Link, Regions, Rows, Thing
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_list, require_type
from undercroft.inputs.points import Point, as_point, check_point
from undercroft.wording import format_value_briefly


class LevelParts(TypedDict, total=False):
    """The parts of a level, as the keywords of `Level.replace`."""

    tiles: NDArray[np.uint8]
    palette: Palette
    regions: Regions | None
    doors: Rows[Door] | None
    links: Rows[Link] | None
    things: Iterable[Thing]
    start: Point | None
    end: Point | None
    path: NDArray[np.int32] | None
    layers: Mapping[str, NDArray[Any]] | None
    provenance: Mapping[str, Any] | None
    title: str
    flow: Flow | None


def as_read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself if it is read-only, else a read-only copy."""
    if array.flags.writeable or array.base is not None:
        array = array.copy()
        array.setflags(write=False)
    return array


NO_PATH = as_read_only(np.zeros((0, 2), np.int32))


def check_tiles(tiles: Any, palette: Any) -> None:
    """Raise if these are no tiles of that palette."""
    require_type("palette", palette, Palette, "a Palette", "for example undercroft.STANDARD")
    if not isinstance(tiles, np.ndarray):
        raise BadInput(
            f"tiles are a NumPy array of uint8, not {format_value_briefly(tiles)}",
            fix="for example np.ones((height, width), np.uint8), or Level.parse(picture)",
        )
    if tiles.ndim != 2 or tiles.dtype != np.uint8 or not tiles.size:
        raise BadInput(
            f"tiles are a grid of uint8 with at least one cell, not {tiles.dtype} {tiles.shape}",
            fix="make them [height, width], with the codes of the palette",
        )
    if np.maximum.reduce(tiles, axis=None) >= len(palette):
        raise BadInput(
            f"tile code {tiles.max()} is not in {palette}", fix=f"its codes are from 0 to {len(palette) - 1}"
        )


def check_ends(start: Any, end: Any, shape: tuple[int, ...]) -> tuple[Point | None, Point | None]:
    """Start and end as plain points; None stays."""
    height, width = shape
    return (
        None if start is None else check_point(start, width, height, "the start"),
        None if end is None else check_point(end, width, height, "the end"),
    )


def freeze_regions(regions: Any, shape: tuple[int, ...]) -> FrozenRegions:
    """The regions, which cannot be changed any more; none if `regions` is None."""
    if regions is None:
        regions = Regions.empty(shape[0], shape[1])
    require_type(
        "regions", regions, Regions, "Regions", "take those of a level, or leave them out and call undercroft.survey"
    )
    if regions.labels.shape != shape:
        raise BadInput(
            f"labels of the shape {regions.labels.shape} do not fit tiles of {shape}",
            fix="take regions of a map of that size, or None",
        )
    return FrozenRegions(
        as_read_only(regions.labels),
        as_read_only(regions.table),
        freeze(regions.tags),
        freeze(regions.templates),
        freeze(regions.names),
    )


def freeze_rows(what: str, rows: Any, empty: Rows[Any]) -> Rows[Any]:
    """The table of doors or links, which cannot be changed any more; `empty` if it has no rows."""
    if rows is None or rows is empty:
        return empty
    if not isinstance(rows, Rows) or rows.table.dtype != empty.table.dtype:
        raise BadInput(
            f"{what} are the rows that a level or a survey has, not {format_value_briefly(rows)}",
            fix=f"take level.{what} or undercroft.survey(level).{what}, or None",
        )
    return empty.with_table(as_read_only(rows.table)) if len(rows) else empty


def freeze_path(path: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """The cells of a path, which cannot be changed any more. An array of the type int32 that is read-only already is
    that of a level or of a step, and is not checked again.
    """
    if path is None:
        return NO_PATH
    if not isinstance(path, np.ndarray) or path.ndim != 2 or path.shape[1] != 2 or path.dtype.kind not in "iu":
        shown = f"{path.dtype} {path.shape}" if isinstance(path, np.ndarray) else format_value_briefly(path)
        raise BadInput(
            f"a path is an array of whole numbers with rows (x, y), not {shown}",
            fix="for example np.array([[1, 1], [2, 1]], np.int32)",
        )
    if path.flags.writeable or path.dtype != np.int32:
        check_path(path, shape)
        path = path.astype(np.int32)
    return as_read_only(path)


def check_path(path: NDArray[Any], shape: tuple[int, ...]) -> None:
    """Raise if a path leaves a level of this shape.

    >>> check_path(np.array([(0, 0), (3, 0)]), (1, 3))
    Traceback (most recent call last):
    undercroft.errors.BadInput: the path leaves the level at (3, 0): the level is 3x1
      fix: x is from 0 to 2, y is from 0 to 0
    """
    height, width = shape
    outside = np.flatnonzero(((path < 0) | (path >= (width, height))).any(axis=1))
    if len(outside):
        x, y = path[outside[0]].tolist()
        raise BadInput(
            f"the path leaves the level at ({x}, {y}): the level is {width}x{height}",
            fix=f"x is from 0 to {width - 1}, y is from 0 to {height - 1}",
        )


def freeze_layers(layers: Any) -> Mapping[str, NDArray[Any]]:
    """The layers, which cannot be changed any more."""
    if layers is None:
        return _NO_LAYERS
    if type(layers) is not dict:  # the rule, as in `require_table`
        fix = 'for example {"height": np.zeros(level.tiles.shape)}'
        require_type("layers", layers, Mapping, "a table of arrays", fix)
    if not layers:
        return _NO_LAYERS
    for name, layer in layers.items():
        if not isinstance(name, str) or not isinstance(layer, np.ndarray):
            raise BadInput(
                f"a layer is a text and a NumPy array, not {format_value_briefly(name)} and "
                f"{format_value_briefly(layer)}",
                fix='for example {"height": np.zeros(level.tiles.shape)}',
            )
    return MappingProxyType({name: as_read_only(layer) for name, layer in layers.items()})


_NO_LAYERS: Mapping[str, NDArray[Any]] = MappingProxyType({})


def check_things(things: Any, shape: tuple[int, ...]) -> Iterator[Thing]:
    """The things, at plain points. Raises if one is none, or outside the level."""
    height, width = shape
    for thing in require_list("things", things, 'for example [Thing("chest", 4, 2)]'):
        if not isinstance(thing, Thing):
            raise BadInput(
                f"a thing is Thing(kind, x, y, data), not {format_value_briefly(thing)}",
                fix='for example Thing("key", 4, 2, {"opens": "red"})',
            )
        x, y = as_point((thing.x, thing.y), f"the place of the {thing.kind}")
        check_point((x, y), width, height, f"the {thing.kind} at")
        yield thing if type(thing.x) is type(thing.y) is int else Thing(thing.kind, x, y, thing.data)
