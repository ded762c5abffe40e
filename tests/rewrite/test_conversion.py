"""Rules from one notation into another and back: nothing is lost, and the same seed gives the same map."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import undercroft as uc
from undercroft import limits
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, TooBig, UndercroftError
from undercroft.inputs.files import SHIPPED_FOLDER as FOLDER
from undercroft.rewrite import template_pairs
from undercroft.rewrite.grammar import folder as grammar
from undercroft.rewrite.grammar.write_folder import dump_folder
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import (
    ANY,
    KEEP,
    QUARTER_TURNS,
    Area,
    Guard,
    Program,
    Replacement,
    Rule,
    ThingTile,
)
from undercroft.rewrite.model.symmetry_flags import FLAGS_BY_POSITIONS
from undercroft.rewrite.rules import Rules
from undercroft.rewrite.templates import build_template
from undercroft.rewrite.text import parse, write_rules
from undercroft.rewrite.text.alphabet import build_letter_palette

SHIPPED = FOLDER / "grammar"
PILLAR = "??#??\n?...?\n#...?\n?...?\n?????\n\n??#??\n?...?\n#.o.?\n?...?\n?????\n"


def bare(program: Program) -> Program:
    """Without the places in files."""
    root = program.root._replace(place=None, rules=tuple(rule._replace(place=None) for rule in program.root.rules))
    return program._replace(root=root)


def by_text(program: Program) -> Program:
    return parse.parse(write_rules.dump_program(program), "x.rules").program


# --- grammar folders --------------------------------------------------------------------------------------------------


@st.composite
def grammars(draw: st.DrawFn) -> Program:
    """Some rules with all that a folder can say."""
    names = draw(
        st.lists(st.text("abcXYZ019-_ .", min_size=1, max_size=6), min_size=1, max_size=4, unique_by=str.casefold)
    )
    rules = []
    for name in sorted(name for name in names if name == name.strip() and name.strip(". ") and name[0] != "."):
        width, height = draw(st.integers(1, 4)), draw(st.integers(1, 4))
        codes, weights = st.integers(0, len(GRAMMAR_PALETTE) - 1), st.integers(0, 9)
        cells = width * height
        pattern = draw(
            st.lists(st.one_of(st.just(ANY), codes.map(lambda code: 1 << code)), min_size=cells, max_size=cells)
        )
        grid = st.lists(st.one_of(st.just(KEEP), codes), min_size=cells, max_size=cells).map(tuple)
        results = draw(st.lists(st.builds(Replacement, grid, weights), min_size=1, max_size=3))
        rules.append(
            Rule(
                name,
                width,
                height,
                tuple(pattern),
                tuple(results),
                weight=draw(weights),
                positions=draw(st.sampled_from(sorted(FLAGS_BY_POSITIONS))),
            )
        )
    return grammar.build_program(rules or [Rule("x", 1, 1, (1,), (Replacement((1,)),))])


@given(grammars())
@settings(max_examples=150)
def test_a_folder_goes_through_a_rules_file_unchanged(program: Program) -> None:
    again = by_text(program)
    assert bare(again) == bare(program)
    assert dump_folder(again) == dump_folder(program)


def test_all_flags_go_through() -> None:
    for flags in FLAGS_BY_POSITIONS.values():
        made, _ = grammar.parse_rule(f"1,2\n{flags}\n=3\nc.\n=2\nr?\n=\n?R\n", "x.txt")
        assert by_text(grammar.build_program([made])).root.rules[0]._replace(place=None) == made._replace(place=None), (
            flags
        )


@pytest.mark.parametrize("seeds", [range(25), range(25, 50)])
def test_the_same_seed_gives_the_same_map(seeds: range) -> None:
    folder = Rules.load(SHIPPED)
    file = Rules(by_text(folder.program))
    start = folder.level()
    assert start is not None
    maps = set()
    for seed in seeds:
        grown = folder.apply(start, seed=seed)
        assert file.apply(start, seed=seed) == grown
        maps.add(str(grown))
    assert len(maps) == len(seeds)


def test_a_folder_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["convert", str(SHIPPED), "x.rules"]) == 0
    assert "the map they begin with is in x.base.txt" in capfdbinary.readouterr().err.decode()
    assert run(["convert", "x.rules", "back"]) == 0
    assert capfdbinary.readouterr() == (b"", b"")
    assert {path.name: path.read_bytes() for path in Path("back").iterdir()} == {
        path.name: path.read_bytes() for path in (*(SHIPPED / "rules").iterdir(), SHIPPED / "base.txt")
    }
    for rules in ("x.rules", "back"):
        assert run(["rewrite", rules, "--on", "x.base.txt", "--seed", "3", "--size", "9x9"]) == 2
    shown = []
    for rules in ("x.rules", str(SHIPPED), "back"):
        capfdbinary.readouterr()
        assert run(["rewrite", rules, "--on", "x.base.txt", "--seed", "3"]) == 0
        shown.append(capfdbinary.readouterr().out)
    assert shown[0] == shown[1] == shown[2], "whatever the folder is called"


def test_the_base_may_have_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["convert", str(SHIPPED), "x.rules", "--base", "hall.txt"]) == 0
    assert not Path("x.base.txt").exists()
    assert run(["convert", "x.rules", "without"]) == 0
    assert not Path("without", "base.txt").exists()
    assert run(["convert", "x.rules", "with", "--base", "hall.txt"]) == 0
    assert Path("with", "base.txt").read_bytes() == (SHIPPED / "base.txt").read_bytes()
    capfdbinary.readouterr()
    assert run(["convert", str(SHIPPED), "-"]) == 0
    assert b"note: the map they begin with is left out" in capfdbinary.readouterr().err
    assert run(["convert", str(SHIPPED / "rules"), "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert (out.startswith(b"program grammar\npalette grammar\n"), err) == (True, b"")


def test_what_a_folder_does_not_hold_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.rules").write_text(
        "palette grammar\none  grow, up to 7 times, pick by rule, keep duplicates\n    c. -> cc\n"
    )
    assert run(["convert", "x.rules", "seven"]) == 0
    told = capfdbinary.readouterr().err.decode()
    assert "use --steps 7" in told
    assert "called 'grammar', not 'grow'; draws go by names" in told


GRAMMAR_ONE = "palette grammar\none  grow, pick by rule, keep duplicates{}\n    {}\n"
REFUSED = [
    ("palette standard\none  . -> #\n", "a grammar folder is drawn with the palette 'grammar', not 'standard'"),
    ("palette grammar\none  c. -> cc\n", "a grammar folder is one node that picks by rule"),
    ("palette grammar\nall  grow, keep duplicates\n    c. -> cc\n", "a grammar folder is one node that picks by rule"),
    (
        "palette grammar\none  a, pick by rule, keep duplicates\n    c. -> cc\n\none  b\n    c. -> cc\n",
        "a grammar folder is one node that picks by rule",
    ),
    (GRAMMAR_ONE.format(", outside .", "c. -> cc"), "a grammar folder is one node that picks by rule"),
    (GRAMMAR_ONE.format("", "c. -> cc, chance 50%"), "cannot hold a chance, a limit, a guard or a region"),
    (GRAMMAR_ONE.format("", "c. -> cc, up to 3 times"), "cannot hold a chance, a limit, a guard or a region"),
    (GRAMMAR_ONE.format("", "c. -> cc, positions 0 2"), "cannot hold the positions (0, 2)"),
    (GRAMMAR_ONE.format("", "c. -> cc, weight 100001"), "cannot hold this weight"),
    (GRAMMAR_ONE.format("", "{c or C}. -> cc"), "cannot hold a set of tiles in a target"),
    (
        GRAMMAR_ONE.format("", "rule  b\n        c. -> cc\n    rule  a\n        c. -> rr"),
        "'b' does not come before 'a'",
    ),
    (GRAMMAR_ONE.format("", "rule  base\n        c. -> cc"), "'base' cannot be the name of a rule's file"),
]


@pytest.mark.parametrize(
    ("text", "problem"), REFUSED, ids=[f"{number} {row[1][-30:]}" for number, row in enumerate(REFUSED)]
)
def test_rules_that_no_folder_can_say_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], text: str, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.rules").write_text(text)
    assert run(["convert", "x.rules", "folder"]) == 2
    said = capfdbinary.readouterr().err.decode()
    assert problem in said
    assert "fix: " in said
    assert not Path("folder").exists(), "nothing was begun"


def test_things_and_guards_are_refused() -> None:
    good = grammar.load_folder(SHIPPED).program
    rule = good.root.rules[0]
    with pytest.raises(BadInput, match="a grammar folder is one node"):
        dump_folder(good._replace(things=(ThingTile("rat", 1, 0),)))
    with pytest.raises(BadInput, match="a grammar folder is one node"):
        dump_folder(good._replace(root=good.root._replace(each=Area("room"))))
    for other in (rule._replace(guards=(Guard("connected", 2),)), rule._replace(area=Area("room"))):
        with pytest.raises(BadInput, match="a guard or a region"):
            dump_folder(good._replace(root=good.root._replace(rules=(other,))))


ASKED_WRONG = [
    (["x.rules", "y.rules"], "rules become a grammar folder, and y.rules is none"),
    (["x.rules", "-"], "rules become a grammar folder"),
    (["x.rules", "map.txt"], "rules become a grammar folder"),
    (["folder", "map.txt"], "a grammar folder becomes a .rules file, and map.txt is none"),
    (["folder", "map.png"], "a grammar folder becomes a .rules file"),
    (["x.rules", "folder"], "cannot write to folder: it holds files already"),
    (["nowhere.txt", "y.rules"], "cannot read nowhere.txt"),
    (["nowhere.rules", "new"], "cannot read nowhere.rules"),
    (["x.rules", "x.rules/new"], "cannot make the folder"),
    (["map.txt", "other.json", "--base", "x"], "--base and --lenient are about rules"),
    (["pair.txt", "y.rules", "--palette", "letter #."], "unknown palette"),
    (["empty", "y.rules"], "the folder holds no rule"),
]


@pytest.mark.parametrize(("words", "problem"), ASKED_WRONG, ids=[" ".join(words) for words, _ in ASKED_WRONG])
def test_asked_for_what_cannot_be(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
    words: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("empty").mkdir()
    Path("folder", "grow.txt").write_text("1,2\n=\nc.\n=\ncc\n")
    Path("x.rules").write_text(GRAMMAR_ONE.format("", "c. -> cc"))
    Path("pair.txt").write_text(PILLAR)
    Path("map.txt").write_text("...\n")
    before = sorted(tmp_path.rglob("*"))
    assert run(["convert", *words]) == 2
    said = capfdbinary.readouterr().err.decode()
    assert problem in said
    assert "fix: " in said
    assert sorted(tmp_path.rglob("*")) == before


def test_lenient_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old").mkdir()
    Path("old", "a.txt").write_text("1,3\n=\nc\n=\nrrr\n")
    assert run(["convert", "old", "x.rules"]) == 2
    assert "a.txt:3:2: this row has 1 of 3 columns" in capfdbinary.readouterr().err.decode()
    assert run(["convert", "old", "x.rules", "--lenient"]) == 0
    assert "the rest is taken for ?" in capfdbinary.readouterr().err.decode()
    assert parse.load("x.rules").program.root.rules[0].pattern[1:] == (ANY, ANY)


# --- templates --------------------------------------------------------------------------------------------------------


def test_a_pair_is_a_template() -> None:
    made = template_pairs.parse_template_pair(PILLAR, "some/pillar.txt")
    reference, result = (block.split("\n") for block in PILLAR.strip("\n").split("\n\n"))
    assert made.name == made.root.name == "pillar"
    assert made.root.rules[0]._replace(place=None) == build_template(reference, result, name="pillar")
    assert (made.root.kind, made.root.pick, made.root.limit, made.root.rules[0].positions) == (
        "one",
        "token",
        0,
        QUARTER_TURNS,
    )


@pytest.mark.parametrize(
    "text",
    [PILLAR, PILLAR.replace("\n", "\r\n"), "\ufeff" + PILLAR, "\n\n" + PILLAR.replace("\n\n", " \n\t\n\n") + "\n"],
)
def test_blank_lines_and_line_ends_do_not_matter(text: str) -> None:
    assert bare(template_pairs.parse_template_pair(text, "pillar.txt")) == bare(
        template_pairs.parse_template_pair(PILLAR, "pillar.txt")
    )


def test_rules_may_be_a_template(tmp_path: Path) -> None:
    (tmp_path / "pillar.txt").write_text(PILLAR)
    (tmp_path / "rule.txt").write_text("1,2,R\n=\nc.\n=\ncc\n")
    rules = Rules.load(tmp_path / "pillar.txt")
    begin = Level.parse("#####\n#...#\n#...#\n#...#\n#...#\n#...#\n#####")
    assert str(rules.apply(begin, seed=1)).count("o") >= 1
    assert bare(rules.program) == bare(template_pairs.parse_template_pair(PILLAR, "pillar.txt"))
    rules = Rules.load(tmp_path / "rule.txt")
    assert rules.program.palette == GRAMMAR_PALETTE
    assert "flags stand in a line of their own" in rules.notes[0]


def test_further_blocks_are_further_results() -> None:
    made = template_pairs.parse_template_pair("..\n\n#?\n\n?#\n\n##\n", "x.txt").root.rules[0]
    assert [result.cells for result in made.results] == [(1, KEEP), (KEEP, 1), (1, 1)]
    assert {result.weight for result in made.results} == {1}


@pytest.mark.parametrize(
    ("text", "palette"),
    [
        (PILLAR, STANDARD),
        (PILLAR.replace("o", "_"), build_letter_palette("#._")),
        ("#.\n\n.#\n\n??\n", build_letter_palette("#.")),
    ],
)
def test_a_pair_goes_through_a_rules_file_unchanged(text: str, palette: uc.Palette) -> None:
    made = template_pairs.parse_template_pair(text, "pair.txt", palette)
    assert bare(by_text(made)) == bare(made)
    room = Level(
        np.where(np.random.default_rng(1).random((20, 30)) < 0.3, palette["#"], palette["."]).astype(np.uint8), palette
    )
    for seed in range(50):
        assert Rules(by_text(made)).apply(room, seed=seed, steps=9) == Rules(made).apply(room, seed=seed, steps=9)


PAIR_MISTAKES = [
    ("", "1:1", "a template has two blocks of rows", "part them by a blank line"),
    ("...\n", "1:1", "a template has two blocks of rows", "part them by a blank line"),
    ("...\n...\n", "1:1", "a template has two blocks of rows", "part them by a blank line"),
    ("...\n..\n\n...\n...\n", "2:3", "this row has 2 columns, and the first has 3", "equally long"),
    ("...\n\n....\n", "3:4", "this row has 4 columns, and the first has 3", "equally long"),
    ("...\n...\n\n...\n", "4:1", "this block has 1 rows, and the first block has 2", "the same rows and columns"),
    ("...\n\n..x\n", "3:3", "unknown tile 'x'", "did you mean 'X'?"),
    (".*.\n\n...\n", "1:2", "unknown tile '*'", "the palette 'standard' has # . , + ' L S ~ : o < >"),
    ("." * 65 + "\n\n" + "." * 65, "1:1", "the side of the template is 65; the limit is 64", "smaller pattern"),
]


@pytest.mark.parametrize(("text", "place", "problem", "fix"), PAIR_MISTAKES, ids=[row[2] for row in PAIR_MISTAKES])
def test_a_mistake_in_a_pair(text: str, place: str, problem: str, fix: str) -> None:
    with pytest.raises(BadInput) as caught:
        template_pairs.parse_template_pair(text, "x.txt")
    assert caught.value.problem.startswith(problem)
    assert fix in caught.value.fix
    assert str(caught.value.place) == f"x.txt:{place}"


def test_pairs_are_bounded() -> None:
    with pytest.raises(TooBig, match="its size in bytes"):
        template_pairs.parse_template_pair("." * (limits.RULES_BYTES.value + 1), "x.txt")


def attempt(text: str) -> Program | UndercroftError:
    """What is read, or the error; any other exception is a defect."""
    try:
        return template_pairs.parse_template_pair(text, "x.txt")
    except UndercroftError as error:
        return error


def test_thousands_of_broken_pairs_end_in_sentences() -> None:
    source = random.Random(4)
    alphabet = "#.?+X \n\n\n\t\r_x,\x00\ufeff═-"
    ended = {"read": 0, "refused": 0}
    for _ in range(3000):
        text = source.choice([PILLAR, "#.#\n\n#+#\n", "..\n..\n\n##\n##\n\n?#\n#?\n"])
        for _ in range(source.choice([1, 1, 2, 5])):
            at = source.randrange(len(text) + 1)
            text = text[:at] + source.choice(["", source.choice(alphabet)]) + text[at + source.randrange(3) :]
        made = attempt(text)
        if isinstance(made, UndercroftError):
            assert made.place
            assert made.fix
            ended["refused"] += 1
        else:
            assert bare(by_text(made)) == bare(made)
            ended["read"] += 1
    assert min(ended.values()) > 300, ended


def test_pairs_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pillar.txt").write_text(PILLAR)
    Path("old.txt").write_text(PILLAR.replace("o", "_"))
    Path("rule.txt").write_text("1,2\nR\n=5 \nc.\n=\ncc\n")
    assert run(["convert", "pillar.txt", "pillar.rules"]) == 0
    assert Path("pillar.rules").read_text() == write_rules.dump_program(
        template_pairs.parse_template_pair(PILLAR, "pillar.txt")
    )
    assert run(["convert", "old.txt", "old.rules", "--palette", "letters #._"]) == 0
    assert "palette letters #._" in Path("old.rules").read_text()
    assert run(["convert", "rule.txt", "-", "--format", "rules"]) == 0
    assert (
        b"one  grammar, up to 150 times, turned, pick by rule, keep duplicates, weight 5\n"
        in capfdbinary.readouterr().out
    )
    assert run(["convert", "old.txt", "old.rules"]) == 2
    assert "old.txt:9:3: unknown tile '_'" in capfdbinary.readouterr().err.decode()
