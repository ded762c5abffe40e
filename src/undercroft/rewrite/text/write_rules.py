"""Write any program as `.rules` text that reads back as the same program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from undercroft.errors import BadInput
from undercroft.limits import NESTING_DEPTH, PATTERN_SIDE, RULES_BYTES, RULES_IN_FILE
from undercroft.rewrite.model.program import (
    ANY,
    AS_DRAWN,
    KEEP,
    LEAF_KINDS,
    Area,
    Guard,
    Node,
    Program,
    Rule,
    is_margin_list,
)
from undercroft.rewrite.text import areas, guards
from undercroft.rewrite.text.alphabet import choose_signs
from undercroft.rewrite.text.lines import ARROW
from undercroft.rewrite.text.names import format_tile_name, is_bare_name, quoted
from undercroft.rewrite.text.options import (
    UNTIL_NOTHING_MATCHES,
    format_positions,
    format_rule_options,
    format_times,
    is_option,
)
from undercroft.rewrite.text.tile_lines import format_palette_lines

INDENT = "    "
_LETTER_RANGES = (
    (0x61, 0x7B),
    (0x41, 0x5B),
    (0x3B1, 0x3C9),
    (0x430, 0x450),
    (0xE0, 0xF7),
    (0x100, 0x180),
    (0x4E00, 0x9FA5),
)
"""The letters for sets, in order: small and large Latin, Greek, Cyrillic, accented, then CJK, more than any program
needs.
"""


def dump_program(program: Program) -> str:
    """The program as `.rules` text. Repeated names get a number; source places are not kept.

    >>> from undercroft.rewrite.text.parse import parse
    >>> rules = "palette letters BWA\\nmarkov\\n one WBB -> WAW, turned\\n one A -> B, once"
    >>> print(dump_program(parse(rules, "maze.rules").program), end="")
    program maze
    palette letters BWA
    <BLANKLINE>
    markov
        one  WBB -> WAW, turned
        one  A -> B, once
    """
    return _Writer(program).dump()


class _Writer:
    """Writes one program as text."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.palette = program.palette
        self.signs = list(choose_signs(program.palette))
        if all(sign in self.signs for sign in "rule"):  # otherwise a row of a drawing could look like a `rule` line
            self.signs[self.signs.index("r")] = ""
        self.sets: dict[int, str] = {}
        self.node_names: set[str] = set()

    def dump(self) -> str:
        """The whole text: header, sets and nodes."""
        root = self.program.root
        if root.kind in {"sequence", "markov"} and not is_margin_list(root):
            root = root._replace(limit=root.limit or 1)  # the root runs once
        nodes = root.children if is_margin_list(root) else (root,)
        body = [line for node in nodes for line in self.node_lines(node, 0)]
        RULES_IN_FILE.check(sum(1 for _ in self.program.rules()), "the number of rules")
        head = [f"program {_format_name(self.program.name)}", *format_palette_lines(self.palette, self.program.things)]
        head += (f"set  {sign} = {self.expression(mask)}" for mask, sign in self.sets.items())
        found = "\n".join([*head, *body]) + "\n"
        RULES_BYTES.check(len(found.encode("utf-8", "replace")), "the size of the rules as text, in bytes,")
        return found

    # --- nodes

    def node_lines(self, node: Node, depth: int) -> Iterator[str]:
        """The lines of a node and of all below it. At the left margin a blank line comes before each."""
        if not depth:
            yield ""
        if node.kind in LEAF_KINDS:
            yield from (f"{INDENT * depth}{line}".rstrip() for line in self.leaf_lines(node))
            return
        NESTING_DEPTH.check(depth + 1, "the depth of blocks")
        if (
            node.rules
            or (node.pick, node.outside, node.merge, node.each) != ("match", -1, True, None)
            or (node.limit > 1 and node.kind != "repeat")
        ):
            raise BadInput(
                f"the {node.kind} {node.name!r} holds what only leaves can hold",
                fix="give it children and nothing else",
            )
        if not node.children:
            raise BadInput(f"the {node.kind} {node.name!r} has nothing in it", fix="leave it out")
        name = self.unique_name(node)
        if node.kind == "repeat":
            times = format_times(node.limit, passes=True)
        else:
            times = "" if bool(node.limit) == (depth == 0) else "once" if node.limit else UNTIL_NOTHING_MATCHES
        yield INDENT * depth + _format_header(node.kind, _format_name(name) if name else "", [times])
        for child in node.children:
            yield from self.node_lines(child, depth + 1)

    def unique_name(self, node: Node) -> str:
        """The node's name, with a number if it is taken."""
        name = _make_unique(node.name, self.node_names)
        self.node_names.add(name)
        return name

    def leaf_lines(self, node: Node) -> Iterator[str]:
        """The lines of a leaf and its rules. The options of a single rule, and those that all rules share, stand in the
        leaf's own line.
        """
        if node.children or not node.rules:
            raise BadInput(
                f"the {node.kind} {node.name!r} has no rules, or has children", fix="give it rules and nothing else"
            )
        if node.each and any(rule.area for rule in node.rules):
            raise BadInput(
                f"the {node.kind} {node.name!r} works region by region, and a rule in it says where too",
                fix="take the area of the rule out",
            )
        name = self.unique_name(node)
        shared = _SharedOptions.of(node.rules)
        said = [
            format_times(node.limit),
            format_positions(shared.positions, AS_DRAWN),
            self.outside_option(node.outside),
            "" if node.pick == "match" else f"pick by {node.pick}",
        ]
        said += [
            "" if node.merge else "keep duplicates",
            areas.format_area(node.each, "each") if node.each else "",
            *self.conditions(shared.area, shared.guards),
        ]
        entries = list(self.rule_entries(node.rules, shared))
        first, called, options = entries[0]
        if len(entries) == 1 and not first.limit:
            said += options
            entries = [(first, called, [])]
            if first.height == 1 and called == name == "":
                yield _append_options(f"{node.kind}  {self.short_rule(first)}", said)
                return
        yield _format_header(node.kind, _format_name(name) if name else "", said)
        usual = (
            [name] if len(entries) == 1 else [f"{name} {index}" if name else "" for index in range(1, len(entries) + 1)]
        )
        if any(
            called != expected or (rule.height > 1 and options)
            for (rule, called, options), expected in zip(entries, usual, strict=True)
        ):
            yield from self.headed_lines(entries)
        else:
            yield from self.bare_lines(entries)

    def rule_entries(self, rules: Sequence[Rule], shared: _SharedOptions) -> Iterator[tuple[Rule, str, list[str]]]:
        """Each rule with a unique name, and with the options that its node does not give."""
        seen: set[str] = set()
        for rule in rules:
            called = _make_unique(rule.name, seen)
            seen.add(called)
            area = None if rule.area == shared.area else rule.area
            own = guards.merge_guards(rule.guards)[len(shared.guards) :]
            options = [
                *format_rule_options(rule),
                format_positions(rule.positions, shared.positions),
                format_times(rule.limit),
                *self.conditions(area, own),
            ]
            yield rule, called, [option for option in options if option]

    def conditions(self, area: Area | None, held: Sequence[Guard]) -> Iterator[str]:
        """The options for where a rule acts, and for its guards."""
        if area:
            yield areas.format_area(area, "in")
        for guard in held:
            yield guards.format_guard(guard, self.list_tiles)

    def headed_lines(self, entries: list[tuple[Rule, str, list[str]]]) -> Iterator[str]:
        """The lines of rules below `rule` lines."""
        for rule, called, options in entries:
            yield INDENT + _format_header("rule", _format_name(called), options)
            yield from (
                INDENT * 2 + line
                for line in ([self.short_rule(rule)] if rule.height == 1 else self.drawing_lines(rule))
            )

    def bare_lines(self, entries: list[tuple[Rule, str, list[str]]]) -> Iterator[str]:
        """The lines of rules without `rule` lines; blank lines separate drawings."""
        before = 1
        for index, (rule, _, options) in enumerate(entries):
            if index and max(rule.height, before) > 1:
                yield ""
            before = rule.height
            yield from (
                INDENT + line
                for line in (
                    [_append_options(self.short_rule(rule), options)] if rule.height == 1 else self.drawing_lines(rule)
                )
            )

    # --- drawings

    def drawing_lines(self, rule: Rule) -> Iterator[str]:
        """Pattern, arrow and results side by side; the arrow and the bars stand in the middle row."""
        blocks = self.block_rows(rule)
        for row in range(rule.height):
            middle = row == (rule.height - 1) // 2
            line = blocks[0][row] + ("  ->  " if middle else "      ")
            yield (line + ("  |  " if middle else "     ").join(block[row] for block in blocks[1:])).rstrip()

    def short_rule(self, rule: Rule) -> str:
        """The rule on one line."""
        left, *right = ("/".join(block) for block in self.block_rows(rule))
        return f"{left} -> {' | '.join(right)}"

    def block_rows(self, rule: Rule) -> list[list[str]]:
        """The rows of the pattern and of each result."""
        PATTERN_SIDE.check(max(rule.width, rule.height), f"the side of the pattern of {rule.name!r}")
        cells = rule.width * rule.height
        if (
            not cells
            or not rule.results
            or any(len(part) != cells for part in (rule.pattern, *(result.cells for result in rule.results)))
        ):
            raise BadInput(
                f"the rule {rule.name!r} has no result, or sides of different size",
                fix="give it results as large as its pattern",
            )
        found = ["".join(self.sign(mask) for mask in rule.pattern)]
        found += (
            "".join("?" if code == KEEP else self.sign(1 << code) for code in result.cells) for result in rule.results
        )
        return [[drawn[start : start + rule.width] for start in range(0, cells, rule.width)] for drawn in found]

    def sign(self, mask: int) -> str:
        """The sign of a set of tiles: `?`, a tile's own, or a new letter for the set."""
        if mask == ANY:
            return "?"
        code = mask.bit_length() - 1
        if mask == 1 << max(code, 0) and code < len(self.palette) and self.signs[code]:
            return self.signs[code]
        if mask not in self.sets:
            self.expression(mask)
            taken = {*self.sets.values(), "u"}  # without the letter u no row looks like a `rule` line
            free = (chr(point) for low, high in _LETTER_RANGES for point in range(low, high))
            self.sets[mask] = next(sign for sign in free if sign not in taken and sign not in self.palette)
        return self.sets[mask]

    def expression(self, mask: int) -> str:
        """The set as an expression of tile names."""
        return self.list_tiles(mask, " or ")

    def list_tiles(self, mask: int, between: str) -> str:
        """The tile names of a set. Codes beyond the palette can be written only all together, by negating the list of
        tiles that are not in the set.
        """
        count = len(self.palette)
        beyond = mask >> count
        if beyond and beyond != ANY >> count:
            raise BadInput("a rule names some tiles beyond its palette", fix="add them to the palette")
        names = [
            format_tile_name(self.palette.tiles[code].name)
            for code in range(count)
            if (mask >> code & 1) != bool(beyond)
        ]
        if mask == ANY:
            return "?"
        return f"not {' or '.join(names) or '?'}" if beyond or not names else between.join(names)

    def outside_option(self, code: int) -> str:
        """The option for the tile outside the map; empty if there is none."""
        if code >= len(self.palette):
            raise BadInput(
                f"the tile outside has the code {code}, which is beyond the palette", fix="add it to the palette"
            )
        return "" if code < 0 else f"outside {format_tile_name(self.palette.tiles[code].name)}"


