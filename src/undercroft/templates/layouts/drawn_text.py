"""Parse layouts drawn as text: the tiles on the left, the partition of each on the right, and above them how each
partition scales.
"""

from __future__ import annotations

import re
from dataclasses import replace

from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput, Place, find_similar_word
from undercroft.inputs.lines import LinePart, split_lines
from undercroft.limits import LAYOUT_BYTES, LAYOUT_DISTANCE, LAYOUT_MARKS, LAYOUT_PARTITIONS, LAYOUT_SIDE
from undercroft.templates import declarations
from undercroft.templates.layouts import growth
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.layouts.marks import LayoutMark
from undercroft.templates.layouts.partition import Partition
from undercroft.templates.layouts.tile_array import Patch

LINE_WORDS = ("layout", "slot", "socket", "scale", "colour", "icon")
BASE_SIGN, OVERLAY_SIGN = "=", "^"
"""Signs on the right side of a drawing for the parts that do not scale: the base, and the overlay over all."""
FLIP_PHRASES = ("flips left and right", "flips up and down")
PARTITION_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
"""The signs that a partition may have in a drawing."""

_PARTITION_LINE = re.compile(r"(?P<sign>\S+) *=(?P<rest>.*)")
_POINT = re.compile(r"at (-?[0-9]{1,7}) (-?[0-9]{1,7})")


def parse(text: str, file: str, palette: Palette = STANDARD) -> Layout:
    """Parse the layout in a text; `file` names it in errors.

    >>> chapel = parse('''
    ... layout  chapel, tagged quiet
    ... scale   w = walls, right by 1, down by 1
    ... scale   f = floor, right by 1, down by 1
    ...
    ...     ###  |  www
    ...     #.#  |  wfw
    ...     ###  |  www
    ... ''', "chapel.layout")
    >>> print(chapel.room((6, 4)))
    ######
    #....#
    #....#
    ######
    """
    return _DrawnTextReader(palette, file).read(text)


