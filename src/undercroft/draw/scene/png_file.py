"""Write pictures as PNG files, with texts in them."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image
from PIL.PngImagePlugin import PngInfo


def encode_png_file(image: Image.Image, notes: Mapping[str, str] | None = None) -> bytes:
    """The picture as a PNG file. `notes` are stored in it: texts by their names, and a `title` for viewers."""
    texts = PngInfo()
    for name, text in (notes or {}).items():
        texts.add_itxt("Title" if name == "title" else name, text)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True, pnginfo=texts)
    return file.getvalue()
