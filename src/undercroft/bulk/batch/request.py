"""A checked request for a batch. The constructor checks it before anything is made; its data can be stored and read
back.
"""

from __future__ import annotations

import copy
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from undercroft import formats, limits
from undercroft.analysis.measures.table import MEASURES, check_measures, measure_editions
from undercroft.bulk.batch.chunks import Chunk, levels_in_chunk, split_into_chunks
from undercroft.core.rng import MASK64, seed_number
from undercroft.errors import BadInput, unknown_name_error
from undercroft.formats.table import FILE_OPTIONS
from undercroft.inputs.arguments import require_name, require_table
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.recipe.document import Recipe
from undercroft.recipe.request import (
    DEFAULT_TRIES,
    Pick,
    Request,
    Until,
    decode_recipe,
    encode_recipe,
    require_seeds_alone,
)
from undercroft.recipe.variation import Variation
from undercroft.version import VERSION
from undercroft.wording import format_count, format_number, plural

FORMAT_NAME = "undercroft-batch"
OLD_LAYOUT, LAYOUT = 1, 2
"""How rows are stored. In the old layout seeds are texts, and there are no regions, doors, links and things."""
CHUNK_FILE_FORMS = ("parquet", "npz")
"""Forms that keep the levels of a chunk in one file. All other forms are level formats, with one file for each level.
"""


