"""Write levels as PNG pictures."""

from __future__ import annotations

import io
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.shared.checked import to_json_value
from undercroft.inputs.json import format_json

if TYPE_CHECKING:
    from PIL import Image

MAX_UNPACKED_PIXELS = 1 << 22
"""The most pixels of a picture that is read to its end, where other programs may put the note."""


def dump(level: Level, **options: Any) -> bytes:
    """The level as a picture; the options are those of `draw.styles.picture`. The text chunk `undercroft` holds its
    provenance.
    """
    from undercroft.draw.styles.table import render_picture

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

    from undercroft.inputs.json import parse_json

    try:
        image = PngImageFile(io.BytesIO(data))  # reads only up to the first pixels, whatever size the header claims
        note = image.info.get("undercroft")
        if note is None and image.width * image.height <= MAX_UNPACKED_PIXELS:
            note = image.text.get("undercroft")
    except (OSError, ValueError, SyntaxError, EOFError, struct.error) as error:
        raise BadInput(f"{file}: this is no PNG picture", fix="name a picture that undercroft made") from error
    made = parse_json(str(note).encode("utf-8", "replace"), file) if note else None
    if not isinstance(made, dict):
        raise BadInput(
            f"{file}: the picture does not record how it was made", fix="name a picture that undercroft made"
        )
    return made


def _encode_png(level: Level, image: Image.Image) -> bytes:
    from PIL.PngImagePlugin import PngInfo

    notes = PngInfo()
    if level.provenance:
        notes.add_itxt("undercroft", format_json(to_json_value(level.provenance, "provenance")))
    file = io.BytesIO()
    image.save(file, "PNG", pnginfo=notes)
    return file.getvalue()
