"""Format and parse the cells of a tile layer of Tiled.

A cell is a number (a *gid*): 0 for none, else the number of a tile, counted through all tilesets from 1. Its upper four
bits hold how the tile is turned.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import BadInput
from undercroft.inputs.values import CheckedValue, quote_name

Gids = NDArray[np.uint32]

TURN_BITS = 0xF0000000
"""The bits that hold how a tile is turned: mirrored, upside down, along the diagonal, and for hexagons."""
CHUNK_CELLS = 1 << 20
"""The number of cells to process at a time, which bounds the memory."""
COMPRESSION_LEVEL = 3
"""Grids of this kind compress nearly as well as at level 9, in a tenth of the time."""
NUMBERS_PATTERN = re.compile(rb"\s*+\d{1,10}\s*+(?:,\s*+\d{1,10}\s*+)*+,?\s*+")
BLANKS_PATTERN = re.compile(r"\s+")


def format_csv(cells: NDArray[Any]) -> bytes:
    """Numbers with commas between them, one line per row.

    >>> print(format_csv(np.array([[1, 20], [300, 0]])).decode())
    1,20,
    300,0
    """
    height, width = cells.shape
    words = [b"%d," % number for number in range(int(cells.max()) + 1)]
    size = 4 if len(words[-1]) <= 4 else 8
    # Each cell is looked up as a word of fixed size, padded with zeros, which are dropped at the end.
    table = np.array([*words, b"\n"], f"S{size}").view(f"u{size}")
    step = max(1, CHUNK_CELLS // width)
    parts: list[bytes] = []
    for top in range(0, height, step):
        rows = cells[top : top + step]
        page = np.full((len(rows), width + 1), table[-1])
        np.take(table, rows, out=page[:, :width], mode="clip")
        parts.append(page.tobytes().translate(None, b"\0"))
    return b"".join(parts)[:-2]


def pack_base64(cells: NDArray[Any]) -> bytes:
    """The numbers as four little-endian bytes each, compressed with zlib and encoded in base64."""
    return base64.b64encode(zlib.compress(cells.astype("<u4").tobytes(), COMPRESSION_LEVEL))


def read_cells(data: CheckedValue, encoding: str, compression: str, width: int, height: int) -> Gids:
    """The numbers of a layer or chunk, row by row; `data` is a text, or a list of numbers."""
    if type(data.value) is list:
        return _to_grid(_read_list(data), data, width, height)
    text = data.text()
    if encoding == "csv":
        return _to_grid(_read_csv(text, data, width, height), data, width, height)
    if encoding == "base64":
        return _to_grid(_read_base64(text, compression, data, 4 * width * height), data, width, height)
    raise data.error(f"unknown encoding {quote_name(encoding)}", "save the map with the tile layer format CSV")


def _to_grid(numbers: NDArray[Any], data: CheckedValue, width: int, height: int) -> Gids:
    if len(numbers) != width * height:
        raise _count_error(len(numbers), data, width, height)
    return (numbers & ~np.uint32(TURN_BITS)).reshape(height, width)


def _count_error(count: int, data: CheckedValue, width: int, height: int) -> BadInput:
    return data.error(f"there are {count:,} cells where {width:,}x{height:,} belong", "save the map again in Tiled")


def _read_list(data: CheckedValue) -> NDArray[np.uint32]:
    """Numbers of a list, as in JSON and in the oldest maps."""
    values = data.list()
    if set(map(type, values)) <= {int} and min(values, default=0) >= 0 and max(values, default=0) <= 0xFFFFFFFF:
        return np.array(values, np.uint32)
    strange = next(value for value in values if type(value) is not int or not 0 <= value <= 0xFFFFFFFF)
    raise data.error(f"{quote_name(strange)} is no tile number", "save the map again in Tiled")


def _read_csv(text: str, data: CheckedValue, width: int, height: int) -> NDArray[np.uint32]:
    commas = text.count(",")
    if commas > width * height:
        raise _count_error(commas + (not text.rstrip().endswith(",")), data, width, height)
    code = text.encode("ascii", "replace")
    if not NUMBERS_PATTERN.fullmatch(code):
        raise data.error("the cells are not numbers with commas between", "save the map again in Tiled")
    numbers = np.fromstring(code.rstrip().removesuffix(b",").decode(), np.int64, sep=",")
    if int(numbers.max()) > 0xFFFFFFFF:
        raise data.error(f"{int(numbers.max())} is no tile number", "save the map again in Tiled")
    return numbers.astype(np.uint32)


def _read_base64(text: str, compression: str, data: CheckedValue, size: int) -> NDArray[np.uint32]:
    try:
        code = base64.b64decode(BLANKS_PATTERN.sub("", text), validate=True)
    except (binascii.Error, ValueError):
        raise data.error("the cells are not base64", "save the map again in Tiled") from None
    if compression in ("zlib", "gzip"):
        code = _decompress(code, 15 if compression == "zlib" else 31, data, size)
    elif compression == "zstd":
        raise data.error(
            "the cells are compressed by zstd, which is not read here",
            "in Tiled, set Map > Map Properties > Tile Layer Format to CSV or zlib",
        )
    elif compression:
        raise data.error(
            f"unknown compression {quote_name(compression)}", "save the map with the tile layer format CSV"
        )
    if len(code) % 4:
        raise data.error(
            f"the cells have {len(code):,} bytes, which is no multiple of 4", "save the map again in Tiled"
        )
    return np.frombuffer(code, "<u4")


def _decompress(code: bytes, window: int, data: CheckedValue, size: int) -> bytes:
    """Unpacked bytes, at most one more than expected."""
    unpacking = zlib.decompressobj(window)
    try:
        cells = unpacking.decompress(code, size + 1)
    except zlib.error:
        raise data.error("the compressed cells are broken", "save the map again in Tiled") from None
    if len(cells) > size:
        raise data.error(
            f"there are more cells than the {size // 4:,} that belong there", "save the map again in Tiled"
        )
    if not unpacking.eof:
        raise _truncated_error(data)
    return cells


def _truncated_error(data: CheckedValue) -> BadInput:
    return data.error("the compressed cells end too early", "save the map again in Tiled")
