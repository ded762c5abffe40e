"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import undercroft as uc
from support.command_lines import Say
from support.paths import ROOT
from support.processes import AT_ONCE, pressed
from undercroft.analysis.measures.table import MEASURES
from undercroft.cli import COMMANDS
from undercroft.cli.options import values
from undercroft.kernels import MODULES


def test_the_same_thirty_lines_every_time(say: Say) -> None:
    ask = (
        "generate",
        "cave",
        "--seed",
        "7",
        "--size",
        "60x30",
        "--set",
        "fill_prob=0.4",
        "-o",
        "-",
        "--format",
        "text",
        "--quiet",
    )
    first, second = say(*ask), say(*ask)
    assert (first.code, first.err) == (0, "")
    assert first.out == second.out
    lines = first.out.splitlines()
    assert [len(line) for line in lines] == [60] * 30
    assert set(lines[0] + lines[-1]) == {"#"}
    assert {line[0] + line[-1] for line in lines} == {"##"}
    assert uc.measure(uc.Level.parse(first.out), "components") == {"components": 1}


def test_the_library_and_the_command_line_agree(say: Say) -> None:
    said = say(
        "generate",
        "cave",
        "--seed",
        "Saint Ossory",
        "--size",
        "40x20",
        "--set",
        "connect=nearest",
        "--set",
        "stages=[[5,2,4],[5,-1,3]]",
        "-o",
        "-",
        "--format",
        "text",
    )
    level = uc.generate("cave", seed="Saint Ossory", size=(40, 20), connect="nearest", stages=[[5, 2, 4], [5, -1, 3]])
    assert said.out == f"{level}\n"
    assert "seed 7947276591100509366 ('Saint Ossory')" in said.err


def test_the_list_of_measures_shows_their_editions(say: Say) -> None:
    lines = {line.split()[0]: line for line in say("list", "measures").out.splitlines()}
    assert lines.keys() == MEASURES.keys()
    assert all(line.endswith(f" (edition {MEASURES[name].edition})") for name, line in lines.items())


def test_every_format_says_what_it_keeps_and_what_it_loses(say: Say) -> None:
    from undercroft.formats import FORMATS
    from undercroft.formats.table import LEVEL_PARTS

    lines = say("list", "formats").out.splitlines()
    for name, row in FORMATS.items():
        [at] = [number for number, line in enumerate(lines) if line.split(" ")[0] == name]
        kept, _, lost = lines[at + 1].removeprefix("  keeps").strip().partition("; not ")
        assert kept == (", ".join(row.keeps) or "nothing beside the picture")
        assert {*lost.split(", ")} - {""} == ({*LEVEL_PARTS} - {*row.keeps} if row.keeps else set())


def test_models_and_graphs_say_what_they_leave_out_and_pictures_do_not(say: Say) -> None:
    chapel = str(ROOT / "examples" / "chapel.json")
    assert say("convert", chapel, "a.glb").err == "undercroft: note: a.glb does not hold further layers\n"
    for name in ("a.dot", "a.graphml"):
        assert (
            say("convert", chapel, name).err
            == f"undercroft: note: {name} does not hold things, path and further layers\n"
        )
    for name in ("a.png", "a.svg", "a.vox"):
        assert say("convert", chapel, name).err == ""


def test_convert_reads_pictures_with_larger_cells(say: Say) -> None:
    Path("a.txt").write_text("####\n#.+.\n####\n", encoding="utf-8")
    assert say("convert", "a.txt", "a.png", "--format", "png:tiles", "--cell", "16").code == 0
    assert say("convert", "a.png", "b.txt", "--read-as", "png:tiles", "--read-cell", "16").code == 0
    assert Path("b.txt").read_text(encoding="utf-8") == Path("a.txt").read_text(encoding="utf-8")
    assert (
        "unknown option of reading the format 'text' 'cell'"
        in say("convert", "a.txt", "b.csv", "--read-cell", "16").err
    )


