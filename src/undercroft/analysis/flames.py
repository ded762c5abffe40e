"""Which things burn, and how far their light reaches: one table for what pictures paint and what tabletops light."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from undercroft.core.region import Thing

FIRE, CANDLE, LAMP = "ffb45e", "ffd9a0", "ffe2b0"
"""Colours as rrggbb."""
LIT = "lit"
"""The key in a thing's data that says whether it burns: true or false."""
GONE_OUT = re.compile(
    r"\b(?:burn(?:t|ed)[ -](?:out|down)|(?:gone|went|put|is|are) out|unlit|extinguished|snuffed|cold|ash(?:es)?|embers)"
    r"\b",
    re.IGNORECASE,
)
"""Words in the text about a thing that say that it does not burn."""


class Flame(NamedTuple):
    """The light of a flame: the radius of bright light in cells, and its colour. As much again is dim."""

    bright: float
    colour: str = FIRE


WALL_TORCH, WALL_CANDLES = Flame(4), Flame(2, CANDLE)
"""The torches and candles that the style `pixels` adds to rooms."""
FLAMES: Mapping[str, Flame] = {
    **dict.fromkeys(("torch", "torches"), WALL_TORCH),
    "brazier": Flame(6),
    **dict.fromkeys(("campfire", "fire", "hearth", "fireplace"), Flame(5)),
    "bonfire": Flame(8),
    "forge": Flame(4),
    "stove": Flame(2),
    "lamp": Flame(4, LAMP),
    "lantern": Flame(6, LAMP),
    "chandelier": Flame(8, LAMP),
    **dict.fromkeys(("candle", "candles", "altar"), Flame(2, CANDLE)),
    "candelabrum": Flame(3, CANDLE),
    "alembic": Flame(1),
}
"""The kinds of things that burn."""


def find_flame(thing: Thing) -> Flame | None:
    """The flame of a thing; None if it is none that burns, or has gone out.

    >>> find_flame(Thing("torch", 1, 1))
    Flame(bright=4, colour='ffb45e')
    >>> find_flame(Thing("torch", 1, 1, {"about": "burnt out in its ring"})), find_flame(Thing("rat", 1, 1))
    (None, None)
    """
    return None if has_gone_out(thing) else FLAMES.get(thing.kind)


def has_gone_out(thing: Thing) -> bool:
    """Whether the thing is one that burns, and does not. Its data says so with `lit`, else the text about it does.

    >>> has_gone_out(Thing("brazier", 1, 1, {"lit": False}))
    True
    >>> has_gone_out(Thing("torch", 1, 1, {"about": "burnt out", "lit": True})), has_gone_out(Thing("bed", 1, 1))
    (False, False)
    """
    if thing.kind not in FLAMES:
        return False
    lit, about = thing.data.get(LIT), thing.data.get("about")
    return not lit if isinstance(lit, bool) else isinstance(about, str) and bool(GONE_OUT.search(about))