class _DrawnTextReader:
    """Parses a layout, with the state so far."""

    def __init__(self, palette: Palette, file: str) -> None:
        self.palette = palette
        self.file = file
        self.layout: tuple[str, tuple[str, ...], int, int, set[str]] | None = None
        self.signs: dict[str, LayoutMark] = {}
        self.partitions: dict[str, Partition] = {}
        self.rows: list[LinePart] = []
        self.ended = False

    def read(self, text: str) -> Layout:
        for line in split_lines(text, self.file, LAYOUT_BYTES):
            if not line.text:
                self.ended = bool(self.rows)
            elif line.text[0] == " ":
                if self.ended:
                    raise line.cut(0).error(
                        "a second drawing, or a blank line in the first",
                        "draw the layout in one piece; a file holds one layout",
                    )
                self.rows.append(line)
            else:
                self._read_line(line)
        if not self.rows:
            fix = "draw it, indented: its tiles, then | and the partition of each tile"
            raise BadInput("there is no layout here", place=Place(self.file, 1, 1), fix=fix)
        return self._build_layout()

    def _read_line(self, line: LinePart) -> None:
        word = line.text.partition(" ")[0]
        rest = line.cut(len(word))
        if word not in LINE_WORDS:
            near = find_similar_word(word, LINE_WORDS)
            raise line.error(
                f"unknown word {word[:40]!r}",
                f"did you mean {near!r}?"
                if near
                else f"a line begins with one of {', '.join(LINE_WORDS)}; drawings are indented",
            )
        if self.rows:
            raise line.error(f"{word!r} stands above the drawing", "move it up")
        if word == "layout":
            self._read_head(line, rest)
        elif word == "slot":
            sign, kind, tile = declarations.parse_slot(rest, self.palette, self.signs)
            self.signs[sign] = LayoutMark("slot", kind, tile)
            LAYOUT_MARKS.check(len(self.signs), f"{self.file}: its number of slots and sockets", rest.place())
        elif word == "socket":
            sign, kind, tile = declarations.parse_socket(rest, self.palette, self.signs)
            self.signs[sign] = LayoutMark("socket", kind, tile)
            LAYOUT_MARKS.check(len(self.signs), f"{self.file}: its number of slots and sockets", rest.place())
        else:
            self._read_partition(word, rest)

    def _read_head(self, line: LinePart, rest: LinePart) -> None:
        if self.layout is not None:
            raise line.error("a second layout", "a file holds one layout: make another file")
        name, x, y, flips = "", 0, 0, set[str]()
        tags: tuple[str, ...] = ()
        for number, part in enumerate(growth.split_phrases(rest)):
            at = _POINT.fullmatch(part.text)
            if part.text.startswith("tagged "):
                tags = tuple(dict.fromkeys(growth.parse_name(word) for word in growth.split_words(part.cut(6))))
            elif at:
                most = LAYOUT_DISTANCE.value
                x, y = (max(-most, min(most, int(number))) for number in at.groups())
            elif part.text in FLIP_PHRASES:
                flips.add(part.text)
            elif number == 0:
                name = growth.parse_name(part)
            else:
                near = find_similar_word(part.text, ("tagged", "at 0 0", *FLIP_PHRASES))
                raise part.error(
                    f"unknown words {part.text[:40]!r} about a layout",
                    f"did you mean {near!r}?" if near else f"one of: tagged WORDS, at X Y, {', '.join(FLIP_PHRASES)}",
                )
        self.layout = name, tags, x, y, flips

    def _read_partition(self, word: str, rest: LinePart) -> None:
        """Read a line about a partition: how it scales, or how an editor shows it."""
        found = _PARTITION_LINE.fullmatch(rest.text)
        if not found:
            raise rest.error(
                f"{word!r} needs the sign of a partition",
                f"for example {word} w = {'walls, right by 1' if word == 'scale' else 'gold'}",
            )
        sign, value = rest.cut(*found.span("sign")), rest.cut(*found.span("rest"))
        if word == "scale":
            if len(sign.text) != 1 or sign.text not in PARTITION_SIGNS:
                raise sign.error(
                    f"a partition's sign is one letter or digit, not {sign.text[:20]!r}",
                    "for example scale w = walls, right by 1",
                )
            if sign.text in self.partitions:
                raise sign.error(
                    f"two partitions have the sign {sign.text!r}", "give one of them another letter or digit"
                )
            LAYOUT_PARTITIONS.check(len(self.partitions) + 1, f"{self.file}: its number of partitions", sign.place())
            name, *said = growth.split_phrases(value)
            self.partitions[sign.text] = growth.parse_partition(said, growth.parse_name(name))
        elif sign.text not in self.partitions:
            raise sign.error(f"no partition has the sign {sign.text[:20]!r}", "write its line 'scale' first")
        else:
            told = {word: growth.parse_name(value)}
            self.partitions[sign.text] = replace(self.partitions[sign.text], **told)  # type: ignore[arg-type]

    def _build_layout(self) -> Layout:
        """Build the layout from the drawing."""
        name, tags, left, top, flips = self.layout or ("", (), 0, 0, set())
        margin, middle = self._measure_drawing()
        marks = list(self.signs.values())
        cells: dict[str, list[tuple[int, int, int]]] = {
            sign: [] for sign in (BASE_SIGN, OVERLAY_SIGN, *self.partitions)
        }
        for y, row in enumerate(self.rows):
            drawn, parts = row.text[margin : middle[0]].rstrip(" "), row.text[middle[1] :]
            LAYOUT_SIDE.check(max(len(drawn), len(self.rows)), "the longer side of the drawing", row.place(margin))
            for x in range(max(len(drawn), len(parts) if middle[1] < len(row.text) else 0)):
                tile, part = drawn[x : x + 1].strip(" "), parts[x : x + 1].strip(" ") if self._has_parts else BASE_SIGN
                if not tile and (not part or not self._has_parts):
                    continue
                if not tile:
                    raise BadInput(
                        "a partition here, and no tile on the left",
                        place=row.place(middle[1] + x),
                        fix="draw a tile there, or leave both out",
                    )
                if not part:
                    raise BadInput(
                        "a tile here, and no partition on the right",
                        place=row.place(margin + x),
                        fix=f"draw the sign of its partition, or {BASE_SIGN} if it stays",
                    )
                if part not in cells:
                    fix = (
                        f"one of {' '.join(self.partitions)}, {BASE_SIGN} for what stays, "
                        f"{OVERLAY_SIGN} for what is painted over all; or add a line scale {part} = ..."
                    )
                    raise BadInput(f"no partition has the sign {part!r}", place=row.place(middle[1] + x), fix=fix)
                cells[part].append((x + left, y + top, self._resolve_code(tile, row, margin + x)))
        patches = {sign: Patch.of(rows) for sign, rows in cells.items()}
        partitions = tuple(replace(partition, tiles=patches[sign]) for sign, partition in self.partitions.items())
        flip = {f"flip_{axis}": phrase in flips for axis, phrase in zip("xy", FLIP_PHRASES, strict=True)}
        try:
            return Layout(
                name,
                tags,
                patches[BASE_SIGN],
                partitions,
                patches[OVERLAY_SIGN],
                palette=self.palette,
                marks=tuple(marks),
                **flip,
            )
        except BadInput as error:
            error.place = error.place or self.rows[0].place(margin)
            raise

    _has_parts = True

    def _measure_drawing(self) -> tuple[int, tuple[int, int]]:
        """The column where the drawing begins, and those where its left side ends and its right side begins."""
        bars = [[found.start() for found in re.finditer(r"(?<= )\|(?= |$)", row.text)] for row in self.rows]
        margin = min(len(row.text) - len(row.text.lstrip(" ")) for row in self.rows)
        if not any(bars) and not self.partitions:
            self._has_parts = False
            end = max(len(row.text) for row in self.rows)
            return margin, (end, end)
        for row, found in zip(self.rows, bars, strict=True):
            if len(found) != 1 or found != bars[0]:
                raise row.cut(0).error(
                    "a bar | stands between tiles and partitions, in every row at the same place",
                    "write TILES  |  PARTITIONS, aligned",
                )
        bar = bars[0][0]
        rights = [
            len(row.text) - len(row.text[bar + 1 :].lstrip(" ")) for row in self.rows if row.text[bar + 1 :].strip(" ")
        ]
        lefts = [len(row.text) - len(row.text.lstrip(" ")) for row in self.rows if row.text[:bar].strip(" ")]
        if not rights or not lefts:
            raise (
                self.rows[0]
                .cut(0)
                .error(
                    "one side of the drawing is empty",
                    "draw tiles on the left of the bar, and their partitions on the right",
                )
            )
        return min(lefts), (bar, min(rights))

    def _resolve_code(self, sign: str, row: LinePart, at: int) -> int:
        """The code of a sign on the left side."""
        if sign in self.signs:
            return len(self.palette) + list(self.signs).index(sign)
        if sign not in self.palette:
            known = "  ".join(f"{tile.glyph} {tile.name}" for tile in self.palette.tiles[1:])
            raise BadInput(
                f"unknown sign {sign!r}", place=row.place(at), fix=f"draw with {known}; or declare a slot or a socket"
            )
        return self.palette[sign]
