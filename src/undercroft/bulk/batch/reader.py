"""Read a batch: its levels in order, its columns, and any whole level, which is made again. Nothing is read before it
is needed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from undercroft import formats
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import (
    BatchCounts,
    Shard,
    build_columns,
    check_rows,
    read_palettes,
    rejection_column_name,
)
from undercroft.bulk.batch.directory import MANIFEST_FILE, BatchDirectory, read_request_data
from undercroft.bulk.batch.level_files import level_file_name
from undercroft.bulk.batch.request import FORMAT, BatchRequest
from undercroft.bulk.batch.storage import resolve_form
from undercroft.core.level import Level
from undercroft.core.rng import seed_number
from undercroft.errors import BadInput, UndercroftError, unknown_name_error
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.recipe.run import run_request
from undercroft.version import VERSION

if TYPE_CHECKING:
    from undercroft.bulk.report.report import Report

LEVEL_COLUMNS = (
    "seed",
    "attempt",
    "width",
    "height",
    "palette",
    "tiles",
    "start_x",
    "start_y",
    "end_x",
    "end_y",
    "problem",
)
"""The columns that a level is built from."""


class OpenedBatch:
    """The batch in a folder, finished or not. `recipe` is needed only if the batch's recipe reads files that lie beside
    it.
    """

    def __init__(self, path: str | Path, recipe: str | Path | Recipe | None = None) -> None:
        self.path = Path(path)
        self.data = read_request_data(self.path)
        """The data of the request."""
        try:
            self.order = BatchRequest.of(self.data, self._load_recipe(recipe), max_cells=math.prod(self.data["size"]))
            self._folder = BatchDirectory(self.path, self.order)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            known = self.data.get("format")
            why = "is damaged" if known == FORMAT else f"is of the format {known!r}, and not of {FORMAT!r}"
            raise BadInput(f"{self.path / 'order.json'} {why}", fix="take it from another copy") from error

    def _load_recipe(self, given: str | Path | Recipe | None) -> Recipe:
        """The recipe of the folder, or the given one if it is the same. Anybody may have written the folder: its
        parameters name files of the current folder only.
        """
        about = self.data["recipe"]
        if given is not None:
            recipe = given if isinstance(given, Recipe) else Recipe.load(given)
            if recipe.source[0] != about["text"]:
                raise BadInput(
                    f"{self.path} was made with another recipe than {recipe.name}", fix="leave the recipe out"
                )
            return recipe.confine_params(Path())
        try:
            recipe = Recipe.parse(about["text"], about["file"], SHIPPED_FOLDER if about["ours"] else None)
            return recipe.confine_params(Path())
        except BadInput as error:
            if about["ours"] or not about.get("files"):
                raise
            raise BadInput(
                f"the recipe of {self.path} reads files that lie beside it",
                fix="say where it is: open_batch(folder, recipe='FILE.toml')",
            ) from error

    @property
    def finished(self) -> bool:
        """Whether the batch is finished."""
        return (self.path / MANIFEST_FILE).is_file()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in build_columns(self.order))

    def __repr__(self) -> str:
        return (
            f"<OpenedBatch {self.path}: {self.order.request.recipe.name}, {self.order.count:,} "
            f"seeds{'' if self.finished else ', not finished'}>"
        )

    def __len__(self) -> int:
        """The number of levels."""
        return self.count.levels

    @functools.cached_property
    def count(self) -> BatchCounts:
        """How many levels there are, and why others are missing."""
        found = BatchCounts()
        names = (
            "problem",
            "gave_up",
            *(rejection_column_name(requirement.text) for requirement in self.order.request.requirements),
        )
        for _, shard in self.shards(names):
            found.add(shard.count(self.order))
        return found

    def __iter__(self) -> Iterator[Level]:
        """The levels, in the order of their seeds; one file at a time is in memory.

        Files of chunks hold the tiles, the start and the end of a level. Levels in formats that cannot be read, such as
        pictures, are made again.
        """
        for path, shard in self.shards([name for name in LEVEL_COLUMNS if name in self.names]):
            palettes = read_palettes(shard.palettes, str(path))
            rows = shard.rows
            for place, problem in enumerate(rows["problem"]):
                if problem is None:
                    try:
                        level = self._build_level({name: values[place] for name, values in rows.items()}, palettes)
                    except (KeyError, OverflowError, TypeError, ValueError) as error:
                        raise _damaged_file(path) from error
                    yield level

    def _build_level(self, row: dict[str, Any], palettes: dict[str, Any]) -> Level:
        if not self.order.has_chunk_files:
            if formats.FORMATS[self.order.form].load is None:
                return self._generate(int(row["seed"]), row["attempt"])
            known = {"palette": palettes[row["palette"]], **self.order.options}  # values that the file may not hold
            options = {name: known[name] for name in formats.FORMATS[self.order.form].read_options if name in known}
            return formats.load(self.path / level_file_name(self.order, int(row["seed"])), self.order.form, **options)
        tiles = np.frombuffer(row["tiles"], np.uint8).reshape(row["height"], row["width"])
        palette = palettes[row["palette"]]
        if tiles.max() >= len(palette):
            raise ValueError(f"there is no tile {tiles.max()} in the palette {palette.name}")
        start, end = (
            (row[f"{end}_x"], row[f"{end}_y"]) if row[f"{end}_x"] is not None else None for end in ("start", "end")
        )
        provenance = {
            "recipe": self.order.request.recipe.name,
            "seed": row["seed"],
            "attempt": row["attempt"],
            "size": list(self.order.request.size),
        }
        provenance |= {
            "params": self.data["params"],
            "version": self.data["version"],
            "editions": self.data["editions"],
        }
        provenance |= {"files": self.data["recipe"]["files"]} if "files" in self.data["recipe"] else {}
        return Level(tiles, palette, start=start, end=end, provenance=provenance)

    def rows(self, *names: str) -> Iterator[dict[str, Any]]:
        """The rows, one for each seed, with all columns or the given ones."""
        columns = self._check_names(names)
        for _, shard in self.shards(columns):
            for values in zip(*(shard.rows[name] for name in columns), strict=True):
                yield dict(zip(columns, values, strict=True))

    def column(self, name: str) -> NDArray[Any]:
        """A column over all seeds that have a level. Measures are float64, and NaN where there is no number; other
        columns keep their type.
        """
        (definition,) = [column for column in build_columns(self.order) if column.name in self._check_names([name])]
        if definition.kind == "bytes":
            raise BadInput("tiles are no column to compute with", fix="iterate over the levels, or read rows('tiles')")
        found: list[NDArray[Any]] = []
        for _, shard in self.shards([name, "problem"]):
            values = (
                [
                    value
                    for value, problem in zip(shard.rows[name], shard.rows["problem"], strict=True)
                    if problem is None
                ]
                if name != "problem"
                else []
            )
            if definition.is_measure:
                found.append(np.array([math.nan if value is None else value for value in values], np.float64))
            elif values:  # an empty array would turn all others into floats
                found.append(np.array(values, object if None in values else None))
        return np.concatenate(found) if found else np.zeros(0)

    def level(self, seed: int | str) -> Level:
        """The whole level of a seed, with rooms, doors and things: made again, and compared with the stored tiles."""
        number = seed_number(seed)
        if not self.order.first <= number <= self.order.last:
            raise BadInput(
                f"the seed {number} is not in {self.path}", fix=f"its seeds are {self.order.first} to {self.order.last}"
            )
        place = (number - self.order.first) % self.order.chunk
        first = number - place
        chunk = Chunk(first, min(self.order.chunk, self.order.last - first + 1))
        if not self._folder.chunk_path(chunk).is_file():
            raise BadInput(f"the seed {number} is not made yet", fix="run the batch again: it goes on where it was")
        names = [name for name in ("attempt", "tiles", "problem") if name in self.names]
        row = {name: values[place] for name, values in self._read_shard(chunk, names).rows.items()}
        if row["problem"] is not None:
            raise BadInput(f"the seed {number} has no level: {row['problem']}", fix="take another seed")
        level = self._generate(number, row["attempt"])
        if self.order.has_chunk_files and level.tiles.tobytes() != row["tiles"]:
            version = self.data["version"]
            raise BadInput(
                f"the level of seed {number} is generated differently now",
                fix=f"it was made by Undercroft {version}, and this is {VERSION}",
            )
        return level

    def _generate(self, seed: int, attempt: int) -> Level:
        return run_request(self.order.request.for_seed(seed, attempt=attempt)).unwrap().level

    def report(self) -> Report:
        """The report on the batch: print it, or `save()` it as a page with pictures."""
        from undercroft.bulk.report.report import build_report

        return build_report(self)

    def _check_names(self, names: Sequence[str]) -> list[str]:
        for name in names:
            if name not in self.names:
                raise unknown_name_error("column", name, self.names)
        return list(names or self.names)

    def shards(self, names: Sequence[str]) -> Iterator[tuple[Path, Shard]]:
        """Some columns of each file that exists."""
        for chunk in self.order.chunks():
            path = self._folder.chunk_path(chunk)
            if path.is_file():
                yield path, self._read_shard(chunk, names)

    def _read_shard(self, chunk: Chunk, names: Sequence[str]) -> Shard:
        path = self._folder.chunk_path(chunk)
        try:
            shard = resolve_form(self.order).read_chunk(path, self.order, names)
            check_rows(shard.rows, self.order, chunk)
            if missing := [name for name in names if name not in shard.rows]:
                raise ValueError(f"the column {missing[0]} is missing")
        except (UndercroftError, MemoryError):
            raise
        except Exception as error:  # a damaged file can raise anything in its reader
            raise _damaged_file(path) from error
        return shard


def _damaged_file(path: Path) -> BadInput:
    return BadInput(f"{path} is damaged", fix="run the batch again: it writes that file again")


def open_batch(path: str | Path, recipe: str | Path | Recipe | None = None) -> OpenedBatch:
    """The batch in a folder: iterate over its levels, or read its columns.

    >>> from tempfile import TemporaryDirectory
    >>> from undercroft.bulk.batch.batch import batch
    >>> with TemporaryDirectory() as folder:
    ...     made = batch("cave", 3, folder, size=(20, 8), measures=["loops"], as_="npz", workers=1)
    ...     opened = open_batch(folder)
    ...     print(len(opened), [level.provenance["seed"] for level in opened], opened.column("loops").tolist())
    3 ['0', '1', '2'] [0.0, 1.0, 1.0]
    """
    return OpenedBatch(path, recipe)
