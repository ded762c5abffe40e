"""One studio for each project: a lock file in its folder that holds the process id."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from undercroft.bulk.batch import directory_lock
from undercroft.errors import FileTrouble

LOCK_FILE_NAME = ".undercroft-studio.lock"


@contextmanager
def lock_project(folder: Path) -> Iterator[None]:
    """Lock the folder as long as the studio runs. A folder that nobody can write needs no lock."""
    with ExitStack() as held:
        try:
            held.enter_context(
                directory_lock.hold_lock(
                    folder / LOCK_FILE_NAME,
                    "a studio has this folder already",
                    fix="use that one, or end it; or name another folder: --project DIR",
                )
            )
        except FileTrouble as error:
            if getattr(error.__cause__, "errno", None) not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise
        yield
