"""Drawings whose rows are not all as long: they are filled up, and that is said."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import undercroft as uc
from undercroft import cli
from undercroft.formats.text import find_short_rows


@pytest.mark.parametrize(
    ("picture", "short"),
    [
        (b"###\n#.#\n###\n", []),
        (b"###\r\n#.#\r\n###\r\n", []),
        (b"\xef\xbb\xbf###\n#.#", []),
        (b"###\n#.\n###", [1]),
        (b"#\n\n##\n\n", [0, 1, 3]),
        ("é\n##".encode(), [0]),
        (b"", []),
    ],
)
def test_short_rows_are_found(picture: bytes, short: list[int]) -> None:
    assert find_short_rows(picture, "a.txt") == short


@pytest.mark.parametrize(
    ("words", "rows", "said"),
    [
        (
            ["convert", "a.txt", "a.json"],
            ["####", "#.", "####"],
            "row 2 is shorter than the longest, and filled up with void",
        ),
        (
            ["measure", "a.txt", "density"],
            ["####", "#.", "###"],
            "rows 2 and 3 are shorter than the longest, and filled up with void",
        ),
        (
            ["convert", "a.txt", "a.json", "--read-as", "text:cave"],
            ["###", "#"],
            "row 2 is shorter than the longest, and filled up with wall",
        ),
        (
            ["convert", "a.txt", "a.json", "--palette", "letters T_"],
            ["TT", "_"],
            "row 2 is shorter than the longest, and filled up with T",
        ),
        (
            ["measure", "a.txt", "density"],
            ["##", *"########"],
            "rows 2, 3, 4, 5, 6 and 3 more are shorter than the longest, and filled up with void",
        ),
        (["convert", "a.txt", "a.json"], ["####", "#. #"], ""),
    ],
)
def test_what_was_filled_up_is_said(
    words: list[str],
    rows: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    assert cli.run(words) == 0
    told = capfdbinary.readouterr().err.decode()
    assert [line for line in told.splitlines() if "shorter" in line] == (
        [f"undercroft: note: a.txt: {said}"] if said else []
    )


def test_it_is_said_of_standard_input_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"###\n#.\n")))
    assert cli.run(["convert", "-", "a.json", "--read-as", "text"]) == 0
    assert (
        capfdbinary.readouterr().err
        == b"undercroft: note: standard input: row 2 is shorter than the longest, and filled up with void\n"
    )
    assert str(uc.load("a.json")) == "###\n#. "
