"""A level from somebody else: what its provenance names is read only in the current folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.command_lines import Say
from support.paths import ROOT

ROOM = (ROOT / "src" / "undercroft" / "shipped" / "layouts" / "apse.layout").read_text()
SECRET = "hunter2\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files in it and one beside it."""
    folder = tmp_path / "here"
    (folder / "rooms").mkdir(parents=True)
    (folder / "rooms" / "own.layout").write_text(ROOM)
    (tmp_path / "secret.layout").write_text(SECRET)
    (folder / "link.layout").symlink_to(tmp_path / "secret.layout")
    monkeypatch.chdir(folder)
    return folder


def outside_names(folder: Path) -> list[str]:
    return [str(folder.parent / "secret.layout"), "../secret.layout", "rooms/../../secret.layout", "link.layout"]


@pytest.fixture
def foreign(here: Path) -> Callable[[Any], str]:
    """A level whose provenance names these layouts."""

    def write(layouts: Any) -> str:
        uc.generate("bsp", seed=3).save("foreign.json")
        data = json.loads(Path("foreign.json").read_text())
        data["provenance"]["params"]["layouts"] = layouts
        Path("foreign.json").write_text(json.dumps(data))
        return "foreign.json"

    return write


def test_a_foreign_level_reads_no_file_outside(say: Say, here: Path, foreign: Callable[[Any], str]) -> None:
    for path in outside_names(here):
        done = say("generate", "--from", foreign([path]))
        assert done.code == 2
        assert "lies outside the folder" in done.err
        assert "--set" in done.err
        assert "hunter2" not in done.err + done.out


def test_a_file_that_the_user_names_is_read_wherever_it_lies(
    say: Say, here: Path, foreign: Callable[[Any], str]
) -> None:
    file = foreign([str(here.parent / "secret.layout")])
    own = say("generate", "--from", file, "--set", f'layouts=["{here / "rooms" / "own.layout"}"]')
    assert own.code == 0
    assert say("generate", "--from", foreign(["rooms/own.layout"])).out == own.out
    assert "hunter2" in say("generate", "bsp", "--set", f'layouts=["{here.parent / "secret.layout"}"]').err
