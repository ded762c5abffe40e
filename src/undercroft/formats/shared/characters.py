"""Texts of a level as bytes of a file."""

from __future__ import annotations

from undercroft.errors import BadInput


def encode_utf8(text: str) -> bytes:
    """The text in UTF-8, or an error if it holds half a character.

    >>> encode_utf8("Él")
    b'\\xc3\\x89l'
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(
            f"the level holds the text {error.object[error.start : error.end]!a}, which is half a character",
            fix="correct that text",
        ) from None
