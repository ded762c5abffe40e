"""The request of the batch in a folder: where it is stored, and how it is read."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from undercroft import limits
from undercroft.bulk.batch import parquet_files
from undercroft.bulk.batch.columns import METADATA_EXTRAS
from undercroft.bulk.batch.request import FORMAT_NAME, OLD_LAYOUT, BatchRequest, compute_digest
from undercroft.errors import BadInput, UndercroftError
from undercroft.inputs import files

ORDER_FILE = "order.json"
ABOUT_SUFFIX = ".batch"
"""The suffix of the folder beside a folder of Parquet files."""
CHUNK_NAME = re.compile(r"seeds-\d+-\d+\.parquet")
OTHER_BATCH_FIX = "take another folder, or ask for the same as before"


def about_folder(path: Path) -> Path:
    """The folder beside a folder of Parquet files.

    >>> about_folder(Path("data/caves")).as_posix()
    'data/caves.batch'
    """
    path = path if path.name not in ("", "..") else path.absolute().resolve()
    if not path.name:
        raise BadInput(f"nothing can lie beside {path}", fix="name a folder in it")
    return path.with_name(f"{path.name}{ABOUT_SUFFIX}")


def resolve_batch_folder(path: Path) -> Path:
    """The folder of a batch: `caves` for `caves.batch` beside it, else the path itself."""
    beside = path.with_name(path.name.removesuffix(ABOUT_SUFFIX)) if path.name.endswith(ABOUT_SUFFIX) else path
    return beside if path.name != ABOUT_SUFFIX and files.is_folder(beside) and about_folder(beside) == path else path


def is_batch_folder(path: str | Path) -> bool:
    """Whether a folder holds a batch."""
    try:
        return files.is_folder(path) and has_request(Path(path), about_folder(Path(path)))
    except UndercroftError:
        return False


def has_request(path: Path, about: Path) -> bool:
    return any(files.is_file(folder / ORDER_FILE) for folder in (path, about)) or _first_parquet_file(path) is not None


def _first_parquet_file(path: Path) -> Path | None:
    """The first Parquet file of a batch in a folder. Each holds the request, too: the folder may have been moved
    without the one beside it.
    """
    found = os.scandir(path) if files.is_folder(path) else ()
    names = sorted(entry.name for entry in found if CHUNK_NAME.fullmatch(entry.name))
    return path / names[0] if names and files.is_file(path / names[0]) else None


def read_request_data(path: Path) -> dict[str, Any]:
    """The data of the request in a folder, or in the folder beside it, or in the first of its Parquet files."""
    file = next((at / ORDER_FILE for at in (path, about_folder(path)) if files.is_file(at / ORDER_FILE)), None)
    if file is None:
        file = _first_parquet_file(path)
    if file is None:
        raise BadInput(f"{path} holds no batch", fix="name a folder that undercroft batch has filled")
    try:
        data = _read_metadata_request(file) if file.name != ORDER_FILE else _read_json(file)
        compute_digest(data)
    except UndercroftError:
        raise
    except Exception as error:
        raise BadInput(f"{file} is damaged", fix="take it from another copy, or begin in a new folder") from error
    if not isinstance(data, dict):
        raise BadInput(f"{file} is damaged", fix="take it from another copy, or begin in a new folder")
    return data


def check_request_types(data: Mapping[str, Any]) -> None:
    """Raise `TypeError` or `ValueError` for values of a request that nothing else checks."""
    size, version, editions = data["size"], data["version"], data["editions"]
    if not isinstance(size, list) or len(size) != 2 or not all(type(side) is int for side in size):
        raise TypeError("the size is two whole numbers")
    if min(size) < 1 or max(size) > limits.SIDE.value or size[0] * size[1] > limits.KERNEL_CELLS.value:
        raise ValueError("no level has that size")
    if not isinstance(version, str) or not isinstance(editions, dict):
        raise TypeError("the version is a text, the editions are a table")
    if not all(type(edition) is int for edition in editions.values()):
        raise TypeError("an edition is a whole number")


def _read_json(file: Path) -> Any:
    return json.loads(files.read_bytes(file, limits.JSON_BYTES))


def _read_metadata_request(file: Path) -> dict[str, Any]:
    metadata = parquet_files.read_metadata(file)
    return {key: value for key, value in metadata.items() if key not in METADATA_EXTRAS}


def adopt_layout(order: BatchRequest, path: str | Path) -> BatchRequest:
    """The request in the layout of the batch that a folder holds, so that a batch of an earlier version goes on."""
    if not files.is_file(Path(path) / ORDER_FILE):
        return order
    data = read_request_data(Path(path))
    if data.get("format") != f"{FORMAT_NAME}/{OLD_LAYOUT}":
        return order
    if order.vary.names:
        raise BadInput(f"{path} holds another batch: nothing varies there", fix=OTHER_BATCH_FIX)
    return order.in_layout(OLD_LAYOUT)
