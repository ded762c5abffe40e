"""Glyphs of text maps that stand for things: the table `[things]` of a palette file."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from undercroft.core.frozen import EMPTY_TABLE, freeze
from undercroft.errors import BadInput
from undercroft.inputs.arguments import require_table, require_text, require_type
from undercroft.inputs.values import CheckedValue


class ThingGlyph(NamedTuple):
    """A thing that a glyph stands for, and the tile below it."""

    kind: str
    """What it is: chest, key, rat ..."""
    on: str = ""
    """The name of the tile that it stands on; empty for the first tile with the role floor."""
    data: Mapping[str, Any] = EMPTY_TABLE
    """What else is known of it, such as the lock that a key opens."""


_FIX = 'leave them out, or read them from a file: [things] with k = {thing = "key", on = "floor"}'


def check_thing_glyphs(
    things: Mapping[str, ThingGlyph], known: Container[str], roles: Container[str], palette: str
) -> Mapping[str, ThingGlyph]:
    """The glyphs, read-only. Raises if a glyph is none or stands for a tile too, or if a thing stands on no tile.
    `known` holds the names and glyphs of the tiles.
    """
    require_table(f"things of palette {palette!r}", things, _FIX)
    for glyph, thing in things.items():
        require_type(f"a thing of palette {palette!r}", thing, ThingGlyph, "a ThingGlyph", _FIX)
        require_text(f"the glyph of a thing of palette {palette!r}", glyph)
        require_text(f"the kind of a thing of palette {palette!r}", thing.kind)
        if len(glyph) != 1 or not glyph.isprintable() or glyph == " ":
            raise BadInput(
                f"palette {palette!r}: {glyph!r} of the thing {thing.kind!r} is not one visible character",
                fix="give a single sign that can be seen",
            )
        if glyph in known:
            raise BadInput(
                f"palette {palette!r}: {glyph!r} stands for a tile and for the thing {thing.kind!r}",
                fix="give each its own",
            )
        if thing.on and thing.on not in known:
            raise BadInput(
                f"palette {palette!r}: the thing {thing.kind!r} stands on {thing.on!r}, and there is no such tile",
                fix='name a tile, for example on = "floor"',
            )
        if not thing.on and "floor" not in roles:
            raise BadInput(
                f"palette {palette!r}: the thing {thing.kind!r} stands on no tile, and none has the role floor",
                fix='name its tile: on = "..."',
            )
    return MappingProxyType({glyph: thing._replace(data=freeze(thing.data)) for glyph, thing in things.items()})


def parse_thing_glyphs(table: CheckedValue, tiles: Sequence[str]) -> dict[str, ThingGlyph]:
    """The things of a palette file: `k = {thing = "key", on = "floor", data = {opens = "red"}}`, or `r = "rat"`.
    `tiles` are the names of the palette's tiles.
    """
    found: dict[str, ThingGlyph] = {}
    for glyph in table.table():
        row = table.key(glyph)
        if isinstance(row.value, str):
            row = row.replaced({"thing": row.value})
        elif not isinstance(row.value, dict):
            raise row.error(
                f"{glyph!r} stands for a thing, not for {row.describe()}",
                fix=f'write {glyph} = {{thing = "key", on = "floor"}}, or {glyph} = "key"',
            )
        row.table(("thing", "on", "data"), ("thing",))
        for key in ("thing", "on"):
            if key in row.value and not row.key(key).text():
                raise row.key(key).error(f"{key!r} is empty", fix="name it, or leave it out")
        if row.value.get("on", tiles[0]) not in tiles:
            raise row.key("on").unknown_name("tile", tiles)
        data = row.subtable("data")
        for name in data.value:
            _check_plain(data.key(name))
        found[glyph] = ThingGlyph(row.value["thing"], row.value.get("on", ""), freeze(data.value))
    return found


def _check_plain(value: CheckedValue) -> None:
    """Raise unless this is a text, a number, true or false, or a list or table of such."""
    if isinstance(value.value, list):
        for inner in value.items():
            _check_plain(inner)
    elif isinstance(value.value, dict):
        for name in value.value:
            _check_plain(value.key(name))
    elif not isinstance(value.value, (str, int, float)):
        raise value.mismatch("a text, a number, true or false, or a list or table of these")
