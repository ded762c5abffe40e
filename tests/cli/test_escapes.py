"""Text from files reaches the terminal as text: no name can move the cursor, set a title or hide what stands there."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.command_lines import Say
from support.paths import ROOT
from undercroft import formats
from undercroft.cli.messages import clean_text, print_json, print_output

EVIL = "red\x1b]0;gotcha\x07\x9b2J\r\b\u202e"
"""It sets the title, clears the screen, goes back, and turns the direction of writing."""
FORGED = "undercroft: all is well"
RECIPE = f"""
about = {json.dumps(EVIL)}
[[step]]
use = "noise"
wall = 0.4
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A level, a recipe and rules with such texts wherever a text is allowed."""
    level = uc.generate(ROOT / "examples" / "locked-keep.toml", seed=1)
    data: dict[str, Any] = json.loads(formats.dump(level, "json"))
    data["title"] = EVIL
    for thing in data["things"]:
        thing["data"] = {
            name: value if name == "to" or not isinstance(value, str) else f"{EVIL}\n{FORGED}{value}"
            for name, value in thing.get("data", {}).items()
        }
        thing["kind"] += "" if thing["data"] else EVIL
    data["provenance"] |= {"recipe": f"{EVIL}\n{FORGED}", "editions": {EVIL: 7, "locks": 99}, "version": EVIL}
    (tmp_path / "level.json").write_text(json.dumps(data))
    data["provenance"] = {
        **json.loads(formats.dump(uc.generate("cave", seed=1), "json"))["provenance"],
        "editions": {"automaton": 99, f"noise#{EVIL}\n{FORGED}": 99},
    }
    (tmp_path / "cave.json").write_text(json.dumps(data))
    (tmp_path / "evil.toml").write_text(RECIPE)
    (tmp_path / "evil.rules").write_text("one  rule" + EVIL.replace("\r", "") + "\n    . -> #\n")
    return tmp_path


LINES = [
    *("solve level.json", "solve level.json --json", "measure level.json", "measure level.json --json"),
    *("convert level.json out.txt", "convert level.json out.tmx", "convert level.json -", "convert cave.json out.json"),
    *("generate --from level.json", "generate --from cave.json", "generate evil.toml --from level.json --quiet"),
    *("generate evil.toml --seed 1 --size 20x8", "generate evil.toml --seed 1 --until 'rooms > 99' --tries 2"),
    *("profile evil.toml --seeds 0..1 --sizes 10x10", "profile evil.toml --seeds 0..1 --json", "lint evil.toml"),
    *("lint evil.rules", "lint level.json", "list evil.toml", "explain evil.rules --size 5x5", "coverage evil.toml"),
    *("measure evil.toml --seeds 0..2", "search evil.toml --budget 4", "batch evil.toml --count 2 -o batch"),
    *("rewrite evil.rules --size 5x5 --seed 1", "explain level.json", "generate level.json", "scale level.json 9x9"),
]


@pytest.mark.parametrize("line", LINES)
def test_no_command_prints_what_a_terminal_obeys(say: Say, folder: Path, line: str) -> None:
    result = say(*[word.strip("'") for word in re.findall(r"'[^']*'|\S+", line)])
    for printed in (result.out, result.err):
        seen = printed.replace("\n", "").replace("\t", "")
        assert seen.isprintable(), ascii(seen)
        assert not any(row.startswith(FORGED) for row in printed.splitlines())


def test_the_levels_of_this_test_are_read(say: Say, folder: Path) -> None:
    """Otherwise every line above would print one error and prove nothing."""
    solved = say("solve", "level.json")
    assert solved.code == 0
    assert r"red\x1b]0;gotcha\x07\x9b2J \x08\u202e" in solved.out
    assert "another edition of" in say("convert", "cave.json", "out.json").err
    assert say("profile", "evil.toml", "--seeds", "0..1", "--sizes", "10x10").code == 0


def test_an_id_is_one_line(say: Say, folder: Path) -> None:
    lines = ["[[step]]", 'use = "automaton"', f"id = {json.dumps(EVIL)}"]
    (folder / "evil.toml").write_text("\n".join([RECIPE, *lines]))
    assert "id is a text on one line" in say("profile", "evil.toml").err


def test_signs_that_are_seen_stay() -> None:
    text = "Träne 鍵 ┼ 🗝\n\tx"
    assert clean_text(text) == text


def test_colours_stay_only_in_texts_that_are_coloured(capsys: pytest.CaptureFixture[str]) -> None:
    print_output("\x1b[31mred\x1b[0m\x1b]0;x\x07", coloured=True)
    print_output("\x1b[31mred\x1b[0m")
    assert capsys.readouterr().out == "\x1b[31mred\x1b[0m\\x1b]0;x\\x07\n\\x1b[31mred\\x1b[0m\n"


def test_json_is_read_back_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    value = {EVIL: [EVIL, "\U000e0001", "\x7f\x85"]}
    print_json(value)
    printed = capsys.readouterr().out
    assert printed.replace("\n", "").isprintable()
    assert json.loads(printed) == value


def test_only_one_module_prints() -> None:
    """Everything goes through `cli.messages`, and the bytes of levels and the frames of `--watch` through two more."""
    source = ROOT / "src" / "undercroft"
    found = set()
    for path in source.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and re.fullmatch(
                r"(click\.s?echo(_via_pager)?|print|(sys\.)?(stdout|stderr)(\.buffer)?\.write(lines)?)",
                ast.unparse(node.func),
            ):
                found.add(path.relative_to(source).as_posix())
    assert found == {"cli/messages.py", "cli/stdio.py", "cli/output/screen.py"}
