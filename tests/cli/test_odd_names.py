"""File names that no system accepts: 300 signs, a NUL, half a character. Each gives a sentence wherever it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.command_lines import Say
from undercroft import formats
from undercroft.errors import UndercroftError
from undercroft.recipe.document import Recipe
from undercroft.rewrite.rules import Rules
from undercroft.templates.layouts import layout_files

ODD_NAMES = ["a\0b", "x" * 300, "x" * 5000, "\ud800"]
SUFFIXES = ["", ".json", ".toml", ".rules", ".layout", ".png", ".tmx", "/a.json"]
USES: list[Callable[[str], Any]] = [
    Recipe.load,
    Rules.load,
    layout_files.load,
    formats.load,
    formats.read_origin,
    uc.open_batch,
    lambda name: uc.generate("cave", seed=1, size=(9, 9)).save(name),
    lambda name: uc.generate("cave", seed=1, size=(9, 9)).save(name, "godot:rooms"),
    lambda name: uc.batch("cave", 1, name, size=(9, 9), workers=1),
    lambda name: uc.generate("bsp", seed=1, layouts=[name]),
    lambda name: Recipe.parse(f'[[step]]\nuse = "rewrite"\nfile = {name!a}', "x.toml", Path()),
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("name", ODD_NAMES, ids=["NUL", "long", "longer", "half"])
def test_the_library_refuses_an_odd_name(
    use: Callable[[str], Any], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for suffix in SUFFIXES:
        with pytest.raises(UndercroftError) as caught:
            use(name + suffix)
        assert caught.value.fix
    assert list(tmp_path.iterdir()) == []


LINES = [
    *("generate cave --seed 1 -o N.json", "generate N", "generate N.toml", "generate --from N.png"),
    *("generate cave --seed 1 --animate N.gif", 'generate bsp --set layouts=["N.layout"]', "convert N.json x.txt"),
    *("convert N x.txt", "lint N.rules", "lint N", "lint N.toml", "lint N.layout", "rewrite N", "rewrite N.rules"),
    *("measure N", "measure cave --seeds 0..1 --csv N.csv", "solve N.json", "scale N.layout", "explain N --size 3x3"),
    *("coverage N --seeds 2", "coverage N.rules --seeds 2", "profile cave --seeds 0..0 --plot N.png", "profile N.toml"),
    *("batch cave --seeds 0..1 --out N", "studio --project N --no-browser", "search N.toml", "generate N.json"),
]


@pytest.mark.parametrize("line", LINES)
def test_a_command_refuses_a_name_of_300_signs(say: Say, line: str, tmp_path: Path) -> None:
    result = say(*[word.replace("N", "x" * 300) for word in line.split()])
    assert result.code == 2
    assert "fix: " in result.err
    assert "write to a place that has room" not in result.err, "the output is not at fault"
    assert list(tmp_path.iterdir()) == []
