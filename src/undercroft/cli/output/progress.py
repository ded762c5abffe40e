"""Progress bars: on a terminal only, and only when there is something to wait for."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from undercroft.cli.stdio import on_terminal

PATIENCE = 0.5
"""Seconds of work before a bar appears."""
ENDLESS = 10**12
"""Of so many and more nobody sees the end: they are not told."""


class Bar:
    """What is going on, a bar, how many of how many are done, more words, and how long it took; with `left`, how long
    it will take.
    """

    def __init__(self, wanted: bool, *, left: bool = False) -> None:
        self.wanted = wanted and on_terminal(sys.stderr)
        self._left = left
        self._begun = time.monotonic()
        self._shown: tuple[Any, Any] | None = None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown[0].stop()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._begun

    @property
    def is_due(self) -> bool:
        """Whether it is to be seen by now."""
        return self.wanted and (self._shown is not None or self.seconds >= PATIENCE)

    def show(self, done: int, total: int | None, text: str, more: str = "") -> None:
        """So far has it come."""
        if not self.is_due:
            return
        if self._shown is None:
            self._shown = self._bar()
        bar, task = self._shown
        known = total if total is not None and total < ENDLESS else None
        bar.update(task, completed=done, total=known, description=text, count=counted(done, total), more=more)

    def turn(self) -> None:
        """Still at it."""
        if self._shown is not None:
            self._shown[0].update(self._shown[1])

    def _bar(self) -> tuple[Any, Any]:
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

        words = (TextColumn(f"{{task.{name}}}") for name in ("description", "fields[count]", "fields[more]"))
        text, count, more = words
        columns: list[ProgressColumn] = [SpinnerColumn(), text, BarColumn(), count, more, TimeElapsedColumn()]
        bar = Progress(
            *columns, *([TimeRemainingColumn()] if self._left else []), console=Console(stderr=True), transient=True
        )
        bar.start()
        return bar, bar.add_task("", total=None, count="", more="")


class Steps(Bar):
    """The steps of a level while it is made for the first time, then how many attempts failed."""

    def __init__(self, wanted: bool, steps: Sequence[str]) -> None:
        super().__init__(wanted)
        self._steps = list(steps)
        self._attempts = 0

    def __enter__(self) -> Steps:
        return self

    def tick(self, step: str) -> None:
        """This step is at work."""
        if self._attempts == 0 and step in self._steps:
            self.show(self._steps.index(step), len(self._steps), step)
        else:
            self.turn()

    def move(self, done: int, total: int) -> None:
        """So many of all tries have failed."""
        self._attempts = done
        self.show(done, total, "trying")


def counted(done: int, total: int | None) -> str:
    """How many of how many.

    >>> counted(1234, 100_000), counted(7, 1 << 64)
    ('1,234 of 100,000', '7')
    """
    return f"{done:,}" if total is None or total >= ENDLESS else f"{done:,} of {total:,}"
