"""The kinds of tiles on a grid: their names, roles and looks, and what each becomes when it is turned or mirrored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core import ports
from undercroft.core.frozen import EMPTY_TABLE
from undercroft.core.thing_glyphs import ThingGlyph, check_thing_glyphs, parse_thing_glyphs
from undercroft.deprecation import RenamedMember
from undercroft.errors import BadInput, unknown_name_error
from undercroft.inputs import files
from undercroft.inputs import toml as guarded_toml
from undercroft.inputs.arguments import require_list, require_name, require_text, require_type
from undercroft.inputs.values import CheckedValue
from undercroft.wording import format_value_briefly

T = TypeVar("T", np.bool_, np.uint8)


def look_up_tiles(table: NDArray[T], tiles: NDArray[np.uint8]) -> NDArray[T]:
    """Look up each tile in a table of 256 bytes; the result is read-only. The same as `table[tiles]`, and several times
    as fast.
    """
    codes = table.tobytes()
    if tiles.size <= TILES_PER_LOOK_UP:
        return np.frombuffer(tiles.tobytes().translate(codes), table.dtype).reshape(tiles.shape)
    # in parts that fit the cache: fresh memory for whole copies of a large map costs more than the look-up
    found, flat = np.empty(tiles.size, table.dtype), tiles.reshape(-1)
    for first in range(0, tiles.size, TILES_PER_LOOK_UP):
        part = slice(first, first + TILES_PER_LOOK_UP)
        found[part] = np.frombuffer(flat[part].tobytes().translate(codes), table.dtype)
    found.setflags(write=False)
    return found.reshape(tiles.shape)


TILES_PER_LOOK_UP = 1 << 16
"""More tiles than this are looked up in parts."""


class Role(NamedTuple):
    """The function of a tile. Steps ask for roles, never for looks."""

    walkable: bool
    opaque: bool
    about: str


ROLES: Mapping[str, Role] = {
    "void": Role(False, True, "nothing: outside the level"),
    "wall": Role(False, True, "rock or masonry"),
    "floor": Role(True, False, "the ground of rooms and caves"),
    "corridor": Role(True, False, "the ground of passages"),
    "door": Role(True, True, "a closed door"),
    "opening": Role(True, False, "a doorway without a door"),
    "locked": Role(True, True, "a door that wants a key"),
    "secret": Role(True, True, "a door that looks like wall"),
    "water": Role(False, False, "too deep to wade"),
    "pit": Role(False, False, "a hole"),
    "pillar": Role(False, False, "an obstacle one can look past"),
    "entry": Role(True, False, "stairs by which one comes"),
    "exit": Role(True, False, "stairs by which one leaves"),
}
DOOR_ROLES = ("opening", "door", "locked", "secret")
STANDING_ROLES = ("pillar", "entry", "exit", *DOOR_ROLES)
"""Roles of tiles that stand on a floor."""
"""Roles of cells between two regions, in the order of `DOOR_STATES`."""
UNSET_COLOUR = "#888888"
"""The colour of tiles that name none."""


class Tile(NamedTuple):
    """One kind of cell."""

    name: str
    """A unique name, such as `locked door`."""
    role: str
    """What it is for: wall, floor, door ..."""
    glyph: str
    """The character that stands for it in text files."""
    face: str
    """The character that people see in a terminal."""
    colour: str
    """Its colour, such as `#3b4252`."""
    walkable: bool
    """Whether one can stand on it."""
    opaque: bool
    """Whether it blocks the view."""
    aliases: str = ""
    """Further characters that are read as this tile."""
    turned: str = ""
    """The tile that this one becomes by a quarter turn clockwise; empty for itself."""
    mirrored: str = ""
    """The tile that this one becomes when left and right are swapped; empty for itself."""
    ports: str = ""
    """The sides that the tile opens to, some of NESW. Where `turned` or `mirrored` is empty, the tile becomes the only
    tile of its role whose ports are the moved ones.
    """


def _check_characters(text: str, what: str) -> None:
    """Raise for half a character, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{what} is {text[:40]!a}, which holds half a character", fix="write it in UTF-8") from None


_TILE_FIX = "for example undercroft.STANDARD.tiles[2]._replace(name='moss', glyph='m')"