def test_convert_writes_several_files_or_none(say: Say) -> None:
    say("generate", "cave", "--seed", "1", "--size", "20x10", "-o", "a.json")
    said = say("convert", "a.json", "b.txt", "b.npz", "-", "--format", "text:cave")
    assert said.code == 0
    assert uc.load("b.npz") == uc.load("a.json")
    drawn = str(uc.load("a.json")).replace("<", ".").replace(">", ".")  # the format text:cave has no stairs
    assert Path("b.txt").read_text(encoding="utf-8") == f"{drawn}\n"
    assert said.out == say("convert", "a.json", "-", "--format", "text:cave").out
    for problem, more in (
        ("cannot write nowhere/c.txt: no such folder", ["c.json", "nowhere/c.txt"]),
        ("c.jsn: unknown suffix '.jsn'", ["c.json", "c.jsn"]),
        ("./c.json is asked for twice", ["c.json", "./c.json"]),
        ("standard output is asked for twice", ["c.json", "-", "-", "--format", "text"]),
        ("layouts are converted into one OUT at a time, not 2", ["c.json", "c.layout"]),
        ("rules are converted into one OUT at a time, not 2", ["c.json", "c.rules"]),
    ):
        refused = say("convert", "a.json", *more)
        assert (refused.code, refused.out) == (2, "")
        assert problem in refused.err
        assert "\n  fix: " in refused.err
        assert not list(Path().glob("c.*")), problem


def test_generate_writes_several_files_or_none(say: Say) -> None:
    said = say("generate", "cave", "--seed", "1", "--size", "20x10", "-o", "a.json", "-o", "nowhere/a.txt")
    assert said.code == 2
    assert "cannot write nowhere/a.txt" in said.err
    assert not list(Path().iterdir())


def test_a_level_is_no_recipe(say: Say) -> None:
    say("generate", "cave", "--seed", "1", "--size", "20x10", "-o", "a.json", "-o", "a.png", "-o", "a.txt")
    convert, again = (
        "write it in another format with 'undercroft convert a.{0} OUT'",
        "make it again with 'undercroft generate --from a.{0}'",
    )
    for suffix, fix in (("json", f"{convert}, or {again}"), ("png", again), ("txt", convert)):
        said = say("generate", f"a.{suffix}")
        assert said.code == 2
        assert (
            said.err
            == f"undercroft: a.{suffix} is a level, and levels are made from recipes\n  fix: {fix.format(suffix)}\n"
        )
    Path("recipe.txt").write_text('[[step]]\nuse = "noise"\nwall = 44\n', encoding="utf-8")
    assert "recipe.txt:3:8: wall of noise" in say("generate", "recipe.txt").err
    Path("other.json").write_text('{"a": 1}', encoding="utf-8")
    assert "this is not TOML" in say("generate", "other.json").err


@pytest.mark.parametrize("command", ["generate", "measure", "solve", "search"])
def test_a_recipe_in_a_file_nearby_is_what_was_meant(say: Say, command: str) -> None:
    Path("examples").mkdir()
    Path("examples/caves.toml").write_text('[[step]]\nuse = "noise"\n', encoding="utf-8")
    assert (
        say(command, "caves").err == "undercroft: unknown recipe 'caves'\n  fix: did you mean ./examples/caves.toml?\n"
    )
    Path("caves.toml").write_text('[[step]]\nuse = "noise"\n', encoding="utf-8")
    assert say(command, "caves").err == "undercroft: unknown recipe 'caves'\n  fix: did you mean ./caves.toml?\n"
    assert "did you mean 'cave'?" in say(command, "cavve").err
    Path("examples/hall.toml").write_text('[[step]]\nuse = "noise"\n', encoding="utf-8")
    assert "hall.toml" not in say(command, "examples/hall").err + say(command, "../examples/hall").err, (
        "only these two places are looked at"
    )


