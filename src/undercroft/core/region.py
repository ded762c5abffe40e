"""Labelled sets of cells, the doors and links between them, and things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, NamedTuple, NoReturn, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from undercroft.core.thing_data import NO_DATA, ThingData, build_data, check_kind, thing_error
from undercroft.inputs.arguments import resolve_index
from undercroft.inputs.points import check_point

REGION_KINDS = ("room", "corridor", "cave", "cell", "vault")
DOOR_STATES = ("open", "closed", "locked", "secret")
LINK_KINDS = ("open", "door", "locked", "secret", "one-way")

REGION_DTYPE = np.dtype(
    [("kind", "u1"), ("x", "<i4"), ("y", "<i4"), ("width", "<i4"), ("height", "<i4"), ("area", "<i4")]
)
DOOR_DTYPE = np.dtype([("x", "<i4"), ("y", "<i4"), ("a", "<i4"), ("b", "<i4"), ("state", "u1")])
LINK_DTYPE = np.dtype([("a", "<i4"), ("b", "<i4"), ("kind", "u1"), ("door", "<i4"), ("carved", "?")])
"""The rows of the tables. The kernels of `tables` read and write their bytes."""

REGION_BOX_DTYPE = np.dtype([("kind", "u1"), ("box", "<i4", (4,)), ("area", "<i4")])
"""The same rows, seen with their box as one field: `table.view(REGION_BOX_DTYPE)["box"]`."""

T = TypeVar("T")


class Region(NamedTuple):
    """A labelled set of cells: a room, a corridor, a cave. `label` is its number on the label grid."""

    label: int
    """Its number on the label grid, from 1."""
    kind: str
    """room, corridor, cave, cell or vault."""
    x: int
    y: int
    """The top left cell of its bounding box."""
    width: int
    height: int
    """The size of its bounding box."""
    area: int
    """Its number of cells."""
    tags: tuple[str, ...] = ()
    """Words about it, such as the kind of room."""
    template: str = ""
    """The drawn room or layout that it was made from; empty if there is none."""
    name: str = ""
    """What it is called; empty if it has no name."""


class Door(NamedTuple):
    """A cell between two regions; 0 stands for no region."""

    x: int
    y: int
    """Its cell."""
    a: int
    b: int
    """The labels of the two regions."""
    state: str
    """open, closed, locked or secret."""


class Link(NamedTuple):
    """An edge of the room graph: through a door (its number), or open (-1). Links are planned first and carved
    later.
    """

    a: int
    b: int
    """The labels of the two regions; a one-way link leads from `a` to `b`."""
    kind: str
    """open, door, locked, secret or one-way."""
    door: int = -1
    """The index of its door in `Level.doors`, or -1."""
    carved: bool = True
    """Whether it is on the map already, or only planned."""


class _ThingFields(NamedTuple):
    """The fields of `Thing`: a named tuple cannot have a constructor of its own."""

    kind: str
    """What it is: chest, key, lock, rat ..."""
    x: int
    y: int
    """Its cell."""
    data: Mapping[str, Any] = NO_DATA
    """What else is known of it, such as the lock that a key opens: texts, numbers and truth values by name, lists of
    these and of flat tables, and flat tables, with up to 64 entries each. It cannot be changed.
    """


class Thing(_ThingFields):
    """Something that stands on a cell. A kind or data that no file could hold is refused.

    >>> Thing("chest", 5, 2, {"contents": [{"item": "rope", "count": 2}]}).data["contents"][0]["item"]
    'rope'
    >>> Thing("chest", 5, 2, {"value": float("nan")})
    Traceback (most recent call last):
    undercroft.errors.BadInput: the data of the chest at (5, 2), at value: the number is not finite: nan
      fix: leave it out, or write it as text
    """

    __slots__ = ()

    def __new__(cls, kind: str, x: int, y: int, data: Mapping[str, Any] = NO_DATA) -> Self:
        if type(kind) is not str or not kind.isascii():
            kind = check_kind(kind, x, y)
        if type(data) is not ThingData:
            data = build_data(data, thing_error(kind, x, y))
        return tuple.__new__(cls, (kind, x, y, data))

    @classmethod
    def _make(cls, iterable: Iterable[Any]) -> Self:  # type: ignore[override]
        """Build it from its fields; `_replace` calls this."""
        return cls(*iterable)


class Rows(Sequence[T], Generic[T]):
    """A structured array, read row by row as named tuples."""

    __slots__ = ("_view", "table")
    table: NDArray[Any]
    _view: Callable[[Any], T]

    def __init__(self, table: NDArray[Any], view: Callable[[Any], T]) -> None:
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "_view", view)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be set; make new rows")

    def __reduce__(self) -> Any:
        return Rows, (self.table, self._view)

    def with_table(self, table: NDArray[Any]) -> Rows[T]:
        """Rows of the same kind, of another table."""
        return Rows(table, self._view)

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self._view(row) for row in self.table[index].tolist()]
        return self._view(self.table[resolve_index("row", index, len(self.table))].item())

    def __iter__(self) -> Iterator[T]:
        return map(self._view, self.table.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rows) and np.array_equal(self.table, other.table)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))


def view_doors(table: NDArray[Any] | None = None) -> Rows[Door]:
    """The rows of a door table as `Door`s."""
    return _NO_DOORS if table is None else Rows(table, _build_door)


def view_links(table: NDArray[Any] | None = None) -> Rows[Link]:
    """The rows of a link table as `Link`s."""
    return _NO_LINKS if table is None else Rows(table, _build_link)


def _build_door(row: tuple[int, int, int, int, int]) -> Door:
    return Door(*row[:4], DOOR_STATES[row[4]])


def _build_link(row: tuple[int, int, int, int, bool]) -> Link:
    return Link(row[0], row[1], LINK_KINDS[row[2]], row[3], row[4])


def _empty_table(row: np.dtype[Any]) -> NDArray[Any]:
    """A table without rows, shared by all levels that have none."""
    table: NDArray[Any] = np.zeros(0, row)
    table.setflags(write=False)
    return table


_NO_DOORS, _NO_LINKS = Rows(_empty_table(DOOR_DTYPE), _build_door), Rows(_empty_table(LINK_DTYPE), _build_link)


class Regions(Sequence[Region]):
    """The label grid (0 = no region) and the table of its regions; `regions[0]` has label 1."""

    __slots__ = ("labels", "names", "table", "tags", "templates")
    labels: NDArray[np.int32]
    table: NDArray[Any]
    tags: dict[int, tuple[str, ...]]
    templates: dict[int, str]
    names: dict[int, str]

    def __init__(
        self,
        labels: NDArray[np.int32],
        table: NDArray[Any],
        tags: dict[int, tuple[str, ...]] | None = None,
        templates: dict[int, str] | None = None,
        names: dict[int, str] | None = None,
    ) -> None:
        keep = object.__setattr__
        keep(self, "labels", labels)
        keep(self, "table", table)
        keep(self, "tags", {} if tags is None else tags)
        keep(self, "templates", {} if templates is None else templates)
        keep(self, "names", {} if names is None else names)

    def copy(self) -> Regions:
        """The same regions, with tables of tags, templates and names that can be changed."""
        return Regions(self.labels, self.table, dict(self.tags), dict(self.templates), dict(self.names))

    @classmethod
    def empty(cls, height: int, width: int) -> Regions:
        return cls(np.zeros((height, width), np.int32), np.zeros(0, REGION_DTYPE))

    @classmethod
    def of(cls, labels: NDArray[np.int32], kind: str = "room") -> Regions:
        """Measure labelled cells. It is for maps drawn by hand; `analysis.survey` handles any size."""
        count = int(labels.max(initial=0))
        table = np.zeros(count, REGION_DTYPE)
        table["kind"] = REGION_KINDS.index(kind)
        for label in range(1, count + 1):
            ys, xs = np.nonzero(labels == label)
            if len(xs):
                box = (xs.min(), ys.min(), np.ptp(xs) + 1, np.ptp(ys) + 1)
                table[label - 1] = (REGION_KINDS.index(kind), *map(int, box), len(xs))
        return cls(labels, table)

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Region]: ...
    def __getitem__(self, index: int | slice) -> Region | Sequence[Region]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        at = resolve_index("region", index, len(self))
        return self._build_region(at + 1, self.table[at].item())

    def __iter__(self) -> Iterator[Region]:
        return (self._build_region(label, row) for label, row in enumerate(self.table.tolist(), 1))

    def _build_region(self, label: int, row: tuple[int, ...]) -> Region:
        kind, x, y, width, height, area = row
        more = self.tags.get(label, ()), self.templates.get(label, ""), self.names.get(label, "")
        return Region(label, REGION_KINDS[kind], x, y, width, height, area, *more)

    def at(self, x: int, y: int) -> Region | None:
        """The region of a cell; None if it has none."""
        height, width = self.labels.shape
        x, y = check_point((x, y), width, height)
        label = int(self.labels[y, x])
        return self[label - 1] if 0 < label <= len(self) else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Regions):
            return NotImplemented
        return (
            np.array_equal(self.table, other.table)
            and np.array_equal(self.labels, other.labels)
            and (self.tags, self.templates, self.names) == (other.tags, other.templates, other.names)
        )

    __hash__ = None  # type: ignore[assignment]


class FrozenRegions(Regions):
    """The regions of a level, which cannot be changed."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be set; make new regions")

    def __reduce__(self) -> Any:
        return FrozenRegions, (self.labels, self.table, self.tags, self.templates, self.names)
