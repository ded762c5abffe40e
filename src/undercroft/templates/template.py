"""A drawn room with sockets for doors and slots for things."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core import ports
from undercroft.core.palette import Palette
from undercroft.errors import Place

OUTSIDE = 255
"""The code where a template has no cell; no palette is that long."""


class Socket(NamedTuple):
    """A place in the outline for a door. Two sockets fit if they face each other and have the same width and kind."""

    x: int
    y: int
    """Its first cell, the leftmost or topmost."""
    side: str
    """The side it faces: N, E, S or W."""
    width: int
    kind: str
    tile: int
    """The tile of its cells when it is joined to another."""


class Slot(NamedTuple):
    """A place for a thing of that kind."""

    kind: str
    x: int
    y: int


class TemplateOrigin(NamedTuple):
    """The place of a template in a text."""

    name: Place
    rows: tuple[Place, ...]
    """The place of the first cell of each row."""

    def cell(self, x: int, y: int) -> Place:
        """The place of a cell."""
        return self.rows[y]._replace(column=self.rows[y].column + x)


@dataclass(frozen=True, eq=False)
class Template:
    """A drawing that is placed on maps as a whole. The cells of its sockets hold the tiles of a closed outline.

    >>> from undercroft.templates.prefabs.prefab import parse
    >>> print(parse('''
    ... slot  chest = c
    ... room  nook
    ...      ####
    ...     ##c.#
    ...     +...#
    ...     #####
    ... ''', "nook").types[0].template.turned())
    #+#
    #.##
    #.c#
    #..#
    ####
    """

    name: str
    tiles: NDArray[np.uint8]
    """Codes as [y, x]; `OUTSIDE` where it has no cell."""
    palette: Palette
    sockets: tuple[Socket, ...] = ()
    slots: tuple[Slot, ...] = ()
    tags: tuple[str, ...] = ()
    origin: TemplateOrigin | None = None
    """Its place in a text, in the position as drawn."""

    @property
    def place(self) -> Place | None:
        """The place of its name in a text; None if it has no origin."""
        return self.origin.name if self.origin else None

    @property
    def width(self) -> int:
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        return int(self.tiles.shape[0])

    @property
    def area(self) -> int:
        """The number of its cells, walls included."""
        return int(np.count_nonzero(self.tiles != OUTSIDE))

    def turned(self) -> Template:
        """The template after a quarter turn clockwise; its tiles turn too."""
        turn, high = self.palette.turn, self.height
        sockets = [
            Socket(
                high - y - (width if side in "EW" else 1),
                x,
                side.translate(ports.QUARTER_TURN),
                width,
                kind,
                int(turn[tile]),
            )
            for x, y, side, width, kind, tile in self.sockets
        ]
        slots = [Slot(kind, high - 1 - y, x) for kind, x, y in self.slots]
        return replace(self, tiles=turn[np.rot90(self.tiles, -1)], sockets=tuple(sockets), slots=tuple(slots))

    def mirrored(self) -> Template:
        """The template with left and right swapped; its tiles are mirrored too."""
        mirror, wide = self.palette.mirror, self.width
        sockets = [
            Socket(
                wide - x - (width if side in "NS" else 1),
                y,
                side.translate(ports.MIRROR),
                width,
                kind,
                int(mirror[tile]),
            )
            for x, y, side, width, kind, tile in self.sockets
        ]
        slots = [Slot(kind, wide - 1 - x, y) for kind, x, y in self.slots]
        return replace(self, tiles=mirror[self.tiles[:, ::-1]], sockets=tuple(sockets), slots=tuple(slots))

    def in_position(self, number: int) -> Template:
        """The template in one of eight positions: 0 to 3 are quarter turns clockwise, 4 to 7 the same mirrored."""
        template = self.mirrored() if number & 4 else self
        for _ in range(number & 3):
            template = template.turned()
        return template

    def looks_like(self, other: Template) -> bool:
        """Whether both give the same tiles, sockets and slots on a map."""
        if self.tiles.shape != other.tiles.shape or (self.tiles != other.tiles).any():
            return False
        return sorted(self.sockets) == sorted(other.sockets) and sorted(self.slots) == sorted(other.slots)

    def __str__(self) -> str:
        """A drawing, with sockets as the tiles they become and slots as their first letters."""
        glyphs = np.append(self.palette.glyphs[:OUTSIDE], " ")[self.tiles]
        for socket in self.sockets:
            across, down = (0, 1) if socket.side in "EW" else (1, 0)
            for step in range(socket.width):
                glyphs[socket.y + step * down, socket.x + step * across] = self.palette.tiles[socket.tile].glyph
        for slot in self.slots:
            glyphs[slot.y, slot.x] = slot.kind[0]
        return "\n".join("".join(row).rstrip() for row in glyphs.tolist())
