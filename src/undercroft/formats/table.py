"""The table of formats: the purpose of each, the parts of a level it keeps, and the module of its code."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from undercroft import limits
from undercroft.core.level import Level
from undercroft.limits import Limit
from undercroft.plugins.table import LOWER_CASE_WORDS, PluginTable

if TYPE_CHECKING:
    from undercroft.plugins.provider import Provider

LEVEL_PARTS = (
    "tiles", "palette", "regions", "names", "doors", "links", "things", "ends", "path", "layers", "flow", "origin"
)  # fmt: skip
"""The parts of a level. Names are those of rooms and of the level; ends are start and end (stairs are tiles); origin
is its provenance.
"""
ALL_PARTS = LEVEL_PARTS
PICTURE_OPTIONS = ("style", "cell", "show", "hide", "margin")
"""The options of pictures."""
FILE_OPTIONS = ("tileset", "font")
"""The options that name a file. A batch and the studio do not pass them on unchecked."""
TILED_PARTS = tuple(part for part in LEVEL_PARTS if part not in ("layers", "flow"))
"""The parts that maps of Tiled hold."""


class Format(NamedTuple):
    """A file format and its functions.

    >>> row = Format("tall", (".tall",), "the number of rows", lambda level: b"%d" % level.height, None)
    >>> row.dump(Level.parse("#.#"))
    b'1'
    """

    name: str
    suffixes: tuple[str, ...]
    """The file name suffixes of this format."""
    about: str
    dump: Callable[..., bytes] | None
    """Takes level and options, returns bytes; None if the format is only read."""
    load: Callable[..., Level] | None
    """Takes bytes, the file's name for errors, and read options, returns a level; None if the format is only written.
    """
    options: tuple[str, ...] = ()
    """The options of `dump`."""
    read_options: tuple[str, ...] = ()
    """The options of `load`."""
    limit: Limit = limits.TEXT_BYTES
    """The longest file of this format."""
    keeps: tuple[str, ...] = ("tiles",)
    """The entries of `LEVEL_PARTS` that a file of this format holds."""
    beside: Callable[..., dict[str, bytes]] | None = None
    """Takes the level and the file's name without suffix, returns the sibling files by name."""
    beside_options: tuple[str, ...] = ()
    """The options that are passed to `beside` too."""
    origin: Callable[[bytes, str], Mapping[str, Any]] | None = None
    """Takes bytes and the file's name, returns the provenance; for formats that keep it and cannot be read."""
    keys: tuple[str, ...] = ()
    """The keys that identify a .json file of this format, if it is not ours."""
    roles: tuple[str, ...] = ()
    """The roles of tiles that a file of this format distinguishes, besides rock and void; empty: all roles.
    """
    plain_doors: bool = False
    """Whether doors are only open or closed there, though it keeps doors."""
    reads_siblings: bool = False
    """Whether its files name others that lie beside them, and are read too."""
    writer: str = "undercroft"
    """The library whose version decides about the bytes; our own, or the one that writes the picture in it."""
    zlib: bool = False
    """Whether zlib packs the files, so that their bytes depend on its version too."""
    tested: str = ""
    """The third-party programs that open such files in our tests; empty if none does."""


