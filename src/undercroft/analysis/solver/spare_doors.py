"""One-way doors that can be walked around: they only shorten paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from undercroft.analysis import reach
from undercroft.analysis.one_way import STEPS
from undercroft.analysis.solver.puzzle import Puzzle, PuzzleSpot
from undercroft.core.passable import Mask
from undercroft.core.run import Run


class TrimmedPuzzle(NamedTuple):
    """A puzzle without its spare doors."""

    puzzle: Puzzle
    dropped: tuple[PuzzleSpot, ...]

    def add_dropped_doors(self, reached: Mask) -> Mask:
        """The reachable cells, with the dropped doors that are reachable."""
        for spot in self.dropped:
            right, down = STEPS[spot.to]
            reached[spot.y, spot.x] = reached[spot.y - down, spot.x - right]
        return reached


def drop_spare_doors(puzzle: Puzzle, run: Run) -> TrimmedPuzzle:
    """Drop the one-way doors whose two sides are joined by cells at which nothing happens.

    Instead of passing such a door, a player can walk around it. So the cells that can be reached, and whether the
    puzzle can be solved and lost, stay the same, and there are far fewer states to visit. A detour over a key does not
    count, because a player who passes the door does not get the key.
    """
    if not puzzle.has_one_way_doors:
        return TrimmedPuzzle(puzzle, ())
    labels = np.pad(reach.label_components(puzzle.plain.view(np.uint8), run=run)[0], 1)

    def is_spare(spot: PuzzleSpot) -> bool:
        if spot.to < 0 or spot.locks or spot.takes or (spot.x, spot.y) in (puzzle.start, puzzle.end):
            return False
        right, down = STEPS[spot.to]
        behind, ahead = (int(labels[spot.y + 1 + sign * down, spot.x + 1 + sign * right]) for sign in (-1, 1))
        return behind == ahead > 0

    kept = [number for number, spot in enumerate(puzzle.spots) if not number or not is_spare(spot)]
    if len(kept) == len(puzzle.spots):
        return TrimmedPuzzle(puzzle, ())
    spots = tuple(puzzle.spots[number] for number in kept)
    first = np.append(puzzle.first[kept], puzzle.first[-1]).astype(np.int32)
    smaller = puzzle._replace(
        spots=spots, takes=puzzle.takes[kept], first=first, past=kept.index(puzzle.past) if puzzle.past else 0
    )
    return TrimmedPuzzle(smaller, tuple(spot for number, spot in enumerate(puzzle.spots) if number not in set(kept)))
