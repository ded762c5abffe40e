"""Bounded read, atomic write: the only place that opens files for users."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from undercroft.errors import FileTrouble
from undercroft.limits import Limit


def read(path: str | Path, limit: Limit) -> bytes:
    """All bytes of a regular file, or an error that says why not."""
    path = Path(path)
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb") as file:  # a pipe must not keep us waiting
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileTrouble(f"cannot read {path}: it is not a regular file", fix="name a file")
            limit.check(status.st_size, f"{path}: its size in bytes")
            data = file.read(limit.value + 1)
    except OSError as error:
        raise FileTrouble(f"cannot read {path}: {_reason(error)}", fix=_reading_fix(error)) from error
    limit.check(len(data), f"{path}: its size in bytes")
    return data


def text(path: str | Path, limit: Limit) -> str:
    """The file as UTF-8 text."""
    data = read(path, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileTrouble(f"{path}: byte {error.start} is not UTF-8 text", fix="save the file as UTF-8") from error


def write(path: str | Path, data: bytes) -> None:
    """Put `data` in the file, whole or not at all: written beside it, synced, renamed over it."""
    path = Path(path)
    try:
        if path.is_dir():
            raise FileTrouble(f"cannot write {path}: it is a folder", fix="name a file in it")
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device or a pipe cannot be renamed over
            return
        _replace(path.resolve(), data)
    except OSError as error:
        raise FileTrouble(f"cannot write {path}: {_reason(error)}", fix=_writing_fix(error, path)) from error


def _replace(target: Path, data: bytes) -> None:
    beside = target.with_name(f".{target.name[:200]}.{os.getpid()}.part")
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            beside.chmod(mode)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # the file is in its place; some systems cannot sync a folder
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # a folder cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _reading_fix(error: OSError) -> str:
    return "check the name" if isinstance(error, FileNotFoundError) else "check who may read it"


def _writing_fix(error: OSError, path: Path) -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return f"make the folder {path.parent} first"
    return "write to another place; what was there before is untouched"
