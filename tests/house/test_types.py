"""What type checkers see of the package, and that optional members are read in one place."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from support.paths import ROOT, TESTS

PACKAGE = ROOT / "src" / "undercroft"

CONFIGURATION: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
PROGRAM = TESTS / "cases" / "typed_program.py"


def test_make_check_reads_the_typed_program() -> None:
    """Its ignored errors are errors if they do not come: mypy says so as long as it is strict and reads the tests."""
    assert CONFIGURATION["strict"]
    assert CONFIGURATION.get("warn_unused_ignores", True)
    assert "tests" in CONFIGURATION["files"]
    assert not any(re.search(pattern, PROGRAM.relative_to(ROOT).as_posix()) for pattern in CONFIGURATION["exclude"])
    text = PROGRAM.read_text(encoding="utf-8")
    assert (text.count("# type: ignore["), text.count("assert_type(")) == (3, 1)


PROBED = ("check", "digest", "reads", "texts", "forgets", "log_later", "rewriting", "codes_mean")
"""Members that a step or a watcher may have: `describe_step` and `describe_watcher` read them."""


@pytest.mark.parametrize("name", PROBED)
def test_optional_members_are_read_in_one_place(name: str) -> None:
    probe = re.compile(rf"(?:get|has)attr\([^()]*(?:\([^()]*\)[^()]*)*[\"']{name}[\"']")
    found = [str(path.relative_to(PACKAGE)) for path in sorted(PACKAGE.rglob("*.py")) if probe.search(path.read_text())]
    assert found == []
    assert probe.search(f'getattr(STEPS[plan.use], "{name}", ())')