def _check_tiles(tiles: Iterable[Tile], palette: str) -> Iterator[Tile]:
    """The tiles, one after the other. Raises at one with a field of a wrong type."""
    for tile in require_list("the tiles of a palette", tiles, "give Tiles, for example undercroft.STANDARD.tiles"):
        require_type(f"a tile of palette {palette!r}", tile, Tile, "a Tile", _TILE_FIX)
        for field, value in tile._asdict().items():
            is_flag = field in ("walkable", "opaque")
            kinds: tuple[type, ...] = (bool, np.bool_, int) if is_flag else (str,)
            words = "True or False" if is_flag else "a text"
            require_type(f"{field!r} of a tile of palette {palette!r}", value, kinds, words, _TILE_FIX)
        if not tile.name:
            raise BadInput(f"a tile of palette {palette!r} has no name", fix=_TILE_FIX)
        _check_characters(tile.name, "the name of a tile")
        yield tile


class Palette:
    """An ordered table of tiles. A tile's code on the grid is its index in the table.

    >>> STANDARD["wall"], STANDARD["#"], STANDARD["X"]
    (1, 1, 0)
    >>> STANDARD.tiles[4].role
    'door'
    """

    __slots__ = (
        "_codes",
        "_hash",
        "_having",
        "faces",
        "glyphs",
        "mirror",
        "name",
        "opaque",
        "roles",
        "things",
        "tiles",
        "turn",
        "walkable",
    )

    def __init__(
        self, tiles: Iterable[Tile], name: str = "custom", things: Mapping[str, ThingGlyph] = EMPTY_TABLE
    ) -> None:
        require_text("the name of a palette", name)
        _check_characters(name, "the name of a palette")
        self.name = name
        """What it is called in errors."""
        self.tiles: tuple[Tile, ...] = tuple(
            tile._replace(ports=ports.sort_sides(tile.ports)) if tile.ports else tile
            for tile in _check_tiles(tiles, name)
        )
        """The tiles in the order of their codes."""
        limits.PALETTE_TILES.check(len(self.tiles), f"palette {name!r}: its number of tiles")
        if not self.tiles:
            raise BadInput(f"palette {name!r} has no tiles", fix="list at least one [[tile]]")
        self._codes: dict[str, int] = {}
        for code, tile in enumerate(self.tiles):
            for sign in (tile.glyph, tile.face, *tile.aliases):
                if len(sign) != 1 or not sign.isprintable():
                    raise BadInput(
                        f"palette {name!r}: {sign!r} of {tile.name!r} is not one printable character",
                        fix="give a single sign that can be seen",
                    )
            for word in {tile.name, tile.glyph, *tile.aliases}:
                if self._codes.setdefault(word, code) != code:
                    raise BadInput(
                        f"palette {name!r}: {word!r} stands for both {self.tiles[self._codes[word]].name!r} and "
                        f"{tile.name!r}",
                        fix="give each tile its own",
                    )
        self.walkable = self._build_flags(tile.walkable for tile in self.tiles)
        """The table code -> one can stand on it."""
        self.opaque = self._build_flags(tile.opaque for tile in self.tiles)
        """The table code -> it blocks the view."""
        self.turn = self._build_movement_table("turned", [tile.turned for tile in self.tiles], 4, ports.QUARTER_TURN)
        """The table code -> code after a quarter turn clockwise."""
        self.mirror = self._build_movement_table("mirrored", [tile.mirrored for tile in self.tiles], 2, ports.MIRROR)
        """The table code -> code with left and right swapped."""
        self.roles = tuple(tile.role for tile in self.tiles)
        """The role of each tile."""
        self.glyphs = np.array([tile.glyph for tile in self.tiles] + ["?"] * (256 - len(self.tiles)))
        """The character of each tile in text files; `?` for codes that are not used."""
        self.faces = tuple(tile.face for tile in self.tiles)
        """The character of each tile in a terminal."""
        self.things = check_thing_glyphs(things, self._codes, self.roles, name)
        """The things that further glyphs of text maps stand for. Palettes are equal if their tiles are."""
        self._hash = hash(self.tiles)
        self._having: dict[tuple[str, ...], NDArray[np.bool_]] = {}

    @staticmethod
    def _build_flags(values: Iterable[bool]) -> NDArray[np.bool_]:
        table = np.zeros(256, bool)
        flags = np.fromiter(values, bool)
        table[: len(flags)] = flags
        table.setflags(write=False)
        return table

    def _build_movement_table(
        self, what: str, names: list[str], order: int, movement: ports.Movement
    ) -> NDArray[np.uint8]:
        """The table code -> code of a movement that gives the identity after `order` times. Names take precedence over
        ports.
        """
        table = np.arange(256, dtype=np.uint8)
        if any(tile.ports for tile in self.tiles):
            table[: len(self)] = ports.find_partners([(tile.role, tile.ports) for tile in self.tiles], movement)
        for code, name in enumerate(names):
            if name:
                table[code] = self.code(name)
                tile, other = self.tiles[code], self.tiles[table[code]]
                if wrong := ports.describe_mismatch(tile.ports, other.ports, movement):
                    raise BadInput(
                        f"palette {self.name!r}: {tile.name!r} {what} is {other.name!r}, which {wrong}",
                        fix=f"leave {what!r} out, or correct the ports of one",
                    )
        again = np.arange(256, dtype=np.uint8)
        for _ in range(order):
            again = table[again]
        for code, tile in enumerate(self.tiles):
            if again[code] != code:
                raise BadInput(
                    f"palette {self.name!r}: {tile.name!r} {what} {order} times is not itself",
                    fix=f"make the '{what}' names a closed ring",
                )
        table.setflags(write=False)
        return table

    def __len__(self) -> int:
        return len(self.tiles)

    def __getitem__(self, word: str) -> int:
        try:
            return self._codes[word]
        except (KeyError, TypeError):
            raise self._unknown_tile_error(word) from None

    def __contains__(self, word: object) -> bool:
        try:
            return word in self._codes
        except TypeError:  # no text: a list, for example
            return False

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Palette) and self.tiles == other.tiles)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<Palette {self.name}: {len(self.tiles)} tiles>"

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and hasattr(self, name):
            raise AttributeError(f"{name} cannot be set; make a new palette")
        object.__setattr__(self, name, value)

    def __reduce__(self) -> Any:
        if self == STANDARD and not self.things:
            return _restore_standard, ()
        return Palette, (self.tiles, self.name, dict(self.things))

    def code(self, word: str) -> int:
        """The code of the tile with that name, glyph or alias."""
        return self[word]

    def _unknown_tile_error(self, word: object) -> BadInput:
        return unknown_name_error("tile", word, (tile.name for tile in self.tiles))

    def role(self, role: str) -> int:
        """The code of the first tile with that role. Steps write tiles through this."""
        try:
            return self.roles.index(role)
        except ValueError:
            raise BadInput(
                f"palette {self.name!r} has no tile with the role {format_value_briefly(role)}",
                fix=f"its roles are {', '.join(dict.fromkeys(self.roles))}",
            ) from None

    @property
    def rock(self) -> NDArray[np.bool_]:
        """The table code -> can be dug: wall and void."""
        return self.role_mask("wall", "void")

    def role_mask(self, *roles: str) -> NDArray[np.bool_]:
        """The table code -> has one of these roles."""
        try:
            return self._having[roles]
        except (KeyError, TypeError):
            for role in roles:
                require_name("role", role, {*ROLES, *self.roles})
        return self._having.setdefault(roles, self._build_flags(role in roles for role in self.roles))

    def merged(self, other: Palette) -> tuple[Palette, NDArray[np.uint8]]:
        """This palette extended with the tiles of `other` whose names it lacks, and the table from the other's codes to
        the new ones.
        """
        require_type("the other palette", other, Palette, "a Palette", "for example undercroft.STANDARD")
        names = {tile.name: code for code, tile in enumerate(self.tiles)}
        tiles = list(self.tiles)
        table = np.zeros(256, np.uint8)
        for code, tile in enumerate(other.tiles):
            if tile.name not in names:
                names[tile.name] = len(tiles)
                tiles.append(tile)
            table[code] = names[tile.name]
        if len(tiles) == len(self):
            return self, table
        if any(tile.ports for tile in tiles[len(self) :]):  # keep each palette's partners by ports
            tiles = [
                *map(self._with_explicit_partners, self.tiles),
                *map(other._with_explicit_partners, tiles[len(self) :]),
            ]
        glyphs = {sign for tile in tiles for sign in (tile.glyph, *tile.aliases)}
        things = {glyph: thing for glyph, thing in self.things.items() if glyph not in glyphs}
        return Palette(tiles, self.name, things), table

    def _with_explicit_partners(self, tile: Tile) -> Tile:
        """The tile, with the names of the tiles that its ports turn and mirror it to."""
        code = self[tile.name]
        turned, mirrored = (
            "" if table[code] == code else self.tiles[table[code]].name for table in (self.turn, self.mirror)
        )
        return tile._replace(turned=tile.turned or turned, mirrored=tile.mirrored or mirrored) if tile.ports else tile

    @classmethod
    def load(cls, path: str) -> Palette:
        """Load a palette from a TOML file: `name`, then one `[[tile]]` for each tile, and in `[things]` the glyphs that
        stand for things.
        """
        return cls.parse(files.read_text(path, limits.TOML_BYTES), str(path))

    @classmethod
    def parse(cls, text: str, file: str) -> Palette:
        """Parse a palette from TOML text. The role gives what a tile leaves out. A palette that lists only things has
        the tiles of the standard palette.
        """
        whole = guarded_toml.parse_toml(text, file).root()
        rows = whole.key("tile")
        if "tile" in whole.value or not whole.value.get("things"):
            if not isinstance(rows.value, list) or not all(isinstance(row, dict) for row in rows.value):
                raise BadInput(
                    "a palette lists its tiles as [[tile]] tables",
                    place=whole.key_place(),
                    fix="begin each tile with a line [[tile]]",
                )
            tiles = tuple(map(_parse_tile, rows.items()))
        else:
            tiles = STANDARD.tiles
        whole.table(("name", "about", "tile", "things"))
        things = parse_thing_glyphs(whole.key("things", {}), [tile.name for tile in tiles]) if tiles else {}
        try:
            return cls(tiles, str(whole.value.get("name", "custom")), things)
        except BadInput as error:
            glyph = next((glyph for glyph in things if f"{glyph!r}" in error.problem), "")
            error.place = error.place or (whole.at("things", glyph).key_place() if glyph else rows.key_place())
            raise

    having = RenamedMember("having", "role_mask")


