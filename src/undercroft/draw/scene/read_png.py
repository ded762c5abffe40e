"""Read the pixels of a PNG picture that somebody gives us. Its size is checked before anything is unpacked."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import BadInput

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def read_png_pixels(
    data: bytes, file: str, check_size: Callable[[int, int], None]
) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """The pixels as red, green, blue and alpha, and the texts of the picture. `check_size` raises if its width and
    height are not acceptable.
    """
    from PIL.Image import DecompressionBombWarning
    from PIL.PngImagePlugin import PngImageFile

    head = data[:24]
    if len(head) < 24 or not head.startswith(SIGNATURE) or head[12:16] != b"IHDR":
        raise BadInput(f"{file}: this is no PNG picture", fix="save it as PNG")
    width, height = struct.unpack(">II", head[16:])
    check_size(width, height)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of chunks that it skips
            warnings.simplefilter("error", DecompressionBombWarning)
            image = PngImageFile(io.BytesIO(data))
            if image.size != (width, height):  # Pillow takes the last header before the pixels
                raise ValueError(f"a second header claims {image.width}x{image.height} pixels")
            image.load()
            return np.asarray(image.convert("RGBA")), dict(image.text)
    except MemoryError:
        raise
    except Exception as error:  # Pillow does not document which errors broken chunks raise
        raise BadInput(f"{file}: the picture is damaged: {error}", fix="save it again as PNG") from error
