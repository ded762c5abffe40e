"""Write levels as SVG files: drawings that stay sharp at any size, without fonts, pictures or scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from undercroft import limits
from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.shared.drawn_texts import list_drawn_texts
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin, parse_origin
from undercroft.formats.shared.xml_note import NoteReader
from undercroft.wording import format_value_briefly

DEFAULT_CELL_PIXELS = 24
"""The initial pixels per cell in viewers."""


def dump(
    level: Level,
    *,
    style: str = "ink",
    cell: int = DEFAULT_CELL_PIXELS,
    show: Iterable[str] = (),
    hide: Iterable[str] = (),
    margin: float | None = None,
    font: Any = None,
) -> bytes:
    """The level as a drawing in one of the styles that have a vector form; the options are those of
    `draw.styles.picture`.

    Its title becomes the file's title, and its provenance is kept as metadata. `font` is a font file for letters that
    we lack.
    """
    from undercroft.draw.pen.font_file import use_font
    from undercroft.draw.scene.svg import svg
    from undercroft.draw.styles.table import render_vector

    if type(cell) is not int or not 1 <= cell <= limits.PICTURE_SIDE.value:
        raise BadInput(
            f"a cell is a whole number of pixels from 1 to {limits.PICTURE_SIDE.value}, "
            f"not {format_value_briefly(cell)}",
            fix="for example cell=24",
        )
    with use_font(font, *list_drawn_texts(level)):
        scene = render_vector(level, style, show=show, hide=hide, margin=margin)
    if level.title:
        scene.notes["title"] = level.title
    if level.provenance:
        scene.notes[ORIGIN_KEY] = format_origin(level)
    return svg(scene, cell)


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a drawing that undercroft wrote. The file is read only up to there; a document
    type, which could define entities, is refused.
    """
    return parse_origin(_SvgNoteReader(file).read_note(data), file, "drawing")


class _SvgNoteReader(NoteReader):
    """Reads a drawing up to the end of its metadata."""

    ROOT, FILE_KIND, FIX = "svg", "drawing", "name a drawing that undercroft made"

    def is_note_element(self, told: dict[str, str]) -> bool:  # noqa: ARG002 - its name is enough
        return self.open[-1] == "metadata"
