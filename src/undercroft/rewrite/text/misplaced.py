"""Lines that stand where they mean nothing, and what is said about them."""

from __future__ import annotations

from undercroft.errors import BadInput, nearest
from undercroft.rewrite.text.lines import ARROW, BLOCK_WORDS, LEAF_WORDS, WORDS, Cursor, Line, bad

LATER = ("path", "field", "convolution", "convchain", "observe", "search", "wave", "wfc", "map")
"""Kinds of nodes that other programs have."""


def refuse_more(below: list[Line], kind: str) -> None:
    """Refuse what is indented below a node that has its rule on its own line."""
    for row in below:
        if row.word() in WORDS:
            raise bad(row.part(), "this line stands further to the right than the node it follows", "begin it in the column of that node")
        if row.body:
            raise bad(row.part(), "the node above has its rule on its own line already", f"write '{kind}' alone, and all its rules below it")


def nothing_below(line: Line, cursor: Cursor) -> None:
    """Refuse what is indented below a line of the head."""
    following = cursor.peek()
    if following and following.indent > line.indent:
        raise bad(following.part(), f"nothing belongs below a {line.word()!r} line", "move this line to the left, or below a node")


def misplaced(line: Line, indent: int) -> BadInput:
    """The error about a line that begins in another column than its neighbours."""
    if line.indent > indent:
        return bad(line.part(), "this line stands further to the right than the one it follows", f"begin it in column {indent + 1}, or write a node above it")
    return bad(line.part(), "this line does not line up with any line above it", f"begin it in column {indent + 1}, as the others of its block")


def unknown_line(line: Line) -> BadInput:
    """The error about a line that begins with no word of the language."""
    word = line.word()
    if word == "rule":
        return bad(line.part(), "a 'rule' line stands outside a node", "write one, all or parallel above it, and indent it")
    if word in LATER:
        return bad(line.part(), f"{word!r} nodes are not there yet", f"use one of: {', '.join((*LEAF_WORDS, *BLOCK_WORDS))}")
    near = nearest(word, WORDS)
    if near:
        return bad(line.part(), f"unknown word {word!r}", f"did you mean {near!r}?")
    if ARROW.search(line.body):
        return bad(line.part(), "a rule stands outside a node", "write one, all or parallel before it, and a blank")
    return bad(line.part(), f"unknown word {word[:40]!r}", f"a line begins with one of: {', '.join(WORDS)}; rows of a drawing are indented below a node")
