"""Scenes and scripts in Godot itself: every cell, every node, a walk through a level, and the generators' grids over
many seeds.

Godot is looked for on the PATH, or named by UNDERCROFT_GODOT. `godot_checks/get_godot.sh FOLDER` gets one where there
is none. It says that all is well even if a file is broken: so what it read is printed and compared, and
an ERROR of any kind is a failure.
"""

from __future__ import annotations

import functools
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import undercroft as uc
from support.levels import crypt
from support.maps import HEAVY
from support.paths import ROOT
from undercroft.core.level import Level
from undercroft.core.rng import Rng, seed_number
from undercroft.draw.tileset.picture import LAYERS, lay_pieces, thing_piece_number, tileset
from undercroft.errors import UndercroftError
from undercroft.formats import dump
from undercroft.formats.godot.godot import read_origin

HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples" / "godot"
SEEDS = 1000 if HEAVY else 50
RECIPES = ("rooms-and-mazes", "cave", "bsp", "isaac", "cozy", "tinykeep")


@functools.cache
def godot() -> tuple[str, ...]:
    """The command, or nothing if there is no Godot 4.3 or later."""
    named = os.environ.get("UNDERCROFT_GODOT")
    for command in [shlex.split(named)] if named else [[name] for name in ("godot4", "godot") if shutil.which(name)]:
        told = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
        if re.match(r"4\.([3-9]|\d\d)", told):
            return tuple(command)
        assert not named, f"UNDERCROFT_GODOT is no Godot of version 4.3 or later: {told!r}"
    return ()


needs_godot = pytest.mark.skipif(not godot(), reason="Godot 4.3 or later is not installed (Debian's package is godot)")


