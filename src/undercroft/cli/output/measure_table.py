"""Measures over many seeds, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from undercroft.analysis.expressive_range import Corner, compute_bin_edges
from undercroft.analysis.measures.table import MEASURES, Number
from undercroft.bulk.measure.expressive_range import MeasureRange, list_overlaps
from undercroft.bulk.measure.measured_files import summarise_measures
from undercroft.bulk.measure.measured_levels import MeasuredLevels
from undercroft.wording import plural

MAX_BARS, BAR_BLOCKS = 12, " ▁▂▃▄▅▆▇█"
"""The most bars of a histogram in a line, and the characters for their heights."""


def format_measure_table(measured: Sequence[MeasuredLevels], found: MeasureRange | None) -> Iterator[str]:
    """For each recipe the least, median, mean and greatest of its measures with a histogram, and the range by two of
    them.
    """
    for place, each in enumerate(measured):
        first, last = each.range[0], each.last_seed
        seeds = f"seed {first}" if first == last else f"seeds {first}..{last}"
        yield from [""] if place else []
        yield f"{each.label} {each.size[0]}x{each.size[1]}, {seeds}: {plural(len(each.seeds), 'level')}"
        yield from _format_rows(each)
        if found:
            yield from _format_range(found, each, place)
    if found and len(measured) == 2:
        yield from ("", f"the two overlap by {list_overlaps(measured, found)[0][2]:.0%}")
    elif found and len(measured) > 2:
        yield ""
        yield from (f"{a} and {b} overlap by {share:.0%}" for a, b, share in list_overlaps(measured, found))


def _format_rows(each: MeasuredLevels) -> Iterator[str]:
    summary = summarise_measures(each)
    heads = ["least", "median", "mean", "greatest", *(["none"] if any(row["none"] for row in summary.values()) else [])]
    rows = [
        ["measure", *heads],
        *(
            [name, *("" if head == "none" and not row[head] else _format_number(row[head]) for head in heads)]
            for name, row in summary.items()
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row, bar in zip(rows, ["", *(_format_histogram(each, name) for name in summary)], strict=True):
        yield (
            f"{row[0]:<{widths[0]}}  "
            f"{'  '.join(f'{word:>{width}}' for word, width in zip(row[1:], widths[1:], strict=True))}  {bar}"
        )


def _format_range(found: MeasureRange, each: MeasuredLevels, place: int) -> Iterator[str]:
    one, outside = found.spreads[place], found.outside[place]
    seeds = [each.name_at(row) for row in found.rows[place]]
    related = one.correlation
    bins = f"{len(found.box.x) - 1}x{len(found.box.y) - 1} bins of {found.names[0]} and {found.names[1]}"
    yield (
        f"{one.empty_share:.0%} of the {bins} are "
        f"empty{'' if related is None else f', correlation {round(related, 2) + 0.0:.2f}'}"
    )
    if outside:
        yield f"{plural(outside, 'level')} outside of the axes"
    width = max(len(str(seeds[corner.place])) for corner in one.corners)
    for number, corner in enumerate(one.corners):
        head = "" if number else "at the corners"
        yield f"{head:<14} seed {seeds[corner.place]:<{width}}  {_describe_corner(found, corner)}"


def _describe_corner(found: MeasureRange, corner: Corner) -> str:
    """The position of a corner, in words."""
    words = [
        f"{'high' if sign > 0 else 'low'} {name}"
        for name, sign in zip(found.names, (corner.right, corner.up), strict=True)
        if sign
    ]
    return ", ".join(words) or "all alike"


def _format_number(number: Number) -> str:
    """A number in few characters: four significant digits, and at least one decimal place, which medians of whole
    numbers need.

    >>> [_format_number(number) for number in (None, 12, 0.31416, 12.5, 1234.5, 98765.4321)]
    ['-', '12', '0.3142', '12.5', '1234.5', '98765.4']
    """
    if number is None or isinstance(number, int):
        return "-" if number is None else str(number)
    return f"{number:.1f}" if abs(number) >= 1000 else f"{number:.4g}"


def _format_histogram(each: MeasuredLevels, name: str) -> str:
    """A histogram on one line."""
    column = each.columns[name]
    known = column.known_numbers
    if not len(known) or known.min() == known.max():
        return ""
    counts, _ = np.histogram(
        known, compute_bin_edges(known, whole=column.whole and MEASURES[name].kind != "share", most=MAX_BARS)
    )
    return "".join(BAR_BLOCKS[-(-int(count) * (len(BAR_BLOCKS) - 1) // int(counts.max()))] for count in counts)
