"""The folder of a file, for readers of formats whose files name others."""

from __future__ import annotations

from pathlib import Path

from undercroft.errors import FileTrouble, TooBig
from undercroft.inputs import files
from undercroft.limits import Limit


class SiblingFiles:
    """Where a file lies, and what was read beside it: so that it is known whether that is still the same."""

    def __init__(self, file: str | Path, path: str | Path | None = None) -> None:
        """The folder of a file; `path` is where that is, if the file is called by another name than the one it is found
        by.
        """
        self._called = Path(file).parent
        self.path = self._called if path is None else Path(path)
        self.marks: dict[str, str] = {}
        """What stood in each file that was asked for; empty if it could not be read."""
        self._limits: dict[str, Limit] = {}

    def display_name(self, name: str) -> str:
        """What errors call a file of that name."""
        return str(self._called / files.safe_join(self.path, name).relative_to(self.path))

    def read(self, name: str, limit: Limit) -> bytes:
        """All bytes of a file in the folder or below it. What is not there, or lies elsewhere, is `FileTrouble` that
        says no more than why.
        """
        self.marks[name], self._limits[name] = "", limit
        path = files.safe_join(self.path, name)
        try:
            data = files.read_bytes(path, limit)
        except FileTrouble as error:
            raise FileTrouble(error.problem.removeprefix(f"cannot read {path}: ")) from None
        except TooBig as error:
            error.problem = self.display_name(name) + error.problem.removeprefix(str(path))
            raise
        self.marks[name] = _content_digest(data)
        return data

    def is_unchanged(self) -> bool:
        """Whether all that was read is what it was, and what could not be read still cannot."""
        return all(self._current_digest(name) == mark for name, mark in self.marks.items())

    def _current_digest(self, name: str) -> str:
        try:
            return _content_digest(files.read_bytes(files.safe_join(self.path, name), self._limits[name]))
        except (FileTrouble, TooBig):
            return ""


def _content_digest(data: bytes) -> str:
    from hashlib import blake2b  # slow to import, and few maps have siblings

    return blake2b(data, digest_size=16).hexdigest()
