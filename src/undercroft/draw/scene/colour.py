"""Colours: hex strings, mixing, and a perceptually uniform ramp."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

RAMP_STEPS = 256
BRIGHTNESS_WEIGHTS = np.array([299, 587, 114], np.int32)
"""The share of red, green and blue in how light a colour looks, in thousandths."""


def rgb(colour: str) -> tuple[int, int, int]:
    """The three numbers of a colour such as #3cf0a6.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def brightness(colours: NDArray[np.uint8]) -> NDArray[np.int32]:
    """How light colours look, in thousandths of a byte: 0 for black, 255,000 for white.

    >>> brightness(np.array([[255, 255, 255], [0, 128, 0]], np.uint8)).tolist()
    [255000, 75136]
    """
    found: NDArray[np.int32] = (colours.astype(np.int32) * BRIGHTNESS_WEIGHTS).sum(axis=-1, dtype=np.int32)
    return found


def mix_colours(under: str, over: str, share: float) -> str:
    """The visible colour when `over` covers `under` by a share.

    >>> mix_colours("#000000", "#ff8000", 0.5)
    '#804000'
    """
    return "#{:02x}{:02x}{:02x}".format(
        *(round(a + (b - a) * share) for a, b in zip(rgb(under), rgb(over), strict=True))
    )


@cache
def colour_ramp() -> NDArray[np.uint8]:
    """Colours from deep blue through red to pale orange. Lightness grows evenly (OKLCH; Ottosson 2020), so the order
    survives in grey and for most kinds of colour blindness.
    """
    t = np.linspace(0, 1, RAMP_STEPS)
    lightness, chroma, hue = 0.34 + 0.50 * t, 0.115 + 0.045 * np.sin(np.pi * t), np.radians(285 + 135 * t)
    a, b = chroma * np.cos(hue), chroma * np.sin(hue)
    cones = (
        np.stack(
            [
                lightness + 0.3963377774 * a + 0.2158037573 * b,
                lightness - 0.1055613458 * a - 0.0638541728 * b,
                lightness - 0.0894841775 * a - 1.2914855480 * b,
            ]
        )
        ** 3
    )
    mix = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    linear = np.clip(mix @ cones, 0, 1).T
    shown = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055)
    table: NDArray[np.uint8] = np.rint(shown * 255).astype(np.uint8)
    table.setflags(write=False)
    return table


def blend(under: NDArray[np.uint8], over: tuple[int, int, int], share: float) -> NDArray[np.uint8]:
    """The colours moved towards one colour by a share."""
    mixed: NDArray[np.uint8] = np.rint(under * (1 - share) + np.array(over) * share).astype(np.uint8)
    return mixed
