"""What type checkers see of the package, and that optional members are read in one place."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

PACKAGE = ROOT / "src" / "undercroft"

PROGRAM = """
import undercroft as uc

recipe = uc.Recipe.load("cave")
recipe.generate(seed=3, tries=5, until="loops >= 2")
recipe.generate(sede=3)  # refused: it takes no free keywords
uc.generate("cave", seed=3, fill_prob=0.4)
uc.generate("cave", sede=3)  # a parameter may be called so: refused when it runs
uc.generate("cave", tries="many")  # refused: the keywords have their types
uc.generate("cave", pick="nearest")  # refused
try:
    uc.generate("cave", until="loops > 900", tries=1)
except uc.NotMet as error:
    reveal_type(error.best)
"""


@pytest.mark.long
def test_type_checkers_know_the_keywords_of_generate(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--no-error-summary",
            "--cache-dir",
            str(tmp_path / "cache"),
            "program.py",
        ],
        cwd=tmp_path,
        env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = PROGRAM.splitlines()
    expected = [number for number, line in enumerate(lines, 1) if "# refused" in line]
    found = re.findall(r"program\.py:(\d+): error: (.*)", done.stdout)
    assert [int(number) for number, _ in found] == expected, done.stdout + done.stderr
    assert 'Unexpected keyword argument "sede"' in found[0][1]
    assert re.search(r'Revealed type is "undercroft\.core\.level\.Level \| None"', done.stdout), done.stdout


PROBED = ("check", "digest", "reads", "texts", "forgets", "log_later", "rewriting", "codes_mean")
"""Members that a step or a watcher may have: `describe_step` and `describe_watcher` read them."""


@pytest.mark.parametrize("name", PROBED)
def test_optional_members_are_read_in_one_place(name: str) -> None:
    probe = re.compile(rf"(?:get|has)attr\([^()]*(?:\([^()]*\)[^()]*)*[\"']{name}[\"']")
    found = [str(path.relative_to(PACKAGE)) for path in sorted(PACKAGE.rglob("*.py")) if probe.search(path.read_text())]
    assert found == []
    assert probe.search(f'getattr(STEPS[plan.use], "{name}", ())')
