"""Describe why a layout gives no room of a size."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import UndercroftError

Size = tuple[int, int]
STUCK, PASSED, REPAIRED = 1, 2, 3
"""Verdicts of the kernel: nothing grows along that axis; it grew past the size; the locked ratio broke the fit."""


class NoLayoutFits(UndercroftError):
    """Raised if no layout gives a room of the requested size. `reasons` has a sentence for each layout tried."""

    exit_code = 1

    def __init__(
        self, reasons: Mapping[str, str], size: Size, *, fix: str = "ask for another size, or allow more leniency"
    ) -> None:
        self.reasons = dict(reasons)
        """A sentence for each layout that was tried."""
        self.size = size
        """The width and height that were asked for."""
        told = [f"{name}: {reason}" for name, reason in self.reasons.items()]
        listed = f": {told[0]}" if len(told) == 1 else "".join(f"\n    {line}" for line in told)
        super().__init__(f"no room of {size[0]}x{size[1]}{listed}", fix=fix)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(NoLayoutFits, fix=self.fix), (self.reasons, self.size)


def describe_verdict(verdict: int, box: NDArray[np.int64], smallest: Size) -> str:
    """The reason behind a verdict of the kernel."""
    axis, kind = divmod(verdict, 10)
    word, high = ("narrower", "wide") if axis == 0 else ("lower", "high")
    got, before = int(box[2 + axis]), int(box[4])
    if kind == STUCK:
        return f"it stays {got} {high}, nothing in it grows {'sideways' if axis == 0 else 'up or down'}"
    if kind == PASSED:
        return (
            f"it goes from {before} to {got} {high} in one step"
            if before
            else f"it is never {word} than {smallest[axis]}"
        )
    if not got:
        return "its locked ratio makes it larger than any map"
    return f"its locked ratio makes it {got} {high}"
