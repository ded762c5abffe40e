"""What every step has."""

from __future__ import annotations

from typing import Annotated, ClassVar, Protocol

from msgspec import Meta

from undercroft.core.draft import FACTS, TILE_FACTS, Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run

Share = Annotated[float, Meta(ge=0, le=1)]
"""A probability or a part of a whole."""


def all_facts_but(*facts: str) -> tuple[str, ...]:
    """Every other fact: what a step spoils that begins the map anew, and gives these."""
    return tuple(fact for fact in FACTS if fact not in facts)


ALL_BUT_TILES = TILE_FACTS
"""What a step spoils that writes tiles here and there and does not mend the rest. Things stay where they are."""


class Step(Protocol):
    """A frozen dataclass of parameters. `apply` draws on the draft, with numbers from its own stream only."""

    edition: ClassVar[int]
    """Raised when the same parameters and stream give another result than before."""
    needs: ClassVar[tuple[str, ...]]
    gives: ClassVar[tuple[str, ...]]
    spoils: ClassVar[tuple[str, ...]]
    """Forgotten after the step. One that spoils them only sometimes has `forgets = True`, and does that itself."""

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None: ...


def step_name_of(step: type[Step]) -> str:
    """The word for a step in a recipe: `RoomGrid` is `room-grid`."""
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in step.__name__).removeprefix("-")
