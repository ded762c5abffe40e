"""Write levels as PDF files for printing: pages with one inch per square, or one page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.shared.drawn_texts import list_drawn_texts
from undercroft.formats.shared.origin import ORIGIN_KEY, check_note, format_origin, parse_origin, strip_backslashes

if TYPE_CHECKING:
    from undercroft.draw.scene.paper import PaperSheet

ORIGIN_PATTERN = re.compile(rb"/undercroft\s*+(?:\(((?:[^()\\]++|\\.)*+)\)|<([0-9A-Fa-f\s]*+)>)", re.DOTALL)
"""The provenance in our files: a text in brackets, or as hex digits. Nothing is matched twice: a file may be large, and
anybody may have written it.
"""

WHITESPACE = b" \t\r\n\f\v"
PAGE_COUNT_PATTERN = re.compile(rb"/Type /Pages /Count ([0-9]+)")
"""The number of pages in our files."""


def dump(
    level: Level,
    *,
    style: str = "print",
    paper: str = "a4",
    show: Iterable[str] = (),
    hide: Iterable[str] = (),
    font: Any = None,
) -> bytes:
    """The level on paper. The style `print` gives a page with the whole map and its key, and pages with one inch per
    square to lay side by side.

    Other styles give one page, and must have a vector form. `paper` is a4, a3, letter or tabloid; `show` and `hide`
    name parts as for pictures. `font` is a font file for letters that we lack.
    """
    from undercroft.draw.pen.font_file import use_font

    with use_font(font, *list_drawn_texts(level)):
        return _dump_pages(level, style, paper, show, hide)


def _dump_pages(level: Level, style: str, paper: str, show: Iterable[str], hide: Iterable[str]) -> bytes:
    if style != "print":
        return _dump_one_page(level, style, paper, show, hide)
    from undercroft.draw.scene.paper import Paper, PaperSheet
    from undercroft.draw.styles.printed.printed import pages
    from undercroft.draw.styles.table import resolve_parts, select_things

    made = pages(*select_things(level, resolve_parts(style, show, hide)), paper)
    return _dump_sheets(
        level, [PaperSheet(page, Paper(paper, page.width, page.height), 1.0, label=page.notes["page"]) for page in made]
    )


def dump_page(
    level: Level,
    *,
    style: str = "print",
    paper: str = "a4",
    show: Iterable[str] = (),
    hide: Iterable[str] = (),
    font: Any = None,
) -> bytes:
    """The level on one page; a key that is too long for it continues on further ones."""
    from undercroft.draw.pen.font_file import use_font

    with use_font(font, *list_drawn_texts(level)):
        return _dump_one_page(level, style, paper, show, hide)


def _dump_one_page(level: Level, style: str, paper: str, show: Iterable[str], hide: Iterable[str]) -> bytes:
    from undercroft.draw.scene.paper import fit_scene, resolve_paper
    from undercroft.draw.styles.table import render_vector, resolve_parts, select_things

    if style != "print":
        return _dump_sheets(level, [fit_scene(render_vector(level, style, show=show, hide=hide), resolve_paper(paper))])
    from undercroft.draw.styles.printed.printed import render_sheets

    drawn, parts = select_things(level, resolve_parts(style, show, hide))
    sheets = render_sheets(drawn, parts, paper)
    return _dump_sheets(level, [sheet._replace(cell=1.0) for sheet in sheets])


def dump_player(level: Level, *, style: str = "print", paper: str = "a4", hide: Iterable[str] = ()) -> bytes:
    """The level on paper for players: without its secrets, numbers, names and key, and without its provenance, which
    would reveal the whole level.
    """
    from undercroft.analysis.player_view import for_players
    from undercroft.draw.styles.table import normalise_parts
    from undercroft.formats.tabletop.picture import PLAYER_HIDDEN_PARTS

    hidden = {*PLAYER_HIDDEN_PARTS, *normalise_parts(hide)}
    return dump(for_players(level), style=style, paper=paper, hide=sorted(hidden))


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a file that undercroft wrote."""
    if not data.startswith(b"%PDF-"):
        raise BadInput(f"{file}: this is no PDF file", fix="name a file that undercroft made")
    found = ORIGIN_PATTERN.search(data)
    if found is None:
        raise BadInput(
            f"{file}: the file does not record how it was made",
            fix="name a file that undercroft made, as it was: other programs drop such notes",
        )
    check_note(found[0], file)
    return parse_origin(_decode_string(found), file, "file")


def count_pages(data: bytes) -> int:
    """The number of pages of a file that undercroft wrote.

    >>> count_pages(dump(Level.parse("#..#"))), count_pages(dump_page(Level.parse("#..#")))
    (2, 1)
    """
    found = PAGE_COUNT_PATTERN.search(data)
    return int(found[1]) if found else 0


def _decode_string(found: re.Match[bytes]) -> bytes:
    """Decode a text of a PDF file to UTF-8."""
    plain_text, digits = found.groups()
    if digits is None:
        return strip_backslashes(plain_text.decode("latin-1")).encode("latin-1")
    packed = digits.translate(None, WHITESPACE)
    return (
        bytes.fromhex((packed + b"0" * (len(packed) % 2)).decode())
        .removeprefix(b"\xfe\xff")
        .decode("utf-16-be", "replace")
        .encode("utf-8", "replace")
    )


def _dump_sheets(level: Level, sheets: list[PaperSheet]) -> bytes:
    from undercroft.draw.scene.pdf import pdf
    from undercroft.draw.view.headings import format_title

    notes = {"title": format_title(level) or "Map"}
    if level.provenance:
        notes[ORIGIN_KEY] = format_origin(level)
    return pdf(sheets, notes)
