"""A Dask cluster for tests: a scheduler and workers, each a process as a person would start it, on this machine."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

DRILL = Path(__file__).with_name("dask_drill.py")
QUICKLY = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1", "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s"}


class Cluster:
    """A context manager. `plan` sets how its workers fail; they are killed at the end."""

    def __init__(self, folder: Path, workers: int = 2, threads: int = 1) -> None:
        self.folder = folder
        self._workers, self._threads = workers, threads
        self.workers: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Cluster:
        self.plan()
        self.scheduler = self._started("scheduler", "--port", "0", "--scheduler-file", str(self._file))
        try:
            self.address = self._read_address()
            for _ in range(self._workers):
                self.add()
            if self._workers:
                self.wait(self._workers)
        except BaseException:
            self.__exit__()
            raise
        return self

    def _read_address(self) -> str:
        """The address of the scheduler. Its file exists before it has contents."""
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
                return str(json.loads(self._file.read_text())["address"])
            assert time.monotonic() < until, (self.folder / "log").read_text()
            time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)

    @property
    def _file(self) -> Path:
        return self.folder / "scheduler.json"

    def _started(self, kind: str, *more: str, **settings: str) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            "dask",
            kind,
            "--no-dashboard",
            "--dashboard-address",
            ":0",
            "--host",
            "127.0.0.1",
            *more,
        ]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, **QUICKLY, "DRILL": str(self.folder), **settings},
            )

    def add(self, **settings: str) -> subprocess.Popen[bytes]:
        """Add a worker, with the nanny that restarts it when it dies."""
        here = ("--local-directory", str(self.folder), "--preload", str(DRILL))
        self.workers.append(
            self._started(
                "worker", self.address, "--nworkers", "1", "--nthreads", str(self._threads), *here, **settings
            )
        )
        return self.workers[-1]

    def ask(self, question: str, *args: Any) -> Any:
        """What Dask itself reports."""
        distributed: Any = importlib.import_module("distributed")
        with distributed.Client(self.address, set_as_default=False, timeout=10) as client:
            return getattr(client, question)(*args)

    def wait(self, workers: int) -> None:
        """Wait until there are so many workers."""
        self.ask("wait_for_workers", workers, 60)

    def plan(self, **what: Any) -> None:
        """Set how workers fail from now on."""
        for name in ("begun", "full"):
            (self.folder / name).unlink(missing_ok=True)
        beside = self.folder / "plan.new"
        beside.write_text(json.dumps(what))
        beside.replace(self.folder / "plan.json")

    def list_started_chunks(self) -> list[tuple[int, int]]:
        """The chunks that were begun, in order: the process and the first seed of each."""
        path = self.folder / "begun"
        lines = path.read_text().splitlines() if path.exists() else []
        return [(int(pid), int(first)) for pid, first in map(str.split, lines)]


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its children."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
