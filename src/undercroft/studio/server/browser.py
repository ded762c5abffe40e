"""Open the page in a browser without the token on any command line, which all users of the machine can read.

The browser is given the address of a private file. It leads to the studio's entry path, whose page passes the token on.
"""

from __future__ import annotations

import contextlib
import html
import os
import sys
import tempfile
import time
from pathlib import Path

REDIRECT_SECONDS = 60.0
"""Seconds after which the private file is removed, even if no browser has used it."""
FOLDER_PREFIX, PAGE_NAME = "undercroft-studio-", "open.html"
REDIRECT_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>Undercroft studio</title>
</head>
<body>
<p><a href="{address}">Open the studio</a></p>
</body>
</html>
"""


class RedirectFile:
    """A file that leads a browser to an address, and that only this user can read, in a folder of its own."""

    def __init__(self, address: str) -> None:
        self._folder = _make_private_folder()
        self.path = self._folder / PAGE_NAME
        try:
            number = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(number, "w", encoding="utf-8", errors="replace") as file:
                file.write(REDIRECT_PAGE.format(address=html.escape(address)))
        except OSError:
            self.remove()
            raise

    @property
    def address(self) -> str:
        """The address of the file itself."""
        return self.path.as_uri()

    def remove(self) -> None:
        """Remove the file and its folder; they may be gone already."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
            self._folder.rmdir()


def _sweep_folders(home: Path) -> None:
    """Remove the folders of studios that were killed: those that no browser can need any more."""
    for folder in home.glob(f"{FOLDER_PREFIX}*"):
        with contextlib.suppress(OSError):
            if folder.stat(follow_symlinks=False).st_mtime < time.time() - 2 * REDIRECT_SECONDS:
                (folder / PAGE_NAME).unlink(missing_ok=True)
                folder.rmdir()


def _make_private_folder() -> Path:
    """A new folder of mode 0700."""
    # Browsers from snap and flatpak see another /tmp and no hidden folders: they can read a plain folder of the home.
    # Elsewhere than on Linux, the folder for temporary files belongs to the user.
    if sys.platform == "linux":
        with contextlib.suppress(OSError, RuntimeError):
            _sweep_folders(Path.home())
            return Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=Path.home()))
    return Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX))
