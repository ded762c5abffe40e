"""`undercroft measure FILE FILE...`: measure several files, a line for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from undercroft.analysis.measures.table import MEASURES, Facts, Number, measure_editions
from undercroft.cli.messages import print_message, print_output
from undercroft.cli.options.input_level import read_input_level
from undercroft.cli.options.output_files import write_outputs
from undercroft.cli.options.reading import ReadOptions
from undercroft.errors import BadInput
from undercroft.inputs.json import format_json_indented
from undercroft.version import VERSION

DEFAULT_MEASURES = ("density", "rooms", "loops", "path_length")
"""The measures that are printed, if none is named."""


class FileOutputs(NamedTuple):
    """What to write: the names of files, or - for standard output."""

    json: str | None
    csv: str | None
    quiet: bool


class MeasuredFile(NamedTuple):
    """A file, the size of its level, and its numbers."""

    file: str
    size: tuple[int, int]
    numbers: dict[str, Number]


def measure_files(paths: Sequence[str], wanted: tuple[str, ...], reading: ReadOptions, outputs: FileOutputs) -> int:
    """Measure each file; returns the exit code."""
    from undercroft.bulk.measure.one_level import measure_or_none

    if outputs.json == outputs.csv == "-":
        raise BadInput("standard output takes one of them, --json or --csv", fix="name a file for the other")
    is_written = bool(outputs.json or outputs.csv)
    measures = wanted or (tuple(MEASURES) if is_written else DEFAULT_MEASURES)
    rows = []
    for path in paths:
        level = read_input_level(path, reading)
        facts = Facts(level)
        rows.append(MeasuredFile(path, level.size, {name: measure_or_none(name, facts) for name in measures}))
    ready = []
    if outputs.json:
        ready.append((outputs.json, _encode_json(rows, measures)))
    if outputs.csv:
        ready += _encode_csv(rows, measures, outputs.csv)
    write_outputs(ready)
    if not is_written or (not outputs.quiet and "-" not in (outputs.json, outputs.csv)):
        for line in _format_table(rows, measures):
            print_output(line)
    if not wanted and not is_written and not outputs.quiet:
        print_message("note: name further measures, or take all with --csv FILE.csv or --json FILE.json")
    written = [path for path, _ in ready if path != "-"]
    if written and not outputs.quiet:
        print_message(f"written to {', '.join(written)}")
    return 0


def _encode_json(rows: Sequence[MeasuredFile], measures: Sequence[str]) -> bytes:
    from undercroft.bulk.study_record import RECORD_KEY, build_study_record

    data: dict[str, Any] = {
        RECORD_KEY: build_study_record(measures),
        "files": [{"file": row.file, "size": list(row.size), "measures": row.numbers} for row in rows],
    }
    return format_json_indented(data).encode()


def _encode_csv(rows: Sequence[MeasuredFile], measures: Sequence[str], path: str) -> list[tuple[str, bytes]]:
    from undercroft.bulk.measure.measured_files import (
        CSV_METADATA_SUFFIX,
        LAST_COLUMNS,
        build_csv_metadata,
        csv_lines,
        simplify_number,
    )
    from undercroft.bulk.study_record import build_study_record, digest_editions

    head = csv_lines([("file", *measures, *LAST_COLUMNS)])
    end = VERSION, digest_editions({}, measure_editions(measures))
    body = csv_lines((row.file, *map(simplify_number, row.numbers.values()), *row.size, *end) for row in rows)
    found = [(path, head + body)]
    if path != "-":
        record = build_study_record(measures, editions=end[1])
        found.append((f"{path}{CSV_METADATA_SUFFIX}", build_csv_metadata(path, measures, record, head)))
    return found


def _format_table(rows: Sequence[MeasuredFile], measures: Sequence[str]) -> list[str]:
    """A line for each file."""
    lines = [["file", "size", *measures]]
    lines += [
        [row.file, "{}x{}".format(*row.size), *("none" if one is None else str(one) for one in row.numbers.values())]
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    found = []
    for file, *words in lines:
        cells = [f"{word:>{width}}" for word, width in zip(words, widths[1:], strict=True)]
        found.append("  ".join([f"{file:<{widths[0]}}", *cells]))
    return found
