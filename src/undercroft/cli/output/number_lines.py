"""The measures of one level, as a table."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping

from undercroft.analysis.measures.table import GROUPS, MEASURES, Number

MIN_TEXT_COLUMNS = 24
"""The least width of an explanation; on a narrower terminal the lines break by themselves."""


def format_measures(
    numbers: Mapping[str, Number], wanted: tuple[str, ...], columns: int | None = None, unknown: Collection[str] = ()
) -> Iterator[str]:
    """Each measure with its number and its explanation, in groups if all are wanted. Explanations are wrapped to
    `columns`.

    Measures without a number are shown as given up, those in `unknown` as unknown.

    >>> print(*format_measures({"loops": 3, "path_length": None}, ("loops", "path_length")), sep=chr(10))
    loops               3  independent cycles, on the grid (Euler's formula; a pillar in a room counts)
    path_length      none  steps of the shortest path from start to end; none without start, end or path
    """
    names = wanted or tuple(MEASURES)
    texts = {
        name: _format_number(numbers[name]) if name in numbers else "unknown" if name in unknown else "given up"
        for name in names
    }
    widths = max(map(len, texts)), max(8, *map(len, texts.values()))
    if wanted:
        yield from (line for name in texts for line in _format_line(name, texts[name], widths, columns))
        return
    groups = {title: [measure.name for measure in group] for title, group in GROUPS.items()}
    if foreign := [name for name in texts if name not in MEASURES.own]:
        groups["of other packages"] = foreign
    for place, (title, group) in enumerate(groups.items()):
        yield from [""] if place else []
        yield title
        yield from (
            f"  {line}" for name in group for line in _format_line(name, texts[name], widths, columns and columns - 2)
        )


def _format_line(name: str, text: str, widths: tuple[int, int], columns: int | None) -> Iterator[str]:
    head = f"{name:<{widths[0]}}  {text:>{widths[1]}}  "
    about = MEASURES[name].about
    room = columns - len(head) if columns else 0
    lines = textwrap.wrap(about, room, break_on_hyphens=False) if room >= MIN_TEXT_COLUMNS else [about]
    yield head + lines[0]
    yield from (" " * len(head) + line for line in lines[1:])


def _format_number(value: Number) -> str:
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
