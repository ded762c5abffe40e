"""The table, drawn for a person at a terminal or as plain text for a file."""

import sys
from collections.abc import Sequence

from benchmarks.contest import Row, format_size
from benchmarks.works import OURS

HEADINGS = (
    "work",
    "size",
    "contender",
    "median ms",
    "Mcells/s",
    "Mrewrites/s",
    "time / ours",
    "rounds, and more; or why none",
)
WORDS = 3
"""The first columns are words, aligned left; the rest are numbers, aligned right."""


def lines(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The cells of the table as text; a contender without a time gives its reason instead."""
    times = {(row.work, row.size): row.median for row in rows if row.contender == OURS}
    return [_line(row, times.get((row.work, row.size))) for row in rows]


def _line(row: Row, ours: float | None) -> tuple[str, ...]:
    where = (row.work, format_size(row.size), row.contender)
    if row.median is None:
        return (*where, "-", "-", "-", "-", row.skip)
    more = "".join(f", {number:,.0f} {name}" for name, number in row.facts.items())
    ratio = f"{row.median / ours:.2f}" if ours else "-"
    return (
        *where,
        f"{row.median * 1000:.3f}",
        _millions(row.cells_per_second),
        _millions(row.rewrites_per_second),
        ratio,
        f"{len(row.seconds)}{more}",
    )


def _millions(speed: float | None) -> str:
    return f"{speed / 1e6:.3g}" if speed else "-"


def show(rows: Sequence[Row]) -> None:
    """Print the table: with rich on a terminal, else as plain columns."""
    texts = lines(rows)
    if sys.stdout.isatty():
        _show_rich(texts)
    else:
        print(plain(texts))


def plain(texts: Sequence[tuple[str, ...]]) -> str:
    """The table as columns of text, an empty line between works."""
    widths = [max(len(line[i]) for line in [HEADINGS, *texts]) for i in range(len(HEADINGS) - 1)]
    drawn, last = [], HEADINGS[0]
    for line in [HEADINGS, *texts]:
        if line[0] != last:
            drawn.append("")
        last = line[0]
        cells = [
            text.ljust(width) if i < WORDS else text.rjust(width)
            for i, (text, width) in enumerate(zip(line, widths, strict=False))
        ]
        drawn.append("  ".join([*cells, line[-1]]).rstrip())
    return "\n".join(drawn)


def _show_rich(texts: Sequence[tuple[str, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for i, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="left" if i < WORDS or i == len(HEADINGS) - 1 else "right", overflow="fold")
    last = ""
    for line in texts:
        if last and line[0] != last:
            table.add_row()
        last = line[0]
        table.add_row(*line, style="bold green" if line[2] == OURS else None)
    Console().print(table)
