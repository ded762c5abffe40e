"""The project folder: it holds every file that the studio reads or writes."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from undercroft import limits
from undercroft.errors import BadInput, FileTrouble
from undercroft.inputs import files
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.limits import Limit
from undercroft.studio.protocol.file_kinds import detect_kind, known_suffixes
from undercroft.studio.protocol.home import HOME_NAME

MAX_FOLDER_DEPTH = 6
"""How many levels of subfolders are listed."""
SKIPPED_FOLDERS = {"node_modules", "__pycache__", "venv", "build", "dist", "site-packages"}
"""Folders that hold no maps, but thousands of files."""
T = TypeVar("T")


class ProjectFile(NamedTuple):
    """A file of the project."""

    path: str
    kind: str
    bytes: int
    changed: float

    def data(self) -> dict[str, Any]:
        return {"path": self.path, "kind": self.kind, "bytes": self.bytes, "changed": round(self.changed * 1000)}


class FileChanged(FileTrouble):
    """Files have changed since they were read or written here. `changed` are the digests of what they hold now, for
    those that may be overwritten if the user wants it.
    """

    def __init__(self, problem: str, *, fix: str, changed: Mapping[str, str] | None = None) -> None:
        super().__init__(problem, fix=fix)
        self.changed = dict(changed or {})


class Project:
    """A folder, and the files in it by their relative paths, with / between the parts."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).absolute()
        if not files.is_folder(self.folder):
            raise FileTrouble(f"{folder} is no folder", fix="make it first, or name another: --project DIR")
        self._root = self.folder.resolve()

    def resolve_path(self, name: str) -> Path:
        """The path of a file with that name. Raises if the name leads out of the folder, also by a link."""
        parts = re.split(r"[/\\]", name)
        if not name or len(name) > limits.STUDIO_PATH_LENGTH.value or any(_is_bad_part(part) for part in parts):
            raise FileTrouble(
                f"{name[:60]!r} is no name for a file of the project",
                fix="name a file in the folder, such as crypt.toml or rules/moss.rules",
            )
        path = self._root.joinpath(*parts)
        try:
            inside = path.resolve().relative_to(self._root).parts
        except (OSError, ValueError, RuntimeError):
            inside = (HOME_NAME,)
        # also by a link, or by a short name of Windows
        if any(part.casefold() == HOME_NAME for part in inside):
            raise FileTrouble(f"{name[:60]!r} leads out of the project folder", fix="name a file in the folder")
        return path

    def read_text(self, name: str, limit: Limit) -> str:
        """The text of a file."""
        return _hide_path_in_errors(name, lambda: files.read_text(self.resolve_path(name), limit))

    def read_bytes(self, name: str, limit: Limit) -> bytes:
        """The bytes of a file."""
        return _hide_path_in_errors(name, lambda: files.read_bytes(self.resolve_path(name), limit))

    def read_file(self, name: str) -> dict[str, Any]:
        """A file's text, and a digest to detect later changes."""
        text = self.read_text(name, limits.STUDIO_REQUEST_BYTES)
        return {"path": name, "text": text, "seen": digest_content(text)}

    def save(self, name: str, text: str, seen: str) -> dict[str, Any]:
        """Write a text, if the file still has the digest `seen` ("" for no file)."""
        path = self.resolve_path(name)
        limits.STUDIO_REQUEST_BYTES.check(len(text.encode("utf-8", "replace")), f"{name}: its size in bytes")
        current = digest_content(self.read_text(name, limits.STUDIO_REQUEST_BYTES)) if path.exists() else ""
        if current != seen:
            what = (
                "was changed elsewhere"
                if current and seen
                else "is there already"
                if current
                else "is not there any more"
            )
            raise FileChanged(
                f"{name} {what}", fix="read it again, or save under another name", changed={name: current}
            )
        self.write(name, text.encode())
        return {"path": name, "text": text, "seen": digest_content(text)}

    def write(self, name: str, data: bytes) -> None:
        """Write bytes to a file; its folder is created if it is missing."""
        self.write_files({name: data})

    def write_files(self, contents: Mapping[str, bytes]) -> None:
        """Write several files, all of them or none; their folders are created if they are missing."""
        paths = {name: self.resolve_path(name) for name in contents}
        for name, path in paths.items():
            _hide_path_in_errors(name, partial(path.parent.mkdir, parents=True, exist_ok=True))
        try:
            files.write_files([(paths[name], data) for name, data in contents.items()])
        except FileTrouble as error:
            named = (name for name, path in paths.items() if error.problem.startswith(f"cannot write {path}: "))
            failed = next(named, "a file of the project")
            reason = error.problem.rpartition(": ")[2]
            raise FileTrouble(f"{failed}: {reason}", fix=error.fix.split(" /")[0]) from None

    def digest_file(self, name: str) -> str:
        """A digest of what a file holds; "" if there is none."""
        path = self.resolve_path(name)
        if not files.is_file(path):
            return ""
        return _hide_path_in_errors(name, lambda: digest_content(files.read_bytes(path, limits.STUDIO_OVERWRITTEN)))

    def rename(self, name: str, to: str) -> str:
        """Give a file another name, or put it into another folder; never over another file. Its suffix stays. Returns
        the new name.
        """
        to = to.replace("\\", "/")
        old, new = self.resolve_path(name), self.resolve_path(to)
        if old.suffix.casefold() != new.suffix.casefold():
            raise BadInput(
                f"{to[:60]!r} is the name of another kind of file than {name[:60]!r}",
                fix=f"end it in {old.suffix}" if old.suffix else "leave out the suffix",
            )
        self.move_in(old, to)
        return to

    def move_in(self, old: Path, to: str) -> None:
        """Move a file to a name of the project that no file has, whatever the case of its letters."""
        new = self.resolve_path(to)
        taken = self._find_taken(to)
        if taken is not None and not (old.name != new.name and files.is_same_name(old, self._root / taken)):
            raise FileChanged(f"{taken} is there already", fix="give another name")
        _hide_path_in_errors(to, lambda: files.move_file(old, new))

    def _find_taken(self, name: str) -> str | None:
        """The file or folder that keeps a name from being free: one of the same name, or of one that some systems take
        for the same.
        """
        folder, parts = self._root, re.split(r"[/\\]", name)
        for depth, part in enumerate(parts):
            try:
                there = [one.name for one in folder.iterdir()]
            except OSError:
                return None
            alike = next((one for one in there if files.fold_name(one) == files.fold_name(part)), None)
            found = part if part in there else alike
            if found is None:
                return None
            if found != part or depth == len(parts) - 1:
                return "/".join([*parts[:depth], found])
            folder = folder / part
        return None

    def list_files(self) -> list[ProjectFile]:
        """All files that the studio can use, by name."""
        return sorted(
            ProjectFile(name, detect_kind(path), status.st_size, status.st_mtime)
            for name, path, status in self._walk_files()
        )

    def list_times(self) -> dict[str, tuple[int, int]]:
        """The time of change and the size of each file."""
        return {name: (status.st_mtime_ns, status.st_size) for name, _, status in self._walk_files()}

    def _walk_files(self) -> Iterator[tuple[str, Path, os.stat_result]]:
        """Regular files with a known suffix. Hidden files, undecodable names, links, folders of other programs and the
        shipped recipes are left out.
        """
        waiting, count, shipped = [(self._root, "", 0)], 0, SHIPPED_FOLDER.resolve()
        while waiting:
            folder, above, depth = waiting.pop()
            try:
                entries = list(os.scandir(folder))
            except OSError:
                continue  # removed meanwhile, or not readable
            for entry in entries:
                try:
                    if (
                        entry.name.startswith(".")
                        or _UNDECODABLE.search(entry.name)
                        or entry.name in SKIPPED_FOLDERS
                        or entry.is_symlink()
                    ):
                        continue
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                # in a checkout of Undercroft, the shipped folder is part of every project
                if stat.S_ISDIR(status.st_mode) and depth < MAX_FOLDER_DEPTH and Path(entry.path) != shipped:
                    waiting.append((Path(entry.path), f"{above}{entry.name}/", depth + 1))
                elif stat.S_ISREG(status.st_mode) and Path(entry.name).suffix.casefold() in known_suffixes():
                    count += 1
                    limits.STUDIO_FILES.check(count, "the number of files in the project folder")
                    yield above + entry.name, Path(entry.path), status


