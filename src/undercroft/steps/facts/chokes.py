"""The step that finds choke points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from undercroft.analysis.chokes import choke_points
from undercroft.core.draft import Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import Rng
from undercroft.core.run import Run


@dataclass(frozen=True, kw_only=True)
class Chokes:
    """Find the choke points: cells whose removal would cut some cells off from the others.

    For each of them, the layer "choke" holds the number of cells that would be cut off from the largest remaining part.
    It is 0 elsewhere.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ########
    ...     #..#...#
    ...     #......#
    ...     ########'''))
    >>> Chokes().apply(draft, Rng.root(1).stream("chokes"), Run())
    >>> print(draft.layers["choke"])
    [[0 0 0 0 0 0 0 0]
     [0 0 0 0 0 0 0 0]
     [0 0 3 4 5 0 0 0]
     [0 0 0 0 0 0 0 0]]
    """

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("choke",)
    spoils: ClassVar[tuple[str, ...]] = ()

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        draft.layers["choke"] = choke_points(look_up_tiles(draft.palette.walkable, draft.tiles), run)
