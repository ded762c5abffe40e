"""Check room types before placement: rooms and sockets that fit no other, and required rooms that cannot be placed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from undercroft.core.ports import SIDES
from undercroft.errors import Place
from undercroft.templates.prefabs.feasible import format_times
from undercroft.templates.prefabs.prefab import RoomType, RoomTypes
from undercroft.templates.template import Socket
from undercroft.wording import join_words

FIT_RULE = "two sockets fit if they face each other and have the same width and kind"
MAX_NAMES = 5
SEVERITIES = ("error", "warning", "note")

SocketClass = tuple[str, int, str]
"""Side, width and kind of a socket."""


class PrefabRemark(NamedTuple):
    """A remark about room types."""

    kind: str
    """The name of the check."""
    severity: str
    place: Place | None
    problem: str
    fix: str = ""


class PrefabSubject:
    """Room types, and which of them can be adjacent."""

    def __init__(self, types: RoomTypes) -> None:
        self.kinds = tuple(kind for kind in types.types if kind.most != 0)
        self.off = tuple(kind for kind in types.types if kind.most == 0)

    @cached_property
    def socket_classes(self) -> dict[str, list[set[SocketClass]]]:
        """For each type and each of its sockets, the socket's classes in all positions."""
        found: dict[str, list[set[SocketClass]]] = {}
        for kind in self.kinds:
            shapes = [kind.template.in_position(number) for number in kind.positions]
            found[kind.template.name] = [
                {_classify_socket(shape.sockets[k]) for shape in shapes} for k in range(len(kind.template.sockets))
            ]
        return found

    @cached_property
    def types_by_class(self) -> dict[SocketClass, list[str]]:
        """The types with a socket of each class."""
        found: dict[SocketClass, list[str]] = {}
        for name, sockets in self.socket_classes.items():
            for each in set().union(*sockets):
                found.setdefault(each, []).append(name)
        return found

    def fitting_types(self, name: str, socket: int) -> set[str]:
        """The types with a socket that fits this one."""
        return {
            other
            for side, width, kind in self.socket_classes[name][socket]
            for other in self.types_by_class.get((_opposite_side(side), width, kind), ())
        }

    @cached_property
    def groups(self) -> list[list[RoomType]]:
        """Groups of types that can share a map, the largest first; types that fit no other room are in none."""
        meets = {
            name: set().union(*(self.fitting_types(name, k) for k in range(len(sockets))))
            for name, sockets in self.socket_classes.items()
        }
        found: list[set[str]] = []
        for name in (name for name, others in meets.items() if others):
            if any(name in group for group in found):
                continue
            group, todo = {name}, [name]
            while todo:
                new = meets[todo.pop()] - group
                group |= new
                todo += sorted(new)
            found.append(group)
        return sorted(
            ([kind for kind in self.kinds if kind.template.name in group] for group in found), key=len, reverse=True
        )

    @cached_property
    def isolated_types(self) -> list[RoomType]:
        """Types that fit no other room."""
        return [kind for kind in self.kinds if not any(kind in group for group in self.groups)]


def _classify_socket(socket: Socket) -> SocketClass:
    return socket.side, socket.width, socket.kind


def _opposite_side(side: str) -> str:
    return SIDES[(SIDES.index(side) + 2) % 4]


def _join_names(kinds: list[RoomType]) -> str:
    names = [repr(kind.template.name) for kind in kinds]
    if len(names) > MAX_NAMES:
        names[MAX_NAMES - 1 :] = [f"{len(names) - MAX_NAMES + 1} more"]
    return join_words(names)


