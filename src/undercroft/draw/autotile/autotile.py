"""Choose pieces of a tileset from roles: which cells join, which piece each cell gets, and which variant of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.arguments import require_level
from undercroft.core.level import Level
from undercroft.core.palette import ROLES, Palette, look_up_tiles
from undercroft.core.rng import PROBABILITY_ONE, seed_number, threshold
from undercroft.draw.autotile.pieces import build_tables
from undercroft.draw.autotile.tiling import Autotiling, Bytes, as_read_only, padded, split_rows
from undercroft.errors import BadInput
from undercroft.inputs.arguments import is_list, require_name, require_table, require_text
from undercroft.limits import TILE_LOOKS
from undercroft.wording import format_value_briefly

JOINS: Mapping[str, str] = MappingProxyType({
    **dict.fromkeys(("wall", "void", "secret"), "wall"),
    **dict.fromkeys(("floor", "corridor", "door", "opening", "locked", "pillar", "entry", "exit"), "ground"),
    "water": "water", "pit": "pit",
})  # fmt: skip
"""The group of each role. Cells of one group join."""
DEFAULT_SHARES = (0.1, 0.1, 0.1)
MAX_LOOKS = TILE_LOOKS.value
"""The old name `LOOKS` leads here."""


def autotile(
    level: Level,
    kind: str = "blob",
    *,
    joins: Mapping[str, str] = JOINS,
    outside: str = "wall",
    of: str = "wall",
    seed: int | str = 0,
    shares: Sequence[float] = DEFAULT_SHARES,
) -> Autotiling:
    """Choose the piece of a tileset for each cell.

    The kinds are `edges` (16 pieces, by the sides that join), `blob` (47, by sides and corners), `walls` (30, named by
    the part of a wall they are) and `corners` (16, laid on the points between cells, so there is a row and a column
    more). `joins` overrides the groups of roles in `JOINS`, `outside` is the role of everything beyond the map, `of` is
    the group that walls and corners are made of, and `shares` is how often each further variant is used.

    >>> level = Level.parse('''
    ...     #########
    ...     #...#...#
    ...     #...+...#
    ...     #...#...#
    ...     #####...#
    ...     #########
    ... ''')
    >>> print(autotile(level, "walls"))
    ┌───┬───┐
    │···╵···│
    │·······│
    │···╷···│
    └───┤···│
    ░░░░└───┘

    Cost: some forty operations on bytes a cell; variants and turns are computed on first use.
    """
    require_level("level", level)
    require_text("kind", kind, "for example autotile(level, 'walls')")
    require_table("joins", joins, "for example {'door': 'wall'}")
    build_tables(kind)
    groups, table = _resolve_groups(level.palette, joins)
    require_name("role", outside, ROLES)
    require_name("group", of, groups)
    group = look_up_tiles(table, level.tiles)
    beyond = groups.index({**JOINS, **joins}[outside])
    if kind == "corners":
        mask = _corner_masks(np.pad(group, 1, constant_values=beyond) == groups.index(of))
    else:
        mask = find_neighbour_masks(group, beyond)
    return Autotiling(kind, of, groups, group, mask, seed_number(seed), _check_shares(shares))


def _check_shares(given: Sequence[float]) -> tuple[float, ...]:
    """The shares, checked: their sum is at most 1."""
    shares: list[Any] = list(given) if is_list(given) else [given]
    try:
        whole = sum(map(threshold, shares)) if is_list(given) else PROBABILITY_ONE + 1
    except (TypeError, ValueError, BadInput):
        whole = PROBABILITY_ONE + 1
    if whole > PROBABILITY_ONE:
        raise BadInput(
            f"shares are numbers from 0 to 1, together at most 1, not {format_value_briefly(given)}",
            fix="for example (0.1, 0.1), which leaves 0.8 for the usual look",
        )
    if len(shares) > TILE_LOOKS.value:
        raise BadInput(f"{len(shares)} shares are too many", fix=f"give at most {TILE_LOOKS.value}")
    return tuple(shares)


def _resolve_groups(palette: Palette, joins: Mapping[str, str]) -> tuple[tuple[str, ...], Bytes]:
    """The names of the groups, and the number of the group of each tile."""
    for role, group in joins.items():
        require_name("role", role, ROLES)
        if not isinstance(group, str):
            raise BadInput(
                f"{role!r} joins a group, which is a name, not {format_value_briefly(group)}",
                fix="for example {'door': 'wall'}",
            )
    chosen = {**JOINS, **joins}
    groups = tuple(dict.fromkeys([*chosen.values(), *(role for role in palette.roles if role not in chosen)]))
    return groups, padded(np.array([groups.index(chosen.get(role, role)) for role in palette.roles], np.uint8))


def find_neighbour_masks(group: Bytes, beyond: int) -> Bytes:
    """The mask of each cell: which cells around it are of its group."""
    width = group.shape[1]
    ringed = np.pad(group, 1, constant_values=beyond)
    mask = np.empty(group.shape, np.uint8)
    for rows in split_rows(group):
        here = group[rows]
        out = np.zeros(here.shape, np.uint8)
        for bit, (x, y) in enumerate(((1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1), (0, 0))):
            same = (ringed[rows.start + y : rows.stop + y, x : x + width] == here).view(np.uint8)
            same <<= bit
            out |= same
        mask[rows] = out
    return as_read_only(mask)


def _corner_masks(member: NDArray[np.bool_]) -> Bytes:
    """The mask of each point between cells: which of the four cells around it belong to the group."""
    mask = member[:-1, 1:] * np.uint8(2)
    mask |= member[1:, 1:] * np.uint8(8)
    mask |= member[1:, :-1] * np.uint8(32)
    mask |= member[:-1, :-1] * np.uint8(128)
    return as_read_only(mask)
