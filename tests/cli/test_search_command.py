"""`undercroft search` and the options of `generate` that go with it: what is printed, where, and with which exit
code.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import undercroft as uc
from support.command_lines import Say
from support.processes import AT_ONCE, nobody_left, pressed
from undercroft import limits
from undercroft.bulk.search.search import Search
from undercroft.bulk.search.search_sheet import describe_search
from undercroft.bulk.workers.adaptive import AdaptivePool
from undercroft.bulk.workers.in_process import TaskResult

ASK = ("search", "cave", "--seeds", "0..2999", "--until", "loops >= 12", "--size", "40x20", "--take", "3")


def test_one_and_two_workers_print_the_same(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def here(*_: Any) -> Generator[TaskResult, None, bool]:
        yield from ()
        return True

    monkeypatch.setattr(AdaptivePool, "_run_in_process", here)  # else it is over before the workers are ready
    one, two = say(*ASK, "--workers", "1"), say(*ASK, "--workers", "2")
    assert (one.code, one.out, one.err) == (two.code, two.out, two.err)
    lines = [line.split() for line in one.out.splitlines()]
    assert lines[0] == ["seed", "loops"]
    assert len(lines) == 4
    for seed, loops in lines[1:]:
        assert uc.measure(uc.generate("cave", seed=seed, size=(40, 20)), "loops")["loops"] == int(loops) >= 12
    assert len({len(line) for line in one.out.splitlines()}) == 1, "columns are aligned"


def test_the_command_that_it_names_shows_the_level_it_found(say: Say) -> None:
    found = say(
        "search",
        "cave",
        "--until",
        "loops >= 9",
        "--size",
        "40x20",
        "--take",
        "1",
        "--vary",
        "fill_prob=0.38..0.42",
        "--set",
        "connect=nearest",
        "--json",
    )
    data = json.loads(found.out)
    match = re.search(r"to see the first: undercroft (.*)\n", found.err)
    assert match
    say(*shlex.split(match[1]), "-o", "level.json")
    level = uc.load("level.json")
    assert uc.measure(level, "loops") == data["found"][0]["measures"]
    assert level.provenance["params"]["fill_prob"] == data["found"][0]["params"]["fill_prob"]
    assert level.provenance["params"]["connect"] == "nearest"


def test_the_command_that_it_names_has_the_limits_of_the_search(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CELLS", limits.CELLS._replace(value=2000))
    found = say("search", "cave", "--size", "60x40", "--take", "1", "--max-cells", "2400", "--max-steps", "5000000")
    match = re.search(r"to see the first: undercroft (.*)\n", found.err)
    assert match
    assert "--max-cells 2400" in match[1]
    assert "--max-steps 5000000" in match[1]
    assert say(*shlex.split(match[1]), "-o", "level.json").code == 0


def test_json(say: Say) -> None:
    said = say(*ASK, "--json", "--measures", "density, rooms", "--vary", "nrepeats=4,5", "--workers", "1", "--quiet")
    assert (said.code, said.err) == (0, "")
    data = json.loads(said.out)
    assert data["recipe"] == "cave"
    assert data["size"] == [40, 20]
    assert len(data["found"]) == 3
    assert data["rejected"] == {"loops >= 12": data["tried"] - 3}
    assert (data["nearest"], data["without_a_level"], data["given_up"], data["interrupted"]) == (None, {}, [], False)
    for one in data["found"]:
        assert isinstance(one["seed"], str)
        level = uc.generate("cave", seed=one["seed"], size=(40, 20), **one["params"])
        assert uc.measure(level, "loops", "density", "rooms") == one["measures"]
        assert list(one["measures"]) == ["loops", "density", "rooms"]
        assert one["attempt"] == level.provenance["attempt"]


def test_nothing_is_found(say: Say) -> None:
    ask = (
        "search",
        "cave",
        "--seeds",
        "5..34",
        "--until",
        "loops >= 90",
        "--until",
        "density > 0.1",
        "--size",
        "40x20",
    )
    one, two = say(*ask, "--workers", "1"), say(*ask, "--workers", "2")
    assert (one.code, one.out, one.err) == (two.code, two.out, two.err)
    assert (one.code, one.out) == (1, "")
    lines = one.err.splitlines()
    assert lines[:2] == ["undercroft: no level of 30 is as required", "    loops >= 90: failed 30 of 30"]
    match = re.fullmatch(r"    nearest: seed (\d+), off by 0\.\d+: loops (\d+), density 0\.\d+", lines[2])
    assert match
    loops = {seed: uc.measure(uc.generate("cave", seed=seed, size=(40, 20)), "loops")["loops"] for seed in range(5, 35)}
    assert loops[int(match[1])] == int(match[2]) == max(value for value in loops.values() if value is not None)
    assert lines[3].startswith("  fix: ask for less")
    assert "\n".join(lines[4:]) == str(uc.generate("cave", seed=int(match[1]), size=(40, 20)))
    quiet = say(*ask, "--quiet", "--json")
    assert quiet.code == 1
    assert quiet.err.splitlines() == lines[:4]
    assert json.loads(quiet.out)["nearest"]["seed"] == match[1]


def test_a_sheet(say: Say) -> None:
    said = say(*ASK, "--sheet", "found.png", "--measures", "path_length")
    assert said.code == 0
    assert "written to found.png" in said.err
    with Image.open("found.png") as image:
        assert image.format == "PNG"
        assert image.width > 900
        assert len(image.convert("RGB").getcolors(1 << 24) or ()) > 500, "there are pictures on it"


def test_a_sheet_says_which_measures_have_a_shorter_name() -> None:
    search = Search("cave", range(3), measures=["path_length", "room_area_gini", "loops", "density"], workers=1)
    assert describe_search(search).endswith("on this sheet: path (path length), room area gini, loops, open (density)")


def test_measures_add_up(say: Say) -> None:
    said = say(*ASK, "--measures", "rooms", "--measures", "density, doors")
    assert said.out.splitlines()[0].split() == ["seed", "loops", "rooms", "density", "doors"]


def test_levels_without_a_number_to_sort_by_are_left_out_and_counted(say: Say) -> None:
    Path("some.toml").write_text(
        '[[step]]\nuse = "noise"\nwall = 0.6\nring = false\n[[step]]\nuse = "join"\n[[step]]\nuse = "roles"\n'
        "doors = 1.0\n"
    )
    ask = ("search", "some.toml", "--seeds", "0..39", "--size", "12x8", "--sort", "door_spacing", "--take", "40")
    spacings = [
        uc.measure(uc.generate("some.toml", seed=seed, size=(12, 8)), "door_spacing")["door_spacing"]
        for seed in range(40)
    ]
    known = sorted((spacing for spacing in spacings if spacing is not None), reverse=True)
    assert 0 < len(known) < 40, "else this shows nothing"
    said = say(*ask)
    assert [int(line.split()[1]) for line in said.out.splitlines()[1:]] == known
    assert f"note: {40 - len(known)} levels left out: there is no number to sort by\n" in said.err
    none = say("search", "cave", "--seeds", "0..3", "--size", "20x10", "--sort", "door_spacing")
    assert (none.code, none.out) == (1, "")


def test_a_sheet_shows_as_many_as_fit(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = ("search", "cave", "--seeds", "0..39", "--size", "20x12", "--take", "40", "--sheet", "a.png")
    assert "are on the sheet" not in say(*ask).err
    monkeypatch.setattr("undercroft.draw.sheets.contact_sheet.PICTURE_SIDE", limits.PICTURE_SIDE._replace(value=1500))
    said = say(*ask)
    match = re.search(
        r"note: the first (\d+) of 40 are on the sheet, and no more fit: --take fewer to see all\n", said.err
    )
    assert match, said.err
    assert 4 < int(match[1]) < 40
    assert (said.code, len(said.out.splitlines())) == (0, 41)
    with Image.open("a.png") as image:
        assert 900 < max(image.size) <= 1500
    monkeypatch.setattr("undercroft.draw.sheets.contact_sheet.PICTURE_SIDE", limits.PICTURE_SIDE._replace(value=100))
    assert "fix: search for levels of a smaller --size" in say(*ask).err


def test_sorting_takes_the_best_of_all(say: Say) -> None:
    ask = ("search", "cave", "--seeds", "0..99", "--size", "40x20", "--sort")
    said = say(*ask, "path_length", "--take", "4", "--json", "--quiet")
    lengths = [one["measures"]["path_length"] for one in json.loads(said.out)["found"]]
    every = sorted(
        (
            uc.measure(uc.generate("cave", seed=seed, size=(40, 20)), "path_length")["path_length"] or 0
            for seed in range(100)
        ),
        reverse=True,
    )
    assert lengths == every[:4]
    said = say(*ask, "-path_length", "--take", "4", "--json", "--quiet")
    assert [one["measures"]["path_length"] for one in json.loads(said.out)["found"]] == every[::-1][:4]


MISTAKES = [
    ("there are no seeds from 5 to 1", "write the smaller number first: 1..5", ["--seeds", "5..1"]),
    ("seeds are FIRST..LAST, not 'few'", "1..100", ["--seeds", "few"]),
    (
        "99999999999999999999 is no seed: the largest is 18446744073709551615",
        "sooner",
        ["--seeds", "0..99999999999999999999"],
    ),
    (
        "18446744073709551616 is no seed: the largest is 18446744073709551615",
        "sooner",
        ["--seeds", "18446744073709551616"],
    ),
    ("sort is a measure, with a minus before it for the smallest first, not '-'", "-loops", ["--sort", "-"]),
    ("no level can be so: secret_need is 0 or 1", "can be", ["--until", "secret_need == 2"]),
    ("cannot write nowhere/a.png: no such folder", "make the folder nowhere first", ["--sheet", "nowhere/a.png"]),
    ("cannot write folder.png: it is a folder", "name a file in it", ["--sheet", "folder.png"]),
    (
        "--max-memory is a whole number from 256 to 16,777,216, not '5'",
        "for example --max-memory 2048",
        ["--max-memory", "5"],
    ),
    ("--max-memory is a whole number from 256", "for example --max-memory 2048", ["--max-memory", "99999999999999"]),
    ("unknown measure 'lops'", "did you mean 'loops'?", ["--until", "lops > 2"]),
    ("unknown measure 'lops'", "did you mean 'loops'?", ["--measures", "rooms,lops"]),
    ("unknown measure 'path_lenght'", "did you mean 'path_length'?", ["--sort", "-path_lenght"]),
    ("'loops' is not a requirement", "write 'loops >= 2'", ["--until", "loops"]),
    (
        "no level can be both: 'loops > 5' and 'loops < 3'",
        "leave one",
        ["--until", "loops > 5", "--until", "loops < 3"],
    ),
    ("--take is a whole number from 1, not 0", "to take all of them, give the number of seeds", ["--take", "0"]),
    ("workers is a whole number from 1, not -2", "", ["--workers", "-2"]),
    ("the number of workers is 999; the limit is 256", "", ["--workers", "999"]),
    ("unknown parameter of cave 'fil_prob'", "did you mean 'fill_prob'?", ["--vary", "fil_prob=0..1"]),
    ("nothing lies between 0.5 and 0.3", "fill_prob=0.3..0.5", ["--vary", "fill_prob=0.5..0.3"]),
    ("fill_prob is set, and varies", "leave one", ["--vary", "fill_prob=0.3..0.5", "--set", "fill_prob=0.4"]),
    ("a sheet is a PNG picture, not 'a.gif'", "found.png", ["--sheet", "a.gif"]),
    ("a level of 0x5 has no cells", "", ["--size", "0x5"]),
]


@pytest.mark.parametrize(("problem", "fix", "options"), MISTAKES, ids=[" ".join(options) for *_, options in MISTAKES])
def test_mistakes(problem: str, fix: str, options: list[str], say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them before a single level is made."""
    monkeypatch.setattr("undercroft.bulk.search.search_work.run_request", None)
    Path("folder.png").mkdir()
    said = say("search", "cave", *options)
    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert fix in said.err


