"""The project's `.undercroft` folder, in which the studio keeps what is no file of the project."""

from __future__ import annotations

import stat
from pathlib import Path

from undercroft.errors import FileTrouble
from undercroft.inputs import files

HOME_NAME = ".undercroft"
GITIGNORE = """\
# Kept by undercroft studio: its drafts, favourites, history and deleted files.
# Nothing else depends on this folder. Remove it, and the studio begins anew.
*
"""
GITIGNORE_NAME = ".gitignore"


def find_home(project: Path) -> Path | None:
    """The folder, if there is one. A link is none: it could lead out of the project."""
    home = project / HOME_NAME
    try:
        found = stat.S_ISDIR(home.lstat().st_mode)
    except OSError:
        found = False
    return home if found else None


def make_home(project: Path) -> Path:
    """The folder, which is made if it is missing, with a `.gitignore` that keeps it out of version control.

    The `.gitignore` is written while the folder is empty, so one that a user has changed or removed stays so.
    """
    home = project / HOME_NAME
    try:
        home.mkdir(exist_ok=True)
    except OSError as error:
        raise FileTrouble(
            f"cannot make the folder {HOME_NAME} in the project: {files.describe_os_error(error)}",
            fix="let the studio write into the project folder",
        ) from error
    if find_home(project) is None:
        raise FileTrouble(f"{HOME_NAME} in the project is a link", fix="remove it, and the studio makes a folder")
    try:
        empty = next(home.iterdir(), None) is None
    except OSError as error:
        raise FileTrouble(
            f"cannot read the folder {HOME_NAME} of the project: {files.describe_os_error(error)}",
            fix="let the studio read it, or remove it",
        ) from error
    if empty:
        files.write_file(home / GITIGNORE_NAME, GITIGNORE.encode())
    return home
