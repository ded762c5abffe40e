"""Code page 437 with all 256 signs, including those below 32, as old screens showed them."""

from __future__ import annotations

_CONTROL_SIGNS = " ☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼"

SIGNS = _CONTROL_SIGNS + bytes(range(32, 127)).decode("ascii") + "⌂" + bytes(range(128, 256)).decode("cp437")
"""The sign of each code."""
CODES = {sign: code for code, sign in reversed([*enumerate(SIGNS)])} | {" ": 32}
"""The code of each sign."""


def encode_sign(*signs: str) -> int:
    """The code of the first sign that has one; that of a question mark if none has.

    >>> encode_sign("█"), encode_sign("·"), encode_sign("漢", "#"), encode_sign("漢")
    (219, 250, 35, 63)
    """
    return next((CODES[sign] for sign in signs if sign in CODES), CODES["?"])
