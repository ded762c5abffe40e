"""A program as `.rules` text that reads back as the same program, whichever way it was made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from undercroft.core.palette import ROLES, STANDARD, Palette, Tile
from undercroft.errors import BadInput
from undercroft.limits import NESTING, PATTERN_SIDE, RULES_BYTES, RULES_IN_FILE
from undercroft.rewrite.alphabet import COLOUR, letters, signs
from undercroft.rewrite.grammar_tiles import GRAMMAR
from undercroft.rewrite.lines import ARROW, RESERVED, quoted
from undercroft.rewrite.options import MOST_TIMES, MOST_WEIGHT, POSITIONS, is_option
from undercroft.rewrite.program import ANY, KEEP, LEAVES, NONE, Node, Program, Rule

STEP = "    "
_LETTER_RANGES = ((0x61, 0x7B), (0x41, 0x5B), (0x3B1, 0x3C9), (0x430, 0x450), (0xE0, 0xF7), (0x100, 0x180), (0x4E00, 0x9FA5))
"""Where letters for sets are taken from: small and large Latin, Greek, Cyrillic, accented, and then enough for anybody."""


def text(program: Program) -> str:
    """The program as `.rules` text. Names that stand twice get a number; places are not kept.

    >>> from undercroft.rewrite.language import parse
    >>> print(text(parse("palette letters BWA\\nmarkov\\n one WBB -> WAW, turned\\n one A -> B, once", "maze.rules").program), end="")
    program maze
    palette letters BWA
    <BLANKLINE>
    markov
        one  WBB -> WAW, turned
        one  A -> B, once
    """
    return _Writer(program).written()


class _Writer:
    """One program on its way to text."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.palette = program.palette
        self.signs = signs(program.palette)
        if all(sign in self.signs for sign in "rule"):  # else a row of a drawing could look like a `rule` line
            self.signs[self.signs.index("r")] = ""
        self.sets: dict[int, str] = {}
        self.node_names: set[str] = set()

    def written(self) -> str:
        """Head, sets and nodes."""
        root = self.program.root
        plain = root == Node("sequence", children=root.children, place=root.place) and len(root.children) > 1
        body = [line for node in (root.children if plain else (root,)) for line in self.node(node, 0)]
        RULES_IN_FILE.check(sum(1 for _ in self.program.rules()), "the number of rules")
        head = [f"program {_name(self.program.name)}", *_palette_lines(self.palette)]
        head += (f"set  {sign} = {self.expression(mask)}" for mask, sign in self.sets.items())
        found = "\n".join([*head, *body]) + "\n"
        RULES_BYTES.check(len(found.encode("utf-8", "replace")), "the size of the rules as text, in bytes,")
        return found

    # --- nodes

    def node(self, node: Node, depth: int) -> Iterator[str]:
        """The lines of a node and of all below it. On the left margin a blank line stands before each."""
        if not depth:
            yield ""
        if node.kind in LEAVES:
            yield from (f"{STEP * depth}{line}".rstrip() for line in self.leaf(node))
            return
        NESTING.check(depth + 1, "the depth of blocks")
        if node.rules or (node.pick, node.outside, node.merge) != ("match", -1, True) or (node.limit and node.kind != "repeat"):
            raise BadInput(f"the {node.kind} {node.name!r} holds what only leaves can hold", fix="give it children and nothing else")
        if not node.children:
            raise BadInput(f"the {node.kind} {node.name!r} has nothing in it", fix="leave it out")
        name = self.own_name(node)
        yield STEP * depth + _header(node.kind, _name(name) if name else "", [_times(node.limit, passes=True)])
        for child in node.children:
            yield from self.node(child, depth + 1)

    def own_name(self, node: Node) -> str:
        """The node's name, with a number if another has it."""
        name = _numbered(node.name, self.node_names)
        self.node_names.add(name)
        return name

    def leaf(self, node: Node) -> Iterator[str]:
        """A leaf and its rules. What is said of its only rule stands in the header; so do positions that all rules have."""
        if node.children or not node.rules:
            raise BadInput(f"the {node.kind} {node.name!r} has no rules, or has children", fix="give it rules and nothing else")
        name = self.own_name(node)
        shared = node.rules[0].positions if len({rule.positions for rule in node.rules}) == 1 else NONE
        said = [_times(node.limit), _positions(shared, NONE), self.outside(node.outside), "" if node.pick == "match" else f"pick by {node.pick}"]
        said.append("" if node.merge else "keep duplicates")
        entries = list(self.entries(node.rules, shared))
        first, called, options = entries[0]
        if len(entries) == 1 and not first.limit:
            said += options
            entries = [(first, called, [])]
            if first.height == 1 and called == name == "":
                yield _with_options(f"{node.kind}  {self.short(first)}", said)
                return
        yield _header(node.kind, _name(name) if name else "", said)
        usual = [name] if len(entries) == 1 else [f"{name} {index}" if name else "" for index in range(1, len(entries) + 1)]
        if any(called != plain or (rule.height > 1 and options) for (rule, called, options), plain in zip(entries, usual, strict=True)):
            yield from self.headed(entries)
        else:
            yield from self.bare(entries)

    @staticmethod
    def entries(rules: Sequence[Rule], shared: tuple[int, ...]) -> Iterator[tuple[Rule, str, list[str]]]:
        """Each rule with the name it gets, no two the same, and with its options."""
        seen: set[str] = set()
        for rule in rules:
            called = _numbered(rule.name, seen)
            seen.add(called)
            options = [*_rule_options(rule), _positions(rule.positions, shared), _times(rule.limit)]
            yield rule, called, [option for option in options if option]

    def headed(self, entries: list[tuple[Rule, str, list[str]]]) -> Iterator[str]:
        """Rules below `rule` lines."""
        for rule, called, options in entries:
            yield STEP + _header("rule", _name(called), options)
            yield from (STEP * 2 + line for line in ([self.short(rule)] if rule.height == 1 else self.drawn(rule)))

    def bare(self, entries: list[tuple[Rule, str, list[str]]]) -> Iterator[str]:
        """Rules without `rule` lines; blank lines keep drawings apart."""
        before = 1
        for index, (rule, _, options) in enumerate(entries):
            if index and max(rule.height, before) > 1:
                yield ""
            before = rule.height
            yield from (STEP + line for line in ([_with_options(self.short(rule), options)] if rule.height == 1 else self.drawn(rule)))

    # --- drawings

    def drawn(self, rule: Rule) -> Iterator[str]:
        """Pattern, arrow and results side by side; the arrow and the bars stand in the middle row."""
        blocks = self.blocks(rule)
        for row in range(rule.height):
            middle = row == (rule.height - 1) // 2
            line = blocks[0][row] + ("  ->  " if middle else "      ")
            yield (line + ("  |  " if middle else "     ").join(block[row] for block in blocks[1:])).rstrip()

    def short(self, rule: Rule) -> str:
        """The rule on one line."""
        left, *right = ("/".join(block) for block in self.blocks(rule))
        return f"{left} -> {' | '.join(right)}"

    def blocks(self, rule: Rule) -> list[list[str]]:
        """The rows of the pattern and of each result."""
        PATTERN_SIDE.check(max(rule.width, rule.height), f"the side of the pattern of {rule.name!r}")
        cells = rule.width * rule.height
        if not cells or not rule.results or any(len(part) != cells for part in (rule.pattern, *(result.cells for result in rule.results))):
            raise BadInput(f"the rule {rule.name!r} has no result, or sides of different size", fix="give it results as large as its pattern")
        found = ["".join(self.sign(mask) for mask in rule.pattern)]
        found += ("".join("?" if code == KEEP else self.sign(1 << code) for code in result.cells) for result in rule.results)
        return [[drawn[start : start + rule.width] for start in range(0, cells, rule.width)] for drawn in found]

    def sign(self, mask: int) -> str:
        """The sign of a set of tiles: `?`, a tile's own, or a letter that is given to the set now."""
        if mask == ANY:
            return "?"
        code = mask.bit_length() - 1
        if mask == 1 << max(code, 0) and code < len(self.palette) and self.signs[code]:
            return self.signs[code]
        if mask not in self.sets:
            self.expression(mask)
            taken = {*self.sets.values(), "u"}  # without this letter no row looks like a `rule` line
            free = (chr(point) for low, high in _LETTER_RANGES for point in range(low, high))
            self.sets[mask] = next(sign for sign in free if sign not in taken and sign not in self.palette)
        return self.sets[mask]

    def expression(self, mask: int) -> str:
        """The set in words. Tiles beyond the palette can only be named all together, by naming those that are not meant."""
        count = len(self.palette)
        beyond = mask >> count
        if beyond and beyond != ANY >> count:
            raise BadInput("a pattern names some tiles beyond its palette", fix="add them to the palette")
        codes = [code for code in range(count) if (mask >> code & 1) != bool(beyond)]
        names = " or ".join(_name(self.palette.tiles[code].name, item=True) for code in codes)
        return f"not {names or '?'}" if beyond or not names else names

    def outside(self, code: int) -> str:
        """The tile that stands outside, if there is one."""
        if code >= len(self.palette):
            raise BadInput(f"the tile outside has the code {code}, which is beyond the palette", fix="add it to the palette")
        return "" if code < 0 else f"outside {_name(self.palette.tiles[code].name, item=True)}"


