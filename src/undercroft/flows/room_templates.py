"""Check what the rooms of a flow are to be made from: room types and layouts, by their names and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from undercroft.core.flow import FlowRoom, Point
from undercroft.errors import unknown_name_error
from undercroft.flows.remarks import FlowRemark
from undercroft.flows.source import FlowSource
from undercroft.wording import join_words, plural

MAX_LISTED = 12
"""The most tags or sizes that a message lists."""


class RoomTemplate(NamedTuple):
    """What a check must know of a room type or layout."""

    name: str
    tags: tuple[str, ...] = ()
    sockets: int | None = None
    """How many links it can have; None: any number."""
    least: Point = (1, 1)
    greatest: Point | None = None
    """The sizes that it can have, without walls; None: any that is not smaller than the least."""

    def can_be(self, size: tuple[Point, Point]) -> bool:
        """Whether it has a size within a range."""
        least, greatest = size
        return all(
            self.least[axis] <= greatest[axis] and (self.greatest is None or self.greatest[axis] >= least[axis])
            for axis in (0, 1)
        )

    def describe_size(self) -> str:
        """Its sizes, in a message."""
        least = f"{self.least[0]}x{self.least[1]}"
        if self.greatest is None:
            return f"{least} and more"
        return least if self.least == self.greatest else f"{least} to {self.greatest[0]}x{self.greatest[1]}"


def check_templates(source: FlowSource, templates: Sequence[RoomTemplate]) -> Iterator[FlowRemark]:
    """What is wrong with the room types and layouts that rooms use."""
    degrees = Counter(end for link in source.flow.links for end in link[:2])
    names = [template.name for template in templates]
    for room in source.flow.rooms:
        unknown = next((name for name in room.uses if name not in names), None)
        if unknown is not None:
            error = unknown_name_error("room type or layout", unknown, names)
            yield FlowRemark(
                "templates", "error", source.room_place(room.name, "uses"), f"{room.name}: {error.problem}", error.fix
            )
        elif room.uses or room.uses_tagged:
            yield from _check_room(source, room, templates, degrees[room.name])


def _check_room(
    source: FlowSource, room: FlowRoom, templates: Sequence[RoomTemplate], degree: int
) -> Iterator[FlowRemark]:
    wanted = set(room.uses_tagged)
    able = [template for template in templates if not room.uses or template.name in room.uses]
    tagged = [template for template in able if wanted <= set(template.tags)]
    option = "uses_tagged" if wanted else "uses"
    if not tagged:
        tags = sorted({tag for template in able for tag in template.tags})[:MAX_LISTED]
        yield FlowRemark(
            "templates",
            "error",
            source.room_place(room.name, option),
            f"{room.name}: no room type or layout has the {'tags' if len(wanted) > 1 else 'tag'} "
            f"{join_words(sorted(wanted))}",
            f"there are: {', '.join(tags)}" if tags else "none of them has tags: name them instead",
        )
        return
    if room.size is not None:
        fitting = [template for template in tagged if template.can_be(room.size)]
        if not fitting:
            sizes = [f"{template.name} {template.describe_size()}" for template in tagged[:MAX_LISTED]]
            yield FlowRemark(
                "templates",
                "error",
                source.room_place(room.name, "size"),
                f"{room.name}: nothing that it may use has this size",
                f"there are: {', '.join(sizes)}",
            )
            return
        tagged = fitting
    most = max((template.sockets for template in tagged if template.sockets is not None), default=None)
    if most is not None and all(template.sockets is not None for template in tagged) and degree > most:
        yield FlowRemark(
            "sockets",
            "error",
            source.room_place(room.name, option),
            f"{room.name} has {plural(degree, 'link')}, its types have at most {plural(most, 'socket')}",
            "let it use a type with more sockets, or give it fewer links",
        )
