"""Write levels as PNG pictures."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.shared.drawn_texts import list_drawn_texts
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin, parse_origin

if TYPE_CHECKING:
    from PIL import Image

MAX_UNPACKED_PIXELS = 1 << 22
"""The most pixels of a picture that is read to its end, where other programs may put the note."""


def dump(level: Level, *, font: Any = None, **options: Any) -> bytes:
    """The level as a picture; the options are those of `draw.styles.picture`. The text chunk `undercroft` holds its
    provenance. A `tileset` implies the style `pixels`. `font` is a font file for letters that we lack.
    """
    from undercroft.draw.pen.font_file import use_font
    from undercroft.draw.styles.table import TILESET_STYLE, render_picture

    if "tileset" in options:
        options = {"style": TILESET_STYLE, **options}
    with use_font(font, *list_drawn_texts(level)):
        return _encode_png(level, render_picture(level, **options))


def dump_graph(level: Level, **options: Any) -> bytes:
    """The graph of the level over its map; the options are those of `draw.graph_picture`. A level without regions is
    surveyed first.
    """
    from undercroft.analysis.survey import surveyed
    from undercroft.draw.styles.graph_picture import render_graph_picture

    return _encode_png(level, render_graph_picture(level if len(level.regions) else surveyed(level), **options))


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a picture that undercroft wrote."""
    from PIL.PngImagePlugin import PngImageFile

    try:
        with warnings.catch_warnings(action="ignore"):  # Pillow warns of chunks that it skips
            image = PngImageFile(io.BytesIO(data))  # reads only up to the first pixels, whatever size the header claims
            note = image.info.get(ORIGIN_KEY)
            if note is None and image.width * image.height <= MAX_UNPACKED_PIXELS:
                note = image.text.get(ORIGIN_KEY)
    except MemoryError:
        raise
    except Exception as error:  # Pillow does not document which errors broken chunks raise
        raise BadInput(f"{file}: this is no PNG picture", fix="name a picture that undercroft made") from error
    return parse_origin(str(note or ""), file, "picture")


def _encode_png(level: Level, image: Image.Image) -> bytes:
    from PIL.PngImagePlugin import PngInfo

    notes = PngInfo()
    if level.provenance:
        notes.add_itxt(ORIGIN_KEY, format_origin(level))
    file = io.BytesIO()
    image.save(file, "PNG", pnginfo=notes)
    return file.getvalue()
