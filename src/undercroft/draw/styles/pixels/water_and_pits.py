"""Draw water and pits with their shores."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageFilter

from undercroft.draw.styles.pixels.pixel_canvas import PixelCanvas
from undercroft.draw.styles.pixels.pixel_terrain import (
    FACE_HEIGHT,
    Mask,
    PixelTerrain,
    build_noise,
    dilated,
    eroded,
    measure_depth,
    moved,
    tile_texture,
)
from undercroft.draw.tileset.paint import COLOURS, TILE_PIXELS
from undercroft.draw.tileset.stone import paint_bricks, paint_crag_strip

PIT_WALL_PIXELS = 22
"""Pixels down to which the wall of a pit is visible."""
KERB_STONE_PIXELS = 8
"""Pixels from joint to joint in a kerb."""


def draw_water(canvas: PixelCanvas, land: PixelTerrain) -> None:
    """Draw blots and horizontal ripples, darker in deep water, with foam along the shore."""
    wet = land.water
    _draw_banks(canvas, land, wet)
    swell, ripple = (tile_texture(build_noise(cell, "water")[::2], wet.shape).astype(np.uint16) for cell in (18, 7))
    noise = (swell * 5 + ripple * 3) // 8
    canvas.tint(wet, "water")
    canvas.tint(wet & (noise < 116), "water deep", 1.14)
    deep = _estimate_depth(wet)
    for least, light in ((140, 0.94), (215, 0.84)):
        canvas.tint(wet & (deep > least), "water", light)
        canvas.tint(wet & (deep > least) & (noise < 116), "water deep", light * 1.14)
    canvas.tint(wet & (noise > 142) & (noise < 147), "water light", 0.92)
    canvas.tint(wet & (noise > 172) & (tile_texture(build_noise(3, "glint"), wet.shape) > 226), "foam")
    inner = eroded(wet)
    canvas.tint(inner & ~eroded(inner) & (tile_texture(build_noise(5, "foam"), wet.shape) > 112), "water light")
    canvas.tint(wet & ~inner, "foam", 0.8)
    for rows, light in ((4, 1.0), (3, 0.86), (2, 0.72), (1, 0.55)):  # the northern bank shades the water
        canvas.tint(wet & ~moved(wet, 0, -rows), "water deep", light)


def _estimate_depth(wet: Mask) -> Mask:
    """The approximate distance from the shore: more than half of 255 in the middle of wide water."""
    coarse = Image.fromarray(wet.view(np.uint8) * np.uint8(255)).reduce(4).filter(ImageFilter.BoxBlur(4))
    return np.asarray(coarse.resize(wet.shape[::-1], Image.Resampling.BICUBIC))


def _draw_banks(canvas: PixelCanvas, land: PixelTerrain, hollow: Mask) -> None:
    """Draw the banks of water or a pit: wet earth if natural, a stone kerb if built."""
    dry = land.ground & ~hollow
    soft, hard = dry & land.soft, dry & ~land.soft
    beside = soft & dilated(hollow)
    canvas.dim(beside & ~moved(hollow, 0, 1), 0.76)
    canvas.tint(beside & moved(hollow, 0, -1), "earth light", 1.1)
    for rows, light in ((3, 0.95), (2, 0.82), (1, 0.62)):
        canvas.tint(soft & moved(hollow, 0, rows), "earth dark", light)
    wide = dilated(dilated(dilated(hollow)))
    kerb = hard & wide
    if kerb.any():
        canvas.tint(kerb, "flag light", 1.06)
        canvas.tint(kerb & ~eroded(wide), "joint")
        canvas.tint(kerb & moved(hollow, 0, 1), "flag dark", 0.75)
        canvas.tint(kerb & moved(hollow, 0, -1), "flag light", 1.28)
        lattice = (np.arange(hollow.shape[1]) % KERB_STONE_PIXELS == 0)[None] & (
            moved(hollow, 0, 2) | moved(hollow, 0, -2)
        )
        upright = (np.arange(hollow.shape[0]) % KERB_STONE_PIXELS == 0)[:, None] & (
            moved(hollow, 2, 0) | moved(hollow, -2, 0)
        )
        canvas.tint(kerb & (lattice | upright), "joint", 1.1)


def draw_pits(canvas: PixelCanvas, land: PixelTerrain) -> None:
    """Draw pits whose northern wall fades into the dark."""
    pit = land.pit
    _draw_banks(canvas, land, pit)
    canvas.flatten()
    depth = measure_depth(pit)
    ys, xs = np.nonzero(pit & (depth <= PIT_WALL_PIXELS))
    down = depth[ys, xs].astype(np.intp) - 1
    crags = paint_crag_strip()
    built = np.stack([paint_bricks(look) for look in range(4)])[
        xs // TILE_PIXELS * 7 % 4, down % FACE_HEIGHT, xs % TILE_PIXELS
    ]
    wall = np.where(land.soft[ys, xs][:, None], crags[down % FACE_HEIGHT, xs % crags.shape[1]], built)
    fade = np.clip(1 - down / np.float32(PIT_WALL_PIXELS), 0, 1).astype(np.float32) ** 2 * np.float32(0.85)
    canvas.image[pit] = COLOURS["pit"].astype(np.uint8)
    canvas.image[ys, xs] = np.clip(np.maximum(wall * fade[:, None], COLOURS["pit"]), 0, 255).astype(np.uint8)
