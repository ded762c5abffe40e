"""The parts of a level as values of a row, and back: regions, doors, links and things."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.frozen import thaw
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.region import (
    DOOR_DTYPE,
    DOOR_STATES,
    LINK_DTYPE,
    LINK_KINDS,
    REGION_DTYPE,
    REGION_KINDS,
    Regions,
    Thing,
    view_doors,
    view_links,
)
from undercroft.inputs.json import format_json

LABEL_BYTES = 4
"""The bytes of a label: a whole number with a sign, the lowest byte first."""
_LABEL_TYPE = np.dtype("<i4")


def encode_tables(level: Level) -> list[list[tuple[Any, ...]]]:
    """The rows of the columns `regions`, `door_cells`, `links` and `things`. They are built from the tables of the
    level: its objects would take ten times as long.
    """
    regions, doors, links = level.regions, level.doors.table.tolist(), level.links.table.tolist()
    tags, templates, names = regions.tags, regions.templates, regions.names
    return [
        [
            (label, REGION_KINDS[kind], *box, list(tags.get(label, ())), templates.get(label, ""), names.get(label, ""))
            for label, (kind, *box) in enumerate(regions.table.tolist(), 1)
        ],
        [(x, y, a, b, DOOR_STATES[state]) for x, y, a, b, state in doors],
        [(a, b, LINK_KINDS[kind], door, carved) for a, b, kind, door, carved in links],
        [(thing.kind, thing.x, thing.y, format_json(thaw(thing.data)) if thing.data else "") for thing in level.things],
    ]


def encode_labels(level: Level) -> bytes:
    """The label of each cell's region, row by row."""
    return level.regions.labels.astype(_LABEL_TYPE, copy=False).tobytes()


def build_level(row: Mapping[str, Any], palette: Palette, provenance: Mapping[str, Any]) -> Level:
    """The level of a row with tiles. Rows of the old layout have only tiles, start and end. Raises `ValueError`,
    `KeyError` or `TypeError` if something is odd.
    """
    height, width = row["height"], row["width"]
    tiles = np.frombuffer(row["tiles"], np.uint8).reshape(height, width)
    if tiles.max() >= len(palette):
        raise ValueError(f"there is no tile {tiles.max()} in the palette {palette.name}")
    start, end = ((row[f"{name}_x"], row[f"{name}_y"]) for name in ("start", "end"))
    level = Level(
        tiles,
        palette,
        start=None if start[0] is None else start,
        end=None if end[0] is None else end,
        provenance=provenance,
    )
    if "labels" not in row:
        return level
    labels = np.frombuffer(row["labels"], _LABEL_TYPE).reshape(height, width).astype(np.int32)
    doors, links = (_build_table(row[name], *shape) for name, shape in _TABLE_SHAPES.items())
    return level.replace(
        regions=_build_regions(labels, row["regions"]),
        doors=view_doors(_check_cells(doors, width, height)),
        links=view_links(_check_doors(links, len(doors))),
        things=tuple(_build_thing(values, width, height) for values in row["things"]),
    )


_TABLE_SHAPES = {"door_cells": (DOOR_DTYPE, 4, DOOR_STATES), "links": (LINK_DTYPE, 2, LINK_KINDS)}
"""The type of a table's rows, and which value is a word of which list."""


def _build_table(rows: list[Any], row_type: np.dtype[Any], place: int, words: tuple[str, ...]) -> NDArray[Any]:
    return np.array([(*row[:place], words.index(row[place]), *row[place + 1 :]) for row in rows], row_type)


def _check_cells(doors: NDArray[Any], width: int, height: int) -> NDArray[Any]:
    if len(doors) and not (
        doors["x"].min() >= 0 and doors["x"].max() < width and doors["y"].min() >= 0 and doors["y"].max() < height
    ):
        raise ValueError("a door is outside the level")
    return doors


def _check_doors(links: NDArray[Any], doors: int) -> NDArray[Any]:
    if len(links) and not -1 <= links["door"].min() <= links["door"].max() < doors:
        raise ValueError("a link goes through a door that is not there")
    return links


def _build_regions(labels: NDArray[np.int32], rows: list[Any]) -> Regions:
    if [row[0] for row in rows] != list(range(1, len(rows) + 1)) or (labels < 0).any() or labels.max() > len(rows):
        raise ValueError("the labels of the regions are others")
    table = np.array([(REGION_KINDS.index(row[1]), *row[2:7]) for row in rows], REGION_DTYPE)
    if not np.array_equal(np.bincount(labels.reshape(-1), minlength=len(rows) + 1)[1:], table["area"]):
        raise ValueError("the areas of the regions are others")
    words = [{row[0]: row[place] for row in rows if row[place]} for place in (7, 8, 9)]
    return Regions(labels, table, {label: tuple(map(str, tags)) for label, tags in words[0].items()}, *words[1:])


def _build_thing(row: tuple[Any, ...], width: int, height: int) -> Thing:
    kind, x, y, data = row
    found = json.loads(data) if data else {}
    if not (0 <= x < width and 0 <= y < height and isinstance(found, dict)):
        raise ValueError("a thing is outside the level, or its data is no table")
    return Thing(kind, x, y, found)
