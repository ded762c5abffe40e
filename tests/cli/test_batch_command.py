"""`undercroft batch`: what is printed, where, and with which exit code."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say
from support.processes import AT_ONCE, until
from undercroft.bulk.batch.batch import Batch, BatchEngine, FinishedChunk, PoisonedSeeds
from undercroft.bulk.batch.request import BatchRequest
from undercroft.cli.commands import batch
from undercroft.cli.commands.batch import ProgressLog, format_duration, format_progress_line

ASK = (
    "batch",
    "cave",
    "--count",
    "30",
    "--size",
    "20x10",
    "--chunk",
    "10",
    "--as",
    "npz",
    "--workers",
    "1",
    "--no-report",
)


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the work be done in this process: most of these tests are about words."""
    chosen = Batch._choose_engine
    monkeypatch.setattr(
        Batch, "_choose_engine", lambda self, workers, memory, *rest: chosen(self, workers, None, *rest)
    )


@pytest.mark.usefixtures("at_home")
def test_what_is_said_at_the_end(say: Say) -> None:
    said = say(*ASK, "--out", "d")
    assert said.code == 0
    assert re.fullmatch(r"30 levels in d\n30 seeds in \d+ s, [\d,]+ a second\n", said.out)
    assert said.err == ""
    again = say(*ASK, "--out", "d")
    assert (again.code, again.out, again.err) == (0, "30 levels in d, 30 of them were there already\n", "")
    assert say(*ASK, "--out", "d", "--quiet").out == ""
    assert sorted(path.name for path in Path("d").iterdir()) == [
        "manifest.json",
        "order.json",
        "seeds-00-09.npz",
        "seeds-10-19.npz",
        "seeds-20-29.npz",
    ]


@pytest.mark.usefixtures("at_home")
def test_options_reach_the_order(say: Say) -> None:
    said = say(
        *(
            "batch",
            "cave",
            "--count",
            "4",
            "--out",
            "d",
            "--first",
            "7",
            "--until",
            "loops >= 0",
            "--until",
            "density > 0.1",
            "--tries",
            "9",
            "--pick",
            "best",
        ),
        *(
            "--measures",
            "loops,density",
            "--measures",
            "rooms",
            "--as",
            "png",
            "--option",
            "cell=2",
            "--option",
            "style=plain",
            "--chunk",
            "3",
            "--size",
            "21x11",
        ),
        *("--set", "fill_prob=0.41", "--max-steps", "1000000", "--max-cells", "1000", "--workers", "1", "--no-report"),
    )
    assert (said.code, said.err) == (0, "")
    data = json.loads(Path("d/order.json").read_text())
    wanted = {
        "first": "7",
        "count": 4,
        "until": ["loops >= 0", "density > 0.1"],
        "tries": 9,
        "pick": "best",
        "measures": ["loops", "density", "rooms"],
    }
    wanted |= {
        "as": "png",
        "options": {"cell": 2, "style": "plain"},
        "chunk": 3,
        "size": [21, 11],
        "max_steps": 1000000,
    }
    assert {key: data[key] for key in wanted} == wanted
    assert data["params"]["fill_prob"] == 0.41
    assert {"07.png", "10.png", "seeds-07-09.json", "seeds-10-10.json"} <= {path.name for path in Path("d").iterdir()}


@pytest.mark.usefixtures("at_home")
def test_the_summary_as_json(say: Say) -> None:
    said = say(*ASK, "--out", "d", "--json", "--until", "loops >= 1", "--tries", "2")
    told = json.loads(said.out)
    assert told["levels"] + sum(told["without_a_level"].values()) == told["done"] == 30
    assert told["seeds"] == ["0", "29"]
    assert told["rejected"].keys() == {"components == 1", "loops >= 1"}
    assert told["seconds_by_step"].keys() >= {"noise", "measures", "files"}
    assert (told["interrupted"], told["given_up"], told["damaged"]) == (False, [], [])


