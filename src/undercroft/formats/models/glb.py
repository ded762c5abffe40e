"""Write levels as 3D models for game engines and Blender: glTF 2.0 in one binary file.

Metres, y up: the cell (x, y) of the map is the square from (x, y) to (x + 1, y + 1), times `scale`, on the axes x and
z. The ground is at height 0.

The node of the level holds `walls`, a node for each region with its floor, its doors, stairs and things below it,
`start` and `end`, and water, pits and pillars, each as one mesh; walls, water, pits and pillars of a tile with a colour
of its own are a node with the tile's name. Only rock cells that touch open ground, even at a corner, are built: closed
bodies without faces between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from undercroft import limits
from undercroft.analysis.survey import surveyed
from undercroft.core.custom_tiles import is_custom, list_coloured_codes, rock_behind_secrets
from undercroft.core.level import Level
from undercroft.core.palette import DOOR_ROLES
from undercroft.core.region import DOOR_STATES
from undercroft.draw.pen.box_drawing import dilated
from undercroft.errors import BadInput
from undercroft.formats.models.doors_and_stairs import door_mesh, door_pose, stairs_mesh, stairs_pose
from undercroft.formats.models.extras import build_level_extras, build_region_extras, name_region_nodes
from undercroft.formats.models.floors import build_area_meshes, build_ground_table, find_owners
from undercroft.formats.models.gltf_container import GltfModel, read_document
from undercroft.formats.models.meshes import (
    Mesh,
    build_cavity,
    build_column,
    build_flat_area,
    build_solid,
    copy_to_places,
)
from undercroft.formats.models.meshing import build_slabs
from undercroft.formats.native.native import thing_data
from undercroft.formats.shared.origin import ORIGIN_KEY, parse_origin

PIT_DEPTH, BASIN_DEPTH, SURFACE_DEPTH = 1.0, 0.3, 0.1
"""The depths of pits, of water beds and of water surfaces, as shares of a cell's width."""
PILLAR_WIDTH = 0.6
"""The width of a pillar, as a share of a cell's width."""
STATE_BY_ROLE = dict(zip(DOOR_ROLES, DOOR_STATES, strict=True))


