"""Messages through a pipe: packed plain data, prefixed with its length. Never code, never pickles."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

_LENGTH_BYTES = 8
CANCEL = "cancel"
"""Sent to a worker before the number of a task, to cancel that task."""


class Pipe(Protocol):
    """An unbuffered end of a pipe: it may read or write fewer bytes than requested."""

    def read(self, size: int, /) -> bytes | None: ...

    def write(self, data: memoryview, /) -> int | None: ...


def pack_message(message: Any) -> bytes:
    """A message as a frame for the pipe."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(_LENGTH_BYTES, "little") + data


def unpack_message(frame: bytes) -> Any:
    """The message in a complete frame.

    >>> unpack_message(pack_message(("seeds", (3, 4))))
    ['seeds', [3, 4]]
    """
    return msgspec.msgpack.decode(frame[_LENGTH_BYTES:])


def write_frame(pipe: Pipe, frame: bytes) -> None:
    """Write all of a frame."""
    rest = memoryview(frame)
    while rest:
        rest = rest[pipe.write(rest) or 0 :]


def read_message(pipe: Pipe) -> Any:
    """The next message, or None if the other end is closed, even in the middle of a message."""
    length = _read_exactly(pipe, _LENGTH_BYTES)
    data = length and _read_exactly(pipe, int.from_bytes(length, "little"))
    return msgspec.msgpack.decode(data) if data else None


def _read_exactly(pipe: Pipe, size: int) -> bytes | None:
    parts = []
    while size:
        part = pipe.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
