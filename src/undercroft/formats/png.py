"""Levels as PNG pictures."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from undercroft.core.level import Level
from undercroft.errors import BadInput
from undercroft.formats.checked import plain
from undercroft.formats.native import text

if TYPE_CHECKING:
    from PIL import Image


def dump(level: Level, **options: Any) -> bytes:
    """The level as a picture; the options are those of `draw.styles.picture`. Where it came from is kept as the text `undercroft`."""
    from undercroft.draw.styles import picture

    return _written(level, picture(level, **options))


def dump_graph(level: Level, **options: Any) -> bytes:
    """The graph of the level over its map; the options are those of `draw.graph_picture`. A level whose regions nobody has found yet is surveyed first."""
    from undercroft.analysis.survey import surveyed
    from undercroft.draw.graph_picture import graph_picture

    return _written(level, graph_picture(level if len(level.regions) else surveyed(level), **options))


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a picture of ours was made."""
    from PIL import Image

    from undercroft.formats.guard import parsed

    try:
        notes = getattr(Image.open(io.BytesIO(data), formats=["PNG"]), "text", {})
    except (OSError, ValueError, SyntaxError) as error:
        raise BadInput(f"{file}: this is no PNG picture", fix="name a picture that undercroft made") from error
    made = parsed(notes["undercroft"].encode(), file) if "undercroft" in notes else None
    if not isinstance(made, dict):
        raise BadInput(f"{file}: the picture does not tell how it was made", fix="name a picture that undercroft made")
    return made


def _written(level: Level, image: Image.Image) -> bytes:
    from PIL.PngImagePlugin import PngInfo

    notes = PngInfo()
    if level.provenance:
        notes.add_itxt("undercroft", text(plain(level.provenance, "provenance")))
    file = io.BytesIO()
    image.save(file, "PNG", pnginfo=notes)
    return file.getvalue()
