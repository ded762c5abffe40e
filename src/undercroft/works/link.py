"""Links to works: the canonical text of a work, packed into one word that can be pasted anywhere.

A link is `undercroft:1:` and base64 (RFC 4648, URL-safe, without padding) of the checksum and the packed text: the
CRC-32 of the text in four bytes, the first one highest, and the text as `deflate` packs it. It holds no address: any
studio and any command line makes the same level of it.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Mapping
from typing import Any

from undercroft import limits
from undercroft.errors import BadInput
from undercroft.works.deflate import deflate, inflate
from undercroft.works.level_work import LevelWork, format_work, read_work

LINK_PREFIX = "undercroft:"
LINK_VERSION = "1"
LINK_NAME = "the link"
"""What errors call a work from a link."""
COPY_FIX = "copy the whole link again, from 'undercroft:' to its last letter"
_BLANKS = re.compile(r"\s+")
_BASE64 = re.compile(r"[A-Za-z0-9_-]*")


def write_link(data: Mapping[str, Any]) -> str:
    """The link to a work, from its data. Raises `TooBig` if it would be too long.

    >>> link = write_link({"format": "undercroft-work/1", "recipe": "cave", "seed": "7"})
    >>> link
    'undercroft:1:DP2BZ6tWSssvyk0sUbJSKs1LSS1KLspPK9Etzy_K1jdU0uFSKkpNzixIBcomJ5alggSKU1NTgFxzpVouAA'
    >>> read_link(link).recipe
    'cave'
    """
    text = format_work(data).encode("utf-8", "surrogatepass")
    link = f"{LINK_PREFIX}{LINK_VERSION}:{_encode_base64(zlib.crc32(text).to_bytes(4, 'big') + deflate(text))}"
    limits.LINK_LENGTH.check(len(link), "the length of the link")
    return link


def read_link(link: str) -> LevelWork:
    """The work that a link holds. Blanks and line ends in it, as mail programs add them, do not matter."""
    return read_work(unpack_link(link), LINK_NAME)


def unpack_link(link: str) -> str:
    """The text of the work in a link. Raises `BadInput` if it is not whole."""
    limits.LINK_LENGTH.check(len(link), "the length of the link")
    word = _BLANKS.sub("", link)
    prefix, _, rest = word.partition(":")
    version, _, packed = rest.partition(":")
    if f"{prefix}:" != LINK_PREFIX:
        raise BadInput(f"this is no link to a work: {word[:40]!r}", fix="a link begins with 'undercroft:1:'")
    if version != LINK_VERSION:
        raise BadInput(
            f"the link is of version {version[:20]!r}; this program reads version {LINK_VERSION}",
            fix="open it with the program that made it, or a newer one" if version.isdigit() else COPY_FIX,
        )
    if not _BASE64.fullmatch(packed):
        strange = _BASE64.sub("", packed, count=0)[:1]
        raise BadInput(f"the link holds {strange!r}, which stands in no link", fix=COPY_FIX)
    data = _decode_base64(packed)
    most = limits.WORK_BYTES
    try:
        text = inflate(data[4:], most.value)
    except OverflowError:
        raise BadInput(
            f"the link holds more than {most.value:,} bytes when unpacked, and no work does ({most.reason})",
            fix="ask for the file instead of the link",
        ) from None
    if text is None:
        raise BadInput("the link is cut off or damaged", fix=COPY_FIX)
    if zlib.crc32(text).to_bytes(4, "big") != data[:4]:
        raise BadInput("the link is damaged: its checksum is another", fix=COPY_FIX)
    try:
        return text.decode()
    except UnicodeDecodeError:
        raise BadInput("the link is damaged: it holds no text", fix=COPY_FIX) from None


def _encode_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _decode_base64(packed: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
    except binascii.Error:  # a length that no data has: a letter is missing
        raise BadInput("the link is cut off or damaged", fix=COPY_FIX) from None
