"""The step that puts one tile everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run
from undercroft.steps.step import all_facts_but


@dataclass(frozen=True, kw_only=True)
class Fill:
    """Put one tile everywhere."""

    role: Literal[
        "void",
        "wall",
        "floor",
        "corridor",
        "door",
        "opening",
        "locked",
        "secret",
        "water",
        "pit",
        "pillar",
        "entry",
        "exit",
    ] = "wall"
    """The role of the tile."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = all_facts_but(*gives)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:  # noqa: ARG002
        draft.tiles[:] = draft.palette.role(self.role)
        run.spend(draft.tiles.size)
