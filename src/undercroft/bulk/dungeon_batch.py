"""A batch of dungeons: a folder with a file for each seed, `dungeons.json` with the request, and `measures.csv`.

The folder is the same for any number of workers, and however often the batch was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.bulk.dungeon_rows import DungeonRow, make_rows, resolve_measures
from undercroft.bulk.measure.measured_files import csv_lines, simplify_number
from undercroft.core.rng import MASK64, seed_number
from undercroft.errors import BadInput
from undercroft.formats.dungeons.files import DUNGEON_FORMATS
from undercroft.inputs import files
from undercroft.inputs.arguments import require_name, require_whole_number
from undercroft.inputs.json import format_json_indented
from undercroft.recipe.dungeon.request import DungeonRequest
from undercroft.version import VERSION

REQUEST_FILE, MEASURES_FILE = "dungeons.json", "measures.csv"
FORMAT = "undercroft-dungeons/1"
FORMS = tuple(name for name, row in DUNGEON_FORMATS.items() if row.read)
"""The formats that a batch of dungeons can have: those that are read back."""


class DungeonBatch(Iterator[DungeonRow]):
    """A batch that runs: iterating over it makes the dungeons, one after the other, and writes each as it is made. What
    is in the folder already is kept, and only measured.
    """

    def __init__(
        self,
        request: DungeonRequest,
        folder: str | Path,
        count: int,
        *,
        first: int | str = 0,
        measures: Sequence[str] = (),
        form: str = "json",
        workers: int | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        require_name("form", form, FORMS)
        begin = seed_number(first)
        self.count = require_whole_number("count", count, 1, limits.TRIES.value)
        if begin + self.count - 1 > MASK64:
            raise BadInput(f"there are no {self.count:,} seeds from {begin}", fix="begin with a smaller one")
        self.folder = files.as_path(folder, "folder")
        self.measures = resolve_measures(measures)
        request.check_floors(self.measures)
        self.made, self.was_there = 0, 0
        self.reasons: dict[str, int] = {}
        """How many seeds have no dungeon, by reason."""
        self._manifest = self._describe(request, begin, form)
        self._prepare_folder()
        self._lines: list[tuple[Any, ...]] = []
        seeds = range(begin, begin + self.count)
        self._rows = make_rows(
            request, seeds, self.measures, folder=self.folder, form=form, workers=workers, cancelled=cancelled
        )

    def __next__(self) -> DungeonRow:
        try:
            row = next(self._rows)
        except StopIteration:
            head = "seed", "attempt", *self.measures
            files.write_file(self.folder / MEASURES_FILE, csv_lines([head, *self._lines]))
            raise
        if row.reason:
            self.reasons[row.reason] = self.reasons.get(row.reason, 0) + 1
            return row
        self.made += 1
        self.was_there += row.was_there
        self._lines.append((row.seed, row.attempt, *map(simplify_number, row.numbers.values())))
        return row

    def _describe(self, request: DungeonRequest, first: int, form: str) -> bytes:
        """The request as the folder keeps it: another one in the same folder is refused."""
        data = request.data()
        kept = {name: data[name] for name in ("size", "params", "until", "tries", "max_steps")}
        return format_json_indented(
            {
                "format": FORMAT,
                "recipe": {"name": request.recipe.name, "text": data["recipe"]["text"]},
                **kept,
                "first": str(first),
                "count": self.count,
                "as": form,
                "version": VERSION,
            }
        ).encode()

    def _prepare_folder(self) -> None:
        path = self.folder / REQUEST_FILE
        if files.is_file(path):
            if files.read_bytes(path, limits.JSON_BYTES) != self._manifest:
                raise BadInput(
                    f"{self.folder} holds a batch of another request",
                    fix="take another folder, or ask for the same as before",
                )
            return
        if files.is_folder(self.folder):
            if next(self.folder.iterdir(), None) is not None:
                raise BadInput(f"cannot write to {self.folder}: it holds files already", fix="name a new folder")
            files.write_file(path, self._manifest)
            return
        files.write_folder(self.folder, {REQUEST_FILE: self._manifest})


def is_dungeon_batch(path: str | Path) -> bool:
    """Whether a folder holds a batch of dungeons."""
    return files.is_folder(path) and files.is_file(Path(path, REQUEST_FILE))


def list_dungeons(folder: str | Path) -> list[str]:
    """The files of a batch of dungeons, in the order of their seeds."""
    names = [name for form in FORMS for name in files.list_files(folder, DUNGEON_FORMATS[form].suffix)]
    found = [name for name in names if name.isascii() and name.partition(".")[0].isdecimal()]
    return [str(Path(folder, name)) for name in sorted(found, key=lambda name: int(name.partition(".")[0]))]
