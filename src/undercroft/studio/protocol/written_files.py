"""What the studio has exported into a project: so it notices when another program has changed such a file since."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from undercroft import limits
from undercroft.errors import UndercroftError
from undercroft.inputs import files
from undercroft.studio.protocol.home import find_home, make_home
from undercroft.studio.protocol.project import FileChanged, Project, digest_content

RECORD_NAME = "written.json"


class WrittenFiles:
    """The digests of the files that were exported, by their names. They are kept in the project's `.undercroft`."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._digests = self._load()

    def check(self, contents: Mapping[str, bytes], over: Any = None, *, ours: bool = True) -> None:
        """Raise `FileChanged` if writing would lose something: a file that is not as the studio has written it last, or
        any other file unless `ours` may be overwritten. `over` are digests of files that the user gives up.
        """
        given_up = over if isinstance(over, Mapping) else {}
        changed = {}
        for name, data in contents.items():
            there = self._project.digest_file(name)
            known = self._digests.get(name) if ours else None
            if there not in ("", known, digest_content(data), given_up.get(name)):
                changed[name] = there
        if changed:
            raise FileChanged(
                " and ".join(
                    f"{name} {'was changed elsewhere' if ours and name in self._digests else 'is there already'}"
                    for name in changed
                ),
                fix="write over it, or give another name",
                changed=changed,
            )

    def note(self, contents: Mapping[str, bytes]) -> None:
        """Remember what was written."""
        for name, data in contents.items():
            self._digests.pop(name, None)
            self._digests[name] = digest_content(data)
        while len(self._digests) > limits.STUDIO_FILES.value:
            del self._digests[next(iter(self._digests))]
        self._store()

    def rename(self, name: str, to: str) -> None:
        """Follow a file to its new name."""
        if (digest := self._digests.pop(name, None)) is not None:
            self._digests[to] = digest
            self._store()

    def _load(self) -> dict[str, str]:
        home = find_home(self._project.folder)
        if home is None:
            return {}
        try:
            data = files.read_bytes(home / RECORD_NAME, limits.STUDIO_REQUEST_BYTES)
            return msgspec.json.decode(data, type=dict[str, str])
        except (UndercroftError, msgspec.DecodeError, ValueError):
            return {}  # then it asks once more

    def _store(self) -> None:
        with suppress(UndercroftError):  # then it asks once more after a restart
            files.write_file(make_home(self._project.folder) / RECORD_NAME, msgspec.json.encode(self._digests))
