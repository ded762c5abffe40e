"""Check rooms drawn on a common lattice, so that sockets of rooms of many sizes always meet."""

from __future__ import annotations

from collections.abc import Sequence

from undercroft.errors import BadInput
from undercroft.templates.outline import Where
from undercroft.templates.template import Socket


def check_lattice(shape: tuple[int, ...], sockets: Sequence[Socket], lattice: int, where: Where) -> None:
    """Refuse a room whose sides are not multiples of the lattice length, and sockets off the lattice.

    The lines of the lattice are `lattice` cells apart. Walls stand on them, and adjacent rooms share one.
    """
    for side, length in (("high", shape[0]), ("wide", shape[1])):
        if (length - 1) % lattice:
            right = (length - 1) // lattice * lattice + 1
            sizes = f"{right} or {right + lattice}" if right > 1 else f"{right + lattice}"
            raise BadInput(
                f"on a lattice of {lattice} a room is not {length} cells {side}",
                place=where(0, 0),
                fix=f"make it {sizes} cells {side}",
            )
    for socket in sockets:
        line, along = (socket.x, socket.y) if socket.side in "EW" else (socket.y, socket.x)
        begin = along // lattice * lattice
        if line % lattice:
            problem, fix = (
                f"this socket is on no line of the lattice of {lattice}",
                "move it to the outer edge of the room, or of a part of it",
            )
        elif (2 * along + socket.width - 1) % (2 * lattice) != lattice:
            problem = f"this socket is not in the middle of a length of the lattice of {lattice}"
            fix = f"centre it between {begin} and {begin + lattice}, counted from the corner of the room"
        else:
            continue
        raise BadInput(problem, place=where(socket.x, socket.y), fix=fix)
