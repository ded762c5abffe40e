"""Commands about flows: lint, convert and solve."""

from __future__ import annotations

import json
from pathlib import Path

from support.command_lines import Say


def test_lint_reads_flows_and_graphs(say: Say) -> None:
    Path("keep.flow").write_text("room gate, start\nlink gate - hall, locked by red\n")
    Path("good.dot").write_text("graph { a -- b }")
    Path("bad.flow").write_text("rom a\n")
    bad = say("lint", "keep.flow")
    assert bad.code == 1
    assert "keep.flow:2:6: error: nothing opens the lock red" in bad.out
    assert "2 rooms, 1 link" in bad.out
    good = say("lint", "good.dot")
    assert good.code == 0
    assert "nothing to fix" in good.out
    broken = say("lint", "bad.flow")
    assert broken.code == 2
    assert "did you mean 'room'?" in broken.err
    assert say("lint", "keep.flow", "--size", "9x9").code == 2


def test_convert_between_flows_graphs_and_levels(say: Say) -> None:
    Path("keep.dot").write_text("digraph { gate -> hall; hall -> gate; hall -> crypt [weight=3]; }")
    done = say("convert", "keep.dot", "keep.flow")
    assert done.code == 0
    assert "note: keep.dot: left out: the attribute 'weight' of links" in done.err
    text = Path("keep.flow").read_text()
    assert text == "link  gate - hall\nlink  hall - crypt, one-way\n"
    assert say("convert", "keep.flow", "a.dot", "a.graphml").code == 0
    assert say("convert", "a.graphml", "-", "--format", "flow").out == text
    Path("a.txt").write_text("2\n0 1\n")
    assert say("convert", "a.txt", "-", "--format", "flow", "--read-as", "edges").out == "link  0 - 1\n"
    Path("map.txt").write_text("#####\n#.+.#\n#####\n")
    assert "link  room-1 - room-2, door" in say("convert", "map.txt", "-", "--format", "flow").out


def test_what_a_flow_cannot_become_is_refused(say: Say) -> None:
    Path("keep.flow").write_text("link a - b\napart a b, by 3\n")
    wrong = say("convert", "keep.flow", "keep.png")
    assert wrong.code == 2
    assert "a flow becomes .flow, .dot, .gv, .graphml, and keep.png is none of these" in wrong.err
    assert "add --format" in say("convert", "keep.flow", "-").err
    assert "leave --start out" in say("convert", "keep.flow", "a.dot", "--start", "1,1").err
    assert "note: left out: apart" in say("convert", "keep.flow", "a.dot").err


KEEP = """
room gate, start
room throne, end
link gate - hall - crypt
link hall - throne, locked by red
key red in crypt
"""


def test_solve_tells_the_way_through_a_flow(say: Say) -> None:
    Path("keep.flow").write_text(KEEP)
    done = say("solve", "keep.flow")
    assert done.code == 0
    assert done.out == (
        "solved in 4 moves: gate - hall - crypt - hall - throne\n"
        "  2  take the key red in crypt\n"
        "  3  open the lock red at hall - throne\n"
        "  4  reach the end, throne\n"
        "it cannot be lost\n"
    )
    found = json.loads(say("solve", "keep.flow", "--json").out)
    assert (found["length"], found["rooms"][-1], found["counterexample"]) == (4, "throne", None)
    assert found["events"][0] == {"kind": "take", "place": "crypt", "name": "red", "step": 2}


def test_solve_exits_with_1_for_what_cannot_be_solved_or_is_lost(say: Say) -> None:
    Path("shut.flow").write_text(KEEP.replace("in crypt", "in throne"))
    shut = say("solve", "shut.flow")
    assert (shut.code, shut.out) == (
        1,
        "not solvable: the lock red at hall - throne is in the way (what opens it is in throne)\n",
    )
    Path("lost.flow").write_text(KEEP + "link hall - pit, one-way\n")
    assert say("solve", "lost.flow").code == 0
    assert say("solve", "lost.flow", "--unlosable").code == 1
    assert "leave out all options but" in say("solve", "lost.flow", "--seed", "3").err
    assert say("solve", "lost.flow", "--max-steps", "2").code == 3


def test_lint_draws_what_cannot_be_drawn(say: Say) -> None:
    Path("three.flow").write_text("".join(f"link {a} - {b}\n" for a in "abc" for b in "xyz"))
    done = say("lint", "three.flow")
    assert done.code == 1
    assert "three.flow:9:6: error: these 9 links cannot be drawn without crossings" in done.out
    assert "a, b and c are three rooms, each linked to each of x, y and z" in done.out
    assert "       x  y  z\n    a  -  -  -\n" in done.out
    assert "it is enough to leave out c - z" in done.out
