"""Find options that were read as part of a name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from undercroft.errors import OTHER_WORDS
from undercroft.rewrite.lint.finding import Finding, RulesSubject
from undercroft.rewrite.model.program import Node
from undercroft.rewrite.text.names import quoted
from undercroft.rewrite.text.options import POSITION_PHRASES

_NEAR_MISSES = {
    word: ours[0] for word, ours in OTHER_WORDS.items() if ours[0] in POSITION_PHRASES and word not in POSITION_PHRASES
}
"""Words that others use for positions."""
_OPTION = re.compile(
    r"(.*?\S) +(once|(?:up to )?\d+ times|chance [\d.]+%?|weight \d+|results \d+(?::\d+)+"
    rf"|{'|'.join(sorted([*POSITION_PHRASES, *_NEAR_MISSES], key=len, reverse=True))})"
)


def find_options_in_names(subject: RulesSubject) -> Iterator[Finding]:
    """Nodes whose bare name ends like an option; probably a comma is missing."""
    for node in _walk_nodes(subject.program.root):
        found = _OPTION.fullmatch(node.name)
        if found and node.place and quoted(node.name) not in node.place.text:
            option = _NEAR_MISSES.get(found[2], found[2])
            problem = f"{node.name!r} is read as a name: {found[2]!r} in it is no option"
            yield Finding(
                "names",
                "warning",
                node.place,
                problem,
                f"did you mean '{node.kind} {found[1]}, {option}'? else put the name in quotes",
            )


def _walk_nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _walk_nodes(child)
