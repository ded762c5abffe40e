"""What a search found on one picture: a card for each level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from undercroft.draw.sheet import Bar, Card, png, sheet
from undercroft.draw.styles import picture

if TYPE_CHECKING:
    from undercroft.batch.search import Found, Search

FEW = 12
"""Cards up to which pictures are large."""
HIDDEN = ("title", "legend", "measures", "numbers", "things")
"""What is too small on a card to be seen."""
LARGE, SMALL = 420, 220
"""Pixels of the longer side of a level."""


def drawn(search: Search) -> bytes:
    """The contact sheet as a PNG. The levels are made again, one at a time."""
    found = search.kept
    side = LARGE if len(found) <= FEW else SMALL
    cell = max(1, min(24, side // max(search.size)))
    cards = [
        Card(
            picture(one.level, cell=cell, hide=HIDDEN, margin=0.6), f"seed {one.seed}", ", ".join(f"{name} {value}" for name, value in one.params.items()), bars
        )
        for one, bars in zip(found, _bars(found), strict=True)
    ]
    width, height = search.size
    title = f"{search.recipe.name} {width}x{height}"
    asked = ", ".join(requirement.text for requirement in search.wanted)
    return png(sheet(cards, title, asked, f"{len(found)} of {search.tried:,} levels looked at"))


def _bars(found: list[Found]) -> list[tuple[Bar, ...]]:
    """Each measure against the range that all have; of one that does not exist there is nothing to show."""
    names = found[0].measures
    ranges = {}
    for name in names:
        known = [value for one in found if (value := one.measures[name]) is not None]
        ranges[name] = min(known, default=0), max(known, default=0)

    def bar(name: str, one: Found) -> Bar:
        value, (low, high) = one.measures[name], ranges[name]
        return Bar(name, "none" if value is None else f"{value:g}", (value - low) / (high - low) if value is not None and high > low else 0.0)

    return [tuple(bar(name, one) for name in names) for one in found]
