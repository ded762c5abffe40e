"""Pools in files: folders, lists, our own."""

from __future__ import annotations

import json
import pickle
import random
from pathlib import Path

import pytest

from support.maps import each
from undercroft.cli import run
from undercroft.cli.options.layouts import resolve_layouts
from undercroft.core.rng import Rng
from undercroft.errors import BadInput, FileTrouble, UndercroftError
from undercroft.templates.layouts import cozy_json, layout_files, pool_files
from undercroft.templates.layouts.drawn_text import parse
from undercroft.templates.layouts.no_layout_fits import NoLayoutFits
from undercroft.templates.layouts.pool import Pool

HUT = (
    "scale w = walls, right by 1, down by 1\nscale f = floor, right by 1, down by 1\n\n    ###  |  www\n"
    "    #.#  |  wfw\n    ###  |  www\n"
)
DOT = "    #\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "hut.layout").write_text(HUT)
    (tmp_path / "dot.layout").write_text(DOT)
    (tmp_path / "other.json").write_text(cozy_json.format_layout(parse(HUT, "other.layout")))
    (tmp_path / "level.json").write_text('{"format": "undercroft-level/1"}')
    (tmp_path / "notes.txt").write_text("nothing")
    return tmp_path


def weights(pool: Pool) -> dict[str, int]:
    return {layout.name: weight for layout, weight in pool.layouts}


def test_a_folder_is_a_pool_of_equal_weights(folder: Path) -> None:
    assert weights(Pool.load(folder)) == {"dot": 1, "hut": 1, "other": 1}


def test_a_list_of_toml(folder: Path) -> None:
    (folder / "mine.toml").write_text('about = "x"\nfallback = "hut"\n[layouts]\ndot = 5\n"other.json" = 2\n')
    pool = Pool.load(folder / "mine.toml")
    assert weights(pool) == {"dot": 5, "other": 2}
    assert pool.fallback
    assert pool.fallback.name == "hut"
    assert pool.room(Rng.root(1), (4, 5)).name == "other"
    (folder / "few.toml").write_text('fallback = "hut"\n[layouts]\ndot = 5\n')
    room = Pool.load(folder / "few.toml").room(Rng.root(1), (4, 5))
    assert (room.name, room.width, room.height) == ("hut", 4, 5)


def test_a_list_of_json(folder: Path) -> None:
    (folder / "layout-list.json").write_text(json.dumps({"hut.layout": 3, "other.json": 2}))
    assert weights(Pool.load(folder / "layout-list.json")) == {"hut": 3, "other": 2}
    assert weights(Pool.load(folder)) == {"hut": 3, "other": 2}, "a list in the folder is read"


POOLS_OF_COZY_CAVES = {
    '{"layouts": {"hut.layout": 3, "other.json": 2}}': {"hut": 3, "other": 2},
    '{"layouts": ["hut.layout", "other.json"]}': {"hut": 1, "other": 1},
    '{"layouts": ["hut.layout", "other.json", "hut.layout"]}': {"hut": 2, "other": 1},
    '["other.json"]': {"other": 1},
}


@pytest.mark.parametrize("text", POOLS_OF_COZY_CAVES)
@pytest.mark.parametrize("name", ["layout-list.json", "Layout-List.JSON", "mine.json"])
def test_the_pool_files_of_cozy_caves(folder: Path, text: str, name: str) -> None:
    (folder / name).write_text(text)
    assert weights(Pool.load(folder / name)) == POOLS_OF_COZY_CAVES[text]
    assert resolve_layouts(str(folder / name)).pool, "the command line takes it for a pool, whatever its name"
    whole = POOLS_OF_COZY_CAVES[text] if name != "mine.json" else {"dot": 1, "hut": 1, "other": 1}
    assert weights(Pool.load(folder)) == whole


def test_a_layout_is_no_list(folder: Path) -> None:
    assert resolve_layouts(str(folder / "other.json")).pool is None
    assert not pool_files.is_layout_list(folder / "level.json")
    assert not pool_files.is_layout_list(folder / "nowhere.json")