@pytest.mark.usefixtures("at_home")
def test_seeds_without_a_level_are_told(say: Say) -> None:
    some = say(*ASK, "--out", "some", "--until", "loops >= 1", "--tries", "1")
    assert some.code == 0
    assert re.fullmatch(r"undercroft: note: \d+ seeds of 30 without a level: no try is as required\n", some.err)
    assert re.search(r"\n\d+ attempts were not as required: loops >= 1\n", some.out)
    none = say(*ASK, "--out", "none", "--until", "loops >= 90", "--tries", "1")
    assert none.code == 1
    assert none.err == "undercroft: note: 30 seeds of 30 without a level: no try is as required\n"
    assert none.out.startswith("0 levels in none\n")


@pytest.mark.usefixtures("at_home")
def test_damage_is_told(say: Say) -> None:
    say(*ASK, "--out", "d")
    Path("d/seeds-10-19.npz").write_bytes(b"")
    said = say(*ASK, "--out", "d")
    assert (said.code, said.err) == (0, "undercroft: note: seeds-10-19.npz was damaged, and was made again\n")
    assert said.out.startswith("30 levels in d, 20 of them were there already\n10 seeds in ")


@pytest.mark.usefixtures("at_home")
def test_of_many_damaged_files_a_few_are_named(say: Say) -> None:
    ask = [*ASK[:6], "--chunk", "1", *ASK[8:], "--out", "d"]
    say(*ask)
    for path in Path("d").glob("seeds-*.npz"):
        path.write_bytes(b"")
    said = say(*ask)
    assert said.code == 0
    lines = said.err.splitlines()
    assert len(lines) == 6
    assert lines[0] == "undercroft: note: seeds-00-00.npz was damaged, and was made again"
    assert lines[-1] == "undercroft: note: and so were 25 more"


