"""The folder of a batch: what is in it is the journal. Files are written whole, finished ones are looked at before they
are believed, one run works there.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
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

ORDER_FILE, MANIFEST_FILE, LOCK_FILE = "order.json", "manifest.json", ".lock"
KEY_DESCRIPTIONS = {
    "recipe": "the recipe",
    "editions": "the editions of its steps",
    "params": "what is set",
    "as": "the form",
    "options": "what the format is told",
    "written_by": "what writes the files",
}
"""How differences are told; other keys are called by their names."""
ENTRY_DESCRIPTIONS = {"editions": "the edition of {}"}
"""The same for single ones in a table."""
DISK_FULL_ERRORS = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
"""What systems say where there is no room."""
OTHER_BATCH_FIX = "take another folder, or ask for the same as before"


class BatchDirectory:
    """Where a batch goes."""

    def __init__(self, path: str | Path, order: BatchRequest) -> None:
        self.path = Path(path)
        self.order = order
        self._form = resolve_form(order)
        self.damaged: list[str] = []
        """Files that were not whole, and are made again."""

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Have the folder to oneself. It is made if need be, refused if it holds something else, and swept."""
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
                {entry.name for entry in os.scandir(self.path) if entry.name != LOCK_FILE and not _is_stray(entry.name)}
                if not self._has_order()
                else set()
            )
        except OSError as error:
            raise FileTrouble(
                f"cannot make the folder {self.path}: {(error.strerror or str(error)).lower()}",
                fix="name another place",
            ) from error
        if names:
            raise BadInput(
                f"{self.path} holds files, and they are of no batch ({sorted(names)[0]})", fix="name a new folder"
            )

    def _has_order(self) -> bool:
        return (self.path / ORDER_FILE).is_file()

    def _check_contents(self) -> None:
        """Hold the order against the one that is there, and take away what a run that was killed has left."""
        with os.scandir(self.path) as entries:
            names = {entry.name for entry in entries} - {LOCK_FILE}
        stray = {name for name in names if _is_stray(name)}
        begun = names - stray - {ORDER_FILE}  # an order that nothing was made of is nobody's loss
        there = read_request_data(self.path) if ORDER_FILE in names else {}
        if ORDER_FILE in names and str(there.get("format")).partition("/")[0] != FORMAT.partition("/")[0]:
            raise BadInput(f"{self.path} holds files, and they are of no batch ({ORDER_FILE})", fix="name a new folder")
        if begun and compute_digest(there) != self.order.digest:
            raise BadInput(
                f"{self.path} holds another batch: {describe_difference(there, self.order.data)}", fix=OTHER_BATCH_FIX
            )
        self._remove_files(stray)
        if not begun:
            files.write_file(self.path / ORDER_FILE, _format_json(self.order.data))

    def _remove_files(self, names: Iterable[str]) -> None:
        for name in names:
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def chunk_path(self, chunk: Chunk) -> Path:
        """The file that stands for a chunk."""
        return self.path / f"{chunk.file_stem(self.order.digits)}{self._form.SUFFIX}"

    def find_chunk(self, chunk: Chunk) -> tuple[list[dict[str, Any]], BatchCounts] | None:
        """The files of a chunk and what is in them, or None if they are not there.

        A file is read and made again from its rows: if a single byte of it is another, it is damaged. Raises
        `DamagedFile` then.
        """
        path = self.chunk_path(chunk)
        check_regular_file(path)
        if not path.exists():
            return None
        try:
            return self._verify_chunk(chunk, path)
        except DamagedFile:
            anew = [] if self.order.has_chunk_files else restore_shared_files(path, self.order)
            if not anew:
                raise
            self.damaged += anew
        return self._verify_chunk(chunk, path)

    def _verify_chunk(self, chunk: Chunk, path: Path) -> tuple[list[dict[str, Any]], BatchCounts]:
        try:
            shard = self._form.read_chunk(path, self.order)
            again = self._form.encode_chunk(self.order, chunk, shard)
            if again[-1][1] != path.read_bytes():
                raise DamagedFile(path.name)
            count = shard.count(self.order)
        except (DamagedFile, MemoryError):
            raise
        except Exception as error:  # a damaged file can break its reader anywhere
            raise DamagedFile(path.name) from error
        return [
            {"name": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in again
        ], count

    def write(self, made: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Put the files of a chunk in their places; those that a worker has written there are looked at. What the
        manifest says of them.
        """
        for file in made:
            path = self.path / file["name"]
            if file["data"] is not None:
                check_regular_file(path)
                files.write_file(path, file["data"])
            elif not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != file["sha256"]:
                raise FileTrouble(
                    f"a worker says that it wrote {file['name']}, and {self.path} does not hold it",
                    fix="let all workers see the same folder",
                )
        return [{key: file[key] for key in ("name", "size", "sha256")} for file in made]

    def discard(self, chunk: Chunk) -> None:
        """Take away what stands for a chunk and is not whole, so that nobody takes it for one that is, whatever comes
        of the next attempt.
        """
        with contextlib.suppress(OSError):
            self.chunk_path(chunk).unlink()

    def drop_manifest(self) -> None:
        """The batch is not finished any more."""
        with contextlib.suppress(FileNotFoundError):
            (self.path / MANIFEST_FILE).unlink()

    def write_manifest(self, chunks: Mapping[Chunk, bytes], levels: int, poisoned: Mapping[Chunk, str]) -> None:
        """Write the manifest, of rows as `manifest_row` makes them, and sweep once more: workers that were ended may
        have left something.

        No clock and no machine is in it: two equal batches have equal folders.
        """
        with os.scandir(self.path) as entries:
            self._remove_files([entry.name for entry in entries if _is_stray(entry.name)])
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
    """What the manifest says of a chunk: its seeds, its levels, and its files with their sizes and digests. As bytes,
    since there may be very many.
    """
    return _format_row(chunk, levels=levels, files=written)


class DamagedFile(Exception):
    """A file of a batch is not as it was written."""


def read_request_data(path: Path) -> dict[str, Any]:
    """What the order in a folder says."""
    file = path / ORDER_FILE
    if not file.is_file():
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
    """In which way two orders differ, in words.

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
    return (", ".join(found[:4]) + (", and more" if len(found) > 4 else "")) or "its order says other things"


def _differing_names(old: Mapping[str, Any], new: Mapping[str, Any], *, all_of_them: bool) -> list[str]:
    """What differs. If the recipe is another one, it goes without saying that some names stand in one alone."""
    names = [name for name in dict.fromkeys((*old, *new)) if not _is_same_json(old.get(name), new.get(name))]
    return [name for name in names if all_of_them or (name in old and name in new)]


def _is_same_json(old: Any, new: Any) -> bool:
    """Whether two values are written the same, as the digest of an order takes them: 2 and 2.0 are not."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def _describe_change(name: str, old: Any, new: Any) -> str:
    said = (
        _format_value if _format_value(old) != _format_value(new) else json.dumps
    )  # a text of digits looks like the number
    return f"{name} is {said(old)} there and {said(new)} here"


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


def _is_stray(name: str) -> bool:
    """Whether this is a file that somebody was still writing."""
    return name.startswith(".") and name.endswith(".part")


def _format_json(data: Any) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def _format_row(chunk: Chunk, **more: Any) -> bytes:
    return json.dumps({"seeds": [str(chunk.first), str(chunk.last)], **more}, ensure_ascii=False).encode()


def _format_rows(rows: Mapping[Chunk, bytes]) -> Iterator[bytes]:
    """A list with a row in each line, in the order of the seeds, piece by piece."""
    before = b"[\n"
    for chunk in sorted(rows):
        yield before + rows[chunk]
        before = b",\n"
    yield b"]" if rows else b"[]"
