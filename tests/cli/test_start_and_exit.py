"""A small command starts and ends quickly: it imports only what it uses, and skips only what nobody notices."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SMALL = ("generate", "cave", "--seed", "1", "--size", "80x50", "-o", "-", "--format", "text", "--quiet")
UNUSED_PACKAGES = ("PIL", "asyncio", "concurrent", "email", "hashlib", "importlib.metadata", "json", "multiprocessing")
UNUSED_MODULES = (
    "undercroft.analysis.compare",
    "undercroft.analysis.diameter",
    "undercroft.analysis.interest",
    "undercroft.analysis.solver",
    "undercroft.analysis.update_facts",
    "undercroft.bulk",
    "undercroft.cli.click_errors",
    "undercroft.cli.many_levels",
    "undercroft.cli.options.batch_rows",
    "undercroft.cli.options.input_level",
    "undercroft.cli.options.palettes",
    "undercroft.cli.output.nearest_level",
    "undercroft.cli.output.watch",
    "undercroft.core.tcod_arrays",
    "undercroft.core.timeline",
    "undercroft.draw",
    "undercroft.formats.native",
    "undercroft.formats.shared.siblings",
    "undercroft.inputs.joined_toml",
    "undercroft.inputs.json",
    "undercroft.inputs.toml_strings",
    "undercroft.kernels.measures",
    "undercroft.plugins.entry_points",
    "undercroft.rewrite",
    "undercroft.steps.facts.interest",
    "undercroft.steps.rooms",
    "undercroft.steps.start.fill",
    "undercroft.studio",
    "undercroft.templates",
    "undercroft.things",
)
LIST_IMPORTS = """
import sys
from undercroft.cli import run
code = run(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""
MAIN = "from undercroft_main import main\n"
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full, which this system lacks")


def run_python(
    *args: str, stdout: int | None = subprocess.PIPE, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *args],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **(env or {})},
    )


@pytest.mark.processes
def test_a_small_generate_imports_only_what_it_uses() -> None:
    """Each of these takes as long as a part of the level. NumPy needs none of the packages."""
    done = run_python("-c", LIST_IMPORTS, *SMALL)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stderr.split())
    assert "undercroft.steps.caves.join" in loaded
    unused = [*UNUSED_PACKAGES, *UNUSED_MODULES]
    assert [name for name in unused if name in loaded] == []


def test_the_modules_that_are_not_imported_exist() -> None:
    """A module that was moved would never be found."""
    for name in UNUSED_MODULES:
        path = Path(__file__).parents[2].joinpath("src", *name.split("."))
        assert path.is_dir() or path.with_suffix(".py").is_file(), name


@pytest.mark.processes
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (SMALL, 0),
        ((*SMALL, "--until", "rooms > 999", "--tries", "1"), 1),
        (("generate", "cav"), 2),
        ((*SMALL, "--max-steps", "5"), 3),
    ],
)
def test_the_end_at_once_is_like_that_of_python(args: tuple[str, ...], code: int) -> None:
    """`main` in a function is not the program itself, so Python ends as usual."""
    at_once = run_python("-c", f"{MAIN}main()", *args)
    as_usual = run_python("-c", f"{MAIN}(lambda: main())()", *args)
    assert at_once.returncode == code
    assert (at_once.returncode, at_once.stdout, at_once.stderr) == (
        as_usual.returncode,
        as_usual.stdout,
        as_usual.stderr,
    )


@needs_full
@pytest.mark.processes
@pytest.mark.parametrize("args", [SMALL, ("list", "recipes"), ("--help",)])
def test_a_full_disk_is_told_as_python_tells_it(args: tuple[str, ...]) -> None:
    with FULL.open("wb") as full:
        at_once = run_python("-c", f"{MAIN}main()", *args, stdout=full.fileno())
        as_usual = run_python("-c", f"{MAIN}(lambda: main())()", *args, stdout=full.fileno())
    assert "cannot write the output: no space left on device" in at_once.stderr
    assert (at_once.returncode, at_once.stderr) == (as_usual.returncode, as_usual.stderr)
    assert at_once.returncode != 0


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ there")
def test_a_pipe_without_a_reader_is_no_trouble() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run_python("-c", f"{MAIN}main()", *SMALL, stdout=writer)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.processes
def test_the_output_stands_before_what_is_written_at_the_end() -> None:
    code = f"import atexit\n{MAIN}atexit.register(print, 'the end')\nmain()"
    done = run_python("-c", code, *SMALL)
    assert (done.returncode, done.stdout.splitlines()[-1], done.stdout.count("\n")) == (0, "the end", 51)


@pytest.mark.processes
def test_threads_are_waited_for() -> None:
    code = (
        f"import threading, time\n{MAIN}threading.Thread(target=lambda: (time.sleep(1), print('done'))).start()\nmain()"
    )
    done = run_python("-c", code, *SMALL)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "done")


@pytest.mark.processes
def test_a_profiler_still_reports(tmp_path: Path) -> None:
    script = tmp_path / "command.py"
    script.write_text(f"{MAIN}main()\n")
    done = run_python("-m", "cProfile", str(script), *SMALL)
    assert done.returncode == 0, done.stderr
    assert "function calls" in done.stdout


@pytest.mark.processes
def test_development_mode_tells_of_files_left_open(tmp_path: Path) -> None:
    code = f"kept = open({str(tmp_path / 'a')!r}, 'w')\n{MAIN}main()"
    done = run_python("-c", code, *SMALL, env={"PYTHONDEVMODE": "1"})
    assert done.returncode == 0
    assert "ResourceWarning: unclosed file" in done.stderr
