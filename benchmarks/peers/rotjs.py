"""The peer rot.js: installed by npm when first needed, and run by one node process that waits between jobs."""

import functools
import json
import shutil
import subprocess
from pathlib import Path
from typing import IO, cast

from benchmarks.peers import MissingError

HOME = Path(__file__).parent


@functools.cache
def node() -> str:
    """The node program, after making sure that rot.js is beside it."""
    found, npm = shutil.which("node"), shutil.which("npm")
    if not found or not npm:
        raise MissingError("node and npm are not on the PATH")
    if not (HOME / "node_modules" / "rot-js").exists():
        done = subprocess.run(
            [npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"],
            cwd=HOME,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise MissingError(
                "npm could not install rot-js: " + (done.stderr.strip().splitlines() or ["no reason given"])[0]
            )
    return found


@functools.cache
def worker() -> "subprocess.Popen[str]":
    """The waiting node process; it ends when our end of its stdin closes."""
    return subprocess.Popen(
        [node(), str(HOME / "worker.mjs")], cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def seconds(work: str, width: int, height: int, times: int = 1, rounds: int = 0) -> float:
    """Seconds for one map, as measured inside node over some repetitions."""
    return _answer(work, width, height, times, rounds)["seconds"]


def floor(work: str, width: int, height: int) -> int:
    """The number of open cells of a map."""
    return int(_answer(work, width, height)["floor"])


def _answer(work: str, width: int, height: int, times: int = 1, rounds: int = 0) -> dict[str, float]:
    job = {"work": work, "width": width, "height": height, "times": times, "rounds": rounds}
    process = worker()
    sink, source = cast(IO[str], process.stdin), cast(IO[str], process.stdout)
    sink.write(json.dumps(job) + "\n")
    sink.flush()
    line = source.readline()
    if not line:
        raise MissingError(f"node ended while it made {work} {width}x{height}")
    answer: dict[str, float] = json.loads(line)
    return answer


def close() -> None:
    """End the node process, if one was started."""
    if worker.cache_info().currsize:
        process = worker()
        cast(IO[str], process.stdin).close()
        process.wait(timeout=60)
        worker.cache_clear()
