"""Convert the rows that the kernel wrote to things."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.core.region import Thing
from undercroft.core.rng import Rng
from undercroft.core.thing_data import ThingData
from undercroft.things.contents import Contents, pick_contents
from undercroft.things.thing_set import ThingSet, ThingType

FACINGS = "NESW"
Data = dict[str, Any]


def build_things(things: ThingSet, rows: NDArray[np.int32], rng: Rng) -> list[Thing | None]:
    """A thing for each row, with its contents; None where the row has no type."""
    types = list(things.types.values())
    held = _contents_by_row(things, rows[:, 0], rng)
    said = [_shared_data(kind) for kind in types]
    found: list[Thing | None] = []
    for row, (number, x, y, wide, high, facing, label, blocks) in enumerate(rows.tolist()):
        if number < 0:
            found.append(None)
            continue
        data: Data = {**said[number], "room": label, "facing": FACINGS[facing], "blocks": blocks == 1}
        if wide > 1 or high > 1:
            data["width"], data["height"] = wide, high
        if row in held:
            data["contents"], data["holds"] = held[row]
        found.append(Thing(types[number].name, x, y, ThingData.of_checked(data)))
    return found


def _shared_data(kind: ThingType) -> Data:
    """The data that all things of a type share."""
    said: Data = {"group": kind.group}
    if kind.about:
        said["about"] = kind.about
    if kind.group == "monster":
        said["danger"] = kind.danger
    return said


def _contents_by_row(things: ThingSet, numbers: NDArray[np.int32], rng: Rng) -> dict[int, Contents]:
    """The contents of things, by row, for those that hold something."""
    held: dict[int, Contents] = {}
    for number, kind in enumerate(things.types.values()):
        rows = np.flatnonzero(numbers == number) if kind.holds else numbers[:0]
        if len(rows):
            drawn = pick_contents(things.items_of(kind), kind.held, len(rows), rng)
            held.update((row, contents) for row, contents in zip(rows.tolist(), drawn, strict=True) if contents.items)
    return held
