"""Layouts for tests."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from undercroft.core.palette import Palette, Tile
from undercroft.templates.layouts.layout import BASE, OVERLAY, Layout
from undercroft.templates.layouts.partition import Axis, Partition
from undercroft.templates.layouts.tile_array import Patch

LETTERS = Palette([Tile(sign, "floor", sign, sign, "#888888", True, False) for sign in "abcdefguWX"], "letters")


def random_layout(chance: random.Random) -> Layout:
    """Ragged shapes with gaps, in up to four parts with random scaling."""
    count = chance.randint(0, 3)
    parts: dict[int, list[tuple[int, int, int]]] = {number: [] for number in (BASE, OVERLAY, *range(count))}
    for x in range(chance.randint(1, 5)):
        for y in range(chance.randint(1, 5)):
            if chance.random() < 0.7:
                parts[chance.choice([*parts])].append((x - 2, y + 3, chance.randrange(len(LETTERS))))
    if not any(parts.values()):
        parts[BASE].append((0, 0, 0))

    def axis() -> Axis:
        direction: Any = chance.choice([-1, 0, 1])
        return Axis(
            chance.random() < 0.2,
            chance.choice(["amount", "multiples"]),
            2 * chance.randint(1, 2) - (direction != 0) * chance.randint(0, 1),
            direction,
        )

    made = []
    for number in range(count):
        across, down = axis(), axis()
        made.append(
            Partition(Patch.of(parts[number]), across, down, chance.random() < 0.5 and across.locked == down.locked)
        )
    return Layout("any", (), Patch.of(parts[BASE]), tuple(made), Patch.of(parts[OVERLAY]), palette=LETTERS)


def outside_names(folder: Path) -> list[str]:
    """Names that lead out of the folder that the fixture `layout_folder` makes."""
    return [str(folder.parent / "secret.layout"), "../secret.layout", "rooms/../../secret.layout", "link.layout"]
