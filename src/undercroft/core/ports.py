"""The sides that a tile opens to, and how they move when the tile is turned or mirrored."""

from __future__ import annotations

from collections.abc import Sequence

from undercroft.errors import BadInput

SIDES = "NESW"
"""Up, right, down and left, clockwise."""
QUARTER_TURN = str.maketrans(SIDES, "ESWN")
"""A quarter turn clockwise: up becomes right."""
MIRROR = str.maketrans(SIDES, "NWSE")
"""Left and right are swapped."""

Movement = dict[int, int]


def sort_sides(ports: str) -> str:
    """The same sides in the order of `SIDES`.

    >>> sort_sides("WN"), sort_sides("WN".translate(QUARTER_TURN))
    ('NW', 'NE')
    """
    if set(ports) - set(SIDES) or len(set(ports)) < len(ports):
        raise BadInput(f"ports are sides, not {ports!r}", fix='name each side once: "NESW", or some of it')
    return "".join(side for side in SIDES if side in ports)


def find_partners(tiles: Sequence[tuple[str, str]], movement: Movement) -> list[int]:
    """The index of the tile that each tile becomes. Tiles are given as role and sorted ports; the partner has the same
    role and the moved ports.

    A tile stays itself if no tile or several tiles match it, or a later tile of the same cycle.

    >>> find_partners([("corridor", "EW"), ("corridor", "NS"), ("door", "EW"), ("corridor", "")], QUARTER_TURN)
    [1, 0, 2, 3]
    >>> find_partners([("corridor", "NE"), ("corridor", "ES"), ("corridor", "SW")], QUARTER_TURN)
    [0, 1, 2]
    """
    found: dict[tuple[str, str], list[int]] = {}
    for code, tile in enumerate(tiles):
        found.setdefault(tile, []).append(code)
    moved = []
    for code, (role, ports) in enumerate(tiles):
        ring = [sort_sides(ports.translate(movement))]
        while ring[-1] != ports:
            ring.append(sort_sides(ring[-1].translate(movement)))
        others = [found.get((role, sides), []) for sides in ring]
        moved.append(others[0][0] if len(ring) > 1 and all(len(codes) == 1 for codes in others) else code)
    return moved


def describe_mismatch(ports: str, others: str, movement: Movement) -> str:
    """Why a tile with these ports cannot become one with the others; empty if it can.

    >>> describe_mismatch("EW", "NS", QUARTER_TURN), describe_mismatch("NE", "NE", MIRROR)
    ('', 'opens to NE, not to NW')
    """
    there = sort_sides(ports.translate(movement))
    return "" if there == others else f"opens to {others or 'no side'}, not to {there or 'no side'}"
