"""Draw the items in things: each item first by rarity, then evenly."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft.core.frozen import ReadOnlyDict
from undercroft.core.rng import Rng
from undercroft.core.thing_data import format_contents
from undercroft.kernels import buffer, carve
from undercroft.things.thing_set import ITEM_RARITIES, ITEM_WEIGHTS, Item


class Contents(NamedTuple):
    """What a thing holds, as its data says it."""

    items: tuple[ReadOnlyDict, ...]
    """A table with `item` and `count` for each item."""
    sentence: str
    """The same in words, as `core.thing_data.format_contents` has it."""


NOTHING = Contents((), "")


def pick_contents(items: Sequence[Item], count: tuple[int, int], number: int, rng: Rng) -> list[Contents]:
    """The contents of `number` things that may hold these items; empty if a thing holds nothing.

    >>> for held in pick_contents([Item("rope"), Item("torch")], (1, 3), 2, Rng.root(7)):
    ...     print(*held)
    ({'item': 'torch', 'count': 1},) torch
    ({'item': 'rope', 'count': 1}, {'item': 'torch', 'count': 2}) rope, torch x2
    """
    classes = [[item.name for item in items if item.rarity == rarity] for rarity in ITEM_RARITIES]
    present = [place for place, names in enumerate(classes) if names]
    least, most = count
    draws = np.empty((number, 1 + 2 * most), np.uint32)
    carve.fill_draws(rng.state, 0, buffer(draws.reshape(-1)))
    if not present:
        return [NOTHING] * number
    numbers = least + _scaled(draws[:, 0], most - least + 1)
    weights = np.cumsum([ITEM_WEIGHTS[place] for place in present])
    drawn = np.searchsorted(weights, _scaled(draws[:, 1::2], int(weights[-1])), side="right")
    lengths = np.array([len(classes[place]) for place in present])
    places = draws[:, 2::2].astype(np.uint64) * lengths[drawn].astype(np.uint64) >> np.uint64(32)
    names = [classes[place] for place in present]
    return [
        _count_items([names[rarity][place] for rarity, place in zip(row[:held], at[:held], strict=True)])
        for row, at, held in zip(drawn.tolist(), places.tolist(), numbers.tolist(), strict=True)
    ]


def _scaled(draws: NDArray[np.uint32], bound: int) -> NDArray[np.int64]:
    """Scale 32-bit draws to numbers below a bound, by their upper bits."""
    return (draws.astype(np.uint64) * np.uint64(bound) >> np.uint64(32)).astype(np.int64)


def _count_items(names: list[str]) -> Contents:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    pairs = [_build_entry(*pair) for pair in counts.items()]
    return Contents(tuple([entry for entry, _ in pairs]), ", ".join([text for _, text in pairs]))


@functools.lru_cache(maxsize=4096)
def _build_entry(name: str, count: int) -> tuple[ReadOnlyDict, str]:
    """The table for some of an item, and its words. Things share it, since it cannot change."""
    entry = ReadOnlyDict(item=name, count=count)
    return entry, format_contents([entry])
