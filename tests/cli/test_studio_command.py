"""The command that a page shows for a restart is one that works from any folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from undercroft.cli.commands.studio import find_own_command


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script called undercroft, which runs now."""
    path = tmp_path / "bin" / "undercroft"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(path)])
    monkeypatch.setenv("PATH", str(tmp_path))
    return path


def test_a_script_that_shells_find_has_its_name(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(script.parent))
    assert find_own_command() == ["undercroft"]


def test_another_script_has_its_path(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_own_command() == [str(script)]
    monkeypatch.chdir(script.parent.parent)
    monkeypatch.setattr(sys, "argv", ["bin/undercroft"])
    assert find_own_command() == [str(script)]


@pytest.mark.parametrize("name", ["undercroft/__main__.py", "-c", "", "pytest"])
def test_without_a_script_it_is_the_interpreter(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sys, "argv", [name])
    found = find_own_command()
    assert found == [sys.executable, "-m", "undercroft"]
    done = subprocess.run([*found, "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
