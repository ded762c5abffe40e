"""Several files are written all or not at all, and what a killed run left behind is swept."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from undercroft import limits
from undercroft.errors import FileTrouble
from undercroft.inputs import files

STRAY = f".cave.png.{'0a' * 8}.part"
"""A name as temporary files have it."""
WRITER = """
import sys, time
from undercroft.inputs import files

def pieces():
    yield b"half" * 10_000
    print("begun", flush=True)
    time.sleep(60)

files.write_file(sys.argv[1], pieces())
"""


def folder_contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fail_call(number: int, call: Callable[..., Any], code: int, counts: Callable[[Any], bool]) -> Callable[..., Any]:
    """The function of the system, which fails when it is called for the `number`th time."""
    calls = [0]

    def wrapper(*args: Any, **options: Any) -> Any:
        if counts(args[0]):
            calls[0] += 1
            if calls[0] == number + 1:
                raise OSError(code, os.strerror(code))
        return call(*args, **options)

    return wrapper


def fail_sync(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let the disk be full when the `number`th file is synced."""
    is_file: Callable[[Any], bool] = lambda handle: stat.S_ISREG(os.fstat(handle).st_mode)  # noqa: E731
    patch.setattr(os, "fsync", fail_call(number, os.fsync, errno.ENOSPC, is_file))


def fail_rename(patch: pytest.MonkeyPatch, number: int) -> None:
    """Let the `number`th rename fail. Those that undo earlier ones follow it, and succeed."""
    patch.setattr(os, "replace", fail_call(number, os.replace, errno.EIO, lambda _: True))


@pytest.mark.parametrize("fail", [fail_sync, fail_rename])
@pytest.mark.parametrize("number", range(4))
def test_if_one_file_fails_none_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fail: Callable[[pytest.MonkeyPatch, int], None], number: int
) -> None:
    (tmp_path / "below").mkdir()
    for name in ("a", "below/c"):
        (tmp_path / name).write_bytes(b"old")
    before = folder_contents(tmp_path)
    names = ("a", "b", "below/c", "below/d")
    with monkeypatch.context() as patch:
        fail(patch, number)
        with pytest.raises(FileTrouble, match=f"cannot write .*{names[number]}: ") as caught:
            files.write_files([(tmp_path / name, [b"ne", b"w"]) for name in names])
    assert caught.value.fix == "write to another place; what was there before is untouched"
    assert folder_contents(tmp_path) == before
    files.write_files([(tmp_path / name, b"new") for name in names])
    assert folder_contents(tmp_path) == dict.fromkeys(names, b"new")


