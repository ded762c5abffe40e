"""Messages over the socket: answers as JSON, or as bytes if they hold arrays.

A binary message is the length of its head (four bytes, little endian), the head as JSON, blanks up to a multiple of
eight, and then the parts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from undercroft.errors import Place, TooBig, UndercroftError
from undercroft.studio.protocol.project import FileChanged
from undercroft.studio.protocol.quick_fixes import find_quick_fix

MessagePart = bytes | NDArray[Any]

_ARRAY_TYPES = {"|u1": "u8", "<u2": "u16", "<i4": "i32", "<u4": "u32", "<f8": "f64"}


def encode_json(answer: Mapping[str, Any]) -> str:
    """Encode an answer without arrays."""
    return msgspec.json.encode(answer).decode()


def pack_message(answer: Mapping[str, Any], parts: Mapping[str, MessagePart]) -> bytes:
    """Encode an answer with arrays, each aligned to eight bytes, so that a page can use them in place. A part of bytes
    is a picture.

    >>> message = pack_message({"id": 1}, {"tiles": np.array([[1, 2]], np.uint8)})
    >>> message[4:]
    b'{"id":1,"parts":{"tiles":{"at":0,"bytes":2,"type":"u8"}}}   \\x01\\x02'
    """
    table, data, at = {}, [], 0
    for name, part in parts.items():
        kind = "png" if isinstance(part, bytes) else _ARRAY_TYPES[part.dtype.str]
        raw = part if isinstance(part, bytes) else part.tobytes()
        table[name] = {"at": at, "bytes": len(raw), "type": kind}
        data += [raw, b"\0" * (-len(raw) % 8)]
        at += len(data[-2]) + len(data[-1])
    head = msgspec.json.encode({**answer, "parts": table})
    return b"".join([len(head).to_bytes(4, "little"), head, b" " * (-(len(head) + 4) % 8), *data[:-1]])


def unpack_message(message: bytes) -> tuple[dict[str, Any], dict[str, NDArray[Any] | bytes]]:
    """Decode an answer and its parts.

    >>> unpack_message(pack_message({"id": 1}, {"cells": np.array([7], np.int32)}))[1]
    {'cells': array([7], dtype=int32)}
    """
    length = int.from_bytes(message[:4], "little")
    head = msgspec.json.decode(message[4 : 4 + length])
    start = -(-(4 + length) // 8) * 8
    kinds = {name: kind for kind, name in _ARRAY_TYPES.items()}
    parts: dict[str, NDArray[Any] | bytes] = {}
    for name, part in head["parts"].items():
        raw = message[start + part["at"] : start + part["at"] + part["bytes"]]
        parts[name] = raw if part["type"] == "png" else np.frombuffer(raw, kinds[part["type"]])
    return head, parts


def build_problem(error: UndercroftError) -> dict[str, Any]:
    """An error as the page shows it: the problem, the fix, the place, and the edit that would fix it, if one is known;
    and the digests of files that were changed elsewhere.
    """
    fix = "ask for less" if isinstance(error, TooBig) and "--" in error.fix else error.fix  # a page has no command line
    found = {"problem": error.problem, "fix": fix, "place": _build_place(error.place), "change": find_quick_fix(error)}
    return {**found, "changed": error.changed} if isinstance(error, FileChanged) and error.changed else found


def _build_place(place: Place | None) -> dict[str, Any] | None:
    return None if place is None else {"file": place.file, "line": place.line, "column": place.column}
