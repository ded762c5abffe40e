"""Read and write works: everything that a level is made from, as a person left it.

A work is a JSON object. Only `format` and either `recipe` or `map` are required. Keys that this version does not know
are kept.

- `format`: "undercroft-work/1"
- `recipe`: the name of one of our recipes, or the path of a recipe file, which ends in ".toml"; `text`: its text, if it
  is not as the recipe's name says. A path is read from the project, or the current folder, only if there is no text.
- `map`: instead of a recipe, a map that was made elsewhere, as an `undercroft-level`; `file`: how it is called
- `seed`: a text; `size`: [width, height]; `params`: {name: value}; `until`: requirements; `tries`
- `attempt`: the attempt that gave the level, so that nothing else has to be tried
- `keep`: {"cells": runs [first, length], "map": an `undercroft-level`}: the level was made around these cells of it
- `marked`: runs of cells of this level that are to be kept when it is made with another seed
- `edits`: painted tiles in their order, as runs [first, length, tile name]
- `placed`: things placed by hand, {"kind", "x", "y", "data"}; `removed`: things taken away, {"kind", "x", "y"}. A thing
  that was moved or changed is removed and placed.
- `view`: how it was looked at: the page's own
- `editions`: the editions of the steps when the level was made

Cells are counted row by row. The written form is canonical: `format` first, then the keys in order, one a line. Equal
works give equal bytes, here and in the studio's page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.edits import HandEdits, ThingSpot
from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.core.rng import seed_number
from undercroft.errors import BadInput
from undercroft.formats.detect import WORK_VERSION
from undercroft.formats.native.read_level import check_version, read_level_value
from undercroft.formats.shared.checked import read_thing_data
from undercroft.inputs.canonical_json import SAFE_INTEGER, format_canonical_json
from undercroft.inputs.json import JsonDocument, parse_json_document
from undercroft.inputs.values import CheckedValue, Path
from undercroft.recipe.request import DEFAULT_TRIES
from undercroft.works.kept_cells import build_start_map

WORK_SUFFIX = ".work.json"
Run = tuple[int, int]
"""The first of some cells in a row, and how many they are."""


class WorkText(JsonDocument):
    """The text of a work."""

    __slots__ = ()
    fix: ClassVar[str] = "correct it there, or save the work again"


@dataclass(frozen=True, eq=False, kw_only=True)
class KeptMap:
    """Cells of a map that a level was made around."""

    map: Level
    cells: tuple[Run, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class LevelWork:
    """A checked work.

    >>> work = read_work('{"format": "undercroft-work/1", "recipe": "cave", "seed": "7", "floors": 3}', "a.work.json")
    >>> work.recipe, work.seed, work.tries
    ('cave', '7', 100)
    >>> print(format_work(work.data), end="")
    {"format":"undercroft-work/1",
    "floors":3,
    "recipe":"cave",
    "seed":"7"}
    """

    file: str
    """What errors call it."""
    recipe: str
    """The name of a recipe of ours, or the path of a recipe file; empty for a map."""
    text: str | None
    """The text of the recipe, unless it is the recipe's own."""
    map: Level | None
    """A map instead of a recipe."""
    seed: str | None
    size: tuple[int, int] | None
    params: Mapping[str, Any]
    until: tuple[str, ...]
    tries: int
    attempt: int | None
    keep: KeptMap | None
    marked: tuple[Run, ...]
    by_hand: HandEdits
    editions: Mapping[str, int]
    data: Mapping[str, Any]
    """All of it as plain data, with the keys that are not known here."""

    def build_start_map(self) -> tuple[Level, NDArray[np.bool_]] | None:
        """The map to begin with and the mask of its kept cells; None if nothing is kept."""
        return None if self.keep is None else build_start_map(self.keep.map, self.keep.cells)

    @property
    def is_file(self) -> bool:
        """Whether the recipe is a file, and none of ours."""
        return self.recipe.endswith(".toml")


def format_work(data: Mapping[str, Any]) -> str:
    """The canonical text of a work's data."""
    keys = sorted(data, key=lambda key: (key != "format", key.encode("utf-16-be", "surrogatepass")))
    lines = (f"{format_canonical_json(key)}:{format_canonical_json(data[key])}" for key in keys)
    return "{" + ",\n".join(lines) + "}\n"


