"""The step that makes straight edges ragged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from msgspec import Meta

from undercroft.core.draft import LAYER_FACTS, Draft
from undercroft.core.palette import look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.kernels import buffer, finish, flat_buffer
from undercroft.steps.neighbourhood import (
    REGION_FACTS,
    adjacent_cells,
    clear_border,
    dilated,
    protected_cells,
    simple_point_table,
)
from undercroft.steps.step import Share


@dataclass(frozen=True, kw_only=True)
class Roughen:
    """Erode the edges of rooms and caves and add rubble, cell by cell, without joining, splitting, creating or filling
    any part.

    The numbers of parts and of loops stay the same. Corridors, doors, the border, start, end, the path and cells with
    things stay as they are.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ##############
    ...     ##############
    ...     ##.....##...##
    ...     ##.....++...##
    ...     ##.....##...##
    ...     ##############
    ...     ##############'''))
    >>> Roughen().apply(draft, Rng.root(3).stream("roughen"), Run())
    >>> print(draft)
    ##############
    ###.#..##.####
    #......##....#
    #......++....#
    #......##...##
    ##...#.##....#
    ##############
    """

    wear: Share = 0.4
    """The chance per round that rock at an edge becomes floor."""
    rubble: Share = 0.15
    """The chance per round that floor at an edge becomes rock."""
    rounds: Annotated[int, Meta(ge=0, le=1000)] = 2
    """How many rounds; more rounds erode the edges deeper."""

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ()
    spoils: ClassVar[tuple[str, ...]] = (*REGION_FACTS, *LAYER_FACTS)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette = draft.palette
        is_floor, is_rock = palette.role_mask("floor"), palette.rock
        others = palette.walkable & ~is_floor
        stays = protected_cells(draft)
        frozen = np.zeros(draft.tiles.shape, bool) if draft.frozen is None else draft.frozen
        for _ in range(self.rounds):
            rock, floor = look_up_tiles(is_rock, draft.tiles), look_up_tiles(is_floor, draft.tiles)
            edge = clear_border(
                (rock & adjacent_cells(floor) & ~frozen | floor & adjacent_cells(rock) & ~stays)
                & ~dilated(look_up_tiles(others, draft.tiles))
            )
            cells = np.flatnonzero(edge).astype(np.int32)
            run.spend(4 * draft.tiles.size)
            state = np.zeros(2, np.int64)
            tables = buffer(palette.walkable.view(np.uint8)), buffer(simple_point_table())
            chances = threshold(self.wear), threshold(self.rubble)
            args = (
                buffer(state),
                flat_buffer(draft.tiles),
                *tables,
                buffer(cells),
                rng.state,
                draft.width,
                *chances,
                palette.role("floor"),
                palette.role("wall"),
            )
            run.drive(lambda fuel, args=args: int(finish.roughen_edges(*args, fuel)))  # type: ignore[misc]