def _is_bad_part(part: str) -> bool:
    """Whether a part of a path is invalid: empty, hidden, a parent, a drive, or longer than systems accept."""
    too_long = len(part.encode("utf-8", "replace")) > limits.STUDIO_NAME_BYTES.value
    reserved = part.partition(".")[0].casefold() in _RESERVED_NAMES
    return (
        not part
        or part[0] in ".~"
        or part != part.strip()
        or part.endswith(".")
        or too_long
        or reserved
        or _BAD_SIGNS.search(part) is not None
    )


_RESERVED_NAMES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)),
}
"""Names with a special meaning on some systems."""
_BAD_SIGNS = re.compile(r'[\x00-\x1f\x7f<>:"|?*\ud800-\udfff]')
_UNDECODABLE = re.compile("[\ud800-\udfff]")
"""Surrogates that stand for undecodable bytes in a name."""


def digest_content(content: str | bytes) -> str:
    """A digest that identifies a text."""
    return hashlib.blake2b(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content, digest_size=16
    ).hexdigest()


def _hide_path_in_errors(name: str, work: Callable[[], T]) -> T:
    """Run something on a file; errors name it by its path in the project, and hide where the project lies."""
    try:
        return work()
    except FileTrouble as error:
        reason = error.problem.rpartition(": ")[2]
        raise FileTrouble(f"{name}: {reason}", fix=error.fix.split(" /")[0]) from None
    except OSError as error:
        raise FileTrouble(f"{name}: {(error.strerror or str(error)).lower()}", fix="name another file") from None
