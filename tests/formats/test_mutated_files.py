"""Files changed at random: a reader gives a level that can be written again, or refuses in a sentence, and takes little
time and memory.

`make test` reads some files of every format, `make test-long` further ones, `make heavy` a million. A failure names the
files, which are kept, and a command that reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.maps import HEAVY, spans
from support.starting_files import list_readable, list_starting_files
from undercroft.formats import FORMATS, load, read_origin

pytest.importorskip("resource", reason="processor time and memory of a process are measured by it")
from support import mutation_worker
from support.mutation_worker import CaseRunner, build_case, write_case

QUICK_CASES = 500
LONG_CASES = 1_000_000 if HEAVY else 10000
"""Cases of all formats together: those of `make test`, and those that come on top."""
BLOCK_CASES = 1000
"""Cases of one test item."""
SHARES = {row.name: 3 if row.load else 1 for row in list_readable()}
"""A reader of levels gets three times as many cases as one of provenances."""


def count_cases(total: int, name: str) -> int:
    """The cases of a format, if there are `total` for all of them."""
    return -(-total * SHARES[name] // sum(SHARES.values()))


def list_blocks() -> list[Any]:
    """A parameter set for each block of cases of each format; cases that `make test` leaves out are marked `long`."""
    return [
        pytest.param(name, *block.values, id=f"{name}-{block.id}", marks=block.marks)
        for name in SHARES
        for quick, further in [(count_cases(QUICK_CASES, name), count_cases(LONG_CASES, name))]
        for block in spans(quick + further, quick=quick, block=BLOCK_CASES)
    ]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CaseRunner]:
    found = CaseRunner(tmp_path_factory.mktemp("mutations") / "worker")
    yield found
    found.close()


@pytest.mark.parametrize(("name", "cases"), list_blocks())
def test_a_mutated_file_gives_a_level_or_a_sentence(name: str, cases: range, runner: CaseRunner) -> None:
    faults, _ = runner.run(name, cases)
    assert not faults, f"{len(faults)} faults or more:\n" + "\n".join(faults)


@pytest.mark.parametrize("name", SHARES)
def test_there_are_files_to_begin_with(name: str, tmp_path: Path) -> None:
    """Each can be read, and says how it was made if the format keeps that."""
    for start in list_starting_files(name):
        path = write_case(start, tmp_path)
        if FORMATS[name].load:
            assert load(path, name).tiles.size
        else:
            assert read_origin(path, name)["recipe"]


# --- the checks can fail ---

FAULTS = [
    ("{}['a']", "KeyError: 'a'"),
    ("raise BadInput('no')", "an error without a problem or a fix"),
    ("raise BadInput('no' * 2000, fix='yes')", "an error of 4,011 letters"),
    ("raise BadInput(chr(0xD800), fix='yes')", "an error that cannot be printed"),
    ("warnings.warn('old')", "a warning: UserWarning: old"),
    ("print('hello')", "it printed b'hello"),
    ("os.write(2, b'hello')", "it printed b'hello"),
    ("mutation_worker.MAX_GROWTH = 20 << 20; bytes(b'x' * 60_000_000)", "MB, and 20 are allowed"),
    ("mutation_worker.MAX_SECONDS = 0.01; sum(range(9_000_000))", "of processor time, and 0.01 are allowed"),
    ("while True: pass", "it did not end within 1 seconds of processor time"),
    ("os.abort()", "the process died with -6"),
]
"""What a reader does, and what is said of it."""
REPLACE_READER = f"""
import os, warnings
from pathlib import Path
from support import mutation_worker
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats import FORMATS
FAULTS = {[body for body, _ in FAULTS]}
def read(data, file, **options):
    exec(FAULTS[int((Path(file).parents[1] / "case").read_text())])
    return Level.parse("#.#")
mutation_worker.list_starting_files("text")
FORMATS.own["text"] = FORMATS["text"]._replace(load=read)
mutation_worker.HANG_SECONDS = 1.0
"""


def test_faults_of_a_reader_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutation_worker, "HANG_SECONDS", 1.0)
    monkeypatch.setattr(mutation_worker, "KEPT_FOLDER", tmp_path / "kept")
    found = CaseRunner(tmp_path / "worker", REPLACE_READER)
    try:
        faults, _ = found.run("text", range(len(FAULTS)), most_faults=99)
    finally:
        found.close()
    assert len(faults) == len(FAULTS)
    for case, (fault, (_, problem)) in enumerate(zip(faults, FAULTS, strict=True)):
        assert fault.startswith(f"text, case {case}: ")
        assert problem in fault
        assert "the mutation: level.txt: " in fault
        assert f"load('{tmp_path / 'kept' / f'text-{case}' / 'level.txt'}'" in fault


@pytest.mark.parametrize("name", ["text", "json", "npz", "tmx", "png:tiles", "xp"])
def test_a_case_is_the_same_each_time(name: str) -> None:
    assert build_case(name, 3) == build_case(name, 3)
    assert build_case(name, 3) != build_case(name, 4)
