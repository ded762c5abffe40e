"""Draw rules as rows of characters, and name them as the timeline does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from undercroft.core.palette import Palette
from undercroft.rewrite.explain.reasons import RuleContext
from undercroft.rewrite.model.program import ANY, KEEP
from undercroft.rewrite.text.alphabet import choose_signs

SET_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγδεζηθικλμνξοπρστυφχψω"


class RuleFormatter:
    """Draws patterns and results. A set of tiles without a character of its own gets a letter, always the same one."""

    def __init__(self, palette: Palette, sets: Mapping[str, int] | None = None) -> None:
        self.palette = palette
        glyphs = [tile.glyph if tile.glyph != " " else "X" if "X" not in palette else "·" for tile in palette.tiles]
        self._signs = [
            sign if len(sign) == 1 else glyph for sign, glyph in zip(choose_signs(palette), glyphs, strict=True)
        ]
        self._named = {mask: name for name, mask in (sets or {}).items() if len(name) == 1}
        self._sets = dict(sets or {})

    def format_pattern(self, cells: Sequence[int], width: int) -> list[str]:
        """A pattern, row by row."""
        return self._split_rows([self._format_set(mask) for mask in cells], width)

    def format_result(self, cells: Sequence[int], width: int) -> list[str]:
        """A result, row by row; ? keeps the old tile."""
        return self._split_rows(["?" if code == KEEP else self._signs[code] for code in cells], width)

    def list_sets(self) -> list[dict[str, Any]]:
        """The sets of tiles that have a name or a letter."""
        return [{"name": name, "of": self._list_tile_names(mask)} for name, mask in self._sets.items()]

    def _format_set(self, mask: int) -> str:
        if mask == ANY:
            return "?"
        if mask.bit_count() == 1:
            return self._signs[mask.bit_length() - 1]
        if mask not in self._named:
            used_signs = {*self._named.values(), *self._signs, *self._sets}
            self._named[mask] = letter = next((sign for sign in SET_LETTERS if sign not in used_signs), "&")
            self._sets[letter] = mask
        return self._named[mask]

    def _list_tile_names(self, mask: int) -> list[str]:
        return [tile.name for code, tile in enumerate(self.palette.tiles) if mask >> code & 1]

    @staticmethod
    def _split_rows(cells: Sequence[str], width: int) -> list[str]:
        return ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]


def timeline_name(context: RuleContext) -> str:
    """The name of a rule in the timeline, without its step."""
    return context.rule.name or context.leaf.name or f"{context.leaf.kind} {context.number}"
