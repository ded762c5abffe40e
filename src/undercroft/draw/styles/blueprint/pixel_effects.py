"""What makes a blueprint of a drawing: uneven paper, darker at its edges, and chalky lines with a little glow. Pictures
only.
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
"""How much the paper differs from place to place, from pixel to pixel, and at its edges."""
GLOW_STRENGTH, GLOW_REACH_CELLS = 0.45, 0.14
"""How strong lines glow, and how far, in cells."""
GRAIN_PIXELS = 509
"""Pixels of the grain that are made."""
MAX_WEAR, MIN_WORN_BRIGHTNESS = 0.45, 60
"""How much of a line may be worn off; what is not much brighter than the paper is not worn."""


class BlueprintPaper:
    """The two things done to the pixels: `render_paper` before anything is drawn, `add_glow_and_wear` after all of
    it.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._ground = Image.new("RGB", (1, 1))

    def render_paper(self, pixels: Pixels, cell: int) -> Pixels:
        """The paper itself."""
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
        """The lines on it: a blurred copy laid over them in light, and the grain taken off."""
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
        """From 0 to 1: a small piece, over and over; nobody sees that in something so fine."""
        piece = noise.fbm(min(height, GRAIN_PIXELS), min(width, GRAIN_PIXELS), 3, 2, self.seed + 9)
        return np.tile(piece, (-(-height // GRAIN_PIXELS), -(-width // GRAIN_PIXELS)))[:height, :width]
