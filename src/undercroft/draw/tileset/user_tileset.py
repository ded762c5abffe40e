"""A tileset of a user's own: a PNG picture, and a TOML file that says which of its cells is what.

    image = "moor.png"            # beside this file; left out, it has the same name
    size = 16                     # pixels a side of a cell

    [tiles]                       # names of tiles, or roles; several cells are variants
    floor = [[0, 0], [1, 0]]
    grass = [2, 0]

    [autotile.wall]               # a name or a role whose cells join
    kind = "blob"                 # or edges, or walls
    first = [0, 1]                # piece 0; the others follow, row by row

    [things]
    chest = [0, 7]

Cells are column and row, counted from 0. A name has precedence over a role. Names are those of the level's palette; for
those of others, the file names the palettes: palette = "garden.toml".
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from undercroft import limits
from undercroft.core.palette import ROLES, STANDARD, Palette
from undercroft.draw.scene.read_png import read_png_pixels
from undercroft.draw.tileset.paint import Pixels
from undercroft.draw.tileset.tileset_cells import AutotileCells, read_autotile, read_cells
from undercroft.errors import BadInput, FileTrouble, UndercroftError, find_similar_word
from undercroft.inputs import files
from undercroft.inputs import toml as guarded_toml
from undercroft.inputs.values import CheckedValue

KEYS = ("about", "image", "palette", "size", "margin", "spacing", "tiles", "autotile", "things")
OUR_NAME = "undercroft"
"""Our own files are called so, beside those of the user."""


@dataclass(frozen=True, eq=False)
class UserTileset:
    """A checked tileset."""

    name: str
    """The name of the picture's file, without its suffix."""
    size: int
    """Pixels a side of a cell."""
    columns: int
    rows: int
    margin: int
    spacing: int
    png: bytes
    pixels: Pixels
    """[number, y, x, RGBA]: all cells, row by row."""
    tiles: Mapping[str, tuple[int, ...]]
    """For names of tiles and roles the numbers of their cells; several are variants."""
    autotiles: Mapping[str, AutotileCells]
    things: Mapping[str, tuple[int, ...]]
    """The same for kinds of things."""
    palettes: tuple[Palette, ...]
    """The palettes that it names: it has cells for their tiles too, whatever the palette of a level."""
    root: CheckedValue
    """The TOML file, for errors."""
    files: tuple[Path, ...] = ()
    """The files that it was read from."""

    def check_names(self, palette: Palette) -> None:
        """Raise unless all names are those of the palette, of the palettes that the tileset names, or roles."""
        tiles = [*palette.tiles, *(tile for other in self.palettes for tile in other.tiles), *STANDARD.tiles]
        known = list(dict.fromkeys([*(tile.name for tile in tiles), *ROLES]))
        for section in ("tiles", "autotile"):
            table = self.root.subtable(section)
            for name in table.value:
                if name not in known:
                    error = table.unknown_name("tile or role", known, key=name)
                    error.fix += '; if it is of another palette, name that: palette = "garden.toml"'
                    raise error

    def check_kinds(self, kinds: frozenset[str]) -> None:
        """Raise for the kind of a thing that is none of these, and looks like a mistyped one. Games have kinds of their
        own, so others are accepted.
        """
        table = self.root.subtable("things")
        for name in table.value:
            if name not in kinds and find_similar_word(name, kinds):
                raise table.unknown_name("kind of thing", sorted(kinds), key=name)


def load_tileset(path: str | Path) -> UserTileset:
    """Load a tileset from its TOML file, or from its picture: then the TOML file has the same name."""
    path = Path(path)
    suffix = path.suffix.casefold()
    if suffix not in (".toml", ".png"):
        raise BadInput(
            f"a tileset is a .toml file, or a .png picture with a .toml file beside it, not {str(path)[:80]!r}",
            fix="for example tileset=moor.toml",
        )
    about = path if suffix == ".toml" else path.with_suffix(".toml")
    try:
        text = files.read_text(about, limits.TOML_BYTES)
    except FileTrouble as error:
        if suffix == ".png":
            error.fix = f"write {about.name} beside the picture, which says which of its cells is what"
        raise
    root = guarded_toml.parse_toml(text, str(about)).root()
    root.table(KEYS)
    image = _read_image_name(root, path)
    try:
        data = files.read_bytes(files.safe_join(about.parent, image), limits.TILESET_BYTES)
    except UndercroftError as error:
        error.place = error.place or root.key("image").place()
        raise
    name = Path(image).stem
    if name.casefold().startswith(OUR_NAME):
        raise root.key("image").error(
            f"the picture is called {name!r}, as our own tileset", f"give it a name that does not begin with {OUR_NAME}"
        )
    picture = about.parent / image
    found = _read_tileset(root, data, str(picture), name, _read_palettes(root, about.parent))
    return dataclasses.replace(found, files=(about, picture))


