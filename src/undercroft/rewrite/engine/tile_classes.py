"""The engine's classes of tiles: 62 for tiles that the rules name, one for all others, and one for the rim around the
map.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import TooBig
from undercroft.rewrite.model.program import ANY, KEEP, Program
from undercroft.rewrite.model.symmetry import list_variants

RIM = 63
OTHER = 62
INSIDE = (1 << RIM) - 1
"""All classes but the rim."""


class TileClasses:
    """Maps tile codes to the engine's 63 classes: one for each tile that the program names, and "other"."""

    def __init__(self, program: Program) -> None:
        self.renamed = len(program.palette) > OTHER
        """Whether classes differ from codes, which only large palettes need."""
        codes = sorted(_collect_named_codes(program)) if self.renamed else list(range(len(program.palette)))
        if len(codes) > OTHER:
            raise TooBig(
                f"a program can tell {OTHER} tiles apart, this one names {len(codes)}",
                fix="name fewer tiles, or split the program",
            )
        self.codes = np.array(codes, np.uint8)
        self.of_code = np.full(256, OTHER, np.uint8)
        self.of_code[self.codes] = np.arange(len(codes))
        self.of: list[int] = self.of_code.tolist()
        self._masks: dict[tuple[int, int], int] = {}

    def mask(self, tiles: int, outside: int = -1) -> int:
        """A set of tiles as a set of classes; the rim counts as the outside tile, if there is one."""
        found = self._masks.get((tiles, outside))
        if found is None:
            found = self._masks[tiles, outside] = self._build_mask(tiles, outside)
        return found

    def _build_mask(self, tiles: int, outside: int) -> int:
        if tiles == ANY:
            found = INSIDE
        else:
            found = 0
            for index, code in enumerate(self.codes.tolist()):
                if tiles >> code & 1:
                    found |= 1 << index
            if tiles >> 255 & 1:  # a negated set holds tiles that no rule names
                found |= 1 << OTHER
        if outside >= 0 and tiles >> outside & 1:
            found |= 1 << RIM
        return found


def count_tiles(tiles: NDArray[np.uint8]) -> tuple[NDArray[np.int64], int]:
    """The count of each tile on the map, or on a sample of a large map; and the number of cells that each counted cell
    represents.
    """
    step = max(1, min(tiles.shape) // 64)
    return np.bincount(tiles[::step, ::step].reshape(-1), minlength=256), step * step


def signed(mask: int) -> int:
    """A set of classes as a signed 64-bit number for the kernel."""
    return mask - (1 << 64) if mask >> 63 else mask


def _collect_named_codes(program: Program) -> set[int]:
    """The codes of all tiles that some rule names."""
    named: set[int] = set()
    for leaf in program.root.leaves():
        if leaf.outside >= 0:
            named.add(leaf.outside)
        for variant in list_variants(leaf.rules, program.palette):
            named.update(code for result in variant.results for code in result.cells if code != KEEP)
            for mask in set(variant.pattern):
                if mask != ANY:
                    named.update(code for code in range(len(program.palette)) if mask >> code & 1)
        for rule in leaf.rules:
            for guard in rule.guards:
                named.update(code for code in range(len(program.palette)) if (guard.tiles | guard.others) >> code & 1)
    return named
