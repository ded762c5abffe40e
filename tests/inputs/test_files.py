"""Which files a text may name, and which a folder holds."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from undercroft import limits
from undercroft.errors import FileTrouble, TooBig
from undercroft.inputs import files


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.rules", "here/a.rules"),
        ("b/a.rules", "here/b/a.rules"),
        ("b/../a.rules", "here/a.rules"),
        ("./a.rules", "here/a.rules"),
    ],
)
def test_a_name_stays_in_its_folder(name: str, path: str) -> None:
    assert files.safe_join("here", name) == Path(path)


@pytest.mark.parametrize("name", ["../a.rules", "b/../../a.rules", "/etc/passwd", "b//../../../x", "a\0b"])
def test_a_name_that_leads_out_is_refused(name: str) -> None:
    with pytest.raises(FileTrouble, match="outside the folder") as caught:
        files.safe_join("here", name)
    assert caught.value.fix


@pytest.mark.parametrize("name", ["", ".", "b/.."])
def test_a_name_that_names_nothing(name: str) -> None:
    with pytest.raises(FileTrouble, match="names no file"):
        files.safe_join("here", name)


def test_the_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "d.txt").mkdir()
    for name in ("z.txt", "a.txt", "B.TXT", "a.md", "b/a.txt", "b/c/x.txt", "d.txt/e.txt"):
        (tmp_path / name).write_text("")
    assert files.list_files(tmp_path, ".txt") == ["B.TXT", "a.txt", "z.txt"]
    assert files.list_files(str(tmp_path), ".txt", deep=True) == [
        "B.TXT",
        "a.txt",
        "b/a.txt",
        "b/c/x.txt",
        "d.txt/e.txt",
        "z.txt",
    ]
    assert files.list_files(tmp_path, ".rules") == []


def test_a_ring_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    (tmp_path / "ring").symlink_to(tmp_path)
    assert files.list_files(tmp_path, ".txt", deep=True) == ["a.txt"]


def test_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("")
    for path in (tmp_path / "nowhere", tmp_path / "a.txt"):
        with pytest.raises(FileTrouble, match="cannot read"):
            files.list_files(path, ".txt")


def test_a_folder_is_written_whole_or_not_begun(tmp_path: Path) -> None:
    files.write_folder(tmp_path / "a" / "b", {"x.txt": b"1", "y.txt": b"2"})
    assert {path.name: path.read_bytes() for path in (tmp_path / "a" / "b").iterdir()} == {"x.txt": b"1", "y.txt": b"2"}
    with pytest.raises(FileTrouble, match="it holds files already"):
        files.write_folder(tmp_path / "a", {"z.txt": b"3"})
    with pytest.raises(FileTrouble, match="cannot make the folder"):
        files.write_folder(tmp_path / "a" / "b" / "x.txt", {"z.txt": b"3"})
    assert not (tmp_path / "a" / "z.txt").exists()


def test_folders_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (deep / "x.txt").write_text("")
    assert files.list_files(tmp_path, ".txt", deep=True) == ["a/b/c/d/e/f/g/h/x.txt"]
    (deep / "i").mkdir()
    with pytest.raises(TooBig, match="its depth is 9; the limit is 8"):
        files.list_files(tmp_path, ".txt", deep=True)
    monkeypatch.setattr(files, "FOLDER_ENTRIES", limits.FOLDER_ENTRIES._replace(value=1))
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("")
    with pytest.raises(TooBig, match="number of entries is 2; the limit is 1"):
        files.list_files(tmp_path, ".txt")


@pytest.mark.skipif(sys.platform == "win32", reason="links want rights there")
def test_a_link_that_leads_out_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in" / "below").mkdir(parents=True)
    for name in ("secret.rules", "in/below/own.rules"):
        (tmp_path / name).write_text("")
    (tmp_path / "in" / "a.rules").symlink_to(tmp_path / "secret.rules")
    (tmp_path / "in" / "b").symlink_to(tmp_path)
    (tmp_path / "in" / "c.rules").symlink_to(tmp_path / "in" / "c.rules")
    (tmp_path / "in" / "d.rules").symlink_to("below/own.rules")
    for name in ("a.rules", "b/secret.rules", "c.rules"):
        with pytest.raises(FileTrouble, match="outside the folder: a link leads there"):
            files.safe_join(tmp_path / "in", name)
    assert files.safe_join(tmp_path / "in", "d.rules").read_text() == ""


def test_many_threads_write_one_file_and_names_that_begin_alike(tmp_path: Path) -> None:
    """Each writes beside it in a place of its own: nobody takes the half of another for his."""
    texts = [bytes([65 + number]) * 20_000 for number in range(8)]
    long = "a name that is long, and longer than a part of a path that is cut short somewhere " * 2

    def write(number: int) -> None:
        for _ in range(30):
            files.write_file(tmp_path / "same", texts[number])
            files.write_file(tmp_path / f"{long}{number}", texts[number])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    failures: list[Any] = []
    before, threading.excepthook = threading.excepthook, failures.append
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        threading.excepthook = before
    assert failures == []
    assert (tmp_path / "same").read_bytes() in texts
    assert [(tmp_path / f"{long}{number}").read_bytes() for number in range(8)] == texts
    assert len(list(tmp_path.iterdir())) == 9


@pytest.mark.parametrize(
    "address", ["s3://bucket/caves", "gs://b/a.json", "https://host/a.png", "abfs+x://a/b.csv", "file:///etc/x"]
)
def test_an_address_is_no_file(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for write in (
        lambda path: files.write_file(path, b""),
        lambda path: files.write_folder(path, {"a": b""}),
        files.check_target,
        files.refuse_address,
    ):
        for path in (address, Path(address)):
            with pytest.raises(FileTrouble, match="it is an address, no file of this machine") as caught:
                write(path)
            if "///" not in address:
                assert f"cannot write {address}:" in caught.value.problem
    with pytest.raises(FileTrouble, match=r"cannot read .* it is an address"):
        files.read_bytes(address, limits.TEXT_BYTES)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["C:/caves/a.json", "c:\\a.json", "a:b.json", "caves:2/a.json".replace(":2", "-2")])
def test_a_drive_or_a_colon_is_no_address(name: str) -> None:
    files.refuse_address(name)


def test_a_file_is_moved_but_never_onto_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("a")
    files.move_file(tmp_path / "a.txt", tmp_path / "deep" / "er" / "b.txt")
    files.move_file(tmp_path / "deep" / "er" / "b.txt", tmp_path / "a.txt")
    (tmp_path / "b.txt").write_text("b")

    def refuse_link(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    for without_links in (False, True):
        if without_links:
            monkeypatch.setattr(os, "link", refuse_link)
        for new in (tmp_path / "b.txt", tmp_path / "deep"):
            with pytest.raises(FileTrouble, match="it is there already"):
                files.move_file(tmp_path / "a.txt", new)
        with pytest.raises(FileTrouble, match="not a regular file"):
            files.move_file(tmp_path / "deep", tmp_path / "c")
        with pytest.raises(FileTrouble, match="no such file"):
            files.move_file(tmp_path / "none", tmp_path / "c")
        assert ((tmp_path / "a.txt").read_text(), (tmp_path / "b.txt").read_text()) == ("a", "b")
    files.move_file(tmp_path / "a.txt", tmp_path / "c.txt")
    assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "c.txt").read_text() == "a"
