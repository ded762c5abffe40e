"""Progress bars: on a terminal only, and only for work that takes a while."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from undercroft.cli.messages import clean_text
from undercroft.cli.stdio import is_terminal

SHOW_AFTER_SECONDS = 0.5
"""Seconds of work before a bar appears."""
MAX_KNOWN_TOTAL = 10**12
"""Larger totals are not shown: the work would never end."""


class ProgressBar:
    """A progress bar with a description, a count, more text and the elapsed time; with `left` also the
    remaining time.
    """

    def __init__(self, wanted: bool, *, left: bool = False) -> None:
        self.wanted = wanted and is_terminal(sys.stderr)
        self._left = left
        self._begun = time.monotonic()
        self._shown: tuple[Any, Any] | None = None

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()

    @property
    def seconds(self) -> float:
        """The seconds since it began."""
        return time.monotonic() - self._begun

    @property
    def is_due(self) -> bool:
        """Whether the bar is shown, or should be by now."""
        return self.wanted and (self._shown is not None or self.seconds >= SHOW_AFTER_SECONDS)

    def show(self, done: int, total: int | None, text: str, more: str = "") -> None:
        """Update the bar, if it is due."""
        if not self.is_due:
            return
        if self._shown is None:
            self._shown = self._build_bar()
        bar, task = self._shown
        known = total if total is not None and total < MAX_KNOWN_TOTAL else None
        count = format_progress(done, total)
        bar.update(task, completed=done, total=known, description=clean_text(text), count=count, more=clean_text(more))

    def refresh(self) -> None:
        """Redraw the bar without progress."""
        if self._shown is not None:
            self._shown[0].update(self._shown[1])

    def _build_bar(self) -> tuple[Any, Any]:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            ProgressColumn,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        words = (
            TextColumn(f"{{task.{name}}}", markup=False) for name in ("description", "fields[count]", "fields[more]")
        )
        text, count, more = words
        columns: list[ProgressColumn] = [SpinnerColumn(), text, BarColumn(), count, more, TimeElapsedColumn()]
        bar = Progress(
            *columns, *([TimeRemainingColumn()] if self._left else []), console=Console(stderr=True), transient=True
        )
        bar.start()
        return bar, bar.add_task("", total=None, count="", more="")


class StepProgressBar(ProgressBar):
    """The steps of a level in its first attempt, then how many attempts failed."""

    def __init__(self, wanted: bool, steps: Sequence[str]) -> None:
        super().__init__(wanted)
        self._steps = list(steps)
        self._attempts = 0

    def __enter__(self) -> StepProgressBar:
        return self

    def show_step(self, step: str) -> None:
        """Show the running step."""
        if self._attempts == 0 and step in self._steps:
            self.show(self._steps.index(step), len(self._steps), step)
        else:
            self.refresh()

    def show_attempts(self, done: int, total: int) -> None:
        """Show how many of all tries have failed."""
        self._attempts = done
        self.show(done, total, "trying")


def format_progress(done: int, total: int | None) -> str:
    """A count, with its total if that is known.

    >>> format_progress(1234, 100_000), format_progress(7, 1 << 64)
    ('1,234 of 100,000', '7')
    """
    return f"{done:,}" if total is None or total >= MAX_KNOWN_TOTAL else f"{done:,} of {total:,}"
