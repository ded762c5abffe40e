"""The times of a recipe's steps, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.bulk.profile import ALL, Profile, SizeTiming, format_size
from undercroft.wording import plural

BAR_COLUMNS = 24
"""The length of a bar for the whole time, in characters."""
BAR_PARTS = "▏▎▍▌▋▊▉█"


def format_profile_table(profile: Profile) -> Iterator[str]:
    """Each step with its time, its share and its memory; then their growth."""
    timed = profile.timing
    assert timed is not None
    seeds = profile.seeds[: timed.levels + sum(profile.without.values())]
    yield (f"{profile.label} {format_size(profile.size)}, {_format_seeds(seeds)}: {plural(timed.levels, 'level')}")
    yield from _format_steps(profile, timed)
    whole = timed.seconds[-1]
    tries = timed.attempts / timed.levels
    yield (
        f"{format_rate(1 / whole)} levels a second on one core, "
        f"{'one attempt' if tries == 1 else f'{tries:.2f} attempts'} a level"
    )
    if len(profile.growth) > 1:
        yield ""
        yield from _format_growth(profile)


def _format_steps(profile: Profile, timed: SizeTiming) -> Iterator[str]:
    unit, name = _choose_unit(timed.seconds[-1])
    whole = timed.seconds[-1]
    peaks = {
        **{place: profile.peaks.get(step) for place, step in enumerate(profile.names[:-2])},
        len(profile.names) - 1: profile.peak or None,
    }
    rows = [["step", name, "share", "", "memory", "bytes a cell"]]
    for place, (step, seconds) in enumerate(zip(profile.names, timed.seconds, strict=True)):
        bytes_held = peaks.get(place)
        memory = ["", ""] if bytes_held is None else [format_bytes(bytes_held), f"{bytes_held / timed.cells:.1f}"]
        rows.append(
            [
                step,
                f"{seconds / unit:,.1f}",
                f"{seconds / whole:.1%}",
                "" if step == ALL else format_bar(seconds / whole, BAR_COLUMNS).ljust(BAR_COLUMNS),
                *memory,
            ]
        )
    if not profile.peak:
        rows = [row[:4] for row in rows]
    yield from _align_rows(rows, left=(0, 3))


def _format_growth(profile: Profile) -> Iterator[str]:
    """The nanoseconds for each cell by step and size, their growth, and bars of the total."""
    rows = [["ns a cell", *(format_size(timed.size) for timed in profile.growth), "grows like"]]
    for place, step in enumerate(profile.names):
        power = profile.growth_exponent(place)
        grows = "-" if power is None else f"cells^{power:.2f}"
        rows.append(
            [step, *(_format_three_digits(timed.seconds[place] / timed.cells * 1e9) for timed in profile.growth), grows]
        )
    yield from _align_rows(rows, left=(0,))
    yield ""
    each = [timed.seconds[-1] / timed.cells for timed in profile.growth]
    rows = [
        [format_size(timed.size), f"{format_bar(cost / max(each), 2 * BAR_COLUMNS)} {_format_three_digits(cost * 1e9)}"]
        for timed, cost in zip(profile.growth, each, strict=True)
    ]
    yield from _align_rows([["ns a cell", ALL], *rows], left=(1,))


def format_bar(share: float, most: int) -> str:
    """A bar in eighths of a character; any share above 0 is visible.

    >>> format_bar(0.5, 5), format_bar(0.001, 5), format_bar(0, 5), format_bar(1, 5)
    ('██▌', '▏', '', '█████')
    """
    eighths = max(round(share * most * 8), 1 if share > 0 else 0)
    return BAR_PARTS[-1] * (eighths // 8) + (BAR_PARTS[eighths % 8 - 1] if eighths % 8 else "")


def format_bytes(count: int) -> str:
    """A number of bytes, with its unit.

    >>> format_bytes(625), format_bytes(58_694), format_bytes(12_400_000)
    ('625 B', '58.7 kB', '12.4 MB')
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (1000, "kB")):
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} B"


def _format_seeds(seeds: Sequence[int]) -> str:
    return f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]}..{seeds[-1]}"


def _choose_unit(seconds: float) -> tuple[float, str]:
    return (1e-6, "µs") if seconds < 0.01 else (1e-3, "ms") if seconds < 10 else (1.0, "s")


def format_rate(number: float) -> str:
    """A rate per second.

    >>> format_rate(3310.4), format_rate(0.3141)
    ('3,310', '0.31')
    """
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _format_three_digits(number: float) -> str:
    """A number with three significant digits."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def _align_rows(rows: Sequence[Sequence[str]], left: Sequence[int]) -> Iterator[str]:
    """Rows as aligned lines: columns in `left` are aligned left, the others right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(
            f"{word:<{wide}}" if column in left else f"{word:>{wide}}"
            for column, (word, wide) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
