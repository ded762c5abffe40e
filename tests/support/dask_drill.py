"""Failures in the workers of a cluster. The workers load this module when they start (`dask worker --preload`), and
read a file for what to do.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft import version

if other := os.environ.get("DRILL_VERSION"):
    version.VERSION = other

from undercroft.bulk.batch import batch_work
from undercroft.bulk.batch.chunks import Chunk
from undercroft.bulk.batch.request import BatchRequest
from undercroft.errors import Cancelled, FileTrouble

FOLDER = Path(os.environ.get("DRILL", "."))
Made = Callable[[BatchRequest, Chunk, Callable[[], bool]], dict[str, Any]]
Written = Callable[[dict[str, Any], str], dict[str, Any]]
# Dask loads this file more than once
real: tuple[Made, Written] = vars(batch_work).setdefault("undrilled", (batch_work.make_chunk, batch_work.write_chunk))
made, written = real


def drilled(order: BatchRequest, chunk: Chunk, cancelled: Callable[[], bool] = lambda: False) -> dict[str, Any]:
    """Run a chunk with its planned failure."""
    plan = json.loads((FOLDER / "plan.json").read_text())
    with (FOLDER / "begun").open("a") as file:
        file.write(f"{os.getpid()} {chunk.first}\n")
    if chunk.first in plan.get("kill", []):
        os.kill(os.getpid(), signal.SIGKILL)
    if chunk.first in plan.get("hunger", []) and many(chunk) <= plan["times"]:
        raise MemoryError
    if chunk.first in plan.get("fail", []):
        raise KeyError("nobody foresaw this")
    until = time.monotonic() + plan.get("seconds", 0.0)
    while time.monotonic() < until:
        if cancelled():
            raise Cancelled("stopped")
        time.sleep(0.005)
    return made(order, chunk, cancelled)


def wrote(value: dict[str, Any], folder: str) -> dict[str, Any]:
    """Write the files of a chunk, unless a full disk is planned."""
    plan = json.loads((FOLDER / "plan.json").read_text())
    with (FOLDER / "full").open("a") as file:
        file.write("x")
    if len((FOLDER / "full").read_text()) <= plan.get("full", 0):
        raise FileTrouble(f"cannot write {folder}: no space left on device", fix="make room")
    return written(value, folder)


def many(chunk: Chunk) -> int:
    """How often the chunk was begun."""
    return sum(line.split()[1] == str(chunk.first) for line in (FOLDER / "begun").read_text().splitlines())


if "DRILL" in os.environ:  # not where this file is only imported for its doctests
    batch_work.make_chunk, batch_work.write_chunk = drilled, wrote  # type: ignore[assignment]
