"""A flow that was read from a file, and where in it everything stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from undercroft.core.flow import Flow
from undercroft.errors import Place


@dataclass(frozen=True)
class FlowSource:
    """A flow, with the places of its parts: those of a file that was read, or none."""

    flow: Flow
    file: str = "flow"
    """What messages call the file."""
    rooms: Mapping[str, Place] = field(default_factory=dict)
    """Where each room is said first, by its name."""
    options: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    """Where an option of a room stands, by room and option."""
    links: tuple[Place | None, ...] = ()
    """Where each link stands."""
    things: tuple[Place | None, ...] = ()
    apart: tuple[Place | None, ...] = ()
    notes: tuple[str, ...] = ()
    """What the file says that a flow cannot hold."""

    def room_place(self, name: str, option: str = "") -> Place | None:
        """Where a room, or an option of it, stands."""
        return self.options.get((name, option)) or self.rooms.get(name)

    def link_place(self, index: int) -> Place | None:
        """Where a link stands."""
        return self.links[index] if index < len(self.links) else None

    def thing_place(self, index: int) -> Place | None:
        """Where a thing stands."""
        return self.things[index] if index < len(self.things) else None

    def apart_place(self, index: int) -> Place | None:
        """Where two rooms are said to be apart."""
        return self.apart[index] if index < len(self.apart) else None
