"""Format and parse the tags of a room as one text, since Tiled has no lists: `library, lit`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from undercroft.inputs.json import format_json


def format_tags(tags: Sequence[str]) -> str:
    """Tags with commas between; as JSON if that would not read back.

    >>> format_tags(["library", "lit"]), format_tags(["a, b"])
    ('library, lit', '["a, b"]')
    """
    joined = ", ".join(tags)
    return joined if parse_tags(joined) == tuple(tags) else format_json(list(tags))


def parse_tags(said: str) -> tuple[str, ...]:
    """The tags in a text.

    >>> parse_tags("library, lit"), parse_tags('["a, b"]'), parse_tags(" ")
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
