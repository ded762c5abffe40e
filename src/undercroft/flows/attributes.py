"""What graphs say of the rooms and links of a flow."""

from __future__ import annotations

from undercroft.core.flow import NAMED_KINDS, Flow, FlowLink, FlowRoom, FlowThing


def room_attributes(flow: Flow, room: FlowRoom) -> dict[str, str]:
    """The attributes of a room: whatever is said of it but its name.

    >>> flow = Flow.parse("room hall, end, tagged great\\nkey red in hall")
    >>> room_attributes(flow, flow.rooms[0])
    {'end': 'true', 'tags': 'great', 'things': 'key red'}
    """
    told = {room.ends: "true"} if room.ends else {}
    if room.tags:
        told["tags"] = " ".join(room.tags)
    if room.size is not None:
        (width, height), (most_width, most_height) = room.size
        told["size"] = f"{width}x{height} to {most_width}x{most_height}"
    if room.uses:
        told["uses"] = " ".join(room.uses)
    if room.uses_tagged:
        told["uses_tagged"] = " ".join(room.uses_tagged)
    if room.floor:
        told["floor"] = str(room.floor)
    things = ", ".join(_format_thing(thing) for thing in flow.things if thing.room == room.name)
    return told | ({"things": things} if things else {})


def _format_thing(thing: FlowThing) -> str:
    if thing.kind not in NAMED_KINDS:
        return thing.kind
    return f"{thing.kind} {thing.name}{' consumed' if thing.consumed else ''}"


def link_attributes(link: FlowLink) -> dict[str, str]:
    """The attributes of a link."""
    told = {"kind": link.kind}
    if link.key:
        told["key"] = link.key
    if link.length is not None:
        told["length"] = f"{link.length[0]} to {link.length[1]}"
    return told | ({"side": link.side} if link.side else {})
