"""What lint says about flows: every row of the table has its sentence, place and fix."""

from __future__ import annotations

from typing import Any

import pytest

from undercroft.flows.distances import FarthestDistances
from undercroft.flows.lint import CHECKS, lint_flow
from undercroft.flows.parse import parse_flow
from undercroft.flows.room_templates import RoomTemplate

TEMPLATES = (
    RoomTemplate("vault", ("tomb", "old"), 4, (5, 5), (5, 5)),
    RoomTemplate("hall", ("great",), None, (5, 5)),
    RoomTemplate("cell", ("tomb",), 2, (3, 3), (7, 7)),
)


def lint_text(text: str, **options: Any) -> list[str]:
    """Each remark as kind, severity, line and column, problem and fix."""
    found = []
    for remark in lint_flow(parse_flow(text, "keep.flow"), **options):
        place = f"{remark.place.line}:{remark.place.column} " if remark.place else ""
        found.append(f"{remark.severity} {remark.kind} {place}{remark.problem} | {remark.fix}".removesuffix(" | "))
    return found


FIVE = "link a - b - c - d - e - a\nlink a - c - e - b - d\n"

ROWS = [
    (
        FIVE + "link d - x - a",
        "error planar 3:10 these 11 links cannot be drawn without crossings: a, b, c, d and e are five rooms, each "
        "linked to each | leave any one of them out, which undoes this figure; for all it is enough to leave out x - a"
        "; or put a on another floor",
    ),
    (
        "room a, start\nroom d, end\nlink a - b - d, locked by red\nkey red in d",
        "error solution 2:9 the end cannot be reached: the lock red at a - b is in the way (what opens it is in d) | "
        "put what opens the lock where one can get it, or add a link",
    ),
    (
        "room a, start\nroom d, end\nlink a - d\nlink a - b, one-way",
        "error solution 2:9 it can be lost: pass the one-way link a - b | add a way back, or a second key",
    ),
    (
        "room a, end\nlink a - b",
        "error ends 1:9 there is a room that is the end, and none that is the start | add 'start' to "
        "the line of a room",
    ),
    (
        "room a, start\nlink a - b",
        "error ends 1:9 there is a room that is the start, and none that is the end | add 'end' to the line of a room",
    ),
    (
        "link a - b\nlink c - d\nroom e",
        "error parts 2:6 the flow has 3 parts that no link joins: those of a, c and e | link them, for "
        "example: link a - c",
    ),
    (
        "link a - b\nlink b - a",
        "note twins 2:6 two links join b and a alike, first in line 1; each is a way of its own",
    ),
    (
        "link a - b, locked by red",
        "error locks 1:6 nothing opens the lock red | add: key red in a",
    ),
    (
        "link a - b, locked by redd\nkey red in a",
        "error locks 1:6 nothing opens the lock redd | did you mean 'red'? Else add: key redd in a",
    ),
    (
        "link a - b\nkey red in a",
        "note keys 2:5 the key red in a opens nothing",
    ),
    (
        "link a - b\nroom a, size 6x6",
        "error sizes 2:9 no room is 6x6: the sides of rooms are odd | write: size 5x5 to 7x7",
    ),
    (
        "link a - b\nroom a, size 6x5 to 6x9",
        "error sizes 2:9 no room is 6x5: the sides of rooms are odd | write: size 5x5 to 7x5",
    ),
    (
        "link a - b, length 4",
        "error sizes 1:6 no hallway from a to b has 4 tiles: their number is odd | write: length 3 to 5",
    ),
    (
        "link a - b - a, door\nlink a - b - a\nlink a - b, secret\nroom a, size 1x1",
        "error doors 4:9 a has 5 links, and the walls of 1x1 have room for 4 doors | let it be 3x1, or "
        "give it fewer links",
    ),
    (
        "link a - b, length 1 to 3\napart a b, by 40",
        "error apart 2:1 a and b cannot be 40 steps apart: their links (line 1) allow 6 at most | ask "
        "for fewer steps, or allow longer links",
    ),
    (
        "link a - b - c, length 1\nroom b, size 3x3\napart a tagged x, by 13\nroom c, tagged x",
        "error apart 3:1 a and c cannot be 13 steps apart: their links allow 12 at most | ask for fewer "
        "steps, or allow longer links",
    ),
    (
        "link a - b, door\nroom b, floor 2",
        "error floors 1:6 the link a - b leads to another floor, and is door | make it open or one-way: "
        "stairs have no doors",
    ),
    (
        "link a - b - c\nroom b, floor 2",
        "error floors 1:14 floor 0 has 2 parts that no link on it joins: those of a and c | link them on that floor",
    ),
    (
        "link a - b\nroom a, uses valt",
        "error templates 2:9 a: unknown room type or layout 'valt' | did you mean 'vault'?",
    ),
    (
        "link a - b\nroom a, uses tagged tomb great",
        "error templates 2:9 a: no room type or layout has the tags great and tomb | there are: great, old, tomb",
    ),
    (
        "link a - b\nroom a, uses tagged tomb, size 9x9",
        "error templates 2:27 a: nothing that it may use has this size | there are: vault 5x5, cell 3x3 to 7x7",
    ),
    (
        "link a - b - a, door\nlink a - b, secret\nroom a, uses cell",
        "error sockets 3:9 a has 3 links, its types have at most 2 sockets | let it use a type with "
        "more sockets, or give it fewer links",
    ),
]


@pytest.mark.parametrize(("text", "remark"), ROWS)
def test_a_mistake_is_told_with_its_place_and_fix(text: str, remark: str) -> None:
    assert remark in lint_text(text, templates=TEMPLATES)


GOOD = [
    "link a - b",
    "room a, start\nroom b, end\nlink a - b, locked by red\nkey red in a",
    "link a - b, one-way\nlink b - a, one-way",
    "link a - b, locked by red\nlink a - b, locked by blue\nswitch red in a\nswitch blue in b",
    "link a - b, length 0\nlink b - c, length 4 to 5\nroom a, size 6x6 to 7x7",
    "link a - b\napart a b, by 900",
    "link a - b - c, length 1\napart a c, by 900",
    "link a - b, length 3\napart a b, by 6",
    "link a - b\nroom b, floor 1",
    "link a - b\nroom a, uses vault hall, uses tagged old",
    "link a - b\nroom a, uses tagged great, size 21x21",
]


@pytest.mark.parametrize("text", GOOD)
def test_nothing_is_said_of_what_is_right(text: str) -> None:
    assert lint_text(text, templates=TEMPLATES) == []


def test_every_check_has_a_row() -> None:
    told = {row.split()[1] for _, row in ROWS}
    assert told >= {*CHECKS}
    assert {"sockets", "templates", "doors"} <= told


def test_templates_of_others_are_unknown_and_so_only_warnings() -> None:
    (remark,) = lint_text("link a - b\nroom a, uses crypt9", templates=TEMPLATES, templates_are_all=False)
    assert remark.startswith("warning templates 2:9 a: unknown room type")
    assert remark.endswith("or name your own in the recipe")
    assert lint_text("link a - b\nroom a, uses crypt9") == []


def test_the_farthest_way_takes_the_nearest_of_several_links() -> None:
    flow = parse_flow("link a - b, length 9\nlink a - c - b, length 1\nroom c, size 3x5\nlink b - d", "a").flow
    found = FarthestDistances(flow)
    assert found.between("a", "b") == 12
    assert found.between("a", "d") is None
    assert found.between("a", "a") == 0
