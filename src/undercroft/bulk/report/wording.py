"""The wording that the text and the page of a report share: titles, short numbers, and the command that makes the batch
again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

from undercroft import limits
from undercroft.analysis.measures.table import Number
from undercroft.bulk.batch.batch_work import FILES_KEY, MEASURES_KEY
from undercroft.bulk.batch.request import BatchRequest
from undercroft.bulk.batch.step_clock import REQUIREMENTS_KEY
from undercroft.bulk.report.report import Report
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.inputs.toml import format_setting
from undercroft.recipe.request import DEFAULT_TRIES
from undercroft.wording import plural

UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that would move the cursor, or reorder the text around them."""
NON_STEP_KEYS = (REQUIREMENTS_KEY, MEASURES_KEY, FILES_KEY)
"""The keys of times outside the steps."""
MAX_DAMAGED_NAMED = 5
"""The most damaged files that are named; the others are counted."""
MAX_GIVEN_UP_NAMED = 12
"""The most given-up chunks that are named; the others are counted."""
BYTE_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")


def clean_text(text: str, most: int = 200) -> str:
    """A text on one line, without control characters; cut if it is long.

    >>> clean_text("loops\\n>= 2"), clean_text("a long text", 7)
    ('loops�>= 2', 'a long…')
    """
    line = UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def format_number(value: Number) -> str:
    """A number in few characters: four significant digits, and at least one decimal place, which medians of whole
    numbers need.

    >>> [format_number(value) for value in (None, 12, 0.31416, 12.5, 1234.5, 98765.4321, 12345678.5, 4.0)]
    ['-', '12', '0.3142', '12.5', '1,234.5', '98,765.4', '1.235e+07', '4']
    """
    if value is None:
        return "-"
    if float(value).is_integer() and abs(value) < 1e9:
        return f"{int(value):,}"
    return f"{value:,.1f}" if 1000 <= abs(value) < 1e6 else f"{value:.4g}"


def format_bytes(count: float) -> str:
    """A number of bytes, with its unit.

    >>> format_bytes(812), format_bytes(1_240_000), format_bytes(99_960_000)
    ('812 bytes', '1.24 MB', '100 MB')
    """
    power = 0
    while count >= 999.5 and power < len(BYTE_UNITS) - 1:
        count, power = count / 1000, power + 1
    return f"{count:.3g} {BYTE_UNITS[power]}"


def format_duration(seconds: float) -> str:
    """A duration, with its units.

    >>> [format_duration(seconds) for seconds in (0.034, 7.41, 754, 7504, 200_000)]
    ['34 ms', '7.4 s', '12 min 34 s', '2 h 5 min', '2 d 7 h']
    """
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    whole = round(seconds)
    for unit, name, smaller, rest in ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= unit:
            return f"{whole // unit} {name} {whole % unit // smaller} {rest}"
    return f"{seconds:.1f} s"


def format_share(part: float, whole: float) -> str:
    """A share in per cent; one above 0 is never shown as 0%, and one below 1 never as 100%.

    >>> format_share(1, 4), format_share(1, 1000), format_share(0, 9), format_share(999, 1000)
    ('25%', '<1%', '0%', '>99%')
    """
    per_cent = 100 * part / whole if whole else 0.0
    return "<1%" if 0 < per_cent < 0.5 else ">99%" if 99.5 <= per_cent < 100 else f"{per_cent:.0f}%"


def format_rate(rate: float) -> str:
    """A rate per second, or per minute if it is low."""
    return (
        f"{rate:,.0f} a second" if rate >= 10 else f"{rate:.1f} a second" if rate >= 1 else f"{rate * 60:.1f} a minute"
    )


def list_step_times(found: Report) -> list[tuple[str, float, bool]]:
    """Times in the order of the work: the name, the seconds, and whether it is a step."""
    seconds = found.times.steps
    ids = [plan.id for plan in found.order.request.recipe.plans]
    names = sorted(seconds, key=lambda name: (name in NON_STEP_KEYS, ids.index(name) if name in ids else len(ids)))
    return [(clean_text(name, 40), seconds[name], name not in NON_STEP_KEYS) for name in names]


