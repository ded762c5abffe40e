"""What pages keep between two visits: named values in files of the project's `.undercroft` folder, and those that
belong to the user in a file of their own folder for settings.

Nothing is held in memory: a page that is opened reads the files, and a change is written into them at once. So the
folder may be removed or replaced at any time.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from undercroft import limits
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.inputs import files
from undercroft.studio.protocol.home import HOME_NAME, find_home, make_home

VERSION = 1
"""The version of the files. Keys that we do not know are kept as they are."""
GROUPS = ("favourites", "history", "drafts")
"""Names that begin so, as in "favourites/1", are in a file for each group. All others are in `OTHER`."""
OTHER = "settings"
USER_NAMES = ("theme", "single keys")
"""What belongs to the user, and not to a project."""
USER_FILE_NAME = "studio.json"
THEMES = ("dark", "light")
MAX_TIME = 1 << 53
MAX_SET_ASIDE = 99


class StateFile:
    """A file of named values, each with the time in milliseconds at which a page changed it. `shown` is its name in
    messages.
    """

    def __init__(self, path: Path, shown: str) -> None:
        self.path, self.shown = path, shown
        self.notes: list[str] = []
        """What the user should know: a damaged file was set aside."""

    def read(self) -> dict[str, Any]:
        """The whole document; an empty one if there is no file. A damaged file is renamed, and noted."""
        try:
            status = self.path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return _empty_document()
        except OSError as error:
            raise self._trouble(files.describe_os_error(error)) from error
        if not stat.S_ISREG(status.st_mode):  # a link could lead to any file of the user, which we would overwrite
            return self._set_aside("it is no regular file")
        if status.st_size > limits.STUDIO_STATE_BYTES.value:
            return self._set_aside(f"it has more than {limits.STUDIO_STATE_BYTES.value:,} bytes")
        try:
            data = files.read_bytes(self.path, limits.STUDIO_STATE_BYTES)
        except UndercroftError as error:
            raise self._trouble(error.problem.rpartition(": ")[2]) from error
        try:
            document = msgspec.json.decode(data)
        except (ValueError, RecursionError):
            return self._set_aside("it is no JSON")
        version = document.get("version") if isinstance(document, dict) else None
        if type(version) is not int or not isinstance(document.get("values"), dict):
            return self._set_aside("it holds something else")
        if version > VERSION:
            raise FileTrouble(f"{self.shown} was written by a newer Undercroft", fix="install the newer one")
        found: dict[str, Any] = document
        return found

    def write(self, document: dict[str, Any]) -> None:
        """Replace the file, whole or not at all."""
        data = msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
        limits.STUDIO_STATE_BYTES.check(len(data), f"{self.shown}: its size in bytes")
        try:
            files.write_file(self.path, data)
        except FileTrouble as error:
            raise self._trouble(error.problem.rpartition(": ")[2]) from error

    def _set_aside(self, reason: str) -> dict[str, Any]:
        """Rename the file, so that the next write does not replace it."""
        for number in range(1, MAX_SET_ASIDE + 1):
            aside = self.path.with_name(f"{self.path.stem}.damaged-{number}.json")
            if not os.path.lexists(aside):
                break
        try:
            self.path.rename(aside)
        except OSError as error:
            raise self._trouble(f"{reason}, and it cannot be renamed: {files.describe_os_error(error)}") from error
        self.notes.append(f"{self.shown} could not be read: {reason}. It is now called {aside.name}.")
        return _empty_document()

    def _trouble(self, reason: str) -> FileTrouble:
        return FileTrouble(f"{self.shown}: {reason}", fix="let the studio read and write it, or remove it")


class KeptState:
    """The values that are kept for a project and its user."""

    def __init__(self, project: Path, user_folder: Path | None = None) -> None:
        self._project = project
        self._user_folder = user_folder or find_config_folder()

    def load(self) -> dict[str, Any]:
        """All values that can be read; `notes` says what cannot, and what was set aside."""
        values, notes = dict[str, Any](), list[str]()
        for group in (*GROUPS, OTHER, None):
            file = self._find_file(group)
            if file is None:
                continue
            try:
                document = file.read()
            except FileTrouble as error:
                file.notes.append(_describe(error))
                document = _empty_document()
            values |= {
                name: {"at": entry["at"], "value": entry["value"]}
                for name, entry in document["values"].items()
                if _is_entry(entry) and group_of(name) == group
            }
            notes += file.notes
        return {"project": str(self._project), "values": values, "notes": notes}

    def store(self, changes: Any) -> dict[str, Any]:
        """Put changed values in place; null removes one. `refused` are the names that could not be kept, and `notes`
        says why.
        """
        refused, notes = list[str](), list[str]()
        for group, part in _split_changes(changes).items():
            try:
                notes += self._store_group(group, part)
            except UndercroftError as error:
                refused += part
                if group is not None:  # where the user's folder cannot be written, browsers keep the theme
                    notes.append(_describe(error))
        return {"refused": refused, "notes": list(dict.fromkeys(notes))}

    def theme(self) -> str:
        """The theme that the user has chosen; empty if none."""
        file = self._find_file(None)
        try:
            value = _value_of(file.read(), "theme") if file else None
        except FileTrouble:
            value = None
        return value if value in THEMES else ""

    def _store_group(self, group: str | None, changes: Mapping[str, Any]) -> list[str]:
        file = self._make_file(group)
        if file is None:
            raise FileTrouble("there is no folder for settings", fix="set HOME")
        document = file.read()
        values = dict(document["values"])
        for name, entry in changes.items():
            if entry["value"] is None:
                values.pop(name, None)
            else:
                before = values.get(name)
                if isinstance(before, dict) and _is_entry(before) and before["at"] > entry["at"]:
                    continue  # a newer one was faster
                values[name] = {**(before if isinstance(before, dict) else {}), **entry}
        if values != document["values"]:
            file.write({**document, "values": values})
        return file.notes

    def _find_file(self, group: str | None) -> StateFile | None:
        """The file of a group, None for the user's own; None if its folder is not there."""
        if group is None:
            return _user_file(self._user_folder)
        home = find_home(self._project)
        return None if home is None else _group_file(home, group)

    def _make_file(self, group: str | None) -> StateFile | None:
        """The same, in a folder that is made if it is missing."""
        if group is not None:
            return _group_file(make_home(self._project), group)
        file = _user_file(self._user_folder)
        if file is not None:
            try:
                file.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise FileTrouble(
                    f"cannot make the folder for settings: {files.describe_os_error(error)}", fix="let it be made"
                ) from error
        return file


