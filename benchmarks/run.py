"""Run the benchmark: `python -m benchmarks.run`, or `make bench`."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

if __package__ in {None, ""}:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import batch, batching, checks, dungeons, figures, measures, pictures, search, table, works
from benchmarks.classic import checks as classic_checks
from benchmarks.classic import figures as classic_figures
from benchmarks.classic import works as classic_works
from benchmarks.contest import Entry, Row, contest
from benchmarks.figures import Figure
from benchmarks.layouts import checks as layout_checks
from benchmarks.layouts import figures as layout_figures
from benchmarks.layouts import works as layout_works
from benchmarks.peers import rotjs
from benchmarks.rewriting import checks as rewriting_checks
from benchmarks.rewriting import figures as rewriting_figures
from benchmarks.rewriting import works as rewriting_works

SIZES = ((80, 50), (512, 512), (2048, 2048), (4096, 4096))
LONG = {"start": (15, 60.0), "batch": (3, 60.0)}
"""Works of many seconds: how many rounds they have, and how many seconds a contender may take in all."""


class Part(NamedTuple):
    """A part of the benchmark. It can be selected by name, as a work can."""

    works: dict[str, Callable[[Sequence[works.Size]], Iterator[Entry]]]
    checks: checks.Checks
    figures: Callable[[Sequence[Row]], Iterator[Figure]]


PARTS = {
    "levels": Part(works.WORKS, checks.CHECKS, figures.figures),
    "rewriting": Part(rewriting_works.WORKS, rewriting_checks.CHECKS, rewriting_figures.figures),
    "classic": Part(classic_works.WORKS, classic_checks.CHECKS, classic_figures.figures),
    "layouts": Part(layout_works.WORKS, layout_checks.CHECKS, layout_figures.figures),
    "measuring": Part(measures.WORKS, measures.CHECKS, measures.figures),
    "dungeons": Part(dungeons.WORKS, dungeons.CHECKS, dungeons.figures),
    "drawing": Part(pictures.WORKS, pictures.CHECKS, pictures.figures),
    "searching": Part(search.WORKS, search.CHECKS, search.figures),
    "batch": Part(
        batch.WORKS | batching.WORKS,
        batch.CHECKS + batching.CHECKS,
        lambda rows: chain(batch.figures(rows), batching.figures(rows)),
    ),
}


def main(words: Sequence[str] | None = None) -> None:
    """Check, measure, print the table and the figures. A missed figure is only reported; contenders that disagree are a
    failure.
    """
    asked = _parse_arguments(words)
    rounds, patience, sizes = (3, 1.0, SIZES[:2]) if asked.quick else (9, 8.0, SIZES)
    rows: list[Row] = []
    seen: list[Figure] = []
    unmeasured: list[str] = []
    try:
        for called, part in PARTS.items():
            chosen = [name for name in part.works if not asked.only or name in asked.only or called in asked.only]
            wrong = _disagreed(part.checks, chosen)
            unmeasured += wrong
            measured: list[Row] = []
            for name in chosen:
                if name in wrong:
                    continue
                measured += contest(part.works[name](sizes), *LONG.get(name, (rounds, patience)), _progress)
            rows += measured
            seen += part.figures(measured) if chosen else ()
    finally:
        rotjs.close()
        _progress("")
    table.show(rows)
    print("\nFigures")
    for figure in seen:
        print(figure)
    if asked.json:
        Path(asked.json).write_text(json.dumps(_record(rows, seen), indent=1) + "\n", encoding="utf-8")
    if unmeasured:
        raise SystemExit(f"not measured, since the contenders do not do the same work: {', '.join(unmeasured)}")


def _disagreed(known: checks.Checks, chosen: Sequence[str]) -> list[str]:
    """Run the checks of the chosen works, and return those works whose contenders disagree: their times would mean
    nothing.
    """
    wrong: set[str] = set()
    for names, check in known:
        if any(name in names for name in chosen):
            try:
                for sentence in check():
                    print(f"checked: {sentence}", file=sys.stderr)
            except checks.DisagreementError as error:
                print(f"disagreed: {error}", file=sys.stderr)
                wrong.update(names)
    return [name for name in chosen if name in wrong]


def _parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    names = [name for called, part in PARTS.items() for name in (called, *part.works)]
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.run", description="Ours against peers and floors, in one interleaved run, as ratios."
    )
    parser.add_argument("--quick", action="store_true", help="only the smaller sizes, and few rounds")
    parser.add_argument(
        "--only",
        action="append",
        choices=names,
        metavar="NAME",
        help=f"only this work or part; may be given again ({', '.join(names)})",
    )
    parser.add_argument("--json", metavar="FILE", help="also write the rows and figures as JSON")
    return parser.parse_args(words)


def _progress(sentence: str) -> None:
    """Show what is being measured on one line of a terminal; print nothing into a pipe."""
    if sys.stderr.isatty():
        print(f"\r\x1b[2K{sentence[:100]}", end="", file=sys.stderr, flush=True)


def _record(rows: Sequence[Row], seen: Sequence[Figure]) -> dict[str, object]:
    return {
        "rows": [
            {
                "work": row.work,
                "size": row.size,
                "contender": row.contender,
                "seconds": row.seconds,
                "median": row.median,
                "skipped": row.skip,
                **row.facts,
            }
            for row in rows
        ],
        "figures": [
            {
                "promise": figure.promise,
                "value": figure.value,
                "limit": figure.limit,
                "unit": figure.unit,
                "verdict": figure.verdict,
            }
            for figure in seen
        ],
    }


if __name__ == "__main__":
    main()