def test_convert_tells_which_files_of_a_map_were_not_opened(say: Say) -> None:
    names = "".join(
        f'<tileset firstgid="{number}" source="{name}"/>'
        for number, name in enumerate(["../up.tsx", "a&#9;b.txt", *"cdefg"], 1)
    )
    cells = '<layer name="ground" width="1" height="1"><data encoding="csv">1</data></layer>'
    Path("a.tmx").write_text(
        f'<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">{names}{cells}</map>',
        encoding="utf-8",
    )
    said = say("convert", "a.tmx", "b.json")
    assert said.code == 0
    lines = said.err.splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("undercroft: note: a.tmx names '../up.tsx', which was not opened: ")
    assert "'a\\tb.txt'" in lines[1]
    assert lines[-1] == "undercroft: note: and 3 more such files"
    assert say("convert", "b.json", "c.json").err == "", "the new file names none"


def test_files_measure_and_convert_agree(say: Say) -> None:
    assert (
        say(
            "generate",
            "rooms-and-mazes",
            "--seed",
            "3",
            "--size",
            "81x31",
            "-o",
            "a.png",
            "-o",
            "a.json",
            "-o",
            "a.txt",
        ).code
        == 0
    )
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    level = uc.generate("rooms-and-mazes", seed=3, size=(81, 31))
    assert uc.load("a.json") == level
    measured = json.loads(say("measure", "a.json", "--json").out)
    assert measured.pop("undercroft")["measures"].keys() == MEASURES.keys()
    assert measured == uc.measure(level)
    assert measured["components"] == 1
    assert measured["dead_ends"] == 0
    assert measured["rooms"] == len(level.rooms)
    assert say("convert", "a.json", "b.txt").code == 0
    assert Path("b.txt").read_bytes() == Path("a.txt").read_bytes() == f"{level}\n".encode()
    from_text = json.loads(say("measure", "b.txt", "--json", "rooms", "doors", "loops", "components").out)
    del from_text["undercroft"]
    assert from_text == {name: measured[name] for name in from_text}


def test_a_missing_seed_is_drawn_printed_and_stored(say: Say) -> None:
    said = say("generate", "cave", "--size", "30x20", "-o", "a.json")
    seed = re.search(r"seed (\d+)", said.err)
    assert seed
    assert uc.load("a.json").provenance["seed"] == seed[1]
    assert uc.generate("cave", seed=int(seed[1]), size=(30, 20)) == uc.load("a.json")
    quiet = say("generate", "cave", "--size", "30x20", "-o", "b.json", "--quiet")
    assert re.fullmatch(r"undercroft: seed \d+\n", quiet.err)
    assert uc.load("a.json") != uc.load("b.json")