def _import_late(module: str, function: str) -> Callable[..., Any]:
    """A function of a format's module, imported at its first call."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(importlib.import_module(module), function)(*args, **options)

    return call


def _build_format(
    module: str,
    about: str,
    suffixes: tuple[str, ...] = (),
    *,
    name: str = "",
    write: str = "dump",
    read: str = "load",
    beside: str = "",
    origin: str = "",
    keeps: str | tuple[str, ...] = "tiles",
    **rest: Any,
) -> Format:
    """A row of the table below; an empty function name means that the format lacks the function."""
    late = [_import_late(module, function) if function else None for function in (write, read, beside, origin)]
    parts = tuple(keeps.split()) if isinstance(keeps, str) else keeps
    return Format(
        name or module.rpartition(".")[2],
        suffixes,
        about,
        late[0],
        late[1],
        keeps=parts,
        beside=late[2],
        origin=late[3],
        **rest,
    )


_OWN_FORMATS: dict[str, Format] = {
    row.name: row
    for row in (
        _build_format(
            "undercroft.formats.text",
            "one glyph a cell, as the palette says",
            (".txt",),
            keeps="tiles",
            read_options=("palette",),
        ),
        _build_format(
            "undercroft.formats.text",
            "caves as '#' and '.'",
            name="text:cave",
            write="dump_cave",
            read="load_cave",
            roles=("floor",),
        ),
        _build_format(
            "undercroft.formats.text",
            "rock '#', room '+', door 'x', corridor ' ', its cells on the path '.'",
            name="text:rooms",
            write="dump_rooms",
            read="load_rooms",
            roles=("floor", "door", "corridor"),
        ),
        _build_format(
            "undercroft.formats.grid",
            "room grids, a digit a cell: 0 empty, 1 room, 2 start, 3 end",
            name="text:grid",
            keeps="tiles ends",
            roles=("floor", "entry", "exit"),
        ),
        _build_format(
            "undercroft.formats.tinykeep",
            "room 'x', cell '+', corridor '#', nothing ' '",
            name="text:tinykeep",
            roles=("floor", "corridor"),
        ),
        _build_format("undercroft.formats.box", "walls as Unicode lines, for people", name="text:box", read=""),
        _build_format(
            "undercroft.formats.native.native",
            "everything there is to a level, undercroft-level/1 and /2",
            (".json",),
            name="json",
            keeps=ALL_PARTS,
            limit=limits.JSON_BYTES,
        ),
        _build_format(
            "undercroft.formats.npz",
            "NumPy arrays",
            (".npz",),
            tested="NumPy",
            keeps=ALL_PARTS,
            limit=limits.NPZ_BYTES,
            writer="numpy",
            zlib=True,
        ),
        _build_format(
            "undercroft.formats.png",
            "a picture",
            (".png",),
            tested="Pillow",
            read="",
            origin="read_origin",
            keeps="origin",
            options=(*PICTURE_OPTIONS, "tileset", "font"),
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.png",
            "a picture of the graph over the map",
            name="png:graph",
            write="dump_graph",
            read="",
            origin="read_origin",
            keeps="origin",
            options=("cell", "style"),
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.pdf",
            "paper: the map with its key, and pages of one inch a square; other styles on one page",
            (".pdf",),
            read="",
            tested="PDFium",
            origin="read_origin",
            keeps="origin",
            options=("style", "paper", "show", "hide", "font"),
            limit=limits.PDF_BYTES,
            writer="Pillow",
            zlib=True,
        ),
        _build_format(
            "undercroft.formats.pdf",
            "paper: the map with its key on one page",
            name="pdf:page",
            write="dump_page",
            read="",
            origin="read_origin",
            keeps="origin",
            options=("style", "paper", "show", "hide", "font"),
            limit=limits.PDF_BYTES,
            writer="Pillow",
            zlib=True,
        ),
        _build_format(
            "undercroft.formats.pdf",
            "paper for players: without secret doors, numbers, key, monsters and loot",
            name="pdf:player",
            write="dump_player",
            read="",
            keeps="",
            options=("style", "paper", "hide"),
            limit=limits.PDF_BYTES,
            writer="Pillow",
            zlib=True,
        ),
        _build_format(
            "undercroft.formats.png_tiles",
            "a pixel a cell, in the colours of the palette",
            name="png:tiles",
            keeps="tiles origin",
            options=("cell",),
            read_options=("palette", "cell"),
            limit=limits.PNG_BYTES,
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.csv",
            "a table of the tiles' codes or names",
            (".csv",),
            name="csv",
            keeps="tiles",
            options=("names",),
            read_options=("palette",),
        ),
        _build_format(
            "undercroft.formats.rexpaint.xp",
            "a drawing in layers for REXPaint and python-tcod",
            (".xp",),
            tested="python-tcod",
            keeps="tiles",
            read_options=("palette",),
            limit=limits.XP_BYTES,
            zlib=True,
        ),
        _build_format(
            "undercroft.formats.models.glb",
            "a 3D model for game engines and Blender, glTF 2.0",
            (".glb",),
            read="",
            tested="trimesh",
            origin="read_origin",
            keeps="palette regions names doors links things ends path origin",
            options=("scale", "height"),
            limit=limits.GLB_BYTES,
        ),
        _build_format(
            "undercroft.formats.models.vox",
            "voxels for MagicaVoxel",
            (".vox",),
            read="",
            keeps="origin",
            origin="read_origin",
            options=("height",),
            limit=limits.VOX_BYTES,
        ),
        _build_format(
            "undercroft.formats.foreign.watabou",
            "maps of Watabou's One Page Dungeon, from its JSON",
            write="",
            keeps="tiles regions names doors links things ends",
            limit=limits.FOREIGN_BYTES,
            keys=("rects", "doors"),
        ),
        _build_format(
            "undercroft.formats.foreign.donjon",
            "maps of donjon's dungeon generator, from its JSON",
            write="",
            keeps="tiles regions names doors links things ends",
            limit=limits.FOREIGN_BYTES,
            keys=("cell_bit", "cells"),
        ),
        _build_format(
            "undercroft.formats.foreign.donjon_tsv",
            "maps of donjon's dungeon generator, from its table",
            (".tsv",),
            name="donjon:tsv",
            write="",
            keeps="tiles regions doors links ends",
            limit=limits.FOREIGN_BYTES,
        ),
        _build_format(
            "undercroft.formats.tabletop.picture",
            "exactly the map, for the game master",
            name="png:gm",
            write="dump_gm",
            read="",
            origin="read_origin",
            keeps="origin",
            options=("style", "cell", "show", "hide", "tileset"),
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.tabletop.picture",
            "exactly the map, for players: without secret doors, numbers, monsters and loot",
            name="png:player",
            write="dump_player",
            read="",
            keeps="",
            options=("style", "cell", "hide", "tileset"),
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.tabletop.uvtt",
            "Universal VTT: picture, walls, doors and lights for Foundry, Roll20, Owlbear, MapTool, Fantasy Grounds "
            "and others",
            (".dd2vtt", ".uvtt", ".df2vtt"),
            read="",
            origin="read_origin",
            keeps="tiles doors origin",
            plain_doors=True,
            options=("style", "cell", "hide", "view", "image", "lights", "smooth", "pad"),
            limit=limits.JSON_BYTES,
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.tabletop.foundry",
            "a scene for Foundry 13 and 14, with its pictures and a journal beside it",
            (".fvtt.json",),
            read="",
            beside="dump_siblings",
            beside_options=("style", "cell", "hide"),
            origin="read_origin",
            keeps="tiles regions names doors links things ends origin",
            options=("stem", "style", "cell", "hide", "version", "lights", "smooth", "folder"),
            limit=limits.JSON_BYTES,
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.svg",
            "a drawing that stays sharp at any size",
            (".svg",),
            read="",
            tested="resvg",
            origin="read_origin",
            keeps="origin",
            options=(*PICTURE_OPTIONS, "font"),
            limit=limits.SVG_BYTES,
        ),
        _build_format(
            "undercroft.formats.graphs.graphml",
            "the graph of regions and links, for networkx, Gephi, yEd and others",
            (".graphml",),
            tested="networkx",
            read="",
            origin="read_origin",
            keeps="regions names doors links origin",
        ),
        _build_format(
            "undercroft.formats.tiled.tmx",
            "a map for Tiled, pytmx, arcade and others, with its tileset beside it",
            (".tmx",),
            name="tmx",
            beside="dump_siblings",
            tested="Tiled's tmxrasterizer, pytmx and pytiled_parser",
            keeps=TILED_PARTS,
            options=("encoding", "tileset"),
            beside_options=("tileset",),
            limit=limits.TILED_BYTES,
            writer="Pillow",
            reads_siblings=True,
        ),
        _build_format(
            "undercroft.formats.tiled.tmj",
            "a map for Tiled and Phaser, with the picture of its tileset beside it",
            (".tmj",),
            name="tmj",
            beside="dump_siblings",
            tested="Tiled's tmxrasterizer and pytiled_parser",
            keeps=TILED_PARTS,
            options=("encoding", "tileset"),
            beside_options=("tileset",),
            limit=limits.JSON_BYTES,
            keys=("tilewidth", "layers"),
            writer="Pillow",
            reads_siblings=True,
        ),
        _build_format(
            "undercroft.formats.ldtk.ldtk",
            "a project for LDtk 1.5, with its tileset beside it",
            (".ldtk",),
            beside="dump_siblings",
            tested="LDtk's schema and LDtkPy",
            keeps="tiles palette regions names doors links things ends path origin",
            limit=limits.JSON_BYTES,
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.godot.godot",
            "a scene for Godot 4.3 and later, with its tileset beside it",
            (".tscn",),
            read="",
            tested="Godot 4.3 and later",
            beside="dump_siblings",
            origin="read_origin",
            options=("stem", "tileset"),
            beside_options=("tileset",),
            keeps="tiles palette regions names doors links things ends path origin",
            limit=limits.JSON_BYTES,
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.godot.room_scenes",
            "a scene for Godot 4 with a node for each room of a room grid",
            name="godot:rooms",
            write="dump_scene",
            read="",
            origin="read_scene_origin",
            options=("stem", "room_size"),
            keeps="regions doors links ends origin",
            limit=limits.JSON_BYTES,
            writer="Pillow",
        ),
        _build_format(
            "undercroft.formats.godot.room_scenes",
            "the rooms of a room grid with their doors, undercroft-rooms/1",
            name="json:rooms",
            write="dump_json",
            read="",
            origin="read_json_origin",
            keeps="regions doors links ends origin",
            limit=limits.JSON_BYTES,
        ),
        _build_format(
            "undercroft.formats.graphs.dot",
            "the graph of regions and links, for Graphviz",
            (".dot", ".gv"),
            tested="pydot",
            read="",
            origin="read_origin",
            keeps="regions names doors links origin",
        ),
    )
}


def _check_format(part: Any, name: str, provider: Provider) -> Format:
    from undercroft.formats.foreign_format import check_format  # only needed for formats of others

    row: Format = check_format(Format, LEVEL_PARTS, _OWN_FORMATS, part, name, provider)
    return row


FORMATS: PluginTable[Format] = PluginTable(
    "format", _OWN_FORMATS, _check_format, form=f"{LOWER_CASE_WORDS}(:{LOWER_CASE_WORDS})?"
)
"""Every format by name; those of other packages follow ours."""