def run(project: Path, *words: str) -> list[Any]:
    """What a check prints, line by line. An error of Godot is an error."""
    done = subprocess.run(
        [*godot(), "--headless", "--path", str(project), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={
            **os.environ,
            "HOME": str(project),
            "XDG_DATA_HOME": str(project / ".data"),
            "XDG_CONFIG_HOME": str(project / ".config"),
        },
    )
    assert done.returncode == 0, done.stderr
    assert "ERROR" not in done.stdout + done.stderr, done.stdout[-1000:] + done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


Make = Callable[..., Path]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example with the checks and the tileset, which Godot has imported."""
    project = tmp_path_factory.mktemp("godot") / "project"
    shutil.copytree(EXAMPLE, project)
    for check in (HERE / "godot_checks").glob("*.gd"):
        shutil.copy(check, project)
    Level.parse("#").save(project / "level.tscn")
    run(project, "--import")
    assert (project / "undercroft.png.import").exists()
    return project


@pytest.fixture
def made_project(tmp_path: Path, imported: Path) -> Make:
    """Makes a project of its own with some levels in it."""

    def make(**levels: Level) -> Path:
        project = tmp_path / "project"
        shutil.copytree(imported, project)
        for name, level in levels.items():
            level.save(project / f"{name}.tscn")
        return project

    return make


def list_layer_cells(level: Level, name: str) -> list[Any]:
    """The cells of a layer as the check tells them."""
    pieces, tiles = lay_pieces(level)[name], tileset()
    found = []
    for y, x in np.argwhere(pieces >= 0).tolist():
        piece = int(pieces[y, x])
        down, right = divmod(piece, tiles.columns)
        found.append(
            [
                x,
                y,
                right,
                down,
                0,
                tiles.solid[piece],
                tiles.roles[piece],
                tiles.names[piece],
                right * 16,
                down * 16,
                16,
            ]
        )
    return found


@needs_godot
def test_godot_has_every_cell_and_every_node(made_project: Make) -> None:
    levels = {
        "chapel": uc.load(ROOT / "examples" / "chapel.json"),
        "crypt": crypt(),
        "one": Level.parse("#"),
        "row": Level.parse("." * 300),
    }
    levels |= {name.replace("-", "_"): uc.generate(name, seed=4) for name in RECIPES}
    project = made_project(**levels)
    told = run(project, "-s", "check_scene.gd", "--", *(f"{name}.tscn" for name in levels))
    assert [row["scene"] for row in told] == [f"{name}.tscn" for name in levels]
    for row, level in zip(told, levels.values(), strict=True):
        for name in LAYERS:
            assert sorted(row["layers"][name.capitalize()]) == sorted(list_layer_cells(level, name))
        assert row["meta"]["size"] == [*level.size]
        assert row["meta"]["path"] == level.path.tolist()
        assert row["meta"]["links"] == [[*link] for link in level.links]
        assert json.loads(row["meta"]["undercroft"]) == level.provenance
        nodes = {node["path"]: node for node in row["nodes"]}
        assert [nodes[f"Doors/Door{number}"]["meta"] for number in range(1, len(level.doors) + 1)] == [
            {"cell": [door.x, door.y], "state": door.state, "a": door.a, "b": door.b} for door in level.doors
        ]
        assert [(node["position"]) for path, node in nodes.items() if path.startswith("Doors/")] == [
            [door.x * 16 + 8, door.y * 16 + 8] for door in level.doors
        ]
        _compare_regions(level, nodes)
        _compare_things(level, nodes)
        for name, point in (("Start", level.start), ("End", level.end)):
            assert (name in nodes) == (point is not None)
            if point:
                assert (nodes[name]["type"], nodes[name]["position"]) == (
                    "Marker2D",
                    [point[0] * 16 + 8, point[1] * 16 + 8],
                )


def _compare_regions(level: Level, nodes: dict[str, Any]) -> None:
    for region in level.regions:
        node = nodes[f"Rooms/{region.kind.capitalize()}{region.label}"]
        assert node["meta"]["box"] == [region.x, region.y, region.width, region.height]
        assert (node["meta"]["label"], node["meta"]["kind"], node["meta"]["area"]) == (
            region.label,
            region.kind,
            region.area,
        )
        assert (node["meta"]["tags"], node["meta"]["template"], node["meta"]["title"]) == (
            [*region.tags],
            region.template,
            region.name,
        )
        if region.kind == "corridor":
            assert (node["type"], node["groups"]) == ("Node2D", ["regions"])
        else:
            assert (node["type"], sorted(node["groups"])) == ("Area2D", ["regions", "rooms"])
            assert nodes[f"{node['path']}/Box"]["size"] == [region.width * 16, region.height * 16]


def _compare_things(level: Level, nodes: dict[str, Any]) -> None:
    found = [node for node in nodes.values() if "things" in node["groups"]]
    assert len(found) == len(level.things)
    for node, thing in zip(found, level.things, strict=True):
        assert node["meta"] == {"kind": thing.kind, "cell": [thing.x, thing.y], "data": dict(thing.data)}
        assert node["position"] == [thing.x * 16 + 8, thing.y * 16 + 8]
        piece = thing_piece_number(thing.kind, thing.data)
        picture = nodes[f"{node['path']}/Picture"]
        assert picture["region"] == [piece % 32 * 16, piece // 32 * 16, 16, 16]
        assert picture["picture"] == tileset().image.width


@needs_godot
@pytest.mark.parametrize(
    ("damage", "noticed"),
    [
        # another version of the bytes
        (lambda data: data.replace('PackedByteArray("AAA', 'PackedByteArray("BQA', 1), "ERROR"),
        (
            lambda data: re.sub(r'(\[node name="Doors".*?PackedByteArray\(")[^"]{16}', r"\1", data, flags=re.DOTALL),
            "ERROR|cells",
        ),
        (lambda data: data.replace('SubResource("tiles")', 'SubResource("none")', 1), "ERROR"),
        (lambda data: data.replace('path="undercroft.png"', 'path="gone.png"'), "ERROR"),
    ],
)
def test_damage_is_noticed(made_project: Make, damage: Any, noticed: str) -> None:
    """What the checks above look at would not be so if a scene were broken."""
    level = crypt()
    project = made_project(good=level)
    before = (project / "good.tscn").read_text(encoding="utf-8")
    (project / "good.tscn").write_text(damage(before), encoding="utf-8")
    assert damage(before) != before
    with pytest.raises(AssertionError, match=noticed):
        assert sorted(run(project, "-s", "check_scene.gd", "--", "good.tscn")[0]["layers"]["Doors"]) == sorted(
            list_layer_cells(level, "doors")
        ), "cells"


@needs_godot
def test_a_scene_that_godot_saved_still_tells_how_it_was_made(made_project: Make) -> None:
    level = uc.generate("bsp", seed=2**63 + 1)
    project = made_project(level=level)
    (project / "save.gd").write_text(
        "extends SceneTree\nfunc _init() -> void:\n"
        '\tassert(ResourceSaver.save(load("res://level.tscn"), "res://saved.tscn") == OK)\n\tquit()\n'
    )
    run(project, "-s", "save.gd")
    assert read_origin((project / "saved.tscn").read_bytes(), "saved.tscn") == level.provenance


@needs_godot
@pytest.mark.parametrize(("recipe", "seed"), [("rooms-and-mazes", 3), ("bsp", 1), ("cave", 2), ("isaac", 5)])
def test_one_can_walk_from_the_start_to_the_end(made_project: Make, recipe: str, seed: int) -> None:
    """With keys that are pressed, in the example as it is: the walls stop the player, and the doors and the ground do
    not.
    """
    level = uc.generate(recipe, seed=seed)
    assert level.start
    assert level.end
    project = made_project(level=level)
    reached, against = run(project, "--fixed-fps", "60", "-s", "check_walk.gd")
    assert reached["reached"] == [*level.end]
    rooms = [region for x, y in level.path.tolist() if (region := level.regions.at(x, y)) and region.kind != "corridor"]
    assert {f"{room.kind} {room.label}" for room in rooms if not room.name} <= {*reached["seen"]} or recipe == "cave"
    x, y = against["against"]
    column = level.walkable[: level.end[1] + 1, level.end[0]]
    top = level.end[1] - int(np.argmin(column[::-1])) + 1 if not column.all() else 0
    assert against["wall"]
    assert (x, y) == (level.end[0], top)


@needs_godot
def test_the_generators_give_the_same_grids(made_project: Make) -> None:
    project = made_project()
    lines = run(project, "-s", "check_generators.gd", "--", str(SEEDS))
    counted = {what: sum(line["what"] == what for line in lines) for what in ("hash", "draws", "seed", "grid")}
    assert counted == {"hash": 10, "draws": 6, "seed": 7, "grid": 8 * SEEDS}
    failed = 0
    for line in lines:
        if line["what"] == "hash":
            message = bytes((index * 7 + int(line["length"])) % 256 for index in range(int(line["length"])))
            assert line["plain"] == blake2b(message).hexdigest()
            assert line["keyed"] == blake2b(message, digest_size=16, key=message[:64]).hexdigest()
        elif line["what"] == "draws":
            rng = Rng.root(int(line["seed"]) % 2**64, 3).stream("rooms")
            assert line["drawn"] == [rng.next() for _ in range(50)] + [
                rng.below(bound) for bound in (1, 2, 3, 10, 1000, 2147483648, 1500000001)
            ]
        elif line["what"] == "seed":
            assert int(line["number"]) % 2**64 == seed_number(line["text"])
        else:
            failed += _compare_grid(line)
    assert failed > SEEDS // 10, "some tries fail, in both"


def _compare_grid(line: Any) -> int:
    """Raise unless our own grid is the same; 1 if there is none."""
    params: dict[str, Any] = {
        key: int(value) if key in ("rooms", "level", "jitter", "max_tries") else value
        for key, value in line["params"].items()
    }
    if "grid" in params:
        params["grid"] = [int(side) for side in params["grid"]]
    try:
        level = uc.generate(line["method"], seed=int(line["seed"]), params={**params, "expand": False})
    except UndercroftError:
        assert line["rows"] == [], line
        return 1
    assert str(level).split("\n") == line["rows"], line
    assert ([*(level.start or ())], [*(level.end or ())]) == (line["start"], line["end"])
    return 0


@needs_godot
def test_rooms_stand_in_their_places(made_project: Make) -> None:
    level = uc.generate("isaac", seed=2, expand=False, secrets=1)
    project = made_project()
    level.save(project / "floor.json", "json:rooms")
    level.save(project / "floor.tscn", "godot:rooms", room_size=(100, 200))
    wanted = json.loads(dump(level, "json:rooms"))["rooms"]
    rows = run(project, "-s", "check_rooms.gd")
    assert [(row["x"], row["y"]) for row in rows] == [(room["x"] * 100, room["y"] * 200) for room in wanted]
    for row, room in zip(rows, wanted, strict=True):
        assert row["opened"] == row["doors"] == room["doors"]
        assert (row["kind"], row["tags"], row["distance"]) == (room["kind"], room["tags"], room["distance"])
    nodes = run(project, "-s", "check_scene.gd", "--", "floor.tscn")[0]["nodes"]
    found = [node for node in nodes if "rooms" in node["groups"]]
    assert [node["position"] for node in found] == [[room["x"] * 100, room["y"] * 200] for room in wanted]
    assert [node["meta"]["doors"] for node in found] == [room["doors"] for room in wanted]
    assert sum("doors" in node["groups"] for node in nodes) == sum(len(room["doors"]) for room in wanted)
