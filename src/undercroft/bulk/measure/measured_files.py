"""Write measured numbers as CSV and as JSON, in pieces, to plot them elsewhere."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from undercroft.analysis.measures.table import Number
from undercroft.bulk.measure.measure_recipe import Measuring

ROWS_PER_PIECE = 4096
"""Rows in a piece."""


def csv_lines(rows: Iterable[Sequence[Any]]) -> bytes:
    """Rows as lines of CSV; a missing number is an empty field."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def csv_header(measures: Sequence[str]) -> bytes:
    """The header line."""
    return csv_lines([("recipe", "seed", *measures)])


def csv_row(label: str, seed: int, numbers: Iterable[Number]) -> tuple[Any, ...]:
    """The row of one level."""
    return (label, seed, *map(simplify_number, numbers))


def csv_pieces(measured: Sequence[Measuring]) -> Iterator[bytes]:
    """All levels of all recipes, as CSV in pieces."""
    yield csv_header(measured[0].measures)
    for each in measured:
        for first in range(0, len(each.seeds), ROWS_PER_PIECE):
            seeds = each.seeds[first : first + ROWS_PER_PIECE].tolist()
            columns = [column.numbers_between(first, first + ROWS_PER_PIECE) for column in each.columns.values()]
            yield csv_lines(csv_row(each.label, seed, numbers) for seed, *numbers in zip(seeds, *columns, strict=True))


def json_pieces(
    head: dict[str, Any], measured: Sequence[Measuring], recipes: Sequence[dict[str, Any]]
) -> Iterator[bytes]:
    """A JSON object in pieces: the keys of `head`, and under "recipes" the data of each recipe with its numbers as
    columns, the seeds first.
    """
    yield f'{json.dumps(head)[:-1]}{", " if head else ""}"recipes": ['.encode()
    for place, (each, about) in enumerate(zip(measured, recipes, strict=True)):
        yield f'{", " if place else ""}\n{json.dumps(about)[:-1]}, "values": {{\n"seed": ['.encode()
        for first in range(0, len(each.seeds), ROWS_PER_PIECE):
            yield _join_values(first, (f'"{seed}"' for seed in each.seeds[first : first + ROWS_PER_PIECE]))
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


def summarise_measures(each: Measuring) -> dict[str, dict[str, Number]]:
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
