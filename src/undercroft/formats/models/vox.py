"""Write levels as voxels for MagicaVoxel and engines that read its files.

A cell is a column of cubes: ground or water at the bottom, on it walls, pillars and secret doors `height` cubes high,
and doors one less. A pit is a hole. Only rock cells that touch open ground, even at a corner, are built. The z axis
points up, and the top of the map is at the far end of y. A model of this format is at most 256 cubes wide, so the
scene places several models side by side for a larger map.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.core.custom_tiles import has_own_colour, rock_behind_secrets
from undercroft.core.level import Level
from undercroft.draw.pen.box_drawing import dilated
from undercroft.errors import BadInput
from undercroft.formats.shared.characters import encode_utf8
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin, parse_origin

VERSION = 150
MAX_MODEL_SIDE = 256
"""The longest side of a model."""


class _VoxModel(NamedTuple):
    """A part of the map, with the place of its corner on the map."""

    x: int
    y: int
    size: tuple[int, int, int]
    cubes: NDArray[np.uint8]
    """Rows of x, y, z and colour."""


def dump(level: Level, *, height: int = 3) -> bytes:
    """The level as the bytes of a .vox file; `height` is that of the walls above the ground, in cubes."""
    if type(height) is not int or not 1 <= height <= limits.VOX_WALL_CUBES.value:
        raise BadInput(
            f"height is a whole number of cubes from 1 to {limits.VOX_WALL_CUBES.value}, not {height!r}",
            fix="for example height=3",
        )
    models = list(_build_models(level, height)) or [_VoxModel(0, 0, (1, 1, 1), np.zeros((0, 4), np.uint8))]
    parts = [
        chunk
        for model in models
        for chunk in (_pack_chunk(b"SIZE", struct.pack("<3I", *model.size)), _cubes_chunk(model.cubes))
    ]
    parts += _scene_chunks(level, models)
    parts.append(_palette_chunk(level))
    inner = b"".join(parts)
    return struct.pack("<4sI", b"VOX ", VERSION) + struct.pack("<4sII", b"MAIN", 0, len(inner)) + inner


def _build_models(level: Level, height: int) -> Iterator[_VoxModel]:
    """The parts of the map that are not empty."""
    heights = _cube_heights(level, height)
    walls = [code for code, role in enumerate(level.palette.roles) if role == "wall"]
    codes = rock_behind_secrets(level.tiles, level.palette) if len(walls) > 1 else level.tiles
    for top in range(0, level.height, MAX_MODEL_SIDE):
        for left in range(0, level.width, MAX_MODEL_SIDE):
            part = np.s_[top : top + MAX_MODEL_SIDE, left : left + MAX_MODEL_SIDE]
            rows, columns = heights[part].shape
            counts = heights[part].reshape(-1)
            if not counts.any():
                continue
            cell = np.repeat(np.arange(len(counts)), counts)
            cubes = np.empty((len(cell), 4), np.uint8)
            cubes[:, 0] = cell % columns
            cubes[:, 1] = rows - 1 - cell // columns
            cubes[:, 2] = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
            cubes[:, 3] = codes[part].reshape(-1)[cell] + 1
            yield _VoxModel(left, level.height - top - rows, (columns, rows, height + 1), cubes)


def _cube_heights(level: Level, height: int) -> NDArray[np.int64]:
    """The number of cubes on each cell; 0 deep in the rock."""
    palette = level.palette
    cubes = np.ones(256, np.int64)
    cubes[palette.role_mask("wall", "void", "pillar", "secret")] = height + 1
    cubes[palette.role_mask("door", "locked")] = max(2, height)
    cubes[palette.role_mask("pit")] = 0
    for code, tile in enumerate(palette.tiles):
        if tile.role == "pit" and has_own_colour(tile):
            cubes[code] = 1  # there is something in it to be seen
    rock = palette.rock[level.tiles]
    return np.where(rock & ~dilated(~rock), 0, cubes[level.tiles])


def _cubes_chunk(cubes: NDArray[np.uint8]) -> bytes:
    return _pack_chunk(b"XYZI", struct.pack("<I", len(cubes)) + cubes.tobytes())


def _palette_chunk(level: Level) -> bytes:
    """The table of colours; that of tile code 0 is number 1. A secret door has the colour of a wall."""
    table = np.zeros((256, 4), np.uint8)
    walls = [tile.colour for tile in level.palette.tiles if tile.role == "wall"]
    for code, tile in enumerate(level.palette.tiles):
        colour = walls[0] if tile.role == "secret" and walls else tile.colour
        table[code] = (*bytes.fromhex(colour[1:]), 255)
    return _pack_chunk(b"RGBA", table.tobytes())


def _scene_chunks(level: Level, models: list[_VoxModel]) -> Iterator[bytes]:
    """The scene as a tree: the root, a group, and for each model its place and its shape."""
    told = {ORIGIN_KEY: format_origin(level)} if level.provenance else {}
    yield _pack_chunk(
        b"nTRN",
        struct.pack("<i", 0)
        + _pack_dict({"_name": level.title or "level", **told})
        + struct.pack("<iiii", 1, -1, -1, 1)
        + _pack_dict({}),
    )
    group = struct.pack(f"<i{len(models)}i", len(models), *(2 + 2 * index for index in range(len(models))))
    yield _pack_chunk(b"nGRP", struct.pack("<i", 1) + _pack_dict({}) + group)
    for index, model in enumerate(models):
        # the place of a model is that of its middle
        x, y, z = (model.x + model.size[0] // 2, model.y + model.size[1] // 2, model.size[2] // 2)
        node = 2 + 2 * index
        yield _pack_chunk(
            b"nTRN",
            struct.pack("<i", node)
            + _pack_dict({})
            + struct.pack("<iiii", node + 1, -1, 0, 1)
            + _pack_dict({"_t": f"{x} {y} {z}"}),
        )
        yield _pack_chunk(
            b"nSHP", struct.pack("<i", node + 1) + _pack_dict({}) + struct.pack("<ii", 1, index) + _pack_dict({})
        )


def _pack_dict(pairs: dict[str, str]) -> bytes:
    parts = [struct.pack("<i", len(pairs))]
    for pair in pairs.items():
        for word in pair:
            data = encode_utf8(word)
            parts += [struct.pack("<i", len(data)), data]
    return b"".join(parts)


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a model that undercroft wrote, from the first node of the scene."""
    if not data.startswith(b"VOX ") or data[8:12] != b"MAIN":
        raise BadInput(f"{file}: this is no .vox file", fix="name a model that undercroft made")
    at = 20
    while data[at : at + 4] in (b"SIZE", b"XYZI"):
        at += 12 + _read_number(data, at + 4)
    told = (
        _read_dict(data[at + 16 : at + 12 + _read_number(data, at + 4)]).get(ORIGIN_KEY.encode())
        if data[at : at + 4] == b"nTRN"
        else None
    )
    return parse_origin(told, file, "model")


def _read_number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _read_dict(data: bytes) -> dict[bytes, bytes]:
    """The attributes of a node, as far as the data reaches."""
    words: list[bytes] = []
    at = 4
    for _ in range(min(2 * _read_number(data, 0), 64)):
        length = _read_number(data, at)
        words.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return dict(zip(words[::2], words[1::2], strict=True))


def _pack_chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack("<4sII", name, len(content), 0) + content
