"""The `.rules` language: a text into a program. `docs/rules-language.md` explains it, with its grammar."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from undercroft.errors import BadInput, Place
from undercroft.inputs import files
from undercroft.limits import NESTING, RULES_BYTES, RULES_IN_FILE
from undercroft.rewrite.model.program import Node, Program, Result, Rule
from undercroft.rewrite.text.drawings import Drawing, runs, short
from undercroft.rewrite.text.expectation_lines import Question, expectation, question
from undercroft.rewrite.text.expectations import Expect
from undercroft.rewrite.text.guards import joined
from undercroft.rewrite.text.header import Head, Load, beside
from undercroft.rewrite.text.lines import (
    ARROW,
    BLOCK_WORDS,
    HEAD_WORDS,
    LEAF_WORDS,
    WORDS,
    Cursor,
    Line,
    Part,
    bad,
    checked,
    lines,
    phrases,
)
from undercroft.rewrite.text.misplaced import misplaced, no_rule, nothing_below, refuse_more, uncommented, unknown_line
from undercroft.rewrite.text.options import ABOUT_NODE, ABOUT_RULE, Options, named, options

T = TypeVar("T")


class Parsed(NamedTuple):
    """What a `.rules` text says."""

    program: Program
    expects: tuple[Expect, ...]
    sets: Mapping[str, int]
    """The named sets of tiles, as masks."""


def parse(text: str, file: str, load: Load | None = None) -> Parsed:
    """Read a program. `load` gives the files that it includes; without it, it cannot include any.

    >>> parse("palette letters BWA\\none  WBB -> WAW, turned", "maze.rules").program.root.rules[0].positions
    (0, 1, 2, 3)
    """
    return _Parser(file, load).read(text)


def load(path: str | Path) -> Parsed:
    """Read a program from a file. What it includes lies in the same folder, or below it."""
    path = Path(path)
    return parse(files.text(path, RULES_BYTES), str(path), beside(path.parent))


class _Sketch(NamedTuple):
    """A rule, while its neighbours are not known yet: its own name if it has one, and what was said about it."""

    drawn: Drawing
    said: Options
    name: str | None = None


class _Parser:
    """One reading of one program, over all files that it includes."""

    def __init__(self, file: str, load: Load | None) -> None:
        self.file = file
        self.head = Head(file, load)
        self.node_names: dict[str, Part] = {}
        self.rules = 0
        self.asked: list[Question] = []

    def read(self, text: str) -> Parsed:
        """The whole program. Several nodes at the left margin are a sequence; a single one is all of the program."""
        nodes = self.statements(Cursor(lines(text, self.file)), 0)
        alphabet = self.head.alphabet()
        if not nodes:
            raise BadInput(
                "there is no rule in this program",
                place=Place(self.file, 1, 1),
                fix="write at least one, for example one  #. -> ##",
            )
        root = nodes[0] if len(nodes) == 1 else Node("sequence", children=tuple(nodes))
        expects = tuple(expectation(asked, root, alphabet) for asked in self.asked)
        return Parsed(
            Program(self.head.name, alphabet.palette, root, tuple(self.head.things)), expects, dict(alphabet.sets)
        )

    def statements(self, cursor: Cursor, depth: int, above: Line | None = None) -> list[Node]:
        """The nodes on one level: at the left margin, or in the block that the line `above` opens."""
        nodes: list[Node] = []
        first = cursor.peek()
        indent = first.indent if first else 0
        while (line := cursor.peek()) and (above is None or line.indent > above.indent):
            if line.indent != indent:
                raise misplaced(line, indent)
            cursor.next()
            if above and line.word() in (*HEAD_WORDS, "expect") and line.word() != "include":
                raise bad(
                    line.part(),
                    f"{line.word()!r} stands inside a block",
                    "write it at the left margin, before the block or after it",
                )
            self.statement(line, cursor, depth, nodes)
        return nodes

    def statement(self, line: Line, cursor: Cursor, depth: int, nodes: list[Node]) -> None:
        """Take in one line, with what is indented below it."""
        word = line.word()
        rest = line.part().cut(len(word))
        if word in LEAF_WORDS:
            below = list(cursor.below(line.indent))
            nodes.append(self.leaf(line, rest, below, cursor.peek()))
        elif word in BLOCK_WORDS:
            nodes.append(self.block(line, rest, cursor, depth))
        elif word == "include":
            nothing_below(line, cursor)
            self.head.include(rest, depth, lambda found, depth: nodes.extend(self.statements(found, depth)))
        elif word == "expect":
            self.asked.append(question(line, rest, list(cursor.below(line.indent))))
        elif word in HEAD_WORDS:
            nothing_below(line, cursor)
            self.head.line(word, rest)
        else:
            raise unknown_line(line, nodes)

    # --- nodes

    def block(self, line: Line, rest: Part, cursor: Cursor, depth: int) -> Node:
        """`markov`, `sequence` or `repeat`, with the nodes below it."""
        kind = line.word()
        checked(NESTING, depth + self.head.depth, "the depth of blocks", line.part().place())
        if ARROW.search(rest.text):
            raise bad(rest, f"a rule stands on a {kind!r} line", "write it below, after one, all or parallel")
        name, more = self.node_name(rest, "block")
        said = self.options(more, ("limit",) if kind == "repeat" else (), f"a {kind!r} block")
        children = self.statements(cursor, depth + 1, line)
        if not children:
            raise bad(
                line.part(), f"this {kind!r} has nothing in it", "indent the nodes that belong to it, below this line"
            )
        return Node(kind, name, children=tuple(children), limit=said.limit or 0, place=line.part().place())

    def leaf(self, line: Line, rest: Part, below: list[Line], following: Line | None) -> Node:
        """`one`, `all` or `parallel` with its rules: on the same line, or below it."""
        kind = line.word()
        if ARROW.search(rest.text):
            drawn, tail = short(rest)
            name, more, sketches = "", _pieces(tail), [_Sketch(drawn, Options())]
            refuse_more(below, kind)
        else:
            name, more = self.node_name(rest, "node")
            sketches = self.sketches(line, below)
        if not sketches:
            raise no_rule(line, rest, following)
        said = self.options(more, (*ABOUT_NODE, *ABOUT_RULE), f"a {kind!r} node")
        _refuse_two_areas(said, sketches)
        rules = [
            self.rule(sketch, said, _rule_name(sketch, name, index, len(sketches)))
            for index, sketch in enumerate(sketches, 1)
        ]
        _refuse_same_names(rules)
        return Node(
            kind,
            name,
            rules=tuple(rules),
            limit=said.limit or 0,
            pick=said.pick or "match",
            outside=_first(said.outside, self.head.outside),
            merge=_first(said.merge, True),
            each=said.each,
            place=line.part().place(),
        )

    def node_name(self, rest: Part, what: str) -> tuple[str, list[Part]]:
        """The name of a node, which no other has, and its options."""
        part, name, more = named(rest, what)
        if part and name:
            if name in self.node_names:
                raise bad(
                    part,
                    f"there is a node {name[:40]!r} already, on line {self.node_names[name].line.number}",
                    "give each node its own name",
                )
            self.node_names[name] = part
        return name, more

    def options(self, parts: list[Part], allowed: tuple[str, ...], what: str) -> Options:
        """Options, with their tiles read by the file's palette."""
        return options(parts, allowed, what, self.head.alphabet)

    # --- rules

    def sketches(self, line: Line, below: list[Line]) -> list[_Sketch]:
        """The rules below a node: those before the first `rule` line, and one after each."""
        found: list[_Sketch] = []
        for header, rows in self.groups(line, below):
            if not header:
                found += self.drawings(rows)
                continue
            part, name, more = named(header.part().cut(len("rule")), "rule")
            said = self.options(more, ABOUT_RULE, "a rule")
            drawn = self.drawings(rows)
            if not drawn:
                raise bad(header.part(), "this rule is not drawn", "draw it below this line, indented further")
            if len(drawn) > 1:
                raise bad(
                    drawn[1].drawn.left.cells[0],
                    "two rules follow one 'rule' line",
                    "begin each with a 'rule' line of its own",
                )
            found.append(_Sketch(drawn[0].drawn, said.joined(drawn[0].said), name if part else None))
        return found

    def groups(self, line: Line, below: list[Line]) -> list[tuple[Line | None, list[Line]]]:
        """What stands below a node: the rows before the first `rule` line, then each `rule` line with its rows."""
        groups: list[tuple[Line | None, list[Line]]] = [(None, [])]
        for row in below:
            word, header = row.word(), groups[-1][0]
            if word == "rule":
                groups.append((row, []))
            elif word in WORDS and not self.head.alphabet().spells(word):
                raise bad(
                    row.part(),
                    f"{word!r} stands below {line.word()!r}, which holds rules",
                    f"move it to the left, or write 'sequence' for {line.word()!r}",
                )
            elif row.body and header and row.indent <= header.indent:
                raise bad(
                    row.part(),
                    "this row does not stand below its 'rule' line",
                    "indent it further than the word 'rule'",
                )
            else:
                groups[-1][1].append(row)
        return groups

    def drawings(self, rows: list[Line]) -> list[_Sketch]:
        """The drawings in some rows. Blank lines end one; rows that all have an arrow are rules of one line."""
        found: list[_Sketch] = []
        for run in runs(rows):
            if not all(ARROW.search(row.body) for row in run):
                found.append(_Sketch(uncommented(run), Options()))
                continue
            for row in run:
                drawn, tail = short(row.part())
                found.append(_Sketch(drawn, self.options(_pieces(tail), ABOUT_RULE, "a rule")))
        return found

    def rule(self, sketch: _Sketch, node: Options, name: str) -> Rule:
        """One rule. What is not said about it, its node says; but limits of a node are the node's own."""
        self.rules += 1
        drawn, own = sketch.drawn, sketch.said
        first = drawn.left.cells[0]
        checked(RULES_IN_FILE, self.rules, "the number of rules", first.place())
        alphabet = self.head.alphabet()
        pattern = tuple(alphabet.wanted(cell) for cell in drawn.left.cells)
        weights = _result_weights(own if own.results else node, drawn)
        results = tuple(
            Result(tuple(alphabet.written(cell) for cell in block.cells), weight)
            for block, weight in zip(drawn.right, weights, strict=True)
        )
        return Rule(
            name,
            drawn.left.width,
            drawn.left.height,
            pattern,
            results,
            weight=_first(own.weight, node.weight, 1),
            chance=_first(own.chance, node.chance, 1.0),
            limit=own.limit or 0,
            positions=_first(own.positions, node.positions, self.head.positions),
            guards=joined(node.guards, own.guards),
            area=own.area or node.area,
            place=first.place(),
        )


def _first(*values: T | None) -> T:
    """The first that was said; the last one always is."""
    return next(value for value in values if value is not None)


def _pieces(tail: Part) -> list[Part]:
    return phrases(tail) if tail.text else []


def _rule_name(sketch: _Sketch, node: str, index: int, count: int) -> str:
    """A rule without a name is called as its node, with a number if it is not the only one."""
    if sketch.name is not None:
        return sketch.name
    return f"{node} {index}" if node and count > 1 else node


def _refuse_two_areas(node: Options, sketches: list[_Sketch]) -> None:
    """`each` says where all rules of a node act, so that none can say it again."""
    for said in (node, *(sketch.said for sketch in sketches)):
        if node.each and said.area:
            each, area = node.said["each"], said.said["area"]
            raise bad(
                area, f"{each.text[:40]!r} and {area.text[:40]!r} both say where this node acts", "keep one of them"
            )


def _refuse_same_names(rules: list[Rule]) -> None:
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
        line = drawn.left.cells[0].line.number
        problem = (
            f"the rule on line {line} has {_counted(len(drawn.right), 'result')}, and there are weights for "
            f"{len(said.results)}"
        )
        raise bad(said.said["results"], problem, "give each result one weight, split by ':'")
    return said.results


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
