"""Format a report as plain text, at most a hundred columns wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.bulk.report.distribution import Distribution
from undercroft.bulk.report.report import Report
from undercroft.bulk.report.wording import (
    clean_text,
    describe_problems,
    format_bytes,
    format_duration,
    format_number,
    format_rate,
    format_share,
    list_rejections,
    list_step_times,
)
from undercroft.wording import plural

MAX_WIDTH = 100
MAX_BARS, BAR_BLOCKS = 12, " ▁▂▃▄▅▆▇█"
"""The most bars of a histogram in a line, and the characters for their heights."""
BAR_LENGTH, BAR_ENDS = 36, " ▏▎▍▌▋▊▉"
"""Columns of the longest horizontal bar, and the characters that end one."""


def format_report(found: Report) -> str:
    """The whole report."""
    parts = (
        _format_head(found),
        _format_measures(found),
        _format_named_levels(found),
        _format_rejections(found),
        _format_problems(found),
        _format_times(found),
        describe_problems(found),
    )
    return "\n\n".join(
        "\n".join(clean_text(line, MAX_WIDTH) for line in lines) for part in parts if (lines := list(part))
    )


def _format_head(found: Report) -> Iterator[str]:
    order, times = found.order, found.times
    seeds = f"seed {order.first}" if order.count == 1 else f"seeds {order.first}..{order.last}"
    yield (
        f"{clean_text(order.request.recipe.name, 40)} {order.request.size[0]}x{order.request.size[1]}, {seeds}: "
        f"{plural(found.count.levels, 'level')}"
    )
    if times.rate is not None and times.core_rate is not None:
        scope = "" if times.seeds == found.seeds else f" for {plural(times.seeds, 'seed')}"
        yield (
            f"{format_duration(times.elapsed)}{scope}, {format_rate(times.rate)}; "
            f"one core makes {format_rate(times.core_rate)}"
        )
    if found.bytes:
        each = f", {round(found.bytes / found.count.levels):,} bytes a level" if found.count.levels else ""
        yield f"{format_bytes(found.bytes)} in {plural(found.file_count, 'file')}{each}"
    if found.tries.greatest and found.tries.greatest.number > 1:
        yield (
            f"{found.tries.mean:.2f} tries a level, {format_number(found.tries.greatest.number)} at the most (seed "
            f"{found.name_level(found.tries.greatest)})"
        )


def _format_measures(found: Report) -> Iterator[str]:
    """A row for each measure."""
    if not found.count.levels or not found.measures:
        return
    heads = ["measure", "least", "25%", "median", "75%", "greatest", "mean"]
    rows = [
        heads,
        *(
            [name, *(format_number(one.quantile(quarter / 4)) for quarter in range(5)), format_number(one.mean)]
            for name, one in found.measures.items()
        ),
    ]
    if any(one.missing for one in found.measures.values()):
        for row, word in zip(
            rows, ["none", *(f"{one.missing:,}" if one.missing else "" for one in found.measures.values())], strict=True
        ):
            row.append(word)
    yield from _format_table(rows, ["", *map(_format_histogram, found.measures.values())])


def _format_histogram(one: Distribution) -> str:
    """A histogram on one line."""
    if not one.varies:
        return ""
    _, counts = one.bins(MAX_BARS)
    return "".join(BAR_BLOCKS[-(-int(count) * (len(BAR_BLOCKS) - 1) // int(counts.max()))] for count in counts)


def _format_named_levels(found: Report) -> Iterator[str]:
    """The typical levels, and the seeds of the extreme ones."""
    if found.typical:
        word = "typical" if found.is_by_median else "the first"
        yield f"{word}: {', '.join(f'seed {found.name_level(one)}' for one in found.typical)}"
    rows = [
        [name, *(f"seed {found.name_level(end)}" if end else "-" for end in (one.least, one.greatest))]
        for name, one in found.measures.items()
        if one.varies
    ]
    if rows:
        yield from _format_table([["extreme", "least", "greatest"], *rows])


def _format_rejections(found: Report) -> Iterator[str]:
    rows = list_rejections(found)
    if any(count for _, count in rows):
        most = max(count for _, count in rows)
        yield from _format_table(
            [["attempts rejected by", ""], *([name, f"{count:,}"] for name, count in rows)],
            ["", *(_format_bar(count / most) for _, count in rows)],
        )


def _format_problems(found: Report) -> Iterator[str]:
    """The reasons why seeds have no level."""
    rows = sorted(found.count.problems.items(), key=lambda pair: -pair[1])
    if rows:
        shown, rest = rows[:9], sum(count for _, count in rows[9:])
        lines = [[clean_text(problem, 72), f"{count:,}"] for problem, count in shown] + (
            [["other reasons", f"{rest:,}"]] if rest else []
        )
        yield from _format_table([["seeds without a level", f"{sum(count for _, count in rows):,}"], *lines])


def _format_times(found: Report) -> Iterator[str]:
    rows, work = list_step_times(found), found.times.work
    if not rows or work <= 0:
        return
    most = max(seconds for _, seconds, _ in rows)
    cells = [
        [name if is_step else f"({name})", format_duration(seconds), format_share(seconds, work)]
        for name, seconds, is_step in rows
    ]
    yield from _format_table(
        [["time by step", "work", "share"], *cells], ["", *(_format_bar(seconds / most) for _, seconds, _ in rows)]
    )


def _format_table(rows: Sequence[Sequence[str]], bars: Sequence[str] = ()) -> Iterator[str]:
    """A table with its header: the first column aligned left, the others right, and bars after them."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for place, row in enumerate(rows):
        cells = [
            f"{row[0]:<{widths[0]}}",
            *(f"{word:>{width}}" for word, width in zip(row[1:], widths[1:], strict=True)),
            bars[place] if bars else "",
        ]
        yield "  ".join(cells).rstrip()


def _format_bar(part: float) -> str:
    """A horizontal bar.

    >>> _format_bar(1 / 36), _format_bar(0.04), len(_format_bar(1))
    ('█', '█▌', 36)
    """
    eighths = max(1, round(part * BAR_LENGTH * 8)) if part > 0 else 0
    return "█" * (eighths // 8) + BAR_ENDS[eighths % 8].strip()
