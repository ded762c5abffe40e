"""Parse the header lines of a `.rules` text, which define what later nodes use: palette, tiles, sets, defaults,
included files.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePath

from undercroft.core.palette import STANDARD, Palette, Tile
from undercroft.errors import UndercroftError, find_similar_word
from undercroft.inputs import files
from undercroft.inputs.lines import LinePart, skip_quotes
from undercroft.limits import INCLUDES, RULES_BYTES
from undercroft.rewrite.model.grammar_tiles import GRAMMAR_PALETTE
from undercroft.rewrite.model.program import AS_DRAWN, ThingTile, tile_set
from undercroft.rewrite.text.alphabet import Alphabet
from undercroft.rewrite.text.lines import Cursor, split_lines
from undercroft.rewrite.text.names import parse_name
from undercroft.rewrite.text.options import parse_positions
from undercroft.rewrite.text.tile_lines import parse_letter_tiles, parse_thing_line, parse_tile_line

Load = Callable[[str, str], tuple[str, str]]
"""Returns (file, text) for a name that a file mentions: `load(name, file)`."""

_SET_EQUALS = re.compile(r"(?<=[^ ]) +=(?![^ ])")
PALETTE_NAMES = ("standard", "letters", "grammar", "none")


def build_loader(folder: str | Path) -> Load:
    """A loader of files that lie in a folder or below it, and no others."""

    def load(name: str, file: str) -> tuple[str, str]:
        target = files.safe_join(folder, str(PurePath(file).parent.relative_to(folder) / name))
        return str(target), files.read_text(target, RULES_BYTES)

    return load


class ProgramHeader:
    """The definitions of the header lines read so far."""

    def __init__(self, file: str, load: Load | None, palette: Palette) -> None:
        self.name = PurePath(file).stem or "rules"
        self.outside = -1
        self.positions: tuple[int, ...] = AS_DRAWN
        self.things: list[ThingTile] = []
        self._load = load
        self._open_files = [file]
        self._included = 0
        self._tiles = palette.tiles
        self._palette_name = palette.name
        self._own_tiles: list[tuple[LinePart, Tile]] = []
        self._said_palette = False
        self._alphabet: Alphabet | None = None

    def parse_line(self, word: str, rest: LinePart) -> None:
        """Parse one header line."""
        {
            "program": self._parse_program_line,
            "palette": self._parse_palette_line,
            "tile": self._parse_tile_line,
            "thing": self._parse_thing_line,
            "set": self._parse_set_line,
            "outside": self._parse_outside_line,
            "positions": self._parse_positions_line,
        }[word](rest)

    @property
    def depth(self) -> int:
        """The number of open files, each included by the one before."""
        return len(self._open_files)

    def alphabet(self) -> Alphabet:
        """The palette and the sets. After the first call the palette is fixed."""
        if not self._alphabet:
            try:
                palette = STANDARD if self._tiles == STANDARD.tiles else Palette(self._tiles, self._palette_name)
            except UndercroftError as error:
                blamed = [part for part, tile in self._own_tiles if repr(tile.name) in error.problem] + [
                    part for part, _ in self._own_tiles
                ]
                error.place = error.place or (blamed[0].place() if blamed else None)
                raise
            self._alphabet = Alphabet(palette, tile_set(thing.tile for thing in self.things))
        return self._alphabet

    def _parse_program_line(self, rest: LinePart) -> None:
        if not rest.text:
            raise rest.error("the program's name is missing", "write program NAME, or leave the line out")
        name = parse_name(rest, "name")
        if self.depth == 1:
            self.name = name

    def _parse_palette_line(self, rest: LinePart) -> None:
        tiles, name = self._resolve_palette(rest)
        if self._said_palette or self._alphabet or self._own_tiles:
            # an included file may repeat the palette it was drawn with
            if self.depth > 1 and tiles == self._tiles[: len(tiles)]:
                return
            raise rest.error("the palette comes first, and once", "write one 'palette' line, at the top of the file")
        self._tiles, self._palette_name, self._said_palette = tiles, name, True

    def _resolve_palette(self, rest: LinePart) -> tuple[tuple[Tile, ...], str]:
        word = rest.text.partition(" ")[0]
        if word == "letters":
            return parse_letter_tiles(rest.cut(len(word))), word
        if word.startswith('"') or rest.text.endswith(".toml"):
            file, text = self._load_file(rest)
            palette = Palette.parse(text, file)
            return palette.tiles, palette.name
        if rest.text == "standard":
            return STANDARD.tiles, word
        if rest.text == "none":
            return (), "custom"
        if rest.text == "grammar":
            return GRAMMAR_PALETTE.tiles, word
        near = find_similar_word(rest.text, PALETTE_NAMES)
        raise rest.error(
            f"unknown palette {rest.text[:40]!r}",
            f"did you mean {near!r}?" if near else f"one of: {', '.join(PALETTE_NAMES)}, or a file NAME.toml",
        )

    def _parse_tile_line(self, rest: LinePart) -> None:
        self._check_not_late(rest, "tile")
        self._add_tile(rest, parse_tile_line(rest))

    def _parse_thing_line(self, rest: LinePart) -> None:
        self._check_not_late(rest, "thing")
        tile, thing = parse_thing_line(rest, self._tiles, self.things)
        self._add_tile(rest, tile)
        self.things.append(thing)

    def _check_not_late(self, rest: LinePart, what: str) -> None:
        if self._alphabet:
            raise rest.error(
                f"a {what} is named after tiles were used",
                f"write {what!r} lines above all sets, nodes and defaults",
            )

    def _add_tile(self, rest: LinePart, tile: Tile) -> None:
        taken = {word: other.name for other in self._tiles for word in (other.name, other.glyph, *other.aliases)}
        for word in (tile.name, tile.glyph, *tile.aliases):
            if word in taken:
                raise rest.error(
                    f"{word[:40]!r} stands for the tile {taken[word][:40]!r} already",
                    "give each tile its own name and sign",
                )
        self._own_tiles.append((rest, tile))
        self._tiles = (*self._tiles, tile)

    def _parse_set_line(self, rest: LinePart) -> None:
        found = _SET_EQUALS.search(rest.text, skip_quotes(rest.text, 0) if rest.text.startswith('"') else 0)
        if not found:
            problem = "the '=' of a set line needs blanks around it" if "=" in rest.text else "a set line needs '='"
            raise rest.error(problem, "write set NAME = TILE or TILE, for example set s = # or X")
        alphabet = self.alphabet()
        alphabet.name_set(rest.cut(0, found.start()), alphabet.parse_expression(rest.cut(found.end())))

    def _parse_outside_line(self, rest: LinePart) -> None:
        if not rest.text:
            raise rest.error("the tile that stands outside is missing", "write outside X, or outside none")
        self.outside = -1 if rest.text == "none" else self.alphabet().parse_tile(rest)

    def _parse_positions_line(self, rest: LinePart) -> None:
        self.positions = parse_positions(rest)

    def include(self, rest: LinePart, depth: int, read: Callable[[Cursor, int], None]) -> None:
        """Parse another file in place of its `include` line. Its sets stay defined; its defaults end with it."""
        if not rest.text:
            raise rest.error("the file is missing", "write include NAME.rules")
        self._included += 1
        INCLUDES.check(self._included, "the number of included files", rest.place())
        file, text = self._load_file(rest)
        if file in self._open_files:
            raise rest.error(f"{file} is included while it is being read", "take one of the 'include' lines out")
        kept = self.outside, self.positions
        self._open_files.append(file)
        read(Cursor(split_lines(text, file)), depth)
        self._open_files.pop()
        self.outside, self.positions = kept

    def _load_file(self, part: LinePart) -> tuple[str, str]:
        """The label and the text of another file."""
        name = parse_name(part, "file")
        if not self._load:
            raise part.error(
                f"{name[:60]!r} cannot be read: these rules are no file",
                "write it out here, or save the rules as a file beside it",
            )
        try:
            return self._load(name, part.file)
        except UndercroftError as error:
            error.place = error.place or part.place()
            raise
        except ValueError as error:  # a name with a NUL byte
            raise part.error(f"{name[:60]!r} is no name of a file", "check the name") from error
