"""Find the parts of a program that run until nothing matches. All other parts end by their limits."""

from __future__ import annotations

from typing import NamedTuple

from undercroft.rewrite.model.program import LEAF_KINDS, Node


class RuleLoop(NamedTuple):
    """Leaves that run without a limit, grouped because each may create matches for another."""

    node: Node
    leaves: tuple[Node, ...]
    capped: tuple[Node, ...]
    """Leaves of the same node with a limited total number of turns."""
    passes: int
    """The most times that the loop is entered."""
    again: bool
    """Whether another pass, with all limits reset, follows a pass that did anything."""


class LoopAnalysis(NamedTuple):
    """The loops and the limited leaves of a program."""

    loops: tuple[RuleLoop, ...]
    limited: tuple[tuple[Node, int], ...]
    """Leaves with their total number of turns."""


def analyse_loops(root: Node) -> LoopAnalysis:
    """Split a program into loops and limited leaves.

    >>> from undercroft.rewrite.text.parse import parse
    >>> root = parse("one  . -> #, once\\nmarkov\\n    one  # -> .\\n    all  , -> #", "x.rules").program.root
    >>> [(loop.node.kind, len(loop.leaves), loop.again) for loop in analyse_loops(root).loops]
    [('markov', 2, False)]
    >>> [turns for _, turns in analyse_loops(root).limited]
    [1]
    """
    loops: list[RuleLoop] = []
    limited: list[tuple[Node, int]] = []
    todo = [(root, 1, False)]
    while todo:
        node, passes, nested = todo.pop()
        if node.kind in LEAF_KINDS:
            if node.limit:
                limited.append((node, node.limit * passes))
            else:
                loops.append(RuleLoop(node, (node,), (), passes, False))
        elif (node.kind == "sequence" and (node.limit or not nested)) or (node.kind == "repeat" and node.limit):
            todo.extend((child, passes * max(1, node.limit), True) for child in reversed(node.children))
        elif node.kind == "markov" and (node.limit or not nested):
            # its children keep their limits; branches in it start again as long as they act
            capped = tuple(child for child in node.children if child.kind in LEAF_KINDS and child.limit)
            leaves = tuple(leaf for child in node.children if child not in capped for leaf in child.leaves())
            loops.append(RuleLoop(node, leaves, capped, passes, any(child.children for child in node.children)))
        else:
            loops.append(RuleLoop(node, tuple(node.leaves()), (), passes, True))
    return LoopAnalysis(tuple(loops), tuple(limited))
