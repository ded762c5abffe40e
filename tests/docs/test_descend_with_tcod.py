"""The small game of the examples is played by a program: down to the last floor, and up again."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import undercroft as uc
from support.paths import ROOT
from undercroft.analysis import reach

tcod = pytest.importorskip("tcod")
FILE = ROOT / "examples" / "descend_with_tcod.py"


@pytest.fixture(scope="module")
def program() -> Any:
    spec = importlib.util.spec_from_file_location("descend_with_tcod", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def walk_to(game: Any, x: int, y: int) -> None:
    way = reach.DistanceField(game.level.passable, [(game.player.x, game.player.y)]).path_to(x, y)
    assert len(way), "a way leads there"
    for to_x, to_y in way[1:].tolist():
        assert game.walk(to_x - game.player.x, to_y - game.player.y)


def test_five_floors_down_and_up_again(program: Any) -> None:
    game = program.Game(uc.Dungeon.generate("delve", seed=7))
    console = tcod.console.Console(game.level.width, game.level.height + 1, order="C")
    visited = []
    for way in ("down", "up"):
        while True:
            visited.append(game.player.floor)
            game.draw(console)
            assert chr(console.rgb["ch"][game.player.y, game.player.x]) == "@"
            stairs = [one for one in game.dungeon.stairs_of(game.player.floor) if one.way == way]
            if not stairs:
                break
            walk_to(game, stairs[0].x, stairs[0].y)
            assert game.take_stairs()
            assert (game.player.x, game.player.y) == (stairs[0].to_x, stairs[0].to_y)
    assert visited == ["1", "2", "3", "4", "5", "5", "4", "3", "2", "1"]


def test_walls_stop_and_other_cells_have_no_stairs(program: Any) -> None:
    game = program.Game(uc.Dungeon.generate("delve", seed=7))
    assert not game.take_stairs(), "the way out leads to no floor"
    before = game.player
    steps = [game.walk(dx, dy) or game.player == before for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
    assert len(steps) == 4


def test_it_is_short() -> None:
    assert len(Path(FILE).read_text(encoding="utf-8").splitlines()) <= 120