def test_what_somebody_else_wrote_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The temporary files of a run that was suspended for hours may be gone."""

    def pieces() -> Iterator[bytes]:
        for path in tmp_path.glob(".*.part"):
            path.unlink()
        (tmp_path / "a").write_bytes(b"theirs")
        yield b"new"

    monkeypatch.setattr(os, "link", fail_call(0, os.link, errno.EPERM, lambda _: True))
    with pytest.raises(FileTrouble, match="a: no such file or directory"):
        files.write_files([(tmp_path / "a", b"new"), (tmp_path / "b", pieces())])
    assert folder_contents(tmp_path) == {"a": b"theirs"}


def test_contents_that_fail_leave_nothing(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    (tmp_path / "b").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        files.write_files([(tmp_path / "a", b"new"), (tmp_path / "b", pieces()), (tmp_path / "c", b"new")])
    assert folder_contents(tmp_path) == {"b": b"old"}


def test_a_target_that_becomes_a_folder_is_noticed(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        (tmp_path / "a").mkdir()
        yield b"new"

    with pytest.raises(FileTrouble, match="a: it is a folder"):
        files.write_files([(tmp_path / "a", b"new"), (tmp_path / "b", pieces())])
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_without_hard_links_files_are_written_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", fail_call(0, os.link, errno.EPERM, lambda _: True))
    (tmp_path / "a").write_bytes(b"old")
    files.write_files([(tmp_path / "a", b"new"), (tmp_path / "b", b"new")])
    assert folder_contents(tmp_path) == {"a": b"new", "b": b"new"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which this system lacks")
def test_a_device_that_fails_keeps_the_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(FileTrouble, match="cannot write /dev/full: no space left"):
        files.write_files([(tmp_path / "a", b"new"), ("/dev/full", b"new"), (tmp_path / "b", b"new")])
    assert folder_contents(tmp_path) == {"a": b"old"}
    files.write_files([("/dev/null", b"new"), (tmp_path / "a", b"new")])
    assert folder_contents(tmp_path) == {"a": b"new"}


@pytest.mark.skipif(sys.platform == "win32", reason="links want rights there")
def test_links_lead_to_the_files_and_rights_stay(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a").write_bytes(b"old")
    (tmp_path / "there" / "a").chmod(0o640)
    (tmp_path / "link").symlink_to("there/a")
    files.write_files([(tmp_path / "link", b"new"), (tmp_path / "b", b"new")])
    assert (tmp_path / "link").is_symlink()
    assert folder_contents(tmp_path) == {"there/a": b"new", "link": b"new", "b": b"new"}
    assert stat.S_IMODE((tmp_path / "there" / "a").stat().st_mode) == 0o640


@pytest.mark.parametrize("there", [(), ("a",), ("a", "a/b")])
@pytest.mark.parametrize("number", range(2))
def test_a_folder_that_fails_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], number: int
) -> None:
    for name in there:
        (tmp_path / name).mkdir()
    with monkeypatch.context() as patch:
        fail_sync(patch, number)
        with pytest.raises(FileTrouble, match="no space left on device"):
            files.write_folder(tmp_path / "a" / "b", {"x.txt": b"1", "y.txt": b"2"})
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")) == list(there)
    files.write_folder(tmp_path / "a" / "b", {"x.txt": b"1", "y.txt": b"2"})
    assert folder_contents(tmp_path) == {"a/b/x.txt": b"1", "a/b/y.txt": b"2"}


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    for work in (
        lambda: files.write_files([(tmp_path / "a", b"new"), (tmp_path / name, b"new")]),
        lambda: files.write_folder(tmp_path / name, {"a": b"new"}),
        lambda: files.check_target(tmp_path / name),
        lambda: files.read_bytes(tmp_path / name, limits.TEXT_BYTES),
        lambda: files.list_files(tmp_path / name, ".txt"),
    ):
        with pytest.raises(FileTrouble, match="no file can have that name"):
            work()
    assert list(tmp_path.iterdir()) == []


# --- what killed runs leave


def age_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file count as old: no test can set the time at which a file system says that a file was changed."""
    monkeypatch.setattr(files, "ABANDONED_SECONDS", 0)
    time.sleep(0.05)  # some file systems count time in hundredths of a second


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed with a signal")
def test_a_killed_run_leaves_a_file_that_a_later_run_sweeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "cave.png"
    target.write_bytes(b"old")
    with subprocess.Popen([sys.executable, "-c", WRITER, target], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.kill()
    [stray] = [path.name for path in tmp_path.iterdir() if path != target]
    assert files._TEMPORARY_NAME.fullmatch(stray)
    files.write_file(target, b"new")
    assert sorted(folder_contents(tmp_path)) == sorted(["cave.png", stray])  # somebody may still be writing it
    age_files(monkeypatch)
    files.write_file(target, b"newer")
    assert stray in folder_contents(tmp_path)  # each process looks once
    monkeypatch.setattr(files, "_swept_folders", set())
    files.write_file(target, b"newest")
    assert folder_contents(tmp_path) == {"cave.png": b"newest"}


def test_only_our_files_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = [
        ".part",
        ".cave.png.part",
        ".cave.png.4711.part",
        STRAY.upper(),
        STRAY[1:],
        f"{STRAY}.part2",
        STRAY.replace("cave", "c" * 50),
        STRAY.replace("0a0a", "0a0"),
        "cave.png",
    ]
    for name in (STRAY, STRAY.replace("cave", "höhle\n"), *kept):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / STRAY.replace("cave", "folder")).mkdir()
    if sys.platform != "win32":
        (tmp_path / STRAY.replace("cave", "link")).symlink_to("cave.png")
        kept.append(STRAY.replace("cave", "link"))
    age_files(monkeypatch)
    files.write_file(tmp_path / "new.txt", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*kept, "new.txt", STRAY.replace("cave", "folder")]
    )


def test_a_sweep_is_bounded_and_never_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / STRAY).write_bytes(b"")
    age_files(monkeypatch)
    with monkeypatch.context() as patch:
        patch.setattr(files, "FOLDER_ENTRIES", limits.FOLDER_ENTRIES._replace(value=0))
        files.write_file(tmp_path / "a", b"")
    for name in ("scandir", "unlink"):
        monkeypatch.setattr(files, "_swept_folders", set())
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail_call(0, getattr(os, name), errno.EACCES, lambda _: True))
            files.write_file(tmp_path / "a", b"")
        assert (tmp_path / STRAY).exists()


def test_a_second_name_of_an_old_file_is_not_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the old file's time, and may be needed by a run that is just renaming."""
    monkeypatch.setattr(files, "_swept_folders", set())
    (tmp_path / "cave.png").write_bytes(b"old")
    os.utime(tmp_path / "cave.png", (0, 0))
    (tmp_path / STRAY).hardlink_to(tmp_path / "cave.png")
    files.write_file(tmp_path / "a", b"")
    assert (tmp_path / STRAY).exists()
