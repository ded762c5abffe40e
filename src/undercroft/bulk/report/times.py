"""The times of a batch. Its files hold no times, so the report page stores them, and a resumed run adds its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from undercroft.bulk.batch.batch import Batch

REPORT_FILE = "report.html"
MAX_HEAD_BYTES = 1 << 20
"""How many bytes of the page are searched for the times."""
META_NAME = "undercroft-times"
_META_PATTERN = re.compile(rf'<meta name="{META_NAME}" content="([^"]*)">')


@dataclass(frozen=True, slots=True)
class Times:
    """The times of the seeds that were timed."""

    seeds: int = 0
    """Seeds made in that time."""
    elapsed: float = 0.0
    """Wall-clock seconds."""
    steps: Mapping[str, float] = field(default_factory=dict)
    """Seconds of processor time over all workers, by step, and for requirements, measures and files."""

    @classmethod
    def of(cls, run: Batch) -> Times:
        return cls(run.made_count, run.elapsed, dict(run.seconds))

    @property
    def work(self) -> float:
        """Seconds of processor time, over all workers."""
        return sum(self.steps.values())

    @property
    def rate(self) -> float | None:
        """Seeds per second."""
        return self.seeds / self.elapsed if self.seeds and self.elapsed > 0 else None

    @property
    def core_rate(self) -> float | None:
        """Seeds that one core makes per second of processor time."""
        return self.seeds / self.work if self.seeds and self.work > 0 else None

    def __add__(self, other: Times) -> Times:
        names = dict.fromkeys((*self.steps, *other.steps))
        return Times(
            self.seeds + other.seeds,
            self.elapsed + other.elapsed,
            {name: self.steps.get(name, 0.0) + other.steps.get(name, 0.0) for name in names},
        )

    def format_meta(self, order: str) -> str:
        """The line of the report that stores the times, with the digest of their request.

        >>> print(unescape(Times(3, 0.5, {"noise": 0.25}).format_meta("8f")))
        <meta name="undercroft-times" content="{"order":"8f","seeds":3,"elapsed":0.5,"steps":{"noise":0.25}}">
        """
        steps = {name: round(seconds, 6) for name, seconds in self.steps.items()}
        data = {"order": order, "seeds": self.seeds, "elapsed": round(self.elapsed, 6), "steps": steps}
        return f'<meta name="{META_NAME}" content="{escape(json.dumps(data, separators=(",", ":")))}">'


def read_times(folder: Path, order: str) -> Times:
    """The times of earlier runs, if the folder has a report on the same request; empty if it is missing, damaged, or of
    another request.
    """
    try:
        with (folder / REPORT_FILE).open("rb") as file:
            found = _META_PATTERN.search(file.read(MAX_HEAD_BYTES).decode("utf-8", "replace"))
        data: Any = json.loads(unescape(found[1])) if found else None
    except (OSError, ValueError, RecursionError):
        return Times()
    if not isinstance(data, dict) or data.get("order") != order:
        return Times()
    seeds, elapsed, steps = data.get("seeds"), data.get("elapsed"), data.get("steps")
    if (
        type(seeds) is not int
        or not isinstance(steps, dict)
        or not all(_is_time(one) for one in (seeds, elapsed, *steps.values()))
    ):
        return Times()
    return Times(seeds, elapsed, steps)  # type: ignore[arg-type]


def _is_time(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e12
