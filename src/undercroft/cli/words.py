"""What people type: sizes, settings, ranges of seeds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from undercroft import toml
from undercroft.errors import BadInput


def size(text: str) -> tuple[int, int]:
    """`80x50` as (80, 50).

    >>> size("80x50")
    (80, 50)
    """
    match = re.fullmatch(r"\s*(-?\d{1,9})\s*[xX×*,]\s*(-?\d{1,9})\s*", text)
    if not match:
        raise BadInput(f"a size is WIDTHxHEIGHT, not {text!r}", fix="for example --size 80x50")
    return int(match[1]), int(match[2])


def settings(texts: Iterable[str]) -> dict[str, Any]:
    """`NAME=VALUE` pairs; a value is written as in TOML, and a bare word is a text."""
    given: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        name = name.strip()
        if not sign or not name or not value.strip():
            raise BadInput(f"a setting is NAME=VALUE, not {text!r}", fix="for example --set fill_prob=0.4")
        if name in given:
            raise BadInput(f"{name} is set twice", fix="give it once")
        given[name] = toml.value(value, f"--set {name}")
    return given
