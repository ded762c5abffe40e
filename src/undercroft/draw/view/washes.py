"""Thin washes of colour on the floor of an ink drawing: regions, and how far it is from the start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis import infer_regions
from undercroft.draw.pen import contour
from undercroft.draw.scene.colour import mixed
from undercroft.draw.scene.scene import Points, Scene
from undercroft.draw.view.level_view import Plan
from undercroft.draw.view.tint import tint

HUES = ("#d9a441", "#7f9c5b", "#6b97ad", "#b5838d", "#c2724f", "#8a86b8", "#6fa08b", "#b9a24c", "#9c7f68", "#7a93b5")
"""Watercolours that neighbours can be told apart by."""
FAR = "#a5452c"
"""What the washes of distance add up to."""
WASHES, WASH = 8, 0.095


def paint(scene: Scene, plan: Plan, shown: frozenset[str], clip: str) -> None:
    """The washes that are asked for."""
    if "regions" in shown:
        regions(scene, plan, clip)
    if "heat" in shown:
        heat(scene, plan, clip)


def regions(scene: Scene, plan: Plan, clip: str) -> None:
    """Each region in a colour that none of its neighbours has, as far as the colours go round."""
    found = plan.level.regions if len(plan.level.regions) else infer_regions.regions(plan.level)
    if not len(found):
        return
    colours = np.append(-1, coloured(found.labels, len(found), len(HUES)))
    grounds = spread(colours[found.labels].astype(np.float32), plan.open)
    for number, hue in enumerate(HUES):
        cells = grounds == number
        scene.area(_outline(cells, plan), hue, opacity=0.3, clip=clip)


def heat(scene: Scene, plan: Plan, clip: str) -> None:
    """One wash over another, the farther from the start the more."""
    far = spread(tint(plan.level), plan.open)
    for step in range(1, WASHES):
        scene.area(_outline(far >= step / WASHES, plan), FAR, opacity=WASH, clip=clip)


def strips(floor: str) -> list[str]:
    """The colours that washes of distance have on a floor, from none to all."""
    return [mixed(floor, FAR, 1 - (1 - WASH) ** step) for step in (0, 2, 4, WASHES - 1)]


def spread(values: NDArray[np.float32], cells: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Values of cells, where those below 0 have taken the highest of their neighbours: doors and pillars stand on the
    ground around them.

    >>> spread(np.array([[-1, 3, -1, 0, -1]], np.float32), np.array([[True, True, True, True, False]])).tolist()
    [[3.0, 3.0, 3.0, 0.0, -1.0]]
    """
    for _ in range(2):
        framed = np.pad(values, 1, constant_values=-1)
        around = np.maximum.reduce([framed[:-2, 1:-1], framed[2:, 1:-1], framed[1:-1, :-2], framed[1:-1, 2:]])
        values = np.where((values < 0) & cells, around, values)
    return values


def _outline(cells: NDArray[np.bool_], plan: Plan) -> list[Points]:
    """Cells with a little of the rock around them, so that nothing stays white along wavy walls."""
    grown = cells.copy()
    rock = ~plan.open
    for here, there in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:])):
        grown[here] |= cells[there] & rock[here]
        grown[:, here] |= cells[:, there] & rock[:, here]
    return [loop.points for loop in contour.outlines(grown, plan.soft)]


def coloured(labels: NDArray[np.int32], count: int, many: int) -> NDArray[np.int64]:
    """A colour from 0 for each label, other than those of labels that lie within two cells and have a smaller number,
    where there are colours left.

    >>> coloured(np.array([[1, 0, 2, 3]], np.int32), 3, 2).tolist()
    [0, 1, 0]
    """
    pairs: set[tuple[int, ...]] = set()
    for off in (1, 2):
        for one, other in ((labels[:, off:], labels[:, :-off]), (labels[off:], labels[:-off])):
            touching = (one != other) & (one > 0) & (other > 0)
            rows = np.unique(np.stack([one[touching], other[touching]], axis=1), axis=0)
            pairs.update(map(tuple, np.sort(rows, axis=1).tolist()))
    near: dict[int, set[int]] = {}
    for small, large in sorted(pairs):
        near.setdefault(large, set()).add(small)
    colours = np.zeros(count, np.int64)
    for label in range(1, count + 1):
        used = {int(colours[other - 1]) for other in near.get(label, ())}
        first = (label - 1) % many
        colours[label - 1] = next(
            ((first + step) % many for step in range(many) if (first + step) % many not in used), first
        )
    return colours
