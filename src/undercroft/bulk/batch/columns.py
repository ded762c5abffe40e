"""The table of a chunk: one row for each seed, always. A seed without a level has a `problem`, and its other columns
are empty.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from undercroft import limits
from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.request import OLD_LAYOUT, BatchRequest
from undercroft.core.frozen import thaw
from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput
from undercroft.formats.native.read_level import read_palette
from undercroft.inputs.json import format_json
from undercroft.inputs.values import in_file

ColumnKind = Literal["seed", "text", "whole", "number", "truth", "bytes", "labels", "texts", "table"]
"""`seed`: a whole number of 64 bits without a sign. `bytes`: a byte a cell. `labels`: a region's label a cell. `texts`:
a list of texts. `table`: a list of rows with the column's fields.
"""


_VALUE_TYPES: Mapping[ColumnKind, frozenset[type]] = {
    "seed": frozenset([int]),
    "text": frozenset([str]),
    "whole": frozenset([int]),
    "number": frozenset([int, float]),
    "truth": frozenset([bool]),
    "bytes": frozenset([bytes]),
    "labels": frozenset([bytes]),
    "texts": frozenset([list]),
    "table": frozenset([list]),
}
"""The types of the values of each kind."""


class ColumnField(NamedTuple):
    """A field of the rows in a column of tables."""

    name: str
    kind: ColumnKind


class BatchColumn(NamedTuple):
    """A column. All but `seed`, the parameters that vary and the counts may be empty (None)."""

    name: str
    kind: ColumnKind
    is_measure: bool = False
    counts: bool = False
    """Whether it counts something, and is never empty."""
    fields: tuple[ColumnField, ...] = ()
    """The fields of a column of tables."""
    parameter: str = ""
    """The parameter that it holds."""

    @property
    def is_never_empty(self) -> bool:
        return self.counts or self.kind == "seed" or bool(self.parameter)


def _define_table(table: str, fields: str) -> BatchColumn:
    """A column of tables, by the names and kinds of its fields."""
    pairs = (field.split(":") for field in fields.split())
    return BatchColumn(table, "table", fields=tuple(ColumnField(name, _FIELD_KINDS[kind]) for name, kind in pairs))


_FIELD_KINDS: dict[str, ColumnKind] = {kind: kind for kind in ("whole", "text", "truth", "texts")}
CELLS_PER_TABLE_ROW = 8
"""A region, door, link or thing for so many cells is more than levels have; see `limits.LEVEL_TABLE_ROWS`."""
LEVEL_TABLES = (
    _define_table(
        "regions",
        "label:whole kind:text x:whole y:whole width:whole height:whole area:whole tags:texts template:text name:text",
    ),
    _define_table("door_cells", "x:whole y:whole a:whole b:whole state:text"),
    _define_table("links", "a:whole b:whole kind:text door:whole carved:truth"),
    _define_table("things", "kind:text x:whole y:whole data:text"),
)
"""What a level holds beside its tiles. The data of a thing is a JSON text, empty if there is none."""


OWN_COLUMNS = frozenset(("seed", "attempt", "width", "height", "palette", "tiles", "labels", "gave_up", "problem")) | {
    *("start_x", "start_y", "end_x", "end_y"),
    *(table.name for table in LEVEL_TABLES),
}
"""The names of columns that every batch may have."""


def rejection_column_name(requirement: str) -> str:
    """The column that counts the attempts which failed the requirement.

    >>> rejection_column_name("loops >= 2")
    'rejected: loops >= 2'
    """
    return f"rejected: {requirement}"


def build_columns(order: BatchRequest) -> tuple[BatchColumn, ...]:
    """The columns of a batch, the same for each of its files."""
    whole = ("attempt", "width", "height")
    ends = ("start_x", "start_y", "end_x", "end_y")
    is_old = order.layout == OLD_LAYOUT
    found = [*(BatchColumn(name, "whole") for name in whole), BatchColumn("palette", "text")]
    found += [BatchColumn("tiles", "bytes")] if order.has_chunk_files else []
    found += [BatchColumn("labels", "labels")] if order.has_chunk_files and not is_old else []
    found += [BatchColumn(name, "whole") for name in ends]
    found += [] if is_old else LEVEL_TABLES
    found += [
        BatchColumn(name, "whole" if MEASURES[name].kind in ("count", "flag") else "number", is_measure=True)
        for name in order.measures
    ]
    for requirement in order.request.requirements:
        found += [
            BatchColumn(requirement.text, "truth"),
            BatchColumn(rejection_column_name(requirement.text), "whole", counts=True),
        ]
    found += [BatchColumn("gave_up", "whole", counts=True), BatchColumn("problem", "text")]
    taken = {"seed", *(column.name for column in found)}
    if len(taken) <= len(found):  # our own measures have other names
        twice = next(name for name in order.measures if name in OWN_COLUMNS)
        raise BadInput(f"the measure {twice} has the name of a column of every batch", fix="give it another name")
    return (BatchColumn("seed", "seed"), *(_parameter_column(order, name, taken) for name in order.vary.names), *found)


def _parameter_column(order: BatchRequest, name: str, taken: Collection[str]) -> BatchColumn:
    """The column of a parameter that varies. Its name is that of the parameter, or a longer one if a measure or another
    column has the same name.
    """
    kinds: dict[type, ColumnKind] = {int: "whole", float: "number", bool: "truth", str: "text"}
    kind = kinds.get(type(order.request.recipe.params[name].default), "text")
    return BatchColumn(f"parameter {name}" if name in taken else name, kind, parameter=name)


def encode_parameter(value: Any) -> Any:
    """The value of a parameter in its column: lists and tables are JSON texts."""
    return value if isinstance(value, (str, int, float)) else format_json(thaw(value))


@dataclass(slots=True)
class Shard:
    """The rows of a chunk, column by column."""

    rows: dict[str, list[Any]]
    palettes: dict[str, Any] = field(default_factory=dict)
    """The palettes of its levels as plain data, by their names in the column `palette`."""
    files: dict[str, bytes] = field(default_factory=dict)
    """The files of its levels, if each level has a file of its own."""

    @classmethod
    def empty(cls, order: BatchRequest) -> Shard:
        return cls({column.name: [] for column in build_columns(order)})

    def add_palette(self, palette: Palette) -> str:
        """Store a palette; returns its name in the column `palette`."""
        name = palette_name(palette)
        if name not in self.palettes:
            self.palettes[name] = {"name": palette.name, "tiles": [tile._asdict() for tile in palette.tiles]}
        return name

    def count(self, order: BatchRequest) -> BatchCounts:
        """The counts of the rows."""
        found = BatchCounts()
        for problem in self.rows["problem"]:
            if problem is None:
                found.levels += 1
            else:
                found.problems[problem] = found.problems.get(problem, 0) + 1
        found.rejected = {
            requirement.text: sum(self.rows[rejection_column_name(requirement.text)])
            for requirement in order.request.requirements
        }
        found.gave_up = sum(self.rows["gave_up"])
        return found


def check_rows(rows: Mapping[str, list[Any]], order: BatchRequest, chunk: Chunk) -> None:
    """Raise `ValueError` unless each column has a value of its kind for each seed."""
    for column in build_columns(order):
        if column.name not in rows:
            continue
        values = rows[column.name]
        allowed = _VALUE_TYPES[column.kind]
        if not column.is_never_empty:
            allowed |= {type(None)}
        if len(values) != chunk.length * order.combinations or not {*map(type, values)} <= allowed:
            raise ValueError(f"the column {column.name} is damaged")
        if column.counts and min(values) < 0:
            raise ValueError(f"the column {column.name} counts less than nothing")
        if column.kind == "table":
            for table in values:
                _check_table(table or [], column)
    if "seed" in rows and rows["seed"] != [seed for seed in chunk.seeds for _ in range(order.combinations)]:
        raise ValueError("its seeds are others")


def max_table_rows(order: BatchRequest) -> int:
    """The most rows that a table of a chunk has, over all levels: what is more is no chunk of ours."""
    return order.rows_per_chunk * (limits.LEVEL_TABLE_ROWS.value + math.prod(order.request.size) // CELLS_PER_TABLE_ROW)


def check_table_sizes(rows: Mapping[str, list[Any]], order: BatchRequest) -> None:
    """Raise `TooBig` if a table has more rows than can be read again."""
    most = limits.LEVEL_TABLE_ROWS._replace(value=max_table_rows(order))
    for column in LEVEL_TABLES:
        if column.name in rows and order.has_chunk_files:
            most.check(sum(len(table or ()) for table in rows[column.name]), f"the number of {column.name} in a chunk")


def _check_table(table: list[Any], column: BatchColumn) -> None:
    """Raise `ValueError` unless each row has a value of its kind for each field."""
    kinds = [_VALUE_TYPES[field.kind] for field in column.fields]
    for row in table:
        if len(row) != len(kinds) or not all(type(value) in kind for value, kind in zip(row, kinds, strict=True)):
            raise ValueError(f"the column {column.name} is damaged")


@dataclass(slots=True)
class BatchCounts:
    """How many levels there are, and why others are missing."""

    levels: int = 0
    problems: dict[str, int] = field(default_factory=dict)
    """How many seeds have no level, by reason."""
    rejected: dict[str, int] = field(default_factory=dict)
    """How many attempts failed each requirement."""
    gave_up: int = 0
    """How many attempts ended without a level because a step gave up."""

    def add(self, other: BatchCounts) -> None:
        """Add the counts of another part."""
        self.levels += other.levels
        self.gave_up += other.gave_up
        for mine, more in ((self.problems, other.problems), (self.rejected, other.rejected)):
            for name, number in more.items():
                mine[name] = mine.get(name, 0) + number

    def data(self) -> dict[str, Any]:
        """The counts as plain data."""
        return {"levels": self.levels, "problems": self.problems, "rejected": self.rejected, "gave_up": self.gave_up}


def palette_name(palette: Palette) -> str:
    """A unique name of a palette: the standard one by its name, others with a digest of their contents.

    >>> palette_name(STANDARD), palette_name(Palette(STANDARD.tiles[:3], "three"))
    ('standard', 'three-b55f5b05')
    """
    return STANDARD.name if palette is STANDARD else _name_palette(palette.name, palette)


@functools.lru_cache(maxsize=256)
def _name_palette(name: str, palette: Palette) -> str:  # equal palettes may have different names
    if name == STANDARD.name and palette == STANDARD:
        return name
    return f"{name}-{blake2b(repr((name, palette.tiles)).encode(), digest_size=4).hexdigest()}"


def read_palettes(data: Mapping[str, Any], file: str) -> dict[str, Palette]:
    """The palettes in the metadata of a file."""
    spot = in_file(dict(data), "palettes", file)
    return {name: STANDARD if name == STANDARD.name else read_palette(spot.key(name)) for name in data}


METADATA_EXTRAS = ("order", "seeds", "palettes")
"""Keys of the metadata beside the data of the request."""


def build_metadata(order: BatchRequest, chunk: Chunk, palettes: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a file: the whole request, its seeds, and its palettes. It does not depend on who makes the file,
    or when.
    """
    return {
        **order.data,
        "order": order.digest,
        "seeds": [str(chunk.first), str(chunk.last)],
        "palettes": dict(palettes),
    }
