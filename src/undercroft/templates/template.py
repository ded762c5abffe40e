"""A small drawn grid with sockets, where doors may be, and slots, where things may be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core import ports
from undercroft.core.palette import Palette
from undercroft.errors import Place

OUTSIDE = 255
"""Stands where a template has no cell; no palette is so long."""


class Socket(NamedTuple):
    """A place in the outline where a door may be. Two of them fit if they face each other and have the same width and
    kind.
    """

    x: int
    y: int
    """Its first cell, the one furthest left or up."""
    side: str
    """The side it faces: N, E, S or W."""
    width: int
    kind: str
    tile: int
    """What stands on its cells when it is joined to another."""


class Slot(NamedTuple):
    """A place where a thing of that kind may be."""

    kind: str
    x: int
    y: int


class TemplateOrigin(NamedTuple):
    """Where a template is written."""

    name: Place
    rows: tuple[Place, ...]
    """The first cell of each row."""

    def cell(self, x: int, y: int) -> Place:
        """Where a cell is drawn."""
        return self.rows[y]._replace(column=self.rows[y].column + x)


@dataclass(frozen=True, eq=False)
class Template:
    """A drawing that is put on maps as a whole. On its sockets stand the tiles of a closed outline.

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
    """Where it is drawn in a text, as it stands there."""

    @property
    def place(self) -> Place | None:
        """Where its name is written, if anywhere."""
        return self.origin.name if self.origin else None

    @property
    def width(self) -> int:
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        return int(self.tiles.shape[0])

    @property
    def area(self) -> int:
        """How many cells it has, walls too."""
        return int(np.count_nonzero(self.tiles != OUTSIDE))

    def turned(self) -> Template:
        """A quarter turn clockwise, the tiles with it."""
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
        """Left and right changed, the tiles with them."""
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
        """One of eight: 0 to 3 are quarter turns clockwise, 4 to 7 the same after left and right were changed."""
        template = self.mirrored() if number & 4 else self
        for _ in range(number & 3):
            template = template.turned()
        return template

    def looks_like(self, other: Template) -> bool:
        """Whether both would leave the same on a map, and fit the same places."""
        if self.tiles.shape != other.tiles.shape or (self.tiles != other.tiles).any():
            return False
        return sorted(self.sockets) == sorted(other.sockets) and sorted(self.slots) == sorted(other.slots)

    def __str__(self) -> str:
        """Drawn, with its sockets as the tiles they become and its slots by their first letters."""
        glyphs = np.append(self.palette.glyphs[:OUTSIDE], " ")[self.tiles]
        for socket in self.sockets:
            across, down = (0, 1) if socket.side in "EW" else (1, 0)
            for step in range(socket.width):
                glyphs[socket.y + step * down, socket.x + step * across] = self.palette.tiles[socket.tile].glyph
        for slot in self.slots:
            glyphs[slot.y, slot.x] = slot.kind[0]
        return "\n".join("".join(row).rstrip() for row in glyphs.tolist())