def _palette_lines(palette: Palette) -> list[str]:
    """The palette by its name, or tile by tile."""
    if palette == STANDARD:
        return ["palette standard"]
    if palette == GRAMMAR:
        return ["palette grammar"]
    glyphs = "".join(tile.glyph for tile in palette.tiles)
    if not RESERVED & set(glyphs) and " " not in glyphs and palette == letters(glyphs):
        return [f"palette letters {glyphs}"]
    count = len(STANDARD.tiles) if palette.tiles[: len(STANDARD.tiles)] == STANDARD.tiles else 0
    return [f"palette {'standard' if count else 'none'}", *(_tile_line(tile) for tile in palette.tiles[count:])]


def _tile_line(tile: Tile) -> str:
    """A tile with all that does not come from its role."""
    role = ROLES.get(tile.role)
    if role is None or not COLOUR.fullmatch(tile.colour):
        raise BadInput(f"the tile {tile.name!r} has an unknown role or no colour like #a0b1c2", fix="give it both")
    said = [_sign(tile.glyph), tile.role]
    said += [f"face {_sign(tile.face)}"] if tile.face != tile.glyph else []
    said += [f"colour {tile.colour}"] if tile.colour != "#888888" else []
    said += [f"{key} {_name(value, item=True)}" for key, value in (("aliases", tile.aliases), ("turned", tile.turned), ("mirrored", tile.mirrored)) if value]
    said += ["walkable" if tile.walkable else "not walkable"] if tile.walkable != role.walkable else []
    said += ["opaque" if tile.opaque else "not opaque"] if tile.opaque != role.opaque else []
    return f"tile {_name(tile.name, item=True)} = {', '.join(said)}"


