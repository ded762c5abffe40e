"""The step that numbers rooms in the order in which they are reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from undercroft.analysis.regions.number_regions import number_regions
from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run


@dataclass(frozen=True, kw_only=True)
class Number:
    """Number the rooms by their steps from the start: room 1 is the first that is reached. Corridors come last.

    Of rooms at equal distance, the one whose nearest cell lies higher up comes first, then the one further left; rooms
    that cannot be reached come after those that can. Without a start, rooms are numbered in reading order. Doors,
    links, tags and names follow the numbers. If no rooms are known, nothing happens.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ##############
    ...     #111+,,+222###
    ...     ######,###2###
    ...     ######+###>###
    ...     #33333333#####
    ...     ##############''').replace(start=(8, 4)))
    >>> Number().apply(draft, Rng.root(1).stream("number"), Run())
    >>> [(room.label, room.x, room.y) for room in draft.regions]
    [(1, 1, 4), (2, 8, 1), (3, 1, 1)]
    """

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        run.spend(draft.tiles.size)
        number_regions(draft, run)
