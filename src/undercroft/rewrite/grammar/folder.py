"""Read grammar folders: one rule per file, drawn as grids between lines of `=`, and the start map in `base.txt`.

    3,3        rows, columns
    R          R: turned too. H, V: mirrored too, left to right, top to bottom. May be left out
    =5         the rule's weight; 1 if left out, 0 switches it off
    ...        the target; ? is any tile
    ccc
    ...
    =          a result's weight; then the result, and further ones; ? keeps what is there
    .C.
    c5c
    .C.

In strict mode a doubtful line is an error. In lenient mode it means what it meant to the program that this format
comes from, and a note says so; what that program refused is refused. An older format (columns first, flags in the same
line, no `=` above the target) is detected. `\\?` is the unknown tile, as short rows leave it in a base: no rule touches
it unless its target has a ? there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.errors import BadInput, Place, UndercroftError
from undercroft.inputs import files
from undercroft.rewrite.grammar.rule_file import SIZE_LINE, UNKNOWN_TILE, Note, RuleFileReader
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import ANY, KEEP, Node, Program, Replacement, Rule
from undercroft.rewrite.model.symmetry_flags import POSITIONS_BY_FLAGS

DEFAULT_STEPS = 150
"""The default number of turns of a grammar."""
PROGRAM_NAME = "grammar"
"""The name of every such program. Draws depend on names, so a folder that is moved gives the same maps as before.
"""
BASE_FILE = "base.txt"
"""The file of the start map."""


class Grammar(NamedTuple):
    """A folder of rules, and their start map if there is one."""

    program: Program
    base: NDArray[np.uint8] | None
    notes: tuple[Note, ...]
    texts: Mapping[str, str]
    """All texts that were read, by file name."""


def is_rule_text(text: str) -> bool:
    """Whether a text starts like a file of a grammar.

    >>> is_rule_text("3, 3,R\\n"), is_rule_text("#.#\\n")
    (True, False)
    """
    return SIZE_LINE.match(text.removeprefix("\ufeff").partition("\n")[0].removesuffix("\r")) is not None


def parse_rule(
    text: str, file: str, *, strict: bool = True, dims_order: str = "rc", name: str = ""
) -> tuple[Rule, list[Note]]:
    """Parse the rule in a file's text, named after the file; also returns notes about it. `dims_order` is "rc" for
    rows,columns, "cr" for the reverse.

    >>> crossing, notes = parse_rule("1,3\\nR\\n=5 \\nccc\\n=\\nc5c\\n", "crossing.txt")
    >>> crossing.name, crossing.weight, crossing.positions, notes
    ('crossing', 5, (0, 1, 2, 3), [])
    """
    limits.RULES_BYTES.check(len(text), f"{file}: its size in bytes")
    reader = RuleFileReader(text, file, strict=strict)
    head = reader.read_header(dims_order, flags_too=True)
    for side in (head.rows, head.columns):
        limits.PATTERN_SIDE.check(side, "the number of rows or columns of a rule", reader.place(0))
    weight = 1 if head.old else reader.read_spacer("the target")
    target = reader.read_grid(head, "the target").ravel().tolist()
    results = [Replacement(tuple(cells.ravel().tolist()), weight) for weight, cells in reader.read_results(head)]
    made = Rule(
        name or _rule_name(PurePath(file).name),
        head.columns,
        head.rows,
        tuple(ANY if code == KEEP else 1 << code for code in target),
        tuple(results),
        weight=weight,
        positions=POSITIONS_BY_FLAGS[head.flags],
        place=Place(file, 1, 1),
    )
    return made, reader.notes


def parse_base(
    text: str, file: str, *, strict: bool = True, dims_order: str = "rc"
) -> tuple[NDArray[np.uint8], list[Note]]:
    """Parse the map in a file's text: a header without flags, `=` and one grid. A `?` is an unknown cell.

    >>> parse_base("2,3\\n=\\n.C.\\nc5c\\n", "base.txt")[0]
    array([[ 0,  2,  0],
           [ 1, 11,  1]], dtype=uint8)
    """
    limits.TEXT_BYTES.check(len(text), f"{file}: its size in bytes")
    reader = RuleFileReader(text, file, strict=strict)
    head = reader.read_header(dims_order, flags_too=False)
    limits.SIDE.check(max(head.rows, head.columns), "the longer side of the map", reader.place(0))
    limits.CELLS.check(head.rows * head.columns, "the number of cells of the map", reader.place(0))
    if not head.old and reader.read_spacer("the map") != 1:
        reader.add_note("a map has no weight; it is left out of account", reader.place(reader.at - 1, 1))
    cells = reader.read_grid(head, "the map")
    if not reader.is_at_end():
        raise reader.error_at(
            f"this row is too much: the map has its {head.rows}",
            reader.at,
            fix="remove it, or give the map more rows in the first line",
        )
    cells[cells == KEEP] = UNKNOWN_TILE
    return cells.view(np.uint8), reader.notes


def build_program(
    rules: Iterable[Rule], *, steps: int = DEFAULT_STEPS, pick: str = "rule", merge: bool = False
) -> Program:
    """A program that applies, at each step, one of the rules that match somewhere, drawn by weight, at one of its
    places.

    Every position counts as a rule of its own, even if two look the same, so a symmetric rule has more weight; `merge`
    counts equal ones once. `pick="first"` takes the first place in reading order. 0 steps: until nothing matches.
    """
    rules = tuple(rules)
    if not rules:
        raise BadInput("there is no rule to apply", fix="add a file *.txt with a rule")
    limits.RULES_IN_FILE.check(len(rules), "the number of rules")
    cells = sum(len(made.pattern) * (1 + len(made.results)) * len(made.positions) for made in rules)
    limits.GRAMMAR_CELLS.check(cells, "the number of cells of all rules in all positions")
    return Program(
        PROGRAM_NAME, GRAMMAR_PALETTE, Node("one", PROGRAM_NAME, rules=rules, limit=steps, pick=pick, merge=merge)
    )


def load_folder(
    path: str | Path, *, strict: bool = True, recurse: bool = False, dims_order: str = "rc", steps: int = DEFAULT_STEPS
) -> Grammar:
    """Load the rules of a folder, in the order of their names, and `base.txt`. If it holds a folder `rules`, the rules
    are in there.

    In lenient mode a file that cannot be read is left out with a note; a base that cannot be read, and a folder without
    a rule, are errors in both modes.
    """
    root = Path(path)
    notes: list[Note] = []
    texts: dict[str, str] = {}
    holder = root / "rules" if (root / "rules").is_dir() else root
    rules = []
    found = [name for name in files.list_files(holder, ".txt", deep=recurse) if name.casefold() != BASE_FILE]
    limits.RULES_IN_FILE.check(len(found), f"{root}: its number of rules")
    _check_unique_names(holder, found)
    for name in sorted(found, key=_rule_name):
        file = str(holder / name)
        try:
            texts[name] = files.read_text(file, limits.RULES_BYTES)
            made, said = parse_rule(texts[name], file, strict=strict, dims_order=dims_order, name=_rule_name(name))
        except UndercroftError as error:
            if strict:
                raise
            notes.append(Note(f"{error.problem}; the rule is left out", error.place or Place(file, 1, 1)))
        else:
            rules.append(made)
            notes += said
    if not rules:
        why = f"; {len(notes)} cannot be read: {notes[0]}" if notes else ""
        raise BadInput(
            f"{root}: the folder holds no rule{why}",
            fix="add a file *.txt with a rule" if not notes else "read them strictly to see what to correct",
        )
    tiles = None
    bases = [name for name in files.list_files(root, ".txt") if name.casefold() == BASE_FILE]
    _check_unique_names(root, bases)
    for name in bases:
        texts[BASE_FILE] = files.read_text(root / name, limits.TEXT_BYTES)
        tiles, said = parse_base(texts[BASE_FILE], str(root / name), strict=strict, dims_order=dims_order)
        notes += said
    return Grammar(build_program(rules, steps=steps), tiles, tuple(notes), texts)


def _rule_name(file: str) -> str:
    """The name of the rule in a file of the folder.

    >>> _rule_name("sub/hall.txt"), _rule_name("HALL.TXT")
    ('sub/hall', 'HALL')
    """
    return file[: -len(".txt")] if file.casefold().endswith(".txt") else file


def _check_unique_names(folder: Path, names: Iterable[str]) -> None:
    """Refuse two files that differ only in the case of their suffix, or two base maps."""
    seen: dict[str, str] = {}
    for name in names:
        own = BASE_FILE if name.casefold() == BASE_FILE else _rule_name(name)
        if own in seen:
            raise BadInput(f"{folder}: {seen[own]} and {name} differ only in capital letters", fix="rename one of them")
        seen[own] = name
