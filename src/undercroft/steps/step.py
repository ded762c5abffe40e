"""What every step has."""

from __future__ import annotations

from typing import Annotated, ClassVar, Protocol

from msgspec import Meta

from undercroft.core.draft import FACTS, Draft
from undercroft.core.rng import Rng
from undercroft.core.run import Run

Share = Annotated[float, Meta(ge=0, le=1)]
"""A probability or a part of a whole."""

ALL_BUT_TILES = FACTS[1:]
"""What a step spoils that writes tiles and does not mend the rest."""


class Step(Protocol):
    """A frozen dataclass of parameters. `apply` draws on the draft, with numbers from its own stream only."""

    edition: ClassVar[int]
    """Raised when the same parameters and stream give another result than before."""
    needs: ClassVar[tuple[str, ...]]
    gives: ClassVar[tuple[str, ...]]
    spoils: ClassVar[tuple[str, ...]]

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None: ...


def name_of(step: type[Step]) -> str:
    """The word for a step in a recipe: `RoomGrid` is `room-grid`."""
    return "".join(f"-{sign.lower()}" if sign.isupper() else sign for sign in step.__name__).removeprefix("-")
