"""Washes of colour on the floor of an ink drawing: regions, and the distance from the start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.regions import infer_regions
from undercroft.draw.scene.colour import mix_colours
from undercroft.draw.scene.scene import Scene
from undercroft.draw.view.coloured_tiles import trace_ground
from undercroft.draw.view.level_view import LevelView
from undercroft.draw.view.tint import compute_tint

REGION_COLOURS = (
    "#d9a441",
    "#7f9c5b",
    "#6b97ad",
    "#b5838d",
    "#c2724f",
    "#8a86b8",
    "#6fa08b",
    "#b9a24c",
    "#9c7f68",
    "#7a93b5",
)
"""Watercolours that distinguish neighbouring regions."""
HEAT_COLOUR = "#a5452c"
"""The colour of all distance washes together."""
HEAT_STEPS, WASH_OPACITY = 8, 0.095


def draw_washes(scene: Scene, plan: LevelView, shown: frozenset[str], clip: str) -> None:
    """Draw the washes that are shown."""
    if "regions" in shown:
        draw_region_washes(scene, plan, clip)
    if "heat" in shown:
        draw_heat_washes(scene, plan, clip)


def draw_region_washes(scene: Scene, plan: LevelView, clip: str) -> None:
    """Draw each region in a colour that none of its neighbours has, if there are enough colours."""
    found = plan.level.regions if len(plan.level.regions) else infer_regions.find_regions(plan.level)
    if not len(found):
        return
    colours = np.append(-1, assign_colours(found.labels, len(found), len(REGION_COLOURS)))
    grounds = spread_values(colours[found.labels].astype(np.float32), plan.open_cells)
    for number, hue in enumerate(REGION_COLOURS):
        cells = grounds == number
        scene.fill_area(trace_ground(cells, plan.open_cells, plan.natural_cells), hue, opacity=0.3, clip=clip)


def draw_heat_washes(scene: Scene, plan: LevelView, clip: str) -> None:
    """Draw washes over each other: the greater the distance from the start, the more washes."""
    far = spread_values(compute_tint(plan.level), plan.open_cells)
    for step in range(1, HEAT_STEPS):
        scene.fill_area(
            trace_ground(far >= step / HEAT_STEPS, plan.open_cells, plan.natural_cells),
            HEAT_COLOUR,
            opacity=WASH_OPACITY,
            clip=clip,
        )


def heat_scale_colours(floor: str) -> list[str]:
    """The colours of the distance washes on a floor, from none to all."""
    return [mix_colours(floor, HEAT_COLOUR, 1 - (1 - WASH_OPACITY) ** step) for step in (0, 2, 4, HEAT_STEPS - 1)]


def spread_values(values: NDArray[np.float32], cells: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The values of cells, with negative ones replaced by the highest of their neighbours: doors and pillars stand on
    the ground around them.

    >>> spread_values(np.array([[-1, 3, -1, 0, -1]], np.float32), np.array([[True, True, True, True, False]])).tolist()
    [[3.0, 3.0, 3.0, 0.0, -1.0]]
    """
    for _ in range(2):
        framed = np.pad(values, 1, constant_values=-1)
        around = np.maximum.reduce([framed[:-2, 1:-1], framed[2:, 1:-1], framed[1:-1, :-2], framed[1:-1, 2:]])
        values = np.where((values < 0) & cells, around, values)
    return values


def assign_colours(labels: NDArray[np.int32], count: int, many: int) -> NDArray[np.int64]:
    """A colour from 0 for each label. It differs, if there are enough colours, from those of labels with a smaller
    number within two cells.

    >>> assign_colours(np.array([[1, 0, 2, 3]], np.int32), 3, 2).tolist()
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
