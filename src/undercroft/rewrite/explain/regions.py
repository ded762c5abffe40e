"""Explain how regions restrict rules: placements outside them, and areas that include no region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Regions
from undercroft.errors import find_similar_word
from undercroft.rewrite.engine.region_tables import belongs, label_writable_cells
from undercroft.rewrite.explain.near_misses import Point, written_cells
from undercroft.rewrite.model.program import Area
from undercroft.rewrite.model.symmetry import Variant

MAX_TAGS = 12


class MissingRegion(NamedTuple):
    """The reason why an area includes no region of a map, and a fix."""

    problem: str
    fix: str


def explain_missing_region(area: Area, regions: Regions) -> MissingRegion | None:
    """The reason why an area includes no region; None if it includes some.

    >>> explain_missing_region(Area("room"), Regions.empty(3, 3)).problem
    'there is no room on the map, and regions are found before the first turn'
    """
    if any(belongs(region, area) for region in regions):
        return None
    tags = sorted({tag for region in regions for tag in region.tags})
    if area.tag and area.tag not in tags:
        near = find_similar_word(area.tag, tags)
        listed = (
            f"the tags on this map are: {', '.join(tags[:MAX_TAGS])}"
            if tags
            else "begin with a map whose regions have tags, or take 'tagged' out"
        )
        return MissingRegion("no region of the map has that tag", f"did you mean {near!r}?" if near else listed)
    what = (area.kind or "region") + f" tagged {area.tag}" * bool(area.tag)
    return MissingRegion(
        f"there is no {what} on the map, and regions are found before the first turn",
        "begin with a map that has one; a recipe can make it in a step before",
    )


def find_placements_outside(
    places: Sequence[tuple[Variant, int, int]], area: Area, regions: Regions, shape: tuple[int, int]
) -> list[Point]:
    """The placements whose changes do not lie in one region of an area."""
    labels = label_writable_cells(area, regions, shape, None)
    return [(x, y) for variant, x, y in places if not _lies_in_one_region(written_cells(variant), labels, x, y)]


def _lies_in_one_region(cells: NDArray[np.bool_], labels: NDArray[np.int32], x: int, y: int) -> bool:
    high, wide = cells.shape
    top, left = max(y, 0), max(x, 0)
    inside = labels[top : max(y + high, 0), left : max(x + wide, 0)]
    here = inside[cells[top - y : top - y + inside.shape[0], left - x : left - x + inside.shape[1]]]
    return bool((here == here[0]).all() and here[0] > 0) if len(here) else True
