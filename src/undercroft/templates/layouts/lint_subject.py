"""The subject of the layout linter: a layout, its rooms, and remarks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from undercroft.templates.layouts import room_faults
from undercroft.templates.layouts.arguments import Size
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.room_faults import SizeTable
from undercroft.templates.template import Template

EXTRA_CELLS = 8
"""How much larger than the smallest room the largest examined room is, along both axes."""
MAX_COMPARED_CELLS = 200_000_000
"""The most cells, times partitions, to compare: some seconds of work."""


class TooMuchToCompare(Exception):
    """Raised when comparing rooms would take too long."""


class LayoutRemark(NamedTuple):
    """A remark about a layout. An error is a mistake, a warning may be one, a note is information."""

    kind: str
    severity: str
    problem: str
    fix: str = ""
    picture: str = ""
    part: int | None = None
    """The number of the partition it concerns; None for the whole layout."""


@dataclass(frozen=True, eq=False)
class LayoutSubject:
    """A layout and its rooms."""

    layout: Layout
    _left: list[int] = field(default_factory=lambda: [MAX_COMPARED_CELLS])
    """The remaining cells to compare."""

    @cached_property
    def sizes(self) -> SizeTable:
        """The sizes it has, with the faults of its rooms."""
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
        """Whether another layout gives the same rooms. Large rooms are compared first, since they differ if any do."""
        return all(self._is_same_room(other, size) for size in reversed(self.existing_sizes))

    def _is_same_room(self, other: Layout, size: Size) -> bool:
        self._left[0] -= size[0] * size[1] * (1 + len(other.partitions))
        if self._left[0] < 0:
            raise TooMuchToCompare
        return other.fits(size) == size and other.room(size).looks_like(self.rooms[size])
