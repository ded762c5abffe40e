"""Parse a file of a grammar folder line by line: its header, the `=` lines, its grids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.errors import BadInput, Place
from undercroft.inputs.lines import list_lines
from undercroft.rewrite.grammar.swapped_size import check_not_swapped
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import KEEP
from undercroft.rewrite.model.symmetry_flags import sorted_flags

TILE_LETTERS = "".join(tile.glyph for tile in GRAMMAR_PALETTE.tiles)
UNKNOWN_TILE = GRAMMAR_PALETTE["unknown"]
CODES_BY_LETTER = {tile.glyph: code for code, tile in enumerate(GRAMMAR_PALETTE.tiles)} | {"?": KEEP}
CODES_BY_BYTE = np.array([CODES_BY_LETTER.get(chr(byte), KEEP) for byte in range(256)], np.int8)
LETTERS_BY_FACE = {tile.face: tile.glyph for tile in reversed(GRAMMAR_PALETTE.tiles)}
TILES_FIX = f"the tiles are {' '.join(sorted(TILE_LETTERS.replace('?', '')))}, and ? for any"

SIZE_LINE = re.compile(r"[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*(?:,(.*))?", re.DOTALL)
_FLAGS_LINE = re.compile(r"[RHV, \t]*[RHV][RHV, \t]*")

Cells = NDArray[np.int8]
"""Codes of tiles, and `KEEP`."""


class Note(NamedTuple):
    """A message about text that may mean something else than what was read."""

    problem: str
    place: Place

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class RuleFileHeader(NamedTuple):
    rows: int
    columns: int
    flags: str
    old: bool
    """Whether the file has the older format, where the grid follows at once."""


class RuleFileReader:
    """Reads one file line by line. `at` is the next line, from 0."""

    def __init__(self, text: str, file: str, *, strict: bool) -> None:
        self.file, self.strict = file, strict
        self.notes: list[Note] = []
        self.at = 0
        self.lines = list_lines(text)
        if not self.lines[-1]:
            self.lines.pop()

    def place(self, line: int, column: int = 0) -> Place:
        """The place of a line and column, both from 0."""
        return Place(self.file, line + 1, column + 1, self.lines[line] if line < len(self.lines) else "")

    def error_at(self, problem: str, line: int, column: int = 0, *, fix: str) -> BadInput:
        return BadInput(problem, place=self.place(line, column), fix=fix)

    def add_note(self, problem: str, place: Place) -> None:
        self.notes.append(Note(problem, place))

    def raise_or_note(self, problem: str, place: Place, *, fix: str, taken: str) -> None:
        """Raise an error in strict mode; else add a note that says what the text is taken for."""
        if self.strict:
            raise BadInput(problem, place=place, fix=fix)
        self.add_note(f"{problem}; {taken}", place)

    def skip_blank(self) -> None:
        while self.at < len(self.lines) and not self.lines[self.at].strip(" \t"):
            self.at += 1

    def is_at_end(self) -> bool:
        self.skip_blank()
        return self.at >= len(self.lines)

    def last_line(self) -> int:
        return max(0, len(self.lines) - 1)

    def read_header(self, dims_order: str, *, flags_too: bool) -> RuleFileHeader:
        """Read the size, and the flags in the lines where they may stand. The next line is the first grid, or the `=`
        above it.
        """
        if dims_order not in {"rc", "cr"}:
            raise BadInput(
                f"dims_order is 'rc' for rows,columns or 'cr' for columns,rows, not {dims_order!r}", fix="leave it out"
            )
        if not self.lines:
            raise self.error_at("the file is empty", 0, fix="begin with rows,columns, for example 3,3")
        sizes = SIZE_LINE.fullmatch(self.lines[0])
        if sizes is None:
            raise self.error_at(
                "the first line gives the size, as rows,columns", 0, fix="write two whole numbers, for example 3,3"
            )
        first, second = (int(digits) if len(digits) < 10 else 10**9 for digits in sizes.groups()[:2])
        for group, number in ((1, first), (2, second)):
            if not number:
                raise self.error_at(
                    "a grid has at least one row and one column", 0, sizes.start(group), fix="write numbers from 1"
                )
        self.at = 1
        flags = ""
        rest, rest_at = sizes.group(3), sizes.start(3)
        if not flags_too and rest is not None:
            self.raise_or_note(
                "a map takes no flags",
                self.place(0, rest_at),
                fix="end the line after the second number",
                taken="they are left out of account",
            )
        elif rest is not None:
            flags = self.read_flags(rest, 0, rest_at)
        if self.is_old(first, second, rule=flags_too):
            self.add_note(
                "this is the older format: columns first, then rows, and no '=' above the first grid; it is read so",
                self.place(0),
            )
            return RuleFileHeader(second, first, sorted_flags(flags), old=True)
        if flags:
            self.add_note(
                "flags stand in a line of their own below the size; they are taken all the same", self.place(0, rest_at)
            )
        if self.at < len(self.lines) and not self.lines[self.at].startswith("="):
            line = self.lines[self.at].strip(" \t")
            if not flags_too and line:
                raise self.error_at(
                    "a line with '=' must follow the size of a map",
                    self.at,
                    fix="put '=' on a line of its own; a map takes no flags",
                )
            if flags_too and not line.startswith("="):
                flags += self.read_flags(self.lines[self.at], self.at, 0)
                self.at += 1
        rows, columns = (first, second) if dims_order == "rc" else (second, first)
        check_not_swapped(
            self.lines[self.at :], rows, columns, self.place(0, sizes.start(1)), sizes, strict=self.strict
        )
        return RuleFileHeader(rows, columns, sorted_flags(flags), old=False)

    def read_flags(self, text: str, line: int, column: int) -> str:
        strange = [(at, sign) for at, sign in enumerate(text) if sign not in "RHV, \t"]
        if strange:
            at, sign = strange[0]
            more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
            hint = f"; did you mean {sign.upper()}?" if sign in "rhv" else ""
            self.add_note(
                f"unknown flag {sign!r}{more} left out of account, the flags are R, H and V{hint}",
                self.place(line, column + at),
            )
        return "".join(sign for sign in text if sign in "RHV")

    def is_old(self, columns: int, rows: int, *, rule: bool) -> bool:
        """Whether the second line, where flags or '=' should be, is a row of as many tiles as the first number."""
        if len(self.lines) < 2:
            return False
        row = self.lines[1].rstrip(" \t")
        if len(row) != columns or row.strip(TILE_LETTERS):
            return False
        if not rule:
            return not self.has_spacer_from(2)
        return self.has_spacer_from(1 + rows) and not (self.has_spacer_from(2) and _FLAGS_LINE.fullmatch(row))

    def has_spacer_from(self, line: int) -> bool:
        """Whether the next line that is not blank, from this one on, starts with '='."""
        for text in islice(self.lines, line, None):
            if text.strip(" \t"):
                return text.startswith("=")
        return False

    def read_spacer(self, what: str) -> int:
        """Read the weight in the `=` line above a grid."""
        self.skip_blank()
        if self.at >= len(self.lines):
            raise self.error_at(
                f"the file ends before {what}", self.last_line(), fix=f"put '=' and {what} below the header"
            )
        line = self.lines[self.at]
        if not line.startswith("="):
            fix = (
                "remove what stands before '='"
                if line.strip(" \t").startswith("=")
                else "put '=' on a line of its own, right above the grid"
            )
            raise self.error_at(f"a line with '=' must stand above {what}", self.at, fix=fix)
        self.at += 1
        number = line[1:].strip(" \t")
        if not number:
            return 1
        place = self.place(self.at - 1, line.index(number, 1))
        if not (number.isascii() and number.isdigit()):
            self.raise_or_note(
                f"a weight is a whole number, not {number[:20]!r}",
                place,
                fix="write =5, = alone for 1, =0 for never",
                taken="it is taken for 1",
            )
            return 1
        weight = int(number) if len(number) < 10 else 10**9
        limits.GRAMMAR_WEIGHT.check(weight, "this weight", place)
        return weight

    def read_results(self, head: RuleFileHeader) -> Iterator[tuple[int, Cells]]:
        """Read the weight and the cells of each remaining grid."""
        count = 0
        while not self.is_at_end():
            if not self.lines[self.at].startswith("="):
                raise self.extra_row_error(head, "the target" if count == 0 else f"result {count}")
            count += 1
            weight = self.read_spacer(f"result {count}")
            limits.RULE_CELLS.check(
                (1 + count) * head.rows * head.columns,
                "the number of cells in all grids",
                self.place(self.at - 1),
            )
            yield weight, self.read_grid(head, f"result {count}")
        if not count:
            raise self.error_at("the rule has no result", self.last_line(), fix="put '=' and a grid below the target")

    def extra_row_error(self, head: RuleFileHeader, what: str) -> BadInput:
        if self.lines[self.at].strip(" \t").startswith("="):
            return self.error_at("a line with '=' begins with it", self.at, fix="remove the blanks before it")
        fix = "remove a row, or write '=' above the next result"
        if what == "the target" and any(
            _FLAGS_LINE.fullmatch(line) for line in self.lines[self.at - head.rows : self.at - head.rows + 1]
        ):
            fix = "put flags above the '=' line, or remove a row"
        return self.error_at(f"this row is too much: {what} has its {head.rows}", self.at, fix=fix)

    def read_grid(self, head: RuleFileHeader, what: str) -> Cells:
        """Read the tile codes of the next grid, [row, column]; a wildcard is `KEEP`."""
        cells = np.full((head.rows, head.columns), KEEP, np.int8)
        for number in range(head.rows):
            if self.at >= len(self.lines):
                raise self.error_at(
                    f"the file ends in row {number + 1} of {head.rows} of {what}",
                    self.last_line(),
                    fix="add the missing rows",
                )
            line = self.lines[self.at]
            if line.startswith("="):
                raise self.error_at(
                    f"{what} has {number} rows, and the first line says {head.rows}",
                    self.at,
                    fix="add the missing rows above",
                )
            if (
                what == "the target"
                and not number
                and _FLAGS_LINE.fullmatch(line)
                and (set(line) & set("HV,") or len(line.rstrip(" \t")) != head.columns)
            ):
                raise self.error_at(
                    "flags stand above the '=' line, not below it", self.at, fix="move this line up by one"
                )
            row = self.read_row(line.rstrip(" \t"), head.columns)
            cells[number, : len(row)] = row
            self.at += 1
        return cells

    def read_row(self, line: str, columns: int) -> Cells | list[int]:
        """Read the codes of a row; if there are fewer than `columns`, the rest is `KEEP`."""
        if len(line) == columns and not line.strip(TILE_LETTERS):  # all signs are plain tiles
            return CODES_BY_BYTE[np.frombuffer(line.encode("latin-1"), np.uint8)]
        if not line:
            self.raise_or_note(
                "this row is empty",
                self.place(self.at),
                fix="draw it; write ? for a cell that does not matter",
                taken="its cells are taken for ?",
            )
            return []
        cells: list[int] = []
        strange: list[tuple[int, str]] = []
        column = 0
        while column < len(line):
            if len(cells) == columns:
                self.raise_or_note(
                    f"this row is longer than {columns} columns",
                    self.place(self.at, column),
                    fix="shorten it, or widen the grid",
                    taken="the rest is left out",
                )
                break
            start, sign = column, line[column]
            if sign == "\\":
                column += 1
                sign = line[column : column + 1]
            if not sign:
                raise self.error_at(
                    "a backslash stands before the sign it protects",
                    self.at,
                    start,
                    fix="remove it, or write \\? for an unknown tile",
                )
            if sign == "=" and start == column:
                raise self.error_at("'=' is no tile: it begins the line above a grid", self.at, column, fix=TILES_FIX)
            if sign not in CODES_BY_LETTER:
                strange.append((column, sign))
                if self.strict:
                    break
            cells.append(UNKNOWN_TILE if sign == "?" and start != column else CODES_BY_LETTER.get(sign, KEEP))
            column += 1
        if strange:
            at, sign = strange[0]
            more = f" (and {len(strange) - 1} more in this row)" if len(strange) > 1 else ""
            fix = f"write {LETTERS_BY_FACE[sign]} for {sign}" if sign in LETTERS_BY_FACE else TILES_FIX
            self.raise_or_note(
                f"unknown tile {sign!r}{more}", self.place(self.at, at), fix=fix, taken="it is taken for ?"
            )
        if len(cells) < columns:
            self.raise_or_note(
                f"this row has {len(cells)} of {columns} columns",
                self.place(self.at, len(line)),
                fix="draw the rest; write ? for a cell that does not matter",
                taken="the rest is taken for ?",
            )
        return cells
