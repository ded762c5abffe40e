"""Exports do not overwrite what another program has changed, unless the user says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.studio_pages import Page, Server, source, until
from undercroft.studio.protocol.home import HOME_NAME
from undercroft.studio.protocol.project import FileChanged, Project, digest_content
from undercroft.studio.protocol.written_files import RECORD_NAME, WrittenFiles


def test_what_was_written_here_may_be_written_again(tmp_path: Path) -> None:
    project = Project(tmp_path)
    written = WrittenFiles(project)
    for data in (b"one", b"two"):
        written.check({"a.tmx": data})
        project.write("a.tmx", data)
        written.note({"a.tmx": data})
    WrittenFiles(project).check({"a.tmx": b"three"})  # after a restart
    with pytest.raises(FileChanged, match=r"a\.tmx is there already"):
        written.check({"a.tmx": b"three"}, ours=False)
    (tmp_path / "a.tmx").unlink()
    written.check({"a.tmx": b"three"})


@pytest.mark.parametrize("held", [b"theirs", b""])
def test_what_another_program_wrote_is_asked_about(tmp_path: Path, held: bytes) -> None:
    project = Project(tmp_path)
    written = WrittenFiles(project)
    project.write("a.tmx", b"one")
    written.note({"a.tmx": b"one"})
    for name in ("a.tmx", "b.tmx"):
        (tmp_path / name).write_bytes(held)
    with pytest.raises(FileChanged) as error:
        written.check({"a.tmx": b"two", "b.tmx": b"two", "c.tmx": b"two"})
    assert error.value.problem == "a.tmx was changed elsewhere and b.tmx is there already"
    assert error.value.changed == {name: digest_content(held) for name in ("a.tmx", "b.tmx")}
    written.check({"a.tmx": b"two", "b.tmx": b"two"}, error.value.changed)
    written.check({"a.tmx": held, "b.tmx": held})  # nothing would be lost
    (tmp_path / "a.tmx").write_bytes(b"once more")
    with pytest.raises(FileChanged):
        written.check({"a.tmx": b"two"}, error.value.changed)


@pytest.mark.parametrize("record", [b"", b"{", b"[]", b'{"a.tmx": 1}', b"\xff"])
def test_a_broken_record_only_asks_once_more(tmp_path: Path, record: bytes) -> None:
    project = Project(tmp_path)
    WrittenFiles(project).note({"a.tmx": b"one"})
    (tmp_path / HOME_NAME / RECORD_NAME).write_bytes(record)
    project.write("a.tmx", b"one")
    with pytest.raises(FileChanged):
        WrittenFiles(project).check({"a.tmx": b"two"})


@pytest.mark.parametrize("over", [None, True, [], "a.tmx", {"a.tmx": 1}, {"a.tmx": ""}, {"b.tmx": "x"}])
def test_only_the_digest_allows_it(tmp_path: Path, over: Any) -> None:
    project = Project(tmp_path)
    project.write("a.tmx", b"theirs")
    with pytest.raises(FileChanged):
        WrittenFiles(project).check({"a.tmx": b"two"}, over)


def test_an_export_asks_before_it_overwrites(server: Server) -> None:
    file = server.project / "asked.json"
    body = {**source(size=[9, 9]), "outputs": [{"format": "json", "path": "asked.json"}], "into": "project"}
    assert server.post("/api/export", body)[0] == 200
    assert server.post("/api/export", {**body, "seed": "8"})[0] == 200
    file.write_text("by hand")
    status, problem = server.post("/api/export", body)
    assert (status, problem["problem"]) == (409, "asked.json was changed elsewhere")
    assert problem["changed"] == {"asked.json": digest_content("by hand")}
    assert file.read_text() == "by hand"
    assert server.post("/api/export", {**body, "over": problem["changed"]})[0] == 200
    assert "undercroft-level" in file.read_text()
    status, problem = server.post("/api/save", {**source(size=[9, 9], seed="9"), "path": "asked.json"})
    assert (status, problem["problem"]) == (409, "asked.json is there already"), (
        "a level under a new name replaces none"
    )


def test_a_watched_file_that_was_changed_elsewhere_is_left_alone(server: Server, page: Page) -> None:
    file = server.project / "watched.txt"
    body = {**source(size=[9, 9]), "outputs": [{"format": "text", "path": "watched.txt"}]}
    try:
        assert server.post("/api/watch", body)[0] == 200
        for act, more in (("delete", {}), ("rename", {"to": "free.txt"})):
            status, problem = server.post(f"/api/files/{act}", {"path": "watched.txt", **more})
            assert status == 400
            assert "kept up to date" in problem["problem"]
        file.write_text("by hand")
        page.answer("make", lane="level", measures=[], **source(seed="8", size=[9, 9]))
        head = next(head for head in iter(lambda: page.hear(10)[0], None) if head["kind"] == "problem")
        assert (head["problem"], head["changed"]) == (
            "watched.txt was changed elsewhere",
            {"watched.txt": digest_content("by hand")},
        )
        assert file.read_text() == "by hand"
        assert server.post("/api/watch", body)[0] == 409
        assert server.post("/api/watch", {**body, "over": head["changed"]})[0] == 200
        first = file.read_text()
        assert first != "by hand"
        page.answer("make", lane="level", measures=[], **source(seed="9", size=[9, 9]))
        assert until(lambda: file.read_text() != first)
    finally:
        assert server.post("/api/watch", {"stop": True}) == (200, [])
