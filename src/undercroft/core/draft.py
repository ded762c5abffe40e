"""A level while it is being made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.level import Level, Point
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Door, Link, Regions, Rows, Thing, view_doors, view_links

LAYER_FACTS = ("split", "choke", "sockets", "tunnel")
"""Facts that are layers of the same name."""
TILE_FACTS = ("regions", "doors", "links", "ends", "path", "locks", *LAYER_FACTS)
"""Facts about tiles: once those change, nobody knows whether they are true. "locks" is that what a solver proved of
locks and keys still holds.
"""
FACTS = ("tiles", *TILE_FACTS, "things")
"""What a draft may hold. Steps say which of these they need, give and spoil. Doors are a table, and on a room grid a
layer: the sides of each room.
"""


class Draft:
    """Mutable. `frozen` is a mask of cells that must stay as they are, whatever the steps do; None for no such cell.

    `wanted` is the width and height that were asked for while a step has the map at another scale, as in a room grid;
    else None. Layers that are no facts belong to whoever put them there: steps that write on the map leave them be, and
    `begin_anew` drops them.
    """

    __slots__ = (
        "doors",
        "end",
        "frozen",
        "layers",
        "links",
        "palette",
        "path",
        "regions",
        "start",
        "things",
        "tiles",
        "title",
        "wanted",
    )

    def __init__(self, width: int, height: int, palette: Palette = STANDARD, fill: str = "wall") -> None:
        self.palette = palette
        self.tiles: NDArray[np.uint8] = np.empty((height, width), np.uint8)
        self.tiles.fill(palette.role(fill))
        self.frozen: NDArray[np.bool_] | None = None
        self.wanted: Point | None = None
        self.layers: dict[str, NDArray[Any]] = {}
        self.things: list[Thing] = []
        self.title = ""
        self.regions = self.start = self.end = self.path = None
        self.doors, self.links = view_doors(), view_links()

    @classmethod
    def of(cls, level: Level) -> Draft:
        """A draft that begins as the level is."""
        draft = cls.__new__(cls)
        draft.palette = level.palette
        draft.tiles = level.tiles.copy()
        draft.frozen = draft.wanted = None
        draft.layers = {name: layer.copy() for name, layer in level.layers.items()}
        draft.things = list(level.things)
        draft.regions = level.regions if len(level.regions) else None
        draft.doors = view_doors(level.doors.table)
        draft.links = view_links(level.links.table)
        draft.start, draft.end, draft.path = level.start, level.end, level.path
        draft.title = level.title
        return draft

    regions: Regions | None
    doors: Rows[Door]
    links: Rows[Link]
    start: Point | None
    end: Point | None
    path: NDArray[np.int32] | None

    @property
    def width(self) -> int:
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        return int(self.tiles.shape[0])

    def __str__(self) -> str:
        from undercroft.core.drawing import format_tiles

        return format_tiles(self.tiles, self.palette)

    def begin_anew(self, tiles: NDArray[np.uint8], palette: Palette) -> None:
        """Take other tiles in place of those that are there, and forget all that was about them. What is frozen stays
        so on a map of the same size.
        """
        if tiles.shape != self.tiles.shape:
            self.frozen = None
        self.tiles, self.palette, self.layers, self.title = tiles, palette, {}, ""
        self.forget(FACTS)

    def forget(self, facts: Iterable[str]) -> None:
        """Drop what is no longer true. Things on frozen cells stay: their ground is what it was."""
        for fact in facts:
            if fact == "regions":
                self.regions = None
            elif fact == "doors":
                self.doors = view_doors()
                self.layers.pop("doors", None)
            elif fact == "links":
                self.links = view_links()
            elif fact == "ends":
                self.start = self.end = None
            elif fact == "path":
                self.path = None
            elif fact == "things":
                self.things = (
                    [] if self.frozen is None else [thing for thing in self.things if self.frozen[thing.y, thing.x]]
                )
                self.title = ""  # things go when the map is another, and another map is another place
            elif fact in LAYER_FACTS:
                self.layers.pop(fact, None)

    def level(self, provenance: Mapping[str, Any] | None = None) -> Level:
        """The finished level. It takes the draft's arrays over without copying them: the draft is used up."""
        regions = self.regions
        path = self.path
        for array in (
            self.tiles,
            path,
            self.doors.table,
            self.links.table,
            *self.layers.values(),
            *((regions.labels, regions.table) if regions else ()),
        ):
            if array is not None and array.base is None:
                array.setflags(write=False)
        return Level(
            self.tiles,
            self.palette,
            regions=regions,
            doors=self.doors,
            links=self.links,
            things=self.things,
            start=self.start,
            end=self.end,
            path=path,
            layers=self.layers,
            provenance=provenance,
            title=self.title,
        )
