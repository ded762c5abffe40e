"""A negative number is no seed: every command that takes seeds says so in the same words, as Python does."""

from __future__ import annotations

from pathlib import Path

import pytest

import undercroft as uc
from undercroft.cli import run

COMMANDS = [
    ["generate", "cave", "--seed", "-1"],
    ["generate", "cave", "--seed", " -1 "],
    ["generate", "cave", "--seed=-1"],
    ["rewrite", "dots.rules", "--on", "map.txt", "--seed", "-1"],
    ["scale", "any", "--size", "12x9", "--seed", "-1"],
    ["batch", "cave", "--count", "1", "--first", "-1", "--out", "caves"],
    ["search", "cave", "--seeds", "-1"],
    ["search", "cave", "--seeds", "-1..5"],
    ["measure", "cave", "--seeds", "3..-1"],
    ["profile", "cave", "--seeds", "-1"],
    ["coverage", "dots.rules", "--on", "map.txt", "--seeds", "-1..3"],
]


@pytest.mark.parametrize("args", COMMANDS, ids=" ".join)
def test_a_negative_seed_is_refused_in_the_words_of_python(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dots.rules").write_text("one  . -> ,")
    Path("map.txt").write_text("...\n")
    assert run(args) == 2
    with pytest.raises(uc.BadInput) as caught:
        uc.generate("cave", seed=-1)
    assert capsys.readouterr().err == f"undercroft: {caught.value}\n"


def test_a_text_that_begins_with_a_minus_is_a_seed() -> None:
    assert uc.generate("cave", seed="-1 floor", size=(9, 7)) == uc.generate("cave", seed=" -1 floor ", size=(9, 7))
