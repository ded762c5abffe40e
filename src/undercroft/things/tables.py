"""Convert a set of things to arrays for the kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.things.thing_set import GROUPS, PLACES, RARITIES, RoomKind, ThingSet, ThingType

NO_LIMIT = (1 << 31) - 1
Table = NDArray[np.int32]


class ThingTables(NamedTuple):
    """The arrays of a set; `kernels/furnish.py` documents the columns. Types and kinds have the order of the set, and
    kind 0 is for rooms without a kind.
    """

    names: tuple[str, ...]
    numbers: dict[str, int]
    """The numbers of types by name."""
    types: Table
    entries: Table
    always: Table
    kinds: Table


def build_tables(things: ThingSet) -> ThingTables:
    """The arrays of a set.

    >>> from undercroft.things.read_things import parse_things
    >>> made = build_tables(parse_things('[thing.rat]\\ngroup = "monster"\\n[any]\\nthings = { rat = 3 }', "rats.toml"))
    >>> made.entries.tolist(), made.kinds.tolist()
    ([[0, 3]], [[0, 1, 0, 0]])
    """
    numbers = {name: number for number, name in enumerate(things.types)}
    kinds: list[RoomKind] = [things.any, *things.kinds.values()]
    entries = [(numbers[name], weight) for kind in kinds for name, weight in kind.things.items()]
    always = [numbers[name] for kind in kinds for name in kind.always]
    ends = np.cumsum([(len(kind.things), len(kind.always)) for kind in kinds], axis=0)
    bounds = np.stack(
        [
            ends[:, 0] - [len(kind.things) for kind in kinds],
            ends[:, 0],
            ends[:, 1] - [len(kind.always) for kind in kinds],
            ends[:, 1],
        ],
        axis=1,
    )
    return ThingTables(
        tuple(numbers),
        numbers,
        np.array([_build_type_row(kind, numbers) for kind in things.types.values()], np.int32),
        np.array(entries, np.int32).reshape(-1, 2),
        np.array(always, np.int32),
        np.ascontiguousarray(bounds, np.int32),
    )


def _build_type_row(kind: ThingType, numbers: dict[str, int]) -> tuple[int, ...]:
    return (
        GROUPS.index(kind.group),
        PLACES.index(kind.place),
        numbers[kind.near] if kind.near else -1,
        *kind.size,
        kind.blocks,
        RARITIES.index(kind.rarity),
        kind.most,
        kind.total or NO_LIMIT,
        kind.from_start,
        kind.danger,
    )
