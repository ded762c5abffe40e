"""The table of a chunk: one row for each seed, always. A seed without a level has a `problem`, and its other columns
are empty.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Literal, NamedTuple

from undercroft.analysis.measures.table import MEASURES
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.request import BatchRequest
from undercroft.core.palette import STANDARD, Palette
from undercroft.formats.native.read_level import read_palette
from undercroft.inputs.values import in_file

ColumnKind = Literal["text", "whole", "number", "truth", "bytes"]


_VALUE_TYPES: Mapping[ColumnKind, frozenset[type]] = {
    "text": frozenset([str]),
    "whole": frozenset([int]),
    "number": frozenset([int, float]),
    "truth": frozenset([bool]),
    "bytes": frozenset([bytes]),
}
"""The types of the values of each kind."""


class BatchColumn(NamedTuple):
    """A column. All but `seed` and the counts may be empty (None)."""

    name: str
    kind: ColumnKind
    is_measure: bool = False
    counts: bool = False
    """Whether it counts something, and is never empty."""


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
    found = [
        BatchColumn("seed", "text"),
        *(BatchColumn(name, "whole") for name in whole),
        BatchColumn("palette", "text"),
    ]
    found += [BatchColumn("tiles", "bytes")] if order.has_chunk_files else []
    found += [BatchColumn(name, "whole") for name in ends]
    found += [
        BatchColumn(name, "whole" if MEASURES[name].kind in ("count", "flag") else "number", is_measure=True)
        for name in order.measures
    ]
    for requirement in order.request.requirements:
        found += [
            BatchColumn(requirement.text, "truth"),
            BatchColumn(rejection_column_name(requirement.text), "whole", counts=True),
        ]
    return (*found, BatchColumn("gave_up", "whole", counts=True), BatchColumn("problem", "text"))


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
        if column.name != "seed" and not column.counts:
            allowed |= {type(None)}
        if len(values) != chunk.length or not {*map(type, values)} <= allowed:
            raise ValueError(f"the column {column.name} is damaged")
        if column.counts and min(values) < 0:
            raise ValueError(f"the column {column.name} counts less than nothing")
    if "seed" in rows and rows["seed"] != [str(seed) for seed in range(chunk.first, chunk.last + 1)]:
        raise ValueError("its seeds are others")


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
