"""Read and write levels as small pictures, one pixel per cell in the colours of the palette, so that any paint program
can edit a map.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.level import Level
from undercroft.core.palette import Palette
from undercroft.core.stairs import find_ends
from undercroft.draw.scene.read_png import read_png_pixels
from undercroft.errors import BadInput
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin, parse_origin
from undercroft.formats.shared.palette_option import resolve_palette
from undercroft.wording import format_value_briefly

NO_TILE = 255
"""A code that no tile has."""


def dump(level: Level, *, cell: int = 1) -> bytes:
    """The level as a PNG picture, `cell` pixels per cell."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    _check_cell_pixels(cell)
    limits.PICTURE_SIDE.check(max(level.size) * cell, "the picture's longer side")
    limits.PICTURE_PIXELS.check(level.tiles.size * cell * cell, "the picture's number of pixels")
    colours = [tile.colour.casefold() for tile in level.palette.tiles]
    used = np.flatnonzero(np.bincount(level.tiles.reshape(-1), minlength=256)).tolist()
    for place, code in enumerate(used):
        for other in used[:place]:
            if colours[code] == colours[other]:
                names = [level.palette.tiles[each].name for each in (other, code)]
                raise BadInput(
                    f"{names[0]!r} and {names[1]!r} have the same colour, {colours[code]}",
                    fix="give each tile of the palette its own colour",
                )
    pixels = level.tiles if cell == 1 else level.tiles.repeat(cell, axis=0).repeat(cell, axis=1)
    image = Image.fromarray(np.ascontiguousarray(pixels))
    image.putpalette(b"".join(bytes.fromhex(colour[1:]) for colour in colours))
    notes = PngInfo()
    if level.provenance:
        notes.add_itxt(ORIGIN_KEY, format_origin(level))
    file = io.BytesIO()
    image.save(file, "PNG", pnginfo=notes)
    return file.getvalue()


def load(data: bytes, file: str, *, palette: Palette | None = None, cell: int = 1) -> Level:
    """The level in a picture whose pixels have the colours of a palette. In a cell of several pixels the middle one
    counts; transparent pixels are blank.
    """
    palette = resolve_palette(palette)
    _check_cell_pixels(cell)
    pixels, notes = _read_pixels(data, file, cell)
    tiles = _match_tiles(pixels[cell // 2 :: cell, cell // 2 :: cell], palette, file, cell)
    start, end = find_ends(tiles, palette)
    note = notes.get(ORIGIN_KEY)
    provenance = parse_origin(str(note), file, "picture") if note else {}
    return Level(tiles, palette, start=start, end=end, provenance=provenance)


def _check_cell_pixels(cell: Any) -> None:
    if type(cell) is not int or not 1 <= cell <= limits.PNG_CELL_PIXELS.value:
        raise BadInput(
            f"a cell is 1 to {limits.PNG_CELL_PIXELS.value} pixels wide, not {format_value_briefly(cell)}",
            fix="give the pixels of a cell, cell=1 unless they are larger",
        )


def _read_pixels(data: bytes, file: str, cell: int) -> tuple[NDArray[np.uint8], dict[str, Any]]:
    """The pixels as red, green, blue and alpha, and the texts of the picture."""

    def check_size(width: int, height: int) -> None:
        limits.PICTURE_SIDE.check(max(width, height), f"{file}: its longer side")
        limits.PICTURE_PIXELS.check(width * height, f"{file}: its number of pixels")
        if width % cell or height % cell:
            raise BadInput(
                f"{file}: the picture is {width}x{height} pixels, which are no whole cells of {cell}x{cell}",
                fix="cut it to size, or give another cell=",
            )
        limits.CELLS.check(width // cell * (height // cell), f"{file}: its number of cells")

    return read_png_pixels(data, file, check_size)


def _match_tiles(pixels: NDArray[np.uint8], palette: Palette, file: str, cell: int) -> NDArray[np.uint8]:
    """The tile of each pixel."""
    table = np.full(1 << 24, NO_TILE, np.uint8)
    colours = np.array([list(bytes.fromhex(tile.colour[1:])) for tile in palette.tiles], np.uint32)
    for code in range(len(palette) - 1, -1, -1):  # of two tiles with the same colour, the first wins
        table[_pack_colours(colours[code])] = code
    tiles: NDArray[np.uint8] = table[_pack_colours(pixels[..., :3].astype(np.uint32))]
    tiles[pixels[..., 3] == 0] = palette.code(" ") if " " in palette else 0
    strange = tiles == NO_TILE
    if strange.any():
        y, x = divmod(int(strange.argmax()), tiles.shape[1])
        red, green, blue = pixels[y, x, :3].tolist()
        nearest = palette.tiles[int(((colours.astype(np.int64) - (red, green, blue)) ** 2).sum(axis=1).argmin())]
        raise BadInput(
            f"{file}: the pixel ({x * cell + cell // 2}, {y * cell + cell // 2}) "
            f"has the colour #{red:02x}{green:02x}{blue:02x}, "
            f"which no tile of the palette {palette.name!r} has ({int(strange.sum()):,} such cells)",
            fix=f"the nearest is {nearest.colour}, {nearest.name}; paint without smooth edges, and save without an "
            "own colour profile",
        )
    return tiles


def _pack_colours(colours: NDArray[np.uint32]) -> NDArray[np.uint32]:
    packed: NDArray[np.uint32] = colours @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    return packed
