"""Errors about lines in the wrong place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from undercroft.errors import BadInput, find_similar_word
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text.drawings import Drawing, find_misspelt_arrow, parse_drawing
from undercroft.rewrite.text.lines import (
    ARROW,
    BLOCK_WORDS,
    FIRST_WORDS,
    LEAF_WORDS,
    Cursor,
    Line,
    SourcePart,
    error_at,
)

UNSUPPORTED_NODES = ("path", "field", "convolution", "convchain", "observe", "search", "wave", "wfc", "map")
"""Kinds of nodes of other programs that this language does not support."""

_FOREIGN_COMMENT = re.compile(r" *(?://|#+!? *[^\W\d]{3}|#+ +[^\W\d]{1,2} +[^\W\d])")
"""The start of a comment in other languages: two slashes, or # and words."""


def check_no_rules_below(below: list[Line], kind: str) -> None:
    """Refuse lines indented below a node that has its rule on its own line."""
    for row in below:
        if row.first_word() in FIRST_WORDS:
            raise error_at(
                row.part(),
                "this line stands further to the right than the node it follows",
                "begin it in the column of that node",
            )
        if row.body:
            raise error_at(
                row.part(),
                "the node above has its rule on its own line already",
                f"write '{kind}' alone, and all its rules below it",
            )


def check_nothing_below(line: Line, cursor: Cursor) -> None:
    """Refuse lines indented below a header line."""
    following = cursor.peek()
    if following and following.indent > line.indent:
        raise error_at(
            following.part(),
            f"nothing belongs below a {line.first_word()!r} line",
            "move this line to the left, or below a node",
        )


def misplaced_line_error(line: Line, indent: int) -> BadInput:
    """The error about a line that starts in another column than its neighbours."""
    if line.indent > indent:
        return error_at(
            line.part(),
            "this line stands further to the right than the one it follows",
            f"begin it in column {indent + 1}, or write a node above it",
        )
    return error_at(
        line.part(),
        "this line does not line up with any line above it",
        f"begin it in column {indent + 1}, as the others of its block",
    )


def missing_rule_error(line: Line, rest: SourcePart, following: Line | None) -> BadInput:
    """The error about a node without rules; its arrow may be misspelt, or the rule below it not indented."""
    near = None if rest.text.startswith('"') else find_misspelt_arrow(rest)
    if near:
        return near
    if following and following.first_word() not in FIRST_WORDS and ARROW.search(following.body):
        return error_at(
            following.part(),
            f"this rule does not stand further to the right than its {line.first_word()!r}",
            "indent it",
        )
    return error_at(
        line.part(),
        f"this {line.first_word()!r} has no rule",
        f"draw one below it, indented, or write {line.first_word()}  AB -> AC",
    )


def parse_uncommented_drawing(rows: list[Line]) -> Drawing:
    """Parse a drawing. If it fails because a row is a comment of another language, the error says so."""
    try:
        return parse_drawing(rows)
    except BadInput:
        for row in rows:
            if _FOREIGN_COMMENT.match(row.body):
                raise _comment_error(row) from None
        raise


def _comment_error(line: Line) -> BadInput:
    return error_at(line.part(), "this looks like a comment, and is none", "comments begin with ;")


def unknown_line_error(line: Line, before: Sequence[Node] = ()) -> BadInput:
    """The error about a line that starts with no keyword, after the nodes `before`."""
    word = line.first_word()
    if word == "rule":
        return error_at(
            line.part(), "a 'rule' line stands outside a node", "write one, all or parallel above it, and indent it"
        )
    if word in UNSUPPORTED_NODES:
        return error_at(
            line.part(), f"{word!r} nodes are not there yet", f"use one of: {', '.join((*LEAF_WORDS, *BLOCK_WORDS))}"
        )
    near = find_similar_word(word, FIRST_WORDS)
    if near:
        return error_at(line.part(), f"unknown word {word!r}", f"did you mean {near!r}?")
    if ARROW.search(line.body):
        mend = "write one, all or parallel before it, and a blank"
        return error_at(
            line.part(),
            "a rule stands outside a node",
            f"indent it below the node above, or {mend}" if before and before[-1].rules else mend,
        )
    if _FOREIGN_COMMENT.match(line.body):
        return _comment_error(line)
    return error_at(
        line.part(),
        f"unknown word {word[:40]!r}",
        f"a line begins with one of: {', '.join(FIRST_WORDS)}; rows of a drawing are indented below a node",
    )
