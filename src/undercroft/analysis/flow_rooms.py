"""Which region of a level is which room of its flow."""

from __future__ import annotations

from undercroft.core.flow import Flow
from undercroft.core.region import Regions


def find_flow_rooms(regions: Regions, flow: Flow) -> list[int]:
    """The label of the region under the place of each room of a flow; 0 where there is none, and in a corridor.

    >>> from undercroft.core.flow import FlowRoom
    >>> from undercroft.core.level import Level
    >>> flow = Flow(rooms=(FlowRoom("gate"), FlowRoom("hall")), places=((0, 0), (2, 0)))
    >>> find_flow_rooms(Level.parse("1#2").regions, flow)
    [1, 2]
    """
    height, width = regions.labels.shape
    found = []
    for x, y in flow.places:
        label = int(regions.labels[y, x]) if x < width and y < height else 0
        found.append(label if 0 < label <= len(regions) and regions[label - 1].kind != "corridor" else 0)
    return found


def name_flow_rooms(regions: Regions, flow: Flow) -> list[str]:
    """Give regions the names and tags of the rooms whose places they hold, where there is only one. Returns a sentence
    for each room that is gone, and for rooms that became one region.
    """
    notes = []
    rooms: dict[int, list[int]] = {}
    for index, label in enumerate(find_flow_rooms(regions, flow)):
        if label:
            rooms.setdefault(label, []).append(index)
        else:
            x, y = flow.places[index]
            notes.append(f"the room {flow.rooms[index].name} of the flow is gone: no room is at ({x}, {y})")
    for label, held in rooms.items():
        if len(held) > 1:
            names = " and ".join(flow.rooms[index].name for index in held)
            notes.append(f"the rooms {names} of the flow are one region")
            continue
        room = flow.rooms[held[0]]
        regions.names[label] = room.name
        if room.tags:
            regions.tags[label] = room.tags
    return notes
