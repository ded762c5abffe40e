"""The rule editor changes text: what it finds in a text is what the language reads there, and what it writes is read as
it was meant.

The page's own modules are run by node, and every text that they give back is read by the real reader.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from support.paths import ROOT
from undercroft.rewrite.model.program import Node, Rule
from undercroft.rewrite.text import parse
from undercroft.studio.jobs.rule_drawings import RuleFormatter

STUDIO = ROOT / "studio"
VIEW = STUDIO / "src" / "views" / "author" / "rules" / "text"
RUNNER = """
import { createInterface } from "node:readline"
import * as all from "%s"
for await (const line of createInterface({ input: process.stdin })) {
  const { text, name, rule, more } = JSON.parse(line)
  const outline = all.outlineOf(text)
  const found = name === "outline"
    ? all.told(outline)
    : all[name](outline, ...(rule === null ? [] : [outline.rules[rule]]), ...more)
  console.log(JSON.stringify(found ?? null))
}
"""
ENTRY = """
export * from "./anatomy"
export * from "./edit_drawing"
export * from "./edit_words"
export * from "./edit_nodes"
import { ruleName, rulesMeantBy } from "./anatomy"
import { signsOf } from "./blocks"
import * as words from "./edit_words"
import { withCellsPainted, withDrawing, withSize } from "./edit_drawing"
export const told = (outline) => ({
  rules: outline.rules.map((rule) => ({
    name: ruleName(rule), kind: rule.node.kind, line: rule.drawn ? rule.drawn.first + 1 : 0, head: rule.node.first + 1,
    left: rule.drawn ? signsOf(rule.drawn.left) : null, right: rule.drawn ? rule.drawn.right.map(signsOf) : null,
    limit: words.limitOf(rule), positions: words.positionsOf(rule), weights: words.weightsOf(rule),
    chance: words.chanceOf(rule), weight: words.weightOf(rule),
  })),
  expects: outline.expects.map((one) => ({
    line: one.line + 1, meant: rulesMeantBy(one, outline)?.name ?? null,
    about: rulesMeantBy(one, outline)?.about ?? null
  })),
  sets: outline.sets.map((one) => one.name),
})
export const paint = (outline, rule, strokes) => withCellsPainted(outline, rule.drawn, strokes)
export const redraw = (outline, rule, left, right) => withDrawing(outline, rule.drawn, left, right)
export const resize = (outline, rule, side, by) => withSize(outline, rule.drawn, side, by, { left: "?", right: "?" })
"""

CRYPT = """\
; A crypt.
palette standard
tile chest = $, pillar

set  s = # or X   ; what is solid

; Where all begins.
one  start, once
    XXX      ???   ; top
    ; in the middle
    XXX  ->  ?+?   ; middle
    XXX      ???   ; bottom

one  room, up to 20 times, turned, results 3:1        ; two results
    ?#+#?      ?#+#?     ?#+#?
    ?XXX?  ->  ?+.+?  |  ?#$#?
    ?XXX?      ?#+#?     ?###?

expect  room grows below a door
    ##+##      ##+##     ##+##
    #XXX#  ->  #+.+#  |  ##$##
    XXXXX      X#+#X     X###X

