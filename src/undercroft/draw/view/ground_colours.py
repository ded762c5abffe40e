"""The colour of each cell's ground: by its tile, its region, or its distance from the start."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.regions import infer_regions
from undercroft.core.custom_tiles import has_own_colour
from undercroft.core.level import Level
from undercroft.core.palette import STANDING_ROLES
from undercroft.draw.scene.colour import RAMP_STEPS, colour_ramp, rgb
from undercroft.draw.view.coloured_tiles import find_shown_tiles
from undercroft.draw.view.tint import TINT_BANDS, compute_tint

REGION_COLOURS = (
    "#e0a458",
    "#7fb069",
    "#5fa8d3",
    "#c97fb1",
    "#d6695f",
    "#8f8ad6",
    "#4fb39c",
    "#c9b458",
    "#a88972",
    "#6f93c9",
    "#b3c46a",
    "#d48a9e",
)
"""Colours that distinguish neighbouring regions."""
FLOOR, UNREACHABLE = "#d8c9a8", "#4a4f5c"


def assign_ground_colours(
    level: Level, shown: frozenset[str] = frozenset()
) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """A colour number for each cell, and the colour of each number."""
    palette = level.palette
    floors = [tile.colour for tile in palette.tiles if tile.role in ("floor", "corridor")] or [FLOOR]
    plain = [
        floors[0] if tile.role in STANDING_ROLES and not has_own_colour(tile) else tile.colour for tile in palette.tiles
    ]
    table = np.zeros(256, np.uint16)
    table[: len(plain)] = np.arange(len(plain))
    numbers = table[find_shown_tiles(level, secrets="secrets" in shown)]
    colours = [rgb(colour) for colour in plain]
    stood = palette.role_mask("floor", "corridor", *STANDING_ROLES)[level.tiles]
    if "secrets" not in shown:
        stood &= ~palette.role_mask("secret")[level.tiles]
    if "heat" in shown:
        shade = compute_tint(level)[stood]
        numbers[stood] = len(colours) + np.where(shade < 0, 0, 1 + np.rint(shade * (TINT_BANDS - 1))).astype(np.uint16)
        colours += [
            rgb(UNREACHABLE),
            *(
                tuple(colour_ramp()[round(band * (RAMP_STEPS - 1) / (TINT_BANDS - 1))].tolist())
                for band in range(TINT_BANDS)
            ),
        ]
    elif "regions" in shown:
        labels = (level.regions if len(level.regions) else infer_regions.find_regions(level)).labels[stood]
        numbers[stood] = np.where(labels > 0, len(colours) + (labels - 1) % len(REGION_COLOURS), numbers[stood])
        colours += [rgb(hue) for hue in REGION_COLOURS]
    return numbers, np.array(colours, np.uint8)