def list_rejections(found: Report) -> list[tuple[str, int]]:
    """Why attempts were rejected, and how often, the most frequent reason first."""
    reasons = [(clean_text(text, 60), count) for text, count in found.count.rejected.items()]
    reasons += [("a step gave up", found.count.gave_up)] if found.count.gave_up else []
    return sorted(reasons, key=lambda pair: -pair[1])


def describe_seeds(first: int, last: int) -> str:
    """The start of a sentence about some seeds.

    >>> describe_seeds(3, 3), describe_seeds(3, 5)
    ('seed 3 was', 'seeds 3 to 5 were')
    """
    return f"seed {first} was" if first == last else f"seeds {first} to {last} were"


def count_unnamed_seeds(given_up: Sequence[tuple[int, int, str]]) -> int:
    """How many seeds were given up in chunks that are not named."""
    return sum(last - first + 1 for first, last, _ in given_up[MAX_GIVEN_UP_NAMED:])


def describe_problems(found: Report) -> list[str]:
    """The problems of the batch, each as a sentence."""
    problems = [
        f"The {describe_seeds(first, last)} given up: {clean_text(cause)}."
        for first, last, cause in found.poisoned[:MAX_GIVEN_UP_NAMED]
    ]
    problems += (
        [f"So were {plural(seeds_more, 'seed')} more; manifest.json names them all."]
        if (seeds_more := count_unnamed_seeds(found.poisoned))
        else []
    )
    problems += [f"{clean_text(name)} was damaged, and was made again." for name in found.damaged[:MAX_DAMAGED_NAMED]]
    problems += (
        [f"So were {len(found.damaged) - MAX_DAMAGED_NAMED:,} more."] if len(found.damaged) > MAX_DAMAGED_NAMED else []
    )
    problems += [
        f"{count:,} of {plural(found.count.levels, 'level')}: not {clean_text(text)}."
        for text, count in found.not_met.items()
        if count
    ]
    if not found.is_complete:
        order = found.order
        missing = order.row_count - found.seeds - found.given_up * order.combinations
        problems.append(
            f"{plural(missing, 'seed' if order.combinations == 1 else 'level')} of {order.row_count:,} are still to be "
            "made."
        )
    return problems


def format_command(order: BatchRequest, out: Path) -> str:
    """The command that makes the same batch again."""
    _, file, folder = order.request.recipe.source
    words = [
        "undercroft",
        "batch",
        order.request.recipe.name if folder == SHIPPED_FOLDER else Path(file).name,
        "--count",
        str(order.count),
        "--out",
        str(out),
    ]
    words += ["--first", str(order.first)] if order.first else []
    words += ["--size", "{}x{}".format(*order.request.size)] if order.request.size != order.request.recipe.size else []
    usual = order.request.recipe.values({})
    words += [
        word
        for name, value in order.request.values.items()
        if value != usual[name]
        for word in ("--set", f"{name}={format_setting(value)}")
    ]
    words += [word for text in order.vary.format_texts() for word in ("--vary", text)]
    words += [word for text in order.data["until"] for word in ("--until", text)]
    words += ["--tries", str(order.request.tries)] if order.request.tries != DEFAULT_TRIES else []
    words += ["--pick", order.request.pick] if order.request.pick != "first" else []
    words += ["--measures", ",".join(order.measures)] if order.measures else []
    words += ["--as", order.form] if order.form != "parquet" else []
    words += [word for name, value in order.options.items() for word in ("--option", f"{name}={format_setting(value)}")]
    words += ["--chunk", str(order.chunk)] if order.chunk != order.default_chunk else []
    cells = order.request.size[0] * order.request.size[1]
    words += ["--max-cells", str(cells)] if cells > limits.CELLS.value else []
    words += ["--max-steps", str(order.request.max_steps)] if order.request.max_steps else []
    return clean_text(shlex.join(words), 4000)
