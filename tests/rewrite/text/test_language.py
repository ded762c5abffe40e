"""What the words of the `.rules` language mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.texts import CASES, on, only, shape, shelf
from undercroft.core.palette import STANDARD, Tile
from undercroft.errors import FileTrouble, UndercroftError
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import ALL_POSITIONS, AS_DRAWN, BOTH_MIRRORS, LEFT_RIGHT, QUARTER_TURNS, UP_DOWN
from undercroft.rewrite.text.expectations import find_problems
from undercroft.rewrite.text.parse import load, parse


@pytest.mark.parametrize(
    "source",
    [
        "one  #.?/.#. -> ?.#/??? | ###/###",
        "one\n    #.?/.#. -> ?.#/??? | ###/###",
        "one\n\n    #.?      ?.#     ###\n    .#.  ->  ???  |  ###",
        "one\n    #.?  ->  ?.#  |  ###\n    .#.      ???  |  ###   ; a bar in every row",
        "one\n  rule\n    #.? -> ?.# | ###\n    .#.    ???   ###",
        "\n\n  one\n     #.?      ?.#     ###\n; in between\n     .#.  ->  ???  |  ###\n",
        "one\r\n    #.?      ?.#     ###\r\n    .#.  ->  ???  |  ###\r\n",
        "\ufeffone  #.?/.#. -> ?.#/??? | ###/###",
        "one  {wall}{.}?/{floor}#. -> ?.{wall}/??? | ###/##{#}",
    ],
)
def test_drawn_and_short_forms_are_the_same(source: str) -> None:
    assert shape(only(source)) == ("#.?/.#.", "?.#/???", "###/###")


POSITION_WORDS = [
    ("", AS_DRAWN),
    (", as drawn", AS_DRAWN),
    (", turned", QUARTER_TURNS),
    (", mirrored", LEFT_RIGHT),
    (", mirrored left-right", LEFT_RIGHT),
    (", mirrored up-down", UP_DOWN),
    (", mirrored both ways", BOTH_MIRRORS),
    (", turned and mirrored", ALL_POSITIONS),
    (", mirrored and turned", ALL_POSITIONS),
    (", in all positions", ALL_POSITIONS),
    (", positions all", ALL_POSITIONS),
    (", positions none", AS_DRAWN),
    (", positions 6 1", (6, 1)),
]


@pytest.mark.parametrize(("words", "positions"), POSITION_WORDS)
def test_positions_in_words(words: str, positions: tuple[int, ...]) -> None:
    assert only(f"one  #. -> ##{words}").positions == positions
    assert only(f"one  a{words}\n    #.  ->  ##\n    #.      ##").positions == positions
    if words:
        assert (
            only(f"positions {words.removeprefix(', ').removeprefix('positions ')}\none  #. -> ##").positions
            == positions
        )
        assert only(f"positions all\none  #. -> ##{words}").positions == positions
        assert only(f"one  mirrored\n    #. -> ##{words}").positions == positions


def test_words_on_a_node_are_about_its_turns_and_on_a_rule_about_the_rule() -> None:
    source = """
    one  a, up to 5 times, weight 3, chance 30%, outside X, pick by token, keep duplicates
        . -> #
        . -> ~, once, weight 0, chance 0.125
        rule  slow, up to 2 times, results 2:0
            . -> : | ,
    """
    node = parse(source, "x.rules").program.root
    assert (node.name, node.limit, node.outside, node.pick, node.merge) == ("a", 5, 0, "token", False)
    assert [(rule.name, rule.limit, rule.weight, rule.chance) for rule in node.rules] == [
        ("a 1", 0, 3, 0.3),
        ("a 2", 1, 0, 0.125),
        ("slow", 2, 3, 0.3),
    ]
    assert [result.weight for result in node.rules[2].results] == [2, 0]


def test_on_one_line_the_words_are_about_the_node() -> None:
    node = parse("one  . -> #, once, weight 2", "x.rules").program.root
    assert (node.limit, node.rules[0].limit, node.rules[0].weight) == (1, 0, 2)


@pytest.mark.parametrize(
    ("line", "cells", "limit"),
    [
        ("one  .. -> .,", ".,", 0),
        ("one  .. -> .,, once", ".,", 1),
        ("one  .. -> ., , once", ".,", 1),
        ("one  .. -> ., | ,., once", ".,", 1),
        ("one  ., -> .., once", "..", 1),
        ("one  .. -> ,, , once", ",,", 1),
    ],
)
def test_a_comma_is_a_corridor_too(line: str, cells: str, limit: int) -> None:
    node = parse(line, "x.rules").program.root
    assert (shape(node.rules[0])[1], node.limit) == (cells, limit)


NAMES = [
    ("one  room\n    . -> #", "room", ["room"]),
    ("one  dark   room, once\n    . -> #", "dark room", ["dark room"]),
    ("one\n    . -> #", "", [""]),
    ("one  once\n    . -> #", "", [""]),
    ('one  "once"\n    . -> #', "once", ["once"]),
    (r'one  "a, \"b\"; \\ \u{e9}", once ; "no"' + "\n    . -> #", 'a, "b"; \\ é', ['a, "b"; \\ é']),
    ("one, once\n    . -> #", "", [""]),
    ("one  room\n    . -> #\n    # -> .", "room", ["room 1", "room 2"]),
    (
        'one  room\n    . -> #\n    rule\n        # -> .\n    rule  dug\n        # -> ,\n    rule  ""\n        # -> :',
        "room",
        ["room 1", "room 2", "dug", ""],
    ),
    ("one  turned rooms\n    . -> #", "turned rooms", ["turned rooms"]),
    ("one  keep\n    . -> #", "keep", ["keep"]),
]


@pytest.mark.parametrize(("source", "node", "rules"), NAMES)
def test_names(source: str, node: str, rules: list[str]) -> None:
    root = parse(source, "x.rules").program.root
    assert (root.name, [rule.name for rule in root.rules]) == (node, rules)


def test_blocks() -> None:
    source = """
    sequence  all of it
      markov
          one  . -> #
          repeat  twice, 2 times
              one  # -> .
      repeat
          all  . -> ,
      repeat  up to 4 times
          parallel  , -> .
    """
    root = parse(source, "x.rules").program.root
    kinds = [
        (root.kind, root.name),
        *((child.kind, child.limit) for child in root.children),
        *((child.kind, child.limit) for child in root.children[0].children),
    ]
    assert kinds == [("sequence", "all of it"), ("markov", 0), ("repeat", 0), ("repeat", 4), ("one", 0), ("repeat", 2)]
    assert [leaf.kind for leaf in root.leaves()] == ["one", "one", "all", "parallel"]


def test_several_nodes_are_a_sequence_and_one_is_the_whole_program() -> None:
    root = parse("one  . -> #\nmarkov\n    one  # -> .", "x.rules").program.root
    assert (root.kind, [child.limit for child in root.children]) == ("sequence", [0, 1])
    root = parse("markov\n    one  # -> .", "x.rules").program.root
    assert (root.kind, root.limit) == ("markov", 1)
    root = parse("markov  until nothing matches\n    one  # -> .", "x.rules").program.root
    assert (root.kind, [child.limit for child in root.children]) == ("sequence", [0])


def test_defaults_hold_for_the_nodes_that_follow() -> None:
    found = parse(
        "one  . -> #\noutside X\npositions turned\none  . -> #\none  . -> #, outside none, as drawn\noutside none\n"
        "one  . -> #",
        "x.rules",
    ).program
    assert [leaf.outside for leaf in found.root.leaves()] == [-1, 0, -1, -1]
    assert [rule.positions for rule in found.rules()] == [AS_DRAWN, QUARTER_TURNS, AS_DRAWN, QUARTER_TURNS]


SETS = [
    ("# or X", "#X"),
    ("wall or void", "#X"),
    ("stairs up or stairs down", "<>"),
    ('"stairs up" or #', "<#"),
    ("solid", "#X"),
    ("solid or o", "#Xo"),
    ("not solid", ".,+'LS~:o<>"),
    ("not wall or X or o", ".,+'LS~:<>"),
    ("?", "X#.,+'LS~:o<>"),
    ("not ?", ""),
]


@pytest.mark.parametrize(("words", "glyphs"), SETS)
def test_sets(words: str, glyphs: str) -> None:
    found = parse(
        f"set solid = # or X\nset s = {words}\none  s -> .\none  {{s}} -> .\none  {{{words}}} -> .", "x.rules"
    )
    masks = [rule.pattern[0] for rule in found.program.rules()]
    assert masks == [found.sets["s"]] * 3
    assert {code for code in range(len(STANDARD)) if masks[0] >> code & 1} == {STANDARD[glyph] for glyph in glyphs}
    assert bool(masks[0] >> 255) == words.startswith(("not solid", "not wall", "?")), "what nobody named is in it too"


def test_names_in_braces_may_hold_commas_and_semicolons() -> None:
    program = parse('tile "a, b; c" = é, floor\none  {"a, b; c"}. -> .{"a, b; c"}, once', "x.rules").program
    assert (program.root.rules[0].pattern, program.root.rules[0].results[0].cells, program.root.limit) == (
        (1 << 13, 4),
        (2, 13),
        1,
    )


def test_a_set_of_one_tile_can_be_written() -> None:
    assert shape(only("set v = void\none  .v -> v.")) == (".X", "X.")
    assert only("set v = void\none  . -> #, outside v").name == ""


def test_palettes() -> None:
    found = parse("palette letters BWQ\none  B -> W", "x.rules").program
    assert [(tile.name, tile.glyph, tile.role, tile.colour) for tile in found.palette.tiles] == [
        ("B", "B", "floor", "#000000"),
        ("W", "W", "floor", "#fff1e8"),
        ("Q", "Q", "floor", "#888888"),
    ]
    assert parse("palette grammar\none  c -> C", "x.rules").program.palette == GRAMMAR_PALETTE
    assert parse("palette standard\none  . -> #", "x.rules").program.palette is STANDARD
    assert parse("one  . -> #", "x.rules").program.palette is STANDARD


def test_tiles_of_a_file() -> None:
    found = load(CASES / "programs" / "everything.rules").program.palette
    assert found.tiles[: len(STANDARD)] == STANDARD.tiles
    assert found.tiles[len(STANDARD) :] == (
        Tile("altar", "pillar", "a", "¶", "#c0ffee", walkable=False, opaque=False, aliases="AÄ"),
        Tile(
            "pipe, lying",
            "corridor",
            "=",
            "=",
            "#888888",
            walkable=True,
            opaque=False,
            turned="pipe",
            mirrored="pipe, lying",
        ),
        Tile("pipe", "corridor", "I", "I", "#888888", walkable=True, opaque=False, turned="pipe, lying"),
        Tile("quote", "floor", '"', '"', "#888888", walkable=True, opaque=False),
    )


def test_the_name_of_a_program() -> None:
    assert parse("one  . -> #", "deep/maze.rules").program.name == "maze"
    assert (
        parse("program  The long, dark maze ; or so\none  . -> #", "maze.rules").program.name == "The long, dark maze"
    )


def test_nodes_and_rules_know_their_places() -> None:
    node = parse("\none  a\n    rule  b\n      #.      ##\n      #.  ->  ##", "x.rules").program.root
    assert str(node.place) == "x.rules:2:1"
    assert str(node.rules[0].place) == "x.rules:4:7"


# --- other files ------------------------------------------------------------------------------------------------------


def test_an_included_file_stands_where_it_is_named() -> None:
    files = shelf(
        a="outside X\nmarkov\n    include b.rules\n    one  s -> .\none  . -> #",
        b="set s = #\noutside #\none  first\n    s -> X\nexpect first\n    # -> X",
    )
    found = on(files, "a.rules")
    assert [leaf.name for leaf in found.program.root.leaves()] == ["first", "", ""]
    assert [leaf.outside for leaf in found.program.root.leaves()] == [1, 0, 0]
    assert str(found.program.root.children[0].children[0].place) == "b.rules:3:1"
    assert not find_problems(found)


OTHER_FILES = [
    (shelf(a="include b.rules"), "a.rules:1:9", "cannot read b.rules: no such file"),
    (shelf(a="include a.rules"), "a.rules:1:9", "a.rules is included while it is being read"),
    (shelf(a="include b.rules", b="\n include a.rules"), "b.rules:2:10", "a.rules is included while it is being read"),
    (shelf(a="include b.rules", b="one  . -> Q"), "b.rules:1:11", "unknown tile 'Q'"),
    (
        shelf(a="palette standard\ninclude b.rules", b="palette letters BW\none  B -> W"),
        "b.rules:1:9",
        "the palette comes first, and once",
    ),
    (
        shelf(a="include b.rules\n" * 65, b=""),
        "a.rules:65:9",
        (
            "the number of included files is 65; the limit is 64 (a file that includes others many times grows "
            "without end)"
        ),
    ),
    (shelf(a='palette "b.rules"', b="[[tile]]\nname = 1"), "b.rules:2:8", "'name' is a text, not 1"),
    (
        shelf(a="one  x\n    . -> #\ninclude b.rules", b="one  x\n    . -> #"),
        "b.rules:1:6",
        "there is a node 'x' already, on line 1",
    ),
]


@pytest.mark.parametrize(("files", "where", "problem"), OTHER_FILES)
def test_mistakes_in_other_files(files: dict[str, str], where: str, problem: str) -> None:
    with pytest.raises(UndercroftError) as caught:
        on(files, "a.rules")
    assert (str(caught.value.place), caught.value.problem) == (where, problem)


def test_files_are_found_beside_the_file_that_names_them(tmp_path: Path) -> None:
    (tmp_path / "rooms" / "parts").mkdir(parents=True)
    (tmp_path / "rooms" / "crypt.toml").write_text(
        '[[tile]]\nname = "bone"\nrole = "floor"\nglyph = "b"\n\n[[tile]]\nname = "rock"\nrole = "wall"\nglyph = "k"\n'
    )
    (tmp_path / "rooms" / "a.rules").write_text("palette crypt.toml\ninclude parts/b.rules\none  b -> k\n")
    (tmp_path / "rooms" / "parts" / "b.rules").write_text("palette ../crypt.toml\none  k -> b\n")
    (tmp_path / "secret.rules").write_text("one  . -> #\n")
    assert len(load(tmp_path / "rooms" / "a.rules").program.root.children) == 2
    for name in ("../secret.rules", "parts/../../secret.rules", str(tmp_path / "secret.rules"), "/else/where.rules"):
        (tmp_path / "rooms" / "out.rules").write_text(f"include {name}\n")
        with pytest.raises(FileTrouble, match="outside the folder"):
            load(tmp_path / "rooms" / "out.rules")
    for name in ("parts", "gone.rules", r'"\u{0}"', "x" * 5000):
        (tmp_path / "rooms" / "out.rules").write_text(f"include {name}\n")
        with pytest.raises(UndercroftError) as caught:
            load(tmp_path / "rooms" / "out.rules")
        assert caught.value.place
