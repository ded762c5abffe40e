"""A scene in progress: colours, flat paint over them, and how much of the light each pixel keeps."""

from __future__ import annotations

import numpy as np

from undercroft.draw.styles.pixels.pixel_terrain import Bytes, Mask
from undercroft.draw.tileset.paint import COLOURS, TILE_PIXELS
from undercroft.draw.tileset.terrain import Layer
from undercroft.draw.tileset.tile_sheet import Tileset


class PixelCanvas:
    """Flat paint is recorded by number and applied at the end, all at once, which is several times as fast."""

    def __init__(self, image: Bytes) -> None:
        self.image = image
        """[y, x, RGB]"""
        self._paint = np.zeros(image.shape[:2], np.uint8)
        self._colours: dict[tuple[str, float], int] = {}
        self.kept = np.full(image.shape[:2], 255, np.uint8)
        """How much of the light each pixel keeps."""

    def tint(self, mask: Mask, name: str, light: float = 1.0) -> None:
        """Give pixels a colour of the tileset, lighter or darker."""
        number = self._colours.setdefault((name, light), len(self._colours) + 1)
        self._paint[mask] = number

    def dim(self, mask: Mask, share: float) -> None:
        """Reduce the light of pixels to a share."""
        np.multiply(self.kept, np.float32(share), out=self.kept, where=mask, casting="unsafe")

    def flatten(self) -> None:
        """Apply the paint."""
        if self._colours:
            table = np.array([(0, 0, 0), *(COLOURS[name] * np.float32(light) for name, light in self._colours)])
            np.copyto(
                self.image,
                np.clip(np.rint(table), 0, 255).astype(np.uint8)[self._paint],
                where=self._paint[..., None] > 0,
            )
            self._paint[:] = 0
            self._colours.clear()

    def draw_tiles(self, layer: Layer, tiles: Tileset) -> None:
        """Draw pieces of a tileset, one a cell."""
        ys, xs = np.nonzero(layer >= 0)
        squares = self.image.reshape(layer.shape[0], TILE_PIXELS, layer.shape[1], TILE_PIXELS, 3).swapaxes(1, 2)
        squares[ys, xs] = blended(tiles.pixels[layer[ys, xs]], squares[ys, xs])

    def draw_sprite(self, pixels: Bytes, left: int, top: int) -> None:
        """Draw a sprite with its upper left corner at a pixel; parts outside are cut off."""
        height, width = self.image.shape[:2]
        rows, columns = (
            slice(max(0, top), min(height, top + len(pixels))),
            slice(max(0, left), min(width, left + pixels.shape[1])),
        )
        if rows.start < rows.stop and columns.start < columns.stop:
            part = pixels[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
            self.image[rows, columns] = blended(part, self.image[rows, columns])


def blended(over: Bytes, under: Bytes) -> Bytes:
    """Pixels blended over others by their alpha."""
    share = over[..., 3:].astype(np.uint16)
    mixed: Bytes = ((over[..., :3] * share + under * (255 - share) + 127) // 255).astype(np.uint8)
    return mixed


def arrange_tiles(pixels: Bytes, numbers: Layer) -> Bytes:
    """The pixels of pieces side by side."""
    height, width = numbers.shape
    return pixels[numbers].swapaxes(1, 2).reshape(height * TILE_PIXELS, width * TILE_PIXELS, pixels.shape[-1])
