"""Templates turn and mirror as their drawings do, their sockets and slots with them."""

from __future__ import annotations

import numpy as np
import pytest

from undercroft.core.palette import STANDARD, Palette
from undercroft.core.ports import SIDES
from undercroft.inputs.files import SHIPPED_FOLDER
from undercroft.templates.prefabs.prefab import parse
from undercroft.templates.template import OUTSIDE, Template

SETS = sorted((SHIPPED_FOLDER / "prefabs").glob("*.txt"))
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def template(text: str) -> Template:
    return (
        parse(f"slot  chest = c\nslot  rat = r\nsocket  gate = G, opening\nroom  it\n{text}", "it.txt")
        .types[0]
        .template
    )


ODD = """
     ##GG###
    ##....c#
    +..r..##
    #....##
    ##+###
"""


def rows(template: Template) -> list[str]:
    """Its drawing as a rectangle of signs."""
    return [row.ljust(template.width) for row in str(template).split("\n")]


def test_a_quarter_turn_is_a_quarter_turn_of_the_drawing() -> None:
    before = template(ODD)
    assert rows(before.turned()) == ["".join(row[x] for row in reversed(rows(before))) for x in range(before.width)]
    assert rows(before.mirrored()) == [row[::-1] for row in rows(before)]


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.stem)
def test_every_shipped_room_in_every_position(path: object) -> None:
    for kind in parse(path.read_text(encoding="utf-8"), path.name).types:  # type: ignore[attr-defined]
        for number in range(8):
            position = kind.template.in_position(number)
            drawing = rows(kind.template)
            if number & 4:
                drawing = [row[::-1] for row in drawing]
            for _ in range(number & 3):
                drawing = ["".join(row[x] for row in reversed(drawing)) for x in range(len(drawing[0]))]
            assert rows(position) == drawing
            assert position.area == kind.template.area
            again = parse_again(position)
            assert [socket[:4] for socket in sorted(again.sockets)] == [
                socket[:4] for socket in sorted(position.sockets)
            ]


def parse_again(position: Template) -> Template:
    """The template that its own drawing gives: sockets that became plain floor are drawn as doors again."""
    glyphs = [list(row) for row in rows(position)]
    for socket in position.sockets:
        for step in range(socket.width):
            glyphs[socket.y + step * (socket.side in "EW")][socket.x + step * (socket.side in "NS")] = "+"
    for slot in position.slots:
        glyphs[slot.y][slot.x] = "."
    return parse("room  it\n" + "\n".join("    " + "".join(row) for row in glyphs), "it.txt").types[0].template


def test_four_turns_and_two_mirrors_give_the_same() -> None:
    before = template(ODD)
    turned = before.turned().turned().turned().turned()
    mirrored = before.mirrored().mirrored()
    assert before.looks_like(turned)
    assert before.looks_like(mirrored)
    assert not before.looks_like(before.turned())
    assert sum(before.in_position(number).looks_like(before) for number in range(8)) == 1


def test_before_a_socket_is_outside_and_behind_it_is_floor() -> None:
    for number in range(8):
        position = template(ODD).in_position(number)
        around = np.pad(position.tiles, 1, constant_values=OUTSIDE)
        assert sorted(socket.kind for socket in position.sockets) == ["door", "door", "gate"]
        for socket in position.sockets:
            dx, dy = STEPS[socket.side]
            for step in range(socket.width):
                x, y = (
                    (socket.x + 1, socket.y + 1 + step) if socket.side in "EW" else (socket.x + 1 + step, socket.y + 1)
                )
                assert around[y + dy, x + dx] == OUTSIDE
                assert around[y, x] == STANDARD["wall"]
                assert STANDARD.walkable[around[y - dy, x - dx]]


def test_sides_turn_clockwise() -> None:
    for side in SIDES:
        one = {
            "N": "##+##\n#...#\n#####",
            "E": "#####\n#...+\n#####",
            "S": "#####\n#...#\n##+##",
            "W": "#####\n+...#\n#####",
        }[side]
        socket = template("\n".join(f"    {row}" for row in one.split("\n"))).turned().sockets[0]
        assert socket.side == SIDES[(SIDES.index(side) + 1) % 4]


def test_tiles_turn_with_the_template() -> None:
    """A tile that opens to some sides becomes the one that opens to the sides as they lie then."""
    floor, wall, void = (STANDARD.tiles[STANDARD[name]] for name in ("floor", "wall", "void"))
    pipes = [
        floor._replace(name=f"pipe {ports}", glyph=sign, face=sign, role="corridor", ports=ports)
        for ports, sign in (("EW", "a"), ("NS", "b"))
    ]
    palette = Palette([void, wall, floor, *pipes], "pipes")
    room = parse("room  it\n    ####\n    #a.#\n    ####", "it.txt", palette).types[0].template
    assert "b" in str(room.turned())
    assert "a" in str(room.turned().turned())
    assert "a" in str(room.mirrored())
