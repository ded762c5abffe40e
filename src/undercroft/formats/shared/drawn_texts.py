"""The texts of a level that pictures are lettered with."""

from __future__ import annotations

from undercroft.core.level import Level
from undercroft.core.thing_data import list_contents

MAX_TEXTS = 5000
"""The maximum number of texts that are looked at."""


def list_drawn_texts(level: Level) -> list[str]:
    """The title, the names of rooms, and what is told of things.

    >>> list_drawn_texts(Level.parse("#.#").replace(title="Ναός"))
    ['Ναός']
    """
    texts = dict.fromkeys([level.title, *(room.name for room in level.rooms)])
    for thing in level.things[:MAX_TEXTS]:
        told = (thing.data.get(name) for name in ("text", "about", "opens", "key"))
        texts |= dict.fromkeys(
            [thing.kind, *(text for text in told if isinstance(text, str)), *list_contents(thing.data)]
        )
    return [text for text in texts if text][:MAX_TEXTS]
