"""Rule texts: the paths of the cases, and helpers for the tests of the language."""

from __future__ import annotations

from support.paths import ROOT
from undercroft.core.palette import STANDARD
from undercroft.errors import FileTrouble, UndercroftError
from undercroft.rewrite.model.program import ANY, KEEP, Node, Program, Rule, is_margin_list
from undercroft.rewrite.text.parse import ParsedRules, parse
from undercroft.rewrite.text.write_rules import dump_program

CASES = ROOT / "tests" / "cases" / "rules"
PROGRAMS = sorted((CASES / "programs").glob("*.rules"))
PAGE = ROOT / "docs" / "rules-language.md"
TILES = (
    "X void, # wall, . floor, , corridor, + door, ' opening, L locked door, S secret door, ~ water, : pit, o pillar, "
    "< stairs up, > stairs down"
)


def only(source: str) -> Rule:
    """The only rule of a text."""
    [rule] = parse(source, "x.rules").program.rules()
    return rule


def shape(rule: Rule) -> tuple[str, ...]:
    """Pattern and results as rows split by /, a set as S and a kept or free cell as ?."""
    glyphs = ["X", *(tile.glyph for tile in STANDARD.tiles[1:])]
    masks = {1 << code: glyph for code, glyph in enumerate(glyphs)} | {ANY: "?"}
    sides = ["".join(masks.get(mask, "S") for mask in rule.pattern)]
    sides += ("".join("?" if code == KEEP else glyphs[code] for code in result.cells) for result in rule.results)
    return tuple(
        "/".join(side[start : start + rule.width] for start in range(0, len(side), rule.width)) for side in sides
    )


def shelf(**texts: str) -> dict[str, str]:
    return {f"{name}.rules": source for name, source in texts.items()}


def on(files: dict[str, str], name: str) -> ParsedRules:
    """A program from files that exist only in memory."""

    def fetch(asked: str, file: str) -> tuple[str, str]:
        if asked not in files:
            raise FileTrouble(f"cannot read {asked}: no such file", fix="check the name")
        return asked, files[asked]

    return parse(files[name], name, fetch)


def outcome(files: dict[str, str]) -> ParsedRules | UndercroftError:
    """The result of a text: a program, or its error; other exceptions pass through."""
    try:
        return on(files, "x.rules")
    except UndercroftError as error:
        return error


def placeless(node: Node) -> Node:
    rules = (
        rule._replace(place=None, guards=tuple(guard._replace(place=None) for guard in rule.guards))
        for rule in node.rules
    )
    return node._replace(place=None, rules=tuple(rules), children=tuple(placeless(child) for child in node.children))


def same(one: Program, other: Program) -> bool:
    return one._replace(root=plain_root(one.root)) == other._replace(root=plain_root(other.root))


def plain_root(root: Node) -> Node:
    """The root without places, as a list of nodes: a single node means the same as a list of it, and the root runs
    once.
    """
    root = placeless(root)
    if is_margin_list(root):
        return root
    once = root.kind in {"sequence", "markov"} and not root.limit
    return Node("sequence", children=(root._replace(limit=1) if once else root,))


def again(program: Program) -> Program:
    return parse(dump_program(program), "again.rules").program
