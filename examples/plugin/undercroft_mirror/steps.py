"""A step: make the map symmetric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.step import all_facts_but


@dataclass(frozen=True, kw_only=True)
class Mirror:
    """Copy one half of the map over the other, as in a mirror.

    >>> from undercroft import Level
    >>> draft = Draft.of(Level.parse("#.##.#"))
    >>> Mirror(axis="x").apply(draft, Rng.root(1).stream("mirror"), Run())
    >>> print(draft)
    #.##.#
    """

    axis: Literal["any", "x", "y"] = "any"
    """Left to right, top to bottom, or one of the two by chance."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = all_facts_but("tiles")

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        axis = self.axis if self.axis != "any" else "xy"[rng.below(2)]
        tiles = draft.tiles if axis == "y" else draft.tiles.T
        half = len(tiles) // 2
        tiles[len(tiles) - half :] = tiles[:half][::-1]
        run.spend(draft.tiles.size)
