"""D-14, D-15, D-65: dungeons in one file and in folders come back equal, and broken ones are refused in a sentence."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.dungeons import build, cellars
from undercroft import formats, limits
from undercroft.core.dungeon import Dungeon, Floor
from undercroft.core.level import Level
from undercroft.errors import TooBig, UndercroftError
from undercroft.formats.dungeons import dungeon_json, dungeon_npz, folder
from undercroft.formats.dungeons.files import is_dungeon, load_dungeon, save_dungeon
from undercroft.inputs import files


@pytest.fixture(scope="module")
def dungeon(tmp_path_factory: pytest.TempPathFactory) -> Dungeon:
    return build(cellars(tmp_path_factory.mktemp("recipes")))


def provenances(dungeon: Dungeon) -> list[Any]:
    return [dungeon.provenance, *(floor.level.provenance for floor in dungeon)]


@pytest.mark.parametrize("name", ["barrow.json", "barrow.npz", "barrow", "barrow/"])
def test_what_is_saved_is_loaded(dungeon: Dungeon, tmp_path: Path, name: str) -> None:
    path = f"{tmp_path}/{name}"
    dungeon.save(path)
    again = Dungeon.load(path)
    assert again == dungeon
    assert again.stairs == dungeon.stairs
    assert provenances(again) == provenances(dungeon)
    assert is_dungeon(path)


@pytest.mark.parametrize("name", ["npz", "tmx", "ldtk"])
def test_a_folder_in_other_formats(dungeon: Dungeon, tmp_path: Path, name: str) -> None:
    """Floors come back in all that their format keeps of a level."""
    dungeon.save(tmp_path / "floors", name)
    again = Dungeon.load(tmp_path / "floors")
    assert again.ids == dungeon.ids
    assert again.stairs == dungeon.stairs
    for floor in dungeon:
        assert np.array_equal(again[floor.id].tiles, floor.level.tiles)
        assert again[floor.id].start == floor.level.start


def test_the_same_dungeon_gives_the_same_bytes(dungeon: Dungeon) -> None:
    for module in (dungeon_json, dungeon_npz):
        data = module.dump(dungeon)
        assert module.dump(module.load(data, "a")) == data


def test_a_folder_has_a_file_for_each_floor(dungeon: Dungeon) -> None:
    found = folder.dump_folder(dungeon, formats.resolve_format("json"))
    assert list(found) == ["01.json", "02.json", "03.json", "04.json", "crypt-01.json", "crypt-02.json", "dungeon.json"]
    index = json.loads(found["dungeon.json"])
    assert [row["file"] for row in index["floors"]] == list(found)[:-1]
    assert found["crypt-01.json"] == formats.dump(dungeon["crypt-1"], "json")


def test_numpy_opens_the_arrays(dungeon: Dungeon) -> None:
    with np.load(io.BytesIO(dungeon_npz.dump(dungeon))) as arrays:
        assert np.array_equal(arrays["crypt-1/tiles"], dungeon["crypt-1"].tiles)
        assert np.array_equal(arrays["2/walkable"], dungeon["2"].walkable)


def test_a_level_is_no_dungeon_and_a_dungeon_no_level(dungeon: Dungeon, tmp_path: Path) -> None:
    dungeon["1"].save(tmp_path / "level.json")
    dungeon.save(tmp_path / "all.json")
    dungeon.save(tmp_path / "all.npz")
    assert not is_dungeon(tmp_path / "level.json")
    assert not is_dungeon(tmp_path / "none.json")
    assert not is_dungeon(tmp_path)
    with pytest.raises(UndercroftError, match="holds no dungeon"):
        load_dungeon(tmp_path / "level.json")
    with pytest.raises(UndercroftError, match="holds no dungeon"):
        load_dungeon(tmp_path)
    for name in ("all.json", "all.npz"):
        with pytest.raises(UndercroftError, match="is a dungeon of several floors") as caught:
            formats.load(tmp_path / name)
        assert "Dungeon.load" in caught.value.fix


def test_a_picture_holds_one_floor(dungeon: Dungeon, tmp_path: Path) -> None:
    with pytest.raises(UndercroftError, match=r"a \.uvtt file holds one floor, this dungeon has 6") as caught:
        save_dungeon(dungeon, tmp_path / "a.uvtt")
    assert "--floor" in caught.value.fix


SMALL = Dungeon.of([Level.parse("#..#"), Level.parse("#..#")], [("1", (1, 0), "2", (1, 0))], title="Well")


def changed(change: Callable[[Any], object]) -> bytes:
    data = json.loads(dungeon_json.dump(SMALL))
    change(data)
    return json.dumps(data).encode()


BROKEN: list[tuple[str, Callable[[Any], object]]] = [
    ("this is 'undercroft-dungeon/9'", lambda data: data.update(format="undercroft-dungeon/9")),
    ("unknown key 'rooms'", lambda data: data.update(rooms=[])),
    ("the key 'floors' is missing", lambda data: data.pop("floors")),
    ("at floors: a list belongs here", lambda data: data.update(floors={})),
    ("a dungeon has at least one floor", lambda data: data.update(floors=[])),
    ("at floors[0].depth: 0 is out of range", lambda data: data["floors"][0].update(depth=0)),
    ("at floors[1]: an object belongs here, not 7", lambda data: data["floors"].insert(1, 7)),
    ("the key 'level' is missing", lambda data: data["floors"][0].pop("level")),
    ("at floors[0]: unknown key 'file'", lambda data: data["floors"][0].update(file="01.json")),
    ("two floors are called '1'", lambda data: data["floors"][1].update(id="1")),
    ("'../2' is no id of a floor", lambda data: data["floors"][1].update(id="../2")),
    ("at floors[1].level: a level is an object", lambda data: data["floors"][1].update(level=3)),
    ("at floors[1].level.size", lambda data: data["floors"][1]["level"].update(size=[0, 1])),
    ("1 leads down to (1, 0) on 2, where no stairs", lambda data: data["floors"][1]["level"].update(things=[])),
    ("no floor '7'", lambda data: data.update(start=["7", 0, 0])),
    ("at start: the list has 2 values", lambda data: data.update(start=["1", 0])),
    ("at title: a text belongs here", lambda data: data.update(title=3)),
    ("at provenance: an object belongs here", lambda data: data.update(provenance=3)),
    ("the number of floors is 102", lambda data: data.update(floors=data["floors"] * 51)),
]


@pytest.mark.parametrize(("problem", "change"), BROKEN)
def test_a_broken_file_is_refused(problem: str, change: Callable[[Any], object]) -> None:
    with pytest.raises(UndercroftError) as caught:
        dungeon_json.load(changed(change), "a.json")
    assert problem in caught.value.problem
    assert "a.json" in str(caught.value)


def test_no_bytes_raise_anything_else() -> None:
    whole = dungeon_json.dump(SMALL)
    packed = dungeon_npz.dump(SMALL)
    for count in range(0, len(whole), 7):
        with pytest.raises(UndercroftError):
            dungeon_json.load(whole[:count], "a.json")
    for count in range(0, len(packed), 37):
        with pytest.raises(UndercroftError):
            dungeon_npz.load(packed[:count], "a.npz")
    for at in range(0, len(packed), 61):
        try:
            dungeon_npz.load(packed[:at] + bytes([packed[at] ^ 255]) + packed[at + 1 :], "a.npz")
        except UndercroftError:
            continue


def test_an_array_of_no_floor_is_refused() -> None:
    packed = io.BytesIO(dungeon_npz.dump(SMALL))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("9/tiles.npy", b"")
    with pytest.raises(UndercroftError, match=r"'9/tiles\.npy' belongs to no floor"):
        dungeon_npz.load(packed.getvalue(), "a.npz")


FOLDERS: list[tuple[str, Callable[[Any], object]]] = [
    ("lies outside the folder", lambda data: data["floors"][0].update(file="../01.json")),
    ("lies outside the folder", lambda data: data["floors"][0].update(file="/etc/passwd")),
    ("no such file", lambda data: data["floors"][0].update(file="07.json")),
    ("can only be written", lambda data: data["floors"][0].update(file="01.png")),
    ("the key 'file' is missing", lambda data: data["floors"][0].pop("file")),
    (
        "dungeon.json: at floors[0].file: a text belongs here, not 5",
        lambda data: data["floors"][0].update(file=5),
    ),
    ("this is 'undercroft-floors/2'", lambda data: data.update(format="undercroft-floors/2")),
]


@pytest.mark.parametrize(("problem", "change"), FOLDERS)
def test_a_broken_index_is_refused(problem: str, change: Callable[[Any], object], tmp_path: Path) -> None:
    found = folder.dump_folder(SMALL, formats.resolve_format("json"))
    data = json.loads(found["dungeon.json"])
    change(data)
    files.write_folder(tmp_path / "d", {**found, "dungeon.json": json.dumps(data).encode(), "01.png": b""})
    with pytest.raises(UndercroftError) as caught:
        load_dungeon(tmp_path / "d")
    assert problem in str(caught.value)
    assert str(caught.value).count("dungeon.json") < 2


def test_floors_that_are_too_large_together_are_refused_while_they_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred floors may name one file: half a megabyte was fifteen gigabytes of levels."""
    many = Dungeon.of([Level.parse("#..#")] * 4)
    save_dungeon(many, tmp_path / "d.npz")
    save_dungeon(many, tmp_path / "d.json")
    save_dungeon(many, tmp_path / "d")
    monkeypatch.setattr(limits, "FLOOR_CELLS", limits.FLOOR_CELLS._replace(value=8))
    for name in ("d.npz", "d.json", "d"):
        with pytest.raises(TooBig, match=r"d.*: the number of cells of all floors is 12; the limit is 8") as caught:
            load_dungeon(tmp_path / name)
        assert "smaller or fewer floors" in caught.value.fix
    with pytest.raises(TooBig, match="the number of cells of all floors is 16"):
        Dungeon.of([Level.parse("#..#")] * 4)