def _parse_tile(tile: CheckedValue) -> Tile:
    """Parse one `[[tile]]` of a palette file."""
    row = tile.table(Tile._fields)
    for key in row:
        tile.key(key).of_type(bool if key in {"walkable", "opaque"} else str)
    for key in ("name", "role", "glyph"):
        if not row.get(key):
            raise BadInput(f"a tile needs a {key!r}", place=tile.key_place(), fix=f'add a line {key} = "..."')
    role = ROLES[tile.key("role").choice(tuple(ROLES))]
    for key in ("glyph", "face"):
        if key in row and (len(row[key]) != 1 or not row[key].isprintable()):
            raise tile.key(key).mismatch("one character that can be seen", fix="give exactly one")
    colour = row.get("colour", UNSET_COLOUR)
    if len(colour) != 7 or colour[0] != "#" or any(sign not in "0123456789abcdefABCDEF" for sign in colour[1:]):
        raise tile.key("colour").error(f"a colour looks like #a0b1c2, not {colour!r}", "write # and six hex digits")
    try:
        ports.sort_sides(row.get("ports", ""))
    except BadInput as error:
        error.place = tile.key("ports").place()
        raise
    filled = {"face": row["glyph"], "colour": colour, "walkable": role.walkable, "opaque": role.opaque}
    return Tile(**(filled | row))


