"""Check before placement whether room types can meet their own requirements."""

from __future__ import annotations

from collections.abc import Sequence

from undercroft.core.ports import SIDES
from undercroft.errors import BadInput
from undercroft.templates.prefabs.prefab import RoomType

_OPPOSITE = str.maketrans(SIDES, SIDES[2:] + SIDES[:2])


def check_feasible(kinds: Sequence[RoomType], root: RoomType | None, max_rooms: int) -> None:
    """Refuse requirements that no map can fulfil."""
    roots = [kind for kind in (kinds if root is None else [root]) if kind.most != 0]
    if not roots:
        which = "any room" if root is None else repr(root.template.name)
        raise BadInput(f"{which} may not stand at all", fix="change its 'at most'")
    owed = sum(kind.least for kind in kinds)
    if max_rooms and owed > max_rooms:
        raise BadInput(
            f"at least {owed} rooms must stand, and max_rooms is {max_rooms}",
            fix="raise max_rooms, or lower 'at least' of some type",
        )
    wanted = [kind for kind in kinds if kind.least > (kind in roots)]
    following = _find_reachable(roots, kinds) if wanted else set()
    for kind in wanted:
        name = kind.template.name
        if name not in following:
            fix = (
                f"give {name!r} a socket that fits one of another room: the opposite side, the same sign, the same "
                "width"
            )
            raise BadInput(
                f"{name!r} must stand {format_times(kind.least)}, and no room can lead to it",
                place=kind.template.place,
                fix=fix,
            )


def filter_by_length(kinds: Sequence[RoomType], least: int, most: int) -> tuple[RoomType, ...]:
    """The types whose longer side is within these limits. Refuses to leave out a required type."""
    lengths = {kind.template.name: max(kind.template.tiles.shape) for kind in kinds}
    left_out = [kind for kind in kinds if not least <= lengths[kind.template.name] <= most]
    if len(left_out) == len(kinds):
        there = ", ".join(map(str, sorted(set(lengths.values()))))
        raise BadInput(
            f"no room type is {least} to {most} cells long", fix=f"change tile_size; there are lengths of {there}"
        )
    for kind in left_out:
        if kind.least:
            name, length = kind.template.name, lengths[kind.template.name]
            problem = (
                f"{name!r} must stand {format_times(kind.least)}, and is {length} cells long, "
                f"which tile_size [{least}, {most}] does not allow"
            )
            fix = (
                f"change tile_size to [{min(least, length)}, {max(most, length)}], or take the 'at least' or "
                f"'exactly' of {name!r} out"
            )
            raise BadInput(problem, place=kind.template.place, fix=fix)
    return tuple(kind for kind in kinds if kind not in left_out)


def check_size(kinds: Sequence[RoomType], root: RoomType | None, width: int, height: int) -> None:
    """Refuse a map that is too small for the first room or for a required one."""
    for kind in kinds:
        if (kind.least or kind is root) and not _fits(kind, width, height):
            name, (high, wide) = kind.template.name, kind.template.tiles.shape
            problem = f"{name!r} must stand, and is {wide}x{high}; the map is {width}x{height}"
            raise BadInput(problem, place=kind.template.place, fix=_suggest_size(kind, width, height))
    usable = [kind for kind in kinds if kind.most != 0]
    if not any(_fits(kind, width, height) for kind in usable):
        smallest = min(usable, key=lambda kind: kind.template.tiles.size)
        raise BadInput(f"no room fits on a map of {width}x{height}", fix=_suggest_size(smallest, width, height))


def _suggest_size(kind: RoomType, width: int, height: int) -> str:
    return f"ask for {max(kind.template.width, width)}x{max(kind.template.height, height)} or more"


def _fits(kind: RoomType, width: int, height: int) -> bool:
    """Whether a room fits on a map in one of its positions."""
    sizes = {kind.template.tiles.shape[:: -1 if number & 1 else 1] for number in kind.positions}
    return any(high <= height and wide <= width for high, wide in sizes)


def format_times(count: int) -> str:
    """A number of times as text, `3 times`."""
    return "once" if count == 1 else f"{count} times"


def _find_reachable(roots: Sequence[RoomType], kinds: Sequence[RoomType]) -> set[str]:
    """The types that can be reached through doors, if one of `roots` is the first room."""
    usable = [kind for kind in kinds if kind.most != 0]
    own = {
        kind.template.name: {
            (socket.side, socket.width, socket.kind) for shape in kind.list_shapes() for socket in shape.sockets
        }
        for kind in usable
    }
    found: set[str] = set()
    waiting = [kind.template.name for kind in roots]
    while waiting:
        fitting = {(side.translate(_OPPOSITE), width, kind) for side, width, kind in own[waiting.pop()]}
        for name, sockets in own.items():
            if name not in found and sockets & fitting:
                found.add(name)
                waiting.append(name)
    return found
