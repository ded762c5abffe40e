"""Run the benchmark: `python -m benchmarks.run`, or `make bench`."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

if __package__ in {None, ""}:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import checks, table
from benchmarks.contest import Row, contest
from benchmarks.figures import Figure, figures
from benchmarks.peers import rotjs
from benchmarks.works import WORKS

SIZES = ((80, 50), (512, 512), (2048, 2048), (4096, 4096))


def main(words: Sequence[str] | None = None) -> None:
    """Check, measure, print the table and the figures. A missed figure is told, never an exit code."""
    asked = _asked(words)
    for sentence in checks.check():
        print(f"checked: {sentence}", file=sys.stderr)
    rounds, patience, sizes = (3, 1.0, SIZES[:2]) if asked.quick else (9, 8.0, SIZES)
    rows: list[Row] = []
    try:
        for name in asked.only or WORKS:
            processes = name == "start"
            rows += contest(WORKS[name](sizes), 15 if processes else rounds, 60.0 if processes else patience, _progress)
    finally:
        rotjs.close()
        _progress("")
    table.show(rows)
    seen = list(figures(rows))
    print("\nFigures")
    for figure in seen:
        print(figure)
    if asked.json:
        Path(asked.json).write_text(json.dumps(_record(rows, seen), indent=1) + "\n", encoding="utf-8")


def _asked(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Ours against peers and floors, in one interleaved run, as ratios.")
    parser.add_argument("--quick", action="store_true", help="only the two smaller sizes, and few rounds")
    parser.add_argument("--only", action="append", choices=[*WORKS], metavar="NAME", help=f"only this work; may be given again ({', '.join(WORKS)})")
    parser.add_argument("--json", metavar="FILE", help="also write the rows and figures as JSON")
    return parser.parse_args(words)


def _progress(sentence: str) -> None:
    """Say what is being measured on one line of a terminal; say nothing into a pipe."""
    if sys.stderr.isatty():
        print(f"\r\x1b[2K{sentence[:100]}", end="", file=sys.stderr, flush=True)


def _record(rows: Sequence[Row], seen: Sequence[Figure]) -> dict[str, object]:
    return {
        "rows": [
            {"work": row.work, "size": row.size, "contender": row.contender, "seconds": row.seconds, "median": row.median, "skipped": row.skip} for row in rows
        ],
        "figures": [
            {"promise": figure.promise, "value": figure.value, "limit": figure.limit, "unit": figure.unit, "verdict": figure.verdict} for figure in seen
        ],
    }


if __name__ == "__main__":
    main()