def _sign(sign: str) -> str:
    return quoted(sign) if sign in ' ,;"' else sign


def _name(name: str, *, item: bool = False) -> str:
    """A name bare, if it reads back so, else in quotes. An item of a list of tiles is never taken for an option."""
    bare = name == " ".join(name.split()) and name.isprintable() and not set(name) & set(',;"{}=') and name != "?"
    words = set(name.split())
    if not name or not bare or (item and words & {"or", "not"}) or (not item and (is_option(name) or ARROW.search(name))) or (item and name == "none"):
        return quoted(name)
    return name


def _numbered(name: str, taken: set[str]) -> str:
    if not name or name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"


def _header(word: str, name: str, said: Sequence[str]) -> str:
    shown = ", ".join([*([name] if name else []), *(option for option in said if option)])
    return f"{word}  {shown}" if shown else word


def _with_options(rule: str, said: Sequence[str]) -> str:
    options = [option for option in said if option]
    if not options:
        return rule
    return f"{rule}{' ' * rule.endswith(',')}, {', '.join(options)}"


def _times(limit: int, *, passes: bool = False) -> str:
    if not limit:
        return ""
    if not 0 < limit <= MOST_TIMES:
        raise BadInput(f"a limit is a whole number from 1 to {MOST_TIMES:,}, not {limit}", fix="give such a number, or none")
    if passes:
        return f"{limit} times"
    return "once" if limit == 1 else f"up to {limit} times"


def _positions(positions: tuple[int, ...], usual: tuple[int, ...]) -> str:
    if positions == usual:
        return ""
    if not positions or len(set(positions)) != len(positions) or not set(positions) <= set(range(8)):
        raise BadInput(f"positions are different numbers from 0 to 7, not {positions}", fix="give at least one")
    return next((phrase for phrase, named in POSITIONS.items() if named == positions), f"positions {' '.join(map(str, positions))}")


def _rule_options(rule: Rule) -> list[str]:
    """What is said of a rule beside its positions and its limit."""
    weights = [result.weight for result in rule.results]
    for weight in (rule.weight, *weights):
        if not 0 <= weight <= MOST_WEIGHT:
            raise BadInput(f"a weight is a whole number from 0 to {MOST_WEIGHT:,}, not {weight}", fix="give such a number")
    if not 0 <= rule.chance <= 1:
        raise BadInput(f"a chance is a number from 0 to 1, not {rule.chance}", fix="give such a number")
    said = ["" if rule.weight == 1 else f"weight {rule.weight}", "" if rule.chance == 1 else f"chance {float(rule.chance)!r}"]
    return [*said, "" if set(weights) == {1} else f"results {':'.join(map(str, weights))}"]
