"""Parse and format a file's own tiles and things: `tile altar = a, pillar` and `thing key = k, on ., opens = "red"`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from undercroft import limits
from undercroft.core import ports
from undercroft.core.palette import ROLES, STANDARD, Palette, Tile
from undercroft.errors import BadInput, find_similar_word
from undercroft.inputs.lines import LinePart, skip_quotes
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import ThingTile
from undercroft.rewrite.text.alphabet import build_letter_palette
from undercroft.rewrite.text.lines import RESERVED_SIGNS
from undercroft.rewrite.text.names import format_tile_name, parse_name, quoted

_LINE_FORMS = {
    "tile": "write tile NAME = SIGN, ROLE; for example tile altar = a, pillar",
    "thing": "write thing NAME = SIGN, on TILE; for example thing rat = r, on .",
    "data": 'write NAME = VALUE with a number, true, false or a text in quotes; for example opens = "red"',
}
_FIELD_WORDS = {
    "tile": (
        "face",
        "colour",
        "aliases",
        "turned",
        "mirrored",
        "ports",
        "walkable",
        "not walkable",
        "opaque",
        "not opaque",
    ),
    "thing": ("on", "face", "colour"),
}
_DEFAULT_COLOUR = "#888888"
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_DATA = re.compile(r"([\w-]{1,40}) *= *")
_NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,15})?([eE][+-]?\d{1,3})?")
ThingData = tuple[tuple[str, str | int | float | bool], ...]
_EQUALS = re.compile(r"(?<![^ ])=(?![^ ])")


def parse_letter_tiles(part: LinePart) -> tuple[Tile, ...]:
    """Parse the tiles of `palette letters BWARG`."""
    for at, sign in enumerate(part.text):
        if sign in RESERVED_SIGNS or sign == " ":
            raise part.error(
                f"{sign!r} cannot be a letter of the palette",
                "list letters without blanks, for example BWARG",
                offset=at,
            )
        if sign in part.text[:at]:
            raise part.error(f"the letter {sign!r} stands there twice", "list each letter once", offset=at)
    if not part.text:
        raise part.error(
            "'palette letters' names no letters", "list them, the one that fills the map first, for example BWARG"
        )
    return build_letter_palette(part.text).tiles


def parse_tile_line(part: LinePart) -> Tile:
    """Parse `tile NAME = SIGN, ROLE, more`: a tile of the file's own."""
    name, pieces = _split_declaration(part, "tile")
    if not name or len(pieces) < 2:
        raise part.error("a tile line has a name, a sign and a role", _LINE_FORMS["tile"])
    role = ROLES.get(pieces[1].text)
    if role is None:
        near = find_similar_word(pieces[1].text, ROLES)
        raise pieces[1].error(
            f"unknown role {pieces[1].text[:40]!r}",
            f"did you mean {near!r}?" if near else f"one of: {', '.join(ROLES)}",
        )
    sign = _parse_sign(pieces[0])
    usual = {"face": sign, "colour": _DEFAULT_COLOUR, "walkable": role.walkable, "opaque": role.opaque}
    return Tile(name=name, role=pieces[1].text, glyph=sign, **(usual | _parse_fields(pieces[2:], "tile")))  # type: ignore[arg-type]


def parse_thing_line(part: LinePart, tiles: Sequence[Tile], things: Sequence[ThingTile]) -> tuple[Tile, ThingTile]:
    """Parse `thing NAME = SIGN, on TILE, more`, where more may be data, such as `opens = "red"`. Returns the tile that
    stands for the thing, which comes after `tiles`, and what it means.
    """
    name, pieces = _split_declaration(part, "thing")
    if not name or not pieces[0].text:
        raise part.error("a thing line has a name, a sign and a tile to stand on", _LINE_FORMS["thing"])
    sign = _parse_sign(pieces[0])
    told = [piece for piece in pieces[1:] if _is_data(piece)]
    data = _parse_data(told)
    fields = _parse_fields([piece for piece in pieces[1:] if piece not in told], "thing")
    if "on" not in fields:
        raise part.error(f"the tile that {name[:40]!r} stands on is missing", _LINE_FORMS["thing"])
    word = str(fields.pop("on"))
    where = next(piece.cut(2) for piece in pieces if piece.text.startswith("on "))
    codes = {known: code for code, tile in enumerate(tiles) for known in (tile.name, tile.glyph, *tile.aliases)}
    if word not in codes:
        near = find_similar_word(word, [tile.name for tile in tiles])
        raise where.error(
            f"unknown tile {word[:40]!r}",
            f"did you mean {near!r}?" if near else "name a tile of the palette, or of a 'tile' line above",
        )
    code = codes[word]
    if any(code == thing.tile for thing in things):
        raise where.error(f"{tiles[code].name[:40]!r} is a thing itself", "name the tile that both stand on")
    if any((name, data) == (thing.kind, thing.data) for thing in things):
        raise part.error(f"there is a thing {name[:40]!r} already", "give one of them another name, or other data")
    ground = tiles[code]
    usual = {"face": sign, "colour": _DEFAULT_COLOUR}
    return Tile(
        name=_name_thing_tile(name, data, things),
        role=ground.role,
        glyph=sign,
        walkable=ground.walkable,
        opaque=ground.opaque,
        **(usual | fields),  # type: ignore[arg-type]
    ), ThingTile(name, len(tiles), code, data)


