"""Generate maps of a few cells on which rules may run in a cycle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from undercroft.rewrite.lint.finding import iterate_tiles
from undercroft.rewrite.model.program import ANY, KEEP
from undercroft.rewrite.model.symmetry import Variant

MAX_MAPS = 400
"""The most maps of a size to try exhaustively."""
MAX_CELLS = 144


class CycleStep(NamedTuple):
    """A result in a position: the changes it can make, as (old, new)."""

    variant: Variant
    result: int
    edges: frozenset[tuple[int, int]]
    idle: bool
    """Whether it can be applied repeatedly without changing anything."""
    over: bool
    """Whether it may reach over the border."""


def generate_maps(steps: list[CycleStep], possible: int, palette: int) -> Iterator[tuple[int, int, list[bytes]]]:
    """Small start maps: all of the smallest sizes, then maps that match a pattern, with their border repeated around
    them, then patterns that overlap results.
    """
    alphabet = _relevant_tiles(steps, possible, palette)
    fits = {(1, 1) if step.over else (step.variant.width, step.variant.height) for step in steps}
    area = 1
    while len(alphabet) ** area <= MAX_MAPS and area <= 8:
        for height in range(1, area + 1):
            if area % height == 0 and any(wide <= area // height and high <= height for wide, high in fits):
                yield area // height, height, [bytes(tiles) for tiles in product(alphabet, repeat=area)]
        area += 1
    instances = [
        (step, tiles)
        for step in steps
        if len(step.variant.pattern) <= MAX_CELLS
        for tiles in _list_instances(step, alphabet, possible)
    ]
    instances.sort(key=lambda entry: len(entry[1]))
    for step, tiles in instances:
        yield step.variant.width, step.variant.height, [tiles]
    for step, tiles in instances:
        yield from _pad_map(tiles, step.variant.width, step.variant.height)
    for first, tiles in instances:
        for second, others in instances:
            yield from _overlay_patterns(first, tiles, second, others)


def _relevant_tiles(steps: list[CycleStep], possible: int, palette: int) -> list[int]:
    """The relevant tiles: those in cycles, and one of every other set that a pattern needs."""
    found = {tile for step in steps for edge in step.edges for tile in edge}
    asked = sorted(
        {mask & possible for step in steps for mask in step.variant.pattern if mask != ANY},
        key=lambda mask: (mask.bit_count(), mask),
    )
    for mask in asked:
        if not any(mask >> tile & 1 for tile in found):
            found.add(next(iterate_tiles(mask)))
    return sorted(found) or [next(iterate_tiles(possible & ((1 << palette) - 1) or possible))]


def _list_instances(step: CycleStep, alphabet: list[int], possible: int) -> Iterator[bytes]:
    """Maps on which a pattern matches: with the first and with the last of the relevant tiles, wherever it leaves a
    choice.
    """
    seen = set()
    for order in (alphabet, alphabet[::-1]):
        tiles = bytes(
            next((tile for tile in order if mask >> tile & 1), next(iterate_tiles(mask & possible)))
            for mask in step.variant.pattern
        )
        if tiles not in seen:
            seen.add(tiles)
            yield tiles


def _pad_map(tiles: bytes, width: int, height: int) -> Iterator[tuple[int, int, list[bytes]]]:
    """The map with its border repeated on some sides."""
    for left, right, above, below in (
        (1, 0, 0, 0),
        (0, 1, 0, 0),
        (0, 0, 1, 0),
        (0, 0, 0, 1),
        (1, 1, 0, 0),
        (0, 0, 1, 1),
        (1, 1, 1, 1),
    ):
        rows = [tiles[start : start + width] for start in range(0, len(tiles), width)]
        rows = [rows[0]] * above + rows + [rows[-1]] * below
        yield (
            width + left + right,
            height + above + below,
            [b"".join(row[:1] * left + row + row[-1:] * right for row in rows)],
        )


def _overlay_patterns(
    first: CycleStep, tiles: bytes, second: CycleStep, others: bytes
) -> Iterator[tuple[int, int, list[bytes]]]:
    """Maps on which the second pattern matches after the first is applied: they overlap where something is written."""
    a, b = first.variant, second.variant
    after = [old if code == KEEP else code for old, code in zip(tiles, a.results[first.result].cells, strict=True)]
    for dy in range(1 - b.height, a.height):
        for dx in range(1 - b.width, a.width):
            spots = {(x, y): tiles[y * a.width + x] for y in range(a.height) for x in range(a.width)}
            touches = False
            for k, mask in enumerate(b.pattern):
                x, y = dx + k % b.width, dy + k // b.width
                if 0 <= x < a.width and 0 <= y < a.height:
                    if not mask >> after[y * a.width + x] & 1:
                        break
                    touches |= a.results[first.result].cells[y * a.width + x] != KEEP
                else:
                    spots[x, y] = others[k]
            else:
                if touches:
                    left, top = min(0, dx), min(0, dy)
                    width, height = max(a.width, dx + b.width) - left, max(a.height, dy + b.height) - top
                    if width * height <= MAX_CELLS:
                        yield (
                            width,
                            height,
                            [
                                bytes(
                                    spots.get((x + left, y + top), tiles[0])
                                    for y in range(height)
                                    for x in range(width)
                                )
                            ],
                        )