def test_floors_of_one_name_keep_their_ids() -> None:
    level = Level.parse(".")
    assert dungeon_json.floor_file_names(Dungeon([Floor("1", "", 1, level), Floor("01", "", 2, level)])) == {
        "1": "1",
        "01": "01",
    }


def test_the_side_view_is_a_picture_and_a_drawing(dungeon: Dungeon, tmp_path: Path) -> None:
    from PIL import Image

    for name, options in (("png:side", {}), ("png:side", {"cell": 3}), ("svg:side", {})):
        path = tmp_path / f"side.{name[:3]}"
        dungeon.save(path, name, **options)
        assert formats.read_origin(path)["dungeon"]["recipe"] == "cellars"
    with Image.open(tmp_path / "side.png") as picture:
        assert picture.width > 300
    with pytest.raises(UndercroftError, match="a cell is a whole number"):
        dungeon.save(tmp_path / "a.png", "png:side", cell=0)
    with pytest.raises(UndercroftError, match="unknown option of the format 'svg:side' 'style'"):
        dungeon.save(tmp_path / "a.svg", "svg:side", style="ink")


def test_a_floor_is_named_beside_the_lines_that_lead_down() -> None:
    from undercroft.draw.sheets.side_view import find_free_left

    for lines in ([], [5.0], [5.0, 9.0, 12.0], [1.0, 30.0]):
        found = find_free_left(2.0, 10.0, 40.0, lines)
        assert all(not found - 1 < line < found + 11 for line in lines), lines
    assert find_free_left(2.0, 30.0, 31.0, [5.0]) == 2.0
