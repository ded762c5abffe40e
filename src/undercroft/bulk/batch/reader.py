"""Read a batch: its levels in order, its columns, and any whole level, which is made again. Nothing is read before it
is needed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import (
    BatchCounts,
    Shard,
    build_columns,
    check_rows,
    read_palettes,
    rejection_column_name,
)
from undercroft.bulk.batch.directory import MANIFEST_FILE, BatchDirectory
from undercroft.bulk.batch.folder_request import (
    ORDER_FILE,
    check_request_types,
    read_request_data,
    resolve_batch_folder,
)
from undercroft.bulk.batch.request import FORMAT_NAME, LAYOUT, OLD_LAYOUT, BatchRequest
from undercroft.bulk.batch.storage import resolve_form
from undercroft.bulk.batch.stored_levels import LEVEL_COLUMNS, generate_same_level, read_level
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.rng import seed_number
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs.arguments import require_name
from undercroft.inputs.files import SHIPPED_FOLDER, as_path, is_file, read_text
from undercroft.recipe.document import Recipe
from undercroft.recipe.packages import require_packages
from undercroft.recipe.request import Request
from undercroft.wording import format_value_briefly

if TYPE_CHECKING:
    from undercroft.bulk.report.report import Report


class OpenedBatch:
    """The batch in a folder, finished or not. `recipe` is needed only if the batch's recipe reads files that lie beside
    it.
    """

    def __init__(self, path: str | Path, recipe: str | Path | Recipe | None = None) -> None:
        self.path = resolve_batch_folder(as_path(path))
        self.data = read_request_data(self.path)
        """The data of the request."""
        try:
            check_request_types(self.data)
            self.order = BatchRequest.of(self.data, self._load_recipe(recipe), max_cells=math.prod(self.data["size"]))
            self._folder = BatchDirectory(self.path, self.order)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            known = self.data.get("format")
            ours = [f"{FORMAT_NAME}/{layout}" for layout in (OLD_LAYOUT, LAYOUT)]
            why = "is damaged" if known in ours else f"is of the format {known!r}, and not of {' or '.join(ours)}"
            raise BadInput(f"{self.path / ORDER_FILE} {why}", fix="take it from another copy") from error

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
        require_packages(self.data.get("packages"), f"the batch in {self.path}")
        try:
            recipe = Recipe.parse(about["text"], about["file"], SHIPPED_FOLDER if about["ours"] else None)
            return recipe.confine_params(Path())
        except BadInput as error:
            if about["ours"] or not (about.get("files") or about.get("extends")):
                raise
            if (found := _find_recipe_file(about)) is not None:
                return found.confine_params(Path())
            raise BadInput(
                f"the recipe of {self.path} reads files that lie beside it, and {about['file']} is not there",
                fix=f"go to the folder where {about['file']} lies; in Python: open_batch(folder, recipe='FILE.toml')",
            ) from error

    @property
    def finished(self) -> bool:
        """Whether the batch is finished. If the folder was moved without the one beside it, whether all files are
        there.
        """
        if (self.about / MANIFEST_FILE).is_file():
            return True
        return not self.about.is_dir() and all(
            self._folder.chunk_path(chunk).is_file() for chunk in self.order.chunks()
        )

    @property
    def about(self) -> Path:
        """The folder of the request, the manifest and the report: the same, or one beside it."""
        return self._folder.about

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

        Files of chunks hold tiles, regions, doors, links, things, the start and the end of a level; those of
        earlier versions only tiles, start and end. Levels in formats that cannot be read, such as pictures, are made
        again.
        """
        for path, shard in self.shards([name for name in LEVEL_COLUMNS if name in self.names]):
            palettes = read_palettes(shard.palettes, str(path))
            for place, problem in enumerate(shard.rows["problem"]):
                if problem is None:
                    yield self._read_level(path, shard, place, palettes)

    def _read_level(self, path: Path, shard: Shard, place: int, palettes: Mapping[str, Palette]) -> Level:
        """The level of a row of a file."""
        row = {name: values[place] for name, values in shard.rows.items()}
        try:
            return read_level(self.order, self.path, row, place % self.order.combinations, palettes)
        except (BadInput, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
            if isinstance(error, BadInput) and not self.order.has_chunk_files:
                raise  # the reader of that format says what is wrong
            raise _damaged_file(path) from error

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
        if definition.kind in ("bytes", "labels", "table"):
            raise BadInput(
                f"{name} is no column to compute with", fix=f"iterate over the levels, or read rows('{name}')"
            )
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
            if definition.kind == "seed":
                found.append(np.array(values, np.uint64))
            elif definition.is_measure:
                found.append(np.array([math.nan if value is None else value for value in values], np.float64))
            elif values:  # an empty array would turn all others into floats
                found.append(np.array(values, object if None in values else None))
        return np.concatenate(found) if found else np.zeros(0)

    def level(self, seed: int | str, combination: int = 0) -> Level:
        """The whole level of a seed, with its path and layers: made again, and compared with the stored tiles. If
        parameters vary in steps, `combination` tells which of their combinations, from 0.
        """
        shard, place = self._find_row(seed, combination, ("seed", "attempt", "tiles", "problem"))[1:]
        row = {name: values[place] for name, values in shard.rows.items()}
        return generate_same_level(self.order, row, combination, self.data["version"])

    def stored_level(self, seed: int | str, combination: int = 0) -> Level:
        """The level of a seed as the files hold it, as iterating yields it."""
        path, shard, place = self._find_row(seed, combination, LEVEL_COLUMNS)
        return self._read_level(path, shard, place, read_palettes(shard.palettes, str(path)))

    def _find_row(self, seed: int | str, combination: int, names: Sequence[str]) -> tuple[Path, Shard, int]:
        """The file with the row of a level, some of its columns, and the place of the row in it."""
        number = seed_number(seed)
        if not self.order.first <= number <= self.order.last:
            raise BadInput(
                f"the seed {number} is not in {self.path}", fix=f"its seeds are {self.order.first} to {self.order.last}"
            )
        if type(combination) is not int or not 0 <= combination < self.order.combinations:
            last = self.order.combinations - 1
            raise BadInput(
                f"the seed {number} has no combination {format_value_briefly(combination)} in {self.path}",
                fix=f"its combinations are 0 to {last}" if last else "leave it out: nothing varies in steps there",
            )
        place = (number - self.order.first) % self.order.chunk
        first = number - place
        chunk = Chunk(first, min(self.order.chunk, self.order.last - first + 1))
        path = self._folder.chunk_path(chunk)
        if not path.is_file():
            raise BadInput(f"the seed {number} is not made yet", fix="run the batch again: it goes on where it was")
        shard = self.read_shard(chunk, [name for name in names if name in self.names])
        row = place * self.order.combinations + combination
        if shard.rows["problem"][row] is not None:
            raise BadInput(f"the seed {number} has no level: {shard.rows['problem'][row]}", fix="take another seed")
        return path, shard, row

    def request_of(self, seed: int | str, combination: int = 0) -> Request:
        """The request that makes the level of a seed again, the same attempt."""
        _, shard, place = self._find_row(seed, combination, ("seed", "attempt", "problem"))
        return self.order.request_for(shard.rows["seed"][place], combination, attempt=shard.rows["attempt"][place])

    def add_measures(self, *names: str, **options: Any) -> None:
        """Measure all levels, and add the numbers to the files as further columns. Options are those of `Batch`, such
        as `workers`. If it is interrupted, the same call goes on.
        """
        from undercroft.bulk.batch.batch import Batch

        self.order = self.order.with_measures((*self.order.measures, *names))
        for _ in Batch(self.order, self.path, **options):
            pass
        self.data = read_request_data(self.path)
        self.__dict__.pop("count", None)

    def report(self) -> Report:
        """The report on the batch: print it, or `save()` it as a page with pictures."""
        from undercroft.bulk.report.report import build_report

        return build_report(self)

    def _check_names(self, names: Sequence[str]) -> list[str]:
        for name in names:
            require_name("column", name, self.names)
        return list(names or self.names)

    def shards(self, names: Sequence[str]) -> Iterator[tuple[Path, Shard]]:
        """Some columns of each file that exists."""
        for chunk in self.order.chunks():
            path = self._folder.chunk_path(chunk)
            if path.is_file():
                yield path, self.read_shard(chunk, names)

    def has_chunk(self, chunk: Chunk) -> bool:
        """Whether a chunk is made."""
        return self._folder.chunk_path(chunk).is_file()

    def read_shard(self, chunk: Chunk, names: Sequence[str]) -> Shard:
        """Some columns of a chunk."""
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


def _find_recipe_file(about: Mapping[str, Any]) -> Recipe | None:
    """The recipe of a batch in the file that it came from, if that file is still there and the same."""
    path = Path(str(about["file"]))
    same = is_file(path) and read_text(path, limits.TOML_BYTES) == about["text"]
    return Recipe.load(path) if same else None


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
