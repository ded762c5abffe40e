"""The measures of one level, as a table."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterator, Mapping

from undercroft.analysis.measures.dungeon_measures import WHOLE
from undercroft.analysis.measures.measure import Measure
from undercroft.analysis.measures.table import DUNGEON_MEASURES, GROUPS, MEASURES, Number

MIN_TEXT_COLUMNS = 24
"""The least width of an explanation; on a narrower terminal the lines break by themselves."""


def format_measures(
    numbers: Mapping[str, Number],
    wanted: tuple[str, ...],
    columns: int | None = None,
    unknown: Collection[str] = (),
    known: Mapping[str, Measure] = MEASURES,
) -> Iterator[str]:
    """Each measure with its number and its explanation, in groups if all are wanted. Explanations are wrapped to
    `columns`. `known` are the measures of levels, or of dungeons.

    Measures without a number are shown as given up, those in `unknown` as unknown.

    >>> print(*format_measures({"loops": 3, "path_length": None}, ("loops", "path_length")), sep=chr(10))
    loops               3  independent cycles, on the grid (Euler's formula; a pillar in a room counts)
    path_length      none  steps of the shortest path from start to end; none without start, end or path
    """
    names = wanted or tuple(known)
    texts = {
        name: _format_number(numbers[name]) if name in numbers else "unknown" if name in unknown else "given up"
        for name in names
    }
    widths = max(map(len, texts)), max(8, *map(len, texts.values()))
    if wanted:
        yield from (line for name in texts for line in _format_line(known[name], texts[name], widths, columns))
        return
    groups = {"the whole": list(WHOLE)} if known is DUNGEON_MEASURES else {}
    groups |= {title: [measure.name for measure in group] for title, group in GROUPS.items()}
    if foreign := [name for name in texts if name not in MEASURES.own and name not in WHOLE]:
        groups["of other packages"] = foreign
    room = columns and columns - 2
    for place, (title, group) in enumerate(groups.items()):
        yield from [""] if place else []
        yield title
        yield from (f"  {line}" for name in group for line in _format_line(known[name], texts[name], widths, room))


def _format_line(measure: Measure, text: str, widths: tuple[int, int], columns: int | None) -> Iterator[str]:
    head = f"{measure.name:<{widths[0]}}  {text:>{widths[1]}}  "
    room = columns - len(head) if columns else 0
    lines = textwrap.wrap(measure.about, room, break_on_hyphens=False) if room >= MIN_TEXT_COLUMNS else [measure.about]
    yield head + lines[0]
    yield from (" " * len(head) + line for line in lines[1:])


def _format_number(value: Number) -> str:
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
