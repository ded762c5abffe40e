"""Anchors: for each link between two floors a point of the map, drawn from the seed alone.

Stairs are looked for near the anchor of their link. So the floors on both sides know where, and neither has to be made
before the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from undercroft.core.rng import Rng
from undercroft.kernels import buffer, stairs
from undercroft.recipe.dungeon.plan import DungeonPlan, LinkPlan

Point = tuple[int, int]
Size = tuple[int, int]
DRAWS = 64
"""The draws of an anchor, before one is mirrored away from the others."""


def draw_anchors(plan: DungeonPlan, sizes: Mapping[str, Size], rng: Rng) -> Mapping[str, Point]:
    """The anchor of each link, by its name. Anchors of links that share a floor are two fifths of width plus height
    apart, counted in rows plus columns, wherever the size of the map allows it.

    Each link draws from its own stream, so that links that come later move none.
    """
    found: dict[str, Point] = {}
    on_floor: dict[str, list[Point]] = {floor: [] for floor in plan.floors}
    for link in plan.links:
        area = _common_size(link, sizes)
        others = [*on_floor[link.upper], *on_floor[link.lower]]
        found[link.name] = _draw_anchor(area, others, rng.stream(f"anchor/{link.name}"))
        for floor in link.pair:
            on_floor[floor].append(found[link.name])
    return found


def _common_size(link: LinkPlan, sizes: Mapping[str, Size]) -> Size:
    """The size of what both floors of a link cover: their upper left corners lie above each other."""
    (one_width, one_height), (other_width, other_height) = sizes[link.upper], sizes[link.lower]
    return min(one_width, other_width), min(one_height, other_height)


def _draw_anchor(area: Size, others: Sequence[Point], rng: Rng) -> Point:
    """A point that is far enough from the others: the first such draw, else the farthest of the last draw and its three
    mirror images.
    """
    width, height = area
    known = np.array(others, np.int32).reshape(len(others), 2)
    point, least = np.zeros(2, np.int32), -(-2 * (width + height) // 5)
    if stairs.draw_far_point(rng.state, buffer(known), width, height, least, DRAWS, buffer(point)):
        return int(point[0]), int(point[1])
    x, y = point.tolist()
    images = [(x, y), (width - 1 - x, y), (x, height - 1 - y), (width - 1 - x, height - 1 - y)]
    return max(images, key=lambda image: _nearest(image, others, sum(area)))


def _nearest(point: Point, others: Sequence[Point], far: int) -> int:
    """Rows plus columns to the nearest of the others; `far` if there are none."""
    return min((abs(point[0] - x) + abs(point[1] - y) for x, y in others), default=far)
