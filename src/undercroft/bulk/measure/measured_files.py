"""Write measured numbers as CSV and as JSON, in pieces, to plot them elsewhere."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from undercroft.analysis.measures.table import MEASURES, Number
from undercroft.bulk.measure.measured_levels import MeasuredLevels
from undercroft.bulk.study_record import RECORD_KEY
from undercroft.core.frozen import thaw
from undercroft.inputs.json import format_json_indented
from undercroft.inputs.toml import format_setting

ROWS_PER_PIECE = 4096
"""Rows in a piece."""
FIRST_COLUMNS, LAST_COLUMNS = ("recipe", "seed"), ("width", "height", "version", "editions")
"""The columns of a CSV file before and after those of parameters and measures."""
CSV_METADATA_SUFFIX = "-metadata.json"
"""Is added to the name of a CSV file for the file that describes it."""


def csv_lines(rows: Iterable[Sequence[Any]]) -> bytes:
    """Rows as lines of CSV; a missing number is an empty field."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def name_parameters(measured: Sequence[MeasuredLevels]) -> dict[str, str]:
    """The columns of the parameters that vary, by parameter. If a measure or another column has the same name, a column
    gets a longer one.
    """
    taken = {*FIRST_COLUMNS, *LAST_COLUMNS, *(name for each in measured for name in each.measures)}
    names = dict.fromkeys(name for each in measured for name in each.vary.names)
    return {name: f"parameter {name}" if name in taken else name for name in names}


def csv_header(measured: Sequence[MeasuredLevels]) -> bytes:
    """The header line."""
    return csv_lines([(*FIRST_COLUMNS, *name_parameters(measured).values(), *measured[0].measures, *LAST_COLUMNS)])


def csv_rows(each: MeasuredLevels, parameters: Mapping[str, str], first: int, last: int) -> Iterator[tuple[Any, ...]]:
    """The rows of some levels: what was measured, the seed, the parameters that vary, the numbers, the size, the
    version and the digest of the editions.
    """
    columns = [column.numbers_between(first, last) for column in each.columns.values()]
    name, end = each.name, (each.version, each.editions_digest)
    for row, *numbers in zip(range(first, min(last, len(each.seeds))), *columns, strict=True):
        values = each.values_at(row) if parameters else {}
        yield (
            name,
            each.seeds[row],
            *(format_setting(thaw(values[name])) if name in values else None for name in parameters),
            *map(simplify_number, numbers),
            each.widths[row],
            each.heights[row],
            *end,
        )


def csv_pieces(measured: Sequence[MeasuredLevels]) -> Iterator[bytes]:
    """All levels, as CSV in pieces."""
    yield csv_header(measured)
    parameters = name_parameters(measured)
    for each in measured:
        for first in range(0, len(each.seeds), ROWS_PER_PIECE):
            yield csv_lines(csv_rows(each, parameters, first, first + ROWS_PER_PIECE))


def build_csv_metadata(path: str, measures: Sequence[str], record: dict[str, Any], columns: bytes) -> bytes:
    """The file that describes a CSV file, as "CSV on the Web" of the W3C has it. `columns` is the header line."""
    kinds = {"count": "integer", "flag": "integer"}
    about = {name: (MEASURES[name].about, kinds.get(MEASURES[name].kind, "number")) for name in measures}
    about |= {"seed": ("the seed", "unsignedLong"), "width": ("cells", "integer"), "height": ("cells", "integer")}
    described = []
    for name in next(csv.reader([columns.decode()])):
        text, kind = about.get(name, ("", ""))
        described.append(
            {"titles": name, **({"dc:description": text} if text else {}), **({"datatype": kind} if kind else {})}
        )
    data = {
        "@context": "http://www.w3.org/ns/csvw",
        "url": Path(path).name,
        "tableSchema": {"columns": described},
        "notes": [{RECORD_KEY: record}],
    }
    return format_json_indented(data).encode()


def json_pieces(
    head: dict[str, Any], measured: Sequence[MeasuredLevels], recipes: Sequence[dict[str, Any]]
) -> Iterator[bytes]:
    """A JSON object in pieces: the keys of `head`, and under "recipes" the data of each recipe with its numbers as
    columns, the seeds and the parameters that vary first.
    """
    parameters = name_parameters(measured)
    yield f'{json.dumps(head)[:-1]}{", " if head else ""}"recipes": ['.encode()
    for place, (each, about) in enumerate(zip(measured, recipes, strict=True)):
        yield f'{", " if place else ""}\n{json.dumps(about)[:-1]}, "values": {{\n"seed": ['.encode()
        for first in range(0, len(each.seeds), ROWS_PER_PIECE):
            yield _join_values(first, (f'"{seed}"' for seed in each.seeds[first : first + ROWS_PER_PIECE]))
        for parameter in each.vary.names:
            yield f"],\n{json.dumps(parameters[parameter])}: [".encode()
            for first in range(0, len(each.seeds), ROWS_PER_PIECE):
                rows = range(first, min(first + ROWS_PER_PIECE, len(each.seeds)))
                yield _join_values(first, (json.dumps(thaw(each.values_at(row)[parameter])) for row in rows))
        for name, column in each.columns.items():
            yield f"],\n{json.dumps(name)}: [".encode()
            for first in range(0, len(column), ROWS_PER_PIECE):
                yield _join_values(
                    first,
                    (
                        json.dumps(simplify_number(number))
                        for number in column.numbers_between(first, first + ROWS_PER_PIECE)
                    ),
                )
        yield b"]}}"
    yield b"]}\n"


def _join_values(first: int, texts: Iterable[str]) -> bytes:
    return f"{', ' if first else ''}{', '.join(texts)}".encode()


def simplify_number(number: Number) -> Number:
    """The number as it is written: whole ones without a decimal point, None for NaN.

    >>> simplify_number(3.0), simplify_number(0.25), simplify_number(float("nan"))
    (3, 0.25, None)
    """
    if number is None or math.isnan(number):
        return None
    return int(number) if float(number).is_integer() else float(number)


def summarise_measures(each: MeasuredLevels) -> dict[str, dict[str, Number]]:
    """For each measure: how many levels have no number, and the least, median, mean and greatest of the others."""
    found: dict[str, dict[str, Number]] = {}
    for name, column in each.columns.items():
        known = column.known_numbers
        numbers = (known.min(), np.median(known), known.mean(), known.max()) if len(known) else (None,) * 4
        found[name] = {"none": column.missing} | {
            word: simplify_number(None if number is None else float(f"{number:.12g}"))
            for word, number in zip(SUMMARY_KEYS, numbers, strict=True)
        }
    return found


SUMMARY_KEYS = ("least", "median", "mean", "greatest")