def dump(level: Level, *, scale: float = 1.5, height: float = 3.0) -> bytes:
    """The level as the bytes of a .glb file; `scale` is the width of a cell and `height` that of the walls, in
    metres.
    """
    for name, value in (("scale", scale), ("height", height)):
        if type(value) not in (int, float) or not 0.001 <= value <= limits.MODEL_METRES.value:
            raise BadInput(
                f"{name} is a number of metres from 0.001 to {limits.MODEL_METRES.value}, not {value!r}",
                fix=f"for example {name}=2",
            )
    level = level if len(level.regions) else surveyed(level)
    return _ModelBuilder(level, float(scale), float(height)).model.encode()


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a model that undercroft wrote."""
    nodes = read_document(data, file).get("nodes")
    extras = nodes[0].get("extras") if isinstance(nodes, list) and nodes and isinstance(nodes[0], dict) else None
    words = extras.get(ORIGIN_KEY) if isinstance(extras, dict) else None
    return parse_origin(words if isinstance(words, str) else None, file, "model")


class _ModelBuilder:
    """Builds the model of a level."""

    def __init__(self, level: Level, scale: float, height: float) -> None:
        self.level, self.scale, self.height = level, scale, height
        self.palette = level.palette
        self.model = GltfModel()
        self.root = self.model.add_node(level.title or "level", extras=build_level_extras(level, scale))
        self.rooms: dict[int, int] = {0: self.root}
        self.coloured = list_coloured_codes(level.tiles, level.palette)
        rock = self.palette.rock[level.tiles]
        self._add_walls(rock)
        self._add_floors(rock)
        self._add_water_and_pits()
        self._add_pillars()
        self._add_doors(rock)
        self._add_stairs(rock)
        self._add_things()

    def _list_cells(self, *roles: str) -> list[tuple[int, int, int]]:
        """The cells with these roles, as (x, y, code)."""
        ys, xs = np.nonzero(self.palette.role_mask(*roles)[self.level.tiles])
        limits.MODEL_NODES.check(len(self.model.nodes) + len(ys), "the number of parts of the model")
        return list(zip(xs.tolist(), ys.tolist(), self.level.tiles[ys, xs].tolist(), strict=True))

    def _tile_material(self, code: int) -> int:
        tile = self.palette.tiles[code]
        return self.model.add_material(tile.name, tile.colour, role=tile.role if is_custom(tile) else "")

    def _add_walls(self, rock: NDArray[np.bool_]) -> None:
        """Add a closed body for all visible rock, and one for each kind that has a colour of its own."""
        built = rock & dilated(~rock)
        corners = 0
        self.wall = int(np.bincount(self.level.tiles[built], minlength=1).argmax())
        for cells, coloured in self._split_by_colour(built):
            wall = int(np.bincount(self.level.tiles[cells], minlength=1).argmax())
            self.wall = self.wall if coloured else wall
            found = build_slabs(cells.astype(np.int32))
            corners += len(found.points)
            limits.MODEL_CORNERS.check(corners, "the number of corners of the model's walls")
            name = self.palette.tiles[wall].name if coloured else "walls"
            mesh = self.model.add_mesh(
                name, [(build_solid(found, self.scale, 0.0, self.height), self._tile_material(wall))]
            )
            self.model.add_node(name, self.root, mesh=mesh)

    def _split_by_colour(self, cells: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], bool]]:
        """Those of the cells whose tiles have no colour of their own, if there are some, then those of each tile that
        has one.
        """
        codes = [code for code in self.coloured if (cells & (self.level.tiles == code)).any()]
        rest = cells & ~np.isin(self.level.tiles, codes)
        if rest.any():
            yield rest, False
        yield from ((cells & (self.level.tiles == code), True) for code in codes)

    def _add_floors(self, rock: NDArray[np.bool_]) -> None:
        """Add a node for each region, with a mesh of its ground; ground without a region belongs to an adjacent one."""
        level = self.level
        limits.MODEL_NODES.check(len(level.regions) + len(level.things), "the number of parts of the model")
        flat = ~rock & ~self.palette.role_mask("water", "pit", "exit")[level.tiles]
        owner = find_owners(level.regions.labels)
        ground = build_ground_table(self.palette)[level.tiles]
        meshes = build_area_meshes(np.where(flat, owner * 256 + ground + 1, 0), self.scale)
        parts: dict[int, list[tuple[Mesh, int]]] = {}
        for number, mesh in meshes.items():
            parts.setdefault((number - 1) // 256, []).append((mesh, self._tile_material((number - 1) % 256)))
        names = name_region_nodes(level)
        for region in level.regions:
            floor = self.model.add_mesh(names[region.label], parts.get(region.label, []))
            self.rooms[region.label] = self.model.add_node(
                names[region.label], self.root, mesh=floor, extras=build_region_extras(region)
            )
        floor = self.model.add_mesh("elsewhere", parts.get(0, []))
        if floor is not None:
            self.model.add_node("elsewhere", self.root, mesh=floor)

    def _add_water_and_pits(self) -> None:
        """Add water in shallow beds, and pits."""
        bodies = [
            (role, depth, cells)
            for role, depth in (("water", BASIN_DEPTH), ("pit", PIT_DEPTH))
            for cells, _ in self._split_by_colour(self.palette.role_mask(role)[self.level.tiles])
        ]
        for role, depth, here in bodies:
            code = int(self.level.tiles[here].min())
            tile = self.palette.tiles[code]
            found = build_slabs(here.astype(np.int32))
            bed = int(build_ground_table(self.palette)[code]) if role == "water" else code
            parts = [(build_cavity(found, self.scale, -depth * self.scale), self._tile_material(bed))]
            if role == "water":
                glass = self.model.add_material(
                    f"{tile.name} surface",
                    tile.colour,
                    opacity=0.6,
                    roughness=0.1,
                    role=tile.role if is_custom(tile) else "",
                )
                parts.append((build_flat_area(found, self.scale, -SURFACE_DEPTH * self.scale), glass))
            self.model.add_node(tile.name, self.root, mesh=self.model.add_mesh(tile.name, parts))

    def _add_pillars(self) -> None:
        for cells, coloured in self._split_by_colour(self.palette.role_mask("pillar")[self.level.tiles]):
            ys, xs = np.nonzero(cells)
            code = int(self.level.tiles[ys[0], xs[0]])
            name = self.palette.tiles[code].name if coloured else "pillars"
            places = np.stack([(xs + 0.5) * self.scale, np.zeros(len(xs)), (ys + 0.5) * self.scale], axis=1)
            mesh = copy_to_places(build_column(PILLAR_WIDTH * self.scale, self.height), places)
            self.model.add_node(name, self.root, mesh=self.model.add_mesh(name, [(mesh, self._tile_material(code))]))

    def _add_doors(self, rock: NDArray[np.bool_]) -> None:
        """Add a node for each door that is not just an opening. Its origin is at the hinge, so that turning the node
        opens it.
        """
        rows = {(door.x, door.y): door for door in self.level.doors}
        shut = self.palette.role_mask(*DOOR_ROLES[1:])[self.level.tiles]
        meshes: dict[tuple[int, int], int | None] = {}
        walls = rock_behind_secrets(self.level.tiles, self.palette) if self.coloured else self.level.tiles
        for number, (x, y, code) in enumerate(self._list_cells(*DOOR_ROLES[1:]), 1):
            role = self.palette.roles[code]
            behind = int(walls[y, x]) if int(walls[y, x]) in self.coloured else self.wall
            look_code = behind if role == "secret" else code
            if (code, look_code) not in meshes:
                look = self._tile_material(look_code)
                meshes[code, look_code] = self.model.add_mesh(
                    self.palette.tiles[code].name, [(door_mesh(role, self.scale, self.height), look)]
                )
            door = rows.get((x, y))
            extras = {
                "x": x,
                "y": y,
                "state": door.state if door else STATE_BY_ROLE[role],
                **({"a": door.a, "b": door.b} if door else {}),
            }
            parent = self.rooms[door.a] if door else self.root
            pose = door_pose(rock, shut, x, y, self.scale)
            self.model.add_node(
                f"{self.palette.tiles[code].name} {number}", parent, mesh=meshes[code, look_code], extras=extras, **pose
            )

    def _add_stairs(self, rock: NDArray[np.bool_]) -> None:
        meshes: dict[int, int | None] = {}
        for number, (x, y, code) in enumerate(self._list_cells("entry", "exit"), 1):
            role = self.palette.roles[code]
            if code not in meshes:
                meshes[code] = self.model.add_mesh(
                    self.palette.tiles[code].name,
                    [(stairs_mesh(role, self.scale, self.height), self._tile_material(code))],
                )
            parent = self.rooms[int(self.level.regions.labels[y, x])]
            self.model.add_node(
                f"{self.palette.tiles[code].name} {number}",
                parent,
                mesh=meshes[code],
                **stairs_pose(rock, x, y, self.scale),
            )

    def _add_things(self) -> None:
        """Add empty nodes for things, start and end."""
        for number, thing in enumerate(self.level.things, 1):
            parent = self.rooms[int(self.level.regions.labels[thing.y, thing.x])]
            self.model.add_node(
                f"{thing.kind} {number}",
                parent,
                extras=thing_data(thing),
                translation=self._cell_middle(thing.x, thing.y),
            )
        for name, point in (("start", self.level.start), ("end", self.level.end)):
            if point is not None:
                self.model.add_node(
                    name, self.root, translation=self._cell_middle(*point), extras={"x": point[0], "y": point[1]}
                )

    def _cell_middle(self, x: int, y: int) -> list[float]:
        return [(x + 0.5) * self.scale, 0.0, (y + 0.5) * self.scale]
