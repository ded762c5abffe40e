"""Measures of the rooms of a level and of the graph of its regions."""

from __future__ import annotations

import math

import numpy as np

from undercroft.analysis.measures.facts import Facts, Number
from undercroft.analysis.measures.ground import rounded_share
from undercroft.core.region import Thing
from undercroft.kernels import buffer

DANGEROUS_GROUPS = ("monster", "trap")
MAX_THING_DANGER = 10**9
"""The bound of the danger of one thing, positive or negative, so that the sum stays finite."""


def rooms(facts: Facts) -> Number:
    return int(np.count_nonzero(facts.is_room))


def corridors(facts: Facts) -> Number:
    return len(facts.level.regions) - int(np.count_nonzero(facts.is_room))


def room_area_mean(facts: Facts) -> Number:
    return rounded_share(sum(facts.areas), len(facts.areas)) if facts.areas else None


def room_area_min(facts: Facts) -> Number:
    return facts.areas[0] if facts.areas else None


def room_area_max(facts: Facts) -> Number:
    return facts.areas[-1] if facts.areas else None


def room_area_stdev(facts: Facts) -> Number:
    """The root of the mean squared difference from the mean area, computed in integers as far as possible."""
    if not facts.areas:
        return None
    count = len(facts.areas)
    return round(math.sqrt(count * sum(area * area for area in facts.areas) - sum(facts.areas) ** 2) / count, 6)


def room_area_gini(facts: Facts) -> Number:
    """The mean difference of areas over all pairs of rooms, divided by twice the mean area."""
    if not facts.areas:
        return None
    count = len(facts.areas)
    return rounded_share(
        sum((2 * place - count + 1) * area for place, area in enumerate(facts.areas)), max(1, count * sum(facts.areas))
    )


def compactness(facts: Facts) -> Number:
    """How close the cells of rooms lie to their centre: the mean squared distance in a disc of the same area, divided
    by that of the cells, which are squares.
    """
    cells = facts.is_room[facts.level.regions.labels]
    area = int(np.count_nonzero(cells))
    if not area:
        return None
    spread = 0  # area squared times the variance, in integers
    for axis in (0, 1):
        counts = np.count_nonzero(cells, axis=axis).astype(np.int64)
        places = np.arange(len(counts), dtype=np.int64)
        spread += area * int(counts @ places**2) - int(counts @ places) ** 2
    return round(area**3 / (2 * math.pi * (spread + area * area / 6)), 6)


def graph_loops(facts: Facts) -> Number:
    """Links - regions + parts: each link inside one part closes a loop."""
    from undercroft.kernels import measures  # loaded when the first of its measures is computed

    ends = (np.ascontiguousarray(facts.links[side]) for side in "ab")
    parents = np.arange(len(facts.is_room), dtype=np.int32)
    return len(facts.links) - int(measures.count_joins(*map(buffer, ends), buffer(parents)))


def loop_ratio(facts: Facts) -> Number:
    return rounded_share(int(graph_loops(facts) or 0), max(1, len(facts.links)))


def leaf_rooms(facts: Facts) -> Number:
    return rounded_share(int(np.count_nonzero(facts.degrees == 1)), len(facts.degrees)) if len(facts.degrees) else None


def branching(facts: Facts) -> Number:
    return rounded_share(int(facts.degrees.sum()), len(facts.degrees)) if len(facts.degrees) else None


def linearity(facts: Facts) -> Number:
    if facts.steps_to_end is None or facts.from_start is None or facts.given.end is None or not facts.areas:
        return None
    way = facts.from_start.path_to(*facts.given.end)
    passed = np.unique(facts.level.regions.labels[way[:, 1], way[:, 0]])
    return rounded_share(int(np.count_nonzero(facts.is_room[passed])), len(facts.areas))


def flow_differences(facts: Facts) -> Number:
    from undercroft.analysis.flows import compare_flow  # most levels have no flow

    return None if facts.given.flow is None else len(compare_flow(facts.given, run=facts.run))


def danger(facts: Facts) -> Number:
    return round(math.fsum(map(_thing_danger, facts.given.things)) / max(1, len(facts.areas)), 6)


def _thing_danger(thing: Thing) -> float:
    """The danger that a monster or trap states; 1 if it states none."""
    if thing.data.get("group", thing.kind) not in DANGEROUS_GROUPS:
        return 0
    said = thing.data.get("danger", 1)
    if (
        isinstance(said, bool)
        or not isinstance(said, int | float)
        or (isinstance(said, float) and not math.isfinite(said))
    ):
        return 1
    return max(-MAX_THING_DANGER, min(said, MAX_THING_DANGER))