class BatchRequest:
    """A recipe, its seeds, and how their levels are stored.

    >>> order = BatchRequest("cave", 2500, size=(40, 20), measures=["loops"], as_="npz", chunk=1000)
    >>> [chunk.length for chunk in order.chunks()], order.digits
    ([1000, 1000, 500], 4)
    """

    def __init__(
        self,
        recipe: str | Path | Recipe,
        count: int,
        *,
        first: int | str = 0,
        size: Sequence[int] | None = None,
        params: Mapping[str, Any] | None = None,
        until: Until = (),
        tries: int = DEFAULT_TRIES,
        pick: Pick = "first",
        measures: Sequence[str] = (),
        as_: str = "parquet",
        options: Mapping[str, Any] | None = None,
        chunk: int | None = None,
        max_steps: int | None = None,
        max_cells: int | None = None,
        vary: Mapping[str, tuple[Any, Any] | Sequence[Any]] | None = None,
        layout: int = LAYOUT,
    ) -> None:
        if layout not in (OLD_LAYOUT, LAYOUT) or (layout == OLD_LAYOUT and vary):
            raise ValueError(f"there is no layout {layout}, or not with parameters that vary")
        self.layout = layout
        self.made_by: Mapping[str, Any] | None = None
        """The data of the stored request that this was read from."""
        loaded = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
        require_seeds_alone(loaded)
        name = Path(loaded.source[1]).name
        if name != name.encode(errors="replace").decode():  # invalid text cannot be written into the files
            raise BadInput(f"the name of the recipe's file is no text: {name!a}", fix="give the file another name")
        self.first, self.count = _check_seeds(first, count)
        # fail now, not once for every seed
        if max_steps is not None and (type(max_steps) is not int or not 1 <= max_steps <= MASK64):
            raise BadInput(
                f"max_steps is a whole number from 1, not {format_number(max_steps)}",
                fix=f"leave it out for {limits.STEPS.value:,}",
            )
        self.request = Request(
            loaded,
            size=size,
            params=params,
            until=until,
            tries=tries,
            pick=pick,
            max_steps=max_steps,
            max_cells=max_cells,
        )
        """The request for each seed."""
        self.vary = Variation(loaded, {} if vary is None else vary)
        """The parameters that vary: each seed is made with each combination of their values."""
        self.vary.check_request(self.request)
        self.measures = check_measures(measures)
        if options is not None:
            require_table("options", options, 'for example {"encoding": "zlib"}')
        self.form = _check_form(as_, options or {})
        self.options = dict(sorted((options or {}).items()))
        self.chunk = self._resolve_chunk_size(chunk)
        limits.BATCH_CHUNKS.check(self.chunk_count, f"the number of chunks of {plural(self.chunk, 'level')}")

    def _resolve_chunk_size(self, given: int | None) -> int:
        cells = self.request.size[0] * self.request.size[1]
        if given is None:
            return self.default_chunk
        if type(given) is not int or given < 1:
            raise BadInput(
                f"a chunk is a whole number of levels from 1, not {format_number(given)}",
                fix="leave it out: it is chosen by the size of the levels",
            )
        levels = given * self.combinations
        if levels > 1:
            limits.CHUNK_CELLS.check(levels * cells, f"the number of cells in a chunk of {format_count(levels)} levels")
        return given

    @property
    def combinations(self) -> int:
        """The number of combinations of the values that vary; 1 if none does."""
        return self.vary.combinations

    @property
    def row_count(self) -> int:
        """The number of rows: one for each seed and combination."""
        return self.count * self.combinations

    def name_row(self, seed: int, combination: int = 0) -> str:
        """The name of a row: its seed, and its combination if there are several.

        >>> BatchRequest("cave", 9, vary={"nrepeats": [3, 4]}).name_row(7, 1)
        '7-1'
        """
        return f"{seed}-{combination}" if self.combinations > 1 else str(seed)

    @property
    def default_chunk(self) -> int:
        """The number of seeds in a chunk, if the caller gives none."""
        cells = self.request.size[0] * self.request.size[1]
        most = levels_in_chunk(self.row_count, cells, alone=not self.has_chunk_files)
        return max(1, most // self.combinations)

    @property
    def rows_per_chunk(self) -> int:
        """The most rows of a chunk."""
        return self.chunk * self.combinations

    def request_for(self, seed: int, combination: int = 0, *, attempt: int | None = None) -> Request:
        """The request for one level."""
        return self.request.for_seed(seed, self.vary.values(seed, combination), attempt=attempt)

    def in_layout(self, layout: int) -> BatchRequest:
        """The same request for another layout of the rows."""
        other = copy.copy(self)
        other.layout = layout
        return other

    def with_measures(self, measures: Sequence[str]) -> BatchRequest:
        """The same request with other measures."""
        other = copy.copy(self)
        other.measures = check_measures(measures)
        return other

    @property
    def has_chunk_files(self) -> bool:
        """Whether the levels of a chunk are in one file."""
        return self.form in CHUNK_FILE_FORMS

    @property
    def last(self) -> int:
        """The last seed."""
        return self.first + self.count - 1

    @property
    def digits(self) -> int:
        """The number of digits of seeds in file names, so that the names sort by seed."""
        return len(str(self.last))

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, in order, lazily: there may be very many."""
        return split_into_chunks(self.first, self.count, self.chunk)

    @property
    def chunk_count(self) -> int:
        return -(-self.count // self.chunk)

    @property
    def data(self) -> dict[str, Any]:
        """All that the files depend on, and nothing else: no path, no machine, no time."""
        request = self.request
        text, file, folder = request.recipe.source
        data = {
            "format": f"{FORMAT_NAME}/{self.layout}",
            "version": VERSION,
            "recipe": {
                "file": Path(file).name,
                "ours": folder == SHIPPED_FOLDER,
                "text": text,
                **request.recipe.reads(request.values),
            },
            "editions": request.recipe.editions,
            "params": dict(request.values),
            "size": list(request.size),
            "first": str(self.first),
            "count": self.count,
            "until": [requirement.text for requirement in request.until],
            "tries": request.tries,
            "pick": request.pick,
            "max_steps": request.max_steps,
            "measures": list(self.measures),
            "as": self.form,
            "written_by": " ".join(find_writer_library(self.form, self.options)).strip(),
            "options": self.options,
            "chunk": self.chunk,
            **({"packages": packages} if (packages := self._find_packages()) else {}),
        }
        if self.layout != OLD_LAYOUT:
            data["measure_editions"] = measure_editions(self.measures)
            data["vary"] = self.vary.data()
        return data

    def _find_packages(self) -> dict[str, str]:
        """The package and version of each step and measure that is not ours. Formats name theirs in `written_by`."""
        used = (*self.measures, *(requirement.measure for requirement in self.request.requirements))
        providers = {name: MEASURES.provider(name) for name in used}
        labels = {name: provider.label for name, provider in providers.items() if provider is not None}
        return {**self.request.recipe.packages, **labels}

    @property
    def digest(self) -> str:
        """32 hex digits; equal requests have equal digests."""
        return compute_digest(self.data)

    def setup(self) -> dict[str, Any]:
        """The request as plain data for workers, on this machine or another one."""
        return {
            "recipe": encode_recipe(self.request.recipe, self.request.values),
            "order": self.data,
            "digest": self.digest,
            "max_cells": self.request.max_cells,
        }

    @classmethod
    def from_setup(cls, setup: Mapping[str, Any]) -> BatchRequest:
        """The request of a setup. Raises if the installed version would make other levels."""
        data = setup["order"]
        if data["version"] != VERSION:
            raise BadInput(
                f"a worker has Undercroft {VERSION}, and the batch was begun with {data['version']}",
                fix="install the same version everywhere",
            )
        order = cls.of(data, decode_recipe(setup["recipe"], data["params"]), max_cells=setup["max_cells"])
        if order.digest != setup["digest"]:
            raise BadInput(
                "a worker would make other levels: its steps are of other editions",
                fix="install the same version everywhere",
            )
        return order

    @classmethod
    def of(cls, data: Mapping[str, Any], recipe: Recipe, *, max_cells: int | None = None) -> BatchRequest:
        """The request with that data, for that recipe."""
        same = {
            name: data[name]
            for name in (
                "first",
                "size",
                "params",
                "until",
                "tries",
                "pick",
                "measures",
                "options",
                "chunk",
                "max_steps",
            )
        }
        layout = find_layout(data)
        order = cls(recipe, data["count"], as_=data["as"], max_cells=max_cells, layout=layout, **same)
        if layout != OLD_LAYOUT:
            order.vary = Variation.from_data(data["vary"], recipe)
        order.made_by = data
        return order


def find_layout(data: Mapping[str, Any]) -> int:
    """The layout of a request's data. Raises `ValueError` if it is of another format."""
    for layout in (OLD_LAYOUT, LAYOUT):
        if data.get("format") == f"{FORMAT_NAME}/{layout}":
            return layout
    raise ValueError(f"the format is {data.get('format')!r}")


def compute_digest(data: Mapping[str, Any]) -> str:
    """The digest of a request's data."""
    text = json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _check_seeds(first: int | str, count: int) -> tuple[int, int]:
    if type(count) is not int or count < 1:
        raise BadInput(
            f"the count is a whole number of levels from 1, not {format_number(count)}", fix="for example 1000"
        )
    number = seed_number(first)
    if number + count - 1 > MASK64:
        left = f"from {number} on there are {MASK64 - number + 1:,}"
        raise BadInput(
            f"there are no {format_count(count)} seeds from {number} on: the last is 2^64-1",
            fix=f"ask for fewer ({left}), or begin with a smaller seed",
        )
    return number, count


def find_writer_library(form: str, options: Mapping[str, Any]) -> tuple[str, str]:
    """The library that determines the bytes of a form, and its version. A batch resumed with another version would mix
    two kinds of files.

    Where zlib compresses the files, its version is part of the text.
    """
    row = formats.FORMATS.get(form)
    # Parquet is not a level format
    library, packed = (row.writer, row.zlib) if row is not None else ("pyarrow", False)
    packer = f"zlib {zlib.ZLIB_RUNTIME_VERSION}" if packed or options.get("encoding") == "zlib" else ""
    if library == "undercroft":
        return library, packer and f"with {packer}"
    try:
        return library, version(library) + (packer and f" with {packer}")
    except PackageNotFoundError:  # the error comes when such a file is written or read
        return library, ""


def _check_form(name: str, options: Mapping[str, Any]) -> str:
    """The name of a form. Raises if there is no such form, or it does not take these options."""
    require_name("form", name, tuple(dict.fromkeys((*CHUNK_FILE_FORMS, *formats.FORMATS))))
    known = [] if name in CHUNK_FILE_FORMS else [option for option in formats.FORMATS[name].options if option != "stem"]
    if name not in CHUNK_FILE_FORMS:
        formats.resolve_writer(formats.FORMATS[name])
    for option in options:
        if option in FILE_OPTIONS:
            raise BadInput(
                f"a batch takes no {option!r}: whoever opens its folder elsewhere would not have that file",
                fix=f"write single levels with --option {option}=..., or convert those of the batch",
            )
        if option not in known:
            raise unknown_name_error(f"option of {name}", option, known)
    return name
