"""What goes wrong around a command line: slips that click notices, readers that leave, Ctrl-C while Python still
imports, and between attempts.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest

import undercroft as uc
from support.processes import pressed
from undercroft.cli import COMMANDS, EXIT_CODES, run, undercroft
from undercroft.cli.click_errors import OTHER_OPTIONS
from undercroft.errors import OTHER_WORDS
from undercroft.formats.table import FORMATS

SLIPS = [
    ("RECIPE is missing", "write undercroft search [OPTIONS] RECIPE", ["search"]),
    ("FILE|FOLDER|RECIPE is missing", "write undercroft measure [OPTIONS] FILE|FOLDER|RECIPE", ["measure"]),
    (
        "--max-memory is a whole number from 256 to 16,777,216, not '5'",
        "for example --max-memory 2048",
        ["search", "cave", "--max-memory", "5"],
    ),
    ("--tries is a whole number, not 'x'", "for example --tries 100", ["generate", "cave", "--tries", "x"]),
    ("--workers is a whole number, not 'two'", "for example --workers 1", ["search", "cave", "--workers", "two"]),
    ("--pick is one of first, best, not 'bst'", "did you mean 'best'?", ["generate", "cave", "--pick", "bst"]),
    ("--pick is one of first, best, not 'xxxxx'", "write --pick first", ["generate", "cave", "--pick", "xxxxx"]),
    ("--seeds has no value", "write one after it", ["search", "cave", "--seeds"]),
    ("--quiet takes no value", "write --quiet alone", ["generate", "cave", "--quiet=3"]),
    (
        "got unexpected extra argument (extra)",
        "write undercroft generate [OPTIONS] [RECIPE]",
        ["generate", "cave", "extra"],
    ),
    ("unknown option '--sed'", "did you mean --seed?", ["generate", "cave", "--sed", "4"]),
    ("unknown option '-s'", "did you mean --seed, --size or --set?", ["generate", "cave", "-s", "4"]),
    ("unknown option '-s'", "did you mean --seed or --size?", ["rewrite", "a.rules", "-s", "4"]),
    ("unknown option '-seed'", "did you mean --seed? long names", ["generate", "cave", "-seed", "4"]),
    ("unknown option '-q'", "did you mean --quiet?", ["generate", "cave", "-q"]),
    ("unknown option '-p'", "did you mean --set?", ["generate", "cave", "-p", "a=3"]),
    ("unknown option '-n'", "did you mean --count?", ["batch", "cave", "-n", "3"]),
    ("unknown option '-z'", "see --help", ["generate", "cave", "-z"]),
    ("unknown option '--output'", "did you mean -o?", ["generate", "cave", "--output", "a.png"]),
    ("unknown option '--width'", "did you mean --size?", ["generate", "cave", "--width", "9"]),
    ("unknown option '--colors'", "did you mean --colour?", ["generate", "cave", "--colors", "never"]),
    (
        "unknown option '--seeds'",
        "did you mean --seed? --seeds is an option of",
        ["generate", "cave", "--seeds", "3"],
    ),
    (
        "unknown option '--fail-under'",
        "--fail-under is an option of coverage",
        ["generate", "x", "--fail-under", "1"],
    ),
    ("--colour is one of auto, always, never, not 'red'", "--colour auto", ["generate", "cave", "--colour", "red"]),
    ("--color is one of auto, always, never, not 'red'", "--color auto", ["generate", "cave", "--color=red"]),
    ("unknown command 'gen'", "did you mean 'generate'?", ["gen", "cave"]),
    ("unknown command 'check'", "did you mean 'lint'?", ["check", "a.rules"]),
    ("unknown command 'version'", "write undercroft --version", ["version"]),
    ("unknown command 'help'", "write undercroft --help", ["help"]),
    ("a.godot: unknown suffix '.godot'", "did you mean '.tscn'?", ["generate", "cave", "-o", "a.godot"]),
    ("a.jpg: unknown suffix '.jpg'", "did you mean '.png'?", ["generate", "cave", "-o", "a.jpg"]),
    ("a.tiled: unknown suffix '.tiled'", "did you mean '.tmx'?", ["generate", "cave", "-o", "a.tiled"]),
    ("a.foundry: unknown suffix '.foundry'", "did you mean '.fvtt.json'?", ["generate", "cave", "-o", "a.foundry"]),
    ("unknown format 'tscn'", "did you mean 'godot'?", ["generate", "cave", "-o", "-", "--format", "tscn"]),
]


@pytest.mark.parametrize(("problem", "fix", "args"), SLIPS, ids=[" ".join(row[2]) for row in SLIPS])
def test_a_slip_is_named_and_mended(
    problem: str, fix: str, args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"undercroft: {problem}\n  fix: ")
    assert fix in said.err
    assert "usage:" not in said.err.casefold()


def test_words_of_others_stand_for_words_of_ours() -> None:
    suffixes = [suffix for row in FORMATS.values() for suffix in row.suffixes]
    ours = {*suffixes, *FORMATS, *COMMANDS, "colour", "turned", "mirrored", "chance"}
    assert {word for words in OTHER_WORDS.values() for word in words} <= ours
    assert not set(OTHER_WORDS) & {*suffixes, *COMMANDS}
    context = click.Context(undercroft)
    known = {
        option
        for name in COMMANDS
        for param in getattr(undercroft.get_command(context, name), "params", ())
        for option in param.opts
    }
    assert {option for options in OTHER_OPTIONS.values() for option in options} <= known


def test_exit_codes_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert " ".join(EXIT_CODES.split()) in " ".join(capsys.readouterr().out.split())


def test_a_bad_glyph_is_told_in_the_order_of_reading() -> None:
    with pytest.raises(uc.BadInput, match="unknown glyph 'z'") as caught:
        uc.Level.parse("..\n.zA\nA!")
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (2, 2)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no head")
@pytest.mark.parametrize(
    "args",
    [
        "list steps",
        "measure cave loops --seeds 0..2000 --size 20x10 --csv --workers 1",
        "generate cave --seed 1 --size 400x400",
    ],
)
def test_a_reader_that_leaves_is_no_failure(args: str) -> None:
    command = f"{sys.executable} -m undercroft {args} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


EARLY = """
import sys, threading, signal, os
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "undercroft.cli":
            os.kill(os.getpid(), signal.SIGINT)
        return None
