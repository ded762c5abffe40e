"""Resolve the signs of a drawing: tiles of a palette, sets of tiles, and `?`."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping

from undercroft.core.palette import Palette, Tile
from undercroft.errors import BadInput, find_similar_word
from undercroft.inputs.lines import LinePart
from undercroft.rewrite.model.program import ANY, KEEP
from undercroft.rewrite.model.role_sets import EVERY_TILE, PROPERTIES, ROLE_WORDS, role_set
from undercroft.rewrite.text.lines import RESERVED_SIGNS
from undercroft.rewrite.text.names import parse_name

MAX_LISTED_TILES = 24
_PICO_8 = (
    *("#000000", "#fff1e8", "#c2c3c7", "#5f574f", "#ff004d", "#ffa300", "#ffec27", "#00e436"),
    *("#29adff", "#008751", "#1d2b53", "#7e2553", "#83769c", "#ff77a8", "#ffccaa", "#ab5236"),
)
LETTER_COLOURS: Mapping[str, str] = dict(zip("BWADROYGUEIPSKFN", _PICO_8, strict=True))
"""The colours of letters: the PICO-8 palette, with the letters that MarkovJunior uses."""
_OR_WORD = re.compile(r"(?<![^ ])or(?![^ ])")


class Alphabet:
    """A palette and the sets defined so far. Sets are masks as in `model/role_sets.py`."""

    def __init__(self, palette: Palette, things: int = 0) -> None:
        self.palette = palette
        self.things = things
        """The tiles that stand for things, as a set."""
        self.sets: dict[str, int] = {}

    def spells(self, word: str) -> bool:
        """Whether a word could be a row of tiles."""
        return all(sign in self.palette or sign in self.sets for sign in word)

    def parse_pattern_cell(self, cell: LinePart) -> int:
        """Parse a cell of a pattern into a set of tiles."""
        if cell.text == "?":
            return ANY
        if len(cell.text) > 1:
            return self.parse_expression(cell.cut(1, -1))
        if cell.text in self.sets:
            return self.sets[cell.text]
        return 1 << self._parse_sign(cell)

    def parse_result_cell(self, cell: LinePart) -> int:
        """Parse a cell of a result into a tile or `KEEP`. A set of one tile counts as that tile."""
        if cell.text == "?":
            return KEEP
        tiles = self.parse_pattern_cell(cell)
        if tiles.bit_count() != 1:
            raise cell.error(
                f"{cell.text[:40]!r} is a set of tiles, and a result writes one tile",
                "write one of its tiles, or ? to keep what stands there",
            )
        return tiles.bit_length() - 1

    def parse_map_cell(self, cell: LinePart) -> int:
        """Parse a cell of a map into a tile."""
        if cell.text == "?":
            raise cell.error("'?' stands in a map, where every cell is one tile", "write the tile that stands there")
        return self.parse_result_cell(cell)

    def parse_tile(self, part: LinePart) -> int:
        """Parse a tile, given by its sign or its name."""
        word = parse_name(part, "tile")
        if word in self.palette:
            return self.palette[word]
        if self.sets.get(word, 0).bit_count() == 1:
            return self.sets[word].bit_length() - 1
        if word in self.sets:
            raise part.error(
                f"{word[:40]!r} is a set of tiles, and this is one tile", f"write one of {self._describe_tiles()}"
            )
        raise self._unknown_error(part, word)

    def _parse_sign(self, cell: LinePart) -> int:
        if cell.text in self.palette:
            return self.palette[cell.text]
        if cell.text == "*":
            raise cell.error("unknown tile '*'", "write ? for any tile, and ? in a result to keep what stands there")
        if cell.text == ",":
            raise cell.error("unknown tile ','", "options follow after a comma and a blank")
        if cell.text == "{":
            raise cell.error("braces stand in rules on one line only", "give the set a name of one letter")
        raise self._unknown_error(cell, cell.text)

    def _unknown_error(self, part: LinePart, word: str, what: str = "tile") -> BadInput:
        swapped = word.swapcase()
        if len(word) == 1 and (swapped in self.palette or swapped in self.sets):
            return part.error(f"unknown {what} {word!r}", f"did you mean {swapped!r}?")
        known = [*(tile.name for tile in self.palette.tiles), *self.sets, *(ROLE_WORDS if "set" in what else ())]
        near = find_similar_word(word, known) if len(word) > 1 else ""
        if near:
            return part.error(f"unknown {what} {word!r}", f"did you mean {near!r}?")
        return part.error(f"unknown {what} {word[:40]!r}", f"the palette has {self._describe_tiles()}")

    def _describe_tiles(self) -> str:
        """The signs and names of the palette, and the sets."""
        tiles = [
            f"{sign} {tile.name}" if sign != tile.name else sign
            for tile, sign in zip(self.palette.tiles, choose_signs(self.palette), strict=True)
        ]
        more = f", and {len(tiles) - MAX_LISTED_TILES} more" if len(tiles) > MAX_LISTED_TILES else ""
        sets = f"; sets: {', '.join(list(self.sets)[:MAX_LISTED_TILES])}" if self.sets else ""
        return ", ".join(tiles[:MAX_LISTED_TILES]) + more + sets

    def parse_expression(self, part: LinePart) -> int:
        """Parse `# or X`, `not # or X`: tiles and sets by sign or name. `not` negates the whole expression."""
        negated = part.text == "not" or part.text.startswith("not ")
        if negated:
            part = part.cut(3)
        tiles = 0
        for item in _split_items(part):
            tiles |= self._parse_item(item)
        return EVERY_TILE ^ tiles if negated else tiles

    def _parse_item(self, item: LinePart) -> int:
        if not item.text:
            raise item.error(
                "a tile is missing in this set", "write tiles or sets with 'or' between them, for example # or X"
            )
        if item.text == "?":
            return EVERY_TILE
        word = item.text if item.text == '"' else parse_name(item, "tile")
        if word in self.sets and not item.text.startswith('"'):
            return self.sets[word]
        if word in self.palette:
            return 1 << self.palette[word]
        if word in self.sets:
            return self.sets[word]
        role = word.removeprefix("any ")
        if role in ROLE_WORDS:
            return self._parse_role(item, role)
        if role != word and find_similar_word(role, ROLE_WORDS):
            raise item.error(f"unknown role {role[:40]!r}", f"did you mean {find_similar_word(role, ROLE_WORDS)!r}?")
        apart = [sign for sign in re.split(r"[ ,|]+|", word) if sign]
        if len(apart) > 1 and all(sign in self.palette or sign in self.sets for sign in apart):
            raise item.error(
                f"unknown tile or set {word[:40]!r}",
                f"write 'or' between tiles: {' or '.join(apart[:MAX_LISTED_TILES])}",
            )
        raise self._unknown_error(item, word, "tile or set")

    def _parse_role(self, item: LinePart, role: str) -> int:
        """The tiles of a role or a property, of which the palette has at least one."""
        tiles = role_set(role, self.palette)
        if not tiles & ANY:
            what = f"is {role}" if role in PROPERTIES else f"has the role {role!r}"
            raise item.error(f"no tile of the palette {what}", f"the palette has {self._describe_tiles()}")
        return tiles

    def name_set(self, part: LinePart, tiles: int) -> None:
        """Add a set under a name."""
        name = parse_name(part, "set") if part.text != '"' else part.text
        if len(name) == 1 and (name in RESERVED_SIGNS or name == "="):
            raise part.error(f"a set cannot be called {name!r}, which has a meaning of its own", "take another letter")
        if not part.text.startswith('"'):
            _check_set_name(part, name)
        if not name:
            raise part.error("this name is empty", "name the set between the quotes")
        if name in self.palette:
            raise part.error(
                f"{name[:40]!r} is a tile already ({self.palette.tiles[self.palette[name]].name})",
                "give the set another name",
            )
        if name in self.sets:
            raise part.error(f"there is a set {name[:40]!r} already", "give each set its own name")
        self.sets[name] = tiles


def _check_set_name(part: LinePart, name: str) -> None:
    """Refuse a bare name that would be read as something else where the set is used."""
    words = name.split()
    taken = [word for word in words if word in {"or", "not"} or (word == "any" and len(words) > 1)]
    if taken:
        raise part.error(
            f"{name[:40]!r} is no name for a set: {taken[0]!r} has a meaning of its own", "put the name in quotes"
        )
    if len(name) > 1 and not re.fullmatch(r"[^\W\d][\w-]*(?: [\w-]+)*", name):
        raise part.error(
            f"{name[:40]!r} is no name for a set",
            "take one letter or sign, or words of letters, digits and -; any other name stands in quotes",
        )


def _split_items(part: LinePart) -> list[LinePart]:
    """The items between the words `or`, except those in quotes."""
    hidden = re.sub(r'(?<![^ ])"(?:[^"\\]|\\.)*"', lambda found: "x" * len(found[0]), part.text)
    items = []
    start = 0
    for found in _OR_WORD.finditer(hidden):
        items.append(part.cut(start, found.start()))
        start = found.end()
    items.append(part.cut(start))
    return items


@functools.lru_cache(maxsize=16)
def choose_signs(palette: Palette) -> tuple[str, ...]:
    """For each tile a sign that a drawing can use: its glyph or an alias; empty if all of them are reserved.

    >>> from undercroft.core.palette import STANDARD
    >>> "".join(choose_signs(STANDARD))
    "X#.,+'LS~:o<>"
    """
    return tuple(next(iter(list_usable_signs(tile)), "") for tile in palette.tiles)


def list_usable_signs(tile: Tile) -> list[str]:
    """The signs of a tile that a drawing can use: its glyph and its aliases, except reserved ones."""
    return [sign for sign in (tile.glyph, *tile.aliases) if sign == "," or (sign != " " and sign not in RESERVED_SIGNS)]


def build_letter_palette(text: str) -> Palette:
    """A palette in which each letter is a tile of its own, and all of them are floor.

    >>> build_letter_palette("BW")["W"]
    1
    """
    return Palette(
        [
            Tile(sign, "floor", sign, sign, LETTER_COLOURS.get(sign, "#888888"), walkable=True, opaque=False)
            for sign in text
        ],
        "letters",
    )
