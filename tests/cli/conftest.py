"""What tests of commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_lines import CommandResult, Say
from undercroft.cli import run


@pytest.fixture
def say(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Run a command line in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str) -> CommandResult:
        capfdbinary.readouterr()
        code = run(list(args))
        out, err = capfdbinary.readouterr()
        return CommandResult(code, out.decode(), err.decode())

    return call
