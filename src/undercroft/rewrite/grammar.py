"""Grammar folders: one rule a file, drawn as grids between lines of `=`, and the map they start from in `base.txt`.

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

Read strictly, a doubtful line is an error. Read leniently, it means what it meant to the program this format comes from, and a note says so; what that program
refused is refused. An older format (columns first, flags in the same line, no `=` above the target) is recognised. `\\?` is the tile that nobody knows,
as short rows leave it in a base: no rule touches it unless its target has a ? there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path, PurePath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import files, limits
from undercroft.errors import BadInput, FileTrouble, Place, TooBig, UndercroftError
from undercroft.rewrite.grammar_tiles import GRAMMAR
from undercroft.rewrite.program import ANY, KEEP, Node, Program, Result, Rule

STEPS = 150
"""Turns a grammar takes unless told otherwise."""
SIDE = 64
"""Most rows and columns of a rule."""
WEIGHT = 100_000
"""Largest weight: the sum over the largest folder still fits a draw of 32 bits."""
RULES = 1_000
ENTRIES = 10_000
"""Most entries of a folder that are looked at."""
CELLS = 64 * 1024
"""Most cells in all grids of a rule: as many as a file of the largest size can draw."""
FOLDER_CELLS = 4_000_000
"""Most cells in all grids of all rules in all their positions."""
DEPTH = 8
"""Folders within folders."""

LETTERS = "".join(tile.glyph for tile in GRAMMAR.tiles)
UNKNOWN = GRAMMAR["unknown"]
_CODES = {tile.glyph: code for code, tile in enumerate(GRAMMAR.tiles)} | {"?": KEEP}
_FACES = {tile.face: tile.glyph for tile in reversed(GRAMMAR.tiles)}
_TILES_FIX = f"the tiles are {' '.join(sorted(LETTERS.replace('?', '')))}, and ? for any"

_SIZE = re.compile(r"[ \t]*([0-9]+)[ \t]*,[ \t]*([0-9]+)[ \t]*(?:,(.*))?", re.DOTALL)
_FLAGS = re.compile(r"[RHV, \t]*[RHV][RHV, \t]*")
_UNFIT = re.compile(r'[/\\:*?"<>|\x00-\x1f\x7f]')


def _all_positions() -> dict[tuple[int, ...], str]:
    """The positions that each choice of flags stands for, in the order in which the format counts them: turns, then mirror images of all, then of all those.

    A position is k quarter turns, + 4 if left and right change places first. So a mirror after k turns is a mirror first and k turns back;
    top to bottom is left to right and a half turn.
    """
    found = {}
    for flags in ("", "R", "H", "V", "R,H", "R,V", "H,V", "R,H,V"):
        positions = [0, 1, 2, 3] if "R" in flags else [0]
        for flag, half in (("H", 0), ("V", 2)):
            if flag in flags:
                positions += [(position & 4 ^ 4) + (half - position & 3) for position in positions]
        found[tuple(positions)] = flags
    return found


FLAGS = _all_positions()
POSITIONS = {flags: positions for positions, flags in FLAGS.items()}


class Note(NamedTuple):
    """Something that was read otherwise than it may have been meant."""

    problem: str
    place: Place

    def __str__(self) -> str:
        return f"{self.place}: {self.problem}"


class Grammar(NamedTuple):
    """A folder of rules, and the map they start from if there is one."""

    program: Program
    base: NDArray[np.uint8] | None
    notes: tuple[Note, ...]


def rule(text: str, file: str, *, strict: bool = True, dims_order: str = "rc", name: str = "") -> tuple[Rule, list[Note]]:
    """The rule in a file's text, named after the file, and what there is to say about it. `dims_order` is "rc" for rows,columns, "cr" for the reverse.

    >>> crossing, notes = rule("1,3\\nR\\n=5 \\nccc\\n=\\nc5c\\n", "crossing.txt")
    >>> crossing.name, crossing.weight, crossing.positions, notes
    ('crossing', 5, (0, 1, 2, 3), [])
    """
    limits.TOML_BYTES.check(len(text), f"{file}: its size in bytes")
    reader = _Reader(text, file, strict=strict)
    head = reader.header(dims_order, flags_too=True)
    for side in (head.rows, head.columns):
        reader.cap(side, SIDE, "the number of rows or columns of a rule", reader.place(0), "draw a smaller pattern")
    weight = 1 if head.old else reader.spacer("the target")
    target = reader.grid(head, "the target")
    results = [Result(tuple(cells), weight) for weight, cells in reader.results(head)]
    made = Rule(
        name or PurePath(file).name.removesuffix(".txt"),
        head.columns,
        head.rows,
        tuple(ANY if code == KEEP else 1 << code for code in target),
        tuple(results),
        weight=weight,
        positions=POSITIONS[head.flags],
        place=Place(file, 1, 1),
    )
    return made, reader.notes


def base(text: str, file: str, *, strict: bool = True, dims_order: str = "rc") -> tuple[NDArray[np.uint8], list[Note]]:
    """The map in a file's text: a header without flags, `=` and one grid. A `?` is a cell nobody knows.

    >>> base("2,3\\n=\\n.C.\\nc5c\\n", "base.txt")[0]
    array([[ 0,  2,  0],
           [ 1, 11,  1]], dtype=uint8)
    """
    limits.TEXT_BYTES.check(len(text), f"{file}: its size in bytes")
    reader = _Reader(text, file, strict=strict)
    head = reader.header(dims_order, flags_too=False)
    reader.cap(head.rows * head.columns, limits.CELLS.value, "the number of cells of the map", reader.place(0), limits.CELLS.raise_by)
    if not head.old and reader.spacer("the map") != 1:
        reader.note("a map has no weight; it is left out of account", reader.place(reader.at - 1, 1))
    cells = np.array(reader.grid(head, "the map"), np.int16).reshape(head.rows, head.columns)
    if not reader.ended():
        raise reader.mistake(f"this row is too much: the map has its {head.rows}", reader.at, fix="remove it, or give the map more rows in the first line")
    cells[cells < 0] = UNKNOWN
    return cells.astype(np.uint8), reader.notes


def program(rules: Iterable[Rule], name: str = "grammar", *, steps: int = STEPS, pick: str = "rule", merge: bool = False) -> Program:
    """Rules at work: at each step one of those that fit somewhere, by weight, at one of its places.

    Every position is a rule of its own, also where two look the same: a symmetric rule weighs more; `merge` counts equal ones once. `pick="first"` takes
    the first place in reading order. No steps: until nothing fits.
    """
    rules = tuple(rules)
    if not rules:
        raise BadInput(f"{name}: there is no rule to apply", fix="add a file *.txt with a rule")
    if len(rules) > RULES:
        raise TooBig(f"{name}: its number of rules is {len(rules):,}; the limit is {RULES:,} (each is looked for everywhere)", fix="split the folder")
    cells = sum(len(made.pattern) * (1 + len(made.results)) * len(made.positions) for made in rules)
    if cells > FOLDER_CELLS:
        raise TooBig(f"{name}: its rules have {cells:,} cells in all positions; the limit is {FOLDER_CELLS:,} (each is tested)", fix="draw smaller rules")
    return Program(name, GRAMMAR, Node("one", name, rules=rules, limit=steps, pick=pick, merge=merge))


def folder(path: str | Path, *, strict: bool = True, recurse: bool = False, dims_order: str = "rc", steps: int = STEPS) -> Grammar:
    """The rules of a folder, in the order of their names, and `base.txt`. If it holds a folder `rules`, the rules are in there.

    Leniently, a file that cannot be read is left out with a note; a base that cannot be read, and a folder without a rule, are errors all the same.
    """
    root = Path(path)
    notes: list[Note] = []
    holder = root / "rules" if (root / "rules").is_dir() else root
    rules = []
    found = sorted(_listed(holder, holder, recurse, DEPTH))
    if len(found) > RULES:
        raise TooBig(f"{root}: its number of rules is {len(found):,}; the limit is {RULES:,} (each is looked for everywhere)", fix="split the folder")
    for name, file in found:
        try:
            made, said = rule(_text(file, limits.TOML_BYTES), str(file), strict=strict, dims_order=dims_order, name=name)
        except UndercroftError as error:
            if strict:
                raise
            notes.append(Note(f"{error.problem}; the rule is left out", error.place or Place(str(file), 1, 1)))
        else:
            rules.append(made)
            notes += said
    if not rules:
        why = f"; {len(notes)} cannot be read: {notes[0]}" if notes else ""
        raise BadInput(f"{root}: the folder holds no rule{why}", fix="add a file *.txt with a rule" if not notes else "read them strictly to see what to mend")
    tiles = None
    if (root / "base.txt").exists():
        tiles, said = base(_text(root / "base.txt", limits.TEXT_BYTES), str(root / "base.txt"), strict=strict, dims_order=dims_order)
        notes += said
    return Grammar(program(rules, root.name or "grammar", steps=steps), tiles, tuple(notes))


def _listed(holder: Path, root: Path, recurse: bool, depth: int) -> Iterator[tuple[str, Path]]:
    """The rule files of a folder with their names: the path within it, without the ending."""
    try:
        entries = list(islice(holder.iterdir(), ENTRIES + 1))
    except OSError as error:
        raise FileTrouble(f"cannot read {holder}: {(error.strerror or str(error)).lower()}", fix="name a folder of rules") from error
    if len(entries) > ENTRIES:
        raise TooBig(f"{holder}: its number of entries is above {ENTRIES:,} (a grammar is a handful of files)", fix="move other files elsewhere")
    for entry in entries:
        if entry.is_dir():
            if recurse and depth and not entry.is_symlink():
                yield from _listed(entry, root, recurse, depth - 1)
        elif entry.suffix == ".txt" and entry != root / "base.txt":
            yield entry.relative_to(root).with_suffix("").as_posix(), entry


def _text(file: Path, limit: limits.Limit) -> str:
    if not file.is_file():  # before it is opened: opening a pipe would wait
        raise FileTrouble(f"{file}: not a regular file", fix="name a file")
    return files.text(file, limit)


def dump(made: Rule) -> str:
    """The rule as a file's text. Its name is the file's; positions are written as flags, so they come back in the order of the format.

    >>> print(dump(rule("1, 2,V\\n= 3\\nc?\\n=1\\nr?", "x")[0]))
    1,2
    V
    =3
    c?
    =
    r?
    <BLANKLINE>
    """
    cells = made.width * made.height
    if not (0 < made.width <= SIDE and 0 < made.height <= SIDE):
        raise _cannot(made, f"a size of {made.width}x{made.height}", f"a rule has 1 to {SIDE} rows and columns")
    if made.chance != 1 or made.limit:
        raise _cannot(made, "a chance or a limit", "write the rule in the .rules language")
    if not made.results:
        raise _cannot(made, "a rule without a result", "add one; if it writes nothing, a grid of ?")
    if any(len(grid) != cells for grid in (made.pattern, *(result.cells for result in made.results))):
        raise _cannot(made, "grids of different sizes", "draw them alike")
    if any(not 0 <= weight <= WEIGHT for weight in (made.weight, *(result.weight for result in made.results))):
        raise _cannot(made, "this weight", f"weights are whole numbers from 0 to {WEIGHT:,}")
    flags = FLAGS.get(made.positions, next((word for same, word in FLAGS.items() if sorted(same) == sorted(made.positions)), None))
    if flags is None:
        raise _cannot(made, f"the positions {made.positions}", "choose turns, mirror images, or both")
    lines = [f"{made.height},{made.width}", *([flags] if flags else []), _weighed(made.weight)]
    lines += _rows([_wanted(made, mask) for mask in made.pattern], made.width)
    for result in made.results:
        lines.append(_weighed(result.weight))
        lines += _rows([_written(made, code) for code in result.cells], made.width)
    return "\n".join(lines) + "\n"


def dump_base(tiles: NDArray[np.uint8]) -> str:
    """A map as the text of `base.txt`."""
    height, width = tiles.shape
    if tiles.max(initial=0) >= len(GRAMMAR):
        raise BadInput("the map holds tiles that a grammar does not know", fix=_TILES_FIX)
    rows = ["".join(GRAMMAR.tiles[code].glyph for code in row) for row in tiles.tolist()]
    return "\n".join([f"{height},{width}", "=", *rows]) + "\n"


def dump_folder(grammar: Program, tiles: NDArray[np.uint8] | None = None, *, numbered: bool = False) -> dict[str, str]:
    """The program as file name -> text, with the map as `base.txt`. The number of steps is no part of the files.

    A folder is read in the order of its names; `numbered` puts numbers before them, so that any order stays.
    """
    root = grammar.root
    if grammar.palette != GRAMMAR:
        raise BadInput(f"a grammar folder is drawn with the palette 'grammar', not {grammar.palette.name!r}", fix="translate the rules to its tiles")
    if (root.kind, root.children, root.pick, root.outside, root.merge) != ("one", (), "rule", -1, False):
        raise BadInput("a grammar folder is one node that picks by rule and keeps equal positions; this program is more", fix="write it in the .rules language")
    made: dict[str, str] = {}
    names = [_filed(entry, index, len(root.rules), numbered) for index, entry in enumerate(root.rules)]
    for before, after in pairwise(names):
        if before >= after:
            raise BadInput(f"a folder is read in the order of its names, and {before!r} does not come before {after!r}", fix="rename the rules, or number them")
    if len({name.casefold() for name in names}) < len(names):
        raise BadInput("two rules differ only in capital letters, and many systems take their files for one", fix="rename one, or number them")
    for name, entry in zip(names, root.rules, strict=True):
        made[f"{name}.txt"] = dump(entry)
    if tiles is not None:
        made["base.txt"] = dump_base(tiles)
    return made


def _filed(made: Rule, index: int, count: int, numbered: bool) -> str:
    name = f"{index + 1:0{len(str(count))}}-{made.name}" if numbered else made.name
    if not name.strip(". ") or name != name.strip() or name[0] == "." or len(name) > 100 or _UNFIT.search(name) or name.casefold() == "base":
        raise BadInput(f"{made.name!r} cannot be the name of a rule's file", fix='use letters and digits, none of / \\ : * ? " < > |, and not "base"')
    return name


def _cannot(made: Rule, what: str, fix: str) -> BadInput:
    return BadInput(f"a grammar file cannot hold {what} (rule {made.name!r})", place=made.place, fix=fix)


def _weighed(weight: int) -> str:
    return "=" if weight == 1 else f"={weight}"


def _rows(signs: Sequence[str], width: int) -> list[str]:
    return ["".join(signs[start : start + width]) for start in range(0, len(signs), width)]


def _wanted(made: Rule, mask: int) -> str:
    if mask == ANY:
        return "?"
    if mask.bit_count() != 1:
        raise _cannot(made, "a set of tiles in a target", "write one rule for each tile, or the .rules language")
    return _written(made, mask.bit_length() - 1)


def _written(made: Rule, code: int) -> str:
    if code == KEEP:
        return "?"
    if not 0 <= code < len(GRAMMAR):
        raise _cannot(made, f"the tile number {code}", _TILES_FIX)
    return "\\?" if code == UNKNOWN else GRAMMAR.tiles[code].glyph


class _Head(NamedTuple):
    rows: int
    columns: int
    flags: str
    old: bool
    """In the older format the grid follows at once."""


class _Reader:
    """One file, line by line. `at` is the line that comes next, from 0."""

    def __init__(self, text: str, file: str, *, strict: bool) -> None:
        self.file, self.strict = file, strict
        self.notes: list[Note] = []
        self.at = 0
        self.lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
        if not self.lines[-1]:
            self.lines.pop()

    def place(self, line: int, column: int = 0) -> Place:
        """`column` from 0."""
        return Place(self.file, line + 1, column + 1, self.lines[line] if line < len(self.lines) else "")

    def mistake(self, problem: str, line: int, column: int = 0, *, fix: str) -> BadInput:
        return BadInput(problem, place=self.place(line, column), fix=fix)

    def note(self, problem: str, place: Place) -> None:
        self.notes.append(Note(problem, place))

    def lapse(self, problem: str, place: Place, *, fix: str, taken: str) -> None:
        """An error if strict; else a note of what it is taken for."""
        if self.strict:
            raise BadInput(problem, place=place, fix=fix)
        self.note(f"{problem}; {taken}", place)

    def cap(self, asked: int, most: int, what: str, place: Place, fix: str) -> None:
        if asked > most:
            raise TooBig(f"{what} is {asked:,}; the limit is {most:,}", place=place, fix=fix)

    def skip_blank(self) -> None:
        while self.at < len(self.lines) and not self.lines[self.at].strip(" \t"):
            self.at += 1

    def ended(self) -> bool:
        self.skip_blank()
        return self.at >= len(self.lines)

    def last(self) -> int:
        return max(0, len(self.lines) - 1)

    def header(self, dims_order: str, *, flags_too: bool) -> _Head:
        """The size, and the flags in the lines in which they may stand; what follows is the first grid, or the `=` above it."""
        if dims_order not in {"rc", "cr"}:
            raise BadInput(f"dims_order is 'rc' for rows,columns or 'cr' for columns,rows, not {dims_order!r}", fix="leave it out")
        if not self.lines:
            raise self.mistake("the file is empty", 0, fix="begin with rows,columns, for example 3,3")
        sizes = _SIZE.fullmatch(self.lines[0])
        if sizes is None:
            raise self.mistake("the first line gives the size, as rows,columns", 0, fix="write two whole numbers, for example 3,3")
        first, second = (int(digits) if len(digits) < 10 else 10**9 for digits in sizes.groups()[:2])
        for group, number in ((1, first), (2, second)):
            if not number:
                raise self.mistake("a grid has at least one row and one column", 0, sizes.start(group), fix="write numbers from 1")
        self.at = 1
        flags = ""
        rest, rest_at = sizes.group(3), sizes.start(3)
        if not flags_too and rest is not None:
            self.lapse("a map takes no flags", self.place(0, rest_at), fix="end the line after the second number", taken="they are left out of account")
        elif rest is not None:
            flags = self.flags(rest, 0, rest_at)
        if self.is_old(first, second, rule=flags_too):
            self.note("this is the older format: columns first, then rows, and no '=' above the first grid; it is read so", self.place(0))
            return _Head(second, first, _sorted(flags), old=True)
        if flags:
            self.note("flags stand in a line of their own below the size; they are taken all the same", self.place(0, rest_at))
        if self.at < len(self.lines) and not self.lines[self.at].startswith("="):
            line = self.lines[self.at].strip(" \t")
            if not flags_too and line:
                raise self.mistake("a line with '=' must follow the size of a map", self.at, fix="put '=' on a line of its own; a map takes no flags")
            if flags_too and not line.startswith("="):
                flags += self.flags(self.lines[self.at], self.at, 0)
                self.at += 1
        rows, columns = (first, second) if dims_order == "rc" else (second, first)
        return _Head(rows, columns, _sorted(flags), old=False)

    def flags(self, text: str, line: int, column: int) -> str:
        strange = [(at, sign) for at, sign in enumerate(text) if sign not in "RHV, \t"]
        if strange:
            at, sign = strange[0]
            more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
            hint = f"; did you mean {sign.upper()}?" if sign in "rhv" else ""
            self.note(f"unknown flag {sign!r}{more} left out of account, the flags are R, H and V{hint}", self.place(line, column + at))
        return "".join(sign for sign in text if sign in "RHV")

    def is_old(self, columns: int, rows: int, *, rule: bool) -> bool:
        """Whether the second line is a row of as many tiles as the first number says, where flags or '=' should be."""
        if len(self.lines) < 2:
            return False
        row = self.lines[1].rstrip(" \t")
        if len(row) != columns or row.strip(LETTERS):
            return False
        if not rule:
            return not self.spacer_from(2)
        return self.spacer_from(1 + rows) and not (self.spacer_from(2) and _FLAGS.fullmatch(row))

    def spacer_from(self, line: int) -> bool:
        """Whether the first line that is not blank, from this one on, starts with '='."""
        for text in islice(self.lines, line, None):
            if text.strip(" \t"):
                return text.startswith("=")
        return False

    def spacer(self, what: str) -> int:
        """The weight in the `=` line above a grid."""
        self.skip_blank()
        if self.at >= len(self.lines):
            raise self.mistake(f"the file ends before {what}", self.last(), fix=f"put '=' and {what} below the header")
        line = self.lines[self.at]
        if not line.startswith("="):
            fix = "remove what stands before '='" if line.strip(" \t").startswith("=") else "put '=' on a line of its own, right above the grid"
            raise self.mistake(f"a line with '=' must stand above {what}", self.at, fix=fix)
        self.at += 1
        number = line[1:].strip(" \t")
        if not number:
            return 1
        place = self.place(self.at - 1, line.index(number, 1))
        if not (number.isascii() and number.isdigit()):
            self.lapse(f"a weight is a whole number, not {number[:20]!r}", place, fix="write =5, = alone for 1, =0 for never", taken="it is taken for 1")
            return 1
        weight = int(number) if len(number) < 10 else 10**9
        self.cap(weight, WEIGHT, "this weight", place, "divide all weights by the same number")
        return weight

    def results(self, head: _Head) -> Iterator[tuple[int, list[int]]]:
        """The weight and the cells of each grid that is left."""
        count = 0
        while not self.ended():
            if not self.lines[self.at].startswith("="):
                raise self.too_many(head, "the target" if count == 0 else f"result {count}")
            count += 1
            weight = self.spacer(f"result {count}")
            self.cap((1 + count) * head.rows * head.columns, CELLS, "the number of cells in all grids", self.place(self.at - 1), "split the rule")
            yield weight, self.grid(head, f"result {count}")
        if not count:
            raise self.mistake("the rule has no result", self.last(), fix="put '=' and a grid below the target")

    def too_many(self, head: _Head, what: str) -> BadInput:
        if self.lines[self.at].strip(" \t").startswith("="):
            return self.mistake("a line with '=' begins with it", self.at, fix="remove the blanks before it")
        fix = "remove a row, or write '=' above the next result"
        if what == "the target" and any(_FLAGS.fullmatch(line) for line in self.lines[self.at - head.rows : self.at - head.rows + 1]):
            fix = "put flags above the '=' line, or remove a row"
        return self.mistake(f"this row is too much: {what} has its {head.rows}", self.at, fix=fix)

    def grid(self, head: _Head, what: str) -> list[int]:
        """The tile codes of the next grid, row by row; a wildcard is `KEEP`."""
        cells: list[int] = []
        for number in range(head.rows):
            if self.at >= len(self.lines):
                raise self.mistake(f"the file ends in row {number + 1} of {head.rows} of {what}", self.last(), fix="add the missing rows")
            line = self.lines[self.at]
            if line.startswith("="):
                raise self.mistake(f"{what} has {number} rows, and the first line says {head.rows}", self.at, fix="add the missing rows above")
            if what == "the target" and not number and _FLAGS.fullmatch(line) and (set(line) & set("HV,") or len(line.rstrip(" \t")) != head.columns):
                raise self.mistake("flags stand above the '=' line, not below it", self.at, fix="move this line up by one")
            cells += self.row(line.rstrip(" \t"), head.columns)
            self.at += 1
        return cells

    def row(self, line: str, columns: int) -> list[int]:
        if len(line) == columns and not line.strip(LETTERS):  # no sign that needs a second look
            return [_CODES[sign] for sign in line]
        if not line:
            self.lapse("this row is empty", self.place(self.at), fix="draw it; write ? for a cell that does not matter", taken="its cells are taken for ?")
            return [KEEP] * columns
        cells: list[int] = []
        strange: list[tuple[int, str]] = []
        column = 0
        while column < len(line):
            if len(cells) == columns:
                self.lapse(
                    f"this row is longer than {columns} columns", self.place(self.at, column), fix="shorten it, or widen the grid", taken="the rest is left out"
                )
                break
            start, sign = column, line[column]
            if sign == "\\":
                column += 1
                sign = line[column : column + 1]
            if not sign:
                raise self.mistake("a backslash stands before the sign it protects", self.at, start, fix="remove it, or write \\? for an unknown tile")
            if sign == "=" and start == column:
                raise self.mistake("'=' is no tile: it begins the line above a grid", self.at, column, fix=_TILES_FIX)
            if sign not in _CODES:
                strange.append((column, sign))
                if self.strict:
                    break
            cells.append(UNKNOWN if sign == "?" and start != column else _CODES.get(sign, KEEP))
            column += 1
        if strange:
            at, sign = strange[0]
            more = f" (and {len(strange) - 1} more in this row)" if len(strange) > 1 else ""
            fix = f"write {_FACES[sign]} for {sign}" if sign in _FACES else _TILES_FIX
            self.lapse(f"unknown tile {sign!r}{more}", self.place(self.at, at), fix=fix, taken="it is taken for ?")
        if len(cells) < columns:
            self.lapse(
                f"this row has {len(cells)} of {columns} columns",
                self.place(self.at, len(line)),
                fix="draw the rest; write ? for a cell that does not matter",
                taken="the rest is taken for ?",
            )
        return cells + [KEEP] * (columns - len(cells))


def _sorted(flags: str) -> str:
    """Flags in the order of the table, each once."""
    return ",".join(flag for flag in "RHV" if flag in flags)