def group_of(name: str) -> str | None:
    """The group of a value: the name of its file; None for what belongs to the user.

    >>> group_of("favourites/a/b"), group_of("history at"), group_of("theme")
    ('favourites', 'settings', None)
    """
    if name in USER_NAMES:
        return None
    first, slash, _ = name.partition("/")
    return first if slash and first in GROUPS else OTHER


def find_config_folder() -> Path | None:
    """The folder for the user's own settings of this program, by the customs of the system; None if there is none."""
    try:
        if sys.platform == "win32":
            named = os.environ.get("APPDATA")
        elif sys.platform == "darwin":
            named = str(Path.home() / "Library" / "Application Support")
        else:
            named = os.environ.get("XDG_CONFIG_HOME")
            if not named or not Path(named).is_absolute():  # a relative one is invalid by its specification
                named = str(Path.home() / ".config")
    except RuntimeError:  # no home folder
        return None
    return Path(named, "undercroft") if named else None


def _group_file(home: Path, group: str) -> StateFile:
    return StateFile(home / f"{group}.json", f"{HOME_NAME}/{group}.json")


def _user_file(folder: Path | None) -> StateFile | None:
    return None if folder is None else StateFile(folder / USER_FILE_NAME, USER_FILE_NAME)


def _empty_document() -> dict[str, Any]:
    return {"version": VERSION, "values": {}}


def _value_of(document: dict[str, Any], name: str) -> Any:
    entry = document["values"].get(name)
    return entry["value"] if _is_entry(entry) else None


def _is_entry(entry: Any) -> bool:
    """Whether this is a value with its time."""
    return (
        isinstance(entry, dict) and "value" in entry and type(entry.get("at")) is int and 0 <= entry["at"] <= MAX_TIME
    )


def _split_changes(changes: Any) -> dict[str | None, dict[str, Any]]:
    """The changes by the group of their names. Raises if they are none."""
    if not isinstance(changes, dict):
        raise BadInput("'changes' is an object of names and values", fix="reload the page")
    found = dict[str | None, dict[str, Any]]()
    for name, entry in changes.items():
        if not 0 < len(name) <= limits.STUDIO_STATE_NAME.value or not _is_entry(entry):
            raise BadInput(f"{name[:60]!r} has no value with its time", fix="reload the page")
        found.setdefault(group_of(name), {})[name] = {"at": entry["at"], "value": entry["value"]}
    return found


def _describe(error: UndercroftError) -> str:
    return f"{error.problem}. To mend it: {error.fix}." if error.fix else f"{error.problem}."