MISTAKES = [
    (2, "unknown recipe 'cavve'", "did you mean 'cave'?", ["generate", "cavve"]),
    (
        2,
        "unknown parameter of cave 'fil_prob'",
        "did you mean 'fill_prob'?",
        ["generate", "cave", "--set", "fil_prob=0.4"],
    ),
    (2, "fill_prob is a number from 0 to 1, not 1.5", "for example", ["generate", "cave", "--set", "fill_prob=1.5"]),
    (
        2,
        'fill_prob is a number from 0 to 1, not "much"',
        "for example",
        ["generate", "cave", "--set", "fill_prob=much"],
    ),
    (
        2,
        "nrepeats is a whole number from 0 to 1,000, not 2.5",
        "for example",
        ["generate", "cave", "--set", "nrepeats=2.5"],
    ),
    (
        2,
        "unknown value of connect 'nearst'",
        "did you mean 'nearest'?",
        ["generate", "cave", "--set", "connect=nearst"],
    ),
    (2, "a setting is NAME=VALUE", "--set", ["generate", "cave", "--set", "fill_prob"]),
    (2, "fill_prob is set twice", "once", ["generate", "cave", "--set", "fill_prob=0.1", "--set", "fill_prob=0.2"]),
    (2, "stages of automaton is a list of", "list steps", ["generate", "cave", "--set", "stages=[[5,2]]"]),
    (2, "unknown format 'tex'", "did you mean 'text'?", ["generate", "cave", "-o", "-", "--format", "tex"]),
    (2, "unknown suffix '.pgn'", "did you mean '.png'?", ["generate", "cave", "-o", "a.pgn"]),
    (2, "standard output has no suffix", "--format", ["generate", "cave", "-o", "-"]),
    (2, "a size is WIDTHxHEIGHT", "--size 80x50", ["generate", "cave", "--size", "80"]),
    (2, "a level of 0x5 has no cells", "at least 1", ["generate", "cave", "--size", "0x5"]),
    (2, "a level of -4x5 has no cells", "at least 1", ["generate", "cave", "--size", "-4x5"]),
    (
        2,
        "rooms need a map of at least 5x5, not 80x4",
        "ask for 80x5",
        ["generate", "rooms-and-mazes", "--size", "80x4"],
    ),
    (2, "rooms need a map of at least 5x5, not 1x1", "ask for 5x5", ["generate", "rooms-and-mazes", "--size", "1x1"]),
    (
        2,
        "the number of cells of 5000x5000 is 25,000,000; the limit is 16,777,216",
        "--max-cells",
        ["generate", "cave", "--size", "5000x5000"],
    ),
    (2, "the longer side is 2,000,000", "smaller", ["generate", "cave", "--size", "2000000x1"]),
    (2, "unknown measure 'lops'", "did you mean 'loops'?", ["generate", "cave", "--until", "lops >= 2"]),
    (2, "'loops' is not a requirement", "write 'loops >= 2'", ["generate", "cave", "--until", "loops"]),
    (2, "a seed cannot be empty", "whole number", ["generate", "cave", "--seed", " "]),
    (2, "tries is a whole number from 1, not 0", "", ["generate", "cave", "--tries", "0"]),
    (2, "unknown command 'generat'", "did you mean 'generate'?", ["generat", "cave"]),
    (2, "unknown option '--sed'", "--seed", ["generate", "cave", "--sed", "4"]),
    (2, "no recipe is named", "undercroft generate cave", ["generate"]),
    (2, "unknown list 'recipe'", "did you mean 'recipes'?", ["list", "recipe"]),
    (2, "cannot read nowhere.json: no such file", "check the name", ["measure", "nowhere.json"]),
    (2, "cannot read nowhere.toml: no such file", "check the name", ["generate", "nowhere.toml"]),
    (2, "unknown suffix '.jsn'", "did you mean '.json'?", ["measure", "a.jsn"]),
    (2, "the format 'png' can only be written", "read one of", ["measure", "a.png"]),
    (2, "cannot write no/such/folder/a.txt", "make the folder", ["generate", "cave", "-o", "no/such/folder/a.txt"]),
    (
        1,
        "no level of 3 tries is as required",
        "--tries",
        ["generate", "cave", "--seed", "1", "--until", "loops >= 900", "--tries", "3"],
    ),
    (3, "gave up after", "--max-steps", ["generate", "cave", "--max-steps", "100"]),
]


@pytest.mark.parametrize(("code", "problem", "fix", "args"), MISTAKES, ids=[" ".join(row[3]) for row in MISTAKES])
def test_mistakes_are_sentences(say: Say, code: int, problem: str, fix: str, args: list[str]) -> None:
    said = say(*args)
    assert said.code == code
    assert said.out == ""
    assert said.err.startswith("undercroft: ")
    assert problem in said.err
    assert fix in said.err
    assert "Traceback" not in said.err
    assert not list(Path().iterdir()), "a mistake leaves no file behind"


def test_a_mistake_in_a_recipe_file_shows_its_place(say: Say) -> None:
    Path("mine.toml").write_text('[[step]]\nuse = "nois"\n')
    said = say("generate", "mine.toml")
    assert said.code == 2
    assert said.err == (
        "undercroft: mine.toml:2:7: unknown step 'nois'\n    use = \"nois\"\n          ^\n"
        "  fix: did you mean 'noise'?\n"
    )


