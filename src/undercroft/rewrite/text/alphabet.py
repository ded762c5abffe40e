"""What the signs of a drawing stand for: tiles of a palette, sets of tiles, and `?`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from undercroft.core.palette import Palette, Tile
from undercroft.errors import BadInput, nearest
from undercroft.rewrite.model.program import ANY, KEEP
from undercroft.rewrite.text.lines import RESERVED, Part, bad
from undercroft.rewrite.text.names import spoken

MOST_LISTED = 24
_PICO_8 = (
    *("#000000", "#fff1e8", "#c2c3c7", "#5f574f", "#ff004d", "#ffa300", "#ffec27", "#00e436"),
    *("#29adff", "#008751", "#1d2b53", "#7e2553", "#83769c", "#ff77a8", "#ffccaa", "#ab5236"),
)
LETTERCOLOURS: Mapping[str, str] = dict(zip("BWADROYGUEIPSKFN", _PICO_8, strict=True))
"""The colours of letters: those of the PICO-8, under the letters that MarkovJunior gives them."""
_OR = re.compile(r"(?<![^ ])or(?![^ ])")


class Alphabet:
    """A palette and the sets that were named so far."""

    def __init__(self, palette: Palette, things: int = 0) -> None:
        self.palette = palette
        self.things = things
        """The tiles that stand for things, as a set."""
        self.sets: dict[str, int] = {}

    def spells(self, word: str) -> bool:
        """Whether a word could be a row of tiles."""
        return all(sign in self.palette or sign in self.sets for sign in word)

    def wanted(self, cell: Part) -> int:
        """A cell of a pattern as a set of tiles."""
        if cell.text == "?":
            return ANY
        if len(cell.text) > 1:
            return self.expression(cell.cut(1, -1))
        if cell.text in self.sets:
            return self.sets[cell.text]
        return 1 << self._sign(cell)

    def written(self, cell: Part) -> int:
        """A cell of a result as a tile, or `KEEP`. A set of one tile is that tile."""
        if cell.text == "?":
            return KEEP
        tiles = self.wanted(cell)
        if tiles.bit_count() != 1:
            raise bad(
                cell,
                f"{cell.text[:40]!r} is a set of tiles, and a result writes one tile",
                "write one of its tiles, or ? to keep what stands there",
            )
        return tiles.bit_length() - 1

    def exact(self, cell: Part) -> int:
        """A cell of a map: one tile."""
        if cell.text == "?":
            raise bad(cell, "'?' stands in a map, where every cell is one tile", "write the tile that stands there")
        return self.written(cell)

    def tile(self, part: Part) -> int:
        """A tile by its sign or its name."""
        word = spoken(part, "tile")
        if word in self.palette:
            return self.palette[word]
        if self.sets.get(word, 0).bit_count() == 1:
            return self.sets[word].bit_length() - 1
        if word in self.sets:
            raise bad(part, f"{word[:40]!r} is a set of tiles, and this is one tile", f"write one of {self._listed()}")
        raise self._unknown(part, word)

    def _sign(self, cell: Part) -> int:
        if cell.text in self.palette:
            return self.palette[cell.text]
        if cell.text == "*":
            raise bad(cell, "unknown tile '*'", "write ? for any tile, and ? in a result to keep what stands there")
        if cell.text == ",":
            raise bad(cell, "unknown tile ','", "options follow after a comma and a blank")
        if cell.text == "{":
            raise bad(cell, "braces stand in rules on one line only", "give the set a name of one letter")
        raise self._unknown(cell, cell.text)

    def _unknown(self, part: Part, word: str, what: str = "tile") -> BadInput:
        swapped = word.swapcase()
        if len(word) == 1 and (swapped in self.palette or swapped in self.sets):
            return bad(part, f"unknown {what} {word!r}", f"did you mean {swapped!r}?")
        near = nearest(word, [*(tile.name for tile in self.palette.tiles), *self.sets]) if len(word) > 1 else ""
        if near:
            return bad(part, f"unknown {what} {word!r}", f"did you mean {near!r}?")
        return bad(part, f"unknown {what} {word[:40]!r}", f"the palette has {self._listed()}")

    def _listed(self) -> str:
        """The signs and names of the palette, and the sets."""
        tiles = [
            f"{sign} {tile.name}" if sign != tile.name else sign
            for tile, sign in zip(self.palette.tiles, signs(self.palette), strict=True)
        ]
        more = f", and {len(tiles) - MOST_LISTED} more" if len(tiles) > MOST_LISTED else ""
        sets = f"; sets: {', '.join(list(self.sets)[:MOST_LISTED])}" if self.sets else ""
        return ", ".join(tiles[:MOST_LISTED]) + more + sets

    def expression(self, part: Part) -> int:
        """`# or X`, `not # or X`: tiles and sets by sign or name. `not` turns all of it round."""
        negated = part.text == "not" or part.text.startswith("not ")
        if negated:
            part = part.cut(3)
        tiles = 0
        for item in _items(part):
            tiles |= self._item(item)
        return ANY ^ tiles if negated else tiles

    def _item(self, item: Part) -> int:
        if not item.text:
            raise bad(
                item, "a tile is missing in this set", "write tiles or sets with 'or' between them, for example # or X"
            )
        if item.text == "?":
            return ANY
        word = item.text if item.text == '"' else spoken(item, "tile")
        if word in self.sets and not item.text.startswith('"'):
            return self.sets[word]
        if word in self.palette:
            return 1 << self.palette[word]
        apart = [sign for sign in re.split(r"[ ,|]+|", word) if sign]
        if len(apart) > 1 and all(sign in self.palette or sign in self.sets for sign in apart):
            raise bad(
                item,
                f"unknown tile or set {word[:40]!r}",
                f"write 'or' between tiles: {' or '.join(apart[:MOST_LISTED])}",
            )
        raise self._unknown(item, word, "tile or set")

    def name_set(self, part: Part, tiles: int) -> None:
        """Give a set its name."""
        name = part.text
        if len(name) == 1 and (name in RESERVED or name == "="):
            raise bad(part, f"a set cannot be called {name!r}, which has a meaning of its own", "take another letter")
        if not name or (len(name) > 1 and not re.fullmatch(r"[^\W\d][\w-]*", name)) or name in {"or", "not"}:
            raise bad(
                part,
                f"{name[:40]!r} is no name for a set",
                "take one letter or sign, or a word of letters, digits and -",
            )
        if name in self.palette:
            raise bad(
                part,
                f"{name[:40]!r} is a tile already ({self.palette.tiles[self.palette[name]].name})",
                "give the set another name",
            )
        if name in self.sets:
            raise bad(part, f"there is a set {name[:40]!r} already", "give each set its own name")
        self.sets[name] = tiles


def _items(part: Part) -> list[Part]:
    """What stands between the words `or`, with quotes respected."""
    hidden = re.sub(r'(?<![^ ])"(?:[^"\\]|\\.)*"', lambda found: "x" * len(found[0]), part.text)
    items = []
    start = 0
    for found in _OR.finditer(hidden):
        items.append(part.cut(start, found.start()))
        start = found.end()
    items.append(part.cut(start))
    return items


def signs(palette: Palette) -> list[str]:
    """For each tile a sign that a drawing can show: its glyph or an alias; empty if all of them have a meaning of their
    own.

    >>> from undercroft.core.palette import STANDARD
    >>> "".join(signs(STANDARD))
    "X#.,+'LS~:o<>"
    """
    return [next(iter(usable(tile)), "") for tile in palette.tiles]


def usable(tile: Tile) -> list[str]:
    """The signs of a tile that a drawing can show: its glyph and its aliases, but for those with a meaning of their
    own.
    """
    return [sign for sign in (tile.glyph, *tile.aliases) if sign == "," or (sign != " " and sign not in RESERVED)]


def letters(text: str) -> Palette:
    """A palette in which each letter is a tile of its own, and all of them are floor.

    >>> letters("BW")["W"]
    1
    """
    return Palette(
        [
            Tile(sign, "floor", sign, sign, LETTERCOLOURS.get(sign, "#888888"), walkable=True, opaque=False)
            for sign in text
        ],
        "letters",
    )
