"""Parse `.rules` text into a program. `docs/rules-language.md` explains the language, with its grammar."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from undercroft.core.palette import STANDARD, Palette
from undercroft.errors import BadInput, Place
from undercroft.inputs import files
from undercroft.inputs.lines import LinePart
from undercroft.limits import NESTING_DEPTH, RULES_BYTES, RULES_IN_FILE
from undercroft.rewrite.model.program import Node, Program, Replacement, Rule
from undercroft.rewrite.model.role_sets import has_role_sets, resolve_node, resolve_set
from undercroft.rewrite.text.drawings import Drawing, parse_short_rule, split_at_blank_lines
from undercroft.rewrite.text.expectation_lines import PendingExpectation, parse_expectation, resolve_expectation
from undercroft.rewrite.text.expectations import Expectation
from undercroft.rewrite.text.guards import merge_guards
from undercroft.rewrite.text.header import Load, ProgramHeader, build_loader
from undercroft.rewrite.text.lines import (
    ARROW,
    BLOCK_WORDS,
    FIRST_WORDS,
    HEAD_WORDS,
    LEAF_WORDS,
    Cursor,
    first_word,
    split_lines,
    split_phrases,
)
from undercroft.rewrite.text.misplaced import (
    check_no_rules_below,
    check_nothing_below,
    misplaced_line_error,
    missing_rule_error,
    parse_uncommented_drawing,
    unknown_line_error,
)
from undercroft.rewrite.text.options import NODE_OPTIONS, RULE_OPTIONS, Options, parse_name_and_options, parse_options
from undercroft.wording import plural

T = TypeVar("T")


class ParsedRules(NamedTuple):
    """The contents of a `.rules` text."""

    program: Program
    expects: tuple[Expectation, ...]
    sets: Mapping[str, int]
    """The named sets of tiles, as masks."""
    open_program: Program | None = None
    """The program before its sets are resolved, if some of them depend on the roles of tiles that a map may add."""


def parse(text: str, file: str, load: Load | None = None, palette: Palette = STANDARD) -> ParsedRules:
    """Parse a program. `load` reads the files that it includes; without `load` it cannot include any. `palette` holds
    if the text names none.

    >>> parse("palette letters BWA\\none  WBB -> WAW, turned", "maze.rules").program.root.rules[0].positions
    (0, 1, 2, 3)
    """
    return _Parser(file, load, palette).parse(text)


def load(path: str | Path, palette: Palette | None = None) -> ParsedRules:
    """Parse a program from a file. Included files lie in the same folder, or below it."""
    path = Path(path)
    text = files.read_text(path, RULES_BYTES)
    return parse(text, str(path), build_loader(path.parent), palette or STANDARD)


class _UnresolvedRule(NamedTuple):
    """A rule before its neighbours are known: its drawing, its options, and its own name if it has one."""

    drawn: Drawing
    said: Options
    name: str | None = None


class _Parser:
    """Parses one program, with all files that it includes."""

    def __init__(self, file: str, load: Load | None, palette: Palette) -> None:
        self.file = file
        self.head = ProgramHeader(file, load, palette)
        self.node_names: dict[str, LinePart] = {}
        self.rules = 0
        self.asked: list[PendingExpectation] = []

    def parse(self, text: str) -> ParsedRules:
        """Parse the whole program. Several nodes at the left margin form a sequence; a single node is the program."""
        nodes = self.parse_statements(Cursor(split_lines(text, self.file)), 0)
        alphabet = self.head.alphabet()
        if not nodes:
            raise BadInput(
                "there is no rule in this program",
                place=Place(self.file, 1, 1),
                fix="write at least one, for example one  #. -> ##",
            )
        palette = alphabet.palette
        root = nodes[0] if len(nodes) == 1 and not _starts_again(nodes[0]) else Node("sequence", children=tuple(nodes))
        program = Program(self.head.name, palette, root, tuple(self.head.things))
        open_program = program if has_role_sets(root) else None
        program = program._replace(root=resolve_node(root, palette))
        expects = tuple(resolve_expectation(asked, program.root, alphabet) for asked in self.asked)
        sets = {name: resolve_set(tiles, palette) for name, tiles in alphabet.sets.items()}
        return ParsedRules(program, expects, sets, open_program)

    def parse_statements(self, cursor: Cursor, depth: int, above: LinePart | None = None) -> list[Node]:
        """Parse the nodes of one level: at the left margin, or in the block that the line `above` opens."""
        nodes: list[Node] = []
        first = cursor.peek()
        indent = first.indent if first else 0
        while (line := cursor.peek()) and (above is None or line.indent > above.indent):
            if line.indent != indent:
                raise misplaced_line_error(line, indent)
            cursor.next()
            if above and first_word(line) in (*HEAD_WORDS, "expect") and first_word(line) != "include":
                raise line.cut().error(
                    f"{first_word(line)!r} stands inside a block",
                    "write it at the left margin, before the block or after it",
                )
            self.parse_statement(line, cursor, depth, nodes)
        return nodes

    def parse_statement(self, line: LinePart, cursor: Cursor, depth: int, nodes: list[Node]) -> None:
        """Parse one line, with the lines indented below it."""
        word = first_word(line)
        rest = line.cut().cut(len(word))
        if word in LEAF_WORDS:
            below = list(cursor.lines_below(line.indent))
            nodes.append(self.parse_leaf(line, rest, below, cursor.peek()))
        elif word in BLOCK_WORDS:
            nodes.append(self.parse_block(line, rest, cursor, depth))
        elif word == "include":
            check_nothing_below(line, cursor)
            self.head.include(rest, depth, lambda found, depth: nodes.extend(self.parse_statements(found, depth)))
        elif word == "expect":
            self.asked.append(parse_expectation(line, rest, list(cursor.lines_below(line.indent))))
        elif word in HEAD_WORDS:
            check_nothing_below(line, cursor)
            self.head.parse_line(word, rest)
        else:
            raise unknown_line_error(line, nodes)

    # --- nodes

    def parse_block(self, line: LinePart, rest: LinePart, cursor: Cursor, depth: int) -> Node:
        """Parse a `markov`, `sequence` or `repeat` block, with the nodes below it."""
        kind = first_word(line)
        NESTING_DEPTH.check(depth + self.head.depth, "the depth of blocks", line.cut().place())
        if ARROW.search(rest.text):
            raise rest.error(f"a rule stands on a {kind!r} line", "write it below, after one, all or parallel")
        name, more = self.parse_node_name(rest, "block")
        said = self.parse_options(more, ("limit",), f"a {kind!r} block")
        if kind != "repeat" and said.limit not in {None, 0, 1}:
            raise next((piece for piece in more if piece.text.endswith("times")), rest).error(
                f"a {kind!r} block runs once, or until nothing matches",
                "write once, or a 'repeat' with a number of times",
            )
        children = self.parse_statements(cursor, depth + 1, line)
        if not children:
            raise line.cut().error(
                f"this {kind!r} has nothing in it", "indent the nodes that belong to it, below this line"
            )
        # at the left margin a block runs once, and inside another block it starts again, unless it says otherwise
        usual = 1 if kind != "repeat" and depth == 0 else 0
        limit = usual if said.limit is None else said.limit
        return Node(kind, name, children=tuple(children), limit=limit, place=line.cut().place())

    def parse_leaf(self, line: LinePart, rest: LinePart, below: list[LinePart], following: LinePart | None) -> Node:
        """Parse a `one`, `all` or `parallel` leaf with its rules: on the same line, or below it."""
        kind = first_word(line)
        if ARROW.search(rest.text):
            drawn, tail = parse_short_rule(rest)
            name, more, sketches = "", _split_tail(tail), [_UnresolvedRule(drawn, Options())]
            check_no_rules_below(below, kind)
        else:
            name, more = self.parse_node_name(rest, "node")
            sketches = self.parse_rules_below(line, below)
        if not sketches:
            raise missing_rule_error(line, rest, following)
        said = self.parse_options(more, (*NODE_OPTIONS, *RULE_OPTIONS), f"a {kind!r} node")
        _check_one_area(said, sketches)
        rules = [
            self.build_rule(sketch, said, _rule_name(sketch, name, index, len(sketches)))
            for index, sketch in enumerate(sketches, 1)
        ]
        _check_unique_names(rules)
        return Node(
            kind,
            name,
            rules=tuple(rules),
            limit=said.limit or 0,
            pick=said.pick or "match",
            outside=_first_not_none(said.outside, self.head.outside),
            merge=_first_not_none(said.merge, True),
            each=said.each,
            place=line.cut().place(),
        )

    def parse_node_name(self, rest: LinePart, what: str) -> tuple[str, list[LinePart]]:
        """Parse the name of a node, which must be unique, and its options."""
        part, name, more = parse_name_and_options(rest, what)
        if part and name:
            if name in self.node_names:
                raise part.error(
                    f"there is a node {name[:40]!r} already, on line {self.node_names[name].number}",
                    "give each node its own name",
                )
            self.node_names[name] = part
        return name, more

    def parse_options(self, parts: list[LinePart], allowed: tuple[str, ...], what: str) -> Options:
        """Parse options, with tiles of the file's palette."""
        return parse_options(parts, allowed, what, self.head.alphabet)

    # --- rules

    def parse_rules_below(self, line: LinePart, below: list[LinePart]) -> list[_UnresolvedRule]:
        """Parse the rules below a node: those before the first `rule` line, and one after each."""
        found: list[_UnresolvedRule] = []
        for header, rows in self.group_rows(line, below):
            if not header:
                found += self.parse_drawings(rows)
                continue
            part, name, more = parse_name_and_options(header.cut().cut(len("rule")), "rule")
            said = self.parse_options(more, RULE_OPTIONS, "a rule")
            drawn = self.parse_drawings(rows)
            if not drawn:
                raise header.cut().error("this rule is not drawn", "draw it below this line, indented further")
            if len(drawn) > 1:
                raise (
                    drawn[1]
                    .drawn.left.cells[0]
                    .error(
                        "two rules follow one 'rule' line",
                        "begin each with a 'rule' line of its own",
                    )
                )
            found.append(_UnresolvedRule(drawn[0].drawn, said.add_all(drawn[0].said), name if part else None))
        return found

    def group_rows(self, line: LinePart, below: list[LinePart]) -> list[tuple[LinePart | None, list[LinePart]]]:
        """Group the lines below a node: the rows before the first `rule` line, then each `rule` line with its rows."""
        groups: list[tuple[LinePart | None, list[LinePart]]] = [(None, [])]
        for row in below:
            word, header = first_word(row), groups[-1][0]
            if word == "rule":
                groups.append((row, []))
            elif word in FIRST_WORDS and not self.head.alphabet().spells(word):
                raise row.cut().error(
                    f"{word!r} stands below {first_word(line)!r}, which holds rules",
                    f"move it to the left, or write 'sequence' for {first_word(line)!r}",
                )
            elif row.text and header and row.indent <= header.indent:
                raise row.cut().error(
                    "this row does not stand below its 'rule' line",
                    "indent it further than the word 'rule'",
                )
            else:
                groups[-1][1].append(row)
        return groups

    def parse_drawings(self, rows: list[LinePart]) -> list[_UnresolvedRule]:
        """Parse the drawings in some rows. Blank lines separate drawings; rows that all have an arrow are one-line
        rules.
        """
        found: list[_UnresolvedRule] = []
        for run in split_at_blank_lines(rows):
            if not all(ARROW.search(row.text) for row in run):
                found.append(_UnresolvedRule(parse_uncommented_drawing(run), Options()))
                continue
            for row in run:
                drawn, tail = parse_short_rule(row.cut())
                found.append(_UnresolvedRule(drawn, self.parse_options(_split_tail(tail), RULE_OPTIONS, "a rule")))
        return found

    def build_rule(self, sketch: _UnresolvedRule, node: Options, name: str) -> Rule:
        """Build one rule. Options that it does not give come from its node, except the limit."""
        self.rules += 1
        drawn, own = sketch.drawn, sketch.said
        first = drawn.left.cells[0]
        RULES_IN_FILE.check(self.rules, "the number of rules", first.place())
        alphabet = self.head.alphabet()
        pattern = tuple(alphabet.parse_pattern_cell(cell) for cell in drawn.left.cells)
        weights = _result_weights(own if own.results else node, drawn)
        results = tuple(
            Replacement(tuple(alphabet.parse_result_cell(cell) for cell in block.cells), weight)
            for block, weight in zip(drawn.right, weights, strict=True)
        )
        return Rule(
            name,
            drawn.left.width,
            drawn.left.height,
            pattern,
            results,
            weight=_first_not_none(own.weight, node.weight, 1),
            chance=_first_not_none(own.chance, node.chance, 1.0),
            limit=own.limit or 0,
            positions=_first_not_none(own.positions, node.positions, self.head.positions),
            guards=merge_guards(node.guards, own.guards),
            area=own.area or node.area,
            place=first.place(),
        )


