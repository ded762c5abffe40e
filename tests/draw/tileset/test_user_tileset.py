"""A tileset of a user's own: which of its cells are drawn where."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import pytmx
from hypothesis import given, settings
from hypothesis import strategies as st

import undercroft as uc
from support.godot_scenes import Scene
from support.user_tilesets import (
    COLUMNS,
    LEVEL,
    MEADOW,
    ROWS,
    SIZE,
    WHOLE,
    cell_colour,
    drawing,
    picture_bytes,
    shown_numbers,
    write,
)
from undercroft.cli import run
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD
from undercroft.core.region import Thing
from undercroft.draw.autotile.autotile import autotile
from undercroft.draw.autotile.pieces import pieces
from undercroft.draw.styles.table import render_picture
from undercroft.draw.tileset.user_drawing import draw_level_with, list_unmapped
from undercroft.draw.tileset.user_tileset import load_tileset
from undercroft.errors import BadInput
from undercroft.formats import dump, loads


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tileset")


# --- which cell is drawn where ---


def test_names_roles_variants_and_autotiles(tmp_path: Path) -> None:
    drawn = drawing(tmp_path)
    terrain, doors, decor = (drawn.layers[name] for name in ("terrain", "doors", "decor"))
    blob = autotile(LEVEL, "blob").index
    for y, x in np.ndindex(LEVEL.tiles.shape):
        tile = MEADOW.tiles[LEVEL.tiles[y, x]]
        wanted: dict[str, set[int]] = {"grass": {3}, "lava": {4}, "hedge": {9}}
        if tile.name in wanted:
            assert int(terrain[y, x]) in wanted[tile.name]
        elif tile.role == "wall":
            assert COLUMNS <= terrain[y, x] < COLUMNS + 47
        else:
            assert terrain[y, x] in (0, 1, 2)
    assert len(np.unique(terrain[LEVEL.tiles == MEADOW.role("floor")])) > 1
    assert doors[1, 5] == 5
    assert (doors[1, 1], doors[3, 8]) == (7, 8)
    assert decor[2, 7] == 6
    assert doors[2, 9] == terrain[1, 9] or COLUMNS <= doors[2, 9] < COLUMNS + 47  # a secret door looks like its wall
    only_walls = Level.parse("#####\n#...#\n#####")
    found = drawing(tmp_path, only_walls).layers["terrain"]
    index = autotile(only_walls, "blob").index
    walls = only_walls.tiles == STANDARD.role("wall")
    assert (found[walls] == COLUMNS + index[walls]).all()
    assert blob.shape == LEVEL.tiles.shape


@pytest.mark.parametrize("kind", ["blob", "edges", "walls"])
@settings(max_examples=25)
@given(data=st.data())
def test_autotile_indices_are_those_of_the_autotiler(kind: str, data: st.DataObject, scratch: Path) -> None:
    """Whatever the map: the piece of each wall is the one that `autotile` computes."""
    rows = data.draw(st.lists(st.text("#.", min_size=5, max_size=5), min_size=1, max_size=6))
    level = Level.parse("\n".join(rows))
    found = drawing(scratch, level, f'size = 8\n[autotile.wall]\nkind = "{kind}"\nfirst = [0, 1]\n').layers["terrain"]
    walls = level.tiles == STANDARD.role("wall")
    assert (found[walls] == COLUMNS + autotile(level, kind).index[walls]).all()


def test_pieces_may_be_listed_by_index_or_by_name(tmp_path: Path) -> None:
    text = 'size = 8\n[autotile.wall]\nkind = "walls"\nrest = [0, 5]\n'
    text += '[autotile.wall.pieces]\n"edge n" = [1, 5]\n14 = [2, 5]\n'
    found = load_tileset(write(tmp_path, text)).autotiles["wall"]
    names = [piece.name for piece in pieces("walls")]
    assert found.cells[names.index("edge n")] == 5 * COLUMNS + 1
    assert found.cells[14] == 5 * COLUMNS + 2
    assert {*found.cells} == {5 * COLUMNS, 5 * COLUMNS + 1, 5 * COLUMNS + 2}


def test_pieces_may_stand_in_rows_of_any_length(tmp_path: Path) -> None:
    text = 'size = 8\n[autotile.wall]\nkind = "edges"\nfirst = [3, 1]\ncolumns = 4\n'
    found = load_tileset(write(tmp_path, text)).autotiles["wall"]
    assert [cell % COLUMNS for cell in found.cells] == [3, 4, 5, 6] * 4
    assert [cell // COLUMNS for cell in found.cells] == [row for row in (1, 2, 3, 4) for _ in range(4)]


def test_a_name_comes_before_a_role_and_a_role_stands_in_for_others(tmp_path: Path) -> None:
    text = "size = 8\n[tiles]\nwall = [0, 0]\nfloor = [1, 0]\npit = [2, 0]\nlava = [3, 0]\ndoor = [4, 0]\n"
    level = Level.parse("#.,:!+L'", MEADOW)
    drawn = drawing(tmp_path, level, text)
    assert drawn.layers["terrain"][0].tolist() == [0, 1, 1, 2, 3, 1, 1, 1]
    assert drawn.layers["doors"][0].tolist() == [-1] * 5 + [4, 4, -1]
    assert len(drawn.sheets) == 1


def test_ours_stands_in_for_what_a_tileset_lacks(tmp_path: Path) -> None:
    drawn = drawing(tmp_path, text="size = 8\n[tiles]\nfloor = [1, 0]\n")
    assert [sheet.name for sheet in drawn.sheets][:2] == ["moor", "undercroft-8"]
    assert {sheet.size for sheet in drawn.sheets} == {SIZE}
    number = int(drawn.layers["terrain"][0, 0])
    sheet, piece = drawn.find_sheet(number)
    assert drawn.sheets[sheet].pieces[piece].role == "wall"
    assert list_unmapped(LEVEL, load_tileset(tmp_path / "moor.toml")) == [
        "wall", "door", "secret door", "pillar", "stairs up", "stairs down", "lava", "hedge",
    ]  # fmt: skip


def test_void_is_left_empty(tmp_path: Path) -> None:
    drawn = drawing(tmp_path, Level.parse("X.X"), "size = 8\n[tiles]\nfloor = [1, 0]\n")
    assert drawn.layers["terrain"].tolist() == [[-1, 1, -1]]


# --- the style `pixels` ---


def test_pictures_show_the_cells(tmp_path: Path) -> None:
    path = write(tmp_path)
    image = np.asarray(render_picture(LEVEL, "pixels", cell=SIZE, margin=0, hide=["things"], tileset=path))
    found = shown_numbers(image)
    drawn = draw_level_with(LEVEL, path)
    above = np.where(drawn.layers["doors"] >= 0, drawn.layers["doors"], drawn.layers["terrain"])
    top = np.where(drawn.layers["decor"] >= 0, drawn.layers["decor"], above)
    assert (found == top)[LEVEL.tiles != MEADOW.role("secret")].all()  # its mark is ours


@pytest.mark.parametrize(("margin", "spacing"), [(0, 0), (3, 0), (0, 2), (1, 5)])
def test_margin_and_spacing_are_left_out(margin: int, spacing: int, tmp_path: Path) -> None:
    text = WHOLE.replace("size = 8", f"size = 8\nmargin = {margin}\nspacing = {spacing}")
    user = load_tileset(write(tmp_path, text, data=picture_bytes(SIZE, margin, spacing)))
    assert (user.columns, user.rows) == (COLUMNS, ROWS)
    assert [tuple(cell[0, 0, :3]) for cell in user.pixels] == [cell_colour(n) for n in range(COLUMNS * ROWS)]
    assert [tuple(cell[-1, -1, :3]) for cell in user.pixels] == [cell_colour(n) for n in range(COLUMNS * ROWS)]


@pytest.mark.parametrize("cell", [1, 3, 8, 16, 20])
def test_pictures_of_any_size(cell: int, tmp_path: Path) -> None:
    shown = ["grid", "path", "numbers", "title", "heat"]
    for level in (LEVEL, uc.generate("isaac", seed=2, params={"expand": False})):
        image = render_picture(level, "pixels", cell=cell, show=shown, tileset=write(tmp_path))
        assert min(image.size) > 3 * cell


def test_a_large_level_is_drawn_with_scaled_tiles(tmp_path: Path) -> None:
    level = Level(np.full((700, 700), STANDARD.role("floor"), np.uint8))
    image = np.asarray(render_picture(level, "pixels", cell=2, margin=0, tileset=write(tmp_path)))
    assert image.shape == (1400, 1400, 3)
    assert tuple(image[0, 0]) in {cell_colour(number) for number in (0, 1, 2)}


def test_things_are_drawn_with_their_cells(tmp_path: Path) -> None:
    level = LEVEL.replace(things=[Thing("chest", 2, 1, {"width": 2, "height": 2})])
    found = shown_numbers(np.asarray(render_picture(level, "pixels", cell=SIZE, margin=0, tileset=write(tmp_path))))
    assert (found[1:3, 2:4] == 10).all()


def test_hidden_secrets_are_wall_even_if_the_tileset_has_them(tmp_path: Path) -> None:
    path = write(tmp_path, WHOLE.replace("door = [5, 0]", 'door = [5, 0]\n"secret door" = [15, 0]'))
    numbers = {
        shown: shown_numbers(np.asarray(render_picture(LEVEL, "pixels", cell=SIZE, margin=0, hide=hide, tileset=path)))[
            2, 9
        ]
        for shown, hide in ((True, []), (False, ["secrets"]))
    }
    assert numbers[True] == 15
    assert COLUMNS <= numbers[False] < COLUMNS + 47


def test_other_styles_take_no_tileset(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="draws no tiles"):
        render_picture(LEVEL, "ink", tileset=write(tmp_path))


# --- Tiled and Godot ---


@pytest.mark.parametrize("name", ["tmx", "tmj"])
def test_maps_with_a_tileset_of_ones_own_read_back(name: str, tmp_path: Path) -> None:
    path = write(tmp_path)
    LEVEL.save(tmp_path / f"map.{name}", tileset=path)
    assert uc.load(tmp_path / f"map.{name}") == LEVEL
    assert loads(dump(LEVEL, name, tileset=path), name).tiles.tolist() == LEVEL.tiles.tolist()


def test_pytmx_reads_a_map_with_a_tileset_of_ones_own(tmp_path: Path) -> None:
    path = write(tmp_path)
    LEVEL.save(tmp_path / "map.tmx", tileset=path)
    found = pytmx.TiledMap(str(tmp_path / "map.tmx"))
    assert (found.tilewidth, found.tileheight, found.tilesets[0].name) == (SIZE, SIZE, "moor")
    drawn = draw_level_with(LEVEL, path)
    for name, layer in drawn.layers.items():
        theirs = np.array(
            [[found.tiledgidmap.get(gid, 0) for gid in row] for row in found.get_layer_by_name(name).data]
        )
        assert (theirs == layer + 1).all()
    grass = found.tile_properties[found.get_layer_by_name("terrain").data[1][2]]
    assert (grass["name"], grass["role"], grass["solid"], grass["colour"]) == ("grass", "floor", False, "#6fae4a")
    assert (tmp_path / "moor.png").read_bytes() == picture_bytes()


def test_cells_painted_in_tiled_are_read(tmp_path: Path) -> None:
    document = json.loads(dump(LEVEL, "tmj", tileset=write(tmp_path)))
    document["layers"][0]["data"][3 * LEVEL.width + 6] = 1 + 4
    document["layers"][1]["data"][3 * LEVEL.width + 7] = 1 + 5
    found = loads(json.dumps(document).encode(), "tmj")
    assert np.argwhere(found.tiles != LEVEL.tiles).tolist() == [[3, 6], [3, 7]]
    assert [MEADOW.tiles[found.tiles[3, x]].name for x in (6, 7)] == ["lava", "door"]


@pytest.mark.parametrize(("margin", "spacing"), [(0, 0), (2, 3)])
def test_scenes_have_the_tileset(margin: int, spacing: int, tmp_path: Path) -> None:
    text = WHOLE.replace("size = 8", f"size = 8\nmargin = {margin}\nspacing = {spacing}")
    path = write(tmp_path, text, data=picture_bytes(SIZE, margin, spacing))
    told = Scene(dump(LEVEL, "godot", stem="level", tileset=path))
    assert told.pictures["picture"] == "moor.png"
    source = told.resources["pieces"][1]
    assert source["texture_region_size"] == ("Vector2i", SIZE, SIZE)
    assert source.get("margins", ("Vector2i", 0, 0)) == ("Vector2i", margin, margin)
    assert source.get("separation", ("Vector2i", 0, 0)) == ("Vector2i", spacing, spacing)
    drawn = draw_level_with(LEVEL, path)
    for name, layer in drawn.layers.items():
        wanted = {
            (x, y): (0, int(layer[y, x]) % COLUMNS, int(layer[y, x]) // COLUMNS)
            for y, x in np.argwhere(layer >= 0).tolist()
            if layer[y, x] < COLUMNS * ROWS
        }
        theirs = told.sourced_cells(name.capitalize())
        assert {cell: place for cell, place in theirs.items() if place[0] == 0} == wanted
    assert source["3:0/0/custom_data_2"] == "grass"
    chest = told.nodes["Things/Chest1/Picture"][1]
    assert chest["region_rect"] == ("Rect2", margin + 10 * (SIZE + spacing), margin, SIZE, SIZE)
    assert told.nodes["Things/Chest1"][1]["position"] == ("Vector2", 2 * SIZE + SIZE // 2, SIZE + SIZE // 2)


def test_secret_doors_may_be_joined_cells(tmp_path: Path) -> None:
    text = WHOLE + '\n[autotile."secret door"]\nkind = "edges"\nrest = [15, 0]\n'
    assert drawing(tmp_path, text=text).layers["doors"][2, 9] == 15


# --- from the shell ---


def test_no_picture_is_replaced_by_a_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    for folder in ("maps", "art"):
        (tmp_path / folder).mkdir()
    write(tmp_path / "art", "size = 16\n[tiles]\nfloor = [0, 0]\n", data=picture_bytes(16))
    LEVEL.save(tmp_path / "level.json")
    for _ in range(2):
        assert run(["convert", "level.json", "maps/out.tmx", "--option", "tileset=moor.png"]) == 0
    kept = (tmp_path / "maps" / "moor.png").read_bytes()
    for name in ("b.tmx", "b.tscn", "b.tmj"):
        capsys.readouterr()
        assert run(["convert", "level.json", f"maps/{name}", "--option", "tileset=art/moor.png"]) == 2
        assert "moor.png is another file than the tileset's picture" in capsys.readouterr().err
        assert not (tmp_path / "maps" / name).exists()
    assert (tmp_path / "maps" / "moor.png").read_bytes() == kept
    assert run(["convert", "level.json", "moor.png", "--style", "pixels", "--option", "tileset=moor.toml"]) == 2
    assert "moor.png is the tileset itself" in capsys.readouterr().err
    assert (tmp_path / "moor.png").read_bytes() == kept


def test_the_option_in_the_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    (tmp_path / "art").mkdir()
    write(tmp_path / "art", "size = 8\n[tiles]\nfloor = [0, 0]\n")
    LEVEL.save(tmp_path / "level.json")
    assert run(["convert", "level.json", "out.png", "out.tmx", "out.tscn", "--option", "tileset=moor.png"]) == 0
    assert "note" not in capsys.readouterr().err
    assert {"moor.png", "moor.tsx", "out.png", "out.tmx", "out.tscn"} <= {path.name for path in tmp_path.iterdir()}
    assert run(["convert", "level.json", "out.png", "--option", "tileset=art/moor.toml"]) == 0
    assert "the tileset moor.toml has no cell for wall, door" in capsys.readouterr().err
    assert (
        run(["generate", "cave", "--size", "20x20", "--seed", "1", "-o", "c.png", "--option", "tileset=none.toml"]) == 2
    )
    assert "cannot read none.toml" in capsys.readouterr().err
    assert run(["batch", "cave", "--count", "2", "--out", "b", "--as", "tmx", "--option", "tileset=moor.png"]) == 2
    assert "a batch takes no 'tileset'" in capsys.readouterr().err