def test_what_was_given_up_is_told(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def poisoned(self: Batch) -> Iterator[FinishedChunk]:
        self.done, self.count.levels = 30, 20
        self.poisoned.append(PoisonedSeeds(10, 19, "SIGSEGV"))
        yield from ()

    monkeypatch.setattr(Batch, "_run", poisoned)
    said = say(*ASK, "--out", "d")
    assert said.code == 3
    assert said.err == "undercroft: note: the seeds 10 to 19 were given up: each time the worker ended (SIGSEGV)\n"


def test_of_many_that_were_given_up_a_few_are_named(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def poisoned(self: Batch) -> Iterator[FinishedChunk]:
        self.done, self.count.levels = 30, 2
        self.poisoned += [PoisonedSeeds(seed, seed, "SIGKILL") for seed in range(20)]
        yield from ()

    monkeypatch.setattr(Batch, "_run", poisoned)
    said = say(*ASK, "--out", "d")
    lines = said.err.splitlines()
    assert (said.code, len(lines)) == (3, 13)
    assert lines[0] == "undercroft: note: the seed 0 was given up: each time the worker ended (SIGKILL)"
    assert lines[-1] == "undercroft: note: and so were 8 seeds more; manifest.json names them all"


@pytest.mark.usefixtures("at_home")
def test_what_was_damaged_and_given_up_is_not_said_to_be_made_again(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    say(*ASK, "--out", "d")
    for name in ("seeds-10-19.npz", "seeds-20-29.npz"):
        Path("d", name).write_bytes(b"torn")
    make = Batch._run_tasks

    def poisoned(self: Batch, engine: BatchEngine, tasks: list[list[int]]) -> Iterator[FinishedChunk]:
        self.poisoned.append(PoisonedSeeds(10, 19, "SIGSEGV"))
        return make(self, engine, [task for task in tasks if task[0] != 10])

    monkeypatch.setattr(Batch, "_run_tasks", poisoned)
    said = say(*ASK, "--out", "d")
    assert said.code == 3
    assert said.err.splitlines()[:2] == [
        "undercroft: note: seeds-10-19.npz was damaged",
        "undercroft: note: seeds-20-29.npz was damaged, and was made again",
    ]
    assert not Path("d/seeds-10-19.npz").exists()


MISTAKES = [
    (("--count", "0"), "the count is a whole number of levels from 1, not 0"),
    (("--first", "18446744073709551615"), "there are no 30 seeds from 18446744073709551615 on"),
    (("--measures", "lops"), "did you mean 'loops'?"),
    (("--as", "parqet"), "did you mean 'parquet'?"),
    (("--chunk-time", "0"), "the time of a chunk is a number of seconds above 0"),
    (("--chunk-time", "nan"), "the time of a chunk is a number of seconds above 0"),
    (("--results", "written"), "--results is about a cluster"),
    (("--dask", "tcp://nowhere:1"), "leave --workers and --chunk-time out"),
    (("--max-memory", "1"), "--max-memory"),
    (("--max-memory", "99999999999999"), "--max-memory"),
    (("--dask", "tcp://nowhere:1", "--max-memory", "2048"), "leave --max-memory out"),
    (("--option", "cell"), "a setting is NAME=VALUE"),
]


@pytest.mark.parametrize(("wrong", "sentence"), MISTAKES)
def test_mistakes(wrong: tuple[str, ...], sentence: str, say: Say) -> None:
    said = say(*ASK, "--out", "d", *wrong)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert "\n  fix: " in said.err
    assert not Path("d").exists()


def test_no_folder_is_no_batch(say: Say) -> None:
    said = say(*ASK)
    assert said.code == 2
    assert "--out" in said.err


def test_a_line_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    making = Batch(BatchRequest("cave", 100_000, as_="npz", size=(20, 10)), tmp_path / "d")
    assert format_progress_line(making) == "0 of 100,000 (0.0%)"
    making.done, making.found = 30_000, 10_000
    making._begun, making._ended = 100.0, 108.0
    assert format_progress_line(making) == "30,000 of 100,000 (30.0%), 2,500 a second, 28 s left"
    assert [format_duration(seconds) for seconds in (0.2, 59.6, 61, 3599, 86_399, 90_000)] == [
        "0 s",
        "1 min 0 s",
        "1 min 1 s",
        "59 min 59 s",
        "23 h 59 min",
        "1 d 1 h",
    ]


@pytest.mark.processes
def test_a_log_gets_a_line_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert batch.LOG_SECONDS == 60
    monkeypatch.setattr(batch, "LOG_SECONDS", 0.05)
    making = Batch(BatchRequest("cave", 10, as_="npz", size=(20, 10)), tmp_path / "d")
    begun = time.monotonic()
    told: list[str] = []

    def two() -> bool:
        told.extend(capsys.readouterr().err.splitlines())
        return len(told) >= 2

    with ProgressLog(making, True):
        until(two)
    told += capsys.readouterr().err.splitlines()
    assert 2 <= len(told) <= (time.monotonic() - begun) / 0.05 + 1, "also if no chunk is finished in the meantime"
    assert set(told) == {"undercroft: 0 of 10 (0.0%)"}
    with ProgressLog(making, False):
        time.sleep(0.12)
    assert capsys.readouterr().err == ""


@pytest.mark.processes
def test_a_terminal_gets_a_bar(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = f"batch cave --count 500 --size 40x20 --chunk 50 --as npz --workers 1 --no-report --out {tmp_path / 'd'}"
    process = subprocess.Popen(
        [*AT_ONCE, *words.split()],
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(theirs)
    seen = b""
    while True:
        select.select([ours], [], [], 60)
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        seen += part
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())
    assert re.search(r"making .* [\d,]+ of 500 [\d,]+/s 0:00:\d\d 0:00:\d\d", text)


def test_help_says_what_exit_codes_mean(say: Say) -> None:
    said = say("batch", "--help")
    assert "3 if chunks had to be given up, and 130 if the command was interrupted" in " ".join(said.out.split())
    assert "batch" in uc.__all__
    assert "open_batch" in uc.__all__
