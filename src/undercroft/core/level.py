"""A finished level: frozen, and independent of its generator."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core import drawing
from undercroft.core.flow import Flow, check_flow
from undercroft.core.frozen import freeze
from undercroft.core.level_parts import (
    LevelParts,
    as_read_only,
    check_ends,
    check_things,
    check_tiles,
    freeze_layers,
    freeze_path,
    freeze_regions,
    freeze_rows,
)
from undercroft.core.palette import STANDARD, Palette, look_up_tiles
from undercroft.core.passable import check_key_names, passable_cells
from undercroft.core.region import Door, Link, Region, Regions, Rows, Thing, view_doors, view_links
from undercroft.core.region_cells import find_middle_cell, list_region_cells, resolve_region
from undercroft.core.stairs import find_ends
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput
from undercroft.inputs import points
from undercroft.inputs.arguments import require_table, require_text, require_type
from undercroft.wording import format_number, format_value_briefly

if TYPE_CHECKING:
    from undercroft.core.graph import Graph
    from undercroft.core.tcod_arrays import TcodArrays

T = TypeVar("T")
Point = points.Point


class _ComputedParts:
    """What a level computes when it is first asked for, and keeps: the level never changes. These are no parts of it:
    they are neither pickled nor compared, and a copy computes its own.
    """

    __slots__ = ("_opaque", "_passable", "_rooms", "_walkable")

    _opaque: NDArray[np.bool_]
    _passable: NDArray[np.bool_]
    _rooms: tuple[Region, ...]
    _walkable: NDArray[np.bool_]


class Level(_ComputedParts):
    """Tiles with their palette, regions, doors, links, things, the path from start to end, further layers, and the
    provenance.

    >>> level = Level.parse('''
    ...     #####
    ...     #11.#
    ...     #####
    ... ''')
    >>> print(level)
    #####
    #...#
    #####
    >>> level.size, level.rooms[0].area
    ((5, 3), 2)
    """

    __slots__ = (
        "doors",
        "end",
        "flow",
        "layers",
        "links",
        "palette",
        "path",
        "provenance",
        "regions",
        "start",
        "things",
        "tiles",
        "title",
    )

    tiles: NDArray[np.uint8]
    """The codes of the tiles, as [y, x]."""
    palette: Palette
    """What the codes stand for."""
    regions: Regions
    """Rooms, corridors and caves, with their grid of labels."""
    doors: Rows[Door]
    """The doors between regions."""
    links: Rows[Link]
    """Which regions are joined, and how."""
    things: tuple[Thing, ...]
    """What stands in the rooms."""
    start: Point | None
    """The cell (x, y) where the way through begins."""
    end: Point | None
    """The cell where it ends."""
    path: NDArray[np.int32]
    """The cells (x, y) of the path from start to end; no rows if there is no path."""
    layers: Mapping[str, NDArray[Any]]
    """Further grids by name, as [y, x]."""
    provenance: Mapping[str, Any]
    """How it was made: recipe, seed, attempt, parameters, editions, version."""
    title: str
    """The name of the place; empty if it has none."""
    flow: Flow | None
    """The drawn graph that it was made from; None if there is none."""

    def __init__(
        self,
        tiles: NDArray[np.uint8],
        palette: Palette = STANDARD,
        *,
        regions: Regions | None = None,
        doors: Rows[Door] | None = None,
        links: Rows[Link] | None = None,
        things: Iterable[Thing] = (),
        start: Point | None = None,
        end: Point | None = None,
        path: NDArray[np.int32] | None = None,
        layers: Mapping[str, NDArray[Any]] | None = None,
        provenance: Mapping[str, Any] | None = None,
        title: str = "",
        flow: Flow | None = None,
    ) -> None:
        check_tiles(tiles, palette)
        start, end = check_ends(start, end, tiles.shape)
        if provenance is not None:
            require_table("provenance", provenance, 'for example {"recipe": "cave", "seed": "7"}')
        require_text("title", title)
        keep = object.__setattr__
        keep(self, "tiles", as_read_only(tiles))
        keep(self, "palette", palette)
        keep(self, "regions", freeze_regions(regions, tiles.shape))
        keep(self, "doors", freeze_rows("doors", doors, _NO_DOORS))
        keep(self, "links", freeze_rows("links", links, _NO_LINKS))
        keep(self, "things", tuple(check_things(things, tiles.shape)))
        keep(self, "start", start)
        keep(self, "end", end)
        keep(self, "path", freeze_path(path, tiles.shape))
        keep(self, "layers", freeze_layers(layers))
        keep(self, "provenance", freeze(provenance or {}))
        keep(self, "title", title)
        keep(self, "flow", check_flow(flow, tiles.shape))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(
            f"a level is frozen: {name} cannot be set; make a Draft.of(level), change that, and take its level()"
        )

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a level is frozen")

    def replace(self, **parts: Unpack[LevelParts]) -> Level:
        """A copy of the level with these parts replaced; None empties a part.

        >>> crypt = Level.parse("#.#").replace(title="Crypt", start=(1, 0))
        >>> crypt.title, crypt.start, crypt.end
        ('Crypt', (1, 0), None)
        """
        every: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        every.update(parts)
        # things that stay were checked before: there may be hundreds
        same = "things" not in parts and getattr(every["tiles"], "shape", None) == self.tiles.shape
        copy = Level(**{**every, "things": ()} if same else every)
        if same:
            object.__setattr__(copy, "things", self.things)
        return copy

    @classmethod
    def parse(cls, picture: str, palette: Palette = STANDARD) -> Level:
        """Parse a level from a picture. Digits are floor cells with that region label; the stairs `<` and `>` are the
        start and the end. Glyphs that stand for things in the palette are things.
        """
        require_text("picture", picture, "for example '#.#'")
        require_type("palette", palette, Palette, "a Palette", "for example undercroft.STANDARD")
        lines = drawing.dedented(picture)
        tiles, labels = drawing.parse_tiles(
            lines,
            palette,
            standing=drawing.tiles_below_things(palette),
            other_palette="for other glyphs, give a palette that has them: Level.parse(picture, palette)",
        )
        start, end = find_ends(tiles, palette)
        things = drawing.parse_things(lines, palette)
        return cls(tiles, palette, regions=Regions.of(labels), things=things, start=start, end=end)

    def __str__(self) -> str:
        return drawing.format_tiles(self.tiles, self.palette)

    def pretty_text(self) -> str:
        """The level as text for people, with the faces of its tiles instead of their glyphs."""
        return "\n".join("".join(self.palette.faces[code] for code in row) for row in self.tiles.tolist())

    def __repr__(self) -> str:
        what = self.provenance.get("recipe", "drawn")
        return f"<Level {self.width}x{self.height} {what}: rooms {len(self.rooms)}, doors {len(self.doors)}>"

    @property
    def width(self) -> int:
        """Cells from left to right."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """Cells from top to bottom."""
        return int(self.tiles.shape[0])

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height

    @property
    def walkable(self) -> NDArray[np.bool_]:
        """Which cells have a tile that can be walked on, as [y, x]. See `passable` for things and locks."""
        try:
            return self._walkable
        except AttributeError:
            return self._keep("_walkable", look_up_tiles(self.palette.walkable, self.tiles))

    @property
    def opaque(self) -> NDArray[np.bool_]:
        """Which cells block the view, as [y, x]."""
        try:
            return self._opaque
        except AttributeError:
            return self._keep("_opaque", look_up_tiles(self.palette.opaque, self.tiles))

    @property
    def passable(self) -> NDArray[np.bool_]:
        """Which cells can be entered without a key, as [y, x]: walkable, no part of a thing that blocks, not locked.
        Secret and one-way doors count as passable.
        """
        try:
            return self._passable
        except AttributeError:
            return self._keep("_passable", passable_cells(self))

    def passable_with(self, keys: str | Iterable[str]) -> NDArray[np.bool_]:
        """Which cells can be entered with the keys of these names, as [y, x]. The name of a key without a name, which
        opens locked doors without a lock, is the empty text.

        >>> level = Level.parse("..L.").replace(things=[Thing("lock", 2, 0, {"key": "red"})])
        >>> level.passable.astype(int).tolist(), level.passable_with(["red"]).astype(int).tolist()
        ([[1, 1, 0, 1]], [[1, 1, 1, 1]])
        """
        return passable_cells(self, check_key_names(keys))

    @property
    def rooms(self) -> Sequence[Region]:
        """All regions except corridors."""
        try:
            return self._rooms
        except AttributeError:
            return self._keep("_rooms", tuple(region for region in self.regions if region.kind != "corridor"))

    def room_at(self, x: int, y: int) -> Region | None:
        """The room of a cell, one of `rooms`; None in corridors, doors and rock. `regions.at` knows corridors too.

        >>> level = Level.parse("#11#.")
        >>> level.room_at(1, 0).area, level.room_at(0, 0)
        (2, None)
        """
        region = self.regions.at(x, y)
        return None if region is None or region.kind == "corridor" else region

    def cells(self, region: Region | int) -> NDArray[np.int32]:
        """The cells of a region, or of the one with that label, as rows (x, y) in reading order.

        >>> level = Level.parse("#11#.")
        >>> level.cells(level.rooms[0]).tolist()
        [[1, 0], [2, 0]]
        """
        return list_region_cells(self.regions, resolve_region(self.regions, region))

    def centre(self, region: Region | int) -> Point:
        """The walkable cell of a region that is nearest to its middle; a passable one, if it has some.

        >>> level = Level.parse("#11111#")
        >>> level.centre(level.rooms[0])
        (3, 0)
        >>> level.replace(things=[Thing("statue", 3, 0, {"blocks": True})]).centre(1)
        (2, 0)
        """
        found = resolve_region(self.regions, region)
        cells = list_region_cells(self.regions, found)
        for mask in (self.passable, self.walkable):
            inside = cells[mask[cells[:, 1], cells[:, 0]]]
            if len(inside):
                return find_middle_cell(inside)
        raise BadInput(
            f"region {found.label} has no walkable cell, and so no centre",
            fix="leave it out: level.cells() is empty" if not len(cells) else "take one of level.cells() instead",
        )

    def _keep(self, name: str, value: T) -> T:
        """Keep a computed part. Two threads may compute it at the same time, and find the same."""
        object.__setattr__(self, name, value)
        return value

    @property
    def graph(self) -> Graph:
        """Regions, links and doors as a graph."""
        from undercroft.core.graph import Graph  # many levels are made and written without it

        return Graph(self.regions, self.links, self.doors, self.things, start=self.start, end=self.end)

    def save(self, path: str | Path, format: str | None = None, **options: Any) -> None:  # noqa: A002
        """Write the level to a file, in the format of its suffix."""
        from undercroft.formats import save

        save(self, path, format, **options)

    def to_tcod(self, order: str = "C") -> TcodArrays:
        """The level as arrays for python-tcod: `walkable`, `transparent`, `cost` and `rgb`, [y, x] in the order "C" and
        [x, y] in the order "F".

        >>> found = Level.parse("#+~").to_tcod(order="F")
        >>> found.walkable.shape, found.walkable[:, 0].tolist(), found.transparent[:, 0].tolist()
        ((3, 1), [False, True, False], [False, False, True])
        >>> chr(found.rgb["ch"][0, 0])
        '█'
        """
        from undercroft.core.tcod_arrays import build_tcod_arrays  # only needed for tcod

        return build_tcod_arrays(self, order)

    def __eq__(self, other: object) -> bool:
        """Equal in everything except provenance."""
        if not isinstance(other, Level):
            return NotImplemented
        return (
            np.array_equal(self.tiles, other.tiles)
            and self.palette == other.palette
            and self.regions == other.regions
            and self.doors == other.doors
            and self.links == other.links
            and self.things == other.things
            and (self.start, self.end, self.title, self.flow) == (other.start, other.end, other.title, other.flow)
            and np.array_equal(self.path, other.path)
            and self.layers.keys() == other.layers.keys()
            and all(np.array_equal(layer, other.layers[name]) for name, layer in self.layers.items())
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        """Pickle compactly: the grids are compressed."""
        grids: dict[str, NDArray[Any]] = {
            "tiles": self.tiles,
            "labels": self.regions.labels,
            "path": self.path,
            **{f"layer {name}": layer for name, layer in self.layers.items()},
        }
        regions = self.regions
        rest = (
            *(
                self.palette,
                regions.table,
                regions.tags,
                regions.templates,
                regions.names,
                self.doors.table,
                self.links.table,
            ),
            *(self.things, self.start, self.end, dict(self.provenance), self.title, self.flow),
        )
        return _unpickle_level, (
            {name: (grid.dtype.str, grid.shape, zlib.compress(grid.tobytes(), 1)) for name, grid in grids.items()},
            rest,
        )

    drawn = RenamedMember("drawn", "parse")
    shown = RenamedMember("shown", "pretty_text")


_NO_DOORS, _NO_LINKS = view_doors(), view_links()


def _unpickle_level(packed: dict[str, tuple[str, tuple[int, ...], bytes]], rest: tuple[Any, ...]) -> Level:
    grids = {
        name: np.frombuffer(zlib.decompress(data), kind).reshape(shape).copy()
        for name, (kind, shape, data) in packed.items()
    }
    palette, table, tags, templates, names, door_rows, link_rows, things, start, end, provenance, title, flow = rest
    return Level(
        grids["tiles"],
        palette,
        regions=Regions(grids["labels"], table, tags, templates, names),
        doors=view_doors(door_rows),
        links=view_links(link_rows),
        things=things,
        start=start,
        end=end,
        path=grids["path"],
        layers={name.removeprefix("layer "): grid for name, grid in grids.items() if name.startswith("layer ")},
        provenance=provenance,
        title=title,
        flow=flow,
    )


def check_level_size(size: tuple[int, int] | Sequence[int], max_cells: int | None = None) -> tuple[int, int]:
    """Return a size as (width, height); raise an error that explains sizes if it is not one."""
    try:
        width, height = size
        whole = type(size) is tuple and type(width) is type(height) is int  # as most callers give it
        if not whole:
            width, height = map(int, size)
            whole = (width, height) == tuple(size) and isinstance(size, (Sequence, np.ndarray))
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise BadInput(
            f"a size is two whole numbers, width and height, not {format_value_briefly(size)}",
            fix="for example (80, 50)",
        )
    if width < 1 or height < 1:
        raise BadInput(
            f"a level of {format_number(width)}x{format_number(height)} has no cells", fix="both sides are at least 1"
        )
    limits.SIDE.check(max(width, height), "the longer side")
    if max_cells is not None:
        limits.KERNEL_CELLS.check(max_cells, "the limit of cells asked for")
    if width * height > (limits.CELLS.value if max_cells is None else max_cells):
        cap = limits.CELLS if max_cells is None else limits.CELLS._replace(value=max_cells)
        cap.check(width * height, f"the number of cells of {width}x{height}")
    return width, height
