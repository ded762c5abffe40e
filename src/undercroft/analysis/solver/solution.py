"""The result of solving a level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from undercroft.analysis.reach import Cells
from undercroft.core.level import Point
from undercroft.wording import one_line

EVENT_PHRASES = {
    "take": "take the {0}key",
    "pull": "pull the {0}switch",
    "open": "open the {0}door",
    "pass": "pass the one-way door",
}


class Event(NamedTuple):
    """An event of the solution: a key is taken, a switch pulled, a lock opened, a one-way door passed.

    >>> print(Event("take", 3, 4, "red"))
    take the red key at (3, 4)
    """

    kind: str
    """take, pull, open or pass."""
    x: int
    y: int
    name: str = ""
    """The name of the key, the switch or the lock."""
    step: int | None = None
    """The number of steps walked so far; None if steps were not counted."""

    def __str__(self) -> str:
        name = one_line(self.name)
        return f"{EVENT_PHRASES[self.kind].format(f'{name} ' if name else '')} at ({self.x}, {self.y})"


@dataclass(frozen=True, eq=False)
class Solution:
    """Whether a level can be solved and lost, and its shortest solution. `str()` of it describes the path."""

    solvable: bool
    """Whether the end can be reached."""
    unlosable: bool
    """Whether the end stays reachable after any moves. A level that cannot be solved is lost from the beginning."""
    reason: str = ""
    """Why it cannot be solved."""
    cells: Cells = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    """The shortest path as rows (x, y), from start to end."""
    events: tuple[Event, ...] = ()
    """The events on that path."""
    counterexample: tuple[Event, ...] | None = None
    """How to lose: the moves after which the end is unreachable. None if it cannot be lost."""
    needs_secrets: bool = False
    """Whether it can be solved only through secret doors."""
    depths: Mapping[Point, int] = field(default_factory=dict)
    """For each lock that can be opened, the least number of locks to open one after the other, itself included. 1 if
    its key lies in the open.
    """

    @property
    def length(self) -> int | None:
        """Steps of the shortest solution; None if there is none."""
        return len(self.cells) - 1 if self.solvable else None

    @property
    def backtrack(self) -> int | None:
        """How many of these steps lead to a cell that was visited before; None if there is no solution."""
        return len(self.cells) - len(np.unique(self.cells, axis=0)) if self.solvable else None

    @property
    def order(self) -> tuple[Point, ...]:
        """The cells with locks that the shortest solution opens, in order."""
        return tuple(dict.fromkeys((event.x, event.y) for event in self.events if event.kind == "open"))

    @property
    def depth(self) -> int:
        """How many locks must be opened one after the other, because the key to each lies behind the one before. 0
        without locks.
        """
        return max(self.depths.values(), default=0)

    def __str__(self) -> str:
        if not self.solvable:
            return f"not solvable: {self.reason}"
        lines = [
            (
                f"solved in {self.length:,} steps, {self.backtrack:,} of them over cells walked "
                f"before{' (secret doors needed)' if self.needs_secrets else ''}"
            )
        ]
        width = len(f"{self.length:,}")
        lines += [f"  {event.step:>{width},}  {event}" for event in self.events]
        x, y = self.cells[-1].tolist()
        lines.append(f"  {self.length:>{width},}  reach the end at ({x}, {y})")
        if self.counterexample is None:
            return "\n".join([*lines, "it cannot be lost"])
        lines.append("it can be lost:" if self.counterexample else "it is lost from the beginning")
        return "\n".join([*lines, *(f"  {event}" for event in self.counterexample)])
