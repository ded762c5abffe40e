"""The sides that a tile opens to, and what becomes of them when the tile is turned or mirrored."""

from __future__ import annotations

from collections.abc import Sequence

from undercroft.errors import BadInput

SIDES = "NESW"
"""Up, right, down and left, clockwise."""
QUARTER_TURN = str.maketrans(SIDES, "ESWN")
"""A quarter clockwise: what was up is right."""
MIRROR = str.maketrans(SIDES, "NWSE")
"""Left and right change places."""

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
    """What each tile, given as its role and its ports in order, becomes: the one of its role whose ports lie as its own
    do then.

    It stays itself if there is none or more than one such tile, here or further round.

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
    """Nothing, if a tile with these ports can become one with the others; else what is wrong.

    >>> describe_mismatch("EW", "NS", QUARTER_TURN), describe_mismatch("NE", "NE", MIRROR)
    ('', 'opens to NE, not to NW')
    """
    there = sort_sides(ports.translate(movement))
    return "" if there == others else f"opens to {others or 'no side'}, not to {there or 'no side'}"
