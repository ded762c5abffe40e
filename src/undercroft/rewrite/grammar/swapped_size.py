"""Find files of a grammar whose size says columns,rows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from undercroft.errors import BadInput, Place
from undercroft.wording import plural

_ESCAPED = re.compile(r"\\.")


def check_not_swapped(
    lines: list[str], rows: int, columns: int, place: Place, sizes: re.Match[str], *, strict: bool
) -> None:
    """Refuse a size that fits no grid in the lines below it while the reverse fits all of them. `sizes` is the size as
    it is written. Blank lines may be rows to a lenient reader.
    """
    grids = measure_grids(lines)
    if rows == columns or not grids or any(grid != (columns, {rows}) for grid in grids):
        return
    if not strict and not all(line.strip(" \t") for line in lines):
        return
    reverse = f"{sizes[2]},{sizes[1]}"
    error = BadInput(
        f"all grids have {plural(columns, 'row')} and {plural(rows, 'column')}, and this size says the reverse",
        place=place,
        fix=f"did you mean {reverse}?",
    )
    error.instead = (sizes.string[sizes.start(1) : sizes.end(2)], reverse)
    raise error


def measure_grids(lines: Iterable[str]) -> list[tuple[int, set[int]]]:
    """The number of rows of each grid, and the numbers of cells that its rows have.

    >>> measure_grids(["=5", "...", "...", "", "=", "cc", "c"])
    [(2, {3}), (2, {1, 2})]
    """
    grids: list[tuple[int, set[int]]] = []
    for line in lines:
        row = _ESCAPED.sub("x", line.rstrip(" \t"))
        if row.startswith("="):
            grids.append((0, set()))
        elif row and grids:
            grids[-1] = grids[-1][0] + 1, {*grids[-1][1], len(row)}
    return grids
