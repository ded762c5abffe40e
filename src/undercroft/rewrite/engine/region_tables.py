"""The engine's tables of the regions in which rules act."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Region, Regions
from undercroft.rewrite.model.program import Area

AREA_COLUMNS = 6


def belongs(region: Region, area: Area) -> bool:
    """Whether an area includes a region."""
    return area.kind in {"", region.kind} and (not area.tag or area.tag in region.tags)


def label_writable_cells(
    area: Area | None, regions: Regions | None, shape: tuple[int, int], mask: NDArray[np.bool_] | None
) -> NDArray[np.int32]:
    """For each cell the label of the region it may be written in; 0 where nothing may be written. Without an area all
    cells are one region.
    """
    if area is None or regions is None:
        found = np.ones(shape, np.int32)
    else:
        kept = np.zeros(len(regions) + 1, np.int32)
        for region in regions:
            if belongs(region, area):
                kept[region.label] = region.label
        found = kept[regions.labels]
    if mask is not None:
        found[~mask] = 0
    return found


def build_region_rows(regions: Iterable[Region], area: Area) -> list[list[int]]:
    """The regions that a leaf processes, as the kernel reads them: label, left, top, right, bottom, turns done."""
    return [
        [region.label, region.x, region.y, region.x + region.width, region.y + region.height, 0]
        for region in regions
        if belongs(region, area)
    ]
