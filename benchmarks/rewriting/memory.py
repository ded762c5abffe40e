"""The most memory that a rewriting takes, in a process of its own:
`python -m benchmarks.rewriting.memory rooms-18 1023 1023 R`.
"""

import re
import subprocess
import sys
from pathlib import Path

from benchmarks import ours
from benchmarks.peers import MissingError

STATUS = Path("/proc/self/status")


def bytes_per_cell(name: str, size: tuple[int, int], start: str = "") -> float:
    """Bytes a cell at the peak, with the map itself, the tables of the rules and the result."""
    if not STATUS.exists():
        raise MissingError("memory is read from /proc, which this system lacks")
    done = subprocess.run(
        [sys.executable, "-m", __name__, name, *map(str, size), start],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    return float(done.stdout)


def _kilobytes(field: str) -> int:
    found = re.search(rf"{field}:\s+(\d+) kB", STATUS.read_text(encoding="ascii"))
    return int(found[1]) if found else 0


def _main(name: str, width: str, height: str, start: str) -> None:
    ours.rules(name)
    before = _kilobytes("VmRSS")
    ours.rewritten(name, ours.blank(name, int(width), int(height), start), 1)
    print(1024 * (_kilobytes("VmHWM") - before) / (int(width) * int(height)))


if __name__ == "__main__":
    _main(*sys.argv[1:])
