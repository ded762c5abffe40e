"""Format lines as paths of a PDF file: integers, and a letter for each point."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from undercroft.draw.scene.scene import Points, Scene
from undercroft.draw.scene.svg import simplify_lines


def format_path(lines: Iterable[Points], units: int, scene: Scene, *, closed: bool) -> str:
    """Lines as a path: m moves to the first point, l draws a line to the next, h closes the line. A single point is a
    line to itself: a dot, if the pen is round.

    >>> lines = [np.array([[0, 0], [1, 0], [1, 2.0]]), np.array([[1, 1.0]])]
    >>> format_path(lines, 10, Scene(3, 3, "#ffffff", left=1), closed=False)
    '10 0 m 20 0 l 20 20 l\\n20 10 m 20 10 l'
    """
    points, sizes = simplify_lines(
        [line for line in lines if len(line)], closed, units, (scene.left * units, scene.top * units)
    )
    if not len(sizes):
        return ""
    alone = np.repeat(sizes == 1, sizes)
    points, sizes = np.repeat(points, np.where(alone, 2, 1), axis=0), np.maximum(sizes, 2)
    end = " h" if closed else ""
    forms = {size: "%d %d m" + " %d %d l" * (size - 1) + end for size in set(sizes.tolist())}
    return "\n".join([forms[size] for size in sizes.tolist()]) % tuple(points.reshape(-1).tolist())