sys.meta_path.insert(0, Slow())
from undercroft_main import main
main()
"""


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_while_the_package_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY, "list"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "undercroft: interrupted\n")


SWALLOWED = """
import sys, signal, os
class Deaf:
    def find_spec(self, name, path=None, target=None):
        if name == "undercroft.cli":
            try:
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1000):  # the handler runs here
                    pass
            except BaseException:
                pass
        return None
sys.meta_path.insert(0, Deaf())
from undercroft_main import main
main()
"""


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_while_a_module_is_imported_that_swallows_it() -> None:
    """As modules do that Cython has compiled, while they tell Python what their arrays are."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", SWALLOWED, "list"], capture_output=True, text=True, check=False, env=env
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "undercroft: interrupted\n")


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_ctrl_c_stays_ignored_where_it_was(tmp_path: Path) -> None:
    """As in a job that a script has started in the background."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n" + SWALLOWED
    done = subprocess.run(
        [sys.executable, "-c", code, "list", "measures"],
        capture_output=True,
        text=True,
        check=False,
        env=env,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
@pytest.mark.parametrize("more", [[], ["--pick", "best", "-o", "a.json"]])
def test_ctrl_c_between_attempts_tells_what_was_seen(more: list[str], tmp_path: Path) -> None:
    ask = [
        "generate",
        "cave",
        "--seed",
        "1",
        "--size",
        "30x12",
        "--until",
        "loops >= 9000",
        "--tries",
        "1000000",
        *more,
    ]
    for wait in (1.5, 5, 20):  # as long as this machine needs for an attempt
        process = subprocess.Popen(
            [sys.executable, "-m", "undercroft", *ask],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(wait)
        out, err = pressed(process)
        if "interrupted after" in err:
            break
    assert (process.returncode, out) == (130, ""), err
    match = re.match(
        r"undercroft: interrupted after ([\d,]+) of 1,000,000 tries\n    loops >= 9000: failed ([\d,]+) of ([\d,]+)\n"
        r"    nearest attempt \((\d+)\), off by [\d.]+: components 1, loops \d+\n",
        err,
    )
    assert match, err
    assert match[1] == match[2] == match[3]
    assert err.endswith(f"\n{uc.generate('cave', seed=1, size=(30, 12), attempt=int(match[4]))}\n")
    assert not list(tmp_path.iterdir())