def test_what_was_not_met_is_counted(say: Say) -> None:
    said = say("generate", "cave", "--seed", "1", "--until", "loops >= 900", "--until", "density > 0.1", "--tries", "4")
    assert said.code == 1
    assert "loops >= 900: failed 4 of 4" in said.err
    assert "density > 0.1" not in said.err
    assert re.search(r"nearest attempt \(\d\), off by 0\.\d+: components 1, loops \d+, density 0\.\d+\n", said.err)


def test_until_tries_again(say: Say) -> None:
    said = say("generate", "cave", "--seed", "5", "--size", "30x15", "--until", "loops == 6", "-o", "a.json")
    assert said.code == 0
    level = uc.load("a.json")
    assert uc.measure(level, "loops") == {"loops": 6}
    attempt = level.provenance["attempt"]
    assert attempt > 0
    assert f"attempt {attempt}" in said.err
    assert uc.generate("cave", seed=5, size=(30, 15), first_attempt=attempt, tries=1) == level


def test_an_unwritable_target_keeps_the_old_file(say: Say) -> None:
    Path("a.txt").write_text("old")
    assert say("convert", "a.txt", "b.png").code == 2
    Path("folder.txt").mkdir()
    said = say("generate", "cave", "--seed", "1", "-o", "folder.txt")
    assert (said.code, "it is a folder" in said.err) == (2, True)
    assert Path("a.txt").read_text() == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["a.txt", "folder.txt"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, which this system lacks")
def test_a_full_disk_is_a_sentence(say: Say) -> None:
    said = say("generate", "cave", "--seed", "1", "-o", "/dev/full", "--format", "text")
    assert said.code == 2
    assert "cannot write /dev/full: no space left" in said.err


def test_formats_that_the_suffix_does_not_say(say: Say) -> None:
    said = say(
        "generate",
        "rooms-and-mazes",
        "--seed",
        "3",
        "--size",
        "31x21",
        "-o",
        "a.map",
        "--format",
        "text:rooms",
        "--quiet",
    )
    assert (said.code, said.err) == (0, "")
    assert set(Path("a.map").read_text()) == set("#+x .\n")
    counted = say("measure", "a.map", "--read-as", "text:rooms", "--json", "rooms", "doors", "dead_ends")
    level = uc.generate("rooms-and-mazes", seed=3, size=(31, 21))
    assert uc.measure(level, "rooms", "doors", "dead_ends").items() <= json.loads(counted.out).items()


def test_lists_name_everything(say: Say) -> None:
    from undercroft.analysis.measures.table import MEASURES
    from undercroft.formats import FORMATS
    from undercroft.recipe.catalogue import dungeon_names, finish_names, names
    from undercroft.steps import STEPS

    recipes = (*names(), *finish_names(), *dungeon_names())
    for what, table in (("recipes", recipes), ("steps", STEPS), ("formats", FORMATS), ("measures", MEASURES)):
        listed = [line.split("  ")[0] for line in say("list", what).out.splitlines() if not line.startswith(" ")]
        assert listed == list(table)
        assert f"{what}: {', '.join(table)}" in say("list").out
    assert "--seed" in say("generate", "--help").out
    for command in COMMANDS:
        assert say(command, "--help").code == 0


def test_doctor_says_which_kernels_are_in_use() -> None:
    def doctor(**more: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "undercroft", "doctor"],
            env={**os.environ, **more},
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    pure = doctor(UNDERCROFT_PURE="1")
    assert pure.count("plain Python") == len(MODULES) + 1
    assert "UNDERCROFT_PURE=1 forces plain Python" in pure
    usual = doctor(UNDERCROFT_PURE="")
    assert "All kernels are compiled." in usual or "install a C compiler" in usual


def _on_a_terminal(args: list[str], folder: Path) -> tuple[int, str]:
    """Run a command with a terminal as its output; the exit code and what it showed."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*AT_ONCE, *args],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"},
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    return process.wait(), shown.decode()


@pytest.mark.processes
def test_colour_and_progress_on_a_terminal_and_nothing_of_it_in_a_pipe(tmp_path: Path) -> None:
    code, shown = _on_a_terminal(["generate", "cave", "--seed", "1", "--size", "40x20"], tmp_path)
    assert code == 0
    assert "\x1b[" in shown
    waiting = ["generate", "cave", "--seed", "1", "--size", "300x300", "--until", "loops >= 1000000", "--tries", "100"]
    code, shown = _on_a_terminal(waiting, tmp_path)
    assert code == 1
    assert "trying" in shown
    assert "of 100" in shown
    piped = subprocess.run(
        [sys.executable, "-m", "undercroft", *waiting], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert piped.returncode == 1
    assert piped.stdout == ""
    assert "trying" not in piped.stderr
    plain = subprocess.run(
        [sys.executable, "-m", "undercroft", "generate", "cave", "--seed", "1"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert "\x1b" not in plain.stdout + plain.stderr
    assert set(plain.stdout) == set("#.<>\n")


@pytest.mark.long
@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ there")
def test_interrupted_work_leaves_no_file_and_exits_130(tmp_path: Path) -> None:
    """Once the program is imported: what Ctrl-C does before is told in `test_click_errors.py`."""
    (tmp_path / "a.json").write_text("old")
    begins = (
        "import sys; from undercroft.cli import main; import undercroft.cli.commands.generate; "
        "print('up', file=sys.stderr, flush=True); main()"
    )
    for wait in (0.6, 1.0, 1.5):
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                begins,
                "generate",
                "cave",
                "--seed",
                "1",
                "--size",
                "2048x2048",
                "--until",
                "loops >= 1000000",
                "--tries",
                "10000",
                "-o",
                "a.json",
            ],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        assert process.stderr.readline() == "up\n"
        time.sleep(wait)
        _, err = pressed(process)
        assert process.returncode in (130, -signal.SIGINT), err
        assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
        assert (tmp_path / "a.json").read_text() == "old"


def test_a_reader_that_goes_away_is_no_trouble() -> None:
    command = f"{sys.executable} -m undercroft generate cave --seed 1 --size 400x400 | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert "Error" not in done.stderr


@pytest.mark.parametrize(
    ("text", "size"),
    [("80x50", (80, 50)), ("80X50", (80, 50)), (" 80 x 50 ", (80, 50)), ("80×50", (80, 50)), ("80,50", (80, 50))],
)
def test_sizes_as_people_write_them(text: str, size: tuple[int, int]) -> None:
    assert values.parse_size(text) == size


@pytest.mark.parametrize(
    ("file", "option", "sentence"),
    [
        ("d.tmx", "encoding=3", "unknown encoding '3'"),
        ("d.tmj", "encoding=3", "unknown encoding '3'"),
        ("d.png", "style=5", "unknown style '5'"),
        ("d.png", "show=5", "unknown part of a picture '5'"),
        ("d.pdf", "paper=5", "unknown paper '5'"),
        ("d.svg", "margin=x", "a margin is a number of cells from 0 to 1000, not 'x'"),
        ("d.svg", "margin=-1", "a margin is a number of cells from 0 to 1000, not -1"),
        ("d.uvtt", "hide=5", "unknown part of a picture '5'"),
        ("d.uvtt", "cell=1.5", "a cell is a whole number of pixels from 1, not 1.5"),
        ("d.uvtt", "cell=0", "a cell is a whole number of pixels from 1, not 0"),
    ],
)
def test_an_option_of_the_wrong_kind_is_a_mistake_of_whoever_wrote_it(
    file: str, option: str, sentence: str, say: Say
) -> None:
    Path("d.txt").write_text("#####\n#.+.#\n#####\n", encoding="utf-8")
    more = ["--option", "image=none"] if file.endswith("uvtt") and "cell" in option else []
    said = say("convert", "d.txt", file, "--option", option, *more)
    assert (said.code, said.out) == (2, ""), said.err
    assert sentence in said.err
    assert [path.name for path in Path().iterdir()] == ["d.txt"]
