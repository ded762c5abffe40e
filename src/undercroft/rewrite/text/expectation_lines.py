"""Expectations as they are written: which node or rule they name, a map, and its outcomes."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.errors import nearest
from undercroft.rewrite.model.program import LEAVES, Node, Rule
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.drawings import Drawing, drawing, runs, short
from undercroft.rewrite.text.expectations import Expect
from undercroft.rewrite.text.lines import ARROW, Line, Part, bad, split
from undercroft.rewrite.text.names import spoken


class Question(NamedTuple):
    """An expectation, while it is not known yet what it names."""

    line: Line
    about: Part
    drawn: Drawing


def question(line: Line, rest: Part, below: list[Line]) -> Question:
    """`expect NAME what happens`, and the map with its outcomes."""
    if not rest.text:
        raise bad(
            line.part(),
            "it is not said which rule is expected to do something",
            "write expect NAME, with the name of a node or a rule",
        )
    drawings = list(runs(below))
    if not drawings:
        raise bad(line.part(), "this expectation is not drawn", "draw a map, -> and its outcomes below this line")
    rows = drawings[0]
    second = (
        drawings[1][0]
        if len(drawings) > 1
        else rows[1]
        if len(rows) > 1 and all(ARROW.search(row.body) for row in rows)
        else None
    )
    if second:
        raise bad(
            second.part(),
            "an expectation is one drawing",
            "begin each with an 'expect' line of its own, and leave no blank line in it",
        )
    if len(rows) > 1:
        return Question(line, rest, drawing(rows, may_be_empty=True))
    drawn, tail = short(rows[0].part(), may_be_empty=True)
    if tail.text:
        raise bad(tail, "an expectation has no options", "take this out")
    return Question(line, rest, drawn)


def expectation(asked: Question, root: Node, alphabet: Alphabet) -> Expect:
    """Find what an expectation names, and read its maps."""
    name, leaf, rules, about = _target(asked.about, root)
    left = asked.drawn.left
    before = tuple(alphabet.exact(cell) for cell in left.cells)
    outcomes: list[tuple[int, ...]] = []
    for block in asked.drawn.right:
        outcome = tuple(
            was if cell.text == "?" else alphabet.exact(cell) for was, cell in zip(before, block.cells, strict=True)
        )
        if outcome in outcomes:
            raise bad(block.cells[0], "this outcome is drawn twice", "draw each outcome once")
        outcomes.append(outcome)
    return Expect(name, about, left.width, left.height, before, tuple(outcomes), asked.line.part().place(), leaf, rules)


def _target(about: Part, root: Node) -> tuple[str, Node, tuple[Rule, ...], str]:
    """What an expectation speaks of: the longest name of a node or a rule that its text begins with, and the rest of
    the text.
    """
    known = _named_things(root)
    first = split(about)[0]
    if about.text.startswith('"'):
        end = about.text.find('"', 1) + 1
        name, rest = spoken(first.cut(0, end or None), "name"), about.text[end or len(about.text) :]
    else:
        said = " ".join(about.text.split())
        name = max((name for name in known if f"{said} ".startswith((f"{name} ", f"{name},"))), key=len, default="")
        rest = said[len(name) :]
    if name not in known:
        guesses = [nearest(" ".join(about.text.split()[:count]), known) for count in (3, 2, 1)]
        fix = next(
            (f"did you mean {guess!r}?" for guess in guesses if guess),
            f"begin with one of: {', '.join(name[:40] for name in list(known)[:12])}"
            if known
            else "give the node a name",
        )
        raise bad(about, "this does not begin with the name of a node or a rule", fix)
    found = known[name]
    if len(found) > 1:
        raise bad(
            about,
            f"there are {len(found)} rules called {name[:40]!r}",
            "name the node, or give the rules names of their own",
        )
    leaf, rules = found[0]
    if leaf.kind not in LEAVES:
        raise bad(
            about,
            f"{name[:40]!r} is a block, and one application of a block is not one thing",
            "name a node or a rule in it",
        )
    return name, leaf, rules, rest.strip(" ,")


def _named_things(root: Node) -> dict[str, list[tuple[Node, tuple[Rule, ...]]]]:
    """What can be expected of: nodes by their names, and rules by theirs if no node is called so."""
    nodes: dict[str, list[tuple[Node, tuple[Rule, ...]]]] = {}
    rules: dict[str, list[tuple[Node, tuple[Rule, ...]]]] = {}
    todo = [root]
    while todo:
        node = todo.pop()
        todo.extend(node.children)
        if node.name:
            nodes[node.name] = [(node, node.rules)]
        for rule in node.rules:
            if rule.name:
                rules.setdefault(rule.name, []).append((node, (rule,)))
    return rules | nodes
