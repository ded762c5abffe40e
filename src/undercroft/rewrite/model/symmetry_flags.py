"""The flags of a grammar rule, R, H and V, and the positions they stand for."""

from __future__ import annotations


def _build_flag_table() -> dict[tuple[int, ...], str]:
    """The positions that each set of flags stands for, in the order in which the format counts them: turns, then mirror
    images of all, then mirror images of all those.

    A position is k quarter turns, + 4 if left and right are swapped first. So a mirror after k turns equals a mirror
    first and k turns back; a top-to-bottom mirror equals a left-to-right mirror and a half turn.
    """
    found = {}
    for flags in ("", "R", "H", "V", "R,H", "R,V", "H,V", "R,H,V"):
        positions = [0, 1, 2, 3] if "R" in flags else [0]
        for flag, half in (("H", 0), ("V", 2)):
            if flag in flags:
                positions += [(position & 4 ^ 4) + (half - position & 3) for position in positions]
        found[tuple(positions)] = flags
    return found


FLAGS_BY_POSITIONS = _build_flag_table()
"""The flags of a tuple of positions."""
POSITIONS_BY_FLAGS = {flags: positions for positions, flags in FLAGS_BY_POSITIONS.items()}
"""The positions of flags."""


def sorted_flags(flags: str) -> str:
    """Flags in the order of the table, each once.

    >>> sorted_flags("VRRV")
    'R,V'
    """
    return ",".join(flag for flag in "RHV" if flag in flags)