markov
    one  {not # or X}s -> ?., turned, chance 50%   ; braces
    all  wear, once
        o. -> o,
        .o -> ,o, chance 30%

        .#      ..
        ##  ->  ##

    one  furnish, up to 12 times
        rule  pillar, weight 3
            ...      ???
            ...  ->  ?o?
            ...      ???
        rule  "pool, deep", turned, up to 2 times
            ....  ->  .~~.
            ....      .~~.

all  .,/.. -> ,,/,,, once
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Calls a function of the page's modules on a text."""
    node, esbuild = shutil.which("node"), STUDIO / "node_modules" / "esbuild" / "bin" / "esbuild"
    if node is None or not esbuild.exists():
        pytest.skip("node and the studio's packages are not installed: make studio-page")
    folder = tmp_path_factory.mktemp("editor")
    bundle = folder / "all.mjs"
    command = [str(esbuild), "--bundle", "--format=esm", "--loader=ts", f"--outfile={bundle}", "--log-level=error"]
    subprocess.run(command, input=ENTRY, text=True, check=True, cwd=VIEW)
    runner = folder / "run.mjs"
    runner.write_text(RUNNER % bundle)
    with subprocess.Popen([node, str(runner)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def call(name: str, text: str, rule: int | None = None, *more: object) -> Any:
            process.stdin.write(json.dumps({"text": text, "name": name, "rule": rule, "more": more}) + "\n")  # type: ignore[union-attr]
            process.stdin.flush()  # type: ignore[union-attr]
            return json.loads(process.stdout.readline())  # type: ignore[union-attr]

        yield call
        process.stdin.close()


def leaves(node: Node) -> list[tuple[Node, Rule]]:
    return [(node, rule) for rule in node.rules] + [pair for child in node.children for pair in leaves(child)]


def read(text: str) -> list[tuple[Node, Rule]]:
    return leaves(parse.parse(text, "x.rules").program.root)


def rows(text: str, rule: int) -> tuple[list[str], list[list[str]]]:
    parsed = parse.parse(text, "x.rules")
    pen, found = RuleFormatter(parsed.program.palette, parsed.sets), leaves(parsed.program.root)[rule][1]
    return pen.format_pattern(found.pattern, found.width), [
        pen.format_result(result.cells, found.width) for result in found.results
    ]


def list_programs() -> list[str]:
    """Every program of the manual and of the examples that stands for itself."""
    manual = re.findall(r"```rules\n(.*?)```", (ROOT / "docs" / "rules-language.md").read_text(), re.DOTALL)
    texts = [CRYPT, *manual, *(path.read_text() for path in sorted((ROOT / "examples").glob("*.rules")))]
    return [text for text in texts if "include" not in text and " -> " in text]


def test_what_is_found_is_what_the_language_reads(editor: Callable[..., Any]) -> None:
    seen = 0
    for text in list_programs():
        parsed = parse.parse(text, "x.rules")
        found, real = editor("outline", text), leaves(parsed.program.root)
        assert [rule["kind"] for rule in found["rules"]] == [node.kind for node, _ in real]
        for number, (rule, (node, other)) in enumerate(zip(found["rules"], real, strict=True)):
            assert rule["name"] == (other.name or f"{node.kind} {number + 1}")
            assert other.place is not None
            assert node.place is not None
            assert (rule["line"], rule["head"]) == (other.place.line, node.place.line)
            assert (len(rule["left"][0]), len(rule["left"])) == (other.width, other.height)
            assert len(rule["right"]) == len(other.results)
            assert rule["weights"] == [result.weight for result in other.results]
            assert (rule["weight"], rule["chance"] / 100) == (other.weight, pytest.approx(other.chance))
            if len(node.rules) == 1:
                assert (rule["limit"] or 0) == (other.limit or node.limit)
            pattern, results = rows(text, number)
            if not any(len(cell) > 1 for row in rule["left"] for cell in row):
                assert ["".join(row) for row in rule["left"]] == pattern
                seen += 1
            if not any(len(cell) > 1 for block in rule["right"] for row in block for cell in row):
                assert [["".join(row) for row in block] for block in rule["right"]] == results
        assert [(one["meant"], one["about"], one["line"]) for one in found["expects"]] == [
            (one.name, one.about, one.place.line) for one in parsed.expects
        ]
        assert found["sets"] == list(parsed.sets)
    assert seen > 40


def test_a_cell_is_the_only_thing_that_changes(editor: Callable[..., Any]) -> None:
    text = editor(
        "paint", CRYPT, 1, [{"block": -1, "x": 2, "y": 1, "sign": "o"}, {"block": 1, "x": 0, "y": 2, "sign": "~"}]
    )
    assert [(old, new) for old, new in zip(CRYPT.split("\n"), text.split("\n"), strict=True) if old != new] == [
        ("    ?XXX?  ->  ?+.+?  |  ?#$#?", "    ?XoX?  ->  ?+.+?  |  ?#$#?"),
        ("    ?XXX?      ?#+#?     ?###?", "    ?XXX?      ?#+#?     ~###?"),
    ]
    short = editor(
        "paint", CRYPT, 2, [{"block": -1, "x": 0, "y": 0, "sign": "."}, {"block": 0, "x": 0, "y": 0, "sign": ","}]
    )
    assert "    one  .s -> ,., turned, chance 50%   ; braces\n" in short
    assert editor("paint", CRYPT, 1, [{"block": -1, "x": 0, "y": 0, "sign": "?"}]) == CRYPT


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
@pytest.mark.parametrize("by", [2, -1])
@pytest.mark.parametrize("rule", range(9))
def test_a_drawing_grows_and_shrinks_at_every_side(editor: Callable[..., Any], side: str, by: int, rule: int) -> None:
    before, results = rows(CRYPT, rule)
    across = side in ("left", "right")
    text = editor("resize", CRYPT, rule, side, by)
    if (len(before[0]) if across else len(before)) + by < 1:
        assert text is None
        return
    assert text.count(";") == CRYPT.count(";"), "comments stay"

    def resize_block(block: list[str]) -> list[str]:
        if across:
            more = "?" * max(by, 0)
            return [
                more + row[max(-by, 0) :] if side == "left" else row[: len(row) + min(by, 0)] + more for row in block
            ]
        extra = ["?" * len(block[0])] * max(by, 0)
        return extra + block[max(-by, 0) :] if side == "top" else block[: len(block) + min(by, 0)] + extra

    assert rows(text, rule) == (resize_block(before), [resize_block(block) for block in results])
    for other in (number for number in range(9) if number != rule):
        assert rows(text, other) == rows(CRYPT, other)


def test_words_are_set_where_they_belong(editor: Callable[..., Any]) -> None:
    def after(name: str, rule: int, value: object) -> tuple[str, Node, Rule]:
        text = editor(name, CRYPT, rule, value)
        node, found = read(text)[rule]
        return text, node, found

    for rule in range(9):
        others = [pair for number, pair in enumerate(read(CRYPT)) if number != rule]
        for limit in (7, 1, None):
            text, node, found = after("withLimit", rule, limit)
            assert (found.limit or (node.limit if len(node.rules) == 1 else 0)) == (limit or 0), text
        text, _, found = after("withPositions", rule, "turned and mirrored")
        assert found.positions == tuple(range(8))
        back = editor("withPositions", text, rule, "as drawn")
        assert read(back)[rule][1].positions == (0,)
        assert "as drawn" not in back, "what holds anyway is not written"
        text, _, found = after("withChance", rule, 25)
        assert found.chance == 0.25
        text, _, found = after("withWeight", rule, 5)
        assert found.weight == 5
        text, node, found = after("withKind", rule, "parallel")
        assert node.kind == "parallel"
        assert [(one.pattern, one.results, one.positions) for _, one in others] == [
            (one.pattern, one.results, one.positions) for number, (_, one) in enumerate(read(text)) if number != rule
        ]


def test_names_change_in_expectations_too(editor: Callable[..., Any]) -> None:
    text = editor("withName", CRYPT, 1, "hall, great")
    parsed = parse.parse(text, "x.rules")
    assert [(one.name, one.about) for one in parsed.expects] == [("hall, great", "grows below a door")]
    for rule in range(9):
        named = read(editor("withName", CRYPT, rule, "once"))
        assert named[rule][1].name == "once"
        assert len(named) == 9
    assert "; two results" in text


def test_weights_follow_the_results(editor: Callable[..., Any]) -> None:
    text = editor("withWeights", CRYPT, 1, [5, 2])
    assert [result.weight for result in read(text)[1][1].results] == [5, 2]
    assert "one  room, up to 20 times, turned        ; two results\n" in editor("withWeights", CRYPT, 1, [1, 1])
    assert editor("withWeights", CRYPT, 0, [1]) == CRYPT


def test_rules_are_added_copied_moved_and_removed(editor: Callable[..., Any]) -> None:
    for rule in range(9):
        text = editor("withNewRule", CRYPT, rule)["text"]
        names = [one.name for _, one in read(text)]
        assert len(names) == 10
        assert "new rule" in names
        text = editor("withRuleCopied", CRYPT, rule)["text"]
        assert rows(text, rule) == rows(text, rule + 1) == rows(CRYPT, rule)
        text = editor("withoutRule", CRYPT, rule)
        assert [one.pattern for _, one in read(text)] == [
            one.pattern for number, (_, one) in enumerate(read(CRYPT)) if number != rule
        ]
        for by in (-1, 1):
            text = editor("withRuleMoved", CRYPT, rule, by)
            if text is not None:
                assert sorted(one.pattern for _, one in read(text)) == sorted(one.pattern for _, one in read(CRYPT))
                assert sorted(text.replace("\n", "")) == sorted(CRYPT.replace("\n", ""))
    assert [one.name for _, one in read(editor("withRuleMoved", CRYPT, 0, 1))][:2] == ["room", "start"]
    assert editor("withRuleMoved", CRYPT, 0, -1) is None
    assert parse.parse(editor("withoutRule", CRYPT, 1), "x.rules").expects == ()


def test_the_last_rule_of_a_block_takes_the_block_along(editor: Callable[..., Any]) -> None:
    text = "one  a\n    . -> #\n\nmarkov\n    repeat\n        one  b\n            # -> .\n"
    assert editor("withoutRule", text, 1).strip() == "one  a\n    . -> #"


def test_sets_tiles_and_expectations_are_written_where_they_are_known(editor: Callable[..., Any]) -> None:
    for text in (
        CRYPT,
        "one  . -> #\n",
        "; about\npalette letters BW\n; first\none  B -> W\n",
        "; about\n\none  . -> #\n",
    ):
        tile = "B" if "letters" in text else "floor"
        after = editor("withSet", text, None, "q", [tile, "W" if tile == "B" else "stairs up"], False)
        parsed = parse.parse(after, "x.rules")
        assert parsed.sets["q"].bit_count() == 2
        changed = editor("withSet", after, None, "q", [tile], True)
        assert changed.count("set  q") == 1
        more = editor("withTile", text, None, "old rug", "=", "floor", "#aa5533")
        palette = parse.parse(more, "x.rules").program.palette
        assert (palette.tiles[palette["="]].name, palette.tiles[palette["="]].colour) == ("old rug", "#aa5533")
    text = editor("withExpect", CRYPT, 1, "makes a second", [["#"] * 3, ["."] * 3], [])["text"]
    assert [one.about for one in parse.parse(text, "x.rules").expects] == ["grows below a door", "makes a second"]
    assert (
        editor("withoutExpect", text, None, editor("withExpect", CRYPT, 1, "makes a second", [["#"]], [])["line"])
        == CRYPT
    )
    inner = editor("withExpect", CRYPT, 7, "in a block", [["."] * 4, ["."] * 4], [])["text"]
    assert [one.name for one in parse.parse(inner, "x.rules").expects] == ["room", "pool, deep"]
    about = editor("withAbout", CRYPT, None, CRYPT.split("\n").index("expect  room grows below a door"), "does; more")
    assert [(one.name, one.about) for one in parse.parse(about, "x.rules").expects] == [("room", "does more")]
