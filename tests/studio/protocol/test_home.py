"""The folder that the studio keeps in a project."""

from __future__ import annotations

from pathlib import Path

import pytest

from undercroft.errors import FileTrouble
from undercroft.studio.protocol.home import GITIGNORE, find_home, make_home


def test_it_is_made_once_and_ignored_by_git(tmp_path: Path) -> None:
    assert find_home(tmp_path) is None
    home = make_home(tmp_path)
    assert home == find_home(tmp_path) == tmp_path / ".undercroft"
    assert (home / ".gitignore").read_text() == GITIGNORE
    assert "*" in GITIGNORE.splitlines()


def test_a_gitignore_that_was_changed_or_removed_stays_so(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    (home / ".gitignore").write_text("trash\n")
    make_home(tmp_path)
    assert (home / ".gitignore").read_text() == "trash\n"
    (home / "state.json").write_text("{}")
    (home / ".gitignore").unlink()
    make_home(tmp_path)
    assert not (home / ".gitignore").exists()


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere, project = tmp_path / "elsewhere", tmp_path / "project"
    elsewhere.mkdir()
    project.mkdir()
    (project / ".undercroft").symlink_to(elsewhere, target_is_directory=True)
    assert find_home(project) is None
    with pytest.raises(FileTrouble, match="is a link"):
        make_home(project)
    assert list(elsewhere.iterdir()) == []


def test_a_file_in_its_place_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".undercroft").write_text("mine")
    assert find_home(tmp_path) is None
    with pytest.raises(FileTrouble, match="cannot make the folder") as error:
        make_home(tmp_path)
    assert error.value.fix
    assert (tmp_path / ".undercroft").read_text() == "mine"
