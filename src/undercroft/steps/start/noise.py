"""The step that starts a map with noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from undercroft.core.draft import Draft
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.errors import BadInput
from undercroft.kernels import carve, flat_buffer
from undercroft.steps.step import Share, all_facts_but


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Make each cell wall with a given chance, else floor; the outer ring is wall."""

    wall: Share = 0.4
    """The chance of a wall."""
    ring: bool = True
    """Make the outer ring wall."""

    edition: ClassVar[int] = 1
    needs: ClassVar[tuple[str, ...]] = ()
    gives: ClassVar[tuple[str, ...]] = ("tiles",)
    spoils: ClassVar[tuple[str, ...]] = all_facts_but(*gives)

    def check(self, width: int, height: int) -> None:
        """Refuse a map without a cell inside the ring."""
        if self.ring and min(width, height) < 3:
            raise BadInput(
                f"a map with a ring of wall has at least 3x3 cells, not {width}x{height}",
                fix=f"ask for {max(width, 3)}x{max(height, 3)} or more",
            )

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        tiles, palette = draft.tiles, draft.palette
        wall, floor = palette.role("wall"), palette.role("floor")
        cells, chance = flat_buffer(tiles), threshold(self.wall)
        done = 0

        def bite(fuel: int) -> int:
            nonlocal done
            used = int(carve.fill_noise(cells, rng.state, chance, wall, floor, done, min(tiles.size, done + fuel)))
            done += used
            return used

        run.drive(bite)
        if self.ring:
            tiles[0], tiles[-1], tiles[:, 0], tiles[:, -1] = wall, wall, wall, wall