def read_work(text: str, file: str) -> LevelWork:
    """The work in a text. Errors name the place and the expected value."""
    whole = parse_json_document(text, file, limits.WORK_BYTES, WorkText).root()
    if type(whole.value) is not dict:
        raise whole.mismatch("an object", "a work")
    check_version(whole, WORK_VERSION)
    _check_numbers(whole)
    # null stands for a key that is left out
    has = {key for key, value in whole.value.items() if value is not None}
    if len(has & {"recipe", "map"}) != 1:
        raise whole.error(
            f"a work has either a recipe or a map, and this has {'both' if 'recipe' in has else 'neither'}",
            'write "recipe": the name of a recipe, or the path of its file',
        )
    whole.subtable("view")
    editions = whole.subtable("editions")
    return LevelWork(
        file=file,
        recipe=_read_recipe(whole.key("recipe")) if "recipe" in has else "",
        text=whole.key("text").text() if "text" in has else None,
        map=read_level_value(whole.key("map")) if "map" in has else None,
        seed=_read_seed(whole.key("seed")) if "seed" in has else None,
        size=_read_size(whole.key("size")) if "size" in has else None,
        params=_read_params(whole.subtable("params")),
        until=tuple(spot.text() for spot in whole.key("until", []).items()),
        tries=whole.key("tries", DEFAULT_TRIES).integer(1, limits.TRIES.value),
        attempt=whole.key("attempt").integer(0, SAFE_INTEGER) if "attempt" in has else None,
        keep=_read_keep(whole.key("keep")) if "keep" in has else None,
        marked=_read_runs(whole.key("marked", [])),
        by_hand=HandEdits(
            _read_edits(whole.key("edits", [])),
            tuple(map(_read_placed, whole.key("placed", []).items())),
            tuple(map(_read_spot, whole.key("removed", []).items())),
        ),
        editions={name: editions.key(name).integer(1, SAFE_INTEGER) for name in editions.value},
        data=whole.value,
    )


def _check_numbers(whole: CheckedValue) -> None:
    """Raise for a number that a page in a browser could not hold, wherever it stands."""
    for path, value in _walk_numbers(whole.value, ()):
        if not abs(value) <= SAFE_INTEGER:
            raise whole.at(*path).error(
                f"the number is too large: they go to {SAFE_INTEGER:,}, since browsers hold no greater ones",
                "write it as text",
            )


def _walk_numbers(value: Any, path: Path) -> Iterator[tuple[Path, int | float]]:
    """All numbers in a value, with their paths."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk_numbers(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk_numbers(inner, (*path, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield path, value


def _read_recipe(spot: CheckedValue) -> str:
    name = spot.text()
    path = PurePosixPath(name)
    if name != str(path) or path.is_absolute() or ".." in path.parts or not name.isprintable() or "\\" in name:
        raise spot.error(
            f"{spot.describe()} is neither the name of a recipe nor a path in a project",
            "write a name, such as cave, or a path without '..', such as rooms/crypt.toml",
        )
    return name


def _read_seed(spot: CheckedValue) -> str:
    seed = spot.text()
    try:
        seed_number(seed)
    except BadInput as error:
        raise spot.error(error.problem, error.fix) from None
    return seed


def _read_size(spot: CheckedValue) -> tuple[int, int]:
    spot.list(2)
    return spot.item(0).integer(1, limits.SIDE.value), spot.item(1).integer(1, limits.SIDE.value)


def _read_params(spot: CheckedValue) -> dict[str, Any]:
    params = {}
    for name in spot.value:
        value = spot.key(name)
        for one in value.items() if isinstance(value.value, list) else [value]:
            if not isinstance(one.value, str | int | float):
                raise one.mismatch("a text, a number or a truth value")
        params[name] = value.value
    return params


def _read_keep(spot: CheckedValue) -> KeptMap:
    _require_keys(spot, "cells", "map")
    return KeptMap(map=read_level_value(spot.key("map")), cells=_read_runs(spot.key("cells")))


def _require_keys(spot: CheckedValue, *names: str) -> None:
    """Raise unless the value is a table that has these keys. It may have others."""
    table = spot.table()
    for name in names:
        if name not in table:
            raise spot.error(f"the key {name!r} is missing", "add it")


def _read_runs(spot: CheckedValue) -> tuple[Run, ...]:
    runs = tuple(_read_run(row, 2) for row in spot.items())
    limits.STUDIO_CELLS.check(
        sum(length for _, length in runs), f"{spot.file}: the number of cells in {spot.path[-1]!r}"
    )
    return runs


def _read_run(row: CheckedValue, length: int) -> Run:
    row.list(length)
    return row.item(0).integer(0, limits.CELLS.value - 1), row.item(1).integer(1, limits.CELLS.value)


def _read_edits(spot: CheckedValue) -> tuple[tuple[int, str], ...]:
    runs = [(*_read_run(row, 3), row.item(2).text()) for row in spot.items()]
    limits.STUDIO_CELLS.check(sum(length for _, length, _ in runs), f"{spot.file}: the number of painted cells")
    return tuple((cell, tile) for first, length, tile in runs for cell in range(first, first + length))


def _read_spot(row: CheckedValue) -> ThingSpot:
    _require_keys(row, "kind", "x", "y")
    return ThingSpot(
        row.key("kind").text(),
        row.key("x").integer(0, limits.SIDE.value - 1),
        row.key("y").integer(0, limits.SIDE.value - 1),
    )


def _read_placed(row: CheckedValue) -> Thing:
    spot = _read_spot(row)
    data = read_thing_data(row.key("data", {}))
    try:
        return Thing(*spot, data)
    except BadInput as error:
        raise row.error(error.problem, error.fix) from None
