"""A command that writes several files writes all of them, or leaves everything as it was."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from support.command_lines import Say

CAVE = ("generate", "cave", "--seed", "1", "--size", "20x10")
MEASURE = ("measure", "cave", "density", "linearity", "--seeds", "0..3", "--size", "20x10", "--workers", "1")
COMMANDS = {
    "files": (*CAVE, "-o", "a.json", "-o", "a.png", "-o", "a.txt"),
    "siblings": (*CAVE, "-o", "a.tmx"),
    "Godot": (*CAVE, "-o", "a.tscn"),
    "a film": (*CAVE, "-o", "a.json", "--animate", "a.gif", "--storyboard", "b.png", "--frames", "4"),
    "convert": ("convert", "in/level.txt", "a.json", "a.npz"),
    "rules": ("convert", "in/grammar", "a.rules"),
    "a folder": ("convert", "in/small.rules", "new/folder"),
    "rewrite": ("rewrite", "in/small.rules", "--size", "9x9", "--seed", "1", "-o", "a.json", "-o", "a.txt"),
    "measure": (*MEASURE, "--json", "a.json", "--csv", "a.csv", "--plot", "a.png"),
    "scale": ("scale", "crypt", "--size", "12x9", "-o", "a.txt", "-o", "a.json", "--sheet", "a.png"),
}
"""Command lines, by what writes several files."""
BASE_MAP = "1,3\n=\nc..\n"
INPUTS = {
    "level.txt": "#####\n#...#\n#####\n",
    "grammar/base.txt": BASE_MAP,
    "grammar/grow.txt": "1,2\n=\nc.\n=\ncc\n",
    "small.rules": "palette grammar\none  grow, up to 7 times, pick by rule, keep duplicates\n    c. -> cc\n",
    "small.base.txt": BASE_MAP,
}
"""The files that they read."""


@pytest.fixture
def inputs(tmp_path: Path) -> None:
    """The files that the command lines read."""
    (tmp_path / "in" / "grammar").mkdir(parents=True)
    for name, text in INPUTS.items():
        (tmp_path / "in" / name).write_text(text)


def folder_contents() -> dict[str, bytes | None]:
    return {
        path.as_posix(): path.read_bytes() if path.is_file() else None
        for path in Path().rglob("*")
        if path.parts[0] != "in"
    }


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch, number: int) -> Iterator[None]:
    """Let the disk be full when the `number`th file is synced."""
    sync, calls = os.fsync, [0]

    def fail(handle: int) -> None:
        calls[0] += stat.S_ISREG(os.fstat(handle).st_mode)
        if calls[0] == number + 1:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        sync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        yield


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_on_a_full_disk_nothing_changes(say: Say, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    assert say(*words).code == 0
    paths = [path for path in Path().rglob("*") if path.is_file() and path.parts[0] != "in"]
    assert len(paths) > 1
    for old in (None, b"old"):
        for number in {0, len(paths) // 2, len(paths) - 1}:
            for path in paths:
                if old is None or "new" in path.parts:
                    path.unlink(missing_ok=True)
                else:
                    path.write_bytes(old)
            for folder in (Path("new/folder"), Path("new")):
                if folder.exists():
                    folder.rmdir()
            before = folder_contents()
            with full_disk(monkeypatch, number):
                said = say(*words)
            assert said.code == 2
            assert said.out == ""
            assert "no space left on device" in said.err
            assert folder_contents() == before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit on the size of files there")
def test_a_file_that_is_too_large_for_the_system(say: Say) -> None:
    import resource

    Path("a.json").write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        said = say("generate", "cave", "--seed", "3", "--size", "40x30", "-o", "a.json", "-o", "a.png", "-o", "a.tmx")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.code == 2
    assert "cannot write a.png: file too large" in said.err
    assert folder_contents() == {"a.json": b"old"}


def test_an_unknown_format_and_a_folder_in_the_way(say: Say) -> None:
    Path("a.json").write_text("old")
    Path("a.png").mkdir()
    before = folder_contents()
    for name, problem in (("a.png", "it is a folder"), ("a.jsn", "unknown suffix"), ("no/a.txt", "no such folder")):
        said = say(*CAVE, "-o", "a.json", "-o", "b.txt", "-o", name)
        assert (said.code, said.out) == (2, "")
        assert problem in said.err
        assert folder_contents() == before


def test_standard_output_comes_last(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*CAVE, "-o", "-", "--format", "text", "-o", "a.json", "-o", "b.png")
    said = say(*words)
    assert said.code == 0
    assert said.out.startswith("####")
    for path in Path().iterdir():
        path.unlink()
    with full_disk(monkeypatch, 1):
        said = say(*words)
    assert (said.code, said.out) == (2, "")
    assert folder_contents() == {}


def test_what_no_terminal_shows_is_refused_before_files_are_written(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    is_terminal: Any = lambda stream: stream is sys.stdout  # noqa: E731
    monkeypatch.setattr("undercroft.cli.stdio.is_terminal", is_terminal)
    said = say(*CAVE, "-o", "a.json", "-o", "-", "--format", "png", "--quiet")
    assert said.code == 2
    assert "this format is not for a terminal" in said.err
    assert folder_contents() == {}


def test_a_batch_removes_only_files_of_killed_runs(say: Say) -> None:
    words = ("batch", "cave", "--count", "2", "--size", "20x10", "--as", "npz", "--workers", "1", "--no-report")
    Path("out").mkdir()
    Path("out/.video.part").write_text("mine")
    said = say(*words, "--out", "out")
    assert said.code == 2
    assert "they are of no batch (.video.part)" in said.err
    assert folder_contents() == {"out": None, "out/.video.part": b"mine"}
    Path("out/.video.part").rename(f"out/.order.json.{'0a' * 8}.part")
    assert say(*words, "--out", "out").code == 0
    assert not list(Path("out").glob(".*.part"))


@pytest.mark.parametrize(
    "command",
    [
        "generate cave --seed 1 --size 20x10 -o s3://bucket/a.json",
        "generate cave --seed 1 --size 20x10 -o a.txt -o s3://bucket/a.json",
        "generate cave --seed 1 --size 20x10 --storyboard s3://bucket/a.png",
        "generate cave --seed 1 --size 20x10 --animate s3://bucket/a.gif",
        "batch cave --count 2 --size 20x10 --out s3://bucket/caves",
        "batch cave --count 2 --size 20x10 --as json --out s3://bucket/caves",
        "search cave --size 20x10 --take 1 --sheet s3://bucket/a.png",
        "measure cave --seeds 0..1 --size 20x10 --csv s3://bucket/a.csv",
        "measure cave --seeds 0..1 --size 20x10 --plot s3://bucket/a.png",
        "profile cave --seeds 0..1 --size 20x10 --plot s3://bucket/a.png",
        "convert map.txt s3://bucket/a.json",
        "scale nave -o s3://bucket/a.json",
    ],
)
def test_an_address_is_refused_by_every_command_that_writes(say: Say, command: str) -> None:
    Path("map.txt").write_text("#.#\n")
    said = say(*command.split())
    assert said.code == 2, said.err
    assert "cannot write s3://bucket/" in said.err
    assert "it is an address, no file of this machine" in said.err
    assert [path.name for path in Path().iterdir()] == ["map.txt"]


@pytest.mark.parametrize(
    "command",
    [
        "generate s3://bucket/cellar",
        "generate s3://bucket/cellar.toml",
        "measure s3://bucket/caves",
        "convert s3://bucket/a.json a.png",
        "scale s3://bucket/pool",
    ],
)
def test_an_address_is_refused_by_every_command_that_reads(say: Say, command: str) -> None:
    said = say(*command.split())
    assert said.code == 2, said.err
    assert "cannot read s3://bucket/" in said.err
    assert "it is an address, no file of this machine" in said.err
