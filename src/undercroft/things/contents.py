"""Draw the items in things: each item first by rarity, then evenly."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.core.rng import Rng
from undercroft.kernels import buffer, carve
from undercroft.things.thing_set import ITEM_RARITIES, ITEM_WEIGHTS, Item


def pick_contents(items: Sequence[Item], count: tuple[int, int], number: int, rng: Rng) -> list[str]:
    """The contents of `number` things that may hold these items: one line each, empty if a thing holds nothing.

    >>> pick_contents([Item("rope"), Item("torch")], (1, 3), 2, Rng.root(7))
    ['torch', 'rope, torch x2']
    """
    classes = [[item.name for item in items if item.rarity == rarity] for rarity in ITEM_RARITIES]
    present = [place for place, names in enumerate(classes) if names]
    least, most = count
    draws = np.empty((number, 1 + 2 * most), np.uint32)
    carve.fill_draws(rng.state, 0, buffer(draws.reshape(-1)))
    if not present:
        return [""] * number
    numbers = least + _scaled(draws[:, 0], most - least + 1)
    weights = np.cumsum([ITEM_WEIGHTS[place] for place in present])
    drawn = np.searchsorted(weights, _scaled(draws[:, 1::2], int(weights[-1])), side="right")
    lengths = np.array([len(classes[place]) for place in present])
    places = draws[:, 2::2].astype(np.uint64) * lengths[drawn].astype(np.uint64) >> np.uint64(32)
    names = [classes[place] for place in present]
    return [
        _format_items([names[rarity][place] for rarity, place in zip(row[:held], at[:held], strict=True)])
        for row, at, held in zip(drawn.tolist(), places.tolist(), numbers.tolist(), strict=True)
    ]


def _scaled(draws: NDArray[np.uint32], bound: int) -> NDArray[np.int64]:
    """Scale 32-bit draws to numbers below a bound, by their upper bits."""
    return (draws.astype(np.uint64) * np.uint64(bound) >> np.uint64(32)).astype(np.int64)


def _format_items(names: list[str]) -> str:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return ", ".join([name if number == 1 else f"{name} x{number}" for name, number in counts.items()])
