"""The frames of an animation: which tiles stand where and what has just changed, drawn, and put into one file."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.palette import Palette, Tile
from undercroft.core.timeline import Timeline
from undercroft.draw.sprites import Sprites

NEWS = 3
"""Nothing glows if more than one cell in so many is new: that is no news, but another map."""
UNKNOWN = Tile("unknown", "floor", "?", "?", "#888888", walkable=False, opaque=False)
"""What stands for codes that the palette does not have."""


class Scene(NamedTuple):
    """A frame before it is drawn: the number of each cell's tile, and how many frames ago it changed."""

    numbers: NDArray[np.uint16]
    age: NDArray[np.uint8]


class Cast:
    """All tiles that a timeline shows, in whichever palettes, and their numbers."""

    def __init__(self, timeline: Timeline, palette: Palette) -> None:
        self._timeline, self._palette = timeline, palette
        numbers: dict[Tile, int] = {}
        self._tables: dict[Palette, NDArray[np.uint16]] = {}
        codes = timeline.codes()
        for known in dict.fromkeys([palette, *(known for _, known in timeline.palettes)]):
            table = self._tables[known] = np.zeros(256, np.uint16)
            for code in codes:
                table[code] = numbers.setdefault(known.tiles[code] if code < len(known) else UNKNOWN, len(numbers))
        self.tiles = tuple(numbers)

    def at(self, turn: int) -> NDArray[np.uint16]:
        """The number of each cell's tile after a turn."""
        return self._tables[self._timeline.palette(turn) or self._palette][self._timeline.at(turn)]


def scenes(cast: Cast, turns: Sequence[int], glow: int, fading: int) -> Iterator[Scene]:
    """A frame for each of these turns, and some in which the last glow fades. The first and the last do not glow."""
    before = cast.at(turns[0])
    age = np.full(before.shape, glow, np.uint8)
    yield Scene(before, age)
    for turn in turns[1:]:
        now = cast.at(turn)
        age = _aged(age, before, now, glow)
        if turn == turns[-1] and not fading:
            age = np.full(now.shape, glow, np.uint8)
        yield Scene(now, age)
        before = now
    for frame in range(1, fading + 1):
        yield Scene(before, np.minimum(age + frame * glow // fading, glow).astype(np.uint8))


def _aged(age: NDArray[np.uint8], before: NDArray[np.uint16], now: NDArray[np.uint16], glow: int) -> NDArray[np.uint8]:
    """How many frames ago each cell changed, one frame later."""
    if before.shape != now.shape:
        return np.full(now.shape, glow, np.uint8)
    later = np.minimum(age + 1, glow).astype(np.uint8)
    new = before != now
    later[new] = glow if np.count_nonzero(new) * NEWS > new.size else 0
    return later


def drawn(scene: Scene, sprites: Sprites, width: int, height: int, margin: int) -> Image.Image:
    """A frame as a picture of so many cells; a smaller map stands in the middle."""
    pixels = sprites.drawn(sprites.looks(*scene))
    page = np.full((height * sprites.cell + 2 * margin, width * sprites.cell + 2 * margin), sprites.ground, np.uint8)
    top, left = ((whole - part) // 2 for whole, part in zip(page.shape, pixels.shape, strict=True))
    page[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    image = Image.frombytes("P", page.shape[::-1], page.tobytes())
    image.putpalette(sprites.table.tobytes())
    return image


def encoded(images: Sequence[Image.Image], name: str, times: Sequence[int]) -> bytes:
    """The file, by the name that Pillow has for it. In each frame Pillow leaves out what was there before."""
    table = bytes(images[0].getpalette() or ())
    options: dict[str, Any] = {}
    if name == "WEBP":
        options = {"lossless": True, "quality": 30, "method": 2}
    elif name == "GIF":  # one table of colours for all frames, and in it one place for 'as it was' if there is room
        options = {"palette": table}
        if len(table) < 768:
            options = {"palette": table + _other(table), "transparency": len(table) // 3, "optimize": True}
    file = io.BytesIO()
    images[0].save(file, name, save_all=True, append_images=images[1:], duration=list(times), loop=0, **options)
    return file.getvalue()


def _other(table: bytes) -> bytes:
    """A colour that the table does not have."""
    known = {table[at : at + 3] for at in range(0, len(table), 3)}
    return next(colour for colour in (bytes((0, 0, blue)) for blue in range(256)) if colour not in known)
