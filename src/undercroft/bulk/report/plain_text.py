"""A report as plain text, no wider than a hundred columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.bulk.report.distribution import Distribution
from undercroft.bulk.report.report import Report
from undercroft.bulk.report.wording import clean, counted, number, pace, refusals, sentences, share, size, span, steps

WIDTH = 100
BARS, BLOCKS = 12, " ▁▂▃▄▅▆▇█"
"""Bars of a histogram in a line, at the most, and what they are made of."""
LENGTH, PARTS = 36, " ▏▎▍▌▋▊▉"
"""Columns of the longest bar that lies, and what ends it."""


def text(found: Report) -> str:
    """The whole report."""
    parts = (
        _head(found),
        _measures(found),
        _named(found),
        _refusals(found),
        _problems(found),
        _times(found),
        sentences(found),
    )
    return "\n\n".join("\n".join(clean(line, WIDTH) for line in lines) for part in parts if (lines := list(part)))


def _head(found: Report) -> Iterator[str]:
    order, times = found.order, found.times
    seeds = f"seed {order.first}" if order.count == 1 else f"seeds {order.first}..{order.last}"
    yield (
        f"{clean(order.recipe.name, 40)} {order.size[0]}x{order.size[1]}, {seeds}: "
        f"{counted(found.count.levels, 'level')}"
    )
    if times.rate is not None and times.core_rate is not None:
        made = "" if times.seeds == found.seeds else f" for {counted(times.seeds, 'seed')}"
        yield f"{span(times.elapsed)}{made}, {pace(times.rate)}; one core makes {pace(times.core_rate)}"
    if found.bytes:
        each = f", {round(found.bytes / found.count.levels):,} bytes a level" if found.count.levels else ""
        yield f"{size(found.bytes)} in {counted(found.file_count, 'file')}{each}"
    if found.tries.greatest and found.tries.greatest.number > 1:
        yield (
            f"{found.tries.mean:.2f} tries a level, {number(found.tries.greatest.number)} at the most (seed "
            f"{found.tries.greatest.seed})"
        )


def _measures(found: Report) -> Iterator[str]:
    """A row for each measure."""
    if not found.count.levels or not found.measures:
        return
    heads = ["measure", "least", "25%", "median", "75%", "greatest", "mean"]
    rows = [
        heads,
        *(
            [name, *(number(one.quantile(quarter / 4)) for quarter in range(5)), number(one.mean)]
            for name, one in found.measures.items()
        ),
    ]
    if any(one.missing for one in found.measures.values()):
        for row, word in zip(
            rows, ["none", *(f"{one.missing:,}" if one.missing else "" for one in found.measures.values())], strict=True
        ):
            row.append(word)
    yield from _table(rows, ["", *map(_histogram, found.measures.values())])


def _histogram(one: Distribution) -> str:
    """A histogram in a line."""
    if not one.varies:
        return ""
    _, counts = one.bins(BARS)
    return "".join(BLOCKS[-(-int(count) * (len(BLOCKS) - 1) // int(counts.max()))] for count in counts)


def _named(found: Report) -> Iterator[str]:
    """The typical levels, and where the extreme ones are."""
    if found.typical:
        word = "typical" if found.is_by_median else "the first"
        yield f"{word}: {', '.join(f'seed {one.seed}' for one in found.typical)}"
    rows = [
        [name, *(f"seed {end.seed}" if end else "-" for end in (one.least, one.greatest))]
        for name, one in found.measures.items()
        if one.varies
    ]
    if rows:
        yield from _table([["extreme", "least", "greatest"], *rows])


def _refusals(found: Report) -> Iterator[str]:
    rows = refusals(found)
    if any(count for _, count in rows):
        most = max(count for _, count in rows)
        yield from _table(
            [["attempts rejected by", ""], *([name, f"{count:,}"] for name, count in rows)],
            ["", *(_bar(count / most) for _, count in rows)],
        )


def _problems(found: Report) -> Iterator[str]:
    """Why seeds have no level."""
    rows = sorted(found.count.problems.items(), key=lambda pair: -pair[1])
    if rows:
        shown, rest = rows[:9], sum(count for _, count in rows[9:])
        lines = [[clean(problem, 72), f"{count:,}"] for problem, count in shown] + (
            [["other reasons", f"{rest:,}"]] if rest else []
        )
        yield from _table([["seeds without a level", f"{sum(count for _, count in rows):,}"], *lines])


def _times(found: Report) -> Iterator[str]:
    rows, work = steps(found), found.times.work
    if not rows or work <= 0:
        return
    most = max(seconds for _, seconds, _ in rows)
    told = [[name if is_step else f"({name})", span(seconds), share(seconds, work)] for name, seconds, is_step in rows]
    yield from _table(
        [["time by step", "work", "share"], *told], ["", *(_bar(seconds / most) for _, seconds, _ in rows)]
    )


def _table(rows: Sequence[Sequence[str]], bars: Sequence[str] = ()) -> Iterator[str]:
    """Columns below their names: the first one to the left, the others to the right, and bars behind them."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for place, row in enumerate(rows):
        cells = [
            f"{row[0]:<{widths[0]}}",
            *(f"{word:>{width}}" for word, width in zip(row[1:], widths[1:], strict=True)),
            bars[place] if bars else "",
        ]
        yield "  ".join(cells).rstrip()


def _bar(part: float) -> str:
    """A bar that lies.

    >>> _bar(1 / 36), _bar(0.04), len(_bar(1))
    ('█', '█▌', 36)
    """
    eighths = max(1, round(part * LENGTH * 8)) if part > 0 else 0
    return "█" * (eighths // 8) + PARTS[eighths % 8].strip()
