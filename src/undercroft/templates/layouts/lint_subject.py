"""A layout that is looked at: the rooms it gives, and what may be said of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from undercroft.templates.layouts import room_faults
from undercroft.templates.layouts.layout import Layout, Size
from undercroft.templates.layouts.room_faults import SizeTable
from undercroft.templates.template import Template

EXTRA_CELLS = 8
"""How much larger than the smallest room the largest is that is looked at, both ways."""
MAX_COMPARED_CELLS = 200_000_000
"""Cells, times partitions, that rooms are compared with others for: some seconds of work."""


class TooMuchToCompare(Exception):
    """There is more to compare than a layout is worth."""


class LayoutRemark(NamedTuple):
    """Something worth knowing. An error is a mistake, a warning may be one, a note is for the curious."""

    kind: str
    severity: str
    problem: str
    fix: str = ""
    picture: str = ""
    part: int | None = None
    """The number of the partition that it is about."""


@dataclass(frozen=True, eq=False)
class LayoutSubject:
    """A layout, and the rooms it gives."""

    layout: Layout
    _left: list[int] = field(default_factory=lambda: [MAX_COMPARED_CELLS])
    """What may still be compared."""

    @cached_property
    def sizes(self) -> SizeTable:
        """What is wrong with its rooms, at every size."""
        return room_faults.survey_sizes(self.layout, EXTRA_CELLS)

    @cached_property
    def existing_sizes(self) -> list[Size]:
        """The sizes it has, smallest first."""
        wide, high = self.sizes.smallest
        return sorted(
            ((wide + x, high + y) for y, x in np.argwhere(self.sizes.reached).tolist()),
            key=lambda size: (size[0] * size[1], size),
        )

    @cached_property
    def rooms(self) -> dict[Size, Template]:
        return {size: self.layout.room(size) for size in self.existing_sizes}

    def gives_same_rooms(self, other: Layout) -> bool:
        """Whether another layout gives the same rooms. Large ones are compared first: they differ if any do."""
        return all(self._is_same_room(other, size) for size in reversed(self.existing_sizes))

    def _is_same_room(self, other: Layout, size: Size) -> bool:
        self._left[0] -= size[0] * size[1] * (1 + len(other.partitions))
        if self._left[0] < 0:
            raise TooMuchToCompare
        return other.fits(size) == size and other.room(size).looks_like(self.rooms[size])
