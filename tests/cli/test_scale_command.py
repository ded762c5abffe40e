"""`undercroft scale`, and what lint, convert and list say of layouts."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from PIL import Image

import undercroft as uc
from support.command_lines import Say
from undercroft.templates.layouts import cozy_json, layout_files
from undercroft.templates.layouts.drawn_text import parse
from undercroft.templates.layouts.layout import Layout
from undercroft.templates.template_level import build_level

CHAPEL = """layout  chapel, tagged shrine, flips left and right
slot    altar = A
scale   w = walls, right by 1, up and down by 2
scale   s = way in, right by 1
scale   f = floor, right by 1, up and down by 2

    ########  |  wwwwwwww
    #......#  |  wffffffw
    #A.....+  |  w^fffffs
    #......#  |  wffffffw
    ########  |  wwwwwwww
"""
NOTCH = """scale  w = walls, right by 1, down by 1
scale  f = floor, right by 1, down by 1

    #####   |  wwwww
    #...##  |  wfffw=
    #...##  |  wfffww
    #....#  |  wffffw
    ######  |  wwwwww
"""


@pytest.fixture(autouse=True)
def _layouts(tmp_path: Path) -> None:
    """Two layouts in the folder of every test."""
    (tmp_path / "chapel.layout").write_text(CHAPEL)
    (tmp_path / "notch.layout").write_text(NOTCH)


def test_a_room_is_shown_with_what_else_there_is(say: Say) -> None:
    said = say("scale", "chapel.layout", "--size", "10x7")
    assert said.code == 0
    assert said.out.split() == [
        "##########",
        "#........#",
        "#........#",
        "#a.......+",
        "#........#",
        "#........#",
        "##########",
    ]
    assert said.err == "undercroft: chapel 10x7; sizes: width any from 8 on, height 5, 7, 9 and so on\n"
    assert say("scale", "chapel.layout", "--size", "10x7", "--quiet").err == ""


def test_without_a_size_it_is_as_drawn(say: Say) -> None:
    assert say("scale", "chapel.layout").out == f"{parse(CHAPEL, 'chapel').room((8, 5))}\n"


def test_steps_instead_of_a_size(say: Say) -> None:
    said = say("scale", "chapel.layout", "--steps", "3,1")
    assert said.out == f"{parse(CHAPEL, 'chapel').room((11, 7))}\n"
    assert say("scale", "bastion", "--steps", "2,0").err.startswith("undercroft: bastion 32x28")


def test_leniency_and_overgrowth(say: Say) -> None:
    assert say("scale", "chapel.layout", "--size", "10x8", "--leniency", "1", "--quiet").out.count("\n") == 7
    assert say("scale", "chapel.layout", "--size", "10x8", "--leniency", "0,1", "--quiet").out.count("\n") == 7
    assert say("scale", "chapel.layout", "--size", "10x8", "--leniency", "1,0").code == 1
    assert (
        say("scale", "chapel.layout", "--size", "6x3", "--leniency", "2", "--overgrow", "--quiet").out.count("\n") == 5
    )


@pytest.mark.parametrize("size", [(9, 8), (7, 5), (8, 6), (1, 1), (30, 40), (4000, 4)])
def test_no_such_room_says_what_to_ask_for(say: Say, size: tuple[int, int]) -> None:
    """Both pieces of advice work: the size that is named, and the leniency."""
    said = say("scale", "chapel.layout", "--size", f"{size[0]}x{size[1]}")
    assert said.code == 1
    assert said.out == ""
    assert f"no room of {size[0]}x{size[1]}: chapel: it " in said.err
    fix = said.err.partition("  fix: ask for ")[2].strip()
    for near in fix.partition(",")[0].split(" or "):
        assert say("scale", "chapel.layout", "--size", near).code == 0
    assert (
        say(
            "scale", "chapel.layout", "--size", f"{size[0]}x{size[1]}", *fix.partition("allow it with ")[2].split()
        ).code
        == 0
    )


def test_a_room_is_written_as_a_level(say: Say) -> None:
    said = say("scale", "chapel.layout", "--size", "10x7", "-o", "room.json", "-o", "room.txt", "-o", "room.png")
    assert said.code == 0
    assert said.out == ""
    assert "written to room.json, room.txt, room.png" in said.err
    room = uc.load("room.json")
    assert room == build_level(parse(CHAPEL, "chapel").room((10, 7)))
    [region] = room.regions
    assert (region.kind, region.template, region.tags, region.area) == ("room", "chapel", ("shrine",), 40)
    assert [(door.x, door.y, door.state) for door in room.doors] == [(9, 3, "closed")]
    assert [(thing.kind, thing.x, thing.y) for thing in room.things] == [("altar", 1, 3)]
    assert room.walkable[3, 1]
    assert Path("room.png").read_bytes().startswith(b"\x89PNG")
    assert uc.load("room.txt").size == (10, 7)


def test_standard_output_and_formats(say: Say) -> None:
    assert say("scale", "chapel.layout", "-o", "-", "--format", "text", "--quiet").out.startswith(
        "########\n#......#\n#......+\n"
    )
    assert json.loads(say("scale", "chapel.layout", "--format", "json", "--quiet").out)["size"] == [8, 5]


def test_outside_is_void_in_a_level() -> None:
    made = build_level(Layout.load(layout_files.LAYOUTS_FOLDER / "L.layout").room((10, 9)))
    assert made.palette.roles[made.tiles[0, 9]] == "void"
    assert uc.measure(made, "components") == {"components": 1}


def test_colours_on_demand(say: Say) -> None:
    assert "\x1b[" in say("scale", "chapel.layout", "--colour", "always").out
    assert "\x1b[" not in say("scale", "chapel.layout").out


def test_a_seed_flips_where_that_is_allowed(say: Say) -> None:
    rooms = {say("scale", "chapel.layout", "--seed", str(seed), "--quiet").out for seed in range(12)}
    straight = parse(CHAPEL, "chapel").room((8, 5))
    assert rooms == {f"{straight}\n", f"{straight.mirrored()}\n"}
    assert say("scale", "chapel.layout", "--seed", "6").out == say("scale", "chapel.layout", "--seed", "6").out
    assert len({say("scale", "rectangle", "--seed", str(seed), "--quiet").out for seed in range(6)}) == 1


def test_pools_are_drawn_from(say: Say) -> None:
    names = {say("scale", "any", "--size", "15x13", "--seed", str(seed)).err.split()[1] for seed in range(20)}
    assert len(names) > 6
    said = say("scale", ".", "--size", "10x7", "--seed", "1")
    assert said.code == 0
    assert said.err.split()[1] in {"chapel", "notch"}
    Path("pool.toml").write_text("[layouts]\nchapel = 1\n")
    for what in (".", "pool.toml"):
        assert say("scale", what, "--size", "10x7", "--seed", "5").err.startswith("undercroft: chapel 10x7")
    drawn = say("scale", "any", "--size", "15x13")
    seed = drawn.err.split()[2]
    assert drawn.err.startswith(f"undercroft: seed {seed}\n")
    assert say("scale", "any", "--size", "15x13", "--seed", seed).out == drawn.out


def test_a_pool_without_a_room_tells_every_reason(say: Say) -> None:
    said = say("scale", ".", "--size", "3x3", "--seed", "1")
    assert said.code == 1
    assert "\n    chapel: it is never narrower than 8" in said.err
    assert "\n    notch: it is never narrower than 6" in said.err
    assert "fix: ask for 6x5, or allow it with --leniency 3 --overgrow" in said.err


def test_sheets(say: Say) -> None:
    said = say("scale", "chapel.layout", "--sheet", "a.png")
    assert (said.code, said.out) == (0, "")
    assert "written to a.png" in said.err
    assert say("scale", "any", "--size", "14x11", "--sheet", "b.png").code == 0
    assert say("scale", "any", "--sheet", "c.png", "--quiet").err == ""
    assert say("scale", "chapel.layout", "--size", "9x5", "--sheet", "d.png", "-o", "room.txt").code == 0
    assert Path("room.txt").exists()
    for name in "abcd":
        with Image.open(f"{name}.png") as image:
            assert image.width > 300
    assert say("scale", "chapel.layout", "--size", "9x6", "--sheet", "e.png").code == 0, (
        "what is not there is told on the sheet"
    )


MISTAKES = [
    ("unknown layout 'xyz'", "one of: L,", ["scale", "xyz"]),
    ("unknown layout 'donutt'", "did you mean 'donut'?", ["scale", "donutt"]),
    ("cannot read nowhere.layout", "check the name", ["scale", "nowhere.layout"]),
    ("cannot read nowhere.json", "check the name", ["scale", "nowhere.json"]),
    ("cannot read nowhere.toml", "check the name", ["scale", "nowhere.toml", "--size", "9x9"]),
    ("a size is WIDTHxHEIGHT", "--size 80x50", ["scale", "donut", "--size", "9"]),
    ("a size is two whole numbers from 1", "for example", ["scale", "donut", "--size", "0x9"]),
    ("the longer side of a room is 5,000", "smaller", ["scale", "donut", "--size", "5000x9"]),
    (
        "a leniency is one whole number from 0, or two",
        "--leniency 2,0",
        ["scale", "donut", "--size", "9x9", "--leniency", "-1"],
    ),
    ("--steps says how often", "leave one", ["scale", "donut", "--size", "9x9", "--steps", "1,1"]),
    ("steps are whole numbers from 0", "from 0", ["scale", "donut", "--steps", "-1,0"]),
    ("a pool gives a room of a size", "--size 14x10", ["scale", "any"]),
    ("a pool gives a room of a size", "--size 14x10", ["scale", ".", "--steps", "1,1"]),
    ("a sheet is a picture", "sheet.png", ["scale", "donut", "--sheet", "a.gif"]),
    ("unknown suffix '.pgn'", "did you mean '.png'?", ["scale", "donut", "-o", "a.pgn"]),
    ("unknown format 'tex'", "did you mean 'text'?", ["scale", "donut", "--format", "tex"]),
    ("a seed cannot be empty", "whole number", ["scale", "donut", "--seed", " "]),
    ("LAYOUT is missing", "write undercroft scale [OPTIONS] LAYOUT", ["scale"]),
    (
        "a layout becomes drawn text (.layout) or JSON (.json), and x.png is neither",
        "'undercroft scale'",
        ["convert", "chapel.layout", "x.png"],
    ),
    ("and nothing says which", "--format layout or --format json", ["convert", "chapel.layout", "-"]),
    ("a layout is read from a file", "name", ["convert", "-", "x.layout"]),
    ("unknown layout 'chapell'", "did you mean 'chapel'?", ["convert", "chapell", "x.layout"]),
    ("--base and --lenient are about rules", "leave them out", ["convert", "chapel.layout", "x.json", "--lenient"]),
    ("chapel.layout holds no rules", "leave them out", ["lint", "chapel.layout", "--size", "9x9"]),
    ("cannot read nowhere.layout", "check the name", ["lint", "nowhere.layout"]),
]


@pytest.mark.parametrize(("problem", "fix", "args"), MISTAKES, ids=[" ".join(row[2]) for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, problem: str, fix: str, args: list[str]) -> None:
    said = say(*args)
    assert said.code == 2
    assert said.out == "" or args[0] == "lint"
    assert problem in said.err
    assert fix in said.err.partition("  fix: ")[2]
    assert not [path for path in Path().iterdir() if path.name.startswith(("x.", "a."))], "nothing was written"


# Lint.


def test_lint_tells_of_faults_where_they_are(say: Say) -> None:
    said = say("lint", "notch.layout")
    assert said.code == 0
    assert (
        "notch.layout:4:5: warning: a wall bounds no floor, at 9 of 81 sizes, first at 6x5\n    #####\n    #...#X\n"
        in said.out
    )
    assert "notch.layout: 81 sizes from 6x5 to 14x13, 14 checks: 1 warning, 1 note\n" in said.out
    assert say("lint", "notch.layout", "--strict").code == 1
    Path("open.layout").write_text("    ##\n    #.\n")
    assert say("lint", "open.layout").code == 1
    Path("empty.layout").write_text(NOTCH.replace("\n\n", "\nscale x = nothing, up by 2\n\n"))
    assert (
        "empty.layout:3:1: warning: 'nothing' has no tile\n    scale x = nothing, up by 2\n    ^\n  fix: draw some"
        in say("lint", "empty.layout").out
    )


def test_lint_reads_json_layouts_too(say: Say) -> None:
    Path("notch.json").write_text(cozy_json.format_layout(parse(NOTCH, "notch")))
    Path("level.json").write_text("{}")
    assert "notch.json:1:1: warning: a wall bounds no floor" in say("lint", "notch.json").out
    assert say("lint", "level.json").code == 2


def test_lint_as_json(say: Say) -> None:
    said = say("lint", "notch.layout", "donut", "nix.layout", "--json")
    assert said.code == 2
    notch, donut, nix = json.loads(said.out)["files"]
    assert notch["layout"] == "notch"
    assert notch["sizes"][:2] == ["6x5", "7x5"]
    assert len(notch["sizes"]) == 81
    [stray, sizes] = notch["findings"]
    assert (stray["kind"], stray["severity"], stray["line"], stray["column"]) == ("stray", "warning", 4, 5)
    assert sizes["kind"] == "sizes"
    assert [finding["kind"] for finding in donut["findings"]] == ["sizes"]
    assert "no such file" in nix["error"]


def test_lint_of_names_and_of_several_files(say: Say) -> None:
    said = say("lint", "donut", "chapel.layout", "cave")
    assert said.code == 0
    assert [line.split(":")[0] for line in said.out.splitlines() if "nothing to fix" in line] == [
        "donut.layout",
        "chapel.layout",
        "cave",
    ]


# Convert and list.


def test_layouts_are_converted_both_ways_without_loss(say: Say) -> None:
    for name in layout_files.list_layouts():
        layout = Layout.load(layout_files.LAYOUTS_FOLDER / f"{name}.layout")
        assert say("convert", name, "a.json").code == 0
        assert say("convert", "a.json", "b.layout").code == 0
        assert say("convert", "b.layout", "c.json").code == 0
        assert Layout.load("a.json") == Layout.load("b.layout") == Layout.load("c.json") == layout
        assert Path("a.json").read_bytes() == Path("c.json").read_bytes()
    assert say("convert", "c.json", "-", "--format", "layout").out == Path("b.layout").read_text()
    assert say("convert", "b.layout", "-", "--format", "json").out == Path("c.json").read_text()


def test_every_layout_is_listed_on_one_line(say: Say) -> None:
    lines = say("list", "layouts").out.splitlines()
    assert [line.split()[0] for line in lines] == [*layout_files.list_layouts()]
    assert all("(" in line and "[" in line for line in lines)
    assert say("list").out.splitlines()[1].startswith("layouts: L, ")


def test_the_names_are_public() -> None:
    assert uc.Layout.load(layout_files.LAYOUTS_FOLDER / "L.layout").room((9, 9)).width == 9
    assert uc.Pool.load(layout_files.LAYOUTS_FOLDER).layouts
    assert issubclass(uc.NoLayoutFits, uc.UndercroftError)
    assert {"Axis", "Layout", "NoLayoutFits", "Partition", "Pool"} <= set(dir(uc))
    assert uc.Partition(x=uc.Axis(amount=2)).x.amount == 2


# Anything at all.


WORDS = [
    *(
        "chapel.layout",
        "notch.layout",
        "donut",
        "any",
        ".",
        "nix",
        "",
        "-",
        "pool.toml",
        "layout-list.json",
        "x.json",
        "é",
        "chapel.layout/",
        "../..",
    ),
    *(
        "--size",
        "9x9",
        "12x7",
        "0x0",
        "-3x4",
        "x",
        "99999999x1",
        "4096x4096",
        "--leniency",
        "1",
        "2,0",
        "-1",
        "1,1,1",
        "9999999",
        "--overgrow",
    ),
    *(
        "--steps",
        "1,1",
        "0,0",
        "-1,5",
        "99,99",
        "12345678,1",
        "--seed",
        "7",
        "text",
        "-o",
        "o.txt",
        "o.json",
        "o.layout",
        "o/",
        "--format",
        "text",
        "png",
        "nonsense",
    ),
    *("--sheet", "s.png", "s.gif", "--quiet", "--json", "--strict", "--colour", "never", "--help"),
]


@pytest.mark.parametrize("part", range(6))
def test_any_arguments_give_a_sentence(say: Say, part: int) -> None:
    """40 command lines a part, made of words that mean something in the wrong places."""
    chance = random.Random(part)
    codes = []
    Path("pool.toml").write_text("[layouts]\nchapel = 2\n")
    Path("layout-list.json").write_text('{"notch.layout": 1}')
    for _ in range(40):
        command = chance.choice(["scale", "scale", "scale", "lint", "convert"])
        args = [command, chance.choice(WORDS[:9]), *(chance.choice(WORDS) for _ in range(chance.randint(0, 5)))]
        if "4096x4096" in args and "--sheet" in args:
            continue
        said = say(*args)
        codes.append(said.code)
        assert said.code in (0, 1, 2), (args, said.err)
        assert "Traceback" not in said.err
        assert said.code != 2 or said.err.startswith("undercroft: "), args
    assert {0, 2} <= set(codes)


@pytest.mark.parametrize("part", range(6))
def test_any_file_gives_a_sentence(say: Say, part: int) -> None:
    """40 files a part, each with some signs changed, cut or doubled, given to all three commands."""
    chance = random.Random(f"file {part}")
    good = {
        "m.layout": CHAPEL,
        "m.json": cozy_json.format_layout(parse(CHAPEL, "chapel")),
        "pool.toml": 'fallback = "chapel"\n[layouts]\nchapel = 2\nnotch = 1\n',
    }
    for number in range(40):
        name = list(good)[number % 3]
        text = good[name]
        for _ in range(chance.randint(1, 3)):
            at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
            to = min(to, at + 12)
            piece = chance.choice(
                ["", text[at:to] * 2, chance.choice('"{}[],:|=#.wf0123456789-\n ;\x00\ud7ff'), text[at:to][::-1]]
            )
            text = text[:at] + piece + text[to:]
        Path(name).write_bytes(text.encode())
        for args in (["scale", name, "--size", "9x7", "--seed", "1"], ["lint", name], ["convert", name, "out.layout"]):
            said = say(*args)
            assert said.code in (0, 1, 2), (args, text, said.err)
            assert "something in undercroft failed" not in said.err
