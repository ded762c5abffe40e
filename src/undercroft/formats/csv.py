"""Read and write levels as CSV tables: one line per row of the map, with commas between the cells."""

from __future__ import annotations

import codecs
import csv
import io
import re

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.stairs import find_ends
from undercroft.errors import BadInput, Place, unknown_name_error
from undercroft.formats.shared.palette_option import resolve_palette
from undercroft.inputs.lines import not_utf8_error

NUMBERS_PATTERN = re.compile(rb"[0-9, \t\r\n]*")
FIX = "give a tile's code or name for each cell, with commas between"


def dump(level: Level, *, names: bool = False) -> bytes:
    """The level as the codes of its tiles, or as their names.

    >>> print(dump(Level.parse("#.+")).decode(), end="")
    1,2,4
    >>> print(dump(Level.parse("#.+"), names=True).decode(), end="")
    wall,floor,door
    """
    if type(names) is not bool:
        raise BadInput(f"names is true or false, not {names!r}", fix="write names=True for the names of tiles")
    words = [_quote_name(tile.name) if names else str(code) for code, tile in enumerate(level.palette.tiles)]
    longest = max(len(word.encode()) for word in words) + 1
    # short ones are padded with zero bytes, which are removed below
    cells = np.array([f"{word},".encode() for word in words], f"S{longest}")
    return b"".join(
        _format_rows(cells[row])
        for row in np.array_split(level.tiles, max(1, min(level.height, level.tiles.size >> 20)))
    )


def _format_rows(cells: NDArray[np.bytes_]) -> bytes:
    page = cells.view(np.uint8).reshape(len(cells), cells.shape[1], -1)
    last = (page[:, -1] != 0).sum(axis=1) - 1
    page[np.arange(len(page)), -1, last] = ord("\n")
    return page.tobytes().replace(b"\0", b"")


def _quote_name(name: str) -> str:
    """A name as a CSV field, quoted if needed."""
    if "\0" in name:
        raise BadInput(f"the tile {name!r} has a name that no table can hold", fix="write codes: names=False")
    return '"' + name.replace('"', '""') + '"' if re.search(r'[",\r\n]|^\s|\s$|^$', name) else name


def load(data: bytes, file: str, *, palette: Palette | None = None) -> Level:
    """The level in a table of codes, or of names, glyphs or aliases of tiles.

    >>> print(load(b"1,2,4\\n", "a.csv"), load(b"wall,floor,+", "a.csv"))
    #.+ #.+
    """
    palette = resolve_palette(palette)
    data = data.removeprefix(codecs.BOM_UTF8).rstrip(b"\r\n")
    if not data.strip():
        raise BadInput("a table has at least one cell", place=Place(file, 1, 1), fix=FIX)
    of_codes = NUMBERS_PATTERN.fullmatch(data) and not any(tile.name.isdecimal() for tile in palette.tiles)
    tiles = _parse_codes(data, file, palette) if of_codes else _parse_names(data, file, palette)
    start, end = find_ends(tiles, palette)
    return Level(tiles, palette, start=start, end=end)


def _parse_codes(data: bytes, file: str, palette: Palette) -> NDArray[np.uint8]:
    """The tiles of a table of numbers."""
    page = np.frombuffer(data.translate(None, b" \t\r") + b"\n", np.uint8)
    stops = np.flatnonzero((page == ord(",")) | (page == ord("\n")))
    limits.CELLS.check(len(stops), f"{file}: its number of cells")
    widths = np.diff(np.flatnonzero(page[stops] == ord("\n")), prepend=-1)
    limits.SIDE.check(max(len(widths), int(widths[0])), f"{file}: its longer side")
    odd = widths != widths[0]
    if odd.any():
        line = int(odd.argmax())
        raise _table_error(
            f"this row has {widths[line]:,} cells, the first has {widths[0]:,}", _cell_place(data, line, 0, file)
        )
    digits = np.diff(stops, prepend=-1) - 1
    numbers = np.zeros(len(stops), np.int32)
    for place in range(3):
        there = digits > place
        numbers[there] += (page[stops[there] - 1 - place].astype(np.int32) - ord("0")) * 10**place
    wrong = (digits < 1) | (digits > 3) | (numbers >= len(palette))
    if wrong.any():
        line, column = divmod(int(wrong.argmax()), int(widths[0]))
        spot = _cell_place(data, line, column, file)
        said = spot.text[spot.column - 1 :].partition(",")[0].strip()
        raise _table_error(
            f"{said[:20]!r} is no code of the palette {palette.name!r}, which go from 0 to {len(palette) - 1}", spot
        )
    return numbers.astype(np.uint8).reshape(len(widths), -1)


def _cell_place(data: bytes, line: int, column: int, file: str) -> Place:
    """The place where a cell begins; line and column count from 0."""
    shown = data.split(b"\n", line + 1)[line].decode().rstrip("\r")
    return Place(file, line + 1, sum(len(cell) + 1 for cell in shown.split(",")[:column]) + 1, shown)


def _parse_names(data: bytes, file: str, palette: Palette) -> NDArray[np.uint8]:
    """The tiles of a table of words."""
    known = {str(number): number for number in range(len(palette))}
    known |= {word: number for number, tile in enumerate(palette.tiles) for word in (*tile.aliases, tile.glyph)}
    known |= {tile.name: number for number, tile in enumerate(palette.tiles)}
    rows: list[bytes] = []
    line = 1
    try:
        reader = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
        for words in reader:
            strange = next((column for column, word in enumerate(words) if word not in known), None)
            if strange is not None:
                wrong = unknown_name_error(
                    "tile", words[strange][:40], (tile.name for tile in palette.tiles), place=Place(file, line, 1)
                )
                wrong.problem += f" in column {strange + 1}"
                raise wrong
            rows.append(bytes(known[word] for word in words))
            if len(words) != len(rows[0]):
                raise _table_error(
                    f"this row has {len(words):,} cells, the first has {len(rows[0]):,}", Place(file, line, 1)
                )
            limits.SIDE.check(max(len(rows), len(words)), f"{file}: its longer side")
            limits.CELLS.check(len(rows) * len(words), f"{file}: its number of cells")
            line = reader.line_num + 1
    except UnicodeDecodeError as error:
        raise not_utf8_error(data, file, error.start, FIX) from None
    except csv.Error as error:
        raise _table_error(f"this is no table with commas: {error}", Place(file, line, 1)) from None
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), -1)


def _table_error(problem: str, place: Place) -> BadInput:
    return BadInput(problem, place=place, fix=FIX)
