"""Parse lines such as `slot chest = c, on floor`: a name, a sign, and its tile."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from undercroft.core.palette import DOOR_ROLES, Palette
from undercroft.errors import unknown_name_error
from undercroft.inputs.lines import LinePart

SOCKET_ROLES = (*DOOR_ROLES, "floor", "corridor")
"""The tile roles that a joined socket may become."""

_DECLARATION = re.compile(r"(?P<name>.*?) = *(?P<sign>\S+?)? *(?:,(?P<rest>.*))?")


class Declaration(NamedTuple):
    """A parsed declaration; `rest` is the part after the comma."""

    name: str
    sign: str
    rest: LinePart | None


def parse_slot(part: LinePart, palette: Palette, taken: Mapping[str, Any]) -> tuple[str, str, int]:
    """Parse the sign, the kind and the tile of a line such as `slot chest = c, on floor`."""
    name, sign, rest = _parse_declaration(part, "slot", "slot chest = c", palette, taken)
    return sign, name, _resolve_slot_tile(rest, palette)


def parse_socket(part: LinePart, palette: Palette, taken: Mapping[str, Any]) -> tuple[str, str, int]:
    """Parse the sign, the kind and the tile of a line such as `socket gate = G, opening`."""
    name, sign, rest = _parse_declaration(part, "socket", "socket gate = G, opening", palette, taken)
    return sign, name, _resolve_socket_tile(rest, palette)


def _parse_declaration(
    part: LinePart, what: str, example: str, palette: Palette, taken: Mapping[str, Any]
) -> Declaration:
    """Parse the name, the sign and the rest of `NAME = SIGN, REST`; `taken` holds the signs in use, with marks."""
    found = _DECLARATION.fullmatch(part.text)
    if not found or not found["name"].strip() or not found["sign"]:
        raise part.error(f"a {what} has a name and a sign", f"for example {example}")
    sign, name = part.cut(*found.span("sign")), " ".join(found["name"].split())
    if len(sign.text) != 1:
        raise sign.error(f"a sign is one character, not {sign.text[:20]!r}", f"for example {example}")
    if sign.text in palette:
        raise sign.error(
            f"{sign.text!r} is the sign of the tile {palette.tiles[palette[sign.text]].name!r}", "choose another sign"
        )
    if sign.text in taken:
        raise sign.error(f"{sign.text!r} stands for {taken[sign.text].kind!r} already", "choose another sign")
    return Declaration(name[:60], sign.text, part.cut(*found.span("rest")) if found["rest"] is not None else None)


def _resolve_slot_tile(rest: LinePart | None, palette: Palette) -> int:
    """The tile under a slot: floor, or the one that `on TILE` names."""
    if rest is None:
        return palette.role("floor")
    if not rest.text.startswith("on "):
        raise rest.error(f"unknown word {rest.text[:40]!r} about a slot", "write slot NAME = SIGN, on TILE")
    named = rest.cut(3)
    if named.text not in palette:
        raise unknown_name_error("tile", named.text[:40], [one.name for one in palette.tiles], place=named.place())
    tile = palette[named.text]
    if not palette.walkable[tile] or palette.roles[tile] in DOOR_ROLES:
        raise named.error(
            f"nothing can be put on {palette.tiles[tile].name!r}", "name a tile to stand on, such as floor"
        )
    return tile


def _resolve_socket_tile(rest: LinePart | None, palette: Palette) -> int:
    """The tile that a joined socket becomes: a door, or the tile of the named role."""
    role = "door" if rest is None else rest.text
    if role not in SOCKET_ROLES:
        assert rest is not None
        raise unknown_name_error("role of a socket", role[:40], SOCKET_ROLES, place=rest.place())
    return palette.role(role)