class _SharedOptions(NamedTuple):
    """The options that all rules of a leaf share, which are written once."""

    positions: tuple[int, ...]
    area: Area | None
    guards: tuple[Guard, ...]

    @classmethod
    def of(cls, rules: Sequence[Rule]) -> _SharedOptions:
        first = rules[0]
        held = [guards.merge_guards(rule.guards) for rule in rules]
        count = 0
        while all(
            len(each) > count and each[count]._replace(place=None) == held[0][count]._replace(place=None)
            for each in held
        ):
            count += 1
        positions = first.positions if all(rule.positions == first.positions for rule in rules) else AS_DRAWN
        return cls(positions, first.area if all(rule.area == first.area for rule in rules) else None, held[0][:count])


def _format_name(name: str) -> str:
    """A name, bare if it reads back unchanged, else in quotes. An arrow in it is escaped."""
    if is_bare_name(name) and not is_option(name) and not ARROW.search(name):
        return name
    return quoted(name).replace("->", r"-\u{3E}")


def _make_unique(name: str, taken: set[str]) -> str:
    if not name or name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"


def _format_header(word: str, name: str, said: Sequence[str]) -> str:
    shown = ", ".join([*([name] if name else []), *(option for option in said if option)])
    return f"{word}  {shown}" if shown else word


def _append_options(rule: str, said: Sequence[str]) -> str:
    options = [option for option in said if option]
    if not options:
        return rule
    return f"{rule}{' ' * rule.endswith(',')}, {', '.join(options)}"
