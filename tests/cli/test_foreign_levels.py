"""A level from somebody else: what its provenance names is read only in the current folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.command_lines import Say
from support.layouts import outside_names


@pytest.fixture
def foreign(layout_folder: Path) -> Callable[[Any], str]:
    """A level whose provenance names these layouts."""

    def write(layouts: Any) -> str:
        uc.generate("bsp", seed=3).save("foreign.json")
        data = json.loads(Path("foreign.json").read_text())
        data["provenance"]["params"]["layouts"] = layouts
        Path("foreign.json").write_text(json.dumps(data))
        return "foreign.json"

    return write


def test_a_foreign_level_reads_no_file_outside(say: Say, layout_folder: Path, foreign: Callable[[Any], str]) -> None:
    for path in outside_names(layout_folder):
        done = say("generate", "--from", foreign([path]))
        assert done.code == 2
        assert "lies outside the folder" in done.err
        assert "--set" in done.err
        assert "hunter2" not in done.err + done.out


def test_a_file_that_the_user_names_is_read_wherever_it_lies(
    say: Say, layout_folder: Path, foreign: Callable[[Any], str]
) -> None:
    file = foreign([str(layout_folder.parent / "secret.layout")])
    own = say("generate", "--from", file, "--set", f'layouts=["{layout_folder / "rooms" / "own.layout"}"]')
    assert own.code == 0
    assert say("generate", "--from", foreign(["rooms/own.layout"])).out == own.out
    assert "hunter2" in say("generate", "bsp", "--set", f'layouts=["{layout_folder.parent / "secret.layout"}"]').err
