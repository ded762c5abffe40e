"""Parse drawn rules: a pattern, an arrow and its results, side by side in columns, or all on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from undercroft.errors import BadInput
from undercroft.inputs.lines import LinePart
from undercroft.limits import PATTERN_SIDE
from undercroft.rewrite.text.lines import ARROW

_TOKEN = re.compile(r"(?:\{[^{}]*\}|[^ ])+")
_OPTIONS = re.compile(r",(?= +[^ |,])")
_BRACES = re.compile(r"\{[^{}]*\}")
_MISSPELT_ARROW = re.compile(r"(?<!\S)(?:\S*(?:=>|→|⇒)\S*|=|- +>|->\S+|\S+->\S*)(?!\S)")
_SAME_SIZE_FIX = "give both sides the same rows and columns"


class DrawingBlock(NamedTuple):
    """A rectangle of cells, row by row, each as source text."""

    width: int
    height: int
    cells: tuple[LinePart, ...]

    @property
    def size_text(self) -> str:
        """Width and height as text, `3x2`."""
        return f"{self.width}x{self.height}"


class Drawing(NamedTuple):
    """The block left of the arrow, and the blocks right of it."""

    left: DrawingBlock
    right: tuple[DrawingBlock, ...]


def split_at_blank_lines(rows: list[LinePart]) -> Iterator[list[LinePart]]:
    """Rows between blank lines."""
    run: list[LinePart] = []
    for row in rows:
        if row.text:
            run.append(row)
        elif run:
            yield run
            run = []
    if run:
        yield run


def parse_drawing(rows: list[LinePart], *, may_be_empty: bool = False) -> Drawing:
    """Parse a drawing of several rows. Columns in which every row is blank separate its blocks."""
    first = rows[0].cut()
    PATTERN_SIDE.check(len(rows), "the height of the drawing", first.place())
    arrows = [row for row in rows if ARROW.search(row.text)]
    if not arrows:
        raise _no_arrow_error(rows)
    if len(arrows) > 1:
        raise _find_part(arrows[1], ARROW).error(
            f"this drawing of {len(rows)} rows has an arrow in {len(arrows)} of them",
            "draw one -> in a drawing; rules of one line each have one on every line",
        )
    columns = _list_column_spans(rows)
    at = next((index for index, (start, end) in enumerate(columns) if _holds_only(rows, start, end, "->")), -1)
    if at < 0:
        raise _find_part(arrows[0], ARROW).error(
            "in some row a cell stands above, below or beside the arrow",
            "leave its columns and one on each side blank, in every row",
        )
    if at == 0:
        raise _find_part(arrows[0], ARROW).error(
            "there is no pattern left of the arrow", "draw what is looked for before ->"
        )
    if at > 1:
        raise _first_part(rows, columns[1]).error(
            "there are two blocks left of the arrow",
            "draw one pattern there; a column of blanks separates blocks",
        )
    left = _parse_block(rows, columns[0])
    right = [
        _parse_block(rows, span)
        for span in _list_result_spans(rows, columns[at + 1 :], _find_part(arrows[0], ARROW), may_be_empty=may_be_empty)
    ]
    _check_same_sizes(left, right)
    for block in (left, *right):
        _check_no_holes(block, rows)
    return Drawing(left, tuple(right))


def parse_short_rule(part: LinePart, *, may_be_empty: bool = False) -> tuple[Drawing, LinePart]:
    """Parse a rule on one line, with rows split by `/`. Also returns the part after it that holds its options."""
    found = ARROW.search(part.text)
    if not found:
        raise _no_arrow_error([part])
    after = part.cut(found.end())
    options = _OPTIONS.search(_BRACES.sub(lambda found: "x" * len(found[0]), after.text))
    rest = after.cut(options.end()) if options else after.cut(len(after.text))
    cells = after.cut(0, options.start()) if options else after
    arrow = part.cut(found.start(), found.end())
    left = _split_tokens(part.cut(0, found.start()))
    if not left:
        raise arrow.error("there is no pattern left of the arrow", "write what is looked for before ->")
    if len(left) > 1:
        raise left[1].error(
            "there are two patterns left of the arrow",
            "write the cells of a pattern without blanks, and a name on the line above",
        )
    right = _split_results(_split_tokens(cells), arrow, may_be_empty=may_be_empty)
    drawn = Drawing(_parse_short_block(left[0]), tuple(_parse_short_block(token) for token in right))
    _check_same_sizes(drawn.left, drawn.right, before_options=bool(options))
    return drawn, rest


def _no_arrow_error(rows: list[LinePart]) -> Exception:
    for row in rows:
        near = find_misspelt_arrow(row.cut())
        if near:
            return near
    return rows[0].cut().error("a rule needs '->'", "write -> between the pattern and what replaces it")


def find_misspelt_arrow(part: LinePart) -> BadInput | None:
    """The error about a misspelt arrow, if there is one."""
    found = _MISSPELT_ARROW.search(part.text)
    if not found:
        return None
    near = part.cut(found.start(), found.end())
    error = near.error(
        f"a rule needs '->' with blanks around it, not {near.text[:20]!r}",
        "write -> between the pattern and what replaces it",
    )
    if near.text in {"=>", "→", "⇒", "="}:
        error.instead = (near.text, "->")
    return error


def _find_part(row: LinePart, what: re.Pattern[str]) -> LinePart:
    found = what.search(row.text)
    return row.slice(*found.span()) if found else row.cut()


def _list_column_spans(rows: list[LinePart]) -> list[tuple[int, int]]:
    """The spans of columns that are not blank, as start and end."""
    used = sorted({at for row in rows for at, sign in enumerate(row.text) if sign != " "})
    runs: list[tuple[int, int]] = []
    for at in used:
        if runs and runs[-1][1] == at:
            runs[-1] = (runs[-1][0], at + 1)
        else:
            runs.append((at, at + 1))
    return runs


def _holds_only(rows: list[LinePart], start: int, end: int, sign: str) -> bool:
    """Whether these columns hold only that sign, at most once in a row."""
    return end - start == len(sign) and all(row.text[start:end] in {sign, " " * len(sign), " ", ""} for row in rows)


def _first_part(rows: list[LinePart], span: tuple[int, int]) -> LinePart:
    """The first text in a span of columns."""
    row = next(row for row in rows if row.text[span[0] : span[1]].strip())
    return row.cut(*span)


def _list_result_spans(
    rows: list[LinePart], spans: list[tuple[int, int]], arrow: LinePart, *, may_be_empty: bool
) -> list[tuple[int, int]]:
    """The columns of the results, after a check of the bars between them."""
    found = []
    for index, span in enumerate(spans):
        is_bar = _holds_only(rows, *span, "|")
        if is_bar and (index % 2 == 0 or index == len(spans) - 1):
            raise _first_part(rows, span).error(
                "there is no result beside this '|'", "draw a result on both sides of it"
            )
        if not is_bar and index % 2:
            raise _first_part(rows, span).error(
                "two results stand side by side",
                "put a column with | between them, or take the blank column out",
            )
        if not is_bar:
            found.append(span)
    if not found and not may_be_empty:
        raise arrow.error("there is no result right of the arrow", "draw what replaces the pattern after ->")
    return found


def _parse_block(rows: list[LinePart], span: tuple[int, int]) -> DrawingBlock:
    """The cells in a span of columns; rows without any cell there are left out."""
    start, end = span
    PATTERN_SIDE.check(end - start, "the width of the drawing", _first_part(rows, span).place())
    kept = [row for row in rows if row.text[start:end].strip(" ")]
    cells = tuple(row.slice(at, at + 1) for row in kept for at in range(start, end))
    return DrawingBlock(end - start, len(kept), cells)


def _check_no_holes(block: DrawingBlock, rows: list[LinePart]) -> None:
    """Refuse blanks inside a block: a blank is not a cell."""
    for cell in block.cells:
        if cell.text in {"", " "}:
            raise cell.error(
                "a cell is missing here; a blank is no cell",
                "line the rows up; write ? where anything may stand, and a sign for void too",
            )
    if block.height < len(rows):
        have = {cell.number for cell in block.cells}
        row = next(row for row in rows if row.number not in have)
        raise row.error(
            "a cell is missing here; a blank is no cell",
            "draw a cell in every row, or put the arrow beside one that has cells",
            offset=block.cells[0].at,
        )


def _check_same_sizes(
    left: DrawingBlock, right: list[DrawingBlock] | tuple[DrawingBlock, ...], *, before_options: bool = False
) -> None:
    for index, block in enumerate(right, 1):
        if (block.width, block.height) != (left.width, left.height):
            name = "the right side" if len(right) == 1 else f"result {index}"
            comma = "; the comma before the options is no cell" if before_options else ""
            if any(cell.text == "," for cell in block.cells):
                comma = "; options follow after a comma and a blank"
            raise block.cells[0].error(
                f"the left side is {left.size_text}, {name} is {block.size_text}",
                _SAME_SIZE_FIX + comma,
            )


def _split_tokens(part: LinePart) -> list[LinePart]:
    return [part.slice(*found.span()) for found in _TOKEN.finditer(part.text)]


def _split_results(tokens: list[LinePart], arrow: LinePart, *, may_be_empty: bool) -> list[LinePart]:
    found = []
    for index, token in enumerate(tokens):
        is_bar = token.text == "|"
        if is_bar and (index % 2 == 0 or index == len(tokens) - 1):
            raise token.error("there is no result beside this '|'", "write a result on both sides of it")
        if not is_bar and index % 2:
            raise token.error(
                f"{token.text[:20]!r} follows a result without '|' or a comma",
                "write | between results, and a comma before options",
            )
        if not is_bar:
            found.append(token)
    if not found and not may_be_empty:
        raise arrow.error("there is no result right of the arrow", "write what replaces the pattern after ->")
    return found


def _parse_short_block(token: LinePart) -> DrawingBlock:
    """Parse the cells of a word: one per sign or pair of braces; `/` starts a new row."""
    rows: list[list[LinePart]] = [[]]
    at = 0
    while at < len(token.text):
        sign = token.text[at]
        end = token.text.find("}", at) + 1 if sign == "{" else at + 1
        if not end:
            raise token.error("a brace that is not closed", "write {name of a set or tile}", offset=at)
        if sign == "/":
            rows.append([])
        else:
            rows[-1].append(token.slice(at, end))
        at = end
    width = len(rows[0])
    for row in rows:
        if len(row) != width or not width:
            where = row[0] if row else token
            raise where.error(
                f"the rows between '/' have {', '.join(str(len(each)) for each in rows[:9])} cells",
                "give every row the same number of cells",
            )
    PATTERN_SIDE.check(max(width, len(rows)), "the side of the pattern", token.place())
    return DrawingBlock(width, len(rows), tuple(cell for row in rows for cell in row))
