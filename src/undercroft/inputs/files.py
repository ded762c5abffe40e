"""Bounded read, safe join, atomic write: the only module that opens files that users name."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePath

from undercroft.errors import FileTrouble
from undercroft.limits import FOLDER_DEPTH, FOLDER_ENTRIES, Limit

SHIPPED_FOLDER = Path(__file__).parents[1] / "shipped"
"""The files that come with the program: recipes, and the layouts, room types, things, words and grammars that they
name.
"""


def read_bytes(path: str | Path, limit: Limit) -> bytes:
    """All bytes of a regular file; raises an error with the reason if it cannot be read."""
    path = Path(path)
    try:
        with os.fdopen(
            os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)), "rb"
        ) as file:  # do not block on a pipe
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FileTrouble(f"cannot read {path}: it is not a regular file", fix="name a file")
            limit.check(status.st_size, f"{path}: its size in bytes")
            data = file.read(limit.value + 1)
    except OSError as error:
        raise FileTrouble(f"cannot read {path}: {_describe_os_error(error)}", fix=_reading_fix(error)) from error
    limit.check(len(data), f"{path}: its size in bytes")
    return data


def read_text(path: str | Path, limit: Limit) -> str:
    """The file as UTF-8 text."""
    data = read_bytes(path, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileTrouble(f"{path}: byte {error.start} is not UTF-8 text", fix="save the file as UTF-8") from error


def safe_join(folder: str | Path, name: str) -> Path:
    """The path of a file that a text names, in a folder or below it. Refuses names that lead out of the folder, also
    through a link.

    >>> safe_join("crypt", "rules/../walls.rules").as_posix()
    'crypt/walls.rules'
    """
    parts: list[str] = []
    for step in PurePath(name).parts:
        if step == ".." and parts:
            parts.pop()
        elif step == ".." or PurePath(step).anchor or "\0" in step:
            raise FileTrouble(
                f"{name[:60]!r} lies outside the folder",
                fix="put the file beside the one that names it, or in a folder there",
            )
        else:
            parts.append(step)
    if not parts:
        raise FileTrouble(f"{name[:60]!r} names no file", fix="name a file in the folder")
    path = Path(folder, *parts)
    try:
        inside = path.resolve().is_relative_to(Path(folder).resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle, or a name that the system does not accept
        inside = False
    if not inside:
        raise FileTrouble(
            f"{name[:60]!r} lies outside the folder: a link leads there",
            fix="put the file itself beside the one that names it",
        )
    return path


def list_files(folder: str | Path, suffix: str, *, deep: bool = False) -> list[str]:
    """The files of a folder with this suffix, sorted by name; if `deep`, those of the folders in it too. Links to
    folders are not followed.
    """
    found: list[str] = []
    waiting = [(Path(folder), "", 0)]
    while waiting:
        here, above, depth = waiting.pop()
        try:
            entries = list(islice(here.iterdir(), FOLDER_ENTRIES.value + 1))
        except OSError as error:
            raise FileTrouble(f"cannot read {here}: {_describe_os_error(error)}", fix="name a folder") from error
        FOLDER_ENTRIES.check(len(entries), f"{here}: its number of entries")
        for entry in entries:
            if not entry.is_dir():
                found += [above + entry.name] if entry.suffix == suffix else []
            elif deep and not entry.is_symlink():
                FOLDER_DEPTH.check(depth + 1, f"{entry}: its depth")
                waiting.append((entry, f"{above}{entry.name}/", depth + 1))
    return sorted(found)


def check_target(path: str | Path) -> None:
    """Refuse a file that could not be written, before its contents are computed for hours."""
    path = Path(path)
    if not path.absolute().parent.is_dir():
        raise FileTrouble(f"cannot write {path}: no such folder", fix=f"make the folder {path.parent} first")
    try:
        if path.is_dir():
            raise FileTrouble(f"cannot write {path}: it is a folder", fix="name a file in it")
        if not path.exists() or path.is_file():
            beside = _temporary_path(path.resolve())
            beside.open("wb").close()
            beside.unlink()
    except OSError as error:
        raise FileTrouble(f"cannot write {path}: {_describe_os_error(error)}", fix=_writing_fix(error, path)) from error


def write_file(path: str | Path, data: bytes | Iterable[bytes]) -> None:
    """Write `data`, or its pieces as they come, to the file, whole or not at all: to a temporary file beside it, which
    is synced and renamed.
    """
    path = Path(path)
    try:
        if path.is_dir():
            raise FileTrouble(f"cannot write {path}: it is a folder", fix="name a file in it")
        if path.exists() and not path.is_file():
            with path.open("wb") as file:  # a device or a pipe cannot be renamed over
                file.writelines(_as_pieces(data))
            return
        _replace_file(path.resolve(), _as_pieces(data))
    except OSError as error:
        raise FileTrouble(f"cannot write {path}: {_describe_os_error(error)}", fix=_writing_fix(error, path)) from error


def write_folder(folder: str | Path, contents: Mapping[str, bytes]) -> None:
    """Make a folder of these files. Refuses a folder that is not empty: older files would look like a part of it."""
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if next(folder.iterdir(), None) is not None:
            raise FileTrouble(f"cannot write to {folder}: it holds files already", fix="name a new folder")
    except OSError as error:
        raise FileTrouble(
            f"cannot make the folder {folder}: {_describe_os_error(error)}", fix="name another place"
        ) from error
    for name, data in contents.items():
        write_file(folder / name, data)


def _as_pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


def _temporary_path(target: Path) -> Path:
    """The temporary path to which a file is written before it is renamed. It is unique: among threads, and among the
    processes of all machines that share the folder.
    """
    return target.with_name(f".{target.name[:40]}.{os.urandom(8).hex()}.part")


def _replace_file(target: Path, pieces: Iterable[bytes]) -> None:
    beside = _temporary_path(target)
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    try:
        with beside.open("wb") as file:
            file.writelines(pieces)
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
    if os.name == "nt":  # Windows cannot open a folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _describe_os_error(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _reading_fix(error: OSError) -> str:
    return "check the name" if isinstance(error, FileNotFoundError) else "check who may read it"


def _writing_fix(error: OSError, path: Path) -> str:
    if isinstance(error, (FileNotFoundError, NotADirectoryError)) and not path.absolute().parent.is_dir():
        return f"make the folder {path.parent} first"
    return "write to another place; what was there before is untouched"


def is_file(path: str | Path) -> bool:
    """Whether there is a file of that name; False for a name that the system does not accept."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def is_folder(path: str | Path) -> bool:
    """Whether there is a folder of that name; False for a name that the system does not accept."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False
