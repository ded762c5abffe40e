"""The container of glTF 2.0: a JSON text with nodes, meshes and materials, followed by binary mesh data."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft.errors import BadInput
from undercroft.formats.models.meshes import Mesh
from undercroft.formats.shared.characters import encode_utf8
from undercroft.inputs.json import format_json, parse_json

MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
ITEM_BYTES = {"position": 12, "normal": 12, "long": 4, "short": 2}
"""The sections of the binary data, and the bytes of one item in each."""
FLOAT, UNSIGNED_INT, UNSIGNED_SHORT = 5126, 5125, 5123
VERTEX_TARGET, INDEX_TARGET = 34962, 34963


class GltfModel:
    """Builds a model. Nodes, meshes and materials are referred to by number."""

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self._meshes: list[dict[str, Any]] = []
        self._materials: dict[tuple[Any, ...], int] = {}
        self._accessors: list[dict[str, Any]] = []
        self._numbers: dict[str, list[NDArray[Any]]] = {part: [] for part in ITEM_BYTES}
        self._filled = dict.fromkeys(ITEM_BYTES, 0)

    def add_node(
        self,
        name: str,
        parent: int | None = None,
        *,
        mesh: int | None = None,
        extras: Mapping[str, Any] | None = None,
        **rest: Any,
    ) -> int:
        """Add a node, below another one if `parent` is given."""
        number = len(self.nodes)
        more = {"mesh": mesh, "extras": extras, **rest}
        self.nodes.append({"name": name, **{key: value for key, value in more.items() if value is not None}})
        if parent is not None:
            self.nodes[parent].setdefault("children", []).append(number)
        return number

    def add_material(
        self, name: str, colour: str, *, opacity: float = 1.0, roughness: float = 1.0, role: str = ""
    ) -> int:
        """The number of a material; the same number for the same arguments. The `role` of a custom tile is one of its
        extras.
        """
        return self._materials.setdefault((name, colour, opacity, roughness, role), len(self._materials))

    def add_mesh(self, name: str, parts: Sequence[tuple[Mesh, int]]) -> int | None:
        """Add a mesh of several parts, each of one material; None if it has no triangles."""
        shown = [self._add_primitive(mesh, material) for mesh, material in parts if len(mesh.triangles)]
        if not shown:
            return None
        self._meshes.append({"name": name, "primitives": shown})
        return len(self._meshes) - 1

    def _add_primitive(self, mesh: Mesh, material: int) -> dict[str, Any]:
        positions = self._add_accessor("position", mesh.positions, "VEC3", FLOAT)
        self._accessors[positions] |= {
            "min": mesh.positions.min(axis=0).tolist(),
            "max": mesh.positions.max(axis=0).tolist(),
        }
        normals = self._add_accessor("normal", mesh.normals, "VEC3", FLOAT)
        few = len(mesh.positions) < 65536  # 65535 itself is not allowed: it means "restart the primitive"
        corners = mesh.triangles.reshape(-1).astype(np.uint16 if few else np.uint32)
        indices = self._add_accessor(
            "short" if few else "long", corners, "SCALAR", UNSIGNED_SHORT if few else UNSIGNED_INT
        )
        return {"attributes": {"POSITION": positions, "NORMAL": normals}, "indices": indices, "material": material}

    def _add_accessor(self, part: str, numbers: NDArray[Any], kind: str, component: int) -> int:
        self._accessors.append(
            {
                "bufferView": part,
                "byteOffset": self._filled[part] * ITEM_BYTES[part],
                "componentType": component,
                "count": len(numbers),
                "type": kind,
            }
        )
        self._numbers[part].append(numbers)
        self._filled[part] += len(numbers)
        return len(self._accessors) - 1

    def encode(self) -> bytes:
        """The whole file."""
        views: list[dict[str, Any]] = []
        pieces: list[bytes] = []
        place: dict[str, int] = {}
        offset = 0
        for part, size in ITEM_BYTES.items():
            if self._filled[part]:
                place[part] = len(views)
                data = b"".join(
                    np.ascontiguousarray(numbers).astype(numbers.dtype.newbyteorder("<")).tobytes()
                    for numbers in self._numbers[part]
                )
                of_corners = {"byteStride": size, "target": VERTEX_TARGET} if size == 12 else {"target": INDEX_TARGET}
                views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(data), **of_corners})
                pieces.append(data + bytes(-len(data) % 4))
                offset += len(pieces[-1])
        document = {
            "asset": {"version": "2.0", "generator": "Undercroft"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": self.nodes,
            "meshes": self._meshes,
            "materials": [_build_material(*key) for key in self._materials],
            "accessors": [{**accessor, "bufferView": place[accessor["bufferView"]]} for accessor in self._accessors],
            "bufferViews": views,
            "buffers": [{"byteLength": offset}] if offset else [],
        }
        words = encode_utf8(format_json({key: value for key, value in document.items() if value != []}))
        words += b" " * (-len(words) % 4)
        chunks = [struct.pack("<II", len(words), JSON_CHUNK), words]
        if offset:
            chunks += [struct.pack("<II", offset, BINARY_CHUNK), *pieces]
        return b"".join([struct.pack("<III", MAGIC, 2, 12 + sum(map(len, chunks))), *chunks])


def _build_material(name: str, colour: str, opacity: float, roughness: float, role: str) -> dict[str, Any]:
    shade = [round(_to_linear(part), 4) for part in bytes.fromhex(colour[1:])]
    look = {"baseColorFactor": [*shade, opacity], "metallicFactor": 0, "roughnessFactor": roughness}
    told = {"extras": {"role": role, "colour": colour}} if role else {}
    return {"name": name, "pbrMetallicRoughness": look, **({"alphaMode": "BLEND"} if opacity < 1 else {}), **told}


def _to_linear(part: int) -> float:
    """A colour component converted from sRGB to linear light."""
    share = part / 255
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def read_document(data: bytes, file: str) -> dict[str, Any]:
    """The JSON part of a file."""
    if len(data) < 20:
        raise BadInput(f"{file}: this is no .glb file", fix="name a model that undercroft made")
    magic, version, _, length, kind = struct.unpack_from("<IIIII", data)
    if magic != MAGIC or version != 2 or kind != JSON_CHUNK or length > len(data) - 20:
        raise BadInput(f"{file}: this is no .glb file, or it is cut off", fix="name a model that undercroft made")
    found = parse_json(data[20 : 20 + length], file)
    if type(found) is not dict:
        raise BadInput(f"{file}: this is no model", fix="name a model that undercroft made")
    return found
