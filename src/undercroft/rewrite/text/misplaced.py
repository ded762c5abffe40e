"""Errors about lines in the wrong place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from undercroft.errors import BadInput, find_similar_word
from undercroft.inputs.lines import LinePart
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text.drawings import Drawing, find_misspelt_arrow, parse_drawing
from undercroft.rewrite.text.lines import ARROW, BLOCK_WORDS, FIRST_WORDS, LEAF_WORDS, Cursor, first_word
from undercroft.rewrite.text.rule_files import xml_problem

UNSUPPORTED_NODES = ("path", "field", "convolution", "convchain", "observe", "search", "wave", "wfc", "map")
"""Kinds of nodes of other programs that this language does not support."""

_FOREIGN_COMMENT = re.compile(r" *(?://|#+!? *[^\W\d]{3}|#+ +[^\W\d]{1,2} +[^\W\d])")
"""The start of a comment in other languages: two slashes, or # and words."""


def check_no_rules_below(below: list[LinePart], kind: str) -> None:
    """Refuse lines indented below a node that has its rule on its own line."""
    for row in below:
        if first_word(row) in FIRST_WORDS:
            raise row.cut().error(
                "this line stands further to the right than the node it follows",
                "begin it in the column of that node",
            )
        if row.text:
            raise row.cut().error(
                "the node above has its rule on its own line already",
                f"write '{kind}' alone, and all its rules below it",
            )


def check_nothing_below(line: LinePart, cursor: Cursor) -> None:
    """Refuse lines indented below a header line."""
    following = cursor.peek()
    if following and following.indent > line.indent:
        raise following.cut().error(
            f"nothing belongs below a {first_word(line)!r} line",
            "move this line to the left, or below a node",
        )


def misplaced_line_error(line: LinePart, indent: int) -> BadInput:
    """The error about a line that starts in another column than its neighbours."""
    if line.indent > indent:
        return line.cut().error(
            "this line stands further to the right than the one it follows",
            f"begin it in column {indent + 1}, or write a node above it",
        )
    return line.cut().error(
        "this line does not line up with any line above it",
        f"begin it in column {indent + 1}, as the others of its block",
    )


def missing_rule_error(line: LinePart, rest: LinePart, following: LinePart | None) -> BadInput:
    """The error about a node without rules; its arrow may be misspelt, or the rule below it not indented."""
    near = None if rest.text.startswith('"') else find_misspelt_arrow(rest)
    if near:
        return near
    if following and first_word(following) not in FIRST_WORDS and ARROW.search(following.text):
        return following.cut().error(
            f"this rule does not stand further to the right than its {first_word(line)!r}",
            "indent it",
        )
    return line.cut().error(
        f"this {first_word(line)!r} has no rule",
        f"draw one below it, indented, or write {first_word(line)}  AB -> AC",
    )


def parse_uncommented_drawing(rows: list[LinePart]) -> Drawing:
    """Parse a drawing. If it fails because a row is a comment of another language, the error says so."""
    try:
        return parse_drawing(rows)
    except BadInput:
        for row in rows:
            if _FOREIGN_COMMENT.match(row.text):
                raise _comment_error(row) from None
        raise


def _comment_error(line: LinePart) -> BadInput:
    return line.cut().error("this looks like a comment, and is none", "comments begin with ;")


def unknown_line_error(line: LinePart, before: Sequence[Node] = ()) -> BadInput:
    """The error about a line that starts with no keyword, after the nodes `before`."""
    word = first_word(line)
    if word == "rule":
        return line.cut().error(
            "a 'rule' line stands outside a node", "write one, all or parallel above it, and indent it"
        )
    if word in UNSUPPORTED_NODES:
        return line.cut().error(
            f"{word!r} nodes are not there yet", f"use one of: {', '.join((*LEAF_WORDS, *BLOCK_WORDS))}"
        )
    xml = xml_problem(line.text)
    if xml:
        return line.cut().error(f"this is XML; {xml[0]}", xml[1])
    near = find_similar_word(word, FIRST_WORDS)
    if near:
        return line.cut().error(f"unknown word {word!r}", f"did you mean {near!r}?")
    if ARROW.search(line.text):
        mend = "write one, all or parallel before it, and a blank"
        return line.cut().error(
            "a rule stands outside a node",
            f"indent it below the node above, or {mend}" if before and before[-1].rules else mend,
        )
    if _FOREIGN_COMMENT.match(line.text):
        return _comment_error(line)
    return line.cut().error(
        f"unknown word {word[:40]!r}",
        f"a line begins with one of: {', '.join(FIRST_WORDS)}; rows of a drawing are indented below a node",
    )
