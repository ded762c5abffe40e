"""The trash of a project: deleted files, each in a folder of its own in `.undercroft/trash`, under its old path.

The folder's name is the time of the deletion and a random number, such as `20260131T235959-0a1b2c3d`.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from undercroft import limits
from undercroft.errors import BadInput, FileTrouble
from undercroft.inputs import files
from undercroft.studio.protocol.file_kinds import detect_kind
from undercroft.studio.protocol.home import find_home, make_home
from undercroft.studio.protocol.project import Project

TRASH_NAME = "trash"
_ID = re.compile(r"(\d{8}T\d{6})-[0-9a-f]{8}")
_TIME = "%Y%m%dT%H%M%S"


class DeletedFile(NamedTuple):
    """A file in the trash."""

    id: str
    path: str
    """Where it was in the project."""
    kind: str
    bytes: int
    deleted: float
    """When it was deleted, in seconds since 1970."""

    def data(self) -> dict[str, Any]:
        return {**self._asdict(), "deleted": round(self.deleted * 1000)}


def delete_file(project: Project, name: str) -> DeletedFile:
    """Move a file of the project into the trash."""
    path = project.resolve_path(name)
    trash = make_home(project.folder) / TRASH_NAME
    if trash.is_symlink():
        raise FileTrouble(f"the {TRASH_NAME} of the project is a link", fix="remove it, and the studio makes a folder")
    number = f"{time.strftime(_TIME, time.gmtime())}-{os.urandom(4).hex()}"
    inside = name.replace("\\", "/")
    try:
        files.move_file(path, trash / number / inside)
    except FileTrouble as error:
        _remove_empty(trash / number)
        raise FileTrouble(f"{name[:60]}: {error.problem.rpartition(': ')[2]}", fix=error.fix) from None
    return _read_row(trash / number) or DeletedFile(number, inside, "other", 0, time.time())


def list_trash(project: Project) -> list[DeletedFile]:
    """What is in the trash, the newest first."""
    trash = _find_trash(project)
    if trash is None:
        return []
    try:
        folders = sorted((one for one in trash.iterdir() if _ID.fullmatch(one.name)), reverse=True)
    except OSError:
        return []
    rows = map(_read_row, folders[: limits.STUDIO_TRASH.value])
    return [row for row in rows if row is not None]


def restore_file(project: Project, number: str, to: str | None = None) -> str:
    """Bring a file back from the trash, where it was or under another name; never over a file that is there. Returns
    its name.
    """
    trash = _find_trash(project)
    row = _read_row(trash / number) if trash is not None and _ID.fullmatch(number) else None
    if trash is None or row is None:
        raise BadInput("that file is not in the trash any more", fix="open the list of deleted files again")
    name = row.path if to is None else to.replace("\\", "/")
    if Path(name).suffix.casefold() != Path(row.path).suffix.casefold():
        raise BadInput(f"{name[:60]!r} is no name for {row.path}", fix=f"end it in {Path(row.path).suffix}")
    project.move_in(trash / number / row.path, name)
    _remove_empty(trash / number)
    return name


def _find_trash(project: Project) -> Path | None:
    home = find_home(project.folder)
    trash = None if home is None else home / TRASH_NAME
    return trash if trash is not None and _is_folder(trash) else None


def _is_folder(path: Path) -> bool:
    """Whether there is a folder; a link is none."""
    try:
        return stat.S_ISDIR(path.lstat().st_mode)
    except OSError:
        return False


def _read_row(folder: Path) -> DeletedFile | None:
    """The file in a folder of the trash."""
    match = _ID.fullmatch(folder.name)
    if match is None or not _is_folder(folder):
        return None
    try:
        deleted = datetime.strptime(match[1], _TIME).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
    for path in _walk(folder):
        with suppress(OSError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode):
                inside = path.relative_to(folder).as_posix()
                return DeletedFile(folder.name, inside, detect_kind(path), status.st_size, deleted)
    return None


def _walk(folder: Path) -> Iterator[Path]:
    for above, _, names in os.walk(folder):
        yield from (Path(above, name) for name in sorted(names))


def _remove_empty(folder: Path) -> None:
    """Remove a folder of empty folders."""
    with suppress(OSError):
        for above, _, _ in os.walk(folder, topdown=False):
            Path(above).rmdir()
