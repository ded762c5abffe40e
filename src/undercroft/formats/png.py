"""Levels as PNG pictures."""

from __future__ import annotations

import io
from typing import Any

from undercroft.core.level import Level
from undercroft.formats.checked import plain
from undercroft.formats.native import text


def dump(level: Level, **options: Any) -> bytes:
    """The level as a picture; the options are those of `draw.picture.picture`. Where it came from is kept as the text `undercroft`."""
    from PIL.PngImagePlugin import PngInfo

    from undercroft.draw.picture import picture

    notes = PngInfo()
    if level.provenance:
        notes.add_itxt("undercroft", text(plain(level.provenance, "provenance")))
    file = io.BytesIO()
    picture(level, **options).save(file, "PNG", pnginfo=notes)
    return file.getvalue()
