"""Parse expectations: the node or rule they name, a map, and its outcomes."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.errors import find_similar_word
from undercroft.inputs.lines import LinePart, skip_quotes
from undercroft.rewrite.model.program import LEAF_KINDS, Node, Rule
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.drawings import Drawing, parse_drawing, parse_short_rule, split_at_blank_lines
from undercroft.rewrite.text.expectations import Expectation
from undercroft.rewrite.text.lines import ARROW
from undercroft.rewrite.text.names import parse_name


class PendingExpectation(NamedTuple):
    """An expectation before its target is resolved."""

    line: LinePart
    about: LinePart
    drawn: Drawing


def parse_expectation(line: LinePart, rest: LinePart, below: list[LinePart]) -> PendingExpectation:
    """Parse `expect NAME what happens`, and the map with its outcomes."""
    if not rest.text:
        raise line.cut().error(
            "the rule that is expected to do something is missing",
            "write expect NAME, with the name of a node or a rule",
        )
    drawings = list(split_at_blank_lines(below))
    if not drawings:
        raise line.cut().error("this expectation is not drawn", "draw a map, -> and its outcomes below this line")
    rows = drawings[0]
    second = (
        drawings[1][0]
        if len(drawings) > 1
        else rows[1]
        if len(rows) > 1 and all(ARROW.search(row.text) for row in rows)
        else None
    )
    if second:
        raise second.cut().error(
            "an expectation is one drawing",
            "begin each with an 'expect' line of its own, and leave no blank line in it",
        )
    if len(rows) > 1:
        return PendingExpectation(line, rest, parse_drawing(rows, may_be_empty=True))
    drawn, tail = parse_short_rule(rows[0].cut(), may_be_empty=True)
    if tail.text:
        raise tail.error("an expectation has no options", "take this out")
    return PendingExpectation(line, rest, drawn)


def resolve_expectation(asked: PendingExpectation, root: Node, alphabet: Alphabet) -> Expectation:
    """Resolve the target of an expectation, and parse its maps."""
    name, leaf, rules, about = _resolve_target(asked.about, root)
    left = asked.drawn.left
    before = tuple(alphabet.parse_map_cell(cell) for cell in left.cells)
    outcomes: list[tuple[int, ...]] = []
    for block in asked.drawn.right:
        outcome = tuple(
            was if cell.text == "?" else alphabet.parse_map_cell(cell)
            for was, cell in zip(before, block.cells, strict=True)
        )
        if outcome in outcomes:
            raise block.cells[0].error("this outcome is drawn twice", "draw each outcome once")
        outcomes.append(outcome)
    return Expectation(
        name, about, left.width, left.height, before, tuple(outcomes), asked.line.cut().place(), leaf, rules
    )


def _resolve_target(about: LinePart, root: Node) -> tuple[str, Node, tuple[Rule, ...], str]:
    """The target of an expectation: the longest name of a node or a rule that its text starts with, and the rest of the
    text.
    """
    known = _index_by_name(root)
    first = about.split(skip=skip_quotes)[0]
    if about.text.startswith('"'):
        end = about.text.find('"', 1) + 1
        name, rest = parse_name(first.cut(0, end or None), "name"), about.text[end or len(about.text) :]
    else:
        said = " ".join(about.text.split())
        name = max((name for name in known if f"{said} ".startswith((f"{name} ", f"{name},"))), key=len, default="")
        rest = said[len(name) :]
    if name not in known:
        guesses = [find_similar_word(" ".join(about.text.split()[:count]), known) for count in (3, 2, 1)]
        fix = next(
            (f"did you mean {guess!r}?" for guess in guesses if guess),
            f"begin with one of: {', '.join(name[:40] for name in list(known)[:12])}"
            if known
            else "give the node a name",
        )
        raise about.error("this does not begin with the name of a node or a rule", fix)
    found = known[name]
    if len(found) > 1:
        raise about.error(
            f"there are {len(found)} rules called {name[:40]!r}",
            "name the node, or give the rules names of their own",
        )
    leaf, rules = found[0]
    if leaf.kind not in LEAF_KINDS:
        raise about.error(
            f"{name[:40]!r} is a block, and one application of a block is not one thing",
            "name a node or a rule in it",
        )
    return name, leaf, rules, rest.strip(" ,")


def _index_by_name(root: Node) -> dict[str, list[tuple[Node, tuple[Rule, ...]]]]:
    """The possible targets by name: nodes, and rules whose names no node has."""
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
