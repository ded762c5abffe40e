"""Measures of the walkable cells of a level."""

from __future__ import annotations

import numpy as np

from undercroft.analysis import reach
from undercroft.analysis.measures.facts import CORRIDOR, Facts, Number
from undercroft.core.palette import look_up_tiles


def rounded_share(part: int, whole: int) -> float:
    """A share rounded to six decimals, the precision of comparisons."""
    return round(part / whole, 6)


def components(facts: Facts) -> Number:
    known = reach.recall_components(facts.given.tiles, facts.given.palette.walkable, facts.run)
    if known is not None:  # the survey has counted them
        return known
    return min(facts.flood_summary.open, 1) if facts.flood_summary.is_connected else len(facts.parts.firsts)


def connectivity(facts: Facts) -> Number:
    return (
        rounded_share(int(facts.parts.boxes[:, 4].max()), facts.flood_summary.open) if facts.flood_summary.open else 1.0
    )


def density(facts: Facts) -> Number:
    return rounded_share(facts.open_count, facts.walkable.size)


def loops(facts: Facts) -> Number:
    """By Euler's formula, a part without holes has cells - pairs + squares = 1, and each hole subtracts 1."""
    cells, pairs, squares, _ = facts.ground_counts
    return int(components(facts) or 0) - (cells - pairs + squares)


def dead_ends(facts: Facts) -> Number:
    return facts.ground_counts[3]


def dead_end_ratio(facts: Facts) -> Number:
    return rounded_share(facts.ground_counts[3], max(1, int(np.count_nonzero(facts.walkable & (facts.in_rooms == 0)))))


def corridor_ratio(facts: Facts) -> Number:
    level = facts.level
    labels = level.regions.labels
    passage = np.append(False, level.regions.table["kind"] == CORRIDOR)[labels]
    passage |= (labels == 0) & look_up_tiles(level.palette.role_mask("corridor"), level.tiles)
    return rounded_share(int(np.count_nonzero(passage & facts.walkable)), max(1, facts.open_count))


def choke_points(facts: Facts) -> Number:
    return int(np.count_nonzero(facts.chokes))


def choke_area_max(facts: Facts) -> Number:
    return int(facts.chokes.max())


def longest_path(facts: Facts) -> Number:
    return facts.longest_path_bound if facts.open_count else None


def diameter(facts: Facts) -> Number:
    from undercroft.analysis import diameter as long_ways  # few levels are measured so

    return long_ways.exact_diameter(facts.parts, facts.longest_path_bound, facts.run) if facts.open_count else None