def _starts_again(node: Node) -> bool:
    return node.kind in {"sequence", "markov"} and not node.limit


def _first_not_none(*values: T | None) -> T:
    """The first value that is not None; the last one never is."""
    return next(value for value in values if value is not None)


def _split_tail(tail: LinePart) -> list[LinePart]:
    return split_phrases(tail) if tail.text else []


def _rule_name(sketch: _UnresolvedRule, node: str, index: int, count: int) -> str:
    """The name of a rule: its own, or that of its node, with a number if the node has several rules."""
    if sketch.name is not None:
        return sketch.name
    return f"{node} {index}" if node and count > 1 else node


def _check_one_area(node: Options, sketches: list[_UnresolvedRule]) -> None:
    """Refuse `in` for a rule whose node has `each`, which sets the area of all its rules."""
    for said in (node, *(sketch.said for sketch in sketches)):
        if node.each and said.area:
            each, area = node.said["each"], said.said["area"]
            raise area.error(
                f"{each.text[:40]!r} and {area.text[:40]!r} both say where this node acts", "keep one of them"
            )


def _check_unique_names(rules: list[Rule]) -> None:
    seen: set[str] = set()
    for rule in rules:
        if rule.name and rule.name in seen:
            raise BadInput(
                f"there is a rule {rule.name[:40]!r} already in this node",
                place=rule.place,
                fix="give each rule its own name",
            )
        seen.add(rule.name)


def _result_weights(said: Options, drawn: Drawing) -> tuple[int, ...]:
    if said.results is None:
        return (1,) * len(drawn.right)
    if len(said.results) != len(drawn.right):
        line = drawn.left.cells[0].number
        problem = (
            f"the rule on line {line} has {plural(len(drawn.right), 'result')}, and there are weights for "
            f"{len(said.results)}"
        )
        raise said.said["results"].error(problem, "give each result one weight, split by ':'")
    return said.results
