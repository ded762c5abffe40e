"""Files that are renamed or deleted: nothing is overwritten, nothing leaves the project, everything comes back."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from studio.protocol.test_project import HOSTILE_PATHS, folder  # noqa: F401 - a fixture
from support.studio_pages import Server
from undercroft import limits
from undercroft.errors import FileTrouble, UndercroftError
from undercroft.studio.protocol import trash
from undercroft.studio.protocol.project import FileChanged, Project


def files_of(place: Path) -> dict[str, str]:
    """All files of a project that are not hidden, with their texts."""
    found = {path.relative_to(place).as_posix(): path for path in place.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in found.items() if not name.startswith(".")}


def test_what_is_deleted_comes_back(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("rules/moss.rules", b"one  . -> ,\n")
    row = trash.delete_file(project, "rules/moss.rules")
    assert (row.path, row.kind, row.bytes) == ("rules/moss.rules", "rules", 12)
    assert files_of(tmp_path) == {}
    assert trash.list_trash(project) == [row]
    assert (tmp_path / ".undercroft" / ".gitignore").exists()
    assert trash.restore_file(project, row.id) == "rules/moss.rules"
    assert files_of(tmp_path) == {"rules/moss.rules": "one  . -> ,\n"}
    assert trash.list_trash(project) == []
    assert list((tmp_path / ".undercroft" / "trash").iterdir()) == []
    with pytest.raises(UndercroftError, match="not in the trash any more"):
        trash.restore_file(project, row.id)


def test_a_name_that_was_taken_meanwhile_stays_as_it_is(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("a.rules", b"old")
    row = trash.delete_file(project, "a.rules")
    project.write("A.rules", b"new")
    for to in (None, "a.rules", "A.rules"):
        with pytest.raises(FileChanged, match="is there already"):
            trash.restore_file(project, row.id, to)
    assert trash.restore_file(project, row.id, "b/a-2.rules") == "b/a-2.rules"
    assert files_of(tmp_path) == {"A.rules": "new", "b/a-2.rules": "old"}


def test_files_of_one_name_are_all_kept(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for text in ("one", "two", "three"):
        project.write("a.rules", text.encode())
        trash.delete_file(project, "a.rules")
    rows = trash.list_trash(project)
    texts = {(tmp_path / ".undercroft" / "trash" / row.id / row.path).read_text() for row in rows}
    assert texts == {"one", "two", "three"}


def test_a_long_list_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STUDIO_TRASH", limits.STUDIO_TRASH._replace(value=2))
    project = Project(tmp_path)
    for number in range(3):
        project.write(f"{number}.rules", b"x")
        trash.delete_file(project, f"{number}.rules")
    assert len(trash.list_trash(project)) == 2


@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_no_name_leads_elsewhere(folder: Path, path: str) -> None:  # noqa: F811
    project = Project(folder)
    row = trash.delete_file(project, "good.toml")
    (folder / "other.toml").write_text("[[step]]\n")
    before = sorted(folder.parent.rglob("*"))
    for work in (
        lambda: trash.delete_file(project, path),
        lambda: trash.restore_file(project, row.id, path),
        lambda: trash.restore_file(project, path),
        lambda: project.rename(path, "free.toml"),
        lambda: project.rename("other.toml", path),
    ):
        with pytest.raises(UndercroftError) as error:
            work()
        assert error.value.fix
        assert str(folder.parent) not in error.value.problem
    assert sorted(folder.parent.rglob("*")) == before


def test_links_are_neither_moved_nor_followed(tmp_path: Path) -> None:
    place, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    place.mkdir()
    elsewhere.mkdir()
    (elsewhere / "a.rules").write_text("secret")
    project = Project(place)
    project.write("a.rules", b"mine")
    row = trash.delete_file(project, "a.rules")
    (place / "b.rules").write_text("x")
    (place / "link.rules").symlink_to("b.rules")
    for work in (lambda: trash.delete_file(project, "link.rules"), lambda: project.rename("link.rules", "c.rules")):
        with pytest.raises(FileTrouble, match="not a regular file"):
            work()
    kept = place / ".undercroft" / "trash"
    (kept / row.id / "a.rules").unlink()
    (kept / row.id / "a.rules").symlink_to(elsewhere / "a.rules")
    assert trash.list_trash(project) == []
    kept.rename(place / ".undercroft" / "old")
    kept.symlink_to(elsewhere, target_is_directory=True)
    assert trash.list_trash(project) == []
    with pytest.raises(FileTrouble, match="is a link"):
        trash.delete_file(project, "b.rules")
    assert (elsewhere / "a.rules").read_text() == "secret"
    assert sorted(path.name for path in elsewhere.iterdir()) == ["a.rules"]


def test_a_rename_never_overwrites(tmp_path: Path) -> None:
    project = Project(tmp_path)
    for name in ("a.rules", "b.rules", "Grüfte.rules"):
        project.write(name, name.encode())
    before = files_of(tmp_path)
    for to in ("b.rules", "B.rules", "B.RULES", "a.rules", "gru\u0308fte.rules", "a.rules/c.rules"):
        with pytest.raises(FileTrouble):
            project.rename("a.rules", to)
        assert files_of(tmp_path) == before, to
    for to in ("a", "a.toml", "a.rules.txt"):
        with pytest.raises(UndercroftError, match="another kind of file") as error:
            project.rename("a.rules", to)
        assert error.value.fix == "end it in .rules"
    with pytest.raises(FileTrouble, match="no such file"):
        project.rename("none.rules", "c.rules")
    assert project.rename("a.rules", "A.rules") == "A.rules", "other letters of its own name"
    assert project.rename("A.rules", "deep\\er\\a.rules") == "deep/er/a.rules"
    assert files_of(tmp_path) == {"deep/er/a.rules": "a.rules", "b.rules": "b.rules", "Grüfte.rules": "Grüfte.rules"}


@pytest.mark.parametrize("seed", range(4))
def test_no_text_is_ever_lost(tmp_path: Path, seed: int) -> None:
    """Random acts: every text that was written is in the project or in the trash."""
    dice, project = random.Random(seed), Project(tmp_path)
    names = [f"{above}{stem}.rules" for above in ("", "x/", "X/") for stem in ("a", "A", "b")]
    written = set[str]()
    for number in range(60):
        name, to = dice.choice(names), dice.choice(names)
        rows = trash.list_trash(project)
        act = dice.randrange(4)
        with contextlib.suppress(FileTrouble):
            if act == 0 and not (tmp_path / name).exists():
                project.save(name, f"text {number}", "")
                written.add(f"text {number}")
            elif act == 1:
                project.rename(name, to)
            elif act == 2:
                trash.delete_file(project, name)
            elif rows:
                trash.restore_file(project, dice.choice(rows).id, dice.choice([None, to]))
        thrown = [path.read_text() for path in (tmp_path / ".undercroft").rglob("*.rules")]
        assert sorted([*files_of(tmp_path).values(), *thrown]) == sorted(written)
    assert written


def test_both_pages_hear_of_it(server: Server) -> None:
    with server.page() as one, server.page() as two:
        server.post("/api/files/save", {"path": "heard.rules", "text": "one  . -> ,\n", "seen": ""})
        assert server.post("/api/files/rename", {"path": "heard.rules", "to": "seen.rules"}) == (
            200,
            {"path": "seen.rules"},
        )
        status, row = server.post("/api/files/delete", {"path": "seen.rules"})
        assert (status, row["path"], row["kind"]) == (200, "seen.rules", "rules")
        assert row in server.post("/api/files/trash", {})[1]
        assert server.post("/api/files/restore", {"id": row["id"]}) == (200, {"path": "seen.rules"})
        expected = [
            {"id": 0, "kind": "renamed", "path": "heard.rules", "to": "seen.rules"},
            {"id": 0, "kind": "deleted", "path": "seen.rules"},
            {"id": 0, "kind": "changed", "path": "seen.rules"},
        ]
        for page in (one, two):
            heard = list[dict[str, object]]()
            while len(heard) < len(expected):
                head, _ = page.hear(5)
                heard += [head] if head["path"] in ("heard.rules", "seen.rules") else []
            assert heard == expected
    assert server.post("/api/files/rename", {"path": "seen.rules", "to": "seen.toml"})[0] == 400
    assert server.post("/api/files/delete", {"path": "seen.rules"})[0] == 200
    assert server.post("/api/files/delete", {"path": "seen.rules"})[0] == 404
