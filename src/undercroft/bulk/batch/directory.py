"""The folder of a batch. Its contents are the journal: files are written whole, finished files are verified before they
are kept, and a lock admits one run at a time.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.bulk.batch import directory_lock
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import BatchCounts
from undercroft.bulk.batch.level_files import check_regular_file, restore_shared_files
from undercroft.bulk.batch.request import FORMAT, BatchRequest, compute_digest
from undercroft.bulk.batch.storage import resolve_form
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.inputs import files
from undercroft.inputs.json import format_json_indented

ORDER_FILE, MANIFEST_FILE, LOCK_FILE = "order.json", "manifest.json", ".lock"
KEY_DESCRIPTIONS = {
    "recipe": "the recipe",
    "editions": "the editions of its steps",
    "params": "what is set",
    "as": "the form",
    "options": "the options of the format",
    "written_by": "what writes the files",
}
"""How messages about differences call a key; other keys are called by their names."""
ENTRY_DESCRIPTIONS = {"editions": "the edition of {}"}
"""The same for single entries of a table."""
DISK_FULL_ERRORS = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
"""Error numbers of a full disk or an exceeded quota."""
STRAY_NAME = re.compile(r"\..+\.[0-9a-f]+\.part")
"""Names of temporary files: with a random number, in older versions with that of the process."""
OTHER_BATCH_FIX = "take another folder, or ask for the same as before"


class BatchDirectory:
    """The folder that a batch is written to."""

    def __init__(self, path: str | Path, order: BatchRequest) -> None:
        self.path = Path(path)
        self.order = order
        self._form = resolve_form(order)
        self.damaged: list[str] = []
        """Files that were damaged, and are made again."""

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder for this run. It is created if needed, refused if it holds something else, and cleaned."""
        self._make_directory()
        with directory_lock.hold_lock(self.path / LOCK_FILE, f"{self.path} is being filled by another run"):
            try:
                self._check_contents()
                yield
            except FileTrouble as error:
                if isinstance(error.__cause__, OSError) and error.__cause__.errno in DISK_FULL_ERRORS:
                    error.fix = "make room there, and run the same command again: it goes on from here"
                raise

    def _make_directory(self) -> None:
        try:
            if self.path.exists() and not self.path.is_dir():
                raise FileTrouble(
                    f"cannot write to {self.path}: it is a file", fix="name a folder, or one that is not there yet"
                )
            self.path.mkdir(parents=True, exist_ok=True)
            names = (
                {entry.name for entry in os.scandir(self.path) if entry.name != LOCK_FILE and not _is_stray(entry)}
                if not self._has_order()
                else set()
            )
        except (OSError, ValueError) as error:
            raise FileTrouble(
                f"cannot make the folder {self.path}: {files.describe_os_error(error)}", fix="name another place"
            ) from error
        if names:
            raise BadInput(
                f"{self.path} holds files, and they are of no batch ({sorted(names)[0]})", fix="name a new folder"
            )

    def _has_order(self) -> bool:
        return (self.path / ORDER_FILE).is_file()

    def _check_contents(self) -> None:
        """Compare the request with the one in the folder, and remove files that a killed run has left."""
        with os.scandir(self.path) as entries:
            found = {entry.name: _is_stray(entry) for entry in entries if entry.name != LOCK_FILE}
        names, stray = set(found), {name for name, is_stray in found.items() if is_stray}
        batch_files = names - stray - {ORDER_FILE}  # a request without files may be replaced: nothing is lost
        stored_data = read_request_data(self.path) if ORDER_FILE in names else {}
        if ORDER_FILE in names and str(stored_data.get("format")).partition("/")[0] != FORMAT.partition("/")[0]:
            raise BadInput(f"{self.path} holds files, and they are of no batch ({ORDER_FILE})", fix="name a new folder")
        if batch_files and compute_digest(stored_data) != self.order.digest:
            raise BadInput(
                f"{self.path} holds another batch: {describe_difference(stored_data, self.order.data)}",
                fix=OTHER_BATCH_FIX,
            )
        self._remove_files(stray)
        if not batch_files:
            files.write_file(self.path / ORDER_FILE, _format_json(self.order.data))

    def _remove_files(self, names: Iterable[str]) -> None:
        for name in names:
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def chunk_path(self, chunk: Chunk) -> Path:
        """The file that proves that a chunk is finished."""
        return self.path / f"{chunk.file_stem(self.order.digits)}{self._form.SUFFIX}"

    def find_chunk(self, chunk: Chunk) -> tuple[list[dict[str, Any]], BatchCounts] | None:
        """The files and the counts of a chunk, or None if it does not exist.

        The file is read and encoded again from its rows: if any byte differs, it is damaged, and `DamagedFile` is
        raised.
        """
        path = self.chunk_path(chunk)
        check_regular_file(path)
        if not path.exists():
            return None
        try:
            return self._verify_chunk(chunk, path)
        except DamagedFile:
            restored_names = [] if self.order.has_chunk_files else restore_shared_files(path, self.order)
            if not restored_names:
                raise
            self.damaged += restored_names
        return self._verify_chunk(chunk, path)

    def _verify_chunk(self, chunk: Chunk, path: Path) -> tuple[list[dict[str, Any]], BatchCounts]:
        try:
            shard = self._form.read_chunk(path, self.order)
            contents = self._form.encode_chunk(self.order, chunk, shard)
            if contents[-1][1] != path.read_bytes():
                raise DamagedFile(path.name)
            count = shard.count(self.order)
        except (DamagedFile, MemoryError):
            raise
        except Exception as error:  # a damaged file can raise anything in its reader
            raise DamagedFile(path.name) from error
        return [
            {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in contents
        ], count

    def write(self, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Write the files of a chunk; files that a worker has written itself are verified. Returns their entries in the
        manifest.
        """
        for file in entries:
            path = self.path / file["name"]
            if file["data"] is not None:
                check_regular_file(path)
                files.write_file(path, file["data"])
            elif not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != file["sha256"]:
                raise FileTrouble(
                    f"a worker reports that it wrote {file['name']}, but {self.path} does not contain it",
                    fix="let all workers see the same folder",
                )
        return [{key: file[key] for key in ("name", "size", "sha256")} for file in entries]

    def discard(self, chunk: Chunk) -> None:
        """Remove the damaged file of a chunk, so that it never counts as finished, even if the next attempt fails."""
        with contextlib.suppress(OSError):
            self.chunk_path(chunk).unlink()

    def drop_manifest(self) -> None:
        """Remove the manifest: the batch is not finished any more."""
        with contextlib.suppress(FileNotFoundError):
            (self.path / MANIFEST_FILE).unlink()

    def write_manifest(self, chunks: Mapping[Chunk, bytes], levels: int, poisoned: Mapping[Chunk, str]) -> None:
        """Write the manifest from rows of `manifest_row`, and remove stray files again: workers that were ended may
        have left some.

        The manifest holds no times and no machine: two equal batches have equal folders.
        """
        with os.scandir(self.path) as entries:
            self._remove_files([entry.name for entry in entries if _is_stray(entry)])
        given_up = {chunk: _format_row(chunk, cause=cause) for chunk, cause in poisoned.items()}
        data = {"format": self.order.data["format"], "order": self.order.digest, "levels": levels}
        head = "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in data.items())
        parts = (
            [f'{{\n{head}"chunks": '.encode()],
            _format_rows(chunks),
            [b',\n"poisoned": '],
            _format_rows(given_up),
            [b"\n}\n"],
        )
        files.write_file(self.path / MANIFEST_FILE, chain.from_iterable(parts))


def manifest_row(chunk: Chunk, levels: int, written: list[dict[str, Any]]) -> bytes:
    """The row of a chunk in the manifest: its seeds, its levels, and its files with their sizes and digests. Encoded as
    bytes, since there may be very many.
    """
    return _format_row(chunk, levels=levels, files=written)


class DamagedFile(Exception):
    """A file of a batch differs from what was written."""


def read_request_data(path: Path) -> dict[str, Any]:
    """The data of the request in a folder."""
    file = path / ORDER_FILE
    if not files.is_file(file):
        raise BadInput(f"{path} holds no batch", fix="name a folder that undercroft batch has filled")
    try:
        data = json.loads(files.read_bytes(file, limits.JSON_BYTES))
        compute_digest(data)
    except UndercroftError:
        raise
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file} is damaged", fix="take it from another copy, or begin in a new folder") from error
    if not isinstance(data, dict):
        raise BadInput(f"{file} is damaged", fix="take it from another copy, or begin in a new folder")
    return data


def describe_difference(there: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """How two requests differ, in words.

    >>> describe_difference({"count": 7, "size": [3, 2], "chunk": 1}, {"count": 9, "size": [3, 2], "chunk": 2})
    'count is 7 there and 9 here, chunk is 1 there and 2 here'
    """
    found = []
    other_recipe = not _is_same_json(there.get("recipe"), here.get("recipe"))
    for key in dict.fromkeys((*there, *here)):
        old, new = there.get(key), here.get(key)
        if _is_same_json(old, new):
            continue
        if isinstance(old, dict) and isinstance(new, dict) and key == "recipe":
            found.append(_describe_other_recipe(old, new))
        elif isinstance(old, dict) and isinstance(new, dict):
            found += [
                _describe_change(ENTRY_DESCRIPTIONS.get(key, "{}").format(name), old.get(name), new.get(name))
                for name in _differing_names(old, new, all_of_them=not other_recipe)
            ]
        else:
            found.append(_describe_change(KEY_DESCRIPTIONS.get(key, key), old, new))
    return (", ".join(found[:4]) + (", and more" if len(found) > 4 else "")) or "its order differs"


def _differing_names(old: Mapping[str, Any], new: Mapping[str, Any], *, all_of_them: bool) -> list[str]:
    """The names whose values differ. If the recipe differs too, names that only one has do not matter."""
    names = [name for name in dict.fromkeys((*old, *new)) if not _is_same_json(old.get(name), new.get(name))]
    return [name for name in names if all_of_them or (name in old and name in new)]


def _is_same_json(old: Any, new: Any) -> bool:
    """Whether two values have the same JSON, as the digest of a request sees them: 2 and 2.0 differ."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _describe_change(name: str, old: Any, new: Any) -> str:
    format_one = (
        _format_value if _format_value(old) != _format_value(new) else json.dumps
    )  # a text of digits looks like the number
    return f"{name} is {format_one(old)} there and {format_one(new)} here"


def _describe_other_recipe(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old.get("file") != new.get("file"):
        return f"the recipe is {old.get('file')} there and {new.get('file')} here"
    return (
        "the recipe has another text there"
        if old.get("text") != new.get("text")
        else "a file that the recipe reads is another there"
    )


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return (
            "x".join(map(str, value))
            if all(type(one) is int for one in value) and len(value) == 2
            else ", ".join(map(str, value))
        ) or "nothing"
    return "not set" if value is None else str(value)


def _is_stray(entry: os.DirEntry[str]) -> bool:
    """Whether this is a file that was still being written, by this version or an older one. Whoever holds the lock may
    remove it whatever its age.
    """
    return bool(STRAY_NAME.fullmatch(entry.name)) and entry.is_file(follow_symlinks=False)


def _format_json(data: Any) -> bytes:
    return format_json_indented(data).encode()


def _format_row(chunk: Chunk, **more: Any) -> bytes:
    return json.dumps({"seeds": [str(chunk.first), str(chunk.last)], **more}, ensure_ascii=False).encode()


def _format_rows(rows: Mapping[Chunk, bytes]) -> Iterator[bytes]:
    """A JSON list in pieces, with one row on each line, in the order of the seeds."""
    before = b"[\n"
    for chunk in sorted(rows):
        yield before + rows[chunk]
        before = b",\n"
    yield b"]" if rows else b"[]"