def test_a_huge_range_is_no_trouble(say: Say) -> None:
    said = say("search", "cave", "--seeds", "0..18446744073709551615", "--size", "20x10", "--take", "1")
    assert said.code == 0
    assert said.out.split()[0] == "seed"


ENDLESS = ["search", "cave", "--seeds", "0..999999999", "--until", "loops >= 14", "--size", "40x20", "--take", "999999"]


def started(folder: Path, *args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "undercroft", *args],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize(("workers", "more"), [("1", []), ("2", []), ("2", ["--sort", "density"])])
def test_ctrl_c_prints_what_was_found_so_far(workers: str, more: list[str], tmp_path: Path) -> None:
    for wait in (0.7, 2, 5, 12, 30):  # as long as this machine needs to find something
        process = started(tmp_path, *ENDLESS, "--workers", workers, *more)
        time.sleep(wait)
        out, err = pressed(process, group=True)
        rows = [line.split() for line in out.splitlines()]
        if len(rows) > 2:
            break
    assert process.returncode == 130, err
    assert re.fullmatch(
        r"undercroft: interrupted after [\d,]+ levels; [\d,]+ found; to go on: undercroft search cave --seeds .*\n", err
    )
    assert len(rows) > 2
    for seed, *_ in rows[1:4]:
        assert uc.measure(uc.generate("cave", seed=seed, size=(40, 20)), "loops")["loops"] >= 14  # type: ignore[operator]
    assert nobody_left(process.pid)