def _read_palettes(root: CheckedValue, folder: Path) -> tuple[Palette, ...]:
    """The palettes that a tileset names, which lie beside it."""
    if "palette" not in root.value:
        return ()
    value = root.key("palette")
    names = value.words() if isinstance(value.value, list) else (value.text(),)
    found = []
    for index, name in enumerate(names):
        try:
            found.append(Palette.load(str(files.safe_join(folder, name))))
        except FileTrouble as error:
            at = value.item(index) if isinstance(value.value, list) else value
            error.place = error.place or at.place()
            raise
    return tuple(found)


def _read_image_name(root: CheckedValue, path: Path) -> str:
    """The name of the picture."""
    if "image" not in root.value:
        return path.with_suffix(".png").name if path.suffix.casefold() == ".toml" else path.name
    image = root.key("image").text()
    if not image.casefold().endswith(".png"):
        raise root.key("image").error(f"the picture of a tileset is a .png file, not {image[:60]!r}", "save it as PNG")
    if path.suffix.casefold() == ".png" and Path(image) != Path(path.name):
        raise root.key("image").error(
            f"the tileset was named {path.name!r}, and this file names another picture",
            f"take this line out, or name the tileset {path.with_suffix('.toml').name}",
        )
    return image


def _read_tileset(root: CheckedValue, data: bytes, file: str, name: str, palettes: tuple[Palette, ...]) -> UserTileset:
    if "size" not in root.value:
        raise BadInput(
            "the size of the cells is missing", place=root.key_place(), fix="add a line size = 16, the pixels of a side"
        )
    size = root.key("size").integer(1, limits.TILESET_CELL_PIXELS.value)
    margin, spacing = (root.key(key, 0).integer(0, limits.TILESET_CELL_PIXELS.value) for key in ("margin", "spacing"))
    sides: list[int] = []

    def check_size(width: int, height: int) -> None:
        limits.TILESET_SIDE.check(max(width, height), f"{file}: its longer side")
        limits.TILESET_PIXELS.check(width * height, f"{file}: its number of pixels")
        for side in (width, height):
            count, rest = divmod(side - 2 * margin + spacing, size + spacing)
            if rest or count < 1:
                raise root.key("size").error(
                    f"{file}: the picture is {width}x{height} pixels, which are no whole cells of {size} pixels"
                    f"{f', with a margin of {margin}' if margin else ''}{f', {spacing} apart' if spacing else ''}",
                    "correct size, margin or spacing, or cut the picture to whole cells",
                )
            sides.append(count)
        limits.TILESET_CELLS.check(sides[0] * sides[1], f"{file}: its number of cells")

    image, _ = read_png_pixels(data, file, check_size)
    columns, rows = sides
    tiles = {name: read_cells(value, columns, rows) for name, value in _list_entries(root, "tiles")}
    autotiles = {name: read_autotile(value, columns, rows) for name, value in _list_entries(root, "autotile")}
    for both in autotiles.keys() & tiles.keys():
        raise BadInput(
            f"{both!r} has a cell under [tiles], and pieces under [autotile]",
            place=root.at("tiles", both).key_place(),
            fix="keep one of them",
        )
    things = {name: read_cells(value, columns, rows) for name, value in _list_entries(root, "things")}
    if not (tiles or autotiles or things):
        raise BadInput(
            "the tileset names no cells", place=root.key_place(), fix="add [tiles] and a line such as floor = [0, 0]"
        )
    pixels = _cut_cells(image, size, columns, rows, margin, spacing)
    return UserTileset(
        name, size, columns, rows, margin, spacing, data, pixels, tiles, autotiles, things, palettes, root
    )


def _list_entries(root: CheckedValue, section: str) -> list[tuple[str, CheckedValue]]:
    table = root.subtable(section)
    for name in table.value:
        if not name:
            raise BadInput("this name is empty", place=table.at(name).key_place(), fix="write a name, or a role")
    return [(name, table.key(name)) for name in table.value]


def _cut_cells(image: Pixels, size: int, columns: int, rows: int, margin: int, spacing: int) -> Pixels:
    """The cells of a picture, row by row."""
    step = size + spacing
    found = np.empty((rows * columns, size, size, 4), np.uint8)
    for row in range(rows):
        top = margin + row * step
        strip = image[top : top + size]
        for column in range(columns):
            left = margin + column * step
            found[row * columns + column] = strip[:, left : left + size]
    found.setflags(write=False)
    return found


def resolve_tileset(tileset: Any) -> UserTileset:
    """The tileset of an option: a loaded one, or the name of its file."""
    if isinstance(tileset, UserTileset):
        return tileset
    if not isinstance(tileset, (str, Path)) or not str(tileset):
        raise BadInput(
            f"a tileset is the name of a .toml or .png file, not {tileset!r}", fix="for example tileset=moor.toml"
        )
    return load_tileset(tileset)
