"""The editable state of a level while steps build it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.arguments import require_level, require_palette
from undercroft.core.flow import Flow
from undercroft.core.level import Level, Point, check_level_size
from undercroft.core.level_parts import check_tiles
from undercroft.core.palette import STANDARD, Palette
from undercroft.core.region import Door, Link, Regions, Rows, Thing, view_doors, view_links
from undercroft.inputs.arguments import require_list, require_name
from undercroft.limits import KERNEL_CELLS, SIDE

LAYER_FACTS = ("split", "choke", "sockets", "tunnel")
"""Facts that are stored as layers of the same name."""
TILE_FACTS = ("regions", "doors", "links", "ends", "path", "locks", *LAYER_FACTS)
"""Facts that depend on the tiles: a change of tiles can make them false. "locks" states that the solver's proof about
locks and keys still holds.
"""
FACTS = ("tiles", *TILE_FACTS, "things", "flow")
"""The facts that a draft can hold. Steps declare which of them they need, give and spoil. Doors are a table; on a room
grid they are a layer with the sides of each room. A flow is what the map is to become: no change of tiles makes it
false.
"""
_KNOWN = frozenset(FACTS)


class Draft:
    """A mutable level. `frozen` is a mask of cells that no step may change, or None.

    `wanted` is the requested width and height while a step holds the map at another scale, as in a room grid; otherwise
    None. Layers that are not facts belong to the code that added them: steps that write on the map keep them, and
    `begin_anew` drops them.
    """

    __slots__ = (
        "doors",
        "end",
        "flow",
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
        if not (type(width) is type(height) is int and 0 < width <= SIDE.value >= height > 0):
            width, height = check_level_size((width, height), KERNEL_CELLS.value)
        KERNEL_CELLS.check(width * height, "the number of cells of a draft")
        require_palette("palette", palette)
        self.palette = palette
        """What the codes of the tiles stand for."""
        self.tiles: NDArray[np.uint8] = np.empty((height, width), np.uint8)
        """The codes of the tiles, as [y, x]."""
        self.tiles.fill(palette.role(fill))
        self.frozen: NDArray[np.bool_] | None = None
        """Cells that must stay as they are, as [y, x]."""
        self.wanted: Point | None = None
        """The size that was asked for, while the map has another scale."""
        self.layers: dict[str, NDArray[Any]] = {}
        """Further grids by name, as [y, x]."""
        self.things: list[Thing] = []
        """What stands on the map."""
        self.title = ""
        """What the place is called."""
        self.regions = self.start = self.end = self.path = self.flow = None
        self.doors, self.links = view_doors(), view_links()

    @classmethod
    def of(cls, level: Level) -> Draft:
        """A draft with the contents of the level."""
        require_level("level", level)
        draft = cls.__new__(cls)
        draft.palette = level.palette
        draft.tiles = level.tiles.copy()
        draft.frozen = draft.wanted = None
        draft.layers = {name: layer.copy() for name, layer in level.layers.items()}
        draft.things = list(level.things)
        draft.regions = level.regions.copy() if len(level.regions) else None
        draft.doors = view_doors(level.doors.table)
        draft.links = view_links(level.links.table)
        draft.start, draft.end, draft.path = level.start, level.end, level.path
        draft.title, draft.flow = level.title, level.flow
        return draft

    regions: Regions | None
    """Rooms, corridors and caves; None if nobody has found them yet."""
    doors: Rows[Door]
    """The doors between regions."""
    links: Rows[Link]
    """Which regions are joined or shall be, and how."""
    start: Point | None
    """The cell (x, y) where the way through begins."""
    end: Point | None
    """The cell where it ends."""
    path: NDArray[np.int32] | None
    """The cells (x, y) of the way from start to end."""
    flow: Flow | None
    """The drawn graph that it is to become, or was made from."""

    @property
    def width(self) -> int:
        """Cells from left to right."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """Cells from top to bottom."""
        return int(self.tiles.shape[0])

    def __str__(self) -> str:
        from undercroft.core.drawing import format_tiles

        return format_tiles(self.tiles, self.palette)

    def begin_anew(self, tiles: NDArray[np.uint8], palette: Palette) -> None:
        """Replace the tiles, and drop every fact about the old ones. The frozen mask stays if the size is the same."""
        check_tiles(tiles, palette)
        if tiles.shape != self.tiles.shape:
            self.frozen = None
        self.tiles, self.palette, self.layers, self.title = tiles, palette, {}, ""
        self.forget(FACTS)

    def forget(self, facts: Iterable[str]) -> None:
        """Drop facts that are no longer true. Things on frozen cells stay, because the tiles under them did not
        change.
        """
        if type(facts) is not tuple:
            facts = tuple(require_list("facts", facts, 'for example ["regions"]'))
        for fact in facts:
            if type(fact) is not str or fact not in _KNOWN:
                require_name("fact", fact, FACTS)
        if "regions" in facts:
            self.regions = None
        if "doors" in facts:
            self.doors = view_doors()
            self.layers.pop("doors", None)
        if "links" in facts:
            self.links = view_links()
        if "ends" in facts:
            self.start = self.end = None
        if "path" in facts:
            self.path = None
        if "flow" in facts:
            self.flow = None
        if "things" in facts:
            self.things = (
                [] if self.frozen is None else [thing for thing in self.things if self.frozen[thing.y, thing.x]]
            )
            self.title = ""  # a new map drops its things, and the title named the old map
        for layer in LAYER_FACTS if self.layers else ():
            if layer in facts:
                self.layers.pop(layer, None)

    def level(self, provenance: Mapping[str, Any] | None = None) -> Level:
        """The finished level. It takes over the draft's arrays without copying them, so do not use the draft
        afterwards.
        """
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
            flow=self.flow,
        )
