"""Format tiles, sets of tiles and guards for messages, in the words of the language."""

from __future__ import annotations

from undercroft.core.palette import Palette
from undercroft.rewrite.model.program import ANY, Guard
from undercroft.rewrite.text.alphabet import choose_signs
from undercroft.rewrite.text.guards import format_guard

MAX_LISTED_TILES = 8


def format_tile(code: int, palette: Palette) -> str:
    """A tile by its sign in drawings, or by its name if it has none.

    >>> from undercroft.core.palette import STANDARD
    >>> format_tile(0, STANDARD), format_tile(1, STANDARD)
    ('X', '#')
    """
    return choose_signs(palette)[code] or palette.tiles[code].name


def format_tile_set(mask: int, palette: Palette) -> str:
    """A set of tiles as in a one-line rule.

    >>> from undercroft.core.palette import STANDARD
    >>> [format_tile_set(mask, STANDARD) for mask in (0b10, 0b11, ANY, ANY ^ 0b11)]
    ['#', '{X or #}', '?', '{not X or #}']
    """
    if mask == ANY:
        return "?"
    return (
        format_tile(mask.bit_length() - 1, palette)
        if mask.bit_count() == 1
        else f"{{{join_tiles(mask, palette, ' or ')}}}"
    )


def join_tiles(mask: int, palette: Palette, between: str) -> str:
    """The tiles of a set, or a negated list if it goes beyond the palette; long lists are cut."""
    negated = bool(mask >> len(palette))
    names = [format_tile(code, palette) for code in range(len(palette)) if (mask >> code & 1) != negated] or ["?"]
    if len(names) > MAX_LISTED_TILES:
        names[MAX_LISTED_TILES:] = [f"{len(names) - MAX_LISTED_TILES} more"]
    return f"{'not ' * (negated or not mask)}{between.join(names)}"


def format_any_tile(mask: int, palette: Palette) -> str:
    """The first tile of a set that can be drawn."""
    codes = [code for code in range(len(palette)) if mask >> code & 1]
    return next(
        (format_tile(code, palette) for code in codes if choose_signs(palette)[code]), format_tile(codes[0], palette)
    )


def describe_guard(guard: Guard, palette: Palette) -> str:
    """A guard in a message, with the first tiles of each set.

    >>> from undercroft.core.palette import STANDARD
    >>> describe_guard(Guard("connected", 0b1100), STANDARD)
    'keep connected(., ,)'
    """
    return format_guard(guard, lambda mask, between: join_tiles(mask, palette, between))
