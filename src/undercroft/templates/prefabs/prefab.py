"""Room types drawn as text: how often each may stand, how it may be turned, its sockets and its slots."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.errors import BadInput, Place, nearest, unknown
from undercroft.limits import PREFAB_BYTES, PREFAB_SIDE, PREFAB_TYPES
from undercroft.templates import declarations, outline
from undercroft.templates.lines import Part, checked, lines
from undercroft.templates.outline import Mark
from undercroft.templates.prefabs import lattice
from undercroft.templates.prefabs.phrases import Phrases, positions
from undercroft.templates.template import OUTSIDE, Origin, Slot, Template

WORDS = ("room", "slot", "socket", "positions", "lattice")


class RoomType(NamedTuple):
    """A template, and what may be done with it."""

    template: Template
    weight: int = 1
    least: int = 0
    most: int | None = None
    positions: tuple[int, ...] = (0,)

    def shapes(self) -> tuple[Template, ...]:
        """The template in its positions, those that look alike once."""
        return _shapes(self.template, self.positions)


@functools.lru_cache(maxsize=2 * PREFAB_TYPES.value)
def _shapes(template: Template, positions: tuple[int, ...]) -> tuple[Template, ...]:
    found: list[Template] = []
    for begin in {number & 4: None for number in positions}:
        shape = template.position(begin)
        for number in range(begin, begin + 4):
            shape = shape.turned() if number & 3 else shape
            if number in positions and not any(shape.looks_like(other) for other in found):
                found.append(shape)
    return tuple(found)


class RoomTypes:
    """All types of one text."""

    def __init__(self, types: Sequence[RoomType], palette: Palette, lattice: int = 0) -> None:
        self.types = tuple(types)
        self.palette = palette
        self.lattice = lattice
        """If not 0: the sides of all rooms are whole numbers of so many cells, and one more; their sockets stand in the
        middle of such lengths.
        """

    def index(self, name: str) -> int:
        """The number of the type of that name."""
        names = [kind.template.name for kind in self.types]
        if name not in names:
            raise unknown("room type", name, names)
        return names.index(name)


class Slotted(NamedTuple):
    """A sign for a slot: what it is for, and the tile under it."""

    kind: str
    tile: int


def parse(text: str, file: str, palette: Palette = STANDARD) -> RoomTypes:
    """The room types of a text; `file` names it in errors.

    >>> keep = parse('''
    ... room  cell, weight 3, turned
    ...     #+###
    ...     #...#
    ...     #####
    ... ''', "keep.txt")
    >>> keep.types[0].template.sockets[0][:4], keep.types[0].positions
    ((1, 0, 'N', 1), (0, 1, 2, 3))
    """
    checked(PREFAB_BYTES, len(text.encode("utf-8", "replace")), f"{file}: its size in bytes", Place(file, 1, 1))
    return _Reader(palette).read(text, file)


def begins_like_rooms(text: str) -> bool:
    """Whether the first line that says anything begins with one of the words of such a text.

    >>> begins_like_rooms("; rooms\\n\\npositions turned"), begins_like_rooms("one  room"), begins_like_rooms("")
    (True, False, False)
    """
    told = (
        line for line in text.removeprefix("\ufeff").split("\n") if line.strip() and not line.lstrip().startswith(";")
    )
    return (next(told, "").split() or [""])[0] in WORDS


class _Reader:
    """What was read so far."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.signs: dict[str, Mark | Slotted] = {}
        self.types: list[RoomType] = []
        self.positions: tuple[int, ...] = (0,)
        self.lattice = 0
        self.head: Part | None = None
        self.rows: list[Part] = []
        self.ended = False

    def read(self, text: str, file: str) -> RoomTypes:
        for line in lines(text, file):
            if not line.text:
                self.ended = bool(self.rows)
            elif line.text[0] == " ":
                self._row(line)
            else:
                self._finish()
                self._word(line)
        self._finish()
        if not self.types:
            raise BadInput(
                "there is no room here",
                place=Place(file, 1, 1),
                fix="write a line 'room NAME', and draw the room below it, indented",
            )
        return RoomTypes(self.types, self.palette, self.lattice)

    def _row(self, line: Part) -> None:
        if self.head is None:
            raise line.cut(0).bad(
                "a row of a drawing, and no room that it belongs to",
                "write a line 'room NAME' above it, at the left margin",
            )
        if self.ended:
            raise line.cut(0).bad("a blank line in a drawing", "draw the room in one piece")
        self.rows.append(line)

    def _word(self, line: Part) -> None:
        word = line.text.partition(" ")[0]
        rest = line.cut(len(word))
        if word == "room":
            self.head = rest
        elif word == "slot":
            sign, kind, tile = declarations.slot(rest, self.palette, self.signs)
            self.signs[sign] = Slotted(kind, tile)
        elif word == "socket":
            sign, kind, tile = declarations.socket(rest, self.palette, self.signs)
            self.signs[sign] = Mark(kind, tile)
        elif word == "positions":
            self.positions = positions(rest.split())
        elif word == "lattice":
            if self.types:
                raise line.bad("'lattice' stands before all rooms", "move it up")
            self.lattice = rest.number_of("lattice", 2, PREFAB_SIDE.value - 1)
        else:
            near = nearest(word, WORDS)
            fix = (
                f"did you mean {near!r}?"
                if near
                else f"a line begins with one of {', '.join(WORDS)}; rows of a drawing are indented"
            )
            raise line.bad(f"unknown word {word[:40]!r}", fix)

    def _finish(self) -> None:
        """The room whose lines were read."""
        if self.head is None:
            return
        head, rows = self.head, self.rows
        self.head, self.rows, self.ended = None, [], False
        name, *phrases = head.split()
        if not name.text or len(name.text) > 60:
            raise name.bad(
                "a room has a name" if not name.text else "a name has at most 60 letters",
                "write room NAME, for example room hall",
            )
        if any(name.text == kind.template.name for kind in self.types):
            raise name.bad(f"two rooms are called {name.text!r}", "give one of them another name")
        told = Phrases.read(phrases, self.positions)
        if not rows:
            raise name.bad(f"the room {name.text!r} is not drawn", "draw it on the lines below, indented")
        checked(PREFAB_TYPES, len(self.types) + 1, f"{head.file}: its number of rooms", head.place())
        self.types.append(
            RoomType(self._drawn(name, rows, told.tags), told.weight, told.least, told.most, told.positions)
        )

    def _drawn(self, name: Part, rows: list[Part], tags: tuple[str, ...]) -> Template:
        """The template of a drawing."""
        margin = min(len(row.text) - len(row.text.lstrip(" ")) for row in rows)
        width, height = max(len(row.text) for row in rows) - margin, len(rows)
        checked(PREFAB_SIDE, max(width, height), f"the longer side of {name.text!r}", rows[0].place(margin))
        tiles = np.full((height, width), OUTSIDE, np.uint8)
        marks: dict[tuple[int, int], Mark] = {}
        slots: list[Slot] = []
        wall = self.palette.role("wall")
        for y, row in enumerate(rows):
            for x, sign in enumerate(row.text[margin:]):
                meant = self._meant(sign, row, margin + x)
                if isinstance(meant, Mark):
                    marks[x, y] = meant
                    tiles[y, x] = wall
                elif isinstance(meant, Slotted):
                    slots.append(Slot(meant.kind, x, y))
                    tiles[y, x] = meant.tile
                else:
                    tiles[y, x] = meant

        def where(x: int, y: int) -> Place:
            return rows[y].place(margin + x)

        found = outline.sockets(tiles, marks, self.palette, where)
        outline.check(tiles, self.palette, where)
        if self.lattice:
            lattice.check(tiles.shape, found, self.lattice, where)
        tiles.setflags(write=False)
        origin = Origin(name.place(), tuple(row.place(margin) for row in rows))
        return Template(name.text, tiles, self.palette, found, tuple(slots), tags, origin)

    def _meant(self, sign: str, row: Part, at: int) -> Mark | Slotted | int:
        """What a sign of a drawing stands for."""
        if sign == " ":
            return OUTSIDE
        if sign in self.signs:
            return self.signs[sign]
        if sign not in self.palette:
            known = "  ".join(f"{tile.glyph} {tile.name}" for tile in self.palette.tiles[1:])
            raise BadInput(
                f"unknown sign {sign!r}",
                place=row.place(at),
                fix=f"the tiles are {known}; other signs want a line 'slot' or 'socket' above",
            )
        code = self.palette[sign]
        tile = self.palette.tiles[code]
        if tile.role in DOOR_ROLES:
            return Mark(tile.name, code)
        return OUTSIDE if tile.role == "void" else code
