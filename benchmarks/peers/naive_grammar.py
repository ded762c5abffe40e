"""The twin of grammar folders in plain Python: a variant by lot, all its places by a scan of the whole map, one of them
by lot, one result by lot.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Protocol

Cells = list[int]
Written = list[tuple[int, int]]
"""Steps from the top left cell, and the tiles that are put there."""

ANY = (1 << 256) - 1
KEEP = -1


class PlacedRule(Protocol):
    """A rule in one position, as it was read: sets of tiles as bits, and results as tiles."""

    @property
    def rule(self) -> int: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def pattern(self) -> tuple[int, ...]: ...
    @property
    def results(self) -> tuple[tuple[tuple[int, ...], int], ...]: ...


class Variant:
    """A rule in one position, laid out for maps of a width."""

    def __init__(self, drawn: PlacedRule, weight: int, width: int) -> None:
        self.width, self.height, self.weight = drawn.width, drawn.height, weight
        steps = [y * width + x for y in range(drawn.height) for x in range(drawn.width)]
        self.tests = [(step, wanted) for step, wanted in zip(steps, drawn.pattern, strict=True) if wanted != ANY]
        self.results: list[Written] = [
            [(step, tile) for step, tile in zip(steps, cells, strict=True) if tile != KEEP]
            for cells, _ in drawn.results
        ]
        self.weights = [weight for _, weight in drawn.results]

    def places(self, cells: Cells, width: int, height: int) -> list[int]:
        """Every place where it fits."""
        found = []
        for y in range(height - self.height + 1):
            for place in range(y * width, y * width + width - self.width + 1):
                for step, wanted in self.tests:
                    if not wanted >> cells[place + step] & 1:
                        break
                else:
                    found.append(place)
        return found


def rewrite_map(cells: Cells, width: int, height: int, variants: Sequence[Variant], steps: int, seed: int) -> Cells:
    """The map after so many rewrites, or fewer if nothing fits any more."""
    rng = random.Random(seed)
    cells = cells.copy()
    for _ in range(steps):
        viable = list(variants)
        while viable:
            variant = rng.choices(viable, [one.weight for one in viable])[0]
            if places := variant.places(cells, width, height):
                place = rng.choice(places)
                for step, tile in rng.choices(variant.results, variant.weights)[0]:
                    cells[place + step] = tile
                break
            viable.remove(variant)
    return cells


def outcomes(cells: Cells, width: int, height: int, variants: Sequence[Variant]) -> Iterator[Cells]:
    """Every map that one rewrite can lead to."""
    for variant in variants:
        for place in variant.places(cells, width, height):
            for result in variant.results:
                changed = cells.copy()
                for step, tile in result:
                    changed[place + step] = tile
                yield changed
