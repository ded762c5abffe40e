"""The folder of a batch. Its contents are the journal: files are written whole, finished files are verified before they
are kept, and a lock admits one run at a time.

Programs that read a folder of Parquet files want no other files in it. So the request, the manifest and the report of
such a batch lie in a folder beside it, `caves.batch` beside `caves`.
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

from undercroft.bulk.batch import directory_lock
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.columns import BatchCounts
from undercroft.bulk.batch.folder_request import (
    ORDER_FILE,
    OTHER_BATCH_FIX,
    about_folder,
    has_request,
    read_request_data,
)
from undercroft.bulk.batch.level_files import check_regular_file, restore_shared_files
from undercroft.bulk.batch.request import FORMAT_NAME, OLD_LAYOUT, BatchRequest, compute_digest
from undercroft.bulk.batch.request_difference import describe_difference, is_extended
from undercroft.bulk.batch.storage import resolve_form
from undercroft.errors import BadInput, FileTrouble
from undercroft.inputs import files
from undercroft.inputs.json import format_json_indented

MANIFEST_FILE, LOCK_FILE = "manifest.json", ".lock"
DISK_FULL_ERRORS = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
"""Error numbers of a full disk or an exceeded quota."""
STRAY_NAME = re.compile(r"\..+\.[0-9a-f]+\.part")
"""Names of temporary files: with a random number, in older versions with that of the process."""


class BatchDirectory:
    """The folder that a batch is written to."""

    def __init__(self, path: str | Path, order: BatchRequest) -> None:
        files.refuse_address(path)
        self.path = Path(path)
        self.order = order
        is_beside = order.form == "parquet" and order.layout != OLD_LAYOUT
        self.about = about_folder(self.path) if is_beside else self.path
        """The folder of the request, the manifest and the report."""
        self._form = resolve_form(order)
        self.damaged: list[str] = []
        """Files that were damaged, and are made again."""

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder for this run. It is created if needed, refused if it holds something else, and cleaned."""
        self._make_directory()
        with directory_lock.hold_lock(self.about / LOCK_FILE, f"{self.path} is being filled by another run"):
            try:
                self._check_contents()
                yield
            except FileTrouble as error:
                if isinstance(error.__cause__, OSError) and error.__cause__.errno in DISK_FULL_ERRORS:
                    error.fix = "make room there, and run the same command again: it goes on from here"
                raise

    def _make_directory(self) -> None:
        try:
            for path in (self.path, self.about):
                if path.exists() and not path.is_dir():
                    raise FileTrouble(
                        f"cannot write to {path}: it is a file", fix="name a folder, or one that is not there yet"
                    )
                path.mkdir(parents=True, exist_ok=True)
            names = self._list_names()[0] if not has_request(self.path, self.about) else set()
        except (OSError, ValueError) as error:
            raise FileTrouble(
                f"cannot make the folder {self.path}: {files.describe_os_error(error)}", fix="name another place"
            ) from error
        if names:
            raise BadInput(
                f"{self.path} holds files, and they are of no batch ({sorted(names)[0]})", fix="name a new folder"
            )

    def _list_names(self) -> tuple[set[str], set[Path]]:
        """The names of the files, and the paths of those that were still being written, which a killed run has left."""
        names, stray = set(), set()
        for path in {self.path, self.about}:
            with os.scandir(path) as entries:
                for entry in entries:
                    if _is_stray(entry):
                        stray.add(Path(entry.path))
                    elif entry.name != LOCK_FILE:
                        names.add(entry.name)
        return names, stray

    def _check_contents(self) -> None:
        """Compare the request with the one in the folder, and remove files that a killed run has left. A request with
        further measures replaces the one in the folder.
        """
        names, stray = self._list_names()
        batch_files = names - {ORDER_FILE}  # a request without files may be replaced: nothing is lost
        if self.about != self.path and not any(self.path.iterdir()):
            batch_files = set()  # the levels were deleted, and what is left is about them
        is_old = has_request(self.path, self.about)
        stored_data = read_request_data(self.path) if is_old else {}
        if is_old and str(stored_data.get("format")).partition("/")[0] != FORMAT_NAME:
            raise BadInput(f"{self.path} holds files, and they are of no batch ({ORDER_FILE})", fix="name a new folder")
        is_same = compute_digest(stored_data) == self.order.digest
        if batch_files and not is_same and not is_extended(stored_data, self.order.data):
            raise BadInput(
                f"{self.path} holds another batch: {describe_difference(stored_data, self.order.data)}",
                fix=OTHER_BATCH_FIX,
            )
        self._remove_strays(stray)
        if not batch_files or not is_same or ORDER_FILE not in names:
            if not is_same:
                self.drop_manifest()
            files.write_file(self.about / ORDER_FILE, _format_json(self.order.data))

    def _remove_strays(self, paths: Iterable[Path]) -> None:
        for path in paths:
            with contextlib.suppress(OSError):
                path.unlink()

    def chunk_path(self, chunk: Chunk) -> Path:
        """The file that proves that a chunk is finished."""
        return self.path / f"{chunk.file_stem(self.order.digits)}{self._form.SUFFIX}"

    def is_extendable(self, chunk: Chunk) -> bool:
        """Whether the chunk was made for fewer measures than are asked for now."""
        path = self.chunk_path(chunk)
        if not path.is_file():
            return False
        try:
            metadata = self._form.read_metadata(path)
            if metadata["order"] == self.order.digest:
                return False
            old = self.order.with_measures(metadata["measures"])
            if metadata["order"] != old.digest:
                return False
            BatchDirectory(self.path, old)._verify_chunk(chunk, path)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - a damaged file can raise anything; then it is made again
            return False
        return is_extended(old.data, self.order.data)

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
            (self.about / MANIFEST_FILE).unlink()

    def write_manifest(self, chunks: Mapping[Chunk, bytes], levels: int, poisoned: Mapping[Chunk, str]) -> None:
        """Write the manifest from rows of `manifest_row`, and remove stray files again: workers that were ended may
        have left some.

        The manifest holds no times and no machine: two equal batches have equal folders.
        """
        self._remove_strays(self._list_names()[1])
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
        files.write_file(self.about / MANIFEST_FILE, chain.from_iterable(parts))


def manifest_row(chunk: Chunk, levels: int, written: list[dict[str, Any]]) -> bytes:
    """The row of a chunk in the manifest: its seeds, its levels, and its files with their sizes and digests. Encoded as
    bytes, since there may be very many.
    """
    return _format_row(chunk, levels=levels, files=written)


class DamagedFile(Exception):
    """A file of a batch differs from what was written."""


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
