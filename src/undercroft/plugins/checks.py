"""Checks of foreign parts, and guards around their functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from undercroft.plugins.provider import Provider, build_failure, is_foreign_failure

Result = TypeVar("Result")


def require_type(part: object, kind: type, what: str) -> None:
    """Raise `TypeError` if a part is not of its type."""
    if not isinstance(part, kind):
        raise TypeError(f"{what} is a {kind.__name__}, not {type(part).__name__}")


def require_text(value: object, what: str) -> None:
    """Raise `TypeError` if a value is no text on one line."""
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise TypeError(f"{what} is a text on one line, not {value!r}")


def require_words(value: object, what: str, known: Collection[str] | None = None) -> None:
    """Raise `TypeError` if a value is no tuple of texts, or holds others than the known ones."""
    if not isinstance(value, tuple) or not all(isinstance(word, str) and word for word in value):
        raise TypeError(f"{what} is a tuple of texts, not {value!r}")
    for word in value:
        if known is not None and word not in known:
            raise TypeError(f"{what} has only {', '.join(known)}, not {word!r}")


def require_callable(value: object, what: str) -> None:
    """Raise `TypeError` if a value cannot be called."""
    if not callable(value):
        raise TypeError(f"{what} is a function, not {value!r}")


def guard(
    function: Callable[..., Any], what: str, provider: Provider, check: Callable[[Any], Result]
) -> Callable[..., Result]:
    """The function of a foreign part, whose exceptions become `PluginTrouble`. `check` gets what it returns, and raises
    `TypeError` if that is not as it should be.
    """

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Result:
        try:
            return check(function(*args, **options))
        except (Exception, SystemExit) as error:
            if is_foreign_failure(error):
                raise build_failure(what, provider, error) from error
            raise

    return call
