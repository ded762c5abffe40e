"""The fenced blocks of a page, and what they really say when they are run.

- `console`: a line that starts with `$ ` is a command for the shell, the lines after it are what it prints. A line of
  three dots stands for any lines, and the sign … for anything within a line; an output with these is never rewritten.
- `python` with `>>>`: a session, as in a doctest. All sessions of a page are one.
- `python`, `toml`, `rules`, `layout` and `flow` whose first line is a comment with a file name: the file, which later
  blocks can use.
- `toml` with `[[step]]`: a recipe, and it must load.

All blocks of a page run in order in one temporary folder that holds a copy of `examples/`.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROMPT = "$ "
ANY_LINES, ANYTHING = "...", "…"

_FENCE = re.compile(r"(?P<fence>`{3,})(?P<kind>[\w:-]*)\s*")
_FILE_NAME = re.compile(r"[#;] (?P<name>[\w-]+\.(?:toml|py|rules|layout|flow))")


class Block(NamedTuple):
    """A fenced block; `line` is the number of its first line inside the fence, from 1."""

    kind: str
    line: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    @property
    def file_name(self) -> str:
        """The name in the first line, if there is one."""
        match = _FILE_NAME.fullmatch(self.lines[0]) if self.lines else None
        return match["name"] if match else ""


class CheckedBlock(NamedTuple):
    """A block, and how it should be written after it was run."""

    block: Block
    truth: tuple[str, ...]

    @property
    def right(self) -> bool:
        return self.block.lines == self.truth


def blocks(text: str) -> list[Block]:
    """All fenced blocks of a page."""
    found: list[Block] = []
    inside: list[str] = []
    fence = kind = ""
    first = 0
    for number, line in enumerate(text.split("\n"), 1):
        match = _FENCE.fullmatch(line)
        if not fence and match:
            fence, kind, first, inside = match["fence"], match["kind"], number + 1, []
        elif fence and line == fence:
            found.append(Block(kind, first, tuple(inside)))
            fence = ""
        elif fence:
            inside.append(line)
    if fence:
        raise ValueError(f"the block that begins before line {first} is never closed")
    return found


def commands(block: Block) -> list[tuple[str, tuple[str, ...]]]:
    """The commands of a console block, each with the lines it should print."""
    found: list[tuple[str, list[str]]] = []
    for line in block.lines:
        if line.startswith(PROMPT):
            found.append((line.removeprefix(PROMPT), []))
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError(f"line {block.line}: a console block begins with a line '{PROMPT}command'")
    return [(command, tuple(lines)) for command, lines in found]


def is_loose(wanted: tuple[str, ...]) -> bool:
    """Whether some of the output is left open."""
    return any(line == ANY_LINES or ANYTHING in line for line in wanted)


def fits(wanted: tuple[str, ...], got: tuple[str, ...]) -> bool:
    """Whether the lines are as wanted."""
    if not wanted:
        return not got
    if wanted[0] == ANY_LINES:
        return any(fits(wanted[1:], got[skipped:]) for skipped in range(len(got) + 1))
    pattern = ".*".join(map(re.escape, wanted[0].split(ANYTHING)))
    return bool(got) and re.fullmatch(pattern, got[0]) is not None and fits(wanted[1:], got[1:])


def played(page: Path) -> list[CheckedBlock]:
    """Every block of a page that can be run, with its truth."""
    try:
        return list(_play(blocks(page.read_text(encoding="utf-8"))))
    except Exception as error:
        error.add_note(f"on the page {page}")
        raise


def rewritten(text: str, told: list[CheckedBlock]) -> str:
    """The page with every block as it should be."""
    lines = text.split("\n")
    for block, truth in reversed(told):
        lines[block.line - 1 : block.line - 1 + len(block.lines)] = truth
    return "\n".join(lines)


def _play(found: list[Block]) -> Iterator[CheckedBlock]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(ROOT / "examples", folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
        session = Session(folder)
        wrong: list[str] = []
        for block in found:
            if block.kind == "console":
                try:
                    yield CheckedBlock(block, _console(block, folder))
                except ValueError as error:
                    wrong.append(str(error))
            elif block.kind == "python" and block.lines[0].startswith(">>> "):
                yield CheckedBlock(block, session.run_block(block))
            elif block.kind in {"python", "toml"} or (block.kind in {"rules", "layout", "flow"} and block.file_name):
                _keep(block, folder)
                yield CheckedBlock(block, block.lines)
        if wrong:
            raise ValueError("\n\n".join(wrong))


def _keep(block: Block, folder: Path) -> None:
    """Put a file into the folder; a recipe must load, a program must be Python."""
    if block.kind == "toml" and "[[step]]" in block.text:
        from undercroft import Recipe

        Recipe.parse(block.text, block.file_name or "recipe.toml", folder)
    elif block.kind == "rules":
        from undercroft import Rules

        Rules.parse(block.text, block.file_name)
    elif block.kind == "flow":
        from undercroft.flows.parse import parse_flow

        parse_flow(block.text, block.file_name)
    elif block.kind == "layout":
        from undercroft.templates.layouts import layout_files

        layout_files.parse(block.text, block.file_name)
    elif block.kind == "python":
        if not block.file_name:
            raise ValueError(
                f"line {block.line}: a Python block is a session with >>>, or begins with a comment that names its file"
            )
        compile(block.text, block.file_name, "exec")
    if block.file_name:
        (folder / block.file_name).write_text(block.text, encoding="utf-8")


def _console(block: Block, folder: Path) -> tuple[str, ...]:
    truth: list[str] = []
    for command, wanted in commands(block):
        got = shell(command, folder)
        if is_loose(wanted) and not fits(wanted, got):
            raise ValueError(
                f"line {block.line}: {command}\nprinted\n{chr(10).join(got)}\n"
                "which does not fit the page, and the page leaves some of it open: mend it by hand"
            )
        truth += [f"{PROMPT}{command}", *(wanted if is_loose(wanted) else got)]
    return tuple(truth)


def shell(command: str, folder: Path) -> tuple[str, ...]:
    """What a command prints, to standard output and to standard error, line by line; blanks at the end of a line are
    dropped.
    """
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    settings = {**os.environ, "PATH": path, "COLUMNS": "100", "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    settings.pop("UNDERCROFT_DEBUG", None)
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return tuple(line.rstrip() for line in done.stdout.rstrip("\n").split("\n")) if done.stdout.strip() else ()


class Session(doctest.DocTestRunner):
    """The Python of a page: names live on from block to block."""

    def __init__(self, folder: Path) -> None:
        super().__init__(verbose=False)
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.got: list[str] = []

    def run_block(self, block: Block) -> tuple[str, ...]:
        """The block as it should be written."""
        examples = doctest.DocTestParser().get_examples(block.text)
        test = doctest.DocTest(examples, {}, "page", None, block.line - 1, None)
        test.globs = self.names
        self.got = []
        with contextlib.chdir(self.folder):
            self.run(test, out=lambda _: None, clear_globs=False)
        lines: list[str] = []
        for example, got in zip(examples, self.got, strict=True):
            lines += [
                f"{'...' if row else '>>>'} {line}".rstrip()
                for row, line in enumerate(example.source.rstrip("\n").split("\n"))
            ]
            lines += [line or "<BLANKLINE>" for line in got.rstrip("\n").split("\n")] if got.strip() else []
        return tuple(lines)

    def report_start(self, out: Any, test: Any, example: Any) -> None: ...

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:  # noqa: ARG002
        self.got.append(example.want)

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:  # noqa: ARG002
        self.got.append(got)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:  # noqa: ARG002
        raise ValueError(f">>> {example.source}raised {exc_info[0].__name__}: {exc_info[1]}") from exc_info[1]
