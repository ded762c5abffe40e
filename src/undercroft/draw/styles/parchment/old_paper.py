"""Render old paper as pixels: mottled, fibrous, stained, folded and burnt at the edge; and colour washes along the
walls.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import noise
from undercroft.draw.pen.distance_field import SignedDistanceField
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.scene import Pixels

Grid = NDArray[np.float32]
LIGHT, DARK, BURNT, BROWN = (
    np.array(rgb(colour), np.float32) for colour in ("#efdfb6", "#cfae72", "#2a1508", "#7a4e22")
)
STAIN_COUNT, SPOT_COUNT = 4, 40


def render_old_paper(pixels: Pixels, _: int, seed: int, edge: bool) -> Pixels:
    """The paper that the map is drawn on; with `edge`, its edge is burnt."""
    height, width = pixels.shape[:2]
    unit = max(1.0, min(height, width) / 900)  # textures scale with the sheet, so it looks the same at any size
    mottle = noise.fbm(height, width, 220 * unit, 5, seed)
    shade = np.clip((mottle - np.float32(0.5)) * np.float32(1.9) + np.float32(0.5), 0, 1)
    fibres = noise.fbm(height, width, 2.6 * unit, 1, seed + 5, stretch=5.0)
    shade += (fibres - np.float32(0.5)) * np.float32(0.16)
    shade += _cup_rings(height, width, unit, seed)
    shade += _foxing_spots(height, width, unit, seed)
    if edge:
        shade += _folds(height, width, unit)
    shade = np.clip(shade, 0, 1.25)[:, :, None]
    out = LIGHT + (DARK - LIGHT) * shade
    across, down = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    out *= (1 - np.float32(0.16) * (across[None] ** 2 + down[:, None] ** 2))[:, :, None]
    if edge:
        out = _burn_edge(out, unit, seed)
    paper: Pixels = np.clip(out, 0, 255).astype(np.uint8)
    return paper


def _cup_rings(height: int, width: int, unit: float, seed: int) -> Grid:
    """Stains of cups."""
    total: Grid = np.zeros((height, width), np.float32)
    rows, columns = np.ogrid[:height, :width]
    for number in range(STAIN_COUNT):
        x, y, size = noise.hash_noise(np.arange(3), number, seed + 31).tolist()
        radius = (50 + 60 * size) * unit
        middle = x * width, y * height
        low, high = (
            (max(0, int(centre - 1.4 * radius)) for centre in middle[::-1]),
            (int(centre + 1.4 * radius) for centre in middle[::-1]),
        )
        (top, left), (bottom, right) = tuple(low), tuple(high)
        part = np.s_[top : min(height, bottom), left : min(width, right)]
        dy, dx = rows[top:bottom] - middle[1], columns[:, left:right] - middle[0]
        angle = np.arctan2(dy, dx)
        uneven = 1 + 0.05 * np.sin(3 * angle + 6 * x) + 0.03 * np.sin(7 * angle + 9 * y)
        off = np.abs(np.hypot(dx, dy) / uneven - radius) / unit
        total[part] += (0.20 * np.exp(-off / 4) * (0.55 + 0.45 * np.sin(angle + 7 * size))).astype(np.float32)
    return total


def _foxing_spots(height: int, width: int, unit: float, seed: int) -> Grid:
    """Foxing: small brown clouds."""
    total: Grid = np.zeros((height, width), np.float32)
    rows, columns = np.ogrid[:height, :width]
    for number in range(SPOT_COUNT):
        x, y, size = noise.hash_noise(np.arange(3), number, seed + 57).tolist()
        radius = (2 + 7 * size * size) * unit
        top, left = max(0, int(y * height - 3 * radius)), max(0, int(x * width - 3 * radius))
        bottom, right = min(height, int(y * height + 3 * radius) + 1), min(width, int(x * width + 3 * radius) + 1)
        far = ((rows[top:bottom] - y * height) ** 2 + (columns[:, left:right] - x * width) ** 2) / radius**2
        total[top:bottom, left:right] += (0.35 * np.exp(-far)).astype(np.float32)
    return total


def _folds(height: int, width: int, unit: float) -> Grid:
    """Two folds across and one along: a dark line with a light line beside it."""
    total: Grid = np.zeros((height, width), np.float32)
    for place, length, upright in ((width / 3, width, True), (2 * width / 3, width, True), (height / 2, height, False)):
        off = (np.arange(length, dtype=np.float32) - np.float32(place)) / np.float32(unit)
        crease = (
            0.30 * np.exp(-((off / 1.2) ** 2))
            - 0.16 * np.exp(-(((off - 4) / 3.0) ** 2))
            + 0.05 * np.exp(-np.abs(off) / 26)
        )
        total += crease.astype(np.float32)[None, :] if upright else crease.astype(np.float32)[:, None]
    return total


def _burn_edge(out: Grid, unit: float, seed: int) -> Grid:
    """The edge of the sheet: brown, black, and ragged."""
    height, width = out.shape[:2]
    rows, columns = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None]
    inside = np.minimum(np.minimum(rows, height - 1 - rows), np.minimum(columns, width - 1 - columns)) / np.float32(
        unit
    )
    ragged = inside - 26 * (noise.fbm(height, width, 46 * unit, 4, seed + 77) - np.float32(0.35))
    glow = np.exp(-np.maximum(ragged, 0) / 30)[:, :, None]
    out = out * (1 - 0.75 * glow) + BROWN * (0.55 * glow)
    black = np.clip(1.2 - ragged / 5, 0, 1)[:, :, None]
    gone: Grid = out * (1 - black) + BURNT * black
    return gone


def add_wall_wash(pixels: Pixels, cell: int, field: SignedDistanceField, left: float, top: float, seed: int) -> Pixels:
    """Add a brown wash of varying width along the walls, with a darker rim where it dried, as in watercolour."""
    height, width = pixels.shape[:2]
    distance = _sample_field(field, height, width, cell, left, top)
    reach = 1.15 + 1.1 * noise.fbm(height, width, 3.2 * cell, 3, seed + 91)
    share: Grid = np.clip(distance / reach, 0, 1.4).astype(np.float32)
    body = np.where(distance > 0, np.clip(1 - share, 0, 1) ** np.float32(0.6) * np.float32(0.42), 0)
    rim = np.exp(-(((share - 1) / 0.05) ** 2)) * np.float32(0.16)
    strength = np.where(distance > 0, body + rim, 0)[:, :, None].astype(np.float32)
    paper: Pixels = np.clip(pixels * (1 - strength * (1 - BROWN / 255)), 0, 255).astype(np.uint8)
    return paper


def _sample_field(field: SignedDistanceField, height: int, width: int, cell: int, left: float, top: float) -> Grid:
    """The distances of a field at every pixel of a page."""
    grid = field.distances
    rows = (np.arange(height, dtype=np.float32) + np.float32(0.5)) / cell - np.float32(top)
    columns = (np.arange(width, dtype=np.float32) + np.float32(0.5)) / cell - np.float32(left)
    down = np.clip((rows + field.margin) * field.per_cell - 0.5, 0, grid.shape[0] - 1.001)
    across = np.clip((columns + field.margin) * field.per_cell - 0.5, 0, grid.shape[1] - 1.001)
    row, column = down.astype(np.int64), across.astype(np.int64)
    fall, run = (down - row).astype(np.float32)[:, None], (across - column).astype(np.float32)[None]
    wide = grid[:, column] * (1 - run) + grid[:, column + 1] * run
    found: Grid = (wide[row] * (1 - fall) + wide[row + 1] * fall).astype(np.float32)
    return found
