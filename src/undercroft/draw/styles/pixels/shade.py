"""Apply light and shadow to colours: corners are darker, walls cast shadows, light has dithered steps, and flames
glow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageFilter

from undercroft.draw.styles.pixels.light import POINTS_PER_CELL
from undercroft.draw.styles.pixels.pixel_terrain import Bytes, Mask, PixelTerrain
from undercroft.draw.tileset.terrain import Cells

AMBIENT = (0.40, 0.41, 0.57)
"""The ambient light: red, green, blue."""
MAX_LIGHT = 2.0
"""The brightest light, which is stored as byte 255."""
LIGHT_STEP_BYTES = 15
"""The step between shades of light, in bytes; pixels between them are dithered."""
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]], np.uint16)
GAIN = 1.36
"""The maximum factor of light."""


def cast_shadows(land: PixelTerrain) -> Bytes:
    """How much of the light each pixel keeps: less in corners, at the foot of walls, and where a wall casts a
    shadow.
    """
    rock = ~land.ground
    solid = Image.fromarray(rock.view(np.uint8) * np.uint8(255))
    kept = (
        255
        - (np.asarray(_blurred(solid, 4.8, 2), np.uint16) * 158 + np.asarray(_blurred(solid, 15.0, 4), np.uint16) * 66)
        // 255
    )
    cast = np.zeros(rock.shape, np.uint8)
    for step in range(7, 0, -1):
        cast[step:, step // 2 :][rock[: len(rock) - step, : rock.shape[1] - step // 2]] = 87 - 87 * step // 9
    kept = kept * (255 - cast) // 255
    kept[rock] = 255
    return kept.astype(np.uint8)


def _blurred(image: Image.Image, radius: float, shrink: int) -> Image.Image:
    """The image blurred at a smaller size, which is not visible."""
    return (
        image.reduce(shrink)
        .filter(ImageFilter.GaussianBlur(radius / shrink))
        .resize(image.size, Image.Resampling.BILINEAR)
    )


def compute_brightness(light: NDArray[np.float32], land: PixelTerrain, rock: Cells) -> Bytes:
    """The light on every pixel, [y, x, RGB], as bytes up to MAX_LIGHT. No pixel of ground or of a face gets light from
    behind a wall.
    """
    gained = light / (light + np.float32(0.66)) * np.float32(GAIN)
    solid = rock.repeat(POINTS_PER_CELL, axis=0).repeat(POINTS_PER_CELL, axis=1)
    on_ground = _enlarged(_extend_into_rock(np.where(solid[..., None], 0, gained), solid), land.ground.shape)
    anywhere = _enlarged(gained, land.ground.shape)
    ambient = np.array([round(255 * part / MAX_LIGHT) for part in AMBIENT], np.uint16)
    total = on_ground.astype(np.uint16) + ambient
    ys, xs = np.nonzero(land.face)
    foot = np.minimum(ys + land.below[ys, xs] + 1, land.ground.shape[0] - 1)
    total[ys, xs] = np.minimum(anywhere[ys, xs], on_ground[foot, xs].astype(np.uint16) * 3 // 2) + ambient
    glow = np.asarray(_blurred(Image.fromarray(land.ground.view(np.uint8) * np.uint8(255)), 26.0, 8), np.uint16)
    ys, xs = np.nonzero(land.top)
    fade = np.minimum(glow[ys, xs, None] * 4 + 44, 255)
    total[ys, xs] = np.minimum(anywhere[ys, xs] * np.uint16(3) // 4 + ambient * np.uint16(3) // 2, 255) * fade // 255
    found: Bytes = np.minimum(total, 255).astype(np.uint8)
    return found


def _extend_into_rock(light: NDArray[np.float32], solid: Mask) -> NDArray[np.float32]:
    """The light extended half a cell into rock, so that a smooth outline is lit like the ground in front of it."""
    for _ in range(POINTS_PER_CELL // 2):
        framed = np.pad(light, ((1, 1), (1, 1), (0, 0)))
        height, width = solid.shape
        around = np.maximum.reduce(
            [framed[down : down + height, right : right + width] for down in range(3) for right in range(3)]
        )
        light = np.where(solid[..., None] & (light == 0), around, light)
    return light


def _enlarged(light: NDArray[np.float32], shape: tuple[int, ...]) -> Bytes:
    """The light enlarged from a few points a cell to pixels."""
    image = Image.fromarray(np.clip(np.rint(light * np.float32(255 / MAX_LIGHT)), 0, 255).astype(np.uint8))
    return np.asarray(image.resize((shape[1], shape[0]), Image.Resampling.BILINEAR))


def apply_light(image: Bytes, brightness: Bytes, kept: Bytes) -> Bytes:
    """Apply light in steps to colours."""
    light = brightness.astype(np.uint16) * kept[..., None] // 255
    height, width = kept.shape
    pattern = np.tile(BAYER, (height // 4 + 1, width // 4 + 1))[:height, :width, None]
    light = (light + pattern * LIGHT_STEP_BYTES // 16) // LIGHT_STEP_BYTES * LIGHT_STEP_BYTES
    found: Bytes = np.minimum(image * light // round(255 / MAX_LIGHT), 255).astype(np.uint8)
    return found


def bloomed(image: Bytes) -> Bytes:
    """The image with a glow around bright pixels."""
    bright = np.clip((image.astype(np.int16) - 176) * 3, 0, 255).astype(np.uint8)
    halo = _blurred(Image.fromarray(bright), 5.0, 2).point([min(205, round(value * 0.9)) for value in range(256)] * 3)
    return np.asarray(ImageChops.screen(Image.fromarray(image), halo))
