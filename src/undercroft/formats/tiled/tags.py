"""The tags of a room as one text, since Tiled knows no lists: `library, lit`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from undercroft.formats.native.native import text


def written(tags: Sequence[str]) -> str:
    """Tags with commas between; as JSON if that would not read back.

    >>> written(["library", "lit"]), written(["a, b"])
    ('library, lit', '["a, b"]')
    """
    joined = ", ".join(tags)
    return joined if read(joined) == tuple(tags) else text(list(tags))


def read(said: str) -> tuple[str, ...]:
    """The tags that a text tells.

    >>> read("library, lit"), read('["a, b"]'), read(" ")
    (('library', 'lit'), ('a, b',), ())
    """
    if said.startswith("["):
        try:
            listed = json.loads(said)
        except (ValueError, RecursionError):
            listed = None
        if isinstance(listed, list) and all(isinstance(tag, str) for tag in listed):
            return tuple(listed)
    return tuple(tag.strip() for tag in said.split(",") if tag.strip())
