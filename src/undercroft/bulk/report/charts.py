"""Histograms and bars of a report, as SVG inside the page: the style sheet of the page sets their colours."""

from __future__ import annotations

import math
from html import escape

from undercroft.bulk.report.distribution import Distribution
from undercroft.bulk.report.report import MAX_BINS
from undercroft.bulk.report.wording import format_number
from undercroft.wording import plural

CHART_WIDTH, CHART_HEIGHT, FOOT_HEIGHT = 360, 120, 34
"""The size of a histogram, and the height of what stands below it."""
MIN_BINS = 8
"""The least limit on bins, for few levels. For many levels it is the square root of their number, up to `MAX_BINS`."""
BAR_GAP = 1.5
"""The gap between two bars."""


def render_histogram(name: str, one: Distribution) -> str:
    """Bars of a measure. Below them: a thin line from the least to the greatest number, a thick one from the lower to
    the upper quartile, and a dot at the median.
    """
    edges, counts = one.bins(min(MAX_BINS, max(MIN_BINS, math.isqrt(one.count))))
    if one.least is None or one.greatest is None:
        return ""
    most, low, span = int(counts.max()), float(edges[0]), float(edges[-1] - edges[0])

    def to_x(value: float | None) -> float:
        return round((float(value or 0) - low) / span * CHART_WIDTH, 1)

    bars = []
    for left, right, count in zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True):
        if count:
            tall = max(1.0, count / most * (CHART_HEIGHT - 6))
            x, wide = to_x(left) + BAR_GAP / 2, max(1.0, to_x(right) - to_x(left) - BAR_GAP)
            title = f"{_describe_bin(one, left, right)}: {plural(count, 'level')}"
            bars.append(
                f'<rect x="{x:.1f}" y="{CHART_HEIGHT - tall:.1f}" width="{wide:.1f}" height="{tall:.1f}" '
                f'rx="1.2"><title>{title}</title></rect>'
            )
    lower, median, upper = (to_x(one.quantile(quarter)) for quarter in (0.25, 0.5, 0.75))
    least, greatest = to_x(one.least.number), to_x(one.greatest.number)
    line = CHART_HEIGHT + 10
    ends = f'x1="{least:.1f}" x2="{greatest:.1f}" y1="0" y2="0"'
    stops = "".join(
        f'<stop class="{word}" offset="{place}"/>' for word, place in (("cool", 0), ("middle", 0.5), ("warm", 1))
    )
    parts = [
        (
            f'<svg class="histogram" viewBox="0 0 {CHART_WIDTH} {CHART_HEIGHT + FOOT_HEIGHT}" role="img" '
            f'aria-label="histogram of {escape(name)}">'
        ),
        (
            f'<defs><linearGradient id="scale-{escape(name)}" gradientUnits="userSpaceOnUse" '
            f"{ends}>{stops}</linearGradient></defs>"
        ),
        f'<rect class="band" x="{lower:.1f}" y="0" width="{max(1.0, upper - lower):.1f}" height="{CHART_HEIGHT}"/>',
        f'<g fill="url(#scale-{escape(name)})">{"".join(bars)}</g>',
        f'<path class="axis" d="M0 {CHART_HEIGHT + 0.5}H{CHART_WIDTH}"/>',
        f'<path class="whisker" d="M{least:.1f} {line}H{greatest:.1f}"/>',
        f'<path class="box" d="M{lower:.1f} {line}H{max(upper, lower + 0.1):.1f}"/>',
        f'<circle class="median" cx="{median:.1f}" cy="{line}" r="4"/>',
        f'<text x="0" y="{CHART_HEIGHT + 30}">least {format_number(one.least.number)}</text>',
        (
            f'<text x="{CHART_WIDTH}" y="{CHART_HEIGHT + 30}" text-anchor="end">'
            f"greatest {format_number(one.greatest.number)}</text>"
        ),
        "</svg>",
    ]
    return "".join(parts)


def _describe_bin(one: Distribution, left: float, right: float) -> str:
    """The numbers that a bin holds, as text."""
    if not one.whole:
        return f"{format_number(left)} to {format_number(right)}"
    first, last = round(left + 0.5), round(right - 0.5)
    return format_number(first) if first == last else f"{format_number(first)} to {format_number(last)}"


def render_bar_row(name: str, value: str, part: float, *, kind: str = "", more: str = "") -> str:
    """A row of a table with a bar in it; `part` is its length from 0 to 1."""
    length = f"{max(0.0, min(1.0, part)) * 100:.2f}"
    bar = (
        f'<svg class="lying {kind}" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect '
        f'width="{length}" height="10"/></svg>'
    )
    return (
        f'<tr><th scope="row">{escape(name)}</th><td class="drawn">{bar}</td><td>{escape(value)}</td><td '
        f'class="quiet">{escape(more)}</td></tr>'
    )