def _name_thing_tile(kind: str, data: ThingData, before: Iterable[ThingTile]) -> str:
    """The name of the tile of a thing: the thing's own, with its data if another thing before has that name.

    >>> _name_thing_tile("key", (("opens", "blue"),), [ThingTile("key", 14, 2, (("opens", "red"),))])
    'key opens=blue'
    """
    if all(thing.kind != kind for thing in before):
        return kind
    return " ".join([kind, *(f"{key}={value}" for key, value in data)])


def _is_data(piece: LinePart) -> bool:
    """Whether a part of a thing line is data: `NAME = VALUE`."""
    return bool(_DATA.match(piece.text))


def _parse_data(pieces: Iterable[LinePart]) -> ThingData:
    """Parse data of a thing, in the order of the names."""
    found: dict[str, str | int | float | bool] = {}
    for piece in pieces:
        match = _DATA.match(piece.text)
        assert match is not None
        key, value = match[1], piece.cut(match.end())
        if key in found:
            raise piece.error(f"{key[:40]!r} is given twice for this thing", "keep one of them")
        if value.text.startswith('"'):
            found[key] = parse_name(value, "text")
        elif value.text in {"true", "false"}:
            found[key] = value.text == "true"
        elif _NUMBER.fullmatch(value.text) and math.isfinite(float(value.text)):
            found[key] = float(value.text) if set(value.text) & set(".eE") else int(value.text)
        else:
            raise value.error(f"{value.text[:40]!r} is no value", _LINE_FORMS["data"])
    limits.THING_DATA.check(len(found), "the number of values of a thing")
    return tuple(sorted(found.items()))


def _split_declaration(part: LinePart, what: str) -> tuple[str, list[LinePart]]:
    """The name before `=`, and the parts between commas after it."""
    found = _EQUALS.search(part.text, skip_quotes(part.text, 0) if part.text.startswith('"') else 0)
    if not found:
        problem = f"the '=' of a {what} line needs blanks around it" if "=" in part.text else f"a {what} line needs '='"
        raise part.error(problem, _LINE_FORMS[what])
    return parse_name(part.cut(0, found.start()), "name"), part.cut(found.end()).split(skip=skip_quotes)


def _parse_fields(pieces: list[LinePart], what: str) -> dict[str, str | bool]:
    fields: dict[str, str | bool] = {}
    for piece in pieces:
        key, value = _parse_field(piece, what)
        if key in fields:
            raise piece.error(f"{key!r} is given twice for this {what}", "keep one of them")
        fields[key] = value
    return fields


def _parse_field(piece: LinePart, what: str) -> tuple[str, str | bool]:
    """Parse one field of a tile or a thing into its name and its value."""
    known = _FIELD_WORDS[what]
    key, _, _ = piece.text.partition(" ")
    value = piece.cut(len(key))
    if piece.text in known and key in {"walkable", "opaque"}:
        return key, True
    if key == "not" and f"not {value.text}" in known:
        return value.text, False
    if key not in known or key in {"walkable", "opaque"}:
        near = find_similar_word(piece.text, known)
        raise piece.error(
            f"unknown word {piece.text[:40]!r} about a {what}",
            f"did you mean {near!r}?" if near else f"one of: {', '.join(known)}",
        )
    if not value.text:
        raise piece.error(
            f"something is missing after {key!r}", "write it; a comma is written in quotes, or by its name"
        )
    if key == "face":
        return key, _parse_sign(value)
    if key == "ports":
        return key, _parse_ports(value)
    if key == "colour" and not _COLOUR.fullmatch(value.text):
        raise value.error(f"a colour looks like #a0b1c2, not {value.text[:20]!r}", "write # and six hex digits")
    return key, parse_name(value, key)


def _parse_ports(part: LinePart) -> str:
    if part.text == "none":
        return ""
    if not part.text or set(part.text) - set(ports.SIDES) or len(set(part.text)) < len(part.text):
        raise part.error(
            f"ports are sides of a tile, each once, not {part.text[:20]!r}",
            "write some of N, E, S and W without blanks, or none",
        )
    return ports.sort_sides(part.text)


