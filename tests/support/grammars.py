"""Grammar rules and maps as short texts, for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import UndercroftError
from undercroft.inputs.files import SHIPPED_FOLDER as FOLDER
from undercroft.rewrite.grammar.rule_file import Note
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import ANY, KEEP, Rule
from undercroft.rewrite.model.symmetry_flags import FLAGS_BY_POSITIONS

SHIPPED = FOLDER / "grammar"
FOUR_WAY = "3,3\nR\n=\n...\nccc\n...\n=\n.C.\nc5c\n.C.\n"


T = TypeVar("T")
Outcome = tuple[str, ...]
"""The result, or the beginning of the error; then the beginning of each note."""


def tiles(*rows: str) -> NDArray[np.uint8]:
    return np.array([[GRAMMAR_PALETTE[sign] for sign in row] for row in rows], np.uint8)


def letters(grid: NDArray[np.uint8]) -> str:
    return "/".join("".join(GRAMMAR_PALETTE.tiles[code].glyph for code in row) for row in grid.tolist())


def sign(code: int) -> str:
    return "?" if code == KEEP else "U" if code == GRAMMAR_PALETTE["unknown"] else GRAMMAR_PALETTE.tiles[code].glyph


def format_cells(cells: tuple[int, ...], width: int) -> str:
    return "/".join("".join(map(sign, cells[start : start + width])) for start in range(0, len(cells), width))


def target(pattern: tuple[int, ...], width: int) -> str:
    return format_cells(tuple(KEEP if mask == ANY else mask.bit_length() - 1 for mask in pattern), width)


def format_rule(made: Rule) -> str:
    """A rule in a line: its flags, its weight, its target, its results with their weights. `U` is the unknown tile."""
    results = " ".join(f"{format_cells(result.cells, made.width)}={result.weight}" for result in made.results)
    return f"{FLAGS_BY_POSITIONS[made.positions]}={made.weight} {target(made.pattern, made.width)} -> {results}"


def attempt(
    reader: Callable[..., tuple[T, list[Note]]], text: str, *, strict: bool
) -> tuple[T, list[Note]] | UndercroftError:
    """The parsed result, or the error; any other exception is a defect."""
    try:
        return reader(text, "x.txt", strict=strict)
    except UndercroftError as error:
        return error


def wrong(error: UndercroftError) -> str:
    """`! line:column sentence`."""
    assert error.place is not None
    assert error.fix
    return f"! {error.place.line}:{error.place.column} {error.problem}"


def noted(notes: list[Note]) -> list[str]:
    return [f"{note.place.line}:{note.place.column} {note.problem}" for note in notes]


def check(outcome: Outcome, found: str, notes: list[str]) -> None:
    first, *rest = outcome
    assert found.startswith(first) if first.startswith("!") else found == first
    assert len(notes) == len(rest), notes
    assert all(one.startswith(other) for one, other in zip(notes, rest, strict=True)), notes


def fill(path: Path, **texts: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (path / f"{name}.txt").write_text(text, encoding="utf-8")
    return path
