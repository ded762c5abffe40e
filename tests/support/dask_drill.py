"""What goes wrong in the workers of a cluster. They load this file as it starts them (`dask worker --preload`), and
look into a file for what to do.
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
    """A chunk, with what is to go wrong with it."""
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
    """The files of a chunk, if the disk is not to be full."""
    plan = json.loads((FOLDER / "plan.json").read_text())
    with (FOLDER / "full").open("a") as file:
        file.write("x")
    if len((FOLDER / "full").read_text()) <= plan.get("full", 0):
        raise FileTrouble(f"cannot write {folder}: no space left on device", fix="make room")
    return written(value, folder)


def many(chunk: Chunk) -> int:
    """How often the chunk was begun."""
    return sum(line.split()[1] == str(chunk.first) for line in (FOLDER / "begun").read_text().splitlines())


if "DRILL" in os.environ:  # and not where this file is only looked through for examples
    batch_work.make_chunk, batch_work.write_chunk = drilled, wrote  # type: ignore[assignment]
