"""A finished level: frozen, and independent of its generator."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core import drawing
from undercroft.core.frozen import freeze
from undercroft.core.graph import Graph
from undercroft.core.palette import STANDARD, Palette, look_up_tiles
from undercroft.core.region import Door, FrozenRegions, Link, Region, Regions, Rows, Thing, view_doors, view_links
from undercroft.core.stairs import find_ends
from undercroft.core.tcod_arrays import TcodArrays, build_tcod_arrays
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput
from undercroft.wording import format_number

Point = tuple[int, int]


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


class Level:
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
    ) -> None:
        if tiles.ndim != 2 or tiles.dtype != np.uint8 or not tiles.size:
            raise ValueError(f"tiles are a grid of uint8 with at least one cell, not {tiles.dtype} {tiles.shape}")
        if np.maximum.reduce(tiles, axis=None) >= len(palette):
            raise ValueError(f"tile code {tiles.max()} is not in {palette}")
        if regions is not None and regions.labels.shape != tiles.shape:
            raise ValueError(f"labels of the shape {regions.labels.shape} do not fit tiles of {tiles.shape}")
        for point in (start, end):
            if point is not None and not (0 <= point[0] < tiles.shape[1] and 0 <= point[1] < tiles.shape[0]):
                raise ValueError(f"{point} is outside the level")
        keep = object.__setattr__
        keep(self, "tiles", _as_read_only(tiles))
        keep(self, "palette", palette)
        regions = regions or Regions.empty(*tiles.shape)
        keep(
            self,
            "regions",
            FrozenRegions(
                _as_read_only(regions.labels),
                _as_read_only(regions.table),
                freeze(regions.tags),
                freeze(regions.templates),
                freeze(regions.names),
            ),
        )
        keep(
            self, "doors", _view_doors() if doors is None or not len(doors) else _view_doors(_as_read_only(doors.table))
        )
        keep(
            self, "links", _view_links() if links is None or not len(links) else _view_links(_as_read_only(links.table))
        )
        keep(self, "things", tuple(_check_things(things, *tiles.shape)))
        keep(self, "start", start)
        keep(self, "end", end)
        keep(self, "path", _NO_PATH if path is None else _as_read_only(path))
        keep(self, "layers", MappingProxyType({name: _as_read_only(layer) for name, layer in (layers or {}).items()}))
        keep(self, "provenance", freeze(provenance or {}))
        keep(self, "title", title)

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
        return Level(**every)

    @classmethod
    def parse(cls, picture: str, palette: Palette = STANDARD) -> Level:
        """Parse a level from a picture. Digits are floor cells with that region label; the stairs `<` and `>` are the
        start and the end. Glyphs that stand for things in the palette are things.
        """
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
        """Which cells can be walked on, as [y, x]."""
        return look_up_tiles(self.palette.walkable, self.tiles)

    @property
    def opaque(self) -> NDArray[np.bool_]:
        """Which cells block the view, as [y, x]."""
        return look_up_tiles(self.palette.opaque, self.tiles)

    @property
    def rooms(self) -> Sequence[Region]:
        """All regions except corridors."""
        return [region for region in self.regions if region.kind != "corridor"]

    @property
    def graph(self) -> Graph:
        """Regions, links and doors as a graph."""
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
            and (self.start, self.end, self.title) == (other.start, other.end, other.title)
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
            *(self.things, self.start, self.end, dict(self.provenance), self.title),
        )
        return _unpickle_level, (
            {name: (grid.dtype.str, grid.shape, zlib.compress(grid.tobytes(), 1)) for name, grid in grids.items()},
            rest,
        )

    drawn = RenamedMember("drawn", "parse")
    shown = RenamedMember("shown", "pretty_text")


_view_doors, _view_links = view_doors, view_links  # the constructor has arguments of the same names


def _as_read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The array itself if it is read-only, else a read-only copy."""
    if array.flags.writeable or array.base is not None:
        array = array.copy()
        array.setflags(write=False)
    return array


def _check_things(things: Iterable[Thing], height: int, width: int) -> Iterator[Thing]:
    """The things. Raises if one is outside the level."""
    for thing in things:
        if not (0 <= thing.x < width and 0 <= thing.y < height):
            raise ValueError(
                f"the {thing.kind} at ({thing.x}, {thing.y}) is outside the level, which is {width}x{height}"
            )
        yield thing


_NO_PATH = _as_read_only(np.zeros((0, 2), np.int32))


def _unpickle_level(packed: dict[str, tuple[str, tuple[int, ...], bytes]], rest: tuple[Any, ...]) -> Level:
    grids = {
        name: np.frombuffer(zlib.decompress(data), kind).reshape(shape).copy()
        for name, (kind, shape, data) in packed.items()
    }
    palette, table, tags, templates, names, door_rows, link_rows, things, start, end, provenance, title = rest
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
    )


def check_level_size(size: tuple[int, int] | Sequence[int], max_cells: int | None = None) -> tuple[int, int]:
    """Return a size as (width, height); raise an error that explains sizes if it is not one."""
    try:
        width, height = map(int, size)
        whole = (width, height) == tuple(size)
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise BadInput(f"a size is two whole numbers, width and height, not {size!r}", fix="for example (80, 50)")
    if width < 1 or height < 1:
        raise BadInput(
            f"a level of {format_number(width)}x{format_number(height)} has no cells", fix="both sides are at least 1"
        )
    limits.SIDE.check(max(width, height), "the longer side")
    if max_cells is not None:
        limits.KERNEL_CELLS.check(max_cells, "the limit of cells asked for")
    cap = limits.CELLS if max_cells is None else limits.CELLS._replace(value=max_cells)
    cap.check(width * height, f"the number of cells of {width}x{height}")
    return width, height
