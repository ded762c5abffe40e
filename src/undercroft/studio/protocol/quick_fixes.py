"""Quick fixes: edits of one line that an editor can apply."""

from __future__ import annotations

import re
from typing import Any

from undercroft.errors import UndercroftError

_UNKNOWN, _MEANT = re.compile(r"unknown .*?'([^']+)'"), re.compile(r"did you mean '([^']+)'\?")
_WRONG, _EXAMPLE = re.compile(r", not (\S.*)"), re.compile(r"for example \w+=(\S.*)")


def find_quick_fix(error: UndercroftError) -> dict[str, Any] | None:
    """The edit that fixes an error, if the error names the wrong text and the right one, and the wrong one is at its
    place.

    >>> from undercroft.errors import Place, unknown_name_error
    >>> place = Place("cave.toml", 2, 7, 'use = "nois"')
    >>> find_quick_fix(unknown_name_error("step", "nois", ["noise", "maze"], place=place))
    {'line': 2, 'column': 8, 'length': 4, 'text': 'noise', 'label': 'write noise'}
    """
    place, words = error.place, error.instead or _find_words(error)
    if place is None or words is None:
        return None
    wrong, right = words
    at = place.text.find(wrong, place.column - 1)
    return (
        {"line": place.line, "column": at + 1, "length": len(wrong), "text": right, "label": f"write {right}"}
        if wrong and at >= 0
        else None
    )


def _find_words(error: UndercroftError) -> tuple[str, str] | None:
    """The wrong text and the right one, from an error that holds them in its message only."""
    for problem, fix in ((_UNKNOWN, _MEANT), (_WRONG, _EXAMPLE)):
        wrong, right = problem.search(error.problem), fix.fullmatch(error.fix)
        if wrong and right:
            return wrong[1], right[1]
    return None
