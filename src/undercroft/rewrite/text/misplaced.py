"""Lines that stand where they mean nothing, and what is said about them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from undercroft.errors import BadInput, nearest
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text.drawings import Drawing, drawing, near_arrow
from undercroft.rewrite.text.lines import ARROW, BLOCK_WORDS, LEAF_WORDS, WORDS, Cursor, Line, Part, bad

LATER = ("path", "field", "convolution", "convchain", "observe", "search", "wave", "wfc", "map")
"""Kinds of nodes that other programs have."""

_COMMENT = re.compile(r" *(?://|#+!? *[^\W\d]{3}|#+ +[^\W\d]{1,2} +[^\W\d])")
"""How comments begin elsewhere: two strokes, or # and words."""


def refuse_more(below: list[Line], kind: str) -> None:
    """Refuse what is indented below a node that has its rule on its own line."""
    for row in below:
        if row.word() in WORDS:
            raise bad(
                row.part(),
                "this line stands further to the right than the node it follows",
                "begin it in the column of that node",
            )
        if row.body:
            raise bad(
                row.part(),
                "the node above has its rule on its own line already",
                f"write '{kind}' alone, and all its rules below it",
            )


def nothing_below(line: Line, cursor: Cursor) -> None:
    """Refuse what is indented below a line of the head."""
    following = cursor.peek()
    if following and following.indent > line.indent:
        raise bad(
            following.part(),
            f"nothing belongs below a {line.word()!r} line",
            "move this line to the left, or below a node",
        )


def misplaced(line: Line, indent: int) -> BadInput:
    """The error about a line that begins in another column than its neighbours."""
    if line.indent > indent:
        return bad(
            line.part(),
            "this line stands further to the right than the one it follows",
            f"begin it in column {indent + 1}, or write a node above it",
        )
    return bad(
        line.part(),
        "this line does not line up with any line above it",
        f"begin it in column {indent + 1}, as the others of its block",
    )


def no_rule(line: Line, rest: Part, following: Line | None) -> BadInput:
    """The error about a node without rules: perhaps its arrow is no arrow, or its rule stands below and is not
    indented.
    """
    near = None if rest.text.startswith('"') else near_arrow(rest)
    if near:
        return near
    if following and following.word() not in WORDS and ARROW.search(following.body):
        return bad(
            following.part(), f"this rule does not stand further to the right than its {line.word()!r}", "indent it"
        )
    return bad(
        line.part(),
        f"this {line.word()!r} has no rule",
        f"draw one below it, indented, or write {line.word()}  AB -> AC",
    )


def uncommented(rows: list[Line]) -> Drawing:
    """A drawing; if it is none because a row of it is a comment of another language, the error says that."""
    try:
        return drawing(rows)
    except BadInput:
        for row in rows:
            if _COMMENT.match(row.body):
                raise _comment(row) from None
        raise


def _comment(line: Line) -> BadInput:
    return bad(line.part(), "this looks like a comment, and is none", "comments begin with ;")


def unknown_line(line: Line, before: Sequence[Node] = ()) -> BadInput:
    """The error about a line that begins with no word of the language, after some nodes."""
    word = line.word()
    if word == "rule":
        return bad(
            line.part(), "a 'rule' line stands outside a node", "write one, all or parallel above it, and indent it"
        )
    if word in LATER:
        return bad(
            line.part(), f"{word!r} nodes are not there yet", f"use one of: {', '.join((*LEAF_WORDS, *BLOCK_WORDS))}"
        )
    near = nearest(word, WORDS)
    if near:
        return bad(line.part(), f"unknown word {word!r}", f"did you mean {near!r}?")
    if ARROW.search(line.body):
        mend = "write one, all or parallel before it, and a blank"
        return bad(
            line.part(),
            "a rule stands outside a node",
            f"indent it below the node above, or {mend}" if before and before[-1].rules else mend,
        )
    if _COMMENT.match(line.body):
        return _comment(line)
    return bad(
        line.part(),
        f"unknown word {word[:40]!r}",
        f"a line begins with one of: {', '.join(WORDS)}; rows of a drawing are indented below a node",
    )
