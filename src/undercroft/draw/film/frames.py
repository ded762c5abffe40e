"""The frames of an animation: find the look of each cell and what changed, render frames, and encode them as one
file.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from undercroft.core.level import Level
from undercroft.core.palette import Palette, Tile
from undercroft.core.timeline import Timeline
from undercroft.draw.film.cell_sprites import CellLook, CellSprites, resolve_look

MIN_CELLS_PER_NEW_CELL = 3
"""Nothing glows if more than one cell in this many is new: then the whole map changed."""
UNKNOWN_TILE = Tile("unknown", "floor", "?", "?", "#888888", walkable=False, opaque=False)
"""The tile for codes that the palette does not have."""

Numbers = NDArray[np.uint16]
Marks = NDArray[np.uint8]
"""The mark of each cell of a level besides its tile; 0 for none."""


class FrameState(NamedTuple):
    """A frame before it is rendered: the number of each cell's look, and how many frames ago the cell changed."""

    numbers: Numbers
    age: NDArray[np.uint8]


class LookTable:
    """All looks of a timeline, in all its palettes, with their numbers; and those of the finished level, if its marks
    are known.
    """

    def __init__(
        self, timeline: Timeline | None, palette: Palette, level: Level | None = None, marks: Sequence[Marks] = ()
    ) -> None:
        self._timeline, self._palette, self._level = timeline, palette, level
        self._numbers: dict[CellLook, int] = {}
        self._tables: dict[Palette, Numbers] = {}
        codes = (
            timeline.codes() if timeline is not None else np.unique(level.tiles).tolist() if level is not None else []
        )
        for known in dict.fromkeys(
            [palette, *(known for _, known in (timeline.palettes if timeline is not None else ()))]
        ):
            table = self._tables[known] = np.zeros(256, np.uint16)
            for code in codes:
                table[code] = self._number(
                    resolve_look(known, code) if code < len(known) else CellLook(UNKNOWN_TILE, UNKNOWN_TILE.colour)
                )
        self._marked: dict[tuple[int, int], int] = {}
        if level is not None:
            pairs = {
                pair
                for each in marks
                for pair in np.unique(level.tiles[each > 0].astype(np.int32) << 8 | each[each > 0]).tolist()
            }
            for code, mark in sorted(divmod(pair, 256) for pair in pairs):
                self._marked[code, mark] = self._number(
                    resolve_look(level.palette, code, mark)
                    if code < len(palette)
                    else CellLook(UNKNOWN_TILE, UNKNOWN_TILE.colour, mark)
                )

    def _number(self, look: CellLook) -> int:
        return self._numbers.setdefault(look, len(self._numbers))

    @property
    def looks(self) -> tuple[CellLook, ...]:
        return tuple(self._numbers)

    def numbers_after(self, turn: int) -> Numbers:
        """The number of each cell's look after a turn."""
        assert self._timeline is not None
        return self._tables[self._timeline.palette(turn) or self._palette][self._timeline.at(turn)]

    def finished_numbers(self, marks: Marks) -> Numbers:
        """The same for the finished level, with these marks on it."""
        assert self._level is not None
        numbers = self._tables[self._palette][self._level.tiles]
        for (code, mark), number in self._marked.items():
            numbers[(self._level.tiles == code) & (marks == mark)] = number
        return numbers


def build_frames(states: Iterable[Numbers], glow: int, fading: int) -> Iterator[FrameState]:
    """A frame for each of these states, and some in which the last glow fades. The first and the last frame do not
    glow.
    """
    before, age = np.empty((0, 0), np.uint16), np.empty((0, 0), np.uint8)
    waiting: Numbers | None = None
    for state in states:
        if waiting is not None:
            age = _advance_age(age, before, waiting, glow)
            yield FrameState(waiting, age)
            before = waiting
        waiting = state
    assert waiting is not None
    age = _advance_age(age, before, waiting, glow)
    if fading:
        yield FrameState(waiting, age)
    for frame in range(1, fading):
        yield FrameState(waiting, np.minimum(age + frame * glow // fading, glow).astype(np.uint8))
    yield FrameState(waiting, np.full(waiting.shape, glow, np.uint8))


def _advance_age(age: NDArray[np.uint8], before: Numbers, now: Numbers, glow: int) -> NDArray[np.uint8]:
    """How many frames ago each cell changed, after one more frame."""
    if before.shape != now.shape:
        return np.full(now.shape, glow, np.uint8)
    later = np.minimum(age + 1, glow).astype(np.uint8)
    new = before != now
    later[new] = glow if np.count_nonzero(new) * MIN_CELLS_PER_NEW_CELL > new.size else 0
    return later


def render_frame(
    numbered: NDArray[np.int32], sprites: CellSprites, size: tuple[int, int], strip: NDArray[np.uint8] | None = None
) -> Image.Image:
    """A frame as a picture of `size` pixels, with an optional strip below. A map with fewer cells is scaled by the
    largest factor that fits.
    """
    pixels = sprites.render_pixels(numbered)
    edge = 2 * (sprites.cell // 2)
    times = max(1, min((size[0] - edge) // pixels.shape[1], (size[1] - edge) // pixels.shape[0]))
    pixels = pixels.repeat(times, axis=0).repeat(times, axis=1)
    page = np.full(size[::-1], sprites.ground, np.uint8)
    top, left = ((whole - part) // 2 for whole, part in zip(page.shape, pixels.shape, strict=True))
    page[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    if strip is not None:
        page = np.concatenate([page, strip])
    image = Image.frombytes("P", page.shape[::-1], page.tobytes())
    image.putpalette(sprites.table.tobytes())
    return image


def encode_animation(images: Sequence[Image.Image], name: str, times: Sequence[int]) -> bytes:
    """The file in the format that Pillow calls `name`. Pillow leaves out the unchanged pixels of each frame."""
    table = bytes(images[0].getpalette() or ())
    options: dict[str, Any] = {}
    if name == "WEBP":
        options = {"lossless": True, "quality": 30, "method": 2}
    elif name == "GIF":  # one colour table for all frames, with one entry for 'unchanged' if there is room
        options = {"palette": table}
        if len(table) < 768:
            options = {"palette": table + _unused_colour(table), "transparency": len(table) // 3, "optimize": True}
    file = io.BytesIO()
    images[0].save(file, name, save_all=True, append_images=images[1:], duration=list(times), loop=0, **options)
    return file.getvalue()


def _unused_colour(table: bytes) -> bytes:
    """A colour that is not in the table."""
    known = {table[at : at + 3] for at in range(0, len(table), 3)}
    return next(colour for colour in (bytes((0, 0, blue)) for blue in range(256)) if colour not in known)
