"""The step that hides doors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import reach
from undercroft.core.draft import Draft
from undercroft.core.palette import DOOR_ROLES, look_up_tiles
from undercroft.core.rng import Rng, threshold
from undercroft.core.run import Run
from undercroft.core.stairs import point_of
from undercroft.kernels import buffer, finish, flat_buffer
from undercroft.steps import frames
from undercroft.steps.door_links import update_links
from undercroft.steps.neighbourhood import adjacent_cells
from undercroft.steps.step import Share


@dataclass(frozen=True, kw_only=True)
class Secrets:
    """Turn doors and openings into secret doors, where `keep` allows it. Rooms keep their tags and names.

    >>> from undercroft.core.level import Level
    >>> draft = Draft.of(Level.parse('''
    ...     ###########
    ...     #<.+...+..#
    ...     #..#####..#
    ...     #..+..>#..#
    ...     ###########'''))
    >>> Secrets(share=1.0).apply(draft, Rng.root(1).stream("secrets"), Run())
    >>> print(draft)
    ###########
    #<.S...S..#
    #..#####..#
    #..+..>#..#
    ###########
    """

    share: Share = 0.2
    """The share of doors and openings to hide. Doors that touch others stay."""
    keep: Literal["end", "all", "none"] = "end"
    """What must be reachable without secret doors: the end from the start; or every cell from every other, so that only
    short cuts become secret; or nothing.
    """

    edition: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("tiles",)
    gives: ClassVar[tuple[str, ...]] = ("regions", "doors", "links")
    spoils: ClassVar[tuple[str, ...]] = ("locks",)

    def apply(self, draft: Draft, rng: Rng, run: Run) -> None:
        palette = draft.palette
        walkable = look_up_tiles(palette.walkable, draft.tiles)
        every = look_up_tiles(palette.role_mask(*DOOR_ROLES), draft.tiles)
        plain = look_up_tiles(palette.role_mask("door", "opening"), draft.tiles)
        may = plain & ~adjacent_cells(every)
        if draft.frozen is not None:
            may &= ~draft.frozen
        for point in (draft.start, draft.end):
            if point:
                may[point[1], point[0]] = False
        run.spend(2 * draft.tiles.size)
        asked = threshold(self.share) * int(np.count_nonzero(plain)) + (1 << 31) >> 32
        cells = np.flatnonzero(may).astype(np.int32)
        run.spend(int(finish.shuffle(buffer(cells), rng.state)))
        seen = self._walkable_without_secrets(draft, walkable, run)
        hidden = self._hideable_doors(draft, seen, cells, run)[:asked] if asked and len(cells) else cells[:0]
        was = frames.copy_tiles_if_watched(run)
        draft.tiles.reshape(-1)[hidden] = palette.role("secret")
        frames.reveal(run, was)
        if draft.regions is None or len(hidden):
            update_links(draft, [point_of(cell, draft.width) for cell in hidden.tolist()], run, state="secret")
        # the recorded path needs no secret door
        if draft.start and draft.end and draft.path is not None and len(hidden):
            seen.reshape(-1)[hidden] = False
            way = reach.DistanceField(seen, [draft.start], run).path_to(*draft.end)
            draft.path = way if len(way) else draft.path
        if len(hidden) < asked:
            run.note(f"{len(hidden):,} of {asked:,} doors became secret: the others are needed, or touch another door")

    def _walkable_without_secrets(self, draft: Draft, walkable: NDArray[np.bool_], run: Run) -> NDArray[np.bool_]:
        """The cells that are walkable without secret doors; with them, if the map already needs some."""
        seen = walkable & ~look_up_tiles(draft.palette.role_mask("secret"), draft.tiles)
        if self.keep == "none" or (seen == walkable).all():
            return seen
        if self.keep == "end" and draft.start and draft.end:
            needed = not len(reach.DistanceField(seen, [draft.start], run).path_to(*draft.end))
        else:
            needed = (
                reach.label_components(seen.view(np.uint8), run=run)[1]
                > reach.label_components(walkable.view(np.uint8), run=run)[1]
            )
        if needed:
            run.note("the map has secret doors already that one cannot do without")
        return walkable.copy() if needed else seen

    def _hideable_doors(
        self, draft: Draft, walkable: NDArray[np.bool_], cells: NDArray[np.int32], run: Run
    ) -> NDArray[np.int32]:
        """The doors that can all be hidden at once."""
        if self.keep == "none":
            return cells
        height, width = walkable.shape
        seen = walkable.copy()
        seen.reshape(-1)[cells] = False
        labels, count = reach.label_components(seen.view(np.uint8), run=run)
        joins = np.empty(len(cells), np.uint8)
        run.spend(
            int(
                finish.find_needed_doors(
                    flat_buffer(labels),
                    buffer(np.arange(count + 1, dtype=np.int32)),
                    buffer(cells),
                    buffer(joins),
                    width,
                    height,
                )
            )
        )
        if self.keep == "end" and draft.start and draft.end:
            seen.reshape(-1)[cells[joins == 1]] = True  # joins all that was joined, by as few doors as possible
            way = reach.DistanceField(seen, [draft.start], run).path_to(*draft.end)
            if len(way):
                joins = np.isin(cells, way[:, 1] * width + way[:, 0]).view(np.uint8)
        free: NDArray[np.int32] = cells[joins == 0]
        return free
