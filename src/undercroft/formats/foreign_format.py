"""Checks of formats that other packages give: what the rows of our table are."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Mapping
from typing import Any

from undercroft.core.level import Level
from undercroft.limits import Limit
from undercroft.plugins.checks import guard, require_callable, require_text, require_type, require_words
from undercroft.plugins.provider import Provider

_SUFFIX = re.compile(r"(\.[a-z0-9_+-]+){1,2}")
_RESULTS: Mapping[str, type] = {"dump": bytes, "load": Level, "beside": dict, "origin": Mapping}
"""What each function returns."""
_WORDS = ("options", "read_options", "beside_options", "keys", "roles")


def check_format(
    kind: type, parts: Collection[str], own: Mapping[str, Any], part: Any, name: str, provider: Provider
) -> Any:
    """The row of a format (of the type `kind`) whose functions are guarded. `parts` are those of a level, `own` our own
    formats.
    """
    require_type(part, kind, "a format")
    require_text(part.about, f"about of {name}")
    require_words(part.suffixes, f"suffixes of {name}")
    require_words(part.keeps, f"keeps of {name}", parts)
    for words in _WORDS:
        require_words(getattr(part, words), f"{words} of {name}")
    require_type(part.limit, Limit, f"limit of {name}")
    if part.dump is None and part.load is None:
        raise TypeError(f"{name} has neither dump nor load")
    for suffix in part.suffixes:
        if not _SUFFIX.fullmatch(suffix):
            raise TypeError(f"a suffix is written like .map, not {suffix!r}")
        if owner := next((row.name for row in own.values() if suffix in row.suffixes), ""):
            raise TypeError(f"it takes the suffix {suffix}, which is that of our format {owner!r}")
    if not part.suffixes and not own.get(name.partition(":")[0], part).suffixes:
        raise TypeError(f"{name} has no suffix, and is no variant of a format that has one")
    functions = {word: getattr(part, word) for word in _RESULTS if getattr(part, word) is not None}
    for word, function in functions.items():
        require_callable(function, f"{word} of {name}")
    guarded = {
        word: guard(function, f"the format {name!r}", provider, functools.partial(_check_result, word))
        for word, function in functions.items()
    }
    # a batch records which version of which package wrote its files
    writer = provider.package if part.writer == "undercroft" and provider.package else part.writer
    return part._replace(**guarded, writer=writer)


def _check_result(word: str, value: Any) -> Any:
    if not isinstance(value, _RESULTS[word]):
        raise TypeError(f"{word} returns {type(value).__name__}, not {_RESULTS[word].__name__}")
    return value