class Stopped:
    """Ctrl-C after so many messages."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
        def run_until_interrupted(paced: AdaptivePool, pieces: Any) -> Generator[TaskResult]:
            for number, done in enumerate(run_all(paced, pieces)):
                if number == after:
                    raise KeyboardInterrupt
                yield done

        run_all = AdaptivePool.run
        monkeypatch.setattr(AdaptivePool, "run", run_until_interrupted)


def test_interrupted_with_a_sheet_it_says_that_it_is_written(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    Stopped(monkeypatch, 2)  # few levels: a sheet of hundreds takes seconds to draw
    said = say(
        "search",
        "cave",
        "--seeds",
        "0..99999",
        "--size",
        "20x10",
        "--take",
        "99999",
        "--workers",
        "1",
        "--sheet",
        "a.png",
    )
    assert said.code == 130
    match = re.search(
        r"undercroft: interrupted after \d+ levels; \d+ found, written to a.png; to go on: (.*)\n", said.err
    )
    assert match
    assert "--sheet" not in match[1], "it would be written over"
    assert Path("a.png").exists()


def test_interrupted_before_anything_is_found_it_tells_what_failed(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    Stopped(monkeypatch, 5)
    said = say(
        "search",
        "cave",
        "--seeds",
        "0..99999",
        "--size",
        "20x10",
        "--until",
        "loops >= 500",
        "--workers",
        "1",
        "--json",
    )
    assert said.code == 130
    data = json.loads(said.out)
    assert data["interrupted"] is True
    first, head, failed, nearest = said.err.splitlines()[:4]
    assert first.startswith(f"undercroft: interrupted after {data['tried']} levels; 0 found; to go on: ")
    assert head == f"undercroft: no level of {data['tried']} is as required"
    assert failed == f"    loops >= 500: failed {data['tried']} of {data['tried']}"
    assert nearest.startswith(f"    nearest: seed {data['nearest']['seed']}, off by ")


def test_seeds_that_were_given_up_are_named_by_their_cause(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    def killing(_paced: AdaptivePool, pieces: Any) -> Generator[TaskResult]:
        for piece in pieces:
            yield (
                TaskResult([piece], None, 0.0, "SIGSEGV" if piece[0] % 2 else "not enough memory")
                if piece[0] < 3
                else TaskResult([piece], [[0, 0, [piece[0]]]], 0.1)
            )

    monkeypatch.setattr(AdaptivePool, "run", killing)
    said = say("search", "cave", "--seeds", "0..4", "--until", "loops >= 0", "--json")
    assert said.code == 3
    assert "note: seeds 0, 2 were given up: each time the worker ended (not enough memory)\n" in said.err
    assert "note: seed 1 was given up: each time the worker ended (SIGSEGV)\n" in said.err
    assert json.loads(said.out)["given_up"] == [
        {"seeds": ["0", "2"], "cause": "not enough memory"},
        {"seeds": ["1"], "cause": "SIGSEGV"},
    ]


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize("wait", [0.2, 0.8, 1.6])
def test_ctrl_c_at_any_moment_leaves_no_traceback_and_nobody_behind(wait: float, tmp_path: Path) -> None:
    process = started(tmp_path, *ENDLESS, "--workers", "2")
    time.sleep(wait)
    _, err = pressed(process, group=True)
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in err or process.returncode == -signal.SIGINT, (
        "before our first line is read, Python itself answers"
    )
    assert nobody_left(process.pid)


@pytest.mark.long
@pytest.mark.processes
def test_progress_on_a_terminal_and_nothing_of_it_in_a_pipe(tmp_path: Path) -> None:
    ask = [*AT_ONCE, "search", "cave", "--seeds", "0..599", "--until", "loops >= 900", "--workers", "2"]
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        ask,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120"},
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert process.wait() == 1
    assert "0 found" in shown.decode()
    assert "of 600" in shown.decode()
    assert "/s" in shown.decode()
    piped = subprocess.run(ask, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (piped.returncode, piped.stdout) == (1, "")
    assert "\x1b" not in piped.stderr
    assert "0 found" not in piped.stderr


# --- generate ---------------------------------------------------------------------------------------------------------


def test_generate_draws_the_nearest_if_nothing_fits(say: Say) -> None:
    ask = ("generate", "cave", "--seed", "1", "--size", "40x12", "--until", "loops >= 99", "--tries", "5")
    said = say(*ask)
    assert (said.code, said.out) == (1, "")
    match = re.search(r"nearest attempt \((\d)\), off by 0\.\d+: components 1, loops \d+\n", said.err)
    assert match
    level = uc.generate("cave", seed=1, size=(40, 12), attempt=int(match[1]))
    assert said.err.endswith(f"\n{level}\n")
    assert str(level) not in say(*ask, "--quiet").err
    wide = say("generate", "cave", "--seed", "1", "--size", "200x12", "--until", "loops >= 9999", "--tries", "2")
    assert len(wide.err.splitlines()) == 4
    unnamed = say("generate", "cave", "--size", "40x12", "--until", "loops >= 99", "--tries", "2")
    assert re.search(r"undercroft: seed \d+\n$", unnamed.err)


def test_generate_takes_the_best_or_one_attempt(say: Say) -> None:
    ask = ("generate", "cave", "--seed", "1", "--size", "40x12", "--until", "loops >= 99")
    best = say(*ask, "--tries", "5", "--pick", "best")
    assert best.code == 0
    assert "note: not as required (loops >= 99): loops is " in best.err
    match = re.search(r"attempt (\d)", best.err)
    assert match
    assert say(*ask, "--attempt", match[1]).out == best.out
    assert say("generate", "cave", "--attempt", "-1").code == 2
    assert (
        "from 0 to 18,446,744,073,709,551,614, not 99999999999999999999"
        in say("generate", "cave", "--attempt", "99999999999999999999").err
    )
    assert say("generate", "cave", "--pick", "worst").code == 2


@pytest.mark.parametrize("more", [(), ("--vary", "nrepeats=3,4,5"), ("--tries", "3", "--set", "nrepeats=4")])
def test_an_interrupted_search_names_the_command_that_goes_on(
    say: Say, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """The first run and the second find together what an uninterrupted one finds, each hit once or twice."""
    ask = ["search", "cave", "--size", "40x20", "--until", "loops >= 10", "--seeds", "0..400", "--workers", "1"]
    ask += ["--take", "12", "--json", *more]
    whole = json.loads(say(*ask).out)
    with monkeypatch.context() as patched:
        Stopped(patched, 3)
        first = say(*ask)
    data = json.loads(first.out)
    assert (first.code, data["interrupted"]) == (130, True)
    assert 0 < len(data["found"]) < 12
    match = re.search(r"to go on: undercroft (.*)\n", first.err)
    assert match
    words = shlex.split(match[1])
    assert words[words.index("--seeds") + 1] == f"{data['next_seed']}..400"
    assert words[-1] == "--json"
    rest = json.loads(say(*words).out)
    before = [hit for hit in data["found"] if int(hit["seed"]) < int(data["next_seed"])]
    assert before + rest["found"] == whole["found"]


def test_a_level_beyond_the_tries_of_generate_is_named_with_them(say: Say) -> None:
    Path("picky.toml").write_text(PICKY)
    data = json.loads(say("search", "picky.toml", "--seeds", "0..40", "--take", "1", "--tries", "2000", "--json").out)
    assert data["found"][0]["attempt"] >= 100, "else the test shows nothing"
    said = say("search", "picky.toml", "--seeds", "0..40", "--take", "1", "--tries", "2000")
    match = re.search(r"to see the first: undercroft (.*)\n", said.err)
    assert match
    assert "--tries 2000" in match[1]
    assert say(*shlex.split(match[1]), "-o", "level.json").code == 0
    assert uc.load("level.json").provenance["attempt"] == data["found"][0]["attempt"]


PICKY = """
size = [9, 9]
[[step]]
use = "noise"
wall = 0.5
[require]
components = "== 1"
density = ">= 0.33"
"""


def test_tries_out_of_range(say: Say) -> None:
    said = say("search", "cave", "--tries", "0")
    assert said.code == 2
    assert "tries is a whole number from 1, not 0" in said.err
