"""A look at room types before they are put together: rooms and sockets that never meet another, and rooms that must
stand and cannot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from undercroft.core.ports import SIDES
from undercroft.errors import Place
from undercroft.templates.prefabs.feasible import times
from undercroft.templates.prefabs.prefab import RoomType, RoomTypes
from undercroft.templates.template import Socket

FIT = "two sockets fit if they face each other and have the same width and kind"
MOST_NAMES = 5
SEVERITIES = ("error", "warning", "note")

Class = tuple[str, int, str]
"""Side, width and kind of a socket."""


class Remark(NamedTuple):
    """Something worth knowing about room types."""

    kind: str
    """The name of the check."""
    severity: str
    place: Place | None
    problem: str
    fix: str = ""


class Subject:
    """Room types, and which of them can stand side by side."""

    def __init__(self, types: RoomTypes) -> None:
        self.kinds = tuple(kind for kind in types.types if kind.most != 0)
        self.off = tuple(kind for kind in types.types if kind.most == 0)

    @cached_property
    def classes(self) -> dict[str, list[set[Class]]]:
        """For each type what each of its sockets is in one of its positions or another."""
        found: dict[str, list[set[Class]]] = {}
        for kind in self.kinds:
            shapes = [kind.template.position(number) for number in kind.positions]
            found[kind.template.name] = [
                {_class(shape.sockets[k]) for shape in shapes} for k in range(len(kind.template.sockets))
            ]
        return found

    @cached_property
    def there(self) -> dict[Class, list[str]]:
        """The types with a socket of each class."""
        found: dict[Class, list[str]] = {}
        for name, sockets in self.classes.items():
            for each in set().union(*sockets):
                found.setdefault(each, []).append(name)
        return found

    def fitting(self, name: str, socket: int) -> set[str]:
        """The types with a socket that fits this one."""
        return {
            other
            for side, width, kind in self.classes[name][socket]
            for other in self.there.get((_opposite(side), width, kind), ())
        }

    @cached_property
    def groups(self) -> list[list[RoomType]]:
        """Types that can stand in one map, the largest group first; those that never meet another room are in none."""
        meets = {
            name: set().union(*(self.fitting(name, k) for k in range(len(sockets))))
            for name, sockets in self.classes.items()
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
    def alone(self) -> list[RoomType]:
        """Types that never meet another room."""
        return [kind for kind in self.kinds if not any(kind in group for group in self.groups)]


def _class(socket: Socket) -> Class:
    return socket.side, socket.width, socket.kind


def _opposite(side: str) -> str:
    return SIDES[(SIDES.index(side) + 2) % 4]


def _named(kinds: list[RoomType]) -> str:
    names = [repr(kind.template.name) for kind in kinds]
    if len(names) > MOST_NAMES:
        names[MOST_NAMES - 1 :] = [f"{len(names) - MOST_NAMES + 1} more"]
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _must(subject: Subject) -> Iterator[Remark]:
    if not subject.kinds:
        yield Remark(
            "must",
            "error",
            subject.off[0].template.place,
            "no room may stand at all: at most 0",
            "raise that of some room",
        )
    wanted = [kind for kind in subject.kinds if kind.least]
    if not wanted or any(all(kind in group for kind in wanted) for group in subject.groups):
        return
    for kind in subject.alone:
        if kind.least > 1:
            name = kind.template.name
            problem = f"{name!r} must stand {times(kind.least)}, and no room can lead to it"
            yield Remark(
                "must",
                "error",
                kind.template.place,
                problem,
                "give it a socket that fits one of another room, or lower its 'at least'",
            )
            return
    if len(wanted) > 1:
        problem = (
            f"{_named(wanted)} must all stand, and no map can have them all: no doors lead from each to the others"
        )
        yield Remark("must", "error", wanted[0].template.place, problem, f"draw sockets that fit; {FIT}")


def _sockets(subject: Subject) -> Iterator[Remark]:
    for kind in subject.kinds:
        if not kind.template.sockets:
            problem = f"{kind.template.name!r} has no socket: it can only be the first room, and the only one"
            yield Remark("sockets", "warning", kind.template.place, problem, "draw a door (+) in its outline")


def _fits(subject: Subject) -> Iterator[Remark]:
    for kind in subject.kinds:
        name, sockets, origin = kind.template.name, kind.template.sockets, kind.template.origin
        if sockets and kind in subject.alone:
            problem = f"no socket of {name!r} fits one of any room: it can only be the first room, and the only one"
            yield Remark("fits", "warning", kind.template.place, problem, f"turn it, or draw another socket; {FIT}")
            continue
        for k, socket in enumerate(sockets):
            if not subject.fitting(name, k):
                place = origin.cell(socket.x, socket.y) if origin else None
                problem = f"this socket of {name!r} fits no socket of any room, and always becomes wall"
                yield Remark("fits", "warning", place, problem, f"turn the room, or draw another socket; {FIT}")


def _joined(subject: Subject) -> Iterator[Remark]:
    for group in subject.groups[1:]:
        problem = (
            f"{_named(group)} never {'stands' if len(group) == 1 else 'stand'} in one map with "
            f"{_named(subject.groups[0])}: no sockets of theirs fit"
        )
        yield Remark(
            "joined",
            "warning",
            group[0].template.place,
            problem,
            f"draw a room with sockets of both kinds, or split the file in two; {FIT}",
        )


def _off(subject: Subject) -> Iterator[Remark]:
    for kind in subject.off:
        yield Remark("off", "note", kind.template.place, f"{kind.template.name!r} never stands: at most 0")


class Check(NamedTuple):
    """One thing that is looked at."""

    about: str
    look: Callable[[Subject], Iterator[Remark]]


CHECKS = {
    "must": Check("rooms that must stand can stand, in one map", _must),
    "sockets": Check("every room has a socket", _sockets),
    "fits": Check("every socket fits one of some room", _fits),
    "joined": Check("all rooms can stand in one map", _joined),
    "off": Check("no room is switched off", _off),
}
"""All that is looked at, in the order in which it is told."""


def look(types: RoomTypes) -> list[Remark]:
    """All remarks, the worst first, else in the order of the checks and of the text.

    >>> from undercroft.templates.prefabs.prefab import parse
    >>> for remark in look(parse('''
    ... room  hall
    ...     ##'##
    ...     +...+
    ...     #####
    ... ''', "keep.txt")):
    ...     print(f"{remark.place}: {remark.problem}")
    keep.txt:3:7: this socket of 'hall' fits no socket of any room, and always becomes wall
    """
    subject = Subject(types)
    found = [remark for check in CHECKS.values() for remark in check.look(subject)]
    return sorted(found, key=lambda remark: SEVERITIES.index(remark.severity))
