"""Patterns in pure black for tiles that have a colour of their own: one for each, repeated on every square."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen.wobble import subdivide_lines
from undercroft.draw.scene.scene import Points, circle
from undercroft.draw.view.symbols import Sign, SignPart, box

PATTERN_PEN = 0.02
"""The width of the lines of a pattern, in squares."""
DOT_LENGTH = 0.012
"""The length of the short lines that print as dots."""


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, float)


def _steps(many: int) -> list[float]:
    """The middles of that many equal parts of a square."""
    return [(2 * part + 1) / (2 * many) for part in range(many)]


def _staggered(many: int) -> list[tuple[float, float]]:
    """The points of a lattice; every second row is offset, so that squares join."""
    half = 1 / (2 * many)
    return [((x + (half if row % 2 else 0)) % 1, y) for row, y in enumerate(_steps(2 * many)) for x in (_steps(many))]


def _slants(many: int, *, falling: bool = False) -> list[Points]:
    """Lines from corner to corner that continue on the next square."""
    lines = []
    for part in range(2 * many):
        at = (part + 0.5) / many
        (x, y), (right, top) = (0.0, at), (at, 0.0)
        if at > 1:
            (x, y), (right, top) = (at - 1, 1.0), (1.0, at - 1)
        lines.append(_line((1 - x, y), (1 - right, top)) if falling else _line((x, y), (right, top)))
    return lines


def _marks(many: int, shape: Callable[[float, float], Iterable[Points]]) -> list[Points]:
    return [line for x, y in _staggered(many) for line in shape(x, y)]


def _dot(x: float, y: float) -> list[Points]:
    return [_line((x, y), (x + DOT_LENGTH, y))]


def _plus(x: float, y: float) -> list[Points]:
    return [_line((x - 0.07, y), (x + 0.07, y)), _line((x, y - 0.07), (x, y + 0.07))]


def _cross(x: float, y: float) -> list[Points]:
    return [_line((x - 0.06, y - 0.06), (x + 0.06, y + 0.06)), _line((x - 0.06, y + 0.06), (x + 0.06, y - 0.06))]


def _tuft(x: float, y: float) -> list[Points]:
    return [_line((x - 0.07, y - 0.07), (x - 0.02, y + 0.06)), _line((x, y - 0.1), (x, y + 0.06)),
            _line((x + 0.07, y - 0.07), (x + 0.02, y + 0.06))]  # fmt: skip


def _ring(x: float, y: float) -> list[Points]:
    around = circle(x, y, 0.065, 12)
    return [np.concatenate([around, around[:1]])]


def _caret(x: float, y: float) -> list[Points]:
    return [_line((x - 0.09, y + 0.05), (x, y - 0.06), (x + 0.09, y + 0.05))]


def _dash(x: float, y: float) -> list[Points]:
    return [_line((x - 0.1, y), (x + 0.1, y))]


def _diamond(x: float, y: float) -> list[Points]:
    return [_line((x - 0.08, y), (x, y - 0.08), (x + 0.08, y), (x, y + 0.08), (x - 0.08, y))]


def _waves(many: int) -> list[Points]:
    across = np.linspace(0, 1, 17)
    return [np.stack([across, y + 0.05 * np.sin(4 * np.pi * across)], axis=1) for y in _steps(many)]


def _bricks(many: int) -> list[Points]:
    rows = [part / (2 * many) for part in range(2 * many)]
    lines = [_line((0, y), (1, y)) for y in rows]
    for number, y in enumerate(rows):
        lines += [_line((x, y), (x, y + 1 / (2 * many))) for x in ((0.25, 0.75) if number % 2 else (0.0, 0.5))]
    return lines


PATTERNS: Sequence[Callable[[int], list[Points]]] = (
    lambda many: _marks(many, _tuft),
    lambda many: [_line((0, y), (1, y)) for y in _steps(2 * many)],
    lambda many: _slants(2 * many),
    lambda many: _marks(many, _dot) + _marks(many + 1, _dot),
    lambda many: _waves(2 * many),
    lambda many: _marks(many, _plus),
    lambda many: _slants(2 * many, falling=True),
    lambda many: _marks(many, _ring),
    lambda many: [_line((x, 0), (x, 1)) for x in _steps(2 * many)],
    lambda many: _marks(many, _cross),
    _bricks,
    lambda many: _marks(many, _caret),
    lambda many: _slants(many) + _slants(many, falling=True),
    lambda many: _marks(many, _dash),
    lambda many: _marks(many, _diamond),
    lambda many: [line for at in _steps(2 * many) for line in (_line((0, at), (1, at)), _line((at, 0), (at, 1)))],
)
"""Each pattern in a square, coarser or finer."""


@cache
def pattern_lines(number: int) -> tuple[Points, ...]:
    """The lines of a pattern in the square from (0, 0) to (1, 1). After all patterns come the same ones, finer.

    >>> len(pattern_lines(1)), len(pattern_lines(1 + len(PATTERNS)))
    (4, 6)
    """
    return tuple(PATTERNS[number % len(PATTERNS)](2 + number // len(PATTERNS) % 2))


def fill_cells(number: int, cells: NDArray[np.bool_], inside: Callable[[Points], NDArray[np.bool_]]) -> list[Points]:
    """The lines of a pattern on all of the cells; of each, the parts that are `inside`."""
    ys, xs = np.nonzero(cells)
    corners = np.stack([xs, ys], axis=1).astype(float)
    found: list[Points] = []
    for line in pattern_lines(number):
        [fine] = subdivide_lines([line], 0.08, closed=False)
        placed = corners[:, None] + fine
        there = inside(placed.reshape(-1, 2)).reshape(placed.shape[:2])
        whole = there.all(axis=1)
        found += list(corners[whole][:, None] + line)
        for points, kept in zip(placed[~whole], there[~whole], strict=True):
            ends = np.flatnonzero(np.diff(kept, prepend=False, append=False))
            found += [
                points[[start, end - 1]]
                for start, end in zip(ends[::2].tolist(), ends[1::2].tolist(), strict=True)
                if end - start > 1
            ]
    return found


def pattern_swatch(number: int) -> Sign:
    """The pattern in a box, for a legend."""
    lines = [line * 0.8 - 0.4 for line in pattern_lines(number)]
    return [box(-0.4, -0.4, 0.4, 0.4, "paper", 0.05), SignPart(lines, width=PATTERN_PEN * 1.4, closed=False)]
