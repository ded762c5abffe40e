"""What was measured over many seeds, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from undercroft.analysis.expressive_range import Corner, edges, shared
from undercroft.analysis.measures.table import MEASURES, Number
from undercroft.bulk.measure.expressive_range import Range
from undercroft.bulk.measure.measure_recipe import Measuring
from undercroft.bulk.measure.measured_files import summary

BARS, BLOCKS = 12, " ▁▂▃▄▅▆▇█"
"""Bars of a histogram in a line, at the most, and what they are made of."""


def table(measured: Sequence[Measuring], found: Range | None) -> Iterator[str]:
    """For each recipe its measures, the least, the median, the mean and the greatest, and how they spread; and the
    range by two of them.
    """
    for place, each in enumerate(measured):
        first, last = each.range[0], each.range[max(0, each.tried - 1)]
        seeds = f"seed {first}" if first == last else f"seeds {first}..{last}"
        yield from [""] if place else []
        yield (
            f"{each.label} {each.size[0]}x{each.size[1]}, {seeds}: {len(each.seeds):,} "
            f"{'level' if len(each.seeds) == 1 else 'levels'}"
        )
        yield from _rows(each)
        if found:
            yield from _range(found, place)
    if found and len(measured) == 2:
        yield from ("", f"the two overlap by {shared(*(one.counts for one in found.spreads)):.0%}")


def _rows(each: Measuring) -> Iterator[str]:
    told = summary(each)
    heads = ["least", "median", "mean", "greatest", *(["none"] if any(row["none"] for row in told.values()) else [])]
    rows = [
        ["measure", *heads],
        *(
            [name, *("" if head == "none" and not row[head] else _number(row[head]) for head in heads)]
            for name, row in told.items()
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row, bar in zip(rows, ["", *(_bars(each, name) for name in told)], strict=True):
        yield (
            f"{row[0]:<{widths[0]}}  "
            f"{'  '.join(f'{word:>{width}}' for word, width in zip(row[1:], widths[1:], strict=True))}  {bar}"
        )


def _range(found: Range, place: int) -> Iterator[str]:
    one, seeds = found.spreads[place], found.seeds[place]
    related = one.correlation
    bins = f"{len(found.box.x) - 1}x{len(found.box.y) - 1} bins of {found.names[0]} and {found.names[1]}"
    yield (
        f"{one.empty:.0%} of the {bins} are "
        f"empty{'' if related is None else f', correlation {round(related, 2) + 0.0:.2f}'}"
    )
    width = max(len(str(seeds[corner.place])) for corner in one.corners)
    for number, corner in enumerate(one.corners):
        yield f"{'' if number else 'at the corners':<14} seed {seeds[corner.place]:<{width}}  {_where(found, corner)}"


def _where(found: Range, corner: Corner) -> str:
    """Which corner it is."""
    words = [
        f"{'high' if sign > 0 else 'low'} {name}"
        for name, sign in zip(found.names, (corner.right, corner.up), strict=True)
        if sign
    ]
    return ", ".join(words) or "all alike"


def _number(number: Number) -> str:
    """A number in few signs: four digits that count, but no less than one place behind the point, which medians of
    whole numbers need.

    >>> [_number(number) for number in (None, 12, 0.31416, 12.5, 1234.5, 98765.4321)]
    ['-', '12', '0.3142', '12.5', '1234.5', '98765.4']
    """
    if number is None or isinstance(number, int):
        return "-" if number is None else str(number)
    return f"{number:.1f}" if abs(number) >= 1000 else f"{number:.4g}"


def _bars(each: Measuring, name: str) -> str:
    """A histogram in a line."""
    column = each.columns[name]
    known = column.known
    if not len(known) or known.min() == known.max():
        return ""
    counts, _ = np.histogram(known, edges(known, whole=column.whole and MEASURES[name].kind != "share", most=BARS))
    return "".join(BLOCKS[-(-int(count) * (len(BLOCKS) - 1) // int(counts.max()))] for count in counts)