def test_our_own_pool_names_every_layout_of_ours() -> None:
    pool = pool_files.load_shipped()
    assert {layout.name.replace(" ", "-") for layout, _ in pool.layouts} == set(layout_files.list_layouts())
    assert pool.fallback
    assert pool.room(Rng.root(1), (4, 3)).name == "rectangle"


@each("seed", 40)
def test_our_own_pool_gives_a_room_of_any_size(seed: int) -> None:
    chance = random.Random(seed)
    pool = pool_files.load_shipped()
    for _ in range(10):
        size = chance.randint(3, 40), chance.randint(3, 40)
        room = pool.room(Rng.root(seed), size)
        assert (room.width, room.height) == size


MISTAKES = {
    "": "a pool has a table of layouts",
    "layouts = 3": "a pool has a table of layouts",
    "[layouts]": "a pool without a layout",
    "[layouts]\nhut = 0": "the weight of 'hut' is not a whole number from 1",
    "[layouts]\nhut = 1.5": "the weight of 'hut' is not",
    "[layouts]\nhut = true": "the weight of 'hut' is not",
    "[layouts]\nnix = 1": "no such file",
    '[layouts]\n"../hut" = 1': "lies outside the folder",
    "[layots]\nhut = 1": "unknown key 'layots'",
    "fallback = 3\n[layouts]\nhut = 1": "the fallback is the name",
    'fallback = "nix"\n[layouts]\nhut = 1': "no such file",
    "[layouts": "pool.toml:1",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_in_lists(folder: Path, text: str) -> None:
    (folder / "pool.toml").write_text(text)
    with pytest.raises(UndercroftError) as caught:
        Pool.load(folder)
    assert MISTAKES[text] in str(caught.value)
    assert caught.value.place
    assert Path(caught.value.place.file).name == "pool.toml"
    assert caught.value.fix


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "without a layout"),
        ("[3]", "a layout is a text, not 3"),
        ("{}", "without a layout"),
        ('{"hut.layout": -1}', "weight"),
        ("{", "a key in quotes"),
        ('{"layouts": {}}', "without a layout"),
        ('{"layouts": []}', "without a layout"),
        ('{"layouts": ["hut.layout", 3]}', "a layout is a text"),
        ('{"layouts": {"hut.layout": 0}}', "weight"),
        ('{"layouts": {"hut.layout": 1}, "layout": 1}', "unknown key 'layout'"),
    ],
)
def test_mistakes_in_json_lists(folder: Path, text: str, said: str) -> None:
    (folder / "layout-list.json").write_text(text)
    with pytest.raises(BadInput, match=said) as caught:
        Pool.load(folder)
    assert caught.value.place


def test_a_folder_without_layouts(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no layout is in"):
        Pool.load(tmp_path)
    with pytest.raises(FileTrouble):
        Pool.load(tmp_path / "nowhere")


def test_the_reasons_go_along_when_an_error_is_sent_elsewhere() -> None:
    error = NoLayoutFits({"a": "it stays", "b": "it grows"}, (3, 4), fix="ask for 5x5")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "no room of 3x4\n    a: it stays\n    b: it grows\n  fix: ask for 5x5"
    assert (again.reasons, again.size, again.exit_code) == (error.reasons, (3, 4), 1)


@pytest.mark.parametrize(
    ("text", "problem", "column"),
    [
        ('{"layouts": {"hut.layout": 1}, "x": 1}', "unknown key 'x'", 32),
        ('{"layouts": [3]}', "a layout is a text, not 3", 14),
        ('[["hut.layout", 3]]', "a layout is a text, not", 2),
    ],
)
def test_a_mistake_in_a_list_is_one_of_a_list(
    folder: Path, text: str, problem: str, column: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine.json").write_text(text)
    assert run(["scale", str(folder / "mine.json"), "--size", "9x9"]) == 2
    assert f"mine.json:1:{column}: {problem}" in capsys.readouterr().err
