"""One studio for each project: a lock file in its folder that holds the process id."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from undercroft.bulk.batch import directory_lock

LOCK_FILE_NAME = ".undercroft-studio.lock"


def lock_project(folder: Path) -> AbstractContextManager[None]:
    """Lock the folder as long as the studio runs."""
    return directory_lock.hold_lock(
        folder / LOCK_FILE_NAME,
        "a studio has this folder already",
        fix="use that one, or end it; or name another folder: --project DIR",
    )
