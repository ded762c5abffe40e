"""Build the tokens of a scene in Foundry: one for each monster, hidden from players, without an actor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from undercroft.core.level import Level
from undercroft.core.region import Thing
from undercroft.inputs.json import format_json

MONSTER_GROUP = "monster"
TOKEN_PICTURE = "icons/svg/mystery-man.svg"
"""A picture that comes with Foundry."""
HOSTILE, NAME_FOR_OWNER = -1, 20
"""Its disposition; and its name is shown to its owner, who points at it."""


def format_tokens(level: Level, square: int, floor: str) -> Iterator[str]:
    """The tokens as JSON, in the order of the things. They have no actor, so that they fit every game system; `floor`
    is the scene's level that they stand on, empty for Foundry 13.
    """
    return (
        format_json(_build_token(thing, square) | ({"level": floor} if floor else {}))[1:-1]
        for thing in level.things
        if thing.data.get("group") == MONSTER_GROUP
    )


def _build_token(thing: Thing, square: int) -> dict[str, Any]:
    wide, high = (size if type(size := thing.data.get(side)) is int and size > 0 else 1 for side in ("width", "height"))
    return {
        "name": thing.kind[:1].upper() + thing.kind[1:],
        "displayName": NAME_FOR_OWNER,
        "actorId": None,
        "actorLink": False,
        "delta": None,
        "x": thing.x * square,
        "y": thing.y * square,
        "width": wide,
        "height": high,
        "texture": {"src": TOKEN_PICTURE},
        "hidden": True,
        "disposition": HOSTILE,
        "flags": {},
    }
