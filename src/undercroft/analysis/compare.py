"""Compare two levels: cell by cell, and by the graph of their regions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from undercroft.analysis.measures.facts import Facts
from undercroft.core.arguments import require_level
from undercroft.core.level import Level
from undercroft.core.palette import ROLES


def compare(a: Level, b: Level) -> dict[str, float]:
    """How much two levels differ, as shares from 0 (not at all) to 1 (in everything).

    `spread` is the share of cells that differ: with the top left corners of both levels aligned, a cell differs if its
    roles differ or only one level has it. `graph` is the share of regions and links without a match in the other level:
    regions match if they have the same kind and number of links, links match if they have the same kind and join
    regions that match.

    >>> compare(Level.parse("#.+.#"), Level.parse("#.+..#"))
    {'spread': 0.333333, 'graph': 0.0}
    """
    require_level("a", a)
    require_level("b", b)
    return {"spread": cell_difference(a, b), "graph": graph_difference(a, b)}


def cell_difference(a: Level, b: Level) -> float:
    """The share of cells that differ."""
    height, width = min(a.height, b.height), min(a.width, b.width)
    numbers = {role: number for number, role in enumerate(dict.fromkeys((*ROLES, *a.palette.roles, *b.palette.roles)))}
    same = np.count_nonzero(_role_grid(a, numbers)[:height, :width] == _role_grid(b, numbers)[:height, :width])
    cells = a.tiles.size + b.tiles.size - width * height
    return round((cells - int(same)) / cells, 6)


def _role_grid(level: Level, numbers: Mapping[str, int]) -> NDArray[np.int32]:
    table = np.zeros(256, np.int32)
    table[: len(level.palette)] = [numbers[role] for role in level.palette.roles]
    found: NDArray[np.int32] = table[level.tiles]
    return found


def graph_difference(a: Level, b: Level) -> float:
    """The share of regions and links without a match."""
    mine, others = _count_sorts(a), _count_sorts(b)
    unlike = (mine - others).total() + (others - mine).total()
    return round(unlike / max(1, mine.total() + others.total()), 6)


def _count_sorts(level: Level) -> Counter[tuple[int, ...]]:
    """The number of regions and links of each sort."""
    facts = Facts(level)
    kinds = facts.level.regions.table["kind"].astype(np.int64)
    ends = facts.links["a"] - 1, facts.links["b"] - 1
    sorts = kinds + 256 * np.bincount(np.concatenate(ends), minlength=len(kinds))
    joined = np.sort([sorts[end] for end in ends], axis=0)
    return Counter(
        [*((sort,) for sort in sorts.tolist()), *zip(facts.links["kind"].tolist(), *joined.tolist(), strict=True)]
    )
