"""Read drawings of REXPaint. The expected size is known before anything is unpacked."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.palette import Palette, Tile
from undercroft.core.region import Thing
from undercroft.core.stairs import find_ends
from undercroft.errors import BadInput
from undercroft.formats.rexpaint.cp437 import SIGNS, encode_sign
from undercroft.formats.rexpaint.xp import BLOCK_CELLS, CELL_DTYPE, CLEAR_COLOUR, VERSION


def read_drawing(data: bytes, file: str, palette: Palette) -> Level:
    """The level in a drawing. The first layer is the ground, the second is drawn over it, and signs in further layers
    become things of the kind `mark`.

    A sign stands for the tile with that face, glyph or alias; of several, the one with the sign's colour.
    """
    packed = _GzipReader(data, file)
    version, layers = struct.unpack("<iI", packed.take_bytes(8))
    if version != VERSION:
        raise packed.error(
            f"its version is {version}, and this program reads {VERSION}", "save it with REXPaint 1.02 or newer"
        )
    if not layers:
        raise packed.error("it has no layer", "save the drawing again")
    limits.XP_LAYERS.check(layers, f"{file}: its number of layers")
    blank = palette.code(" ") if " " in palette else 0
    tiles = np.zeros((0, 0), np.uint8)
    things: list[Thing] = []
    for number in range(layers):
        width, height = struct.unpack("<II", packed.take_bytes(8))
        if not number:
            tiles = np.full(_check_size(width, height, packed)[::-1], blank, np.uint8)
        elif (height, width) != tiles.shape:
            raise packed.error(
                f"layer {number + 1} is {width}x{height}, the first is {tiles.shape[1]}x{tiles.shape[0]}",
                "save the drawing again",
            )
        step = max(1, BLOCK_CELLS // height)
        for x in range(0, width, step):
            columns = min(step, width - x)
            cells = (
                np.frombuffer(packed.take_bytes(columns * height * CELL_DTYPE.itemsize), CELL_DTYPE)
                .reshape(columns, height)
                .T
            )
            there = np.logical_or.reduce([cells["ground"][..., part] != CLEAR_COLOUR[part] for part in range(3)])
            if number < 2:
                _draw_layer(tiles[:, x : x + columns], cells, there, palette, (packed, number, x))
            else:
                there &= (cells["sign"] != 32) & (cells["sign"] != 0)
                limits.DRAWING_MARKS.check(len(things) + int(there.sum()), f"{file}: its number of marks")
                things += _read_marks(cells, there, x)
    packed.check_end()
    start, end = find_ends(tiles, palette)
    return Level(tiles, palette, things=sorted(things, key=lambda thing: (thing.y, thing.x)), start=start, end=end)


def _check_size(width: int, height: int, packed: _GzipReader) -> tuple[int, int]:
    if not width or not height:
        raise packed.error(f"it is {width}x{height} and has no cell", "save the drawing again")
    limits.SIDE.check(max(width, height), f"{packed.file}: its longer side")
    limits.CELLS._replace(raise_by="cut the map into parts").check(
        width * height, f"{packed.file}: the number of cells of {width}x{height}"
    )
    return width, height


def _draw_layer(
    tiles: NDArray[np.uint8],
    cells: NDArray[np.void],
    there: NDArray[np.bool_],
    palette: Palette,
    at: tuple[_GzipReader, int, int],
) -> None:
    """Draw the cells of a layer over the tiles."""
    signs = np.where(there, np.minimum(cells["sign"], 256), 32).astype(np.uint16)
    found, twins = _build_tables(palette)
    codes = found[signs]
    for sign, ink, number in twins:
        codes[(signs == sign) & (cells["ink"] == ink).all(axis=2)] = number
    strange = there & (codes == 255)
    if strange.any():
        packed, layer, left = at
        y, x = divmod(int(strange.argmax()), strange.shape[1])
        raise packed.error(
            f"at ({left + x}, {y}) in layer {layer + 1}: {_describe_sign(int(cells['sign'][y, x]))} "
            f"is no tile of the palette {palette.name!r}",
            f"it has {'  '.join(f'{tile.face} {tile.name}' for tile in palette.tiles)}",
        )
    tiles[there] = codes[there]


def _build_tables(palette: Palette) -> tuple[NDArray[np.uint8], list[tuple[int, tuple[int, ...], int]]]:
    """A table from sign to tile (255 for none), and for signs that several tiles share, the tile by colour."""
    found = np.full(257, 255, np.uint8)
    looks: dict[tuple[int, tuple[int, ...]], int] = {}
    for signs in (_face_codes, _glyph_codes, _alias_codes):
        for number, tile in enumerate(palette.tiles):
            for sign in signs(tile):
                if found[sign] == 255:
                    found[sign] = number
                if signs is _face_codes:
                    looks.setdefault((sign, tuple(bytes.fromhex(tile.colour[1:]))), number)
    found[0] = found[32] if found[0] == 255 else found[0]  # an empty cell of REXPaint
    return found, [(sign, ink, number) for (sign, ink), number in looks.items() if found[sign] != number]


def _face_codes(tile: Tile) -> list[int]:
    return [encode_sign(tile.face, tile.glyph)]


def _glyph_codes(tile: Tile) -> list[int]:
    return [encode_sign(tile.glyph)] if tile.glyph in SIGNS else []


def _alias_codes(tile: Tile) -> list[int]:
    return [encode_sign(sign) for sign in tile.aliases if sign in SIGNS]


def _read_marks(cells: NDArray[np.void], there: NDArray[np.bool_], left: int) -> list[Thing]:
    ys, xs = np.nonzero(there)
    return [
        Thing(
            "mark",
            left + x,
            y,
            {"glyph": SIGNS[sign] if sign < 256 else "?", "colour": f"#{red:02x}{green:02x}{blue:02x}"},
        )
        for x, y, sign, (red, green, blue) in zip(
            xs.tolist(), ys.tolist(), cells["sign"][ys, xs].tolist(), cells["ink"][ys, xs].tolist(), strict=True
        )
    ]


def _describe_sign(sign: int) -> str:
    return f"{SIGNS[sign]!r} (sign {sign})" if sign < 256 else f"sign {sign}"


class _GzipReader:
    """A gzip file that is unpacked only as far as requested."""

    def __init__(self, data: bytes, file: str) -> None:
        self.file = file
        self._rest = data
        self._unpacking = zlib.decompressobj(31)

    def error(self, problem: str, fix: str) -> BadInput:
        return BadInput(f"{self.file}: {problem}", fix=fix)

    def take_bytes(self, count: int) -> bytes:
        """The next bytes, exactly `count`."""
        data = self._decompress(count)
        if len(data) < count:
            raise self.error("the drawing ends before its last cell", "save it again")
        return data

    def check_end(self) -> None:
        """Raise if more data follows, or if the checksum is wrong."""
        if self._decompress(1):
            raise self.error("there is more after the last layer", "save it again")
        if not self._unpacking.eof:
            raise self.error("the file is cut off", "save it again")

    def _decompress(self, count: int) -> bytes:
        try:
            data = self._unpacking.decompress(self._rest, count)
            self._rest = self._unpacking.unconsumed_tail
        except zlib.error:
            raise self.error(
                "this is not packed as an .xp file is, by gzip, or it is damaged", "name a file of REXPaint's"
            ) from None
        return data
