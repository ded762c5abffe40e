"""One studio a project: a file in its folder that says which process it is. The system frees it if that dies, however it dies."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from undercroft.errors import BadInput, FileTrouble

NAME = ".undercroft-studio.lock"


class Lock:
    """Held while the studio runs."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._handle = -1

    def __enter__(self) -> Lock:
        try:
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        except OSError as error:
            raise FileTrouble(
                f"cannot write {self._path}: {(error.strerror or str(error)).lower()}", fix="name a folder that is yours: --project DIR"
            ) from error
        if not _locked(self._handle):
            holder = os.read(self._handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._handle)
            self._handle = -1
            raise BadInput(f"a studio has this folder already: process {holder}", fix="use that one, or end it; or name another folder: --project DIR")
        os.truncate(self._handle, 0)
        os.write(self._handle, f"{os.getpid()}\n".encode())
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._path.unlink(missing_ok=True)
        os.close(self._handle)


def _locked(handle: int) -> bool:
    """Take the lock; False if somebody else has it."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - another system
        import msvcrt

        try:
            os.lseek(handle, 1 << 20, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        os.lseek(handle, 0, os.SEEK_SET)
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
