"""Escape texts for TMX and TSX files."""

from __future__ import annotations

import re

from undercroft.errors import BadInput

INVALID_SIGN_PATTERN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
XML_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
SPECIAL_SIGN_PATTERN = re.compile(f"[{''.join(XML_ENTITIES)}]")
PLAIN_TEXT_PATTERN = re.compile(r"[\w .,:;!?'()/+-]*")


def quote_attribute(said: str) -> str:
    """A text escaped for an attribute.

    >>> quote_attribute("the \\"Great\\" Hall & more")
    'the &quot;Great&quot; Hall &amp; more'
    """
    if PLAIN_TEXT_PATTERN.fullmatch(said):
        return said
    if INVALID_SIGN_PATTERN.search(said):
        raise _sign_error(said)
    return SPECIAL_SIGN_PATTERN.sub(lambda sign: XML_ENTITIES[sign[0]], said)


def escape_content(said: str) -> str:
    """A text escaped for element content."""
    if INVALID_SIGN_PATTERN.search(said):
        raise _sign_error(said)
    return said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _sign_error(said: str) -> BadInput:
    found = INVALID_SIGN_PATTERN.search(said)
    assert found
    return BadInput(
        f"the level holds the text {said[:40]!a} with the sign {found[0]!a}, which XML cannot hold",
        fix="correct that text, or save the level as json",
    )
