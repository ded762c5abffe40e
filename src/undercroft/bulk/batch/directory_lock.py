"""A lock on a folder: a file that the system keeps locked as long as the process lives, however it ends."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from undercroft.errors import BadInput, FileTrouble


@contextlib.contextmanager
def hold_lock(path: Path, problem: str, fix: str = "wait until it is done, or take another folder") -> Iterator[None]:
    """Hold the lock; `problem` is the error if another process holds it. The file is removed at the end."""
    handle = _open_locked(path, problem, fix)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # while it is still locked: no process can lock a removed file
            path.unlink()
        os.close(handle)


def _open_locked(path: Path, problem: str, fix: str) -> int:
    try:
        while True:
            # following a link would empty a file elsewhere
            handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
            try:
                if not _try_lock(handle):
                    process_id = os.read(handle, 32).decode("ascii", "replace").strip()
                    raise BadInput(f"{problem}{f' (process {process_id})' if process_id else ''}", fix=fix)
                if _is_same_file(handle, path):  # else it was removed in the meantime, and another may be in its place
                    os.ftruncate(handle, 0)
                    os.write(handle, f"{os.getpid()}\n".encode())
                    return handle
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise FileTrouble(
            f"cannot write to {path.parent}: {reason}", fix="write to another place; what was there before is untouched"
        ) from error


def _is_same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _try_lock(handle: int) -> bool:
    """Try to lock the file. Return whether no other process holds the lock."""
    try:
        import fcntl
    except ImportError:  # pragma: no cover - Windows
        return _try_lock_windows(handle)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _try_lock_windows(handle: int) -> bool:  # pragma: no cover - Windows
    import msvcrt

    os.lseek(handle, 1 << 20, os.SEEK_SET)  # beyond the process number in the file, which others may read
    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    except OSError:
        return False
    finally:
        os.lseek(handle, 0, os.SEEK_SET)
    return True
