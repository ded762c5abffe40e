"""Folders of grammar rules: what is read from them, and how they are written."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.grammars import FOUR_WAY, SHIPPED, fill, letters
from undercroft import limits
from undercroft.core.palette import STANDARD
from undercroft.errors import BadInput, FileTrouble, TooBig
from undercroft.inputs import files
from undercroft.rewrite.grammar.folder import build_program, load_folder, parse_rule
from undercroft.rewrite.grammar.write_folder import dump_base, dump_folder, dump_rule
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import ALL_POSITIONS, ANY, KEEP, Node, Replacement, Rule
from undercroft.rewrite.model.symmetry_flags import FLAGS_BY_POSITIONS, POSITIONS_BY_FLAGS

# -- folders

GOOD, BAD = "1,1\n=\nc\n=\nr\n", "1,1\n=\nc\nc\n=\nr\n"


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    fill(tmp_path, zoo=GOOD, a=GOOD, **{"a-b": GOOD, "Zed": GOOD})
    (tmp_path / "readme.md").write_text("no rule", encoding="utf-8")
    (tmp_path / "rule.TXT.bak").write_text("no rule", encoding="utf-8")
    fill(tmp_path / "deeper.txt", nested=GOOD)
    fill(tmp_path / "sub", nested=GOOD, base=GOOD)
    found = load_folder(tmp_path, steps=9)
    assert [made.name for made in found.program.rules()] == ["Zed", "a", "a-b", "zoo"]
    assert (found.base, found.notes) == (None, ())
    root = found.program.root
    assert (root.kind, root.limit, root.pick, root.merge, found.program.palette) == (
        "one",
        9,
        "rule",
        False,
        GRAMMAR_PALETTE,
    )
    assert [made.place and Path(made.place.file).name for made in root.rules] == [
        "Zed.txt",
        "a.txt",
        "a-b.txt",
        "zoo.txt",
    ]
    assert [made.name for made in load_folder(tmp_path, recurse=True).program.rules()] == [
        "Zed",
        "a",
        "a-b",
        "deeper.txt/nested",
        "sub/base",
        "sub/nested",
        "zoo",
    ]


def test_suffixes_in_capital_letters_are_read(tmp_path: Path) -> None:
    fill(tmp_path, a=GOOD)
    (tmp_path / "B.TXT").write_text(GOOD, encoding="utf-8")
    (tmp_path / "Base.Txt").write_text("1,2\n=\ncc\n", encoding="utf-8")
    found = load_folder(tmp_path)
    assert [made.name for made in found.program.rules()] == ["B", "a"]
    assert found.base is not None
    (tmp_path / "a.TXT").write_text(GOOD, encoding="utf-8")
    if len(list(tmp_path.iterdir())) == 4:  # the file system tells the cases apart
        with pytest.raises(BadInput, match=r"a\.TXT and a\.txt differ only in capital letters"):
            load_folder(tmp_path)


def test_the_base_is_no_rule(tmp_path: Path) -> None:
    found = load_folder(fill(tmp_path, base="1,2\n=\ncc\n", x=GOOD))
    assert [made.name for made in found.program.rules()] == ["x"]
    assert found.base is not None
    assert letters(found.base) == "cc"


def test_rules_may_stand_in_a_folder_beside_the_base(tmp_path: Path) -> None:
    fill(tmp_path, base="1,2\n=\ncc\n")
    fill(tmp_path / "rules", x=GOOD)
    found = load_folder(tmp_path)
    assert [made.name for made in found.program.rules()] == ["x"]
    assert found.base is not None


def test_a_bad_file_stops_a_strict_reader_and_is_left_out_by_a_lenient_one(tmp_path: Path) -> None:
    fill(tmp_path, a=BAD, b=GOOD, c="1,1\nx\n=\nc\n=\nr\n")
    (tmp_path / "d.txt").write_bytes(b"1,1\n=\n\xff\n=\nr\n")
    with pytest.raises(BadInput, match=r"a\.txt:4:1: this row is too much"):
        load_folder(tmp_path)
    found = load_folder(tmp_path, strict=False)
    assert [made.name for made in found.program.rules()] == ["b", "c"]
    assert [(Path(note.place.file).name, note.place.line, note.problem.partition(" ")[0]) for note in found.notes] == [
        ("a.txt", 4, "this"),
        ("c.txt", 2, "unknown"),
        ("d.txt", 1, f"{tmp_path / 'd.txt'}:"),
    ]
    assert found.notes[0].problem.endswith("; the rule is left out")
    assert "not UTF-8" in found.notes[2].problem


@pytest.mark.parametrize("strict", [True, False])
def test_a_folder_without_a_rule_is_an_error(tmp_path: Path, strict: bool) -> None:
    with pytest.raises(BadInput, match="the folder holds no rule"):
        load_folder(fill(tmp_path / "a", base="1,2\n=\ncc\n"), strict=strict)
    with pytest.raises(
        BadInput, match="this row is too much" if strict else "holds no rule; 1 cannot be read: .*x.txt:4:1: this row"
    ):
        load_folder(fill(tmp_path / "b", x=BAD), strict=strict)
    with pytest.raises(BadInput, match=r"base\.txt:3:1: the file ends in row 2"):
        load_folder(fill(tmp_path / "c", x=GOOD, base="2,2\n=\ncc\n"), strict=strict)
    with pytest.raises(FileTrouble, match="cannot read"):
        load_folder(tmp_path / "nowhere", strict=strict)
    with pytest.raises(FileTrouble, match="cannot read"):
        load_folder(tmp_path / "b" / "x.txt", strict=strict)


@pytest.mark.skipif(os.name == "nt", reason="no pipes or links there")
def test_a_pipe_and_a_link_to_nowhere_do_not_stall(tmp_path: Path) -> None:
    fill(tmp_path, x=GOOD)
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "link.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "ring").symlink_to(tmp_path)
    with pytest.raises(FileTrouble, match=r"link\.txt: no such file"):
        load_folder(tmp_path)
    found = load_folder(tmp_path, strict=False, recurse=True)
    assert "not a regular file" in found.notes[1].problem
    assert [made.name for made in found.program.rules()] == ["x"]
    assert len(found.notes) == 2


def test_sizes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooBig, match="its size in bytes"):
        parse_rule("1,1\n=\nc\n=\nr\n" + "\n" * limits.RULES_BYTES.value, "x.txt")
    with pytest.raises(TooBig, match="its size in bytes"):
        load_folder(fill(tmp_path / "big", x=GOOD + "\n" * limits.RULES_BYTES.value))
    blank = "64,64\n=\n" + ("\n" * 64 + "=\n") * 20
    with pytest.raises(TooBig, match="the number of cells in all grids is 69,632; the limit is 65,536"):
        parse_rule(blank, "x.txt", strict=False)
    many = tuple(parse_rule(GOOD, "x.txt")[0] for _ in range(1001))
    with pytest.raises(TooBig, match="the number of rules is 1,001"):
        build_program(many)
    assert len(build_program(many[1:]).root.rules) == 1000
    wide, _ = parse_rule("64,64\nR,H,V\n=\n" + ("." * 64 + "\n") * 64 + ("=\n" + ("r" * 64 + "\n") * 64) * 8, "x.txt")
    with pytest.raises(TooBig, match="cells of all rules in all positions"):
        build_program([wide] * 8)
    fill(tmp_path / "many", x=GOOD, y=GOOD, z=GOOD)
    monkeypatch.setattr(limits, "RULES_IN_FILE", limits.RULES_IN_FILE._replace(value=2))
    with pytest.raises(TooBig, match="number of rules is 3; the limit is 2"):
        load_folder(tmp_path / "many")
    monkeypatch.setattr(files, "FOLDER_ENTRIES", limits.FOLDER_ENTRIES._replace(value=2))
    with pytest.raises(TooBig, match="number of entries is 3; the limit is 2"):
        load_folder(tmp_path / "many")


# -- writing


@st.composite
def a_rule(draw: st.DrawFn) -> Rule:
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    codes = st.integers(0, len(GRAMMAR_PALETTE) - 1)
    cells = width * height
    pattern = draw(st.lists(st.one_of(st.just(ANY), codes.map(lambda code: 1 << code)), min_size=cells, max_size=cells))
    grid = st.lists(st.one_of(st.just(KEEP), codes), min_size=cells, max_size=cells)
    weights = st.one_of(st.integers(0, 3), st.integers(0, limits.GRAMMAR_WEIGHT.value))
    results = draw(st.lists(st.builds(Replacement, grid.map(tuple), weights), min_size=1, max_size=3))
    return Rule(
        "x",
        width,
        height,
        tuple(pattern),
        tuple(results),
        weight=draw(weights),
        positions=draw(st.sampled_from(sorted(FLAGS_BY_POSITIONS))),
    )


@given(a_rule(), st.booleans())
def test_nothing_is_lost_on_the_way_out_and_in(made: Rule, strict: bool) -> None:
    text = dump_rule(made)
    again, notes = parse_rule(text, "x.txt", strict=strict)
    assert notes == []
    assert again._replace(place=None) == made
    assert dump_rule(again) == text
    assert parse_rule(dump_rule(again), "x.txt")[0] == again, "its place, too"


def test_equal_positions_in_another_order_are_written_as_flags() -> None:
    made, _ = parse_rule(FOUR_WAY, "x.txt")
    assert parse_rule(dump_rule(made._replace(positions=ALL_POSITIONS)), "x.txt")[0] == made._replace(
        positions=POSITIONS_BY_FLAGS["R,H"]
    )


PLAIN = Rule("plain", 1, 1, (1,), (Replacement((1,)),))
REFUSED = [
    (PLAIN._replace(chance=0.5), "a chance, a limit, a guard or a region"),
    (PLAIN._replace(limit=3), "a chance, a limit, a guard or a region"),
    (PLAIN._replace(pattern=(3,)), "a set of tiles"),
    (PLAIN._replace(pattern=(0,)), "a set of tiles"),
    (PLAIN._replace(pattern=(1 << 20,)), "the tile number 20"),
    (PLAIN._replace(results=(Replacement((16,)),)), "the tile number 16"),
    (PLAIN._replace(results=()), "a rule without a result"),
    (PLAIN._replace(results=(Replacement((1, 1)),)), "grids of different sizes"),
    (PLAIN._replace(positions=(0, 2)), "the positions"),
    (PLAIN._replace(positions=(0, 0)), "the positions"),
    (PLAIN._replace(weight=-1), "this weight"),
    (PLAIN._replace(results=(Replacement((1,), 100_001),)), "this weight"),
    (Rule("wide", 65, 1, (1,) * 65, (Replacement((1,) * 65),)), "a size of 65x1"),
]


@pytest.mark.parametrize(("made", "problem"), REFUSED, ids=[f"{number} {row[1]}" for number, row in enumerate(REFUSED)])
def test_what_the_format_cannot_hold_is_said(made: Rule, problem: str) -> None:
    with pytest.raises(BadInput, match="a grammar file cannot hold") as caught:
        dump_rule(made)
    assert problem in caught.value.problem
    assert caught.value.fix


def test_a_folder_comes_back_as_it_was(tmp_path: Path) -> None:
    first = load_folder(SHIPPED)
    assert first.base is not None
    texts = dump_folder(first.program, first.base)
    assert list(texts)[-1] == "base.txt"
    fill(tmp_path, **{name.removesuffix(".txt"): text for name, text in texts.items()})
    again = load_folder(tmp_path)
    assert [made._replace(place=None) for made in again.program.rules()] == [
        made._replace(place=None) for made in first.program.rules()
    ]
    assert again.base is not None
    assert np.array_equal(again.base, first.base)
    assert dump_folder(again.program, again.base) == texts
    assert dump_base(again.base) == (SHIPPED / "base.txt").read_text(encoding="utf-8")


def test_the_names_of_a_folder() -> None:
    def rules_named(*names: str) -> list[Rule]:
        return [PLAIN._replace(name=name) for name in names]

    assert list(dump_folder(build_program(rules_named("a", "b c")))) == ["a.txt", "b c.txt"]
    assert list(dump_folder(build_program(rules_named("b", "b", "a") * 4), numbered=True))[::6] == [
        "01-b.txt",
        "07-b.txt",
    ]
    for names, problem in [
        (("b", "a"), "'b' does not come before 'a'"),
        (("a", "a"), "'a' does not come before 'a'"),
        (("A", "B", "a"), "capital letters"),
        (("a/b",), "cannot be the name"),
        (("..",), "cannot be the name"),
        (("",), "cannot be the name"),
        ((".hidden",), "cannot be the name"),
        (("Base",), "cannot be the name"),
        (("x" * 101,), "cannot be the name"),
        (("a\n",), "cannot be the name"),
    ]:
        with pytest.raises(BadInput, match=problem):
            dump_folder(build_program(rules_named(*names)))


def test_a_program_that_is_no_folder() -> None:
    good = build_program([PLAIN])
    for root in (
        good.root._replace(kind="all"),
        good.root._replace(pick="match"),
        good.root._replace(merge=True),
        Node("markov", children=(good.root,)),
    ):
        with pytest.raises(BadInput, match="a grammar folder is one node"):
            dump_folder(good._replace(root=root))
    with pytest.raises(BadInput, match="palette"):
        dump_folder(good._replace(palette=STANDARD))
    with pytest.raises(BadInput, match="tiles that a grammar does not know"):
        dump_base(np.full((2, 2), 16, np.uint8))
