"""Pixel effects of a blueprint: uneven paper, darker at its edges, and chalky lines with a slight glow. Vector files
have none of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter

from undercroft.draw.pen import noise
from undercroft.draw.scene.colour import rgb
from undercroft.draw.scene.scene import Pixels
from undercroft.draw.styles.blueprint.inks import GROUND

UNEVENNESS, GRAIN, VIGNETTE = 0.22, 0.06, 0.28
"""The variation of the paper from place to place, from pixel to pixel, and at its edges."""
GLOW_STRENGTH, GLOW_REACH_CELLS = 0.45, 0.14
"""The strength of the glow of lines, and its reach in cells."""
GRAIN_PIXELS = 509
"""The period of the grain, in pixels."""
MAX_WEAR, MIN_WORN_BRIGHTNESS = 0.45, 60
"""How much of a line can be worn off; pixels not much brighter than the paper are not worn."""


class BlueprintPaper:
    """Two pixel effects: `render_paper` runs before anything is drawn, `add_glow_and_wear` after everything."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._ground = Image.new("RGB", (1, 1))

    def render_paper(self, pixels: Pixels, cell: int) -> Pixels:
        """Render the paper itself."""
        height, width = pixels.shape[:2]
        light = noise.fbm(height, width, max(12.0, 12.5 * cell), 4, self.seed)
        light -= np.float32(0.5)
        light *= np.float32(UNEVENNESS)
        light += np.float32(GRAIN) * (self._grain(height, width) - np.float32(0.5))
        across, down = (
            ((np.arange(length) + 0.5) / length - 0.5).astype(np.float32) ** 2 for length in (width, height)
        )
        light += 1 - np.float32(VIGNETTE) * (down[:, None] + across)
        paper = np.empty_like(pixels)
        for channel, value in enumerate(rgb(GROUND)):
            paper[:, :, channel] = np.minimum(light * np.float32(value), 255)
        self._ground = Image.fromarray(paper)
        return paper

    def add_glow_and_wear(self, pixels: Pixels, cell: int) -> Pixels:
        """Add a blurred copy of the lines as light, and wear the lines off by the grain."""
        image = Image.fromarray(pixels)
        lines = ImageChops.subtract(image, self._ground)
        glow = lines.filter(ImageFilter.GaussianBlur(max(0.6, cell * GLOW_REACH_CELLS))).point(
            [round(value * GLOW_STRENGTH) for value in range(256)] * 3
        )
        worn = np.clip((self._grain(*pixels.shape[:2]) - np.float32(0.62)) * np.float32(1.6), 0, MAX_WEAR)
        mask = Image.fromarray((worn * 255).astype(np.uint8))
        bright = lines.point([max(0, value - MIN_WORN_BRIGHTNESS) for value in range(256)] * 3)
        off = ImageChops.multiply(bright, Image.merge("RGB", (mask, mask, mask)))
        return np.asarray(ImageChops.subtract(ImageChops.screen(image, glow), off))

    def _grain(self, height: int, width: int) -> NDArray[np.float32]:
        """Grain from 0 to 1: a small tile that repeats, which is not visible at this scale."""
        piece = noise.fbm(min(height, GRAIN_PIXELS), min(width, GRAIN_PIXELS), 3, 2, self.seed + 9)
        return np.tile(piece, (-(-height // GRAIN_PIXELS), -(-width // GRAIN_PIXELS)))[:height, :width]