def _find_impossible(subject: PrefabSubject) -> Iterator[PrefabRemark]:
    if not subject.kinds:
        yield PrefabRemark(
            "must",
            "error",
            subject.off[0].template.place,
            "no room may stand at all: at most 0",
            "raise that of some room",
        )
    wanted = [kind for kind in subject.kinds if kind.least]
    if not wanted or any(all(kind in group for kind in wanted) for group in subject.groups):
        return
    for kind in subject.isolated_types:
        if kind.least > 1:
            name = kind.template.name
            problem = f"{name!r} must stand {format_times(kind.least)}, and no room can lead to it"
            yield PrefabRemark(
                "must",
                "error",
                kind.template.place,
                problem,
                "give it a socket that fits one of another room, or lower its 'at least'",
            )
            return
    if len(wanted) > 1:
        problem = (
            f"{_join_names(wanted)} must all stand, and no map can have them all: no doors lead from each to the others"
        )
        yield PrefabRemark("must", "error", wanted[0].template.place, problem, f"draw sockets that fit; {FIT_RULE}")


def _find_socketless(subject: PrefabSubject) -> Iterator[PrefabRemark]:
    for kind in subject.kinds:
        if not kind.template.sockets:
            problem = f"{kind.template.name!r} has no socket: it can only be the first room, and the only one"
            yield PrefabRemark("sockets", "warning", kind.template.place, problem, "draw a door (+) in its outline")


def _find_misfits(subject: PrefabSubject) -> Iterator[PrefabRemark]:
    for kind in subject.kinds:
        name, sockets, origin = kind.template.name, kind.template.sockets, kind.template.origin
        if sockets and kind in subject.isolated_types:
            problem = f"no socket of {name!r} fits one of any room: it can only be the first room, and the only one"
            yield PrefabRemark(
                "fits", "warning", kind.template.place, problem, f"turn it, or draw another socket; {FIT_RULE}"
            )
            continue
        for k, socket in enumerate(sockets):
            if not subject.fitting_types(name, k):
                place = origin.cell(socket.x, socket.y) if origin else None
                problem = f"this socket of {name!r} fits no socket of any room, and always becomes wall"
                yield PrefabRemark(
                    "fits", "warning", place, problem, f"turn the room, or draw another socket; {FIT_RULE}"
                )


def _find_separate_groups(subject: PrefabSubject) -> Iterator[PrefabRemark]:
    for group in subject.groups[1:]:
        problem = (
            f"{_join_names(group)} never {'stands' if len(group) == 1 else 'stand'} in one map with "
            f"{_join_names(subject.groups[0])}: no sockets of theirs fit"
        )
        yield PrefabRemark(
            "joined",
            "warning",
            group[0].template.place,
            problem,
            f"draw a room with sockets of both kinds, or split the file in two; {FIT_RULE}",
        )


def _find_switched_off(subject: PrefabSubject) -> Iterator[PrefabRemark]:
    for kind in subject.off:
        yield PrefabRemark("off", "note", kind.template.place, f"{kind.template.name!r} never stands: at most 0")


class PrefabCheck(NamedTuple):
    """One check of the linter."""

    about: str
    look: Callable[[PrefabSubject], Iterator[PrefabRemark]]


CHECKS = {
    "must": PrefabCheck("all required rooms can be in one map", _find_impossible),
    "sockets": PrefabCheck("every room has a socket", _find_socketless),
    "fits": PrefabCheck("every socket fits one of some room", _find_misfits),
    "joined": PrefabCheck("all rooms can be in one map", _find_separate_groups),
    "off": PrefabCheck("no room is switched off", _find_switched_off),
}
"""All checks, in the order of the report."""


def find_prefab_remarks(types: RoomTypes) -> list[PrefabRemark]:
    """All remarks, the worst first, then in the order of the checks and of the text.

    >>> from undercroft.templates.prefabs.prefab import parse
    >>> for remark in find_prefab_remarks(parse('''
    ... room  hall
    ...     ##'##
    ...     +...+
    ...     #####
    ... ''', "keep.txt")):
    ...     print(f"{remark.place}: {remark.problem}")
    keep.txt:3:7: this socket of 'hall' fits no socket of any room, and always becomes wall
    """
    subject = PrefabSubject(types)
    found = [remark for check in CHECKS.values() for remark in check.look(subject)]
    return sorted(found, key=lambda remark: SEVERITIES.index(remark.severity))
