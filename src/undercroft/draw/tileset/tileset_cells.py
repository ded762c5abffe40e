"""Read which cells of a picture a tileset of a user's own names: single ones, variants, and pieces of autotilings."""

from __future__ import annotations

from typing import NamedTuple

from undercroft import limits
from undercroft.draw.autotile.pieces import pieces as autotile_pieces
from undercroft.errors import BadInput
from undercroft.inputs.values import CheckedValue
from undercroft.wording import join_words

AUTOTILE_KEYS = ("kind", "first", "columns", "pieces", "rest")
AUTOTILE_KINDS = ("blob", "edges", "walls")
"""The kinds of autotiling that give each cell one piece."""
MAX_LISTED_PIECES = 12
"""The most missing pieces that an error lists."""


class AutotileCells(NamedTuple):
    """The cells of the image for the pieces of an autotiling."""

    kind: str
    cells: tuple[int, ...]
    """The number of the cell of each piece."""


def read_cells(value: CheckedValue, columns: int, rows: int) -> tuple[int, ...]:
    """The numbers of one cell, or of several."""
    found = value.value
    if isinstance(found, list) and found and all(isinstance(cell, list) for cell in found):
        limits.TILESET_VARIANTS.check(len(found), f"{value.path[-1]!r}: its number of cells", value.place())
        return tuple(_read_cell(value.item(index), columns, rows) for index in range(len(found)))
    return (_read_cell(value, columns, rows),)


def _read_cell(value: CheckedValue, columns: int, rows: int) -> int:
    found = value.value
    if not isinstance(found, list) or len(found) != 2 or any(type(number) is not int for number in found):
        raise value.mismatch(
            "the column and the row of a cell, counted from 0", _subject(value), "write for example [3, 0]"
        )
    column, row = found
    if not (0 <= column < columns and 0 <= row < rows):
        raise value.error(
            f"the cell [{column}, {row}] is outside of the picture",
            f"its columns are 0 to {columns - 1}, and its rows 0 to {rows - 1}",
        )
    return int(row * columns + column)


def _subject(value: CheckedValue) -> str:
    return repr(next(str(part) for part in reversed(value.path) if isinstance(part, str)))


def read_autotile(value: CheckedValue, columns: int, rows: int) -> AutotileCells:
    value.table(AUTOTILE_KEYS)
    kind = value.key("kind", "blob").choice(AUTOTILE_KINDS, "kind of autotiling")
    known = autotile_pieces(kind)
    cells: list[int | None] = [None] * len(known)
    if "first" in value.value:
        first = _read_cell(value.key("first"), columns, rows)
        left = first % columns
        across = value.key("columns", columns - left).integer(1, columns - left)
        for index in range(len(known)):
            row, column = divmod(index, across)
            at = first + row * columns + column
            if at >= columns * rows:
                raise value.key("first").error(
                    f"the {len(known)} pieces of {kind!r} do not fit: piece {index} is below the picture",
                    "begin further up or further to the left, or put more pieces in a row (columns)",
                )
            cells[index] = at
    for key, cell in _list_pieces(value):
        cells[_find_piece(value, key, kind)] = _read_cell(cell, columns, rows)
    if "rest" in value.value:
        rest = _read_cell(value.key("rest"), columns, rows)
        cells = [rest if cell is None else cell for cell in cells]
    missing = [str(index) for index, cell in enumerate(cells) if cell is None]
    if missing:
        more = f" and {len(missing) - MAX_LISTED_PIECES} more" if len(missing) > MAX_LISTED_PIECES else ""
        said = join_words(missing) if not more else ", ".join(missing[:MAX_LISTED_PIECES]) + more
        raise BadInput(
            f"of the {len(known)} pieces of {kind!r}, these have no cell: {said}",
            place=value.key_place(),
            fix="say where they begin (first = [0, 1]), list them under pieces, or give one cell for the rest of them "
            "(rest = [0, 1])",
        )
    return AutotileCells(kind, tuple(cell for cell in cells if cell is not None))


def _list_pieces(value: CheckedValue) -> list[tuple[str, CheckedValue]]:
    table = value.subtable("pieces")
    return [(key, table.key(key)) for key in table.value]


def _find_piece(value: CheckedValue, key: str, kind: str) -> int:
    """The index of a piece that is named by it, or by its name."""
    names = [piece.name for piece in autotile_pieces(kind)]
    if key.isdecimal() and key.isascii() and len(key) < 4 and int(key) < len(names):
        return int(key)
    if key in names:
        return names.index(key)
    error = value.key("pieces").unknown_name(f"piece of {kind!r}", names, key=key)
    if key.isdecimal():
        error.fix = f"the indices are 0 to {len(names) - 1}"
    raise error
