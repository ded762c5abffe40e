"""The objects of a Tiled layer as a table, so that a hundred thousand of them can be written quickly as TMX or TMJ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
JSON_KIND = "json"
"""The kind of a property whose text is a list or a table as JSON. Its type is `string` for other programs."""


class PropertyColumn(NamedTuple):
    """A property that all objects have; its kind is `int`, `bool`, `string` or `object`, the id of another object."""

    name: str
    kind: str
    values: Sequence[Any]


class Property(NamedTuple):
    """A property of one object. The value of a `float` is its text, so that equal properties give equal text. So is the
    value of a list or table, whose kind is `json`.
    """

    name: str
    kind: str
    value: str | int | bool


class Points(NamedTuple):
    """The points of several lines, one after the other: the number of points of each, and rows of x and y in pixels
    from the place of its object.
    """

    counts: Numbers
    rows: Numbers


class ObjectTable(NamedTuple):
    """Objects of the same form, column by column. Places and sizes are in pixels."""

    ids: Sequence[int]
    types: Sequence[str]
    x: Sequence[int]
    y: Sequence[int]
    names: Sequence[str] = ()
    sizes: tuple[Sequence[int], Sequence[int]] | None = None
    gids: Sequence[int] = ()
    shape: str = ""
    """`point`, `polygon` or `polyline`; empty for rectangles and tiles."""
    points: Points | None = None
    properties: Sequence[PropertyColumn] = ()
    further: Sequence[tuple[Property, ...]] = ()
    """Properties that only some of them have."""


class ObjectLayer(NamedTuple):
    """A layer of objects."""

    name: str
    colour: str
    shown: bool
    objects: Sequence[ObjectTable]
