"""Decode the JSON that pages send. A text that cannot be decoded is answered with a sentence, under the number of its
request if it has one.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from undercroft.errors import BadInput

RELOAD_FIX = "reload the page"


class UnreadableMessage(Exception):
    """A message that is not valid, with the problem, and the number of the request if it can be found; else 0."""

    def __init__(self, problem: BadInput, number: int = 0) -> None:
        super().__init__(problem.problem)
        self.problem, self.number = problem, number


def decode_json(data: str | bytes) -> Any:
    """The value that a JSON text stands for."""
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        raise _explain(data) from None


def _explain(data: str | bytes) -> UnreadableMessage:
    """Why a text cannot be decoded. Browsers send half of a character as an escape, such as \\ud800: most programs take
    it for JSON, but no file can hold it.
    """
    try:
        found = json.loads(data)
        msgspec.json.encode(found)
    except UnicodeEncodeError:
        number = found.get("id") if isinstance(found, dict) else None
        return UnreadableMessage(
            BadInput("a name or a text holds half of a character", fix="delete that character, and type it again"),
            number if type(number) is int and 0 < number < 1 << 53 else 0,
        )
    except (ValueError, RecursionError):
        pass
    return UnreadableMessage(BadInput("that is no JSON", fix=RELOAD_FIX))
