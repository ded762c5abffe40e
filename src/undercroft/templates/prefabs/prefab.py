"""Parse room types drawn as text: how often each may stand, how it may be turned, its sockets and its slots."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from undercroft.core.palette import DOOR_ROLES, STANDARD, Palette
from undercroft.errors import BadInput, Place, find_similar_word, unknown_name_error
from undercroft.inputs.lines import LinePart, split_lines
from undercroft.limits import PREFAB_BYTES, PREFAB_NAME_LENGTH, PREFAB_SIDE, PREFAB_TYPES
from undercroft.templates import declarations, outline
from undercroft.templates.outline import SocketSign
from undercroft.templates.prefabs import lattice
from undercroft.templates.prefabs.phrases import RoomPhrases, parse_positions
from undercroft.templates.template import OUTSIDE, Slot, Template, TemplateOrigin

LINE_WORDS = ("room", "slot", "socket", "positions", "lattice")


class RoomType(NamedTuple):
    """A template with its weight, limits and positions."""

    template: Template
    weight: int = 1
    least: int = 0
    most: int | None = None
    positions: tuple[int, ...] = (0,)

    def list_shapes(self) -> tuple[Template, ...]:
        """The template in its positions, without duplicates."""
        return _list_shapes(self.template, self.positions)


@functools.lru_cache(maxsize=2 * PREFAB_TYPES.value)
def _list_shapes(template: Template, positions: tuple[int, ...]) -> tuple[Template, ...]:
    found: list[Template] = []
    for begin in {number & 4: None for number in positions}:
        shape = template.in_position(begin)
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
        """The lattice length; 0: no lattice. The sides of all rooms are multiples of it plus one cell, and sockets
        stand in the middle of such lengths.
        """

    def index(self, name: str) -> int:
        """The index of the type of that name."""
        names = [kind.template.name for kind in self.types]
        if name not in names:
            raise unknown_name_error("room type", name, names)
        return names.index(name)


class SlotSign(NamedTuple):
    """A sign for a slot: its kind, and the tile under it."""

    kind: str
    tile: int


def parse(text: str, file: str, palette: Palette = STANDARD) -> RoomTypes:
    """Parse the room types of a text; `file` names it in errors.

    >>> keep = parse('''
    ... room  cell, weight 3, turned
    ...     #+###
    ...     #...#
    ...     #####
    ... ''', "keep.txt")
    >>> keep.types[0].template.sockets[0][:4], keep.types[0].positions
    ((1, 0, 'N', 1), (0, 1, 2, 3))
    """
    return _PrefabReader(palette).read(text, file)


def begins_like_rooms(text: str) -> bool:
    """Whether the first line with content starts with a keyword of such a text.

    >>> begins_like_rooms("; rooms\\n\\npositions turned"), begins_like_rooms("one  room"), begins_like_rooms("")
    (True, False, False)
    """
    told = (
        line for line in text.removeprefix("\ufeff").split("\n") if line.strip() and not line.lstrip().startswith(";")
    )
    return (next(told, "").split() or [""])[0] in LINE_WORDS


class _PrefabReader:
    """Parses room types, with the state so far."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.signs: dict[str, SocketSign | SlotSign] = {}
        self.types: list[RoomType] = []
        self.positions: tuple[int, ...] = (0,)
        self.lattice = 0
        self.head: LinePart | None = None
        self.rows: list[LinePart] = []
        self.ended = False

    def read(self, text: str, file: str) -> RoomTypes:
        for line in split_lines(text, file, PREFAB_BYTES):
            if not line.text:
                self.ended = bool(self.rows)
            elif line.text[0] == " ":
                self._add_row(line)
            else:
                self._finish_room()
                self._read_line(line)
        self._finish_room()
        if not self.types:
            raise BadInput(
                "there is no room here",
                place=Place(file, 1, 1),
                fix="write a line 'room NAME', and draw the room below it, indented",
            )
        return RoomTypes(self.types, self.palette, self.lattice)

    def _add_row(self, line: LinePart) -> None:
        if self.head is None:
            raise line.cut(0).error(
                "a row of a drawing, and no room that it belongs to",
                "write a line 'room NAME' above it, at the left margin",
            )
        if self.ended:
            raise line.cut(0).error("a blank line in a drawing", "draw the room in one piece")
        self.rows.append(line)

    def _read_line(self, line: LinePart) -> None:
        word = line.text.partition(" ")[0]
        rest = line.cut(len(word))
        if word == "room":
            self.head = rest
        elif word == "slot":
            sign, kind, tile = declarations.parse_slot(rest, self.palette, self.signs)
            self.signs[sign] = SlotSign(kind, tile)
        elif word == "socket":
            sign, kind, tile = declarations.parse_socket(rest, self.palette, self.signs)
            self.signs[sign] = SocketSign(kind, tile)
        elif word == "positions":
            self.positions = parse_positions(rest.split())
        elif word == "lattice":
            if self.types:
                raise line.error("'lattice' stands before all rooms", "move it up")
            self.lattice = rest.parse_number(word, 2, PREFAB_SIDE.value - 1, "write one, for example lattice 2")
        else:
            near = find_similar_word(word, LINE_WORDS)
            fix = (
                f"did you mean {near!r}?"
                if near
                else f"a line begins with one of {', '.join(LINE_WORDS)}; rows of a drawing are indented"
            )
            raise line.error(f"unknown word {word[:40]!r}", fix)

    def _finish_room(self) -> None:
        """Build the room from the lines read so far."""
        if self.head is None:
            return
        head, rows = self.head, self.rows
        self.head, self.rows, self.ended = None, [], False
        name, *phrases = head.split()
        if not name.text or len(name.text) > PREFAB_NAME_LENGTH.value:
            raise name.error(
                "a room has a name" if not name.text else f"a name has at most {PREFAB_NAME_LENGTH.value} letters",
                "write room NAME, for example room hall",
            )
        if any(name.text == kind.template.name for kind in self.types):
            raise name.error(f"two rooms are called {name.text!r}", "give one of them another name")
        told = RoomPhrases.parse(phrases, self.positions)
        if not rows:
            raise name.error(f"the room {name.text!r} is not drawn", "draw it on the lines below, indented")
        PREFAB_TYPES.check(len(self.types) + 1, f"{head.file}: its number of rooms", head.place())
        self.types.append(
            RoomType(self._build_template(name, rows, told.tags), told.weight, told.least, told.most, told.positions)
        )

    def _build_template(self, name: LinePart, rows: list[LinePart], tags: tuple[str, ...]) -> Template:
        """Build the template of a drawing."""
        margin = min(len(row.text) - len(row.text.lstrip(" ")) for row in rows)
        width, height = max(len(row.text) for row in rows) - margin, len(rows)
        PREFAB_SIDE.check(max(width, height), f"the longer side of {name.text!r}", rows[0].place(margin))
        tiles = np.full((height, width), OUTSIDE, np.uint8)
        marks: dict[tuple[int, int], SocketSign] = {}
        slots: list[Slot] = []
        wall = self.palette.role("wall")
        for y, row in enumerate(rows):
            for x, sign in enumerate(row.text[margin:]):
                meant = self._resolve_sign(sign, row, margin + x)
                if isinstance(meant, SocketSign):
                    marks[x, y] = meant
                    tiles[y, x] = wall
                elif isinstance(meant, SlotSign):
                    slots.append(Slot(meant.kind, x, y))
                    tiles[y, x] = meant.tile
                else:
                    tiles[y, x] = meant

        def where(x: int, y: int) -> Place:
            return rows[y].place(margin + x)

        found = outline.find_sockets(tiles, marks, self.palette, where)
        outline.check_outline(tiles, self.palette, where)
        if self.lattice:
            lattice.check_lattice(tiles.shape, found, self.lattice, where)
        tiles.setflags(write=False)
        origin = TemplateOrigin(name.place(), tuple(row.place(margin) for row in rows))
        return Template(name.text, tiles, self.palette, found, tuple(slots), tags, origin)

    def _resolve_sign(self, sign: str, row: LinePart, at: int) -> SocketSign | SlotSign | int:
        """The meaning of a sign in a drawing."""
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
            return SocketSign(tile.name, code)
        return OUTSIDE if tile.role == "void" else code
