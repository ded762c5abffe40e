"""The lattice of odd columns and rows that rooms and passages lie on, with walls on the even ones between them.

    #########     columns 1, 3, 5 and 7 of a map 9 wide; the border is column 0 and column 8
    #,,,#,,,#
    #########

A map of even width has one column more than the lattice, which stays rock. It is the last one, as in `labyrinth`, so
that the lattice begins in the same place on every map. The same holds for rows.
"""

from __future__ import annotations

from undercroft.errors import BadInput


def count_lattice_cells(side: int) -> int:
    """The odd columns (or rows) of a map that leave its border closed.

    >>> [count_lattice_cells(side) for side in (3, 4, 5, 80, 81)]
    [1, 1, 2, 39, 40]
    """
    return (side - 1) // 2


def check_lattice_size(width: int, height: int, *, least: int, what: str) -> None:
    """Refuse a map that is smaller than the smallest part on the lattice, with its walls."""
    if width < least or height < least:
        raise BadInput(
            f"{what} need a map of at least {least}x{least}, not {width}x{height}",
            fix=f"ask for {max(width, least)}x{max(height, least)}",
        )