def _parse_sign(part: LinePart) -> str:
    sign = parse_name(part, "sign")
    if len(sign) != 1 or not sign.isprintable():
        raise part.error(
            f"a tile is drawn as one sign, not {sign[:20]!r}",
            'write a single sign; in quotes if it is a blank, a comma, ; or "',
        )
    return sign


# --- back to text


def format_palette_lines(palette: Palette, things: Sequence[ThingTile]) -> list[str]:
    """The lines of a palette: its known name, then the additional tiles one by one. Things come in the order of their
    tiles.
    """
    grounds = {thing.tile: thing for thing in things}
    if len(grounds) < len(things):
        raise BadInput("two things are drawn as the same tile", fix="give each thing its own tile")
    name, count = _detect_palette(palette)
    if any(code < count or code >= len(palette) for code in grounds):
        raise BadInput("a thing is drawn as a tile that is not its own", fix="add a tile to the palette for each thing")
    lines = [f"palette {name}"]
    for code, tile in enumerate(palette.tiles[count:], count):
        lines.append(
            _format_thing_line(tile, grounds[code], palette, grounds) if code in grounds else _format_tile_line(tile)
        )
    return lines


def _detect_palette(palette: Palette) -> tuple[str, int]:
    """The known palette that this one starts with, and the number of its tiles."""
    for name, known in (("standard", STANDARD), ("grammar", GRAMMAR_PALETTE)):
        if palette.tiles[: len(known)] == known.tiles:
            return name, len(known)
    signs = ""
    for tile in palette.tiles:
        if tile.glyph in RESERVED_SIGNS or tile.glyph == " " or build_letter_palette(tile.glyph).tiles[0] != tile:
            break
        signs += tile.glyph
    return (f"letters {signs}", len(signs)) if signs else ("none", 0)


def _format_tile_line(tile: Tile) -> str:
    """The line of a tile, with all fields that do not follow from its role."""
    role = ROLES.get(tile.role)
    if role is None:
        raise BadInput(f"the tile {tile.name!r} has an unknown role {tile.role!r}", fix=f"one of: {', '.join(ROLES)}")
    said = [_format_sign(tile.glyph), tile.role, *_format_appearance(tile)]
    said += [
        f"{key} {format_tile_name(value)}"
        for key, value in (("aliases", tile.aliases), ("turned", tile.turned), ("mirrored", tile.mirrored))
        if value
    ]
    said += [f"ports {tile.ports}"] if tile.ports else []
    said += ["walkable" if tile.walkable else "not walkable"] if tile.walkable != role.walkable else []
    said += ["opaque" if tile.opaque else "not opaque"] if tile.opaque != role.opaque else []
    return f"tile {format_tile_name(tile.name)} = {', '.join(said)}"


def _format_thing_line(tile: Tile, thing: ThingTile, palette: Palette, grounds: dict[int, ThingTile]) -> str:
    """The line of a thing, with all fields that do not follow from its ground."""
    if not 0 <= thing.ground < thing.tile or thing.ground in grounds:
        raise BadInput(
            f"the thing {thing.kind!r} stands on no tile before its own",
            fix="give it a ground that is a tile before its own, and no thing",
        )
    ground = palette.tiles[thing.ground]
    named = _name_thing_tile(thing.kind, thing.data, (other for code, other in grounds.items() if code < thing.tile))
    plain = Tile(named, ground.role, tile.glyph, tile.face, tile.colour, ground.walkable, ground.opaque)
    if tile != plain:
        raise BadInput(
            f"the tile {tile.name!r} of the thing {thing.kind!r} is not like its ground",
            fix="give it the thing's name, and the role of the ground",
        )
    said = [_format_sign(tile.glyph), f"on {format_tile_name(ground.name)}", *_format_appearance(tile)]
    said += [f"{key} = {_format_data(key, value)}" for key, value in thing.data]
    return f"thing {format_tile_name(thing.kind)} = {', '.join(said)}"


def _format_data(key: str, value: str | int | float | bool) -> str:
    if isinstance(value, bool):
        written = "true" if value else "false"
    else:
        written = quoted(value) if isinstance(value, str) else repr(value)
    if not _DATA.match(f"{key} = ") or (isinstance(value, float) and not _NUMBER.fullmatch(written)):
        raise BadInput(f"{key[:40]!r} = {written[:40]} cannot be written in rules", fix=_LINE_FORMS["data"])
    return written


def _format_appearance(tile: Tile) -> list[str]:
    if not _COLOUR.fullmatch(tile.colour):
        raise BadInput(f"the tile {tile.name!r} has no colour like #a0b1c2", fix="give it one")
    return [f"face {_format_sign(tile.face)}"] * (tile.face != tile.glyph) + [f"colour {tile.colour}"] * (
        tile.colour != _DEFAULT_COLOUR
    )


def _format_sign(sign: str) -> str:
    return quoted(sign) if sign in ' ,;"' else sign