def _build_tile(name: str, role: str, glyph: str, face: str, colour: str, aliases: str = "") -> Tile:
    return Tile(name, role, glyph, face, colour, ROLES[role].walkable, ROLES[role].opaque, aliases)


def _restore_standard() -> Palette:
    return STANDARD


STANDARD = Palette(
    [
        _build_tile("void", "void", " ", " ", "#0d0f16", "X"),
        _build_tile("wall", "wall", "#", "█", "#3b4252"),
        _build_tile("floor", "floor", ".", "·", "#d8c9a8"),
        _build_tile("corridor", "corridor", ",", "∙", "#b3a385"),
        _build_tile("door", "door", "+", "+", "#c77b30"),
        _build_tile("opening", "opening", "'", "'", "#b58a5a"),
        _build_tile("locked door", "locked", "L", "L", "#d2433a"),
        _build_tile("secret door", "secret", "S", "S", "#8b6bd6"),
        _build_tile("water", "water", "~", "≈", "#4a86b8"),
        _build_tile("pit", "pit", ":", "▒", "#1c1a22"),
        _build_tile("pillar", "pillar", "o", "o", "#8a8f9d"),
        _build_tile("stairs up", "entry", "<", "<", "#3cf0a6"),
        _build_tile("stairs down", "exit", ">", ">", "#ff5470"),
    ],
    "standard",
)
"""The palette of the shipped recipes and of the `text` format."""
