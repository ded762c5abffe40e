"""Messages through a pipe: plain data, packed, with its length before it. Never code, never pickles."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec

_LENGTH = 8
CANCEL = "cancel"
"""Before the number of a task, to a worker: it is not wanted any more."""


class Pipe(Protocol):
    """An end of a pipe without a buffer: it may take or give less than it is asked to."""

    def read(self, size: int, /) -> bytes | None: ...

    def write(self, data: memoryview, /) -> int | None: ...


def packed(message: Any) -> bytes:
    """A message as it goes through the pipe."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(_LENGTH, "little") + data


def unpacked(frame: bytes) -> Any:
    """The message in a whole frame.

    >>> unpacked(packed(("seeds", (3, 4))))
    ['seeds', [3, 4]]
    """
    return msgspec.msgpack.decode(frame[_LENGTH:])


def put(pipe: Pipe, frame: bytes) -> None:
    """Write a frame, all of it."""
    rest = memoryview(frame)
    while rest:
        rest = rest[pipe.write(rest) or 0 :]


def get(pipe: Pipe) -> Any:
    """The next message, or None if the other end is closed, be it in the middle of one."""
    length = _exactly(pipe, _LENGTH)
    data = length and _exactly(pipe, int.from_bytes(length, "little"))
    return msgspec.msgpack.decode(data) if data else None


def _exactly(pipe: Pipe, size: int) -> bytes | None:
    parts = []
    while size:
        part = pipe.read(size)
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)
