"""The work of a batch that fails at one chunk, as an environment variable requests. Workers of the tests run `main` of
this module.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from undercroft.bulk.batch import batch_work
from undercroft.bulk.workers import jobs, worker

JOBS: jobs.Jobs = {"batch": "support.batch_drill"}
PLAN = "BATCH_DRILL"
"""The environment variable with the failure: {"first": seed, "how": "die", "times": 3, "mark": file}."""


def main() -> None:
    """The worker, whose only job is this module."""
    worker.main(JOBS)


def prepare(setup: Any) -> jobs.Work:
    work = batch_work.prepare(setup)
    plan = json.loads(os.environ.get(PLAN, "{}"))

    def troubled(task: Any, cancelled: Callable[[], bool]) -> Any:
        if plan and task[0] == plan["first"] and _again(plan):
            HOWS[plan["how"]]()
        time.sleep(plan.get("pause", 0.0))
        return work(task, cancelled)

    return troubled


def _again(plan: dict[str, Any]) -> bool:
    """Whether it fails once more; a file counts the failures."""
    with Path(plan["mark"]).open("a+") as file:
        file.write("x")
        file.flush()
        file.seek(0)
        return len(file.read()) <= int(plan["times"])


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _eat() -> None:
    bytearray(1 << 40)


def _hang() -> None:
    time.sleep(600)


HOWS: dict[str, Callable[[], None]] = {"die": _die, "eat": _eat, "hang": _hang}
